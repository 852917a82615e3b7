/* Words and characters of the expression language; its functions and their first two derivatives.
 *
 * Smooth rise between 0 and 1: S(s) = 10 s^3 - 15 s^4 + 6 s^5, whose first two derivatives vanish at both ends;
 * its integral R(s) = 5/2 s^4 - 3 s^5 + s^6, R(1) = 1/2, continued with slope 1.
 * A power with constant integer exponent is a product: x^n = x^(n-2) x x, so its derivatives are right at 0 as well.
 */
#include "core/expr/node.h"

#include "core/base/names.h"

#include <math.h>
#include <string.h>

/* Characters and words of the expression language, and corrections for characters without a meaning. */

const char *rbv_expr_lookalike(const char *c) {
    static const char *const pairs[][2] = {
        {"\xC3\x97", "*"},
        {"\xC2\xB7", "*"},
        {"\xE2\x8B\x85", "*"},
        {"\xE2\x88\x92", "-"},
        {"\xE2\x80\x93", "-"},
        {"\xC3\xB7", "/"},
        {"\xC2\xB2", "^2"},
        {"\xC2\xB3", "^3"},
        {"\xE2\x80\x99", "'"},
        {"\xE2\x80\xB2", "'"},
        {"\xE2\x80\x98", "no quotes inside of an expression"},
        {"\xE2\x80\x9C", "no quotes inside of an expression"},
        {"\xE2\x80\x9D", "no quotes inside of an expression"},
        {"\xE2\x80\x9E", "no quotes inside of an expression"},
        {"\xC2\xA0", "a plain blank; this one does not break"},
        {"\xE2\x80\xAF", "a plain blank; this one does not break"},
        {"\xE2\x80\x89", "a plain blank; this one is a thin one"},
        {"\xCF\x80", "pi"},
        {"\xC2\xB0", "[deg]"},
        {"\xE2\x89\xA4", "<="},
        {"\xE2\x89\xA5", ">="},
        {"\xE2\x89\xA0", "!="},
        {"\xE2\x80\xB3", "''"},
        {"**", "^"},
        {"&&", "and"},
        {"&", "and"},
        {"||", "or"},
        {"|", "or"},
        {"!", "not"},
    };
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        if (strncmp(c, pairs[k][0], strlen(pairs[k][0])) == 0)
            return pairs[k][1];
    }
    return NULL;
}

int rbv_expr_character_length(const char *c) {
    int n = 1;
    while (n < 4 && ((unsigned char)c[0] & 0xC0u) == 0xC0u && ((unsigned char)c[n] & 0xC0u) == 0x80u)
        n++;
    return n;
}

bool rbv_expr_is_coordinate(const char *word) {
    bool spin = word[0] == 'w' && word[1] >= 'x' && word[1] <= 'z' && word[2] == '\0';
    return strcmp(word, "distance") == 0 || strcmp(word, "angle") == 0 || strcmp(word, "dot") == 0 || spin ||
           (word[0] >= 'x' && word[0] <= 'z' && word[1] == '\0');
}

bool rbv_expr_is_function(const char *name) {
    static const char *const words[] = {"pi", "and", "or", "not", "here"};
    for (int32_t k = 0; name != NULL && k < (int32_t)(sizeof words / sizeof words[0]); k++) {
        if (strcmp(words[k], name) == 0)
            return true;
    }
    return name != NULL && rbv_expr_function(name) != NULL;
}

#define LENGTH_OF(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

#define UNARY(word, code, is_smooth)                                                                                   \
    { word, word "(x)", RBV_FN_UNARY, code, 1, 1, is_smooth }

static const RbvExprFunctionRow functions[] = {
    UNARY("sin", RBV_OP_SIN, true),
    UNARY("cos", RBV_OP_COS, true),
    UNARY("tan", RBV_OP_TAN, true),
    UNARY("asin", RBV_OP_ASIN, true),
    UNARY("acos", RBV_OP_ACOS, true),
    UNARY("atan", RBV_OP_ATAN, true),
    UNARY("sinh", RBV_OP_SINH, true),
    UNARY("cosh", RBV_OP_COSH, true),
    UNARY("tanh", RBV_OP_TANH, true),
    UNARY("exp", RBV_OP_EXP, true),
    UNARY("log", RBV_OP_LOG, true),
    UNARY("sqrt", RBV_OP_SQRT, true),
    UNARY("abs", RBV_OP_ABS, false),
    UNARY("sign", RBV_OP_SIGN, false),
    UNARY("floor", RBV_OP_FLOOR, false),
    {"atan2", "atan2(y, x)", RBV_FN_ATAN2, RBV_OP_ATAN2, 2, 2, true},
    {"min", "min(a, b, ...)", RBV_FN_MIN, RBV_OP_MIN, 2, -1, false},
    {"max", "max(a, b, ...)", RBV_FN_MAX, RBV_OP_MAX, 2, -1, false},
    {"if", "if(condition, a, b)", RBV_FN_IF, RBV_OP_BRANCH, 3, 3, false},
    {"step", "step(x, x0, y0, x1, y1)", RBV_FN_STEP, RBV_OP_RISE, 5, 5, true},
    {"ramp", "ramp(x, x0, x1)", RBV_FN_RAMP, RBV_OP_RUN, 3, 3, true},
    {"pulse", "pulse(x, x0, x1, width)", RBV_FN_PULSE, RBV_OP_RISE, 4, 4, true},
    {"poly", "poly(x, c0, c1, ...)", RBV_FN_POLY, RBV_OP_ADD, 2, -1, true},
    {"impact", "impact(x, v, x0, k, e, c, d)", RBV_FN_IMPACT, RBV_OP_ADD, 7, 7, false},
    {"fourier", "fourier(x, w, a0, a1, b1, ...)", RBV_FN_FOURIER, RBV_OP_ADD, 3, -1, true},
};

static const char *const coordinates[] = {"distance", "angle", "dot"};

/* Names of functions in other languages. */
static const char *const spellings[][2] = {
    {"ln", "log"},   {"log10", "log"},  {"arcsin", "asin"},   {"arccos", "acos"}, {"arctan", "atan"},
    {"fabs", "abs"}, {"sgn", "sign"},   {"arctan2", "atan2"}, {"root", "sqrt"},   {"smoothstep", "step"},
    {"sine", "sin"}, {"cosine", "cos"}, {"tangent", "tan"},   {"minimum", "min"}, {"maximum", "max"},
};

const RbvExprFunctionRow *rbv_expr_function(const char *name) {
    for (int32_t k = 0; k < LENGTH_OF(functions); k++) {
        if (strcmp(functions[k].name, name) == 0)
            return &functions[k];
    }
    return NULL;
}

static const char *candidate(const void *context, int32_t k) {
    (void)context;
    return k < LENGTH_OF(functions) ? functions[k].name : coordinates[k - LENGTH_OF(functions)];
}

const char *rbv_expr_function_nearest(const char *name) {
    for (int32_t k = 0; k < LENGTH_OF(spellings); k++) {
        if (strcmp(spellings[k][0], name) == 0)
            return spellings[k][1];
    }
    return rbv_name_nearest(name, LENGTH_OF(functions) + LENGTH_OF(coordinates), candidate, NULL);
}

const char *rbv_expr_comparison_text(RbvExprOp comparison) {
    static const char *const text[] = {"<", "<=", ">", ">=", "==", "!="};
    return text[comparison - RBV_OP_LESS];
}

static double product_power(double x, int32_t n) {
    double p = 1.0;
    for (; n > 0; n >>= 1, x *= x) {
        if (n & 1)
            p *= x;
    }
    return p;
}

static void integer_power(double x, int32_t n, double f[3]) {
    if (n >= 2) {
        double p = product_power(x, n - 2);
        f[0] = p * x * x;
        f[1] = n * (p * x);
        f[2] = (double)n * (n - 1) * p;
    } else if (n >= 0) {
        f[0] = n == 1 || isnan(x) ? x : 1.0;
        f[1] = n;
        f[2] = 0.0;
    } else {
        f[0] = 1.0 / product_power(x, -n);
        f[1] = n * f[0] / x;
        f[2] = (n - 1) * f[1] / x;
    }
}

static double power(double a, double b) {
    return isnan(a) || isnan(b) ? a + b : pow(a, b);
}

/* c a^b; 0 if c is 0, even if the power is infinite */
static double times_power(double c, double a, double b) {
    return c == 0.0 && !isnan(a) ? 0.0 : c * power(a, b);
}

static double rise(double s) {
    if (s <= 0.0)
        return 0.0;
    if (s >= 1.0)
        return 1.0;
    return s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

static double run(double s) {
    if (s <= 0.0)
        return 0.0;
    if (s >= 1.0)
        return s - 0.5;
    return s * s * s * s * (2.5 + s * (s - 3.0));
}

static double sign(double x) {
    if (x > 0.0)
        return 1.0;
    return x < 0.0 ? -1.0 : x;
}

double rbv_expr_unary_value(const RbvExprInstruction *in, double x) {
    double f[4];
    switch (in->op) {
    case RBV_OP_DIVIDE_BY: return x / in->with.number;
    case RBV_OP_DIVIDE_INTO: return in->with.number / x;
    case RBV_OP_INTEGER_POWER: integer_power(x, (int32_t)in->with.number, f); return f[0];
    case RBV_OP_CONSTANT_POWER: return power(x, in->with.number);
    case RBV_OP_EXPONENTIAL: return power(in->with.number, x);
    case RBV_OP_TABLE: return rbv_spline_eval(in->with.table, x, 0, f) ? f[0] : NAN;
    case RBV_OP_SIN: return sin(x);
    case RBV_OP_COS: return cos(x);
    case RBV_OP_TAN: return tan(x);
    case RBV_OP_ASIN: return asin(x);
    case RBV_OP_ACOS: return acos(x);
    case RBV_OP_ATAN: return atan(x);
    case RBV_OP_SINH: return sinh(x);
    case RBV_OP_COSH: return cosh(x);
    case RBV_OP_TANH: return tanh(x);
    case RBV_OP_EXP: return exp(x);
    case RBV_OP_LOG: return log(x);
    case RBV_OP_SQRT: return sqrt(x);
    case RBV_OP_ABS: return fabs(x);
    case RBV_OP_SIGN: return sign(x);
    case RBV_OP_FLOOR: return floor(x);
    case RBV_OP_RISE: return rise(x);
    case RBV_OP_RUN: return run(x);
    case RBV_OP_POSITIVE: return x > 0.0 ? x : NAN;
    default: return NAN;
    }
}

static void set(double f[3], double value, double first, double second) {
    f[0] = value;
    f[1] = first;
    f[2] = second;
}

/* f, f', f'' of functions with a constant: powers, and the table. */
static bool with_constant(const RbvExprInstruction *in, double x, double f[3]) {
    double c = in->with.number;
    switch (in->op) {
    case RBV_OP_DIVIDE_BY: set(f, x / c, 1.0 / c, 0.0); return true;
    case RBV_OP_DIVIDE_INTO: f[0] = c / x, f[1] = -f[0] / x, f[2] = -2.0 * f[1] / x; return true;
    case RBV_OP_INTEGER_POWER: integer_power(x, (int32_t)c, f); return true;
    case RBV_OP_CONSTANT_POWER:
        set(f, power(x, c), times_power(c, x, c - 1.0), times_power(c * (c - 1.0), x, c - 2.0));
        return true;
    case RBV_OP_EXPONENTIAL: {
        double v = power(c, x), l = log(c);
        if (v == 0.0 && c >= 0.0)
            l = 0.0; /* underflow, or 0^x about x > 0 */
        set(f, v, v * l, v * l * l);
        return true;
    }
    case RBV_OP_TABLE: {
        double d[4];
        bool inside = rbv_spline_eval(in->with.table, x, 2, d);
        set(f, NAN, NAN, NAN);
        if (inside)
            set(f, d[0], d[1], d[2]);
        return true;
    }
    default: return false;
    }
}

static void inverse_sine(double x, double orientation, double value, double f[3]) {
    double q = (1.0 - x) * (1.0 + x), r = orientation / sqrt(q);
    set(f, value, r, x * r / q);
}

void rbv_expr_unary(const RbvExprInstruction *in, double x, double side, double f[3]) {
    if (with_constant(in, x, f))
        return;
    double v = rbv_expr_unary_value(in, x), d;
    bool inside;
    switch (in->op) {
    case RBV_OP_SIN: set(f, v, cos(x), -v); break;
    case RBV_OP_COS: set(f, v, -sin(x), -v); break;
    case RBV_OP_TAN: d = 1.0 + v * v, set(f, v, d, 2.0 * v * d); break;
    case RBV_OP_ASIN: inverse_sine(x, 1.0, v, f); break;
    case RBV_OP_ACOS: inverse_sine(x, -1.0, v, f); break;
    case RBV_OP_ATAN: d = 1.0 / (1.0 + x * x), set(f, v, d, -2.0 * x * d * d); break;
    case RBV_OP_SINH: set(f, v, cosh(x), v); break;
    case RBV_OP_COSH: set(f, v, sinh(x), v); break;
    case RBV_OP_TANH: d = 1.0 / cosh(x), d *= d, set(f, v, d, -2.0 * v * d); break;
    case RBV_OP_EXP: set(f, v, v, v); break;
    case RBV_OP_LOG: d = x < 0.0 ? NAN : 1.0 / x, set(f, v, d, -d * d); break;
    case RBV_OP_SQRT: d = 0.5 / v, set(f, v, d, -0.5 * d / x); break;
    case RBV_OP_ABS: set(f, v, side, 0.0); break;
    case RBV_OP_SIGN:
    case RBV_OP_FLOOR: set(f, v, 0.0, 0.0); break;
    case RBV_OP_RISE:
        inside = x > 0.0 && x < 1.0, d = x * (1.0 - x);
        set(f, v, 0.0, 0.0);
        if (inside)
            set(f, v, 30.0 * d * d, 60.0 * d * (1.0 - 2.0 * x));
        break;
    case RBV_OP_RUN:
        inside = x > 0.0 && x < 1.0, d = x * (1.0 - x);
        set(f, v, rise(x), inside ? 30.0 * d * d : 0.0);
        break;
    case RBV_OP_POSITIVE: set(f, v, 1.0, 0.0); break;
    default: set(f, NAN, NAN, NAN); break;
    }
}

bool rbv_expr_unary_is_flat(const RbvExprInstruction *in, double x) {
    switch (in->op) {
    case RBV_OP_SIGN: return x < 0.0 || x > 0.0;
    case RBV_OP_FLOOR: return x < floor(x) || x > floor(x);
    case RBV_OP_RISE: return x < 0.0 || x > 1.0;
    case RBV_OP_RUN: return x < 0.0;
    default: return false;
    }
}

double rbv_expr_binary_value(RbvExprOp op, double a, double b) {
    if (isnan(a) || isnan(b))
        return a + b;
    switch (op) {
    case RBV_OP_ADD: return a + b;
    case RBV_OP_SUBTRACT: return a - b;
    case RBV_OP_MULTIPLY: return a * b;
    case RBV_OP_DIVIDE: return a / b;
    case RBV_OP_POWER: return pow(a, b);
    case RBV_OP_ATAN2: return atan2(a, b);
    case RBV_OP_MIN: return b < a ? b : a;
    case RBV_OP_MAX: return b > a ? b : a;
    case RBV_OP_LESS: return a < b;
    case RBV_OP_LESS_EQUAL: return a <= b;
    case RBV_OP_GREATER: return a > b;
    case RBV_OP_GREATER_EQUAL: return a >= b;
    case RBV_OP_EQUAL: return !(a < b || a > b);
    case RBV_OP_NOT_EQUAL: return a < b || a > b;
    default: return NAN;
    }
}

void rbv_expr_binary(RbvExprOp op, double a, double b, double f[6]) {
    f[0] = rbv_expr_binary_value(op, a, b);
    if (op == RBV_OP_DIVIDE) {
        double r = 1.0 / b;
        f[1] = r;
        f[2] = -f[0] * r;
        f[3] = 0.0;
        f[4] = -r * r;
        f[5] = -2.0 * f[2] * r;
    } else if (op == RBV_OP_ATAN2) {
        double q = a * a + b * b, u = a / q, v = b / q;
        f[1] = v;
        f[2] = -u;
        f[3] = -2.0 * u * v;
        f[4] = (u - v) * (u + v);
        f[5] = 2.0 * u * v;
    } else { /* a^b */
        double l = a >= 0.0 ? log(a) : NAN, v = f[0], p = power(a, b - 1.0);
        double vl = v == 0.0 && a >= 0.0 ? 0.0 : v * l;
        f[1] = times_power(b, a, b - 1.0);
        f[2] = vl;
        f[3] = times_power(b * (b - 1.0), a, b - 2.0);
        f[4] = p == 0.0 && a >= 0.0 ? 0.0 : p * (1.0 + b * l);
        f[5] = vl == 0.0 ? 0.0 : vl * l;
    }
}
