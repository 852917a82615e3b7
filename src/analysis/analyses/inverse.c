/* The inverse dynamics analysis: forces, reactions, verdicts and audit along the motion. */
#include <roberval/analysis.h>

#include "analysis/advice/clusters.h"
#include "analysis/analyses/drive_limits.h"
#include "analysis/analyses/instant.h"
#include "analysis/analyses/inverse_given.h"
#include "analysis/analyses/requested_motions.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/driven.h"
#include "model/result/result.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/record/samples.h"
#include "statics/find_equilibrium.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Inverse {
    const RbvSystem *system;
    const RbvModel *model;
    const RbvOptions *options;
    RbvInstant now;
    RbvDriven driven;
    RbvStopViolations violations;
    int32_t switches;           /* number of switches of active rows up to the last sample */
    bool newton;                /* --method newton: the equations are counted and recorded */
    RbvDriveLimit *limits;      /* [drives] */
    double speed, acceleration; /* [1/s], [1/s^2] largest velocity and acceleration so far: angular, or translations
                                   over the arm of their body's part */
} Inverse;

/* Allowed error of central differences, as a part of the largest velocity or acceleration of the run so far. */
#define DERIVATIVE_FIT 1e-3
/* Step of the differences: no body turns or moves by more than this (rad, or part of its arm). The error of the
 * differences, its square over 6, and rounding divided by the step are then far below DERIVATIVE_FIT. */
#define DERIVATIVE_TURN 1e-4
/* A difference that moves no body by more than this part of its arm over one sample step is ignored: a motion that just
 * begins. */
#define DERIVATIVE_FLOOR 1e-5

/* Size of a twist of a body, translations over the arm of its part. */
static double size_of(const RbvState *state, int32_t body, RbvTwist twist) {
    const double x[6] = {twist.v.x, twist.v.y, twist.v.z, twist.w.x, twist.w.y, twist.w.z};
    double most = 0;
    for (int k = 0; k < 6; k++)
        most = isnan(x[k]) ? NAN : fmax(most, fabs(x[k]) / (k < 3 ? rbv_state_body_arm(state, body) : 1));
    return most;
}

static void note_rates(Inverse *inverse) {
    const RbvState *state = inverse->now.motion->state;
    for (int32_t b = 1; b < inverse->system->bodies.count; b++) {
        inverse->speed = fmax(inverse->speed, size_of(state, b, state->twists[b]));
        inverse->acceleration = fmax(inverse->acceleration, size_of(state, b, state->accelerations[b]));
    }
}

/* Rounding of positions has the size eps size / h as a velocity, that of velocities eps speed / h as an
 * acceleration. */
#define POSITION_ROUNDING 1e-13

/* Are the errors dv and da of a body's velocity and acceleration small enough? */
static bool rates_fit(const Inverse *inverse, int32_t body, double dv, double da, double h, double step) {
    const RbvState *state = inverse->now.motion->state;
    double place = POSITION_ROUNDING * (rbv_state_body_size(state, body) + rbv_norm(state->bodies[body].r)) /
                   rbv_state_body_arm(state, body);
    return dv <= DERIVATIVE_FIT * inverse->speed + place / h + DERIVATIVE_FLOOR / step &&
           da <= DERIVATIVE_FIT * (inverse->acceleration + inverse->speed / step) +
                     POSITION_ROUNDING * inverse->speed / h + place / (h * step) + DERIVATIVE_FLOOR / (step * step);
}

typedef struct BodyMotion {
    RbvBodyState place;
    RbvTwist twist;
} BodyMotion;

/* Bodies at t (twists, then accelerations) and at t + h. */
typedef struct Neighbours {
    RbvTwist *here;    /* [2 bodies] */
    BodyMotion *later; /* [bodies] */
} Neighbours;

static RbvTwist less(double factor, RbvTwist change, RbvTwist rate) {
    return (RbvTwist){rbv_sub(rbv_scale(factor, change.v), rate.v), rbv_sub(rbv_scale(factor, change.w), rate.w)};
}

/* Compare them with central differences between the state at t - h, which is the present one, and that at t + h. */
static bool derivatives_fit(const Inverse *inverse, const Neighbours *near, double h, double step) {
    const RbvState *state = inverse->now.motion->state;
    const RbvBodyColumns *bodies = &inverse->system->bodies;
    bool good = true;
    for (int32_t b = 1; b < bodies->count; b++) {
        const BodyMotion *later = &near->later[b];
        RbvTwist dv =
            less(1 / (2 * h), rbv_body_difference(bodies, b, &state->bodies[b], &later->place), near->here[b]);
        RbvTwist rates = {rbv_sub(later->twist.v, state->twists[b].v), rbv_sub(later->twist.w, state->twists[b].w)};
        RbvTwist da = less(1 / (2 * h), rates, near->here[bodies->count + b]);
        good = good && rates_fit(inverse, b, size_of(state, b, dv), size_of(state, b, da), h, step);
    }
    return good;
}

/* Check that velocities and accelerations are the derivatives of positions, by central differences around the present
 * sample. Not checked: motions that are not twice continuously differentiable, and samples whose neighbours cannot be
 * reached (the end of a table). In a recorded motion second rates are constant around the sample. AUDIT_FAILED,
 * reported. */
static RbvStatus check_derivatives(Inverse *inverse, double t, double step) {
    RbvMotion *motion = inverse->now.motion;
    const char *why;
    for (int32_t k = 0; k < inverse->model->drives.count && !motion->state->guides; k++) {
        const RbvExpr *drive = inverse->model->drives.items[k].motion;
        if (rbv_expr_variable_count(drive) == 1 && !rbv_expr_is_smooth(drive, 0, &why))
            return RBV_OK;
    }
    double h = fmin(1e-4 * step, DERIVATIVE_TURN / fmax(inverse->speed, 1e-300));
    const RbvState *state = motion->state;
    size_t count = (size_t)inverse->system->bodies.count;
    Neighbours near = {malloc(2 * count * sizeof *near.here), malloc(count * sizeof *near.later)};
    if (!near.here || !near.later) {
        free(near.here);
        free(near.later);
        return RBV_NO_MEMORY;
    }
    memcpy(near.here, state->twists, count * sizeof *near.here);
    memcpy(near.here + count, state->accelerations, count * sizeof *near.here);
    RbvDiagnostics *diagnostics = motion->diagnostics;
    motion->diagnostics = NULL; /* errors between samples are not reported */
    bool reached = rbv_motion_go(motion, t + h) == RBV_OK;
    for (size_t b = 0; b < count; b++)
        near.later[b] = (BodyMotion){state->bodies[b], state->twists[b]};
    reached = reached && rbv_motion_go(motion, t - h) == RBV_OK;
    bool good = !reached || derivatives_fit(inverse, &near, h, step);
    free(near.here);
    free(near.later);
    motion->diagnostics = diagnostics;
    RbvStatus status = rbv_motion_go(motion, t);
    if (status == RBV_OK && reached && !good)
        return rbv_instant_fail(&inverse->now, RBV_AUDIT_FAILED, "the velocities are not the rates of the positions");
    return status;
}

/* Record data of the state at `from` that do not belong to samples, as check does. */
static RbvStatus describe_first(Inverse *inverse) {
    const RbvMotion *motion = inverse->now.motion;
    if (!rbv_record_modes(inverse->now.record, motion->state, inverse->now.reactions, motion->solvability))
        return RBV_NO_MEMORY;
    if (inverse->newton && !rbv_record_newton(inverse->now.record, motion->state, motion->solvability))
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_record_natural(inverse->now.record->result, motion->state, inverse->now.reactions,
                                          inverse->now.record->options.soft);
    return status == RBV_OK && inverse->now.requested && !rbv_requested_motions(&inverse->now) ? RBV_NO_MEMORY : status;
}

/* Compute sample k, at t. */
static RbvStatus take_sample(Inverse *inverse, int32_t k, double t) {
    if (!rbv_record_reserve(inverse->now.record))
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_driven_go(&inverse->driven, t);
    if (inverse->driven.switches != inverse->switches)
        inverse->now.judged = -1;
    inverse->switches = inverse->driven.switches;
    if (status == RBV_OK) {
        note_rates(inverse);
        status = rbv_instant_solve(&inverse->now);
        rbv_stop_violations_look(&inverse->violations, inverse->now.motion->state, inverse->driven.activity.truth);
    }
    if (status == RBV_OK && k == 0)
        status = describe_first(inverse);
    if (status == RBV_OK) {
        status = rbv_instant_decide(&inverse->now);
        /* earlier samples passed and are kept; this one is not part of the result */
        inverse->now.record->result->sample_count -= status != RBV_OK;
    }
    if (status == RBV_OK && !rbv_drive_limits_see(inverse->limits, inverse->now.motion->state, inverse->now.reactions,
                                                  inverse->now.motion->state->work))
        status = rbv_instant_fail(&inverse->now, RBV_NOT_FINITE, "the max: of a drive is not finite");
    if (status == RBV_OK)
        rbv_forces_see(inverse->now.forces);
    return status == RBV_OK ? rbv_samples_keep(inverse->options, inverse->now.record->result, inverse->now.diagnostics)
                            : status;
}

static RbvStatus inverse_run(Inverse *inverse, RbvSamples *samples) {
    double t, here = samples->from, step = samples->step;
    for (int32_t k = 0;; k++) {
        bool more;
        RbvStatus status = rbv_samples_next(samples, k, &t, &more);
        if (status == RBV_OK && !more && samples->recorded && k >= 3) { /* the largest rates of the run are known now */
            rbv_recorded_hold(samples->recorded);
            status = check_derivatives(inverse, here, step);
        }
        if (status != RBV_OK || !more)
            return status;
        step = samples->recorded && k > 0 ? t - here : step;
        here = t;
        status = take_sample(inverse, k, t);
        /* of an unrecorded motion, at the last but one sample */
        if (status == RBV_OK && !samples->recorded && samples->count >= 3 && k == samples->count - 2)
            status = check_derivatives(inverse, t, step);
        if (status != RBV_OK)
            return status;
    }
}

/* Note bodies without mass or inertia, which are allowed. */
static void note_massless(const RbvModel *model, RbvDiagnostics *diagnostics) {
    char names[400] = "";
    size_t used = 0;
    int count = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const double *J = body->inertia;
        bool turns = model->space == RBV_SPATIAL ? J[0] + J[1] + J[2] > 0 : J[2] > 0;
        if (body->generalized || (body->mass > 0 && (body->particle || turns)))
            continue;
        int n = snprintf(names + used, sizeof names - used, "%s%s%s", used ? ", " : "", body->name,
                         body->mass > 0 ? " (no inertia)" : "");
        used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        count++;
    }
    if (count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0}, "without mass: %s", names);
}

static RbvStatus inverse_create(Inverse *inverse, const RbvOptions *options, RbvSamples *samples) {
    const RbvSystem *system = inverse->system;
    RbvState *rest = NULL;
    RbvMachine assembled = {.corrected = -1};
    RbvStatus status = options->start_at_equilibrium
                           ? rbv_equilibrium_state(system, options, RBV_SUPPORTED_TWO_SIDED, inverse->now.diagnostics,
                                                   &assembled, &rest)
                           : RBV_OK;
    if (status == RBV_OK)
        status =
            rbv_driven_create(&inverse->driven, system, samples->from, samples->step, rest, rbv_samples_guides(samples),
                              options->tolerance, &samples->progress, inverse->now.diagnostics, &inverse->now.motion);
    rbv_state_destroy(rest);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions record = {.analysis = "inverse",
                               .reactions = true,
                               .series = true,
                               .states = true,
                               .rigid = options->multipliers ? system : NULL,
                               .soft = rbv_natural_soft(options),
                               .method = rbv_method_kind(options->method)->name};
    status = rbv_instant_create(&inverse->now, options, &record);
    if (status == RBV_OK)
        status = rbv_instant_begin(&inverse->now, options);
    if (status != RBV_OK)
        return status;
    if (!rbv_result_reserve_in(inverse->now.record->result, samples->count, options->rows_folder,
                               options->rows_memory) ||
        !rbv_stop_violations_create(&inverse->violations, system))
        return RBV_NO_MEMORY;
    if (!rbv_scene_show(inverse->now.record->result, inverse->now.motion->state, options))
        return RBV_NO_MEMORY;
    note_massless(inverse->model, inverse->now.diagnostics);
    RbvMachine machine = rbv_machine_of(inverse->now.motion->state);
    machine = options->start_at_equilibrium ? rbv_machine_corrected(machine, &assembled) : machine;
    if (!rbv_note_inertias(inverse->now.motion->state, inverse->now.diagnostics) ||
        !rbv_record_machine(inverse->now.record->result, inverse->model, &machine))
        return RBV_NO_MEMORY;
    return rbv_check_wheels(inverse->now.motion->state, inverse->now.diagnostics);
}

/* Check that the requested options go together. BAD_INPUT, reported. */
static RbvStatus admit(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    const RbvMethodKind *method = rbv_method_kind(options->method);
    const RbvPosition nowhere = {0, 0};
    if (options->by != RBV_BY_CUT && options->reaction_count == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, nowhere,
                     "--by says how a reaction is found that --reaction asks for");
        return RBV_BAD_INPUT;
    }
    if (options->reaction_count > 0 && options->method != RBV_METHOD_VIRTUAL_POWER) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, nowhere,
                     "--reaction goes with --method virtual-power: %s solves for all reactions at once", method->name);
        return RBV_BAD_INPUT;
    }
    if (options->recording && options->start_at_equilibrium) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, nowhere,
                     "a recorded motion begins where its first row says: it does not go with a start in equilibrium");
        return RBV_BAD_INPUT;
    }
    RbvStatus status = method->admits ? method->admits(system, diagnostics) : RBV_OK;
    return status == RBV_OK ? rbv_natural_multipliers_admit(system, options, diagnostics) : status;
}

/* Compute all samples, as far as possible; the result with audit, notes and ranges becomes *result. */
static RbvStatus run_and_keep(Inverse *inverse, RbvSamples *samples, RbvNotes *notes, RbvResult **result) {
    const RbvModel *model = inverse->model;
    RbvInstant *now = &inverse->now;
    RbvStatus status = inverse_run(inverse, samples);
    RbvResult *done = now->record->result;
    if (done->sample_count == 0 || status == RBV_NO_MEMORY)
        return status;
    if (now->partly)
        now->audit.force = now->audit.torque = NAN;
    rbv_record_audit(done, &now->audit);
    rbv_note_unilateral(model, done, notes->report);
    rbv_stop_violations_note(&inverse->violations, notes->report);
    rbv_drive_limits_note(inverse->limits, model, notes->report);
    rbv_forces_note(now->forces, notes->report);
    if (!rbv_record_ranges(now->record, rbv_forces_choice(now->forces)) || !rbv_notes_keep(notes, model, done))
        return RBV_NO_MEMORY;
    *result = done;
    now->record->result = NULL;
    return status;
}

RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                      RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    if (options.given && options.recording) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "--record says what the drives do, --motion what all bodies do: one of them");
        return RBV_BAD_INPUT;
    }
    if (options.given)
        return rbv_inverse_given(system, &options, diagnostics, result);
    RbvNotes notes;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    Inverse inverse = {
        .system = system, .model = system->model, .now = {.system = system, .diagnostics = notes.report}};
    RbvSamples samples = {0};
    inverse.options = &options;
    inverse.limits = calloc((size_t)system->model->drives.count + 1, sizeof *inverse.limits);
    status = inverse.limits || status != RBV_OK ? status : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_model_without_motion(system->model, "inverse",
                                          RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_STOPS | RBV_TAKES_TIME |
                                              RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS,
                                          notes.report);
    inverse.newton = options.method == RBV_METHOD_NEWTON;
    if (status == RBV_OK)
        status = admit(system, &options, notes.report);
    if (status == RBV_OK)
        status = rbv_samples_open(system->model, &options, notes.report, &samples);
    if (status == RBV_OK)
        status = inverse_create(&inverse, &options, &samples);
    if (status == RBV_OK)
        status = run_and_keep(&inverse, &samples, &notes, result);
    status = rbv_scene_end(system, &options, "inverse", status, notes.report, result);
    free(inverse.limits);
    rbv_instant_destroy(&inverse.now);
    rbv_driven_destroy(&inverse.driven);
    rbv_samples_close(&samples);
    rbv_stop_violations_destroy(&inverse.violations);
    rbv_notes_close(&notes);
    return status;
}
