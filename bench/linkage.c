/* Time of a sample of inverse dynamics of closed linkages on arrays (RbvLinkage), each from the one before, with all
 * reactions and the check by the laws of mechanics: the planar four-bar <= 1.5 us and <= 8000 instructions, one in
 * space (revolute, universal, spherical, revolute) <= 4 us; trains of N parallelograms, each on the rocker of the one
 * before, the same for each loop. Least of many rounds: machines are noisy.
 *
 *   build/release/bench/linkage              all
 *   build/release/bench/linkage NAME ROUNDS  one of them, so many rounds, whose samples it tells: for counting
 *     instructions by
 *   valgrind --tool=callgrind --toggle-collect=rbv_linkage_inverse build/release/bench/linkage planar 10
 */
#include "machines.h"

#include <math.h>

enum { SAMPLES = 1000, ROUNDS = 50 };

static RbvTreeBody bar(const char *name, int32_t parent, RbvTreeJoint joint, double at) {
    RbvTreeBody b = rbv_tree_body_default;
    b.name = name, b.parent = parent, b.joint = joint, b.place[0] = at, b.mass = 1, b.centre[0] = 0.1;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.01;
    return b;
}

/* What is measured, and how often. */
typedef struct Choice {
    const char *only; /* NULL: all */
    int rounds;
} Choice;

typedef struct Case {
    const char *name, *title;
    int32_t bodies, closings, samples;
    const RbvTreeBody *body;
    const RbvClosing *closing;
    double *start, middle, sweep; /* of the crank: middle + sweep sin(2 pi t), one turn of t in a round */
} Case;

typedef struct Run {
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    double *q, *v, *a, *efforts, *reactions, *closing_reactions;
} Run;

static void *room(size_t count) {
    void *memory = malloc(count * sizeof(double));
    if (!memory)
        exit(1);
    return memory;
}

static Run begin(const Case *c) {
    const double gravity[3] = {0, -9.81, 0}, turn = 6.283185307179586;
    const int32_t driven = 0;
    size_t samples = (size_t)c->samples;
    Run r = {.q = room(samples),
             .v = room(samples),
             .a = room(samples),
             .efforts = room(samples),
             .reactions = room(6 * samples * (size_t)c->bodies),
             .closing_reactions = room(6 * samples * (size_t)c->closings)};
    if (rbv_tree_create(c->bodies, c->body, gravity, NULL, &r.tree) != RBV_OK ||
        rbv_linkage_create(r.tree, c->closings, c->closing, 1, &driven, NULL, &r.linkage) != RBV_OK ||
        rbv_linkage_workspace_create(r.linkage, 1, &r.w) != RBV_OK ||
        rbv_linkage_start(r.linkage, r.w, c->start) != RBV_OK)
        exit(1);
    for (int32_t k = 0; k < c->samples; k++) {
        double t = turn * k / SAMPLES;
        r.q[k] = c->middle + c->sweep * sin(t), r.v[k] = c->sweep * turn * cos(t),
        r.a[k] = -c->sweep * turn * turn * sin(t);
    }
    return r;
}
static void end(Run *r) {
    rbv_linkage_workspace_destroy(r->w);
    rbv_linkage_destroy(r->linkage);
    rbv_tree_destroy(r->tree);
    free(r->q), free(r->v), free(r->a), free(r->efforts), free(r->reactions), free(r->closing_reactions);
}

/* Seconds of a sample; negative: another case is wanted. */
static double measure(const Case *c, const Choice *choice, RbvLinkageReport *report) {
    if (choice->only && strcmp(choice->only, c->name) != 0)
        return -1;
    Run r = begin(c);
    RbvTreeBatch batch = {c->samples, RBV_BY_SAMPLE, 0};
    double best = 1e9;
    for (int k = 0; k < choice->rounds; k++) {
        double from = bench_seconds();
        if (rbv_linkage_inverse(r.linkage, r.w, &batch, r.q, r.v, r.a, NULL, r.efforts, r.reactions,
                                r.closing_reactions, NULL, report) != RBV_OK)
            exit(1);
        double each = (bench_seconds() - from) / c->samples;
        best = each < best ? each : best;
    }
    end(&r);
    if (choice->only)
        printf("%lld samples\n", (long long)choice->rounds * c->samples);
    return best;
}

static void print(const Case *c, const Choice *choice) {
    RbvLinkageReport report;
    double best = measure(c, choice, &report);
    if (best >= 0)
        printf("%-8s %-40s %8.1f ns  %.2f iterations\n", c->name, c->title, 1e9 * best,
               (double)report.iterations / c->samples);
}

static void four_bars(const Choice *choice) {
    const RbvTreeBody bodies[] = {bar("crank", -1, RBV_TREE_REVOLUTE, 0), bar("rod", 0, RBV_TREE_REVOLUTE, 0.1),
                                  bar("rocker", -1, RBV_TREE_REVOLUTE, 0.4)};
    RbvClosing pin = {.body = {1, 2},
                      .place = {{0.4, 0, 0}, {0.3, 0, 0}},
                      .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                      .holds = RBV_CLOSE_PIN},
               hinge = pin, ball = pin;
    double start[3] = {0, 0.8, 1.5}, again[3] = {0, 0.8, 1.5}, askew[4] = {0, 0.8, 0, 1.5};
    hinge.holds = RBV_CLOSE_REVOLUTE, ball.holds = RBV_CLOSE_SPHERICAL;
    print(&(Case){"planar", "four-bar in the plane", 3, 1, SAMPLES, bodies, &pin, start, 0, 2}, choice);
    print(&(Case){"hinged", "the same in space, held three times more", 3, 1, SAMPLES, bodies, &hinge, again, 0, 2},
          choice);
    RbvTreeBody spatial[] = {bodies[0], bodies[1], bodies[2]};
    spatial[1].joint = RBV_TREE_UNIVERSAL, spatial[2].axis[1] = 0.3;
    print(&(Case){"spatial", "four-bar in space: R U S R", 3, 1, SAMPLES, spatial, &ball, askew, 0, 2}, choice);
}

/* Parallelograms: rockers of 1 m at 0, 2, 4, ... m, couplers of 2 m between them. */
static void train(int32_t loops, uint32_t holds, const Choice *choice) {
    RbvTreeBody *bodies = malloc((size_t)(2 * loops + 1) * sizeof *bodies);
    RbvClosing *closings = calloc((size_t)loops, sizeof *closings);
    char(*names)[16] = malloc((size_t)(2 * loops + 1) * sizeof *names), name[24];
    double *start = room((size_t)(2 * loops + 1));
    if (!bodies || !closings || !names)
        exit(1);
    for (int32_t k = 0; k < 2 * loops + 1; k++) {
        snprintf(names[k], sizeof names[k], "b%d", (int)k);
        bodies[k] =
            k % 2 ? bar(names[k], k < 2 ? 0 : k - 1, RBV_TREE_REVOLUTE, 1) : bar(names[k], -1, RBV_TREE_REVOLUTE, k);
        start[k] = k % 2 ? -1.3 : 1.3;
    }
    for (int32_t k = 0; k < loops; k++)
        closings[k] = (RbvClosing){.body = {2 * k + 1, 2 * k + 2},
                                   .place = {{2, 0, 0}, {1, 0, 0}},
                                   .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                   .holds = holds};
    snprintf(name, sizeof name, "%s%d", holds == RBV_CLOSE_PIN ? "train" : "hinges", (int)loops);
    RbvLinkageReport report;
    double best =
        measure(&(Case){name, "", 2 * loops + 1, loops, loops < 100 ? SAMPLES : 100, bodies, closings, start, 1.3, 0.8},
                choice, &report);
    if (best >= 0)
        printf("%-8s %4d parallelograms, %s %8.1f ns a loop\n", name, (int)loops,
               holds == RBV_CLOSE_PIN ? "in the plane           " : "in space, held too much", 1e9 * best / loops);
    free(bodies), free(closings), free(names), free(start);
}

int main(int argc, char **argv) {
    const Choice choice = {argc > 2 ? argv[1] : NULL, argc > 2 ? atoi(argv[2]) : ROUNDS};
    four_bars(&choice);
    for (int32_t loops = 1; loops <= 1000; loops *= 10)
        train(loops, RBV_CLOSE_PIN, &choice);
    for (int32_t loops = 1; loops <= 1000; loops *= 10)
        train(loops, RBV_CLOSE_REVOLUTE, &choice);
    return 0;
}
