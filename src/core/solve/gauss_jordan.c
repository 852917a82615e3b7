/* Gauss-Jordan with full pivoting; see gauss_jordan.h. */
#include "core/solve/gauss_jordan.h"

#include <math.h>

static void swap(int32_t *list, int32_t i, int32_t j) {
    int32_t keep = list[i];
    list[i] = list[j];
    list[j] = keep;
}

/* The largest remaining entry: its positions i, j in the orders; returns its magnitude. */
static double find_pivot(int32_t m, int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t k,
                         int32_t *i, int32_t *j) {
    double most = 0;
    for (int32_t a = k; a < m; a++)
        for (int32_t b = k; b < n; b++) {
            double value = fabs(J[(size_t)row[a] * (size_t)n + (size_t)column[b]]);
            if (value > most)
                most = value, *i = a, *j = b;
        }
    return most;
}

/* Divide the row of pivot k by its pivot, and eliminate the pivot's column from all other rows. */
static void eliminate(int32_t m, int32_t n, double *J, const int32_t *row, const int32_t *column, int32_t k) {
    double *from = J + (size_t)row[k] * (size_t)n, pivot = from[column[k]];
    for (int32_t b = k; b < n; b++)
        from[column[b]] /= pivot;
    for (int32_t a = 0; a < m; a++) {
        double *to = J + (size_t)row[a] * (size_t)n, factor = to[column[k]];
        for (int32_t b = k; a != k && factor != 0 && b < n; b++)
            to[column[b]] -= factor * from[column[b]];
    }
}

int32_t rbv_gauss_jordan(int32_t m, int32_t n, double *J, int32_t *row, int32_t *column, double least,
                         double *smallest) {
    double first = 0;
    int32_t k = 0;
    *smallest = 1;
    for (int32_t a = 0; a < m; a++)
        row[a] = a;
    for (int32_t b = 0; b < n; b++)
        column[b] = b;
    for (; k < m && k < n; k++) {
        int32_t i = k, j = k;
        double pivot = find_pivot(m, n, J, row, column, k, &i, &j);
        first = k == 0 ? pivot : first;
        if (!(pivot > least * first))
            break;
        *smallest = pivot / first;
        swap(row, k, i);
        swap(column, k, j);
        eliminate(m, n, J, row, column, k);
    }
    return k;
}

void rbv_gauss_jordan_null_space(int32_t n, const double *J, const int32_t *row, const int32_t *column, int32_t rank,
                                 double *R) {
    for (int32_t k = 0; k < n - rank; k++) {
        double *r = R + (size_t)k * (size_t)n;
        for (int32_t i = 0; i < n; i++)
            r[i] = 0;
        r[column[rank + k]] = 1;
        for (int32_t i = 0; i < rank; i++)
            r[column[i]] = -J[(size_t)row[i] * (size_t)n + (size_t)column[rank + k]];
    }
}
