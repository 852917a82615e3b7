/* Units and dimensions: what "250 N/mm" is in SI, and whether it is a stiffness.
 *
 * A dimension is a vector of exponents of length, mass, time and angle. Angle is a dimension of its own (rad is not 1),
 * so a rotational speed (rad/s, rpm) is not a frequency (Hz). Torque (N.m) is no energy: J, and W with it, carry a mark.
 */
#ifndef RBV_BASE_UNITS_H
#define RBV_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The dimensions that the model file knows by name. RBV_DIM_ANY accepts every unit (a parameter). */
typedef enum RbvDimension {
    RBV_DIM_NONE, /* a pure number */
    RBV_DIM_LENGTH, RBV_DIM_ANGLE, RBV_DIM_MASS, RBV_DIM_TIME, RBV_DIM_FORCE, RBV_DIM_TORQUE, RBV_DIM_INERTIA,
    RBV_DIM_STIFFNESS, RBV_DIM_DAMPING, RBV_DIM_TORSIONAL_STIFFNESS, RBV_DIM_TORSIONAL_DAMPING, RBV_DIM_DENSITY,
    RBV_DIM_VELOCITY, RBV_DIM_ANGULAR_VELOCITY, RBV_DIM_ACCELERATION, RBV_DIM_ANGULAR_ACCELERATION, RBV_DIM_FREQUENCY,
    RBV_DIM_AREA, RBV_DIM_VOLUME, RBV_DIM_PRESSURE, RBV_DIM_ENERGY, RBV_DIM_POWER, RBV_DIM_COMPLIANCE, RBV_DIM_TORSIONAL_COMPLIANCE,
    RBV_DIM_COUNT,
    RBV_DIM_ANY = RBV_DIM_COUNT
} RbvDimension;

typedef struct RbvUnit {
    double factor;       /* value in SI = number * factor */
    int8_t exponent[4];  /* length, mass, time, angle */
    int8_t energy;       /* how many times an energy unit (J, W) is in it */
} RbvUnit;

/* "length", "torsional stiffness", ... ; and its SI unit as printed: "m", "N.m/rad", ... ("" for a pure number). */
const char *rbv_dimension_name(RbvDimension dimension);
const char *rbv_dimension_si(RbvDimension dimension);
/* The dimension with the key `name` as written under `units:` ("torsional_stiffness"), or -1; the key of a dimension. */
int32_t rbv_dimension_find(const char *name);
const char *rbv_dimension_key(RbvDimension dimension);

/* Parse a unit such as "kg.m^2", "N mm/deg", "m/s^2", "Nm", "rad/(N.m)". Factors are joined by '.', '*', blank or a
 * middle dot; '/' divides by the next factor. False when the text is no unit; then *unknown (when not NULL) is the
 * offset of the part that is not understood. */
bool rbv_unit_parse(const char *text, size_t length, RbvUnit *unit, size_t *unknown);

/* Does the unit measure this dimension? */
bool rbv_unit_measures(const RbvUnit *unit, RbvDimension dimension);
/* The named dimension that the unit measures, or RBV_DIM_ANY when it has no name here. */
RbvDimension rbv_unit_dimension(const RbvUnit *unit);
/* The SI unit of the same dimension as printed ("N/m", "kg.m^3"), "" for a pure number: into text[size], size >= 48. */
void rbv_unit_si(const RbvUnit *unit, char *text, size_t size);
/* A unit of the table near to a misspelt one, or NULL. */
const char *rbv_unit_nearest(const char *text, size_t length);

/* Parse a decimal number as YAML 1.2 core or C writes it (no hexadecimal, no inf, no nan), whatever the locale.
 * Returns the number of characters used, 0 when there is no number at the start. */
size_t rbv_number_parse(const char *text, double *value);
/* Write `value` with as few digits as read back to the same double (at most 17), '.' as decimal point whatever the
 * locale. Returns the length. `size` >= 32. */
size_t rbv_number_print(char *buffer, size_t size, double value);

#endif
