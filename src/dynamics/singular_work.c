/* The rows that hold at a place and their singular values, scaled; see singular_work.h. */
#include "dynamics/singular_work.h"

#include "solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rbv_singular_work_destroy(RbvSingularWork *w) {
    free(w->memory);
    free(w->row);
    free(w->pivot);
}

bool rbv_singular_work_create(RbvSingularWork *w, const RbvState *state) {
    const RbvSystem *system = state->system;
    *w = (RbvSingularWork){.n = system->bodies.size};
    w->row = malloc(((size_t)system->row_count + 1) * sizeof *w->row);
    for (int32_t k = 0; w->row && k < system->row_count; k++)
        if (rbv_state_holds(state, k))
            w->row[w->m++] = k;
    size_t m = (size_t)w->m, n = (size_t)w->n, least = m < n ? m : n, both = n + m;
    double **parts[] = {&w->scale, &w->norm, &w->U, &w->V, &w->sigma, &w->y, &w->f, &w->x, &w->x2, &w->E, &w->c, &w->R, &w->F, &w->W, &w->f_sigma, &w->G, &w->K};
    size_t sizes[] = {n, m, m * m, n * n, least, n, n, n, n, m * n, m, m, m * n, m * m, both, m * n, both * both},
           sum = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        sum += sizes[k];
    w->memory = calloc(sum, sizeof *w->memory);
    w->pivot = calloc(both + 1, sizeof *w->pivot);
    double *next = w->memory;
    for (size_t k = 0; next && k < sizeof sizes / sizeof *sizes; next += sizes[k], k++)
        *parts[k] = next;
    return w->row && w->memory && w->pivot;
}

double rbv_singular_work_times(const RbvSingularWork *w, const RbvState *at, int32_t i, const double *x) {
    const RbvRowPattern *D = &at->system->D;
    double sum = 0;
    for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
        sum += at->D[e] * x[D->column[e]];
    return sum * w->norm[i];
}

RbvStatus rbv_singular_work_decompose(RbvSingularWork *w, const RbvState *at) {
    const RbvBodyColumns *bodies = &at->system->bodies;
    const RbvRowPattern *D = &at->system->D;
    size_t m = (size_t)w->m, n = (size_t)w->n;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            w->scale[j] = rbv_bodies_is_rotation(bodies, b, j) ? 1 / rbv_state_body_arm(at, b) : 1;
    double *A = calloc(m * n + 1, sizeof *A);
    if (!A)
        return RBV_NO_MEMORY;
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
            A[(size_t)D->column[e] * m + i] += at->D[e] * w->scale[D->column[e]];
        for (size_t j = 0; j < n; j++)
            sum += A[j * m + i] * A[j * m + i];
        w->norm[i] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (size_t j = 0; j < n; j++)
            A[j * m + i] *= w->norm[i];
    }
    RbvStatus status = rbv_lapack_svd('A', w->m, w->n, A, w->sigma, w->U, w->V);
    free(A);
    int32_t most = w->m < w->n ? w->m : w->n;
    while (status == RBV_OK && w->held < most && w->sigma[w->held] > RBV_SINGULAR_WEAK * w->sigma[0])
        w->held++;
    w->p = w->m - w->held;
    w->d = w->n - w->held;
    return status;
}

void rbv_singular_work_off(const RbvSingularWork *w, const RbvState *at, const double *a, double *out) {
    memset(out, 0, (size_t)w->p * sizeof *out);
    for (int32_t i = 0; i < w->m; i++) {
        double left = rbv_singular_work_times(w, at, i, a) - w->norm[i] * at->gamma_D[w->row[i]];
        for (int32_t j = 0; j < w->p; j++)
            out[j] += rbv_singular_work_u(w, i, w->held + j) * left;
    }
}
