/* Lagrange's equations in one system over the independent rows: [M D_I^T; D_I 0] [a; lambda] = [Q; gamma_D] for the
 * accelerations of bodies; see method.h. */
#include "solution/reaction/method.h"

#include "core/base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

typedef struct Kkt {
    int32_t n, row_sets;
    RbvLu *lu;
    double *values, *b;
    double *mass;  /* [3n] columns of M in the order of `from` */
    int32_t *from; /* source of each value: entry of D (>= 0), or ~(3 coordinate + k) for M: k-th rotation of the body,
                      0 for a translation */
    int32_t count;
} Kkt;

/* Is column j of the body part of a full 3x3 block of M? */
static bool is_full(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return bodies->spatial && rbv_bodies_is_rotation(bodies, body, j);
}

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
            start[j + 1] = is_full(bodies, b, j) ? 3 : 1;
    for (int32_t k = 0; k < motion->D->n; k++)
        for (int32_t e = row_start(motion, k); e < row_end(motion, k); e++)
            start[system->D.column[e] + 1]++;
    for (int32_t j = 0; j < motion->D->n; j++)
        start[j + 1] += start[j];
}

/* Pattern of the matrix: rows 0 ... n-1: M, then the columns of D_I^T; rows n ... 2n-1: D_I. next[n] is scratch. */
static void find_pattern(Kkt *kkt, const RbvMotion *motion, int32_t *start, int32_t *index, int32_t *next) {
    const RbvSystem *system = motion->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t n = motion->D->n;
    find_starts(motion, start);
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
            next[j] = start[j];
            for (int32_t k = 0; k < (is_full(bodies, b, j) ? 3 : 1); k++) {
                index[next[j]] = is_full(bodies, b, j) ? bodies->start[b] + 3 + k : j;
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

static void destroy(Kkt *kkt) {
    if (!kkt)
        return;
    rbv_lu_destroy(kkt->lu);
    free(kkt->values);
    free(kkt->mass);
    free(kkt->b);
    free(kkt->from);
    free(kkt);
}

static Kkt *create(const RbvMotion *motion) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    int32_t n = motion->D->n, total = 0;
    for (int32_t k = 0; k < n; k++)
        total += 2 * (row_end(motion, k) - row_start(motion, k));
    for (int32_t b = 1; b < bodies->count; b++)
        total += rbv_bodies_columns(bodies, b) == 6 ? 12 : rbv_bodies_columns(bodies, b);
    Kkt *kkt = calloc(1, sizeof *kkt);
    int32_t *start = calloc(2 * (size_t)n + 2, sizeof *start), *index = malloc(((size_t)total + 1) * sizeof *index);
    int32_t *next = malloc(((size_t)n + 1) * sizeof *next);
    if (kkt) {
        kkt->n = n;
        kkt->count = total;
        kkt->row_sets = motion->row_sets;
        kkt->mass = malloc((3 * (size_t)n + 1) * sizeof(double));
        kkt->values = malloc(((size_t)total + 1) * sizeof(double));
        kkt->b = malloc((2 * (size_t)n + 1) * sizeof(double));
        kkt->from = malloc(((size_t)total + 1) * sizeof(int32_t));
    }
    bool good = kkt && start && index && next && kkt->mass && kkt->values && kkt->b && kkt->from;
    if (good) {
        find_pattern(kkt, motion, start, index, next);
        kkt->lu = rbv_lu_create(2 * n, start, index);
        good = kkt->lu != NULL;
    }
    free(start);
    free(index);
    free(next);
    if (!good) {
        destroy(kkt);
        return NULL;
    }
    return kkt;
}

static void place_masses(Kkt *kkt, const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double J[3][3];
        rbv_state_tensor(state, b, J);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            for (int k = 0; k < 3; k++)
                kkt->mass[3 * j + k] = is_full(bodies, b, j)                  ? J[k][j - bodies->start[b] - 3]
                                       : rbv_bodies_is_rotation(bodies, b, j) ? J[2][2]
                                                                              : body->mass;
    }
}

/* Data of the method; newly chosen rows need a new pattern. */
typedef struct Lagrange {
    Kkt *kkt;
} Lagrange;

static void *lagrange_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    Lagrange *own = calloc(1, sizeof *own);
    if (own && !(own->kkt = create(motion))) {
        free(own);
        return NULL;
    }
    return own;
}

static void lagrange_destroy(void *given) {
    Lagrange *own = given;
    if (own)
        destroy(own->kkt);
    free(own);
}

static RbvStatus prepare(void *given, RbvMotion *motion) {
    Lagrange *own = given;
    if (own->kkt->row_sets != motion->row_sets) {
        destroy(own->kkt);
        own->kkt = create(motion);
        if (!own->kkt)
            return RBV_NO_MEMORY;
    }
    Kkt *kkt = own->kkt;
    place_masses(kkt, motion->state);
    for (int32_t k = 0; k < kkt->count; k++)
        kkt->values[k] = kkt->from[k] >= 0 ? motion->state->D[kkt->from[k]] : kkt->mass[~kkt->from[k]];
    return rbv_lu_factor(kkt->lu, kkt->values, &motion->state->no_memory) ? RBV_OK
           : motion->state->no_memory                                     ? RBV_NO_MEMORY
                                                                          : RBV_LOCKED;
}

/* Rotors are not in M; their inertia is known from the accelerations of the motion. */
static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    const Kkt *kkt = ((Lagrange *)given)->kkt;
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
static RbvStatus admits(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    if (model->generalized.count == 0)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->generalized.items[0].where,
                 "--method lagrange does not know generalized coordinates such as '%s'; without it inverse does",
                 model->generalized.items[0].name);
    return RBV_BAD_INPUT;
}

const RbvMethodKind rbv_lagrange_method = {.name = "lagrange",
                                           .admits = admits,
                                           .create = lagrange_create,
                                           .destroy = lagrange_destroy,
                                           .prepare = prepare,
                                           .solve = solve};
