/* The mechanism at an instant, as loads see it: bodies, markers and measures with their motions, and the values of
 * expressions. All vectors in ground axes. */
#ifndef RBV_ELEMENT_CONFIGURATION_H
#define RBV_ELEMENT_CONFIGURATION_H

#include "element/measure.h"
#include "element/pieces.h"

typedef struct RbvConfiguration {
    const RbvModel *model;
    double t;                        /* [s] */
    const double *size;              /* [bodies] [m] of the part each belongs to */
    const RbvBodyState *bodies;      /* [bodies] */
    const RbvTwist *twists;          /* [bodies] */
    const RbvMarkerState *markers;   /* [markers] */
    const RbvMeasureState *measures; /* [measures] */
    const double *own;               /* [states] of the user's own */
    double *work;                    /* scratch of expressions */
    RbvPieces *pieces;               /* on which laws are held; NULL: those that they are on */
    bool at_rest;                    /* rates of measures are taken for zero */
} RbvConfiguration;

/* Variables that a load's own expression has besides time and coordinates. */
typedef struct RbvLocal {
    double length[2]; /* l, l' of a spring */
    double place[3];  /* x, y, z of a field */
    int32_t body;     /* and where it acts */
} RbvLocal;

/* The variables of an expression; local NULL: it has none. */
void rbv_configuration_variables(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local, double *x);
double rbv_configuration_value(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local);

/* An expression's variables x[count], value, gradient[count] and hessian[count*count] in them. The arrays lie in a
 * state's scratch and hold until its next use. */
typedef struct RbvJet {
    int32_t count;
    double value, *x, *gradient, *hessian;
} RbvJet;
RbvJet rbv_configuration_jet(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local);

/* What variable v of an expression is. */
static inline RbvVariable rbv_variable_of(const RbvModel *model, const RbvExpr *expr, int32_t v) {
    return model->variables.items[rbv_expr_variable(expr, v)];
}
/* Does a value of the load depend on more than the time? */
bool rbv_load_varies(const RbvModel *model, const RbvLoad *load);

#endif
