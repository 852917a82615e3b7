/* Units: what "250 N/mm" is in SI, and of what dimension it is. */
#ifndef RBV_BASE_UNITS_H
#define RBV_BASE_UNITS_H

#include "base/dimension.h"

typedef struct RbvUnit {
    double factor; /* value in SI = number * factor */
    RbvExponents exponents;
} RbvUnit;

/* A unit as it was written, and its value in SI. */
typedef struct RbvShownUnit {
    const char *text; /* NULL: none was written */
    double factor;
} RbvShownUnit;

/* Parse a unit such as "kg.m^2", "N mm/deg", "m/s^2", "Nm", "rad/(N.m)". Factors are joined by '.', '*', blank or a
 * middle dot; '/' divides by the next factor. False when the text is no unit; then *unknown (when not NULL) is the
 * offset of the part that is not understood. */
bool rbv_unit_parse(const char *text, size_t length, RbvUnit *unit, size_t *unknown);

/* Does the unit measure exactly this dimension? (1/s measures a frequency.) */
bool rbv_unit_measures(const RbvUnit *unit, RbvDimension dimension);
/* The named dimension that the unit measures, or RBV_DIM_ANY when it has no name here. */
RbvDimension rbv_unit_dimension(const RbvUnit *unit);
/* A unit of the table near to a misspelt one, or NULL. */
const char *rbv_unit_nearest(const char *text, size_t length);

/* Parse a decimal number as YAML 1.2 core or C writes it (no hexadecimal, no inf, no nan), whatever the locale.
 * Returns the number of characters used, 0 when there is no number at the start. */
size_t rbv_number_parse(const char *text, double *value);
/* Write `value` with as few digits as read back to the same double (at most 17), '.' as decimal point whatever the
 * locale. Returns the length. `size` >= 32. */
size_t rbv_number_print(char *buffer, size_t size, double value);

#endif
