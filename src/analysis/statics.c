/* The recipe of statics: assemble, come to rest by a method, judge stability, then reactions, verdicts and audit as of every sample. */
#include <roberval/analysis.h>

#include "analysis/assemble.h"
#include "analysis/constraint_check.h"
#include "analysis/persistence.h"
#include "analysis/rest.h"
#include "analysis/rest_forces.h"
#include "analysis/rest_words.h"
#include "analysis/rest_search.h"
#include "analysis/stability.h"
#include "analysis/recipe.h"
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    RbvRestMethod *go;
} methods[] = {
    [RBV_STATICS_ENERGY] = {"energy", rbv_rest_by_energy},
    [RBV_STATICS_LAGRANGE] = {"lagrange", rbv_rest_by_lagrange},
    [RBV_STATICS_PENALTY] = {"penalty", rbv_rest_by_penalty},
    [RBV_STATICS_VIRTUAL_POWER] = {"virtual-power", rbv_rest_by_virtual_power},
    [RBV_STATICS_RELAXATION] = {"relaxation", rbv_rest_by_relaxation},
};

typedef struct Statics {
    const RbvSystem *system;
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvStaticsMethod method;
    bool has_energy;
    RbvState *state;
    RbvBalance *balance;
    RbvRest rest;
    RbvStability stability;
    RbvReactions *reactions;
    RbvSolvability *solvability;
    RbvChoice *choice;
    RbvRecord *record;
    RbvAudit audit;
} Statics;

/* Which method; loads without an energy are named. */
static RbvStatus choose_method(Statics *s) {
    char names[300] = "";
    size_t used = 0;
    s->has_energy = true;
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        if (rbv_load_has_energy(s->model, load))
            continue;
        int n = snprintf(names + used, sizeof names - used, "%s'%s'", used ? ", " : "", load->name ? load->name : "");
        used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        s->has_energy = false;
    }
    s->method = s->options->statics;
    if (!s->has_energy && s->method == RBV_STATICS_ENERGY) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     "--method energy needs loads that have an energy; these are not known to have one: %s. The other methods take them", names);
        return RBV_BAD_INPUT;
    }
    if (s->method == RBV_STATICS_DEFAULT)
        s->method = s->has_energy ? RBV_STATICS_ENERGY : RBV_STATICS_LAGRANGE;
    if (!s->has_energy)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "these loads are not known to have an energy: %s; the equilibrium is that of forces, its stability that of the linearised motion without dampers",
                     names);
    return RBV_OK;
}

static void note_left_out(const Statics *s) {
    for (int32_t k = 0; k < s->model->joints.count; k++)
        if (s->model->joints.items[k].friction > 0) {
            rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, s->model->joints.items[k].where,
                         "friction at rest may be anything up to its limit; 0 is taken, in '%s' and elsewhere", s->model->joints.items[k].name);
            break;
        }
    if (s->system->rate_count > 0 && !s->options->locked)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "%d rows on rates (wheels, edges, velocity: constraints) do not restrict the position and carry nothing; --locked lets them hold", (int)s->system->rate_count);
}

static RbvStatus start(Statics *s) {
    double from = !isnan(s->options->from) ? s->options->from : s->model->has_motion ? s->model->from : 0;
    RbvAssembly assembly = {.driven = true}; /* the start is a guess: nothing is missing */
    RbvStatus status = choose_method(s);
    if (status != RBV_OK)
        return status;
    if (!(s->state = rbv_state_create(s->system)))
        return RBV_NO_MEMORY;
    status = rbv_assemble_position(s->state, from, s->diagnostics, &assembly);
    if (status != RBV_OK)
        return status;
    memset(s->state->v, 0, (size_t)s->system->absolute.size * sizeof(double));
    if (!(s->balance = rbv_balance_create(s->state, s->options->locked)))
        return RBV_NO_MEMORY;
    if (!rbv_balance_place(s->balance)) {
        char why[256] = "";
        rbv_state_explain(s->state, why, sizeof why);
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "the loads are not finite at the start%s%s", why[0] ? ": " : "", why);
        return RBV_NOT_FINITE;
    }
    note_left_out(s);
    return rbv_rest_create(&s->rest, s->balance, s->diagnostics);
}

static RbvStatus come_to_rest(Statics *s) {
    s->rest.damping = s->options->damping;
    s->rest.progress = s->options->progress;
    s->rest.context = s->options->context;
    RbvStatus status = methods[s->method].go(&s->rest);
    return status == RBV_OK ? rbv_stability_find(s->balance, s->has_energy, s->rest.off, &s->stability) : status;
}

/* Curvature and stability hang on self-stresses where these come and go with the motion. */
static void check_persistence(Statics *s) {
    int32_t persistent = s->solvability->redundant > 0 ? rbv_persistent_redundancy(s->solvability, s->state) : 0;
    if (s->solvability->redundant == 0 || persistent < 0 || persistent >= s->solvability->redundant)
        return;
    s->stability.curvature = NAN;
    rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                 "some redundancy belongs to this position only: stability and stiffness depend on self-stresses that the rigid model leaves open; no curvature is given");
}

static RbvStatus judge(Statics *s) {
    RbvState *state = s->state;
    RbvStatus status = rbv_solvability_decide(s->solvability, state);
    if (status == RBV_OK)
        status = rbv_check_wheels(state, s->diagnostics);
    if (status != RBV_OK)
        return status;
    rbv_balance_place(s->balance);
    check_persistence(s);
    status = rbv_rest_forces(s->balance, s->solvability, s->choice, s->reactions, s->diagnostics);
    if (status != RBV_OK)
        return status;
    s->record->result->redundant_by = rbv_choice_name(s->choice);
    bool kept = rbv_record_mobility(s->record, state, s->solvability) &&
                rbv_record_verdicts(s->record, state, s->reactions, s->solvability, s->choice) &&
                rbv_record_modes(s->record, state, s->reactions, s->solvability);
    return kept && !rbv_solvability_no_memory(s->solvability) ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus write_down(Statics *s) {
    char why[256] = "";
    rbv_audit_sample(&s->audit, s->state, s->reactions);
    s->audit.constraint = fmax(s->audit.constraint, s->balance->error);
    rbv_fill_audit(s->record->result, &s->audit);
    /* the penalty method lets joints stand off by what it says; its forces balance at the places of the bodies */
    if (s->audit.failed && s->method != RBV_STATICS_PENALTY) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "the result fails its audit: left over %.3g N, %.3g N.m", s->audit.force,
                     s->audit.torque);
        return RBV_AUDIT_FAILED;
    }
    if (!rbv_record_sample(s->record, s->state, s->reactions, why, sizeof why)) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "%s", why);
        return RBV_NOT_FINITE;
    }
    rbv_record_ranges(s->record, s->choice);
    bool kept = rbv_rest_words(s->record, &s->rest, &s->stability, methods[s->method].name, &s->record->result->equilibrium);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus create(Statics *s) {
    RbvRecordOptions record = {.analysis = "statics", .reactions = true, .series = true, .method = methods[s->method].name};
    s->reactions = rbv_reactions_create(s->system, s->options->frame);
    s->solvability = rbv_solvability_create(s->system, RBV_CRITERION_DEFAULT, true);
    s->record = s->reactions ? rbv_record_create(s->system, s->reactions, &record) : NULL;
    if (!s->solvability || !s->record || !rbv_audit_create(&s->audit, s->system) || !rbv_result_reserve(s->record->result, 1))
        return RBV_NO_MEMORY;
    return rbv_choice_create(s->system, s->options, s->diagnostics, &s->choice);
}

static void destroy(Statics *s) {
    free(s->stability.direction);
    rbv_rest_destroy(&s->rest);
    rbv_balance_destroy(s->balance);
    rbv_audit_destroy(&s->audit);
    rbv_choice_destroy(s->choice);
    rbv_record_destroy(s->record);
    rbv_reactions_destroy(s->reactions);
    rbv_solvability_destroy(s->solvability);
    rbv_state_destroy(s->state);
}

RbvStatus rbv_statics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    int32_t first_note = diagnostics ? rbv_diagnostics_count(diagnostics) : 0;
    Statics s = {.system = system, .model = system->model, .options = &options, .diagnostics = diagnostics};
    RbvStatus status = start(&s);
    if (status == RBV_OK)
        status = create(&s);
    if (status == RBV_OK)
        status = come_to_rest(&s);
    if (status == RBV_OK)
        status = judge(&s);
    if (status == RBV_OK)
        status = write_down(&s);
    if (status == RBV_OK && options.all)
        status = rbv_find_equilibria(s.state, &options, s.has_energy, s.record);
    if (status == RBV_OK && !rbv_copy_notes(s.record->result, diagnostics, first_note, system->model))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *result = s.record->result;
        s.record->result = NULL;
    }
    destroy(&s);
    return status;
}
