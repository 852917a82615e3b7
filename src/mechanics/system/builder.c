/* Rows and their terms, appended one after the other during compilation; see builder.h. */
#include "mechanics/system/builder.h"

#include <stdlib.h>

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
