/* Checks of an assembled state against the freedoms that its rows leave: drives, bodies, centres of wheels. */
#ifndef RBV_SOLUTION_ASSEMBLY_FREEDOM_CHECKS_H
#define RBV_SOLUTION_ASSEMBLY_FREEDOM_CHECKS_H

#include "mechanics/system/system.h"
#include "solution/assembly/freedom.h"

/* Reports each drive that finds no freedom beside joints, constraints and the drives before it (of positions only if
 * `positions`), and which of those drives move its freedom. `when` begins the sentence: "", or "from t = 1 s on ".
 * Returns how many; -1: out of memory. */
int32_t rbv_report_overdriven(RbvState *state, bool positions, const char *when, RbvSeverity severity,
                              RbvDiagnostics *diagnostics);
/* For an assembly that failed with status `failed`, reported in `reported`: if drives are too many at the pose nearest
 * to an assembly, this is reported first and the status is BAD_INPUT; then `reported` is appended to diagnostics. */
RbvStatus rbv_blame_drives(RbvState *state, RbvStatus failed, RbvDiagnostics *reported, RbvDiagnostics *diagnostics);

/* Notes the bodies that no joint, constraint or drive touches. False if out of memory. */
bool rbv_note_untouched(const RbvSystem *system, RbvDiagnostics *diagnostics);

/* Describes where a joint may be missing: bodies without any joint, else bodies at the end of a single joint that is
 * loose in the remaining freedom: "nothing holds body 'b'"; "" if there are none. */
void rbv_describe_loose(RbvFreedom *freedom, const RbvState *state, char *text, size_t size);

/* Checks the gears and belts of an assembled state: radii fit the centre distance to 1e-6, other joints keep the
 * distance, and the named carrier is the body that turns with the line of centres. BAD_INPUT: reported by name. */
RbvStatus rbv_check_wheels(RbvState *state, RbvDiagnostics *diagnostics);

#endif
