/* Solutions of least norm of fewer equations than unknowns: they satisfy the equations, lie in the range of A^T, and
 * what is not coupled stays zero to the last digit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/least_squares.h"
#include "support/machines.h"

#include <math.h>
#include <string.h>

enum { M = 7, N = 11 };

typedef struct Solved {
    double x[N];
    int32_t rank;
} Solved;

static Solved solve(const double A[M][N], const double b[M]) {
    double factors[M * N], tau[M], work[N];
    int32_t order[M], unknown[N];
    Solved solved;
    memcpy(factors, A, sizeof factors);
    solved.rank = rbv_orthogonal_factor(M, N, factors, order, unknown, tau);
    if (solved.rank >= 0)
        rbv_orthogonal_solve(N, solved.rank, factors, order, unknown, tau, b, work, solved.x);
    return solved;
}

static double times(const double a[N], const double x[N]) {
    double sum = 0;
    for (int j = 0; j < N; j++)
        sum += a[j] * x[j];
    return sum;
}

/* b = A A^T y, so that x = A^T y is the solution in the range of A^T. */
static void least_norm(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    for (int trial = 0; trial < 100; trial++) {
        double A[M][N], y[M], x[N] = {0}, b[M];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                A[i][j] = machine_random(&seed);
        bool dependent = trial % 2;
        for (int j = 0; j < N; j++) /* the last row, or the first of them */
            A[dependent ? M - 1 : 0][j] = dependent ? A[0][j] - 3 * A[2][j] : A[0][j];
        for (int i = 0; i < M; i++) {
            y[i] = machine_random(&seed);
            for (int j = 0; j < N; j++)
                x[j] += A[i][j] * y[i];
        }
        for (int i = 0; i < M; i++)
            b[i] = times(A[i], x);
        Solved solved = solve(A, b);
        assert_int_equal(solved.rank, dependent ? M - 1 : M);
        for (int j = 0; j < N; j++)
            assert_true(fabs(solved.x[j] - x[j]) < 1e-9); /* the condition of these is below 1e5 */
    }
}

static void what_is_not_coupled_stays_apart(void **unused) {
    (void)unused;
    uint64_t seed = 5;
    double A[M][N] = {{0}}, b[M] = {0};
    for (int i = 0; i < M; i++) /* equations 0, 2, 4, 6 know even unknowns, the others odd ones */
        for (int j = i % 2; j < N; j += 2)
            A[i][j] = machine_random(&seed);
    for (int i = 0; i < M; i += 2)
        b[i] = machine_random(&seed);
    Solved solved = solve(A, b);
    assert_int_equal(solved.rank, M);
    for (int j = 1; j < N; j += 2)
        assert_true(solved.x[j] == 0);
    for (int i = 0; i < M; i += 2)
        assert_true(fabs(times(A[i], solved.x) - b[i]) < 1e-12);
}

static void numbers_that_are_not_finite(void **unused) {
    (void)unused;
    double A[M][N] = {{0}}, b[M] = {0};
    assert_int_equal(solve(A, b).rank, 0);
    A[3][4] = NAN;
    assert_int_equal(solve(A, b).rank, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_norm),
        cmocka_unit_test(what_is_not_coupled_stays_apart),
        cmocka_unit_test(numbers_that_are_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
