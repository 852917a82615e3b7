/* An evaluation at bodies that the caller has prescribed: drive coordinates are measured there, and the nearest motion
 * with these drive values that joints and constraints allow is taken.
 *
 *   c = coordinate at the poses, c' = J u, c'' = J b + (dJ/dt) u  for the twists u and accelerations b of bodies
 */
#include "analysis/analyses/body_motion.h"
#include "analysis/analyses/evaluation.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/assemble.h"

#include <string.h>

/* Put prescribed bodies into q of the state; other bodies stay at the last position. False: not finite. */
static bool take_bodies(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    RbvState *state = motion->state;
    const RbvModel *model = e->system->model;
    const RbvCoordinates *coordinates = &e->system->coordinates;
    rbv_motion_restore_position(motion, motion->saved.q);
    state->t = e->t;
    if (!rbv_state_place(state))
        return false;
    rbv_coordinates_velocities(coordinates, rbv_state_at(state), motion->saved.v, e->twists);
    rbv_coordinates_accelerate(coordinates, rbv_state_at(state), motion->saved.v, motion->saved.a, e->accelerations);
    for (int32_t b = 1; b < model->bodies.count; b++)
        if (e->is_given[b])
            rbv_body_take(&model->bodies.items[b], &e->given[b], e->system->bodies.spatial, &state->bodies[b],
                          &e->twists[b], &e->accelerations[b]);
    rbv_coordinates_from_bodies(coordinates, state->bodies, state->q);
    memcpy(e->q, state->q, (size_t)coordinates->position_size * sizeof *e->q);
    return rbv_state_place(state);
}

/* Value, rate and second rate of drive k's coordinate at the prescribed bodies; `value` is the target that its row
 * contains. */
static void measure_drive(RbvEvaluation *e, int32_t k, double value) {
    RbvState *state = e->now.motion->state;
    const RbvModel *model = e->system->model;
    const RbvRow *row = &e->system->rows[e->system->drive_row[k]];
    double *requested = e->requested[k];
    requested[0] = value + state->phi[e->system->drive_row[k]];
    requested[1] = requested[2] = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        const RbvTerm *term = &e->system->terms[n];
        const RbvMeasure *measure = &model->measures.items[term->measure];
        RbvMeasureState *measured = &state->measures[term->measure];
        rbv_measure_move(measure, model, state->markers, e->twists, measured);
        double second = measured->bias;
        for (int side = 0; side < 2; side++)
            second += rbv_power(measured->gradient[side], e->accelerations[state->markers[measure->marker[side]].body]);
        requested[1] += state->coefficient[n] * measured->rate;
        requested[2] += state->coefficient[n] * second;
    }
    if (row->equation)
        requested[2] += rbv_state_curvature(state, row);
}

/* Difference of two twists of a body, angular part times its arm. */
static double off(const RbvState *state, int32_t body, RbvTwist a, RbvTwist b) {
    return fmax(rbv_norm(rbv_sub(a.v, b.v)), rbv_state_body_arm(state, body) * rbv_norm(rbv_sub(a.w, b.w)));
}

/* Differences between the motion found and the prescribed one, into the report. */
static void measure_corrections(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    RbvState *state = motion->state;
    RbvEvaluationReport *report = &e->report;
    const RbvCoordinates *coordinates = &e->system->coordinates;
    RbvTwist *way = state->accelerations;
    rbv_coordinates_difference(coordinates, e->q, state->q, e->change);
    rbv_coordinates_velocities(coordinates, rbv_state_at(state), e->change, way);
    for (int32_t b = 1; b < e->system->bodies.count; b++)
        if (e->is_given[b])
            report->correction = fmax(report->correction, off(state, b, way[b], (RbvTwist){{0, 0, 0}, {0, 0, 0}}));
    rbv_state_accelerate(state);
    for (int32_t b = 1; b < e->system->bodies.count; b++) {
        if (!e->is_given[b])
            continue;
        report->rate_correction = fmax(report->rate_correction, off(state, b, state->twists[b], e->twists[b]));
        report->acceleration_correction =
            fmax(report->acceleration_correction, off(state, b, state->accelerations[b], e->accelerations[b]));
    }
}

RbvStatus rbv_evaluation_arrive_at_bodies(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    const RbvModel *model = e->system->model;
    bool reached = false;
    rbv_evaluation_hold(e, (const RbvDriven *)e->requested, e->t);
    e->stands = false;
    if (!take_bodies(e)) {
        rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s the bodies given make something that is not finite", e->t);
        return RBV_NOT_FINITE;
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        measure_drive(e, k, e->guides[k].end[0]);
    rbv_evaluation_hold(e, (const RbvDriven *)e->requested, e->t);
    RbvStatus status = rbv_motion_leap(motion, e->t, true, &reached);
    e->report.advance = RBV_GIVEN;
    if (status != RBV_OK)
        return status;
    if (!reached) {
        char gaps[400];
        memcpy(motion->state->q, e->q, (size_t)e->system->coordinates.position_size * sizeof *e->q);
        rbv_state_place(motion->state);
        if (!rbv_describe_gaps(motion->state, gaps, sizeof gaps))
            return RBV_NO_MEMORY;
        rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s the bodies given do not fit together, and no position near them does; off: %s",
                     e->t, gaps);
        return RBV_NOT_ASSEMBLED;
    }
    rbv_evaluation_note_reached(e);
    measure_corrections(e);
    return RBV_OK;
}
