/* Multipliers of yielding rows in natural coordinates; see natural_penalty.h. */
#include "solution/reaction/natural_penalty.h"

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* alpha over the largest mass. Penalty: 1e7 leaves six correct digits, and its rounding, 1e-16 alpha, is still small
 * beside them. Augmented: rounds need less. */
#define PENALTY 1e7
#define AUGMENTED 1e5
/* Most rounds; they have converged when one changes the multipliers by less than this part of the largest. */
#define MOST_ROUNDS 100
#define SETTLED 1e-13

typedef struct Yield {
    int32_t n, m;
    const double *A, *S; /* S = M + A alpha A^T, factored */
    const int32_t *pivot;
    const double *b;
    double alpha, *d, *x; /* [n] the yield, [m] multipliers taken over from round to round */
} Yield;

/* One round: d, and x += alpha A^T d. Returns the largest change; *largest: the largest of x. */
static double take_round(Yield *y, double *largest) {
    double change = 0;
    memcpy(y->d, y->b, (size_t)y->n * sizeof *y->d);
    for (int32_t j = 0; j < y->m; j++)
        for (int32_t i = 0; i < y->n; i++)
            y->d[i] -= y->A[(size_t)j * (size_t)y->n + (size_t)i] * y->x[j];
    rbv_lapack_lu_solve(y->n, y->S, y->pivot, y->d);
    *largest = 0;
    for (int32_t j = 0; j < y->m; j++) {
        double sum = 0;
        for (int32_t i = 0; i < y->n; i++)
            sum += y->A[(size_t)j * (size_t)y->n + (size_t)i] * y->d[i];
        y->x[j] += y->alpha * sum;
        change = fmax(change, fabs(y->alpha * sum));
        *largest = fmax(*largest, fabs(y->x[j]));
    }
    return change;
}

/* Rounds until the change is rounding or no longer halves. Returns their number; *change: the last change. */
static int32_t settle(Yield *y, double *change) {
    double before = INFINITY, largest;
    int32_t rounds = 0;
    for (; rounds < MOST_ROUNDS; rounds++) {
        *change = take_round(y, &largest);
        if (!(*change > SETTLED * largest) || *change > 0.5 * before)
            return rounds + 1;
        before = *change;
    }
    return rounds;
}

/* Factors M + A alpha A^T in M. */
static RbvStatus factor(const Yield *y, double *M, int32_t *pivot) {
    for (int32_t j = 0; j < y->m; j++) {
        const double *a = y->A + (size_t)j * (size_t)y->n;
        for (int32_t c = 0; c < y->n; c++)
            for (int32_t r = 0; r < y->n && a[c] != 0; r++)
                M[(size_t)c * (size_t)y->n + (size_t)r] += y->alpha * a[r] * a[c];
    }
    RbvStatus status = rbv_lapack_lu(y->n, M, pivot);
    return status == RBV_OK || status == RBV_NO_MEMORY ? status : RBV_NOT_FINITE;
}

RbvStatus rbv_natural_yield(int32_t n, int32_t m, const double *A, double *M, const double *b, RbvNaturalSoft soft,
                            double *x, RbvNaturalYield *yield) {
    double mass = 0, largest, change = 0;
    for (int32_t k = 0; k < n; k++)
        mass = fmax(mass, M[(size_t)k * (size_t)n + (size_t)k]);
    *yield = (RbvNaturalYield){.found = true, .augmented = soft.augmented, .rounds = 1};
    yield->alpha = !isnan(soft.given) ? soft.given : (soft.augmented ? AUGMENTED : PENALTY) * (mass > 0 ? mass : 1);
    int32_t *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    double *room = calloc((size_t)n + 2 * (size_t)m + 1, sizeof *room);
    Yield y = {.n = n, .m = m, .A = A, .S = M, .pivot = pivot, .b = b, .alpha = yield->alpha};
    RbvStatus status = pivot && room ? factor(&y, M, pivot) : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        y.d = room, y.x = room + n;
        take_round(&y, &largest);
        memcpy(x, y.x, (size_t)m * sizeof *x);
        int32_t rounds = settle(&y, &change);
        for (int32_t j = 0; j < m; j++) {
            yield->error = soft.augmented ? change : fmax(yield->error, fabs(y.x[j] - x[j]));
            x[j] = soft.augmented ? y.x[j] : x[j];
        }
        yield->rounds = soft.augmented ? rounds + 1 : 1;
    }
    free(pivot);
    free(room);
    return status;
}
