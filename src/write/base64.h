/* Doubles as base64 of their eight bytes, least first, whatever the machine's own order. */
#ifndef RBV_WRITE_BASE64_H
#define RBV_WRITE_BASE64_H

#include "base/text.h"

#include <stdint.h>

/* Zero-initialise it. */
typedef struct RbvBase64 {
    uint32_t bits; /* of bytes that are not yet written */
    int bytes;     /* 0 to 2 */
} RbvBase64;

void rbv_base64_double(RbvBase64 *base64, RbvText *text, double value);
/* What is left, filled up. */
void rbv_base64_end(RbvBase64 *base64, RbvText *text);

#endif
