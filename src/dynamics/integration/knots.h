/* Knots of time: instants at which expressions of forces, drives, conditions or events change their form with time
 * alone (t > 2, step, pulse, the end of a table). No step may cross a knot: a short pulse would otherwise be missed. */
#ifndef RBV_DYNAMICS_INTEGRATION_KNOTS_H
#define RBV_DYNAMICS_INTEGRATION_KNOTS_H

#include "mechanics/element/configuration.h"

typedef struct RbvTimedExpression {
    const RbvExpr *expr;
    int32_t variable, first, count; /* variable t of the expression; first and number of its sides among all */
} RbvTimedExpression;

typedef struct RbvKnots {
    RbvTimedExpression *items;
    int32_t count, capacity, total; /* total: number of sides */
    double from, step;              /* [s] beginning and step of the grid on which changes are searched for */
    double looked_until;            /* [s] no knot up to here, except the one found */
    bool found;
    double low, high;              /* [s] last instant before the knot, first after it: neighbouring doubles */
    double *x;                     /* workspace for expressions, and in the same block: */
    double *left, *right, *middle; /* [total] sides at three instants */
} RbvKnots;

/* Collects the expressions of the model; knots are searched from t = `from` [s] on; no step is longer than `longest`
 * [s]. False: out of memory; to be destroyed all the same. */
bool rbv_knots_create(RbvKnots *knots, const RbvModel *model, double from, double longest);
void rbv_knots_destroy(RbvKnots *knots);
/* Finds the first knot after t [s], between *low (may be t) and *high. False: there is none within the longest step. */
bool rbv_knots_next(RbvKnots *knots, double t, double *low, double *high);

/* Knots of tables are known instants at which a prescribed function of time is not smooth: a step that ends there need
 * not be tried repeatedly. Returns the first instant after t [s] at which a table over time has a knot, among drives,
 * loads, own states and constraints; infinity: none. */
double rbv_table_knots_next(const RbvModel *model, double t);

#endif
