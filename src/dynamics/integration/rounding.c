/* Accelerations at a state changed by one rounding; see rounding.h. */
#include "dynamics/integration/rounding.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Error of accelerations, relative to the difference found. */
#define ROUNDING 10

void rbv_rounding_find(RbvFlow *flow, double t, const double *y, const double *f, const double *scale, double *moved,
                       double *rate, double *noise) {
    memcpy(moved, y, (size_t)flow->size * sizeof *y);
    for (int32_t i = 0; i < flow->positions; i++) {
        double rounding = DBL_EPSILON * fmax(fabs(y[i]), scale[i] > 0 ? 1 / scale[i] : 0);
        moved[i] += (uint32_t)i * 2654435761u >> 31 ? rounding : -rounding; /* signs of neighbours in no order */
    }
    if (rbv_flow_rate(flow, t, moved, rate) != RBV_OK)
        return;
    for (int32_t j = 0; j < flow->n; j++)
        noise[j] = ROUNDING * fabs(rate[flow->positions + j] - f[flow->positions + j]);
}
