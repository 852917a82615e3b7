/* The sparse mass matrix; see mass_matrix.h. */
#include "mechanics/coordinates/mass_matrix.h"

#include "core/linalg/pattern.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The column in v of generalized coordinate k. */
static int32_t generalized_column(const RbvCoordinates *c, int32_t k) {
    int32_t column = -1;
    c->kind->columns(c, c->model->generalized.items[k].body, &column);
    return column;
}

/* Columns of both bodies of drive k's coordinate into list[], if it has a rotor; returns how many. */
static int32_t rotor_columns(const RbvCoordinates *c, int32_t k, int32_t *list) {
    const RbvDrive *drive = &c->model->drives.items[k];
    int32_t count = 0;
    for (int side = 0; drive->has_rotor && side < 2; side++) {
        int32_t body = c->model->markers.items[c->model->measures.items[drive->of.measure].marker[side]].body;
        count += body > 0 ? c->kind->columns(c, body, list + count) : 0;
    }
    return count;
}

/* Writes all pairs of the columns in list[n] from pairs[at] on; returns the end. If pairs is NULL they are only
 * counted. */
static size_t add_pairs(const int32_t *list, int32_t n, uint64_t *pairs, size_t at) {
    for (int32_t i = 0; pairs && i < n; i++)
        for (int32_t j = 0; j < n; j++)
            pairs[at + (size_t)i * (size_t)n + (size_t)j] = (uint64_t)(uint32_t)list[i] << 32 | (uint32_t)list[j];
    return at + (size_t)n * (size_t)n;
}

/* Pairs of columns that move the same body, of rotors, and of generalized coordinates, one after the other. */
static size_t list_pairs(const RbvCoordinates *c, int32_t *list, uint64_t *pairs) {
    size_t at = 0;
    for (int32_t b = 1; b < c->bodies->count; b++)
        at = add_pairs(list, c->kind->columns(c, b, list), pairs, at);
    for (int32_t k = 0; c->model->rotor_count > 0 && k < c->model->drives.count; k++)
        at = add_pairs(list, rotor_columns(c, k, list), pairs, at);
    for (int32_t k = 0; k < c->model->generalized.count; k++)
        list[k] = generalized_column(c, k);
    return add_pairs(list, c->model->generalized.count, pairs, at);
}

/* These pairs sorted, each once; *count of them. NULL if out of memory. */
static uint64_t *find_pairs(const RbvCoordinates *c, size_t *count) {
    int32_t *list = malloc((2 * (size_t)c->size + 1) * sizeof *list);
    size_t total = list ? list_pairs(c, list, NULL) : 0;
    uint64_t *pairs = list ? malloc((total + 1) * sizeof *pairs) : NULL;
    *count = 0;
    if (pairs) {
        list_pairs(c, list, pairs);
        qsort(pairs, total, sizeof *pairs, by_value);
    }
    for (size_t k = 0; pairs && k < total; k++)
        if (k == 0 || pairs[k] != pairs[k - 1])
            pairs[(*count)++] = pairs[k];
    free(list);
    return pairs;
}

bool rbv_mass_matrix_create(const RbvCoordinates *c, RbvArena *arena, RbvMassMatrix *m) {
    size_t count, size = (size_t)c->size;
    const bool constant = c->kind->constant_mass && c->kind->constant_mass(c);
    *m = (RbvMassMatrix){.layouts = -1};
    uint64_t *pairs = find_pairs(c, &count);
    int32_t *taken = malloc((size + 2) * sizeof *taken);
    m->pattern.count = c->size;
    m->pattern.start = rbv_arena_alloc(arena, (size + 2) * sizeof(int32_t));
    m->pattern.column = rbv_arena_alloc(arena, (count + 1) * sizeof(int32_t));
    m->values = rbv_arena_alloc(arena, (count + 1) * sizeof(double));
    m->group = rbv_arena_alloc(arena, (size + 1) * sizeof(int32_t));
    m->x = rbv_arena_alloc(arena, (size + 1) * sizeof(double));
    m->out = rbv_arena_alloc(arena, (size + 1) * sizeof(double));
    m->work.part = rbv_arena_alloc(arena, (size + 1) * sizeof(double));
    m->work.column = rbv_arena_alloc(arena, (size + 1) * sizeof(int32_t));
    if (constant)
        m->constant = rbv_arena_alloc(arena, (count + 1) * sizeof(double));
    bool good = pairs && taken && (!constant || m->constant) && m->pattern.start && m->pattern.column && m->values &&
                m->group && m->x && m->out && m->work.part && m->work.column;
    for (size_t k = 0; good && k < count; k++) {
        m->pattern.column[k] = (int32_t)(pairs[k] & 0xffffffffu);
        m->pattern.start[(pairs[k] >> 32) + 1] = (int32_t)k + 1;
    }
    for (int32_t j = 0; good && j < c->size; j++) /* columns that move no body have no entries */
        m->pattern.start[j + 1] =
            m->pattern.start[j + 1] > m->pattern.start[j] ? m->pattern.start[j + 1] : m->pattern.start[j];
    if (good)
        m->group_count = rbv_group_columns(c->size, m->pattern.start, m->pattern.column, m->group, taken);
    free(pairs);
    free(taken);
    return good;
}

/* Fills the matrix by one product for each group of columns. */
static void multiply(const RbvCoordinates *c, RbvPosed at, RbvMassMatrix *m) {
    const RbvRowPattern *p = &m->pattern;
    for (int32_t g = 0; g < m->group_count; g++) {
        for (int32_t j = 0; j < c->size; j++)
            m->x[j] = m->group[j] == g;
        rbv_coordinates_mass(c, at, m->x, m->out);
        /* entry (i, j) of column j of the group is out[i]; as M is symmetric it is also entry i of row j */
        for (int32_t j = 0; j < c->size; j++)
            for (int32_t e = p->start[j]; m->group[j] == g && e < p->start[j + 1]; e++)
                m->values[e] = m->out[p->column[e]];
    }
}

void rbv_mass_matrix_fill(const RbvCoordinates *c, RbvPosed at, RbvMassMatrix *m) {
    const size_t size = (size_t)m->pattern.start[m->pattern.count] * sizeof *m->values;
    if (m->constant && m->layouts == c->layouts) {
        memcpy(m->values, m->constant, size);
        return;
    }
    multiply(c, at, m);
    if (m->constant)
        memcpy(m->constant, m->values, size);
    m->layouts = c->layouts;
}

/* Address of an entry (row, column) of the pattern. */
static double *entry(RbvMassMatrix *m, int32_t row, int32_t column) {
    int32_t e = m->pattern.start[row];
    while (m->pattern.column[e] != column)
        e++;
    return &m->values[e];
}

void rbv_mass_matrix_add(const RbvCoordinates *c, const double *mass, RbvMassMatrix *m) {
    int32_t n = c->model->generalized.count;
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++)
            *entry(m, generalized_column(c, k), generalized_column(c, l)) += mass[k * n + l];
}

/* Adds mass J^T J in the rows of the columns that move one body; `seen` marks finished rows. m->x: J. */
static void add_rotor_rows(const RbvCoordinates *c, int32_t body, double mass, double *seen, RbvMassMatrix *m) {
    const RbvRowPattern *p = &m->pattern;
    int32_t count = c->kind->columns(c, body, m->work.column);
    for (int32_t k = 0; k < count; k++) {
        int32_t i = m->work.column[k];
        for (int32_t e = p->start[i]; seen[i] == 0 && e < p->start[i + 1]; e++)
            m->values[e] += mass * m->x[i] * m->x[p->column[e]];
        seen[i] = 1;
    }
}

void rbv_mass_matrix_add_rotor(const RbvCoordinates *c, RbvPosed at, const int32_t body[2], const RbvWrench gradient[2],
                               double mass, RbvMassMatrix *m) {
    double *seen = m->out;
    for (int32_t j = 0; j < c->size; j++)
        m->x[j] = seen[j] = 0;
    for (int side = 0; side < 2; side++)
        if (body[side] > 0)
            rbv_coordinates_add_to(c, at, body[side], gradient[side], m->work, m->x);
    for (int side = 0; side < 2; side++)
        if (body[side] > 0)
            add_rotor_rows(c, body[side], mass, seen, m);
}
