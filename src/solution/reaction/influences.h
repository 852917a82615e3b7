/* Influences of misfits (tolerances: of the model) on reactions. A reaction that compliances share out is linear in
 * the misfits of its block: lambda = lambda_0 + sum_m N a_m m, where a_m minimises the energy 1/2 R.s R - R.e_m of the
 * unit misfit e_m over the self-stresses N. So the derivatives are solutions of the block's own least squares without
 * loads, not differences of runs. */
#ifndef RBV_SOLUTION_REACTION_INFLUENCES_H
#define RBV_SOLUTION_REACTION_INFLUENCES_H

#include "solution/reaction/choice.h"

/* Derivative of a quantity by a misfit. */
typedef struct RbvAnswer {
    int32_t misfit, quantity;
    double value;
} RbvAnswer;

typedef struct RbvInfluences {
    RbvArena arena;
    int32_t count;                                      /* number of misfits among the tolerances of the model */
    int32_t *tolerance;                                 /* [count] number of each among the tolerances */
    int32_t first_effort, first_multiplier, first_stop; /* quantities: components as they follow in
                                                           reactions->value[0], then efforts of drives, of constraints,
                                                           of stops */
    int32_t quantities;
    RbvAnswer *answers; /* [answer_count] all derivatives that are not zero */
    size_t answer_count, answer_capacity;
    bool *unbounded; /* [count] the misfit stresses a loop of rigid joints: the derivatives have no finite value */
    int32_t *block, *members; /* [count] of each misfit, -1: none is redundant; [count] workspace */
    double *kept;             /* [rows + quantities + 2 constraints] what the reactions print meanwhile */
} RbvInfluences;

/* Are the printed reactions linear in multipliers, so that the influences follow from one sample? Not with teeth,
 * whose radial forces follow magnitudes, with preloads along lines of centres, and with constraints that do work. */
bool rbv_influences_linear(const RbvReactions *reactions);
/* NULL: no memory. */
RbvInfluences *rbv_influences_create(const RbvReactions *reactions);
void rbv_influences_destroy(RbvInfluences *influences);
/* Influences at a sample whose reactions were printed; these stay as they are. NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_influences_find(RbvInfluences *influences, RbvChoice *choice, const RbvState *state,
                              const RbvSolvability *solvability, RbvReactions *reactions);

#endif
