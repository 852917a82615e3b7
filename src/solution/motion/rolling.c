/* Motion with rows on rates: positions are the integral of v(q, t), C v = nu, so that rolling and sliding edges are
 * followed.
 *
 * One step of Gragg, Bulirsch and Stoer: modified midpoint rules with 2, 4, 6, ... substeps, whose errors are even in
 * the substep, extrapolated to zero substep. The holonomic rows are then satisfied to the same order, and motion.c
 * corrects their remaining residual with the rows' own factors.
 */
#include "solution/motion/motion.h"

#include <string.h>

/* Largest difference of the last two extrapolations, over the size of the mechanism: rounding of the right-hand sides
 * is near 1e-15. */
#define ROLL_EXACT 3e-14

/* Rate of q as numbers, at q and t. Newton's method starts from the velocity continued smoothly from the saved state: a
 * speed that passes through zero changes its sign there and does not bounce. */
static bool rate_at(RbvMotion *motion, const double *q, double t, double *rate) {
    RbvState *state = motion->state;
    const RbvCoordinates *coordinates = &motion->system->coordinates;
    memcpy(state->q, q, (size_t)coordinates->position_size * sizeof *q);
    rbv_coordinates_renew(coordinates, state->q);
    for (int32_t k = 0; k < motion->n; k++)
        state->v[k] = motion->saved.v[k] + (t - motion->previous) * motion->saved.a[k];
    state->t = t;
    bool good = rbv_state_place(state) && state->singular_measure < 0 && rbv_motion_factor(motion) &&
                rbv_motion_velocity(motion);
    if (good)
        rbv_coordinates_rate(coordinates, q, state->v, rate);
    return good;
}

/* q at t0 + H by the modified midpoint rule with `count` substeps, from q0 with the rate r0. */
static bool midpoint(RbvMotion *motion, double t0, double H, int count, const double *q0, const double *r0,
                     double *before, double *here, double *rate, double *out) {
    int32_t n = motion->system->coordinates.position_size;
    double h = H / count;
    memcpy(before, q0, (size_t)n * sizeof *q0);
    for (int32_t k = 0; k < n; k++)
        here[k] = q0[k] + h * r0[k];
    for (int step = 1; step < count; step++) {
        if (!rate_at(motion, here, t0 + step * h, rate))
            return false;
        for (int32_t k = 0; k < n; k++) {
            double next = before[k] + 2 * h * rate[k];
            before[k] = here[k];
            here[k] = next;
        }
    }
    if (!rate_at(motion, here, t0 + H, rate))
        return false;
    for (int32_t k = 0; k < n; k++)
        out[k] = 0.5 * (here[k] + before[k] + h * rate[k]);
    return true;
}

bool rbv_motion_roll(RbvMotion *motion, double t0, double t1) {
    const RbvCoordinates *coordinates = &motion->system->coordinates;
    size_t n = (size_t)coordinates->position_size;
    const double *q0 = motion->saved.q;
    double *table = motion->table, *before = table + RBV_ROLL_COLUMNS * n, *here = before + n, *rate = here + n,
           *rate0 = rate + n;
    memcpy(motion->state->v, motion->saved.v, (size_t)motion->n * sizeof(double));
    rbv_coordinates_rate(coordinates, q0, motion->saved.v, rate0);
    for (int row = 0; row < RBV_ROLL_COLUMNS; row++) {
        double *fresh = table + (size_t)row * n, change = 0;
        if (!midpoint(motion, t0, t1 - t0, 2 * (row + 1), q0, rate0, before, here, rate, fresh))
            return false;
        /* Neville: column j of this row from column j-1 of this row and of the last one, which the table holds */
        for (size_t k = 0; k < n; k++) {
            double value = fresh[k], gain = 0;
            for (int j = 1; j <= row; j++) {
                double *cell = &table[(size_t)(j - 1) * n + k], old = *cell, ratio = (double)(row + 1) / (row + 1 - j);
                *cell = value;
                gain = (value - old) / (ratio * ratio - 1);
                value += gain;
            }
            fresh[k] = value;
            change = fmax(change, fabs(gain) * motion->scale[k] / (1 + fabs(q0[k]) * motion->scale[k]));
        }
        if (row > 1 && change <= ROLL_EXACT) {
            memcpy(motion->state->q, fresh, n * sizeof(double));
            rbv_coordinates_renew(coordinates, motion->state->q);
            motion->state->t = t1;
            return true;
        }
        if (!isfinite(change))
            return false;
    }
    return false;
}
