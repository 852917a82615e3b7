/* Dimensions and units; see units.h. A product of dimensions adds exponents, a power multiplies them, a sum needs equal
 * ones except for the angle.
 *
 * unit    = ["1" "/"] factor { separator factor },  separator = "." | "*" | middle dot | blank | "/"
 * factor  = (symbol | "(" unit ")") [exponent],     exponent  = ["^"] [sign] digits, or superscript digits
 *
 * A factor is mantissa * 10^tens, and the tens are added up as integers, so that "kg/mm^3" is exactly 1e9.
 */
#include "core/base/units.h"

#include "core/base/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- dimensions ---
 *
 * Exponents of length, mass, time, angle and cycle.
 *
 * Angle is a dimension of its own (rad is not 1), and so is the cycle (Hz is cycle/s, neither rad/s nor 1/s). Torque
 * and energy are both force x length; units written J or W are marked, so that "5 J" is no torque. The dimensions of
 * the model file (force, stiffness, density, ...) are names of such exponents. */

/* Largest doubled exponent of a sensible quantity. */
#define MOST_HALVES 400

typedef struct DimensionRow {
    const char *key, *name, *si;
    int8_t exponent[RBV_BASE_DIMENSIONS]; /* length, mass, time, angle, cycle */
    int8_t joules;
} DimensionRow;

static const DimensionRow dimensions[RBV_DIM_COUNT] = {
    [RBV_DIM_NONE] = {"none", "pure number", "", {0, 0, 0, 0, 0}, 0},
    [RBV_DIM_LENGTH] = {"length", "length", "m", {1, 0, 0, 0, 0}, 0},
    [RBV_DIM_ANGLE] = {"angle", "angle", "rad", {0, 0, 0, 1, 0}, 0},
    [RBV_DIM_MASS] = {"mass", "mass", "kg", {0, 1, 0, 0, 0}, 0},
    [RBV_DIM_TIME] = {"time", "time", "s", {0, 0, 1, 0, 0}, 0},
    [RBV_DIM_FORCE] = {"force", "force", "N", {1, 1, -2, 0, 0}, 0},
    [RBV_DIM_TORQUE] = {"torque", "torque", "N.m", {2, 1, -2, 0, 0}, 0},
    [RBV_DIM_INERTIA] = {"inertia", "inertia", "kg.m^2", {2, 1, 0, 0, 0}, 0},
    [RBV_DIM_STIFFNESS] = {"stiffness", "stiffness", "N/m", {0, 1, -2, 0, 0}, 0},
    [RBV_DIM_DAMPING] = {"damping", "damping", "N.s/m", {0, 1, -1, 0, 0}, 0},
    [RBV_DIM_TORSIONAL_STIFFNESS] = {"torsional_stiffness", "torsional stiffness", "N.m/rad", {2, 1, -2, -1, 0}, 0},
    [RBV_DIM_TORSIONAL_DAMPING] = {"torsional_damping", "torsional damping", "N.m.s/rad", {2, 1, -1, -1, 0}, 0},
    [RBV_DIM_COMPLIANCE] = {"compliance", "compliance", "m/N", {0, -1, 2, 0, 0}, 0},
    [RBV_DIM_TORSIONAL_COMPLIANCE] =
        {"torsional_compliance", "torsional compliance", "rad/(N.m)", {-2, -1, 2, 1, 0}, 0},
    [RBV_DIM_PRESSURE_SPEED] = {"pressure_speed", "pressure times speed", "Pa.m/s", {0, 1, -3, 0, 0}, 0},
    [RBV_DIM_WEAR] = {"wear", "wear", "m^2/N", {1, -1, 2, 0, 0}, 0},
    [RBV_DIM_DENSITY] = {"density", "density", "kg/m^3", {-3, 1, 0, 0, 0}, 0},
    [RBV_DIM_VELOCITY] = {"velocity", "velocity", "m/s", {1, 0, -1, 0, 0}, 0},
    [RBV_DIM_ANGULAR_VELOCITY] = {"angular_velocity", "angular velocity", "rad/s", {0, 0, -1, 1, 0}, 0},
    [RBV_DIM_ACCELERATION] = {"acceleration", "acceleration", "m/s^2", {1, 0, -2, 0, 0}, 0},
    [RBV_DIM_ANGULAR_ACCELERATION] = {"angular_acceleration", "angular acceleration", "rad/s^2", {0, 0, -2, 1, 0}, 0},
    [RBV_DIM_FREQUENCY] = {"frequency", "frequency", "Hz", {0, 0, -1, 0, 1}, 0},
    [RBV_DIM_AREA] = {"area", "area", "m^2", {2, 0, 0, 0, 0}, 0},
    [RBV_DIM_VOLUME] = {"volume", "volume", "m^3", {3, 0, 0, 0, 0}, 0},
    [RBV_DIM_PRESSURE] = {"pressure", "pressure", "Pa", {-1, 1, -2, 0, 0}, 0},
    [RBV_DIM_ENERGY] = {"energy", "energy", "J", {2, 1, -2, 0, 0}, 1},
    [RBV_DIM_POWER] = {"power", "power", "W", {2, 1, -3, 0, 0}, 1},
};

static bool is_dimension(RbvDimension dimension) {
    return (int)dimension >= 0 && dimension < RBV_DIM_COUNT;
}

const char *rbv_dimension_name(RbvDimension dimension) {
    return is_dimension(dimension) ? dimensions[dimension].name : "any dimension";
}

const char *rbv_dimension_si(RbvDimension dimension) {
    return is_dimension(dimension) ? dimensions[dimension].si : "";
}

const char *rbv_dimension_key(RbvDimension dimension) {
    return is_dimension(dimension) ? dimensions[dimension].key : "any";
}

int32_t rbv_dimension_find(const char *name) {
    for (int32_t k = RBV_DIM_NONE + 1; k < RBV_DIM_COUNT; k++) {
        if (strcmp(dimensions[k].key, name) == 0)
            return k;
    }
    return -1;
}

RbvExponents rbv_dimension_exponents(RbvDimension dimension) {
    const DimensionRow *row = &dimensions[is_dimension(dimension) ? dimension : RBV_DIM_NONE];
    RbvExponents out = {.joules = row->joules};
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        out.half[k] = (int16_t)(2 * row->exponent[k]);
    return out;
}

bool rbv_exponents_equal(RbvExponents a, RbvExponents b) {
    return a.joules == b.joules && memcmp(a.half, b.half, sizeof a.half) == 0;
}

bool rbv_exponents_fit(RbvExponents a, RbvExponents b) {
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        if (k != RBV_OF_ANGLE && a.half[k] != b.half[k])
            return false;
    return true;
}

bool rbv_exponents_pure(RbvExponents a) {
    return rbv_exponents_fit(a, (RbvExponents){0});
}

/* J = N m rad: exponents without the energy mark, for products with another dimension. */
static RbvExponents without_mark(RbvExponents a) {
    a.half[RBV_OF_ANGLE] = (int16_t)(a.half[RBV_OF_ANGLE] + 2 * a.joules);
    a.joules = 0;
    return a;
}

bool rbv_exponents_product(RbvExponents a, RbvExponents b, int32_t half_power, RbvExponents *out) {
    static const RbvExponents one = {.joules = 0};
    bool alone = rbv_exponents_equal(b, one) || (rbv_exponents_equal(a, one) && half_power == 2);
    RbvExponents u = a, v = b;
    if (!alone)
        u = without_mark(a), v = without_mark(b);
    *out = (RbvExponents){.joules = (int16_t)(u.joules + v.joules)};
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++) {
        int64_t twice = (int64_t)v.half[k] * half_power, sum = u.half[k] + twice / 2;
        if (twice % 2 != 0 || sum < -MOST_HALVES || sum > MOST_HALVES)
            return false;
        out->half[k] = (int16_t)sum;
    }
    return true;
}

bool rbv_exponents_suit(RbvExponents a, RbvDimension requested) {
    if (!is_dimension(requested))
        return requested == RBV_DIM_ANY;
    if (requested == RBV_DIM_TORQUE && a.joules != 0)
        return false;
    if (requested == RBV_DIM_FREQUENCY && a.half[RBV_OF_CYCLE] == 0 && a.half[RBV_OF_ANGLE] == 0)
        a.half[RBV_OF_CYCLE] = 2;
    return rbv_exponents_fit(a, rbv_dimension_exponents(requested));
}

RbvDimension rbv_exponents_named(RbvExponents a) {
    for (int32_t k = 0; k < RBV_DIM_COUNT; k++) {
        if (rbv_exponents_equal(a, rbv_dimension_exponents((RbvDimension)k)))
            return (RbvDimension)k;
    }
    return RBV_DIM_ANY;
}

/* Named dimension regardless of the energy mark: force x length x angle is an energy, force x velocity a power. */
static RbvDimension named_or_energy(RbvExponents a) {
    RbvDimension exact = rbv_exponents_named(a);
    if (exact != RBV_DIM_ANY)
        return exact;
    a.half[RBV_OF_ANGLE] = 0;
    a.joules = 1;
    return rbv_exponents_named(a);
}

/* Named dimension regardless of angles: m rad is a length. */
static RbvDimension nearly_named(RbvExponents a) {
    RbvDimension dimension = named_or_energy(a);
    a.half[RBV_OF_ANGLE] = 0;
    return dimension != RBV_DIM_ANY ? dimension : rbv_exponents_named(a);
}

/* Append the factors with positive (sign 1) or negative exponents, each as a positive power. */
static int factors(RbvExponents a, int sign, char *text, size_t size) {
    static const char *const names[] = {"kg", "m", "rad", "s", "cycle"};
    static const int order[] = {RBV_OF_MASS, RBV_OF_LENGTH, RBV_OF_ANGLE, RBV_OF_TIME, RBV_OF_CYCLE};
    size_t used = 0;
    int count = 0;
    text[0] = '\0';
    for (int k = 0; k < RBV_BASE_DIMENSIONS && used < size; k++) {
        int half = sign * a.half[order[k]];
        if (half <= 0)
            continue;
        int n = snprintf(text + used, size - used, "%s%s", count++ ? "." : "", names[k]);
        used += n > 0 ? (size_t)n : 0;
        if (half != 2 && used < size) {
            n = snprintf(text + used, size - used, half % 2 ? "^%d.5" : "^%d", half / 2);
            used += n > 0 ? (size_t)n : 0;
        }
    }
    return count;
}

/* A named unit per angle: N/rad. False: there is none. */
static bool per_angle(RbvExponents a, char *text, size_t size) {
    int half = a.half[RBV_OF_ANGLE];
    a.half[RBV_OF_ANGLE] = 0;
    RbvDimension dimension = rbv_exponents_named(a);
    const char *si = dimension == RBV_DIM_ANY ? "" : rbv_dimension_si(dimension);
    if (!*si || strchr(si, '/') || half % 2 || half >= 0)
        return false;
    int n = snprintf(text, size, "%s/rad", si);
    if (half < -2 && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, "^%d", -half / 2);
    return true;
}

static void compose(RbvExponents a, char *text, size_t size) {
    if (per_angle(a, text, size))
        return;
    char above[64], below[64];
    int over = factors(a, 1, above, sizeof above), under = factors(a, -1, below, sizeof below);
    const char *format = under == 0 ? "%s" : "%s/(%s)";
    if (under == 1)
        format = "%s/%s";
    snprintf(text, size, format, over ? above : "1", below);
}

/* Unit of a dimension, or, if it has none, composed of its factors. */
static void unit_of(RbvDimension dimension, RbvExponents a, char *text, size_t size) {
    if (dimension != RBV_DIM_ANY)
        snprintf(text, size, "%s", rbv_dimension_si(dimension));
    else
        compose(a, text, size);
}

void rbv_exponents_si(RbvExponents a, char *text, size_t size) {
    unit_of(nearly_named(a), a, text, size);
}

void rbv_exponents_si_whole(RbvExponents a, char *text, size_t size) {
    unit_of(named_or_energy(a), a, text, size);
}

void rbv_dimension_words(RbvDimension dimension, char *text, size_t size) {
    const char *name = rbv_dimension_name(dimension), *article = strchr("aeiou", name[0]) ? "an" : "a";
    snprintf(text, size, dimension == RBV_DIM_NONE ? "%s %s" : "%s %s [%s]", article, name,
             rbv_dimension_si(dimension));
}

void rbv_exponents_words(RbvExponents a, char *text, size_t size) {
    char unit[64];
    RbvDimension dimension = named_or_energy(a);
    if (dimension != RBV_DIM_ANY) {
        rbv_dimension_words(dimension, text, size);
        return;
    }
    compose(a, unit, sizeof unit);
    snprintf(text, size, strcmp(unit, "cycle") == 0 ? "a number of cycles" : "a quantity in %s", unit);
}

#define LENGTH_OF(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))
/* Most nested parentheses in a unit. */
#define MAX_DEPTH 8

typedef struct UnitRow {
    const char *symbol;
    double mantissa;
    int8_t tens;
    RbvDimension dimension;
} UnitRow;

/* Inch, foot, yard, mile, pound, ounce: international yard and pound of 1959, exact. psi, slug, hp follow from them. */
static const UnitRow units[] = {
    {"m", 1, 0, RBV_DIM_LENGTH},
    {"mm", 1, -3, RBV_DIM_LENGTH},
    {"cm", 1, -2, RBV_DIM_LENGTH},
    {"dm", 1, -1, RBV_DIM_LENGTH},
    {"km", 1, 3, RBV_DIM_LENGTH},
    {"um", 1, -6, RBV_DIM_LENGTH},
    {"\xC2\xB5m", 1, -6, RBV_DIM_LENGTH},
    {"\xCE\xBCm", 1, -6, RBV_DIM_LENGTH},
    {"nm", 1, -9, RBV_DIM_LENGTH},
    {"in", 254, -4, RBV_DIM_LENGTH},
    {"ft", 3048, -4, RBV_DIM_LENGTH},
    {"yd", 9144, -4, RBV_DIM_LENGTH},
    {"mile", 1609344, -3, RBV_DIM_LENGTH},
    {"kg", 1, 0, RBV_DIM_MASS},
    {"g", 1, -3, RBV_DIM_MASS},
    {"mg", 1, -6, RBV_DIM_MASS},
    {"t", 1, 3, RBV_DIM_MASS},
    {"lb", 45359237, -8, RBV_DIM_MASS},
    {"oz", 28349523125, -12, RBV_DIM_MASS},
    {"slug", 14.593902937206364, 0, RBV_DIM_MASS},
    {"s", 1, 0, RBV_DIM_TIME},
    {"ms", 1, -3, RBV_DIM_TIME},
    {"us", 1, -6, RBV_DIM_TIME},
    {"\xC2\xB5s", 1, -6, RBV_DIM_TIME},
    {"\xCE\xBCs", 1, -6, RBV_DIM_TIME},
    {"ns", 1, -9, RBV_DIM_TIME},
    {"min", 60, 0, RBV_DIM_TIME},
    {"h", 3600, 0, RBV_DIM_TIME},
    {"rad", 1, 0, RBV_DIM_ANGLE},
    {"mrad", 1, -3, RBV_DIM_ANGLE},
    {"urad", 1, -6, RBV_DIM_ANGLE},
    {"deg", RBV_PI / 180, 0, RBV_DIM_ANGLE},
    {"\xC2\xB0", RBV_PI / 180, 0, RBV_DIM_ANGLE},
    {"rev", 2 * RBV_PI, 0, RBV_DIM_ANGLE},
    {"turn", 2 * RBV_PI, 0, RBV_DIM_ANGLE},
    {"arcmin", RBV_PI / 10800, 0, RBV_DIM_ANGLE},
    {"arcsec", RBV_PI / 648000, 0, RBV_DIM_ANGLE},
    {"N", 1, 0, RBV_DIM_FORCE},
    {"mN", 1, -3, RBV_DIM_FORCE},
    {"daN", 1, 1, RBV_DIM_FORCE},
    {"kN", 1, 3, RBV_DIM_FORCE},
    {"MN", 1, 6, RBV_DIM_FORCE},
    {"kgf", 980665, -5, RBV_DIM_FORCE},
    {"lbf", 44482216152605, -13, RBV_DIM_FORCE},
    {"Nm", 1, 0, RBV_DIM_TORQUE},
    {"Nmm", 1, -3, RBV_DIM_TORQUE},
    {"Ncm", 1, -2, RBV_DIM_TORQUE},
    {"mNm", 1, -3, RBV_DIM_TORQUE},
    {"kNm", 1, 3, RBV_DIM_TORQUE},
    {"MNm", 1, 6, RBV_DIM_TORQUE},
    {"Pa", 1, 0, RBV_DIM_PRESSURE},
    {"hPa", 1, 2, RBV_DIM_PRESSURE},
    {"kPa", 1, 3, RBV_DIM_PRESSURE},
    {"MPa", 1, 6, RBV_DIM_PRESSURE},
    {"GPa", 1, 9, RBV_DIM_PRESSURE},
    {"bar", 1, 5, RBV_DIM_PRESSURE},
    {"mbar", 1, 2, RBV_DIM_PRESSURE},
    {"psi", 6894.7572931683609, 0, RBV_DIM_PRESSURE},
    {"atm", 101325, 0, RBV_DIM_PRESSURE},
    {"J", 1, 0, RBV_DIM_ENERGY},
    {"mJ", 1, -3, RBV_DIM_ENERGY},
    {"kJ", 1, 3, RBV_DIM_ENERGY},
    {"MJ", 1, 6, RBV_DIM_ENERGY},
    {"W", 1, 0, RBV_DIM_POWER},
    {"mW", 1, -3, RBV_DIM_POWER},
    {"kW", 1, 3, RBV_DIM_POWER},
    {"MW", 1, 6, RBV_DIM_POWER},
    {"hp", 745.69987158227022, 0, RBV_DIM_POWER},
    {"Hz", 1, 0, RBV_DIM_FREQUENCY},
    {"kHz", 1, 3, RBV_DIM_FREQUENCY},
    {"MHz", 1, 6, RBV_DIM_FREQUENCY},
    {"rpm", RBV_PI / 30, 0, RBV_DIM_ANGULAR_VELOCITY},
    {"L", 1, -3, RBV_DIM_VOLUME},
    {"l", 1, -3, RBV_DIM_VOLUME},
    {"mL", 1, -6, RBV_DIM_VOLUME},
    {"ml", 1, -6, RBV_DIM_VOLUME},
};

/* Common spellings of units in words, for suggestions ("did you mean") only. */
static const char *const spellings[][2] = {
    {"sec", "s"},        {"second", "s"},    {"seconds", "s"}, {"minute", "min"},     {"minutes", "min"},
    {"hour", "h"},       {"hours", "h"},     {"hr", "h"},      {"degree", "deg"},     {"degrees", "deg"},
    {"radian", "rad"},   {"radians", "rad"}, {"meter", "m"},   {"metre", "m"},        {"meters", "m"},
    {"metres", "m"},     {"inch", "in"},     {"inches", "in"}, {"foot", "ft"},        {"feet", "ft"},
    {"newton", "N"},     {"newtons", "N"},   {"gram", "g"},    {"grams", "g"},        {"kilogram", "kg"},
    {"kilograms", "kg"}, {"kilo", "kg"},     {"lbs", "lb"},    {"kgm", "kg.m"},       {"kgmm", "kg.mm"},
    {"pound", "lb"},     {"pounds", "lb"},   {"ton", "t"},     {"tonne", "t"},        {"liter", "L"},
    {"litre", "L"},      {"turns", "turn"},  {"revs", "rev"},  {"revolution", "rev"}, {"revolutions", "rev"},
    {"joule", "J"},      {"watt", "W"},      {"hertz", "Hz"},  {"pascal", "Pa"},      {"mi", "mile"},
    {"miles", "mile"},   {"yard", "yd"},     {"yards", "yd"},  {"kph", "km/h"},       {"mph", "mile/h"},
};

/* Exact comparison, torque and energy differ; 1/s is also a frequency. */
bool rbv_unit_measures(const RbvUnit *unit, RbvDimension dimension) {
    RbvExponents exponents = unit->exponents;
    if (dimension == RBV_DIM_ANY)
        return true;
    if (dimension == RBV_DIM_FREQUENCY && exponents.half[RBV_OF_CYCLE] == 0)
        exponents.half[RBV_OF_CYCLE] = 2;
    return rbv_exponents_equal(exponents, rbv_dimension_exponents(dimension));
}

RbvDimension rbv_unit_dimension(const RbvUnit *unit) {
    return rbv_exponents_named(unit->exponents);
}

/* A partial product of units: mantissa * 10^tens, with doubled exponents as integers. */
typedef struct Product {
    double mantissa;
    int32_t tens;
    int32_t half[RBV_BASE_DIMENSIONS];
    int32_t joules;
} Product;

typedef struct Reader {
    const char *text;
    size_t length, at;
    int32_t depth;
    size_t wrong; /* offset of the first part that is not understood */
} Reader;

static char peek(const Reader *reader, size_t ahead) {
    return reader->at + ahead < reader->length ? reader->text[reader->at + ahead] : '\0';
}

static bool starts_with(const Reader *reader, const char *prefix) {
    size_t n = strlen(prefix);
    return reader->length - reader->at >= n && memcmp(reader->text + reader->at, prefix, n) == 0;
}

static void skip_blanks(Reader *reader) {
    while (peek(reader, 0) == ' ' || peek(reader, 0) == '\t')
        reader->at++;
}

/* Bytes of a symbol at the start: letters, micro and degree signs. */
static size_t symbol_length(const char *text, size_t length) {
    size_t n = 0;
    while (n < length) {
        char c = text[n];
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
            n++;
        } else if (length - n >= 2 && (memcmp(text + n, "\xC2\xB5", 2) == 0 || memcmp(text + n, "\xCE\xBC", 2) == 0 ||
                                       memcmp(text + n, "\xC2\xB0", 2) == 0)) {
            n += 2;
        } else {
            break;
        }
    }
    return n;
}

static const UnitRow *find_symbol(const char *text, size_t length) {
    for (int32_t k = 0; k < LENGTH_OF(units); k++) {
        if (strlen(units[k].symbol) == length && memcmp(units[k].symbol, text, length) == 0)
            return &units[k];
    }
    return NULL;
}

/* The superscript digit at the reader, or -1. */
static int32_t superscript(const Reader *reader, size_t *bytes) {
    static const char *const digits[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                         "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                         "\xE2\x81\xB8", "\xE2\x81\xB9"};
    for (int32_t k = 0; k < LENGTH_OF(digits); k++) {
        if (starts_with(reader, digits[k])) {
            *bytes = strlen(digits[k]);
            return k;
        }
    }
    return -1;
}

static bool read_exponent(Reader *reader, int32_t *exponent) {
    size_t bytes;
    *exponent = 1;
    bool negative = starts_with(reader, "\xE2\x81\xBB"); /* superscript minus */
    if (negative)
        reader->at += 3;
    int32_t raised = superscript(reader, &bytes);
    if (raised >= 0) {
        reader->at += bytes;
        *exponent = negative ? -raised : raised;
        if (superscript(reader, &bytes) < 0)
            return true;
        reader->wrong = reader->at;
        return false;
    }
    if (negative) {
        reader->wrong = reader->at;
        return false;
    }
    bool hat = peek(reader, 0) == '^';
    if (hat) {
        reader->at++;
        negative = peek(reader, 0) == '-';
        if (negative || peek(reader, 0) == '+')
            reader->at++;
    }
    char c = peek(reader, 0), next = peek(reader, 1);
    if (c < '0' || c > '9') {
        reader->wrong = reader->at;
        return !hat;
    }
    if (next >= '0' && next <= '9') {
        reader->wrong = reader->at;
        return false;
    }
    reader->at++;
    *exponent = negative ? -(c - '0') : c - '0';
    return true;
}

static bool read_product(Reader *reader, Product *product);

static bool read_factor(Reader *reader, Product *factor) {
    if (peek(reader, 0) == '(') {
        if (++reader->depth > MAX_DEPTH) {
            reader->wrong = reader->at;
            return false;
        }
        reader->at++;
        if (!read_product(reader, factor))
            return false;
        if (peek(reader, 0) != ')') {
            reader->wrong = reader->at;
            return false;
        }
        reader->at++;
        reader->depth--;
        return true;
    }
    size_t n = symbol_length(reader->text + reader->at, reader->length - reader->at);
    const UnitRow *row = n > 0 ? find_symbol(reader->text + reader->at, n) : NULL;
    if (row == NULL) {
        reader->wrong = reader->at;
        return false;
    }
    reader->at += n;
    RbvExponents exponents = rbv_dimension_exponents(row->dimension);
    *factor = (Product){.mantissa = row->mantissa, .tens = row->tens, .joules = exponents.joules};
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        factor->half[k] = exponents.half[k];
    return true;
}

static void multiply(Product *product, const Product *factor, int32_t power) {
    int32_t times = power < 0 ? -power : power;
    for (int32_t k = 0; k < times; k++) {
        product->mantissa = power < 0 ? product->mantissa / factor->mantissa : product->mantissa * factor->mantissa;
    }
    product->tens += power * factor->tens;
    product->joules += power * factor->joules;
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        product->half[k] += power * factor->half[k];
}

/* Limits that keep every later product of at most nine factors within the range of the integers. */
static bool is_sensible(const Product *product) {
    bool sensible = product->joules >= -100 && product->joules <= 100 && product->tens >= -300 && product->tens <= 300;
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        sensible = sensible && product->half[k] >= -200 && product->half[k] <= 200;
    return sensible;
}

/* Read a separator, if there is one. Blanks separate, unless the unit ends there. */
static bool read_separator(Reader *reader, bool *divides) {
    static const char *const dots[] = {".", "*", "\xC2\xB7", "\xE2\x8B\x85"};
    size_t before = reader->at;
    skip_blanks(reader);
    *divides = false;
    if (peek(reader, 0) == '/') {
        *divides = true;
        reader->at++;
        skip_blanks(reader);
        return true;
    }
    for (int32_t k = 0; k < LENGTH_OF(dots); k++) {
        if (starts_with(reader, dots[k])) {
            reader->at += strlen(dots[k]);
            skip_blanks(reader);
            return true;
        }
    }
    return reader->at > before && reader->at < reader->length && peek(reader, 0) != ')';
}

static bool read_product(Reader *reader, Product *product) {
    *product = (Product){.mantissa = 1};
    skip_blanks(reader);
    bool divides = false;
    if (peek(reader, 0) == '1') {
        size_t one = reader->at++;
        if (!read_separator(reader, &divides) || !divides) {
            reader->wrong = one;
            return false;
        }
    }
    do {
        Product factor;
        int32_t exponent;
        size_t start = reader->at;
        if (!read_factor(reader, &factor) || !read_exponent(reader, &exponent))
            return false;
        multiply(product, &factor, divides ? -exponent : exponent);
        if (!is_sensible(product)) {
            reader->wrong = start;
            return false;
        }
    } while (read_separator(reader, &divides));
    return true;
}

/* mantissa * 10^tens with one rounding if 10^|tens| is a double. */
static double scaled(double mantissa, int32_t tens) {
    double power = 1;
    for (int32_t k = tens < 0 ? -tens : tens; k > 0; k--)
        power *= 10;
    return tens < 0 ? mantissa / power : mantissa * power;
}

bool rbv_unit_parse(const char *text, size_t length, RbvUnit *unit, size_t *unknown) {
    Reader reader = {.text = text, .length = length};
    Product product;
    bool understood = read_product(&reader, &product);
    if (understood && reader.at != length) {
        reader.wrong = reader.at;
        understood = false;
    }
    double factor = understood ? scaled(product.mantissa, product.tens) : 0;
    if (understood && (!isfinite(factor) || factor <= 0)) {
        reader.wrong = 0;
        understood = false;
    }
    if (!understood) {
        if (unknown != NULL)
            *unknown = reader.wrong;
        return false;
    }
    *unit = (RbvUnit){.factor = factor, .exponents = {.joules = (int16_t)product.joules}};
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        unit->exponents.half[k] = (int16_t)product.half[k];
    if (unit->exponents.joules != 0 && unit->exponents.half[RBV_OF_ANGLE] != 0) { /* J/rad is a torque */
        unit->exponents.half[RBV_OF_ANGLE] = (int16_t)(unit->exponents.half[RBV_OF_ANGLE] + 2 * unit->exponents.joules);
        unit->exponents.joules = 0;
    }
    return true;
}

static const char *unit_symbol(const void *context, int32_t k) {
    (void)context;
    return units[k].symbol;
}

const char *rbv_unit_nearest(const char *text, size_t length) {
    RbvUnit unit;
    size_t wrong = 0;
    if (rbv_unit_parse(text, length, &unit, &wrong))
        return NULL;
    char symbol[32];
    size_t n = symbol_length(text + wrong, length - wrong);
    if (n == 0 || n >= sizeof symbol)
        return NULL;
    memcpy(symbol, text + wrong, n);
    symbol[n] = '\0';
    for (int32_t k = 0; k < LENGTH_OF(spellings); k++) {
        const char *word = spellings[k][0];
        size_t same = 0;
        while (word[same] != '\0' && (symbol[same] | 0x20) == word[same])
            same++;
        if (word[same] == '\0' && same == n)
            return spellings[k][1];
    }
    return rbv_name_nearest(symbol, LENGTH_OF(units), unit_symbol, NULL);
}
