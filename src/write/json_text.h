/* Writing JSON: members of objects and items of lists, indented. What has no value is null, never NaN. */
#ifndef RBV_WRITE_JSON_TEXT_H
#define RBV_WRITE_JSON_TEXT_H

#include "base/text.h"

typedef struct RbvJson {
    RbvText text;
    int depth;
    bool empty; /* nothing yet in the innermost object or list; true at the start */
} RbvJson;

/* An object "{" or list "[" called `name`, or (NULL) as the next item of a list; to be closed by its other bracket. */
void rbv_json_open(RbvJson *json, const char *name, const char *bracket);
void rbv_json_close(RbvJson *json, const char *bracket);
/* Members. A NULL string and a number that is not finite are null. */
void rbv_json_string(RbvJson *json, const char *name, const char *value);
void rbv_json_number(RbvJson *json, const char *name, double value);
void rbv_json_integer(RbvJson *json, const char *name, int32_t value);
void rbv_json_bool(RbvJson *json, const char *name, bool value);
/* A list of numbers as a member. */
void rbv_json_numbers(RbvJson *json, const char *name, const double *values, int32_t count);
/* A list of strings as a member. */
void rbv_json_strings(RbvJson *json, const char *name, const char *const *list, int32_t count);

/* Parts of these: the comma and line before a member or item; a member's name; a value. */
void rbv_json_next(RbvJson *json);
void rbv_json_key(RbvJson *json, const char *name);
void rbv_json_text(RbvJson *json, const char *string);
void rbv_json_value(RbvJson *json, double value);

#endif
