/* Rank of a dense matrix, a maximal set of independent rows, and the null space of its transpose, with the safety of
 * the decision.
 *
 * docs/theory.md#rank. The matrix comes scaled (columns of rotations by the block's length, rows to unit length), so
 * the thresholds are pure numbers. sigma_1 >= sigma_2 >= ...; tau = sigma_1 (4 max(m,n) eps + RBV_RANK_DATA). A
 * singular value above RBV_RANK_BAND tau counts, one below tau does not, one between makes the decision unsafe.
 */
#ifndef RBV_CORE_SOLVE_RANK_H
#define RBV_CORE_SOLVE_RANK_H

#include <roberval/base.h>

/* Relative precision expected of a user's lengths and of the assembled state: numbers are written with ten digits or
 * so. */
#define RBV_RANK_DATA 1e-10
/* A singular value between tau and this multiple of tau is doubtful. Assembly at a singular state converges only to the
 * root of rounding, some 1e-8 of the size, so a value that is truly zero there appears as 1e-8 to 1e-7; data with seven
 * digits falls there too. */
#define RBV_RANK_BAND 1e4

typedef struct RbvRank {
    int32_t rank;
    bool safe;
    double smallest;         /* the smallest singular value that counts, over sigma_1 (1 when rank is 0) */
    double largest_dropped;  /* the largest singular value that does not count, over sigma_1 (0 when none) */
    double tau;              /* over sigma_1 */
    double smallest_certain; /* the smallest singular value above the band, over sigma_1 (1 when there is none) */
    int32_t certain;         /* number of singular values above the band: rank without the doubtful ones */
    double largest;          /* sigma_1; 0: not found */
} RbvRank;

/* Rank of C[m][n] row-major (not changed) by singular values. null[m][m - certain] row-major gets orthonormal columns:
 * first the left singular vectors of the doubtful singular values, then, in the last m - rank columns, a basis of {y:
 * C^T y = 0}; its memory must hold m*m numbers. `null` may be NULL. */
RbvStatus rbv_rank_svd(int32_t m, int32_t n, const double *C, RbvRank *rank, double *null);
/* As rbv_rank_svd, with the rank `known` from exact arithmetic: only the null space and the singular values around the
 * rank are computed. */
RbvStatus rbv_rank_known(int32_t m, int32_t n, const double *C, int32_t known, RbvRank *rank, double *null);
/* As rbv_rank_svd, by QR with column pivoting, C E = Q R: rank from the diagonal of R, confirmed by the condition of
 * its leading block; null is the last m - certain columns of Q. */
RbvStatus rbv_rank_qr(int32_t m, int32_t n, const double *C, RbvRank *rank, double *null);
/* As rbv_rank_qr for a matrix whose columns all count, beyond doubt: by QR without pivoting that passes over zeros
 * (rank_full.c), many times as fast for large sparse matrices. *full: is it such a matrix? If not, nothing else is set.
 * null[m][m - n]. */
RbvStatus rbv_rank_full(int32_t m, int32_t n, const double *C, bool *full, double *null);
/* Sparse rows C[rows][columns]: row k has values[start[k] ..] in column[start[k] ..]. */
typedef struct RbvRankRows {
    int32_t rows, columns;
    const int32_t *start, *column;
    const double *values;
} RbvRankRows;
/* A lower bound of the smallest singular value of the rows: 1 / |L^-1|, by the root of the sum of squares, with
 * C C^T = L L^T. Its error is rounding over the bound. 0: no bound, because the rows are dependent or nearly so.
 * work[rows rows + rows + columns]. */
double rbv_rank_bound(const RbvRankRows *C, double *work);
/* Singular values of rows of which the first `rank` of an order are independent and the others depend on them: a lower
 * bound of the least of the independent rows alone, which is one of the least that counts; that one, estimated from
 * above; an upper bound of those that do not count. */
typedef struct RbvDependence {
    double bound, least, off;
} RbvDependence;
/* Do the rows order[rank] ... depend on order[0] ... still, as decided before? null[rows][rows - rank]: orthonormal
 * columns with C^T null = 0, to `off`. False: the first are dependent or nearly so, or no memory. work: as many numbers
 * as rbv_rank_dependence_work. */
bool rbv_rank_dependence(const RbvRankRows *C, const int32_t *order, int32_t rank, double *work, double *null,
                         RbvDependence *found);
size_t rbv_rank_dependence_work(int32_t rows, int32_t columns, int32_t rank);
/* The rank of [C | c], c[m] scaled to unit length: if it equals the rank of C, c lies in the range of C. */
RbvStatus rbv_rank_with(int32_t m, int32_t n, const double *C, const double *c, RbvRank *rank);
/* Replace A[m][n], m >= n, row-major, by orthonormal columns of the same span. Allocates when n is above
 * RBV_ORTHONORMAL_OWN. */
#define RBV_ORTHONORMAL_OWN 24
RbvStatus rbv_rank_orthonormalize(int32_t m, int32_t n, double *A);
/* Choose `rank` independent rows by column-pivoted QR of C^T: order[m] lists all rows, the chosen first. */
RbvStatus rbv_rank_rows(int32_t m, int32_t n, const double *C, int32_t *order);
/* The rank decision alone, from singular values sigma in descending order. */
RbvRank rbv_rank_decide(int32_t m, int32_t n, const double *sigma);

#endif
