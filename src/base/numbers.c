/* Decimal numbers in and out, whatever the locale.
 *
 * In: digits m and a decimal exponent e. When m < 2^53 and |e| <= 22, m and 10^|e| are doubles and m * 10^e or m / 10^-e
 * is one rounding, hence correct. Otherwise strtod reads "digits" "e" exponent, a spelling without decimal point, which
 * no locale changes. Out: a double has a decimal of at most 15 digits exactly when its correctly rounded 15 digits read
 * back; else 16, else 17 digits do. From 1e-15 to 1e15 integers of 128 bits decide that, elsewhere the library's printing and reading.
 */
#include "base/units.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A double, or the midpoint of two, has at most 767 significant digits: a digit beyond 780 matters only as "not zero". */
#define DIGITS_KEPT 780
/* Exponents are clipped here: far beyond any double, whatever number of digits is moved across the point. */
#define EXPONENT_LIMIT 100000000

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

typedef struct Decimal {
    char digits[DIGITS_KEPT + 1]; /* significant, no leading zeros */
    int32_t count;
    int32_t exponent; /* value = digits * 10^exponent, digits read as an integer */
    bool more;        /* a nonzero digit was dropped */
} Decimal;

static void take_digit(Decimal *decimal, char c, bool fraction) {
    if (decimal->count == 0 && c == '0') {
        if (fraction && decimal->exponent > -EXPONENT_LIMIT)
            decimal->exponent--;
        return;
    }
    if (decimal->count < DIGITS_KEPT) {
        decimal->digits[decimal->count++] = c;
        if (fraction && decimal->exponent > -EXPONENT_LIMIT)
            decimal->exponent--;
        return;
    }
    if (c != '0')
        decimal->more = true;
    if (!fraction && decimal->exponent < EXPONENT_LIMIT)
        decimal->exponent++;
}

/* The characters of the number at the start of text, without its sign; 0: none. */
static size_t scan(const char *text, Decimal *decimal) {
    const char *c = text;
    bool any = false;
    decimal->count = 0;
    decimal->exponent = 0;
    decimal->more = false;
    for (; is_digit(*c); c++, any = true)
        take_digit(decimal, *c, false);
    if (*c == '.' && (any || is_digit(c[1]))) {
        for (c++; is_digit(*c); c++, any = true)
            take_digit(decimal, *c, true);
    }
    if (!any)
        return 0;
    if (*c == 'e' || *c == 'E') {
        const char *e = c + 1;
        bool negative = *e == '-';
        if (*e == '-' || *e == '+')
            e++;
        if (is_digit(*e)) {
            int32_t exponent = 0;
            for (; is_digit(*e); e++) {
                if (exponent < EXPONENT_LIMIT)
                    exponent = 10 * exponent + (*e - '0');
            }
            decimal->exponent += negative ? -exponent : exponent;
            c = e;
        }
    }
    return (size_t)(c - text);
}

static double value_of(const Decimal *decimal) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->count == 0)
        return 0.0;
    if (decimal->count <= 15 && decimal->exponent >= -22 && decimal->exponent <= 22) {
        int64_t m = 0;
        for (int32_t k = 0; k < decimal->count; k++)
            m = 10 * m + (decimal->digits[k] - '0');
        return decimal->exponent >= 0 ? (double)m * tens[decimal->exponent] : (double)m / tens[-decimal->exponent];
    }
    char text[DIGITS_KEPT + 32];
    memcpy(text, decimal->digits, (size_t)decimal->count);
    int32_t length = decimal->count, exponent = decimal->exponent;
    if (decimal->more) {
        text[length++] = '1';
        exponent--;
    }
    snprintf(text + length, sizeof text - (size_t)length, "e%d", (int)exponent);
    return strtod(text, NULL);
}

size_t rbv_number_parse(const char *text, double *value) {
    size_t sign = (*text == '-' || *text == '+') ? 1 : 0;
    Decimal decimal;
    size_t used = scan(text + sign, &decimal);
    if (used == 0)
        return 0;
    double v = value_of(&decimal);
    *value = *text == '-' ? -v : v;
    return sign + used;
}

/* The `count` digits of |value|, correctly rounded, and the exponent of the first; whatever stands for the point is
 * skipped. */
static int32_t digits_of(double value, int32_t count, char digits[20]) {
    char text[64];
    snprintf(text, sizeof text, "%.*e", (int)(count - 1), fabs(value));
    const char *c = text;
    int32_t k = 0;
    for (; *c != 'e' && *c != '\0'; c++) {
        if (is_digit(*c) && k < count)
            digits[k++] = *c;
    }
    digits[k] = '\0';
    return *c == 'e' ? (int32_t)strtol(c + 1, NULL, 10) : 0;
}

static bool reads_back(const char *digits, int32_t count, int32_t exponent, double value) {
    Decimal decimal = {.count = count, .exponent = exponent - count + 1};
    memcpy(decimal.digits, digits, (size_t)count);
    return value_of(&decimal) == fabs(value);
}

/* The next decimal above of the same length; false when it would need a carry into a new digit. */
static bool increment(char *digits, int32_t count) {
    for (int32_t k = count - 1; k >= 0; k--) {
        if (digits[k] != '9') {
            digits[k]++;
            return true;
        }
        digits[k] = '0';
    }
    return false;
}

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

/* `count` digits of the integer c, which has so many, or is 10^count. The exponent goes up with the carry. */
static int32_t put_integer(uint64_t c, int32_t count, char digits[20], int32_t *exponent) {
    char all[24];
    int32_t length = 0;
    for (; c > 0; c /= 10)
        all[length++] = (char)('0' + c % 10);
    *exponent += length - count;
    for (int32_t k = 0; k < count; k++)
        digits[k] = all[length - 1 - k];
    return count;
}

/* The same in integers: |value| = m 2^e, 10^E <= |value| < 10^(E+1), k = 16 - E in 0...32: X = m 5^k < 2^128 is exact, and |value| 10^k = X / 2^s, s = -(e + k), has 17 digits before the point. Of these
 * C 10^j is kept, rounded to the nearest, of two the even one; it reads back when it is nearer than half a last binary place: 2 |C 10^j 2^s - X| < 5^k, or equal where m is even. 0: not for this value. */
static int32_t shortest_by_integers(double value, char digits[20], int32_t *exponent) {
    static const uint64_t tens[] = {1, 10, 100};
    double size = fabs(value);
    if (!(size >= 1e-15 && size < 1e15))
        return 0;
    int binary;
    uint64_t m = (uint64_t)ldexp(frexp(size, &binary), 53), kept = 0;
    if (m == (uint64_t)1 << 52) /* below a power of two doubles lie closer */
        return 0;
    UnsignedWide X = 0, power;
    int shift = 0, E = (int)floor(log10(size)) + 1; /* or one more, or less */
    do {
        E--;
        power = 1;
        for (int k = 0; k < 16 - E; k++)
            power *= 5;
        X = m * power;
        shift = -(binary - 53 + 16 - E);
        kept = (uint64_t)(X >> shift);
    } while (kept < 10000000000000000u);
    if (kept >= 100000000000000000u)
        return 0;
    UnsignedWide unit = (UnsignedWide)1 << shift, rest = X & (unit - 1);
    for (int j = 2; j >= 0; j--) {
        uint64_t c = kept / tens[j], left = kept % tens[j];
        UnsignedWide beyond = 2 * (left * unit + rest), whole = tens[j] * unit;
        c += beyond > whole || (beyond == whole && c % 2 == 1);
        Wide off = 2 * ((Wide)(int64_t)(c * tens[j] - kept) * (Wide)unit - (Wide)rest);
        off = off < 0 ? -off : off;
        if (j == 0 || off < (Wide)power || (off == (Wide)power && m % 2 == 0)) {
            *exponent = E;
            return put_integer(c, 17 - j, digits, exponent);
        }
    }
    return 0;
}

/* The shortest digits that read back to |value|, and the exponent of the first. */
static int32_t shortest(double value, char digits[20], int32_t *exponent) {
    int32_t found = shortest_by_integers(value, digits, exponent);
    if (found > 0)
        return found;
    bool subnormal = fabs(value) < DBL_MIN; /* has fewer than 15 digits that matter */
    for (int32_t count = subnormal ? 1 : 15; count < 17; count++) {
        *exponent = digits_of(value, count, digits);
        if (reads_back(digits, count, *exponent, value))
            return count;
        /* At a power of two the doubles below lie closer: the nearest decimal may fail where the one above does not. */
        int binary;
        if (count == 16 && fabs(frexp(value, &binary)) == 0.5 && increment(digits, count) &&
            reads_back(digits, count, *exponent, value)) {
            return count;
        }
    }
    *exponent = digits_of(value, 17, digits);
    return 17;
}

static char *put(char *at, char c, int32_t times) {
    for (int32_t k = 0; k < times; k++)
        *at++ = c;
    return at;
}

static char *put_digits(char *at, const char *digits, int32_t count) {
    memcpy(at, digits, (size_t)count);
    return at + count;
}

size_t rbv_number_print(char *buffer, size_t size, double value) {
    if (size < 32)
        return 0;
    if (isnan(value))
        return (size_t)snprintf(buffer, size, "nan");
    if (isinf(value))
        return (size_t)snprintf(buffer, size, value > 0 ? "inf" : "-inf");
    char *at = buffer;
    if (signbit(value))
        *at++ = '-';
    if (value == 0.0) {
        at = put(at, '0', 1);
        *at = '\0';
        return (size_t)(at - buffer);
    }
    char digits[20];
    int32_t exponent, count = shortest(value, digits, &exponent);
    while (count > 1 && digits[count - 1] == '0')
        count--;

    bool plain = exponent >= -5 && exponent <= 15;
    if (!plain) {
        at = put_digits(at, digits, 1);
        if (count > 1)
            at = put_digits(put(at, '.', 1), digits + 1, count - 1);
        at += snprintf(at, 8, "e%d", (int)exponent);
    } else if (exponent < 0) {
        at = put_digits(put(put(put(at, '0', 1), '.', 1), '0', -exponent - 1), digits, count);
    } else if (count <= exponent + 1) {
        at = put(put_digits(at, digits, count), '0', exponent + 1 - count);
    } else {
        at = put_digits(put(put_digits(at, digits, exponent + 1), '.', 1), digits + exponent + 1, count - exponent - 1);
    }
    *at = '\0';
    return (size_t)(at - buffer);
}
