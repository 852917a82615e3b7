/* Ranks of matrices whose columns all count, null spaces of their transposes by elimination that passes over zeros, and
 * bounds of the smallest singular value: against singular values. */
#include "core/solve/lapack.h"
#include "support/sparse.h"

enum { ROWS = 60, COLUMNS = 40 };

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

/* Columns of length 1 with `entries` entries each, in rows around that of the column, or anywhere. */
static void fill(double *C, int32_t entries, bool anywhere, uint64_t seed) {
    for (int32_t k = 0; k < ROWS * COLUMNS; k++)
        C[k] = 0;
    for (int32_t j = 0; j < COLUMNS; j++) {
        double sum = 0;
        for (int32_t e = 0; e < entries; e++) {
            int32_t any = (int32_t)(ROWS * (1 + uniform(&seed)) / 2) % ROWS;
            C[(anywhere ? any : (j * ROWS / COLUMNS + e) % ROWS) * COLUMNS + j] += uniform(&seed);
        }
        for (int32_t i = 0; i < ROWS; i++)
            sum += C[i * COLUMNS + j] * C[i * COLUMNS + j];
        for (int32_t i = 0; i < ROWS; i++)
            C[i * COLUMNS + j] /= sqrt(sum);
    }
}

/* The largest entry of A[ROWS][a]^T B[ROWS][b], less the identity where `same`. */
static double off(const double *A, int32_t a, const double *B, int32_t b, bool same) {
    double most = 0;
    for (int32_t i = 0; i < a; i++)
        for (int32_t j = 0; j < b; j++) {
            double sum = same && i == j ? -1 : 0;
            for (int32_t k = 0; k < ROWS; k++)
                sum += A[k * a + i] * B[k * b + j];
            most = fmax(most, fabs(sum));
        }
    return most;
}

/* Does elimination find what singular values find? Basis: orthonormal, and orthogonal to all columns. */
static bool is_full(const double *C) {
    static double null[ROWS * ROWS];
    RbvRank rank;
    bool full;
    assert_int_equal(rbv_rank_svd(ROWS, COLUMNS, C, &rank, NULL), RBV_OK);
    assert_int_equal(rbv_rank_full(ROWS, COLUMNS, C, &full, null), RBV_OK);
    if (full) {
        assert_int_equal(rank.certain, COLUMNS);
        assert_true(off(null, ROWS - COLUMNS, null, ROWS - COLUMNS, true) < 1e-13);
        assert_true(off(null, ROWS - COLUMNS, C, COLUMNS, false) < 1e-13);
    }
    return full;
}

static void full_matrices_have_the_null_space_of_singular_values(void **state) {
    (void)state;
    static double C[ROWS * COLUMNS];
    int32_t full = 0;
    for (int32_t entries = 1; entries <= ROWS; entries += entries < 8 ? 1 : 26)
        for (int anywhere = 0; anywhere < 2; anywhere++)
            for (uint64_t seed = 1; seed <= 5; seed++) {
                fill(C, entries, anywhere, seed);
                full += is_full(C);
            }
    assert_true(full >= 60);
}

static void columns_that_depend_on_others_are_not_full(void **state) {
    (void)state;
    static double C[ROWS * COLUMNS];
    for (int32_t entries = 2; entries <= 8; entries += 3) {
        fill(C, entries, false, 7);
        assert_true(is_full(C));
        for (int32_t i = 0; i < ROWS; i++)
            C[i * COLUMNS + 20] = 0.6 * C[i * COLUMNS + 3] + 0.8 * C[i * COLUMNS + 30];
        assert_false(is_full(C));
    }
    fill(C, 3, false, 7);
    for (int32_t i = 0; i < ROWS; i++)
        C[i * COLUMNS + 20] = 0;
    assert_false(is_full(C));
}

static void numbers_that_are_not_finite_are_not_full(void **state) {
    (void)state;
    static double C[ROWS * COLUMNS], null[ROWS * ROWS];
    bool full = true;
    fill(C, 3, false, 7);
    for (int32_t k = 0; k < ROWS * COLUMNS; k += 7)
        C[k] = C[k] != 0 ? (double)NAN : 0;
    RbvStatus status = rbv_rank_full(ROWS, COLUMNS, C, &full, null);
    assert_true(status == RBV_NOT_FINITE || !full);
}

/* Between the smallest singular value and that over the root of the number of rows; zero where rows depend. */
static void bounds_are_below_the_smallest_singular_value(void **state) {
    (void)state;
    static double C[ROWS * COLUMNS], copy[ROWS * COLUMNS], values[ROWS * COLUMNS], work[COLUMNS * (COLUMNS + 1) + ROWS];
    static int32_t start[COLUMNS + 1], column[ROWS * COLUMNS];
    int32_t bounded = 0;
    for (int32_t entries = 2; entries <= 40; entries += entries < 8 ? 1 : 16)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            double sigma[COLUMNS];
            fill(C, entries, true, seed);
            if (seed == 10)
                for (int32_t i = 0; i < ROWS; i++)
                    C[i * COLUMNS + 20] = C[i * COLUMNS + 3];
            int32_t count = 0;
            for (int32_t j = 0; j < COLUMNS; j++) {
                for (int32_t i = 0; i < ROWS; i++)
                    if (C[i * COLUMNS + j] != 0)
                        column[count] = i, values[count++] = C[i * COLUMNS + j];
                start[j + 1] = count;
            }
            memcpy(copy, C, sizeof copy);
            assert_int_equal(rbv_lapack_svd('N', COLUMNS, ROWS, copy, sigma, NULL, NULL), RBV_OK);
            double bound = rbv_rank_bound(&(RbvRankRows){COLUMNS, ROWS, start, column, values}, work),
                   least = sigma[COLUMNS - 1];
            if (least < 1e-6) {
                assert_true(bound < 1e-6);
                continue;
            }
            bounded++;
            assert_true(bound <= least * (1 + 1e-13 / (least * least)));
            assert_true(bound * sqrt(COLUMNS) >= least * (1 - 1e-13 / (least * least)));
        }
    assert_true(bounded >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_matrices_have_the_null_space_of_singular_values),
        cmocka_unit_test(columns_that_depend_on_others_are_not_full),
        cmocka_unit_test(numbers_that_are_not_finite_are_not_full),
        cmocka_unit_test(bounds_are_below_the_smallest_singular_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
