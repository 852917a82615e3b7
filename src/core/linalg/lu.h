/* Square linear systems A x = b with a fixed pattern: dense LU for small n, KLU for larger n, or a plan (planned_lu.h)
 * where many sets of values follow each other, one interface; then those in block triangular form, and of complex
 * numbers.
 *
 * The matrix is given by rows: row i has the columns index[start[i]] ... index[start[i+1]-1]. Create once, factor for
 * each set of values, solve with A and with A^T. Factoring and solving do not allocate for n up to RBV_LU_DENSE_LIMIT;
 * above, a pivot that has become too small makes KLU pivot again, which allocates (counted, see rbv_lu_repivots). */
#ifndef RBV_CORE_LINALG_LU_H
#define RBV_CORE_LINALG_LU_H

#include <roberval/base.h>

#include <stdbool.h>
#include <stdint.h>

/* Largest n for dense LU. Dense LU costs 2/3 n^3 flops, KLU about 0.4 us per column of a mechanism's matrix: equal near
 * n = 30 on bench/. */
#define RBV_LU_DENSE_LIMIT 32

typedef struct RbvLu RbvLu;

/* Create; pattern arrays are copied. NULL: out of memory. */
RbvLu *rbv_lu_create(int32_t n, const int32_t *start, const int32_t *index);
/* Largest n of a plan: its order is found in a square, and its lists grow as n^2 or more where much fills in. */
#define RBV_LU_PLANNED_LIMIT 400
/* The same by a plan, for n up to RBV_LU_PLANNED_LIMIT: for systems that are factored at every sample of a motion. A
 * factorisation of other values may choose pivots again, which may allocate (counted). */
RbvLu *rbv_lu_create_planned(int32_t n, const int32_t *start, const int32_t *index);
/* Create a large system whose pattern stays the caller's and must outlive it, and whose entries are passed to each
 * rbv_lu_factor: neither is stored twice, as far as pivoting allows. */
RbvLu *rbv_lu_create_lent(int32_t n, const int32_t *start, const int32_t *index);
/* Change to another pattern of the same size, without allocation. False: only a new system can have this pattern (large
 * ones). */
bool rbv_lu_take_pattern(RbvLu *lu, const int32_t *start, const int32_t *index);
void rbv_lu_destroy(RbvLu *lu);
/* Array for the entries in the order of the pattern, to be filled before each rbv_lu_factor by a caller without an
 * array of its own; not for a pattern of rbv_lu_create_lent. */
double *rbv_lu_entries(RbvLu *lu);
/* Factor. False: singular to working precision (a zero pivot, or a value not finite), or out of memory for pivoting
 * (*no_memory is then set, else unchanged). */
bool rbv_lu_factor(RbvLu *lu, const double *values, bool *no_memory);
/* Discard the pivoting: the next factors do not depend on earlier ones. */
void rbv_lu_forget(RbvLu *lu);
/* b := A^-1 b and b := A^-T b. */
void rbv_lu_solve(RbvLu *lu, double *b);
void rbv_lu_solve_transposed(RbvLu *lu, double *b);
/* Prepare solutions for many right-hand sides of a single entry; once after each factorisation. False: out of memory.
 */
bool rbv_lu_open_units(RbvLu *lu);
/* x := A^-1 e_row. x[n] must be zero before; touched[n] lists the entries that may be nonzero afterwards, which the
 * caller sets to zero again. Returns their number. Computes only the blocks that the entry reaches. */
int32_t rbv_lu_solve_unit(RbvLu *lu, int32_t row, double *x, int32_t *touched);
/* Sign of det A: -1 or +1 (0: not factored). Number of repeated pivotings. */
int rbv_lu_sign(const RbvLu *lu);
int32_t rbv_lu_repivots(const RbvLu *lu);

/* --- in block triangular form --- */

/* Square sparse systems in block triangular form, solved block by block:
 *
 *   A^T x = b
 *
 * Rows and columns are ordered so that A^T has nothing below its diagonal blocks (Dulmage and Mendelsohn; Tarjan), and
 * the system is solved from the last block to the first. A block of one unknown is a division; a triangular system
 * needs no factors. */

typedef struct RbvBlockLu RbvBlockLu;

/* Create from the pattern by rows: row i has the columns index[start[i]] ... index[start[i+1]-1]; both arrays are
 * copied. NULL: out of memory. */
RbvBlockLu *rbv_block_lu_create(int32_t n, const int32_t *start, const int32_t *index);
void rbv_block_lu_destroy(RbvBlockLu *lu);
/* Factor. `values` are in the order of `index` and must be kept until the last solution. False: singular, or out of
 * memory for pivots (*no_memory is then set). */
bool rbv_block_lu_factor(RbvBlockLu *lu, const double *values, bool *no_memory);
/* x[n] := A^-T b[n]; b is overwritten. */
void rbv_block_lu_solve_transposed(RbvBlockLu *lu, double *b, double *x);
/* Number of blocks of more than one unknown, and in *largest the size of the largest block. */
int32_t rbv_block_lu_coupled(const RbvBlockLu *lu, int32_t *largest);

/* --- of complex numbers --- */

/* Square sparse systems A x = b of complex numbers by KLU: the pattern is fixed, the matrix is factored for each set of
 * values.
 *
 * The matrix is given by rows as above; complex numbers are pairs, real part first. Each row has its diagonal entry
 * as first entry: then the search for a transversal ends at once. */

typedef struct RbvComplexLu RbvComplexLu;

/* Create. The pattern stays the caller's and must outlive the object. NULL: out of memory. */
RbvComplexLu *rbv_complex_lu_create(int32_t n, const int32_t *start, const int32_t *index);
void rbv_complex_lu_destroy(RbvComplexLu *lu);
/* Factor values[2 start[n]]. False: singular to working precision, a value not finite, or out of memory for pivoting
 * (*no_memory is then set, else unchanged). Allocates in the first call, and when a pivot has become too small. */
bool rbv_complex_lu_factor(RbvComplexLu *lu, const double *values, bool *no_memory);
/* Discard the pivoting: the next factors do not depend on earlier ones. */
void rbv_complex_lu_forget(RbvComplexLu *lu);
/* b[2 n] := A^-1 b. */
void rbv_complex_lu_solve(RbvComplexLu *lu, double *b);

#endif
