/* Linkages whose loops are closed by every kind of joint, driven at closings, with idle spins, gears, racks, belts,
 * dampers: beside the whole program in absolute coordinates, as test/linkage_of_model_test.c. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/linkages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLANE "roberval: 1\nspace: planar\ngravity: [0.5, -9.81]\n"
#define SPACE "roberval: 1\nspace: spatial\ngravity: [0.3, -9.81, 0.7]\n"
#define TIME "motion: {from: 0, to: 1, step: 0.1}\n"

/* --- spins: a rod between two balls; the rod stands second, so that reactions stand along axes that do not spin --- */

#define RSSR_BODIES(rod)                                                                                               \
    "bodies:\n  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.002, 0.0015], markers: {O: [0, 0, "  \
    "0], A: [0.1, 0, 0]}}\n" rod                                                                                       \
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: "      \
    "{axis: [0, 0, 1], angle: 1.5}}, markers: {C: {at: [0, 0, 0], axis: [0.1, 0.2, 1]}, B: [0.3, 0, 0.03]}}\n"         \
    "  ground: {markers: {O: [0, 0, 0], C: {at: [0.4, 0, 0], axis: [0, 0.3, 1]}}}\n"
#define RSSR_JOINTS                                                                                                    \
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: spherical, between: [crank.A, "         \
    "rod.A]}\n  B: {type: spherical, between: [rocker.B, rod.B]}\n  C: {type: revolute, between: [ground.C, "          \
    "rocker.C]}\n"
#define MOTOR "drives:\n  motor: {coordinate: O.angle, motion: \"5*t\"}\n"

static const char rssr[] = SPACE RSSR_BODIES(
    "  rod: {mass: 2, centroid: [0.2, 0, 0], inertia: [0.004, 0.03, 0.03], pose: {at: [0.1, 0, 0], "
    "rotate: {axis: [0, 0, 1], angle: 0.8}}, markers: {A: [0, 0, 0], B: [0.4, 0, 0]}}\n") RSSR_JOINTS MOTOR TIME;
static const char link_rod[] = SPACE RSSR_BODIES(
    "") "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  rod: {type: link, between: [crank.A, "
        "rocker.B], length: 0.4}\n  C: {type: revolute, between: [ground.C, rocker.C]}\n" MOTOR TIME;

/* Two platforms' legs at once: a plate on a ball and two rods, whose joints to the plate are tree joints or closings.
 */
static const char tripod[] = SPACE
    "bodies:\n  plate: {mass: 3, centroid: [0.01, 0.02, 0.03], inertia: [0.02, 0.03, 0.04], pose: {at: [0, 0, 0.5]}, "
    "markers: {A: [0.2, 0, 0], B: [-0.1, 0.2, 0], C: {at: [0, 0, 0], axis: [0, 1, 0]}}}\n"
    "  one: {mass: 1, centroid: [0, 0, 0.25], inertia: [0.01, 0.01, 0.001], pose: {at: [0.2, 0, 0]}, markers: {foot: "
    "[0, 0, 0], head: [0, 0, 0.5]}}\n"
    "  two: {mass: 1, centroid: [0, 0, 0.2], inertia: [0.01, 0.01, 0.002], pose: {at: [-0.1, 0.2, 0]}, markers: {foot: "
    "[0, 0, 0], head: [0, 0, 0.5]}}\n"
    "  lift1: {mass: 1, inertia: [0.01, 0.01, 0.01], pose: {at: [0.2, 0, 0]}}\n  lift2: {mass: 1, inertia: [0.01, "
    "0.01, 0.01], pose: {at: [-0.1, 0.2, 0]}}\n"
    "  ground: {markers: {one: [0.2, 0, 0], two: [-0.1, 0.2, 0], post: {at: [0, 0, 0.5], axis: [1, 0, 0]}}}\n"
    "joints:\n  post: {type: universal, between: [ground.post, plate.C]}\n  foot1: {type: spherical, between: [lift1, "
    "one.foot]}\n  head1: {type: spherical, between: [plate.A, one.head]}\n"
    "  foot2: {type: spherical, between: [lift2, two.foot]}\n  head2: {type: spherical, between: [plate.B, two.head]}\n"
    "  way1: {type: prismatic, between: [ground.one, lift1]}\n  way2: {type: prismatic, between: [ground.two, lift2]}\n"
    "drives:\n  first: {coordinate: way1.distance, motion: \"0.05*t\"}\n  second: {coordinate: way2.distance, motion: "
    "\"0.02*t - 0.04*t^2\"}\n" TIME;

static void rods_between_balls_spin_idly(void **unused) {
    (void)unused;
    const LinkageCase cases[] = {
        {.name = "RSSR", .text = rssr, .drives = 1, .motion = {{0, 5}}, .closings = 1, .idle = 1},
        {.name = "link", .text = link_rod, .drives = 1, .motion = {{0, 5}}, .closings = 1},
        {.name = "tripod",
         .text = tripod,
         .drives = 2,
         .motion = {{0, 0.05}, {0, 0.02, -0.04}},
         .closings = 2,
         .idle = 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        linkage_compare(cases + k);
}

/* --- kinds of closings --- */

/* A spindle turns in a bearing and moves a nut on a way; the screw closes the loop. */
#define PRESS(drive)                                                                                                   \
    SPACE                                                                                                              \
    "bodies:\n  spindle: {mass: 1, centroid: [0.02, 0, 0.1], inertia: [0.01, 0.011, 0.003]}\n  nut: {mass: 2, "        \
    "centroid: [0, 0.05, 0], inertia: [0.01, 0.02, 0.03], pose: {at: [0, 0, 0.1]}}\n"                                  \
    "joints:\n  bearing: {type: revolute, between: [ground, spindle]}\n  way: {type: prismatic, between: [ground, "    \
    "nut]}\n  screw: {type: screw, pitch: 0.01, between: [spindle, nut], damping: 0.2}\n" drive TIME
static const char press[] = PRESS("drives:\n  motor: {coordinate: bearing.angle, motion: \"10*t + 20*t^2\"}\n");
static const char press_at_screw[] = PRESS(
    "drives:\n  motor: {coordinate: screw.angle, motion: \"-10*t + 20*t^2\", rotor: {inertia: 0.002, ratio: 3}}\n");
/* The same, its nut on an arm whose ball leaves nothing held twice. */
static const char screw_alone[] =
    SPACE "bodies:\n  spindle: {mass: 1, centroid: [0.02, 0, 0.1], inertia: [0.01, 0.011, 0.003]}\n  nut: {mass: 2, "
          "centroid: [0, 0.05, 0], inertia: [0.01, 0.02, 0.03], pose: {at: [0, 0, 0.1]}, markers: {N: [0, 0, 0], arm: "
          "[0.2, 0, 0]}}\n"
          "  ground: {markers: {O: [0, 0, 0], wall: {at: [0.2, 0, 0.1], axis: [0, 1, 0]}}}\n"
          "joints:\n  bearing: {type: revolute, between: [ground.O, spindle]}\n  screw: {type: screw, pitch: 0.3, "
          "between: [spindle, nut.N]}\n  wall: {type: inplane, between: [ground.wall, nut.arm]}\n"
          "drives:\n  motor: {coordinate: bearing.angle, motion: \"3*t\"}\n" TIME;

/* Two shafts that meet at an angle; the second lies in a bearing that holds a point. */
#define SHAFTS(joint)                                                                                                  \
    SPACE                                                                                                              \
    "bodies:\n  one: {mass: 1, centroid: [0.02, 0, -0.1], inertia: [0.01, 0.011, 0.003], markers: {cross: {at: [0, "   \
    "0, 0], axis: [1, 0, 0]}}}\n"                                                                                      \
    "  two: {mass: 2, centroid: [0.01, 0.03, 0.2], inertia: [0.01, 0.012, 0.005], pose: {at: [0, 0, 0], rotate: "      \
    "{axis: [1, 0, 0], angle: 0.5}}, markers: {A: " joint ", B: [0, 0, 0.4]}}\n"                                       \
    "  ground: {markers: {O: [0, 0, 0], B: {at: [0, -0.19177021544168120, 0.35103302475614908], axis: [0, "            \
    "-0.47942553860420301, 0.87758256189037276]}}}\n"
static const char shafts[] =
    SHAFTS("[0, 0, 0]") "joints:\n  bearing: {type: revolute, between: [ground.O, one]}\n  equal: {type: "
                        "constant-velocity, between: [one, two.A]}\n  far: {type: inline, between: [ground.B, two.B]}\n"
                        "drives:\n  motor: {coordinate: bearing.angle, motion: \"4*t + 3*t^2\"}\n" TIME;
static const char shafts_in_bearings[] =
    SHAFTS("[0, 0, 0]") "joints:\n  bearing: {type: revolute, between: [ground.O, one]}\n  far: {type: cylindrical, "
                        "between: [ground.B, two.B]}\n  equal: {type: constant-velocity, between: [one, two.A]}\n"
                        "drives:\n  motor: {coordinate: bearing.angle, motion: \"4*t + 3*t^2\"}\n" TIME;
static const char cardan[] = SHAFTS(
    "{at: [0, 0, 0], axis: [0, 1, 0]}") "joints:\n  bearing: {type: revolute, between: [ground.O, one]}\n  far: {type: "
                                        "inline, between: [ground.B, two.B]}\n  cross: {type: universal, between: "
                                        "[one.cross, two.A]}\n"
                                        "drives:\n  motor: {coordinate: bearing.angle, motion: \"4*t + 3*t^2\"}\n" TIME;

static const char cardan_in_bearings[] = SHAFTS(
    "{at: [0, 0, 0], axis: [0, 1, 0]}") "joints:\n  bearing: {type: revolute, between: [ground.O, one]}\n  far: {type: "
                                        "cylindrical, between: [ground.B, two.B], damping: [3, 0.2]}\n  cross: {type: "
                                        "universal, between: [one.cross, two.A]}\n"
                                        "drives:\n  motor: {coordinate: bearing.angle, motion: \"4*t + 3*t^2\"}\n" TIME;

/* A plate hangs by a ball on a crank, and what holds three of its freedoms against ground is of any kinds. */
#define PLATE(joints)                                                                                                  \
    SPACE                                                                                                              \
    "bodies:\n  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.002, 0.0015], markers: {O: [0, 0, "  \
    "0], A: [0.1, 0, 0.02]}}\n"                                                                                        \
    "  plate: {mass: 2, centroid: [0.1, 0.05, 0.02], inertia: [0.02, 0.03, 0.04], pose: {at: [0.1, 0, 0.02]}, "        \
    "markers: {A: [0, 0, 0], B: [0.3, 0.1, 0.05], C: [0.1, -0.2, 0.1], D: [-0.1, 0.2, -0.1]}}\n"                       \
    "  ground: {markers: {O: {at: [0, 0, 0], axis: [0, 0.2, 1]}, B: {at: [0.4, 0.1, 0.07], rotate: {axis: [1, 1, "     \
    "0.3], angle: 0.4}}, C: {at: [0.2, -0.2, 0.12], axis: [1, 0.1, 0]}, D: {at: [0, 0.2, -0.08], axis: [0.2, 1, "      \
    "0]}}}\n"                                                                                                          \
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: spherical, between: [crank.A, "         \
    "plate.A]}\n" joints "drives:\n  motor: {coordinate: O.angle, motion: \"0.4*t\"}\n" TIME
static const char upright[] = PLATE("  B: {type: parallel, between: [ground, plate], at: [0.4, 0.1, 0.07], axis: [0.1, "
                                    "0.2, 1]}\n  C: {type: inplane, between: [ground.C, plate.C]}\n");
static const char on_three_planes[] =
    PLATE("  B: {type: inplane, between: [ground.B, plate.B]}\n  C: {type: inplane, between: [ground.C, plate.C]}\n  "
          "D: {type: z, value: 0.01, between: [ground.D, plate.D]}\n");
static const char on_a_line[] = PLATE(
    "  B: {type: inline, between: [ground.B, plate.B]}\n  C: {type: perpendicular, between: [ground.C, plate.C]}\n");
static const char in_two_directions[] = PLATE(
    "  B: {type: general, locked: [y, rx, ry], between: [ground, plate], at: [0.4, 0.1, 0.07], axis: [0.1, 0.3, 1]}\n");
static const char other_way_round[] = PLATE(
    "  B: {type: inline, between: [plate.B, ground.B]}\n  D: {type: x, value: -0.02, between: [plate.D, ground.D]}\n");

/* A plate of the plane on three stays: a place held at a value, a slot, a bar. */
#define STAYS(stay)                                                                                                    \
    PLANE                                                                                                              \
    "bodies:\n  plate: {mass: 2, centroid: [0.1, 0.05], inertia: 0.02, pose: {at: [0.3, 0.2], angle: 0.2}, markers: "  \
    "{A: [0, 0], B: [0.3, 0], C: [0.1, 0.2]}}\n"                                                                       \
    "  cart: {mass: 1, centroid: [0, 0.1], inertia: 0.01, pose: {at: [0.1, 0]}, markers: {S: {at: [0, 0], angle: "     \
    "0.9}}}\n"                                                                                                         \
    "  ground: {markers: {O: [0, 0], C: [0.3, 1]}}\n"                                                                  \
    "joints:\n  way: {type: prismatic, between: [ground.O, cart]}\n  slot: {type: slot, between: [cart.S, "            \
    "plate.A]}\n" stay "  turn: {type: angle, value: 0.15, between: [cart, plate]}\n"                                  \
    "drives:\n  motor: {coordinate: way.distance, motion: \"0.1 + 0.05*t\"}\n" TIME
static const char level[] = STAYS("  level: {type: y, value: 0.24, between: [ground.O, plate.A]}\n");
static const char stay[] = STAYS("  stay: {type: distance, between: [ground.C, plate.C]}\n");

static void every_kind_closes_loops(void **unused) {
    (void)unused;
    const LinkageCase cases[] = {
        {.name = "press", .text = press, .drives = 1, .motion = {{0, 10, 20}}, .closings = 1, .not_unique = 4},
        {.name = "press at its screw",
         .text = press_at_screw,
         .drives = 1,
         .motion = {{0, -10, 20}},
         .closings = 1,
         .not_unique = 4,
         .at_closings = 1},
        {.name = "screw", .text = screw_alone, .drives = 1, .motion = {{0, 3}}, .closings = 1},
        {.name = "constant-velocity", .text = shafts, .drives = 1, .motion = {{0, 4, 3}}, .closings = 1},
        {.name = "constant-velocity in bearings",
         .text = shafts_in_bearings,
         .drives = 1,
         .motion = {{0, 4, 3}},
         .closings = 1,
         .not_unique = 3},
        {.name = "cardan in bearings",
         .text = cardan_in_bearings,
         .drives = 1,
         .motion = {{0, 4, 3}},
         .closings = 1,
         .not_unique = 3},
        {.name = "upright", .text = upright, .drives = 1, .motion = {{0, 0.4}}, .closings = 2},
        {.name = "on three planes", .text = on_three_planes, .drives = 1, .motion = {{0, 0.4}}, .closings = 3},
        {.name = "on a line", .text = on_a_line, .drives = 1, .motion = {{0, 0.4}}, .closings = 2},
        {.name = "in two directions", .text = in_two_directions, .drives = 1, .motion = {{0, 0.4}}, .closings = 1},
        {.name = "the other way round", .text = other_way_round, .drives = 1, .motion = {{0, 0.4}}, .closings = 2},
        {.name = "cardan", .text = cardan, .drives = 1, .motion = {{0, 4, 3}}, .closings = 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        linkage_compare(cases + k);
}

/* --- drives at closings --- */

#define FOUR_BAR(drives)                                                                                               \
    PLANE                                                                                                              \
    "bodies:\n  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 2.5}, markers: "    \
    "{O: [0, 0], A: {at: [0.1, 0], angle: 0.4}}}\n"                                                                    \
    "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [-0.0801, 0.0598], angle: 0.545}, markers: {A: "   \
    "[0, 0], B: {at: [0.4, 0], angle: 1.1}}}\n"                                                                        \
    "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 2.048}, markers: {C: [0, "  \
    "0], B: [0.3, 0]}}\n"                                                                                              \
    "  ground: {markers: {O: [0, 0], C: {at: [0.4, 0], angle: 0.3}}}\n"                                                \
    "joints:\n  O: {type: revolute, between: [crank.O, ground.O]}\n  A: {type: revolute, between: [crank.A, "          \
    "rod.A]}\n  B: {type: revolute, between: [rod.B, rocker.B], damping: 0.4}\n"                                       \
    "  C: {type: revolute, between: [ground.C, rocker.C], damping: 0.3}\n" drives TIME
static const char at_the_pin[] = FOUR_BAR("drives:\n  motor: {coordinate: B.angle, motion: \"0.39 + 0.1*t - "
                                          "0.05*t^2\", rotor: {inertia: 0.001, ratio: 20}}\n");
static const char damped_pin[] = FOUR_BAR("drives:\n  motor: {coordinate: O.angle, motion: \"-2.5 - 6*t\"}\n");
static const char at_an_angle[] = FOUR_BAR("drives:\n  motor: {coordinate: angle(rod), motion: \"0.55 + 0.1*t\"}\n");
static const char at_a_place[] = FOUR_BAR("drives:\n  motor: {coordinate: y(rod.B), motion: \"0.267 - 0.02*t\"}\n");

/* The shortest link of four is the coupler: at its pin, which closes the loop, it goes round and round. */
static const char round_the_pin[] = PLANE
    "bodies:\n  one: {mass: 1, centroid: [0.1, 0.01], inertia: 0.01, pose: {at: [0, 0], angle: 1}, markers: {O: [0, "
    "0], A: [0.35, 0]}}\n"
    "  coupler: {mass: 0.5, centroid: [0.05, 0], inertia: 0.001, pose: {at: [0.189106, 0.294515], angle: -0.072704}, "
    "markers: {A: [0, 0], B: [0.12, 0]}}\n"
    "  two: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 1.879724}, markers: {C: [0, "
    "0], B: [0.3, 0]}}\n  ground: {markers: {O: [0, 0], C: [0.4, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, one.O]}\n  A: {type: revolute, between: [one.A, coupler.A]}\n  "
    "B: {type: revolute, between: [coupler.B, two.B]}\n  C: {type: revolute, between: [ground.C, two.C]}\n"
    "drives:\n  motor: {coordinate: B.angle, motion: \"1.9524 + 14*t\"}\n" TIME;

/* A boom that a cylinder lifts; its rod slides in its barrel, which closes the loop. */
#define BOOM(drive)                                                                                                    \
    PLANE                                                                                                              \
    "bodies:\n  boom: {mass: 20, centroid: [0.8, 0.1], inertia: 4, pose: {at: [0, 0], angle: 0.3}, markers: {O: [0, "  \
    "0], R: [0.7, -0.1]}}\n"                                                                                           \
    "  barrel: {mass: 3, centroid: [0.2, 0], inertia: 0.1, pose: {at: [0.3, -0.5], angle: 0.86}, markers: {B: [0, "    \
    "0], way: [0, 0]}}\n"                                                                                              \
    "  rod: {mass: 2, centroid: [-0.2, 0], inertia: 0.1, pose: {at: [0.6983, 0.1113], angle: 0.9888}}\n"               \
    "  ground: {markers: {O: [0, 0], B: [0.3, -0.5]}}\n"                                                               \
    "joints:\n  O: {type: revolute, between: [ground.O, boom.O]}\n  B: {type: revolute, between: [ground.B, "          \
    "barrel.B]}\n  R: {type: revolute, between: [boom.R, rod]}\n"                                                      \
    "  way: {type: prismatic, between: [barrel.way, rod], damping: 50}\n" drive TIME
static const char boom_at_cylinder[] = BOOM("drives:\n  jack: {coordinate: way.distance, motion: \"0.73 + 0.1*t + "
                                            "0.05*t^2\", rotor: {inertia: 0.001, ratio: 30}}\n");
static const char boom_at_hinge[] = BOOM("drives:\n  motor: {coordinate: O.angle, motion: \"0.3 + 0.3*t\"}\n");

/* In space: a leg from ground to a flap, universal below, ball above, prismatic between, driven. */
static const char flap[] =
    SPACE "bodies:\n  flap: {mass: 5, centroid: [0.5, 0.1, 0], inertia: [0.1, 0.4, 0.4], markers: {O: {at: [0, 0, 0], "
          "axis: [0, 1, 0]}, R: [0.6, 0.1, 0]}}\n"
          "  barrel: {mass: 2, centroid: [0.01, 0, 0.2], inertia: [0.05, 0.05, 0.01], pose: {at: [0.4, 0, -0.6]}, "
          "markers: {U: {at: [0, 0, 0], axis: [0, 1, 0]}, way: [0, 0, 0]}}\n"
          "  rod: {mass: 1, centroid: [0, 0.01, -0.2], inertia: [0.02, 0.02, 0.004], pose: {at: [0.6, 0.1, 0]}}\n"
          "  ground: {markers: {O: {at: [0, 0, 0], axis: [0, 1, 0]}, U: {at: [0.4, 0, -0.6], axis: [1, 0, 0]}}}\n"
          "joints:\n  O: {type: revolute, between: [ground.O, flap.O]}\n  U: {type: universal, between: [ground.U, "
          "barrel.U]}\n  R: {type: spherical, between: [flap.R, rod]}\n"
          "  way: {type: prismatic, between: [barrel.way, rod], damping: 40}\n"
          "drives:\n  jack: {coordinate: way.distance, motion: \"0.65 + 0.1*t\"}\n" TIME;

static void what_closes_loops_is_driven_and_damped(void **unused) {
    (void)unused;
    const LinkageCase cases[] = {
        {.name = "four-bar at its pin",
         .text = at_the_pin,
         .drives = 1,
         .motion = {{0.39, 0.1, -0.05}},
         .closings = 1,
         .at_closings = 1},
        {.name = "four-bar with a damped pin", .text = damped_pin, .drives = 1, .motion = {{-2.5, -6}}, .closings = 1},
        {.name = "four-bar at an angle",
         .text = at_an_angle,
         .drives = 1,
         .motion = {{0.55, 0.1}},
         .closings = 2,
         .at_closings = 1},
        {.name = "four-bar at a place",
         .text = at_a_place,
         .drives = 1,
         .motion = {{0.267, -0.02}},
         .closings = 2,
         .at_closings = 1},
        {.name = "round the pin",
         .text = round_the_pin,
         .drives = 1,
         .motion = {{1.9524, 14}},
         .closings = 1,
         .at_closings = 1},
        {.name = "boom at its cylinder",
         .text = boom_at_cylinder,
         .drives = 1,
         .motion = {{0.73, 0.1, 0.05}},
         .closings = 1,
         .at_closings = 1},
        {.name = "boom at its hinge", .text = boom_at_hinge, .drives = 1, .motion = {{0.3, 0.3}}, .closings = 1},
        {.name = "level", .text = level, .drives = 1, .motion = {{0.1, 0.05}}, .closings = 2},
        {.name = "stay", .text = stay, .drives = 1, .motion = {{0.1, 0.05}}, .closings = 2},
        {.name = "flap", .text = flap, .drives = 1, .motion = {{0.65, 0.1}}, .closings = 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        linkage_compare(cases + k);
}

/* --- gears, racks, belts: teeth press on the bearings, too --- */

/* Two cranks that mesh move a point by two rods. */
static const char geared_five_bar[] = PLANE
    "bodies:\n  one: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 1.2}, markers: {O: "
    "[0, 0], A: [0.1, 0]}}\n"
    "  two: {mass: 2, centroid: [0.02, 0.03], inertia: 0.002, pose: {at: [0.24, 0], angle: 1.6}, markers: {O: [0, 0], "
    "A: [0.1, 0.02]}}\n"
    "  left: {mass: 1, centroid: [0.1, 0.01], inertia: 0.004, pose: {at: [0.036, 0.093], angle: 0.8}, markers: {A: [0, "
    "0], D: [0.25, 0]}}\n"
    "  right: {mass: 1, centroid: [0.12, 0.01], inertia: 0.005, pose: {at: [0.217, 0.1], angle: 1.6}, markers: {A: [0, "
    "0], D: [0.18, 0]}}\n"
    "  ground: {markers: {O: [0, 0], C: [0.24, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, one.O]}\n  C: {type: revolute, between: [two.O, ground.C]}\n  "
    "mesh: {type: gear, between: [one.O, two.O], teeth: [20, 40], pressure_angle: 0.4, helix_angle: 0.3}\n"
    "  A: {type: revolute, between: [one.A, left.A]}\n  B: {type: revolute, between: [two.A, right.A]}\n  D: {type: "
    "revolute, between: [left.D, right.D]}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"1.2 + 0.3*t + 0.1*t^2\"}\n" TIME;
/* Sun, planet, ring; the sun is driven, the arm drives a rocker. */
static const char planetary[] =
    PLANE "bodies:\n  sun: {mass: 0.2, centroid: [0.002, 0], inertia: 4e-5}\n  arm: {mass: 0.1, centroid: [0.02, 0], "
          "inertia: 5e-5, pose: {at: [0, 0], angle: 0.4}, markers: {O: [0, 0], P: [0.035, 0], R: [0.05, 0]}}\n"
          "  planet: {mass: 0.1, centroid: [0.001, 0], inertia: 1e-5, pose: {at: [0.032237, 0.01363], angle: 0.1}}\n"
          "  rod: {mass: 0.3, centroid: [0.1, 0], inertia: 0.001, pose: {at: [0.04605, 0.01947], angle: 0.3}, markers: "
          "{R: [0, 0], Q: [0.2, 0]}}\n"
          "  rocker: {mass: 0.3, centroid: [0.07, 0], inertia: 0.001, pose: {at: [0.2, 0], angle: 1.4}, markers: {C: "
          "[0, 0], Q: [0.15, 0]}}\n  ground: {markers: {O: [0, 0], C: [0.2, 0]}}\n"
          "joints:\n  sun_shaft: {type: revolute, between: [ground.O, sun]}\n  arm_shaft: {type: revolute, between: "
          "[ground.O, arm.O]}\n  pin: {type: revolute, between: [arm.P, planet]}\n"
          "  inner: {type: gear, between: [sun, planet], radii: [0.02, 0.015], carrier: arm}\n  outer: {type: gear, "
          "between: [planet, ground.O], radii: [0.015, 0.05], internal: true, carrier: arm}\n"
          "  R: {type: revolute, between: [arm.R, rod.R]}\n  Q: {type: revolute, between: [rod.Q, rocker.Q]}\n  C: "
          "{type: revolute, between: [ground.C, rocker.C]}\n"
          "drives:\n  motor: {coordinate: sun_shaft.angle, motion: \"20*t\", rotor: {inertia: 1e-5, ratio: 3}}\n" TIME;
/* A crank moves a rack, which turns a pinion; a belt goes on from there, another one back, crossed. */
static const char rack_and_belts[] = PLANE
    "bodies:\n  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 0.5}, markers: {O: "
    "[0, 0], A: [0.1, 0]}}\n"
    "  rod: {mass: 1, centroid: [0.15, 0.01], inertia: 0.01, pose: {at: [0.0878, 0.0479], angle: -0.16}, markers: {A: "
    "[0, 0], B: [0.3, 0]}}\n"
    "  bar: {mass: 2, centroid: [0, 0.02], inertia: 0.01, pose: {at: [0.384, 0]}, markers: {B: [0, 0], line: {at: "
    "[0.1, 0.05], angle: 0}}}\n"
    "  pinion: {mass: 1, centroid: [0.002, 0], inertia: 0.002, pose: {at: [0.5, -0.01], angle: 0.7}}\n  pulley: {mass: "
    "1, centroid: [0.003, 0], inertia: 0.001, pose: {at: [0.8, -0.2], angle: 0.2}}\n"
    "  last: {mass: 1, centroid: [0.003, 0.01], inertia: 0.001, pose: {at: [0.6, -0.4]}}\n"
    "  ground: {markers: {O: [0, 0], way: [0.3, 0], P: [0.5, -0.01], Q: [0.8, -0.2], R: [0.6, -0.4]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  "
    "B: {type: revolute, between: [rod.B, bar.B]}\n  way: {type: prismatic, between: [ground.way, bar]}\n"
    "  P: {type: revolute, between: [ground.P, pinion]}\n  teeth: {type: rack, between: [bar.line, pinion], radius: "
    "0.06}\n  Q: {type: revolute, between: [ground.Q, pulley], damping: 0.2}\n"
    "  belt: {type: belt, between: [pinion, pulley], radii: [0.1, 0.05], preload: 150}\n  R: {type: revolute, between: "
    "[ground.R, last]}\n  back: {type: belt, between: [pulley, last], radii: [0.05, 0.08], crossed: true, preload: "
    "90}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"0.5 + 6*t\"}\n" TIME;
/* Of space: helical gears, bevel gears, a rack, a worm, a belt, in one train. */
static const char train[] = SPACE
    "bodies:\n  one: {mass: 1, centroid: [0.002, 0.001, 0.01], inertia: [0.001, 0.001, 0.0015], markers: {worm: [0, 0, "
    "0.1]}}\n"
    "  two: {mass: 2, centroid: [0.002, 0, 0], inertia: [0.002, 0.002, 0.003], pose: {at: [0.12, 0, 0]}, markers: "
    "{cone: [0, 0, -0.19]}}\n"
    "  three: {mass: 1, centroid: [0.01, 0.002, 0], inertia: [0.003, 0.002, 0.002], pose: {at: [0.12, 0, -0.13]}, "
    "markers: {axle: {at: [0, 0, 0], axis: [1, 0, 0]}, cone: {at: [0.06, 0, 0], axis: [1, 0, 0]}, rack: {at: [0.4, 0, "
    "0], axis: [1, 0, 0]}}}\n"
    "  bar: {mass: 2, centroid: [0, 0.1, 0], inertia: [0.01, 0.01, 0.01], pose: {at: [0.52, 0, -0.17]}, markers: "
    "{slide: {at: [0, 0, 0], axis: [0, 1, 0]}, line: {at: [0, 0, 0], rotate: {axis: [1, 1, 1], angle: 120 deg}}}}\n"
    "  wheel: {mass: 1, centroid: [0, 0.01, 0.003], inertia: [0.003, 0.002, 0.002], pose: {at: [0, -0.15, 0.1]}, "
    "markers: {axle: {at: [0, 0, 0], axis: [1, 0, 0]}}}\n"
    "  pulley: {mass: 1, centroid: [0.01, 0.01, 0.003], inertia: [0.001, 0.001, 0.001], pose: {at: [0.12, 0.4, 0]}}\n"
    "  ground: {markers: {O: [0, 0, 0], two: [0.12, 0, 0], three: {at: [0.12, 0, -0.13], axis: [1, 0, 0]}, slide: {at: "
    "[0.52, 0, -0.17], axis: [0, 1, 0]}, wheel: {at: [0, -0.15, 0.1], axis: [1, 0, 0]}, pulley: [0.12, 0.4, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.O, one]}\n  B: {type: revolute, between: [ground.two, two]}\n  C: "
    "{type: revolute, between: [ground.three, three.axle]}\n  D: {type: prismatic, between: [ground.slide, "
    "bar.slide]}\n"
    "  E: {type: revolute, between: [ground.wheel, wheel.axle]}\n  F: {type: revolute, between: [ground.pulley, "
    "pulley]}\n"
    "  helical: {type: gear, between: [one, two], radii: [0.05, 0.07], helix_angle: 0.3}\n  bevel: {type: bevel, "
    "between: [two.cone, three.cone], radii: [0.06, 0.06]}\n"
    "  teeth: {type: rack, between: [bar.line, three.rack], radius: 0.04}\n  worm: {type: worm, between: [one.worm, "
    "wheel.axle], radii: [0.05, 0.1], pitch: 0.03}\n"
    "  belt: {type: belt, between: [two, pulley], radii: [0.07, 0.03], preload: 100}\n"
    "drives:\n  motor: {coordinate: A.angle, motion: \"7*t + t^2\"}\n" TIME;

static void teeth_and_belts_hold_relations(void **unused) {
    (void)unused;
    const LinkageCase cases[] = {
        {.name = "geared five-bar", .text = geared_five_bar, .drives = 1, .motion = {{1.2, 0.3, 0.1}}, .closings = 2},
        {.name = "planetary", .text = planetary, .drives = 1, .motion = {{0, 20}}, .closings = 3},
        {.name = "rack and belts", .text = rack_and_belts, .drives = 1, .motion = {{0.5, 6}}, .closings = 4},
        {.name = "train", .text = train, .drives = 1, .motion = {{0, 7, 1}}, .closings = 5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        linkage_compare(cases + k);
}

/* --- a delta robot: three driven arms, six rods between balls, whose spins are idle --- */

static char *delta_robot(void) {
    const double base = 0.2, arm = 0.3, rod = 0.6, hand = 0.05, half = 0.04, turn = 0.5;
    const double out = base + arm * cos(turn) - hand, elbow = -arm * sin(turn), drop = sqrt(rod * rod - out * out),
                 third = 2.0943951023931953;
    char *text = calloc(1, 1 << 16), *at = text;
    assert_non_null(text);
    at += sprintf(at,
                  SPACE "bodies:\n  hand: {mass: 1.5, centroid: [0.01, 0.005, -0.02], inertia: [0.002, 0.0025, 0.003], "
                        "pose: {at: [0, 0, %.17g]}, markers: {",
                  elbow - drop);
    for (int k = 0; k < 6; k++) {
        const double a = third * (k / 2), side = k % 2 ? half : -half;
        at += sprintf(at, "%sW%d: [%.17g, %.17g, 0]", k ? ", " : "", k, hand * cos(a) - side * sin(a),
                      hand * sin(a) + side * cos(a));
    }
    at += sprintf(at, "}}\n");
    for (int k = 0; k < 3; k++)
        at += sprintf(at,
                      "  arm%d: {mass: 0.8, centroid: [0.1, 0.002, 0.01], inertia: [0.001, 0.008, 0.008], pose: {at: "
                      "[%.17g, %.17g, 0], rotate: {euler: zyx, angles: [%.17g, %.17g, 0]}}, "
                      "markers: {H: {at: [0, 0, 0], rotate: {axis: [1, 0, 0], angle: -90 deg}}, E0: [%g, %g, 0], E1: "
                      "[%g, %g, 0]}}\n",
                      k, base * cos(third * k), base * sin(third * k), third * k, turn, arm, -half, arm, half);
    for (int k = 0; k < 6; k++) {
        const double a = third * (k / 2), side = k % 2 ? half : -half, r = base + arm * cos(turn);
        at += sprintf(
            at,
            "  rod%d: {mass: 0.1, centroid: [%g, 0, 0], inertia: [1e-5, 0.003, 0.003], pose: {at: [%.17g, %.17g, "
            "%.17g], rotate: {euler: zyx, angles: [%.17g, %.17g, 0]}}, markers: {E: [0, 0, 0], W: [%g, 0, 0]}}\n",
            k, 0.4 * rod, r * cos(a) - side * sin(a), r * sin(a) + side * cos(a), elbow, a, atan2(drop, -out), rod);
    }
    at += sprintf(at, "  ground: {markers: {");
    for (int k = 0; k < 3; k++)
        at += sprintf(at, "%sH%d: {at: [%.17g, %.17g, 0], rotate: {euler: zyx, angles: [%.17g, 0, -90 deg]}}",
                      k ? ", " : "", k, base * cos(third * k), base * sin(third * k), third * k);
    at += sprintf(at, "}}\njoints:\n");
    for (int k = 0; k < 3; k++)
        at += sprintf(at, "  shoulder%d: {type: revolute, between: [ground.H%d, arm%d.H]}\n", k, k, k);
    for (int k = 0; k < 6; k++)
        at += sprintf(at,
                      "  elbow%d: {type: spherical, between: [arm%d.E%d, rod%d.E]}\n  wrist%d: {type: spherical, "
                      "between: [hand.W%d, rod%d.W]}\n",
                      k, k / 2, k % 2, k, k, k, k);
    sprintf(at, "drives:\n  m0: {coordinate: shoulder0.angle, motion: \"0.5 + 0.3*t\"}\n  m1: {coordinate: "
                "shoulder1.angle, motion: \"0.5 - 0.2*t + 0.3*t^2\", rotor: {inertia: 1e-4, ratio: 20}}\n"
                "  m2: {coordinate: shoulder2.angle, motion: \"0.5 + 0.1*t - 0.4*t^2\"}\n" TIME);
    return text;
}

static void a_delta_robot_has_the_programs_numbers(void **unused) {
    (void)unused;
    char *text = delta_robot();
    linkage_compare(&(LinkageCase){.name = "delta",
                                   .text = text,
                                   .drives = 3,
                                   .motion = {{0.5, 0.3}, {0.5, -0.2, 0.3}, {0.5, 0.1, -0.4}},
                                   .closings = 5,
                                   .idle = 6});
    free(text);
}

/* --- two drives on one freedom: the program refuses them, arrays share the load --- */

#define PAIR(drives)                                                                                                   \
    PLANE                                                                                                              \
    "bodies:\n  one: {mass: 1, centroid: [0.05, 0], inertia: 0.001, pose: {at: [0, 0], angle: 0.5}, markers: {O: [0, " \
    "0], A: [0.1, 0]}}\n"                                                                                              \
    "  two: {mass: 1, centroid: [0.05, 0], inertia: 0.001, pose: {at: [0.3, 0], angle: 0.5}, markers: {O: [0, 0], A: " \
    "[0.1, 0]}}\n"                                                                                                     \
    "  rod: {mass: 2, centroid: [0.1, 0.02], inertia: 0.01, pose: {at: [0.08775825618903728, 0.0479425538604203]}, "   \
    "markers: {A: [0, 0], B: [0.3, 0]}}\n"                                                                             \
    "  ground: {markers: {O: [0, 0], C: [0.3, 0]}}\n"                                                                  \
    "joints:\n  O: {type: revolute, between: [ground.O, one.O]}\n  C: {type: revolute, between: [ground.C, two.O]}\n " \
    " A: {type: revolute, between: [one.A, rod.A]}\n  B: {type: revolute, between: [two.A, rod.B]}\n" drives TIME
static const char both[] = PAIR("drives:\n  first: {coordinate: O.angle, motion: \"0.5 + t\"}\n  second: {coordinate: "
                                "C.angle, motion: \"0.5 + t\"}\n");
static const char first_alone[] = PAIR("drives:\n  first: {coordinate: O.angle, motion: \"0.5 + t\"}\n");

typedef struct Opened {
    RbvModel *model;
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    double q[60];
} Opened;

static Opened open_text(const char *text) {
    Opened o = {.model = machine_read(text)};
    RbvDiagnostics *d = rbv_diagnostics_create();
    if (rbv_linkage_from_model(o.model, d, &o.tree, &o.linkage) != RBV_OK)
        machine_print(d);
    assert_non_null(o.linkage);
    rbv_diagnostics_destroy(d);
    assert_int_equal(rbv_linkage_workspace_create(o.linkage, 1, &o.w), RBV_OK);
    assert_int_equal(rbv_linkage_origin(o.linkage, o.q), RBV_OK);
    return o;
}
static void close_text(Opened *o) {
    rbv_linkage_workspace_destroy(o->w);
    rbv_linkage_destroy(o->linkage);
    rbv_tree_destroy(o->tree);
    rbv_model_destroy(o->model);
}

static void two_drives_share_a_load(void **unused) {
    (void)unused;
    Opened two = open_text(both), one = open_text(first_alone);
    assert_int_equal(rbv_linkage_start(two.linkage, two.w, two.q), RBV_OK);
    assert_int_equal(rbv_linkage_start(one.linkage, one.w, one.q), RBV_OK);
    for (int k = 0; k < 20; k++) {
        const double q[2] = {0.5 + 0.1 * k, 0.5 + 0.1 * k}, v[2] = {1, 1}, a[2] = {2, 2};
        double efforts[2], alone;
        uint8_t unique[2];
        assert_int_equal(rbv_linkage_inverse(two.linkage, two.w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                         RBV_OK);
        assert_int_equal(rbv_linkage_inverse(one.linkage, one.w, NULL, q, v, a, NULL, &alone, NULL, NULL, NULL, NULL),
                         RBV_OK);
        assert_near(efforts[0] + efforts[1], alone,
                    1e-11 * 10); /* both cranks turn at one rate: efforts of some 10 N m to rounding */
        assert_int_equal(rbv_linkage_unique_efforts(two.linkage, two.w, unique), RBV_OK);
        assert_true(!unique[0] && !unique[1]);
        assert_int_equal(rbv_linkage_unique_efforts(one.linkage, one.w, unique), RBV_OK);
        assert_true(unique[0]);
    }
    /* at rates, accelerations, positions that contradict each other there are no numbers */
    const double q[2] = {2.4, 2.4}, apart[2] = {2.4, 2.5}, v[2] = {1, 1}, other[2] = {1, 1.1}, a[2] = {0, 0};
    double efforts[2];
    assert_int_equal(rbv_linkage_inverse(two.linkage, two.w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_OK);
    assert_int_equal(rbv_linkage_inverse(two.linkage, two.w, NULL, q, other, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_INCONSISTENT);
    assert_true(isnan(efforts[0]) && isnan(efforts[1]));
    assert_int_equal(rbv_linkage_inverse(two.linkage, two.w, NULL, q, v, other, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_INCONSISTENT);
    assert_int_equal(rbv_linkage_inverse(two.linkage, two.w, NULL, apart, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_NOT_ASSEMBLED);
    assert_true(isnan(efforts[0]) && isnan(efforts[1]));
    close_text(&two);
    close_text(&one);
}

/* --- whole turns, and threads --- */

static void whole_turns_of_closings_are_told_by_the_first_sample(void **unused) {
    (void)unused;
    enum { COUNT = 600 };
    static double q[COUNT], v[COUNT], a[COUNT], efforts[3][COUNT], closing[2][6 * COUNT];
    Opened o = open_text(round_the_pin);
    RbvLinkageWorkspace *many = NULL;
    assert_int_equal(rbv_linkage_workspace_create(o.linkage, 3, &many), RBV_OK);
    for (int more = 0; more < 2; more++) {
        for (int k = 0; k < COUNT; k++)
            q[k] = 1.9524 + 0.05 * k + 6 * 3.141592653589793 * more, v[k] = 5, a[k] = 0;
        assert_int_equal(rbv_linkage_start(o.linkage, o.w, o.q), RBV_OK);
        assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, &(RbvTreeBatch){COUNT, RBV_BY_SAMPLE, 1}, q, v, a, NULL,
                                             efforts[more], NULL, closing[0], NULL, NULL),
                         RBV_OK);
    }
    assert_int_equal(rbv_linkage_start(o.linkage, many, o.q), RBV_OK);
    assert_int_equal(rbv_linkage_inverse(o.linkage, many, &(RbvTreeBatch){COUNT, RBV_BY_SAMPLE, 3}, q, v, a, NULL,
                                         efforts[2], NULL, closing[1], NULL, NULL),
                     RBV_OK);
    double most = 0;
    for (int k = 0; k < COUNT; k++)
        most = fmax(most, fabs(efforts[0][k]));
    assert_true(most > 1);
    for (int k = 0; k < COUNT; k++) {
        assert_near(efforts[1][k], efforts[0][k],
                    1e-9 * most); /* three turns on: angles to their rounding, loops to 1e-12 */
        assert_near(efforts[2][k], efforts[1][k], 1e-9 * most);
        for (int e = 0; e < 3; e++)
            assert_near(closing[1][6 * k + e], closing[0][6 * k + e],
                        1e-7 * most); /* forces, of some 100 N beside efforts of some N m */
    }
    rbv_linkage_workspace_destroy(many);
    close_text(&o);
}

/* --- what is refused, and what has no numbers --- */

static void assert_says(const char *text, const char *message) {
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

#define ROD(centroid, inertia)                                                                                         \
    RSSR_BODIES("  rod: {mass: 2, centroid: " centroid ", inertia: " inertia                                           \
                ", pose: {at: [0.1, 0, 0], rotate: {axis: [0, 0, 1], angle: 0.8}}, markers: {A: [0, 0, 0], B: [0.4, "  \
                "0, 0]}}\n")

static void what_turns_a_rod_is_said(void **unused) {
    (void)unused;
    assert_says(SPACE ROD("[0.2, 0.01, 0]", "[0.004, 0.03, 0.03]") RSSR_JOINTS MOTOR TIME,
                "the spin of 'rod' about its own line is free and not idle, since its centre of mass lies beside the "
                "line; a universal joint");
    assert_says(SPACE ROD("[0.2, 0, 0]", "[0.004, 0.03, 0.031]") RSSR_JOINTS MOTOR TIME,
                "not idle, since its inertia is not symmetric about the line");
    /* a wrench of the caller that turns the rod is no motion with the spin held */
    Opened o = open_text(rssr);
    assert_int_equal(rbv_linkage_start(o.linkage, o.w, o.q), RBV_OK);
    const int32_t rod = rbv_linkage_idle(o.linkage, 0);
    assert_true(rod >= 0 && rbv_linkage_idle(o.linkage, 1) == -1);
    assert_string_equal(rbv_tree_body(o.tree, rod)->name, "rod");
    for (int k = 0; k <= 20; k++) { /* held: nothing turns about the line, whatever else the rod does */
        const double angle = 0.005 * k, rate = 5, change = 1;
        double effort, moved[60], twist[6], ends[2][7], u[3], along = 0, all = 0;
        assert_int_equal(
            rbv_linkage_inverse(o.linkage, o.w, NULL, &angle, &rate, &change, NULL, &effort, NULL, NULL, moved, NULL),
            RBV_OK);
        RbvTreeWorkspace *w = NULL;
        assert_int_equal(rbv_tree_workspace_create(o.tree, 1, &w), RBV_OK);
        rbv_tree_marker_rates(o.tree, w, NULL, rod, NULL, moved, moved + rbv_tree_q_count(o.tree), twist, NULL);
        rbv_tree_pose(o.tree, w, NULL, rod, NULL, moved, ends[0]);
        rbv_tree_pose(o.tree, w, NULL, rod, rbv_tree_body(o.tree, rod)->centre, moved, ends[1]);
        rbv_tree_workspace_destroy(w);
        for (int e = 0; e < 3; e++)
            u[e] = ends[1][e] - ends[0][e], along += u[e] * twist[3 + e], all += fabs(twist[3 + e]);
        assert_true(all > 0.1);
        assert_near(along, 0, 1e-13 * all);
    }
    double wrenches[6 * 3] = {0}, efforts[2], motion[60];
    const double q = 0.1, v = 5, a = 1;
    wrenches[6 * rod] = 3, wrenches[6 * rod + 1] = 2; /* a force at the origin of its frame, which is on the line */
    assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, NULL, &q, &v, &a, wrenches, efforts, NULL, NULL, motion, NULL),
                     RBV_OK);
    wrenches[6 * rod + 3] = 1e-3; /* a torque about x, which is the line up to its turn in the marker of the ball */
    wrenches[6 * rod + 4] = wrenches[6 * rod + 5] = 1e-3;
    assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, NULL, &q, &v, &a, wrenches, efforts, NULL, NULL, motion, NULL),
                     RBV_INCONSISTENT);
    assert_true(isnan(efforts[0]) && isnan(motion[0]));
    close_text(&o);
}

static void what_no_linkage_has_is_said(void **unused) {
    (void)unused;
    const char two[] =
        "bodies: {a: {mass: 1, inertia: 1, markers: {A: [1, 0]}}, b: {mass: 1, inertia: 1, pose: {at: [1, 0]}}}\n";
    char text[2000];
    const struct Refusal {
        const char *rest, *message;
    } refusals[] = {
        {"joints: {p: {type: revolute, between: [ground, a]}}\ndrives: {motor: {coordinate: p.angle, motion: \"t\"}}\n",
         "fewer than the freedoms of the tree: 0 rows, of 4 freedoms 1 are driven; 3 more drives are missing"},
        {"joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [a.A, b]}}\nconstraints: "
         "{c: {equation: \"p.angle - q.angle\"}}\n",
         "a linkage cannot have it: constraint 'c'"},
        {"joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [a.A, b]}, r: {type: fixed, "
         "between: [ground, b], active: \"t < 1[s]\"}}\n",
         "joint 'r' (fixed) closes a loop, and comes and goes"},
        {"joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [a.A, b]}, e: {type: "
         "knife-edge, between: [ground, b]}}\n",
         "joint 'e' (knife-edge) closes a loop, and holds what rolls or slides along curves"},
        {"joints: {p: {type: revolute, between: [ground, a]}, q: {type: prismatic, between: [ground, b]}, g: {type: "
         "gear, between: [a, b], radii: [0.4, 0.6]}}\ndrives: {motor: {coordinate: p.angle, motion: \"t\"}}\n",
         "joint 'g': "},
        {"joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [a.A, b]}}\ndrives: {m: "
         "{coordinate: p.angle, motion: \"t\"}, n: {coordinate: \"q.angle\", motion: \"t\", active: \"t < 1[s]\"}}\n",
         "drive 'n' comes and goes"},
    };
    for (size_t k = 0; k < sizeof refusals / sizeof *refusals; k++) {
        snprintf(text, sizeof text, "%s%s%s", PLANE, two, refusals[k].rest);
        assert_says(text, refusals[k].message);
    }
    assert_says(SPACE ROD("[0.2, 0, 0]",
                          "[0.004, 0.03, 0.03]") "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: "
                                                 "{type: spherical, between: [crank.A, rod.A], damping: [1, 1, 1]}\n"
                                                 "  B: {type: spherical, between: [rocker.B, rod.B]}\n  C: {type: "
                                                 "revolute, between: [ground.C, rocker.C]}\n" MOTOR TIME,
                "damping of joint 'A' (spherical) about several axes");
}

/* The boom's cylinder cannot be longer than from its foot to the pin and back; numbers that are no numbers; a screw
 * beyond any pose. */
static void where_loops_lock_there_are_no_numbers(void **unused) {
    (void)unused;
    Opened o = open_text(boom_at_cylinder);
    double q[4] = {0.73, 0.8, 9, 0.8}, v[4] = {0}, a[4] = {0}, efforts[4], closing[24], reactions[18 * 4];
    assert_int_equal(rbv_linkage_start(o.linkage, o.w, o.q), RBV_OK);
    RbvLinkageReport report;
    const RbvStatus status = rbv_linkage_inverse(o.linkage, o.w, &(RbvTreeBatch){4, RBV_BY_SAMPLE, 0}, q, v, a, NULL,
                                                 efforts, reactions, closing, NULL, &report);
    assert_true(status == RBV_NOT_ASSEMBLED || status == RBV_LOCKED);
    assert_int_equal(report.samples, 2);
    for (int k = 0; k < 4; k++)
        assert_true(isfinite(efforts[k]) == (k < 2) && isfinite(closing[6 * k]) == (k < 2) &&
                    isfinite(reactions[18 * k]) == (k < 2));
    q[0] = 0.75;
    assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_OK); /* it goes on from where it was */
    q[0] = NAN;
    assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_NOT_FINITE);
    assert_true(isnan(efforts[0]));
    q[0] = 0.76, v[0] = INFINITY;
    assert_int_equal(rbv_linkage_inverse(o.linkage, o.w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_NOT_FINITE);
    assert_true(isnan(efforts[0]));
    close_text(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_between_balls_spin_idly),
        cmocka_unit_test(every_kind_closes_loops),
        cmocka_unit_test(what_closes_loops_is_driven_and_damped),
        cmocka_unit_test(teeth_and_belts_hold_relations),
        cmocka_unit_test(a_delta_robot_has_the_programs_numbers),
        cmocka_unit_test(two_drives_share_a_load),
        cmocka_unit_test(whole_turns_of_closings_are_told_by_the_first_sample),
        cmocka_unit_test(what_turns_a_rod_is_said),
        cmocka_unit_test(what_no_linkage_has_is_said),
        cmocka_unit_test(where_loops_lock_there_are_no_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
