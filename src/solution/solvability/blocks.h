/* The graph of bodies and of the elements between them, split into biconnected blocks: a self-stress never extends
 * over several blocks.
 *
 * An element is a joint, a constraint or a drive (or, where active rows are given, a stop or sticking friction) with
 * its rows; it touches the bodies of its measures, ground included. Bodies and elements are the nodes of a bipartite
 * graph; blocks that share an element are merged, so each element, and each row, lies in one block. */
#ifndef RBV_SOLUTION_SOLVABILITY_BLOCKS_H
#define RBV_SOLUTION_SOLVABILITY_BLOCKS_H

#include "mechanics/system/system.h"

typedef struct RbvElement {
    RbvOwner owner;
    int32_t index; /* of the joint, constraint, drive, stop or friction contact */
    int32_t first_row, row_count;
    int32_t block;
} RbvElement;

typedef struct RbvBlock {
    int32_t element_count, row_count, column_count;
    int32_t *elements; /* [element_count] indices of elements */
    int32_t *rows;     /* [row_count] rows of the system */
    int32_t *columns;  /* [column_count] columns of the bodies that the block touches, ground excluded, ascending */
} RbvBlock;

typedef struct RbvBlocks {
    int32_t element_count, block_count;
    RbvElement *elements; /* joints, then constraints, drives, stops, sticking friction */
    RbvBlock *blocks;
} RbvBlocks;

/* Blocks of the rows marked in active[rows] (NULL: all but stops and sticking friction); arrays in `arena`. False:
 * no memory. */
bool rbv_blocks_create(const RbvSystem *system, const bool *active, RbvArena *arena, RbvBlocks *blocks);

#endif
