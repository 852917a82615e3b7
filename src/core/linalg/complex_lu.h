/* Square sparse systems A x = b of complex numbers by KLU: the pattern is fixed, the matrix is factored for each set of
 * values.
 *
 * The matrix is given by rows as in lu.h; complex numbers are pairs, real part first. Each row has its diagonal entry
 * as first entry: then the search for a transversal ends at once. */
#ifndef RBV_CORE_LINALG_COMPLEX_LU_H
#define RBV_CORE_LINALG_COMPLEX_LU_H

#include <stdbool.h>
#include <stdint.h>

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
