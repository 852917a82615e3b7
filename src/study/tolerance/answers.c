/* What is asked of computed tolerances. */
#include "study/tolerance/tolerances.h"

#include <math.h>

#define SEEN_APART 0.05 /* of the deviation: linear and nonlinear numbers are both shown */

double rbv_tolerances_spread(const RbvTolerances *t, int32_t row, int32_t sample) {
    if (!t->spread || t->trials < 2)
        return NAN;
    return sqrt(t->spread[rbv_tolerances_at(t, row, sample)].squares / (double)(t->trials - 1));
}

void rbv_tolerances_worst(const RbvTolerances *t, int32_t row, int32_t sample, double *least, double *largest) {
    size_t at = rbv_tolerances_at(t, row, sample);
    if (t->linear) {
        *least = t->nominal[at] - t->reach[at];
        *largest = t->nominal[at] + t->reach[at];
    } else {
        *least = t->spread[at].least;
        *largest = t->spread[at].largest;
    }
}

double rbv_tolerances_sigma(const RbvTolerances *t, int32_t row, int32_t sample) {
    return t->linear ? t->sigma[rbv_tolerances_at(t, row, sample)] : rbv_tolerances_spread(t, row, sample);
}

double rbv_tolerances_share(const RbvTolerances *t, int32_t row, int32_t cause) {
    double sigma = t->sigma[rbv_tolerances_at(t, row, t->rows[row].worst)];
    double part = *rbv_tolerances_influence_at(t, cause, row, t->rows[row].worst) * t->causes[cause].sigma;
    return sigma > 0 ? part * part / (sigma * sigma) : 0;
}

bool rbv_tolerances_differ(const RbvTolerances *t, int32_t row) {
    int32_t worst = t->rows[row].worst;
    double linear = t->sigma[rbv_tolerances_at(t, row, worst)], whole = rbv_tolerances_spread(t, row, worst);
    double moved =
        fabs(t->spread ? t->spread[rbv_tolerances_at(t, row, worst)].mean - t->nominal[rbv_tolerances_at(t, row, worst)]
                       : 0);
    double noise = 3 / sqrt(2 * (double)t->trials); /* three standard errors of a standard deviation */
    double apart = fmax(fabs(whole - linear), moved - 3 * whole / sqrt((double)t->trials));
    return t->linear && t->trials > 1 && apart > (SEEN_APART + noise) * linear;
}

RbvToleranceCounts rbv_tolerances_counts(const RbvTolerances *t) {
    if (!t)
        return (RbvToleranceCounts){0};
    return (RbvToleranceCounts){t->cause_count, t->row_count, t->sample_count};
}

static bool is_in(const RbvTolerances *t, int32_t row, int32_t sample) {
    return t && row >= 0 && row < t->row_count && sample >= 0 && sample < t->sample_count;
}

/* A misfit without bound in the component's own self-stresses: how much of it the compliances there take, nothing
 * tells.
 */
static bool is_open(const RbvTolerances *t, int32_t row, int32_t cause) {
    const RbvAffected *of = &t->rows[row];
    return t->causes[cause].unbounded && of->verdict != RBV_UNIQUE && of->cluster == t->causes[cause].cluster;
}

const char *rbv_tolerances_open(const RbvTolerances *t, int32_t row) {
    for (int32_t c = 0; c < t->cause_count; c++)
        if (is_open(t, row, c))
            return t->causes[c].name;
    return NULL;
}

RbvToleranceValue rbv_tolerances_value(const RbvTolerances *t, int32_t row, int32_t sample) {
    if (!is_in(t, row, sample))
        return (RbvToleranceValue){0};
    const RbvAffected *of = &t->rows[row];
    RbvToleranceValue value = {.name = of->name,
                               .unit = of->unit,
                               .verdict = of->verdict,
                               .t = t->t[sample],
                               .nominal = NAN,
                               .least = NAN,
                               .largest = NAN,
                               .sigma = NAN};
    if (of->determined) {
        value.nominal = t->nominal[rbv_tolerances_at(t, row, sample)];
    }
    if (of->determined && !rbv_tolerances_open(t, row)) {
        value.sigma = rbv_tolerances_sigma(t, row, sample);
        rbv_tolerances_worst(t, row, sample, &value.least, &value.largest);
    }
    return value;
}

const char *rbv_tolerances_cause(const RbvTolerances *t, int32_t cause) {
    return t && cause >= 0 && cause < t->cause_count ? t->causes[cause].name : NULL;
}

double rbv_tolerances_influence(const RbvTolerances *t, int32_t row, int32_t sample, int32_t cause) {
    bool has = is_in(t, row, sample) && cause >= 0 && cause < t->cause_count && t->linear && t->rows[row].determined;
    return has && !is_open(t, row, cause) ? *rbv_tolerances_influence_at(t, cause, row, sample) : NAN;
}
