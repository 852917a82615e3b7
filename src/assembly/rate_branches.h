/* Which of several rates: equations psi(m, m', t) = 0 that are not linear in the rates may have more than one solution.
 */
#ifndef RBV_ASSEMBLY_RATE_BRANCHES_H
#define RBV_ASSEMBLY_RATE_BRANCHES_H

#include "assembly/rate_solver.h"

/* What was found: from how many starts; another solution of the same rows, other[n] (NULL: not wanted), if there is
 * one. */
typedef struct RbvRateBranches {
    int32_t starts;
    double *other;
    bool has_other;
} RbvRateBranches;

/* Solve all rows that are not left out, from many starts; the solution chosen into the state's v. `fit`: what
 * residuals may be, of the largest rate. INCONSISTENT: none was found, and v is where the residuals are least.
 * NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_rates_branch(RbvRateSolver *solver, double fit, RbvRateBranches *branches);

#endif
