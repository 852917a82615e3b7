/* Time per sample of inverse dynamics in space: a driven four-bar with a revolute, a spherical, a universal and a
 * revolute joint (judged at <= 15 us), the planar four-bar in space with three self-stresses, and chains and trains
 * that grow to 10^4 bodies. The difference of a long and a short run takes out assembly; best of several rounds:
 * machines are noisy. */
#include "machines.h"

/* Crank about z through the origin, rocker about a skew axis; rod with a ball at the crank and a cross at the rocker.
 */
static const char exact[] =
    "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  ground: {markers: {A: [0, 0, 0], D: {at: [0.5, 0.1, 0], axis: [0, 1, 0.2]}}}\n"
    "  crank: {mass: 0.5, centroid: [0.05, 0, 0], inertia: [1e-4, 5e-4, 5e-4], markers: {A: [0, 0, 0], B: [0.1, 0, "
    "0]}}\n"
    "  rod: {mass: 1, centroid: [0.2, 0, 0.1], inertia: [1e-3, 1e-2, 1e-2], pose: {at: [0.1, 0, 0]},\n"
    "        markers: {B: [0, 0, 0], C: {at: [0.4, 0, 0.3], axis: [0.6, 0.2, -0.8]}}}\n"
    "  rocker: {mass: 0.8, centroid: [0, 0, 0.15], inertia: [8e-3, 8e-3, 2e-4], pose: {at: [0.5, 0.1, 0]},\n"
    "           markers: {D: {at: [0, 0, 0], axis: [0, 1, 0.2]}, C: {at: [0, -0.1, 0.3], axis: [0, 1, 0]}}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, crank.A]}\n  B: {type: spherical, between: [crank.B, rod.B]}\n"
    "  C: {type: universal, between: [rocker.C, rod.C]}\n  D: {type: revolute, between: [ground.D, rocker.D]}\n"
    "drives: {motor: {coordinate: A.angle, motion: \"6*t\"}}\nmotion: {from: 0, to: 1, step: 1 ms}\n";

/* Four parallel pins: 20 rows, rank 17. */
static const char redundant[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  ground: {markers: {A: [0, 0, 0], D: [0.4, 0, 0]}}\n"
    "  crank: {mass: 0.5, centroid: [0.05, 0, 0], inertia: [1e-4, 5e-4, 5e-4], pose: {at: [0, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 60 deg}},\n"
    "          markers: {A: [0, 0, 0], B: [0.1, 0, 0]}}\n"
    "  rod: {mass: 1, centroid: [0.2, 0, 0], inertia: [1e-3, 1e-2, 1e-2], pose: {at: [0.05, 0.0866, 0], rotate: {axis: "
    "[0, 0, 1], angle: 32 deg}},\n"
    "        markers: {B: [0, 0, 0], C: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 0.8, centroid: [0.15, 0, 0], inertia: [2e-4, 8e-3, 8e-3], pose: {at: [0.4, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 92 deg}},\n"
    "           markers: {D: [0, 0, 0], C: [0.3, 0, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, crank.A]}\n  B: {type: revolute, between: [crank.B, rod.B]}\n"
    "  C: {type: revolute, between: [rod.C, rocker.C]}\n  D: {type: revolute, between: [ground.D, rocker.D]}\n"
    "drives: {motor: {coordinate: A.angle, motion: \"1.0472 + 6*t\"}}\nmotion: {from: 0, to: 1, step: 1 ms}\n";

/* Links hung one from the other by pins whose axes take turns, every pin driven. To be freed. */
static char *chain(int count) {
    size_t size = (size_t)count * 420 + 2000, used = 0;
    char *text = malloc(size);
    if (!text)
        return NULL;
#define PUT(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    PUT("roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int k = 0; k < count; k++) {
        const char *turn = k % 2 ? "[1, 0, 0]" : "[0, 1, 0]", *next = k % 2 ? "[0, 1, 0]" : "[1, 0, 0]";
        PUT("  b%d: {mass: 1, centroid: [0, 0, -0.05], inertia: [1e-3, 1e-3, 2e-4], pose: {at: [0, 0, %.17g]},\n"
            "       markers: {P: {at: [0, 0, 0], axis: %s}, Q: {at: [0, 0, -0.1], axis: %s}}}\n",
            k, -0.1 * k, turn, next);
    }
    PUT("joints:\n  j0: {type: revolute, between: [ground, b0.P], at: [0, 0, 0], axis: [0, 1, 0]}\n");
    for (int k = 1; k < count; k++)
        PUT("  j%d: {type: revolute, between: [b%d.Q, b%d.P]}\n", k, k - 1, k);
    PUT("drives:\n");
    for (int k = 0; k < count; k++)
        PUT("  d%d: {coordinate: j%d.angle, motion: \"%.17g*(1 - cos(2*t))\"}\n", k, k,
            (k % 3 - 1.0) * 0.2 / (1 + k % 7));
    PUT("motion: {from: 0, to: 1, step: 10 ms}\n");
#undef PUT
    return text;
}

static double per_sample(const RbvSystem *system, double step_long, double step_short, int rounds) {
    double best = 1e9;
    for (int k = 0; k < rounds; k++) {
        double few = bench_inverse(system, 1, step_short, RBV_METHOD_TWO_STEP),
               many = bench_inverse(system, 1, step_long, RBV_METHOD_TWO_STEP);
        if (few < 0 || many < 0)
            return -1;
        double each = (many - few) / (1 / step_long - 1 / step_short);
        best = each < best ? each : best;
    }
    return best;
}

int main(void) {
    RbvModel *model;
    static const char *const texts[] = {exact, redundant}, *const names[] = {
                                                               "four-bar of a pin, a ball, a cross and a pin",
                                                               "four-bar of four pins"};
    for (int k = 0; k < 2; k++) {
        RbvSystem *system = bench_system(texts[k], &model);
        if (!system)
            return 1;
        printf("%-46s %7.2f us per sample%s\n", names[k], 1e6 * per_sample(system, 1e-4, 1e-2, 7),
               k ? "" : " (limit 15)");
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    static const int sizes[] = {10, 30, 100, 300, 1000, 3000, 10000};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        char *text = chain(sizes[k]);
        double start = bench_seconds();
        RbvSystem *system = text ? bench_system(text, &model) : NULL;
        double loaded = bench_seconds() - start;
        if (!system)
            return 1;
        double many = sizes[k] < 300    ? 2000
                      : sizes[k] < 3000 ? 500
                                        : 100,
               each = per_sample(system, 1 / many, 10 / many, 3);
        printf("chain of %5d links: %10.1f us per sample, %6.3f us per body, read and compiled in %.1f ms\n", sizes[k],
               1e6 * each, 1e6 * each / sizes[k], 1e3 * loaded);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        free(text);
    }
    return 0;
}
