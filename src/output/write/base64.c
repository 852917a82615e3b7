/* Base64 (RFC 4648): three bytes as four characters of six bits. */
#include "output/write/base64.h"

#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put(RbvBase64 *b, RbvText *text, unsigned byte) {
    b->bits = b->bits << 8 | byte;
    if (++b->bytes < 3)
        return;
    const char four[4] = {digits[b->bits >> 18 & 63], digits[b->bits >> 12 & 63], digits[b->bits >> 6 & 63],
                          digits[b->bits & 63]};
    rbv_text_append(text, four, 4);
    *b = (RbvBase64){0, 0};
}

void rbv_base64_double(RbvBase64 *b, RbvText *text, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 8; k++)
        put(b, text, (unsigned)(bits >> 8 * k & 255));
}

void rbv_base64_end(RbvBase64 *b, RbvText *text) {
    if (b->bytes == 0)
        return;
    uint32_t bits = b->bits << (b->bytes == 1 ? 16 : 8);
    const char four[4] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63],
                          b->bytes == 1 ? '=' : digits[bits >> 6 & 63], '='};
    rbv_text_append(text, four, 4);
    *b = (RbvBase64){0, 0};
}
