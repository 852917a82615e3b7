/* Rows as springs on accelerations, in body twists and over all active rows. Positions and velocities are exact, so
 * no other terms remain:
 *
 *   penalty:    (M + D^T alpha D) a = Q + D^T alpha gamma_D,   lambda = alpha (D a - gamma_D)
 *   augmented:  M a + D^T (lambda_i + c) = Q,  c = alpha (D a - gamma_D),  lambda_i+1 = lambda_i + c,  until c = 0
 * Each round reduces the residual of the rows by 1/(1 + alpha s), s the least eigenvalue of D M^-1 D^T on what rows
 * constrain. lambda stays in the range of alpha D: of all multipliers that balance the loads it tends to those of
 * least sum lambda^2/alpha. */
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/gram.h"
#include "solution/motion/motion.h"
#include "solution/reaction/method.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The matrix of penalties, M + D^T alpha D over all active rows, redundant ones too, factored as the Gram matrix of
 * [R; sqrt(alpha) D] with R^T R = M.
 *
 * alpha_k = f_k K w_k^2 with the factor f_k of the row's joint, K [kg] of the row's part, and w_k [m] the length
 * scale of the row: the arm of the part where the row is an angle, so that rows of both kinds yield alike. R has no
 * rotors of drives and no products of generalized masses: who solves with the factors finds these in the residual,
 * and corrects for them; they are small beside alpha. */

typedef struct PenaltyMatrix {
    const RbvSystem *system;
    int32_t rows;      /* rows of D: of joints, constraints, drives, stops, and those that stop idle spins */
    double prescribed; /* [kg] K of all parts, or NaN: from the masses */
    int32_t *start, *column, *node; /* pattern of [D; R] */
    int32_t *body_of;               /* [bodies.size] body of each column */
    double *entries;
    double *alpha;        /* [rows] 0: the row is not active */
    double *scale;        /* [rows] length scale w [m]: lambda / w is a force */
    double *arm;          /* [bodies.size] length scale of each column: 1, or the arm of a rotation */
    double *mass;         /* [parts + 1] [kg] mass scale; the last: of rows on ground alone */
    double *force, *rate; /* [parts + 1] scratch: largest load, largest gamma */
    double largest;       /* the largest f K [kg] */
    double least;         /* the least f K over the mass scale */
    RbvGram *gram;
} PenaltyMatrix;

/* Number of columns of the row of R that begins in column j of a body: for a rotation in space up to the body's
 * last. */
static int32_t inertia_columns(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return rbv_is_full_block(bodies, body, j) ? bodies->start[body + 1] - j : 1;
}

/* Pattern of [D; R]: the rows of D, then one of R for each column. */
static void find_penalty_pattern(PenaltyMatrix *m) {
    const RbvSystem *system = m->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t at = system->D.start[m->rows], row = m->rows, nodes = 0;
    memcpy(m->start, system->D.start, (size_t)m->rows * sizeof *m->start);
    memcpy(m->column, system->D.column, (size_t)at * sizeof *m->column);
    for (int32_t b = 1; b < bodies->count; b++) {
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
            m->body_of[j] = b;
            m->node[j] = nodes + (j - bodies->start[b]) / 3;
            m->start[row++] = at;
            for (int32_t k = 0; k < inertia_columns(bodies, b, j); k++)
                m->column[at++] = j + k;
        }
        nodes += (rbv_bodies_columns(bodies, b) + 2) / 3;
    }
    m->start[row] = at;
}

/* `prescribed`: K [kg], or NaN: from the masses; m->gram is to be destroyed. NULL: no memory. */
static PenaltyMatrix *penalty_matrix_create(RbvArena *arena, const RbvSystem *system, double prescribed) {
    size_t n = (size_t)system->bodies.size + 1, parts = (size_t)system->part_count + 1,
           rows = (size_t)system->satisfied_count + 1,
           entries = (size_t)system->D.start[system->satisfied_count] + 3 * n;
    PenaltyMatrix *m = rbv_arena_array(arena, 1, sizeof *m);
    if (!m)
        return NULL;
    *m = (PenaltyMatrix){.system = system,
                         .rows = system->satisfied_count,
                         .prescribed = prescribed,
                         .start = rbv_arena_array(arena, rows + n, sizeof(int32_t)),
                         .column = rbv_arena_array(arena, entries, sizeof(int32_t)),
                         .node = rbv_arena_array(arena, n, sizeof(int32_t)),
                         .body_of = rbv_arena_array(arena, n, sizeof(int32_t)),
                         .entries = rbv_arena_array(arena, entries, sizeof(double)),
                         .alpha = rbv_arena_array(arena, rows, sizeof(double)),
                         .scale = rbv_arena_array(arena, rows, sizeof(double)),
                         .arm = rbv_arena_array(arena, n, sizeof(double)),
                         .mass = rbv_arena_array(arena, parts, sizeof(double)),
                         .force = rbv_arena_array(arena, parts, sizeof(double)),
                         .rate = rbv_arena_array(arena, parts, sizeof(double))};
    if (m->start && m->column && m->node && m->body_of && m->entries && m->alpha && m->scale && m->arm && m->mass &&
        m->force && m->rate) {
        find_penalty_pattern(m);
        m->gram = rbv_gram_create(m->rows + system->bodies.size, system->bodies.size, m->start, m->column, m->node);
    }
    return m->gram ? m : NULL;
}

static inline void raise_to(double *to, double value) {
    *to = value > *to ? value : *to;
}

/* Rows of R of a body: roots of its masses; of a tensor J the triangle R with R^T R = J. Enlarges *scale [kg]. */
static void place_inertia(PenaltyMatrix *m, const RbvState *state, int32_t b, double *scale) {
    const RbvBodyColumns *bodies = &m->system->bodies;
    const RbvBody *body = &m->system->model->bodies.items[b];
    double J[3][3], R[3][3] = {{0}};
    rbv_state_tensor(state, b, J);
    for (int i = 0; i < 3; i++) {
        double pivot = J[i][i];
        for (int k = 0; k < i; k++)
            pivot -= R[k][i] * R[k][i];
        /* A pivot of an inertia tensor below this part of its diagonal is rounding. */
        for (int j = i; j < 3 && pivot > RBV_SUM_EXACT * J[i][i]; j++) {
            double sum = J[i][j];
            for (int k = 0; k < i; k++)
                sum -= R[k][i] * R[k][j];
            R[i][j] = sum / sqrt(pivot);
        }
    }
    for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
        double *to = m->entries + m->start[m->rows + j];
        int32_t turn = j - bodies->start[b] - 3;
        bool rotation = rbv_bodies_is_rotation(bodies, b, j);
        double own = body->mass;
        if (rotation)
            own = bodies->spatial ? J[turn][turn] : J[2][2];
        if (body->generalized)
            own = state->mass[(body->generalized - 1) * (m->system->model->generalized.count + 1)];
        m->arm[j] = rotation ? rbv_state_body_arm(state, b) : 1;
        raise_to(scale, own / (m->arm[j] * m->arm[j]));
        for (int32_t k = 0; k < inertia_columns(bodies, b, j); k++)
            to[k] = rbv_is_full_block(bodies, b, j) ? R[turn][turn + k] : sqrt(rbv_max(own, 0));
    }
}

/* Index of a part in arrays over parts; -1: ground alone. */
static inline int32_t part_index(const PenaltyMatrix *m, int32_t part) {
    return part >= 0 ? part : m->system->part_count;
}

/* R, and the mass scale of each part: largest mass, or inertia over the square of an arm, rotors included. */
static void place_penalty_masses(PenaltyMatrix *m, const RbvState *state) {
    const RbvSystem *system = m->system;
    memset(m->mass, 0, ((size_t)system->part_count + 1) * sizeof *m->mass);
    for (int32_t b = 1; b < system->bodies.count; b++)
        place_inertia(m, state, b, &m->mass[part_index(m, system->part[b])]);
    RbvRotor rotor;
    for (int32_t k = 0; system->model->rotor_count > 0 && k < system->model->drives.count; k++) {
        double sum = 0;
        if (!rbv_state_rotor(state, k, &rotor))
            continue;
        for (int32_t c = 0; c < rotor.count; c++)
            sum += rotor.value[c] * rotor.value[c] / (m->arm[rotor.column[c]] * m->arm[rotor.column[c]]);
        raise_to(&m->mass[part_index(m, system->row_part[system->drive_row[k]])], rotor.mass * sum);
    }
}

/* Length of a row of D, rotations over arms. */
static double row_norm(const PenaltyMatrix *m, const RbvState *state, int32_t k) {
    double sum = 0;
    for (int32_t e = m->start[k]; e < m->start[k + 1]; e++) {
        double x = state->D[e] / m->arm[m->column[e]];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Stiffness factor f of the row: that of its joint, or 1. */
static double factor_of(const PenaltyMatrix *m, int32_t k) {
    const RbvRow *row = &m->system->rows[k];
    return row->owner == RBV_OWNER_JOINT ? rbv_joint_loose(&m->system->model->joints.items[row->index])->penalty : 1;
}

/* Length scale of each row; that of an equation, which has a unit of its own, follows from its gradient. */
static void find_row_scales(PenaltyMatrix *m, const RbvState *state) {
    for (int32_t k = 0; k < m->rows; k++) {
        const RbvRow *row = &m->system->rows[k];
        double norm = row->equation || row->owner == RBV_OWNER_CONSTRAINT ? row_norm(m, state, k) : 0;
        if (norm > 0)
            m->scale[k] = 1 / norm;
        else
            m->scale[k] = row->angular ? rbv_state_row_arm(state, k) : 1;
    }
}

/* Mass scale of a part without mass: its loads over its accelerations, so that alpha times rounding is small beside
 * the loads; without either 1 kg. */
static void find_massless(PenaltyMatrix *m, const RbvState *state) {
    const RbvSystem *system = m->system;
    size_t parts = (size_t)system->part_count + 1;
    memset(m->force, 0, parts * sizeof *m->force);
    memset(m->rate, 0, parts * sizeof *m->rate);
    for (int32_t b = 1; b < system->bodies.count; b++)
        raise_to(&m->force[part_index(m, system->part[b])],
                 rbv_max(rbv_norm(state->wrenches[b].force),
                         rbv_norm(state->wrenches[b].torque) / rbv_state_body_arm(state, b)));
    for (int32_t k = 0; k < m->rows; k++)
        raise_to(&m->rate[part_index(m, system->row_part[k])],
                 rbv_state_holds(state, k) ? fabs(state->gamma_D[k]) * m->scale[k] : 0);
    for (size_t p = 0; p < parts; p++)
        if (!(m->mass[p] > 0))
            m->mass[p] = m->force[p] > 0 && m->rate[p] > 0 ? m->force[p] / m->rate[p] : 1;
}

/* Factors the matrix at the state; K is `share` times the mass scale of each part where it is not given. False:
 * singular. */
static bool penalty_matrix_factor(PenaltyMatrix *m, const RbvState *state, double share) {
    place_penalty_masses(m, state);
    find_row_scales(m, state);
    find_massless(m, state);
    m->largest = 0;
    m->least = INFINITY;
    for (int32_t k = 0; k < m->rows; k++) {
        double mass = m->mass[part_index(m, m->system->row_part[k])],
               K = factor_of(m, k) * (isnan(m->prescribed) ? share * mass : m->prescribed);
        m->least = rbv_min(m->least, rbv_state_holds(state, k) ? K / mass : INFINITY);
        m->alpha[k] = rbv_state_holds(state, k) ? K * m->scale[k] * m->scale[k] : 0;
        raise_to(&m->largest, m->alpha[k] > 0 ? K : 0);
        double root = sqrt(m->alpha[k]);
        for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
            m->entries[e] = root * state->D[e];
    }
    return rbv_gram_factor(m->gram, m->entries, DBL_MIN) && rbv_gram_rank(m->gram) == m->system->bodies.size;
}

/* K over the mass scale, for kappa = 1, lengths over lengths. A penalty leaves an error of about kappa^2/K of a
 * force, a round of the augmented method this part of the previous error. */
#define PENALTY 1e9
#define AUGMENTED 1e5
#define PENALTY_GAIN 1e4
#define ROUNDS_GAIN 10.0
/* Most corrections of one solution: two are enough with exact factors, rotors and products of generalized masses
 * need more. They have converged at this part of the largest force. */
#define MOST_CORRECTIONS 12
/* Largest residual of the balance of bodies after corrections, part of the largest force, as in the audit; above
 * it the solution has failed. With kappa above NEAR a singular position is reported as the cause. */
#define NEAR 1e6
/* Rounds of the augmented method: most rounds; converged when a round changes forces by less than RBV_SUM_EXACT of the
 * largest, or changes no longer shrink below RBV_SAME; usable when the remaining change is below RBV_NOTICEABLE. */
#define MOST_ROUNDS 200
/* Pushes whose effect on bodies, times kappa, is below this part of them have no effect. */
#define IDLE 1e-2

typedef struct Penalty {
    RbvArena arena; /* memory of everything here */
    PenaltyMatrix *matrix;
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

static void penalty_destroy(void *data) {
    Penalty *own = data;
    if (!own)
        return;
    if (own->matrix)
        rbv_gram_destroy(own->matrix->gram);
    rbv_arena_clear(&own->arena);
    free(own);
}

static void *create_penalty(RbvMotion *motion, const RbvOptions *options, bool augmented) {
    const RbvSystem *system = motion->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->satisfied_count + 1;
    Penalty *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    RbvArena *arena = &own->arena;
    own->augmented = augmented;
    own->matrix = penalty_matrix_create(arena, system, options->penalty);
    own->a = rbv_arena_array(arena, n, sizeof *own->a);
    own->step = rbv_arena_array(arena, n, sizeof *own->step);
    own->left = rbv_arena_array(arena, n, sizeof *own->left);
    own->soft = rbv_arena_array(arena, n, sizeof *own->soft);
    own->lambda = rbv_arena_array(arena, rows, sizeof *own->lambda);
    own->base = rbv_arena_array(arena, rows, sizeof *own->base);
    own->push = rbv_arena_array(arena, rows, sizeof *own->push);
    own->twists = rbv_arena_array(arena, (size_t)system->bodies.count, sizeof *own->twists);
    if (own->matrix && own->a && own->step && own->left && own->soft && own->lambda && own->base && own->push &&
        own->twists)
        return own;
    penalty_destroy(own);
    return NULL;
}

static void *penalty_create(RbvMotion *motion, const RbvOptions *options) {
    return create_penalty(motion, options, false);
}

static void *augmented_create(RbvMotion *motion, const RbvOptions *options) {
    return create_penalty(motion, options, true);
}

/* K over the mass scale at this state. */
static double share_of(const Penalty *own) {
    double square = own->kappa * own->kappa;
    return own->augmented ? rbv_max(AUGMENTED, ROUNDS_GAIN * square)
                          : rbv_max(PENALTY * own->kappa, PENALTY_GAIN * square);
}

static RbvStatus penalty_prepare(void *data, RbvMotion *motion) {
    Penalty *own = data;
    own->kappa = motion->amplification > 1 ? motion->amplification : 1;
    own->singular = !penalty_matrix_factor(own->matrix, motion->state, share_of(own));
    return own->singular ? RBV_LOCKED : RBV_OK;
}

/* D_k x. */
static double row_times(const PenaltyMatrix *m, const RbvState *state, int32_t k, const double *x) {
    double sum = 0;
    for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
        sum += state->D[e] * x[m->column[e]];
    return sum;
}

/* push = alpha (D a - gamma_D) */
static void stretch(Penalty *own, const RbvState *state) {
    const PenaltyMatrix *m = own->matrix;
    for (int32_t k = 0; k < m->rows; k++)
        own->push[k] = m->alpha[k] > 0 ? m->alpha[k] * (row_times(m, state, k, own->a) - state->gamma_D[k]) : 0;
}

/* left = Q - M a - D^T (base + push) */
static void find_left(Penalty *own, const RbvState *state, const double *Q) {
    const PenaltyMatrix *m = own->matrix;
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

/* Adds the step to a, and alpha D step to the pushes: so the balance of forces holds to rounding of forces,
 * whatever alpha. Returns the largest change [N]; own->largest: the largest force. */
static double take_step(Penalty *own, const RbvState *state) {
    const PenaltyMatrix *m = own->matrix;
    double change = 0;
    own->largest = 0;
    for (int32_t j = 0; j < m->system->bodies.size; j++)
        own->a[j] += own->step[j];
    for (int32_t k = 0; k < m->rows; k++) {
        double more = m->alpha[k] > 0 ? m->alpha[k] * row_times(m, state, k, own->step) : 0;
        own->push[k] += more;
        change = rbv_max(change, fabs(more) / m->scale[k]);
        own->largest = rbv_max(own->largest, fabs(own->base[k] + own->push[k]) / m->scale[k]);
    }
    return change;
}

/* Is the residual of the balance of bodies small enough? */
static bool balances(Penalty *own, const RbvState *state, const double *Q) {
    const PenaltyMatrix *m = own->matrix;
    double left = 0, size = own->largest;
    find_left(own, state, Q);
    for (int32_t j = 0; j < m->system->bodies.size; j++) {
        left = rbv_max(left, fabs(own->left[j]) / m->arm[j]);
        size = rbv_max(size, fabs(Q[j]) / m->arm[j]);
    }
    own->singular = !(left <= RBV_BALANCED * size);
    return !own->singular;
}

/* Solves M a + D^T (base + alpha (D a - gamma_D)) = Q, starting from the present a, with corrections until the
 * residual is rounding. lambda becomes base + push. False: not finite, or a large residual. */
static bool balance_bodies(Penalty *own, const RbvState *state, const double *Q) {
    const PenaltyMatrix *m = own->matrix;
    double before = INFINITY;
    stretch(own, state);
    for (int n = 0; n < MOST_CORRECTIONS; n++) {
        find_left(own, state, Q);
        rbv_gram_solve(m->gram, own->left, own->step);
        double change = take_step(own, state);
        if (!isfinite(change))
            return false;
        if (change <= RBV_EXACT * own->largest || (n > 1 && change > 0.5 * before))
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
    const PenaltyMatrix *m = own->matrix;
    double pushes = 0, acts = 0;
    memset(own->left, 0, (size_t)m->system->bodies.size * sizeof *own->left);
    for (int32_t k = 0; k < m->rows; k++) {
        pushes = rbv_max(pushes, fabs(own->push[k]) / m->scale[k]);
        for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
            own->left[m->column[e]] += state->D[e] * own->push[k];
    }
    for (int32_t j = 0; j < m->system->bodies.size; j++)
        acts = rbv_max(acts, fabs(own->left[j]) / m->arm[j]);
    own->change = rbv_min(pushes, own->kappa * acts);
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
        if (!balance_bodies(own, state, Q))
            return false;
        own->report.rounds++;
        find_change(own, state);
        first = n == 1 ? own->change : first;
        bool stays = own->change > 0.5 * before && own->change <= RBV_SAME * own->largest;
        if (own->change <= rbv_max(known * first, RBV_SUM_EXACT * own->largest) || stays || n == MOST_ROUNDS) {
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
        most = rbv_max(most, fabs(own->a[j] - own->soft[j]) * own->matrix->arm[j]);
    return most;
}

/* Rounds that find the error of penalty; one more round of the augmented method. */
static bool refine(Penalty *own, const RbvState *state, const double *Q) {
    memcpy(own->soft, own->a, (size_t)own->matrix->system->bodies.size * sizeof *own->a);
    const int taken = own->report.rounds;
    /* The rounds that find a penalty's error stop when they change by this part of the first change. */
    bool good = rounds(own, state, Q, own->augmented ? 1 : RBV_NOTICEABLE);
    own->report.rounds = taken;
    own->report.acceleration_error = moved(own);
    return good && own->report.left <= RBV_NOTICEABLE;
}

static RbvStatus penalty_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    Penalty *own = data;
    const PenaltyMatrix *m = own->matrix;
    RbvState *state = motion->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    memset(own->a, 0, (size_t)bodies->size * sizeof *own->a);
    memset(own->base, 0, (size_t)m->rows * sizeof *own->base);
    own->report.rounds = 1;
    own->report.left = 0;
    bool good = balance_bodies(own, state, Q) && (!own->augmented || rounds(own, state, Q, 0));
    good = good && own->report.left <= RBV_NOTICEABLE && (!own->refined || refine(own, state, Q));
    if (!good)
        return RBV_LOCKED;
    for (int32_t b = 1; b < bodies->count; b++)
        state->accelerations[b] = rbv_bodies_twist(bodies, b, own->a);
    if (state->system->coordinates.of_bodies)
        memcpy(state->a, own->a, (size_t)bodies->size * sizeof *state->a);
    memcpy(lambda, own->lambda, (size_t)m->rows * sizeof *lambda);
    return RBV_OK;
}

static void set_refined(void *data, bool refined) {
    ((Penalty *)data)->refined = refined;
}

/* Reason why no forces were found. */
static void explain_penalty(const void *data, char *text, size_t size) {
    const Penalty *own = data;
    if (own->singular && own->kappa > NEAR)
        snprintf(text, size,
                 RBV_OPTION_INVERSE_METHOD
                 " %s ends: the position is within %.1g of a singular one, of its size, where alpha D^T D of stiff "
                 "joints hides the masses in rounding; two-step goes nearer, and so may a smaller " RBV_OPTION_PENALTY,
                 own->augmented ? "augmented" : "penalty", 1 / own->kappa);
    else if (own->singular)
        snprintf(text, size, "the equations of " RBV_OPTION_INVERSE_METHOD " %s are singular",
                 own->augmented ? "augmented" : "penalty");
    else if (own->report.left > 0)
        snprintf(text, size,
                 "the multipliers of " RBV_OPTION_INVERSE_METHOD
                 " augmented do not settle: after %d rounds forces still change by %.2g of the largest; "
                 "another " RBV_OPTION_PENALTY " may do, and two-step solves without",
                 own->report.rounds, own->change / own->largest);
    else
        snprintf(text, size, RBV_OPTION_INVERSE_METHOD " %s finds no forces", own->augmented ? "augmented" : "penalty");
}

static const RbvMethodReport *penalty_report(void *data) {
    Penalty *own = data;
    own->report.coefficient = own->matrix->largest;
    own->report.augmented = own->augmented;
    own->report.yield = own->kappa * own->kappa / own->matrix->least;
    own->report.rows = own->matrix->rows;
    own->report.lambda = own->lambda;
    own->report.alpha = own->matrix->alpha;
    return &own->report;
}

const RbvMethodKind rbv_penalty_method = {.name = "penalty",
                                          .create = penalty_create,
                                          .destroy = penalty_destroy,
                                          .prepare = penalty_prepare,
                                          .solve = penalty_solve,
                                          .refine = set_refined,
                                          .report = penalty_report,
                                          .explain = explain_penalty};
const RbvMethodKind rbv_augmented_method = {.name = "augmented",
                                            .create = augmented_create,
                                            .destroy = penalty_destroy,
                                            .prepare = penalty_prepare,
                                            .solve = penalty_solve,
                                            .refine = set_refined,
                                            .report = penalty_report,
                                            .explain = explain_penalty};
