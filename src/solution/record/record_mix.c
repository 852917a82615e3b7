/* Composition of an output at its first, least and largest value: g = sum of |df/dx| over its variables, for each
 * dimension of x, and the largest part of its sums. An x known to rounding r moves the output by at most g r, and
 * the sums have rounding of their own, so a page can tell a value from rounding of a difference. */
#include "solution/record/record.h"

#include <math.h>
#include <string.h>

/* Composition of an output for index `at`; its variables are in work[0 ... n). */
static void look(const RbvRecord *record, const RbvExpr *expr, RbvMix *mix, int at) {
    const char *without;
    int32_t n = rbv_expr_variable_count(expr);
    double *x = record->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + (size_t)n * (size_t)n,
           *gain = mix->gain[at];
    memset(gain, 0, RBV_DIM_COUNT * sizeof *gain);
    double part = rbv_expr_parts(expr, x, scratch);
    mix->part[at] = isfinite(part) ? part : 0;
    if (n == 0 || rbv_expr_derivatives(expr, &without) < 2)
        return;
    rbv_expr_jet(expr, x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvDimension of = rbv_exponents_named(
            rbv_model_variable_dimension(record->system->model, rbv_expr_variable(expr, v)).exponents);
        if (of < RBV_DIM_COUNT && isfinite(gradient[v]))
            gain[of] += fabs(gradient[v]);
    }
}

void rbv_record_mix(RbvRecord *record, int32_t output, double value) {
    const RbvExpr *expr = record->system->model->outputs.items[output].value;
    RbvMix *mix = &record->mixes[output];
    const bool taken[RBV_MIX_COUNT] = {!mix->known, !mix->known || value < mix->value[RBV_MIX_LEAST],
                                       !mix->known || value > mix->value[RBV_MIX_MOST]};
    int made = -1;
    for (int k = 0; k < RBV_MIX_COUNT; k++) {
        if (!taken[k])
            continue;
        mix->value[k] = value;
        if (made < 0) {
            look(record, expr, mix, k);
        } else {
            mix->part[k] = mix->part[made];
            memcpy(mix->gain[k], mix->gain[made], sizeof mix->gain[k]);
        }
        made = k;
    }
    mix->known = true;
}
