/* Finds an equilibrium at which the energy is a maximum along k motions (its index) and a minimum along all others: a
 * minimum for k = 0, a saddle, a maximum. Steps follow eigenvectors (Cerjan and Miller, 1981):
 *
 *   N^T K N u_i = mu_i u_i, mu ascending,   y = N sum_i (i < k ? 1 : -1) (u_i.N^T g) / |mu_i| u_i,
 * uphill along the k motions of least curvature, downhill along the others, projected to Phi = 0 after each. Near an
 * equilibrium of that index y is the step of Newton's method. No function decreases by which a step could be accepted:
 * a step that turns back halves the longest that may follow. Newton's method ends the search. */
#include "statics/equilibrium.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"
#include "statics/balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INDEX_STEPS 80
/* Lengths of a step [rad, sizes]: the longest; factors after a good and a bad step; the least, where steps run in
 * circles. */
#define LONGEST 0.5
#define LONGER 1.5
#define SHORTER 0.5
#define SHORTEST 1e-4

typedef struct Modes {
    RbvEquilibriumSearch *search;
    int32_t f;
    double *N;                /* [n][f] orthonormal motions */
    double *A, *value, *part; /* [n][n] eigenvectors in columns; [n] curvatures, which owns the memory of the others but
                                 N; [n] gradient along the eigenvectors */
    double *before;           /* [n] the previous step */
} Modes;

static bool create_modes(Modes *m, RbvEquilibriumSearch *search) {
    size_t n = (size_t)search->balance->n;
    *m = (Modes){.search = search};
    m->value = calloc(3 * n + n * n + 1, sizeof *m->value);
    if (!m->value)
        return false;
    m->part = m->value + n;
    m->before = m->part + n;
    m->A = m->before + n;
    return true;
}

static void destroy_modes(Modes *m) {
    free(m->N);
    free(m->value);
}

/* N at the evaluated state. False: its rank is unsure, nothing moves, or out of memory. */
static bool find_motions(Modes *m) {
    RbvBalance *b = m->search->balance;
    bool safe;
    free(m->N);
    m->N = rbv_tangent_motions(b, true, false, &m->f, &safe);
    if (!m->N)
        b->state->no_memory = true;
    return m->N && safe && m->f > 0;
}

/* A = N^T K N, its eigenvectors, and N^T g in them. */
static bool find_curvatures(Modes *m) {
    RbvBalance *b = m->search->balance;
    double *x = m->search->y;
    int32_t f = m->f;
    rbv_balance_fill_stiffness(b);
    for (int32_t c = 0; c < f; c++) {
        for (int32_t i = 0; i < b->n; i++)
            x[i] = m->N[i * f + c];
        rbv_balance_stiffness(b, x, b->K_y);
        for (int32_t r = 0; r < f; r++) {
            m->A[r * f + c] = 0;
            for (int32_t i = 0; i < b->n; i++)
                m->A[r * f + c] += m->N[i * f + r] * b->K_y[i];
        }
    }
    for (int32_t r = 0; r < f; r++)
        for (int32_t c = 0; c < r; c++)
            m->A[r * f + c] = m->A[c * f + r] = 0.5 * (m->A[r * f + c] + m->A[c * f + r]);
    if (rbv_lapack_eigen_symmetric(f, m->A, m->value) != RBV_OK)
        return false;
    for (int32_t k = 0; k < f; k++) {
        m->part[k] = 0;
        for (int32_t r = 0; r < f; r++)
            for (int32_t i = 0; i < b->n; i++)
                m->part[k] += m->A[r * f + k] * m->N[i * f + r] * b->gradient[i];
    }
    return true;
}

/* search->y: the step y. False: none. */
static bool find_index_step(Modes *m) {
    RbvEquilibriumSearch *search = m->search;
    const RbvBalance *b = search->balance;
    int32_t f;
    if (!rbv_balance_multipliers(search->balance) || !find_motions(m) || m->f < search->index || !find_curvatures(m))
        return false;
    search->freedoms = f = m->f;
    /* Part of the largest curvature: a smaller one counts as this. */
    double least = RBV_SAME * fmax(fabs(m->value[0]), fabs(m->value[f - 1]));
    memset(search->y, 0, (size_t)b->n * sizeof *search->y);
    for (int32_t k = 0; k < f && least > 0; k++) {
        double along = (k < search->index ? 1 : -1) * m->part[k] / fmax(fabs(m->value[k]), least);
        for (int32_t r = 0; r < f; r++)
            for (int32_t i = 0; i < b->n; i++)
                search->y[i] += along * m->A[r * f + k] * m->N[i * f + r];
    }
    return least > 0;
}

/* Moves by y times `part`, projected to Phi = 0. */
static bool take_index_step(Modes *m, double part) {
    RbvBalance *b = m->search->balance;
    rbv_balance_store(b);
    rbv_balance_move(b, m->search->y, part);
    if (rbv_balance_project(b)) {
        rbv_state_accept(b->state);
        return true;
    }
    rbv_balance_restore(b);
    rbv_balance_evaluate(b);
    return false;
}

static RbvStatus follow_eigenvectors(Modes *m) {
    RbvEquilibriumSearch *search = m->search;
    RbvBalance *b = search->balance;
    double longest = LONGEST;
    for (int count = 0; count < MOST_INDEX_STEPS && longest > SHORTEST; count++) {
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (!find_index_step(m))
            break;
        /* A shorter step is left to Newton's method [rad, sizes]. */
        if (rbv_balance_limit(b, search->y, RBV_NOTICEABLE, RBV_NOTICEABLE) >= 1)
            return rbv_equilibrium_newton(search, "by index");
        longest = fmin(LONGEST, longest * (rbv_balance_dot(b, search->y, m->before) < 0 ? SHORTER : LONGER));
        if (!take_index_step(m, rbv_balance_limit(b, search->y, longest, longest)))
            longest *= SHORTER;
        memcpy(m->before, search->y, (size_t)b->n * sizeof *m->before);
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_fail(search, "the steps to an equilibrium of given index end nowhere%s", "");
}

RbvStatus rbv_equilibrium_by_index(RbvEquilibriumSearch *search) {
    Modes m;
    RbvStatus status = create_modes(&m, search) ? follow_eigenvectors(&m) : RBV_NO_MEMORY;
    destroy_modes(&m);
    return status;
}
