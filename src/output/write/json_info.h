/* Contents of a model (analysis info) as members of result.json. */
#ifndef RBV_OUTPUT_WRITE_JSON_INFO_H
#define RBV_OUTPUT_WRITE_JSON_INFO_H

#include "model/result/result.h"
#include "output/write/json_text.h"

void rbv_json_info(RbvJson *json, const RbvInfo *info);

#endif
