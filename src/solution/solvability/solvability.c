/* Decides rank and null space of each block, and the verdicts that follow. */
#include "solution/solvability/solvability.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/forms/form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of one block, scaled so that thresholds are pure numbers: C_s = D^-1 C S.
 *
 * A body's columns are the motion of one of the points that the block's rows refer to, not of its centroid, so that
 * neither rank nor its safety depends on the distribution of mass. Columns of rotations are divided by the block's
 * length L, and then rows by their norms d_k. */

void rbv_scaled_rows_destroy(RbvScaledRows *a) {
    rbv_arena_clear(&a->arena);
    *a = (RbvScaledRows){0};
}

bool rbv_scaled_rows_create(RbvScaledRows *a, const RbvSystem *system) {
    const RbvBodyColumns *bodies = &system->bodies;
    size_t rows = (size_t)system->row_count + 1, columns = (size_t)bodies->size + 1,
           entries = (size_t)system->D.start[system->row_count] + 1;
    *a = (RbvScaledRows){0};
    RbvArena *arena = &a->arena;
    a->start = rbv_arena_array(arena, rows, sizeof *a->start);
    a->column = rbv_arena_array(arena, entries, sizeof *a->column);
    a->node = rbv_arena_array(arena, columns, sizeof *a->node);
    a->row_node = rbv_arena_array(arena, rows, sizeof *a->row_node);
    a->values = rbv_arena_array(arena, entries, sizeof *a->values);
    a->unit = rbv_arena_array(arena, columns, sizeof *a->unit);
    a->position = rbv_arena_array(arena, columns, sizeof *a->position);
    a->rotation = rbv_arena_array(arena, columns, sizeof *a->rotation);
    a->body = rbv_arena_array(arena, columns, sizeof *a->body);
    a->about = rbv_arena_array(arena, (size_t)bodies->count, sizeof *a->about);
    a->at = rbv_arena_array(arena, (size_t)bodies->count, sizeof *a->at);
    a->order = rbv_arena_array(arena, rows, sizeof *a->order);
    a->last = rbv_arena_array(arena, rows, sizeof *a->last);
    if (!a->start || !a->column || !a->node || !a->row_node || !a->values || !a->unit || !a->position || !a->rotation ||
        !a->order || !a->last || !a->body || !a->about || !a->at)
        return false;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t c = bodies->start[b]; c < bodies->start[b + 1]; c++)
            a->body[c] = b, a->rotation[c] = rbv_bodies_is_rotation(bodies, b, c);
    return true;
}

/* Order of the points p and q of one body by their coordinates, independent of names and of the order of joints. */
static bool comes_first(RbvVec3 p, RbvVec3 q) {
    if (p.x != q.x)
        return p.x < q.x;
    return p.y != q.y ? p.y < q.y : p.z < q.z;
}

/* Chooses for each body one of the points that the block's rows refer to; the body's columns are its motion, so that
 * neither rank nor its safety depends on centroids. */
static void choose_points(RbvScaledRows *a, const RbvState *state, const RbvBlock *block) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < block->row_count; k++) {
            const RbvRow *row = &system->rows[block->rows[k]];
            for (int32_t n = 2 * row->first; n < 2 * (row->first + row->count); n++) {
                int32_t marker = model->measures.items[system->terms[n / 2].measure].marker[n % 2],
                        body = model->markers.items[marker].body;
                if (pass == 0) {
                    a->at[body] = -1;
                } else if (a->at[body] < 0 ||
                           (a->at[body] != marker &&
                            comes_first(model->markers.items[marker].at, model->markers.items[a->at[body]].at))) {
                    a->at[body] = marker;
                    a->about[body] = state->markers[marker].arm;
                }
            }
        }
}

/* Converts values[count] of one body's columns from torque about the centroid to torque about the body's point. */
static void shift_torque(const RbvScaledRows *a, const RbvBodyColumns *bodies, int32_t body, int32_t count,
                         double *values) {
    const RbvVec3 d = a->about[body];
    if (bodies->spatial && count == 6) {
        RbvVec3 moment = rbv_cross(d, rbv_vec3(values[0], values[1], values[2]));
        values[3] -= moment.x, values[4] -= moment.y, values[5] -= moment.z;
    } else if (!bodies->spatial && count == 3) {
        values[2] -= d.x * values[1] - d.y * values[0];
    }
}

/* Converts the entries of one row, values[entries], from force and torque about centroids to torque about the
 * bodies' points; not scaled. */
static void scaled_rows_shift(const RbvScaledRows *a, const RbvState *state, int32_t row, double *values) {
    const RbvSystem *system = state->system;
    const int32_t *column = system->D.column;
    int32_t begin = system->D.start[row], end = system->D.start[row + 1];
    for (int32_t e = begin, next; e < end; e = next) {
        int32_t body = a->body[column[e]];
        for (next = e; next < end && a->body[column[next]] == body;)
            next++;
        shift_torque(a, &system->bodies, body, next - e, values + e - begin);
    }
}

void rbv_scaled_rows_fill(RbvScaledRows *a, const RbvState *state, const RbvBlocks *blocks, int32_t b, double L,
                          const bool *without, double *row_norm) {
    const RbvSystem *system = state->system;
    const RbvBlock *block = &blocks->blocks[b];
    const double per_length = 1 / L;
    double largest = 0;
    choose_points(a, state, block);
    int32_t at = 0, node = -1, in_node = 0, last = 0;
    for (int32_t c = 0; c < block->column_count; c++) {
        int32_t coordinate = block->columns[c], body = a->body[coordinate];
        in_node = body == last ? in_node + 1 : 0;
        node += in_node % 3 == 0;
        last = body;
        a->node[c] = node;
        a->position[coordinate] = c;
    }
    for (int32_t k = 0; k < block->row_count; k++) {
        int32_t row = block->rows[k], begin = at;
        const bool nothing = without && without[row];
        double sum = 0;
        a->start[k] = begin;
        a->last[k] = system->rows[row].on_rates;
        int32_t first = system->D.start[row], end = system->D.start[row + 1];
        memcpy(a->values + begin, state->D + first, (size_t)(end - first) * sizeof *a->values);
        scaled_rows_shift(a, state, row, a->values + begin);
        for (int32_t e = first; e < end; e++) {
            int32_t column = system->D.column[e];
            bool turn = a->rotation[column];
            double size = fabs(a->values[at]), value = turn ? a->values[at] * per_length : a->values[at];
            value = nothing ? 0 : value;
            largest = turn && size > largest ? size : largest;
            a->column[at] = a->position[column];
            a->values[at++] = value;
            sum += value * value;
        }
        double norm = sum > 0 ? sqrt(sum) : 1;
        if (!without)
            row_norm[k] = norm;
        for (int32_t e = begin; e < at; e++)
            a->values[e] /= norm;
    }
    a->start[block->row_count] = at;
    node = -1;
    for (int32_t n = 0, k = 0; n < block->element_count; n++)
        for (int32_t r = 0; r < blocks->elements[block->elements[n]].row_count; r++, k++) {
            node += r % 3 == 0;
            a->row_node[k] = node;
        }
    double tens = largest > 0 ? pow(10, -floor(log10(largest))) : 1;
    for (int32_t c = 0; c < block->column_count; c++)
        a->unit[c] = a->rotation[block->columns[c]] ? L * tens : 1;
    a->C = (RbvSparse){
        block->row_count, block->column_count, a->start, a->column, a->values,
        a->node,          a->row_node,         a->unit,  row_norm,  system->rate_count > 0 ? a->last : NULL};
}

void rbv_scaled_rows_motion(const RbvScaledRows *a, const RbvState *state, const RbvBlock *block, double L,
                            const double *x, double *v) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t c = 0; c < block->column_count; c++)
        v[block->columns[c]] = x[c] / (a->rotation[block->columns[c]] ? L : 1);
    for (int32_t c = 0, body; c < block->column_count; c += rbv_bodies_columns(bodies, body)) {
        body = a->body[block->columns[c]];
        RbvTwist twist = rbv_bodies_twist(bodies, body, v);
        RbvWrench back = {rbv_cross(a->about[body], twist.w), {0, 0, 0}}; /* the centroid moves by v - w x about */
        rbv_bodies_add(bodies, body, 1, &back, v + bodies->start[body]);
    }
}

/* Blocks, ranks and verdicts. */

RbvSolvability *rbv_solvability_create(const RbvSystem *system, RbvCriterion criterion, bool list_rows) {
    return rbv_solvability_create_of(system, system->active, criterion, list_rows);
}

RbvSolvability *rbv_solvability_create_of(const RbvSystem *system, const bool *active, RbvCriterion criterion,
                                          bool list_rows) {
    RbvSolvability *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->active = active;
    s->row_count = system->row_count;
    for (int32_t k = 0; active && k < system->row_count; k++)
        s->row_count -= !active[k];
    size_t rows = (size_t)system->row_count + 1;
    s->criterion = criterion;
    s->list_rows = list_rows;
    bool good = rbv_blocks_create(system, active, &s->arena, &s->blocks);
    s->ranks = good ? rbv_arena_alloc(&s->arena, ((size_t)s->blocks.block_count + 1) * sizeof *s->ranks) : NULL;
    s->local = rbv_arena_alloc(&s->arena, rows * sizeof *s->local);
    s->independent = rbv_arena_alloc(&s->arena, ((size_t)system->satisfied_count + 1) * sizeof *s->independent);
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
    rbv_scaled_rows_destroy(&s->scaled);
    rbv_arena_clear(&s->arena);
    free(s);
}

void rbv_solvability_take_lengths(RbvSolvability *s, const RbvSolvability *from) {
    for (int32_t b = 0; b < s->blocks.block_count && b < from->blocks.block_count; b++)
        s->ranks[b].L = from->ranks[b].L;
}

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
            RbvVec3 p = s->places ? s->places[element->index] : rbv_joint_place(state, element->index);
            if (pass == 0) {
                mean = rbv_add(mean, p);
                count++;
            } else {
                RbvVec3 d = rbv_sub(p, rbv_scale(1.0 / count, mean));
                sum += rbv_dot(d, d);
            }
        }
        /* Joint points nearer than this part of the size of the part coincide. */
        if (pass == 1 && count > 0 && sum / count > RBV_FITS * RBV_FITS * size * size)
            return sqrt(sum / count);
    }
    return size;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts rows in ascending order; those of one block are mostly sorted already. */
static void sort_rows(int32_t *rows, int32_t count) {
    for (int32_t k = 1; k < count; k++)
        if (rows[k] < rows[k - 1]) {
            qsort(rows, (size_t)count, sizeof *rows, ascending);
            return;
        }
}

static RbvStatus decide_block(RbvSolvability *s, const RbvState *state, int32_t b, RbvScaledRows *a) {
    RbvBlock *block = &s->blocks.blocks[b];
    RbvBlockRank *rank = &s->ranks[b];
    bool order = s->list_rows || block->row_count <= RBV_DENSE_ROWS;
    if (!(rank->L > 0)) /* the length of the first position, also when ranks are decided again */
        rank->L = block_length(s, state, block);
    rbv_scaled_rows_fill(a, state, &s->blocks, b, rank->L, NULL, rank->row_norm);
    int32_t *rows = order ? a->order : NULL;
    bool again = s->smallest_by != RBV_SMALLEST_FOUND && s->criterion == RBV_CRITERION_DEFAULT &&
                 rbv_determined_again(&rank->determined, &a->C, s->smallest_by == RBV_SMALLEST_ESTIMATED, rows);
    RbvStatus status =
        again ? RBV_OK : rbv_determined_decide(&rank->determined, &a->C, (RbvCriterionKind)s->criterion, rows);
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
    s->dropped = rbv_max(s->dropped, found->largest_dropped);
    s->tau = rbv_max(s->tau, found->tau);
    return RBV_OK;
}

/* Rows of small systems are kept for the next decision; of large ones they are a good part of all memory. */
RbvStatus rbv_solvability_decide(RbvSolvability *s, const RbvState *state) {
    RbvScaledRows *a = &s->scaled;
    RbvStatus status = a->start || rbv_scaled_rows_create(a, state->system) ? RBV_OK : RBV_NO_MEMORY;
    s->rank = s->redundant = 0;
    s->safe = true;
    s->exact = false;
    s->smallest = 1;
    s->dropped = s->tau = 0;
    for (int32_t b = 0; status == RBV_OK && b < s->blocks.block_count; b++)
        status = decide_block(s, state, b, a);
    if (status == RBV_OK && s->list_rows) {
        sort_rows(s->independent, s->rank);
        sort_rows(s->dependent, s->redundant);
        for (int32_t k = state->system->row_count; k < state->system->satisfied_count; k++)
            s->independent[s->rank + k - state->system->row_count] = k;
    }
    if (status != RBV_OK || state->system->row_count > RBV_DENSE_ROWS)
        rbv_scaled_rows_destroy(a);
    return status;
}

RbvStatus rbv_solvability_decide_anew(RbvSolvability *s, const RbvState *state) {
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        s->ranks[b].L = 0;
    return rbv_solvability_decide(s, state);
}

static RbvVerdict verdict_of(RbvDecision decision) {
    if (decision == RBV_DETERMINED)
        return RBV_UNIQUE;
    return decision == RBV_OPEN ? RBV_NOT_UNIQUE : RBV_UNSURE;
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
        most = rbv_max(most, fabs(part[k]));
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
        size = rbv_max(size, fabs(N[k]));
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
