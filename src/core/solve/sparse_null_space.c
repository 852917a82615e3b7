/* A sparse basis of a null space, and relations of few entries; see sparse_null_space.h. */
#include "core/solve/sparse_null_space.h"

#include "core/linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Most candidate modes for the sparsest basis, and most sweeps of sparsifying. */
#define MOST_CANDIDATES 40000
#define MOST_SWEEPS 50
/* Most modes among which independent rows are looked for. */
#define MOST_MODES 256

static double largest_entry(int32_t count, const double *x) {
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Combine columns of R[k][p] and T[t][p] alike: `column` is exchanged with c, and column c becomes the only one with an
 * entry, 1, in the row. */
static void take_pivot(int32_t k, double *R, int32_t t, double *T, int32_t p, int32_t c, int32_t row, int32_t column) {
    double pivot = R[row * p + column];
    for (int part = 0; part < 2; part++) {
        double *A = part == 0 ? R : T;
        for (int32_t i = 0; i < (part == 0 ? k : t); i++) {
            double swap = A[i * p + c];
            A[i * p + c] = A[i * p + column] / pivot;
            A[i * p + column] = column == c ? A[i * p + c] : swap;
        }
    }
    for (int32_t d = 0; d < p; d++) {
        double factor = R[row * p + d];
        if (d == c || factor == 0)
            continue;
        for (int part = 0; part < 2; part++) {
            double *A = part == 0 ? R : T;
            for (int32_t i = 0; i < (part == 0 ? k : t); i++)
                A[i * p + d] -= factor * A[i * p + c];
        }
        R[row * p + d] = 0;
    }
}

static void drop_rounding(int32_t count, double *R) {
    double most = largest_entry(count, R);
    for (int32_t i = 0; i < count; i++)
        if (fabs(R[i]) <= RBV_NULL_SPACE_ZERO * most)
            R[i] = 0;
}

bool rbv_null_space_reduce(int32_t k, int32_t p, double *R, double *T) {
    bool *used = calloc((size_t)k + 1, sizeof *used);
    if (!used)
        return false;
    for (int32_t i = 0; T && i < p * p; i++)
        T[i] = i % (p + 1) == 0;
    for (int32_t c = 0; c < p; c++) {
        int32_t row = -1, column = c;
        double best = 0;
        for (int32_t i = 0; i < k; i++)
            for (int32_t d = c; d < p; d++)
                if (!used[i] && fabs(R[i * p + d]) > best * (1 + 1e-9)) {
                    best = fabs(R[i * p + d]);
                    row = i;
                    column = d;
                }
        if (row < 0)
            break;
        used[row] = true;
        take_pivot(k, R, T ? p : 0, T, p, c, row, column);
    }
    drop_rounding(k * p, R);
    free(used);
    return true;
}

int32_t rbv_null_space_parts(int32_t k, int32_t p, const double *R, int32_t *of, int32_t *mode_of) {
    for (int32_t c = 0; c < p; c++)
        mode_of[c] = c;
    for (int32_t i = 0; i < k; i++) {
        int32_t first = -1;
        for (int32_t c = 0; c < p; c++) {
            if (R[i * p + c] == 0)
                continue;
            if (first < 0) {
                first = mode_of[c];
            } else if (mode_of[c] != first) {
                int32_t old = mode_of[c];
                for (int32_t d = 0; d < p; d++)
                    mode_of[d] = mode_of[d] == old ? first : mode_of[d];
            }
        }
    }
    /* number the parts by their first rows */
    int32_t *number = malloc(((size_t)p + 1) * sizeof *number), count = 0;
    if (!number)
        return -1;
    for (int32_t c = 0; c < p; c++)
        number[c] = -1;
    for (int32_t i = 0; i < k; i++) {
        of[i] = -1;
        for (int32_t c = 0; c < p && of[i] < 0; c++)
            if (R[i * p + c] != 0) {
                if (number[mode_of[c]] < 0)
                    number[mode_of[c]] = count++;
                of[i] = number[mode_of[c]];
            }
    }
    for (int32_t c = 0; c < p; c++)
        mode_of[c] = number[mode_of[c]];
    free(number);
    return count;
}

/* Number of entries of R a that are not rounding; image[k] = R a. */
static int32_t support(int32_t k, int32_t p, const double *R, const double *a, double *image) {
    double most = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < k; i++) {
        image[i] = 0;
        for (int32_t c = 0; c < p; c++)
            image[i] += R[i * p + c] * a[c];
        most = fmax(most, fabs(image[i]));
    }
    for (int32_t i = 0; i < k; i++)
        count += fabs(image[i]) > 10 * RBV_NULL_SPACE_ZERO * most;
    return count;
}

/* a[p] such that R a vanishes in rows[p-1], by elimination with full pivoting. False: the rows are dependent, so that a
 * is not unique. */
static bool vanish(int32_t p, const double *R, const int32_t *rows, double *a) {
    double A[RBV_NULL_SPACE_EXACT][RBV_NULL_SPACE_EXACT];
    int32_t column[RBV_NULL_SPACE_EXACT] = {0};
    for (int32_t i = 0; i < p - 1; i++)
        memcpy(A[i], R + rows[i] * p, (size_t)p * sizeof(double));
    for (int32_t c = 0; c < p; c++)
        column[c] = c;
    for (int32_t s = 0; s < p - 1; s++) {
        int32_t pi = s, pj = s;
        for (int32_t i = s; i < p - 1; i++)
            for (int32_t j = s; j < p; j++)
                if (fabs(A[i][column[j]]) > fabs(A[pi][column[pj]]))
                    pi = i, pj = j;
        if (!(fabs(A[pi][column[pj]]) > 1e-7))
            return false;
        double swap[RBV_NULL_SPACE_EXACT];
        memcpy(swap, A[s], sizeof swap), memcpy(A[s], A[pi], sizeof swap), memcpy(A[pi], swap, sizeof swap);
        int32_t keep = column[s];
        column[s] = column[pj], column[pj] = keep;
        for (int32_t i = 0; i < p - 1; i++) {
            double factor = i == s ? 0 : A[i][column[s]] / A[s][column[s]];
            for (int32_t j = 0; j < p && factor != 0; j++)
                A[i][j] -= factor * A[s][j];
        }
    }
    a[column[p - 1]] = 1;
    for (int32_t i = 0; i < p - 1; i++)
        a[column[i]] = -A[i][column[p - 1]] / A[i][column[i]];
    return true;
}

typedef struct Candidate {
    int32_t support, order;
    double a[RBV_NULL_SPACE_EXACT];
} Candidate;

static int by_support(const void *x, const void *y) {
    const Candidate *a = x, *b = y;
    return a->support != b->support ? a->support - b->support : a->order - b->order;
}

/* The next set of `count` of k rows, in lexicographic order. False: there is none. */
static bool next_rows(int32_t k, int32_t count, int32_t *rows) {
    int32_t at = count - 1;
    while (at >= 0 && rows[at] == k - count + at)
        at--;
    if (at < 0)
        return false;
    rows[at]++;
    for (int32_t i = at + 1; i < count; i++)
        rows[i] = rows[i - 1] + 1;
    return true;
}

/* Replace R by the sparsest candidates that are independent. */
static void take_sparsest(int32_t k, int32_t p, double *R, const Candidate *candidates, int32_t count, double *image) {
    double basis[RBV_NULL_SPACE_EXACT][RBV_NULL_SPACE_EXACT], chosen[RBV_NULL_SPACE_EXACT][RBV_NULL_SPACE_EXACT];
    int32_t taken = 0;
    for (int32_t n = 0; n < count && taken < p; n++) {
        double rest[RBV_NULL_SPACE_EXACT], norm = 0, left = 0;
        memcpy(rest, candidates[n].a, sizeof rest);
        for (int32_t c = 0; c < p; c++)
            norm += rest[c] * rest[c];
        for (int pass = 0; pass < 2; pass++)
            for (int32_t b = 0; b < taken; b++) {
                double dot = 0;
                for (int32_t c = 0; c < p; c++)
                    dot += rest[c] * basis[b][c];
                for (int32_t c = 0; c < p; c++)
                    rest[c] -= dot * basis[b][c];
            }
        for (int32_t c = 0; c < p; c++)
            left += rest[c] * rest[c];
        if (!(left > 1e-10 * norm))
            continue;
        for (int32_t c = 0; c < p; c++)
            basis[taken][c] = rest[c] / sqrt(left);
        memcpy(chosen[taken++], candidates[n].a, sizeof chosen[0]);
    }
    if (taken < p)
        return;
    for (int32_t i = 0; i < k; i++) {
        for (int32_t c = 0; c < p; c++) {
            image[c] = 0;
            for (int32_t d = 0; d < p; d++)
                image[c] += R[i * p + d] * chosen[c][d];
        }
        memcpy(R + i * p, image, (size_t)p * sizeof *image);
    }
}

/* The sparsest basis. *found: false where there are too many sets of rows to try; R is then unchanged. False: no
 * memory. */
static bool sparsest(int32_t k, int32_t p, double *R, bool *found) {
    double combinations = 1;
    *found = true;
    for (int32_t i = 0; i < p - 1; i++)
        combinations *= (double)(k - i) / (i + 1);
    if (p == 1)
        return true;
    *found = p <= RBV_NULL_SPACE_EXACT && k >= p && combinations <= MOST_CANDIDATES;
    if (!*found)
        return true;
    Candidate *candidates = malloc((size_t)combinations * sizeof *candidates + sizeof *candidates);
    double *image = malloc(((size_t)k + (size_t)p + 1) * sizeof *image);
    int32_t rows[RBV_NULL_SPACE_EXACT], count = 0, most = (int32_t)combinations;
    bool good = candidates && image, more = true;
    for (int32_t i = 0; i < p - 1; i++)
        rows[i] = i;
    for (; good && more && count < most; more = next_rows(k, p - 1, rows))
        if (vanish(p, R, rows, candidates[count].a)) {
            candidates[count].support = support(k, p, R, candidates[count].a, image);
            candidates[count].order = count;
            count++;
        }
    if (good) {
        qsort(candidates, (size_t)count, sizeof *candidates, by_support);
        take_sparsest(k, p, R, candidates, count, image);
    }
    free(candidates);
    free(image);
    return good;
}

/* Smallest difference of unit columns; below it too many digits are lost. */
#define LOST_DIGITS 1e-5

/* Scale column c so that its largest entry is 1. */
static void scale_column(int32_t k, int32_t p, int32_t c, double *A) {
    double most = 0;
    for (int32_t i = 0; i < k; i++)
        most = fmax(most, fabs(A[i * p + c]));
    for (int32_t i = 0; i < k && most > 0; i++)
        A[i * p + c] /= most;
}

/* Replace m_i by m_i - f m_j where this has fewer entries; repeat until no column gains. */
static void sparsify(int32_t k, int32_t p, double *A) {
    const double zero = 10 * RBV_NULL_SPACE_ZERO;
    for (int32_t c = 0; c < p; c++)
        scale_column(k, p, c, A);
    bool gained = true;
    for (int sweep = 0; gained && sweep < MOST_SWEEPS; sweep++) {
        gained = false;
        for (int32_t i = 0; i < p; i++)
            for (int32_t j = 0; j < p; j++) {
                for (int32_t r = 0; r < k && i != j; r++) {
                    double a = A[r * p + i], b = A[r * p + j];
                    if (fabs(a) <= zero || fabs(b) <= zero)
                        continue;
                    int32_t before = 0, after = 0;
                    double most =
                        0; /* the difference may be small as a whole: its rounding is relative to its largest entry */
                    for (int32_t n = 0; n < k; n++)
                        most = fmax(most, fabs(A[n * p + i] - a / b * A[n * p + j]));
                    for (int32_t n = 0; n < k; n++) {
                        before += fabs(A[n * p + i]) > zero;
                        after += fabs(A[n * p + i] - a / b * A[n * p + j]) > zero * most;
                    }
                    if (after >= before || most < LOST_DIGITS)
                        continue;
                    for (int32_t n = 0; n < k; n++) {
                        A[n * p + i] -= a / b * A[n * p + j];
                        if (fabs(A[n * p + i]) <= zero * most)
                            A[n * p + i] = 0;
                    }
                    scale_column(k, p, i, A);
                    gained = true;
                }
            }
    }
}

/* Most operations of sparsifying, p^2 k^2 a sweep. */
#define MOST_WORK 4e8

bool rbv_null_space_sparsify(int32_t k, int32_t p, double *R) {
    bool found;
    if (!sparsest(k, p, R, &found))
        return false;
    if (!found && (double)p * p * k * k < MOST_WORK)
        sparsify(k, p, R);
    for (int32_t c = 0; c < p; c++) {
        scale_column(k, p, c, R);
        for (int32_t i = 0; i < k; i++)
            if (fabs(R[i * p + c]) <= 10 * RBV_NULL_SPACE_ZERO)
                R[i * p + c] = 0;
    }
    return true;
}

/* Is row i a multiple of row j? *ratio: the factor. */
static bool parallel(int32_t p, const double *R, int32_t i, int32_t j, double *ratio) {
    double ij = 0, jj = 0, ii = 0, off = 0;
    for (int32_t c = 0; c < p; c++) {
        ij += R[i * p + c] * R[j * p + c];
        jj += R[j * p + c] * R[j * p + c];
        ii += R[i * p + c] * R[i * p + c];
    }
    *ratio = ij / jj;
    for (int32_t c = 0; c < p; c++) {
        double rest = R[i * p + c] - *ratio * R[j * p + c];
        off += rest * rest;
    }
    return off <= 1e-14 * ii;
}

/* x[p] with R_row = sum x_b R_base[b], by elimination of [base^T | R_row]. False: no memory, or dependent rows. */
static bool express(int32_t p, const double *R, const int32_t *base, int32_t row, double *x) {
    double *A = malloc((size_t)p * ((size_t)p + 1) * sizeof *A);
    if (!A)
        return false;
    int32_t w = p + 1;
    for (int32_t c = 0; c < p; c++) {
        for (int32_t b = 0; b < p; b++)
            A[c * w + b] = R[base[b] * p + c];
        A[c * w + p] = R[row * p + c];
    }
    bool good = rbv_small_solve(A, p, 0);
    for (int32_t b = 0; good && b < p; b++)
        x[b] = A[b * w + p];
    free(A);
    return good;
}

/* Choose p independent rows among the candidates (NULL: all), greedily by remaining length, the first among equals.
 * `unit_rows`: rows are first scaled to length 1. Returns their number, -1: no memory. */
static int32_t independent_rows(int32_t k, int32_t p, const double *R, const bool *candidate, bool unit_rows,
                                int32_t *base) {
    double *rest = malloc((size_t)k * (size_t)p * sizeof *rest);
    int32_t taken = 0;
    if (!rest)
        return -1;
    memcpy(rest, R, (size_t)k * (size_t)p * sizeof *rest);
    for (int32_t i = 0; i < k && unit_rows; i++) {
        double norm = 0;
        for (int32_t c = 0; c < p; c++)
            norm += rest[i * p + c] * rest[i * p + c];
        for (int32_t c = 0; c < p && norm > 0; c++)
            rest[i * p + c] /= sqrt(norm);
    }
    while (taken < p) {
        int32_t best = -1;
        double most = 1e-6;
        for (int32_t i = 0; i < k; i++) {
            double norm = 0;
            for (int32_t c = 0; c < p; c++)
                norm += rest[i * p + c] * rest[i * p + c];
            if ((!candidate || candidate[i]) && norm > most * (1 + 1e-6))
                most = norm, best = i;
        }
        if (best < 0)
            break;
        double unit[MOST_MODES], norm = 0;
        int32_t size = p < MOST_MODES ? p : MOST_MODES;
        for (int32_t c = 0; c < size; c++)
            norm += rest[best * p + c] * rest[best * p + c];
        for (int32_t c = 0; c < size; c++)
            unit[c] = rest[best * p + c] / sqrt(norm);
        for (int32_t i = 0; i < k; i++) {
            double dot = 0;
            for (int32_t c = 0; c < size; c++)
                dot += rest[i * p + c] * unit[c];
            for (int32_t c = 0; c < size; c++)
                rest[i * p + c] -= dot * unit[c];
        }
        base[taken++] = best;
    }
    free(rest);
    return taken;
}

/* Q = R with orthonormal columns, by Gram and Schmidt twice. False: the columns are dependent. */
static bool orthonormal(int32_t k, int32_t p, const double *R, double *Q) {
    memcpy(Q, R, (size_t)k * (size_t)p * sizeof *Q);
    for (int32_t c = 0; c < p; c++) {
        double before = 0, norm = 0;
        for (int32_t i = 0; i < k; i++)
            before += Q[i * p + c] * Q[i * p + c];
        for (int32_t d = 0; d < 2 * c; d++) {
            double dot = 0;
            for (int32_t i = 0; i < k; i++)
                dot += Q[i * p + c] * Q[i * p + d % c];
            for (int32_t i = 0; i < k; i++)
                Q[i * p + c] -= dot * Q[i * p + d % c];
        }
        for (int32_t i = 0; i < k; i++)
            norm += Q[i * p + c] * Q[i * p + c];
        if (!(norm > 1e-14 * before))
            return false;
        for (int32_t i = 0; i < k; i++)
            Q[i * p + c] /= sqrt(norm);
    }
    return true;
}

bool rbv_null_space_canonical(int32_t k, int32_t p, double *R, int32_t f, double *F) {
    double *Q = malloc(((size_t)k * (size_t)p + 1) * sizeof *Q);
    int32_t *base = malloc(((size_t)p + 1) * sizeof *base), taken = 0;
    bool good = Q && base;
    if (good && p <= MOST_MODES && orthonormal(k, p, R, Q))
        taken = independent_rows(k, p, Q, NULL, false, base);
    good = good && taken >= 0;
    for (int32_t c = 0; good && c < p && taken == p; c++) {
        int32_t column = c;
        for (int32_t d = c + 1; d < p; d++)
            column = fabs(R[base[c] * p + d]) > fabs(R[base[c] * p + column]) ? d : column;
        take_pivot(k, R, f, F, p, c, base[c], column);
    }
    if (good && taken == p) {
        drop_rounding(k * p, R);
        drop_rounding(f * p, F);
    }
    free(Q);
    free(base);
    return good;
}

static void scale_relation(int32_t k, double *w) {
    int32_t first = 0;
    double most = largest_entry(k, w);
    for (int32_t i = 0; i < k; i++)
        if (fabs(w[i]) <= 10 * RBV_NULL_SPACE_ZERO * most)
            w[i] = 0;
    while (first < k && w[first] == 0)
        first++;
    double unit = first < k ? w[first] : 1;
    for (int32_t i = 0; i < k; i++)
        w[i] = w[i] == 0 ? 0 : w[i] / unit;
}

bool rbv_null_space_relations(int32_t k, int32_t p, const double *R, double *w) {
    int32_t count = 0, total = k - p;
    bool *leads = calloc((size_t)k + 1, sizeof *leads);
    int32_t *base = malloc(((size_t)p + 1) * sizeof *base);
    double *x = malloc(((size_t)p + 1) * sizeof *x), *columns = NULL;
    bool good = leads && base && x && p <= MOST_MODES;
    memset(w, 0, (size_t)(total > 0 ? total : 0) * (size_t)k * sizeof *w);
    /* rows that are multiples of an earlier one: pairs */
    for (int32_t i = 0; good && i < k; i++) {
        double ratio;
        leads[i] = true;
        for (int32_t j = 0; j < i && leads[i] && count < total; j++)
            if (leads[j] && parallel(p, R, i, j, &ratio)) {
                leads[i] = false;
                w[count * k + i] = 1;
                w[count++ * k + j] = -ratio;
            }
    }
    int32_t pairs = count;
    if (good && count < total) {
        int32_t taken = independent_rows(k, p, R, leads, true, base);
        good = taken >= 0;
        if (taken < p) /* smaller rank than p: only pairs are certain */
            total = count;
        for (int32_t i = 0; good && i < k && count < total; i++) {
            bool in_base = !leads[i];
            for (int32_t b = 0; b < p; b++)
                in_base = in_base || base[b] == i;
            if (in_base)
                continue;
            good = express(p, R, base, i, x);
            for (int32_t b = 0; good && b < p; b++)
                w[count * k + base[b]] = -x[b];
            w[count++ * k + i] = 1;
        }
        /* sparsify the other relations, as columns */
        int32_t others = count - pairs;
        columns = good ? malloc(((size_t)others * (size_t)k + 1) * sizeof *columns) : NULL;
        if (columns && others > 1 && (double)others * others * k * k < MOST_WORK) {
            for (int32_t n = 0; n < others; n++)
                for (int32_t i = 0; i < k; i++)
                    columns[i * others + n] = w[(pairs + n) * k + i];
            sparsify(k, others, columns);
            for (int32_t n = 0; n < others; n++)
                for (int32_t i = 0; i < k; i++)
                    w[(pairs + n) * k + i] = columns[i * others + n];
        }
        good = columns != NULL;
    }
    for (int32_t n = 0; good && n < count; n++)
        scale_relation(k, w + n * k);
    free(leads);
    free(base);
    free(x);
    free(columns);
    return good;
}
