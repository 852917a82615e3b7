/* How near the chosen rows are to singular: their smallest singular value, by inverse iteration from sample to sample. */
#include "motion/motion.h"

#include <string.h>

/* Inverse iteration until its estimate changes by less than the first, from the last direction with so much of others. */
#define MONITOR_SETTLED 0.2
#define MONITOR_PASSES 8
#define MONITOR_OTHERS 1e-2
/* A change of sigma by which rounding alone can make a state singular. */
#define INDISTINCT 0.5

static double square(double x) {
    return x * x;
}

/* What a row's error of 1 is worth as a share of the size of its part. */
static double share_of_row(const RbvMotion *motion, int32_t row) {
    return (motion->system->rows[row].angular ? rbv_state_row_arm(motion->state, row) : 1) / rbv_state_row_size(motion->state, row);
}

/* Inverse iteration on D_I^T D_I: an estimate of its smallest singular value. The direction of the last sample may have lost what is now the smallest, so some of all others is added. */
void rbv_motion_monitor(RbvMotion *motion) {
    double *u = motion->probe, others = MONITOR_OTHERS / sqrt(motion->D->n);
    for (int32_t k = 0; k < motion->D->n; k++)
        u[k] += others * (k % 3 - 0.9) * (k % 2 ? 1 : -1);
    for (int pass = 0; pass < MONITOR_PASSES; pass++) {
        double norm = 0, before = motion->sigma, off = 0, moved = 0;
        for (int32_t k = 0; k < motion->D->n; k++)
            off += square(u[k] * share_of_row(motion, motion->solvability->independent[k]));
        rbv_lu_solve(motion->D->lu, u);
        for (int32_t k = 0; k < motion->D->n; k++) {
            norm += square(u[k]);
            moved = fmax(moved, fabs(u[k]) * motion->body_share[k]);
        }
        motion->sigma = 1 / sqrt(norm);
        motion->amplification = moved / sqrt(off);
        rbv_lu_solve_transposed(motion->D->lu, u);
        norm = 0;
        for (int32_t k = 0; k < motion->D->n; k++)
            norm += square(u[k]);
        norm = sqrt(norm);
        for (int32_t k = 0; k < motion->D->n; k++)
            u[k] /= norm;
        if (!(fabs(motion->sigma - before) > MONITOR_SETTLED * motion->sigma))
            return;
    }
}

void rbv_motion_find_step_aside(RbvMotion *motion, double error) {
    for (int32_t k = 0; k < motion->D->n; k++)
        motion->x[k] = error * rbv_state_row_size(motion->state, motion->solvability->independent[k]) * motion->probe[k];
    rbv_lu_solve(motion->D->lu, motion->x); /* D_I x = u: the most that rows off by |u| = 1 move */
}

static bool factor(RbvMotion *motion) {
    return rbv_motion_factor(motion) && rbv_motion_factor_bodies(motion);
}

/* Is the placed state one that rounding does not tell from a singular one? Its place is known to that of the rows over sigma, along the direction nearest to singular; there and back sigma
 * must stay what it is. The state comes back with its factors. */
bool rbv_motion_is_indistinct(RbvMotion *motion) {
    RbvState *state = motion->state;
    const double sigma = motion->sigma;
    bool lost = false;
    rbv_motion_save_position(motion, motion->tried);
    if (!factor(motion))
        return true;
    rbv_motion_monitor(motion);
    for (int side = -1; side <= 1 && !lost; side += 2) {
        rbv_motion_find_step_aside(motion, side * RBV_POSITION_ROUNDING);
        rbv_motion_displace(motion, motion->x);
        double before = motion->sigma;
        lost = !rbv_state_place(state) || !factor(motion);
        if (!lost)
            rbv_motion_monitor(motion);
        lost = lost || fabs(motion->sigma - before) > INDISTINCT * before;
        motion->sigma = before;
        rbv_motion_restore_position(motion, motion->tried);
        lost = !rbv_state_place(state) || !factor(motion) || lost;
    }
    motion->sigma = sigma;
    return lost;
}
