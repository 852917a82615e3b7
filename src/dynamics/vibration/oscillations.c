/* Eigenvalues and eigenvectors; see oscillations.h.
 *
 * Zero eigenvalues are found first. With V the null space of A and W its orthogonal complement, the other eigenvalues
 * of A are those of W^T A W, and so on until none is zero: a chain of two (a motion that continues uniformly) costs one
 * step each. An eigenvector w of W^T A W for lambda gives that of A:
 *
 *   x = W w + V (V^T A W w) / lambda
 */
#include "dynamics/vibration/oscillations.h"

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative difference of roots, and of their sizes, below which they are equal. */
#define SAME 1e-8
/* A pair with so small an angle to the real axis is a double real root: rounding e separates a root that belongs to a
 * chain by sqrt(e). */
#define PARTED 1e-7
/* Relative to the real part: a smaller imaginary part of a shape is no independent shape. */
#define CHAIN 1e-5
/* Passes in which rows and columns of own states are scaled to equal size: scales have settled long before. */
#define BALANCED 20

typedef struct Eigen {
    int32_t size, count;
    double *real, *imaginary; /* [size] the eigenvalues found */
    double *vector;           /* [2][size][size] eigenvectors as columns, real and imaginary parts */
} Eigen;

static bool eigen_create(Eigen *e, int32_t size) {
    *e = (Eigen){.size = size};
    e->real = calloc((size_t)size + 1, sizeof(double));
    e->imaginary = calloc((size_t)size + 1, sizeof(double));
    e->vector = calloc(2 * (size_t)size * (size_t)size + 1, sizeof(double));
    return e->real && e->imaginary && e->vector;
}

static void eigen_destroy(Eigen *e) {
    free(e->real);
    free(e->imaginary);
    free(e->vector);
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
    double *vectors = calloc(size * size + 1, sizeof *vectors), *real = calloc(size + 1, sizeof *real),
           *imaginary = calloc(size + 1, sizeof *imaginary);
    bool good = vectors && real && imaginary && rbv_lapack_eigen(e->size, A, real, imaginary, vectors) == RBV_OK;
    for (size_t k = 0; good && k < size; k++) {
        if (imaginary[k] < 0)
            continue;
        if (imaginary[k] > 0 && imaginary[k] <= PARTED * fabs(real[k])) {
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
    free(vectors);
    free(real);
    free(imaginary);
    return good;
}

/* Converts eigenvectors of W^T A W to those of A; W: the first columns of U[size][size], V: the others. AU[size][size]
 * = U^T A U. */
static void lift(Eigen *to, const Eigen *from, const double *U, const double *AU) {
    size_t size = (size_t)to->size, rest = (size_t)from->size;
    for (int32_t k = 0; k < from->count; k++) {
        size_t c = (size_t)to->count++;
        double re = to->real[c] = from->real[k], im = to->imaginary[c] = from->imaginary[k], square = re * re + im * im;
        for (size_t j = 0; j < size; j++) {
            double a = 0, b = 0;
            for (size_t i = 0; j >= rest && i < rest; i++) { /* V^T A W w */
                a += AU[j * size + i] * part_of(from, 0)[i * rest + (size_t)k];
                b += AU[j * size + i] * part_of(from, 1)[i * rest + (size_t)k];
            }
            double x = j < rest ? part_of(from, 0)[j * rest + (size_t)k] : (a * re + b * im) / square;
            double y = j < rest ? part_of(from, 1)[j * rest + (size_t)k] : (b * re - a * im) / square;
            for (size_t i = 0; i < size; i++) {
                part_of(to, 0)[i * size + c] += U[i * size + j] * x;
                part_of(to, 1)[i * size + c] += U[i * size + j] * y;
            }
        }
    }
}

/* Finds the roots of A[size][size], which is overwritten. Zero roots are entered at the first level only: further ones
 * belong to double zeros. `least`: singular values below it are zero. */
static bool find_eigen(Eigen *e, double *A, double least, bool first) {
    size_t size = (size_t)e->size;
    double *copy = calloc(size * size + 1, sizeof *copy), *sigma = calloc(size + 1, sizeof *sigma),
           *u = calloc(size * size + 1, sizeof *u), *vt = calloc(size * size + 1, sizeof *vt);
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
        if (good)
            lift(e, &rest, U, AU);
        eigen_destroy(&rest);
    }
    free(copy);
    free(sigma);
    free(u);
    free(vt);
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
        add(motions, square < 0 ? root : 0, square > 0 ? root : 0, rbv_linear_height(l), l->shape, l->size, k);
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
            sum = fmax(sum, sqrt(fabs(l->A[(size_t)i * (size_t)l->size + (size_t)j] *
                                      l->A[(size_t)j * (size_t)l->size + (size_t)i])));
        largest = fmax(largest, sum);
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
            A[i * size + j] = l->A[i * size + j] * (from ? unit : 1) / (to ? unit : 1);
        }
    if (good)
        balance_own(l->size, l->own, unit, A, scale);
    good = good && find_eigen(&e, A, l->blur * unit, true) && take_shapes(l, &e, scale, motions);
    for (int32_t k = 0; good && k < e.count; k++) {
        motions->items[k].real = e.real[k];
        motions->items[k].imaginary = e.imaginary[k];
    }
    motions->count = good ? e.count : 0;
    eigen_destroy(&e);
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
    double same = SAME * size_of(x);
    if (fabs(x->real - y->real) > same)
        return x->real > y->real ? -1 : 1;
    return fabs(x->imaginary - y->imaginary) <= same ? 0 : x->imaginary < y->imaginary ? -1 : 1;
}

static void sort(RbvModalMotions *motions) {
    qsort(motions->items, (size_t)motions->count, sizeof *motions->items, by_size);
    for (int32_t k = 0, next; k < motions->count; k = next) {
        for (next = k + 1;
             next < motions->count && size_of(&motions->items[next]) - size_of(&motions->items[next - 1]) <=
                                          SAME * size_of(&motions->items[next]);
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
