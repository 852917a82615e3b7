/* A lower bound of the smallest singular value of sparse rows by the factor of their products; see rank.h. */
#include "core/solve/rank.h"

#include <math.h>
#include <string.h>

/* G := C C^T, its lower triangle by rows. scatter[n]: zeros, and zeros again at the end. */
static void multiply_rows(int32_t m, const int32_t *start, const int32_t *column, const double *values, double *scatter,
                          double *G) {
    for (int32_t i = 0; i < m; i++) {
        double *row = G + (size_t)i * (size_t)m;
        for (int32_t e = start[i]; e < start[i + 1]; e++)
            scatter[column[e]] += values[e];
        for (int32_t j = 0; j <= i; j++) {
            double sum = 0;
            for (int32_t e = start[j]; e < start[j + 1]; e++)
                sum += values[e] * scatter[column[e]];
            row[j] = sum;
        }
        for (int32_t e = start[i]; e < start[i + 1]; e++)
            scatter[column[e]] = 0;
    }
}

/* L over the lower triangle of G, with the reciprocals of its diagonal there. False: a pivot is not positive. */
static bool factor(int32_t m, double *G) {
    for (int32_t i = 0; i < m; i++) {
        double *row = G + (size_t)i * (size_t)m;
        for (int32_t j = 0; j <= i; j++) {
            const double *other = G + (size_t)j * (size_t)m;
            double sum = row[j];
            for (int32_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            if (j < i)
                row[j] = sum * other[j];
            else if (sum > 0)
                row[i] = 1 / sqrt(sum);
            else
                return false;
        }
    }
    return true;
}

/* Sum of the squares of all entries of L^-1; x[m]: scratch. */
static double square_inverse(int32_t m, const double *L, double *x) {
    double squares = 0;
    for (int32_t c = 0; c < m; c++) {
        x[c] = L[(size_t)c * (size_t)m + (size_t)c];
        squares += x[c] * x[c];
        for (int32_t i = c + 1; i < m; i++) {
            const double *row = L + (size_t)i * (size_t)m;
            double sum = 0;
            for (int32_t k = c; k < i; k++)
                sum -= row[k] * x[k];
            x[i] = sum * row[i];
            squares += x[i] * x[i];
        }
    }
    return squares;
}

double rbv_rank_bound(int32_t m, int32_t n, const int32_t *start, const int32_t *column, const double *values,
                      double *work) {
    double *scatter = work, *x = work + n, *G = x + m;
    if (m > n || m == 0)
        return 0;
    memset(scatter, 0, (size_t)n * sizeof *scatter);
    multiply_rows(m, start, column, values, scatter, G);
    return factor(m, G) ? 1 / sqrt(square_inverse(m, G, x)) : 0;
}
