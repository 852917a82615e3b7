/* The decision which combinations are determined (determined.h), and the rank in exact arithmetic that it asks where
 * entries are small fractions. */
#include "core/solve/determined.h"

#include "core/base/tolerances.h"
#include "core/solve/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- exact rank: fractions by continued fractions, elimination modulo two primes ---
 *
 * The rank modulo a prime never exceeds the rank over the rationals, and is smaller only when the prime divides all
 * minors of the full rank: the larger of the two ranks is taken. */

typedef unsigned __int128 Wide;

/* Primes below 2^61. */
static const uint64_t primes[2] = {2305843009213693951u, 2305843009213693921u};

static uint64_t multiply_mod(uint64_t a, uint64_t b, uint64_t p) {
    return (uint64_t)((Wide)a * b % p);
}

static uint64_t inverse_mod(uint64_t a, uint64_t p) {
    uint64_t result = 1;
    for (uint64_t e = p - 2; e > 0; e >>= 1) {
        if (e & 1)
            result = multiply_mod(result, a, p);
        a = multiply_mod(a, a, p);
    }
    return result;
}

/* The first convergent of x within RBV_EXACT_NEAR. False: there is none. */
static bool fraction(double x, int64_t *numerator, int64_t *denominator) {
    double size = fmax(1, fabs(x)), rest = x;
    int64_t n0 = 1, n1 = (int64_t)floor(rest), d0 = 0, d1 = 1;
    if (!(fabs(x) < 1e9))
        return false;
    for (int step = 0; step < 40; step++) {
        if (fabs(x - (double)n1 / (double)d1) <= RBV_EXACT_NEAR * size) {
            *numerator = n1;
            *denominator = d1;
            return true;
        }
        rest -= floor(rest);
        if (!(rest > 1e-12))
            return false;
        rest = 1 / rest;
        int64_t whole = (int64_t)floor(rest), n2 = whole * n1 + n0, d2 = whole * d1 + d0;
        if (d2 > RBV_EXACT_DENOMINATOR)
            return false;
        n0 = n1, n1 = n2, d0 = d1, d1 = d2;
    }
    return false;
}

static int32_t eliminate_mod(uint64_t *a, int32_t m, int32_t n, uint64_t p) {
    int32_t rank = 0;
    for (int32_t c = 0; c < n && rank < m; c++) {
        int32_t pivot = rank;
        while (pivot < m && a[(size_t)pivot * (size_t)n + (size_t)c] == 0)
            pivot++;
        if (pivot == m)
            continue;
        for (int32_t j = c; j < n && pivot != rank; j++) {
            uint64_t swap = a[(size_t)pivot * (size_t)n + (size_t)j];
            a[(size_t)pivot * (size_t)n + (size_t)j] = a[(size_t)rank * (size_t)n + (size_t)j];
            a[(size_t)rank * (size_t)n + (size_t)j] = swap;
        }
        const uint64_t *top = a + (size_t)rank * (size_t)n;
        uint64_t over = inverse_mod(top[c], p);
        for (int32_t i = rank + 1; i < m; i++) {
            uint64_t *row = a + (size_t)i * (size_t)n;
            if (row[c] == 0)
                continue;
            uint64_t factor = multiply_mod(row[c], over, p);
            for (int32_t j = c; j < n; j++)
                row[j] = (row[j] + p - multiply_mod(factor, top[j], p)) % p;
        }
        rank++;
    }
    return rank;
}

int32_t rbv_exact_rank(int32_t m, int32_t n, const double *C, const double *unit) {
    size_t size = (size_t)m * (size_t)n;
    uint64_t *a = malloc((size + 1) * sizeof *a);
    int32_t best = a ? -1 : -2;
    bool good = a != NULL;
    for (int which = 0; good && which < 2; which++) {
        uint64_t p = primes[which];
        for (size_t k = 0; good && k < size; k++) {
            int64_t numerator = 0, denominator = 1;
            good = fraction(C[k] * unit[k % (size_t)n], &numerator, &denominator);
            uint64_t top = numerator < 0 ? p - (uint64_t)(-numerator) % p : (uint64_t)numerator % p;
            a[k] = denominator == 1 ? top % p : multiply_mod(top, inverse_mod((uint64_t)denominator, p), p);
        }
        int32_t rank = good ? eliminate_mod(a, m, n, p) : -1;
        best = rank > best ? rank : best;
    }
    free(a);
    return best;
}

/* A determined combination has a part of at most 4 tau / sigma_r in the computed null space (its leak); a leak above
 * 100 times that is real. */
#define LEAK 4.0
#define LEAK_CLEAR 100.0
/* A combination with a leak above this is never determined. */
#define LARGEST_LEAK 1e-4
/* Passes of projection: each multiplies the remaining part of a singular value sigma by about eps/sigma^2. */
#define PASSES 4
/* Scale of rows that are chosen last, while rows are chosen: a power of two, so that scaling is exact. */
#define LAST_SCALE 0x1p-20
/* Part of a combination that one pass of projection leaves at least when the combination has a part in the null
 * space. */
#define STABLE 0.5

static void row_gram_destroy(RbvRowGram *t);

/* Free all but the pattern and the scratch, which may be used again. */
static void clear_decision(RbvDetermined *d) {
    RbvDetermined keep = {.row_gram = d->row_gram,
                          .work = d->work,
                          .work_size = d->work_size,
                          .kept = d->kept,
                          .kept_rank = d->kept_rank,
                          .kept_largest = d->kept_largest};
    free(d->null);
    free(d->dense);
    free(d->probe);
    free(d->before);
    *d = keep;
}

void rbv_determined_clear(RbvDetermined *d) {
    clear_decision(d);
    row_gram_destroy(d->row_gram);
    free(d->work);
    free(d->kept);
    *d = (RbvDetermined){0};
}

static double *to_dense(const RbvSparse *C) {
    size_t n = (size_t)C->columns;
    double *dense = calloc((size_t)C->rows * n + 1, sizeof *dense);
    for (int32_t k = 0; dense && k < C->rows; k++)
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
            dense[(size_t)k * n + (size_t)C->column[e]] += C->values[e];
    return dense;
}

/* For doubtful singular values: if the rows before scaling consist of small fractions, decide the rank exactly. */
static RbvStatus decide_exactly(RbvDetermined *d, const RbvSparse *C, const double *dense) {
    size_t m = (size_t)C->rows, n = (size_t)C->columns;
    double *plain = malloc((m * n + 1) * sizeof *plain);
    if (!plain)
        return RBV_NO_MEMORY;
    for (size_t k = 0; k < m; k++)
        for (size_t j = 0; j < n; j++)
            plain[k * n + j] = dense[k * n + j] * C->row_norm[k];
    int32_t rank = rbv_exact_rank(C->rows, C->columns, plain, C->unit);
    free(plain);
    if (rank == -2)
        return RBV_NO_MEMORY;
    if (rank < d->rank.certain || rank > d->rank.rank)
        return RBV_OK; /* no small fractions, or a rank outside the doubtful range */
    d->exact = true;
    return rbv_rank_known(C->rows, C->columns, dense, rank, &d->rank, d->null);
}

/* Independent rows by pivoted QR, which takes the longest row first: rows that come last are made short. */
static RbvStatus order_dense(const RbvSparse *C, double *dense, int32_t *order) {
    size_t n = (size_t)C->columns;
    for (int32_t k = 0; C->last && k < C->rows; k++)
        for (size_t j = 0; C->last[k] && j < n; j++)
            dense[(size_t)k * n + j] *= LAST_SCALE;
    RbvStatus status = rbv_rank_rows(C->rows, C->columns, dense, order);
    for (int32_t k = 0; C->last && k < C->rows; k++)
        for (size_t j = 0; C->last[k] && j < n; j++)
            dense[(size_t)k * n + j] /= LAST_SCALE;
    return status;
}

/* Keep the order of the rows for rbv_determined_again; without memory, that is not asked. */
static void keep_order(RbvDetermined *d, const int32_t *order) {
    d->kept = malloc((size_t)d->rows * sizeof *d->kept);
    d->kept_rank = d->rank.rank;
    if (d->kept)
        memcpy(d->kept, order, (size_t)d->rows * sizeof *d->kept);
}

static RbvStatus decide_dense(RbvDetermined *d, const RbvSparse *C, int32_t *order) {
    size_t m = (size_t)C->rows;
    double *dense = to_dense(C);
    d->null = malloc((m * m + 1) * sizeof *d->null);
    RbvStatus status = dense && d->null ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = d->kind == RBV_DECIDE_QR ? rbv_rank_qr(C->rows, C->columns, dense, &d->rank, d->null)
                                          : rbv_rank_svd(C->rows, C->columns, dense, &d->rank, d->null);
    if (status == RBV_OK && !d->rank.safe && d->kind == RBV_DECIDE_DEFAULT && C->rows <= RBV_DENSE_ROWS)
        status = decide_exactly(d, C, dense);
    d->null_columns = C->rows - d->rank.certain;
    if (d->null_columns == 0) { /* as in most blocks of a large mechanism */
        free(d->null);
        d->null = NULL;
    }
    if (status == RBV_OK && order && d->rank.rank < C->rows)
        status = order_dense(C, dense, order);
    d->kept_largest = status == RBV_OK ? d->rank.largest : 0;
    if (status == RBV_OK && order && d->rank.rank < C->rows && d->rank.safe && !d->exact)
        keep_order(d, order);
    if (d->kind == RBV_DECIDE_RANKS)
        d->dense = dense;
    else
        free(dense);
    return status;
}

/* Normal deviates from a fixed seed (Box and Muller), so that the result is the same in every run. */
static void fill_random(double *z, size_t count) {
    uint64_t seed = 88172645463325252u;
    double uniform[2];
    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < 2; i++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            uniform[i] = ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
        }
        z[k] = sqrt(-2 * log(uniform[0])) * cos(6.283185307179586 * uniform[1]);
    }
}

/* C C^T with the arrays that must outlive it, and a copy of the pattern of C. */
struct RbvRowGram {
    int32_t rows, columns;
    int32_t *of_start, *of_column, *of_node;
    int32_t *start, *row, *at; /* C^T by its rows; at: position in C^T of each entry of C */
    double *values;
    RbvGram *gram;
};

static void row_gram_destroy(RbvRowGram *t) {
    if (!t)
        return;
    rbv_gram_destroy(t->gram);
    free(t->of_start);
    free(t->of_column);
    free(t->of_node);
    free(t->start);
    free(t->row);
    free(t->at);
    free(t->values);
    free(t);
}

static bool row_gram_serves(const RbvRowGram *t, const RbvSparse *C) {
    return t && t->rows == C->rows && t->columns == C->columns &&
           memcmp(t->of_start, C->start, ((size_t)C->rows + 1) * sizeof(int32_t)) == 0 &&
           memcmp(t->of_column, C->column, (size_t)C->start[C->rows] * sizeof(int32_t)) == 0 &&
           memcmp(t->of_node, C->row_node, (size_t)C->rows * sizeof(int32_t)) == 0;
}

static void row_gram_transpose(RbvRowGram *t, const RbvSparse *C) {
    int32_t entries = C->start[C->rows];
    memcpy(t->of_start, C->start, ((size_t)C->rows + 1) * sizeof(int32_t));
    memcpy(t->of_column, C->column, (size_t)entries * sizeof(int32_t));
    memcpy(t->of_node, C->row_node, (size_t)C->rows * sizeof(int32_t));
    rbv_transpose(C->rows, C->columns, C->start, C->column, t->start, t->row, t->at);
}

/* C C^T of the pattern of C, without entries. NULL: no memory. */
static RbvRowGram *row_gram_create(const RbvSparse *C) {
    size_t entries = (size_t)C->start[C->rows] + 1, rows = (size_t)C->rows + 1;
    RbvRowGram *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (RbvRowGram){.rows = C->rows,
                      .columns = C->columns,
                      .of_start = malloc(rows * sizeof(int32_t)),
                      .of_column = malloc(entries * sizeof(int32_t)),
                      .of_node = malloc(rows * sizeof(int32_t)),
                      .start = calloc((size_t)C->columns + 2, sizeof(int32_t)),
                      .row = malloc(entries * sizeof(int32_t)),
                      .at = malloc(entries * sizeof(int32_t)),
                      .values = malloc(entries * sizeof(double))};
    if (t->of_start && t->of_column && t->of_node && t->start && t->row && t->at && t->values) {
        row_gram_transpose(t, C);
        t->gram = rbv_gram_create(C->columns, C->rows, t->start, t->row, t->of_node);
    }
    if (t->gram)
        return t;
    row_gram_destroy(t);
    return NULL;
}

/* C C^T of the matrix C, created again where the pattern has changed. NULL: no memory. */
static RbvRowGram *row_gram_of(RbvDetermined *d, const RbvSparse *C) {
    if (!row_gram_serves(d->row_gram, C)) {
        row_gram_destroy(d->row_gram);
        d->row_gram = row_gram_create(C);
    }
    RbvRowGram *t = d->row_gram;
    for (int32_t e = 0; t && e < C->start[C->rows]; e++)
        t->values[t->at[e]] = C->values[e];
    return t;
}

/* Independent rows: those whose pivots in C C^T are kept, in the order of its elimination. *found: their number is
 * `rank`. False: no memory. */
static bool order_rows(RbvDetermined *d, const RbvSparse *C, int32_t rank, int32_t *order, bool *found) {
    if (C->last) { /* elimination in a sparse order cannot take rows last */
        *found = false;
        return true;
    }
    RbvRowGram *t = row_gram_of(d, C);
    *found = t && rbv_gram_factor(t->gram, t->values, 0) && rbv_gram_rank(t->gram) == rank;
    int32_t kept = 0, dropped = rank;
    for (int32_t k = 0; *found && k < C->rows; k++)
        if (rbv_gram_is_dropped(t->gram, k))
            order[dropped++] = k;
        else
            order[kept++] = k;
    return t != NULL;
}

/* The rank by the number of pivots, corrected by singular values near zero, which also decide its safety. */
static RbvRank certified_rank(RbvGram *gram) {
    double sigma[RBV_GRAM_RIGHT], error;
    int missed = 0;
    rbv_gram_certify(gram, sigma, &error);
    while (missed < RBV_GRAM_RIGHT && sigma[missed] < RBV_RANK_DATA)
        missed++;
    /* if all four vanish there may be more */
    double smallest = missed == RBV_GRAM_RIGHT  ? 0
                      : isfinite(sigma[missed]) ? fmin(sigma[missed], 1)
                                                : sqrt(rbv_gram_smallest(gram));
    double dropped = fmax(error, missed > 0 ? sigma[missed - 1] : 0);
    bool safe = smallest > RBV_RANK_BAND * RBV_RANK_DATA && dropped < RBV_RANK_DATA;
    int32_t rank = rbv_gram_rank(gram) - missed;
    return (RbvRank){rank, safe, smallest, dropped, RBV_RANK_DATA, fmax(smallest, RBV_RANK_BAND * RBV_RANK_DATA),
                     rank, 0};
}

/* With no more rows than columns, most likely all rows are independent. C C^T is then regular, while C^T C has many
 * vanished pivots, and near straight chains some that nearly vanish. *full: all rows are independent, clear of the band
 * of doubt. False: no memory. */
static bool try_full_rank(RbvDetermined *d, const RbvSparse *C, bool *full) {
    *full = false;
    if (C->rows > C->columns)
        return true;
    RbvRowGram *t = row_gram_of(d, C);
    if (t && rbv_gram_factor(t->gram, t->values, 0) && rbv_gram_rank(t->gram) == C->rows) {
        double smallest;
        if (rbv_gram_least(t->gram, &smallest) == RBV_NO_MEMORY)
            return false;
        smallest = isfinite(smallest) ? fmin(smallest, 1) : sqrt(rbv_gram_smallest(t->gram));
        *full = smallest > RBV_RANK_BAND * RBV_RANK_DATA;
        if (*full)
            d->rank = (RbvRank){C->rows, true, smallest, 0, RBV_RANK_DATA, smallest, C->rows, 0};
    }
    return t != NULL;
}

/* The null space from the probes, which span it if its dimension is at most their number. */
static RbvStatus null_from_probes(RbvDetermined *d) {
    int32_t p = d->rows - d->rank.rank;
    if (p < 1 || p > RBV_PROBES || !d->rank.safe)
        return RBV_OK;
    d->null = malloc((size_t)d->rows * (size_t)p * sizeof *d->null);
    if (!d->null)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < d->rows; k++)
        for (int32_t j = 0; j < p; j++)
            d->null[(size_t)k * (size_t)p + (size_t)j] = d->probe[(size_t)k * RBV_PROBES + (size_t)j];
    d->null_columns = p;
    return rbv_rank_orthonormalize(d->rows, p, d->null);
}

/* order[rows]: independent rows first; and memory for the null space of the other rows, where it is not too large. */
static RbvStatus order_large(RbvDetermined *d, const RbvSparse *C, int32_t *order) {
    bool found = true;
    int32_t p = C->rows - d->rank.rank;
    if (p > 0 && !order_rows(d, C, d->rank.rank, order, &found))
        return RBV_NO_MEMORY;
    if (!found && C->rows <= RBV_DENSE_MOST) {
        double *dense = to_dense(C);
        RbvStatus status = dense ? order_dense(C, dense, order) : RBV_NO_MEMORY;
        free(dense);
        if (status != RBV_OK)
            return status;
        found = true;
    }
    d->rank.safe = d->rank.safe && found;
    if (p > 0 && found) {
        bool fits = !d->null && (size_t)p <= RBV_NULL_MOST / (size_t)C->rows;
        if (fits) {
            d->null = calloc((size_t)p * (size_t)C->rows, sizeof *d->null);
            d->null_columns = p;
        }
        return d->null || !fits ? RBV_OK : RBV_NO_MEMORY;
    }
    return RBV_OK;
}

static RbvStatus decide_large(RbvDetermined *d, const RbvSparse *C, int32_t *order) {
    size_t count = (size_t)C->rows * RBV_PROBES;
    bool full;
    if (!try_full_rank(d, C, &full))
        return RBV_NO_MEMORY;
    if (!full) { /* free memory for the projection */
        row_gram_destroy(d->row_gram);
        d->row_gram = NULL;
    }
    if (full) { /* the null space is empty: probes are zero */
        d->probe = calloc(count + 1, sizeof *d->probe);
        d->before = calloc(count + 1, sizeof *d->before);
        return d->probe && d->before ? RBV_OK : RBV_NO_MEMORY;
    }
    RbvGram *gram = rbv_gram_create(C->rows, C->columns, C->start, C->column, C->node);
    d->probe = malloc((count + 1) * sizeof *d->probe);
    d->before = malloc((count + 1) * sizeof *d->before);
    RbvStatus status = gram && d->probe && d->before ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_gram_factor(gram, C->values, 0))
        status = RBV_NOT_FINITE;
    if (status == RBV_OK) {
        d->rank = certified_rank(gram);
        if (d->rank.rank > C->rows ||
            d->rank.rank > C->columns) { /* pivots of rounding were counted: squares of small singular values */
            d->rank.rank = d->rank.certain = C->rows < C->columns ? C->rows : C->columns;
            d->rank.safe = false;
        }
        fill_random(d->probe, count);
        for (int pass = 0; pass < PASSES; pass++) {
            memcpy(d->before, d->probe, count * sizeof *d->probe);
            rbv_gram_project(gram, d->probe);
        }
    }
    rbv_gram_destroy(gram);
    if (status == RBV_OK)
        status = null_from_probes(d);
    return status == RBV_OK && order ? order_large(d, C, order) : status;
}

RbvStatus rbv_determined_decide(RbvDetermined *d, const RbvSparse *C, RbvCriterionKind kind, int32_t *order) {
    clear_decision(d);
    free(d->kept);
    d->kept = NULL;
    d->kind = kind;
    d->rows = C->rows;
    d->columns = C->columns;
    for (int32_t k = 0; order && k < C->rows; k++)
        order[k] = k;
    if (kind != RBV_DECIDE_DEFAULT && C->rows > RBV_DENSE_MOST)
        return RBV_BAD_INPUT;
    if (kind != RBV_DECIDE_DEFAULT || C->rows <= RBV_DENSE_ROWS)
        return decide_dense(d, C, order);
    return decide_large(d, C, order);
}

/* Rows of unit length whose smallest singular value is at least this are independent beyond doubt: relative to the
 * largest one, at most the root of RBV_DENSE_ROWS, it is 50 times the band of doubt. Its square is far above rounding.
 */
#define SURE_SINGULAR_VALUE (1000 * RBV_RANK_BAND * RBV_RANK_DATA)

/* Dependent rows are off by no more than this part of the threshold: they are dependent. */
#define SURE_DEPENDENT (0.1 * RBV_RANK_DATA)

/* Memory for `size` numbers of d->work. */
static bool reserve_work(RbvDetermined *d, size_t size) {
    if (d->work_size < size) {
        free(d->work);
        d->work = malloc(size * sizeof *d->work);
        d->work_size = d->work ? size : 0;
    }
    return d->work != NULL;
}

/* The largest singular value when they were found last: of rows of unit length it changes little along a motion. */
static double largest_of(const RbvDetermined *d) {
    return fmax(1, d->kept_largest);
}

/* The rows that depended on others when singular values were found last: do they still, and no others? */
static bool depends_again(RbvDetermined *d, const RbvSparse *C, int32_t *order) {
    const RbvRankRows rows = {C->rows, C->columns, C->start, C->column, C->values};
    const int32_t rank = d->kept_rank, p = C->rows - rank;
    RbvDependence found;
    d->null = malloc((size_t)C->rows * (size_t)p * sizeof *d->null);
    d->null_columns = p;
    if (!d->null || !reserve_work(d, rbv_rank_dependence_work(C->rows, C->columns, rank)) ||
        !rbv_rank_dependence(&rows, d->kept, rank, d->work, d->null, &found) || !(found.bound > SURE_SINGULAR_VALUE) ||
        !(found.off < SURE_DEPENDENT))
        return false;
    double largest = largest_of(d), least = found.least / largest;
    d->rank = (RbvRank){rank, true, least, found.off / largest, RBV_RANK_DATA, least, rank, 0};
    if (order)
        memcpy(order, d->kept, (size_t)C->rows * sizeof *order);
    return true;
}

/* Are all rows surely independent? */
static bool is_full(RbvDetermined *d, const RbvSparse *C, bool estimate, int32_t *order) {
    size_t m = (size_t)C->rows, n = (size_t)C->columns;
    bool full = false;
    if (C->rows > C->columns || !reserve_work(d, m * m + m + n))
        return false;
    if (!estimate) {
        double bound = rbv_rank_bound(&(RbvRankRows){C->rows, C->columns, C->start, C->column, C->values}, d->work);
        d->rank = (RbvRank){C->rows, true, bound, 0, RBV_RANK_DATA, bound, C->rows, 0};
    } else if (!try_full_rank(d, C, &full) || !full) {
        return false;
    } else {
        d->rank.smallest = d->rank.smallest_certain = d->rank.smallest / largest_of(d);
    }
    if (!(d->rank.smallest > SURE_SINGULAR_VALUE))
        return false;
    for (int32_t k = 0; order && k < C->rows; k++)
        order[k] = k;
    return true;
}

bool rbv_determined_again(RbvDetermined *d, const RbvSparse *C, bool estimate, int32_t *order) {
    if (C->rows == 0 || C->rows > RBV_DENSE_ROWS)
        return false;
    bool kept = d->kept && d->rows == C->rows && d->columns == C->columns;
    clear_decision(d);
    d->rows = C->rows;
    d->columns = C->columns;
    return kept ? depends_again(d, C, order) : is_full(d, C, estimate, order);
}

/* Part of the combination in the null columns from `from` on, relative to its length `size`. */
static double leak(const RbvDetermined *d, int32_t count, const int32_t *row, const double *c, double size,
                   int32_t from) {
    double sum = 0;
    size_t p = (size_t)d->null_columns;
    for (int32_t n = from; n < d->null_columns; n++) {
        double dot = 0;
        for (int32_t k = 0; k < count; k++)
            dot += c[k] * d->null[(size_t)row[k] * p + (size_t)n];
        sum += dot * dot;
    }
    return sqrt(sum) / size;
}

/* Largest leak of a determined combination by errors of the geometry: 4 tau / sigma_r, with tau estimated by the
 * dropped singular values. */
static double leak_threshold(const RbvRank *rank) {
    /* Where the dropped singular values are rounding, the geometry is exact to rounding, and so are null vectors: a
     * singular value then has this error. */
    double tau = rank->safe ? fmin(rank->tau, fmax(RBV_ROUNDING, 10 * rank->largest_dropped)) : rank->tau;
    return fmin(LEAK * tau / rank->smallest_certain, LARGEST_LEAK);
}

static RbvDecision verify_null(const RbvDetermined *d, int32_t count, const int32_t *row, const double *c,
                               double size) {
    if (d->null_columns == 0)
        return RBV_DETERMINED;
    double threshold = leak_threshold(&d->rank);
    int32_t perhaps = d->null_columns - (d->rows - d->rank.rank);
    double sure = leak(d, count, row, c, size, perhaps),
           possible = perhaps == 0 ? sure : leak(d, count, row, c, size, 0);
    if (possible <= threshold)
        return RBV_DETERMINED;
    return sure > LEAK_CLEAR * threshold ? RBV_OPEN : RBV_DOUBTFUL;
}

/* DETERMINED if rank [C | c] = rank C, OPEN if it is larger. */
static RbvDecision verify_ranks(RbvDetermined *d, int32_t count, const int32_t *row, const double *c) {
    if (d->rank.certain == d->rows)
        return RBV_DETERMINED;
    double *whole = calloc((size_t)d->rows + 1, sizeof *whole);
    d->no_memory = d->no_memory || !whole;
    RbvRank with;
    RbvDecision decision = RBV_DOUBTFUL;
    if (whole) {
        for (int32_t k = 0; k < count; k++)
            whole[row[k]] += c[k];
        RbvStatus status = rbv_rank_with(d->rows, d->columns, d->dense, whole, &with);
        d->no_memory = d->no_memory || status == RBV_NO_MEMORY;
        if (status == RBV_OK && with.safe && d->rank.safe)
            decision = with.rank == d->rank.rank ? RBV_DETERMINED : RBV_OPEN;
    }
    free(whole);
    return decision;
}

static RbvDecision verify_probes(const RbvDetermined *d, int32_t count, const int32_t *row, const double *c,
                                 double size) {
    double now = 0, before = 0;
    for (int r = 0; r < RBV_PROBES; r++) {
        double a = 0, b = 0;
        for (int32_t k = 0; k < count; k++) {
            a += c[k] * d->probe[(size_t)row[k] * RBV_PROBES + (size_t)r];
            b += c[k] * d->before[(size_t)row[k] * RBV_PROBES + (size_t)r];
        }
        now += a * a;
        before += b * b;
    }
    now = sqrt(now / RBV_PROBES) / size;
    before = sqrt(before / RBV_PROBES) / size;
    double threshold = leak_threshold(&d->rank);
    if (now <= threshold)
        return d->rank.safe ? RBV_DETERMINED : RBV_DOUBTFUL;
    return now > LEAK_CLEAR * threshold && now > STABLE * before && d->rank.safe ? RBV_OPEN : RBV_DOUBTFUL;
}

RbvDecision rbv_determined_verdict(RbvDetermined *d, int32_t count, const int32_t *row, const double *c) {
    double size = 0;
    for (int32_t k = 0; k < count; k++)
        size += c[k] * c[k];
    if (!(size > 0) || (d->rank.safe && d->rank.rank == d->rows))
        return RBV_DETERMINED;
    if (d->kind == RBV_DECIDE_RANKS)
        return verify_ranks(d, count, row, c);
    return d->probe ? verify_probes(d, count, row, c, sqrt(size)) : verify_null(d, count, row, c, sqrt(size));
}
