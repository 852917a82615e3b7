/* Saddle point systems of trees with few rows beside them, M^-1 by articulated bodies:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 * M is never made. S is full and as large as there are rows. The same calls as those of solve/schur.h, by the residual
 * of the equations without eps.
 */
#ifndef RBV_DYNAMICS_TREE_SCHUR_H
#define RBV_DYNAMICS_TREE_SCHUR_H

#include "coordinates/coordinates.h"

typedef struct RbvTreeSchur RbvTreeSchur;

/* The pattern C[rows][n] must outlive it; rows that are left out have no entries, or zeros. *fits: the coordinates are
 * those of a deep tree (articulated.h) with few rows; else NULL is given. NULL with *fits: no memory. */
RbvTreeSchur *rbv_tree_schur_create(const RbvCoordinates *coordinates, const RbvRowPattern *C, bool *fits);
void rbv_tree_schur_destroy(RbvTreeSchur *schur);
/* Take over the place, and factor M there; diagonal[n]: what each coordinate resists with. False: M is not positive, or
 * a number is not finite. */
bool rbv_tree_schur_mass(RbvTreeSchur *schur, RbvPosed at, double *diagonal);
/* Factor S for the last M and the entries of C, which must outlive the factors. False: a number is not finite. */
bool rbv_tree_schur_factor(RbvTreeSchur *schur, const double *C, double eps);
/* The change of (x, l) = x[n + rows] towards the solution for b[n + rows] = (f, g), by the factors; masses are those at
 * `at`, C the entries of now. */
void rbv_tree_schur_correct(RbvTreeSchur *schur, RbvPosed at, const double *b, const double *x, double *change);

#endif
