/* Accelerations at a singular position; see singular.h.
 *
 * With the decomposition C_s = U diag(sigma) V^T of singular_parts.h: y = y_0 + Z z, a = S y; y_0 is found from the
 * locked singular values alone, Z are the other columns of V. N = R U of the other columns of U. */
#include "dynamics/integration/singular.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "core/solve/lapack.h"
#include "dynamics/integration/singular_parts.h"
#include "solution/assembly/absolute_state.h"
#include "solution/solvability/branches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Models with more columns are left to the audit: a second's work. */
#define MOST_COLUMNS 300
/* A singular value below this may be rounding of an assembled position (RBV_RANK_DATA times RBV_RANK_BAND,
 * core/solve/rank.h): it is unsure whether its row acts. */
#define DROPPED RBV_FITS
/* Below this singular value the full matrix is used where rows repeat others; saddle.h ignores such rows below 1e-3. */
#define NEAR 3e-2
/* At rest rows act down to ten times the threshold of rank: accelerations satisfy them to 1e-16/sigma. */
#define LOCKED_AT_REST RBV_SAME
/* Below this singular value rows resist too little in the saddle point system: accelerations have a larger error than
 * the audit allows. */
#define YIELDS RBV_NOTICEABLE
/* Relative to the speed: forms N^T dD[u] above LOST lose a self-stress, below RBV_BALANCED they are rounding of
 * positions and of lengths with ten digits. */
#define LOST 1e-4
/* Error of integrated velocities, in tolerances. */
#define TOLERANCES 1e4
/* Largest error of velocities where repeated rows yield; steps of Newton's method. */
#define GIVEN_WAY 1e-2
#define MOST_STEPS 4
/* Relative to the scale of velocities and accelerations: velocities that satisfy second order but not third belong to
 * no motion; limit for motions from rest. */
#define THIRD 1e-4
#define FROM_REST 1e-3
/* Relative to the time in which the fastest body turns by a radian: differences of fourth order are accurate to 1e-11.
 */
#define STEP 2e-3
/* Relative to the largest entry: rows that are named; largest number of names. */
#define NAMED 0.1
#define MOST_NAMES 6

bool rbv_singular_create(RbvSingular *s, RbvFlow *flow) {
    size_t rows = (size_t)flow->system->row_count + 1;
    *s = (RbvSingular){.flow = flow};
    s->lambda = rbv_arena_array(&s->arena, rows, sizeof *s->lambda);
    s->growth = rbv_arena_array(&s->arena, rows, sizeof *s->growth);
    s->missing = rbv_arena_array(&s->arena, (size_t)flow->system->bodies.count + 1, sizeof *s->missing);
    return s->lambda && s->growth && s->missing && rbv_singular_parts_create(&s->parts, flow);
}

void rbv_singular_destroy(RbvSingular *s) {
    rbv_state_destroy(s->nearby);
    rbv_arena_clear(&s->arena);
    rbv_singular_parts_destroy(&s->parts);
    *s = (RbvSingular){0};
}

int32_t rbv_singular_lasting(const RbvSingular *s, const RbvSolvability *solvability) {
    return s->flow->tracking ? solvability->redundant : s->lasting[RBV_PART_FOLLOWED] + s->lasting[RBV_PART_LOADED];
}

void rbv_singular_forget(RbvSingular *s) {
    memset(s->lasting, 0, sizeof s->lasting);
}

/* Sets the scratch state of bodies to the flow's positions, shifted by the motion over h [s] with accelerations a of
 * bodies; evaluates rows, velocities and gamma. False: not finite. */
static bool place_nearby(const RbvSingular *s, const double *a, double h) {
    const RbvState *from = s->flow->state;
    RbvState *to = s->nearby;
    const RbvBodyColumns *bodies = &to->system->bodies;
    rbv_absolute_state_follow(from, to);
    to->targets = from->targets;
    to->t = from->t + h;
    if (h != 0) {
        double *step = to->a;
        for (int32_t j = 0; j < bodies->size; j++)
            step[j] = h * to->v[j] + 0.5 * h * h * a[j];
        rbv_coordinates_step(&to->system->coordinates, to->q, step);
        for (int32_t j = 0; j < bodies->size; j++)
            to->v[j] += h * a[j];
    }
    if (!rbv_state_place(to) || to->singular_measure >= 0)
        return false;
    rbv_state_jacobian(to);
    return rbv_state_rates(to) && rbv_state_move(to);
}

/* Creates the scratch state in absolute coordinates if needed. False: out of memory. */
static bool create_nearby(RbvSingular *s) {
    const RbvSystem *system = s->flow->system;
    if (!s->nearby)
        s->nearby = rbv_state_create(system->absolute ? system->absolute : system);
    return s->nearby != NULL;
}

/* Finds the scales of speeds and accelerations of the bodies that self-stresses act on, for comparison with errors.
 * Where other bodies move much faster, these scales are rounding. */
static void measure(const RbvSingular *s, RbvSingularWork *w, const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    const RbvRowPattern *D = &state->system->D;
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    for (int32_t i = 0; i < w->m; i++)
        for (int32_t k = w->locked; k < w->m; k++)
            for (int32_t e = D->start[w->row[i]];
                 /* Entry of a self-stress below which it does not act at the row. */
                 fabs(rbv_singular_work_u(w, i, k)) > RBV_FITS && e < D->start[w->row[i] + 1]; e++)
                w->x[D->column[e]] = 1;
    for (int32_t b = 1; b < bodies->count; b++) {
        const RbvTwist *v_b = &state->twists[b], *a_b = &state->accelerations[b];
        double size = rbv_state_body_size(state, b), speed = rbv_norm(v_b->w) + rbv_norm(v_b->v) / size;
        double gain = rbv_norm(a_b->v) + rbv_state_body_arm(state, b) * rbv_norm(a_b->w);
        /* A residual of RBV_BALANCED times this part of the largest acceleration of any body is rounding. */
        w->size = rbv_max(w->size, RBV_DATA * (speed * speed * size + gain));
        bool acts = false;
        if (rbv_singular_parts_of_body(&s->parts, b) != w->kind)
            continue;
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
            acts = acts || w->x[j] > 0;
        if (!acts && w->p > 0)
            continue;
        w->speed = rbv_max(w->speed, speed);
        w->rate = rbv_max(w->rate, rbv_max(speed, sqrt(gain / size)));
        w->size = rbv_max(w->size, speed * speed * size + gain);
    }
    for (int32_t i = 0; i < w->m; i++)
        for (int32_t k = w->locked; k < w->m; k++)
            if (fabs(rbv_singular_work_u(w, i, k)) > RBV_FITS)
                w->size = rbv_max(w->size, fabs(w->norm[i] * state->gamma_D[w->row[i]]));
}

/* y_0: accelerations that the held rows require. */
static void particular(RbvSingularWork *w, const RbvState *at) {
    memset(w->y, 0, (size_t)w->n * sizeof *w->y);
    for (int32_t k = 0; k < w->locked; k++) {
        double sum = 0;
        for (int32_t i = 0; i < w->m; i++)
            sum += rbv_singular_work_u(w, i, k) * w->norm[i] * at->gamma_D[w->row[i]];
        for (int32_t j = 0; j < w->n; j++)
            w->y[j] += rbv_singular_work_v(w, j, k) * sum / w->sigma[k];
    }
}

/* out = S M S y. */
static void inertia(const RbvSingularWork *w, const RbvState *at, RbvTwist *twists, const double *y, double *out) {
    const RbvBodyColumns *bodies = &at->system->bodies;
    for (int32_t j = 0; j < w->n; j++)
        out[j] = w->scale[j] * y[j];
    for (int32_t b = 1; b < bodies->count; b++)
        twists[b] = rbv_bodies_twist(bodies, b, out);
    rbv_state_body_inertia(at, twists, out);
    for (int32_t j = 0; j < w->n; j++)
        out[j] *= w->scale[j];
}

/* f: scaled forces on bodies. */
static void take_forces(RbvSingularWork *w, const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_put(bodies, b, (RbvTwist){state->wrenches[b].force, state->wrenches[b].torque}, w->f);
    for (int32_t j = 0; j < w->n; j++)
        w->f[j] *= w->scale[j];
}

/* x = S y: accelerations of bodies. */
static void unscale(RbvSingularWork *w) {
    for (int32_t j = 0; j < w->n; j++)
        w->x[j] = w->scale[j] * w->y[j];
}

/* y += Z z, with H z + G^T mu = Z^T (f - M y), G z = g for r rows: K = [H G^T; G 0]. On return mu[r] is in g. False:
 * singular. */
static bool minimize(RbvSingularWork *w, const RbvState *at, RbvTwist *twists, double *g) {
    size_t d = (size_t)w->d, r = (size_t)w->r, all = d + r, n = (size_t)w->n;
    double *b = w->x2, *solution = malloc((all + 1) * sizeof *solution);
    if (!solution)
        return false;
    inertia(w, at, twists, w->y, b);
    for (size_t j = 0; j < n; j++)
        b[j] = w->f[j] - b[j];
    for (size_t k = 0; k < d; k++) {
        solution[k] = 0;
        for (size_t j = 0; j < n; j++)
            solution[k] += rbv_singular_work_v(w, (int32_t)j, w->locked + (int32_t)k) * b[j];
    }
    memset(w->K, 0, all * all * sizeof *w->K);
    for (size_t k = 0; k < d; k++) {
        for (size_t j = 0; j < n; j++)
            w->x[j] = rbv_singular_work_v(w, (int32_t)j, w->locked + (int32_t)k);
        inertia(w, at, twists, w->x, b);
        for (size_t i = 0; i < d; i++)
            for (size_t j = 0; j < n; j++)
                w->K[i * all + k] += rbv_singular_work_v(w, (int32_t)j, w->locked + (int32_t)i) * b[j];
        for (size_t i = 0; i < r; i++)
            w->K[(d + i) * all + k] = w->K[k * all + d + i] = w->G[i * d + k];
    }
    for (size_t i = 0; i < r; i++)
        solution[d + i] = g[i];
    bool good = all == 0 || rbv_lapack_lu((int32_t)all, w->K, w->pivot) == RBV_OK;
    if (good && all > 0)
        rbv_lapack_lu_solve((int32_t)all, w->K, w->pivot, solution);
    for (size_t k = 0; good && k < d; k++)
        for (size_t j = 0; j < n; j++)
            w->y[j] += rbv_singular_work_v(w, (int32_t)j, w->locked + (int32_t)k) * solution[k];
    memcpy(g, solution + d, r * sizeof *g);
    free(solution);
    return good;
}

/* Finds E = N^T dD[u] S, F = E Z, and the number of self-stresses that the motion loses. False: in doubt, or *status is
 * not OK. */
static bool find_lost(RbvSingularWork *w, RbvState *at, RbvStatus *status) {
    const RbvRowPattern *D = &at->system->D;
    size_t n = (size_t)w->n, p = (size_t)w->p, d = (size_t)w->d, most = p < d ? p : d;
    RbvArena arena = {0};
    double *row = rbv_arena_array(&arena, n + 64, sizeof *row), *A = rbv_arena_array(&arena, p * d + 1, sizeof *A),
           *vt = rbv_arena_array(&arena, d * d + 1, sizeof *vt);
    bool sure = row && A && vt;
    *status = sure ? RBV_OK : RBV_NO_MEMORY;
    memset(w->E, 0, p * n * sizeof *w->E);
    for (int32_t i = 0; sure && i < w->m; i++) {
        int32_t k = w->row[i];
        rbv_state_row_derivative(at, k, at->v, row);
        for (size_t j = 0; j < p; j++)
            for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
                w->E[j * n + (size_t)D->column[e]] += rbv_singular_work_u(w, i, w->locked + (int32_t)j) * w->norm[i] *
                                                      row[e - D->start[k]] * w->scale[D->column[e]];
    }
    for (size_t j = 0; sure && j < p; j++)
        for (size_t k = 0; k < d; k++) {
            double sum = 0;
            for (size_t i = 0; i < n; i++)
                sum += w->E[j * n + i] * rbv_singular_work_v(w, (int32_t)i, w->locked + (int32_t)k);
            w->F[j * d + k] = A[k * p + j] = sum;
        }
    if (sure && most > 0)
        *status = rbv_lapack_svd('A', w->p, w->d, A, w->f_sigma, w->W, vt);
    for (size_t j = 0; most == 0 && j < p; j++) { /* nothing moves: no self-stress is lost, W is the identity */
        memset(w->W + j * p, 0, p * sizeof *w->W);
        w->W[j * p + j] = 1;
    }
    w->r = 0;
    for (size_t k = 0; sure && *status == RBV_OK && k < most; k++) {
        w->r += w->f_sigma[k] > LOST * w->speed;
        sure = sure && (w->f_sigma[k] > LOST * w->speed || w->f_sigma[k] <= RBV_BALANCED * w->speed);
    }
    for (size_t i = 0; i < (size_t)w->r; i++)
        for (size_t k = 0; k < d; k++) {
            w->G[i * d + k] = 0;
            for (size_t j = 0; j < p; j++)
                w->G[i * d + k] += w->W[i * p + j] * w->F[j * d + k];
        }
    rbv_arena_clear(&arena);
    return sure && *status == RBV_OK;
}

/* R = d/dt of N^T (D a - gamma) along the motion with the accelerations S y: third order. False: not finite. */
static bool third_order(const RbvSingular *s, RbvSingularWork *w, double *R) {
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    double h = STEP / w->rate;
    bool good = true;
    memset(R, 0, (size_t)w->p * sizeof *R);
    unscale(w);
    for (int k = 0; good && k < 4; k++) {
        good = place_nearby(s, w->x, at[k] * h);
        rbv_singular_work_residual(w, s->nearby, w->x, w->x2);
        for (int32_t j = 0; j < w->p; j++)
            R[j] += weight[k] * w->x2[j] / (12 * h);
    }
    return place_nearby(s, w->x, 0) && good;
}

/* Names the rows with the largest entries of n[m], and finds their residual in their own units. */
static void name_rows(RbvSingular *s, const RbvSingularWork *w, const double *n) {
    double most = 0;
    size_t used = 0;
    int32_t count = 0;
    char name[160], last[160] = "";
    for (int32_t i = 0; i < w->m; i++)
        most = rbv_max(most, fabs(n[i]));
    s->names[0] = '\0';
    s->residual = 0;
    for (int32_t i = 0; i < w->m && most > 0; i++) {
        const RbvRow *row = &s->flow->system->rows[w->row[i]];
        if (fabs(n[i]) < NAMED * most)
            continue;
        if (fabs(n[i]) / w->norm[i] > s->residual)
            s->residual = fabs(n[i]) / w->norm[i], s->angular = row->angular;
        rbv_system_row_name(s->flow->system, w->row[i], name, sizeof name);
        if (strcmp(name, last) == 0 || ++count > MOST_NAMES || used >= sizeof s->names)
            continue;
        used += (size_t)snprintf(s->names + used, sizeof s->names - used, "%s%s", used ? ", " : "", name);
        snprintf(last, sizeof last, "%s", name);
    }
}

/* Names the rows whose accelerations cannot all be satisfied, from the combination U c. */
static void blame(RbvSingular *s, const RbvSingularWork *w, const double *c, double *n) {
    for (int32_t i = 0; i < w->m; i++) {
        n[i] = 0;
        for (int32_t j = 0; j < w->p; j++)
            n[i] += rbv_singular_work_u(w, i, w->locked + j) * c[j];
    }
    s->moves = w->speed > 0 && w->d > 0;
    name_rows(s, w, n);
}

/* Largest part of c[p] along self-stresses lost along the motion, and along the others. */
static void split(const RbvSingularWork *w, const double *c, double *lost, double *kept) {
    *lost = *kept = 0;
    for (int32_t i = 0; i < w->p; i++) {
        double sum = 0;
        for (int32_t j = 0; j < w->p; j++)
            sum += w->W[(size_t)i * (size_t)w->p + (size_t)j] * c[j];
        double *most = i < w->r ? lost : kept;
        *most = rbv_max(*most, fabs(sum));
    }
}

/* Subtracts w->x[n], over bodies, from the velocities of the flow's state and evaluates what follows. False: not
 * finite. */
static bool change_rates(const RbvSingular *s, RbvSingularWork *w) {
    RbvState *state = s->flow->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    const RbvCoordinates *coordinates = &state->system->coordinates;
    for (int32_t b = 1; b < bodies->count; b++) {
        if (rbv_singular_parts_of_body(&s->parts, b) != w->kind)
            continue;
        RbvTwist by = rbv_bodies_twist(bodies, b, w->x);
        state->twists[b] = (RbvTwist){rbv_sub(state->twists[b].v, by.v), rbv_sub(state->twists[b].w, by.w)};
        rbv_bodies_put(bodies, b, state->twists[b], w->x2);
    }
    for (int32_t j = 0; coordinates->of_bodies && j < w->wide; j++)
        state->v[w->column[j]] = w->x2[w->column[j]];
    if (!coordinates->of_bodies)
        coordinates->kind->take_rates(coordinates, rbv_state_at(state), state->twists, state->v);
    return rbv_state_move(state) && rbv_state_load(state) && place_nearby(s, w->x, 0);
}

/* Where rows repeat others, small singular values yielded when velocities were projected (saddle.h). Completes the
 * projection: u -= D^+ (D u - nu). False: not finite. */
static bool hold_rates(const RbvSingular *s, RbvSingularWork *w) {
    const RbvState *at = s->nearby;
    double size = 0, change = 0;
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    for (int32_t k = 0; k < w->most && w->sigma[k] > DROPPED * w->sigma[0]; k++) {
        double sum = 0;
        for (int32_t i = 0; i < w->m; i++)
            sum += rbv_singular_work_u(w, i, k) *
                   (rbv_singular_work_times(w, at, i, at->v) - w->norm[i] * at->nu[w->row[i]]);
        for (int32_t j = 0; j < w->n; j++)
            w->x[j] += w->scale[j] * rbv_singular_work_v(w, j, k) * sum / w->sigma[k];
    }
    for (int32_t i = 0; i < w->wide; i++) {
        int32_t j = w->column[i];
        size = rbv_max(size, fabs(at->v[j]) / w->scale[j]);
        change = rbv_max(change, fabs(w->x[j]) / w->scale[j]);
    }
    return change <= RBV_SUM_EXACT * size || change_rates(s, w);
}

/* u -= S Z F^+ c / 2: projects velocities onto those that motions have. False: not finite. */
static bool correct_rates(const RbvSingular *s, RbvSingularWork *w) {
    size_t d = (size_t)w->d;
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    for (int32_t i = 0; i < w->r; i++) { /* rows of G are orthogonal */
        double sum = 0, square = w->f_sigma[i] * w->f_sigma[i];
        for (int32_t j = 0; j < w->p; j++)
            sum += w->W[(size_t)i * (size_t)w->p + (size_t)j] * w->c[j];
        for (size_t k = 0; k < d; k++)
            for (int32_t j = 0; j < w->n; j++)
                w->x[j] += 0.5 * w->scale[j] * rbv_singular_work_v(w, j, w->locked + (int32_t)k) *
                           w->G[(size_t)i * d + k] * sum / square;
    }
    return change_rates(s, w);
}

/* Writes the accelerations found into the flow's state: those of bodies, and v' without the terms of the velocities. */
static void put_in(const RbvSingular *s, RbvSingularWork *w, RbvTwist *twists) {
    RbvState *state = s->flow->state;
    const RbvBodyColumns *bodies = &state->system->bodies;
    const RbvCoordinates *coordinates = &state->system->coordinates;
    unscale(w);
    for (int32_t b = 1; b < bodies->count; b++)
        if (rbv_singular_parts_of_body(&s->parts, b) == w->kind)
            state->accelerations[b] = rbv_bodies_twist(bodies, b, w->x);
    for (int32_t j = 0; coordinates->of_bodies && j < w->wide; j++)
        state->a[w->column[j]] = w->x[w->column[j]];
    if (coordinates->of_bodies)
        return;
    const RbvTwist *bias = rbv_state_bias(state);
    for (int32_t b = 1; b < bodies->count; b++)
        twists[b] =
            (RbvTwist){rbv_sub(state->accelerations[b].v, bias[b].v), rbv_sub(state->accelerations[b].w, bias[b].w)};
    coordinates->kind->take_rates(coordinates, rbv_state_at(state), twists, state->a);
}

/* Finds lambda from the singular values that are not dropped, and the growing part N W mu. */
static void find_multipliers(RbvSingular *s, RbvSingularWork *w, RbvTwist *twists, const double *mu) {
    const RbvSystem *system = s->flow->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t lost = 0;
    double largest = 0;
    memset(s->lambda, 0, (size_t)system->row_count * sizeof *s->lambda);
    memset(s->growth, 0, (size_t)system->row_count * sizeof *s->growth);
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    while (lost < w->most && (lost < w->locked || w->sigma[lost] > DROPPED * w->sigma[0]))
        lost++;
    for (int32_t i = 0; lost == w->locked && i < w->r; i++)
        for (int32_t j = 0; j < w->p; j++) {
            double part = w->W[(size_t)i * (size_t)w->p + (size_t)j] * mu[i];
            for (int32_t k = 0; k < w->n; k++)
                w->x[k] -= part * w->E[(size_t)j * (size_t)w->n + (size_t)k]; /* forces, scaled */
            for (int32_t k = 0; k < w->m; k++)
                s->growth[w->row[k]] += part * w->norm[k] * rbv_singular_work_u(w, k, w->locked + j);
        }
    inertia(w, s->nearby, twists, w->y, w->x2);
    for (int32_t i = 0; i < w->wide; i++) {
        int32_t j = w->column[i];
        w->x2[j] = w->f[j] + w->x[j] - w->x2[j];
        largest = rbv_max(largest, rbv_max(fabs(w->f[j]), fabs(w->x2[j])));
    }
    for (int32_t k = 0; k < lost; k++) {
        double sum = 0;
        for (int32_t j = 0; j < w->wide; j++)
            sum += rbv_singular_work_v(w, w->column[j], k) * w->x2[w->column[j]];
        for (int32_t i = 0; i < w->m; i++)
            s->lambda[w->row[i]] += w->norm[i] * rbv_singular_work_u(w, i, k) * sum / w->sigma[k];
    }
    for (int32_t j = 0; j < w->n; j++) {
        /* Rounding of velocities and differences, as a part of the scale of speeds and accelerations. */
        s->grows = s->grows || fabs(w->x[j]) > RBV_BALANCED * largest;
        w->x[j] /= w->scale[j];
    }
    for (int32_t b = 1; b < bodies->count; b++) {
        RbvTwist force = rbv_bodies_twist(bodies, b, w->x);
        s->missing[b] = (RbvWrench){force.v, force.w};
    }
}

void rbv_singular_put(const RbvSingular *s, double *lambda) {
    const RbvSystem *system = s->flow->system;
    for (int32_t k = 0; k < system->row_count; k++)
        if (system->row_part[k] >= 0 && s->parts.kind[system->row_part[k]] == RBV_PART_FOLLOWED)
            lambda[k] = s->lambda[k];
}

/* Returns whether, from rest, N^T (D a - gamma), of second order in time, vanishes along the accelerations. */
static bool goes_on_from_rest(const RbvSingular *s, RbvSingularWork *w) {
    double rate = 0, most = 0;
    for (int32_t b = 1; b < s->nearby->system->bodies.count; b++) {
        const RbvTwist *a = &s->flow->state->accelerations[b];
        rate = rbv_max(rate, rbv_norm(a->w) + rbv_norm(a->v) / rbv_state_body_size(s->nearby, b));
        rbv_bodies_put(&s->nearby->system->bodies, b, *a, w->x);
    }
    if (!(rate > 0))
        return true;
    double h = STEP / sqrt(rate);
    if (!place_nearby(s, w->x, h))
        return false;
    rbv_singular_work_residual(w, s->nearby, w->x, w->c);
    for (int32_t j = 0; j < w->p; j++)
        most = rbv_max(most, fabs(w->c[j]));
    return place_nearby(s, w->x, 0) && most <= FROM_REST * h * h * rate * w->size;
}

/* Returns whether the rows that the motion does not lose here repeat others at all positions. */
static bool lasts(RbvSingular *s, RbvSolvability *solvability, const RbvSingularWork *w, RbvStatus *status) {
    int32_t left = w->p - w->r, persistent = 0, *lasting = &s->lasting[w->kind];
    if (left <= *lasting)
        return true;
    for (int32_t b = 0; b < solvability->blocks.block_count && persistent >= 0; b++) {
        if (rbv_singular_parts_of_block(&s->parts, solvability, b) != w->kind)
            continue;
        int32_t of_block = rbv_branches_persistent(solvability, s->nearby, b);
        persistent = of_block < 0 ? of_block : persistent + of_block;
    }
    if (persistent == -2)
        *status = RBV_NO_MEMORY;
    *lasting = persistent >= 0 && persistent < left ? persistent : left;
    return *lasting == left;
}

/* Finds the accelerations of the motion through the position. */
static RbvSingularKind follow(RbvSingular *s, RbvSingularWork *w, RbvTwist *twists) {
    double lost, kept, *mu = w->c;
    int32_t r = w->r;
    w->r = 0;
    if (!minimize(w, s->nearby, twists, mu))
        return RBV_SINGULAR_NOT;
    w->r = r;
    if (r > 0) {
        if (!third_order(s, w, w->R))
            return RBV_SINGULAR_NOT;
        split(w, w->R, &lost, &kept);
        if (kept > THIRD * w->rate * w->size)
            return RBV_SINGULAR_OPEN;
        for (int32_t i = 0; i < r; i++) { /* 3 G dz = -W^T R */
            mu[i] = 0;
            for (int32_t j = 0; j < w->p; j++)
                mu[i] -= w->W[(size_t)i * (size_t)w->p + (size_t)j] * w->R[j] / 3;
        }
        if (!minimize(w, s->nearby, twists, mu))
            return RBV_SINGULAR_NOT;
    }
    put_in(s, w, twists);
    find_multipliers(s, w, twists, mu);
    if (s->grows) {
        double *n = w->R;
        for (int32_t i = 0; i < w->m; i++)
            n[i] = s->growth[w->row[i]];
        name_rows(s, w, n);
    }
    return RBV_SINGULAR_FOLLOWED;
}

/* c: residual N^T (D a - gamma) due to velocities; *lost, *kept: for self-stresses that are lost, and for the others.
 */
static void second_order(const RbvSingular *s, RbvSingularWork *w, double *lost, double *kept) {
    take_forces(w, s->flow->state);
    particular(w, s->nearby);
    unscale(w);
    rbv_singular_work_residual(w, s->nearby, w->x, w->c);
    split(w, w->c, lost, kept);
}

/* Projects velocities onto those of a motion. *kind CONTRADICTS: there are none. False: not finite. */
static bool find_rates(RbvSingular *s, RbvSingularWork *w, double weak, double tolerance, RbvSingularKind *kind) {
    double lost, kept, fits = rbv_max(RBV_BALANCED, TOLERANCES * tolerance) + 10 * weak;
    double off_by = rbv_saddle_is_redundant(s->flow->saddle) ? rbv_max(fits, GIVEN_WAY) : fits;
    second_order(s, w, &lost, &kept);
    if (kept > fits * w->size || lost > off_by * w->size) {
        blame(s, w, w->c, w->K);
        *kind = RBV_SINGULAR_CONTRADICTS;
        return true;
    }
    for (int step = 0; w->r > 0 && step < MOST_STEPS && lost > rbv_max(10 * weak, RBV_SUM_EXACT) * w->size; step++) {
        if (!correct_rates(s, w))
            return false;
        second_order(s, w, &lost, &kept);
    }
    return true;
}

/* Next to the position: returns whether, with the accelerations found, the residual N^T (D a - gamma), in c, exceeds
 * rounding, so that velocities need correction. */
static bool leaves_residual(const RbvSingular *s, RbvSingularWork *w) {
    double lost, kept;
    unscale(w);
    rbv_singular_work_residual(w, s->nearby, w->x, w->c);
    split(w, w->c, &lost, &kept);
    /* What is left after correction. */
    return lost > RBV_SAME * w->size;
}

/* At rest there is no third order, only second order. Returns whether more rows are held then. */
static bool lock_at_rest(RbvSingularWork *w) {
    int32_t locked = w->locked;
    while (w->locked < w->most && w->sigma[w->locked] > LOCKED_AT_REST * w->sigma[0])
        w->locked++;
    w->p = w->m - w->locked;
    w->d = w->wide - w->locked;
    return w->locked > locked;
}

/* Returns whether rows on velocities contribute to self-stresses that the motion loses: their third order differs. */
static bool loses_rates(const RbvSingularWork *w, const RbvState *at) {
    for (int32_t k = 0; k < w->r; k++)
        for (int32_t i = 0; i < w->m; i++) {
            double share = 0;
            for (int32_t j = 0; j < w->p; j++)
                share += w->W[(size_t)k * (size_t)w->p + (size_t)j] * rbv_singular_work_u(w, i, w->locked + j);
            if (at->system->rows[w->row[i]].on_rates && fabs(share) > RBV_FITS)
                return true;
        }
    return false;
}

/* Forces depend on reactions: if the position is singular, the accelerations are unknown. */
static RbvStatus look_at_loaded(RbvSingular *s, RbvSolvability *solvability, RbvSingularWork *w,
                                RbvSingularKind *kind) {
    RbvStatus status = RBV_OK;
    measure(s, w, s->flow->state);
    bool rests = !(w->speed > 0), sure = find_lost(w, s->nearby, &status);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    bool last = lasts(s, solvability, w, &status);
    if (w->r > 0)
        *kind = RBV_SINGULAR_LOADED;
    else if (!sure || !last)
        *kind = rests && goes_on_from_rest(s, w) ? RBV_SINGULAR_NOT : RBV_SINGULAR_LOADED;
    return status;
}

static RbvStatus look_at_followed(RbvSingular *s, RbvSolvability *solvability, double tolerance, RbvSingularWork *w,
                                  RbvTwist *twists, RbvSingularKind *kind) {
    RbvState *state = s->flow->state;
    RbvStatus status = RBV_OK;
    bool redundant = rbv_saddle_is_redundant(s->flow->saddle);
    if (redundant && !hold_rates(s, w))
        return RBV_OK;
    measure(s, w, state);
    bool rests = !(w->speed > 0), nearly = w->p == 0 || (rests && lock_at_rest(w)),
         sure = find_lost(w, s->nearby, &status);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    double weak = w->locked < w->most ? w->sigma[w->locked] / w->sigma[0] : 0;
    if (!find_rates(s, w, weak, tolerance, kind) || *kind == RBV_SINGULAR_CONTRADICTS)
        return RBV_OK;
    if (loses_rates(w, s->nearby)) {
        *kind = RBV_SINGULAR_LOADED;
        s->parts.cause = "rows on rates";
        return RBV_OK;
    }
    if (!sure || !lasts(s, solvability, w, &status)) {
        *kind = rests && goes_on_from_rest(s, w) ? RBV_SINGULAR_NOT : RBV_SINGULAR_OPEN;
        return status;
    }
    if (w->r > 0 || weak >= DROPPED || redundant || nearly)
        *kind = follow(s, w, twists);
    for (int step = 0; *kind == RBV_SINGULAR_FOLLOWED && w->r > 0 && step < MOST_STEPS && leaves_residual(s, w);
         step++) {
        if (!correct_rates(s, w))
            return RBV_OK;
        take_forces(w, state);
        particular(w, s->nearby);
        *kind = follow(s, w, twists);
    }
    return RBV_OK;
}

/* Examines the parts of kind `parts`. */
static RbvStatus look(RbvSingular *s, RbvSolvability *solvability, double tolerance, RbvPartKind parts,
                      RbvSingularKind *kind) {
    RbvSingularWork w = {0};
    RbvTwist *twists = calloc((size_t)s->flow->system->bodies.count + 1, sizeof *twists);
    bool memory = twists && create_nearby(s) && rbv_singular_work_create(&w, s->flow->state, &s->parts, parts);
    RbvStatus status = memory ? RBV_OK : RBV_NO_MEMORY;
    w.kind = parts;
    if (memory && place_nearby(s, NULL, 0)) {
        status = rbv_singular_work_decompose(&w, s->nearby);
        if (status == RBV_OK)
            status = parts == RBV_PART_LOADED ? look_at_loaded(s, solvability, &w, kind)
                                              : look_at_followed(s, solvability, tolerance, &w, twists, kind);
        status = status == RBV_NO_MEMORY ? status : RBV_OK;
    }
    rbv_singular_work_destroy(&w);
    free(twists);
    return status;
}

/* Examines the parts of kind `parts` if some of their redundant rows are not known to persist, or if `nearly`. In parts
 * too large for this all redundant rows are assumed to persist. */
static RbvStatus look_at(RbvSingular *s, RbvSolvability *solvability, double tolerance, RbvPartKind parts, bool nearly,
                         RbvSingularKind *kind) {
    *kind = RBV_SINGULAR_NOT;
    if (s->parts.columns[parts] > MOST_COLUMNS)
        s->lasting[parts] = s->parts.redundant[parts];
    else if (s->parts.redundant[parts] > s->lasting[parts] || nearly)
        return look(s, solvability, tolerance, parts, kind);
    return RBV_OK;
}

RbvStatus rbv_singular_look(RbvSingular *s, RbvSolvability *solvability, double tolerance, RbvSingularKind *kind) {
    const int32_t lasting = s->lasting[RBV_PART_FOLLOWED] + s->lasting[RBV_PART_LOADED];
    double near = rbv_saddle_is_redundant(s->flow->saddle) ? NEAR : YIELDS;
    RbvSingularKind loaded;
    *kind = RBV_SINGULAR_NOT;
    s->grows = s->followed = false;
    memset(s->missing, 0, ((size_t)s->flow->system->bodies.count + 1) * sizeof *s->missing);
    if (s->flow->tracking || (solvability->redundant <= lasting && solvability->smallest > near))
        return RBV_OK;
    rbv_singular_parts_find(&s->parts, solvability, near);
    bool nearly = s->parts.smallest[RBV_PART_FOLLOWED] <= near;
    RbvStatus status = look_at(s, solvability, tolerance, RBV_PART_FOLLOWED, nearly, kind);
    s->followed = *kind == RBV_SINGULAR_FOLLOWED;
    if (status == RBV_OK && *kind != RBV_SINGULAR_CONTRADICTS)
        status = look_at(s, solvability, tolerance, RBV_PART_LOADED, false, &loaded);
    else
        loaded = RBV_SINGULAR_NOT;
    *kind = loaded != RBV_SINGULAR_NOT ? loaded : *kind;
    return status;
}
