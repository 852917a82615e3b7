/* Matching by Karp and Sipser: a row or column with one free neighbour is matched with it, which never makes the
 * matching smaller; if there is none, any row is matched with its free neighbour of least degree. Linear in the number
 * of entries. In a tree of joints the first rule alone finds a perfect matching, from the ends inwards. */
#include "core/linalg/pattern.h"

#include <stdlib.h>
#include <string.h>

/* Vertices: rows 0 ... n-1, columns n ... 2n-1. */
typedef struct Graph {
    int32_t n, entries;
    const int32_t *start, *index; /* entries of rows */
    int32_t *begin, *row;         /* entries of columns: begin[n+1], row of each entry */
    int32_t *degree;              /* [2n] number of free neighbours; 0 for a matched vertex */
    bool *matched;                /* [2n] */
    int32_t *queue, head, tail;   /* [2n] vertices of degree 1 */
    int32_t *match;
} Graph;

static void free_graph(Graph *g) {
    free(g->begin);
    free(g->row);
    free(g->degree);
    free(g->matched);
    free(g->queue);
}

static bool build(Graph *g) {
    size_t n = (size_t)g->n, vertices = 2 * n + 1;
    g->begin = calloc(n + 2, sizeof *g->begin);
    g->row = malloc(((size_t)g->entries + 1) * sizeof *g->row);
    g->degree = calloc(vertices, sizeof *g->degree);
    g->matched = calloc(vertices, sizeof *g->matched);
    g->queue = malloc(vertices * sizeof *g->queue);
    if (!g->begin || !g->row || !g->degree || !g->matched || !g->queue)
        return false;
    for (int32_t k = 0; k < g->entries; k++)
        g->begin[g->index[k] + 2]++;
    for (int32_t c = 0; c < g->n; c++)
        g->begin[c + 2] += g->begin[c + 1];
    for (int32_t i = 0; i < g->n; i++)
        for (int32_t k = g->start[i]; k < g->start[i + 1]; k++)
            g->row[g->begin[g->index[k] + 1]++] = i;
    for (int32_t i = 0; i < g->n; i++) {
        g->degree[i] = g->start[i + 1] - g->start[i];
        g->degree[g->n + i] = g->begin[i + 1] - g->begin[i];
        g->match[i] = -1;
    }
    return true;
}

static void ask(Graph *g, int32_t vertex) {
    if (!g->matched[vertex] && g->degree[vertex] == 1)
        g->queue[g->tail++] = vertex;
}

/* First index of the neighbours of a vertex, the end of these indices (last_of), and the neighbour at index k
 * (neighbour). */
static int32_t first_of(const Graph *g, int32_t vertex) {
    return vertex < g->n ? g->start[vertex] : g->begin[vertex - g->n];
}

static int32_t last_of(const Graph *g, int32_t vertex) {
    return vertex < g->n ? g->start[vertex + 1] : g->begin[vertex - g->n + 1];
}

static int32_t neighbour(const Graph *g, int32_t vertex, int32_t k) {
    return vertex < g->n ? g->n + g->index[k] : g->row[k];
}

/* Mark a vertex as matched: each neighbour loses one free neighbour. */
static void take_out(Graph *g, int32_t vertex) {
    g->matched[vertex] = true;
    for (int32_t k = first_of(g, vertex); k < last_of(g, vertex); k++) {
        int32_t other = neighbour(g, vertex, k);
        g->degree[other]--;
        ask(g, other);
    }
}

/* Match a vertex with its free neighbour of least degree, if there is one. */
static void match_one(Graph *g, int32_t vertex) {
    int32_t best = -1;
    for (int32_t k = first_of(g, vertex); k < last_of(g, vertex); k++) {
        int32_t other = neighbour(g, vertex, k);
        if (!g->matched[other] && (best < 0 || g->degree[other] < g->degree[best]))
            best = other;
    }
    if (best < 0)
        return;
    int32_t row = vertex < g->n ? vertex : best, column = vertex + best - row - g->n;
    for (int32_t k = g->start[row]; k < g->start[row + 1]; k++)
        if (g->index[k] == column)
            g->match[row] = k;
    g->matched[vertex] = g->matched[best] = true;
    take_out(g, vertex);
    take_out(g, best);
}

static void drain(Graph *g) {
    while (g->head < g->tail) {
        int32_t vertex = g->queue[g->head++];
        if (!g->matched[vertex])
            match_one(g, vertex);
    }
}

bool rbv_match_rows(int32_t n, const int32_t *start, const int32_t *index, int32_t *match) {
    Graph g = {.n = n, .entries = start[n], .start = start, .index = index, .match = match};
    bool good = build(&g);
    for (int32_t v = 0; good && v < 2 * n; v++)
        ask(&g, v);
    if (good)
        drain(&g);
    for (int32_t i = 0; good && i < n; i++)
        if (!g.matched[i]) {
            match_one(&g, i);
            drain(&g);
        }
    free_graph(&g);
    return good;
}

/* --- groups: each column goes into the first group that has none of its rows yet --- */

int32_t rbv_group_columns(int32_t n, const int32_t *start, const int32_t *column, int32_t *group, int32_t *taken) {
    int32_t count = 0; /* taken[group]: index + 1 of the last column that conflicts with the group */
    memset(taken, 0, ((size_t)n + 1) * sizeof *taken);
    for (int32_t j = 0; j < n; j++)
        group[j] = -1;
    for (int32_t j = 0; j < n; j++) {
        for (int32_t e = start[j]; e < start[j + 1]; e++) /* rows of column j, and the columns with these rows */
            for (int32_t f = start[column[e]]; f < start[column[e] + 1]; f++)
                if (group[column[f]] >= 0)
                    taken[group[column[f]]] = j + 1;
        int32_t g = 0;
        while (taken[g] == j + 1)
            g++;
        group[j] = g;
        count = g >= count ? g + 1 : count;
    }
    return count;
}

/* --- signs: each cycle of even length turns the sign --- */

int rbv_permutation_sign(int32_t n, const int32_t *order, double *visited) {
    int sign = 1;
    for (int32_t i = 0; i < n; i++)
        visited[i] = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t length = 0;
        for (int32_t j = i; visited[j] == 0; j = order[j]) {
            visited[j] = 1;
            length++;
        }
        if (length > 0 && length % 2 == 0)
            sign = -sign;
    }
    return sign;
}
