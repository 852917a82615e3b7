/* Adaptive steps; see stepper.h. */
#include "dynamics/integration/stepper.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "dynamics/integration/failure_cause.h"
#include "dynamics/integration/step_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of the allowed change of the energy balance below which it bounds no step. */
#define BOUNDS 1e-3
/* The error of a step is found by comparing orders, which a law that is less smooth where its piece begins (d^1.5 at 0)
 * does not have: there the error may be so many times the one found. */
#define AT_TURN 100
/* Stability bound of the explicit method. */
#define STABILITY 6.1
/* Where many fast motions decay together their measure is a mean, and fine tolerances keep steps further below the
 * bound. From SUSPECT on, for as many steps, an implicit step of TRIAL times the length is tried: an explicit one takes
 * 12 evaluations, an implicit one some 10 and its factors. After a failure the next is tried after twice as many steps.
 */
#define SUSPECT 3.0
#define TRIAL 5.0
#define MOST_PATIENCE 100000
/* In tolerances: difference of the last stages of a step that stability bounds. */
#define SEEN 1e-3
/* An implicit step that could be longer by less than this factor keeps its length. */
#define KEEP_FACTORS 1.2
#define STIFF_STEPS 15
#define SMOOTH_STEPS 6
/* A velocity that a step makes so many times the size its errors were measured by defines a new size. */
#define BEGINS 10
/* So many consecutive steps, each shorter than CREEP times the longest, next to a singular position (1/sigma^2 above
 * AT_LOCK): the motion ends there, a drive is at a lock-up. */
#define MOST_CREEPS 500
#define CREEP 1e-9
#define AT_LOCK 1e8
/* So many steps that together are no longer than CRAWL times the longest, with a part IN_VAIN of trials refused,
 * indicate a force that jumps back and forth. */
#define MOST_CRAWLS 4000
#define CRAWL 1e-2
#define IN_VAIN 0.25
/* Relative to the work of forces over the size of a part: scale for the work of friction before anything has moved. */
#define LITTLE_WORK 1e-3
/* Relative to the speed that forces would cause in a step: scale of errors for what joints hold still, in tolerances.
 */
#define HELD_STILL 1e-3
/* From so many unknowns on the implicit method's systems are sparse, where the equations of motion are. */
#define SPARSE_LEAST 60

/* Finds the part that each coordinate moves, and its scale. False: out of memory. */
static bool find_scale(RbvStepper *s) {
    const RbvSystem *system = s->flow->system;
    const RbvState *state = s->flow->state;
    int32_t *column = malloc(((size_t)s->flow->n + 1) * sizeof *column);
    if (!column)
        return false;
    rbv_coordinates_scale(&system->coordinates, state->size, state->arm, s->scale, s->share);
    for (int32_t b = 1; b < system->bodies.count; b++) {
        int32_t count = system->coordinates.kind->columns(&system->coordinates, b, column);
        for (int32_t k = 0; k < count; k++)
            s->part[column[k]] = system->part[b] >= 0 ? system->part[b] : 0;
    }
    free(column);
    return true;
}

/* Coordinates that keep joints by themselves do not show forces on what they hold still: uses the forces on bodies, as
 * if each body were free. */
static void feel_locked(RbvStepper *s, double h) {
    const RbvState *state = s->flow->state;
    const RbvSystem *system = state->system;
    for (int32_t b = 1; !system->coordinates.of_bodies && b < system->bodies.count; b++) {
        const RbvBody *body = &system->model->bodies.items[b];
        int32_t part = system->part[b] >= 0 ? system->part[b] : 0;
        double gain = body->mass > 0 && !body->generalized
                          ? h * HELD_STILL * rbv_norm(state->wrenches[b].force) / (body->mass * state->size[b])
                          : 0;
        s->part_gain[part] = rbv_max(s->part_gain[part], gain);
    }
}

/* Finds the speeds of parts so far and what forces add in the step h; then the weights of errors of all components. */
static void weigh(RbvStepper *s, const double *a, double h) {
    const RbvFlow *flow = s->flow;
    const double *v = s->y + flow->positions, *inverse_mass = rbv_saddle_inverse_mass(flow->saddle);
    for (int32_t k = 0; k < flow->system->part_count; k++)
        s->part_gain[k] = s->part_begun[k];
    for (int32_t j = 0; j < flow->n; j++) { /* what large forces hold still is known to their rounding */
        double gain = h * rbv_max(rbv_max(fabs(a[j]), HELD_STILL * fabs(flow->state->Q[j]) * inverse_mass[j]),
                                  s->noise[j] / s->tolerance);
        s->part_speed[s->part[j]] = rbv_max(s->part_speed[s->part[j]], fabs(v[j]) * s->share[j]);
        s->part_gain[s->part[j]] = rbv_max(s->part_gain[s->part[j]], gain * s->share[j]);
    }
    feel_locked(s, h);
    for (int32_t i = 0; i < flow->positions; i++)
        s->weight[i] = s->scale[i] / s->tolerance;
    for (int32_t j = 0; j < flow->n; j++) {
        double speed = rbv_max(s->part_speed[s->part[j]], s->part_gain[s->part[j]]);
        s->weight[flow->positions + j] = speed > 0 ? s->share[j] / (s->tolerance * speed) : 0;
    }
    const double *own = s->y + flow->positions + flow->n,
                 *rate = rbv_dormand_prince_first(&s->method) + flow->positions + flow->n;
    for (int32_t k = 0; k < flow->own; k++) { /* relative to the largest value so far and to what the step adds */
        s->own_size[k] = rbv_max(s->own_size[k], fabs(own[k]));
        double size = rbv_max(rbv_max(s->own_size[k], s->own_begun[k]), h * fabs(rate[k]));
        s->weight[flow->positions + flow->n + k] = size > 0 ? 1 / (s->tolerance * size) : 0;
    }
    if (flow->loses) { /* relative to the energies so far; from rest there are none yet */
        double size = rbv_max(s->balance.size, LITTLE_WORK * rbv_energy_balance_most(flow->state, s->share));
        s->weight[flow->size - 2] = size > 0 ? 1 / (s->tolerance * size) : 0;
    }
    s->weight[flow->size - 1] = 0;
}

/* What is at rest at the beginning of a step, with hardly any force, has no size yet to measure errors by. Returns
 * whether the trial step has brought something to a multiple of its assumed size, and takes that as its size. */
static bool begins(RbvStepper *s) {
    const RbvFlow *flow = s->flow;
    const double *weight = s->weight + flow->positions, *v = s->y_next + flow->positions;
    bool begun = false;
    for (int32_t j = 0; j < flow->n; j++) {
        double speed = fabs(v[j]) * s->share[j];
        if (speed > 0 && !(weight[j] > 0 && speed <= BEGINS * s->share[j] / (s->tolerance * weight[j]))) {
            s->part_begun[s->part[j]] = rbv_max(s->part_begun[s->part[j]], speed);
            begun = true;
        }
    }
    for (int32_t k = flow->n; k < flow->n + flow->own; k++)
        if (v[k] != 0 && !(weight[k] > 0 && fabs(v[k]) <= BEGINS / (s->tolerance * weight[k]))) {
            s->own_begun[k - flow->n] = fabs(v[k]);
            begun = true;
        }
    return begun;
}

#define ONLY_SPARSE                                                                                                    \
    "more than %d unknowns of positions and rates only without sliding friction, states, control, limits of drives, "  \
    "constraints that do work and generalized coordinates, and where no load or constraint "                           \
    "looks at many bodies; here are %d"

/* Reports that the model is too large for dense systems and cannot use sparse ones. */
static RbvStatus report_too_large(RbvStepper *s, bool asked) {
    const RbvFlow *flow = s->flow;
    if (asked)
        rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_MOTION_METHOD " implicit takes " ONLY_SPARSE, RBV_RADAU_MOST, (int)flow->size);
    else
        rbv_diagnose(flow->diagnostics, RBV_NOTE, flow->system->model->file, (RbvPosition){0, 0},
                     "from t = %.6g s on the motion is stiff: stability, not the tolerance, bounds the steps. The "
                     "explicit method goes on with short ones, "
                     "since the implicit method takes " ONLY_SPARSE,
                     s->t, RBV_RADAU_MOST, (int)flow->size);
    s->requested = RBV_MOTION_EXPLICIT;
    return asked ? RBV_BAD_INPUT : RBV_OK;
}

RbvStatus rbv_stepper_create_implicit(RbvStepper *s, bool *fits) {
    const RbvFlow *flow = s->flow;
    if (flow->size >= SPARSE_LEAST && !rbv_implicit_system_create(s->flow, &s->sparse))
        return RBV_NO_MEMORY;
    *fits = s->sparse || flow->size <= RBV_RADAU_MOST;
    bool good = !*fits || rbv_radau_create(&s->radau, flow->size, s->tolerance, rbv_flow_rate, s->flow,
                                           s->sparse ? rbv_implicit_system_solver(s->sparse) : NULL);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Creates Radau's method if it does not exist yet. */
static RbvStatus make_implicit(RbvStepper *s, bool *fits) {
    *fits = true;
    return s->radau.J ? RBV_OK : rbv_stepper_create_implicit(s, fits);
}

/* Switches to Radau's method. BAD_INPUT: too large (reported if requested). */
static RbvStatus go_implicit(RbvStepper *s, bool asked) {
    bool fits;
    RbvStatus status = make_implicit(s, &fits);
    if (status != RBV_OK)
        return status;
    if (!fits)
        return report_too_large(s, asked);
    s->implicit = true;
    s->switched = asked ? NAN : s->t;
    return RBV_OK;
}

RbvStatus rbv_stepper_create(RbvStepper *s, RbvFlow *flow, double t, double tolerance, double longest,
                             RbvMotionMethod method) {
    const RbvSystem *system = flow->system;
    size_t size = (size_t)flow->size + 1, n = (size_t)flow->n + 1;
    *s = (RbvStepper){.flow = flow,
                      .tolerance = tolerance,
                      .longest = longest,
                      .started = t,
                      .t = t,
                      .before = t,
                      .crawls_from = t,
                      .crossed = -INFINITY,
                      .singular_at = NAN,
                      .patience = STIFF_STEPS,
                      .requested = method,
                      .switched = NAN};
    s->y = rbv_arena_array(&s->arena, size, sizeof *s->y);
    s->y_before = rbv_arena_array(&s->arena, size, sizeof *s->y_before);
    s->y_next = rbv_arena_array(&s->arena, size, sizeof *s->y_next);
    s->weight = rbv_arena_array(&s->arena, size, sizeof *s->weight);
    s->share = rbv_arena_array(&s->arena, n, sizeof *s->share);
    s->scale = rbv_arena_array(&s->arena, (size_t)flow->positions + 1, sizeof *s->scale);
    s->noise = rbv_arena_array(&s->arena, n, sizeof *s->noise);
    s->part = rbv_arena_array(&s->arena, n, sizeof *s->part);
    s->own_size = rbv_arena_array(&s->arena, (size_t)flow->own + 1, sizeof *s->own_size);
    s->part_speed = rbv_arena_array(&s->arena, (size_t)system->part_count + 1, sizeof *s->part_speed);
    s->part_gain = rbv_arena_array(&s->arena, (size_t)system->part_count + 1, sizeof *s->part_gain);
    s->part_begun = rbv_arena_array(&s->arena, (size_t)system->part_count + 1, sizeof *s->part_begun);
    s->own_begun = rbv_arena_array(&s->arena, (size_t)flow->own + 1, sizeof *s->own_begun);
    bool good = rbv_dormand_prince_create(&s->method, flow->size, rbv_flow_rate, flow);
    good = rbv_variation_create(&s->variation, flow, s->scale, s->share) && good;
    if (!good || !s->y || !s->y_before || !s->y_next || !s->weight || !s->share || !s->scale || !s->noise || !s->part ||
        !s->own_size || !s->part_speed || !s->part_gain || !s->part_begun || !s->own_begun || !find_scale(s))
        return RBV_NO_MEMORY;
    rbv_flow_gather(flow, 0, s->y);
    double *f = rbv_dormand_prince_first(&s->method);
    RbvStatus status = rbv_flow_hold(flow, t, s->y, f);
    if (status == RBV_OK) {
        rbv_variation_begin(&s->variation, flow, t, s->y);
        rbv_rounding_find(flow, t, s->y, f, s->scale, s->y_next, s->y_before, s->noise);
        s->h = rbv_step_bound_first(s, t, f, rbv_step_first(s, f));
        status = rbv_flow_hold(flow, t, s->y, f);
    }
    if (status != RBV_OK)
        return status;
    s->constraint_error = flow->constraint_error;
    rbv_energy_balance_keep(&s->balance, &flow->power, flow->state, 0);
    rbv_state_accept(flow->state);
    memcpy(s->y_before, s->y, (size - 1) * sizeof *s->y);
    memcpy(rbv_dormand_prince_last(&s->method), f, (size - 1) * sizeof *f);
    s->by_turns = rbv_step_by_turns(s);
    return method == RBV_MOTION_IMPLICIT ? go_implicit(s, true) : RBV_OK;
}

void rbv_stepper_destroy(RbvStepper *s) {
    rbv_dormand_prince_destroy(&s->method);
    rbv_radau_destroy(&s->radau);
    rbv_implicit_system_destroy(s->sparse);
    rbv_arena_clear(&s->arena);
    rbv_variation_destroy(&s->variation);
    *s = (RbvStepper){0};
}

/* Checks progress of the motion. LOCKED: none, since a force jumps back and forth at every other step; INCONSISTENT:
 * the motion ends at a lock-up. Both reported. */
static RbvStatus get_on(RbvStepper *s) {
    const RbvModel *model = s->flow->system->model;
    const char *load, *why;
    bool ends = ++s->crawls >= MOST_CRAWLS;
    bool crawls = ends && s->t - s->crawls_from <= CRAWL * s->longest &&
                  (double)(s->rejected - s->crawls_rejected) > IN_VAIN * MOST_CRAWLS;
    if (crawls && rbv_failure_find_jump(model, &load, &why)) {
        rbv_diagnose(s->flow->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s load '%s' changes without end, back and forth, by its '%s': %d steps lead from "
                     "%.9g s to %.9g s. " RBV_SMOOTHER_LOAD,
                     s->t, load, why, MOST_CRAWLS, s->crawls_from, s->t);
        return RBV_LOCKED;
    }
    s->creeps = s->t - s->before < CREEP * s->longest && s->nearness > AT_LOCK ? s->creeps + 1 : 0;
    if (s->creeps >= MOST_CREEPS)
        return rbv_stepper_report_creeps(s);
    if (ends) {
        s->crawls = 0;
        s->crawls_from = s->t;
        s->crawls_rejected = s->rejected;
    }
    return RBV_OK;
}

/* After an explicit step to y_next: returns whether h times the largest rate of change of f is at the bound of
 * stability in so many consecutive steps that it is no chance (Hairer and Wanner, IV.2). */
static bool grows_stiff(RbvStepper *s, double h) {
    size_t n = (size_t)s->flow->size;
    const double *late = s->method.k + (RBV_DORMAND_PRINCE_STAGES - 1) * n, *last = rbv_dormand_prince_last(&s->method);
    double rates = 0, directions = 0;
    for (size_t i = 0; i < n; i++) {
        double f = (last[i] - late[i]) * s->weight[i], y = (s->y_next[i] - s->method.stage[i]) * s->weight[i];
        rates += f * f;
        directions += y * y;
    }
    bool seen = directions > 0 && h * sqrt(rates) > SEEN,
         bound = seen && h * sqrt(rates / directions) > STABILITY; /* at rest everything is rounding */
    s->suspected = seen && h * sqrt(rates / directions) > SUSPECT ? s->suspected + 1 : s->suspected / 2;
    if (bound)
        s->stiff++;
    else if (s->smooth >= SMOOTH_STEPS)
        s->stiff = 0;
    s->smooth = bound ? 0 : s->smooth + 1;
    return s->stiff >= STIFF_STEPS;
}

RbvStatus rbv_stepper_try(RbvStepper *s, double t, const double *y, double h, double *y1, double *error) {
    if (s->implicit)
        return rbv_radau_step(&s->radau, t, y, rbv_dormand_prince_first(&s->method), h, s->weight, y1, error);
    return rbv_dormand_prince_step(&s->method, t, y, h, s->weight, y1, error);
}

/* Largest movement in a step of length h, relative to size. */
static double moves(const RbvStepper *s, double h) {
    double most = 0;
    for (int32_t j = 0; j < s->flow->n; j++)
        most = rbv_max(most, fabs(s->flow->state->v[j]) * s->share[j]);
    return h * most;
}

/* Makes y_next the accepted state. */
static void keep(RbvStepper *s, double t) {
    double *last = s->y_before;
    if (s->implicit)
        s->variation.lost = true;
    rbv_variation_note(&s->variation, &s->method, s->t, t - s->t, s->y);
    rbv_repeats_find(&s->flow->repeats, moves(s, t - s->t));
    s->y_before = s->y;
    s->y = s->y_next;
    s->y_next = last;
    s->before = s->t;
    s->t = t;
    s->steps++;
    if (s->yields) {
        s->yielded_from = s->yielding == 0 ? s->before : s->yielded_from;
        s->yielded += fabs(s->balance.kept - s->balance.before);
        s->yielding++;
    }
    s->by_knots -= s->by_knots > 0;
    s->interpolates = s->away = false;
    s->turned_before = s->turns;
    s->turns = false;
    s->constraint_error = rbv_max(s->constraint_error, s->flow->constraint_error);
    s->by_turns = rbv_step_by_turns(s);
    rbv_state_accept(s->flow->state);
}

/* Accepts the trial step: chooses the length of the next one, and whether to change the method. After a step across a
 * jump of forces the next has the length `usual` that it had before. */
static RbvStatus accept(RbvStepper *s, const RbvStepTrial *trial, double usual) {
    rbv_step_events_accept(s, trial);
    double growth = rbv_min(trial->retried ? 1 : RBV_STEP_MOST_GROWTH,
                            rbv_max(RBV_STEP_LEAST_GROWTH, rbv_step_growth(s, trial->error)));
    if (trial->imbalance > rbv_max(trial->error, BOUNDS))
        growth = rbv_min(growth, rbv_max(1, rbv_step_growth(s, trial->imbalance)));
    if (s->implicit && growth > 1 && growth < KEEP_FACTORS) /* the same factors can be used */
        growth = 1;
    double next = trial->h * growth;
    s->h = rbv_min(s->longest, trial->ends && growth >= 1 ? rbv_max(s->h, next) : next);
    bool stiff = !trial->least && s->requested == RBV_MOTION_AUTO && !s->implicit && grows_stiff(s, trial->h);
    if (trial->least) {
        s->h = usual;
        s->crossed = trial->t;
    }
    keep(s, trial->t);
    RbvStatus status = get_on(s);
    return status == RBV_OK && stiff ? go_implicit(s, false) : status;
}

/* Before a step, not beyond `end`: where stability may bound the steps, tries a much longer implicit step, and switches
 * to the implicit method if that succeeds. */
static RbvStatus suspect(RbvStepper *s, double end) {
    double h = TRIAL * s->h, error = 0;
    bool fits;
    if (s->requested != RBV_MOTION_AUTO || s->implicit || s->suspected < s->patience ||
        h > rbv_min(rbv_min(s->longest, s->by_turns), end - s->t))
        return RBV_OK;
    RbvStatus status = make_implicit(s, &fits);
    s->suspected = 0;
    s->patience = fits ? 2 * s->patience : MOST_PATIENCE;
    s->patience = s->patience < MOST_PATIENCE ? s->patience : MOST_PATIENCE;
    if (status != RBV_OK || !fits)
        return status;
    weigh(s, rbv_dormand_prince_first(&s->method) + s->flow->positions, h);
    const bool projects = s->flow->projects;
    s->flow->projects = false;
    rbv_radau_forget(&s->radau);
    status =
        rbv_radau_step(&s->radau, s->t, s->y, rbv_dormand_prince_first(&s->method), h, s->weight, s->y_next, &error);
    if (status != RBV_OK || !(error <= 1)) {
        s->flow->projects = projects;
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    }
    s->h = h;
    return go_implicit(s, false);
}

/* Starts a step: the last rate is its first. */
static void begin(RbvStepper *s) {
    memcpy(rbv_dormand_prince_first(&s->method), rbv_dormand_prince_last(&s->method),
           (size_t)s->flow->size * sizeof(double));
    memset(s->part_begun, 0, (size_t)s->flow->system->part_count * sizeof *s->part_begun);
    memset(s->own_begun, 0, (size_t)s->flow->own * sizeof *s->own_begun);
    s->flow->projects = s->t == s->singular_at || (s->crossing > 0 && !s->implicit);
    if (s->flow->state->pieces)
        s->flow->state->pieces->out_of_piece = false;
}

void rbv_stepper_carry(RbvStepper *s) {
    rbv_variation_carry(&s->variation, s->flow, s->t, s->y, rbv_dormand_prince_last(&s->method));
}

double rbv_stepper_magnification(RbvStepper *s) {
    rbv_stepper_carry(s);
    return rbv_variation_magnification(&s->variation);
}

/* Makes a trial step of length h to y_next, again if it shows that a motion begins. first: rates at its start. */
static RbvStatus try_weighed(RbvStepper *s, const double *first, double h, double *error) {
    RbvFlow *flow = s->flow;
    weigh(s, first + flow->positions, h);
    rbv_saddle_yields(flow->saddle, &s->nearness); /* discards the record of sample evaluations */
    RbvStatus status = rbv_stepper_try(s, s->t, s->y, h, s->y_next, error);
    if (status == RBV_OK && begins(s)) {
        weigh(s, first + flow->positions, h);
        status = rbv_stepper_try(s, s->t, s->y, h, s->y_next, error);
    }
    *error *= s->turns ? AT_TURN : 1;
    return status;
}

/* Makes the trial step: y_next and the rates at its end, and what is known of it. */
static void try_step(RbvStepper *s, RbvStepTrial *trial) {
    double allowed = trial->singular.settles ? RBV_CROSSING_FAR_OFF : 1;
    trial->status = try_weighed(s, rbv_dormand_prince_first(&s->method), trial->h, &trial->error);
    trial->made = trial->status == RBV_OK && (trial->error <= allowed || (trial->least && isfinite(trial->error)));
    if (trial->made)
        trial->status = rbv_flow_hold(s->flow, trial->t, s->y_next, rbv_dormand_prince_last(&s->method));
    trial->made = trial->made && trial->status == RBV_OK;
}

RbvStatus rbv_stepper_step(RbvStepper *s, double end) {
    const double usual = s->h;
    rbv_stepper_carry(s);
    begin(s);
    s->h = rbv_min(s->h, s->by_turns);
    RbvStepTrial trial = rbv_step_events_begin(s, end);
    RbvStatus suspected = suspect(s, rbv_min(end, trial.knot));
    if (suspected != RBV_OK)
        return suspected;
    for (;; trial.retried = true) {
        rbv_step_events_bound(s, &trial);
        try_step(s, &trial);
        if (trial.status == RBV_NO_MEMORY)
            return RBV_NO_MEMORY;
        s->yields = rbv_saddle_yields(s->flow->saddle, &s->nearness);
        RbvStepVerdict verdict = rbv_step_events_verify(s, &trial);
        if (verdict == RBV_STEP_PASSES)
            return accept(s, &trial, usual);
        if (verdict == RBV_STEP_FAILS)
            return rbv_stepper_report_failure(s, trial.status);
    }
}

double rbv_stepper_speed(const RbvStepper *s, int32_t part) {
    return part >= 0 ? s->part_speed[part] : 0;
}
