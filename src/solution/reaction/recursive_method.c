/* The recursion over a spanning tree. The motion, as the outward sweep, has found the accelerations of bodies. Then
 * inward:
 *
 *   1. What acts on each body, Q - (m, J) a, is summed up from the ends of the tree to ground: total of each tree
 *      joint, with the efforts y along its free directions.
 *   2. Rows that no tree joint keeps (cut joints, drives and others) by virtual power: C^T lambda = y; of an open tree
 *      with a drive on each tree joint lambda = y / C.
 *   3. These act as external forces: of rows along one tree joint alone they are its driving part, and the reaction
 *      is the total minus that part; those of other rows act on their bodies, and the sums are computed again.
 *   4. The multipliers of each tree joint follow from its wrench at its point.
 * The rows of all bodies are never factored in one matrix; in joint coordinates the motion does not do so either,
 * where none is redundant (rbv_motion_spare_bodies). */
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/coordinates/joint.h"
#include "mechanics/coordinates/joint_tree.h"
#include "mechanics/system/system.h"
#include "solution/reaction/cut_rows.h"
#include "solution/reaction/method.h"
#include "solution/reaction/reactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The wrench that drives and constraints have to exert on bodies that no joint connects to ground, with all bodies
 * of their tree (Garcia de Jalon and Bayo, chapter 6). A free body moves without such a wrench; where drives and
 * constraints prescribe its motion, the wrench is theirs and is reported. */

typedef struct Most {
    double force, torque, t; /* [N], [N m] largest; [s] time of the largest force, else torque */
    double forces, torques;  /* largest force and torque of those that take part */
} Most;

/* Trees of bodies that no joint connects to ground. */
typedef struct FreeBases {
    const RbvSystem *system;
    RbvArena arena; /* memory of the arrays */
    int32_t count;
    int32_t *base_of;  /* [bodies] base of the body's tree, 0: joints connect it to ground */
    Most *most;        /* [bodies] largest wrenches of bases */
    RbvWrench *wrench; /* [bodies] scratch */
} FreeBases;

static int32_t base_at(const FreeBases *bases, const RbvJoint *joint, int side) {
    return bases->base_of[bases->system->model->markers.items[joint->marker[side]].body];
}

/* Finds trees that do not begin with a joint and that no other joint connects to another tree or to ground. */
static void find_bases(FreeBases *bases, const RbvJointTree *tree) {
    const RbvModel *model = bases->system->model;
    for (int32_t n = 1; n < model->bodies.count; n++) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        if (tree_joint->joint >= 0)
            bases->base_of[b] = bases->base_of[tree_joint->parent];
        else
            bases->base_of[b] = tree_joint->scalar ? 0 : b;
    }
    for (int32_t k = 0; k < model->joints.count; k++) {
        int32_t first = base_at(bases, &model->joints.items[k], 0), second = base_at(bases, &model->joints.items[k], 1);
        if (first != second)
            bases->most[first].t = bases->most[second].t = 1; /* marks connected trees */
    }
    for (int32_t b = 1; b < model->bodies.count; b++) {
        if (bases->most[bases->base_of[b]].t > 0)
            bases->base_of[b] = 0;
        bases->count += bases->base_of[b] == b;
    }
    for (int32_t b = 0; b < model->bodies.count; b++)
        bases->most[b] = (Most){0};
}

/* Finds the free bases of a tree. False: no memory. */
static bool create_free_bases(FreeBases *bases, const RbvSystem *system, const RbvJointTree *tree) {
    size_t bodies = (size_t)system->bodies.count + 1;
    bases->system = system;
    bases->base_of = rbv_arena_array(&bases->arena, bodies, sizeof *bases->base_of);
    bases->most = rbv_arena_array(&bases->arena, bodies, sizeof *bases->most);
    bases->wrench = rbv_arena_array(&bases->arena, bodies, sizeof *bases->wrench);
    if (!bases->base_of || !bases->most || !bases->wrench)
        return false;
    find_bases(bases, tree);
    return true;
}

/* Adds k times a gradient on a body, moved to the centroid of its base. */
static void push(FreeBases *bases, const RbvState *state, int32_t body, double k, RbvTwist gradient) {
    int32_t base = bases->base_of[body];
    RbvVec3 arm = rbv_sub(state->bodies[body].r, state->bodies[base].r);
    bases->wrench[base] = rbv_wrench_add_scaled(bases->wrench[base], k, rbv_wrench_at(arm, gradient.v, gradient.w));
}

static void push_rows(FreeBases *bases, const RbvState *state, const double *lambda) {
    const RbvSystem *system = bases->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        if (system->rows[k].owner == RBV_OWNER_JOINT || lambda[k] == 0)
            continue;
        for (int32_t e = system->D.start[k], body; e < system->D.start[k + 1];
             e += rbv_bodies_columns(&system->bodies, body)) {
            body = rbv_bodies_at(&system->bodies, system->D.column[e]);
            if (bases->base_of[body] > 0)
                push(bases, state, body, -lambda[k],
                     rbv_bodies_twist(&system->bodies, body, state->D + e - system->bodies.start[body]));
        }
    }
}

/* Adds the multipliers lambda[rows] of a sample, at a state whose loads and accelerations are evaluated. */
static void add_sample(FreeBases *bases, const RbvState *state, const double *lambda) {
    const RbvSystem *system = bases->system;
    if (bases->count == 0)
        return;
    for (int32_t b = 0; b < system->bodies.count; b++)
        bases->wrench[b] = (RbvWrench){{0, 0, 0}, {0, 0, 0}};
    push_rows(bases, state, lambda);
    for (int32_t b = 1; b < system->bodies.count; b++) {
        Most *most = &bases->most[bases->base_of[b]];
        double force = rbv_norm(state->wrenches[b].force) +
                       system->model->bodies.items[b].mass * rbv_norm(state->accelerations[b].v);
        most->forces = rbv_max(most->forces, force);
        most->torques =
            rbv_max(most->torques, rbv_norm(state->wrenches[b].torque) + force * rbv_state_body_size(state, b));
    }
    for (int32_t b = 1; b < system->bodies.count; b++) {
        Most *most = &bases->most[b];
        double force = rbv_norm(bases->wrench[b].force), torque = rbv_norm(bases->wrench[b].torque);
        if (bases->base_of[b] != b)
            continue;
        /* Part of all forces that take part below which a wrench is rounding. */
        if (force > most->force * (1 + RBV_SAME) || (most->force == 0 && torque > most->torque))
            most->t = state->t;
        most->force = rbv_max(most->force, force);
        most->torque = rbv_max(most->torque, torque);
    }
}

/* Reports the largest wrenches so far as notes. */
static void report_free_bases(const FreeBases *bases, RbvDiagnostics *diagnostics) {
    const RbvModel *model = bases->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const Most *most = &bases->most[b];
        if (bases->base_of[b] != b)
            continue;
        if (most->force <= RBV_SAME * most->forces && most->torque <= RBV_SAME * most->torques)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->bodies.items[b].where,
                         "no joint ties '%s' down, and its motion asks for no force on it: it moves as if free",
                         model->bodies.items[b].name);
        else
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->bodies.items[b].where,
                         "no joint ties '%s' down: its motion asks for a force of up to %.6g N and a torque of up to "
                         "%.6g N.m about its centroid (most at t = %.6g s), which its drives and constraints bring",
                         model->bodies.items[b].name, most->force, most->torque, most->t);
    }
}

/* Sums of forces and torques from the ends of a spanning tree to ground (Garcia de Jalon and Bayo, chapter
 * 6, 6.116
 * ... 6.121).
 *
 * F_b, T_b: sum of what acts on body b and on all bodies of its subtree, inertia included, about the centroid of b;
 * P: the point of the second marker of its tree joint:
 *
 *   n_b = T_b + (r_b - P) x F_b        F_p += F_b      T_p += n_b + (P - r_p) x F_b      p: the parent
 * The tree joint balances this sum: it exerts (-F_b, -n_b) on b at P. The part along a direction that the tree joint
 * leaves free is the effort there: F_b.u of a translation, n_b.u of a rotation. */

static const RbvVec3 ground_axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static const RbvMarkerState *marker_of(const RbvState *state, const RbvJointTreeJoint *tree_joint, int side) {
    return &state->markers[state->system->model->joints.items[tree_joint->joint].marker[side]];
}

/* P; the centroid for a body that no joint connects to its parent. */
static RbvVec3 point_of(const RbvState *state, const RbvJointTreeJoint *tree_joint, int32_t b) {
    return tree_joint->joint >= 0 ? marker_of(state, tree_joint, 1)->point : state->bodies[b].r;
}

/* n_b; zero for a body that does not rotate. */
static RbvVec3 torque_at(const RbvState *state, int32_t b, RbvVec3 P, const RbvWrench *sum) {
    if (!rbv_bodies_turns(&state->system->bodies, b))
        return rbv_vec3(0, 0, 0);
    return rbv_add(sum->torque, rbv_cross(rbv_sub(state->bodies[b].r, P), sum->force));
}

/* sums[bodies]: on entry what acts on each body alone about its centroid [N, N m], on return the sum over its
 * subtree, at a state whose positions are evaluated. */
static void gather_tree_forces(const RbvJointTree *tree, const RbvState *state, RbvWrench *sums) {
    for (int32_t n = state->system->bodies.count - 1; n > 0; n--) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        if (tree_joint->parent == 0)
            continue;
        RbvVec3 P = point_of(state, tree_joint, b), torque = torque_at(state, b, P, &sums[b]);
        RbvWrench *parent = &sums[tree_joint->parent];
        parent->force = rbv_add(parent->force, sums[b].force);
        parent->torque = rbv_add(
            parent->torque, rbv_add(torque, rbv_cross(rbv_sub(P, state->bodies[tree_joint->parent].r), sums[b].force)));
    }
}

/* Axes of the rotations that a tree joint leaves free. */
static void find_axes(const RbvState *state, const RbvJointTreeJoint *tree_joint, RbvVec3 axis[3]) {
    const RbvVec3 *first = tree_joint->joint >= 0 ? marker_of(state, tree_joint, 0)->axes->column : ground_axes;
    if (!state->system->bodies.spatial)
        axis[0] = ground_axes[2];
    else if (tree_joint->turn == RBV_TREE_JOINT_AXIS)
        axis[0] = first[tree_joint->axis];
    else if (tree_joint->turn == RBV_TREE_JOINT_BALL)
        axis[0] = first[0], axis[1] = first[1], axis[2] = first[2];
    else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
        axis[0] = first[2], axis[1] = marker_of(state, tree_joint, 1)->axes->column[2];
}

/* Parts of the sums along the free directions of all tree joints, y[tree->size]. */
static void tree_efforts(const RbvJointTree *tree, const RbvState *state, const RbvWrench *sums, double *y) {
    for (int32_t b = 1; b < state->system->bodies.count; b++) {
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        double *out = y + tree_joint->column;
        if (tree_joint->scalar) {
            out[0] = sums[b].force.x;
            continue;
        }
        const RbvVec3 *first = tree_joint->joint >= 0 && tree_joint->slides > 0
                                   ? marker_of(state, tree_joint, 0)->axes->column
                                   : ground_axes;
        for (int k = 0; k < tree_joint->slides; k++)
            out[k] = tree_joint->sign * rbv_dot(first[tree_joint->slide[k]], sums[b].force);
        if (tree_joint->turns == 0)
            continue;
        RbvVec3 axis[3], torque = torque_at(state, b, point_of(state, tree_joint, b), &sums[b]);
        find_axes(state, tree_joint, axis);
        torque = rbv_add_scaled(torque, rbv_tree_joint_lead(state->system->model, tree_joint), sums[b].force);
        for (int k = 0; k < tree_joint->turns; k++)
            out[tree_joint->slides + k] = tree_joint->sign * rbv_dot(axis[k], torque);
    }
}

/* Wrench of the tree joint of body b on the joint's second body at the second marker, for the sum of b. */
static RbvWrench tree_joint_reaction(const RbvJointTree *tree, const RbvState *state, int32_t b, const RbvWrench *sum) {
    const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
    RbvVec3 torque = torque_at(state, b, point_of(state, tree_joint, b), sum);
    return (RbvWrench){rbv_scale(-tree_joint->sign, sum->force), rbv_scale(-tree_joint->sign, torque)};
}

/* The method. */

typedef struct Recursive {
    FreeBases bases; /* kept over the whole run */
    RbvArena arena;  /* memory of the arrays */
    int32_t row_sets;
    RbvCutRows *cut;
    const RbvJointTree *tree;
    int32_t *along;         /* [cut rows] body of the only tree joint along which the row acts, or 0 */
    bool beyond;            /* some row does not act along one tree joint alone */
    RbvWrench *load, *sums; /* [bodies] what acts on each body, on its subtree */
    double *inertia;        /* [bodies.size] */
    double *y, *lambda;     /* [tree->size], [cut rows] */
    double (*part)[6];      /* [rows] of rows that tree joints keep: from the joint's wrench to the multiplier */
} Recursive;

static void clear_recursive(Recursive *own) {
    rbv_cut_rows_destroy(own->cut);
    rbv_arena_clear(&own->arena);
    *own = (Recursive){.bases = own->bases};
}

/* Body of the only tree joint along which cut row k acts: no rate of another tree joint moves the row, and its force
 * on the parent is the opposite of that on the body. Else 0. */
static int32_t tree_joint_of(const RbvCutRows *cut, const RbvJointTree *tree, int32_t k, const bool *relative) {
    const RbvSystem *system = cut->system;
    int32_t from = cut->C.start[k], to = cut->C.start[k + 1], b = from < to ? cut->body[cut->C.column[from]] : 0;
    for (int32_t e = from; e < to; e++)
        if (cut->body[cut->C.column[e]] != b)
            return 0;
    bool with_parent = b > 0 && tree->tree_joints[b].parent == 0;
    for (int32_t e = cut->D.start[k]; e < cut->D.start[k + 1]; e++) {
        int32_t body = rbv_bodies_at(&system->bodies, cut->D.column[e]);
        if (body != b && (body != tree->tree_joints[b].parent || !relative[cut->row[k]]))
            return 0;
        with_parent = with_parent || body != b;
    }
    return with_parent ? b : 0;
}

/* Allocates cut rows and workspace for the rows now active. False: no memory. */
static bool allocate_recursive(Recursive *own, const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    own->row_sets = motion->row_sets;
    own->cut = rbv_cut_rows_create(motion);
    if (!own->cut)
        return false;
    own->tree = rbv_joint_tree_of(&own->cut->tree);
    size_t bodies = (size_t)system->bodies.count + 1, rows = (size_t)own->cut->count + 1;
    bool *relative = rbv_system_relative_rows(system);
    own->along = rbv_arena_array(&own->arena, rows, sizeof *own->along);
    own->lambda = rbv_arena_array(&own->arena, rows, sizeof *own->lambda);
    own->load = rbv_arena_array(&own->arena, bodies, sizeof *own->load);
    own->sums = rbv_arena_array(&own->arena, bodies, sizeof *own->sums);
    own->inertia = rbv_arena_array(&own->arena, (size_t)system->bodies.size + 1, sizeof *own->inertia);
    own->y = rbv_arena_array(&own->arena, (size_t)own->tree->size + 1, sizeof *own->y);
    own->part = rbv_arena_array(&own->arena, (size_t)system->row_count + 1, sizeof *own->part);
    for (int32_t k = 0; relative && own->along && k < own->cut->count; k++) {
        own->along[k] = tree_joint_of(own->cut, own->tree, k, relative);
        own->beyond = own->beyond || own->along[k] == 0;
    }
    bool good = relative != NULL;
    free(relative);
    return good && own->along && own->lambda && own->load && own->sums && own->inertia && own->y && own->part;
}

static void recursive_destroy(void *data) {
    Recursive *own = data;
    if (own) {
        rbv_arena_clear(&own->bases.arena);
        clear_recursive(own);
    }
    free(own);
}

static void *recursive_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    rbv_motion_spare_bodies(motion);
    Recursive *own = calloc(1, sizeof *own);
    if (own && allocate_recursive(own, motion) && create_free_bases(&own->bases, motion->system, own->tree))
        return own;
    recursive_destroy(own);
    return NULL;
}

/* Rows of a joint that its tree joint keeps; returns their number. */
static int tree_joint_rows(const Recursive *own, const RbvSystem *system, int32_t joint, int32_t rows[6]) {
    int count = 0;
    for (int32_t r = system->joint_row[joint]; r < system->joint_row[joint + 1]; r++)
        if (own->cut->kept[r])
            rows[count++] = r;
    return count;
}

static void find_tree_joint_parts(Recursive *own, const RbvState *state, int32_t joint) {
    const RbvSystem *system = state->system;
    const bool spatial = system->bodies.spatial;
    int32_t rows[6];
    int count = tree_joint_rows(own, system, joint, rows);
    double unit[6][6], part[6][6], length = rbv_state_row_arm(state, system->joint_row[joint]);
    for (int k = 0; k < count; k++)
        rbv_wrench_numbers(spatial, rbv_row_wrench(state, rows[k], system->model->joints.items[joint].marker[1], true),
                           length, unit[k]);
    rbv_wrench_parts(count, spatial ? 6 : 3, unit, part);
    for (int k = 0; k < count; k++)
        memcpy(own->part[rows[k]], part[k], sizeof part[k]);
}

static RbvStatus recursive_prepare(void *data, RbvMotion *motion) {
    Recursive *own = data;
    if (own->row_sets != motion->row_sets) {
        clear_recursive(own);
        if (!allocate_recursive(own, motion)) {
            clear_recursive(own);
            own->row_sets = -1;
            return RBV_NO_MEMORY;
        }
    }
    for (int32_t b = 1; b < motion->system->bodies.count; b++)
        if (own->tree->tree_joints[b].joint >= 0)
            find_tree_joint_parts(own, motion->state, own->tree->tree_joints[b].joint);
    return rbv_cut_rows_prepare(own->cut, motion->state);
}

/* sums[bodies] += -lambda times the gradients of cut rows. along: of rows along one tree joint, on the body of that
 * tree joint alone; else of all other rows, on all bodies. */
static void push_cut(const Recursive *own, const RbvSystem *system, bool along, RbvWrench *sums) {
    const RbvRowPattern *D = &own->cut->D;
    for (int32_t k = 0; k < own->cut->count; k++) {
        if ((own->along[k] != 0) != along || own->lambda[k] == 0)
            continue;
        for (int32_t e = D->start[k], body; e < D->start[k + 1]; e += rbv_bodies_columns(&system->bodies, body)) {
            body = rbv_bodies_at(&system->bodies, D->column[e]);
            if (along && body != own->along[k])
                continue;
            RbvTwist w = rbv_bodies_twist(&system->bodies, body, own->cut->d + e - system->bodies.start[body]);
            sums[body] = rbv_wrench_add_scaled(sums[body], -own->lambda[k], (RbvWrench){w.v, w.w});
        }
    }
}

/* Multipliers of the rows that the tree joint of body b keeps. */
static void find_multipliers(const Recursive *own, const RbvState *state, int32_t b, double *lambda) {
    const RbvSystem *system = state->system;
    int32_t joint = own->tree->tree_joints[b].joint, rows[6];
    int count = tree_joint_rows(own, system, joint, rows), width = system->bodies.spatial ? 6 : 3;
    double x[6];
    rbv_wrench_numbers(system->bodies.spatial, tree_joint_reaction(own->tree, state, b, &own->sums[b]),
                       rbv_state_row_arm(state, system->joint_row[joint]), x);
    for (int k = 0; k < count; k++) {
        lambda[rows[k]] = 0;
        for (int c = 0; c < width; c++)
            lambda[rows[k]] += own->part[rows[k]][c] * x[c];
    }
}

static RbvStatus recursive_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    Recursive *own = data;
    const RbvSystem *system = motion->system;
    const RbvState *state = motion->state;
    const RbvBodyColumns *bodies = &system->bodies;
    size_t size = (size_t)bodies->count * sizeof *own->sums;
    rbv_state_body_inertia(motion->state, state->accelerations, own->inertia);
    for (int32_t b = 0; b < bodies->count; b++) {
        RbvTwist force = rbv_bodies_twist(bodies, b, Q), inertia = rbv_bodies_twist(bodies, b, own->inertia);
        own->load[b] = (RbvWrench){rbv_sub(force.v, inertia.v), rbv_sub(force.w, inertia.w)};
    }
    memcpy(own->sums, own->load, size);
    gather_tree_forces(own->tree, state, own->sums);
    tree_efforts(own->tree, state, own->sums, own->y);
    rbv_cut_rows_solve(own->cut, own->y, own->lambda);
    if (own->beyond) {
        push_cut(own, system, false, own->load);
        memcpy(own->sums, own->load, size);
        gather_tree_forces(own->tree, state, own->sums);
    }
    push_cut(own, system, true, own->sums);
    memset(lambda, 0, (size_t)system->satisfied_count * sizeof *lambda);
    for (int32_t k = 0; k < own->cut->count; k++)
        lambda[own->cut->row[k]] = own->lambda[k];
    for (int32_t b = 1; b < bodies->count; b++)
        if (own->tree->tree_joints[b].joint >= 0)
            find_multipliers(own, state, b, lambda);
    return RBV_OK;
}

static void recursive_see(void *data, const RbvMotion *motion, const double *lambda) {
    add_sample(&((Recursive *)data)->bases, motion->state, lambda);
}

static void recursive_note(const void *data, RbvDiagnostics *diagnostics) {
    report_free_bases(&((const Recursive *)data)->bases, diagnostics);
}

const RbvMethodKind rbv_recursive_method = {.name = "recursive",
                                            .create = recursive_create,
                                            .destroy = recursive_destroy,
                                            .prepare = recursive_prepare,
                                            .solve = recursive_solve,
                                            .see = recursive_see,
                                            .note = recursive_note};
