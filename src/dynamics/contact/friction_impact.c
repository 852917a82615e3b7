/* Impulses of several contacts and friction contacts; see friction_impact.h. */
#include "dynamics/contact/friction_impact.h"

#include "core/linalg/small.h"

#include <math.h>
#include <string.h>

#define MOST_SWEEPS 50000
/* PROJECTED: no impulse changes by more than this part of itself plus what would stop the largest rate. */
#define PROJECTED 1e-14
/* Part of the largest rate below which there is no slip. */
#define STICKS 1e-12
/* Part of the energy of the impact that may be gained by rounding. */
#define FRICTION_GAIN 1e-12
#define PART_HALVINGS 40
/* Other initial values: multiples of the contacts' impulses, and of the largest friction against the slip before. SAME:
 * a larger difference, as part of the largest, is another solution. */
#define STARTS 3
static const double far_start[STARTS][2] = {{0, 0}, {1, 1}, {10, -1}};
#define SAME 1e-6

static double rate_of(const RbvFrictionImpact *m, int32_t j) {
    double sum = m->w0[j];
    for (int32_t k = 0; k < m->size; k++)
        sum += m->A[j * m->size + k] * m->p[k];
    return sum;
}

static double fastest(const RbvFrictionImpact *m) {
    double most = 0;
    for (int32_t j = 0; j < m->size; j++)
        most = fmax(most, fabs(m->w0[j]));
    return most;
}

/* Projects the impulses of friction contact k onto its circle. Returns the largest change, over its limit plus what
 * would stop the largest rate. */
static double friction(RbvFrictionImpact *m, int32_t k, double fast) {
    double trace = 0, size = 0, next[3] = {0}, change = 0, *f = m->p + m->first[k];
    for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k]; c++)
        trace += m->A[c * m->size + c];
    if (!(trace > 0))
        return 0;
    for (int32_t c = 0; c < m->directions[k]; c++) {
        next[c] = f[c] - rate_of(m, m->first[k] + c) / trace;
        size += next[c] * next[c];
    }
    double most = m->limit[k] * m->load(m->context, k, m->p), factor = size > most * most ? most / sqrt(size) : 1;
    for (int32_t c = 0; c < m->directions[k]; c++) {
        change = fmax(change, fabs(factor * next[c] - f[c]));
        f[c] = factor * next[c];
    }
    return change / (most + fast / trace);
}

/* Projects one contact after the other, then one friction contact after the other, until nothing changes. False: this
 * does not converge. */
static bool settle_impact(RbvFrictionImpact *m, double part) {
    double fast = fastest(m), change = INFINITY;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > PROJECTED; sweep++) {
        change = 0;
        for (int32_t i = 0; i < m->contacts; i++) {
            double own = m->A[i * m->size + i];
            if (m->still[i])
                continue;
            double next = fmax(0, m->p[i] - (rate_of(m, i) + part * m->back[i]) / own);
            change = fmax(change, fabs(next - m->p[i]) / (next + fast / own));
            m->p[i] = next;
        }
        for (int32_t k = 0; k < m->frictions; k++)
            change = fmax(change, friction(m, k, fast));
        if (!isfinite(change))
            return false;
    }
    for (int32_t j = 0; j < m->size; j++)
        m->w[j] = rate_of(m, j);
    return change <= PROJECTED;
}

static double slip_of(const RbvFrictionImpact *m, int32_t k) {
    double sum = 0;
    for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k]; c++)
        sum += m->w[c] * m->w[c];
    return sqrt(sum);
}

/* Impulses with restitutions times `part`, from the present ones as initial values; friction contacts that stick are
 * held up to `hold`, those that slip all the same up to mu. *gain: energy gained over that of the impact. False: not
 * found. */
static bool solve_impact(RbvFrictionImpact *m, double part, double *gain) {
    double fast = fastest(m), work = 0, size = 0;
    bool again = true;
    memcpy(m->limit, m->hold, (size_t)m->frictions * sizeof *m->limit);
    while (again) {
        if (!settle_impact(m, part))
            return false;
        again = false;
        for (int32_t k = 0; k < m->frictions; k++) {
            m->sticks[k] = slip_of(m, k) <= STICKS * fast;
            bool slips = !m->sticks[k] && m->limit[k] > m->mu[k];
            m->limit[k] = slips ? m->mu[k] : m->limit[k];
            again = again || slips;
        }
    }
    for (int32_t j = 0; j < m->size; j++) {
        work += 0.5 * m->p[j] * (m->w[j] + m->w0[j]);
        size += 0.5 * fabs(m->p[j]) * (fabs(m->w[j]) + fabs(m->w0[j]));
    }
    *gain = size > 0 ? work / size : 0;
    return true;
}

/* Impulses with the largest common factor of the restitutions for which no energy is gained; if none are found for a
 * factor, this counts as a gain. */
static bool restitute_friction(RbvFrictionImpact *m) {
    double gain, low = 0, high = 1;
    if (solve_impact(m, 1, &gain) && gain <= FRICTION_GAIN)
        return true;
    for (int k = 0; k < PART_HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        bool good = solve_impact(m, middle, &gain) && gain <= FRICTION_GAIN;
        *(good ? &low : &high) = middle;
    }
    return solve_impact(m, low, &gain);
}

static void start_from(RbvFrictionImpact *m, const double *first, double contacts, double friction) {
    for (int32_t j = 0; j < m->size; j++)
        m->p[j] = j < m->contacts ? contacts * first[j] : 0;
    for (int32_t k = 0; k < m->frictions; k++) {
        double slip = 0, most = friction * m->mu[k] * m->load(m->context, k, first);
        for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k]; c++)
            slip = hypot(slip, m->w0[c]);
        for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k] && slip > 0; c++)
            m->p[c] = -most * m->w0[c] / slip;
    }
}

bool rbv_friction_impact(RbvFrictionImpact *m) {
    size_t size = (size_t)m->size;
    double *first = m->other, *rate = m->other + size, fast = fastest(m), largest = 0;
    if (!restitute_friction(m))
        return false;
    memcpy(first, m->p, size * sizeof *first);
    memcpy(rate, m->w, size * sizeof *rate);
    m->unique = true;
    m->shared = false;
    for (size_t j = 0; j < size; j++)
        largest = fmax(largest, fabs(first[j]));
    for (int start = 0; start < STARTS; start++) {
        start_from(m, first, far_start[start][0], far_start[start][1]);
        m->unique = restitute_friction(m) && m->unique;
        for (size_t j = 0; j < size; j++) {
            m->unique = m->unique && fabs(m->w[j] - rate[j]) <= SAME * fast;
            m->shared = m->shared || ((int32_t)j < m->contacts && fabs(m->p[j] - first[j]) > SAME * largest);
        }
    }
    memcpy(m->p, first, size * sizeof *first);
    memcpy(m->w, rate, size * sizeof *rate);
    for (int32_t k = 0; k < m->frictions; k++)
        m->sticks[k] = slip_of(m, k) <= STICKS * fast;
    return true;
}

/* Impact at a single friction contact: Routh's and Keller's method with Newton's restitution.
 *
 * While the bodies are pressed together the normal impulse p grows from 0 and friction acts with it. With the gap
 * velocity w, the slip velocity u, and the mobility G of both:
 *
 *   dw/dp = Gnn + Gnt.f,   du/dp = Gnt + Gtt f,   f = -mu u/|u|;   u = 0: f = -Gtt^-1 Gnt, if |f| <= static
 *
 * until w = -e w0. Slip may stop in between, then stick or reverse. Where G couples w and u this could gain energy; the
 * impact is ended where no energy has been gained. */

#define MOST_STRIKE_STEPS 20000
/* Where the slip direction turns: steps of this part of the remaining slip velocity u, by Runge-Kutta of fourth order.
 */
#define PART 0.02
/* Relative to the initial slip velocity plus that which the normal impulse could cause: rounding. */
#define NO_SLIP 1e-13
/* Relative to the velocity of approach: tolerance of the end of the impact. */
#define MET 1e-13
#define MOST_STRIKE_TURNS 500

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

/* Finds f where slip begins from rest: u is along du/dp(u), as in sliding.c. */
static void begin(const RbvStrike *s, double *f) {
    double u[RBV_STRIKE_DIRECTIONS], trace = 0;
    memcpy(u, s->Gnt, sizeof u);
    for (int c = 0; c < s->directions; c++)
        trace += s->Gtt[c][c];
    for (int turn = 0; turn < MOST_STRIKE_TURNS; turn++) {
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
    for (int step = 0; step < MOST_STRIKE_STEPS && s->away - s->w > MET * approach; step++) {
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
