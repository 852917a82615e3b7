/* Which of dependent rows are taken as independent: exchanged as the motion changes their condition, so that no result hangs on the choice.
 *
 * With D_d = T D_I for the dependent rows d, T = D_d D_I^-1, the determinant of D_I grows by the factor |t_di| when rows d and i change places. Where all |t_di| are near one or below,
 * rows of unit length, D_I is as well conditioned as D itself, but for a factor of their number (Gu and Eisenstat 1996); where one grows without bound the rows of D_I become
 * dependent although those of D do not.
 */
#include "motion/motion.h"

#include <stdlib.h>
#include <string.h>

/* Rows are exchanged until no |t| is above this. */
#define EXCHANGED 1.5
#define MOST_EXCHANGES 10000

static double row_norm(const RbvMotion *motion, int32_t row) {
    const RbvSolvability *s = motion->solvability;
    return s->ranks[rbv_solvability_block(s, row)].row_norm[s->local[row]];
}

/* motion->x := D_I^-T sum of weight[n] D_d over the dependent rows d, of unit length. */
static void combine(RbvMotion *motion, int32_t only) {
    const RbvSystem *system = motion->system;
    const RbvSolvability *s = motion->solvability;
    memset(motion->x, 0, (size_t)motion->D->n * sizeof *motion->x);
    for (int32_t n = only < 0 ? 0 : only; n < (only < 0 ? s->redundant : only + 1); n++) {
        int32_t row = s->dependent[n];
        double weight = only < 0 ? 1 - 0.37 * (n % 5) * (n % 2 ? 1 : -1) : 1; /* no two alike beside each other: what one row shows another does not hide */
        weight /= row_norm(motion, row);
        for (int32_t e = system->D.start[row]; e < system->D.start[row + 1]; e++)
            motion->x[system->D.column[e]] += weight * motion->state->D[e];
    }
    rbv_lu_solve_transposed(motion->D->lu, motion->x);
}

/* The largest |t| of motion->x, rows of unit length; *place: of which independent row. A row on rates never takes the place of one of positions. */
static double largest_share(const RbvMotion *motion, bool on_rates, int32_t *place) {
    double most = 0;
    for (int32_t k = 0; k < motion->solvability->rank; k++) {
        if (on_rates && !motion->system->rows[motion->solvability->independent[k]].on_rates)
            continue;
        double share = fabs(motion->x[k]) * row_norm(motion, motion->solvability->independent[k]);
        if (!(share <= most)) {
            most = share;
            *place = k;
        }
    }
    return most;
}

double rbv_motion_dependence(RbvMotion *motion) {
    int32_t place;
    if (motion->solvability->redundant == 0)
        return 0;
    combine(motion, -1);
    return largest_share(motion, false, &place);
}

/* The pair of rows with the largest |t|. */
static double find_pair(RbvMotion *motion, int32_t *dependent, int32_t *place) {
    double most = 0;
    for (int32_t n = 0; n < motion->solvability->redundant; n++) {
        int32_t k = 0;
        combine(motion, n);
        double share = largest_share(motion, motion->system->rows[motion->solvability->dependent[n]].on_rates, &k);
        if (share > most && isfinite(share)) {
            most = share;
            *dependent = n;
            *place = k;
        }
    }
    return most;
}

RbvStatus rbv_motion_exchange(RbvMotion *motion, bool *changed) {
    RbvSolvability *s = motion->solvability;
    *changed = false;
    for (int32_t n = 0; n < MOST_EXCHANGES; n++) {
        int32_t dependent = 0, place = 0;
        if (!(find_pair(motion, &dependent, &place) > EXCHANGED))
            return RBV_OK;
        int32_t row = s->dependent[dependent];
        s->dependent[dependent] = s->independent[place];
        s->independent[place] = row;
        *changed = true;
        RbvStatus status = rbv_motion_take_rows(motion);
        if (status == RBV_OK && (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion)))
            status = RBV_LOCKED;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}
