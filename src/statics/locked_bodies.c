/* Locked bodies and their multipliers; see locked_bodies.h. A block of the graph of bodies locks all its bodies if its
 * rank equals the number of its columns; a block attached to a locked body does so if its rank is less by that body's
 * columns. */
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
    RbvLockedBodies *held;
    double below;  /* least singular value, over the largest, below which a block is barely locked */
    bool *block;   /* [blocks] locked */
    bool *active;  /* [rows] active */
    int32_t *body; /* [columns] body of each column */
} Finding;

/* Number of rows of idle spins of the block's bodies, and the rows (or NULL): they have no block of their own. */
static int32_t spins_of(const Finding *f, int32_t block, int32_t *rows) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    int32_t count = 0;
    for (int32_t k = f->system->row_count; k < f->system->held_count; k++)
        for (int32_t j = 0; j < b->column_count; j++)
            if (b->columns[j] == f->system->C.column[f->system->C.start[k]]) {
                if (rows)
                    rows[count] = k;
                count++;
            }
    return count;
}

/* Columns of the block minus its rank, if it locks its bodies: 0, or the columns of one body that is locked already.
 * -1: it does not lock them. */
static int32_t missing_rank(const Finding *f, int32_t block) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    int32_t lack = b->column_count - (b->row_count - f->solvability->ranks[block].redundant) - spins_of(f, block, NULL);
    for (int32_t j = 0; lack > 0 && j < b->column_count; j++)
        if (f->held->place[b->columns[j]] >= 0 &&
            rbv_bodies_columns(&f->system->bodies, f->body[b->columns[j]]) == lack)
            return lack;
    return lack == 0 ? 0 : -1;
}

/* Adds a block's rows and columns to the locked ones. */
static void lock_block(Finding *f, int32_t block) {
    const RbvBlock *b = &f->solvability->blocks.blocks[block];
    RbvLockedBodies *held = f->held;
    f->block[block] = true;
    for (int32_t j = 0; j < b->column_count; j++)
        if (held->place[b->columns[j]] < 0)
            held->place[b->columns[j]] = held->count++;
    for (int32_t k = 0; k < b->row_count; k++)
        held->is_held[b->rows[k]] = true;
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
    RbvLockedBodies *held = f->held;
    int32_t count = 0;
    for (int32_t k = 0; k < f->solvability->rank; k++)
        if (held->is_held[f->solvability->independent[k]] && count < held->count)
            held->row[count++] = f->solvability->independent[k];
    for (int32_t k = f->system->row_count; k < f->system->held_count; k++)
        if (held->place[f->system->C.column[f->system->C.start[k]]] >= 0 && count < held->count) {
            held->is_held[k] = true;
            held->row[count++] = k;
        }
    return count;
}

static bool create_factors(RbvLockedBodies *held) {
    const RbvRowPattern *C = &held->system->C;
    int32_t entries = 0;
    for (int32_t k = 0; k < held->count; k++)
        entries += C->start[held->row[k] + 1] - C->start[held->row[k]];
    int32_t *start = malloc(((size_t)held->count + 1 + (size_t)entries) * sizeof *start),
            *index = start ? start + held->count + 1 : NULL;
    held->values = rbv_arena_alloc(&held->arena, ((size_t)entries + 1) * sizeof *held->values);
    held->x = rbv_arena_alloc(&held->arena, ((size_t)held->count + 1) * sizeof *held->x);
    if (start && held->values && held->x) {
        start[0] = 0;
        for (int32_t k = 0; k < held->count; k++) {
            start[k + 1] = start[k];
            for (int32_t e = C->start[held->row[k]]; e < C->start[held->row[k] + 1]; e++)
                index[start[k + 1]++] = held->place[C->column[e]];
        }
        held->lu = rbv_lu_create(held->count, start, index);
    }
    free(start);
    return held->lu != NULL;
}

/* Decides the rank by blocks. Keeps f->held if some block is barely locked and the independent rows match the columns;
 * otherwise f->held becomes NULL. */
static bool find_locked(Finding *f, const RbvState *state, const double *weight) {
    const RbvSystem *system = f->system;
    for (int32_t k = 0; k < system->row_count; k++)
        f->active[k] = weight[k] != 0;
    RbvSolvability *s = rbv_solvability_create_of(system, f->active, RBV_CRITERION_DEFAULT, true);
    f->solvability = s;
    f->block = s ? rbv_arena_array(&f->arena, (size_t)s->blocks.block_count + 1, sizeof *f->block) : NULL;
    bool good = f->block && rbv_solvability_decide(s, state) == RBV_OK && !rbv_solvability_no_memory(s);
    if (good && (!find_blocks(f) || list_independent_rows(f) != f->held->count)) {
        rbv_locked_bodies_destroy(f->held);
        f->held = NULL;
    }
    good = good && (!f->held || create_factors(f->held));
    rbv_solvability_destroy(s);
    return good;
}

bool rbv_locked_bodies_create(const RbvState *state, const double *weight, double below, RbvLockedBodies **held) {
    const RbvSystem *system = state->system;
    size_t columns = (size_t)system->coordinates.size + 1, rows = (size_t)system->held_count + 1;
    Finding f = {.system = system, .below = below, .held = calloc(1, sizeof *f.held)};
    *held = NULL;
    f.active = rbv_arena_alloc(&f.arena, rows * sizeof *f.active);
    f.body = rbv_arena_alloc(&f.arena, columns * sizeof *f.body);
    bool good = f.held && f.active && f.body;
    if (good) {
        f.held->system = system;
        f.held->row = rbv_arena_alloc(&f.held->arena, columns * sizeof *f.held->row);
        f.held->place = rbv_arena_alloc(&f.held->arena, columns * sizeof *f.held->place);
        f.held->is_held = rbv_arena_array(&f.held->arena, rows, sizeof *f.held->is_held);
        good = f.held->row && f.held->place && f.held->is_held;
    }
    if (good) {
        for (int32_t i = 1; i < system->bodies.count; i++)
            for (int32_t j = system->bodies.start[i]; j < system->bodies.start[i + 1]; j++)
                f.body[j] = i, f.held->place[j] = -1;
        good = find_locked(&f, state, weight);
    }
    if (good)
        *held = f.held;
    else
        rbv_locked_bodies_destroy(f.held);
    rbv_arena_clear(&f.arena);
    return good;
}

void rbv_locked_bodies_destroy(RbvLockedBodies *held) {
    if (!held)
        return;
    rbv_lu_destroy(held->lu);
    rbv_arena_clear(&held->arena);
    free(held);
}

bool rbv_locked_bodies_factor(RbvLockedBodies *held, const double *C, bool *no_memory) {
    const RbvRowPattern *pattern = &held->system->C;
    double *to = held->values;
    for (int32_t k = 0; k < held->count; k++)
        for (int32_t e = pattern->start[held->row[k]]; e < pattern->start[held->row[k] + 1]; e++)
            *to++ = C[e];
    return rbv_lu_factor(held->lu, held->values, no_memory);
}

void rbv_locked_bodies_multipliers(RbvLockedBodies *held, const double *C, const double *gradient, double *lambda) {
    const RbvRowPattern *pattern = &held->system->C;
    for (int32_t j = 0; j < held->system->coordinates.size; j++)
        if (held->place[j] >= 0)
            held->x[held->place[j]] = -gradient[j];
    for (int32_t k = 0; k < held->system->held_count; k++) {
        for (int32_t e = pattern->start[k]; !held->is_held[k] && e < pattern->start[k + 1]; e++)
            if (held->place[pattern->column[e]] >= 0)
                held->x[held->place[pattern->column[e]]] -= C[e] * lambda[k];
        lambda[k] = held->is_held[k] ? 0 : lambda[k];
    }
    rbv_lu_solve_transposed(held->lu, held->x);
    for (int32_t k = 0; k < held->count; k++)
        lambda[held->row[k]] = held->x[k];
}

void rbv_locked_bodies_step(RbvLockedBodies *held, const double *h, double *y) {
    double size = 0;
    for (int32_t k = 0; k < held->count; k++) {
        held->x[k] = h[held->row[k]];
        size = fmax(size, fabs(held->x[k]));
    }
    for (int pass = 0; pass < INVERSE_PASSES; pass++) { /* inverse iteration towards the least singular value */
        double largest = 0;
        rbv_lu_solve(held->lu, held->x);
        rbv_lu_solve_transposed(held->lu, held->x);
        for (int32_t k = 0; k < held->count; k++)
            largest = fmax(largest, fabs(held->x[k]));
        for (int32_t k = 0; k < held->count && largest > 0; k++)
            held->x[k] *= size / largest;
    }
    rbv_lu_solve(held->lu, held->x);
    for (int32_t j = 0; j < held->system->coordinates.size; j++)
        if (held->place[j] >= 0)
            y[j] = held->x[held->place[j]];
}
