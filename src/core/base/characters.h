/* UTF-8 characters, and texts with arbitrary bytes in JSON and on terminals: file names may be any bytes, titles any
 * characters. */
#ifndef RBV_CORE_BASE_CHARACTERS_H
#define RBV_CORE_BASE_CHARACTERS_H

#include "core/base/text.h"

#include <stdint.h>

/* Number of bytes of the character at the start of text[length]; 0: no valid character there. */
size_t rbv_character_decode(const char *text, size_t length, uint32_t *character);
/* Number of bytes of a printable character at the start of a NUL-terminated text; 0: *character controls a terminal or
 * reverses the writing direction, or (*bytes 1, *character 0xFFFD) the byte belongs to no character. */
size_t rbv_character_plain(const char *text, uint32_t *character, size_t *bytes);
/* Append a JSON string with its quotes, valid for any bytes: bytes that are not UTF-8, or that control a terminal,
 * become U+FFFD. */
void rbv_text_json_string(RbvText *text, const char *string);

#endif
