/* Gauss and Jordan on an augmented matrix; see small.h. */
#include "linalg/small.h"

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
