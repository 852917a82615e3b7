/* Sparse Newton matrix of the implicit method: which bodies are coupled, the pattern, the entries and the solutions;
 * see implicit_system.h. */
#include "dynamics/integration/implicit_system.h"

#include "core/linalg/lu.h"
#include "core/linalg/pattern.h"
#include "mechanics/element/configuration.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- coupled bodies ----
 *
 * Finds which bodies are coupled in the equations of motion (flow.h): by a common constraint row, by a load and all
 * that the load depends on, by the rotor of a drive. With accelerations and multipliers fixed, the forces on a body
 * depend on the positions and velocities of its neighbours alone.
 *
 * Not covered: forces that depend on efforts or on states of the user, sliding friction, control, drives with limited
 * effort, and systems with their own equations.
 *
 * MOST_PAIRS: number of pairs per body above which the system is dense. */
#define MOST_PAIRS 64
/* A load whose values involve more bodies than MOST_READ counts as coupled to all bodies. MOST_SEEN: workspace for the
 * load that involves most: two markers, the measures of a bushing, and its values. */
#define MOST_READ 16
#define MOST_SEEN 40

/* Neighbours of body b: list[start[b]] ... list[start[b + 1] - 1], ascending, b itself among them; ground has none and
 * is in no list. */
typedef struct Neighbours {
    int32_t *start, *list; /* start: [bodies + 1]. NULL: not covered (see above), or too many neighbours */
} Neighbours;

typedef struct Pairs {
    RbvArena *arena;
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
    bool everywhere = rbv_load_row(load->kind)->everywhere;
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
static bool list_pairs(Pairs *p, Neighbours *neighbours) {
    int32_t bodies = p->model->bodies.count;
    neighbours->start = rbv_arena_array(p->arena, (size_t)bodies + 2, sizeof *neighbours->start);
    neighbours->list = rbv_arena_array(p->arena, p->count + 1, sizeof *neighbours->list);
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

/* Finds the neighbours, in `arena`. Returns false if out of memory. */
static bool find_neighbours(const RbvFlow *flow, RbvArena *arena, Neighbours *neighbours) {
    const RbvSystem *system = flow->system;
    const RbvModel *model = system->model;
    *neighbours = (Neighbours){0};
    if (!has_neighbours(flow))
        return true;
    size_t columns = (size_t)flow->n + 1, bodies = (size_t)model->bodies.count;
    int32_t *column = rbv_arena_array(arena, columns, sizeof *column),
            *of = rbv_arena_array(arena, columns, sizeof *of);
    Pairs p = {.arena = arena, .model = model, .seen = rbv_arena_array(arena, bodies + MOST_SEEN, sizeof *p.seen)};
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
    free(p.pair);
    return good;
}

/* ---- pattern of the sparse matrix ----
 *
 * Unknowns are q, v and the
 * multipliers, in this order, and so are the rows. Entries of a row:
 *
 *   row of q     q and v of its own body
 *   row of v     q and v of the body's neighbours, M, and C^T
 *   row of C     q and v of its bodies, and the diagonal
 *
 * MOST_GROUPS: most groups of bodies; each needs one evaluation for every unknown of a body. */
#define MOST_GROUPS 200

typedef struct Layout {
    RbvArena arena;
    int32_t positions, n, rows, total; /* numbers of rows: of q, of v, of C, in all */
    int32_t bodies;
    int32_t *start, *index; /* [total + 1] compressed rows; the diagonal is the first entry of each row */
    int32_t *mass_at, *at, *at_transposed; /* [entries of M], [of C]: places among the entries; those of C^T */
    int32_t *column_start, *column_row, *column_entry; /* [positions + n + 1] compressed columns of q and v: rows and
                                                          places of the entries that are differentiated */
    int32_t *first, *unknown;                          /* [bodies + 1]: the unknowns q and v of each body */
    int32_t *group, groups, most; /* [bodies] group of each body: bodies of a group have no neighbour in common; number
                                     of groups; the most unknowns of a body */
} Layout;

typedef struct Builder {
    Layout *to;
    const Neighbours *neighbours;
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
    Layout *to = b->to;
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
    Layout *to = b->to;
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
    Layout *to = b->to;
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
    Layout *to = b->to;
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
    Layout *to = b->to;
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
    Layout *to = b->to;
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

/* Creates the pattern. *fits: the matrix is sparse. False: out of memory; to be destroyed in any case. */
static bool create_layout(Layout *layout, const RbvFlow *flow, bool *fits) {
    const RbvSystem *system = flow->system;
    *layout = (Layout){.positions = flow->positions,
                       .n = flow->n,
                       .rows = system->row_count,
                       .total = flow->positions + flow->n + system->row_count,
                       .bodies = system->bodies.count};
    RbvArena arena = {0};
    Neighbours neighbours;
    bool good = find_neighbours(flow, &arena, &neighbours);
    *fits = good && neighbours.start;
    Builder builder = {
        .to = layout, .neighbours = &neighbours, .M = &rbv_saddle_mass(flow->saddle)->pattern, .C = &system->C};
    if (*fits)
        good = build(&builder, flow, fits);
    rbv_arena_clear(&arena);
    return good;
}

/* ---- entries of the matrix, and solutions ---- */

struct RbvImplicitSystem {
    RbvFlow *flow;
    Layout layout;
    RbvRadauSolver solver;
    RbvLu *lu;
    RbvComplexLu *complex_lu;
    double *fixed, *change; /* [entries]: each entry is fixed - change / g^power */
    double *values;         /* [2 entries] real or complex values */
    double *M, *C;          /* entries of M and C at the Jacobian's state; C weighted */
    double *weight;         /* [rows] weights of rows at the Jacobian's state */
    double *a, *lambda;     /* [n] accelerations, [rows] multipliers at the Jacobian's state */
    double *y, *f;          /* [size] scratch: varied state, rate */
    double *here, *varied;  /* [total] q', F and G at the state; at the varied state */
    double *x;              /* [2 total] right-hand side and solution */
    double real;            /* g of the real factors; g below: of the complex ones */
    double complex g;
};

/* out[total]: q', F and G at y and t, with fixed a and lambda. False: not finite. */
static bool evaluate_fixed(RbvImplicitSystem *s, double t, const double *y, double *out) {
    RbvFlow *flow = s->flow;
    const RbvRowPattern *C = &flow->system->C;
    const RbvState *state = flow->state;
    double *F = out + s->layout.positions, *G = F + s->layout.n;
    if (!rbv_flow_place(flow, t, y))
        return false;
    rbv_coordinates_rate(&flow->system->coordinates, state->q, state->v, out);
    rbv_state_inertia(state, s->a, F);
    for (int32_t j = 0; j < s->layout.n; j++)
        F[j] = state->Q[j] - F[j];
    for (int32_t k = 0; k < s->layout.rows; k++) {
        G[k] = state->gamma[k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            G[k] -= state->C[e] * s->a[C->column[e]];
            F[C->column[e]] -= state->C[e] * s->lambda[k];
        }
    }
    return true;
}

/* Derivatives by unknown number l of all bodies of group g. */
static bool differentiate_group(RbvImplicitSystem *s, double t, const double *y, const double *step, int32_t g,
                                int32_t l) {
    const Layout *at = &s->layout;
    memcpy(s->y, y, (size_t)s->flow->size * sizeof *y);
    for (int32_t b = 1; b < at->bodies; b++)
        if (at->group[b] == g && l < at->first[b + 1] - at->first[b])
            s->y[at->unknown[at->first[b] + l]] += step[at->unknown[at->first[b] + l]];
    if (!evaluate_fixed(s, t, s->y, s->varied))
        return false;
    for (int32_t b = 1; b < at->bodies; b++) {
        if (at->group[b] != g || l >= at->first[b + 1] - at->first[b])
            continue;
        int32_t j = at->unknown[at->first[b] + l];
        double length = s->y[j] - y[j];
        for (int32_t k = at->column_start[j]; k < at->column_start[j + 1]; k++) {
            int32_t i = at->column_row[k];
            s->change[at->column_entry[k]] = (s->varied[i] - s->here[i]) / length;
        }
    }
    return true;
}

/* Takes M, C, weights, accelerations and multipliers of the flow's last evaluation. */
static void take_state(RbvImplicitSystem *s) {
    const RbvFlow *flow = s->flow;
    const Layout *at = &s->layout;
    const RbvRowPattern *M = &rbv_saddle_mass(flow->saddle)->pattern, *C = &flow->system->C;
    memcpy(s->a, flow->state->a, (size_t)at->n * sizeof *s->a);
    memcpy(s->lambda, flow->lambda, (size_t)at->rows * sizeof *s->lambda);
    memcpy(s->weight, rbv_saddle_weights(flow->saddle), (size_t)at->rows * sizeof *s->weight);
    memcpy(s->M, rbv_saddle_mass(flow->saddle)->values, (size_t)M->start[at->n] * sizeof *s->M);
    for (int32_t k = 0; k < at->rows; k++)
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
            s->C[e] = s->weight[k] * flow->state->C[e];
}

/* Fills the constant parts of the entries, and weights the rows of G. */
static void fill_fixed(RbvImplicitSystem *s) {
    const Layout *at = &s->layout;
    const RbvRowPattern *M = &rbv_saddle_mass(s->flow->saddle)->pattern, *C = &s->flow->system->C;
    double proximal = rbv_saddle_proximal(s->flow->saddle);
    for (int32_t i = 0; i < at->positions; i++)
        s->fixed[at->start[i]] = 1;
    for (int32_t e = 0; e < M->start[at->n]; e++)
        s->fixed[at->mass_at[e]] = s->M[e];
    for (int32_t e = 0; e < C->start[at->rows]; e++)
        s->fixed[at->at[e]] = s->fixed[at->at_transposed[e]] = s->C[e];
    for (int32_t k = 0; k < at->rows; k++) {
        int32_t row = at->positions + at->n + k;
        s->fixed[at->start[row]] = s->weight[k] > 0 ? -proximal : -1;
        for (int32_t e = at->start[row]; e < at->start[row + 1]; e++)
            s->change[e] *= s->weight[k];
    }
}

static RbvStatus differentiate_flow(void *context, double t, const double *y, const double *step) {
    RbvImplicitSystem *s = context;
    RbvStatus status = rbv_flow_rate(s->flow, t, y, s->f);
    if (status != RBV_OK)
        return status;
    take_state(s);
    bool good = evaluate_fixed(s, t, y, s->here);
    for (int32_t g = 0; good && g < s->layout.groups; g++)
        for (int32_t l = 0; good && l < s->layout.most; l++)
            good = differentiate_group(s, t, y, step, g, l);
    fill_fixed(s);
    if (good)
        return RBV_OK;
    return s->flow->state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
}

/* Power of 1/g by which an entry's derivative is multiplied. */
static inline int power(const Layout *at, int32_t row, int32_t column) {
    return (row >= at->positions) + (column < at->positions);
}

static void fill_real(RbvImplicitSystem *s) {
    const Layout *at = &s->layout;
    const double by[3] = {1, 1 / s->real, 1 / (s->real * s->real)};
    for (int32_t i = 0; i < at->total; i++)
        for (int32_t e = at->start[i]; e < at->start[i + 1]; e++)
            s->values[e] = s->fixed[e] - s->change[e] * by[power(at, i, at->index[e])];
}

static void fill_complex(RbvImplicitSystem *s) {
    const Layout *at = &s->layout;
    const double complex by[3] = {1, 1 / s->g, 1 / (s->g * s->g)};
    for (int32_t i = 0; i < at->total; i++)
        for (int32_t e = at->start[i]; e < at->start[i + 1]; e++) {
            double complex of = by[power(at, i, at->index[e])];
            s->values[2 * e] = s->fixed[e] - s->change[e] * creal(of);
            s->values[2 * e + 1] = -s->change[e] * cimag(of);
        }
}

static bool factor_implicit(void *context, double real, double a, double b, bool *no_memory) {
    RbvImplicitSystem *s = context;
    s->real = real;
    s->g = a - b * I;
    fill_real(s);
    if (!rbv_lu_factor(s->lu, s->values, no_memory))
        return false;
    fill_complex(s);
    return rbv_complex_lu_factor(s->complex_lu, s->values, no_memory);
}

/* out[n + rows] = M r, then C r; r[n]; entries of out are `stride` apart. */
static void multiply(const RbvImplicitSystem *s, const double *r, double *out, int stride) {
    const Layout *at = &s->layout;
    const RbvRowPattern *patterns[2] = {&rbv_saddle_mass(s->flow->saddle)->pattern, &s->flow->system->C};
    const double *values[2] = {s->M, s->C};
    for (int part = 0; part < 2; part++)
        for (int32_t i = 0; i < (part == 0 ? at->n : at->rows); i++, out += stride) {
            double sum = 0;
            for (int32_t e = patterns[part]->start[i]; e < patterns[part]->start[i + 1]; e++)
                sum += values[part][e] * r[patterns[part]->column[e]];
            *out = sum;
        }
}

static void solve_implicit(void *context, double *x) {
    RbvImplicitSystem *s = context;
    int32_t positions = s->layout.positions, n = s->layout.n;
    for (int32_t i = 0; i < positions; i++)
        s->x[i] = s->real * x[i];
    multiply(s, x + positions, s->x + positions, 1);
    rbv_lu_solve(s->lu, s->x);
    for (int32_t i = 0; i < positions; i++)
        x[i] = s->x[i] / (s->real * s->real);
    for (int32_t i = positions; i < positions + n; i++)
        x[i] = s->x[i] / s->real;
    for (int32_t i = positions + n; i < s->flow->size; i++)
        x[i] /= s->real;
}

static void solve_complex(void *context, double *x) {
    RbvImplicitSystem *s = context;
    int32_t positions = s->layout.positions, n = s->layout.n, size = s->flow->size;
    double complex once = 1 / s->g, twice = once * once;
    for (int32_t i = 0; i < positions; i++) {
        double complex r = s->g * (x[i] + x[size + i] * I);
        s->x[2 * i] = creal(r), s->x[2 * i + 1] = cimag(r);
    }
    multiply(s, x + positions, s->x + 2 * positions, 2);
    multiply(s, x + size + positions, s->x + 2 * positions + 1, 2);
    rbv_complex_lu_solve(s->complex_lu, s->x);
    for (int32_t i = 0; i < size; i++) {
        double complex r, by = i < positions ? twice : once;
        if (i < positions + n)
            r = (s->x[2 * i] + s->x[2 * i + 1] * I) * by;
        else
            r = (x[i] + x[size + i] * I) * once;
        x[i] = creal(r), x[size + i] = cimag(r);
    }
}

static void forget(void *context) {
    RbvImplicitSystem *s = context;
    rbv_lu_forget(s->lu);
    rbv_complex_lu_forget(s->complex_lu);
}

static bool allocate(RbvImplicitSystem *s) {
    Layout *at = &s->layout;
    size_t entries = (size_t)at->start[at->total], total = (size_t)at->total, size = (size_t)s->flow->size;
    size_t of_M = (size_t)rbv_saddle_mass(s->flow->saddle)->pattern.start[at->n],
           of_C = (size_t)s->flow->system->C.start[at->rows];
    struct {
        double **at;
        size_t count;
    } arrays[] = {{&s->fixed, entries},
                  {&s->change, entries},
                  {&s->values, 2 * entries},
                  {&s->M, of_M},
                  {&s->C, of_C},
                  {&s->weight, (size_t)at->rows},
                  {&s->a, (size_t)at->n},
                  {&s->lambda, (size_t)at->rows},
                  {&s->y, size},
                  {&s->f, size},
                  {&s->here, total},
                  {&s->varied, total},
                  {&s->x, 2 * total}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k].at = rbv_arena_array(&at->arena, arrays[k].count + 1, sizeof(double))))
            return false;
    s->lu = rbv_lu_create(at->total, at->start, at->index);
    s->complex_lu = s->lu ? rbv_complex_lu_create(at->total, at->start, at->index) : NULL;
    return s->complex_lu;
}

bool rbv_implicit_system_create(RbvFlow *flow, RbvImplicitSystem **system) {
    *system = NULL;
    RbvImplicitSystem *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    bool fits;
    s->flow = flow;
    s->solver = (RbvRadauSolver){s, differentiate_flow, factor_implicit, solve_implicit, solve_complex, forget};
    bool good = create_layout(&s->layout, flow, &fits) && (!fits || allocate(s));
    if (good && fits)
        *system = s;
    else
        rbv_implicit_system_destroy(s);
    return good;
}

void rbv_implicit_system_destroy(RbvImplicitSystem *s) {
    if (!s)
        return;
    rbv_lu_destroy(s->lu);
    rbv_complex_lu_destroy(s->complex_lu);
    rbv_arena_clear(&s->layout.arena);
    free(s);
}

const RbvRadauSolver *rbv_implicit_system_solver(const RbvImplicitSystem *s) {
    return &s->solver;
}
