/* Decisions along a motion, rbv_determined_again, beside those by singular values: the same rank and null space as long
 * as the same rows depend on the others, and no decision where a row leaves them or one more depends. */
#include "support/sparse.h"

/* C T with a random T whose columns are far from dependent: the rows depend on each other as those of C. */
static double *moved(int32_t m, int32_t n, const double *C, uint64_t *seed) {
    double *out = get((size_t)m * (size_t)n, sizeof *out), *T = get((size_t)n * (size_t)n, sizeof *T);
    for (int32_t e = 0; e < n * n; e++)
        T[e] = (e / n == e % n) + 0.3 / n * machine_random(seed);
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = 0; k < n; k++)
                out[i * n + j] += C[i * n + k] * T[k * n + j];
    free(T);
    return out;
}

/* How often rbv_determined_again has decided, and was asked. */
typedef struct Count {
    int decided, asked;
} Count;

/* Ask it about C, whose rank is r; what it decides must be what singular values say. The ratio of the least to
 * the largest one is estimated to a third: ten steps of Lanczos' method, and the largest as it was last; a bound is
 * from below. */
static void assert_agrees(RbvDetermined *d, int32_t m, int32_t n, const double *C, int32_t r, bool estimate,
                          Count *count, uint64_t *seed) {
    Sparse S = sparse_of(m, n, C, seed);
    RbvSparse matrix = view(&S, NULL);
    double *scaled = dense_of(&S), *null = get((size_t)m * (size_t)m, sizeof *null);
    int32_t *order = get((size_t)m, sizeof *order);
    RbvRank rank;
    assert_int_equal(rbv_rank_svd(m, n, scaled, &rank, null), RBV_OK);
    assert_int_equal(rank.rank, r);
    count->asked++;
    if (rbv_determined_again(d, &matrix, estimate, order)) {
        count->decided++;
        assert_int_equal(d->rank.rank, r);
        assert_true(d->rank.safe);
        assert_true(d->rank.largest_dropped < 1e-13);
        assert_true(d->rank.smallest < 1.3 * rank.smallest);
        assert_true(d->rank.smallest > 0.8 * rank.smallest || (!estimate && r == m));
        assert_int_equal(d->null_columns, m - r);
        if (r < m)
            assert_null_space(m, n, scaled, r, d->null, m - r);
        double *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
        for (int32_t k = 0; k < r; k++)
            memcpy(chosen + k * n, scaled + order[k] * n, (size_t)n * sizeof *chosen);
        assert_int_equal(reference_rank(r, n, chosen), r);
        free(chosen);
    }
    sparse_drop(&S);
    free(scaled);
    free(null);
    free(order);
}

/* A decision by singular values; the order of the rows. */
static int32_t *decide(RbvDetermined *d, int32_t m, int32_t n, const double *C, uint64_t *seed) {
    Sparse S = sparse_of(m, n, C, seed);
    RbvSparse matrix = view(&S, NULL);
    int32_t *order = get((size_t)m, sizeof *order);
    assert_int_equal(rbv_determined_decide(d, &matrix, RBV_DECIDE_DEFAULT, order), RBV_OK);
    sparse_drop(&S);
    return order;
}

static void same_dependence_is_decided_as_by_singular_values(void **unused) {
    (void)unused;
    uint64_t seed = 71;
    Count full = {0}, dependent = {0};
    for (size_t s = 0; s < 4 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        double *C = of_rank(m, n, r, &seed);
        RbvDetermined d = {0};
        free(decide(&d, m, n, C, &seed));
        for (int trial = 0; trial < 4 && r > 0; trial++) {
            double *next = moved(m, n, C, &seed);
            assert_agrees(&d, m, n, next, r, trial % 2 == 0, r == m ? &full : &dependent, &seed);
            free(next);
        }
        free(C);
        rbv_determined_clear(&d);
    }
    assert_true(full.asked > 20 && full.decided > full.asked / 2);
    assert_true(dependent.asked > 60 && dependent.decided > dependent.asked / 2);
}

/* A dependent row that leaves the others by little, and an independent one that falls into their span. */
static void another_dependence_is_not_decided(void **unused) {
    (void)unused;
    uint64_t seed = 72;
    int checked = 0;
    for (size_t s = 0; s < 4 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        if (r < 2 || r == m || r == n)
            continue;
        double *C = of_rank(m, n, r, &seed), *next = moved(m, n, C, &seed);
        RbvDetermined d = {0};
        int32_t *order = decide(&d, m, n, C, &seed);
        Count count = {0};
        assert_agrees(&d, m, n, next, r, true, &count, &seed);
        for (int wrong = 0; wrong < 2; wrong++) {
            double *other = get((size_t)m * (size_t)n, sizeof *other);
            memcpy(other, next, (size_t)m * (size_t)n * sizeof *other);
            for (int32_t j = 0; j < n && wrong == 0; j++)
                other[order[m - 1] * n + j] += 1e-8 * machine_random(&seed);
            for (int32_t j = 0; j < n && wrong == 1; j++)
                other[order[0] * n + j] = next[order[1] * n + j];
            Sparse S = sparse_of(m, n, other, &seed);
            RbvSparse matrix = view(&S, NULL);
            assert_false(rbv_determined_again(&d, &matrix, true, NULL));
            checked += count.decided;
            free(order);
            order = decide(&d, m, n, C, &seed);
            sparse_drop(&S);
            free(other);
        }
        free(order);
        free(C);
        free(next);
        rbv_determined_clear(&d);
    }
    assert_true(checked > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_dependence_is_decided_as_by_singular_values),
        cmocka_unit_test(another_dependence_is_not_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
