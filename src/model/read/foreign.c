/* Files of other kinds given as a model: their probable kind, and where such files belong. */
#include "model/read/foreign.h"

#include "model/model/keys.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* [bytes] part of the file that is searched for marks of a kind */
#define LOOKED_AT 4000

static bool has(const char *text, size_t length, const char *part) {
    size_t n = strlen(part);
    for (size_t k = 0; k + n <= length; k++)
        if (memcmp(text + k, part, n) == 0)
            return true;
    return false;
}

static const char *kind_of_xml(const char *text, size_t length) {
    return has(text, length, "<robot")    ? "URDF"
           : has(text, length, "<mujoco") ? "MJCF"
           : has(text, length, "<sdf")    ? "SDF"
                                          : NULL;
}

/* True if the text has control characters that no text file has. */
static bool is_binary(const char *text, size_t length) {
    for (size_t k = 0; k < length; k++) {
        unsigned char c = (unsigned char)text[k];
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f')
            return true;
    }
    return false;
}

/* True for a binary STL: 80 bytes of header, the number of triangles, 50 bytes per triangle. */
static bool is_binary_stl(const char *text, size_t length) {
    uint32_t count;
    if (length < 84)
        return false;
    memcpy(&count, text + 80, sizeof count);
    return (uint64_t)length == 84 + 50 * (uint64_t)count;
}

/* True for at least two lines of which the first has a comma or semicolon, and no colon. */
static bool is_table(const char *text, size_t length) {
    size_t first = 0;
    while (first < length && text[first] != '\n')
        first++;
    return first < length && (has(text, first, ",") || has(text, first, ";")) && !has(text, length, ":") &&
           text[0] != '{' && text[0] != '[';
}

bool rbv_foreign_text(const char *text, size_t length, char *message, size_t size) {
    size_t looked = length < LOOKED_AT ? length : LOOKED_AT, blank = 0;
    const char *xml;
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return false; /* text of another encoding: a later check reports more about it */
    while (blank < looked && strchr(" \t\r\n\xEF\xBB\xBF", text[blank]) && text[blank])
        blank++;
    if (is_binary_stl(text, length)) {
        snprintf(message, size,
                 "this is a mesh (STL), not a model; a model names it in a body's shape: {mesh: {file: part.stl}, "
                 "density: 7850}");
    } else if (is_binary(text, looked)) {
        snprintf(message, size, "this is a binary file, not a model: a model is a text (YAML or JSON)");
    } else if (blank < looked && text[blank] == '<') {
        xml = kind_of_xml(text, looked);
        snprintf(message, size,
                 "this is XML%s%s%s, not a model (YAML or JSON); such files are not converted in this version",
                 xml ? " (" : "", xml ? xml : "", xml ? ")" : "");
    } else if (looked - blank > 6 && memcmp(text + blank, "solid", 5) == 0 && has(text, looked, "facet")) {
        snprintf(message, size,
                 "this is a mesh (STL), not a model; a model names it in a body's shape: {mesh: {file: part.stl}, "
                 "density: 7850}");
    } else if (is_table(text, looked)) {
        snprintf(message, size,
                 "this looks like a table of numbers (CSV), not like a model; a model names it under tables: {lift: "
                 "{file: lift.csv, x: angle, y: height}}");
    } else {
        return false;
    }
    return true;
}

bool rbv_foreign_root(const RbvNode *root, char *message, size_t size) {
    if (rbv_node_find(root, "roberval", 8) >= 0 && rbv_node_find(root, "analysis", 8) >= 0 &&
        rbv_node_find(root, "mobility", 8) >= 0) {
        snprintf(message, size,
                 "this is a result (result.json), not a model; its member model: names the file it came from");
        return true;
    }
    for (const RbvKey *key = rbv_model_keys; key->name; key++)
        if (rbv_node_find(root, key->name, strlen(key->name)) >= 0)
            return false;
    if (root->kind != RBV_NODE_MAP || root->count == 0)
        return false;
    snprintf(message, size,
             "nothing of a model stands in this file; a model has roberval: 1, space: planar or spatial, and bodies:, "
             "joints:, drives:, ...");
    return true;
}
