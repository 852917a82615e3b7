/* Stiffness of the balance in coordinates q whose velocities are not body twists: K = d(g + C^T lambda)/dq, sparse,
 * computed from the stiffness over bodies.
 *
 *   g + C^T lambda = P^T W + Phi_q^T lambda,   W = D^T lambda - wrenches,   Phi rows of the coordinates' own
 *   K = P^T K_bodies P + W . d2(place)/dq2 + sum lambda_k Phi_k,qq
 *     (SPEC-000 A2, A3; R000-28 ... R000-31)
 * Rows that the coordinates keep by themselves are not part of the system: their lambda is 0 and they couple no bodies.
 * Own rows are of second degree, so their second derivatives are constants. */
#ifndef RBV_STATICS_COORDINATE_BLOCKS_H
#define RBV_STATICS_COORDINATE_BLOCKS_H

#include "mechanics/coordinates/mass_matrix.h"
#include "mechanics/system/system.h"

/* One entry of the second derivatives of one of the coordinates' own rows. */
typedef struct RbvOwnSecond {
    int32_t row;   /* index of the row in C */
    int32_t i, at; /* row of K, and index of the entry in it */
    double value;  /* scaled */
} RbvOwnSecond;

typedef struct RbvCoordinateBlocks {
    RbvState *state;
    const double *scale; /* [size] scale factors of the coordinates */
    RbvArena arena;
    RbvRowPattern K;         /* [size] rows of K, columns ascending */
    int32_t *first, *column; /* first [bodies + 1], column: the columns of v that move a body */
    double (*P)[6];          /* for each of these columns: twist of the body for a unit velocity, scaled */
    RbvOwnSecond *second;
    int32_t second_count;
    RbvMassMatrix mass;
    RbvWrench *W;          /* [bodies] */
    const RbvWrench *lent; /* [bodies] constant wrenches, of which the part `share` is added to the loads; NULL: none */
    double share;
    double *zero, *part; /* zero [size]: zeros; part: workspace for a matrix over the columns of a body */
} RbvCoordinateBlocks;

/* Blocks for a state whose positions are evaluated, and for scale factors of its coordinates. Body i has blocks of
 * K_bodies with the bodies neighbour[start[i]] ... neighbour[start[i + 1] - 1], body i among them. Free with
 * rbv_coordinate_blocks_destroy. NULL if out of memory. */
RbvCoordinateBlocks *rbv_coordinate_blocks_create(RbvState *state, const double *scale, const int32_t *start,
                                                  const int32_t *neighbour);
void rbv_coordinate_blocks_destroy(RbvCoordinateBlocks *blocks);
/* Computes P at the evaluated state. */
void rbv_coordinate_blocks_evaluate(RbvCoordinateBlocks *blocks);
/* Add terms to the matrix values[], in which row r of K begins at start[r]. rbv_coordinate_blocks_add: factor P_i^T
 * block P_j; rbv_coordinate_blocks_add_second: the second derivatives of body positions and of own rows, for lambda
 * [rows of C] in the rows' own units; rbv_coordinate_blocks_mass: factor M. */
void rbv_coordinate_blocks_add(const RbvCoordinateBlocks *blocks, int32_t i, int32_t j, double factor,
                               const double *block, int32_t width, const int32_t *start, double *values);
void rbv_coordinate_blocks_add_second(RbvCoordinateBlocks *blocks, const double *lambda, const int32_t *start,
                                      double *values);
void rbv_coordinate_blocks_mass(RbvCoordinateBlocks *blocks, double factor, const int32_t *start, double *values);
/* Index of entry (i, j) of K in its pattern. */
int32_t rbv_coordinate_blocks_entry(const RbvCoordinateBlocks *blocks, int32_t i, int32_t j);

#endif
