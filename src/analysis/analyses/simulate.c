/* The simulate and track analyses: steps from the start of a motion from forces, with samples and transitions on the
 * way. A step is passed to the caller's keeper with its samples; from a checkpoint a run can be continued.
 */
#include "analysis/analyses/forward_run.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/events/checkpoint.h"
#include "dynamics/integration/stepper.h"
#include "model/result/result.h"
#include "solution/motion/motion.h"
#include "solution/record/samples.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- checkpoints ----
 *
 * All numbers of a motion are stored, and restored. */

/* Work between two checkpoints, some tenths of a second: evaluations of the motion, and samples, times the number of
 * coordinates and rows. At each checkpoint all derived data is made again, whether or not the caller stores it: numbers
 * depend neither on the place of results nor on the clock. */
#define KEPT_WORK 400000
/* Above this number of coordinates and rows the work between checkpoints grows in proportion: samples and states are
 * longer, too. */
#define KEPT_SIZE 400
#define SAMPLE_WORK 40 /* work of a sample, in evaluations */

/* Store the numbers where the caller keeps checkpoints; then derived data is made again, as in a run that continues
 * from here. */
static RbvStatus pass_checkpoint(RbvForwardRun *s) {
    const RbvKeeper *keeper = s->run->options.samples.keeper;
    if (keeper && keeper->keep) {
        RbvArchive archive = {0};
        rbv_forward_run_keep(s, &archive);
        RbvStatus status = !rbv_archive_is_good(&archive)
                               ? RBV_NO_MEMORY
                               : keeper->keep(keeper->context, s->run->record->result, archive.text.data,
                                              archive.text.length, s->run->diagnostics);
        rbv_text_clear(&archive.text);
        if (status != RBV_OK)
            return status;
    }
    return rbv_checkpoint_refresh(&s->loop);
}

/* Continue from a checkpoint, after the usual start. BAD_INPUT (reported): the checkpoint is damaged. */
static RbvStatus restore_checkpoint(RbvForwardRun *s) {
    const RbvKeeper *keeper = s->run->options.samples.keeper;
    RbvResult *result = s->run->record->result;
    RbvArchive archive = {.from = keeper->state, .left = keeper->size};
    if (!rbv_result_adopt(result, keeper->values, keeper->samples))
        return RBV_NO_MEMORY;
    rbv_forward_run_keep(s, &archive);
    if (rbv_archive_is_good(&archive))
        return rbv_checkpoint_refresh(&s->loop);
    result->sample_count = 0;
    rbv_diagnose(s->run->diagnostics, RBV_ERROR, s->run->model->file, (RbvPosition){0, 0},
                 "the run cannot go on: what was kept of it is damaged, or of another model");
    return RBV_BAD_INPUT;
}

/* Is a checkpoint due, from which the run can be continued? To be called once after each step. */
static bool is_checkpoint_due(RbvForwardRun *s) {
    int32_t own = s->run->options.samples.keeper ? s->run->options.samples.keeper->steps : 0;
    int64_t size = s->flow.n + s->run->system->row_count + 1,
            done = (s->flow.evaluations + SAMPLE_WORK * (int64_t)s->run->record->result->sample_count) * size;
    int64_t least = KEPT_WORK * (size > KEPT_SIZE ? size / KEPT_SIZE : 1);
    bool due = own > 0 ? s->stepper.steps % own == 0 : done - s->kept_work >= least;
    if (due)
        s->kept_work = done;
    return due;
}

/* Magnification of small differences of the start above which a note is given: of the nine digits of the tolerance
 * three are left. */
#define SENSITIVE 1e6

/* Is sample number k due at the stepper's instant, to rounding? */
static bool is_sample_due(const RbvForwardRun *s, const RbvSamples *samples, int32_t k) {
    double t = rbv_samples_time(samples, k), between = k > 0 ? t - rbv_samples_time(samples, k - 1) : 0;
    /* Two instants nearer than this part of the time, or of the time between samples, are one. Where forces change
     * their form the motion continues a rounding later, and an event is located when its expression has passed zero by
     * 1e-14 of the size. */
    return fabs(t - s->stepper.t) <= RBV_CANCELLED * rbv_max(fabs(t), between);
}

/* Samples due up to the end of the last step, except a sample at its end where a transition follows. */
static RbvStatus sample_step(RbvForwardRun *s, const RbvSamples *samples) {
    const RbvStepper *stepper = &s->stepper;
    RbvStatus status = RBV_OK;
    if (s->run->options.motion.every_step) {
        bool last = stepper->t >= samples->to;
        s->next = last ? samples->count : s->next;
        return rbv_record_reserve(s->run->record) ? rbv_forward_run_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    }
    for (; status == RBV_OK && s->next < samples->count; s->next++) {
        double t = rbv_samples_time(samples, s->next);
        if (t > stepper->t || (s->loop.pending && is_sample_due(s, samples, s->next)))
            break;
        status = rbv_forward_run_sample(s, t, false);
    }
    return status;
}

/* Make the pending transition; a sample at that instant is taken after the transition. */
static RbvStatus make_transition(RbvForwardRun *s, const RbvSamples *samples) {
    RbvStepper *stepper = &s->stepper;
    RbvStatus status = rbv_stepper_visit(stepper, stepper->t);
    if (status == RBV_OK)
        status = rbv_event_loop_make_transition(&s->loop);
    bool due = s->next < samples->count && is_sample_due(s, samples, s->next) && !s->run->options.motion.every_step;
    if (status == RBV_OK && (due || s->loop.ended || s->run->options.motion.every_step))
        status = rbv_record_reserve(s->run->record) ? rbv_forward_run_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    s->next += due;
    return status;
}

/* Refuse drives that go to and fro so often until the next sample that no number of steps follows; checked after many
 * steps. LOCKED, reported. */
static RbvStatus keep_pace(RbvForwardRun *s, const RbvSamples *samples) {
    s->steps_to_next = s->paced == s->next ? s->steps_to_next + 1 : 0;
    s->paced = s->next;
    if (s->run->options.motion.every_step || s->steps_to_next != RBV_SURE_STEPS || s->next >= samples->count)
        return RBV_OK;
    const RbvPace pace = {rbv_samples_time(samples, s->next - 1), rbv_samples_time(samples, s->next), s->steps_to_next};
    return rbv_outruns(s->state, &pace, s->run->diagnostics) ? RBV_LOCKED : RBV_OK;
}

/* The start of the motion and its first sample, or the state of a checkpoint. */
static RbvStatus start_simulation(RbvSampleRun *run) {
    RbvForwardRun *s = run->own;
    const RbvKeeper *keeper = run->options.samples.keeper;
    RbvStatus status = rbv_forward_run_create(s);
    if (status == RBV_OK)
        status = rbv_forward_run_sample(s, run->samples.from, true);
    s->next = 1;
    if (status == RBV_OK && s->forces.singular.followed)
        status = rbv_stepper_leave_singular(&s->stepper);
    if (status == RBV_OK && keeper && keeper->state && keeper->size > 0)
        status = restore_checkpoint(s);
    return status;
}

static RbvStatus next_step(RbvSampleRun *run, int32_t k, double *t, bool *more) {
    const RbvForwardRun *s = run->own;
    RbvSamples *samples = &run->samples;
    (void)k;
    *t = s->stepper.t;
    *more = s->next < samples->count && !s->loop.ended;
    return *more && rbv_progress_stops_at(&samples->progress, (*t - samples->from) / (samples->to - samples->from))
               ? RBV_INTERRUPTED
               : RBV_OK;
}

/* One step of the integrator, the samples within it, and the transition at its end. */
static RbvStatus take_step(RbvSampleRun *run, int32_t k, double t) {
    RbvForwardRun *s = run->own;
    const RbvSamples *samples = &run->samples;
    (void)k, (void)t;
    RbvStatus status = rbv_event_loop_step(&s->loop, samples->to);
    if (status == RBV_OK)
        status = sample_step(s, samples);
    if (status == RBV_OK && s->loop.pending)
        status = make_transition(s, samples);
    return status == RBV_OK ? keep_pace(s, samples) : status;
}

static RbvStatus pass_step(RbvSampleRun *run, int32_t k) {
    RbvForwardRun *s = run->own;
    (void)k;
    return !s->loop.ended && is_checkpoint_due(s) ? pass_checkpoint(s) : RBV_OK;
}

static RbvStatus end_simulation(RbvSampleRun *run, RbvStatus status) {
    return status == RBV_OK ? rbv_forward_run_verify_energy(run->own) : status;
}

/* Copy transitions into the result, with names of its own. False: no memory. */
static bool record_events(const RbvEventLoop *loop, RbvResult *result) {
    RbvIntegration *to = &result->integration;
    to->events = rbv_arena_alloc(&result->arena, ((size_t)loop->transition_count + 1) * sizeof *to->events);
    for (int32_t k = 0; to->events && k < loop->transition_count; k++) {
        const RbvTransition *from = &loop->transitions[k];
        const char *name = rbv_arena_copy(&result->arena, from->name, strlen(from->name)),
                   *kind = rbv_arena_copy(&result->arena, from->kind, strlen(from->kind));
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
    if (!stepper->implicit)
        return "explicit";
    return isnan(stepper->switched) ? "implicit" : "explicit, then implicit";
}

static bool record_integration(RbvForwardRun *s) {
    RbvResult *result = s->run->record->result;
    result->integration =
        (RbvIntegration){.method = method_of(&s->stepper),
                         .tolerance = s->tolerance,
                         .steps = s->stepper.steps,
                         .rejected = s->stepper.rejected,
                         .evaluations = s->flow.evaluations,
                         .energy_error = s->energy_error,
                         .constraint_error = rbv_max(s->stepper.constraint_error, s->audit.constraint),
                         .magnification = rbv_stepper_magnification(&s->stepper)};
    if (result->integration.magnification > SENSITIVE)
        rbv_diagnose(s->run->diagnostics, RBV_NOTE, s->run->model->file, (RbvPosition){0, 0},
                     "the motion magnifies small differences of its start about 1e%.0f times: digits that the start, "
                     "the forces or the tolerance lack are missing so many times over at its end",
                     log10(result->integration.magnification));
    result->method = result->integration.method;
    s->audit.constraint = result->integration.constraint_error;
    rbv_record_audit(result, &s->audit);
    return record_events(&s->loop, result);
}

/* Integration, audit and notes of the whole run. False: no memory. */
static bool finish_simulation(RbvSampleRun *run) {
    RbvForwardRun *s = run->own;
    bool kept = record_integration(s) && rbv_record_ranges(run->record, s->forces.choice);
    rbv_note_unilateral(s->run->model, run->record->result, run->diagnostics);
    return kept;
}

static void destroy_simulation(RbvSampleRun *run) {
    rbv_record_destroy(run->record);
    rbv_forward_run_destroy(run->own);
}

static RbvStatus admit_simulation(RbvSampleRun *run) {
    RbvForwardRun *s = run->own;
    const RbvModel *model = run->model;
    RbvOptions *options = &run->options;
    s->run = run;
    s->tolerance = isnan(options->motion.tolerance) ? RBV_MOTION_TOLERANCE : options->motion.tolerance;
    if (options->start && isnan(options->from))
        options->from = options->start->t;
    if (!s->tracks && model->requirement_count > 0)
        rbv_diagnose(run->diagnostics, RBV_NOTE, model->file,
                     model->constraints.items[model->constraints.count - model->requirement_count].where,
                     "simulate does not follow track:; roberval track does");
    RbvStatus status = s->tracks ? rbv_track_check(model, run->diagnostics) : RBV_OK;
    return status == RBV_OK ? rbv_samples_create(model, options, run->diagnostics, &run->samples) : status;
}

static const RbvSampledAnalysis motion_from_forces = {.name = "simulate",
                                                      .keeps = true,
                                                      .admit = admit_simulation,
                                                      .start = start_simulation,
                                                      .next = next_step,
                                                      .sample = take_step,
                                                      .passed = pass_step,
                                                      .end = end_simulation,
                                                      .finish = finish_simulation,
                                                      .destroy = destroy_simulation};

RbvStatus rbv_simulate(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                       RbvResult **result) {
    return rbv_run_samples(&motion_from_forces, &(RbvForwardRun){0}, system, options, diagnostics, result);
}

/* With control that makes the motion follow what is required. */
RbvStatus rbv_track(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                    RbvResult **result) {
    RbvSampledAnalysis analysis = motion_from_forces;
    analysis.name = "track";
    return rbv_run_samples(&analysis, &(RbvForwardRun){.tracks = true}, system, options, diagnostics, result);
}
