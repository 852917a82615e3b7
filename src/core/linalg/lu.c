/* LU dense, by a plan and by KLU behind one interface; see lu.h.
 *
 * Dense: P A = L U by rows with partial pivoting, L unit lower. Sparse: KLU reads the matrix by columns; the rows given
 * here are the columns of A^T, so A x = b is KLU's transposed solve. */
#include "core/linalg/lu.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/linalg/pattern.h"
#include "core/linalg/planned_lu.h"

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smallest reciprocal pivot growth of a refactorisation: below it more than eight digits are lost, and pivots are
 * chosen again. The limit is then lowered to FRESH_GROWTH times the growth of the fresh pivots, if that is smaller. */
#define FRESH_GROWTH 0.01
/* Reciprocal pivot growth below which pivots, mostly chosen for other values, have lost digits: each solution is then
 * refined, x += A^-1 (b - A x), which restores them (Skeel 1980: one step in working precision makes a solution as good
 * as one by the best pivots, as long as growth is far above rounding). New pivoting would allocate. */
#define REFINE_GROWTH 1e-2

/* Work limit of the search for a transversal, in multiples of the number of entries: little work is needed if joints
 * are ordered. */
#define SEARCH_WORK 20
/* Smallest pivot relative to the largest entry of its column if the transversal is structural only (KLU's own value:
 * 0.001). */
#define MATCHED_PIVOT 0.1

/* Factors of more than this multiple of the promised entries: another order is tried. */
#define FILLED 2

struct RbvLu {
    int32_t n;
    int sign;
    int32_t repivots;
    double worst_growth; /* limit of reciprocal pivot growth of a refactorisation */
    bool refine;         /* solutions need a step of refinement */
    const int32_t *start, *index;
    int32_t *own_start, *own_index; /* start and index if owned, to be freed; NULL: lent */
    double *values;                 /* [nnz]; NULL: lent, and not needed after a factorisation so far */
    RbvPlannedLu *planned;          /* of rbv_lu_create_planned; NULL: one of the others */
    /* dense: */
    double *a;       /* [n][n] factors, row-major */
    int32_t *order;  /* [n] row order */
    double *scratch; /* [n], sparse: [2n] */
    /* sparse: */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    bool by_columns;          /* another order of the columns was tried */
    int32_t *match;           /* [n] for each row the entry, as given, that is stored first; NULL: order as given */
    struct RbvLuUnits *units; /* from rbv_lu_open_units; NULL: not requested, or dense */
};

/* KLU's factors by columns, P R^-1 A^T Q = L U + F: diagonal blocks one after the other, F between them. */
typedef struct RbvLuUnits {
    int32_t lower, upper, off;                             /* numbers of entries allocated */
    int32_t *Lp, *Li, *Up, *Ui, *Fp, *Fi, *P, *Q, *R, *at; /* at[n]: position of each row in Q */
    double *Lx, *Ux, *Fx, *Rs, *X;                         /* X[n]: zero between solutions */
    bool *reached;                                         /* [blocks] */
} RbvLuUnits;

static void destroy_units(RbvLu *lu) {
    RbvLuUnits *u = lu->units;
    if (!u)
        return;
    void *const parts[] = {u->Lp, u->Li, u->Up, u->Ui, u->Fp, u->Fi, u->P, u->Q,
                           u->R,  u->at, u->Lx, u->Ux, u->Fx, u->Rs, u->X, u->reached};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(u);
    lu->units = NULL;
}

/* Allocate own memory for the entries. False: out of memory. */
static bool own_values(RbvLu *lu) {
    if (!lu->values)
        lu->values = malloc(((size_t)lu->start[lu->n] + 1) * sizeof *lu->values);
    return lu->values != NULL;
}

/* Copy a lent pattern. False: out of memory. */
static bool own_pattern(RbvLu *lu) {
    if (lu->own_start)
        return true;
    size_t n = (size_t)lu->n, nonzeros = (size_t)lu->start[lu->n];
    lu->own_start = malloc((n + 1) * sizeof *lu->own_start);
    lu->own_index = malloc((nonzeros + 1) * sizeof *lu->own_index);
    if (!lu->own_start || !lu->own_index)
        return false;
    memcpy(lu->own_start, lu->start, (n + 1) * sizeof *lu->start);
    memcpy(lu->own_index, lu->index, nonzeros * sizeof *lu->index);
    lu->start = lu->own_start;
    lu->index = lu->own_index;
    return true;
}

/* Find a matching in linear time, and put the matched entry of each row first, where KLU looks first. False: out of
 * memory. */
static bool put_match_first(RbvLu *lu) {
    lu->match = malloc(((size_t)lu->n + 1) * sizeof *lu->match);
    if (!lu->match || !own_pattern(lu) || !rbv_match_rows(lu->n, lu->start, lu->index, lu->match))
        return false;
    for (int32_t i = 0; i < lu->n; i++) {
        int32_t first = lu->start[i];
        if (lu->match[i] < 0)
            lu->match[i] = first;
        if (lu->match[i] == first)
            continue;
        int32_t keep = lu->own_index[first];
        lu->own_index[first] = lu->index[lu->match[i]];
        lu->own_index[lu->match[i]] = keep;
    }
    return true;
}

/* Symbolic analysis. KLU begins with a maximum transversal: for each row it takes the first entry whose column is still
 * free, else it searches, which in a long chain takes a time proportional to the square of its length. A search that
 * takes too long is stopped and repeated from a matching. The matching is structural only, so pivots are chosen more
 * carefully then. A pattern without a full transversal is singular for all values; factoring reports it. False: out of
 * memory. */
static bool analyze(RbvLu *lu) {
    klu_defaults(&lu->common);
    lu->common.maxwork = SEARCH_WORK;
    lu->symbolic = klu_analyze(lu->n, (int32_t *)lu->start, (int32_t *)lu->index, &lu->common);
    if (!(lu->common.work < 0) || lu->common.status == KLU_OUT_OF_MEMORY)
        return lu->symbolic || lu->common.status != KLU_OUT_OF_MEMORY;
    if (lu->symbolic)
        klu_free_symbolic(&lu->symbolic, &lu->common);
    const int32_t *start = lu->start, *index = lu->index;
    bool lent = !lu->own_start;
    if (!put_match_first(lu))
        return false;
    klu_defaults(&lu->common);
    lu->common.tol = MATCHED_PIVOT;
    lu->symbolic = klu_analyze(lu->n, (int32_t *)lu->start, (int32_t *)lu->index, &lu->common);
    if (lent) { /* only the search needs the order of entries */
        free(lu->match);
        free(lu->own_start);
        free(lu->own_index);
        lu->match = lu->own_start = lu->own_index = NULL;
        lu->start = start;
        lu->index = index;
    }
    return lu->symbolic || lu->common.status != KLU_OUT_OF_MEMORY;
}

RbvLu *rbv_lu_create_lent(int32_t n, const int32_t *start, const int32_t *index) {
    RbvLu *lu = calloc(1, sizeof *lu);
    if (!lu)
        return NULL;
    lu->n = n;
    lu->start = start;
    lu->index = index;
    lu->scratch = malloc((2 * (size_t)n + 1) * sizeof *lu->scratch);
    if (lu->scratch && analyze(lu))
        return lu;
    rbv_lu_destroy(lu);
    return NULL;
}

static RbvLu *create(int32_t n, const int32_t *start, const int32_t *index, bool planned) {
    RbvLu *lu = calloc(1, sizeof *lu);
    if (!lu)
        return NULL;
    int32_t nonzeros = n > 0 ? start[n] : 0;
    lu->n = n;
    lu->start = lu->own_start = malloc(((size_t)n + 1) * sizeof *lu->start);
    bool dense = n <= RBV_LU_DENSE_LIMIT && !planned;
    size_t entries = (dense || planned ? (size_t)n * (size_t)n : 0) + (size_t)nonzeros +
                     1; /* memory for any pattern of a small matrix */
    lu->index = lu->own_index = malloc(entries * sizeof *lu->index);
    lu->values = malloc(entries * sizeof *lu->values);
    lu->scratch = malloc((2 * (size_t)n + 1) * sizeof *lu->scratch);
    if (dense) {
        lu->a = malloc(((size_t)n * (size_t)n + 1) * sizeof *lu->a);
        lu->order = malloc(((size_t)n + 1) * sizeof *lu->order);
    }
    if (planned)
        lu->planned = rbv_planned_lu_create(n, (int32_t)entries);
    if (!lu->start || !lu->index || !lu->values || !lu->scratch || (dense && (!lu->a || !lu->order)) ||
        (planned && !lu->planned)) {
        rbv_lu_destroy(lu);
        return NULL;
    }
    lu->own_start[0] = 0;
    if (n > 0) {
        memcpy(lu->own_start, start, ((size_t)n + 1) * sizeof *start);
        memcpy(lu->own_index, index, (size_t)nonzeros * sizeof *index);
    }
    if (planned) {
        rbv_planned_lu_take(lu->planned, lu->start, lu->index);
    } else if (!dense && !analyze(lu)) {
        rbv_lu_destroy(lu);
        return NULL;
    }
    return lu;
}

RbvLu *rbv_lu_create(int32_t n, const int32_t *start, const int32_t *index) {
    return create(n, start, index, false);
}

RbvLu *rbv_lu_create_planned(int32_t n, const int32_t *start, const int32_t *index) {
    return create(n, start, index, n <= RBV_LU_PLANNED_LIMIT);
}

double *rbv_lu_entries(RbvLu *lu) {
    return lu->values;
}

bool rbv_lu_take_pattern(RbvLu *lu, const int32_t *start, const int32_t *index) {
    if ((!lu->a && !lu->planned) || start[lu->n] > lu->n * lu->n)
        return false;
    memcpy(lu->own_start, start, ((size_t)lu->n + 1) * sizeof *start);
    memcpy(lu->own_index, index, (size_t)start[lu->n] * sizeof *index);
    if (lu->planned)
        rbv_planned_lu_take(lu->planned, lu->start, lu->index);
    return true;
}

void rbv_lu_destroy(RbvLu *lu) {
    if (!lu)
        return;
    destroy_units(lu);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic)
        klu_free_symbolic(&lu->symbolic, &lu->common);
    free(lu->own_start);
    free(lu->own_index);
    rbv_planned_lu_destroy(lu->planned);
    free(lu->a);
    free(lu->order);
    free(lu->scratch);
    free(lu->values);
    free(lu->match);
    free(lu);
}

static bool factor_dense(RbvLu *lu, const double *values) {
    int32_t n = lu->n;
    double *a = lu->a;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int32_t i = 0; i < n; i++) {
        lu->order[i] = i;
        for (int32_t k = lu->start[i]; k < lu->start[i + 1]; k++) {
            if (!isfinite(values[k]))
                return false;
            a[i * n + lu->index[k]] += values[k];
        }
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t pivot = k;
        double best = fabs(a[k * n + k]);
        for (int32_t i = k + 1; i < n; i++) {
            double size = fabs(a[i * n + k]);
            if (size > best) {
                best = size;
                pivot = i;
            }
        }
        if (!(best > 0) || !isfinite(best))
            return false;
        if (pivot != k) {
            for (int32_t j = 0; j < n; j++) {
                double swap = a[k * n + j];
                a[k * n + j] = a[pivot * n + j];
                a[pivot * n + j] = swap;
            }
            int32_t row = lu->order[k];
            lu->order[k] = lu->order[pivot];
            lu->order[pivot] = row;
            lu->sign = -lu->sign;
        }
        if (a[k * n + k] < 0)
            lu->sign = -lu->sign;
        double inverse = 1 / a[k * n + k];
        const double *row_k = a + k * n;
        for (int32_t i = k + 1; i < n; i++) {
            double *row_i = a + i * n;
            if (row_i[k] == 0)
                continue;
            double factor = row_i[k] *= inverse;
            for (int32_t j = k + 1; j < n; j++)
                row_i[j] -= factor * row_k[j];
        }
    }
    return true;
}

/* The entries in the order of the pattern, matched ones first; copied if there is own memory. */
static double *take_values(RbvLu *lu, const double *values) {
    if (!lu->values)
        return (double *)values; /* KLU only reads them */
    if (lu->values != values)
        memcpy(lu->values, values, (size_t)lu->start[lu->n] * sizeof *values);
    for (int32_t i = 0; lu->match && i < lu->n; i++) {
        int32_t first = lu->start[i], match = lu->match[i];
        if (match == first)
            continue;
        double value = lu->values[first];
        lu->values[first] = lu->values[match];
        lu->values[match] = value;
    }
    return lu->values;
}

/* Order of the columns for pivots in any row (COLAMD), tried once where the factors have much more entries than the
 * order of a symmetric pattern (AMD) promised: there pivots have left the diagonal, as in [M C^T; C 0] where M has no
 * inverse of its own. The smaller factors stay. Without memory all stays as it is. */
static void try_columns(RbvLu *lu, int32_t *start, int32_t *index, double *entries) {
    double promised = lu->symbolic->lnz + lu->symbolic->unz, got = (double)lu->numeric->lnz + lu->numeric->unz;
    if (lu->by_columns || !(got > FILLED * promised))
        return;
    klu_common common = lu->common;
    common.ordering = 1;
    lu->by_columns = true;
    klu_symbolic *symbolic = klu_analyze(lu->n, start, index, &common);
    klu_numeric *numeric = symbolic ? klu_factor(start, index, entries, symbolic, &common) : NULL;
    bool better = numeric && common.status == KLU_OK && (double)numeric->lnz + numeric->unz < got;
    klu_symbolic *left = better ? lu->symbolic : symbolic;
    klu_numeric *gone = better ? lu->numeric : numeric;
    if (better) {
        lu->symbolic = symbolic;
        lu->numeric = numeric;
        lu->common = common;
    }
    if (gone)
        klu_free_numeric(&gone, &common);
    if (left)
        klu_free_symbolic(&left, &common);
}

static bool factor_sparse(RbvLu *lu, const double *values, bool *no_memory) {
    int32_t n = lu->n, *start = (int32_t *)lu->start, *index = (int32_t *)lu->index; /* KLU only reads them */
    for (int32_t k = 0; k < start[n]; k++)
        if (!isfinite(values[k]))
            return false;
    double *entries = take_values(lu, values);
    if (!lu->symbolic)
        return false;
    bool good = false;
    if (lu->numeric) {
        good = klu_refactor(start, index, entries, lu->symbolic, lu->numeric, &lu->common) &&
               lu->common.status == KLU_OK &&
               klu_rgrowth(start, index, entries, lu->symbolic, lu->numeric, &lu->common) &&
               lu->common.rgrowth > lu->worst_growth;
        if (!good) {
            klu_free_numeric(&lu->numeric, &lu->common);
            lu->repivots++;
        }
    }
    if (!good) {
        lu->numeric = klu_factor(start, index, entries, lu->symbolic, &lu->common);
        if (!lu->numeric || lu->common.status != KLU_OK) {
            *no_memory = *no_memory || lu->common.status == KLU_OUT_OF_MEMORY;
            if (lu->numeric)
                klu_free_numeric(&lu->numeric, &lu->common);
            return false;
        }
        try_columns(lu, start, index, entries);
        bool known = klu_rgrowth(start, index, entries, lu->symbolic, lu->numeric, &lu->common);
        lu->worst_growth = known ? rbv_min(RBV_ROOT_EPS, FRESH_GROWTH * lu->common.rgrowth) : 0;
        lu->common.rgrowth = known ? lu->common.rgrowth : 0;
    }
    lu->refine = lu->common.rgrowth < REFINE_GROWTH;
    if (lu->refine && !lu->values) { /* refinement needs the entries */
        if (!own_values(lu)) {
            *no_memory = true;
            return false;
        }
        take_values(lu, values);
    }
    const double *diagonal = lu->numeric->Udiag;
    bool regular = true;
    for (int32_t k = 0; k < n; k++) {
        regular = regular && fabs(diagonal[k]) > 0;
        if (diagonal[k] < 0)
            lu->sign = -lu->sign;
    }
    lu->sign *= rbv_permutation_sign(n, lu->numeric->Pnum, lu->scratch);
    lu->sign *= rbv_permutation_sign(n, lu->symbolic->Q, lu->scratch);
    return regular;
}

void rbv_lu_forget(RbvLu *lu) {
    if (lu->planned)
        rbv_planned_lu_take(lu->planned, lu->start, lu->index);
    if (lu->numeric)
        klu_free_numeric(&lu->numeric, &lu->common);
}

bool rbv_lu_factor(RbvLu *lu, const double *values, bool *no_memory) {
    if (lu->planned)
        return rbv_planned_lu_factor(lu->planned, values, no_memory);
    lu->sign = 1;
    bool good = lu->a ? factor_dense(lu, values) : factor_sparse(lu, values, no_memory);
    if (!good)
        lu->sign = 0;
    return good;
}

/* KLU has the rows as columns, so A x = b is its transposed solve. */
static void solve_factored(RbvLu *lu, bool transposed, double *b) {
    if (transposed)
        klu_solve(lu->symbolic, lu->numeric, lu->n, 1, b, &lu->common);
    else
        klu_tsolve(lu->symbolic, lu->numeric, lu->n, 1, b, &lu->common);
}

/* b := A^-1 b or A^-T b, refined once if pivots are stale: r = b - A x, x += A^-1 r. */
static void solve_sparse(RbvLu *lu, bool transposed, double *b) {
    int32_t n = lu->n;
    if (!lu->refine) {
        solve_factored(lu, transposed, b);
        return;
    }
    double *r = lu->scratch, *x = lu->scratch + n;
    memcpy(r, b, (size_t)n * sizeof *r);
    memcpy(x, b, (size_t)n * sizeof *x);
    solve_factored(lu, transposed, x);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = lu->start[i]; k < lu->start[i + 1]; k++) {
            if (transposed)
                r[lu->index[k]] -= lu->values[k] * x[i];
            else
                r[i] -= lu->values[k] * x[lu->index[k]];
        }
    solve_factored(lu, transposed, r);
    for (int32_t i = 0; i < n; i++)
        b[i] = x[i] + r[i];
}

void rbv_lu_solve(RbvLu *lu, double *b) {
    int32_t n = lu->n;
    if (!lu->a) {
        if (lu->planned)
            rbv_planned_lu_solve(lu->planned, b);
        else
            solve_sparse(lu, false, b);
        return;
    }
    double *x = lu->scratch;
    const double *a = lu->a;
    for (int32_t i = 0; i < n; i++) {
        double sum = b[lu->order[i]];
        for (int32_t j = 0; j < i; j++)
            sum -= a[i * n + j] * x[j];
        x[i] = sum;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int32_t j = i + 1; j < n; j++)
            sum -= a[i * n + j] * b[j];
        b[i] = sum / a[i * n + i];
    }
}

void rbv_lu_solve_transposed(RbvLu *lu, double *b) {
    int32_t n = lu->n;
    if (!lu->a) {
        if (lu->planned)
            rbv_planned_lu_solve_transposed(lu->planned, b);
        else
            solve_sparse(lu, true, b);
        return;
    }
    double *x = lu->scratch; /* U^T x = b, then L^T y = x, then b = P^T y */
    const double *a = lu->a;
    for (int32_t i = 0; i < n; i++)
        x[i] = b[i];
    for (int32_t i = 0; i < n; i++) {
        double value = x[i] /= a[i * n + i];
        for (int32_t j = i + 1; j < n; j++)
            x[j] -= a[i * n + j] * value;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        double value = x[i];
        for (int32_t j = 0; j < i; j++)
            x[j] -= a[i * n + j] * value;
    }
    for (int32_t i = 0; i < n; i++)
        b[lu->order[i]] = x[i];
}

/* Allocate memory for the entries of KLU's factors. */
static bool reserve_units(RbvLu *lu) {
    const klu_numeric *numeric = lu->numeric;
    RbvLuUnits *u = lu->units;
    if (u && u->lower >= numeric->lnz && u->upper >= numeric->unz && u->off >= numeric->nzoff)
        return true;
    destroy_units(lu);
    u = lu->units = calloc(1, sizeof *u);
    if (!u)
        return false;
    size_t n = (size_t)lu->n + 1, lower = (size_t)numeric->lnz + 1, upper = (size_t)numeric->unz + 1,
           off = (size_t)numeric->nzoff + 1;
    *u = (RbvLuUnits){.lower = numeric->lnz,
                      .upper = numeric->unz,
                      .off = numeric->nzoff,
                      .Lp = malloc(n * sizeof(int32_t)),
                      .Up = malloc(n * sizeof(int32_t)),
                      .Fp = malloc(n * sizeof(int32_t)),
                      .P = malloc(n * sizeof(int32_t)),
                      .Q = malloc(n * sizeof(int32_t)),
                      .R = malloc(n * sizeof(int32_t)),
                      .at = malloc(n * sizeof(int32_t)),
                      .Li = malloc(lower * sizeof(int32_t)),
                      .Ui = malloc(upper * sizeof(int32_t)),
                      .Fi = malloc(off * sizeof(int32_t)),
                      .Lx = malloc(lower * sizeof(double)),
                      .Ux = malloc(upper * sizeof(double)),
                      .Fx = malloc(off * sizeof(double)),
                      .Rs = malloc(n * sizeof(double)),
                      .X = calloc(n, sizeof(double)),
                      .reached = malloc(n * sizeof(bool))};
    return u->Lp && u->Up && u->Fp && u->P && u->Q && u->R && u->at && u->Li && u->Ui && u->Fi && u->Lx && u->Ux &&
           u->Fx && u->Rs && u->X && u->reached;
}

bool rbv_lu_open_units(RbvLu *lu) {
    if (lu->a || !lu->numeric) {
        destroy_units(lu); /* single entries are solved like other right-hand sides */
        return true;
    }
    if (!reserve_units(lu)) {
        destroy_units(lu);
        return false;
    }
    RbvLuUnits *u = lu->units;
    if (!klu_extract(lu->numeric, lu->symbolic, u->Lp, u->Li, u->Lx, u->Up, u->Ui, u->Ux, u->Fp, u->Fi, u->Fx, u->P,
                     u->Q, u->Rs, u->R, &lu->common)) {
        destroy_units(lu);
        return true;
    }
    for (int32_t k = 0; k < lu->n; k++)
        u->at[u->Q[k]] = k;
    return true;
}

/* Contribution of earlier blocks to a block. False: there is none. */
static bool reach(const RbvLuUnits *u, int32_t block) {
    bool any = false;
    for (int32_t k = u->R[block]; k < u->R[block + 1]; k++)
        for (int32_t p = u->Fp[k]; p < u->Fp[k + 1]; p++)
            if (u->X[u->Fi[p]] != 0) {
                u->X[k] -= u->Fx[p] * u->X[u->Fi[p]];
                any = true;
            }
    return any;
}

/* Solve U^T, from position `from` on, then L^T of a block: the diagonal is the last entry in columns of U, the first in
 * L. */
static void solve_block(const RbvLuUnits *u, int32_t from, int32_t begin, int32_t end) {
    for (int32_t k = from; k < end; k++) {
        int32_t last = u->Up[k + 1] - 1;
        double sum = u->X[k];
        for (int32_t p = u->Up[k]; p < last; p++)
            sum -= u->Ux[p] * u->X[u->Ui[p]];
        u->X[k] = sum / u->Ux[last];
    }
    for (int32_t k = end - 1; k >= begin; k--) {
        double sum = u->X[k];
        for (int32_t p = u->Lp[k] + 1; p < u->Lp[k + 1]; p++)
            sum -= u->Lx[p] * u->X[u->Li[p]];
        u->X[k] = sum;
    }
}

/* L y = P e_row, from the position of the entry on, then U x = y. */
static void solve_unit_dense(const RbvLu *lu, int32_t row, double *x) {
    const double *a = lu->a;
    double *y = lu->scratch;
    int32_t n = lu->n, first = 0;
    while (lu->order[first] != row)
        y[first++] = 0;
    y[first] = 1;
    for (int32_t i = first + 1; i < n; i++) {
        double sum = 0;
        for (int32_t j = first; j < i; j++)
            sum -= a[i * n + j] * y[j];
        y[i] = sum;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        double sum = y[i];
        for (int32_t j = i + 1; j < n; j++)
            sum -= a[i * n + j] * x[j];
        x[i] = sum / a[i * n + i];
    }
}

/* x += X for the blocks reached; X is set to zero. */
static void take_unit(const RbvLu *lu, int32_t block, double *x) {
    const RbvLuUnits *u = lu->units;
    for (int32_t b = block; b < lu->symbolic->nblocks; b++)
        for (int32_t k = u->R[b]; u->reached[b] && k < u->R[b + 1]; k++) {
            x[u->P[k]] += u->X[k] / u->Rs[k];
            u->X[k] = 0;
        }
}

/* x += A^-1 (e_row - A x): residuals exist only in rows of the blocks reached. */
static void refine_unit(const RbvLu *lu, int32_t row, int32_t block, double *x) {
    const RbvLuUnits *u = lu->units;
    for (int32_t b = block; b < lu->symbolic->nblocks; b++)
        for (int32_t k = u->R[b]; u->reached[b] && k < u->R[b + 1]; k++) {
            int32_t i = u->Q[k];
            double sum = i == row;
            for (int32_t e = lu->start[i]; e < lu->start[i + 1]; e++)
                sum -= lu->values[e] * x[lu->index[e]];
            u->X[k] = sum;
        }
    for (int32_t b = block; b < lu->symbolic->nblocks; b++) {
        if (!u->reached[b])
            continue;
        reach(u, b);
        solve_block(u, u->R[b], u->R[b], u->R[b + 1]);
    }
    take_unit(lu, block, x);
}

int32_t rbv_lu_solve_unit(RbvLu *lu, int32_t row, double *x, int32_t *touched) {
    RbvLuUnits *u = lu->units;
    int32_t count = 0, block = 0;
    if (!u) {
        x[row] = 1;
        if (lu->a)
            solve_unit_dense(lu, row, x);
        else
            rbv_lu_solve(lu, x);
        for (int32_t k = 0; k < lu->n; k++)
            touched[k] = k;
        return lu->n;
    }
    while (u->R[block + 1] <= u->at[row])
        block++;
    u->X[u->at[row]] = 1;
    for (int32_t b = block; b < lu->symbolic->nblocks; b++) {
        u->reached[b] = b == block || reach(u, b);
        if (u->reached[b])
            solve_block(u, b == block ? u->at[row] : u->R[b], u->R[b], u->R[b + 1]);
    }
    take_unit(lu, block, x);
    if (lu->refine)
        refine_unit(lu, row, block, x);
    for (int32_t b = block; b < lu->symbolic->nblocks; b++)
        for (int32_t k = u->R[b]; u->reached[b] && k < u->R[b + 1]; k++)
            touched[count++] = u->P[k];
    return count;
}

int rbv_lu_sign(const RbvLu *lu) {
    return lu->planned ? rbv_planned_lu_sign(lu->planned) : lu->sign;
}
int32_t rbv_lu_repivots(const RbvLu *lu) {
    return lu->planned ? rbv_planned_lu_repivots(lu->planned) : lu->repivots;
}
