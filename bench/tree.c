/* Time of a sample of inverse dynamics of open trees (RbvTree): one sample a call, and batches in both layouts, with
 * each kind of lanes that this machine has.
 *
 * Then mass matrix, forward dynamics and derivatives: of the arm <= 400, 600 and 1500 ns one sample.
 *
 * Judged, with AVX-512: the arm of seven axes at <= 200 ns one sample, <= 60 by sample, <= 40 by number; the tree of
 * 30 at <= 1200, <= 250, <= 170; the chain of 10^5 at twice the chain of 1000's time for each joint at most. Least of
 * many rounds: machines are noisy. */
#include "machines.h"

#include <math.h>

static uint64_t seed = 88172645463325252u;
static double uniform(double from, double to) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return from + (to - from) * (double)(seed >> 11) * 0x1p-53;
}

/* Masses, and frames turned by right angles about x as of an arm, or none. */
#define NAME 16
static RbvTreeBody *bodies_of(int32_t count, const int32_t *parents) {
    RbvTreeBody *bodies = calloc((size_t)count, sizeof *bodies);
    char *names = calloc((size_t)count, NAME);
    if (!bodies || !names)
        exit(1);
    for (int32_t k = 0; k < count; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        snprintf(names + NAME * k, NAME, "b%d", (int)k);
        b->name = names + NAME * k, b->parent = parents ? parents[k] : k - 1;
        b->turn[0] = b->turn[k % 3 ? 1 : 0] = sqrt(0.5);
        b->mass = uniform(0.5, 4);
        for (int e = 0; e < 3; e++)
            b->place[e] = uniform(-0.3, 0.3), b->centre[e] = uniform(-0.1, 0.1), b->inertia[e] = uniform(0.02, 0.025);
    }
    return bodies;
}

typedef struct Samples {
    int64_t count, n;
    double *q, *v, *a, *tau;
} Samples;

static Samples samples_of(int64_t count, int64_t n) {
    Samples s = {count, n, 0, 0, 0, 0};
    double **arrays[] = {&s.q, &s.v, &s.a, &s.tau};
    for (int k = 0; k < 4; k++) {
        *arrays[k] = malloc((size_t)(count * n) * sizeof(double));
        if (!*arrays[k])
            exit(1);
        for (int64_t e = 0; e < count * n; e++)
            (*arrays[k])[e] = uniform(-1, 1) * (k == 0 ? 3.14 : 1);
    }
    return s;
}

/* [ns] of a sample: `way` 0 one a call, 1 by sample, 2 by number. */
static double time_of(const RbvTree *tree, RbvTreeWorkspace *workspace, const Samples *s, int way, int rounds) {
    double best = 1e9;
    RbvTreeBatch batch = {s->count, way == 1 ? RBV_BY_SAMPLE : RBV_BY_NUMBER, 1};
    for (int r = 0; r < rounds; r++) {
        double start = bench_seconds();
        if (way > 0)
            rbv_tree_inverse(tree, workspace, &batch, s->q, s->v, s->a, NULL, s->tau, NULL);
        else
            for (int64_t k = 0; k < s->count; k++)
                rbv_tree_inverse(tree, workspace, NULL, s->q + k * s->n, s->v + k * s->n, s->a + k * s->n, NULL,
                                 s->tau + k * s->n, NULL);
        double each = (bench_seconds() - start) / (double)s->count;
        best = each < best ? each : best;
    }
    return 1e9 * best;
}

static void measure(const char *title, int32_t count, const int32_t *parents, int64_t samples, int rounds) {
    static const char *const lanes[] = {"", "one", "base", "AVX2", "AVX-512"};
    const double gravity[3] = {0, 0, -9.81};
    RbvTreeBody *bodies = bodies_of(count, parents);
    RbvTree *tree;
    RbvTreeWorkspace *workspace;
    double start = bench_seconds();
    if (rbv_tree_create(count, bodies, gravity, NULL, &tree) != RBV_OK)
        exit(1);
    if (rbv_tree_workspace_create(tree, 1, &workspace) !=
        RBV_OK) { /* 5 kB a link, of which inverse dynamics touches a tenth */
        printf("%s: no memory\n", title);
        rbv_tree_destroy(tree);
        free((char *)(uintptr_t)bodies[0].name), free(bodies);
        return;
    }
    double created = bench_seconds() - start;
    Samples s = samples_of(samples, count);
    printf("%s, created in %.3f ms\n", title, 1e3 * created);
    for (int k = RBV_LANES_ONE; k <= RBV_LANES_AVX512; k++) {
        if (rbv_tree_workspace_set_lanes(workspace, (RbvTreeLanes)k) != RBV_OK)
            continue;
        printf("  %-8s", lanes[k]);
        for (int way = 0; way < 3; way++) {
            double each = time_of(tree, workspace, &s, way, rounds);
            printf("  %s %9.1f ns (%5.2f a joint)",
                   way == 0   ? "one"
                   : way == 1 ? "by sample"
                              : "by number",
                   each, each / count);
        }
        printf("\n");
    }
    free(s.q), free(s.v), free(s.a), free(s.tau);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    free((char *)(uintptr_t)bodies[0].name), free(bodies);
}

/* [ns] of a sample of what = 0 mass matrix, 1 forward dynamics, 2 derivatives. */
static double time_of_other(const RbvTree *tree, RbvTreeWorkspace *workspace, const Samples *s, int what, bool many,
                            int rounds, double *out) {
    double best = 1e9;
    RbvTreeBatch batch = {s->count, RBV_BY_NUMBER, 1};
    int64_t n = s->n, step = what == 1 ? n : n * n;
    double *other = out + s->count * n * n;
    for (int r = 0; r < rounds; r++) {
        double start = bench_seconds();
        for (int64_t k = 0; k < (many ? 1 : s->count); k++) {
            const double *q = s->q + k * n, *v = s->v + k * n, *a = s->a + k * n;
            const RbvTreeBatch *b = many ? &batch : NULL;
            if (what == 0)
                rbv_tree_mass_matrix(tree, workspace, b, q, out + k * step);
            else if (what == 1)
                rbv_tree_forward(tree, workspace, b, q, v, a, NULL, out + k * step);
            else
                rbv_tree_derivatives(tree, workspace, b, q, v, a, NULL, out + k * step, other + k * step, NULL);
        }
        double each = (bench_seconds() - start) / (double)s->count;
        best = each < best ? each : best;
    }
    return 1e9 * best;
}

static void measure_others(const char *title, int32_t count, const int32_t *parents, int64_t samples, int rounds) {
    static const char *const whats[] = {"mass matrix", "forward dynamics", "derivatives"};
    const double gravity[3] = {0, 0, -9.81};
    RbvTreeBody *bodies = bodies_of(count, parents);
    RbvTree *tree;
    RbvTreeWorkspace *workspace;
    if (rbv_tree_create(count, bodies, gravity, NULL, &tree) != RBV_OK ||
        rbv_tree_workspace_create(tree, 1, &workspace) != RBV_OK)
        exit(1);
    Samples s = samples_of(samples, count);
    double *out = malloc(2 * (size_t)(samples * count * count) * sizeof *out);
    if (!out)
        exit(1);
    for (int what = 0; what < 3; what++)
        printf("%s, %-16s  one %9.1f ns  by number %9.1f ns\n", title, whats[what],
               time_of_other(tree, workspace, &s, what, false, rounds, out),
               time_of_other(tree, workspace, &s, what, true, rounds, out));
    free(out), free(s.q), free(s.v), free(s.a), free(s.tau);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    free((char *)(uintptr_t)bodies[0].name), free(bodies);
}

/* For counting instructions (test/instructions_test.py): `calls` calls for the arm of seven axes, of `what` = inverse,
 * forward or mass; or of `batch`, inverse dynamics of as many samples by number. */
static int call_arm(const char *what, int64_t calls) {
    enum { AXES = 7, MOST = 1024 };
    const double gravity[3] = {0, 0, -9.81};
    RbvTreeBody *bodies = bodies_of(AXES, NULL);
    RbvTree *tree;
    RbvTreeWorkspace *workspace;
    if (calls < 0 || calls > MOST || rbv_tree_create(AXES, bodies, gravity, NULL, &tree) != RBV_OK ||
        rbv_tree_workspace_create(tree, 1, &workspace) != RBV_OK)
        return 1;
    Samples s = samples_of(MOST, AXES);
    double M[AXES * AXES];
    RbvTreeBatch batch = {calls, RBV_BY_NUMBER, 1};
    char first = what[0];
    if (first == 'b')
        rbv_tree_inverse(tree, workspace, &batch, s.q, s.v, s.a, NULL, s.tau, NULL);
    for (int64_t k = 0; first != 'b' && k < AXES * calls; k += AXES)
        if (first == 'i')
            rbv_tree_inverse(tree, workspace, NULL, s.q + k, s.v + k, s.a + k, NULL, s.tau + k, NULL);
        else if (first == 'f')
            rbv_tree_forward(tree, workspace, NULL, s.q + k, s.v + k, s.a + k, NULL, s.tau + k);
        else if (first == 'm')
            rbv_tree_mass_matrix(tree, workspace, NULL, s.q + k, M);
    free(s.q), free(s.v), free(s.a), free(s.tau);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    free((char *)(uintptr_t)bodies[0].name), free(bodies);
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3)
        return call_arm(arguments[1], atoll(arguments[2]));
    /* two legs, two arms and a head on a trunk */
    static const int32_t walker[30] = {-1, 0,  1,  2,  1,  4,  5,  6,  7,  8,  9,  1,  11, 12, 13,
                                       14, 15, 16, -1, 18, 19, 20, 21, 22, -1, 24, 25, 26, 27, 28};
    measure("arm of seven axes", 7, NULL, 1024, 300);
    measure("tree of 30", 30, walker, 1024, 100);
    measure("chain of 100", 100, NULL, 256, 100);
    measure("chain of 1000", 1000, NULL, 64, 40);
    measure("chain of 10000", 10000, NULL, 16, 20);
    measure("chain of 100000", 100000, NULL, 16, 5);
    measure("chain of 1000000", 1000000, NULL, 8, 2);
    measure_others("arm of seven axes", 7, NULL, 512, 100);
    measure_others("tree of 30", 30, walker, 128, 50);
    measure_others("chain of 100", 100, NULL, 16, 20);
    return 0;
}
