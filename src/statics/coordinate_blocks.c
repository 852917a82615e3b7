/* Stiffness of the balance in coordinates whose velocities are not body twists: K = P^T K_bodies P + W . d2(place)/dq2
 * + sum lambda_k Phi_k,qq, its sparse pattern and its entries. */
#include "statics/coordinate_blocks.h"

#include "core/solve/gram.h"

#include <stdlib.h>
#include <string.h>

/* Lists for each body the columns of v that move it. False if out of memory. */
static bool list_columns(RbvCoordinateBlocks *k) {
    const RbvCoordinates *c = &k->state->system->coordinates;
    int32_t bodies = c->bodies->count, *list = malloc(((size_t)c->size + 1) * sizeof *list), count = 0, most = 0;
    k->first = rbv_arena_alloc(&k->arena, ((size_t)bodies + 1) * sizeof *k->first);
    for (int pass = 0; list && k->first && pass < 2; pass++) {
        if (pass == 1 && !(k->column = rbv_arena_alloc(&k->arena, ((size_t)count + 1) * sizeof *k->column)))
            break;
        count = 0;
        for (int32_t b = 0; b < bodies; b++) {
            int32_t columns = b > 0 ? c->kind->columns(c, b, list) : 0;
            k->first[b] = count;
            for (int32_t n = 0; pass == 1 && n < columns; n++)
                k->column[count + n] = list[n];
            count += columns;
            most = columns > most ? columns : most;
        }
        k->first[bodies] = count;
    }
    free(list);
    k->P = rbv_arena_alloc(&k->arena, ((size_t)count + 1) * sizeof *k->P);
    k->part = rbv_arena_alloc(&k->arena, ((size_t)most * (size_t)most + 6) * sizeof *k->part);
    return k->column && k->P && k->part;
}

/* A list without duplicates: seen [size] holds the last row `who` that each number was added for. */
typedef struct Once {
    int32_t *seen, who, *list, count;
} Once;

static void put_once(Once *once, int32_t column) {
    if (once->seen[column] == once->who)
        return;
    once->seen[column] = once->who;
    if (once->list)
        once->list[once->count] = column;
    once->count++;
}

static void put_all(Once *once, const RbvRowPattern *rows, int32_t k) {
    for (int32_t e = rows->start[k]; e < rows->start[k + 1]; e++)
        put_once(once, rows->column[e]);
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Transposed pattern: columns -> rows. False if out of memory. */
static bool transpose(RbvArena *arena, int32_t rows, int32_t columns, const int32_t *start, const int32_t *column,
                      RbvRowPattern *to) {
    size_t entries = (size_t)start[rows];
    int32_t *at = malloc((entries + 1) * sizeof *at);
    to->count = columns;
    to->start = rbv_arena_alloc(arena, ((size_t)columns + 3) * sizeof *to->start);
    to->column = rbv_arena_alloc(arena, (entries + 1) * sizeof *to->column);
    bool good = at && to->start && to->column;
    if (good)
        rbv_transpose(rows, columns, start, column, to->start, to->column, at);
    free(at);
    return good;
}

/* Row r of K: columns of the bodies coupled to those that coordinate r moves, of the own rows that contain r, and of
 * M. */
static void list_row(const RbvCoordinateBlocks *k, int32_t r, const RbvRowPattern *bodies, const RbvRowPattern *own,
                     const int32_t *start, const int32_t *neighbour, Once *once) {
    const RbvRowPattern moved = {0, k->first, k->column};
    once->who = r;
    put_once(once, r);
    for (int32_t e = bodies->start[r]; e < bodies->start[r + 1]; e++)
        for (int32_t p = start[bodies->column[e]]; p < start[bodies->column[e] + 1]; p++)
            put_all(once, &moved, neighbour[p]);
    for (int32_t e = own->start[r]; e < own->start[r + 1]; e++)
        put_all(once, k->state->system->coordinates.own_pattern, own->column[e]);
    put_all(once, &k->mass.pattern, r);
}

/* Pattern of K. False if out of memory. */
static bool find_pattern(RbvCoordinateBlocks *k, const int32_t *start, const int32_t *neighbour) {
    const RbvCoordinates *c = &k->state->system->coordinates;
    static const int32_t none[1] = {0};
    RbvArena arena = {0};
    RbvRowPattern bodies, own;
    int32_t size = c->size, rows = c->own_rows;
    bool good = transpose(&arena, c->bodies->count, size, k->first, k->column, &bodies) &&
                transpose(&arena, rows, size, rows > 0 ? c->own_pattern->start : none,
                          rows > 0 ? c->own_pattern->column : none, &own);
    Once once = {.seen = malloc(((size_t)size + 1) * sizeof(int32_t))};
    k->K.count = size;
    k->K.start = rbv_arena_alloc(&k->arena, ((size_t)size + 1) * sizeof(int32_t));
    good = good && once.seen && k->K.start;
    for (int pass = 0; good && pass < 2; pass++) {
        once.count = 0;
        for (int32_t r = 0; r < size; r++)
            once.seen[r] = -1;
        for (int32_t r = 0; r < size; r++) {
            k->K.start[r] = once.count;
            list_row(k, r, &bodies, &own, start, neighbour, &once);
            if (once.list)
                qsort(once.list + k->K.start[r], (size_t)(once.count - k->K.start[r]), sizeof(int32_t), ascending);
        }
        k->K.start[size] = once.count;
        if (pass == 0)
            good = (once.list = k->K.column = rbv_arena_alloc(&k->arena, ((size_t)once.count + 1) * sizeof(int32_t))) !=
                   NULL;
    }
    free(once.seen);
    rbv_arena_clear(&arena);
    return good;
}

int32_t rbv_coordinate_blocks_entry(const RbvCoordinateBlocks *k, int32_t i, int32_t j) {
    int32_t low = k->K.start[i], high = k->K.start[i + 1] - 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (k->K.column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Counts the nonzero second derivatives of own rows; `keep`: stores them in k->second. */
static int32_t list_seconds(RbvCoordinateBlocks *k, double *u, double *v, bool keep) {
    const RbvSystem *system = k->state->system;
    const RbvCoordinates *c = &system->coordinates;
    int32_t count = 0;
    for (int32_t row = 0; row < c->own_rows; row++) {
        const int32_t from = c->own_pattern->start[row], to = c->own_pattern->start[row + 1];
        for (int32_t e = from; e < to; e++)
            for (int32_t d = from; d < to; d++) {
                int32_t i = c->own_pattern->column[e], j = c->own_pattern->column[d];
                u[i] = v[j] = 1;
                double value = c->kind->rows_second(c, k->state->q, row, u, v) * k->scale[i] * k->scale[j];
                u[i] = v[j] = 0;
                if (value != 0 && keep)
                    k->second[count] = (RbvOwnSecond){system->all_count + row, i,
                                                      rbv_coordinate_blocks_entry(k, i, j) - k->K.start[i], value};
                count += value != 0;
            }
    }
    return count;
}

static bool find_seconds(RbvCoordinateBlocks *k) {
    size_t size = (size_t)k->state->system->coordinates.size;
    double *v = calloc(size + 1, sizeof *v);
    k->zero = rbv_arena_alloc(&k->arena, (size + 1) * sizeof *k->zero);
    if (v && k->zero) {
        memset(k->zero, 0, (size + 1) * sizeof *k->zero);
        k->second_count = list_seconds(k, k->zero, v, false);
        k->second = rbv_arena_alloc(&k->arena, ((size_t)k->second_count + 1) * sizeof *k->second);
        if (k->second)
            list_seconds(k, k->zero, v, true);
    }
    free(v);
    return k->second != NULL;
}

RbvCoordinateBlocks *rbv_coordinate_blocks_create(RbvState *state, const double *scale, const int32_t *start,
                                                  const int32_t *neighbour) {
    RbvCoordinateBlocks *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->state = state;
    k->scale = scale;
    k->W = rbv_arena_alloc(&k->arena, (size_t)state->system->bodies.count * sizeof *k->W);
    if (k->W && list_columns(k) && rbv_mass_matrix_create(&state->system->coordinates, &k->arena, &k->mass) &&
        find_pattern(k, start, neighbour) && find_seconds(k))
        return k;
    rbv_coordinate_blocks_destroy(k);
    return NULL;
}

void rbv_coordinate_blocks_destroy(RbvCoordinateBlocks *k) {
    if (!k)
        return;
    rbv_arena_clear(&k->arena);
    free(k);
}

/* P at the evaluated state, from unit wrenches: P^T of each gives one component of the twists of all columns. */
void rbv_coordinate_blocks_evaluate(RbvCoordinateBlocks *k) {
    const RbvCoordinates *c = &k->state->system->coordinates;
    for (int32_t b = 1; b < c->bodies->count; b++)
        for (int d = 0; d < 6; d++) {
            const double e[6] = {d == 0, d == 1, d == 2, d == 3, d == 4, d == 5};
            const RbvWrench unit = {{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
            int32_t count = k->first[b + 1] - k->first[b];
            memset(k->part, 0, (size_t)count * sizeof *k->part);
            c->kind->add(c, rbv_state_at(k->state), b, 1, &unit, k->part);
            for (int32_t n = 0; n < count; n++)
                k->P[k->first[b] + n][d] = k->scale[k->column[k->first[b] + n]] * k->part[n];
        }
}

void rbv_coordinate_blocks_add(const RbvCoordinateBlocks *k, int32_t i, int32_t j, double factor, const double *block,
                               int32_t width, const int32_t *start, double *values) {
    const RbvBodyColumns *bodies = &k->state->system->bodies;
    int32_t rows = rbv_bodies_columns(bodies, i), columns = rbv_bodies_columns(bodies, j);
    if (factor == 0)
        return;
    for (int32_t n = k->first[j]; n < k->first[j + 1]; n++) {
        double moved[6] = {0}; /* in the bodies' directions */
        for (int32_t r = 0; r < rows; r++)
            for (int32_t s = 0; s < columns; s++) {
                int from = rbv_bodies_direction(bodies, r), to = rbv_bodies_direction(bodies, s);
                moved[from] += factor * block[from * width + to] * k->P[n][to];
            }
        for (int32_t m = k->first[i]; m < k->first[i + 1]; m++) {
            double sum = 0;
            for (int d = 0; d < 6; d++)
                sum += k->P[m][d] * moved[d];
            if (sum != 0)
                values[start[k->column[m]] + rbv_coordinate_blocks_entry(k, k->column[m], k->column[n]) -
                       k->K.start[k->column[m]]] += sum;
        }
    }
}

/* W = D^T lambda of the rows on positions minus the loads, minus `share` of the lent wrenches. */
static void sum_wrenches(RbvCoordinateBlocks *k, const double *lambda) {
    const RbvState *state = k->state;
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    for (int32_t b = 0; b < bodies->count; b++)
        k->W[b] = rbv_wrench_add_scaled(
            k->lent ? rbv_wrench_add_scaled((RbvWrench){{0, 0, 0}, {0, 0, 0}}, -k->share, k->lent[b])
                    : (RbvWrench){{0, 0, 0}, {0, 0, 0}},
            -1, state->wrenches[b]);
    for (int32_t row = 0; row < system->row_count; row++) {
        int32_t b = 0;
        for (int32_t e = system->D.start[row];
             lambda[row] != 0 && !system->rows[row].on_rates && e < system->D.start[row + 1];
             e += rbv_bodies_columns(bodies, b)) {
            double x[6] = {0};
            b = rbv_bodies_at(bodies, system->D.column[e]);
            for (int32_t n = 0; n < rbv_bodies_columns(bodies, b); n++)
                x[rbv_bodies_direction(bodies, n)] = state->D[e + n];
            k->W[b] = rbv_wrench_add_scaled(k->W[b], lambda[row], (RbvWrench){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}});
        }
    }
}

void rbv_coordinate_blocks_add_second(RbvCoordinateBlocks *k, const double *lambda, const int32_t *start,
                                      double *values) {
    const RbvCoordinates *c = &k->state->system->coordinates;
    const int32_t *row = k->K.start;
    sum_wrenches(k, lambda);
    for (int32_t b = 1; c->kind->place_second && b < c->bodies->count; b++) {
        const int32_t *column = k->column + k->first[b], count = k->first[b + 1] - k->first[b];
        c->kind->place_second(c, rbv_state_at(k->state), b, &k->W[b], k->zero, k->part);
        for (int32_t i = 0; i < count; i++)
            for (int32_t j = 0; j < count; j++)
                if (k->part[i * count + j] != 0)
                    values[start[column[i]] + rbv_coordinate_blocks_entry(k, column[i], column[j]) - row[column[i]]] +=
                        k->scale[column[i]] * k->scale[column[j]] * k->part[i * count + j];
    }
    for (int32_t n = 0; n < k->second_count; n++) {
        const RbvOwnSecond *second = &k->second[n];
        values[start[second->i] + second->at] += lambda[second->row] * second->value;
    }
}

void rbv_coordinate_blocks_mass(RbvCoordinateBlocks *k, double factor, const int32_t *start, double *values) {
    const RbvCoordinates *c = &k->state->system->coordinates;
    const RbvRowPattern *M = &k->mass.pattern;
    rbv_mass_matrix_fill(c, rbv_state_at(k->state), &k->mass);
    if (c->model->generalized.count > 0)
        rbv_mass_matrix_add(c, k->state->mass, &k->mass);
    for (int32_t i = 0; i < c->size; i++)
        for (int32_t e = M->start[i]; e < M->start[i + 1]; e++) {
            int32_t j = M->column[e];
            values[start[i] + rbv_coordinate_blocks_entry(k, i, j) - k->K.start[i]] +=
                factor * k->scale[i] * k->scale[j] * k->mass.values[e];
        }
}
