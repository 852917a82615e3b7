/* Assembly by Levenberg-Marquardt with restarts; see assemble.h. */
#include "core/base/extremes.h"
#include "solution/assembly/descent.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [rad, or relative to the size] Accuracy of starting poses written by eye. Drives that require more are moved to their
 * targets; poses that differ by more are only a start for the search. */
#define POSES_FIT 0.3

/* Checks that derivatives are finite; they may be infinite where values are finite: sqrt at 0. */
static RbvStatus check_finite(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    rbv_state_jacobian(state);
    for (int32_t k = 0; k < system->row_count; k++)
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            /* These belong to rates that are not known yet. */
            bool on_rates = system->rows[k].on_rates && system->rows[k].equation;
            if (isfinite(state->C[e]) || on_rates)
                continue;
            char name[160];
            rbv_system_row_name(system, k, name, sizeof name);
            rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                         "at t = %g s the derivatives of %s are not finite where the mechanism is assembled", state->t,
                         name);
            return RBV_NOT_FINITE;
        }
    return RBV_OK;
}

static void to_starting_poses(RbvDescent *d) {
    memcpy(d->state->q, d->start, (size_t)d->system->coordinates.position_size * sizeof(double));
    rbv_descent_raw_turns(d);
}

/* Descends from the starting poses, with every angle in the turn nearest to its prescribed value. Returns the error. */
static double descend_from_poses(RbvDescent *d) {
    to_starting_poses(d);
    rbv_choose_turns(d->state);
    rbv_descent_keep_turns(d);
    rbv_descent_weigh(d);
    return rbv_descend(d);
}

/* The largest deviation of drives and initial conditions among the rows at the evaluated positions: angle [rad], or
 * length relative to the size. */
static double asked(const RbvDescent *d) {
    double most = 0;
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &d->system->rows[k];
        if (row->owner == RBV_OWNER_DRIVE || row->owner == RBV_OWNER_INITIAL)
            most = rbv_max(most, fabs(d->state->phi[k]) / (row->angular ? 1 : rbv_state_row_size(d->state, k)));
    }
    return most;
}

/* The largest movement of a body from the starting poses: angle [rad], or length relative to the size. */
static double moved(RbvDescent *d) {
    RbvTwist *twists = d->state->twists;
    double most = 0;
    rbv_coordinates_difference(&d->system->coordinates, d->start, d->state->q, d->step);
    rbv_coordinates_velocities(&d->system->coordinates, rbv_state_at(d->state), d->step, twists);
    for (int32_t b = 1; b < d->system->bodies.count; b++) {
        RbvTwist twist = twists[b];
        most = rbv_max(most, rbv_max(rbv_norm(twist.w), rbv_norm(twist.v) / rbv_state_body_size(d->state, b)));
    }
    return most;
}

static double motion_start(const RbvModel *model) {
    return model->has_motion ? model->from : 0;
}

/* Finds a pose from which drives are moved to their targets: that of joints and constraints alone if near to the
 * starting poses; else that at the start of the motion. If no relation counts turns, each drive is in the turn nearest
 * to the start of its motion, else in the turn of the pose. False: no such pose, or out of memory. */
static bool find_anchor(RbvDescent *d) {
    RbvState *state = d->state;
    const double t = state->t;
    to_starting_poses(d);
    rbv_descent_take_rows(d, d->system->undriven_count);
    if (!rbv_state_place(state))
        return false;
    rbv_descent_weigh(d);
    bool found = rbv_descend(d) <= RBV_ASSEMBLY_TOLERANCE && moved(d) <= POSES_FIT;
    rbv_descent_take_rows(d, d->system->row_count);
    state->t = motion_start(d->system->model);
    found = found || descend_from_poses(d) <= RBV_ASSEMBLY_TOLERANCE;
    rbv_descent_raw_turns(d);
    if (!rbv_counts_turns(d->system))
        rbv_choose_turns(state);
    state->t = t;
    return found && rbv_state_place(state);
}

/* Assembles at such a pose and moves the drives to their targets, straight and counting turns (approach_target.c). */
static bool assemble_by_leading(RbvDescent *d, RbvDiagnostics *diagnostics) {
    RbvState *state = d->state;
    size_t positions = (size_t)d->system->coordinates.position_size * sizeof(double);
    if (!find_anchor(d))
        return false;
    rbv_descent_weigh(d);
    memcpy(d->best, state->q, positions);
    if (!rbv_approach_target(d))
        return false;
    rbv_descent_keep_turns(d);
    if (!(rbv_descend(d) <= RBV_ASSEMBLY_TOLERANCE))
        return false;
    /* notes compare the starting poses with the pose assembled from these */
    const RbvAssembly assembly = {0};
    memcpy(d->q, state->q, positions);
    memcpy(state->q, d->best, positions);
    rbv_note_branch(state, d->start, d->step, &assembly, diagnostics);
    memcpy(state->q, d->q, positions);
    return rbv_state_place(state);
}

/* Assembles joints, constraints and drives. */
static RbvStatus assemble_rows(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    rbv_descent_take_rows(d, d->system->row_count);
    bool finite = rbv_state_place(d->state);
    rbv_hold_turns(d->state);
    double error = finite && asked(d) <= POSES_FIT ? descend_from_poses(d) : INFINITY;
    RbvStatus status = rbv_progress_stopped(d->state->progress) ? RBV_INTERRUPTED
                       : d->state->no_memory                    ? RBV_NO_MEMORY
                                                                : RBV_OK;
    if (error <= RBV_ASSEMBLY_TOLERANCE) { /* the usual case */
        assembly->error = error;
    } else {
        if (finite && assemble_by_leading(d, diagnostics))
            return rbv_descend_beside(d) ? RBV_OK : RBV_NO_MEMORY;
        rbv_descent_take_rows(d, d->system->row_count);
        to_starting_poses(d);
        rbv_choose_turns(d->state);
        rbv_descent_keep_turns(d);
        rbv_descent_weigh(d);
        status = rbv_assemble_from_other_poses(d, diagnostics, assembly);
    }
    if (status == RBV_OK && !rbv_descend_beside(d))
        return RBV_NO_MEMORY;
    if (status == RBV_OK)
        rbv_note_branch(d->state, d->start, d->step, assembly, diagnostics);
    return status;
}

/* Assembles the initial conditions also, from a position that satisfies all other rows. */
static RbvStatus assemble_initial(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvState *state = d->state;
    size_t positions = (size_t)d->system->coordinates.position_size * sizeof(double);
    rbv_descent_take_rows(d, d->system->position_count);
    if (!rbv_counts_turns(d->system))
        rbv_choose_turns(state);
    rbv_descent_keep_turns(d);
    rbv_state_place(state);
    rbv_descent_weigh(d);
    memcpy(d->best, state->q, positions);
    if (asked(d) > POSES_FIT && rbv_approach_target(d)) {
        rbv_descent_keep_turns(d);
        if (rbv_descend(d) <= RBV_ASSEMBLY_TOLERANCE)
            return RBV_OK;
    }
    memcpy(state->q, d->best, positions);
    rbv_choose_turns(state);
    rbv_descent_keep_turns(d);
    return rbv_assemble_from_other_poses(d, diagnostics, assembly);
}

/* Assembles initial conditions; those on generalized coordinates may be one too many: if they contradict rows by
 * little, the rows prevail. */
static RbvStatus assemble_start(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvState *state = d->state;
    bool own = d->system->model->generalized.count > 0;
    size_t positions = (size_t)d->system->coordinates.position_size * sizeof(double);
    double *start = own ? malloc(positions + 1) : NULL;
    if (own && !start)
        return RBV_NO_MEMORY;
    if (own)
        memcpy(start, state->q, positions);
    RbvStatus status = assemble_initial(d, own ? NULL : diagnostics, assembly);
    if (own && status != RBV_OK && status != RBV_NO_MEMORY && status != RBV_INTERRUPTED) {
        memcpy(state->q, start, positions);
        state->lenient = true;
        rbv_state_place(state);
        status = assemble_initial(d, diagnostics, assembly);
        state->lenient = false;
    }
    free(start);
    return status;
}

/* Assembles initial positions that depend on each other in the starting poses, as they need not do so where they are
 * satisfied: the height of a crank's end determines its angle, but at the top the direction of descent is open, unless
 * another condition leads away from there. */
static RbvStatus meet_conditions(RbvState *state, RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    const RbvSystem *system = state->system;
    bool any = system->all_count > system->satisfied_count, driven = assembly->driven;
    RbvStatus status = rbv_check_initial(state, 0, driven, NULL, diagnostics);
    if (status != RBV_BAD_INPUT || !any)
        return status == RBV_OK && any ? assemble_start(d, diagnostics, assembly) : status;
    size_t positions = (size_t)system->coordinates.position_size * sizeof(double);
    double *start = malloc(positions + 1);
    if (!start)
        return RBV_NO_MEMORY;
    memcpy(start, state->q, positions);
    int32_t restarts = assembly->restarts;
    status = assemble_start(d, NULL, assembly);
    bool met = status == RBV_OK && rbv_check_initial(state, 0, true, NULL, NULL) == RBV_OK;
    if (met && assembly->restarts == restarts) {
        free(start);
        return rbv_check_initial(state, 0, driven, RBV_ONE_TOO_MANY, diagnostics);
    }
    memcpy(state->q, start, positions);
    free(start);
    rbv_state_place(state);
    if (status == RBV_NO_MEMORY || status == RBV_INTERRUPTED)
        return status;
    status = rbv_check_initial(state, 0, driven,
                               met ? "changes with nothing that is free in the starting poses, which so do not tell "
                                     "which way it is to be met: give poses beside these"
                                   : RBV_ONE_TOO_MANY,
                               diagnostics);
    return status == RBV_OK ? RBV_BAD_INPUT : status;
}

static RbvStatus assemble_position(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    const RbvSystem *system = state->system;
    *assembly = (RbvAssembly){.driven = assembly->driven, .may_slip = assembly->may_slip};
    state->t = t;
    RbvDescent d;
    RbvStatus status = rbv_descent_create(&d, state) ? assemble_rows(&d, diagnostics, assembly) : RBV_NO_MEMORY;
    if (system->all_count == system->satisfied_count) /* without initial conditions the descent is no longer needed */
        rbv_descent_destroy(&d);
    if (status == RBV_OK) {
        rbv_start_rates(state);
        status = check_finite(state, diagnostics);
    }
    if (status == RBV_OK)
        status = meet_conditions(state, &d, diagnostics, assembly);
    if (status == RBV_OK && !system->rate_equations)
        status = rbv_check_initial(state, 1, assembly->driven, RBV_ONE_TOO_MANY, diagnostics);
    char why[256];
    if (status == RBV_OK && rbv_describe_singular(state, why, sizeof why)) {
        rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0},
                     "where the mechanism is assembled, at t = %g s, %s", t, why);
        status = RBV_BAD_INPUT;
    }
    status = state->no_memory ? RBV_NO_MEMORY : status;
    if (status == RBV_OK)
        rbv_state_accept(state);
    if (status == RBV_OK)
        rbv_state_measure_sizes(state);
    rbv_descent_destroy(&d);
    return status;
}

static RbvStatus assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvStatus status = assemble_position(state, t, diagnostics, assembly);
    double *scale = rbv_state_column_scales(state);
    if (status == RBV_OK)
        status = scale ? rbv_assemble_velocity(state, scale, diagnostics) : RBV_NO_MEMORY;
    if (status == RBV_OK && state->system->rate_equations)
        status = rbv_check_initial(state, 1, assembly->driven, RBV_ONE_TOO_MANY, diagnostics);
    free(scale);
    return status;
}

typedef RbvStatus Assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly);

/* Assembles the absolute system, if there is one. */
static RbvStatus as_bodies(Assemble *how, RbvState *state, double t, RbvDiagnostics *diagnostics,
                           RbvAssembly *assembly) {
    if (!state->system->absolute)
        return how(state, t, diagnostics, assembly);
    RbvState *absolute = rbv_absolute_state_create(state);
    if (!absolute)
        return RBV_NO_MEMORY;
    RbvStatus status = how(absolute, t, diagnostics, assembly);
    rbv_absolute_state_take(state, absolute);
    return status;
}

RbvStatus rbv_assemble_position(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    return as_bodies(assemble_position, state, t, diagnostics, assembly);
}

RbvStatus rbv_assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    return as_bodies(assemble, state, t, diagnostics, assembly);
}
