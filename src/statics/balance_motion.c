/* Motions of a balance: steps y of the scaled coordinates as body twists, their sizes, positions moved by them, and the
 * motions that the rows allow. */
#include "statics/balance.h"

#include "core/solve/rank.h"
#include "mechanics/coordinates/articulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the static balance, taken along the joints of a tree: the bodies outboard of a turning joint rotate with it
 * exactly, whatever the angle.
 *
 * In joint coordinates of a deep tree a force on a body acts on all tree joints between it and ground, so that K has as
 * many entries as there are pairs of links. The same step follows from the sparse balance of the bodies with the rows
 * of all joints: it is the motion of least energy among those that the rows allow. In the tree these motions are the
 * joints' velocities. They are extracted from the body twists (take_rates), and the positions move by them. Tree joints
 * are thus satisfied exactly at every step, however long the step is; the rows that close loops are satisfied by the
 * projection. A stretched chain reaches its hanging equilibrium after 12 to 14 steps (100 to 10 000 links), each of
 * time proportional to the number of links. */

RbvAlongJoints *rbv_along_joints_create(const RbvSystem *system) {
    RbvAlongJoints *along = calloc(1, sizeof *along);
    const RbvCoordinates *c = &system->coordinates;
    size_t bodies = (size_t)system->bodies.count;
    if (!along)
        return NULL;
    along->coordinates = c;
    along->bodies = rbv_arena_alloc(&along->arena, bodies * sizeof *along->bodies);
    along->twists = rbv_arena_alloc(&along->arena, bodies * sizeof *along->twists);
    along->q = rbv_arena_alloc(&along->arena, ((size_t)c->position_size + 1) * sizeof *along->q);
    along->step = rbv_arena_alloc(&along->arena, ((size_t)c->size + 1) * sizeof *along->step);
    if (along->bodies && along->twists && along->q && along->step)
        return along;
    rbv_along_joints_destroy(along);
    return NULL;
}

void rbv_along_joints_destroy(RbvAlongJoints *along) {
    if (!along)
        return;
    rbv_arena_clear(&along->arena);
    free(along);
}

bool rbv_along_joints_fits(const RbvSystem *system) {
    return rbv_articulated_fits(&system->coordinates);
}

void rbv_along_joints_move(RbvAlongJoints *along, const RbvCoordinates *of_bodies, const double *step, double *q) {
    const RbvCoordinates *c = along->coordinates;
    rbv_coordinates_positions(of_bodies, q, along->bodies);
    for (int32_t b = 0; b < of_bodies->bodies->count; b++)
        along->twists[b] = rbv_bodies_twist(of_bodies->bodies, b, step);
    rbv_coordinates_from_bodies(c, along->bodies, along->q);
    c->kind->take_rates(c, (RbvPosed){.q = along->q, .bodies = along->bodies}, along->twists, along->step);
    rbv_coordinates_step(c, along->q, along->step);
    rbv_coordinates_positions(c, along->q, along->bodies);
    rbv_coordinates_from_bodies(of_bodies, along->bodies, q);
}

/* Steps. */

void rbv_balance_store(RbvBalance *b) {
    memcpy(b->stored_q, b->state->q, (size_t)b->system->coordinates.position_size * sizeof *b->stored_q);
}

void rbv_balance_restore(RbvBalance *b) {
    memcpy(b->state->q, b->stored_q, (size_t)b->system->coordinates.position_size * sizeof *b->stored_q);
}

/* Moves q by factor y. */
static void move_on(RbvBalance *b, const double *y, double factor) {
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] = factor * b->scale[j] * y[j];
    if (b->along)
        rbv_along_joints_move(b->along, &b->system->coordinates, b->K_y, b->state->q);
    else
        rbv_coordinates_step(&b->system->coordinates, b->state->q, b->K_y);
}

void rbv_balance_go_on(RbvBalance *b, const double *y) {
    move_on(b, y, 1);
}

void rbv_balance_move(RbvBalance *b, const double *y, double factor) {
    rbv_balance_restore(b);
    move_on(b, y, factor);
}

/* Body twists and generalized forces. */

const RbvTwist *rbv_balance_twists(const RbvBalance *b, const double *x) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] = b->scale[j] * x[j];
    for (int32_t i = 0; !b->blocks && i < bodies->count; i++)
        b->twists[i] = rbv_bodies_twist(bodies, i, b->K_y);
    if (b->blocks)
        rbv_coordinates_velocities(&b->system->coordinates, rbv_state_at(b->state), b->K_y, b->twists);
    return b->twists;
}

void rbv_balance_generalized_forces(const RbvBalance *b, const RbvWrench *wrenches, double *out) {
    rbv_coordinates_generalized_forces(&b->system->coordinates, rbv_state_at(b->state), wrenches, out);
    for (int32_t j = 0; j < b->n; j++)
        out[j] *= b->scale[j];
}

const RbvTwist *rbv_balance_displacements(const RbvBalance *b, const double *from) {
    const RbvCoordinates *coordinates = &b->system->coordinates;
    const RbvBodyColumns *bodies = &b->system->bodies;
    RbvBodyState *start = b->body_states, *end = b->body_states + bodies->count;
    if (!b->blocks)
        rbv_coordinates_difference(coordinates, from, b->state->q, b->K_y);
    for (int32_t i = 0; !b->blocks && i < bodies->count; i++)
        b->twists[i] = rbv_bodies_twist(bodies, i, b->K_y);
    if (!b->blocks)
        return b->twists;
    rbv_coordinates_positions(coordinates, from, start);
    rbv_coordinates_positions(coordinates, b->state->q, end);
    for (int32_t i = 0; i < bodies->count; i++)
        b->twists[i] = rbv_body_difference(bodies, i, &start[i], &end[i]);
    return b->twists;
}

/* Sizes of motions. */

double rbv_balance_dot(const RbvBalance *balance, const double *a, const double *b) {
    double sum = 0;
    for (int32_t k = 0; k < balance->n; k++)
        sum += a[k] * b[k];
    return sum;
}

double rbv_balance_limit(const RbvBalance *b, const double *y, double turn, double move) {
    const RbvTwist *twists = rbv_balance_twists(b, y);
    double turned = 0, moved = 0;
    for (int32_t i = 1; i < b->system->bodies.count; i++) {
        turned = fmax(turned, rbv_norm(twists[i].w));
        moved = fmax(moved, rbv_norm(twists[i].v) / rbv_state_body_size(b->state, i));
    }
    return fmin(1, fmin(turn / fmax(turned, 1e-300), move / fmax(moved, 1e-300)));
}

double rbv_balance_extent(const RbvBalance *b, const double *x) {
    const RbvTwist *twists = rbv_balance_twists(b, x);
    double most = 0;
    for (int32_t i = 1; i < b->system->bodies.count; i++) {
        const RbvVec3 v = twists[i].v, w = twists[i].w;
        double arm = rbv_state_body_arm(b->state, i), moved = fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))),
               turned = fmax(fabs(w.x), fmax(fabs(w.y), fabs(w.z)));
        most = fmax(most, fmax(moved, arm * turned) / fmin(rbv_state_body_size(b->state, i), arm));
    }
    return most;
}

/* Motions that the rows allow: null space of C. */

double *rbv_tangent_motions(const RbvBalance *b, bool by_qr, bool nearly, int32_t *count, bool *safe) {
    size_t n = (size_t)b->n, m = (size_t)b->rows;
    double *Ct = calloc(n * m + 1, sizeof *Ct), *N = calloc(n * n + 1, sizeof *N);
    RbvRank rank = {.safe = true};
    bool good = Ct && N;
    for (size_t i = 0; good && m == 0 && i < n; i++)
        N[i * n + i] = 1;
    for (int32_t k = 0; good && k < b->rows; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            Ct[(size_t)b->system->C.column[e] * m + (size_t)k] = b->C[e];
    if (good && m > 0)
        good = (by_qr ? rbv_rank_qr : rbv_rank_svd)(b->n, b->rows, Ct, &rank, N) == RBV_OK;
    free(Ct);
    size_t columns = n - (size_t)rank.certain, f = n - (size_t)(nearly ? rank.certain : rank.rank);
    for (size_t i = 0; good && i < n; i++) /* the last f of each row */
        memmove(N + i * f, N + (i + 1) * columns - f, f * sizeof *N);
    *count = (int32_t)f;
    *safe = rank.safe;
    if (good)
        return N;
    free(N);
    return NULL;
}
