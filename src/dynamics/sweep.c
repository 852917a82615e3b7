/* Derivatives by differences of order 8, with steps from long to short; see sweep.h.
 *
 * D(h) = sum_k w_k (f(kh) - f(-kh)) / h is exact, whatever the step, where f is linear; else it is off by h^8, and by rounding over h. Of each value the first step is taken at which a step
 * 32 times as short gives the same; where none does, the one where they differ least.
 */
#include "dynamics/sweep.h"

#include "dynamics/linearisation.h"

#include <math.h>
#include <stdlib.h>

/* The longest step, of the number or of 1, and how often it is divided. */
#define LONGEST 1e6
#define SHORTER 32
#define STEPS 11
/* Of the larger: two derivatives that differ by less are the same. */
#define SAME 1e-10

/* D(h) into out[width]; NaN where values are not finite. */
static RbvStatus quotient(RbvBeside *beside, void *context, double h, int32_t width, double *value, double *out) {
    RbvStatus status = RBV_OK;
    for (int32_t i = 0; i < width; i++)
        out[i] = 0;
    for (int point = 1; point <= RBV_DIFFERENCE_POINTS; point++)
        for (int sign = -1; status != RBV_NO_MEMORY && sign <= 1; sign += 2) {
            status = beside(context, sign * point * h, value);
            for (int32_t i = 0; i < width; i++)
                out[i] += status == RBV_OK ? sign * rbv_difference_weight[point - 1] / h * value[i] : (double)NAN;
        }
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

RbvStatus rbv_sweep(RbvBeside *beside, void *context, double at, int32_t width, double *out) {
    double *work = calloc(4 * (size_t)width + 1, sizeof *work), *value = work, *longer = work + width, *shorter = longer + width, *least = shorter + width;
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
            double larger = fmax(fabs(longer[i]), fabs(shorter[i])), differ = larger > 0 ? fabs(longer[i] - shorter[i]) / larger : 0;
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
