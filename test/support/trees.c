/* See trees.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/small.h"
#include "support/machines.h"
#include "support/trees.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979324

double *numbers(int64_t count) {
    double *x = calloc((size_t)(count > 0 ? count : 1), sizeof *x);
    assert_non_null(x);
    return x;
}
double largest(const double *x, int64_t count) {
    double most = 0;
    for (int64_t k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

static const char *name_of(int32_t k) {
    static char names[2000][12];
    assert_true(k < 2000);
    snprintf(names[k], sizeof names[k], "b%d", (int)k);
    return names[k];
}

static void set_quat(RbvQuat p, double out[4]) {
    out[0] = p.w, out[1] = p.e.x, out[2] = p.e.y, out[3] = p.e.z;
}
static RbvQuat about(int axis, double angle) {
    double s = sin(angle / 2);
    return (RbvQuat){cos(angle / 2), {axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0}};
}

/* Link table as in IFL-CAMP/iiwa_stack, iiwa14.urdf: angles are multiples of pi/2. */
void trees_iiwa14(RbvTreeBody bodies[7]) {
    static const double xyz[7][3] = {{0, 0, .1575}, {0, 0, .2025}, {0, .2045, 0}, {0, 0, .2155},
                                     {0, .1845, 0}, {0, 0, .2155}, {0, .081, 0}};
    static const double rpy[7][3] = {{0, 0, 0},  {1, 0, 2}, {1, 0, 2}, {1, 0, 0},
                                     {-1, 2, 0}, {1, 0, 0}, {-1, 2, 0}}; /* right angles */
    static const double mass[7] = {4, 4, 3, 2.7, 1.7, 1.8, .3};
    static const double centre[7][3] = {{0, -.03, .12},      {.0003, .059, .042}, {0, .03, .13}, {0, .067, .034},
                                        {.0001, .021, .076}, {0, .0006, .0004},   {0, 0, .02}};
    static const double moments[7][3] = {{.1, .09, .02},    {.05, .018, .044},    {.08, .075, .01},  {.03, .01, .029},
                                         {.02, .018, .005}, {.005, .0036, .0047}, {.001, .001, .001}};
    for (int32_t k = 0; k < 7; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        b->name = name_of(k), b->parent = k - 1, b->mass = mass[k];
        memcpy(b->place, xyz[k], sizeof b->place);
        memcpy(b->centre, centre[k], sizeof b->centre);
        memcpy(b->inertia, moments[k], sizeof moments[k]);
        RbvQuat turn = rbv_quat_product(about(2, rpy[k][2] * PI / 2),
                                        rbv_quat_product(about(1, rpy[k][1] * PI / 2), about(0, rpy[k][0] * PI / 2)));
        set_quat(turn, b->turn);
    }
}

/* Parameters of P. Corke's Robotics Toolbox, in the frames of Denavit and Hartenberg: link frame = the body's frame
 * here, moved by d along z, a along x, turned by alpha about x. */
void trees_puma560(RbvTreeBody bodies[6], bool motors) {
    static const double d[6] = {0, 0, .15005, .4318, 0, 0}, a[6] = {0, .4318, .0203, 0, 0, 0},
                        alpha[6] = {1, 0, -1, 1, -1, 0}; /* right angles */
    static const double mass[6] = {0, 17.4, 4.8, .82, .34, .09};
    static const double centre[6][3] = {{0, 0, 0}, {-.3638, .006, .2275}, {-.0203, -.0141, .070}, {0, .019, 0},
                                        {0, 0, 0}, {0, 0, .032}};
    static const double moments[6][3] = {{0, .35, 0},           {.13, .524, .539},
                                         {.066, .086, .0125},   {1.8e-3, 1.3e-3, 1.8e-3},
                                         {.3e-3, .4e-3, .3e-3}, {.15e-3, .15e-3, .04e-3}};
    static const double gear[6] = {62.6111, 107.815, 53.7063, 76.0364, 71.923, 76.686},
                        rotor[6] = {200e-6, 200e-6, 200e-6, 33e-6, 33e-6, 33e-6};
    static const double viscous[6] = {1.48e-3, .817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6},
                        coulomb[6] = {.395, .126, .132, 11.2e-3, 9.26e-3, 3.96e-3};
    for (int32_t k = 0; k < 6; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        b->name = name_of(k), b->parent = k - 1, b->mass = mass[k];
        if (k > 0) {
            b->place[0] = a[k - 1], b->place[2] = d[k - 1];
            set_quat(about(0, alpha[k - 1] * PI / 2), b->turn);
        }
        RbvMat3 A = rbv_mat3_of_quat(about(0, alpha[k] * PI / 2));
        RbvVec3 c = rbv_add(rbv_vec3(a[k], 0, d[k]), rbv_apply(&A, rbv_vec3(centre[k][0], centre[k][1], centre[k][2])));
        b->centre[0] = c.x, b->centre[1] = c.y, b->centre[2] = c.z;
        bool turned = alpha[k] != 0; /* by a right angle: y and z change places */
        b->inertia[0] = moments[k][0], b->inertia[1] = moments[k][turned ? 2 : 1],
        b->inertia[2] = moments[k][turned ? 1 : 2];
        if (motors)
            b->rotor[0] = gear[k] * gear[k] * rotor[k], b->damping[0] = gear[k] * gear[k] * viscous[k],
            b->friction[0] = gear[k] * coulomb[k];
    }
}

static void random_numbers(double *x, int count, double most, uint64_t *seed) {
    for (int k = 0; k < count; k++)
        x[k] = most * machine_random(seed);
}

void trees_random(RbvTreeBody *bodies, int32_t count, uint64_t *seed) {
    for (int32_t k = 0; k < count; k++) {
        RbvTreeBody *b = bodies + k;
        *b = rbv_tree_body_default;
        b->name = name_of(k);
        /* now and then a new branch, else a chain: no parent is very deep */
        b->parent = k % 6 == 5     ? (int32_t)((double)(k - 1) * 0.5 * (1 + machine_random(seed)))
                    : k % 17 == 16 ? -1
                                   : k - 1;
        b->joint = (RbvTreeJoint)((k * 5 + 1) % (RBV_TREE_FREE + 1));
        random_numbers(b->place, 3, 0.3, seed);
        random_numbers(b->turn, 4, 1, seed);
        random_numbers(b->axis, 3, 1, seed);
        random_numbers(b->second_axis, 3, 1, seed);
        if (k % 4 == 0) /* along an axis of the frame, too */
            b->axis[0] = k % 8 == 0, b->axis[1] = 0, b->axis[2] = k % 8 != 0;
        b->pitch = 0.1 * machine_random(seed);
        b->mass = k % 7 == 3 ? 0 : 2 + machine_random(seed);
        random_numbers(b->centre, 3, 0.1, seed);
        if (b->mass > 0) {
            for (int e = 0; e < 3; e++)
                b->inertia[e] = 0.02 + 0.004 * machine_random(seed);
            random_numbers(b->inertia + 3, 3, 0.003, seed);
        }
        for (int e = 0; e < 6; e++)
            b->rotor[e] = 0.02 + 0.01 * machine_random(seed), b->damping[e] = k % 3 ? 0 : 0.2,
            b->friction[e] = k % 3 ? 0 : 0.1;
        bool simple = b->joint == RBV_TREE_REVOLUTE || b->joint == RBV_TREE_PRISMATIC || b->joint == RBV_TREE_SCREW;
        if (simple && k >= 9 && k % 2)
            for (int32_t e = k - 1; e >= 0 && b->mimic < 0; e--)
                if (bodies[e].joint == RBV_TREE_REVOLUTE || bodies[e].joint == RBV_TREE_SCREW)
                    b->mimic = e, b->ratio = -0.7, b->offset = 0.2;
    }
}

RbvTree *trees_create(int32_t count, const RbvTreeBody *bodies) {
    const double gravity[3] = {0, 0, -9.81};
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    RbvStatus status = rbv_tree_create(count, bodies, gravity, diagnostics, &tree);
    if (status != RBV_OK)
        machine_print(diagnostics);
    assert_int_equal(status, RBV_OK);
    rbv_diagnostics_destroy(diagnostics);
    return tree;
}

RbvTreeWorkspace *trees_workspace(const RbvTree *tree, RbvTreeLanes lanes) {
    RbvTreeWorkspace *workspace = NULL;
    assert_int_equal(rbv_tree_workspace_create(tree, 1, &workspace), RBV_OK);
    if (rbv_tree_workspace_set_lanes(workspace, lanes) == RBV_OK)
        return workspace;
    rbv_tree_workspace_destroy(workspace);
    return NULL;
}

static bool has_quaternion(RbvTreeJoint joint) {
    return joint == RBV_TREE_SPHERICAL || joint == RBV_TREE_FREE;
}

void trees_random_state(const RbvTree *tree, double most, uint64_t *seed, double *q, double *v, double *a) {
    random_numbers(q, rbv_tree_q_count(tree), 1, seed);
    random_numbers(v, rbv_tree_v_count(tree), most, seed);
    random_numbers(a, rbv_tree_v_count(tree), most, seed);
    for (int32_t k = 0; k < rbv_tree_body_count(tree); k++) {
        if (!has_quaternion(rbv_tree_body(tree, k)->joint))
            continue;
        double *p = q + rbv_tree_q_index(tree, k) + rbv_tree_joint_q_count(tree, k) - 4;
        set_quat(rbv_quat_normalised((RbvQuat){p[0], {p[1], p[2], p[3]}}), p);
    }
}

static RbvQuat turn_about(const double axis[3], double angle) {
    RbvVec3 u = {axis[0], axis[1], axis[2]};
    return (RbvQuat){cos(angle / 2), rbv_scale(sin(angle / 2) / rbv_norm(u), u)};
}
static RbvVec3 along(const double axis[3], double distance) {
    RbvVec3 u = {axis[0], axis[1], axis[2]};
    return rbv_scale(distance / rbv_norm(u), u);
}

/* Position and turn of a body's frame in its joint's frame. */
static RbvVec3 joint_motion(const RbvTreeBody *b, const double *q, RbvQuat *turn) {
    RbvVec3 p = {0, 0, 0};
    const double z[3] = {0, 0, 1};
    *turn = rbv_quat_identity();
    switch (b->joint) {
    case RBV_TREE_FIXED: break;
    case RBV_TREE_REVOLUTE: *turn = turn_about(b->axis, q[0]); break;
    case RBV_TREE_PRISMATIC: return along(b->axis, q[0]);
    case RBV_TREE_SCREW: *turn = turn_about(b->axis, q[0]); return along(b->axis, b->pitch * q[0]);
    case RBV_TREE_CYLINDRICAL: *turn = turn_about(b->axis, q[0]); return along(b->axis, q[1]);
    case RBV_TREE_UNIVERSAL:
        *turn = rbv_quat_product(turn_about(b->axis, q[0]), turn_about(b->second_axis, q[1]));
        break;
    case RBV_TREE_PLANAR: *turn = turn_about(z, q[2]); return rbv_vec3(q[0], q[1], 0);
    case RBV_TREE_FREE: p = rbv_vec3(q[0], q[1], q[2]); q += 3; /* fall through */
    case RBV_TREE_SPHERICAL: *turn = rbv_quat_normalised((RbvQuat){q[0], {q[1], q[2], q[3]}}); break;
    }
    return p;
}

void trees_poses(const RbvTree *tree, const double *q, TreePose *poses) {
    for (int32_t k = 0; k < rbv_tree_body_count(tree); k++) {
        const RbvTreeBody *b = rbv_tree_body(tree, k);
        double own = 0, ratio = 1, offset = 0;
        int32_t source = k;
        for (; rbv_tree_body(tree, source)->mimic >= 0; source = rbv_tree_body(tree, source)->mimic)
            offset += ratio * rbv_tree_body(tree, source)->offset, ratio *= rbv_tree_body(tree, source)->ratio;
        const double *at = rbv_tree_q_index(tree, source) < 0 ? &own : q + rbv_tree_q_index(tree, source);
        if (source != k)
            own = ratio * at[0] + offset, at = &own;
        RbvQuat turn;
        RbvVec3 p = joint_motion(b, at, &turn);
        RbvMat3 place =
                    rbv_mat3_of_quat(rbv_quat_normalised((RbvQuat){b->turn[0], {b->turn[1], b->turn[2], b->turn[3]}})),
                moved = rbv_mat3_of_quat(turn);
        p = rbv_add(rbv_vec3(b->place[0], b->place[1], b->place[2]), rbv_apply(&place, p));
        moved = rbv_mat3_product(&place, &moved);
        if (b->parent < 0) {
            poses[k] = (TreePose){moved, p};
            continue;
        }
        const TreePose *parent = poses + b->parent;
        poses[k].A = rbv_mat3_product(&parent->A, &moved);
        poses[k].p = rbv_add(parent->p, rbv_apply(&parent->A, p));
    }
}

void trees_move(const RbvTree *tree, const double *q, const double *v, double *out) {
    for (int32_t k = 0; k < rbv_tree_body_count(tree); k++) {
        int32_t at = rbv_tree_q_index(tree, k), from = rbv_tree_v_index(tree, k),
                count = rbv_tree_joint_q_count(tree, k),
                plain = has_quaternion(rbv_tree_body(tree, k)->joint) ? count - 4 : count;
        if (at < 0)
            continue;
        for (int32_t e = 0; e < plain; e++)
            out[at + e] = q[at + e] + v[from + e];
        if (plain == count)
            continue;
        const double *p = q + at + plain, *w = v + from + plain;
        double angle = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]),
               s = angle > 1e-5 ? sin(angle / 2) / angle
                                : 0.5 - angle * angle / 48; /* the next term of the series is below rounding */
        set_quat(rbv_quat_product((RbvQuat){p[0], {p[1], p[2], p[3]}},
                                  (RbvQuat){cos(angle / 2), {s * w[0], s * w[1], s * w[2]}}),
                 out + at + plain);
    }
}
