/* Multipliers in natural coordinates, of rigid and of yielding rows, and the wrenches of joints from them: of all rows
 * at once, or by bodies and rows that are let go one at a time.
 *
 *   M q'' + J^T lambda = Q,   Q_r = M_e q''_e + J_e^T lambda - Q_e body by body */
#include "solution/reaction/natural_multipliers.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "mechanics/coordinates/natural.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Penalty and augmented multipliers over the rows of natural coordinates, including rigid rows (García de Jalón and
 * Bayo, chapter 6: 6.106, 6.107; R000-97 ... R000-100):
 *
 *   penalty:    (M + J^T alpha J) q'' = Q + J^T alpha gamma,   lambda = alpha (J q'' - gamma)
 *   augmented:  lambda_i+1 = lambda_i + alpha (J q'' - gamma),
 *               (M + J^T alpha J) q'' = Q - J^T lambda_i + J^T alpha gamma
 * Positions and velocities are exact, so no other terms remain, and J a = gamma for the accelerations a of the
 * motion. The unknown is the yield d = q'' - a, (M + J^T alpha J) d = (Q - M a) - J^T lambda_i. Rows have gradients
 * of unit length, and one alpha [kg]; with redundant rows the rounds tend to lambda of least norm. */

/* alpha over the largest mass. Penalty: 1e7 leaves six correct digits, and its rounding, 1e-16 alpha, is still small
 * beside them. Augmented: rounds need less. */
#define NATURAL_PENALTY 1e7
#define NATURAL_AUGMENTED 1e5
/* Most rounds; they have converged when one changes the multipliers by less than this part of the largest. */
#define NATURAL_ROUNDS 100

typedef struct Yield {
    int32_t n, m;
    const double *A, *S; /* S = M + A alpha A^T, factored */
    const int32_t *pivot;
    const double *b;
    double alpha, *d, *x; /* [n] the yield, [m] multipliers taken over from round to round */
} Yield;

/* One round: d, and x += alpha A^T d. Returns the largest change; *largest: the largest of x. */
static double take_round(Yield *y, double *largest) {
    double change = 0;
    memcpy(y->d, y->b, (size_t)y->n * sizeof *y->d);
    for (int32_t j = 0; j < y->m; j++)
        for (int32_t i = 0; i < y->n; i++)
            y->d[i] -= y->A[(size_t)j * (size_t)y->n + (size_t)i] * y->x[j];
    rbv_lapack_lu_solve(y->n, y->S, y->pivot, y->d);
    *largest = 0;
    for (int32_t j = 0; j < y->m; j++) {
        double sum = 0;
        for (int32_t i = 0; i < y->n; i++)
            sum += y->A[(size_t)j * (size_t)y->n + (size_t)i] * y->d[i];
        y->x[j] += y->alpha * sum;
        change = rbv_max(change, fabs(y->alpha * sum));
        *largest = rbv_max(*largest, fabs(y->x[j]));
    }
    return change;
}

/* Rounds until the change is rounding or no longer halves. Returns their number; *change: the last change. */
static int32_t settle_yield(Yield *y, double *change) {
    double before = INFINITY, largest;
    int32_t rounds = 0;
    for (; rounds < NATURAL_ROUNDS; rounds++) {
        *change = take_round(y, &largest);
        if (!(*change > RBV_ROUNDING * largest) || *change > 0.5 * before)
            return rounds + 1;
        before = *change;
    }
    return rounds;
}

/* Factors M + A alpha A^T in M. */
static RbvStatus factor_yield(const Yield *y, double *M, int32_t *pivot) {
    for (int32_t j = 0; j < y->m; j++) {
        const double *a = y->A + (size_t)j * (size_t)y->n;
        for (int32_t c = 0; c < y->n; c++)
            for (int32_t r = 0; r < y->n && a[c] != 0; r++)
                M[(size_t)c * (size_t)y->n + (size_t)r] += y->alpha * a[r] * a[c];
    }
    RbvStatus status = rbv_lapack_lu(y->n, M, pivot);
    return status == RBV_OK || status == RBV_NO_MEMORY ? status : RBV_NOT_FINITE;
}

/* x[m] with A x about b: A[n][m] column by column, b[n]; overwrites M[n][n] with its factors. NO_MEMORY; NOT_FINITE:
 * the matrix is singular, since a motion that no row prevents has no mass. */
static RbvStatus natural_yield(int32_t n, int32_t m, const double *A, double *M, const double *b, RbvNaturalSoft soft,
                               double *x, RbvNaturalYield *yield) {
    double mass = 0, largest, change = 0;
    for (int32_t k = 0; k < n; k++)
        mass = rbv_max(mass, M[(size_t)k * (size_t)n + (size_t)k]);
    *yield = (RbvNaturalYield){.found = true, .augmented = soft.augmented, .rounds = 1};
    mass = mass > 0 ? mass : 1;
    yield->alpha = soft.given;
    if (isnan(soft.given))
        yield->alpha = (soft.augmented ? NATURAL_AUGMENTED : NATURAL_PENALTY) * mass;
    int32_t *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    double *work = calloc((size_t)n + 2 * (size_t)m + 1, sizeof *work);
    Yield y = {.n = n, .m = m, .A = A, .S = M, .pivot = pivot, .b = b, .alpha = yield->alpha};
    RbvStatus status = pivot && work ? factor_yield(&y, M, pivot) : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        y.d = work, y.x = work + n;
        take_round(&y, &largest);
        memcpy(x, y.x, (size_t)m * sizeof *x);
        int32_t rounds = settle_yield(&y, &change);
        for (int32_t j = 0; j < m; j++) {
            yield->error = soft.augmented ? change : rbv_max(yield->error, fabs(y.x[j] - x[j]));
            x[j] = soft.augmented ? y.x[j] : x[j];
        }
        yield->rounds = soft.augmented ? rounds + 1 : 1;
    }
    free(pivot);
    free(work);
    return status;
}

typedef struct NaturalWork {
    RbvArena arena; /* memory of the arrays */
    const RbvState *state;
    RbvReactions *reactions;
    const RbvSystem *system;
    const RbvNatural *natural;
    RbvNaturalMultipliers *out;
    double *A, *sigma, *U, *Vt; /* [size][count] J^T of unit rows, and its SVD */
    double *scale;              /* [count] lengths of gradients; 0: not a row of J */
    double *b, *x;              /* [size] right-hand side, [count] scaled multipliers */
    int32_t rank;
    double *uses;        /* [3 uses] forces Q_r on each use of a point or vector */
    double *on_numbers;  /* [size] forces on the numbers q themselves */
    double *body;        /* [2 bodies.size] scratch */
    RbvWrench *wrenches; /* [bodies] loads about centroids */
    RbvMat3 *moments;    /* [bodies] moments of loads that act beside the centroids */
    bool *beyond;        /* [bodies] bodies beyond a joint */
} NaturalWork;

const char *rbv_natural_multipliers_missing(const RbvSystem *system) {
    if (!rbv_is_natural(&system->coordinates))
        return "they are those of points and vectors: " RBV_OPTION_COORDINATES " natural";
    if (system->friction_count > 0)
        return "friction is not among the forces of these equations";
    if (system->model->generalized.count > 0)
        return "generalized coordinates have no points";
    return system->coordinates.size > RBV_NATURAL_MOST || system->C.count > RBV_NATURAL_MOST
               ? "there are too many numbers or rows for full matrices"
               : NULL;
}

RbvStatus rbv_natural_multipliers_admit(const RbvSystem *system, const RbvOptions *options,
                                        RbvDiagnostics *diagnostics) {
    const char *missing = options->reactions.multipliers ? rbv_natural_multipliers_missing(system) : NULL;
    if (!missing)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                 RBV_OPTION_REACTIONS_MULTIPLIERS ": %s", missing);
    return RBV_BAD_INPUT;
}

static bool is_row_of_J(const NaturalWork *w, int32_t row) {
    const RbvSystem *system = w->system;
    if (row >= system->all_count)
        return true;
    return row < system->row_count && rbv_state_holds(w->state, row) && !rbv_system_keeps(system, row);
}

/* Finds the rows of J, with their gradients of unit length as columns of A. */
static void gather_rows(NaturalWork *w) {
    const RbvSystem *system = w->system;
    const RbvState *state = w->state;
    int32_t n = system->coordinates.size, count = 0;
    for (int32_t row = 0; row < system->C.count; row++) {
        double length = 0, of_bodies = 0, *column = w->A + (size_t)n * (size_t)count;
        if (!is_row_of_J(w, row))
            continue;
        for (int32_t k = 0; k < n; k++)
            column[k] = 0;
        for (int32_t e = system->C.start[row]; e < system->C.start[row + 1]; e++) {
            column[system->C.column[e]] = state->C[e];
            length += state->C[e] * state->C[e];
        }
        for (int32_t e = row < system->all_count ? system->D.start[row] : 0;
             row < system->all_count && e < system->D.start[row + 1]; e++)
            of_bodies = rbv_max(of_bodies, fabs(state->D[e]));
        length = sqrt(length);
        /* A gradient over q shorter than this part of the row's largest entry over body twists is rounding: sharing
         * points and vectors already keeps the row. */
        w->scale[count] = length > RBV_DATA * of_bodies && length > 0 ? length : 0;
        for (int32_t k = 0; k < n; k++)
            column[k] = w->scale[count] > 0 ? column[k] / length : 0;
        w->out->row[count++] = row;
    }
    w->out->count = count;
}

/* All forces on bodies except those of rows: loads, forces along lines of centres, and inertia of rotors. */
static void gather_wrenches(NaturalWork *w) {
    const RbvBodyColumns *bodies = &w->system->bodies;
    double *a = w->body, *force = w->body + bodies->size;
    memcpy(w->wrenches, w->state->wrenches, (size_t)bodies->count * sizeof *w->wrenches);
    rbv_reactions_lines(w->reactions, w->state, w->wrenches);
    for (int32_t k = 0; k < bodies->size; k++)
        force[k] = 0;
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, w->state->accelerations[b], a);
    rbv_state_add_rotors(w->state, a, -1, force);
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvTwist more = rbv_bodies_twist(bodies, b, force);
        w->wrenches[b] = rbv_wrench_add_scaled(w->wrenches[b], 1, (RbvWrench){more.v, more.w});
    }
    rbv_state_load_moments(w->state, w->moments);
    memset(w->on_numbers, 0, (size_t)w->system->coordinates.size * sizeof *w->on_numbers);
    rbv_state_number_loads(w->state, w->wrenches, w->on_numbers);
}

/* b = Q - M q'', rotors among the forces. Returns the largest of both terms. */
static double gather_forces(NaturalWork *w) {
    const RbvSystem *system = w->system;
    const RbvState *state = w->state;
    double most = 0;
    double *Ma = w->x;
    rbv_coordinates_force(&system->coordinates, rbv_state_at(state), state->v, w->wrenches, state->bias, state->pushed,
                          state->less, w->b);
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_natural_spread_push(&system->coordinates, rbv_state_at(state), b, 1, &w->moments[b], RBV_USE_IN_ALL, w->b);
    rbv_coordinates_mass(&system->coordinates, rbv_state_at(state), state->a, Ma);
    for (int32_t k = 0; k < system->coordinates.size; k++) {
        w->b[k] += w->on_numbers[k];
        most = rbv_max(most, rbv_max(fabs(w->b[k]), fabs(Ma[k])));
        w->b[k] -= Ma[k];
    }
    return most;
}

/* x of least norm with A x = b; the null space is in the last rows of Vt. */
static RbvStatus solve_least_norm(NaturalWork *w, double most) {
    int32_t n = w->system->coordinates.size, m = w->out->count, k = n < m ? n : m;
    RbvStatus status = m > 0 ? rbv_lapack_svd('A', n, m, w->A, w->sigma, w->U, w->Vt) : RBV_OK;
    if (status != RBV_OK)
        return status;
    memset(w->x, 0, (size_t)m * sizeof *w->x);
    /* Singular values below this part of the largest belong to dependent rows. */
    for (w->rank = 0; m > 0 && w->rank < k && w->sigma[w->rank] > RBV_DATA * w->sigma[0]; w->rank++) {
        const double *u = w->U + (size_t)w->rank * (size_t)n;
        double part = 0;
        for (int32_t i = 0; i < n; i++)
            part += u[i] * w->b[i];
        for (int32_t i = 0; i < n; i++)
            w->b[i] -= part * u[i];
        for (int32_t j = 0; j < m; j++)
            w->x[j] += part / w->sigma[w->rank] * w->Vt[(size_t)w->rank + (size_t)j * (size_t)m];
    }
    double left = 0;
    for (int32_t i = 0; i < n; i++)
        left = rbv_max(left, fabs(w->b[i]));
    w->out->residual = most > 0 ? left / most : 0;
    for (int32_t j = 0; j < m; j++) {
        double open = w->scale[j] > 0 ? 0 : 1;
        for (int32_t r = w->rank; r < m; r++)
            open += pow(w->Vt[(size_t)r + (size_t)j * (size_t)m], 2);
        /* A multiplier or force is unique if at most this part of it lies in the unit vectors of the null space. */
        w->out->unique[j] = sqrt(open) <= RBV_BALANCED;
        w->out->lambda[j] = w->scale[j] > 0 ? w->x[j] / w->scale[j] : 0;
    }
    return RBV_OK;
}

/* Gradient of a row on the body of entry *entry, as a wrench; advances *entry to the next body. */
static RbvWrench wrench_in(const NaturalWork *w, int32_t row, int32_t *entry, int32_t *of) {
    const RbvBodyColumns *bodies = &w->system->bodies;
    int32_t body = 1;
    while (bodies->start[body + 1] <= w->system->D.column[*entry])
        body++;
    *of = body;
    double x[6] = {0};
    for (; *entry < w->system->D.start[row + 1] && w->system->D.column[*entry] >= bodies->start[body] &&
           w->system->D.column[*entry] < bodies->start[body + 1];
         ++*entry)
        x[rbv_bodies_direction(bodies, w->system->D.column[*entry] - bodies->start[body])] += w->state->D_rest[*entry];
    return (RbvWrench){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

/* uses += J_e^T lambda of all bodies: rigid rows, and the gradients of rows of joints, constraints and drives on
 * each body. */
static void add_rows(const NaturalWork *w, const double *lambda) {
    const RbvCoordinates *c = &w->system->coordinates;
    for (int32_t j = 0; j < w->out->count; j++) {
        int32_t row = w->out->row[j];
        if (row >= w->system->all_count) {
            rbv_natural_row_push(w->natural, row - w->system->all_count, w->state->q, lambda[j], w->uses);
            continue;
        }
        for (int32_t e = w->system->D.start[row]; e < w->system->D.start[row + 1];) {
            int32_t body;
            RbvWrench wrench = wrench_in(w, row, &e, &body);
            rbv_natural_wrench_push(c, rbv_state_at(w->state), body, lambda[j], &wrench, w->uses);
        }
    }
}

/* uses += M_e q''_e - Q_e of all bodies. */
static void add_inertia(const NaturalWork *w) {
    const RbvSystem *system = w->system;
    for (int32_t b = 1; b < system->bodies.count; b++) {
        RbvWrench wrench = w->wrenches[b];
        if (system->bodies.spatial && rbv_bodies_turns(&system->bodies, b)) /* -w x J w is in M */
            wrench.torque =
                rbv_add(wrench.torque, rbv_cross(w->state->twists[b].w,
                                                 rbv_body_momentum(&system->model->bodies.items[b],
                                                                   &w->state->bodies[b].A, w->state->twists[b].w)));
        rbv_natural_inertia_push(&system->coordinates, rbv_state_at(w->state), b, w->state->v, w->state->a, w->uses);
        rbv_natural_wrench_push(&system->coordinates, rbv_state_at(w->state), b, -1, &wrench, w->uses);
        rbv_natural_spread_push(&system->coordinates, rbv_state_at(w->state), b, -1, &w->moments[b], RBV_USE_ALONE,
                                w->uses);
    }
}

static int32_t body_at(const NaturalWork *w, int32_t joint, int side) {
    return w->system->model->markers.items[w->system->model->joints.items[joint].marker[side]].body;
}

/* Bodies that share the basic point or vector on one side of a joint, reached by the other joints that share it.
 * False: the body on the joint's other side is among them. */
static bool find_beyond(const NaturalWork *w, RbvBasicShare share, int side) {
    const RbvNatural *n = w->natural;
    memset(w->beyond, 0, (size_t)w->system->bodies.count * sizeof *w->beyond);
    w->beyond[body_at(w, share.joint, side)] = true;
    for (bool more = true; more;) {
        more = false;
        for (int32_t k = 0; k < n->share_count; k++) {
            int32_t one = body_at(w, n->shares[k].joint, 0), other = body_at(w, n->shares[k].joint, 1);
            if (n->shares[k].basic != share.basic || n->shares[k].joint == share.joint ||
                w->beyond[one] == w->beyond[other])
                continue;
            w->beyond[one] = w->beyond[other] = more = true;
        }
    }
    return !w->beyond[body_at(w, share.joint, 1 - side)];
}

/* Force of the joint by one shared basic on the bodies beyond the joint: the sum of their Q_r; where ground is
 * beyond, minus the sum of those on the first side. False: the bodies that share it form a closed chain. */
static bool shared_force(const NaturalWork *w, RbvBasicShare share, RbvVec3 *sum) {
    const RbvNatural *n = w->natural;
    *sum = rbv_vec3(0, 0, 0);
    if (!find_beyond(w, share, 1))
        return false;
    const bool ground = w->beyond[0] && find_beyond(w, share, 0);
    for (int32_t b = 1; b < w->system->bodies.count; b++)
        for (int32_t u = n->bodies[b].first; w->beyond[b] && u < n->bodies[b].first + n->bodies[b].count; u++)
            if (n->uses[u].basic == share.basic)
                *sum = rbv_add_scaled(*sum, ground ? -1 : 1,
                                      rbv_vec3(w->uses[3 * u], w->uses[3 * u + 1], w->uses[3 * u + 2]));
    return true;
}

/* Wrenches of joints from `uses` and from lambda of their own rows. */
static void find_wrenches(const NaturalWork *w, const double *lambda, RbvElementWrench *joints) {
    const RbvNatural *n = w->natural;
    for (int32_t k = 0; k < w->system->model->joints.count; k++)
        joints[k] = (RbvElementWrench){true, {{0, 0, 0}, {0, 0, 0}}};
    for (int32_t j = 0; j < w->out->count; j++) {
        const RbvRow *row = w->out->row[j] < w->system->row_count ? &w->system->rows[w->out->row[j]] : NULL;
        if (row && row->owner == RBV_OWNER_JOINT)
            joints[row->index].wrench = rbv_wrench_add_scaled(joints[row->index].wrench, lambda[j],
                                                              rbv_reactions_unit(w->reactions, w->out->row[j]));
    }
    for (int32_t k = 0; k < n->share_count; k++) {
        RbvElementWrench *joint = &joints[n->shares[k].joint];
        const RbvBasic *basic = &n->basics[n->shares[k].basic];
        RbvVec3 force, at = basic->fixed;
        if (basic->column >= 0)
            at = rbv_vec3(w->state->q[basic->column], w->state->q[basic->column + 1],
                          n->dims == 3 ? w->state->q[basic->column + 2] : 0);
        if (!shared_force(w, n->shares[k], &force)) {
            force = rbv_vec3(NAN, NAN, NAN);
            joint->unique = false;
        }
        if (basic->vector)
            joint->wrench.torque = rbv_add(joint->wrench.torque, rbv_cross(at, force));
        else
            joint->wrench.force = rbv_add(joint->wrench.force, force);
    }
}

/* Wrenches of all joints, and again for each vector of the null space: a joint with a wrench there is not unique. */
static void find_elements(NaturalWork *w, RbvElementWrench *open) {
    int32_t m = w->out->count, joints = w->system->model->joints.count;
    memset(w->uses, 0, (size_t)w->natural->use_count * 3 * sizeof *w->uses);
    add_inertia(w);
    add_rows(w, w->out->lambda);
    find_wrenches(w, w->out->lambda, w->out->joint);
    for (int32_t r = w->rank; r < m; r++) {
        for (int32_t j = 0; j < m; j++)
            w->x[j] = w->scale[j] > 0 ? w->Vt[(size_t)r + (size_t)j * (size_t)m] / w->scale[j] : 0;
        memset(w->uses, 0, (size_t)w->natural->use_count * 3 * sizeof *w->uses);
        add_rows(w, w->x);
        find_wrenches(w, w->x, open);
        for (int32_t k = 0; k < joints; k++)
            w->out->joint[k].unique = w->out->joint[k].unique &&
                                      rbv_norm(open[k].wrench.force) + rbv_norm(open[k].wrench.torque) <= RBV_BALANCED;
    }
    for (int32_t j = 0; j < m; j++) { /* rows kept by sharing carry forces not shown here */
        const RbvRow *row =
            w->out->row[j] < w->system->row_count && !(w->scale[j] > 0) ? &w->system->rows[w->out->row[j]] : NULL;
        if (row && row->owner == RBV_OWNER_JOINT)
            w->out->joint[row->index].unique = false;
    }
}

static bool reserve_vectors(NaturalWork *w) {
    size_t n = (size_t)w->system->coordinates.size + 1, rows = (size_t)w->system->C.count + 1,
           bodies = (size_t)w->system->bodies.count, joints = (size_t)w->system->model->joints.count + 1;
    RbvNaturalMultipliers *out = w->out;
    out->row = rbv_arena_array(&out->arena, rows, sizeof *out->row);
    out->lambda = rbv_arena_array(&out->arena, rows, sizeof *out->lambda);
    out->unique = rbv_arena_array(&out->arena, rows, sizeof *out->unique);
    out->joint = rbv_arena_array(&out->arena, joints, sizeof *out->joint);
    w->scale = rbv_arena_array(&w->arena, rows, sizeof *w->scale);
    w->b = rbv_arena_array(&w->arena, n, sizeof *w->b);
    w->x = rbv_arena_array(&w->arena, n + rows, sizeof *w->x);
    w->uses = rbv_arena_array(&w->arena, (size_t)w->natural->use_count * 3 + 1, sizeof *w->uses);
    w->body = rbv_arena_array(&w->arena, 2 * (size_t)w->system->bodies.size + 1, sizeof *w->body);
    w->on_numbers = rbv_arena_array(&w->arena, n, sizeof *w->on_numbers);
    w->moments = rbv_arena_array(&w->arena, bodies, sizeof *w->moments);
    w->wrenches = rbv_arena_array(&w->arena, bodies, sizeof *w->wrenches);
    w->beyond = rbv_arena_array(&w->arena, bodies, sizeof *w->beyond);
    return out->row && out->lambda && out->unique && out->joint && w->scale && w->b && w->x && w->uses && w->body &&
           w->on_numbers && w->moments && w->wrenches && w->beyond;
}

static bool reserve_workspace(NaturalWork *w) {
    size_t n = (size_t)w->system->coordinates.size + 1, rows = (size_t)w->system->C.count + 1;
    w->A = rbv_arena_array(&w->arena, n * rows, sizeof *w->A);
    w->U = rbv_arena_array(&w->arena, n * n, sizeof *w->U);
    w->Vt = rbv_arena_array(&w->arena, rows * rows, sizeof *w->Vt);
    w->sigma = rbv_arena_array(&w->arena, n + rows, sizeof *w->sigma);
    return reserve_vectors(w) && w->A && w->U && w->Vt && w->sigma;
}

RbvNaturalSoft rbv_natural_soft(const RbvOptions *options) {
    return (RbvNaturalSoft){.yields = options->inverse.method == RBV_METHOD_PENALTY ||
                                      options->inverse.method == RBV_METHOD_AUGMENTED,
                            .augmented = options->inverse.method == RBV_METHOD_AUGMENTED,
                            .given = options->penalty};
}

/* Multipliers of yielding rows into soft[count]; before the least norm overwrites A and b. */
static RbvStatus let_yield(NaturalWork *w, RbvNaturalSoft how, double *soft) {
    const RbvCoordinates *c = &w->system->coordinates;
    const size_t n = (size_t)c->size;
    double *M = rbv_arena_array(&w->arena, n * n + 1, sizeof *M),
           *unit = rbv_arena_array(&w->arena, n + 1, sizeof *unit);
    RbvStatus status = M && unit ? RBV_OK : RBV_NO_MEMORY;
    for (size_t k = 0; status == RBV_OK && k < n; k++) {
        unit[k] = 1;
        rbv_coordinates_mass(c, rbv_state_at(w->state), unit, M + k * n);
        unit[k] = 0;
    }
    if (status == RBV_OK)
        status = natural_yield(c->size, w->out->count, w->A, M, w->b, how, soft, &w->out->yield);
    return status;
}

/* Replaces the multipliers of rigid rows by those of yielding rows. */
static void take_soft(NaturalWork *w, const double *soft) {
    for (int32_t j = 0; j < w->out->count; j++)
        w->out->lambda[j] = w->scale[j] > 0 ? soft[j] / w->scale[j] : 0;
}

RbvStatus rbv_natural_multipliers_create(const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft,
                                         RbvNaturalMultipliers *out) {
    const RbvSystem *system = state->system;
    *out = (RbvNaturalMultipliers){.system = system};
    NaturalWork w = {.state = state,
                     .reactions = reactions,
                     .system = system,
                     .natural = rbv_natural_of(&system->coordinates),
                     .out = out};
    RbvElementWrench *open = rbv_arena_array(&w.arena, (size_t)system->model->joints.count + 1, sizeof *open);
    double most = 0, *yielding = rbv_arena_array(&w.arena, (size_t)system->C.count + 1, sizeof *yielding);
    RbvStatus status = reserve_workspace(&w) && open && yielding ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        gather_rows(&w);
        gather_wrenches(&w);
        most = gather_forces(&w);
    }
    if (status == RBV_OK && soft.yields)
        status = let_yield(&w, soft, yielding);
    if (status == RBV_OK)
        status = solve_least_norm(&w, most);
    if (status == RBV_OK && soft.yields)
        take_soft(&w, yielding);
    if (status == RBV_OK)
        find_elements(&w, open);
    rbv_arena_clear(&w.arena);
    return status;
}

/* Bodies whose equations give the wrench of the joint: those beyond each point and vector that it shares. */
static void find_taken_out(const NaturalWork *w, int32_t joint, bool *taken) {
    const RbvNatural *n = w->natural;
    for (int32_t k = 0; k < n->share_count; k++) {
        if (n->shares[k].joint != joint)
            continue;
        find_beyond(w, n->shares[k], 1);
        if (w->beyond[0])
            find_beyond(w, n->shares[k], 0);
        for (int32_t b = 1; b < w->system->bodies.count; b++)
            taken[b] = taken[b] || w->beyond[b];
    }
}

/* Does row `row` of C act on one of the bodies taken, or belong to the joint? */
static bool row_acts_on(const NaturalWork *w, int32_t row, const bool *taken, int32_t joint) {
    const RbvSystem *system = w->system;
    if (row >= system->all_count)
        return taken[w->natural->rows[row - system->all_count].body];
    if (system->rows[row].owner == RBV_OWNER_JOINT && system->rows[row].index == joint)
        return true;
    for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
        if (taken[rbv_bodies_at(&system->bodies, system->D.column[e])])
            return true;
    return false;
}

/* Multipliers of the rows of these bodies, each released alone. */
static void release_rows(NaturalWork *w, const RbvMotion *motion, int32_t joint, const bool *taken) {
    const RbvRowFactors *C = &motion->C;
    RbvNaturalMultipliers *out = w->out;
    out->count = 0;
    for (int32_t k = 0; k < C->n; k++) {
        if (!is_row_of_J(w, C->chosen[k]) || !row_acts_on(w, C->chosen[k], taken, joint))
            continue;
        double sum = 0;
        memset(w->x, 0, (size_t)C->n * sizeof *w->x);
        w->x[k] = 1;
        rbv_lu_solve(C->lu, w->x);
        for (int32_t j = 0; j < C->n; j++)
            sum += w->x[j] * w->b[j];
        w->scale[out->count] = 1;
        out->lambda[out->count] = sum;
        out->row[out->count++] = C->chosen[k];
    }
}

RbvStatus rbv_natural_by_body(RbvMotion *motion, RbvReactions *reactions, int32_t joint, RbvElementWrench *wrench) {
    const RbvSystem *system = motion->system;
    RbvNaturalMultipliers out = {.system = system};
    NaturalWork w = {.state = motion->state,
                     .reactions = reactions,
                     .system = system,
                     .natural = rbv_natural_of(&system->coordinates),
                     .out = &out};
    bool *taken = rbv_arena_array(&w.arena, (size_t)system->bodies.count, sizeof *taken);
    bool good = reserve_vectors(&w) && taken;
    if (good) {
        gather_wrenches(&w);
        gather_forces(&w);
        find_taken_out(&w, joint, taken);
        release_rows(&w, motion, joint, taken);
        memset(w.uses, 0, (size_t)w.natural->use_count * 3 * sizeof *w.uses);
        add_inertia(&w);
        add_rows(&w, out.lambda);
        find_wrenches(&w, out.lambda, out.joint);
        *wrench = out.joint[joint];
    }
    rbv_arena_clear(&w.arena);
    rbv_natural_multipliers_free(&out);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Does q* keep all rows of J except `row`, which moves at unit rate? */
static bool keeps_other_rows(const NaturalWork *w, int32_t row, const double *rates) {
    const RbvRowPattern *C = &w->system->C;
    double most = 0, left = 0;
    for (int32_t k = 0; k < C->count; k++) {
        double sum = k == row ? -1 : 0, size = fabs(sum);
        if (!is_row_of_J(w, k))
            continue;
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            sum += w->state->C[e] * rates[C->column[e]];
            size += fabs(w->state->C[e] * rates[C->column[e]]);
        }
        most = rbv_max(most, size);
        left = isnan(sum) ? INFINITY : rbv_max(left, fabs(sum));
    }
    /* What a virtual motion may leave of the other rows, as a part of the largest that a row of C is moved by. */
    return left <= RBV_BALANCED * most;
}

RbvStatus rbv_natural_by_row(RbvMotion *motion, RbvReactions *reactions, int32_t own, double *rates, double *lambda,
                             bool *found) {
    const RbvSystem *system = motion->system;
    const int32_t row = system->all_count + own, place = motion->C.place_of[row];
    RbvNaturalMultipliers out = {.system = system};
    NaturalWork w = {.state = motion->state,
                     .reactions = reactions,
                     .system = system,
                     .natural = rbv_natural_of(&system->coordinates),
                     .out = &out};
    bool good = reserve_vectors(&w);
    memset(rates, 0, (size_t)system->coordinates.size * sizeof *rates);
    *lambda = 0;
    if (good && place >= 0) {
        gather_wrenches(&w);
        gather_forces(&w);
        rates[place] = 1;
        rbv_lu_solve(motion->C.lu, rates);
        for (int32_t j = 0; j < motion->C.n; j++)
            *lambda += rates[j] * w.b[j];
    }
    *found = good && place >= 0 && keeps_other_rows(&w, row, rates);
    rbv_arena_clear(&w.arena);
    rbv_natural_multipliers_free(&out);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

void rbv_natural_row_name(const RbvSystem *system, int32_t k, char *text, size_t size) {
    const RbvNatural *n = rbv_natural_of(&system->coordinates);
    int32_t number = 1;
    for (int32_t j = 0; j < k; j++)
        number += n->rows[j].body == n->rows[k].body;
    snprintf(text, size, "%s.row%d", system->model->bodies.items[n->rows[k].body].name, (int)number);
}

void rbv_natural_multipliers_free(RbvNaturalMultipliers *m) {
    rbv_arena_clear(&m->arena);
}
