/* Reports of too many drives and of remaining freedoms. */
#ifndef RBV_SOLUTION_ASSEMBLY_DRIVES_H
#define RBV_SOLUTION_ASSEMBLY_DRIVES_H

#include "solution/assembly/freedom.h"

/* Reports each drive that finds no freedom beside joints, constraints and the drives before it (of positions only if
 * `positions`), and which of those drives move its freedom. `when` begins the sentence: "", or "from t = 1 s on ".
 * Returns how many; -1: out of memory. */
int32_t rbv_report_overdriven(RbvState *state, bool positions, const char *when, RbvSeverity severity,
                              RbvDiagnostics *diagnostics);
/* For an assembly that failed with status `failed`, reported in `said`: if drives are too many at the pose nearest to
 * an assembly, this is reported first and the status is BAD_INPUT; then `said` is appended to diagnostics. */
RbvStatus rbv_blame_drives(RbvState *state, RbvStatus failed, RbvDiagnostics *said, RbvDiagnostics *diagnostics);

/* Notes the bodies that no joint, constraint or drive touches. False if out of memory. */
bool rbv_note_untouched(const RbvSystem *system, RbvDiagnostics *diagnostics);

/* Describes where a joint may be missing: bodies without any joint, else bodies at the end of a single joint that is
 * loose in the remaining freedom: "nothing holds body 'b'"; "" if there are none. */
void rbv_describe_loose(RbvFreedom *freedom, const RbvState *state, char *text, size_t size);

#endif
