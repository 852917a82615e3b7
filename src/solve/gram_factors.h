/* What the files of a Gram matrix share: its pattern, its factors, its right-hand sides. Private to gram*.c; see gram.h. */
#ifndef RBV_SOLVE_GRAM_FACTORS_H
#define RBV_SOLVE_GRAM_FACTORS_H

#include "solve/gram.h"

#include <stddef.h>

/* Blocks are B x B. */
#define B 3
#define BB 9
#define R RBV_GRAM_RIGHT

/* Entry f times entry e of a row of C, both scaled, is a part of a[to]. */
typedef struct RbvGramProduct {
    int32_t e, f, to;
} RbvGramProduct;

struct RbvGram {
    int32_t rows, columns, nodes;
    const int32_t *start, *column, *node;
    const double *C;
    int32_t *place;          /* [nodes] position of a node in the order of elimination */
    int32_t *slot;           /* [columns] 3 place + number of the column in its node */
    double *scale;           /* [columns] 1 / length */
    double *scaled;          /* [entries of C] with columns of unit length */
    RbvGramProduct *products;/* [product_count] of all rows, NULL: not listed */
    size_t product_count;
    int factored;            /* so often, or more */
    int32_t *a_start, *a_row;/* upper block pattern of A in the order of elimination: column k has blocks a_row[a_start[k]] ... <= k */
    double *a;               /* [blocks][9], row-major */
    int32_t *parent, *l_start, *l_count, *l_row;
    double *l, *inverse;     /* L blocks; D^- [nodes][9] */
    double *y;               /* [nodes][9] */
    int32_t *pattern, *flag;
    bool *dropped;           /* [columns] */
    int32_t rank;
    double smallest, largest_dropped;
    double *right;           /* [3 nodes][R] */
};

/* right := A^- right: R right-hand sides side by side, right[3 nodes][R]. */
void rbv_gram_solve_right(RbvGram *g);
/* y := A^- x, both [3 nodes] in the order of elimination, columns scaled. */
void rbv_gram_solve_vector(RbvGram *g, const double *x, double *y);

#endif
