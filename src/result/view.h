/* What a view wants of a result: which things, in which units. */
#ifndef RBV_RESULT_VIEW_H
#define RBV_RESULT_VIEW_H

#include "result/result.h"

/* Is it to be shown: a thing ("leg1"), or a column ("leg1.Fx", which is shown with its thing)? */
bool rbv_view_shows(const RbvView *view, const char *name);
/* Of an SI unit the one that is printed, and its value in SI: the model's where the view wants them, else SI. */
RbvShownUnit rbv_view_unit(const RbvView *view, const RbvResult *result, const char *si);
/* Of a column of the series. With a parameter the first one is that: in SI unless the view wants the model's units. */
RbvShownUnit rbv_series_unit(const RbvView *view, const RbvResult *result, int32_t column);

#endif
