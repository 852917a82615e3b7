/* Inverse dynamics of a motion prescribed for all bodies: the reactions that belong to it, and the excess of forces
 * along the remaining freedoms. Each sample is fitted to joints and constraints, its rows are solved by the
 * pseudo-inverse, and the residual of the equations of motion is reported: a measured motion never satisfies them to
 * the last digit. */
#include "analysis/analyses/prescribed.h"

#include "analysis/analyses/instant.h"
#include "analysis/analyses/sample_run.h"
#include "analysis/analyses/start.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/surplus.h"

#include <math.h>
#include <stdlib.h>

typedef struct Prescribed {
    RbvSampleRun *run;
    RbvInstant now;
    RbvTwist *accelerations; /* [bodies] */
    RbvMotionFit most;       /* largest corrections over all samples */
    double share, worst, at; /* largest share of residual forces; that residual [N or N m]; its time [s] */
    int32_t freedom;
} Prescribed;

static RbvStatus refuse_prescribed(const RbvSystem *system, RbvPosition where, const char *text, const char *name,
                                   RbvDiagnostics *diagnostics) {
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, where, text, name);
    return RBV_BAD_INPUT;
}

/* Check that model and options contain nothing that a prescribed motion leaves undetermined. BAD_INPUT, reported. */
static RbvStatus admit_prescribed(RbvSampleRun *run) {
    Prescribed *g = run->own;
    const RbvSystem *system = run->system;
    const RbvModel *model = system->model;
    const RbvOptions *options = &run->options;
    RbvDiagnostics *diagnostics = run->diagnostics;
    const RbvPosition nowhere = {0, 0};
    if (options->recording)
        return refuse_prescribed(system, nowhere,
                                 RBV_OPTION_RECORDING " says what the drives do, " RBV_OPTION_INVERSE_PRESCRIBED
                                                      " what all bodies do: one of them%s",
                                 "", diagnostics);
    RbvStatus status = rbv_model_without_motion(
        model, "inverse",
        RBV_TAKES_STATES | RBV_TAKES_STOPS | RBV_TAKES_TIME | RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS, diagnostics);
    if (status != RBV_OK)
        return status;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            return refuse_prescribed(system, model->drives.items[k].where,
                                     "drive '%s' has a max:: whether it slips is not said by a motion that is given",
                                     model->drives.items[k].name, diagnostics);
    if (model->stops.count > 0)
        return refuse_prescribed(system, model->stops.items[0].where,
                                 "stop '%s': what it carries is not said by a motion that is given",
                                 model->stops.items[0].name, diagnostics);
    if (options->inverse.prescribed->samples < 1)
        return refuse_prescribed(system, nowhere, "%s has no row", options->inverse.prescribed->from, diagnostics);
    if (options->inverse.balance_count > 0 || options->inverse.reaction_count > 0)
        return refuse_prescribed(
            system, nowhere,
            "a motion that is given is solved for all reactions at once%s: " RBV_OPTION_INVERSE_BALANCE
            " and " RBV_OPTION_INVERSE_REACTIONS " do not go with it",
            "", diagnostics);
    if (options->start_at_equilibrium)
        return refuse_prescribed(
            system, nowhere, "a motion that is given begins where it does%s: " RBV_OPTION_START " does not go with it",
            "", diagnostics);
    if (options->reactions.multipliers)
        return refuse_prescribed(system, nowhere, RBV_OPTION_REACTIONS_MULTIPLIERS " are those of a driven motion%s",
                                 "", diagnostics);
    if (options->inverse.method != RBV_METHOD_TWO_STEP && options->inverse.method != RBV_METHOD_PSEUDO_INVERSE)
        return refuse_prescribed(system, nowhere,
                                 "a motion that is given is solved by " RBV_OPTION_INVERSE_METHOD
                                 " pseudo-inverse: %s needs a drive for every freedom",
                                 rbv_method_kind(options->inverse.method)->name, diagnostics);
    g->run = run;
    g->now.system = system;
    g->now.diagnostics = diagnostics;
    run->samples.count = options->inverse.prescribed->samples;
    run->samples.progress = (RbvProgress){.go_on = options->progress, .context = options->context};
    return rbv_pseudo_inverse_method.admits(system, diagnostics);
}

/* Read sample k into the state: positions, velocities and accelerations, fitted to the rows of joints and
 * constraints. */
static RbvStatus take_prescribed(Prescribed *g, int32_t k) {
    RbvMotion *motion = g->now.motion;
    const RbvGivenMotion *given = g->run->options.inverse.prescribed;
    const double *values = given->values + (size_t)k * (size_t)given->count;
    const RbvStart row = {given->from, values[0], given->count, given->names, values};
    RbvMotionFit fit;
    if (!isfinite(row.t))
        return refuse_prescribed(g->run->system, (RbvPosition){0, 0}, "%s has a row without a time", given->from,
                                 g->now.diagnostics);
    RbvState *state = rbv_motion_given_state(motion);
    double since = k > 0 ? state->t : NAN;
    if (row.t <= since)
        return refuse_prescribed(g->run->system, (RbvPosition){0, 0}, "the time of %s must grow from row to row",
                                 given->from, g->now.diagnostics);
    state->t = row.t;
    RbvStatus status = rbv_start_take(&row, since, state, g->accelerations, g->now.diagnostics);
    if (status == RBV_OK)
        status = rbv_motion_take_given(motion, g->accelerations, &fit);
    if (status != RBV_OK)
        return status;
    g->most.place = rbv_max(g->most.place, fit.place);
    g->most.rate = rbv_max(g->most.rate, fit.rate);
    g->most.acceleration = rbv_max(g->most.acceleration, fit.acceleration);
    return RBV_OK;
}

/* After the first sample is read: find the remaining freedoms, and create instant, record and scene. */
static RbvStatus begin_prescribed(Prescribed *g) {
    RbvOptions options = g->run->options;
    RbvInstant *now = &g->now;
    RbvState *state = now->motion->state;
    options.inverse.method = RBV_METHOD_PSEUDO_INVERSE;
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
    if (!rbv_run_record(g->run, now->record, state) || !rbv_note_inertias(state, now->diagnostics) ||
        !rbv_record_machine(now->record->result, g->run->model, &machine))
        return RBV_NO_MEMORY;
    return rbv_check_wheels(state, now->diagnostics);
}

/* The basis R of freedoms at the position. Finding R changes data that depend on velocities, so these are evaluated
 * again. */
static RbvStatus place_freedoms(const Prescribed *g) {
    RbvState *state = g->now.motion->state;
    if (!rbv_surplus_place(g->now.surplus, state))
        return RBV_NO_MEMORY;
    return rbv_state_place(state) && (rbv_state_jacobian(state), rbv_state_rates(state)) && rbv_state_move(state)
               ? RBV_OK
               : RBV_NOT_FINITE;
}

static void note_share(Prescribed *g) {
    const RbvSurplus *s = g->now.surplus;
    if (!(s->share > g->share) || s->worst < 0)
        return;
    g->share = s->share;
    g->freedom = s->worst;
    g->worst = s->value[s->worst];
    g->at = g->now.motion->state->t;
}

static RbvStatus sample_prescribed(RbvSampleRun *run, int32_t k, double t) {
    Prescribed *g = run->own;
    RbvInstant *now = &g->now;
    (void)t; /* the motion has its own times */
    RbvStatus status = take_prescribed(g, k);
    if (status == RBV_OK && k == 0)
        status = begin_prescribed(g);
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
static void note_fit(const Prescribed *g) {
    const RbvSurplus *s = g->now.surplus;
    const char *file = g->run->model->file;
    const RbvPosition nowhere = {0, 0};
    const RbvState *state = g->now.motion->state;
    double size = 0;
    for (int32_t b = 1; b < g->run->system->bodies.count; b++)
        size = rbv_max(size, rbv_state_body_size(state, b));
    /* Corrections below this part of the size are rounding. */
    if (g->most.place > RBV_SAME * size)
        rbv_diagnose(g->now.diagnostics, RBV_NOTE, file, nowhere,
                     "the motion given does not quite fit the joints: taken is the nearest that does, off by at most "
                     "%.3g m, %.3g m/s and %.3g m/s^2 (turns at the arm of their part)",
                     g->most.place, g->most.rate, g->most.acceleration);
    if (s->count == 0)
        /* Residual forces below RBV_FITS, as a share of the forces, count as zero: rounding of a table and of the
         * freedoms. Above RBV_NOTICEABLE they make reactions unsure. */
        rbv_diagnose(g->now.diagnostics, RBV_NOTE, file, nowhere,
                     "joints, constraints and drives leave no freedom along which the motion given could be compared "
                     "with its forces");
    else if (g->share > RBV_FITS)
        rbv_diagnose(g->now.diagnostics, g->share > RBV_NOTICEABLE ? RBV_WARNING : RBV_NOTE, file, nowhere,
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

static bool finish_prescribed(RbvSampleRun *run) {
    const Prescribed *g = run->own;
    rbv_record_audit(run->record->result, &g->now.audit);
    rbv_note_unilateral(g->run->model, run->record->result, run->diagnostics);
    note_fit(g);
    return rbv_record_ranges(run->record, rbv_forces_choice(g->now.forces));
}

static RbvStatus start_prescribed(RbvSampleRun *run) {
    Prescribed *g = run->own;
    g->accelerations = calloc((size_t)run->system->bodies.count, sizeof *g->accelerations);
    return g->accelerations
               ? rbv_motion_create_given(run->system, &run->samples.progress, run->diagnostics, &g->now.motion)
               : RBV_NO_MEMORY;
}

static void destroy_prescribed(RbvSampleRun *run) {
    Prescribed *g = run->own;
    free(g->accelerations);
    rbv_instant_destroy(&g->now);
}

RbvStatus rbv_inverse_prescribed(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                 RbvResult **result) {
    static const RbvSampledAnalysis prescribed = {.name = "inverse",
                                                  .admit = admit_prescribed,
                                                  .start = start_prescribed,
                                                  .sample = sample_prescribed,
                                                  .finish = finish_prescribed,
                                                  .destroy = destroy_prescribed};
    return rbv_run_samples(&prescribed, &(Prescribed){0}, system, options, diagnostics, result);
}
