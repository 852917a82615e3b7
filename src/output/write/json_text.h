/* Writes JSON: members of objects and items of lists, indented. A value that is missing is null, never NaN. */
#ifndef RBV_OUTPUT_WRITE_JSON_TEXT_H
#define RBV_OUTPUT_WRITE_JSON_TEXT_H

#include "core/base/text.h"

typedef struct RbvJson {
    RbvText text;
    int depth;
    bool empty; /* the innermost object or list has no member yet; true at the start */
} RbvJson;

/* Opens an object "{" or a list "[" as member `name`, or (name NULL) as the next item of a list. The caller closes it
 * with the other bracket. */
void rbv_json_open(RbvJson *json, const char *name, const char *bracket);
void rbv_json_close(RbvJson *json, const char *bracket);
/* Members of an object. A NULL string and a number that is not finite are written as null. */
void rbv_json_string(RbvJson *json, const char *name, const char *value);
void rbv_json_number(RbvJson *json, const char *name, double value);
void rbv_json_integer(RbvJson *json, const char *name, int32_t value);
void rbv_json_bool(RbvJson *json, const char *name, bool value);
/* A list of numbers as a member. */
void rbv_json_numbers(RbvJson *json, const char *name, const double *values, int32_t count);
/* A list of strings as a member. */
void rbv_json_strings(RbvJson *json, const char *name, const char *const *list, int32_t count);

/* Parts of members: the comma and new line before a member or item; the name of a member with ": "; a string value; a
 * number. */
void rbv_json_next(RbvJson *json);
void rbv_json_key(RbvJson *json, const char *name);
void rbv_json_text(RbvJson *json, const char *string);
void rbv_json_value(RbvJson *json, double value);

#endif
