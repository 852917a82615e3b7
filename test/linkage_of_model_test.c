/* Linkages of models: efforts and reactions of the joints that close loops are those of the whole program, in absolute
 * coordinates, for the same motion; verdicts are equal; what is no linkage is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/linkages.h"

#include <string.h>

static const char four_bar[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                               "  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: "
                               "1}, markers: {O: [0, 0], A: {at: [0.1, 0], angle: 0.4}}}\n"
                               "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [0.054, 0.084], angle: "
                               "0.4}, markers: {A: [0, 0], B: {at: [0.4, 0], angle: 1.1}}}\n"
                               "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: "
                               "1.5}, markers: {C: [0, 0], B: [0.3, 0]}}\n"
                               "  ground: {markers: {O: [0, 0], C: {at: [0.4, 0], angle: 0.3}}}\n"
                               "joints:\n  O: {type: revolute, between: [crank.O, ground.O]}\n  A: {type: revolute, "
                               "between: [crank.A, rod.A]}\n  B: {type: revolute, between: [rod.B, rocker.B]}\n"
                               "  C: {type: revolute, between: [ground.C, rocker.C], damping: 0.3}\n"
                               "drives:\n  motor: {coordinate: O.angle, motion: \"-1 - 6*t\", rotor: {inertia: 0.0001, "
                               "ratio: 20}}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* Watt's: a four-bar whose rocker moves a rod and a slide. */
static const char six_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 1}, markers: {O: [0, 0], A: "
    "[0.1, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [0.054, 0.084], angle: 0.4}, markers: {A: [0, 0], "
    "B: [0.4, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5}, markers: {C: [0, 0], "
    "B: [0.3, 0], D: [0.2, -0.1]}}\n"
    "  link: {mass: 1, centroid: [0.25, 0], inertia: 0.02, pose: {at: [0.5, 0.2], angle: -0.3}, markers: {D: [0, 0], "
    "E: [0.5, 0]}}\n"
    "  ram: {mass: 3, centroid: [0.02, 0.03], inertia: 0.01, pose: {at: [0.95, 0.05]}}\n"
    "  ground: {markers: {O: [0, 0], C: [0.4, 0], way: {at: [0, 0.05], angle: 0}}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  "
    "B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\n  D: {type: revolute, between: [rocker.D, link.D]}\n  E: "
    "{type: revolute, between: [link.E, ram]}\n"
    "  way: {type: prismatic, between: [ground.way, ram]}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"1 + 4*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

static const char held_in_space[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0.7]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.001, 0.001], markers: {O: [0, 0, 0], A: [0.1, "
    "0, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0, 0.01], inertia: [0.03, 0.03, 0.03], pose: {at: [0.1, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 0.8}}, markers: {A: [0, 0, 0], B: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 1.5}}, markers: {C: [0, 0, 0], B: [0.3, 0, 0]}}\n"
    "  ground: {markers: {O: [0, 0, 0], C: [0.4, 0, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  "
    "B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\ndrives:\n  motor: {coordinate: O.angle, motion: "
    "\"7*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* A crank, a universal joint, a ball, a rocker whose axis is askew. */
static const char spatial[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -9.81, 0.7]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.002, 0.0015], markers: {O: [0, 0, 0], A: {at: "
    "[0.1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0, 0.01], inertia: [0.01, 0.03, 0.03], pose: {at: [0.1, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 0.8}}, markers: {A: {at: [0, 0, 0], axis: [0, 1, 0]}, B: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 1.5}}, markers: {C: {at: [0, 0, 0], axis: [0.1, 0.2, 1]}, B: [0.3, 0, 0.03]}}\n"
    "  ground: {markers: {O: [0, 0, 0], C: {at: [0.4, 0, 0], axis: [0, 0.3, 1]}}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: universal, between: [crank.A, rod.A]}\n "
    " B: {type: spherical, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\ndrives:\n  motor: {coordinate: O.angle, motion: "
    "\"5*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

/* Six hinges along the edges of a cube (examples/bricard, with other masses). */
static const char bricard[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  ground: {markers: {P1: {at: [0, 0, 0], axis: [0, 1, 0]}, P6: {at: [0, 0, 1], axis: [1, 0, 0]}}}\n"
    "  b1: {mass: 1, centroid: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], markers: {P1: {at: [0, 0, 0], axis: [0, 1, 0]}, "
    "P2: {at: [1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  b2: {mass: 2, centroid: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1], pose: {at: [1, 0, 0]}, markers: {P2: {at: [0, "
    "0, 0], axis: [0, 0, 1]}, P3: {at: [0, -1, 0], axis: [1, 0, 0]}}}\n"
    "  b3: {mass: 1, centroid: [0, 0, 0.5], inertia: [0.1, 0.1, 0.01], pose: {at: [1, -1, 0]}, markers: {P3: {at: [0, "
    "0, 0], axis: [1, 0, 0]}, P4: {at: [0, 0, 1], axis: [0, 1, 0]}}}\n"
    "  b4: {mass: 3, centroid: [-0.5, 0, 0], inertia: [0.01, 0.1, 0.1], pose: {at: [1, -1, 1]}, markers: {P4: {at: [0, "
    "0, 0], axis: [0, 1, 0]}, P5: {at: [-1, 0, 0], axis: [0, 0, 1]}}}\n"
    "  b5: {mass: 1, centroid: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1], pose: {at: [0, -1, 1]}, markers: {P5: {at: [0, "
    "0, 0], axis: [0, 0, 1]}, P6: {at: [0, 1, 0], axis: [1, 0, 0]}}}\n"
    "joints:\n  P1: {type: revolute, between: [ground.P1, b1.P1]}\n  P2: {type: revolute, between: [b1.P2, b2.P2]}\n  "
    "P3: {type: revolute, between: [b2.P3, b3.P3]}\n"
    "  P4: {type: revolute, between: [b3.P4, b4.P4]}\n  P5: {type: revolute, between: [b4.P5, b5.P5]}\n  P6: {type: "
    "revolute, between: [b5.P6, ground.P6]}\n"
    "drives:\n  motor: {coordinate: P1.angle, motion: \"0.5*t\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

static void the_numbers_are_those_of_the_whole_program(void **unused) {
    (void)unused;
    const LinkageCase machines[] = {
        {.name = "four-bar", .text = four_bar, .drives = 1, .motion = {{-1, -6}}, .closings = 1},
        {.name = "slider-crank", .text = machine_slider_crank, .drives = 1, .motion = {{1, 5}}, .closings = 1},
        {.name = "six-bar", .text = six_bar, .drives = 1, .motion = {{1, 4}}, .closings = 2},
        {.name = "parallelogram",
         .text = machine_parallelogram,
         .drives = 1,
         .motion = {{0.7, 0.5}},
         .closings = 2,
         .not_unique = 2},
        {.name = "held in space",
         .text = held_in_space,
         .drives = 1,
         .motion = {{0, 7}},
         .closings = 1,
         .not_unique = 3},
        {.name = "spatial", .text = spatial, .drives = 1, .motion = {{0, 5}}, .closings = 1},
        {.name = "Bricard", .text = bricard, .drives = 1, .motion = {{0, 0.5}}, .closings = 1, .not_unique = 5},
    };
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
        linkage_compare(machines + k);
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
    assert_refused(
        "roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, pose: {at: [1, 0]}}}\n"
        "joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [ground, b]}, bar: {type: "
        "distance, between: [a, b], unilateral: true}}\n",
        "a linkage cannot have it: joint 'bar' (distance) closes a loop, and may let go (unilateral)");
    assert_refused("roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1, markers: {A: [1, 0]}}}\njoints: {p: "
                   "{type: revolute, between: [ground, a]}}\ncoordinates: {g: \"distance(ground, a.A)^2\"}\ndrives: "
                   "{motor: {coordinate: g, motion: \"t\"}}\n",
                   "drive 'motor' is on an expression: 'g'");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_numbers_are_those_of_the_whole_program),
                                       cmocka_unit_test(what_is_no_linkage_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
