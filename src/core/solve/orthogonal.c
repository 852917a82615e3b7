/* Reflections from the right: P A = [L 0] H_r ... H_1, H_k = 1 - tau v v^T with v_k = 1; see orthogonal.h.
 *
 * The next row is the remaining one with the largest part outside the rows before, so that dependent rows stand last.
 * Then L y = P b, and x = H_1 ... H_r [y; 0] is of least norm. Columns are exchanged so that a row is reflected to one
 * of its own unknowns: uncoupled unknowns stay uncoupled to the last digit.
 */
#include "core/solve/orthogonal.h"

#include <math.h>

static double *row_of(double *A, int32_t n, int32_t i) {
    return A + (int64_t)i * n;
}

static void swap_rows(int32_t n, double *A, int32_t *order, int32_t i, int32_t k) {
    double *a = row_of(A, n, i), *b = row_of(A, n, k);
    for (int32_t j = 0; i != k && j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
    int32_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

/* The row from k on with the largest norm over columns k ...; *size: its norm, NaN where a number is not finite. */
static int32_t longest(int32_t m, int32_t n, double *A, int32_t k, double *size) {
    int32_t best = k;
    *size = -1;
    for (int32_t i = k; i < m; i++) {
        const double *a = row_of(A, n, i);
        double sum = 0;
        for (int32_t j = k; j < n; j++)
            sum += a[j] * a[j];
        if (!isfinite(sum)) {
            *size = NAN;
            return k;
        }
        if (sum > *size) {
            *size = sum;
            best = i;
        }
    }
    *size = sqrt(*size);
    return best;
}

/* Move the largest entry of row k, from column k on, to column k. */
static void swap_columns(int32_t m, int32_t n, double *A, int32_t *unknown, int32_t k) {
    const double *a = row_of(A, n, k);
    int32_t best = k;
    for (int32_t j = k + 1; j < n; j++)
        best = fabs(a[j]) > fabs(a[best]) ? j : best;
    for (int32_t i = 0; best != k && i < m; i++) {
        double *of = row_of(A, n, i), kept = of[k];
        of[k] = of[best];
        of[best] = kept;
    }
    int32_t kept = unknown[k];
    unknown[k] = unknown[best];
    unknown[best] = kept;
}

/* Reflect row k to (size, 0 ...), and the rows below it; v is stored behind the diagonal. Returns tau. */
static double reflect(int32_t m, int32_t n, double *A, int32_t k, double size) {
    double *v = row_of(A, n, k);
    double alpha = v[k] > 0 ? -size : size, first = v[k] - alpha, tau = -first / alpha;
    for (int32_t j = k + 1; j < n; j++)
        v[j] /= first;
    v[k] = alpha;
    for (int32_t i = k + 1; i < m; i++) {
        double *a = row_of(A, n, i), sum = a[k];
        for (int32_t j = k + 1; j < n; j++)
            sum += a[j] * v[j];
        sum *= tau;
        a[k] -= sum;
        for (int32_t j = k + 1; j < n; j++)
            a[j] -= sum * v[j];
    }
    return tau;
}

int32_t rbv_orthogonal_factor(int32_t m, int32_t n, double *A, int32_t *order, int32_t *unknown, double *tau) {
    double first = 0;
    for (int32_t j = 0; j < n; j++)
        unknown[j] = j;
    for (int32_t k = 0; k < m; k++)
        order[k] = k;
    for (int32_t k = 0; k < m && k < n; k++) {
        double size;
        int32_t best = longest(m, n, A, k, &size);
        if (isnan(size))
            return -1;
        first = k == 0 ? size : first;
        if (!(size > RBV_DEPENDENT_ROW * first))
            return k;
        swap_rows(n, A, order, best, k);
        swap_columns(m, n, A, unknown, k);
        tau[k] = reflect(m, n, A, k, size);
    }
    return m < n ? m : n;
}

void rbv_orthogonal_solve(int32_t n, int32_t rank, const double *A, const int32_t *order, const int32_t *unknown,
                          const double *tau, const double *b, double *work, double *x) {
    for (int32_t k = 0; k < n; k++) {
        const double *a = A + (int64_t)k * n;
        work[k] = k < rank ? b[order[k]] : 0;
        for (int32_t j = 0; k < rank && j < k; j++)
            work[k] -= a[j] * work[j];
        work[k] /= k < rank ? a[k] : 1;
    }
    for (int32_t k = rank - 1; k >= 0; k--) {
        const double *v = A + (int64_t)k * n;
        double sum = work[k];
        for (int32_t j = k + 1; j < n; j++)
            sum += v[j] * work[j];
        sum *= tau[k];
        work[k] -= sum;
        for (int32_t j = k + 1; j < n; j++)
            work[j] -= sum * v[j];
    }
    for (int32_t k = 0; k < n; k++)
        x[unknown[k]] = work[k];
}
