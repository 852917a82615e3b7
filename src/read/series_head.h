/* A cell of the header of a series.csv: "rod.x [m]", "rod.Fx [N] (not unique)". */
#ifndef RBV_READ_SERIES_HEAD_H
#define RBV_READ_SERIES_HEAD_H

#include <roberval/result.h>

#include "base/units.h"

typedef struct RbvSeriesHead {
    size_t name;              /* length of the name, which begins the cell */
    size_t unit, unit_length; /* where the unit stands; length 0: there is none */
    RbvUnit is;               /* factor NaN: a unit that is not known; 1: none */
    bool has_verdict;
    RbvVerdict verdict;
} RbvSeriesHead;

RbvSeriesHead rbv_series_head(const char *cell, size_t length);

#endif
