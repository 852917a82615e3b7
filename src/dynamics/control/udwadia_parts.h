/* Shared by the files of Udwadia's equation: the workspace, and small products of row-major matrices.
 *
 * Rows and columns of A are weighted, so that results do not depend on units:
 *
 *   A = R U Sigma V^T D     D_j = sqrt(M_jj), R_k the length of row k of A D^-1, Sigma[r] the singular values that are
 *                           not zero
 *
 * V_0 are the other right singular vectors: null(A) = D^-1 range(V_0). */
#ifndef RBV_DYNAMICS_CONTROL_UDWADIA_PARTS_H
#define RBV_DYNAMICS_CONTROL_UDWADIA_PARTS_H

#include "core/base/arena.h"
#include "core/solve/lapack.h"

#include <roberval/udwadia.h>

struct RbvUdwadia {
    RbvArena arena;
    RbvLapackWork lapack;
    RbvUdwadiaSolution solution;
    int32_t n, m;
    const RbvUdwadiaProblem *problem; /* set during a solution only */
    double *D, *R;                    /* [n], [m] weights of columns and rows */
    double *U, *sigma, *V;            /* [m][n], [max(m, n)], [n][n]: U_ik, and v_k in row k */
    double *mass, *values;            /* [n][n] D^-1 M D^-1 and [n] its eigenvalues, ascending */
    double *L;                        /* [n][n] D^-1 M D^-1 = L L^T */
    double *W, *TW;                   /* [n][n], [n][n]: rows of V^T L^-T = TW W, W with orthonormal rows [r][n] */
    double *K, *TK;                   /* [m][m], [n][n]: rows of Sigma U^T R = TK K, K with orthonormal rows [r][m] */
    double *by_formula;               /* [n] Q_i + Q_ni by the formulas with B^+ */
    double *square, *x, *y, *z;       /* workspace: [max(m, n)][max(m, n)], [max(m, n)] each */
    double *turn;                     /* [n][n] workspace */
};

static inline size_t rbv_udwadia_at(int32_t row, int32_t columns) {
    return (size_t)row * (size_t)columns;
}
/* Returns x . y over count entries. */
double rbv_udwadia_dot(int32_t count, const double *x, const double *y);
/* y[m] = A x for A[m][n]; x[n] = A^T y. */
void rbv_udwadia_times(int32_t m, int32_t n, const double *A, const double *x, double *y);
void rbv_udwadia_transposed_times(int32_t m, int32_t n, const double *A, const double *y, double *x);
/* X[r][n] = T W: T[r][r] is lower triangular, W replaces X and has orthonormal rows (Gram and Schmidt, twice). */
void rbv_udwadia_orthonormalise(int32_t r, int32_t n, double *X, double *T);
/* x = T^-1 x and x = T^-T x for T[r][r] lower. */
void rbv_udwadia_forward(int32_t r, const double *T, double *x);
void rbv_udwadia_backward(int32_t r, const double *T, double *x);

/* Finds the vectors and matrices of the formulas, for regular M, from A's factors. NOT_FINITE: not finite. Never
 * NO_MEMORY. */
RbvStatus rbv_udwadia_vectors(RbvUdwadia *u);
/* Finds the errors of the checks. */
void rbv_udwadia_check(RbvUdwadia *u);

#endif
