/* Check that a text is UTF-8 without control characters, before any parser reads it. */
#ifndef RBV_MODEL_READ_TEXT_CHECK_H
#define RBV_MODEL_READ_TEXT_CHECK_H

#include <roberval/base.h>
#include <stdbool.h>
#include <stddef.h>

/* The bytes of a leading UTF-8 byte order mark: 3, or 0 when there is none. */
size_t rbv_text_mark_length(const char *text, size_t length);

/* The offset of the first byte that starts no valid UTF-8 character or starts a forbidden one (a control character but
 * tab, LF and CR; a surrogate; U+FEFF, U+FFFE, U+FFFF), or `length` when the text is clean. */
size_t rbv_text_first_bad(const char *text, size_t length);

/* Report the first bad byte of the text, with its line and column, as an error. True when there is none. */
bool rbv_text_check(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics);

/* Report the bad byte at offset `bad` as an error at position `at` of the file. */
void rbv_text_refuse(const char *file, RbvPosition at, const char *text, size_t length, size_t bad,
                     RbvDiagnostics *diagnostics);

/* How many bytes of text[length] to show in a message: all, or as many whole characters as fit in 60 bytes. */
int rbv_text_shown(const char *text, size_t length);

#endif
