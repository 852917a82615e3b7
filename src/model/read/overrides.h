/* Values of parameters given by the call instead of the file: --set name=value, --follow name=a..b. */
#ifndef RBV_MODEL_READ_OVERRIDES_H
#define RBV_MODEL_READ_OVERRIDES_H

#include "model/read/fields.h"

/* Text of the last override of a parameter, or NULL; all overrides of this parameter are marked as used. */
const char *rbv_find_override(RbvReader *reader, const char *name);
/* Read the override `text` instead of the file's value (`node`): it must have the same dimension, and a unit if the
 * file has one, unless it is 0. */
void rbv_read_override(RbvReader *reader, const char *name, const char *text, const RbvNode *node, double *value,
                       RbvExprDimension *measured);
/* The option that gave the override of a parameter: "--set", or, for the last override, reader->overrides.option. */
const char *rbv_override_option(const RbvReader *reader, const char *name);
/* Report an error for each override of a parameter that the model does not have. */
void rbv_check_overrides(RbvReader *reader);

#endif
