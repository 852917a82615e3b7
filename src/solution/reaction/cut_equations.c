/* Factors and solutions of the equations of cut rows; see cut_equations.h. */
#include "solution/reaction/cut_equations.h"

#include "core/linalg/block_lu.h"
#include "core/solve/orthogonal.h"

#include <stdlib.h>
#include <string.h>

/* Limit of the unknowns of a system with redundant rows that is solved by orthogonal factors: some ms a sample. */
#define ORTHOGONAL_MOST 240

struct RbvCutEquations {
    const RbvRowPattern *C;
    int32_t size;
    /* square system */
    RbvBlockLu *lu;
    int32_t *chosen;        /* [size] chosen rows; NULL: all */
    int32_t entries, *from; /* [entries] positions in C of the entries of the chosen rows */
    double *values, *x;     /* [entries] of the chosen rows, [size] */
    /* least norm, A = scale C^T share */
    double *A, *tau, *work, *b, *scale, *share;
    int32_t *order, *unknown, rank;
};

bool rbv_cut_equations_dense(int32_t rows) {
    return rows <= ORTHOGONAL_MOST;
}

void rbv_cut_equations_destroy(RbvCutEquations *e) {
    if (!e)
        return;
    rbv_block_lu_destroy(e->lu);
    free(e->chosen);
    free(e->from);
    free(e->values);
    free(e->x);
    free(e->A);
    free(e->tau);
    free(e->work);
    free(e->b);
    free(e->scale);
    free(e->share);
    free(e->order);
    free(e->unknown);
    free(e);
}

/* Pattern and factors of the chosen rows alone. False: no memory. */
static bool create_chosen(RbvCutEquations *e, const int32_t *own) {
    size_t size = (size_t)e->size + 1, entries = 1;
    for (int32_t k = 0; k < e->size; k++)
        entries += (size_t)(e->C->start[own[k] + 1] - e->C->start[own[k]]);
    int32_t *start = malloc(size * sizeof *start), *index = malloc(entries * sizeof *index), at = 0;
    e->chosen = malloc(size * sizeof *e->chosen);
    e->from = malloc(entries * sizeof *e->from);
    e->values = malloc(entries * sizeof *e->values);
    e->x = malloc(size * sizeof *e->x);
    if (start && index && e->chosen && e->from && e->values && e->x) {
        for (int32_t k = 0; k < e->size; k++) {
            e->chosen[k] = own[k];
            start[k] = at;
            for (int32_t n = e->C->start[own[k]]; n < e->C->start[own[k] + 1]; n++) {
                e->from[at] = n;
                index[at++] = e->C->column[n];
            }
        }
        start[e->size] = e->entries = at;
        e->lu = rbv_block_lu_create(e->size, start, index);
    }
    free(start);
    free(index);
    return e->lu != NULL;
}

static bool create_dense(RbvCutEquations *e) {
    size_t m = (size_t)e->size + 1, n = (size_t)e->C->count + 1;
    e->A = malloc(m * n * sizeof *e->A);
    e->tau = malloc(m * sizeof *e->tau);
    e->work = malloc(n * sizeof *e->work);
    e->x = malloc(n * sizeof *e->x);
    e->b = malloc(m * sizeof *e->b);
    e->scale = malloc(m * sizeof *e->scale);
    e->share = malloc(n * sizeof *e->share);
    e->order = malloc(m * sizeof *e->order);
    e->unknown = malloc(n * sizeof *e->unknown);
    return e->A && e->tau && e->work && e->x && e->b && e->scale && e->share && e->order && e->unknown;
}

RbvCutEquations *rbv_cut_equations_create(const RbvRowPattern *C, int32_t size, const int32_t *own) {
    RbvCutEquations *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->C = C;
    e->size = size;
    bool good;
    if (own)
        good = create_chosen(e, own);
    else if (C->count == size)
        good = (e->lu = rbv_block_lu_create(size, C->start, C->column)) != NULL;
    else
        good = create_dense(e);
    if (good)
        return e;
    rbv_cut_equations_destroy(e);
    return NULL;
}

bool rbv_cut_equations_factor(RbvCutEquations *e, const double *c, const double *scale, const double *share,
                              bool *no_memory) {
    const int32_t n = e->C->count;
    if (e->lu && !e->chosen)
        return rbv_block_lu_factor(e->lu, c, no_memory);
    if (e->lu) {
        for (int32_t k = 0; k < e->entries; k++)
            e->values[k] = c[e->from[k]];
        return rbv_block_lu_factor(e->lu, e->values, no_memory);
    }
    memcpy(e->scale, scale, (size_t)e->size * sizeof *scale);
    memcpy(e->share, share, (size_t)n * sizeof *share);
    memset(e->A, 0, (size_t)e->size * (size_t)n * sizeof *e->A);
    for (int32_t k = 0; k < n; k++)
        for (int32_t m = e->C->start[k]; m < e->C->start[k + 1]; m++)
            e->A[(size_t)e->C->column[m] * (size_t)n + (size_t)k] = scale[e->C->column[m]] * c[m] * share[k];
    e->rank = rbv_orthogonal_factor(e->size, n, e->A, e->order, e->unknown, e->tau);
    return e->rank >= 0;
}

void rbv_cut_equations_solve(RbvCutEquations *e, double *y, double *lambda) {
    const int32_t n = e->C->count;
    if (e->lu && !e->chosen) {
        rbv_block_lu_solve_transposed(e->lu, y, lambda);
        return;
    }
    if (e->lu) {
        rbv_block_lu_solve_transposed(e->lu, y, e->x);
        memset(lambda, 0, (size_t)n * sizeof *lambda);
        for (int32_t k = 0; k < e->size; k++)
            lambda[e->chosen[k]] = e->x[k];
        return;
    }
    for (int32_t k = 0; k < e->size; k++)
        e->b[k] = e->scale[k] * y[k];
    rbv_orthogonal_solve(n, e->rank, e->A, e->order, e->unknown, e->tau, e->b, e->work, e->x);
    for (int32_t k = 0; k < n; k++)
        lambda[k] = e->share[k] * e->x[k];
}
