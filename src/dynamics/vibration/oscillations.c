/* Eigenvalues and eigenvectors, and their tracks along a parameter; see oscillations.h.
 *
 * Zero eigenvalues are found first. With V the null space of A and W its orthogonal complement, the other eigenvalues
 * of A are those of W^T A W, and so on until none is zero: a chain of two (a motion that continues uniformly) costs one
 * step each. An eigenvector w of W^T A W for lambda gives that of A:
 *
 *   x = W w + V (V^T A W w) / lambda
 */
#include "dynamics/vibration/oscillations.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the real part: a smaller imaginary part of a shape is no independent shape. */
#define CHAIN 1e-5
/* Passes in which rows and columns of own states are scaled to equal size: scales have settled long before. */
#define BALANCED 20

typedef struct Eigen {
    RbvArena arena; /* owns all arrays */
    int32_t size, count;
    double *real, *imaginary; /* [size] the eigenvalues found */
    double *vector;           /* [2][size][size] eigenvectors as columns, real and imaginary parts */
} Eigen;

static bool eigen_create(Eigen *e, int32_t size) {
    *e = (Eigen){.size = size};
    e->real = rbv_arena_array(&e->arena, (size_t)size + 1, sizeof(double));
    e->imaginary = rbv_arena_array(&e->arena, (size_t)size + 1, sizeof(double));
    e->vector = rbv_arena_array(&e->arena, 2 * (size_t)size * (size_t)size + 1, sizeof(double));
    return e->real && e->imaginary && e->vector;
}

static double *part_of(const Eigen *e, int part) {
    return e->vector + (size_t)part * (size_t)e->size * (size_t)e->size;
}

/* Adds two equal real roots in place of a conjugate pair separated by rounding. Their shapes are the real and the
 * imaginary part, or the real part twice where there is no other (a chain). */
static void add_parted(Eigen *e, double real, const double *vectors, size_t k) {
    size_t size = (size_t)e->size;
    double sum[2] = {0, 0};
    for (size_t i = 0; i < size; i++)
        for (size_t part = 0; part < 2; part++)
            sum[part] += vectors[i * size + k + part] * vectors[i * size + k + part];
    for (size_t part = 0; part < 2; part++) {
        size_t c = (size_t)e->count++;
        e->real[c] = real;
        e->imaginary[c] = 0;
        for (size_t i = 0; i < size; i++)
            part_of(e, 0)[i * size + c] = vectors[i * size + k + (part && sum[1] > CHAIN * CHAIN * sum[0])];
    }
}

/* Finds all roots; of conjugate pairs the one with positive imaginary part. */
static bool find_all(Eigen *e, double *A) {
    size_t size = (size_t)e->size;
    RbvArena arena = {0};
    double *vectors = rbv_arena_array(&arena, size * size + 1, sizeof *vectors),
           *real = rbv_arena_array(&arena, size + 1, sizeof *real),
           *imaginary = rbv_arena_array(&arena, size + 1, sizeof *imaginary);
    bool good = vectors && real && imaginary && rbv_lapack_eigen(e->size, A, real, imaginary, vectors) == RBV_OK;
    for (size_t k = 0; good && k < size; k++) {
        if (imaginary[k] < 0)
            continue;
        /* A pair with so small an angle to the real axis is a double real root: rounding e separates a root that
         * belongs to a chain by sqrt(e). */
        if (imaginary[k] > 0 && imaginary[k] <= RBV_BALANCED * fabs(real[k])) {
            add_parted(e, real[k], vectors, k);
            continue;
        }
        size_t c = (size_t)e->count++;
        e->real[c] = real[k];
        e->imaginary[c] = imaginary[k];
        for (size_t i = 0; i < size; i++) {
            part_of(e, 0)[i * size + c] = vectors[i * size + k];
            part_of(e, 1)[i * size + c] = imaginary[k] > 0 ? vectors[i * size + k + 1] : 0;
        }
    }
    rbv_arena_clear(&arena);
    return good;
}

/* Converts eigenvectors w of W^T A W, of root s, to those of A: W w + V V^T A W w / s. W: the first columns of
 * U[size][size], V: the others. AU[size][size] = U^T A U. False: out of memory. */
static bool lift(Eigen *to, const Eigen *from, const double *U, const double *AU) {
    size_t size = (size_t)to->size, rest = (size_t)from->size, zeros = size - rest, count = (size_t)from->count;
    RbvArena arena = {0};
    double *V_A_W = rbv_arena_array(&arena, zeros * rest + 1, sizeof *V_A_W), *along[2], *lifted[2];
    bool good = V_A_W != NULL;
    for (int part = 0; part < 2; part++) {
        along[part] = rbv_arena_array(&arena, size * count + 1, sizeof(double));
        lifted[part] = rbv_arena_array(&arena, size * count + 1, sizeof(double));
        good = good && along[part] && lifted[part];
    }
    for (size_t j = 0; good && j < zeros; j++)
        memcpy(V_A_W + j * rest, AU + (rest + j) * size, rest * sizeof *AU);
    for (int part = 0; good && part < 2; part++) {
        for (size_t j = 0; j < rest; j++)
            memcpy(along[part] + j * count, part_of(from, part) + j * rest, count * sizeof(double));
        rbv_dense_product((int32_t)zeros, (int32_t)rest, (int32_t)count, V_A_W, along[part],
                          along[part] + rest * count);
    }
    for (size_t k = 0; good && k < count; k++) {
        double re = from->real[k], im = from->imaginary[k], square = re * re + im * im;
        for (size_t j = rest; j < size; j++) {
            double a = along[0][j * count + k], b = along[1][j * count + k];
            along[0][j * count + k] = (a * re + b * im) / square;
            along[1][j * count + k] = (b * re - a * im) / square;
        }
        to->real[(size_t)to->count + k] = re, to->imaginary[(size_t)to->count + k] = im;
    }
    for (int part = 0; good && part < 2; part++) {
        rbv_dense_product(to->size, to->size, from->count, U, along[part], lifted[part]);
        for (size_t i = 0; i < size; i++)
            memcpy(part_of(to, part) + i * size + (size_t)to->count, lifted[part] + i * count, count * sizeof(double));
    }
    to->count += good ? from->count : 0;
    rbv_arena_clear(&arena);
    return good;
}

/* Finds the roots of A[size][size], which is overwritten. Zero roots are entered at the first level only: further ones
 * belong to double zeros. `least`: singular values below it are zero. */
static bool find_eigen(Eigen *e, double *A, double least, bool first) {
    size_t size = (size_t)e->size;
    RbvArena arena = {0};
    double *copy = rbv_arena_array(&arena, size * size + 1, sizeof *copy),
           *sigma = rbv_arena_array(&arena, size + 1, sizeof *sigma),
           *u = rbv_arena_array(&arena, size * size + 1, sizeof *u),
           *vt = rbv_arena_array(&arena, size * size + 1, sizeof *vt);
    bool good = copy && sigma && u && vt;
    size_t zeros = 0;
    if (good && size > 0) {
        memcpy(copy, A, size * size * sizeof *A); /* read by columns this is the transpose, so its left singular vectors
                                                     are the right ones of A */
        good = rbv_lapack_svd('A', e->size, e->size, copy, sigma, u, vt) == RBV_OK;
        while (good && zeros < size && !(sigma[size - 1 - zeros] > least))
            zeros++;
    }
    if (good && zeros == 0)
        good = find_all(e, A);
    if (good && zeros > 0) {
        Eigen rest;
        double *U = vt, *AU = copy; /* row-major */
        for (size_t i = 0; i < size; i++)
            for (size_t k = 0; k < size; k++)
                U[i * size + k] = u[k * size + i];
        rbv_dense_product(e->size, e->size, e->size, A, U, u);
        rbv_dense_product_transposed(e->size, e->size, e->size, U, u, AU);
        for (size_t k = 0; first && k < zeros; k++) {
            for (size_t i = 0; i < size; i++)
                part_of(e, 0)[i * size + (size_t)e->count] = U[i * size + size - zeros + k];
            e->count++;
        }
        good = eigen_create(&rest, (int32_t)(size - zeros));
        for (size_t i = 0; good && i < size - zeros; i++)
            memcpy(A + i * (size - zeros), AU + i * size, (size - zeros) * sizeof *A);
        good = good && find_eigen(&rest, A, least, false);
        good = good && lift(e, &rest, U, AU);
        rbv_arena_clear(&rest.arena);
    }
    rbv_arena_clear(&arena);
    return good;
}

static bool reserve(RbvModalMotions *motions, int32_t count, int32_t n) {
    motions->items = calloc((size_t)count + 1, sizeof *motions->items);
    motions->memory = calloc(2 * (size_t)count * (size_t)n + 1, sizeof *motions->memory);
    for (int32_t k = 0; motions->items && motions->memory && k < count; k++)
        for (int part = 0; part < 2; part++)
            motions->items[k].shape[part] = motions->memory + (2 * (size_t)k + (size_t)part) * (size_t)n;
    return motions->items && motions->memory;
}

static void add(RbvModalMotions *motions, double real, double imaginary, int32_t n, const double *shape, int32_t width,
                int32_t column) {
    RbvModalMotion *motion = &motions->items[motions->count++];
    motion->real = real;
    motion->imaginary = imaginary;
    for (int32_t i = 0; i < n; i++)
        motion->shape[0][i] = shape[(size_t)i * (size_t)width + (size_t)column];
}

/* Roots of z'' = -square z. */
static bool of_squares(const RbvLinear *l, RbvModalMotions *motions) {
    if (!reserve(motions, 2 * l->size, rbv_linear_height(l)))
        return false;
    for (int32_t k = 0; k < l->size; k++) {
        double square = fabs(l->square[k]) <= l->neutral[k] ? 0 : l->square[k], root = sqrt(fabs(square));
        double growth = square < 0 ? root : 0;
        double turning = square > 0 ? root : 0;
        add(motions, growth, turning, rbv_linear_height(l), l->shape, l->size, k);
        if (square < 0)
            add(motions, -root, 0, rbv_linear_height(l), l->shape, l->size, k);
    }
    return true;
}

/* Unit of velocities as multiples of positions, with which all entries of A are of similar size. */
static double unit_of_time(const RbvLinear *l) {
    double largest = 0;
    for (int32_t i = 0; i < l->size; i++) {
        double sum = 0;
        for (int32_t j = 0; j < l->size; j++)
            sum = rbv_max(sum, sqrt(fabs(l->A[(size_t)i * (size_t)l->size + (size_t)j] *
                                         l->A[(size_t)j * (size_t)l->size + (size_t)i])));
        largest = rbv_max(largest, sum);
    }
    return largest > 0 ? largest : 1;
}

/* Finds scale[own] of the user's states, whose units are unknown: powers of two with which row and column of each are
 * of equal size (Osborne). A state that has no effect, or on which nothing acts, is scaled to size `unit`. */
static void balance_own(int32_t size, int32_t own, double unit, double *A, double *scale) {
    size_t n = (size_t)size, first = n - (size_t)own;
    for (int32_t k = 0; k < own; k++)
        scale[k] = 1;
    for (int pass = 0; pass < BALANCED; pass++)
        for (size_t k = first; k < n; k++) {
            double row = 0, column = 0;
            for (size_t j = 0; j < n; j++) {
                row += j == k ? 0 : A[k * n + j] * A[k * n + j];
                column += j == k ? 0 : A[j * n + k] * A[j * n + k];
            }
            double factor = row > 0 && column > 0 ? sqrt(sqrt(row / column))
                            : row > 0             ? sqrt(row) / unit
                            : column > 0          ? unit / sqrt(column)
                                                  : 1;
            factor = exp2(round(log2(factor)));
            scale[k - first] *= factor;
            for (size_t j = 0; j < n; j++) {
                A[k * n + j] /= factor;
                A[j * n + k] *= factor;
            }
        }
}

/* Finds the shapes of eigenvectors: of v and of own states. */
static bool take_shapes(const RbvLinear *l, const Eigen *e, const double *scale, RbvModalMotions *motions) {
    size_t size = (size_t)l->size, height = (size_t)rbv_linear_height(l), first = size - (size_t)l->own;
    double *moved = malloc((height * size + 1) * sizeof *moved), *shape = malloc((height * size + 1) * sizeof *shape);
    for (size_t i = 0; moved && shape && i < height * size; i++)
        shape[i] = l->shape[i] * (i % size >= first ? scale[i % size - first] : 1);
    for (int part = 0; moved && shape && part < 2; part++) {
        rbv_dense_product((int32_t)height, l->size, l->size, shape, part_of(e, part), moved);
        for (int32_t k = 0; k < e->count; k++)
            for (size_t i = 0; i < height; i++)
                motions->items[k].shape[part][i] = moved[i * size + (size_t)k];
    }
    bool good = moved && shape;
    free(moved);
    free(shape);
    return good;
}

static bool of_matrix(const RbvLinear *l, RbvModalMotions *motions) {
    size_t size = (size_t)l->size, first = size - (size_t)l->own;
    Eigen e;
    double *A = malloc((size * size + 1) * sizeof *A), *scale = malloc(((size_t)l->own + 1) * sizeof *scale),
           unit = unit_of_time(l);
    bool good = eigen_create(&e, l->size) && A && scale && reserve(motions, l->size, rbv_linear_height(l));
    for (size_t i = 0; good && i < size; i++)
        for (size_t j = 0; j < size; j++) { /* z = (x, unit y, s) */
            bool from = (int32_t)j >= l->places && j < first, to = (int32_t)i >= l->places && i < first;
            double by = from ? unit : 1;
            A[i * size + j] = l->A[i * size + j] * by / (to ? unit : 1);
        }
    if (good)
        balance_own(l->size, l->own, unit, A, scale);
    good = good && find_eigen(&e, A, l->blur * unit, true) && take_shapes(l, &e, scale, motions);
    for (int32_t k = 0; good && k < e.count; k++) {
        motions->items[k].real = e.real[k];
        motions->items[k].imaginary = e.imaginary[k];
    }
    motions->count = good ? e.count : 0;
    rbv_arena_clear(&e.arena);
    free(A);
    free(scale);
    return good;
}

static double size_of(const RbvModalMotion *motion) {
    return hypot(motion->real, motion->imaginary);
}

static int by_size(const void *a, const void *b) {
    double x = size_of(a), y = size_of(b);
    return x < y ? -1 : x > y;
}

/* Order of roots of equal size: largest growth first, then slowest oscillation. Equal roots are not distinguished. */
static int by_place(const void *a, const void *b) {
    const RbvModalMotion *x = a, *y = b;
    /* Relative difference of roots, and of their sizes, below which they are equal. */
    double same = RBV_ROOT_EPS * size_of(x);
    if (fabs(x->real - y->real) > same)
        return x->real > y->real ? -1 : 1;
    if (fabs(x->imaginary - y->imaginary) <= same)
        return 0;
    return x->imaginary < y->imaginary ? -1 : 1;
}

static void sort(RbvModalMotions *motions) {
    qsort(motions->items, (size_t)motions->count, sizeof *motions->items, by_size);
    for (int32_t k = 0, next; k < motions->count; k = next) {
        for (next = k + 1;
             next < motions->count && size_of(&motions->items[next]) - size_of(&motions->items[next - 1]) <=
                                          RBV_ROOT_EPS * size_of(&motions->items[next]);
             next++) {
        }
        qsort(motions->items + k, (size_t)(next - k), sizeof *motions->items, by_place);
    }
}

bool rbv_modal_motions_find(const RbvLinear *l, RbvModalMotions *motions) {
    *motions = (RbvModalMotions){0};
    bool good = l->square ? of_squares(l, motions) : of_matrix(l, motions);
    if (good)
        sort(motions);
    return good;
}

void rbv_modal_motions_destroy(RbvModalMotions *motions) {
    free(motions->items);
    free(motions->memory);
    *motions = (RbvModalMotions){0};
}

/* ---- tracks of roots ----
 *
 * The expected root is 2 a - b for the last two roots b, a; shapes are compared by |x^H y|^2 / (x^H x) (y^H y). */

/* Weight of the difference of orthogonal shapes, in units of the distance `unit` of roots. */
#define SHAPE 1.0

/* Allocates for `width` tracks and one more row. There are few tracks when the first row is made, so rows are moved
 * when more come. False: out of memory. */
static bool reserve_tracks(RbvModeTracks *t, int32_t width, int32_t n) {
    t->n = n;
    if (t->rows == t->capacity || width > t->width) {
        int32_t capacity = t->rows == t->capacity ? 2 * t->capacity + 128 : t->capacity,
                wide = width > t->width ? width + 4 : t->width;
        size_t cells = (size_t)capacity * (size_t)wide;
        RbvArena arena = {0};
        double *at = rbv_arena_array(&arena, (size_t)capacity + 1, sizeof *at),
               *re = rbv_arena_array(&arena, cells + 1, sizeof *re),
               *im = rbv_arena_array(&arena, cells + 1, sizeof *im);
        double *shape = rbv_arena_array(&arena, 2 * (size_t)wide * (size_t)n + 1, sizeof *shape),
               *last = rbv_arena_array(&arena, 4 * (size_t)wide + 1, sizeof *last);
        if (!at || !re || !im || !shape || !last) {
            rbv_arena_clear(&arena);
            return false;
        }
        for (size_t k = 0; k < cells; k++)
            re[k] = im[k] = NAN;
        for (int32_t k = 0; k < t->rows; k++) {
            at[k] = t->at[k];
            memcpy(re + (size_t)k * (size_t)wide, t->re + (size_t)k * (size_t)t->width, (size_t)t->width * sizeof *re);
            memcpy(im + (size_t)k * (size_t)wide, t->im + (size_t)k * (size_t)t->width, (size_t)t->width * sizeof *im);
        }
        if (t->width > 0) {
            memcpy(shape, t->shape, 2 * (size_t)t->width * (size_t)n * sizeof *shape);
            memcpy(last, t->last, 4 * (size_t)t->width * sizeof *last);
        }
        rbv_arena_clear(&t->arena);
        t->arena = arena;
        t->at = at, t->re = re, t->im = im, t->shape = shape, t->last = last;
        t->width = wide;
        t->capacity = capacity;
    }
    return true;
}

static double likeness(int32_t n, const double *x, const double *y) {
    double re = 0, im = 0, xx = 0, yy = 0;
    for (int32_t i = 0; i < n; i++) {
        re += x[i] * y[i] + x[n + i] * y[n + i];
        im += x[i] * y[n + i] - x[n + i] * y[i];
        xx += x[i] * x[i] + x[n + i] * x[n + i];
        yy += y[i] * y[i] + y[n + i] * y[n + i];
    }
    return xx > 0 && yy > 0 ? (re * re + im * im) / (xx * yy) : 0;
}

/* Distance of a root and its shape from those a track expects. `unit`: distance of roots that counts as much as a
 * difference of shapes. */
static double distance(const RbvModeTracks *t, int32_t track, const RbvModalMotion *motion, double unit) {
    const double *last = t->last + 4 * track;
    double re = 2 * last[0] - last[2], im = fabs(2 * last[1] - last[3]);
    double near = rbv_min(hypot(motion->real - re, motion->imaginary - im),
                          hypot(motion->real - last[0], motion->imaginary - last[1]));
    return near / unit + SHAPE * (1 - likeness(t->n, t->shape + 2 * (size_t)track * (size_t)t->n, motion->shape[0]));
}

static void take(RbvModeTracks *t, int32_t track, const RbvModalMotion *motion, bool fresh) {
    double *last = t->last + 4 * track;
    size_t cell = (size_t)t->rows * (size_t)t->width + (size_t)track;
    last[2] = fresh ? motion->real : last[0];
    last[3] = fresh ? motion->imaginary : last[1];
    t->re[cell] = last[0] = motion->real;
    t->im[cell] = last[1] = motion->imaginary;
    memcpy(t->shape + 2 * (size_t)track * (size_t)t->n, motion->shape[0], 2 * (size_t)t->n * sizeof *t->shape);
}

bool rbv_mode_tracks_add(RbvModeTracks *t, double at, int32_t n, const RbvModalMotions *motions) {
    int32_t old = t->count;
    double unit = 0;
    RbvArena arena = {0};
    bool *taken = rbv_arena_array(&arena, (size_t)motions->count + 1, sizeof *taken),
         *gone = rbv_arena_array(&arena, (size_t)old + 1, sizeof *gone);
    double *far = rbv_arena_array(&arena, (size_t)old * (size_t)motions->count + 1, sizeof *far);
    bool good = taken && gone && far && (t->rows == 0 || t->n == n) &&
                reserve_tracks(t, old > motions->count ? old : motions->count, n);
    for (int32_t k = 0; k < motions->count; k++)
        unit += hypot(motions->items[k].real, motions->items[k].imaginary) / motions->count;
    unit = unit > 0 ? 0.2 * unit : 1;
    for (int32_t k = 0; good && k < old; k++)
        for (int32_t j = 0; j < motions->count; j++)
            far[(size_t)k * (size_t)motions->count + (size_t)j] = distance(t, k, &motions->items[j], unit);
    for (int32_t pass = 0; good && pass < old && pass < motions->count; pass++) {
        int32_t track = -1, root = -1;
        double least = INFINITY;
        /* Distances that differ by less are equal: the first track continues to the first root, so that tracks that
         * begin in one root separate in the order of roots. */
        for (int32_t k = 0; k < old; k++)
            for (int32_t j = 0; !gone[k] && j < motions->count; j++)
                if (!taken[j] &&
                    far[(size_t)k * (size_t)motions->count + (size_t)j] < least - RBV_FITS * (least < INFINITY))
                    least = far[(size_t)k * (size_t)motions->count + (size_t)j], track = k, root = j;
        if (track < 0)
            break;
        gone[track] = taken[root] = true;
        take(t, track, &motions->items[root], false);
    }
    for (int32_t j = 0; good && j < motions->count; j++) {
        if (taken[j])
            continue;
        good = reserve_tracks(t, t->count + 1, n);
        if (good)
            take(t, t->count++, &motions->items[j], true);
    }
    if (good)
        t->at[t->rows++] = at;
    rbv_arena_clear(&arena);
    return good;
}

double rbv_mode_tracks_value(const RbvModeTracks *t, int32_t row, int32_t c) {
    return (c % 2 ? t->im : t->re)[(size_t)row * (size_t)t->width + (size_t)(c / 2)];
}

int32_t rbv_mode_tracks_nearest(const RbvModeTracks *t, double re, double im) {
    int32_t nearest = -1;
    double least = INFINITY;
    for (int32_t k = 0; k < t->count; k++)
        for (int32_t row = t->rows - 1; row >= 0 && row >= t->rows - 2; row--) {
            double far =
                hypot(rbv_mode_tracks_value(t, row, 2 * k) - re, rbv_mode_tracks_value(t, row, 2 * k + 1) - im);
            if (far < least - RBV_FITS * hypot(re, im) * (least < INFINITY))
                least = far, nearest = k;
        }
    return nearest;
}

void rbv_mode_tracks_destroy(RbvModeTracks *t) {
    rbv_arena_clear(&t->arena);
    *t = (RbvModeTracks){0};
}
