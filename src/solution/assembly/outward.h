/* Distance of bodies from ground, counted in rows: an order of elimination for rows on body twists, and the order in
 * which freedoms are named. */
#ifndef RBV_SOLUTION_ASSEMBLY_OUTWARD_H
#define RBV_SOLUTION_ASSEMBLY_OUTWARD_H

#include "mechanics/system/system.h"

/* place[columns of bodies]: a permutation, bodies far from ground first. In a tree the elimination causes no fill-in;
 * in a chain of loops little. False if out of memory. */
bool rbv_outward_places(const RbvSystem *system, int32_t *place);

/* joint[joints], body[bodies]: their indices from ground outward, at equal distance in alphabetic order, independent of
 * the order in the model (decision 0042). The distance of a joint is that of the nearer of its bodies; items not
 * connected to ground come last. False if out of memory. */
bool rbv_outward_order(const RbvSystem *system, int32_t *joint, int32_t *body);

#endif
