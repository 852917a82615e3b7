/* Base: units against literal values, numbers that survive print and parse in any locale, names, diagnostics, statuses.
 */
#include "core/base/archive.h"
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "core/base/units.h"

#include <roberval/input.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 88172645463325252u;

static uint64_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* ---- units ---- */

static void units_have_their_literal_factors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double factor;
        RbvDimension dimension;
    } cases[] = {
        {"m", 1, RBV_DIM_LENGTH},
        {"mm", 0.001, RBV_DIM_LENGTH},
        {"in", 0.0254, RBV_DIM_LENGTH},
        {"ft", 0.3048, RBV_DIM_LENGTH},
        {"\xC2\xB5m", 1e-6, RBV_DIM_LENGTH},
        {"mile", 1609.344, RBV_DIM_LENGTH},
        {"yd", 0.9144, RBV_DIM_LENGTH},
        {"g", 0.001, RBV_DIM_MASS},
        {"t", 1000, RBV_DIM_MASS},
        {"lb", 0.45359237, RBV_DIM_MASS},
        {"oz", 0.028349523125, RBV_DIM_MASS},
        {"slug", 14.593902937206364, RBV_DIM_MASS},
        {"ms", 0.001, RBV_DIM_TIME},
        {"min", 60, RBV_DIM_TIME},
        {"h", 3600, RBV_DIM_TIME},
        {"deg", 0.017453292519943295, RBV_DIM_ANGLE},
        {"\xC2\xB0", 0.017453292519943295, RBV_DIM_ANGLE},
        {"rev", 6.283185307179586, RBV_DIM_ANGLE},
        {"mrad", 0.001, RBV_DIM_ANGLE},
        {"arcmin", 2.908882086657216e-4, RBV_DIM_ANGLE},
        {"kN", 1000, RBV_DIM_FORCE},
        {"daN", 10, RBV_DIM_FORCE},
        {"kgf", 9.80665, RBV_DIM_FORCE},
        {"lbf", 4.4482216152605, RBV_DIM_FORCE},
        {"kg.m/s^2", 1, RBV_DIM_FORCE},
        {"Nm", 1, RBV_DIM_TORQUE},
        {"N.m", 1, RBV_DIM_TORQUE},
        {"N*m", 1, RBV_DIM_TORQUE},
        {"N mm", 0.001, RBV_DIM_TORQUE},
        {"N\xC2\xB7m", 1, RBV_DIM_TORQUE},
        {"kNm", 1000, RBV_DIM_TORQUE},
        {"lbf.ft", 1.3558179483314004, RBV_DIM_TORQUE},
        {"kg.m^2", 1, RBV_DIM_INERTIA},
        {"kg.mm2", 1e-6, RBV_DIM_INERTIA},
        {"g cm\xC2\xB2", 1e-7, RBV_DIM_INERTIA},
        {"N/mm", 1000, RBV_DIM_STIFFNESS},
        {"kN / m", 1000, RBV_DIM_STIFFNESS},
        {"N.s/m", 1, RBV_DIM_DAMPING},
        {"N.m/rad", 1, RBV_DIM_TORSIONAL_STIFFNESS},
        {"N mm/deg", 0.05729577951308232, RBV_DIM_TORSIONAL_STIFFNESS},
        {"Nm.s/rad", 1, RBV_DIM_TORSIONAL_DAMPING},
        {"N.m/(rad/s)", 1, RBV_DIM_TORSIONAL_DAMPING},
        {"kg/m^3", 1, RBV_DIM_DENSITY},
        {"g/cm^3", 1000, RBV_DIM_DENSITY},
        {"t/mm^3", 1e12, RBV_DIM_DENSITY},
        {"kg m\xE2\x81\xBB\xC2\xB3", 1, RBV_DIM_DENSITY},
        {"km/h", 0.2777777777777778, RBV_DIM_VELOCITY},
        {"m.s^-1", 1, RBV_DIM_VELOCITY},
        {"mm/s^2", 0.001, RBV_DIM_ACCELERATION},
        {"rpm", 0.10471975511965977, RBV_DIM_ANGULAR_VELOCITY},
        {"rev/min", 0.10471975511965977, RBV_DIM_ANGULAR_VELOCITY},
        {"deg/s", 0.017453292519943295, RBV_DIM_ANGULAR_VELOCITY},
        {"rpm/s", 0.10471975511965977, RBV_DIM_ANGULAR_ACCELERATION},
        {"Hz", 1, RBV_DIM_FREQUENCY},
        {"1/s", 1, RBV_DIM_ANY},
        {"1/min", 1.0 / 60, RBV_DIM_ANY},
        {"mm^2", 1e-6, RBV_DIM_AREA},
        {"L", 0.001, RBV_DIM_VOLUME},
        {"cm3", 1e-6, RBV_DIM_VOLUME},
        {"MPa", 1e6, RBV_DIM_PRESSURE},
        {"N/mm^2", 1e6, RBV_DIM_PRESSURE},
        {"bar", 1e5, RBV_DIM_PRESSURE},
        {"psi", 6894.757293168361, RBV_DIM_PRESSURE},
        {"atm", 101325, RBV_DIM_PRESSURE},
        {"mbar", 100, RBV_DIM_PRESSURE},
        {"J", 1, RBV_DIM_ENERGY},
        {"W.s", 1, RBV_DIM_ENERGY},
        {"kW.h", 3.6e6, RBV_DIM_ENERGY},
        {"kW", 1000, RBV_DIM_POWER},
        {"J/s", 1, RBV_DIM_POWER},
        {"hp", 745.6998715822702, RBV_DIM_POWER},
        {"mm/m", 0.001, RBV_DIM_NONE},
        {"rad/(N.m)", 1, RBV_DIM_TORSIONAL_COMPLIANCE},
        {"mm/N", 0.001, RBV_DIM_COMPLIANCE},
        {"N.m/s", 1, RBV_DIM_ANY},
        {"(m/s)^2", 1, RBV_DIM_ANY},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvUnit unit;
        if (!rbv_unit_parse(cases[k].text, strlen(cases[k].text), &unit, NULL))
            fail_msg("%s is no unit", cases[k].text);
        if (!(fabs(unit.factor - cases[k].factor) <= 2 * DBL_EPSILON * cases[k].factor)) {
            fail_msg("%s is %.17g", cases[k].text, unit.factor);
        }
        if (rbv_unit_dimension(&unit) != cases[k].dimension) {
            fail_msg("%s is of dimension %s", cases[k].text, rbv_dimension_name(rbv_unit_dimension(&unit)));
        }
    }
}

static void decimal_factors_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double factor;
    } cases[] = {{"mm", 0.001},    {"kg/mm^3", 1e9}, {"mm^3", 1e-9}, {"N/mm", 1000},
                 {"g.mm^2", 1e-9}, {"in", 0.0254},   {"um^2", 1e-12}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvUnit unit;
        assert_true(rbv_unit_parse(cases[k].text, strlen(cases[k].text), &unit, NULL));
        assert_true(unit.factor == cases[k].factor);
    }
}

static void torque_is_no_energy_and_rpm_no_frequency(void **state) {
    (void)state;
    RbvUnit torque, energy, speed;
    assert_true(rbv_unit_parse("N.m", 3, &torque, NULL) && rbv_unit_parse("J", 1, &energy, NULL));
    assert_true(rbv_unit_parse("rpm", 3, &speed, NULL));
    assert_true(rbv_unit_measures(&torque, RBV_DIM_TORQUE) && !rbv_unit_measures(&torque, RBV_DIM_ENERGY));
    assert_true(rbv_unit_measures(&energy, RBV_DIM_ENERGY) && !rbv_unit_measures(&energy, RBV_DIM_TORQUE));
    assert_false(rbv_unit_measures(&speed, RBV_DIM_FREQUENCY));
    assert_true(rbv_unit_measures(&speed, RBV_DIM_ANY));
}

static void what_is_no_unit_is_refused_where_it_goes_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t unknown;
    } cases[] = {{"", 0},
                 {"mmm", 0},
                 {"N.foo", 2},
                 {"N/", 2},
                 {"N//m", 2},
                 {"kg..m", 3},
                 {"m^", 2},
                 {"m^x", 2},
                 {"m^22", 2},
                 {"(N.m", 4},
                 {"N.m)", 3},
                 {"1", 0},
                 {"1.m", 0},
                 {"2/s", 0},
                 {"m-1", 1},
                 {"N.m/ra", 4},
                 {"((((((((((m))))))))))", 8},
                 {"30 deg", 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvUnit unit;
        size_t unknown = 99;
        if (rbv_unit_parse(cases[k].text, strlen(cases[k].text), &unit, &unknown))
            fail_msg("'%s' is a unit", cases[k].text);
        if (unknown != cases[k].unknown)
            fail_msg("'%s' goes wrong at %zu", cases[k].text, unknown);
    }
    assert_string_equal(rbv_unit_nearest("degg", 4), "deg");
    assert_string_equal(rbv_unit_nearest("degrees", 7), "deg");
    assert_string_equal(rbv_unit_nearest("KN", 2), "kN");
    assert_string_equal(rbv_unit_nearest("N.m/radd", 8), "rad");
    assert_string_equal(rbv_unit_nearest("sec", 3), "s");
    assert_null(rbv_unit_nearest("xyzzy", 5));
    assert_null(rbv_unit_nearest("N/", 2));
}

static void every_dimension_has_its_key_and_si_unit(void **state) {
    (void)state;
    for (int32_t k = RBV_DIM_NONE + 1; k < RBV_DIM_COUNT; k++) {
        RbvDimension dimension = (RbvDimension)k;
        RbvUnit unit;
        const char *si = rbv_dimension_si(dimension);
        assert_int_equal(rbv_dimension_find(rbv_dimension_key(dimension)), k);
        assert_true(rbv_unit_parse(si, strlen(si), &unit, NULL));
        assert_true(unit.factor == 1 && rbv_unit_measures(&unit, dimension) && rbv_unit_dimension(&unit) == dimension);
    }
    assert_string_equal(rbv_dimension_name(RBV_DIM_TORSIONAL_STIFFNESS), "torsional stiffness");
    assert_string_equal(rbv_dimension_key(RBV_DIM_TORSIONAL_STIFFNESS), "torsional_stiffness");
    assert_int_equal(rbv_dimension_find("colour"), -1);
    assert_non_null(rbv_dimension_name(RBV_DIM_ANY));
}

/* ---- numbers ---- */

static void numbers_are_read_as_far_as_they_go(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        double value;
    } cases[] = {{"0", 1, 0},
                 {"-12.5e-1x", 8, -1.25},
                 {".5", 2, 0.5},
                 {"5.", 2, 5},
                 {"+3", 2, 3},
                 {"1e", 1, 1},
                 {"1e+", 1, 1},
                 {"1,5", 1, 1},
                 {"0x10", 1, 0},
                 {"1.5.2", 3, 1.5},
                 {"", 0, 0},
                 {".", 0, 0},
                 {"-", 0, 0},
                 {"inf", 0, 0},
                 {"nan", 0, 0},
                 {"e5", 0, 0},
                 {"1e999", 5, INFINITY},
                 {"1e-999", 6, 0},
                 {"00012", 5, 12},
                 {"0.00012", 7, 1.2e-4},
                 {"9007199254740993", 16, 9007199254740992.0},
                 {"1e23", 4, 1e23},
                 {"0e99999999999", 13, 0},
                 {"2.2250738585072011e-308", 23, 2.2250738585072011e-308},
                 {"17976931348623157e292", 21, DBL_MAX}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        double value = 0;
        size_t used = rbv_number_parse(cases[k].text, &value);
        if (used != cases[k].used || !(value == cases[k].value))
            fail_msg("'%s': %zu, %.17g", cases[k].text, used, value);
    }
    /* just above the midpoint of 1 and its successor, by a digit 900 places on; and the tie itself, to even */
    char text[1200];
    double value;
    snprintf(text, sizeof text, "1.00000000000000011102230246251565404236316680908203125%0900d1", 0);
    assert_true(rbv_number_parse(text, &value) == strlen(text) && value == 1 + DBL_EPSILON);
    text[55] = '\0';
    assert_true(rbv_number_parse(text, &value) == 55 && value == 1);
    memset(text, '1', 1000);
    text[1000] = '\0';
    assert_true(rbv_number_parse(text, &value) == 1000 && isinf(value));
}

static double random_double(void) {
    uint64_t bits = draw();
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.1;
}

static void assert_survives(double value) {
    char text[64];
    double back = NAN;
    size_t length = rbv_number_print(text, 32, value);
    assert_true(length < 32 && length == strlen(text));
    assert_true(rbv_number_parse(text, &back) == length);
    if (memcmp(&back, &value, sizeof value) != 0)
        fail_msg("%.17g printed as %s", value, text);
}

static void every_double_survives_print_and_parse(void **state) {
    (void)state;
    for (int k = 0; k < 100000; k++) {
        assert_survives(random_double());
        assert_survives((double)(draw() % 2000000) / 1000.0);
        assert_survives(ldexp(1, (int)(draw() % 2098) - 1074));
        double value, other;
        char text[40];
        snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(draw() >> 40),
                 (unsigned long long)(draw() >> 20), (int)(draw() % 640) - 320);
        rbv_number_parse(text, &value);
        other = strtod(text, NULL);
        if (!(value == other))
            fail_msg("%s read as %.17g", text, value);
    }
    const double special[] = {0.0,         -0.0,    DBL_MIN, DBL_MAX, -DBL_MAX, 5e-324,
                              DBL_MIN / 3, 1.0 / 3, 1e15,    1e16,    1e17,     123456789e-20};
    for (size_t k = 0; k < sizeof special / sizeof special[0]; k++)
        assert_survives(special[k]);
}

static void numbers_are_printed_short(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {1, "1"},
                 {-2.5, "-2.5"},
                 {0.1, "0.1"},
                 {0.30000000000000004, "0.30000000000000004"},
                 {100000, "100000"},
                 {1e15, "1000000000000000"},
                 {1e16, "1e16"},
                 {1.5e-7, "1.5e-7"},
                 {0.001, "0.001"},
                 {5e-324, "5e-324"},
                 {1.0 / 3, "0.3333333333333333"},
                 {9.80665, "9.80665"},
                 {1e23, "1e23"},
                 {5.684341886080802e-14 /* 2^-44 */, "5.684341886080802e-14"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[32];
        rbv_number_print(text, sizeof text, cases[k].value);
        assert_string_equal(text, cases[k].text);
    }
}

/* The library's own printing with 15, 16, 17 digits: the first that reads back has the digits that are printed. */
static void printed_digits_are_the_fewest(void **state) {
    (void)state;
    for (int k = 0; k < 300000; k++) {
        double value = k % 3 == 0   ? ldexp((double)(draw() >> 11), (int)(draw() % 170) - 170)
                       : k % 3 == 1 ? (double)(int64_t)(draw() % 2000000000) * pow(10, -(double)(draw() % 12))
                                    : nextafter(round(ldexp((double)(draw() >> 11), -40)) / 64, k % 2 ? 0 : 1e300);
        char want[64], got[32], digits[2][40];
        int count = 15;
        do
            snprintf(want, sizeof want, "%.*e", count - 1, value);
        while (count++ < 17 && strtod(want, NULL) != value);
        rbv_number_print(got, sizeof got, value);
        const char *from[] = {want, got};
        for (int side = 0; side < 2; side++) { /* what is left without points, zeros at the ends and the exponent */
            int length = 0;
            for (const char *c = from[side]; *c && *c != 'e'; c++)
                if (*c >= '0' && *c <= '9' && (length > 0 || *c != '0'))
                    digits[side][length++] = *c;
            while (length > 0 && digits[side][length - 1] == '0')
                length--;
            digits[side][length] = '\0';
        }
        bool power_of_two = frexp(value, &count) == 0.5; /* may have a nearer one */
        if (!power_of_two && strcmp(digits[0], digits[1]) != 0)
            fail_msg("%.17g printed as %s, not %s", value, got, want);
    }
}

static void a_decimal_comma_in_the_locale_changes_nothing(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8", "de_DE.utf8"};
    const char *set = NULL;
    for (size_t k = 0; k < sizeof names / sizeof names[0] && set == NULL; k++)
        set = setlocale(LC_ALL, names[k]);
    if (set == NULL)
        skip(); /* no such locale is installed here */
    assert_string_equal(localeconv()->decimal_point, ",");
    double value = 0;
    char text[32];
    assert_int_equal(rbv_number_parse("1.2345678901234567890e-30", &value), 25);
    bool slow = value == 1.2345678901234567890e-30;
    assert_int_equal(rbv_number_parse("2.5", &value), 3);
    bool fast = value == 2.5;
    rbv_number_print(text, sizeof text, 1.0 / 3);
    setlocale(LC_ALL, "C");
    assert_true(slow && fast);
    assert_string_equal(text, "0.3333333333333333");
}

/* ---- names ---- */

static const char *word(const void *context, int32_t k) {
    return ((const char *const *)context)[k];
}

static void the_nearest_name_is_the_one_meant(void **state) {
    (void)state;
    static const char *const words[] = {"crank", "rod", "slider", "ground", "motor_speed", "K1"};
    static const char *const cases[][2] = {
        {"crnak", "crank"}, {"Crank", "crank"}, {"rodd", "rod"},  {"groud", "ground"}, {"motorspeed", "motor_speed"},
        {"k2", "K1"},       {"q", NULL},        {"spring", NULL}, {"", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const char *nearest = rbv_name_nearest(cases[k][0], 6, word, words);
        if (cases[k][1] == NULL)
            assert_null(nearest);
        else
            assert_string_equal(nearest, cases[k][1]);
    }
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(rbv_name_nearest(longest, 6, word, words));
}

static void names_are_letters_digits_and_underscores(void **state) {
    (void)state;
    assert_true(rbv_name_is_valid("a") && rbv_name_is_valid("Crank_2") && rbv_name_is_valid("x__"));
    assert_false(rbv_name_is_valid("") || rbv_name_is_valid("2a") || rbv_name_is_valid("_a") ||
                 rbv_name_is_valid("a-b"));
    assert_false(rbv_name_is_valid("a.b") || rbv_name_is_valid("a ") || rbv_name_is_valid("\xC3\xA4") ||
                 rbv_name_is_valid(NULL));
}

static void the_name_table_finds_what_was_added(void **state) {
    (void)state;
    enum { COUNT = 5000 };
    static char names[COUNT][16];
    RbvNameTable table_of_names = {0};
    assert_int_equal(rbv_name_table_find(&table_of_names, "a"), -1);
    for (int32_t k = 0; k < COUNT; k++) {
        snprintf(names[k], sizeof names[k], "n%d", (int)k);
        assert_true(rbv_name_table_add(&table_of_names, names[k], k));
    }
    assert_true(rbv_name_table_add(&table_of_names, "n7", 99)); /* keeps its first value */
    for (int32_t k = 0; k < COUNT; k++)
        assert_int_equal(rbv_name_table_find(&table_of_names, names[k]), k);
    assert_int_equal(rbv_name_table_find(&table_of_names, "n5000"), -1);
    assert_int_equal(table_of_names.count, COUNT);
    rbv_name_table_clear(&table_of_names);
    assert_int_equal(rbv_name_table_find(&table_of_names, "n1"), -1);
}

/* ---- diagnostics and statuses ---- */

static void messages_are_kept_sorted_and_not_repeated(void **state) {
    (void)state;
    RbvDiagnostics *list = rbv_diagnostics_create();
    assert_non_null(list);
    rbv_diagnose(list, RBV_ERROR, "b.yaml", (RbvPosition){7, 3}, "unknown '%s'", "rodd");
    rbv_diagnose(list, RBV_WARNING, "b.yaml", (RbvPosition){2, 9}, "second");
    rbv_diagnose(list, RBV_ERROR, "b.yaml", (RbvPosition){2, 9}, "third\nline");
    rbv_diagnose(list, RBV_NOTE, "a.csv", (RbvPosition){1, 1}, "other file");
    rbv_diagnose(list, RBV_ERROR, "b.yaml", (RbvPosition){7, 3}, "unknown '%s'", "rodd");
    rbv_diagnose(list, RBV_ERROR, "b.yaml", (RbvPosition){2, 1}, "first");
    rbv_diagnose(list, RBV_NOTE, NULL, (RbvPosition){0, 0}, "no file");
    assert_int_equal(rbv_diagnostics_errors(list), 4);
    rbv_diagnostics_sort(list);
    static const char *const expected[] = {"first", "second", "third line", "unknown 'rodd'", "other file", "no file"};
    assert_int_equal(rbv_diagnostics_count(list), 6);
    assert_int_equal(rbv_diagnostics_errors(list), 3);
    for (int32_t k = 0; k < 6; k++)
        assert_string_equal(rbv_diagnostics_at(list, k).message, expected[k]);
    assert_string_equal(rbv_diagnostics_at(list, 0).file, "b.yaml");
    assert_string_equal(rbv_diagnostics_at(list, 5).file, "");
    assert_int_equal(rbv_diagnostics_at(list, 3).at.column, 3);
    rbv_diagnostics_destroy(list);
}

static void too_many_messages_are_counted(void **state) {
    (void)state;
    RbvDiagnostics *list = rbv_diagnostics_create();
    assert_non_null(list);
    for (int k = 0; k < 3 * RBV_DIAGNOSTICS_KEPT; k++)
        rbv_diagnose(list, RBV_ERROR, "f", (RbvPosition){k, 1}, "%d", k);
    assert_int_equal(rbv_diagnostics_count(list), RBV_DIAGNOSTICS_KEPT);
    assert_int_equal(rbv_diagnostics_errors(list), 3 * RBV_DIAGNOSTICS_KEPT);
    assert_string_equal(rbv_diagnostics_at(list, -1).message, "");
    rbv_diagnose(list, RBV_NOTE, "f", (RbvPosition){1, 1}, "still heard"); /* errors do not crowd out notes */
    assert_int_equal(rbv_diagnostics_count(list), RBV_DIAGNOSTICS_KEPT + 1);
    rbv_diagnostics_sort(list);
    assert_int_equal(rbv_diagnostics_errors(list), 3 * RBV_DIAGNOSTICS_KEPT);
    RbvDiagnostics *all = rbv_diagnostics_create();
    rbv_diagnostics_append(all, list);
    assert_int_equal(rbv_diagnostics_count(all), RBV_DIAGNOSTICS_KEPT + 1);
    assert_int_equal(rbv_diagnostics_errors(all), 3 * RBV_DIAGNOSTICS_KEPT);
    rbv_diagnostics_destroy(all);
    rbv_diagnostics_destroy(list);
    rbv_diagnose(NULL, RBV_ERROR, NULL, (RbvPosition){0, 0}, "swallowed");
    assert_int_equal(rbv_diagnostics_count(NULL), 0);
    rbv_diagnostics_destroy(NULL);
}

static const char *spell_like_a_program(const char *option) {
    return strcmp(option, "statics.method") == 0 ? "--method" : NULL;
}

static void options_are_named_plainly_or_as_the_caller_spells_them(void **state) {
    (void)state;
    char word[80];
    RbvDiagnostics *inner = rbv_diagnostics_create(), *plain = rbv_diagnostics_create(),
                   *spelt = rbv_diagnostics_create();
    assert_true(inner && plain && spelt);
    rbv_diagnostics_spell(spelt, spell_like_a_program);
    snprintf(word, sizeof word, "another %s", RBV_OPTION_STATICS_METHOD);
    rbv_diagnose(inner, RBV_ERROR, "f", (RbvPosition){1, 1}, "%s, or " RBV_OPTION_PENALTY " %d", word, 3);
    rbv_diagnose(inner, RBV_NOTE, NULL, (RbvPosition){0, 0}, "a \032 of '\032B\032', \n and none \032");
    rbv_diagnostics_append(plain, inner);
    rbv_diagnostics_append(spelt, inner);
    assert_string_equal(rbv_diagnostics_at(inner, 0).message, "another statics.method, or penalty 3");
    assert_string_equal(rbv_diagnostics_at(plain, 0).message, "another statics.method, or penalty 3");
    assert_string_equal(rbv_diagnostics_at(spelt, 0).message, "another --method, or penalty 3");
    assert_string_equal(rbv_diagnostics_at(spelt, 0).file, "f");
    assert_string_equal(rbv_diagnostics_at(spelt, 1).message, "a   of ' B ',   and none  ");
    rbv_diagnostics_append(plain, spelt); /* a spelling is of the list, not of its messages */
    assert_string_equal(rbv_diagnostics_at(plain, 2).message, "another statics.method, or penalty 3");

    char text[12];
    size_t length = strlen("try --method");
    assert_int_equal(rbv_spell(spell_like_a_program, "try " RBV_OPTION_STATICS_METHOD, text, sizeof text), length);
    assert_string_equal(text, "try --metho");
    assert_int_equal(rbv_spell(NULL, RBV_OPTION_HOLD, NULL, 0), strlen("hold"));
    rbv_diagnostics_spell(NULL, spell_like_a_program);
    rbv_diagnostics_destroy(inner);
    rbv_diagnostics_destroy(plain);
    rbv_diagnostics_destroy(spelt);
}

static void every_status_has_a_text(void **state) {
    (void)state;
    for (int k = RBV_OK; k <= RBV_NOT_WRITABLE; k++) {
        assert_non_null(rbv_status_text((RbvStatus)k));
        assert_string_not_equal(rbv_status_text((RbvStatus)k), "unknown status");
    }
    int major, minor, patch;
    assert_int_equal(sscanf(rbv_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

/* ---- checksums ---- */

/* By the definition, byte by byte, in any pieces; a changed byte, two that are exchanged, one more: other sums. */
static void checksums_are_the_same_in_any_pieces(void **unused) {
    (void)unused;
    unsigned char bytes[500];
    uint64_t power = rbv_archive_sum(1, "", 1), plain = 7;
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] = (unsigned char)draw();
        plain = plain * power + bytes[k];
    }
    for (int round = 0; round < 200; round++) {
        uint64_t sum = 7;
        for (size_t at = 0, part; at < sizeof bytes; at += part) {
            part = draw() % 40;
            part = part < sizeof bytes - at ? part : sizeof bytes - at;
            sum = rbv_archive_sum(sum, bytes + at, part);
        }
        assert_true(sum == plain);
    }
    for (size_t k = 0; k < sizeof bytes; k++) {
        bytes[k] ^= (unsigned char)(1u << k % 8);
        assert_true(rbv_archive_sum(7, bytes, sizeof bytes) != plain);
        bytes[k] ^= (unsigned char)(1u << k % 8);
    }
    assert_true(rbv_archive_sum(7, bytes, sizeof bytes - 1) != plain);
    bytes[0] = 1, bytes[1] = 2;
    plain = rbv_archive_sum(7, bytes, sizeof bytes);
    bytes[0] = 2, bytes[1] = 1;
    assert_true(rbv_archive_sum(7, bytes, sizeof bytes) != plain);
}

static void quantities_are_numbers_with_units(void **unused) {
    (void)unused;
    double value = 0;
    assert_true(rbv_quantity_read("10 ms", "s", &value) && value == 0.01);
    assert_true(rbv_quantity_read(" 2.5 ", "s", &value) && value == 2.5);
    assert_true(rbv_quantity_read("3mm", NULL, &value) && value == 0.003);
    assert_true(rbv_quantity_read("250 N/mm", "kN/m", &value) && value == 250000);
    const char *const wrong[] = {"", "ms", "1 kg", "1 s s", "1e999", "nan", "1,5", "1 s;"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
        assert_false(rbv_quantity_read(wrong[k], "s", &value));
    assert_false(rbv_quantity_read(NULL, "s", &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_have_their_literal_factors),
        cmocka_unit_test(checksums_are_the_same_in_any_pieces),
        cmocka_unit_test(decimal_factors_are_exact),
        cmocka_unit_test(torque_is_no_energy_and_rpm_no_frequency),
        cmocka_unit_test(what_is_no_unit_is_refused_where_it_goes_wrong),
        cmocka_unit_test(every_dimension_has_its_key_and_si_unit),
        cmocka_unit_test(numbers_are_read_as_far_as_they_go),
        cmocka_unit_test(every_double_survives_print_and_parse),
        cmocka_unit_test(numbers_are_printed_short),
        cmocka_unit_test(printed_digits_are_the_fewest),
        cmocka_unit_test(a_decimal_comma_in_the_locale_changes_nothing),
        cmocka_unit_test(the_nearest_name_is_the_one_meant),
        cmocka_unit_test(names_are_letters_digits_and_underscores),
        cmocka_unit_test(the_name_table_finds_what_was_added),
        cmocka_unit_test(messages_are_kept_sorted_and_not_repeated),
        cmocka_unit_test(too_many_messages_are_counted),
        cmocka_unit_test(options_are_named_plainly_or_as_the_caller_spells_them),
        cmocka_unit_test(every_status_has_a_text),
        cmocka_unit_test(quantities_are_numbers_with_units),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
