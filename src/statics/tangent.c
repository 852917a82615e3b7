/* Null space of C; see tangent.h. */
#include "statics/tangent.h"

#include "core/solve/rank.h"

#include <stdlib.h>
#include <string.h>

double *rbv_tangent_motions(const RbvBalance *b, bool by_qr, bool nearly, int32_t *count, bool *safe) {
    size_t n = (size_t)b->n, m = (size_t)b->rows;
    double *Ct = calloc(n * m + 1, sizeof *Ct), *N = calloc(n * n + 1, sizeof *N);
    RbvRank rank = {.safe = true};
    bool good = Ct && N;
    for (size_t i = 0; good && m == 0 && i < n; i++)
        N[i * n + i] = 1;
    for (int32_t k = 0; good && k < b->rows; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            Ct[(size_t)b->system->C.column[e] * m + (size_t)k] = b->C[e];
    if (good && m > 0)
        good = (by_qr ? rbv_rank_qr : rbv_rank_svd)(b->n, b->rows, Ct, &rank, N) == RBV_OK;
    free(Ct);
    size_t columns = n - (size_t)rank.certain, f = n - (size_t)(nearly ? rank.certain : rank.rank);
    for (size_t i = 0; good && i < n; i++) /* the last f of each row */
        memmove(N + i * f, N + (i + 1) * columns - f, f * sizeof *N);
    *count = (int32_t)f;
    *safe = rank.safe;
    if (good)
        return N;
    free(N);
    return NULL;
}
