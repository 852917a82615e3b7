/* The mass matrix M = P^T (m, J) P as a sparse matrix, for coordinates of any kind. Columns without a common row form a
 * group; one product M x gives the entries of a whole group. */
#ifndef RBV_COORDINATES_MASS_MATRIX_H
#define RBV_COORDINATES_MASS_MATRIX_H

#include "coordinates/coordinates.h"

typedef struct RbvMassMatrix {
    RbvRowPattern
        pattern;    /* symmetric; rows of columns that move the same body, or those of a coordinate with a rotor */
    double *values; /* [entries] */
    int32_t *group, group_count; /* [size] */
    double *x, *out;             /* [size] */
    RbvRowWork work;
} RbvMassMatrix;

/* Arrays in `arena`. False: no memory. */
bool rbv_mass_matrix_create(const RbvCoordinates *coordinates, RbvArena *arena, RbvMassMatrix *matrix);
/* The entries at a placed state. */
void rbv_mass_matrix_fill(const RbvCoordinates *coordinates, RbvPosed at, RbvMassMatrix *matrix);
/* Then M of generalized coordinates, mass[n][n] in their order, onto them. */
void rbv_mass_matrix_add(const RbvCoordinates *coordinates, const double *mass, RbvMassMatrix *matrix);
/* Then mass J^T J of a rotor, J the sum of P_b^T gradient[side] over the two bodies of its coordinate. */
void rbv_mass_matrix_add_rotor(const RbvCoordinates *coordinates, RbvPosed at, const int32_t body[2],
                               const RbvWrench gradient[2], double mass, RbvMassMatrix *matrix);

#endif
