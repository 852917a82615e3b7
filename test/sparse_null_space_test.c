/* Sparse bases of a null space against brute force: minimal supports, relations, sets of rows, connected parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/sparse_null_space.h"
#include "support/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- references
 * ------------------------------------------------------------------------------------------------------- */

/* Do A[k][p] and B[k][p] of full rank have the same columns' span? */
static bool same_span(int32_t k, int32_t p, const double *A, const double *B) {
    double *both = get((size_t)k * 2 * (size_t)p, sizeof *both);
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < p; j++) {
            both[i * 2 * p + j] = A[i * p + j];
            both[i * 2 * p + p + j] = B[i * p + j];
        }
    bool same = reference_rank(k, p, A) == p && reference_rank(k, p, B) == p && reference_rank(k, 2 * p, both) == p;
    free(both);
    return same;
}

/* Rows of A at the bits of a set (k <= 20); returns their rank. */
static int32_t rank_at(int32_t k, int32_t p, const double *A, uint32_t set) {
    double rows[20 * 20];
    int32_t count = 0;
    for (int32_t i = 0; i < k; i++)
        if (set >> i & 1)
            memcpy(rows + count++ * p, A + i * p, (size_t)p * sizeof *rows);
    return reference_rank(count, p, rows);
}

static int32_t bits(uint32_t set) {
    int32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Entries in each column, ascending. */
static void supports(int32_t k, int32_t p, const double *R, int32_t *size) {
    for (int32_t j = 0; j < p; j++) {
        size[j] = 0;
        for (int32_t i = 0; i < k; i++)
            size[j] += R[i * p + j] != 0;
    }
    qsort(size, (size_t)p, sizeof *size, ascending);
}

/* Support sizes of a sparsest basis of the columns of R: vectors of minimal support vanish on a largest set of rows
 * of rank p - 1. Taken by length while independent they are optimal for all lengths at once (a matroid). k <= 20. */
static void sparsest_supports(int32_t k, int32_t p, const double *R, int32_t *size) {
    int32_t taken = 0;
    double *basis = get((size_t)p * (size_t)p, sizeof *basis);
    for (int32_t length = 1; length <= k && taken < p; length++)
        for (uint32_t set = 0; set < 1u << k && taken < p; set++) {
            uint32_t zero = ~set & ((1u << k) - 1);
            if (bits(set) != length || rank_at(k, p, R, zero) != p - 1)
                continue;
            /* a, the vector with R a = 0 on `zero`: cofactors are too dear; the null vector by elimination of those
             * rows */
            long double M[20][20];
            int32_t rows = 0, pivot[20], at = 0;
            for (int32_t i = 0; i < k; i++)
                if (zero >> i & 1) {
                    for (int32_t j = 0; j < p; j++)
                        M[rows][j] = R[i * p + j];
                    rows++;
                }
            bool used[20] = {false};
            for (int32_t step = 0; step < p - 1; step++) {
                int32_t r = at, c = 0;
                long double most = -1;
                for (int32_t i = at; i < rows; i++)
                    for (int32_t j = 0; j < p; j++)
                        if (!used[j] && fabsl(M[i][j]) > most)
                            most = fabsl(M[i][j]), r = i, c = j;
                for (int32_t j = 0; j < p; j++) {
                    long double keep = M[at][j];
                    M[at][j] = M[r][j], M[r][j] = keep;
                }
                for (int32_t i = 0; i < rows; i++) {
                    long double factor = M[i][c] / M[at][c];
                    for (int32_t j = 0; i != at && j < p; j++)
                        M[i][j] -= factor * M[at][j];
                }
                used[c] = true, pivot[at++] = c;
            }
            double *a = basis + taken * p;
            for (int32_t j = 0; j < p; j++)
                a[j] = used[j] ? 0 : 1;
            for (int32_t i = 0; i < at; i++)
                for (int32_t j = 0; j < p; j++)
                    if (!used[j])
                        a[pivot[i]] = -(double)(M[i][j] / M[i][pivot[i]]);
            if (reference_rank(taken + 1, p, basis) == taken + 1)
                size[taken++] = length;
        }
    assert_int_equal(taken, p);
    free(basis);
}

/* --- matrices
 * --------------------------------------------------------------------------------------------------------- */

/* R[k][p] of rank p, small integers, about `filled` in 10 of them not zero, some rows proportional to others, some
 * zero; then columns mixed. */
static double *space_of(int32_t k, int32_t p, int32_t filled, bool mixed, uint64_t *seed) {
    double *R = get((size_t)k * (size_t)p, sizeof *R);
    do
        for (int32_t i = 0; i < k; i++) {
            int32_t like = i > 1 && pick(seed, 0, 4) == 0 ? pick(seed, 0, i - 1) : -1,
                    factor = pick(seed, 0, 1) ? 2 : -1;
            for (int32_t j = 0; j < p; j++)
                R[i * p + j] = like >= 0                     ? factor * R[like * p + j]
                               : pick(seed, 1, 10) <= filled ? pick(seed, 1, 3) * (pick(seed, 0, 1) ? 1 : -1)
                                                             : 0;
        }
    while (reference_rank(k, p, R) < p);
    for (int32_t step = 0; mixed && step < 3 * p && p > 1; step++) {
        int32_t to = pick(seed, 0, p - 1), from = (to + pick(seed, 1, p - 1)) % p, factor = pick(seed, 0, 1) ? 1 : -1;
        for (int32_t i = 0; i < k; i++)
            R[i * p + to] += factor * R[i * p + from];
    }
    double largest = 0; /* entries of order one */
    for (int32_t e = 0; e < k * p; e++)
        largest = fmax(largest, fabs(R[e]));
    for (int32_t e = 0; e < k * p; e++)
        R[e] /= largest;
    return R;
}

static double *copy(size_t count, const double *values) {
    double *other = get(count, sizeof *other);
    memcpy(other, values, count * sizeof *other);
    return other;
}

/* --- tests
 * ------------------------------------------------------------------------------------------------------------ */

static void reduce_keeps_the_column_space_and_has_pivot_rows(void **unused) {
    (void)unused;
    uint64_t seed = 81;
    for (int trial = 0; trial < 400; trial++) {
        int32_t p = pick(&seed, 1, 9), k = p + pick(&seed, 0, 20);
        double *old = space_of(k, p, pick(&seed, 2, 9), true, &seed), *R = copy((size_t)(k * p), old),
               *T = get((size_t)(p * p), sizeof *T);
        assert_true(rbv_null_space_reduce(k, p, R, trial % 2 ? T : NULL));
        assert_true(same_span(k, p, old, R));
        for (int32_t i = 0; trial % 2 && i < k; i++)
            for (int32_t j = 0; j < p; j++) {
                double sum = 0;
                for (int32_t l = 0; l < p; l++)
                    sum += old[i * p + l] * T[l * p + j];
                assert_near(R[i * p + j], sum, 1e-8); /* below RBV_NULL_SPACE_ZERO is cut */
            }
        for (int32_t j = 0; j < p; j++) {
            int32_t pivots = 0;
            for (int32_t i = 0; i < k; i++) {
                int32_t entries = 0;
                for (int32_t l = 0; l < p; l++)
                    entries += R[i * p + l] != 0;
                pivots += entries == 1 && R[i * p + j] == 1;
                assert_true(R[i * p + j] == 0 || fabs(R[i * p + j]) > RBV_NULL_SPACE_ZERO);
            }
            assert_true(pivots >= 1);
        }
        free(old);
        free(R);
        free(T);
    }
}

static int32_t root(int32_t *up, int32_t i) {
    while (up[i] != i)
        i = up[i];
    return i;
}

static void parts_are_connected_components(void **unused) {
    (void)unused;
    uint64_t seed = 82;
    int32_t most = 0;
    for (int trial = 0; trial < 600; trial++) {
        int32_t p = pick(&seed, 1, 9), k = p + pick(&seed, 0, 20), of[40], mode_of[10], up[50], number[50], parts = 0;
        double *R = space_of(k, p, pick(&seed, 1, 3), false, &seed);
        assert_true(rbv_null_space_reduce(k, p, R, NULL));
        for (int32_t i = 0; i < k + p; i++)
            up[i] = i, number[i] = -1;
        for (int32_t i = 0; i < k; i++)
            for (int32_t j = 0; j < p; j++)
                if (R[i * p + j] != 0)
                    up[root(up, i)] = root(up, k + j);
        int32_t found = rbv_null_space_parts(k, p, R, of, mode_of);
        for (int32_t i = 0; i < k; i++) {
            int32_t entries = 0, here = root(up, i);
            for (int32_t j = 0; j < p; j++)
                entries += R[i * p + j] != 0;
            if (entries > 0 && number[here] < 0)
                number[here] = parts++;
            assert_int_equal(of[i], entries > 0 ? number[here] : -1);
        }
        for (int32_t j = 0; j < p; j++)
            assert_int_equal(mode_of[j], number[root(up, k + j)]);
        assert_int_equal(found, parts);
        most = parts > most ? parts : most;
        free(R);
    }
    assert_true(most > 4); /* the cases are worth something */
}

static void up_to_four_modes_are_sparsest(void **unused) {
    (void)unused;
    uint64_t seed = 83;
    for (int trial = 0; trial < 300; trial++) {
        int32_t p = pick(&seed, 1, RBV_NULL_SPACE_EXACT), k = p + pick(&seed, 0, 10 - p), size[4], expected[4];
        double *old = space_of(k, p, pick(&seed, 2, 9), true, &seed), *R = copy((size_t)(k * p), old);
        sparsest_supports(k, p, old, expected);
        assert_true(rbv_null_space_reduce(k, p, R, NULL));
        assert_true(rbv_null_space_sparsify(k, p, R));
        assert_true(same_span(k, p, old, R));
        supports(k, p, R, size);
        for (int32_t j = 0; j < p; j++)
            assert_int_equal(size[j], expected[j]);
        free(old);
        free(R);
    }
}

static void more_modes_are_never_longer_than_given(void **unused) {
    (void)unused;
    uint64_t seed = 84;
    int32_t sparser = 0;
    for (int trial = 0; trial < 300; trial++) {
        int32_t p = pick(&seed, RBV_NULL_SPACE_EXACT + 1, 12), k = p + pick(&seed, 0, 25), size[12], given[12],
                before = 0, after = 0;
        double *old = space_of(k, p, pick(&seed, 1, 6), true, &seed), *R = copy((size_t)(k * p), old);
        assert_true(rbv_null_space_reduce(k, p, R, NULL));
        supports(k, p, R, given);
        assert_true(rbv_null_space_sparsify(k, p, R));
        assert_true(same_span(k, p, old, R));
        supports(k, p, R, size);
        for (int32_t j = 0; j < p; j++) {
            assert_true(size[j] <= given[j]); /* sorted: no column has grown, whichever it was */
            before += given[j], after += size[j];
        }
        sparser += after < before;
        free(old);
        free(R);
    }
    assert_true(sparser > 30);
}

static void relations_are_a_basis_with_pairs_first(void **unused) {
    (void)unused;
    uint64_t seed = 85;
    for (int trial = 0; trial < 400; trial++) {
        int32_t p = pick(&seed, 1, 7), k = p + pick(&seed, 1, 14), q = k - p, pairs = 0, zeros = 0, lone = 0, two = 0;
        double *R = space_of(k, p, pick(&seed, 2, 9), true, &seed), *w = get((size_t)(q * k), sizeof *w);
        if (trial % 3 == 0 && k > p + 1) { /* a row of zeros, where the rank allows it */
            double *row = copy((size_t)p, R);
            memset(R, 0, (size_t)p * sizeof *R);
            if (reference_rank(k, p, R) < p)
                memcpy(R, row, (size_t)p * sizeof *R);
            free(row);
        }
        if (trial % 2)
            assert_true(rbv_null_space_reduce(k, p, R, NULL));
        assert_true(rbv_null_space_relations(k, p, R, w));
        assert_int_equal(reference_rank(q, k, w), q);
        for (int32_t n = 0; n < q; n++) {
            int32_t entries = 0;
            for (int32_t i = 0; i < k; i++) {
                if (w[n * k + i] != 0 && entries++ == 0)
                    assert_near(w[n * k + i], 1, 1e-14);
            }
            lone += entries == 1, two += entries == 2;
            for (int32_t j = 0; j < p; j++) {
                double sum = 0, size = 0;
                for (int32_t i = 0; i < k; i++) {
                    sum += w[n * k + i] * R[i * p + j];
                    size += fabs(w[n * k + i] * R[i * p + j]);
                }
                assert_true(fabs(sum) <= 1e-8 * (1 + size));
            }
        }
        /* proportional rows: to each but the first of its kind belongs a pair */
        for (int32_t i = 0; i < k; i++) {
            bool zero = reference_rank(1, p, R + i * p) == 0, again = false;
            for (int32_t l = 0; l < i && !zero && !again; l++) {
                double both[14];
                memcpy(both, R + i * p, (size_t)p * sizeof *both);
                memcpy(both + p, R + l * p, (size_t)p * sizeof *both);
                again = reference_rank(1, p, both + p) == 1 && reference_rank(2, p, both) == 1;
            }
            zeros += zero, pairs += again;
        }
        assert_int_equal(lone, zeros);
        assert_true(two >= pairs);
        for (int32_t n = 0, longer = 0; n < q; n++) { /* pairs first, whatever a row of zeros counts for */
            int32_t entries = 0;
            for (int32_t i = 0; i < k; i++)
                entries += w[n * k + i] != 0;
            assert_false(longer && entries == 2);
            longer = longer || entries > 2;
        }
        free(R);
        free(w);
    }
}

/* All that a set is: independent rows, ascending, counted owners, summed penalty. */
static void assert_set(int32_t k, int32_t p, const double *R, const int32_t *owner, const double *penalty,
                       const RbvRowSet *set) {
    double rows[64], sum = 0;
    int32_t owners = 0;
    for (int32_t a = 0; a < p; a++) {
        bool again = false;
        assert_in_range(set->rows[a], 0, k - 1);
        assert_true(a == 0 || set->rows[a] > set->rows[a - 1]);
        memcpy(rows + a * p, R + set->rows[a] * p, (size_t)p * sizeof *rows);
        sum += penalty[set->rows[a]];
        for (int32_t b = 0; b < a; b++)
            again = again || owner[set->rows[b]] == owner[set->rows[a]];
        owners += !again;
    }
    assert_int_equal(reference_rank(p, p, rows), p);
    assert_int_equal(set->owners, owners);
    assert_near(set->penalty, sum, 1e-12);
    assert_true(set->independence > 0 && set->independence <= 1 + 1e-12);
}

static void sets_are_those_of_brute_force_best_first(void **unused) {
    (void)unused;
    uint64_t seed = 86;
    enum { MOST = 512 };
    RbvRowSet *sets = get(MOST, sizeof *sets);
    int32_t *storage = get((size_t)MOST * 5, sizeof *storage);
    for (int trial = 0; trial < 300; trial++) {
        int32_t p = pick(&seed, 1, 4), k = p + pick(&seed, 0, 9 - p), owner[9], total = 0, best_owners = 99,
                first_class = 0, most = trial % 4 ? MOST : 3;
        double *R = space_of(k, p, pick(&seed, 2, 9), true, &seed), penalty[9], best_penalty = 1e9;
        assert_true(rbv_null_space_reduce(k, p, R, NULL));
        for (int32_t i = 0; i < k; i++) {
            owner[i] = trial % 5 == 0 ? 0 : trial % 5 == 1 ? 7 * i - 3 : pick(&seed, 0, 4);
            penalty[i] = trial % 3 ? pick(&seed, 0, 3) : 0;
        }
        for (uint32_t set = 0; set < 1u << k; set++) {
            if (bits(set) != p || rank_at(k, p, R, set) != p)
                continue;
            int32_t owners = 0;
            double sum = 0;
            for (int32_t i = 0; i < k; i++) {
                bool again = false;
                for (int32_t l = 0; l < i; l++)
                    again = again || (set >> l & 1 && owner[l] == owner[i]);
                owners += (set >> i & 1) && !again;
                sum += set >> i & 1 ? penalty[i] : 0;
            }
            total++;
            first_class = owners < best_owners || (owners == best_owners && sum < best_penalty)
                              ? 1
                              : first_class + (owners == best_owners && sum == best_penalty);
            if (owners < best_owners || (owners == best_owners && sum < best_penalty))
                best_owners = owners, best_penalty = sum;
        }
        int32_t found = rbv_null_space_sets(k, p, R, &(RbvRowSearch){.owner = owner, .penalty = penalty, .most = most},
                                            sets, storage),
                optimal = 0;
        assert_true(found >= 1 && found <= most && found <= total);
        assert_int_equal(sets[0].owners, best_owners);
        assert_near(sets[0].penalty, best_penalty, 1e-12);
        for (int32_t n = 0; n < found; n++) {
            const RbvRowSet *now = &sets[n], *last = &sets[n ? n - 1 : 0];
            assert_set(k, p, R, owner, penalty, now);
            assert_true(now->owners > last->owners ||
                        (now->owners == last->owners &&
                         (now->penalty > last->penalty + 1e-12 || now->independence <= last->independence + 1e-12)));
            optimal += now->owners == best_owners && fabs(now->penalty - best_penalty) < 1e-12;
            for (int32_t l = 0; l < n; l++)
                assert_memory_not_equal(sets[l].rows, now->rows, (size_t)p * sizeof *now->rows);
        }
        assert_int_equal(optimal, first_class < most ? first_class : most);
        free(R);
    }
    free(sets);
    free(storage);
}

/* One mode: sets are single rows, the best the one with the largest part. As many rows as modes: one set, no relation,
 * modes of one entry. */
static void degenerate_sizes(void **unused) {
    (void)unused;
    const double column[] = {0, 0.25, -1, 0, 0.5};
    double R[5], w[20], T[1];
    memcpy(R, column, sizeof R);
    assert_true(rbv_null_space_reduce(5, 1, R, T));
    assert_near(T[0], -1, 1e-15);
    assert_true(rbv_null_space_sparsify(5, 1, R));
    for (int k = 0; k < 5; k++)
        assert_near(R[k] / R[2], -column[k], 1e-15);
    assert_true(rbv_null_space_relations(5, 1, R, w));
    int32_t of[5], mode_of[5], storage[25], owner[] = {0, 1, 2, 3, 4};
    const int32_t parts[] = {-1, 0, 0, -1, 0};
    const double none[5] = {0};
    assert_int_equal(rbv_null_space_parts(5, 1, R, of, mode_of), 1);
    assert_memory_equal(of, parts, sizeof parts);
    RbvRowSet sets[5];
    assert_int_equal(
        rbv_null_space_sets(5, 1, R, &(RbvRowSearch){.owner = owner, .penalty = none, .most = 5}, sets, storage), 3);
    assert_int_equal(sets[0].rows[0], 2);
    assert_int_equal(sets[1].rows[0], 4);
    assert_int_equal(sets[2].rows[0], 1);

    uint64_t seed = 87;
    for (int32_t p = 1; p <= 8; p++) {
        double *A = space_of(p, p, 9, true, &seed), penalty[8] = {0};
        int32_t rows[16], owners[8], size[8], where[8], mode[8];
        RbvRowSet set[2];
        assert_true(rbv_null_space_reduce(p, p, A, NULL));
        assert_true(rbv_null_space_sparsify(p, p, A));
        supports(p, p, A, size);
        assert_int_equal(size[p - 1], 1);
        assert_int_equal(rbv_null_space_parts(p, p, A, where, mode), p);
        assert_true(rbv_null_space_relations(p, p, A, w));
        for (int32_t i = 0; i < p; i++)
            owners[i] = i / 2;
        assert_int_equal(
            rbv_null_space_sets(p, p, A, &(RbvRowSearch){.owner = owners, .penalty = penalty, .most = 2}, set, rows),
            1);
        assert_int_equal(set[0].owners, (p + 1) / 2);
        assert_near(set[0].independence, 1, 1e-12);
        free(A);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduce_keeps_the_column_space_and_has_pivot_rows),
        cmocka_unit_test(parts_are_connected_components),
        cmocka_unit_test(up_to_four_modes_are_sparsest),
        cmocka_unit_test(more_modes_are_never_longer_than_given),
        cmocka_unit_test(relations_are_a_basis_with_pairs_first),
        cmocka_unit_test(sets_are_those_of_brute_force_best_first),
        cmocka_unit_test(degenerate_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
