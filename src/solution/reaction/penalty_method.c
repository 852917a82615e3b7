/* Rows as springs on accelerations, in body twists and over all active rows. Positions and velocities are exact, so
 * no other terms remain:
 *
 *   penalty:    (M + D^T alpha D) a = Q + D^T alpha gamma_D,   lambda = alpha (D a - gamma_D)
 *   augmented:  M a + D^T (lambda_i + c) = Q,  c = alpha (D a - gamma_D),  lambda_i+1 = lambda_i + c,  until c = 0
 * Each round reduces the residual of the rows by 1/(1 + alpha s), s the least eigenvalue of D M^-1 D^T on what rows
 * constrain. lambda stays in the range of alpha D: of all multipliers that balance the loads it tends to those of
 * least sum lambda^2/alpha. The matrix, and alpha: penalty_matrix.h; the interface: method.h. */
#include "solution/reaction/method.h"

#include "solution/reaction/penalty_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* K over the mass scale, for kappa = 1, lengths over lengths. A penalty leaves an error of about kappa^2/K of a
 * force, a round of the augmented method this part of the previous error. */
#define PENALTY 1e9
#define AUGMENTED 1e5
#define PENALTY_GAIN 1e4
#define ROUNDS_GAIN 10.0
/* Most corrections of one solution: two are enough with exact factors, rotors and products of generalized masses
 * need more. They have converged at this part of the largest force. */
#define MOST_CORRECTIONS 12
#define CORRECTED 1e-15
/* Largest residual of the balance of bodies after corrections, part of the largest force, as in the audit; above it
 * the solution has failed. With kappa above NEAR a singular position is reported as the cause. */
#define BALANCED 1e-7
#define NEAR 1e6
/* Rounds of the augmented method: most rounds; converged when a round changes forces by less than SETTLED of the
 * largest, or changes no longer shrink below SETTLED_FLOOR; usable when the remaining change is below USEFUL. */
#define MOST_ROUNDS 200
#define SETTLED 1e-14
#define SETTLED_FLOOR 1e-9
#define USEFUL 1e-3
/* The rounds that find a penalty's error stop when they change by this part of the first change. */
#define ERROR_KNOWN 1e-3
/* Pushes whose effect on bodies, times kappa, is below this part of them have no effect. */
#define IDLE 1e-2

typedef struct Penalty {
    RbvPenaltyMatrix *matrix;
    bool augmented, refined;
    double *a, *step, *left;      /* [bodies.size] accelerations, their correction, residual forces */
    double *soft;                 /* [bodies.size] accelerations before the rounds that find the error */
    double *lambda, *base, *push; /* [rows] base + push = lambda */
    RbvTwist *twists;             /* [bodies] */
    double kappa;                 /* amplification of the motion, lengths over lengths */
    double change, largest;       /* [N] change in the last round, largest force */
    bool singular;                /* the last factors are singular, or the balance of bodies has a large residual */
    bool idle;                    /* the pushes have no effect on bodies */
    RbvMethodReport report;
} Penalty;

static void destroy(void *given) {
    Penalty *own = given;
    if (!own)
        return;
    rbv_penalty_matrix_destroy(own->matrix);
    void *const parts[] = {own->a, own->step, own->left, own->soft, own->lambda, own->base, own->push, own->twists};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(own);
}

static void *create(RbvMotion *motion, const RbvOptions *options, bool augmented) {
    const RbvSystem *system = motion->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->held_count + 1;
    Penalty *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    *own = (Penalty){.augmented = augmented,
                     .matrix = rbv_penalty_matrix_create(system, options->penalty),
                     .a = calloc(n, sizeof(double)),
                     .step = calloc(n, sizeof(double)),
                     .left = calloc(n, sizeof(double)),
                     .soft = calloc(n, sizeof(double)),
                     .lambda = calloc(rows, sizeof(double)),
                     .base = calloc(rows, sizeof(double)),
                     .push = calloc(rows, sizeof(double)),
                     .twists = calloc((size_t)system->bodies.count, sizeof(RbvTwist))};
    if (own->matrix && own->a && own->step && own->left && own->soft && own->lambda && own->base && own->push &&
        own->twists)
        return own;
    destroy(own);
    return NULL;
}

static void *penalty_create(RbvMotion *motion, const RbvOptions *options) {
    return create(motion, options, false);
}

static void *augmented_create(RbvMotion *motion, const RbvOptions *options) {
    return create(motion, options, true);
}

/* K over the mass scale at this state. */
static double share_of(const Penalty *own) {
    double square = own->kappa * own->kappa;
    return own->augmented ? fmax(AUGMENTED, ROUNDS_GAIN * square) : fmax(PENALTY * own->kappa, PENALTY_GAIN * square);
}

static RbvStatus prepare(void *given, RbvMotion *motion) {
    Penalty *own = given;
    own->kappa = motion->amplification > 1 ? motion->amplification : 1;
    own->singular = !rbv_penalty_matrix_factor(own->matrix, motion->state, share_of(own));
    return own->singular ? RBV_LOCKED : RBV_OK;
}

/* D_k x. */
static double row_times(const RbvPenaltyMatrix *m, const RbvState *state, int32_t k, const double *x) {
    double sum = 0;
    for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
        sum += state->D[e] * x[m->column[e]];
    return sum;
}

/* push = alpha (D a - gamma_D) */
static void stretch(Penalty *own, const RbvState *state) {
    const RbvPenaltyMatrix *m = own->matrix;
    for (int32_t k = 0; k < m->rows; k++)
        own->push[k] = m->alpha[k] > 0 ? m->alpha[k] * (row_times(m, state, k, own->a) - state->gamma_D[k]) : 0;
}

/* left = Q - M a - D^T (base + push) */
static void find_left(Penalty *own, const RbvState *state, const double *Q) {
    const RbvPenaltyMatrix *m = own->matrix;
    const RbvBodyColumns *bodies = &m->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        own->twists[b] = rbv_bodies_twist(bodies, b, own->a);
    rbv_state_body_inertia(state, own->twists, own->left);
    for (int32_t j = 0; j < bodies->size; j++)
        own->left[j] = Q[j] - own->left[j];
    for (int32_t k = 0; k < m->rows; k++)
        for (int32_t e = m->start[k]; m->alpha[k] > 0 && e < m->start[k + 1]; e++)
            own->left[m->column[e]] -= state->D[e] * (own->base[k] + own->push[k]);
}

/* Adds the step to a, and alpha D step to the pushes: so the balance of forces holds to rounding of forces, whatever
 * alpha. Returns the largest change [N]; own->largest: the largest force. */
static double take_step(Penalty *own, const RbvState *state) {
    const RbvPenaltyMatrix *m = own->matrix;
    double change = 0;
    own->largest = 0;
    for (int32_t j = 0; j < m->system->bodies.size; j++)
        own->a[j] += own->step[j];
    for (int32_t k = 0; k < m->rows; k++) {
        double more = m->alpha[k] > 0 ? m->alpha[k] * row_times(m, state, k, own->step) : 0;
        own->push[k] += more;
        change = fmax(change, fabs(more) / m->scale[k]);
        own->largest = fmax(own->largest, fabs(own->base[k] + own->push[k]) / m->scale[k]);
    }
    return change;
}

/* Is the residual of the balance of bodies small enough? */
static bool balances(Penalty *own, const RbvState *state, const double *Q) {
    const RbvPenaltyMatrix *m = own->matrix;
    double left = 0, size = own->largest;
    find_left(own, state, Q);
    for (int32_t j = 0; j < m->system->bodies.size; j++) {
        left = fmax(left, fabs(own->left[j]) / m->arm[j]);
        size = fmax(size, fabs(Q[j]) / m->arm[j]);
    }
    own->singular = !(left <= BALANCED * size);
    return !own->singular;
}

/* Solves M a + D^T (base + alpha (D a - gamma_D)) = Q, starting from the present a, with corrections until the
 * residual is rounding. lambda becomes base + push. False: not finite, or a large residual. */
static bool balance(Penalty *own, const RbvState *state, const double *Q) {
    const RbvPenaltyMatrix *m = own->matrix;
    double before = INFINITY;
    stretch(own, state);
    for (int n = 0; n < MOST_CORRECTIONS; n++) {
        find_left(own, state, Q);
        rbv_gram_solve(m->gram, own->left, own->step);
        double change = take_step(own, state);
        if (!isfinite(change))
            return false;
        if (change <= CORRECTED * own->largest || (n > 1 && change > 0.5 * before))
            break;
        before = change;
    }
    for (int32_t k = 0; k < m->rows; k++)
        own->lambda[k] = own->base[k] + own->push[k];
    return isfinite(own->largest) && balances(own, state, Q);
}

/* Change in the last round [N]: at most the pushes, and at most kappa times their effect on bodies. Pushes that
 * remain because rows contradict each other by rounding of gamma_D have no effect on bodies. */
static void find_change(Penalty *own, const RbvState *state) {
    const RbvPenaltyMatrix *m = own->matrix;
    double pushes = 0, acts = 0;
    memset(own->left, 0, (size_t)m->system->bodies.size * sizeof *own->left);
    for (int32_t k = 0; k < m->rows; k++) {
        pushes = fmax(pushes, fabs(own->push[k]) / m->scale[k]);
        for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
            own->left[m->column[e]] += state->D[e] * own->push[k];
    }
    for (int32_t j = 0; j < m->system->bodies.size; j++)
        acts = fmax(acts, fabs(own->left[j]) / m->arm[j]);
    own->change = fmin(pushes, own->kappa * acts);
    own->idle = own->change < IDLE * pushes;
}

/* Rounds that take multipliers over, until the change is rounding or the part `known` of the first change.
 * report.left: change still to expect after the last round, by the ratio of the last two, as a part of the largest
 * force. Pushes without effect on bodies, added in each round, are subtracted at the end. False: not finite. */
static bool rounds(Penalty *own, const RbvState *state, const double *Q, double known) {
    const int32_t rows = own->matrix->rows;
    double before = INFINITY, first = 0;
    own->report.left = 0;
    for (int n = 1; n <= MOST_ROUNDS; n++) {
        memcpy(own->base, own->lambda, (size_t)rows * sizeof *own->base);
        if (!balance(own, state, Q))
            return false;
        own->report.rounds++;
        find_change(own, state);
        first = n == 1 ? own->change : first;
        bool stays = own->change > 0.5 * before && own->change <= SETTLED_FLOOR * own->largest;
        if (own->change <= fmax(known * first, SETTLED * own->largest) || stays || n == MOST_ROUNDS) {
            bool settled = n < MOST_ROUNDS;
            own->report.left = settled ? 0
                               : own->change < before
                                   ? own->change * own->change / (before - own->change) / own->largest
                                   : INFINITY;
            for (int32_t k = 0; own->idle && k < rows; k++)
                own->lambda[k] -= own->report.rounds * own->push[k];
            return true;
        }
        before = own->change;
    }
    return true;
}

/* Largest change of the accelerations since own->soft [m/s^2], rotations at the arm of their body. */
static double moved(const Penalty *own) {
    double most = 0;
    for (int32_t j = 0; j < own->matrix->system->bodies.size; j++)
        most = fmax(most, fabs(own->a[j] - own->soft[j]) * own->matrix->arm[j]);
    return most;
}

/* Rounds that find the error of penalty; one more round of the augmented method. */
static bool refine(Penalty *own, const RbvState *state, const double *Q) {
    memcpy(own->soft, own->a, (size_t)own->matrix->system->bodies.size * sizeof *own->a);
    const int taken = own->report.rounds;
    bool good = rounds(own, state, Q, own->augmented ? 1 : ERROR_KNOWN);
    own->report.rounds = taken;
    own->report.acceleration_error = moved(own);
    return good && own->report.left <= USEFUL;
}

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    Penalty *own = given;
    const RbvPenaltyMatrix *m = own->matrix;
    RbvState *state = motion->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    memset(own->a, 0, (size_t)bodies->size * sizeof *own->a);
    memset(own->base, 0, (size_t)m->rows * sizeof *own->base);
    own->report.rounds = 1;
    own->report.left = 0;
    bool good = balance(own, state, Q) && (!own->augmented || rounds(own, state, Q, 0));
    good = good && own->report.left <= USEFUL && (!own->refined || refine(own, state, Q));
    if (!good)
        return RBV_LOCKED;
    for (int32_t b = 1; b < bodies->count; b++)
        state->accelerations[b] = rbv_bodies_twist(bodies, b, own->a);
    if (state->system->coordinates.of_bodies)
        memcpy(state->a, own->a, (size_t)bodies->size * sizeof *state->a);
    memcpy(lambda, own->lambda, (size_t)m->rows * sizeof *lambda);
    return RBV_OK;
}

static void set_refined(void *given, bool refined) {
    ((Penalty *)given)->refined = refined;
}

static const RbvMethodReport *report(void *given) {
    Penalty *own = given;
    own->report.coefficient = own->matrix->largest;
    own->report.augmented = own->augmented;
    own->report.yield = own->kappa * own->kappa / own->matrix->least;
    own->report.rows = own->matrix->rows;
    own->report.lambda = own->lambda;
    own->report.alpha = own->matrix->alpha;
    return &own->report;
}

/* Reason why no forces were found. */
static void explain(const void *given, char *text, size_t size) {
    const Penalty *own = given;
    if (own->singular && own->kappa > NEAR)
        snprintf(text, size,
                 "--method %s ends: the position is within %.1g of a singular one, of its size, where alpha D^T D of "
                 "stiff joints hides the masses in rounding; two-step goes nearer, and so may a smaller --penalty",
                 own->augmented ? "augmented" : "penalty", 1 / own->kappa);
    else if (own->singular)
        snprintf(text, size, "the equations of --method %s are singular", own->augmented ? "augmented" : "penalty");
    else if (own->report.left > 0)
        snprintf(text, size,
                 "the multipliers of --method augmented do not settle: after %d rounds forces still change by %.2g of "
                 "the largest; another --penalty may do, and two-step solves without",
                 own->report.rounds, own->change / own->largest);
    else
        snprintf(text, size, "--method %s finds no forces", own->augmented ? "augmented" : "penalty");
}

const RbvMethodKind rbv_penalty_method = {.name = "penalty",
                                          .create = penalty_create,
                                          .destroy = destroy,
                                          .prepare = prepare,
                                          .solve = solve,
                                          .refine = set_refined,
                                          .report = report,
                                          .explain = explain};
const RbvMethodKind rbv_augmented_method = {.name = "augmented",
                                            .create = augmented_create,
                                            .destroy = destroy,
                                            .prepare = prepare,
                                            .solve = solve,
                                            .refine = set_refined,
                                            .report = report,
                                            .explain = explain};
