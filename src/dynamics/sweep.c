/* Derivatives by differences of order 8, with steps from long to short; see sweep.h.
 *
 * D(h) = sum_k w_k (f(kh) - f(-kh)) / h is exact, whatever the step, where f is linear; else it is off by h^8, and by
 * rounding over h. Of each value the first step is taken at which a step 32 times as short gives the same; where none
 * does, the one where they differ least.
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
/* Of both: values that differ by so little are the same, and the number does nothing. A state whose column were
 * rounding would be made of the size of the others (oscillations.c). */
#define ROUNDING 1e-15

/* D(h) into out[width]; NaN where values are not finite. value[2][width]: room for those on both sides. */
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
