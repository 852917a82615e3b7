/* What a plain scalar means by the YAML 1.2 core schema. */
#ifndef RBV_READ_SCALAR_H
#define RBV_READ_SCALAR_H

#include "read/tree.h"

/* The type of the plain scalar text[length] (NUL-terminated), with its number or truth. A number that no finite double
 * holds, .inf and .nan are strings. */
RbvScalarType rbv_scalar_read(const char *text, size_t length, double *number, bool *truth);

#endif
