/* The parts of a choice that its two files share. */
#ifndef RBV_REACTION_CHOICE_BLOCK_H
#define RBV_REACTION_CHOICE_BLOCK_H

#include "reaction/choice.h"

/* Corners of a box of intervals: 2^12. */
#define MOST_INTERVALS 12

typedef struct Named {
    int32_t joint, component; /* joint, or */
    int32_t row;              /* the row of a constraint or drive, else -1 */
    const char *text;
} Named;

typedef struct BlockChoice {
    double *open; /* [rows][z] directions that compliances leave open, scaled multipliers */
    int32_t z;
    bool compliant;
} BlockChoice;

struct RbvChoice {
    const RbvSystem *system;
    RbvRedundant kind;
    RbvFrame frame;
    RbvArena arena;
    Named *eliminated;
    int32_t eliminated_count;
    bool compliant;
    const char *misfit;                                /* a joint that has one, or NULL */
    double (*compliance)[6];                           /* [joints] as used now */
    int32_t interval_count, (*interval)[2];            /* joint, direction */
    double (*range)[RBV_COMPONENT_COUNT][2];           /* [joints] */
    double (*effort_range)[2], (*multiplier_range)[2]; /* [drives], [constraints] */
    BlockChoice *blocks;                               /* [blocks] of the last sample */
    int32_t block_count;
    double *base; /* [rows] multipliers before */
    bool started;
    double *small; /* matrices of one block of least norm; grows with its redundancy, then stays */
    size_t small_size;
    double *c;     /* [rows] */
    double length; /* [m] L of the norm; NaN: that of each block */
};

/* Move the multipliers of block b along its null space, from choice->base to reactions->lambda. */
RbvStatus rbv_choice_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                           int32_t b, RbvDiagnostics *diagnostics);
/* Least norm alone, without allocating. False: no memory. */
bool rbv_least_norm_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                          int32_t b);
/* Its matrices: |W (lambda + N a)|^2 = a.A a + 2 right.a + ... for the p self-stresses N of block b; A[p][p] its lower
 * half, right[p], wn[6 p] scratch. */
void rbv_least_norm_matrix(const RbvReactions *r, const RbvState *state, const RbvSolvability *s, int32_t b, double L,
                           const double *lambda, double *A, double *right, double *wn);
/* W c of an element: its force and torque/L at the second marker for multipliers c of its rows; of a gear or belt the
 * force it holds; of a constraint its weight. */
void rbv_element_wrench(const RbvReactions *r, const RbvState *state, const RbvElement *element, double L,
                        const double *c, double w[6]);

#endif
