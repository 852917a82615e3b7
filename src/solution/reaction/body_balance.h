/* Equilibrium of a group of bodies (inverse --method newton --balance): verdicts of reactions and efforts as their
 * equations alone determine them. */
#ifndef RBV_SOLUTION_REACTION_BODY_BALANCE_H
#define RBV_SOLUTION_REACTION_BODY_BALANCE_H

#include "core/solve/determined.h"
#include "solution/reaction/newton_method.h"
#include "solution/reaction/reactions.h"

typedef struct RbvBodyBalance {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvArena arena, work;     /* memory of what lasts; of the equations of the last verification */
    bool *body;               /* [bodies] is the body in the group? */
    bool *joint, *row;        /* [joints], [held rows] does the joint, the row act on a body of the group? */
    RbvNewtonSystem *newton;  /* equations of the last verification */
    RbvDetermined determined; /* decides whether combinations of the unknowns are determined */
    double *norm;             /* [unknowns] norms of the columns of the equations */
    double *c;                /* [unknowns] scratch: a combination of the unknowns */
    int32_t *all;             /* [unknowns] indices 0, 1, 2 ... */
    int32_t rank,
        gruebler; /* rank of the equations; coordinates of the bodies minus rows of joints and constraints on them */
    bool reported;
} RbvBodyBalance;

/* *balance stays NULL where the options name no body. NO_MEMORY; BAD_INPUT, reported: no such body, ground, or
 * another method than newton. */
RbvStatus rbv_body_balance_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                  RbvBodyBalance **balance);
void rbv_body_balance_destroy(RbvBodyBalance *balance);
/* Makes each verdict in `reactions` at least as bad as the equilibrium of the bodies alone gives it, at a state
 * whose positions are evaluated; what does not act on the bodies becomes NOT_UNIQUE. NO_MEMORY; BAD_INPUT, reported:
 * too many unknowns. */
RbvStatus rbv_body_balance_verify(RbvBodyBalance *balance, const RbvState *state, RbvReactions *reactions);
/* Verdict of the combination c[rows] of multipliers, by the equations of the last rbv_body_balance_verify. */
RbvVerdict rbv_body_balance_verify_rows(RbvBodyBalance *balance, const double *c);

#endif
