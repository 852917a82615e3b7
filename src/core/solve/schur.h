/* Saddle point systems whose M is block diagonal and well conditioned, by their Schur complement:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 * S = (L^-1 C^T)^T (L^-1 C^T) + eps I with M = L L^T is a Gram matrix (gram.h): positive for rows of any rank, so that
 * no pivots are searched and no factors depend on earlier ones. Where rows join few blocks of M each, as joints do
 * bodies, S is as sparse as the mechanism. The caller removes the error due to the squared condition by iterating with
 * the residual.
 */
#ifndef RBV_CORE_SOLVE_SCHUR_H
#define RBV_CORE_SOLVE_SCHUR_H

#include <stdbool.h>
#include <stdint.h>

/* Most columns of a block of M. */
#define RBV_SCHUR_BLOCK 6

typedef struct RbvSchur RbvSchur;

/* M[n][n] and C[rows][n] by rows, the columns of a row ascending; the patterns and node[rows] (node of each row, at
 * most 3 rows to a node, ascending from 0) must outlive the result. *fits: M is block diagonal with full blocks of at
 * most RBV_SCHUR_BLOCK adjacent columns, a row of C has all columns of a block or none, and S is sparse; otherwise NULL
 * is returned. NULL with *fits: no memory. */
RbvSchur *rbv_schur_create(int32_t n, int32_t rows, const int32_t *M_start, const int32_t *M_column,
                           const int32_t *C_start, const int32_t *C_column, const int32_t *node, bool *fits);
/* The number of columns of every block of M, 3 or 6, so that entries of a row of C come in runs of that length; 1 where
 * it is another number, or not one for all blocks. */
int32_t rbv_schur_width(const RbvSchur *schur);
void rbv_schur_destroy(RbvSchur *schur);
/* Take over the entries of M, which must outlive the factors. False: M is not positive, or a number is not finite;
 * another M must then be given before factoring. */
bool rbv_schur_mass(RbvSchur *schur, const double *M);
/* Replace the entries of M without new factors: corrections then converge to the solution for the new entries. */
void rbv_schur_fill(RbvSchur *schur, const double *M);
/* Factor for the last M and the entries of C, which must outlive the factors; corrections use the entries as they are
 * at the time. False: a number is not finite. */
bool rbv_schur_factor(RbvSchur *schur, const double *C, double eps);
/* rbv_schur_begin: start an iteration for x = 0. rbv_schur_correct: the change of (x, l) = x[n + rows] towards the
 * solution for b[n + rows] = (f, g): the solution by the factors for the residual of the equations without eps. The
 * caller adds the change to x before the next call. C^T l is updated from call to call, so all changes of one iteration
 * are for the same b, C and M. */
void rbv_schur_begin(RbvSchur *schur);
void rbv_schur_correct(RbvSchur *schur, const double *b, const double *x, double *change);

#endif
