/* Data of a choice among multipliers that the rigid model does not determine, and the algebra of one block of it. */
#ifndef RBV_SOLUTION_REACTION_CHOICE_BLOCK_H
#define RBV_SOLUTION_REACTION_CHOICE_BLOCK_H

#include "solution/reaction/choice.h"

/* Most intervals of compliances: their box has 2^12 corners. */
#define MOST_INTERVALS 12

typedef struct Named {
    int32_t joint, component; /* component of a joint; joint -1: `row` is used */
    int32_t row;              /* row of a constraint or drive, else -1 */
    const char *text;
} Named;

typedef struct BlockChoice {
    double *open; /* [rows of the block][z] directions that compliances leave open, in scaled multipliers */
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
    const char *misfit;                                /* name of a joint with a misfit, or NULL */
    double (*compliance)[6];                           /* [joints] compliances in use */
    int32_t interval_count, (*interval)[2];            /* joint and direction of each interval */
    double (*range)[RBV_COMPONENT_COUNT][2];           /* [joints] least and largest value of each component */
    double (*most)[RBV_COMPONENT_COUNT];               /* [joints] largest magnitude at the present sample */
    double (*effort_range)[2], (*multiplier_range)[2]; /* [drives], [constraints] least and largest value */
    BlockChoice *blocks;                               /* [blocks] of the last sample */
    int32_t block_count;
    double *base; /* [rows] multipliers before the choice */
    bool started;
    int32_t deviating[2]; /* joint and direction of a unit misfit, which then is the only one; joint -1: misfits are
                             those of the model */
    double *small;        /* matrices of one block for the least norm; grows with the redundancy, never shrinks */
    size_t small_size;
    double *c;     /* [rows + 8] scratch: coefficients of an element's rows */
    double length; /* [m] L of the norm; NaN: the length of each block */
};

/* Moves the multipliers of block b along its null space, from choice->base to reactions->lambda. Statuses as of
 * rbv_choice_apply. */
RbvStatus rbv_choice_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                           int32_t b, RbvDiagnostics *diagnostics);
/* Least norm alone, with no allocation but of choice->small. False: no memory. */
bool rbv_least_norm_block(RbvChoice *choice, const RbvState *state, const RbvSolvability *s, RbvReactions *r,
                          int32_t b);
/* Matrices of the least norm: |W (lambda + N a)|^2 = a.A a + 2 right.a + ... for the p self-stresses N of block b.
 * A[p][p]: lower half; right[p]; wn[6 p] scratch; L [m]. */
void rbv_least_norm_matrix(const RbvReactions *r, const RbvState *state, const RbvSolvability *s, int32_t b, double L,
                           const double *lambda, double *A, double *right, double *wn);

#endif
