/* The theorem of Lagrange multipliers: D^T lambda = Q has a solution if and only if Q does no work on any motion
 * that the rows leave free,
 *
 *   Q x = 0 for all x with D x = 0.
 * The residual is the part of Q in null(D) relative to Q, both as forces (torques over the arm of the body): the
 * part that no multipliers can balance. */
#include "solution/solvability/multiplier_theorem.h"

#include "core/solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of columns and rows, since null spaces are dense. */
#define MOST 400
/* Residual below which multipliers exist: rounding of a null space and of loads. At a position of rest known to
 * eight digits the loads do about this much work on the free motion. */
#define VANISHES 1e-8

/* out[n][rows]: D^T, scaled, columns of unit length. */
static void fill(const RbvState *state, const double *scale, double *out) {
    const RbvSystem *system = state->system;
    const RbvRowPattern *D = &system->D;
    size_t rows = (size_t)system->row_count;
    memset(out, 0, (size_t)system->bodies.size * rows * sizeof *out);
    for (int32_t k = 0; k < system->row_count; k++) {
        double square = 0;
        for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
            square += pow(state->D[e] * scale[D->column[e]], 2);
        for (int32_t e = D->start[k]; e < D->start[k + 1] && square > 0; e++)
            out[(size_t)D->column[e] * rows + (size_t)k] += state->D[e] * scale[D->column[e]] / sqrt(square);
    }
}

/* |Z^T Q| / |Q| for the columns Z of the null space. */
static double residual(int32_t n, const RbvRank *rank, const double *null, const double *Q, const double *scale) {
    int32_t columns = n - rank->certain, open = n - rank->rank;
    double whole = 0, left = 0;
    for (int32_t j = 0; j < n; j++)
        whole += pow(Q[j] * scale[j], 2);
    for (int32_t i = columns - open; i < columns; i++) {
        double sum = 0;
        for (int32_t j = 0; j < n; j++)
            sum += null[(size_t)j * (size_t)columns + (size_t)i] * Q[j] * scale[j];
        left += sum * sum;
    }
    return whole > 0 ? sqrt(left / whole) : 0;
}

static RbvStatus test(RbvState *state, const double *scale, double *A, double *null, double *Q,
                      RbvMultiplierTheorem *to) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    RbvRank rank;
    if (!rbv_state_place(state) || !rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return RBV_OK;
    rbv_state_jacobian(state);
    fill(state, scale, A);
    RbvStatus status = rbv_rank_svd(bodies->size, state->system->row_count, A, &rank, null);
    if (status != RBV_OK || !rank.safe)
        return status;
    memset(Q, 0, (size_t)bodies->size * sizeof *Q);
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_add(bodies, b, 1, &state->wrenches[b], Q + bodies->start[b]);
    to->residual = residual(bodies->size, &rank, null, Q, scale);
    to->tested = isfinite(to->residual);
    to->exist = to->residual <= VANISHES;
    return RBV_OK;
}

RbvStatus rbv_multiplier_theorem(const RbvState *at, RbvMultiplierTheorem *to) {
    const RbvSystem *system = at->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->row_count + 1;
    *to = (RbvMultiplierTheorem){.residual = NAN};
    if (n > MOST || rows > MOST)
        return RBV_OK;
    RbvState *state = rbv_state_create(system);
    double *scale = rbv_state_column_scales(at), *A = malloc((n * rows + n * n + n) * sizeof *A);
    RbvStatus status = state && scale && A ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        state->t = at->t;
        memcpy(state->q, at->q, (size_t)system->coordinates.position_size * sizeof *state->q);
        memcpy(state->memory, at->memory, (size_t)system->model->measures.count * sizeof *at->memory);
        rbv_state_place(state);
        rbv_state_measure_sizes(state);
        status = test(state, scale, A, A + n * rows, A + n * rows + n * n, to);
    }
    rbv_state_destroy(state);
    free(scale);
    free(A);
    return status;
}
