/* Sparse bases of a null space, given as the columns of R[k][p]: k things (rows) seen by p modes (columns), rank p.
 *
 * Modes R a of few entries, combinations w with w R = 0 of few entries, and sets of p rows that pin all modes down.
 * Entries of order one; below RBV_NULL_SPACE_ZERO of the largest they are rounding.
 */
#ifndef RBV_SOLVE_SPARSE_NULL_SPACE_H
#define RBV_SOLVE_SPARSE_NULL_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#define RBV_NULL_SPACE_ZERO 1e-9
/* Up to this many modes the sparsest basis is found, by trying all places where a mode can vanish; beyond, a sparse one
 * by steps. */
#define RBV_NULL_SPACE_EXACT 4

/* Gauss and Jordan with full pivoting on columns: each column becomes the only one with an entry, 1, in its pivot
 * row. T[p][p] (or NULL) is set so that the new R is the old R times T. False: no memory. */
bool rbv_null_space_reduce(int32_t k, int32_t p, double *R, double *T);
/* The basis that every basis of the space has in common: p rows of R become unit vectors, each the one of which most
 * is left beside those before, of equals the first. F[f][p] is seen by the same modes and follows. Where the modes of
 * R are dependent, or very many, both stay as they are. False: no memory. */
bool rbv_null_space_canonical(int32_t k, int32_t p, double *R, int32_t f, double *F);
/* Connected parts: of[k] and mode_of[p] number them from 0 in the order of the rows; rows without entries get -1. R
 * reduced. Returns how many, -1: no memory. */
int32_t rbv_null_space_parts(int32_t k, int32_t p, const double *R, int32_t *of, int32_t *mode_of);
/* Replace the columns by combinations of themselves with fewer entries. R reduced. False: no memory. */
bool rbv_null_space_sparsify(int32_t k, int32_t p, double *R);
/* Sparse rows w[count][k] with w R = 0: a basis of k - p of them, pairs first. Each scaled so that its first entry is
 * 1. w has room for (k - p) * k. False: no memory. */
bool rbv_null_space_relations(int32_t k, int32_t p, const double *R, double *w);

/* Sets of p rows that are independent. */
typedef struct RbvRowSet {
    int32_t owners;      /* how many different owners */
    double penalty;      /* how unwelcome it is */
    double independence; /* smallest part of the self-stresses that a row sees and those before it do not, at most 1 */
    int32_t *rows;       /* [p] ascending */
} RbvRowSet;

/* Which sets are wanted. */
typedef struct RbvRowSearch {
    const int32_t *owner;  /* [k] groups rows (the joint they belong to) */
    const double *penalty; /* [k] makes rows unwelcome: they are tried last, and a set has the sum of them, unless */
    double (*verify)(const void *context, int32_t count,
                     const int32_t *rows); /* (or NULL) says how unwelcome it is as a whole; INFINITY: refused. It sums
                                              over owners. */
    const void *context;
    bool penalty_first; /* the least unwelcome first, however many owners it has */
    int32_t most;       /* sets to be kept */
} RbvRowSearch;
/* Up to `most` sets, best first: fewest owners, then least penalty, then most independent. sets[most], rows[most *
 * p]. Returns how many were found (-1: no memory); tries a bounded number. */
int32_t rbv_null_space_sets(int32_t k, int32_t p, const double *R, const RbvRowSearch *how, RbvRowSet *sets,
                            int32_t *rows);

#endif
