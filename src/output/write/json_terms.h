/* "null_space" and "load_forces" of assemble; each function writes nothing if its result was not requested. */
#ifndef RBV_OUTPUT_WRITE_JSON_TERMS_H
#define RBV_OUTPUT_WRITE_JSON_TERMS_H

#include "model/result/result.h"
#include "output/write/json_text.h"

void rbv_json_null_space(RbvJson *json, const RbvNullSpaceNote *note);
void rbv_json_load_forces(RbvJson *json, const RbvLoadForces *loads);

#endif
