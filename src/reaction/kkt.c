/* The one-shot system over the independent rows; see kkt.h. */
#include "reaction/kkt.h"

#include <stdlib.h>
#include <string.h>

struct RbvKkt {
    int32_t n, row_sets;
    RbvLu *lu;
    double *values, *b;
    double *mass; /* [3n] columns of M as `from` names them */
    int32_t *from; /* where each value comes from: entry of C (>= 0), or ~(3 coordinate + k) for M: k-th of its body's rotations, 0 for itself */
    int32_t count;
};

/* Is column j of the body one of a full 3x3 block of M? */
static bool is_full(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return bodies->spatial && rbv_bodies_is_rotation(bodies, body, j);
}

static int32_t row_start(const RbvMotion *motion, int32_t k) {
    return motion->system->D.start[motion->solvability->independent[k]];
}

static int32_t row_end(const RbvMotion *motion, int32_t k) {
    return motion->system->D.start[motion->solvability->independent[k] + 1];
}

/* How many values each row 0 ... n-1 has, and where it starts. */
static void find_starts(const RbvMotion *motion, int32_t *start) {
    const RbvSystem *system = motion->system;
    const RbvBodyColumns *bodies = &system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            start[j + 1] = is_full(bodies, b, j) ? 3 : 1;
    for (int32_t k = 0; k < motion->n; k++)
        for (int32_t e = row_start(motion, k); e < row_end(motion, k); e++)
            start[system->D.column[e] + 1]++;
    for (int32_t j = 0; j < motion->n; j++)
        start[j + 1] += start[j];
}

/* Rows 0 ... n-1: M, then the columns of C_I^T; rows n ... 2n-1: C_I. next[n] is scratch. */
static void find_pattern(RbvKkt *kkt, const RbvMotion *motion, int32_t *start, int32_t *index, int32_t *next) {
    const RbvSystem *system = motion->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t n = motion->n;
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

RbvKkt *rbv_kkt_create(const RbvMotion *motion) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    int32_t n = motion->n, total = 0;
    for (int32_t k = 0; k < n; k++)
        total += 2 * (row_end(motion, k) - row_start(motion, k));
    for (int32_t b = 1; b < bodies->count; b++)
        total += rbv_bodies_columns(bodies, b) == 6 ? 12 : rbv_bodies_columns(bodies, b);
    RbvKkt *kkt = calloc(1, sizeof *kkt);
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
        rbv_kkt_destroy(kkt);
        return NULL;
    }
    return kkt;
}

void rbv_kkt_destroy(RbvKkt *kkt) {
    if (!kkt)
        return;
    rbv_lu_destroy(kkt->lu);
    free(kkt->values);
    free(kkt->mass);
    free(kkt->b);
    free(kkt->from);
    free(kkt);
}

bool rbv_kkt_matches(const RbvKkt *kkt, const RbvMotion *motion) {
    return kkt->row_sets == motion->row_sets;
}

static void place_masses(RbvKkt *kkt, const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvBody *body = &state->system->model->bodies.items[b];
        double J[3][3];
        rbv_state_tensor(state, b, J);
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            for (int k = 0; k < 3; k++)
                kkt->mass[3 * j + k] = is_full(bodies, b, j)                     ? J[k][j - bodies->start[b] - 3]
                                       : rbv_bodies_is_rotation(bodies, b, j) ? J[2][2]
                                                                                  : body->mass;
    }
}

bool rbv_kkt_factor(RbvKkt *kkt, const RbvMotion *motion) {
    place_masses(kkt, motion->state);
    for (int32_t k = 0; k < kkt->count; k++)
        kkt->values[k] = kkt->from[k] >= 0 ? motion->state->D[kkt->from[k]] : kkt->mass[~kkt->from[k]];
    return rbv_lu_factor(kkt->lu, kkt->values, &motion->state->no_memory);
}

void rbv_kkt_solve(RbvKkt *kkt, const RbvMotion *motion, const double *Q, double *a, double *lambda) {
    int32_t n = kkt->n;
    memcpy(kkt->b, Q, (size_t)n * sizeof *Q);
    for (int32_t k = 0; k < n; k++)
        kkt->b[n + k] = motion->state->gamma_D[motion->solvability->independent[k]];
    rbv_lu_solve(kkt->lu, kkt->b);
    memcpy(a, kkt->b, (size_t)n * sizeof *a);
    memset(lambda, 0, (size_t)motion->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < n; k++)
        lambda[motion->solvability->independent[k]] = kkt->b[n + k];
}
