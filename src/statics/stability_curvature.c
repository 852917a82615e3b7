/* Curvature k = u.K u of the energy along a motion u: what locked rows on velocities add to K u, below which value k
 * counts as zero, and whether k changes its sign within what the position is known to. */
#include "statics/stability.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Locked rows on velocities at rest: their reactions turn with the bodies, which gives a stiffness without an
 * energy. */

/* Part of the size: step of the differences; the truncation error is its fourth power. */
#define DIFFERENCE_STEP 1e-3

bool rbv_has_locked_rows(const RbvBalance *b) {
    return b->locked && b->system->rate_count > 0;
}

/* to[n] = factor C_r^T lambda_r at the evaluated state. */
static void add_rate_forces(const RbvBalance *b, double factor, double *to) {
    const RbvSystem *system = b->system;
    for (int32_t k = 0; k < b->rows; k++)
        for (int32_t e = system->C.start[k]; system->rows[k].on_rates && e < system->C.start[k + 1]; e++)
            to[system->C.column[e]] += factor * b->lambda[k] * b->C[e];
}

/* Adds half of the cross product of a body's torque and its rotation, which differences along rotating axes leave
 * out. */
static void add_axis_rotation(const RbvBalance *b, const double *x, const double *force, double *out) {
    const RbvBodyColumns *a = &b->system->bodies;
    for (int32_t i = 1; a->spatial && i < a->count; i++) {
        int32_t k = a->start[i] + 3;
        if (k >= a->start[i + 1])
            continue;
        RbvVec3 torque = rbv_vec3(force[k], force[k + 1], force[k + 2]), turn = rbv_vec3(x[k], x[k + 1], x[k + 2]);
        RbvVec3 half =
            rbv_scale(0.5 * b->scale[k], rbv_cross(torque, turn)); /* both are scaled by it, and so is the result */
        out[k] += half.x, out[k + 1] += half.y, out[k + 2] += half.z;
    }
}

void rbv_add_locked_stiffness(RbvBalance *b, const double *x, double *out, double *work) {
    static const struct {
        double at, weight;
    } points[] = {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
    double *force = work, *slope = work + b->n, extent = rbv_balance_extent(b, x);
    if (!(extent > 0))
        return;
    double h = DIFFERENCE_STEP / extent;
    memset(work, 0, 2 * (size_t)b->n * sizeof *work);
    add_rate_forces(b, 1, force);
    add_axis_rotation(b, x, force, out);
    rbv_balance_store(b);
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        rbv_balance_move(b, x, points[k].at * h);
        rbv_balance_evaluate(b);
        add_rate_forces(b, points[k].weight / h, slope);
    }
    rbv_balance_restore(b);
    rbv_balance_evaluate(b);
    for (int32_t j = 0; j < b->n; j++)
        out[j] += slope[j];
}

/* Threshold of neutral curvatures. */

/* Ratio between a neutral and a certainly nonzero curvature. */
#define EDGE_RATIO 10.0

/* Sum of the magnitudes of the contributions to u^T K u. */
typedef struct Magnitude {
    const RbvBodyColumns *bodies;
    const double *u;
    double term, sum;
} Magnitude;

static void add_magnitude(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Magnitude *m = context;
    const RbvBodyColumns *a = m->bodies;
    for (int32_t r = 0; r < rbv_bodies_columns(a, i); r++)
        for (int32_t c = 0; c < rbv_bodies_columns(a, j); c++)
            m->term += m->u[a->start[i] + r] * factor *
                       block[rbv_bodies_direction(a, r) * width + rbv_bodies_direction(a, c)] * m->u[a->start[j] + c];
}

static void end_term(void *context) {
    Magnitude *m = context;
    m->sum += fabs(m->term);
    m->term = 0;
}

static double magnitudes(RbvBalance *b, const double *direction, double *u) {
    for (int32_t i = 0; i < b->n; i++)
        u[i] = b->scale[i] * direction[i];
    for (int32_t k = 0; k < b->rows; k++)
        b->b[k] = b->lambda[k] * b->weight[k];
    Magnitude m = {.bodies = &b->system->bodies, .u = u};
    RbvStiffnessSink sink = {&m, add_magnitude, end_term};
    rbv_state_stiffness(b->state, b->b, &sink);
    return m.sum;
}

/* Rounding of K in u^T K u, body by body: light parts move far at mass 1. */
static double rounding_of(const RbvBalance *b, const double *u) {
    const RbvBodyColumns *bodies = &b->system->bodies;
    double sum = 0;
    for (int32_t i = 1; i < bodies->count; i++) {
        double square = 0;
        for (int32_t j = bodies->start[i]; j < bodies->start[i + 1]; j++)
            square += u[j] * u[j];
        sum += rbv_balance_body_stiffness(b, i) * square;
    }
    /* Rounding of K in u^T K u / u^T u, as a part of the largest entry of K. */
    return RBV_SUM_EXACT * sum;
}

double rbv_neutral_threshold(RbvBalance *b, double part, const double *direction, double *work) {
    /* Part of kappa: eigenvectors are known to rounding of the whole, which mixes the stiffness of other motions into
     * one. */
    double blurred = RBV_EXACT * b->kappa * rbv_balance_dot(b, direction, direction);
    return fmax(part * magnitudes(b, direction, work), fmax(rounding_of(b, direction), blurred));
}

RbvStabilityKind rbv_neutral_kind(double curvature, double threshold, bool *edge) {
    *edge = fabs(curvature) > threshold && fabs(curvature) <= EDGE_RATIO * threshold;
    if (fabs(curvature) <= threshold)
        return RBV_NEUTRAL;
    return curvature < 0 ? RBV_UNSTABLE : RBV_STABLE;
}

/* Change of the curvature within the uncertainty of the position. Forces are known to a tolerance f, so the position
 * along the motion u of lowest curvature k = u.K u is known to d = f |u| / |k|. K is computed at both sides of it.
 * If the curvature changes its sign there, the energy has an inflection or a fold, and neither sign is certain. */

/* Multiple of d, since a search may end anywhere within d. */
#define SPREAD 4.0
/* Parts of the size: largest distance at which K is computed; distance below which the curvature counts as
 * unchanged. */
#define FARTHEST_STATE 1e-2
#define NEAREST_STATE 1e-9

/* Relative change of the curvature within the position's uncertainty, above which the curvature is unknown. */
#define CHANGES 0.5

/* u.K u after a step along u; NaN: the state is not reached. */
static double curvature_beside(RbvBalance *b, const double *u, double step) {
    rbv_balance_move(b, u, step);
    if (!rbv_balance_project(b) || !rbv_balance_multipliers(b))
        return NAN;
    rbv_balance_fill_stiffness(b);
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
    rbv_balance_store(b);
    found[0] = curvature_beside(b, u, step);
    found[1] = curvature_beside(b, u, -step);
    rbv_balance_restore(b);
    rbv_balance_evaluate(b);
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
    /* Residual, as a part of the largest force, at a state that is balanced to rounding. */
    double left = rbv_balance_residual(b, b->lambda), found[2],
           step = SPREAD * (left + RBV_EXACT * search->largest) * length / fabs(k);
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
    rbv_balance_fill_stiffness(b);
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
