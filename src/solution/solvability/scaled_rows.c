/* Fills the scaled rows of a block; see scaled_rows.h. */
#include "solution/solvability/scaled_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rbv_scaled_rows_destroy(RbvScaledRows *a) {
    free(a->start);
    free(a->column);
    free(a->node);
    free(a->row_node);
    free(a->values);
    free(a->unit);
    free(a->position);
    free(a->body);
    free(a->about);
    free(a->at);
    free(a->rotation);
    free(a->last);
    free(a->order);
}

bool rbv_scaled_rows_create(RbvScaledRows *a, const RbvSystem *system) {
    const RbvBodyColumns *bodies = &system->bodies;
    size_t rows = (size_t)system->row_count + 1, columns = (size_t)bodies->size + 1,
           entries = (size_t)system->D.start[system->row_count] + 1;
    *a = (RbvScaledRows){.start = malloc(rows * sizeof *a->start)};
    a->column = malloc(entries * sizeof *a->column);
    a->node = malloc(columns * sizeof *a->node);
    a->row_node = malloc(rows * sizeof *a->row_node);
    a->values = malloc(entries * sizeof *a->values);
    a->unit = malloc(columns * sizeof *a->unit);
    a->position = malloc(columns * sizeof *a->position);
    a->rotation = calloc(columns, sizeof *a->rotation);
    a->body = malloc(columns * sizeof *a->body);
    a->about = calloc((size_t)bodies->count, sizeof *a->about);
    a->at = calloc((size_t)bodies->count, sizeof *a->at);
    a->order = malloc(rows * sizeof *a->order);
    a->last = malloc(rows * sizeof *a->last);
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
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z;
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

void rbv_scaled_rows_shift(const RbvScaledRows *a, const RbvState *state, int32_t row, double *values) {
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
        rbv_scaled_rows_shift(a, state, row, a->values + begin);
        for (int32_t e = first; e < end; e++) {
            int32_t column = system->D.column[e];
            bool turn = a->rotation[column];
            double size = fabs(a->values[at]), value = nothing ? 0 : turn ? a->values[at] * per_length : a->values[at];
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
