/* Linkages of models: efforts and reactions of the joints that close loops are those of the whole program, in absolute coordinates, for the same motion; verdicts are equal; what is no linkage is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One drive, `motor`, at from + rate t. */
typedef struct Machine {
    const char *text;
    double from, rate;
    int closings, not_unique; /* how many components of theirs are not */
} Machine;

static const char four_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 1}, markers: {O: [0, 0], A: {at: [0.1, 0], angle: 0.4}}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [0.054, 0.084], angle: 0.4}, markers: {A: [0, 0], B: {at: [0.4, 0], angle: 1.1}}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5}, markers: {C: [0, 0], B: [0.3, 0]}}\n"
    "  ground: {markers: {O: [0, 0], C: {at: [0.4, 0], angle: 0.3}}}\n"
    "joints:\n  O: {type: revolute, between: [crank.O, ground.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C], damping: 0.3}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"-1 - 6*t\", rotor: {inertia: 0.0001, ratio: 20}}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* Watt's: a four-bar whose rocker moves a rod and a slide. */
static const char six_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 1}, markers: {O: [0, 0], A: [0.1, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [0.054, 0.084], angle: 0.4}, markers: {A: [0, 0], B: [0.4, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5}, markers: {C: [0, 0], B: [0.3, 0], D: [0.2, -0.1]}}\n"
    "  link: {mass: 1, centroid: [0.25, 0], inertia: 0.02, pose: {at: [0.5, 0.2], angle: -0.3}, markers: {D: [0, 0], E: [0.5, 0]}}\n"
    "  ram: {mass: 3, centroid: [0.02, 0.03], inertia: 0.01, pose: {at: [0.95, 0.05]}}\n"
    "  ground: {markers: {O: [0, 0], C: [0.4, 0], way: {at: [0, 0.05], angle: 0}}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\n  D: {type: revolute, between: [rocker.D, link.D]}\n  E: {type: revolute, between: [link.E, ram]}\n"
    "  way: {type: prismatic, between: [ground.way, ram]}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"1 + 4*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

static const char held_in_space[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0.7]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.001, 0.001], markers: {O: [0, 0, 0], A: [0.1, 0, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0, 0.01], inertia: [0.03, 0.03, 0.03], pose: {at: [0.1, 0, 0], rotate: {axis: [0, 0, 1], angle: 0.8}}, markers: {A: [0, 0, 0], B: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: {axis: [0, 0, 1], angle: 1.5}}, markers: {C: [0, 0, 0], B: [0.3, 0, 0]}}\n"
    "  ground: {markers: {O: [0, 0, 0], C: [0.4, 0, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\ndrives:\n  motor: {coordinate: O.angle, motion: \"7*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* A crank, a universal joint, a ball, a rocker whose axis is askew. */
static const char spatial[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -9.81, 0.7]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.002, 0.0015], markers: {O: [0, 0, 0], A: {at: [0.1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0, 0.01], inertia: [0.01, 0.03, 0.03], pose: {at: [0.1, 0, 0], rotate: {axis: [0, 0, 1], angle: 0.8}}, markers: {A: {at: [0, 0, 0], axis: [0, 1, 0]}, B: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: {axis: [0, 0, 1], angle: 1.5}}, markers: {C: {at: [0, 0, 0], axis: [0.1, 0.2, 1]}, B: [0.3, 0, 0.03]}}\n"
    "  ground: {markers: {O: [0, 0, 0], C: {at: [0.4, 0, 0], axis: [0, 0.3, 1]}}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: universal, between: [crank.A, rod.A]}\n  B: {type: spherical, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\ndrives:\n  motor: {coordinate: O.angle, motion: \"5*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* Six hinges along the edges of a cube (examples/bricard, with other masses). */
static const char bricard[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  ground: {markers: {P1: {at: [0, 0, 0], axis: [0, 1, 0]}, P6: {at: [0, 0, 1], axis: [1, 0, 0]}}}\n"
    "  b1: {mass: 1, centroid: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], markers: {P1: {at: [0, 0, 0], axis: [0, 1, 0]}, P2: {at: [1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  b2: {mass: 2, centroid: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1], pose: {at: [1, 0, 0]}, markers: {P2: {at: [0, 0, 0], axis: [0, 0, 1]}, P3: {at: [0, -1, 0], axis: [1, 0, 0]}}}\n"
    "  b3: {mass: 1, centroid: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01], pose: {at: [1, -1, 0]}, markers: {P3: {at: [0, 0, 0], axis: [1, 0, 0]}, P4: {at: [0, 0, 1], axis: [0, 1, 0]}}}\n"
    "  b4: {mass: 3, centroid: [-0.5, 0, 0], inertia: [0.01, 0.1, 0.1], pose: {at: [1, -1, 1]}, markers: {P4: {at: [0, 0, 0], axis: [0, 1, 0]}, P5: {at: [-1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  b5: {mass: 1, centroid: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1], pose: {at: [0, -1, 1]}, markers: {P5: {at: [0, 0, 0], axis: [0, 0, 1]}, P6: {at: [0, 1, 0], axis: [1, 0, 0]}}}\n"
    "joints:\n  P1: {type: revolute, between: [ground.P1, b1.P1]}\n  P2: {type: revolute, between: [b1.P2, b2.P2]}\n  P3: {type: revolute, between: [b2.P3, b3.P3]}\n"
    "  P4: {type: revolute, between: [b3.P4, b4.P4]}\n  P5: {type: revolute, between: [b4.P5, b5.P5]}\n  P6: {type: revolute, between: [b5.P6, ground.P6]}\n"
    "drives:\n  motor: {coordinate: P1.angle, motion: \"0.5*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

static void compare(const Machine *machine) {
    RbvModel *model = machine_read(machine->text);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    RbvTree *tree = NULL;
    RbvLinkage *linkage = NULL;
    RbvLinkageWorkspace *w = NULL;
    RbvDiagnostics *d = rbv_diagnostics_create();
    assert_int_equal(rbv_inverse(system, NULL, d, &result), RBV_OK);
    if (rbv_linkage_from_model(model, d, &tree, &linkage) != RBV_OK)
        machine_print(d);
    assert_non_null(linkage);
    rbv_diagnostics_destroy(d);
    assert_int_equal(rbv_linkage_driven_count(linkage), 1);
    assert_int_equal(rbv_linkage_workspace_create(linkage, 1, &w), RBV_OK);
    double start[40], closing[6 * 8];
    uint8_t unique[6 * 8];
    assert_int_equal(rbv_linkage_origin(linkage, start), RBV_OK);
    start[rbv_linkage_driven(linkage, 0)] = machine->from; /* numbers of q and v are the same: no quaternions here */
    assert_int_equal(rbv_linkage_start(linkage, w, start), RBV_OK);
    int closings = 0, not_unique = 0;
    while (rbv_linkage_closing_name(linkage, closings))
        closings++;
    assert_int_equal(closings, machine->closings);
    for (int32_t k = 0; k < rbv_result_sample_count(result); k++) {
        double q = machine->from + machine->rate * rbv_result_value(result, k, 0), v = machine->rate, a = 0, effort;
        assert_int_equal(rbv_linkage_inverse(linkage, w, NULL, &q, &v, &a, NULL, &effort, NULL, closing, NULL, NULL), RBV_OK);
        assert_int_equal(rbv_linkage_unique(linkage, w, NULL, unique), RBV_OK);
        double expected = rbv_result_value(result, k, rbv_result_find(result, "motor.effort"));
        assert_near(effort, expected, 1e-10 * (100 + fabs(expected))); /* forces of some 100 N, to rounding of both */
        for (int c = 0; c < closings; c++)
            for (int e = 0; e < 6; e++) {
                static const char *const parts[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
                char name[40];
                snprintf(name, sizeof name, "%s.%s", rbv_linkage_closing_name(linkage, c), parts[e]);
                int32_t column = rbv_result_find(result, name);
                if (column < 0) {
                    assert_near(closing[6 * c + e], 0, 1e-9); /* it holds nothing there */
                    continue;
                }
                bool is = rbv_result_column_verdict(result, column) <= RBV_UNIQUE; /* or zero, as it holds nothing there */
                assert_int_equal(unique[6 * c + e], is);
                not_unique += k == 0 && !is;
                expected = rbv_result_value(result, k, column);
                if (is)
                    assert_near(closing[6 * c + e], expected, 1e-10 * (1000 + fabs(expected)));
            }
    }
    assert_int_equal(not_unique, machine->not_unique);
    rbv_linkage_workspace_destroy(w);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void the_numbers_are_those_of_the_whole_program(void **unused) {
    (void)unused;
    const Machine machines[] = {{four_bar, -1, -6, 1, 0}, {machine_slider_crank, 1, 5, 1, 0}, {six_bar, 1, 4, 2, 0}, {machine_parallelogram, 0.7, 0.5, 2, 2},
                                {held_in_space, 0, 7, 1, 3}, {spatial, 0, 5, 1, 0}, {bricard, 0, 0.5, 1, 5}};
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
        compare(machines + k);
}

static void assert_refused(const char *text, const char *message) {
    RbvModel *model = machine_read(text);
    RbvDiagnostics *d = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    RbvLinkage *linkage = NULL;
    assert_int_equal(rbv_linkage_from_model(model, d, &tree, &linkage), RBV_BAD_INPUT);
    assert_true(!tree && !linkage);
    if (!machine_says(d, RBV_ERROR, message)) {
        machine_print(d);
        fail_msg("not said: %s", message);
    }
    rbv_diagnostics_destroy(d);
    rbv_model_destroy(model);
}

static void what_is_no_linkage_is_refused(void **unused) {
    (void)unused;
    assert_refused("roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, pose: {at: [1, 0]}}}\n"
                   "joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [ground, b]}, bar: {type: distance, between: [a, b]}}\n",
                   "joint 'bar' (distance) closes a loop");
    assert_refused("roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\njoints: {p: {type: revolute, between: [ground, a]}}\ndrives: {motor: {coordinate: \"x(a)\", motion: \"t\"}}\n",
                   "drive 'motor' is on no coordinate of a joint that the spanning tree goes through");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_numbers_are_those_of_the_whole_program), cmocka_unit_test(what_is_no_linkage_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
