/* Neighbours by rows and loads; see neighbours.h. */
#include "dynamics/integration/neighbours.h"

#include "dynamics/accelerations/saddle.h"
#include "mechanics/element/configuration.h"

#include <stdlib.h>
#include <string.h>

/* Number of pairs per body above which the system is dense. */
#define MOST_PAIRS 64
/* A load whose values involve more bodies than MOST_READ counts as coupled to all bodies. MOST_SEEN: workspace for the
 * load that involves most: two markers, the measures of a bushing, and its values. */
#define MOST_READ 16
#define MOST_SEEN 40

typedef struct Pairs {
    const RbvModel *model;
    int32_t *seen; /* [bodies] bodies of the present row or load */
    int32_t seen_count;
    uint64_t *pair; /* pairs of coupled bodies, in both orders */
    size_t count, capacity;
    bool no_memory, too_many;
} Pairs;

static void see_body(Pairs *p, int32_t body) {
    for (int32_t k = 0; k < p->seen_count; k++)
        if (p->seen[k] == body)
            return;
    if (body > 0)
        p->seen[p->seen_count++] = body;
}

static void see(Pairs *p, int32_t marker) {
    if (marker >= 0)
        see_body(p, p->model->markers.items[marker].body);
}

static void see_measure(Pairs *p, int32_t measure) {
    see(p, p->model->measures.items[measure].marker[0]);
    see(p, p->model->measures.items[measure].marker[1]);
}

static void add_pair(Pairs *p, int32_t a, int32_t b) {
    if (p->count == p->capacity) {
        size_t capacity = p->capacity ? 2 * p->capacity : 256;
        p->too_many = capacity > 2 * MOST_PAIRS * (size_t)p->model->bodies.count + 256;
        uint64_t *grown = p->too_many ? NULL : realloc(p->pair, capacity * sizeof *grown);
        p->no_memory = !grown && !p->too_many;
        if (!grown)
            return;
        p->pair = grown;
        p->capacity = capacity;
    }
    p->pair[p->count++] = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
}

/* Adds all pairs of the bodies seen. */
static void join(Pairs *p) {
    for (int32_t a = 0; a < p->seen_count; a++)
        for (int32_t b = 0; b < p->seen_count && !p->no_memory && !p->too_many; b++)
            add_pair(p, p->seen[a], p->seen[b]);
    p->seen_count = 0;
}

/* Adds the bodies that a load reads besides its markers. False: they may be any bodies. */
static bool see_values(Pairs *p, const RbvLoad *load) {
    bool everywhere = load->kind == RBV_LOAD_FIELD || load->kind == RBV_LOAD_ROTATING_FRAME;
    for (int c = 0; c < 3; c++)
        for (int32_t v = 0; load->value[c] && v < rbv_expr_variable_count(load->value[c]); v++) {
            RbvVariable variable = rbv_variable_of(p->model, load->value[c], v);
            bool own = variable.kind == RBV_VARIABLE_TIME || variable.kind == RBV_VARIABLE_LENGTH ||
                       variable.kind == RBV_VARIABLE_PLACE;
            if (!own && (variable.kind != RBV_VARIABLE_COORDINATE || everywhere || p->seen_count > MOST_READ))
                return false;
            if (!own)
                see_measure(p, variable.index);
        }
    return true;
}

static bool see_load(Pairs *p, const RbvLoad *load) {
    for (int side = 0; side < 2; side++)
        see(p, load->marker[side]);
    for (int32_t k = 0; k < load->measure_count; k++)
        see_measure(p, load->measure[k]);
    bool known = see_values(p, load);
    join(p);
    return known;
}

/* Adds the bodies whose columns each row of a pattern has; of[columns]: body of each column. */
static void see_rows(Pairs *p, const RbvRowPattern *pattern, int32_t rows, const int32_t *of) {
    for (int32_t k = 0; k < rows && !p->no_memory && !p->too_many; k++) {
        for (int32_t e = pattern->start[k]; e < pattern->start[k + 1]; e++)
            see_body(p, of[pattern->column[e]]);
        join(p);
    }
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Lists each pair once, ascending. False: out of memory. */
static bool list_pairs(Pairs *p, RbvNeighbours *neighbours) {
    int32_t bodies = p->model->bodies.count;
    neighbours->start = calloc((size_t)bodies + 2, sizeof *neighbours->start);
    neighbours->list = malloc((p->count + 1) * sizeof *neighbours->list);
    if (!neighbours->start || !neighbours->list)
        return false;
    if (p->count > 0)
        qsort(p->pair, p->count, sizeof *p->pair, by_value);
    int32_t at = 0;
    for (size_t k = 0; k < p->count; k++) {
        if (k > 0 && p->pair[k] == p->pair[k - 1])
            continue;
        neighbours->start[(p->pair[k] >> 32) + 1]++;
        neighbours->list[at++] = (int32_t)(p->pair[k] & 0xffffffffu);
    }
    for (int32_t b = 0; b < bodies; b++)
        neighbours->start[b + 1] += neighbours->start[b];
    return true;
}

static bool has_neighbours(const RbvFlow *flow) {
    const RbvModel *model = flow->system->model;
    return flow->system->coordinates.kind->position_columns && flow->own == 0 && !flow->tracking &&
           flow->sliding.count == 0 && flow->slipping.count == 0 && model->nonideals.count == 0 &&
           model->generalized.count == 0;
}

/* Finds of[n]: the body that each entry of v moves. */
static void find_owners(const RbvFlow *flow, int32_t *column, int32_t *of) {
    const RbvCoordinates *coordinates = &flow->system->coordinates;
    for (int32_t b = 1; b < flow->system->bodies.count; b++) {
        int32_t count = coordinates->kind->columns(coordinates, b, column);
        for (int32_t k = 0; k < count; k++)
            of[column[k]] = b;
    }
}

bool rbv_neighbours_find(const RbvFlow *flow, RbvNeighbours *neighbours) {
    const RbvSystem *system = flow->system;
    const RbvModel *model = system->model;
    *neighbours = (RbvNeighbours){0};
    if (!has_neighbours(flow))
        return true;
    size_t columns = (size_t)flow->n + 1, bodies = (size_t)model->bodies.count;
    int32_t *column = malloc(columns * sizeof *column), *of = calloc(columns, sizeof *of);
    Pairs p = {.model = model, .seen = malloc((bodies + MOST_SEEN) * sizeof *p.seen)};
    bool good = column && of && p.seen, known = true;
    if (good) {
        const RbvMassMatrix *mass = rbv_saddle_mass(flow->saddle);
        find_owners(flow, column, of);
        see_rows(&p, &mass->pattern, flow->n, of);
        see_rows(&p, &system->C, system->row_count, of);
    }
    for (int32_t k = 0; good && known && k < model->loads.count && !p.no_memory && !p.too_many; k++)
        known = see_load(&p, &model->loads.items[k]);
    good = good && !p.no_memory && (!known || p.too_many || list_pairs(&p, neighbours));
    if (!good) {
        free(neighbours->start);
        free(neighbours->list);
        *neighbours = (RbvNeighbours){0};
    }
    free(column);
    free(of);
    free(p.seen);
    free(p.pair);
    return good;
}
