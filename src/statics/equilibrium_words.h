/* Description of an equilibrium in the result: energy, stability, coordinates, poses. */
#ifndef RBV_STATICS_EQUILIBRIUM_WORDS_H
#define RBV_STATICS_EQUILIBRIUM_WORDS_H

#include "solution/record/record.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

/* Writes energy, stability, the coordinate along which the energy decreases, coordinates of joints and poses of bodies
 * into *to, in the result's memory. `motion` [n]: its largest coordinate is named instead of the one along which the
 * energy decreases; NULL: none. False if out of memory. */
bool rbv_equilibrium_words(RbvRecord *record, const RbvEquilibriumSearch *search, const RbvStability *stability,
                           const double *motion, const char *method, RbvEquilibrium *to);

#endif
