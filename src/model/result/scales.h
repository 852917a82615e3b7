/* Largest values of a result, unit by unit, and the rounding level of a value derived from them. */
#ifndef RBV_MODEL_RESULT_SCALES_H
#define RBV_MODEL_RESULT_SCALES_H

#include "core/base/tolerances.h"
#include "model/result/result.h"

/* The largest value of each unit. */
#define RBV_SCALES 40
typedef struct RbvScale {
    const char *unit;
    double largest;
} RbvScale;

typedef struct RbvScales {
    RbvScale of[RBV_SCALES];
    int32_t count;
} RbvScales;

/* Scales of all columns of a result. */
RbvScales rbv_scales(const RbvResult *result);
/* Rounding level of a value in an SI unit: RBV_ROUNDING times the largest value of that unit. Smaller values are
 * rounding. */
double rbv_scales_rounding(const RbvScales *scales, const char *si);
/* Rounding level of a column, in its SI unit: that of the unit; of unitless columns such as quaternion components
 * RBV_ROUNDING of 1. An output whose first, least or largest value is below the rounding propagated from the values
 * it reads has that rounding level. */
double rbv_scales_rounding_of(const RbvScales *scales, const RbvColumn *column);
/* Unit of a coordinate of an equilibrium: "rad", "m", or "" for a generalized coordinate. */
const char *rbv_coordinate_unit(const char *coordinate);

#endif
