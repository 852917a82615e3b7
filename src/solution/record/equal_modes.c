/* Chooses shapes of equal roots by a rule that is independent of rounding; see equal_modes.h.
 *
 * B: the shapes as columns, orthonormal in the mass matrix (the user's states count 1). All orthonormal bases of the
 * space share for each named coordinate i, with the row p_i of B, the size |p_i| by which the modes together move
 * it. The first mode is the one that moves the coordinate of the largest size: B p_i^H / |p_i|. The next is found
 * likewise among those orthogonal to it, which do not move that coordinate at all. Of equal sizes the first in the
 * alphabet counts. */
#include "solution/record/equal_modes.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes with a smaller relative difference are equal: far above rounding of shapes, far below what tables show. */
#define AS_LARGE 1e-6
/* Columns with a smaller independent part are dependent: the root has fewer modes than its multiplicity (a chain),
 * and they stay unchanged. */
#define DEPENDENT 1e-5

typedef struct Equal {
    int32_t count, height, parts;
    double complex *shape;  /* [count][height] of v and the user's states; orthonormal */
    double complex *part;   /* [count][parts] of named coordinates */
    double complex *inert;  /* [height] scratch: M x */
    double complex *axis;   /* [count] direction of a chosen mode in the basis */
    double complex *chosen; /* [count][height] */
} Equal;

/* out[height] = M x; the user's states are copied. */
static void inertia(const Equal *e, const RbvState *state, const double complex *x, double *work, double complex *out) {
    int32_t n = state->system->coordinates.size;
    double *in = work, *force = work + n;
    for (int part = 0; part < 2; part++) {
        for (int32_t i = 0; i < n; i++)
            in[i] = part ? cimag(x[i]) : creal(x[i]);
        rbv_state_inertia(state, in, force);
        for (int32_t i = 0; i < n; i++)
            out[i] = part ? out[i] + force[i] * I : force[i];
    }
    for (int32_t i = n; i < e->height; i++)
        out[i] = x[i];
}

static double complex inner(int32_t size, const double complex *x, const double complex *y) {
    double complex sum = 0;
    for (int32_t i = 0; i < size; i++)
        sum += conj(x[i]) * y[i];
    return sum;
}

static void subtract(int32_t size, double complex factor, const double complex *x, double complex *y) {
    for (int32_t i = 0; i < size; i++)
        y[i] -= factor * x[i];
}

static void scale_column(int32_t size, double factor, double complex *x) {
    for (int32_t i = 0; i < size; i++)
        x[i] *= factor;
}

/* Gram and Schmidt, twice for each column to remove rounding of the first pass. False: the columns are dependent, or
 * have no mass. */
static bool orthonormalize(Equal *e, const RbvState *state, double *work) {
    size_t height = (size_t)e->height, parts = (size_t)e->parts;
    for (int32_t k = 0; k < e->count; k++) {
        double complex *x = e->shape + (size_t)k * height;
        double before = 0, after = 0;
        for (int pass = 0; pass < 2; pass++) {
            inertia(e, state, x, work, e->inert);
            before = pass ? before : creal(inner(e->height, x, e->inert));
            for (int32_t j = 0; j < k; j++) {
                double complex along = inner(e->height, e->shape + (size_t)j * height, e->inert);
                subtract(e->height, along, e->shape + (size_t)j * height, x);
                subtract(e->parts, along, e->part + (size_t)j * parts, e->part + (size_t)k * parts);
            }
        }
        inertia(e, state, x, work, e->inert);
        after = creal(inner(e->height, x, e->inert));
        if (!(after > DEPENDENT * DEPENDENT * before))
            return false;
        scale_column(e->height, 1 / sqrt(after), x);
        scale_column(e->parts, 1 / sqrt(after), e->part + (size_t)k * parts);
    }
    return true;
}

/* The coordinate that the modes together move most: |p_i|^2 = sum over the modes. -1: they move none. */
static int32_t moved_most(const Equal *e, const RbvOscillationPart *names) {
    int32_t most = -1;
    double largest = 0;
    for (int32_t i = 0; i < e->parts; i++) {
        double size = 0;
        for (int32_t k = 0; k < e->count; k++)
            size += creal(e->part[(size_t)k * (size_t)e->parts + (size_t)i] *
                          conj(e->part[(size_t)k * (size_t)e->parts + (size_t)i]));
        size = sqrt(size);
        bool equal = most >= 0 && size > (1 - AS_LARGE) * largest && size < (1 + AS_LARGE) * largest;
        if (equal ? strcmp(names[i].name, names[most].name) < 0 : size > largest)
            most = i, largest = equal ? fmax(size, largest) : size;
    }
    return most;
}

/* Chooses the modes one by one; removes each from the parts of the basis. */
static void choose(Equal *e, const RbvOscillationPart *names) {
    size_t height = (size_t)e->height, parts = (size_t)e->parts;
    for (int32_t next = 0; next < e->count; next++) {
        int32_t i = moved_most(e, names);
        double size = 0;
        for (int32_t k = 0; k < e->count; k++) {
            e->axis[k] = i < 0 ? 0 : conj(e->part[(size_t)k * parts + (size_t)i]);
            size += creal(e->axis[k] * conj(e->axis[k]));
        }
        for (int32_t k = 0; k < e->count && size > 0; k++) {
            e->axis[k] /= sqrt(size);
            subtract(e->height, -e->axis[k], e->shape + (size_t)k * height, e->chosen + (size_t)next * height);
        }
        for (int32_t r = 0; r < e->parts; r++) {
            double complex along = 0;
            for (int32_t k = 0; k < e->count; k++)
                along += e->part[(size_t)k * parts + (size_t)r] * e->axis[k];
            for (int32_t k = 0; k < e->count; k++)
                e->part[(size_t)k * parts + (size_t)r] -= along * conj(e->axis[k]);
        }
        for (int32_t k = 0; i >= 0 && k < e->count; k++) /* exactly zero, so that rounding is not chosen again */
            e->part[(size_t)k * parts + (size_t)i] = 0;
    }
}

static void take(Equal *e, const RbvModalMotion *modes, RbvOscillationPart *const *parts) {
    for (int32_t k = 0; k < e->count; k++) {
        for (int32_t i = 0; i < e->height; i++)
            e->shape[(size_t)k * (size_t)e->height + (size_t)i] = modes[k].shape[0][i] + modes[k].shape[1][i] * I;
        for (int32_t i = 0; i < e->parts; i++)
            e->part[(size_t)k * (size_t)e->parts + (size_t)i] = parts[k][i].re + parts[k][i].im * I;
    }
}

bool rbv_choose_equal_modes(const RbvState *state, RbvModalMotion *modes, int32_t count, int32_t height,
                            RbvOscillationPart *const *parts, int32_t part_count) {
    Equal e = {.count = count, .height = height, .parts = part_count};
    size_t shapes = (size_t)count * (size_t)height, named = (size_t)count * (size_t)part_count;
    double complex *memory = calloc(2 * shapes + named + (size_t)height + (size_t)count + 1, sizeof *memory);
    double *work = malloc((2 * (size_t)state->system->coordinates.size + 1) * sizeof *work);
    if (memory && work) {
        e.shape = memory, e.chosen = e.shape + shapes, e.part = e.chosen + shapes, e.inert = e.part + named,
        e.axis = e.inert + height;
        take(&e, modes, parts);
        if (orthonormalize(&e, state, work)) {
            choose(&e, parts[0]);
            for (int32_t k = 0; k < count; k++)
                for (int32_t i = 0; i < height; i++) {
                    modes[k].shape[0][i] = creal(e.chosen[(size_t)k * (size_t)height + (size_t)i]);
                    modes[k].shape[1][i] = cimag(e.chosen[(size_t)k * (size_t)height + (size_t)i]);
                }
        }
    }
    bool good = memory && work;
    free(memory);
    free(work);
    return good;
}
