/* Square sparse systems that fall apart: in block triangular form, block by block.
 *
 * With rows and columns in an order in which A^T has nothing below its blocks (Dulmage and Mendelsohn; Tarjan), A^T x =
 * b is solved from the last block to the first. Blocks of one are a division; a triangular system needs no factors at
 * all.
 */
#ifndef RBV_LINALG_BLOCK_LU_H
#define RBV_LINALG_BLOCK_LU_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvBlockLu RbvBlockLu;

/* The matrix by rows: row i has the columns index[start[i]] ... index[start[i+1]-1]; both arrays are copied. NULL: no
 * memory. */
RbvBlockLu *rbv_block_lu_create(int32_t n, const int32_t *start, const int32_t *index);
void rbv_block_lu_destroy(RbvBlockLu *lu);
/* False: singular, or no memory for pivots (*no_memory is then set). `values` as `index`, to be kept until the last
 * solution. */
bool rbv_block_lu_factor(RbvBlockLu *lu, const double *values, bool *no_memory);
/* x[n] := A^-T b[n], which is spoilt. */
void rbv_block_lu_solve_transposed(RbvBlockLu *lu, double *b, double *x);
/* Blocks of more than one unknown, and the largest. */
int32_t rbv_block_lu_coupled(const RbvBlockLu *lu, int32_t *largest);

#endif
