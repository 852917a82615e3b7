/* Sparse bases of a null space, given as the columns of R[k][p]: p modes (columns) with entries at k rows, rank p.
 *
 * Modes R a of few entries, combinations w with w R = 0 of few entries, and sets of p rows that determine all modes.
 * Entries of order one; below RBV_NULL_SPACE_ZERO of the largest they are rounding.
 */
#ifndef RBV_CORE_SOLVE_SPARSE_NULL_SPACE_H
#define RBV_CORE_SOLVE_SPARSE_NULL_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#define RBV_NULL_SPACE_ZERO 1e-9
/* Up to this many modes the sparsest basis is found, by trying all sets of rows where a mode can vanish; beyond, a
 * sparse basis by steps. */
#define RBV_NULL_SPACE_EXACT 4

/* Gauss and Jordan with full pivoting on columns: each column becomes the only one with an entry, 1, in its pivot
 * row. T[p][p] (or NULL) is set so that the new R is the old R times T. False: no memory. */
bool rbv_null_space_reduce(int32_t k, int32_t p, double *R, double *T);
/* The canonical basis, which is the same for every basis of the space: p rows of R become unit vectors, each the one
 * with the largest remainder beside those before, the first among equals. F[f][p], further entries of the same modes,
 * is transformed with R. Where the modes of R are dependent, or very many, R and F stay unchanged. False: no memory. */
bool rbv_null_space_canonical(int32_t k, int32_t p, double *R, int32_t f, double *F);
/* Connected parts: of[k] (rows) and mode_of[p] (modes) number them from 0 in the order of the rows; rows without
 * entries get -1. R must be reduced. Returns the number of parts, -1: no memory. */
int32_t rbv_null_space_parts(int32_t k, int32_t p, const double *R, int32_t *of, int32_t *mode_of);
/* Replace the columns by combinations of them with fewer entries. R must be reduced. False: no memory. */
bool rbv_null_space_sparsify(int32_t k, int32_t p, double *R);
/* Sparse rows w[count][k] with w R = 0: a basis of k - p of them, pairs first. Each is scaled so that its first entry
 * is 1. w must hold (k - p) * k numbers. False: no memory. */
bool rbv_null_space_relations(int32_t k, int32_t p, const double *R, double *w);

/* A set of p rows that are independent. */
typedef struct RbvRowSet {
    int32_t owners;      /* number of different owners */
    double penalty;      /* penalty of the set: the larger, the less it is preferred */
    double independence; /* least length of a row outside the span of the rows before, at most 1 */
    int32_t *rows;       /* [p] ascending */
} RbvRowSet;

/* Criteria of a search for row sets. */
typedef struct RbvRowSearch {
    const int32_t *owner;  /* [k] owner of each row (its joint) */
    const double *penalty; /* [k] penalties of rows: larger ones are tried later; sets have their sum */
    double (*verify)(const void *context, int32_t count,
                     const int32_t *rows); /* penalty of a whole set instead, by owners; INFINITY: refused; or NULL */
    const void *context;
    bool penalty_first; /* order by least penalty first, whatever the number of owners */
    int32_t most;       /* most sets to be returned */
} RbvRowSearch;
/* Up to `most` sets, best first: fewest owners, then least penalty, then most independent. sets[most], rows[most * p].
 * Returns the number found (-1: no memory); the number of trials is bounded. */
int32_t rbv_null_space_sets(int32_t k, int32_t p, const double *R, const RbvRowSearch *how, RbvRowSet *sets,
                            int32_t *rows);

#endif
