/* Ridge least squares by sparse LU of the quasi-definite system; see ridge.h. */
#include "solve/ridge.h"

#include "linalg/lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Power iterations for the smallest singular value: each gains at least the gap's factor; 40 give it within a few percent unless two
 * values are closer than that, where either serves. */
#define POWER_STEPS 40

struct RbvRidge {
    int32_t rows, columns;
    int32_t *start, *column;
    RbvLu *lu;
    double *values; /* of the augmented matrix */
    double *b;      /* [rows + columns] */
    int32_t *next;  /* [columns] scratch of factoring */
    const double *C;
    double mu;
};

/* Row k: mu, -C_k; then row j of the lower half: the column j of C, and 1. */
static bool build(RbvRidge *ridge, const int32_t *start, const int32_t *column) {
    int32_t m = ridge->rows, n = ridge->columns, nonzeros = start[m], total = 2 * nonzeros + m + n;
    int32_t *row_start = malloc(((size_t)m + (size_t)n + 1) * sizeof *row_start);
    int32_t *index = malloc(((size_t)total + 1) * sizeof *index);
    int32_t *fill = calloc((size_t)n + 1, sizeof *fill);
    ridge->start = malloc(((size_t)m + 1) * sizeof *ridge->start);
    ridge->column = malloc(((size_t)nonzeros + 1) * sizeof *ridge->column);
    ridge->values = malloc(((size_t)total + 1) * sizeof *ridge->values);
    ridge->b = malloc(((size_t)m + (size_t)n + 1) * sizeof *ridge->b);
    ridge->next = malloc(((size_t)n + 1) * sizeof *ridge->next);
    bool good = row_start && index && fill && ridge->start && ridge->column && ridge->values && ridge->b && ridge->next;
    if (good) {
        memcpy(ridge->start, start, ((size_t)m + 1) * sizeof *start);
        memcpy(ridge->column, column, (size_t)nonzeros * sizeof *column);
        int32_t at = 0;
        for (int32_t k = 0; k < m; k++) {
            row_start[k] = at;
            index[at++] = k;
            for (int32_t e = start[k]; e < start[k + 1]; e++) {
                index[at++] = m + column[e];
                fill[column[e]]++;
            }
        }
        for (int32_t j = 0; j < n; j++) {
            row_start[m + j] = at;
            at += fill[j] + 1;
            fill[j] = row_start[m + j];
        }
        row_start[m + n] = at;
        for (int32_t k = 0; k < m; k++)
            for (int32_t e = start[k]; e < start[k + 1]; e++)
                index[fill[column[e]]++] = k;
        for (int32_t j = 0; j < n; j++)
            index[fill[j]] = m + j;
        ridge->lu = rbv_lu_create(m + n, row_start, index);
        good = ridge->lu != NULL;
    }
    free(row_start);
    free(index);
    free(fill);
    return good;
}

RbvRidge *rbv_ridge_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column) {
    RbvRidge *ridge = calloc(1, sizeof *ridge);
    if (!ridge)
        return NULL;
    ridge->rows = rows;
    ridge->columns = columns;
    if (!build(ridge, start, column)) {
        rbv_ridge_destroy(ridge);
        return NULL;
    }
    return ridge;
}

void rbv_ridge_destroy(RbvRidge *ridge) {
    if (!ridge)
        return;
    rbv_lu_destroy(ridge->lu);
    free(ridge->start);
    free(ridge->column);
    free(ridge->values);
    free(ridge->b);
    free(ridge->next);
    free(ridge);
}

bool rbv_ridge_factor(RbvRidge *ridge, const double *C, double mu) {
    int32_t m = ridge->rows, n = ridge->columns, at = 0;
    const int32_t *start = ridge->start, *column = ridge->column;
    double *values = ridge->values;
    ridge->C = C;
    ridge->mu = mu;
    /* the lower half is stored by columns of C in the order of rows: place by counting */
    int32_t *next = ridge->next;
    memset(next, 0, ((size_t)n + 1) * sizeof *next);
    for (int32_t k = 0; k < m; k++) {
        values[at++] = mu;
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            values[at++] = -C[e];
    }
    int32_t *count = next;
    for (int32_t e = 0; e < start[m]; e++)
        count[column[e]]++;
    for (int32_t j = 0; j < n; j++) {
        int32_t length = count[j];
        next[j] = at;
        values[at + length] = 1;
        at += length + 1;
    }
    for (int32_t k = 0; k < m; k++)
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            values[next[column[e]]++] = C[e];
    return rbv_lu_factor(ridge->lu, values);
}

void rbv_ridge_step(RbvRidge *ridge, const double *phi, double *x) {
    int32_t m = ridge->rows, n = ridge->columns;
    memcpy(ridge->b, phi, (size_t)m * sizeof *phi);
    memset(ridge->b + m, 0, (size_t)n * sizeof *ridge->b);
    rbv_lu_solve(ridge->lu, ridge->b);
    memcpy(x, ridge->b + m, (size_t)n * sizeof *x);
}

void rbv_ridge_project(RbvRidge *ridge, double *g) {
    int32_t m = ridge->rows, n = ridge->columns;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < m; k++) {
            double sum = 0;
            for (int32_t e = ridge->start[k]; e < ridge->start[k + 1]; e++)
                sum += ridge->C[e] * g[ridge->column[e]];
            ridge->b[k] = sum;
        }
        memset(ridge->b + m, 0, (size_t)n * sizeof *ridge->b);
        rbv_lu_solve(ridge->lu, ridge->b);
        for (int32_t j = 0; j < n; j++)
            g[j] += ridge->b[m + j];
    }
}

double rbv_ridge_smallest(RbvRidge *ridge) {
    int32_t m = ridge->rows, n = ridge->columns;
    if (m == 0)
        return 0;
    double *b = ridge->b, largest = 0;
    uint64_t seed = 88172645463325252u; /* fixed: the answer is the same in every run */
    for (int32_t k = 0; k < m; k++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        b[k] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
    for (int step = 0; step < POWER_STEPS; step++) {
        double norm = 0;
        for (int32_t k = 0; k < m; k++)
            norm += b[k] * b[k];
        norm = sqrt(norm);
        if (step > 0)
            largest = fmax(largest, norm);
        for (int32_t k = 0; k < m; k++)
            b[k] /= norm;
        memset(b + m, 0, (size_t)n * sizeof *b);
        rbv_lu_solve(ridge->lu, b);
    }
    return sqrt(fmax(1 / largest, 0));
}
