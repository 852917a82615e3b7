/* Saddle point systems whose M is block diagonal and well conditioned, by their Schur complement:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 * S = (L^-1 C^T)^T (L^-1 C^T) + eps I with M = L L^T is a Gram matrix (gram.h): positive for rows of any rank, so that no pivots are searched and no factors depend on those before. Where rows join
 * few blocks of M each, as joints do bodies, S is as sparse as the mechanism. The squared condition is made good by the caller, who iterates with the residual.
 */
#ifndef RBV_SOLVE_SCHUR_H
#define RBV_SOLVE_SCHUR_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of a block of M. */
#define RBV_SCHUR_BLOCK 6

typedef struct RbvSchur RbvSchur;

/* M[n][n] and C[rows][n] by rows, the columns of a row ascending; the patterns and node[rows] (rows that stand together, at most 3 to a node, ascending from 0) must outlive it. *fits: M is block diagonal with full blocks
 * of at most RBV_SCHUR_BLOCK neighbouring columns, of which a row of C has all or none, and S is sparse; else NULL is given. NULL with *fits: no memory. */
RbvSchur *rbv_schur_create(int32_t n, int32_t rows, const int32_t *M_start, const int32_t *M_column, const int32_t *C_start, const int32_t *C_column, const int32_t *node, bool *fits);
void rbv_schur_destroy(RbvSchur *schur);
/* Factor for the entries of M and C, which must outlive the factors. False: M is not positive, or a number is not finite. */
bool rbv_schur_factor(RbvSchur *schur, const double *M, const double *C, double eps);
/* b[n + rows] = (f, g) becomes (x, l). */
void rbv_schur_solve(RbvSchur *schur, double *b);
/* left[n + rows] = b less what M, C and C^T make of (x, l) = x[n + rows], without eps: left is b before. Entries of C and M may be others than those that were factored, in their places. */
void rbv_schur_residual(const RbvSchur *schur, const double *x, double *left);

#endif
