/* LU of a sparse matrix of some hundreds of unknowns, by a plan: the order of the pivots and the place of each number
 * are found once, and then each factorisation and solution is a walk along lists, without a search.
 *
 *   P A Q = L U,   L unit lower
 * The order is Markowitz's (1957): the pivot whose row and column bring the least fill, among those not too small
 * beside their column. As values change, pivots may become small: where a multiplier exceeds a limit, the order is
 * found anew, so that solutions keep their digits. */
#ifndef RBV_CORE_LINALG_PLANNED_LU_H
#define RBV_CORE_LINALG_PLANNED_LU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvPlannedLu RbvPlannedLu;

/* For up to n unknowns and `most` entries; NULL: out of memory. */
RbvPlannedLu *rbv_planned_lu_create(int32_t n, int32_t most);
void rbv_planned_lu_destroy(RbvPlannedLu *lu);
/* Another pattern: row i has the columns index[start[i]] ... index[start[i+1]-1]. Both stay the caller's. The next
 * factorisation makes a plan. */
void rbv_planned_lu_take(RbvPlannedLu *lu, const int32_t *start, const int32_t *index);
/* Factor the entries in the order of the pattern. False: singular (no pivot), a value not finite, or out of memory for
 * another plan (*no_memory is then set). */
bool rbv_planned_lu_factor(RbvPlannedLu *lu, const double *values, bool *no_memory);
/* b := A^-1 b and b := A^-T b. */
void rbv_planned_lu_solve(const RbvPlannedLu *lu, double *b);
void rbv_planned_lu_solve_transposed(const RbvPlannedLu *lu, double *b);
/* Sign of det A; number of plans made after the first of each pattern. */
int rbv_planned_lu_sign(const RbvPlannedLu *lu);
int32_t rbv_planned_lu_repivots(const RbvPlannedLu *lu);

#endif
