/* The inverse dynamics analysis: forces, reactions, verdicts and audit along a motion that drives prescribe. One that
 * is prescribed for all bodies is in prescribed.c.
 */
#include "analysis/advice/clusters.h"
#include "analysis/analyses/instant.h"
#include "analysis/analyses/prescribed.h"
#include "analysis/analyses/sample_run.h"
#include "analysis/analyses/start.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/events/driven.h"
#include "model/result/result.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/reaction/reactions.h"
#include "solution/record/samples.h"
#include "statics/find_equilibrium.h"

#include <roberval/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Efforts of drives, compared with their limits max:. One drive: the first instant at which its
 * effort exceeded the limit, and the instant at which it exceeded the limit most. */
typedef struct DriveLimit {
    bool exceeded;
    double first, at;     /* [s] first instant, instant of the largest excess */
    double effort, limit; /* at that instant [N or N m] */
} DriveLimit;

/* Take the sample in the state, with the efforts in `reactions`, into limits[drives]. False: a limit is not finite.
 * work: scratch for expressions. */
static bool note_efforts(DriveLimit *limits, const RbvState *state, const RbvReactions *reactions, double *work) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->drives.count; k++) {
        if (!model->drives.items[k].most)
            continue;
        double limit = rbv_state_expression(state, model->drives.items[k].most, NULL, work),
               effort = reactions->effort[k];
        if (!isfinite(limit))
            return false;
        limit = rbv_max(0, limit);
        DriveLimit *l = &limits[k];
        /* Rounding of an effort, as a part of the limit. */
        if (fabs(effort) <= limit * (1 + RBV_SAME) ||
            (l->exceeded && fabs(effort) - limit <= fabs(l->effort) - l->limit))
            continue;
        l->first = l->exceeded ? l->first : state->t;
        l->exceeded = true;
        l->at = state->t;
        l->effort = effort;
        l->limit = limit;
    }
    return true;
}

/* One warning for each drive whose effort exceeded its limit. */
static void report_limits(const DriveLimit *limits, const RbvModel *model, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < model->drives.count; k++) {
        const DriveLimit *l = &limits[k];
        const RbvDrive *drive = &model->drives.items[k];
        if (l->exceeded)
            rbv_diagnose(diagnostics, RBV_WARNING, model->file, drive->where,
                         "drive '%s' cannot follow its motion: from t = %.9g s on it needs more than its max:, most at "
                         "t = %.9g s with %.6g of %.6g %s; simulate shows how it slips",
                         drive->name, l->first, l->at, fabs(l->effort), l->limit, drive->unit);
    }
}

typedef struct Inverse {
    RbvSampleRun *run;
    RbvInstant now;
    RbvDriven driven;
    RbvStopViolations violations;
    int32_t switches;           /* number of switches of active rows up to the last sample */
    DriveLimit *limits;         /* [drives] */
    double speed, acceleration; /* [1/s], [1/s^2] largest velocity and acceleration so far: angular, or translations
                                   over the arm of their body's part */
    int32_t sampled;            /* number of samples so far */
    bool differentiated;        /* rates have been compared with differences */
    double t, step;             /* [s] last sample, time from the one before */
} Inverse;

/* Step of the differences: no body turns or moves by more than this (rad, or part of its arm). The error of the
 * differences, its square over 6, and rounding divided by the step are then far below RBV_NOTICEABLE. */
#define DERIVATIVE_TURN 1e-4
/* A difference that moves no body by more than this part of its arm over one sample step is ignored: a motion that just
 * begins. */
#define DERIVATIVE_FLOOR 1e-5

/* Size of a twist of a body, translations over the arm of its part; NaN where a number is. */
static double size_of(const RbvState *state, int32_t body, const RbvTwist *twist) {
    double v = rbv_max(rbv_max(fabs(twist->v.x), fabs(twist->v.y)), fabs(twist->v.z)) / rbv_state_body_arm(state, body),
           w = rbv_max(rbv_max(fabs(twist->w.x), fabs(twist->w.y)), fabs(twist->w.z)),
           sum = twist->v.x + twist->v.y + twist->v.z + twist->w.x + twist->w.y + twist->w.z;
    return isnan(sum) ? NAN : rbv_max(v, w);
}

static void note_rates(Inverse *inverse) {
    const RbvState *state = inverse->now.motion->state;
    for (int32_t b = 1; b < inverse->run->system->bodies.count; b++) {
        inverse->speed = rbv_max(inverse->speed, size_of(state, b, &state->twists[b]));
        inverse->acceleration = rbv_max(inverse->acceleration, size_of(state, b, &state->accelerations[b]));
    }
}

/* Are the errors dv and da of a body's velocity and acceleration small enough? */
static bool rates_fit(const Inverse *inverse, int32_t body, double dv, double da, double h, double step) {
    const RbvState *state = inverse->now.motion->state;
    /* Rounding of positions has the size eps size / h as a velocity, that of velocities eps speed / h as an
     * acceleration. */
    double place = RBV_ROUNDING * (rbv_state_body_size(state, body) + rbv_norm(state->bodies[body].r)) /
                   rbv_state_body_arm(state, body);
    /* Allowed error of central differences, as a part of the largest velocity or acceleration of the run so far. */
    return dv <= RBV_NOTICEABLE * inverse->speed + place / h + DERIVATIVE_FLOOR / step &&
           da <= RBV_NOTICEABLE * (inverse->acceleration + inverse->speed / step) + RBV_ROUNDING * inverse->speed / h +
                     place / (h * step) + DERIVATIVE_FLOOR / (step * step);
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

static RbvTwist scaled_difference(double factor, RbvTwist change, RbvTwist rate) {
    return (RbvTwist){rbv_sub(rbv_scale(factor, change.v), rate.v), rbv_sub(rbv_scale(factor, change.w), rate.w)};
}

/* Compare them with central differences between the state at t - h, which is the present one, and that at t + h. */
static bool derivatives_fit(const Inverse *inverse, const Neighbours *near, double h, double step) {
    const RbvState *state = inverse->now.motion->state;
    const RbvBodyColumns *bodies = &inverse->run->system->bodies;
    bool good = true;
    for (int32_t b = 1; b < bodies->count; b++) {
        const BodyMotion *later = &near->later[b];
        RbvTwist dv = scaled_difference(1 / (2 * h), rbv_body_difference(bodies, b, &state->bodies[b], &later->place),
                                        near->here[b]);
        RbvTwist rates = {rbv_sub(later->twist.v, state->twists[b].v), rbv_sub(later->twist.w, state->twists[b].w)};
        RbvTwist da = scaled_difference(1 / (2 * h), rates, near->here[bodies->count + b]);
        good = good && rates_fit(inverse, b, size_of(state, b, &dv), size_of(state, b, &da), h, step);
    }
    return good;
}

/* Check that velocities and accelerations are the derivatives of positions, by central differences around the present
 * sample. Not checked: motions that are not twice continuously differentiable, and samples whose neighbours cannot be
 * reached (the end of a table). In a recorded motion second rates are constant around the sample. AUDIT_FAILED,
 * reported. */
static RbvStatus check_derivatives(Inverse *inverse) {
    RbvMotion *motion = inverse->now.motion;
    double t = inverse->t, step = inverse->step;
    const char *why;
    for (int32_t k = 0; k < inverse->run->model->drives.count && !motion->state->targets; k++) {
        const RbvExpr *drive = inverse->run->model->drives.items[k].motion;
        if (rbv_expr_variable_count(drive) == 1 && !rbv_expr_is_smooth(drive, 0, &why))
            return RBV_OK;
    }
    double h = rbv_min(1e-4 * step, DERIVATIVE_TURN / rbv_max(inverse->speed, 1e-300));
    const RbvState *state = motion->state;
    size_t count = (size_t)inverse->run->system->bodies.count;
    RbvArena scratch = {0};
    Neighbours near = {rbv_arena_array(&scratch, 2 * count, sizeof *near.here),
                       rbv_arena_array(&scratch, count, sizeof *near.later)};
    if (!near.here || !near.later) {
        rbv_arena_clear(&scratch);
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
    rbv_arena_clear(&scratch);
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
    if (inverse->run->options.inverse.method == RBV_METHOD_NEWTON && /* the equations are counted */
        !rbv_record_newton(inverse->now.record, motion->state, motion->solvability))
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_record_natural(inverse->now.record->result, motion->state, inverse->now.reactions,
                                          inverse->now.record->options.soft);
    return status == RBV_OK && inverse->now.requested && !rbv_instant_record_motions(&inverse->now) ? RBV_NO_MEMORY
                                                                                                    : status;
}

/* Sample k, at t. */
static RbvStatus sample_driven(RbvSampleRun *run, int32_t k, double t) {
    Inverse *inverse = run->own;
    inverse->step = run->samples.recorded && k > 0 ? t - inverse->t : inverse->step;
    inverse->t = t;
    inverse->sampled = k + 1;
    if (!rbv_record_reserve(inverse->now.record))
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_driven_go(&inverse->driven, t);
    if (inverse->driven.switches != inverse->switches)
        inverse->now.decided = -1;
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
    if (status == RBV_OK && !note_efforts(inverse->limits, inverse->now.motion->state, inverse->now.reactions,
                                          inverse->now.motion->state->work))
        status = rbv_instant_fail(&inverse->now, RBV_NOT_FINITE, "the max: of a drive is not finite");
    if (status == RBV_OK)
        rbv_forces_see(inverse->now.forces);
    return status;
}

/* Derivatives of a motion that is not recorded are checked at the last but one sample; of one in blocks when its last
 * block is joined. */
static RbvStatus pass_driven(RbvSampleRun *run, int32_t k) {
    Inverse *inverse = run->own;
    const RbvSamples *samples = &run->samples;
    return !samples->recorded && samples->count >= 3 && k == samples->count - 2 ? check_derivatives(inverse) : RBV_OK;
}

/* Those of a recorded motion at its last sample: the largest rates of the run are known then. */
static RbvStatus end_recorded(Inverse *inverse) {
    rbv_recorded_hold(inverse->run->samples.targets, inverse->run->model->drives.count);
    return check_derivatives(inverse);
}

static RbvStatus end_driven(RbvSampleRun *run, RbvStatus status) {
    Inverse *inverse = run->own;
    bool left = run->samples.recorded && inverse->sampled >= 3 && !inverse->differentiated;
    return status == RBV_OK && left ? end_recorded(inverse) : status;
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

/* The motion at its first instant; forces, record, scene and limits. */
static RbvStatus start_driven(RbvSampleRun *run) {
    Inverse *inverse = run->own;
    const RbvOptions *options = &run->options;
    const RbvSystem *system = run->system;
    RbvSamples *samples = &run->samples;
    RbvState *rest = NULL;
    RbvMachine assembled = {.corrected = -1};
    bool at_rest = options->start_at_equilibrium && !run->from;
    RbvStatus status = at_rest ? rbv_equilibrium_state(system, options, RBV_SUPPORTED_TWO_SIDED,
                                                       inverse->now.diagnostics, &assembled, &rest)
                               : RBV_OK;
    if (status == RBV_OK)
        status = run->from ? rbv_driven_continue(&inverse->driven, run->from, &samples->progress,
                                                 inverse->now.diagnostics, &inverse->now.motion)
                           : rbv_driven_create(&inverse->driven, system, samples->from, samples->step, rest,
                                               samples->targets, options->motion.tolerance, &samples->progress,
                                               inverse->now.diagnostics, &inverse->now.motion);
    rbv_state_destroy(rest);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions record = {.analysis = "inverse",
                               .reactions = true,
                               .series = true,
                               .states = true,
                               .rigid = options->reactions.multipliers ? system : NULL,
                               .soft = rbv_natural_soft(options),
                               .method = rbv_method_kind(options->inverse.method)->name};
    status = rbv_instant_create(&inverse->now, options, &record);
    if (status == RBV_OK)
        status = rbv_instant_begin(&inverse->now, options);
    if (status != RBV_OK)
        return status;
    if (!rbv_run_record(run, inverse->now.record, inverse->now.motion->state) ||
        !rbv_stop_violations_create(&inverse->violations, system))
        return RBV_NO_MEMORY;
    if (run->from) {
        rbv_choice_continue(rbv_forces_choice(inverse->now.forces));
        return RBV_OK;
    }
    note_massless(run->model, inverse->now.diagnostics);
    RbvMachine machine = rbv_machine_of(inverse->now.motion->state);
    machine = at_rest ? rbv_machine_corrected(machine, &assembled) : machine;
    if (!rbv_note_inertias(inverse->now.motion->state, inverse->now.diagnostics) ||
        !rbv_record_machine(inverse->now.record->result, run->model, &machine))
        return RBV_NO_MEMORY;
    return rbv_check_wheels(inverse->now.motion->state, inverse->now.diagnostics);
}

/* Check that the requested options go together. BAD_INPUT, reported. */
static RbvStatus admit_method(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    const RbvMethodKind *method = rbv_method_kind(options->inverse.method);
    const RbvPosition nowhere = {0, 0};
    if (options->inverse.by != RBV_BY_CUT && options->inverse.reaction_count == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, nowhere,
                     RBV_OPTION_INVERSE_BY " says how a reaction is found that " RBV_OPTION_INVERSE_REACTIONS
                                           " asks for");
        return RBV_BAD_INPUT;
    }
    if (options->inverse.reaction_count > 0 && options->inverse.method != RBV_METHOD_VIRTUAL_POWER) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, nowhere,
                     RBV_OPTION_INVERSE_REACTIONS " goes with " RBV_OPTION_INVERSE_METHOD
                                                  " virtual-power: %s solves for all reactions at once",
                     method->name);
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

static RbvStatus admit_driven(RbvSampleRun *run) {
    Inverse *inverse = run->own;
    const RbvModel *model = run->model;
    inverse->run = run;
    inverse->now.system = run->system;
    inverse->now.diagnostics = run->diagnostics;
    inverse->limits = calloc((size_t)model->drives.count + 1, sizeof *inverse->limits);
    if (!inverse->limits)
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_model_without_motion(model, "inverse",
                                                RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_STOPS |
                                                    RBV_TAKES_TIME | RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS,
                                                run->diagnostics);
    if (status == RBV_OK)
        status = admit_method(run->system, &run->options, run->diagnostics);
    if (status == RBV_OK && !run->from)
        status = rbv_samples_open(model, &run->options, run->diagnostics, &run->samples);
    inverse->step = run->samples.step;
    inverse->t = run->from ? run->from->state->t : 0;
    return status;
}

/* Audit, notes and ranges of all samples. False: no memory. */
static bool finish_driven(RbvSampleRun *run) {
    Inverse *inverse = run->own;
    RbvInstant *now = &inverse->now;
    if (now->partly)
        now->audit.force = now->audit.torque = NAN;
    rbv_record_audit(run->record->result, &now->audit);
    rbv_note_unilateral(run->model, run->record->result, run->diagnostics);
    rbv_stop_violations_note(&inverse->violations, run->diagnostics);
    report_limits(inverse->limits, run->model, run->diagnostics);
    rbv_forces_note(now->forces, run->diagnostics);
    return rbv_record_ranges(run->record, rbv_forces_choice(now->forces));
}

/* ---- blocks ---- */

static bool may_divide(const RbvSampleRun *run) {
    const Inverse *inverse = run->own;
    const RbvInstant *now = &inverse->now;
    return !now->requested && !now->balance && !run->options.reactions.multipliers && !rbv_forces_report(now->forces) &&
           !rbv_method_kind(run->options.inverse.method)->see &&
           rbv_choice_corners(rbv_forces_choice(now->forces)) == 0;
}

static RbvMotion *motion_of(const RbvSampleRun *run) {
    return ((const Inverse *)run->own)->now.motion;
}

static void join_limits(DriveLimit *to, const DriveLimit *from) {
    double first = to->first;
    bool more = from->exceeded && (!to->exceeded || fabs(from->effort) - from->limit > fabs(to->effort) - to->limit);
    if (!from->exceeded)
        return;
    bool known = to->exceeded;
    *to = more ? *from : *to;
    to->first = known ? first : from->first;
}

static RbvStatus join_driven(RbvSampleRun *run, RbvSampleRun *block, bool last) {
    Inverse *inverse = run->own, *later = block->own;
    for (int32_t k = 0; k < run->model->drives.count; k++)
        join_limits(&inverse->limits[k], &later->limits[k]);
    rbv_stop_violations_join(&inverse->violations, &later->violations);
    rbv_audit_join(&inverse->now.audit, &later->now.audit);
    inverse->speed = later->speed = rbv_max(inverse->speed, later->speed);
    inverse->acceleration = later->acceleration = rbv_max(inverse->acceleration, later->acceleration);
    inverse->sampled = later->sampled;
    if (!last || inverse->sampled < 3)
        return RBV_OK;
    inverse->differentiated = true;
    if (run->samples.recorded)
        return end_recorded(later);
    later->t = rbv_samples_time(&run->samples, run->samples.count - 2);
    RbvStatus status = rbv_motion_go(later->now.motion, later->t);
    if (status == RBV_OK)
        rbv_state_load(later->now.motion->state); /* it knows the accelerations of bodies */
    return status == RBV_OK ? check_derivatives(later) : status;
}

static void destroy_driven(RbvSampleRun *run) {
    Inverse *inverse = run->own;
    free(inverse->limits);
    rbv_instant_destroy(&inverse->now);
    rbv_driven_destroy(&inverse->driven);
    rbv_stop_violations_destroy(&inverse->violations);
}

RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                      RbvResult **result) {
    static const RbvDivision division = {sizeof(Inverse), may_divide, motion_of, join_driven};
    static const RbvSampledAnalysis driven = {.name = "inverse",
                                              .division = &division,
                                              .keeps = true,
                                              .admit = admit_driven,
                                              .start = start_driven,
                                              .sample = sample_driven,
                                              .passed = pass_driven,
                                              .end = end_driven,
                                              .finish = finish_driven,
                                              .destroy = destroy_driven};
    if (options && options->inverse.prescribed)
        return rbv_inverse_prescribed(system, options, diagnostics, result);
    return rbv_run_samples(&driven, &(Inverse){0}, system, options, diagnostics, result);
}
