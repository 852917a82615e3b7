/* Results of statics as members of result.json. */
#ifndef RBV_OUTPUT_WRITE_JSON_STATICS_H
#define RBV_OUTPUT_WRITE_JSON_STATICS_H

#include "model/result/result.h"
#include "output/write/json_text.h"

/* "equilibrium", and "equilibria" if all were requested, with stability; writes nothing if no equilibrium was found. */
void rbv_json_equilibria(RbvJson *json, const RbvResult *result);
/* "follow": the equilibrium path along a parameter with its events; writes nothing if no parameter was followed. */
void rbv_json_followed(RbvJson *json, const RbvResult *result);
/* "hold": the ranges of a parameter in which friction can hold the model at rest. */
void rbv_json_held(RbvJson *json, const RbvHoldable *held);

#endif
