/* Loads that follow reactions: where such a reaction is open, so is all that the load reaches.
 *
 * A gear's Fr = |Ft| tan(alpha)/cos(beta) pushes its wheels apart; friction pushes along a joint's coordinate with mu
 * times what presses its faces.
 */
#ifndef RBV_REACTION_DEPENDENT_LOADS_H
#define RBV_REACTION_DEPENDENT_LOADS_H

#include "reaction/reactions.h"

/* What friction of faces follows. */
typedef enum RbvFrictionPhase {
    RBV_FRICTION_SLIDES, /* the load on its faces */
    RBV_FRICTION_STICKS, /* nothing: a row holds it, which has a verdict like others */
    RBV_FRICTION_OPEN    /* nothing that is known: it has more than one solution */
} RbvFrictionPhase;

/* After the verdicts of all reactions, rigid or by compliances: friction gets the worst verdict of what it reads, and
 * reactions and efforts that answer to an open push get its verdict; the pushes are kept for combinations.
 * phase[friction contacts], or NULL: all slide. False: no memory. */
bool rbv_decide_dependent_loads(RbvReactions *reactions, const RbvState *state, const RbvFrictionPhase *phase);

/* How a component of a joint, the effort of a drive or constraint answers to a push. */
double rbv_push_on_component(const RbvReactions *reactions, const RbvState *state, const RbvPush *push, int32_t joint,
                             int component);
static inline double rbv_push_on_row(const RbvPush *push, int32_t row) {
    return -push->lambda[row];
}

/* A response below this part of the push is none. */
#define RBV_NO_RESPONSE 1e-9

#endif
