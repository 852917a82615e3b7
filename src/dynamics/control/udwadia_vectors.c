/* Vectors and matrices of Udwadia's formulas for regular M; see udwadia.h.
 *
 * With M = S S^T, S = D L, and A = (R U Sigma) (V^T D), both factors of full rank and with rows or columns
 * orthonormalised:
 *
 *   B = A S^-T = (R U Sigma) (V^T L^-T) = K^T TK^T TW W      B^+ = W^T TW^-1 TK^-T K
 *
 * so that B^+ needs no rank decision of its own. For the symmetric root:
 *
 *   S^T = O M^1/2 with S^T = X Omega Y^T, O = X Y^T, M^1/2 = Y Omega Y^T
 *
 * B O and O^T B^+ replace B and B^+; S B^+ stays. */
#include "dynamics/control/udwadia_parts.h"

#include <math.h>
#include <string.h>

/* Sets all results to NaN where M^-1 does not exist. */
static void report_none(const RbvUdwadia *u) {
    const RbvUdwadiaSolution *s = &u->solution;
    const size_t n = (size_t)u->n, m = (size_t)u->m;
    double *const arrays[] = {s->error_signal, s->root, s->B, s->B_plus, s->gain};
    const size_t counts[] = {m, n * n, m * n, n * m, n * m};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
        for (size_t i = 0; i < counts[k]; i++)
            arrays[k][i] = NAN;
}

/* Finds S = D L, and B = A S^-T by rows. */
static void take_root(RbvUdwadia *u) {
    int32_t n = u->n;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            u->solution.root[rbv_udwadia_at(i, n) + (size_t)j] = u->D[i] * u->L[rbv_udwadia_at(i, n) + (size_t)j];
    for (int32_t i = 0; i < u->m; i++) {
        double *row = u->solution.B + rbv_udwadia_at(i, n);
        memcpy(row, u->problem->A + rbv_udwadia_at(i, n), (size_t)n * sizeof *row);
        rbv_udwadia_forward(n, u->solution.root, row);
    }
}

/* Finds B^+ = W^T TW^-1 TK^-T K, column by column, and S B^+. */
static void take_inverse(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m, r = u->solution.rank;
    for (int32_t k = 0; k < r; k++) {
        memcpy(u->W + rbv_udwadia_at(k, n), u->V + rbv_udwadia_at(k, n), (size_t)n * sizeof *u->W);
        rbv_udwadia_forward(n, u->L, u->W + rbv_udwadia_at(k, n));
    }
    rbv_udwadia_orthonormalise(r, n, u->W, u->TW);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t k = 0; k < r; k++)
            u->x[k] = u->K[rbv_udwadia_at(k, m) + (size_t)i];
        rbv_udwadia_backward(r, u->TK, u->x);
        rbv_udwadia_forward(r, u->TW, u->x);
        rbv_udwadia_transposed_times(r, n, u->W, u->x, u->y);
        rbv_udwadia_times(n, n, u->solution.root, u->y, u->z);
        for (int32_t j = 0; j < n; j++) {
            u->solution.B_plus[rbv_udwadia_at(j, m) + (size_t)i] = u->y[j];
            u->solution.gain[rbv_udwadia_at(j, m) + (size_t)i] = u->z[j];
        }
    }
}

/* Finds S B^+ e + S (1 - B^+ B) S^-1 C. */
static void apply_formulas(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m;
    const RbvUdwadiaSolution *s = &u->solution;
    rbv_udwadia_times(n, m, s->gain, s->error_signal, u->by_formula);
    if (!u->problem->C || m == 0)
        return;
    memcpy(u->x, u->problem->C, (size_t)n * sizeof *u->x);
    rbv_udwadia_forward(n, s->root, u->x);
    rbv_udwadia_times(m, n, s->B, u->x, u->y);
    rbv_udwadia_times(n, m, s->B_plus, u->y, u->z);
    for (int32_t j = 0; j < n; j++)
        u->x[j] -= u->z[j];
    rbv_udwadia_times(n, n, s->root, u->x, u->z);
    for (int32_t j = 0; j < n; j++)
        u->by_formula[j] += u->z[j];
}

/* Converts from S = D L to S = M^1/2. */
static RbvStatus make_symmetric(RbvUdwadia *u) {
    int32_t n = u->n, m = u->m;
    RbvUdwadiaSolution *s = &u->solution;
    double *X = u->W, *Yt = u->TW, *O = u->turn; /* row-major S is column-major S^T: X and Y^T column-major */
    RbvStatus status = rbv_lapack_svd_in(&u->lapack, 'A', n, n, s->root, u->x, X, Yt);
    if (status != RBV_OK)
        return status;
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            double turn = 0, root = 0;
            for (int32_t k = 0; k < n; k++) {
                double y = Yt[rbv_udwadia_at(j, n) + (size_t)k];
                turn += X[rbv_udwadia_at(k, n) + (size_t)i] * y;
                root += Yt[rbv_udwadia_at(i, n) + (size_t)k] * u->x[k] * y;
            }
            O[rbv_udwadia_at(i, n) + (size_t)j] = turn;
            s->root[rbv_udwadia_at(i, n) + (size_t)j] = root;
        }
    for (int32_t i = 0; i < m; i++) {
        double *row = s->B + rbv_udwadia_at(i, n);
        rbv_udwadia_transposed_times(n, n, O, row, u->x);
        memcpy(row, u->x, (size_t)n * sizeof *row);
        for (int32_t j = 0; j < n; j++)
            u->y[j] = s->B_plus[rbv_udwadia_at(j, m) + (size_t)i];
        rbv_udwadia_transposed_times(n, n, O, u->y, u->x);
        for (int32_t j = 0; j < n; j++)
            s->B_plus[rbv_udwadia_at(j, m) + (size_t)i] = u->x[j];
    }
    return RBV_OK;
}

RbvStatus rbv_udwadia_vectors(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    s->gauss = NAN;
    if (!s->regular) {
        report_none(u);
        return RBV_OK;
    }
    rbv_udwadia_times(u->m, u->n, u->problem->A, s->free_acceleration, s->error_signal);
    for (int32_t i = 0; i < u->m; i++)
        s->error_signal[i] = u->problem->b[i] - s->error_signal[i];
    take_root(u);
    take_inverse(u);
    apply_formulas(u);
    for (int32_t j = 0; j < u->n; j++)
        u->x[j] = s->ideal_acceleration[j] - s->free_acceleration[j];
    rbv_udwadia_times(u->n, u->n, u->problem->M, u->x, u->y);
    s->gauss = rbv_udwadia_dot(u->n, u->x, u->y);
    return u->problem->root == RBV_ROOT_SYMMETRIC ? make_symmetric(u) : RBV_OK;
}
