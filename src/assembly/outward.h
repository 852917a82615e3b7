/* How far bodies are from ground, counted in rows: an order of elimination for rows on body twists, and the order in
 * which freedoms are named. */
#ifndef RBV_ASSEMBLY_OUTWARD_H
#define RBV_ASSEMBLY_OUTWARD_H

#include "system/system.h"

/* place[columns of bodies]: a permutation, bodies far from ground first. In a tree no row then meets another's rest; in
 * a row of loops few do. False: no memory. */
bool rbv_outward_places(const RbvSystem *system, int32_t *place);

/* joint[joints], body[bodies]: their numbers from ground outward, of those equally far in the alphabet of their
 * names, wherever they stand in the model (decision 0042). A joint is as far as the nearer of its bodies; what no row
 * joins to ground comes last. False: no memory. */
bool rbv_outward_order(const RbvSystem *system, int32_t *joint, int32_t *body);

#endif
