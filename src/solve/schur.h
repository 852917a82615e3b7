/* Saddle point systems whose M is block diagonal and well conditioned, by their Schur complement:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 * S = (L^-1 C^T)^T (L^-1 C^T) + eps I with M = L L^T is a Gram matrix (gram.h): positive for rows of any rank, so that
 * no pivots are searched and no factors depend on those before. Where rows join few blocks of M each, as joints do
 * bodies, S is as sparse as the mechanism. The squared condition is made good by the caller, who iterates with the
 * residual.
 */
#ifndef RBV_SOLVE_SCHUR_H
#define RBV_SOLVE_SCHUR_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of a block of M. */
#define RBV_SCHUR_BLOCK 6

typedef struct RbvSchur RbvSchur;

/* M[n][n] and C[rows][n] by rows, the columns of a row ascending; the patterns and node[rows] (rows that stand
 * together, at most 3 to a node, ascending from 0) must outlive it. *fits: M is block diagonal with full blocks of at
 * most RBV_SCHUR_BLOCK neighbouring columns, of which a row of C has all or none, and S is sparse; else NULL is
 * given. NULL with *fits: no memory. */
RbvSchur *rbv_schur_create(int32_t n, int32_t rows, const int32_t *M_start, const int32_t *M_column,
                           const int32_t *C_start, const int32_t *C_column, const int32_t *node, bool *fits);
/* The columns of every block of M, so that entries of a row of C come in runs of so many: 3 or 6; 1 where it is another
 * number, or not one for all. */
int32_t rbv_schur_width(const RbvSchur *schur);
void rbv_schur_destroy(RbvSchur *schur);
/* Take over the entries of M, which must outlive the factors. False: M is not positive, or a number is not finite; then
 * another must be given. */
bool rbv_schur_mass(RbvSchur *schur, const double *M);
/* Other entries of M, without new factors of it: what is corrected is the solution for these. */
void rbv_schur_fill(RbvSchur *schur, const double *M);
/* Factor for the last M and the entries of C, which must outlive the factors; others may be put in their places. False:
 * a number is not finite. */
bool rbv_schur_factor(RbvSchur *schur, const double *C, double eps);
/* The change of (x, l) = x[n + rows] towards the solution for b[n + rows] = (f, g): that of the residual of the
 * equations without eps, by the factors. It is added to x by the caller before the next one; from rbv_schur_begin on,
 * where x is zero, since C^T l is kept along: every change is of the same b, C and M. */
void rbv_schur_begin(RbvSchur *schur);
void rbv_schur_correct(RbvSchur *schur, const double *b, const double *x, double *change);

#endif
