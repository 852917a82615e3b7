/* The YAML 1.2 core schema (spec 10.3.2): null, booleans, decimal numbers, 0o octal and 0x hexadecimal integers. */
#include "model/read/scalar.h"

#include "core/base/units.h"

#include <math.h>
#include <string.h>

static bool is_one_of(const char *text, const char *const words[], int count) {
    for (int k = 0; k < count; k++) {
        if (strcmp(text, words[k]) == 0) {
            return true;
        }
    }
    return false;
}

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/* Read 0o17 or 0xFF: no sign, at least one digit. False: not such a number. */
static bool read_based(const char *text, double *number) {
    int base = text[1] == 'o' ? 8 : 16;
    double value = 0;
    for (const char *c = text + 2; *c != '\0'; c++) {
        int digit = digit_value(*c);
        if (digit >= base) {
            return false;
        }
        value = value * base + digit;
    }
    *number = value;
    return text[2] != '\0' && isfinite(value);
}

RbvScalarType rbv_scalar_read(const char *text, size_t length, double *number, bool *truth) {
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    static const char *const truths[] = {"true", "True", "TRUE"};
    static const char *const falses[] = {"false", "False", "FALSE"};

    char first = text[0];
    if (first == '-' || first == '+' || first == '.' || (first >= '0' && first <= '9')) {
        double value = 0;
        if (first == '0' && (text[1] == 'o' || text[1] == 'x')) {
            if (!read_based(text, &value)) {
                return RBV_SCALAR_STRING;
            }
        } else if (rbv_number_parse(text, &value) != length || !isfinite(value)) {
            return RBV_SCALAR_STRING;
        }
        *number = value;
        return RBV_SCALAR_NUMBER;
    }
    if (length > 5) {
        return RBV_SCALAR_STRING;
    }
    if (is_one_of(text, nulls, 5)) {
        return RBV_SCALAR_NULL;
    }
    if (is_one_of(text, truths, 3) || is_one_of(text, falses, 3)) {
        *truth = first == 't' || first == 'T';
        return RBV_SCALAR_BOOL;
    }
    return RBV_SCALAR_STRING;
}
