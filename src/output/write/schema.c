/* JSON Schema (2020-12) of the model file, from the tables of keys and kinds that the reader uses.
 *
 * The values of a key may depend on `space` and on `type`. The schema chooses by if and then, one after the other, and
 * nowhere by oneOf: a mistake is then reported as itself, and not as "not valid under any of the given schemas". Where
 * a value may be a list or a map, the keywords of both stand side by side. Every key has a description. */
#include "model/model/keys.h"
#include "model/model/kinds.h"
#include "output/write/json_text.h"

#include <roberval/joints.h>

#include <stdio.h>
#include <string.h>

#define NAME "^[A-Za-z][A-Za-z0-9_]*$"

typedef struct Schema {
    RbvJson json;
    bool spatial;
} Schema;

static void put_member(Schema *s, const char *name, const RbvKey *key);

static void open_object(Schema *s, const char *name) {
    rbv_json_open(&s->json, name, "{");
}

static void close_object(Schema *s) {
    rbv_json_close(&s->json, "}");
}

static void put_text(Schema *s, const char *name, const char *value) {
    rbv_json_string(&s->json, name, value);
}

static void put_words(Schema *s, const char *name, const char *const *list, int32_t count) {
    rbv_json_strings(&s->json, name, list, count);
}

/* A number, or a string: "NUMBER UNIT" or an expression. The schema does not check dimensions; the reader does. */
static void put_scalar(Schema *s) {
    static const char *const types[] = {"number", "string"};
    put_words(s, "type", types, 2);
}

static void put_name_pattern(Schema *s) {
    open_object(s, "propertyNames");
    put_text(s, "pattern", NAME);
    close_object(s);
}

/* Description of the key, with the SI unit of its numbers if it has one. */
static void put_description(Schema *s, const RbvKey *key) {
    char words_of[400];
    const char *unit = key->dimension[0] != RBV_DIM_NONE && key->dimension[0] != RBV_DIM_ANY
                           ? rbv_dimension_si(key->dimension[0])
                           : "";
    bool mixed = key->dimension[1] != RBV_DIM_NONE && key->dimension[1] != key->dimension[0];
    snprintf(words_of, sizeof words_of, *unit && !mixed ? "%s [%s]" : "%s", key->doc, unit);
    put_text(s, "description", words_of);
}

static bool is_here(const Schema *s, const RbvKey *key, const char *type) {
    return key->kind != RBV_KEY_LATER && rbv_key_exists(key, s->spatial) && (!type || rbv_key_belongs(key->only, type));
}

/* The required keys among `keys`: those of one type only, or (type NULL) those of all types. */
static void put_required(Schema *s, const RbvKey *keys, const char *type) {
    const char *list[16];
    int32_t count = 0;
    for (const RbvKey *key = keys; key->name && count < 16; key++)
        if (key->required && !key->unless && is_here(s, key, type) && (type != NULL) == (key->only != NULL))
            list[count++] = key->name;
    if (count > 0)
        put_words(s, "required", list, count);
    for (const RbvKey *key = keys; key->name && !type; key++)
        if (key->required && key->unless) {
            open_object(s, "if");
            open_object(s, "not");
            put_words(s, "required", &key->unless, 1);
            close_object(s);
            close_object(s);
            open_object(s, "then");
            put_words(s, "required", &key->name, 1);
            close_object(s);
        }
}

static void put_either(Schema *s, const char *one, const char *other) {
    open_object(s, "if");
    open_object(s, "not");
    put_words(s, "required", &one, 1);
    close_object(s);
    close_object(s);
    open_object(s, "then");
    put_words(s, "required", &other, 1);
    close_object(s);
    open_object(s, "else");
    open_object(s, "not");
    put_words(s, "required", &other, 1);
    close_object(s);
    close_object(s);
}

/* Members of the schema of an object with these keys and no others. */
static void put_object(Schema *s, const RbvKey *keys) {
    put_text(s, "type", "object");
    put_required(s, keys, NULL);
    open_object(s, "properties");
    for (const RbvKey *key = keys; key->name; key++)
        if (is_here(s, key, NULL))
            put_member(s, key->name, key);
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    if (strcmp(keys->name, "equation") == 0)
        put_either(s, "equation", "velocity");
}

/* Branch of a typed object for one type: the schemas of its own keys, and the names of the common ones. */
static void put_kind(Schema *s, const RbvKey *keys, const char *type, const char *doc) {
    open_object(s, NULL);
    open_object(s, "if");
    open_object(s, "properties");
    open_object(s, "type");
    put_text(s, "const", type);
    close_object(s);
    close_object(s);
    put_words(s, "required", (const char *const[]){"type"}, 1);
    close_object(s);
    open_object(s, "then");
    if (doc)
        put_text(s, "description", doc);
    put_required(s, keys, type);
    if (strcmp(type, "spring") == 0)
        put_either(s, "between", "joint");
    open_object(s, "properties");
    for (const RbvKey *key = keys; key->name; key++) {
        if (!is_here(s, key, type))
            continue;
        if (key->only)
            put_member(s, key->name, key);
        else
            rbv_json_bool(&s->json, key->name, true);
    }
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    if (strcmp(type, "gear") == 0 || strcmp(type, "bevel") == 0)
        put_either(s, "radii", "teeth");
    if (strcmp(type, "spring") == 0) {
        open_object(s, "dependentRequired");
        put_words(s, "stiffness", (const char *const[]){"free_length"}, 1);
        close_object(s);
    }
    close_object(s);
    close_object(s);
}

typedef struct Kind {
    const char *type, *doc;
} Kind;

/* The k-th kind of joints or loads; type NULL: not available in this space. */
static Kind kind_at(const Schema *s, bool joints, int32_t k) {
    int space = s->spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE;
    if (joints) {
        const RbvJointKind *joint = rbv_joint_kind_at(k);
        return joint->where & space ? (Kind){joint->name, joint->doc} : (Kind){0};
    }
    const RbvLoadRow *load = rbv_load_row((RbvLoadKind)k);
    return load->where & space ? (Kind){load->type, NULL} : (Kind){0};
}

/* An object whose other keys depend on its `type`; the types are in the order of the tables of kinds. */
static void put_typed(Schema *s, const RbvKey *keys, bool joints) {
    int32_t count = joints ? rbv_joint_kind_count() : rbv_load_kind_count();
    put_text(s, "type", "object");
    put_required(s, keys, NULL);
    open_object(s, "properties");
    open_object(s, "type");
    put_text(s, "description", keys->doc);
    rbv_json_open(&s->json, "enum", "[");
    for (int32_t k = 0; k < count; k++)
        if (kind_at(s, joints, k).type) {
            rbv_json_next(&s->json);
            rbv_json_text(&s->json, kind_at(s, joints, k).type);
        }
    rbv_json_close(&s->json, "]");
    close_object(s);
    for (const RbvKey *key = keys + 1; key->name; key++)
        if (is_here(s, key, NULL) && !key->only)
            put_member(s, key->name, key);
    close_object(s);
    rbv_json_open(&s->json, "allOf", "[");
    for (int32_t k = 0; k < count; k++)
        if (kind_at(s, joints, k).type)
            put_kind(s, keys, kind_at(s, joints, k).type, kind_at(s, joints, k).doc);
    rbv_json_close(&s->json, "]");
}

/* A map from the user's names to maps of children; ground is a body with markers only. */
/* An object whose members are the user's, with quantities. */
static void put_open_object(Schema *s) {
    put_text(s, "type", "object");
    open_object(s, "additionalProperties");
    put_scalar(s);
    close_object(s);
}

static void put_dict(Schema *s, const RbvKey *key) {
    bool joints = strcmp(key->name, "joints") == 0;
    put_text(s, "type", "object");
    put_name_pattern(s);
    for (const RbvKey *child = key->children; child->name; child++)
        if (child->kind == RBV_KEY_MARKERS) {
            open_object(s, "properties");
            open_object(s, "ground");
            put_text(s, "description", "the fixed frame; it has markers and nothing else");
            put_text(s, "type", "object");
            open_object(s, "properties");
            put_member(s, child->name, child);
            close_object(s);
            rbv_json_bool(&s->json, "additionalProperties", false);
            close_object(s);
            close_object(s);
        }
    if (key->words) { /* a choice among the user's names: two bearings in an arrangement */
        int32_t count = 0;
        while (key->words[count])
            count++;
        open_object(s, "properties");
        open_object(s, "arrangement");
        put_text(s, "description", "of two tapered-roller or angular-contact bearings: face to face, or back to back");
        put_words(s, "enum", key->words, count);
        close_object(s);
        close_object(s);
    }
    open_object(s, "additionalProperties");
    if (joints || strcmp(key->name, "loads") == 0)
        put_typed(s, key->children, joints);
    else if (!*key->children->name) /* names to quantities */
        put_open_object(s);
    else
        put_object(s, key->children);
    close_object(s);
}

static void put_unit_keys(Schema *s, const RbvKey *key) {
    put_text(s, "type", "object");
    open_object(s, "properties");
    for (int k = RBV_DIM_LENGTH; k < RBV_DIM_COUNT; k++) {
        char doc[300];
        snprintf(doc, sizeof doc, "%s: %s; SI: %s", rbv_dimension_name((RbvDimension)k), key->children->doc,
                 rbv_dimension_si((RbvDimension)k));
        open_object(s, rbv_dimension_key((RbvDimension)k));
        put_text(s, "description", doc);
        put_text(s, "type", "string");
        close_object(s);
    }
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
}

static void list_of_scalars(Schema *s, int least, int most, bool strings) {
    open_object(s, "items");
    if (strings)
        put_text(s, "type", "string");
    else
        put_scalar(s);
    close_object(s);
    rbv_json_integer(&s->json, "minItems", least);
    rbv_json_integer(&s->json, "maxItems", most);
}

/* A point (list) or a map of children: keywords for lists do not apply to maps, nor the other way round. */
static void put_marker(Schema *s, const RbvKey *keys) {
    static const char *const types[] = {"array", "object"};
    put_words(s, "type", types, 2);
    list_of_scalars(s, rbv_key_least(&keys[0], s->spatial), rbv_key_most(&keys[0], s->spatial), false);
    open_object(s, "properties");
    for (const RbvKey *key = keys; key->name; key++)
        if (is_here(s, key, NULL))
            put_member(s, key->name, key);
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
}

static void put_list(Schema *s, const RbvKey *key) {
    bool of_points = key->children[0].kind == RBV_KEY_QUANTITIES && !*key->children[0].name;
    put_text(s, "type", "array");
    rbv_json_integer(&s->json, "minItems", key->least);
    if (of_points) {
        put_member(s, "items", &key->children[0]);
        return;
    }
    open_object(s, "items");
    put_object(s, key->children);
    close_object(s);
}

/* A map from names to scalars or markers. */
static void put_names_to(Schema *s, const RbvKey *key) {
    put_text(s, "type", "object");
    if (key->kind != RBV_KEY_QUANTITY_DICT && key->kind != RBV_KEY_COORDINATE_DICT)
        put_name_pattern(s);
    open_object(s, "additionalProperties");
    if (key->kind == RBV_KEY_MARKERS)
        put_marker(s, key->children);
    else
        put_scalar(s);
    close_object(s);
}

/* A map from names to quantities or to maps of the key's children. */
static void put_tolerances(Schema *s, const RbvKey *key) {
    static const char *const types[] = {"number", "string", "object"};
    put_text(s, "type", "object");
    open_object(s, "additionalProperties");
    put_words(s, "type", types, 3);
    rbv_json_integer(&s->json, "minProperties", 1);
    rbv_json_integer(&s->json, "maxProperties", 1);
    open_object(s, "properties");
    for (const RbvKey *child = key->children; child->name; child++)
        put_member(s, child->name, child);
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    close_object(s);
}

static void put_choice(Schema *s, const RbvKey *key) {
    int32_t count = 0;
    while (key->words[count])
        count++;
    put_words(s, "enum", key->words, count);
}

static void put_member(Schema *s, const char *name, const RbvKey *key) {
    static const char *const scalar_or_list[] = {"number", "string", "array"};
    open_object(s, name);
    put_description(s, key);
    switch (key->kind) {
    case RBV_KEY_TEXT: put_text(s, "type", "string"); break;
    case RBV_KEY_CHOICE: put_choice(s, key); break;
    case RBV_KEY_BOOL: put_text(s, "type", "boolean"); break;
    case RBV_KEY_NUMBER: rbv_json_integer(&s->json, "const", 1); break;
    case RBV_KEY_RANGE:
        put_words(s, "type", scalar_or_list, 3);
        list_of_scalars(s, 2, 2, false);
        break;
    case RBV_KEY_QUANTITY:
    case RBV_KEY_EXPRESSION: put_scalar(s); break;
    case RBV_KEY_QUANTITIES:
    case RBV_KEY_EXPRESSIONS:
    case RBV_KEY_TEXTS:
        put_text(s, "type", "array");
        list_of_scalars(s, rbv_key_least(key, s->spatial), rbv_key_most(key, s->spatial), key->kind == RBV_KEY_TEXTS);
        break;
    case RBV_KEY_MATRIX:
        put_text(s, "type", "array");
        open_object(s, "items");
        put_text(s, "type", "array");
        open_object(s, "items");
        put_scalar(s);
        close_object(s);
        close_object(s);
        break;
    case RBV_KEY_MAP:
        if (strcmp(key->name, "units") == 0)
            put_unit_keys(s, key);
        else
            put_object(s, key->children);
        break;
    case RBV_KEY_LIST: put_list(s, key); break;
    case RBV_KEY_DICT: put_dict(s, key); break;
    case RBV_KEY_MARKERS:
    case RBV_KEY_EXPRESSION_DICT:
    case RBV_KEY_COORDINATE_DICT:
    case RBV_KEY_QUANTITY_DICT: put_names_to(s, key); break;
    case RBV_KEY_TOLERANCE_DICT: put_tolerances(s, key); break;
    case RBV_KEY_MARKER:
    case RBV_KEY_LATER: break;
    }
    close_object(s);
}

/* The part of the schema for the plane, or for space. */
static void put_space(Schema *s, bool spatial) {
    s->spatial = spatial;
    open_object(s, NULL);
    open_object(s, "if");
    open_object(s, "properties");
    open_object(s, "space");
    put_text(s, "const", spatial ? "spatial" : "planar");
    close_object(s);
    close_object(s);
    put_words(s, "required", (const char *const[]){"space"}, 1);
    close_object(s);
    open_object(s, "then");
    put_required(s, rbv_model_keys, NULL);
    open_object(s, "properties");
    for (const RbvKey *key = rbv_model_keys; key->name; key++) {
        if (!is_here(s, key, NULL))
            continue;
        if (strcmp(key->name, "space") == 0)
            rbv_json_bool(&s->json, key->name, true);
        else
            put_member(s, key->name, key);
    }
    close_object(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    close_object(s);
    close_object(s);
}

char *rbv_model_schema(void) {
    Schema s = {.json = {.empty = true}};
    rbv_text_add(&s.json.text, "{");
    s.json.depth = 1;
    put_text(&s, "$schema", "https://json-schema.org/draft/2020-12/schema");
    put_text(&s, "title", "Roberval model file, format 1");
    put_text(
        &s, "description",
        "A mechanism in the plane or in space: what it is made of, what keeps it together, what moves and loads it.");
    put_text(&s, "type", "object");
    put_words(&s, "required", (const char *const[]){"space"}, 1);
    open_object(&s, "properties");
    for (const RbvKey *key = rbv_model_keys; key->name; key++)
        if (strcmp(key->name, "space") == 0)
            put_member(&s, key->name, key);
    close_object(&s);
    rbv_json_open(&s.json, "allOf", "[");
    put_space(&s, false);
    put_space(&s, true);
    rbv_json_close(&s.json, "]");
    rbv_json_close(&s.json, "}");
    rbv_text_add(&s.json.text, "\n");
    return rbv_text_take(&s.json.text);
}
