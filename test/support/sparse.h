/* Matrices of known rank, sparse and dense, and plain references (elimination, Gram and Schmidt) for the tests of
 * src/core/solve. */
#ifndef TEST_SUPPORT_SPARSE_H
#define TEST_SUPPORT_SPARSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/determined.h"
#include "core/solve/gram.h"
#include "core/solve/rank.h"
#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS 2.3e-16

static inline void *get(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* An integer in from ... to. */
static inline int32_t pick(uint64_t *seed, int32_t from, int32_t to) {
    int32_t k = from + (int32_t)floor((machine_random(seed) * 0.5 + 0.5) * (to - from + 1));
    return k > to ? to : k;
}

static inline void shuffle(int32_t n, int32_t *list, uint64_t *seed) {
    for (int32_t i = n - 1; i > 0; i--) {
        int32_t j = pick(seed, 0, i), keep = list[i];
        list[i] = list[j], list[j] = keep;
    }
}

/* --- references
 * ------------------------------------------------------------------------------------------------------- */

/* Rank by Gauss with full pivoting in long double; pivots below 1e-10 of the first are rounding: matrices here hold
 * small integers over row norms. */
static inline int32_t reference_rank(int32_t m, int32_t n, const double *C) {
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
static inline bool reference_determined(int32_t m, int32_t n, const double *C, const double *c) {
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
static inline int32_t gram_schmidt(int32_t m, int32_t n, const double *C, long double *Q) {
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

/* --- matrices
 * --------------------------------------------------------------------------------------------------------- */

/* C[m][n] = A B of integers up to 2, sparse, A lower and B upper trapezoidal with full diagonals, rows and columns
 * shuffled: rank r exactly. */
static inline double *of_rank(int32_t m, int32_t n, int32_t r, uint64_t *seed) {
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

static inline Sparse sparse_create(int32_t rows, int32_t columns, int32_t room) {
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

static inline void sparse_drop(Sparse *S) {
    free(S->start);
    free(S->column);
    free(S->node);
    free(S->row_node);
    free(S->values);
    free(S->unit);
    free(S->norm);
}

static inline void add_entry(Sparse *S, int32_t column, double value) {
    if (value == 0)
        return;
    assert_true(S->entries < S->room);
    S->column[S->entries] = column;
    S->values[S->entries++] = value;
}

/* The row is complete: scale it to unit length. */
static inline void end_row(Sparse *S, int32_t node) {
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
static inline void draw_nodes(int32_t count, int32_t *node, uint64_t *seed) {
    for (int32_t j = 0, now = 0; j < count; now++)
        for (int32_t size = pick(seed, 1, 3); size > 0 && j < count; size--)
            node[j++] = now;
}

static inline Sparse sparse_of(int32_t m, int32_t n, const double *C, uint64_t *seed) {
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

static inline RbvSparse view(const Sparse *S, const bool *last) {
    return (RbvSparse){S->rows, S->columns,  S->start, S->column, S->values,
                       S->node, S->row_node, S->unit,  S->norm,   last};
}

/* The scaled matrix as a dense one. */
static inline double *dense_of(const Sparse *S) {
    double *C = get((size_t)S->rows * (size_t)S->columns, sizeof *C);
    for (int32_t i = 0; i < S->rows; i++)
        for (int32_t e = S->start[i]; e < S->start[i + 1]; e++)
            C[i * S->columns + S->column[e]] += S->values[e];
    return C;
}

/* The last columns of null[m][columns] are an orthonormal basis of {y: C^T y = 0}. */
static inline void assert_null_space(int32_t m, int32_t n, const double *C, int32_t r, const double *null,
                                     int32_t columns) {
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

#endif
