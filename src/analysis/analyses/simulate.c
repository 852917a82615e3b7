/* The simulate analysis: steps from the assembled state, samples and transitions on the way. */
#include "analysis/analyses/simulation.h"
#include "analysis/analyses/track_start.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "dynamics/integration/stepper.h"
#include "solution/motion/motion.h"
#include "solution/record/samples.h"

#include <math.h>
#include <string.h>

#define TOLERANCE 1e-9

/* Two instants nearer than this part of the time, or of the time between samples, are one. Where forces change their
 * form the motion continues a rounding later, and an event is located when its expression has passed zero by 1e-14 of
 * the size. */
#define INSTANT 1e-12
/* Magnification of small differences of the start above which a note is given: of the nine digits of the tolerance
 * three are left. */
#define SENSITIVE 1e6

/* Is sample number k due at the stepper's instant, to rounding? */
static bool is_due(const RbvSimulation *s, const RbvSamples *samples, int32_t k) {
    double t = rbv_samples_time(samples, k), between = k > 0 ? t - rbv_samples_time(samples, k - 1) : 0;
    return fabs(t - s->stepper.t) <= INSTANT * fmax(fabs(t), between);
}

/* Samples due up to the end of the last step, except a sample at its end where a transition follows. */
static RbvStatus sample_step(RbvSimulation *s, const RbvSamples *samples) {
    const RbvStepper *stepper = &s->stepper;
    RbvStatus status = RBV_OK;
    if (s->options->every_step) {
        bool last = stepper->t >= samples->to;
        s->next = last ? samples->count : s->next;
        return rbv_record_reserve(s->record) ? rbv_simulation_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    }
    for (; status == RBV_OK && s->next < samples->count; s->next++) {
        double t = rbv_samples_time(samples, s->next);
        if (t > stepper->t || (s->loop.pending && is_due(s, samples, s->next)))
            break;
        status = rbv_simulation_sample(s, t, false);
    }
    return status;
}

/* Make the pending transition; a sample at that instant is taken after the transition. */
static RbvStatus make_transition(RbvSimulation *s, const RbvSamples *samples) {
    RbvStepper *stepper = &s->stepper;
    RbvStatus status = rbv_stepper_visit(stepper, stepper->t);
    if (status == RBV_OK)
        status = rbv_event_loop_make_transition(&s->loop);
    bool due = s->next < samples->count && is_due(s, samples, s->next) && !s->options->every_step;
    if (status == RBV_OK && (due || s->loop.ended || s->options->every_step))
        status = rbv_record_reserve(s->record) ? rbv_simulation_sample(s, stepper->t, false) : RBV_NO_MEMORY;
    s->next += due;
    return status;
}

/* Refuse drives that go to and fro so often until the next sample that no number of steps follows; checked after many
 * steps. LOCKED, reported. */
static RbvStatus keep_pace(RbvSimulation *s, const RbvSamples *samples) {
    s->steps_to_next = s->paced == s->next ? s->steps_to_next + 1 : 0;
    s->paced = s->next;
    if (s->options->every_step || s->steps_to_next != RBV_SURE_STEPS || s->next >= samples->count)
        return RBV_OK;
    const RbvPace pace = {rbv_samples_time(samples, s->next - 1), rbv_samples_time(samples, s->next), s->steps_to_next};
    return rbv_outruns(s->state, &pace, s->diagnostics) ? RBV_LOCKED : RBV_OK;
}

/* Run to the last sample. */
static RbvStatus run(RbvSimulation *s, RbvSamples *samples) {
    const RbvKeeper *keeper = s->options->keeper;
    const RbvStepper *stepper = &s->stepper;
    RbvStatus status = rbv_simulation_sample(s, samples->from, true);
    s->next = 1;
    if (status == RBV_OK && s->forces.singular.followed)
        status = rbv_stepper_leave_singular(&s->stepper);
    if (status == RBV_OK && keeper && keeper->state && keeper->size > 0)
        status = rbv_simulation_go_on(s);
    while (status == RBV_OK && s->next < samples->count && !s->loop.ended) {
        if (rbv_progress_stops_at(&samples->progress, (stepper->t - samples->from) / (samples->to - samples->from)))
            return RBV_INTERRUPTED;
        status = rbv_event_loop_step(&s->loop, samples->to);
        if (status == RBV_OK)
            status = sample_step(s, samples);
        if (status == RBV_OK && s->loop.pending)
            status = make_transition(s, samples);
        if (status == RBV_OK)
            status = keep_pace(s, samples);
        if (status == RBV_OK && keeper && keeper->keep)
            status = keeper->keep(keeper->context, s->record->result, NULL, 0, s->diagnostics);
        if (status == RBV_OK && !s->loop.ended && rbv_simulation_is_due(s))
            status = rbv_simulation_pass_checkpoint(s);
    }
    return status == RBV_OK ? rbv_simulation_verify_energy(s) : status;
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
    return !stepper->implicit ? "explicit" : isnan(stepper->switched) ? "implicit" : "explicit, then implicit";
}

static bool record_integration(RbvSimulation *s) {
    RbvResult *result = s->record->result;
    result->integration = (RbvIntegration){.method = method_of(&s->stepper),
                                           .tolerance = s->tolerance,
                                           .steps = s->stepper.steps,
                                           .rejected = s->stepper.rejected,
                                           .evaluations = s->flow.evaluations,
                                           .energy_error = s->energy_error,
                                           .constraint_error = fmax(s->stepper.constraint_error, s->audit.constraint),
                                           .magnification = rbv_stepper_magnification(&s->stepper)};
    if (result->integration.magnification > SENSITIVE)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->flow.system->model->file, (RbvPosition){0, 0},
                     "the motion magnifies small differences of its start about 1e%.0f times: digits that the start, "
                     "the forces or the tolerance lack are missing so many times over at its end",
                     log10(result->integration.magnification));
    result->method = result->integration.method;
    s->audit.constraint = result->integration.constraint_error;
    rbv_record_audit(result, &s->audit);
    return record_events(&s->loop, result);
}

RbvStatus rbv_simulate(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                       RbvResult **result) {
    return rbv_run_motion(system, options, false, diagnostics, result);
}

RbvStatus rbv_run_motion(const RbvSystem *system, const RbvOptions *given, bool tracks, RbvDiagnostics *diagnostics,
                         RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default();
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    if (options.start && isnan(options.from))
        options.from = options.start->t;
    RbvNotes notes;
    RbvSamples samples;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    RbvSimulation s = {.system = system,
                       .model = system->model,
                       .options = &options,
                       .tracks = tracks,
                       .diagnostics = notes.report,
                       .notes = &notes,
                       .tolerance = isnan(options.tolerance) ? TOLERANCE : options.tolerance};
    if (status == RBV_OK)
        status = tracks ? rbv_track_check(system->model, notes.report) : RBV_OK;
    if (status == RBV_OK && !tracks && system->model->requirement_count > 0)
        rbv_diagnose(
            notes.report, RBV_NOTE, system->model->file,
            system->model->constraints.items[system->model->constraints.count - system->model->requirement_count].where,
            "simulate does not follow track:; roberval track does");
    if (status == RBV_OK)
        status = rbv_samples_create(system->model, &options, notes.report, &samples);
    if (status == RBV_OK)
        status = rbv_simulation_create(&s, &samples, &samples.progress);
    if (status == RBV_OK) {
        status = run(&s, &samples);
        if (s.record->result->sample_count > 0 && status != RBV_NO_MEMORY) {
            bool kept = record_integration(&s) && rbv_record_ranges(s.record, s.forces.choice);
            rbv_note_unilateral(system->model, s.record->result, notes.report);
            if (kept && rbv_notes_keep(&notes, system->model, s.record->result)) {
                *result = s.record->result;
                s.record->result = NULL;
            } else {
                status = RBV_NO_MEMORY;
            }
        }
    }
    status = rbv_scene_end(system, &options, tracks ? "track" : "simulate", status, notes.report, result);
    rbv_simulation_destroy(&s);
    rbv_notes_close(&notes);
    return status;
}
