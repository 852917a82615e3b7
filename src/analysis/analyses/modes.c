/* The modes analysis: the state, its linearised motion and its modes; along a parameter, the roots as it changes, and
 * the values at which the motion becomes unstable.
 */
#include <roberval/analysis.h>

#include "analysis/analyses/modes.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/vibration/oscillations.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "solution/solvability/branches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more coordinates than LOWEST_FROM, and LOWEST_SHARE times as many as the modes asked for, modes of least
 * frequency are found by themselves. */
#define LOWEST_FROM 600
#define LOWEST_SHARE 4

typedef struct Modes {
    const RbvSystem *requested; /* system in the requested coordinates */
    const RbvSystem *system;    /* system in body coordinates: `requested`, or its absolute system */
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvModesStart start;
    RbvState *state; /* the state of `start` */
    RbvLinear linear;
    RbvModalMotions motions;
    int32_t growing;    /* number of modes that grow and are not listed, as far as is known */
    RbvSpaceTask space; /* used where inputs or outputs are named */
} Modes;

static RbvStatus fail_modes(const Modes *m, RbvStatus status, const char *text) {
    rbv_diagnose(m->diagnostics, RBV_ERROR, m->model->file, (RbvPosition){0, 0}, "%s", text);
    return status;
}

static RbvStatus too_large(const Modes *m, int32_t count, int32_t most, const char *what) {
    char text[240];
    snprintf(
        text, sizeof text,
        "all modes are found by dense eigenvalues, for at most %d %s; the mechanism has %d. " RBV_OPTION_MODES_COUNT
        " finds those of least frequency",
        (int)most, what, (int)count);
    return fail_modes(m, RBV_BAD_INPUT, text);
}

/* Report numbers that are not finite, or the error in masses of generalized coordinates if there is one. */
static RbvStatus report_not_finite(const Modes *m, const char *text) {
    char why[256] = "";
    rbv_state_explain_masses(m->state, why, sizeof why);
    return fail_modes(m, RBV_NOT_FINITE, why[0] ? why : text);
}

static const RbvSystem *as_bodies(const RbvSystem *system) {
    return system && system->absolute ? system->absolute : system;
}

/* With own states every number belongs to z: a motion without mass cannot be condensed. The frozen matrices of a moving
 * state depend on coordinates: they are computed in those of joints and bodies. */
static bool find_matrix(Modes *m) {
    RbvLinear *l = &m->linear;
    bool good = true;
    if (l->equilibrium && l->own == 0)
        return m->requested->absolute ? rbv_linear_at_rest_in(l, m->requested) : rbv_linear_at_rest(l);
    if (l->equilibrium && !rbv_linear_has_masses(l, &good) && good)
        l->refusal =
            "a motion that the joints leave free has no mass; beside states: of the model's own that is not followed";
    return good && !l->refusal && rbv_linear_in_motion(l);
}

/* The modes of the linearised motion, as many as are asked for; m->growing: those that grow and are left out. */
static RbvStatus find_motions(Modes *m) {
    int32_t count = m->options->modes.count;
    if (!rbv_modal_motions_find(&m->linear, &m->motions))
        return RBV_NO_MEMORY;
    for (int32_t k = count; count > 0 && k < m->motions.count; k++) {
        const RbvModalMotion *left = &m->motions.items[k];
        m->growing += left->real > RBV_SAME * hypot(left->real, left->imaginary);
    }
    if (count > 0 && m->motions.count > count)
        m->motions.count = count;
    return RBV_OK;
}

/* Only those of least frequency, if so many are asked for of a large mechanism; *found: they are found so. */
static RbvStatus find_lowest(Modes *m, bool *found) {
    const char *refusal = NULL;
    int32_t n = m->system->coordinates.size, count = m->options->modes.count;
    *found = false;
    if (count <= 0 || m->space.any || n <= LOWEST_FROM || LOWEST_SHARE * count > n)
        return RBV_OK;
    RbvStatus status =
        rbv_modes_lowest(m->state, m->start.sliding, m->options->start_at_equilibrium, count, &m->linear, &refusal);
    *found = status == RBV_OK && !refusal;
    if (*found)
        status = find_motions(m);
    if (refusal && m->requested->coordinates.size > RBV_LINEAR_COORDINATES) {
        char text[300];
        snprintf(
            text, sizeof text,
            "the modes of least frequency of so large a mechanism are found at rest in equilibrium, without damping; "
            "here is %s",
            refusal);
        return fail_modes(m, RBV_LOCKED, text);
    }
    if (!*found)
        rbv_linear_destroy(&m->linear);
    return status == RBV_NOT_FINITE ? report_not_finite(m, "forces or rows are not finite in this state") : status;
}

static RbvStatus linearise_modes(Modes *m) {
    RbvLinear *l = &m->linear;
    bool found;
    RbvStatus status = find_lowest(m, &found);
    if (status != RBV_OK || found)
        return status;
    if (m->requested->coordinates.size > RBV_LINEAR_COORDINATES)
        return too_large(m, m->requested->coordinates.size, RBV_LINEAR_COORDINATES, "coordinates");
    if (!rbv_linear_create(l, m->state, m->start.sliding, m->options->start_at_equilibrium))
        return !l->not_finite || m->state->no_memory
                   ? RBV_NO_MEMORY
                   : report_not_finite(m, "forces or rows are not finite in this state");
    if (m->space.any && !rbv_linear_release(l, m->space.released))
        return RBV_NO_MEMORY;
    if (l->m > RBV_LINEAR_FREEDOMS)
        return too_large(m, l->m, RBV_LINEAR_FREEDOMS, "freedoms");
    if (l->unsafe)
        return fail_modes(
            m, RBV_LOCKED,
            "the rank of the constraints is in doubt in this position: it is singular, and the motion beside "
            "it is not that of a linear system");
    bool good = !l->refusal && find_matrix(m);
    if (l->refusal)
        return fail_modes(m, RBV_LOCKED, l->refusal);
    if (!good)
        return !l->not_finite || m->state->no_memory
                   ? RBV_NO_MEMORY
                   : report_not_finite(m, "forces or rows beside this state are not finite");
    return find_motions(m);
}

static bool requests_space(const Modes *m) {
    return m->options->modes.input_count + m->options->modes.output_count > 0;
}

static RbvStatus find_modes(Modes *m) {
    RbvStatus status = rbv_model_without_motion(m->model, "modes",
                                                RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_GENERALIZED |
                                                    RBV_TAKES_STOPS | RBV_TAKES_LIMITS,
                                                m->diagnostics);
    if (status == RBV_OK && requests_space(m))
        status = rbv_space_open(&m->space, m->system, m->options, m->diagnostics);
    if (status == RBV_OK)
        status = rbv_modes_start(m->system, m->options, m->diagnostics, &m->start);
    m->state = m->start.state;
    if (status == RBV_OK)
        status = rbv_check_wheels(m->state, m->diagnostics);
    return status == RBV_OK ? linearise_modes(m) : status;
}

static void release(Modes *m) {
    rbv_modal_motions_destroy(&m->motions);
    rbv_linear_destroy(&m->linear);
    rbv_space_destroy(&m->space);
    rbv_modes_start_destroy(&m->start);
    m->state = NULL;
}

static void note_state(const Modes *m) {
    if (m->linear.equilibrium && m->linear.changes)
        rbv_diagnose(m->diagnostics, RBV_NOTE, m->model->file, (RbvPosition){0, 0},
                     "the state '%s' changes at t = %.9g s, so that this is no equilibrium: eigenvalues are those of "
                     "the matrices as they are there",
                     m->linear.changes, m->state->t);
    if (!m->linear.equilibrium)
        rbv_diagnose(m->diagnostics, RBV_NOTE, m->model->file, (RbvPosition){0, 0},
                     m->linear.rest
                         ? "the state at t = %.9g s is no equilibrium: eigenvalues are those of the matrices as they "
                           "are there; " RBV_OPTION_START_AT_EQUILIBRIUM " goes to where it rests"
                         : "the state at t = %.9g s moves: eigenvalues are those of the matrices as they are there",
                     m->state->t);
}

/* Record the state, and its modes with their shapes. */
static RbvStatus record_modes(Modes *m, RbvRecord *record, const RbvMachine *machine) {
    RbvResult *result = record->result;
    RbvOscillations *to = &result->oscillations;
    RbvSolvability *solvability = rbv_solvability_create_of(m->system, m->state->active, RBV_CRITERION_DEFAULT, true);
    RbvStatus status = solvability ? rbv_solvability_decide(solvability, m->state) : RBV_NO_MEMORY;
    bool kept = status == RBV_OK && rbv_record_mobility(record, m->state, solvability) &&
                rbv_record_machine(result, m->model, machine) && rbv_scene_show(result, m->state, m->options);
    int32_t persistent = kept && solvability->redundant > 0 ? rbv_persistent_redundancy(solvability, m->state) : 0;
    if (kept && solvability->redundant > 0 && persistent >= 0 && persistent < solvability->redundant)
        rbv_diagnose(m->diagnostics, RBV_NOTE, m->model->file, (RbvPosition){0, 0},
                     "some redundancy belongs to this position only: the modes depend on self-stresses that the rigid "
                     "model leaves open, and motions beside it are not those of a linear system");
    if (kept && m->linear.m == 0) /* those of least frequency are found without counting all */
        m->linear.m = m->linear.p = m->system->coordinates.size - solvability->rank;
    *to = (RbvOscillations){.found = true,
                            .equilibrium = m->linear.equilibrium && !m->linear.changes,
                            .time = m->state->t,
                            .freedoms = m->linear.m,
                            .sought = m->options->modes.count,
                            .growing = m->growing};
    kept = kept && rbv_record_oscillations(record, m->state, m->motions.items, m->motions.count, m->linear.p);
    rbv_solvability_destroy(solvability);
    return status == RBV_OK && !kept ? RBV_NO_MEMORY : status;
}

RbvStatus rbv_modes(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvNotes notes;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    Modes m = {.requested = system,
               .system = as_bodies(system),
               .model = system->model,
               .options = &options,
               .diagnostics = notes.report};
    RbvRecordOptions what = {.analysis = "modes"};
    RbvRecord *record = NULL;
    if (status == RBV_OK)
        status = find_modes(&m);
    if (status == RBV_OK) {
        note_state(&m);
        RbvMachine machine = rbv_machine_of(m.state);
        machine.corrected = options.start ? -1 : machine.corrected;
        machine = options.start_at_equilibrium ? rbv_machine_corrected(machine, &m.start.assembled) : machine;
        record = rbv_record_create(m.system, NULL, &what);
        status =
            record && rbv_note_inertias(m.state, notes.report) ? record_modes(&m, record, &machine) : RBV_NO_MEMORY;
    }
    if (status == RBV_OK && requests_space(&m))
        status = rbv_space_find(&m.space, m.state, m.start.sliding, options.start_at_equilibrium, record->result);
    if (status == RBV_OK && !rbv_notes_keep(&notes, system->model, record->result))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *result = record->result;
        record->result = NULL;
    }
    status = rbv_scene_end(m.system, &options, "modes", status, notes.report, result);
    release(&m);
    rbv_record_destroy(record);
    rbv_notes_close(&notes);
    return status;
}

/* Along a parameter: number of steps from end to end. */
#define PLACES 100
/* Part of the range to which a crossing is located; most crossings between two neighbouring values. */
#define MOST_CROSSINGS 8

typedef struct Following {
    const RbvFamily *family;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvModeTracks tracks;
    RbvOscillationEvent events[1000];
    int32_t event_count;
} Following;

/* Numbers of growing roots, swinging (pairs) and not; and the one that grows most slowly. */
typedef struct Growing {
    int32_t swinging, falling;
    double re, im;
} Growing;

static Growing growing_of(const Modes *m) {
    const RbvModalMotions *motions = &m->motions;
    Growing g = {.re = INFINITY};
    double largest = 0;
    for (int32_t k = 0; k < motions->count; k++)
        largest = rbv_max(largest, hypot(motions->items[k].real, motions->items[k].imaginary));
    for (int32_t k = 0; k < motions->count; k++) {
        double re = motions->items[k].real, im = motions->items[k].imaginary;
        /* A root grows when its real part exceeds this part of its size plus the error of the matrices. */
        if (re <= RBV_DATA * hypot(re, im) + m->linear.blur * largest)
            continue;
        g.swinging += im > 0;
        g.falling += im == 0;
        if (re < g.re)
            g.re = re, g.im = im;
    }
    return g;
}

/* The modes at one value; the caller releases `m` and destroys the system and model, whatever the status is. */
static RbvStatus find_at(const Following *f, double value, RbvDiagnostics *diagnostics, Modes *m, RbvModel **model,
                         RbvSystem **system) {
    *model = NULL;
    *system = NULL;
    RbvStatus status = f->family->at(f->family->context, value, diagnostics, model);
    if (status == RBV_OK)
        status = rbv_system_create(*model, &f->options->system, diagnostics, system);
    *m = (Modes){.requested = *system,
                 .system = as_bodies(*system),
                 .model = *model,
                 .options = f->options,
                 .diagnostics = diagnostics};
    return status == RBV_OK ? find_modes(m) : status;
}

static RbvStatus growing_at(const Following *f, double value, Growing *growing) {
    Modes m;
    RbvModel *model;
    RbvSystem *system;
    RbvStatus status = find_at(f, value, NULL, &m, &model, &system);
    if (status == RBV_OK)
        *growing = growing_of(&m);
    release(&m);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}

static bool same(Growing a, Growing b) {
    return a.swinging == b.swinging && a.falling == b.falling;
}

/* Number of growing roots: a pair counts twice. */
static int32_t number_of(Growing g) {
    return 2 * g.swinging + g.falling;
}

/* Kind of a change of stability; no root crosses where two growing roots meet on the real axis, or separate there. */
static const char *kind_of(Growing before, Growing beyond) {
    if (number_of(beyond) < number_of(before))
        return "stable";
    if (number_of(beyond) > number_of(before))
        return beyond.swinging > before.swinging ? "flutter" : "divergence";
    return beyond.swinging > before.swinging ? "divergence to flutter" : "flutter to divergence";
}

/* The crossings between two neighbouring values, each located by bisection. */
static RbvStatus locate(Following *f, double from, Growing before, double to, Growing after) {
    for (int k = 0; k < MOST_CROSSINGS && !same(before, after); k++) {
        double low = from, high = to;
        Growing beyond = after;
        while (fabs(high - low) > RBV_CANCELLED * fabs(f->family->to - f->family->from)) {
            double middle = 0.5 * (low + high);
            Growing there;
            RbvStatus status = growing_at(f, middle, &there);
            if (status != RBV_OK)
                return status;
            if (same(there, before))
                low = middle;
            else
                high = middle, beyond = there;
            if (middle == from || middle == to)
                break;
        }
        const Growing *root = number_of(beyond) >= number_of(before) ? &beyond : &before;
        RbvOscillationEvent event = {.kind = kind_of(before, beyond),
                                     .at = 0.5 * (low + high),
                                     .re = isfinite(root->re) ? root->re : 0,
                                     .im = root->im};
        event.mode = rbv_mode_tracks_nearest(&f->tracks, event.re, event.im) + 1;
        if (f->event_count < (int32_t)(sizeof f->events / sizeof f->events[0]))
            f->events[f->event_count++] = event;
        from = high;
        before = beyond;
    }
    return RBV_OK;
}

/* Rows of the result from the tracks of roots. */
static RbvStatus record_tracks(const Following *f, const Modes *first, RbvRecord **record) {
    const RbvFamily *family = f->family;
    const RbvModeTracks *tracks = &f->tracks;
    RbvRecordOptions what = {.analysis = "modes",
                             .modes = tracks->count > 0 ? tracks->count : -1,
                             .parameter = family->parameter,
                             .unit = family->unit};
    *record = rbv_record_create(first->system, NULL, &what);
    if (!*record || !rbv_result_reserve((*record)->result, tracks->rows))
        return RBV_NO_MEMORY;
    RbvResult *result = (*record)->result;
    for (int32_t k = 0; k < tracks->rows; k++) {
        double *row = rbv_result_next(result);
        row[0] = tracks->at[k];
        for (int32_t c = 0; c < 2 * tracks->count; c++)
            row[1 + c] = rbv_mode_tracks_value(tracks, k, c);
        rbv_result_commit(result);
    }
    result->followed = (RbvFollowed){.parameter = result->columns[0].name,
                                     .unit = result->columns[0].unit,
                                     .from = family->from,
                                     .to = family->to,
                                     .reached = tracks->rows > 0 ? tracks->at[tracks->rows - 1] : family->from};
    if (family->shown_unit)
        result->followed.shown = (RbvShownUnit){
            rbv_arena_copy(&result->arena, family->shown_unit, strlen(family->shown_unit)), family->shown_factor};
    return RBV_OK;
}

static RbvStatus keep_events(const Following *f, RbvResult *result) {
    RbvOscillations *to = &result->oscillations;
    to->events = rbv_arena_alloc(&result->arena, ((size_t)f->event_count + 1) * sizeof *to->events);
    if (!to->events)
        return RBV_NO_MEMORY;
    memcpy(to->events, f->events, (size_t)f->event_count * sizeof *to->events);
    to->event_count = f->event_count;
    return RBV_OK;
}

/* The remaining values of the parameter, in steps. */
static RbvStatus walk(Following *f, Growing before, RbvProgress *progress) {
    const RbvFamily *family = f->family;
    double last = family->from;
    RbvStatus status = RBV_OK;
    for (int32_t k = 1; status == RBV_OK && k <= PLACES; k++) {
        double value = k == PLACES ? family->to : family->from + (family->to - family->from) * k / PLACES;
        Modes m;
        RbvModel *model;
        RbvSystem *system;
        if (rbv_progress_stops_at(progress, (double)k / PLACES))
            return RBV_INTERRUPTED;
        status = find_at(f, value, NULL, &m, &model, &system);
        if (status != RBV_OK && status != RBV_NO_MEMORY) { /* repeated, to report the error */
            release(&m);
            rbv_system_destroy(system);
            rbv_model_destroy(model);
            status = find_at(f, value, f->diagnostics, &m, &model, &system);
        }
        Growing now = growing_of(&m);
        if (status == RBV_OK && !rbv_mode_tracks_add(&f->tracks, value, rbv_linear_height(&m.linear), &m.motions))
            status = RBV_NO_MEMORY;
        if (status == RBV_OK)
            status = locate(f, last, before, value, now);
        release(&m);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        last = value;
        before = now;
    }
    return status;
}

RbvStatus rbv_modes_follow(const RbvFamily *family, const RbvOptions *given, RbvDiagnostics *diagnostics,
                           RbvResult **result) {
    if (!family || !family->at || !family->parameter || !family->unit || !(family->from != family->to) || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvProgress progress = {.go_on = options.progress, .context = options.context};
    RbvNotes notes;
    Modes first = {0};
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvRecord *record = NULL;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    Following *f = calloc(1, sizeof *f);
    if (!f)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *f = (Following){.family = family, .options = &options, .diagnostics = notes.report};
        status = find_at(f, family->from, notes.report, &first, &model, &system);
    }
    if (status == RBV_OK) {
        note_state(&first);
        status = rbv_mode_tracks_add(&f->tracks, family->from, rbv_linear_height(&first.linear), &first.motions)
                     ? walk(f, growing_of(&first), &progress)
                     : RBV_NO_MEMORY;
    }
    if (f && f->tracks.rows > 0 && status != RBV_NO_MEMORY) {
        RbvMachine machine = rbv_machine_of(first.state);
        RbvStatus kept = record_tracks(f, &first, &record);
        if (kept == RBV_OK)
            kept = record_modes(&first, record, &machine);
        if (kept == RBV_OK)
            kept = keep_events(f, record->result);
        if (kept == RBV_OK && !rbv_notes_keep(&notes, model, record->result))
            kept = RBV_NO_MEMORY;
        if (kept == RBV_OK) {
            *result = record->result;
            record->result = NULL;
        }
        status = status == RBV_OK ? kept : status;
    }
    release(&first);
    rbv_record_destroy(record);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    if (f)
        rbv_mode_tracks_destroy(&f->tracks);
    free(f);
    rbv_notes_close(&notes);
    return status;
}
