/* statics --follow: the path of an equilibrium along a parameter, with its events, into a record. */
#ifndef RBV_STATICS_FOLLOW_H
#define RBV_STATICS_FOLLOW_H

#include "statics/verify.h"

/* From the equilibrium in `first`, judged and recorded as the first sample, to the other end of the family. Every
 * place is a sample. OK also where the path comes back to its start: result->followed says so. NO_EQUILIBRIUM: it
 * cannot be followed further, said; INTERRUPTED: in both the places so far are recorded. Others as of
 * rbv_equilibrium_verify. */
RbvStatus rbv_follow(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *first, bool has_energy);

#endif
