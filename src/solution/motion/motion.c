/* Positions, velocities and accelerations along a driven motion; see motion.h. In order: Newton's method for a
 * position, one step, what an accepted sample needs (rank, branch, chosen rows, redundant rows), the way to a sample,
 * leaps, sizes, creation. */
#include "solution/motion/motion.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEWTON_STEPS 25
/* Largest allowed first correction of a body, as a part of its predicted movement. Beyond it the step is too long to be
 * sure of the branch. */
#define CORRECTION_SHARE 0.2
/* Corrections below this part of the arm of the body's part are always allowed: the start from rest, rounding of the
 * input. */
#define CORRECTION_FREE 1e-5
/* No body turns further than this in one internal step [rad]: a branch can be lost in a quarter turn. */
#define LARGEST_TURN 0.25
/* A change of the determinant's sign is trusted only over a turn as small as this [rad]. */
#define BRANCH_TURN 0.02
/* Rounding of a position, as a part of its coordinates. */
#define PLACE_ROUNDING 4e-16
/* Steps are halved down to this part of the way to the requested time; below it the motion ends. */
#define SHORTEST_STEP 1e-9
/* The monitor requests a full rank decision when the smallest singular value has changed by this factor. */
#define MONITOR_FACTOR 4.0
/* Residual of rows by rounding, as a part of the size, in the mean of many rows: two roundings. The bound for a single
 * row is RBV_POSITION_ROUNDING. */
#define POSITION_ERROR 5e-16
/* Chosen rows are exchanged when a redundant row, of unit length, has a coefficient above this in terms of the chosen
 * ones. */
#define ROWS_APART 4.0

void rbv_motion_destroy(RbvMotion *motion) {
    if (!motion)
        return;
    rbv_motion_forget_rows(motion);
    rbv_prescribed_rows_destroy(motion->rows_given);
    rbv_state_destroy(motion->state);
    rbv_solvability_destroy(motion->solvability);
    rbv_arena_clear(&motion->arena);
    free(motion);
}

/* Largest number of dq[n], a vector over v, as a share of the size. */
static double scaled_size(const RbvMotion *motion, const double *dq) {
    double most = 0;
    for (int32_t k = 0; k < motion->n; k++)
        most = rbv_max(most, fabs(dq[k]) * motion->share[k]);
    return most;
}

/* Largest correction of a position as a share of the size, beyond the rounding of the positions corrected. */
static double correction_size(const RbvMotion *motion, const double *correction) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    const double *x = rbv_motion_of_bodies(motion, correction);
    double most = motion->D == &motion->C ? 0 : scaled_size(motion, correction);
    for (int32_t b = 1; b < bodies->count; b++) {
        double rounding = PLACE_ROUNDING * rbv_norm(motion->state->bodies[b].r) / rbv_state_body_size(motion->state, b);
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++) {
            double size = fabs(x[k]) * motion->body_share[k];
            most = rbv_max(most, rbv_bodies_is_rotation(bodies, b, k) ? size : size - rounding);
            if (!isfinite(size))
                return size;
        }
    }
    return most;
}

/* REACHED: solved. TOO_LONG: the correction is large or does not converge, or the branch is not sure. TURNS_TOO_FAR:
 * the step was not tried. SINGULAR: the factors failed, or a measure has no gradient. A shorter step is tried after all
 * but the first. */
typedef enum Outcome { REACHED, TOO_LONG, TURNS_TOO_FAR, SINGULAR, NOT_FINITE_HERE } Outcome;

/* Is the first correction, over v, small against the predicted movement moved[bodies] of each body (shares of the
 * size)? NULL: any correction fits. */
static bool correction_fits(const RbvMotion *motion, const double *correction, const double *moved) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    const double *x = rbv_motion_of_bodies(motion, correction);
    for (int32_t b = 1; moved && b < bodies->count; b++) {
        double size = 0;
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++)
            size = rbv_max(size, fabs(x[k]) * motion->body_share[k]);
        if (size > CORRECTION_SHARE * moved[b] +
                       CORRECTION_FREE * rbv_state_body_arm(motion->state, b) / rbv_state_body_size(motion->state, b))
            return false;
    }
    return true;
}

/* Are the residuals of the chosen rows no larger than the rounding of the positions in them? Near a singular position
 * Newton's method goes on moving by that rounding over the smallest singular value. */
static bool rows_hold(const RbvMotion *motion) {
    const RbvState *state = motion->state;
    const RbvSystem *system = motion->system;
    for (int32_t n = 0; n < motion->n; n++) {
        int32_t k = motion->C.chosen[n];
        if (k >= system->all_count)
            continue; /* rigid rows: residual of their own points, rounding only */
        const RbvRow *row = &system->rows[k];
        double size = row->angular ? 1 : rbv_state_row_size(state, k),
               parts = fabs(row->constant) + fabs(state->row_turn[k]);
        if (row->on_rates)
            continue;
        for (int32_t e = row->first; e < row->first + row->count; e++) {
            const RbvMeasure *measure = &system->model->measures.items[system->terms[e].measure];
            double places =
                rbv_norm(state->markers[measure->marker[0]].point) + rbv_norm(state->markers[measure->marker[1]].point);
            parts += fabs(state->coefficient[e]) *
                     (fabs(state->measures[system->terms[e].measure].value) + (row->angular ? 0 : places));
        }
        if (fabs(state->phi[k]) > RBV_POSITION_ROUNDING * (size + parts))
            return false;
    }
    return true;
}

/* Are the factors of the last accepted state good enough for one step? The error that is left is about the correction,
 * estimated by the last one, times the turn of the rows, amplified. */
static bool factors_serve(const RbvMotion *motion, const double *moved) {
    double most = 0;
    if (!moved || !motion->factored_there)
        return false;
    for (int32_t b = 1; b < motion->system->bodies.count; b++)
        most = rbv_max(most, moved[b]);
    /* Newton's method ends when this or the next correction is below RBV_EXACT, or below RBV_SOLVED without shrinking
     * any more; both are shares of the size. */
    return motion->correction * most * (1 + motion->amplification) < 0.1 * RBV_EXACT;
}

/* The correction -C_I^-1 Phi_I at the evaluated position, by the present factors, into motion->x; returns its size. */
static double correction_here(RbvMotion *motion) {
    rbv_motion_gather(motion, motion->state->phi, -1, motion->x);
    rbv_lu_solve(motion->C.lu, motion->x);
    return correction_size(motion, motion->x);
}

/* One step with the factors of the last accepted state. False: the step is not accurate enough; the state stays at the
 * position reached. */
static bool step_by_old_factors(RbvMotion *motion, const double *moved) {
    RbvState *state = motion->state;
    double size = correction_here(motion);
    if (!isfinite(size) || !correction_fits(motion, motion->x, moved))
        return false;
    motion->correction = size;
    if (size < RBV_EXACT)
        return true;
    rbv_coordinates_step(&motion->system->coordinates, state->q, motion->x);
    return rbv_state_place(state) && state->singular_measure < 0 && correction_here(motion) < RBV_EXACT;
}

/* Newton's method from the evaluated position, to which the prediction `moved` has led, with the factors there; they
 * are renewed where a correction is more than a quarter of the one before. `gain`: this correction over the one before.
 */
static Outcome newton(RbvMotion *motion, const double *moved) {
    RbvState *state = motion->state;
    double last = INFINITY;
    for (int step = 0; step < NEWTON_STEPS; step++) {
        double size = correction_here(motion);
        if (!isfinite(size))
            return SINGULAR;
        if (step == 0 && !correction_fits(motion, motion->x, moved))
            return TOO_LONG;
        if (step == 0)
            motion->correction = moved ? size : INFINITY;
        double gain = size / last;
        if (step > 0 && gain > 0.5 && (size < RBV_SOLVED || rows_hold(motion)))
            return REACHED;
        if (step > 1 && gain > 0.9)
            return TOO_LONG;
        rbv_coordinates_step(&motion->system->coordinates, state->q, motion->x);
        if (!rbv_state_place(state))
            return NOT_FINITE_HERE;
        if (state->singular_measure >= 0)
            return SINGULAR;
        /* error left after this step is about gain * size */
        if (size < RBV_EXACT || (step > 0 && gain * size < RBV_EXACT))
            return REACHED;
        if (step > 0 && gain > 0.25 && !rbv_motion_factor(motion))
            return SINGULAR;
        last = size;
    }
    return TOO_LONG;
}

/* Solve for the position from the q in the state, to which the prediction `moved` (NULL: none) has led. */
static Outcome solve_position(RbvMotion *motion, const double *moved) {
    bool old_factors = factors_serve(motion, moved);
    motion->factored_there = false;
    if (!rbv_state_place(motion->state))
        return NOT_FINITE_HERE;
    if (old_factors && step_by_old_factors(motion, moved))
        return REACHED;
    if (motion->state->singular_measure >= 0 || !rbv_motion_factor(motion))
        return SINGULAR;
    motion->sign_before = rbv_lu_sign(motion->C.lu);
    Outcome outcome = newton(motion, moved);
    motion->correction = old_factors ? INFINITY : motion->correction; /* unknown: worse than the last one */
    return outcome;
}

/* Store twists and accelerations of bodies where v is not the body twists; accelerations are P a alone, without the
 * bias. */
static void save_twists(RbvMotion *motion) {
    const RbvCoordinates *coordinates = &motion->system->coordinates;
    RbvState *state = motion->state;
    if (motion->D == &motion->C)
        return;
    rbv_coordinates_velocities(coordinates, rbv_state_at(state), state->a, state->pushed);
    for (int32_t b = 1; b < coordinates->bodies->count; b++) {
        rbv_bodies_put(coordinates->bodies, b, state->twists[b],
                       motion->saved_twist); /* the twists belong to v, which is solved */
        rbv_bodies_put(coordinates->bodies, b, state->pushed[b], motion->saved_acceleration);
    }
}

/* The state, solved at t, becomes the last accepted one: q, v, a, twists and idle spins are stored. */
static void save(RbvMotion *motion, double t) {
    rbv_motion_spin(motion, t);
    rbv_motion_save_position(motion, motion->saved.q);
    rbv_motion_save_rates(motion, t);
    save_twists(motion);
    motion->factored_there = true;
    motion->previous = t;
}

/* Set the predicted position, a step of length h [s] from the saved one, and the movement motion->moved of each body;
 * returns the largest turn of a body [rad]. */
static double predict(RbvMotion *motion, double h) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    const double *v = motion->saved_twist, *a = motion->saved_acceleration;
    double largest = 0;
    for (int32_t b = 1; b < bodies->count; b++) {
        double turn = 0;
        motion->moved[b] = 0;
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++) {
            double part = rbv_max(fabs(h * v[k]), 0.5 * h * h * fabs(a[k]));
            motion->moved[b] = rbv_max(motion->moved[b], part * motion->body_share[k]);
            if (rbv_bodies_is_rotation(bodies, b, k))
                turn += part * part;
        }
        largest = rbv_max(largest, turn);
    }
    rbv_motion_predict(motion, h);
    rbv_motion_restore_position(motion, motion->saved.q);
    rbv_coordinates_step(&motion->system->coordinates, motion->state->q, motion->x);
    return sqrt(largest);
}

/* Decide ranks again at the evaluated position and choose the independent rows. `changed`: the system's parameters have
 * changed. LOCKED: too few independent rows, the drives do not determine the motion here. */
static RbvStatus decide(RbvMotion *motion, bool changed) {
    rbv_state_jacobian(motion->state);
    RbvStatus status = changed ? rbv_solvability_decide_anew(motion->solvability, motion->state)
                               : rbv_solvability_decide(motion->solvability, motion->state);
    motion->decisions++;
    if (status != RBV_OK)
        return status;
    if (motion->solvability->rank + motion->system->idle_count < motion->system->bodies.size)
        return RBV_LOCKED;
    return rbv_motion_take_rows(motion);
}

/* Complete the solved position: factors, velocities and accelerations. */
static Outcome finish(RbvMotion *motion) {
    if (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion))
        return SINGULAR;
    if (!rbv_motion_rates(motion))
        return NOT_FINITE_HERE;
    if (!isfinite(scaled_size(motion, motion->state->v)) || !isfinite(scaled_size(motion, motion->state->a)))
        return SINGULAR;
    return REACHED;
}

bool rbv_motion_evaluate(RbvMotion *motion) {
    return rbv_state_place(motion->state) && finish(motion) == REACHED;
}

int32_t rbv_motion_rounding_step(RbvMotion *motion, double *step) {
    int32_t size = rbv_motion_watched(motion)->n;
    rbv_motion_find_step_aside(motion, POSITION_ERROR);
    memcpy(step, motion->x, (size_t)size * sizeof *step);
    return size;
}

bool rbv_motion_step_aside(RbvMotion *motion, const double *from, const double *step) {
    rbv_motion_restore_position(motion, from);
    if (!rbv_motion_displaces_q(motion) && !rbv_state_place(motion->state))
        return false;
    rbv_motion_displace(motion, step);
    return rbv_motion_evaluate(motion);
}

/* One step from the last accepted state to t: prediction, position, v and a. The state is left where the step ended. */
static Outcome try_step(RbvMotion *motion, double t) {
    double turn = predict(motion, t - motion->previous);
    if (turn > LARGEST_TURN)
        return TURNS_TOO_FAR;
    motion->state->t = t;
    /* with rows on rates the position is an integral, and the remaining residual of the holonomic rows is corrected */
    bool rolls = motion->system->rate_count > 0;
    if (rolls && !rbv_motion_roll(motion, motion->previous, t))
        return TOO_LONG;
    Outcome outcome = solve_position(motion, rolls ? NULL : motion->moved);
    outcome = outcome == REACHED ? finish(motion) : outcome;
    /* a change of sign over a long step may be a jump to another branch: try a shorter step */
    if (outcome == REACHED && rbv_lu_sign(motion->C.lu) != motion->sign && turn > BRANCH_TURN)
        return TOO_LONG;
    return outcome;
}

/* A branch point is one where the nearness is at least this, or the singular value has fallen to this part of that at
 * the sample, which may itself lie on it. In natural coordinates positions are off by enough to leave 3e4. Where only a
 * sign turns, both are as beside it. */
#define NEAR_BRANCH 1e4
#define FALLS_AT_BRANCH 0.3

/* The sign of det C_I has changed between `previous` and t to new_sign: locate the instant by halving and report it.
 * Where no singular value vanishes there, the gradient of a row has turned its sign, as a direction may that is only
 * known up to it: nothing is reported. The state ends at t again. */
static RbvStatus locate_branch(RbvMotion *motion, double t, int new_sign) {
    double low = motion->previous, high = t, base = motion->previous;
    double *keep = malloc((size_t)motion->system->coordinates.position_size * sizeof *keep);
    if (!keep)
        return RBV_NO_MEMORY;
    rbv_motion_save_position(motion, keep);
    bool vanishes = false;
    double there = motion->sigma;
    for (int k = 0; k < 40 && high - low > 1e-12 * (fabs(t) + fabs(base)); k++) {
        double middle = 0.5 * (low + high);
        vanishes = try_step(motion, middle) != REACHED;
        if (vanishes)
            break;
        if (rbv_lu_sign(motion->C.lu) == new_sign)
            high = middle;
        else
            low = middle;
    }
    char body[160];
    if (!vanishes) {
        rbv_motion_monitor(motion);
        vanishes = !(motion->nearness < NEAR_BRANCH) || motion->sigma < FALLS_AT_BRANCH * there;
    }
    rbv_motion_fastest_body(motion, body, sizeof body);
    if (vanishes)
        rbv_diagnose(motion->diagnostics, RBV_NOTE, motion->system->model->file, (RbvPosition){0, 0},
                     "branch point at t = %.6g s: the constraints lose rank there and another motion could begin ('%s' "
                     "moves fastest); the smooth "
                     "continuation is followed",
                     0.5 * (low + high), body);
    rbv_motion_restore_position(motion, keep);
    free(keep);
    motion->state->t = t;
    if (!rbv_state_place(motion->state) || finish(motion) != REACHED)
        return rbv_motion_locked(motion);
    return RBV_OK;
}

/* Monitor the state solved at t: estimate sigma; report a branch point where the sign of det C_I has changed; decide
 * ranks and choose rows again where sigma has changed by MONITOR_FACTOR since the last decision, or that decision was
 * not safe. Reported: LOCKED. */
static RbvStatus progress(RbvMotion *motion, double t) {
    rbv_motion_monitor(motion);
    int sign = rbv_lu_sign(motion->C.lu);
    if (motion->started && sign != motion->sign) {
        motion->sign = sign;
        RbvStatus status = locate_branch(motion, t, sign);
        if (status != RBV_OK)
            return status;
        motion->sign = rbv_lu_sign(motion->C.lu);
    }
    if (!motion->started || motion->sigma < motion->sigma_reference / MONITOR_FACTOR ||
        motion->sigma > motion->sigma_reference * MONITOR_FACTOR || !motion->solvability->safe) {
        if (motion->started) {
            RbvStatus status = decide(motion, false);
            if (status == RBV_OK && !motion->solvability->safe && rbv_motion_is_indistinct(motion))
                status = RBV_LOCKED;
            if (status == RBV_LOCKED) {
                rbv_diagnose(motion->diagnostics, RBV_ERROR, motion->system->model->file, (RbvPosition){0, 0},
                             "loss of rank at t = %.9g s: the drives no longer determine the motion there (a dead "
                             "centre or a branch point); "
                             "samples before it are kept",
                             t);
                return status;
            }
            if (status != RBV_OK)
                return status;
            if (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion))
                return rbv_motion_locked(motion);
            motion->sign = rbv_lu_sign(motion->C.lu);
            rbv_motion_monitor(motion);
        }
        motion->sigma_reference = motion->sigma;
    }
    return RBV_OK;
}

/* At the last accepted state: exchange nearly dependent rows, so that a step that failed with them may succeed with
 * others. */
static RbvStatus other_rows_at_saved(RbvMotion *motion, bool *changed) {
    *changed = false;
    rbv_motion_restore_position(motion, motion->saved.q);
    motion->state->t = motion->previous;
    if (!rbv_state_place(motion->state) || !rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion))
        return RBV_OK;
    RbvStatus status = rbv_motion_exchange(motion, changed);
    if (*changed)
        motion->sign = rbv_lu_sign(motion->C.lu);
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

/* At an accepted sample, whose forces are computed from the chosen rows: exchange rows that are nearly dependent. */
static RbvStatus keep_rows_apart(RbvMotion *motion) {
    bool changed = false;
    if (rbv_motion_dependence(motion) <= ROWS_APART)
        return RBV_OK;
    return rbv_motion_exchange(motion, &changed) == RBV_NO_MEMORY ? RBV_NO_MEMORY : RBV_OK;
}

/* Accept the sample solved at t: rank and branch (progress), chosen rows, memory of turns and contacts, stored rates,
 * redundant rows. */
static RbvStatus arrive(RbvMotion *motion, double t) {
    int32_t row_sets = motion->row_sets;
    RbvStatus status = progress(motion, t);
    if (status == RBV_OK)
        status = keep_rows_apart(motion);
    if (status != RBV_OK)
        return status;
    /* the earlier choice of rows may have left an error in the position */
    if (motion->row_sets != row_sets && motion->solvability->redundant > 0 &&
        (solve_position(motion, NULL) != REACHED || finish(motion) != REACHED))
        return rbv_motion_locked(motion);
    rbv_state_accept(motion->state);
    motion->sign = rbv_lu_sign(motion->C.lu);
    motion->started = true;
    save(motion, t);
    return motion->state->no_memory ? RBV_NO_MEMORY : rbv_motion_check_redundant(motion);
}

/* Steps of length h are tried from the last accepted state: doubled after a success, halved after a failure, down to
 * SHORTEST_STEP. Where rows are redundant, a failure or a change of the determinant's sign may be due to the choice of
 * rows: they are exchanged once for each accepted state before anything else. States between samples are not monitored,
 * unless the sign has changed. */
RbvStatus rbv_motion_go(RbvMotion *motion, double t) {
    double span = t - motion->previous, h = span;
    bool rows_tried = false; /* rows exchanged at the last accepted state */
    RbvPace pace = {motion->previous, t, 0};
    if (!motion->started || h == 0) {
        motion->state->t = t;
        Outcome outcome = solve_position(motion, NULL);
        outcome = outcome == REACHED ? finish(motion) : outcome;
        if (outcome == NOT_FINITE_HERE)
            return rbv_motion_not_finite(motion, t);
        if (outcome != REACHED) {
            save(motion, t);
            return rbv_motion_locked(motion);
        }
        h = 0;
    }
    while (h != 0) {
        RbvStatus going = rbv_motion_pace(motion, &pace);
        if (going != RBV_OK)
            return going;
        Outcome outcome = try_step(motion, motion->previous + h);
        if (motion->state->no_memory)
            return RBV_NO_MEMORY;
        bool flipped = outcome == REACHED && rbv_lu_sign(motion->C.lu) != motion->sign;
        if (!rows_tried && (flipped || outcome == TOO_LONG || outcome == SINGULAR) &&
            motion->solvability->redundant > 0) {
            bool changed;
            rows_tried = true;
            RbvStatus status = other_rows_at_saved(motion, &changed);
            if (status != RBV_OK)
                return status;
            if (changed || flipped)
                continue;
        }
        if (outcome == REACHED) {
            double reached = motion->previous + h;
            if (fabs(t - reached) <= 1e-14 * fabs(span))
                break;
            rbv_state_accept(motion->state);
            RbvStatus status = flipped ? progress(motion, reached) : RBV_OK;
            if (status != RBV_OK)
                return status;
            save(motion, reached);
            rows_tried = false;
            h = fabs(2 * h) < fabs(t - reached) ? 2 * h : t - reached;
            continue;
        }
        if (fabs(h) > SHORTEST_STEP * fabs(span)) {
            h *= 0.5;
            continue;
        }
        if (outcome == NOT_FINITE_HERE)
            return rbv_motion_not_finite(motion, motion->previous + h);
        return rbv_outruns(motion->state, &pace, motion->diagnostics) ? RBV_LOCKED : rbv_motion_locked(motion);
    }
    return arrive(motion, t);
}

/* Largest turn of a body [rad] from the position `from` to that in the state; translations count as LARGEST_TURN per
 * size of the part. Overwrites state->twists and motion->x. */
static double distance_from(RbvMotion *motion, const double *from) {
    const RbvSystem *system = motion->system;
    RbvTwist *moved = motion->state->twists;
    double most = 0;
    rbv_coordinates_difference(&system->coordinates, from, motion->state->q, motion->x);
    rbv_coordinates_velocities(&system->coordinates, rbv_state_at(motion->state), motion->x, moved);
    for (int32_t b = 1; b < system->bodies.count; b++)
        most = rbv_max(most, rbv_max(rbv_norm(moved[b].w),
                                     LARGEST_TURN * rbv_norm(moved[b].v) / rbv_state_body_size(motion->state, b)));
    return most;
}

RbvStatus rbv_motion_leap(RbvMotion *motion, double t, bool anywhere, bool *reached) {
    motion->state->t = t;
    rbv_motion_save_position(motion, motion->tried);
    Outcome outcome = solve_position(motion, NULL);
    double distance = outcome == REACHED && !anywhere ? distance_from(motion, motion->tried) : 0;
    outcome = outcome == REACHED && distance > LARGEST_TURN ? TOO_LONG : outcome;
    outcome = outcome == REACHED ? finish(motion) : outcome;
    int sign = rbv_lu_sign(motion->C.lu);
    motion->followed = false;
    *reached = outcome == REACHED && (anywhere || sign == motion->sign_before || distance < BRANCH_TURN);
    if (!*reached)
        return motion->state->no_memory ? RBV_NO_MEMORY : RBV_OK;
    motion->sign = sign;
    return arrive(motion, t);
}

/* Scales of the numbers of q, v and body twists (scale, share, body_share), from the sizes of the parts in the state.
 */
static void measure(RbvMotion *motion) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    const RbvState *state = motion->state;
    rbv_coordinates_scale(&motion->system->coordinates, state->size, state->arm, motion->scale, motion->share);
    for (int32_t b = 1; motion->D != &motion->C && b < bodies->count; b++)
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++)
            motion->body_share[k] = (rbv_bodies_is_rotation(bodies, b, k) ? state->arm[b] : 1) / state->size[b];
}

/* Measure the sizes of the parts at the evaluated position, then the scales. */
static void measure_state(RbvMotion *motion) {
    rbv_state_measure_sizes(motion->state);
    measure(motion);
}

void rbv_motion_renew(RbvMotion *motion) {
    motion->followed = motion->factored_there = false;
    rbv_motion_restore_position(motion, motion->saved.q);
    if (rbv_state_place(motion->state)) /* otherwise it is assembled, which measures the sizes */
        measure_state(motion);
}

RbvStatus rbv_motion_decide(RbvMotion *motion) {
    measure_state(motion);
    RbvStatus status = decide(motion, true);
    if (status == RBV_LOCKED || (status == RBV_OK && (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion))))
        return rbv_motion_locked(motion);
    if (status != RBV_OK)
        return status;
    motion->sign = rbv_lu_sign(motion->C.lu);
    rbv_motion_monitor(motion);
    motion->sigma_reference = motion->sigma;
    return RBV_OK;
}

/* Vectors over body twists: pointers to those over v, or arrays of their own. False: no memory. */
static bool create_spread(RbvMotion *motion) {
    size_t size = (size_t)motion->system->bodies.size + 1;
    if (motion->system->coordinates.of_bodies) {
        motion->saved_twist = motion->saved.v;
        motion->saved_acceleration = motion->saved.a;
        motion->body_share = motion->share;
        return true;
    }
    motion->spread = rbv_arena_array(&motion->arena, size, sizeof(double));
    motion->saved_twist = rbv_arena_array(&motion->arena, size, sizeof(double));
    motion->saved_acceleration = rbv_arena_array(&motion->arena, size, sizeof(double));
    motion->body_share = rbv_arena_array(&motion->arena, size, sizeof(double));
    return motion->spread && motion->saved_twist && motion->saved_acceleration && motion->body_share;
}

static RbvStatus create(const RbvSystem *system, double t, const RbvState *at, const RbvMotion *like,
                        RbvProgress *progress, RbvDiagnostics *diagnostics, RbvMotion **out) {
    *out = NULL;
    RbvMotion *motion = calloc(1, sizeof *motion);
    if (!motion)
        return RBV_NO_MEMORY;
    size_t n = (size_t)system->coordinates.size + 1;
    motion->system = system;
    motion->diagnostics = diagnostics;
    motion->n = system->coordinates.size;
    motion->like = like;
    motion->state = rbv_state_create(system);
    if (motion->state && at) {
        motion->state->active = at->active;
        motion->state->acting = at->acting;
    }
    motion->x = rbv_arena_alloc(&motion->arena, (n + (size_t)system->bodies.size) * sizeof(double));
    motion->moved = rbv_arena_array(&motion->arena, (size_t)system->bodies.count + 1, sizeof(double));
    size_t positions = (size_t)system->coordinates.position_size + 1;
    motion->tried = rbv_arena_alloc(&motion->arena, positions * sizeof(double));
    motion->saved.q = rbv_arena_alloc(&motion->arena, positions * sizeof(double));
    motion->saved.v = rbv_arena_alloc(&motion->arena, n * sizeof(double));
    motion->saved.a = rbv_arena_alloc(&motion->arena, n * sizeof(double));
    motion->before.v = rbv_arena_alloc(&motion->arena, n * sizeof(double));
    motion->before.a = rbv_arena_alloc(&motion->arena, n * sizeof(double));
    motion->table =
        system->rate_count > 0 ? rbv_arena_alloc(&motion->arena, RBV_ROLL_TABLE * positions * sizeof(double)) : NULL;
    motion->probe = rbv_arena_alloc(&motion->arena, ((size_t)system->bodies.size + 1) * sizeof(double));
    motion->share = rbv_arena_alloc(&motion->arena, n * sizeof(double));
    motion->D = system->coordinates.of_bodies ? &motion->C : &motion->of_bodies;
    motion->scale = system->rate_count > 0 ? rbv_arena_alloc(&motion->arena, positions * sizeof(double)) : NULL;
    bool good = rbv_motion_create_idle(motion) && motion->state && create_spread(motion) && motion->x &&
                motion->moved && motion->tried && motion->saved.q && motion->saved.v && motion->saved.a &&
                motion->before.v && motion->before.a && motion->probe && motion->share &&
                ((motion->table && motion->scale) || system->rate_count == 0);
    RbvStatus status = good ? RBV_OK : RBV_NO_MEMORY;
    if (good) {
        motion->state->progress = progress;
        measure(motion);
        for (int32_t k = 0; k < system->bodies.size; k++)
            motion->probe[k] = 1 + 0.3 * (k % 7) - 0.2 * (k % 3);
        status = rbv_motion_start(motion, t, at);
        measure(motion); /* sizes of the assembled state */
        motion->like = NULL;
    }
    if (status != RBV_OK) {
        rbv_motion_destroy(motion);
        return status;
    }
    *out = motion;
    return RBV_OK;
}

RbvStatus rbv_motion_create(const RbvSystem *system, double t, const RbvState *at, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion) {
    return create(system, t, at, NULL, progress, diagnostics, motion);
}

RbvStatus rbv_motion_continue(const RbvMotion *from, RbvProgress *progress, RbvDiagnostics *diagnostics,
                              RbvMotion **motion) {
    return create(from->system, from->state->t, from->state, from, progress, diagnostics, motion);
}
