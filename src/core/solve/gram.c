/* Block LDL^T of a Gram matrix, row by row along the elimination tree (up-looking); see gram.h.
 *
 * Row k of L:  for i in the pattern of row k, in topological order:  Y_j -= L_ji Y_i (j > i),  L_ki = (D_i^- Y_i)^T,
 * D_k -= L_ki Y_i. Where a pivot of D_i has been dropped its row and column of D_i^- are zero; the rest of Y there is
 * rounding.
 */
#include "core/solve/gram_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- blocks of 2x2, with rows of two numbers side by side; blocks of any width: below --- */

typedef double Pair __attribute__((vector_size(16)));

static inline Pair get_pair(const double *x) {
    Pair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

static inline void put_pair(double *x, Pair pair) {
    memcpy(x, &pair, sizeof pair);
}

static inline Pair pair_of(double value) {
    return (Pair){value, value};
}

/* A += the products of a whole block of 2 x 2. */
static inline void multiply_pairs(RbvGram *g, const RbvGramBlock *x) {
    const double *e = g->scaled + x->e, *f = g->scaled + x->f;
    double *to = g->a + x->to;
    Pair first = get_pair(to), second = get_pair(to + 2);
    for (int32_t k = 0; k < x->rows; k++, e += x->stride, f += x->stride) {
        Pair row = get_pair(e);
        first += pair_of(f[0]) * row;
        second += pair_of(f[1]) * row;
    }
    put_pair(to, first);
    put_pair(to + 2, second);
}

/* Row k of L; D_k as two rows. */
static inline void eliminate_pair(RbvGram *g, int32_t k, Pair D[2]) {
    D[0] = D[1] = pair_of(0);
    for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++) {
        const double *from = g->a + 4 * (size_t)p;
        if (g->a_row[p] == k) {
            D[0] = get_pair(from), D[1] = get_pair(from + 2);
            continue;
        }
        double *y = g->y + 4 * (size_t)g->a_row[p];
        put_pair(y, get_pair(from)), put_pair(y + 2, get_pair(from + 2));
    }
    for (int32_t n = g->row_start[k]; n < g->row_start[k + 1]; n++) {
        int32_t i = g->row_node[n], end = g->row_at[n];
        double *from = g->y + 4 * (size_t)i, Y[4];
        memcpy(Y, from, sizeof Y);
        Pair Y0 = get_pair(Y), Y1 = get_pair(Y + 2);
        put_pair(from, pair_of(0)), put_pair(from + 2, pair_of(0));
        for (int32_t p = g->l_start[i]; p < end; p++) {
            const double *l = g->l + 4 * (size_t)p;
            double *y = g->y + 4 * (size_t)g->l_row[p];
            Pair y0 = get_pair(y) - (pair_of(l[0]) * Y0 + pair_of(l[1]) * Y1),
                 y1 = get_pair(y + 2) - (pair_of(l[2]) * Y0 + pair_of(l[3]) * Y1);
            put_pair(y, y0), put_pair(y + 2, y1);
        }
        const double *inverse = g->inverse + 4 * (size_t)i; /* L_ki = Y^T D^- */
        Pair i0 = get_pair(inverse), i1 = get_pair(inverse + 2);
        Pair l0 = pair_of(Y[0]) * i0 + pair_of(Y[2]) * i1, l1 = pair_of(Y[1]) * i0 + pair_of(Y[3]) * i1;
        put_pair(g->l + 4 * (size_t)end, l0), put_pair(g->l + 4 * (size_t)end + 2, l1);
        D[0] -= pair_of(l0[0]) * Y0 + pair_of(l0[1]) * Y1;
        D[1] -= pair_of(l1[0]) * Y0 + pair_of(l1[1]) * Y1;
    }
}

/* D^- of the pivot block, without pivots that are not above `least`. */
static inline void invert_pair_pivot(const Pair D[2], double least, double *inverse, double *pivots) {
    bool first = D[0][0] > least;
    double factor = first ? D[1][0] / D[0][0] : 0;
    double below = first ? D[1][1] - factor * D[0][1] : D[1][1];
    Pair i0 = pair_of(0), i1 = pair_of(0);
    if (first)
        i0[0] = 1 / D[0][0];
    if (below > least) {
        Pair row = {-factor, 1};
        i0 += pair_of(-factor) * row / pair_of(below);
        i1 += row / pair_of(below);
    }
    put_pair(inverse, i0), put_pair(inverse + 2, i1);
    pivots[0] = D[0][0];
    pivots[1] = below;
}

/* L and D^- of A, pivots[2 nodes]. */
static void gram_pairs_eliminate(RbvGram *g, double least, double *pivots) {
    memset(g->y, 0, (size_t)g->nodes * 4 * sizeof *g->y);
    for (int32_t k = 0; k < g->nodes; k++) {
        Pair D[2];
        eliminate_pair(g, k, D);
        invert_pair_pivot(D, least, g->inverse + 4 * (size_t)k, pivots + 2 * (size_t)k);
    }
}

/* right[2 nodes] := A^- right. */
static void gram_pairs_solve(RbvGram *g) {
    int32_t n = g->nodes;
    double *x = g->right;
    for (int32_t k = 0; k < n; k++) {
        Pair x0 = pair_of(x[2 * k]), x1 = pair_of(x[2 * k + 1]);
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + 4 * (size_t)p;
            double *to = x + 2 * g->l_row[p];
            put_pair(to, get_pair(to) - ((Pair){l[0], l[2]} * x0 + (Pair){l[1], l[3]} * x1));
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        const double *inverse = g->inverse + 4 * (size_t)k;
        Pair y =
            (Pair){inverse[0], inverse[2]} * pair_of(x[2 * k]) + (Pair){inverse[1], inverse[3]} * pair_of(x[2 * k + 1]);
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + 4 * (size_t)p, *from = x + 2 * g->l_row[p];
            y -= get_pair(l) * pair_of(from[0]) + get_pair(l + 2) * pair_of(from[1]);
        }
        put_pair(x + 2 * k, y);
    }
}

/* Most products that are listed: 50 MB, where rows fill no blocks. */
#define MOST_PRODUCTS 4000000

/* Index in a of the product of entries f and e of a row; -1: below the diagonal. */
static inline int32_t place_of(const RbvGram *g, int32_t e, int32_t f) {
    int32_t w = g->width, to = g->slot[g->column[e]], i = g->slot[g->column[f]], block = to / w, from = i / w;
    if (from > block)
        return -1;
    int32_t p = g->a_start[block];
    while (g->a_row[p] != from)
        p++;
    return p * g->area + (i % w) * w + to % w;
}

/* Number of entries of row k from e on that are the first columns of one node; 0: they are not the first ones. */
static int32_t count_first(const RbvGram *g, int32_t k, int32_t e) {
    int32_t first = g->slot[g->column[e]], count = 1;
    if (first % g->width != 0)
        return 0;
    while (count < g->width && e + count < g->start[k + 1] && g->slot[g->column[e + count]] == first + count)
        count++;
    return count;
}

/* Number of rows from k on with the same columns as row k, of each node the first ones; 0: of some node others. */
static int32_t alike(const RbvGram *g, int32_t k) {
    int32_t length = g->start[k + 1] - g->start[k], count = 1;
    for (int32_t e = g->start[k], wide; e < g->start[k + 1]; e += wide)
        if ((wide = count_first(g, k, e)) == 0)
            return 0;
    for (; k + count < g->rows && g->start[k + count + 1] - g->start[k + count] == length; count++)
        for (int32_t e = 0; e < length; e++)
            if (g->column[g->start[k + count] + e] != g->column[g->start[k] + e])
                return count;
    return count;
}

/* List the products of row k and the rows after it, `rows` in all, that are alike. */
static void list_blocks(RbvGram *g, int32_t k, int32_t rows) {
    int32_t end = g->start[k + 1], stride = end - g->start[k];
    for (int32_t e = g->start[k], wide; e < end; e += wide) {
        wide = count_first(g, k, e);
        for (int32_t f = g->start[k], high; f < end; f += high) {
            int32_t to = place_of(g, e, f);
            high = count_first(g, k, f);
            if (to >= 0)
                g->blocks[g->block_count++] = (RbvGramBlock){e, f, to, rows, stride, wide, high};
        }
    }
}

/* Numbers of blocks and of single products that `plan` lists at most. */
static void count_lists(const RbvGram *g, size_t *blocks, size_t *products) {
    *blocks = *products = 0;
    for (int32_t k = 0, rows; k<g->rows; k += rows> 0 ? rows : 1) {
        size_t nodes = 0, length = (size_t)(g->start[k + 1] - g->start[k]);
        rows = alike(g, k);
        for (int32_t e = g->start[k]; rows > 0 && e < g->start[k + 1]; e += count_first(g, k, e))
            nodes++;
        *blocks += nodes * nodes;
        *products += rows > 0 ? 0 : length * length;
    }
}

/* List the products that make A, when a pattern is factored for the second time and their number is moderate. */
static void plan(RbvGram *g) {
    size_t count = 0;
    g->factored += g->factored < 3;
    if (g->factored != 2)
        return;
    for (int32_t k = 0; k < g->rows; k++) {
        size_t length = (size_t)(g->start[k + 1] - g->start[k]);
        count += length * length;
    }
    if (count > MOST_PRODUCTS)
        return;
    size_t blocks, products;
    count_lists(g, &blocks, &products);
    g->products = malloc((products + 1) * sizeof *g->products);
    g->blocks = malloc((blocks + 1) * sizeof *g->blocks);
    bool listed = g->products && g->blocks;
    if (!listed) {
        free(g->products);
        g->products = NULL;
    }
    for (int32_t k = 0, rows; listed && k<g->rows; k += rows> 0 ? rows : 1) {
        rows = alike(g, k);
        if (rows > 0)
            list_blocks(g, k, rows);
        for (int32_t e = g->start[k]; rows == 0 && e < g->start[k + 1]; e++)
            for (int32_t f = g->start[k]; f < g->start[k + 1]; f++) {
                int32_t to = place_of(g, e, f);
                if (to >= 0)
                    g->products[g->product_count++] = (RbvGramProduct){e, f, to};
            }
    }
}

/* A += the products of a block of width w: `high` rows and `wide` columns of it. Called with constants where these are
 * frequent, as every RBV_UNROLLED function. */
RBV_UNROLLED void multiply_block(RbvGram *g, const RbvGramBlock *x, const int high, const int wide, const int w) {
    const double *e = g->scaled + x->e, *f = g->scaled + x->f;
    double *to = g->a + x->to, sum[MOST_WIDTH * MOST_WIDTH];
    for (int i = 0; i < high; i++)
        for (int j = 0; j < wide; j++)
            sum[i * w + j] = to[i * w + j];
    for (int32_t k = 0; k < x->rows; k++, e += x->stride, f += x->stride)
        for (int i = 0; i < high; i++)
            for (int j = 0; j < wide; j++)
                sum[i * w + j] += f[i] * e[j];
    for (int i = 0; i < high; i++)
        for (int j = 0; j < wide; j++)
            to[i * w + j] = sum[i * w + j];
}

/* The same for blocks of 3 x 3: hinges in space have 3 + 2 rows, drives one. */
static void multiply_triples(RbvGram *g, const RbvGramBlock *x) {
    switch (3 * x->high + x->wide) {
    case 4: multiply_block(g, x, 1, 1, 3); break;
    case 5: multiply_block(g, x, 1, 2, 3); break;
    case 6: multiply_block(g, x, 1, 3, 3); break;
    case 7: multiply_block(g, x, 2, 1, 3); break;
    case 8: multiply_block(g, x, 2, 2, 3); break;
    case 9: multiply_block(g, x, 2, 3, 3); break;
    case 10: multiply_block(g, x, 3, 1, 3); break;
    case 11: multiply_block(g, x, 3, 2, 3); break;
    default: multiply_block(g, x, 3, 3, 3);
    }
}

/* A += C^T C with scaled columns. */
static void multiply(RbvGram *g) {
    for (size_t n = 0; n < g->block_count; n++) {
        const RbvGramBlock *x = &g->blocks[n];
        if (g->width == 3)
            multiply_triples(g, x);
        else if (x->wide == 2 && x->high == 2)
            multiply_pairs(g, x);
        else
            multiply_block(g, x, x->high, x->wide, 2);
    }
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

/* Upper blocks of A from the scaled columns of C, plus shift. Rows are short: each product of entries is added to its
 * block. False: a number is not finite. */
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
    memset(g->a, 0, (size_t)g->a_start[g->nodes] * (size_t)g->area * sizeof *g->a);
    for (int32_t j = 0, before = 0; j < g->columns && shift > 0; j++) {
        int32_t number = j > 0 && g->node[j] == g->node[j - 1] ? before + 1 : 0,
                p = g->a_diagonal[g->place[g->node[j]]];
        before = number;
        g->a[(size_t)p * (size_t)g->area + (size_t)(number * (g->width + 1))] = shift * g->scale[j] * g->scale[j];
    }
    for (int32_t e = 0; e < nonzeros; e++)
        g->scaled[e] = g->C[e] * g->scale[g->column[e]];
    plan(g);
    multiply(g);
    return true;
}

bool rbv_gram_factor(RbvGram *g, const double *C, double shift) {
    const double least = shift > 0 ? 0 : RBV_GRAM_PIVOT;
    g->C = C;
    if (!assemble(g, shift))
        return false;
    g->rank = 0;
    g->smallest = 1;
    g->largest_dropped = 0;
    double *pivot_of = g->right; /* [width nodes] scratch */
    if (g->width == 2)
        gram_pairs_eliminate(g, least, pivot_of);
    else
        rbv_gram_eliminate_triples(g, least, pivot_of);
    for (int32_t j = 0; j < g->columns; j++) {
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

/* right[3 nodes] := A^- right for 3 x 3 blocks: L, D^-, L^T. */
static void solve_triples(RbvGram *g) {
    enum { w = MOST_WIDTH };
    int32_t n = g->nodes;
    for (int32_t k = 0; k < n; k++) {
        const double *x = g->right + w * k;
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + w * w * (size_t)p;
            double *to = g->right + w * g->l_row[p];
            for (int i = 0; i < w; i++)
                to[i] -= l[i * w] * x[0] + l[i * w + 1] * x[1] + l[i * w + 2] * x[2];
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        double *x = g->right + w * k, y[w];
        const double *inverse = g->inverse + w * w * (size_t)k;
        for (int i = 0; i < w; i++)
            y[i] = inverse[i * w] * x[0] + inverse[i * w + 1] * x[1] + inverse[i * w + 2] * x[2];
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + w * w * (size_t)p, *from = g->right + w * g->l_row[p];
            for (int i = 0; i < w; i++)
                y[i] -= l[i] * from[0] + l[w + i] * from[1] + l[2 * w + i] * from[2];
        }
        memcpy(x, y, sizeof y);
    }
}

static void solve_one(RbvGram *g) {
    if (g->width == 2)
        gram_pairs_solve(g);
    else
        solve_triples(g);
}

void rbv_gram_solve_vector(RbvGram *g, const double *x, double *y) {
    size_t size = rbv_gram_size(g) * sizeof *x;
    memcpy(g->right, x, size);
    solve_one(g);
    memcpy(y, g->right, size);
}

void rbv_gram_solve(RbvGram *g, const double *b, double *x) {
    memset(g->right, 0, rbv_gram_size(g) * sizeof *g->right);
    for (int32_t j = 0; j < g->columns; j++)
        g->right[g->slot[j]] = b[j] * g->scale[j];
    solve_one(g);
    for (int32_t j = 0; j < g->columns; j++)
        x[j] = g->right[g->slot[j]] * g->scale[j];
}
