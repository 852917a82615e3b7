/* "virtual_motions" of result.json. */
#ifndef RBV_OUTPUT_WRITE_JSON_VIRTUAL_H
#define RBV_OUTPUT_WRITE_JSON_VIRTUAL_H

#include "model/result/result.h"
#include "output/write/json_text.h"

/* Writes nothing if no virtual motion was requested. */
void rbv_json_virtual(RbvJson *json, const RbvResult *result);

#endif
