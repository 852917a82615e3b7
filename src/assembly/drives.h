/* Drives too many, and freedoms too many, in words. */
#ifndef RBV_ASSEMBLY_DRIVES_H
#define RBV_ASSEMBLY_DRIVES_H

#include "assembly/freedom.h"

/* Says of each drive that finds no freedom beside joints, constraints and the drives before it (of positions alone,
 * or of rates) which of those move it; `when` begins the sentence: "", or "from t = 1 s on ". How many; -1: no
 * memory. */
int32_t rbv_report_overdriven(RbvState *state, bool positions, const char *when, RbvSeverity severity,
                              RbvDiagnostics *diagnostics);
/* Assembly has failed, and `said` says how. Are drives the cause, at the pose nearest to it? Then that is said first,
 * and the status is BAD_INPUT. */
RbvStatus rbv_blame_drives(RbvState *state, RbvStatus failed, RbvDiagnostics *said, RbvDiagnostics *diagnostics);

/* Notes the bodies that no joint, constraint or drive touches. False: no memory. */
bool rbv_note_untouched(const RbvSystem *system, RbvDiagnostics *diagnostics);

/* Where a joint may be missing: bodies that no joint holds, else those at the end of a single joint that is loose in
 * the freedom left: "nothing holds body 'b'"; "" when there are none. */
void rbv_describe_loose(RbvFreedom *freedom, const RbvState *state, char *text, size_t size);

#endif
