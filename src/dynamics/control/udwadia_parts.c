/* Products and triangular systems; see udwadia_parts.h. */
#include "dynamics/control/udwadia_parts.h"

#include <math.h>
#include <string.h>

double rbv_udwadia_dot(int32_t count, const double *x, const double *y) {
    double sum = 0;
    for (int32_t j = 0; j < count; j++)
        sum += x[j] * y[j];
    return sum;
}

void rbv_udwadia_times(int32_t m, int32_t n, const double *A, const double *x, double *y) {
    for (int32_t i = 0; i < m; i++)
        y[i] = rbv_udwadia_dot(n, A + rbv_udwadia_at(i, n), x);
}

void rbv_udwadia_transposed_times(int32_t m, int32_t n, const double *A, const double *y, double *x) {
    memset(x, 0, (size_t)n * sizeof *x);
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++)
            x[j] += A[rbv_udwadia_at(i, n) + (size_t)j] * y[i];
}

void rbv_udwadia_orthonormalise(int32_t r, int32_t n, double *X, double *T) {
    memset(T, 0, (size_t)r * (size_t)r * sizeof *T);
    for (int32_t k = 0; k < r; k++) {
        double *x = X + rbv_udwadia_at(k, n), *t = T + rbv_udwadia_at(k, r);
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = 0; i < k; i++) {
                const double *w = X + rbv_udwadia_at(i, n);
                double part = rbv_udwadia_dot(n, w, x);
                t[i] += part;
                for (int32_t j = 0; j < n; j++)
                    x[j] -= part * w[j];
            }
        t[k] = sqrt(rbv_udwadia_dot(n, x, x));
        for (int32_t j = 0; j < n; j++)
            x[j] /= t[k];
    }
}

void rbv_udwadia_forward(int32_t r, const double *T, double *x) {
    for (int32_t k = 0; k < r; k++)
        x[k] = (x[k] - rbv_udwadia_dot(k, T + rbv_udwadia_at(k, r), x)) / T[rbv_udwadia_at(k, r) + (size_t)k];
}

void rbv_udwadia_backward(int32_t r, const double *T, double *x) {
    for (int32_t k = r - 1; k >= 0; k--) {
        x[k] /= T[rbv_udwadia_at(k, r) + (size_t)k];
        for (int32_t i = 0; i < k; i++)
            x[i] -= T[rbv_udwadia_at(k, r) + (size_t)i] * x[k];
    }
}
