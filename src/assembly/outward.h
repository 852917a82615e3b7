/* An order of elimination for rows on body twists: bodies that are far from ground, counted in rows, come first. In a tree no row then meets another's rest; in a row of loops few do. */
#ifndef RBV_ASSEMBLY_OUTWARD_H
#define RBV_ASSEMBLY_OUTWARD_H

#include "system/system.h"

/* place[columns of bodies]: a permutation. False: no memory. */
bool rbv_outward_places(const RbvSystem *system, int32_t *place);

#endif
