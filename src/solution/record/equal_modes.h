/* Chooses the shapes of modes with equal roots: any combination of them is a mode as well, so a rule has to choose
 * (decision 0042). */
#ifndef RBV_SOLUTION_RECORD_EQUAL_MODES_H
#define RBV_SOLUTION_RECORD_EQUAL_MODES_H

#include "solution/record/record.h"

/* Replaces the shapes [height] of modes[count], which have one root, by others of the same space; a shape contains v
 * and the user's states. parts[count][part_count]: how each mode moves the named coordinates. False: no memory. */
bool rbv_choose_equal_modes(const RbvState *state, RbvModalMotion *modes, int32_t count, int32_t height,
                            RbvOscillationPart *const *parts, int32_t part_count);

#endif
