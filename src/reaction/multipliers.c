/* Multipliers of one sample: C_I^T lambda = Q - M a, the choice among equally right ones, and what they push along lines of centres; see forces.h. */
#include "reaction/forces_parts.h"

#include "base/diagnostics.h"

#include <stdio.h>
#include <string.h>

/* Tooth forces have settled when they change by less than this part of the largest. */
#define LINES_EXACT 1e-12
/* Or when they no longer gain, below this part: near singular positions rounding is larger. */
#define LINES_FLOOR 1e-8

RbvStatus rbv_forces_fail(const RbvForces *f, RbvStatus status, const char *format, const char *name) {
    char text[400];
    snprintf(text, sizeof text, format, name);
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", f->motion->state->t, text);
    return status;
}

/* lambda on the independent rows for generalized forces Q: C_I^T lambda = Q - M a. */
static void solve_multipliers(RbvForces *f, const double *Q) {
    RbvMotion *motion = f->motion;
    double *lambda = f->reactions->lambda;
    rbv_state_inertia(motion->state, motion->state->a, f->x);
    for (int32_t k = 0; k < motion->n; k++)
        f->x[k] = Q[k] - f->x[k];
    rbv_lu_solve_transposed(motion->lu, f->x);
    memset(lambda, 0, (size_t)f->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < motion->n; k++)
        lambda[motion->solvability->independent[k]] = f->x[k];
}

static RbvStatus solve(RbvForces *f, const double *Q) {
    RbvMotion *motion = f->motion;
    if (!f->kkt) {
        solve_multipliers(f, Q);
    } else {
        if (!rbv_kkt_matches(f->kkt, motion)) {
            rbv_kkt_destroy(f->kkt);
            f->kkt = rbv_kkt_create(motion);
            if (!f->kkt)
                return RBV_NO_MEMORY;
        }
        if (!rbv_kkt_factor(f->kkt, motion))
            return rbv_forces_fail(f, RBV_LOCKED, "Lagrange's equations are singular%s", "");
        memcpy(f->x, Q, (size_t)motion->n * sizeof *Q); /* rotors are not among its masses; what they do is known with the motion */
        rbv_state_add_rotors(motion->state, motion->state->a, -1, f->x);
        rbv_kkt_solve(f->kkt, motion, f->x, motion->state->a, f->reactions->lambda);
        rbv_state_accelerate(motion->state);
    }
    bool choose = motion->solvability->redundant > 0 || f->choice_always;
    return choose ? rbv_choice_apply(f->choice, motion->state, motion->solvability, f->reactions, f->diagnostics) : RBV_OK;
}

/* Loads, friction as it is now, and what lambda pushes along lines of centres. */
RbvStatus rbv_multipliers_for(RbvForces *f, bool lines) {
    const RbvState *state = f->motion->state;
    memcpy(f->wrenches, state->wrenches, (size_t)f->system->model->bodies.count * sizeof *f->wrenches);
    for (int32_t i = 0; i < f->friction_count; i++)
        for (int c = 0; f->force[i] != 0 && c < f->system->rubs[i].count; c++)
            rbv_rub_push(state, &f->system->rubs[i], c, rbv_friction_effort(f, i, c), f->wrenches);
    if (lines)
        rbv_reactions_lines(f->reactions, state, f->wrenches);
    rbv_coordinates_pull(&f->system->coordinates, rbv_state_at(f->motion->state), f->wrenches, f->Q);
    return solve(f, f->Q);
}

/* Where tooth forces are redundant the pushes change the choice among them, and so the pushes: until they stay. Elsewhere the second pass finds them as
 * they were. */
RbvStatus rbv_multipliers_with_lines(RbvForces *f) {
    const RbvSystem *system = f->system;
    RbvStatus status = rbv_multipliers_for(f, false);
    double before = INFINITY;
    for (int step = 0; status == RBV_OK && f->reactions->has_line; step++) {
        double change = 0, largest = 0;
        for (int32_t k = 0; k < system->model->joints.count; k++)
            f->before[k] = f->reactions->lambda[system->joint_row[k]];
        status = rbv_multipliers_for(f, true);
        for (int32_t k = 0; k < system->model->joints.count; k++) {
            if (system->model->joints.items[k].form != RBV_FORM_GEAR)
                continue;
            double now = f->reactions->lambda[system->joint_row[k]];
            change = fmax(change, fabs(now - f->before[k]));
            largest = fmax(largest, fabs(now));
        }
        bool settled = change <= LINES_EXACT * largest || (change <= LINES_FLOOR * largest && change > 0.5 * before);
        if (status != RBV_OK || settled || f->motion->solvability->redundant == 0)
            return status;
        before = change;
        if (step == RBV_FORCES_STEPS)
            return rbv_forces_fail(f, RBV_LOCKED, "tooth forces and the pushes that follow them do not settle%s", "");
    }
    return status;
}
