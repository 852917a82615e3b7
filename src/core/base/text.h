/* A growing string, for JSON, CSV and tables; characters of UTF-8. */
#ifndef RBV_CORE_BASE_TEXT_H
#define RBV_CORE_BASE_TEXT_H

#include <roberval/base.h>

#include <stdarg.h>
#include <stdint.h>

typedef struct RbvText {
    char *data; /* NUL-terminated; NULL while empty */
    size_t length, capacity;
    bool no_memory;
} RbvText;

void rbv_text_append(RbvText *text, const char *bytes, size_t length);
/* Reserve `length` bytes at the end, counted in `length`, and return their address; NULL: out of memory. */
char *rbv_text_reserve(RbvText *text, size_t length);
void rbv_text_add(RbvText *text, const char *string);
void rbv_text_format(RbvText *text, const char *format, ...) RBV_PRINTF(2, 3);
void rbv_text_list(RbvText *text, const char *format, va_list arguments);
/* Append a double with as few digits as read back to the same value; '.' in every locale. */
void rbv_text_number(RbvText *text, double value);
/* Append an integer, about ten times as fast as with a format; append one character. */
void rbv_text_integer(RbvText *text, int64_t value);
static inline void rbv_text_put(RbvText *text, char c) {
    if (text->length + 1 < text->capacity && !text->no_memory) {
        text->data[text->length++] = c;
        text->data[text->length] = '\0';
    } else {
        rbv_text_append(text, &c, 1);
    }
}
/* The string, to be freed by the caller; NULL: out of memory. The text is empty afterwards. */
char *rbv_text_take(RbvText *text);
void rbv_text_clear(RbvText *text);

/* Number of bytes of the character at the start of text[length]; 0: no valid character there. */
size_t rbv_character_decode(const char *text, size_t length, uint32_t *character);
/* Append a JSON string with its quotes, valid for any bytes: bytes that are not UTF-8, or that control a terminal,
 * become U+FFFD. */
void rbv_text_json_string(RbvText *text, const char *string);

/* Ending of a noun that is counted. */
static inline const char *rbv_plural(int64_t count) {
    return count == 1 ? "" : "s";
}

#endif
