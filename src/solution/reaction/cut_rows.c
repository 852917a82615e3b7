/* Finds the cut rows, their entries over the rates of a tree, and their multipliers; see cut_rows.h. */
#include "solution/reaction/cut_rows.h"

#include "core/solve/elimination.h"
#include "solution/reaction/cut_equations.h"

#include <stdlib.h>
#include <string.h>

/* In large systems with redundant rows: a row is dependent if elimination by the rows before it leaves less than
 * this part of its largest entry. */
#define INDEPENDENT 1e-8

void rbv_cut_rows_destroy(RbvCutRows *rows) {
    if (!rows)
        return;
    rbv_cut_equations_destroy(rows->equations);
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
    bool *seen = calloc((size_t)system->held_count + 1, sizeof *seen);
    rows->row = rbv_arena_array(&rows->arena, (size_t)system->held_count + 1, sizeof *rows->row);
    for (int32_t n = 0; seen && rows->row && n < motion->D->n + system->held_count; n++) {
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
static void fill(RbvCutRows *rows, const RbvState *state) {
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
static bool choose(const RbvCutRows *rows, const RbvState *state, int32_t *own) {
    size_t size = (size_t)rows->tree.size + 1;
    int32_t *place = malloc(size * sizeof *place), count = 0;
    double *scale = malloc(size * sizeof *scale), *value = malloc(size * sizeof *value);
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
        if (rbv_elimination_take(elimination, entries, rows->C.column + from, value, INDEPENDENT))
            own[count++] = k;
    }
    bool good = elimination && !rbv_elimination_lost(elimination);
    for (int32_t k = 0; good && count < rows->tree.size; k++) /* too few: the factors will be singular */
        own[count++] = k;
    rbv_elimination_destroy(elimination);
    free(place);
    free(scale);
    free(value);
    return good;
}

static bool make_equations(RbvCutRows *rows, const RbvState *state) {
    int32_t *own = NULL;
    bool few = rows->count > rows->tree.size && !rbv_cut_equations_dense(rows->count);
    if (few) {
        own = malloc(((size_t)rows->tree.size + 1) * sizeof *own);
        fill(rows, state);
        if (!own || !choose(rows, state, own)) {
            free(own);
            return false;
        }
    }
    rows->equations = rbv_cut_equations_create(&rows->C, rows->tree.size, own);
    free(own);
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
    fill(rows, state);
    if (rows->count != rows->tree.size)
        find_scales(rows, state);
    if (rows->count < rows->tree.size)
        return RBV_LOCKED;
    return rbv_cut_equations_factor(rows->equations, rows->c, rows->scale, rows->share, &state->no_memory) ? RBV_OK
           : state->no_memory ? RBV_NO_MEMORY
                              : RBV_LOCKED;
}

void rbv_cut_rows_solve(RbvCutRows *rows, double *y, double *lambda) {
    rbv_cut_equations_solve(rows->equations, y, lambda);
}
