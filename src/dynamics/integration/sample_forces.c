/* Reactions, verdicts and errors of a sample; see sample_forces.h. */
#include "dynamics/integration/sample_forces.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "core/base/diagnostics.h"
#include "mechanics/forms/form.h"

#include <math.h>
#include <string.h>

/* kappa below which the saddle point system settles to rounding. */
#define NEAR_SINGULAR 100.0
#define MOST_PASSES 100
/* Rounding of some consecutive operations, to be multiplied by the condition. */
#define ROUNDING 4e-15

/* Added if the start is not at rest. */
#define MOVES_TEXT                                                                                                     \
    ". This is a singular position: rows depend on each other, motions branch there, and these rates follow none of "  \
    "them. Start beside it, or with rates of one of the motions"

/* ---- errors of the forces that the tolerance of the motion itself may cause ----
 *
 * Loads at a changed state differ by Q' - Q = dQ; [M C^T; C 0] (x, mu) = (dQ, 0) gives the answer mu of the rows. */

/* Returns false if out of memory; the object must be destroyed in either case. */
static bool sample_errors_create(RbvSampleErrors *e, RbvFlow *flow, const RbvReactions *reactions) {
    const RbvSystem *system = flow->system;
    size_t n = (size_t)flow->n + 1, positions = (size_t)flow->positions + 1;
    *e = (RbvSampleErrors){.flow = flow};
    e->q = rbv_arena_array(&e->arena, positions, sizeof *e->q);
    e->v = rbv_arena_array(&e->arena, n, sizeof *e->v);
    e->Q = rbv_arena_array(&e->arena, n, sizeof *e->Q);
    e->loads = rbv_arena_array(&e->arena, n, sizeof *e->loads);
    e->wrenches = rbv_arena_array(&e->arena, (size_t)system->bodies.count + 1, sizeof *e->wrenches);
    e->accelerations = rbv_arena_array(&e->arena, (size_t)system->bodies.count + 1, sizeof *e->accelerations);
    e->loaded = rbv_arena_array(&e->arena, (size_t)system->bodies.count + 1, sizeof *e->loaded);
    e->share = rbv_arena_array(&e->arena, n, sizeof *e->share);
    e->step = rbv_arena_array(&e->arena, n, sizeof *e->step);
    e->mu = rbv_arena_array(&e->arena, (size_t)system->row_count + 1, sizeof *e->mu);
    e->lambda = rbv_arena_array(&e->arena, (size_t)system->row_count + 1, sizeof *e->lambda);
    bool values = rbv_error_values_create(reactions, &e->values);
    if (!values || !e->q || !e->v || !e->Q || !e->loads || !e->wrenches || !e->loaded || !e->accelerations ||
        !e->share || !e->step || !e->mu || !e->lambda)
        return false;
    rbv_coordinates_scale(&system->coordinates, flow->state->size, flow->state->arm, NULL, e->share);
    return true;
}

static void sample_errors_destroy(RbvSampleErrors *e) {
    if (e->flow)
        rbv_error_values_destroy(&e->values);
    rbv_arena_clear(&e->arena);
    *e = (RbvSampleErrors){0};
}

/* Signs without a pattern that coordinates could share. */
static double sign_of(int32_t k) {
    return ((uint32_t)k * 2654435761u) >> 15 & 1 ? 1 : -1;
}

/* Evaluates positions, velocities and loads of the state. */
static bool load_state(RbvState *state) {
    return rbv_state_place(state) && rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state);
}

/* Finds Q' - Q into e->step, and the difference of wrenches into e->loaded. */
static bool step_aside(RbvSampleErrors *e, double tolerance) {
    RbvState *state = e->flow->state;
    size_t n = (size_t)e->flow->n;
    double speed = 0;
    for (size_t j = 0; j < n; j++)
        speed = rbv_max(speed, fabs(e->v[j]) * e->share[j]);
    for (size_t j = 0; j < n; j++) {
        double size = e->share[j] > 0 ? tolerance / e->share[j] : 0;
        e->step[j] = sign_of((int32_t)j) * size;
        state->v[j] = e->v[j] + sign_of((int32_t)(j + n)) * size * speed;
    }
    rbv_coordinates_step(&e->flow->system->coordinates, state->q, e->step);
    bool good = load_state(state);
    for (size_t j = 0; j < n; j++)
        e->step[j] = state->Q[j] - e->loads[j];
    for (int32_t b = 0; b < state->system->bodies.count; b++)
        e->loaded[b] = rbv_wrench_add_scaled(state->wrenches[b], -1, e->loaded[b]);
    return good;
}

/* Returns whether Q contains forces that are no loads: control, constraints that do work, friction, drives at their
 * limits. */
static bool pushes_besides(const RbvFlow *flow) {
    return flow->tracking || flow->sliding.count > 0 || flow->slipping.count > 0 ||
           flow->system->model->nonideals.count > 0;
}

/* Returns whether Q is constant: planar bodies without loads have weights only. */
static bool is_constant(const RbvSampleErrors *e) {
    const RbvSystem *system = e->flow->system;
    bool of_bodies = system->coordinates.of_bodies || e->flow->kept_reactions.absolute;
    return system->model->loads.count == 0 && system->model->generalized.count == 0 && !system->bodies.spatial &&
           of_bodies && !pushes_besides(e->flow);
}

/* Widens the errors by the change of the printed values when e->mu is added to lambda. */
static void compare(RbvSampleErrors *e, RbvReactions *r) {
    const RbvState *state = e->flow->state;
    int32_t rows = e->flow->system->row_count;
    rbv_reactions_print(
        r,
        state); /* values printed besides (ideal efforts of constraints that do work) must not enter the comparison */
    rbv_error_keep(r, &e->values);
    memcpy(e->lambda, r->lambda,
           (size_t)rows * sizeof *e->lambda); /* subtracting mu again would not restore lambda where mu is far larger */
    for (int32_t k = 0; k < rows; k++)
        r->lambda[k] += e->mu[k];
    rbv_reactions_print(r, state);
    rbv_error_compare(r, &e->values);
    memcpy(r->lambda, e->lambda, (size_t)rows * sizeof *e->lambda);
}

/* Widens the errors by the part of the multipliers that the saddle point system leaves open near a singular position.
 * False: no solution. */
static bool sample_errors_settle(RbvSampleErrors *e, RbvReactions *r) {
    RbvFlow *flow = e->flow;
    bool found = e->flow->kept_reactions.absolute
                     ? rbv_kept_reactions_left(&flow->kept_reactions, e->mu)
                     : rbv_saddle_left(flow->saddle, flow->state->Q, flow->state->gamma, e->step, e->mu);
    if (!found)
        return false;
    compare(e, r);
    return true;
}

/* Widens the errors in `reactions` by the change of its printed values when positions and velocities change by
 * `tolerance` relative to their sizes; stiff springs and strong dampers show this most. The printed values stay. The
 * flow's state is restored. False: no forces are found at the changed state; the errors are then unknown. */
static bool sample_errors_widen(RbvSampleErrors *e, RbvReactions *r, double tolerance) {
    RbvFlow *flow = e->flow;
    RbvState *state = flow->state;
    if (is_constant(e))
        return true;
    memcpy(e->q, state->q, (size_t)flow->positions * sizeof *e->q);
    memcpy(e->v, state->v, (size_t)flow->n * sizeof *e->v);
    memcpy(e->Q, state->Q, (size_t)flow->n * sizeof *e->Q);
    memcpy(e->wrenches, state->wrenches, (size_t)flow->system->bodies.count * sizeof *e->wrenches);
    memcpy(e->accelerations, state->accelerations, (size_t)flow->system->bodies.count * sizeof *e->accelerations);
    bool good = !pushes_besides(flow) || load_state(state);
    memcpy(e->loads, state->Q, (size_t)flow->n * sizeof *e->loads);
    memcpy(e->loaded, state->wrenches, (size_t)flow->system->bodies.count * sizeof *e->loaded);
    good = good && step_aside(e, tolerance);
    memcpy(state->q, e->q, (size_t)flow->positions * sizeof *e->q);
    memcpy(state->v, e->v, (size_t)flow->n * sizeof *e->v);
    good = load_state(state) && good;
    rbv_state_jacobian(state);
    memcpy(state->accelerations, e->accelerations, (size_t)flow->system->bodies.count * sizeof *e->accelerations);
    memcpy(state->Q, e->Q, (size_t)flow->n * sizeof *e->Q);
    memcpy(state->wrenches, e->wrenches, (size_t)flow->system->bodies.count * sizeof *e->wrenches);
    if (good)
        good = e->flow->kept_reactions.absolute
                   ? rbv_kept_reactions_solve(&flow->kept_reactions, e->loaded, NULL, e->mu)
                   : rbv_saddle_solve(flow->saddle, e->step, NULL, e->step, e->mu);
    if (!good)
        return false;
    compare(e, r);
    return true;
}

/* ---- reactions and verdicts ---- */

/* Creates the ranks of the active rows `rows`; NULL: out of memory. */
static RbvSolvability *create_solvability(const RbvSampleForces *s, const bool *rows) {
    RbvSolvability *solvability = rbv_solvability_create_of(s->flow->system, rows, s->criterion, true);
    if (solvability)
        solvability->places = s->places;
    return solvability;
}

RbvStatus rbv_sample_forces_create(RbvSampleForces *s, RbvFlow *flow, const RbvOptions *options,
                                   RbvDiagnostics *diagnostics) {
    const RbvSystem *system = flow->system;
    size_t rows = (size_t)system->row_count + 1, n = (size_t)flow->n + 1;
    *s = (RbvSampleForces){.flow = flow, .diagnostics = diagnostics, .criterion = options->reactions.criterion};
    s->places = rbv_arena_array(&s->arena, ((size_t)system->model->joints.count + 1), sizeof *s->places);
    for (int32_t k = 0; s->places && k < system->model->joints.count; k++)
        s->places[k] = rbv_joint_place(flow->state, k);
    s->solvability = create_solvability(s, rbv_flow_rows(flow));
    s->reactions = rbv_reactions_create(system, options->reactions.frame);
    s->wrenches = rbv_arena_array(&s->arena, (size_t)system->bodies.count, sizeof *s->wrenches);
    s->before = rbv_arena_array(&s->arena, rows, sizeof *s->before);
    s->lambda = rbv_arena_array(&s->arena, rows, sizeof *s->lambda);
    s->phase = rbv_arena_array(&s->arena, (size_t)system->friction_count + 1, sizeof *s->phase);
    s->Q = rbv_arena_array(&s->arena, n, sizeof *s->Q);
    s->x = rbv_arena_array(&s->arena, n, sizeof *s->x);
    if (!s->places || !s->solvability || !s->reactions || !s->wrenches || !s->before || !s->lambda || !s->phase ||
        !s->Q || !s->x)
        return RBV_NO_MEMORY;
    s->least =
        options->reactions.redundant == RBV_REDUNDANT_DEFAULT || options->reactions.redundant == RBV_REDUNDANT_MIN_NORM;
    if (!rbv_shares_create(&s->shares, &flow->sliding, &flow->slipping, flow->lambda) ||
        !rbv_singular_create(&s->singular, flow))
        return RBV_NO_MEMORY;
    return sample_errors_create(&s->errors, flow, s->reactions)
               ? rbv_choice_create(system, options, diagnostics, &s->choice)
               : RBV_NO_MEMORY;
}

void rbv_sample_forces_destroy(RbvSampleForces *s) {
    sample_errors_destroy(&s->errors);
    rbv_shares_destroy(&s->shares);
    rbv_singular_destroy(&s->singular);
    rbv_choice_destroy(s->choice);
    rbv_reactions_destroy(s->reactions);
    rbv_solvability_destroy(s->solvability);
    rbv_solvability_destroy(s->shared);
    rbv_arena_clear(&s->arena);
    *s = (RbvSampleForces){0};
}

RbvStatus rbv_sample_forces_renew(RbvSampleForces *s) {
    rbv_solvability_destroy(s->solvability);
    s->solvability = create_solvability(s, rbv_flow_rows(s->flow));
    rbv_singular_forget(&s->singular);
    return s->solvability ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus choose(RbvSampleForces *s, const double *lambda) {
    memcpy(s->reactions->lambda, lambda, (size_t)s->flow->system->row_count * sizeof *lambda);
    RbvStatus status = rbv_choice_apply(s->choice, s->flow->state, s->solvability, s->reactions, s->diagnostics);
    if (status == RBV_OK && s->least && strcmp(rbv_choice_name(s->choice), "min-norm") == 0)
        status = rbv_shares_admit(&s->shares, s->solvability, s->reactions->lambda);
    return status;
}

/* Finds some lambda[rows] with C^T lambda = Q - M a, for wrenches that differ from the loads by forces that do no work.
 * False: no solution. */
static bool multipliers_for(RbvSampleForces *s, const RbvWrench *wrenches) {
    RbvState *state = s->flow->state;
    if (s->flow->kept_reactions.absolute)
        return rbv_kept_reactions_solve(&s->flow->kept_reactions, wrenches, state->accelerations, s->lambda);
    rbv_state_force(state, wrenches, s->Q);
    rbv_state_inertia(state, state->a, s->x);
    for (int32_t j = 0; j < s->flow->n; j++)
        s->Q[j] -= s->x[j];
    return rbv_saddle_solve(s->flow->saddle, s->Q, NULL, s->x, s->lambda);
}

/* Finds such lambda for the loads and sliding friction. */
static bool all_multipliers(RbvSampleForces *s) {
    memcpy(s->wrenches, s->flow->state->wrenches, (size_t)s->flow->system->bodies.count * sizeof *s->wrenches);
    rbv_sliding_push(&s->flow->sliding, s->wrenches);
    return multipliers_for(s, s->wrenches);
}

/* Iterates tooth forces and preloads along lines of centres, until the choice among multipliers agrees with them. */
static RbvStatus solve_lines(RbvSampleForces *s) {
    const RbvSystem *system = s->flow->system;
    size_t rows = (size_t)system->row_count;
    bool found = s->singular.followed;
    if (s->flow->kept_reactions.absolute && !all_multipliers(s))
        return RBV_LOCKED;
    if (!s->flow->kept_reactions.absolute)
        memcpy(s->lambda, s->flow->lambda, rows * sizeof *s->lambda);
    if (found)
        rbv_singular_put(&s->singular, s->lambda);
    RbvStatus status = choose(s, s->lambda);
    for (int pass = 0; status == RBV_OK && s->reactions->has_line; pass++) {
        double change = 0, largest = 0;
        memcpy(s->wrenches, s->flow->state->wrenches, (size_t)system->bodies.count * sizeof *s->wrenches);
        memcpy(s->before, s->reactions->lambda, rows * sizeof *s->before);
        if (!rbv_reactions_lines(s->reactions, s->flow->state, s->wrenches))
            return RBV_OK;
        rbv_sliding_push(&s->flow->sliding, s->wrenches);
        if (!multipliers_for(s, s->wrenches))
            return RBV_LOCKED;
        if (found)
            rbv_singular_put(&s->singular, s->lambda);
        status = choose(s, s->lambda);
        for (size_t k = 0; k < rows; k++) {
            change = rbv_max(change, fabs(s->reactions->lambda[k] - s->before[k]));
            largest = rbv_max(largest, fabs(s->reactions->lambda[k]));
        }
        /* Tooth forces have settled when they change by less than this part of the largest. */
        if (change <= RBV_ROUNDING * largest)
            return status;
        if (pass == MOST_PASSES) {
            rbv_diagnose(s->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                         "at t = %.9g s tooth forces and the pushes that follow them do not settle", s->flow->state->t);
            return RBV_LOCKED;
        }
    }
    return status;
}

/* Sets the effort of a constraint that does work to the ideal one. */
static void print_ideal(RbvSampleForces *s) {
    const RbvNonidealForces *nonideal = &s->flow->nonideal;
    const RbvModel *model = s->flow->system->model;
    for (int32_t k = 0; model->nonideals.count > 0 && k < model->constraints.count; k++) {
        s->reactions->ideal[k] = nonideal->ideal[k];
        s->reactions->nonideal_power[k] = nonideal->power[k];
        if (model->constraints.items[k].nonideal)
            s->reactions->multiplier[k] = nonideal->ideal[k];
    }
}

/* Writes efforts of control and residuals of the requirements. */
static void print_control(RbvSampleForces *s) {
    const RbvTracking *tracking = s->flow->tracking;
    for (int32_t i = 0; tracking && i < tracking->actuators; i++)
        s->reactions->actuator[i] = tracking->effort[i];
    for (int32_t i = 0; tracking && i < tracking->count; i++)
        s->reactions->track_error[s->flow->system->rows[tracking->row[i]].index] = tracking->error[i];
}

/* Refuses forces that depend on efforts the rigid model does not determine: the motion would depend on a choice. */
static RbvStatus refuse_open_efforts(const RbvSampleForces *s) {
    const RbvModel *model = s->flow->system->model;
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *nonideal = &model->nonideals.items[k];
        for (int32_t v = 0; v < rbv_expr_variable_count(nonideal->force); v++) {
            RbvVariable variable = rbv_variable_of(model, nonideal->force, v);
            RbvVerdict verdict = variable.kind == RBV_VARIABLE_MULTIPLIER
                                     ? s->reactions->multiplier_verdict[variable.index]
                                     : RBV_UNIQUE;
            if (verdict != RBV_NOT_UNIQUE && verdict != RBV_COMPLIANCE)
                continue;
            rbv_diagnose(s->diagnostics, RBV_ERROR, model->file, nonideal->where,
                         "the nonideal force of constraint '%s' depends on the effort of '%s', which the rigid model "
                         "does not determine: the motion "
                         "would not be unique (roberval check says what to free)",
                         model->constraints.items[nonideal->constraint].name,
                         model->constraints.items[variable.index].name);
            return RBV_INCONSISTENT;
        }
    }
    return RBV_OK;
}

static void print(RbvSampleForces *s) {
    rbv_sliding_place_own(&s->flow->sliding, s->reactions);
    rbv_reactions_print(s->reactions, s->flow->state);
    rbv_sliding_print(&s->flow->sliding, s->reactions);
    for (int32_t i = 0; i < s->flow->slipping.count; i++)
        if (s->flow->slipping.sign[i] != 0)
            s->reactions->effort[s->flow->slipping.drive[i]] = s->flow->slipping.effort[i];
    print_ideal(s);
    print_control(s);
    rbv_choice_finish(s->choice, s->reactions);
}

static RbvStatus solve_and_print(void *context) {
    RbvSampleForces *s = context;
    RbvStatus status = solve_lines(s);
    if (status == RBV_OK)
        print(s);
    return status;
}

/* Returns whether friction contact i counts as sliding but is at rest, at its limit, held by others that stick. One
 * that just begins to slide is at rest, too, but a force along its slip would move it. */
static bool slides_in_name(RbvSampleForces *s, int32_t i) {
    RbvSliding *sliding = &s->flow->sliding;
    const RbvState *state = s->flow->state;
    RbvSlipVector second;
    double fastest = 0, size = 0, alone;
    bool held = false;
    for (int32_t k = 0; k < sliding->count; k++)
        held = held || !sliding->slides[k];
    for (int32_t j = 0; j < s->flow->n; j++)
        fastest = rbv_max(fastest, fabs(state->v[j]));
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        size = rbv_max(size, rbv_norm(state->wrenches[b].force) /
                                 rbv_max(state->system->model->bodies.items[b].mass, 1e-300));
    /* Velocities below this part of the fastest, or of what loads cause in a second, count as rest. */
    bool rests = rbv_sliding_rate(sliding, i) <= RBV_CANCELLED * fastest || fastest <= RBV_CANCELLED * size;
    /* Accelerations below this part of those that loads cause count as zero. */
    return held && sliding->slides[i] && rests && rbv_sliding_second(sliding, i, second) <= RBV_SAME * size &&
           rbv_sliding_moves(sliding, i, sliding->toward[i], &alone) <= RBV_CANCELLED * alone;
}

/* Finds the phase of each friction contact: slides (friction follows the load), sticks, or open (slides in name only).
 */
static void find_phases(RbvSampleForces *s) {
    const RbvSystem *system = s->flow->system;
    const RbvSliding *sliding = &s->flow->sliding;
    for (int32_t i = 0; i < system->friction_count; i++)
        s->phase[i] = RBV_FRICTION_SLIDES;
    for (int32_t i = 0; i < sliding->count; i++)
        s->phase[sliding->friction[i]] = !sliding->slides[i]    ? RBV_FRICTION_STICKS
                                         : slides_in_name(s, i) ? RBV_FRICTION_OPEN
                                                                : RBV_FRICTION_SLIDES;
}

/* Verifies that sliding friction depends on unique reactions only; sets verdicts of sticking friction, a force of its
 * own. */
static RbvStatus verify_friction(RbvSampleForces *s) {
    const RbvSystem *system = s->flow->system;
    const RbvSliding *sliding = &s->flow->sliding;
    const double one = 1;
    int32_t reported = -1; /* last joint reported; each is reported once */
    for (int32_t i = 0; i < sliding->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(sliding, i);
        const RbvJoint *joint = rbv_sliding_joint(sliding, i);
        RbvVerdict *verdict = s->reactions->verdict[friction->joint];
        for (int c = 0; !sliding->slides[i] && c < friction->count; c++)
            verdict[friction->slip[c].component] =
                rbv_solvability_verdict(s->solvability, friction->stick_row + c, 1, &one);
        if (!sliding->slides[i] || s->phase[sliding->friction[i]] == RBV_FRICTION_OPEN ||
            verdict[friction->slip[0].component] <= RBV_COMPLIANCE || friction->joint == reported)
            continue;
        rbv_diagnose(s->diagnostics, RBV_ERROR, system->model->file, joint->where,
                     "friction in joint '%s' depends on its reaction, which the rigid model does not determine: the "
                     "motion would not be unique. Free a direction (roberval check says which)",
                     joint->name);
        reported = friction->joint;
    }
    return reported >= 0 ? RBV_INCONSISTENT : RBV_OK;
}

/* Returns whether sticking friction shares the load of the drive: the drive then slips only where no distribution of
 * the load is within limits, which is no choice. */
static bool shares_with_friction(const RbvSampleForces *s, int32_t drive) {
    const RbvSliding *sliding = &s->flow->sliding;
    int32_t block = rbv_solvability_block(s->solvability, s->flow->system->drive_row[drive]);
    for (int32_t i = 0; i < sliding->count; i++)
        if (!sliding->slides[i] &&
            rbv_solvability_block(s->solvability, rbv_sliding_contact(sliding, i)->stick_row) == block)
            return true;
    return false;
}

/* Verifies that slip of drives does not depend on a choice; the effort of a slipping drive is its limit, hence unique.
 */
static RbvStatus verify_slipping(RbvSampleForces *s) {
    const RbvSlipping *slipping = &s->flow->slipping;
    for (int32_t i = 0; i < slipping->count; i++) {
        const RbvDrive *drive = &s->flow->system->model->drives.items[slipping->drive[i]];
        RbvVerdict *verdict = &s->reactions->effort_verdict[slipping->drive[i]];
        if (slipping->sign[i] != 0)
            *verdict = RBV_UNIQUE;
        if ((*verdict != RBV_NOT_UNIQUE && *verdict != RBV_COMPLIANCE) || shares_with_friction(s, slipping->drive[i]))
            continue;
        rbv_diagnose(
            s->diagnostics, RBV_ERROR, s->flow->system->model->file, drive->where,
            "drive '%s' has a max:, but the rigid model does not determine its effort: the motion would not be unique",
            drive->name);
        return RBV_INCONSISTENT;
    }
    return RBV_OK;
}

RbvSolvability *rbv_sample_forces_decides(const RbvSampleForces *s) {
    return s->shared ? s->shared : s->solvability;
}

void rbv_sample_forces_share(RbvSampleForces *s, bool share) {
    RbvState *state = s->flow->state;
    if (!s->shared)
        return;
    if (share)
        s->holding = state->active;
    state->active = share ? s->flow->sharing : s->holding;
    rbv_state_place(state);
    rbv_state_jacobian(state);
}

/* Decides verdicts. A contact that touches without load might carry a part of the load: reactions are unique only if
 * they are so with that contact, too. */
static RbvStatus verify(RbvSampleForces *s) {
    rbv_solvability_destroy(s->shared);
    s->shared = NULL;
    if (!s->flow->sharing) {
        rbv_reactions_decide(s->reactions, s->flow->state, s->solvability);
        return RBV_OK;
    }
    s->shared = create_solvability(s, s->flow->sharing);
    if (!s->shared)
        return RBV_NO_MEMORY;
    rbv_sample_forces_share(s, true);
    RbvStatus status = rbv_solvability_decide(s->shared, s->flow->state);
    if (status == RBV_OK)
        rbv_reactions_decide(s->reactions, s->flow->state, s->shared);
    rbv_sample_forces_share(s, false);
    return status;
}

/* Examines accelerations at a singular position. INCONSISTENT: reported. */
static RbvStatus look_for_singular(RbvSampleForces *s, double tolerance) {
    const RbvSingular *singular = &s->singular;
    const char *file = s->flow->system->model->file;
    double t = s->flow->state->t;
    RbvStatus status = rbv_singular_look(&s->singular, s->solvability, tolerance, &s->kind);
    if (status != RBV_OK)
        return status;
    if (s->kind == RBV_SINGULAR_CONTRADICTS) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "at t = %.9g s %s contradict each other: no accelerations keep all of them, one by one they are "
                     "off by up to %.3g %s%s",
                     t, singular->names, singular->residual, singular->angular ? "rad/s^2" : "m/s^2",
                     singular->moves ? MOVES_TEXT : "");
        return RBV_INCONSISTENT;
    }
    if (singular->followed && singular->grows && !s->noted[0]) {
        s->noted[0] = true;
        rbv_diagnose(s->diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     "at t = %.9g s, a singular position, reactions grow without bound: those of %s. Accelerations, "
                     "and the reactions that are unique, are those of the motion through it",
                     t, singular->names);
    }
    if (s->kind == RBV_SINGULAR_OPEN && !s->noted[1]) {
        s->noted[1] = true;
        rbv_diagnose(
            s->diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
            "at t = %.9g s, a singular position, motions branch and the rates choose none of them: accelerations and "
            "reactions there are unsure. Start beside it, or with rates of one of the motions",
            t);
    }
    if (s->kind == RBV_SINGULAR_LOADED && !s->noted[2]) {
        s->noted[2] = true;
        rbv_diagnose(s->diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     "at t = %.9g s, a singular position, accelerations and reactions are unsure: beside %s those of "
                     "the motion through it are not found. Start beside it",
                     t, singular->parts.cause);
    }
    return RBV_OK;
}

RbvStatus rbv_sample_forces_solve(RbvSampleForces *s, double tolerance) {
    RbvState *state = s->flow->state;
    RbvStatus status = rbv_solvability_decide(s->solvability, state);
    s->solvability->smallest_by = RBV_SMALLEST_ESTIMATED; /* at later samples of the same rows */
    if (status == RBV_OK)
        status = rbv_choice_fits(s->flow->system, s->solvability, s->diagnostics);
    if (status == RBV_OK)
        status = look_for_singular(s, tolerance);
    if (status != RBV_OK)
        return status;
    rbv_reactions_place(s->reactions, state);
    if (!rbv_kept_reactions_place(&s->flow->kept_reactions, rbv_flow_rows(s->flow)))
        return state->no_memory ? RBV_NO_MEMORY : RBV_LOCKED;
    if (s->flow->system->model->nonideals.count > 0 &&
        rbv_nonideal_find_power(&s->flow->nonideal, state, s->flow->saddle) != RBV_OK)
        return RBV_LOCKED;
    status = rbv_choice_over_ranges(s->choice, s->reactions, solve_and_print, s);
    if (status != RBV_OK)
        return status;
    status = verify(s);
    if (status != RBV_OK)
        return status;
    rbv_choice_decide(s->choice, state, s->solvability, s->reactions);
    find_phases(s);
    if (!rbv_decide_dependent_loads(s->reactions, state, s->phase))
        return RBV_NO_MEMORY;
    status = verify_friction(s);
    if (status == RBV_OK)
        status = verify_slipping(s);
    if (status == RBV_OK)
        status = refuse_open_efforts(s);
    if (status != RBV_OK)
        return status;
    s->kappa = s->solvability->smallest > 0 && isfinite(s->solvability->smallest)
                   ? rbv_max(1, 1 / s->solvability->smallest)
                   : 1;
    rbv_error_sizes(s->reactions, state);
    /* where rows on positions determine the motion completely, positions are projected onto them and no error is
     * integrated */
    bool led =
        s->solvability->rank == s->flow->system->bodies.size && s->flow->system->rate_count == 0 && s->flow->own == 0;
    rbv_error_floor(s->reactions, rbv_min(1, ROUNDING * s->kappa * s->kappa + (led ? 0 : tolerance * s->kappa)));
    s->reactions->floor = 1;
    bool widened = led || sample_errors_widen(&s->errors, s->reactions, tolerance);
    if (!widened)
        rbv_error_floor(s->reactions, 1);
    s->reactions->regular = widened && s->kappa <= NEAR_SINGULAR;
    bool settled =
        s->kappa <= NEAR_SINGULAR || s->kind == RBV_SINGULAR_FOLLOWED || sample_errors_settle(&s->errors, s->reactions);
    if (!settled || s->kind == RBV_SINGULAR_OPEN || s->kind == RBV_SINGULAR_LOADED)
        rbv_error_floor(s->reactions, 1);
    print(s);
    rbv_reactions_doubt(s->reactions);
    return rbv_solvability_no_memory(s->solvability) ? RBV_NO_MEMORY : RBV_OK;
}
