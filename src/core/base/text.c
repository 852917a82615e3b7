/* A growing string; see text.h. */
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
