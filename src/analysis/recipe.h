/* What the recipes of analyses share. */
#ifndef RBV_ANALYSIS_RECIPE_H
#define RBV_ANALYSIS_RECIPE_H

#include "analysis/audit.h"
#include "analysis/record.h"

/* Notes and warnings from number `from` on into the result: what a reader must know stands there too. False: no memory. */
bool rbv_copy_notes(RbvResult *result, const RbvDiagnostics *diagnostics, int32_t from, const RbvModel *model);
/* The audit's figures into the result: the largest of all samples told so far. */
void rbv_fill_audit(RbvResult *result, const RbvAudit *audit);
/* Warn of contacts and strands that pull where they could only push, at the first sample where it happens. */
void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics);
/* The state at rest that statics finds, as the start of something else: *state is new. Statuses as of rbv_statics. */
RbvStatus rbv_statics_place(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics, RbvState **state);
/* Tell the caller's progress function about sample k now and then; false: it wants to stop. */
bool rbv_goes_on(const RbvOptions *options, int32_t k, int32_t count);

#endif
