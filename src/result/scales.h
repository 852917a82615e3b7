/* How large the values of a result are, unit by unit, and what of a value is nothing but rounding of others. */
#ifndef RBV_RESULT_SCALES_H
#define RBV_RESULT_SCALES_H

#include "result/result.h"

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

/* Of what a sum is made of, its rounding. */
#define RBV_ROUNDING 1e-13

/* The scales of a result as it is. */
RbvScales rbv_scales(const RbvResult *result);
/* Below this a value of the SI unit is rounding. */
double rbv_scales_rounding(const RbvScales *scales, const char *si);
/* Of a column: parts of a quaternion are parts of 1, and what an output reads may be off by its own rounding, at the
 * places whose values are shown. */
double rbv_scales_rounding_of(const RbvScales *scales, const RbvColumn *column);
/* "rad", "m", or "" of a generalized one: of a coordinate of an equilibrium. */
const char *rbv_coordinate_unit(const char *coordinate);

#endif
