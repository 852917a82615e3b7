/* Rank and what it decides: Gram factors, determined combinations, ranks modulo primes, the criteria against each other.
 *
 * Truth comes from constructions (C = A B of small integers, pieces that share no rows), elimination and Gram-Schmidt in long double.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/determined.h"
#include "solve/exact.h"
#include "solve/gram.h"
#include "solve/rank.h"
#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS 2.3e-16
static const RbvCriterionKind kinds[] = {RBV_DECIDE_DEFAULT, RBV_DECIDE_RANKS, RBV_DECIDE_SVD, RBV_DECIDE_QR};

static void *get(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* An integer in from ... to. */
static int32_t pick(uint64_t *seed, int32_t from, int32_t to) {
    int32_t k = from + (int32_t)floor((machine_random(seed) * 0.5 + 0.5) * (to - from + 1));
    return k > to ? to : k;
}

static void shuffle(int32_t n, int32_t *list, uint64_t *seed) {
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t j = pick(seed, 0, i), keep = list[i];
        list[i] = list[j], list[j] = keep;
    }
}

/* --- references ------------------------------------------------------------------------------------------------------- */

/* Rank by Gauss with full pivoting in long double; pivots below 1e-10 of the first are rounding: matrices here hold small integers over row norms. */
static int32_t reference_rank(int32_t m, int32_t n, const double *C) {
    long double *a = get((size_t)m * (size_t)n, sizeof *a), first = 0;
    int32_t rank = 0;
    for (int32_t e = 0; e < m * n; e++)
        a[e] = C[e];
    for (; rank < m && rank < n; rank++) {
        int32_t row = rank, column = rank;
        for (int32_t i = rank; i < m; i++)
            for (int32_t j = rank; j < n; j++)
                if (fabsl(a[i * n + j]) > fabsl(a[row * n + column]))
                    row = i, column = j;
        for (int32_t j = 0; j < n; j++) {
            long double keep = a[rank * n + j];
            a[rank * n + j] = a[row * n + j], a[row * n + j] = keep;
        }
        for (int32_t i = 0; i < m; i++) {
            long double keep = a[i * n + rank];
            a[i * n + rank] = a[i * n + column], a[i * n + column] = keep;
        }
        long double pivot = a[rank * n + rank];
        first = rank == 0 ? fabsl(pivot) : first;
        if (fabsl(pivot) <= 1e-10L * first)
            break;
        for (int32_t i = rank + 1; i < m; i++) {
            long double factor = a[i * n + rank] / pivot;
            for (int32_t j = rank; factor != 0 && j < n; j++)
                a[i * n + j] -= factor * a[rank * n + j];
        }
    }
    free(a);
    return rank;
}

/* Is c[m] in the range of C? */
static bool reference_determined(int32_t m, int32_t n, const double *C, const double *c) {
    double *both = get((size_t)m * (size_t)(n + 1), sizeof *both);
    for (int32_t i = 0; i < m; i++) {
        memcpy(both + i * (n + 1), C + i * n, (size_t)n * sizeof *both);
        both[i * (n + 1) + n] = c[i];
    }
    bool same = reference_rank(m, n + 1, both) == reference_rank(m, n, C);
    free(both);
    return same;
}

/* Orthonormal columns Q[m][*] of the range of C by modified Gram-Schmidt, twice; returns how many. */
static int32_t gram_schmidt(int32_t m, int32_t n, const double *C, long double *Q) {
    int32_t rank = 0;
    long double *v = get((size_t)m, sizeof *v);
    for (int32_t j = 0; j < n; j++) {
        long double before = 0, after = 0;
        for (int32_t i = 0; i < m; i++) {
            v[i] = C[i * n + j];
            before += v[i] * v[i];
        }
        for (int pass = 0; pass < 2; pass++)
            for (int32_t q = 0; q < rank; q++) {
                long double dot = 0;
                for (int32_t i = 0; i < m; i++)
                    dot += Q[i * n + q] * v[i];
                for (int32_t i = 0; i < m; i++)
                    v[i] -= dot * Q[i * n + q];
            }
        for (int32_t i = 0; i < m; i++)
            after += v[i] * v[i];
        if (after <= 1e-20L * before)
            continue;
        for (int32_t i = 0; i < m; i++)
            Q[i * n + rank] = v[i] / sqrtl(after);
        rank++;
    }
    free(v);
    return rank;
}

/* --- matrices --------------------------------------------------------------------------------------------------------- */

/* C[m][n] = A B of integers up to 2, sparse, A lower and B upper trapezoidal with full diagonals, rows and columns shuffled: rank r exactly. */
static double *of_rank(int32_t m, int32_t n, int32_t r, uint64_t *seed) {
    double *C = get((size_t)m * (size_t)n, sizeof *C), *b = get((size_t)n, sizeof *b);
    int32_t *row = get((size_t)m, sizeof *row), *column = get((size_t)n, sizeof *column);
    for (int32_t i = 0; i < m; i++)
        row[i] = i;
    for (int32_t j = 0; j < n; j++)
        column[j] = j;
    shuffle(m, row, seed);
    shuffle(n, column, seed);
    for (int32_t k = 0; k < r; k++) {
        for (int32_t j = 0; j < n; j++)
            b[j] = j < k ? 0 : j == k ? 2 : pick(seed, 0, 3) == 0 ? pick(seed, -1, 1) : 0;
        for (int32_t i = 0; i < m; i++) {
            double a = i < k ? 0 : i == k ? 2 : pick(seed, 0, 3) == 0 ? pick(seed, -1, 1) : 0;
            for (int32_t j = 0; j < n; j++)
                C[row[i] * n + column[j]] += a * b[j];
        }
    }
    free(b);
    free(row);
    free(column);
    return C;
}

typedef struct Shape {
    int32_t m, n, r;
} Shape;
static const Shape shapes[] = {{1, 1, 1},   {3, 5, 2},    {5, 3, 3},    {6, 6, 6},    {7, 7, 4},    {12, 20, 9},
                               {20, 12, 7}, {18, 24, 18}, {24, 18, 18}, {40, 60, 33}, {70, 50, 41}, {30, 30, 0}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

/* A sparse matrix that grows by rows. */
typedef struct Sparse {
    int32_t rows, columns, entries, room;
    int32_t *start, *column, *node, *row_node;
    double *values, *unit, *norm;
} Sparse;

static Sparse sparse_create(int32_t rows, int32_t columns, int32_t room) {
    Sparse S = {0,
                columns,
                0,
                room,
                get((size_t)rows + 1, sizeof(int32_t)),
                get((size_t)room, sizeof(int32_t)),
                get((size_t)columns, sizeof(int32_t)),
                get((size_t)rows, sizeof(int32_t)),
                get((size_t)room, sizeof(double)),
                get((size_t)columns, sizeof(double)),
                get((size_t)rows, sizeof(double))};
    for (int32_t j = 0; j < columns; j++)
        S.unit[j] = 1, S.node[j] = j;
    return S;
}

static void sparse_drop(Sparse *S) {
    free(S->start);
    free(S->column);
    free(S->node);
    free(S->row_node);
    free(S->values);
    free(S->unit);
    free(S->norm);
}

static void add_entry(Sparse *S, int32_t column, double value) {
    if (value == 0)
        return;
    assert_true(S->entries < S->room);
    S->column[S->entries] = column;
    S->values[S->entries++] = value;
}

/* The row is complete: scale it to unit length. */
static void end_row(Sparse *S, int32_t node) {
    double sum = 0;
    for (int32_t e = S->start[S->rows]; e < S->entries; e++)
        sum += S->values[e] * S->values[e];
    double norm = sum > 0 ? sqrt(sum) : 1;
    for (int32_t e = S->start[S->rows]; e < S->entries; e++)
        S->values[e] /= norm;
    S->norm[S->rows] = norm;
    S->row_node[S->rows] = node;
    S->start[++S->rows] = S->entries;
}

/* Nodes of 1, 2 or 3 in turns that `seed` decides. */
static void draw_nodes(int32_t count, int32_t *node, uint64_t *seed) {
    for (int32_t j = 0, now = 0; j < count; now++)
        for (int32_t size = pick(seed, 1, 3); size > 0 && j < count; size--)
            node[j++] = now;
}

static Sparse sparse_of(int32_t m, int32_t n, const double *C, uint64_t *seed) {
    Sparse S = sparse_create(m, n, m * n);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < n; j++)
            add_entry(&S, j, C[i * n + j]);
        end_row(&S, i);
    }
    draw_nodes(n, S.node, seed);
    draw_nodes(m, S.row_node, seed);
    return S;
}

static RbvSparse view(const Sparse *S, const bool *last) {
    return (RbvSparse){S->rows, S->columns, S->start, S->column, S->values, S->node, S->row_node, S->unit, S->norm, last};
}

/* The scaled matrix as a dense one. */
static double *dense_of(const Sparse *S) {
    double *C = get((size_t)S->rows * (size_t)S->columns, sizeof *C);
    for (int32_t i = 0; i < S->rows; i++)
        for (int32_t e = S->start[i]; e < S->start[i + 1]; e++)
            C[i * S->columns + S->column[e]] += S->values[e];
    return C;
}

/* --- Gram matrix ------------------------------------------------------------------------------------------------------ */

static RbvGram *gram_of(const Sparse *S, double shift) {
    RbvGram *gram = rbv_gram_create(S->rows, S->columns, S->start, S->column, S->node);
    assert_non_null(gram);
    assert_true(rbv_gram_factor(gram, S->values, shift));
    return gram;
}

/* How many singular values the certificate finds below 1e-6 in the columns kept. Infinite ones come first and say that fewer than
 * RBV_GRAM_RIGHT were found; the others ascend. */
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

/* Rounding of a vanished pivot grows with the condition of the columns kept, which no pivoting bounds: some 4 in 1000 matrices filled in keep
 * one of 1e-12 to 1e-11. The certificate must see them. */
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
            assert_near(x[j], (double)expected[j], 100 * EPS * m * size / shift / fmin(shift, 1)); /* condition |C|^2 / shift, of |x| = |b| / shift */
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
    rbv_gram_destroy(gram);
    sparse_drop(&S);
}

/* Chains C x: x[k] - 2 x[k+1], whose null vector halves from column to column, and Kahan's triangle, sine and cosine 0.98 and 0.2: no pivot is
 * small in the order of the columns, the smallest singular value is. Whatever the order, either a pivot tells or the certificate does. */
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
                double error;
                int32_t found = hidden_in(gram, &error);
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

/* --- determined ------------------------------------------------------------------------------------------------------- */

/* A decision of a matrix against elimination: rank, null space, order, single rows, random combinations, combinations of columns. */
static void assert_decides(const Sparse *S, const double *C, int32_t r, RbvCriterionKind kind, RbvDetermined *d, uint64_t *seed) {
    int32_t m = S->rows, n = S->columns;
    RbvSparse matrix = view(S, NULL);
    int32_t *order = get((size_t)m, sizeof *order), *row = get((size_t)m, sizeof *row), *seen = get((size_t)m, sizeof *seen);
    double *c = get((size_t)m, sizeof *c), *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
    assert_int_equal(rbv_determined_decide(d, &matrix, kind, order), RBV_OK);
    assert_int_equal(d->kind, kind);
    assert_int_equal(d->rows, m);
    assert_int_equal(d->columns, n);
    assert_int_equal(d->rank.rank, r);
    assert_true(d->rank.safe);
    for (int32_t k = 0; k < m; k++) {
        assert_in_range(order[k], 0, m - 1);
        assert_int_equal(seen[order[k]]++, 0);
        memcpy(chosen + k * n, C + order[k] * n, (size_t)n * sizeof *C);
        row[k] = k;
    }
    assert_int_equal(reference_rank(r, n, chosen), r);
    for (int32_t k = 0; k < m; k++) {
        const double one = 3.5;
        memset(c, 0, (size_t)m * sizeof *c);
        c[k] = 1;
        assert_int_equal(rbv_determined_judge(d, 1, &k, &one), reference_determined(m, n, C, c) ? RBV_DETERMINED : RBV_OPEN);
    }
    for (int trial = 0; trial < 4; trial++) { /* a column of C, then with one row wrong, or any numbers */
        double x[64];
        for (int32_t j = 0; j < n; j++)
            x[j] = machine_random(seed);
        for (int32_t k = 0; k < m; k++) {
            c[k] = trial == 3 ? machine_random(seed) : 0;
            for (int32_t j = 0; j < n && trial < 3; j++)
                c[k] += C[k * n + j] * x[j];
        }
        if (trial == 2)
            c[pick(seed, 0, m - 1)] += 1;
        assert_int_equal(rbv_determined_judge(d, m, row, c), reference_determined(m, n, C, c) ? RBV_DETERMINED : RBV_OPEN);
    }
    const double nothing[] = {0, 0};
    const int32_t two[] = {0, m - 1};
    assert_int_equal(rbv_determined_judge(d, 0, NULL, NULL), RBV_DETERMINED);
    assert_int_equal(rbv_determined_judge(d, m > 1 ? 2 : 1, two, nothing), RBV_DETERMINED);
    free(order);
    free(row);
    free(seen);
    free(c);
    free(chosen);
}

/* The last columns of null[m][columns] are an orthonormal basis of {y: C^T y = 0}. */
static void assert_null_space(int32_t m, int32_t n, const double *C, int32_t r, const double *null, int32_t columns) {
    assert_true(columns >= m - r);
    for (int32_t a = columns - (m - r); a < columns; a++) {
        for (int32_t b = 0; b < columns; b++) {
            double dot = 0;
            for (int32_t i = 0; i < m; i++)
                dot += null[i * columns + a] * null[i * columns + b];
            assert_near(dot, a == b, 1e-12);
        }
        for (int32_t j = 0; j < n; j++) {
            double dot = 0;
            for (int32_t i = 0; i < m; i++)
                dot += null[i * columns + a] * C[i * n + j];
            assert_near(dot, 0, 1e-12);
        }
    }
}

static void all_criteria_agree_with_elimination(void **unused) {
    (void)unused;
    uint64_t seed = 51;
    RbvDetermined d = {0};
    for (size_t s = 0; s < 3 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r;
        double *C = of_rank(m, n, r, &seed);
        Sparse S = sparse_of(m, n, C, &seed);
        double *scaled = dense_of(&S);
        for (int k = 0; k < 4; k++) {
            assert_decides(&S, scaled, r, kinds[k], &d, &seed);
            if (d.null_columns > 0 || r < m)
                assert_null_space(m, n, scaled, r, d.null, d.null_columns);
        }
        sparse_drop(&S);
        free(C);
        free(scaled);
    }
    rbv_determined_clear(&d);
    rbv_determined_clear(&d); /* twice is harmless */
}

/* Rows of rank r and rows marked `last`: as many of those are chosen as the others leave. */
static void rows_marked_last_are_taken_last(void **unused) {
    (void)unused;
    uint64_t seed = 52;
    RbvDetermined d = {0};
    for (size_t s = 1; s < 6 * SHAPES; s++) {
        int32_t m = shapes[s % SHAPES].m, n = shapes[s % SHAPES].n, r = shapes[s % SHAPES].r, order[80], taken = 0, count = 0;
        double *C = of_rank(m, n, r, &seed);
        Sparse S = sparse_of(m, n, C, &seed);
        double *scaled = dense_of(&S), *first = get((size_t)m * (size_t)n, sizeof *first);
        bool last[80];
        for (int32_t k = 0; k < m; k++) {
            last[k] = pick(&seed, 0, 2) == 0;
            if (!last[k])
                memcpy(first + count++ * n, scaled + k * n, (size_t)n * sizeof *first);
        }
        RbvSparse matrix = view(&S, last);
        for (int k = 0; k < 4; k++) {
            assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], order), RBV_OK);
            taken = 0;
            double *chosen = get((size_t)m * (size_t)n, sizeof *chosen);
            for (int32_t i = 0; i < r; i++) {
                taken += last[order[i]];
                memcpy(chosen + i * n, scaled + order[i] * n, (size_t)n * sizeof *chosen);
            }
            assert_int_equal(taken, r - reference_rank(count, n, first));
            assert_int_equal(reference_rank(r, n, chosen), r);
            free(chosen);
        }
        sparse_drop(&S);
        free(C);
        free(scaled);
        free(first);
    }
    rbv_determined_clear(&d);
}

/* --- large matrices of small pieces ----------------------------------------------------------------------------------- */

typedef struct Piece {
    int32_t m, n, r, row, column;
    double C[36];
    bool determined[6]; /* of single rows */
} Piece;

static Piece draw_piece(uint64_t *seed) {
    Piece piece = {pick(seed, 1, 6), pick(seed, 1, 6), 0, 0, 0, {0}, {0}};
    int32_t most = piece.m < piece.n ? piece.m : piece.n;
    double *C = of_rank(piece.m, piece.n, pick(seed, 0, 3) ? most : pick(seed, 0, most), seed);
    memcpy(piece.C, C, (size_t)(piece.m * piece.n) * sizeof *C);
    piece.r = reference_rank(piece.m, piece.n, C);
    for (int32_t k = 0; k < piece.m; k++) {
        double c[6] = {0};
        c[k] = 1;
        piece.determined[k] = reference_determined(piece.m, piece.n, C, c);
    }
    free(C);
    return piece;
}

/* Pieces on the diagonal. Columns of an even piece are added to those of the next, which leaves the range as it is; or, where `mixed`, the first row
 * of an even piece to the first row of the next. */
static Sparse assemble(int32_t count, Piece *pieces, bool mixed) {
    int32_t rows = 0, columns = 0;
    for (int32_t p = 0; p < count; p++) {
        pieces[p].row = rows, pieces[p].column = columns;
        rows += pieces[p].m, columns += pieces[p].n;
    }
    Sparse S = sparse_create(rows, columns, 40 * rows);
    for (int32_t p = 0, column_node = 0, row_node = 0; p < count; p++) {
        const Piece *a = &pieces[p], *before = &pieces[p ? p - 1 : 0];
        for (int32_t j = 0; j < a->n; j++)
            S.node[a->column + j] = column_node += j % 3 == 0 && a->column + j > 0;
        for (int32_t i = 0; i < a->m; i++) {
            for (int32_t j = 0; mixed && p % 2 && i == 0 && j < before->n; j++)
                add_entry(&S, before->column + j, before->C[j]);
            for (int32_t j = 0; j < a->n; j++)
                add_entry(&S, a->column + j, a->C[i * a->n + j]);
            /* column j of an even piece counts for a column of the next as well */
            for (int32_t j = 0; !mixed && p % 2 == 0 && p + 1 < count && j < a->n && j < pieces[p + 1].n; j++)
                add_entry(&S, pieces[p + 1].column + j, a->C[i * a->n + j]);
            end_row(&S, row_node += i % 3 == 0 && a->row + i > 0);
        }
    }
    return S;
}

static void large_matrices_of_pieces_are_decided_as_the_pieces_are(void **unused) {
    (void)unused;
    uint64_t seed = 53;
    RbvDetermined d = {0};
    for (int trial = 0; trial < 8; trial++) {
        int32_t count = trial < 2 ? 130 : 260 + 120 * trial, rank = 0;
        bool mixed = trial % 2;
        Piece *pieces = get((size_t)count, sizeof *pieces);
        for (int32_t p = 0; p < count; p++) {
            pieces[p] = draw_piece(&seed);
            rank += pieces[p].r;
        }
        Sparse S = assemble(count, pieces, mixed);
        assert_true(S.rows > RBV_DENSE_ROWS);
        RbvSparse matrix = view(&S, NULL);
        int32_t *order = get((size_t)S.rows, sizeof *order);
        bool *chosen = get((size_t)S.rows, sizeof *chosen);
        bool ordered = trial % 4 < 2;
        assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, ordered ? order : NULL), RBV_OK);
        assert_int_equal(d.rank.rank, rank);
        assert_true(d.rank.safe);
        assert_true(!ordered || d.null || rank == S.rows);
        for (int32_t k = 0; ordered && k < S.rows; k++) {
            assert_in_range(order[k], 0, S.rows - 1);
            assert_false(chosen[order[k]]);
            chosen[order[k]] = k < rank;
        }
        for (int32_t p = 0; p < count; p++) {
            const Piece *a = &pieces[p], *next = &pieces[p + 1 < count ? p + 1 : p];
            double rows[36];
            int32_t got = 0;
            for (int32_t i = 0; i < a->m; i++) {
                /* row i of an even piece stands, mixed, in the first row of the next too: the combination that was e_i has an entry there */
                int32_t at[2] = {a->row + i, next->row}, extra = mixed && p % 2 == 0 && i == 0 && p + 1 < count;
                double c[2] = {1 / S.norm[at[0]], extra ? 1 / S.norm[at[1]] : 0};
                assert_int_equal(rbv_determined_judge(&d, 1 + extra, at, c), a->determined[i] ? RBV_DETERMINED : RBV_OPEN);
                if (chosen[a->row + i])
                    memcpy(rows + got++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *rows);
            }
            if (ordered && !mixed) {
                assert_int_equal(got, a->r);
                assert_int_equal(reference_rank(got, a->n, rows), got);
            }
        }
        const int32_t ends[] = {0, S.rows - 1};
        const double nothing[] = {0, 0};
        assert_int_equal(rbv_determined_judge(&d, 2, ends, nothing), RBV_DETERMINED);
        assert_int_equal(rbv_determined_judge(&d, 0, NULL, NULL), RBV_DETERMINED);
        /* a random combination of all columns, then one with an open row more */
        double *c = get((size_t)S.rows, sizeof *c), *x = get((size_t)S.columns, sizeof *x);
        int32_t *all = get((size_t)S.rows, sizeof *all), open = -1;
        for (int32_t j = 0; j < S.columns; j++)
            x[j] = machine_random(&seed);
        for (int32_t k = 0; k < S.rows; k++) {
            all[k] = k;
            for (int32_t e = S.start[k]; e < S.start[k + 1]; e++)
                c[k] += S.values[e] * x[S.column[e]];
        }
        assert_int_equal(rbv_determined_judge(&d, S.rows, all, c), RBV_DETERMINED);
        for (int32_t p = 1; open < 0 && p < count; p += 2)
            for (int32_t i = 0; i < pieces[p].m; i++)
                open = pieces[p].determined[i] ? open : pieces[p].row + i;
        assert_true(open >= 0);
        c[open] += 1;
        assert_int_equal(rbv_determined_judge(&d, S.rows, all, c), RBV_OPEN);
        free(c);
        free(x);
        free(all);
        free(order);
        free(chosen);
        free(pieces);
        sparse_drop(&S);
    }
    rbv_determined_clear(&d);
}

static void rows_marked_last_are_taken_last_in_large_matrices(void **unused) {
    (void)unused;
    uint64_t seed = 54;
    RbvDetermined d = {0};
    int32_t count = 300, rank = 0;
    Piece *pieces = get((size_t)count, sizeof *pieces);
    for (int32_t p = 0; p < count; p++) {
        pieces[p] = draw_piece(&seed);
        rank += pieces[p].r;
    }
    Sparse S = assemble(count, pieces, false);
    int32_t *order = get((size_t)S.rows, sizeof *order);
    bool *last = get((size_t)S.rows, sizeof *last), *chosen = get((size_t)S.rows, sizeof *chosen);
    for (int32_t k = 0; k < S.rows; k++)
        last[k] = pick(&seed, 0, 1);
    RbvSparse matrix = view(&S, last);
    assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, order), RBV_OK);
    assert_int_equal(d.rank.rank, rank);
    for (int32_t k = 0; k < rank; k++)
        chosen[order[k]] = true;
    for (int32_t p = 0; p < count; p++) {
        const Piece *a = &pieces[p];
        double rows[36], early[36];
        int32_t got = 0, before = 0, taken = 0;
        for (int32_t i = 0; i < a->m; i++) {
            if (chosen[a->row + i])
                memcpy(rows + got++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *rows);
            if (!last[a->row + i])
                memcpy(early + before++ * a->n, a->C + i * a->n, (size_t)a->n * sizeof *early);
            taken += last[a->row + i] && chosen[a->row + i];
        }
        assert_int_equal(got, a->r);
        assert_int_equal(reference_rank(got, a->n, rows), got);
        assert_int_equal(taken, a->r - reference_rank(before, a->n, early));
    }
    free(order);
    free(last);
    free(chosen);
    free(pieces);
    sparse_drop(&S);
    rbv_determined_clear(&d);
}

/* Products of sparse and of well-filled factors against singular values. Filled in, a Gram matrix without pivoting may doubt, but not be wrong. */
static void large_matrices_are_decided_as_by_singular_values(void **unused) {
    (void)unused;
    uint64_t seed = 55;
    RbvDetermined large = {0}, dense = {0};
    for (int trial = 0; trial < 10; trial++) {
        int32_t m = pick(&seed, RBV_DENSE_ROWS + 1, 460), n = pick(&seed, 200, 500), r = pick(&seed, 100, m < n ? m : n);
        bool filled = trial % 2;
        double *C = filled ? of_rank(m, n, r, &seed) : get((size_t)m * (size_t)n, sizeof *C);
        for (int32_t i = 0; !filled && i < m; i++)
            for (int32_t twice = 0; twice < 2; twice++) {
                int32_t k = i < r && twice == 0 ? i : pick(&seed, 0, r - 1); /* row k of B: columns k, k + r ... and another */
                double a = pick(&seed, 0, 1) ? 1 : -2;
                for (int32_t j = k; j < n; j += r)
                    C[i * n + j] += a;
                C[i * n + (k * 7 + 3) % n] += a;
            }
        Sparse S = sparse_of(m, n, C, &seed);
        RbvSparse matrix = view(&S, NULL);
        assert_int_equal(rbv_determined_decide(&large, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
        assert_int_equal(rbv_determined_decide(&dense, &matrix, RBV_DECIDE_SVD, NULL), RBV_OK);
        assert_true(dense.rank.safe && (large.rank.safe || filled));
        assert_true(!large.rank.safe || large.rank.rank == dense.rank.rank);
        for (int32_t k = 0; k < m; k++) {
            const double one = 1;
            RbvDecision got = rbv_determined_judge(&large, 1, &k, &one);
            assert_true(got == rbv_determined_judge(&dense, 1, &k, &one) || (got == RBV_DOUBTFUL && !large.rank.safe));
        }
        sparse_drop(&S);
        free(C);
    }
    rbv_determined_clear(&large);
    rbv_determined_clear(&dense);
}

/* Bars in a line between n points, one end held: all determined. Both ends held: one self-stress, the same force in all bars. */
static void chain_of_bars_is_open_when_both_ends_are_held(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    const int32_t sizes[] = {5, 100, 400, 401, 1000, 3000};
    for (int s = 0; s < 6; s++)
        for (int held = 1; held <= 2; held++) {
            int32_t n = sizes[s], m = n + held - 1;
            Sparse S = sparse_create(m, n, 2 * m);
            for (int32_t k = 0; k < m; k++) {
                if (k > 0)
                    add_entry(&S, k - 1, -1);
                if (k < n)
                    add_entry(&S, k, 1);
                end_row(&S, k);
            }
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_int_equal(d.rank.rank, n);
            for (int32_t k = 0; k < m; k++) {
                const double one = 1;
                assert_int_equal(rbv_determined_judge(&d, 1, &k, &one), held == 2 ? RBV_OPEN : RBV_DETERMINED);
                /* equilibrium of a point: the difference of two neighbours' forces, rows unscaled */
                int32_t two[] = {k, k + 1};
                const double c[] = {1 / S.norm[k], -1 / S.norm[k + 1 < m ? k + 1 : k]};
                if (k + 1 < m)
                    assert_int_equal(rbv_determined_judge(&d, 2, two, c), RBV_DETERMINED);
            }
            sparse_drop(&S);
        }
    rbv_determined_clear(&d);
}

/* A girder of square panels, held at its left end: two chords, a post and a diagonal to a panel, every third with both. Where both are, the bars
 * round and in the panel share a self-stress; all others are determined. */
static Sparse girder(int32_t panels, bool *open) {
    Sparse S = sparse_create(5 * panels, 4 * panels, 20 * panels);
    const double u = 0.5 * sqrt(2);
    for (int32_t p = 0; p < panels; p++) {
        /* columns 4p ...: x and y of the lower, then of the upper point right of panel p */
        int32_t right = 4 * p, left = 4 * (p - 1), bar = S.rows;
        bool both = p % 3 == 1;
        for (int32_t k = 0; k < 5; k++) {
            if (k == 4 && !both)
                continue;
            if (k < 2) { /* lower, upper chord */
                add_entry(&S, right + 2 * k, 1);
                if (p > 0)
                    add_entry(&S, left + 2 * k, -1);
            } else if (k == 2) { /* post */
                add_entry(&S, right + 1, -1);
                add_entry(&S, right + 3, 1);
            } else { /* falling or rising: from the upper or lower left to the lower or upper right */
                int32_t to = right + (k == 3 ? 0 : 2), from = left + (k == 3 ? 2 : 0);
                double y = k == 3 ? -u : u;
                if (p > 0) {
                    add_entry(&S, from, -u);
                    add_entry(&S, from + 1, -y);
                }
                add_entry(&S, to, u);
                add_entry(&S, to + 1, y);
            }
            open[S.rows] = both;
            end_row(&S, S.rows);
        }
        if (both)
            open[bar - 2] = true; /* the post at its left, third bar of panel p - 1 with one diagonal */
    }
    for (int32_t j = 0; j < 4 * panels; j++)
        S.node[j] = j / 2;
    return S;
}

static void girder_is_open_where_panels_have_two_diagonals(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    const int32_t sizes[] = {9, 30, 90, 120, 180, 300};
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < (s < 4 ? 4 : 1); k++) {
            bool *open = get(5 * (size_t)sizes[s], sizeof *open);
            Sparse S = girder(sizes[s], open);
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], NULL), RBV_OK);
            assert_int_equal(d.rank.rank, S.columns);
            for (int32_t row = 0; row < (k == 1 && s > 1 ? 20 : S.rows); row++) { /* ranks: an SVD for each row */
                const double one = 1;
                assert_int_equal(rbv_determined_judge(&d, 1, &row, &one), open[row] ? RBV_OPEN : RBV_DETERMINED);
            }
            sparse_drop(&S);
            free(open);
        }
    rbv_determined_clear(&d);
}

/* The chain that halves from row to row (see above), four ways: its null vector has tiny parts in most rows. */
static void large_chain_with_a_hidden_null_vector_is_not_called_full_rank(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    for (int reversed = 0; reversed < 2; reversed++)
        for (int transposed = 0; transposed < 2; transposed++) {
            int32_t n = 600;
            Sparse S = sparse_create(n, n, 2 * n);
            for (int32_t i = 0; i < n; i++) {
                int32_t other = transposed ? i - 1 : i + 1;
                add_entry(&S, reversed ? n - 1 - i : i, 1);
                if (other >= 0 && other < n)
                    add_entry(&S, reversed ? n - 1 - other : other, -2);
                end_row(&S, i);
            }
            RbvSparse matrix = view(&S, NULL);
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_true(d.rank.rank == n - 1 || (d.rank.rank == n && !d.rank.safe));
            /* the self-stress y halves or doubles from row to row: its largest parts are at one end */
            int32_t row = transposed ? 0 : n - 1;
            const double one = 1;
            assert_int_not_equal(rbv_determined_judge(&d, 1, &row, &one), RBV_DETERMINED);
            sparse_drop(&S);
        }
    rbv_determined_clear(&d);
}

/* Sizes: a criterion by name above RBV_DENSE_MOST rows, a null space above RBV_NULL_MOST numbers. */
static void too_large_matrices_say_so(void **unused) {
    (void)unused;
    RbvDetermined d = {0};
    int32_t m = RBV_DENSE_MOST + 4; /* four rows alike to each column: 4503 redundant */
    Sparse S = sparse_create(m, m / 4, m);
    for (int32_t i = 0; i < m; i++) {
        add_entry(&S, i / 4, 1);
        end_row(&S, i);
    }
    RbvSparse matrix = view(&S, NULL);
    for (int k = 1; k < 4; k++)
        assert_int_equal(rbv_determined_decide(&d, &matrix, kinds[k], NULL), RBV_BAD_INPUT);
    int32_t *order = get((size_t)m, sizeof *order);
    assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, order), RBV_OK);
    assert_int_equal(d.rank.rank, m / 4);
    for (int32_t i = 0; i < m / 4; i++)
        for (int32_t j = 0; j < i; j += 1 + i / 4)
            assert_int_not_equal(order[i] / 4, order[j] / 4);
    assert_ptr_equal(d.null, NULL); /* it would be 6004 times 4503 */
    const int32_t row[] = {m - 4, m - 3, m - 2, m - 1};
    const double sum[] = {1, 1, 1, 1};
    for (int32_t count = 1; count <= 4; count++)
        assert_int_equal(rbv_determined_judge(&d, count, row, sum), count == 4 ? RBV_DETERMINED : RBV_OPEN);
    free(order);
    sparse_drop(&S);
    rbv_determined_clear(&d);
}

/* --- doubt and exact arithmetic --------------------------------------------------------------------------------------- */

/* C by rows, scaled to unit rows; `L` scales column 0 before. */
static Sparse scaled_of(int32_t m, int32_t n, const double *C, double L) {
    Sparse S = sparse_create(m, n, m * n);
    for (int32_t i = 0; i < m; i++) {
        for (int32_t j = 0; j < n; j++)
            add_entry(&S, j, C[i * n + j] / (j == 0 ? L : 1));
        end_row(&S, i);
        S.row_node[i] = i;
    }
    S.unit[0] = L;
    return S;
}

static void assert_verdicts(const Sparse *S, RbvCriterionKind kind, int32_t rank, bool safe, bool exact, const RbvDecision *expected) {
    RbvDetermined d = {0};
    RbvSparse matrix = view(S, NULL);
    assert_int_equal(rbv_determined_decide(&d, &matrix, kind, NULL), RBV_OK);
    assert_int_equal(d.exact, exact);
    assert_int_equal(d.rank.rank, rank);
    assert_int_equal(d.rank.safe, safe);
    const double one = 1;
    for (int32_t k = 0; k < S->rows; k++)
        assert_int_equal(rbv_determined_judge(&d, 1, &k, &one), expected[k]);
    rbv_determined_clear(&d);
}

/* Rows 0 and 1 nearly equal, row 2 alone, rows 3 and 4 equal: in doubt, determined, open. 1 + 1e-8 is no small fraction. */
static void doubtful_combinations_are_called_doubtful(void **unused) {
    (void)unused;
    const double C[] = {1, 1, 0, 0, 1, 1 + 1e-8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
    const RbvDecision expected[] = {RBV_DOUBTFUL, RBV_DOUBTFUL, RBV_DETERMINED, RBV_OPEN, RBV_OPEN};
    Sparse S = scaled_of(5, 4, C, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 4, false, false, expected);
    assert_verdicts(&S, RBV_DECIDE_SVD, 4, false, false, expected);
    assert_verdicts(&S, RBV_DECIDE_QR, 4, false, false, expected);
    sparse_drop(&S);
}

/* 1/(i+j+1): regular, smallest singular value 2e-9 of the largest at seven rows. */
static void exact_arithmetic_settles_doubt_for_small_fractions(void **unused) {
    (void)unused;
    double C[49];
    const RbvDecision expected[] = {RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED, RBV_DETERMINED};
    for (int32_t e = 0; e < 49; e++)
        C[e] = 1.0 / (e / 7 + e % 7 + 1);
    const double lengths[] = {1, 0.37, 3.14159265358979};
    for (int k = 0; k < 3; k++) {
        Sparse S = scaled_of(7, 7, C, lengths[k]);
        assert_verdicts(&S, RBV_DECIDE_DEFAULT, 7, true, true, expected);
        RbvDetermined d = {0};
        RbvSparse matrix = view(&S, NULL);
        assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_SVD, NULL), RBV_OK);
        assert_false(d.exact || d.rank.safe); /* by name there is no exact arithmetic */
        if (k > 0) {                          /* without what makes them the user's numbers again they are no fractions */
            S.unit[0] = 1.000001;
            assert_int_equal(rbv_determined_decide(&d, &matrix, RBV_DECIDE_DEFAULT, NULL), RBV_OK);
            assert_false(d.exact || d.rank.safe);
        }
        rbv_determined_clear(&d);
        sparse_drop(&S);
    }
}

/* Entries of 0.01 with noise: in rows of unit length 1e-9, in the band. Within RBV_EXACT_NEAR of 1/100 the rows are equal; beyond nobody knows. */
static void noise_counts_against_what_the_user_wrote(void **unused) {
    (void)unused;
    const RbvDecision equal[] = {RBV_OPEN, RBV_OPEN}, doubt[] = {RBV_DOUBTFUL, RBV_DOUBTFUL};
    const double near[] = {0.01, 0.01, 0.01, 0.01 + 0.9 * RBV_EXACT_NEAR}, far[] = {0.01, 0.01, 0.01, 0.01 + 2 * RBV_EXACT_NEAR};
    Sparse S = scaled_of(2, 2, near, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 1, true, true, equal);
    sparse_drop(&S);
    S = scaled_of(2, 2, far, 1);
    assert_verdicts(&S, RBV_DECIDE_DEFAULT, 2, false, false, doubt);
    sparse_drop(&S);
}

/* --- exact ------------------------------------------------------------------------------------------------------------ */

static void exact_rank_of_integers_and_fractions(void **unused) {
    (void)unused;
    uint64_t seed = 61;
    for (int trial = 0; trial < 150; trial++) {
        int32_t m = pick(&seed, 1, 60), n = pick(&seed, 1, 40), r = pick(&seed, 0, m < n ? m : n);
        double *C = of_rank(m, n, r, &seed), unit[40], ones[40];
        for (int32_t j = 0; j < n; j++)
            unit[j] = ones[j] = 1;
        if (trial % 3 > 0) /* a/(d e) with d up to 31 of the row and e up to 31 of the column; then in units of any length */
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
    const double edge[] = {1.0 / 1000, 1.0 / 999, -7.0 / 1000, -7.0 / 999}, near[] = {1.0 / 1000, 1.0 / 999, -7.0 / 1000, -7.0 / 998};
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
    const double taken[] = {0, -1, 0.999, 1e6, 12345.678, 0.5 + 0.9e-11, -1.0 / 3 - 0.9e-11, 355.0 / 113, 1e-12, 123456789.125};
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

/* --- rank ------------------------------------------------------------------------------------------------------------- */

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
        cmocka_unit_test(gram_and_its_certificate_count_independent_columns),
        cmocka_unit_test(gram_projects_onto_the_null_space_of_the_transpose),
        cmocka_unit_test(gram_solves_normal_equations_of_any_rank),
        cmocka_unit_test(gram_with_a_shift_is_a_ridge),
        cmocka_unit_test(gram_certifies_small_singular_values),
        cmocka_unit_test(gram_certificate_finds_what_pivots_hide),
        cmocka_unit_test(gram_drops_two_columns_of_second_differences),
        cmocka_unit_test(gram_refuses_entries_that_are_not_finite_and_recovers),
        cmocka_unit_test(all_criteria_agree_with_elimination),
        cmocka_unit_test(rows_marked_last_are_taken_last),
        cmocka_unit_test(large_matrices_of_pieces_are_decided_as_the_pieces_are),
        cmocka_unit_test(rows_marked_last_are_taken_last_in_large_matrices),
        cmocka_unit_test(large_matrices_are_decided_as_by_singular_values),
        cmocka_unit_test(chain_of_bars_is_open_when_both_ends_are_held),
        cmocka_unit_test(girder_is_open_where_panels_have_two_diagonals),
        cmocka_unit_test(large_chain_with_a_hidden_null_vector_is_not_called_full_rank),
        cmocka_unit_test(too_large_matrices_say_so),
        cmocka_unit_test(doubtful_combinations_are_called_doubtful),
        cmocka_unit_test(exact_arithmetic_settles_doubt_for_small_fractions),
        cmocka_unit_test(noise_counts_against_what_the_user_wrote),
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
