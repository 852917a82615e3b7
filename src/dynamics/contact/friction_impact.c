/* Impulses of several contacts and friction contacts; see friction_impact.h. */
#include "dynamics/contact/friction_impact.h"

#include <math.h>
#include <string.h>

#define MOST_SWEEPS 50000
/* SETTLED: no impulse changes by more than this part of itself plus what would stop the largest rate. */
#define SETTLED 1e-14
/* Part of the largest rate below which there is no slip. */
#define STICKS 1e-12
/* Part of the energy of the impact that may be gained by rounding. */
#define GAIN 1e-12
#define HALVINGS 40
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
static bool settle(RbvFrictionImpact *m, double part) {
    double fast = fastest(m), change = INFINITY;
    for (int sweep = 0; sweep < MOST_SWEEPS && change > SETTLED; sweep++) {
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
    return change <= SETTLED;
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
static bool solve(RbvFrictionImpact *m, double part, double *gain) {
    double fast = fastest(m), work = 0, size = 0;
    bool again = true;
    memcpy(m->limit, m->hold, (size_t)m->frictions * sizeof *m->limit);
    while (again) {
        if (!settle(m, part))
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
static bool restitute(RbvFrictionImpact *m) {
    double gain, low = 0, high = 1;
    if (solve(m, 1, &gain) && gain <= GAIN)
        return true;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        bool good = solve(m, middle, &gain) && gain <= GAIN;
        *(good ? &low : &high) = middle;
    }
    return solve(m, low, &gain);
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
    if (!restitute(m))
        return false;
    memcpy(first, m->p, size * sizeof *first);
    memcpy(rate, m->w, size * sizeof *rate);
    m->unique = true;
    m->shared = false;
    for (size_t j = 0; j < size; j++)
        largest = fmax(largest, fabs(first[j]));
    for (int start = 0; start < STARTS; start++) {
        start_from(m, first, far_start[start][0], far_start[start][1]);
        m->unique = restitute(m) && m->unique;
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
