/* The JSON Schema (2020-12) of the model file, from the same table of keys that the reader obeys. */
#include "base/text.h"
#include "model/joint_kind.h"
#include "model/keys.h"
#include "model/load_kind.h"

#include <roberval/model.h>

#include <string.h>

/* A value is a number or a string: "NUMBER UNIT" or an expression. The reader knows dimensions; a schema does not. */
#define SCALAR "{\"type\": [\"number\", \"string\"]}"
#define NAME "^[A-Za-z][A-Za-z0-9_]*$"

static void value_schema(RbvText *text, const RbvKey *key, bool spatial);

static void quoted(RbvText *text, const char *string) {
    rbv_text_add(text, "\"");
    for (const char *c = string; *c; c++)
        rbv_text_format(text, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    rbv_text_add(text, "\"");
}

/* The keys of one type (NULL: all) as an object. */
static void object_schema(RbvText *text, const RbvKey *keys, const char *type, bool spatial) {
    rbv_text_add(text, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    bool first = true;
    for (const RbvKey *key = keys; key->name; key++) {
        if (key->kind == RBV_KEY_LATER || !rbv_key_exists(key, spatial) || (type && !rbv_key_belongs(key->only, type)))
            continue;
        rbv_text_add(text, first ? "" : ", ");
        quoted(text, key->name);
        rbv_text_add(text, ": ");
        if (keys == rbv_model_keys && strcmp(key->name, "space") == 0) {
            rbv_text_add(text, spatial ? "{\"const\": \"spatial\"}" : "{\"const\": \"planar\"}");
        } else if (type && strcmp(key->name, "type") == 0) {
            rbv_text_add(text, "{\"const\": ");
            quoted(text, type);
            rbv_text_add(text, "}");
        } else {
            value_schema(text, key, spatial);
        }
        first = false;
    }
    rbv_text_add(text, "}");
    first = true;
    for (const RbvKey *key = keys; key->name; key++)
        if (key->required && rbv_key_exists(key, spatial) && (!type || rbv_key_belongs(key->only, type))) {
            rbv_text_add(text, first ? ", \"required\": [" : ", ");
            quoted(text, key->name);
            first = false;
        }
    rbv_text_add(text, first ? "" : "]");
    if (type && (strcmp(type, "gear") == 0 || strcmp(type, "bevel") == 0))
        rbv_text_add(text, ", \"oneOf\": [{\"required\": [\"radii\"]}, {\"required\": [\"teeth\"]}]");
    if (strcmp(keys->name, "equation") == 0)
        rbv_text_add(text, ", \"oneOf\": [{\"required\": [\"equation\"]}, {\"required\": [\"velocity\"]}]");
    if (type && strcmp(type, "spring") == 0)
        rbv_text_add(text, ", \"dependentRequired\": {\"stiffness\": [\"free_length\"]}");
    rbv_text_add(text, "}");
}

static void list_schema(RbvText *text, const RbvKey *key, bool spatial, const char *item) {
    rbv_text_format(text, "{\"type\": \"array\", \"items\": %s, \"minItems\": %d, \"maxItems\": %d}", item, rbv_key_least(key, spatial),
                    rbv_key_most(key, spatial));
}

/* One alternative per type, in the order of the tables of kinds. */
static void typed_schema(RbvText *text, const RbvKey *keys, bool joints, bool spatial) {
    rbv_text_add(text, "{\"type\": \"object\", \"required\": [\"type\"], \"oneOf\": [");
    bool first = true;
    for (int32_t k = 0; k < (joints ? rbv_joint_kind_count() : rbv_load_kind_count()); k++) {
        const RbvLoadRow *load = joints ? NULL : rbv_load_row((RbvLoadKind)k);
        int where = joints ? rbv_joint_kind_at(k)->where : load->where;
        if (!(where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE)))
            continue;
        rbv_text_add(text, first ? "" : ", ");
        object_schema(text, keys, joints ? rbv_joint_kind_at(k)->name : load->type, spatial);
        first = false;
    }
    rbv_text_add(text, "]}");
}

static void dict_schema(RbvText *text, const RbvKey *key, bool spatial) {
    bool joints = strcmp(key->name, "joints") == 0;
    rbv_text_add(text, "{\"type\": \"object\", \"propertyNames\": {\"pattern\": \"" NAME "\"}, ");
    for (const RbvKey *child = key->children; child->name; child++)
        if (child->kind == RBV_KEY_MARKERS) { /* bodies: ground has markers and nothing else */
            rbv_text_add(text, "\"properties\": {\"ground\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\"markers\": ");
            value_schema(text, child, spatial);
            rbv_text_add(text, "}}}, ");
        }
    rbv_text_add(text, "\"additionalProperties\": ");
    if (joints || strcmp(key->name, "loads") == 0)
        typed_schema(text, key->children, joints, spatial);
    else
        object_schema(text, key->children, NULL, spatial);
    rbv_text_add(text, "}");
}

static void units_schema(RbvText *text) {
    rbv_text_add(text, "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (int k = RBV_DIM_LENGTH; k < RBV_DIM_COUNT; k++) {
        rbv_text_add(text, k == RBV_DIM_LENGTH ? "" : ", ");
        quoted(text, rbv_dimension_key((RbvDimension)k));
        rbv_text_add(text, ": {\"type\": \"string\"}");
    }
    rbv_text_add(text, "}}");
}

static void value_schema(RbvText *text, const RbvKey *key, bool spatial) {
    switch (key->kind) {
    case RBV_KEY_TEXT: rbv_text_add(text, "{\"type\": \"string\"}"); break;
    case RBV_KEY_CHOICE:
        rbv_text_add(text, "{\"enum\": [");
        for (int k = 0; key->words[k]; k++) {
            rbv_text_add(text, k ? ", " : "");
            quoted(text, key->words[k]);
        }
        rbv_text_add(text, "]}");
        break;
    case RBV_KEY_BOOL: rbv_text_add(text, "{\"type\": \"boolean\"}"); break;
    case RBV_KEY_NUMBER: rbv_text_add(text, "{\"const\": 1}"); break;
    case RBV_KEY_RANGE:
        rbv_text_add(text, "{\"anyOf\": [" SCALAR ", {\"type\": \"array\", \"items\": " SCALAR ", \"minItems\": 2, \"maxItems\": 2}]}");
        break;
    case RBV_KEY_QUANTITY:
    case RBV_KEY_EXPRESSION: rbv_text_add(text, SCALAR); break;
    case RBV_KEY_QUANTITIES:
    case RBV_KEY_EXPRESSIONS: list_schema(text, key, spatial, SCALAR); break;
    case RBV_KEY_TEXTS: list_schema(text, key, spatial, "{\"type\": \"string\"}"); break;
    case RBV_KEY_MAP:
        if (strcmp(key->name, "units") == 0)
            units_schema(text);
        else
            object_schema(text, key->children, NULL, spatial);
        break;
    case RBV_KEY_MARKER: break;
    case RBV_KEY_LIST:
        rbv_text_format(text, "{\"type\": \"array\", \"minItems\": %d, \"items\": ", key->least);
        if (key->children[0].kind == RBV_KEY_QUANTITIES && !*key->children[0].name)
            value_schema(text, &key->children[0], spatial);
        else
            object_schema(text, key->children, NULL, spatial);
        rbv_text_add(text, "}");
        break;
    case RBV_KEY_DICT: dict_schema(text, key, spatial); break;
    case RBV_KEY_MARKERS:
        rbv_text_add(text, "{\"type\": \"object\", \"propertyNames\": {\"pattern\": \"" NAME "\"}, \"additionalProperties\": {\"oneOf\": [");
        value_schema(text, &key->children[0], spatial);
        rbv_text_add(text, ", ");
        object_schema(text, key->children, NULL, spatial);
        rbv_text_add(text, "]}}");
        break;
    case RBV_KEY_EXPRESSION_DICT:
        rbv_text_add(text, "{\"type\": \"object\", \"propertyNames\": {\"pattern\": \"" NAME "\"}, \"additionalProperties\": " SCALAR "}");
        break;
    case RBV_KEY_QUANTITY_DICT: rbv_text_add(text, "{\"type\": \"object\", \"additionalProperties\": " SCALAR "}"); break;
    case RBV_KEY_LATER: break;
    }
}

char *rbv_model_schema(void) {
    RbvText text = {0};
    RbvText body = {0};
    object_schema(&body, rbv_model_keys, NULL, false);
    rbv_text_add(&body, ", ");
    object_schema(&body, rbv_model_keys, NULL, true);
    rbv_text_add(&text, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"Roberval model file, format 1\", "
                        "\"type\": \"object\", \"oneOf\": [");
    if (body.data)
        rbv_text_add(&text, body.data);
    text.no_memory = text.no_memory || body.no_memory;
    rbv_text_clear(&body);
    rbv_text_add(&text, "]}");
    rbv_text_add(&text, "\n");
    return rbv_text_take(&text);
}
