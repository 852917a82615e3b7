/* Block LDL^T of a Gram matrix, row by row along the elimination tree (up-looking); see gram.h.
 *
 * Row k of L:  for i in the pattern of row k, in topological order:  Y_j -= L_ji Y_i (j > i),  L_ki = (D_i^- Y_i)^T,  D_k -= L_ki Y_i.
 * Where a pivot of D_i has been dropped its row and column of D_i^- are zero; what is left in Y there is rounding.
 */
#include "solve/gram.h"

#include <amd.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define B 3
#define BB 9
#define R RBV_GRAM_RIGHT
/* Steps of inverse iteration: a vanished singular value is found in one, the smallest other one to a few percent in these. */
#define CERTIFY_STEPS 6

struct RbvGram {
    int32_t rows, columns, nodes;
    const int32_t *start, *column, *node;
    const double *C;
    int32_t *place;          /* [nodes] position of a node in the order of elimination */
    int32_t *slot;           /* [columns] 3 place + number of the column in its node */
    double *scale;           /* [columns] 1 / length */
    int32_t *a_start, *a_row;/* upper block pattern of A in the order of elimination: column k has blocks a_row[a_start[k]] ... <= k */
    double *a;               /* [blocks][9], row-major */
    int32_t *parent, *l_start, *l_count, *l_row;
    double *l, *inverse;     /* L blocks; D^- [nodes][9] */
    double *y;               /* [nodes][9] */
    int32_t *pattern, *flag;
    bool *dropped;           /* [columns] */
    int32_t rank;
    double smallest, largest_dropped;
    double *right;           /* [3 nodes][R] */
};

void rbv_gram_destroy(RbvGram *g) {
    if (!g)
        return;
    void *blocks[] = {g->place, g->slot, g->scale, g->a_start, g->a_row, g->a, g->parent, g->l_start, g->l_count, g->l_row,
                      g->l, g->inverse, g->y, g->pattern, g->flag, g->dropped, g->right};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        free(blocks[k]);
    free(g);
}

/* Nodes of each row, each once, ascending in `position` of the caller's choice: lists[first[k]] ... . */
static bool row_nodes(const RbvGram *g, int32_t **first, int32_t **list) {
    int32_t nonzeros = g->start[g->rows];
    *first = malloc(((size_t)g->rows + 1) * sizeof **first);
    *list = malloc(((size_t)nonzeros + 1) * sizeof **list);
    int32_t *seen = malloc(((size_t)g->nodes + 1) * sizeof *seen), at = 0;
    bool good = *first && *list && seen;
    for (int32_t k = 0; good && k < g->nodes; k++)
        seen[k] = -1;
    for (int32_t k = 0; good && k < g->rows; k++) {
        (*first)[k] = at;
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t node = g->node[g->column[e]];
            if (seen[node] != k) {
                seen[node] = k;
                (*list)[at++] = node;
            }
        }
    }
    if (good)
        (*first)[g->rows] = at;
    free(seen);
    return good;
}

/* Which nodes meet in a row: for each node its neighbours, itself included, as CSC. */
static bool node_graph(const RbvGram *g, const int32_t *first, const int32_t *list, int32_t **start, int32_t **row) {
    int32_t n = g->nodes, entries = first[g->rows];
    int32_t *begin = calloc((size_t)n + 2, sizeof *begin), *rows_of = malloc(((size_t)entries + 1) * sizeof *rows_of);
    int32_t *seen = malloc(((size_t)n + 1) * sizeof *seen);
    bool good = begin && rows_of && seen;
    *start = malloc(((size_t)n + 1) * sizeof **start);
    *row = NULL;
    good = good && *start;
    if (good) {
        for (int32_t e = 0; e < entries; e++)
            begin[list[e] + 2]++;
        for (int32_t k = 0; k < n; k++)
            begin[k + 2] += begin[k + 1];
        for (int32_t k = 0; k < g->rows; k++)
            for (int32_t e = first[k]; e < first[k + 1]; e++)
                rows_of[begin[list[e] + 1]++] = k;
        for (int pass = 0; good && pass < 2; pass++) {
            int32_t at = 0;
            for (int32_t k = 0; k < n; k++)
                seen[k] = -1;
            for (int32_t j = 0; j < n; j++) {
                (*start)[j] = at;
                seen[j] = j;
                if (pass)
                    (*row)[at] = j;
                at++;
                for (int32_t p = begin[j]; p < begin[j + 1]; p++)
                    for (int32_t e = first[rows_of[p]]; e < first[rows_of[p] + 1]; e++)
                        if (seen[list[e]] != j) {
                            seen[list[e]] = j;
                            if (pass)
                                (*row)[at] = list[e];
                            at++;
                        }
            }
            (*start)[n] = at;
            if (!pass)
                good = (*row = malloc(((size_t)at + 1) * sizeof **row)) != NULL;
        }
    }
    free(begin);
    free(rows_of);
    free(seen);
    return good;
}

/* Elimination tree and lengths of the columns of L (Liu), for the permuted upper pattern. */
static bool analyse(RbvGram *g) {
    int32_t n = g->nodes;
    for (int32_t k = 0; k < n; k++) {
        g->parent[k] = -1;
        g->flag[k] = k;
        g->l_count[k] = 0;
        for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++)
            for (int32_t i = g->a_row[p]; g->flag[i] != k; i = g->parent[i]) {
                if (g->parent[i] < 0)
                    g->parent[i] = k;
                g->l_count[i]++;
                g->flag[i] = k;
            }
    }
    g->l_start[0] = 0;
    for (int32_t k = 0; k < n; k++) {
        if (g->l_start[k] > INT32_MAX - g->l_count[k])
            return false;
        g->l_start[k + 1] = g->l_start[k] + g->l_count[k];
    }
    size_t blocks = (size_t)g->l_start[n] + 1;
    g->l_row = malloc(blocks * sizeof *g->l_row);
    g->l = malloc(blocks * BB * sizeof *g->l);
    return g->l_row && g->l;
}

static bool order_nodes(RbvGram *g, const int32_t *start, const int32_t *row) {
    int32_t n = g->nodes, at = 0;
    int32_t *order = malloc(((size_t)n + 1) * sizeof *order);
    bool good = order && amd_order(n, start, row, order, NULL, NULL) >= AMD_OK;
    for (int32_t k = 0; good && k < n; k++)
        g->place[order[k]] = k;
    g->a_row = malloc(((size_t)start[n] + 1) * sizeof *g->a_row);
    good = good && g->a_row;
    for (int32_t k = 0; good && k < n; k++) {
        g->a_start[k] = at;
        for (int32_t p = start[order[k]]; p < start[order[k] + 1]; p++)
            if (g->place[row[p]] <= k)
                g->a_row[at++] = g->place[row[p]];
    }
    if (good)
        g->a_start[n] = at;
    free(order);
    g->a = good ? malloc(((size_t)at + 1) * BB * sizeof *g->a) : NULL;
    return g->a != NULL;
}

RbvGram *rbv_gram_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column, const int32_t *node) {
    RbvGram *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->rows = rows;
    g->columns = columns;
    g->nodes = columns > 0 ? node[columns - 1] + 1 : 0;
    g->start = start;
    g->column = column;
    g->node = node;
    size_t n = (size_t)g->nodes + 1, c = (size_t)columns + 1;
    g->place = malloc(n * sizeof *g->place);
    g->slot = malloc(c * sizeof *g->slot);
    g->scale = malloc(c * sizeof *g->scale);
    g->a_start = malloc(n * sizeof *g->a_start);
    g->parent = malloc(n * sizeof *g->parent);
    g->l_start = malloc(n * sizeof *g->l_start);
    g->l_count = malloc(n * sizeof *g->l_count);
    g->inverse = malloc(n * BB * sizeof *g->inverse);
    g->y = malloc(n * BB * sizeof *g->y);
    g->pattern = malloc(n * sizeof *g->pattern);
    g->flag = malloc(n * sizeof *g->flag);
    g->dropped = malloc(c * sizeof *g->dropped);
    g->right = malloc(n * B * R * sizeof *g->right);
    int32_t *first = NULL, *list = NULL, *graph = NULL, *neighbour = NULL;
    bool good = g->place && g->slot && g->scale && g->a_start && g->parent && g->l_start && g->l_count && g->inverse && g->y &&
                g->pattern && g->flag && g->dropped && g->right;
    good = good && row_nodes(g, &first, &list) && node_graph(g, first, list, &graph, &neighbour) &&
           order_nodes(g, graph, neighbour) && analyse(g);
    for (int32_t j = 0, number = 0; good && j < columns; j++) {
        number = j > 0 && node[j] == node[j - 1] ? number + 1 : 0;
        g->slot[j] = B * g->place[node[j]] + number;
    }
    free(first);
    free(list);
    free(graph);
    free(neighbour);
    if (!good) {
        rbv_gram_destroy(g);
        return NULL;
    }
    return g;
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
    for (int32_t k = 0; k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e], slot = g->slot[j], block = slot / B;
            double value = g->C[e] * g->scale[j];
            for (int32_t f = g->start[k]; f < g->start[k + 1]; f++) {
                int32_t i = g->column[f], other = g->slot[i], from = other / B;
                if (from > block)
                    continue;
                int32_t p = g->a_start[block];
                while (g->a_row[p] != from)
                    p++;
                g->a[(size_t)p * BB + (size_t)((other % B) * B + slot % B)] += g->C[f] * g->scale[i] * value;
            }
        }
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

static void solve(RbvGram *g) {
    solve_side_by_side(g, R);
}

static void solve_one(RbvGram *g) {
    solve_side_by_side(g, 1);
}

void rbv_gram_project(RbvGram *g, double *z) {
    memset(g->right, 0, (size_t)g->nodes * B * R * sizeof *g->right);
    for (int32_t k = 0; k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e];
            double value = g->C[e] * g->scale[j], *to = g->right + (size_t)g->slot[j] * R;
            for (int r = 0; r < R; r++)
                to[r] += value * z[(size_t)k * R + (size_t)r];
        }
    solve(g);
    for (int32_t k = 0; k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e];
            double value = g->C[e] * g->scale[j];
            const double *from = g->right + (size_t)g->slot[j] * R;
            for (int r = 0; r < R; r++)
                z[(size_t)k * R + (size_t)r] -= value * from[r];
        }
}

/* G[R][R] := X^T C^T C X and X^T X for X = right, by columns of C. */
static void products(const RbvGram *g, double energy[R][R], double size[R][R]) {
    memset(energy, 0, R * R * sizeof(double));
    memset(size, 0, R * R * sizeof(double));
    for (int32_t k = 0; k < g->rows; k++) {
        double y[R] = {0};
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e];
            const double *x = g->right + (size_t)g->slot[j] * R;
            for (int r = 0; r < R; r++)
                y[r] += g->C[e] * g->scale[j] * x[r];
        }
        for (int a = 0; a < R; a++)
            for (int b = 0; b < R; b++)
                energy[a][b] += y[a] * y[b];
    }
    for (int32_t k = 0; k < B * g->nodes; k++)
        for (int a = 0; a < R; a++)
            for (int b = 0; b < R; b++)
                size[a][b] += g->right[(size_t)k * R + (size_t)a] * g->right[(size_t)k * R + (size_t)b];
}

/* X := X T for a small T. */
static void combine(RbvGram *g, double T[R][R]) {
    for (int32_t k = 0; k < B * g->nodes; k++) {
        double *x = g->right + (size_t)k * R, y[R];
        for (int b = 0; b < R; b++) {
            y[b] = 0;
            for (int a = 0; a < R; a++)
                y[b] += x[a] * T[a][b];
        }
        memcpy(x, y, sizeof y);
    }
}

/* Orthonormal columns by Gram and Schmidt, twice. A column that is nothing new becomes zero. */
static void orthonormalize(RbvGram *g) {
    size_t count = (size_t)g->nodes * B;
    for (int c = 0; c < R; c++)
        for (int pass = 0; pass < 3; pass++) {
            double dot[R] = {0}, norm = 0, whole = 0;
            for (size_t k = 0; k < count; k++)
                for (int a = 0; a < c; a++)
                    dot[a] += g->right[k * R + (size_t)a] * g->right[k * R + (size_t)c];
            for (size_t k = 0; k < count; k++) {
                double *x = g->right + k * R;
                whole += x[c] * x[c];
                for (int a = 0; a < c; a++)
                    x[c] -= dot[a] * x[a];
                norm += x[c] * x[c];
            }
            double over = norm > 1e-30 * whole ? 1 / sqrt(norm) : 0;
            for (size_t k = 0; k < count; k++)
                g->right[k * R + (size_t)c] *= over;
        }
}

/* Columns that have become zero start again at random, in the space of kept pivots. */
static void refresh(RbvGram *g) {
    uint64_t seed = 0xD1B54A32D192ED03u;
    bool lost[R];
    for (int r = 0; r < R; r++) {
        double norm = 0;
        for (size_t k = 0; k < (size_t)g->nodes * B; k++)
            norm += g->right[k * R + (size_t)r] * g->right[k * R + (size_t)r];
        lost[r] = !(norm > 0.5);
    }
    for (int32_t j = 0; j < g->columns; j++)
        for (int r = 0; r < R; r++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            if (lost[r] && !g->dropped[j])
                g->right[(size_t)g->slot[j] * R + (size_t)r] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        }
}

/* Eigenvectors of a small symmetric matrix by Jacobi rotations; values ascending. */
static void jacobi(double A[R][R], double V[R][R], double value[R]) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < R; p++)
            for (int q = p + 1; q < R; q++) {
                if (A[p][q] == 0)
                    continue;
                double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]), t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < R; k++) {
                    double a = A[k][p], b = A[k][q];
                    A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
                }
                for (int k = 0; k < R; k++) {
                    double a = A[p][k], b = A[q][k];
                    A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
                    a = V[k][p], b = V[k][q];
                    V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
                }
            }
    for (int i = 0; i < R; i++)
        value[i] = A[i][i];
    for (int i = 0; i < R; i++)
        for (int j = i + 1; j < R; j++)
            if (value[j] < value[i]) {
                double swap = value[i];
                value[i] = value[j], value[j] = swap;
                for (int k = 0; k < R; k++) {
                    swap = V[k][i];
                    V[k][i] = V[k][j], V[k][j] = swap;
                }
            }
}

static void random_right(RbvGram *g) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    memset(g->right, 0, (size_t)g->nodes * B * R * sizeof *g->right);
    for (int32_t j = 0; j < g->columns; j++)
        for (int r = 0; r < R; r++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            g->right[(size_t)g->slot[j] * R + (size_t)r] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        }
}

/* right := C^T C right, scaled columns. */
static void apply(RbvGram *g, double *y) {
    for (int32_t k = 0; k < g->rows; k++) {
        double *row = y + (size_t)k * R;
        memset(row, 0, R * sizeof *row);
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e];
            const double *x = g->right + (size_t)g->slot[j] * R;
            for (int r = 0; r < R; r++)
                row[r] += g->C[e] * g->scale[j] * x[r];
        }
    }
    memset(g->right, 0, (size_t)g->nodes * B * R * sizeof *g->right);
    for (int32_t k = 0; k < g->rows; k++)
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            int32_t j = g->column[e];
            for (int r = 0; r < R; r++)
                g->right[(size_t)g->slot[j] * R + (size_t)r] += g->C[e] * g->scale[j] * y[(size_t)k * R + (size_t)r];
        }
}

/* A random vector of the computed null space of C, x = g - A^- A g: does C see it? */
static double null_error_of(RbvGram *g) {
    size_t count = (size_t)g->nodes * B * R;
    double *keep = malloc((count + 1) * sizeof *keep), *y = malloc(((size_t)g->rows * R + 1) * sizeof *y), worst = 0;
    double energy[R][R], size[R][R];
    if (!keep || !y) {
        free(keep);
        free(y);
        return INFINITY;
    }
    random_right(g);
    for (int pass = 0; pass < 2; pass++) {
        memcpy(keep, g->right, count * sizeof *keep);
        apply(g, y);
        solve(g);
        for (size_t k = 0; k < count; k++)
            g->right[k] = keep[k] - g->right[k];
    }
    products(g, energy, size);
    for (int r = 0; r < R; r++)
        worst = fmax(worst, size[r][r] > 0 ? sqrt(energy[r][r] / size[r][r]) : 0);
    free(keep);
    free(y);
    return worst;
}

void rbv_gram_certify(RbvGram *g, double sigma[R], double *null_error) {
    double energy[R][R], size[R][R], V[R][R], value[R];
    *null_error = g->rank < g->columns ? null_error_of(g) : 0;
    random_right(g);
    for (int step = 0; step < CERTIFY_STEPS; step++) {
        solve(g);
        orthonormalize(g);
        if (step == 0) /* a null vector may have swallowed the others: give them a fresh start beside it */
            refresh(g);
    }
    products(g, energy, size);
    jacobi(energy, V, value);
    combine(g, V);
    /* again with the rotated vectors: squares of small values have lost digits in the large ones' company */
    products(g, energy, size);
    for (int r = 0; r < R; r++)
        sigma[r] = size[r][r] > 0.5 ? sqrt(energy[r][r] / size[r][r]) : INFINITY;
    for (int r = 1; r < R; r++) /* rounding and columns that are none may stand out of order */
        for (int q = r; q > 0 && sigma[q] < sigma[q - 1]; q--) {
            double swap = sigma[q];
            sigma[q] = sigma[q - 1], sigma[q - 1] = swap;
        }
}

void rbv_gram_solve(RbvGram *g, const double *b, double *x) {
    memset(g->right, 0, (size_t)g->nodes * B * sizeof *g->right);
    for (int32_t j = 0; j < g->columns; j++)
        g->right[g->slot[j]] = b[j] * g->scale[j];
    solve_one(g);
    for (int32_t j = 0; j < g->columns; j++)
        x[j] = g->right[g->slot[j]] * g->scale[j];
}
