/* From the last position of an evaluation to the position where drives have the requested values, or at the bodies that
 * the caller has prescribed.
 *
 * A state later in time, near where the last velocities and accelerations lead, is followed like the next sample of a
 * motion, with drives on the quintic between the two. Any other is reached by a leap: Newton's method from the nearest
 * known position, in steps over which a branch cannot be lost; positions reached are kept. If that fails the system is
 * assembled. When parameters of the system have changed, only the last position is known, and the leap starts from
 * there.
 */
#include "analysis/analyses/evaluation.h"
#include "analysis/analyses/start.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "solution/assembly/assemble.h"

#include <string.h>

/* A drive moves smoothly when the requested value differs from the one predicted by its last rates by at most this part
 * of its displacement (the limit that motion.c uses for its own predictions). */
#define SMOOTH_SHARE 0.2
/* The first step of a leap [rad, or of the part's size]; the motion refuses steps that turn another body too far. */
#define FIRST_LEAP 0.25
/* Shortest step of a leap [rad]; below it the leap has failed. */
#define LEAST_LEAP 1e-6
/* Positions nearer than this to a known one are not kept [rad, or of the part's size]. */
#define SPACING 0.1

/* Displacement of drive k; lengths as shares of the size of its part. */
static double displacement_of(const RbvEvaluation *e, int32_t k, double from, double to) {
    int32_t row = e->system->drive_row[k];
    return fabs(to - from) / (e->system->rows[row].angular ? 1 : rbv_state_row_size(e->now.motion->state, row));
}

/* Displacement of parts that move with time explicitly, at the velocity of the last position, as a share of the
 * size. */
static double displacement_in_time(const RbvEvaluation *e, double time) {
    const RbvMotion *motion = e->now.motion;
    double speed = 0;
    for (int32_t k = 0; e->times && k < motion->n; k++)
        speed = rbv_max(speed, fabs(motion->saved.v[k]) * motion->share[k]);
    return speed * fabs(time);
}

/* The largest displacement of a drive between two sets of values (at strides from_stride and to_stride), and of parts
 * that move with time in `time` [s]. */
static double largest_displacement(const RbvEvaluation *e, const double *from, int32_t from_stride, const double *to,
                                   int32_t to_stride, double time) {
    double most = displacement_in_time(e, time);
    for (int32_t k = 0; k < e->system->model->drives.count; k++)
        most = rbv_max(most, displacement_of(e, k, from[k * from_stride], to[k * to_stride]));
    return most;
}

void rbv_evaluation_hold(RbvEvaluation *e, const RbvDriveMotion *value, double t) {
    for (int32_t k = 0; k < e->system->model->drives.count; k++) {
        e->targets[k].from = e->targets[k].to = t;
        memcpy(e->targets[k].end, value[k], sizeof e->targets[k].end);
    }
}

void rbv_evaluation_note_reached(RbvEvaluation *e) {
    for (int32_t k = 0; k < e->system->model->drives.count; k++)
        memcpy(e->reached[k], e->targets[k].end, sizeof e->reached[k]);
    e->stands = true;
}

/* Does every drive follow its last rates? */
static bool goes_on(const RbvEvaluation *e, double h) {
    for (int32_t k = 0; k < e->system->model->drives.count; k++) {
        const double *c = e->reached[k], to = e->requested[k][0];
        if (displacement_of(e, k, c[0] + h * c[1] + 0.5 * h * h * c[2], to) >
            SMOOTH_SHARE * displacement_of(e, k, c[0], to))
            return false;
    }
    return true;
}

static RbvStatus follow_targets(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    for (int32_t k = 0; k < e->system->model->drives.count; k++) {
        RbvDriveTarget *target = &e->targets[k];
        target->from = motion->previous;
        target->to = e->t;
        memcpy(target->start, e->reached[k], sizeof target->start);
        memcpy(target->end, e->requested[k], sizeof target->end);
    }
    e->report.advance = RBV_FOLLOWED;
    return rbv_motion_go(motion, e->t);
}

/* Store the present position, unless a known one is near. */
static void keep_place(RbvEvaluation *e) {
    int32_t drives = e->system->model->drives.count;
    for (int32_t n = 0; n < e->known_count; n++)
        if (largest_displacement(e, e->known[n].drives, 1, e->reached[0], 3, e->known[n].t - e->now.motion->previous) <
            SPACING)
            return;
    RbvKnownPlace *place = &e->known[e->known_next];
    e->known_next = (e->known_next + 1) % e->known_capacity;
    e->known_count += e->known_count < e->known_capacity;
    for (int32_t k = 0; k < drives; k++)
        place->drives[k] = e->reached[k][0];
    place->t = e->now.motion->previous;
    const RbvState *state = e->now.motion->state;
    memcpy(place->q, state->q, (size_t)e->system->coordinates.position_size * sizeof *place->q);
    memcpy(place->memory, state->memory, (size_t)e->system->model->measures.count * sizeof *place->memory);
}

/* The known position nearest to the requested drive values, or NULL where the present one is nearer. */
static const RbvKnownPlace *nearest_known(const RbvEvaluation *e) {
    double least = largest_displacement(e, e->reached[0], 3, e->requested[0], 3, e->t - e->now.motion->previous);
    const RbvKnownPlace *best = NULL;
    for (int32_t n = 0; n < e->known_count; n++) {
        double here = largest_displacement(e, e->known[n].drives, 1, e->requested[0], 3, e->t - e->known[n].t);
        if (here < least) {
            least = here;
            best = &e->known[n];
        }
    }
    return best;
}

/* Put the motion at the known position, without evaluating its state there. */
static void stand_at(RbvEvaluation *e, const RbvKnownPlace *place) {
    RbvMotion *motion = e->now.motion;
    memcpy(motion->saved.q, place->q, (size_t)e->system->coordinates.position_size * sizeof *place->q);
    motion->previous = place->t;
    memcpy(motion->state->memory, place->memory, (size_t)e->system->model->measures.count * sizeof *place->memory);
    for (int32_t k = 0; k < e->system->model->drives.count; k++) {
        e->reached[k][0] = place->drives[k];
        e->reached[k][1] = e->reached[k][2] = 0;
    }
}

/* Leap over the share `share` of the remaining displacement. Not *reached: too far for one step, or not reachable. */
static RbvStatus leap_once(RbvEvaluation *e, double share, bool *reached) {
    double last = e->now.motion->previous, t = share < 1 ? last + share * (e->t - last) : e->t;
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, t);
    for (int32_t k = 0; k < e->system->model->drives.count && share < 1; k++) {
        double *end = e->targets[k].end;
        end[0] = e->reached[k][0] + share * (e->requested[k][0] - e->reached[k][0]);
        end[1] = end[2] = 0;
    }
    rbv_motion_restore_position(e->now.motion, e->now.motion->saved.q);
    RbvStatus status = rbv_motion_leap(e->now.motion, t, false, reached);
    if (status != RBV_OK || !*reached)
        return status;
    rbv_evaluation_note_reached(e);
    keep_place(e);
    return RBV_OK;
}

/* More leaps than this, some minutes of them, are not made: the mechanism is then assembled. */
#define MOST_LEAPS 10000000

/* From the present position directly to the requested values, in steps that are halved where one is too long. LOCKED:
 * no such steps exist. */
static RbvStatus leap(RbvEvaluation *e) {
    double distance = largest_displacement(e, e->reached[0], 3, e->requested[0], 3, e->t - e->now.motion->previous),
           share = distance > FIRST_LEAP ? FIRST_LEAP / distance : 1;
    e->report.advance = RBV_LEAPT;
    for (int32_t leaps = 0; leaps < MOST_LEAPS && (share == 1 || share * distance > LEAST_LEAP); leaps++) {
        bool reached = false;
        if (rbv_progress_stops(&e->progress))
            return RBV_INTERRUPTED;
        RbvStatus status = leap_once(e, share, &reached);
        if (status != RBV_OK || (reached && share == 1))
            return status;
        distance *= reached ? 1 - share : 1;
        share = reached ? rbv_min(1, 2 * share / (1 - share)) : 0.5 * share;
    }
    return RBV_LOCKED;
}

/* Assemble from the starting poses, reporting errors. */
static RbvStatus assemble_again(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    motion->diagnostics = e->diagnostics;
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, e->t);
    e->report.advance = RBV_ASSEMBLED;
    RbvStatus status = rbv_motion_restart(motion, e->t);
    return status == RBV_OK ? rbv_motion_go(motion, e->t) : status;
}

/* With rows on rates the position is an integral over time: only a later time can be reached. */
static RbvStatus arrive_rolling(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    motion->diagnostics = e->diagnostics;
    if (e->switched) { /* other rows are active from the last position on */
        rbv_evaluation_hold(e, (const RbvDriveMotion *)e->reached, motion->previous);
        RbvStatus status = rbv_motion_go(motion, motion->previous);
        return status == RBV_OK && e->t > motion->previous ? follow_targets(e) : status;
    }
    if (e->changed)
        return assemble_again(e);
    if (e->t > motion->previous)
        return follow_targets(e);
    rbv_diagnose(e->diagnostics, RBV_ERROR, e->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s: where wheels or edges roll, a position is what time has made of it; give a later "
                 "time, or the bodies",
                 e->t);
    return RBV_BAD_INPUT;
}

/* No other attempt is made after these. */
static bool is_final(RbvStatus status) {
    return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED;
}

static RbvStatus arrive_anywhere(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    double h = e->t - motion->previous;
    RbvStatus status = RBV_LOCKED;
    motion->diagnostics = NULL; /* failures are not reported as long as another attempt succeeds */
    if (h > 0 && !e->changed && goes_on(e, h))
        status = follow_targets(e);
    if (status != RBV_OK && !is_final(status)) {
        const RbvKnownPlace *place = nearest_known(e);
        if (place)
            stand_at(e, place);
        status = leap(e);
    }
    return status == RBV_OK || is_final(status) ? status : assemble_again(e);
}

/* Is the requested state the present one? */
static bool stays(const RbvEvaluation *e) {
    return e->stands && e->t == e->now.motion->previous &&
           memcmp(e->reached, e->requested, (size_t)e->system->model->drives.count * sizeof *e->requested) == 0;
}

RbvStatus rbv_evaluation_arrive(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    e->report.advance = RBV_FOLLOWED;
    if (stays(e))
        return RBV_OK;
    e->stands = false;
    RbvStatus status = !motion->started && !e->switched ? assemble_again(e)
                       : e->system->rate_count > 0      ? arrive_rolling(e)
                                                        : arrive_anywhere(e);
    motion->diagnostics = e->diagnostics;
    if (status != RBV_OK)
        return status;
    rbv_evaluation_note_reached(e);
    keep_place(e);
    return RBV_OK;
}

/* ---- at prescribed bodies ----
 *
 * Drive coordinates are measured there, and the nearest motion
 * with these drive values that joints and constraints allow is taken.
 *
 *   c = coordinate at the poses, c' = J u, c'' = J b + (dJ/dt) u  for the twists u and accelerations b of bodies
 */

/* Put prescribed bodies into q of the state; other bodies stay at the last position. False: not finite. */
static bool place_prescribed_bodies(RbvEvaluation *e) {
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
        if (e->is_prescribed[b])
            rbv_body_take(&model->bodies.items[b], &e->prescribed[b], e->system->bodies.spatial, &state->bodies[b],
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
static double twist_difference(const RbvState *state, int32_t body, RbvTwist a, RbvTwist b) {
    return rbv_max(rbv_norm(rbv_sub(a.v, b.v)), rbv_state_body_arm(state, body) * rbv_norm(rbv_sub(a.w, b.w)));
}

/* Differences between the motion found and the prescribed one, into the report. */
static void measure_corrections(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    RbvState *state = motion->state;
    RbvEvaluationReport *report = &e->report;
    const RbvCoordinates *coordinates = &e->system->coordinates;
    RbvTwist *correction = state->accelerations;
    rbv_coordinates_difference(coordinates, e->q, state->q, e->change);
    rbv_coordinates_velocities(coordinates, rbv_state_at(state), e->change, correction);
    for (int32_t b = 1; b < e->system->bodies.count; b++)
        if (e->is_prescribed[b])
            report->correction = rbv_max(report->correction,
                                         twist_difference(state, b, correction[b], (RbvTwist){{0, 0, 0}, {0, 0, 0}}));
    rbv_state_accelerate(state);
    for (int32_t b = 1; b < e->system->bodies.count; b++) {
        if (!e->is_prescribed[b])
            continue;
        report->rate_correction =
            rbv_max(report->rate_correction, twist_difference(state, b, state->twists[b], e->twists[b]));
        report->acceleration_correction = rbv_max(
            report->acceleration_correction, twist_difference(state, b, state->accelerations[b], e->accelerations[b]));
    }
}

RbvStatus rbv_evaluation_arrive_at_bodies(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    const RbvModel *model = e->system->model;
    bool reached = false;
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, e->t);
    e->stands = false;
    if (!place_prescribed_bodies(e)) {
        rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s the bodies given make something that is not finite", e->t);
        return RBV_NOT_FINITE;
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        measure_drive(e, k, e->targets[k].end[0]);
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, e->t);
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
