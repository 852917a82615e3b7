/* The modes of a linearised motion as JSON. */
#ifndef RBV_WRITE_JSON_MODES_H
#define RBV_WRITE_JSON_MODES_H

#include "result/result.h"
#include "write/json_text.h"

/* Nothing where there are none. */
void rbv_json_modes(RbvJson *json, const RbvResult *result);

#endif
