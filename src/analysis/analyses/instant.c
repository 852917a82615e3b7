/* Forces, verdicts, audit and record at one instant; see instant.h. */
#include "analysis/analyses/instant.h"

#include "core/base/diagnostics.h"
#include "mechanics/element/load.h"
#include "solution/reaction/natural_multipliers.h"

#include <stdio.h>
#include <stdlib.h>

/* Nearer to a singular position than 1/this of its size, methods with D^T D in their matrix may violate the balance of
 * bodies for that reason. */
#define SOFT_NEAR 1e6

RbvStatus rbv_instant_create(RbvInstant *instant, const RbvOptions *options, const RbvRecordOptions *what) {
    instant->judged = -1;
    instant->reactions = rbv_reactions_create(instant->system, options->frame);
    instant->passing = calloc((size_t)instant->system->model->loads.count + 1, sizeof *instant->passing);
    if (!instant->reactions || !rbv_audit_create(&instant->audit, instant->system) || !instant->passing)
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_body_balance_create(instant->system, options, instant->diagnostics, &instant->balance);
    if (status == RBV_OK && options->reaction_count > 0)
        status = rbv_requested_create(instant->reactions, options, instant->diagnostics, &instant->requested);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions of = *what;
    of.balance = instant->balance;
    of.surplus = instant->surplus;
    instant->audit.missing = instant->surplus ? instant->surplus->missing : NULL;
    if (instant->requested) {
        of.components = instant->requested->components;
        of.constraints = instant->requested->constraints;
        if (!of.rigid && instant->requested->rigid_count > 0) {
            of.rigid = instant->system;
            of.rigid_rows = instant->requested->rigid;
        }
    }
    instant->rates = malloc(((size_t)instant->system->coordinates.size + 1) * sizeof *instant->rates);
    instant->record = rbv_record_create(instant->system, instant->reactions, &of);
    return instant->record && instant->rates ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_instant_begin(RbvInstant *instant, const RbvOptions *options) {
    RbvStatus status =
        rbv_forces_create(instant->motion, instant->reactions, options, instant->diagnostics, &instant->forces);
    if (status != RBV_OK)
        return status;
    instant->errors = rbv_errors_create(instant->motion, instant->forces, instant->reactions);
    if (!instant->errors)
        return RBV_NO_MEMORY;
    RbvResult *result = instant->record->result;
    const RbvChoice *choice = rbv_forces_choice(instant->forces);
    bool kept = rbv_record_mobility(instant->record, instant->motion->state, instant->motion->solvability);
    result->redundant_by = rbv_choice_name(choice);
    result->length = rbv_choice_norm_length(choice, result->length);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_instant_renew(RbvInstant *instant, const RbvOptions *options) {
    rbv_forces_destroy(instant->forces);
    rbv_errors_destroy(instant->errors);
    instant->forces = NULL;
    instant->errors = NULL;
    RbvReactions *reactions = rbv_reactions_create(instant->system, options->frame);
    if (!reactions)
        return RBV_NO_MEMORY;
    rbv_reactions_destroy(instant->reactions);
    instant->reactions = reactions;
    instant->judged = -1;
    return rbv_instant_begin(instant, options);
}

void rbv_instant_destroy(RbvInstant *instant) {
    rbv_motion_destroy(instant->motion);
    rbv_reactions_destroy(instant->reactions);
    rbv_record_destroy(instant->record);
    rbv_body_balance_destroy(instant->balance);
    rbv_forces_destroy(instant->forces);
    rbv_errors_destroy(instant->errors);
    rbv_audit_destroy(&instant->audit);
    rbv_requested_destroy(instant->requested);
    rbv_surplus_destroy(instant->surplus);
    free(instant->passing);
    free(instant->rates);
}

RbvStatus rbv_instant_fail(const RbvInstant *instant, RbvStatus status, const char *text) {
    rbv_diagnose(instant->diagnostics, RBV_ERROR, instant->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 instant->motion->state->t, text);
    return status;
}

/* Note springs of zero length: the force has two possible directions, and the one just before is taken. */
static void note_passing(RbvInstant *instant) {
    const RbvState *state = instant->motion->state;
    const RbvModel *model = instant->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        if (load->kind != RBV_LOAD_SPRING || instant->passing[k] || !rbv_spring_has_no_length(&at, load) ||
            state->load_value[k][0] == 0)
            continue;
        instant->passing[k] = true;
        rbv_diagnose(instant->diagnostics, RBV_NOTE, model->file, load->where,
                     "the points of spring '%s' pass through each other at t = %.9g s: its force there is the one just "
                     "before, along their motion",
                     load->name ? load->name : "", state->t);
    }
}

/* Record the limits of friction at contacts that do not slide. */
static bool record_still(RbvInstant *instant) {
    const RbvSystem *system = instant->system;
    bool good = true;
    for (int32_t i = 0; good && i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        double limit = rbv_forces_still(instant->forces, i);
        for (int c = 0; good && c < friction->count; c++)
            good = rbv_record_still(instant->record, friction->joint, friction->slip[c].component,
                                    limit * friction->slip[c].lever);
    }
    return good;
}

/* Forces with their errors; verdicts too (*judged), where they may have changed. */
static RbvStatus find_forces(RbvInstant *instant, bool *judged) {
    const RbvMotion *motion = instant->motion;
    RbvReactions *reactions = instant->reactions;
    RbvStatus status = rbv_forces_solve(instant->forces);
    if (status == RBV_OK)
        status = rbv_errors_estimate(instant->errors);
    bool doubted = reactions->doubted;
    doubted = rbv_reactions_doubt(reactions) || doubted;
    *judged =
        status == RBV_OK && (motion->solvability->redundant > 0 || instant->judged != motion->decisions ||
                             reactions->opened || rbv_forces_stale(instant->forces) || doubted || instant->balance);
    if (*judged) {
        status = rbv_forces_decide(instant->forces);
        if (status == RBV_OK && instant->balance)
            status = rbv_body_balance_verify(instant->balance, motion->state, reactions);
        rbv_reactions_doubt(reactions);
    }
    return status;
}

/* Where reactions are requested, solve for these alone if they are determined and nothing else depends on the other
 * reactions; else for all. */
static RbvStatus find_requested(RbvInstant *instant, bool *judged) {
    const RbvMotion *motion = instant->motion;
    const RbvReactions *reactions = instant->reactions;
    instant->alone = instant->requested && rbv_forces_may_ask(instant->forces, instant->requested);
    if (instant->alone) {
        rbv_forces_ask(instant->forces, instant->requested,
                       motion->solvability->redundant > 0 || instant->judged != motion->decisions);
        RbvStatus status = find_forces(instant, judged);
        rbv_forces_ask(instant->forces, NULL, false);
        instant->alone = status == RBV_OK && !reactions->doubted && !reactions->opened &&
                         rbv_requested_determined(instant->requested, reactions);
        if (instant->alone || (status != RBV_OK && !(status == RBV_LOCKED && motion->solvability->redundant > 0)))
            return status;
    }
    return find_forces(instant, judged);
}

/* Audit of a sample solved by virtual motions alone: the power of the real motion. AUDIT_FAILED, reported. */
static RbvStatus audit_requested(RbvInstant *instant) {
    RbvAudit *audit = &instant->audit;
    const RbvRequested *requested = instant->requested;
    instant->partly = true;
    audit->power = fmax(audit->power, fabs(requested->power));
    audit->power_scale = fmax(audit->power_scale, requested->power_size);
    return fabs(requested->power) <= RBV_AUDIT_TOLERANCE * audit->power_scale + requested->power_rounding
               ? RBV_OK
               : rbv_instant_fail(instant, RBV_AUDIT_FAILED, "the efforts do not have the power of the motion");
}

/* Multipliers of rigid rows: the requested ones by virtual motions, one by one; all from one system of equations where
 * all are requested, or where other rows lock such a row too. */
static RbvStatus find_multipliers(RbvInstant *instant) {
    const RbvRequested *requested = instant->requested;
    RbvState *state = instant->motion->state;
    int32_t at = 0;
    if (!instant->record->options.rigid_rows)
        return rbv_record_multipliers(instant->record, state, instant->reactions);
    for (int32_t k = 0; k < instant->system->coordinates.own_rows; k++) {
        double lambda;
        bool found;
        if (!requested->rigid[k] || isnan(rbv_record_multiplier_share(state, k)))
            continue;
        RbvStatus status = rbv_natural_by_row(instant->motion, instant->reactions, k, instant->rates, &lambda, &found);
        if (status != RBV_OK)
            return status;
        if (!found)
            return rbv_record_multipliers(instant->record, state, instant->reactions);
        if (!rbv_record_multiplier(instant->record, state, k, at++, lambda, true))
            return RBV_NOT_FINITE;
    }
    return RBV_OK;
}

RbvStatus rbv_instant_solve(RbvInstant *instant) {
    RbvMotion *motion = instant->motion;
    RbvState *state = motion->state;
    RbvReactions *reactions = instant->reactions;
    bool judged = false;
    char why[256] = "";
    if (!rbv_state_load(state)) {
        rbv_state_explain(state, why, sizeof why);
        char text[320];
        snprintf(text, sizeof text, "the loads are not finite%s%s", why[0] ? ": " : "", why);
        return rbv_instant_fail(instant, RBV_NOT_FINITE, text);
    }
    if (!rbv_state_masses(state)) {
        rbv_state_explain_masses(state, why, sizeof why);
        return rbv_instant_fail(instant, RBV_NOT_FINITE, why);
    }
    if (motion->given)
        rbv_motion_accelerate_given(motion);
    note_passing(instant);
    RbvStatus status = find_requested(instant, &judged);
    if (judged) {
        if (status == RBV_OK && !rbv_record_verdicts(instant->record, state, reactions, motion->solvability,
                                                     rbv_forces_choice(instant->forces)))
            status = RBV_NO_MEMORY;
        instant->judged = motion->decisions;
    }
    if (status != RBV_OK)
        return status;
    const RbvMethodReport *report = rbv_forces_report(instant->forces);
    if (report && !rbv_record_soft(instant->record, state, reactions, motion->solvability, report))
        return RBV_NO_MEMORY;
    if (instant->surplus && !rbv_surplus_find(instant->surplus, state, rbv_forces_surplus(instant->forces)))
        return RBV_NO_MEMORY;
    rbv_record_errors(instant->record, reactions);
    if (!instant->alone) {
        instant->audit.prescribed = motion->given;
        rbv_audit_sample(&instant->audit, state, reactions);
        instant->audit.soft = report != NULL;
        rbv_audit_accelerations(&instant->audit, state);
    }
    if (instant->alone && (status = audit_requested(instant)) != RBV_OK)
        return status;
    instant->audit.constraint = fmax(instant->audit.constraint, motion->constraint_error);
    if (instant->record->options.rigid && (status = find_multipliers(instant)) != RBV_OK)
        return status == RBV_NO_MEMORY
                   ? status
                   : rbv_instant_fail(instant, status, "the multipliers of natural coordinates are not finite");
    if (!rbv_record_sample(instant->record, state, reactions, why, sizeof why))
        return rbv_instant_fail(instant, RBV_NOT_FINITE, why);
    return record_still(instant) ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_instant_decide(const RbvInstant *instant) {
    char why[400], near[160] = "", text[600];
    if (rbv_audit_verify(&instant->audit, "the result", why, sizeof why) == RBV_OK)
        return RBV_OK;
    if (rbv_forces_report(instant->forces) && instant->motion->amplification > SOFT_NEAR)
        snprintf(near, sizeof near,
                 "; within %.1g of a singular position, of its size, stiff joints hide the masses in rounding: "
                 "two-step goes nearer",
                 1 / instant->motion->amplification);
    snprintf(text, sizeof text, "%s%s", why, near);
    return rbv_instant_fail(instant, RBV_AUDIT_FAILED, text);
}
