/* Many equilibria: a bounded search from many starts (statics --all). */
#ifndef RBV_STATICS_ALL_EQUILIBRIA_H
#define RBV_STATICS_ALL_EQUILIBRIA_H

#include "record/record.h"

/* From the equilibrium in `found` (unchanged) and from random starts, downhill and by Newton: every one that differs, by rising energy where there is one, into the result of `record`.
 * Not a proof that there are no others. NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_find_equilibria(const RbvState *found, const RbvOptions *options, bool has_energy, RbvRecord *record);

#endif
