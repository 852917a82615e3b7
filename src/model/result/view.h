/* Selection of items and units that a view requests of a result. */
#ifndef RBV_MODEL_RESULT_VIEW_H
#define RBV_MODEL_RESULT_VIEW_H

#include "model/result/result.h"

/* Is this item ("leg1"), or this column ("leg1.Fx", shown with its item), to be shown? */
bool rbv_view_shows(const RbvView *view, const char *name);
/* Printed unit for an SI unit, with its value in SI: the model's unit if the view requests the model's units, else
 * SI. */
RbvShownUnit rbv_view_unit(const RbvView *view, const RbvResult *result, const char *si);
/* Printed unit of a column of the series. If a parameter was varied, the first column is the parameter: in SI unless
 * the view requests the model's units. */
RbvShownUnit rbv_series_unit(const RbvView *view, const RbvResult *result, int32_t column);

#endif
