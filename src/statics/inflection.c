/* Forces are known to a tolerance f, so the place along the motion u of lowest curvature k = u.K u is known to d = f |u| / |k|. To both sides of it K is taken anew; see inflection.h. */
#include "statics/inflection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times d, since a search may end anywhere within it. */
#define WIDE 4.0
/* Of the size: no place is looked at further away; and nearer than this a curvature stays what it is. */
#define FARTHEST 1e-2
#define NEAREST 1e-9

/* The sign of u.K u at a step along u, 0: no such place. */
static int sign_beside(RbvBalance *b, const double *u, double step) {
    double sum = 0;
    rbv_balance_move(b, u, step);
    if (!rbv_balance_project(b) || !rbv_balance_multipliers(b))
        return 0;
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, u, b->K_y);
    sum = rbv_balance_dot(b, u, b->K_y);
    return (sum > 0) - (sum < 0);
}

bool rbv_stability_inflects(RbvEquilibriumSearch *search, RbvStability *s) {
    RbvBalance *b = search->balance;
    const double *u = s->direction;
    if ((s->kind != RBV_STABLE && s->kind != RBV_UNSTABLE) || !isfinite(s->curvature) || !isfinite(b->V) || s->falling > 1)
        return false;
    rbv_balance_take_stiffness(b);
    rbv_balance_stiffness(b, u, b->K_y);
    double k = fabs(rbv_balance_dot(b, u, b->K_y)), extent = rbv_balance_extent(b, u), length = sqrt(rbv_balance_dot(b, u, u));
    double step = WIDE * rbv_equilibrium_tolerance(search) * length / k;
    if (!(step * extent > NEAREST)) /* NaN: nothing moves */
        return false;
    step = fmin(step, FARTHEST / extent);
    double *lambda = malloc(((size_t)b->rows + 1) * sizeof *lambda);
    if (!lambda) {
        b->state->no_memory = true;
        return false;
    }
    memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    rbv_balance_keep(b);
    int up = sign_beside(b, u, step), down = sign_beside(b, u, -step);
    rbv_balance_back(b);
    rbv_balance_place(b);
    memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
    free(lambda);
    if (up * down >= 0)
        return false;
    s->kind = RBV_NEUTRAL;
    s->curvature = 0;
    s->falling = 0;
    return true;
}
