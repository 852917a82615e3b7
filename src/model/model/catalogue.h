/* A catalogue of motors and gears, from which rbv_size chooses (include/roberval/sizing.h). */
#ifndef RBV_MODEL_MODEL_CATALOGUE_H
#define RBV_MODEL_MODEL_CATALOGUE_H

#include "core/base/arena.h"

#include <roberval/sizing.h>

typedef struct RbvMotor {
    const char *name;
    RbvRatingDef rating; /* N m, rad/s */
    double inertia;      /* [kg m^2] */
} RbvMotor;

/* What coordinate a gear is for, by the units of its ratio and peak. */
typedef enum RbvGearOf { RBV_GEAR_OF_ANY, RBV_GEAR_OF_ANGLE, RBV_GEAR_OF_LENGTH } RbvGearOf;

typedef struct RbvGear {
    const char *name; /* "5", or that of the catalogue */
    double ratio;     /* speed of the motor over that of the coordinate: rad/rad, of a length rad/m; NaN: that of the
                         drive's own rotor */
    RbvGearOf of;
    double efficiency;
    double inertia; /* [kg m^2] at the motor's shaft */
    double peak;    /* [N m or N] largest effort along the coordinate; INFINITY: not given */
    bool has_efficiency;
} RbvGear;

struct RbvCatalogue {
    RbvArena arena;
    RbvMotor *motors; /* [motor_count] */
    RbvGear *gears;   /* [gear_count] */
    int32_t motor_count, gear_count;
    const char *gear_file; /* of the gears, with the unit that says what they are for; NULL: no file */
    RbvPosition gear_at;
};

#endif
