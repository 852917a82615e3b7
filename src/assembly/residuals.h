/* What is left of the rows at a state, thing by thing. */
#ifndef RBV_ASSEMBLY_RESIDUALS_H
#define RBV_ASSEMBLY_RESIDUALS_H

#include "system/system.h"

/* Of one joint, constraint, drive or initial condition: the root of the sum of squares over its rows. Of an equation in
 * the equation's own unit, as a length. */
typedef struct RbvResidual {
    int32_t row;                    /* the first of its rows */
    const char *name;               /* of the thing, the model's */
    double length, angle;           /* Phi [m], [rad] */
    double length_rate, angle_rate; /* C v - nu [m/s], [rad/s] */
    double size;                    /* the larger of both, a radian being worth the arm length */
    double speed;                   /* [m/s] the largest sum of |C v| and |nu| that a rate is left over of */
    bool rounding;                  /* it holds: what is left has no size */
} RbvResidual;

/* The residuals of all rows of positions, and with `rates` of the rows on rates, at a state that is placed (and has
 * C, nu and v): list[all_count], largest first, equal ones and those that are rounding in the order of names. Returns
 * how many there are. */
int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list);

#endif
