/* Bordered linear system of the balance; see bordered.h. */
#include "statics/bordered.h"

#include <stdlib.h>
#include <string.h>

bool rbv_bordered_create(RbvBordered *p, const RbvBalance *b) {
    int32_t inner = b->n + b->rows, size = inner + 1;
    size_t count = (size_t)b->value_count + (size_t)inner + (size_t)b->n + 2;
    *p = (RbvBordered){.size = size, .n = b->n};
    p->start = malloc(((size_t)size + 1) * sizeof *p->start);
    p->index = malloc(count * sizeof *p->index);
    p->values = malloc(count * sizeof *p->values);
    if (!p->start || !p->index || !p->values)
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < inner; i++) {
        p->start[i] = at;
        for (int32_t e = b->start[i]; e < b->start[i + 1]; e++)
            p->index[at++] = b->index[e];
        p->index[at++] = inner;
    }
    p->start[inner] = at;
    for (int32_t j = 0; j < b->n; j++)
        p->index[at++] = j;
    p->index[at++] = inner;
    p->start[size] = at;
    p->lu = rbv_lu_create(size, p->start, p->index);
    return p->lu != NULL;
}

void rbv_bordered_destroy(RbvBordered *p) {
    rbv_lu_destroy(p->lu);
    free(p->start);
    free(p->index);
    free(p->values);
    *p = (RbvBordered){0};
}

bool rbv_bordered_factor(RbvBordered *p, const RbvBalance *b, const double *column, const double *row, double corner) {
    int32_t inner = p->size - 1;
    for (int32_t i = 0; i < inner; i++) {
        int32_t width = b->start[i + 1] - b->start[i];
        memcpy(p->values + p->start[i], b->values + b->start[i], (size_t)width * sizeof *p->values);
        p->values[p->start[i] + width] = column[i];
    }
    memcpy(p->values + p->start[inner], row, (size_t)p->n * sizeof *row);
    p->values[p->start[inner] + p->n] = corner;
    return rbv_lu_factor(p->lu, p->values, &b->state->no_memory);
}

void rbv_bordered_solve(RbvBordered *p, double *x) {
    rbv_lu_solve(p->lu, x);
}
