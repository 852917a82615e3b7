/* Penalty and augmented multipliers over the rows of natural coordinates, including rigid rows (García de Jalón and
 * Bayo, chapter 6: 6.106, 6.107; R000-97 ... R000-100):
 *
 *   penalty:    (M + J^T alpha J) q'' = Q + J^T alpha gamma,   lambda = alpha (J q'' - gamma)
 *   augmented:  lambda_i+1 = lambda_i + alpha (J q'' - gamma),
 *               (M + J^T alpha J) q'' = Q - J^T lambda_i + J^T alpha gamma
 * Positions and velocities are exact, so no other terms remain, and J a = gamma for the accelerations a of the
 * motion. The unknown is the yield d = q'' - a, (M + J^T alpha J) d = (Q - M a) - J^T lambda_i. Rows have gradients
 * of unit length, and one alpha [kg]; with redundant rows the rounds tend to lambda of least norm. */
#ifndef RBV_SOLUTION_REACTION_NATURAL_PENALTY_H
#define RBV_SOLUTION_REACTION_NATURAL_PENALTY_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/base.h>

/* How rows yield; all zero: rows are rigid. */
typedef struct RbvNaturalSoft {
    bool yields, augmented;
    double given; /* [kg] alpha; NaN: from the masses */
} RbvNaturalSoft;

typedef struct RbvNaturalYield {
    bool found;
    bool augmented;
    double alpha; /* [kg] */
    double error; /* [N, N m of vectors] error of multipliers of rows of unit gradients, against the values that further
                     rounds converge to */
    int32_t rounds;
} RbvNaturalYield;

/* x[m] with A x about b: A[n][m] column by column, b[n]; overwrites M[n][n] with its factors. NO_MEMORY; NOT_FINITE:
 * the matrix is singular, since a motion that no row prevents has no mass. */
RbvStatus rbv_natural_yield(int32_t n, int32_t m, const double *A, double *M, const double *b, RbvNaturalSoft soft,
                            double *x, RbvNaturalYield *yield);

#endif
