/* "virtual_motions" of result.json. */
#ifndef RBV_WRITE_JSON_VIRTUAL_H
#define RBV_WRITE_JSON_VIRTUAL_H

#include "result/result.h"
#include "write/json_text.h"

/* Writes nothing if no virtual motion was requested. */
void rbv_json_virtual(RbvJson *json, const RbvResult *result);

#endif
