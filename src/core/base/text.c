/* A growing string; characters of UTF-8: decoding them, those that a terminal may print, JSON strings. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "core/base/text.h"

#include "core/base/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes reserved to write a number in place; the text is shorter. */
#define NUMBER 64

char *rbv_text_reserve(RbvText *text, size_t length) {
    if (text->no_memory)
        return NULL;
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = text->capacity ? text->capacity : 256;
        while (capacity < text->length + length + 1)
            capacity *= 2;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->no_memory = true;
            return NULL;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return text->data + text->length;
}

void rbv_text_append(RbvText *text, const char *bytes, size_t length) {
    char *to = rbv_text_reserve(text, length);
    if (!to)
        return;
    memcpy(to, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void rbv_text_add(RbvText *text, const char *string) {
    rbv_text_append(text, string, strlen(string));
}

void rbv_text_list(RbvText *text, const char *format, va_list arguments) {
    char local[512];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(local, sizeof local, format, again);
    va_end(again);
    if (length < 0)
        return;
    if ((size_t)length < sizeof local) {
        rbv_text_append(text, local, (size_t)length);
        return;
    }
    char *large = malloc((size_t)length + 1);
    if (!large) {
        text->no_memory = true;
        return;
    }
    vsnprintf(large, (size_t)length + 1, format, arguments);
    rbv_text_append(text, large, (size_t)length);
    free(large);
}

void rbv_text_format(RbvText *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_text_list(text, format, arguments);
    va_end(arguments);
}

void rbv_text_number(RbvText *text, double value) {
    /* value + 0.0: minus zero is written as 0 */
    char *to = rbv_text_reserve(text, NUMBER);
    text->length += to ? rbv_number_print(to, NUMBER, value + 0.0) : 0;
}

void rbv_text_integer(RbvText *text, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        digits[--at] = '-';
    rbv_text_append(text, digits + at, sizeof digits - at);
}

char *rbv_text_take(RbvText *text) {
    if (!text->data)
        rbv_text_append(text, "", 0);
    char *data = text->no_memory ? NULL : text->data;
    if (text->no_memory)
        free(text->data);
    *text = (RbvText){0};
    return data;
}

void rbv_text_clear(RbvText *text) {
    free(text->data);
    *text = (RbvText){0};
}

/* UTF-8 characters, and texts with arbitrary bytes in JSON and on terminals: file names may be any bytes, titles any
 * characters. */

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

/* Number of bytes of a printable character at the start of a NUL-terminated text; 0: *character controls a terminal or
 * reverses the writing direction, or (*bytes 1, *character 0xFFFD) the byte belongs to no character. */
static size_t character_plain(const char *text, uint32_t *character, size_t *bytes) {
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
        else if (character_plain(c, &character, &bytes) > 0)
            rbv_text_append(text, c, bytes);
        else
            rbv_text_format(text, "\\u%04x", (unsigned)(controls(character) ? REPLACEMENT : character));
        c += bytes;
    }
    rbv_text_put(text, '"');
}

/* Number of bytes at the beginning that are printable ASCII, line ends or tabs. */
static size_t shown_bytes(const char *string) {
    size_t bytes = 0;
    while ((string[bytes] >= ' ' && string[bytes] <= '~') || string[bytes] == '\n' || string[bytes] == '\t')
        bytes++;
    return bytes;
}

char *rbv_text_visible(const char *string) {
    RbvText text = {0};
    if (!string)
        return NULL;
    for (const char *c = string; *c;) {
        uint32_t character;
        size_t bytes = shown_bytes(c);
        if (bytes > 0)
            rbv_text_append(&text, c, bytes);
        else if (character_plain(c, &character, &bytes) > 0)
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
