/* The column index of a sparse matrix that is stored by rows. */
#ifndef RBV_CORE_SOLVE_TRANSPOSE_H
#define RBV_CORE_SOLVE_TRANSPOSE_H

#include <stdint.h>

/* Rows k have their entries e = start[k] ... start[k + 1] - 1 in column[e]. Then column j has, in the order of rows,
 * at positions p = of[j] ... of[j + 1] - 1, the rows row[p]; entry e is at position at[e]. of[columns + 2] comes
 * filled with 0; row and at have as many numbers as there are entries. */
void rbv_transpose(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column, int32_t *of,
                   int32_t *row, int32_t *at);

#endif
