/* Checks at the assembled state that the centres of gears and belts keep their distance. */
#ifndef RBV_SOLUTION_ASSEMBLY_WHEELS_H
#define RBV_SOLUTION_ASSEMBLY_WHEELS_H

#include "mechanics/system/system.h"

/* Radii fit the centre distance to 1e-6, other joints keep the distance, and the named carrier is the body that turns
 * with the line of centres. BAD_INPUT: reported by name. */
RbvStatus rbv_check_wheels(RbvState *state, RbvDiagnostics *diagnostics);

#endif
