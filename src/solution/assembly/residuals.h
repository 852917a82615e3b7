/* Residuals of the rows at a state, item by item. */
#ifndef RBV_SOLUTION_ASSEMBLY_RESIDUALS_H
#define RBV_SOLUTION_ASSEMBLY_RESIDUALS_H

#include "mechanics/system/system.h"

/* Residual of one joint, constraint, drive or initial condition: root of the sum of squares over its rows. The residual
 * of an equation is in the equation's own unit, listed as a length. */
typedef struct RbvResidual {
    int32_t row;                    /* the first of the item's rows */
    const char *name;               /* name of the item in the model */
    double length, angle;           /* Phi [m], [rad] */
    double length_rate, angle_rate; /* C v - nu [m/s], [rad/s] */
    double size;   /* the larger of the residuals of positions and of rates, with the arm as length per radian */
    double speed;  /* [m/s] the largest sum of |C v| and |nu| of the rows whose rates are compared */
    bool rounding; /* satisfied within rounding: size has no meaning */
} RbvResidual;

/* Residuals of all rows on positions, and with `rates` also of rates, at a state with evaluated positions (and C, nu
 * and v): list[all_count], largest first; equal ones, and those within rounding, in the order of names. Returns how
 * many. */
int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list);

#endif
