/* Units: SI value and dimension of a written unit such as "N/mm". */
#ifndef RBV_CORE_BASE_UNITS_H
#define RBV_CORE_BASE_UNITS_H

#include "core/base/dimension.h"

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
