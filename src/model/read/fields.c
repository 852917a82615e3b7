/* Maps against the table of keys; see fields.h. */
#include "model/read/fields.h"

#include "core/base/diagnostics.h"
#include "model/model/keys.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Most names differ in their first letter: look at it before calling strcmp. */
static bool same(const char *a, const char *b) {
    return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Keys that are allowed in the map, for "did you mean". */
typedef struct Allowed {
    const RbvKey *keys;
    const char *type;
    bool spatial;
} Allowed;

static bool in_space(const RbvReader *reader) {
    return reader->model && reader->model->space == RBV_SPATIAL;
}

static const char *key_candidate(const void *context, int32_t k) {
    const Allowed *allowed = context;
    const RbvKey *key = &allowed->keys[k];
    return rbv_key_belongs(key->only, allowed->type ? allowed->type : "") && rbv_key_exists(key, allowed->spatial)
               ? key->name
               : "";
}

static int32_t key_count(const RbvKey *keys) {
    int32_t count = 0;
    while (keys[count].name)
        count++;
    return count;
}

static const RbvKey *find_key(const RbvKey *keys, const char *type, bool spatial, const char *name) {
    for (const RbvKey *key = keys; key->name; key++)
        if (same(key->name, name) && (!type || rbv_key_belongs(key->only, type)) && rbv_key_exists(key, spatial))
            return key;
    return NULL;
}

static void list_allowed(const Allowed *allowed, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (const RbvKey *key = allowed->keys; key->name; key++) {
        bool common = !key->only || (allowed->type && rbv_key_belongs(key->only, allowed->type));
        if (!common || key->kind == RBV_KEY_LATER || !rbv_key_exists(key, allowed->spatial))
            continue;
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", key->name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
}

/* The allowed key that `name` is another word for, else the allowed key nearest in spelling; NULL: none. */
static const char *key_meant(const RbvFields *fields, const char *name) {
    bool spatial = in_space(fields->reader), sentence = false;
    const char *meant = rbv_meaning(RBV_MEANING_KEY, name, spatial, &sentence);
    for (const char *at = meant; at && *at; at += strcspn(at, " "), at += *at == ' ') {
        char word[40];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        const RbvKey *key = find_key(fields->keys, fields->type ? fields->type : "", spatial, word);
        if (key && key->kind != RBV_KEY_LATER && rbv_node_find(fields->node, word, strlen(word)) < 0)
            return key->name;
    }
    Allowed allowed = {fields->keys, fields->type, spatial};
    const char *near = rbv_name_nearest(name, key_count(fields->keys), key_candidate, &allowed);
    return near && *near ? near : NULL;
}

static void unknown_key(const RbvFields *fields, int32_t k) {
    const char *name = fields->node->keys[k], *instead = rbv_meaning_elsewhere(fields->what, name),
               *meant = instead ? NULL : key_meant(fields, name);
    bool spatial = in_space(fields->reader);
    Allowed allowed = {fields->keys, fields->type, spatial};
    char list[400];
    list_allowed(&allowed, list, sizeof list);
    RbvPosition at = fields->node->key_at[k];
    const char *type = fields->type ? fields->type : "";
    const char *own = spatial ? "spatial" : "planar";
    const char *other = spatial ? "planar" : "spatial";
    const RbvKey *by_meaning = meant && rbv_meaning(RBV_MEANING_KEY, name, spatial, &(bool){false})
                                   ? find_key(fields->keys, type, spatial, meant)
                                   : NULL;
    if (instead && !find_key(fields->keys, NULL, spatial, name))
        rbv_reader_error(fields->reader, at, "unknown key '%s' in %s; %s", name, fields->what, instead);
    else if (strchr(name, ':'))
        rbv_reader_error(fields->reader, at, "a blank is missing behind the ':' of '%s'", name);
    else if (!find_key(fields->keys, NULL, spatial, name) && find_key(fields->keys, NULL, !spatial, name))
        rbv_reader_error(fields->reader, at, "'%s' in %s belongs to %s models; this one is %s", name, fields->what,
                         other, own);
    else if (find_key(fields->keys, NULL, spatial, name) && !meant)
        rbv_reader_error(fields->reader, at, "the key '%s' does not belong to a '%s'; it may have: %s", name, type,
                         list);
    else if (find_key(fields->keys, NULL, spatial, name))
        rbv_reader_error(fields->reader, at,
                         "the key '%s' does not belong to a '%s'; did you mean '%s'? It may have: %s", name, type,
                         meant, list);
    else if (by_meaning)
        rbv_reader_error(fields->reader, at, "unknown key '%s' in %s; did you mean '%s'? (%s)", name, fields->what,
                         meant, by_meaning->doc);
    else if (meant)
        rbv_reader_error(fields->reader, at, "unknown key '%s' in %s; did you mean '%s'?", name, fields->what, meant);
    else
        rbv_reader_error(fields->reader, at, "unknown key '%s' in %s; it may have: %s", name, fields->what, list);
}

/* True if a required key is present under another word; it is then not reported as missing. */
static bool is_meant(const RbvFields *fields, const RbvKey *key, bool reported) {
    for (int32_t k = 0; reported && k < fields->node->count; k++) {
        const char *meant =
            find_key(fields->keys, fields->type ? fields->type : "", in_space(fields->reader), fields->node->keys[k])
                ? NULL
                : key_meant(fields, fields->node->keys[k]);
        if (meant && strcmp(meant, key->name) == 0)
            return true;
    }
    return false;
}

bool rbv_fields_open(RbvFields *fields, RbvReader *reader, const RbvNode *node, RbvPosition at, const RbvKey *keys,
                     const char *type, const char *what) {
    *fields = (RbvFields){reader, node, at, keys, type, what, false, false};
    if (node->kind != RBV_NODE_MAP) {
        char list[400];
        Allowed allowed = {keys, type, in_space(reader)};
        list_allowed(&allowed, list, sizeof list);
        bool glued = node->kind == RBV_NODE_SCALAR && strchr(node->text, ':');
        rbv_reader_error(reader, node->at, "%s must be a map of keys: {%s}%s", what, list,
                         glued ? "; is a blank missing behind a ':'?" : "");
        return false;
    }
    for (int32_t k = 0; k < node->count; k++) {
        const RbvKey *key = find_key(keys, type ? type : "", in_space(reader), node->keys[k]);
        fields->unknown = fields->unknown || !key;
        if (!key)
            unknown_key(fields, k);
        else if (key->kind == RBV_KEY_LATER)
            rbv_reader_error(reader, node->key_at[k], "'%s' (%s) is not in this version", key->name, key->doc);
    }
    for (const RbvKey *key = keys; key->name; key++)
        if (key->required && !(key->unless && rbv_node_find(node, key->unless, strlen(key->unless)) >= 0) &&
            rbv_key_exists(key, in_space(reader)) && (!key->only || (type && rbv_key_belongs(key->only, type))) &&
            rbv_node_find(node, key->name, strlen(key->name)) < 0) {
            if (!is_meant(fields, key, fields->unknown))
                rbv_reader_error(reader, at.line ? at : node->at, "%s lacks the key '%s': %s", what, key->name,
                                 key->doc);
            fields->incomplete = true;
        }
    return true;
}

bool rbv_fields_open_item(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                          const RbvNode *dict, int32_t k, const char *kind, const char *type) {
    snprintf(label->what, sizeof label->what, "%s '%s'", kind, dict->keys[k]);
    label->places = (RbvPlaces){dict->items[k], dict->key_at[k]};
    *source = rbv_reader_source(reader, &label->places);
    return rbv_fields_open(fields, reader, dict->items[k], dict->key_at[k], key->children, type, label->what);
}

const RbvNode *rbv_fields_node(const RbvFields *fields, const char *key) {
    int32_t k = rbv_node_find(fields->node, key, strlen(key));
    return k >= 0 ? fields->node->items[k] : NULL;
}

const RbvKey *rbv_fields_key(const RbvFields *fields, const char *key) {
    return find_key(fields->keys, fields->type ? fields->type : "", in_space(fields->reader), key);
}

/* Node under `name` if the table allows this key here, else NULL. */
static const RbvNode *allowed_node(const RbvFields *fields, const char *name, const RbvKey **key) {
    const RbvNode *node = rbv_fields_node(fields, name);
    *key = node ? rbv_fields_key(fields, name) : NULL;
    return *key ? node : NULL;
}

static const char *describe(const RbvNode *node) {
    if (node->kind == RBV_NODE_LIST)
        return "a list";
    if (node->kind == RBV_NODE_MAP)
        return "a map";
    return node->type == RBV_SCALAR_BOOL     ? "true or false"
           : node->type == RBV_SCALAR_NULL   ? "nothing"
           : node->type == RBV_SCALAR_NUMBER ? "a number"
                                             : "a text";
}

void rbv_fields_text(const RbvFields *fields, const char *name, const char **out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node)
        return;
    if (node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING)
        *out = node->text;
    else
        rbv_reader_error(fields->reader, node->at, "'%s' of %s must be a text (%s), not %s", name, fields->what,
                         key->doc, describe(node));
}

void rbv_fields_bool(const RbvFields *fields, const char *name, bool *out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node)
        return;
    if (node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_BOOL)
        *out = node->truth;
    else
        rbv_reader_error(fields->reader, node->at, "'%s' of %s must be true or false, not %s", name, fields->what,
                         node->kind == RBV_NODE_SCALAR && node->text ? node->text : describe(node));
}

static const char *word_candidate(const void *context, int32_t k) {
    return ((const char *const *)context)[k];
}

void rbv_fields_choice(const RbvFields *fields, const char *name, int *out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node)
        return;
    int count = 0;
    char list[200] = "";
    size_t used = 0;
    const char *text = node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING ? node->text : "";
    for (; key->words[count]; count++) {
        if (strcmp(text, key->words[count]) == 0) {
            *out = count;
            return;
        }
        int n = snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "", key->words[count]);
        used = n > 0 && used + (size_t)n < sizeof list ? used + (size_t)n : sizeof list - 1;
    }
    const char *near = rbv_name_nearest(text, count, word_candidate, key->words);
    if (near)
        rbv_reader_error(fields->reader, node->at, "'%s' of %s cannot be '%s'; did you mean '%s'?", name, fields->what,
                         text, near);
    else
        rbv_reader_error(fields->reader, node->at, "'%s' of %s must be one of %s", name, fields->what, list);
}

void rbv_fields_quantity(const RbvFields *fields, const char *name, double *out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (node)
        rbv_read_measure(fields->reader, node, key->dimension[0], name, out);
}

void rbv_fields_range(const RbvFields *fields, const char *name, double out[2]) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node)
        return;
    if (node->kind != RBV_NODE_LIST) {
        if (rbv_read_measure(fields->reader, node, key->dimension[0], name, &out[0]))
            out[1] = out[0];
        return;
    }
    double pair[2];
    if (node->count != 2) {
        rbv_reader_error(fields->reader, node->at, "'%s' of %s is one value, or a list of two: least and largest", name,
                         fields->what);
        return;
    }
    bool good = true;
    for (int k = 0; k < 2; k++)
        good = rbv_read_measure(fields->reader, node->items[k], key->dimension[0], name, &pair[k]) && good;
    if (good && !(pair[0] <= pair[1])) {
        rbv_reader_error(fields->reader, node->at, "the least of '%s' of %s comes first", name, fields->what);
        fields->reader->model->broken = true;
    } else if (good) {
        out[0] = pair[0], out[1] = pair[1];
    }
}

int rbv_fields_quantities(const RbvFields *fields, const char *name, double *out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    int count = 0;
    return node && rbv_read_quantities(fields->reader, node, key, out, &count) ? count : 0;
}

/* True if the value can be read at all; its errors are reported already. */
static bool is_readable(const RbvFields *fields, const RbvNode *node, const char *name) {
    RbvReader silent = *fields->reader;
    const RbvKey *key = rbv_fields_key(fields, name);
    bool broken = silent.model->broken;
    double ignored;
    silent.diagnostics = NULL;
    bool readable = key && rbv_read_quantity(&silent, node, key->dimension[0], name, &ignored);
    silent.model->broken = broken;
    fields->reader->no_memory = silent.no_memory;
    return readable;
}

bool rbv_fields_positive(const RbvFields *fields, const char *key, double value) {
    const RbvNode *node = rbv_fields_node(fields, key);
    if (!node || value > 0)
        return true;
    if (is_readable(fields, node, key))
        rbv_reader_error(fields->reader, node->at, "'%s' must be positive, not %g", key, value);
    return false;
}

const RbvKey *rbv_fields_only_map(const RbvFields *fields) {
    const RbvKey *only = NULL;
    int count = 0;
    for (const RbvKey *key = fields->keys; key->name; key++)
        if (key->kind == RBV_KEY_MAP && rbv_key_exists(key, in_space(fields->reader)) &&
            rbv_fields_node(fields, key->name)) {
            only = key;
            count++;
        }
    return count == 1 ? only : NULL;
}

void rbv_fields_expression(const RbvFields *fields, const char *name, const char **out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (node)
        rbv_read_expression(fields->reader, node, key->dimension[0], name, out);
}

static bool check_list(const RbvFields *fields, const RbvNode *node, const RbvKey *key) {
    int least = rbv_key_least(key, in_space(fields->reader)), most = rbv_key_most(key, in_space(fields->reader));
    if (node->kind == RBV_NODE_LIST && node->count >= least && node->count <= most)
        return true;
    if (least == most)
        rbv_reader_error(fields->reader, node->at, "'%s' must be a list of %d: %s", key->name, least, key->doc);
    else
        rbv_reader_error(fields->reader, node->at, "'%s' must be a list of %d to %d: %s", key->name, least, most,
                         key->doc);
    return false;
}

static int fields_expressions(const RbvFields *fields, const char *name, const char **out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node || !check_list(fields, node, key))
        return 0;
    bool good = true;
    for (int32_t k = 0; k < node->count; k++)
        good = rbv_read_expression(fields->reader, node->items[k], key->dimension[0], name, &out[k]) && good;
    return good ? node->count : 0;
}

int rbv_fields_texts(const RbvFields *fields, const char *name, const char **out) {
    const RbvKey *key;
    const RbvNode *node = allowed_node(fields, name, &key);
    if (!node || !check_list(fields, node, key))
        return 0;
    for (int32_t k = 0; k < node->count; k++) {
        const RbvNode *item = node->items[k];
        if (item->kind != RBV_NODE_SCALAR || item->type != RBV_SCALAR_STRING) {
            rbv_reader_error(fields->reader, item->at, "'%s' of %s must list texts, not %s", name, fields->what,
                             describe(item));
            return 0;
        }
        out[k] = item->text;
    }
    return node->count;
}

static void fill_member(const RbvFields *fields, const RbvKey *key, void *at) {
    int choice = 0;
    switch (key->kind) {
    case RBV_KEY_TEXT: rbv_fields_text(fields, key->name, at); break;
    case RBV_KEY_TEXTS: rbv_fields_texts(fields, key->name, at); break;
    case RBV_KEY_NUMBER:
    case RBV_KEY_QUANTITY: rbv_fields_quantity(fields, key->name, at); break;
    case RBV_KEY_QUANTITIES: rbv_fields_quantities(fields, key->name, at); break;
    case RBV_KEY_EXPRESSION: rbv_fields_expression(fields, key->name, at); break;
    case RBV_KEY_EXPRESSIONS: fields_expressions(fields, key->name, at); break;
    case RBV_KEY_BOOL: rbv_fields_bool(fields, key->name, at); break;
    case RBV_KEY_CHOICE:
        rbv_fields_choice(fields, key->name, &choice);
        *(bool *)at = choice > 0;
        break;
    case RBV_KEY_RANGE: rbv_fields_range(fields, key->name, at); break;
    default: assert(false && "a key of this kind is read by hand"); break;
    }
}

void rbv_fields_fill(const RbvFields *fields, void *def) {
    for (const RbvKey *key = fields->keys; key->name; key++)
        if (key->into && key == rbv_fields_key(fields, key->name))
            fill_member(fields, key, (char *)def + key->into);
}
