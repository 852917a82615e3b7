/* What friction in a joint depends on: the load N on its sliding faces, of the joint's reaction. Effort at the limit: mu N against the sliding rate. */
#ifndef RBV_REACTION_FRICTION_LAW_H
#define RBV_REACTION_FRICTION_LAW_H

#include "reaction/reactions.h"

/* The joint's force along x, y and torque about z in its own axes, from multipliers lambda[rows], and forces along lines of centres where `lines`. */
void rbv_friction_reaction(const RbvReactions *reactions, const RbvState *state, int32_t joint, const double *lambda, bool lines, double out[3]);
/* N of a joint with that reaction [N, or N m of a pin], and its derivatives. */
double rbv_friction_load(const RbvJoint *joint, const double reaction[3], double slope[3]);

#endif
