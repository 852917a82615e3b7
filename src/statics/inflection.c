/* Forces are known to a tolerance f, so the place along the motion u of lowest curvature k = u.K u is known to d = f
 * |u| / |k|. To both sides of it K is taken anew; see inflection.h. */
#include "statics/inflection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times d, since a search may end anywhere within it. */
#define WIDE 4.0
/* Of the size: no place is looked at further away; and nearer than this a curvature stays what it is. */
#define FARTHEST 1e-2
#define NEAREST 1e-9

/* Of the largest force: what is left over at a place that rests to rounding. */
#define ROUNDED 1e-15
/* Of itself: a curvature that changes by more beside the place, within what it is known to, is not known. */
#define CHANGES 0.5

/* u.K u at a step along u; NaN: no such place. */
static double beside(RbvBalance *b, const double *u, double step) {
    rbv_balance_move(b, u, step);
    if (!rbv_balance_project(b) || !rbv_balance_multipliers(b))
        return NAN;
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, u, b->K_y);
    return rbv_balance_dot(b, u, b->K_y);
}

/* u.K u at a step to both sides; all is then as before. False: no memory. */
static bool both_sides(RbvBalance *b, const double *u, double step, double found[2]) {
    double *lambda = malloc(((size_t)b->rows + 1) * sizeof *lambda);
    if (!lambda) {
        b->state->no_memory = true;
        return false;
    }
    memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    rbv_balance_keep(b);
    found[0] = beside(b, u, step);
    found[1] = beside(b, u, -step);
    rbv_balance_back(b);
    rbv_balance_place(b);
    memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
    free(lambda);
    return true;
}

static void level(RbvStability *s) {
    s->kind = RBV_NEUTRAL;
    s->edge = false;
    s->curvature = 0;
    s->falling = 0;
}

/* Nearly none: it is none where the forces that are left over leave the place open by so much that it changes. k = u.K
 * u. */
static void decide_edge(RbvEquilibriumSearch *search, RbvStability *s, double k, double length) {
    RbvBalance *b = search->balance;
    double left = rbv_balance_left(b, b->lambda), found[2],
           step = WIDE * (left + ROUNDED * search->largest) * length / fabs(k);
    step = fmin(step, FARTHEST / rbv_balance_extent(b, s->direction));
    if (both_sides(b, s->direction, step, found) &&
        !(fabs(found[0] - k) <= CHANGES * fabs(k) && fabs(found[1] - k) <= CHANGES * fabs(k)))
        level(s);
}

bool rbv_stability_inflects(RbvEquilibriumSearch *search, RbvStability *s) {
    RbvBalance *b = search->balance;
    const double *u = s->direction;
    if ((s->kind != RBV_STABLE && s->kind != RBV_UNSTABLE) || !isfinite(s->curvature) || !isfinite(b->V) ||
        s->falling > 1)
        return false;
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, u, b->K_y);
    double k = rbv_balance_dot(b, u, b->K_y), extent = rbv_balance_extent(b, u),
           length = sqrt(rbv_balance_dot(b, u, u)), found[2];
    if (s->edge) {
        decide_edge(search, s, k, length);
        return false;
    }
    double step = WIDE * rbv_equilibrium_tolerance(search) * length / fabs(k);
    if (!(step * extent > NEAREST)) /* NaN: nothing moves */
        return false;
    step = fmin(step, FARTHEST / extent);
    if (!both_sides(b, u, step, found) || !(found[0] * found[1] < 0))
        return false;
    level(s);
    return true;
}
