/* Writes doubles as base64 of their eight bytes, least significant first on every machine. */
#ifndef RBV_OUTPUT_WRITE_BASE64_H
#define RBV_OUTPUT_WRITE_BASE64_H

#include "core/base/text.h"

#include <stdint.h>

/* State of an encoder. Initialise with {0}. */
typedef struct RbvBase64 {
    uint32_t bits; /* pending bytes that are not yet written */
    int bytes;     /* number of pending bytes, 0 to 2 */
} RbvBase64;

/* Appends the eight bytes of a double to the encoding. */
void rbv_base64_double(RbvBase64 *base64, RbvText *text, double value);
/* Writes the pending bytes with "=" padding; ends the encoding. */
void rbv_base64_end(RbvBase64 *base64, RbvText *text);

#endif
