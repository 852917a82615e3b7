/* Saddle point systems of trees with few constraint rows; M^-1 by the articulated-body method:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 *
 * M is never formed. S is full, of the size of the number of rows. The interface is that of core/solve/schur.h;
 * corrections use the residual of the equations without eps. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_TREE_SCHUR_H
#define RBV_DYNAMICS_ACCELERATIONS_TREE_SCHUR_H

#include "mechanics/coordinates/coordinates.h"

typedef struct RbvTreeSchur RbvTreeSchur;

/* The pattern C[rows][n] must outlive the object; rows that are left out have no entries, or zeros. *fits: the
 * coordinates are those of a deep tree (articulated.h) with few rows; if not, NULL is returned. NULL with *fits: out of
 * memory. */
RbvTreeSchur *rbv_tree_schur_create(const RbvCoordinates *coordinates, const RbvRowPattern *C, bool *fits);
void rbv_tree_schur_destroy(RbvTreeSchur *schur);
/* Takes over the positions and factors M there; diagonal[n]: inertia of each coordinate. False: M is not positive
 * definite, or a number is not finite. */
bool rbv_tree_schur_mass(RbvTreeSchur *schur, RbvPosed at, double *diagonal);
/* Factors S for the last M and the entries of C, which must outlive the factors. False: a number is not finite. */
bool rbv_tree_schur_factor(RbvTreeSchur *schur, const double *C, double eps);
/* Finds the change of (x, l) = x[n + rows] towards the solution for b[n + rows] = (f, g), by the factors; M is taken at
 * `at`, C with its present entries. */
void rbv_tree_schur_correct(RbvTreeSchur *schur, RbvPosed at, const double *b, const double *x, double *change);

#endif
