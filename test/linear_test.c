/* Linear algebra: one contract for dense LU and KLU, ridge least squares, rank and null space. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/lu.h"
#include "core/linalg/pattern.h"
#include "core/solve/least_squares.h"
#include "core/solve/rank.h"
#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Both sides of the seams RBV_LU_DENSE_LIMIT and RBV_LU_PLANNED_LIMIT. */
static const int32_t sizes[] = {1, 2, 3, 7, 20, 31, 32, 33, 34, 50, 90, 127, 128, 129, 200};
#define SIZES (sizeof sizes / sizeof sizes[0])
/* Backward stable LU leaves n eps of |A| |x|, here below 200 * 2e-16 * 10 * growth. */
#define RESIDUAL_TOLERANCE 1e-11
/* Of solutions with pivots that were chosen for other values: rounding of some sums. */
#define BACKWARD_TOLERANCE 1e-14

/* A square sparse matrix by rows. */
typedef struct Matrix {
    int32_t n, *start, *index;
    double *values;
} Matrix;

static void *get(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* A scrambled permutation with large entries (so that the matrix is regular) and about two more entries in each row. */
static Matrix random_matrix(int32_t n, uint64_t *seed) {
    Matrix A = {n, get((size_t)n + 1, sizeof(int32_t)), get(4 * (size_t)n, sizeof(int32_t)),
                get(4 * (size_t)n, sizeof(double))};
    int32_t *main = get((size_t)n, sizeof *main), at = 0;
    for (int32_t i = 0; i < n; i++)
        main[i] = i;
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t j = (int32_t)((machine_random(seed) * 0.5 + 0.5) * (i + 1)) % (i + 1), keep = main[i];
        main[i] = main[j];
        main[j] = keep;
    }
    for (int32_t i = 0; i < n; i++) {
        A.start[i] = at;
        A.index[at] = main[i];
        A.values[at++] = (machine_random(seed) > 0 ? 1 : -1) * (2 + machine_random(seed));
        for (int extra = 0; extra < 2; extra++) {
            int32_t j = (int32_t)((machine_random(seed) * 0.5 + 0.5) * n) % n;
            bool taken = false;
            for (int32_t e = A.start[i]; e < at; e++)
                taken = taken || A.index[e] == j;
            if (taken)
                continue;
            A.index[at] = j;
            A.values[at++] = machine_random(seed);
        }
    }
    A.start[n] = at;
    free(main);
    return A;
}

static void drop(Matrix *A) {
    free(A->start);
    free(A->index);
    free(A->values);
}

/* Sign of the determinant by Gauss with full pivoting in long double; 0 when a pivot falls below 1e-12. */
static int reference_sign(const Matrix *A) {
    int32_t n = A->n;
    long double *a = get((size_t)n * (size_t)n, sizeof *a);
    int sign = 1;
    for (int32_t i = 0; i < n; i++)
        for (int32_t e = A->start[i]; e < A->start[i + 1]; e++)
            a[i * n + A->index[e]] += A->values[e];
    for (int32_t k = 0; k < n && sign; k++) {
        int32_t row = k, column = k;
        for (int32_t i = k; i < n; i++)
            for (int32_t j = k; j < n; j++)
                if (fabsl(a[i * n + j]) > fabsl(a[row * n + column]))
                    row = i, column = j;
        for (int32_t j = 0; row != k && j < n; j++) {
            long double keep = a[k * n + j];
            a[k * n + j] = a[row * n + j], a[row * n + j] = keep;
        }
        for (int32_t i = 0; column != k && i < n; i++) {
            long double keep = a[i * n + k];
            a[i * n + k] = a[i * n + column], a[i * n + column] = keep;
        }
        long double pivot = a[k * n + k];
        sign *= (row != k ? -1 : 1) * (column != k ? -1 : 1) * (fabsl(pivot) < 1e-12L ? 0 : pivot < 0 ? -1 : 1);
        for (int32_t i = k + 1; i < n && sign; i++) {
            long double factor = a[i * n + k] / pivot;
            for (int32_t j = k; factor != 0 && j < n; j++)
                a[i * n + j] -= factor * a[k * n + j];
        }
    }
    free(a);
    return sign;
}

static void assert_solves(RbvLu *lu, const Matrix *A, uint64_t *seed) {
    int32_t n = A->n;
    double *b = get((size_t)n, sizeof *b), *x = get((size_t)n, sizeof *x), *r = get((size_t)n, sizeof *r);
    for (int transposed = 0; transposed < 2; transposed++) {
        double size = 1;
        for (int32_t i = 0; i < n; i++)
            r[i] = -(x[i] = b[i] = machine_random(seed));
        if (transposed)
            rbv_lu_solve_transposed(lu, x);
        else
            rbv_lu_solve(lu, x);
        for (int32_t i = 0; i < n; i++) {
            size = fmax(size, fabs(x[i]));
            for (int32_t e = A->start[i]; e < A->start[i + 1]; e++)
                r[transposed ? A->index[e] : i] += A->values[e] * x[transposed ? i : A->index[e]];
        }
        for (int32_t i = 0; i < n; i++)
            assert_true(fabs(r[i]) <= RESIDUAL_TOLERANCE * size);
    }
    free(b);
    free(x);
    free(r);
}

/* Solutions for single entries are columns of the inverse, however few blocks they reach; what they touch is listed. */
static void assert_units(RbvLu *lu, const Matrix *A) {
    int32_t n = A->n, *touched = get((size_t)n, sizeof *touched);
    double *x = get((size_t)n, sizeof *x), *b = get((size_t)n, sizeof *b);
    memset(x, 0, (size_t)n * sizeof *x);
    assert_true(rbv_lu_open_units(lu));
    for (int32_t row = 0; row < n; row++) {
        double most = 0;
        memset(b, 0, (size_t)n * sizeof *b);
        b[row] = 1;
        rbv_lu_solve(lu, b);
        int32_t count = rbv_lu_solve_unit(lu, row, x, touched);
        assert_true(count > 0 && count <= n);
        for (int32_t i = 0; i < n; i++)
            most = fmax(most, fabs(b[i]));
        for (int32_t i = 0; i < n; i++)
            assert_true(fabs(x[i] - b[i]) <= 1e-12 * most);
        for (int32_t k = 0; k < count; k++)
            x[touched[k]] = 0;
        for (int32_t i = 0; i < n; i++)
            assert_true(x[i] == 0);
    }
    free(touched);
    free(x);
    free(b);
}

/* The two ways to create a system. */
typedef RbvLu *Create(int32_t n, const int32_t *start, const int32_t *index);
static Create *const creates[2] = {rbv_lu_create, rbv_lu_create_planned};

static void lu_solves_and_signs_both_ways_of_the_seam(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    for (size_t s = 0; s < SIZES; s++)
        for (int trial = 0; trial < 8; trial++) {
            Matrix A = random_matrix(sizes[s], &seed);
            int sign = reference_sign(&A);
            RbvLu *lu = creates[trial % 2](A.n, A.start, A.index);
            assert_non_null(lu);
            bool good = rbv_lu_factor(lu, A.values, &(bool){false});
            if (sign != 0) {
                assert_true(good);
                assert_int_equal(rbv_lu_sign(lu), sign);
                assert_solves(lu, &A, &seed);
                assert_units(lu, &A);
            }
            rbv_lu_destroy(lu);
            drop(&A);
        }
}

static void lu_factors_again_with_changed_values(void **unused) {
    (void)unused;
    uint64_t seed = 12;
    for (size_t s = 0; s < 2 * SIZES; s++) {
        Matrix A = random_matrix(sizes[s / 2], &seed);
        RbvLu *lu = creates[s % 2](A.n, A.start, A.index);
        for (int trial = 0; trial < 5; trial++) {
            for (int32_t e = 0; e < A.start[A.n]; e++)
                A.values[e] *= (1 + 0.8 * machine_random(&seed)) * (machine_random(&seed) > 0.6 ? -1 : 1);
            int sign = reference_sign(&A);
            if (sign == 0)
                continue;
            assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
            assert_int_equal(rbv_lu_sign(lu), sign);
            assert_solves(lu, &A, &seed);
        }
        rbv_lu_destroy(lu);
        drop(&A);
    }
}

/* Two by two blocks whose pivots stand on the diagonal first, beside it later: frozen pivots would divide by nothing.
 */
static void lu_pivots_again_when_old_pivots_vanish(void **unused) {
    (void)unused;
    uint64_t seed = 13;
    for (int way = 0; way < 4; way++) {
        int32_t n = way < 2 ? 30 : 60;
        Matrix A = {n, get((size_t)n + 1, sizeof(int32_t)), get(2 * (size_t)n, sizeof(int32_t)),
                    get(2 * (size_t)n, sizeof(double))};
        for (int32_t i = 0; i <= n; i++)
            A.start[i] = 2 * i;
        for (int32_t i = 0; i < n; i++) {
            A.index[2 * i] = i;
            A.index[2 * i + 1] = i % 2 ? i - 1 : i + 1;
        }
        RbvLu *lu = creates[way % 2](n, A.start, A.index);
        for (int beside = 0; beside < 3; beside++) {
            for (int32_t i = 0; i < n; i++) {
                A.values[2 * i] = beside == 0 ? 1 : beside == 1 ? 0 : 1e-14;
                A.values[2 * i + 1] = beside == 0 ? 1e-3 : 1 + 0.1 * machine_random(&seed);
            }
            assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
            assert_int_equal(rbv_lu_sign(lu), reference_sign(&A));
            assert_solves(lu, &A, &seed);
        }
        assert_true((n <= RBV_LU_DENSE_LIMIT && way % 2 == 0) || rbv_lu_repivots(lu) >= 1);
        rbv_lu_destroy(lu);
        drop(&A);
    }
}

/* Largest |b - A x| over the largest of |A| |x| + |b|, or of A^T. */
static double backward_error(const Matrix *A, bool transposed, const double *x, const double *b) {
    double worst = 0, size = 0;
    double *r = get((size_t)A->n, sizeof *r), *sum = get((size_t)A->n, sizeof *sum);
    memcpy(r, b, (size_t)A->n * sizeof *r);
    for (int32_t i = 0; i < A->n; i++)
        for (int32_t e = A->start[i]; e < A->start[i + 1]; e++) {
            int32_t to = transposed ? A->index[e] : i, from = transposed ? i : A->index[e];
            r[to] -= A->values[e] * x[from];
            sum[to] += fabs(A->values[e] * x[from]);
        }
    for (int32_t i = 0; i < A->n; i++) {
        worst = fmax(worst, fabs(r[i]));
        size = fmax(size, sum[i] + fabs(b[i]));
    }
    free(r);
    free(sum);
    return worst / size;
}

/* Values drift until the first entry of every other row is tiny: pivots chosen before have gone stale, but not so far
 * that they are chosen anew. Solutions stay exact to rounding. */
static void lu_keeps_its_digits_with_stale_pivots(void **unused) {
    (void)unused;
    uint64_t seed = 17;
    for (int trial = 0; trial < 80; trial++) {
        int32_t n = 34 + 2 * (trial / 2 % 20);
        Matrix A = {n, get((size_t)n + 1, sizeof(int32_t)), get(4 * (size_t)n, sizeof(int32_t)),
                    get(4 * (size_t)n, sizeof(double))};
        int32_t at = 0;
        for (int32_t i = 0; i < n; i++) { /* own pair of columns, then the next pair's first */
            A.start[i] = at;
            A.index[at++] = i;
            A.index[at++] = i ^ 1;
            if (i + 2 < n)
                A.index[at++] = (i + 2) & ~1;
        }
        A.start[n] = at;
        RbvLu *lu = creates[trial % 2](n, A.start, A.index);
        double tiny = pow(10, -3 - 4.0 * trial / 80), *x = get((size_t)n, sizeof *x), *b = get((size_t)n, sizeof *b);
        for (int stale = 0; stale < 2; stale++) {
            for (int32_t i = 0; i < n; i++)
                for (int32_t e = A.start[i]; e < A.start[i + 1]; e++)
                    A.values[e] = (e == A.start[i] ? (stale ? tiny : 10) : 1) * (1 + 0.3 * machine_random(&seed));
            assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
        }
        assert_true(trial % 2 || rbv_lu_repivots(lu) == 0);
        for (int transposed = 0; transposed < 2; transposed++) {
            for (int32_t i = 0; i < n; i++)
                x[i] = b[i] = machine_random(&seed);
            (transposed ? rbv_lu_solve_transposed : rbv_lu_solve)(lu, x);
            assert_true(backward_error(&A, transposed, x, b) <= BACKWARD_TOLERANCE);
        }
        assert_true(rbv_lu_open_units(lu));
        for (int32_t row = 0; row < n; row++) {
            int32_t touched[80];
            memset(x, 0, (size_t)n * sizeof *x);
            memset(b, 0, (size_t)n * sizeof *b);
            b[row] = 1;
            assert_in_range(rbv_lu_solve_unit(lu, row, x, touched), 1, n);
            assert_true(backward_error(&A, false, x, b) <= BACKWARD_TOLERANCE);
        }
        rbv_lu_destroy(lu);
        free(x);
        free(b);
        drop(&A);
    }
}

static void lu_refuses_singular_matrices_and_recovers(void **unused) {
    (void)unused;
    uint64_t seed = 14;
    for (size_t s = 1; s < SIZES; s++) {
        Matrix A = random_matrix(sizes[s], &seed);
        while (reference_sign(&A) == 0) {
            drop(&A);
            A = random_matrix(sizes[s], &seed);
        }
        size_t bytes = (size_t)A.start[A.n] * sizeof(double);
        double *keep = get((size_t)A.start[A.n], sizeof *keep);
        memcpy(keep, A.values, bytes);
        RbvLu *lu = rbv_lu_create(A.n, A.start, A.index);
        for (int first_good = 0; first_good < 2; first_good++)
            for (int kind = 0; kind < 2; kind++) {
                memcpy(A.values, keep, bytes);
                if (first_good)
                    assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
                if (kind == 0) /* an empty row */
                    for (int32_t e = A.start[A.n / 2]; e < A.start[A.n / 2 + 1]; e++)
                        A.values[e] = 0;
                else /* an empty column */
                    for (int32_t e = 0; e < A.start[A.n]; e++)
                        A.values[e] = A.index[e] == A.n / 2 ? 0 : A.values[e];
                assert_false(rbv_lu_factor(lu, A.values, &(bool){false}));
                assert_int_equal(rbv_lu_sign(lu), 0);
            }
        memcpy(A.values, keep, bytes);
        assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
        assert_int_equal(rbv_lu_sign(lu), reference_sign(&A));
        assert_solves(lu, &A, &seed);
        rbv_lu_destroy(lu);
        free(keep);
        drop(&A);
    }
}

/* C_I of n bars one behind the other, joint by joint and then drive by drive: where KLU by itself would search for a
 * transversal along the whole chain, again and again. */
static Matrix driven_chain(int32_t bars, uint64_t *seed) {
    Matrix A = {3 * bars, get(3 * (size_t)bars + 1, sizeof(int32_t)), get(10 * (size_t)bars, sizeof(int32_t)),
                get(10 * (size_t)bars, sizeof(double))};
    int32_t at = 0, row = 0;
    for (int32_t k = 0; k < bars; k++)
        for (int direction = 0; direction < 2; direction++) {
            A.start[row++] = at;
            for (int32_t body = k > 0 ? k - 1 : 0; body <= k; body++) {
                A.index[at] = 3 * body + direction;
                A.values[at++] = body == k ? 1 : -1;
                A.index[at] = 3 * body + 2;
                A.values[at++] = machine_random(seed);
            }
        }
    for (int32_t k = 0; k < bars; k++) {
        A.start[row++] = at;
        for (int32_t body = k > 0 ? k - 1 : 0; body <= k; body++) {
            A.index[at] = 3 * body + 2;
            A.values[at++] = body == k ? 1 : -1;
        }
    }
    A.start[row] = at;
    return A;
}

static void lu_of_long_chains_is_found_in_linear_time(void **unused) {
    (void)unused;
    uint64_t seed = 16;
    double before = 0;
    for (int32_t bars = 100; bars <= 25600; bars *= 4) {
        Matrix A = driven_chain(bars, &seed);
        clock_t begin = clock();
        RbvLu *lu = rbv_lu_create(A.n, A.start, A.index);
        assert_non_null(lu);
        assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
        double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_solves(lu, &A, &seed);
        for (int32_t k = 0; k < A.start[A.n]; k++)
            A.values[k] *= 1 + 0.1 * machine_random(&seed);
        assert_true(rbv_lu_factor(lu, A.values, &(bool){false}));
        assert_solves(lu, &A, &seed);
        assert_true(took < 10 * before + 0.1);
        before = took;
        rbv_lu_destroy(lu);
        drop(&A);
    }
}

/* Can row i be given a column, taking those of others over? */
static bool augment(const Matrix *A, int32_t i, int32_t *row_of, bool *seen) {
    for (int32_t e = A->start[i]; e < A->start[i + 1]; e++) {
        int32_t c = A->index[e];
        if (seen[c])
            continue;
        seen[c] = true;
        if (row_of[c] < 0 || augment(A, row_of[c], row_of, seen)) {
            row_of[c] = i;
            return true;
        }
    }
    return false;
}

static int32_t largest_matching(const Matrix *A) {
    int32_t row_of[64], count = 0;
    bool seen[64];
    for (int32_t c = 0; c < A->n; c++)
        row_of[c] = -1;
    for (int32_t i = 0; i < A->n; i++) {
        memset(seen, 0, sizeof seen);
        count += augment(A, i, row_of, seen);
    }
    return count;
}

/* A random pattern: each entry with the chance given; `forest`: an entry that would close a circle is left out. */
static Matrix random_pattern(int32_t n, double chance, bool forest, uint64_t *seed) {
    Matrix A = {n, get((size_t)n + 1, sizeof(int32_t)), get((size_t)n * (size_t)n, sizeof(int32_t)), NULL};
    int32_t part[128], at = 0;
    for (int32_t v = 0; v < 2 * n; v++)
        part[v] = v;
    for (int32_t i = 0; i < n; i++) {
        A.start[i] = at;
        for (int32_t c = 0; c < n; c++) {
            if (machine_random(seed) * 0.5 + 0.5 > chance || (forest && part[i] == part[n + c]))
                continue;
            for (int32_t v = 0, old = part[n + c]; v < 2 * n; v++)
                part[v] = part[v] == old ? part[i] : part[v];
            A.index[at++] = c;
        }
    }
    A.start[n] = at;
    return A;
}

static void a_matching_is_one_and_in_a_forest_the_largest(void **unused) {
    (void)unused;
    uint64_t seed = 17;
    for (int trial = 0; trial < 400; trial++) {
        int32_t n = 1 + trial % 24, match[64], count = 0;
        bool forest = trial % 2, row[64] = {false}, column[64] = {false};
        Matrix A = random_pattern(n, 0.5 + 0.5 * machine_random(&seed), forest, &seed);
        assert_true(rbv_match_rows(n, A.start, A.index, match));
        for (int32_t i = 0; i < n; i++) {
            if (match[i] < 0)
                continue;
            assert_in_range(match[i], A.start[i], A.start[i + 1] - 1);
            assert_false(column[A.index[match[i]]]);
            row[i] = column[A.index[match[i]]] = true;
            count++;
        }
        for (int32_t i = 0; i < n; i++) /* nothing can be added as it is */
            for (int32_t e = A.start[i]; e < A.start[i + 1]; e++)
                assert_true(row[i] || column[A.index[e]]);
        if (forest)
            assert_int_equal(count, largest_matching(&A));
        drop(&A);
    }
}

static void lu_refuses_values_that_are_not_finite(void **unused) {
    (void)unused;
    uint64_t seed = 15;
    const int32_t start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    for (int e = 0; e < 4; e++) {
        double values[] = {1, 0, 0, 1};
        values[e] = NAN;
        RbvLu *lu = rbv_lu_create(2, start, index);
        assert_false(rbv_lu_factor(lu, values, &(bool){false}));
        rbv_lu_destroy(lu);
    }
    for (size_t s = 1; s < SIZES; s++) {
        Matrix A = random_matrix(sizes[s], &seed);
        RbvLu *lu = rbv_lu_create(A.n, A.start, A.index);
        A.values[A.n / 2] = s % 2 ? NAN : INFINITY;
        assert_false(rbv_lu_factor(lu, A.values, &(bool){false}));
        rbv_lu_destroy(lu);
        drop(&A);
    }
}

static void lu_refuses_equal_rows_and_patterns_without_a_transversal(void **unused) {
    (void)unused;
    for (int32_t n = 20; n <= 60; n += 40) {
        /* rows 0 and 1 equal: columns 0 and 1, the rest diagonal */
        int32_t *start = get((size_t)n + 1, sizeof *start), *index = get((size_t)n + 2, sizeof *index), at = 0;
        double *values = get((size_t)n + 2, sizeof *values);
        for (int32_t i = 0; i < n; i++) {
            start[i] = at;
            for (int32_t j = i < 2 ? 0 : i; j <= (i < 2 ? 1 : i); j++) {
                index[at] = j;
                values[at++] = 1.0 / (3 + j);
            }
        }
        start[n] = at;
        RbvLu *lu = rbv_lu_create(n, start, index);
        assert_false(rbv_lu_factor(lu, values, &(bool){false}));
        rbv_lu_destroy(lu);
        /* no row has column n - 1 */
        index[at - 1] = 0;
        lu = rbv_lu_create(n, start, index);
        assert_non_null(lu);
        assert_false(rbv_lu_factor(lu, values, &(bool){false}));
        assert_int_equal(rbv_lu_sign(lu), 0);
        rbv_lu_destroy(lu);
        free(start);
        free(index);
        free(values);
    }
}

/* --- matrices of known rank -----------------------------------------------------------------------------------------
 */

/* C[m][n] = A B of small integers, A lower and B upper trapezoidal with full diagonals: rank r exactly, without
 * rounding. */
static double *of_rank(int32_t m, int32_t n, int32_t r, uint64_t *seed) {
    double *C = get((size_t)m * (size_t)n, sizeof *C);
    for (int32_t k = 0; k < r; k++) {
        double b[256];
        for (int32_t j = 0; j < n; j++)
            b[j] = j < k ? 0 : j == k ? 2 : round(machine_random(seed));
        for (int32_t i = 0; i < m; i++) {
            double a = i < k ? 0 : i == k ? 3 : round(machine_random(seed));
            for (int32_t j = 0; j < n; j++)
                C[i * n + j] += a * b[j];
        }
    }
    return C;
}

typedef struct Shape {
    int32_t m, n, r;
} Shape;
static const Shape shapes[] = {{1, 1, 1},   {3, 5, 2},    {5, 3, 3},    {6, 6, 6},    {7, 7, 4},  {12, 20, 9},
                               {20, 12, 7}, {18, 24, 18}, {40, 60, 33}, {70, 50, 41}, {30, 30, 0}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

/* The dense C as a sparse pattern with all entries. */
static void full_pattern(int32_t m, int32_t n, int32_t **start, int32_t **column) {
    *start = get((size_t)m + 1, sizeof **start);
    *column = get((size_t)m * (size_t)n, sizeof **column);
    for (int32_t k = 0; k <= m; k++)
        (*start)[k] = k * n;
    for (int32_t e = 0; e < m * n; e++)
        (*column)[e] = e % n;
}

/* (C C^T + mu I) y = phi by Cholesky in long double, x = -C^T y. */
static void normal_equations(int32_t m, int32_t n, const double *C, long double mu, const double *phi, double *x) {
    long double *G = get((size_t)m * (size_t)m, sizeof *G), *y = get((size_t)m, sizeof *y);
    for (int32_t i = 0; i < m; i++) {
        y[i] = phi[i];
        for (int32_t j = 0; j < m; j++) {
            G[i * m + j] = i == j ? mu : 0;
            for (int32_t k = 0; k < n; k++)
                G[i * m + j] += (long double)C[i * n + k] * C[j * n + k];
        }
    }
    for (int32_t k = 0; k < m; k++) {
        for (int32_t i = k; i < m; i++) {
            for (int32_t j = 0; j < k; j++)
                G[i * m + k] -= G[i * m + j] * G[k * m + j];
            G[i * m + k] = i == k ? sqrtl(G[k * m + k]) : G[i * m + k] / G[k * m + k];
        }
    }
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < i; j++)
            y[i] -= G[i * m + j] * y[j];
        y[i] /= G[i * m + i];
    }
    for (int32_t i = m - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < m; j++)
            y[i] -= G[j * m + i] * y[j];
        y[i] /= G[i * m + i];
    }
    for (int32_t k = 0; k < n; k++) {
        long double sum = 0;
        for (int32_t i = 0; i < m; i++)
            sum -= C[i * n + k] * y[i];
        x[k] = (double)sum;
    }
    free(G);
    free(y);
}

static double row_product(const double *C, int32_t n, int32_t k, const double *x) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += C[k * n + j] * x[j];
    return sum;
}

static void ridge_gives_the_least_norm_solution_of_any_rank(void **unused) {
    (void)unused;
    uint64_t seed = 21;
    for (size_t s = 0; s < SHAPES; s++) {
        int32_t m = shapes[s].m, n = shapes[s].n, *start, *column;
        double *C = of_rank(m, n, shapes[s].r, &seed), phi[256], x[256], expected[256], target[256];
        double square = 0;
        for (int32_t e = 0; e < m * n; e++)
            square += C[e] * C[e];
        full_pattern(m, n, &start, &column);
        RbvRidge *ridge = rbv_ridge_create(m, n, start, column);
        assert_non_null(ridge);
        for (int32_t j = 0; j < n; j++)
            target[j] = machine_random(&seed);
        for (int32_t k = 0; k < m; k++) /* a consistent right side: C target */
            phi[k] = row_product(C, n, k, target);
        /* mu 1e-6: the formula itself; least norm within mu/sigma^2 */
        const double mu[2] = {0.3, 1e-6};
        for (int trial = 0; trial < 2; trial++) {
            assert_true(rbv_ridge_factor(ridge, C, mu[trial], &(bool){false}));
            rbv_ridge_step(ridge, phi, x);
            normal_equations(m, n, C, mu[trial], phi, expected);
            /* the augmented matrix has a condition of up to |C|^2/mu */
            for (int32_t j = 0; j < n; j++)
                assert_near(x[j], expected[j], 1e-15 * square / mu[trial]);
        }
        for (int32_t k = 0; k < m; k++)
            assert_true(fabs(row_product(C, n, k, x) + phi[k]) <= 1e-4 * (1 + fabs(phi[k])));
        rbv_ridge_destroy(ridge);
        free(start);
        free(column);
        free(C);
    }
}

static void ridge_projects_onto_the_null_space(void **unused) {
    (void)unused;
    uint64_t seed = 22;
    for (size_t s = 0; s < SHAPES; s++) {
        int32_t m = shapes[s].m, n = shapes[s].n, *start, *column;
        double *C = of_rank(m, n, shapes[s].r, &seed), g[256], p[256], twice[256];
        double size = 0, inner = 0;
        full_pattern(m, n, &start, &column);
        RbvRidge *ridge = rbv_ridge_create(m, n, start, column);
        assert_true(rbv_ridge_factor_null(ridge, C, &(bool){false}));
        for (int32_t j = 0; j < n; j++)
            p[j] = g[j] = machine_random(&seed);
        rbv_ridge_project(ridge, p);
        memcpy(twice, p, sizeof p);
        rbv_ridge_project(ridge, twice);
        for (int32_t j = 0; j < n; j++) {
            size += p[j] * p[j];
            inner += p[j] * (g[j] - p[j]);
            assert_true(fabs(twice[j] - p[j]) <= 1e-9);
        }
        assert_true(fabs(inner) <= 1e-8);
        for (int32_t k = 0; k < m; k++)
            assert_true(fabs(row_product(C, n, k, p)) <= 1e-7);
        if (shapes[s].r == n)
            assert_true(sqrt(size) < 1e-8);
        else
            assert_true(sqrt(size) > 1e-3);
        rbv_ridge_destroy(ridge);
        free(start);
        free(column);
        free(C);
    }
}

static void rank_and_null_space_are_those_constructed(void **unused) {
    (void)unused;
    uint64_t seed = 31;
    for (size_t s = 0; s < SHAPES; s++) {
        int32_t m = shapes[s].m, n = shapes[s].n, r = shapes[s].r, p = m - r;
        double *C = of_rank(m, n, r, &seed), *null = get((size_t)m * (size_t)m, sizeof *null);
        RbvRank rank;
        assert_int_equal(rbv_rank_svd(m, n, C, &rank, null), RBV_OK);
        assert_int_equal(rank.rank, r);
        assert_int_equal(rank.certain, r);
        assert_true(rank.safe);
        assert_true(rank.largest_dropped < 1e-13); /* rounding: n eps */
        for (int32_t a = 0; a < p; a++) {
            for (int32_t b = 0; b < p; b++) {
                double sum = 0;
                for (int32_t i = 0; i < m; i++)
                    sum += null[i * p + a] * null[i * p + b];
                assert_near(sum, a == b, 1e-12);
            }
            for (int32_t j = 0; j < n; j++) {
                double sum = 0;
                for (int32_t i = 0; i < m; i++)
                    sum += null[i * p + a] * C[i * n + j];
                assert_true(fabs(sum) <= 1e-10); /* entries reach some hundred */
            }
        }
        RbvRank alone;
        assert_int_equal(rbv_rank_svd(m, n, C, &alone, NULL), RBV_OK);
        assert_int_equal(alone.rank, r);
        free(C);
        free(null);
    }
}

static void rank_rows_puts_independent_rows_first(void **unused) {
    (void)unused;
    uint64_t seed = 32;
    for (size_t s = 0; s < SHAPES; s++) {
        int32_t m = shapes[s].m, n = shapes[s].n, r = shapes[s].r, order[256], seen[256] = {0};
        double *C = of_rank(m, n, r, &seed), *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
        RbvRank rank;
        assert_int_equal(rbv_rank_rows(m, n, C, order), RBV_OK);
        for (int32_t k = 0; k < m; k++) {
            assert_in_range(order[k], 0, m - 1);
            assert_int_equal(seen[order[k]]++, 0);
            memcpy(chosen + k * n, C + order[k] * n, (size_t)n * sizeof *C);
        }
        assert_int_equal(rbv_rank_svd(r, n, chosen, &rank, NULL), RBV_OK);
        assert_int_equal(rank.rank, r);
        free(C);
        free(chosen);
    }
}

static void rank_says_when_it_is_not_safe(void **unused) {
    (void)unused;
    /* diag(1, 0.5, 1e-8, 1e-12) with tau = 1e-10: 1e-8 lies in the band, 1e-12 below it */
    double C[16] = {1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1e-8, 0, 0, 0, 0, 1e-12}, null[16];
    RbvRank rank;
    assert_int_equal(rbv_rank_svd(4, 4, C, &rank, null), RBV_OK);
    assert_int_equal(rank.rank, 3);
    assert_int_equal(rank.certain, 2);
    assert_false(rank.safe);
    assert_near(rank.smallest, 1e-8, 1e-15);
    assert_near(rank.largest_dropped, 1e-12, 1e-15);
    /* null[4][2]: the doubtful direction first, the sure one last */
    assert_near(fabs(null[2 * 2 + 0]), 1, 1e-9);
    assert_near(fabs(null[3 * 2 + 1]), 1, 1e-9);
}

static void rank_of_nothing_is_zero(void **unused) {
    (void)unused;
    RbvRank rank;
    double null[9];
    int32_t order[3] = {7, 7, 7};
    assert_int_equal(rbv_rank_svd(0, 5, NULL, &rank, NULL), RBV_OK);
    assert_int_equal(rank.rank, 0);
    assert_int_equal(rbv_rank_svd(3, 0, NULL, &rank, null), RBV_OK);
    assert_int_equal(rank.rank, 0);
    for (int k = 0; k < 9; k++)
        assert_near(null[k], k % 4 == 0, 0);
    assert_int_equal(rbv_rank_rows(3, 0, NULL, order), RBV_OK);
    for (int k = 0; k < 3; k++)
        assert_int_equal(order[k], k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lu_solves_and_signs_both_ways_of_the_seam),
        cmocka_unit_test(lu_factors_again_with_changed_values),
        cmocka_unit_test(lu_pivots_again_when_old_pivots_vanish),
        cmocka_unit_test(lu_keeps_its_digits_with_stale_pivots),
        cmocka_unit_test(lu_refuses_singular_matrices_and_recovers),
        cmocka_unit_test(lu_of_long_chains_is_found_in_linear_time),
        cmocka_unit_test(a_matching_is_one_and_in_a_forest_the_largest),
        cmocka_unit_test(lu_refuses_values_that_are_not_finite),
        cmocka_unit_test(lu_refuses_equal_rows_and_patterns_without_a_transversal),
        cmocka_unit_test(ridge_gives_the_least_norm_solution_of_any_rank),
        cmocka_unit_test(ridge_projects_onto_the_null_space),
        cmocka_unit_test(rank_and_null_space_are_those_constructed),
        cmocka_unit_test(rank_rows_puts_independent_rows_first),
        cmocka_unit_test(rank_says_when_it_is_not_safe),
        cmocka_unit_test(rank_of_nothing_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
