/* Data that the files of a Gram matrix share: its pattern, factors and right-hand sides. Private to gram*.c; see
 * gram.h.
 */
#ifndef RBV_CORE_SOLVE_GRAM_FACTORS_H
#define RBV_CORE_SOLVE_GRAM_FACTORS_H

#include "core/linalg/small.h"
#include "core/solve/gram.h"

#include <stddef.h>

/* Blocks are 2 x 2 where no node has more columns, as with joints in the plane, else 3 x 3: blocks of 3 would spend
 * half of the products on zeros. */
#define MOST_WIDTH 3
#define R RBV_GRAM_RIGHT

/* Entry f times entry e of a row of C, both scaled, is a part of a[to]. */
typedef struct RbvGramProduct {
    int32_t e, f, to;
} RbvGramProduct;

/* Products of the columns of two nodes that a row has, the first ones of each: those of `high` entries from f on with
 * `wide` entries from e on, and of the rows after it that have the same columns, each `stride` entries further. They
 * are parts of the first `high` rows and `wide` columns of the block at a[to]. */
typedef struct RbvGramBlock {
    int32_t e, f, to, rows, stride;
    int32_t wide, high;
} RbvGramBlock;

struct RbvGram {
    int32_t rows, columns, nodes;
    int32_t width, area; /* width of a block; area = width x width */
    bool wide;           /* take the functions for AVX2 (gram_four.c), which give the same bits */
    const int32_t *start, *column, *node;
    const double *C;
    int32_t *place;           /* [nodes] position in the order of elimination */
    int32_t *slot;            /* [columns] width * place + number of the column in its node */
    double *scale;            /* [columns] 1 / length */
    double *scaled;           /* [entries of C] entries with columns scaled to unit length */
    RbvGramProduct *products; /* [product_count] products that are in none of `blocks`; NULL: nothing is listed */
    RbvGramBlock *blocks;     /* [block_count] products of nodes */
    size_t product_count, block_count;
    int factored;             /* number of factorizations, counted up to 3 */
    int32_t *a_start, *a_row; /* upper block pattern of A in the order of elimination: column k has blocks
                                 a_row[a_start[k]] ... <= k */
    int32_t *a_diagonal;      /* [nodes] index of the diagonal block in each column */
    double *a;                /* [blocks][area], row-major */
    int32_t *l_start, *l_row; /* pattern of the blocks of L by columns */
    int32_t *row_start, *row_node,
        *row_at;         /* pattern of L by rows, in topological order: column and position of each block */
    double *l, *inverse; /* blocks of L; D^- [nodes][area] */
    double *y;           /* [nodes][width][width; of 3 x 3 blocks 4] row k of L while it is found */
    bool *dropped;       /* [columns] pivot dropped */
    int32_t rank;
    double smallest, largest_dropped;
    double *least; /* [width nodes] singular vector of the least singular value, if `found` */
    bool found;
    double *right; /* [width nodes][R] right-hand sides */
};

/* Length of one right-hand side, padding included. */
static inline size_t rbv_gram_size(const RbvGram *g) {
    return (size_t)g->nodes * (size_t)g->width;
}
/* Has this processor the functions for AVX2? */
bool rbv_gram_is_wide(void);
/* gram_four.c: L and D^- of A in 3 x 3 blocks, without pivots that are not above `least`; pivots[3 nodes], those of
 * padding are 0. */
void rbv_gram_eliminate_triples(RbvGram *g, double least, double *pivots);
/* right := A^- right: R right-hand sides side by side, right[width nodes][R]. */
void rbv_gram_solve_right(RbvGram *g);
/* Scaled C and right, y[rows][R]: right += C^T y; y := C right; y -= C right. */
void rbv_gram_add_transposed(RbvGram *g, const double *y);
void rbv_gram_multiply_right(const RbvGram *g, double *y);
void rbv_gram_subtract_right(const RbvGram *g, double *y);
/* y := A^- x, both [width nodes] in the order of elimination, columns scaled. */
void rbv_gram_solve_vector(RbvGram *g, const double *x, double *y);

#endif
