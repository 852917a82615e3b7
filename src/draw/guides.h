/* Rails, plates, racks and hatching, as long as what goes along them needs. */
#ifndef RBV_DRAW_GUIDES_H
#define RBV_DRAW_GUIDES_H

#include "result/scene.h"

/* *spread: the scene of the result with its guides drawn out over samples[count] (-1: the state of the scene); its
 * figures and their points are in the arena. False: no memory. */
bool rbv_guides_spread(const RbvResult *result, const int32_t *samples, int32_t count, RbvArena *arena,
                       RbvScene *spread);

#endif
