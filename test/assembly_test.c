/* Assembly: from poor starts, impossible machines, contradictions, initial conditions and whole turns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solution/assembly/assemble.h"
#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979324
#define STARTS 200
#define ENOUGH 190 /* 95 % */

typedef struct Assembled {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    RbvDiagnostics *diagnostics;
    RbvAssembly assembly;
    RbvStatus status;
} Assembled;

static Assembled assemble_text(const char *text, double t) {
    Assembled a = {.model = machine_read(text), .diagnostics = rbv_diagnostics_create()};
    a.system = machine_compile(a.model);
    a.state = rbv_state_create(a.system);
    assert_non_null(a.state);
    a.status = rbv_assemble(a.state, t, a.diagnostics, &a.assembly);
    return a;
}

static void drop(Assembled *a) {
    rbv_state_destroy(a->state);
    rbv_system_destroy(a->system);
    rbv_model_destroy(a->model);
    rbv_diagnostics_destroy(a->diagnostics);
}

/* The largest error of any row, and of C v - nu, at the state. */
static double position_error(RbvState *state) {
    double worst = 0;
    assert_true(rbv_state_place(state));
    for (int32_t k = 0; k < state->system->position_count; k++)
        worst = fmax(worst, fabs(state->phi[k]));
    return worst;
}

static double velocity_error(RbvState *state) {
    const RbvSystem *system = state->system;
    double worst = 0;
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    assert_true(rbv_state_rates(state));
    for (int32_t k = 0; k < system->all_count; k++) {
        if (k >= system->row_count && k < system->position_count)
            continue;
        double sum = -state->nu[k];
        for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++)
            sum += state->C[e] * state->v[system->D.column[e]];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

static void assert_message(const Assembled *a, RbvSeverity severity, const char *part) {
    if (!machine_says(a->diagnostics, severity, part)) {
        print_error("no message says '%s'; said was:\n", part);
        machine_print(a->diagnostics);
        fail();
    }
}

/* Poses anywhere within the machine's size, turned anyhow. */
static int32_t successes_from_poor_starts(const char *text, double size, uint64_t seed) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    int32_t successes = 0;
    for (int k = 0; k < STARTS; k++) {
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvState *state = rbv_state_create(system);
        RbvAssembly assembly = {0};
        for (int32_t c = 0; c < system->coordinates.size; c++)
            state->q[c] = (c % 3 == 2 ? PI : size) * machine_random(&seed);
        RbvStatus status = rbv_assemble(state, 0, diagnostics, &assembly);
        if (status == RBV_OK) {
            successes++;
            assert_true(position_error(state) < 1e-9);
            assert_true(velocity_error(state) < 1e-9);
        } else {
            assert_int_equal(status, RBV_NOT_ASSEMBLED);
        }
        rbv_state_destroy(state);
        rbv_diagnostics_destroy(diagnostics);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return successes;
}

static void four_bar_assembles_from_poor_starts(void **unused) {
    (void)unused;
    assert_in_range(successes_from_poor_starts(machine_four_bar, 0.5, 1), ENOUGH, STARTS);
}

static void slider_crank_assembles_from_poor_starts(void **unused) {
    (void)unused;
    assert_in_range(successes_from_poor_starts(machine_slider_crank, 0.5, 2), ENOUGH, STARTS);
}

static void redundant_parallelogram_assembles_from_poor_starts(void **unused) {
    (void)unused;
    assert_in_range(successes_from_poor_starts(machine_parallelogram, 0.5, 3), ENOUGH, STARTS);
}

/* --- small machines
 * --------------------------------------------------------------------------------------------------- */

#define HEAD "roberval: 1\nspace: planar\n"
/* One arm on a hinge. */
#define ARM                                                                                                            \
    HEAD "bodies:\n  arm: {mass: 1, inertia: 1, centroid: [0.3, 0], pose: {at: [0, 0], angle: 0.2}, markers: {P: [1, " \
         "0], O: [0, 0]}}\n"                                                                                           \
         "joints:\n  hinge: {type: revolute, between: [ground, arm]}\n"
/* Two arms. */
#define ARMS                                                                                                           \
    HEAD "bodies:\n  arm: {mass: 1, inertia: 1, pose: {angle: 0.2}, markers: {P: [1, 0]}}\n"                           \
         "  fore: {mass: 1, inertia: 1, pose: {at: [1, 0.2], angle: 0.5}, markers: {Q: [1, 0]}}\n"                     \
         "joints:\n  hinge: {type: revolute, between: [ground, arm]}\n  elbow: {type: revolute, between: [arm.P, "     \
         "fore]}\n"

static void a_link_that_is_too_short_is_not_assembled(void **unused) {
    (void)unused;
    /* arm of 1 m on ground's origin; a point 3 m away cannot be nearer than 2 m; the link has 1.5 m: 0.5 m are missing
     */
    Assembled a = assemble_text(HEAD "bodies:\n  ground: {markers: {Far: [3, 0]}}\n"
                                     "  arm: {mass: 1, inertia: 1, pose: {angle: 0.2}, markers: {P: [1, 0]}}\n"
                                     "joints:\n  hinge: {type: revolute, between: [ground, arm]}\n"
                                     "  bar: {type: link, between: [arm.P, ground.Far], length: 1.5}\n",
                                0);
    assert_int_equal(a.status, RBV_NOT_ASSEMBLED);
    assert_message(&a, RBV_ERROR, "no assembly found");
    assert_message(&a, RBV_ERROR, "'bar'");
    RbvDiagnostic d = rbv_diagnostics_at(a.diagnostics, rbv_diagnostics_count(a.diagnostics) - 1);
    const char *gap = strstr(d.message, "'bar' ");
    assert_non_null(gap);
    char *unit;
    double size = strtod(gap + strlen("'bar' "), &unit);
    assert_true(strncmp(unit, " m", 2) == 0);
    /* the error is shared by hinge and link: no part is larger than the 0.5 m that are missing, nor far below their
     * half */
    assert_true(size > 0.2 && size <= 0.5 + 1e-9);
    drop(&a);
}

static void a_four_bar_with_a_short_rod_is_not_assembled(void **unused) {
    (void)unused;
    char text[4000], *at;
    snprintf(text, sizeof text, "%s", machine_four_bar);
    at = strstr(text, "B: [0.4, 0]");
    assert_non_null(at);
    at[6] = '0'; /* the rod is 0.0 m long: crank 0.1 and rocker 0.3 reach each other only on ground's 0.4 m, not at
                    angle 1 */
    Assembled a = assemble_text(text, 0);
    assert_int_equal(a.status, RBV_NOT_ASSEMBLED);
    assert_message(&a, RBV_ERROR, "no assembly found");
    assert_message(&a, RBV_ERROR, " m");
    drop(&a);
}

static void drives_that_contradict_each_other_are_called_impossible(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "  grip: {type: revolute, between: [ground, arm.O]}\n"
                                    "drives:\n  one: {coordinate: hinge.angle, motion: \"0.1 + t\"}\n"
                                    "  two: {coordinate: grip.angle, motion: \"0.4\"}\n",
                                0);
    assert_int_equal(a.status, RBV_INCONSISTENT);
    assert_message(&a, RBV_ERROR, "impossible");
    assert_message(&a, RBV_ERROR, "'one'");
    assert_message(&a, RBV_ERROR, "'two'");
    drop(&a);
}

static void drives_of_angles_around_a_loop_that_contradict_are_called_impossible(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARMS "drives:\n  one: {coordinate: hinge.angle, motion: 0.1}\n"
                                     "  two: {coordinate: elbow.angle, motion: 0.2}\n"
                                     "  three: {coordinate: angle(fore), motion: 0.5}\n",
                                0);
    assert_int_equal(a.status, RBV_INCONSISTENT);
    assert_message(&a, RBV_ERROR, "impossible");
    assert_message(&a, RBV_ERROR, "'three'");
    drop(&a);
}

static void drives_whose_rates_contradict_are_inconsistent(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "  grip: {type: revolute, between: [ground, arm.O]}\n"
                                    "drives:\n  one: {coordinate: hinge.angle, motion: \"0.1 + t\"}\n"
                                    "  two: {coordinate: grip.angle, motion: \"0.1 + 2*t\"}\n",
                                0);
    assert_int_equal(a.status, RBV_INCONSISTENT);
    assert_message(&a, RBV_ERROR, "rates contradict");
    drop(&a);
}

static void initial_conditions_are_met(void **unused) {
    (void)unused;
    Assembled a = assemble_text(
        ARMS "initial: {hinge.angle: 0.7, elbow.angle: -0.4, \"hinge.angle'\": 2, \"y(fore.Q)'\": 0.5}\n", 0);
    assert_int_equal(a.status, RBV_OK);
    assert_int_equal(rbv_diagnostics_count(a.diagnostics), 0);
    assert_near(a.state->q[2], 0.7, 1e-9);
    assert_near(a.state->q[5], 0.3, 1e-9);
    assert_near(a.state->v[2], 2, 1e-9);
    assert_near(cos(0.7) * 2 + cos(0.3) * a.state->v[5], 0.5, 1e-9);
    drop(&a);
}

static void an_initial_condition_too_many_is_an_error(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "initial: {hinge.angle: 0.3, x(arm.P): 0.9}\n", 0);
    assert_int_equal(a.status, RBV_BAD_INPUT);
    assert_message(&a, RBV_ERROR, "'x(arm.P)' is one too many");
    drop(&a);
}

static void an_initial_condition_on_what_a_drive_decides_is_an_error(void **unused) {
    (void)unused;
    Assembled a = assemble_text(
        ARM "drives:\n  motor: {coordinate: hinge.angle, motion: \"0.3 + t\"}\ninitial: {angle(arm): 0.3}\n", 0);
    assert_int_equal(a.status, RBV_BAD_INPUT);
    assert_message(&a, RBV_ERROR, "'angle(arm)' is one too many");
    drop(&a);
}

static void dependent_initial_conditions_are_an_error(void **unused) {
    (void)unused;
    /* two freedoms, but the hinge's angle decides where P is */
    Assembled a = assemble_text(ARMS "initial: {hinge.angle: 0.3, y(arm.P): \"sin(0.3)\"}\n", 0);
    assert_int_equal(a.status, RBV_BAD_INPUT);
    assert_message(&a, RBV_ERROR, "'y(arm.P)' is one too many");
    drop(&a);
}

static void dependent_initial_rates_are_an_error(void **unused) {
    (void)unused;
    Assembled a =
        assemble_text(ARMS "initial: {hinge.angle: 0.3, elbow.angle: 0, \"hinge.angle'\": 1, \"y(arm.P)'\": 1}\n", 0);
    assert_int_equal(a.status, RBV_BAD_INPUT);
    assert_message(&a, RBV_ERROR, "'y(arm.P)'' is one too many");
    drop(&a);
}

static void contradictory_initial_conditions_are_an_error(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARMS "initial: {hinge.angle: 0.3, y(arm.P): 0.8}\n", 0);
    assert_int_equal(a.status, RBV_BAD_INPUT);
    assert_message(&a, RBV_ERROR, "'y(arm.P)'");
    drop(&a);
}

static void an_initial_condition_out_of_reach_is_not_assembled(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "initial: {y(arm.P): 1.5}\n", 0);
    assert_int_equal(a.status, RBV_NOT_ASSEMBLED);
    assert_message(&a, RBV_ERROR, "'y(arm.P)'");
    drop(&a);
}

static void missing_initial_conditions_are_completed_and_noted(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARMS "initial: {hinge.angle: 0.25}\n", 0);
    assert_int_equal(a.status, RBV_OK);
    assert_message(&a, RBV_NOTE, "1 freedom without an initial condition");
    assert_message(&a, RBV_NOTE, "elbow.angle");
    assert_near(a.state->q[2], 0.25, 1e-9);
    assert_true(fabs(a.state->q[5] - 0.5) < 0.1); /* near its starting pose */
    assert_true(position_error(a.state) < 1e-9);
    drop(&a);
}

static void a_drive_chooses_the_turn(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(ARM "drives:\n  motor: {coordinate: hinge.angle, motion: \"6*pi + 0.3 + t\"}\n"
                                       "motion: {from: 0, to: 1, step: 0.1}\noutput: {angle: hinge.angle}\n");
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_kinematics(system, NULL, NULL, &result), RBV_OK);
    int32_t column = rbv_result_find(result, "angle");
    assert_true(column > 0);
    assert_near(rbv_result_value(result, 0, column), 6 * PI + 0.3, 1e-12);
    assert_near(rbv_result_value(result, 10, column), 6 * PI + 1.3, 1e-12);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void an_initial_condition_chooses_the_turn(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "initial: {hinge.angle: \"4*pi - 0.2\"}\n", 0);
    assert_int_equal(a.status, RBV_OK);
    assert_true(rbv_state_place(a.state));
    bool found = false;
    for (int32_t m = 0; m < a.model->measures.count; m++)
        if (a.model->measures.items[m].kind == RBV_MEASURE_ANGLE) {
            assert_near(a.state->measures[m].value, 4 * PI - 0.2, 1e-9);
            found = true;
        }
    assert_true(found);
    drop(&a);
}

static void poses_that_fit_are_not_moved(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM, 0);
    assert_int_equal(a.status, RBV_OK);
    assert_int_equal(a.assembly.restarts, 0);
    for (int32_t c = 0; c < 3; c++)
        assert_near(a.state->q[c], a.system->start_q[c], 1e-14);
    drop(&a);
}

static void a_pose_turned_half_round_is_noted(void **unused) {
    (void)unused;
    /* a slide along x whose slider is drawn upside down: angle pi is a whole-turn absolute system of nothing, so it is
     * turned */
    Assembled a = assemble_text(HEAD "bodies:\n  s: {mass: 1, inertia: 1, pose: {at: [1, 0], angle: 3.1}}\n"
                                     "joints:\n  slide: {type: prismatic, between: [ground, s]}\n"
                                     "drives:\n  ram: {coordinate: slide.distance, motion: 2}\n",
                                0);
    assert_int_equal(a.status, RBV_OK);
    assert_near(remainder(a.state->q[2], 2 * PI), 0, 1e-9);
    assert_near(a.state->q[0], 2, 1e-9);
    assert_message(&a, RBV_NOTE, "'s' was turned");
    drop(&a);
}

static void a_start_without_finite_numbers_is_explained(void **unused) {
    (void)unused;
    Assembled a = assemble_text(ARM "drives:\n  motor: {coordinate: hinge.angle, motion: \"sqrt(t - 1)\"}\n", 0);
    assert_int_equal(a.status, RBV_NOT_FINITE);
    assert_message(&a, RBV_ERROR, "sqrt of -1");
    assert_message(&a, RBV_ERROR, "motor");
    drop(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_assembles_from_poor_starts),
        cmocka_unit_test(slider_crank_assembles_from_poor_starts),
        cmocka_unit_test(redundant_parallelogram_assembles_from_poor_starts),
        cmocka_unit_test(a_link_that_is_too_short_is_not_assembled),
        cmocka_unit_test(a_four_bar_with_a_short_rod_is_not_assembled),
        cmocka_unit_test(drives_that_contradict_each_other_are_called_impossible),
        cmocka_unit_test(drives_of_angles_around_a_loop_that_contradict_are_called_impossible),
        cmocka_unit_test(drives_whose_rates_contradict_are_inconsistent),
        cmocka_unit_test(initial_conditions_are_met),
        cmocka_unit_test(an_initial_condition_too_many_is_an_error),
        cmocka_unit_test(an_initial_condition_on_what_a_drive_decides_is_an_error),
        cmocka_unit_test(dependent_initial_conditions_are_an_error),
        cmocka_unit_test(dependent_initial_rates_are_an_error),
        cmocka_unit_test(contradictory_initial_conditions_are_an_error),
        cmocka_unit_test(an_initial_condition_out_of_reach_is_not_assembled),
        cmocka_unit_test(missing_initial_conditions_are_completed_and_noted),
        cmocka_unit_test(a_drive_chooses_the_turn),
        cmocka_unit_test(an_initial_condition_chooses_the_turn),
        cmocka_unit_test(poses_that_fit_are_not_moved),
        cmocka_unit_test(a_pose_turned_half_round_is_noted),
        cmocka_unit_test(a_start_without_finite_numbers_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
