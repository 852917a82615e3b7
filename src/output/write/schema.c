/* JSON Schema (2020-12) of the model file, from the tables of keys and kinds that the reader uses.
 *
 * The values of a key may depend on `space` and on `type`. The schema chooses by if and then, one after the other, and
 * nowhere by oneOf: a mistake is then reported as itself, and not as "not valid under any of the given schemas". Where
 * a value may be a list or a map, the keywords of both stand side by side. Every key has a description. */
#include "model/model/keys.h"
#include "model/model/kinds.h"
#include "output/write/json_text.h"

#include <roberval/model.h>

#include <stdio.h>
#include <string.h>

#define NAME "^[A-Za-z][A-Za-z0-9_]*$"

typedef struct Schema {
    RbvJson json;
    bool spatial;
} Schema;

static void member(Schema *s, const char *name, const RbvKey *key);

static void open(Schema *s, const char *name) {
    rbv_json_open(&s->json, name, "{");
}

static void close(Schema *s) {
    rbv_json_close(&s->json, "}");
}

static void text(Schema *s, const char *name, const char *value) {
    rbv_json_string(&s->json, name, value);
}

static void words(Schema *s, const char *name, const char *const *list, int32_t count) {
    rbv_json_open(&s->json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        rbv_json_next(&s->json);
        rbv_json_text(&s->json, list[k]);
    }
    rbv_json_close(&s->json, "]");
}

/* A number, or a string: "NUMBER UNIT" or an expression. The schema does not check dimensions; the reader does. */
static void scalar(Schema *s) {
    static const char *const types[] = {"number", "string"};
    words(s, "type", types, 2);
}

static void names(Schema *s) {
    open(s, "propertyNames");
    text(s, "pattern", NAME);
    close(s);
}

/* Description of the key, with the SI unit of its numbers if it has one. */
static void description(Schema *s, const RbvKey *key) {
    char words_of[400];
    const char *unit = key->dimension[0] != RBV_DIM_NONE && key->dimension[0] != RBV_DIM_ANY
                           ? rbv_dimension_si(key->dimension[0])
                           : "";
    bool mixed = key->dimension[1] != RBV_DIM_NONE && key->dimension[1] != key->dimension[0];
    snprintf(words_of, sizeof words_of, *unit && !mixed ? "%s [%s]" : "%s", key->doc, unit);
    text(s, "description", words_of);
}

static bool is_here(const Schema *s, const RbvKey *key, const char *type) {
    return key->kind != RBV_KEY_LATER && rbv_key_exists(key, s->spatial) && (!type || rbv_key_belongs(key->only, type));
}

/* The required keys among `keys`: those of one type only, or (type NULL) those of all types. */
static void required(Schema *s, const RbvKey *keys, const char *type) {
    const char *list[16];
    int32_t count = 0;
    for (const RbvKey *key = keys; key->name && count < 16; key++)
        if (key->required && !key->unless && is_here(s, key, type) && (type != NULL) == (key->only != NULL))
            list[count++] = key->name;
    if (count > 0)
        words(s, "required", list, count);
    for (const RbvKey *key = keys; key->name && !type; key++)
        if (key->required && key->unless) {
            open(s, "if");
            open(s, "not");
            words(s, "required", &key->unless, 1);
            close(s);
            close(s);
            open(s, "then");
            words(s, "required", &key->name, 1);
            close(s);
        }
}

static void either(Schema *s, const char *one, const char *other) {
    open(s, "if");
    open(s, "not");
    words(s, "required", &one, 1);
    close(s);
    close(s);
    open(s, "then");
    words(s, "required", &other, 1);
    close(s);
    open(s, "else");
    open(s, "not");
    words(s, "required", &other, 1);
    close(s);
    close(s);
}

/* Members of the schema of an object with these keys and no others. */
static void object(Schema *s, const RbvKey *keys) {
    text(s, "type", "object");
    required(s, keys, NULL);
    open(s, "properties");
    for (const RbvKey *key = keys; key->name; key++)
        if (is_here(s, key, NULL))
            member(s, key->name, key);
    close(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    if (strcmp(keys->name, "equation") == 0)
        either(s, "equation", "velocity");
}

/* Branch of a typed object for one type: the schemas of its own keys, and the names of the common ones. */
static void kind(Schema *s, const RbvKey *keys, const char *type, const char *doc) {
    open(s, NULL);
    open(s, "if");
    open(s, "properties");
    open(s, "type");
    text(s, "const", type);
    close(s);
    close(s);
    words(s, "required", (const char *const[]){"type"}, 1);
    close(s);
    open(s, "then");
    if (doc)
        text(s, "description", doc);
    required(s, keys, type);
    if (strcmp(type, "spring") == 0)
        either(s, "between", "joint");
    open(s, "properties");
    for (const RbvKey *key = keys; key->name; key++) {
        if (!is_here(s, key, type))
            continue;
        if (key->only)
            member(s, key->name, key);
        else
            rbv_json_bool(&s->json, key->name, true);
    }
    close(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    if (strcmp(type, "gear") == 0 || strcmp(type, "bevel") == 0)
        either(s, "radii", "teeth");
    if (strcmp(type, "spring") == 0) {
        open(s, "dependentRequired");
        words(s, "stiffness", (const char *const[]){"free_length"}, 1);
        close(s);
    }
    close(s);
    close(s);
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
static void typed(Schema *s, const RbvKey *keys, bool joints) {
    int32_t count = joints ? rbv_joint_kind_count() : rbv_load_kind_count();
    text(s, "type", "object");
    required(s, keys, NULL);
    open(s, "properties");
    open(s, "type");
    text(s, "description", keys->doc);
    rbv_json_open(&s->json, "enum", "[");
    for (int32_t k = 0; k < count; k++)
        if (kind_at(s, joints, k).type) {
            rbv_json_next(&s->json);
            rbv_json_text(&s->json, kind_at(s, joints, k).type);
        }
    rbv_json_close(&s->json, "]");
    close(s);
    for (const RbvKey *key = keys + 1; key->name; key++)
        if (is_here(s, key, NULL) && !key->only)
            member(s, key->name, key);
    close(s);
    rbv_json_open(&s->json, "allOf", "[");
    for (int32_t k = 0; k < count; k++)
        if (kind_at(s, joints, k).type)
            kind(s, keys, kind_at(s, joints, k).type, kind_at(s, joints, k).doc);
    rbv_json_close(&s->json, "]");
}

/* A map from the user's names to maps of children; ground is a body with markers only. */
static void dict(Schema *s, const RbvKey *key) {
    bool joints = strcmp(key->name, "joints") == 0;
    text(s, "type", "object");
    names(s);
    for (const RbvKey *child = key->children; child->name; child++)
        if (child->kind == RBV_KEY_MARKERS) {
            open(s, "properties");
            open(s, "ground");
            text(s, "description", "the fixed frame; it has markers and nothing else");
            text(s, "type", "object");
            open(s, "properties");
            member(s, child->name, child);
            close(s);
            rbv_json_bool(&s->json, "additionalProperties", false);
            close(s);
            close(s);
        }
    open(s, "additionalProperties");
    if (joints || strcmp(key->name, "loads") == 0)
        typed(s, key->children, joints);
    else
        object(s, key->children);
    close(s);
}

static void units(Schema *s, const RbvKey *key) {
    text(s, "type", "object");
    open(s, "properties");
    for (int k = RBV_DIM_LENGTH; k < RBV_DIM_COUNT; k++) {
        char doc[300];
        snprintf(doc, sizeof doc, "%s: %s; SI: %s", rbv_dimension_name((RbvDimension)k), key->children->doc,
                 rbv_dimension_si((RbvDimension)k));
        open(s, rbv_dimension_key((RbvDimension)k));
        text(s, "description", doc);
        text(s, "type", "string");
        close(s);
    }
    close(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
}

static void list_of_scalars(Schema *s, int least, int most, bool strings) {
    open(s, "items");
    if (strings)
        text(s, "type", "string");
    else
        scalar(s);
    close(s);
    rbv_json_integer(&s->json, "minItems", least);
    rbv_json_integer(&s->json, "maxItems", most);
}

/* A point (list) or a map of children: keywords for lists do not apply to maps, nor the other way round. */
static void marker(Schema *s, const RbvKey *keys) {
    static const char *const types[] = {"array", "object"};
    words(s, "type", types, 2);
    list_of_scalars(s, rbv_key_least(&keys[0], s->spatial), rbv_key_most(&keys[0], s->spatial), false);
    open(s, "properties");
    for (const RbvKey *key = keys; key->name; key++)
        if (is_here(s, key, NULL))
            member(s, key->name, key);
    close(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
}

static void list(Schema *s, const RbvKey *key) {
    bool of_points = key->children[0].kind == RBV_KEY_QUANTITIES && !*key->children[0].name;
    text(s, "type", "array");
    rbv_json_integer(&s->json, "minItems", key->least);
    if (of_points) {
        member(s, "items", &key->children[0]);
        return;
    }
    open(s, "items");
    object(s, key->children);
    close(s);
}

/* A map from names to scalars or markers. */
static void names_to(Schema *s, const RbvKey *key) {
    text(s, "type", "object");
    if (key->kind != RBV_KEY_QUANTITY_DICT && key->kind != RBV_KEY_COORDINATE_DICT)
        names(s);
    open(s, "additionalProperties");
    if (key->kind == RBV_KEY_MARKERS)
        marker(s, key->children);
    else
        scalar(s);
    close(s);
}

static void choice(Schema *s, const RbvKey *key) {
    int32_t count = 0;
    while (key->words[count])
        count++;
    words(s, "enum", key->words, count);
}

static void member(Schema *s, const char *name, const RbvKey *key) {
    static const char *const scalar_or_list[] = {"number", "string", "array"};
    open(s, name);
    description(s, key);
    switch (key->kind) {
    case RBV_KEY_TEXT: text(s, "type", "string"); break;
    case RBV_KEY_CHOICE: choice(s, key); break;
    case RBV_KEY_BOOL: text(s, "type", "boolean"); break;
    case RBV_KEY_NUMBER: rbv_json_integer(&s->json, "const", 1); break;
    case RBV_KEY_RANGE:
        words(s, "type", scalar_or_list, 3);
        list_of_scalars(s, 2, 2, false);
        break;
    case RBV_KEY_QUANTITY:
    case RBV_KEY_EXPRESSION: scalar(s); break;
    case RBV_KEY_QUANTITIES:
    case RBV_KEY_EXPRESSIONS:
    case RBV_KEY_TEXTS:
        text(s, "type", "array");
        list_of_scalars(s, rbv_key_least(key, s->spatial), rbv_key_most(key, s->spatial), key->kind == RBV_KEY_TEXTS);
        break;
    case RBV_KEY_MATRIX:
        text(s, "type", "array");
        open(s, "items");
        text(s, "type", "array");
        open(s, "items");
        scalar(s);
        close(s);
        close(s);
        break;
    case RBV_KEY_MAP:
        if (strcmp(key->name, "units") == 0)
            units(s, key);
        else
            object(s, key->children);
        break;
    case RBV_KEY_LIST: list(s, key); break;
    case RBV_KEY_DICT: dict(s, key); break;
    case RBV_KEY_MARKERS:
    case RBV_KEY_EXPRESSION_DICT:
    case RBV_KEY_COORDINATE_DICT:
    case RBV_KEY_QUANTITY_DICT: names_to(s, key); break;
    case RBV_KEY_MARKER:
    case RBV_KEY_LATER: break;
    }
    close(s);
}

/* The part of the schema for the plane, or for space. */
static void space(Schema *s, bool spatial) {
    s->spatial = spatial;
    open(s, NULL);
    open(s, "if");
    open(s, "properties");
    open(s, "space");
    text(s, "const", spatial ? "spatial" : "planar");
    close(s);
    close(s);
    words(s, "required", (const char *const[]){"space"}, 1);
    close(s);
    open(s, "then");
    required(s, rbv_model_keys, NULL);
    open(s, "properties");
    for (const RbvKey *key = rbv_model_keys; key->name; key++) {
        if (!is_here(s, key, NULL))
            continue;
        if (strcmp(key->name, "space") == 0)
            rbv_json_bool(&s->json, key->name, true);
        else
            member(s, key->name, key);
    }
    close(s);
    rbv_json_bool(&s->json, "additionalProperties", false);
    close(s);
    close(s);
}

char *rbv_model_schema(void) {
    Schema s = {.json = {.empty = true}};
    rbv_text_add(&s.json.text, "{");
    s.json.depth = 1;
    text(&s, "$schema", "https://json-schema.org/draft/2020-12/schema");
    text(&s, "title", "Roberval model file, format 1");
    text(&s, "description",
         "A mechanism in the plane or in space: what it is made of, what keeps it together, what moves and loads it.");
    text(&s, "type", "object");
    words(&s, "required", (const char *const[]){"space"}, 1);
    open(&s, "properties");
    for (const RbvKey *key = rbv_model_keys; key->name; key++)
        if (strcmp(key->name, "space") == 0)
            member(&s, key->name, key);
    close(&s);
    rbv_json_open(&s.json, "allOf", "[");
    space(&s, false);
    space(&s, true);
    rbv_json_close(&s.json, "]");
    rbv_json_close(&s.json, "}");
    rbv_text_add(&s.json.text, "\n");
    return rbv_text_take(&s.json.text);
}
