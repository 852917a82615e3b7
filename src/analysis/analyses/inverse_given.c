/* Inverse dynamics of a prescribed motion; see inverse_given.h. Each sample is fitted to joints and constraints, its
 * rows are solved by the pseudo-inverse, and the residual of the equations of motion is reported: a measured motion
 * never satisfies them to the last digit.
 */
#include "analysis/analyses/inverse_given.h"

#include "analysis/analyses/instant.h"
#include "analysis/analyses/start.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "model/result/result.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Residual forces below OBEYS, as a share of the forces, count as zero: rounding of a table and of the freedoms. Above
 * UNSURE they make reactions unsure. */
#define OBEYS 1e-6
#define UNSURE 1e-3
/* Corrections below this part of the size are rounding. */
#define FITS 1e-9

typedef struct Given {
    const RbvSystem *system;
    const RbvGivenMotion *motion;
    const RbvOptions *options;
    RbvInstant now;
    RbvTwist *accelerations; /* [bodies] */
    RbvProgress progress;
    RbvMotionFit most;       /* largest corrections over all samples */
    double share, worst, at; /* largest share of residual forces; that residual [N or N m]; its time [s] */
    int32_t freedom;
} Given;

static RbvStatus refuse(const RbvSystem *system, RbvPosition where, const char *text, const char *name,
                        RbvDiagnostics *diagnostics) {
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, where, text, name);
    return RBV_BAD_INPUT;
}

/* Check that model and options contain nothing that a prescribed motion leaves undetermined. BAD_INPUT, reported. */
static RbvStatus admit(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    const RbvPosition nowhere = {0, 0};
    RbvStatus status = rbv_model_without_motion(
        model, "inverse",
        RBV_TAKES_STATES | RBV_TAKES_STOPS | RBV_TAKES_TIME | RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS, diagnostics);
    if (status != RBV_OK)
        return status;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            return refuse(system, model->drives.items[k].where,
                          "drive '%s' has a max:: whether it slips is not said by a motion that is given",
                          model->drives.items[k].name, diagnostics);
    if (model->stops.count > 0)
        return refuse(system, model->stops.items[0].where,
                      "stop '%s': what it carries is not said by a motion that is given", model->stops.items[0].name,
                      diagnostics);
    if (options->balance_count > 0 || options->reaction_count > 0)
        return refuse(
            system, nowhere,
            "a motion that is given is solved for all reactions at once%s: --balance and --reaction do not go with it",
            "", diagnostics);
    if (options->recording)
        return refuse(system, nowhere,
                      "a motion of bodies that is given and one of drives that is recorded%s: one at a time", "",
                      diagnostics);
    if (options->start_at_equilibrium)
        return refuse(system, nowhere, "a motion that is given begins where it does%s: --start does not go with it", "",
                      diagnostics);
    if (options->multipliers)
        return refuse(system, nowhere, "--multipliers are those of a driven motion%s", "", diagnostics);
    if (options->method != RBV_METHOD_TWO_STEP && options->method != RBV_METHOD_PSEUDO_INVERSE)
        return refuse(system, nowhere,
                      "a motion that is given is solved by --method pseudo-inverse: %s needs a drive for every freedom",
                      rbv_method_kind(options->method)->name, diagnostics);
    return rbv_pseudo_inverse_method.admits(system, diagnostics);
}

/* Read sample k into the state: positions, velocities and accelerations, fitted to the rows of joints and
 * constraints. */
static RbvStatus take(Given *g, int32_t k) {
    RbvMotion *motion = g->now.motion;
    const RbvStart row = {g->motion->from, g->motion->values[(size_t)k * (size_t)g->motion->count], g->motion->count,
                          g->motion->names, g->motion->values + (size_t)k * (size_t)g->motion->count};
    RbvMotionFit fit;
    if (!isfinite(row.t))
        return refuse(g->system, (RbvPosition){0, 0}, "%s has a row without a time", g->motion->from,
                      g->now.diagnostics);
    RbvState *state = rbv_motion_given_state(motion);
    double since = k > 0 ? state->t : NAN;
    state->t = row.t;
    RbvStatus status = rbv_start_take(&row, since, state, g->accelerations, g->now.diagnostics);
    if (status == RBV_OK)
        status = rbv_motion_take_given(motion, g->accelerations, &fit);
    if (status != RBV_OK)
        return status;
    g->most.place = fmax(g->most.place, fit.place);
    g->most.rate = fmax(g->most.rate, fit.rate);
    g->most.acceleration = fmax(g->most.acceleration, fit.acceleration);
    return RBV_OK;
}

/* After the first sample is read: find the remaining freedoms, and create instant, record and scene. */
static RbvStatus begin(Given *g) {
    RbvOptions options = *g->options;
    RbvInstant *now = &g->now;
    RbvState *state = now->motion->state;
    options.method = RBV_METHOD_PSEUDO_INVERSE;
    RbvStatus status = rbv_surplus_create(state, now->diagnostics, &now->surplus);
    if (status != RBV_OK)
        return status;
    RbvRecordOptions record = {.analysis = "inverse",
                               .reactions = true,
                               .series = true,
                               .states = true,
                               .method = rbv_pseudo_inverse_method.name};
    status = rbv_instant_create(now, &options, &record);
    if (status == RBV_OK)
        status = rbv_instant_begin(now, &options);
    if (status != RBV_OK)
        return status;
    RbvMachine machine = rbv_machine_of(state);
    machine.corrected = -1;
    if (!rbv_result_reserve_in(now->record->result, g->motion->samples, options.rows_folder, options.rows_memory) ||
        !rbv_scene_show(now->record->result, state, &options) || !rbv_note_inertias(state, now->diagnostics) ||
        !rbv_record_machine(now->record->result, g->system->model, &machine))
        return RBV_NO_MEMORY;
    return rbv_check_wheels(state, now->diagnostics);
}

/* The basis R of freedoms at the position. Finding R changes data that depend on velocities, so these are evaluated
 * again. */
static RbvStatus place_freedoms(const Given *g) {
    RbvState *state = g->now.motion->state;
    if (!rbv_surplus_place(g->now.surplus, state))
        return RBV_NO_MEMORY;
    return rbv_state_place(state) && (rbv_state_jacobian(state), rbv_state_rates(state)) && rbv_state_move(state)
               ? RBV_OK
               : RBV_NOT_FINITE;
}

static void note_share(Given *g) {
    const RbvSurplus *s = g->now.surplus;
    if (!(s->share > g->share) || s->worst < 0)
        return;
    g->share = s->share;
    g->freedom = s->worst;
    g->worst = s->value[s->worst];
    g->at = g->now.motion->state->t;
}

static RbvStatus sample(Given *g, int32_t k) {
    RbvInstant *now = &g->now;
    if (rbv_progress_stops_at(&g->progress, (double)k / g->motion->samples))
        return RBV_INTERRUPTED;
    RbvStatus status = take(g, k);
    if (status == RBV_OK && k == 0)
        status = begin(g);
    if (status == RBV_OK)
        status = place_freedoms(g);
    if (status == RBV_OK)
        status = rbv_instant_solve(now);
    if (status != RBV_OK)
        return status;
    note_share(g);
    if (k == 0 && !rbv_record_modes(now->record, now->motion->state, now->reactions, now->motion->solvability))
        return RBV_NO_MEMORY;
    status = rbv_instant_decide(now);
    now->record->result->sample_count -= status != RBV_OK;
    return status;
}

/* Report how the motion fits the joints, and whether it satisfies the equations of motion. */
static void say(const Given *g) {
    const RbvSurplus *s = g->now.surplus;
    const char *file = g->system->model->file;
    const RbvPosition nowhere = {0, 0};
    const RbvState *state = g->now.motion->state;
    double size = 0;
    for (int32_t b = 1; b < g->system->bodies.count; b++)
        size = fmax(size, rbv_state_body_size(state, b));
    if (g->most.place > FITS * size)
        rbv_diagnose(g->now.diagnostics, RBV_NOTE, file, nowhere,
                     "the motion given does not quite fit the joints: taken is the nearest that does, off by at most "
                     "%.3g m, %.3g m/s and %.3g m/s^2 (turns at the arm of their part)",
                     g->most.place, g->most.rate, g->most.acceleration);
    if (s->count == 0)
        rbv_diagnose(g->now.diagnostics, RBV_NOTE, file, nowhere,
                     "joints, constraints and drives leave no freedom along which the motion given could be compared "
                     "with its forces");
    else if (g->share > OBEYS)
        rbv_diagnose(g->now.diagnostics, g->share > UNSURE ? RBV_WARNING : RBV_NOTE, file, nowhere,
                     "the motion given does not obey the laws of mechanics: along %s forces have %.4g %s too much at t "
                     "= %.6g s, %.2g of the largest force there. Where the opposite would act is not known: reactions "
                     "are those of least squares, with that in their errors",
                     s->names[g->freedom], g->worst, s->units[g->freedom], g->at, g->share);
    else
        rbv_diagnose(g->now.diagnostics, RBV_NOTE, file, nowhere,
                     "the motion given obeys the laws of mechanics: what forces have too much of along its freedoms is "
                     "at most %.2g of the largest force",
                     g->share);
}

static RbvStatus finish(Given *g, RbvNotes *notes, RbvResult **result) {
    RbvInstant *now = &g->now;
    RbvResult *done = now->record->result;
    rbv_record_audit(done, &now->audit);
    rbv_note_unilateral(g->system->model, done, now->diagnostics);
    say(g);
    if (!rbv_record_ranges(now->record, rbv_forces_choice(now->forces)) ||
        !rbv_notes_keep(notes, g->system->model, done))
        return RBV_NO_MEMORY;
    *result = done;
    now->record->result = NULL;
    return RBV_OK;
}

RbvStatus rbv_inverse_given(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result) {
    RbvNotes notes;
    RbvStatus status = rbv_notes_open(&notes, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    Given g = {.system = system,
               .motion = options->given,
               .options = options,
               .now = {.system = system, .diagnostics = notes.report},
               .progress = {.go_on = options->progress, .context = options->context}};
    if (status == RBV_OK)
        status = admit(system, options, notes.report);
    g.accelerations = calloc((size_t)system->bodies.count, sizeof *g.accelerations);
    if (status == RBV_OK)
        status =
            g.accelerations ? rbv_motion_create_given(system, &g.progress, notes.report, &g.now.motion) : RBV_NO_MEMORY;
    for (int32_t k = 0; k < g.motion->samples && status == RBV_OK; k++)
        status = sample(&g, k);
    if (g.now.record && g.now.record->result->sample_count > 0 && status != RBV_NO_MEMORY &&
        finish(&g, &notes, result) != RBV_OK)
        status = RBV_NO_MEMORY;
    status = rbv_scene_end(system, options, "inverse", status, notes.report, result);
    free(g.accelerations);
    rbv_instant_destroy(&g.now);
    rbv_notes_close(&notes);
    return status;
}
