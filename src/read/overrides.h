/* Values of parameters that the call gives instead of the file: --set name=value, --follow name=a..b. */
#ifndef RBV_READ_OVERRIDES_H
#define RBV_READ_OVERRIDES_H

#include "read/fields.h"

/* The last override of a parameter, or NULL; all of them are marked used. */
const char *rbv_find_override(RbvReader *reader, const char *name);
/* The value `text` in the place of what the file says (`node`): of the same dimension, and with a unit where the file
 * has one, unless 0. */
void rbv_read_override(RbvReader *reader, const char *name, const char *text, const RbvNode *node, double *value,
                       RbvExprDimension *measured);
/* The option that an override came with: of a family's the last. */
const char *rbv_override_option(const RbvReader *reader, const char *name);
/* An error for each override of a parameter that the model does not have. */
void rbv_check_overrides(RbvReader *reader);

#endif
