/* The recipe of statics: assemble, come to rest by a method, judge stability, then reactions, verdicts and audit as of every sample. */
#include <roberval/analysis.h>

#include "analysis/assemble.h"
#include "analysis/follow.h"
#include "analysis/locked.h"
#include "analysis/recipe.h"
#include "analysis/rest_judge.h"
#include "analysis/rest_search.h"
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A spring shorter than this part of the size has no direction. */
#define NO_LENGTH 1e-9

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
    RbvRestJudge judge;
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
        if (s->model->joints.items[k].friction > 0)
            rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, s->model->joints.items[k].where,
                         "friction of joint '%s' may at rest be anything up to its limit; 0 is taken", s->model->joints.items[k].name);
    if (s->system->rate_count > 0 && !s->options->locked)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "%d rows on rates (wheels, edges, velocity: constraints) do not restrict the position and carry nothing; --locked lets them hold", (int)s->system->rate_count);
}

/* Rows on rates that want to move have no rest. */
static RbvStatus check_locked(const Statics *s) {
    const RbvSystem *system = s->system;
    if (!s->options->locked || system->rate_count == 0)
        return RBV_OK;
    if (s->method == RBV_STATICS_PENALTY) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     "--locked does not go with --method penalty: rows on rates have no distance that a spring could hold");
        return RBV_BAD_INPUT;
    }
    for (int32_t k = 0; k < system->row_count; k++) {
        char name[160];
        if (!system->rows[k].on_rates || fabs(s->state->nu[k]) <= 1e-12)
            continue;
        rbv_system_row_name(system, k, name, sizeof name);
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "%s asks for a motion: --locked cannot hold it at rest", name);
        return RBV_INCONSISTENT;
    }
    return RBV_OK;
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
    status = check_locked(s);
    if (status != RBV_OK)
        return status;
    note_left_out(s);
    return rbv_rest_create(&s->rest, s->balance, s->diagnostics);
}

/* At no length a spring that pulls has no direction: that is a tip of the energy, not a place of rest. */
static RbvStatus check_springs(const Statics *s) {
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        if (load->kind != RBV_LOAD_SPRING)
            continue;
        double l = s->state->measures[load->measure[0]].value;
        bool pulls = fabs(s->state->load_value[k][0]) > 1e-6 * load->stiffness[0] * s->balance->reach || load->value[0];
        if (l > NO_LENGTH * s->balance->reach || !pulls)
            continue;
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, load->where, "no equilibrium found: spring '%s' has no length here, so its force has no direction; start elsewhere",
                     load->name ? load->name : "");
        return RBV_NO_EQUILIBRIUM;
    }
    return RBV_OK;
}

static RbvStatus come_to_rest(Statics *s) {
    s->rest.damping = s->options->damping;
    s->rest.progress = s->options->progress;
    s->rest.context = s->options->context;
    RbvStatus status = methods[s->method].go(&s->rest);
    if (status == RBV_OK)
        status = check_springs(s);
    if (status == RBV_OK)
        status = rbv_stability_find(s->balance, s->has_energy, s->rest.off, &s->stability);
    if (status == RBV_OK && s->stability.kind == RBV_UNDECIDED)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "stability is not decided: %s", rbv_stability_doubt(s->balance, s->has_energy && !rbv_locked_rows(s->balance) && s->rest.off == 0));
    else if (status == RBV_OK && rbv_locked_rows(s->balance) && s->has_energy)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "what locked rows on rates carry turns with the bodies and has no energy: stability is that of the linearised motion without dampers");
    return status;
}

static void destroy(Statics *s) {
    free(s->stability.direction);
    rbv_rest_destroy(&s->rest);
    rbv_balance_destroy(s->balance);
    rbv_record_destroy(s->judge.record);
    rbv_state_destroy(s->state);
}

static RbvStatus check_follow(const Statics *s) {
    const char *what = s->method == RBV_STATICS_PENALTY ? "--method penalty: its places are off by a little" : s->options->locked && s->system->rate_count > 0 ? "--locked" : s->options->all ? "--all" : NULL;
    if (!s->judge.family || !what)
        return RBV_OK;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "--follow does not go with %s", what);
    return RBV_BAD_INPUT;
}

/* The system's equilibrium, and with a family the path from there. */
static RbvStatus run(const RbvSystem *system, const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvResult **result) {
    int32_t first_note = diagnostics ? rbv_diagnostics_count(diagnostics) : 0;
    Statics s = {.system = system, .model = system->model, .options = options, .diagnostics = diagnostics};
    s.judge = (RbvRestJudge){.options = options, .diagnostics = diagnostics, .family = family};
    RbvStatus status = start(&s);
    if (status == RBV_OK)
        status = check_follow(&s);
    if (status == RBV_OK)
        status = come_to_rest(&s);
    s.judge.method = methods[s.method].name;
    if (status == RBV_OK)
        status = rbv_rest_judge(&s.judge, &s.rest, &s.stability, family ? family->from : 0);
    bool done = status == RBV_OK;
    if (done && options->all)
        status = rbv_find_equilibria(s.state, options, s.has_energy, s.judge.record);
    if (done && family)
        status = rbv_follow(&s.judge, &s.rest, s.has_energy);
    done = done && status != RBV_NO_MEMORY; /* what was interrupted or ends half way keeps what it found */
    if (done) {
        rbv_note_unilateral(system->model, s.judge.record->result, diagnostics);
        if (!rbv_copy_notes(s.judge.record->result, diagnostics, first_note, system->model))
            status = RBV_NO_MEMORY;
    }
    if (done && status != RBV_NO_MEMORY) {
        *result = s.judge.record->result;
        s.judge.record->result = NULL;
    }
    destroy(&s);
    return status;
}

RbvStatus rbv_statics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    return run(system, NULL, &options, diagnostics, result);
}

/* Notes of the way are about statics and not said, unless it fails. */
static RbvStatus find_place(Statics *s) {
    RbvStatus status = start(s);
    return status == RBV_OK ? come_to_rest(s) : status;
}

RbvStatus rbv_statics_place(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvState **state) {
    Statics s = {.system = system, .model = system->model, .options = options};
    RbvStatus status = find_place(&s);
    if (status != RBV_OK && status != RBV_NO_MEMORY) {
        destroy(&s);
        s = (Statics){.system = system, .model = system->model, .options = options, .diagnostics = diagnostics};
        status = find_place(&s);
    }
    if (status == RBV_OK)
        rbv_diagnose(diagnostics, RBV_NOTE, s.model->file, (RbvPosition){0, 0}, "starts where it rests with its drives held, %s",
                     s.stability.kind == RBV_UNSTABLE ? "which is unstable" : s.stability.kind == RBV_NEUTRAL ? "which is neutral" : "as statics finds it");
    *state = status == RBV_OK ? s.state : NULL;
    if (*state)
        s.state = NULL;
    destroy(&s);
    return status;
}

RbvStatus rbv_statics_follow(const RbvFamily *family, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!family || !family->at || !family->parameter || !family->unit || !(family->from != family->to) || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvStatus status = family->at(family->context, family->from, diagnostics, &model);
    if (status == RBV_OK)
        status = rbv_system_create(model, diagnostics, &system);
    if (status == RBV_OK)
        status = run(system, family, &options, diagnostics, result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}
