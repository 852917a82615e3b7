/* Block LDL^T of a Gram matrix, row by row along the elimination tree (up-looking); see gram.h.
 *
 * Row k of L:  for i in the pattern of row k, in topological order:  Y_j -= L_ji Y_i (j > i),  L_ki = (D_i^- Y_i)^T,  D_k -= L_ki Y_i.
 * Where a pivot of D_i has been dropped its row and column of D_i^- are zero; what is left in Y there is rounding.
 */
#include "solve/gram_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 50 MB. */
#define MOST_PRODUCTS 4000000

/* Where the product of entries f and e of a row goes, -1: below the diagonal. */
static inline int32_t place_of(const RbvGram *g, int32_t e, int32_t f) {
    int32_t to = g->slot[g->column[e]], i = g->slot[g->column[f]], block = to / B, from = i / B;
    if (from > block)
        return -1;
    int32_t p = g->a_start[block];
    while (g->a_row[p] != from)
        p++;
    return p * BB + (i % B) * B + to % B;
}

/* All pairs of entries that make A, in the order of rows: found once the same pattern is factored again, as far as they are no burden. */
static void plan(RbvGram *g) {
    size_t count = 0, at = 0;
    g->factored += g->factored < 3;
    if (g->factored != 2)
        return;
    for (int32_t k = 0; k < g->rows; k++) {
        size_t length = (size_t)(g->start[k + 1] - g->start[k]);
        count += length * length;
    }
    g->products = count <= MOST_PRODUCTS ? malloc((count + 1) * sizeof *g->products) : NULL;
    for (int32_t k = 0; g->products && k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++)
            for (int32_t f = g->start[k]; f < g->start[k + 1]; f++) {
                int32_t to = place_of(g, e, f);
                if (to >= 0)
                    g->products[at++] = (RbvGramProduct){e, f, to};
            }
    g->product_count = at;
}

/* A += C^T C, scaled. */
static void multiply(RbvGram *g) {
    for (size_t n = 0; n < g->product_count; n++) {
        const RbvGramProduct *x = &g->products[n];
        g->a[x->to] += g->scaled[x->f] * g->scaled[x->e];
    }
    for (int32_t k = 0; !g->products && k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++)
            for (int32_t f = g->start[k]; f < g->start[k + 1]; f++) {
                int32_t to = place_of(g, e, f);
                if (to >= 0)
                    g->a[to] += g->scaled[f] * g->scaled[e];
            }
}

/* A's upper blocks from the scaled columns of C. Rows are short: each pair of entries is added where its block stands. */
static bool assemble(RbvGram *g, double shift) {
    int32_t nonzeros = g->start[g->rows];
    for (int32_t j = 0; j < g->columns; j++)
        g->scale[j] = 0;
    for (int32_t e = 0; e < nonzeros; e++)
        g->scale[g->column[e]] += g->C[e] * g->C[e];
    for (int32_t j = 0; j < g->columns; j++) {
        if (!isfinite(g->scale[j]))
            return false;
        g->scale[j] = g->scale[j] + shift > 0 ? 1 / sqrt(g->scale[j] + shift) : 1;
    }
    memset(g->a, 0, (size_t)g->a_start[g->nodes] * BB * sizeof *g->a);
    for (int32_t j = 0; j < g->columns && shift > 0; j++) {
        int32_t block = g->slot[j] / B, number = g->slot[j] % B, p = g->a_start[block];
        while (g->a_row[p] != block)
            p++;
        g->a[(size_t)p * BB + (size_t)(number * (B + 1))] = shift * g->scale[j] * g->scale[j];
    }
    for (int32_t e = 0; e < nonzeros; e++)
        g->scaled[e] = g->C[e] * g->scale[g->column[e]];
    plan(g);
    multiply(g);
    return true;
}

/* y -= a b for 3x3 blocks, and y -= a^T b. */
static inline void subtract_product(double *restrict y, const double *restrict a, const double *restrict b) {
    for (int i = 0; i < B; i++)
        for (int j = 0; j < B; j++)
            y[i * B + j] -= a[i * B] * b[j] + a[i * B + 1] * b[B + j] + a[i * B + 2] * b[2 * B + j];
}

/* D^- of the pivot block D, without the pivots that are not above `least`; those of padding are 0. */
static void invert_pivot(double D[BB], double least, double *inverse, double pivots[B]) {
    double unit[BB] = {1, 0, 0, 0, 1, 0, 0, 0, 1}; /* rows of L^-1 */
    memset(inverse, 0, BB * sizeof *inverse);
    for (int k = 0; k < B; k++) {
        pivots[k] = D[k * B + k];
        if (!(pivots[k] > least))
            continue;
        for (int i = k + 1; i < B; i++) {
            double factor = D[i * B + k] / pivots[k];
            for (int j = 0; j < B; j++) {
                D[i * B + j] -= factor * D[k * B + j];
                unit[i * B + j] -= factor * unit[k * B + j];
            }
        }
        for (int i = 0; i < B; i++)
            for (int j = 0; j < B; j++)
                inverse[i * B + j] += unit[k * B + i] * unit[k * B + j] / pivots[k];
    }
}

static void eliminate(RbvGram *g, int32_t k, double D[BB]) {
    int32_t top = g->nodes;
    g->flag[k] = k;
    for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++) {
        int32_t i = g->a_row[p], length = 0;
        if (i == k) {
            memcpy(D, g->a + (size_t)p * BB, BB * sizeof *D);
            continue;
        }
        memcpy(g->y + (size_t)i * BB, g->a + (size_t)p * BB, BB * sizeof *D);
        for (; g->flag[i] != k; i = g->parent[i]) {
            g->pattern[length++] = i;
            g->flag[i] = k;
        }
        while (length > 0)
            g->pattern[--top] = g->pattern[--length];
    }
    for (; top < g->nodes; top++) {
        int32_t i = g->pattern[top];
        double Y[BB], *y = g->y + (size_t)i * BB;
        memcpy(Y, y, sizeof Y);
        memset(y, 0, sizeof Y);
        int32_t begin = g->l_start[i], end = begin + g->l_count[i];
        for (int32_t p = begin; p < end; p++)
            subtract_product(g->y + (size_t)g->l_row[p] * BB, g->l + (size_t)p * BB, Y);
        double *l = g->l + (size_t)end * BB; /* L_ki = Y^T D^- */
        const double *inverse = g->inverse + (size_t)i * BB;
        for (int r = 0; r < B; r++)
            for (int c = 0; c < B; c++)
                l[r * B + c] = Y[r] * inverse[c] + Y[B + r] * inverse[B + c] + Y[2 * B + r] * inverse[2 * B + c];
        g->l_row[end] = k;
        g->l_count[i]++;
        subtract_product(D, l, Y);
    }
}

bool rbv_gram_factor(RbvGram *g, const double *C, double shift) {
    const double least = shift > 0 ? 0 : RBV_GRAM_PIVOT;
    g->C = C;
    if (!assemble(g, shift))
        return false;
    int32_t n = g->nodes, j = 0;
    g->rank = 0;
    g->smallest = 1;
    g->largest_dropped = 0;
    for (int32_t k = 0; k < n; k++) {
        g->flag[k] = -1;
        g->l_count[k] = 0;
    }
    memset(g->y, 0, (size_t)n * BB * sizeof *g->y);
    double *pivot_of = g->right; /* [3 nodes] */
    for (int32_t k = 0; k < n; k++) {
        double D[BB] = {0}, pivots[B];
        eliminate(g, k, D);
        invert_pivot(D, least, g->inverse + (size_t)k * BB, pivots);
        memcpy(pivot_of + (size_t)k * B, pivots, sizeof pivots);
    }
    for (j = 0; j < g->columns; j++) {
        double pivot = pivot_of[g->slot[j]];
        g->dropped[j] = !(pivot > least);
        if (isnan(pivot))
            return false;
        if (g->dropped[j]) {
            g->largest_dropped = fmax(g->largest_dropped, fabs(pivot));
        } else {
            g->rank++;
            g->smallest = fmin(g->smallest, pivot);
        }
    }
    return true;
}

int32_t rbv_gram_rank(const RbvGram *g) {
    return g->rank;
}

bool rbv_gram_is_dropped(const RbvGram *g, int32_t column) {
    return g->dropped[column];
}

double rbv_gram_smallest(const RbvGram *g) {
    return g->smallest;
}

double rbv_gram_dropped(const RbvGram *g) {
    return g->largest_dropped;
}

/* right := A^- right for `count` right-hand sides side by side: L, D^-, L^T. Called with constants only, so that the inner loops unroll. */
static inline void solve_side_by_side(RbvGram *g, const size_t count) {
    int32_t n = g->nodes;
    for (int32_t k = 0; k < n; k++) {
        const double *x = g->right + (size_t)k * B * count;
        for (int32_t p = g->l_start[k]; p < g->l_start[k] + g->l_count[k]; p++) {
            const double *l = g->l + (size_t)p * BB;
            double *to = g->right + (size_t)g->l_row[p] * B * count;
            for (size_t i = 0; i < B; i++)
                for (size_t r = 0; r < count; r++)
                    to[i * count + r] -= l[i * B] * x[r] + l[i * B + 1] * x[count + r] + l[i * B + 2] * x[2 * count + r];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        double *x = g->right + (size_t)k * B * count, y[B * R];
        const double *inverse = g->inverse + (size_t)k * BB;
        for (size_t i = 0; i < B; i++)
            for (size_t r = 0; r < count; r++)
                y[i * count + r] = inverse[i * B] * x[r] + inverse[i * B + 1] * x[count + r] + inverse[i * B + 2] * x[2 * count + r];
        for (int32_t p = g->l_start[k]; p < g->l_start[k] + g->l_count[k]; p++) {
            const double *l = g->l + (size_t)p * BB, *from = g->right + (size_t)g->l_row[p] * B * count;
            for (size_t i = 0; i < B; i++)
                for (size_t r = 0; r < count; r++)
                    y[i * count + r] -= l[i] * from[r] + l[B + i] * from[count + r] + l[2 * B + i] * from[2 * count + r];
        }
        memcpy(x, y, B * count * sizeof *y);
    }
}

void rbv_gram_solve_right(RbvGram *g) {
    solve_side_by_side(g, R);
}

static void solve_one(RbvGram *g) {
    solve_side_by_side(g, 1);
}

void rbv_gram_solve_vector(RbvGram *g, const double *x, double *y) {
    size_t size = (size_t)g->nodes * B * sizeof *x;
    memcpy(g->right, x, size);
    solve_one(g);
    memcpy(y, g->right, size);
}

void rbv_gram_solve(RbvGram *g, const double *b, double *x) {
    memset(g->right, 0, (size_t)g->nodes * B * sizeof *g->right);
    for (int32_t j = 0; j < g->columns; j++)
        g->right[g->slot[j]] = b[j] * g->scale[j];
    solve_one(g);
    for (int32_t j = 0; j < g->columns; j++)
        x[j] = g->right[g->slot[j]] * g->scale[j];
}
