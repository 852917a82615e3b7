/* Values of the parameters in variant k, by grid, slices, sequence or chance. */
#include "study/design/design.h"

#include "core/base/tolerances.h"
#include "study/design/chances.h"
#include "study/design/random.h"
#include "study/design/sobol.h"

#include <math.h>

bool rbv_factor_is_random(const RbvFactor *factor) {
    return factor->kind != RBV_FACTOR_LIST && factor->kind != RBV_FACTOR_RANGE;
}

double rbv_factor_value(const RbvFactor *factor, int64_t i) {
    if (factor->kind == RBV_FACTOR_LIST)
        return factor->values[i];
    double last = (double)(factor->count - 1), k = (double)i;
    if (factor->step != 0)
        return factor->a + k * factor->step;
    if (i == 0 || i == factor->count - 1)
        return i == 0 ? factor->a : factor->b;
    if (factor->log)
        return factor->a * pow(factor->b / factor->a, k / last);
    return factor->a + k * (factor->b - factor->a) / last;
}

double rbv_design_grid_size(int32_t count, const RbvFactor *factors) {
    double size = 1;
    for (int32_t k = 0; k < count; k++)
        if (factors[k].lead == k)
            size *= (double)factors[k].count;
    return size;
}

/* Value at the place u of (0, 1). */
static double value_at(const RbvFactor *f, double u) {
    switch (f->kind) {
    case RBV_FACTOR_LIST: return f->values[(int64_t)fmin(floor(u * (double)f->count), (double)(f->count - 1))];
    case RBV_FACTOR_RANGE: return f->log ? f->a * pow(f->b / f->a, u) : f->a + u * (f->b - f->a);
    case RBV_FACTOR_NORMAL: return f->a + f->b * rbv_normal_quantile(u);
    case RBV_FACTOR_UNIFORM: return f->a + u * (f->b - f->a);
    case RBV_FACTOR_TRIANGLE: return rbv_triangle_quantile(f->a, f->b, f->c, u);
    }
    return NAN;
}

/* Place of factor f, which leads, in variant k. */
static double place(const RbvDesign *design, int32_t f, int64_t k) {
    uint64_t column = (uint64_t)design->column[f], variant = (uint64_t)k;
    if (design->kind == RBV_DESIGN_SOBOL)
        return rbv_sobol(design->column[f], (uint32_t)k + 1);
    double u = rbv_random(design->seed, variant, column);
    if (design->kind != RBV_DESIGN_LATIN)
        return u;
    return ((double)rbv_random_place(design->seed, column, (uint64_t)design->count, variant) + u) /
           (double)design->count;
}

/* Normal score of the correlated factor of row `row`: the root times independent scores. */
static double mixed_score(const RbvDesign *design, int32_t row, int64_t k) {
    double z = 0;
    for (int32_t j = 0; j <= row; j++)
        z += design->root[row * design->mixed_count + j] * rbv_normal_quantile(place(design, design->mixed[j], k));
    return z;
}

/* Row of the root that factor f has, from 1; 0: its place is that of no other. */
static int32_t mixed_row(const RbvDesign *design, int32_t f) {
    for (int32_t row = 1; row < design->mixed_count; row++)
        if (design->mixed[row] == f)
            return row;
    return 0;
}

/* Value of a factor in variant k of a random design. A normal one takes its score as it is: 1 - P would lose digits. */
static double random_value(const RbvDesign *design, const RbvFactor *factor, int64_t k) {
    int32_t row = mixed_row(design, factor->lead);
    if (row == 0)
        return value_at(factor, place(design, factor->lead, k));
    double z = mixed_score(design, row, k);
    if (factor->kind == RBV_FACTOR_NORMAL)
        return factor->a + factor->b * z;
    return value_at(factor, rbv_normal_probability(z));
}

static void grid_point(const RbvDesign *design, int64_t k, double *values) {
    for (int32_t f = design->factor_count - 1; f >= 0; f--) {
        const RbvFactor *factor = &design->factors[f];
        if (factor->lead != f)
            continue;
        int64_t i = k % factor->count;
        k /= factor->count;
        for (int32_t g = 0; g < design->factor_count; g++)
            if (design->factors[g].lead == f)
                values[g] = rbv_factor_value(&design->factors[g], i);
    }
}

void rbv_design_point(const RbvDesign *design, int64_t k, double *values) {
    if (design->kind == RBV_DESIGN_GRID) {
        grid_point(design, k, values);
        return;
    }
    for (int32_t f = 0; f < design->factor_count; f++)
        values[f] = random_value(design, &design->factors[f], k);
}

bool rbv_design_root(double *matrix, int32_t n) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            double sum = j > i ? 0 : matrix[i * n + j];
            for (int32_t k = 0; k < j && j <= i; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            if (i == j && !(sum > RBV_CANCELLED))
                return false;
            if (j < i)
                sum /= matrix[j * n + j];
            matrix[i * n + j] = i == j ? sqrt(sum) : sum;
        }
    return true;
}
