/* "penalty" and "augmented" of result.json; writes nothing if no penalties were used. */
#ifndef RBV_OUTPUT_WRITE_JSON_SOFT_H
#define RBV_OUTPUT_WRITE_JSON_SOFT_H

#include "model/result/result.h"
#include "output/write/json_text.h"

void rbv_json_soft(RbvJson *json, const RbvSoftRows *soft);

#endif
