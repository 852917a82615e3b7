/* Multipliers of one sample: by a method, the choice where they are not unique, and the forces along lines of
 * centres that depend on them; see forces.h. */
#include "solution/reaction/forces_parts.h"

#include "core/base/diagnostics.h"

#include <stdio.h>
#include <string.h>

/* Iteration of tooth forces has converged when they change by less than this part of the largest. */
#define LINES_EXACT 1e-12
/* Or when changes no longer shrink, below this part: near singular positions rounding is larger. */
#define LINES_FLOOR 1e-8

RbvStatus rbv_forces_fail(const RbvForces *f, RbvStatus status, const char *format, const char *name) {
    char text[400];
    snprintf(text, sizeof text, format, name);
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 f->motion->state->t, text);
    return status;
}

static RbvStatus solve(RbvForces *f) {
    RbvMotion *motion = f->motion;
    RbvStatus status = f->method->solve(f->own, motion, f->Q, f->reactions->lambda);
    if (status == RBV_LOCKED && f->method->explain) {
        char why[300];
        f->method->explain(f->own, why, sizeof why);
        return rbv_forces_fail(f, status, "%s", why);
    }
    if (status != RBV_OK)
        return status == RBV_LOCKED ? rbv_forces_fail(f, status, "--method %s finds no forces", f->method->name)
                                    : status;
    bool choose = motion->solvability->redundant > 0 || f->choice_always;
    return choose ? rbv_choice_apply(f->choice, motion->state, motion->solvability, f->reactions, f->diagnostics)
                  : RBV_OK;
}

RbvStatus rbv_multipliers_for(RbvForces *f, bool lines) {
    const RbvState *state = f->motion->state;
    memcpy(f->wrenches, state->wrenches, (size_t)f->system->model->bodies.count * sizeof *f->wrenches);
    for (int32_t i = 0; i < f->friction_count; i++)
        for (int c = 0; f->force[i] != 0 && c < f->system->friction[i].count; c++)
            rbv_friction_push(state, &f->system->friction[i], c, rbv_friction_effort(f, i, c), f->wrenches);
    if (lines)
        rbv_reactions_lines(f->reactions, state, f->wrenches);
    for (int32_t b = 1; b < f->system->bodies.count; b++)
        rbv_bodies_put(&f->system->bodies, b, (RbvTwist){f->wrenches[b].force, f->wrenches[b].torque}, f->Q);
    return solve(f);
}

/* Where tooth forces are redundant, the radial forces change the choice, and so the radial forces: iterates until
 * they stay. Else the second pass confirms the first. */
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
