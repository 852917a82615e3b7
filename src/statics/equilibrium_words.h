/* What statics says of its equilibrium, into the result. */
#ifndef RBV_STATICS_EQUILIBRIUM_WORDS_H
#define RBV_STATICS_EQUILIBRIUM_WORDS_H

#include "record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

/* Energy, stability, the coordinate it falls by, coordinates of joints and poses of bodies into *to, in the result's
 * memory. `motion` [n]: the motion whose largest coordinate is named instead of the one it falls by; or NULL. False:
 * no memory. */
bool rbv_equilibrium_words(RbvRecord *record, const RbvEquilibriumSearch *search, const RbvStability *stability,
                           const double *motion, const char *method, RbvEquilibrium *to);

#endif
