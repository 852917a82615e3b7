/* Kinds of joints of a tree, and checks of a body of the table. */
#include "arrays/tree.h"
#include "core/base/diagnostics.h"
#include "core/linalg/rotation.h"
#include "core/linalg/small.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Rounding of decimal digits may violate the inequalities of moments of inertia by this part of their sum (as in
 * model/model/bodies.c). */
#define DIGITS 1e-6

static const struct Kind {
    int32_t q, v;
} kinds[] = {
    [RBV_TREE_FIXED] = {0, 0},  [RBV_TREE_REVOLUTE] = {1, 1},    [RBV_TREE_PRISMATIC] = {1, 1},
    [RBV_TREE_SCREW] = {1, 1},  [RBV_TREE_CYLINDRICAL] = {2, 2}, [RBV_TREE_UNIVERSAL] = {2, 2},
    [RBV_TREE_PLANAR] = {3, 3}, [RBV_TREE_SPHERICAL] = {4, 3},   [RBV_TREE_FREE] = {7, 6},
};

int32_t rbv_tree_joint_numbers(RbvTreeJoint joint) {
    return kinds[joint].q;
}
int32_t rbv_tree_joint_freedoms(RbvTreeJoint joint) {
    return kinds[joint].v;
}

RbvTreeBody rbv_tree_body_default(void) {
    RbvTreeBody body = {.name = "",
                        .parent = -1,
                        .joint = RBV_TREE_REVOLUTE,
                        .turn = {1, 0, 0, 0},
                        .axis = {0, 0, 1},
                        .second_axis = {0, 1, 0},
                        .mimic = -1,
                        .ratio = 1};
    for (int k = 0; k < 7; k++)
        body.lower[k] = -INFINITY, body.upper[k] = INFINITY;
    return body;
}

/* Report an error about a body; returns false. */
static RBV_PRINTF(4, 5) bool wrong(const RbvTreeBody *body, int32_t index, RbvDiagnostics *diagnostics,
                                   const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *name = body->name && *body->name ? body->name : "?";
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "body %d '%s' of the tree: %s", (int)index, name,
                 text);
    return false;
}

static bool finite(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}
static bool zero(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (x[k] != 0)
            return false;
    return true;
}

bool rbv_tree_check_mass(const RbvTreeBody *body, int32_t index, RbvDiagnostics *diagnostics) {
    if (!isfinite(body->mass) || body->mass < 0)
        return wrong(body, index, diagnostics, "its mass is %g kg; it has to be 0 or more", body->mass);
    if (!finite(body->centre, 3) || !finite(body->inertia, 6))
        return wrong(body, index, diagnostics, "its centre of mass or inertia is not finite");
    double J[3];
    rbv_small_eigenvalues(body->inertia, J);
    double slack = DIGITS * (fabs(J[0]) + fabs(J[1]) + fabs(J[2]));
    if (J[0] < -slack)
        return wrong(body, index, diagnostics,
                     "its inertia has the principal moments %g, %g, %g kg.m^2; they are positive (or 0)", J[0], J[1],
                     J[2]);
    if (J[2] > J[0] + J[1] + slack) {
        rbv_diagnose(diagnostics, RBV_NOTE, NULL, (RbvPosition){0, 0},
                     "body %d '%s' of the tree: no real body has its inertia: the principal moments are %g, %g, %g "
                     "kg.m^2; it is taken as given",
                     (int)index, body->name ? body->name : "?", J[0], J[1], J[2]);
    }
    return true;
}

static bool check_joint(const RbvTreeBody *body, int32_t index, RbvDiagnostics *diagnostics) {
    if (!finite(body->place, 3) || !finite(body->turn, 4) || zero(body->turn, 4))
        return wrong(body, index, diagnostics,
                     "the place or the quaternion of its joint's frame is not finite or zero");
    bool axis = body->joint >= RBV_TREE_REVOLUTE && body->joint <= RBV_TREE_UNIVERSAL;
    if (axis && (!finite(body->axis, 3) || zero(body->axis, 3)))
        return wrong(body, index, diagnostics, "the axis of its joint is zero or not finite");
    if (body->joint == RBV_TREE_UNIVERSAL) {
        if (!finite(body->second_axis, 3) || zero(body->second_axis, 3))
            return wrong(body, index, diagnostics, "the second axis of its universal joint is zero or not finite");
        RbvVec3 a = {body->axis[0], body->axis[1], body->axis[2]},
                b = {body->second_axis[0], body->second_axis[1], body->second_axis[2]};
        if (rbv_norm(rbv_cross(a, b)) <=
            1e-9 * rbv_norm(a) * rbv_norm(b)) /* accepts the digits of a table written by hand, far above rounding */
            return wrong(body, index, diagnostics, "the two axes of its universal joint are parallel");
    }
    if (body->joint == RBV_TREE_SCREW && !isfinite(body->pitch))
        return wrong(body, index, diagnostics, "the pitch of its screw is not finite");
    for (int32_t k = 0; k < rbv_tree_joint_freedoms(body->joint); k++)
        if (!isfinite(body->rotor[k]) || body->rotor[k] < 0 || !isfinite(body->damping[k]) || body->damping[k] < 0 ||
            !isfinite(body->friction[k]) || body->friction[k] < 0)
            return wrong(body, index, diagnostics,
                         "rotor inertia, damping and friction of its joint have to be 0 or more");
    for (int32_t k = 0; k < rbv_tree_joint_numbers(body->joint); k++)
        if (!(body->lower[k] <= body->upper[k]))
            return wrong(body, index, diagnostics,
                         "the limits of its joint are %g and %g; the lower one has to be the smaller", body->lower[k],
                         body->upper[k]);
    return true;
}

static bool simple(RbvTreeJoint joint) {
    return joint == RBV_TREE_REVOLUTE || joint == RBV_TREE_PRISMATIC || joint == RBV_TREE_SCREW;
}

/* The body at the end of the chain of mimic joints; -1: the chain is a cycle. */
static int32_t mimicked(const RbvTreeBody *bodies, int32_t index) {
    int32_t slow = index, fast = index;
    for (;;) {
        for (int step = 0; step < 2; step++) {
            if (bodies[fast].mimic < 0)
                return fast;
            fast = bodies[fast].mimic;
        }
        slow = bodies[slow].mimic;
        if (slow == fast)
            return -1;
    }
}

static bool check_mimic(const RbvTreeBody *bodies, int32_t count, int32_t index, RbvDiagnostics *diagnostics) {
    const RbvTreeBody *body = bodies + index;
    if (body->mimic < 0)
        return true;
    if (body->mimic >= count)
        return wrong(body, index, diagnostics, "it mimics body %d, and there are %d bodies", (int)body->mimic,
                     (int)count);
    if (!simple(body->joint) || !simple(bodies[body->mimic].joint))
        return wrong(body, index, diagnostics, "it mimics '%s': both joints have to be revolute, prismatic or screws",
                     bodies[body->mimic].name);
    if (!isfinite(body->ratio) || !isfinite(body->offset))
        return wrong(body, index, diagnostics, "ratio or offset of what it mimics is not finite");
    if (mimicked(bodies, index) < 0)
        return wrong(body, index, diagnostics, "it mimics '%s', which in the end mimics it", bodies[body->mimic].name);
    return true;
}

bool rbv_tree_check_body(const RbvTreeBody *bodies, int32_t index, RbvDiagnostics *diagnostics) {
    const RbvTreeBody *body = bodies + index;
    if (!body->name || !*body->name)
        return wrong(body, index, diagnostics, "it has no name");
    if (body->parent < -1 || body->parent >= index)
        return wrong(body, index, diagnostics,
                     "its parent is %d; it has to come before it in the table, or be -1 (the ground)",
                     (int)body->parent);
    if ((unsigned)body->joint > RBV_TREE_FREE)
        return wrong(body, index, diagnostics, "its joint is %d, which is no kind of joint", (int)body->joint);
    bool joint = check_joint(body, index, diagnostics), mass = rbv_tree_check_mass(body, index, diagnostics);
    return joint && mass;
}

bool rbv_tree_check_mimics(const RbvTreeBody *bodies, int32_t count, RbvDiagnostics *diagnostics) {
    bool good = true;
    for (int32_t k = 0; k < count; k++)
        good = check_mimic(bodies, count, k, diagnostics) && good;
    return good;
}
