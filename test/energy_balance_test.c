/* The balance of energy of a step: an error that falls with the length of the step is the step's, and refused until
 * it is small; one that does not fall is left to the audit. A ball that is thrown up, with what is said to be its
 * work. */
#include "dynamics/accelerations/power.h"
#include "solution/assembly/assemble.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const char ball[] = "roberval: 1\nspace: planar\ngravity: [0, -10]\nbodies: {ball: {particle: true, mass: "
                           "2}}\nmotion: {from: 0, to: 1, step: 1}\n";
static const double share[] = {1, 1};

typedef struct Bench {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    RbvPower power;
    RbvEnergyBalance balance;
} Bench;

/* Thrown up with 3 m/s, the ball is so high. */
static void throw(Bench * b, double height) {
    b->state->q[1] = height;
    b->state->v[1] = sqrt(9 - 20 * height);
    assert_true(rbv_state_place(b->state));
    rbv_state_jacobian(b->state);
    assert_true(rbv_state_rates(b->state) && rbv_state_move(b->state) && rbv_state_load(b->state));
}

static int setup(void **to) {
    Bench *b = calloc(1, sizeof *b);
    RbvAssembly assembly = {0};
    assert_non_null(b);
    b->model = machine_read(ball);
    b->system = machine_compile(b->model);
    b->state = rbv_state_create(b->system);
    assert_non_null(b->state);
    assert_int_equal(rbv_assemble_position(b->state, 0, NULL, &assembly), RBV_OK);
    assert_true(rbv_power_create(&b->power, b->system));
    throw(b, 0);
    rbv_power_begin(&b->power, b->state);
    rbv_energy_balance_begin(&b->balance, &b->power, b->state);
    assert_near(b->balance.size, 9, 1e-14);
    throw(b, 0.3);
    *to = b;
    return 0;
}

static int teardown(void **from) {
    Bench *b = *from;
    rbv_power_destroy(&b->power);
    rbv_state_destroy(b->state);
    rbv_system_destroy(b->system);
    rbv_model_destroy(b->model);
    free(b);
    return 0;
}

/* A trial of length h that says it has done so much work, of which there is none. Tolerance 1e-9 of 9 J. */
static double judge(Bench *b, double work, double h) {
    return rbv_energy_balance_verify(&b->balance, &b->power, b->state, share, 1e-9, work, h);
}

static void what_is_right_is_no_error(void **from) {
    Bench *b = *from;
    assert_true(judge(b, 0, 0.1) < 1e-3);
    assert_near(judge(b, 4.5e-9, 0.1), 0.5, 1e-3);
    assert_true(judge(b, 4.5e-9, 0.1) < 1e-3); /* the error of that step is behind */
}

static void what_falls_with_the_step_is_refused(void **from) {
    Bench *b = *from;
    const RbvEnergyBalance start = b->balance;
    double h = 0.1, off = 0;
    for (int k = 0; k < 4; k++, h /= 2) {
        off = judge(b, 9e-6 * pow(h / 0.1, 3), h);
        assert_near(off, 1e3 * pow(0.5, 3 * k), 1e-2 * off);
        assert_true(off > 1 && b->balance.kept == start.kept && b->balance.size == start.size);
    }
    assert_true(judge(b, 9e-6 * 1e-3, 0.01) <= 1);
    assert_int_equal(b->balance.unasked, 0);
}

static void what_does_not_fall_is_left_to_the_audit(void **from) {
    Bench *b = *from;
    assert_near(judge(b, 9e-6, 0.1), 1e3, 1);
    assert_near(judge(b, 8e-6, 0.05), 0, 0);
    assert_near(b->balance.kept, 9 - 8e-6, 1e-12); /* E - W is what it is: nothing is put right */
    assert_true(b->balance.unasked > 0);
    int passed = 0;
    for (double work = 16e-6; judge(b, work, 0.05) == 0; work += 8e-6)
        passed++;
    assert_in_range(passed, 10, 100); /* then it is asked again */
}

/* From rest, by a first step whose work is a nanojoule: that is the size. */
static void what_begins_from_nothing_has_the_size_of_its_step(void **from) {
    Bench *b = *from;
    b->state->q[1] = 0, b->state->v[1] = 0;
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            b->state->v[0] = 3.2e-5; /* 1.024e-9 J */
        assert_true(rbv_state_place(b->state));
        rbv_state_jacobian(b->state);
        assert_true(rbv_state_rates(b->state) && rbv_state_move(b->state));
        for (int32_t j = 0; j < b->system->coordinates.size; j++)
            b->state->Q[j] = 0; /* no force whose work is rounding */
        if (k == 0)
            rbv_energy_balance_begin(&b->balance, &b->power, b->state);
    }
    assert_near(rbv_energy_balance_verify(&b->balance, &b->power, b->state, share, 1e-3, 1.024e-9, 1), 0, 1e-6);
    rbv_energy_balance_begin(&b->balance, &b->power, b->state);
    b->balance.kept = 0, b->balance.size = 0;
    assert_near(rbv_energy_balance_verify(&b->balance, &b->power, b->state, share, 1e-3, 1.0e-9, 1),
                0.024 / 1.024 / 1e-3, 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_right_is_no_error, setup, teardown),
        cmocka_unit_test_setup_teardown(what_falls_with_the_step_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_does_not_fall_is_left_to_the_audit, setup, teardown),
        cmocka_unit_test_setup_teardown(what_begins_from_nothing_has_the_size_of_its_step, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
