/* Reads bytes into a tree: check the bytes, read strict JSON here and all else by libfyaml (tree_yaml.c), then report
 * either the one syntax error or all errors that the builder found. */
#include "model/read/tree.h"

#include "core/base/diagnostics.h"
#include "model/read/text_check.h"
#include "model/read/tree_builder.h"

#include <stdlib.h>
#include <string.h>

/* --- strict JSON, RFC 8259 ---
 *
 * JSON is YAML too, but programs write it without line ends, and libfyaml holds a whole
 * line of tokens before it returns the first one (80 bytes per byte of JSON). Other text is left to the YAML reader. */

typedef struct JsonReader {
    RbvNodeTreeBuilder *builder;
    const char *text;
    size_t length, at;
    char *decoded; /* text of the last string with escapes */
    size_t capacity;
} JsonReader;

/* Current byte, 0 at the end (the text has no NUL). */
static char peek(const JsonReader *reader) {
    return reader->at < reader->length ? reader->text[reader->at] : '\0';
}

static void skip_space(JsonReader *reader) {
    for (; reader->at < reader->length; reader->at++) {
        char c = reader->text[reader->at];
        if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
            return;
        }
    }
}

static bool take_character(JsonReader *reader, char c) {
    if (peek(reader) != c) {
        return false;
    }
    reader->at++;
    return true;
}

/* --- strings --- */

static bool read_hex(JsonReader *reader, uint32_t *value) {
    *value = 0;
    for (int k = 0; k < 4; k++, reader->at++) {
        char c = peek(reader);
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) {
            return false;
        }
        *value = *value * 16 + digit;
    }
    return true;
}

static size_t encode(uint32_t c, char *out) {
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t size = 2u + (c >= 0x800) + (c >= 0x10000);
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t k = size - 1; k > 0; k--, c >>= 6) {
        out[k] = (char)(0x80 | (c & 0x3F));
    }
    out[0] = (char)(lead[size] | c);
    return size;
}

/* Decode the escape behind a backslash into `out`; returns the number of bytes, 0 if JSON has no such escape. */
static size_t read_escape(JsonReader *reader, char *out) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char c = peek(reader);
    if (c == '\0') {
        return 0;
    }
    reader->at++;
    const char *name = strchr(names, c);
    if (name != NULL) {
        out[0] = values[name - names];
        return 1;
    }
    uint32_t value = 0, low = 0;
    if (c != 'u' || !read_hex(reader, &value)) {
        return 0;
    }
    if (value >= 0xD800 && value <= 0xDBFF) { /* a pair of surrogates is one character */
        if (!take_character(reader, '\\') || !take_character(reader, 'u') || !read_hex(reader, &low) || low < 0xDC00 ||
            low > 0xDFFF) {
            return 0;
        }
        value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
    }
    return encode(value, out);
}

/* Decode a string. An escape is never shorter than its decoded bytes, so a buffer of the string's length in the text
 * suffices. */
static bool decode_json_text(JsonReader *reader, size_t start, size_t end, size_t *length) {
    if (end - start > reader->capacity) {
        char *decoded = realloc(reader->decoded, 2 * (end - start));
        if (decoded == NULL) {
            reader->builder->stopped = reader->builder->no_memory = true;
            return true;
        }
        reader->decoded = decoded;
        reader->capacity = 2 * (end - start);
    }
    size_t used = 0;
    for (reader->at = start; reader->at < end;) {
        char c = reader->text[reader->at++];
        if (c != '\\') {
            reader->decoded[used++] = c;
            continue;
        }
        size_t written = read_escape(reader, reader->decoded + used);
        if (written == 0) {
            return false;
        }
        used += written;
    }
    *length = used;
    reader->at = end + 1;
    return true;
}

static bool read_string(JsonReader *reader) {
    RbvNodeTraits traits = {.at = rbv_builder_position(reader->builder, reader->at), .quoted = true};
    size_t start = ++reader->at;
    bool escapes = false;
    while (peek(reader) != '"') {
        if ((unsigned char)peek(reader) < 0x20) {
            return false;
        }
        if (reader->text[reader->at] == '\\') {
            escapes = true;
            reader->at++;
        }
        reader->at++;
    }
    const char *text = reader->text + start;
    size_t length = reader->at - start;
    reader->at++;
    if (escapes) {
        if (!decode_json_text(reader, start, start + length, &length)) {
            return false;
        }
        text = reader->decoded;
    } else {
        traits.text_column = traits.at.column + 1;
    }
    rbv_builder_scalar(reader->builder, text, length, &traits);
    return true;
}

/* --- values --- */

static void skip_digits(JsonReader *reader, int *count) {
    for (*count = 0; peek(reader) >= '0' && peek(reader) <= '9'; reader->at++) {
        ++*count;
    }
}

static bool skip_number(JsonReader *reader) {
    int count = 0;
    take_character(reader, '-');
    if (!take_character(reader, '0')) {
        skip_digits(reader, &count);
        if (count == 0) {
            return false;
        }
    }
    if (take_character(reader, '.')) {
        skip_digits(reader, &count);
        if (count == 0) {
            return false;
        }
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (!take_character(reader, '-')) {
            take_character(reader, '+');
        }
        skip_digits(reader, &count);
        return count > 0;
    }
    return true;
}

static bool skip_word(JsonReader *reader) {
    static const char *const words[] = {"true", "false", "null"};
    for (int k = 0; k < 3; k++) {
        size_t length = strlen(words[k]);
        if (reader->length - reader->at >= length && memcmp(reader->text + reader->at, words[k], length) == 0) {
            reader->at += length;
            return true;
        }
    }
    return false;
}

static bool read_plain(JsonReader *reader) {
    size_t start = reader->at;
    RbvNodeTraits traits = {.at = rbv_builder_position(reader->builder, start)};
    traits.text_column = traits.at.column;
    if (!skip_word(reader) && !skip_number(reader)) {
        return false;
    }
    rbv_builder_scalar(reader->builder, reader->text + start, reader->at - start, &traits);
    return true;
}

static void open_bracket(JsonReader *reader) {
    char bracket = peek(reader);
    RbvNodeTraits traits = {.at = rbv_builder_position(reader->builder, reader->at), .bracket = bracket};
    rbv_builder_open(reader->builder, bracket == '{' ? RBV_NODE_MAP : RBV_NODE_LIST, &traits);
    reader->at++;
}

static bool read_key(JsonReader *reader) {
    skip_space(reader);
    if (peek(reader) != '"' || !read_string(reader)) {
        return false;
    }
    skip_space(reader);
    return take_character(reader, ':');
}

/* Behind a value: close the lists and maps that end here, then read a comma and, in a map, the next key. */
static bool go_on(JsonReader *reader) {
    RbvNodeTreeBuilder *builder = reader->builder;
    while (!builder->stopped && builder->depth > 0) {
        bool in_map = builder->stack[builder->depth - 1].bracket == '{';
        skip_space(reader);
        if (take_character(reader, ',')) {
            return !in_map || read_key(reader);
        }
        if (!take_character(reader, in_map ? '}' : ']')) {
            return false;
        }
        rbv_builder_close(builder);
    }
    return true;
}

/* Read a scalar, an empty list or map, or the brackets up to the first value inside. */
static bool read_json_value(JsonReader *reader, bool *inside) {
    RbvNodeTreeBuilder *builder = reader->builder;
    *inside = false;
    skip_space(reader);
    char c = peek(reader);
    if (c == '"') {
        return read_string(reader);
    }
    if (c != '{' && c != '[') {
        return read_plain(reader);
    }
    open_bracket(reader);
    if (builder->stopped) {
        return true;
    }
    skip_space(reader);
    if (take_character(reader, c == '{' ? '}' : ']')) {
        rbv_builder_close(builder);
        return true;
    }
    *inside = true;
    return c == '[' || read_key(reader);
}

static bool read_json(JsonReader *reader) {
    do {
        bool inside = false;
        if (!read_json_value(reader, &inside) || (!inside && !go_on(reader))) {
            return false;
        }
    } while (!reader->builder->stopped && reader->builder->depth > 0);
    skip_space(reader);
    return reader->builder->stopped || reader->at == reader->length;
}

bool rbv_node_tree_read_json(RbvNodeTreeBuilder *builder, size_t *stop) {
    JsonReader reader = {.builder = builder, .text = builder->text, .length = builder->length};
    bool whole = read_json(&reader);
    *stop = reader.at;
    free(reader.decoded);
    return whole;
}

static bool starts_like_json(const RbvNodeTreeBuilder *builder) {
    size_t k = 0;
    while (k < builder->length && strchr(" \t\r\n", builder->text[k]) != NULL) {
        k++;
    }
    return k < builder->length && (builder->text[k] == '{' || builder->text[k] == '[');
}

static bool has_long_line(const char *text, size_t length) {
    for (size_t start = 0; start < length;) {
        const char *newline = memchr(text + start, '\n', length - start);
        size_t end = newline == NULL ? length : (size_t)(newline - text);
        if (end - start > RBV_TREE_MAX_LINE) {
            return true;
        }
        start = end + 1;
    }
    return false;
}

/* Read the text into the builder. False: syntax error. */
static bool read_text(RbvNodeTreeBuilder *builder, RbvSyntaxError *error) {
    if (starts_like_json(builder)) {
        const char *file = builder->file, *text = builder->text;
        size_t length = builder->length, stop = 0;
        if (rbv_node_tree_read_json(builder, &stop)) {
            return true;
        }
        if (has_long_line(text, length)) {
            error->at = rbv_builder_position(builder, stop);
            strcpy(error->message, "not JSON here, and too long in one line to be read as YAML");
            return false;
        }
        rbv_builder_clear(builder);
        if (!rbv_builder_start(builder, file, text, length)) {
            builder->stopped = builder->no_memory = true;
            return true;
        }
    }
    return rbv_node_tree_read_yaml(builder, error);
}

static void pass_on(const RbvNodeTreeBuilder *builder, const char *file, RbvDiagnostics *diagnostics) {
    rbv_diagnostics_sort(builder->errors);
    int32_t kept = rbv_diagnostics_count(builder->errors);
    for (int32_t k = 0; k < kept; k++) {
        RbvDiagnostic error = rbv_diagnostics_marked(builder->errors, k);
        rbv_diagnose(diagnostics, RBV_ERROR, file, error.at, "%s", error.message);
    }
    if (builder->no_memory || (kept == 0 && rbv_diagnostics_errors(builder->errors) > 0)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, RBV_NOWHERE, "no memory");
    }
}

RbvNodeTree *rbv_node_tree_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics) {
    if (length > RBV_TREE_MAX_BYTES) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, RBV_NOWHERE, "the file is larger than 256 MiB; a model file is not");
        return NULL;
    }
    if (!rbv_text_check(file, text, length, diagnostics)) {
        return NULL;
    }
    size_t mark = rbv_text_mark_length(text, length);
    RbvNodeTreeBuilder builder;
    RbvSyntaxError error = {.message = ""};
    if (!rbv_builder_start(&builder, file, text + mark, length - mark)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, RBV_NOWHERE, "no memory");
        return NULL;
    }
    RbvNodeTree *tree = NULL;
    if (!read_text(&builder, &error)) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, error.at, "%s", error.message);
    } else if (builder.no_memory || rbv_diagnostics_errors(builder.errors) > 0) {
        pass_on(&builder, file, diagnostics);
    } else if (builder.tree->root == NULL ||
               (builder.tree->root->kind == RBV_NODE_SCALAR && builder.tree->root->text[0] == '\0')) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, (RbvPosition){1, 1},
                     "the file is empty; a model starts with \"roberval: 1\"");
    } else {
        tree = builder.tree;
        builder.tree = NULL;
    }
    rbv_builder_clear(&builder);
    return tree;
}
