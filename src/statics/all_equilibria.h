/* Search for many equilibria from many starts, bounded in number (statics --all). */
#ifndef RBV_STATICS_ALL_EQUILIBRIA_H
#define RBV_STATICS_ALL_EQUILIBRIA_H

#include "statics/verify.h"

/* Equilibria found from the one in `found` (its state is unchanged) and from random starts, downhill and by Newton's
 * method. The result of the verifier's record gets every equilibrium that differs from the others, one of each family
 * of equal ones, in the order of rbv_sort_equilibria. Each equilibrium is audited; one without forces, or one that
 * fails the audit, is left out with a note. The list is no proof that there are no other equilibria. OK; NO_MEMORY;
 * INTERRUPTED. */
RbvStatus rbv_find_equilibria(const RbvState *found, RbvEquilibriumVerifier *verifier, bool has_energy,
                              const RbvSupports *supports);

#endif
