/* Rates v of a mechanism at evaluated positions from its rows: C v = nu, and equations psi(m, m', t) = 0 on rates by
 * Newton's method. */
#ifndef RBV_SOLUTION_ASSEMBLY_RATE_SOLVER_H
#define RBV_SOLUTION_ASSEMBLY_RATE_SOLVER_H

#include "core/solve/least_squares.h"
#include "mechanics/system/system.h"

typedef struct RbvRateSolver {
    RbvArena arena; /* of all arrays but scale */
    RbvState *state;
    const double *scale; /* [n] scale of each rate: 1 for lengths, 1/arm for rotations */
    int32_t n, rows;
    int32_t *row;    /* [rows] rows of the system: joints, constraints, drives; then initial rates */
    bool *nonlinear; /* [rows] an equation whose gradient depends on v */
    bool *left_out;  /* [rows] not required at present */
    int32_t nonlinear_count;
    int32_t *start, *column;
    double *C, *residual, *weight, *x, *from, *to;
    RbvRidge *ridge;
    double worst, size; /* largest residual; largest prescribed rate or sum of its parts */
} RbvRateSolver;

/* Takes the rows at evaluated positions with the initial rates; finds by trial which equations are nonlinear. False if
 * out of memory. */
bool rbv_rates_create(RbvRateSolver *solver, RbvState *state, const double *scale);
void rbv_rates_destroy(RbvRateSolver *solver);
/* Solves the linear rows alone, from rest: v of least scaled norm, with its residual. False: not finite. */
bool rbv_rates_linear(RbvRateSolver *solver);
/* Solves all rows by damped Newton steps from the v of the state. False: not finite. `worst` and `residual` are those
 * at the v reached. */
bool rbv_rates_newton(RbvRateSolver *solver);
/* Computes the residuals of all rows at the v of the state. False: not finite. */
bool rbv_rates_residual(RbvRateSolver *solver);

/* Solution of rows on rates with several solutions: equations psi(m, m', t) = 0 that are not linear in the rates. */

/* Result of the search: number of starts; another solution of the same rows, other[n] (NULL: not requested), if any. */
typedef struct RbvRateBranches {
    int32_t starts;
    double *other;
    bool has_other;
} RbvRateBranches;

/* Solves all rows that are not left out, from many starts; the state's v is the chosen solution. `fit`: tolerance of
 * residuals, relative to the largest rate. INCONSISTENT: no solution found, and v has the least residuals. NOT_FINITE,
 * NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_rates_branch(RbvRateSolver *solver, double fit, RbvRateBranches *branches);

#endif
