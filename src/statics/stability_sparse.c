/* Stability of large systems: the smallest mu of K u = mu M u on the tangent space of Phi = 0, without forming that
 * space.
 *
 *   [ K - s M   C^T ] [ y ]   [ M x ]
 *   [ C          0  ] [ l ] = [ 0   ]      y = OP x,   OP u = u / (mu - s)
 * OP is self-adjoint in M, and its eigenvalue of largest magnitude belongs to the mu nearest to the shift s. A shift
 * just below zero gives the curvature nearest to zero. Signs of pivots mostly show that none is negative. Where they do
 * not, shifts from -(the largest possible |mu|) up to there find one: a mu in (2 s, 0) is nearer to s than all positive
 * ones, and none of the larger shifts has found it. Massless directions get a small mass, so that one with negative
 * stiffness appears as a huge negative mu. */
#include "core/base/tolerances.h"
#include "core/solve/definite.h"
#include "core/solve/lanczos.h"
#include "statics/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of the largest mass that every direction gets. */
#define LEAST_MASS 1e-12
/* The shift that stands for zero, as a part of kappa over the largest mass: rounding of K. */
#define JUST_BELOW 1e-12
/* Compliance of the rows times kappa; passes remove its effect. */
#define COMPLIANCE 1e-12
#define SPARSE_PASSES 2
/* Ratio of successive shifts. A negative mu a hundred times nearer to zero than the shift is nearer to the shift by a
 * hundredth than positive ones, which the steps of one sweep resolve. */
#define PER_SHIFT 100.0
#define RESTARTS 8
#define BEYOND 1.7 /* the first shift must not coincide with the largest possible |mu| */
/* Most searches for a still lower mu; largest entry of C u, over that of u, of a motion u that satisfies the rows. */
#define MOST_LOWER 20

typedef struct SparseSearch {
    RbvBalance *b;
    double *f, *h, *l, *y; /* [n], [rows], [rows], [n] workspace */
    double mass;           /* largest mass of a body */
    double shift;
} SparseSearch;

static void apply_mass(void *context, const double *x, double *out) {
    SparseSearch *s = context;
    const RbvBalance *b = s->b;
    for (int32_t j = 0; j < b->n; j++)
        s->y[j] = b->scale[j] * x[j];
    rbv_state_inertia(b->state, s->y, out);
    for (int32_t j = 0; j < b->n; j++)
        out[j] = out[j] * b->scale[j] + LEAST_MASS * s->mass * x[j];
}

static bool apply_inverse(void *context, const double *x, double *out) {
    SparseSearch *s = context;
    RbvBalance *b = s->b;
    if (rbv_progress_stops(b->state->progress))
        return false;
    apply_mass(s, x, s->f);
    memset(s->l, 0, (size_t)b->rows * sizeof *s->l);
    for (int pass = 0; pass < SPARSE_PASSES; pass++) {
        for (int32_t k = 0; k < b->rows; k++)
            s->h[k] = -b->compliance * s->l[k];
        rbv_balance_solve(b, s->f, s->h, out, s->l);
    }
    for (int32_t j = 0; j < b->n; j++)
        if (!isfinite(out[j]))
            return false;
    return true;
}

/* The mu nearest to a shift, and its motion x, from the start in x. NOT_CONVERGED: *mu is no nearer to the shift than
 * the one sought. */
static RbvLanczosEnd find_nearest(SparseSearch *s, double shift, int32_t restarts, double *mu, double *x) {
    RbvBalance *b = s->b;
    RbvLanczos problem = {b->n, apply_inverse, apply_mass, s};
    double theta;
    s->shift = shift;
    if (!rbv_balance_factor(b, -shift * LEAST_MASS * s->mass / b->kappa, -shift, COMPLIANCE / b->kappa))
        return RBV_LANCZOS_FAILED;
    /* Of 1/(mu - s). */
    RbvLanczosEnd end = rbv_lanczos(&problem, RBV_DATA, restarts, &theta, x);
    *mu = shift + 1 / theta;
    return end;
}

/* Pseudo-random start vector without preferred directions: the same in every run. */
static void fill_start(int32_t n, double *x) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    for (int32_t j = 0; j < n; j++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        x[j] = (double)(seed >> 11) / 4503599627370496.0 - 1;
    }
}

/* Upper bound of |mu|: row sums of |K| over the rows' mass. */
static double largest_curvature(SparseSearch *s) {
    const RbvBalance *b = s->b;
    const RbvBodyColumns *bodies = &b->system->bodies;
    double largest = 0;
    for (int32_t i = 1; i < bodies->count; i++) {
        const RbvBody *body = &b->system->model->bodies.items[i];
        double J[3][3], lightest = body->mass;
        rbv_state_tensor(b->state, i, J);
        if (!body->particle) {
            double arm = b->scale[bodies->start[i + 1] - 1], det = bodies->spatial ? 0 : J[2][2];
            double trace = J[0][0] + J[1][1] + J[2][2], minors = J[0][0] * J[1][1] + J[1][1] * J[2][2] +
                                                                 J[2][2] * J[0][0] - J[0][1] * J[0][1] -
                                                                 J[1][2] * J[1][2] - J[0][2] * J[0][2];
            if (bodies->spatial) /* the least principal moment is at least det / minors */
                det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                      J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                      J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
            double least = det;
            if (bodies->spatial)
                least = minors > 1e-12 * trace * trace ? det / minors : 0;
            lightest = fmin(lightest, fmax(least, 0) * arm * arm);
        }
        for (int32_t r = bodies->start[i]; r < bodies->start[i + 1]; r++) {
            double sum = 0;
            for (int32_t c = 0; c < b->width[r]; c++)
                sum += fabs(b->values[b->start[r] + c]);
            largest = fmax(largest, sum / (lightest + LEAST_MASS * s->mass));
        }
    }
    return largest;
}

/* u^T K u / u^T M u with the K of the last factorization at shift 0. */
static double rayleigh_quotient(SparseSearch *s, const double *u) {
    double *Mu = s->f, *Ku = s->b->K_y;
    apply_mass(s, u, Mu);
    rbv_balance_stiffness(s->b, u, Ku);
    double all = rbv_balance_dot(s->b, u, Mu), own = all - LEAST_MASS * s->mass * rbv_balance_dot(s->b, u, u);
    return rbv_balance_dot(s->b, u, Ku) / (own > 0.5 * all ? own : all);
}

/* True if a motion satisfies the rows; a motion of a mechanism without freedom is rounding, and does not. */
static bool is_tangent(const SparseSearch *s, const double *u) {
    const RbvBalance *b = s->b;
    double most = 0, size = 0;
    for (int32_t k = 0; k < b->rows; k++) {
        double sum = 0;
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            sum += b->C[e] * u[b->system->C.column[e]];
        most = fmax(most, fabs(sum));
    }
    for (int32_t j = 0; j < b->n; j++)
        size = fmax(size, fabs(u[j]));
    return most <= RBV_FITS * size;
}

/* Finds the lowest mu below zero; *found: there is one. */
static RbvLanczosEnd find_negative(SparseSearch *s, double top, double bottom, double *mu, double *x, bool *found) {
    RbvLanczosEnd end = RBV_LANCZOS_FOUND;
    *found = false;
    for (double shift = -top; !*found && shift < -bottom; shift /= PER_SHIFT) {
        fill_start(s->b->n, x);
        end = find_nearest(s, shift, 0, mu, x);
        *found = *mu < 0 && (end == RBV_LANCZOS_FOUND || end == RBV_LANCZOS_NOT_CONVERGED);
        if (*found && end == RBV_LANCZOS_NOT_CONVERGED)
            end = find_nearest(s, shift, RESTARTS, mu, x);
        if (end != RBV_LANCZOS_FOUND && end != RBV_LANCZOS_NOT_CONVERGED)
            return end;
    }
    if (!*found)
        return RBV_LANCZOS_FOUND;
    for (int k = 0; *found && k < MOST_LOWER; k++) { /* searches for a lower one near by */
        double lower = *mu;
        double *y = s->y + s->b->n;
        fill_start(s->b->n, y);
        end = find_nearest(s, 1.5 * *mu, RESTARTS, &lower, y);
        if (end != RBV_LANCZOS_FOUND || !(lower < *mu * (1 + 1e-6)))
            return end;
        *mu = lower;
        memcpy(x, y, (size_t)s->b->n * sizeof *x);
    }
    return end;
}

/* Part of the margin of the heaviest body that rounding may take from each pivot. */
#define PIVOT_PART 0.1

/* The largest diagonal entry of C^T C; of rows of unit length it is the number of rows that one motion changes. */
static double largest_of_rows(const SparseSearch *s) {
    const RbvBalance *b = s->b;
    double most = 1;
    memset(s->y, 0, (size_t)b->n * sizeof *s->y);
    for (int32_t k = 0; k < b->rows; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            s->y[b->system->C.column[e]] += b->C[e] * b->C[e];
    for (int32_t j = 0; j < b->n; j++)
        most = fmax(most, s->y[j]);
    return most;
}

/* True if the signs of pivots show that no mu lies below -margin: K + margin M is definite on the rows, even with what
 * the pivots may have lost by rounding taken off its diagonal. A light body has no margin of its own above that, but
 * stiffness. Curvature across the rows is C^T C / c, as large as this rounding allows: that of some tens of sums. */
static bool is_none_below(SparseSearch *s, double margin) {
    RbvBalance *b = s->b;
    double part = fmin(margin * s->mass / b->kappa, 1);
    if (!(part >= RBV_DATA))
        return false;
    double lost = PIVOT_PART * part; /* over kappa */
    rbv_balance_fill(b, part * LEAST_MASS - lost, margin, RBV_SUM_EXACT * largest_of_rows(s) / (lost * b->kappa));
    return rbv_definite_on_rows(b->n, b->rows, b->start, b->index, b->values);
}

static void decide_sparse(SparseSearch *s, RbvStability *to, bool below) {
    RbvBalance *b = s->b;
    rbv_balance_fill_stiffness(b);
    to->margin = rayleigh_quotient(s, to->nearest);
    to->level = fabs(to->margin) <= rbv_neutral_threshold(b, RBV_NEUTRAL_PART, to->nearest, s->y);
    if (!below)
        memcpy(to->direction, to->nearest, (size_t)b->n * sizeof *to->direction);
    to->curvature = rayleigh_quotient(s, to->direction);
    to->kind =
        rbv_neutral_kind(to->curvature, rbv_neutral_threshold(b, RBV_NEUTRAL_PART, to->direction, s->y), &to->edge);
    to->falling = to->kind == RBV_UNSTABLE;
    double lent = LEAST_MASS * s->mass *
                  rbv_balance_dot(b, to->direction, to->direction); /* share of the added mass in u.Mu = 1 */
    if (lent > 0.5 && to->kind != RBV_NEUTRAL)
        to->curvature = NAN; /* the motion with negative stiffness is massless */
}

static bool sparse_create(SparseSearch *s, RbvBalance *b) {
    size_t n = (size_t)b->n, rows = (size_t)b->rows;
    double *block = malloc((3 * n + 2 * rows + 1) * sizeof *block);
    *s = (SparseSearch){.b = b, .f = block};
    if (!block)
        return false;
    s->y = block + n, s->h = block + 3 * n, s->l = block + 3 * n + rows;
    for (int32_t i = 1; i < b->system->bodies.count; i++)
        s->mass = fmax(s->mass, b->system->model->bodies.items[i].mass);
    s->mass = s->mass > 0 ? s->mass : 1; /* a mechanism without mass: only signs matter */
    rbv_balance_fill_stiffness(b);
    return true;
}

static void sparse_destroy(SparseSearch *s) {
    free(s->f);
}

/* Finds a motion x with mu below zero, which is no nearer to it than -margin; *found: there is one. */
static RbvLanczosEnd below_zero(SparseSearch *s, double top, double margin, double *x, bool *found) {
    double mu;
    *found = false;
    return is_none_below(s, margin) ? RBV_LANCZOS_FOUND : find_negative(s, top, margin, &mu, x, found);
}

static RbvLanczosEnd find_lowest(SparseSearch *s, RbvStability *to) {
    RbvBalance *b = s->b;
    bool below = false;
    double mu = 0, top = BEYOND * largest_curvature(s), bottom = JUST_BELOW * b->kappa / s->mass;
    fill_start(b->n, to->nearest);
    RbvLanczosEnd end = find_nearest(s, -bottom, RESTARTS, &mu, to->nearest);
    if (end == RBV_LANCZOS_NONE || (end == RBV_LANCZOS_FOUND && !is_tangent(s, to->nearest))) {
        memset(to->nearest, 0, (size_t)b->n * sizeof *to->nearest);
        to->kind = RBV_STABLE; /* nothing can move */
        return RBV_LANCZOS_FOUND;
    }
    if (end == RBV_LANCZOS_FOUND)
        end = below_zero(s, top, fmax(bottom, 0.5 * fabs(mu)), to->direction, &below);
    if (end == RBV_LANCZOS_FOUND)
        decide_sparse(s, to, below);
    return end;
}

RbvStatus rbv_stability_sparse(RbvBalance *b, RbvStability *to) {
    SparseSearch s;
    if (!sparse_create(&s, b))
        return RBV_NO_MEMORY;
    RbvLanczosEnd end = find_lowest(&s, to);
    sparse_destroy(&s);
    return end == RBV_LANCZOS_NO_MEMORY ? RBV_NO_MEMORY : RBV_OK; /* not converged: stays undecided */
}

/* ---- several motions ---- */

/* Least factor by which the shift grows from one stage to the next; factor where nothing was seen; part of the
 * curvature that is looked for: a shift so near to zero leaves the order of curvatures as it is, to this part. */
#define NEXT_SHIFT 10.0
#define BLIND_SHIFT 1e4
#define SHIFT_PART RBV_LEAST_SCALE

/* Leaves out what is no motion of the mechanism: what does not satisfy the rows, and directions without mass of their
 * own, whose curvature is that of the added mass. One of those without stiffness is told. */
static void sort_out(SparseSearch *s, RbvLowestMotions *to) {
    RbvBalance *b = s->b;
    int32_t count = 0;
    for (int32_t k = 0; k < to->count; k++) {
        double *u = to->u + (size_t)k * (size_t)b->n;
        double neutral = rbv_neutral_threshold(b, RBV_NEUTRAL_PART, u, s->y);
        bool massless = LEAST_MASS * s->mass * rbv_balance_dot(b, u, u) > 0.5, tangent = is_tangent(s, u);
        to->massless = to->massless || (massless && tangent && fabs(to->mu[k]) <= neutral);
        if (massless || !tangent)
            continue;
        memmove(to->u + (size_t)count * (size_t)b->n, u, (size_t)b->n * sizeof *u);
        to->mu[count] = to->mu[k];
        to->neutral[count++] = neutral;
    }
    to->count = count;
}

/* The motions nearest to one shift, beside those known; *left: estimate of the next curvature, 0: none is seen. */
static RbvLanczosEnd find_stage(SparseSearch *s, double shift, int32_t most, double *theta, RbvLowestMotions *to,
                                double *left) {
    RbvBalance *b = s->b;
    RbvLanczos problem = {b->n, apply_inverse, apply_mass, s};
    int32_t known = to->count;
    double largest_left = 0;
    s->shift = -shift;
    for (int32_t k = 0; k < known; k++)
        theta[k] = 1 / (to->mu[k] + shift);
    if (!rbv_balance_factor(b, shift * LEAST_MASS * s->mass / b->kappa, shift, COMPLIANCE / b->kappa))
        return RBV_LANCZOS_FAILED;
    RbvLanczosEnd end = rbv_lanczos_largest(&problem, most, RBV_DATA, theta, to->u, &to->count, &largest_left);
    rbv_balance_fill_stiffness(b);
    for (int32_t k = known; k < to->count; k++)
        to->mu[k] = rayleigh_quotient(s, to->u + (size_t)k * (size_t)b->n);
    *left = largest_left > 0 ? 1 / largest_left : 0;
    return end;
}

/* A shift just below zero shows neutral motions, beside which others are lost: stage by stage the shift goes to where
 * the next curvatures are, with the motions that are known left out. */
static RbvLanczosEnd find_several(SparseSearch *s, int32_t most, double *theta, RbvLowestMotions *to) {
    const RbvBalance *b = s->b;
    double top = BEYOND * largest_curvature(s), shift = JUST_BELOW * b->kappa / s->mass, left = 0;
    RbvLanczosEnd end = RBV_LANCZOS_FOUND;
    while (end == RBV_LANCZOS_FOUND && to->count < most) {
        end = find_stage(s, shift, most, theta, to, &left);
        if (end == RBV_LANCZOS_FOUND && shift > top)
            break; /* nothing else can move */
        shift = left > 0 ? fmax(SHIFT_PART * left, NEXT_SHIFT * shift) : BLIND_SHIFT * shift;
    }
    return end;
}

RbvStatus rbv_lowest_motions(RbvBalance *b, int32_t most, RbvLowestMotions *to) {
    SparseSearch s;
    double *theta = malloc(((size_t)most + 1) * sizeof *theta);
    RbvLanczosEnd end = RBV_LANCZOS_NO_MEMORY;
    if (sparse_create(&s, b) && theta)
        end = find_several(&s, most, theta, to);
    if (end == RBV_LANCZOS_FOUND)
        sort_out(&s, to);
    sparse_destroy(&s);
    free(theta);
    if (end == RBV_LANCZOS_NO_MEMORY)
        return RBV_NO_MEMORY;
    if (rbv_progress_stopped(b->state->progress))
        return RBV_INTERRUPTED;
    return end == RBV_LANCZOS_FOUND ? RBV_OK : RBV_LOCKED;
}
