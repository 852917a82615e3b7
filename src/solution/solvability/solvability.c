/* Decides rank and null space of each block; see solvability.h. */
#include "solution/solvability/solvability.h"

#include "solution/solvability/scaled_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RbvSolvability *rbv_solvability_create(const RbvSystem *system, RbvCriterion criterion, bool want_rows) {
    return rbv_solvability_create_of(system, system->active, criterion, want_rows);
}

RbvSolvability *rbv_solvability_create_of(const RbvSystem *system, const bool *active, RbvCriterion criterion,
                                          bool want_rows) {
    RbvSolvability *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->active = active;
    s->row_count = system->row_count;
    for (int32_t k = 0; active && k < system->row_count; k++)
        s->row_count -= !active[k];
    size_t rows = (size_t)system->row_count + 1;
    s->criterion = criterion;
    s->want_rows = want_rows;
    bool good = rbv_blocks_create(system, active, &s->arena, &s->blocks);
    s->ranks = good ? rbv_arena_alloc(&s->arena, ((size_t)s->blocks.block_count + 1) * sizeof *s->ranks) : NULL;
    s->local = rbv_arena_alloc(&s->arena, rows * sizeof *s->local);
    s->independent = rbv_arena_alloc(&s->arena, ((size_t)system->held_count + 1) * sizeof *s->independent);
    s->dependent = rbv_arena_alloc(&s->arena, rows * sizeof *s->dependent);
    s->part = rbv_arena_alloc(&s->arena, rows * sizeof *s->part);
    s->part_row = rbv_arena_alloc(&s->arena, rows * sizeof *s->part_row);
    good = good && s->ranks && s->local && s->independent && s->dependent && s->part && s->part_row;
    for (int32_t b = 0; good && b < s->blocks.block_count; b++) {
        RbvBlock *block = &s->blocks.blocks[b];
        for (int32_t k = 0; k < block->row_count; k++)
            s->local[block->rows[k]] = k;
        s->ranks[b].row_norm = rbv_arena_alloc(&s->arena, ((size_t)block->row_count + 1) * sizeof(double));
        good = s->ranks[b].row_norm != NULL;
    }
    if (!good) {
        rbv_solvability_destroy(s);
        return NULL;
    }
    for (int32_t k = 0; k < system->row_count; k++)
        s->part_row[k] = k;
    return s;
}

void rbv_solvability_destroy(RbvSolvability *s) {
    if (!s)
        return;
    for (int32_t b = 0; s->ranks && b < s->blocks.block_count; b++)
        rbv_determined_clear(&s->ranks[b].determined);
    rbv_arena_clear(&s->arena);
    free(s);
}

/* Joint points nearer than this part of the size of the part coincide. */
#define ONE_POINT 1e-6

/* Length of a block: rms distance of its joints' points from their mean; the size of the part where they coincide. */
static double block_length(const RbvSolvability *s, const RbvState *state, const RbvBlock *block) {
    RbvVec3 mean = {0, 0, 0};
    int32_t count = 0;
    double size = block->row_count > 0 ? rbv_state_row_size(state, block->rows[0]) : 1;
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0;
        for (int32_t n = 0; n < block->element_count; n++) {
            const RbvElement *element = &s->blocks.elements[block->elements[n]];
            if (element->owner != RBV_OWNER_JOINT)
                continue;
            RbvVec3 p = s->places ? s->places[element->index] : rbv_state_joint_place(state, element->index);
            if (pass == 0) {
                mean = rbv_add(mean, p);
                count++;
            } else {
                RbvVec3 d = rbv_sub(p, rbv_scale(1.0 / count, mean));
                sum += rbv_dot(d, d);
            }
        }
        if (pass == 1 && count > 0 && sum / count > ONE_POINT * ONE_POINT * size * size)
            return sqrt(sum / count);
    }
    return size;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts rows in ascending order; those of one block are mostly sorted already. */
static void sort(int32_t *rows, int32_t count) {
    for (int32_t k = 1; k < count; k++)
        if (rows[k] < rows[k - 1]) {
            qsort(rows, (size_t)count, sizeof *rows, ascending);
            return;
        }
}

static RbvStatus decide_block(RbvSolvability *s, const RbvState *state, int32_t b, RbvScaledRows *a) {
    RbvBlock *block = &s->blocks.blocks[b];
    RbvBlockRank *rank = &s->ranks[b];
    bool order = s->want_rows || block->row_count <= RBV_DENSE_ROWS;
    if (!(rank->L > 0)) /* the length of the first position, also when ranks are decided again */
        rank->L = block_length(s, state, block);
    rbv_scaled_rows_fill(a, state, &s->blocks, b, rank->L, NULL, rank->row_norm);
    RbvStatus status =
        rbv_determined_decide(&rank->determined, &a->C, (RbvCriterionKind)s->criterion, order ? a->order : NULL);
    if (status != RBV_OK)
        return status;
    const RbvRank *found = &rank->determined.rank;
    rank->redundant = block->row_count - found->rank;
    for (int32_t k = 0; order && k < block->row_count; k++) {
        int32_t row = block->rows[a->order[k]];
        if (k < found->rank)
            s->independent[s->rank + k] = row;
        else
            s->dependent[s->redundant + k - found->rank] = row;
    }
    s->rank += found->rank;
    s->redundant += rank->redundant;
    s->safe = s->safe && found->safe;
    s->exact = s->exact || rank->determined.exact;
    if (found->rank > 0 && found->smallest < s->smallest)
        s->smallest = found->smallest;
    s->dropped = fmax(s->dropped, found->largest_dropped);
    s->tau = fmax(s->tau, found->tau);
    return RBV_OK;
}

RbvStatus rbv_solvability_decide(RbvSolvability *s, const RbvState *state) {
    RbvScaledRows a;
    RbvStatus status = rbv_scaled_rows_create(&a, state->system) ? RBV_OK : RBV_NO_MEMORY;
    s->rank = s->redundant = 0;
    s->safe = true;
    s->exact = false;
    s->smallest = 1;
    s->dropped = s->tau = 0;
    for (int32_t b = 0; status == RBV_OK && b < s->blocks.block_count; b++)
        status = decide_block(s, state, b, &a);
    if (status == RBV_OK && s->want_rows) {
        sort(s->independent, s->rank);
        sort(s->dependent, s->redundant);
        for (int32_t k = state->system->row_count; k < state->system->held_count; k++)
            s->independent[s->rank + k - state->system->row_count] = k;
    }
    rbv_scaled_rows_destroy(&a);
    return status;
}

RbvStatus rbv_solvability_decide_anew(RbvSolvability *s, const RbvState *state) {
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        s->ranks[b].L = 0;
    return rbv_solvability_decide(s, state);
}

static RbvVerdict verdict_of(RbvDecision decision) {
    return decision == RBV_DETERMINED ? RBV_UNIQUE : decision == RBV_OPEN ? RBV_NOT_UNIQUE : RBV_UNSURE;
}

int32_t rbv_solvability_block(const RbvSolvability *s, int32_t row) {
    /* rows are numbered in the order of the elements */
    int32_t low = 0, high = s->blocks.element_count - 1;
    while (low < high) {
        int32_t middle = (low + high + 1) / 2;
        if (s->blocks.elements[middle].first_row <= row)
            low = middle;
        else
            high = middle - 1;
    }
    return s->blocks.elements[low].block;
}

bool rbv_solvability_is_plain(const RbvSolvability *s, int32_t block) {
    const RbvDetermined *d = &s->ranks[block].determined;
    return d->rank.safe && d->rank.rank == d->rows;
}

/* Scales to a largest coefficient of 1, so that squares neither overflow nor vanish. */
static void scale_part(double *part, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = fmax(most, fabs(part[k]));
    for (int32_t k = 0; k < count && most > 0; k++)
        part[k] /= most;
}

RbvVerdict rbv_solvability_verdict(RbvSolvability *s, int32_t first, int32_t count, const double *c) {
    if (!rbv_solvability_holds(s, first))
        return RBV_FREE;
    int32_t b = rbv_solvability_block(s, first);
    if (rbv_solvability_is_plain(s, b))
        return RBV_UNIQUE;
    for (int32_t k = 0; k < count; k++)
        s->part[k] = c[k] / s->ranks[b].row_norm[s->local[first + k]];
    scale_part(s->part, count);
    return verdict_of(rbv_determined_verdict(&s->ranks[b].determined, count, s->local + first, s->part));
}

/* Self-stresses of different blocks are independent: the combination is determined when its part in each block is. */
RbvVerdict rbv_solvability_decide_all(RbvSolvability *s, const double *c) {
    RbvVerdict worst = RBV_UNIQUE;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        const RbvBlock *block = &s->blocks.blocks[b];
        if (rbv_solvability_is_plain(s, b))
            continue;
        for (int32_t k = 0; k < block->row_count; k++)
            s->part[k] = c[block->rows[k]] / s->ranks[b].row_norm[k];
        scale_part(s->part, block->row_count);
        RbvVerdict verdict =
            verdict_of(rbv_determined_verdict(&s->ranks[b].determined, block->row_count, s->part_row, s->part));
        worst = verdict > worst ? verdict : worst;
    }
    return worst;
}

bool rbv_solvability_no_memory(const RbvSolvability *s) {
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        if (s->ranks[b].determined.no_memory)
            return true;
    return false;
}

/* Rank of a block without the marked rows. If its null space is known: rank - (marked - rank of N there); else the
 * sparse rank is computed again. -1: no memory. */
static int32_t block_rank_without(const RbvSolvability *s, const RbvState *state, int32_t b, const bool *without,
                                  RbvScaledRows *a) {
    const RbvBlock *block = &s->blocks.blocks[b];
    const RbvBlockRank *rank = &s->ranks[b];
    int32_t marked = 0, p = rank->redundant;
    for (int32_t k = 0; k < block->row_count; k++)
        marked += without[block->rows[k]];
    if (marked == 0 || p == 0)
        return rank->determined.rank.rank - marked;
    if (rank->determined.probe) {
        RbvDetermined rest = {0};
        rbv_scaled_rows_fill(a, state, &s->blocks, b, rank->L, without, rank->row_norm);
        RbvStatus status = rbv_determined_decide(&rest, &a->C, RBV_DECIDE_DEFAULT, NULL);
        int32_t found = rest.rank.rank;
        rbv_determined_clear(&rest);
        return status == RBV_OK ? found : -1;
    }
    double *N = malloc((size_t)marked * (size_t)p * sizeof *N);
    RbvRank part;
    int32_t at = 0;
    for (int32_t k = 0; N && k < block->row_count; k++)
        for (int32_t c = 0; without[block->rows[k]] && c < p; c++)
            N[at++] = rbv_null_entry(rank, k, c) * rank->row_norm[k];
    RbvStatus status = N ? rbv_rank_svd(marked, p, N, &part, NULL) : RBV_NO_MEMORY;
    /* N is orthonormal: its rows at the marked rows may all be small, and are rounding then */
    double size = 0;
    for (int32_t k = 0; N && k < marked * p; k++)
        size = fmax(size, fabs(N[k]));
    free(N);
    if (status != RBV_OK)
        return -1;
    return rank->determined.rank.rank - marked + (size > 1e-7 ? part.rank : 0);
}

int32_t rbv_solvability_block_rank_without(const RbvSolvability *s, int32_t b, const bool *without) {
    return block_rank_without(s, NULL, b, without, NULL);
}

int32_t rbv_solvability_rank_without(RbvSolvability *s, const RbvState *state, const bool *without) {
    RbvScaledRows a;
    int32_t sum = rbv_scaled_rows_create(&a, state->system) ? 0 : -1;
    for (int32_t b = 0; sum >= 0 && b < s->blocks.block_count; b++) {
        int32_t part = block_rank_without(s, state, b, without, &a);
        sum = part < 0 ? -1 : sum + part;
    }
    rbv_scaled_rows_destroy(&a);
    return sum;
}
