/* The graph of bodies and of what joins them, split into biconnected blocks: self-stresses never leave a block.
 *
 * An element is a joint, a constraint or a drive with its rows; it touches the bodies of its measures, ground included.
 * Bodies and elements are the nodes of a bipartite graph; blocks that share an element are merged, so each element, and
 * each row, lies in one block.
 */
#ifndef RBV_SOLVABILITY_BLOCKS_H
#define RBV_SOLVABILITY_BLOCKS_H

#include "system/system.h"

typedef struct RbvElement {
    RbvOwner owner;
    int32_t index; /* of the joint, constraint or drive */
    int32_t first_row, row_count;
    int32_t block;
} RbvElement;

typedef struct RbvBlock {
    int32_t element_count, row_count, column_count;
    int32_t *elements; /* [element_count] */
    int32_t *rows;     /* [row_count] rows of the system */
    int32_t *columns;  /* [column_count] coordinates of the bodies it touches, ground excluded, ascending */
} RbvBlock;

typedef struct RbvBlocks {
    int32_t element_count, block_count;
    RbvElement *elements; /* joints, then constraints, then drives */
    RbvBlock *blocks;
} RbvBlocks;

/* Arrays in `arena`. False: no memory. */
bool rbv_blocks_create(const RbvSystem *system, const bool *active, RbvArena *arena, RbvBlocks *blocks);

#endif
