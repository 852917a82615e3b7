/* The start of a motion: assembled, or in equilibrium; flow, stepper, forces and record at the first instant. */
#include "analysis/analyses/simulation.h"

#include "analysis/analyses/start.h"
#include "analysis/analyses/track_start.h"
#include "analysis/scene/scene.h"
#include "model/result/result.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom_checks.h"
#include "statics/find_equilibrium.h"

#include <math.h>
#include <stdlib.h>

/* No step is longer than this part of the run, or than this number of sample steps: a motion that begins after the
 * first instant must not be stepped over. */
#define LONGEST_PART 0.05
#define LONGEST_SAMPLES 10

/* Equilibrium at the start. Coordinates that are assembled in the absolute system come to rest in the absolute
 * system. */
static RbvStatus start_at_equilibrium(RbvSimulation *s) {
    const bool as_bodies = s->system->absolute != NULL;
    RbvState *found = NULL;
    RbvStatus status = rbv_equilibrium_state(as_bodies ? s->system->absolute : s->system, s->options,
                                             RBV_SUPPORTED_BY_JOINTS, s->diagnostics, &s->assembled, &found);
    if (!as_bodies) {
        s->state = found;
        return status;
    }
    s->state = status == RBV_OK ? rbv_state_create(s->system) : NULL;
    if (s->state) {
        rbv_absolute_state_take(s->state, found);
        return RBV_OK;
    }
    rbv_state_destroy(found);
    return status == RBV_OK ? RBV_NO_MEMORY : status;
}

/* The state at `from`. */
static RbvStatus start(RbvSimulation *s, double from, RbvProgress *progress) {
    if (s->options->start_at_equilibrium)
        return start_at_equilibrium(s);
    if (!(s->state = rbv_state_create(s->system)))
        return RBV_NO_MEMORY;
    s->state->progress = progress;
    s->state->t = from;
    if (s->options->start)
        return rbv_start_place(s->options->start, s->state, &s->activity, s->diagnostics);
    RbvAssembly assembly = {.may_slip = !s->tracks};
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvStatus status =
        said ? rbv_activity_assemble(&s->activity, s->state, from, true, said, &assembly) : RBV_NO_MEMORY;
    status = rbv_blame_drives(s->state, status, said, s->diagnostics);
    rbv_diagnostics_destroy(said);
    return status;
}

/* Activate the required rows, which were not assembled. */
static RbvStatus begin_tracking(RbvSimulation *s) {
    s->active = malloc((size_t)s->system->row_count + 1);
    if (!s->active)
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_track_begin(s->state, s->active, s->diagnostics);
    if (status == RBV_OK && !rbv_tracking_create(&s->tracking, s->state, s->flow.saddle))
        status = RBV_NO_MEMORY;
    s->flow.tracking = &s->tracking;
    return status;
}

RbvStatus rbv_simulation_create(RbvSimulation *s, const RbvSamples *samples, RbvProgress *progress) {
    RbvStatus status = start(s, samples->from, progress);
    if (status == RBV_OK)
        status = rbv_check_wheels(s->state, s->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvMachine machine = rbv_machine_of(s->state);
    machine.corrected = s->options->start ? -1 : machine.corrected;
    machine = s->options->start_at_equilibrium ? rbv_machine_corrected(machine, &s->assembled) : machine;
    double longest = fmin(LONGEST_PART * (samples->to - samples->from), LONGEST_SAMPLES * samples->step);
    if (!rbv_flow_create(&s->flow, s->state, s->diagnostics))
        return RBV_NO_MEMORY;
    rbv_saddle_set_active(s->flow.saddle, s->state->active);
    status = s->tracks ? begin_tracking(s) : RBV_OK;
    if (status != RBV_OK)
        return status;
    status = rbv_stepper_create(&s->stepper, &s->flow, samples->from, s->tolerance,
                                longest > 0 ? longest : samples->step, s->options->motion);
    if (status == RBV_LOCKED || status == RBV_NOT_FINITE || status == RBV_INCONSISTENT)
        return rbv_simulation_report_failure(s, status);
    s->stepper.run = samples->to - samples->from;
    if (status == RBV_OK)
        status = rbv_event_loop_create(&s->loop, &s->flow, &s->stepper, s->options->frame);
    if (status == RBV_OK)
        status = rbv_sample_forces_create(&s->forces, &s->flow, s->options, s->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions what = {.analysis = s->tracks ? "track" : "simulate",
                             .tracks = s->tracks,
                             .required = s->tracks && s->model->actuators.count == 0,
                             .method = "explicit",
                             .reactions = true,
                             .series = true,
                             .orders = 2,
                             .energy = true,
                             .stops = true,
                             .states = true,
                             .impulses = s->loop.has_indicators};
    s->record = rbv_record_create(s->system, s->forces.reactions, &what);
    if (!s->record || !rbv_audit_create(&s->audit, s->system) ||
        !rbv_result_reserve_in(s->record->result, samples->count, s->options->rows_folder, s->options->rows_memory))
        return RBV_NO_MEMORY;
    if (!rbv_note_inertias(s->state, s->diagnostics) || !rbv_record_machine(s->record->result, s->model, &machine))
        return RBV_NO_MEMORY;
    if (!rbv_scene_show(s->record->result, s->state, s->options))
        return RBV_NO_MEMORY;
    if (s->options->start)
        rbv_start_continue(s->options->start, s->state, s->record);
    s->record->impulses = &s->loop.impulses;
    s->audit.tolerance = s->tolerance;
    s->audit.slips = true;
    s->audit.missing = s->forces.singular.missing;
    rbv_power_begin(&s->flow.power, s->state);
    rbv_energy_balance_begin(&s->stepper.balance, &s->flow.power, s->flow.state);
    s->energy = rbv_power_energy(&s->flow.power, s->state);
    return RBV_OK;
}

void rbv_simulation_destroy(RbvSimulation *s) {
    rbv_audit_destroy(&s->audit);
    rbv_record_destroy(s->record);
    rbv_sample_forces_destroy(&s->forces);
    rbv_event_loop_destroy(&s->loop);
    free(s->active);
    rbv_stepper_destroy(&s->stepper);
    rbv_tracking_destroy(&s->tracking);
    rbv_flow_destroy(&s->flow);
    rbv_state_destroy(s->state);
    rbv_activity_destroy(&s->activity);
}
