/* The choice of a motor and a gear for each drive, from the efforts and rates of finished runs. */
#ifndef RBV_ANALYSIS_SIZING_CHOOSE_H
#define RBV_ANALYSIS_SIZING_CHOOSE_H

#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/result/result.h"

#include <roberval/options.h>

typedef struct RbvChooser RbvChooser;

/* Notes go to `diagnostics`. The options and their catalogue are the caller's. NULL: no memory. */
RbvChooser *rbv_chooser_create(const RbvModel *model, const RbvSizingOptions *options, RbvDiagnostics *diagnostics);
void rbv_chooser_destroy(RbvChooser *chooser);
/* Is there a drive for which some gear of the catalogue is, by its units? If not, that is reported as an error. */
bool rbv_chooser_suits(const RbvChooser *chooser, RbvDiagnostics *diagnostics);
/* Adds a run, whose result has rates of all drives; share: of the time, NaN: the only run. False: no memory. */
bool rbv_chooser_add(RbvChooser *chooser, const RbvResult *result, double share);
/* Evaluates every motor with every gear for every drive into result->choices, those that fit first. False: no memory.
 */
bool rbv_chooser_finish(RbvChooser *chooser, RbvResult *result);

#endif
