/* Reads YAML by libfyaml's events. Line and column are computed from each event's offset, since libfyaml's columns
 * point inside quotes and behind '*' and '&'.
 *
 * Brackets may close at any column (YAML 1.2 requires them indented, people and other parsers do not), hence
 * FYPCF_SLOPPY_FLOW_INDENTATION. libfyaml looks ahead to the end of the line while a key may still follow, and keeps
 * every token meanwhile: lines beyond RBV_TREE_MAX_LINE or with MAX_OPEN_IN_LINE brackets open at once are refused
 * before.
 */
#define _GNU_SOURCE
#include "model/read/text_check.h"
#include "model/read/tree_builder.h"

#include <dlfcn.h>
#include <errno.h>
#include <libfyaml.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- text to the parser ---
 *
 * Passes a text to libfyaml's parser safely when memory may run out.
 *
 * In libfyaml 0.7 fy_parser_set_string, like its sibling functions, writes through the result of fy_input_create
 * without checking it for NULL. libfyaml calls that function by name, so that the function below is called instead: it
 * calls the real one, and if that is out of memory it returns to set_text by a long jump over two frames that
 * own nothing yet. With a libfyaml that checks the result, or does not call by name, the jump is never made. The symbol
 * is weak for programs that contain libfyaml themselves: their function is used then.
 */

typedef struct fy_input *InputCreate(const void *config);

static _Thread_local jmp_buf *way_out; /* return point of set_text; NULL outside of it */

InputCreate fy_input_create __attribute__((weak, visibility("default")));

struct fy_input *fy_input_create(const void *config) {
    void *symbol = dlsym(RTLD_NEXT, "fy_input_create");
    InputCreate *real = NULL;
    memcpy(&real, &symbol, sizeof real); /* ISO C has no cast from object to function pointers */
    struct fy_input *input = real ? real(config) : NULL;
    if (!input && way_out)
        longjmp(*way_out, 1);
    return input;
}

/* fy_parser_set_string that handles memory exhaustion: false. */
static bool set_text(struct fy_parser *parser, const char *text, size_t length) {
    jmp_buf here;
    way_out = &here;
    bool set = setjmp(here) == 0 && fy_parser_set_string(parser, text, length) == 0;
    way_out = NULL;
    return set;
}

/* --- errors for the author ---
 *
 * Explains libfyaml's error messages to the author of a model file: what is wrong, and how to correct it. */

typedef struct Explanation {
    const char *part; /* part of the message; the first row that matches is used */
    const char *meaning;
} Explanation;

static const Explanation explanations[] = {
    {"missing comma in flow mapping",
     "a \",\" or \"}\" is missing before this, or quotes around a text with [ ] { } or , in it"},
    {"missing comma in flow sequence",
     "a \",\" or \"]\" is missing before this, or quotes around a text with [ ] { } or , in it"},
    {"comma in the beginning", "a \",\" without a value before it"},
    {"without a closing bracket", "a \"]\" is missing"},
    {"without a closing brace", "a \"}\" is missing"},
    {"invalid extra closing", "this bracket closes nothing; remove it, or open it before"},
    {"mismatched flow", "this bracket is of the other kind than the one it should close"},
    {"without closing quote", "this quote is not closed; a closing quote is missing"},
    {"invalid trailing content after", "text after a closing quote; is a quote missing before, or one too many?"},
    {"multiline double-quoted scalar used as key", "a key must stand on one line; is a closing quote missing above?"},
    {"multiline single-quoted scalar used as key", "a key must stand on one line; is a closing quote missing above?"},
    {"has invalid hex escape", "\\x, \\u and \\U take 2, 4 and 8 hexadecimal digits"},
    {"UTF8 escape", "this escape stands for no character"},
    {"surrogate", "this escape stands for no character"},
    {"quoted scalar", "a quoted text that does not end where it should; is a closing quote missing?"},
    {"invalid multiline plain key", "a \":\" is missing after this, or the line below is indented wrongly"},
    {"multiline flow", "a list or map in brackets that spans lines cannot be a key"},
    {"could not find expected ':'", "a \":\" is missing after this"},
    {"tab", "a tab cannot indent in YAML; use spaces"},
    {"invalid nested block mapping on the same line",
     "a second \": \" on one line; quote the text, or put the map in braces or on lines of its own"},
    {"invalid block mapping key on same line", "a second key on one line; put it on a line of its own"},
    {"invalid value after mapping", "text behind a map; is it indented wrongly?"},
    {"invalid mapping in plain multiline",
     "a \": \" in a text of several lines; quote the text or mend the indentation"},
    {"block sequence on the same line", "a \"- \" here; items of a list stand on lines of their own"},
    {"block sequence entries not allowed", "a \"- \" cannot stand here; indent the items below their key"},
    {"illegal block sequence", "a \"- \" here; items of a list stand on lines of their own"},
    {"did not find expected '-'", "a \"- \" is expected, as in the items before; or is this line indented wrongly?"},
    {"invalid scalar at the end of block sequence", "a \"- \" or a key is missing; or is this line indented wrongly?"},
    {"indent", "this line is indented wrongly; keys of one map, and items of one list, start in the same column"},
    {"indendation", "this line is indented wrongly; keys of one map, and items of one list, start in the same column"},
    {"did not find expected key", "a key is expected, as in the lines before; or is this line indented wrongly?"},
    {"did not find expected node content", "a value is expected here; or is this line indented wrongly?"},
    {"not allowed in this context", "this cannot stand here; is the line indented wrongly, or a \":\" too many?"},
    {"Illegal placement of ':'", "a \":\" cannot stand here; quote the text that it belongs to"},
    {"illegal value mark", "a \":\" cannot stand here; quote the text that it belongs to"},
    {"plain scalar cannot start with", "text that starts with this character must be quoted"},
    {"invalid escape",
     "a backslash in double quotes must start an escape such as \\n; write \\\\ for one, or use '...'"},
    {"invalid content after document end", "text behind the document's end mark \"...\"; remove it or the mark"},
    {"document start", "a \"---\" stands inside a list, map or text that is still open"},
    {"document end", "a \"...\" stands inside a list, map or text that is still open"},
    {"invalid document-", "a \"---\" or \"...\" stands inside a quoted text; is a closing quote missing above?"},
    {"invalid mapping starting at ---", "the model must start on the line below \"---\""},
    {"document", "the \"---\" or \"...\" here is out of place; remove it"},
    {"directive", "a directive is out of place; remove it"},
    {"comment", "a \"#\" that starts a comment needs a blank before it; or quote the text"},
    {"anchor", "an anchor or alias that is not in order; quote the text if & or * is meant as a character"},
    {"alias", "an anchor or alias that is not in order; quote the text if & or * is meant as a character"},
    {"tag", "a tag that is not in order; quote the text if ! is meant as a character"},
    {"URI", "a tag that is not in order; quote the text if ! is meant as a character"},
    {"block scalar", "a block of text after | or > that is not in order; is it indented wrongly?"},
};

/* Start of the line behind the one that contains `offset`. */
static size_t next_yaml_line(const char *text, size_t length, size_t offset) {
    while (offset < length && text[offset] != '\n' && text[offset] != '\r') {
        offset++;
    }
    if (offset + 1 < length && text[offset] == '\r' && text[offset + 1] == '\n') {
        offset++;
    }
    return offset < length ? offset + 1 : length;
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

/* True if the line that starts at `start` contains ": ". */
static bool has_key(const char *text, size_t length, size_t start) {
    for (size_t k = start; k < length && !is_line_end(text[k]); k++) {
        if (text[k] == ':' && (k + 1 == length || strchr(" \t\r\n", text[k + 1]) != NULL)) {
            return true;
        }
    }
    return false;
}

/* Find a key indented deeper below `mass: 2 kg`: YAML continues the text "2 kg" in the next line, which turns out to be
 * a key, so libfyaml's message is about the text. The error is the line with the key. False if the text is alone in its
 * line: then it is a key without ":". */
static bool find_deeper_key(const char *text, size_t length, RbvSyntaxError *error) {
    size_t start = 0;
    for (int32_t line = 1; line < error->at.line; line++) {
        start = next_yaml_line(text, length, start);
    }
    size_t at = start + (size_t)(error->at.column - 1);
    for (; start < at && start < length && strchr(" \t-?", text[start]) != NULL;) {
        start++;
    }
    if (start >= at) {
        return false;
    }
    for (int32_t line = error->at.line + 1; start < length; line++) {
        start = next_yaml_line(text, length, start);
        if (!has_key(text, length, start)) {
            continue;
        }
        size_t first = start;
        bool tab = false;
        for (; first < length && (text[first] == ' ' || text[first] == '\t'); first++) {
            tab |= text[first] == '\t';
        }
        error->at = (RbvPosition){line, tab ? 1 : (int32_t)(first - start) + 1};
        snprintf(error->message, sizeof error->message, "%s",
                 tab ? "a tab cannot indent in YAML; use spaces"
                     : "this line is indented deeper than the key above, which has a value already; is it indented "
                       "wrongly?");
        return true;
    }
    return false;
}

/* True for `30[deg]*t` in a map in braces, where the bracket would begin a list. */
static bool is_bracket_in_text(const char *text, size_t length, const RbvSyntaxError *error) {
    size_t start = 0;
    for (int32_t line = 1; line < error->at.line; line++) {
        start = next_yaml_line(text, length, start);
    }
    size_t at = start + (size_t)(error->at.column - 1);
    return at > start && at < length && text[at] == '[' && strchr(" \t,:[{", text[at - 1]) == NULL;
}

/* Find `mass:2`: without a blank behind it the ":" belongs to the word. */
static bool find_missing_blank(const char *text, size_t length, RbvSyntaxError *error) {
    size_t start = 0;
    for (int32_t line = 1; line < error->at.line; line++) {
        start = next_yaml_line(text, length, start);
    }
    for (size_t k = start + (size_t)(error->at.column - 1); k + 1 < length && !is_line_end(text[k]) && text[k] != '#';
         k++) {
        if (text[k] == ':' && strchr(" \t\r\n", text[k + 1]) == NULL) {
            error->at.column = (int32_t)(k - start) + 1;
            snprintf(error->message, sizeof error->message, "a blank is missing behind this \":\"");
            return true;
        }
    }
    return false;
}

/* Translate the parser's complaint about text[length] into a message for the author of the file. error->at holds the
 * parser's position and is moved to the actual error if known better. */
static void explain(const char *complaint, const char *text, size_t length, RbvSyntaxError *error) {
    if (strstr(complaint, "could not find expected ':'") != NULL && find_missing_blank(text, length, error)) {
        return;
    }
    if (strstr(complaint, "invalid multiline plain key") != NULL && find_deeper_key(text, length, error)) {
        return;
    }
    if (strstr(complaint, "invalid multiline plain key") != NULL && find_missing_blank(text, length, error)) {
        return;
    }
    if (strstr(complaint, "missing comma in flow mapping") != NULL && is_bracket_in_text(text, length, error)) {
        snprintf(error->message, sizeof error->message, "text with [ ] inside must be in quotes, as in \"30[deg]*t\"");
        return;
    }
    if (strstr(complaint, "without closing quote") != NULL && error->at.column > 1) {
        error->at.column--; /* the parser's position is behind the quote */
    }
    for (size_t k = 0; k < sizeof explanations / sizeof explanations[0]; k++) {
        if (strstr(complaint, explanations[k].part) != NULL) {
            snprintf(error->message, sizeof error->message, "%s", explanations[k].meaning);
            return;
        }
    }
    snprintf(error->message, sizeof error->message,
             "not YAML%s%.200s; is a quote, a bracket, a \":\" or some indentation wrong here?",
             complaint[0] == '\0' ? "" : ": ", complaint);
}

/* Largest number of open brackets (or "- " in a row) in one line: more than any author writes, far below the number
 * that libfyaml cannot handle. */
enum { MAX_OPEN_IN_LINE = 1000 };

typedef struct YamlReader {
    RbvNodeTreeBuilder *builder;
    RbvSyntaxError *error;
    size_t after; /* offset of the end of the last node's text */
    int documents;
    bool ended;
    char *decoded; /* text of the last scalar whose pieces were joined */
    size_t capacity;
} YamlReader;

/* --- before parsing --- */

static bool fail(YamlReader *reader, size_t offset, const char *message) {
    reader->error->at = rbv_builder_position(reader->builder, offset);
    snprintf(reader->error->message, sizeof reader->error->message, "%s", message);
    return false;
}

/* Check the directives, which are allowed before the first "---" only: %YAML 1.2 is the one accepted. */
static bool check_directives(YamlReader *reader) {
    const char *text = reader->builder->text, *end = text + reader->builder->length;
    for (const char *line = text; line < end;) {
        const char *c = line;
        while (c < end && (*c == ' ' || *c == '\t')) {
            c++;
        }
        if (line < end && *line == '%') {
            if (end - line < 5 || memcmp(line, "%YAML", 5) != 0) {
                return fail(reader, (size_t)(line - text), "this directive is not known; only %YAML 1.2 is");
            }
            for (c = line + 5; c < end && (*c == ' ' || *c == '\t');) {
                c++;
            }
            bool is_1_2 = end - c >= 3 && memcmp(c, "1.2", 3) == 0 && (c + 3 == end || strchr(" \t\r\n", c[3]) != NULL);
            if (!is_1_2) {
                return fail(reader, (size_t)(line - text),
                            "this file is read as YAML 1.2; write %YAML 1.2 or no directive");
            }
        } else if (c < end && *c != '#' && *c != '\r' && *c != '\n') {
            break;
        }
        while (c < end && *c != '\n' && *c != '\r') {
            c++;
        }
        line = c < end ? c + 1 : end;
    }
    return true;
}

/* Largest number of brackets open in a line, or of "- ", "? " at its start. */
static int most_open(const char *line, size_t length) {
    int open = 0, most = 0, marks = 0;
    for (size_t k = 0; k < length; k++) {
        if (line[k] == '[' || line[k] == '{') {
            open++;
        } else if ((line[k] == ']' || line[k] == '}') && open > 0) {
            open--;
        }
        most = open > most ? open : most;
    }
    for (size_t k = 0; k < length && strchr("-?: \t", line[k]) != NULL; k++) {
        marks += line[k] == '-' || line[k] == '?' || line[k] == ':';
    }
    return marks > most ? marks : most;
}

static bool check_lines(YamlReader *reader) {
    const char *text = reader->builder->text;
    size_t length = reader->builder->length;
    for (size_t start = 0; start < length;) {
        const char *newline = memchr(text + start, '\n', length - start);
        size_t end = newline == NULL ? length : (size_t)(newline - text);
        if (end - start > RBV_TREE_MAX_LINE) {
            return fail(reader, start, "this line is longer than 1 MiB; break it into lines");
        }
        if (end - start > MAX_OPEN_IN_LINE && most_open(text + start, end - start) > MAX_OPEN_IN_LINE) {
            return fail(reader, start, "more than 1000 lists or maps are opened in this line; 64 levels are the most");
        }
        start = end + 1;
    }
    return true;
}

/* --- events --- */

static void no_memory(YamlReader *reader) {
    reader->builder->stopped = reader->builder->no_memory = true;
}

static const char *text_of(YamlReader *reader, struct fy_token *token, size_t *length) {
    *length = 0;
    const char *text = token == NULL ? "" : fy_token_get_text(token, length);
    if (text == NULL) {
        no_memory(reader);
        *length = 0;
        return "";
    }
    return text;
}

static size_t start_of(struct fy_event *event, size_t otherwise) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    return mark == NULL ? otherwise : mark->input_pos;
}

static void read_properties(YamlReader *reader, struct fy_token *anchor, struct fy_token *tag, RbvNodeTraits *traits) {
    if (anchor != NULL) {
        traits->anchor = text_of(reader, anchor, &traits->anchor_length);
    }
    if (tag != NULL) {
        const char *text = fy_token_get_text0(tag);
        if (text == NULL) {
            no_memory(reader);
        }
        traits->tag = text == NULL ? "" : text;
    }
}

/* Position of a value that is not written: its key, its "-", or its tag or anchor. */
static RbvPosition place_of_nothing(YamlReader *reader, struct fy_token *anchor, struct fy_token *tag) {
    RbvNodeTreeBuilder *builder = reader->builder;
    struct fy_token *property = tag != NULL ? tag : anchor;
    const struct fy_mark *mark = property == NULL ? NULL : fy_token_start_mark(property);
    if (mark != NULL) {
        return rbv_builder_position(builder, mark->input_pos - (property == anchor && mark->input_pos > 0));
    }
    if (builder->depth > 0 && builder->stack[builder->depth - 1].has_key) {
        return builder->stack[builder->depth - 1].key_at;
    }
    size_t k = reader->after;
    for (bool comment = false; k < builder->length; k++) {
        char c = builder->text[k];
        if (c == '\n' || c == '\r') {
            comment = false;
        } else if (c == '#') {
            comment = true;
        } else if (!comment && c != ' ' && c != '\t') {
            break;
        }
    }
    reader->after = k < builder->length && builder->text[k] == '-' ? k + 1 : k;
    return rbv_builder_position(builder, k);
}

/* Position of a block scalar: its first character that is not blank. */
static void place_block(YamlReader *reader, const char *text, size_t length, size_t start, RbvNodeTraits *traits) {
    const char *source = reader->builder->text;
    size_t end = reader->builder->length, first = start;
    while (first < end && strchr(" \t\r\n", source[first]) != NULL) {
        first++;
    }
    if (first >= reader->after) { /* nothing but blanks */
        traits->at = rbv_builder_position(reader->builder, start);
        return;
    }
    traits->at = rbv_builder_position(reader->builder, first);
    while (length > 0 && text[length - 1] == '\n') {
        length--;
    }
    if (length == 0 || memchr(text, '\n', length) != NULL) {
        return;
    }
    size_t line_end = first;
    while (line_end < end && source[line_end] != '\n' && source[line_end] != '\r') {
        line_end++;
    }
    if (line_end - start >= length && memcmp(source + line_end - length, text, length) == 0) {
        int32_t column = traits->at.column + (int32_t)(line_end - length) - (int32_t)first;
        traits->text_column = column > 0 ? column : 0;
    }
}

/* True if the scalar's text is in the source unchanged, on one line and without escapes. */
static bool stands_as_is(const char *source, size_t length, enum fy_scalar_style style) {
    return memchr(source, '\n', length) == NULL && memchr(source, '\r', length) == NULL &&
           !(style == FYSS_DOUBLE_QUOTED && memchr(source, '\\', length) != NULL) &&
           !(style == FYSS_SINGLE_QUOTED && memchr(source, '\'', length) != NULL);
}

static bool append(YamlReader *reader, size_t used, const char *text, size_t length) {
    if (length == 0) {
        return true;
    }
    if (length > reader->capacity - used) {
        size_t capacity = 2 * (used + length) + 1024;
        char *decoded = realloc(reader->decoded, capacity);
        if (decoded == NULL) {
            return false;
        }
        reader->decoded = decoded;
        reader->capacity = capacity;
    }
    memcpy(reader->decoded + used, text, length);
    return true;
}

/* Text of any scalar, in reader->decoded. Not by fy_token_get_text, which in 0.7.12 leaks when a text has many pieces,
 * nor by fy_token_iter_read, which returns other bytes. */
static const char *decode_yaml_text(YamlReader *reader, struct fy_token *token, size_t *length) {
    struct fy_token_iter *iterator = fy_token_iter_create(token);
    const struct fy_iter_chunk *chunk = NULL;
    size_t used = 0;
    int failed = iterator == NULL;
    while (!failed && (chunk = fy_token_iter_chunk_next(iterator, chunk, &failed)) != NULL) {
        failed = !append(reader, used, chunk->str, chunk->len);
        used += chunk->len;
    }
    fy_token_iter_destroy(iterator);
    if (failed) {
        no_memory(reader);
    }
    *length = used;
    return used == 0 || failed ? "" : reader->decoded;
}

static void read_written(YamlReader *reader, struct fy_token *token, size_t start, size_t end, RbvNodeTraits *traits) {
    RbvNodeTreeBuilder *builder = reader->builder;
    enum fy_scalar_style style = fy_token_scalar_style(token);
    traits->quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    traits->block = style == FYSS_LITERAL || style == FYSS_FOLDED;
    end = end < builder->length ? end : builder->length;
    reader->after = end + traits->quoted;
    const char *text = builder->text + start;
    size_t length = end - start;
    bool as_is = !traits->block && stands_as_is(text, length, style);
    if (!as_is) {
        text = decode_yaml_text(reader, token, &length);
        if (builder->stopped) {
            return;
        }
    }
    if (traits->block) {
        place_block(reader, text, length, start, traits);
    } else {
        traits->at = rbv_builder_position(builder, traits->quoted && start > 0 ? start - 1 : start);
        traits->text_column = as_is ? traits->at.column + traits->quoted : 0;
    }
    rbv_builder_scalar(builder, text, length, traits);
}

static void read_scalar(YamlReader *reader, struct fy_event *event) {
    struct fy_token *token = event->scalar.value, *anchor = event->scalar.anchor, *tag = event->scalar.tag;
    const struct fy_mark *start = token == NULL ? NULL : fy_token_start_mark(token);
    const struct fy_mark *end = token == NULL ? NULL : fy_token_end_mark(token);
    RbvNodeTraits traits = {0};
    read_properties(reader, anchor, tag, &traits);
    if (start == NULL || end == NULL || end->input_pos < start->input_pos ||
        start->input_pos > reader->builder->length) {
        traits.at = place_of_nothing(reader, anchor, tag);
        traits.text_column = traits.at.column;
        rbv_builder_scalar(reader->builder, "", 0, &traits);
        return;
    }
    read_written(reader, token, start->input_pos, end->input_pos, &traits);
}

static void read_open(YamlReader *reader, struct fy_event *event) {
    bool is_map = event->type == FYET_MAPPING_START;
    struct fy_token *token = is_map ? event->mapping_start.mapping_start : event->sequence_start.sequence_start;
    enum fy_token_type type = token == NULL ? FYTT_NONE : fy_token_get_type(token);
    size_t start = start_of(event, reader->after);
    RbvNodeTraits traits = {.at = rbv_builder_position(reader->builder, start)};
    if (type == FYTT_FLOW_MAPPING_START || type == FYTT_FLOW_SEQUENCE_START) {
        char bracket = start < reader->builder->length ? reader->builder->text[start] : '\0';
        traits.bracket = bracket == '[' || bracket == '{' ? bracket : '\0'; /* [a: b] contains a map without braces */
        start++;
    }
    read_properties(reader, is_map ? event->mapping_start.anchor : event->sequence_start.anchor,
                    is_map ? event->mapping_start.tag : event->sequence_start.tag, &traits);
    reader->after = start;
    rbv_builder_open(reader->builder, is_map ? RBV_NODE_MAP : RBV_NODE_LIST, &traits);
}

static void read_alias(YamlReader *reader, struct fy_event *event) {
    size_t length = 0;
    const char *name = text_of(reader, event->alias.anchor, &length);
    size_t start = start_of(event, reader->after);
    reader->after = start + length;
    rbv_builder_alias(reader->builder, name, length, rbv_builder_position(reader->builder, start > 0 ? start - 1 : 0));
}

static void read_document(YamlReader *reader, struct fy_event *event) {
    if (++reader->documents > 1) {
        rbv_builder_error(reader->builder, rbv_builder_position(reader->builder, start_of(event, reader->after)),
                          "a second document starts here; a file holds one");
        reader->builder->stopped = true;
    }
}

static void read_event(YamlReader *reader, struct fy_event *event) {
    switch (event->type) {
    case FYET_DOCUMENT_START: read_document(reader, event); break;
    case FYET_SCALAR: read_scalar(reader, event); break;
    case FYET_ALIAS: read_alias(reader, event); break;
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START: read_open(reader, event); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        reader->after = start_of(event, reader->after);
        rbv_builder_close(reader->builder);
        break;
    case FYET_STREAM_END: reader->ended = true; break;
    default: break;
    }
}

/* --- libfyaml's diagnostics --- */

static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length) {
    (void)diag;
    (void)user;
    (void)text;
    (void)length;
}

static struct fy_diag *create_diag(void) {
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.output_fn = swallow;
    config.colorize = false;
    config.level = FYET_ERROR;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag != NULL) {
        fy_diag_set_collect_errors(diag, true);
    }
    return diag;
}

/* Take the parser's first error, and name the bracket that is still open there. */
static void take_error(YamlReader *reader, struct fy_diag *diag) {
    RbvNodeTreeBuilder *builder = reader->builder;
    RbvSyntaxError *error = reader->error;
    const struct fy_diag_error *complaint;
    void *iterator = NULL;
    do {
        complaint = fy_diag_errors_iterate(diag, &iterator);
    } while (complaint != NULL && complaint->type < FYET_ERROR);

    error->at = rbv_builder_position(builder, reader->after);
    if (complaint != NULL && complaint->line > 0) {
        error->at = (RbvPosition){complaint->line, complaint->column > 0 ? complaint->column : 1};
    }
    explain(complaint == NULL || complaint->msg == NULL ? "" : complaint->msg, builder->text, builder->length, error);
    const RbvFrame *frame = builder->depth == 0 ? NULL : &builder->stack[builder->depth - 1];
    if (frame != NULL && frame->bracket != 0) {
        size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used,
                 "; the \"%c\" of line %d, column %d is still open", frame->bracket, (int)frame->at.line,
                 (int)frame->at.column);
    }
}

static bool parse_yaml(YamlReader *reader, const char *text, size_t length) {
    RbvNodeTreeBuilder *builder = reader->builder;
    struct fy_diag *diag = create_diag();
    struct fy_parse_cfg config = {.flags = FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION,
                                  .diag = diag};
    struct fy_parser *parser = diag == NULL ? NULL : fy_parser_create(&config);
    bool parsed = true;
    if (parser == NULL || !set_text(parser, text, length)) {
        no_memory(reader);
    }
    while (parsed && !reader->ended && !builder->stopped) {
        errno = 0;
        struct fy_event *event = fy_parser_parse(parser);
        if (event == NULL && errno == ENOMEM) { /* out of memory is told from a syntax error by errno only */
            no_memory(reader);
        } else if (event == NULL) {
            take_error(reader, diag);
            parsed = false;
        } else {
            read_event(reader, event);
            fy_parser_event_free(parser, event);
        }
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    free(reader->decoded);
    return parsed;
}

/* Parse a copy with a line end: for a block of text at the end of a file without a line end libfyaml 0.7.12 returns
 * bytes that do not exist. */
static bool parse_with_end(YamlReader *reader) {
    size_t length = reader->builder->length;
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        no_memory(reader);
        return true;
    }
    memcpy(copy, reader->builder->text, length);
    copy[length] = '\n';
    bool parsed = parse_yaml(reader, copy, length + 1);
    free(copy);
    return parsed;
}

bool rbv_node_tree_read_yaml(RbvNodeTreeBuilder *builder, RbvSyntaxError *error) {
    YamlReader reader = {.builder = builder, .error = error};
    if (builder->length == 0) {
        return true;
    }
    if (!check_directives(&reader) || !check_lines(&reader)) {
        return false;
    }
    char last = builder->text[builder->length - 1];
    return last == '\n' || last == '\r' ? parse_yaml(&reader, builder->text, builder->length) : parse_with_end(&reader);
}
