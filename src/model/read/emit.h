/* Writes trees as text: flow YAML that is JSON except for plain numbers. */
#ifndef RBV_MODEL_READ_EMIT_H
#define RBV_MODEL_READ_EMIT_H

#include "core/base/text.h"
#include "model/read/tree.h"

/* Write a string in double quotes. */
void rbv_emit_string(RbvText *text, const char *string);
/* Write a node on one line: scalars as written, lists [..], maps {..}. */
void rbv_emit_node(RbvText *text, const RbvNode *node);

#endif
