/* Rows that repeat others; see repeats.h. */
#include "dynamics/accelerations/repeats.h"

#include "core/base/extremes.h"
#include "core/base/names.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A combination is null if at most this part of it is lost: with eps = 1e-6 that means sigma < 1e-6, far above the
 * accuracy of the constraints and far below 1e-3, the singular value of a momentary combination in a model that has
 * moved by MOVED. */
#define MOVED 1e-3
/* Number of vectors beyond the expected ones: their loss in the map shows that there are no further combinations. */
#define BEYOND 2
/* Few combinations are searched for at each step; otherwise the number of steps between searches grows with their
 * number, so that a step takes no more than some ten solutions. */
#define FEW 4
/* Relative to the largest squared part of N: rows nearly as large. */
#define NEARLY 0.7
#define ROW_NAME 160

/* Ranks rows by name, the coordinates' own rows first: they are the last to be left out. */
static bool rank_rows(RbvRepeats *r, const RbvSystem *system) {
    const int32_t *place;
    RbvNamed *named = malloc(((size_t)r->rows + 1) * sizeof *named);
    char *names = calloc((size_t)r->rows + 1, ROW_NAME);
    bool good = named && names;
    rbv_saddle_rows(r->saddle, &place);
    for (int32_t k = 0; good && k < r->rows; k++) {
        char *name = names + (size_t)k * ROW_NAME;
        named[k] = (RbvNamed){name, k};
        if (place[k] < system->row_count)
            rbv_system_row_name(system, place[k], name, ROW_NAME);
    }
    if (good)
        rbv_sort_by_name(named, r->rows);
    for (int32_t k = 0; good && k < r->rows; k++)
        r->rank[named[k].index] = k;
    free(names);
    free(named);
    return good;
}

void rbv_repeats_destroy(RbvRepeats *r) {
    rbv_arena_clear(&r->arena);
    rbv_lapack_work_destroy(&r->work);
    *r = (RbvRepeats){.least = -1, .count = -1, .count_before = -1};
}

static bool reserve_vectors(RbvRepeats *r, const RbvSystem *system, int32_t capacity) {
    RbvSaddle *saddle = r->saddle;
    int32_t most = r->most, rows = r->rows;
    size_t n = (size_t)rows + 1, k = (size_t)capacity;
    rbv_repeats_destroy(r);
    *r = (RbvRepeats){.saddle = saddle,
                      .most = most,
                      .rows = rows,
                      .capacity = capacity,
                      .least = -1,
                      .count = -1,
                      .count_before = -1};
    r->left_out = rbv_arena_array(&r->arena, n, sizeof *r->left_out);
    r->left_before = rbv_arena_array(&r->arena, n, sizeof *r->left_before);
    r->rank = rbv_arena_array(&r->arena, n, sizeof *r->rank);
    r->base = rbv_arena_array(&r->arena, k * n, sizeof *r->base);
    r->image = rbv_arena_array(&r->arena, k * n, sizeof *r->image);
    r->products = rbv_arena_array(&r->arena, k * k, sizeof *r->products);
    r->values = rbv_arena_array(&r->arena, k, sizeof *r->values);
    bool work = rbv_lapack_work_create(&r->work, capacity, capacity);
    return work && r->left_out && r->left_before && r->rank && r->base && r->image && r->products && r->values &&
           rank_rows(r, system);
}

bool rbv_repeats_expect(RbvRepeats *r, RbvSaddle *saddle, const RbvSystem *system, int32_t most) {
    const int32_t *place;
    if (most == r->most && (most == 0 || r->saddle == saddle))
        return true;
    rbv_repeats_forget(r);
    r->saddle = most > 0 ? saddle : NULL;
    r->most = most;
    if (most == 0)
        return true;
    r->rows = rbv_saddle_rows(saddle, &place);
    int32_t capacity = most + BEYOND < r->rows ? most + BEYOND : r->rows;
    return capacity <= r->capacity || reserve_vectors(r, system, capacity);
}

void rbv_repeats_forget(RbvRepeats *r) {
    if (r->saddle)
        rbv_saddle_leave_out(r->saddle, NULL);
    r->wait = 0;
    r->count = r->count_before = r->least = -1;
    r->moved = 0;
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Gram and Schmidt, twice because of rounding. A vector of which nothing is left becomes zero. */
static void orthonormalise(double *x, int32_t count, int32_t n) {
    for (int32_t i = 0; i < count; i++) {
        double *one = x + (size_t)i * (size_t)n, before = sqrt(dot(one, one, n));
        for (int32_t pass = 0; pass < 2; pass++)
            for (int32_t j = 0; j < i; j++) {
                const double *other = x + (size_t)j * (size_t)n;
                double part = dot(one, other, n);
                for (int32_t k = 0; k < n; k++)
                    one[k] -= part * other[k];
            }
        double length = sqrt(dot(one, one, n));
        for (int32_t k = 0; k < n; k++)
            one[k] = length > 1e-12 * before ? one[k] / length : 0;
    }
}

/* A number from -1 to 1 for row and vector, unrelated to the rows. */
static double scatter(int32_t row, int32_t vector) {
    uint32_t x = (uint32_t)row * 2654435761u ^ ((uint32_t)vector + 1) * 2246822519u;
    x = (x ^ x >> 15) * 2654435769u;
    x = (x ^ x >> 13) * 3266489917u;
    return (double)(x >> 8) / (1 << 23) - 1;
}

/* Finds N: [count][rows] in image, orthonormal; returns count. -1: not found. */
static int32_t find_null(RbvRepeats *r) {
    const int32_t n = r->rows, p = r->capacity;
    for (int32_t i = 0; i < p; i++)
        for (int32_t k = 0; k < n; k++)
            r->base[(size_t)i * (size_t)n + (size_t)k] = scatter(r->rank[k], i);
    for (int32_t i = 0; i < p; i++)
        rbv_saddle_soften(r->saddle, r->base + (size_t)i * (size_t)n, r->image + (size_t)i * (size_t)n);
    memcpy(r->base, r->image, (size_t)p * (size_t)n * sizeof *r->base);
    orthonormalise(r->base, p, n);
    for (int32_t i = 0; i < p; i++)
        rbv_saddle_soften(r->saddle, r->base + (size_t)i * (size_t)n, r->image + (size_t)i * (size_t)n);
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = 0; j < p; j++)
            r->products[i * p + j] = 0.5 * (dot(r->base + (size_t)i * (size_t)n, r->image + (size_t)j * (size_t)n, n) +
                                            dot(r->base + (size_t)j * (size_t)n, r->image + (size_t)i * (size_t)n, n));
    if (rbv_lapack_eigen_symmetric_in(&r->work, p, r->products, r->values) != RBV_OK)
        return -1;
    int32_t count = 0;
    for (int32_t c = p - 1; c >= 0 && r->values[c] >= 1 - RBV_FITS; c--, count++) {
        double *to = r->image + (size_t)count * (size_t)n;
        memset(to, 0, (size_t)n * sizeof *to);
        for (int32_t i = 0; i < p; i++)
            for (int32_t k = 0; k < n; k++)
                to[k] += r->products[c * p + i] * r->base[(size_t)i * (size_t)n + (size_t)k];
    }
    return count;
}

/* Chooses a row for each combination in image, and removes it from the other combinations. */
static void choose_rows(RbvRepeats *r, int32_t count) {
    const int32_t n = r->rows;
    memset(r->left_out, 0, (size_t)n * sizeof *r->left_out);
    for (int32_t pick = 0; pick < count; pick++) {
        double most = 0, *size = r->base; /* squared parts of the rows */
        int32_t chosen = -1;
        for (int32_t k = 0; k < n; k++) {
            size[k] = 0;
            for (int32_t c = 0; c < count; c++)
                size[k] += r->image[(size_t)c * (size_t)n + (size_t)k] * r->image[(size_t)c * (size_t)n + (size_t)k];
            most = rbv_max(most, size[k]);
        }
        for (int32_t k = 0; k < n; k++)
            if (size[k] >= NEARLY * most && (chosen < 0 || r->rank[k] > r->rank[chosen]))
                chosen = k;
        double length = size[chosen];
        r->left_out[chosen] = true;
        for (int32_t c = 0; c < count; c++)
            r->values[c] = r->image[(size_t)c * (size_t)n + (size_t)chosen];
        for (int32_t k = 0; k < n; k++) { /* remainder of the combinations without that row */
            double part = 0;
            for (int32_t c = 0; c < count; c++)
                part += r->values[c] * r->image[(size_t)c * (size_t)n + (size_t)k];
            for (int32_t c = 0; c < count; c++)
                r->image[(size_t)c * (size_t)n + (size_t)k] -= part / length * r->values[c];
        }
    }
}

bool rbv_repeats_known(const RbvRepeats *r) {
    return r->saddle && r->count >= 0;
}

void rbv_repeats_leave_out(RbvRepeats *r) {
    if (rbv_repeats_known(r))
        rbv_saddle_leave_out(r->saddle, r->left_out);
}

void rbv_repeats_find(RbvRepeats *r, double moved) {
    if (!r->saddle)
        return;
    r->moved += moved;
    r->count_before = r->count;
    memcpy(r->left_before, r->left_out, (size_t)r->rows * sizeof *r->left_out);
    if (r->moved < MOVED || rbv_saddle_leaves_out(r->saddle) || r->wait-- > 0)
        return;
    r->wait = (r->most + BEYOND) / FEW - 1;
    int32_t found = find_null(r), before = r->least;
    if (found < 0)
        return;
    if (before >= 0 && found <= before) {
        choose_rows(r, found);
        r->count = found;
    }
    r->least = before < 0 || found < before ? found : before;
}

void rbv_repeats_swap(RbvRepeats *r) {
    bool *left = r->left_out;
    int32_t count = r->count;
    r->left_out = r->left_before;
    r->count = r->count_before;
    r->left_before = left;
    r->count_before = count;
    if (r->saddle)
        rbv_saddle_leave_out(r->saddle, NULL);
}
