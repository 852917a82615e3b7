/* The recursion over a spanning tree; see method.h. The motion, as the outward sweep, has found the accelerations of
 * bodies. Then inward:
 *
 *   1. What acts on each body, Q - (m, J) a, is summed up from the ends of the tree to ground (tree_forces.h): total
 *      of each tree joint, with the efforts y along its free directions.
 *   2. Rows that no tree joint keeps (cut joints, drives and others) by virtual power: C^T lambda = y (cut_rows.h);
 *      of an open tree with a drive on each tree joint lambda = y / C.
 *   3. These act as external forces: of rows along one tree joint alone they are its driving part, and the reaction
 *      is the total minus that part; those of other rows act on their bodies, and the sums are computed again.
 *   4. The multipliers of each tree joint follow from its wrench at its point.
 * The rows of all bodies are never factored in one matrix; in joint coordinates the motion does not do so either,
 * where none is redundant (rbv_motion_spare_bodies). */
#include "solution/reaction/method.h"

#include "core/base/arena.h"
#include "solution/reaction/cut_rows.h"
#include "solution/reaction/free_bases.h"
#include "solution/reaction/reactions.h"
#include "solution/reaction/tree_forces.h"
#include "solution/reaction/wrench_parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct Recursive {
    RbvFreeBases *bases; /* kept over the whole run */
    RbvArena arena;      /* memory of the arrays */
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

static void clear(Recursive *own) {
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
static bool make(Recursive *own, const RbvMotion *motion) {
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

static void destroy(void *given) {
    Recursive *own = given;
    if (own) {
        rbv_free_bases_destroy(own->bases);
        clear(own);
    }
    free(own);
}

static void *create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    rbv_motion_spare_bodies(motion);
    Recursive *own = calloc(1, sizeof *own);
    if (own && make(own, motion) && (own->bases = rbv_free_bases_create(motion->system, own->tree)))
        return own;
    destroy(own);
    return NULL;
}

/* Rows of a joint that its tree joint keeps; returns their number. */
static int held_rows(const Recursive *own, const RbvSystem *system, int32_t joint, int32_t rows[6]) {
    int count = 0;
    for (int32_t r = system->joint_row[joint]; r < system->joint_row[joint + 1]; r++)
        if (own->cut->kept[r])
            rows[count++] = r;
    return count;
}

/* Wrench as numbers of one unit: forces, and torques over `length`. */
static void pack(bool spatial, RbvWrench w, double length, double x[6]) {
    const double all[6] = {w.force.x,           w.force.y,           spatial ? w.force.z : w.torque.z / length,
                           w.torque.x / length, w.torque.y / length, w.torque.z / length};
    memcpy(x, all, sizeof all);
}

static void find_parts(Recursive *own, const RbvState *state, int32_t joint) {
    const RbvSystem *system = state->system;
    const bool spatial = system->bodies.spatial;
    int32_t rows[6];
    int count = held_rows(own, system, joint, rows);
    double unit[6][6], part[6][6], length = rbv_state_row_arm(state, system->joint_row[joint]);
    for (int k = 0; k < count; k++)
        pack(spatial, rbv_row_wrench(state, rows[k], system->model->joints.items[joint].marker[1], true), length,
             unit[k]);
    rbv_wrench_parts(count, spatial ? 6 : 3, unit, part);
    for (int k = 0; k < count; k++)
        memcpy(own->part[rows[k]], part[k], sizeof part[k]);
}

static RbvStatus prepare(void *given, RbvMotion *motion) {
    Recursive *own = given;
    if (own->row_sets != motion->row_sets) {
        clear(own);
        if (!make(own, motion)) {
            clear(own);
            own->row_sets = -1;
            return RBV_NO_MEMORY;
        }
    }
    for (int32_t b = 1; b < motion->system->bodies.count; b++)
        if (own->tree->tree_joints[b].joint >= 0)
            find_parts(own, motion->state, own->tree->tree_joints[b].joint);
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
    int count = held_rows(own, system, joint, rows), width = system->bodies.spatial ? 6 : 3;
    double x[6];
    pack(system->bodies.spatial, rbv_tree_forces_reaction(own->tree, state, b, &own->sums[b]),
         rbv_state_row_arm(state, system->joint_row[joint]), x);
    for (int k = 0; k < count; k++) {
        lambda[rows[k]] = 0;
        for (int c = 0; c < width; c++)
            lambda[rows[k]] += own->part[rows[k]][c] * x[c];
    }
}

static RbvStatus solve(void *given, RbvMotion *motion, double *Q, double *lambda) {
    Recursive *own = given;
    const RbvSystem *system = motion->system;
    const RbvState *state = motion->state;
    const RbvBodyColumns *bodies = &system->bodies;
    size_t room = (size_t)bodies->count * sizeof *own->sums;
    rbv_state_body_inertia(motion->state, state->accelerations, own->inertia);
    for (int32_t b = 0; b < bodies->count; b++) {
        RbvTwist force = rbv_bodies_twist(bodies, b, Q), inertia = rbv_bodies_twist(bodies, b, own->inertia);
        own->load[b] = (RbvWrench){rbv_sub(force.v, inertia.v), rbv_sub(force.w, inertia.w)};
    }
    memcpy(own->sums, own->load, room);
    rbv_tree_forces_gather(own->tree, state, own->sums);
    rbv_tree_forces_efforts(own->tree, state, own->sums, own->y);
    rbv_cut_rows_solve(own->cut, own->y, own->lambda);
    if (own->beyond) {
        push_cut(own, system, false, own->load);
        memcpy(own->sums, own->load, room);
        rbv_tree_forces_gather(own->tree, state, own->sums);
    }
    push_cut(own, system, true, own->sums);
    memset(lambda, 0, (size_t)system->held_count * sizeof *lambda);
    for (int32_t k = 0; k < own->cut->count; k++)
        lambda[own->cut->row[k]] = own->lambda[k];
    for (int32_t b = 1; b < bodies->count; b++)
        if (own->tree->tree_joints[b].joint >= 0)
            find_multipliers(own, state, b, lambda);
    return RBV_OK;
}

static void see(void *given, const RbvMotion *motion, const double *lambda) {
    rbv_free_bases_see(((Recursive *)given)->bases, motion->state, lambda);
}

static void note(const void *given, RbvDiagnostics *diagnostics) {
    rbv_free_bases_note(((const Recursive *)given)->bases, diagnostics);
}

const RbvMethodKind rbv_recursive_method = {.name = "recursive",
                                            .create = create,
                                            .destroy = destroy,
                                            .prepare = prepare,
                                            .solve = solve,
                                            .see = see,
                                            .note = note};
