/* "coordinates" and "natural" of result.json: natural coordinates or joint coordinates of the model. */
#ifndef RBV_OUTPUT_WRITE_JSON_COORDINATES_H
#define RBV_OUTPUT_WRITE_JSON_COORDINATES_H

#include "output/write/json_text.h"

#include "model/result/result.h"

/* "coordinates" of natural coordinates; writes nothing if they were not requested (kind NULL). */
void rbv_json_coordinates(RbvJson *json, const RbvCoordinatesNote *coordinates);
/* "coordinates" of joint coordinates; writes nothing if they were not requested (kind NULL) (json_tree.c). */
void rbv_json_tree(RbvJson *json, const RbvTreeNote *tree);
/* "natural": {t, residual, multipliers, elements} of inverse dynamics in natural coordinates; writes nothing if not
 * requested. */
void rbv_json_natural(RbvJson *json, const RbvNaturalNote *natural);

#endif
