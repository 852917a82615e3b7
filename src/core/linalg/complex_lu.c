/* KLU for complex numbers; see lu.h. KLU reads the matrix by columns; the rows given here are the columns of
 * A^T, so A x = b is its transposed solve. */
#include "core/linalg/lu.h"

#include "core/base/tolerances.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>

struct RbvComplexLu {
    int32_t n;
    int32_t *start, *index; /* owned by the caller */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

RbvComplexLu *rbv_complex_lu_create(int32_t n, const int32_t *start, const int32_t *index) {
    RbvComplexLu *lu = calloc(1, sizeof *lu);
    if (!lu)
        return NULL;
    lu->n = n;
    lu->start = (int32_t *)start; /* KLU only reads them */
    lu->index = (int32_t *)index;
    klu_defaults(&lu->common);
    lu->symbolic = klu_analyze(n, lu->start, lu->index, &lu->common);
    if (lu->symbolic)
        return lu;
    free(lu);
    return NULL;
}

void rbv_complex_lu_forget(RbvComplexLu *lu) {
    if (lu->numeric)
        klu_z_free_numeric(&lu->numeric, &lu->common);
}

void rbv_complex_lu_destroy(RbvComplexLu *lu) {
    if (!lu)
        return;
    rbv_complex_lu_forget(lu);
    klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu);
}

/* Factor with the earlier pivots; false if these have become too small. */
static bool factor_again(RbvComplexLu *lu, double *values) {
    /* Smallest reciprocal pivot growth of factors with earlier pivots: below it more than eight digits are lost, and
     * pivots are chosen again. */
    return klu_z_refactor(lu->start, lu->index, values, lu->symbolic, lu->numeric, &lu->common) &&
           lu->common.status == KLU_OK &&
           klu_z_rgrowth(lu->start, lu->index, values, lu->symbolic, lu->numeric, &lu->common) &&
           lu->common.rgrowth > RBV_ROOT_EPS;
}

bool rbv_complex_lu_factor(RbvComplexLu *lu, const double *values, bool *no_memory) {
    double *entries = (double *)values; /* only read */
    for (int32_t e = 0; e < 2 * lu->start[lu->n]; e++)
        if (!isfinite(values[e]))
            return false;
    if (lu->numeric && factor_again(lu, entries))
        return true;
    rbv_complex_lu_forget(lu);
    lu->numeric = klu_z_factor(lu->start, lu->index, entries, lu->symbolic, &lu->common);
    *no_memory = *no_memory || lu->common.status == KLU_OUT_OF_MEMORY;
    if (lu->numeric && lu->common.status == KLU_OK)
        return true;
    rbv_complex_lu_forget(lu);
    return false;
}

void rbv_complex_lu_solve(RbvComplexLu *lu, double *b) {
    klu_z_tsolve(lu->symbolic, lu->numeric, lu->n, 1, b, 0, &lu->common);
}
