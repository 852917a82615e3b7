/* Recipes: kinematics and inverse. Each is a few steps on top of motion, forces, audit and record. */
#include <roberval/analysis.h>

#include "analysis/audit.h"
#include "analysis/constraint_check.h"
#include "analysis/forces.h"
#include "analysis/motion.h"
#include "analysis/record.h"
#include "analysis/recipe.h"
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples between two calls of the caller's progress function. */
#define PROGRESS_EVERY 64

RbvOptions rbv_options_default(void) {
    return (RbvOptions){.from = NAN, .to = NAN, .step = NAN, .damping = NAN};
}

typedef struct Inverse {
    const RbvSystem *system;
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvRecord *record;
    RbvForces *forces;
    RbvAudit audit;
    int32_t judged;       /* rank decisions whose verdicts are recorded */
    double speed, acceleration; /* largest of the run so far, turns times the arm length */
} Inverse;

static RbvStatus fail(const Inverse *inverse, RbvStatus status, double t, const char *text) {
    rbv_diagnose(inverse->diagnostics, RBV_ERROR, inverse->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", t, text);
    return status;
}

/* One sample from the motion's accepted state: forces, multipliers, reactions, verdicts, audit. */
static RbvStatus inverse_sample(Inverse *inverse) {
    RbvMotion *motion = inverse->motion;
    RbvState *state = motion->state;
    RbvReactions *reactions = inverse->reactions;
    char why[256] = "";
    if (!rbv_state_load(state)) {
        rbv_state_explain(state, why, sizeof why);
        char text[320];
        snprintf(text, sizeof text, "the loads are not finite%s%s", why[0] ? ": " : "", why);
        return fail(inverse, RBV_NOT_FINITE, state->t, text);
    }
    RbvStatus status = rbv_forces_solve(inverse->forces);
    if (status == RBV_OK && (motion->solvability->redundant > 0 || inverse->judged != motion->decisions || reactions->opened ||
                             rbv_forces_stale(inverse->forces))) {
        status = rbv_forces_judge(inverse->forces);
        if (status == RBV_OK && !rbv_record_verdicts(inverse->record, state, reactions, motion->solvability, rbv_forces_choice(inverse->forces)))
            status = RBV_NO_MEMORY;
        inverse->judged = motion->decisions;
    }
    if (status != RBV_OK)
        return status;
    rbv_audit_sample(&inverse->audit, state, reactions);
    inverse->audit.constraint = fmax(inverse->audit.constraint, motion->constraint_error);
    if (!rbv_record_sample(inverse->record, state, reactions, why, sizeof why))
        return fail(inverse, RBV_NOT_FINITE, state->t, why);
    return RBV_OK;
}

/* What central differences may be off, of the largest rate of the run so far. */
#define DERIVATIVE_FIT 1e-3
/* Their step turns or moves no body by more than this part (rad, or of its arm): the error of the differences, its square over 6, is far below
 * DERIVATIVE_FIT, and rounding over it as well. */
#define DERIVATIVE_TURN 1e-4
/* A difference that over one sample step moves no body by more than this part of its arm says nothing: a motion that just begins. */
#define DERIVATIVE_FLOOR 1e-5

/* Are the velocities and accelerations those of the positions? Central differences around the present sample. Nothing is said of motions that are
 * not twice continuously differentiable, and of neighbours that cannot be reached (the end of a table). */
static RbvStatus check_derivatives(Inverse *inverse, double t, double step) {
    RbvMotion *motion = inverse->motion;
    int32_t n = motion->n;
    const double arm = inverse->system->arm_length;
    const char *why;
    for (int32_t k = 0; k < inverse->model->drives.count; k++) {
        const RbvExpr *drive = inverse->model->drives.items[k].motion;
        if (rbv_expr_variable_count(drive) == 1 && !rbv_expr_is_smooth(drive, 0, &why))
            return RBV_OK;
    }
    double h = fmin(1e-4 * step, DERIVATIVE_TURN * arm / fmax(inverse->speed, 1e-300)), worst_v = 0, worst_a = 0;
    size_t rates = (size_t)n, positions = (size_t)inverse->system->absolute.position_size;
    double *keep = malloc((4 * rates + positions + 1) * sizeof *keep), *v = keep, *a = v + rates, *later_v = a + rates, *change = later_v + rates;
    double *later_q = change + rates;
    if (!keep)
        return RBV_NO_MEMORY;
    memcpy(v, motion->state->v, rates * sizeof(double));
    memcpy(a, motion->state->a, rates * sizeof(double));
    RbvDiagnostics *diagnostics = motion->diagnostics;
    motion->diagnostics = NULL; /* what happens between samples is not the user's */
    bool reached = rbv_motion_go(motion, t + h) == RBV_OK;
    memcpy(later_q, motion->state->q, positions * sizeof(double));
    memcpy(later_v, motion->state->v, rates * sizeof(double));
    reached = reached && rbv_motion_go(motion, t - h) == RBV_OK;
    if (reached)
        rbv_absolute_difference(&inverse->system->absolute, motion->state->q, later_q, change);
    for (int32_t k = 0; reached && k < n; k++) {
        double dv = change[k] / (2 * h) - v[k];
        double da = (later_v[k] - motion->state->v[k]) / (2 * h) - a[k];
        worst_v = fmax(worst_v, fabs(dv) * motion->scale_length[k]);
        worst_a = fmax(worst_a, fabs(da) * motion->scale_length[k]);
    }
    free(keep);
    motion->diagnostics = diagnostics;
    RbvStatus status = rbv_motion_go(motion, t);
    /* rounding of positions is worth eps size / h as a rate, that of rates eps speed / h as an acceleration */
    double eps = 1e-13, size = inverse->system->size_length;
    bool good = worst_v <= DERIVATIVE_FIT * inverse->speed + eps * size / h + DERIVATIVE_FLOOR * arm / step &&
                worst_a <= DERIVATIVE_FIT * (inverse->acceleration + inverse->speed / step) +
                               eps * (inverse->speed / h + size / (h * step)) + DERIVATIVE_FLOOR * arm / (step * step);
    if (status == RBV_OK && reached && !good)
        return fail(inverse, RBV_AUDIT_FAILED, t, "the velocities are not the rates of the positions");
    return status;
}

static void inverse_destroy(Inverse *inverse) {
    rbv_motion_destroy(inverse->motion);
    rbv_reactions_destroy(inverse->reactions);
    rbv_record_destroy(inverse->record);
    rbv_forces_destroy(inverse->forces);
    rbv_audit_destroy(&inverse->audit);
}

void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics) {
    const RbvColumn *along = &result->columns[0];
    bool time = !result->followed.parameter;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool cam = joint->form == RBV_FORM_CAM, belt = joint->form == RBV_FORM_BELT, roll = joint->form == RBV_FORM_ROLL;
        char name[200], when[200];
        if (!cam && !belt && !roll)
            continue;
        snprintf(name, sizeof name, "%s.F", joint->name);
        int32_t column = rbv_result_find(result, name);
        for (int32_t n = 0; column >= 0 && n < result->sample_count; n++) {
            double force = rbv_result_value(result, n, column);
            bool slack = belt && joint->preload > 0 && joint->preload < 0.5 * fabs(force);
            if (!(force < 0) && !slack)
                continue;
            snprintf(when, sizeof when, "%s = %.6g %s", time ? "t" : along->name, rbv_result_value(result, n, 0), along->unit);
            rbv_diagnose(diagnostics, RBV_WARNING, model->file, joint->where,
                         cam     ? "the contact of cam '%s' would have to pull from %s on (F = %.4g N): a real follower lifts off"
                         : roll  ? "the contact of '%s' would have to pull from %s on (F = %.4g N): a real one lifts off"
                         : slack ? "a strand of belt '%s' goes slack at %s (F = %.4g N needs a preload above half of it)"
                                 : "the force of belt '%s' turns negative at %s (F = %.4g N): the other strand becomes the tight one",
                         joint->name, when, force);
            break;
        }
    }
}

bool rbv_copy_notes(RbvResult *result, const RbvDiagnostics *diagnostics, int32_t from, const RbvModel *model) {
    if (rbv_diagnostics_lost(diagnostics))
        return false;
    for (int32_t k = from; diagnostics && k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic diagnostic = rbv_diagnostics_at(diagnostics, k);
        if (diagnostic.severity != RBV_ERROR && !rbv_result_note(result, diagnostic.message))
            return false;
    }
    for (int32_t k = 0; k < model->tables.count; k++)
        if (model->tables.items[k].smooth > 0) {
            char text[256];
            snprintf(text, sizeof text, "table '%s' was smoothed: zero-phase low-pass, 3 dB down at %.9g cycles per unit of its x (Hz for time)",
                     model->tables.items[k].name, model->tables.items[k].smooth);
            if (!rbv_result_note(result, text))
                return false;
        }
    return true;
}

static void largest(double *to, double value, bool more) {
    *to = more && !(value > *to) ? *to : value;
}

void rbv_fill_audit(RbvResult *result, const RbvAudit *audit) {
    bool more = result->has_audit;
    result->has_audit = true;
    largest(&result->audit_force, audit->force, more);
    largest(&result->audit_torque, audit->torque, more);
    largest(&result->audit_power, audit->power, more);
    largest(&result->audit_constraint, audit->constraint, more);
    largest(&result->audit_force_scale, audit->force_scale, more);
    largest(&result->audit_torque_scale, audit->torque_scale, more);
    largest(&result->audit_power_scale, audit->power_scale, more);
}

bool rbv_goes_on(const RbvOptions *options, int32_t k, int32_t count) {
    return !options->progress || k % PROGRESS_EVERY != 0 || options->progress(options->context, (double)k / count);
}

static RbvStatus inverse_run(Inverse *inverse, const RbvOptions *options, const RbvSamples *samples) {
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < samples->count && status == RBV_OK; k++) {
        if (!rbv_goes_on(options, k, samples->count))
            return RBV_INTERRUPTED;
        double t = rbv_samples_time(samples, k);
        status = rbv_motion_go(inverse->motion, t);
        for (int32_t n = 0; status == RBV_OK && n < inverse->motion->n; n++) {
            inverse->speed = fmax(inverse->speed, fabs(inverse->motion->state->v[n]) * inverse->motion->scale_length[n]);
            inverse->acceleration = fmax(inverse->acceleration, fabs(inverse->motion->state->a[n]) * inverse->motion->scale_length[n]);
        }
        if (status == RBV_OK)
            status = inverse_sample(inverse);
        /* modes belong to the state at `from`, as in check */
        if (status == RBV_OK && k == 0 &&
            !rbv_record_modes(inverse->record, inverse->motion->state, inverse->reactions, inverse->motion->solvability))
            return RBV_NO_MEMORY;
        if (status == RBV_OK && inverse->audit.failed) {
            char text[256];
            int32_t body = inverse->audit.worst_body;
            snprintf(text, sizeof text, "the result fails its audit at %s%s%s: left over %.3g N, %.3g N.m, %.3g W",
                     body ? "body '" : "the power balance", body ? inverse->model->bodies.items[body].name : "", body ? "'" : "",
                     inverse->audit.force, inverse->audit.torque, inverse->audit.power);
            status = fail(inverse, RBV_AUDIT_FAILED, t, text);
            inverse->record->result->sample_count--; /* the samples before it passed and are kept, this one is no result */
        }
        /* near the end, when the largest rates of the run are known */
        if (status == RBV_OK && samples->count >= 3 && k == samples->count - 2)
            status = check_derivatives(inverse, t, samples->step);
    }
    return status;
}

/* Bodies without mass or inertia are allowed, but not in silence. */
static void note_massless(const RbvModel *model, RbvDiagnostics *diagnostics) {
    char names[400] = "";
    size_t used = 0;
    int count = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const double *J = body->inertia;
        bool turns = model->space == RBV_SPATIAL ? J[0] + J[1] + J[2] > 0 : J[2] > 0;
        if (body->mass > 0 && (body->particle || turns))
            continue;
        int n = snprintf(names + used, sizeof names - used, "%s%s%s", used ? ", " : "", body->name, body->mass > 0 ? " (no inertia)" : "");
        used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        count++;
    }
    if (count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0}, "without mass: %s", names);
}

static RbvStatus inverse_create(Inverse *inverse, const RbvOptions *options, const RbvSamples *samples) {
    const RbvSystem *system = inverse->system;
    RbvState *rest = NULL;
    RbvStatus status = options->start_at_rest ? rbv_statics_place(system, options, inverse->diagnostics, &rest) : RBV_OK;
    if (status == RBV_OK)
        status = rbv_motion_create(system, samples->from, rest, inverse->diagnostics, &inverse->motion);
    rbv_state_destroy(rest);
    if (status != RBV_OK)
        return status;
    inverse->reactions = rbv_reactions_create(system, options->frame);
    if (!inverse->reactions || !rbv_audit_create(&inverse->audit, system))
        return RBV_NO_MEMORY;
    status = rbv_forces_create(inverse->motion, inverse->reactions, options, inverse->diagnostics, &inverse->forces);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions record = {.analysis = "inverse", .reactions = true, .series = true,
                               .method = options->method == RBV_METHOD_LAGRANGE ? "lagrange" : "two-step"};
    inverse->record = rbv_record_create(system, inverse->reactions, &record);
    if (!inverse->record || !rbv_result_reserve(inverse->record->result, samples->count))
        return RBV_NO_MEMORY;
    if (!rbv_record_mobility(inverse->record, inverse->motion->state, inverse->motion->solvability))
        return RBV_NO_MEMORY;
    inverse->record->result->redundant_by = rbv_choice_name(rbv_forces_choice(inverse->forces));
    note_massless(inverse->model, inverse->diagnostics);
    return rbv_check_wheels(inverse->motion->state, inverse->diagnostics);
}

RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    Inverse inverse = {.system = system, .model = system->model, .diagnostics = diagnostics, .judged = -1};
    int32_t first_note = diagnostics ? rbv_diagnostics_count(diagnostics) : 0;
    RbvSamples samples;
    RbvStatus status = rbv_samples_create(system->model, &options, diagnostics, &samples);
    if (status == RBV_OK)
        status = inverse_create(&inverse, &options, &samples);
    if (status == RBV_OK) {
        status = inverse_run(&inverse, &options, &samples);
        RbvResult *done = inverse.record->result;
        if (done->sample_count > 0 && status != RBV_NO_MEMORY) {
            rbv_fill_audit(done, &inverse.audit);
            rbv_record_ranges(inverse.record, rbv_forces_choice(inverse.forces));
            rbv_note_unilateral(system->model, done, diagnostics);
            if (rbv_copy_notes(done, diagnostics, first_note, system->model)) {
                *result = done;
                inverse.record->result = NULL;
            } else {
                status = RBV_NO_MEMORY;
            }
        }
    }
    inverse_destroy(&inverse);
    return status;
}

RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    int32_t first_note = diagnostics ? rbv_diagnostics_count(diagnostics) : 0;
    RbvSamples samples;
    RbvMotion *motion = NULL;
    RbvRecord *record = NULL;
    char why[256];
    RbvStatus status = rbv_samples_create(system->model, &options, diagnostics, &samples);
    if (status == RBV_OK)
        status = rbv_motion_create(system, samples.from, NULL, diagnostics, &motion);
    if (status == RBV_OK) {
        RbvRecordOptions what = {.analysis = "kinematics", .kinematics = true, .series = true};
        record = rbv_record_create(system, NULL, &what);
        if (!record || !rbv_result_reserve(record->result, samples.count))
            status = RBV_NO_MEMORY;
        else
            status = rbv_record_mobility(record, motion->state, motion->solvability) ? RBV_OK : RBV_NO_MEMORY;
    }
    double error = 0;
    for (int32_t k = 0; status == RBV_OK && k < samples.count; k++) {
        if (!rbv_goes_on(&options, k, samples.count)) {
            status = RBV_INTERRUPTED;
            break;
        }
        status = rbv_motion_go(motion, rbv_samples_time(&samples, k));
        if (status == RBV_OK) {
            rbv_state_load(motion->state);
            error = fmax(error, motion->constraint_error);
            rbv_record_sample(record, motion->state, NULL, why, sizeof why);
        }
    }
    if (record && record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
        record->result->has_audit = true;
        record->result->audit_force = record->result->audit_torque = record->result->audit_power = NAN;
        record->result->audit_constraint = error;
        if (rbv_copy_notes(record->result, diagnostics, first_note, system->model)) {
            *result = record->result;
            record->result = NULL;
        } else {
            status = RBV_NO_MEMORY;
        }
    }
    rbv_record_destroy(record);
    rbv_motion_destroy(motion);
    return status;
}
