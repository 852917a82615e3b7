/* The matrix of penalties, M + D^T alpha D over all rows that hold, redundant ones too, factored as the Gram matrix of
 * [R; sqrt(alpha) D] with R^T R = M.
 *
 * alpha_k = f_k K w_k^2 with the factor of the row's joint, K [kg] of the row's part and w_k [m] what one of the row is
 * worth in length: the arm of the part where the row is an angle, so that a row of either kind yields alike. Rotors of
 * drives, and products of generalized masses, are not in R: whoever solves with the factors finds what they leave in
 * the residual, which is small beside alpha.
 */
#ifndef RBV_REACTION_PENALTY_MATRIX_H
#define RBV_REACTION_PENALTY_MATRIX_H

#include "motion/motion.h"
#include "solve/gram.h"

typedef struct RbvPenaltyMatrix {
    const RbvSystem *system;
    int32_t rows;                   /* of D: those of joints, constraints, drives, stops, and what holds idle spins */
    double given;                   /* [kg] K of all parts, or NaN */
    int32_t *start, *column, *node; /* of [D; R] */
    int32_t *body_of;               /* [bodies.size] */
    double *entries;
    double *alpha;        /* [rows] 0: the row does not hold */
    double *scale;        /* [rows] w [m]: lambda / w is a force */
    double *arm;          /* [bodies.size] what one of the column is worth in length: 1, or the arm of a turn */
    double *mass;         /* [parts + 1] [kg] mass scale; the last: of rows on ground alone */
    double *force, *rate; /* [parts + 1] scratch: largest load, largest gamma */
    double largest;       /* f K, the largest */
    double least;         /* f K over the mass scale, the least */
    RbvGram *gram;
} RbvPenaltyMatrix;

/* K: `given` [kg], or NaN. NULL: no memory. */
RbvPenaltyMatrix *rbv_penalty_matrix_create(const RbvSystem *system, double given);
void rbv_penalty_matrix_destroy(RbvPenaltyMatrix *matrix);
/* At the state, K being `share` times the mass scale of each part where it is not given. False: singular. */
bool rbv_penalty_matrix_factor(RbvPenaltyMatrix *matrix, const RbvState *state, double share);

#endif
