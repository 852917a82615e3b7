/* What open trees give besides inverse dynamics: each against inverse dynamics, against differences, or against the
 * others, on random trees with all joints. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/small.h"
#include "support/machines.h"
#include "support/trees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 14 };

/* A random tree and a state of it. */
typedef struct Case {
    RbvTree *tree;
    RbvTreeWorkspace *workspace;
    int32_t nq, nv;
    double *q, *v, *a, *tau, *wrenches;
} Case;

/* A tree of all joints, the same with joints that mimic others, or an arm: a chain of turning joints, then fixed ones.
 */
typedef enum Kind { SIMPLE, MIMICS, ARM, KINDS } Kind;

static void straighten(RbvTreeBody *bodies, int32_t count, int32_t turning) {
    for (int32_t k = 0; k < count; k++)
        bodies[k].parent = k - 1, bodies[k].mimic = -1,
        bodies[k].joint = k < turning ? RBV_TREE_REVOLUTE : RBV_TREE_FIXED;
}

/* Masses everywhere, so that forward dynamics has an answer. */
static Case begin(uint64_t *seed, Kind kind, double most) {
    RbvTreeBody bodies[COUNT];
    trees_random(bodies, COUNT, seed);
    for (int k = 0; k < COUNT; k++)
        bodies[k].mimic = kind == MIMICS ? bodies[k].mimic : -1;
    if (kind == ARM)
        straighten(bodies, COUNT, 9);
    Case c = {.tree = trees_create(COUNT, bodies)};
    c.workspace = trees_workspace(c.tree, RBV_LANES_BEST);
    c.nq = rbv_tree_q_count(c.tree), c.nv = rbv_tree_v_count(c.tree);
    c.q = numbers(c.nq), c.v = numbers(c.nv), c.a = numbers(c.nv), c.tau = numbers(c.nv),
    c.wrenches = numbers(6 * COUNT);
    trees_random_state(c.tree, most, seed, c.q, c.v, c.a);
    for (int k = 0; k < 6 * COUNT; k++)
        c.wrenches[k] = machine_random(seed);
    return c;
}
static void end(Case *c) {
    free(c->q), free(c->v), free(c->a), free(c->tau), free(c->wrenches);
    rbv_tree_workspace_destroy(c->workspace);
    rbv_tree_destroy(c->tree);
}
#define OK(call) assert_int_equal((call), RBV_OK)

/* out = q moved by h v. */
static void moved_by(const Case *c, double h, const double *v, double *out) {
    double *step = numbers(c->nv);
    for (int32_t k = 0; k < c->nv; k++)
        step[k] = h * v[k];
    trees_move(c->tree, c->q, step, out);
    free(step);
}
/* f'(0) h by central differences of sixth order, f(-3h) ... f(3h). */
static const double first[7] = {-1.0 / 60, 9.0 / 60, -45.0 / 60, 0, 45.0 / 60, -9.0 / 60, 1.0 / 60};

static void the_mass_matrix_is_that_of_inverse_dynamics(void **unused) {
    (void)unused;
    uint64_t seed = 21;
    for (int round = 0; round < 2 * KINDS; round++) {
        Case c = begin(&seed, (Kind)(round % KINDS), 1);
        double *M = numbers((int64_t)c.nv * c.nv), *e = numbers(c.nv), *zero = numbers(c.nv), *still = numbers(c.nv);
        OK(rbv_tree_mass_matrix(c.tree, c.workspace, NULL, c.q, M));
        OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, zero, zero, NULL, still, NULL));
        double bound = 1e-13 * (largest(M, (int64_t)c.nv * c.nv) + largest(still, c.nv));
        for (int32_t k = 0; k < c.nv; k++) {
            e[k] = 1;
            OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, zero, e, NULL, c.tau, NULL));
            for (int32_t r = 0; r < c.nv; r++) {
                assert_near(M[r * c.nv + k], c.tau[r] - still[r], bound);
                assert_true(M[r * c.nv + k] == M[k * c.nv + r]);
            }
            e[k] = 0;
        }
        free(M), free(e), free(zero), free(still);
        end(&c);
    }
}

/* A chain without joints that mimic has its mass matrix in one sweep; forward dynamics of few freedoms is by it. */
static void chains_are_as_inverse_dynamics_says(void **unused) {
    (void)unused;
    uint64_t seed = 71;
    for (int32_t round = 0; round < 24; round++) {
        RbvTreeBody bodies[12];
        int32_t count = 1 + round % 12;
        trees_random(bodies, count, &seed);
        for (int32_t k = 0; k < count; k++)
            bodies[k].parent = k - 1, bodies[k].mimic = -1;
        if (round >= 12) /* an arm; one holds a fixed body */
            straighten(bodies, count, count == 8 ? 7 : count);
        RbvTree *tree = trees_create(count, bodies);
        int32_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree);
        double *q = numbers(nq), *v = numbers(nv), *a = numbers(nv), *tau = numbers(nv), *still = numbers(nv),
               *e = numbers(nv), *zero = numbers(nv), *M = numbers((int64_t)nv * nv), *back = numbers(nv);
        trees_random_state(tree, 1, &seed, q, v, a);
        for (int lanes = RBV_LANES_ONE; lanes <= RBV_LANES_AVX512; lanes++) {
            RbvTreeWorkspace *workspace = trees_workspace(tree, (RbvTreeLanes)lanes);
            if (!workspace)
                continue;
            OK(rbv_tree_mass_matrix(tree, workspace, NULL, q, M));
            OK(rbv_tree_inverse(tree, workspace, NULL, q, zero, zero, NULL, still, NULL));
            for (int32_t k = 0; k < nv; k++) {
                e[k] = 1;
                OK(rbv_tree_inverse(tree, workspace, NULL, q, zero, e, NULL, tau, NULL));
                for (int32_t r = 0; r < nv; r++)
                    assert_near(M[r * nv + k], tau[r] - still[r],
                                1e-13 * (largest(M, (int64_t)nv * nv) + largest(still, nv)));
                e[k] = 0;
            }
            OK(rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, tau, NULL));
            OK(rbv_tree_forward(tree, workspace, NULL, q, v, tau, NULL, back));
            for (int32_t k = 0; k < nv; k++)
                assert_near(back[k], a[k], 1e-9);
            rbv_tree_workspace_destroy(workspace);
        }
        free(q), free(v), free(a), free(tau), free(still), free(e), free(zero), free(M), free(back);
        rbv_tree_destroy(tree);
    }
}

/* shared/reference/robot_iiwa14 and robot_puma560: computed by other programs; published to four digits. */
static void arms_accelerate_as_published(void **unused) {
    (void)unused;
    static const double q[7] = {.3, -.6, .9, -1.2, .5, .8, -.4}, v[7] = {.5, -.4, .3, .7, -.6, .2, 1},
                        tau[7] = {10, -20, 15, 5, -3, 2, 1};
    static const double a[7] = {12.098083163353023, -7.013108076281058, 42.00836098003858, -17.112801023050313,
                                -357.0069543915137, 194.68606699736398, 1264.0832158888184};
    static const double diagonal[7] = {0.6971811617239901,   2.3105906663008846,   0.4959809408607026,
                                       0.5369039410767112,   0.012645607775305438, 0.008760947999999994,
                                       0.0009999999999999996};
    static const double qn[6] = {0, 0.78539816339744831, 3.14159265358979324, 0, 0.78539816339744831, 0},
                        vn[6] = {.1, .2, .8, .2, .5, 1}, tn[6] = {1, 3.2, 1.8, .1, .7, 4.6};
    static const double an[6] = {-7.4102, -9.8432, -10.9694, -4.4314, -.9881, 21.0228};
    RbvTreeBody bodies[7];
    double got[7], M[49];
    trees_iiwa14(bodies);
    RbvTree *tree = trees_create(7, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    OK(rbv_tree_forward(tree, workspace, NULL, q, v, tau, NULL, got));
    OK(rbv_tree_mass_matrix(tree, workspace, NULL, q, M));
    for (int k = 0; k < 7; k++) {
        assert_near(got[k], a[k], 1e-9);
        assert_near(M[8 * k], diagonal[k], 1e-13);
    }
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    trees_puma560(bodies, true);
    tree = trees_create(6, bodies);
    workspace = trees_workspace(tree, RBV_LANES_BEST);
    OK(rbv_tree_forward(tree, workspace, NULL, qn, vn, tn, NULL, got));
    for (int k = 0; k < 6; k++)
        assert_near(got[k], an[k], 6e-5); /* half of the last digit printed */
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

static void forward_dynamics_gives_back_the_accelerations(void **unused) {
    (void)unused;
    uint64_t seed = 4;
    for (int round = 0; round < 6; round++) {
        Case c = begin(&seed, (Kind)(round % 2), 2);
        double *a = numbers(c.nv), *tau = numbers(c.nv);
        OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, c.v, c.a, c.wrenches, c.tau, NULL));
        OK(rbv_tree_forward(c.tree, c.workspace, NULL, c.q, c.v, c.tau, c.wrenches, a));
        OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, c.v, a, c.wrenches, tau, NULL));
        for (int32_t k = 0; k < c.nv; k++) {
            assert_near(tau[k], c.tau[k], 1e-11 * largest(c.tau, c.nv));
            assert_near(a[k], c.a[k], 1e-9 * largest(c.a, c.nv)); /* the condition of M is below 1e6: rotors bound it */
        }
        free(a), free(tau);
        end(&c);
    }
}

static void derivatives_are_those_of_differences(void **unused) {
    (void)unused;
    uint64_t seed = 33;
    const double h = 2e-3; /* of sixth order: h^6 is 6e-17, rounding 1e-16 / h */
    for (int round = 0; round < 4; round++) {
        Case c = begin(&seed, (Kind)(round % 2), 1);
        int64_t n = (int64_t)c.nv * c.nv;
        double *dq = numbers(n), *dv = numbers(n), *tau = numbers(c.nv), *e = numbers(c.nv), *moved = numbers(c.nq),
               *by_q = numbers(n), *by_v = numbers(n), *v = numbers(c.nv);
        OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, c.v, c.a, c.wrenches, tau, NULL));
        OK(rbv_tree_derivatives(c.tree, c.workspace, NULL, c.q, c.v, c.a, c.wrenches, dq, dv, c.tau));
        for (int32_t k = 0; k < c.nv; k++)
            assert_near(c.tau[k], tau[k], 1e-13 * largest(tau, c.nv));
        for (int32_t k = 0; k < c.nv; k++) {
            e[k] = 1;
            for (int m = -3; m <= 3; m++) {
                moved_by(&c, m * h, e, moved);
                OK(rbv_tree_inverse(c.tree, c.workspace, NULL, moved, c.v, c.a, c.wrenches, tau, NULL));
                for (int32_t r = 0; r < c.nv; r++)
                    by_q[r * c.nv + k] += first[m + 3] / h * tau[r];
                for (int32_t r = 0; r < c.nv; r++)
                    v[r] = c.v[r] + m * h * e[r];
                OK(rbv_tree_inverse(c.tree, c.workspace, NULL, c.q, v, c.a, c.wrenches, tau, NULL));
                for (int32_t r = 0; r < c.nv; r++)
                    by_v[r * c.nv + k] += first[m + 3] / h * tau[r];
            }
            e[k] = 0;
        }
        for (int64_t k = 0; k < n; k++) {
            assert_near(dq[k], by_q[k], 1e-9 * largest(by_q, n));
            assert_near(dv[k], by_v[k], 1e-9 * largest(by_v, n));
        }
        free(dq), free(dv), free(tau), free(e), free(moved), free(by_q), free(by_v), free(v);
        end(&c);
    }
}

static void coriolis_matrix_times_rates_and_its_antisymmetry(void **unused) {
    (void)unused;
    uint64_t seed = 8;
    const double h = 2e-3;
    for (int round = 0; round < 4; round++) {
        Case c = begin(&seed, (Kind)(round % 2), 1);
        RbvTreeBody bodies[COUNT];
        for (int k = 0; k < COUNT; k++) {
            bodies[k] = *rbv_tree_body(c.tree, k);
            memset(bodies[k].damping, 0, sizeof bodies[k].damping);
            memset(bodies[k].friction, 0, sizeof bodies[k].friction);
        }
        RbvTree *smooth = trees_create(COUNT, bodies); /* efforts of rates alone, without damping and friction */
        int64_t n = (int64_t)c.nv * c.nv;
        double *C = numbers(n), *M = numbers(n), *dM = numbers(n), *moved = numbers(c.nq);
        OK(rbv_tree_coriolis_matrix(smooth, c.workspace, NULL, c.q, c.v, C));
        OK(rbv_tree_velocity_terms(smooth, c.workspace, NULL, c.q, c.v, c.tau));
        for (int32_t r = 0; r < c.nv; r++) {
            double sum = 0;
            for (int32_t k = 0; k < c.nv; k++)
                sum += C[r * c.nv + k] * c.v[k];
            assert_near(sum, c.tau[r], 1e-12 * largest(c.tau, c.nv));
        }
        for (int m = -3; m <= 3; m++) {
            moved_by(&c, m * h, c.v, moved);
            OK(rbv_tree_mass_matrix(smooth, c.workspace, NULL, moved, M));
            for (int64_t k = 0; k < n; k++)
                dM[k] += first[m + 3] / h * M[k];
        }
        for (int32_t r = 0; r < c.nv; r++)
            for (int32_t k = 0; k < c.nv; k++)
                assert_near(dM[r * c.nv + k], C[r * c.nv + k] + C[k * c.nv + r], 1e-9 * largest(dM, n));
        free(C), free(M), free(dM), free(moved);
        rbv_tree_destroy(smooth);
        end(&c);
    }
}

static void regressor_times_parameters_is_inverse_dynamics(void **unused) {
    (void)unused;
    uint64_t seed = 14;
    for (int round = 0; round < 4; round++) {
        Case c = begin(&seed, (Kind)(round % 2), 2);
        RbvTreeBody bodies[COUNT];
        for (int k = 0; k < COUNT; k++) {
            bodies[k] = *rbv_tree_body(c.tree, k);
            memset(bodies[k].rotor, 0, sizeof bodies[k].rotor);
            memset(bodies[k].damping, 0, sizeof bodies[k].damping);
            memset(bodies[k].friction, 0, sizeof bodies[k].friction);
        }
        RbvTree *bare = trees_create(COUNT, bodies);
        double *Y = numbers((int64_t)c.nv * 10 * COUNT), x[10 * COUNT];
        OK(rbv_tree_regressor(bare, c.workspace, NULL, c.q, c.v, c.a, Y));
        OK(rbv_tree_parameters(bare, x));
        OK(rbv_tree_inverse(bare, c.workspace, NULL, c.q, c.v, c.a, NULL, c.tau, NULL));
        for (int32_t r = 0; r < c.nv; r++) {
            double sum = 0;
            for (int32_t k = 0; k < 10 * COUNT; k++)
                sum += Y[r * 10 * COUNT + k] * x[k];
            assert_near(sum, c.tau[r], 1e-12 * largest(c.tau, c.nv));
        }
        free(Y);
        rbv_tree_destroy(bare);
        end(&c);
    }
}

static void energies_fit_mass_matrix_and_gravity(void **unused) {
    (void)unused;
    uint64_t seed = 77;
    const double h = 2e-3;
    for (int round = 0; round < 4; round++) {
        Case c = begin(&seed, (Kind)(round % 2), 1);
        int64_t n = (int64_t)c.nv * c.nv;
        double *M = numbers(n), *e = numbers(c.nv), *moved = numbers(c.nq), energy[2], sum = 0;
        OK(rbv_tree_mass_matrix(c.tree, c.workspace, NULL, c.q, M));
        OK(rbv_tree_energies(c.tree, c.workspace, NULL, c.q, c.v, energy));
        for (int64_t k = 0; k < n; k++)
            sum += 0.5 * c.v[k / c.nv] * M[k] * c.v[k % c.nv];
        assert_near(energy[0], sum, 1e-13 * c.nv * fabs(sum));
        OK(rbv_tree_gravity_terms(c.tree, c.workspace, NULL, c.q, c.tau));
        for (int32_t k = 0; k < c.nv; k++) {
            double slope = 0;
            e[k] = 1;
            for (int m = -3; m <= 3; m++) {
                moved_by(&c, m * h, e, moved);
                OK(rbv_tree_energies(c.tree, c.workspace, NULL, moved, c.v, energy));
                slope += first[m + 3] / h * energy[1];
            }
            e[k] = 0;
            assert_near(slope, c.tau[k], 1e-10 * largest(c.tau, c.nv));
        }
        free(M), free(e), free(moved);
        end(&c);
    }
}

/* Pose, Jacobian, rates and accelerations of a marker; centre of mass. */
static void markers_move_as_plain_formulas_say(void **unused) {
    (void)unused;
    uint64_t seed = 6;
    const double h = 2e-3, point[3] = {0.1, -0.2, 0.3};
    for (int32_t body = 0; body < COUNT; body += 4) {
        Case c = begin(&seed, body % 8 ? MIMICS : SIMPLE, 1);
        TreePose poses[COUNT];
        double *J = numbers(6 * (int64_t)c.nv), *moved = numbers(c.nq), pose[7], twist[6], bias[6], rate[6] = {0},
               second[6] = {0}, centre[3], other[3], slope[3] = {0}, *Jc = numbers(3 * (int64_t)c.nv);
        trees_poses(c.tree, c.q, poses);
        RbvVec3 P = rbv_add(poses[body].p, rbv_apply(&poses[body].A, rbv_vec3(point[0], point[1], point[2])));
        OK(rbv_tree_pose(c.tree, c.workspace, NULL, body, point, c.q, pose));
        RbvMat3 A = rbv_mat3_of_quat((RbvQuat){pose[3], {pose[4], pose[5], pose[6]}});
        assert_near(pose[0], P.x, 1e-13), assert_near(pose[1], P.y, 1e-13), assert_near(pose[2], P.z, 1e-13);
        assert_true(pose[3] >= 0);
        for (int e = 0; e < 3; e++)
            assert_near(rbv_norm(rbv_sub(A.column[e], poses[body].A.column[e])), 0, 1e-13);
        OK(rbv_tree_jacobian(c.tree, c.workspace, NULL, body, point, c.q, J));
        OK(rbv_tree_marker_rates(c.tree, c.workspace, NULL, body, point, c.q, c.v, twist, bias));
        OK(rbv_tree_centre_of_mass(c.tree, c.workspace, NULL, c.q, centre, Jc));
        for (int m = -3; m <= 3; m++) {
            double t[6];
            moved_by(&c, m * h, c.v, moved);
            trees_poses(c.tree, moved, poses);
            P = rbv_add(poses[body].p, rbv_apply(&poses[body].A, rbv_vec3(point[0], point[1], point[2])));
            RbvMat3 B = rbv_mat3_of_quat((RbvQuat){pose[3], {pose[4], pose[5], pose[6]}}), T = {{{0}}};
            for (int e = 0; e < 3; e++) /* A(t) A(0)^T: its axial vector is twice the rotation vector to second order */
                T.column[e] = rbv_add(rbv_add(rbv_scale(e == 0   ? B.column[0].x
                                                        : e == 1 ? B.column[0].y
                                                                 : B.column[0].z,
                                                        poses[body].A.column[0]),
                                              rbv_scale(e == 0   ? B.column[1].x
                                                        : e == 1 ? B.column[1].y
                                                                 : B.column[1].z,
                                                        poses[body].A.column[1])),
                                      rbv_scale(e == 0   ? B.column[2].x
                                                : e == 1 ? B.column[2].y
                                                         : B.column[2].z,
                                                poses[body].A.column[2]));
            const double now[6] = {P.x,
                                   P.y,
                                   P.z,
                                   0.5 * (T.column[1].z - T.column[2].y),
                                   0.5 * (T.column[2].x - T.column[0].z),
                                   0.5 * (T.column[0].y - T.column[1].x)};
            OK(rbv_tree_marker_rates(c.tree, c.workspace, NULL, body, point, moved, c.v, t, NULL));
            OK(rbv_tree_centre_of_mass(c.tree, c.workspace, NULL, moved, other, NULL));
            for (int e = 0; e < 6; e++)
                rate[e] += first[m + 3] / h * now[e], second[e] += first[m + 3] / h * t[e];
            for (int e = 0; e < 3; e++)
                slope[e] += first[m + 3] / h * other[e];
        }
        for (int e = 0; e < 6; e++) {
            double sum = 0;
            for (int32_t k = 0; k < c.nv; k++)
                sum += J[e * c.nv + k] * c.v[k];
            assert_near(twist[e], sum, 1e-12);
            assert_near(twist[e], rate[e], 1e-9);
            assert_near(bias[e], second[e],
                        1e-9); /* v constant along the path: what is left of the acceleration is (dJ/dt) v */
        }
        for (int e = 0; e < 3; e++) {
            double sum = 0;
            for (int32_t k = 0; k < c.nv; k++)
                sum += Jc[e * c.nv + k] * c.v[k];
            assert_near(sum, slope[e], 1e-9);
        }
        free(J), free(moved), free(Jc);
        end(&c);
    }
}

/* A free tree without gravity and efforts: dh/dt = 0 along its own accelerations, h = A v; momentum is mass times the
 * velocity of the centre of mass. */
static void momentum_is_kept_by_a_free_tree(void **unused) {
    (void)unused;
    uint64_t seed = 19;
    RbvTreeBody bodies[COUNT];
    trees_random(bodies, COUNT, &seed);
    double mass = 0;
    for (int k = 0; k < COUNT; k++) {
        bodies[k].parent = k == 0 ? -1 : bodies[k].parent < 0 ? 0 : bodies[k].parent;
        bodies[k].mimic = -1;
        memset(bodies[k].rotor, 0, sizeof bodies[k].rotor);
        memset(bodies[k].damping, 0, sizeof bodies[k].damping);
        memset(bodies[k].friction, 0, sizeof bodies[k].friction);
        bodies[k].mass = bodies[k].mass == 0 ? 1 : bodies[k].mass;
        for (int e = 0; e < 3; e++)
            bodies[k].inertia[e] = bodies[k].inertia[e] == 0 ? 0.02 : bodies[k].inertia[e];
        mass += bodies[k].mass;
    }
    bodies[0].joint = RBV_TREE_FREE;
    RbvTree *tree = NULL;
    RbvTreeWorkspace *workspace = NULL;
    OK(rbv_tree_create(COUNT, bodies, NULL, NULL, &tree));
    OK(rbv_tree_workspace_create(tree, 1, &workspace));
    int32_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree);
    double *q = numbers(nq), *v = numbers(nv), *a = numbers(nv), *zero = numbers(nv), *step = numbers(nv),
           *rate = numbers(nv), *moved = numbers(nq), *A = numbers(6 * (int64_t)nv), *J = numbers(3 * (int64_t)nv),
           h[6], change[6] = {0}, centre[3];
    trees_random_state(tree, 0.7, &seed, q, v, a);
    OK(rbv_tree_forward(tree, workspace, NULL, q, v, zero, NULL, a));
    OK(rbv_tree_momentum(tree, workspace, NULL, q, v, h, A));
    OK(rbv_tree_centre_of_mass(tree, workspace, NULL, q, centre, J));
    for (int e = 0; e < 6; e++) {
        double sum = 0, along = 0;
        for (int32_t k = 0; k < nv; k++)
            sum += A[e * nv + k] * v[k], along += e < 3 ? mass * J[e * nv + k] * v[k] : 0;
        assert_near(h[e], sum, 1e-12);
        if (e < 3)
            assert_near(h[e], along, 1e-12);
    }
    const double dt = 1e-4; /* second order in what a ball's rates differ from those of its rotation vector, which is
                               even: central differences do not see it */
    for (int m = -3; m <= 3; m++) {
        double now[6];
        for (int32_t k = 0; k < nv; k++)
            step[k] = m * dt * v[k] + 0.5 * m * dt * m * dt * a[k], rate[k] = v[k] + m * dt * a[k];
        trees_move(tree, q, step, moved);
        OK(rbv_tree_momentum(tree, workspace, NULL, moved, rate, now, NULL));
        for (int e = 0; e < 6; e++)
            change[e] += first[m + 3] / dt * now[e];
    }
    for (int e = 0; e < 6; e++)
        assert_near(change[e], 0, 1e-6 * largest(a, nv));
    free(q), free(v), free(a), free(zero), free(step), free(rate), free(moved), free(A), free(J);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

static void moving_by_the_difference_arrives(void **unused) {
    (void)unused;
    uint64_t seed = 2;
    Case c = begin(&seed, SIMPLE, 1);
    double *to = numbers(c.nq), *d = numbers(c.nv), *got = numbers(c.nq), *plain = numbers(c.nq);
    OK(rbv_tree_neutral(c.tree, to));
    OK(rbv_tree_difference(c.tree, c.workspace, NULL, c.q, to, d));
    OK(rbv_tree_move(c.tree, c.workspace, NULL, c.q, d, got));
    trees_move(c.tree, c.q, d, plain);
    TreePose there[COUNT], here[COUNT];
    trees_poses(c.tree, to, there);
    trees_poses(c.tree, got, here);
    for (int k = 0; k < COUNT; k++)
        assert_near(rbv_norm(rbv_sub(there[k].p, here[k].p)) +
                        rbv_norm(rbv_sub(there[k].A.column[1], here[k].A.column[1])),
                    0, 1e-13);
    for (int32_t k = 0; k < c.nq; k++)
        assert_near(got[k], plain[k], 1e-14);
    OK(rbv_tree_difference(c.tree, c.workspace, NULL, c.q, c.q, d));
    assert_true(largest(d, c.nv) == 0 || largest(d, c.nv) < 1e-15);
    free(to), free(d), free(got), free(plain);
    end(&c);
}

/* The arm reaches poses that it has at other positions, within limits; what is too far is not called reached. */
static void the_arm_reaches_poses(void **unused) {
    (void)unused;
    uint64_t seed = 91;
    RbvTreeBody bodies[7];
    trees_iiwa14(bodies);
    for (int k = 0; k < 7; k++)
        bodies[k].lower[0] = -2.5, bodies[k].upper[0] = 2.5;
    RbvTree *tree = trees_create(7, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    const double tool[3] = {0.02, 0, 0.15};
    double q[7], v[7], a[7], pose[7], got[7];
    int reached = 0;
    for (int round = 0; round < 30; round++) {
        trees_random_state(tree, 1, &seed, q, v, a);
        for (int k = 0; k < 7; k++)
            q[k] *= 2;
        OK(rbv_tree_pose(tree, workspace, NULL, 6, tool, q, pose));
        for (int k = 0; k < 7; k++)
            q[k] += 0.5 * v[k];
        RbvTreeReach reach;
        RbvStatus status = rbv_tree_reach(tree, workspace, 6, tool, pose, true, 1e-10, q, &reach);
        OK(rbv_tree_pose(tree, workspace, NULL, 6, tool, q, got));
        double apart = 0, turn = 0;
        for (int k = 0; k < 3; k++)
            apart += (got[k] - pose[k]) * (got[k] - pose[k]);
        for (int k = 3; k < 7; k++)
            turn += got[k] * pose[k];
        assert_near(sqrt(apart), reach.position_error, 1e-12);
        for (int k = 0; k < 7; k++)
            assert_true(fabs(q[k]) <= 2.5);
        if (status == RBV_OK) {
            reached++;
            assert_true(sqrt(apart) <= 1e-10 && fabs(turn) > 1 - 1e-15);
        } else {
            assert_int_equal(status, RBV_NOT_ASSEMBLED);
        }
    }
    assert_true(reached >= 27); /* from nearby; limits may stand in the way of the rest */
    const double far[7] = {10, 0, 0, 1, 0, 0, 0};
    RbvTreeReach reach;
    assert_int_equal(rbv_tree_reach(tree, workspace, 6, NULL, far, false, 1e-8, q, &reach), RBV_NOT_ASSEMBLED);
    /* stretched towards it, as far as it goes: 0.36 + 0.42 + 0.4 + 0.081 m from the base at most */
    assert_true(reach.position_error > 8.7 && reach.position_error < 9.3);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* Of seven axes six numbers of a pose leave one way to move free: a small motion found has no part along it, J^T (J
 * J^T)^-1 J of it is the motion itself, up to its square. */
static void the_arm_reaches_with_the_least_motion(void **unused) {
    (void)unused;
    uint64_t seed = 5;
    RbvTreeBody bodies[7];
    trees_iiwa14(bodies);
    RbvTree *tree = trees_create(7, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    double start[7], q[7], v[7], a[7], pose[7], J[42], A[42];
    for (int round = 0; round < 10; round++) {
        trees_random_state(tree, 1, &seed, start, v, a);
        for (int k = 0; k < 7; k++)
            q[k] = start[k] + 1e-5 * v[k];
        OK(rbv_tree_pose(tree, workspace, NULL, 6, NULL, q, pose));
        memcpy(q, start, sizeof q);
        OK(rbv_tree_reach(tree, workspace, 6, NULL, pose, true, 1e-13, q, NULL));
        OK(rbv_tree_jacobian(tree, workspace, NULL, 6, NULL, start, J));
        double moved = 0;
        for (int r = 0; r < 6; r++) {
            A[7 * r + 6] = 0;
            for (int k = 0; k < 7; k++)
                A[7 * r + 6] += J[7 * r + k] * (q[k] - start[k]);
            for (int e = 0; e < 6; e++) {
                A[7 * r + e] = 0;
                for (int k = 0; k < 7; k++)
                    A[7 * r + e] += J[7 * r + k] * J[7 * e + k];
            }
        }
        assert_true(rbv_small_solve(A, 6, 0));
        for (int k = 0; k < 7; k++) {
            double along = 0;
            for (int r = 0; r < 6; r++)
                along += J[7 * r + k] * A[7 * r + 6];
            assert_near(along, q[k] - start[k], 1e-8); /* 1e-5 squared, times curvature and the condition of J; the
                                                          damping of the first step is of the same order */
            moved = fmax(moved, fabs(q[k] - start[k]));
        }
        assert_true(moved > 1e-6);
    }
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* --- all lanes and layouts --- */

enum { SAMPLES = 11 };
typedef enum What {
    MASS,
    FORWARD,
    DERIVATIVES,
    CORIOLIS,
    REGRESSOR,
    ENERGIES,
    CENTRE,
    MOMENTUM,
    POSE,
    JACOBIAN,
    RATES,
    MOVE,
    DIFFERENCE,
    GRAVITY,
    VELOCITY,
    WHATS
} What;

static int64_t size_of(const Case *c, What what) {
    const int64_t n = c->nv,
                  sizes[WHATS] = {n * n, n, n * n, n * n, 10 * COUNT * n, 2, 3, 6, 7, 6 * n, 6, c->nq, n, n, n};
    return sizes[what];
}
/* Of what is given out besides, to `more`. */
static int64_t more_of(const Case *c, What what) {
    const int64_t n = c->nv;
    return what == DERIVATIVES ? n * n : what == CENTRE ? 3 * n : what == MOMENTUM ? 6 * n : what == RATES ? 6 : 0;
}
static RbvStatus run(const Case *c, RbvTreeWorkspace *w, const RbvTreeBatch *batch, What what, const double *q,
                     const double *other, const double *v, const double *a, double *out, double *more) {
    const double point[3] = {.1, .2, .3};
    switch (what) {
    case MASS: return rbv_tree_mass_matrix(c->tree, w, batch, q, out);
    case FORWARD: return rbv_tree_forward(c->tree, w, batch, q, v, a, NULL, out);
    case DERIVATIVES: return rbv_tree_derivatives(c->tree, w, batch, q, v, a, NULL, out, more, NULL);
    case CORIOLIS: return rbv_tree_coriolis_matrix(c->tree, w, batch, q, v, out);
    case REGRESSOR: return rbv_tree_regressor(c->tree, w, batch, q, v, a, out);
    case ENERGIES: return rbv_tree_energies(c->tree, w, batch, q, v, out);
    case CENTRE: return rbv_tree_centre_of_mass(c->tree, w, batch, q, out, more);
    case MOMENTUM: return rbv_tree_momentum(c->tree, w, batch, q, v, out, more);
    case POSE: return rbv_tree_pose(c->tree, w, batch, 9, point, q, out);
    case JACOBIAN: return rbv_tree_jacobian(c->tree, w, batch, 9, point, q, out);
    case RATES: return rbv_tree_marker_rates(c->tree, w, batch, 9, point, q, v, more, out);
    case MOVE: return rbv_tree_move(c->tree, w, batch, q, v, out);
    case DIFFERENCE: return rbv_tree_difference(c->tree, w, batch, q, other, out);
    case GRAVITY: return rbv_tree_gravity_terms(c->tree, w, batch, q, out);
    case VELOCITY: return rbv_tree_velocity_terms(c->tree, w, batch, q, v, out);
    case WHATS: break;
    }
    return RBV_BAD_ARGUMENT;
}

/* [SAMPLES][n] by number. */
static double *by_number(const double *x, int64_t n) {
    double *turned = numbers(SAMPLES * n);
    for (int s = 0; s < SAMPLES; s++)
        for (int64_t k = 0; k < n; k++)
            turned[k * SAMPLES + s] = x[s * n + k];
    return turned;
}
static void assert_same(const double *got, const double *expected, int64_t n, bool turned, double tolerance) {
    double bound = tolerance * fmax(1, largest(expected, SAMPLES * n));
    for (int s = 0; s < SAMPLES; s++)
        for (int64_t k = 0; k < n; k++)
            assert_near(got[turned ? k * SAMPLES + s : s * n + k], expected[s * n + k], bound);
}
static void assert_lanes_agree(const Case *c, What what, RbvTreeWorkspace *one, double *const from[4],
                               double *const turned[4]) {
    int64_t n = size_of(c, what), m = more_of(c, what);
    double *expected = numbers(SAMPLES * n), *got = numbers(SAMPLES * n), *more = numbers(SAMPLES * m),
           *got_more = numbers(SAMPLES * m);
    for (int s = 0; s < SAMPLES; s++)
        OK(run(c, one, NULL, what, from[0] + s * c->nq, from[1] + s * c->nq, from[2] + s * c->nv, from[3] + s * c->nv,
               expected + s * n, more + s * m));
    for (int lanes = RBV_LANES_ONE; lanes <= RBV_LANES_AVX512; lanes++)
        for (int layout = 0; layout < 2; layout++) {
            if (rbv_tree_workspace_set_lanes(c->workspace, (RbvTreeLanes)lanes) != RBV_OK)
                continue;
            RbvTreeBatch batch = {SAMPLES, (RbvTreeLayout)layout, 1};
            double *const *x = layout ? turned : from;
            OK(run(c, c->workspace, &batch, what, x[0], x[1], x[2], x[3], got, got_more));
            assert_same(got, expected, n, layout,
                        what == FORWARD ? 1e-10 : 1e-13); /* of forward dynamics: times the condition of M */
            assert_same(got_more, more, m, layout, 1e-13);
        }
    free(expected), free(got), free(more), free(got_more);
}

static void all_lanes_agree(void **unused) {
    (void)unused;
    uint64_t seed = 55;
    for (int kind = 0; kind < KINDS; kind++) {
        Case c = begin(&seed, (Kind)kind, 1);
        RbvTreeWorkspace *one = trees_workspace(c.tree, RBV_LANES_ONE);
        double *from[4], *turned[4]; /* q, another q, v, a */
        for (int k = 0; k < 4; k++)
            from[k] = numbers(SAMPLES * (k < 2 ? c.nq : c.nv));
        for (int s = 0; s < SAMPLES; s++) {
            trees_random_state(c.tree, 1, &seed, from[1] + s * c.nq, from[2] + s * c.nv, from[3] + s * c.nv);
            trees_random_state(c.tree, 1, &seed, from[0] + s * c.nq, from[2] + s * c.nv, from[3] + s * c.nv);
        }
        for (int k = 0; k < 4; k++)
            turned[k] = by_number(from[k], k < 2 ? c.nq : c.nv);
        for (int what = 0; what < WHATS; what++)
            assert_lanes_agree(&c, (What)what, one, from, turned);
        for (int k = 0; k < 4; k++)
            free(from[k]), free(turned[k]);
        rbv_tree_workspace_destroy(one);
        end(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mass_matrix_is_that_of_inverse_dynamics),
        cmocka_unit_test(chains_are_as_inverse_dynamics_says),
        cmocka_unit_test(arms_accelerate_as_published),
        cmocka_unit_test(forward_dynamics_gives_back_the_accelerations),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(coriolis_matrix_times_rates_and_its_antisymmetry),
        cmocka_unit_test(regressor_times_parameters_is_inverse_dynamics),
        cmocka_unit_test(energies_fit_mass_matrix_and_gravity),
        cmocka_unit_test(markers_move_as_plain_formulas_say),
        cmocka_unit_test(momentum_is_kept_by_a_free_tree),
        cmocka_unit_test(moving_by_the_difference_arrives),
        cmocka_unit_test(the_arm_reaches_poses),
        cmocka_unit_test(the_arm_reaches_with_the_least_motion),
        cmocka_unit_test(all_lanes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
