/* Means, deviations, extremes, percentiles, correlations. */
#include "study/files/statistics.h"

#include "study/design/chances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_statistics_begin(RbvStatistics *s, const RbvStudy *study) {
    *s = (RbvStatistics){.study = study};
    s->quantities = rbv_arena_array(&s->arena, (size_t)study->quantity_count + 1, sizeof *s->quantities);
    for (int32_t q = 0; s->quantities && q < study->quantity_count; q++) {
        RbvQuantityStatistics *quantity = &s->quantities[q];
        quantity->verdict = RBV_FREE;
        quantity->values = rbv_arena_array(&s->arena, (size_t)study->design.count + 1, sizeof(double));
        quantity->pairs = rbv_arena_array(&s->arena, (size_t)study->parameter_count + 1, sizeof(RbvPair));
        if (!quantity->values || !quantity->pairs)
            return false;
    }
    return s->quantities != NULL;
}

void rbv_statistics_clear(RbvStatistics *s) {
    rbv_arena_clear(&s->arena);
}

/* Returns the deviation from the old mean. */
static double take(RbvMoments *m, double x) {
    double before = x - m->mean;
    m->count += 1;
    m->mean += before / m->count;
    m->squares += before * (x - m->mean);
    return before;
}

bool rbv_study_is_over(const RbvStudyQuantity *quantity, double value) {
    switch (quantity->limit) {
    case RBV_LIMIT_NONE: break;
    case RBV_LIMIT_LESS: return !(value < quantity->bound);
    case RBV_LIMIT_LESS_EQUAL: return !(value <= quantity->bound);
    case RBV_LIMIT_GREATER: return !(value > quantity->bound);
    case RBV_LIMIT_GREATER_EQUAL: return !(value >= quantity->bound);
    }
    return false;
}

static void take_value(RbvStatistics *s, int32_t q, const RbvStudyLine *line) {
    RbvQuantityStatistics *quantity = &s->quantities[q];
    double value = line->values[q];
    quantity->values[(int64_t)quantity->moments.count] = value;
    if (quantity->moments.count == 0 || value < quantity->least.value)
        quantity->least = (RbvExtreme){value, line->variant};
    if (quantity->moments.count == 0 || value > quantity->largest.value)
        quantity->largest = (RbvExtreme){value, line->variant};
    take(&quantity->moments, value);
    for (int32_t p = 0; p < s->study->parameter_count; p++) {
        RbvPair *pair = &quantity->pairs[p];
        pair->products += take(&pair->parameter, line->parameters[p]) * (value - quantity->moments.mean);
    }
    if (line->verdicts[q] > quantity->verdict)
        quantity->verdict = line->verdicts[q];
}

void rbv_statistics_take(RbvStatistics *s, const RbvStudyLine *line) {
    bool over = false;
    for (int k = 0; k <= RBV_NOT_WRITABLE; k++)
        s->by_status[k] += strcmp(line->status, rbv_study_status((RbvStatus)k)) == 0;
    if (strcmp(line->status, rbv_study_status(RBV_OK)) != 0) {
        s->failed++;
        return;
    }
    s->done++;
    for (int32_t q = 0; q < s->study->quantity_count; q++) {
        if (isnan(line->values[q]))
            continue;
        take_value(s, q, line);
        bool here = rbv_study_is_over(&s->study->quantities[q], line->values[q]);
        s->quantities[q].over += here;
        over = over || here;
    }
    s->over += over;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void rbv_statistics_end(RbvStatistics *s) {
    for (int32_t q = 0; q < s->study->quantity_count; q++)
        qsort(s->quantities[q].values, (size_t)s->quantities[q].moments.count, sizeof(double), compare);
}

double rbv_moments_sigma(const RbvMoments *m) {
    return m->count > 1 ? sqrt(m->squares / (m->count - 1)) : NAN;
}

bool rbv_moments_intervals(const RbvMoments *m, double mean[2], double sigma[2]) {
    if (!(m->count > 1))
        return false;
    double freedoms = m->count - 1,
           half = rbv_student_quantile(freedoms, 0.975) * rbv_moments_sigma(m) / sqrt(m->count);
    mean[0] = m->mean - half;
    mean[1] = m->mean + half;
    sigma[0] = sqrt(m->squares / rbv_chi_squared_quantile(freedoms, 0.975));
    sigma[1] = sqrt(m->squares / rbv_chi_squared_quantile(freedoms, 0.025));
    return true;
}

double rbv_statistics_percentile(const RbvQuantityStatistics *quantity, double percent) {
    int64_t count = (int64_t)quantity->moments.count;
    if (count == 0)
        return NAN;
    double at = percent / 100 * (double)(count - 1), below = floor(at);
    int64_t k = (int64_t)below, above = k + 1 < count ? k + 1 : k;
    return quantity->values[k] + (at - below) * (quantity->values[above] - quantity->values[k]);
}

double rbv_pair_correlation(const RbvQuantityStatistics *quantity, int32_t p) {
    double of = quantity->pairs[p].parameter.squares * quantity->moments.squares;
    return of > 0 ? quantity->pairs[p].products / sqrt(of) : NAN;
}
