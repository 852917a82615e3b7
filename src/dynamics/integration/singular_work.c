/* Active rows at a position and their singular values, scaled; see singular_work.h. */
#include "dynamics/integration/singular_work.h"

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rbv_singular_work_destroy(RbvSingularWork *w) {
    free(w->memory);
    free(w->row);
    free(w->column);
    free(w->pivot);
}

static bool find_rows(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts, RbvPartKind kind) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    *w = (RbvSingularWork){.n = bodies->size};
    w->row = malloc(((size_t)system->row_count + 1) * sizeof *w->row);
    w->column = malloc(((size_t)w->n + 1) * sizeof *w->column);
    if (!w->row || !w->column)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        if (rbv_state_holds(state, k) && system->row_part[k] >= 0 && parts->kind[system->row_part[k]] == kind)
            w->row[w->m++] = k;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; rbv_singular_parts_of_body(parts, b) == kind && j < bodies->start[b + 1];
             j++)
            w->column[w->wide++] = j;
    w->most = w->m < w->wide ? w->m : w->wide;
    return true;
}

bool rbv_singular_work_create(RbvSingularWork *w, const RbvState *state, const RbvSingularParts *parts,
                              RbvPartKind kind) {
    if (!find_rows(w, state, parts, kind))
        return false;
    size_t m = (size_t)w->m, n = (size_t)w->n, c = (size_t)w->wide, least = (size_t)w->most, both = c + m;
    double **arrays[] = {&w->scale, &w->norm, &w->U, &w->V, &w->sigma, &w->y,       &w->f, &w->x, &w->x2,
                         &w->E,     &w->c,    &w->R, &w->F, &w->W,     &w->f_sigma, &w->G, &w->K};
    size_t sizes[] = {n, m, m * m, c * n, least, n, n, n, n, m * n, m, m, m * c, m * m, both, m * c, both * both},
           sum = 1;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        sum += sizes[k];
    w->memory = calloc(sum, sizeof *w->memory);
    w->pivot = calloc(both + 1, sizeof *w->pivot);
    double *next = w->memory;
    for (size_t k = 0; next && k < sizeof sizes / sizeof *sizes; next += sizes[k], k++)
        *arrays[k] = next;
    return w->memory && w->pivot;
}

double rbv_singular_work_times(const RbvSingularWork *w, const RbvState *at, int32_t i, const double *x) {
    const RbvRowPattern *D = &at->system->D;
    double sum = 0;
    for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
        sum += at->D[e] * x[D->column[e]];
    return sum * w->norm[i];
}

/* Fills A with C_s[m][wide], column-major; at[n]: column of C_s for each column of D. */
static void fill(RbvSingularWork *w, const RbvState *state, const int32_t *at, double *A) {
    const RbvRowPattern *D = &state->system->D;
    size_t m = (size_t)w->m;
    for (size_t i = 0; i < m; i++) {
        double sum = 0;
        for (int32_t e = D->start[w->row[i]]; e < D->start[w->row[i] + 1]; e++)
            A[(size_t)at[D->column[e]] * m + i] += state->D[e] * w->scale[D->column[e]];
        for (size_t j = 0; j < (size_t)w->wide; j++)
            sum += A[j * m + i] * A[j * m + i];
        w->norm[i] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (size_t j = 0; j < (size_t)w->wide; j++)
            A[j * m + i] *= w->norm[i];
    }
}

RbvStatus rbv_singular_work_decompose(RbvSingularWork *w, const RbvState *at) {
    const RbvBodyColumns *bodies = &at->system->bodies;
    size_t m = (size_t)w->m, c = (size_t)w->wide;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            w->scale[j] = rbv_bodies_is_rotation(bodies, b, j) ? 1 / rbv_state_body_arm(at, b) : 1;
    double *A = calloc(m * c + 1, sizeof *A), *vt = malloc((c * c + 1) * sizeof *vt);
    int32_t *place = calloc((size_t)w->n + 1, sizeof *place);
    for (int32_t j = 0; place && j < w->wide; j++)
        place[w->column[j]] = j;
    RbvStatus status = A && vt && place ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        fill(w, at, place, A);
        status = rbv_lapack_svd('A', w->m, w->wide, A, w->sigma, w->U, vt);
    }
    for (size_t k = 0; status == RBV_OK && k < c; k++)
        for (size_t j = 0; j < c; j++)
            w->V[k * (size_t)w->n + (size_t)w->column[j]] = vt[j * c + k];
    free(A);
    free(vt);
    free(place);
    while (status == RBV_OK && w->held < w->most && w->sigma[w->held] > RBV_SINGULAR_WEAK * w->sigma[0])
        w->held++;
    w->p = w->m - w->held;
    w->d = w->wide - w->held;
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
