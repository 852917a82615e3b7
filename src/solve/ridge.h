/* Least squares with a ridge, sparse, for any shape and rank: x = argmin |C x + phi|^2 + mu |x|^2.
 *
 *   [ mu I  -C ] [y]   [phi]
 *   [ C^T    I ] [x] = [ 0 ]        (C C^T + mu I) y = phi,  x = -C^T y
 * The matrix is quasi-definite, so every pivot order is safe. With a small mu the same factors give the part of a vector that lies in
 * the null space of C, and by power iteration the smallest singular value of C.
 */
#ifndef RBV_SOLVE_RIDGE_H
#define RBV_SOLVE_RIDGE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct RbvRidge RbvRidge;

/* C has `rows` rows; row k has the columns column[start[k]] ... NULL: no memory. */
RbvRidge *rbv_ridge_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column);
void rbv_ridge_destroy(RbvRidge *ridge);
bool rbv_ridge_factor(RbvRidge *ridge, const double *C, double mu);
/* x[columns] for phi[rows]. */
void rbv_ridge_step(RbvRidge *ridge, const double *phi, double *x);
/* g[columns] := its part in the null space of C (of the factored values), accurate to (mu/sigma^2)^2. */
void rbv_ridge_project(RbvRidge *ridge, double *g);
/* An estimate from above of the smallest singular value of C by power iteration; never 0: at least sqrt(mu). */
double rbv_ridge_smallest(RbvRidge *ridge);

#endif
