/* Reads and writes decimal numbers, in any locale.
 *
 * Reading: digits m and a decimal exponent e. If m < 2^53 and |e| <= 22, m and 10^|e| are doubles, and m * 10^e or m /
 * 10^-e has one rounding, hence is correct. Otherwise strtod reads "digits" "e" exponent, a form without decimal point,
 * which is the same in all locales.
 *
 * Writing: a double has a decimal form of at most 15 digits exactly if its correctly rounded 15 digits read back;
 * otherwise 16, otherwise 17 digits do. From 1e-33 to 1e15 integers of 128 bits decide this, elsewhere printing and
 * reading by the C library. */
#include "core/base/units.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A double, or the midpoint of two, has at most 767 significant digits: a digit beyond 780 matters only as "not zero".
 */
#define DIGITS_KEPT 780
/* Clipping of exponents: far beyond any double, however many digits are moved across the point. */
#define EXPONENT_LIMIT 100000000

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

typedef struct Decimal {
    char digits[DIGITS_KEPT + 1]; /* significant digits, no leading zeros */
    int32_t count;
    int32_t exponent; /* value = digits * 10^exponent, digits read as an integer */
    bool more;        /* a nonzero digit beyond DIGITS_KEPT was dropped */
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

/* Number of characters of the number at the start of text, without sign; 0: none. */
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

/* The first `count` digits of |value|, correctly rounded; returns the exponent of the first. The decimal point of any
 * locale is skipped. */
static int32_t digits_of(double value, int32_t count, char *digits) {
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

/* Next larger decimal of the same length; false if a carry into a new digit is needed. */
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

static const char pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Write eight digits of c < 10^8, with leading zeros. */
static inline void put_eight(uint32_t c, char *to) {
    uint32_t high = c / 10000, low = c % 10000;
    memcpy(to, pairs + 2 * (high / 100), 2);
    memcpy(to + 2, pairs + 2 * (high % 100), 2);
    memcpy(to + 4, pairs + 2 * (low / 100), 2);
    memcpy(to + 6, pairs + 2 * (low % 100), 2);
}

/* Write `count` digits, 15 to 17, of the integer c, which has this many digits, or is 10^count; a carry increases the
 * exponent. Two bytes before `digits` may be written, too. */
static inline int32_t put_integer(uint64_t c, int32_t count, char *digits, int32_t *exponent) {
    static const uint64_t least[] = {1000000000000000u, 10000000000000000u, 100000000000000000u};
    if (c == least[count - 15]) {
        c /= 10;
        ++*exponent;
    }
    uint64_t low = c % 10000000000000000u, first = c / 10000000000000000u;
    put_eight((uint32_t)(low / 100000000u), digits + count - 16);
    put_eight((uint32_t)(low % 100000000u), digits + count - 8);
    digits[count - 17] = (char)('0' + first);
    return count;
}

/* 5^k < 2^128 in two halves, the upper half first. */
#define MOST_FIVES 50
static const uint64_t fives[MOST_FIVES + 1][2] = {{0x0u, 0x1u},
                                                  {0x0u, 0x5u},
                                                  {0x0u, 0x19u},
                                                  {0x0u, 0x7du},
                                                  {0x0u, 0x271u},
                                                  {0x0u, 0xc35u},
                                                  {0x0u, 0x3d09u},
                                                  {0x0u, 0x1312du},
                                                  {0x0u, 0x5f5e1u},
                                                  {0x0u, 0x1dcd65u},
                                                  {0x0u, 0x9502f9u},
                                                  {0x0u, 0x2e90eddu},
                                                  {0x0u, 0xe8d4a51u},
                                                  {0x0u, 0x48c27395u},
                                                  {0x0u, 0x16bcc41e9u},
                                                  {0x0u, 0x71afd498du},
                                                  {0x0u, 0x2386f26fc1u},
                                                  {0x0u, 0xb1a2bc2ec5u},
                                                  {0x0u, 0x3782dace9d9u},
                                                  {0x0u, 0x1158e460913du},
                                                  {0x0u, 0x56bc75e2d631u},
                                                  {0x0u, 0x1b1ae4d6e2ef5u},
                                                  {0x0u, 0x878678326eac9u},
                                                  {0x0u, 0x2a5a058fc295edu},
                                                  {0x0u, 0xd3c21bcecceda1u},
                                                  {0x0u, 0x422ca8b0a00a425u},
                                                  {0x0u, 0x14adf4b7320334b9u},
                                                  {0x0u, 0x6765c793fa10079du},
                                                  {0x2u, 0x4fce5e3e2502611u},
                                                  {0xau, 0x18f07d736b90be55u},
                                                  {0x32u, 0x7cb2734119d3b7a9u},
                                                  {0xfcu, 0x6f7c40458122964du},
                                                  {0x4eeu, 0x2d6d415b85acef81u},
                                                  {0x18a6u, 0xe32246c99c60ad85u},
                                                  {0x7b42u, 0x6fab61f00de36399u},
                                                  {0x2684cu, 0x2e58e9b04570f1fdu},
                                                  {0xc097cu, 0xe7bc90715b34b9f1u},
                                                  {0x3c2f70u, 0x86aed236c807a1b5u},
                                                  {0x12ced32u, 0xa16a1b11e8262889u},
                                                  {0x5e0a1fdu, 0x2712875988becaadu},
                                                  {0x1d6329f1u, 0xc35ca4bfabb9f561u},
                                                  {0x92efd1b8u, 0xd0cf37be5aa1cae5u},
                                                  {0x2deaf189cu, 0x140c16b7c528f679u},
                                                  {0xe596b7b0cu, 0x643c7196d9ccd05du},
                                                  {0x47bf19673du, 0xf52e37f2410011d1u},
                                                  {0x166bb7f0435u, 0xc9e717bb45005915u},
                                                  {0x701a97b150cu, 0xf18376a85901bd69u},
                                                  {0x23084f676940u, 0xb7915149bd08b30du},
                                                  {0xaf298d050e43u, 0x95d69670b12b7f41u},
                                                  {0x36bcfc1194751u, 0xed30f03375d97c45u},
                                                  {0x111b0ec57e6499u, 0xa1f4b1014d3f6d59u}};

/* For X = m 5^k and s: integer part of X / 2^s, and the remainder in units of 2^-s. */
typedef struct Scaled {
    uint64_t kept;
    UnsignedWide rest;
} Scaled;

static Scaled scale(uint64_t m, int32_t k, int shift) {
    UnsignedWide low = (UnsignedWide)m * fives[k][1], high = (UnsignedWide)m * fives[k][0] + (low >> 64);
    uint64_t end = (uint64_t)low;
    if (shift >= 64)
        return (Scaled){(uint64_t)(high >> (shift - 64)), (high & (((UnsignedWide)1 << (shift - 64)) - 1)) << 64 | end};
    return (Scaled){(uint64_t)(high << (64 - shift)) | end >> shift, end & (((uint64_t)1 << shift) - 1)};
}

/* For X / 2^s = c 10^j + left + rest, c kept: is the dropped part more than half of 10^j, or equal to half of it and c
 * odd? */
static inline bool rounds_up(uint64_t c, uint64_t left, uint64_t ten, const Scaled *x, UnsignedWide unit) {
    if (ten == 1)
        return 2 * x->rest > unit || (2 * x->rest == unit && c % 2 == 1);
    return 2 * left > ten || (2 * left == ten && (x->rest > 0 || c % 2 == 1));
}

/* A value to be written: X / 2^s, and half the distance of its neighbours, 5^k 2^-s / 2. */
typedef struct Written {
    Scaled x;
    int shift;
    uint64_t most;      /* upper half of `power` / 2 */
    UnsignedWide power; /* 5^k */
    bool even, narrow;  /* m is even; a power of two: the neighbour below is half as far */
} Written;

/* C for X / 2^s = C 10^j, rounded to the nearest. */
static inline uint64_t nearest(const Written *w, uint64_t ten) {
    uint64_t kept = w->x.kept / ten;
    return kept + rounds_up(kept, w->x.kept - kept * ten, ten, &w->x, (UnsignedWide)1 << w->shift);
}

/* Is C 10^j near enough to X / 2^s, by 2 |C 10^j 2^s - X|? Most differ by more than `most` 2^(s + 1), which the upper
 * half shows. */
static inline bool is_near(const Written *w, uint64_t c, uint64_t ten) {
    int64_t whole = (int64_t)(c * ten - w->x.kept);
    if ((uint64_t)(whole < 0 ? -whole : whole) > w->most + 1)
        return false;
    Wide off = 2 * ((Wide)whole * ((Wide)1 << w->shift) - (Wide)w->x.rest);
    UnsignedWide size = (UnsignedWide)(off < 0 ? -off : off);
    if (w->narrow && off < 0)
        size *= 2;
    return size < w->power || (size == w->power && w->even);
}

/* Shortest digits by integers:
 *   |value| = m 2^e,  10^E <= |value| < 10^(E+1),  k = 16 - E in 0...MOST_FIVES
 * X = m 5^k is exact, and |value| 10^k = X / 2^s, s = -(e + k) < 117, has 17 digits before the point. C 10^j is X / 2^s
 * rounded to the nearest, ties to even. It reads back if it is nearer than half a last binary place: 2 |C 10^j 2^s - X|
 * < 5^k, or equal if m is even. Below a power of two doubles are closer: there the nearest C of 16 digits may fail
 * where the next larger one does not. Returns the number of digits; 0: not for this value. */
static int32_t shortest_by_integers(double value, char *digits, int32_t *exponent) {
    double size = fabs(value);
    if (!(size >= 1e-33 && size < 1e15))
        return 0;
    uint64_t bits, c;
    memcpy(&bits, &size, sizeof bits);
    int e = (int)(bits >> 52) - 1075;
    uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    int32_t E = ((e + 52) * 78913) >> 18; /* exponent of 2^(e + 52), by log10 2 to six digits; perhaps one too small */
    Written w = {scale(m, 16 - E, -(e + 16 - E)), .even = m % 2 == 0, .narrow = m == (uint64_t)1 << 52};
    if (w.x.kept >= 100000000000000000u) {
        E++;
        w.x = scale(m, 16 - E, -(e + 16 - E));
    }
    w.shift = -(e + 16 - E);
    w.power = (UnsignedWide)fives[16 - E][0] << 64 | fives[16 - E][1];
    w.most = (uint64_t)(w.power >> (w.shift + 1));
    *exponent = E;
    c = nearest(&w, 100);
    if (is_near(&w, c, 100))
        return put_integer(c, 15, digits, exponent);
    c = nearest(&w, 10);
    if (is_near(&w, c, 10) || (w.narrow && is_near(&w, ++c, 10)))
        return put_integer(c, 16, digits, exponent);
    return put_integer(nearest(&w, 1), 17, digits, exponent);
}

/* The shortest digits that read back to |value|, and the exponent of the first digit. */
static int32_t shortest(double value, char *digits, int32_t *exponent) {
    int32_t found = shortest_by_integers(value, digits, exponent);
    if (found > 0)
        return found;
    bool subnormal = fabs(value) < DBL_MIN; /* fewer than 15 significant digits */
    for (int32_t count = subnormal ? 1 : 15; count < 17; count++) {
        *exponent = digits_of(value, count, digits);
        if (reads_back(digits, count, *exponent, value))
            return count;
        /* At a power of two the doubles below are closer: the nearest decimal may fail where the next larger one does
         * not. */
        int binary;
        if (count == 16 && fabs(frexp(value, &binary)) == 0.5 && increment(digits, count) &&
            reads_back(digits, count, *exponent, value)) {
            return count;
        }
    }
    *exponent = digits_of(value, 17, digits);
    return 17;
}

/* Write e and the exponent. */
static char *put_exponent(char *at, int32_t exponent) {
    uint32_t size = (uint32_t)(exponent < 0 ? -exponent : exponent);
    *at++ = 'e';
    if (exponent < 0)
        *at++ = '-';
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    if (size >= 10)
        *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return at;
}

/* Sizes of buffers for copies of fixed length, and of a number: at most 25 characters. */
#define DIGITS 48
#define ROOM 56
#define LONGEST 32

/* Write a plain decimal: zeros before or behind, and the point inside. Copies have a fixed length, larger than needed:
 * surplus characters are overwritten or ignored. */
static inline char *put_plain(char *at, const char *digits, int32_t count, int32_t exponent) {
    if (exponent < 0) {
        memcpy(at, "0.00000", 7);
        at += 1 - exponent;
        memcpy(at, digits, 17);
        return at + count;
    }
    memcpy(at, digits, 17);
    if (count <= exponent + 1) {
        for (int32_t k = count; k <= exponent; k++)
            at[k] = '0';
        return at + exponent + 1;
    }
    at[exponent + 1] = '.';
    memcpy(at + exponent + 2, digits + exponent + 1, 17);
    return at + count + 1;
}

/* Write the number into at least DIGITS bytes. */
static inline char *put_number(char *at, double value) {
    char room[DIGITS + 8] = {0}, *digits = room + 8;
    int32_t exponent, count = shortest(value, digits, &exponent);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (exponent >= -5 && exponent <= 15)
        return put_plain(at, digits, count, exponent);
    *at++ = digits[0];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 1, 17);
    }
    return put_exponent(at + count - 1, exponent);
}

size_t rbv_number_print(char *buffer, size_t size, double value) {
    if (size < LONGEST)
        return 0;
    if (isnan(value))
        return (size_t)snprintf(buffer, size, "nan");
    if (isinf(value))
        return (size_t)snprintf(buffer, size, value > 0 ? "inf" : "-inf");
    char room[ROOM], *text = size >= ROOM ? buffer : room, *at = text;
    if (signbit(value))
        *at++ = '-';
    if (value == 0.0)
        *at++ = '0';
    else
        at = put_number(at, value);
    *at = '\0';
    if (text != buffer)
        memcpy(buffer, text, LONGEST);
    return (size_t)(at - text);
}
