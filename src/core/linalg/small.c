/* Gauss-Jordan elimination of an augmented matrix, eigenvalues of a symmetric 3x3 matrix in closed form; see small.h.
 */
#include "core/linalg/small.h"

#include <math.h>

bool rbv_small_solve(double *A, int32_t n, double least) {
    int32_t w = n + 1;
    for (int32_t s = 0; s < n; s++) {
        int32_t pivot = s;
        for (int32_t i = s + 1; i < n; i++)
            pivot = fabs(A[i * w + s]) > fabs(A[pivot * w + s]) ? i : pivot;
        if (!(fabs(A[pivot * w + s]) > least))
            return false;
        for (int32_t j = 0; j < w && pivot != s; j++) {
            double swap = A[s * w + j];
            A[s * w + j] = A[pivot * w + j], A[pivot * w + j] = swap;
        }
        for (int32_t i = 0; i < n; i++) {
            double factor = i == s ? 0 : A[i * w + s] / A[s * w + s];
            for (int32_t j = s; j < w && factor != 0; j++)
                A[i * w + j] -= factor * A[s * w + j];
        }
    }
    for (int32_t s = 0; s < n; s++)
        A[s * w + n] /= A[s * w + s];
    return true;
}

/* Eigenvalues q + 2 p cos((phi + 2 pi k)/3): q a third of the trace, p and phi from the deviator. */
void rbv_small_eigenvalues(const double J[6], double out[3]) {
    double mean = (J[0] + J[1] + J[2]) / 3, xx = J[0] - mean, yy = J[1] - mean, zz = J[2] - mean, xy = J[3], xz = J[4],
           yz = J[5];
    double p = sqrt((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    double phi = p > 0 ? acos(fmin(fmax(det / (2 * p * p * p), -1), 1)) / 3 : 0;
    for (int k = 0; k < 3; k++)
        out[k] = mean + 2 * p * cos(phi + (k + 1) * 2.0943951023931953);
}
