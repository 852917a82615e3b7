/* Definiteness on the null space of rows, by the signs of pivots: against the eigenvalues of A on that space. */
#include "core/solve/definite.h"
#include "core/solve/lapack.h"
#include "support/sparse.h"

#define N 9
#define ROWS 4
#define TOTAL (N + ROWS)
#define CASES 400

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Least eigenvalue of A[N][N] on C[ROWS][N] y = 0, by an orthonormal basis of it. */
static double least_on_rows(const double *A, const double *C) {
    double columns[ROWS * N], rest[N * (N - ROWS)] = {0}, tau[N], B[N * N] = {0}, values[N];
    int32_t f = N - ROWS;
    RbvLapackWork work;
    memcpy(columns, C, sizeof columns); /* the rows of C, one after the other, are the columns of C^T */
    assert_int_equal(rbv_lapack_qr(N, ROWS, columns, tau), RBV_OK);
    for (int32_t k = 0; k < f; k++)
        rest[k * N + ROWS + k] = 1;
    assert_int_equal(rbv_lapack_apply_q(N, f, ROWS, columns, tau, rest), RBV_OK);
    for (int32_t k = 0; k < f * f; k++)
        for (int32_t i = 0; i < N; i++)
            for (int32_t j = 0; j < N; j++)
                B[k] += rest[k / f * N + i] * A[i * N + j] * rest[k % f * N + j];
    assert_true(rbv_lapack_work_create(&work, N, N));
    assert_int_equal(rbv_lapack_eigen_symmetric_in(&work, f, B, values), RBV_OK);
    rbv_lapack_work_destroy(&work);
    return values[0];
}

/* [A C^T; C -c] as sparse rows without the zeros, and what its pivots show. */
static bool shows(const double *A, const double *C, double c) {
    int32_t start[TOTAL + 1] = {0}, index[TOTAL * TOTAL], at = 0;
    double values[TOTAL * TOTAL];
    for (int32_t r = 0; r < TOTAL; r++) {
        for (int32_t k = 0; k < TOTAL; k++) {
            double value = r == k ? -c : 0;
            if (r < N && k < N)
                value = A[r * N + k];
            else if (r < N)
                value = C[(k - N) * N + r];
            else if (k < N)
                value = C[(r - N) * N + k];
            index[at] = k;
            values[at] = value;
            at += value != 0 || r == k;
        }
        start[r + 1] = at;
    }
    return rbv_definite_on_rows(N, ROWS, start, index, values);
}

/* A symmetric with eigenvalues of both signs, sparse rows C; A is then shifted so that its least eigenvalue on the rows
 * is `least`. */
static void fill(uint64_t *seed, double least, double *A, double *C) {
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j <= i; j++)
            A[i * N + j] = A[j * N + i] = uniform(seed) > 0.2 || i == j ? uniform(seed) : 0;
    for (int32_t k = 0; k < ROWS * N; k++)
        C[k] = uniform(seed) > 0.3 ? uniform(seed) : 0;
    for (int32_t k = 0; k < ROWS; k++)
        C[k * N + k] = 2;
    double shift = least - least_on_rows(A, C);
    for (int32_t i = 0; i < N; i++)
        A[i * N + i] += shift;
}

/* With curvature across the rows that is large against A and small against its rounding, pivots show exactly what the
 * eigenvalues are, down to 1e-6 on both sides. */
static void pivots_tell_the_sign_of_the_least_eigenvalue(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    for (int k = 0; k < CASES; k++) {
        double A[N * N], C[ROWS * N], least = pow(10, -6 * (k % 7) / 6.0);
        fill(&seed, k % 2 ? least : -least, A, C);
        assert_int_equal(shows(A, C, 1e-9), k % 2);
    }
}

/* What is falling across the rows alone is definite on them; too little curvature across them shows nothing. */
static void curvature_across_the_rows_decides_nothing(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    for (int k = 0; k < CASES; k++) {
        double A[N * N], C[ROWS * N];
        fill(&seed, 0.1, A, C);
        for (int32_t i = 0; i < N * N; i++)
            for (int32_t r = 0; r < ROWS; r++)
                A[i] -= 100 * C[r * N + i / N] * C[r * N + i % N];
        assert_true(shows(A, C, 1e-9));
        assert_false(shows(A, C, 1));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pivots_tell_the_sign_of_the_least_eigenvalue),
        cmocka_unit_test(curvature_across_the_rows_decides_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
