/* Breadth-first search from ground along the rows, then from the first body of each group that no row joins to ground;
 * for elimination in reverse order. */
#include "solution/assembly/freedom.h"

#include <stdlib.h>
#include <string.h>

typedef struct Graph {
    RbvArena arena;
    int32_t *start, *row;  /* start[bodies + 2], row: the rows on each body */
    int32_t *queue, count; /* [bodies] in the order in which they are reached */
    int32_t *far;          /* [bodies] number of rows between each body and the start of the search */
    bool *met, *passed;    /* reached bodies [bodies]; used rows [rows] */
} Graph;

static void free_graph(Graph *g) {
    rbv_arena_clear(&g->arena);
}

/* Body at end `side` of term n. */
static int32_t body_of_term(const RbvSystem *system, int32_t n, int side) {
    const RbvModel *model = system->model;
    return model->markers.items[model->measures.items[system->terms[n].measure].marker[side]].body;
}

static bool build_graph(Graph *g, const RbvSystem *system) {
    size_t bodies = (size_t)system->bodies.count, rows = (size_t)system->row_count;
    g->start = rbv_arena_array(&g->arena, bodies + 2, sizeof *g->start);
    g->row = rbv_arena_alloc(&g->arena, (2 * (size_t)system->term_count + 1) * sizeof *g->row);
    g->queue = rbv_arena_alloc(&g->arena, bodies * sizeof *g->queue);
    g->far = rbv_arena_array(&g->arena, bodies, sizeof *g->far);
    g->met = rbv_arena_array(&g->arena, bodies, sizeof *g->met);
    g->passed = rbv_arena_array(&g->arena, rows + 1, sizeof *g->passed);
    if (!g->start || !g->row || !g->queue || !g->far || !g->met || !g->passed)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t k = 0; k < system->row_count; k++)
            for (int32_t n = 2 * system->rows[k].first; n < 2 * (system->rows[k].first + system->rows[k].count); n++) {
                int32_t body = body_of_term(system, n / 2, n % 2);
                if (pass == 0)
                    g->start[body + 2]++;
                else
                    g->row[g->start[body + 1]++] = k;
            }
        for (size_t b = 0; pass == 0 && b < bodies; b++)
            g->start[b + 2] += g->start[b + 1];
    }
    return true;
}

static void meet_body(Graph *g, int32_t body, int32_t far) {
    if (g->met[body])
        return;
    g->queue[g->count++] = body;
    g->far[body] = far;
    g->met[body] = true;
}

static void walk_outward(Graph *g, const RbvSystem *system, int32_t from) {
    int32_t next = g->count;
    for (meet_body(g, from, 0); next < g->count; next++) {
        int32_t body = g->queue[next];
        for (int32_t e = g->start[body]; e < g->start[body + 1]; e++) {
            const RbvRow *row = &system->rows[g->row[e]];
            for (int32_t n = 2 * row->first; !g->passed[g->row[e]] && n < 2 * (row->first + row->count); n++)
                meet_body(g, body_of_term(system, n / 2, n % 2), g->far[body] + 1);
            g->passed[g->row[e]] = true;
        }
    }
}

bool rbv_outward_places(const RbvSystem *system, int32_t *place) {
    const RbvBodyColumns *bodies = &system->bodies;
    Graph g = {0};
    bool good = build_graph(&g, system);
    int32_t at = 0;
    for (int32_t b = 0; good && b < bodies->count; b++)
        walk_outward(&g, system, b);
    for (int32_t k = g.count - 1; good && k >= 0; k--)
        for (int32_t c = bodies->start[g.queue[k]]; c < bodies->start[g.queue[k] + 1]; c++)
            place[c] = at++;
    free_graph(&g);
    return good;
}

typedef struct Placed {
    int32_t far;
    const char *name;
    int32_t index;
} Placed;

static int by_place(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    return x->far != y->far ? (x->far > y->far) - (x->far < y->far) : strcmp(x->name, y->name);
}

static void sort_placed(Placed *items, int32_t count, int32_t *order) {
    if (count > 1)
        qsort(items, (size_t)count, sizeof *items, by_place);
    for (int32_t k = 0; k < count; k++)
        order[k] = items[k].index;
}

bool rbv_outward_order(const RbvSystem *system, int32_t *joint, int32_t *body) {
    const RbvModel *model = system->model;
    int32_t bodies = model->bodies.count, joints = model->joints.count;
    Graph g = {0};
    Placed *items = malloc((size_t)(bodies + joints) * sizeof *items);
    bool good = build_graph(&g, system) && items;
    if (good) {
        walk_outward(&g, system, 0);
        for (int32_t b = 0; b < bodies; b++) {
            g.far[b] = g.met[b] ? g.far[b] : bodies;
            items[b] = (Placed){g.far[b], model->bodies.items[b].name, b};
        }
        sort_placed(items, bodies, body);
        for (int32_t k = 0; k < joints; k++) {
            const RbvJoint *j = &model->joints.items[k];
            int32_t one = g.far[model->markers.items[j->marker[0]].body],
                    other = g.far[model->markers.items[j->marker[1]].body];
            items[k] = (Placed){one < other ? one : other, j->name, k};
        }
        sort_placed(items, joints, joint);
    }
    free(items);
    free_graph(&g);
    return good;
}
