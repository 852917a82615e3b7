/* The equilibrium of some bodies: inverse --method newton --balance. What it alone determines; see body_balance.c. */
#ifndef RBV_REACTION_BODY_BALANCE_H
#define RBV_REACTION_BODY_BALANCE_H

#include "reaction/newton_system.h"
#include "reaction/reactions.h"
#include "solve/determined.h"

typedef struct RbvBodyBalance {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    bool *body;               /* [bodies] is it balanced? */
    bool *joint, *row;        /* [joints], [held rows] does it act on one of them? */
    RbvNewtonSystem *newton;  /* of the last judgement */
    RbvDetermined determined; /* are combinations of its unknowns? */
    double *norm;             /* [unknowns] of their columns */
    double *c;                /* [unknowns] scratch: a combination */
    int32_t *all;             /* [unknowns] 0, 1, 2 ... */
    int32_t rank,
        gruebler; /* of the equations; coordinates of the bodies less rows of joints and constraints on them */
    bool said;
} RbvBodyBalance;

/* *balance stays NULL where the options name no body. BAD_INPUT: said. */
RbvStatus rbv_body_balance_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                  RbvBodyBalance **balance);
void rbv_body_balance_destroy(RbvBodyBalance *balance);
/* Verdicts of what acts on the bodies are those of their equilibrium alone, at the placed state: no better than they
 * were. What does not act on them is open. NO_MEMORY; BAD_INPUT: too many unknowns, said. */
RbvStatus rbv_body_balance_verify(RbvBodyBalance *balance, const RbvState *state, RbvReactions *reactions);
/* Of the combination c[held rows] of multipliers. */
RbvVerdict rbv_body_balance_verify_rows(RbvBodyBalance *balance, const double *c);

#endif
