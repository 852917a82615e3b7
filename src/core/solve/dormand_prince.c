/* Dormand and Prince's method of order 8; see dormand_prince.h. */
#include "core/solve/dormand_prince.h"

#include "core/solve/dormand_prince_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 7

bool rbv_dormand_prince_create(RbvDormandPrince *dp, int32_t n, RbvRate rate, void *context) {
    size_t size = (size_t)n;
    *dp = (RbvDormandPrince){.n = n, .rate = rate, .context = context};
    dp->k = calloc(ALL_STAGES * size + 1, sizeof *dp->k);
    dp->stage = calloc(size + 1, sizeof *dp->stage);
    dp->part = calloc(PARTS * size + 1, sizeof *dp->part);
    dp->y = calloc(size + 1, sizeof *dp->y);
    return dp->k && dp->stage && dp->part && dp->y;
}

void rbv_dormand_prince_destroy(RbvDormandPrince *dp) {
    free(dp->k);
    free(dp->stage);
    free(dp->part);
    free(dp->y);
    *dp = (RbvDormandPrince){0};
}

double *rbv_dormand_prince_first(RbvDormandPrince *dp) {
    return dp->k;
}

double *rbv_dormand_prince_last(RbvDormandPrince *dp) {
    return dp->k + (size_t)STAGES * (size_t)dp->n;
}

/* out = y + h sum_j weight_j k_j. */
static void combine(const RbvDormandPrince *dp, const double *y, double h, const double *weight, int count,
                    double *out) {
    memcpy(out, y, (size_t)dp->n * sizeof *out);
    for (int j = 0; j < count; j++) {
        const double *k = dp->k + (size_t)j * (size_t)dp->n;
        double w = h * weight[j];
        for (int32_t i = 0; w != 0 && i < dp->n; i++)
            out[i] += w * k[i];
    }
}

static RbvStatus stage(RbvDormandPrince *dp, int i, double t, const double *y, double h) {
    combine(dp, y, h, a[i], i, dp->stage);
    return dp->rate(dp->context, t + c[i] * h, dp->stage, dp->k + (size_t)i * (size_t)dp->n);
}

RbvStatus rbv_dormand_prince_step(RbvDormandPrince *dp, double t, const double *y, double h, const double *weight,
                                  double *y1, double *error) {
    size_t n = (size_t)dp->n;
    double fifth = 0, third = 0;
    int32_t counted = 0;
    for (int i = 1; i < STAGES; i++) {
        RbvStatus status = stage(dp, i, t, y, h);
        if (status != RBV_OK)
            return status;
    }
    combine(dp, y, h, a[STAGES], STAGES, y1);
    for (size_t i = 0; i < n; i++) {
        double five = 0, three = 0;
        for (int j = 0; j < STAGES; j++) {
            five += e5[j] * dp->k[(size_t)j * n + i];
            three += e3[j] * dp->k[(size_t)j * n + i];
        }
        fifth += five * five * weight[i] * weight[i];
        third += three * three * weight[i] * weight[i];
        counted += weight[i] > 0;
    }
    double below = fifth + 0.01 * third;
    *error = below > 0 ? fabs(h) * fifth / sqrt(below * (counted > 0 ? counted : 1)) : below;
    return RBV_OK;
}

double rbv_dormand_prince_stage(const RbvDormandPrince *dp, int i, const double *y, double h, double *state,
                                const double **rate) {
    combine(dp, y, h, a[i], i, state);
    *rate = dp->k + (size_t)i * (size_t)dp->n;
    return c[i];
}

RbvStatus rbv_dormand_prince_interpolate(RbvDormandPrince *dp, double t, const double *y, double h, const double *y1) {
    size_t n = (size_t)dp->n;
    for (int i = STAGES + 1; i < ALL_STAGES; i++) {
        RbvStatus status = stage(dp, i, t, y, h);
        if (status != RBV_OK)
            return status;
    }
    const double *first = dp->k, *last = rbv_dormand_prince_last(dp);
    for (size_t i = 0; i < n; i++) {
        double gain = y1[i] - y[i];
        dp->part[i] = gain;
        dp->part[n + i] = h * first[i] - gain;
        dp->part[2 * n + i] = 2 * gain - h * (first[i] + last[i]);
    }
    for (int p = 0; p < 4; p++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < ALL_STAGES; j++)
                sum += d[p][j] * dp->k[(size_t)j * n + i];
            dp->part[(size_t)(3 + p) * n + i] = h * sum;
        }
    memcpy(dp->y, y, n * sizeof *y);
    dp->t = t;
    dp->h = h;
    return RBV_OK;
}

void rbv_dormand_prince_at(const RbvDormandPrince *dp, double share, double *y) {
    size_t n = (size_t)dp->n;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (int p = PARTS - 1; p >= 0; p--)
            sum = (sum + dp->part[(size_t)p * n + i]) * ((PARTS - 1 - p) % 2 == 0 ? share : 1 - share);
        y[i] = dp->y[i] + sum;
    }
}
