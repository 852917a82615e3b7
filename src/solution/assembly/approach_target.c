/* Whole turns of an assembly: those it starts with, and those counted while drives and initial conditions move from
 * their values in an assembled pose to their targets,
 *
 *   Phi_k(q) = (1 - s) Phi_k(q_0),  s from 0 to 1
 * so every drive moves straight to its target. Between two positions Newton corrects the extrapolated step. A step is
 * halved if a body turns too far in it or the correction is large compared with the prediction: so the branch is kept.
 * Turns are accepted at every position. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/descent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chooses the whole turns with which an assembly starts: an angle is in the turn nearest to its drive or initial
 * condition. */

/* A screw whose distance is driven or prescribed: chooses the turn that belongs to that distance. */
static void choose_screw_turns(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->owner != RBV_OWNER_JOINT || model->joints.items[row->index].extra != RBV_EXTRA_SCREW ||
            row->direction >= 0)
            continue;
        const RbvTerm *along = &system->terms[row->first], *turn = along + 1;
        for (int32_t n = system->undriven_count; n < system->position_count; n++) {
            const RbvRow *given = &system->rows[n];
            if (given->count != 1 || given->equation || system->terms[given->first].measure != along->measure)
                continue;
            double distance = state->measures[along->measure].value - state->phi[n],
                   now = state->measures[turn->measure].value;
            double requested = (row->constant - distance) / turn->coefficient;
            state->memory[turn->measure].turn = now + RBV_TWO_PI * round((requested - now) / RBV_TWO_PI);
        }
    }
    rbv_state_place(state);
}

/* Whole turns of rows on one angle: pass 0 of the measures of drives and initial conditions, pass 1 of the rows of
 * joints. */
static void choose_row_turns(RbvState *state, int pass) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->position_count && !state->keeps_turns; k++) {
        const RbvRow *row = &system->rows[k];
        if (!row->angular || row->on_rates || row->count != 1 || row->equation || !isfinite(state->phi[k]))
            continue;
        double turns = RBV_TWO_PI * round(state->phi[k] / RBV_TWO_PI);
        int32_t m = system->terms[row->first].measure;
        RbvMeasureKind kind = system->model->measures.items[m].kind;
        if (!rbv_measure_counts_turns(kind))
            continue;
        if (pass == 0 && row->owner != RBV_OWNER_JOINT)
            state->memory[m].turn =
                kind == RBV_MEASURE_ANGLE ? state->memory[m].turn - turns : state->measures[m].value - turns;
        else if (pass == 1 && row->owner == RBV_OWNER_JOINT)
            state->row_turn[k] += turns;
    }
    rbv_state_place(state);
}

void rbv_hold_turns(RbvState *state) {
    rbv_state_place(state);
    choose_row_turns(state, 1);
}

/* A driven or prescribed angle is in the turn nearest to its value, a locked angle is locked in the nearest turn. */
void rbv_choose_turns(RbvState *state) {
    rbv_state_place(state);
    choose_row_turns(state, 0);
    choose_row_turns(state, 1);
    if (state->system->bodies.spatial && !state->keeps_turns)
        choose_screw_turns(state);
}

/* The measure of the line of centres of a gear or belt of the plane; -1: another joint. */
static int32_t line_of_centres(const RbvModel *model, const RbvJoint *joint) {
    bool wheels = !joint->spatial && rbv_forms[joint->form].wheels;
    return wheels ? rbv_model_find_measure(model, RBV_MEASURE_DIRECTION, joint->marker[0], joint->marker[1], 0) : -1;
}

/* Whole turns of a joint's line of centres relative to its carrier between two states. False: no line of centres, or
 * its carrier does not hold it. */
static bool turns_of_line(const RbvState *from, const RbvState *to, int32_t joint, double *turns) {
    const RbvModel *model = to->system->model;
    const RbvBodyState *a = &from->bodies[model->joints.items[joint].carrier],
                       *b = &to->bodies[model->joints.items[joint].carrier];
    int32_t m = line_of_centres(model, &model->joints.items[joint]);
    if (m < 0)
        return false;
    double cut, turned = to->measures[m].value - from->measures[m].value -
                         rbv_turns_angle((RbvTurns){b->turn - a->turn, b->whole - a->whole}, &cut);
    *turns = round(turned / RBV_TWO_PI);
    /* [rad] Tolerance for a line of centres that its carrier holds to have made whole turns relative to the carrier:
     * far above errors of assembly, far below a tooth. */
    return fabs(turned - *turns * RBV_TWO_PI) <= RBV_FITS;
}

bool rbv_turns_fit(const RbvState *from, const RbvState *to) {
    const RbvModel *model = to->system->model;
    double one, other;
    for (int32_t k = 0; k < model->joints.count; k++) {
        if (!turns_of_line(from, to, k, &one))
            continue;
        bool grounded = model->joints.items[k].carrier == 0;
        for (int32_t n = 0; n < k && !grounded; n++)
            if (model->joints.items[n].carrier == model->joints.items[k].carrier &&
                turns_of_line(from, to, n, &other) && fabs(one - other) > 0.5)
                return false;
        if (grounded && fabs(one) > 0.5)
            return false;
    }
    return true;
}

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
        most = rbv_max(most, rbv_max(rbv_norm(twist.w), rbv_norm(twist.v) * TARGET_TURN /
                                                            (TARGET_MOVE * rbv_state_body_size(d->state, b))));
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
        most = rbv_max(
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
    double h = rbv_min(1, TARGET_FIRST / go);
    memset(d->predicted, 0, (size_t)d->system->coordinates.size * sizeof *d->predicted);
    for (int32_t tries = 0; s < 1 && tries < MOST_PATH_TRIES && !rbv_progress_stops(state->progress); tries++) {
        double next = s + h < 1 - 1e-12 ? s + h : 1;
        memcpy(from, state->q, positions);
        if (try_place(d, gap, next, (next - s) / last, from)) {
            rbv_state_accept(state);
            last = next - s;
            s = next;
            double turned = extent(d, d->predicted);
            h = rbv_min(2 * last, turned > 0 ? 0.8 * TARGET_TURN / turned * last : 1);
            continue;
        }
        memcpy(state->q, from, positions);
        h = 0.5 * (next - s);
        /* Least step of s: steps near s = 1 that can be distinguished after a thousand of them. */
        if (h * go < RBV_SAME || h < RBV_ROUNDING)
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
