/* Which combinations c.lambda are determined by C^T lambda = f: those with c in the range of C, that is N^T c = 0 for
 * the null space N of C^T.
 *
 * The matrix comes scaled: columns of rotations by a length, rows of unit length, so thresholds are pure numbers
 * (rank.h). Small matrices are decided by a criterion of the caller's choice, or, by default, by singular values, and
 * exact arithmetic where those are doubtful and the entries are small fractions. Large ones are decided without a basis
 * of N: random vectors are projected onto it (gram.h), and a combination is determined when nothing of it is left in
 * them.
 */
#ifndef RBV_CORE_SOLVE_DETERMINED_H
#define RBV_CORE_SOLVE_DETERMINED_H

#include "core/solve/rank.h"

#include <roberval/base.h>

#include <stdint.h>

/* C[m][n] row-major. Each entry must lie within RBV_EXACT_NEAR of a fraction with a denominator of at most
 * RBV_EXACT_DENOMINATOR; columns may be scaled by `unit[n]` before (lengths to numbers of order one). Magnitudes stay
 * below 1e9. Returns the rank of the matrix of those fractions, certain but for a chance below 1e-17 (two primes near
 * 2^61), or -1 when an entry is no such fraction, or -2 when there is no memory. */
int32_t rbv_exact_rank(int32_t m, int32_t n, const double *C, const double *unit);

/* Tolerance of a fraction: rounding of a few operations on the user's numbers. A random number lies that near to such a
 * fraction by chance with probability 1e-5. */
#define RBV_EXACT_NEAR 1e-11
#define RBV_EXACT_DENOMINATOR 1000

typedef enum RbvCriterionKind { RBV_DECIDE_DEFAULT, RBV_DECIDE_RANKS, RBV_DECIDE_SVD, RBV_DECIDE_QR } RbvCriterionKind;

/* Largest number of rows for which the default criterion is dense. */
#define RBV_DENSE_ROWS 400
/* Largest number of rows for a criterion chosen by name, which is always dense: some 2 GB and minutes. */
#define RBV_DENSE_MOST 6000
/* The null space of a large matrix is stored only up to this many numbers (160 MB). */
#define RBV_NULL_MOST 20000000

typedef struct RbvSparse {
    int32_t rows, columns;
    const int32_t *start, *column; /* row k: column[start[k]] ... */
    const double *values;
    const int32_t *node;     /* [columns] ascending: node (body) of each column, at most 3 columns to a node */
    const int32_t *row_node; /* [rows] ascending: node (joint) of each row, at most 3 rows to a node */
    const double *unit;      /* [columns] factor from entries of unit rows to the user's numbers: see rbv_exact_rank */
    const double *row_norm;  /* [rows] length by which each row was divided */
    const bool *last;        /* [rows] rows that become independent rows only after all others; NULL: none */
} RbvSparse;

typedef struct RbvRowGram RbvRowGram;

typedef struct RbvDetermined {
    RbvCriterionKind kind;
    RbvRank rank;
    bool exact;     /* the rank was decided in exact arithmetic modulo primes */
    bool no_memory; /* a decision by ranks failed for lack of memory, and was reported as doubtful */
    int32_t rows, columns;
    double *null; /* [rows][null_columns] orthonormal; the last rows - rank columns are certain null vectors, the others
                     doubtful. Large matrix: from the probes where they span the null space; else only where `order` was
                     requested, zero until filled by the caller */
    int32_t null_columns;
    double *dense;        /* [rows][columns], for the criterion of ranks */
    RbvRowGram *row_gram; /* large matrix: C C^T, kept for the next decision on the same pattern */
    double *work;         /* [work_size] scratch of rbv_determined_again; NULL: not yet asked */
    size_t work_size;
    int32_t *kept, kept_rank; /* [rows] order of the last decision by singular values with dependent rows, beyond
                                 doubt, and its rank; NULL: it was no such decision */
    double kept_largest;      /* the largest singular value when they were found last; 0: never */
    double *probe, *before; /* [rows][RBV_PROBES] large matrix: random vectors in the null space, after the last and the
                               last but one projection */
} RbvDetermined;

#define RBV_PROBES 4

typedef enum RbvDecision { RBV_DETERMINED, RBV_DOUBTFUL, RBV_OPEN } RbvDecision;

/* Decide the rank of C. Earlier contents of `d` are freed, but for patterns that are used again: no number of a
 * decision depends on earlier ones. order[rows] (or NULL: not requested) lists the rows, `rank` independent ones first.
 * BAD_INPUT: a criterion by name on more than RBV_DENSE_MOST rows. */
RbvStatus rbv_determined_decide(RbvDetermined *d, const RbvSparse *C, RbvCriterionKind kind, int32_t *order);
/* Are the rows surely independent, far beyond doubt, or those that depended on others when rbv_determined_decide was
 * asked last, and no others? Then d and order (as above) are that decision, by the criterion of default, but that
 * rank.smallest is a lower bound only, or an `estimate`, as of large matrices; both many times as fast as singular
 * values. The estimate may start from the vector of the last one. If not, or where memory is lacking, only *d is not to
 * be asked for verdicts: rbv_determined_decide decides. */
bool rbv_determined_again(RbvDetermined *d, const RbvSparse *C, bool estimate, int32_t *order);
void rbv_determined_clear(RbvDetermined *d);
/* Verdict on the combination with c[k] at rows row[k], k < count (in the scaled rows, of order one). DETERMINED if all
 * c are zero. */
RbvDecision rbv_determined_verdict(RbvDetermined *d, int32_t count, const int32_t *row, const double *c);

#endif
