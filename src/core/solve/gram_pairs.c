/* Products, elimination and solution in 2x2 blocks, with rows of two numbers side by side; gram.c does the same in
 * blocks of any width.
 */
#include "core/solve/gram_factors.h"

#include <string.h>

typedef double Pair __attribute__((vector_size(16)));

static inline Pair get(const double *x) {
    Pair pair;
    memcpy(&pair, x, sizeof pair);
    return pair;
}

static inline void put(double *x, Pair pair) {
    memcpy(x, &pair, sizeof pair);
}

static inline Pair both(double value) {
    return (Pair){value, value};
}

void rbv_gram_pairs_multiply(RbvGram *g) {
    for (size_t n = 0; n < g->block_count; n++) {
        const RbvGramBlock *x = &g->blocks[n];
        const double *e = g->scaled + x->e, *f = g->scaled + x->f;
        double *to = g->a + x->to;
        Pair first = get(to), second = get(to + 2);
        for (int32_t k = 0; k < x->rows; k++, e += x->stride, f += x->stride) {
            Pair row = get(e);
            first += both(f[0]) * row;
            second += both(f[1]) * row;
        }
        put(to, first);
        put(to + 2, second);
    }
}

/* Row k of L; D_k as two rows. */
static inline void eliminate(RbvGram *g, int32_t k, Pair D[2]) {
    D[0] = D[1] = both(0);
    for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++) {
        const double *from = g->a + 4 * (size_t)p;
        if (g->a_row[p] == k) {
            D[0] = get(from), D[1] = get(from + 2);
            continue;
        }
        double *y = g->y + 4 * (size_t)g->a_row[p];
        put(y, get(from)), put(y + 2, get(from + 2));
    }
    for (int32_t n = g->row_start[k]; n < g->row_start[k + 1]; n++) {
        int32_t i = g->row_node[n], end = g->row_at[n];
        double *from = g->y + 4 * (size_t)i, Y[4];
        memcpy(Y, from, sizeof Y);
        Pair Y0 = get(Y), Y1 = get(Y + 2);
        put(from, both(0)), put(from + 2, both(0));
        for (int32_t p = g->l_start[i]; p < end; p++) {
            const double *l = g->l + 4 * (size_t)p;
            double *y = g->y + 4 * (size_t)g->l_row[p];
            Pair y0 = get(y) - (both(l[0]) * Y0 + both(l[1]) * Y1),
                 y1 = get(y + 2) - (both(l[2]) * Y0 + both(l[3]) * Y1);
            put(y, y0), put(y + 2, y1);
        }
        const double *inverse = g->inverse + 4 * (size_t)i; /* L_ki = Y^T D^- */
        Pair i0 = get(inverse), i1 = get(inverse + 2);
        Pair l0 = both(Y[0]) * i0 + both(Y[2]) * i1, l1 = both(Y[1]) * i0 + both(Y[3]) * i1;
        put(g->l + 4 * (size_t)end, l0), put(g->l + 4 * (size_t)end + 2, l1);
        D[0] -= both(l0[0]) * Y0 + both(l0[1]) * Y1;
        D[1] -= both(l1[0]) * Y0 + both(l1[1]) * Y1;
    }
}

/* D^- of the pivot block, without pivots that are not above `least`. */
static inline void invert_pivot(const Pair D[2], double least, double *inverse, double *pivots) {
    bool first = D[0][0] > least;
    double factor = first ? D[1][0] / D[0][0] : 0, below = first ? D[1][1] - factor * D[0][1] : D[1][1];
    Pair i0 = both(0), i1 = both(0);
    if (first)
        i0[0] = 1 / D[0][0];
    if (below > least) {
        Pair row = {-factor, 1};
        i0 += both(-factor) * row / both(below);
        i1 += row / both(below);
    }
    put(inverse, i0), put(inverse + 2, i1);
    pivots[0] = D[0][0];
    pivots[1] = below;
}

void rbv_gram_pairs_eliminate(RbvGram *g, double least, double *pivots) {
    memset(g->y, 0, (size_t)g->nodes * 4 * sizeof *g->y);
    for (int32_t k = 0; k < g->nodes; k++) {
        Pair D[2];
        eliminate(g, k, D);
        invert_pivot(D, least, g->inverse + 4 * (size_t)k, pivots + 2 * (size_t)k);
    }
}

void rbv_gram_pairs_solve(RbvGram *g) {
    int32_t n = g->nodes;
    double *x = g->right;
    for (int32_t k = 0; k < n; k++) {
        Pair x0 = both(x[2 * k]), x1 = both(x[2 * k + 1]);
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + 4 * (size_t)p;
            double *to = x + 2 * g->l_row[p];
            put(to, get(to) - ((Pair){l[0], l[2]} * x0 + (Pair){l[1], l[3]} * x1));
        }
    }
    for (int32_t k = n - 1; k >= 0; k--) {
        const double *inverse = g->inverse + 4 * (size_t)k;
        Pair y = (Pair){inverse[0], inverse[2]} * both(x[2 * k]) + (Pair){inverse[1], inverse[3]} * both(x[2 * k + 1]);
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            const double *l = g->l + 4 * (size_t)p, *from = x + 2 * g->l_row[p];
            y -= get(l) * both(from[0]) + get(l + 2) * both(from[1]);
        }
        put(x + 2 * k, y);
    }
}
