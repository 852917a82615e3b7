/* "udwadia" of result.json. */
#ifndef RBV_WRITE_JSON_UDWADIA_H
#define RBV_WRITE_JSON_UDWADIA_H

#include "result/result.h"
#include "write/json_text.h"

/* Writes nothing if the record was not requested. */
void rbv_json_udwadia(RbvJson *json, const RbvUdwadiaRecord *udwadia);

#endif
