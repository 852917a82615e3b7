/* Biconnected blocks by an iterative depth-first search (Hopcroft and Tarjan), O(nodes + incidences). */
#include "solution/solvability/blocks.h"

#include "core/base/arena.h"

#include <string.h>

typedef struct Graph {
    int32_t node_count, edge_count;
    int32_t *from, *to;        /* [edges] body node, element node of each edge */
    int32_t *start, *incident; /* edges at each node */
} Graph;

/* Lists the bodies that an element's rows touch, each once; returns their number. mark[bodies]: last element seen. */
static int32_t element_bodies(const RbvSystem *system, const RbvElement *element, int32_t number, int32_t *mark,
                              int32_t *bodies) {
    const RbvModel *model = system->model;
    int32_t count = 0;
    for (int32_t k = element->first_row; k < element->first_row + element->row_count; k++)
        for (int32_t n = 0; n < 2 * system->rows[k].count; n++) {
            const RbvTerm *term = &system->terms[system->rows[k].first + n / 2];
            int32_t body = model->markers.items[model->measures.items[term->measure].marker[n % 2]].body;
            if (mark[body] != number) {
                mark[body] = number;
                bodies[count++] = body;
            }
        }
    return count;
}

/* Builds the graph in `work`. False: no memory. */
static bool build_graph(RbvArena *work, const RbvSystem *system, const RbvBlocks *blocks, Graph *graph) {
    int32_t bodies = system->model->bodies.count, most = 2 * system->term_count + 1;
    graph->node_count = bodies + blocks->element_count;
    graph->from = rbv_arena_array(work, (size_t)most, sizeof(int32_t));
    graph->to = rbv_arena_array(work, (size_t)most, sizeof(int32_t));
    graph->start = rbv_arena_array(work, (size_t)graph->node_count + 1, sizeof(int32_t));
    graph->incident = rbv_arena_array(work, 2 * (size_t)most, sizeof(int32_t));
    int32_t *mark = rbv_arena_array(work, (size_t)bodies + 1, sizeof *mark),
            *touched = rbv_arena_array(work, (size_t)bodies + 1, sizeof *touched),
            *next = rbv_arena_array(work, (size_t)graph->node_count + 1, sizeof *next);
    bool good = graph->from && graph->to && graph->start && graph->incident && mark && touched && next;
    if (good) {
        memset(mark, -1, (size_t)bodies * sizeof *mark);
        for (int32_t e = 0; e < blocks->element_count; e++) {
            int32_t count = element_bodies(system, &blocks->elements[e], e, mark, touched);
            for (int32_t n = 0; n < count; n++) {
                graph->from[graph->edge_count] = touched[n];
                graph->to[graph->edge_count++] = bodies + e;
            }
        }
        int32_t *start = graph->start;
        for (int32_t k = 0; k < graph->edge_count; k++) {
            start[graph->from[k] + 1]++;
            start[graph->to[k] + 1]++;
        }
        for (int32_t v = 0; v < graph->node_count; v++)
            start[v + 1] += start[v];
        memcpy(next, start, (size_t)graph->node_count * sizeof *next);
        for (int32_t k = 0; k < graph->edge_count; k++) {
            graph->incident[next[graph->from[k]]++] = k;
            graph->incident[next[graph->to[k]]++] = k;
        }
    }
    return good;
}

/* Labels the edges by biconnected component: component[edges]. False: no memory. */
static bool label_edges(RbvArena *work, const Graph *graph, int32_t *component, int32_t *component_count) {
    size_t nodes = (size_t)graph->node_count + 1, edges = (size_t)graph->edge_count + 1;
    int32_t *number = rbv_arena_array(work, nodes, sizeof *number), *low = rbv_arena_array(work, nodes, sizeof *low),
            *next = rbv_arena_array(work, nodes, sizeof *next);
    int32_t *path = rbv_arena_array(work, nodes, sizeof *path), *by = rbv_arena_array(work, nodes, sizeof *by),
            *stack = rbv_arena_array(work, edges, sizeof *stack);
    bool good = number && low && next && path && by && stack;
    int32_t clock = 0, depth = 0, height = 0, found = 0;
    if (good)
        memcpy(next, graph->start, (nodes - 1) * sizeof *next);
    for (int32_t root = 0; good && root < graph->node_count; root++) {
        if (number[root])
            continue;
        number[root] = low[root] = ++clock;
        by[root] = -1;
        path[depth++] = root;
        while (depth > 0) {
            int32_t v = path[depth - 1];
            if (next[v] < graph->start[v + 1]) {
                int32_t edge = graph->incident[next[v]++];
                int32_t w = graph->from[edge] == v ? graph->to[edge] : graph->from[edge];
                if (edge == by[v])
                    continue;
                if (!number[w]) {
                    number[w] = low[w] = ++clock;
                    by[w] = edge;
                    stack[height++] = edge;
                    path[depth++] = w;
                } else if (number[w] < number[v]) {
                    stack[height++] = edge;
                    low[v] = number[w] < low[v] ? number[w] : low[v];
                }
                continue;
            }
            depth--;
            if (by[v] < 0)
                continue;
            int32_t u = graph->from[by[v]] == v ? graph->to[by[v]] : graph->from[by[v]];
            low[u] = low[v] < low[u] ? low[v] : low[u];
            if (low[v] >= number[u]) {
                int32_t edge;
                do {
                    edge = stack[--height];
                    component[edge] = found;
                } while (edge != by[v]);
                found++;
            }
        }
    }
    *component_count = found;
    return good;
}

static int32_t find_root(int32_t *parent, int32_t k) {
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

/* Lists elements, rows and columns of each merged block. False: no memory. */
static bool gather_blocks(const RbvSystem *system, const Graph *graph, const int32_t *block_of_edge, RbvArena *work,
                          RbvArena *arena, RbvBlocks *blocks) {
    int32_t bodies = system->model->bodies.count;
    blocks->blocks = rbv_arena_alloc(arena, ((size_t)blocks->block_count + 1) * sizeof *blocks->blocks);
    if (!blocks->blocks)
        return false;
    for (int32_t k = 0; k < graph->edge_count; k++)
        blocks->elements[graph->to[k] - bodies].block = block_of_edge[k];
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t e = 0; e < blocks->element_count; e++) {
            RbvElement *element = &blocks->elements[e];
            RbvBlock *block = &blocks->blocks[element->block];
            if (pass == 1) {
                block->elements[block->element_count] = e;
                for (int32_t r = 0; r < element->row_count; r++)
                    block->rows[block->row_count + r] = element->first_row + r;
            }
            block->element_count++;
            block->row_count += element->row_count;
        }
        for (int32_t b = 0; b < blocks->block_count && pass == 0; b++) {
            RbvBlock *block = &blocks->blocks[b];
            block->elements = rbv_arena_alloc(arena, (size_t)block->element_count * sizeof(int32_t));
            block->rows = rbv_arena_alloc(arena, (size_t)block->row_count * sizeof(int32_t));
            if (!block->elements || !block->rows)
                return false;
            block->element_count = block->row_count = 0;
        }
    }
    /* Columns: bodies in ascending order for each block, from the incident edges of one body after the other. */
    for (int pass = 0; pass < 2; pass++) {
        int32_t *last = rbv_arena_array(work, (size_t)blocks->block_count + 1, sizeof *last);
        if (!last)
            return false;
        for (int32_t body = 1; body < bodies; body++)
            for (int32_t n = graph->start[body]; n < graph->start[body + 1]; n++) {
                int32_t b = block_of_edge[graph->incident[n]];
                if (last[b] == body)
                    continue;
                last[b] = body;
                for (int32_t c = system->bodies.start[body]; c < system->bodies.start[body + 1]; c++) {
                    if (pass == 1)
                        blocks->blocks[b].columns[blocks->blocks[b].column_count] = c;
                    blocks->blocks[b].column_count++;
                }
            }
        for (int32_t b = 0; b < blocks->block_count && pass == 0; b++) {
            blocks->blocks[b].columns =
                rbv_arena_alloc(arena, ((size_t)blocks->blocks[b].column_count + 1) * sizeof(int32_t));
            if (!blocks->blocks[b].columns)
                return false;
            blocks->blocks[b].column_count = 0;
        }
    }
    return true;
}

/* Lists the elements with active rows. False: no memory. */
static bool list_elements(const RbvSystem *system, const bool *active, RbvArena *arena, RbvBlocks *blocks) {
    const RbvModel *model = system->model;
    int32_t count = model->joints.count + model->constraints.count + model->drives.count + 2 * model->stops.count +
                    RBV_MOST_SLIP_DIRECTIONS * system->friction_count,
            e = 0;
    blocks->elements = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *blocks->elements);
    if (!blocks->elements)
        return false;
    for (int32_t k = 0; k < model->joints.count; k++)
        if (system->joint_row[k + 1] > system->joint_row[k] &&
            (!active || active[system->joint_row[k]])) /* a joint without rows connects nothing */
            blocks->elements[e++] = (RbvElement){RBV_OWNER_JOINT, k, system->joint_row[k],
                                                 system->joint_row[k + 1] - system->joint_row[k], 0};
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (!active || active[system->constraint_row[k]])
            blocks->elements[e++] = (RbvElement){RBV_OWNER_CONSTRAINT, k, system->constraint_row[k], 1, 0};
    for (int32_t k = 0; k < model->drives.count; k++)
        if (!active || active[system->drive_row[k]])
            blocks->elements[e++] = (RbvElement){RBV_OWNER_DRIVE, k, system->drive_row[k], 1, 0};
    for (int32_t k = 0; active && k < 2 * model->stops.count; k++)
        if (system->stop_row[k] >= 0 && active[system->stop_row[k]])
            blocks->elements[e++] = (RbvElement){RBV_OWNER_STOP, k / 2, system->stop_row[k], 1, 0};
    for (int32_t k = 0; active && k < system->row_count; k++)
        if (system->rows[k].owner == RBV_OWNER_STICK && active[k])
            blocks->elements[e++] = (RbvElement){RBV_OWNER_STICK, system->rows[k].index, k, 1, 0};
    blocks->element_count = e;
    return true;
}

bool rbv_blocks_create(const RbvSystem *system, const bool *active, RbvArena *arena, RbvBlocks *blocks) {
    RbvArena work = {0};
    Graph graph = {0};
    memset(blocks, 0, sizeof *blocks);
    if (!list_elements(system, active, arena, blocks))
        return false;
    bool good = build_graph(&work, system, blocks, &graph);
    int32_t components = 0, bodies = system->model->bodies.count;
    int32_t *component = good ? rbv_arena_array(&work, (size_t)graph.edge_count + 1, sizeof *component) : NULL;
    good = component && label_edges(&work, &graph, component, &components);
    int32_t *parent = good ? rbv_arena_array(&work, (size_t)components + 1, sizeof *parent) : NULL;
    int32_t *name = parent ? rbv_arena_array(&work, (size_t)components + 1, sizeof *name) : NULL;
    good = good && name;
    if (good) {
        for (int32_t c = 0; c < components; c++) {
            parent[c] = c;
            name[c] = -1;
        }
        for (int32_t e = 0; e < blocks->element_count; e++) /* merges the components of an element's edges */
            for (int32_t n = graph.start[bodies + e] + 1; n < graph.start[bodies + e + 1]; n++)
                parent[find_root(parent, component[graph.incident[n]])] =
                    find_root(parent, component[graph.incident[n - 1]]);
        for (int32_t k = 0; k < graph.edge_count; k++) {
            int32_t root = find_root(parent, component[k]);
            if (name[root] < 0)
                name[root] = blocks->block_count++;
            component[k] = name[root];
        }
        good = gather_blocks(system, &graph, component, &work, arena, blocks);
    }
    rbv_arena_clear(&work);
    return good;
}
