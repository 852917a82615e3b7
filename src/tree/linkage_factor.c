/* C_free = Q R by Householder's reflections, columns in the order of their remaining lengths (P. Businger, G. H. Golub 1965): rank, least squares and least norm from one factorization. */
#include "tree/linkage.h"

#include <math.h>
#include <string.h>

/* A column that is this much shorter than the first, after what the others do has been taken out, is a sum of them: far above rounding, far below what moves a real machine. */
#define DEPENDENT 1e-10

static double squares(const double *u, int32_t from, int32_t to) {
    double sum = 0;
    for (int32_t k = from; k < to; k++)
        sum += u[k] * u[k];
    return sum;
}

/* u -= scale h (h . u), of entries from `at` on. */
static void reflect(const double *h, double scale, int32_t at, int32_t rows, double *u) {
    double sum = 0;
    for (int32_t k = at; k < rows; k++)
        sum += h[k] * u[k];
    sum *= scale;
    for (int32_t k = at; k < rows; k++)
        u[k] -= sum * h[k];
}

static void swap_columns(RbvLinkageWorkspace *w, int32_t a, int32_t b) {
    int32_t rows = w->rows, keep = w->order[a];
    w->order[a] = w->order[b], w->order[b] = keep;
    for (int32_t k = 0; k < rows; k++) {
        double x = w->QR[rows * a + k];
        w->QR[rows * a + k] = w->QR[rows * b + k];
        w->QR[rows * b + k] = x;
    }
}

bool rbv_linkage_factor(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    int32_t rows = w->rows, n = w->free_count;
    for (int32_t k = 0; k < n; k++) {
        w->order[k] = k;
        memcpy(w->QR + (ptrdiff_t)rows * k, w->C + (ptrdiff_t)rows * linkage->free[k], (size_t)rows * sizeof *w->QR);
    }
    for (w->rank = 0; w->rank < n && w->rank < rows; w->rank++) {
        int32_t k = w->rank, best = k;
        double most = -1;
        for (int32_t e = k; e < n; e++) {
            double length = squares(w->QR + (ptrdiff_t)rows * e, k, rows);
            if (length > most)
                most = length, best = e;
        }
        if (best != k)
            swap_columns(w, k, best);
        double *h = w->QR + (ptrdiff_t)rows * k, length = sqrt(most);
        if (!(length > (k > 0 ? DEPENDENT * fabs(w->diagonal[0]) : 0)))
            break;
        double head = h[k], alpha = head > 0 ? -length : length;
        h[k] = head - alpha;
        w->diagonal[k] = alpha;
        w->scale[k] = 1 / (length * (length + fabs(head)));
        for (int32_t e = k + 1; e < n; e++)
            reflect(h, w->scale[k], k, rows, w->QR + (ptrdiff_t)rows * e);
    }
    return w->rank == n;
}

double rbv_linkage_solve(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    int32_t rows = w->rows, n = linkage->free_count;
    double *y = w->right;
    for (int32_t k = 0; k < n; k++)
        reflect(w->QR + (ptrdiff_t)rows * k, w->scale[k], k, rows, y);
    for (int32_t k = n - 1; k >= 0; k--) {
        for (int32_t e = k + 1; e < n; e++)
            y[k] -= w->QR[(ptrdiff_t)rows * e + k] * y[e];
        y[k] /= w->diagonal[k];
        w->x[w->order[k]] = y[k];
    }
    return sqrt(squares(y, n, rows));
}

static void turn_back(const RbvLinkageWorkspace *w, double *u) {
    for (int32_t k = w->free_count - 1; k >= 0; k--)
        reflect(w->QR + (ptrdiff_t)w->rows * k, w->scale[k], k, w->rows, u);
}

void rbv_linkage_solve_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    int32_t rows = w->rows, n = linkage->free_count;
    double *z = w->lambda;
    for (int32_t k = 0; k < n; k++) {
        double sum = w->x[w->order[k]];
        for (int32_t e = 0; e < k; e++)
            sum -= w->QR[(ptrdiff_t)rows * k + e] * z[e];
        z[k] = sum / w->diagonal[k];
    }
    for (int32_t k = n; k < rows; k++)
        z[k] = 0;
    turn_back(w, z);
}

void rbv_linkage_null(const RbvLinkage *linkage, RbvLinkageWorkspace *w, int32_t index) {
    memset(w->lambda, 0, (size_t)w->rows * sizeof *w->lambda);
    w->lambda[linkage->free_count + index] = 1;
    turn_back(w, w->lambda);
}
