/* Rows D on body twists as rows C = D P on v; see coordinates.h. */
#include "mechanics/coordinates/coordinates.h"

#include <stdlib.h>
#include <string.h>

/* Columns of v that move the body and on which the row depends, into list; returns how many. */
static int32_t columns_of_row(const RbvCoordinates *c, int32_t row, int32_t body, int32_t *list) {
    return c->common ? c->kind->columns_beyond(c, c->common[row], body, list) : c->kind->columns(c, body, list);
}

/* The union of the columns of a row's bodies, each once: appended to column[*at], or only counted if column is NULL.
 * seen[size]: the last row in which each column was found. */
static void merge_columns(const RbvCoordinates *c, const RbvRowPattern *D, int32_t row, int32_t *seen, int32_t *list,
                          int32_t *column, int32_t *at) {
    int32_t body = 0;
    for (int32_t e = D->start[row]; e < D->start[row + 1]; e += rbv_bodies_columns(c->bodies, body)) {
        body = rbv_bodies_at(c->bodies, D->column[e]);
        int32_t count = columns_of_row(c, row, body, list);
        for (int32_t k = 0; k < count; k++) {
            if (seen[list[k]] == row)
                continue;
            seen[list[k]] = row;
            if (column)
                column[*at] = list[k];
            ++*at;
        }
    }
}

static bool merge_rows(const RbvCoordinates *c, const RbvRowPattern *D, const bool *without,
                       const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C, int32_t *seen, int32_t *list) {
    int32_t own = c->own_rows, own_entries = own > 0 ? c->own_pattern->start[own] : 0;
    C->count = D->count + own;
    C->start = rbv_arena_alloc(arena, ((size_t)C->count + 1) * sizeof *C->start);
    int32_t count = 0;
    for (int pass = 0; C->start && pass < 2; pass++) {
        if (pass == 1 &&
            (C->column = rbv_arena_alloc(arena, ((size_t)count + (size_t)own_entries + 1) * sizeof *C->column)) == NULL)
            break;
        count = 0;
        for (int32_t k = 0; k < c->size; k++)
            seen[k] = -1;
        for (int32_t row = 0; row < D->count; row++) {
            C->start[row] = count;
            if (without && without[row])
                continue;
            merge_columns(c, D, row, seen, list, pass ? C->column : NULL, &count);
            for (int32_t e = numbers ? numbers->start[row] : 0; numbers && e < numbers->start[row + 1]; e++, count++)
                if (pass == 1)
                    C->column[count] = numbers->column[e];
        }
        C->start[D->count] = count;
    }
    for (int32_t k = 0; C->column && k < own; k++)
        C->start[D->count + k + 1] = count + c->own_pattern->start[k + 1];
    for (int32_t e = 0; C->column && e < own_entries; e++)
        C->column[count + e] = c->own_pattern->column[e];
    return C->column != NULL;
}

/* In a tree: finds the body whose motion all bodies of each relative row share. False if out of memory. */
static bool find_common(RbvCoordinates *c, const RbvRowPattern *D, const bool *relative, RbvArena *arena) {
    if (!c->kind->common)
        return true;
    int32_t *bodies = malloc(((size_t)c->bodies->count + 1) * sizeof *bodies);
    c->common = rbv_arena_array(arena, (size_t)D->count + 1, sizeof *c->common);
    for (int32_t row = 0; bodies && c->common && row < D->count; row++) {
        int32_t count = 0;
        for (int32_t e = D->start[row]; relative[row] && e < D->start[row + 1];
             e += rbv_bodies_columns(c->bodies, bodies[count - 1]))
            bodies[count++] = rbv_bodies_at(c->bodies, D->column[e]);
        c->common[row] = c->kind->common(c, count, bodies);
    }
    free(bodies);
    return bodies && c->common;
}

/* entry[count]: the entries of a row of C in the columns list[count], all of which exist. True if they are consecutive
 * and in that order. */
static bool find_entries(const RbvRowPattern *C, int32_t row, const int32_t *list, int32_t count, int32_t *entry) {
    bool together = true;
    for (int32_t k = 0, e = C->start[row]; k < count; k++, e++) {
        if (e == C->start[row + 1] || C->column[e] != list[k])
            for (e = C->start[row]; C->column[e] != list[k];)
                e++;
        entry[k] = e;
        together = together && e == entry[0] + k;
    }
    return together;
}

/* Lists the parts of all rows by their bodies. Without arrays: counts the parts, and the entries of parts that are not
 * consecutive. list[2 size]: workspace. */
static void list_parts(const RbvCoordinates *c, const RbvRowPattern *D, const bool *without, const RbvRowPattern *C,
                       int32_t *list, RbvRowParts *to, int32_t *count, int32_t *apart) {
    *count = *apart = 0;
    for (int32_t row = 0; row < D->count; row++) {
        int32_t body = 0;
        to->start[row] = *count;
        for (int32_t e = D->start[row]; !(without && without[row]) && e < D->start[row + 1];
             e += rbv_bodies_columns(c->bodies, body)) {
            body = rbv_bodies_at(c->bodies, D->column[e]);
            int32_t columns = columns_of_row(c, row, body, list), *entry = list + c->size;
            bool together = find_entries(C, row, list, columns, entry);
            if (to->parts) {
                int32_t first = columns > 0 ? entry[0] : 0;
                to->parts[*count] = (RbvRowPart){body, e, columns, first, together ? -1 : *apart};
            }
            for (int32_t k = 0; !together && to->apart && k < columns; k++)
                to->apart[*apart + k] = entry[k];
            *apart += together ? 0 : columns;
            ++*count;
        }
    }
    to->start[D->count] = *count;
}

static bool find_parts(RbvCoordinates *c, const RbvRowPattern *D, const bool *without, const RbvRowPattern *C,
                       RbvArena *arena) {
    int32_t *list = malloc((2 * (size_t)c->size + 1) * sizeof *list), count, apart;
    RbvRowParts *to = &c->parts;
    *to = (RbvRowParts){.start = rbv_arena_alloc(arena, ((size_t)D->count + 1) * sizeof *to->start)};
    bool good = list && to->start;
    if (good) {
        list_parts(c, D, without, C, list, to, &count, &apart);
        to->parts = rbv_arena_array(arena, (size_t)count + 1, sizeof *to->parts);
        to->apart = rbv_arena_array(arena, (size_t)apart + 1, sizeof *to->apart);
        good = to->parts && to->apart;
    }
    if (good)
        list_parts(c, D, without, C, list, to, &count, &apart);
    free(list);
    return good;
}

bool rbv_coordinates_pattern(RbvCoordinates *coordinates, const RbvRowPattern *D, const bool *relative,
                             const bool *kept, const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C) {
    *C = *D;
    if (coordinates->of_bodies)
        return true;
    if (!find_common(coordinates, D, relative, arena))
        return false;
    C->start = C->column = NULL;
    int32_t *seen = malloc(((size_t)coordinates->size + 1) * sizeof *seen),
            *list = malloc(((size_t)coordinates->size + 1) * sizeof *list);
    const bool *without = coordinates->kind->common ? kept : NULL;
    bool good = seen && list && merge_rows(coordinates, D, without, numbers, arena, C, seen, list) &&
                find_parts(coordinates, D, without, C, arena);
    free(seen);
    free(list);
    return good;
}

/* The entries d of a row on a body as a wrench. */
static RbvWrench wrench_of(const RbvBodyColumns *bodies, int32_t body, const double *d) {
    int32_t columns = rbv_bodies_columns(bodies, body);
    if (columns == 1)
        return (RbvWrench){{d[0], 0, 0}, {0, 0, 0}};
    if (!bodies->spatial)
        return (RbvWrench){{d[0], d[1], 0}, {0, 0, columns == 3 ? d[2] : 0}};
    return (RbvWrench){{d[0], d[1], d[2]}, columns == 6 ? (RbvVec3){d[3], d[4], d[5]} : (RbvVec3){0, 0, 0}};
}

/* out[columns of the part] += P_b^T wrench, without the columns of the shared motion. */
static void add_part(const RbvCoordinates *c, RbvPosed at, int32_t row, int32_t body, const RbvWrench *wrench,
                     double *out) {
    if (c->common)
        c->kind->add_beyond(c, at, c->common[row], body, 1, wrench, out);
    else
        c->kind->add(c, at, body, 1, wrench, out);
}

/* Row by row: P_b^T of the row's wrench on each of its bodies, added to the row's entries. */
void rbv_coordinates_rows(const RbvCoordinates *coordinates, RbvPosed at, const RbvRowPattern *D, const double *d,
                          const RbvRowPattern *C, double *c, RbvRowWork work) {
    const RbvRowParts *parts = &coordinates->parts;
    if (coordinates->of_bodies) {
        memcpy(c, d, (size_t)D->start[D->count] * sizeof *c);
        return;
    }
    memset(c, 0, (size_t)C->start[D->count] * sizeof *c);
    for (int32_t row = 0; row < D->count; row++)
        for (int32_t n = parts->start[row]; n < parts->start[row + 1]; n++) {
            const RbvRowPart *part = &parts->parts[n];
            RbvWrench wrench = wrench_of(coordinates->bodies, part->body, d + part->from);
            if (part->apart < 0) {
                add_part(coordinates, at, row, part->body, &wrench, c + part->first);
                continue;
            }
            memset(work.part, 0, (size_t)part->count * sizeof *work.part);
            add_part(coordinates, at, row, part->body, &wrench, work.part);
            for (int32_t k = 0; k < part->count; k++)
                c[parts->apart[part->apart + k]] += work.part[k];
        }
}

void rbv_coordinates_drift(const RbvCoordinates *coordinates, const RbvRowPattern *D, const double *d, const bool *kept,
                           const RbvTwist *bias, const double *gamma_D, double *gamma) {
    const RbvRowParts *parts = &coordinates->parts;
    if (coordinates->of_bodies) /* no bias */
        memcpy(gamma, gamma_D, (size_t)D->count * sizeof *gamma);
    for (int32_t row = 0; !coordinates->of_bodies && row < D->count; row++) {
        bool none = coordinates->kind->common && kept && kept[row];
        gamma[row] = none ? 0 : gamma_D[row];
        for (int32_t n = parts->start[row]; !none && n < parts->start[row + 1]; n++) {
            const RbvRowPart *part = &parts->parts[n];
            gamma[row] -= rbv_power(wrench_of(coordinates->bodies, part->body, d + part->from), bias[part->body]);
        }
    }
}
