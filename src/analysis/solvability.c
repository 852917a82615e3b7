/* Deciding rank and null space of each block; see solvability.h. */
#include "analysis/solvability.h"

#include "solve/ridge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Leak of a determined combination into the computed null space (N7): at most 4 tau / sigma_r; above 100 times that it is real. */
#define LEAK 4.0
#define LEAK_CLEAR 100.0
/* A combination of which more than this lies in the null space is never called determined. */
#define LARGEST_LEAK 1e-4

RbvSolvability *rbv_solvability_create(const RbvSystem *system) {
    RbvSolvability *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    size_t rows = (size_t)system->row_count + 1;
    bool good = rbv_blocks_create(system, &s->arena, &s->blocks);
    s->ranks = good ? rbv_arena_alloc(&s->arena, ((size_t)s->blocks.block_count + 1) * sizeof *s->ranks) : NULL;
    s->local = rbv_arena_alloc(&s->arena, rows * sizeof *s->local);
    s->independent = rbv_arena_alloc(&s->arena, rows * sizeof *s->independent);
    s->dependent = rbv_arena_alloc(&s->arena, rows * sizeof *s->dependent);
    s->part = rbv_arena_alloc(&s->arena, rows * sizeof *s->part);
    good = good && s->ranks && s->local && s->independent && s->dependent && s->part;
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
    return s;
}

void rbv_solvability_destroy(RbvSolvability *s) {
    if (!s)
        return;
    for (int32_t b = 0; s->ranks && b < s->blocks.block_count; b++)
        free(s->ranks[b].null);
    rbv_arena_clear(&s->arena);
    free(s);
}

/* rms distance from their mean of the points of the joints in a block (each at its second marker); the mechanism's size when they coincide. */
static double block_length(const RbvSolvability *s, const RbvState *state, const RbvBlock *block) {
    const RbvModel *model = state->system->model;
    RbvVec3 mean = {0, 0, 0};
    int32_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        double sum = 0;
        for (int32_t n = 0; n < block->element_count; n++) {
            const RbvElement *element = &s->blocks.elements[block->elements[n]];
            if (element->owner != RBV_OWNER_JOINT)
                continue;
            RbvVec3 p = state->markers[model->joints.items[element->index].marker[1]].point;
            if (pass == 0) {
                mean = rbv_add(mean, p);
                count++;
            } else {
                RbvVec3 d = rbv_sub(p, rbv_scale(1.0 / count, mean));
                sum += rbv_dot(d, d);
            }
        }
        if (pass == 1 && count > 0 && sum / count > 1e-12 * state->system->size_length * state->system->size_length)
            return sqrt(sum / count);
    }
    return state->system->size_length;
}

/* Scaled entries of a block's rows in CSR order: values follow the rows, row_norm is set. */
static void scale_rows(const RbvState *state, const RbvBlock *block, RbvBlockRank *rank, const bool *rotation, double *values) {
    const RbvSystem *system = state->system;
    int32_t at = 0;
    for (int32_t k = 0; k < block->row_count; k++) {
        int32_t row = block->rows[k], begin = at;
        double sum = 0;
        for (int32_t e = system->start[row]; e < system->start[row + 1]; e++) {
            double value = state->C[e] * (rotation[system->column[e]] ? 1 / rank->L : 1);
            values[at++] = value;
            sum += value * value;
        }
        double norm = sum > 0 ? sqrt(sum) : 1;
        rank->row_norm[k] = norm;
        for (int32_t e = begin; e < at; e++)
            values[e] /= norm;
    }
}

/* Large blocks: full rank is shown by the smallest singular value, found without the others. */
static bool full_rank_by_power(const RbvState *state, const RbvBlock *block, RbvBlockRank *rank, const double *values,
                               const int32_t *position) {
    const RbvSystem *system = state->system;
    int32_t m = block->row_count, n = block->column_count, nonzeros = 0;
    if (m > n)
        return false;
    for (int32_t k = 0; k < m; k++)
        nonzeros += system->start[block->rows[k] + 1] - system->start[block->rows[k]];
    int32_t *start = malloc(((size_t)m + 1) * sizeof *start), *column = malloc(((size_t)nonzeros + 1) * sizeof *column);
    bool full = false;
    if (start && column) {
        int32_t at = 0;
        for (int32_t k = 0; k < m; k++) {
            start[k] = at;
            for (int32_t e = system->start[block->rows[k]]; e < system->start[block->rows[k] + 1]; e++)
                column[at++] = position[system->column[e]];
        }
        start[m] = at;
        /* sigma_1 of unit rows lies between 1 and the root of the largest number of rows that meet in a body; 4 is ample */
        double tau = 4.0 * n * 2.2e-16 + RBV_RANK_DATA;
        RbvRidge *ridge = rbv_ridge_create(m, n, start, column);
        if (ridge && rbv_ridge_factor(ridge, values, tau * tau)) {
            double smallest = rbv_ridge_smallest(ridge);
            full = smallest > 4 * RBV_RANK_BAND * tau;
            rank->rank = (RbvRank){m, true, smallest / 4, 0, tau, smallest / 4, m};
        }
        rbv_ridge_destroy(ridge);
    }
    free(start);
    free(column);
    return full;
}

static RbvStatus decide_dense(const RbvState *state, const RbvBlock *block, RbvBlockRank *rank, const double *values,
                              const int32_t *position, int32_t *order) {
    const RbvSystem *system = state->system;
    size_t m = (size_t)block->row_count, n = (size_t)block->column_count;
    double *dense = calloc(m * n + 1, sizeof *dense);
    rank->null = malloc((m * m + 1) * sizeof *rank->null);
    RbvStatus status = dense && rank->null ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        int32_t at = 0;
        for (size_t k = 0; k < m; k++)
            for (int32_t e = system->start[block->rows[k]]; e < system->start[block->rows[k] + 1]; e++)
                dense[k * n + (size_t)position[system->column[e]]] += values[at++];
        status = rbv_rank_svd((int32_t)m, (int32_t)n, dense, &rank->rank, rank->null);
        rank->null_columns = (int32_t)m - rank->rank.certain;
    }
    if (status == RBV_OK && rank->rank.rank < (int32_t)m)
        status = rbv_rank_rows((int32_t)m, (int32_t)n, dense, order);
    free(dense);
    return status;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static RbvStatus decide_block(RbvSolvability *s, const RbvState *state, int32_t b, const bool *rotation, int32_t *position) {
    const RbvSystem *system = state->system;
    RbvBlock *block = &s->blocks.blocks[b];
    RbvBlockRank *rank = &s->ranks[b];
    free(rank->null);
    rank->null = NULL;
    rank->null_columns = 0;
    rank->L = block_length(s, state, block);
    int32_t nonzeros = 0;
    for (int32_t k = 0; k < block->row_count; k++)
        nonzeros += system->start[block->rows[k] + 1] - system->start[block->rows[k]];
    for (int32_t c = 0; c < block->column_count; c++)
        position[block->columns[c]] = c;
    double *values = malloc(((size_t)nonzeros + 1) * sizeof *values);
    int32_t *order = malloc(((size_t)block->row_count + 1) * sizeof *order);
    RbvStatus status = values && order ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        scale_rows(state, block, rank, rotation, values);
        for (int32_t k = 0; k < block->row_count; k++)
            order[k] = k;
        if (block->row_count <= RBV_BLOCK_DENSE || !full_rank_by_power(state, block, rank, values, position))
            status = decide_dense(state, block, rank, values, position, order);
    }
    if (status == RBV_OK) {
        rank->redundant = block->row_count - rank->rank.rank;
        for (int32_t k = 0; k < block->row_count; k++) {
            int32_t row = block->rows[order[k]];
            if (k < rank->rank.rank)
                s->independent[s->rank++] = row;
            else
                s->dependent[s->redundant++] = row;
        }
        s->safe = s->safe && rank->rank.safe;
        if (rank->rank.rank > 0 && rank->rank.smallest < s->smallest)
            s->smallest = rank->rank.smallest;
        s->dropped = fmax(s->dropped, rank->rank.largest_dropped);
        s->tau = fmax(s->tau, rank->rank.tau);
    }
    free(values);
    free(order);
    return status;
}

RbvStatus rbv_solvability_decide(RbvSolvability *s, const RbvState *state) {
    const RbvAbsolute *absolute = &state->system->absolute;
    bool *rotation = calloc((size_t)absolute->size + 1, sizeof *rotation);
    int32_t *position = calloc((size_t)absolute->size + 1, sizeof *position);
    RbvStatus status = rotation && position ? RBV_OK : RBV_NO_MEMORY;
    s->rank = s->redundant = 0;
    s->safe = true;
    s->smallest = 1;
    s->dropped = s->tau = 0;
    if (status == RBV_OK)
        for (int32_t b = 1; b < absolute->body_count; b++)
            for (int32_t c = absolute->start[b]; c < absolute->start[b + 1]; c++)
                rotation[c] = rbv_absolute_is_rotation(absolute, b, c);
    for (int32_t b = 0; status == RBV_OK && b < s->blocks.block_count; b++)
        status = decide_block(s, state, b, rotation, position);
    if (status == RBV_OK) {
        qsort(s->independent, (size_t)s->rank, sizeof *s->independent, ascending);
        qsort(s->dependent, (size_t)s->redundant, sizeof *s->dependent, ascending);
    }
    free(rotation);
    free(position);
    return status;
}

/* How much of the combination lies in the null columns from `from` on, relative to its length. `row` lists its rows. */
static double leak(const RbvSolvability *s, const RbvBlockRank *rank, const int32_t *row, int32_t first, int32_t count,
                   const double *c, int32_t from) {
    double size = 0, sum = 0;
    for (int32_t k = 0; k < count; k++) {
        double value = c[k] / rank->row_norm[s->local[row ? row[k] : first + k]];
        size += value * value;
    }
    for (int32_t n = from; n < rank->null_columns; n++) {
        double dot = 0;
        for (int32_t k = 0; k < count; k++) {
            int32_t local = s->local[row ? row[k] : first + k];
            dot += c[k] / rank->row_norm[local] * rank->null[local * rank->null_columns + n];
        }
        sum += dot * dot;
    }
    return size > 0 ? sqrt(sum / size) : 0;
}

static RbvVerdict judge(const RbvSolvability *s, const RbvBlockRank *rank, const int32_t *row, int32_t first, int32_t count,
                        const double *c) {
    if (rank->null_columns == 0)
        return RBV_UNIQUE;
    double threshold = fmin(LEAK * rank->rank.tau / rank->rank.smallest_certain, LARGEST_LEAK);
    int32_t perhaps = rank->null_columns - rank->redundant;
    double sure = leak(s, rank, row, first, count, c, perhaps), possible = leak(s, rank, row, first, count, c, 0);
    if (possible <= threshold)
        return RBV_UNIQUE;
    return sure > LEAK_CLEAR * threshold ? RBV_NOT_UNIQUE : RBV_UNSURE;
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

RbvVerdict rbv_solvability_judge(const RbvSolvability *s, int32_t first, int32_t count, const double *c) {
    return judge(s, &s->ranks[rbv_solvability_block(s, first)], NULL, first, count, c);
}

/* Self-stresses of different blocks are independent: the combination is determined when its part in each block is. */
RbvVerdict rbv_solvability_judge_all(const RbvSolvability *s, const double *c) {
    RbvVerdict worst = RBV_UNIQUE;
    for (int32_t b = 0; b < s->blocks.block_count; b++) {
        const RbvBlock *block = &s->blocks.blocks[b];
        if (s->ranks[b].null_columns == 0)
            continue;
        for (int32_t k = 0; k < block->row_count; k++)
            s->part[k] = c[block->rows[k]];
        RbvVerdict verdict = judge(s, &s->ranks[b], block->rows, 0, block->row_count, s->part);
        worst = verdict > worst ? verdict : worst;
    }
    return worst;
}
