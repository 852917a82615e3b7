/* Rates v of a placed mechanism from its rows: C v = nu, and equations psi(m, m', t) = 0 on rates by Newton's method.
 */
#ifndef RBV_ASSEMBLY_RATE_SOLVER_H
#define RBV_ASSEMBLY_RATE_SOLVER_H

#include "solve/ridge.h"
#include "system/system.h"

typedef struct RbvRateSolver {
    RbvState *state;
    const double *scale; /* [n] what a unit of each rate is worth: 1, turns 1/L */
    int32_t n, rows;
    int32_t *row;    /* [rows] row of the system: joints, constraints, drives; then initial rates */
    bool *nonlinear; /* [rows] an equation whose gradient depends on v */
    bool *left_out;  /* [rows] not asked for at present */
    int32_t nonlinear_count;
    int32_t *start, *column;
    double *C, *residual, *weight, *x, *from, *to;
    RbvRidge *ridge;
    double worst, size; /* largest residual; largest rate prescribed, or sum of its parts */
} RbvRateSolver;

/* The rows of a placed state with its initial rates; which equations are nonlinear is found by trying. False: no
 * memory. */
bool rbv_rates_create(RbvRateSolver *solver, RbvState *state, const double *scale);
void rbv_rates_destroy(RbvRateSolver *solver);
/* The linear rows alone, from rest: v of least scaled norm, with its residual. False: not finite. */
bool rbv_rates_linear(RbvRateSolver *solver);
/* All rows, by damped Newton from the v in the state. False: no number. What is left is in `worst` and `residual`, at
 * the v reached. */
bool rbv_rates_newton(RbvRateSolver *solver);
/* The residuals of all rows at the v in the state. False: not finite. */
bool rbv_rates_residual(RbvRateSolver *solver);

#endif
