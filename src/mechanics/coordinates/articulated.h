/* The product M^-1 x in joint coordinates by the articulated-body method: time proportional to the number of bodies,
 * without the mass matrix M.
 *
 * I_A is the inertia of a body and of all bodies that it carries, about the point P (second marker of the body's tree
 * joint); S are the directions of that joint:
 *
 *   I_A = I + sum over the carried bodies of X^T (I_A - U D^-1 U^T) X       U = I_A S      D = S^T U
 *
 * X takes the acceleration of the parent at its P to the acceleration of the parent's matter at the child's P. To solve
 * M x = f, an inward sweep computes u = f - S^T p,  p_parent += X^T (p + U D^-1 u),  and an outward sweep computes
 * x = D^-1 (u - U^T X a_parent),  a = X a_parent + S x  (Featherstone, Rigid Body Dynamics Algorithms, 7.3, without
 * velocities). */
#ifndef RBV_MECHANICS_COORDINATES_ARTICULATED_H
#define RBV_MECHANICS_COORDINATES_ARTICULATED_H

#include "mechanics/coordinates/coordinates.h"

typedef struct RbvArticulated RbvArticulated;

/* True if the coordinates are joint coordinates, without generalized coordinates, of a tree so deep that M would have
 * many entries. */
bool rbv_articulated_fits(const RbvCoordinates *coordinates);
/* A new solver for the coordinates, which must outlive it. *fits is rbv_articulated_fits; if it is false the result is
 * NULL. NULL with *fits true: out of memory. */
RbvArticulated *rbv_articulated_create(const RbvCoordinates *coordinates, bool *fits);
void rbv_articulated_destroy(RbvArticulated *articulated);
/* Factors M at the positions in `at`. False: M is not positive definite, or a number is not finite. */
bool rbv_articulated_factor(RbvArticulated *articulated, RbvPosed at);
/* Replaces x[size] by M^-1 x; after rbv_articulated_factor. */
void rbv_articulated_solve(RbvArticulated *articulated, double *x);
/* diagonal[size] of D: inertia along each tree-joint direction when all joints further from ground may move. */
void rbv_articulated_diagonal(const RbvArticulated *articulated, double *diagonal);

#endif
