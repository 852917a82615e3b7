/* How near the chosen rows are to dependent, by their smallest singular value sigma from sample to sample, and the
 * report where a motion ends.
 *
 * For the watched rows A = D_I (or C_I), inverse iteration on A A^T: x = A^-1 u, sigma = 1/|x|, u := A^-T x / |A^-T x|.
 * u are residuals of rows, x is the movement that they cause. Near a singular position x is the direction in which the
 * mechanism is nearly free.
 */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "solution/assembly/assemble.h"
#include "solution/motion/motion.h"

#include <stdio.h>
#include <string.h>

/* Inverse iteration until the estimate changes by less than MONITOR_SETTLED (relative), at most MONITOR_PASSES times,
 * from the last direction plus MONITOR_OTHERS of all others. */
#define MONITOR_SETTLED 0.2
#define MONITOR_PASSES 8
#define MONITOR_OTHERS 1e-2
/* A state counts as singular within rounding where rounding changes sigma by more than this part of it. */
#define INDISTINCT 0.5

static double square(double x) {
    return x * x;
}

/* Factor that makes a row's residual [m or rad] a share of the size of its part. */
static double share_of_row(const RbvMotion *motion, int32_t row) {
    return (motion->system->rows[row].angular ? rbv_state_row_arm(motion->state, row) : 1) /
           rbv_state_row_size(motion->state, row);
}

/* share_of_row for rounding errors: rows of C_I measure along few joints, and an angle between joints is accurate to
 * the rounding of a radian, whatever its arm. */
static double known_share(const RbvMotion *motion, int32_t row) {
    return motion->spared && motion->system->rows[row].angular ? 1 : share_of_row(motion, row);
}

/* Largest movement of a body for u (over the columns of the watched rows), as a share of its size. */
static double largest_movement(const RbvMotion *motion, const double *u) {
    const double *x = motion->spared ? rbv_motion_of_bodies(motion, u) : u;
    double most = 0;
    for (int32_t k = 0; k < motion->system->bodies.size; k++)
        most = rbv_max(most, fabs(x[k]) * motion->body_share[k]);
    return most;
}

/* Largest change of a number of v for u over v, as a share of the size: each joint by itself, so that a small turn of
 * one joint which moves a far body a long way counts as small. */
static double largest_change(const RbvMotion *motion, const double *u) {
    double most = 0;
    for (int32_t k = 0; k < motion->n; k++)
        most = rbv_max(most, fabs(u[k]) * motion->share[k]);
    return most;
}

/* Inverse iteration for sigma. On entry motion->probe is u of the last sample. It may not contain the present direction
 * of the smallest singular value, so a part of all others is added. In the loop u is residuals of rows, then movement,
 * then residuals again. */
void rbv_motion_monitor(RbvMotion *motion) {
    const RbvRowFactors *rows = rbv_motion_watched(motion);
    double *u = motion->probe, others = MONITOR_OTHERS / sqrt(rows->n);
    for (int32_t k = 0; k < rows->n; k++)
        u[k] += others * (k % 3 - 0.9) * (k % 2 ? 1 : -1);
    for (int pass = 0; pass < MONITOR_PASSES; pass++) {
        double norm = 0, before = motion->sigma, off = 0, known = 0;
        for (int32_t k = 0; k < rows->n; k++)
            off += square(u[k] * share_of_row(motion, rows->chosen[k]));
        known = motion->spared ? 0 : off;
        for (int32_t k = 0; motion->spared && k < rows->n; k++)
            known += square(u[k] * known_share(motion, rows->chosen[k]));
        rbv_lu_solve(rows->lu, u);
        for (int32_t k = 0; k < rows->n; k++)
            norm += square(u[k]);
        motion->sigma = 1 / sqrt(norm);
        motion->amplification = largest_movement(motion, u) / sqrt(known);
        motion->nearness = motion->spared ? largest_change(motion, u) / sqrt(off) : motion->amplification;
        rbv_lu_solve_transposed(rows->lu, u);
        norm = 0;
        for (int32_t k = 0; k < rows->n; k++)
            norm += square(u[k]);
        norm = sqrt(norm);
        for (int32_t k = 0; k < rows->n; k++)
            u[k] /= norm;
        if (!(fabs(motion->sigma - before) > MONITOR_SETTLED * motion->sigma))
            return;
    }
}

void rbv_motion_spare_bodies(RbvMotion *motion) {
    motion->spared =
        motion->D != &motion->C && motion->system->coordinates.own_rows == 0 && motion->system->coordinates.common;
    if (!motion->spared || !motion->started || !rbv_motion_factor(motion))
        return;
    rbv_motion_monitor(motion);
    motion->sigma_reference = motion->sigma;
}

void rbv_motion_find_step_aside(RbvMotion *motion, double error) {
    const RbvRowFactors *rows = rbv_motion_watched(motion);
    for (int32_t k = 0; k < rows->n; k++)
        motion->x[k] = error * rbv_state_row_size(motion->state, rows->chosen[k]) * motion->probe[k];
    rbv_lu_solve(rows->lu, motion->x); /* D_I x = residuals along u: nearly the largest movement that they can cause */
}

/* C_I and D_I at a state whose positions are evaluated. */
static bool factor_both(RbvMotion *motion) {
    return rbv_motion_factor(motion) && rbv_motion_factor_bodies(motion);
}

/* The position of a state is accurate to the rounding of the rows over sigma, along the direction nearest to singular;
 * if sigma changes by more than INDISTINCT at one of the two ends of that interval, the state is indistinguishable from
 * a singular one. */
bool rbv_motion_is_indistinct(RbvMotion *motion) {
    RbvState *state = motion->state;
    const double sigma = motion->sigma;
    bool lost = false;
    rbv_motion_save_position(motion, motion->tried);
    if (!factor_both(motion))
        return true;
    rbv_motion_monitor(motion);
    for (int side = -1; side <= 1 && !lost; side += 2) {
        rbv_motion_find_step_aside(motion, side * RBV_POSITION_ROUNDING);
        rbv_motion_displace(motion, motion->x);
        double before = motion->sigma;
        lost = !rbv_state_place(state) || !factor_both(motion);
        if (!lost)
            rbv_motion_monitor(motion);
        lost = lost || fabs(motion->sigma - before) > INDISTINCT * before;
        motion->sigma = before;
        rbv_motion_restore_position(motion, motion->tried);
        lost = !rbv_state_place(state) || !factor_both(motion) || lost;
    }
    motion->sigma = sigma;
    return lost;
}

/* Reports where a motion ends: at a dead centre, at the end of a reach, where a drive jumps or a number is not
 * finite.
 */

/* If sigma is still above this part of sigma_reference, the motion ends by a jump of a drive, not by a lock-up. */
#define JUMP_SIGMA 0.05
/* [rad] Limit for a rotation of about half a turn: steps shrink towards half a turn and do not reach it. */
#define HALF_TURN 3.1

RbvStatus rbv_motion_not_finite(RbvMotion *motion, double t) {
    char why[256];
    if (motion->state->no_memory)
        return RBV_NO_MEMORY;
    rbv_state_explain(motion->state, why, sizeof why);
    if (why[0])
        t = motion->state->t; /* the instant of the trial step */
    rbv_diagnose(motion->diagnostics, RBV_ERROR, motion->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s the motion is not finite%s%s", t, why[0] ? ": " : "", why);
    return RBV_NOT_FINITE;
}

/* Name of the body with the largest twist. The twists are those of the last accepted state, as shares of the size per
 * second: towards a lock-up they grow along the nearly free direction. */
void rbv_motion_fastest_body(const RbvMotion *motion, char *text, size_t size) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    int32_t best = 0;
    double most = -1;
    for (int32_t k = 0; k < bodies->size; k++)
        if (fabs(motion->saved_twist[k]) * motion->body_share[k] > most) {
            most = fabs(motion->saved_twist[k]) * motion->body_share[k];
            best = k;
        }
    int32_t body = 1;
    while (body + 1 < bodies->count && best >= bodies->start[body + 1])
        body++;
    snprintf(text, size, "%s", motion->system->model->bodies.items[body].name);
}

/* The row of the drive with the largest target rate, rad/s and m/s compared as numbers; or an equation on rates whose
 * weight in motion->probe is larger than that of this drive, as where such equations prescribe the motion while drives
 * stand still. The rates nu are those evaluated last. No drives and no such equation: row 0. */
static int32_t hardest_driver(const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    int32_t worst = system->model->drives.count ? system->drive_row[0] : 0;
    const int32_t *place_of = rbv_motion_watched(motion)->place_of;
    double most = -1, share = 0;
    for (int32_t k = 0; k < system->model->drives.count; k++)
        if (fabs(motion->state->nu[system->drive_row[k]]) > most) {
            worst = system->drive_row[k];
            most = fabs(motion->state->nu[worst]);
        }
    if (motion->sigma > 0 && system->model->drives.count && place_of[worst] >= 0)
        share = fabs(motion->probe[place_of[worst]]);
    for (int32_t k = 0; k < system->row_count && motion->sigma > 0; k++) {
        int32_t place = place_of[k];
        if (!system->rows[k].on_rates || !system->rows[k].equation || place < 0 ||
            !(fabs(motion->probe[place]) > share))
            continue;
        worst = k;
        share = fabs(motion->probe[place]);
    }
    return worst;
}

/* Angle of the rotation between the markers of a measure [rad]. */
static double turned_by(const RbvState *state, const RbvMeasure *measure) {
    const RbvMat3 *first = state->markers[measure->marker[0]].axes, *second = state->markers[measure->marker[1]].axes;
    double trace = 0;
    for (int k = 0; k < 3; k++)
        trace += rbv_dot(first->column[k], second->column[k]);
    return acos(rbv_max(-1, rbv_min(1, 0.5 * (trace - 1))));
}

/* A drive of a component of a rotation vector whose length is about half a turn; -1: none. */
static int32_t drive_at_half_turn(const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    for (int32_t k = 0; k < system->model->drives.count; k++) {
        const RbvRow *row = &system->rows[system->drive_row[k]];
        for (int32_t n = 0; n < row->count; n++) {
            const RbvMeasure *measure = &system->model->measures.items[system->terms[row->first + n].measure];
            if (measure->kind == RBV_MEASURE_ROTATION && turned_by(motion->state, measure) > HALF_TURN)
                return k;
        }
    }
    return -1;
}

RbvStatus rbv_motion_locked(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    char row[160], body[160], why[256];
    if (motion->state->no_memory)
        return RBV_NO_MEMORY;
    if (rbv_describe_singular(motion->state, why, sizeof why)) {
        rbv_diagnose(motion->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "the motion ends at t = %.9g s: %s", motion->previous, why);
        return RBV_LOCKED;
    }
    /* return to the last accepted state, to find the drive and the body to report */
    rbv_motion_restore_position(motion, motion->saved.q);
    motion->state->t = motion->previous;
    if (rbv_state_place(motion->state) && rbv_motion_factor(motion) && rbv_motion_factor_bodies(motion))
        rbv_motion_monitor(motion); /* the direction nearest to singular has turned since the last sample */
    else
        motion->sigma = 0;
    rbv_motion_fastest_body(motion, body, sizeof body);
    int32_t worst = hardest_driver(motion);
    rbv_system_row_name(system, worst, row, sizeof row);
    int32_t half = motion->started ? drive_at_half_turn(motion) : -1;
    if (half >= 0) {
        rbv_diagnose(motion->diagnostics, RBV_ERROR, system->model->file, system->model->drives.items[half].where,
                     "the motion cannot be followed past t = %.9g s: drive '%s' moves '%s', a component of a rotation "
                     "vector, whose length comes to half a turn there; beyond it begins anew from the other side. "
                     "Drive turns one after the other "
                     "by joints of one axis each, or products of axes (dot)",
                     motion->previous, system->model->drives.items[half].name,
                     system->model->drives.items[half].coordinate);
        return RBV_LOCKED;
    }
    if (motion->started && motion->sigma > JUMP_SIGMA * motion->sigma_reference) {
        rbv_diagnose(motion->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "the motion cannot be followed past t = %.9g s, although the mechanism is far from a dead centre: "
                     "the motion of %s jumps there",
                     motion->previous, row);
        return RBV_LOCKED;
    }
    rbv_diagnose(motion->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                 "lock-up at t = %.9g s: %s cannot go on; the mechanism comes to a dead centre or to the end of its "
                 "reach there, '%s' moves fastest",
                 motion->previous, row, body);
    return RBV_LOCKED;
}
