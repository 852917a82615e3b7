/* A motion from forces that the caller steps: the run of simulate (forward_run.h) with one sample, which is replaced at
 * the end of each step. Inputs are states of the model with the rate zero (rbv_insert_input). */
#include <roberval/simulation.h>

#include "analysis/analyses/evaluation.h"
#include "analysis/analyses/forward_run.h"
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "dynamics/events/checkpoint.h"
#include "dynamics/integration/failure_cause.h"
#include "model/result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct RbvSimulation {
    RbvSampleRun run;
    RbvForwardRun forward;
    RbvDiagnostics *diagnostics; /* the caller's */
    int32_t passed;              /* number of the run's messages that the caller has */
    double *requested;           /* [states] values that inputs have been given */
    bool set;                    /* some of them since the last step */
    int32_t first_event;         /* number of transitions in the log from before the last step */
    bool failed;
};

/* Pass new messages of the run to the caller; the status. Columns of a failed step have no values. */
static RbvStatus report(RbvSimulation *s, RbvStatus status) {
    RbvDiagnostics *own = s->run.diagnostics;
    for (; own && s->passed < rbv_diagnostics_count(own); s->passed++) {
        RbvDiagnostic message = rbv_diagnostics_marked(own, s->passed);
        if (s->diagnostics)
            rbv_diagnose(s->diagnostics, message.severity, message.file, message.at, "%s", message.message);
    }
    RbvResult *result = s->run.record ? s->run.record->result : NULL;
    for (int32_t c = 0; status != RBV_OK && result && c < result->column_count + result->hidden_count; c++)
        result->data[c] = NAN;
    return status;
}

/* ---- creation ---- */

/* Steps of the integrator, where neither the options nor the model say anything: those of a motion of this length [s]
 * in so many samples. */
#define SOME_LENGTH 1
#define SOME_SAMPLES 100

/* Instants that bound the steps of the integrator. BAD_INPUT, reported. */
static RbvStatus admit(RbvSampleRun *run) {
    RbvOptions *options = &run->options;
    const RbvModel *model = run->model;
    if (options->start && isnan(options->from))
        options->from = options->start->t;
    if (!model->has_motion) {
        options->to = isnan(options->to) ? rbv_first_instant(model, options) + SOME_LENGTH : options->to;
        options->step = isnan(options->step) ? (double)SOME_LENGTH / SOME_SAMPLES : options->step;
    }
    RbvStatus status = rbv_samples_create(model, options, run->diagnostics, &run->samples);
    run->samples.count = 1;
    return status;
}

/* The only sample, at t: between the ends of the last step. */
static RbvStatus sample(RbvSimulation *s, double t, bool first) {
    s->run.record->result->sample_count = 0;
    return rbv_forward_run_sample(&s->forward, t, first);
}

static RbvStatus start(RbvSimulation *s) {
    RbvForwardRun *forward = &s->forward;
    const RbvModel *model = s->run.model;
    RbvStatus status = admit(&s->run);
    if (status == RBV_OK)
        status = rbv_forward_run_create(forward);
    if (status == RBV_OK)
        status = sample(s, s->run.samples.from, true);
    if (status == RBV_OK && forward->forces.singular.followed)
        status = rbv_stepper_leave_singular(&forward->stepper);
    s->requested = status == RBV_OK ? calloc((size_t)model->states.count + 1, sizeof *s->requested) : NULL;
    if (status != RBV_OK || !s->requested)
        return status == RBV_OK ? RBV_NO_MEMORY : status;
    memcpy(s->requested, forward->state->own, (size_t)model->states.count * sizeof *s->requested);
    return RBV_OK;
}

RbvStatus rbv_simulation_create(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                                RbvSimulation **simulation) {
    if (!system || !simulation)
        return RBV_BAD_ARGUMENT;
    *simulation = NULL;
    if (given && !rbv_options_valid(given))
        return RBV_BAD_ARGUMENT;
    RbvSimulation *s = calloc(1, sizeof *s);
    if (!s)
        return RBV_NO_MEMORY;
    s->run = (RbvSampleRun){.own = &s->forward, .system = system, .model = system->model};
    s->run.options = given ? *given : rbv_options_default;
    s->run.options.samples = (RbvSampleOptions){0};
    s->forward.run = &s->run;
    s->forward.stepped = true;
    s->forward.tolerance =
        isnan(s->run.options.motion.tolerance) ? RBV_MOTION_TOLERANCE : s->run.options.motion.tolerance;
    s->diagnostics = diagnostics;
    RbvStatus status = rbv_notes_open(&s->run.notes, NULL) ? RBV_OK : RBV_NO_MEMORY;
    s->run.diagnostics = s->run.notes.report;
    status = report(s, status == RBV_OK ? start(s) : status);
    if (status == RBV_OK)
        *simulation = s;
    else
        rbv_simulation_destroy(s);
    return status;
}

void rbv_simulation_destroy(RbvSimulation *s) {
    if (!s)
        return;
    rbv_record_destroy(s->run.record);
    rbv_forward_run_destroy(&s->forward);
    rbv_samples_close(&s->run.samples);
    rbv_notes_close(&s->run.notes);
    free(s->requested);
    free(s);
}

/* ---- inputs ---- */

int32_t rbv_simulation_input(const RbvSimulation *s, const char *name) {
    int32_t input = 0;
    for (int32_t k = 0; s && name && k < s->run.model->states.count; k++) {
        const RbvOwnState *own = &s->run.model->states.items[k];
        if (own->input && strcmp(own->name, name) == 0)
            return input;
        input += own->input > 0;
    }
    return -1;
}

/* The state of an input; -1: there is no such input. */
static int32_t state_of(const RbvSimulation *s, int32_t input) {
    for (int32_t k = 0; k < s->run.model->states.count; k++) {
        if (s->run.model->states.items[k].input && input-- == 0)
            return k;
    }
    return -1;
}

RbvStatus rbv_simulation_set_input(RbvSimulation *s, int32_t input, double value) {
    int32_t state = s ? state_of(s, input) : -1;
    if (state < 0 || !isfinite(value))
        return RBV_BAD_ARGUMENT;
    s->requested[state] = value;
    s->set = true;
    return RBV_OK;
}

/* The inputs set act from the present instant on; states that are no inputs keep their values. */
static RbvStatus take_inputs(RbvSimulation *s) {
    const RbvModel *model = s->run.model;
    double *own = s->forward.state->own;
    bool changed = false;
    if (!s->set)
        return RBV_OK;
    RbvStatus status = rbv_stepper_visit(&s->forward.stepper, s->forward.stepper.t);
    for (int32_t k = 0; status == RBV_OK && k < model->states.count; k++) {
        if (!model->states.items[k].input)
            s->requested[k] = own[k];
        changed = changed || s->requested[k] != own[k];
    }
    if (status == RBV_OK && changed)
        status = rbv_event_loop_set_states(&s->forward.loop, s->requested);
    s->set = status != RBV_OK;
    return status;
}

/* ---- steps ---- */

double rbv_simulation_time(const RbvSimulation *s) {
    return s ? s->forward.stepper.t : NAN;
}

/* Report why no step to t can be made; OK: one can. */
static RbvStatus check_step(RbvSimulation *s, double t) {
    double now = s->forward.stepper.t;
    const char *file = s->run.model->file;
    const RbvPosition nowhere = {0, 0};
    if (s->failed || s->forward.loop.ended)
        rbv_diagnose(s->diagnostics, RBV_ERROR, file, nowhere,
                     s->failed ? "the simulation failed at t = %.9g s; only restoring an earlier state helps"
                               : "an event has ended the motion at t = %.9g s; restore an earlier state to go on",
                     now);
    else if (t < now)
        rbv_diagnose(s->diagnostics, RBV_ERROR, file, nowhere, "t = %.9g s lies before the present instant, %.9g s", t,
                     now);
    else if (t > now && t - now < RBV_LEAST_INSTANTS * (nextafter(t, INFINITY) - t))
        rbv_diagnose(s->diagnostics, RBV_ERROR, file, nowhere,
                     "at t = %.9g s a step of %.3g s is shorter than numbers resolve", now, t - now);
    else
        return RBV_OK;
    return RBV_BAD_INPUT;
}

/* Forget the transitions of earlier steps, but for those of this instant, which are not logged twice. */
static void begin_log(RbvSimulation *s) {
    RbvEventLoop *loop = &s->forward.loop;
    int32_t kept = 0;
    for (int32_t k = 0; k < loop->transition_count; k++)
        if (loop->transitions[k].t >= s->forward.stepper.t)
            loop->transitions[kept++] = loop->transitions[k];
    loop->transition_count = s->first_event = kept;
}

/* Make the pending transition, if there is one. *happens: it is in the log. */
static RbvStatus make_transition(RbvSimulation *s, bool *happens) {
    RbvEventLoop *loop = &s->forward.loop;
    if (!loop->pending)
        return RBV_OK;
    RbvStatus status = rbv_stepper_visit(&s->forward.stepper, s->forward.stepper.t);
    if (status == RBV_OK)
        status = rbv_event_loop_make_transition(loop);
    *happens = loop->transition_count > s->first_event;
    return status;
}

/* Steps of the integrator up to t. LOCKED, reported: drives go to and fro so often that no number of steps follows. */
static RbvStatus go_on(RbvSimulation *s, double t, bool to_event) {
    RbvStepper *stepper = &s->forward.stepper;
    RbvProgress *progress = &s->run.samples.progress;
    const RbvPace pace = {stepper->t, t, RBV_SURE_STEPS};
    bool happens = false;
    RbvStatus status = take_inputs(s);
    if (status == RBV_OK)
        status = make_transition(s, &happens);
    for (int32_t steps = 1; status == RBV_OK && stepper->t < t; steps += steps < INT32_MAX) {
        if (s->forward.loop.ended || (happens && to_event))
            break;
        if (rbv_progress_stops(progress))
            return RBV_INTERRUPTED;
        status = rbv_event_loop_step(&s->forward.loop, t);
        if (status == RBV_OK)
            status = make_transition(s, &happens);
        if (status == RBV_OK && steps == RBV_SURE_STEPS && rbv_outruns(s->forward.state, &pace, s->run.diagnostics))
            status = RBV_LOCKED;
    }
    return status;
}

RbvStatus rbv_simulation_step_to(RbvSimulation *s, double t, bool to_event) {
    if (!s || !isfinite(t))
        return RBV_BAD_ARGUMENT;
    RbvStatus status = check_step(s, t);
    if (status != RBV_OK)
        return status;
    begin_log(s);
    s->run.samples.progress.stopped = false;
    status = go_on(s, t, to_event);
    if (status == RBV_OK)
        status = sample(s, s->forward.stepper.t, false);
    if (status == RBV_OK)
        status = rbv_forward_run_verify_energy(&s->forward);
    s->failed = status != RBV_OK && status != RBV_INTERRUPTED;
    return report(s, status);
}

int32_t rbv_simulation_event_count(const RbvSimulation *s) {
    return s ? s->forward.loop.transition_count - s->first_event : 0;
}

RbvSimulationEvent rbv_simulation_event(const RbvSimulation *s, int32_t event) {
    if (event < 0 || event >= rbv_simulation_event_count(s))
        return (RbvSimulationEvent){0};
    const RbvTransition *of = &s->forward.loop.transitions[s->first_event + event];
    return (RbvSimulationEvent){.t = of->t, .name = of->name, .kind = of->kind, .impulse = of->impulse};
}

const RbvResult *rbv_simulation_result(const RbvSimulation *s) {
    return s ? s->run.record->result : NULL;
}

RbvEvaluationColumn rbv_simulation_column(const RbvSimulation *s, const char *name) {
    return rbv_column_of_last(rbv_simulation_result(s), name);
}

/* ---- saving ---- */

/* What the bytes begin with: of this kind and version, of which model with which parameters, their number and sum. */
typedef struct Header {
    char kind[24];
    uint64_t model, size, sum;
} Header;

static Header header_of(const RbvSimulation *s, const char *bytes, size_t size) {
    Header header = {.model = rbv_model_fingerprint(s->run.model), .size = size};
    snprintf(header.kind, sizeof header.kind, "roberval %.12s", rbv_version());
    header.model = rbv_archive_sum(header.model, &s->run.system->row_count, sizeof s->run.system->row_count);
    header.model = rbv_archive_sum(header.model, &s->forward.flow.size, sizeof s->forward.flow.size);
    for (int32_t k = 0; k < s->run.model->parameters.count; k++) {
        double value = rbv_system_parameter(s->run.system, k);
        header.model = rbv_archive_sum(header.model, &value, sizeof value);
    }
    header.sum = rbv_archive_sum(RBV_SUM_OF_NOTHING, bytes, size);
    return header;
}

static void keep(RbvSimulation *s, RbvArchive *archive) {
    RBV_KEEP(archive, s->set);
    RBV_KEEP(archive, s->first_event);
    RBV_KEEP(archive, s->forward.loop.ended);
    RBV_KEEP_ARRAY(archive, s->requested, s->run.model->states.count);
    rbv_forward_run_keep(&s->forward, archive);
}

/* Derive what follows from the numbers kept, as both sides do, and the columns. */
static RbvStatus refresh(RbvSimulation *s) {
    bool ended = s->forward.loop.ended;
    RbvStatus status = rbv_checkpoint_refresh(&s->forward.loop);
    s->forward.loop.ended = ended;
    return status == RBV_OK ? sample(s, s->forward.stepper.t, false) : status;
}

RbvStatus rbv_simulation_save(RbvSimulation *s, void **state, size_t *size) {
    if (!s || !state || !size)
        return RBV_BAD_ARGUMENT;
    *state = NULL;
    *size = 0;
    RbvArchive archive = {0};
    if (s->failed) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->run.model->file, (RbvPosition){0, 0},
                     "the simulation failed at t = %.9g s: there is no state to save", s->forward.stepper.t);
        return RBV_BAD_INPUT;
    }
    keep(s, &archive);
    char *bytes = rbv_archive_is_good(&archive) ? malloc(sizeof(Header) + archive.text.length) : NULL;
    RbvStatus status = bytes ? refresh(s) : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        Header header = header_of(s, archive.text.data, archive.text.length);
        memcpy(bytes, &header, sizeof header);
        memcpy(bytes + sizeof header, archive.text.data, archive.text.length);
        *state = bytes;
        *size = sizeof header + archive.text.length;
    } else {
        free(bytes);
        s->failed = status != RBV_NO_MEMORY;
    }
    rbv_text_clear(&archive.text);
    return report(s, status);
}

RbvStatus rbv_simulation_restore(RbvSimulation *s, const void *state, size_t size) {
    Header header;
    if (!s || (!state && size > 0))
        return RBV_BAD_ARGUMENT;
    const char *bytes = (const char *)state + sizeof header;
    bool good = size >= sizeof header;
    if (good) {
        memcpy(&header, state, sizeof header);
        Header right = header_of(s, bytes, size - sizeof header);
        good = memcmp(&header, &right, sizeof header) == 0;
    }
    if (!good) {
        rbv_diagnose(
            s->diagnostics, RBV_ERROR, s->run.model->file, (RbvPosition){0, 0},
            "what is to be restored is damaged, or of another model, other values of its parameters, or another "
            "version");
        return RBV_BAD_INPUT;
    }
    RbvArchive archive = {.from = bytes, .left = size - sizeof header};
    keep(s, &archive);
    RbvStatus status = rbv_archive_is_good(&archive) ? refresh(s) : RBV_NO_MEMORY;
    s->failed = status != RBV_OK;
    s->passed = rbv_diagnostics_count(s->run.diagnostics);
    return report(s, status);
}
