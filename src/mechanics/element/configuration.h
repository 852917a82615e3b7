/* The mechanism at an instant, as loads use it: bodies, markers and measures with their rates, and the values of
 * expressions. All vectors in ground axes. */
#ifndef RBV_MECHANICS_ELEMENT_CONFIGURATION_H
#define RBV_MECHANICS_ELEMENT_CONFIGURATION_H

#include "mechanics/element/measure.h"
#include "mechanics/element/pieces.h"

typedef struct RbvConfiguration {
    const RbvModel *model;
    double t;                        /* [s] */
    const double *size;              /* [bodies] [m] size of each body's part */
    const RbvBodyState *bodies;      /* [bodies] */
    const RbvTwist *twists;          /* [bodies] */
    const RbvMarkerState *markers;   /* [markers] */
    const RbvMeasureState *measures; /* [measures] */
    const double *own;               /* [states] the user's own states */
    double *work;                    /* workspace of expressions */
    RbvPieces *pieces;               /* pieces on which laws are held; NULL: each law on the piece of its argument */
    bool at_rest;                    /* rates of measures are taken as zero */
} RbvConfiguration;

/* Variables of a load's own expression besides time and coordinates. */
typedef struct RbvLocal {
    double length[2]; /* l [m or rad], l' of a spring */
    double place[3];  /* x, y, z [m] of a field */
    int32_t body;     /* the body on which the field acts */
} RbvLocal;

/* Variables x[count] of an expression, and its value; local NULL: none. */
void rbv_configuration_variables(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local, double *x);
double rbv_configuration_value(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local);

/* Variables x[count], value, gradient[count] and hessian[count*count] of an expression. The arrays lie in the state's
 * workspace and are valid until its next use. */
typedef struct RbvJet {
    int32_t count;
    double value, *x, *gradient, *hessian;
} RbvJet;
RbvJet rbv_configuration_jet(const RbvConfiguration *at, const RbvExpr *expr, const RbvLocal *local);

/* Variable v of an expression. */
static inline RbvVariable rbv_variable_of(const RbvModel *model, const RbvExpr *expr, int32_t v) {
    return model->variables.items[rbv_expr_variable(expr, v)];
}
/* True if a value of the load depends on more than the time. */
bool rbv_load_varies(const RbvModel *model, const RbvLoad *load);

#endif
