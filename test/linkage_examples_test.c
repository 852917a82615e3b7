/* Examples that are closed linkages, without their loads (which are arguments of linkages), beside the whole program in
 * absolute coordinates. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/linkages.h"

static const LinkageCase examples[] = {
    {.name = "arm/arm", .file = RBV_SOURCE_DIR "/examples/arm/arm.yaml", .drives = 6, .closings = 0},
    {.name = "bricard/bricard",
     .file = RBV_SOURCE_DIR "/examples/bricard/bricard.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 5},
    {.name = "bricard/end_play", .file = RBV_SOURCE_DIR "/examples/bricard/end_play.yaml", .drives = 1, .closings = 1},
    {.name = "cardan/cardan",
     .file = RBV_SOURCE_DIR "/examples/cardan/cardan.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 3},
    {.name = "cardan/constant_velocity",
     .file = RBV_SOURCE_DIR "/examples/cardan/constant_velocity.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 3},
    {.name = "door/compliant",
     .file = RBV_SOURCE_DIR "/examples/door/compliant.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 5},
    {.name = "door/door",
     .file = RBV_SOURCE_DIR "/examples/door/door.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 5},
    {.name = "door/hinge_and_ball",
     .file = RBV_SOURCE_DIR "/examples/door/hinge_and_ball.yaml",
     .drives = 1,
     .closings = 1,
     .not_unique = 3},
    {.name = "engine/engine", .file = RBV_SOURCE_DIR "/examples/engine/engine.yaml", .drives = 1, .closings = 1},
    {.name = "governor/governor",
     .file = RBV_SOURCE_DIR "/examples/governor/governor.yaml",
     .drives = 2,
     .closings = 2},
    {.name = "leg/leg", .file = RBV_SOURCE_DIR "/examples/leg/leg.yaml", .drives = 4, .closings = 1, .at_closings = 1},
    {.name = "planetary/one_planet",
     .file = RBV_SOURCE_DIR "/examples/planetary/one_planet.yaml",
     .drives = 1,
     .closings = 2},
    {.name = "press/press", .file = RBV_SOURCE_DIR "/examples/press/press.yaml", .drives = 1, .closings = 1},
    {.name = "pumpjack/pumpjack",
     .file = RBV_SOURCE_DIR "/examples/pumpjack/pumpjack.yaml",
     .drives = 1,
     .closings = 2},
    {.name = "scissor/both_sides",
     .file = RBV_SOURCE_DIR "/examples/scissor/both_sides.yaml",
     .drives = 1,
     .closings = 8,
     .at_closings = 1,
     .not_unique = 10},
    {.name = "scissor/scissor",
     .file = RBV_SOURCE_DIR "/examples/scissor/scissor.yaml",
     .drives = 1,
     .closings = 4,
     .at_closings = 1},
    {.name = "shaper/shaper", .file = RBV_SOURCE_DIR "/examples/shaper/shaper.yaml", .drives = 1, .closings = 4},
    {.name = "slider3d/slider3d",
     .file = RBV_SOURCE_DIR "/examples/slider3d/slider3d.yaml",
     .drives = 1,
     .closings = 1},
    {.name = "stewart/stewart",
     .file = RBV_SOURCE_DIR "/examples/stewart/stewart.yaml",
     .drives = 6,
     .closings = 5,
     .scale = 24000 /* the cabin weighs as much */},
};

static void compare(void **state) {
    linkage_compare(*state);
}

int main(void) {
    enum { COUNT = sizeof examples / sizeof *examples };
    struct CMUnitTest tests[COUNT];
    for (int k = 0; k < COUNT; k++)
        tests[k] = (struct CMUnitTest){examples[k].name, compare, NULL, NULL, (void *)(uintptr_t)(examples + k)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
