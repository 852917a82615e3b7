/* The simulate and track analyses: steps from the start of a motion from forces, with samples and transitions on the
 * way. A step is passed to the caller's keeper with its samples; from a checkpoint a run can be continued.
 */
#include "analysis/analyses/simulate.h"
#include "core/base/diagnostics.h"
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

/* Store or restore all numbers of the run that do not follow from others, except its samples. */
static void keep_all(RbvSimulation *s, RbvArchive *archive) {
    RBV_KEEP(archive, s->next);
    RBV_KEEP(archive, s->kept_work);
    RBV_KEEP(archive, s->energy);
    RBV_KEEP(archive, s->energy_error);
    RBV_KEEP(archive, s->energy_error_time);
    rbv_checkpoint_keep(archive, &s->loop);
    rbv_choice_keep(s->forces.choice, archive);
    RBV_KEEP_ARRAY(archive, s->forces.reactions->past,
                   2 * (s->run->system->part_count + 1) + s->run->model->constraints.count);
    rbv_record_keep(s->run->record, archive);
    rbv_audit_keep(&s->audit, archive);
    rbv_notes_archive(&s->run->notes, archive);
}

/* Store the numbers where the caller keeps checkpoints; then derived data is made again, as in a run that continues
 * from here. */
static RbvStatus pass_checkpoint(RbvSimulation *s) {
    const RbvKeeper *keeper = s->run->options.samples.keeper;
    if (keeper && keeper->keep) {
        RbvArchive archive = {0};
        keep_all(s, &archive);
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
static RbvStatus restore_checkpoint(RbvSimulation *s) {
    const RbvKeeper *keeper = s->run->options.samples.keeper;
    RbvResult *result = s->run->record->result;
    RbvArchive archive = {.from = keeper->state, .left = keeper->size};
    if (!rbv_result_adopt(result, keeper->values, keeper->samples))
        return RBV_NO_MEMORY;
    keep_all(s, &archive);
    if (rbv_archive_is_good(&archive))
        return rbv_checkpoint_refresh(&s->loop);
    result->sample_count = 0;
    rbv_diagnose(s->run->diagnostics, RBV_ERROR, s->run->model->file, (RbvPosition){0, 0},
                 "the run cannot go on: what was kept of it is damaged, or of another model");
    return RBV_BAD_INPUT;
}

/* Is a checkpoint due, from which the run can be continued? To be called once after each step. */
static bool is_checkpoint_due(RbvSimulation *s) {
    int32_t own = s->run->options.samples.keeper ? s->run->options.samples.keeper->steps : 0;
    int64_t size = s->flow.n + s->run->system->row_count + 1,
            done = (s->flow.evaluations + SAMPLE_WORK * (int64_t)s->run->record->result->sample_count) * size;
    int64_t least = KEPT_WORK * (size > KEPT_SIZE ? size / KEPT_SIZE : 1);
    bool due = own > 0 ? s->stepper.steps % own == 0 : done - s->kept_work >= least;
    if (due)
        s->kept_work = done;
    return due;
}

/* ---- samples ----
 *
 * Forces, verdicts, the audit, and the balance of energy. */

/* Energy lost where rows give way at a singular position (dynamics/accelerations/saddle.h) depends on no tolerance; the
 * report gives this reason. */
#define YIELDING_TEXT                                                                                                  \
    "; %.3g J of that in %lld steps at singular positions, where rows depend on each other and give way whatever the " \
    "tolerance: the first at t = %.6g s"
#define YIELDING_START_TEXT                                                                                            \
    "; %.3g J of that at the start, a singular position: rows depend on each other, motions branch there, and the "    \
    "rates or drives at the start follow none of them. Start beside it, or with rates of one of the motions"
#define YIELDED_TEXT                                                                                                   \
    "; this is a singular position, or next to one: rows depend on each other and contradict the rates. Pass it "      \
    "elsewhere, or with other rates"
/* Part of the longest step that counts as the start. */
#define AT_START 1e-3
/* Rounding of coordinates, as a part of the size and the distance from the origin. */
#define ROUNDED (16 * DBL_EPSILON)

/* Data of the first sample that hold for the whole result. False: no memory. */
static bool record_first(RbvSimulation *s) {
    RbvResult *result = s->run->record->result;
    if (!rbv_record_mobility(s->run->record, s->state, s->forces.solvability))
        return false;
    rbv_record_length(result, rbv_sample_forces_decides(&s->forces));
    rbv_sample_forces_share(&s->forces, true);
    bool modes = rbv_record_modes(s->run->record, s->state, s->forces.reactions, rbv_sample_forces_decides(&s->forces));
    rbv_sample_forces_share(&s->forces, false);
    if (!modes)
        return false;
    result->redundant_by = rbv_choice_name(s->forces.choice);
    result->length = rbv_choice_norm_length(s->forces.choice, result->length);
    return true;
}

/* Record the sample at the state that the flow has evaluated, with `work` [J] done since the start. */
static RbvStatus record_sample(RbvSimulation *s, double work, bool first) {
    char why[256] = "";
    bool renewed = first || s->loop.changed;
    RbvStatus status = s->loop.changed ? rbv_sample_forces_renew(&s->forces) : RBV_OK;
    s->loop.changed = false;
    rbv_event_loop_find_sharing(&s->loop);
    if (status == RBV_OK)
        status = rbv_sample_forces_solve(&s->forces, s->tolerance);
    if (status != RBV_OK)
        return status;
    if (renewed && !rbv_flow_expect_repeats(&s->flow, rbv_singular_lasting(&s->forces.singular, s->forces.solvability)))
        return RBV_NO_MEMORY;
    rbv_sample_forces_share(&s->forces, true);
    bool recorded =
        rbv_record_verdicts(s->run->record, s->state, s->forces.reactions, rbv_sample_forces_decides(&s->forces),
                            s->forces.shared ? NULL : s->forces.choice);
    rbv_sample_forces_share(&s->forces, false);
    if (!recorded)
        return RBV_NO_MEMORY;
    rbv_record_errors(s->run->record, s->forces.reactions);
    rbv_audit_sample(&s->audit, s->state, s->forces.reactions);
    rbv_audit_accelerations(&s->audit, s->state);
    rbv_audit_one_sided(&s->audit, s->state, s->forces.reactions);
    s->audit.constraint = fmax(s->audit.constraint, s->flow.constraint_error);
    double energy = rbv_power_energy(&s->flow.power, s->state), error = energy - s->energy - work;
    s->run->record->energy[0] = energy;
    s->run->record->energy[1] = error;
    if (fabs(error) > s->energy_error) {
        s->energy_error = fabs(error);
        s->energy_error_time = s->state->t;
    }
    if (!rbv_record_sample(s->run->record, s->state, s->forces.reactions, why, sizeof why))
        return rbv_simulation_fail(s, RBV_NOT_FINITE, why);
    return first && !record_first(s) ? RBV_NO_MEMORY : RBV_OK;
}

/* [J] Energy of a motion that moves each body within the longest step by no more than the rounding of its coordinates,
 * plus the work of forces over that distance. */
static double energy_of_rounding(const RbvSimulation *s) {
    const RbvModel *model = s->flow.system->model;
    double sum = 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        double place = ROUNDED * (rbv_state_body_size(s->state, b) + rbv_norm(s->state->bodies[b].r)),
               rate = place / s->stepper.longest, turn = rate / rbv_state_body_arm(s->state, b);
        sum += place * s->audit.scale[s->flow.system->part[b]].force;
        sum += 0.5 * (body->mass * rate * rate +
                      (body->particle ? 0 : (body->inertia[0] + body->inertia[1] + body->inertia[2]) * turn * turn));
    }
    return isfinite(sum) ? sum : 0;
}

/* Verify the energy balance of the whole run: a motion that is small at first is compared with the energy it has later.
 * AUDIT_FAILED, reported. */
static RbvStatus verify_energy(RbvSimulation *s) {
    char text[500];
    const RbvEnergyBalance *balance = &s->stepper.balance;
    double size = fmax(s->flow.power.size, balance->size), parts = fmax(s->flow.power.parts, balance->parts);
    double share = rbv_energy_of_a_run(s->tolerance);
    if (s->energy_error <=
        share * size + rbv_energy_balance_rounding(s->flow.state, s->stepper.share, parts) + energy_of_rounding(s))
        return RBV_OK;
    s->state->t = s->energy_error_time;
    int used =
        snprintf(text, sizeof text, "the result fails its audit: the balance of energy is off by %.3g J of %.3g J",
                 s->energy_error, size);
    const RbvStepper *stepper = &s->stepper;
    if (stepper->yielding > 0 && stepper->yielded_from <= stepper->started + AT_START * stepper->longest)
        snprintf(text + used, sizeof text - (size_t)used, YIELDING_START_TEXT, fmin(stepper->yielded, s->energy_error));
    else if (stepper->yielding > 0)
        snprintf(text + used, sizeof text - (size_t)used, YIELDING_TEXT, fmin(stepper->yielded, s->energy_error),
                 (long long)stepper->yielding, stepper->yielded_from);
    return rbv_simulation_fail(s, RBV_AUDIT_FAILED, text);
}

static RbvStatus verify_sample(const RbvSimulation *s) {
    char why[400], text[600];
    double nearness;
    if (rbv_audit_verify(&s->audit, "the result", why, sizeof why) == RBV_OK)
        return RBV_OK;
    snprintf(text, sizeof text, "%s%s", why, rbv_saddle_yields(s->flow.saddle, &nearness) ? YIELDED_TEXT : "");
    return rbv_simulation_fail(s, RBV_AUDIT_FAILED, text);
}

/* The sample at t, between the ends of the last step: forces, verdicts, audit, energy. */
static RbvStatus take_sample(RbvSimulation *s, double t, bool first) {
    RbvStatus status = rbv_stepper_visit(&s->stepper, t);
    if (status == RBV_OK)
        status = record_sample(s, s->stepper.y_next[s->flow.size - 1], first);
    return status == RBV_OK ? verify_sample(s) : status;
}

#define DEFAULT_TOLERANCE 1e-9

/* Magnification of small differences of the start above which a note is given: of the nine digits of the tolerance
 * three are left. */
#define SENSITIVE 1e6

/* Is sample number k due at the stepper's instant, to rounding? */
static bool is_sample_due(const RbvSimulation *s, const RbvSamples *samples, int32_t k) {
    double t = rbv_samples_time(samples, k), between = k > 0 ? t - rbv_samples_time(samples, k - 1) : 0;
    /* Two instants nearer than this part of the time, or of the time between samples, are one. Where forces change
     * their form the motion continues a rounding later, and an event is located when its expression has passed zero by
     * 1e-14 of the size. */
    return fabs(t - s->stepper.t) <= RBV_CANCELLED * fmax(fabs(t), between);
}

/* Samples due up to the end of the last step, except a sample at its end where a transition follows. */
static RbvStatus sample_step(RbvSimulation *s, const RbvSamples *samples) {
    const RbvStepper *stepper = &s->stepper;
    RbvStatus status = RBV_OK;
    if (s->run->options.motion.every_step) {
        bool last = stepper->t >= samples->to;
        s->next = last ? samples->count : s->next;
        return rbv_record_reserve(s->run->record) ? take_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    }
    for (; status == RBV_OK && s->next < samples->count; s->next++) {
        double t = rbv_samples_time(samples, s->next);
        if (t > stepper->t || (s->loop.pending && is_sample_due(s, samples, s->next)))
            break;
        status = take_sample(s, t, false);
    }
    return status;
}

/* Make the pending transition; a sample at that instant is taken after the transition. */
static RbvStatus make_transition(RbvSimulation *s, const RbvSamples *samples) {
    RbvStepper *stepper = &s->stepper;
    RbvStatus status = rbv_stepper_visit(stepper, stepper->t);
    if (status == RBV_OK)
        status = rbv_event_loop_make_transition(&s->loop);
    bool due = s->next < samples->count && is_sample_due(s, samples, s->next) && !s->run->options.motion.every_step;
    if (status == RBV_OK && (due || s->loop.ended || s->run->options.motion.every_step))
        status = rbv_record_reserve(s->run->record) ? take_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    s->next += due;
    return status;
}

/* Refuse drives that go to and fro so often until the next sample that no number of steps follows; checked after many
 * steps. LOCKED, reported. */
static RbvStatus keep_pace(RbvSimulation *s, const RbvSamples *samples) {
    s->steps_to_next = s->paced == s->next ? s->steps_to_next + 1 : 0;
    s->paced = s->next;
    if (s->run->options.motion.every_step || s->steps_to_next != RBV_SURE_STEPS || s->next >= samples->count)
        return RBV_OK;
    const RbvPace pace = {rbv_samples_time(samples, s->next - 1), rbv_samples_time(samples, s->next), s->steps_to_next};
    return rbv_outruns(s->state, &pace, s->run->diagnostics) ? RBV_LOCKED : RBV_OK;
}

/* The start of the motion and its first sample, or the state of a checkpoint. */
static RbvStatus start_simulation(RbvSampleRun *run) {
    RbvSimulation *s = run->own;
    const RbvKeeper *keeper = run->options.samples.keeper;
    RbvStatus status = rbv_simulation_create(s);
    if (status == RBV_OK)
        status = take_sample(s, run->samples.from, true);
    s->next = 1;
    if (status == RBV_OK && s->forces.singular.followed)
        status = rbv_stepper_leave_singular(&s->stepper);
    if (status == RBV_OK && keeper && keeper->state && keeper->size > 0)
        status = restore_checkpoint(s);
    return status;
}

static RbvStatus next_step(RbvSampleRun *run, int32_t k, double *t, bool *more) {
    const RbvSimulation *s = run->own;
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
    RbvSimulation *s = run->own;
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
    RbvSimulation *s = run->own;
    (void)k;
    return !s->loop.ended && is_checkpoint_due(s) ? pass_checkpoint(s) : RBV_OK;
}

static RbvStatus end_simulation(RbvSampleRun *run, RbvStatus status) {
    return status == RBV_OK ? verify_energy(run->own) : status;
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

static bool record_integration(RbvSimulation *s) {
    RbvResult *result = s->run->record->result;
    result->integration = (RbvIntegration){.method = method_of(&s->stepper),
                                           .tolerance = s->tolerance,
                                           .steps = s->stepper.steps,
                                           .rejected = s->stepper.rejected,
                                           .evaluations = s->flow.evaluations,
                                           .energy_error = s->energy_error,
                                           .constraint_error = fmax(s->stepper.constraint_error, s->audit.constraint),
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
    RbvSimulation *s = run->own;
    bool kept = record_integration(s) && rbv_record_ranges(run->record, s->forces.choice);
    rbv_note_unilateral(s->run->model, run->record->result, run->diagnostics);
    return kept;
}

static void destroy_simulation(RbvSampleRun *run) {
    rbv_record_destroy(run->record);
    rbv_simulation_destroy(run->own);
}

static RbvStatus admit_simulation(RbvSampleRun *run) {
    RbvSimulation *s = run->own;
    const RbvModel *model = run->model;
    RbvOptions *options = &run->options;
    s->run = run;
    s->tolerance = isnan(options->motion.tolerance) ? DEFAULT_TOLERANCE : options->motion.tolerance;
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
    return rbv_run_samples(&motion_from_forces, &(RbvSimulation){0}, system, options, diagnostics, result);
}

/* With control that makes the motion follow what is required. */
RbvStatus rbv_track(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                    RbvResult **result) {
    RbvSampledAnalysis analysis = motion_from_forces;
    analysis.name = "track";
    return rbv_run_samples(&analysis, &(RbvSimulation){.tracks = true}, system, options, diagnostics, result);
}
