/* UTF-8, and the characters that no model file needs. */
#include "model/read/text_check.h"

#include "core/base/diagnostics.h"
#include "core/base/text.h"

#include <stdint.h>
#include <string.h>

static bool is_character_allowed(uint32_t c) {
    if (c < 0x20) {
        return c == '\t' || c == '\n' || c == '\r';
    }
    return !(c >= 0x7F && c < 0xA0) && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

size_t rbv_text_mark_length(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

size_t rbv_text_first_bad(const char *text, size_t length) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t k = 0;
    while (k < length) {
        if (bytes[k] >= 0x20 && bytes[k] < 0x7F) {
            k++;
            continue;
        }
        uint32_t character = 0;
        size_t size = rbv_character_decode(text + k, length - k, &character);
        if (size == 0 || !is_character_allowed(character)) {
            return k;
        }
        k += size;
    }
    return length;
}

/* Line and column, from 1, columns in characters, of an offset; LF, CR and CR LF end a line. */
static RbvPosition position_in_text(const char *text, size_t offset) {
    RbvPosition at = {1, 1};
    for (size_t k = rbv_text_mark_length(text, offset); k < offset; k++) {
        if (text[k] == '\n' || (text[k] == '\r' && text[k + 1] != '\n')) {
            at.line++;
            at.column = 1;
        } else if (((unsigned char)text[k] & 0xC0) != 0x80 && text[k] != '\r') {
            at.column++;
        }
    }
    return at;
}

void rbv_text_refuse(const char *file, RbvPosition at, const char *text, size_t length, size_t bad,
                     RbvDiagnostics *diagnostics) {
    const unsigned char *bytes = (const unsigned char *)text;
    uint32_t character = 0;
    if (length >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, (RbvPosition){at.line, 1},
                     "the file is UTF-16 text; save it as UTF-8");
    } else if (rbv_character_decode(text + bad, length - bad, &character) == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, at, "byte 0x%02X is not UTF-8; save the file as UTF-8 text",
                     bytes[bad]);
    } else if (character == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, file, at, "a NUL character; a file of plain text is expected");
    } else {
        rbv_diagnose(diagnostics, RBV_ERROR, file, at,
                     "control character U+%04X; delete it, text needs none but tab and line ends", (unsigned)character);
    }
}

bool rbv_text_check(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics) {
    size_t mark = rbv_text_mark_length(text, length);
    size_t bad = mark + rbv_text_first_bad(text + mark, length - mark);
    if (bad < length) {
        rbv_text_refuse(file, position_in_text(text, bad), text, length, bad, diagnostics);
    }
    return bad == length;
}

int rbv_text_shown(const char *text, size_t length) {
    const size_t most = 60;
    if (length <= most) {
        return (int)length;
    }
    size_t shown = most;
    while (shown > 0 && ((unsigned char)text[shown] & 0xC0) == 0x80) {
        shown--;
    }
    return (int)shown;
}
