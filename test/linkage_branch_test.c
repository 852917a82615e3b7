/* Linkages (RbvLinkage) stay on their branch: four-bars and five-bars whose branches come near each other, by jumps of
 * any size; and shares of a batch on threads follow the way of the samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <string.h>

static RbvTreeBody bar(const char *name, int32_t parent, double at) {
    RbvTreeBody b = rbv_tree_body_default;
    b.name = name, b.parent = parent, b.place[0] = at, b.mass = 1, b.centre[0] = 0.1;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.01;
    return b;
}

typedef struct Machine {
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
} Machine;

static Machine machine(int32_t count, const RbvTreeBody *bodies, const RbvClosing *closing, int32_t driven_count,
                       const int32_t *driven, int32_t threads) {
    const double gravity[3] = {0, -9.81, 0};
    Machine m = {0};
    assert_int_equal(rbv_tree_create(count, bodies, gravity, NULL, &m.tree), RBV_OK);
    assert_int_equal(rbv_linkage_create(m.tree, 1, closing, driven_count, driven, NULL, &m.linkage), RBV_OK);
    assert_int_equal(rbv_linkage_workspace_create(m.linkage, threads, &m.w), RBV_OK);
    return m;
}
static void drop(Machine *m) {
    rbv_linkage_workspace_destroy(m->w);
    rbv_linkage_destroy(m->linkage);
    rbv_tree_destroy(m->tree);
}

/* Crank 0.1, rod 0.4, ground 0.4 and a rocker that is longer than the crank by `more`: as the crank turns its branches
 * nearly meet where all lie in one line. */
static Machine nearly_parallel(double more, uint32_t holds) {
    const RbvTreeBody bodies[3] = {bar("crank", -1, 0), bar("rod", 0, 0.1), bar("rocker", -1, 0.4)};
    const RbvClosing closing = {.body = {1, 2},
                                .place = {{0.4, 0, 0}, {0.1 + more, 0, 0}},
                                .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                .holds = holds};
    return machine(3, bodies, &closing, 1, &(int32_t){0}, 1);
}

/* The branch: on which side of the rod the rocker turns to. */
static double side(const double *q) {
    return sin(q[2] - q[0] - q[1]);
}

static void four_bars_keep_their_branch(void **unused) {
    (void)unused;
    uint64_t seed = 5;
    for (int held = 0; held < 2; held++)
        for (double more = 1e-3; more > 1e-7; more *= 0.1)
            for (int branch = -1; branch <= 1; branch += 2) {
                Machine m = nearly_parallel(more, held ? RBV_CLOSE_REVOLUTE : RBV_CLOSE_PIN);
                double start[3] = {1.2, branch > 0 ? -1.2 : -2.6, branch > 0 ? 1.2 : -1.6}, x = start[0];
                assert_int_equal(rbv_linkage_start(m.linkage, m.w, start), RBV_OK);
                double of = side(start);
                assert_true(fabs(of) > 0.1);
                for (int k = 0; k < 2000; k++) { /* jumps of 0.001 to 3 rad, some from the line itself */
                    double to = k % 10 == 9 ? 3.141592653589793 * (k / 10 % 3)
                                            : x + pow(10, 1.75 * machine_random(&seed) - 1.25) *
                                                      (machine_random(&seed) > 0 ? 1 : -1);
                    double v = k % 3 == 0 ? 0 : to - x, a = 0.1 * (k % 3 == 2), effort, motion[9];
                    RbvStatus status =
                        rbv_linkage_inverse(m.linkage, m.w, NULL, &to, &v, &a, NULL, &effort, NULL, NULL, motion, NULL);
                    assert_int_equal(status, RBV_OK);
                    assert_true(side(motion) * of > 0);
                    x = to;
                }
                drop(&m);
            }
}

/* Two cranks of 0.3 that are 0.4 apart, rods of 0.6 and 0.5: two driven numbers. */
static Machine five_bar(int32_t threads) {
    const RbvTreeBody bodies[4] = {bar("left", -1, 0), bar("long", 0, 0.3), bar("right", -1, 0.4),
                                   bar("short", 2, 0.3)};
    const RbvClosing pin = {.body = {1, 3},
                            .place = {{0.6, 0, 0}, {0.5, 0, 0}},
                            .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                            .holds = RBV_CLOSE_PIN};
    return machine(4, bodies, &pin, 2, (const int32_t[]){0, 2}, threads);
}
static const double five_start[4] = {2.5, -1.7, 0.5, 1.5};

static void five_bars_keep_their_branch(void **unused) {
    (void)unused;
    Machine m = five_bar(1);
    double start[4];
    memcpy(start, five_start, sizeof start);
    assert_int_equal(rbv_linkage_start(m.linkage, m.w, start), RBV_OK);
    double of = sin(start[2] + start[3] - start[0] - start[1]);
    uint64_t seed = 7;
    for (int k = 0; k < 3000; k++) {
        double q[2] = {2.4 + 0.8 * machine_random(&seed), 0.6 + 0.8 * machine_random(&seed)},
               v[2] = {machine_random(&seed), machine_random(&seed)}, a[2] = {1, -1}, efforts[2], motion[12];
        assert_int_equal(rbv_linkage_inverse(m.linkage, m.w, NULL, q, v, a, NULL, efforts, NULL, NULL, motion, NULL),
                         RBV_OK);
        assert_true(sin(motion[2] + motion[3] - motion[0] - motion[1]) * of > 0);
    }
    drop(&m);
}

/* --- threads --- */

enum { COUNT = 1000, MOST_DRIVEN = 2, MOST_BODIES = 4 };

typedef struct Batch {
    double q[MOST_DRIVEN * COUNT], v[MOST_DRIVEN * COUNT], a[MOST_DRIVEN * COUNT], wrenches[6 * MOST_BODIES * COUNT];
} Batch;
typedef struct Out {
    double efforts[MOST_DRIVEN * COUNT], reactions[6 * MOST_BODIES * COUNT], closing[6 * COUNT],
        motion[3 * MOST_BODIES * COUNT];
    RbvLinkageReport report;
    RbvStatus status;
} Out;

static Out run(const Machine *m, const double *start, const Batch *b, RbvTreeLayout layout, int32_t threads) {
    static Out o;
    double q[MOST_BODIES];
    memcpy(q, start, sizeof q);
    assert_int_equal(rbv_linkage_start(m->linkage, m->w, q), RBV_OK);
    o.status = rbv_linkage_inverse(m->linkage, m->w, &(RbvTreeBatch){COUNT, layout, threads}, b->q, b->v, b->a,
                                   b->wrenches, o.efforts, o.reactions, o.closing, o.motion, &o.report);
    return o;
}

/* The same numbers to rounding, the same not numbers. */
static void assert_alike(const double *a, const double *b, int64_t count, double size) {
    for (int64_t k = 0; k < count; k++) {
        assert_int_equal(isnan(a[k]), isnan(b[k]));
        if (!isnan(a[k]))
            assert_near(a[k], b[k], 1e-10 * (size + fabs(b[k])));
    }
}

static void threads_give_the_numbers_of_one(const Machine *m, const double *start, const Batch *b, int32_t bodies,
                                            int32_t driven, double size) {
    static Out one, more;
    for (int layout = 0; layout < 2; layout++) {
        one = run(m, start, b, (RbvTreeLayout)layout, 1);
        for (int32_t threads = 2; threads <= 5; threads++) {
            more = run(m, start, b, (RbvTreeLayout)layout, threads);
            assert_int_equal(more.status, one.status);
            assert_int_equal(more.report.samples, one.report.samples);
            assert_alike(more.motion, one.motion, 3 * (int64_t)bodies * COUNT, 1);
            assert_alike(more.efforts, one.efforts, (int64_t)driven * COUNT, size);
            assert_alike(more.reactions, one.reactions, 6 * (int64_t)bodies * COUNT, size);
            assert_alike(more.closing, one.closing, 6 * (int64_t)COUNT, size);
            /* and the workspace goes on from the last sample */
            double next[MOST_DRIVEN], zero[MOST_DRIVEN] = {0}, efforts[2][MOST_DRIVEN];
            for (int32_t k = 0; k < driven; k++)
                next[k] = 0.01 + b->q[layout ? (k + 1) * COUNT - 1 : COUNT * driven - driven + k];
            if (one.status == RBV_OK)
                for (int32_t t = 1; t <= 2; t++) {
                    run(m, start, b, (RbvTreeLayout)layout, t == 1 ? 1 : threads);
                    assert_int_equal(rbv_linkage_inverse(m->linkage, m->w, NULL, next, zero, zero, NULL, efforts[t - 1],
                                                         NULL, NULL, NULL, NULL),
                                     RBV_OK);
                }
            for (int32_t k = 0; one.status == RBV_OK && k < driven; k++)
                assert_near(efforts[0][k], efforts[1][k], 1e-10 * (size + fabs(efforts[0][k])));
        }
    }
}

static void put(Batch *b, int64_t number, int64_t k, double s, double v, double a) {
    b->q[number * COUNT + k] = s, b->v[number * COUNT + k] = v, b->a[number * COUNT + k] = a;
}

static void shares_on_threads_are_one_batch(void **unused) {
    (void)unused;
    static Batch b;
    for (int64_t k = 0; k < 6 * MOST_BODIES * COUNT; k++)
        b.wrenches[k] = sin((double)k);
    { /* a crank that turns, held too much; its numbers are the same in both layouts */
        const RbvTreeBody bodies[3] = {bar("crank", -1, 0), bar("rod", 0, 0.1), bar("rocker", -1, 0.4)};
        const RbvClosing hinge = {.body = {1, 2},
                                  .place = {{0.4, 0, 0}, {0.3, 0, 0}},
                                  .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                  .holds = RBV_CLOSE_REVOLUTE};
        Machine m = machine(3, bodies, &hinge, 1, &(int32_t){0}, 4);
        for (int k = 0; k < COUNT; k++)
            put(&b, 0, k, 0.04 * k, 0.04, 0);
        threads_give_the_numbers_of_one(&m, (const double[4]){0, 0.8, 1.5}, &b, 3, 1, 10);
        drop(&m);
        /* driven at the rocker it comes to a dead centre in the third share */
        m = machine(3, bodies, &hinge, 1, &(int32_t){2}, 4);
        for (int k = 0; k < COUNT; k++)
            put(&b, 0, k, 1.9 + 0.0007 * k, 0.0007, 0);
        threads_give_the_numbers_of_one(&m, (const double[4]){0, 0.8, 1.9}, &b, 3, 1, 1000);
        static Out o;
        o = run(&m, (const double[4]){0, 0.8, 1.9}, &b, RBV_BY_NUMBER, 4);
        assert_true(o.status == RBV_LOCKED || o.status == RBV_NOT_ASSEMBLED);
        assert_true(o.report.samples > 250 && o.report.samples < COUNT);
        drop(&m);
    }
}

/* A point on a circle about the ground's origin, driven by its coordinates; a bar that turns and slides leads to it.
 * How often it has turned hangs on the way. */
static void shares_follow_the_way_of_the_samples(void **unused) {
    (void)unused;
    static Batch b;
    static Out one, more;
    RbvTreeBody bodies[4] = {bar("x", -1, 0), bar("y", 0, 0), bar("bar", -1, 0), bar("slide", 2, 0)};
    bodies[0].joint = bodies[1].joint = bodies[3].joint = RBV_TREE_PRISMATIC;
    bodies[0].axis[2] = bodies[1].axis[2] = bodies[3].axis[2] = 0;
    bodies[0].axis[0] = bodies[1].axis[1] = bodies[3].axis[0] = 1;
    const RbvClosing pin = {
        .body = {1, 3}, .place = {{0, 0, 0}, {0, 0, 0}}, .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}}, .holds = RBV_CLOSE_PIN};
    Machine m = machine(4, bodies, &pin, 2, (const int32_t[]){0, 1}, 4);
    const double start[4] = {1, 0, 0, 1};
    for (int k = 0; k < COUNT; k++) {
        double w = 0.0157, t = w * k; /* two and a half turns */
        put(&b, 0, k, cos(t), -w * sin(t), -w * w * cos(t));
        put(&b, 1, k, sin(t), w * cos(t), -w * w * sin(t));
    }
    one = run(&m, start, &b, RBV_BY_NUMBER, 1);
    more = run(&m, start, &b, RBV_BY_NUMBER, 4);
    assert_int_equal(one.status, RBV_OK);
    assert_int_equal(more.status, RBV_OK);
    for (int k = 0; k < COUNT; k++) {
        assert_near(one.motion[2 * COUNT + k], 0.0157 * k, 1e-9);
        assert_near(one.motion[3 * COUNT + k], 1, 1e-11);
        for (int e = 0; e < 12; e++)
            assert_near(more.motion[e * COUNT + k], one.motion[e * COUNT + k], 1e-10);
    }
    assert_true(one.report.iterations <= 1010); /* samples of a smooth motion of two numbers: one step each */
    drop(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bars_keep_their_branch),
        cmocka_unit_test(five_bars_keep_their_branch),
        cmocka_unit_test(shares_on_threads_are_one_batch),
        cmocka_unit_test(shares_follow_the_way_of_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
