/* Minimizes quadratic functions of a block's self-stresses over the directions still open; see choice_task.h. */
#include "solution/reaction/choice_task.h"

#include "core/solve/lapack.h"

#include <stdlib.h>
#include <string.h>

void rbv_choice_on_null(const RbvChoiceTask *task, const RbvElement *element, const double *c, double *out) {
    memset(out, 0, (size_t)task->p * sizeof *out);
    for (int32_t k = 0; k < element->row_count; k++) {
        int32_t local = task->s->local[element->first_row + k];
        for (int32_t j = 0; j < task->p && c[k] != 0; j++)
            out[j] += c[k] * rbv_null_entry(task->rank, local, j);
    }
}

double rbv_choice_on_base(const RbvChoiceTask *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++)
        sum += c[k] * task->choice->base[element->first_row + k];
    return sum;
}

double rbv_choice_length(const RbvChoiceTask *task, const RbvElement *element, const double *c) {
    double sum = 0;
    for (int32_t k = 0; k < element->row_count; k++) {
        double value = c[k] / task->rank->row_norm[task->s->local[element->first_row + k]];
        sum += value * value;
    }
    return sqrt(sum);
}

bool rbv_choice_right_vectors(int32_t m, int32_t n, const double *A, double *sigma, double *V) {
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++)
            V[i * n + j] = i == j;
    for (int32_t i = 0; i < n; i++)
        sigma[i] = 0;
    if (m == 0 || n == 0)
        return true;
    int32_t rows = m > n ? m : n; /* zero rows make the matrix tall, so that V is complete */
    double *copy = calloc((size_t)rows * (size_t)n, sizeof *copy), *u = malloc((size_t)rows * (size_t)n * sizeof *u);
    double *v = malloc((size_t)n * (size_t)n * sizeof *v);
    bool good = copy && u && v;
    if (good) {
        memcpy(copy, A, (size_t)m * (size_t)n * sizeof *copy);
        good =
            rbv_lapack_svd('S', n, rows, copy, sigma, v, u) == RBV_OK; /* row-major A is column-major A^T = V S U^T */
        for (int32_t i = 0; good && i < n; i++)
            for (int32_t j = 0; j < n; j++)
                V[i * n + j] = v[j * n + i];
    }
    free(copy);
    free(u);
    free(v);
    return good;
}

/* A[m][p] Z into out[m][z]. */
static void restrict_rows(const RbvChoiceTask *task, int32_t m, const double *A, double *out) {
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < task->z; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->p; k++)
                sum += A[i * task->p + k] * task->Z[k * task->z + j];
            out[i * task->z + j] = sum;
        }
}

/* Replaces Z by Z V[:, from ...], V[z][z]. False: no memory. */
static bool narrow(RbvChoiceTask *task, const double *V, int32_t from) {
    int32_t left = task->z - from;
    double *Z = malloc(((size_t)task->p * (size_t)left + 1) * sizeof *Z);
    if (!Z)
        return false;
    for (int32_t i = 0; i < task->p; i++)
        for (int32_t j = 0; j < left; j++) {
            double sum = 0;
            for (int32_t k = 0; k < task->z; k++)
                sum += task->Z[i * task->z + k] * V[k * task->z + from + j];
            Z[i * left + j] = sum;
        }
    free(task->Z);
    task->Z = Z;
    task->z = left;
    return true;
}

/* a += Z V y, y[count]. */
static void advance(RbvChoiceTask *task, const double *V, int32_t count, const double *y) {
    for (int32_t i = 0; i < task->p; i++)
        for (int32_t k = 0; k < task->z; k++)
            for (int32_t j = 0; j < count; j++)
                task->a[i] += task->Z[i * task->z + k] * V[k * task->z + j] * y[j];
}

typedef struct Heavy {
    double size;
    int32_t row;
} Heavy;

static int heaviest_first(const void *x, const void *y) {
    const Heavy *a = x, *b = y;
    return a->size != b->size ? (a->size < b->size ? 1 : -1) : a->row - b->row;
}

/* y = argmin 1/2 |A y + r|^2 + h.y for A[m][n] of full column rank, row-major: QR with column pivoting on rows sorted
 * by size, which keeps small rows as exact as large ones (compliances differ by powers of ten). h NULL: none. */
static RbvStatus least_squares(int32_t m, int32_t n, const double *A, const double *r, const double *h, double *y) {
    size_t rows = (size_t)m, columns = (size_t)n;
    double *a = malloc(rows * columns * sizeof *a), *b = malloc(rows * sizeof *b), *tau = malloc(columns * sizeof *tau),
           *w = calloc(columns, sizeof *w);
    Heavy *order = malloc(rows * sizeof *order);
    int32_t *pivot = calloc(columns, sizeof *pivot);
    RbvStatus status = a && b && tau && w && order && pivot ? RBV_OK : RBV_NO_MEMORY;
    for (size_t i = 0; status == RBV_OK && i < rows; i++) {
        order[i] = (Heavy){0, (int32_t)i};
        for (size_t j = 0; j < columns; j++)
            order[i].size = fmax(order[i].size, fabs(A[i * columns + j]));
    }
    if (status == RBV_OK) {
        qsort(order, rows, sizeof *order, heaviest_first);
        for (size_t i = 0; i < rows; i++) {
            for (size_t j = 0; j < columns; j++)
                a[j * rows + i] = A[(size_t)order[i].row * columns + j];
            b[i] = -r[order[i].row];
        }
        status = rbv_lapack_qr_pivoted(m, n, a, pivot, tau);
        if (status == RBV_OK)
            status = rbv_lapack_apply_q_transposed(m, n, a, tau, b);
        bool good = status == RBV_OK;
        for (size_t j = 0; good && j < columns; j++)
            good = fabs(a[j * rows + j]) > 0 && isfinite(a[j * rows + j]);
        /* R^T R y = R^T b - h: w = R^-T h */
        for (size_t j = 0; good && h && j < columns; j++) {
            double sum = h[pivot[j] - 1];
            for (size_t k = 0; k < j; k++)
                sum -= a[j * rows + k] * w[k];
            w[j] = sum / a[j * rows + j];
        }
        for (size_t j = columns; good && j-- > 0;) {
            double sum = b[j] - w[j];
            for (size_t k = j + 1; k < columns; k++)
                sum -= a[k * rows + j] * y[pivot[k] - 1];
            y[pivot[j] - 1] = sum / a[j * rows + j];
        }
        status = good || status != RBV_OK ? status : RBV_NOT_FINITE;
    }
    free(a);
    free(b);
    free(tau);
    free(w);
    free(order);
    free(pivot);
    return status;
}

/* The open directions are a + Z x; V separates those that `plain` sees from the others. */
RbvStatus rbv_choice_minimize(RbvChoiceTask *task, int32_t m, const double *plain, const double *B, const double *r,
                              const double *g) {
    int32_t p = task->p, z = task->z, seen = 0, rows = m > z ? m : z; /* zero rows make the matrix tall */
    size_t zz = (size_t)z * (size_t)z, size = (size_t)rows * (size_t)z;
    if (z == 0 || m == 0)
        return RBV_OK;
    double *Az = calloc(size, sizeof *Az), *BZ = calloc(size, sizeof *BZ), *sigma = malloc((size_t)z * sizeof *sigma),
           *V = malloc(zz * sizeof *V);
    double *left = calloc((size_t)rows, sizeof *left), *h = calloc((size_t)z, sizeof *h),
           *y = calloc((size_t)z, sizeof *y);
    RbvStatus status = Az && BZ && sigma && V && left && h && y ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        restrict_rows(task, m, plain, Az);
        restrict_rows(task, m, B, BZ);
        status = rbv_choice_right_vectors(m, z, Az, sigma, V) ? RBV_OK : RBV_NO_MEMORY;
        while (seen < z && seen < m && sigma[seen] > RBV_ADMISSIBLE)
            seen++;
    }
    if (status == RBV_OK)
        memset(Az, 0, size * sizeof *Az);
    for (int32_t i = 0; status == RBV_OK && i < m; i++) {
        left[i] = r[i];
        for (int32_t k = 0; k < p; k++)
            left[i] += B[i * p + k] * task->a[k];
        for (int32_t j = 0; j < seen; j++)
            for (int32_t k = 0; k < z; k++)
                Az[i * seen + j] += BZ[i * z + k] * V[k * z + j];
    }
    for (int32_t j = 0; status == RBV_OK && g && j < seen; j++)
        for (int32_t i = 0; i < p; i++)
            for (int32_t k = 0; k < z; k++)
                h[j] += g[i] * task->Z[i * z + k] * V[k * z + j];
    if (status == RBV_OK && seen > 0)
        status = least_squares(rows, seen, Az, left, g ? h : NULL, y);
    if (status == RBV_OK) {
        advance(task, V, seen, y);
        status = narrow(task, V, seen) ? RBV_OK : RBV_NO_MEMORY;
    }
    free(Az);
    free(BZ);
    free(sigma);
    free(V);
    free(left);
    free(h);
    free(y);
    return status;
}
