/* Instants at which forces, drives, conditions or events change their form with time alone (t > 2, step, pulse, the end
 * of a table): no step may go over one, or a short pulse would not be seen. */
#ifndef RBV_DYNAMICS_KNOTS_H
#define RBV_DYNAMICS_KNOTS_H

#include "element/configuration.h"

typedef struct RbvTimedExpression {
    const RbvExpr *expr;
    int32_t variable, first, count; /* t; its sides among all */
} RbvTimedExpression;

typedef struct RbvKnots {
    RbvTimedExpression *items;
    int32_t count, capacity, total; /* total: of sides */
    double from, step;              /* [s] of the grid on which changes are looked for */
    double looked_until;            /* [s] there is none up to here; but the one that was found */
    bool found;
    double low, high; /* [s] last instant before it, first after it: neighbours */
    double *x, *left, *right, *middle;
} RbvKnots;

/* From t = from on; no step is longer than `longest` [s]. False: no memory; to be destroyed all the same. */
bool rbv_knots_create(RbvKnots *knots, const RbvModel *model, double from, double longest);
void rbv_knots_destroy(RbvKnots *knots);
/* The first knot after t, between *low (it may be t) and *high, if there is one within the longest step. */
bool rbv_knots_next(RbvKnots *knots, double t, double *low, double *high);

#endif
