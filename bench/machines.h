/* Machines that several benches share, as model texts. */
#ifndef BENCH_MACHINES_H
#define BENCH_MACHINES_H

#include <roberval/roberval.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double bench_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The driven four-bar of theory problem D1, with spring, damper and loads. */
static const char bench_four_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 2.0, centroid: [0.45, 0.05], inertia: 0.2, pose: {at: [0, 0], angle: 0.88}, markers: {A: [0, 0], "
    "P1: [1, 0]}}\n"
    "  coupler: {mass: 3.0, centroid: [1.2, 0.2], inertia: 1.7, pose: {at: [0.6, 0.8], angle: 0.44},\n"
    "            markers: {P1: [0, 0], P2: [2.6, 0], E: [2.0, 0.5], P: [1.3, 0.8]}}\n"
    "  rocker: {mass: 2.5, centroid: [0.9, -0.1], inertia: 0.8, pose: {at: [3, 0], angle: 1.59}, markers: {B: [0, 0], "
    "P2: [1.9, 0]}}\n"
    "  ground: {markers: {A: [0, 0], B: [3, 0], D: [1.5, 3]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, crank.A]}\n  P1: {type: revolute, between: [crank.P1, "
    "coupler.P1]}\n"
    "  P2: {type: revolute, between: [coupler.P2, rocker.P2]}\n  B: {type: revolute, between: [ground.B, rocker.B]}\n"
    "drives: {motor: {coordinate: A.angle, motion: \"0.9 + 6*t\"}}\n"
    "loads:\n  push: {type: force, to: coupler.E, value: [10, -20]}\n  twist: {type: torque, to: rocker, value: 5}\n"
    "  strut: {type: spring, between: [ground.D, coupler.P], stiffness: 300, free_length: 1.1, damping: 15}\n"
    "motion: {from: 0, to: 1, step: 1 ms}\n";

/* A train of `count` parallelogram loops: crank, then coupler and rocker per loop; one drive. To be freed. */
static inline char *bench_train(int count) {
    size_t size = (size_t)count * 900 + 2000, used = 0;
    char *text = malloc(size);
    if (!text)
        return NULL;
#define PUT(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    PUT("roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {G0: [0, 0]");
    for (int k = 1; k <= count; k++)
        PUT(", G%d: [%d, 0]", k, 2 * k);
    PUT("}}\n");
    for (int k = 0; k <= count; k++) {
        double x = 2.0 * k, cx = x + 0.5 * 0.8775825618903728, cy = 0.5 * 0.479425538604203;
        PUT("  rocker%d: {mass: 1, inertia: 0.1, pose: {at: [%.17g, %.17g], angle: 0.5}, markers: {G: [-0.5, 0], P: "
            "[0.5, 0]}}\n",
            k, cx, cy);
        if (k > 0)
            PUT("  coupler%d: {mass: 2, inertia: 0.7, pose: {at: [%.17g, %.17g]}, markers: {L: [-1, 0], R: [1, 0]}}\n",
                k, x - 1 + 0.8775825618903728, 0.479425538604203);
    }
    PUT("joints:\n  A0: {type: revolute, between: [ground.G0, rocker0.G]}\n");
    for (int k = 1; k <= count; k++)
        PUT("  L%d: {type: revolute, between: [rocker%d.P, coupler%d.L]}\n  R%d: {type: revolute, between: "
            "[coupler%d.R, rocker%d.P]}\n"
            "  A%d: {type: revolute, between: [ground.G%d, rocker%d.G]}\n",
            k, k - 1, k, k, k, k, k, k, k);
    PUT("drives: {motor: {coordinate: A0.angle, motion: \"0.5 + 0.8*(1 - cos(2*t))\"}}\nmotion: {from: 0, to: 1, step: "
        "10 ms}\n");
#undef PUT
    return text;
}

/* Compile a text; NULL and a message when it is wrong. */
static inline RbvSystem *bench_system(const char *text, RbvModel **model) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSystem *system = NULL;
    *model = NULL;
    if (rbv_model_read(&(RbvInput){.path = "bench.yaml", .text = text, .length = strlen(text)}, diagnostics, model) ==
        RBV_OK)
        rbv_system_create(*model, NULL, diagnostics, &system);
    for (int32_t k = 0; !system && k < rbv_diagnostics_count(diagnostics); k++)
        fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
    rbv_diagnostics_destroy(diagnostics);
    return system;
}

/* Seconds of one inverse analysis with this step; negative when it fails (said). */
static inline double bench_inverse(const RbvSystem *system, double to, double step, RbvInverseMethod method) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.from = 0;
    options.to = to;
    options.step = step;
    options.inverse.method = method;
    options.threads = 1; /* time of a core */
    double start = bench_seconds();
    RbvStatus status = rbv_inverse(system, &options, diagnostics, &result);
    double seconds = bench_seconds() - start;
    if (status != RBV_OK) {
        for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
            fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
        seconds = -1;
    }
    rbv_result_destroy(result);
    rbv_diagnostics_destroy(diagnostics);
    return seconds;
}

#endif
