/* Pattern of the sparse Newton matrix; see implicit_layout.h. */
#include "dynamics/integration/implicit_layout.h"

#include "core/linalg/grouping.h"

#include <stdlib.h>
#include <string.h>

/* Most groups of bodies: each needs one evaluation for every unknown of a body. */
#define MOST_GROUPS 200

typedef struct Builder {
    RbvImplicitLayout *to;
    const RbvNeighbours *neighbours;
    const RbvRowPattern *M, *C;
    int32_t *owner; /* [positions + n] body of each unknown; 0: none, the unknown counts whole turns */
    int32_t *of_start, *of_entry, *of_row; /* [n + 1] columns of C: first entry, entries, rows */
    int32_t *where;                        /* [total] place of each column's entry in the row that is built */
    int32_t *seen;                         /* [bodies] 1 + the last row that contains the body */
    int32_t row, at;
    bool fills;
} Builder;

/* Lists the unknowns q and v of each body, and the body of each unknown. */
static bool list_unknowns(Builder *b, const RbvFlow *flow) {
    RbvImplicitLayout *to = b->to;
    const RbvCoordinates *coordinates = &flow->system->coordinates;
    int32_t *column = rbv_arena_alloc(&to->arena, ((size_t)to->n + 1) * sizeof *column), at = 0;
    to->first = rbv_arena_alloc(&to->arena, ((size_t)to->bodies + 2) * sizeof *to->first);
    to->unknown = rbv_arena_alloc(&to->arena, ((size_t)to->positions + (size_t)to->n + 1) * sizeof *to->unknown);
    if (!column || !to->first || !to->unknown)
        return false;
    to->first[0] = to->first[1] = 0;
    for (int32_t body = 1; body < to->bodies; body++) {
        int32_t begin, q = coordinates->kind->position_columns(coordinates, body, &begin),
                       v = coordinates->kind->columns(coordinates, body, column);
        for (int32_t k = 0; k < q; k++)
            to->unknown[at++] = begin + k;
        for (int32_t k = 0; k < v; k++)
            to->unknown[at++] = to->positions + column[k];
        for (int32_t k = to->first[body]; k < at; k++)
            b->owner[to->unknown[k]] = body;
        to->first[body + 1] = at;
        to->most = q + v > to->most ? q + v : to->most;
    }
    return true;
}

/* Lists the entries of C by columns. */
static void transpose(Builder *b) {
    const RbvRowPattern *C = b->C;
    int32_t rows = b->to->rows;
    for (int32_t e = 0; e < C->start[rows]; e++)
        b->of_start[C->column[e] + 1]++;
    for (int32_t j = 0; j < b->to->n; j++)
        b->of_start[j + 1] += b->of_start[j];
    for (int32_t k = 0; k < rows; k++)
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            int32_t to = b->of_start[C->column[e]]++;
            b->of_entry[to] = e;
            b->of_row[to] = k;
        }
    memmove(b->of_start + 1, b->of_start,
            (size_t)b->to->n * sizeof *b->of_start); /* each start has moved to its column's end */
    b->of_start[0] = 0;
}

static void put(Builder *b, int32_t column) {
    if (b->fills)
        b->to->index[b->at] = column;
    b->where[column] = b->at++;
}

/* Adds q and v of a body to the row, without the diagonal, which is there already. */
static void put_body(Builder *b, int32_t body) {
    for (int32_t k = b->to->first[body]; k < b->to->first[body + 1]; k++)
        if (b->to->unknown[k] != b->row)
            put(b, b->to->unknown[k]);
}

static void put_rate_row(Builder *b, int32_t i) {
    RbvImplicitLayout *to = b->to;
    int32_t body = b->owner[to->positions + i];
    for (int32_t k = b->neighbours->start[body]; k < b->neighbours->start[body + 1]; k++)
        put_body(b, b->neighbours->list[k]);
    for (int32_t e = b->M->start[i]; b->fills && e < b->M->start[i + 1]; e++)
        to->mass_at[e] = b->where[to->positions + b->M->column[e]];
    for (int32_t k = b->of_start[i]; k < b->of_start[i + 1]; k++) {
        put(b, to->positions + to->n + b->of_row[k]);
        if (b->fills)
            to->at_transposed[b->of_entry[k]] = b->at - 1;
    }
}

static void put_constraint_row(Builder *b, int32_t k) {
    RbvImplicitLayout *to = b->to;
    for (int32_t e = b->C->start[k]; e < b->C->start[k + 1]; e++) {
        int32_t body = b->owner[to->positions + b->C->column[e]];
        if (b->seen[body] != b->row + 1)
            put_body(b, body);
        b->seen[body] = b->row + 1;
        if (b->fills)
            to->at[e] = b->where[to->positions + b->C->column[e]];
    }
}

static void put_rows(Builder *b) {
    RbvImplicitLayout *to = b->to;
    b->at = 0;
    memset(b->seen, 0, (size_t)to->bodies * sizeof *b->seen);
    for (b->row = 0; b->row < to->total; b->row++) {
        to->start[b->row] = b->at;
        put(b, b->row);
        if (b->row < to->positions && b->owner[b->row] > 0)
            put_body(b, b->owner[b->row]);
        else if (b->row >= to->positions + to->n)
            put_constraint_row(b, b->row - to->positions - to->n);
        else if (b->row >= to->positions)
            put_rate_row(b, b->row - to->positions);
    }
    to->start[to->total] = b->at;
}

/* Is the entry a derivative, and not a constant? */
static bool is_differentiated(const Builder *b, int32_t row, int32_t column) {
    int32_t unknowns = b->to->positions + b->to->n;
    return column < unknowns && b->owner[column] > 0 && (row >= unknowns || b->owner[row] > 0);
}

static bool list_columns(Builder *b) {
    RbvImplicitLayout *to = b->to;
    int32_t unknowns = to->positions + to->n;
    to->column_start = rbv_arena_array(&to->arena, (size_t)unknowns + 2, sizeof *to->column_start);
    to->column_row = rbv_arena_alloc(&to->arena, ((size_t)to->start[to->total] + 1) * sizeof(int32_t));
    to->column_entry = rbv_arena_alloc(&to->arena, ((size_t)to->start[to->total] + 1) * sizeof(int32_t));
    if (!to->column_start || !to->column_row || !to->column_entry)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < to->total; i++)
            for (int32_t e = to->start[i]; e < to->start[i + 1]; e++) {
                int32_t j = to->index[e];
                if (!is_differentiated(b, i, j))
                    continue;
                if (pass == 0) {
                    to->column_start[j + 2]++;
                    continue;
                }
                to->column_row[to->column_start[j + 1]] = i;
                to->column_entry[to->column_start[j + 1]++] = e;
            }
        for (int32_t j = 0; j < unknowns && pass == 0; j++)
            to->column_start[j + 2] += to->column_start[j + 1];
    }
    return true;
}

static bool build(Builder *b, const RbvFlow *flow, bool *fits) {
    RbvImplicitLayout *to = b->to;
    size_t unknowns = (size_t)to->positions + (size_t)to->n, entries = (size_t)b->C->start[to->rows],
           bodies = (size_t)to->bodies;
    b->owner = rbv_arena_array(&to->arena, unknowns + 1, sizeof(int32_t));
    b->of_start = rbv_arena_array(&to->arena, (size_t)to->n + 2, sizeof(int32_t));
    b->of_entry = rbv_arena_alloc(&to->arena, (entries + 1) * sizeof(int32_t));
    b->of_row = rbv_arena_alloc(&to->arena, (entries + 1) * sizeof(int32_t));
    b->where = rbv_arena_alloc(&to->arena, ((size_t)to->total + 1) * sizeof(int32_t));
    b->seen = rbv_arena_alloc(&to->arena, (bodies + 1) * sizeof(int32_t));
    to->start = rbv_arena_alloc(&to->arena, ((size_t)to->total + 2) * sizeof(int32_t));
    to->mass_at = rbv_arena_alloc(&to->arena, ((size_t)b->M->start[to->n] + 1) * sizeof(int32_t));
    to->at = rbv_arena_alloc(&to->arena, (entries + 1) * sizeof(int32_t));
    to->at_transposed = rbv_arena_alloc(&to->arena, (entries + 1) * sizeof(int32_t));
    to->group = rbv_arena_alloc(&to->arena, (bodies + 1) * sizeof(int32_t));
    if (!b->owner || !b->of_start || !b->of_entry || !b->of_row || !b->where || !b->seen || !to->start ||
        !to->mass_at || !to->at || !to->at_transposed || !to->group || !list_unknowns(b, flow))
        return false;
    to->groups = rbv_group_columns(to->bodies, b->neighbours->start, b->neighbours->list, to->group, b->seen);
    *fits = to->groups <= MOST_GROUPS;
    if (!*fits)
        return true;
    transpose(b);
    put_rows(b);
    to->index = rbv_arena_alloc(&to->arena, ((size_t)b->at + 1) * sizeof(int32_t));
    if (!to->index)
        return false;
    b->fills = true;
    put_rows(b);
    return list_columns(b);
}

bool rbv_implicit_layout_create(RbvImplicitLayout *layout, const RbvFlow *flow, bool *fits) {
    const RbvSystem *system = flow->system;
    *layout = (RbvImplicitLayout){.positions = flow->positions,
                                  .n = flow->n,
                                  .rows = system->row_count,
                                  .total = flow->positions + flow->n + system->row_count,
                                  .bodies = system->bodies.count};
    RbvNeighbours neighbours;
    bool good = rbv_neighbours_find(flow, &neighbours);
    *fits = good && neighbours.start;
    Builder builder = {
        .to = layout, .neighbours = &neighbours, .M = &rbv_saddle_mass(flow->saddle)->pattern, .C = &system->C};
    if (*fits)
        good = build(&builder, flow, fits);
    free(neighbours.start);
    free(neighbours.list);
    return good;
}

void rbv_implicit_layout_destroy(RbvImplicitLayout *layout) {
    rbv_arena_clear(&layout->arena);
}
