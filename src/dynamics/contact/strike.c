/* Impact at a single friction contact: Routh's and Keller's method with Newton's restitution; see strike.h.
 *
 * While the bodies are pressed together the normal impulse p [N s] grows from 0 and friction acts with it: f is the
 * friction impulse per unit of p, in slip directions. With the gap rate w, the slip velocity u, and the mobility G of
 * both:
 *
 *   dw/dp = Gnn + Gnt.f,   du/dp = Gnt + Gtt f,   f = -mu u/|u|
 *
 * until w = away (-e times the gap rate before). Where u = 0, f and du/dp are those of a disc (complementarity.h): it
 * sticks with du/dp = 0 if |f| <= hold, else slip begins with |f| = mu. Slip may stop in between, then stick or
 * reverse. Where G couples w and u this could gain energy: the impact ends at the latest where
 * the work of the impulses since its beginning, which is negative at first, is zero again. */

#include "dynamics/contact/strike.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "dynamics/contact/complementarity.h"

#include <math.h>
#include <string.h>

/* Most steps of the normal impulse. */
#define MOST_STRIKE_STEPS 20000
/* Where the slip direction turns: steps of this part of the remaining slip velocity u, by Runge-Kutta of fourth order.
 */
#define PART 0.02

/* Derivatives by the normal impulse: dw/dp, du/dp [1/kg]. */
typedef struct Rates {
    double w, u[RBV_STRIKE_DIRECTIONS];
} Rates;

/* Length of a vector of slip directions. */
static double size_of(const RbvStrike *s, const double *a) {
    double sum = 0;
    for (int c = 0; c < s->directions; c++)
        sum += a[c] * a[c];
    return sqrt(sum);
}

/* Returns dw/dp and du/dp with the friction f. */
static Rates rates(const RbvStrike *s, const double *f) {
    Rates r = {.w = s->Gnn};
    for (int c = 0; c < s->directions; c++) {
        r.u[c] = s->Gnt[c];
        r.w += s->Gnt[c] * f[c];
        for (int d = 0; d < s->directions; d++)
            r.u[c] += s->Gtt[c][d] * f[d];
    }
    return r;
}

/* f = -mu u/|u|. */
static void slide(const RbvStrike *s, const double *u, double *f) {
    double size = size_of(s, u);
    for (int c = 0; c < s->directions; c++)
        f[c] = -s->mu * u[c] / size;
}

/* Finds f within the radius and du/dp where u = 0. *sticks: du/dp = 0. False: not found. */
static bool begin(const RbvStrike *s, double radius, double *f, bool *sticks) {
    RbvCone disc = {.size = s->directions, .disc = true, .radius = radius};
    double A[RBV_STRIKE_DIRECTIONS * RBV_STRIKE_DIRECTIONS], w[RBV_STRIKE_DIRECTIONS],
        work[RBV_COMPLEMENTARITY_WORK(RBV_STRIKE_DIRECTIONS)], unmet;
    for (int c = 0; c < s->directions; c++) {
        f[c] = 0;
        for (int d = 0; d < s->directions; d++)
            A[c * s->directions + d] = s->Gtt[c][d];
    }
    RbvComplementarity problem = {
        .size = s->directions, .count = 1, .cone = &disc, .A = A, .b = s->Gnt, .p = f, .w = w, .work = work};
    bool found = rbv_complementarity_solve(&problem, &unmet);
    *sticks = disc.acts;
    return found;
}

/* Mean rates over a step p of the normal impulse with a turning slip direction, by Runge and Kutta; f: mean friction.
 */
static Rates turn(const RbvStrike *s, double p, double *f) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    Rates r = {0}, sum = {0};
    double mean[RBV_STRIKE_DIRECTIONS] = {0};
    for (int k = 0; k < 4; k++) {
        double u[RBV_STRIKE_DIRECTIONS];
        for (int c = 0; c < s->directions; c++)
            u[c] = s->u[c] + part[k] * p * r.u[c];
        slide(s, u, f);
        r = rates(s, f);
        sum.w += weight[k] * r.w;
        for (int c = 0; c < s->directions; c++) {
            sum.u[c] += weight[k] * r.u[c];
            mean[c] += weight[k] * f[c];
        }
    }
    memcpy(f, mean, sizeof mean);
    return sum;
}

/* Finds f and the rates r at the present w and u; returns the length of the next step of the normal impulse [N s],
 * which is not finite if w never reaches `away`. *ends: slip ends with the step; *turns: the slip direction turns
 * within it. */
static double find_step(const RbvStrike *s, double *f, Rates *r, bool *ends, bool *turns) {
    double slip = size_of(s, s->u);
    bool sticks = false;
    *ends = *turns = false;
    if (slip == 0 && !(begin(s, s->hold, f, &sticks) && (sticks || begin(s, s->mu, f, &sticks))))
        return NAN;
    if (slip > 0)
        slide(s, s->u, f);
    *r = rates(s, f);
    double along = 0, change = size_of(s, r->u), p = r->w > 0 ? (s->away - s->w) / r->w : INFINITY;
    for (int c = 0; slip > 0 && c < s->directions; c++)
        along += r->u[c] * s->u[c] / slip;
    bool straight = slip == 0 || s->directions == 1 || fabs(fabs(along) - change) <= 1e-14 * change;
    *turns = !straight;
    *ends = slip > 0 && straight && along < 0 && slip / -along <= p;
    if (*ends)
        return slip / -along;
    return straight ? p : rbv_min(p, PART * slip / change);
}

/* Applies the impulse p at these rates. *work [J]: energy that the impulses have added since the beginning of the
 * impact, to which that of the step is added. False: it would be positive, so that the impact ends within the step. */
static bool apply_step(RbvStrike *s, double p, const double *f, const Rates *r, double *work) {
    double before = s->w, slip = 0;
    for (int c = 0; c < s->directions; c++)
        slip += f[c] * (s->u[c] + 0.5 * p * r->u[c]);
    double gain = p * (before + 0.5 * p * r->w + slip);
    double slope = before, curve = 0.5 * r->w;
    for (int c = 0; c < s->directions; c++) {
        slope += f[c] * s->u[c];
        curve += 0.5 * f[c] * r->u[c];
    }
    bool goes_on = *work + gain <= 0;
    if (!goes_on && curve > 0) /* work + slope p + curve p^2 = 0 */
        p = rbv_min(p, (-slope + sqrt(rbv_max(slope * slope - 4 * curve * *work, 0))) / (2 * curve));
    s->normal += p;
    s->w += p * r->w;
    for (int c = 0; c < s->directions; c++) {
        s->u[c] += p * r->u[c];
        s->friction[c] += p * f[c];
    }
    *work += gain;
    return goes_on;
}

bool rbv_strike(RbvStrike *s) {
    double work = 0, approach = fabs(s->w), first = size_of(s, s->u);
    bool goes_on = true;
    s->normal = 0;
    memset(s->friction, 0, sizeof s->friction);
    /* Part of the velocity of approach within which the end of the impact is found. */
    for (int step = 0; goes_on && s->away - s->w > RBV_ROUNDING * approach; step++) {
        double f[RBV_STRIKE_DIRECTIONS] = {0};
        bool ends, turns;
        Rates r;
        double p = find_step(s, f, &r, &ends, &turns);
        if (!isfinite(p) || step == MOST_STRIKE_STEPS)
            return false;
        if (turns)
            r = turn(s, p, f);
        goes_on = apply_step(s, p, f, &r, &work);
        /* Part of the initial slip velocity plus that which the normal impulse could cause. */
        if (goes_on && (ends || size_of(s, s->u) <= RBV_ROUNDING * (first + s->normal * s->Gnn)))
            memset(s->u, 0, sizeof s->u);
    }
    s->sticks = size_of(s, s->u) == 0;
    return isfinite(s->normal) && isfinite(s->w);
}
