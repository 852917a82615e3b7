/* Creates trees: kinds of joints, checks of the table of bodies, names, sizes; changes masses and gravity. */
#include "arrays/tree.h"
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "core/linalg/small.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Kinds of joints of a tree, and checks of a body of the table. */

static const struct Kind {
    int32_t q, v;
} kinds[] = {
    [RBV_TREE_FIXED] = {0, 0},  [RBV_TREE_REVOLUTE] = {1, 1},    [RBV_TREE_PRISMATIC] = {1, 1},
    [RBV_TREE_SCREW] = {1, 1},  [RBV_TREE_CYLINDRICAL] = {2, 2}, [RBV_TREE_UNIVERSAL] = {2, 2},
    [RBV_TREE_PLANAR] = {3, 3}, [RBV_TREE_SPHERICAL] = {4, 3},   [RBV_TREE_FREE] = {7, 6},
};

/* Number of components of q of a kind of joint. */
static int32_t tree_joint_numbers(RbvTreeJoint joint) {
    return kinds[joint].q;
}
/* Number of components of v of a kind of joint. */
static int32_t tree_joint_freedoms(RbvTreeJoint joint) {
    return kinds[joint].v;
}

const RbvTreeBody rbv_tree_body_default = {
    .name = "",
    .parent = -1,
    .joint = RBV_TREE_REVOLUTE,
    .turn = {1, 0, 0, 0},
    .axis = {0, 0, 1},
    .second_axis = {0, 1, 0},
    .mimic = -1,
    .ratio = 1,
    .lower = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
    .upper = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}};

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

static bool zero(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (x[k] != 0)
            return false;
    return true;
}

/* Check mass, centre and inertia of a body. */
static bool tree_check_mass(const RbvTreeBody *body, int32_t index, RbvDiagnostics *diagnostics) {
    if (!isfinite(body->mass) || body->mass < 0)
        return wrong(body, index, diagnostics, "its mass is %g kg; it has to be 0 or more", body->mass);
    if (!rbv_all_finite(body->centre, 3) || !rbv_all_finite(body->inertia, 6))
        return wrong(body, index, diagnostics, "its centre of mass or inertia is not finite");
    double J[3];
    rbv_small_eigenvalues(body->inertia, J);
    /* Rounding of decimal digits may violate the inequalities of moments of inertia by this part of their sum (as in
     * model/model/bodies.c). */
    double slack = RBV_FITS * (fabs(J[0]) + fabs(J[1]) + fabs(J[2]));
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
    if (!rbv_all_finite(body->place, 3) || !rbv_all_finite(body->turn, 4) || zero(body->turn, 4))
        return wrong(body, index, diagnostics,
                     "the place or the quaternion of its joint's frame is not finite or zero");
    bool axis = body->joint >= RBV_TREE_REVOLUTE && body->joint <= RBV_TREE_UNIVERSAL;
    if (axis && (!rbv_all_finite(body->axis, 3) || zero(body->axis, 3)))
        return wrong(body, index, diagnostics, "the axis of its joint is zero or not finite");
    if (body->joint == RBV_TREE_UNIVERSAL) {
        if (!rbv_all_finite(body->second_axis, 3) || zero(body->second_axis, 3))
            return wrong(body, index, diagnostics, "the second axis of its universal joint is zero or not finite");
        RbvVec3 a = {body->axis[0], body->axis[1], body->axis[2]},
                b = {body->second_axis[0], body->second_axis[1], body->second_axis[2]};
        if (rbv_norm(rbv_cross(a, b)) <=
            1e-9 * rbv_norm(a) * rbv_norm(b)) /* accepts the digits of a table written by hand, far above rounding */
            return wrong(body, index, diagnostics, "the two axes of its universal joint are parallel");
    }
    if (body->joint == RBV_TREE_SCREW && !isfinite(body->pitch))
        return wrong(body, index, diagnostics, "the pitch of its screw is not finite");
    for (int32_t k = 0; k < tree_joint_freedoms(body->joint); k++)
        if (!isfinite(body->rotor[k]) || body->rotor[k] < 0 || !isfinite(body->damping[k]) || body->damping[k] < 0 ||
            !isfinite(body->friction[k]) || body->friction[k] < 0)
            return wrong(body, index, diagnostics,
                         "rotor inertia, damping and friction of its joint have to be 0 or more");
    for (int32_t k = 0; k < tree_joint_numbers(body->joint); k++)
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

/* Check bodies[index] of a table; errors go to diagnostics. False: there are errors. */
static bool tree_check_body(const RbvTreeBody *bodies, int32_t index, RbvDiagnostics *diagnostics) {
    const RbvTreeBody *body = bodies + index;
    if (!body->name || !*body->name)
        return wrong(body, index, diagnostics, "it has no name");
    if (body->parent < -1 || body->parent >= index)
        return wrong(body, index, diagnostics,
                     "its parent is %d; it has to come before it in the table, or be -1 (the ground)",
                     (int)body->parent);
    if ((unsigned)body->joint > RBV_TREE_FREE)
        return wrong(body, index, diagnostics, "its joint is %d, which is no kind of joint", (int)body->joint);
    bool joint = check_joint(body, index, diagnostics), mass = tree_check_mass(body, index, diagnostics);
    return joint && mass;
}

/* Check the mimic joints of an otherwise valid table. */
static bool tree_check_mimics(const RbvTreeBody *bodies, int32_t count, RbvDiagnostics *diagnostics) {
    bool good = true;
    for (int32_t k = 0; k < count; k++)
        good = check_mimic(bodies, count, k, diagnostics) && good;
    return good;
}

static uint32_t hash_of_name(const void *bodies, int32_t k) {
    const char *name = ((const RbvTreeBody *)bodies)[k].name;
    return rbv_hash(name, strlen(name));
}

int32_t rbv_tree_find(const RbvTree *tree, const char *name) {
    if (!tree || !name)
        return -1;
    for (uint32_t cell = rbv_index_cell(&tree->names, rbv_hash(name, strlen(name)));;
         cell = rbv_index_cell(&tree->names, cell + 1)) {
        int32_t body = rbv_index_at(&tree->names, cell);
        if (body < 0 || strcmp(tree->body[body].name, name) == 0)
            return body;
    }
}

/* Check every body, then names, then mimic joints. */
static bool check_table(RbvTree *tree, int32_t count, const RbvTreeBody *bodies, RbvDiagnostics *diagnostics) {
    bool good = true;
    for (int32_t k = 0; k < count; k++)
        good = tree_check_body(bodies, k, diagnostics) && good;
    if (!good)
        return false;
    for (int32_t k = 0; k < count; k++) {
        int32_t other = rbv_tree_find(tree, bodies[k].name);
        if (other != k) {
            rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                         "body %d of the tree has the name '%s', which body %d has already", (int)k, bodies[k].name,
                         (int)other);
            good = false;
        }
    }
    return tree_check_mimics(bodies, count, diagnostics) && good;
}

/* Copy the table and its names; a name of two bodies finds the first. */
static bool copy_table(RbvTree *tree, int32_t count, const RbvTreeBody *bodies) {
    tree->body = rbv_arena_array(&tree->arena, (size_t)count, sizeof *tree->body);
    if (!tree->body)
        return false;
    tree->body_count = count;
    for (int32_t k = 0; k < count; k++) {
        const char *name = bodies[k].name ? bodies[k].name : "";
        tree->body[k] = bodies[k];
        tree->body[k].name = rbv_arena_copy(&tree->arena, name, strlen(name));
        if (!tree->body[k].name)
            return false;
    }
    for (int32_t k = 0; k < count; k++)
        if ((k == 0 || rbv_tree_find(tree, tree->body[k].name) < 0) &&
            !rbv_index_table_add(&tree->names, k, hash_of_name, tree->body))
            return false;
    return true;
}

/* [count] zeroed elements of `size` bytes, a power of two, aligned to `size`. */
static void *aligned_array(RbvArena *arena, size_t count, size_t size) {
    char *memory = rbv_arena_array(arena, count + 1, size);
    if (!memory)
        return NULL;
    rbv_large_pages(memory, (count + 1) * size);
    return memory + (size - (uintptr_t)memory % size) % size;
}

/* Set indices in q and v, and allocate links. */
static bool lay_out_tree(RbvTree *tree) {
    size_t count = (size_t)tree->body_count;
    tree->body_q = rbv_arena_array(&tree->arena, count, sizeof *tree->body_q);
    tree->body_v = rbv_arena_array(&tree->arena, count, sizeof *tree->body_v);
    if (!tree->body_q || !tree->body_v)
        return false;
    for (int32_t k = 0; k < tree->body_count; k++) {
        const RbvTreeBody *b = tree->body + k;
        bool has = b->mimic < 0 && tree_joint_freedoms(b->joint) > 0;
        tree->body_q[k] = has ? tree->nq : -1;
        tree->body_v[k] = has ? tree->nv : -1;
        if (has)
            tree->nq += tree_joint_numbers(b->joint), tree->nv += tree_joint_freedoms(b->joint);
        tree->link_count += rbv_tree_links_of(b->joint);
    }
    size_t links = (size_t)tree->link_count;
    tree->link = rbv_arena_array(&tree->arena, links, sizeof *tree->link);
    tree->sweep = aligned_array(&tree->arena, links, sizeof *tree->sweep);
    tree->moments = aligned_array(&tree->arena, links, sizeof *tree->moments);
    size_t blocks = (links + RBV_ABREAST - 1) / RBV_ABREAST;
    for (int k = 0; k < 2; k++)
        tree->abreast[k] = aligned_array(&tree->arena, 10 * blocks, RBV_ABREAST * sizeof *tree->abreast[k]);
    tree->own = rbv_arena_array(&tree->arena, links, sizeof *tree->own);
    tree->mass = rbv_arena_array(&tree->arena, links, sizeof *tree->mass);
    tree->lumped = rbv_arena_array(&tree->arena, links, sizeof *tree->lumped);
    tree->angle_link = rbv_arena_array(&tree->arena, links, sizeof *tree->angle_link);
    tree->angle_q = rbv_arena_array(&tree->arena, links + RBV_MOST_LANES, sizeof *tree->angle_q);
    tree->angle_ratio = rbv_arena_array(&tree->arena, links + RBV_MOST_LANES, sizeof *tree->angle_ratio);
    tree->angle_zero = rbv_arena_array(&tree->arena, links + RBV_MOST_LANES, sizeof *tree->angle_zero);
    tree->first = rbv_arena_array(&tree->arena, count, sizeof *tree->first);
    tree->last = rbv_arena_array(&tree->arena, count, sizeof *tree->last);
    tree->axes = rbv_arena_array(&tree->arena, count, sizeof *tree->axes);
    tree->turned = rbv_arena_array(&tree->arena, count, sizeof *tree->turned);
    tree->v_body = rbv_arena_array(&tree->arena, (size_t)tree->nv, sizeof *tree->v_body);
    if (!tree->link || !tree->sweep || !tree->moments || !tree->abreast[0] || !tree->abreast[1] || !tree->own ||
        !tree->mass || !tree->lumped || !tree->angle_link || !tree->angle_q || !tree->angle_ratio ||
        !tree->angle_zero || !tree->first || !tree->last || !tree->axes || !tree->turned || !tree->v_body)
        return false;
    for (int32_t k = 0; k < tree->body_count; k++)
        for (int32_t f = 0; tree->body_v[k] >= 0 && f < tree_joint_freedoms(tree->body[k].joint); f++)
            tree->v_body[tree->body_v[k] + f] = k;
    return true;
}

/* More bodies could exceed int32_t indices. */
#define MOST_BODIES 100000000

RbvStatus rbv_tree_create(int32_t count, const RbvTreeBody *bodies, const double *gravity, RbvDiagnostics *diagnostics,
                          RbvTree **out) {
    if (out)
        *out = NULL;
    if (!out || !bodies || count < 1 ||
        (gravity && !(isfinite(gravity[0]) && isfinite(gravity[1]) && isfinite(gravity[2]))))
        return RBV_BAD_ARGUMENT;
    if (count > MOST_BODIES)
        return RBV_NO_MEMORY;
    RbvTree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return RBV_NO_MEMORY;
    RbvStatus status = copy_table(tree, count, bodies) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !check_table(tree, count, bodies, diagnostics))
        status = RBV_BAD_INPUT;
    if (status == RBV_OK && !(lay_out_tree(tree) && rbv_tree_compile(tree)))
        status = RBV_NO_MEMORY;
    for (int k = 0; gravity && k < 3; k++)
        tree->gravity[k] = gravity[k];
    if (status != RBV_OK) {
        rbv_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return RBV_OK;
}

void rbv_tree_destroy(RbvTree *tree) {
    if (!tree)
        return;
    rbv_index_table_clear(&tree->names);
    rbv_arena_clear(&tree->arena);
    free(tree);
}

int32_t rbv_tree_body_count(const RbvTree *tree) {
    return tree ? tree->body_count : 0;
}
int32_t rbv_tree_q_count(const RbvTree *tree) {
    return tree ? tree->nq : 0;
}
int32_t rbv_tree_v_count(const RbvTree *tree) {
    return tree ? tree->nv : 0;
}

static bool has_body(const RbvTree *tree, int32_t body) {
    return tree && body >= 0 && body < tree->body_count;
}
const RbvTreeBody *rbv_tree_body(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body + body : NULL;
}
int32_t rbv_tree_q_index(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body_q[body] : -1;
}
int32_t rbv_tree_v_index(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body_v[body] : -1;
}
int32_t rbv_tree_joint_q_count(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) && tree->body_q[body] >= 0 ? tree_joint_numbers(tree->body[body].joint) : 0;
}
int32_t rbv_tree_joint_v_count(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) && tree->body_v[body] >= 0 ? tree_joint_freedoms(tree->body[body].joint) : 0;
}
int32_t rbv_tree_body_of_v(const RbvTree *tree, int32_t index) {
    return tree && index >= 0 && index < tree->nv ? tree->v_body[index] : -1;
}

bool rbv_tree_name_coordinates(RbvTree *tree, const char *const *names) {
    const char **copies = rbv_arena_array(&tree->arena, (size_t)tree->nq, sizeof *copies);
    if (!copies)
        return false;
    for (int32_t k = 0; k < tree->nq; k++)
        if (!(copies[k] = rbv_arena_copy(&tree->arena, names[k], strlen(names[k]))))
            return false;
    tree->coordinates = copies;
    return true;
}
const char *rbv_tree_coordinate(const RbvTree *tree, int32_t index) {
    if (!tree || index < 0 || index >= tree->nq)
        return NULL;
    if (tree->coordinates)
        return tree->coordinates[index];
    int32_t body = tree->body_count - 1;
    while (tree->body_q[body] < 0 || tree->body_q[body] > index)
        body--;
    return tree->body[body].name;
}

int32_t rbv_tree_find_coordinate(const RbvTree *tree, const char *name) {
    if (!tree || !name || !*name)
        return -1;
    if (!tree->coordinates) {
        int32_t body = rbv_tree_find(tree, name);
        return body < 0 ? -1 : tree->body_q[body];
    }
    for (int32_t k = 0; k < tree->nq; k++)
        if (strcmp(tree->coordinates[k], name) == 0)
            return k;
    return -1;
}

RbvStatus rbv_tree_set_body(RbvTree *tree, int32_t body, double mass, const double centre[3], const double inertia[6],
                            RbvDiagnostics *diagnostics) {
    if (!has_body(tree, body) || !centre || !inertia)
        return RBV_BAD_ARGUMENT;
    RbvTreeBody changed = tree->body[body];
    changed.mass = mass;
    memcpy(changed.centre, centre, sizeof changed.centre);
    memcpy(changed.inertia, inertia, sizeof changed.inertia);
    if (!tree_check_mass(&changed, body, diagnostics))
        return RBV_BAD_INPUT;
    tree->body[body] = changed;
    rbv_tree_fold_mass(tree, body);
    rbv_tree_lump_masses(tree);
    rbv_tree_fill_sweep(tree);
    return RBV_OK;
}

RbvStatus rbv_tree_set_gravity(RbvTree *tree, const double gravity[3]) {
    if (!tree || !gravity || !(isfinite(gravity[0]) && isfinite(gravity[1]) && isfinite(gravity[2])))
        return RBV_BAD_ARGUMENT;
    memcpy(tree->gravity, gravity, sizeof tree->gravity);
    return RBV_OK;
}

RbvStatus rbv_tree_neutral(const RbvTree *tree, double *q) {
    if (!tree || !q)
        return RBV_BAD_ARGUMENT;
    for (int32_t k = 0; k < tree->nq; k++)
        q[k] = 0;
    for (int32_t k = 0; k < tree->link_count; k++)
        if (tree->link[k].kind == RBV_LINK_BALL)
            q[tree->link[k].q] = 1;
    return RBV_OK;
}
