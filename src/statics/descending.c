/* Step |T|^-1 Psi by eigenvalues, and T^-1 Psi by singular values; see descending.h. */
#include "statics/descending.h"

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_descending_step(int32_t f, double *T, const double *psi, double least, double kappa, double *value,
                         double *dz) {
    for (int32_t i = 0; i < f; i++)
        for (int32_t j = 0; j < i; j++)
            T[i * f + j] = T[j * f + i] = 0.5 * (T[i * f + j] + T[j * f + i]);
    if (rbv_lapack_eigen_symmetric(f, T, value) != RBV_OK)
        return false;
    double largest = fmax(fmax(fabs(value[0]), fabs(value[f - 1])), least * kappa);
    memset(dz, 0, (size_t)f * sizeof *dz);
    for (int32_t k = 0; k < f; k++) {
        double part = 0, stiffness = fmax(fabs(value[k]), least * largest);
        for (int32_t i = 0; i < f; i++)
            part += T[i * f + k] * psi[i];
        for (int32_t i = 0; i < f; i++)
            dz[i] += T[i * f + k] * part / stiffness;
    }
    return true;
}

bool rbv_regular_step(int32_t f, double *T, const double *psi, double least, double *dz) {
    size_t n = (size_t)f;
    double *u = malloc((2 * n * n + n + 1) * sizeof *u), *vt = u + n * n, *sigma = vt + n * n;
    bool good = u && rbv_lapack_svd('A', f, f, T, sigma, u, vt) == RBV_OK;
    memset(dz, 0, n * sizeof *dz);
    for (size_t k = 0; good && k < n && sigma[0] > 0; k++) {
        double part = 0;
        for (size_t i = 0; i < n; i++)
            part += vt[i * n + k] * psi[i]; /* column-major storage: T^T = U S V^T */
        for (size_t i = 0; i < n; i++)
            dz[i] += u[k * n + i] * part / fmax(sigma[k], least * sigma[0]);
    }
    free(u);
    return good;
}
