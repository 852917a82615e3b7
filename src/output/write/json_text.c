/* Writes JSON. */
#include "output/write/json_text.h"

#include "core/base/text.h"

#include <math.h>
#include <string.h>

static void new_line(RbvJson *json) {
    size_t length = 1 + (size_t)json->depth;
    char *to = rbv_text_reserve(&json->text, length);
    if (!to)
        return;
    memset(to, ' ', length);
    to[0] = '\n';
    to[length] = '\0';
    json->text.length += length;
}

void rbv_json_next(RbvJson *json) {
    if (!json->empty)
        rbv_text_put(&json->text, ',');
    new_line(json);
    json->empty = false;
}

void rbv_json_text(RbvJson *json, const char *string) {
    rbv_text_json_string(&json->text, string);
}

void rbv_json_value(RbvJson *json, double value) {
    if (isfinite(value))
        rbv_text_number(&json->text, value);
    else
        rbv_text_add(&json->text, "null");
}

void rbv_json_key(RbvJson *json, const char *name) {
    rbv_json_next(json);
    rbv_json_text(json, name);
    rbv_text_add(&json->text, ": ");
}

void rbv_json_open(RbvJson *json, const char *name, const char *bracket) {
    if (name)
        rbv_json_key(json, name);
    else
        rbv_json_next(json);
    rbv_text_add(&json->text, bracket);
    json->depth++;
    json->empty = true;
}

void rbv_json_close(RbvJson *json, const char *bracket) {
    json->depth--;
    if (!json->empty)
        new_line(json);
    rbv_text_add(&json->text, bracket);
    json->empty = false;
}

void rbv_json_string(RbvJson *json, const char *name, const char *value) {
    rbv_json_key(json, name);
    if (value)
        rbv_json_text(json, value);
    else
        rbv_text_add(&json->text, "null");
}

void rbv_json_number(RbvJson *json, const char *name, double value) {
    rbv_json_key(json, name);
    rbv_json_value(json, value);
}

void rbv_json_integer(RbvJson *json, const char *name, int32_t value) {
    rbv_json_key(json, name);
    rbv_text_integer(&json->text, value);
}

void rbv_json_bool(RbvJson *json, const char *name, bool value) {
    rbv_json_key(json, name);
    rbv_text_add(&json->text, value ? "true" : "false");
}

void rbv_json_numbers(RbvJson *json, const char *name, const double *values, int32_t count) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        rbv_json_next(json);
        rbv_json_value(json, values[k]);
    }
    rbv_json_close(json, "]");
}

void rbv_json_strings(RbvJson *json, const char *name, const char *const *list, int32_t count) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        rbv_json_next(json);
        rbv_json_text(json, list[k]);
    }
    rbv_json_close(json, "]");
}
