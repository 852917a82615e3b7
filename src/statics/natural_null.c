/* R and dR/dz; see natural_null.h. */
#include "statics/natural_null.h"

#include "solve/gauss_jordan.h"
#include "solve/lapack.h"

#include <stdlib.h>
#include <string.h>

/* Of the largest entry: rows of which no more is left repeat others. */
#define REPEATED 1e-9

bool rbv_rest_null_create(RbvRestNull *null, const RbvRest *r) {
    size_t n = (size_t)r->n + 1, m = (size_t)r->m + 1;
    *null = (RbvRestNull){0};
    null->row = malloc(m * sizeof *null->row);
    null->column = malloc(n * sizeof *null->column);
    null->R = malloc(n * n * sizeof *null->R);
    null->dependent = malloc(n * n * sizeof *null->dependent);
    null->pivot = malloc(n * sizeof *null->pivot);
    null->work = malloc((m * n + 3 * n) * sizeof *null->work);
    null->x = malloc(n * sizeof *null->x);
    return null->row && null->column && null->R && null->dependent && null->pivot && null->work && null->x;
}

void rbv_rest_null_destroy(RbvRestNull *null) {
    void *const parts[] = {null->row, null->column, null->R, null->dependent, null->pivot, null->work, null->x};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
}

bool rbv_rest_null_find(RbvRestNull *null, RbvRest *r) {
    double smallest;
    size_t n = (size_t)r->n;
    memcpy(null->work, r->J, (size_t)r->m * n * sizeof *null->work);
    null->rank = rbv_gauss_jordan(r->m, r->n, null->work, null->row, null->column, REPEATED, &smallest);
    null->f = r->n - null->rank;
    rbv_gauss_jordan_null_space(r->n, null->work, null->row, null->column, null->rank, null->R);
    for (int32_t i = 0; i < null->rank; i++)
        for (int32_t j = 0; j < null->rank; j++)
            null->dependent[(size_t)i * (size_t)null->rank + (size_t)j] = r->J[(size_t)null->row[i] * n + (size_t)null->column[j]];
    RbvStatus status = rbv_lapack_lu(null->rank, null->dependent, null->pivot);
    r->state->no_memory = r->state->no_memory || status == RBV_NO_MEMORY;
    return status == RBV_OK;
}

void rbv_rest_null_solve(RbvRestNull *null, const RbvRest *r, const double *c, double *x) {
    for (int32_t k = 0; k < null->rank; k++)
        null->x[k] = c[k];
    rbv_lapack_lu_solve(null->rank, null->dependent, null->pivot, null->x);
    memset(x, 0, (size_t)r->n * sizeof *x);
    for (int32_t k = 0; k < null->rank; k++)
        x[null->column[k]] = null->x[k];
}

/* Of both signs of the rate: what time does by itself, and with the rate, cancels. */
void rbv_rest_accelerations(RbvRestNull *null, RbvRest *r, const double *y, double *a) {
    RbvState *state = r->state;
    double *gamma = null->work;
    memset(gamma, 0, ((size_t)null->rank + 1) * sizeof *gamma);
    for (int sign = -1; sign <= 1; sign++) {
        for (int32_t j = 0; j < r->n; j++)
            state->v[j] = sign * r->scale[j] * y[j];
        rbv_state_move(state);
        for (int32_t k = 0; k < null->rank; k++)
            gamma[k] += (sign ? 0.5 : -1) * r->weight[null->row[k]] * state->gamma[r->row[null->row[k]]];
    }
    rbv_rest_null_solve(null, r, gamma, a);
}

void rbv_rest_second(RbvRestNull *null, RbvRest *r, int32_t j, int32_t k, double *out) {
    size_t n = (size_t)r->n;
    const double *Rj = null->R + (size_t)j * n, *Rk = null->R + (size_t)k * n;
    double *sum = null->work + (size_t)r->m * n, *one = sum + n;
    rbv_rest_accelerations(null, r, Rj, out);
    if (j == k)
        return;
    rbv_rest_accelerations(null, r, Rk, one);
    for (size_t i = 0; i < n; i++) {
        out[i] += one[i];
        sum[i] = Rj[i] + Rk[i];
    }
    rbv_rest_accelerations(null, r, sum, one);
    for (size_t i = 0; i < n; i++)
        out[i] = 0.5 * (one[i] - out[i]);
}
