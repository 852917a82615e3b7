/* Data within a page: JSON that is never taken as markup, bytes and doubles as base64 (RFC 4648). */
#ifndef RBV_OUTPUT_WRITE_EMBEDDED_H
#define RBV_OUTPUT_WRITE_EMBEDDED_H

#include "core/base/text.h"

/* Append JSON with "<" written as \u003c. It occurs in strings only, and so no text of a model ends the script. */
void rbv_embed_json(RbvText *text, const char *json, size_t length);

/* Base64: three bytes as four characters of six bits. Begin with zeros. */
typedef struct RbvBase64 {
    uint32_t bits; /* pending bytes that are not yet written */
    int bytes;     /* number of pending bytes, 0 to 2 */
} RbvBase64;

void rbv_base64_byte(RbvBase64 *base64, RbvText *text, unsigned byte);
/* The eight bytes of a double, the lowest first. */
void rbv_base64_double(RbvBase64 *base64, RbvText *text, double value);
/* What is pending, filled up; *base64 is as at the beginning. */
void rbv_base64_end(RbvBase64 *base64, RbvText *text);

#endif
