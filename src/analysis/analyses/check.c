/* The check analysis: mobility, rank, redundancy, verdicts, self-stresses and advice, at a state and along the motion.
 * Values of reactions are not computed. The choice of an analysis for a page rests on it.
 */
#include "analysis/analyses/sample_run.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/driven.h"
#include "mechanics/system/system.h"
#include "model/model/model.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/forces.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "solution/solvability/branches.h"
#include "solution/solvability/theorems.h"

#include <roberval/analysis.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Check {
    RbvSampleRun *run;
    const RbvSystem *caller; /* the caller's system; the run's is that of its bodies */
    RbvState *state;
    RbvActivity activity; /* conditions and active rows of the state */
    RbvSolvability *solvability;
    RbvReactions *reactions;
    RbvChoice *choice;
    RbvProgress progress; /* progress function for the state at the start */
    bool warned;
    RbvMotion *motion; /* with --motion */
    RbvDriven driven;
    RbvDiagnostics *found; /* messages of the motion: those of assembly are already reported */
    int32_t switches;      /* number of switches of active rows up to the last sample */
} Check;

/* Verdicts at a state with evaluated positions and Jacobian, after the rank decision. */
static RbvStatus decide_verdicts(Check *check, RbvState *state) {
    RbvSolvability *s = check->solvability;
    RbvStatus status = RBV_OK;
    rbv_reactions_place(check->reactions, state);
    rbv_reactions_decide(check->reactions, state, s);
    if (s->redundant > 0 || check->run->options.reactions.redundant == RBV_REDUNDANT_ELIMINATE)
        status = rbv_choice_apply(check->choice, state, s, check->reactions, check->run->diagnostics);
    if (status != RBV_OK)
        return status;
    rbv_choice_decide(check->choice, state, s, check->reactions);
    if (!rbv_decide_dependent_loads(check->reactions, state, NULL))
        return RBV_NO_MEMORY;
    rbv_warn_friction(check->run->system, check->reactions, check->warned ? NULL : check->run->diagnostics);
    check->warned = true;
    bool kept = rbv_record_verdicts(check->run->record, state, check->reactions, s, check->choice);
    return !kept || rbv_solvability_no_memory(s) ? RBV_NO_MEMORY : RBV_OK;
}

/* Note large parts: their verdicts by compliances are computed by inverse only, which has their null space. */
static void note_large(const Check *check) {
    const RbvSolvability *s = check->solvability;
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        if (s->ranks[b].redundant > 0 && !rbv_has_null(&s->ranks[b]) &&
            strcmp(rbv_choice_name(check->choice), "compliance") == 0) {
            rbv_diagnose(check->run->diagnostics, RBV_NOTE, check->run->model->file, (RbvPosition){0, 0},
                         "a part of the mechanism has %d constraint rows: what its compliances decide is called not "
                         "unique here; inverse tells it",
                         (int)s->blocks.blocks[b].row_count);
            return;
        }
}

/* Note errors of a model that is to move: over-driving, bodies without any joint, inertias out of proportion. False: no
 * memory. */
static bool note_doubts(Check *check) {
    const RbvModel *model = check->run->model;
    bool drives = false;
    for (int32_t k = 0; k < model->drives.count; k++)
        drives = drives || check->reactions->effort_verdict[k] != RBV_UNIQUE;
    if (drives && rbv_report_overdriven(check->state, false, "", RBV_NOTE, check->run->diagnostics) < 0)
        return false;
    rbv_state_place(check->state);
    rbv_state_jacobian(check->state);
    return rbv_note_untouched(check->run->system, check->run->diagnostics) &&
           rbv_note_inertias(check->state, check->run->diagnostics);
}

/* Ranks are those of the active rows from now on. */
static RbvStatus adopt_rows(Check *check, const bool *active) {
    rbv_solvability_destroy(check->solvability);
    check->solvability =
        rbv_solvability_create_of(check->run->system, active, check->run->options.reactions.criterion, false);
    return check->solvability ? RBV_OK : RBV_NO_MEMORY;
}

/* Assemble the state at `from`. Velocities matter only where the user gives some; an over-driven model is analysed, not
 * refused. */
static RbvStatus assemble_first_state(Check *check) {
    const RbvModel *model = check->run->model;
    RbvAssembly assembly = {0};
    double from = rbv_first_instant(model, &check->run->options);
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status = !messages ? RBV_NO_MEMORY
                       : model->conditions.count > 0
                           ? rbv_activity_assemble(&check->activity, check->state, from, false, messages, &assembly)
                       : model->initial.count > 0 || check->run->system->rate_equations
                           ? rbv_assemble(check->state, from, messages, &assembly)
                           : rbv_assemble_position(check->state, from, messages, &assembly);
    status = rbv_blame_drives(check->state, status, messages, check->run->diagnostics);
    if (status == RBV_OK) /* only now: assembly needs as much memory for its rows */
        status = adopt_rows(check, check->state->active);
    rbv_diagnostics_destroy(messages);
    return status;
}

/* Reactions and record: after the assembly and the decision of ranks, which each need as much memory as they do. */
static RbvStatus create_record(Check *check) {
    RbvSampleRun *run = check->run;
    RbvRecordOptions what = {.analysis = "check", .reactions = true};
    check->reactions = rbv_reactions_create(run->system, run->options.reactions.frame);
    run->record = check->reactions ? rbv_record_create(run->system, check->reactions, &what) : NULL;
    return run->record ? RBV_OK : RBV_NO_MEMORY;
}

/* Everything at the state at `from`. */
static RbvStatus check_first_state(Check *check) {
    const RbvModel *model = check->run->model;
    RbvState *state = check->state;
    RbvStatus status = assemble_first_state(check);
    if (status != RBV_OK)
        return status;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    status = rbv_solvability_decide(check->solvability, state);
    if (status == RBV_BAD_INPUT)
        rbv_diagnose(
            check->run->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
            "this criterion is dense and a part of the mechanism has more than %d rows; the default has no such limit",
            RBV_DENSE_MOST);
    if (status == RBV_OK)
        status = rbv_check_wheels(state, check->run->diagnostics);
    if (status == RBV_OK)
        status = create_record(check);
    if (status != RBV_OK)
        return status;
    RbvRecord *record = check->run->record;
    RbvResult *result = record->result;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    status = decide_verdicts(check, state);
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
                rbv_record_mobility(record, state, check->solvability) && rbv_record_rows(record, check->solvability) &&
                rbv_record_asked(record, state, check->reactions, check->solvability, check->choice) &&
                rbv_record_modes(record, state, check->reactions, check->solvability);
    result->mobility.permanent = persistent;
    good = good && rbv_scene_show(result, state, &check->run->options);
    return good && !rbv_solvability_no_memory(check->solvability) ? RBV_OK : RBV_NO_MEMORY;
}

/* Ranks along the motion, where they change. False: no memory. */
static bool note_rank(RbvResult *result, RbvRankChange now) {
    int32_t n = result->rank_change_count;
    const RbvRankChange *last = n > 0 ? &result->rank_changes[n - 1] : NULL;
    if (last && last->rank == now.rank && last->redundant == now.redundant && last->safe == now.safe)
        return true;
    return rbv_result_rank_change(result, now);
}

/* Report the messages of `own` that are not yet reported. */
static void report_what_is_new(const Check *check, const RbvDiagnostics *own) {
    int32_t before = check->run->diagnostics ? rbv_diagnostics_count(check->run->diagnostics) : 0;
    for (int32_t k = 0; own && check->run->diagnostics && k < rbv_diagnostics_count(own); k++) {
        RbvDiagnostic d = rbv_diagnostics_marked(own, k);
        bool known = false;
        for (int32_t n = 0; n < before && !known; n++) {
            RbvDiagnostic messages = rbv_diagnostics_marked(check->run->diagnostics, n);
            known = messages.severity == d.severity &&
                    strcmp(messages.message, d.message) == 0; /* a note on the start may also end the motion */
        }
        if (!known)
            rbv_diagnose(check->run->diagnostics, d.severity, d.file, d.at, "%s", d.message);
    }
}

/* Decide the sample at t again, with ranks of the rows active there. If the motion ends there by loss of rank, the
 * sample is the last. */
static RbvStatus check_sample(RbvSampleRun *run, int32_t k, double t) {
    Check *check = run->own;
    RbvResult *result = run->record->result;
    RbvStatus status = rbv_driven_go(&check->driven, t);
    if (status != RBV_OK && status != RBV_LOCKED)
        return status;
    RbvState *state = check->motion->state;
    if (check->activity.active && check->driven.switches != check->switches &&
        adopt_rows(check, state->active) != RBV_OK)
        return RBV_NO_MEMORY;
    check->solvability->smallest_by = RBV_SMALLEST_BOUNDED; /* along the motion only ranks are asked for */
    check->switches = check->driven.switches;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    RbvStatus decided = rbv_solvability_decide(check->solvability, state);
    if (decided == RBV_OK)
        decided = decide_verdicts(check, state);
    const RbvSolvability *s = check->solvability;
    if (decided == RBV_OK && !note_rank(result, (RbvRankChange){state->t, s->rank, s->redundant, s->safe}))
        decided = RBV_NO_MEMORY;
    run->record->first_sample = false;
    result->motion_to = state->t;
    result->motion_samples = k + 1;
    return decided != RBV_OK ? decided : status;
}

static RbvStatus admit_check(RbvSampleRun *run) {
    Check *check = run->own;
    const RbvSystem *system = run->system;
    const RbvOptions *options = &run->options;
    check->run = run;
    check->switches = -1;
    check->progress = (RbvProgress){.go_on = options->progress, .context = options->context};
    check->state = rbv_state_create(system);
    if (check->state)
        check->state->progress = &check->progress;
    RbvStatus status =
        check->state ? rbv_choice_create(system, options, run->diagnostics, &check->choice) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(
            system->model, "check", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS | RBV_TAKES_LIMITS,
            run->diagnostics);
    return status == RBV_OK && options->check.along_motion && !run->from
               ? rbv_samples_create(system->model, options, run->diagnostics, &run->samples)
               : status;
}

/* A block of samples: ranks of the rows of the motion that it continues, by the lengths of the run's first position. */
static RbvStatus continue_check(RbvSampleRun *run) {
    Check *check = run->own;
    RbvStatus status = adopt_rows(check, run->from->state->active);
    if (status == RBV_OK)
        status = create_record(check);
    if (status != RBV_OK)
        return status;
    rbv_solvability_take_lengths(check->solvability, run->from->solvability);
    rbv_choice_continue(check->choice);
    check->warned = true;
    run->record->first_sample = true;
    check->found = rbv_diagnostics_create();
    return check->found
               ? rbv_driven_continue(&check->driven, run->from, &run->samples.progress, check->found, &check->motion)
               : RBV_NO_MEMORY;
}

/* The state at `from`, and with --motion the motion from there. */
static RbvStatus start_check(RbvSampleRun *run) {
    Check *check = run->own;
    RbvSamples *samples = &run->samples;
    if (run->from)
        return continue_check(run);
    RbvStatus status = check_first_state(check);
    if (status == RBV_OK && !rbv_record_coordinates(run->record->result, check->caller))
        status = RBV_NO_MEMORY;
    run->has_result = status == RBV_OK;
    if (status != RBV_OK || !run->options.check.along_motion)
        return status;
    run->record->first_sample = true;
    run->record->result->motion_from = samples->from;
    check->found = rbv_diagnostics_create();
    return check->found
               ? rbv_driven_create(&check->driven, run->system, samples->from, samples->step, NULL, NULL,
                                   run->options.motion.tolerance, &samples->progress, check->found, &check->motion)
               : RBV_NO_MEMORY;
}

static RbvStatus end_check(RbvSampleRun *run, RbvStatus status) {
    const Check *check = run->own;
    report_what_is_new(check, check->found);
    return status;
}

static RbvMotion *motion_of(const RbvSampleRun *run) {
    return ((const Check *)run->own)->motion;
}

static RbvStatus join_check(RbvSampleRun *run, RbvSampleRun *block, bool last) {
    const Check *check = run->own, *later = block->own;
    RbvResult *result = run->record->result;
    const RbvResult *from = block->record->result;
    bool good = true;
    (void)last;
    for (int32_t k = 0; good && k < from->rank_change_count; k++)
        good = note_rank(result, from->rank_changes[k]);
    if (from->motion_samples > 0) {
        result->motion_to = from->motion_to;
        result->motion_samples = from->motion_samples;
    }
    rbv_diagnostics_join(check->found, later->found);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

static void destroy_check(RbvSampleRun *run) {
    Check *check = run->own;
    rbv_motion_destroy(check->motion);
    rbv_driven_destroy(&check->driven);
    rbv_diagnostics_destroy(check->found);
    rbv_choice_destroy(check->choice);
    rbv_record_destroy(run->record);
    rbv_reactions_destroy(check->reactions);
    rbv_solvability_destroy(check->solvability);
    rbv_state_destroy(check->state);
    rbv_activity_destroy(&check->activity);
}

RbvStatus rbv_check(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                    RbvResult **result) {
    static const RbvDivision division = {sizeof(Check), NULL, motion_of, join_check};
    static const RbvSampledAnalysis analysis = {.name = "check",
                                                .division = &division,
                                                .admit = admit_check,
                                                .start = start_check,
                                                .sample = check_sample,
                                                .end = end_check,
                                                .destroy = destroy_check};
    const RbvSystem *bodies = system && system->absolute ? system->absolute : system; /* verdicts are those of bodies */
    return rbv_run_samples(&analysis, &(Check){.caller = system}, bodies, options, diagnostics, result);
}

/* Choice: the analysis that answers most about a model, for its page, where the user requests none. */

static double mass_of(const RbvModel *model) {
    double mass = 0;
    for (int32_t b = 1; b < model->bodies.count; b++)
        mass += model->bodies.items[b].mass;
    return mass;
}

static bool is_loaded(const RbvModel *model) {
    bool any = rbv_norm(model->gravity) > 0 && mass_of(model) > 0;
    for (int32_t k = 0; k < model->loads.count; k++)
        any = any || model->loads.items[k].name;
    return any;
}

/* Analysis of a model with a motion: all freedoms driven once, or some left. NULL: the motion is not possible. */
static const char *choose_moving(const RbvModel *model, RbvMobility mobility) {
    bool heavy = mass_of(model) > 0 || model->generalized.count > 0;
    if (model->requirement_count > 0)
        return "track";
    if (mobility.degrees_of_freedom == 0 && mobility.mobility == mobility.drives)
        return heavy ? "inverse" : "kinematics";
    return mobility.degrees_of_freedom > 0 && heavy ? "simulate" : NULL;
}

RbvStatus rbv_analysis_choose(const RbvSystem *system, const RbvOptions *given, const char **name) {
    if (!system || !name)
        return RBV_BAD_ARGUMENT;
    const RbvModel *model = system->model;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    options.scene = options.check.along_motion = false;
    options.reactions.criterion = RBV_CRITERION_DEFAULT;
    *name = "check";
    RbvResult *result = NULL;
    RbvStatus status = model->generalized.count > 0 || model->requirement_count > 0
                           ? RBV_OK
                           : rbv_check(system, &options, NULL, &result);
    RbvMobility mobility = result ? rbv_result_mobility(result) : (RbvMobility){.degrees_of_freedom = 1};
    rbv_result_destroy(result);
    if (status == RBV_NO_MEMORY || status == RBV_INTERRUPTED)
        return status;
    const char *moving = status == RBV_OK && model->has_motion ? choose_moving(model, mobility) : NULL;
    if (moving)
        *name = moving;
    else if (status == RBV_OK && model->joints.count > 0 && is_loaded(model) && mobility.mobility >= mobility.drives)
        *name = "statics";
    return RBV_OK;
}
