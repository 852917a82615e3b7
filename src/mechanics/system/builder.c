/* Appends rows and terms to a system under compilation, and evaluates measures in the starting poses. */
#include "mechanics/system/builder.h"

#include "core/base/diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

RbvRow *rbv_builder_row(RbvBuilder *builder, RbvOwner owner, int32_t index) {
    if (builder->row_count == builder->row_capacity) {
        int32_t capacity = builder->row_capacity ? 2 * builder->row_capacity : 64;
        RbvRow *rows = realloc(builder->rows, (size_t)capacity * sizeof *rows);
        if (!rows) {
            builder->no_memory = true;
            return NULL;
        }
        builder->rows = rows;
        builder->row_capacity = capacity;
    }
    RbvRow *row = &builder->rows[builder->row_count++];
    *row = (RbvRow){.owner = owner, .index = index, .direction = -1, .first = builder->term_count};
    return row;
}

void rbv_builder_term(RbvBuilder *builder, int32_t measure, double coefficient) {
    if (measure < 0 || builder->row_count == 0) {
        builder->no_memory = true;
        return;
    }
    if (builder->term_count == builder->term_capacity) {
        int32_t capacity = builder->term_capacity ? 2 * builder->term_capacity : 64;
        RbvTerm *terms = realloc(builder->terms, (size_t)capacity * sizeof *terms);
        if (!terms) {
            builder->no_memory = true;
            return;
        }
        builder->terms = terms;
        builder->term_capacity = capacity;
    }
    builder->terms[builder->term_count++] = (RbvTerm){measure, coefficient, {-1, -1}};
    builder->rows[builder->row_count - 1].count++;
}

/* A row of the joint with one measure. NULL if out of memory. */
RbvRow *rbv_builder_joint_row(RbvBuilder *builder, int32_t index, int32_t measure) {
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_JOINT, index);
    if (row)
        rbv_builder_term(builder, measure, 1);
    return row;
}

void rbv_builder_mistake(RbvBuilder *builder, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(builder->diagnostics, RBV_ERROR, builder->model->file, at, format, arguments);
    va_end(arguments);
    builder->wrong = true;
}

/* State of a marker in the starting poses; the result points into *axes. */
static RbvMarkerState start_of(const RbvModel *model, int32_t m, RbvAxes *axes) {
    const RbvMarker *marker = &model->markers.items[m];
    const RbvBody *body = &model->bodies.items[marker->body];
    RbvMat3 A = rbv_body_axes(model, body);
    RbvMarkerState state = {.body = marker->body,
                            .axes = &axes->A,
                            .p = &axes->p,
                            .arm = rbv_apply(&A, rbv_sub(marker->at, body->centroid))};
    state.point = rbv_marker_start(model, m, &axes->A);
    state.turn = body->angle + marker->angle;
    axes->p = rbv_quat_product(body->rotation, rbv_marker_axes(marker)->p);
    return state;
}

/* Value, in the starting poses, of a measure that depends on its two markers only. */
double rbv_builder_start_value(RbvBuilder *builder, int32_t index) {
    if (index < 0)
        return 0;
    RbvMeasure measure = builder->model->measures.items[index];
    RbvAxes axes[2];
    const RbvMarkerState ends[2] = {start_of(builder->model, measure.marker[0], &axes[0]),
                                    start_of(builder->model, measure.marker[1], &axes[1])};
    RbvMeasureMemory memory = rbv_measure_no_memory(measure.kind);
    RbvMeasureState state;
    memset(&state, 0, sizeof state);
    measure.marker[0] = 0;
    measure.marker[1] = 1;
    rbv_measure_place(&measure, builder->model, ends, &memory, &state);
    return state.value;
}
