/* Ratings of drives, and of bearings, guides and screws of joints: data of a model that change no motion and no force
 * (include/roberval/sizing.h). */
#ifndef RBV_MODEL_MODEL_SIZED_H
#define RBV_MODEL_MODEL_SIZED_H

#include "core/base/names.h"

#include <roberval/sizing.h>

typedef enum RbvBearingSeries {
    RBV_BEARING_DEEP_GROOVE,
    RBV_BEARING_ANGULAR_CONTACT,
    RBV_BEARING_SELF_ALIGNING,
    RBV_BEARING_SPHERICAL_ROLLER,
    RBV_BEARING_TAPERED_ROLLER,
    RBV_BEARING_CYLINDRICAL_ROLLER,
    RBV_BEARING_GENERAL,
    RBV_BEARING_SERIES
} RbvBearingSeries;
extern const char *const rbv_bearing_series[]; /* [RBV_BEARING_SERIES] names, then NULL */
extern const char *const rbv_arrangements[];   /* "X", "O", NULL */

typedef enum RbvArrangement { RBV_ARRANGEMENT_NONE, RBV_ARRANGEMENT_X, RBV_ARRANGEMENT_O } RbvArrangement;

typedef struct RbvSized {
    RbvSizedKind kind;
    bool actuator; /* of a drive: index is that of an actuator */
    int32_t index; /* of the drive, actuator or joint */
    RbvPosition where;
    RbvRatingDef rating; /* drives; curves in the model's arena */
    RbvPlainDef plain;
    RbvGuideDef guide;
    RbvScrewLifeDef screw;
    RbvBearingDef bearing[2];
    RbvBearingSeries series[2];
    int32_t count; /* bearings: 1 or 2 */
    RbvArrangement arrangement;
} RbvSized;

/* A load case: values of parameters. */
typedef struct RbvCase {
    const char *name;
    RbvParameterValue *values; /* [count] in the model's arena */
    int32_t count;
} RbvCase;

/* What is wrong with the curve of a motor; NULL: nothing, or it has none. It rises in speed from 0 or more, its efforts
 * are not negative, the continuous one not above the peak, and the peak does not rise with speed. */
const char *rbv_rating_curve_wrong(const RbvRatingDef *def);

#endif
