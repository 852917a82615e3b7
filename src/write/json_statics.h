/* What statics finds, as members of result.json; nothing where there is none. */
#ifndef RBV_WRITE_JSON_STATICS_H
#define RBV_WRITE_JSON_STATICS_H

#include "result/result.h"
#include "write/json_text.h"

/* Equilibria with their stability. */
void rbv_json_equilibria(RbvJson *json, const RbvResult *result);
/* The path along a parameter, with its events. */
void rbv_json_followed(RbvJson *json, const RbvResult *result);
/* The values of a parameter that friction can hold. */
void rbv_json_held(RbvJson *json, const RbvHoldable *held);

#endif
