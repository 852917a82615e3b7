/* The mass matrix M = P^T (m, J) P as a sparse matrix, for coordinates of any kind. Columns without a common row form a
 * group; one product M x gives the entries of a whole group. */
#ifndef RBV_MECHANICS_COORDINATES_MASS_MATRIX_H
#define RBV_MECHANICS_COORDINATES_MASS_MATRIX_H

#include "mechanics/coordinates/coordinates.h"

typedef struct RbvMassMatrix {
    RbvRowPattern pattern; /* symmetric; row and column of an entry move the same body, or the coordinate of a rotor, or
                              are generalized coordinates */
    double *values;        /* [entries] */
    int32_t *group, group_count; /* [size] group of each column, and the number of groups */
    double *constant; /* [entries] values without what was added to them, where they do not change; NULL: they do */
    int32_t layouts;  /* of the coordinates when `constant` was computed; -1: not yet */
    double *x, *out;  /* [size] workspace */
    RbvRowWork work;
} RbvMassMatrix;

/* Lays out the pattern; arrays in `arena`. False if out of memory. */
bool rbv_mass_matrix_create(const RbvCoordinates *coordinates, RbvArena *arena, RbvMassMatrix *matrix);
/* Computes the entries at a state whose positions are evaluated. */
void rbv_mass_matrix_fill(const RbvCoordinates *coordinates, RbvPosed at, RbvMassMatrix *matrix);
/* Adds M of the generalized coordinates, mass[n][n] in their order; after rbv_mass_matrix_fill. */
void rbv_mass_matrix_add(const RbvCoordinates *coordinates, const double *mass, RbvMassMatrix *matrix);
/* Adds mass J^T J of a rotor, J being the sum of P_b^T gradient[side] over the two bodies of its coordinate; after
 * rbv_mass_matrix_fill. */
void rbv_mass_matrix_add_rotor(const RbvCoordinates *coordinates, RbvPosed at, const int32_t body[2],
                               const RbvWrench gradient[2], double mass, RbvMassMatrix *matrix);

#endif
