/* Type of a plain scalar by the YAML 1.2 core schema. */
#ifndef RBV_MODEL_READ_SCALAR_H
#define RBV_MODEL_READ_SCALAR_H

#include "model/read/tree.h"

/* Type of the plain scalar text[length] (NUL-terminated), with *number or *truth. Numbers outside the range of
 * double, .inf and .nan are strings. */
RbvScalarType rbv_scalar_read(const char *text, size_t length, double *number, bool *truth);

#endif
