/* Square linear systems A x = b with a pattern known beforehand: dense LU for small n, KLU for the rest, one seam.
 *
 * The matrix is given by rows: row i has the columns index[start[i]] ... index[start[i+1]-1]. Create once, factor as
 * often as the values change, solve with A and with its transpose. Factor and solve do not allocate for n up to
 * RBV_LU_DENSE_LIMIT; above it a pivot that has become too small makes KLU pivot again, which does (counted).
 */
#ifndef RBV_LINALG_LU_H
#define RBV_LINALG_LU_H

#include <roberval/base.h>
#include <stdbool.h>
#include <stdint.h>

/* Dense LU costs 2/3 n^3 flops, KLU about 0.4 us per column of a mechanism's matrix: they meet near 30 on bench/. */
#define RBV_LU_DENSE_LIMIT 32

typedef struct RbvLu RbvLu;

/* Pattern arrays are copied. NULL: no memory. */
RbvLu *rbv_lu_create(int32_t n, const int32_t *start, const int32_t *index);
/* A large one whose pattern stays the caller's as long as it is used, and whose entries are given anew to each
 * rbv_lu_factor: neither is held twice, as far as pivots allow. */
RbvLu *rbv_lu_create_lent(int32_t n, const int32_t *start, const int32_t *index);
/* Another pattern of the same size, without allocating. False: only a new system can have it (large ones). */
bool rbv_lu_take_pattern(RbvLu *lu, const int32_t *start, const int32_t *index);
void rbv_lu_destroy(RbvLu *lu);
/* Room for the entries of the pattern, in its order, to be filled before each rbv_lu_factor by a caller who has none of
 * his own; not of a lent pattern. */
double *rbv_lu_entries(RbvLu *lu);
/* False when the matrix is singular to working precision (a zero pivot, or a value not finite), or when there is no
 * memory for pivoting: *no_memory is then set, else left. */
bool rbv_lu_factor(RbvLu *lu, const double *values, bool *no_memory);
/* The next factors do not depend on those before. */
void rbv_lu_forget(RbvLu *lu);
/* b := A^-1 b and b := A^-T b. */
void rbv_lu_solve(RbvLu *lu, double *b);
void rbv_lu_solve_transposed(RbvLu *lu, double *b);
/* Right-hand sides of a single entry, of which many are solved for. After each factorisation once; false: no memory. */
bool rbv_lu_open_units(RbvLu *lu);
/* x := A^-1 e_row. x[n] is zero before; touched[n] lists the entries that may be other afterwards, and the caller makes
 * them zero again. Returns how many. No more is computed than the blocks that the entry reaches. */
int32_t rbv_lu_solve_unit(RbvLu *lu, int32_t row, double *x, int32_t *touched);
/* Sign of det A: -1 or +1 (0 when not factored). Smallest over largest pivot by magnitude. Pivotings done again. */
int rbv_lu_sign(const RbvLu *lu);
double rbv_lu_pivot_ratio(const RbvLu *lu);
int32_t rbv_lu_repivots(const RbvLu *lu);

#endif
