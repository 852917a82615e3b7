/* The modes of a linearised motion as JSON. */
#ifndef RBV_WRITE_JSON_MODES_H
#define RBV_WRITE_JSON_MODES_H

#include "result/result.h"
#include "write/json_text.h"

/* What takes part in a motion or a self-stress, and by how much, as a member. */
void rbv_json_shares(RbvJson *json, const char *name, const RbvMode *mode);
/* Nothing where there are none. */
void rbv_json_modes(RbvJson *json, const RbvResult *result);
/* Open "follow": the parameter that was followed, and how far. */
void rbv_json_open_followed(RbvJson *json, const RbvFollowed *followed);

#endif
