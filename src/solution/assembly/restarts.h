/* Descents from the starting poses, from bodies placed along the joints, and from poses turned and moved at random with
 * increasing amplitude, until all rows are satisfied. */
#ifndef RBV_SOLUTION_ASSEMBLY_RESTARTS_H
#define RBV_SOLUTION_ASSEMBLY_RESTARTS_H

#include "solution/assembly/descent.h"

/* Starts from the q and turns of d, whose rows are weighed. Parts of the mechanism that one descent has closed are not
 * moved by the next. assembly->restarts, ->error: of the position found. NOT_ASSEMBLED, INCONSISTENT (rows that
 * contradict each other at any position), NOT_FINITE: explained in diagnostics; NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_assemble_from_other_poses(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly);

#endif
