/* Projection onto the null space of C^T with the factors of A = C^T C, and its accuracy: smallest singular values by
 * inverse iteration with Rayleigh and Ritz, and |C x| for a vector x of the computed null space.
 */
#include "core/solve/lapack.h"

#include "core/solve/gram_factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of inverse iteration: one finds a vanished singular value, these find the smallest other one to a few
 * percent. */
#define CERTIFY_STEPS 6
/* Part of the square of a column's length above which the remainder is orthogonal to rounding. */
#define MUCH_LEFT 0.5

void rbv_gram_project(RbvGram *g, double *z) {
    memset(g->right, 0, rbv_gram_size(g) * R * sizeof *g->right);
    rbv_gram_add_transposed(g, z);
    rbv_gram_solve_right(g);
    rbv_gram_subtract_right(g, z);
}

/* energy := X^T C^T C X and size := X^T X for X = right, columns of C scaled. */
static void products(const RbvGram *g, double energy[R][R], double size[R][R]) {
    memset(energy, 0, R * R * sizeof(double));
    memset(size, 0, R * R * sizeof(double));
    for (int32_t k = 0; k < g->rows; k++) {
        double y[R] = {0};
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++) {
            const double *x = g->right + (size_t)g->slot[g->column[e]] * R;
            for (int r = 0; r < R; r++)
                y[r] += g->scaled[e] * x[r];
        }
        for (int a = 0; a < R; a++)
            for (int b = 0; b < R; b++)
                energy[a][b] += y[a] * y[b];
    }
    for (int32_t k = 0; k < g->width * g->nodes; k++)
        for (int a = 0; a < R; a++)
            for (int b = 0; b < R; b++)
                size[a][b] += g->right[(size_t)k * R + (size_t)a] * g->right[(size_t)k * R + (size_t)b];
}

/* X := X T for a small T. */
static void combine_columns(RbvGram *g, double T[R][R]) {
    for (int32_t k = 0; k < g->width * g->nodes; k++) {
        double *x = g->right + (size_t)k * R, y[R];
        for (int b = 0; b < R; b++) {
            y[b] = 0;
            for (int a = 0; a < R; a++)
                y[b] += x[a] * T[a][b];
        }
        memcpy(x, y, sizeof y);
    }
}

/* Subtract from column c its parts along the columns before; *left: remaining square of its length, *whole: the square
 * before. */
static void subtract_before(RbvGram *g, int c, double *left, double *whole) {
    size_t count = rbv_gram_size(g);
    double dot_columns[R] = {0};
    for (size_t k = 0; k < count && c > 0; k++) {
        const double *x = g->right + k * R;
        for (int a = 0; a < R; a++) /* products from c on are not used: side by side they take no time */
            dot_columns[a] += x[a] * x[c];
    }
    *left = *whole = 0;
    for (size_t k = 0; k < count; k++) {
        double *x = g->right + k * R;
        *whole += x[c] * x[c];
        for (int a = 0; a < c; a++)
            x[c] -= dot_columns[a] * x[a];
        *left += x[c] * x[c];
    }
}

/* Orthonormal columns by Gram and Schmidt, repeated where little of a column was left: then twice is enough (Kahan and
 * Parlett). A dependent column becomes zero. */
static void orthonormalize(RbvGram *g) {
    size_t count = rbv_gram_size(g);
    for (int c = 0; c < R; c++)
        for (int pass = 0; pass < 3; pass++) {
            double left, whole;
            subtract_before(g, c, &left, &whole);
            double over = left > 1e-30 * whole ? 1 / sqrt(left) : 0;
            for (size_t k = 0; k < count; k++)
                g->right[k * R + (size_t)c] *= over;
            if (left > MUCH_LEFT * whole)
                break;
        }
}

/* Columns that have become zero are replaced by random ones, in the space of kept pivots. */
static void refresh(RbvGram *g) {
    uint64_t seed = 0xD1B54A32D192ED03u;
    bool lost[R];
    for (int r = 0; r < R; r++) {
        double norm = 0;
        for (size_t k = 0; k < rbv_gram_size(g); k++)
            norm += g->right[k * R + (size_t)r] * g->right[k * R + (size_t)r];
        lost[r] = !(norm > 0.5);
    }
    for (int32_t j = 0; j < g->columns; j++)
        for (int r = 0; r < R; r++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            if (lost[r] && !g->dropped[j])
                g->right[(size_t)g->slot[j] * R + (size_t)r] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        }
}

/* Eigenvectors of a small symmetric matrix by Jacobi rotations; values ascending. */
static void jacobi(double A[R][R], double V[R][R], double value[R]) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            V[i][j] = i == j;
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < R; p++)
            for (int q = p + 1; q < R; q++) {
                if (A[p][q] == 0)
                    continue;
                double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]),
                       t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < R; k++) {
                    double a = A[k][p], b = A[k][q];
                    A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
                }
                for (int k = 0; k < R; k++) {
                    double a = A[p][k], b = A[q][k];
                    A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
                    a = V[k][p], b = V[k][q];
                    V[k][p] = c * a - s * b, V[k][q] = s * a + c * b;
                }
            }
    for (int i = 0; i < R; i++)
        value[i] = A[i][i];
    for (int i = 0; i < R; i++)
        for (int j = i + 1; j < R; j++)
            if (value[j] < value[i]) {
                double swap = value[i];
                value[i] = value[j], value[j] = swap;
                for (int k = 0; k < R; k++) {
                    swap = V[k][i];
                    V[k][i] = V[k][j], V[k][j] = swap;
                }
            }
}

static void random_right(RbvGram *g) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    memset(g->right, 0, rbv_gram_size(g) * R * sizeof *g->right);
    for (int32_t j = 0; j < g->columns; j++)
        for (int r = 0; r < R; r++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            g->right[(size_t)g->slot[j] * R + (size_t)r] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
        }
}

/* right := C^T C right, scaled columns; y[rows][R]: scratch, C right. */
static void apply(RbvGram *g, double *y) {
    rbv_gram_multiply_right(g, y);
    memset(g->right, 0, rbv_gram_size(g) * R * sizeof *g->right);
    rbv_gram_add_transposed(g, y);
}

/* |C x| / |x| for random vectors of the computed null space of C, x = g - A^- A g; the largest. */
static double null_error_of(RbvGram *g) {
    size_t count = rbv_gram_size(g) * R;
    double *keep = malloc((count + 1) * sizeof *keep), *y = malloc(((size_t)g->rows * R + 1) * sizeof *y), worst = 0;
    double energy[R][R], size[R][R];
    if (!keep || !y) {
        free(keep);
        free(y);
        return INFINITY;
    }
    random_right(g);
    for (int pass = 0; pass < 2; pass++) {
        memcpy(keep, g->right, count * sizeof *keep);
        apply(g, y);
        rbv_gram_solve_right(g);
        for (size_t k = 0; k < count; k++)
            g->right[k] = keep[k] - g->right[k];
    }
    products(g, energy, size);
    for (int r = 0; r < R; r++)
        worst = fmax(worst, size[r][r] > 0 ? sqrt(energy[r][r] / size[r][r]) : 0);
    free(keep);
    free(y);
    return worst;
}

void rbv_gram_certify(RbvGram *g, double sigma[R], double *null_error) {
    double energy[R][R], size[R][R], V[R][R], value[R];
    *null_error = g->rank < g->columns ? null_error_of(g) : 0;
    random_right(g);
    for (int step = 0; step < CERTIFY_STEPS; step++) {
        rbv_gram_solve_right(g);
        orthonormalize(g);
        if (step == 0) /* a null vector may have dominated all columns: restart the dependent ones beside it */
            refresh(g);
    }
    products(g, energy, size);
    jacobi(energy, V, value);
    combine_columns(g, V);
    /* again with the rotated vectors: squares of small values have lost digits beside large ones */
    products(g, energy, size);
    for (int r = 0; r < R; r++)
        sigma[r] = size[r][r] > 0.5 ? sqrt(energy[r][r] / size[r][r]) : INFINITY;
    for (int r = 1; r < R; r++) /* rounding and missing columns may be out of order */
        for (int q = r; q > 0 && sigma[q] < sigma[q - 1]; q--) {
            double swap = sigma[q];
            sigma[q] = sigma[q - 1], sigma[q - 1] = swap;
        }
}

/* Steps of Lanczos with A^-1: of a chain, whose singular values grow like 1, 2, 3 ..., the smallest is then accurate to
 * some digits. */
#define LANCZOS_STEPS 7
/* Steps from the vector found for the last factors of the same pattern, and the random part added, so that no other
 * vector is missed. */
#define LANCZOS_AGAIN 4
#define FRESH 3e-3

/* One random vector x, zero in dropped columns. */
static void random_vector(const RbvGram *g, double *x) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    memset(x, 0, rbv_gram_size(g) * sizeof *x);
    for (int32_t j = 0; j < g->columns; j++) {
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        if (!g->dropped[j])
            x[g->slot[j]] = (double)(seed >> 11) / 9007199254740992.0 - 0.5;
    }
}

static double dot_columns(const double *x, const double *y, size_t count) {
    double sum[4] = {0};
    size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (size_t i = 0; i < 4; i++)
            sum[i] += x[k + i] * y[k + i];
    for (; k < count; k++)
        sum[0] += x[k] * y[k];
    return sum[0] + sum[1] + (sum[2] + sum[3]);
}

static double scale_to_one(double *x, size_t count) {
    double norm = sqrt(dot_columns(x, x, count));
    for (size_t k = 0; k < count; k++)
        x[k] = norm > 0 ? x[k] / norm : 0;
    return norm;
}

/* |C x| / |x| for x in the order of elimination, scaled columns. */
static double stretch(const RbvGram *g, const double *x) {
    double sum = 0;
    for (int32_t k = 0; k < g->rows; k++) {
        double y = 0;
        for (int32_t e = g->start[k]; e < g->start[k + 1]; e++)
            y += g->scaled[e] * x[g->slot[g->column[e]]];
        sum += y * y;
    }
    return sqrt(sum / dot_columns(x, x, rbv_gram_size(g)));
}

/* Eigenvector of the largest eigenvalue of the symmetric tridiagonal matrix of Lanczos with A^-1. */
static RbvStatus largest_vector(int32_t steps, double *diagonal, double *off, double *vector) {
    double all[LANCZOS_STEPS * LANCZOS_STEPS];
    RbvStatus status = rbv_lapack_eigen_tridiagonal(steps, diagonal, off, all);
    for (int32_t k = 0; status == RBV_OK && k < steps; k++)
        vector[k] = all[(steps - 1) * steps + k];
    return status;
}

/* First vector x of Lanczos, of length 1; returns the number of steps. */
static int32_t first_vector(const RbvGram *g, double *x, double *norm) {
    size_t count = rbv_gram_size(g);
    random_vector(g, x);
    *norm = scale_to_one(x, count);
    if (!g->found)
        return LANCZOS_STEPS;
    for (size_t k = 0; k < count; k++)
        x[k] = FRESH * x[k] + g->least[k];
    for (int32_t j = 0; j < g->columns; j++)
        if (g->dropped[j])
            x[g->slot[j]] = 0;
    *norm = scale_to_one(x, count);
    return LANCZOS_AGAIN;
}

/* basis[steps + 1][count], orthonormal; A^-1 in this basis, tridiagonal: diagonal and off-diagonal. Returns the number
 * of steps. */
static int32_t lanczos(RbvGram *g, double *basis, double *diagonal, double *off) {
    size_t count = rbv_gram_size(g);
    double norm, first;
    int32_t steps = 0, most = first_vector(g, basis, &norm);
    for (first = norm; norm > 1e-14 * first && steps < most; steps++) {
        double *x = basis + (size_t)steps * count, *next = x + count;
        rbv_gram_solve_vector(g, x, next);
        diagonal[steps] = dot_columns(x, next, count);
        for (int pass = 0; pass < 2; pass++)
            for (int32_t i = 0; i <= steps; i++) {
                const double *b = basis + (size_t)i * count;
                double part = dot_columns(b, next, count);
                for (size_t k = 0; k < count; k++)
                    next[k] -= part * b[k];
            }
        off[steps] = norm = scale_to_one(next, count);
        first = steps == 0 ? fmax(fabs(diagonal[0]), norm) : first;
    }
    return steps;
}

RbvStatus rbv_gram_least(RbvGram *g, double *sigma) {
    size_t count = rbv_gram_size(g);
    double diagonal[LANCZOS_STEPS], off[LANCZOS_STEPS], ritz[LANCZOS_STEPS];
    double *basis = malloc((LANCZOS_STEPS + 1) * count * sizeof *basis + 1);
    *sigma = INFINITY;
    g->least = g->least ? g->least : malloc((count + 1) * sizeof *g->least);
    if (!basis || !g->least) {
        free(basis);
        return RBV_NO_MEMORY;
    }
    int32_t steps = lanczos(g, basis, diagonal, off);
    RbvStatus status = steps > 0 ? largest_vector(steps, diagonal, off, ritz) : RBV_OK;
    g->found = status == RBV_OK && steps > 0;
    if (g->found) {
        double *x = g->least;
        memset(x, 0, count * sizeof *x);
        for (int32_t i = 0; i < steps; i++)
            for (size_t k = 0; k < count; k++)
                x[k] += ritz[i] * basis[(size_t)i * count + k];
        *sigma = stretch(g, x);
        g->found = isfinite(*sigma);
    }
    free(basis);
    return status;
}
