/* The equations C^T lambda = y of cut rows (cut_rows.h): square and block by block, or of least norm. */
#ifndef RBV_REACTION_CUT_EQUATIONS_H
#define RBV_REACTION_CUT_EQUATIONS_H

#include "coordinates/coordinates.h"

typedef struct RbvCutEquations RbvCutEquations;

/* `count` rows C over `size` rates; `own` [size] (NULL: all) rows that are independent, with which a system that is not
 * square is solved where it is large. NULL: no memory. */
RbvCutEquations *rbv_cut_equations_create(const RbvRowPattern *C, int32_t size, const int32_t *own);
void rbv_cut_equations_destroy(RbvCutEquations *equations);
/* How large a system that is not square may be to be solved for least norm. */
bool rbv_cut_equations_dense(int32_t rows);
/* Factors for the entries c; scale[size], share[rows]: what makes equations and unknowns of one unit. False: singular
 * or no memory (*no_memory). */
bool rbv_cut_equations_factor(RbvCutEquations *equations, const double *c, const double *scale, const double *share,
                              bool *no_memory);
/* lambda[rows] for y[size], which is spoilt. */
void rbv_cut_equations_solve(RbvCutEquations *equations, double *y, double *lambda);

#endif
