/* Impact with friction; see strike.h. */
#include "dynamics/contact/strike.h"

#include "core/linalg/small.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 20000
/* Where the slip direction turns: steps of this part of the remaining slip velocity u, by Runge-Kutta of fourth order.
 */
#define PART 0.02
/* Relative to the initial slip velocity plus that which the normal impulse could cause: rounding. */
#define NO_SLIP 1e-13
/* Relative to the velocity of approach: tolerance of the end of the impact. */
#define MET 1e-13
#define MOST_TURNS 500

typedef struct Rates {
    double w, u[RBV_STRIKE_DIRECTIONS];
} Rates;

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

static void slide(const RbvStrike *s, const double *u, double *f) {
    double size = size_of(s, u);
    for (int c = 0; c < s->directions; c++)
        f[c] = -s->mu * u[c] / size;
}

/* Finds the friction f that keeps the contact sticking. False: exceeds the limit of sticking. */
static bool stick(const RbvStrike *s, double *f) {
    double A[RBV_STRIKE_DIRECTIONS * (RBV_STRIKE_DIRECTIONS + 1)];
    int w = s->directions + 1;
    for (int c = 0; c < s->directions; c++) {
        for (int d = 0; d < s->directions; d++)
            A[c * w + d] = s->Gtt[c][d];
        A[c * w + s->directions] = -s->Gnt[c];
    }
    if (!rbv_small_solve(A, s->directions, 1e-300))
        return false;
    for (int c = 0; c < s->directions; c++)
        f[c] = A[c * w + s->directions];
    return size_of(s, f) <= s->hold;
}

/* Finds f where slip begins from rest: u is along du/dp(u), as in sliding.h. */
static void begin(const RbvStrike *s, double *f) {
    double u[RBV_STRIKE_DIRECTIONS], trace = 0;
    memcpy(u, s->Gnt, sizeof u);
    for (int c = 0; c < s->directions; c++)
        trace += s->Gtt[c][c];
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double size = size_of(s, u);
        slide(s, u, f);
        Rates r = rates(s, f);
        for (int c = 0; c < s->directions; c++)
            u[c] = r.u[c] + s->mu * trace * u[c] / size;
    }
    slide(s, u, f);
}

/* One step of Runge and Kutta with a turning slip direction. */
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

/* Finds f, the rates r and the length of a step of the impulse. *ends: slip ends with it; *turns: the slip direction
 * turns. */
static double find_step(const RbvStrike *s, double *f, Rates *r, bool *ends, bool *turns) {
    double slip = size_of(s, s->u);
    bool holds = slip == 0 && stick(s, f);
    if (slip == 0 && !holds)
        begin(s, f);
    else if (slip > 0)
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
    return straight ? p : fmin(p, PART * slip / change);
}

/* Applies the impulse p at these rates. False: energy would be gained, and the impact ends within the step. */
static bool take(RbvStrike *s, double p, const double *f, const Rates *r, double *work) {
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
        p = fmin(p, (-slope + sqrt(fmax(slope * slope - 4 * curve * *work, 0))) / (2 * curve));
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
    s->normal = 0;
    memset(s->friction, 0, sizeof s->friction);
    for (int step = 0; step < MOST_STEPS && s->away - s->w > MET * approach; step++) {
        double f[RBV_STRIKE_DIRECTIONS] = {0};
        bool ends, turns;
        Rates r;
        double p = find_step(s, f, &r, &ends, &turns);
        if (!isfinite(p))
            return false;
        if (turns)
            r = turn(s, p, f);
        if (!take(s, p, f, &r, &work))
            break;
        if (ends || size_of(s, s->u) <= NO_SLIP * (first + s->normal * s->Gnn))
            memset(s->u, 0, sizeof s->u);
    }
    s->sticks = size_of(s, s->u) == 0;
    return isfinite(s->normal) && isfinite(s->w);
}
