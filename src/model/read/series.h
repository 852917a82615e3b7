/* Header cells of series.csv: "rod.x [m]", "rod.Fx [N] (not unique)". */
#ifndef RBV_MODEL_READ_SERIES_H
#define RBV_MODEL_READ_SERIES_H

#include "core/base/units.h"

#include <roberval/folder.h>

typedef struct RbvSeriesHead {
    size_t name;              /* length of the name at the start of the cell */
    size_t unit, unit_length; /* offset and length of the unit; length 0: none */
    RbvUnit is;               /* factor NaN: unknown unit; 1: no unit */
    bool has_verdict;
    RbvVerdict verdict;
} RbvSeriesHead;

RbvSeriesHead rbv_series_head(const char *cell, size_t length);

#endif
