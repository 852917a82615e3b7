/* Factors and solutions by the Schur complement; see schur.h. */
#include "solve/schur.h"

#include "solve/gram.h"
#include "solve/transpose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block of M that so many rows look at makes a dense part of S. */
#define MOST_ROWS 60

#define FULL (RBV_SCHUR_BLOCK * RBV_SCHUR_BLOCK)

struct RbvSchur {
    int32_t n, rows, blocks;
    const int32_t *C_start, *C_column;
    const double *C, *M;   /* as they were given */
    int32_t *begin;        /* [blocks + 1] first column of each */
    int32_t *block;        /* [n] of a column */
    double *L;             /* [blocks][FULL] lower triangle, row-major; its diagonal inverted */
    int32_t *start, *row;  /* C^T by its rows */
    int32_t *at;           /* [entries of C] where they are there */
    double *values;        /* L^-1 C^T */
    double *right;         /* [rows] */
    bool diagonal;         /* M is: then inverse[n] is M^-1 */
    double *inverse, *push; /* [n] */
    RbvGram *gram;
};

/* Blocks of M: neighbouring columns that each have all columns of the block. False: it is not so. */
static bool find_blocks(RbvSchur *s, const int32_t *start, const int32_t *column) {
    s->blocks = 0;
    for (int32_t j = 0; j < s->n;) {
        int32_t count = start[j + 1] - start[j];
        if (count < 1 || count > RBV_SCHUR_BLOCK || j + count > s->n)
            return false;
        for (int32_t i = j; i < j + count; i++) {
            if (start[i + 1] - start[i] != count)
                return false;
            for (int32_t k = 0; k < count; k++)
                if (column[start[i] + k] != j + k)
                    return false;
            s->block[i] = s->blocks;
        }
        s->begin[s->blocks++] = j;
        j += count;
    }
    s->begin[s->blocks] = s->n;
    return true;
}

/* Has each row of C all columns of a block or none, and no block too many rows? seen[blocks] zero. */
static bool rows_fit(const RbvSchur *s, int32_t *seen) {
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1];) {
            int32_t b = s->block[s->C_column[e]], count = s->begin[b + 1] - s->begin[b];
            if (e + count > s->C_start[k + 1] || ++seen[b] > MOST_ROWS)
                return false;
            for (int32_t i = 0; i < count; i++)
                if (s->C_column[e + i] != s->begin[b] + i)
                    return false;
            e += count;
        }
    return true;
}

static bool transpose(RbvSchur *s) {
    int32_t entries = s->C_start[s->rows];
    s->start = calloc((size_t)s->n + 2, sizeof *s->start);
    s->row = malloc(((size_t)entries + 1) * sizeof *s->row);
    s->at = malloc(((size_t)entries + 1) * sizeof *s->at);
    s->values = malloc(((size_t)entries + 1) * sizeof *s->values);
    s->right = malloc(((size_t)s->rows + 1) * sizeof *s->right);
    if (!s->start || !s->row || !s->at || !s->values || !s->right)
        return false;
    rbv_transpose(s->rows, s->n, s->C_start, s->C_column, s->start, s->row, s->at);
    return true;
}

RbvSchur *rbv_schur_create(int32_t n, int32_t rows, const int32_t *M_start, const int32_t *M_column, const int32_t *C_start, const int32_t *C_column, const int32_t *node, bool *fits) {
    RbvSchur *s = calloc(1, sizeof *s);
    *fits = true;
    if (!s)
        return NULL;
    *s = (RbvSchur){.n = n, .rows = rows, .C_start = C_start, .C_column = C_column};
    s->begin = malloc(((size_t)n + 1) * sizeof *s->begin);
    s->block = malloc(((size_t)n + 1) * sizeof *s->block);
    s->inverse = malloc(((size_t)n + 1) * sizeof *s->inverse);
    s->push = malloc(((size_t)n + 1) * sizeof *s->push);
    int32_t *seen = calloc((size_t)n + 1, sizeof *seen);
    bool good = s->begin && s->block && s->inverse && s->push && seen;
    *fits = !good || (find_blocks(s, M_start, M_column) && rows_fit(s, seen));
    free(seen);
    good = good && *fits;
    s->L = good ? calloc((size_t)s->blocks * FULL + 1, sizeof *s->L) : NULL;
    good = s->L && transpose(s);
    s->gram = good ? rbv_gram_create(n, rows, s->start, s->row, node) : NULL;
    if (s->gram)
        return s;
    rbv_schur_destroy(s);
    return NULL;
}

void rbv_schur_destroy(RbvSchur *s) {
    if (!s)
        return;
    rbv_gram_destroy(s->gram);
    free(s->begin);
    free(s->block);
    free(s->L);
    free(s->start);
    free(s->row);
    free(s->at);
    free(s->values);
    free(s->right);
    free(s->inverse);
    free(s->push);
    free(s);
}

/* M = L L^T block by block. */
static bool factor_blocks(RbvSchur *s, const double *M) {
    s->diagonal = true;
    for (int32_t b = 0; b < s->blocks; b++) {
        int32_t count = s->begin[b + 1] - s->begin[b];
        double *L = s->L + (size_t)b * FULL;
        for (int32_t i = 0; i < count; i++)
            for (int32_t j = 0; j <= i; j++) {
                double sum = M[i * count + j];
                for (int32_t k = 0; k < j; k++)
                    sum -= L[i * RBV_SCHUR_BLOCK + k] * L[j * RBV_SCHUR_BLOCK + k];
                if (i == j && !(sum > 0))
                    return false;
                L[i * RBV_SCHUR_BLOCK + j] = i == j ? 1 / sqrt(sum) : sum * L[j * RBV_SCHUR_BLOCK + j];
                s->diagonal = s->diagonal && (i == j || sum == 0);
                s->inverse[s->begin[b] + i] = 1 / M[i * count + i];
            }
        M += count * count;
    }
    return true;
}

/* x := L^-1 x and x := L^-T x of one block. */
static inline void forward(const double *L, int32_t count, double *x) {
    for (int32_t i = 0; i < count; i++) {
        double sum = x[i];
        for (int32_t k = 0; k < i; k++)
            sum -= L[i * RBV_SCHUR_BLOCK + k] * x[k];
        x[i] = sum * L[i * RBV_SCHUR_BLOCK + i];
    }
}

static inline void backward(const double *L, int32_t count, double *x) {
    for (int32_t i = count - 1; i >= 0; i--) {
        double sum = x[i];
        for (int32_t k = i + 1; k < count; k++)
            sum -= L[k * RBV_SCHUR_BLOCK + i] * x[k];
        x[i] = sum * L[i * RBV_SCHUR_BLOCK + i];
    }
}

bool rbv_schur_factor(RbvSchur *s, const double *M, const double *C, double eps) {
    s->C = C;
    s->M = M;
    if (!factor_blocks(s, M))
        return false;
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k], count; e < s->C_start[k + 1]; e += count) {
            int32_t b = s->block[s->C_column[e]];
            double part[RBV_SCHUR_BLOCK];
            count = s->begin[b + 1] - s->begin[b];
            for (int32_t i = 0; i < count; i++)
                part[i] = C[e + i];
            forward(s->L + (size_t)b * FULL, count, part);
            for (int32_t i = 0; i < count; i++)
                s->values[s->at[e + i]] = part[i];
        }
    return rbv_gram_factor(s->gram, s->values, eps);
}

/* x := M^-1 x. */
static void divide(const RbvSchur *s, double *x) {
    for (int32_t j = 0; s->diagonal && j < s->n; j++)
        x[j] *= s->inverse[j];
    for (int32_t b = 0; !s->diagonal && b < s->blocks; b++) {
        forward(s->L + (size_t)b * FULL, s->begin[b + 1] - s->begin[b], x + s->begin[b]);
        backward(s->L + (size_t)b * FULL, s->begin[b + 1] - s->begin[b], x + s->begin[b]);
    }
}

/* Of M^-1 f the multipliers take M^-1 C^T l. */
void rbv_schur_solve(RbvSchur *s, double *b) {
    double *x = b, *l = b + s->n, *push = s->push;
    divide(s, x);
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = -l[k];
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e++)
            sum += s->C[e] * x[s->C_column[e]];
        s->right[k] = sum;
    }
    rbv_gram_solve(s->gram, s->right, l);
    memset(push, 0, (size_t)s->n * sizeof *push);
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e++)
            push[s->C_column[e]] += s->C[e] * l[k];
    divide(s, push);
    for (int32_t j = 0; j < s->n; j++)
        x[j] -= push[j];
}

void rbv_schur_residual(const RbvSchur *s, const double *x, double *left) {
    const double *l = x + s->n, *M = s->M;
    for (int32_t b = 0; b < s->blocks; b++) {
        int32_t first = s->begin[b], count = s->begin[b + 1] - first;
        for (int32_t i = 0; s->diagonal && i < count; i++)
            left[first + i] -= M[i * count + i] * x[first + i];
        for (int32_t i = 0; !s->diagonal && i < count; i++)
            for (int32_t j = 0; j < count; j++)
                left[first + i] -= M[i * count + j] * x[first + j];
        M += count * count;
    }
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = 0;
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e++) {
            sum += s->C[e] * x[s->C_column[e]];
            left[s->C_column[e]] -= s->C[e] * l[k];
        }
        left[s->n + k] -= sum;
    }
}
