/* The pattern of a motion's Jacobian from rows and loads; see implicit_pattern.h. */
#include "dynamics/implicit_pattern.h"

#include "element/configuration.h"

#include <stdlib.h>
#include <string.h>

/* More entries for each unknown than this are dense to KLU. */
#define MOST_ENTRIES 120

typedef struct Pairs {
    const RbvModel *model;
    int32_t *root;     /* [bodies] union of bodies that rows tie together */
    int32_t *seen;     /* [bodies] those of the load of now */
    int32_t seen_count;
    uint64_t *pair;    /* roots that meet in a load, both ways */
    size_t count, capacity;
    bool no_memory;
} Pairs;

static int32_t find(int32_t *root, int32_t k) {
    while (root[k] != k)
        k = root[k] = root[root[k]];
    return k;
}

static int32_t body_of(const RbvModel *model, int32_t marker) {
    return model->markers.items[marker].body;
}

/* The bodies of each row become one; ground joins nothing. */
static void unite(const RbvSystem *system, int32_t *root) {
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        int32_t first = 0;
        for (int32_t n = 2 * row->first; n < 2 * (row->first + row->count); n++) {
            int32_t body = body_of(model, model->measures.items[system->terms[n / 2].measure].marker[n % 2]);
            if (body > 0 && first > 0)
                root[find(root, body)] = find(root, first);
            first = first > 0 ? first : body;
        }
    }
}

static void see(Pairs *p, int32_t marker) {
    int32_t body = marker >= 0 ? body_of(p->model, marker) : 0;
    if (body > 0)
        p->seen[p->seen_count++] = find(p->root, body);
}

static void see_measure(Pairs *p, int32_t measure) {
    see(p, p->model->measures.items[measure].marker[0]);
    see(p, p->model->measures.items[measure].marker[1]);
}

static void add_pair(Pairs *p, int32_t a, int32_t b) {
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 256;
        uint64_t *grown = realloc(p->pair, capacity * sizeof *grown);
        p->no_memory = !grown;
        if (!grown)
            return;
        p->pair = grown;
        p->capacity = capacity;
    }
    p->pair[p->count++] = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

/* What a load reads besides its markers. False: what has no pattern. */
static bool see_values(Pairs *p, const RbvLoad *load) {
    bool everywhere = load->kind == RBV_LOAD_FIELD || load->kind == RBV_LOAD_ROTATING_FRAME;
    for (int c = 0; c < 3; c++)
        for (int32_t v = 0; load->value[c] && v < rbv_expr_variable_count(load->value[c]); v++) {
            RbvVariable variable = rbv_variable_of(p->model, load->value[c], v);
            bool own = variable.kind == RBV_VARIABLE_TIME || variable.kind == RBV_VARIABLE_LENGTH || variable.kind == RBV_VARIABLE_PLACE;
            if (!own && (variable.kind != RBV_VARIABLE_COORDINATE || everywhere || p->seen_count > 16))
                return false;
            if (!own)
                see_measure(p, variable.index);
        }
    return true;
}

/* All pairs of what one load looks at. */
static bool see_load(Pairs *p, const RbvLoad *load) {
    p->seen_count = 0;
    for (int side = 0; side < 2; side++)
        see(p, load->marker[side]);
    for (int32_t k = 0; k < load->measure_count; k++)
        see_measure(p, load->measure[k]);
    if (!see_values(p, load))
        return false;
    for (int32_t a = 0; a < p->seen_count; a++)
        for (int32_t b = 0; b < p->seen_count && !p->no_memory; b++)
            add_pair(p, p->seen[a], p->seen[b]);
    return true;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Each pair once, ascending; every root with itself. */
static void sort_pairs(Pairs *p) {
    size_t kept = 0;
    for (int32_t b = 1; b < p->model->bodies.count && !p->no_memory; b++)
        if (find(p->root, b) == b)
            add_pair(p, b, b);
    if (p->no_memory || p->count == 0)
        return;
    qsort(p->pair, p->count, sizeof *p->pair, by_value);
    for (size_t k = 0; k < p->count; k++)
        if (k == 0 || p->pair[k] != p->pair[k - 1])
            p->pair[kept++] = p->pair[k];
    p->count = kept;
}

/* The unknowns of each root: positions and rates of its bodies. first[bodies + 1], list[size]. */
static void list_unknowns(const RbvFlow *flow, Pairs *p, int32_t *first, int32_t *list, int32_t *column) {
    const RbvCoordinates *coordinates = &flow->system->coordinates;
    int32_t bodies = p->model->bodies.count, at = 0;
    for (int32_t root = 0; root < bodies; root++)
        first[root + 1] = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t b = 1; b < bodies; b++) {
            int32_t root = find(p->root, b), begin, q = coordinates->kind->positions(coordinates, b, &begin), v = coordinates->kind->columns(coordinates, b, column);
            if (pass == 0) {
                first[root + 1] += q + v;
                continue;
            }
            for (int32_t k = 0; k < q; k++)
                list[first[root]++] = begin + k;
            for (int32_t k = 0; k < v; k++)
                list[first[root]++] = flow->positions + column[k];
        }
        for (int32_t root = 0; root < bodies && pass == 0; root++) {
            int32_t count = first[root + 1];
            first[root] = at;
            at += count;
        }
    }
    memmove(first + 1, first, (size_t)bodies * sizeof *first); /* each has been moved to its end */
    first[0] = 0;
}

/* Rows of pattern from pairs of roots. The work depends on everything, but nothing on it, and whole turns have no rate: their rows have a diagonal alone. */
static bool fill(const RbvFlow *flow, const Pairs *p, const int32_t *first, const int32_t *list, RbvRadauPattern *pattern) {
    size_t entries = (size_t)flow->size; /* room for diagonals */
    for (size_t k = 0; k < p->count; k++) {
        int32_t a = (int32_t)(p->pair[k] >> 32), b = (int32_t)(p->pair[k] & 0xffffffffu);
        entries += (size_t)(first[a + 1] - first[a]) * (size_t)(first[b + 1] - first[b]);
    }
    if (entries > (size_t)MOST_ENTRIES * (size_t)flow->size)
        return true;
    int32_t *start = calloc((size_t)flow->size + 2, sizeof *start), *column = malloc((entries + 1) * sizeof *column);
    for (int pass = 0; start && column && pass < 2; pass++) {
        for (size_t k = 0; k < p->count; k++) {
            int32_t a = (int32_t)(p->pair[k] >> 32), b = (int32_t)(p->pair[k] & 0xffffffffu);
            for (int32_t i = first[a]; i < first[a + 1]; i++)
                for (int32_t j = first[b]; j < first[b + 1]; j++)
                    if (pass == 0)
                        start[list[i] + 2]++;
                    else
                        column[start[list[i] + 1]++] = list[j];
        }
        for (int32_t i = 0; i < flow->size && pass == 0; i++)
            start[i + 2] = start[i + 1] + (start[i + 2] > 0 ? start[i + 2] : 1);
        for (int32_t i = 0; i < flow->size && pass == 1; i++)
            if (start[i + 1] == start[i]) /* no pair has been here */
                column[start[i + 1]++] = i;
    }
    *pattern = (RbvRadauPattern){start, column};
    return start && column;
}

static bool has_pattern(const RbvFlow *flow) {
    const RbvModel *model = flow->system->model;
    return flow->system->coordinates.kind->positions && flow->own == 0 && !flow->tracking && flow->sliding.count == 0 && flow->slipping.count == 0 && model->nonideals.count == 0 && model->generalized.count == 0;
}

/* Room for the load that sees most: two markers, the measures of a bushing, and what its values read. */
#define MOST_SEEN 40

bool rbv_implicit_pattern(const RbvFlow *flow, RbvRadauPattern *pattern) {
    const RbvModel *model = flow->system->model;
    size_t bodies = (size_t)model->bodies.count;
    *pattern = (RbvRadauPattern){0};
    if (!has_pattern(flow))
        return true;
    int32_t seen[MOST_SEEN], *first = malloc((bodies + 2) * sizeof *first), *list = malloc(((size_t)flow->size + 1) * sizeof *list), *column = malloc(((size_t)flow->n + 1) * sizeof *column);
    Pairs p = {.model = model, .root = malloc((bodies + 1) * sizeof *p.root), .seen = seen};
    bool good = first && list && column && p.root, fits = true;
    for (int32_t b = 0; good && b < model->bodies.count; b++)
        p.root[b] = b;
    if (good)
        unite(flow->system, p.root);
    for (int32_t k = 0; good && fits && k < model->loads.count; k++)
        fits = see_load(&p, &model->loads.items[k]);
    if (good && fits)
        sort_pairs(&p);
    good = good && !p.no_memory;
    if (good && fits) {
        list_unknowns(flow, &p, first, list, column);
        good = fill(flow, &p, first, list, pattern);
    }
    if (!good) {
        free(pattern->start);
        free(pattern->column);
        *pattern = (RbvRadauPattern){0};
    }
    free(first);
    free(list);
    free(column);
    free(p.root);
    free(p.pair);
    return good;
}
