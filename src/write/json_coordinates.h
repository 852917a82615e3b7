/* What natural coordinates are made of, as result.json has it under coordinates. */
#ifndef RBV_WRITE_JSON_COORDINATES_H
#define RBV_WRITE_JSON_COORDINATES_H

#include "write/json_text.h"

#include "result/result.h"

/* Nothing where it was not asked for. */
void rbv_json_coordinates(RbvJson *json, const RbvCoordinatesNote *coordinates);
/* The same key of joint coordinates (json_tree.c). */
void rbv_json_tree(RbvJson *json, const RbvTreeNote *tree);
/* "natural": {t, residual, multipliers, elements} of inverse dynamics in them. */
void rbv_json_natural(RbvJson *json, const RbvNaturalNote *natural);

#endif
