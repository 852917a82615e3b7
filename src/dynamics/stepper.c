/* Adaptive steps; see stepper.h. */
#include "dynamics/stepper.h"

#include "dynamics/singular_crossing.h"

#include "base/diagnostics.h"
#include "dynamics/failure_cause.h"
#include "dynamics/massless.h"
#include "dynamics/rounding.h"
#include "dynamics/step_lengths.h"
#include "dynamics/table_knots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The step after one with the error e is 0.9 e^(-1/8) as long, within bounds. */
#define SAFETY 0.9
#define MOST_GROWTH 4.0
#define LEAST_GROWTH 0.2
/* A step that cannot be taken is tried again so much shorter. */
#define RETREAT 0.25
/* Of the time, or of the longest step: shorter than this there is none. */
#define SHORTEST 1e-14
/* Changes of the balance of energy rise and fall along a motion, with either sign: each may be so many times as large
 * as all could be. */
#define UNEVEN 2.0
/* One that the balance of energy refuses gets shorter by this at least: shorter steps show whether it is the step's. */
#define HALF 0.5
/* A smaller part of what it may be bounds no step. */
#define BOUNDS 1e-3
/* The error of a step is found by comparing orders, which a law that is less smooth where its piece begins (d^1.5 at 0)
 * does not have: there it is up to so many times what was found. */
#define AT_TURN 100
/* Forces that jump just where a motion begins, such as sign(v) at rest, allow of no step: one of the shortest is taken
 * nevertheless, if the last such is so many of these ago. */
#define CROSSED 1e6
/* Of the size: what it adds to the rates moves the bodies by no more in the longest step. */
#define CROSSED_BY 1e-6
/* So many of these: a knot nearer than that is where the step begins. */
#define KNOT 100
/* Steps end at knots; but a table with more than so many in one step is taken for a smooth curve, until a step is
 * refused: then so many end at knots before another is tried across. */
#define KNOTS_CROSSED 20
#define KNOT_STEPS 30
/* Bound of stability of the explicit method; steps in a row at it, and off it. */
#define STABILITY 6.1
/* Where many fast motions decay side by side the measure of them is a mean, and fine tolerances keep steps further
 * below the bound. From here on, for as many steps, an implicit step of so many times the length is tried: an
 * explicit one takes 12 evaluations, an implicit one some 10 and its factors. After one in vain the next is tried
 * after twice as many steps. */
#define SUSPECT 3.0
#define TRIAL 5.0
#define MOST_PATIENCE 100000
/* Tolerances by which the last stages of a step differ that is bounded by stability. */
#define SEEN 1e-3
/* An implicit step that could be longer by less than this stays as long as it is. */
#define KEEP_FACTORS 1.2
#define STIFF_STEPS 15
#define SMOOTH_STEPS 6
/* A rate that a step makes so many times as large as the size that its errors were measured by gives them another one.
 */
#define BEGINS 10
/* So many steps in a row, each shorter than this part of the longest, next to a singular position (1/sigma^2 above
 * that): the motion ends there, a drive is at a lock-up. */
#define MOST_CREEPS 500
#define CREEP 1e-9
#define AT_LOCK 1e8
/* So many steps that together are no longer than this part of the longest, and of which so many were tried in vain, are
 * those of a force that jumps back and forth. */
#define MOST_CRAWLS 4000
#define CRAWL 1e-2
#define IN_VAIN 0.25
/* Of the work of forces over the size of a part: what the work of friction is compared with where nothing has moved
 * yet. */
#define LITTLE_WORK 1e-3
/* Of the speed that forces would give in a step: what joints hold still may be off by tolerances of so much. */
#define HELD_STILL 1e-3
/* From so many unknowns on the implicit method's systems are sparse, where the motion's equations are. */
#define SPARSE_LEAST 60

/* The part that each coordinate moves, and what it is worth. */
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

/* What coordinates that keep joints hold still is in none of their own forces: the forces on bodies, as they would move
 * these by themselves. */
static void feel_held(RbvStepper *s, double h) {
    const RbvState *state = s->flow->state;
    const RbvSystem *system = state->system;
    for (int32_t b = 1; !system->coordinates.of_bodies && b < system->bodies.count; b++) {
        const RbvBody *body = &system->model->bodies.items[b];
        int32_t part = system->part[b] >= 0 ? system->part[b] : 0;
        double gain = body->mass > 0 && !body->generalized
                          ? h * HELD_STILL * rbv_norm(state->wrenches[b].force) / (body->mass * state->size[b])
                          : 0;
        s->part_gain[part] = fmax(s->part_gain[part], gain);
    }
}

/* The speeds of parts so far, and what forces add to them in the step h; then what each component may be off. */
static void weigh(RbvStepper *s, const double *a, double h) {
    const RbvFlow *flow = s->flow;
    const double *v = s->y + flow->positions, *inverse_mass = rbv_saddle_inverse_mass(flow->saddle);
    for (int32_t k = 0; k < flow->system->part_count; k++)
        s->part_gain[k] = s->part_begun[k];
    for (int32_t j = 0; j < flow->n; j++) { /* what is held still by large forces is known to rounding of these */
        double gain = h * fmax(fmax(fabs(a[j]), HELD_STILL * fabs(flow->state->Q[j]) * inverse_mass[j]),
                               s->noise[j] / s->tolerance);
        s->part_speed[s->part[j]] = fmax(s->part_speed[s->part[j]], fabs(v[j]) * s->share[j]);
        s->part_gain[s->part[j]] = fmax(s->part_gain[s->part[j]], gain * s->share[j]);
    }
    feel_held(s, h);
    for (int32_t i = 0; i < flow->positions; i++)
        s->weight[i] = s->scale[i] / s->tolerance;
    for (int32_t j = 0; j < flow->n; j++) {
        double speed = fmax(s->part_speed[s->part[j]], s->part_gain[s->part[j]]);
        s->weight[flow->positions + j] = speed > 0 ? s->share[j] / (s->tolerance * speed) : 0;
    }
    const double *own = s->y + flow->positions + flow->n,
                 *rate = rbv_dormand_prince_first(&s->method) + flow->positions + flow->n;
    for (int32_t k = 0; k < flow->own; k++) { /* of the largest value so far, and of what the step adds */
        s->own_size[k] = fmax(s->own_size[k], fabs(own[k]));
        double size = fmax(fmax(s->own_size[k], s->own_begun[k]), h * fabs(rate[k]));
        s->weight[flow->positions + flow->n + k] = size > 0 ? 1 / (s->tolerance * size) : 0;
    }
    if (flow->loses) { /* of the energies so far; from rest there are none yet */
        double size = fmax(s->balance.size, LITTLE_WORK * rbv_energy_balance_most(flow, s->share));
        s->weight[flow->size - 2] = size > 0 ? 1 / (s->tolerance * size) : 0;
    }
    s->weight[flow->size - 1] = 0;
}

/* What is at rest at the beginning of a step, with hardly a force, has no size yet to measure errors by. Has the step
 * that was tried brought it to a multiple of the size that was taken? Then that is its size. */
static bool begins(RbvStepper *s) {
    const RbvFlow *flow = s->flow;
    const double *weight = s->weight + flow->positions, *v = s->y_next + flow->positions;
    bool begun = false;
    for (int32_t j = 0; j < flow->n; j++) {
        double speed = fabs(v[j]) * s->share[j];
        if (speed > 0 && !(weight[j] > 0 && speed <= BEGINS * s->share[j] / (s->tolerance * weight[j]))) {
            s->part_begun[s->part[j]] = fmax(s->part_begun[s->part[j]], speed);
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

/* Too many for dense systems, and not sparse. */
static RbvStatus report_too_large(RbvStepper *s, bool asked) {
    const RbvFlow *flow = s->flow;
    if (asked)
        rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0},
                     "--method implicit takes " ONLY_SPARSE, RBV_RADAU_MOST, (int)flow->size);
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

/* Its systems, where they are not there yet. */
static RbvStatus make_implicit(RbvStepper *s, bool *fits) {
    *fits = true;
    return s->radau.J ? RBV_OK : rbv_stepper_create_implicit(s, fits);
}

/* Radau's method from now on. BAD_INPUT: too large (said, if it was asked for). */
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
    s->y = calloc(size, sizeof *s->y);
    s->y_before = calloc(size, sizeof *s->y);
    s->y_next = calloc(size, sizeof *s->y);
    s->weight = calloc(size, sizeof *s->weight);
    s->share = calloc(n, sizeof *s->share);
    s->scale = calloc((size_t)flow->positions + 1, sizeof *s->scale);
    s->noise = calloc(n, sizeof *s->noise);
    s->part = calloc(n, sizeof *s->part);
    s->own_size = calloc((size_t)flow->own + 1, sizeof *s->own_size);
    s->part_speed = calloc((size_t)system->part_count + 1, sizeof *s->part_speed);
    s->part_gain = calloc((size_t)system->part_count + 1, sizeof *s->part_gain);
    s->part_begun = calloc((size_t)system->part_count + 1, sizeof *s->part_begun);
    s->own_begun = calloc((size_t)flow->own + 1, sizeof *s->own_begun);
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
    rbv_energy_balance_keep(&s->balance, flow, 0);
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
    free(s->y);
    free(s->y_before);
    free(s->y_next);
    free(s->weight);
    free(s->share);
    free(s->scale);
    free(s->noise);
    free(s->part);
    free(s->own_size);
    free(s->part_speed);
    free(s->part_gain);
    free(s->part_begun);
    free(s->own_begun);
    rbv_variation_destroy(&s->variation);
    *s = (RbvStepper){0};
}

/* Does the motion get on? LOCKED: it does not, since a force jumps back and forth at every other step; INCONSISTENT: it
 * ends at a lock-up (said). */
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

/* After an explicit step from which y_next was reached: is h times the largest rate of change of f at the bound of
 * stability? So many steps in a row are no chance (Hairer and Wanner, IV.2). */
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
         bound = seen && h * sqrt(rates / directions) > STABILITY; /* of rest, all is rounding */
    s->suspected = seen && h * sqrt(rates / directions) > SUSPECT ? s->suspected + 1 : s->suspected / 2;
    s->stiff = bound ? s->stiff + 1 : s->smooth >= SMOOTH_STEPS ? 0 : s->stiff;
    s->smooth = bound ? 0 : s->smooth + 1;
    return s->stiff >= STIFF_STEPS;
}

RbvStatus rbv_stepper_try(RbvStepper *s, double t, const double *y, double h, double *y1, double *error) {
    if (s->implicit)
        return rbv_radau_step(&s->radau, t, y, rbv_dormand_prince_first(&s->method), h, s->weight, y1, error);
    return rbv_dormand_prince_step(&s->method, t, y, h, s->weight, y1, error);
}

/* What a step with that error should have been, in its own length. */
static double growth_of(const RbvStepper *s, double error) {
    return error > 0 ? SAFETY * pow(error, -1.0 / (s->implicit ? RBV_RADAU_ORDER : RBV_DORMAND_PRINCE_ORDER))
                     : MOST_GROWTH;
}

/* What a step of length h moves, of the size of what moves most. */
static double moves(const RbvStepper *s, double h) {
    double most = 0;
    for (int32_t j = 0; j < s->flow->n; j++)
        most = fmax(most, fabs(s->flow->state->v[j]) * s->share[j]);
    return h * most;
}

/* y_next is the state now. */
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
    s->constraint_error = fmax(s->constraint_error, s->flow->constraint_error);
    s->by_turns = rbv_step_by_turns(s);
    rbv_state_accept(s->flow->state);
}

/* The change of the balance of energy over the trial of length h that ends at the state, over what it may be. Beyond
 * its piece a law is not that of its potential: the step will end before. */
static double unbalance(RbvStepper *s, double h) {
    const RbvPieces *pieces = s->flow->state->pieces;
    if (pieces && !pieces->follows && rbv_pieces_left(pieces) >= 0) {
        s->balance.before = s->balance.kept;
        return 0;
    }
    double steps = (double)(s->steps + 1) * s->run / (s->t + s->longest - s->started),
           share = fmin(1, UNEVEN * RBV_ENERGY_OF_A_RUN / steps); /* of the run, as far as it shows */
    return rbv_energy_balance_verify(&s->balance, s->flow, s->share, share * s->tolerance, s->y_next[s->flow->size - 1],
                                     h);
}

/* Accepted with that error, and balance of energy: the length of the next one, and whether the other method takes it.
 */
static RbvStatus accept(RbvStepper *s, double t, double h, double error, double off, bool retried, bool ends) {
    double growth = fmin(retried ? 1 : MOST_GROWTH, fmax(LEAST_GROWTH, growth_of(s, error)));
    if (off > fmax(error, BOUNDS))
        growth = fmin(growth, fmax(1, growth_of(s, off)));
    if (s->implicit && growth > 1 && growth < KEEP_FACTORS) /* the same factors serve */
        growth = 1;
    s->h = fmin(s->longest, ends && growth >= 1 ? fmax(s->h, h * growth) : h * growth);
    bool stiff = s->requested == RBV_MOTION_AUTO && !s->implicit && grows_stiff(s, h);
    keep(s, t);
    RbvStatus status = get_on(s);
    return status == RBV_OK && stiff ? go_implicit(s, false) : status;
}

/* No step is short enough. A jump of forces at the beginning of the step, or forces without bound? The first is behind
 * the motion after one step of the shortest. */
static bool crosses(RbvStepper *s, double shortest, bool measured) {
    const double *a = rbv_dormand_prince_first(&s->method) + s->flow->positions;
    double gain = 0;
    for (int32_t j = 0; j < s->flow->n; j++)
        gain = fmax(gain, fabs(a[j]) * s->share[j]);
    return measured && gain * shortest * s->longest <= CROSSED_BY && !s->implicit && s->t + shortest > s->t &&
           s->t - s->crossed > CROSSED * shortest;
}

/* Before a step, not beyond `end`: where steps may be bounded by stability, can an implicit one be much longer? Then
 * that method goes on. */
static RbvStatus suspect(RbvStepper *s, double end) {
    double h = TRIAL * s->h, error = 0;
    bool fits;
    if (s->requested != RBV_MOTION_AUTO || s->implicit || s->suspected < s->patience ||
        h > fmin(fmin(s->longest, s->by_turns), end - s->t))
        return RBV_OK;
    RbvStatus status = make_implicit(s, &fits);
    s->suspected = 0;
    s->patience = fits ? 2 * s->patience : MOST_PATIENCE;
    s->patience = s->patience < MOST_PATIENCE ? s->patience : MOST_PATIENCE;
    if (status != RBV_OK || !fits)
        return status;
    weigh(s, rbv_dormand_prince_first(&s->method) + s->flow->positions, h);
    rbv_radau_forget(&s->radau);
    status =
        rbv_radau_step(&s->radau, s->t, s->y, rbv_dormand_prince_first(&s->method), h, s->weight, s->y_next, &error);
    if (status != RBV_OK || !(error <= 1))
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    s->h = h;
    return go_implicit(s, false);
}

/* The last rate is the first of the step that begins. */
static void begin(RbvStepper *s) {
    memcpy(rbv_dormand_prince_first(&s->method), rbv_dormand_prince_last(&s->method),
           (size_t)s->flow->size * sizeof(double));
    memset(s->part_begun, 0, (size_t)s->flow->system->part_count * sizeof *s->part_begun);
    memset(s->own_begun, 0, (size_t)s->flow->own * sizeof *s->own_begun);
    s->flow->held = s->t == s->singular_at;
    if (s->flow->state->pieces)
        s->flow->state->pieces->lacking = false;
}

void rbv_stepper_carry(RbvStepper *s) {
    rbv_variation_carry(&s->variation, s->flow, s->t, s->y, rbv_dormand_prince_last(&s->method));
}

double rbv_stepper_magnification(RbvStepper *s) {
    rbv_stepper_carry(s);
    return rbv_variation_magnification(&s->variation);
}

/* The step that ends at t has led over a jump of forces: on with one of the usual length. */
static RbvStatus cross(RbvStepper *s, double t, double usual) {
    s->crossed = t;
    rbv_energy_balance_step(&s->balance, s->flow, s->y_next[s->flow->size - 1]);
    keep(s, t);
    s->h = usual;
    return get_on(s);
}

/* A trial of length h to y_next; again where its first one shows that the motion begins. first: the rates at its start.
 */
static RbvStatus try_weighed(RbvStepper *s, const double *first, double h, double *error) {
    RbvFlow *flow = s->flow;
    weigh(s, first + flow->positions, h);
    rbv_saddle_yields(flow->saddle, &s->nearness); /* samples are behind */
    RbvStatus status = rbv_stepper_try(s, s->t, s->y, h, s->y_next, error);
    if (status == RBV_OK && begins(s)) {
        weigh(s, first + flow->positions, h);
        status = rbv_stepper_try(s, s->t, s->y, h, s->y_next, error);
    }
    *error *= s->turns ? AT_TURN : 1;
    return status;
}

RbvStatus rbv_stepper_step(RbvStepper *s, double end) {
    RbvFlow *flow = s->flow;
    const double usual = s->h;
    rbv_stepper_carry(s);
    double *first = rbv_dormand_prince_first(&s->method), *last = rbv_dormand_prince_last(&s->method);
    begin(s);
    double shortest = SHORTEST * fmax(fabs(s->t), s->longest);
    s->h = fmin(s->h, s->by_turns);
    double knot = rbv_table_knots_next(flow->system->model, s->t + KNOT * shortest), goal = end;
    double apart = isfinite(knot) ? rbv_table_knots_next(flow->system->model, knot + KNOT * shortest) - knot : INFINITY;
    RbvSingularCrossing trials = {0};
    RbvStatus suspected = suspect(s, fmin(goal, knot));
    if (suspected != RBV_OK)
        return suspected;
    for (bool retried = false, crossing = false;; retried = true) {
        end = s->by_knots > 0 || s->h < KNOTS_CROSSED * apart ? fmin(goal, knot) : goal;
        bool ends = s->t + 1.0001 * s->h >= end;
        double h = ends ? end - s->t : s->h, error = 0, t = ends ? end : s->t + h;
        RbvStatus status = try_weighed(s, first, h, &error);
        bool good =
            status == RBV_OK && (error <= (trials.settles ? RBV_CROSSING_FAR_OFF : 1) || (crossing && isfinite(error)));
        if (good)
            status = rbv_flow_hold(flow, t, s->y_next, last);
        if (status == RBV_NO_MEMORY)
            return status;
        s->yields = rbv_saddle_yields(flow->saddle, &s->nearness);
        if (good && status == RBV_OK && crossing)
            return cross(s, t, usual);
        good = good && status == RBV_OK;
        if (good && rbv_stepper_leads_past_jam(s, h))
            continue;
        double off = good ? unbalance(s, h) : 0;
        if (good && off <= 1)
            return accept(s, t, h, error, off, retried, ends);
        if (!crossing && rbv_singular_crossing_retries(s, &trials, h, error))
            continue;
        if (good && (s->yields || trials.settles)) { /* what rows give way to is not the step's */
            rbv_energy_balance_step(&s->balance, flow, s->y_next[flow->size - 1]);
            return accept(s, t, h, error, 0, retried, ends);
        }
        s->rejected++;
        if (t > knot) { /* perhaps that is why */
            s->by_knots = KNOT_STEPS;
            continue;
        }
        bool measured = status == RBV_OK && isfinite(error);
        s->h =
            h * (measured ? fmax(LEAST_GROWTH, fmin(off > 1 ? HALF : 0.9, growth_of(s, fmax(error, off)))) : RETREAT);
        if (s->h < shortest && (crossing || !crosses(s, shortest, measured)))
            return rbv_stepper_report_failure(s, status);
        crossing = s->h < shortest;
        s->h = fmax(s->h, shortest);
    }
}

double rbv_stepper_speed(const RbvStepper *s, int32_t part) {
    return part >= 0 ? s->part_speed[part] : 0;
}
