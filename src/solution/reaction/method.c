/* The methods of inverse dynamics: their table, and the two with the factors of the independent rows D_I.
 *
 *   two-step:  D_I^T lambda = Q - (m, J) a,  accelerations a of bodies as the motion has found them
 *   lagrange:  [M D_I^T; D_I 0] [a; lambda] = [Q; gamma_D] */
#include "solution/reaction/method.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

/* Accelerations first, then multipliers. */

/* The data of the method: x[bodies.size]. */
static void *two_step_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    return malloc(((size_t)motion->system->bodies.size + 1) * sizeof(double));
}

static RbvStatus two_step_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    double *x = data;
    rbv_state_body_inertia(motion->state, motion->state->accelerations, x);
    for (int32_t k = 0; k < motion->D->n; k++)
        x[k] = Q[k] - x[k];
    rbv_lu_solve_transposed(motion->D->lu, x);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < motion->D->n; k++)
        lambda[motion->solvability->independent[k]] = x[k];
    return RBV_OK;
}

const RbvMethodKind rbv_two_step_method = {
    .name = "two-step", .create = two_step_create, .destroy = free, .solve = two_step_solve};

/* Lagrange's equations in one system for the accelerations of bodies and multipliers. */

/* The system over the rows now chosen; newly chosen rows need a new pattern. */
typedef struct Kkt {
    RbvArena arena; /* memory of the arrays */
    int32_t n, row_sets;
    RbvLu *lu;
    double *values, *b;
    double *mass;  /* [3n] columns of M in the order of `from` */
    int32_t *from; /* source of each value: entry of D (>= 0), or ~(3 coordinate + k) for M: k-th rotation of the body,
                      0 for a translation */
    int32_t count;
} Kkt;

static int32_t row_start(const RbvMotion *motion, int32_t k) {
    return motion->system->D.start[motion->solvability->independent[k]];
}

static int32_t row_end(const RbvMotion *motion, int32_t k) {
    return motion->system->D.start[motion->solvability->independent[k] + 1];
}

/* Starts of rows 0 ... n of the pattern. */
static void find_starts(const RbvMotion *motion, int32_t *start) {
    const RbvSystem *system = motion->system;
    const RbvBodyColumns *bodies = &system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            start[j + 1] = rbv_is_full_block(bodies, b, j) ? 3 : 1;
    for (int32_t k = 0; k < motion->D->n; k++)
        for (int32_t e = row_start(motion, k); e < row_end(motion, k); e++)
            start[system->D.column[e] + 1]++;
    for (int32_t j = 0; j < motion->D->n; j++)
        start[j + 1] += start[j];
}

/* Pattern of the matrix: rows 0 ... n-1: M, then the columns of D_I^T; rows n ... 2n-1: D_I. next[n] is scratch. */
static void find_kkt_pattern(Kkt *kkt, const RbvMotion *motion, int32_t *start, int32_t *index, int32_t *next) {
    const RbvSystem *system = motion->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t n = motion->D->n;
    find_starts(motion, start);
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
            next[j] = start[j];
            for (int32_t k = 0; k < (rbv_is_full_block(bodies, b, j) ? 3 : 1); k++) {
                index[next[j]] = rbv_is_full_block(bodies, b, j) ? bodies->start[b] + 3 + k : j;
                kkt->from[next[j]++] = ~(3 * j + k);
            }
        }
    int32_t at = start[n];
    for (int32_t k = 0; k < n; k++) {
        for (int32_t e = row_start(motion, k); e < row_end(motion, k); e++) {
            int32_t j = system->D.column[e];
            index[next[j]] = n + k;
            kkt->from[next[j]++] = e;
            index[at] = j;
            kkt->from[at++] = e;
        }
        start[n + k + 1] = at;
    }
}

static void clear_kkt(Kkt *kkt) {
    rbv_lu_destroy(kkt->lu);
    rbv_arena_clear(&kkt->arena);
    *kkt = (Kkt){.row_sets = -1};
}

/* Allocates the system for the rows now chosen. False: no memory. */
static bool allocate_kkt(Kkt *kkt, const RbvMotion *motion) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    int32_t n = motion->D->n, total = 0;
    for (int32_t k = 0; k < n; k++)
        total += 2 * (row_end(motion, k) - row_start(motion, k));
    for (int32_t b = 1; b < bodies->count; b++)
        total += rbv_bodies_columns(bodies, b) == 6 ? 12 : rbv_bodies_columns(bodies, b);
    kkt->n = n;
    kkt->count = total;
    kkt->row_sets = motion->row_sets;
    kkt->mass = rbv_arena_array(&kkt->arena, 3 * (size_t)n + 1, sizeof *kkt->mass);
    kkt->values = rbv_arena_array(&kkt->arena, (size_t)total + 1, sizeof *kkt->values);
    kkt->b = rbv_arena_array(&kkt->arena, 2 * (size_t)n + 1, sizeof *kkt->b);
    kkt->from = rbv_arena_array(&kkt->arena, (size_t)total + 1, sizeof *kkt->from);
    int32_t *start = rbv_arena_array(&kkt->arena, 2 * (size_t)n + 2, sizeof *start),
            *index = rbv_arena_array(&kkt->arena, (size_t)total + 1, sizeof *index),
            *next = rbv_arena_array(&kkt->arena, (size_t)n + 1, sizeof *next);
    if (!start || !index || !next || !kkt->mass || !kkt->values || !kkt->b || !kkt->from)
        return false;
    find_kkt_pattern(kkt, motion, start, index, next);
    kkt->lu = rbv_lu_create_planned(2 * n, start, index);
    return kkt->lu != NULL;
}

static void place_kkt_masses(Kkt *kkt, const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double J[3][3];
        rbv_state_tensor(state, b, J);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            for (int k = 0; k < 3; k++)
                kkt->mass[3 * j + k] = rbv_is_full_block(bodies, b, j)        ? J[k][j - bodies->start[b] - 3]
                                       : rbv_bodies_is_rotation(bodies, b, j) ? J[2][2]
                                                                              : body->mass;
    }
}

static void *lagrange_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    Kkt *kkt = calloc(1, sizeof *kkt);
    if (kkt && !allocate_kkt(kkt, motion)) {
        clear_kkt(kkt);
        free(kkt);
        return NULL;
    }
    return kkt;
}

static void lagrange_destroy(void *data) {
    if (data)
        clear_kkt(data);
    free(data);
}

static RbvStatus lagrange_prepare(void *data, RbvMotion *motion) {
    Kkt *kkt = data;
    if (kkt->row_sets != motion->row_sets) {
        clear_kkt(kkt);
        if (!allocate_kkt(kkt, motion)) {
            clear_kkt(kkt);
            return RBV_NO_MEMORY;
        }
    }
    place_kkt_masses(kkt, motion->state);
    for (int32_t k = 0; k < kkt->count; k++)
        kkt->values[k] = kkt->from[k] >= 0 ? motion->state->D[kkt->from[k]] : kkt->mass[~kkt->from[k]];
    return rbv_lu_factor(kkt->lu, kkt->values, &motion->state->no_memory) ? RBV_OK
           : motion->state->no_memory                                     ? RBV_NO_MEMORY
                                                                          : RBV_LOCKED;
}

/* Rotors are not in M; their inertia is known from the accelerations of the motion. */
static RbvStatus lagrange_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    const Kkt *kkt = data;
    RbvState *state = motion->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    int32_t n = kkt->n;
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, state->accelerations[b], kkt->b);
    rbv_state_add_rotors(state, kkt->b, -1, Q);
    memcpy(kkt->b, Q, (size_t)n * sizeof *Q);
    for (int32_t k = 0; k < n; k++)
        kkt->b[n + k] = state->gamma_D[motion->solvability->independent[k]];
    rbv_lu_solve(kkt->lu, kkt->b);
    for (int32_t b = 1; b < bodies->count; b++)
        state->accelerations[b] = rbv_bodies_twist(bodies, b, kkt->b);
    if (state->system->coordinates.of_bodies)
        memcpy(state->a, kkt->b, (size_t)n * sizeof *state->a);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < n; k++)
        lambda[motion->solvability->independent[k]] = kkt->b[n + k];
    return RBV_OK;
}

/* M contains the masses of bodies only: no generalized coordinates. */
static RbvStatus lagrange_admits(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    if (model->generalized.count == 0)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->generalized.items[0].where,
                 RBV_OPTION_INVERSE_METHOD
                 " lagrange does not know generalized coordinates such as '%s'; without it inverse does",
                 model->generalized.items[0].name);
    return RBV_BAD_INPUT;
}

const RbvMethodKind rbv_lagrange_method = {.name = "lagrange",
                                           .admits = lagrange_admits,
                                           .create = lagrange_create,
                                           .destroy = lagrange_destroy,
                                           .prepare = lagrange_prepare,
                                           .solve = lagrange_solve};

/* The table. */

const RbvMethodKind *rbv_method_kind(RbvInverseMethod method) {
    static const RbvMethodKind *const kinds[] = {
        &rbv_two_step_method,  &rbv_lagrange_method,      &rbv_newton_method,
        &rbv_penalty_method,   &rbv_augmented_method,     &rbv_virtual_power_method,
        &rbv_recursive_method, &rbv_pseudo_inverse_method}; /* in the order of RbvInverseMethod */
    return (size_t)method < sizeof kinds / sizeof *kinds ? kinds[method] : NULL;
}
