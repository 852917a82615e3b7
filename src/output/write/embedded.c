/* JSON and base64 within a page. */
#include "output/write/embedded.h"

#include <string.h>

void rbv_embed_json(RbvText *text, const char *json, size_t length) {
    const char *end = json + length;
    while (json < end) {
        const char *sign = memchr(json, '<', (size_t)(end - json)), *stop = sign ? sign : end;
        rbv_text_append(text, json, (size_t)(stop - json));
        if (sign)
            rbv_text_add(text, "\\u003c");
        json = sign ? sign + 1 : end;
    }
}

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void rbv_base64_byte(RbvBase64 *b, RbvText *text, unsigned byte) {
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
        rbv_base64_byte(b, text, (unsigned)(bits >> 8 * k & 255));
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
