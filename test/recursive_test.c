/* Open trees on arrays: inverse dynamics against published numbers, against Newton's laws for bodies whose motion is
 * differentiated by differences, and of all widths against each other. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arrays/kernels.h"
#include "core/linalg/small.h"
#include "support/machines.h"
#include "support/trees.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979324

static void assert_all_near(const double *got, const double *expected, int64_t count, double tolerance) {
    for (int64_t k = 0; k < count; k++)
        assert_near(got[k], expected[k], tolerance);
}

/* --- published numbers --- */

/* shared/reference/robot_iiwa14: Newton-Euler in the ground's frame, Lagrange by complex steps and Orocos KDL agree;
 * efforts, and what the ground does to the first body: the moment about the base's origin. */
static void iiwa_14_has_the_efforts_that_three_programs_agree_on(void **unused) {
    (void)unused;
    static const double q[3][7] = {
        {0, .5, 0, -1.2, 0, .8, 0}, {.3, -.6, .9, -1.2, .5, .8, -.4}, {-1, 1.1, -.7, 1.5, 2, -1.3, .9}};
    static const double v[3][7] = {{0}, {.5, -.4, .3, .7, -.6, .2, 1}, {1.5, -1, 2, -2.5, 1, 3, -2}},
                        a[3][7] = {{0}, {1, -.5, .8, .3, -.9, .6, .4}, {0}};
    static const double tau[3][7] = {{0.0, -33.08302722019871, -0.1729823915497516, 14.424146505566425,
                                      -0.34029354803304435, -0.18423234820224366, 0},
                                     {1.817334001196881, 14.983313474082527, -5.531652934335914, 10.286538133386035,
                                      -0.2764304196567705, -0.2861516017302298, -0.0005924267782211647},
                                     {-3.645440641496891, -28.321238605546466, 8.749464654125335, -5.299519267554624,
                                      -0.09615299020677379, 0.06096356909744479, 0.008319134255421315}};
    static const double force[3][3] = {{0, 0, 171.675},
                                       {-2.384803411779261, -5.926150623029245, 168.72659125844575},
                                       {-12.170403314273667, -2.674317244101034, 162.6325142624568}};
    static const double moment[3][3] = {{0.11006819999999617, -33.08302722019871, 0},
                                        {9.985423114841478, 17.243826288351748, 1.817334001196881},
                                        {-16.28009542831549, -29.94459153000756, -3.645440641496891}};
    RbvTreeBody bodies[7];
    trees_iiwa14(bodies);
    RbvTree *tree = trees_create(7, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    for (int k = 0; k < 3; k++) {
        double got[7], reactions[42];
        assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q[k], v[k], a[k], NULL, got, reactions), RBV_OK);
        assert_all_near(got, tau[k], 7, 1e-12); /* 15 digits are printed, of numbers below 40 */
        RbvMat3 A = rbv_mat3_about_z(q[k][0]);
        RbvVec3 F = rbv_apply(&A, rbv_vec3(reactions[0], reactions[1], reactions[2])),
                N = rbv_apply(&A, rbv_vec3(reactions[3], reactions[4], reactions[5]));
        N = rbv_add(N, rbv_cross(rbv_vec3(0, 0, .1575), F));
        const double F3[3] = {F.x, F.y, F.z}, N3[3] = {N.x, N.y, N.z};
        assert_all_near(F3, force[k], 3, 1e-12);
        assert_all_near(N3, moment[k], 3, 1e-12);
    }
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* shared/reference/robot_puma560: P. Corke's Robotics Toolbox to the four digits it prints, then computed ones. */
static void puma_560_has_the_published_efforts(void **unused) {
    (void)unused;
    static const double qn[6] = {0, PI / 4, PI, 0, PI / 4, 0}, zero[6] = {0}, one[6] = {1, 1, 1, 1, 1, 1};
    static const double at_rest[6] = {0, 31.6399, 6.0351, 0, .0283, 0},
                        moving[6] = {29.1421, 56.5044, 16.3528, 1.2645, 1.1239, .5196},
                        speeding[6] = {32.4952, 60.8670, 17.7436, 1.4545, 1.2991, .7138};
    static const double q[6] = {.3, -.7, 1.1, .4, -.9, .2}, v[6] = {.5, -.3, .8, -1.2, .6, .9},
                        a[6] = {1, .4, -.6, .7, -.2, 1.5};
    static const double rigid[6] = {2.193233216512058,      26.668338005514556,   -3.440595383349995,
                                    -0.0010086882385491127, 0.013519318265981161, 0.00012470437262001774};
    RbvTreeBody bodies[6];
    double got[6];
    trees_puma560(bodies, true);
    RbvTree *tree = trees_create(6, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, qn, zero, zero, NULL, got, NULL), RBV_OK);
    assert_all_near(got, at_rest, 6, 6e-5); /* half of the last digit printed */
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, qn, one, zero, NULL, got, NULL), RBV_OK);
    assert_all_near(got, moving, 6, 6e-5);
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, qn, one, one, NULL, got, NULL), RBV_OK);
    assert_all_near(got, speeding, 6, 6e-5);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    trees_puma560(bodies, false);
    tree = trees_create(6, bodies);
    workspace = trees_workspace(tree, RBV_LANES_BEST);
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, got, NULL), RBV_OK);
    assert_all_near(got, rigid, 6, 1e-12);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* Problem T1 of shared/theory/reference-000.json: five bodies in two branches, joints R R P R P, forces and couples (in
 * the ground's axes, at the centres of mass). */
static void t1_bodies(RbvTreeBody bodies[5]) {
    static const double origin[5][3] = {{0, 0, .3}, {.3, .1, .4}, {-.2, .15, .35}, {.5, .05, 0}, {0, .6, .1}},
                        axis0[5][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
    static const double angle0[5] = {.2, -.5, .7, .4, -.3},
                        axis[5][3] = {{0, 0, 1},
                                      {0, .6, .8},
                                      {0, 1, 0},
                                      {0.816496580928, 0.408248290464, 0.408248290464},
                                      {1, 0, 0}};
    static const double mass[5] = {5, 3, 2, 1.2, .8},
                        centre[5][3] = {{.1, .02, .2}, {.25, 0, .05}, {.02, .3, -.05}, {.2, .01, -.03}, {.1, .05, 0}};
    static const double inertia[5][6] = {{.3, .25, .35, .02, -.01, .015},
                                         {.05, .16, .17, .005, 0, .008},
                                         {.08, .03, .07},
                                         {.02, .05, .045, 0, .001, 0},
                                         {.004, .006, .005}};
    static const int32_t parent[5] = {-1, 0, 0, 1, 2};
    static const char *const names[5] = {"trunk", "upper", "slide", "hand", "tip"};
    for (int32_t k = 0; k < 5; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        b->name = names[k], b->parent = parent[k], b->mass = mass[k];
        b->joint = k == 2 || k == 4 ? RBV_TREE_PRISMATIC : RBV_TREE_REVOLUTE;
        memcpy(b->place, origin[k], sizeof b->place);
        memcpy(b->axis, axis[k], sizeof b->axis);
        memcpy(b->centre, centre[k], sizeof b->centre);
        memcpy(b->inertia, inertia[k], sizeof b->inertia);
        double s = sin(angle0[k] / 2) /
                   sqrt(axis0[k][0] * axis0[k][0] + axis0[k][1] * axis0[k][1] + axis0[k][2] * axis0[k][2]);
        b->turn[0] = cos(angle0[k] / 2);
        for (int e = 0; e < 3; e++)
            b->turn[1 + e] = s * axis0[k][e];
    }
}

static void t1_has_its_efforts_and_reactions(void **unused) {
    (void)unused;
    static const double q[5] = {.5, -.8, .25, 1.1, -.15}, v[5] = {1.2, -2, .7, 3.1, -.9},
                        a[5] = {2.5, 4, -1.6, -5, 2.2};
    static const RbvVec3 force[5] = {{0, 0, 0}, {3, -2, 5}, {0, 4, 0}, {-6, 1, 2}, {0, 0, 0}},
                         couple[5] = {{.5, -.3, 1}, {0, 0, 0}, {0, 0, 0}, {.2, .4, -.6}, {0, 0, 0}};
    static const double tau[5] = {12.6043249601, 5.13836703167, 3.71503385138, 0.0124527707835, -2.84313932915};
    static const double reaction_force[5][3] = {{-0.726312326128, -6.95989758145, 103.132071619},
                                                {3.29278817808, 7.57520652631, 31.4973599027},
                                                {-2.63760077348, -15.0305900373, 22.4842717455},
                                                {5.85214359942, 1.50089289933, 8.23729040881},
                                                {0.424604416352, -4.05977559447, 5.76467191155}};
    static const double reaction_torque[5][3] = {{16.872975658, -4.45278059094, 11.9580590593},
                                                 {-5.93942120637, -3.76933923356, 2.87095497206},
                                                 {10.0854398611, 2.62871832808, 2.70473437972},
                                                 {0.58804297974, -0.43727168186, 0.0488184257806},
                                                 {0.431490045031, -0.467972705685, -0.348095940043}};
    RbvTreeBody bodies[5];
    t1_bodies(bodies);
    RbvTree *tree = trees_create(5, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    TreePose poses[5];
    double wrenches[30], got[5], reactions[30];
    trees_poses(tree, q, poses);
    for (int k = 0; k < 5; k++) {
        RbvVec3 F = rbv_apply_transposed(&poses[k].A, force[k]), N = rbv_apply_transposed(&poses[k].A, couple[k]);
        N = rbv_add(N, rbv_cross(rbv_vec3(bodies[k].centre[0], bodies[k].centre[1], bodies[k].centre[2]), F));
        memcpy(wrenches + 6 * k, &F, 3 * sizeof(double));
        memcpy(wrenches + 6 * k + 3, &N, 3 * sizeof(double));
    }
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, wrenches, got, reactions), RBV_OK);
    assert_all_near(got, tau, 5, 1e-10); /* 12 digits are printed */
    for (int k = 0; k < 5; k++) {
        RbvVec3 F = {reactions[6 * k], reactions[6 * k + 1], reactions[6 * k + 2]},
                N = {reactions[6 * k + 3], reactions[6 * k + 4], reactions[6 * k + 5]};
        F = rbv_apply(&poses[k].A, F), N = rbv_apply(&poses[k].A, N);
        const double F3[3] = {F.x, F.y, F.z}, N3[3] = {N.x, N.y, N.z};
        assert_all_near(F3, reaction_force[k], 3, 1e-9);
        assert_all_near(N3, reaction_torque[k], 3, 1e-9);
    }
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* --- Newton's laws, bodies moved by plain formulas --- */

/* f''(0) h^2 from f(-4h) ... f(4h): central differences of eighth order. */
static const double second[9] = {-1.0 / 560, 8.0 / 315, -1.0 / 5,  8.0 / 5,   -205.0 / 72,
                                 8.0 / 5,    -1.0 / 5,  8.0 / 315, -1.0 / 560};
/* f'(0) h from f(-2h) ... f(2h). */
static const double first[5] = {1.0 / 12, -8.0 / 12, 0, 8.0 / 12, -1.0 / 12};

static RbvMat3 added(const RbvMat3 *A, double k, const RbvMat3 *B) {
    RbvMat3 C;
    for (int e = 0; e < 3; e++)
        C.column[e] = rbv_add_scaled(A->column[e], k, B->column[e]);
    return C;
}
static RbvMat3 transposed(const RbvMat3 *A) {
    return (RbvMat3){{{A->column[0].x, A->column[1].x, A->column[2].x},
                      {A->column[0].y, A->column[1].y, A->column[2].y},
                      {A->column[0].z, A->column[1].z, A->column[2].z}}};
}
/* The vector of K's antisymmetric part: K_zy - K_yz, ... */
static RbvVec3 axial(const RbvMat3 *K) {
    return rbv_vec3(K->column[1].z - K->column[2].y, K->column[2].x - K->column[0].z, K->column[0].y - K->column[1].x);
}
static RbvVec3 centre_of(const RbvTreeBody *b, const TreePose *pose) {
    return rbv_add(pose->p, rbv_apply(&pose->A, rbv_vec3(b->centre[0], b->centre[1], b->centre[2])));
}

/* m (c'' - g) and the rate of the angular momentum about the centre of each body on the path q(t) = q moved by v t + a
 * t^2/2, less what is applied: what the joints do, as a wrench at the centre. */
static void required(const RbvTree *tree, const double *q, const double *v, const double *a, const double *wrenches,
                     RbvWrench *out) {
    int32_t count = rbv_tree_body_count(tree), nv = rbv_tree_v_count(tree);
    const double h = 0.01; /* motions below 10 rad/s: the error of the differences is (10 h)^8 / 3000, that of rounding
                              1e-15 / h^2 */
    TreePose *poses = calloc((size_t)count, sizeof *poses);
    RbvMat3 *ddA = calloc((size_t)count, sizeof *ddA);
    RbvVec3 *ddc = calloc((size_t)count, sizeof *ddc);
    double *moved = numbers(rbv_tree_q_count(tree)), *step = numbers(nv);
    for (int k = -4; k <= 4; k++) {
        for (int32_t e = 0; e < nv; e++)
            step[e] = k * h * v[e] + 0.5 * k * h * k * h * a[e];
        trees_move(tree, q, step, moved);
        trees_poses(tree, moved, poses);
        for (int32_t b = 0; b < count; b++) {
            ddA[b] = added(&ddA[b], second[k + 4] / (h * h), &poses[b].A);
            ddc[b] = rbv_add_scaled(ddc[b], second[k + 4] / (h * h), centre_of(rbv_tree_body(tree, b), poses + b));
        }
    }
    trees_poses(tree, q, poses);
    for (int32_t b = 0; b < count; b++) {
        const RbvTreeBody *body = rbv_tree_body(tree, b);
        const double *I = body->inertia, half = (I[0] + I[1] + I[2]) / 2, *W = wrenches + 6 * b;
        /* second moments S about the centre; torque = integral r x r'' dm with r = A rho: the axial vector of A'' S A^T
         */
        RbvMat3 S = {{{half - I[0], -I[3], -I[4]}, {-I[3], half - I[1], -I[5]}, {-I[4], -I[5], half - I[2]}}},
                T = transposed(&poses[b].A);
        S = rbv_mat3_product(&S, &T);
        S = rbv_mat3_product(&ddA[b], &S);
        RbvVec3 F = rbv_apply(&poses[b].A, rbv_vec3(W[0], W[1], W[2])),
                N = rbv_apply(&poses[b].A, rbv_vec3(W[3], W[4], W[5])),
                arm = rbv_sub(centre_of(body, poses + b), poses[b].p);
        out[b].force = rbv_sub(rbv_scale(body->mass, rbv_sub(ddc[b], rbv_vec3(0, 0, -9.81))), F);
        out[b].torque = rbv_sub(axial(&S), rbv_sub(N, rbv_cross(arm, F)));
    }
    free(poses), free(ddA), free(ddc), free(moved), free(step);
}

/* The power of these wrenches on a unit rate of each number of v. */
static void virtual_power(const RbvTree *tree, const double *q, const RbvWrench *wrenches, double *tau) {
    int32_t count = rbv_tree_body_count(tree), nv = rbv_tree_v_count(tree);
    const double h = 1e-3; /* the error is h^4 / 30, that of rounding 1e-16 / h */
    TreePose *poses = calloc((size_t)count, sizeof *poses), *at = calloc((size_t)count, sizeof *at);
    double *moved = numbers(rbv_tree_q_count(tree)), *step = numbers(nv);
    trees_poses(tree, q, at);
    for (int32_t e = 0; e < nv; e++) {
        tau[e] = 0;
        for (int k = -2; k <= 2; k++) {
            step[e] = k * h;
            trees_move(tree, q, step, moved);
            trees_poses(tree, moved, poses);
            for (int32_t b = 0; b < count; b++) {
                RbvMat3 T = transposed(&at[b].A),
                        turn = rbv_mat3_product(&poses[b].A,
                                                &T); /* its axial vector changes with twice the angular velocity */
                tau[e] += first[k + 2] / h *
                          (rbv_dot(wrenches[b].force, centre_of(rbv_tree_body(tree, b), poses + b)) +
                           0.5 * rbv_dot(wrenches[b].torque, axial(&turn)));
            }
        }
        step[e] = 0;
    }
    free(poses), free(at), free(moved), free(step);
}

/* Rotor, damping and friction of all joints, those that mimic too. */
static void add_own(const RbvTree *tree, const double *v, const double *a, double *tau) {
    for (int32_t k = 0; k < rbv_tree_body_count(tree); k++) {
        const RbvTreeBody *b = rbv_tree_body(tree, k), *source = b;
        double ratio = 1;
        int32_t body = k;
        for (; source->mimic >= 0; body = source->mimic, source = rbv_tree_body(tree, body))
            ratio *= source->ratio;
        int32_t at = rbv_tree_v_index(tree, body), count = rbv_tree_joint_v_count(tree, body);
        for (int32_t e = 0; e < count; e++) {
            double rate = ratio * v[at + e];
            tau[at + e] += ratio * (b->rotor[e] * ratio * a[at + e] + b->damping[e] * rate +
                                    b->friction[e] * ((rate > 0) - (rate < 0)));
        }
    }
}

/* What each parent does to its body: the sum over all bodies that hang on it, about its origin, in its axes. */
static void sum_reactions(const RbvTree *tree, const double *q, const RbvWrench *wrenches, double *reactions) {
    int32_t count = rbv_tree_body_count(tree);
    TreePose *poses = calloc((size_t)count, sizeof *poses);
    trees_poses(tree, q, poses);
    for (int32_t b = 0; b < count; b++) {
        RbvVec3 F = {0, 0, 0}, N = {0, 0, 0};
        for (int32_t k = b; k < count; k++) {
            int32_t up = k;
            while (up > b)
                up = rbv_tree_body(tree, up)->parent;
            if (up != b)
                continue;
            F = rbv_add(F, wrenches[k].force);
            N = rbv_add(N, rbv_add(wrenches[k].torque,
                                   rbv_cross(rbv_sub(centre_of(rbv_tree_body(tree, k), poses + k), poses[b].p),
                                             wrenches[k].force)));
        }
        F = rbv_apply_transposed(&poses[b].A, F), N = rbv_apply_transposed(&poses[b].A, N);
        memcpy(reactions + 6 * b, &F, 3 * sizeof(double));
        memcpy(reactions + 6 * b + 3, &N, 3 * sizeof(double));
    }
    free(poses);
}

static void random_trees_of_all_joints_obey_newton(void **unused) {
    (void)unused;
    enum { COUNT = 40 };
    uint64_t seed = 7;
    for (int round = 0; round < 6; round++) {
        RbvTreeBody bodies[COUNT];
        trees_random(bodies, COUNT, &seed);
        RbvTree *tree = trees_create(COUNT, bodies);
        RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
        int32_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree);
        double *q = numbers(nq), *v = numbers(nv), *a = numbers(nv), *tau = numbers(nv), *got = numbers(nv),
               wrenches[6 * COUNT], reactions[6 * COUNT], expected[6 * COUNT];
        RbvWrench sums[COUNT];
        trees_random_state(tree, 0.7, &seed, q, v, a);
        for (int k = 0; k < 6 * COUNT; k++)
            wrenches[k] = 3 * machine_random(&seed);
        required(tree, q, v, a, wrenches, sums);
        virtual_power(tree, q, sums, tau);
        add_own(tree, v, a, tau);
        sum_reactions(tree, q, sums, expected);
        assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, wrenches, got, reactions), RBV_OK);
        assert_all_near(got, tau, nv, 1e-8 * largest(tau, nv)); /* of the differences, see there */
        assert_all_near(reactions, expected, 6 * COUNT, 1e-8 * largest(expected, 6 * COUNT));
        /* without reactions masses are lumped: the same efforts to rounding */
        double *lumped = numbers(nv);
        assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, wrenches, lumped, NULL), RBV_OK);
        assert_all_near(lumped, got, nv, 1e-13 * largest(expected, 6 * COUNT));
        free(lumped);
        free(q), free(v), free(a), free(tau), free(got);
        rbv_tree_workspace_destroy(workspace);
        rbv_tree_destroy(tree);
    }
}

/* --- widths, layouts, threads --- */

/* All samples of a batch: by sample, in the order of RbvTreeBatch. */
typedef struct Samples {
    int64_t count;
    int32_t nq, nv, bodies;
    double *q, *v, *a, *wrenches, *tau, *reactions;
} Samples;

static Samples samples_of(const RbvTree *tree, int64_t count, uint64_t *seed) {
    Samples s = {count, rbv_tree_q_count(tree), rbv_tree_v_count(tree), rbv_tree_body_count(tree), 0, 0, 0, 0, 0, 0};
    s.q = numbers(count * s.nq), s.v = numbers(count * s.nv), s.a = numbers(count * s.nv),
    s.wrenches = numbers(count * 6 * s.bodies);
    s.tau = numbers(count * s.nv), s.reactions = numbers(count * 6 * s.bodies);
    for (int64_t k = 0; k < count; k++)
        trees_random_state(tree, 2, seed, s.q + k * s.nq, s.v + k * s.nv, s.a + k * s.nv);
    for (int64_t k = 0; k < count * 6 * s.bodies; k++)
        s.wrenches[k] = machine_random(seed);
    return s;
}
static void samples_free(Samples *s) {
    free(s->q), free(s->v), free(s->a), free(s->wrenches), free(s->tau), free(s->reactions);
}
static void transpose(double *x, int64_t rows, int64_t columns) {
    double *copy = numbers(rows * columns);
    memcpy(copy, x, (size_t)(rows * columns) * sizeof *x);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < columns; c++)
            x[c * rows + r] = copy[r * columns + c];
    free(copy);
}
/* From [sample][number] to [number][sample], and back. */
static void turn_over(Samples *s, bool back) {
    struct {
        double *x;
        int64_t n;
    } arrays[] = {{s->q, s->nq},   {s->v, s->nv},
                  {s->a, s->nv},   {s->wrenches, 6 * (int64_t)s->bodies},
                  {s->tau, s->nv}, {s->reactions, 6 * (int64_t)s->bodies}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        transpose(arrays[k].x, back ? arrays[k].n : s->count, back ? s->count : arrays[k].n);
}

/* The largest force and the largest torque that are summed anywhere bound what rounding does to any of them: 1e-13 of
 * it. */
static void assert_as_one_by_one(const RbvTree *tree, RbvTreeLanes lanes, RbvTreeLayout layout, int32_t threads,
                                 Samples *s) {
    RbvTreeWorkspace *one = trees_workspace(tree, RBV_LANES_ONE), *many = NULL;
    assert_int_equal(rbv_tree_workspace_create(tree, threads, &many), RBV_OK);
    double *tau = numbers(s->count * s->nv), *reactions = numbers(s->count * 6 * s->bodies);
    for (int64_t k = 0; k < s->count; k++)
        assert_int_equal(rbv_tree_inverse(tree, one, NULL, s->q + k * s->nq, s->v + k * s->nv, s->a + k * s->nv,
                                          s->wrenches + k * 6 * s->bodies, tau + k * s->nv,
                                          reactions + k * 6 * s->bodies),
                         RBV_OK);
    double bound = 1e-13 * fmax(largest(tau, s->count * s->nv), largest(reactions, s->count * 6 * s->bodies));
    if (rbv_tree_workspace_set_lanes(many, lanes) == RBV_OK) {
        assert_int_equal(rbv_tree_workspace_lanes(many), lanes);
        RbvTreeBatch batch = {s->count, layout, threads};
        if (layout == RBV_BY_NUMBER)
            turn_over(s, false);
        assert_int_equal(rbv_tree_inverse(tree, many, &batch, s->q, s->v, s->a, s->wrenches, s->tau, s->reactions),
                         RBV_OK);
        if (layout == RBV_BY_NUMBER)
            turn_over(s, true);
        assert_all_near(s->tau, tau, s->count * s->nv, bound);
        assert_all_near(s->reactions, reactions, s->count * 6 * s->bodies, bound);
    }
    free(tau), free(reactions);
    rbv_tree_workspace_destroy(one);
    rbv_tree_workspace_destroy(many);
}

static void all_widths_layouts_and_threads_give_the_same(void **unused) {
    (void)unused;
    enum { COUNT = 25 };
    uint64_t seed = 99;
    RbvTreeBody bodies[COUNT];
    trees_random(bodies, COUNT, &seed);
    RbvTree *tree = trees_create(COUNT, bodies);
    const int64_t counts[] = {0, 1, 7, 8, 9, 203};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        Samples s = samples_of(tree, counts[c], &seed);
        if (counts[c] == 203) /* angles that libm has to reduce, in some lanes */
            for (int k = 0; k < 203 * s.nq; k += 41)
                s.q[k] += k % 82 ? 0 : 1e7;
        for (int lanes = RBV_LANES_ONE; lanes <= RBV_LANES_AVX512; lanes++)
            for (int layout = RBV_BY_SAMPLE; layout <= RBV_BY_NUMBER; layout++)
                for (int32_t threads = 1; threads <= 3; threads += 2)
                    assert_as_one_by_one(tree, (RbvTreeLanes)lanes, (RbvTreeLayout)layout, threads, &s);
        samples_free(&s);
    }
    rbv_tree_destroy(tree);
}

/* All samples by number with wrenches and reactions, and efforts alone (reactions need other masses), against one
 * sample after the other. The workspace is made to go by parts of 64 angles. */
static void assert_by_parts(const RbvTree *tree, RbvTreeLanes lanes, Samples *s) {
    RbvTreeWorkspace *one = trees_workspace(tree, RBV_LANES_ONE), *many = trees_workspace(tree, lanes);
    int64_t efforts = s->count * s->nv, wrenches = s->count * 6 * s->bodies;
    double *tau = numbers(efforts), *alone = numbers(efforts), *reactions = numbers(wrenches);
    RbvTreeBatch batch = {s->count, RBV_BY_NUMBER, 1};
    turn_over(s, false);
    assert_int_equal(rbv_tree_inverse(tree, one, &batch, s->q, s->v, s->a, s->wrenches, tau, reactions), RBV_OK);
    assert_int_equal(rbv_tree_inverse(tree, one, &batch, s->q, s->v, s->a, NULL, alone, NULL), RBV_OK);
    double bound = 1e-13 * fmax(largest(tau, efforts), largest(reactions, wrenches));
    if (many) {
        many->scratch->deep = 0, many->scratch->part = RBV_TREE_ANGLES * many->target->many->lanes;
        assert_true(tree->angle_count > 3 * RBV_TREE_ANGLES);
        assert_int_equal(rbv_tree_inverse(tree, many, &batch, s->q, s->v, s->a, s->wrenches, s->tau, s->reactions),
                         RBV_OK);
        assert_all_near(s->tau, tau, efforts, bound);
        assert_all_near(s->reactions, reactions, wrenches, bound);
        assert_int_equal(rbv_tree_inverse(tree, many, &batch, s->q, s->v, s->a, NULL, s->tau, NULL), RBV_OK);
        assert_all_near(s->tau, alone, efforts, bound);
    }
    turn_over(s, true);
    free(tau), free(alone), free(reactions);
    rbv_tree_workspace_destroy(one);
    rbv_tree_workspace_destroy(many);
}

static void deep_trees_by_parts_give_the_same(void **unused) {
    (void)unused;
    enum { COUNT = 400 };
    static RbvTreeBody bodies[COUNT];
    uint64_t seed = 17;
    for (int chain = 0; chain < 2; chain++) {
        trees_random(bodies, COUNT, &seed);
        for (int32_t k = 0; chain && k < COUNT; k++) { /* long ways, and a few branches between far parts */
            bodies[k].parent = k % 90 == 89 ? k / 2 : k - 1;
            bodies[k].place[0] *= 0.05, bodies[k].place[1] *= 0.05, bodies[k].place[2] *= 0.05;
        }
        RbvTree *tree = trees_create(COUNT, bodies);
        Samples s = samples_of(tree, 11, &seed); /* blocks of lanes and some single ones */
        for (int64_t k = 0; chain && k < s.count * s.nv; k++)
            s.v[k] *= 0.1;
        for (int lanes = RBV_LANES_BASE; lanes <= RBV_LANES_AVX512; lanes++)
            assert_by_parts(tree, (RbvTreeLanes)lanes, &s);
        samples_free(&s);
        rbv_tree_destroy(tree);
    }
}

/* --- parts, energy --- */

static double kinetic_and_potential(const RbvTree *tree, const double *q, const double *v) {
    int32_t count = rbv_tree_body_count(tree), nv = rbv_tree_v_count(tree);
    const double h = 1e-3; /* as of virtual_power */
    TreePose *poses = calloc((size_t)count, sizeof *poses), *at = calloc((size_t)count, sizeof *at);
    RbvVec3 *dc = calloc((size_t)count, sizeof *dc), *w = calloc((size_t)count, sizeof *w);
    double *moved = numbers(rbv_tree_q_count(tree)), *step = numbers(nv), energy = 0;
    trees_poses(tree, q, at);
    for (int k = -2; k <= 2; k++) {
        for (int32_t e = 0; e < nv; e++)
            step[e] = k * h * v[e];
        trees_move(tree, q, step, moved);
        trees_poses(tree, moved, poses);
        for (int32_t b = 0; b < count; b++) {
            RbvMat3 T = transposed(&at[b].A), turn = rbv_mat3_product(&T, &poses[b].A);
            dc[b] = rbv_add_scaled(dc[b], first[k + 2] / h, centre_of(rbv_tree_body(tree, b), poses + b));
            w[b] = rbv_add_scaled(w[b], 0.5 * first[k + 2] / h, axial(&turn)); /* in the body's axes */
        }
    }
    for (int32_t b = 0; b < count; b++) {
        const RbvTreeBody *body = rbv_tree_body(tree, b);
        const double *I = body->inertia;
        RbvVec3 u = w[b];
        energy += 0.5 * body->mass * rbv_dot(dc[b], dc[b]) + 9.81 * body->mass * centre_of(body, at + b).z;
        energy += 0.5 * (I[0] * u.x * u.x + I[1] * u.y * u.y + I[2] * u.z * u.z) + I[3] * u.x * u.y + I[4] * u.x * u.z +
                  I[5] * u.y * u.z;
    }
    free(poses), free(at), free(dc), free(w), free(moved), free(step);
    return energy;
}

/* Power of the efforts = change of energy, in a tree without rotors, damping and friction. */
static void power_is_the_change_of_energy(void **unused) {
    (void)unused;
    enum { COUNT = 30 };
    uint64_t seed = 11;
    RbvTreeBody bodies[COUNT];
    trees_random(bodies, COUNT, &seed);
    for (int k = 0; k < COUNT; k++)
        for (int e = 0; e < 6; e++)
            bodies[k].rotor[e] = bodies[k].damping[e] = bodies[k].friction[e] = 0;
    RbvTree *tree = trees_create(COUNT, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    int32_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree);
    double *q = numbers(nq), *v = numbers(nv), *a = numbers(nv), *tau = numbers(nv), *step = numbers(nv),
           *moved = numbers(nq), *rate = numbers(nv), change = 0, power = 0;
    trees_random_state(tree, 0.7, &seed, q, v, a);
    const double h = 2e-3;
    for (int k = -2; k <= 2; k++) {
        for (int32_t e = 0; e < nv; e++)
            step[e] = k * h * v[e] + 0.5 * k * h * k * h * a[e], rate[e] = v[e] + k * h * a[e];
        /* the rates of a ball: to first order in h those of its rotation vector, and the error, w x a h^2 / 12, is
         * even: it vanishes from central differences up to h^3 */
        trees_move(tree, q, step, moved);
        change += first[k + 2] / h * kinetic_and_potential(tree, moved, rate);
    }
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, tau, NULL), RBV_OK);
    for (int32_t e = 0; e < nv; e++)
        power += tau[e] * v[e];
    assert_true(fabs(power) > 1);
    assert_near(power, change, 1e-6 * fabs(power));
    free(q), free(v), free(a), free(tau), free(step), free(moved), free(rate);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* Efforts are those of gravity, of rates and of accelerations together; those of accelerations are linear, at any
 * width. */
static void parts_add_up(void **unused) {
    (void)unused;
    enum { COUNT = 21 };
    uint64_t seed = 5;
    RbvTreeBody bodies[COUNT];
    trees_random(bodies, COUNT, &seed);
    RbvTree *tree = trees_create(COUNT, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST);
    Samples s = samples_of(tree, 19, &seed);
    int64_t n = s.count * s.nv;
    double *g = numbers(n), *c = numbers(n), *zero = numbers(n), *twice = numbers(n), *still = numbers(n),
           *doubled = numbers(n);
    RbvTreeBatch batch = {s.count, RBV_BY_SAMPLE, 1};
    for (int64_t k = 0; k < n; k++)
        twice[k] = 2 * s.a[k];
    assert_int_equal(rbv_tree_gravity_terms(tree, workspace, &batch, s.q, g), RBV_OK);
    assert_int_equal(rbv_tree_velocity_terms(tree, workspace, &batch, s.q, s.v, c), RBV_OK);
    assert_int_equal(rbv_tree_inverse(tree, workspace, &batch, s.q, s.v, s.a, NULL, s.tau, NULL), RBV_OK);
    assert_int_equal(rbv_tree_inverse(tree, workspace, &batch, s.q, s.v, zero, NULL, still, NULL), RBV_OK);
    assert_int_equal(rbv_tree_inverse(tree, workspace, &batch, s.q, s.v, twice, NULL, doubled, NULL), RBV_OK);
    double bound = 1e-13 * (largest(s.tau, n) + largest(g, n) + largest(c, n)), most = largest(g, n);
    for (int64_t k = 0; k < n; k++) {
        assert_near(g[k] + c[k], still[k], bound);
        assert_near(doubled[k] - s.tau[k], s.tau[k] - still[k], 3 * bound);
    }
    /* three times the gravity, three times its efforts */
    const double gravity[3] = {0, 0, -3 * 9.81};
    assert_int_equal(rbv_tree_set_gravity(tree, gravity), RBV_OK);
    assert_int_equal(rbv_tree_gravity_terms(tree, workspace, &batch, s.q, c), RBV_OK);
    for (int64_t k = 0; k < n; k++)
        assert_near(c[k], 3 * g[k], 1e-13 * 3 * most);
    free(g), free(c), free(zero), free(twice), free(still), free(doubled);
    samples_free(&s);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* A payload taken up: as a tree that is created with it. */
static void a_payload_changes_the_tree_as_creating_it_anew(void **unused) {
    (void)unused;
    RbvTreeBody bodies[7];
    trees_iiwa14(bodies);
    RbvTree *changed = trees_create(7, bodies);
    bodies[6].mass = 5;
    bodies[6].centre[0] = 0.1;
    bodies[6].inertia[1] = 0.0015;
    RbvTree *fresh = trees_create(7, bodies);
    RbvTreeWorkspace *workspace = trees_workspace(fresh, RBV_LANES_BEST);
    static const double q[7] = {.3, -.6, .9, -1.2, .5, .8, -.4}, v[7] = {.5, -.4, .3, .7, -.6, .2, 1};
    double before[7], expected[7], got[7];
    assert_int_equal(rbv_tree_inverse(changed, workspace, NULL, q, v, v, NULL, before, NULL), RBV_OK);
    assert_int_equal(rbv_tree_inverse(fresh, workspace, NULL, q, v, v, NULL, expected, NULL), RBV_OK);
    assert_int_equal(rbv_tree_set_body(changed, 6, 5, bodies[6].centre, bodies[6].inertia, NULL), RBV_OK);
    assert_int_equal(rbv_tree_inverse(changed, workspace, NULL, q, v, v, NULL, got, NULL), RBV_OK);
    assert_memory_equal(got, expected, sizeof got);
    assert_true(fabs(got[3] - before[3]) > 10);
    assert_true(rbv_tree_body(changed, 6)->mass == 5);
    const double negative[6] = {-1, 1, 1, 0, 0, 0};
    assert_int_equal(rbv_tree_set_body(changed, 6, 5, bodies[6].centre, negative, NULL), RBV_BAD_INPUT);
    assert_int_equal(rbv_tree_inverse(changed, workspace, NULL, q, v, v, NULL, got, NULL), RBV_OK);
    assert_memory_equal(got, expected, sizeof got);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(changed);
    rbv_tree_destroy(fresh);
}

/* --- tables and calls that are wrong --- */

static void refused(RbvTreeBody *bodies, const char *message) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    assert_int_equal(rbv_tree_create(7, bodies, NULL, diagnostics, &tree), RBV_BAD_INPUT);
    assert_null(tree);
    if (!machine_says(diagnostics, RBV_ERROR, message)) {
        machine_print(diagnostics);
        fail_msg("not said: %s", message);
    }
    rbv_diagnostics_destroy(diagnostics);
    trees_iiwa14(bodies);
}

static void a_wrong_table_is_refused_with_the_name_of_the_body(void **unused) {
    (void)unused;
    RbvTreeBody bodies[7];
    trees_iiwa14(bodies);
    bodies[3].parent = 3;
    refused(bodies,
            "body 3 'b3' of the tree: its parent is 3; it has to come before it in the table, or be -1 (the ground)");
    bodies[2].name = "b1";
    refused(bodies, "body 2 of the tree has the name 'b1', which body 1 has already");
    bodies[2].name = NULL;
    refused(bodies, "body 2 '?' of the tree: it has no name");
    bodies[4].mass = -1;
    refused(bodies, "body 4 'b4' of the tree: its mass is -1 kg; it has to be 0 or more");
    bodies[4].inertia[3] = 1;
    refused(bodies, "body 4 'b4' of the tree: its inertia has the principal moments");
    bodies[5].axis[2] = 0;
    refused(bodies, "body 5 'b5' of the tree: the axis of its joint is zero or not finite");
    bodies[5].joint = (RbvTreeJoint)77;
    refused(bodies, "body 5 'b5' of the tree: its joint is 77, which is no kind of joint");
    bodies[5].joint = RBV_TREE_UNIVERSAL;
    memcpy(bodies[5].second_axis, bodies[5].axis, sizeof bodies[5].axis);
    refused(bodies, "body 5 'b5' of the tree: the two axes of its universal joint are parallel");
    bodies[1].friction[0] = -1;
    refused(bodies, "body 1 'b1' of the tree: rotor inertia, damping and friction of its joint have to be 0 or more");
    bodies[1].lower[0] = 1, bodies[1].upper[0] = 0;
    refused(bodies,
            "body 1 'b1' of the tree: the limits of its joint are 1 and 0; the lower one has to be the smaller");
    bodies[1].mimic = 3, bodies[3].mimic = 1;
    refused(bodies, "body 1 'b1' of the tree: it mimics 'b3', which in the end mimics it");
    bodies[1].mimic = 9;
    refused(bodies, "body 1 'b1' of the tree: it mimics body 9, and there are 7 bodies");
    bodies[1].mimic = 3, bodies[3].joint = RBV_TREE_SPHERICAL;
    refused(bodies, "body 1 'b1' of the tree: it mimics 'b3': both joints have to be revolute, prismatic or screws");
    bodies[0].turn[0] = NAN;
    refused(bodies, "body 0 'b0' of the tree: the place or the quaternion of its joint's frame is not finite or zero");
}

static void wrong_calls_are_bad_arguments(void **unused) {
    (void)unused;
    RbvTreeBody bodies[7], other[6];
    trees_iiwa14(bodies);
    trees_puma560(other, true);
    RbvTree *tree = trees_create(7, bodies), *smaller = trees_create(6, other), *none = tree;
    RbvTreeWorkspace *workspace = trees_workspace(tree, RBV_LANES_BEST),
                     *wrong = trees_workspace(smaller, RBV_LANES_BEST);
    double x[7] = {0}, tau[7];
    RbvTreeBatch batch = {-1, RBV_BY_SAMPLE, 1};
    assert_int_equal(rbv_tree_create(0, bodies, NULL, NULL, &none), RBV_BAD_ARGUMENT);
    assert_null(none);
    assert_int_equal(rbv_tree_inverse(NULL, workspace, NULL, x, x, x, NULL, tau, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_inverse(tree, NULL, NULL, x, x, x, NULL, tau, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_inverse(tree, wrong, NULL, x, x, x, NULL, tau, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, x, x, NULL, NULL, tau, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_inverse(tree, workspace, &batch, x, x, x, NULL, tau, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_workspace_set_lanes(workspace, (RbvTreeLanes)9), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_tree_find(tree, "b4"), 4);
    assert_int_equal(rbv_tree_find(tree, "b7"), -1);
    assert_int_equal(rbv_tree_q_index(tree, 6), 6);
    assert_int_equal(rbv_tree_q_index(tree, 7), -1);
    assert_int_equal(rbv_tree_find_coordinate(tree, rbv_tree_coordinate(tree, 5)), 5);
    assert_int_equal(rbv_tree_find_coordinate(tree, "b7"), -1);
    assert_int_equal(rbv_tree_find_coordinate(tree, NULL), -1);
    assert_int_equal(rbv_tree_body_of_v(tree, 5), 5);
    assert_int_equal(rbv_tree_body_of_v(tree, 7), -1);
    /* what is not a number does not become one */
    x[2] = NAN;
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, x, x, x, NULL, tau, NULL), RBV_OK);
    assert_true(isnan(tau[0]) && isnan(tau[6]));
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_workspace_destroy(wrong);
    rbv_tree_destroy(tree);
    rbv_tree_destroy(smaller);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iiwa_14_has_the_efforts_that_three_programs_agree_on),
        cmocka_unit_test(puma_560_has_the_published_efforts),
        cmocka_unit_test(t1_has_its_efforts_and_reactions),
        cmocka_unit_test(random_trees_of_all_joints_obey_newton),
        cmocka_unit_test(all_widths_layouts_and_threads_give_the_same),
        cmocka_unit_test(deep_trees_by_parts_give_the_same),
        cmocka_unit_test(power_is_the_change_of_energy),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_payload_changes_the_tree_as_creating_it_anew),
        cmocka_unit_test(a_wrong_table_is_refused_with_the_name_of_the_body),
        cmocka_unit_test(wrong_calls_are_bad_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
