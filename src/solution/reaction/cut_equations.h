/* Solves C^T lambda = y for the multipliers of cut rows (cut_rows.h): a square system block by block, else the
 * solution of least norm or that of chosen rows. */
#ifndef RBV_SOLUTION_REACTION_CUT_EQUATIONS_H
#define RBV_SOLUTION_REACTION_CUT_EQUATIONS_H

#include "mechanics/coordinates/coordinates.h"

typedef struct RbvCutEquations RbvCutEquations;

/* C: `count` rows over `size` rates. own[size]: independent rows, with which a large system that is not square is
 * solved; NULL: all rows. Keeps the pointer C, not `own`. NULL: no memory. */
RbvCutEquations *rbv_cut_equations_create(const RbvRowPattern *C, int32_t size, const int32_t *own);
void rbv_cut_equations_destroy(RbvCutEquations *equations);
/* Is a system with so many rows, if not square, small enough to be solved for least norm? */
bool rbv_cut_equations_dense(int32_t rows);
/* Factors C for the entries c[entries of the pattern]. scale[size], share[rows]: scales that bring equations and
 * unknowns to one unit. False: singular or no memory (*no_memory). */
bool rbv_cut_equations_factor(RbvCutEquations *equations, const double *c, const double *scale, const double *share,
                              bool *no_memory);
/* lambda[rows] for y[size]; overwrites y. */
void rbv_cut_equations_solve(RbvCutEquations *equations, double *y, double *lambda);

#endif
