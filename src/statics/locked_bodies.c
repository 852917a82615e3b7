/* Locked bodies and their multipliers, C_H^T lambda_H = -(g + C^T lambda_others). A block of the graph of bodies locks
 * all its bodies if its rank equals the number of its columns; a block attached to a locked body does so if its rank is
 * less by that body's columns. */
#include "statics/locked_bodies.h"

#include "solution/solvability/solvability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes of inverse iteration: other singular values are far above the least. */
#define INVERSE_PASSES 2

typedef struct Finding {
    RbvArena arena; /* of block, active, body */
    const RbvSystem *system;
    const RbvSolvability *solvability;
    RbvLockedBodies *found;
    double below;  /* least singular value, over the largest, below which a block is barely locked */
    bool *block;   /* [blocks] locked */
    bool *active;  /* [rows] active */
    int32_t *body; /* [columns] body of each column */
} Finding;

/* Number of rows of idle spins of the block's bodies: they have no block of their own. */
static int32_t spins_of(const Finding *f, int32_t block) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    int32_t count = 0;
    for (int32_t k = f->system->row_count; k < f->system->satisfied_count; k++)
        for (int32_t j = 0; j < b->column_count; j++)
            count += b->columns[j] == f->system->C.column[f->system->C.start[k]];
    return count;
}

/* Columns of the block minus its rank, if it locks its bodies: 0, or the columns of one body that is locked already.
 * -1: it does not lock them. */
static int32_t missing_rank(const Finding *f, int32_t block) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    int32_t missing = b->column_count - (b->row_count - f->solvability->ranks[block].redundant) - spins_of(f, block);
    for (int32_t j = 0; missing > 0 && j < b->column_count; j++)
        if (f->found->place[b->columns[j]] >= 0 &&
            rbv_bodies_columns(&f->system->bodies, f->body[b->columns[j]]) == missing)
            return missing;
    return missing == 0 ? 0 : -1;
}

/* Adds a block's rows and columns to the locked ones. */
static void lock_block(Finding *f, int32_t block) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    RbvLockedBodies *locked = f->found;
    f->block[block] = true;
    for (int32_t j = 0; j < b->column_count; j++)
        if (locked->place[b->columns[j]] < 0)
            locked->place[b->columns[j]] = locked->count++;
    for (int32_t k = 0; k < b->row_count; k++)
        locked->is_locked[b->rows[k]] = true;
}

/* Finds locked blocks one after the other, from ground outwards. True if some block is barely locked. */
static bool find_blocks(Finding *f) {
    bool barely = false;
    for (bool more = true; more;) {
        more = false;
        for (int32_t b = 0; b < f->solvability->blocks.block_count; b++) {
            if (f->block[b] || missing_rank(f, b) < 0)
                continue;
            lock_block(f, b);
            more = true;
            barely = barely || f->solvability->ranks[b].determined.rank.smallest < f->below;
        }
    }
    return barely;
}

/* Lists the independent rows of locked blocks, and the idle spins of their bodies. Returns their number. */
static int32_t list_independent_rows(Finding *f) {
    RbvLockedBodies *locked = f->found;
    int32_t count = 0;
    for (int32_t k = 0; k < f->solvability->rank; k++)
        if (locked->is_locked[f->solvability->independent[k]] && count < locked->count)
            locked->row[count++] = f->solvability->independent[k];
    for (int32_t k = f->system->row_count; k < f->system->satisfied_count; k++)
        if (locked->place[f->system->C.column[f->system->C.start[k]]] >= 0 && count < locked->count) {
            locked->is_locked[k] = true;
            locked->row[count++] = k;
        }
    return count;
}

static bool create_factors(RbvLockedBodies *locked) {
    const RbvRowPattern *C = &locked->system->C;
    int32_t entries = 0;
    for (int32_t k = 0; k < locked->count; k++)
        entries += C->start[locked->row[k] + 1] - C->start[locked->row[k]];
    int32_t *start = malloc(((size_t)locked->count + 1 + (size_t)entries) * sizeof *start),
            *index = start ? start + locked->count + 1 : NULL;
    locked->values = rbv_arena_alloc(&locked->arena, ((size_t)entries + 1) * sizeof *locked->values);
    locked->x = rbv_arena_alloc(&locked->arena, ((size_t)locked->count + 1) * sizeof *locked->x);
    if (start && locked->values && locked->x) {
        start[0] = 0;
        for (int32_t k = 0; k < locked->count; k++) {
            start[k + 1] = start[k];
            for (int32_t e = C->start[locked->row[k]]; e < C->start[locked->row[k] + 1]; e++)
                index[start[k + 1]++] = locked->place[C->column[e]];
        }
        locked->lu = rbv_lu_create(locked->count, start, index);
    }
    free(start);
    return locked->lu != NULL;
}

/* Decides the rank by blocks. Keeps f->found if some block is barely locked and the independent rows match the columns;
 * otherwise f->found becomes NULL. */
static bool find_locked(Finding *f, const RbvState *state, const double *weight) {
    const RbvSystem *system = f->system;
    for (int32_t k = 0; k < system->row_count; k++)
        f->active[k] = weight[k] != 0;
    RbvSolvability *s = rbv_solvability_create_of(system, f->active, RBV_CRITERION_DEFAULT, true);
    f->solvability = s;
    f->block = s ? rbv_arena_array(&f->arena, (size_t)s->blocks.block_count + 1, sizeof *f->block) : NULL;
    bool good = f->block && rbv_solvability_decide(s, state) == RBV_OK && !rbv_solvability_no_memory(s);
    if (good && (!find_blocks(f) || list_independent_rows(f) != f->found->count)) {
        rbv_locked_bodies_destroy(f->found);
        f->found = NULL;
    }
    good = good && (!f->found || create_factors(f->found));
    rbv_solvability_destroy(s);
    return good;
}

bool rbv_locked_bodies_create(const RbvState *state, const double *weight, double below, RbvLockedBodies **locked) {
    const RbvSystem *system = state->system;
    size_t columns = (size_t)system->coordinates.size + 1, rows = (size_t)system->satisfied_count + 1;
    Finding f = {.system = system, .below = below, .found = calloc(1, sizeof *f.found)};
    *locked = NULL;
    f.active = rbv_arena_alloc(&f.arena, rows * sizeof *f.active);
    f.body = rbv_arena_alloc(&f.arena, columns * sizeof *f.body);
    bool good = f.found && f.active && f.body;
    if (good) {
        f.found->system = system;
        f.found->row = rbv_arena_alloc(&f.found->arena, columns * sizeof *f.found->row);
        f.found->place = rbv_arena_alloc(&f.found->arena, columns * sizeof *f.found->place);
        f.found->is_locked = rbv_arena_array(&f.found->arena, rows, sizeof *f.found->is_locked);
        good = f.found->row && f.found->place && f.found->is_locked;
    }
    if (good) {
        for (int32_t i = 1; i < system->bodies.count; i++)
            for (int32_t j = system->bodies.start[i]; j < system->bodies.start[i + 1]; j++)
                f.body[j] = i, f.found->place[j] = -1;
        good = find_locked(&f, state, weight);
    }
    if (good)
        *locked = f.found;
    else
        rbv_locked_bodies_destroy(f.found);
    rbv_arena_clear(&f.arena);
    return good;
}

void rbv_locked_bodies_destroy(RbvLockedBodies *locked) {
    if (!locked)
        return;
    rbv_lu_destroy(locked->lu);
    rbv_arena_clear(&locked->arena);
    free(locked);
}

bool rbv_locked_bodies_factor(RbvLockedBodies *locked, const double *C, bool *no_memory) {
    const RbvRowPattern *pattern = &locked->system->C;
    double *to = locked->values;
    for (int32_t k = 0; k < locked->count; k++)
        for (int32_t e = pattern->start[locked->row[k]]; e < pattern->start[locked->row[k] + 1]; e++)
            *to++ = C[e];
    return rbv_lu_factor(locked->lu, locked->values, no_memory);
}

void rbv_locked_bodies_multipliers(RbvLockedBodies *locked, const double *C, const double *gradient, double *lambda) {
    const RbvRowPattern *pattern = &locked->system->C;
    for (int32_t j = 0; j < locked->system->coordinates.size; j++)
        if (locked->place[j] >= 0)
            locked->x[locked->place[j]] = -gradient[j];
    for (int32_t k = 0; k < locked->system->satisfied_count; k++) {
        for (int32_t e = pattern->start[k]; !locked->is_locked[k] && e < pattern->start[k + 1]; e++)
            if (locked->place[pattern->column[e]] >= 0)
                locked->x[locked->place[pattern->column[e]]] -= C[e] * lambda[k];
        lambda[k] = locked->is_locked[k] ? 0 : lambda[k];
    }
    rbv_lu_solve_transposed(locked->lu, locked->x);
    for (int32_t k = 0; k < locked->count; k++)
        lambda[locked->row[k]] = locked->x[k];
}

void rbv_locked_bodies_step(RbvLockedBodies *locked, const double *h, double *y) {
    double size = 0;
    for (int32_t k = 0; k < locked->count; k++) {
        locked->x[k] = h[locked->row[k]];
        size = fmax(size, fabs(locked->x[k]));
    }
    for (int pass = 0; pass < INVERSE_PASSES; pass++) { /* inverse iteration towards the least singular value */
        double largest = 0;
        rbv_lu_solve(locked->lu, locked->x);
        rbv_lu_solve_transposed(locked->lu, locked->x);
        for (int32_t k = 0; k < locked->count; k++)
            largest = fmax(largest, fabs(locked->x[k]));
        for (int32_t k = 0; k < locked->count && largest > 0; k++)
            locked->x[k] *= size / largest;
    }
    rbv_lu_solve(locked->lu, locked->x);
    for (int32_t j = 0; j < locked->system->coordinates.size; j++)
        if (locked->place[j] >= 0)
            y[j] = locked->x[locked->place[j]];
}
