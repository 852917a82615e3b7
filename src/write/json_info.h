/* Contents of a model (analysis info) as members of result.json. */
#ifndef RBV_WRITE_JSON_INFO_H
#define RBV_WRITE_JSON_INFO_H

#include "result/result.h"
#include "write/json_text.h"

void rbv_json_info(RbvJson *json, const RbvInfo *info);

#endif
