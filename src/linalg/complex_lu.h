/* Square sparse linear systems A x = b of complex numbers, by KLU: the pattern known beforehand, factored as often as
 * the values change.
 *
 * The matrix is given by rows as in lu.h; numbers are pairs, the real part first. Each row has its diagonal entry, and
 * first: so the search for a transversal ends at once.
 */
#ifndef RBV_LINALG_COMPLEX_LU_H
#define RBV_LINALG_COMPLEX_LU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvComplexLu RbvComplexLu;

/* The pattern stays the caller's as long as it is used. NULL: no memory. */
RbvComplexLu *rbv_complex_lu_create(int32_t n, const int32_t *start, const int32_t *index);
void rbv_complex_lu_destroy(RbvComplexLu *lu);
/* values[2 start[n]]. False: singular to working precision, or a value not finite; or no memory for pivoting:
 * *no_memory is then set, else left. Allocates at first, and where a pivot has become too small. */
bool rbv_complex_lu_factor(RbvComplexLu *lu, const double *values, bool *no_memory);
/* The next factors do not depend on those before. */
void rbv_complex_lu_forget(RbvComplexLu *lu);
/* b[2 n] := A^-1 b. */
void rbv_complex_lu_solve(RbvComplexLu *lu, double *b);

#endif
