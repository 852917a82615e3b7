/* Sizing of a finished run: figures of drives, bearings, guides and screws from the columns of its result. */
#ifndef RBV_ANALYSIS_SIZING_SIZING_H
#define RBV_ANALYSIS_SIZING_SIZING_H

#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/result/result.h"

/* Evaluates all that the model rates into result->sized; the samples are one state (statics), or a run in time. Notes
 * go to `diagnostics`. False: no memory. */
bool rbv_size_result(const RbvModel *model, RbvResult *result, RbvDiagnostics *diagnostics);

#endif
