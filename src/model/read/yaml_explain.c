/* Explains libfyaml's error messages to the author of a model file: what is wrong, and how to correct it. */
#include "model/read/tree_source.h"

#include <stdio.h>
#include <string.h>

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
static size_t next_line(const char *text, size_t length, size_t offset) {
    while (offset < length && text[offset] != '\n' && text[offset] != '\r') {
        offset++;
    }
    if (offset + 1 < length && text[offset] == '\r' && text[offset + 1] == '\n') {
        offset++;
    }
    return offset < length ? offset + 1 : length;
}

static bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

/* True if the line that starts at `start` contains ": ". */
static bool has_key(const char *text, size_t length, size_t start) {
    for (size_t k = start; k < length && !ends_line(text[k]); k++) {
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
        start = next_line(text, length, start);
    }
    size_t at = start + (size_t)(error->at.column - 1);
    for (; start < at && start < length && strchr(" \t-?", text[start]) != NULL;) {
        start++;
    }
    if (start >= at) {
        return false;
    }
    for (int32_t line = error->at.line + 1; start < length; line++) {
        start = next_line(text, length, start);
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
        start = next_line(text, length, start);
    }
    size_t at = start + (size_t)(error->at.column - 1);
    return at > start && at < length && text[at] == '[' && strchr(" \t,:[{", text[at - 1]) == NULL;
}

/* Find `mass:2`: without a blank behind it the ":" belongs to the word. */
static bool find_missing_blank(const char *text, size_t length, RbvSyntaxError *error) {
    size_t start = 0;
    for (int32_t line = 1; line < error->at.line; line++) {
        start = next_line(text, length, start);
    }
    for (size_t k = start + (size_t)(error->at.column - 1); k + 1 < length && !ends_line(text[k]) && text[k] != '#';
         k++) {
        if (text[k] == ':' && strchr(" \t\r\n", text[k + 1]) == NULL) {
            error->at.column = (int32_t)(k - start) + 1;
            snprintf(error->message, sizeof error->message, "a blank is missing behind this \":\"");
            return true;
        }
    }
    return false;
}

void rbv_yaml_explain(const char *complaint, const char *text, size_t length, RbvSyntaxError *error) {
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
