/* Dimensions: what a quantity measures, as a vector of exponents over length, mass, time, angle and cycle.
 *
 * Angle is a dimension of its own (rad is not 1), and so is the cycle (Hz is cycle/s, neither rad/s nor 1/s). Torque
 * and energy are both force x length; what is written J or W carries a mark, so that "5 J" is no torque. The dimensions
 * of the model file (force, stiffness, density, ...) are names of vectors.
 */
#ifndef RBV_BASE_DIMENSION_H
#define RBV_BASE_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The dimensions that the model file knows by name. RBV_DIM_ANY accepts every unit (a parameter). */
typedef enum RbvDimension {
    RBV_DIM_NONE, /* a pure number */
    RBV_DIM_LENGTH,
    RBV_DIM_ANGLE,
    RBV_DIM_MASS,
    RBV_DIM_TIME,
    RBV_DIM_FORCE,
    RBV_DIM_TORQUE,
    RBV_DIM_INERTIA,
    RBV_DIM_STIFFNESS,
    RBV_DIM_DAMPING,
    RBV_DIM_TORSIONAL_STIFFNESS,
    RBV_DIM_TORSIONAL_DAMPING,
    RBV_DIM_DENSITY,
    RBV_DIM_VELOCITY,
    RBV_DIM_ANGULAR_VELOCITY,
    RBV_DIM_ACCELERATION,
    RBV_DIM_ANGULAR_ACCELERATION,
    RBV_DIM_FREQUENCY,
    RBV_DIM_AREA,
    RBV_DIM_VOLUME,
    RBV_DIM_PRESSURE,
    RBV_DIM_ENERGY,
    RBV_DIM_POWER,
    RBV_DIM_COMPLIANCE,
    RBV_DIM_TORSIONAL_COMPLIANCE,
    RBV_DIM_COUNT,
    RBV_DIM_ANY = RBV_DIM_COUNT
} RbvDimension;

enum { RBV_OF_LENGTH, RBV_OF_MASS, RBV_OF_TIME, RBV_OF_ANGLE, RBV_OF_CYCLE, RBV_BASE_DIMENSIONS };

typedef struct RbvExponents {
    int16_t half[RBV_BASE_DIMENSIONS]; /* twice the exponent of each: halves are exact */
    int16_t joules;                    /* how many times an energy unit (J, W) is in it */
} RbvExponents;

/* "length", "torsional stiffness", ... ; and its SI unit as printed: "m", "N.m/rad", ... ("" for a pure number). */
const char *rbv_dimension_name(RbvDimension dimension);
const char *rbv_dimension_si(RbvDimension dimension);
/* The dimension with the key `name` as written under `units:` ("torsional_stiffness"), or -1; the key of a dimension.
 */
int32_t rbv_dimension_find(const char *name);
const char *rbv_dimension_key(RbvDimension dimension);
/* The vector of a named dimension; of ANY that of a pure number. */
RbvExponents rbv_dimension_exponents(RbvDimension dimension);

bool rbv_exponents_equal(RbvExponents a, RbvExponents b);
/* No exponent but of angle. */
bool rbv_exponents_pure(RbvExponents a);
/* *out = a b^power, power in halves. An energy that is multiplied is a torque times an angle. False where it leaves the
 * range of sensible exponents. */
bool rbv_exponents_product(RbvExponents a, RbvExponents b, int32_t half_power, RbvExponents *out);

/* May the two be added, compared, held against each other? rad fits 1, force x length is a torque or an energy. */
bool rbv_exponents_fit(RbvExponents a, RbvExponents b);
/* Does a value of this vector fit where that dimension is wanted? ANY takes all; J alone is no torque; 1/s is a
 * frequency. */
bool rbv_exponents_suit(RbvExponents a, RbvDimension requested);
/* The named dimension that has exactly this vector, or RBV_DIM_ANY. */
RbvDimension rbv_exponents_named(RbvExponents a);

/* Its SI unit as printed: of the named dimension, else composed ("kg.m/s"), "" for a pure number: into text[size], size
 * >= 64. What is a length but for rad is a length. */
void rbv_exponents_si(RbvExponents a, char *text, size_t size);
/* The same with every rad of it: m.rad is no length. */
void rbv_exponents_si_whole(RbvExponents a, char *text, size_t size);
/* In words, for messages: "a length [m]", "an angular velocity [rad/s]", "a pure number", "a quantity in kg.m/s": into
 * text[size], size >= 96. */
void rbv_exponents_words(RbvExponents a, char *text, size_t size);
void rbv_dimension_words(RbvDimension dimension, char *text, size_t size);

#endif
