/* Characters of UTF-8 by the table of well-formed sequences (Unicode 15, table 3-7); see characters.h. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "core/base/characters.h"

#include <stdio.h>
#include <string.h>

#define REPLACEMENT 0xFFFDu

size_t rbv_character_decode(const char *text, size_t length, uint32_t *character) {
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char first = length > 0 ? bytes[0] : 0xFF;
    if (first < 0x80) {
        *character = first;
        return 1;
    }
    size_t size = first >= 0xC2 && first <= 0xDF   ? 2
                  : (first & 0xF0) == 0xE0         ? 3
                  : first >= 0xF0 && first <= 0xF4 ? 4
                                                   : 0;
    if (size == 0 || size > length)
        return 0;
    uint32_t value = first & (0x7Fu >> size);
    for (size_t k = 1; k < size; k++) {
        if ((bytes[k] & 0xC0) != 0x80)
            return 0;
        value = (value << 6) | (bytes[k] & 0x3Fu);
    }
    if ((size == 3 && value < 0x800) || (size == 4 && (value < 0x10000 || value > 0x10FFFF)) ||
        (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *character = value;
    return size;
}

/* Characters that texts must not contain, as readers refuse them. */
static bool controls(uint32_t c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7F && c < 0xA0) || c == 0xFEFF;
}

/* Control characters, marks and overrides of the writing direction, invisible characters. */
static bool acts(uint32_t c) {
    return c < 0x20 || controls(c) || c == 0x61C || (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2060 && c <= 0x206F);
}

size_t rbv_character_plain(const char *text, uint32_t *character, size_t *bytes) {
    *bytes = rbv_character_decode(text, strnlen(text, 4), character);
    if (*bytes == 0) {
        *bytes = 1;
        *character = REPLACEMENT;
        return 0;
    }
    return acts(*character) ? 0 : *bytes;
}

void rbv_text_json_string(RbvText *text, const char *string) {
    rbv_text_put(text, '"');
    for (const char *c = string; *c;) {
        const char *plain = c;
        while ((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7F && *c != '"' && *c != '\\')
            c++;
        rbv_text_append(text, plain, (size_t)(c - plain));
        uint32_t character;
        size_t bytes;
        if (*c == '\0')
            break;
        if (*c == '"' || *c == '\\')
            rbv_text_format(text, "\\%c", *c), bytes = 1;
        else if (rbv_character_plain(c, &character, &bytes) > 0)
            rbv_text_append(text, c, bytes);
        else
            rbv_text_format(text, "\\u%04x", (unsigned)(controls(character) ? REPLACEMENT : character));
        c += bytes;
    }
    rbv_text_put(text, '"');
}

char *rbv_text_visible(const char *string) {
    RbvText text = {0};
    if (!string)
        return NULL;
    for (const char *c = string; *c;) {
        uint32_t character;
        size_t bytes;
        if (*c == '\n' || *c == '\t')
            rbv_text_put(&text, *c), bytes = 1;
        else if (rbv_character_plain(c, &character, &bytes) > 0)
            rbv_text_append(&text, c, bytes);
        else if (character < 0x80 || character == REPLACEMENT)
            rbv_text_format(&text, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            rbv_text_format(&text, "\\u%04x", (unsigned)character);
        c += bytes;
    }
    rbv_text_add(&text, "");
    return rbv_text_take(&text);
}
