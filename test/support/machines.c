/* Machines and small tools that several C tests share; see machines.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char machine_four_bar[] =
    "roberval: 1\n"
    "title: Four-bar\n"
    "space: planar\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01], inertia: 0.001, pose: {at: [0, 0], angle: 1},\n"
    "    markers: {O: [0, 0], A: [0.1, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0], inertia: 0.03, pose: {at: [0.054, 0.084], angle: 0.4},\n"
    "    markers: {A: [0, 0], B: [0.4, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0], inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5},\n"
    "    markers: {C: [0, 0], B: [0.3, 0]}}\n"
    "  ground: {markers: {O: [0, 0], C: [0.4, 0]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground.O, crank.O]}\n"
    "  A: {type: revolute, between: [crank.A, rod.A]}\n"
    "  B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\n"
    "drives:\n"
    "  motor: {coordinate: O.angle, motion: \"1 + 2*pi*t\"}\n"
    "loads:\n"
    "  spring: {type: spring, between: [ground.O, rocker.B], stiffness: 200, free_length: 0.3, damping: 2}\n"
    "motion: {from: 0, to: 1, step: 0.01}\n"
    "output: {height: \"y(rod.B)\", power: \"motor.effort*O.angle'\"}\n";

const char machine_parallelogram[] = "roberval: 1\n"
                                     "title: Three parallel cranks\n"
                                     "space: planar\n"
                                     "gravity: [0, -9.81]\n"
                                     "bodies:\n"
                                     "  one: {mass: 1, centroid: [0.1, 0], inertia: 0.01, pose: {at: [0, 0], angle: "
                                     "0.7}, markers: {O: [0, 0], A: [0.2, 0]}}\n"
                                     "  two: {mass: 1, centroid: [0.1, 0], inertia: 0.01, pose: {at: [0.3, 0], angle: "
                                     "0.7}, markers: {O: [0, 0], A: [0.2, 0]}}\n"
                                     "  three: {mass: 1, centroid: [0.1, 0], inertia: 0.01, pose: {at: [0.6, 0], "
                                     "angle: 0.7}, markers: {O: [0, 0], A: [0.2, 0]}}\n"
                                     "  beam: {mass: 4, centroid: [0.3, 0], inertia: 0.2, pose: {at: [0.153, 0.129]},\n"
                                     "    markers: {A: [0, 0], B: [0.3, 0], C: [0.6, 0]}}\n"
                                     "  ground: {markers: {A: [0, 0], B: [0.3, 0], C: [0.6, 0]}}\n"
                                     "joints:\n"
                                     "  O1: {type: revolute, between: [ground.A, one.O]}\n"
                                     "  O2: {type: revolute, between: [ground.B, two.O]}\n"
                                     "  O3: {type: revolute, between: [ground.C, three.O]}\n"
                                     "  A1: {type: revolute, between: [one.A, beam.A]}\n"
                                     "  A2: {type: revolute, between: [two.A, beam.B]}\n"
                                     "  A3: {type: revolute, between: [three.A, beam.C]}\n"
                                     "drives:\n"
                                     "  motor: {coordinate: O1.angle, motion: \"0.7 + 0.5*t\"}\n"
                                     "motion: {from: 0, to: 1, step: 0.01}\n";

const char machine_slider_crank[] =
    "roberval: 1\n"
    "title: Slider-crank\n"
    "space: planar\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.001, pose: {at: [0, 0], angle: 1}, markers: {O: [0, 0], A: [0.1, 0]}}\n"
    "  rod: {mass: 1, centroid: [0.15, 0], inertia: 0.01, pose: {at: [0.054, 0.084], angle: -0.28},\n"
    "    markers: {A: [0, 0], B: [0.3, 0]}}\n"
    "  slider: {mass: 1, inertia: 0.001, pose: {at: [0.34, 0]}, markers: {B: [0, 0]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground, crank.O]}\n"
    "  A: {type: revolute, between: [crank.A, rod.A]}\n"
    "  B: {type: revolute, between: [rod.B, slider.B]}\n"
    "  slide: {type: prismatic, between: [ground, slider.B]}\n"
    "drives:\n"
    "  motor: {coordinate: O.angle, motion: \"1 + 5*t\"}\n"
    "motion: {from: 0, to: 1, step: 0.01}\n";

void machine_print(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        print_message("%s:%d:%d: %d: %s\n", d.file, (int)d.at.line, (int)d.at.column, (int)d.severity, d.message);
    }
}

RbvModel *machine_read(const char *text) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvStatus status =
        rbv_model_read(&(RbvInput){.path = "machine.yaml", .text = text, .length = strlen(text)}, diagnostics, &model);
    if (status != RBV_OK)
        machine_print(diagnostics);
    rbv_diagnostics_destroy(diagnostics);
    assert_int_equal(status, RBV_OK);
    return model;
}

RbvSystem *machine_compile(RbvModel *model) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSystem *system = NULL;
    RbvStatus status = rbv_system_create(model, NULL, diagnostics, &system);
    if (status != RBV_OK)
        machine_print(diagnostics);
    rbv_diagnostics_destroy(diagnostics);
    assert_int_equal(status, RBV_OK);
    return system;
}

double machine_random(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

void machine_assert_near(double got, double expected, double tolerance, const char *file, int line) {
    if (fabs(got - expected) <= tolerance)
        return;
    print_error("%.17g is not %.17g to %g\n", got, expected, tolerance);
    _fail(file, line);
}

bool machine_says(const RbvDiagnostics *diagnostics, RbvSeverity severity, const char *part) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        if (d.severity == severity && strstr(d.message, part))
            return true;
    }
    return false;
}
