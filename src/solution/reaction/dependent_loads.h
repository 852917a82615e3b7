/* Verdicts of what depends on loads that depend on reactions: where such a reaction is open, the load is open, and
 * so is all that it acts on.
 *
 * A gear's radial force Fr = |Ft| tan(alpha)/cos(beta) pushes its wheels apart; friction acts along a joint's
 * coordinate with mu times the normal load of the contact. */
#ifndef RBV_SOLUTION_REACTION_DEPENDENT_LOADS_H
#define RBV_SOLUTION_REACTION_DEPENDENT_LOADS_H

#include "solution/reaction/reactions.h"

/* What friction of a contact depends on. */
typedef enum RbvFrictionPhase {
    RBV_FRICTION_SLIDES, /* the normal load */
    RBV_FRICTION_STICKS, /* no reaction: a constraint row keeps the contact from sliding and has a verdict of its own */
    RBV_FRICTION_OPEN    /* unknown: friction has more than one solution */
} RbvFrictionPhase;

/* After the verdicts of all reactions, rigid or by compliances: friction gets the worst verdict of the components
 * its normal load depends on; reactions and efforts that respond to an open push get the push's verdict. The pushes
 * stay in reactions->pushes for verdicts of combinations. phase[friction contacts], or NULL: all slide, those with a
 * sticking row stick. False: no memory. */
bool rbv_decide_dependent_loads(RbvReactions *reactions, const RbvState *state, const RbvFrictionPhase *phase);

/* Response of a joint's component to a unit of a push. */
double rbv_push_on_component(const RbvReactions *reactions, const RbvState *state, const RbvPush *push, int32_t joint,
                             int component);
/* Response of the effort of a drive or constraint, by its row, to a unit of a push. */
static inline double rbv_push_on_row(const RbvPush *push, int32_t row) {
    return -push->lambda[row];
}

#endif
