/* How linkages (RbvLinkage) are solved: trains of many loops by their closed form and the law of energy, factors front
 * by front by what defines them, Newton's order, how many steps smooth motions take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arrays/linkage.h"
#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOOPS = 40, BODIES = 2 * LOOPS + 1 };

typedef struct Machine {
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    RbvTreeWorkspace *tree_workspace;
} Machine;

/* Does a body spin freely between balls? Such linkages are refused. */
static bool spins(int32_t count, const RbvTreeBody *bodies, int32_t closings, const RbvClosing *closing) {
    RbvTree *tree = NULL;
    RbvLinkage *linkage = NULL;
    RbvDiagnostics *d = rbv_diagnostics_create();
    assert_int_equal(rbv_tree_create(count, bodies, NULL, NULL, &tree), RBV_OK);
    rbv_linkage_create(tree, closings, closing, 1, &(int32_t){0}, d, &linkage);
    const bool is = machine_says(d, RBV_ERROR, "about its own line is free and not idle");
    rbv_diagnostics_destroy(d);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
    return is;
}

static Machine machine(int32_t count, const RbvTreeBody *bodies, const double *gravity, int32_t closings,
                       const RbvClosing *closing) {
    Machine m = {0};
    assert_int_equal(rbv_tree_create(count, bodies, gravity, NULL, &m.tree), RBV_OK);
    assert_int_equal(rbv_linkage_create(m.tree, closings, closing, 1, &(int32_t){0}, NULL, &m.linkage), RBV_OK);
    assert_int_equal(rbv_linkage_workspace_create(m.linkage, 1, &m.w), RBV_OK);
    assert_int_equal(rbv_tree_workspace_create(m.tree, 1, &m.tree_workspace), RBV_OK);
    return m;
}
static void drop(Machine *m) {
    rbv_tree_workspace_destroy(m->tree_workspace);
    rbv_linkage_workspace_destroy(m->w);
    rbv_linkage_destroy(m->linkage);
    rbv_tree_destroy(m->tree);
}

static char names[BODIES][16];
static RbvTreeBody bar(int32_t k, int32_t parent, double at) {
    RbvTreeBody b = rbv_tree_body_default;
    snprintf(names[k], sizeof names[k], "b%d", (int)k);
    b.name = names[k], b.parent = parent, b.place[0] = at, b.mass = 1 + 0.1 * (k % 3), b.centre[0] = 0.3,
    b.centre[1] = 0.05 * (k % 4);
    b.inertia[0] = b.inertia[1] = b.inertia[2] = 0.1;
    return b;
}

/* Rockers of 1 m at 0, 2, 4, ... m, couplers of `coupler` between them: all rockers turn alike where that is 2. */
static Machine train(double coupler, uint32_t holds) {
    RbvTreeBody bodies[BODIES];
    RbvClosing closings[LOOPS];
    const double gravity[3] = {1, -9.81, 0};
    for (int32_t k = 0; k < BODIES; k++)
        bodies[k] = k % 2 ? bar(k, k < 2 ? 0 : k - 1, 1) : bar(k, -1, k);
    for (int32_t k = 0; k < LOOPS; k++)
        closings[k] = (RbvClosing){.body = {2 * k + 1, 2 * k + 2},
                                   .place = {{coupler, 0, 0}, {1, 0, 0}},
                                   .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                   .holds = holds};
    return machine(BODIES, bodies, gravity, LOOPS, closings);
}
static void start_train(Machine *m, double angle) {
    double start[BODIES];
    for (int k = 0; k < BODIES; k++)
        start[k] = k % 2 ? -angle : angle;
    assert_int_equal(rbv_linkage_start(m->linkage, m->w, start), RBV_OK);
}

typedef struct Out {
    double effort, reactions[6 * BODIES], closing[6 * LOOPS], motion[3 * BODIES];
} Out;
static Out at(Machine *m, double q, double v, double a) {
    static Out o;
    RbvLinkageReport report;
    assert_int_equal(rbv_linkage_inverse(m->linkage, m->w, NULL, &q, &v, &a, NULL, &o.effort, o.reactions, o.closing,
                                         o.motion, &report),
                     RBV_OK);
    assert_true(report.gap <= 1e-12 && report.motion < 1e-13 &&
                report.balance <
                    1e-12); /* rounding, beside the terms; closings as open as they may be change angles by that */
    return o;
}

static void parallelograms_turn_alike(void **unused) {
    (void)unused;
    Machine m = train(2, RBV_CLOSE_PIN), held = train(2, RBV_CLOSE_REVOLUTE);
    start_train(&m, 1.1);
    start_train(&held, 1.1);
    for (int s = 0; s < 40; s++) {
        double q = 1.1 + 0.02 * s;
        static Out o, other;
        o = at(&m, q, 3, -2), other = at(&held, q, 3, -2);
        for (int k = 0; k < BODIES; k++) {
            double sign = k % 2 ? -1 : 1;
            assert_near(o.motion[k], sign * q, 1e-11);
            assert_near(o.motion[BODIES + k], sign * 3, 1e-10);
            assert_near(o.motion[2 * BODIES + k], sign * -2, 1e-9);
        }
        /* what hinges in space hold more gets nothing of forces in the plane: least norm */
        assert_near(other.effort, o.effort, 1e-10 * (1000 + fabs(o.effort)));
        for (int k = 0; k < 6 * LOOPS; k++)
            assert_near(other.closing[k], o.closing[k], 1e-10 * (1000 + fabs(o.closing[k])));
    }
    drop(&m);
    drop(&held);
}

/* Couplers that are a little longer: nothing is alike. Power is the rate of energy. */
static void trains_keep_energy(void **unused) {
    (void)unused;
    for (int held = 0; held < 2; held++) {
        Machine m = train(2.001, held ? RBV_CLOSE_REVOLUTE : RBV_CLOSE_PIN);
        start_train(&m, 1.2);
        const double h = 1e-4, v = 2;
        for (double q = 1.2; q < 1.6; q += 0.1) {
            double energy[5], effort = 0;
            for (int k = 0; k < 5; k++) {
                static Out o;
                double energies[2];
                o = at(&m, q + v * (k - 2) * h, v, 0);
                rbv_tree_energies(m.tree, m.tree_workspace, NULL, o.motion, o.motion + BODIES, energies);
                energy[k] = energies[0] + energies[1];
                if (k == 2)
                    effort = o.effort;
            }
            double rate = (8 * (energy[3] - energy[1]) - (energy[4] - energy[0])) / (12 * h);
            assert_near(effort * v, rate, 1e-7 * (1e3 + fabs(rate))); /* 1e3 J to rounding, by h */
        }
        drop(&m);
    }
}

/* --- factors --- */

static double number(uint64_t *seed, double most) {
    return most * machine_random(seed);
}
static void turn(uint64_t *seed, double t[4]) {
    for (int k = 0; k < 4; k++)
        t[k] = machine_random(seed);
    t[0] += 1.5;
}

/* Bodies on random others by joints of up to three freedoms, closings between random ones: nothing closes, but C is as
 * good as any. */
static Machine tangle(uint64_t *seed, int32_t count, int32_t closings) {
    static const RbvTreeJoint joints[] = {RBV_TREE_REVOLUTE,    RBV_TREE_UNIVERSAL, RBV_TREE_REVOLUTE,
                                          RBV_TREE_CYLINDRICAL, RBV_TREE_SPHERICAL, RBV_TREE_PRISMATIC};
    static const uint32_t holds[] = {RBV_CLOSE_REVOLUTE, RBV_CLOSE_FIXED, RBV_CLOSE_SPHERICAL, RBV_CLOSE_CYLINDRICAL,
                                     RBV_CLOSE_UNIVERSAL};
    RbvTreeBody bodies[BODIES];
    RbvClosing closing[LOOPS];
    for (int32_t k = 0; k < count; k++) {
        bodies[k] = bar(k, k % 4 == 0 ? -1 : k - 1, 0);
        bodies[k].joint = k == 0 ? RBV_TREE_REVOLUTE : joints[(unsigned)(3 + number(seed, 3)) % 6];
        turn(seed, bodies[k].turn);
        for (int e = 0; e < 3; e++)
            bodies[k].place[e] = number(seed, 1), bodies[k].axis[e] = number(seed, 1),
            bodies[k].second_axis[e] = number(seed, 1);
    }
    for (int32_t k = 0; k < closings; k++) {
        RbvClosing *c = closing + k;
        *c = (RbvClosing){.body = {k % count, (k + 3) % count}, .holds = holds[(unsigned)(3 + number(seed, 3)) % 5]};
        for (int side = 0; side < 2; side++) {
            turn(seed, c->turn[side]);
            for (int e = 0; e < 3; e++)
                c->place[side][e] = number(seed, 1);
        }
    }
    for (int32_t k = 0; k < closings && spins(count, bodies, closings, closing); k++)
        closing[k].holds = closing[k].holds == RBV_CLOSE_SPHERICAL ? RBV_CLOSE_UNIVERSAL : closing[k].holds;
    return machine(count, bodies, NULL, closings, closing);
}

/* C_free[rows][free], row-major. */
static double *dense(const Machine *m) {
    const RbvLinkage *l = m->linkage;
    double *C = calloc((size_t)l->rows * (size_t)l->free_count, sizeof *C);
    assert_non_null(C);
    for (int32_t k = 0; k < l->block_count; k++) {
        const RbvLinkageBlock *b = l->block + k;
        for (int32_t e = 0; e < b->entries; e++)
            for (int32_t row = 0; row < b->rows && l->entry[b->entry + e].free >= 0; row++)
                C[(b->row + row) * l->free_count + l->entry[b->entry + e].free] =
                    m->w->C[b->values + (ptrdiff_t)b->rows * e + row];
    }
    return C;
}

/* x is the least squares solution, with its error; lambda solves the transposed equations and has no part in the null
 * space, whose basis is orthonormal. */
static void check_factors(Machine *m, uint64_t *seed) {
    const RbvLinkage *l = m->linkage;
    RbvLinkageWorkspace *w = m->w;
    int32_t rows = l->rows, n = l->free_count;
    double *C = dense(m), *b = calloc((size_t)rows, sizeof *b), *x = calloc((size_t)n, sizeof *x),
           *lambda = calloc((size_t)rows, sizeof *lambda), *basis = calloc((size_t)rows * (size_t)rows, sizeof *basis);
    assert_true(b && x && lambda && basis);
    for (int32_t k = 0; k < rows; k++)
        w->right[k] = b[k] = number(seed, 1);
    double rest = rbv_linkage_solve(l, w), sum = 0, size = 1;
    for (int32_t k = 0; k < n; k++)
        size = fmax(size, fabs(w->x[k]));
    for (int32_t row = 0; row < rows; row++) {
        for (int32_t k = 0; k < n; k++)
            b[row] -= C[row * n + k] * w->x[k];
        sum += b[row] * b[row];
    }
    assert_near(rest, sqrt(sum), 1e-11 * size);
    for (int32_t k = 0; k < n; k++) {
        double gradient = 0;
        for (int32_t row = 0; row < rows; row++)
            gradient += C[row * n + k] * b[row];
        assert_near(gradient, 0, 1e-11 * size);
    }
    for (int32_t k = 0; k < n; k++)
        w->x[k] = x[k] = number(seed, 1);
    rbv_linkage_solve_transposed(l, w);
    memcpy(lambda, w->lambda, (size_t)rows * sizeof *lambda);
    size = 1;
    for (int32_t row = 0; row < rows; row++)
        size = fmax(size, fabs(lambda[row]));
    for (int32_t k = 0; k < n; k++) {
        for (int32_t row = 0; row < rows; row++)
            x[k] -= C[row * n + k] * lambda[row];
        assert_near(x[k], 0, 1e-11 * size);
    }
    for (int32_t i = 0; i < rows - n; i++) {
        rbv_linkage_null(l, w, i);
        memcpy(basis + (ptrdiff_t)rows * i, w->lambda, (size_t)rows * sizeof *basis);
        double part = 0;
        for (int32_t row = 0; row < rows; row++)
            part += w->lambda[row] * lambda[row];
        assert_near(part, 0, 1e-11 * size);
        for (int32_t k = 0; k < n; k++) {
            double moved = 0;
            for (int32_t row = 0; row < rows; row++)
                moved += C[row * n + k] * w->lambda[row];
            assert_near(moved, 0, 1e-12);
        }
        for (int32_t j = 0; j <= i; j++) {
            double product = 0;
            for (int32_t row = 0; row < rows; row++)
                product += basis[rows * i + row] * basis[rows * j + row];
            assert_near(product, i == j, 1e-12);
        }
    }
    free(C), free(b), free(x), free(lambda), free(basis);
}

static void factors_are_least_squares_and_least_norm(void **unused) {
    (void)unused;
    int32_t regular = 0, redundant = 0, fronts = 0;
    for (uint64_t seed = 1; seed <= 60;) {
        uint64_t now = seed;
        Machine m = tangle(&now, 24, 22);
        double q[4 * BODIES], v[3 * BODIES];
        rbv_tree_neutral(m.tree, q);
        for (int32_t k = 0; k < rbv_tree_v_count(m.tree); k++)
            v[k] = number(&now, 1);
        rbv_tree_move(m.tree, m.tree_workspace, NULL, q, v, m.w->now);
        rbv_linkage_rows(m.linkage, m.w);
        if (m.linkage->rows >= m.linkage->free_count && rbv_linkage_factor(m.linkage, m.w)) {
            regular++, redundant += m.linkage->rows > m.linkage->free_count, fronts += m.linkage->front_count;
            check_factors(&m, &now);
        }
        drop(&m);
        seed++;
    }
    print_message("%d of 60 regular, %d of these with more rows than needed, %d fronts\n", (int)regular, (int)redundant,
                  (int)fronts);
    assert_true(regular > 40 && redundant > 20 && fronts > 3 * regular);
}

/* --- Newton's method --- */

/* A four-bar in space: revolute, universal, spherical, revolute. */
static Machine spatial(double start[4]) {
    RbvTreeBody bodies[3] = {bar(0, -1, 0), bar(1, 0, 0.1), bar(2, -1, 0.4)};
    bodies[1].joint = RBV_TREE_UNIVERSAL, bodies[2].axis[1] = 0.3;
    const RbvClosing ball = {.body = {1, 2},
                             .place = {{0.4, 0, 0}, {0.3, 0, 0}},
                             .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                             .holds = RBV_CLOSE_SPHERICAL};
    const double gravity[3] = {0, -9.81, 1};
    Machine m = machine(3, bodies, gravity, 1, &ball);
    const double near[4] = {0, 0.8, 0, 1.5};
    memcpy(start, near, sizeof near);
    assert_int_equal(rbv_linkage_start(m.linkage, m.w, start), RBV_OK);
    return m;
}

static void newton_converges_quadratically(void **unused) {
    (void)unused;
    double q[4], error[2][3];
    double worst, length;
    Machine m = spatial(q);
    memcpy(m.w->now, q, sizeof q);
    for (int k = 0; k < 2; k++) /* to rounding */
        assert_true(rbv_linkage_correct(m.linkage, m.w, &worst, &length));
    memcpy(q, m.w->now, sizeof q);
    for (int size = 0; size < 2; size++) {
        for (int k = 0; k < 4; k++)
            m.w->now[k] = q[k] + (size ? 0.005 : 0.05) * (k == 0 ? 0 : k == 2 ? -1 : 1);
        for (int step = 0; step < 3; step++) {
            assert_true(rbv_linkage_correct(m.linkage, m.w, &worst, &length));
            error[size][step] = 0;
            for (int k = 0; k < 4; k++)
                error[size][step] = fmax(error[size][step], fabs(m.w->now[k] - q[k]));
        }
    }
    /* a tenth of the error makes a hundredth of the next, but for terms of the third order */
    assert_near(log10(error[0][0] / error[1][0]), 2, 0.1);
    for (int size = 0; size < 2; size++) {
        double constant = error[size][0] / pow(size ? 0.005 : 0.05, 2), next = error[size][1] / pow(error[size][0], 2);
        assert_true(next < 3 * constant + 1e-15 / pow(error[size][0], 2)); /* and the same constant again */
        assert_true(error[size][2] < 1e-14 || error[size][2] < 3 * constant * pow(error[size][1], 2));
    }
    drop(&m);
}

/* Samples of a smooth motion: one step each, whatever the rates and accelerations given, as they lead along the same
 * path; without rates, by the tangents, two. */
static void smooth_motions_take_one_step(void **unused) {
    (void)unused;
    enum { COUNT = 1000 };
    static double q[COUNT], v[COUNT], a[COUNT], zero[COUNT], wild[COUNT], efforts[COUNT], motion[3][12 * COUNT];
    uint64_t seed = 3;
    for (int k = 0; k < COUNT; k++) {
        double t = 6.283185307179586 * k / COUNT;
        q[k] = 2 * sin(t), v[k] = 2 * cos(t), a[k] = -2 * sin(t), wild[k] = machine_random(&seed);
    }
    RbvTreeBatch batch = {COUNT, RBV_BY_SAMPLE, 1};
    RbvLinkageReport report;
    double start[4];
    Machine m = spatial(start);
    for (int kind = 0; kind < 3; kind++) {
        assert_int_equal(rbv_linkage_start(m.linkage, m.w, start), RBV_OK);
        assert_int_equal(rbv_linkage_inverse(m.linkage, m.w, &batch, q,
                                             kind == 0   ? v
                                             : kind == 1 ? zero
                                                         : wild,
                                             kind == 0   ? a
                                             : kind == 1 ? zero
                                                         : wild,
                                             NULL, efforts, NULL, NULL, motion[kind], &report),
                         RBV_OK);
        print_message("%.3f steps a sample\n", (double)report.iterations / COUNT);
        assert_true(report.iterations <= (kind == 1 ? 2.1 : 1.01) * COUNT);
        for (int k = 0; k < COUNT; k++)
            for (int e = 0; e < 4; e++)
                assert_near(motion[kind][12 * k + e], motion[0][12 * k + e],
                            1e-11); /* the places are the same whatever the guesses */
    }
    drop(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallelograms_turn_alike),
        cmocka_unit_test(trains_keep_energy),
        cmocka_unit_test(factors_are_least_squares_and_least_norm),
        cmocka_unit_test(newton_converges_quadratically),
        cmocka_unit_test(smooth_motions_take_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
