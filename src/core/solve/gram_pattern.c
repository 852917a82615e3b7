/* The pattern of a Gram matrix: blocks that meet in a row, their order by AMD, the elimination tree and the columns of
 * L (Liu).
 */
#include "core/base/arena.h"
#include "core/solve/gram.h"

#include "core/solve/gram_factors.h"

#include <amd.h>
#include <stdlib.h>

/* The column index of a sparse matrix that is stored by rows. */

void rbv_transpose(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column, int32_t *of,
                   int32_t *row, int32_t *at) {
    for (int32_t e = 0; e < start[rows]; e++)
        of[column[e] + 2]++;
    for (int32_t j = 0; j < columns; j++)
        of[j + 2] += of[j + 1];
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = start[k]; e < start[k + 1]; e++) {
            at[e] = of[column[e] + 1]++;
            row[at[e]] = k;
        }
}

void rbv_gram_destroy(RbvGram *g) {
    if (!g)
        return;
    void *blocks[] = {g->place,   g->slot,    g->scale,     g->a_start,  g->a_row,    g->a_diagonal, g->a,
                      g->l_start, g->l_row,   g->row_start, g->row_node, g->row_at,   g->l,          g->inverse,
                      g->y,       g->dropped, g->right,     g->scaled,   g->products, g->blocks,     g->least};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        free(blocks[k]);
    free(g);
}

/* Nodes of each row, each once: list[first[k]] ... list[first[k + 1] - 1], in the order of the row's entries. False: no
 * memory. */
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

/* Graph of nodes that meet in a row, as CSC: for each node its neighbours and the node itself. False: no memory. */
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

/* Elimination tree and lengths of the columns of L (Liu), for the permuted upper pattern. False: too many blocks. */
static bool analyse_columns(RbvGram *g, int32_t *parent, int32_t *flag, int32_t *count) {
    int32_t n = g->nodes;
    for (int32_t k = 0; k < n; k++) {
        parent[k] = -1;
        flag[k] = k;
        count[k] = 0;
        for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++)
            for (int32_t i = g->a_row[p]; flag[i] != k; i = parent[i]) {
                if (parent[i] < 0)
                    parent[i] = k;
                count[i]++;
                flag[i] = k;
            }
    }
    g->l_start[0] = 0;
    for (int32_t k = 0; k < n; k++) {
        if (g->l_start[k] > INT32_MAX - count[k])
            return false;
        g->l_start[k + 1] = g->l_start[k] + count[k];
    }
    return true;
}

/* The blocks of each row of L in topological order: the paths of the tree from the blocks of A, the last path first.
 * count[nodes]: blocks of each column so far; flag, pattern[nodes]: scratch. */
static void list_rows(RbvGram *g, const int32_t *parent, int32_t *flag, int32_t *count, int32_t *pattern) {
    int32_t n = g->nodes, at = 0;
    for (int32_t k = 0; k < n; k++) {
        flag[k] = -1;
        count[k] = 0;
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t top = n;
        flag[k] = k;
        for (int32_t p = g->a_start[k]; p < g->a_start[k + 1]; p++) {
            int32_t length = 0;
            for (int32_t i = g->a_row[p]; flag[i] != k; i = parent[i]) {
                pattern[length++] = i;
                flag[i] = k;
            }
            while (length > 0)
                pattern[--top] = pattern[--length];
        }
        g->row_start[k] = at;
        for (; top < n; top++) {
            int32_t i = pattern[top], place = g->l_start[i] + count[i]++;
            g->l_row[place] = k;
            g->row_node[at] = i;
            g->row_at[at++] = place;
        }
    }
    g->row_start[n] = at;
}

static bool analyse(RbvGram *g) {
    size_t n = (size_t)g->nodes + 1;
    int32_t *parent = malloc(n * sizeof *parent), *flag = malloc(n * sizeof *flag), *count = malloc(n * sizeof *count),
            *pattern = malloc(n * sizeof *pattern);
    bool good = parent && flag && count && pattern && analyse_columns(g, parent, flag, count);
    if (good) {
        size_t blocks = (size_t)g->l_start[n - 1] + 1;
        g->l_row = malloc(blocks * sizeof *g->l_row);
        g->row_node = malloc(blocks * sizeof *g->row_node);
        g->row_at = malloc(blocks * sizeof *g->row_at);
        g->l = malloc(blocks * (size_t)g->area * sizeof *g->l);
        if (g->l)
            rbv_large_pages(g->l, blocks * (size_t)g->area * sizeof *g->l);
        good = g->l_row && g->row_node && g->row_at && g->l;
    }
    if (good)
        list_rows(g, parent, flag, count, pattern);
    free(parent);
    free(flag);
    free(count);
    free(pattern);
    return good;
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
            if (g->place[row[p]] <= k) {
                if (g->place[row[p]] == k)
                    g->a_diagonal[k] = at;
                g->a_row[at++] = g->place[row[p]];
            }
    }
    if (good)
        g->a_start[n] = at;
    free(order);
    g->a = good ? malloc(((size_t)at + 1) * (size_t)g->area * sizeof *g->a) : NULL;
    return g->a != NULL;
}

/* The largest number of columns of a node. */
static int32_t widest(int32_t columns, const int32_t *node) {
    int32_t most = 0;
    for (int32_t j = 0, number = 0; j < columns; j++) {
        number = j > 0 && node[j] == node[j - 1] ? number + 1 : 1;
        most = number > most ? number : most;
    }
    return most;
}

RbvGram *rbv_gram_create(int32_t rows, int32_t columns, const int32_t *start, const int32_t *column,
                         const int32_t *node) {
    RbvGram *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->rows = rows;
    g->columns = columns;
    g->nodes = columns > 0 ? node[columns - 1] + 1 : 0;
    g->start = start;
    g->column = column;
    g->node = node;
    g->width = widest(columns, node) > 2 ? 3 : 2;
    g->area = g->width * g->width;
    g->wide = rbv_gram_is_wide();
    size_t n = (size_t)g->nodes + 1, c = (size_t)columns + 1;
    g->place = malloc(n * sizeof *g->place);
    g->slot = malloc(c * sizeof *g->slot);
    g->scale = malloc(c * sizeof *g->scale);
    g->a_start = malloc(n * sizeof *g->a_start);
    g->a_diagonal = malloc(n * sizeof *g->a_diagonal);
    g->l_start = malloc(n * sizeof *g->l_start);
    g->row_start = malloc(n * sizeof *g->row_start);
    g->inverse = malloc(n * (size_t)g->area * sizeof *g->inverse);
    g->y = malloc(n * (g->width == 2 ? 4 : 12) * sizeof *g->y);
    g->scaled = malloc(((size_t)start[rows] + 1) * sizeof *g->scaled);
    g->dropped = malloc(c * sizeof *g->dropped);
    g->right = malloc(n * (size_t)g->width * R * sizeof *g->right);
    int32_t *first = NULL, *list = NULL, *graph = NULL, *neighbour = NULL;
    bool good = g->place && g->slot && g->scale && g->a_start && g->a_diagonal && g->l_start && g->row_start &&
                g->inverse && g->y && g->dropped && g->right && g->scaled;
    good = good && row_nodes(g, &first, &list) && node_graph(g, first, list, &graph, &neighbour) &&
           order_nodes(g, graph, neighbour) && analyse(g);
    for (int32_t j = 0, number = 0; good && j < columns; j++) {
        number = j > 0 && node[j] == node[j - 1] ? number + 1 : 0;
        g->slot[j] = g->width * g->place[node[j]] + number;
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
