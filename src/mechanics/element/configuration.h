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

/* Stiffness K = -dQ/dq at rest (configuration.c). */

/* Writes v down column `column` of a block, from row `top`. */
static inline void rbv_block_set(double block[6][6], int top, int column, RbvVec3 v) {
    block[top][column] = v.x, block[top + 1][column] = v.y, block[top + 2][column] = v.z;
}
static inline RbvVec3 rbv_axis(int k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

/* Receiver of the stiffness. block[6][6], with rows of `width` numbers, belongs to the six directions of body i (rows)
 * and body j (columns), neither being ground. `term` (or NULL) is called at the end of each contribution. */
typedef struct RbvStiffnessSink {
    void *context;
    void (*block)(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width);
    void (*term)(void *context);
} RbvStiffnessSink;

typedef struct RbvStiffness {
    const RbvConfiguration *at;
    const RbvStiffnessSink *sink;
} RbvStiffness;

/* rbv_stiffness_block: passes factor times a block of bodies i and j, unless one is ground. rbv_stiffness_end: ends a
 * contribution. */
void rbv_stiffness_block(const RbvStiffness *K, int32_t i, int32_t j, double factor, const double *block,
                         int32_t width);
void rbv_stiffness_end(const RbvStiffness *K);
/* Passes factor times the Hessian of measure m; ends a contribution. */
void rbv_stiffness_hessian(const RbvStiffness *K, int32_t m, double factor);
/* Passes factor a b^T, b being the gradient of measure m and a a wrench on a body, or the gradient of measure n. */
void rbv_stiffness_wrench_outer(const RbvStiffness *K, int32_t body, RbvWrench a, int32_t m, double factor);
void rbv_stiffness_outer(const RbvStiffness *K, int32_t n, int32_t m, double factor);
/* Passes the stiffness of Q = -s(m) grad m with s = force, ds/dm = slope; ends a contribution. */
void rbv_stiffness_along(const RbvStiffness *K, int32_t m, double force, double slope);

#endif
