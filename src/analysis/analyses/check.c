/* The check analysis: mobility, rank, redundancy, verdicts, self-stresses and advice, at a state and along the motion.
 * Values of reactions are not computed.
 */
#include <roberval/analysis.h>

#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/driven.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/forces.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "solution/solvability/branches.h"
#include "solution/solvability/theorems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check {
    const RbvSystem *system;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    double from;
    RbvState *state;
    RbvActivity activity; /* conditions and active rows of the state */
    RbvSolvability *solvability;
    RbvReactions *reactions;
    RbvChoice *choice;
    RbvRecord *record;
    RbvSamples samples;   /* samples of the motion, with --motion */
    RbvProgress progress; /* progress function for the state at the start */
    bool warned;
} Check;

/* Verdicts at a state with evaluated positions and Jacobian, after the rank decision. */
static RbvStatus decide(Check *check, RbvState *state) {
    RbvSolvability *s = check->solvability;
    RbvStatus status = RBV_OK;
    rbv_reactions_place(check->reactions, state);
    rbv_reactions_decide(check->reactions, state, s);
    if (s->redundant > 0 || check->options->redundant == RBV_REDUNDANT_ELIMINATE)
        status = rbv_choice_apply(check->choice, state, s, check->reactions, check->diagnostics);
    if (status != RBV_OK)
        return status;
    rbv_choice_decide(check->choice, state, s, check->reactions);
    if (!rbv_decide_dependent_loads(check->reactions, state, NULL))
        return RBV_NO_MEMORY;
    rbv_warn_friction(check->system, check->reactions, check->warned ? NULL : check->diagnostics);
    check->warned = true;
    bool kept = rbv_record_verdicts(check->record, state, check->reactions, s, check->choice);
    return !kept || rbv_solvability_no_memory(s) ? RBV_NO_MEMORY : RBV_OK;
}

/* Note large parts: their verdicts by compliances are computed by inverse only, which has their null space. */
static void note_large(const Check *check) {
    const RbvSolvability *s = check->solvability;
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        if (s->ranks[b].redundant > 0 && !rbv_has_null(&s->ranks[b]) &&
            strcmp(rbv_choice_name(check->choice), "compliance") == 0) {
            rbv_diagnose(check->diagnostics, RBV_NOTE, check->system->model->file, (RbvPosition){0, 0},
                         "a part of the mechanism has %d constraint rows: what its compliances decide is called not "
                         "unique here; inverse tells it",
                         (int)s->blocks.blocks[b].row_count);
            return;
        }
}

/* Note errors of a model that is to move: over-driving, bodies without any joint, inertias out of proportion. False: no
 * memory. */
static bool note_doubts(Check *check) {
    const RbvModel *model = check->system->model;
    bool drives = false;
    for (int32_t k = 0; k < model->drives.count; k++)
        drives = drives || check->reactions->effort_verdict[k] != RBV_UNIQUE;
    if (drives && rbv_report_overdriven(check->state, false, "", RBV_NOTE, check->diagnostics) < 0)
        return false;
    rbv_state_place(check->state);
    rbv_state_jacobian(check->state);
    return rbv_note_untouched(check->system, check->diagnostics) && rbv_note_inertias(check->state, check->diagnostics);
}

static RbvStatus at_start(Check *check) {
    const RbvModel *model = check->system->model;
    RbvState *state = check->state;
    RbvResult *result = check->record->result;
    RbvAssembly assembly = {0};
    /* velocities matter to check only where the user gives some; an over-driven model is analysed, not refused */
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvStatus status = !said ? RBV_NO_MEMORY
                       : model->conditions.count > 0
                           ? rbv_activity_assemble(&check->activity, state, check->from, false, said, &assembly)
                       : model->initial.count > 0 || check->system->rate_equations
                           ? rbv_assemble(state, check->from, said, &assembly)
                           : rbv_assemble_position(state, check->from, said, &assembly);
    status = rbv_blame_drives(state, status, said, check->diagnostics);
    if (status == RBV_OK && check->activity.active) { /* rank of the active rows */
        rbv_solvability_destroy(check->solvability);
        check->solvability =
            rbv_solvability_create_of(check->system, check->activity.active, check->options->criterion, false);
        status = check->solvability ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_diagnostics_destroy(said);
    if (status != RBV_OK)
        return status;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    status = rbv_solvability_decide(check->solvability, state);
    if (status == RBV_BAD_INPUT)
        rbv_diagnose(
            check->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
            "this criterion is dense and a part of the mechanism has more than %d rows; the default has no such limit",
            RBV_DENSE_MOST);
    if (status == RBV_OK)
        status = rbv_check_wheels(state, check->diagnostics);
    if (status != RBV_OK)
        return status;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    status = decide(check, state);
    if (status != RBV_OK)
        return status;
    result->redundant_by = rbv_choice_name(check->choice);
    note_large(check);
    if (!note_doubts(check))
        return RBV_NO_MEMORY;
    RbvMachine machine = rbv_machine_of(state);
    status = rbv_frobenius(state, &result->integrability);
    if (status == RBV_OK)
        status = rbv_multiplier_theorem(state, &result->multipliers);
    if (status != RBV_OK)
        return status;
    int32_t persistent = rbv_persistent_redundancy(check->solvability, state);
    bool good = persistent != -2 && rbv_record_machine(result, model, &machine) &&
                rbv_record_mobility(check->record, state, check->solvability) &&
                rbv_record_rows(check->record, check->solvability) &&
                rbv_record_asked(check->record, state, check->reactions, check->solvability, check->choice) &&
                rbv_record_modes(check->record, state, check->reactions, check->solvability);
    result->mobility.permanent = persistent;
    good = good && rbv_scene_show(result, state, check->options);
    return good && !rbv_solvability_no_memory(check->solvability) ? RBV_OK : RBV_NO_MEMORY;
}

static bool note_rank(Check *check, double time) {
    const RbvSolvability *s = check->solvability;
    RbvResult *result = check->record->result;
    int32_t n = result->rank_change_count;
    if (n > 0 && result->rank_changes[n - 1].rank == s->rank && result->rank_changes[n - 1].redundant == s->redundant &&
        result->rank_changes[n - 1].safe == s->safe)
        return true;
    return rbv_result_rank_change(result, (RbvRankChange){time, s->rank, s->redundant, s->safe});
}

static void report_what_is_new(Check *check, const RbvDiagnostics *own) {
    int32_t before = check->diagnostics ? rbv_diagnostics_count(check->diagnostics) : 0;
    for (int32_t k = 0; own && check->diagnostics && k < rbv_diagnostics_count(own); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(own, k);
        bool known = false;
        for (int32_t n = 0; n < before && !known; n++) {
            RbvDiagnostic said = rbv_diagnostics_at(check->diagnostics, n);
            known = said.severity == d.severity &&
                    strcmp(said.message, d.message) == 0; /* a note on the start may also end the motion */
        }
        if (!known)
            rbv_diagnose(check->diagnostics, d.severity, d.file, d.at, "%s", d.message);
    }
}

/* If the active rows have changed since the last sample, ranks are those of the present ones. *switches: number of
 * changes so far. */
static RbvStatus take_rows(Check *check, const RbvDriven *driven, int32_t *switches) {
    if (driven->switches == *switches)
        return RBV_OK;
    *switches = driven->switches;
    rbv_solvability_destroy(check->solvability);
    check->solvability =
        rbv_solvability_create_of(check->system, driven->motion->state->active, check->options->criterion, false);
    return check->solvability ? RBV_OK : RBV_NO_MEMORY;
}

/* Decide every sample again, with the rows active there. If the motion ends by loss of rank, that sample is the
 * last. */
static RbvStatus along_motion(Check *check) {
    RbvResult *result = check->record->result;
    RbvSamples *samples = &check->samples;
    RbvMotion *motion = NULL;
    RbvDriven driven = {0};
    RbvDiagnostics *own = rbv_diagnostics_create(); /* the notes of assembly are already reported */
    RbvStatus status = own ? rbv_driven_create(&driven, check->system, samples->from, samples->step, NULL, NULL,
                                               check->options->tolerance, &samples->progress, own, &motion)
                           : RBV_NO_MEMORY;
    int32_t switches = -1;
    check->record->first_sample = true;
    result->motion_from = samples->from;
    for (int32_t k = 0; status == RBV_OK && k < samples->count; k++) {
        if (!rbv_samples_go_on(samples, k)) {
            status = RBV_INTERRUPTED;
            break;
        }
        status = rbv_driven_go(&driven, rbv_samples_time(samples, k));
        if (status != RBV_OK && status != RBV_LOCKED)
            break;
        if (check->activity.active && take_rows(check, &driven, &switches) != RBV_OK) {
            status = RBV_NO_MEMORY;
            break;
        }
        rbv_state_place(motion->state);
        rbv_state_jacobian(motion->state);
        RbvStatus decided = rbv_solvability_decide(check->solvability, motion->state);
        if (decided == RBV_OK)
            decided = decide(check, motion->state);
        if (decided == RBV_OK && !note_rank(check, motion->state->t))
            decided = RBV_NO_MEMORY;
        status = decided != RBV_OK ? decided : status;
        check->record->first_sample = false;
        result->motion_to = motion->state->t;
        result->motion_samples = k + 1;
    }
    rbv_motion_destroy(motion);
    rbv_driven_destroy(&driven);
    report_what_is_new(check, own);
    rbv_diagnostics_destroy(own);
    return status;
}

RbvStatus rbv_check(const RbvSystem *given_system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                    RbvResult **result) {
    if (!given_system || !result)
        return RBV_BAD_ARGUMENT;
    const RbvSystem *system = given_system->absolute ? given_system->absolute : given_system; /* verdicts of bodies */
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    const RbvModel *model = system->model;
    RbvNotes notes;
    if (!rbv_notes_open(&notes, diagnostics))
        return RBV_NO_MEMORY;
    diagnostics = notes.report;
    RbvRecordOptions what = {.analysis = "check", .reactions = true};
    Check check = {
        .system = system, .options = &options, .diagnostics = diagnostics, .from = rbv_first_instant(model, &options)};
    check.progress = (RbvProgress){.go_on = options.progress, .context = options.context};
    check.state = rbv_state_create(system);
    if (check.state)
        check.state->progress = &check.progress;
    check.solvability = rbv_solvability_create(system, options.criterion, false);
    check.reactions = rbv_reactions_create(system, options.frame);
    check.record = check.reactions ? rbv_record_create(system, check.reactions, &what) : NULL;
    RbvStatus status = check.state && check.solvability && check.record
                           ? rbv_choice_create(system, &options, diagnostics, &check.choice)
                           : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(
            model, "check", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS | RBV_TAKES_LIMITS,
            diagnostics);
    if (status == RBV_OK && options.along_motion)
        status = rbv_samples_create(model, &options, diagnostics, &check.samples);
    if (status == RBV_OK)
        status = at_start(&check);
    if (status == RBV_OK && !rbv_record_coordinates(check.record->result, given_system))
        status = RBV_NO_MEMORY;
    bool done = status == RBV_OK;
    if (done && options.along_motion)
        status = along_motion(&check);
    if (done && status != RBV_NO_MEMORY) {
        if (rbv_notes_keep(&notes, model, check.record->result)) {
            *result = check.record->result;
            check.record->result = NULL;
        } else {
            status = RBV_NO_MEMORY;
        }
    }
    status = rbv_scene_end(system, &options, "check", status, diagnostics, result);
    rbv_choice_destroy(check.choice);
    rbv_record_destroy(check.record);
    rbv_reactions_destroy(check.reactions);
    rbv_solvability_destroy(check.solvability);
    rbv_state_destroy(check.state);
    rbv_activity_destroy(&check.activity);
    rbv_notes_close(&notes);
    return status;
}
