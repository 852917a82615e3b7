/* Ranks in exact arithmetic, by QR and with a column, known ranks, orthonormal columns. */
#include "support/sparse.h"

/* --- exact
 * ------------------------------------------------------------------------------------------------------------ */

static void exact_rank_of_integers_and_fractions(void **unused) {
    (void)unused;
    uint64_t seed = 61;
    for (int trial = 0; trial < 150; trial++) {
        int32_t m = pick(&seed, 1, 60), n = pick(&seed, 1, 40), r = pick(&seed, 0, m < n ? m : n);
        double *C = of_rank(m, n, r, &seed), unit[40], ones[40];
        for (int32_t j = 0; j < n; j++)
            unit[j] = ones[j] = 1;
        if (trial % 3 >
            0) /* a/(d e) with d up to 31 of the row and e up to 31 of the column; then in units of any length */
            for (int32_t e = 0; e < m * n; e++)
                C[e] /= (1 + (7 * (e / n) + 3) % 31) * (1 + 5 * (e % n) % 31);
        assert_int_equal(rbv_exact_rank(m, n, C, ones), r);
        if (trial % 3 == 2) {
            for (int32_t j = 0; j < n; j++)
                unit[j] = exp(machine_random(&seed));
            for (int32_t e = 0; e < m * n; e++)
                C[e] /= unit[e % n];
            assert_int_equal(rbv_exact_rank(m, n, C, unit), r);
        }
        free(C);
    }
}

/* Hilbert's matrices are regular; beyond ten rows floating point no longer sees it. Binomials: determinant 1. */
static void exact_rank_sees_what_floating_point_does_not(void **unused) {
    (void)unused;
    double C[400], ones[20];
    for (int32_t j = 0; j < 20; j++)
        ones[j] = 1;
    for (int32_t n = 1; n <= 20; n++) {
        for (int32_t e = 0; e < n * n; e++)
            C[e] = 1.0 / (e / n + e % n + 1);
        assert_int_equal(rbv_exact_rank(n, n, C, ones), n);
        for (int32_t e = 0; e < n * n && n <= 16; e++) /* below 1e9 */
            C[e] = e / n == 0 || e % n == 0 ? 1 : C[e - 1] + C[e - n];
        assert_int_equal(rbv_exact_rank(n, n, C, ones), n);
        C[n * n - 1] -= n <= 16; /* det 1 less the minor, 1 */
        assert_int_equal(rbv_exact_rank(n, n, C, ones), n <= 16 ? n - 1 : n);
    }
    /* negative entries, and denominators at the limit */
    const double equal[] = {-1.0 / 3, 2.0 / 3, 1.0 / 7, -2.0 / 7}, other[] = {-1.0 / 3, 2.0 / 3, 1.0 / 7, -285.0 / 998};
    const double edge[] = {1.0 / 1000, 1.0 / 999, -7.0 / 1000, -7.0 / 999},
                 near[] = {1.0 / 1000, 1.0 / 999, -7.0 / 1000, -7.0 / 998};
    assert_int_equal(rbv_exact_rank(2, 2, equal, ones), 1);
    assert_int_equal(rbv_exact_rank(2, 2, other, ones), 2);
    assert_int_equal(rbv_exact_rank(2, 2, edge, ones), 1);
    assert_int_equal(rbv_exact_rank(2, 2, near, ones), 2);
    assert_int_equal(rbv_exact_rank(0, 3, C, ones), 0);
    assert_int_equal(rbv_exact_rank(3, 0, C, ones), 0);
}

static void exact_rank_refuses_what_is_no_small_fraction(void **unused) {
    (void)unused;
    const double one[] = {1, 1};
    const double refused[] = {sqrt(2),     -sqrt(2), 3.14159265358979, 1.0 / 1009, 1 + 1e-8, 0.5 + 2e-11, -0.5 - 2e-11,
                              0.123456789, NAN,      INFINITY,         -INFINITY};
    const double taken[] = {0,           -1,    0.999,        1e6, 12345.678, 0.5 + 0.9e-11, -1.0 / 3 - 0.9e-11,
                            355.0 / 113, 1e-12, 123456789.125};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const double C[] = {1, 0, 0, refused[k]};
        assert_int_equal(rbv_exact_rank(2, 2, C, one), -1);
    }
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        assert_int_equal(rbv_exact_rank(1, 1, &taken[k], one), fabs(taken[k]) > RBV_EXACT_NEAR);
    /* too large for any fraction to be told: any answer but a crash, and no wrong rank */
    const double huge[] = {1e300, 1e300, 1, 1};
    int32_t answer = rbv_exact_rank(2, 2, huge, one);
    assert_true(answer == -1 || answer == 1);
    uint64_t seed = 62; /* by chance one in 1e5 */
    int32_t found = 0;
    for (int k = 0; k < 20000; k++) {
        double x = machine_random(&seed);
        found += rbv_exact_rank(1, 1, &x, one) >= 0;
    }
    assert_true(found <= 3);
}

/* --- rank
 * ------------------------------------------------------------------------------------------------------------- */

static void rank_by_qr_and_with_a_column_agree_with_svd(void **unused) {
    (void)unused;
    uint64_t seed = 71;
    for (size_t s = 0; s < 10 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        double *C = of_rank(m, n, r, &seed), *null = get((size_t)m * (size_t)m, sizeof *null), c[80];
        Sparse S = sparse_of(m, n, C, &seed);
        double *scaled = dense_of(&S);
        RbvRank svd, qr, with;
        assert_int_equal(rbv_rank_svd(m, n, scaled, &svd, null), RBV_OK);
        assert_null_space(m, n, scaled, r, null, m - svd.certain);
        assert_int_equal(rbv_rank_qr(m, n, scaled, &qr, null), RBV_OK);
        assert_int_equal(svd.rank, r);
        assert_int_equal(qr.rank, r);
        assert_int_equal(qr.certain, r);
        assert_true(qr.safe && svd.safe);
        assert_null_space(m, n, scaled, r, null, m - qr.certain);
        assert_int_equal(rbv_rank_known(m, n, scaled, r, &with, null), RBV_OK);
        assert_int_equal(with.rank, r);
        assert_true(with.safe);
        assert_near(with.smallest, svd.smallest, 1e-12);
        assert_null_space(m, n, scaled, r, null, m - with.certain);
        for (int kind = 0; kind < 2; kind++) { /* a combination of columns, then any vector */
            for (int32_t i = 0; i < m; i++) {
                c[i] = kind || n == 0 ? machine_random(&seed) : 0;
                for (int32_t j = 0; j < n && !kind; j++)
                    c[i] += 1e-3 * scaled[i * n + j] * (j % 5 + 1);
            }
            assert_int_equal(rbv_rank_with(m, n, scaled, c, &with), RBV_OK);
            assert_int_equal(with.rank, kind && r < m ? r + 1 : r);
        }
        sparse_drop(&S);
        free(C);
        free(null);
        free(scaled);
    }
}

/* Hilbert again: the singular values leave doubt, the rank known does not. And one less than known. */
static void rank_known_takes_the_rank_as_it_is_given(void **unused) {
    (void)unused;
    double C[49], null[49];
    for (int32_t e = 0; e < 49; e++)
        C[e] = 1.0 / (e / 7 + e % 7 + 1);
    RbvRank rank;
    assert_int_equal(rbv_rank_svd(7, 7, C, &rank, NULL), RBV_OK);
    assert_false(rank.safe);
    for (int32_t known = 5; known <= 7; known++) {
        assert_int_equal(rbv_rank_known(7, 7, C, known, &rank, null), RBV_OK);
        assert_int_equal(rank.rank, known);
        assert_int_equal(rank.certain, known);
        assert_true(rank.safe);
        for (int32_t a = 0; a < 7 - known; a++)
            for (int32_t b = 0; b < 7 - known; b++) {
                double dot = 0;
                for (int32_t i = 0; i < 7; i++)
                    dot += null[i * (7 - known) + a] * null[i * (7 - known) + b];
                assert_near(dot, a == b, 1e-13);
            }
    }
}

/* Kahan's triangle: the diagonal of R never falls below 0.13, the smallest singular value is 5e-10 of the largest. */
static void rank_by_qr_is_not_fooled_by_kahan(void **unused) {
    (void)unused;
    int32_t n = 100;
    double *C = get((size_t)n * (size_t)n, sizeof *C), length = 1;
    for (int32_t i = 0; i < n; i++, length *= sqrt(0.96))
        for (int32_t j = i; j < n; j++)
            C[i * n + j] = length * (i == j ? 1 : -0.2);
    RbvRank svd, qr;
    assert_int_equal(rbv_rank_svd(n, n, C, &svd, NULL), RBV_OK);
    assert_int_equal(rbv_rank_qr(n, n, C, &qr, NULL), RBV_OK);
    assert_false(svd.safe);
    assert_false(qr.safe);
    free(C);
}

/* tau = sigma_1 (4 max(m, n) eps + 1e-10), the band up to 1e4 tau. */
static void rank_decides_by_the_band(void **unused) {
    (void)unused;
    const double sorted[] = {2, 1, 2.1e-6, 1.9e-6, 1e-9, 3e-10, 1e-10, 0};
    RbvRank rank = rbv_rank_decide(8, 9, sorted);
    assert_int_equal(rank.rank, 6);
    assert_int_equal(rank.certain, 3);
    assert_false(rank.safe);
    assert_near(rank.smallest, 1.5e-10, 1e-20);
    assert_near(rank.smallest_certain, 1.05e-6, 1e-16);
    assert_near(rank.largest_dropped, 0.5e-10, 1e-20);
    assert_near(rank.tau, 1e-10 + 36 * 2.220446049250313e-16, 1e-20);
    rank = rbv_rank_decide(2, 2, sorted);
    assert_int_equal(rank.rank, 2);
    assert_true(rank.safe);
    assert_near(rank.largest_dropped, 0, 0);
    const double none[] = {0, 0};
    rank = rbv_rank_decide(2, 2, none);
    assert_int_equal(rank.rank, 0);
    assert_true(rank.safe);
    assert_near(rank.smallest, 1, 0);
    assert_near(rank.smallest_certain, 1, 0);
}

/* On both sides of RBV_ORTHONORMAL_OWN. */
static void orthonormal_columns_span_the_same(void **unused) {
    (void)unused;
    uint64_t seed = 72;
    const Shape sizes[] = {{1, 1, 1}, {9, 4, 4}, {6, 6, 6}, {80, 24, 24}, {80, 25, 25}, {70, 60, 60}, {40, 40, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int32_t m = sizes[s].m, n = sizes[s].n;
        double *A = of_rank(m, n, n, &seed);
        long double *Q = get((size_t)m * (size_t)n, sizeof *Q);
        assert_int_equal(gram_schmidt(m, n, A, Q), n);
        assert_int_equal(rbv_rank_orthonormalize(m, n, A), RBV_OK);
        for (int32_t a = 0; a < n; a++) {
            double part = 0; /* of column a in the span of Q */
            for (int32_t b = 0; b < n; b++) {
                double dot = 0, shared = 0;
                for (int32_t i = 0; i < m; i++) {
                    dot += A[i * n + a] * A[i * n + b];
                    shared += A[i * n + a] * (double)Q[i * n + b];
                }
                assert_near(dot, a == b, 1e-13);
                part += shared * shared;
            }
            assert_near(part, 1, 1e-12);
        }
        free(A);
        free(Q);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_rank_of_integers_and_fractions),
        cmocka_unit_test(exact_rank_sees_what_floating_point_does_not),
        cmocka_unit_test(exact_rank_refuses_what_is_no_small_fraction),
        cmocka_unit_test(rank_by_qr_and_with_a_column_agree_with_svd),
        cmocka_unit_test(rank_known_takes_the_rank_as_it_is_given),
        cmocka_unit_test(rank_by_qr_is_not_fooled_by_kahan),
        cmocka_unit_test(rank_decides_by_the_band),
        cmocka_unit_test(orthonormal_columns_span_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
