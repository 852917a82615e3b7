/* Sizing of a finished run: figures of drives, bearings, guides and screws from the columns of its result. */
#ifndef RBV_ANALYSIS_SIZING_SIZING_H
#define RBV_ANALYSIS_SIZING_SIZING_H

#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/result/result.h"

/* Evaluates all that the model rates into result->sized; the samples are one state (statics), or a run in time. Notes
 * go to `diagnostics`. False: no memory. */
bool rbv_size_result(const RbvModel *model, RbvResult *result, RbvDiagnostics *diagnostics);

/* The same of several runs of one model, load cases with their shares of the time: each is added, then the figures go
 * into one of the results, which all must live until then; plots are in the first's memory. share NaN: the only run.
 * NULL, false: no memory. */
typedef struct RbvSizing RbvSizing;
/* Rates and second rates of a drive up to still[2] are rest: parts of its own largest that are the rounding of a table,
 * or of the fastest of the run that are rounding. rate: their first column; angle: are they of an angle? */
void rbv_shaft_rest(const RbvResult *result, int32_t rate, bool angle, double still[2]);
RbvSizing *rbv_sizing_create(const RbvModel *model, RbvDiagnostics *diagnostics);
void rbv_sizing_destroy(RbvSizing *sizing);
bool rbv_sizing_add(RbvSizing *sizing, RbvResult *result, double share);
/* Name of a part whose rating differs between the runs; NULL: none. */
const char *rbv_sizing_changed(const RbvSizing *sizing);
bool rbv_sizing_finish(RbvSizing *sizing, RbvResult *result);

#endif
