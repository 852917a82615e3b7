/* statics --follow: path of an equilibrium along a parameter, with its events, into a record. */
#ifndef RBV_STATICS_FOLLOW_H
#define RBV_STATICS_FOLLOW_H

#include "statics/verify.h"

/* Follows the path from the equilibrium in `first`, which is verified and recorded as the first sample, to the other
 * end of the family; every point is a sample. OK, also if the path returns to its start: see result->followed.
 * NO_EQUILIBRIUM: the path cannot be followed further (reported); INTERRUPTED; in both cases the samples so far are
 * recorded. Other statuses as of rbv_equilibrium_verify. */
RbvStatus rbv_follow(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *first, bool has_energy);

#endif
