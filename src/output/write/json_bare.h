/* Members of result.json of an analysis that failed before its first sample and left only a scene: title, file and
 * failure, no numbers. */
#ifndef RBV_OUTPUT_WRITE_JSON_BARE_H
#define RBV_OUTPUT_WRITE_JSON_BARE_H

#include "model/result/result.h"
#include "output/write/json_text.h"

void rbv_json_bare(RbvJson *json, const RbvResult *result);

#endif
