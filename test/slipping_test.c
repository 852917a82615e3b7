/* A drive with a limit through the library: it slips where it cannot lift, and parameters change its limit in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <stdio.h>

/* 0.5 kg m^2 asked for 8 rad/s^2: 4 N m. */
static const char rotor[] =
    "roberval: 1\nspace: planar\nparameters: {most: 3 N.m}\nbodies: {rotor: {mass: 1, inertia: 0.5}}\njoints: {hinge: "
    "{type: revolute, between: [ground, rotor]}}\n"
    "drives: {motor: {coordinate: hinge.angle, motion: \"4*t^2\"%s}}\nmotion: {from: 0, to: 1, step: 1}\n";

static double angle_at_the_end(const RbvSystem *system) {
    RbvResult *result = NULL;
    assert_int_equal(rbv_simulate(system, NULL, NULL, &result), RBV_OK);
    double angle = rbv_result_value(result, 1, rbv_result_find(result, "hinge.angle"));
    rbv_result_destroy(result);
    return angle;
}

static RbvModel *read_rotor(const char *more) {
    char text[600];
    snprintf(text, sizeof text, rotor, more);
    return machine_read(text);
}

static void a_limit_may_be_given_in_c(void **state) {
    (void)state;
    RbvModel *model = read_rotor("");
    assert_int_equal(rbv_model_limit_drive(model, "motor", "2 - 0*hinge.angle'", 0, NULL), RBV_OK);
    assert_int_equal(rbv_model_limit_drive(NULL, "motor", "2", 0, NULL), RBV_BAD_ARGUMENT);
    RbvSystem *system = machine_compile(model);
    assert_near(angle_at_the_end(system), 2, 1e-9); /* 2 N m: 4 rad/s^2 */
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void parameters_change_the_limit(void **state) {
    (void)state;
    RbvModel *model = read_rotor(", max: most");
    RbvSystem *system = machine_compile(model);
    RbvParameterValue value = {.parameter = rbv_system_find(system, RBV_ITEM_PARAMETER, "most"), .value = 1};
    assert_near(angle_at_the_end(system), 3, 1e-9);
    assert_int_equal(rbv_system_set_parameters(system, 1, &value, NULL), RBV_OK);
    assert_near(angle_at_the_end(system), 1, 1e-9);
    value.value = 4.1;
    assert_int_equal(rbv_system_set_parameters(system, 1, &value, NULL), RBV_OK);
    assert_near(angle_at_the_end(system), 4, 1e-13);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_may_be_given_in_c),
        cmocka_unit_test(parameters_change_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
