/* The matrix of penalties, M + D^T alpha D over all active rows, redundant ones too, factored as the Gram matrix of
 * [R; sqrt(alpha) D] with R^T R = M.
 *
 * alpha_k = f_k K w_k^2 with the factor f_k of the row's joint, K [kg] of the row's part, and w_k [m] the length
 * scale of the row: the arm of the part where the row is an angle, so that rows of both kinds yield alike. R has no
 * rotors of drives and no products of generalized masses: who solves with the factors finds these in the residual,
 * and corrects for them; they are small beside alpha. */
#ifndef RBV_SOLUTION_REACTION_PENALTY_MATRIX_H
#define RBV_SOLUTION_REACTION_PENALTY_MATRIX_H

#include "core/solve/gram.h"
#include "solution/motion/motion.h"

typedef struct RbvPenaltyMatrix {
    const RbvSystem *system;
    int32_t rows; /* rows of D: of joints, constraints, drives, stops, and those that stop idle spins */
    double given; /* [kg] K of all parts, or NaN: from the masses */
    int32_t *start, *column, *node; /* pattern of [D; R] */
    int32_t *body_of;               /* [bodies.size] body of each column */
    double *entries;
    double *alpha;        /* [rows] 0: the row is not active */
    double *scale;        /* [rows] length scale w [m]: lambda / w is a force */
    double *arm;          /* [bodies.size] length scale of each column: 1, or the arm of a rotation */
    double *mass;         /* [parts + 1] [kg] mass scale; the last: of rows on ground alone */
    double *force, *rate; /* [parts + 1] scratch: largest load, largest gamma */
    double largest;       /* the largest f K [kg] */
    double least;         /* the least f K over the mass scale */
    RbvGram *gram;
} RbvPenaltyMatrix;

/* `given`: K [kg], or NaN: from the masses. NULL: no memory. */
RbvPenaltyMatrix *rbv_penalty_matrix_create(const RbvSystem *system, double given);
void rbv_penalty_matrix_destroy(RbvPenaltyMatrix *matrix);
/* Factors the matrix at the state; K is `share` times the mass scale of each part where it is not given. False:
 * singular. */
bool rbv_penalty_matrix_factor(RbvPenaltyMatrix *matrix, const RbvState *state, double share);

#endif
