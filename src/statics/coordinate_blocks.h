/* The stiffness of the balance in coordinates q whose rates are no body twists: K = d(g + C^T lambda)/dq, sparse, from
 * what it is over bodies.
 *
 *   g + C^T lambda = P^T W + Phi_q^T lambda,   W = D^T lambda - wrenches,   Phi rows of the coordinates' own
 *   K = P^T K_bodies P + W . d2(place)/dq2 + sum lambda_k Phi_k,qq
 *     (SPEC-000 A2, A3; R000-28 ... R000-31)
 * Rows that the coordinates keep are no unknown's business: their lambda is 0 and they join no bodies. Own rows are of
 * second degree, so that their second derivatives are numbers.
 */
#ifndef RBV_STATICS_COORDINATE_BLOCKS_H
#define RBV_STATICS_COORDINATE_BLOCKS_H

#include "coordinates/mass_matrix.h"
#include "system/system.h"

/* One entry of the second derivatives of an own row. */
typedef struct RbvOwnSecond {
    int32_t row;   /* of C */
    int32_t i, at; /* row of K, and which of its entries */
    double value;  /* scaled */
} RbvOwnSecond;

typedef struct RbvCoordinateBlocks {
    RbvState *state;
    const double *scale; /* [size] of coordinates */
    RbvArena arena;
    RbvRowPattern K;         /* [size] its rows, columns ascending */
    int32_t *first, *column; /* [bodies + 1] columns of v that move a body */
    double (*P)[6];          /* of each of them the twist of its unit, scaled */
    RbvOwnSecond *second;
    int32_t second_count;
    RbvMassMatrix mass;
    RbvWrench *W; /* [bodies] */
    const RbvWrench
        *lent; /* [bodies] wrenches that stay as they are, of which the share is among the loads; NULL: none */
    double share;
    double *zero, *part; /* [size]; room for the columns of a body, squared */
} RbvCoordinateBlocks;

/* For a placed state, scales of its coordinates, and which bodies have a block of K_bodies: j in neighbour[start[i]]
 * ... [start[i + 1] - 1] of body i, itself among them. NULL: no memory. */
RbvCoordinateBlocks *rbv_coordinate_blocks_create(RbvState *state, const double *scale, const int32_t *start,
                                                  const int32_t *neighbour);
void rbv_coordinate_blocks_destroy(RbvCoordinateBlocks *blocks);
/* P of the placed state. */
void rbv_coordinate_blocks_place(RbvCoordinateBlocks *blocks);
/* Onto values[], where row r of K begins at start[r]: factor P_i^T block P_j; what the places of bodies and own rows
 * add for lambda [rows of C, in their own units]; factor M. */
void rbv_coordinate_blocks_add(const RbvCoordinateBlocks *blocks, int32_t i, int32_t j, double factor,
                               const double *block, int32_t width, const int32_t *start, double *values);
void rbv_coordinate_blocks_bend(RbvCoordinateBlocks *blocks, const double *lambda, const int32_t *start,
                                double *values);
void rbv_coordinate_blocks_mass(RbvCoordinateBlocks *blocks, double factor, const int32_t *start, double *values);
/* Where entry (i, j) of K stands in its pattern. */
int32_t rbv_coordinate_blocks_entry(const RbvCoordinateBlocks *blocks, int32_t i, int32_t j);

#endif
