/* Square sparse systems in block triangular form, solved block by block:
 *
 *   A^T x = b
 *
 * Rows and columns are ordered so that A^T has nothing below its diagonal blocks (Dulmage and Mendelsohn; Tarjan), and
 * the system is solved from the last block to the first. A block of one unknown is a division; a triangular system
 * needs no factors. */
#ifndef RBV_CORE_LINALG_BLOCK_LU_H
#define RBV_CORE_LINALG_BLOCK_LU_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
