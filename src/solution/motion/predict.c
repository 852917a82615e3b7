/* The position of the next step, predicted from velocities and accelerations at the two last accepted states.
 *
 * v(t) is the cubic that has these values, t counted from the last state: v_0 + a_0 t + c_2 t^2 + c_3 t^3; with H the
 * time between the two
 *
 *   A = (v_1 - v_0 + a_0 H) / H^2,   B = (a_0 - a_1) / H,   c_2 = 3 A - B,   c_3 = (2 A - B) / H
 *
 * and the step is its integral, v_0 h + a_0 h^2/2 + c_2 h^3/3 + c_3 h^4/4. Where a ball joint turns about changing axes
 * the integral of its angular velocity is its turn up to h^3 (w x alpha)/12.
 */
#include "solution/motion/motion.h"

#include <math.h>
#include <string.h>

/* Terms of third order and higher below this part of the size are omitted: they may be rounding of velocities and
 * accelerations. */
#define LEAST_REACH 1e-12
/* Steps longer than this multiple of the step before are predicted from the last state alone. */
#define LONGEST_REACH 2.5

void rbv_motion_save_rates(RbvMotion *motion, double t) {
    size_t size = (size_t)motion->n * sizeof(double);
    motion->before.span = motion->followed ? t - motion->previous : 0;
    memcpy(motion->before.v, motion->saved.v, size);
    memcpy(motion->before.a, motion->saved.a, size);
    memcpy(motion->saved.v, motion->state->v, size);
    memcpy(motion->saved.a, motion->state->a, size);
    motion->followed = true;
}

/* c_2 h^3/3 + c_3 h^4/4 of number k of v. */
static double higher_terms(const RbvMotion *motion, int32_t k, double h) {
    const double a = motion->saved.a[k], H = motion->before.span;
    double A = (motion->before.v[k] - motion->saved.v[k] + a * H) / (H * H), B = (a - motion->before.a[k]) / H;
    return h * h * h * ((3 * A - B) / 3 + (2 * A - B) / H * h / 4);
}

void rbv_motion_predict(RbvMotion *motion, double h) {
    const double *v = motion->saved.v, *a = motion->saved.a, H = motion->before.span;
    for (int32_t k = 0; k < motion->n; k++)
        motion->x[k] = h * (v[k] + 0.5 * h * a[k]);
    if (H * h <= 0 || fabs(h) > LONGEST_REACH * fabs(H))
        return;
    double most = 0;
    for (int32_t k = 0; k < motion->n; k++)
        most = fmax(most, fabs(higher_terms(motion, k, h)) * motion->share[k]);
    for (int32_t k = 0; k < motion->n && most > LEAST_REACH; k++)
        motion->x[k] += higher_terms(motion, k, h);
}
