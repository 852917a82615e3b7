/* Modes of a linearised motion, and shares of a mode, as members of result.json. */
#ifndef RBV_OUTPUT_WRITE_JSON_MODES_H
#define RBV_OUTPUT_WRITE_JSON_MODES_H

#include "model/result/result.h"
#include "output/write/json_text.h"

/* Shares of a motion or a self-stress as a member `name`: {name of a component: share}; name NULL: an item of a list.
 */
void rbv_json_shares(RbvJson *json, const char *name, const RbvMode *mode);
/* "linearised", "modes", "state_space", "follow"; writes nothing if no modes were computed. */
void rbv_json_modes(RbvJson *json, const RbvResult *result);
/* Opens "follow" and writes the followed parameter, its unit, its range and the value that was reached; the caller
 * closes the object. */
void rbv_json_open_followed(RbvJson *json, const RbvFollowed *followed);

#endif
