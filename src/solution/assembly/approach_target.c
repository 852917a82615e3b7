/* Moves drives and initial conditions from their values in an assembled pose to their targets; see descent.h.
 *
 *   Phi_k(q) = (1 - s) Phi_k(q_0),  s from 0 to 1
 * so every drive moves straight to its target. Between two positions Newton corrects the extrapolated step. A step is
 * halved if a body turns too far in it or the correction is large compared with the prediction: so the branch is kept.
 * Turns are accepted at every position. */
#include "solution/assembly/descent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [rad] Largest turn of a body in one step: a branch can be lost in a quarter turn. */
#define TARGET_TURN 0.25
/* Relative to the size: largest movement of a body in one step. */
#define TARGET_MOVE 0.25
/* Largest correction: TARGET_SHARE relative to the predicted step, plus TARGET_FREE [rad, or relative to the size], as
 * the first step has no prediction. */
#define TARGET_SHARE 0.2
#define TARGET_FREE 1e-3
#define TARGET_FIRST 1e-3 /* [rad, or relative to the size] */
#define TARGET_EXACT 1e-10
#define TARGET_CORRECTIONS 8
#define LEAST_TARGET 1e-9
/* Least step of s: steps near s = 1 that can be distinguished after a thousand of them. */
#define LEAST_SHARE 1e-13
/* Number of tried steps for the longest path, some ten thousand turns. */
#define MOST_PATH_TRIES 2000000

bool rbv_counts_turns(const RbvSystem *system) {
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        for (int32_t n = row->first;
             n < row->first + row->count && row->owner != RBV_OWNER_DRIVE && row->owner != RBV_OWNER_STOP; n++) {
            RbvMeasureKind kind = system->model->measures.items[system->terms[n].measure].kind;
            bool counts = rbv_measure_counts_turns(kind) || kind == RBV_MEASURE_TURN || kind == RBV_MEASURE_DIRECTION ||
                          kind == RBV_MEASURE_MESH;
            if (counts && (row->count > 1 || row->equation || kind == RBV_MEASURE_MESH))
                return true;
        }
    }
    return false;
}

/* Extent of a step: the largest turn [rad] of a body, or movement times TARGET_TURN/(TARGET_MOVE size), which
 * TARGET_TURN bounds. */
static double extent(const RbvDescent *d, const double *step) {
    double most = 0;
    RbvTwist *twists = d->state->twists;
    rbv_coordinates_velocities(&d->system->coordinates, rbv_state_at(d->state), step, twists);
    for (int32_t b = 1; b < d->system->bodies.count; b++) {
        RbvTwist twist = twists[b];
        most = fmax(most, fmax(rbv_norm(twist.w),
                               rbv_norm(twist.v) * TARGET_TURN / (TARGET_MOVE * rbv_state_body_size(d->state, b))));
    }
    return most;
}

/* The largest distance of the rows from their targets as such an extent; for an equation the movement of bodies by its
 * gradient. */
static double distance_to_go(const RbvDescent *d, const double *gap) {
    double most = 0;
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &d->system->rows[k];
        double moved = row->equation ? d->weight[k] : 1;
        most = fmax(
            most,
            fabs(gap[k]) * moved *
                (row->angular && !row->equation ? 1 : TARGET_TURN / (TARGET_MOVE * rbv_state_row_size(d->state, k))));
    }
    return most;
}

/* One step to s from the accepted position `from`, with the predicted movement `ahead` times d->predicted. On success
 * d->predicted is the movement made. */
static bool try_place(RbvDescent *d, const double *gap, double s, double ahead, const double *from) {
    RbvState *state = d->state;
    int32_t size = d->system->coordinates.size;
    for (int32_t k = 0; k < d->rows; k++)
        d->shift[k] = (1 - s) * gap[k];
    for (int32_t k = 0; k < size; k++)
        d->step[k] = ahead * d->predicted[k];
    double foreseen = extent(d, d->step);
    if (foreseen > TARGET_TURN)
        return false;
    memcpy(state->q, from, (size_t)d->system->coordinates.position_size * sizeof *from);
    rbv_coordinates_step(&d->system->coordinates, state->q, d->step);
    memcpy(d->q, state->q, (size_t)d->system->coordinates.position_size * sizeof *from);
    double error = rbv_descent_correct(d, TARGET_CORRECTIONS, TARGET_EXACT);
    if (!(error <= RBV_ASSEMBLY_TOLERANCE) || state->singular_measure >= 0)
        return false;
    rbv_coordinates_difference(&d->system->coordinates, d->q, state->q, d->step);
    if (extent(d, d->step) > TARGET_SHARE * foreseen + TARGET_FREE)
        return false;
    rbv_coordinates_difference(&d->system->coordinates, from, state->q, d->step);
    if (extent(d, d->step) > TARGET_TURN)
        return false;
    memcpy(d->predicted, d->step, (size_t)size * sizeof *d->step);
    return true;
}

static bool follow_path(RbvDescent *d, const double *gap, double *from) {
    RbvState *state = d->state;
    size_t positions = (size_t)d->system->coordinates.position_size * sizeof *from;
    double s = 0, last = 1, go = distance_to_go(d, gap);
    double h = fmin(1, TARGET_FIRST / go);
    memset(d->predicted, 0, (size_t)d->system->coordinates.size * sizeof *d->predicted);
    for (int32_t tries = 0; s < 1 && tries < MOST_PATH_TRIES && !rbv_progress_stops(state->progress); tries++) {
        double next = s + h < 1 - 1e-12 ? s + h : 1;
        memcpy(from, state->q, positions);
        if (try_place(d, gap, next, (next - s) / last, from)) {
            rbv_state_accept(state);
            last = next - s;
            s = next;
            double turned = extent(d, d->predicted);
            h = fmin(2 * last, turned > 0 ? 0.8 * TARGET_TURN / turned * last : 1);
            continue;
        }
        memcpy(state->q, from, positions);
        h = 0.5 * (next - s);
        if (h * go < LEAST_TARGET || h < LEAST_SHARE)
            return false;
    }
    return s == 1;
}

bool rbv_approach_target(RbvDescent *d) {
    size_t rows = (size_t)d->rows;
    double *gap = malloc((rows + (size_t)d->system->coordinates.position_size + 1) * sizeof *gap);
    bool good = gap && rbv_state_place(d->state);
    d->state->no_memory = d->state->no_memory || !gap;
    for (size_t k = 0; good && k < rows; k++) {
        gap[k] = d->system->rows[k].on_rates ? 0 : d->state->phi[k];
        good = isfinite(gap[k]);
    }
    if (good) {
        rbv_state_accept(d->state);
        good = distance_to_go(d, gap) == 0 || follow_path(d, gap, gap + rows);
    }
    memset(d->shift, 0, rows * sizeof *d->shift);
    free(gap);
    return good;
}
