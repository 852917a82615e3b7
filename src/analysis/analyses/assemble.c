/* The assemble analysis: the state at `from` from joints, constraints, drives and initial conditions, and the
 * coordinates that were completed.
 */
#include <roberval/analysis.h>

#include "analysis/analyses/state_terms.h"
#include "analysis/analyses/udwadia_record.h"
#include "analysis/scene/scene.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "solution/solvability/solvability.h"

#include <math.h>

/* C, nu, rates of measures and mobility at the assembled state, as the only sample. */
static RbvStatus record_state(RbvRecord *record, RbvState *state, RbvSolvability *solvability,
                              const RbvAssembly *assembly) {
    char why[256];
    rbv_state_place(state);
    rbv_state_rates(state);
    rbv_state_jacobian(state);
    RbvStatus status = rbv_solvability_decide(solvability, state);
    if (status != RBV_OK)
        return status;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    rbv_state_move(state);
    rbv_state_load(state); /* evaluates measures of outputs; a load need not be finite here */
    if (!rbv_result_reserve(record->result, 1))
        return RBV_NO_MEMORY;
    rbv_record_sample(record, state, NULL, why, sizeof why);
    RbvMachine machine = rbv_machine_of(state);
    bool kept = rbv_record_machine(record->result, state->system->model, &machine) &&
                rbv_record_mobility(record, state, solvability) &&
                rbv_record_assembly(record, state, assembly->restarts);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

/* Scene, coordinates and separately requested terms of the state. */
static RbvStatus describe(const RbvSystem *given, RbvState *state, const RbvOptions *options,
                          RbvDiagnostics *diagnostics, RbvResult *result) {
    if (!rbv_scene_show(result, state, options) || !rbv_record_coordinates(result, given))
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_record_state_terms(given, state, options, diagnostics, result);
    return status == RBV_OK && options->udwadia != RBV_UDWADIA_NONE
               ? rbv_record_udwadia(state->system, options, diagnostics, result)
               : status;
}

/* Assemble at the first instant; *solvability is that of the active rows. If drives are over-determined, errors are
 * reported at the drives. */
static RbvStatus assemble_first(RbvState *state, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                RbvActivity *activity, RbvAssembly *assembly, RbvSolvability **solvability) {
    const RbvSystem *system = state->system;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvStatus status =
        said ? rbv_activity_assemble(activity, state, rbv_first_instant(system->model, options), false, said, assembly)
             : RBV_NO_MEMORY;
    status = rbv_blame_drives(state, status, said, diagnostics);
    rbv_diagnostics_destroy(said);
    if (status == RBV_OK && activity->active) {
        rbv_solvability_destroy(*solvability);
        *solvability = rbv_solvability_create_of(system, activity->active, RBV_CRITERION_DEFAULT, false);
        status = *solvability ? RBV_OK : RBV_NO_MEMORY;
    }
    return status == RBV_OK ? rbv_check_wheels(state, diagnostics) : status;
}

RbvStatus rbv_assembly(const RbvSystem *given_system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                       RbvResult **result) {
    if (!given_system || !result)
        return RBV_BAD_ARGUMENT;
    const RbvSystem *system = given_system->absolute ? given_system->absolute
                                                     : given_system; /* bodies are assembled in absolute coordinates */
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    const RbvModel *model = system->model;
    RbvNotes notes;
    RbvStatus begun = !rbv_options_valid(&options)          ? RBV_BAD_ARGUMENT
                      : rbv_notes_open(&notes, diagnostics) ? RBV_OK
                                                            : RBV_NO_MEMORY;
    if (begun != RBV_OK)
        return begun;
    RbvRecordOptions what = {.analysis = "assemble", .orders = 1, .series = true};
    RbvProgress progress = {.go_on = options.progress, .context = options.context};
    RbvAssembly assembly = {0};
    RbvActivity activity = {0};
    RbvState *state = rbv_state_create(system);
    RbvSolvability *solvability = rbv_solvability_create(system, RBV_CRITERION_DEFAULT, false);
    RbvRecord *record = rbv_record_create(system, NULL, &what);
    RbvStatus status = state && solvability && record ? RBV_OK : RBV_NO_MEMORY;
    if (state)
        state->progress = &progress;
    if (status == RBV_OK)
        status = rbv_model_without_motion(
            model, "assemble", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS | RBV_TAKES_LIMITS,
            notes.report);
    if (status == RBV_OK)
        status = assemble_first(state, &options, notes.report, &activity, &assembly, &solvability);
    if (status == RBV_OK)
        status = record_state(record, state, solvability, &assembly);
    if (status == RBV_OK)
        status = describe(given_system, state, &options, notes.report, record->result);
    if (status == RBV_OK)
        rbv_note_valueless(record, model, notes.report);
    if (status == RBV_OK && !rbv_notes_keep(&notes, model, record->result))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *result = record->result;
        record->result = NULL;
    }
    status = rbv_scene_end(system, &options, "assemble", status, notes.report, result);
    rbv_record_destroy(record);
    rbv_solvability_destroy(solvability);
    rbv_state_destroy(state);
    rbv_activity_destroy(&activity);
    rbv_notes_close(&notes);
    return status;
}
