/* Modes and a state-space model through the library: a mass on a spring with a damper, and starts from a folder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <string.h>

/* m = 2 kg, c = 4 N s/m, k = 50 N/m: lambda = -1 +- i sqrt(24) */
static const char block[] = "roberval: 1\nspace: planar\nbodies: {block: {mass: 2, inertia: 1, pose: {at: [0.5, 0]}}}\n"
                            "joints: {way: {type: prismatic, between: [ground, block], damping: 4}}\n"
                            "loads:\n  leaf: {type: spring, between: [ground, block], stiffness: 50, free_length: "
                            "0.5}\n  pull: {type: force, to: block, value: [0, 0]}\n"
                            "output: {place: way.distance}\n";

static RbvResult *solve(int32_t inputs, const char *const *names, RbvStatus requested) {
    RbvModel *model = machine_read(block);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.modes.input_count = inputs;
    options.modes.inputs = names;
    assert_int_equal(rbv_modes(system, &options, NULL, &result), requested);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return result;
}

static void a_mode_has_its_eigenvalue_and_shape(void **state) {
    (void)state;
    RbvResult *result = solve(0, NULL, RBV_OK);
    assert_int_equal(rbv_result_counts(result).modes, 1);
    RbvModeSummary mode = rbv_result_mode(result, 0);
    assert_near(mode.re, -1, 1e-12);
    assert_near(mode.im, sqrt(24), 1e-12);
    assert_near(mode.frequency, 5 / (2 * 3.14159265358979323846), 1e-12);
    assert_near(mode.damping, 0.2, 1e-12);
    assert_int_equal(mode.shape_count, 1);
    assert_string_equal(mode.shape[0].name, "way.distance");
    assert_near(mode.shape[0].re, 1, 1e-12);
    assert_near(mode.shape[0].im, 0, 1e-12);
    assert_int_equal(rbv_result_mode(result, 1).shape_count, 0);
    assert_int_equal(rbv_result_counts(NULL).modes, 0);
    assert_null(rbv_result_state_space(result));
    rbv_result_destroy(result);
}

static void matrices_are_those_of_a_mass_on_a_spring(void **state) {
    (void)state;
    const char *const inputs[] = {"pull.Fx"};
    RbvResult *result = solve(1, inputs, RBV_OK);
    const RbvStateSpace *space = rbv_result_state_space(result);
    assert_non_null(space);
    assert_int_equal(space->states, 2);
    assert_int_equal(space->inputs, 1);
    assert_int_equal(space->outputs, 1);
    assert_string_equal(space->state[1].name, "way.distance'");
    assert_string_equal(space->state[1].unit, "m/s");
    assert_string_equal(space->input[0].name, "pull.Fx");
    assert_string_equal(space->output[0].name, "place");
    assert_near(space->output[0].at, 0.5, 1e-12);
    const double A[] = {0, 1, -25, -2}, B[] = {0, 0.5}, C[] = {1, 0};
    for (int k = 0; k < 4; k++)
        assert_near(space->A[k], A[k], 1e-10);
    for (int k = 0; k < 2; k++) {
        assert_near(space->B[k], B[k], 1e-12);
        assert_near(space->C[k], C[k], 1e-10);
    }
    assert_near(space->D[0], 0, 1e-12);
    rbv_result_destroy(result);
}

static void what_is_no_input_is_refused(void **state) {
    (void)state;
    const char *const inputs[] = {"nothing"};
    assert_null(solve(1, inputs, RBV_BAD_INPUT));
}

/* x = 1 m, x' = 2 m/s given by the caller: x'' = -(50 (1 - 0.5) + 4 2) / 2. */
static void a_state_from_the_caller_is_where_a_motion_starts(void **state) {
    (void)state;
    const char *const names[] = {"block.x", "block.y", "block.angle", "block.vx", "block.vy", "block.omega"};
    const double values[] = {1, 0, 0, 2, 0, 0};
    const RbvStart start = {"the caller", 3, 6, names, values};
    RbvModel *model = machine_read(block);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.start = &start;
    options.to = 4;
    options.step = 0.5;
    assert_int_equal(rbv_simulate(system, &options, NULL, &result), RBV_OK);
    assert_near(rbv_result_value(result, 0, 0), 3, 0);
    assert_near(rbv_result_value(result, 0, rbv_result_find(result, "block.ax")), -16.5, 1e-12);
    assert_int_equal(rbv_result_counts(result).samples, 3);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    RbvStart *none = NULL;
    assert_int_equal(rbv_start_read("/nowhere", NAN, NULL, &none), RBV_BAD_INPUT);
    assert_null(none);
    assert_int_equal(rbv_start_read(NULL, NAN, NULL, &none), RBV_BAD_ARGUMENT);
    rbv_start_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mode_has_its_eigenvalue_and_shape),
        cmocka_unit_test(matrices_are_those_of_a_mass_on_a_spring),
        cmocka_unit_test(what_is_no_input_is_refused),
        cmocka_unit_test(a_state_from_the_caller_is_where_a_motion_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
