/* Factors and solutions by the Schur complement; see schur.h. */
#include "core/solve/schur.h"

#include "core/linalg/small.h"
#include "core/solve/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most rows that contain a block of M: more make a dense part of S. */
#define MOST_ROWS 60

#define FULL (RBV_SCHUR_BLOCK * RBV_SCHUR_BLOCK)

struct RbvSchur {
    int32_t n, rows, blocks;
    int32_t width; /* width of all blocks of M if it is 3 or 6; else 1 */
    const int32_t *C_start, *C_column;
    const double *C, *M;            /* the caller's arrays */
    int32_t *begin;                 /* [blocks + 1] first column of each block */
    int32_t *block;                 /* [n] block of each column */
    double *L;                      /* [blocks][FULL] lower triangle, row-major; its diagonal inverted */
    int32_t *start, *row;           /* C^T by its rows */
    int32_t *at;                    /* [entries of C] positions in C^T */
    double *values;                 /* L^-1 C^T */
    double *right;                  /* [rows] */
    int32_t coupled;                /* columns of a block before it have nothing in M beside the diagonal;
                                       RBV_SCHUR_BLOCK: M is diagonal, inverse M^-1, root M^-1/2 */
    double *inverse, *root, *entry; /* [n] M^-1, M^-1/2 and M, diagonals */
    double *push, *pushed, *sum;    /* [n] C^T of a change of l; C^T l; x + y */
    RbvGram *gram;
};

/* Blocks of M: adjacent columns that each have all columns of the block. False: M is not block diagonal with full
 * blocks. */
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

/* Does each row of C have all columns of a block or none, and no block too many rows? seen[blocks]: scratch, zero. */
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

/* Common width of all blocks, if 3 or 6, else 1: the rows of C are then runs of that many adjacent columns. */
static int32_t width_of(const RbvSchur *s) {
    int32_t width = s->blocks > 0 ? s->begin[1] : 1;
    for (int32_t b = 0; b < s->blocks; b++)
        if (s->begin[b + 1] - s->begin[b] != width)
            return 1;
    return width == 3 || width == 6 ? width : 1;
}

static bool transpose_block(RbvSchur *s) {
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

RbvSchur *rbv_schur_create(int32_t n, int32_t rows, const int32_t *M_start, const int32_t *M_column,
                           const int32_t *C_start, const int32_t *C_column, const int32_t *node, bool *fits) {
    RbvSchur *s = calloc(1, sizeof *s);
    *fits = true;
    if (!s)
        return NULL;
    *s = (RbvSchur){.n = n, .rows = rows, .C_start = C_start, .C_column = C_column};
    s->begin = malloc(((size_t)n + 1) * sizeof *s->begin);
    s->block = malloc(((size_t)n + 1) * sizeof *s->block);
    s->inverse = malloc(((size_t)n + 1) * sizeof *s->inverse);
    s->root = malloc(((size_t)n + 1) * sizeof *s->root);
    s->entry = malloc(((size_t)n + 1) * sizeof *s->entry);
    s->push = malloc(((size_t)n + 1) * sizeof *s->push);
    s->pushed = malloc(((size_t)n + 1) * sizeof *s->pushed);
    s->sum = malloc(((size_t)n + 1) * sizeof *s->sum);
    int32_t *seen = calloc((size_t)n + 1, sizeof *seen);
    bool good = s->begin && s->block && s->inverse && s->root && s->entry && s->push && s->pushed && s->sum && seen;
    *fits = !good || (find_blocks(s, M_start, M_column) && rows_fit(s, seen));
    free(seen);
    good = good && *fits;
    s->width = good ? width_of(s) : 1;
    s->L = good ? calloc((size_t)s->blocks * FULL + 1, sizeof *s->L) : NULL;
    good = s->L && transpose_block(s);
    s->gram = good ? rbv_gram_create(n, rows, s->start, s->row, node) : NULL;
    if (s->gram)
        return s;
    rbv_schur_destroy(s);
    return NULL;
}

int32_t rbv_schur_width(const RbvSchur *s) {
    return s->width;
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
    free(s->root);
    free(s->entry);
    free(s->push);
    free(s->pushed);
    free(s->sum);
    free(s);
}

static bool is_diagonal(const RbvSchur *s) {
    return s->coupled == RBV_SCHUR_BLOCK;
}

/* M = L L^T block by block. False: not positive. */
static bool factor_blocks(RbvSchur *s, const double *M) {
    s->coupled = RBV_SCHUR_BLOCK;
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
                s->coupled = i > j && sum != 0 && j < s->coupled ? j : s->coupled;
                if (i == j) {
                    s->inverse[s->begin[b] + i] = 1 / M[i * count + i];
                    s->root[s->begin[b] + i] = L[i * RBV_SCHUR_BLOCK + i];
                }
            }
        M += count * count;
    }
    return true;
}

/* x := L^-1 x and x := L^-T x of one block of `count` columns, of which those before `coupled` have the diagonal
 * alone. */
RBV_UNROLLED void forward(const double *L, const int count, const int coupled, double *x) {
    for (int i = 0; i < count; i++) {
        double sum = x[i];
        for (int k = coupled; k < i; k++)
            sum -= L[i * RBV_SCHUR_BLOCK + k] * x[k];
        x[i] = sum * L[i * RBV_SCHUR_BLOCK + i];
    }
}

RBV_UNROLLED void backward(const double *L, const int count, const int coupled, double *x) {
    for (int i = count - 1; i >= 0; i--) {
        double sum = x[i];
        for (int k = i + 1; i >= coupled && k < count; k++)
            sum -= L[k * RBV_SCHUR_BLOCK + i] * x[k];
        x[i] = sum * L[i * RBV_SCHUR_BLOCK + i];
    }
}

/* Are all blocks those of bodies in space, three numbers on the diagonal, then a tensor? The functions of blocks are
 * then called with constants. */
static inline bool has_tensors(const RbvSchur *s) {
    return s->width == 6 && s->coupled >= 3 && !is_diagonal(s);
}

/* values := L^-1 C^T where M is diagonal, and so is L. Called with a constant w only, as all functions over rows, so
 * that loops over runs unroll. */
RBV_UNROLLED void scale_rows(RbvSchur *s, const int w) {
    int32_t entries = s->C_start[s->rows];
    for (int32_t e = 0; e < entries; e += w)
        for (int i = 0; i < w; i++)
            s->values[s->at[e + i]] = s->C[e + i] * s->root[s->C_column[e] + i];
}

static void push_rows_forward(RbvSchur *s) {
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k], count; e < s->C_start[k + 1]; e += count) {
            int32_t b = s->block[s->C_column[e]];
            double part[RBV_SCHUR_BLOCK];
            count = s->begin[b + 1] - s->begin[b];
            for (int32_t i = 0; i < count; i++)
                part[i] = s->C[e + i];
            if (has_tensors(s))
                forward(s->L + (size_t)b * FULL, 6, 3, part);
            else
                forward(s->L + (size_t)b * FULL, count, s->coupled, part);
            for (int32_t i = 0; i < count; i++)
                s->values[s->at[e + i]] = part[i];
        }
}

bool rbv_schur_mass(RbvSchur *s, const double *M) {
    bool positive = factor_blocks(s, M);
    rbv_schur_fill(s, M);
    return positive;
}

void rbv_schur_fill(RbvSchur *s, const double *M) {
    s->M = M;
    for (int32_t b = 0; b < s->blocks; b++) {
        int32_t first = s->begin[b], count = s->begin[b + 1] - first;
        for (int32_t i = 0; i < count; i++) {
            s->entry[first + i] = M[i * count + i];
            for (int32_t j = 0; j < i && j < s->coupled; j++)
                s->coupled = M[i * count + j] != 0 ? j : s->coupled;
        }
        M += count * count;
    }
}

bool rbv_schur_factor(RbvSchur *s, const double *C, double eps) {
    s->C = C;
    if (!is_diagonal(s))
        push_rows_forward(s);
    else if (s->width == 3)
        scale_rows(s, 3);
    else
        scale_rows(s, 1);
    return rbv_gram_factor(s->gram, s->values, eps);
}

/* x := M^-1 x, blocks of `width` columns, 0: of any number. */
RBV_UNROLLED void divide_blocks(const RbvSchur *s, double *x, const int width, const int coupled) {
    for (int32_t b = 0; b < s->blocks; b++) {
        const double *L = s->L + (size_t)b * FULL;
        int32_t first = s->begin[b], count = width > 0 ? width : s->begin[b + 1] - first;
        forward(L, count, coupled, x + first);
        backward(L, count, coupled, x + first);
    }
}

static void divide(const RbvSchur *s, double *x) {
    for (int32_t j = 0; is_diagonal(s) && j < s->n; j++)
        x[j] *= s->inverse[j];
    if (has_tensors(s))
        divide_blocks(s, x, 6, 3);
    else if (!is_diagonal(s))
        divide_blocks(s, x, 0, s->coupled);
}

/* right := C (x + y) - g. */
RBV_UNROLLED void take_rows(RbvSchur *s, const double *sum_of, const double *g, const int w) {
    const double *C = s->C;
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = -g[k];
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e += w)
            for (int i = 0; i < w; i++)
                sum += C[e + i] * sum_of[s->C_column[e] + i];
        s->right[k] = sum;
    }
}

/* push := C^T l. */
RBV_UNROLLED void push_rows(RbvSchur *s, const double *l, const int w) {
    const double *C = s->C;
    memset(s->push, 0, (size_t)s->n * sizeof *s->push);
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e += w) {
            double *to = s->push + s->C_column[e], part[RBV_SCHUR_BLOCK];
            for (int i = 0; i < w; i++)
                part[i] = C[e + i] * l[k];
            for (int i = 0; i < w; i++)
                to[i] += part[i];
        }
}

/* y := f - M x - C^T l; `width` as above. */
RBV_UNROLLED void subtract_blocks(RbvSchur *s, const double *f, const double *x, double *y, const int width,
                                  const int coupled) {
    const double *M = s->M;
    for (int32_t b = 0; b < s->blocks; b++) {
        int32_t first = s->begin[b], count = width > 0 ? width : s->begin[b + 1] - first;
        for (int32_t i = 0; i < count; i++) {
            double sum = f[first + i] - s->pushed[first + i];
            if (i < coupled)
                sum -= M[i * count + i] * x[first + i];
            for (int32_t j = coupled; i >= coupled && j < count; j++)
                sum -= M[i * count + j] * x[first + j];
            y[first + i] = sum;
        }
        M += count * count;
    }
}

static void forces_left(RbvSchur *s, const double *f, const double *x, double *y) {
    for (int32_t j = 0; is_diagonal(s) && j < s->n; j++)
        y[j] = f[j] - s->entry[j] * x[j] - s->pushed[j];
    if (has_tensors(s))
        subtract_blocks(s, f, x, y, 6, 3);
    else if (!is_diagonal(s))
        subtract_blocks(s, f, x, y, 0, s->coupled);
}

void rbv_schur_begin(RbvSchur *s) {
    memset(s->pushed, 0, (size_t)s->n * sizeof *s->pushed);
}

/* y = M^-1 (f - M x - C^T l) first; then the change of l by the Schur complement, whose M^-1 C^T is subtracted from
 * y. */
void rbv_schur_correct(RbvSchur *s, const double *b, const double *x, double *change) {
    double *y = change, *l = change + s->n;
    forces_left(s, b, x, y);
    divide(s, y);
    for (int32_t j = 0; j < s->n; j++)
        s->sum[j] = x[j] + y[j];
    if (s->width == 3)
        take_rows(s, s->sum, b + s->n, 3);
    else if (s->width == 6)
        take_rows(s, s->sum, b + s->n, 6);
    else
        take_rows(s, s->sum, b + s->n, 1);
    rbv_gram_solve(s->gram, s->right, l);
    if (s->width == 3)
        push_rows(s, l, 3);
    else if (s->width == 6)
        push_rows(s, l, 6);
    else
        push_rows(s, l, 1);
    for (int32_t j = 0; j < s->n; j++)
        s->pushed[j] += s->push[j];
    divide(s, s->push);
    for (int32_t j = 0; j < s->n; j++)
        y[j] -= s->push[j];
}
