/* Units: SI value and dimension of a written unit such as "N/mm". */
#ifndef RBV_CORE_BASE_UNITS_H
#define RBV_CORE_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Dimensions that the model file names. RBV_DIM_ANY accepts every unit (a parameter). */
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
    RBV_DIM_PRESSURE_SPEED, /* of a plain bearing */
    RBV_DIM_WEAR,           /* depth per sliding distance and pressure */
    RBV_DIM_COUNT,
    RBV_DIM_ANY = RBV_DIM_COUNT
} RbvDimension;

enum { RBV_OF_LENGTH, RBV_OF_MASS, RBV_OF_TIME, RBV_OF_ANGLE, RBV_OF_CYCLE, RBV_BASE_DIMENSIONS };

typedef struct RbvExponents {
    int16_t half[RBV_BASE_DIMENSIONS]; /* twice the exponent of each base dimension: half exponents are exact */
    int16_t joules;                    /* number of energy units (J, W) contained */
} RbvExponents;

/* Name of a dimension, "length", "torsional stiffness", ...; and its SI unit as printed: "m", "N.m/rad", ... ("" for a
 * pure number). */
const char *rbv_dimension_name(RbvDimension dimension);
const char *rbv_dimension_si(RbvDimension dimension);
/* Dimension of the key `name` under `units:` ("torsional_stiffness"), or -1; the key of a dimension. */
int32_t rbv_dimension_find(const char *name);
const char *rbv_dimension_key(RbvDimension dimension);
/* Exponents of a named dimension; for RBV_DIM_ANY those of a pure number. */
RbvExponents rbv_dimension_exponents(RbvDimension dimension);

bool rbv_exponents_equal(RbvExponents a, RbvExponents b);
/* True if all exponents but that of angle are zero. */
bool rbv_exponents_pure(RbvExponents a);
/* *out = a b^power, with the power in halves. The product of an energy and another quantity counts as a torque times an
 * angle. False: exponents out of range. */
bool rbv_exponents_product(RbvExponents a, RbvExponents b, int32_t half_power, RbvExponents *out);

/* May two quantities be added or compared? rad fits 1; force x length fits a torque or an energy. */
bool rbv_exponents_fit(RbvExponents a, RbvExponents b);
/* Does a quantity fit the requested dimension? RBV_DIM_ANY takes all; J is no torque; 1/s is a frequency. */
bool rbv_exponents_suit(RbvExponents a, RbvDimension requested);
/* The named dimension with exactly these exponents, or RBV_DIM_ANY. */
RbvDimension rbv_exponents_named(RbvExponents a);

/* SI unit as printed, into text[size], size >= 64: that of the named dimension, else composed ("kg.m/s"), "" for a pure
 * number. A length times any power of rad is printed as a length. */
void rbv_exponents_si(RbvExponents a, char *text, size_t size);
/* As rbv_exponents_si, but with every rad: m.rad is no length. */
void rbv_exponents_si_whole(RbvExponents a, char *text, size_t size);
/* In words, for messages, into text[size], size >= 96: "a length [m]", "an angular velocity [rad/s]", "a pure number",
 * "a quantity in kg.m/s". */
void rbv_exponents_words(RbvExponents a, char *text, size_t size);
void rbv_dimension_words(RbvDimension dimension, char *text, size_t size);

#define RBV_PI 3.14159265358979323846

typedef struct RbvUnit {
    double factor; /* value in SI = number * factor */
    RbvExponents exponents;
} RbvUnit;

/* A unit as written, and its SI value. */
typedef struct RbvShownUnit {
    const char *text; /* NULL: none was written */
    double factor;
} RbvShownUnit;

/* Parse a unit such as "kg.m^2", "N mm/deg", "m/s^2", "Nm", "rad/(N.m)". Factors are joined by '.', '*', blank or a
 * middle dot; '/' divides by the next factor. False: not a unit; then *unknown (may be NULL) is the offset of the part
 * not understood. */
bool rbv_unit_parse(const char *text, size_t length, RbvUnit *unit, size_t *unknown);

/* Does the unit have exactly this dimension? (1/s has that of a frequency.) */
bool rbv_unit_measures(const RbvUnit *unit, RbvDimension dimension);
/* The named dimension of the unit, or RBV_DIM_ANY if it has no name here. */
RbvDimension rbv_unit_dimension(const RbvUnit *unit);
/* The unit of the table nearest to a misspelt one, or NULL. */
const char *rbv_unit_nearest(const char *text, size_t length);

/* Parse a decimal number as in YAML 1.2 core or C (no hexadecimal, no inf, no nan), in any locale. Returns the number
 * of characters used, 0: no number at the start. */
size_t rbv_number_parse(const char *text, double *value);
/* Print `value` with as few digits as read back to the same double (at most 17), '.' as decimal point in every locale.
 * Returns the length. `size` >= 32. */
size_t rbv_number_print(char *buffer, size_t size, double value);

#endif
