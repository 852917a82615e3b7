/* The recipe of simulate: from the assembled state step by step, a sample where one is due, its forces, verdicts and audit, and the balance of energy. */
#include <roberval/analysis.h>

#include "analysis/simulation.h"
#include "analysis/track_start.h"
#include "assembly/wheels.h"
#include "audit/audit.h"
#include "base/diagnostics.h"
#include "dynamics/activity.h"
#include "dynamics/checkpoint.h"
#include "dynamics/sample_forces.h"
#include "record/record.h"
#include "record/samples.h"
#include "statics/find_equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-9
/* The balance of energy may be off by so many tolerances of the largest energy, or work; and by one for each step, in long runs. */
#define ENERGY_FACTOR 1e3
/* Of the work that forces could do: where nothing moves, rounding of it is all there is. */
#define NO_ENERGY 1e-13
/* No step is longer than this part of the run, or so many steps between samples: what begins later than the first instant must not be stepped over. */
#define LONGEST_PART 0.05
#define LONGEST_SAMPLES 10
/* Steps between two states from which a run can go on: so many over the number of coordinates and rows, within bounds. At each of them all that is derived is made anew, whether somebody keeps it or not: numbers
 * depend neither on where results go nor on the clock. */
#define KEPT_WORK 1000000
#define KEPT_LEAST 16
#define KEPT_MOST 1024

typedef struct Simulation {
    const RbvSystem *system;
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvState *state;
    RbvFlow flow;
    RbvStepper stepper;
    RbvHybrid hybrid;
    RbvActivity activity; /* at the start */
    RbvSampleForces forces;
    RbvAudit audit;
    RbvRecord *record;
    bool tracks, *active;    /* [rows] what holds while it tracks */
    RbvTracking tracking;    /* where it tracks */
    double tolerance;
    double energy, work; /* [J] at the start; the largest work so far */
    double energy_error; /* [J] the largest so far, and when */
    double energy_error_time;
    RbvNotes *notes;
    int32_t next;        /* the sample that is due next */
} Simulation;

static RbvStatus fail(const Simulation *s, RbvStatus status, const char *text) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", s->state->t, text);
    return status;
}

/* The state at `from`. */
static RbvStatus start(Simulation *s, double from, RbvWatch *watch) {
    if (s->options->start_at_equilibrium)
        return rbv_equilibrium_place(s->system, s->options, s->diagnostics, &s->state);
    if (!(s->state = rbv_state_create(s->system)))
        return RBV_NO_MEMORY;
    s->state->watch = watch;
    RbvAssembly assembly = {0};
    return rbv_activity_assemble(&s->activity, s->state, from, true, s->diagnostics, &assembly);
}

/* The first body without mass or inertia: no proof, but most often the one that is free. */
static void suspect(const RbvModel *model, char *why, size_t size) {
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        bool massless = body->mass <= 0, spatial = model->space == RBV_SPATIAL;
        double least = spatial ? fmin(body->inertia[0], fmin(body->inertia[1], body->inertia[2])) : body->inertia[2];
        if (!massless && (body->particle || least > 0))
            continue;
        snprintf(why, size, "body '%s' has no %s", body->name, massless ? "mass" : spatial ? "inertia about one of its axes" : "inertia");
        return;
    }
}

/* What is required acts from now on, without having been assembled. */
static RbvStatus begin_tracking(Simulation *s) {
    s->active = malloc((size_t)s->system->row_count + 1);
    if (!s->active)
        return RBV_NO_MEMORY;
    RbvStatus status = rbv_track_begin(s->state, s->active, s->diagnostics);
    if (status == RBV_OK && !rbv_tracking_create(&s->tracking, s->state, s->flow.saddle))
        status = RBV_NO_MEMORY;
    s->flow.tracking = &s->tracking;
    return status;
}

/* Why there is no motion from the start on. */
static RbvStatus say_stuck(const Simulation *s, RbvStatus status) {
    char why[256] = "", text[400];
    const char *what = status == RBV_LOCKED ? "the equations of motion are singular: a motion that the joints leave free has no mass" : "the forces are not finite";
    if (status == RBV_NOT_FINITE)
        rbv_flow_explain(&s->flow, why, sizeof why);
    if (status == RBV_LOCKED)
        suspect(s->model, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        rbv_tracking_explain(&s->tracking, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        what = why[0] ? "there is no motion as required" : "the mechanism cannot follow what is required";
    snprintf(text, sizeof text, "%s%s%s", what, why[0] ? ": " : "", why);
    return fail(s, status, text);
}

static RbvStatus create(Simulation *s, const RbvSamples *samples, RbvWatch *watch) {
    RbvStatus status = start(s, samples->from, watch);
    if (status == RBV_OK)
        status = rbv_check_wheels(s->state, s->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvMachine machine = rbv_machine_of(s->state);
    machine.corrected = s->options->start_at_equilibrium ? -1 : machine.corrected;
    double longest = fmin(LONGEST_PART * (samples->to - samples->from), LONGEST_SAMPLES * samples->step);
    if (!rbv_flow_create(&s->flow, s->state, s->diagnostics))
        return RBV_NO_MEMORY;
    rbv_saddle_set_active(s->flow.saddle, s->state->active);
    status = s->tracks ? begin_tracking(s) : RBV_OK;
    if (status != RBV_OK)
        return status;
    status = rbv_stepper_create(&s->stepper, &s->flow, samples->from, s->tolerance, longest > 0 ? longest : samples->step, s->options->motion);
    if (status == RBV_LOCKED || status == RBV_NOT_FINITE || status == RBV_INCONSISTENT)
        return say_stuck(s, status);
    if (status == RBV_OK)
        status = rbv_hybrid_create(&s->hybrid, &s->flow, &s->stepper, s->options->frame);
    if (status == RBV_OK)
        status = rbv_sample_forces_create(&s->forces, &s->flow, s->options, s->diagnostics);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions what = {.analysis = s->tracks ? "track" : "simulate", .tracks = s->tracks, .required = s->tracks && s->model->actuators.count == 0, .method = "explicit", .reactions = true, .series = true, .orders = 2, .energy = true, .stops = true, .states = true, .impulses = s->hybrid.watches};
    s->record = rbv_record_create(s->system, s->forces.reactions, &what);
    if (!s->record || !rbv_audit_create(&s->audit, s->system) || !rbv_result_reserve(s->record->result, samples->count))
        return RBV_NO_MEMORY;
    if (!rbv_note_inertias(s->state, s->diagnostics) || !rbv_record_machine(s->record->result, s->model, &machine))
        return RBV_NO_MEMORY;
    s->record->impulses = &s->hybrid.impulses;
    s->energy = rbv_power_energy(&s->flow.power, s->state);
    return RBV_OK;
}

static void destroy(Simulation *s) {
    rbv_audit_destroy(&s->audit);
    rbv_record_destroy(s->record);
    rbv_sample_forces_destroy(&s->forces);
    rbv_hybrid_destroy(&s->hybrid);
    free(s->active);
    rbv_stepper_destroy(&s->stepper);
    rbv_tracking_destroy(&s->tracking);
    rbv_flow_destroy(&s->flow);
    rbv_state_destroy(s->state);
    rbv_activity_destroy(&s->activity);
}

/* What the first sample says once for all. */
static bool record_first(Simulation *s) {
    RbvResult *result = s->record->result;
    if (!rbv_record_mobility(s->record, s->state, s->forces.solvability) || !rbv_record_modes(s->record, s->state, s->forces.reactions, s->forces.solvability))
        return false;
    result->redundant_by = rbv_choice_name(s->forces.choice);
    result->length = rbv_choice_norm_length(s->forces.choice, result->length);
    return true;
}

/* The sample at the state that the flow has evaluated, with `work` done since the start. */
static RbvStatus sample(Simulation *s, double work, bool first) {
    char why[256] = "";
    bool renewed = first || s->hybrid.changed;
    RbvStatus status = s->hybrid.changed ? rbv_sample_forces_renew(&s->forces) : RBV_OK;
    s->hybrid.changed = false;
    if (status == RBV_OK)
        status = rbv_sample_forces_solve(&s->forces, s->tolerance);
    if (status != RBV_OK)
        return status;
    if (renewed)
        rbv_saddle_set_redundant(s->flow.saddle, s->forces.solvability->redundant > 0);
    if (!rbv_record_verdicts(s->record, s->state, s->forces.reactions, s->forces.solvability, s->forces.choice))
        return RBV_NO_MEMORY;
    rbv_record_errors(s->record, s->forces.reactions);
    rbv_audit_sample(&s->audit, s->state, s->forces.reactions);
    s->audit.constraint = fmax(s->audit.constraint, s->flow.constraint_error);
    double energy = rbv_power_energy(&s->flow.power, s->state), error = energy - s->energy - work;
    s->record->energy[0] = energy;
    s->record->energy[1] = error;
    s->work = fmax(s->work, fabs(work));
    if (fabs(error) > s->energy_error) {
        s->energy_error = fabs(error);
        s->energy_error_time = s->state->t;
    }
    if (!rbv_record_sample(s->record, s->state, s->forces.reactions, why, sizeof why))
        return fail(s, RBV_NOT_FINITE, why);
    return first && !record_first(s) ? RBV_NO_MEMORY : RBV_OK;
}

/* What the largest force would do over the size of its part [J]. */
static double largest_work(const Simulation *s) {
    double most = 0;
    for (int32_t j = 0; j < s->flow.n; j++)
        most = fmax(most, fabs(s->state->Q[j]) / s->stepper.share[j]);
    return most;
}

/* Of the whole run: what moves little at first is measured by what it does later. */
static RbvStatus judge_energy(Simulation *s) {
    char text[256];
    double size = fmax(s->flow.power.size, s->work);
    double factor = fmax(ENERGY_FACTOR, (double)s->stepper.steps);
    if (s->energy_error <= factor * s->tolerance * size + NO_ENERGY * largest_work(s))
        return RBV_OK;
    s->state->t = s->energy_error_time;
    snprintf(text, sizeof text, "the result fails its audit: the balance of energy is off by %.3g J of %.3g J", s->energy_error, size);
    return fail(s, RBV_AUDIT_FAILED, text);
}

static RbvStatus judge(const Simulation *s) {
    const RbvAudit *audit = &s->audit;
    char text[256];
    if (!audit->failed)
        return RBV_OK;
    int32_t body = audit->worst_body;
    snprintf(text, sizeof text, "the result fails its audit at %s%s%s: left over %.3g N, %.3g N.m, %.3g W", body ? "body '" : "the power balance", body ? s->model->bodies.items[body].name : "",
             body ? "'" : "", audit->force, audit->torque, audit->power);
    return fail(s, RBV_AUDIT_FAILED, text);
}

/* The sample at t, between the ends of the last step. */
static RbvStatus sample_at(Simulation *s, double t, bool first) {
    RbvStatus status = rbv_stepper_look(&s->stepper, t);
    if (status == RBV_OK)
        status = sample(s, s->stepper.y_next[s->flow.size - 1], first);
    return status == RBV_OK ? judge(s) : status;
}

/* All numbers of the run that do not follow from others, but its samples. */
static void keep_all(Simulation *s, RbvArchive *archive) {
    RBV_KEEP(archive, s->next);
    RBV_KEEP(archive, s->energy);
    RBV_KEEP(archive, s->work);
    RBV_KEEP(archive, s->energy_error);
    RBV_KEEP(archive, s->energy_error_time);
    rbv_checkpoint_keep(archive, &s->hybrid);
    rbv_choice_keep(s->forces.choice, archive);
    rbv_record_keep(s->record, archive);
    rbv_audit_keep(&s->audit, archive);
    rbv_notes_archive(s->notes, archive);
}

/* The numbers are kept, and what follows from them is made anew, as a run does that goes on from them. */
static RbvStatus pass_checkpoint(Simulation *s) {
    const RbvKeeper *keeper = s->options->keeper;
    if (keeper && keeper->keep) {
        RbvArchive archive = {0};
        keep_all(s, &archive);
        RbvStatus status = !rbv_archive_is_good(&archive) ? RBV_NO_MEMORY : keeper->keep(keeper->context, s->record->result, archive.text.data, archive.text.length, s->diagnostics);
        rbv_text_clear(&archive.text);
        if (status != RBV_OK)
            return status;
    }
    return rbv_checkpoint_refresh(&s->hybrid);
}

/* Go on from what was kept: the beginning has been made as always. */
static RbvStatus go_on(Simulation *s) {
    const RbvKeeper *keeper = s->options->keeper;
    RbvResult *result = s->record->result;
    RbvArchive archive = {.from = keeper->state, .left = keeper->size};
    if (!rbv_result_reserve(result, keeper->samples))
        return RBV_NO_MEMORY;
    result->sample_count = 0;
    size_t width = (size_t)(result->column_count + result->hidden_count);
    memcpy(rbv_result_next(result), keeper->values, (size_t)keeper->samples * width * sizeof *keeper->values);
    result->sample_count = keeper->samples;
    keep_all(s, &archive);
    if (rbv_archive_is_good(&archive))
        return rbv_checkpoint_refresh(&s->hybrid);
    result->sample_count = 0;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "the run cannot go on: what was kept of it is damaged, or of another model");
    return RBV_BAD_INPUT;
}

static int64_t steps_between(const Simulation *s) {
    int32_t size = KEPT_WORK / (s->flow.n + s->system->row_count + 1);
    int32_t own = s->options->keeper ? s->options->keeper->steps : 0;
    return own > 0 ? own : size < KEPT_LEAST ? KEPT_LEAST : size > KEPT_MOST ? KEPT_MOST : size;
}

/* The samples that are due up to the end of the last step, but one at its end where something happens. */
static RbvStatus sample_step(Simulation *s, const RbvSamples *samples) {
    const RbvStepper *stepper = &s->stepper;
    RbvStatus status = RBV_OK;
    if (s->options->every_step) {
        bool last = stepper->t >= samples->to;
        s->next = last ? samples->count : s->next;
        return rbv_record_reserve(s->record) ? sample_at(s, stepper->t, false) : RBV_NO_MEMORY;
    }
    for (; status == RBV_OK && s->next < samples->count; s->next++) {
        double t = rbv_samples_time(samples, s->next);
        if (t > stepper->t || (t == stepper->t && s->hybrid.pending))
            break;
        status = sample_at(s, t, false);
    }
    return status;
}

/* Something happens; a sample at that instant is that after it. */
static RbvStatus happen(Simulation *s, const RbvSamples *samples) {
    RbvStepper *stepper = &s->stepper;
    RbvStatus status = rbv_stepper_look(stepper, stepper->t);
    if (status == RBV_OK)
        status = rbv_hybrid_happen(&s->hybrid);
    bool due = s->next < samples->count && rbv_samples_time(samples, s->next) == stepper->t && !s->options->every_step;
    if (status == RBV_OK && (due || s->hybrid.ended || s->options->every_step))
        status = rbv_record_reserve(s->record) ? sample_at(s, stepper->t, false) : RBV_NO_MEMORY;
    s->next += due;
    return status;
}

/* Step by step. */
static RbvStatus run(Simulation *s, RbvSamples *samples) {
    const RbvKeeper *keeper = s->options->keeper;
    const RbvStepper *stepper = &s->stepper;
    int64_t between = steps_between(s);
    RbvStatus status = sample_at(s, samples->from, true);
    s->next = 1;
    if (status == RBV_OK && keeper && keeper->state)
        status = go_on(s);
    while (status == RBV_OK && s->next < samples->count && !s->hybrid.ended) {
        if (rbv_watch_stops_at(&samples->watch, (stepper->t - samples->from) / (samples->to - samples->from)))
            return RBV_INTERRUPTED;
        status = rbv_hybrid_step(&s->hybrid, samples->to);
        if (status == RBV_OK)
            status = sample_step(s, samples);
        if (status == RBV_OK && s->hybrid.pending)
            status = happen(s, samples);
        if (status == RBV_OK && keeper && keeper->keep)
            status = keeper->keep(keeper->context, s->record->result, NULL, 0, s->diagnostics);
        if (status == RBV_OK && stepper->steps % between == 0 && !s->hybrid.ended)
            status = pass_checkpoint(s);
    }
    return status == RBV_OK ? judge_energy(s) : status;
}

/* What happened, with names of the result's own. False: no memory. */
static bool record_events(const RbvHybrid *hybrid, RbvResult *result) {
    RbvIntegration *to = &result->integration;
    to->events = rbv_arena_alloc(&result->arena, ((size_t)hybrid->happened_count + 1) * sizeof *to->events);
    for (int32_t k = 0; to->events && k < hybrid->happened_count; k++) {
        const RbvHappened *from = &hybrid->happened[k];
        const char *name = rbv_arena_copy(&result->arena, from->name, strlen(from->name)), *kind = rbv_arena_copy(&result->arena, from->kind, strlen(from->kind));
        if (!name || !kind)
            return false;
        to->events[k].t = from->t;
        to->events[k].impulse = from->impulse;
        to->events[k].name = name;
        to->events[k].kind = kind;
        to->event_count++;
    }
    return to->events != NULL;
}

static const char *method_of(const RbvStepper *stepper) {
    return !stepper->implicit ? "explicit" : isnan(stepper->switched) ? "implicit" : "explicit, then implicit";
}

static bool record_integration(Simulation *s) {
    RbvResult *result = s->record->result;
    result->integration = (RbvIntegration){.method = method_of(&s->stepper), .tolerance = s->tolerance, .steps = s->stepper.steps, .rejected = s->stepper.rejected, .evaluations = s->flow.evaluations,
                                           .energy_error = s->energy_error, .constraint_error = fmax(s->stepper.constraint_error, s->audit.constraint)};
    result->method = result->integration.method;
    s->audit.constraint = result->integration.constraint_error;
    rbv_record_audit(result, &s->audit);
    return record_events(&s->hybrid, result);
}

RbvStatus rbv_simulate(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvResult **result) {
    return rbv_run_motion(system, options, false, diagnostics, result);
}

RbvStatus rbv_run_motion(const RbvSystem *system, const RbvOptions *given, bool tracks, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    RbvNotes notes;
    RbvSamples samples;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    Simulation s = {.system = system, .model = system->model, .options = &options, .tracks = tracks, .diagnostics = notes.heard, .notes = &notes, .tolerance = isnan(options.tolerance) ? TOLERANCE : options.tolerance};
    if (status == RBV_OK)
        status = tracks ? rbv_track_check(system->model, notes.heard) : RBV_OK;
    if (status == RBV_OK && !tracks && system->model->requirement_count > 0)
        rbv_diagnose(notes.heard, RBV_NOTE, system->model->file, system->model->constraints.items[system->model->constraints.count - system->model->requirement_count].where,
                     "track: is not followed by simulate; roberval track does");
    if (status == RBV_OK)
        status = rbv_samples_create(system->model, &options, notes.heard, &samples);
    if (status == RBV_OK)
        status = create(&s, &samples, &samples.watch);
    if (status == RBV_OK) {
        status = run(&s, &samples);
        if (s.record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
            bool kept = record_integration(&s) && rbv_record_ranges(s.record, s.forces.choice);
            rbv_note_unilateral(system->model, s.record->result, notes.heard);
            if (kept && rbv_notes_keep(&notes, system->model, s.record->result)) {
                *result = s.record->result;
                s.record->result = NULL;
            } else {
                status = RBV_NO_MEMORY;
            }
        }
    }
    destroy(&s);
    rbv_notes_close(&notes);
    return status;
}
