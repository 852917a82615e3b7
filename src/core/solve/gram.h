/* The Gram matrix A = C^T C of a sparse C, factored A = L D L^T in 3x3 blocks with vanished pivots dropped.
 *
 * With a generalized inverse A^- the matrix P = I - C A^- C^T projects onto the null space of C^T, whatever the rank of
 * C; repeating the projection removes the error due to the squared condition number. Columns are scaled to unit length,
 * so a pivot is the squared sine of the angle between a column and the span of those before it: at least sigma_min^2
 * when it counts, rounding when it does not. Ordering: AMD on the nodes.
 */
#ifndef RBV_CORE_SOLVE_GRAM_H
#define RBV_CORE_SOLVE_GRAM_H

#include <roberval/base.h>

#include <stdbool.h>
#include <stdint.h>

/* The column index of a sparse matrix that is stored by rows.
 *
 * Rows k have their entries e = start[k] ... start[k + 1] - 1 in column[e]. Then column j has, in the order of rows,
 * at positions p = of[j] ... of[j + 1] - 1, the rows row[p]; entry e is at position at[e]. of[columns + 2] comes
 * filled with 0; row and at have as many numbers as there are entries. */
void rbv_transpose(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column, int32_t *of,
                   int32_t *row, int32_t *at);

/* Right-hand sides solved together. */
#define RBV_GRAM_RIGHT 4
/* Pivots below this are dropped: singular values below its root, 1e-6, do not count. 1e-6 is the upper end of the band
 * of doubt. */
#define RBV_GRAM_PIVOT 1e-12

typedef struct RbvGram RbvGram;

/* C[rows][columns]; row k has the columns column[start[k]] ... . node[columns], ascending from 0: the columns of a
 * body, at most 3 to a node. The pattern arrays must outlive the Gram matrix. NULL: no memory. */
RbvGram *rbv_gram_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column,
                         const int32_t *node);
void rbv_gram_destroy(RbvGram *gram);
/* Factor C^T C + shift I for the entries C, which must outlive the factors. With a shift only pivots that are not
 * positive are dropped. False: an entry is not finite. */
bool rbv_gram_factor(RbvGram *gram, const double *C, double shift);

/* rbv_gram_rank: number of pivots that count. rbv_gram_is_dropped: is the pivot of a column dropped? A pivot that
 * counts may hide a vanished one: see rbv_gram_certify. */
int32_t rbv_gram_rank(const RbvGram *gram);
bool rbv_gram_is_dropped(const RbvGram *gram, int32_t column);
/* rbv_gram_smallest: the smallest pivot that counts (1: none). rbv_gram_dropped: the magnitude of the largest dropped
 * pivot (0: none); rounding makes some negative. */
double rbv_gram_smallest(const RbvGram *gram);
double rbv_gram_dropped(const RbvGram *gram);

/* z[rows][RBV_GRAM_RIGHT] := P z, one pass. */
void rbv_gram_project(RbvGram *gram, double *z);
/* The smallest singular values of C (columns scaled) over the kept columns, by inverse iteration and Rayleigh and Ritz:
 * sigma[RBV_GRAM_RIGHT], ascending, infinite where there are no more columns. A kept pivot can hide a vanished one when
 * the last column has little part in the null vector; these singular values show such a case. *null_error: distance of
 * a random vector of the computed null space from the true one, |C x| / |x|, 0 when no pivot was dropped. */
void rbv_gram_certify(RbvGram *gram, double sigma[RBV_GRAM_RIGHT], double *null_error);
/* The smallest singular value alone, by Lanczos' method with A^-1 on the kept columns; infinite where there are none. A
 * vanished one appears as rounding. NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_gram_least(RbvGram *gram, double *sigma);
/* x[columns] := A^- b for one right-hand side; b in the range of A. */
void rbv_gram_solve(RbvGram *gram, const double *b, double *x);

#endif
