/* Extends rails, plates, racks and hatching over the length that the bodies travel along them. */
#ifndef RBV_OUTPUT_DRAW_GUIDES_H
#define RBV_OUTPUT_DRAW_GUIDES_H

#include "model/result/scene.h"

/* *spread: the scene of the result with its guides extended over samples[count] (-1: the state of the scene). Figures
 * and their points are in the arena. False: out of memory. */
bool rbv_guides_spread(const RbvResult *result, const int32_t *samples, int32_t count, RbvArena *arena,
                       RbvScene *spread);

#endif
