/* Gears and belts need centres that keep their distance: checked at the assembled state. */
#ifndef RBV_ASSEMBLY_WHEELS_H
#define RBV_ASSEMBLY_WHEELS_H

#include "system/system.h"

/* Radii fit the distance to 1e-6, the other joints hold it, and the carrier named is the body that turns with the
 * line of centres. BAD_INPUT: said by name. */
RbvStatus rbv_check_wheels(RbvState *state, RbvDiagnostics *diagnostics);

#endif
