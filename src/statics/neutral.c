/* Thresholds of neutral curvatures; see neutral.h. */
#include "statics/neutral.h"

#include <math.h>

/* Rounding of K in u^T K u / u^T u, as a part of the largest entry of K. */
#define STIFFNESS_ROUNDING 1e-14

/* Part of kappa: eigenvectors are known to rounding of the whole, which mixes the stiffness of other motions into
 * one. */
#define VECTOR_ROUNDING 1e-15

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
    return STIFFNESS_ROUNDING * sum;
}

double rbv_neutral_threshold(RbvBalance *b, double part, const double *direction, double *work) {
    double blurred = VECTOR_ROUNDING * b->kappa * rbv_balance_dot(b, direction, direction);
    return fmax(part * magnitudes(b, direction, work), fmax(rounding_of(b, direction), blurred));
}

RbvStabilityKind rbv_neutral_kind(double curvature, double threshold, bool *edge) {
    *edge = fabs(curvature) > threshold && fabs(curvature) <= EDGE_RATIO * threshold;
    return fabs(curvature) <= threshold ? RBV_NEUTRAL : curvature < 0 ? RBV_UNSTABLE : RBV_STABLE;
}
