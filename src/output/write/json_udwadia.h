/* "udwadia" of result.json. */
#ifndef RBV_OUTPUT_WRITE_JSON_UDWADIA_H
#define RBV_OUTPUT_WRITE_JSON_UDWADIA_H

#include "model/result/result.h"
#include "output/write/json_text.h"

/* Writes nothing if the record was not requested. */
void rbv_json_udwadia(RbvJson *json, const RbvUdwadiaRecord *udwadia);

#endif
