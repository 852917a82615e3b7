/* Impulses of an impact with the largest restitution that gains no energy; see restitution.h. */
#include "dynamics/contact/restitution.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <string.h>

/* Bisections for the common factor of the restitutions. */
#define HALVINGS 40
/* Other initial values: multiples of the contacts' impulses, and of the largest friction against the slip before. */
#define STARTS 3
static const double far_start[STARTS][2] = {{0, 0}, {1, 1}, {10, -1}};

/* The largest rate without impulses: the scale of rates. */
static double fastest(const RbvRestitution *m) {
    double most = 0;
    for (int32_t j = 0; j < m->size; j++)
        most = rbv_max(most, fabs(m->w0[j]));
    return most;
}

/* Normal impulse that presses the disc of cone `index`. */
static double load_of_disc(const void *context, int32_t index, const double *p, double *slope) {
    const RbvRestitution *m = context;
    return m->load(m->context, index - m->contacts, p, slope);
}

/* Slip speed of friction contact k after the impact. */
static double slip_of(const RbvRestitution *m, int32_t k) {
    double sum = 0;
    for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k]; c++)
        sum += m->w[c] * m->w[c];
    return sqrt(sum);
}

/* Sets the problem with restitutions times `part`; friction contacts that stuck hold up to `hold`. */
static RbvComplementarity problem_of(RbvRestitution *m, double part) {
    for (int32_t i = 0; i < m->size; i++)
        m->b[i] = m->w0[i];
    for (int32_t i = 0; i < m->contacts; i++) {
        m->b[i] = m->still[i] ? 0 : m->w0[i] + part * m->back[i];
        m->cone[i] = (RbvCone){.first = i, .size = 1};
    }
    for (int32_t k = 0; k < m->frictions; k++)
        m->cone[m->contacts + k] =
            (RbvCone){.first = m->first[k], .size = m->directions[k], .disc = true, .radius = m->hold[k]};
    return (RbvComplementarity){.size = m->size,
                                .count = m->contacts + m->frictions,
                                .cone = m->cone,
                                .A = m->A,
                                .b = m->b,
                                .weight = m->weight,
                                .load = load_of_disc,
                                .context = m,
                                .p = m->p,
                                .w = m->w,
                                .work = m->work};
}

/* Energy that the impulses add, p.(w + w0)/2, as a part of the energy exchanged, the sum of the magnitudes of its
 * terms. */
static double gain_of(const RbvRestitution *m) {
    double work = 0, size = 0;
    for (int32_t j = 0; j < m->size; j++) {
        work += 0.5 * m->p[j] * (m->w[j] + m->w0[j]);
        size += 0.5 * fabs(m->p[j]) * (fabs(m->w[j]) + fabs(m->w0[j]));
    }
    return size > 0 ? work / size : 0;
}

/* Impulses with restitutions times `part`, from the present ones as initial values; friction contacts that stick are
 * held up to `hold`, those that slip all the same up to mu. False: not found. */
static bool try_restitution(RbvRestitution *m, double part) {
    RbvComplementarity problem = problem_of(m, part);
    double fast = fastest(m), unmet;
    for (bool again = true; again;) {
        /* Impulses that leave more of a condition, as a part of its terms, are none. */
        if (!rbv_complementarity_solve(&problem, &unmet) || unmet > RBV_ROOT_EPS)
            return false;
        for (int32_t i = 0; i < m->contacts; i++) /* rates without the part of the restitution */
            m->w[i] += m->w0[i] - m->b[i];
        again = false;
        for (int32_t k = 0; k < m->frictions; k++) {
            RbvCone *disc = &m->cone[m->contacts + k];
            /* Below this part of the largest rate there is no slip. */
            m->sticks[k] = slip_of(m, k) <= RBV_CANCELLED * fast;
            bool slips = !m->sticks[k] && disc->radius > m->mu[k];
            disc->radius = slips ? m->mu[k] : disc->radius;
            again = again || slips;
        }
    }
    return true;
}

/* Impulses with the largest common factor of the restitutions for which no energy is gained; if none are found for a
 * factor, this counts as a gain. */
static bool restitute(RbvRestitution *m) {
    double low = 0, high = 1;
    /* Part of the energy of the impact that may be gained by rounding. */
    if (try_restitution(m, 1) && gain_of(m) <= RBV_CANCELLED)
        return true;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        bool good = try_restitution(m, middle) && gain_of(m) <= RBV_CANCELLED;
        *(good ? &low : &high) = middle;
    }
    return try_restitution(m, low);
}

bool rbv_restitution_solve(RbvRestitution *m) {
    memset(m->p, 0, (size_t)m->size * sizeof *m->p);
    return restitute(m);
}

/* Sets initial values p: the impulses first[size] of contacts times `contacts`; for each friction contact mu N(first)
 * times `friction` against the slip velocity without impulses. */
static void start_from(RbvRestitution *m, const double *first, double contacts, double friction) {
    for (int32_t j = 0; j < m->size; j++)
        m->p[j] = j < m->contacts ? contacts * first[j] : 0;
    for (int32_t k = 0; k < m->frictions; k++) {
        double slip = 0, most = friction * m->mu[k] * m->load(m->context, k, first, m->w);
        for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k]; c++)
            slip = hypot(slip, m->w0[c]);
        for (int32_t c = m->first[k]; c < m->first[k] + m->directions[k] && slip > 0; c++)
            m->p[c] = -most * m->w0[c] / slip;
    }
}

void rbv_restitution_compare(RbvRestitution *m) {
    size_t size = (size_t)m->size;
    double *first = m->other, *rate = m->other + size, fast = fastest(m), largest = 0;
    memcpy(first, m->p, size * sizeof *first);
    memcpy(rate, m->w, size * sizeof *rate);
    m->unique = true;
    m->shared = false;
    for (size_t j = 0; j < size; j++)
        largest = rbv_max(largest, fabs(first[j]));
    for (int start = 0; start < STARTS; start++) {
        start_from(m, first, far_start[start][0], far_start[start][1]);
        m->unique = restitute(m) && m->unique;
        for (size_t j = 0; j < size; j++) {
            /* A larger difference, as a part of the largest number, is another solution. */
            m->unique = m->unique && fabs(m->w[j] - rate[j]) <= RBV_FITS * fast;
            m->shared = m->shared || ((int32_t)j < m->contacts && fabs(m->p[j] - first[j]) > RBV_FITS * largest);
        }
    }
    memcpy(m->p, first, size * sizeof *first);
    memcpy(m->w, rate, size * sizeof *rate);
    for (int32_t k = 0; k < m->frictions; k++)
        m->sticks[k] = slip_of(m, k) <= RBV_CANCELLED * fast;
}
