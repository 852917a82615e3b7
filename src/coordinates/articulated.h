/* M^-1 of joint coordinates by articulated bodies: factors and solutions in time proportional to the bodies, M itself
 * is never made.
 *
 * Of a body and all that hangs on it, about the second marker's point P of its arc, with S the arc's directions there:
 *
 *   I_A = I + sum over the bodies that hang on it of X^T (I_A - U D^-1 U^T) X       U = I_A S      D = S^T U
 *
 * X: from the acceleration of the parent at its P to that of the parent's matter at the child's. Then for M x = f
 * inward  u = f - S^T p,  p_parent += X^T (p + U D^-1 u),  and outward x = D^-1 (u - U^T X a_parent),  a = X a_parent +
 * S x  (Featherstone, Rigid Body Dynamics Algorithms, 7.3, without velocities).
 */
#ifndef RBV_COORDINATES_ARTICULATED_H
#define RBV_COORDINATES_ARTICULATED_H

#include "coordinates/coordinates.h"

typedef struct RbvArticulated RbvArticulated;

/* Are they joint coordinates of a tree so deep that M would have many entries? */
bool rbv_articulated_fits(const RbvCoordinates *coordinates);
/* *fits: as of these; else NULL is given. NULL with *fits: no memory. The coordinates must outlive it. */
RbvArticulated *rbv_articulated_create(const RbvCoordinates *coordinates, bool *fits);
void rbv_articulated_destroy(RbvArticulated *articulated);
/* Take over the placed bodies. False: M is not positive, or a number is not finite. */
bool rbv_articulated_factor(RbvArticulated *articulated, RbvPosed at);
/* x = M^-1 x. */
void rbv_articulated_solve(RbvArticulated *articulated, double *x);
/* diagonal[size] of D: what an arc's directions resist with when all that hangs on it may move. */
void rbv_articulated_diagonal(const RbvArticulated *articulated, double *diagonal);

#endif
