/* Many equilibria: a bounded search from many starts (statics --all). */
#ifndef RBV_STATICS_ALL_EQUILIBRIA_H
#define RBV_STATICS_ALL_EQUILIBRIA_H

#include "statics/verify.h"

/* From the equilibrium in `found` (unchanged) and from random starts, downhill and by Newton: every one that differs,
 * of a family of equal ones one, in the order of rbv_sort_equilibria, into the result of the judge's record. Each is
 * audited; one at which no forces are found, or they fail the audit, is left out, with a note. Not a proof that there
 * are no others. NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_find_equilibria(const RbvState *found, RbvEquilibriumVerifier *verifier, bool has_energy,
                              const RbvSupports *supports);

#endif
