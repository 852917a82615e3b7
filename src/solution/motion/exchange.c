/* The choice of independent rows among dependent ones: rows are exchanged as the motion changes their condition, so
 * that no result depends on the choice.
 *
 * With D_d = T D_I for the dependent rows d, T = D_d D_I^-1, the determinant of D_I grows by the factor |t_di| when
 * rows d and i change places. Where all |t_di| are near one or below, with rows of unit length, D_I is as well
 * conditioned as D itself, but for a factor of their number (Gu and Eisenstat 1996); where one grows without bound the
 * rows of D_I become dependent although those of D do not. The same holds for C_I where v is not the body twists. There
 * the rows missing in D_I may be kept by the coordinates or not, so that C and D need separate choices.
 */
#include "solution/motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are exchanged until no |t| is above this. */
#define EXCHANGED 1.5
#define MOST_EXCHANGES 10000

/* Chosen rows, and the dependent rows that may take their places. */
typedef struct Choice {
    const RbvRowFactors *rows;
    const double *values;             /* entries of all rows */
    int32_t *dependent, *independent; /* [count], [rows->n] */
    int32_t count;
} Choice;

static Choice choice_of(const RbvMotion *motion, bool of_bodies) {
    const RbvSolvability *s = motion->solvability;
    if (of_bodies)
        return (Choice){motion->D, motion->state->D, s->dependent, s->independent, s->redundant};
    return (Choice){&motion->C, motion->state->C, motion->own_dependent, motion->own_rows,
                    motion->D == &motion->C ? 0 : motion->own_redundant};
}

/* Length of a row: of D in the units of its block, of C with columns scaled to the size of what v moves. */
static double row_norm(const RbvMotion *motion, const Choice *c, int32_t row) {
    const RbvSolvability *s = motion->solvability;
    double sum = 0;
    if (c->rows == motion->D)
        return s->ranks[rbv_solvability_block(s, row)].row_norm[s->local[row]];
    for (int32_t e = c->rows->rows->start[row]; e < c->rows->rows->start[row + 1]; e++) {
        double part = c->values[e] / motion->share[c->rows->rows->column[e]];
        sum += part * part;
    }
    return sqrt(sum);
}

/* motion->x := D_I^-T sum of weight[n] D_d over the dependent rows d, scaled to unit length; only >= 0: that row
 * alone. */
static void combine_dependent(RbvMotion *motion, const Choice *c, int32_t only) {
    const RbvRowPattern *rows = c->rows->rows;
    memset(motion->x, 0, (size_t)c->rows->n * sizeof *motion->x);
    for (int32_t n = only < 0 ? 0 : only; n < (only < 0 ? c->count : only + 1); n++) {
        int32_t row = c->dependent[n];
        double weight = only < 0 ? 1 - 0.37 * (n % 5) * (n % 2 ? 1 : -1) : 1,
               norm = row_norm(motion, c,
                               row); /* weights of neighbouring rows differ, so that one row does not cancel another */
        for (int32_t e = rows->start[row]; norm > 0 && e < rows->start[row + 1]; e++)
            motion->x[rows->column[e]] += weight / norm * c->values[e];
    }
    rbv_lu_solve_transposed(c->rows->lu, motion->x);
}

/* The largest |t| in motion->x, with rows of unit length; *place: index of the independent row. A row on rates never
 * replaces a row on positions; rows of coordinates and of idle spins are never exchanged. */
static double largest_share(const RbvMotion *motion, const Choice *c, bool on_rates, int32_t *place) {
    const RbvSystem *system = motion->system;
    double most = 0;
    for (int32_t k = 0; k < c->rows->n; k++) {
        int32_t row = c->independent[k];
        if (row >= system->row_count || (on_rates && !system->rows[row].on_rates))
            continue;
        double share = fabs(motion->x[k]) * row_norm(motion, c, row);
        if (!(share <= most)) {
            most = share;
            *place = k;
        }
    }
    return most;
}

double rbv_motion_dependence(RbvMotion *motion) {
    double most = 0;
    for (int of_bodies = 0; of_bodies < 2; of_bodies++) {
        Choice c = choice_of(motion, of_bodies);
        int32_t place;
        if (c.count == 0)
            continue;
        combine_dependent(motion, &c, -1);
        double share = largest_share(motion, &c, false, &place) / sqrt(1.0 + c.count);
        if (!(share <= most))
            most = share;
    }
    return most;
}

/* Find the pair of a dependent and an independent row with the largest |t|; returns it. */
static double find_pair(RbvMotion *motion, const Choice *c, int32_t *dependent, int32_t *place) {
    double most = 0;
    for (int32_t n = 0; n < c->count; n++) {
        int32_t k = 0;
        combine_dependent(motion, c, n);
        double share = largest_share(motion, c, motion->system->rows[c->dependent[n]].on_rates, &k);
        if (share > most && isfinite(share)) {
            most = share;
            *dependent = n;
            *place = k;
        }
    }
    return most;
}

/* Exchange rows of D_I (of_bodies) or C_I until no |t| is above EXCHANGED. */
static RbvStatus exchange_rows(RbvMotion *motion, bool of_bodies, bool *changed) {
    for (int32_t n = 0; n < MOST_EXCHANGES; n++) {
        Choice c = choice_of(motion, of_bodies);
        int32_t dependent = 0, place = 0;
        if (!(find_pair(motion, &c, &dependent, &place) > EXCHANGED))
            return RBV_OK;
        int32_t row = c.dependent[dependent];
        c.dependent[dependent] = c.independent[place];
        c.independent[place] = row;
        *changed = true;
        RbvStatus status = of_bodies ? rbv_motion_take_rows(motion) : rbv_motion_take_own_rows(motion);
        if (status == RBV_OK && (!rbv_motion_factor(motion) || !rbv_motion_factor_bodies(motion)))
            status = RBV_LOCKED;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

RbvStatus rbv_motion_exchange(RbvMotion *motion, bool *changed) {
    *changed = false;
    RbvStatus status = exchange_rows(motion, true, changed);
    return status == RBV_OK ? exchange_rows(motion, false, changed) : status;
}
