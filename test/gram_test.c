/* The Gram matrix: rank, projection, normal equations, ridge and certificate, against dense references. */
#include "core/solve/gram_factors.h"
#include "support/sparse.h"

/* --- Gram matrix
 * ------------------------------------------------------------------------------------------------------ */

static RbvGram *gram_of(const Sparse *S, double shift) {
    RbvGram *gram = rbv_gram_create(S->rows, S->columns, S->start, S->column, S->node);
    assert_non_null(gram);
    assert_true(rbv_gram_factor(gram, S->values, shift));
    return gram;
}

/* How many singular values the certificate finds below 1e-6 in the columns kept. Infinite ones come first and say
 * that fewer than RBV_GRAM_RIGHT were found; the others ascend. */
static int32_t hidden_in(RbvGram *gram, double *error) {
    double sigma[RBV_GRAM_RIGHT], before = 0;
    int32_t hidden = 0;
    rbv_gram_certify(gram, sigma, error);
    for (int32_t q = 0; q < RBV_GRAM_RIGHT; q++) {
        if (isinf(sigma[q]) && before == 0)
            continue;
        assert_true(sigma[q] >= before * (1 - 1e-12)); /* equal ones to rounding */
        before = sigma[q];
        hidden += sigma[q] < 1e-6;
    }
    assert_true(before > 0 || rbv_gram_rank(gram) == 0);
    return hidden;
}

/* Rounding of a vanished pivot grows with the condition of the columns kept, which no pivoting bounds: some 4 in 1000
 * matrices filled in keep one of 1e-12 to 1e-11. The certificate must see them. */
static void gram_and_its_certificate_count_independent_columns(void **unused) {
    (void)unused;
    uint64_t seed = 41;
    for (size_t s = 0; s < 100 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        double *C = of_rank(m, n, r, &seed), error;
        if (s / SHAPES % 3 == 1 && n > 3) { /* a column of zeros, one twice, one twice but for a factor */
            for (int32_t i = 0; i < m; i++) {
                C[i * n] = 0;
                C[i * n + n - 1] = C[i * n + 1];
                C[i * n + 2] = -3 * C[i * n + 1];
            }
            r = reference_rank(m, n, C);
        }
        Sparse S = sparse_of(m, n, C, &seed);
        RbvGram *gram = gram_of(&S, 0);
        double *scaled = dense_of(&S), *kept = get((size_t)m * (size_t)n, sizeof *kept);
        int32_t count = 0, hidden = hidden_in(gram, &error);
        for (int32_t j = 0; j < n; j++)
            if (!rbv_gram_is_dropped(gram, j)) {
                for (int32_t i = 0; i < m; i++)
                    kept[i * n + count] = scaled[i * n + j];
                count++;
            }
        assert_int_equal(rbv_gram_rank(gram), count);
        assert_true(count == r || (count > r && count - hidden == r));
        assert_int_equal(reference_rank(m, n, kept), r);
        assert_true(rbv_gram_smallest(gram) >= RBV_GRAM_PIVOT && rbv_gram_smallest(gram) <= 1 + n * EPS);
        assert_true(hidden > 0 || rbv_gram_dropped(gram) < rbv_gram_smallest(gram));
        assert_true(error < 1e-6);
        if (r == 0)
            assert_near(rbv_gram_smallest(gram), 1, 0);
        if (r == n)
            assert_near(rbv_gram_dropped(gram), 0, 0);
        if (r == n)
            assert_near(error, 0, 0);
        rbv_gram_destroy(gram);
        sparse_drop(&S);
        free(scaled);
        free(kept);
        free(C);
    }
}

/* Where the processor has AVX2, the functions for it and those for any processor give the same bits. */
static void gram_has_the_same_bits_on_any_processor(void **unused) {
    (void)unused;
    uint64_t seed = 47;
    for (size_t s = 0; s < 10 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n;
        double *C = of_rank(m, n, shapes[s % SHAPES].r, &seed), sigma[2][RBV_GRAM_RIGHT], error[2];
        size_t count = (size_t)m * RBV_GRAM_RIGHT;
        double *z[2] = {get(count, sizeof(double)), get(count, sizeof(double))};
        Sparse S = sparse_of(m, n, C, &seed);
        for (size_t e = 0; e < count; e++)
            z[0][e] = z[1][e] = machine_random(&seed);
        for (int plain = 0; plain < 2; plain++) {
            RbvGram *gram = rbv_gram_create(S.rows, S.columns, S.start, S.column, S.node);
            assert_non_null(gram);
            gram->wide = gram->wide && !plain;
            assert_true(rbv_gram_factor(gram, S.values, 0));
            rbv_gram_certify(gram, sigma[plain], &error[plain]);
            rbv_gram_project(gram, z[plain]);
            rbv_gram_destroy(gram);
        }
        assert_memory_equal(sigma[0], sigma[1], sizeof sigma[0]);
        assert_memory_equal(&error[0], &error[1], sizeof error[0]);
        assert_memory_equal(z[0], z[1], count * sizeof(double));
        sparse_drop(&S);
        free(z[0]);
        free(z[1]);
        free(C);
    }
}

/* |C^T z| at its largest. */
static double across(const Sparse *S, const double *z) {
    double *sum = get((size_t)S->columns * RBV_GRAM_RIGHT, sizeof *sum), largest = 0;
    for (int32_t i = 0; i < S->rows; i++)
        for (int32_t e = S->start[i]; e < S->start[i + 1]; e++)
            for (int32_t q = 0; q < RBV_GRAM_RIGHT; q++)
                sum[S->column[e] * RBV_GRAM_RIGHT + q] += S->values[e] * z[i * RBV_GRAM_RIGHT + q];
    for (int32_t e = 0; e < S->columns * RBV_GRAM_RIGHT; e++)
        largest = fmax(largest, fabs(sum[e]));
    free(sum);
    return largest;
}

static void gram_projects_onto_the_null_space_of_the_transpose(void **unused) {
    (void)unused;
    uint64_t seed = 42;
    for (size_t s = 0; s < 5 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r, k = m * RBV_GRAM_RIGHT;
        double *C = of_rank(m, n, r, &seed);
        Sparse S = sparse_of(m, n, C, &seed);
        RbvGram *gram = gram_of(&S, 0);
        double *scaled = dense_of(&S), *z = get((size_t)k, sizeof *z), *once = get((size_t)k, sizeof *z);
        long double *Q = get((size_t)m * (size_t)n, sizeof *Q);
        assert_int_equal(gram_schmidt(m, n, scaled, Q), r);
        for (int32_t e = 0; e < k; e++)
            once[e] = z[e] = machine_random(&seed);
        /* a pass leaves rounding times the condition of the Gram matrix, about n over its smallest pivot */
        double rounding = 10 * n * EPS / rbv_gram_smallest(gram);
        rbv_gram_project(gram, once);
        assert_true(across(&S, once) <= 10 * rounding);
        double *twice = get((size_t)k, sizeof *twice);
        memcpy(twice, once, (size_t)k * sizeof *twice);
        rbv_gram_project(gram, twice);
        for (int32_t e = 0; e < k; e++)
            assert_near(twice[e], once[e], 10 * rounding);
        assert_true(across(&S, twice) <= 1e-13); /* a few m eps */
        for (int32_t q = 0; q < RBV_GRAM_RIGHT; q++) {
            long double *exact = get((size_t)m, sizeof *exact);
            for (int32_t i = 0; i < m; i++)
                exact[i] = z[i * RBV_GRAM_RIGHT + q];
            for (int32_t j = 0; j < r; j++) {
                long double dot = 0;
                for (int32_t i = 0; i < m; i++)
                    dot += Q[i * n + j] * exact[i];
                for (int32_t i = 0; i < m; i++)
                    exact[i] -= dot * Q[i * n + j];
            }
            for (int32_t i = 0; i < m; i++)
                assert_near(twice[i * RBV_GRAM_RIGHT + q], (double)exact[i], 1e-12 + 10 * rounding);
            free(exact);
        }
        rbv_gram_destroy(gram);
        sparse_drop(&S);
        free(C);
        free(scaled);
        free(z);
        free(once);
        free(twice);
        free(Q);
    }
}

/* With and without shift: x for b = C^T y; the residual of (C^T C + shift) x = b. */
static void gram_solves_normal_equations_of_any_rank(void **unused) {
    (void)unused;
    uint64_t seed = 43;
    for (size_t s = 0; s < 5 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n;
        double *C = of_rank(m, n, shapes[s % SHAPES].r, &seed), b[64], x[64], y[80], r[80];
        Sparse S = sparse_of(m, n, C, &seed);
        double *D = dense_of(&S);
        RbvGram *gram = gram_of(&S, 0);
        for (int32_t j = 0; j < n; j++)
            b[j] = 0;
        for (int32_t i = 0; i < m; i++) {
            y[i] = machine_random(&seed);
            for (int32_t j = 0; j < n; j++)
                b[j] += D[i * n + j] * y[i];
        }
        rbv_gram_solve(gram, b, x);
        for (int32_t i = 0; i < m; i++) {
            r[i] = 0;
            for (int32_t j = 0; j < n; j++)
                r[i] += D[i * n + j] * x[j];
        }
        for (int32_t j = 0; j < n; j++) {
            double left = -b[j];
            for (int32_t i = 0; i < m; i++)
                left += D[i * n + j] * r[i];
            /* x may be as large as b over the smallest pivot */
            assert_near(left, 0, 100 * n * EPS / rbv_gram_smallest(gram));
        }
        rbv_gram_destroy(gram);
        sparse_drop(&S);
        free(C);
        free(D);
    }
}

/* (C^T C + shift I) x = b by Cholesky in long double. */
static void reference_ridge(int32_t m, int32_t n, const double *C, long double shift, const double *b, long double *x) {
    long double *G = get((size_t)n * (size_t)n, sizeof *G);
    for (int32_t i = 0; i < n; i++) {
        x[i] = b[i];
        for (int32_t j = 0; j < n; j++) {
            G[i * n + j] = i == j ? shift : 0;
            for (int32_t k = 0; k < m; k++)
                G[i * n + j] += (long double)C[k * n + i] * C[k * n + j];
        }
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = k; i < n; i++) {
            for (int32_t j = 0; j < k; j++)
                G[i * n + k] -= G[i * n + j] * G[k * n + j];
            G[i * n + k] = i == k ? sqrtl(G[k * n + k]) : G[i * n + k] / G[k * n + k];
        }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++)
            x[i] -= G[i * n + j] * x[j];
        x[i] /= G[i * n + i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= G[j * n + i] * x[j];
        x[i] /= G[i * n + i];
    }
    free(G);
}

static void gram_with_a_shift_is_a_ridge(void **unused) {
    (void)unused;
    uint64_t seed = 44;
    for (size_t s = 0; s < 3 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n;
        const double shifts[] = {10, 0.1, 1e-5};
        double *C = of_rank(m, n, shapes[s % SHAPES].r, &seed), b[64], x[64], shift = shifts[s / SHAPES];
        if (s % 2) /* columns of very different lengths, and none */
            for (int32_t i = 0; i < m; i++)
                C[i * n] = 0, C[i * n + n / 2] *= 1e-3;
        Sparse S = sparse_of(m, n, C, &seed);
        double *D = dense_of(&S);
        long double expected[64];
        RbvGram *gram = gram_of(&S, shift);
        assert_int_equal(rbv_gram_rank(gram), n);
        double size = 0;
        for (int32_t j = 0; j < n; j++)
            size = fmax(size, fabs(b[j] = machine_random(&seed)));
        rbv_gram_solve(gram, b, x);
        reference_ridge(m, n, D, shift, b, expected);
        for (int32_t j = 0; j < n; j++)
            assert_near(x[j], (double)expected[j],
                        100 * EPS * m * size / shift /
                            fmin(shift, 1)); /* condition |C|^2 / shift, of |x| = |b| / shift */
        rbv_gram_destroy(gram);
        sparse_drop(&S);
        free(C);
        free(D);
    }
}

/* Pairs of unit columns at angles: singular values sqrt(1 +- cos). */
static void gram_certifies_small_singular_values(void **unused) {
    (void)unused;
    const double sine[] = {0.9, 1e-4, 0.7, 1, 3e-3, 0.8, 0.02, 0.1, 0.95, 0.6};
    const double expected[] = {1e-4, 3e-3, 0.02, 0.1}; /* sqrt(1 - cos) = sine / sqrt(2) but for a few sine^2 */
    Sparse S = sparse_create(20, 20, 40);
    uint64_t seed = 45;
    for (int32_t k = 0; k < 20; k++) {
        add_entry(&S, k / 2 * 2, k % 2 ? 0 : 1);
        add_entry(&S, k / 2 * 2 + 1, k % 2 ? sine[k / 2] : sqrt(1 - sine[k / 2] * sine[k / 2]));
        S.start[++S.rows] = S.entries;
    }
    draw_nodes(20, S.node, &seed);
    RbvGram *gram = gram_of(&S, 0);
    double sigma[RBV_GRAM_RIGHT], error = 7;
    assert_int_equal(rbv_gram_rank(gram), 20);
    rbv_gram_certify(gram, sigma, &error);
    for (int32_t q = 0; q < RBV_GRAM_RIGHT; q++)
        assert_near(sigma[q], sqrt(1 - sqrt(1 - expected[q] * expected[q])), 0.01 * expected[q]);
    assert_near(error, 0, 0);
    double least = 0;
    assert_int_equal(rbv_gram_least(gram, &least), RBV_OK);
    assert_near(least, sqrt(1 - sqrt(1 - expected[0] * expected[0])), 1e-6 * expected[0]);
    rbv_gram_destroy(gram);
    sparse_drop(&S);
}

/* The same, of values that change: the search goes on from the vector of the last factors, and finds the smallest where
 * it is another, square to that one. */
static void the_least_is_found_where_it_jumps(void **unused) {
    (void)unused;
    enum { PAIRS = 150, ROUNDS = 30 };
    double sine[PAIRS];
    Sparse S = sparse_create(2 * PAIRS, 2 * PAIRS, 4 * PAIRS);
    uint64_t seed = 48;
    for (int32_t k = 0; k < 2 * PAIRS; k++) {
        add_entry(&S, k / 2 * 2, 1);
        add_entry(&S, k / 2 * 2 + 1, 1);
        S.start[++S.rows] = S.entries;
    }
    for (int32_t k = 0; k < PAIRS; k++)
        sine[k] = 0.02 + 0.9 * k / PAIRS;
    draw_nodes(2 * PAIRS, S.node, &seed);
    RbvGram *gram = rbv_gram_create(S.rows, 2 * PAIRS, S.start, S.column, S.node);
    assert_non_null(gram);
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t weak = 7 * round % PAIRS;
        double least = 0, usual = sine[weak], smallest = round % 3 ? 1e-3 : 4e-4;
        sine[weak] = smallest;
        for (int32_t k = 0; k < PAIRS; k++) {
            const double columns[] = {1, sqrt(1 - sine[k] * sine[k]), 0, sine[k]}; /* two of length 1, row by row */
            memcpy(S.values + 4 * k, columns, sizeof columns);
        }
        assert_true(rbv_gram_factor(gram, S.values, 0));
        assert_int_equal(rbv_gram_least(gram, &least), RBV_OK);
        assert_near(least, sqrt(1 - sqrt(1 - smallest * smallest)), 1e-3 * smallest);
        sine[weak] = usual;
    }
    rbv_gram_destroy(gram);
    sparse_drop(&S);
}

/* Chains C x: x[k] - 2 x[k+1], whose null vector halves from column to column, and Kahan's triangle, sine and cosine
 * 0.98 and 0.2: no pivot is small in the order of the columns, the smallest singular value is. Whatever the order,
 * either a pivot tells or the certificate does. */
static void gram_certificate_finds_what_pivots_hide(void **unused) {
    (void)unused;
    uint64_t seed = 46;
    for (int32_t kind = 0; kind < 2; kind++)
        for (int32_t n = 60; n <= 130; n += 10)
            for (int reversed = 0; reversed < 2; reversed++) {
                Sparse S = sparse_create(n, n, n * n);
                double length = 1;
                for (int32_t i = 0; i < n; i++) {
                    for (int32_t j = i; j < n; j++) {
                        double value = kind ? length * (j == i ? 1 : -0.2) : j == i ? 1 : j == i + 1 ? -2 : 0;
                        add_entry(&S, reversed ? n - 1 - j : j, value);
                    }
                    length *= sqrt(0.96);
                    S.start[++S.rows] = S.entries;
                }
                if (kind == 0)
                    draw_nodes(n, S.node, &seed);
                else
                    for (int32_t j = 0; j < n; j++)
                        S.node[j] = j / 3;
                RbvGram *gram = gram_of(&S, 0);
                double error, least = 0;
                int32_t found = hidden_in(gram, &error);
                assert_int_equal(rbv_gram_least(gram, &least), RBV_OK);
                assert_true((least < 1e-6) == (found > 0));
                if (kind == 0 || n >= 90) { /* Kahan: 1e-5 of unit columns at n = 60, below 1e-7 from 90 on */
                    assert_true(rbv_gram_rank(gram) - found <= n - 1);
                    assert_true(rbv_gram_rank(gram) == n - 1 || found > 0);
                }
                assert_true(error < 1e-6);
                rbv_gram_destroy(gram);
                sparse_drop(&S);
            }
}

/* Second differences: null vectors 1 and k. The smallest other singular value is about (pi/n)^2. */
static void gram_drops_two_columns_of_second_differences(void **unused) {
    (void)unused;
    uint64_t seed = 47;
    for (int32_t n = 4; n <= 500; n += n < 20 ? 1 : 60) {
        Sparse S = sparse_create(n - 2, n, 3 * n);
        for (int32_t k = 0; k + 2 < n; k++) {
            add_entry(&S, k, 1);
            add_entry(&S, k + 1, -2);
            add_entry(&S, k + 2, 1);
            end_row(&S, k);
        }
        draw_nodes(n, S.node, &seed);
        RbvGram *gram = gram_of(&S, 0);
        double sigma[RBV_GRAM_RIGHT], error;
        rbv_gram_certify(gram, sigma, &error);
        assert_int_equal(rbv_gram_rank(gram), n - 2);
        assert_true(error < 1e-9);
        rbv_gram_destroy(gram);
        sparse_drop(&S);
    }
}

static void gram_refuses_entries_that_are_not_finite_and_recovers(void **unused) {
    (void)unused;
    uint64_t seed = 48;
    double *C = of_rank(12, 9, 7, &seed);
    Sparse S = sparse_of(12, 9, C, &seed);
    RbvGram *gram = gram_of(&S, 0);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int32_t e = 0; e < S.entries; e++)
        for (int k = 0; k < 3; k++) {
            double keep = S.values[e];
            S.values[e] = bad[k];
            assert_false(rbv_gram_factor(gram, S.values, 0));
            assert_false(rbv_gram_factor(gram, S.values, 0.1));
            S.values[e] = keep;
        }
    assert_true(rbv_gram_factor(gram, S.values, 0));
    assert_int_equal(rbv_gram_rank(gram), 7);
    rbv_gram_destroy(gram);
    sparse_drop(&S);
    free(C);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gram_and_its_certificate_count_independent_columns),
        cmocka_unit_test(gram_has_the_same_bits_on_any_processor),
        cmocka_unit_test(gram_projects_onto_the_null_space_of_the_transpose),
        cmocka_unit_test(gram_solves_normal_equations_of_any_rank),
        cmocka_unit_test(gram_with_a_shift_is_a_ridge),
        cmocka_unit_test(gram_certifies_small_singular_values),
        cmocka_unit_test(the_least_is_found_where_it_jumps),
        cmocka_unit_test(gram_certificate_finds_what_pivots_hide),
        cmocka_unit_test(gram_drops_two_columns_of_second_differences),
        cmocka_unit_test(gram_refuses_entries_that_are_not_finite_and_recovers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
