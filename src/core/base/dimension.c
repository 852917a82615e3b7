/* Dimensions; see dimension.h. A product adds exponents, a power multiplies them, a sum needs equal ones except for the
 * angle. */
#include "core/base/dimension.h"

#include <stdio.h>
#include <string.h>

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
    RbvExponents u = alone ? a : without_mark(a), v = alone ? b : without_mark(b);
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
        if (half != 2 && used < size)
            n = snprintf(text + used, size - used, half % 2 ? "^%d.5" : "^%d", half / 2), used += n > 0 ? (size_t)n : 0;
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
    snprintf(text, size, under == 0 ? "%s" : under == 1 ? "%s/%s" : "%s/(%s)", over ? above : "1", below);
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
