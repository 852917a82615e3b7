/* The start of a motion: assembled, or in equilibrium; flow, stepper, forces and record at the first instant. */

#include "analysis/analyses/forward_run.h"
#include "analysis/analyses/start.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/integration/failure_cause.h"
#include "model/result/result.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom.h"
#include "solution/assembly/freedom_checks.h"
#include "statics/find_equilibrium.h"

#include <math.h>
#include <stdlib.h>

/* ---- requirements of tracking, on a model and on its start ---- */

/* Most requirements that are checked for being locked: more would take too long. */
#define MOST_REQUIREMENTS 20

static RbvStatus refuse_tracking(const RbvModel *model, RbvPosition where, RbvDiagnostics *diagnostics,
                                 const char *name, const char *what) {
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, where, "'%s' %s, which track does not follow in this version",
                 name, what);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics) {
    if (model->requirement_count == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "nothing is required: track needs track: {require: {name: {equation: ...}}}");
        return RBV_BAD_INPUT;
    }
    if (model->conditions.count > 0)
        return refuse_tracking(model, model->conditions.items[0].where, diagnostics, model->conditions.items[0].name,
                               "has active:");
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            return refuse_tracking(model, model->drives.items[k].where, diagnostics, model->drives.items[k].name,
                                   "has a max:");
    if (model->stops.count > 0)
        return refuse_tracking(model, model->stops.items[0].where, diagnostics, model->stops.items[0].name,
                               "is a stop");
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->has_friction || joint->unilateral)
            return refuse_tracking(model, joint->where, diagnostics, joint->name,
                                   joint->has_friction ? "has friction" : "can let go (unilateral:)");
    }
    if (model->nonideals.count > 0 && model->actuators.count > 0)
        return refuse_tracking(model, model->nonideals.items[0].where, diagnostics,
                               model->constraints.items[model->nonideals.items[0].constraint].name,
                               "does work (nonideal:) beside actuators");
    return RBV_OK;
}

static bool gives_rates(const RbvModel *model) {
    for (int32_t k = 0; k < model->initial.count; k++)
        if (model->initial.items[k].of.rate > 0)
            return true;
    return false;
}

/* Error of requirement k at the start over the allowed error: of its value, or of its rate. twists[bodies.size]. */
static double misfit(const RbvState *state, const double *twists, const double *scales, int32_t k, bool of_rate) {
    const RbvRowPattern *D = &state->system->D;
    double error = -state->nu[k], parts = fabs(state->nu[k]), slope = 0;
    for (int32_t e = D->start[k]; e < D->start[k + 1]; e++) {
        double part = state->D[e] * twists[D->column[e]];
        error += part;
        parts += fabs(part);
        slope = rbv_max(slope, fabs(state->D[e]) * scales[D->column[e]]);
    }
    /* Allowed error of the start, as a part of the size. */
    if (!of_rate)
        return fabs(state->phi[k]) / (RBV_FITS * slope * rbv_state_row_size(state, k));
    return error == 0 ? 0 : fabs(error) / (RBV_FITS * parts);
}

/* Rate of the required expression in its own unit, which should be 0. */
static double rate_left(const RbvState *state, const double *twists, int32_t k) {
    const RbvRowPattern *D = &state->system->D;
    double error = -state->nu[k];
    for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
        error += state->D[e] * twists[D->column[e]];
    return error;
}

static bool depends_on_time(const RbvModel *model, const RbvConstraint *constraint) {
    for (int32_t v = 0; v < rbv_expr_variable_count(constraint->equation); v++)
        if (rbv_variable_of(model, constraint->equation, v).kind == RBV_VARIABLE_TIME)
            return true;
    return false;
}

/* The freedoms that joints, constraints and drives leave. NULL: no memory. */
static RbvFreedom *free_of_mechanism(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    for (int32_t k = model->constraints.count - model->requirement_count; without && k < model->constraints.count; k++)
        without[system->constraint_row[k]] = true;
    RbvFreedom *freedom = without ? rbv_freedom_create_without(state, system->undriven_count, without) : NULL;
    for (int32_t row = system->undriven_count; freedom && row < system->row_count; row++)
        if (rbv_state_holds(state, row))
            rbv_freedom_take_row(freedom, state, row);
    free(without);
    return freedom;
}

/* Is every body at rest, without drives that could begin to move? */
static bool rests(const RbvState *state) {
    bool still = state->system->model->drives.count == 0;
    for (int32_t b = 1; still && b < state->system->bodies.count; b++)
        still = rbv_norm(state->twists[b].v) == 0 && rbv_norm(state->twists[b].w) == 0;
    return still;
}

/* Report requirements that the mechanism locks: no control force changes their value, so one that begins to change with
 * time cannot be met from rest, and control would only strain the mechanism. (In motion a dead centre is passed.)
 * INCONSISTENT. */
static RbvStatus refuse_locked(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    RbvStatus status = RBV_OK;
    if (!rests(state) || model->requirement_count > MOST_REQUIREMENTS)
        return RBV_OK;
    RbvFreedom *freedom = free_of_mechanism(state);
    if (!freedom)
        return RBV_NO_MEMORY;
    for (int32_t k = model->constraints.count - model->requirement_count; k < model->constraints.count; k++) {
        const RbvConstraint *required = &model->constraints.items[k];
        int32_t row = state->system->constraint_row[k];
        /* Part of a requirement's row outside the rows of the mechanism that counts as rounding. */
        if (!depends_on_time(model, required) || (state->nu[row] == 0 && state->gamma[row] == 0) ||
            rbv_freedom_part_of_row(freedom, state, row) > RBV_SAME)
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, required->where,
                     "requirement '%s' fails at t = %.9g s: it begins to change with time, and joints, constraints and "
                     "drives leave nothing free that would change what it measures",
                     required->name, state->t);
        status = RBV_INCONSISTENT;
    }
    status = rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
    rbv_freedom_destroy(freedom);
    return status;
}

/* The required rows are active from now on, at the assembled state: active[rows] is the caller's and must live as long
 * as the state. Where errors are not corrected the start must satisfy the required rows. INCONSISTENT (the row is
 * reported), NOT_FINITE, NO_MEMORY. */
static RbvStatus begin_required(RbvState *state, bool *active, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool noted = false;
    for (int32_t k = 0; k < system->row_count; k++)
        active[k] = rbv_state_holds(state, k);
    for (int32_t k = model->constraints.count - model->requirement_count; k < model->constraints.count; k++)
        active[system->constraint_row[k]] = true;
    state->active = active;
    double *scales = rbv_state_column_scales(state);
    if (!scales)
        return RBV_NO_MEMORY;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    rbv_state_move(state);
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, state->twists[b], state->columns);
    RbvStatus status = rbv_state_rates(state) ? RBV_OK : RBV_NOT_FINITE;
    for (int32_t k = model->constraints.count - model->requirement_count;
         status == RBV_OK && isnan(model->track_rate) && k < model->constraints.count; k++) {
        const RbvConstraint *required = &model->constraints.items[k];
        int32_t row = system->constraint_row[k];
        bool place_differs = !required->on_rates && misfit(state, state->columns, scales, row, false) > 1,
             rate_differs = misfit(state, state->columns, scales, row, true) > 1;
        if (place_differs || (rate_differs && gives_rates(model))) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, required->where,
                         "at t = %.9g s the start does not fit requirement '%s': its %s is off by %.6g; give rate: to "
                         "track:, by which errors die out, or "
                         "initial: that fits",
                         state->t, required->name, place_differs ? "left-hand side" : "rate",
                         place_differs ? state->phi[row] : rate_left(state, state->columns, row));
            status = RBV_INCONSISTENT;
        } else if (rate_differs && !noted) {
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, required->where,
                         "rates at the start are those nearest to rest that track: requires; initial: gives none");
            noted = true;
        }
    }
    free(scales);
    return status == RBV_OK ? refuse_locked(state, diagnostics) : status;
}

/* No step is longer than this part of the run, or than this number of sample steps: a motion that begins after the
 * first instant must not be stepped over. */
#define LONGEST_PART 0.05
#define LONGEST_SAMPLES 10

RbvStatus rbv_forward_run_fail(const RbvForwardRun *s, RbvStatus status, const char *text) {
    rbv_diagnose(s->run->diagnostics, RBV_ERROR, s->run->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 s->state->t, text);
    return status;
}

/* Report why there is no motion from the start; the status. */
static RbvStatus report_failure(const RbvForwardRun *s, RbvStatus status) {
    char why[256] = "", text[400];
    const char *what = status == RBV_LOCKED
                           ? "the equations of motion are singular: a motion that the joints leave free has no mass"
                           : "the forces are not finite";
    if (status == RBV_NOT_FINITE)
        rbv_flow_explain(&s->flow, why, sizeof why);
    if (status == RBV_LOCKED)
        rbv_massless_explain(s->state, why, sizeof why);
    if (status == RBV_LOCKED && why[0])
        what = "the equations of motion are singular";
    if (status == RBV_INCONSISTENT && s->tracks)
        rbv_tracking_explain(&s->tracking, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        what = why[0] ? "there is no motion as required" : "the mechanism cannot follow what is required";
    snprintf(text, sizeof text, "%s%s%s", what, why[0] ? ": " : "", why);
    return rbv_forward_run_fail(s, status, text);
}

/* Equilibrium at the start. Coordinates that are assembled in the absolute system come to rest in the absolute
 * system. */
static RbvStatus start_at_equilibrium(RbvForwardRun *s) {
    const bool as_bodies = s->run->system->absolute != NULL;
    RbvState *found = NULL;
    RbvStatus status = rbv_equilibrium_state(as_bodies ? s->run->system->absolute : s->run->system, &s->run->options,
                                             RBV_SUPPORTED_BY_JOINTS, s->run->diagnostics, &s->assembled, &found);
    if (!as_bodies) {
        s->state = found;
        return status;
    }
    s->state = status == RBV_OK ? rbv_state_create(s->run->system) : NULL;
    if (s->state) {
        rbv_absolute_state_take(s->state, found);
        return RBV_OK;
    }
    rbv_state_destroy(found);
    return status == RBV_OK ? RBV_NO_MEMORY : status;
}

/* The state at `from`. */
static RbvStatus place_first(RbvForwardRun *s) {
    double from = s->run->samples.from;
    if (s->run->options.start_at_equilibrium)
        return start_at_equilibrium(s);
    if (!(s->state = rbv_state_create(s->run->system)))
        return RBV_NO_MEMORY;
    s->state->progress = &s->run->samples.progress;
    s->state->t = from;
    if (s->run->options.start)
        return rbv_start_place(s->run->options.start, s->state, &s->activity, s->run->diagnostics);
    RbvAssembly assembly = {.may_slip = !s->tracks};
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status =
        messages ? rbv_activity_assemble(&s->activity, s->state, from, true, messages, &assembly) : RBV_NO_MEMORY;
    status = rbv_blame_drives(s->state, status, messages, s->run->diagnostics);
    rbv_diagnostics_destroy(messages);
    return status;
}

/* Activate the required rows, which were not assembled. */
static RbvStatus begin_tracking(RbvForwardRun *s) {
    s->active = malloc((size_t)s->run->system->row_count + 1);
    if (!s->active)
        return RBV_NO_MEMORY;
    RbvStatus status = begin_required(s->state, s->active, s->run->diagnostics);
    if (status == RBV_OK && !rbv_tracking_create(&s->tracking, s->state, s->flow.saddle))
        status = RBV_NO_MEMORY;
    s->flow.tracking = &s->tracking;
    return status;
}

/* Room for the inertia that drives feel. False: no memory. */
static bool make_felt(RbvForwardRun *s, RbvRecord *record) {
    const RbvSystem *system = s->run->system;
    size_t rows = (size_t)system->row_count + (size_t)system->coordinates.own_rows + 1;
    s->felt = calloc((size_t)s->run->model->drives.count + 2 * rows + (size_t)s->flow.n + 1, sizeof *s->felt);
    record->felt = s->felt;
    return s->felt != NULL;
}

RbvStatus rbv_forward_run_create(RbvForwardRun *s) {
    const RbvSamples *samples = &s->run->samples;
    RbvStatus status = place_first(s);
    if (status == RBV_OK)
        status = rbv_check_wheels(s->state, s->run->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvMachine machine = rbv_machine_of(s->state);
    machine.corrected = s->run->options.start ? -1 : machine.corrected;
    machine = s->run->options.start_at_equilibrium ? rbv_machine_corrected(machine, &s->assembled) : machine;
    double longest = rbv_min(LONGEST_PART * (samples->to - samples->from), LONGEST_SAMPLES * samples->step);
    if (!rbv_flow_create(&s->flow, s->state, s->run->diagnostics))
        return RBV_NO_MEMORY;
    rbv_saddle_set_active(s->flow.saddle, s->state->active);
    status = s->tracks ? begin_tracking(s) : RBV_OK;
    if (status != RBV_OK)
        return status;
    status = rbv_stepper_create(&s->stepper, &s->flow, samples->from, s->tolerance,
                                longest > 0 ? longest : samples->step, s->run->options.motion.method);
    if (status == RBV_LOCKED || status == RBV_NOT_FINITE || status == RBV_INCONSISTENT)
        return report_failure(s, status);
    s->stepper.run = s->stepped ? 0 : samples->to - samples->from;
    if (status == RBV_OK)
        status = rbv_event_loop_create(&s->loop, &s->flow, &s->stepper, s->run->options.reactions.frame);
    if (status == RBV_OK)
        status = rbv_sample_forces_create(&s->forces, &s->flow, &s->run->options, s->run->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions what = {.analysis = s->tracks ? "track" : "simulate",
                             .tracks = s->tracks,
                             .required = s->tracks && s->run->model->actuators.count == 0,
                             .method = "explicit",
                             .reactions = true,
                             .series = true,
                             .influences = s->run->options.reactions.influences,
                             .drive_rates = s->run->options.sizing.catalogue != NULL,
                             .instant = s->stepped,
                             .orders = 2,
                             .energy = true,
                             .stops = true,
                             .states = true,
                             .impulses = s->loop.has_indicators};
    RbvRecord *record = rbv_record_create(s->run->system, s->forces.reactions, &what);
    if (!rbv_run_record(s->run, record, s->state) || !rbv_audit_create(&s->audit, s->run->system) ||
        !rbv_note_inertias(s->state, s->run->diagnostics) ||
        !rbv_record_machine(record->result, s->run->model, &machine))
        return RBV_NO_MEMORY;
    if (s->run->options.start)
        rbv_start_continue(s->run->options.start, s->state, record);
    if (record->feels && !make_felt(s, record))
        return RBV_NO_MEMORY;
    record->impulses = &s->loop.impulses;
    s->audit.tolerance = s->tolerance;
    s->audit.slips = true;
    s->audit.missing = s->forces.singular.missing;
    rbv_power_begin(&s->flow.power, s->state);
    rbv_energy_balance_begin(&s->stepper.balance, &s->flow.power, s->flow.state);
    s->energy = rbv_power_energy(&s->flow.power, s->state);
    return RBV_OK;
}

void rbv_forward_run_destroy(RbvForwardRun *s) {
    rbv_audit_destroy(&s->audit);
    rbv_sample_forces_destroy(&s->forces);
    rbv_event_loop_destroy(&s->loop);
    free(s->active);
    free(s->felt);
    rbv_stepper_destroy(&s->stepper);
    rbv_tracking_destroy(&s->tracking);
    rbv_flow_destroy(&s->flow);
    rbv_state_destroy(s->state);
    rbv_activity_destroy(&s->activity);
}
