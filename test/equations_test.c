/* The equations of motion as arrays: Udwadia's equation makes of them what simulate prints, in the plane and in space,
 * with dependent rows, drives, and constraints that do work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two links whose tip is led twice along a rail that moves; friction in the first joint by the force of another
 * constraint. */
static const char chain[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  a: {mass: 1.2, inertia: 0.1, pose: {at: [0.3, 0.1], angle: 0.3}, markers: {O: [-0.3, 0], P: [0.3, 0]}}\n"
    "  b: {mass: 0.7, inertia: 0.05, pose: {at: [0.8, 0.1], angle: -0.7}, markers: {P: [-0.25, 0], T: [0.25, 0]}}\n"
    "  dot: {particle: true, mass: 2, pose: {at: [1, 1]}}\n"
    "joints:\n  A: {type: revolute, between: [ground, a.O], damping: 0.2}\n  B: {type: revolute, between: [a.P, "
    "b.P]}\n  rod: {type: link, between: [b.T, dot]}\n"
    "constraints:\n  rail: {equation: \"y(b.T) - 0.2*x(b.T) + 0.1 - 0.1*sin(2*t)\", nonideal: {A.angle: "
    "\"-0.3*abs(wire.effort)*A.angle'\", \"y(b.T)\": 1.5}}\n"
    "  again: {equation: \"3*y(b.T) - 0.6*x(b.T) + 0.3 - 0.3*sin(2*t)\"}\n  wire: {velocity: \"x(dot)' - "
    "y(dot)*y(dot)' - 0.4\"}\n"
    "loads:\n  push: {type: force, to: dot, value: [\"sin(t)\", 2]}\n"
    "initial: {\"B.angle'\": 0.8}\nmotion: {from: 0.2, to: 0.3, step: 0.1}\n";

/* A driven shaft in three bearings that carries a top; no constraint does work. */
static const char shaft[] =
    "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  ground: {markers: {A: {at: [0, 0, 0], axis: [1, 0, 0]}, B: {at: [1, 0, 0], axis: [1, 0, 0]}}}\n"
    "  shaft: {mass: 3, inertia: [0.02, 0.3, 0.3], pose: {at: [0.5, 0, 0]}, markers: {A: {at: [-0.5, 0, 0], axis: [1, "
    "0, 0]}, B: {at: [0.5, 0, 0], axis: [1, 0, 0]}, S: [0.2, 0.1, 0.3]}}\n"
    "  top: {mass: 1, inertia: [0.02, 0.03, 0.04, 0.001, 0, 0], pose: {at: [0.8, 0.1, 0.7]}, markers: {S: [-0.1, 0, "
    "-0.4]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, shaft.A]}\n  B: {type: revolute, between: [ground.B, "
    "shaft.B]}\n  S: {type: spherical, between: [shaft.S, top.S]}\n"
    "drives:\n  motor: {coordinate: A.angle, motion: \"2*t + 0.3*sin(t)\"}\n"
    "initial: {\"wx(top)\": 1, \"wy(top)\": -2, \"wz(top)\": 5}\nmotion: {from: 0, to: 0.1, step: 0.1}\n";

static double column(const RbvResult *result, const char *body, const char *part) {
    char name[100];
    snprintf(name, sizeof name, "%s.%s", body, part);
    int32_t c = rbv_result_find(result, name);
    assert_true(c >= 0);
    return rbv_result_value(result, 0, c);
}

/* Centroids are the origins of bodies here. */
static void assert_udwadia_finds(const char *text, int32_t n, int32_t rank, bool works) {
    static const char *const words[][2] = {{" turn about x", "alphax"},
                                           {" turn about y", "alphay"},
                                           {" turn about z", "alphaz"},
                                           {" x", "ax"},
                                           {" y", "ay"},
                                           {" z", "az"}};
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvEquations *equations = NULL;
    RbvResult *result = NULL;
    RbvUdwadia *udwadia = NULL;
    assert_int_equal(rbv_equations_create(system, NULL, NULL, &equations), RBV_OK);
    assert_int_equal(rbv_simulate(system, NULL, NULL, &result), RBV_OK);
    assert_int_equal(equations->n, n);
    assert_int_equal(equations->m, rbv_system_counts(system).rows);
    assert_near(equations->t, rbv_result_value(result, 0, 0), 0);
    assert_int_equal(equations->C != NULL, works);
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
    problem.M = equations->M, problem.Q = equations->Q, problem.A = equations->A, problem.b = equations->b,
    problem.C = equations->C;
    assert_int_equal(rbv_udwadia_create(n, equations->m, &udwadia), RBV_OK);
    assert_int_equal(rbv_udwadia_solve(udwadia, &problem), RBV_OK);
    const RbvUdwadiaSolution *s = rbv_udwadia_solution(udwadia);
    assert_int_equal(s->rank, rank);
    double power = 0;
    for (int32_t j = 0; j < n; j++) {
        char body[40] = "";
        const char *part = NULL;
        for (size_t k = 0; k < sizeof words / sizeof words[0] && !part; k++) {
            size_t length = strlen(equations->coordinates[j]), tail = strlen(words[k][0]);
            if (length <= tail || strcmp(equations->coordinates[j] + length - tail, words[k][0]) != 0)
                continue;
            memcpy(body, equations->coordinates[j], length - tail);
            part = k == 2 && strstr(text, "planar") ? "alpha" : words[k][1];
        }
        assert_non_null(part);
        double a = column(result, body, part);
        assert_near(s->acceleration[j], a, 1e-8 * (1 + fabs(a)));
        power += s->nonideal[j] * equations->v[j];
    }
    if (works)
        assert_near(power, column(result, "rail", "nonideal"), 1e-8);
    else
        assert_near(-s->multipliers[equations->m - 1], column(result, "motor", "effort"), 1e-8);
    assert_string_equal(equations->rows[0], "joint 'A' (x)");
    assert_string_equal(equations->rows[equations->m - 1], works ? "constraint 'wire'" : "drive 'motor'");
    rbv_udwadia_destroy(udwadia);
    rbv_equations_destroy(equations);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void a_chain_with_work_and_dependent_rows_moves_as_simulated(void **unused) {
    (void)unused;
    assert_udwadia_finds(chain, 8, 7, true);
}

static void a_top_on_a_shaft_in_too_many_bearings_moves_as_simulated(void **unused) {
    (void)unused;
    assert_udwadia_finds(shaft, 12, 9, false);
}

/* Parameters of a compiled system: the same numbers as a model that was read with them; what is refused leaves all as
 * it was. */
static void forces_that_do_work_follow_parameters(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {mu: 0.3, slope: 1, m: 2}\nbodies: {p: "
        "{particle: true, mass: m}}\n"
        "constraints:\n  wire: {equation: \"slope*x(p) + y(p)\", nonideal: {x(p): \"-mu*abs(wire.effort)\", y(p): "
        "\"mu*last.effort\"}}\n  last: {velocity: \"x(p)' - 1\"}\n";
    const char *const names[] = {"mu", "slope", "m"};
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    for (int k = 0; k < 3; k++) {
        char override[40];
        const char *const overrides[] = {override};
        const RbvParameterValue value = {k, 0.7};
        snprintf(override, sizeof override, "%s=0.7", names[k]);
        RbvModel *other = NULL;
        RbvEquations *changed = NULL, *fresh = NULL;
        assert_int_equal(rbv_model_read(&(RbvInput){.path = "other.yaml",
                                                    .text = text,
                                                    .length = strlen(text),
                                                    .override_count = 1,
                                                    .overrides = overrides},
                                        NULL, &other),
                         RBV_OK);
        RbvSystem *beside = machine_compile(other);
        assert_int_equal(rbv_system_set_parameters(system, 1, &value, NULL), RBV_OK);
        assert_int_equal(rbv_equations_create(system, NULL, NULL, &changed), RBV_OK);
        assert_int_equal(rbv_equations_create(beside, NULL, NULL, &fresh), RBV_OK);
        assert_memory_equal(changed->C, fresh->C, 2 * sizeof(double));
        assert_memory_equal(changed->A, fresh->A, 4 * sizeof(double));
        assert_memory_equal(changed->M, fresh->M, 4 * sizeof(double));
        assert_true(fabs(changed->C[0]) > 0.1 && fabs(changed->C[1]) > 0.1);
        const RbvParameterValue wrong[] = {{2, -1}, {0, 0.1}, {1, 3}}, back = {k, k == 0 ? 0.3 : k};
        RbvEquations *same = NULL;
        assert_int_equal(rbv_system_set_parameters(system, 3, wrong, NULL), RBV_BAD_INPUT);
        assert_int_equal(rbv_equations_create(system, NULL, NULL, &same), RBV_OK);
        assert_memory_equal(changed->C, same->C, 2 * sizeof(double));
        assert_int_equal(rbv_system_set_parameters(system, 1, &back, NULL), RBV_OK);
        rbv_equations_destroy(same);
        rbv_equations_destroy(changed);
        rbv_equations_destroy(fresh);
        rbv_system_destroy(beside);
        rbv_model_destroy(other);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* Stops that are not met and what is not active are no rows, and do no work. */
static void rows_are_those_that_hold(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies: {p: {particle: true, mass: 2}}\n"
        "constraints:\n  off: {equation: \"x(p)\", active: \"t > 1[s]\", nonideal: {y(p): 3}}\n  on: {equation: \"x(p) "
        "+ y(p)\", active: \"x(p) < 1[m]\", nonideal: {y(p): 5}}\n"
        "stops: {floor: {coordinate: y(p), min: -3}}\nloads: {push: {type: force, to: p, value: [7, 0], active: \"t < "
        "1[s]\"}, pull: {type: force, to: p, value: [9, 0], active: \"t > 1[s]\"}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvEquations *equations = NULL;
    assert_int_equal(rbv_equations_create(system, NULL, NULL, &equations), RBV_OK);
    assert_int_equal(equations->m, 1);
    assert_string_equal(equations->rows[0], "constraint 'on'");
    assert_near(equations->A[0], 1, 0);
    assert_near(equations->A[1], 1, 0);
    assert_near(equations->Q[0], 7, 0);
    assert_near(equations->Q[1], -2 * 9.81, 1e-14);
    assert_near(equations->C[0], 0, 0);
    assert_near(equations->C[1], 5, 0);
    rbv_equations_destroy(equations);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void what_cannot_be_assembled_or_is_not_finite_is_said(void **unused) {
    (void)unused;
    static const char apart[] = "roberval: 1\nspace: planar\nbodies: {p: {particle: true, mass: 1}}\nconstraints: "
                                "{far: {equation: \"x(p)^2 + 1\"}}\n";
    static const char endless[] = "roberval: 1\nspace: planar\nbodies: {p: {particle: true, mass: 1}}\nloads: {push: "
                                  "{type: force, to: p, value: [\"1/x(p)\", 0]}}\n";
    const char *const texts[] = {apart, endless};
    const RbvStatus statuses[] = {RBV_NOT_ASSEMBLED, RBV_NOT_FINITE};
    for (int k = 0; k < 2; k++) {
        RbvModel *model = machine_read(texts[k]);
        RbvSystem *system = machine_compile(model);
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvEquations *equations = (RbvEquations *)1;
        assert_int_equal(rbv_equations_create(system, NULL, diagnostics, &equations), statuses[k]);
        assert_null(equations);
        assert_true(machine_says(diagnostics, RBV_ERROR, k == 0 ? "far" : "push"));
        assert_int_equal(rbv_equations_create(NULL, NULL, NULL, &equations), RBV_BAD_ARGUMENT);
        rbv_diagnostics_destroy(diagnostics);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    rbv_equations_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_with_work_and_dependent_rows_moves_as_simulated),
        cmocka_unit_test(a_top_on_a_shaft_in_too_many_bearings_moves_as_simulated),
        cmocka_unit_test(forces_that_do_work_follow_parameters),
        cmocka_unit_test(rows_are_those_that_hold),
        cmocka_unit_test(what_cannot_be_assembled_or_is_not_finite_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
