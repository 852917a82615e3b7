/* Work on four numbers side by side: elimination of 3 x 3 blocks, whose rows are padded to four, and solutions with
 * four right-hand sides. Compiled for the processors of the build, and on x86-64 for those with AVX2, which are chosen
 * at run time. Both do the same operations in the same order, none of them fused, and give the same bits. */
#include "core/solve/gram_factors.h"

#include <string.h>

typedef double Four __attribute__((vector_size(32)));

/* Vectors go by pointers: how they are passed by value depends on the processor. */
#define GET(to, from) memcpy(&(to), from, sizeof(Four))
#define PUT(to, from) memcpy(to, &(from), sizeof(Four))

/* y[w] -= a x[w] for a w x w block a, row-major; `down`: its transpose. */
RBV_UNROLLED void subtract_rows(double *y, const double *a, const Four *x, const int w, const bool down) {
    for (int i = 0; i < w; i++) {
        const double *row = down ? a + i : a + i * w;
        const int step = down ? w : 1;
        Four sum = row[0] * x[0], to;
        for (int k = 1; k < w; k++)
            sum += row[k * step] * x[k];
        GET(to, y + 4 * i);
        to -= sum;
        PUT(y + 4 * i, to);
    }
}

/* Rows of a packed 3 x 3 block, padded with 0. */
RBV_UNROLLED void unpack(const double *from, double *to) {
    for (int i = 0; i < 3; i++) {
        memcpy(to + 4 * i, from + 3 * i, 3 * sizeof *to);
        to[4 * i + 3] = 0;
    }
}
RBV_UNROLLED void pack(const double *from, double *to) {
    for (int i = 0; i < 3; i++)
        memcpy(to + 3 * i, from + 4 * i, 3 * sizeof *to);
}

/* L_ki = Y^T D_i^-, packed; D -= L_ki Y. */
RBV_UNROLLED void finish_block(const double *inverse, const Four *Y, double *l, double *D) {
    double y[12], rows[12], padded[12];
    memcpy(y, Y, sizeof y);
    unpack(inverse, padded);
    for (int r = 0; r < 3; r++) {
        Four sum = {0}, row;
        for (int m = 0; m < 3; m++) {
            GET(row, padded + 4 * m);
            sum = m > 0 ? sum + y[4 * m + r] * row : y[r] * row;
        }
        PUT(rows + 4 * r, sum);
    }
    pack(rows, l);
    subtract_rows(D, l, Y, 3, false);
}

/* Row k of L; D[12]: the pivot block, rows padded. g->y: [nodes][12]. */
RBV_UNROLLED void eliminate_row(RbvGram *g, int32_t k, double *D) {
    memset(D, 0, 12 * sizeof *D);
    for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++)
        unpack(g->a + 9 * (size_t)p, g->a_row[p] == k ? D : g->y + 12 * (size_t)g->a_row[p]);
    for (int32_t n = g->row_start[k]; n < g->row_start[k + 1]; n++) {
        int32_t i = g->row_node[n], end = g->row_at[n];
        double *y = g->y + 12 * (size_t)i;
        Four Y[3];
        memcpy(Y, y, sizeof Y);
        memset(y, 0, sizeof Y);
        for (int32_t p = g->l_start[i]; p < end; p++)
            subtract_rows(g->y + 12 * (size_t)g->l_row[p], g->l + 9 * (size_t)p, Y, 3, false);
        finish_block(g->inverse + 9 * (size_t)i, Y, g->l + 9 * (size_t)end, D);
    }
}

/* D^- of the pivot block D, without pivots that are not above `least`; pivots of padding are 0. */
static void invert_pivot(double D[9], double least, double *inverse, double *pivots) {
    enum { w = 3 };
    double unit[w * w]; /* rows of L^-1 */
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            unit[i * w + j] = i == j;
            inverse[i * w + j] = 0;
        }
    for (int k = 0; k < w; k++) {
        pivots[k] = D[k * w + k];
        if (!(pivots[k] > least))
            continue;
        for (int i = k + 1; i < w; i++) {
            double factor = D[i * w + k] / pivots[k];
            for (int j = 0; j < w; j++) {
                D[i * w + j] -= factor * D[k * w + j];
                unit[i * w + j] -= factor * unit[k * w + j];
            }
        }
        for (int i = 0; i < w; i++)
            for (int j = 0; j < w; j++)
                inverse[i * w + j] += unit[k * w + i] * unit[k * w + j] / pivots[k];
    }
}

RBV_UNROLLED void eliminate_triples(RbvGram *g, double least, double *pivots) {
    memset(g->y, 0, (size_t)g->nodes * 12 * sizeof *g->y);
    for (int32_t k = 0; k < g->nodes; k++) {
        double padded[12], D[9];
        eliminate_row(g, k, padded);
        pack(padded, D);
        invert_pivot(D, least, g->inverse + 9 * (size_t)k, pivots + 3 * (size_t)k);
    }
}

/* right[width nodes][4] := A^- right: L, D^-, L^T. */
RBV_UNROLLED void solve_four(RbvGram *g, const int w) {
    const size_t area = (size_t)(w * w), rows = 4 * (size_t)w;
    Four x[MOST_WIDTH];
    for (int32_t k = 0; k < g->nodes; k++) {
        memcpy(x, g->right + rows * (size_t)k, rows * sizeof(double));
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++)
            subtract_rows(g->right + rows * (size_t)g->l_row[p], g->l + area * (size_t)p, x, w, false);
    }
    for (int32_t k = g->nodes - 1; k >= 0; k--) {
        double *to = g->right + rows * (size_t)k, y[4 * MOST_WIDTH];
        const double *inverse = g->inverse + area * (size_t)k;
        memcpy(x, to, rows * sizeof(double));
        for (int i = 0; i < w; i++) {
            Four sum = inverse[i * w] * x[0];
            for (int m = 1; m < w; m++)
                sum += inverse[i * w + m] * x[m];
            PUT(y + 4 * i, sum);
        }
        for (int32_t p = g->l_start[k]; p < g->l_start[k + 1]; p++) {
            memcpy(x, g->right + rows * (size_t)g->l_row[p], rows * sizeof(double));
            subtract_rows(y, g->l + area * (size_t)p, x, w, true);
        }
        memcpy(to, y, rows * sizeof(double));
    }
}

/* right += C^T y, y[rows][4], columns of C scaled. */
RBV_UNROLLED void add_transposed(RbvGram *g, const double *y) {
    for (int32_t k = 0; k < g->rows; k++) {
        Four row, to;
        GET(row, y + 4 * (size_t)k);
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            double *at = g->right + 4 * (size_t)g->slot[g->column[e]];
            GET(to, at);
            to += g->scaled[e] * row;
            PUT(at, to);
        }
    }
}

/* y[rows][4] := y - C right, or C right (`fresh`), columns of C scaled. */
RBV_UNROLLED void subtract_rows_of(const RbvGram *g, bool fresh, double *y) {
    for (int32_t k = 0; k < g->rows; k++) {
        Four sum = {0}, x;
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            GET(x, g->right + 4 * (size_t)g->slot[g->column[e]]);
            sum += g->scaled[e] * x;
        }
        GET(x, y + 4 * (size_t)k);
        x = fresh ? sum : x - sum;
        PUT(y + 4 * (size_t)k, x);
    }
}

void rbv_gram_add_transposed(RbvGram *g, const double *y) {
    add_transposed(g, y);
}
void rbv_gram_multiply_right(const RbvGram *g, double *y) {
    subtract_rows_of(g, true, y);
}
void rbv_gram_subtract_right(const RbvGram *g, double *y) {
    subtract_rows_of(g, false, y);
}

static void eliminate_plainly(RbvGram *g, double least, double *pivots) {
    eliminate_triples(g, least, pivots);
}
static void solve_plainly(RbvGram *g) {
    if (g->width == 2)
        solve_four(g, 2);
    else
        solve_four(g, 3);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static void eliminate_avx2(RbvGram *g, double least, double *pivots) {
    eliminate_triples(g, least, pivots);
}
__attribute__((target("avx2"))) static void solve_avx2(RbvGram *g) {
    if (g->width == 2)
        solve_four(g, 2);
    else
        solve_four(g, 3);
}

bool rbv_gram_is_wide(void) {
    return __builtin_cpu_supports("avx2");
}
void rbv_gram_eliminate_triples(RbvGram *g, double least, double *pivots) {
    if (g->wide)
        eliminate_avx2(g, least, pivots);
    else
        eliminate_plainly(g, least, pivots);
}
void rbv_gram_solve_right(RbvGram *g) {
    if (g->wide)
        solve_avx2(g);
    else
        solve_plainly(g);
}

#else

bool rbv_gram_is_wide(void) {
    return false;
}
void rbv_gram_eliminate_triples(RbvGram *g, double least, double *pivots) {
    eliminate_plainly(g, least, pivots);
}
void rbv_gram_solve_right(RbvGram *g) {
    solve_plainly(g);
}

#endif
