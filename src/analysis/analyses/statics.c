/* The statics analysis: find an equilibrium and decide its verdicts as for every sample; then all equilibria, or the
 * path along a parameter.
 */
#include <roberval/analysis.h>

#include "analysis/scene/scene.h"
#include "analysis/sizing/sizing.h"
#include "core/base/diagnostics.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/record/samples.h"
#include "statics/all_equilibria.h"
#include "statics/find_equilibrium.h"
#include "statics/follow.h"
#include "statics/verify.h"

static RbvStatus check_follow(const RbvFind *s, const RbvFamily *family) {
    const char *what = s->method == RBV_STATICS_PENALTY ? RBV_OPTION_STATICS_METHOD
                           " penalty: its places are off by a little"
                       : s->options->statics.locked && s->system->rate_count > 0 ? RBV_OPTION_STATICS_LOCKED
                       : s->options->statics.all                                 ? RBV_OPTION_STATICS_ALL
                                                                                 : NULL;
    if (!family || !what)
        return RBV_OK;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                 RBV_OPTION_FOLLOW " does not go with %s", what);
    return RBV_BAD_INPUT;
}

/* Check that the requested multipliers can be computed. BAD_INPUT, reported. */
static RbvStatus check_multipliers(const RbvSystem *system, const RbvFind *s, const RbvFamily *family) {
    if (!s->options->reactions.multipliers)
        return RBV_OK;
    RbvStatus status = rbv_natural_multipliers_admit(system, s->options, s->diagnostics);
    const char *why =
        family ? "they are those of one equilibrium, not of a path along a parameter"
        : s->method == RBV_STATICS_PENALTY
            ? "the place that a penalty finds is no equilibrium of rigid bodies; " RBV_OPTION_STATICS_METHOD
              " augmented has them"
        : system->rate_count > 0 ? RBV_NO_RATES_AT_REST
                                 : NULL;
    if (status != RBV_OK || !why)
        return status;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                 RBV_OPTION_REACTIONS_MULTIPLIERS ": %s", why);
    return RBV_BAD_INPUT;
}

static RbvStatus find_equilibrium(const RbvSystem *system, RbvFind *s, const RbvFamily *family) {
    RbvStatus status = check_follow(s, family);
    if (status == RBV_OK)
        status = check_multipliers(system, s, family);
    return status == RBV_OK ? rbv_find_finish(s) : status;
}

/* Transfer the result with its notes to the caller. False: no memory. */
static bool keep_equilibrium(RbvEquilibriumVerifier *decide, const RbvMachine *machine, RbvNotes *notes,
                             RbvResult **result) {
    const RbvModel *model = decide->in_model->model;
    RbvResult *done = decide->record->result;
    rbv_note_unilateral(model, done, notes->report);
    rbv_note_valueless(decide->record, model, notes->report);
    if (!rbv_record_machine(done, model, machine) || !rbv_size_result(model, done, notes->report) ||
        !rbv_notes_keep(notes, model, done))
        return false;
    *result = done;
    decide->record->result = NULL;
    return true;
}

/* The equilibrium of the system, and with a family the path from there. */
static RbvStatus run_statics(const RbvSystem *system, const RbvFamily *family, const RbvOptions *options,
                             RbvDiagnostics *diagnostics, RbvResult **result) {
    RbvNotes notes;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    const RbvSystem *bodies = system->absolute ? system->absolute : system; /* verdicts are those of bodies */
    RbvSystem *plain = NULL; /* mixed coordinates: numbers are added once the position is known */
    if (status == RBV_OK && system->number_of)
        status = rbv_system_create(system->compiled, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_NATURAL}, NULL,
                                   &plain);
    RbvFind s = {.system = bodies,
                 .found_in = plain                      ? plain
                             : system->coordinates.kept ? system
                                                        : NULL,
                 .model = system->model,
                 .options = options,
                 .diagnostics = notes.report};
    RbvEquilibriumVerifier decide = {.options = options,
                                     .diagnostics = notes.report,
                                     .in_model = system,
                                     .found_in =
                                         options->statics.method != RBV_STATICS_DEFAULT || family ? s.found_in : NULL,
                                     .family = family};
    if (status == RBV_OK)
        status = rbv_model_without_motion(system->model, "statics",
                                          RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_STOPS |
                                              RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS,
                                          notes.report);
    if (status == RBV_OK)
        status = rbv_find_start(&s);
    RbvMachine machine = {.corrected = -1};
    if (status == RBV_OK) {
        machine = rbv_machine_of(s.state);
        status = rbv_note_inertias(s.state, notes.report) ? RBV_OK : RBV_NO_MEMORY;
    }
    if (status == RBV_OK)
        status = find_equilibrium(system, &s, family);
    decide.method = rbv_statics_method_name(s.method);
    if (status == RBV_OK)
        status = rbv_equilibrium_verify(&decide, &s.search, &s.stability, family ? family->from : 0);
    if (status == RBV_OK && !rbv_scene_show(decide.record->result, s.state, options))
        status = RBV_NO_MEMORY;
    bool done = status == RBV_OK;
    if (done && options->statics.all)
        status = rbv_find_equilibria(s.state, &decide, s.has_energy, s.search.supports);
    if (done && family)
        status = rbv_follow(&decide, &s.search, s.has_energy);
    if (s.state && s.state->no_memory)
        status = RBV_NO_MEMORY;
    if (done && status != RBV_NO_MEMORY) /* an interrupted or failed search keeps its results so far */
        status = keep_equilibrium(&decide, &machine, &notes, result) ? status : RBV_NO_MEMORY;
    status = rbv_scene_end(bodies, options, "statics", status, notes.report, result);
    rbv_find_destroy(&s);
    rbv_record_destroy(decide.record);
    rbv_system_destroy(plain);
    rbv_notes_close(&notes);
    return status;
}

RbvStatus rbv_statics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                      RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    return run_statics(system, NULL, &options, diagnostics, result);
}

RbvStatus rbv_statics_follow(const RbvFamily *family, const RbvOptions *given, RbvDiagnostics *diagnostics,
                             RbvResult **result) {
    if (!family || !family->at || !family->parameter || !family->unit || !(family->from != family->to) || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvStatus status = family->at(family->context, family->from, diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, &options.system, diagnostics, &system);
    if (status == RBV_OK)
        status = run_statics(system, family, &options, diagnostics, result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}
