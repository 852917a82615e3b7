/* Characters of UTF-8, and texts of others in JSON and on terminals: names of files may be any bytes, titles any
 * characters. */
#ifndef RBV_BASE_CHARACTERS_H
#define RBV_BASE_CHARACTERS_H

#include "base/text.h"

#include <stdint.h>

/* Bytes of the character that text[length] begins with; 0 where it begins with none. */
size_t rbv_character_decode(const char *text, size_t length, uint32_t *character);
/* Bytes of what may stand as it is at the beginning of a text that ends with NUL; 0: *character does something to a
 * terminal (controls it, or turns the direction of writing), or, where *bytes is 1 and *character 0xFFFD, it is a
 * byte that belongs to no character. */
size_t rbv_character_plain(const char *text, uint32_t *character, size_t *bytes);
/* A string of JSON with its quotes: valid whatever the bytes are, which stand as U+FFFD where they are none of UTF-8 or
 * control a terminal. */
void rbv_text_json_string(RbvText *text, const char *string);

#endif
