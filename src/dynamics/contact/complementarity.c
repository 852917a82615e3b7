/* The problem of contact by Newton's method; see complementarity.h.
 *
 * Each member fulfils its conditions if, and only if, it is a projection: p = P(p - rho w), rho > 0, P the nearest
 * point of the cone or disc. Newton's method is applied to this equation (Alart and Curnier 1991), with
 *
 *   w = A p + b + e W (p - c),   W = diag(weight)
 *
 * e makes the equations regular where A is not. c is the initial p, then the p found, which takes the error of e away:
 * what A determines becomes exact, the rest stays as near to the initial p as the first answer was. */
#include "dynamics/contact/complementarity.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "core/linalg/small.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* e; how often the answer is refined at least, and at most, while each time leaves less than SLOWEST of what is not
 * met. */
#define REGULAR 1e-9
#define REFINEMENTS 2
#define MOST_REFINEMENTS 100
#define SLOWEST 0.999
/* Where a refinement leaves more than SLOW of it, as near limits that can only just be met, e falls by FALL to LEAST.
 */
#define SLOW 0.1
#define LEAST 1e-12
/* Factor by which e falls from 1 where Newton's method does not settle with REGULAR at once; most values of e. */
#define FALL 0.1
#define MOST_STAGES 100
/* Most changes of contacts one by one, and most solutions with given radii of discs. */
#define MOST_PIVOTS 1000
#define MOST_TURNS 100
/* Most steps of Newton's method, and most halvings of one step. */
#define MOST_STEPS 40
#define HALVINGS 6

typedef struct Workspace {
    double *J;              /* [size][size + 1] Newton's equations with their right-hand side */
    double *centre, *terms; /* [size] c; sums of the magnitudes of the terms of w */
    double *slope;          /* [size] gradient of a load */
    double *radius, *next;  /* [members] radii of discs; those to solve with next */
    double *last, *step;    /* [size] p before a step, and the step */
    double *kept;           /* [size] the last p found on the way */
    bool fixed;             /* radii stay as they are */
} Workspace;

static Workspace arrays_of(const RbvComplementarity *x) {
    size_t n = (size_t)x->size;
    double *first = x->work + n * (n + 1);
    return (Workspace){.J = x->work,
                       .centre = first,
                       .terms = first + n,
                       .slope = first + 2 * n,
                       .radius = first + 3 * n,
                       .last = first + 4 * n,
                       .step = first + 5 * n,
                       .kept = first + 6 * n,
                       .next = first + 7 * n};
}

/* Weight of the numbers of member k. */
static double weight_of(const RbvComplementarity *x, const RbvCone *k) {
    double most = 0;
    if (x->weight)
        return x->weight[k->first];
    for (int c = 0; c < k->size; c++)
        most = rbv_max(most, x->A[(size_t)(k->first + c) * (size_t)x->size + (size_t)(k->first + c)]);
    return most;
}

/* rho of a member: over the largest diagonal entry of its part of A + e W. 0: nothing moves the member. */
static double step_of(const RbvComplementarity *x, const RbvCone *k, double e) {
    double most = 0;
    for (int c = 0; c < k->size; c++)
        most = rbv_max(most, x->A[(size_t)(k->first + c) * (size_t)x->size + (size_t)(k->first + c)]);
    most += e * weight_of(x, k);
    return most > 0 ? 1 / most : 0;
}

/* w, and the sums of the magnitudes of its terms, for p, e and the centre. */
static void find_rates(const RbvComplementarity *x, Workspace *s, double e) {
    for (int32_t k = 0; k < x->count; k++) {
        double weight = e * weight_of(x, &x->cone[k]);
        for (int32_t i = x->cone[k].first; i < x->cone[k].first + x->cone[k].size; i++) {
            const double *A = x->A + (size_t)i * (size_t)x->size;
            double sum = x->b[i] + weight * (x->p[i] - s->centre[i]), size = fabs(x->b[i]);
            for (int32_t j = 0; j < x->size; j++) {
                sum += A[j] * x->p[j];
                size += fabs(A[j] * x->p[j]);
            }
            x->w[i] = sum;
            s->terms[i] = size;
        }
    }
}

static double length_of(const double *a, int n) {
    double sum = 0;
    for (int c = 0; c < n; c++)
        sum += a[c] * a[c];
    return sqrt(sum);
}

/* P and its derivatives at q, for a disc of radius r: D[n][n] by q, by_radius[n] by r. Returns whether q is within. */
static bool project_disc(const double *q, int n, double r, double *P, double *D, double *by_radius) {
    double size = length_of(q, n);
    bool within = size <= r;
    for (int c = 0; c < n; c++) {
        double direction = size > 0 ? q[c] / size : 0;
        P[c] = within ? q[c] : r * direction;
        by_radius[c] = within ? 0 : direction;
        for (int d = 0; d < n; d++)
            D[c * n + d] = within ? c == d : r / size * ((c == d) - direction * q[d] / size);
    }
    return within;
}

/* The same for the cone (l, f), |f| <= l. Returns whether P is not 0. */
static bool project_cone(const double *q, int n, double *P, double *D) {
    double size = length_of(q + 1, n - 1), along = 0.5 * (q[0] + size);
    bool within = size <= q[0], opposite = size <= -q[0];
    for (int c = 0; c < n; c++) {
        P[c] = within ? q[c] : 0;
        for (int d = 0; d < n; d++)
            D[c * n + d] = within && c == d;
    }
    if (within || opposite)
        return within;
    double ratio = q[0] / size;
    P[0] = along;
    D[0] = 0.5;
    for (int c = 1; c < n; c++) {
        double direction = q[c] / size;
        P[c] = along * direction;
        D[c] = D[c * n] = 0.5 * direction;
        for (int d = 1; d < n; d++)
            D[c * n + d] = 0.5 * ((c == d) * (1 + ratio) - ratio * direction * q[d] / size);
    }
    return true;
}

/* Does contact k, a number >= 0, act? It changes only where a sign is wrong by more than rounding: `most_p`, `most_b`
 * are the largest numbers of p and b. */
static bool acts_at(const RbvComplementarity *x, const RbvCone *k, double most_p, double most_b) {
    /* A wrong sign of a number >= 0, as a part of the largest, may be rounding. */
    return k->acts ? x->p[k->first] >= -RBV_CANCELLED * most_p : x->w[k->first] < -RBV_CANCELLED * most_b;
}

static double largest(const double *x, int32_t n) {
    double most = 0;
    for (int32_t i = 0; i < n; i++)
        most = rbv_max(most, fabs(x[i]));
    return most;
}

/* Decides of all contacts whether they act; one: only the first that changes. Returns whether any changes. */
static bool choose_contacts(RbvComplementarity *x, bool one) {
    double most_p = largest(x->p, x->size), most_b = largest(x->b, x->size);
    bool any = false;
    for (int32_t k = 0; k < x->count; k++) {
        RbvCone *cone = &x->cone[k];
        if (cone->disc || cone->size > 1 || (one && any))
            continue;
        bool acts = acts_at(x, cone, most_p, most_b);
        any = any || acts != cone->acts;
        cone->acts = acts;
    }
    return any;
}

/* Finds P(q) of member k with its derivatives D by q and by_radius by the radius, and s->slope. */
static void project(RbvComplementarity *x, Workspace *s, int32_t k, const double *q, double *P, double *D,
                    double *by_radius) {
    RbvCone *cone = &x->cone[k];
    if (cone->disc && !s->fixed) {
        memset(s->slope, 0, (size_t)x->size * sizeof *s->slope);
        s->radius[k] = cone->radius * (x->load ? x->load(x->context, k, x->p, s->slope) : 1);
    }
    if (cone->disc) {
        cone->acts = project_disc(q, cone->size, s->radius[k], P, D, by_radius);
    } else if (cone->size > 1) {
        cone->acts = project_cone(q, cone->size, P, D);
    } else if (cone->acts) {
        P[0] = q[0];
        D[0] = 1;
    }
}

/* Sets the rows of member k in Newton's equations, J d = P(p - rho w) - p. Returns the largest entry of the right-hand
 * side over its terms. Where nothing moves the member, rho = 0, it stays as it is. */
static double place_member(RbvComplementarity *x, Workspace *s, int32_t k, double e) {
    const RbvCone *cone = &x->cone[k];
    int n = cone->size;
    size_t size = (size_t)x->size, width = size + 1;
    double q[RBV_CONE_MOST], P[RBV_CONE_MOST] = {0}, D[RBV_CONE_MOST * RBV_CONE_MOST] = {0},
                             by_radius[RBV_CONE_MOST] = {0}, worst = 0;
    double rho = step_of(x, cone, e), weight = e * weight_of(x, cone);
    for (int c = 0; c < n; c++)
        q[c] = x->p[cone->first + c] - rho * x->w[cone->first + c];
    project(x, s, k, q, P, D, by_radius);
    bool varies = cone->disc && x->load && !s->fixed;
    for (int c = 0; c < n; c++) {
        double *row = s->J + (size_t)(cone->first + c) * width;
        for (size_t j = 0; j < size; j++) {
            row[j] = varies ? -by_radius[c] * cone->radius * s->slope[j] : 0;
            for (int d = 0; d < n; d++)
                row[j] += rho * D[c * n + d] * x->A[(size_t)(cone->first + d) * size + j];
        }
        for (int d = 0; d < n; d++)
            row[cone->first + d] += (c == d) - D[c * n + d] + rho * weight * D[c * n + d];
        row[size] = P[c] - x->p[cone->first + c];
        double terms = fabs(x->p[cone->first + c]) + (cone->disc ? s->radius[k] : 0) + rho * s->terms[cone->first + c];
        worst = rbv_max(worst, terms > 0 ? fabs(row[size]) / terms : 0);
        if (rho == 0) {
            memset(row, 0, width * sizeof *row);
            row[cone->first + c] = 1;
        }
    }
    return rho > 0 ? worst : 0;
}

/* Sets Newton's equations at p. Returns the largest part of a condition that is not met. */
static double place(RbvComplementarity *x, Workspace *s, double e) {
    double worst = 0;
    find_rates(x, s, e);
    for (int32_t k = 0; k < x->count; k++)
        worst = rbv_max(worst, place_member(x, s, k, e));
    return worst;
}

/* How far p is from a solution: sum of the weighted squares of P(p - rho w) - p, in the units of p A p. */
static double distance(const RbvComplementarity *x, Workspace *s) {
    double sum = 0;
    for (int32_t k = 0; k < x->count; k++)
        for (int32_t i = x->cone[k].first; i < x->cone[k].first + x->cone[k].size; i++) {
            double rest = s->J[(size_t)i * (size_t)(x->size + 1) + (size_t)x->size];
            sum += weight_of(x, &x->cone[k]) * rest * rest;
        }
    return sum;
}

/* Goes from p along Newton's step d, or a part of it that brings p nearer to a solution; where none does, by the whole
 * step. Sets Newton's equations there; *changes: a contact has begun or ceased to act. Returns as `place`. */
static double advance(RbvComplementarity *x, Workspace *s, double e, double was, bool *changes) {
    size_t n = (size_t)x->size;
    double unmet = 0, part = 1;
    memcpy(s->last, x->p, n * sizeof *x->p);
    for (size_t i = 0; i < n; i++)
        s->step[i] = s->J[i * (n + 1) + n];
    for (int trial = 0; trial <= HALVINGS; trial++) {
        part = trial == HALVINGS ? 1 : ldexp(1, -trial);
        for (size_t i = 0; i < n; i++)
            x->p[i] = s->last[i] + part * s->step[i];
        find_rates(x, s, e);
        *changes = choose_contacts(x, false);
        unmet = place(x, s, e);
        if (distance(x, s) <= was)
            break;
    }
    return unmet;
}

/* Newton's method for one e, from the present p. False: it does not settle. */
static bool settle(RbvComplementarity *x, Workspace *s, double e) {
    find_rates(x, s, e);
    bool changes = choose_contacts(x, false);
    double unmet = place(x, s, e), last = INFINITY;
    for (int step = 0; step < MOST_STEPS && isfinite(unmet); step++) {
        /* Parts of a condition's terms: rounding; what steps no longer improve. */
        if (!changes && (unmet <= RBV_EXACT || (unmet <= RBV_SOLVED && unmet >= 0.5 * last)))
            return true;
        double was = distance(x, s);
        last = changes ? INFINITY : unmet;
        if (!rbv_small_solve(s->J, x->size, 0))
            return false;
        unmet = advance(x, s, e, was, &changes);
    }
    return false;
}

/* For contacts alone: one of them changes at a time, the first whose sign is wrong. This ends for every regular matrix
 * (Murty 1974). False: it does not within MOST_PIVOTS, or there are other members. */
static bool settle_by_pivots(RbvComplementarity *x, Workspace *s, double e) {
    for (int32_t k = 0; k < x->count; k++)
        if (x->cone[k].disc || x->cone[k].size > 1)
            return false;
    for (int pivot = 0; pivot < MOST_PIVOTS; pivot++) {
        place(x, s, e);
        if (!rbv_small_solve(s->J, x->size, 0))
            return false;
        for (int32_t i = 0; i < x->size; i++)
            x->p[i] += s->J[(size_t)i * (size_t)(x->size + 1) + (size_t)x->size];
        find_rates(x, s, e);
        if (!choose_contacts(x, true))
            return true;
    }
    return false;
}

/* Newton's method with e falling from 1 to `least`, from the centre, in steps that shorten where it does not settle.
 * False: it does not settle. */
static bool settle_slowly(RbvComplementarity *x, Workspace *s, double least) {
    double e = 1, good = 0, fall = FALL;
    size_t bytes = (size_t)x->size * sizeof *x->p;
    memcpy(x->p, s->centre, bytes);
    for (int stage = 0; stage < MOST_STAGES; stage++) {
        if (settle(x, s, e)) {
            if (e <= least)
                return true;
            memcpy(s->kept, x->p, bytes);
            good = e;
        } else {
            memcpy(x->p, s->kept, bytes);
            fall = sqrt(fall);
        }
        if (good == 0)
            return false;
        e = rbv_max(good * fall, least);
    }
    return false;
}

/* Solves with given radii, which then go half the way to those at the answer, until Newton's method settles from an
 * answer. False: it never does. */
static bool settle_by_radii(RbvComplementarity *x, Workspace *s, double e) {
    size_t bytes = (size_t)x->size * sizeof *x->p;
    for (int turn = 0; x->load && turn < MOST_TURNS; turn++) {
        s->fixed = true;
        bool found = settle(x, s, e) || settle_slowly(x, s, e);
        s->fixed = false;
        if (!found)
            return false;
        for (int32_t k = 0; k < x->count; k++)
            if (x->cone[k].disc)
                s->next[k] = 0.5 * (s->radius[k] + x->cone[k].radius * x->load(x->context, k, x->p, s->slope));
        memcpy(s->kept, x->p, bytes);
        if (settle(x, s, e))
            return true;
        memcpy(x->p, s->kept, bytes);
        memcpy(s->radius, s->next, bytes);
    }
    return false;
}

/* Newton's method, from the present p, by whatever way it settles. */
static bool find(RbvComplementarity *x, Workspace *s, double e) {
    return settle(x, s, e) || settle_by_pivots(x, s, e) || settle_slowly(x, s, e) || settle_by_radii(x, s, e);
}

/* The largest P(p - rho w) - p, in rates: over rho times the largest number of b. */
static double find_unmet(RbvComplementarity *x, Workspace *s) {
    double most = largest(x->b, x->size), worst = 0;
    find_rates(x, s, 0);
    place(x, s, 0);
    for (int32_t k = 0; k < x->count; k++)
        for (int32_t i = x->cone[k].first; i < x->cone[k].first + x->cone[k].size; i++) {
            double rest = fabs(s->J[(size_t)i * (size_t)(x->size + 1) + (size_t)x->size]);
            worst = rest > 0 ? rbv_max(worst, rest / (step_of(x, &x->cone[k], 0) * most)) : worst;
        }
    return worst;
}

/* Solves with e, from the centre p. *unmet: what is left. False: not found, or more is left than before: p stays. */
static bool refine(RbvComplementarity *x, Workspace *s, double e, double *unmet) {
    size_t bytes = (size_t)x->size * sizeof *x->p;
    memcpy(s->centre, x->p, bytes);
    double left = find(x, s, e) ? find_unmet(x, s) : INFINITY;
    /* What is left of all conditions is a part of the largest number of b. */
    bool better = isfinite(left) && (left <= *unmet || left <= RBV_ROUNDING);
    if (better)
        *unmet = left;
    else
        memcpy(x->p, s->centre, bytes);
    return better;
}

bool rbv_complementarity_solve(RbvComplementarity *x, double *unmet) {
    Workspace s = arrays_of(x);
    double last = INFINITY, e = REGULAR;
    for (int32_t k = 0; k < x->count; k++)
        x->cone[k].acts = !x->cone[k].disc && x->p[x->cone[k].first] > 0;
    *unmet = INFINITY;
    bool good = refine(x, &s, e, unmet), more = good;
    for (int n = 1; more && n <= MOST_REFINEMENTS; n++) {
        last = *unmet;
        more = refine(x, &s, e, unmet) && (n < REFINEMENTS || (*unmet > RBV_ROUNDING && *unmet < SLOWEST * last));
        e = *unmet > rbv_max(SLOW * last, RBV_ROUNDING) ? rbv_max(FALL * e, LEAST) : e;
    }
    find_unmet(x, &s);
    for (int32_t k = 0; k < x->count; k++)
        if (!x->cone[k].disc && x->cone[k].size == 1)
            x->p[x->cone[k].first] = rbv_max(x->p[x->cone[k].first], 0);
    return good;
}

bool rbv_complementarity_contacts(int32_t size, const double *A, const double *weight, const double *b, double *p,
                                  RbvCone *cone, double *work) {
    double unmet;
    for (int32_t i = 0; i < size; i++) {
        cone[i] = (RbvCone){.first = i, .size = 1};
        p[i] = 0;
    }
    RbvComplementarity problem = {.size = size,
                                  .count = size,
                                  .cone = cone,
                                  .A = A,
                                  .b = b,
                                  .weight = weight,
                                  .p = p,
                                  .w = work + RBV_COMPLEMENTARITY_WORK(size),
                                  .work = work};
    return rbv_complementarity_solve(&problem, &unmet);
}
