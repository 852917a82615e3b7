/* Solution of rows on rates with several solutions: equations psi(m, m', t) = 0 that are not linear in the rates. */
#ifndef RBV_SOLUTION_ASSEMBLY_RATE_BRANCHES_H
#define RBV_SOLUTION_ASSEMBLY_RATE_BRANCHES_H

#include "solution/assembly/rate_solver.h"

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
