/* Builds a tree from nodes in the order of the text. Open lists and maps are on a stack; finished children are in one
 * array until their parent closes and takes the last of them. Aliases share nodes, so the size and height of their
 * values are counted as if written out: code that walks the tree never exceeds the limits. */
#include "model/read/tree_builder.h"

#include "core/base/diagnostics.h"
#include "core/base/units.h"
#include "model/read/text_check.h"
#include "model/read/tree.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- texts that are split at a comma ---
 *
 * Inside brackets YAML splits at commas: {mass: 0,5 kg} is mass: 0 and a key "5 kg",
 * and [max(t, 1), 0] has three items. Readers of the pieces could not report the error. */

/* True for a scalar written without quotes, on one line. */
static bool is_plain(const RbvNode *node) {
    return node->kind == RBV_NODE_SCALAR && node->text_column > 0 && node->text_column == node->at.column &&
           *node->text;
}

/* Number of opening brackets that the text does not close; 0 or less if all are closed. */
static int open_in(const char *text) {
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open;
}

static bool is_nothing(const RbvNode *node) {
    return node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_NULL && !*node->text;
}

static bool is_digit_at_end(const char *text) {
    size_t length = strlen(text);
    return length > 0 && isdigit((unsigned char)text[length - 1]);
}

/* Text of item k if it can be a piece of a split text: in a map a key without a value, in a list a plain text; else
 * NULL. */
static const char *piece(const RbvNode *node, int32_t k) {
    if (k >= node->count)
        return NULL;
    if (node->kind == RBV_NODE_MAP)
        return is_nothing(node->items[k]) ? node->keys[k] : NULL;
    return is_plain(node->items[k]) ? node->items[k]->text : NULL;
}

/* Join the pieces of an expression from item `first` on until its brackets are closed, into text; returns the number of
 * pieces behind the first. */
static int32_t gather(const RbvNode *node, int32_t first, char *text, size_t size) {
    int open = open_in(node->items[first]->text);
    size_t used = (size_t)snprintf(text, size, "%s", node->items[first]->text);
    int32_t k = first + 1;
    for (; open > 0; k++) {
        const char *more = piece(node, k);
        if (!more)
            return 0;
        open += open_in(more);
        used = used < size ? used + (size_t)snprintf(text + used, size - used, ", %s", more) : used;
    }
    return k - first - 1;
}

/* The first item from *from on that begins a divided string, with the error in `message`; *from moves behind its last
 * piece. -1: none. */
static int32_t find_divided(const RbvNode *node, int32_t *from, char *message, size_t size) {
    char text[200];
    for (int32_t k = *from; k < node->count; k++) {
        const RbvNode *item = node->items[k];
        if (!is_plain(item))
            continue;
        int32_t pieces = open_in(item->text) > 0 ? gather(node, k, text, sizeof text) : 0;
        const char *next = node->kind == RBV_NODE_MAP ? piece(node, k + 1) : NULL;
        if (pieces > 0) {
            snprintf(message, size, "the commas of '%.150s' divide this %s: put the expression in quotes", text,
                     node->kind == RBV_NODE_MAP ? "map" : "list");
            *from = k + pieces + 1;
            return k;
        }
        if (next && isdigit((unsigned char)*next) && is_digit_at_end(item->text)) {
            snprintf(message, size, "is '%.60s,%.60s' one number? its decimals stand behind a point: %.60s.%.60s",
                     item->text, next, item->text, next);
            *from = k + 2;
            return k;
        }
    }
    return -1;
}

/* --- types of scalars: the YAML 1.2 core schema (spec 10.3.2), null, booleans, decimal numbers, 0o octal and 0x
 * hexadecimal integers --- */

static bool is_one_of(const char *text, const char *const words[], int count) {
    for (int k = 0; k < count; k++) {
        if (strcmp(text, words[k]) == 0) {
            return true;
        }
    }
    return false;
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Read 0o17 or 0xFF: no sign, at least one digit. False: not such a number. */
static bool read_based(const char *text, double *number) {
    int base = text[1] == 'o' ? 8 : 16;
    double value = 0;
    for (const char *c = text + 2; *c != '\0'; c++) {
        int digit = digit_value(*c);
        if (digit >= base) {
            return false;
        }
        value = value * base + digit;
    }
    *number = value;
    return text[2] != '\0' && isfinite(value);
}

/* Type of the plain scalar text[length] (NUL-terminated), with *number or *truth. Numbers outside the range of
 * double, .inf and .nan are strings. */
static RbvScalarType scalar_read(const char *text, size_t length, double *number, bool *truth) {
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const truths[] = {"true", "True", "TRUE"};
    static const char *const falses[] = {"false", "False", "FALSE"};

    char first = text[0];
    if (first == '-' || first == '+' || first == '.' || (first >= '0' && first <= '9')) {
        double value = 0;
        if (first == '0' && (text[1] == 'o' || text[1] == 'x')) {
            if (!read_based(text, &value)) {
                return RBV_SCALAR_STRING;
            }
        } else if (rbv_number_parse(text, &value) != length || !isfinite(value)) {
            return RBV_SCALAR_STRING;
        }
        *number = value;
        return RBV_SCALAR_NUMBER;
    }
    if (length > 5) {
        return RBV_SCALAR_STRING;
    }
    if (is_one_of(text, nulls, 5)) {
        return RBV_SCALAR_NULL;
    }
    if (is_one_of(text, truths, 3) || is_one_of(text, falses, 3)) {
        *truth = first == 't' || first == 'T';
        return RBV_SCALAR_BOOL;
    }
    return RBV_SCALAR_STRING;
}

static const char bad_key[] = ""; /* placeholder of a refused key; recognised by its address */

/* Maps up to this size are searched for duplicate keys pair by pair, larger ones by a hash table. */
enum { SMALL_MAP = 12 };

bool rbv_builder_start(RbvNodeTreeBuilder *builder, const char *file, const char *text, size_t length) {
    *builder = (RbvNodeTreeBuilder){.file = file, .text = text, .length = length, .walked_at = {1, 1}};
    builder->tree = calloc(1, sizeof *builder->tree);
    builder->errors = rbv_diagnostics_create();
    if (builder->tree == NULL || builder->errors == NULL) {
        rbv_builder_clear(builder);
        return false;
    }
    return true;
}

void rbv_builder_clear(RbvNodeTreeBuilder *builder) {
    rbv_node_tree_destroy(builder->tree);
    rbv_diagnostics_destroy(builder->errors);
    rbv_name_table_clear(&builder->anchor_names);
    free(builder->pending);
    free(builder->anchors);
    *builder = (RbvNodeTreeBuilder){0};
}

/* --- positions and errors --- */

static bool ends_line(const RbvNodeTreeBuilder *builder, size_t k) {
    char c = builder->text[k];
    return c == '\n' || (c == '\r' && (k + 1 == builder->length || builder->text[k + 1] != '\n'));
}

RbvPosition rbv_builder_position(RbvNodeTreeBuilder *builder, size_t offset) {
    if (offset > builder->length) {
        offset = builder->length;
    }
    if (offset < builder->walked) { /* back to the start of the offset's line */
        while (builder->walked > offset || (builder->walked > 0 && !ends_line(builder, builder->walked - 1))) {
            builder->walked--;
            if (ends_line(builder, builder->walked)) {
                builder->walked_at.line--;
            }
        }
        builder->walked_at.column = 1;
    }
    RbvPosition at = builder->walked_at;
    for (size_t k = builder->walked; k < offset; k++) {
        if (ends_line(builder, k)) {
            at.line++;
            at.column = 1;
        } else if (((unsigned char)builder->text[k] & 0xC0) != 0x80) {
            at.column++;
        }
    }
    builder->walked = offset;
    builder->walked_at = at;
    return at;
}

void rbv_builder_error(RbvNodeTreeBuilder *builder, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(builder->errors, RBV_ERROR, builder->file, at, format, arguments);
    va_end(arguments);
}

static void stop_without_memory(RbvNodeTreeBuilder *builder) {
    builder->stopped = builder->no_memory = true;
}

/* --- growing the tree --- */

static RbvNode *new_node(RbvNodeTreeBuilder *builder, RbvNodeKind kind, RbvPosition at) {
    RbvNode *node = rbv_arena_alloc(&builder->tree->arena, sizeof *node);
    if (node == NULL) {
        stop_without_memory(builder);
        return NULL;
    }
    node->kind = (uint8_t)kind;
    node->at = at;
    return node;
}

static bool count_values(RbvNodeTreeBuilder *builder, int64_t count, RbvPosition at) {
    builder->values += count;
    if (builder->values <= RBV_TREE_MAX_NODES) {
        return true;
    }
    rbv_builder_error(builder, at, "more than %d values up to here, each alias counted with all that it stands for",
                      RBV_TREE_MAX_NODES);
    builder->stopped = true;
    return false;
}

static bool check_depth(RbvNodeTreeBuilder *builder, int32_t height, RbvPosition at) {
    if (builder->depth + height <= RBV_TREE_MAX_DEPTH) {
        return true;
    }
    rbv_builder_error(builder, at, "lists and maps are nested more than %d levels deep", RBV_TREE_MAX_DEPTH);
    builder->stopped = true;
    return false;
}

/* Is the next node a key? */
static bool builder_wants_key(const RbvNodeTreeBuilder *builder) {
    if (builder->depth == 0) {
        return false;
    }
    const RbvFrame *frame = &builder->stack[builder->depth - 1];
    return frame->node->kind == RBV_NODE_MAP && !frame->has_key;
}

static void set_key(RbvNodeTreeBuilder *builder, const char *key, RbvPosition at) {
    RbvFrame *frame = &builder->stack[builder->depth - 1];
    frame->has_key = true;
    frame->key = key;
    frame->key_at = at;
    if (frame->bracket == 0 && builder->pending_count == frame->first) {
        frame->node->at = at; /* a map without braces starts with its first key */
    }
}

/* The key that a list of words stands for, such as [a, b]: its words, with ", " between them, in brackets. */
static const char *key_of_list(RbvNodeTreeBuilder *builder, const RbvNode *node) {
    size_t length = 2;
    bool words = node->kind == RBV_NODE_LIST && node->count > 0;
    for (int32_t k = 0; words && k < node->count; k++) {
        words = node->items[k]->kind == RBV_NODE_SCALAR;
        length += words ? strlen(node->items[k]->text) + 2 : 0;
    }
    if (!words) {
        if (node->kind == RBV_NODE_LIST)
            rbv_builder_error(builder, node->at, "a key must be a word, not a list; is a \"[\" too many?");
        return bad_key;
    }
    char *key = rbv_arena_alloc(&builder->tree->arena, length + 1), *at = key;
    if (key == NULL) {
        stop_without_memory(builder);
        return bad_key;
    }
    for (int32_t k = 0; k < node->count; k++)
        at += sprintf(at, "%s%s", k == 0 ? "[" : ", ", node->items[k]->text);
    strcpy(at, "]");
    return key;
}

/* Give a finished node to the list or map that is open, or make it the root. */
static void attach(RbvNodeTreeBuilder *builder, RbvNode *node, int32_t height) {
    if (builder->depth == 0) {
        builder->tree->root = node;
        return;
    }
    if (builder_wants_key(builder)) { /* a list of words is the key "[a, b]"; a map was reported when it was opened */
        set_key(builder, key_of_list(builder, node), node->at);
        return;
    }
    RbvFrame *frame = &builder->stack[builder->depth - 1];
    if (builder->pending_count == builder->pending_capacity) {
        int32_t capacity = builder->pending_capacity == 0 ? 256 : 2 * builder->pending_capacity;
        RbvPending *pending = realloc(builder->pending, (size_t)capacity * sizeof *pending);
        if (pending == NULL) {
            stop_without_memory(builder);
            return;
        }
        builder->pending = pending;
        builder->pending_capacity = capacity;
    }
    builder->pending[builder->pending_count++] = (RbvPending){node, frame->key, frame->key_at};
    frame->has_key = false;
    if (height > frame->height) {
        frame->height = height;
    }
}

/* --- anchors --- */

/* Index of the anchor, -1 if there is none. A repeated name refers to the newer node from here on. */
static int32_t set_anchor(RbvNodeTreeBuilder *builder, const RbvNodeTraits *traits, RbvNode *node, bool open) {
    if (traits->anchor == NULL) {
        return -1;
    }
    char *name = rbv_arena_copy(&builder->tree->arena, traits->anchor, traits->anchor_length);
    if (name == NULL) {
        stop_without_memory(builder);
        return -1;
    }
    int32_t index = rbv_name_table_find(&builder->anchor_names, name);
    if (index < 0) {
        if (builder->anchor_count == builder->anchor_capacity) {
            int32_t capacity = builder->anchor_capacity == 0 ? 16 : 2 * builder->anchor_capacity;
            RbvAnchor *anchors = realloc(builder->anchors, (size_t)capacity * sizeof *anchors);
            if (anchors == NULL) {
                stop_without_memory(builder);
                return -1;
            }
            builder->anchors = anchors;
            builder->anchor_capacity = capacity;
        }
        index = builder->anchor_count;
        if (!rbv_name_table_add(&builder->anchor_names, name, index)) {
            stop_without_memory(builder);
            return -1;
        }
        builder->anchor_count++;
    }
    builder->anchors[index] = (RbvAnchor){.node = node, .values = 1, .open = open};
    return index;
}

void rbv_builder_alias(RbvNodeTreeBuilder *builder, const char *name, size_t length, RbvPosition at) {
    if (builder->stopped) {
        return;
    }
    if (builder_wants_key(builder)) {
        rbv_builder_error(builder, at, "an alias cannot be a key; write the key itself");
        set_key(builder, bad_key, at);
        return;
    }
    char *copy = rbv_arena_copy(&builder->tree->arena, name, length);
    if (copy == NULL) {
        stop_without_memory(builder);
        return;
    }
    int32_t index = rbv_name_table_find(&builder->anchor_names, copy);
    const RbvAnchor *anchor = index < 0 ? NULL : &builder->anchors[index];
    if (anchor == NULL || anchor->open) {
        int shown = rbv_text_shown(name, length);
        if (anchor == NULL) {
            rbv_builder_error(builder, at,
                              "alias *%.*s has no anchor &%.*s above it; quote the text if * is meant to be a star",
                              shown, name, shown, name);
        } else {
            rbv_builder_error(builder, at, "alias *%.*s stands inside its own anchor; nothing can contain itself",
                              shown, name);
        }
        RbvNode *node = new_node(builder, RBV_NODE_SCALAR, at);
        if (node != NULL) {
            attach(builder, node, 0);
        }
        return;
    }
    if (check_depth(builder, anchor->height, at) && count_values(builder, anchor->values, at)) {
        attach(builder, anchor->node, anchor->height);
    }
}

/* --- tags --- */

#define YAML_TAG "tag:yaml.org,2002:"

static const char *tag_word(const char *tag) {
    size_t prefix = strlen(YAML_TAG);
    return strncmp(tag, YAML_TAG, prefix) == 0 ? tag + prefix : "";
}

static void refuse_tag(RbvNodeTreeBuilder *builder, RbvPosition at, const char *tag) {
    const char *word = tag_word(tag);
    static const char *const known[] = {"str", "int", "float", "bool", "null", "map", "seq"};
    for (int k = 0; k < 7; k++) {
        if (strcmp(word, known[k]) == 0) {
            rbv_builder_error(builder, at, "tag !!%s does not fit what it stands before", word);
            return;
        }
    }
    rbv_builder_error(builder, at, "tag %.*s is not known; write plain data without tags",
                      rbv_text_shown(tag, strlen(tag)), tag);
}

/* Set the type of a scalar by its tag. */
static void apply_scalar_tag(RbvNodeTreeBuilder *builder, RbvNode *node, size_t length, const RbvNodeTraits *traits) {
    const char *word = tag_word(traits->tag);
    if (strcmp(word, "str") == 0) {
        node->type = RBV_SCALAR_STRING;
        return;
    }
    node->type = (uint8_t)scalar_read(node->text, length, &node->number, &node->truth);
    bool fits = (strcmp(word, "int") == 0 && node->type == RBV_SCALAR_NUMBER && node->number == floor(node->number)) ||
                (strcmp(word, "float") == 0 && node->type == RBV_SCALAR_NUMBER) ||
                (strcmp(word, "bool") == 0 && node->type == RBV_SCALAR_BOOL) ||
                (strcmp(word, "null") == 0 && node->type == RBV_SCALAR_NULL);
    if (!fits) {
        refuse_tag(builder, traits->at, traits->tag);
    }
}

/* --- incoming nodes --- */

static void take_key(RbvNodeTreeBuilder *builder, const char *text, size_t length, const RbvNodeTraits *traits) {
    if (traits->block) {
        rbv_builder_error(builder, traits->at, "a key must be a word on one line, not a block of text");
        set_key(builder, bad_key, traits->at);
    } else if (length == 0 && !traits->quoted) {
        rbv_builder_error(builder, traits->at, "a key is missing before \":\"");
        set_key(builder, bad_key, traits->at);
    } else {
        set_key(builder, text, traits->at);
    }
    if (traits->tag != NULL && strcmp(tag_word(traits->tag), "str") != 0) {
        refuse_tag(builder, traits->at, traits->tag);
    }
}

/* Copy the text of a scalar; escapes that decode to characters not allowed in a model file are reported. */
static const char *copy_scalar_text(RbvNodeTreeBuilder *builder, const char *text, size_t length,
                                    const RbvNodeTraits *traits) {
    if (traits->text_column == 0 && rbv_text_first_bad(text, length) != length) {
        rbv_builder_error(builder, traits->at,
                          "an escape in this text stands for a control character or for no character");
        length = 0;
    }
    char *copy = rbv_arena_copy(&builder->tree->arena, text, length);
    if (copy == NULL) {
        stop_without_memory(builder);
    }
    return copy;
}

void rbv_builder_scalar(RbvNodeTreeBuilder *builder, const char *text, size_t length, const RbvNodeTraits *traits) {
    if (builder->stopped) {
        return;
    }
    const char *copy = copy_scalar_text(builder, text, length, traits);
    if (copy == NULL) {
        return;
    }
    bool is_key = builder_wants_key(builder);
    if (is_key) {
        take_key(builder, copy, length, traits);
        if (traits->anchor == NULL) {
            return;
        }
    }
    RbvNode *node = new_node(builder, RBV_NODE_SCALAR, traits->at);
    if (node == NULL || !count_values(builder, 1, traits->at)) {
        return;
    }
    length = strlen(copy);
    node->text = copy;
    node->text_column = traits->text_column;
    node->type = RBV_SCALAR_STRING;
    if (traits->tag != NULL && !is_key) {
        apply_scalar_tag(builder, node, length, traits);
    } else if (!traits->quoted && !traits->block) {
        node->type = (uint8_t)scalar_read(copy, length, &node->number, &node->truth);
    }
    set_anchor(builder, traits, node, false);
    if (!is_key && !builder->stopped) {
        attach(builder, node, 0);
    }
}

void rbv_builder_open(RbvNodeTreeBuilder *builder, RbvNodeKind kind, const RbvNodeTraits *traits) {
    if (builder->stopped || !check_depth(builder, 1, traits->at)) {
        return;
    }
    if (builder_wants_key(builder) && kind == RBV_NODE_MAP) {
        rbv_builder_error(builder, traits->at, "a key must be a word, not a map; is a \"{\" too many?");
    }
    if (traits->tag != NULL && strcmp(tag_word(traits->tag), kind == RBV_NODE_MAP ? "map" : "seq") != 0) {
        refuse_tag(builder, traits->at, traits->tag);
    }
    RbvNode *node = new_node(builder, kind, traits->at);
    int64_t before = builder->values;
    if (node == NULL || !count_values(builder, 1, traits->at)) {
        return;
    }
    int32_t anchor = set_anchor(builder, traits, node, true);
    builder->stack[builder->depth++] = (RbvFrame){.node = node,
                                                  .at = traits->at,
                                                  .bracket = traits->bracket,
                                                  .first = builder->pending_count,
                                                  .anchor = anchor,
                                                  .values_before = before};
}

/* --- complete lists and maps --- */

static void report_duplicate(RbvNodeTreeBuilder *builder, const RbvNode *map, int32_t first, int32_t again) {
    const char *key = map->keys[again];
    size_t length = strlen(key);
    int shown = rbv_text_shown(key, length);
    rbv_builder_error(builder, map->key_at[again], "key \"%.*s%s\" stands twice in this map; the first is on line %d",
                      shown, key, (size_t)shown < length ? "..." : "", (int)map->key_at[first].line);
}

static void check_small_map(RbvNodeTreeBuilder *builder, const RbvNode *map) {
    for (int32_t k = 1; k < map->count; k++) {
        for (int32_t j = 0; j < k; j++) {
            if (map->keys[k][0] == map->keys[j][0] && map->keys[k] != bad_key && map->keys[j] != bad_key &&
                strcmp(map->keys[k], map->keys[j]) == 0) {
                report_duplicate(builder, map, j, k);
                break;
            }
        }
    }
}

static void check_large_map(RbvNodeTreeBuilder *builder, const RbvNode *map) {
    RbvNameTable seen = {0};
    for (int32_t k = 0; k < map->count; k++) {
        if (map->keys[k] == bad_key) {
            continue;
        }
        int32_t first = rbv_name_table_find(&seen, map->keys[k]);
        if (first >= 0) {
            report_duplicate(builder, map, first, k);
        } else if (!rbv_name_table_add(&seen, map->keys[k], k)) {
            stop_without_memory(builder);
            break;
        }
    }
    rbv_name_table_clear(&seen);
}

/* Report texts that are split at commas; true if there is one, errors of its pieces are then not reported. */
static bool report_divided(RbvNodeTreeBuilder *builder, const RbvNode *node) {
    char message[400];
    bool found = false;
    int32_t from = 0;
    for (int32_t k; (k = find_divided(node, &from, message, sizeof message)) >= 0; found = true)
        rbv_builder_error(builder, node->items[k]->at, "%s", message);
    return found;
}

/* Move the pending children of the frame into its node. */
static bool adopt(RbvNodeTreeBuilder *builder, const RbvFrame *frame) {
    RbvNode *node = frame->node;
    RbvArena *arena = &builder->tree->arena;
    node->count = builder->pending_count - frame->first;
    builder->pending_count = frame->first;
    size_t count = (size_t)node->count;
    bool is_map = node->kind == RBV_NODE_MAP;
    if (count == 0) {
        return true;
    }
    const RbvPending *children = builder->pending + frame->first;
    node->items = rbv_arena_array(arena, count, sizeof *node->items);
    if (is_map) {
        node->keys = rbv_arena_array(arena, count, sizeof *node->keys);
        node->key_at = rbv_arena_array(arena, count, sizeof *node->key_at);
    }
    if (node->items == NULL || (is_map && (node->keys == NULL || node->key_at == NULL))) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        node->items[k] = children[k].node;
        if (is_map) {
            node->keys[k] = children[k].key;
            node->key_at[k] = children[k].key_at;
        }
    }
    return true;
}

void rbv_builder_close(RbvNodeTreeBuilder *builder) {
    if (builder->stopped) {
        return;
    }
    RbvFrame frame = builder->stack[--builder->depth];
    if (!adopt(builder, &frame)) {
        stop_without_memory(builder);
        return;
    }
    bool divided = frame.bracket && report_divided(builder, frame.node);
    if (frame.node->kind == RBV_NODE_MAP && !divided) {
        if (frame.node->count <= SMALL_MAP) {
            check_small_map(builder, frame.node);
        } else {
            check_large_map(builder, frame.node);
        }
    }
    int32_t height = frame.height + 1;
    if (frame.anchor >= 0) {
        RbvAnchor *anchor = &builder->anchors[frame.anchor];
        if (anchor->node == frame.node) { /* a node inside may have redefined the anchor */
            *anchor = (RbvAnchor){
                .node = frame.node, .values = builder->values - frame.values_before, .height = height, .open = false};
        }
    }
    attach(builder, frame.node, height);
}

/* --- the finished tree --- */

void rbv_node_tree_destroy(RbvNodeTree *tree) {
    if (tree != NULL) {
        rbv_arena_clear(&tree->arena);
        free(tree);
    }
}

const RbvNode *rbv_node_tree_root(const RbvNodeTree *tree) {
    return tree == NULL ? NULL : tree->root;
}

/* Index of the child `key`, or -1. First letters are compared first, since most names differ there. */
int32_t rbv_node_find(const RbvNode *map, const char *key, size_t length) {
    for (int32_t k = 0; map->kind == RBV_NODE_MAP && k < map->count; k++)
        if (map->keys[k][0] == key[0] && strncmp(map->keys[k], key, length) == 0 && map->keys[k][length] == '\0')
            return k;
    return -1;
}

const RbvNode *rbv_node_child(const RbvNode *map, const char *key) {
    int32_t k = map ? rbv_node_find(map, key, strlen(key)) : -1;
    return k >= 0 ? map->items[k] : NULL;
}
