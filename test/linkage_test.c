/* Closed linkages on arrays (RbvLinkage): beside the whole program, by the laws of mechanics, and what is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* --- a four-bar beside the program: in the plane, and in space where three of its rows are too many --- */

static const char four_bar[] =
    "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0.7]\nbodies:\n"
    "  crank: {mass: 1, centroid: [0.04, 0.01, 0.02], inertia: [0.001, 0.001, 0.001], pose: {at: [0, 0, 0]}, markers: "
    "{O: [0, 0, 0], A: [0.1, 0, 0]}}\n"
    "  rod: {mass: 2, centroid: [0.2, 0, 0.01], inertia: [0.03, 0.03, 0.03], pose: {at: [0.1, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 0.8}}, markers: {A: [0, 0, 0], B: [0.4, 0, 0]}}\n"
    "  rocker: {mass: 1.5, centroid: [0.15, 0, 0], inertia: [0.02, 0.02, 0.02], pose: {at: [0.4, 0, 0], rotate: {axis: "
    "[0, 0, 1], angle: 1.5}}, markers: {C: [0, 0, 0], B: [0.3, 0, 0]}}\n"
    "  ground: {markers: {O: [0, 0, 0], C: [0.4, 0, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n  "
    "B: {type: revolute, between: [rod.B, rocker.B]}\n"
    "  C: {type: revolute, between: [ground.C, rocker.C]}\ndrives:\n  motor: {coordinate: O.angle, motion: \"2*t + "
    "8*t^2\"}\nmotion: {from: 0, to: 1, step: 0.05}\n";

static RbvTreeBody bar(const char *name, int32_t parent, double at, double mass, double cx, double cy, double cz,
                       double inertia) {
    RbvTreeBody b = rbv_tree_body_default;
    b.name = name, b.parent = parent, b.place[0] = at, b.mass = mass, b.centre[0] = cx, b.centre[1] = cy,
    b.centre[2] = cz;
    b.inertia[0] = b.inertia[1] = b.inertia[2] = inertia;
    return b;
}

/* Its tree with the joint B (or, other way round, C) left out. */
static RbvTree *four_bar_tree(bool cut_c) {
    RbvTreeBody bodies[3] = {bar("crank", -1, 0, 1, 0.04, 0.01, 0.02, 0.001), bar("rod", 0, 0.1, 2, 0.2, 0, 0.01, 0.03),
                             bar("rocker", -1, 0.4, 1.5, 0.15, 0, 0, 0.02)};
    if (cut_c) { /* the rocker hangs on the rod; its frame is still at C, so it turns there about a point that is not
                    its origin: the frame moves to B */
        bodies[2] = bar("rocker", 1, 0.4, 1.5, -0.15, 0, 0, 0.02);
    }
    const double gravity[3] = {0, -9.81, 0.7};
    RbvTree *tree = NULL;
    assert_int_equal(rbv_tree_create(3, bodies, gravity, NULL, &tree), RBV_OK);
    return tree;
}
static const RbvClosing at_b = {.body = {1, 2},
                                .place = {{0.4, 0, 0}, {0.3, 0, 0}},
                                .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                .holds = RBV_CLOSE_REVOLUTE};
static const RbvClosing at_c = {.body = {-1, 2},
                                .place = {{0.4, 0, 0}, {-0.3, 0, 0}},
                                .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                                .holds = RBV_CLOSE_REVOLUTE};

static void a_four_bar_in_space_has_the_programs_numbers(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(four_bar);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
    for (int cut_c = 0; cut_c < 2; cut_c++) {
        RbvTree *tree = four_bar_tree(cut_c);
        RbvLinkage *linkage = NULL;
        RbvLinkageWorkspace *workspace = NULL;
        const int32_t driven = 0;
        assert_int_equal(rbv_linkage_create(tree, 1, cut_c ? &at_c : &at_b, 1, &driven, NULL, &linkage), RBV_OK);
        assert_int_equal(rbv_linkage_row_count(linkage), 5);
        assert_int_equal(rbv_linkage_workspace_create(linkage, 1, &workspace), RBV_OK);
        double start[3] = {0, 0.8, cut_c ? 0.7 : 1.5};
        assert_int_equal(rbv_linkage_start(linkage, workspace, start), RBV_OK);
        const char *joints[3] = {"O", "A", cut_c ? "B" : "C"}, *closed = cut_c ? "C" : "B",
                   *parts[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
        for (int32_t k = 0; k < rbv_result_counts(result).samples; k++) {
            double t = rbv_result_value(result, k, 0), q = 2 * t + 8 * t * t, v = 2 + 16 * t, a = 16, effort,
                   reactions[18], closing[6], motion[9];
            assert_int_equal(rbv_linkage_inverse(linkage, workspace, NULL, &q, &v, &a, NULL, &effort, reactions,
                                                 closing, motion, NULL),
                             RBV_OK);
            uint8_t unique[18], closing_unique[6];
            assert_int_equal(rbv_linkage_unique(linkage, workspace, unique, closing_unique), RBV_OK);
            double expected = rbv_result_value(result, k, rbv_result_find(result, "motor.effort"));
            assert_near(effort, expected, 1e-11 * (10 + fabs(expected)));
            for (int j = 0; j < 4; j++)
                for (int e = 0; e < 5; e++) {
                    char name[20];
                    snprintf(name, sizeof name, "%s.%s", j < 3 ? joints[j] : closed, parts[e]);
                    int32_t column = rbv_result_find(result, name);
                    assert_true(column >= 0);
                    bool is = j < 3 ? unique[6 * j + e] : closing_unique[e];
                    assert_int_equal(is, rbv_result_column(result, column).verdict == RBV_UNIQUE);
                    if (!is)
                        continue;
                    double got = j < 3 ? reactions[6 * j + e] : closing[e],
                           other = j < 3 ? reactions[6 * j + 1 - e % 2] : 0, angle = 0;
                    /* a reaction stands along the axes of the joint's first body, ours along the second's, turned by
                     * the joint's angle */
                    if (j < 3) {
                        angle = motion[j];
                        got = e == 0 ? cos(angle) * got - sin(angle) * other : sin(angle) * other + cos(angle) * got;
                    }
                    expected = rbv_result_value(result, k, column);
                    assert_near(got, expected, 1e-10 * (100 + fabs(expected)));
                }
        }
        rbv_linkage_workspace_destroy(workspace);
        rbv_linkage_destroy(linkage);
        rbv_tree_destroy(tree);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* --- linkages in space from random tables: laws --- */

typedef struct Machine {
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *workspace;
    RbvTreeWorkspace *tree_workspace;
    int32_t nq, nv, driven;
    double start[4 * MOST];
} Machine;

typedef struct Loop {
    int32_t body[2];
    uint32_t holds;
} Loop;

static uint64_t seed;
#define SEEDS 25
#define MOST_LEVERAGE 30
static double random_number(double most) {
    return most * machine_random(&seed);
}

static void random_turn(double t[4]) {
    for (int k = 0; k < 4; k++)
        t[k] = random_number(1);
    t[0] += 1.5;
}
static void rotate(const double *Q, const double *u, double *o) { /* by a quaternion of any length */
    double n = Q[0] * Q[0] + Q[1] * Q[1] + Q[2] * Q[2] + Q[3] * Q[3],
           t[3] = {Q[2] * u[2] - Q[3] * u[1], Q[3] * u[0] - Q[1] * u[2], Q[1] * u[1] - Q[2] * u[0]};
    double s[3] = {Q[2] * t[2] - Q[3] * t[1], Q[3] * t[0] - Q[1] * t[2], Q[1] * t[1] - Q[2] * t[0]};
    for (int k = 0; k < 3; k++)
        o[k] = u[k] + 2 * (Q[0] * t[k] + s[k]) / n;
}
static void product(const double *a, const double *b, double *o) {
    o[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    for (int k = 0; k < 3; k++) {
        int i = 1 + (k + 1) % 3, j = 1 + (k + 2) % 3;
        o[1 + k] = a[0] * b[1 + k] + b[0] * a[1 + k] + a[i] * b[j] - a[j] * b[i];
    }
}

static void pose_of(const Machine *m, int32_t body, const double *q, double pose[7]) {
    if (body >= 0) {
        assert_int_equal(rbv_tree_pose(m->tree, m->tree_workspace, NULL, body, NULL, q, pose), RBV_OK);
        return;
    }
    memset(pose, 0, 7 * sizeof *pose);
    pose[3] = 1;
}

/* A closing that holds at q: one frame in the first body, and the same in the second; where the z axes are to be
 * square, turned about x. */
static RbvClosing closing_at(const Machine *m, const Loop *loop, const double *q) {
    RbvClosing c = {
        .body = {loop->body[0], loop->body[1]}, .holds = loop->holds, .pitch = loop->holds & RBV_HOLD_SCREW ? 0.1 : 0};
    double first[7], second[7], P[3], turn[4], back[4];
    for (int k = 0; k < 3; k++)
        c.place[0][k] = random_number(0.4);
    random_turn(c.turn[0]);
    pose_of(m, loop->body[0], q, first);
    pose_of(m, loop->body[1], q, second);
    rotate(first + 3, c.place[0], P);
    for (int k = 0; k < 3; k++)
        P[k] += first[k] - second[k];
    back[0] = second[3];
    for (int k = 1; k < 4; k++)
        back[k] = -second[3 + k];
    rotate(back, P, c.place[1]);
    product(first + 3, c.turn[0], turn);
    product(back, turn, c.turn[1]);
    if (loop->holds & RBV_HOLD_CROSS) {
        double quarter[4] = {1, 1, 0, 0};
        memcpy(turn, c.turn[1], sizeof turn);
        product(turn, quarter, c.turn[1]);
    }
    return c;
}

static Machine machine_of(int32_t count, const int32_t *parents, const RbvTreeJoint *joints, int32_t loops,
                          const Loop *loop, int32_t driven, const int32_t *numbers) {
    RbvTreeBody bodies[MOST];
    RbvClosing closings[MOST];
    char names[MOST][16];
    for (int32_t k = 0; k < count; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        snprintf(names[k], sizeof names[k], "b%d", (int)k);
        b->name = names[k], b->parent = parents[k], b->joint = joints[k];
        random_turn(b->turn);
        for (int e = 0; e < 3; e++) {
            b->place[e] = random_number(0.5), b->centre[e] = random_number(0.1),
            b->inertia[e] = 0.02 + random_number(0.004), b->inertia[3 + e] = random_number(0.002);
            b->axis[e] = random_number(1), b->second_axis[e] = random_number(1);
        }
        b->mass = 2 + random_number(1);
        b->rotor[0] = k % 3 == 0 ? 0.01 : 0;
    }
    const double gravity[3] = {1, -2, -9.81};
    Machine m = {.driven = driven};
    assert_int_equal(rbv_tree_create(count, bodies, gravity, NULL, &m.tree), RBV_OK);
    assert_int_equal(rbv_tree_workspace_create(m.tree, 1, &m.tree_workspace), RBV_OK);
    m.nq = rbv_tree_q_count(m.tree), m.nv = rbv_tree_v_count(m.tree);
    double q[4 * MOST], v[4 * MOST];
    rbv_tree_neutral(m.tree, q);
    for (int32_t k = 0; k < m.nv; k++)
        v[k] = random_number(0.7);
    rbv_tree_move(m.tree, m.tree_workspace, NULL, q, v, m.start);
    for (int32_t k = 0; k < loops; k++)
        closings[k] = closing_at(&m, loop + k, m.start);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    if (rbv_linkage_create(m.tree, loops, closings, driven, numbers, diagnostics, &m.linkage) != RBV_OK)
        machine_print(diagnostics);
    rbv_diagnostics_destroy(diagnostics);
    assert_non_null(m.linkage);
    assert_int_equal(rbv_linkage_workspace_create(m.linkage, 1, &m.workspace), RBV_OK);
    return m;
}
static void drop(Machine *m) {
    rbv_linkage_workspace_destroy(m->workspace);
    rbv_linkage_destroy(m->linkage);
    rbv_tree_workspace_destroy(m->tree_workspace);
    rbv_tree_destroy(m->tree);
}

/* Driven numbers near the start at time t. */
static void driven_at(const double *start, const int32_t *positions, int32_t count, double t, double *q, double *v,
                      double *a) {
    for (int32_t k = 0; k < count; k++) {
        double w = 1 + 0.3 * k;
        q[k] = start[positions[k]] + 0.02 * sin(w * t), v[k] = 0.02 * w * cos(w * t), a[k] = -0.02 * w * w * sin(w * t);
    }
}

/* Motion, efforts, power of one time. */
typedef struct State {
    double motion[12 * MOST], efforts[MOST], reactions[6 * MOST], closing[6 * MOST], v[MOST], a[MOST], energy;
} State;

/* False: it is not reached. */
static bool reaches(const Machine *m, const int32_t *positions, double t, State *s) {
    double q[MOST], energies[2];
    driven_at(m->start, positions, m->driven, t, q, s->v, s->a);
    if (rbv_linkage_inverse(m->linkage, m->workspace, NULL, q, s->v, s->a, NULL, s->efforts, s->reactions, s->closing,
                            s->motion, NULL) != RBV_OK)
        return false;
    rbv_tree_energies(m->tree, m->tree_workspace, NULL, s->motion, s->motion + m->nq, energies);
    s->energy = energies[0] + energies[1];
    return true;
}

/* How much faster than what is driven anything moves at most along the motion: rounding of loops grows by that in
 * positions, and by its square in accelerations. INFINITY: it meets a dead centre. */
static double leverage(const Machine *m, const int32_t *positions) {
    double most = 1;
    for (double t = 0; t < 1.6; t += 0.02) {
        State s;
        double driven = 0;
        if (!reaches(m, positions, t, &s))
            return INFINITY;
        for (int32_t k = 0; k < m->driven; k++)
            driven = fmax(driven, fabs(s.v[k]));
        for (int32_t k = 0; driven > 0.002 && k < m->nv; k++)
            most = fmax(most, fabs(s.motion[m->nq + k]) / driven);
    }
    return most;
}

static void state_at(const Machine *m, const int32_t *positions, double t, State *s) {
    assert_true(reaches(m, positions, t, s));
}

/* Rates are those of positions, accelerations those of rates, and the efforts' power is the rate of the energy: by
 * differences of second order in h, of fourth order together. */
static int32_t tested, left_out;
static void obeys(Machine *m, const int32_t *positions) {
    double q0[4 * MOST];
    memcpy(q0, m->start, sizeof q0);
    RbvStatus status = rbv_linkage_start(m->linkage, m->workspace, q0);
    assert_int_equal(status, RBV_OK);
    for (int32_t k = 0; k < m->nq; k++)
        assert_near(q0[k], m->start[k], 1e-9); /* it was closed by construction */
    double lever = leverage(m, positions);
    if (lever > MOST_LEVERAGE) {
        left_out++;
        return;
    }
    tested++;
    const double more = lever * lever;
    assert_int_equal(rbv_linkage_start(m->linkage, m->workspace, q0), RBV_OK);
    const double h = 5e-5;
    for (int step = 0; step < 5; step++) {
        double t = 0.4 * step, dq[4 * MOST], power = 0, worst = 0;
        State s[5];
        for (int k = 0; k < 5; k++)
            state_at(m, positions, t + (k - 2) * h, s + k);
        for (int32_t k = 0; k < m->driven; k++)
            power += s[2].efforts[k] * s[2].v[k], worst += fabs(s[2].efforts[k] * s[2].v[k]);
        double rate = (8 * (s[3].energy - s[1].energy) - (s[4].energy - s[0].energy)) / (12 * h);
        assert_near(power, rate, 1e-7 * more * (1 + worst)); /* energies of some 10 J to rounding, by h; h^4 is less */
        for (int32_t k = 0; k < m->nv; k++) {
            double a = (8 * (s[3].motion[m->nq + k] - s[1].motion[m->nq + k]) -
                        (s[4].motion[m->nq + k] - s[0].motion[m->nq + k])) /
                       (12 * h);
            assert_near(
                s[2].motion[m->nq + m->nv + k], a,
                1e-6 * more *
                    (1 + fabs(a))); /* loops are closed to 1e-12 of lengths: by h, and by the condition of the loops */
        }
        double forward[2][4 * MOST];
        rbv_tree_difference(m->tree, m->tree_workspace, NULL, s[1].motion, s[3].motion, forward[0]);
        rbv_tree_difference(m->tree, m->tree_workspace, NULL, s[0].motion, s[4].motion, forward[1]);
        for (int32_t k = 0; k < m->nv; k++) {
            dq[k] = (8 * forward[0][k] - forward[1][k]) / (12 * h);
            assert_near(s[2].motion[m->nq + k], dq[k],
                        1e-6 * more * (1 + fabs(dq[k]))); /* turns of quaternions add up but for h^2 */
        }
        /* the tree with the closings' reactions as wrenches needs no effort where nothing is driven */
        double tau[4 * MOST], mechanical = 0;
        rbv_tree_inverse(m->tree, m->tree_workspace, NULL, s[2].motion, s[2].motion + m->nq,
                         s[2].motion + m->nq + m->nv, NULL, tau, NULL);
        for (int32_t k = 0; k < m->nv; k++)
            mechanical += tau[k] * s[2].motion[m->nq + k];
        assert_near(power, mechanical, 1e-10 * (1 + worst)); /* reactions of closings do no work */
    }
}

static void random_linkages(void) {
    const RbvTreeJoint R = RBV_TREE_REVOLUTE, U = RBV_TREE_UNIVERSAL, C = RBV_TREE_CYLINDRICAL, S = RBV_TREE_SPHERICAL,
                       P = RBV_TREE_PRISMATIC;
    const int32_t zero = 0;
    { /* RUSR */
        const int32_t parents[] = {-1, 0, -1};
        const RbvTreeJoint joints[] = {R, U, R};
        const Loop loop = {{1, 2}, RBV_CLOSE_SPHERICAL};
        Machine m = machine_of(3, parents, joints, 1, &loop, 1, &zero);
        obeys(&m, &zero);
        drop(&m);
    }
    { /* RSUR: a quaternion is among what follows */
        const int32_t parents[] = {-1, 0, -1};
        const RbvTreeJoint joints[] = {R, S, R};
        const Loop loop = {{1, 2}, RBV_CLOSE_UNIVERSAL};
        Machine m = machine_of(3, parents, joints, 1, &loop, 1, &zero);
        obeys(&m, &zero);
        drop(&m);
    }
    { /* RCCC */
        const int32_t parents[] = {-1, 0, 1};
        const RbvTreeJoint joints[] = {R, C, C};
        const Loop loop = {{-1, 2}, RBV_CLOSE_CYLINDRICAL};
        Machine m = machine_of(3, parents, joints, 1, &loop, 1, &zero);
        obeys(&m, &zero);
        drop(&m);
    }
    { /* 6R and a fixed, a prismatic, a revolute closing, a screw; 5R and shafts of equal speeds */
        const int32_t parents[] = {-1, 0, 1, 2, 3, 4, 5};
        const RbvTreeJoint joints[] = {R, R, R, R, R, R, R};
        const Loop loops[] = {{{6, -1}, RBV_CLOSE_FIXED},
                              {{-1, 5}, RBV_CLOSE_REVOLUTE},
                              {{5, -1}, RBV_CLOSE_PRISMATIC},
                              {{5, -1}, RBV_CLOSE_SCREW},
                              {{-1, 4}, RBV_CLOSE_CONSTANT_VELOCITY}};
        for (int k = 0; k < 5; k++) {
            Machine m = machine_of(k == 0 ? 7 : k < 4 ? 6 : 5, parents, joints, 1, loops + k, 1, &zero);
            obeys(&m, &zero);
            drop(&m);
        }
    }
    { /* Stewart: six legs universal, prismatic; the platform on the first by a ball, on the others by closings */
        int32_t parents[13], numbers[6], positions[6];
        RbvTreeJoint joints[13];
        Loop loops[5];
        for (int32_t leg = 0; leg < 6; leg++)
            parents[2 * leg] = -1, joints[2 * leg] = U, parents[2 * leg + 1] = 2 * leg, joints[2 * leg + 1] = P,
                        numbers[leg] = positions[leg] = 3 * leg + 2;
        parents[12] = 1, joints[12] = S;
        for (int32_t k = 0; k < 5; k++)
            loops[k] = (Loop){{12, 2 * k + 3}, RBV_CLOSE_SPHERICAL};
        Machine m = machine_of(13, parents, joints, 5, loops, 6, numbers);
        obeys(&m, positions);
        drop(&m);
    }
}

/* Those that come to a dead centre within the motion, or near one, are left out: random linkages often do. */
static void spatial_linkages_obey_the_laws(void **unused) {
    (void)unused;
    tested = left_out = 0;
    for (seed = 1; seed <= SEEDS;) {
        uint64_t next = seed + 1;
        random_linkages();
        seed = next;
    }
    print_message("%d linkages tested, %d left out\n", (int)tested, (int)left_out);
    assert_true(tested >= 5 * SEEDS); /* of 9 */
}

/* --- batches, branches, failures --- */

static void batches_are_samples_one_by_one(void **unused) {
    (void)unused;
    enum { COUNT = 50 };
    RbvTree *tree = four_bar_tree(false);
    RbvLinkage *linkage = NULL;
    RbvLinkageWorkspace *w = NULL;
    const int32_t driven = 0;
    assert_int_equal(rbv_linkage_create(tree, 1, &at_b, 1, &driven, NULL, &linkage), RBV_OK);
    assert_int_equal(rbv_linkage_workspace_create(linkage, 1, &w), RBV_OK);
    double q[COUNT], v[COUNT], a[COUNT], efforts[3][COUNT], reactions[2][18 * COUNT], closing[2][6 * COUNT],
        motion[2][9 * COUNT], wrenches[2][18 * COUNT];
    for (int k = 0; k < COUNT; k++) {
        q[k] = 0.3 * k, v[k] = 3, a[k] = 1;
        for (int e = 0; e < 18; e++)
            wrenches[0][18 * k + e] = wrenches[1][COUNT * e + k] = sin(k + 2. * e);
    }
    for (int layout = 0; layout < 2; layout++) {
        double start[3] = {0, 0.8, 1.5};
        assert_int_equal(rbv_linkage_start(linkage, w, start), RBV_OK);
        RbvTreeBatch batch = {COUNT, layout ? RBV_BY_NUMBER : RBV_BY_SAMPLE, 0};
        RbvLinkageReport report;
        assert_int_equal(rbv_linkage_inverse(linkage, w, &batch, q, v, a, wrenches[layout], efforts[layout],
                                             reactions[layout], closing[layout], motion[layout], &report),
                         RBV_OK);
        assert_true(report.samples == COUNT && report.iterations <= 5 * COUNT);
    }
    for (int k = 0; k < COUNT; k++) {
        assert_true(efforts[0][k] == efforts[1][k]);
        for (int e = 0; e < 18; e++)
            assert_true(reactions[0][18 * k + e] == reactions[1][COUNT * e + k]);
        for (int e = 0; e < 6; e++)
            assert_true(closing[0][6 * k + e] == closing[1][COUNT * e + k]);
        for (int e = 0; e < 9; e++)
            assert_true(motion[0][9 * k + e] == motion[1][COUNT * e + k]);
    }
    /* the same far away in one step: the branch is followed, whole turns of the crank too */
    double start[3] = {0, 0.8, 1.5}, whole[9];
    assert_int_equal(rbv_linkage_start(linkage, w, start), RBV_OK);
    assert_int_equal(
        rbv_linkage_inverse(linkage, w, NULL, q + COUNT - 1, v, a, NULL, efforts[2], NULL, NULL, whole, NULL), RBV_OK);
    for (int e = 0; e < 9; e++)
        if (e < 6)
            assert_near(whole[e], motion[0][9 * (COUNT - 1) + e], 1e-10);
    rbv_linkage_workspace_destroy(w);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
}

static void what_does_not_close_is_said(void **unused) {
    (void)unused;
    RbvTree *tree = four_bar_tree(false);
    RbvLinkage *linkage = NULL;
    RbvLinkageWorkspace *w = NULL;
    const int32_t rocker = 2, twice[2] = {0, 0}, none = 7;
    /* driven at the rocker, which swings between dead centres only */
    assert_int_equal(rbv_linkage_create(tree, 1, &at_b, 1, &rocker, NULL, &linkage), RBV_OK);
    assert_int_equal(rbv_linkage_workspace_create(linkage, 1, &w), RBV_OK);
    double q[4] = {1.9, 1.91, 2.9, 1.9}, v[4] = {0}, a[4] = {0}, efforts[4], start[3] = {0, 0.8, 1.9};
    assert_int_equal(rbv_linkage_inverse(linkage, w, NULL, q, v, a, NULL, efforts, NULL, NULL, NULL, NULL),
                     RBV_BAD_ARGUMENT); /* not started */
    assert_int_equal(rbv_linkage_start(linkage, w, start), RBV_OK);
    RbvLinkageReport report;
    RbvTreeBatch batch = {4, RBV_BY_SAMPLE, 0};
    RbvStatus status = rbv_linkage_inverse(linkage, w, &batch, q, v, a, NULL, efforts, NULL, NULL, NULL, &report);
    assert_true(status == RBV_NOT_ASSEMBLED || status == RBV_LOCKED);
    assert_int_equal(report.samples, 2);
    assert_true(isfinite(efforts[0]) && isfinite(efforts[1]) && isnan(efforts[2]) && isnan(efforts[3]));
    rbv_linkage_workspace_destroy(w);
    rbv_linkage_destroy(linkage);
    RbvDiagnostics *d = rbv_diagnostics_create();
    assert_int_equal(rbv_linkage_create(tree, 1, &at_b, 2, twice, d, &linkage), RBV_BAD_INPUT);
    assert_true(machine_says(d, RBV_ERROR, "driven twice"));
    assert_int_equal(rbv_linkage_create(tree, 1, &at_b, 1, &none, d, &linkage), RBV_BAD_INPUT);
    assert_true(machine_says(d, RBV_ERROR, "no such index of v"));
    assert_int_equal(rbv_linkage_create(tree, 0, NULL, 1, &rocker, d, &linkage), RBV_BAD_INPUT);
    assert_true(machine_says(d, RBV_ERROR, "fewer than the freedoms"));
    RbvClosing bad = at_b;
    bad.body[1] = 1;
    assert_int_equal(rbv_linkage_create(tree, 1, &bad, 1, &rocker, d, &linkage), RBV_BAD_INPUT);
    assert_true(machine_says(d, RBV_ERROR, "between a body and itself"));
    rbv_diagnostics_destroy(d);
    rbv_tree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_four_bar_in_space_has_the_programs_numbers),
        cmocka_unit_test(spatial_linkages_obey_the_laws),
        cmocka_unit_test(batches_are_samples_one_by_one),
        cmocka_unit_test(what_does_not_close_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
