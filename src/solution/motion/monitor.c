/* Smallest singular value of the chosen rows, by inverse iteration from sample to sample: how near they are to
 * dependent.
 */
#include "solution/motion/motion.h"

#include <string.h>

/* Inverse iteration until the estimate changes by less than MONITOR_SETTLED, from the last direction plus
 * MONITOR_OTHERS of all others. */
#define MONITOR_SETTLED 0.2
#define MONITOR_PASSES 8
#define MONITOR_OTHERS 1e-2
/* Relative change of sigma by which rounding alone can make a state singular. */
#define INDISTINCT 0.5

static double square(double x) {
    return x * x;
}

/* Factor that makes a row's residual a share of the size of its part. */
static double share_of_row(const RbvMotion *motion, int32_t row) {
    return (motion->system->rows[row].angular ? rbv_state_row_arm(motion->state, row) : 1) /
           rbv_state_row_size(motion->state, row);
}

/* share_of_row for rounding errors: rows of C_I measure along few joints, and an angle between joints is accurate to
 * the rounding of a radian, whatever its arm. */
static double known_share(const RbvMotion *motion, int32_t row) {
    return motion->spared && motion->system->rows[row].angular ? 1 : share_of_row(motion, row);
}

/* Largest movement of a body for u (over v, or body twists), as a share of its size. */
static double largest_movement(const RbvMotion *motion, const double *u) {
    const double *x = motion->spared ? rbv_motion_of_bodies(motion, u) : u;
    double most = 0;
    for (int32_t k = 0; k < motion->system->bodies.size; k++)
        most = fmax(most, fabs(x[k]) * motion->body_share[k]);
    return most;
}

/* Largest change of a number of v for u, as a share of the size, without the arms between connected bodies. */
static double largest_change(const RbvMotion *motion, const double *u) {
    double most = 0;
    for (int32_t k = 0; k < motion->n; k++)
        most = fmax(most, fabs(u[k]) * motion->share[k]);
    return most;
}

/* Inverse iteration on D_I^T D_I (or C_I): an estimate of its smallest singular value. The direction of the last sample
 * may not contain the present smallest one, so a part of all others is added. */
void rbv_motion_monitor(RbvMotion *motion) {
    const RbvRowFactors *rows = rbv_motion_watched(motion);
    double *u = motion->probe, others = MONITOR_OTHERS / sqrt(rows->n);
    for (int32_t k = 0; k < rows->n; k++)
        u[k] += others * (k % 3 - 0.9) * (k % 2 ? 1 : -1);
    for (int pass = 0; pass < MONITOR_PASSES; pass++) {
        double norm = 0, before = motion->sigma, off = 0, known = 0;
        for (int32_t k = 0; k < rows->n; k++) {
            off += square(u[k] * share_of_row(motion, rows->chosen[k]));
            known += square(u[k] * known_share(motion, rows->chosen[k]));
        }
        rbv_lu_solve(rows->lu, u);
        for (int32_t k = 0; k < rows->n; k++)
            norm += square(u[k]);
        motion->sigma = 1 / sqrt(norm);
        motion->amplification = largest_movement(motion, u) / sqrt(known);
        motion->nearness = motion->spared ? largest_change(motion, u) / sqrt(off) : motion->amplification;
        rbv_lu_solve_transposed(rows->lu, u);
        norm = 0;
        for (int32_t k = 0; k < rows->n; k++)
            norm += square(u[k]);
        norm = sqrt(norm);
        for (int32_t k = 0; k < rows->n; k++)
            u[k] /= norm;
        if (!(fabs(motion->sigma - before) > MONITOR_SETTLED * motion->sigma))
            return;
    }
}

void rbv_motion_spare_bodies(RbvMotion *motion) {
    motion->spared =
        motion->D != &motion->C && motion->system->coordinates.own_rows == 0 && motion->system->coordinates.common;
    if (!motion->spared || !motion->started || !rbv_motion_factor(motion))
        return;
    rbv_motion_monitor(motion);
    motion->sigma_reference = motion->sigma;
}

void rbv_motion_find_step_aside(RbvMotion *motion, double error) {
    const RbvRowFactors *rows = rbv_motion_watched(motion);
    for (int32_t k = 0; k < rows->n; k++)
        motion->x[k] = error * rbv_state_row_size(motion->state, rows->chosen[k]) * motion->probe[k];
    rbv_lu_solve(rows->lu, motion->x); /* D_I x = u: the largest movement for residuals |u| = 1 */
}

static bool factor_both(RbvMotion *motion) {
    return rbv_motion_factor(motion) && rbv_motion_factor_bodies(motion);
}

/* Is the present state indistinguishable from a singular one within rounding? Its position is accurate to the rounding
 * of the rows over sigma, along the direction nearest to singular; sigma must stay the same at both ends of that
 * interval. On return the state has its position and factors again. */
bool rbv_motion_is_indistinct(RbvMotion *motion) {
    RbvState *state = motion->state;
    const double sigma = motion->sigma;
    bool lost = false;
    rbv_motion_save_position(motion, motion->tried);
    if (!factor_both(motion))
        return true;
    rbv_motion_monitor(motion);
    for (int side = -1; side <= 1 && !lost; side += 2) {
        rbv_motion_find_step_aside(motion, side * RBV_POSITION_ROUNDING);
        rbv_motion_displace(motion, motion->x);
        double before = motion->sigma;
        lost = !rbv_state_place(state) || !factor_both(motion);
        if (!lost)
            rbv_motion_monitor(motion);
        lost = lost || fabs(motion->sigma - before) > INDISTINCT * before;
        motion->sigma = before;
        rbv_motion_restore_position(motion, motion->tried);
        lost = !rbv_state_place(state) || !factor_both(motion) || lost;
    }
    motion->sigma = sigma;
    return lost;
}
