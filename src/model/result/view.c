/* Selection of items and units that a view requests of a result; see view.h. */
#include "model/result/view.h"

#include <fnmatch.h>
#include <string.h>

RbvView rbv_view_default(void) {
    return (RbvView){.width = 100};
}

/* Does the pattern match the whole name, or that of the item that the column belongs to (up to the first point)? */
static bool fits(const char *pattern, const char *name) {
    char owner[RBV_NAME_SIZE];
    size_t length = strcspn(name, ".");
    if (fnmatch(pattern, name, 0) == 0)
        return true;
    if (length >= sizeof owner)
        return false;
    memcpy(owner, name, length);
    owner[length] = '\0';
    return fnmatch(pattern, owner, 0) == 0;
}

bool rbv_view_shows(const RbvView *view, const char *name) {
    bool shown = view->only_count == 0;
    for (int32_t k = 0; k < view->only_count && !shown; k++)
        shown = fits(view->only[k], name);
    return shown;
}

/* Number of items of a model without columns that match. */
static int32_t things_that_fit(const RbvInfo *info, const char *pattern) {
    const RbvInfoList *const lists[] = {&info->coordinates, &info->constraints, &info->drives, &info->loads,
                                        &info->initial,     &info->parameters,  &info->tables, &info->outputs,
                                        &info->stops,       &info->states,      &info->events, &info->generalized,
                                        &info->required,    &info->actuators};
    int32_t count = 0;
    for (int32_t k = 0; k < info->body_count; k++)
        count += fits(pattern, info->bodies[k].name);
    for (int32_t k = 0; k < info->joint_count; k++)
        count += fits(pattern, info->joints[k].name);
    for (size_t n = 0; n < sizeof lists / sizeof lists[0]; n++)
        for (int32_t k = 0; k < lists[n]->count; k++)
            count += fits(pattern, lists[n]->items[k].name);
    return count;
}

int32_t rbv_result_match_count(const RbvResult *result, const char *pattern) {
    int32_t count = result && pattern ? things_that_fit(&result->info, pattern) : 0;
    for (int32_t c = 1; result && pattern && c < result->column_count; c++)
        count += fits(pattern, result->columns[c].name);
    return count;
}

RbvShownUnit rbv_view_unit(const RbvView *view, const RbvResult *result, const char *si) {
    for (int d = RBV_DIM_LENGTH; view->model_units && d < RBV_DIM_COUNT; d++)
        if (result->units[d].text && strcmp(rbv_dimension_si((RbvDimension)d), si) == 0)
            return result->units[d];
    return (RbvShownUnit){si, 1};
}

RbvShownUnit rbv_series_unit(const RbvView *view, const RbvResult *result, int32_t column) {
    if (column == 0 && result->followed.parameter && result->followed.shown.text && view->model_units)
        return result->followed.shown;
    return rbv_view_unit(view, result, result->columns[column].unit);
}
