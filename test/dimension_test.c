/* Dimensions: the algebra of exponents against plain integer vectors, what suits what against a table of its own, and
 * models built in C. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/units.h"
#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979324

/* ---- exponents ---- */

static int draw(uint64_t *seed, int from, int to) {
    return from + (int)((machine_random(seed) * 0.4999 + 0.5) * (to - from + 1));
}

static RbvExponents random_exponents(uint64_t *seed, int most) {
    RbvExponents out = {.joules = 0};
    for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
        out.half[k] = (int16_t)draw(seed, -most, most);
    return out;
}

static void products_add_exponents(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 2000; n++) {
        RbvExponents a = random_exponents(&seed, 8), b = random_exponents(&seed, 8), out, back;
        int power = draw(&seed, -6, 6);
        bool whole = true;
        for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
            whole = whole && b.half[k] * power % 2 == 0;
        assert_int_equal(rbv_exponents_product(a, b, power, &out), whole);
        if (!whole)
            continue;
        for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
            assert_int_equal(2 * out.half[k], 2 * a.half[k] + b.half[k] * power);
        assert_true(rbv_exponents_product(out, b, -power, &back) && rbv_exponents_equal(back, a));
    }
}

static void absurd_exponents_are_refused(void **state) {
    (void)state;
    RbvExponents m = rbv_dimension_exponents(RBV_DIM_LENGTH), out = m;
    int steps = 0;
    while (rbv_exponents_product(out, out, 2, &out))
        assert_true(++steps < 20);
    assert_false(rbv_exponents_product(m, m, 2000000000, &out));
}

static RbvExponents unit_of(const char *text) {
    RbvUnit unit;
    if (!rbv_unit_parse(text, strlen(text), &unit, NULL))
        fail_msg("'%s' is no unit", text);
    return unit.exponents;
}

static void what_is_printed_is_read_back(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (int n = 0; n < 3000; n++) {
        RbvExponents a = random_exponents(&seed, 3);
        char text[64];
        for (int k = 0; k < RBV_BASE_DIMENSIONS; k++)
            a.half[k] = (int16_t)(k == RBV_OF_CYCLE ? 0 : 2 * a.half[k]);
        rbv_exponents_si(a, text, sizeof text);
        if (*text)
            assert_true(rbv_exponents_fit(unit_of(text), a));
        else
            assert_true(rbv_exponents_pure(a));
    }
}

static void units_are_printed_as_engineers_write_them(void **state) {
    (void)state;
    static const struct {
        const char *unit, *si, *words;
    } cases[] = {
        {"mm", "m", "a length [m]"},
        {"rpm", "rad/s", "an angular velocity [rad/s]"},
        {"kN.m.rpm", "W", "a power [W]"},
        {"N.m.rad", "J", "an energy [J]"},
        {"m.rad", "m", "a quantity in m.rad"},
        {"kg.m/s", "kg.m/s", "a quantity in kg.m/s"},
        {"m.s", "m.s", "a quantity in m.s"},
        {"1/s^2", "1/s^2", "a quantity in 1/s^2"},
        {"1/(m.s)", "1/(m.s)", "a quantity in 1/(m.s)"},
        {"mm/m", "", "a pure number"},
        {"Hz", "Hz", "a frequency [Hz]"},
        {"Hz.s", "cycle", "a number of cycles"},
        {"N.mm/deg", "N.m/rad", "a torsional stiffness [N.m/rad]"},
        {"J", "J", "an energy [J]"},
        {"N.m", "N.m", "a torque [N.m]"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[64], words[128];
        RbvExponents a = unit_of(cases[k].unit), product;
        assert_true(rbv_exponents_product((RbvExponents){.joules = 0}, a, 2, &product));
        rbv_exponents_si(product, text, sizeof text);
        rbv_exponents_words(a, words, sizeof words);
        assert_string_equal(words, cases[k].words);
        assert_string_equal(text, cases[k].si);
    }
}

/* An energy that is divided is a torque times an angle. */
static void energy_per_angle_is_a_torque(void **state) {
    (void)state;
    RbvExponents out;
    char text[64];
    static const struct {
        const char *a, *b;
        int power;
        const char *si;
    } cases[] = {{"W", "rad/s", -2, "N.m"}, {"J", "rad", -2, "N.m"}, {"W", "m/s", -2, "N"}, {"J", "m", -2, "N"},
                 {"N.m", "rad/s", 2, "W"},  {"N", "m/s", 2, "W"},    {"W", "s", 2, "J"},    {"J", "N.m", -2, "rad"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_true(rbv_exponents_product(unit_of(cases[k].a), unit_of(cases[k].b), cases[k].power, &out));
        rbv_exponents_si(out, text, sizeof text);
        assert_string_equal(text, cases[k].si);
    }
}

/* Which dimensions fit a key of another: those with the same letter here, written down from their definitions. */
static void what_suits_what(void **state) {
    (void)state;
    static const char *const groups[] = {"NONE ANGLE", "TORQUE ENERGY TORSIONAL_STIFFNESS", NULL};
    static const struct {
        RbvDimension dimension;
        const char *word;
    } named[] = {{RBV_DIM_NONE, "NONE"},
                 {RBV_DIM_ANGLE, "ANGLE"},
                 {RBV_DIM_TORQUE, "TORQUE"},
                 {RBV_DIM_ENERGY, "ENERGY"},
                 {RBV_DIM_TORSIONAL_STIFFNESS, "TORSIONAL_STIFFNESS"}};
    for (int has = 0; has < RBV_DIM_COUNT; has++)
        for (int wants = 0; wants < RBV_DIM_COUNT; wants++) {
            bool expected = has == wants;
            for (int g = 0; groups[g]; g++) {
                bool both[2] = {false, false};
                for (size_t k = 0; k < sizeof named / sizeof named[0]; k++) {
                    both[0] = both[0] || ((int)named[k].dimension == has && strstr(groups[g], named[k].word));
                    both[1] = both[1] || ((int)named[k].dimension == wants && strstr(groups[g], named[k].word));
                }
                expected = expected || (both[0] && both[1]);
            }
            expected = expected && !(has == RBV_DIM_ENERGY && wants == RBV_DIM_TORQUE);
            if (rbv_exponents_suit(rbv_dimension_exponents((RbvDimension)has), (RbvDimension)wants) != expected)
                fail_msg("%s where %s is wanted", rbv_dimension_name((RbvDimension)has),
                         rbv_dimension_name((RbvDimension)wants));
        }
    assert_true(rbv_exponents_suit(unit_of("1/s"), RBV_DIM_FREQUENCY) &&
                rbv_exponents_suit(unit_of("1/s"), RBV_DIM_ANGULAR_VELOCITY));
    assert_false(rbv_exponents_suit(unit_of("rad/s"), RBV_DIM_FREQUENCY) ||
                 rbv_exponents_suit(unit_of("Hz.s"), RBV_DIM_ANGLE));
    assert_true(rbv_exponents_suit(unit_of("kg.mm"), RBV_DIM_ANY));
}

/* ---- models built in C ---- */

static RbvModel *wheel(void) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "wheel");
    RbvBodyDef body = rbv_body_def_default;
    body.name = "wheel";
    body.mass = 1;
    body.inertia[2] = 0.5;
    RbvJointDef axle = rbv_joint_def_default;
    axle.name = "axle";
    axle.type = "revolute";
    axle.between[0] = "ground";
    axle.between[1] = "wheel";
    assert_int_equal(rbv_model_add_body(model, &body, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &axle, NULL), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0.25), RBV_OK);
    return model;
}

static void a_quantity_keeps_its_unit(void **state) {
    (void)state;
    static const double x[] = {-720, -90, 0, 90, 180, 720}, y[] = {-720, -90, 0, 90, 180, 720};
    RbvModel *model = wheel();
    RbvTableDef table = rbv_table_def_default;
    table.name = "rise";
    table.count = 6;
    table.x = x;
    table.y = y;
    table.x_unit = "deg";
    table.y_unit = "mm";
    assert_int_equal(rbv_model_add_parameter(model, "n", 60, "rpm", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_table(model, &table, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_drive(model, "motor", "axle.angle", "n*t", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_output(model, "power", "motor.effort*axle.angle'", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_output(model, "height", "rise(axle.angle)", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_output(model, "half", "0.5*axle.angle", NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvResult *result;
    assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
    int32_t height = rbv_result_find(result, "height"), half = rbv_result_find(result, "half");
    assert_string_equal(rbv_result_column(result, rbv_result_find(result, "power")).unit, "W");
    assert_string_equal(rbv_result_column(result, height).unit, "m");
    assert_string_equal(rbv_result_column(result, half).unit, "");
    assert_near(rbv_result_value(result, 1, height), 0.09, 1e-12);
    assert_near(rbv_result_value(result, 1, half), PI / 4, 1e-12);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void contradictions_are_refused(void **state) {
    (void)state;
    RbvModel *model = wheel();
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvLoadDef load = rbv_load_def_default;
    static const double x[] = {0, 1}, y[] = {0, 1};
    RbvTableDef table = rbv_table_def_default;
    table.name = "rise";
    table.count = 2;
    table.x = x;
    table.y = y;
    table.x_unit = "deg";
    table.hold = true;
    assert_int_equal(rbv_model_add_parameter(model, "f", 10, "Hz", diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_parameter(model, "m", 1500, "kg", diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_parameter(model, "c", 3, NULL, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_table(model, &table, diagnostics), RBV_OK);
    assert_int_equal(rbv_diagnostics_count(diagnostics), 0);
    load.name = "push";
    load.type = "force";
    load.to = "wheel";
    load.value[0] = "c*m";
    load.value[1] = "-m";
    assert_int_equal(rbv_model_add_load(model, &load, diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "'value' is a force [N], but '-m' is a mass [kg]"));
    assert_int_equal(rbv_model_add_drive(model, "motor", "axle.angle", "f*t", diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "'motion' is an angle [rad], but 'f*t' is a number of cycles"));
    assert_int_equal(rbv_model_add_constraint(model, "hold", "x(wheel) - m", diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "a mass [kg] is subtracted from a length [m]"));
    assert_int_equal(rbv_model_add_output(model, "o", "rise(m)", diagnostics), RBV_BAD_INPUT);
    assert_true(
        machine_says(diagnostics, RBV_ERROR, "the argument of table 'rise' is an angle [rad], not a mass [kg]"));
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

static void what_is_no_unit_is_said(void **state) {
    (void)state;
    RbvModel *model = wheel();
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    static const double x[] = {0, 1};
    RbvTableDef table = rbv_table_def_default;
    table.name = "rise";
    table.count = 2;
    table.x = table.y = x;
    table.y_unit = "metres";
    assert_int_equal(rbv_model_add_parameter(NULL, "n", 1, "m", NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_parameter(model, "n", 1, "degrees", diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "'degrees' is no unit; did you mean 'deg'?"));
    assert_int_equal(rbv_model_add_table(model, &table, diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "'metres' is no unit; did you mean 'm'?"));
    assert_int_equal(rbv_model_add_parameter(model, "plain", 3, "", diagnostics), RBV_OK);
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_add_exponents),       cmocka_unit_test(absurd_exponents_are_refused),
        cmocka_unit_test(what_is_printed_is_read_back), cmocka_unit_test(units_are_printed_as_engineers_write_them),
        cmocka_unit_test(energy_per_angle_is_a_torque), cmocka_unit_test(what_suits_what),
        cmocka_unit_test(a_quantity_keeps_its_unit),    cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(what_is_no_unit_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
