/* Multipliers of the rows that no tree joint of a spanning tree keeps, C^T lambda = y: finds the cut rows, their
 * entries C over the rates of the tree, and solves: a square system block by block, else for the solution of least norm
 * or that of chosen rows. */
#include "solution/reaction/cut_rows.h"

#include "core/base/tolerances.h"
#include "core/linalg/lu.h"
#include "core/solve/elimination.h"
#include "core/solve/least_squares.h"
#include "mechanics/coordinates/coordinates.h"

#include <stdlib.h>
#include <string.h>

/* The equations C^T lambda = y. */

/* Limit of the unknowns of a system with redundant rows that is solved by orthogonal factors: some ms a sample. */
#define CUT_ORTHOGONAL_MOST 240

typedef struct RbvCutEquations {
    const RbvRowPattern *C;
    int32_t size;
    /* square system */
    RbvBlockLu *lu;
    int32_t *chosen;        /* [size] chosen rows; NULL: all */
    int32_t entries, *from; /* [entries] positions in C of the entries of the chosen rows */
    double *values, *x;     /* [entries] of the chosen rows, [size] */
    /* least norm, A = scale C^T share */
    double *A, *tau, *work, *b, *scale, *share;
    int32_t *order, *unknown, rank;
} RbvCutEquations;

/* Is a system with so many rows, if not square, small enough to be solved for least norm? */
static bool is_small_enough(int32_t rows) {
    return rows <= CUT_ORTHOGONAL_MOST;
}

static void cut_equations_destroy(RbvCutEquations *e) {
    if (e)
        rbv_block_lu_destroy(e->lu);
}

/* Pattern and factors of the chosen rows alone. False: no memory. */
static bool create_chosen(RbvCutEquations *e, RbvArena *arena, const int32_t *own) {
    size_t size = (size_t)e->size + 1, entries = 1;
    for (int32_t k = 0; k < e->size; k++)
        entries += (size_t)(e->C->start[own[k] + 1] - e->C->start[own[k]]);
    int32_t *start = rbv_arena_array(arena, size, sizeof *start),
            *index = rbv_arena_array(arena, entries, sizeof *index), at = 0;
    e->chosen = rbv_arena_array(arena, size, sizeof *e->chosen);
    e->from = rbv_arena_array(arena, entries, sizeof *e->from);
    e->values = rbv_arena_array(arena, entries, sizeof *e->values);
    e->x = rbv_arena_array(arena, size, sizeof *e->x);
    if (start && index && e->chosen && e->from && e->values && e->x) {
        for (int32_t k = 0; k < e->size; k++) {
            e->chosen[k] = own[k];
            start[k] = at;
            for (int32_t n = e->C->start[own[k]]; n < e->C->start[own[k] + 1]; n++) {
                e->from[at] = n;
                index[at++] = e->C->column[n];
            }
        }
        start[e->size] = e->entries = at;
        e->lu = rbv_block_lu_create(e->size, start, index);
    }
    return e->lu != NULL;
}

/* Workspace of orthogonal factors. False: no memory. */
static bool create_dense(RbvCutEquations *e, RbvArena *arena) {
    size_t m = (size_t)e->size + 1, n = (size_t)e->C->count + 1;
    e->A = rbv_arena_array(arena, m * n, sizeof *e->A);
    e->tau = rbv_arena_array(arena, m, sizeof *e->tau);
    e->work = rbv_arena_array(arena, n, sizeof *e->work);
    e->x = rbv_arena_array(arena, n, sizeof *e->x);
    e->b = rbv_arena_array(arena, m, sizeof *e->b);
    e->scale = rbv_arena_array(arena, m, sizeof *e->scale);
    e->share = rbv_arena_array(arena, n, sizeof *e->share);
    e->order = rbv_arena_array(arena, m, sizeof *e->order);
    e->unknown = rbv_arena_array(arena, n, sizeof *e->unknown);
    return e->A && e->tau && e->work && e->x && e->b && e->scale && e->share && e->order && e->unknown;
}

/* C: `count` rows over `size` rates. own[size]: independent rows, with which a large system that is not square is
 * solved; NULL: all rows. Keeps the pointer C, not `own`; memory in `arena` but for the factors, which are to be
 * destroyed. NULL: no memory. */
static RbvCutEquations *cut_equations_create(RbvArena *arena, const RbvRowPattern *C, int32_t size,
                                             const int32_t *own) {
    RbvCutEquations *e = rbv_arena_array(arena, 1, sizeof *e);
    if (!e)
        return NULL;
    e->C = C;
    e->size = size;
    bool good;
    if (own)
        good = create_chosen(e, arena, own);
    else if (C->count == size)
        good = (e->lu = rbv_block_lu_create(size, C->start, C->column)) != NULL;
    else
        good = create_dense(e, arena);
    return good ? e : NULL;
}

/* Factors C for the entries c[entries of the pattern]. scale[size], share[rows]: scales that bring equations and
 * unknowns to one unit. False: singular or no memory (*no_memory). */
static bool cut_equations_factor(RbvCutEquations *e, const double *c, const double *scale, const double *share,
                                 bool *no_memory) {
    const int32_t n = e->C->count;
    if (e->lu && !e->chosen)
        return rbv_block_lu_factor(e->lu, c, no_memory);
    if (e->lu) {
        for (int32_t k = 0; k < e->entries; k++)
            e->values[k] = c[e->from[k]];
        return rbv_block_lu_factor(e->lu, e->values, no_memory);
    }
    memcpy(e->scale, scale, (size_t)e->size * sizeof *scale);
    memcpy(e->share, share, (size_t)n * sizeof *share);
    memset(e->A, 0, (size_t)e->size * (size_t)n * sizeof *e->A);
    for (int32_t k = 0; k < n; k++)
        for (int32_t m = e->C->start[k]; m < e->C->start[k + 1]; m++)
            e->A[(size_t)e->C->column[m] * (size_t)n + (size_t)k] = scale[e->C->column[m]] * c[m] * share[k];
    e->rank = rbv_orthogonal_factor(e->size, n, e->A, e->order, e->unknown, e->tau);
    return e->rank >= 0;
}

/* lambda[rows] for y[size]; overwrites y. */
static void cut_equations_solve(RbvCutEquations *e, double *y, double *lambda) {
    const int32_t n = e->C->count;
    if (e->lu && !e->chosen) {
        rbv_block_lu_solve_transposed(e->lu, y, lambda);
        return;
    }
    if (e->lu) {
        rbv_block_lu_solve_transposed(e->lu, y, e->x);
        memset(lambda, 0, (size_t)n * sizeof *lambda);
        for (int32_t k = 0; k < e->size; k++)
            lambda[e->chosen[k]] = e->x[k];
        return;
    }
    for (int32_t k = 0; k < e->size; k++)
        e->b[k] = e->scale[k] * y[k];
    rbv_orthogonal_solve(n, e->rank, e->A, e->order, e->unknown, e->tau, e->b, e->work, e->x);
    for (int32_t k = 0; k < n; k++)
        lambda[k] = e->share[k] * e->x[k];
}

/* The cut rows. */

void rbv_cut_rows_destroy(RbvCutRows *rows) {
    if (!rows)
        return;
    cut_equations_destroy(rows->equations);
    rbv_arena_clear(&rows->arena);
    free(rows);
}

/* The tree: of the system's joint coordinates, or built besides its coordinates. */
static bool find_tree(RbvCutRows *rows) {
    const RbvSystem *system = rows->system;
    rows->own = system->coordinates.kind != &rbv_joint_coordinates;
    if (!rows->own) {
        rows->tree = system->coordinates;
        rows->kept = system->kept;
        return true;
    }
    if (!rbv_coordinates_create(
            &rbv_joint_coordinates, system->model, &system->bodies,
            &(RbvFromRows){.cut = system->coordinates.from_rows.cut, .base = system->coordinates.from_rows.base},
            &rows->arena, &rows->tree))
        return false;
    rows->kept = rbv_system_kept_rows(system, &rows->tree, &rows->arena);
    return rows->kept != NULL;
}

/* Lists the cut rows, independent ones first, as the motion has chosen them. */
static bool find_rows(RbvCutRows *rows, const RbvMotion *motion) {
    const RbvSystem *system = rows->system;
    bool *seen = calloc((size_t)system->satisfied_count + 1, sizeof *seen);
    rows->row = rbv_arena_array(&rows->arena, (size_t)system->satisfied_count + 1, sizeof *rows->row);
    for (int32_t n = 0; seen && rows->row && n < motion->D->n + system->satisfied_count; n++) {
        int32_t k = n < motion->D->n ? motion->D->chosen[n] : n - motion->D->n;
        if (seen[k] || !rbv_state_holds(motion->state, k) || rows->kept[k])
            continue;
        seen[k] = true;
        rows->row[rows->count++] = k;
    }
    free(seen);
    return seen && rows->row;
}

/* Part of the cut rows in a pattern of all rows; contains every entry that can be nonzero. */
static bool take_pattern(RbvCutRows *rows, const RbvRowPattern *all, RbvRowPattern *part, double **values) {
    size_t entries = 1;
    for (int32_t k = 0; k < rows->count; k++)
        entries += (size_t)(all->start[rows->row[k] + 1] - all->start[rows->row[k]]);
    part->count = rows->count;
    part->start = rbv_arena_array(&rows->arena, (size_t)rows->count + 1, sizeof *part->start);
    part->column = rbv_arena_array(&rows->arena, entries, sizeof *part->column);
    *values = rbv_arena_array(&rows->arena, entries, sizeof **values);
    for (int32_t k = 0, at = 0; part->start && part->column && k < rows->count; k++) {
        part->start[k] = at;
        for (int32_t e = all->start[rows->row[k]]; e < all->start[rows->row[k] + 1]; e++)
            part->column[at++] = all->column[e];
        part->start[k + 1] = at;
    }
    return part->start && part->column && *values;
}

/* Pattern of C for the cut rows, where the system has other coordinates. */
static bool make_pattern(RbvCutRows *rows) {
    bool *all = rbv_system_relative_rows(rows->system), *relative = calloc((size_t)rows->count + 1, sizeof *relative);
    size_t size = (size_t)rows->tree.size + 1;
    for (int32_t k = 0; all && relative && k < rows->count; k++)
        relative[k] = all[rows->row[k]];
    bool good =
        all && relative && rbv_coordinates_pattern(&rows->tree, &rows->D, relative, NULL, NULL, &rows->arena, &rows->C);
    free(all);
    free(relative);
    rows->c = good ? rbv_arena_array(&rows->arena, (size_t)rows->C.start[rows->count] + 1, sizeof *rows->c) : NULL;
    rows->work = (RbvRowWork){rbv_arena_array(&rows->arena, size, sizeof(double)),
                              rbv_arena_array(&rows->arena, size, sizeof(double)),
                              rbv_arena_array(&rows->arena, size, sizeof(int32_t))};
    rows->prepared = rbv_arena_alloc(&rows->arena, rows->tree.prepared_size);
    return rows->c && rows->prepared && rows->work.dense && rows->work.part && rows->work.column;
}

static bool list_rates(RbvCutRows *rows) {
    const RbvJointTree *tree = rbv_joint_tree_of(&rows->tree);
    rows->body = rbv_arena_array(&rows->arena, (size_t)rows->tree.size + 1, sizeof *rows->body);
    for (int32_t b = 1; rows->body && b < rows->system->bodies.count; b++)
        for (int32_t k = 0; k < tree->tree_joints[b].slides + tree->tree_joints[b].turns; k++)
            rows->body[tree->tree_joints[b].column + k] = b;
    return rows->body != NULL;
}

static void take_entries(const RbvRowPattern *all, const double *from, const RbvCutRows *rows, double *to) {
    for (int32_t k = 0; k < rows->count; k++)
        for (int32_t e = all->start[rows->row[k]]; e < all->start[rows->row[k] + 1]; e++)
            *to++ = from[e];
}

/* Entries of C and D at a state whose positions are evaluated. */
static void fill_cut_rows(RbvCutRows *rows, const RbvState *state) {
    take_entries(&rows->system->D, state->D, rows, rows->d);
    const RbvPosed at = {.bodies = state->bodies, .prepared = rows->prepared};
    if (rows->own)
        rows->tree.kind->prepare(&rows->tree, at);
    if (rows->own)
        rbv_coordinates_rows(&rows->tree, at, &rows->D, rows->d, &rows->C, rows->c, rows->work);
    else
        take_entries(&rows->system->C, state->C, rows, rows->c);
}

/* Chooses as many independent rows as rates, own[tree.size]. False: no memory. */
static bool choose_independent(const RbvCutRows *rows, const RbvState *state, int32_t *own) {
    size_t size = (size_t)rows->tree.size + 1;
    RbvArena arena = {0};
    int32_t *place = rbv_arena_array(&arena, size, sizeof *place), count = 0;
    double *scale = rbv_arena_array(&arena, size, sizeof *scale), *value = rbv_arena_array(&arena, size, sizeof *value);
    RbvElimination *elimination = NULL;
    if (place && scale && value) {
        rbv_coordinates_scale(&rows->tree, state->size, state->arm, NULL, scale);
        for (int32_t k = 0; k < rows->tree.size; k++)
            place[k] = k;
        elimination = rbv_elimination_create(rows->tree.size, place);
    }
    for (int32_t k = 0; elimination && k < rows->count && count < rows->tree.size; k++) {
        int32_t from = rows->C.start[k], entries = rows->C.start[k + 1] - from;
        for (int32_t e = 0; e < entries; e++)
            value[e] = rows->c[from + e] / scale[rows->C.column[from + e]];
        /* In large systems with redundant rows: a row is dependent if elimination by the rows before it leaves less
         * than this part of its largest entry. */
        if (rbv_elimination_take(elimination, entries, rows->C.column + from, value, RBV_ROOT_EPS))
            own[count++] = k;
    }
    bool good = elimination && !rbv_elimination_lost(elimination);
    for (int32_t k = 0; good && count < rows->tree.size; k++) /* too few: the factors will be singular */
        own[count++] = k;
    rbv_elimination_destroy(elimination);
    rbv_arena_clear(&arena);
    return good;
}

static bool make_equations(RbvCutRows *rows, const RbvState *state) {
    int32_t *own = NULL;
    bool few = rows->count > rows->tree.size && !is_small_enough(rows->count);
    if (few) {
        own = rbv_arena_array(&rows->arena, (size_t)rows->tree.size + 1, sizeof *own);
        fill_cut_rows(rows, state);
        if (!own || !choose_independent(rows, state, own))
            return false;
    }
    rows->equations = cut_equations_create(&rows->arena, &rows->C, rows->tree.size, own);
    return rows->equations != NULL;
}

RbvCutRows *rbv_cut_rows_create(const RbvMotion *motion) {
    RbvCutRows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->system = motion->system;
    bool good = find_tree(rows) && find_rows(rows, motion) && list_rates(rows) &&
                take_pattern(rows, &rows->system->D, &rows->D, &rows->d);
    if (good)
        good = rows->own ? make_pattern(rows) : take_pattern(rows, &rows->system->C, &rows->C, &rows->c);
    rows->scale = rbv_arena_array(&rows->arena, (size_t)rows->tree.size + 1, sizeof *rows->scale);
    rows->share = rbv_arena_array(&rows->arena, (size_t)rows->count + 1, sizeof *rows->share);
    if (good && rows->scale && rows->share && make_equations(rows, motion->state))
        return rows;
    rbv_cut_rows_destroy(rows);
    return NULL;
}

/* Scales that turn torques into forces at the arms of the parts. */
static void find_scales(RbvCutRows *rows, const RbvState *state) {
    const RbvJointTree *tree = rbv_joint_tree_of(&rows->tree);
    for (int32_t k = 0; k < rows->tree.size; k++) {
        int32_t b = rows->body[k];
        rows->scale[k] =
            k - tree->tree_joints[b].column < tree->tree_joints[b].slides ? 1 : 1 / rbv_state_body_arm(state, b);
    }
    for (int32_t k = 0; k < rows->count; k++)
        rows->share[k] = rows->system->rows[rows->row[k]].angular ? rbv_state_row_arm(state, rows->row[k]) : 1;
}

RbvStatus rbv_cut_rows_prepare(RbvCutRows *rows, RbvState *state) {
    fill_cut_rows(rows, state);
    if (rows->count != rows->tree.size)
        find_scales(rows, state);
    if (rows->count < rows->tree.size)
        return RBV_LOCKED;
    return cut_equations_factor(rows->equations, rows->c, rows->scale, rows->share, &state->no_memory) ? RBV_OK
           : state->no_memory                                                                          ? RBV_NO_MEMORY
                                                                                                       : RBV_LOCKED;
}

void rbv_cut_rows_solve(RbvCutRows *rows, double *y, double *lambda) {
    cut_equations_solve(rows->equations, y, lambda);
}
