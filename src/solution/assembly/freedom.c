/* The freedom left by rows of D: gradients are projected onto the null space and taken out one by one (Gram-Schmidt).
 * In a large system all remaining freedoms are taken by elimination. */
#include "solution/assembly/freedom.h"

#include "core/base/names.h"
#include "core/base/tolerances.h"
#include "core/solve/elimination.h"
#include "core/solve/least_squares.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of columns for projections: naming f freedoms by projections takes f^2 size products of Gram-Schmidt.
 * Larger systems use elimination, whose time grows with the mechanism where its loops are small. */
#define NAMED_BY_PROJECTION 300

/* Gradients before projection, one after the other, with the columns column[start[k]] ... */
typedef struct Gradients {
    int32_t *start, *column;
    double *value;
    RbvFreedomPick *pick;          /* what each gradient belongs to */
    int32_t count, capacity, room; /* number of gradients; capacity for gradients; capacity for entries */
} Gradients;

struct RbvFreedom {
    RbvArena arena; /* of C, g and the touched bodies */
    const RbvSystem *system;
    RbvRidge *ridge; /* in large systems created by the first projection */
    double *C, *scale, *g;
    int32_t *touched, touched_count; /* bodies in whose columns g may have entries */
    bool *is_touched;                /* [bodies] */
    bool spread;                     /* g may have entries in any column */
    double *basis;                   /* [taken][size] orthonormal gradients taken */
    double *rest;                    /* a vector in general position, minus the parts taken; NULL until needed */
    double whole;                    /* initial length of `rest` */
    Gradients given;                 /* gradients taken, in large systems: elimination begins with them */
    RbvElimination *elimination;     /* in large systems from rbv_freedom_complete on: all rows and gradients taken */
    int32_t *place;                  /* order of columns of the elimination */
    int32_t size, rows, taken, capacity;
    bool keeps; /* gradients taken are kept in small systems too */
    bool no_memory;
};

static bool is_large(const RbvFreedom *freedom) {
    return freedom->size > NAMED_BY_PROJECTION;
}

static bool make_ridge(RbvFreedom *freedom) {
    const RbvRowPattern *D = &freedom->system->D;
    freedom->ridge = rbv_ridge_create(freedom->rows, freedom->size, D->start, D->column);
    return freedom->ridge && rbv_ridge_factor_null(freedom->ridge, freedom->C, &freedom->no_memory);
}

static RbvFreedom *create_freedom(RbvState *state, int32_t rows, bool positions, const bool *without) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = calloc(1, sizeof *freedom);
    if (!freedom)
        return NULL;
    freedom->system = system;
    freedom->size = system->bodies.size;
    freedom->rows = rows;
    freedom->C = rbv_arena_alloc(&freedom->arena, ((size_t)system->D.start[rows] + 1) * sizeof(double));
    freedom->scale = rbv_state_column_scales(state);
    freedom->g = rbv_arena_array(&freedom->arena, (size_t)freedom->size + 1, sizeof(double));
    freedom->touched = rbv_arena_alloc(&freedom->arena, (size_t)system->bodies.count * sizeof *freedom->touched);
    freedom->is_touched = rbv_arena_array(&freedom->arena, (size_t)system->bodies.count, sizeof *freedom->is_touched);
    bool good = freedom->C && freedom->scale && freedom->g && freedom->touched && freedom->is_touched;
    if (good) {
        rbv_state_place(state);
        rbv_state_jacobian(state);
        for (int32_t k = 0; k < rows; k++) {
            double sum = 0;
            for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++) {
                freedom->C[e] = (positions && system->rows[k].on_rates) || (without && without[k])
                                    ? 0
                                    : state->D[e] * freedom->scale[system->D.column[e]];
                sum += freedom->C[e] * freedom->C[e];
            }
            for (int32_t e = system->D.start[k]; e < system->D.start[k + 1] && sum > 0; e++)
                freedom->C[e] /= sqrt(sum);
        }
        good = is_large(freedom) || make_ridge(freedom);
    }
    if (!good) {
        state->no_memory = state->no_memory || freedom->no_memory;
        rbv_freedom_destroy(freedom);
        return NULL;
    }
    return freedom;
}

RbvFreedom *rbv_freedom_create(RbvState *state, int32_t rows, bool positions) {
    return create_freedom(state, rows, positions, NULL);
}

RbvFreedom *rbv_freedom_create_without(RbvState *state, int32_t rows, const bool *without) {
    return create_freedom(state, rows, false, without);
}

/* A required motion, to be produced by control, constrains nothing. */
static bool is_required(const RbvSystem *system, int32_t k) {
    return system->rows[k].owner == RBV_OWNER_CONSTRAINT &&
           system->model->constraints.items[system->rows[k].index].required;
}

void rbv_freedom_open_rows(const RbvState *state, bool *without) {
    const RbvSystem *system = state->system;
    int32_t first = system->model->drives.count > 0 ? system->drive_row[0] : system->row_count;
    for (int32_t k = 0; k < system->row_count; k++)
        without[k] = !rbv_state_holds(state, k) || rbv_row_is_force(&system->rows[k]) || is_required(system, k) ||
                     (k >= first && (k < first + system->model->drives.count || !state->active));
}

void rbv_freedom_destroy(RbvFreedom *freedom) {
    if (!freedom)
        return;
    rbv_ridge_destroy(freedom->ridge);
    rbv_elimination_destroy(freedom->elimination);
    free(freedom->place);
    free(freedom->given.start);
    free(freedom->given.column);
    free(freedom->given.value);
    free(freedom->given.pick);
    rbv_arena_clear(&freedom->arena);
    free(freedom->scale);
    free(freedom->basis);
    free(freedom->rest);
    free(freedom);
}

static double length(const double *g, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += g[k] * g[k];
    return sqrt(sum);
}

static void subtract_part(double *g, const double *b, int32_t n) {
    double dot = 0;
    for (int32_t k = 0; k < n; k++)
        dot += g[k] * b[k];
    for (int32_t k = 0; k < n; k++)
        g[k] -= dot * b[k];
}

/* Reduces freedom->g to its free part; returns the remaining share of its length. */
static double reduce_gradient(RbvFreedom *freedom) {
    double *g = freedom->g, before = length(g, freedom->size);
    freedom->spread = true;
    if (!freedom->ridge && !make_ridge(freedom)) {
        freedom->no_memory = true;
        return 0;
    }
    rbv_ridge_project(freedom->ridge, g);
    for (int pass = 0; pass < 2; pass++)
        for (int32_t c = 0; c < freedom->taken; c++)
            subtract_part(g, freedom->basis + (size_t)c * (size_t)freedom->size, freedom->size);
    return before > 0 ? length(g, freedom->size) / before : 0;
}

/* Marks the columns of a body as possible entries of g; returns the body's first entry. */
static double *touch_body(RbvFreedom *freedom, int32_t body) {
    if (!freedom->is_touched[body])
        freedom->touched[freedom->touched_count++] = body;
    freedom->is_touched[body] = true;
    return freedom->g + freedom->system->bodies.start[body];
}

/* Clears g for a new gradient. */
static void clear_gradient(RbvFreedom *freedom) {
    const int32_t *start = freedom->system->bodies.start;
    if (freedom->spread)
        memset(freedom->g, 0, (size_t)freedom->size * sizeof(double));
    for (int32_t n = 0; n < freedom->touched_count; n++) {
        int32_t b = freedom->touched[n];
        memset(freedom->g + start[b], 0, (size_t)(start[b + 1] - start[b]) * sizeof(double));
        freedom->is_touched[b] = false;
    }
    freedom->touched_count = 0;
    freedom->spread = false;
}

/* Stores the entries of g behind the kept gradients; returns how many, -1: out of memory. */
static int32_t gather_gradient(RbvFreedom *freedom) {
    const int32_t *start = freedom->system->bodies.start;
    Gradients *given = &freedom->given;
    int32_t first = given->count > 0 ? given->start[given->count] : 0, most = first + 6 * freedom->touched_count,
            at = first;
    if (most > given->room) {
        int32_t room = 2 * most;
        int32_t *column = realloc(given->column, (size_t)room * sizeof *column);
        given->column = column ? column : given->column;
        double *value = realloc(given->value, (size_t)room * sizeof *value);
        given->value = value ? value : given->value;
        freedom->no_memory = freedom->no_memory || !column || !value;
        if (!column || !value)
            return -1;
        given->room = room;
    }
    for (int32_t n = 0; n < freedom->touched_count; n++)
        for (int32_t c = start[freedom->touched[n]]; c < start[freedom->touched[n] + 1]; c++)
            if (freedom->g[c] != 0) {
                given->column[at] = c;
                given->value[at++] = freedom->g[c];
            }
    return at - first;
}

/* Keeps the gradient that gather has stored. */
static void remember_gradient(RbvFreedom *freedom, int32_t entries) {
    Gradients *given = &freedom->given;
    if (given->count + 1 >= given->capacity) {
        int32_t capacity = 2 * given->capacity + 8;
        int32_t *start = realloc(given->start, (size_t)capacity * sizeof *start);
        given->start = start ? start : given->start;
        RbvFreedomPick *pick = realloc(given->pick, (size_t)capacity * sizeof *pick);
        given->pick = pick ? pick : given->pick;
        freedom->no_memory = freedom->no_memory || !start || !pick;
        if (!start || !pick)
            return;
        given->start[0] = 0;
        given->capacity = capacity;
    }
    given->start[given->count + 1] = given->start[given->count] + entries;
    given->pick[given->count++] = (RbvFreedomPick){.named = -1, .column = -1};
}

static bool eliminate_gradient(RbvFreedom *freedom) {
    int32_t entries = gather_gradient(freedom),
            first = freedom->given.count > 0 ? freedom->given.start[freedom->given.count] : 0;
    /* A gradient whose free part is smaller belongs to a determined coordinate: rounding and errors of data are far
     * smaller, a mechanism 1e-5 rad from a dead centre is above. */
    return entries > 0 && rbv_elimination_take(freedom->elimination, entries, freedom->given.column + first,
                                               freedom->given.value + first, RBV_FITS);
}

static bool take_gradient(RbvFreedom *freedom) {
    if (freedom->elimination) {
        bool took = eliminate_gradient(freedom);
        freedom->taken += took;
        return took;
    }
    bool kept = is_large(freedom) || freedom->keeps;
    int32_t entries = kept ? gather_gradient(freedom) : 0;
    if (entries < 0 || !(reduce_gradient(freedom) > RBV_FITS))
        return false;
    if (kept)
        remember_gradient(freedom, entries);
    if (freedom->taken == freedom->capacity) {
        int32_t capacity = freedom->capacity ? 2 * freedom->capacity : 4;
        double *basis = realloc(freedom->basis, (size_t)capacity * (size_t)freedom->size * sizeof *basis);
        if (!basis) {
            freedom->no_memory = true;
            return false;
        }
        freedom->basis = basis;
        freedom->capacity = capacity;
    }
    double size = length(freedom->g, freedom->size);
    double *b = freedom->basis + (size_t)freedom->taken++ * (size_t)freedom->size;
    for (int32_t k = 0; k < freedom->size; k++)
        b[k] = freedom->g[k] / size;
    if (freedom->rest)
        subtract_part(freedom->rest, b, freedom->size);
    return true;
}

static void row_gradient(RbvFreedom *freedom, const RbvState *state, int32_t k) {
    const RbvSystem *system = state->system;
    clear_gradient(freedom);
    for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++) {
        touch_body(freedom, rbv_bodies_at(&system->bodies, system->D.column[e]));
        freedom->g[system->D.column[e]] += state->D[e] * freedom->scale[system->D.column[e]];
    }
}

/* g += factor times the gradient of a measure, not yet scaled; returns the measure's value. */
static double add_measure(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure,
                          RbvMeasureMemory memory, double factor) {
    const RbvSystem *system = state->system;
    RbvMeasureState measured;
    memset(&measured, 0, sizeof measured);
    rbv_measure_place(measure, system->model, state->markers, &memory, &measured);
    for (int side = 0; side < 2; side++) {
        int32_t b = state->markers[measure->marker[side]].body;
        if (b == 0)
            continue;
        rbv_bodies_add(&system->bodies, b, factor, &measured.gradient[side], touch_body(freedom, b));
    }
    return measured.value;
}

static void scale_gradient(RbvFreedom *freedom) {
    const int32_t *start = freedom->system->bodies.start;
    for (int32_t n = 0; n < freedom->touched_count; n++)
        for (int32_t c = start[freedom->touched[n]]; c < start[freedom->touched[n] + 1]; c++)
            freedom->g[c] *= freedom->scale[c];
}

static void measure_gradient(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure) {
    clear_gradient(freedom);
    add_measure(freedom, state, measure, (RbvMeasureMemory){0, {NAN, NAN}}, 1);
    scale_gradient(freedom);
}

/* Gradient of the user's coordinate f(m): sum f_m grad m. */
static void named_gradient(RbvFreedom *freedom, const RbvState *state, const RbvNamedCoordinate *named) {
    const RbvModel *model = state->system->model;
    int32_t n = rbv_expr_variable_count(named->value);
    double *x = state->work, *gradient = x + n, *hessian = gradient + n;
    for (int pass = 0; pass < 2; pass++) { /* values first, then their gradients */
        clear_gradient(freedom);
        for (int32_t v = 0; v < n; v++) {
            int32_t m = rbv_variable_of(model, named->value, v).index;
            x[v] =
                add_measure(freedom, state, &model->measures.items[m], state->memory[m], pass == 0 ? 1 : gradient[v]);
        }
        if (pass == 0)
            rbv_expr_jet(named->value, x, hessian + n * n, gradient, hessian);
    }
    scale_gradient(freedom);
}

bool rbv_freedom_lost(const RbvFreedom *freedom) {
    return freedom->no_memory;
}

bool rbv_freedom_take_row(RbvFreedom *freedom, const RbvState *state, int32_t k) {
    row_gradient(freedom, state, k);
    return take_gradient(freedom);
}

double rbv_freedom_part_of_row(RbvFreedom *freedom, const RbvState *state, int32_t k) {
    row_gradient(freedom, state, k);
    return reduce_gradient(freedom);
}

double rbv_freedom_part_of_column(RbvFreedom *freedom, int32_t j) {
    clear_gradient(freedom);
    freedom->g[j] = 1;
    return reduce_gradient(freedom);
}

bool rbv_freedom_take_masses(RbvFreedom *freedom, const RbvState *state, int32_t most) {
    double *unit = freedom->size <= most ? calloc((size_t)freedom->size + 1, sizeof *unit) : NULL;
    for (int32_t j = 0; unit && j < freedom->size; j++) {
        unit[j] = 1;
        rbv_state_inertia(state, unit, freedom->g);
        scale_gradient(freedom);
        take_gradient(freedom);
        unit[j] = 0;
    }
    free(unit);
    return unit != NULL;
}

void rbv_freedom_take_idle(RbvFreedom *freedom, const RbvState *state) {
    for (int32_t k = state->system->row_count; k < state->system->satisfied_count; k++)
        rbv_freedom_take_row(freedom, state, k);
}

/* Notes what the gradient just taken belongs to, if it is kept. */
static void note_pick(RbvFreedom *freedom, RbvFreedomPick pick) {
    if (freedom->given.count > 0 && freedom->given.pick)
        freedom->given.pick[freedom->given.count - 1] = pick;
}

bool rbv_freedom_take_measure(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure) {
    measure_gradient(freedom, state, measure);
    bool took = take_gradient(freedom);
    if (took)
        note_pick(freedom, (RbvFreedomPick){-1, -1, *measure});
    return took;
}

static bool take_column(RbvFreedom *freedom, int32_t column) {
    int32_t b = rbv_bodies_at(&freedom->system->bodies, column);
    clear_gradient(freedom);
    touch_body(freedom, b)[column - freedom->system->bodies.start[b]] = freedom->scale[column];
    bool took = take_gradient(freedom);
    if (took)
        note_pick(freedom, (RbvFreedomPick){.named = -1, .column = column});
    return took;
}

bool rbv_freedom_is_free(RbvFreedom *freedom, const RbvState *state, const RbvMeasure *measure) {
    measure_gradient(freedom, state, measure);
    return reduce_gradient(freedom) > RBV_FITS;
}

/* Appends a name, or "..." for all names that do not fit. */
static void append_name(char *text, size_t size, size_t *used, const char *name) {
    static const char more[] = ", ...";
    if (*used + strlen(name) + 2 + sizeof more < size)
        *used += (size_t)snprintf(text + *used, size - *used, "%s%s", *used ? ", " : "", name);
    else if (*used + sizeof more <= size && (*used < sizeof more || strcmp(text + *used + 1 - sizeof more, more) != 0))
        *used += (size_t)snprintf(text + *used, size - *used, "%s", more);
}

static int32_t take_joint(RbvFreedom *freedom, const RbvState *state, const RbvJoint *joint, char *text, size_t size,
                          size_t *used) {
    static const int order[6] = {5, 3, 4, 2, 0, 1}; /* turns before distances, those about z and along z first */
    const RbvModel *model = state->system->model;
    int32_t took = 0;
    bool turns = true;
    for (int side = 0; side < 2; side++)
        turns = turns && !model->bodies.items[model->markers.items[joint->marker[side]].body].particle;
    for (int n = 0; n < 6; n++) {
        int direction = order[n];
        bool exists = joint->spatial || RBV_DIRECTIONS_PLANAR >> direction & 1;
        if (!exists || !rbv_forms[joint->form].directions || joint->locks >> direction & 1 || (direction > 2 && !turns))
            continue;
        RbvMeasureKind turning = !joint->spatial                              ? RBV_MEASURE_ANGLE
                                 : (joint->locks & RBV_DIRECTIONS_TURNS) == 0 ? RBV_MEASURE_ROTATION
                                                                              : RBV_MEASURE_TWIST;
        RbvMeasure measure = {direction > 2 ? turning : RBV_MEASURE_OFFSET,
                              {joint->marker[0], joint->marker[1]},
                              direction > 2 ? direction - 3 : direction};
        if (!rbv_freedom_take_measure(freedom, state, &measure))
            continue;
        char name[RBV_NAME_SIZE];
        snprintf(name, sizeof name, "%s.%s", joint->name,
                 rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction));
        append_name(text, size, used, name);
        took++;
    }
    return took;
}

/* Takes the freedom of a user's own coordinate. */
static int32_t take_named(RbvFreedom *freedom, const RbvState *state, const RbvNamedCoordinate *named, char *text,
                          size_t size, size_t *used) {
    named_gradient(freedom, state, named);
    if (!take_gradient(freedom))
        return 0;
    note_pick(freedom,
              (RbvFreedomPick){.named = (int32_t)(named - state->system->model->coordinates.items), .column = -1});
    append_name(text, size, used, named->name);
    return 1;
}

/* True if a freedom remains. A vector in general position has a part in every freedom; it is reduced once, and take()
 * reduces it further. */
static bool anything_left(RbvFreedom *freedom) {
    if (freedom->elimination)
        return rbv_elimination_rank(freedom->elimination) < freedom->size;
    if (!freedom->rest) {
        uint64_t seed = 88172645463325252u;
        for (int32_t k = 0; k < freedom->size; k++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            freedom->g[k] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        }
        freedom->whole = length(freedom->g, freedom->size);
        reduce_gradient(freedom);
        freedom->rest = malloc(((size_t)freedom->size + 1) * sizeof(double));
        freedom->no_memory = freedom->no_memory || !freedom->rest;
        if (!freedom->rest)
            return false;
        memcpy(freedom->rest, freedom->g, (size_t)freedom->size * sizeof(double));
    }
    /* Relative to 1/sqrt(n): free part of a random vector in n dimensions if one direction is free is about 1/sqrt(n);
     * it is less than this part of that in one case of a thousand. */
    return length(freedom->rest, freedom->size) > RBV_NOTICEABLE / sqrt(freedom->size + 1.0) * freedom->whole;
}

/* Starts the elimination with the rows and the gradients taken. False: out of memory, or too much work. */
static bool begin_elimination(RbvFreedom *freedom) {
    const RbvRowPattern *D = &freedom->system->D;
    const Gradients *given = &freedom->given;
    freedom->place = malloc(((size_t)freedom->size + 1) * sizeof *freedom->place);
    freedom->no_memory = freedom->no_memory || !freedom->place || !rbv_outward_places(freedom->system, freedom->place);
    freedom->elimination = freedom->no_memory ? NULL : rbv_elimination_create(freedom->size, freedom->place);
    freedom->no_memory = freedom->no_memory || !freedom->elimination;
    /* Relative to the largest entry of a row: remainder of a row that repeats others. */
    for (int32_t k = 0; freedom->elimination && k < freedom->rows; k++)
        rbv_elimination_take(freedom->elimination, D->start[k + 1] - D->start[k], D->column + D->start[k],
                             freedom->C + D->start[k], RBV_SAME);
    for (int32_t k = 0; freedom->elimination && k < given->count; k++)
        rbv_elimination_take(freedom->elimination, given->start[k + 1] - given->start[k],
                             given->column + given->start[k], given->value + given->start[k], RBV_SAME);
    return freedom->elimination && !rbv_elimination_lost(freedom->elimination);
}

/* After a failed elimination: -1 if any freedom remains. */
static int32_t not_named(RbvFreedom *freedom, char *text, size_t size) {
    rbv_elimination_destroy(freedom->elimination);
    freedom->elimination = NULL;
    if (freedom->no_memory || !anything_left(freedom))
        return 0;
    snprintf(text, size, "(not searched for among %d coordinates)", (int)freedom->size);
    return -1;
}

/* Takes the columns of body b, with names for them. */
static int32_t take_body(RbvFreedom *freedom, int32_t b, char *text, size_t size, size_t *used) {
    static const char *const of_plane[3] = {"x(%s)", "y(%s)", "angle(%s)"};
    static const char *const of_space[6] = {
        "x(%s)", "y(%s)", "z(%s)", "a turn of %s about x", "a turn of %s about y", "a turn of %s about z"};
    const RbvBodyColumns *bodies = &freedom->system->bodies;
    const RbvBody *body = &freedom->system->model->bodies.items[b];
    int32_t took = 0;
    for (int32_t part = 0; part < rbv_bodies_columns(bodies, b); part++) {
        char name[RBV_NAME_SIZE];
        if (!take_column(freedom, bodies->start[b] + part))
            continue;
        snprintf(name, sizeof name,
                 body->generalized ? "%s"
                 : bodies->spatial ? of_space[part]
                                   : of_plane[part],
                 body->name);
        append_name(text, size, used, name);
        took++;
    }
    return took;
}

/* order[named]: the user's own coordinates in alphabetic order. False if out of memory. */
static bool sort_named(const RbvModel *model, int32_t *order) {
    RbvNamed *named = malloc(((size_t)model->coordinates.count + 1) * sizeof *named);
    for (int32_t k = 0; named && k < model->coordinates.count; k++)
        named[k] = (RbvNamed){model->coordinates.items[k].name, k};
    if (named)
        rbv_sort_by_name(named, model->coordinates.count);
    for (int32_t k = 0; named && k < model->coordinates.count; k++)
        order[k] = named[k].index;
    free(named);
    return named != NULL;
}

/* Takes the user's coordinates, joints and bodies in their order, until no freedom remains; returns how many. */
static int32_t take_all(RbvFreedom *freedom, const RbvState *state, const int32_t *named, const int32_t *joint,
                        const int32_t *body, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t took = 0;
    size_t used = 0;
    bool left = anything_left(freedom);
    for (int32_t k = 0; left && k < model->coordinates.count; k++) {
        int32_t here = take_named(freedom, state, &model->coordinates.items[named[k]], text, size, &used);
        took += here;
        left = here == 0 || anything_left(freedom);
    }
    for (int32_t k = 0; left && k < model->joints.count; k++) {
        int32_t here = take_joint(freedom, state, &model->joints.items[joint[k]], text, size, &used);
        took += here;
        left = here == 0 || anything_left(freedom);
    }
    for (int32_t k = 0; left && k < model->bodies.count; k++) {
        int32_t here = body[k] > 0 ? take_body(freedom, body[k], text, size, &used) : 0;
        took += here;
        left = here == 0 || anything_left(freedom);
    }
    return took;
}

int32_t rbv_freedom_complete(RbvFreedom *freedom, const RbvState *state, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    text[0] = '\0';
    if (is_large(freedom) && !begin_elimination(freedom))
        return not_named(freedom, text, size);
    int32_t *named =
                malloc((size_t)(model->coordinates.count + model->joints.count + model->bodies.count) * sizeof *named),
            took = 0;
    int32_t *joint = named ? named + model->coordinates.count : NULL,
            *body = named ? joint + model->joints.count : NULL;
    if (named && sort_named(model, named) && rbv_outward_order(state->system, joint, body))
        took = take_all(freedom, state, named, joint, body, text, size);
    else
        freedom->no_memory = true;
    free(named);
    return freedom->elimination && rbv_elimination_lost(freedom->elimination) ? not_named(freedom, text, size) : took;
}

void rbv_freedom_keep(RbvFreedom *freedom) {
    freedom->keeps = true;
}

RbvFreedomPick rbv_freedom_pick(const RbvFreedom *freedom, int32_t k) {
    return freedom->given.pick[k];
}

bool rbv_freedom_take(RbvFreedom *freedom, const RbvState *state, const RbvFreedomPick *pick) {
    if (pick->column >= 0)
        return take_column(freedom, pick->column);
    if (pick->named < 0)
        return rbv_freedom_take_measure(freedom, state, &pick->measure);
    named_gradient(freedom, state, &state->system->model->coordinates.items[pick->named]);
    return take_gradient(freedom);
}

int32_t rbv_freedom_taken(const RbvFreedom *freedom) {
    return freedom->taken;
}

bool rbv_freedom_is_small(const RbvSystem *system) {
    return system->bodies.size <= NAMED_BY_PROJECTION;
}

/* With the orthonormal basis b of the taken gradients, gradient i has parts in b_0 ... b_i only: R_ij = g_i . b_j. R x
 * = e_k is solved forward, and u = sum x_j b_j, in unscaled columns. */
void rbv_freedom_motion(const RbvFreedom *freedom, int32_t k, double *u) {
    const Gradients *given = &freedom->given;
    memset(u, 0, (size_t)freedom->size * sizeof *u);
    for (int32_t i = k; i < freedom->taken; i++) {
        const double *b = freedom->basis + (size_t)i * (size_t)freedom->size;
        double sum = i == k, own = 0;
        for (int32_t e = given->start[i]; e < given->start[i + 1]; e++) {
            sum -= given->value[e] * u[given->column[e]]; /* R_ij x_j of all earlier j */
            own += given->value[e] * b[given->column[e]];
        }
        for (int32_t c = 0; c < freedom->size; c++)
            u[c] += sum / own * b[c];
    }
    for (int32_t c = 0; c < freedom->size; c++)
        u[c] *= freedom->scale[c];
}
