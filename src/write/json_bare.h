/* Members of result.json of a machine that is wrong, which has no numbers. */
#ifndef RBV_WRITE_JSON_BARE_H
#define RBV_WRITE_JSON_BARE_H

#include "result/result.h"
#include "write/json_text.h"

void rbv_json_bare(RbvJson *json, const RbvResult *result);

#endif
