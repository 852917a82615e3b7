/* What is left of the rows at a state, thing by thing. */
#ifndef RBV_ASSEMBLY_RESIDUALS_H
#define RBV_ASSEMBLY_RESIDUALS_H

#include "system/system.h"

/* Of one joint, constraint, drive or initial condition: the root of the sum of squares over its rows. Of an equation in the equation's own unit, as a length. */
typedef struct RbvResidual {
    int32_t row;                     /* the first of its rows */
    double length, angle;            /* Phi [m], [rad] */
    double length_rate, angle_rate;  /* C v - nu [m/s], [rad/s] */
    double size;                     /* the larger of both, a radian being worth the arm length */
} RbvResidual;

/* The residuals of all rows of positions, and with `rates` of the rows on rates, at a state that is placed (and has C, nu and v): list[all_count], largest first. Returns how
 * many there are. */
int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list);

#endif
