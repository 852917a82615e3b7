/* Forces, verdicts, audit and record at one instant, and virtual motions of requested reactions; see instant.h. */
#include "analysis/analyses/instant.h"

#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "mechanics/element/load.h"
#include "solution/reaction/natural_multipliers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nearer to a singular position than 1/this of its size, methods with D^T D in their matrix may violate the balance of
 * bodies for that reason. */
#define SOFT_NEAR 1e6

RbvStatus rbv_instant_create(RbvInstant *instant, const RbvOptions *options, const RbvRecordOptions *what) {
    instant->decided = -1;
    instant->reactions = rbv_reactions_create(instant->system, options->reactions.frame);
    instant->passing = calloc((size_t)instant->system->model->loads.count + 1, sizeof *instant->passing);
    if (!instant->reactions || !rbv_audit_create(&instant->audit, instant->system) || !instant->passing)
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_body_balance_create(instant->system, options, instant->diagnostics, &instant->balance);
    if (status == RBV_OK && options->inverse.reaction_count > 0)
        status = rbv_requested_create(instant->reactions, options, instant->diagnostics, &instant->requested);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions of = *what;
    instant->reactions->each_sample = what->instant;
    of.balance = instant->balance;
    of.surplus = instant->surplus;
    of.influences = options->reactions.influences;
    of.drive_rates = options->sizing.catalogue != NULL;
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
    if (!instant->record || !instant->rates)
        return RBV_NO_MEMORY;
    if (instant->record->feels) {
        instant->felt = malloc((size_t)instant->system->model->drives.count * sizeof *instant->felt);
        instant->record->felt = instant->felt;
    }
    return instant->felt || !instant->record->feels ? RBV_OK : RBV_NO_MEMORY;
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
    RbvReactions *reactions = rbv_reactions_create(instant->system, options->reactions.frame);
    if (!reactions)
        return RBV_NO_MEMORY;
    reactions->each_sample = instant->reactions->each_sample;
    rbv_reactions_destroy(instant->reactions);
    instant->reactions = reactions;
    instant->decided = -1;
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
    free(instant->felt);
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
        if (!rbv_load_row(load->kind)->line || instant->passing[k] || !rbv_spring_has_no_length(&at, load) ||
            state->load_value[k][0] == 0)
            continue;
        instant->passing[k] = true;
        rbv_diagnose_once(
            instant->diagnostics, (RbvOnce){"passing", k}, RBV_NOTE, model->file, load->where,
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

/* Forces with their errors; verdicts too (*decided), where they may have changed. */
static RbvStatus find_forces(RbvInstant *instant, bool *decided) {
    const RbvMotion *motion = instant->motion;
    RbvReactions *reactions = instant->reactions;
    RbvStatus status = rbv_forces_solve(instant->forces);
    if (status == RBV_OK)
        status = rbv_errors_estimate(instant->errors);
    bool doubted = reactions->doubted;
    doubted = rbv_reactions_doubt(reactions) || doubted;
    *decided =
        status == RBV_OK && (motion->solvability->redundant > 0 || instant->decided != motion->decisions ||
                             reactions->opened || rbv_forces_stale(instant->forces) || doubted || instant->balance);
    if (*decided) {
        status = rbv_forces_decide(instant->forces);
        if (status == RBV_OK && instant->balance)
            status = rbv_body_balance_verify(instant->balance, motion->state, reactions);
        rbv_reactions_doubt(reactions);
    }
    return status;
}

/* Where reactions are requested, solve for these alone if they are determined and nothing else depends on the other
 * reactions; else for all. */
static RbvStatus find_requested_forces(RbvInstant *instant, bool *decided) {
    const RbvMotion *motion = instant->motion;
    const RbvReactions *reactions = instant->reactions;
    instant->alone = instant->requested && rbv_forces_may_ask(instant->forces, instant->requested);
    if (instant->alone) {
        rbv_forces_ask(instant->forces, instant->requested,
                       motion->solvability->redundant > 0 || instant->decided != motion->decisions);
        RbvStatus status = find_forces(instant, decided);
        rbv_forces_ask(instant->forces, NULL, false);
        instant->alone = status == RBV_OK && !reactions->doubted && !reactions->opened &&
                         rbv_requested_determined(instant->requested, reactions);
        if (instant->alone || (status != RBV_OK && !(status == RBV_LOCKED && motion->solvability->redundant > 0)))
            return status;
    }
    return find_forces(instant, decided);
}

/* Audit of a sample solved by virtual motions alone: the power of the real motion. AUDIT_FAILED, reported. */
static RbvStatus audit_requested(RbvInstant *instant) {
    RbvAudit *audit = &instant->audit;
    const RbvRequested *requested = instant->requested;
    instant->partly = true;
    audit->power = rbv_max(audit->power, fabs(requested->power));
    audit->power_scale = rbv_max(audit->power_scale, requested->power_size);
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
    bool decided = false;
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
    if (motion->prescribed)
        rbv_motion_accelerate_given(motion);
    note_passing(instant);
    RbvStatus status = find_requested_forces(instant, &decided);
    if (decided) {
        if (status == RBV_OK && !rbv_record_verdicts(instant->record, state, reactions, motion->solvability,
                                                     rbv_forces_choice(instant->forces)))
            status = RBV_NO_MEMORY;
        instant->decided = motion->decisions;
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
        instant->audit.prescribed = motion->prescribed;
        rbv_audit_sample(&instant->audit, state, reactions);
        instant->audit.soft = report != NULL;
        rbv_audit_accelerations(&instant->audit, state);
    }
    if (instant->alone && (status = audit_requested(instant)) != RBV_OK)
        return status;
    instant->audit.constraint = rbv_max(instant->audit.constraint, motion->constraint_error);
    if (instant->record->options.rigid && (status = find_multipliers(instant)) != RBV_OK)
        return status == RBV_NO_MEMORY
                   ? status
                   : rbv_instant_fail(instant, status, "the multipliers of natural coordinates are not finite");
    for (int32_t k = 0; instant->felt && k < instant->system->model->drives.count; k++)
        instant->felt[k] = instant->record->result->drives.items[k].rate > 0
                               ? rbv_motion_felt_inertia(motion, k, instant->rates)
                               : NAN;
    if (!instant->alone)
        status = rbv_record_influences(instant->record, state, motion->solvability, rbv_forces_choice(instant->forces),
                                       reactions);
    if (status != RBV_OK)
        return status;
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

/* ---- virtual motions of the requested reactions ---- */

/* Most sums named in a note; result.json has all. */
#define MOST_SUMS 3

static bool has(const RbvMode *mode, const char *name) {
    for (int32_t n = 0; n < mode->count; n++)
        if (strcmp(mode->shares[n].name, name) == 0)
            return true;
    return false;
}

/* Append a sum such as "A.Fx - 2 B.Fx" to text[size]. */
static void put_sum(const RbvMode *sum, char *text, size_t size) {
    for (int32_t n = 0; n < sum->count; n++) {
        size_t used = strlen(text);
        double share = sum->shares[n].share;
        static const char *const signs[2][2] = {{"", "-"}, {" + ", " - "}}; /* of the first term, of others */
        const char *sign = signs[n > 0][share < 0];
        if (fabs(fabs(share) - 1) < 1e-9)
            snprintf(text + used, size - used, "%s%s", sign, sum->shares[n].name);
        else
            snprintf(text + used, size - used, "%s%.6g %s", sign, fabs(share), sum->shares[n].name);
    }
}

/* Note why no virtual motion moves the cut alone, and which sums are determined. */
static void note_locked(const RbvInstant *instant, const RbvRequestedPart *part) {
    const RbvResult *result = instant->record->result;
    char text[1500] = "";
    int32_t sums = 0, stress = 0;
    for (int32_t k = result->mode_count; k > 0; k--)
        stress = has(&result->modes[k - 1], part->name) ? k : stress;
    for (int32_t k = 0; k < result->group_count && sums < MOST_SUMS; k++) {
        if (!has(&result->groups[k], part->name))
            continue;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s", sums++ ? ", " : "; determined are ");
        put_sum(&result->groups[k], text, sizeof text);
    }
    if (stress > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sit takes part in self-stress %d",
                 *text ? "; " : "; no sum with it is determined; ", (int)stress);
    rbv_diagnose(instant->diagnostics, RBV_NOTE, instant->system->model->file, (RbvPosition){0, 0},
                 "no virtual motion moves %s alone: cut there, the mechanism is still held by its other constraints, "
                 "so that the rigid model does not determine it%s",
                 part->name, text);
}

/* Text such as "the cut of A along x". */
static void describe_cut(const RbvInstant *instant, const RbvRequestedPart *part, char *text, size_t size) {
    static const char *const freedoms[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
    const RbvModel *model = instant->system->model;
    if (part->joint < 0)
        snprintf(text, size, "the value of %s", model->constraints.items[part->constraint].name);
    else
        snprintf(text, size, "the cut of %s %s", model->joints.items[part->joint].name,
                 part->component < RBV_LINE_F ? freedoms[part->component] : "along its line");
}

/* Note one-sided joints whose force is not requested: its sign is then not checked. */
static void note_unseen(const RbvInstant *instant) {
    const RbvModel *model = instant->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool one_sided = rbv_forms[joint->form].only_pushes || joint->unilateral;
        if (one_sided && rbv_component_in(instant->reactions->printed[k], RBV_LINE_F) &&
            !rbv_component_in(instant->requested->components[k], RBV_LINE_F))
            rbv_diagnose(instant->diagnostics, RBV_NOTE, model->file, joint->where,
                         "'%s' can push, or pull, one way only: whether it has to do so the other way is not looked at "
                         "without " RBV_OPTION_INVERSE_REACTIONS " %s.F",
                         joint->name, joint->name);
    }
}

/* Virtual motions of drives, each at unit rate of its coordinate. False: no memory. */
static bool note_drives(RbvInstant *instant) {
    RbvRequested *requested = instant->requested;
    bool good = true;
    for (int32_t k = 0; good && k < instant->system->model->drives.count; k++) {
        char name[RBV_NAME_SIZE + 8];
        snprintf(name, sizeof name, "%s.effort", instant->system->model->drives.items[k].name);
        if (requested->drives[k])
            good = rbv_record_virtual_motion(
                instant->record->result, instant->motion->state, name,
                rbv_requested_drive(requested, instant->motion, k, requested->u) ? requested->u : NULL);
    }
    return good;
}

/* Virtual motions of rigid rows, whose bodies stretch: at the rate at which the power of loads and inertia equals the
 * printed value, for a bar at 1 m/s of elongation. False: no memory or failure of the solution. */
static bool note_rows(RbvInstant *instant) {
    RbvState *state = instant->motion->state;
    bool good = true;
    for (int32_t k = 0; good && k < instant->system->coordinates.own_rows && instant->requested->rigid_count > 0; k++) {
        char name[RBV_NAME_SIZE];
        double lambda;
        bool found;
        if (!instant->requested->rigid[k])
            continue;
        rbv_natural_row_name(instant->system, k, name, sizeof name);
        good = rbv_natural_by_row(instant->motion, instant->reactions, k, instant->rates, &lambda, &found) == RBV_OK &&
               rbv_record_stretch(instant->record->result, state, name, found ? instant->rates : NULL,
                                  rbv_record_multiplier_share(state, k));
        if (good && !found)
            rbv_diagnose(
                instant->diagnostics, RBV_NOTE, instant->system->model->file, (RbvPosition){0, 0},
                "no virtual motion varies %s alone: other rows hold it, too, and the value is that of least norm",
                name);
    }
    return good;
}

bool rbv_instant_record_motions(RbvInstant *instant) {
    RbvRequested *requested = instant->requested;
    RbvResult *result = instant->record->result;
    RbvReactions *reactions = instant->reactions;
    char freedom[RBV_NAME_SIZE + 40];
    rbv_reactions_place(reactions, instant->motion->state);
    result->virtual_motions = rbv_arena_array(&result->arena,
                                              (size_t)requested->count + (size_t)requested->rigid_count +
                                                  (size_t)instant->system->model->drives.count + 1,
                                              sizeof *result->virtual_motions);
    bool good = result->virtual_motions != NULL;
    for (int32_t k = 0; good && k < requested->count; k++) {
        const RbvRequestedPart *part = &requested->parts[k];
        RbvVerdict verdict = part->joint >= 0 ? reactions->verdict[part->joint][part->component]
                                              : reactions->multiplier_verdict[part->constraint];
        bool found = verdict == RBV_UNIQUE && requested->by == RBV_BY_CUT &&
                     rbv_requested_motion(requested, instant->motion, reactions, k, requested->u);
        if (requested->by ==
            RBV_BY_CUT) /* otherwise there are several motions, of rows, or of bodies that are no longer rigid */
            good = rbv_record_virtual_motion(result, instant->motion->state, part->name, found ? requested->u : NULL);
        describe_cut(instant, part, freedom, sizeof freedom);
        if (good && found)
            good = rbv_scene_add_motion(result, instant->motion->state, part->name, freedom, requested->u);
        if (verdict == RBV_NOT_UNIQUE || verdict == RBV_COMPLIANCE)
            note_locked(instant, part);
    }
    good = good && note_drives(instant) && note_rows(instant);
    note_unseen(instant);
    return good;
}
