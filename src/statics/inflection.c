/* Change of the curvature within the uncertainty of the position. Forces are known to a tolerance f, so the position
 * along the motion u of lowest curvature k = u.K u is known to d = f |u| / |k|. K is computed at both sides of it; see
 * inflection.h. */
#include "statics/inflection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Multiple of d, since a search may end anywhere within d. */
#define SPREAD 4.0
/* Parts of the size: largest distance at which K is computed; distance below which the curvature counts as
 * unchanged. */
#define FARTHEST_STATE 1e-2
#define NEAREST_STATE 1e-9

/* Residual, as a part of the largest force, at a state that is balanced to rounding. */
#define ROUNDED 1e-15
/* Relative change of the curvature within the position's uncertainty, above which the curvature is unknown. */
#define CHANGES 0.5

/* u.K u after a step along u; NaN: the state is not reached. */
static double curvature_beside(RbvBalance *b, const double *u, double step) {
    rbv_balance_move(b, u, step);
    if (!rbv_balance_project(b) || !rbv_balance_multipliers(b))
        return NAN;
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, u, b->K_y);
    return rbv_balance_dot(b, u, b->K_y);
}

/* u.K u after a step to both sides; the state is restored. False if out of memory. */
static bool curvatures_at_both_sides(RbvBalance *b, const double *u, double step, double found[2]) {
    double *lambda = malloc(((size_t)b->rows + 1) * sizeof *lambda);
    if (!lambda) {
        b->state->no_memory = true;
        return false;
    }
    memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    rbv_balance_keep(b);
    found[0] = curvature_beside(b, u, step);
    found[1] = curvature_beside(b, u, -step);
    rbv_balance_back(b);
    rbv_balance_place(b);
    memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
    free(lambda);
    return true;
}

static void set_level(RbvStability *s) {
    s->kind = RBV_NEUTRAL;
    s->edge = false;
    s->curvature = 0;
    s->falling = 0;
}

/* A curvature k = u.K u near the threshold counts as zero if the residual forces leave the position so uncertain that
 * the curvature changes by more than CHANGES within it. */
static void decide_edge(RbvEquilibriumSearch *search, RbvStability *s, double k, double length) {
    RbvBalance *b = search->balance;
    double left = rbv_balance_left(b, b->lambda), found[2],
           step = SPREAD * (left + ROUNDED * search->largest) * length / fabs(k);
    step = fmin(step, FARTHEST_STATE / rbv_balance_extent(b, s->direction));
    if (curvatures_at_both_sides(b, s->direction, step, found) &&
        !(fabs(found[0] - k) <= CHANGES * fabs(k) && fabs(found[1] - k) <= CHANGES * fabs(k)))
        set_level(s);
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
    double step = SPREAD * rbv_equilibrium_tolerance(search) * length / fabs(k);
    if (!(step * extent > NEAREST_STATE)) /* NaN: no motion */
        return false;
    step = fmin(step, FARTHEST_STATE / extent);
    if (!curvatures_at_both_sides(b, u, step, found) || !(found[0] * found[1] < 0))
        return false;
    set_level(s);
    return true;
}
