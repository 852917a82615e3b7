/* Time of a sample of inverse dynamics of closed linkages on arrays (RbvLinkage), each from the one before, with all reactions: the planar four-bar <= 1.5 us, one in space (revolute, universal, spherical,
 * revolute) <= 4 us. Under callgrind the planar one is to take <= 8000 instructions; it takes 13600 with all reactions. Least of many rounds: machines are noisy. */
#include "machines.h"

#include <math.h>

enum { SAMPLES = 1000, ROUNDS = 50 };

static RbvTreeBody bar(const char *name, int32_t parent, RbvTreeJoint joint, double at) {
    RbvTreeBody b = rbv_tree_body_default();
    b.name = name, b.parent = parent, b.joint = joint, b.place[0] = at, b.mass = 1, b.centre[0] = 0.1;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.01;
    return b;
}

static void measure(const char *title, int32_t count, const RbvTreeBody *bodies, const RbvClosing *closing, double *start, double from, double sweep) {
    const double gravity[3] = {0, -9.81, 0};
    const int32_t driven = 0;
    static double q[SAMPLES], v[SAMPLES], a[SAMPLES], efforts[SAMPLES], reactions[18 * SAMPLES], closing_reactions[6 * SAMPLES];
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    if (rbv_tree_create(count, bodies, gravity, NULL, &tree) != RBV_OK || rbv_linkage_create(tree, 1, closing, 1, &driven, NULL, &linkage) != RBV_OK || rbv_linkage_workspace_create(linkage, 1, &w) != RBV_OK)
        exit(1);
    for (int k = 0; k < SAMPLES; k++)
        q[k] = from + sweep * sin(6.283185307179586 * k / SAMPLES), v[k] = sweep, a[k] = 0;
    if (rbv_linkage_start(linkage, w, start) != RBV_OK)
        exit(1);
    RbvTreeBatch batch = {SAMPLES, RBV_BY_SAMPLE, 0};
    RbvLinkageReport report;
    for (int all = 0; all < 2; all++) {
        double best = 1e9;
        for (int r = 0; r < ROUNDS; r++) {
            double begin = bench_seconds();
            if (rbv_linkage_inverse(linkage, w, &batch, q, v, a, NULL, efforts, all ? reactions : NULL, all ? closing_reactions : NULL, NULL, &report) != RBV_OK)
                exit(1);
            double each = (bench_seconds() - begin) / SAMPLES;
            best = each < best ? each : best;
        }
        printf("%-24s %-14s %8.1f ns  %.2f iterations\n", title, all ? "all reactions" : "efforts", 1e9 * best, (double)report.iterations / SAMPLES);
    }
    rbv_linkage_workspace_destroy(w);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
}

int main(void) {
    {
        const RbvTreeBody bodies[] = {bar("crank", -1, RBV_TREE_REVOLUTE, 0), bar("rod", 0, RBV_TREE_REVOLUTE, 0.1), bar("rocker", -1, RBV_TREE_REVOLUTE, 0.4)};
        RbvClosing pin = {{1, 2}, {{0.4, 0, 0}, {0.3, 0, 0}}, {{1, 0, 0, 0}, {1, 0, 0, 0}}, RBV_CLOSE_PIN};
        double start[3] = {0, 0.8, 1.5}, again[3] = {0, 0.8, 1.5};
        measure("planar four-bar", 3, bodies, &pin, start, 0, 2);
        pin.holds = RBV_CLOSE_REVOLUTE;
        measure("the same, held in space", 3, bodies, &pin, again, 0, 2);
    }
    {
        RbvTreeBody bodies[] = {bar("crank", -1, RBV_TREE_REVOLUTE, 0), bar("rod", 0, RBV_TREE_UNIVERSAL, 0.1), bar("rocker", -1, RBV_TREE_REVOLUTE, 0.4)};
        bodies[2].axis[1] = 0.3;
        RbvClosing ball = {{1, 2}, {{0.4, 0, 0}, {0.3, 0, 0}}, {{1, 0, 0, 0}, {1, 0, 0, 0}}, RBV_CLOSE_SPHERICAL};
        double start[4] = {0, 0.8, 0, 1.5};
        measure("in space: R U S R", 3, bodies, &ball, start, 0, 2);
    }
    return 0;
}
