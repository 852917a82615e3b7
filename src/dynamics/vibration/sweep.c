/* Derivatives by differences of order 8, with steps from long to short; see sweep.h.
 *
 *   D(h) = sum_k w_k (f(kh) - f(-kh)) / h
 *
 * is exact for any h where f is linear; otherwise its error is of order h^8, plus rounding over h. For each value the
 * first step is taken at which a step 32 times as short gives the same derivative; if there is none, the step with the
 * least difference. */
#include "dynamics/vibration/sweep.h"

#include "dynamics/vibration/linearisation.h"

#include <math.h>
#include <stdlib.h>

/* The longest step, relative to the number or to 1; ratio of successive steps; number of steps. */
#define LONGEST 1e6
#define SHORTER 32
#define STEPS 11
/* Relative to the larger: derivatives that differ by less are equal. */
#define SAME 1e-10
/* Relative to the sum: values that differ by so little are equal, and the number has no effect. A column of rounding
 * for a state would be scaled up to the size of the others (oscillations.c). */
#define ROUNDING 1e-15

/* D(h) into out[width]; NaN where values are not finite. value[2][width]: workspace for values on both sides. */
static RbvStatus quotient(RbvBeside *beside, void *context, double h, int32_t width, double *value, double *out) {
    RbvStatus status = RBV_OK;
    double *below = value, *above = value + width;
    for (int32_t i = 0; i < width; i++)
        out[i] = 0;
    for (int point = 1; point <= RBV_DIFFERENCE_POINTS && status != RBV_NO_MEMORY; point++) {
        RbvStatus under = beside(context, -point * h, below),
                  over = under == RBV_NO_MEMORY ? under : beside(context, point * h, above);
        status = over == RBV_OK ? under : over;
        for (int32_t i = 0; i < width; i++) {
            double differ = above[i] - below[i];
            bool none = fabs(differ) <= ROUNDING * (fabs(above[i]) + fabs(below[i]));
            out[i] += status != RBV_OK ? (double)NAN : none ? 0 : rbv_difference_weight[point - 1] / h * differ;
        }
    }
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

RbvStatus rbv_sweep(RbvBeside *beside, void *context, double at, int32_t width, double *out) {
    double *work = calloc(5 * (size_t)width + 1, sizeof *work), *value = work, *longer = value + 2 * (size_t)width,
           *shorter = longer + width, *least = shorter + width;
    RbvStatus status = work ? RBV_OK : RBV_NO_MEMORY;
    double h = LONGEST * fmax(1, fabs(at));
    bool open = true;
    for (int32_t i = 0; work && i < width; i++)
        least[i] = INFINITY;
    for (int step = 0; status == RBV_OK && open && step < STEPS; step++, h /= SHORTER) {
        double *swap = longer;
        longer = shorter;
        shorter = swap;
        status = quotient(beside, context, h, width, value, shorter);
        open = step == 0;
        for (int32_t i = 0; status == RBV_OK && step > 0 && i < width; i++) {
            double larger = fmax(fabs(longer[i]), fabs(shorter[i])),
                   differ = larger > 0 ? fabs(longer[i] - shorter[i]) / larger : 0;
            if (least[i] > SAME && isfinite(longer[i]) && isfinite(shorter[i]) && differ < least[i]) {
                least[i] = differ;
                out[i] = longer[i];
            }
            open = open || least[i] > SAME;
        }
    }
    for (int32_t i = 0; status == RBV_OK && i < width; i++)
        status = isinf(least[i]) ? RBV_NOT_FINITE : status;
    free(work);
    return status;
}
