/* Wrenches of free bases; see free_bases.h. About the centroid of the base, over all bodies of its tree, W = sum of
 * -lambda times the gradients of drives and constraints: forces between these bodies cancel. */
#include "solution/reaction/free_bases.h"

#include "core/base/diagnostics.h"

#include <math.h>
#include <stdlib.h>

/* Part of all forces that take part below which a wrench is rounding. */
#define NO_WRENCH 1e-9

typedef struct Most {
    double force, torque, t; /* [N], [N m] largest; [s] time of the largest force, else torque */
    double forces, torques;  /* largest force and torque of those that take part */
} Most;

struct RbvFreeBases {
    const RbvSystem *system;
    int32_t count;
    int32_t *base_of;  /* [bodies] base of the body's tree, 0: joints connect it to ground */
    Most *most;        /* [bodies] largest wrenches of bases */
    RbvWrench *wrench; /* [bodies] scratch */
};

void rbv_free_bases_destroy(RbvFreeBases *bases) {
    if (!bases)
        return;
    free(bases->base_of);
    free(bases->most);
    free(bases->wrench);
    free(bases);
}

static int32_t base_at(const RbvFreeBases *bases, const RbvJoint *joint, int side) {
    return bases->base_of[bases->system->model->markers.items[joint->marker[side]].body];
}

/* Finds trees that do not begin with a joint and that no other joint connects to another tree or to ground. */
static void find_bases(RbvFreeBases *bases, const RbvJointTree *tree) {
    const RbvModel *model = bases->system->model;
    for (int32_t n = 1; n < model->bodies.count; n++) {
        int32_t b = tree->order[n];
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[b];
        bases->base_of[b] = tree_joint->joint >= 0 ? bases->base_of[tree_joint->parent] : tree_joint->scalar ? 0 : b;
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

RbvFreeBases *rbv_free_bases_create(const RbvSystem *system, const RbvJointTree *tree) {
    size_t bodies = (size_t)system->bodies.count + 1;
    RbvFreeBases *bases = calloc(1, sizeof *bases);
    if (!bases)
        return NULL;
    bases->system = system;
    bases->base_of = calloc(bodies, sizeof *bases->base_of);
    bases->most = calloc(bodies, sizeof *bases->most);
    bases->wrench = calloc(bodies, sizeof *bases->wrench);
    if (bases->base_of && bases->most && bases->wrench) {
        find_bases(bases, tree);
        return bases;
    }
    rbv_free_bases_destroy(bases);
    return NULL;
}

/* Adds k times a gradient on a body, moved to the centroid of its base. */
static void push(RbvFreeBases *bases, const RbvState *state, int32_t body, double k, RbvTwist gradient) {
    int32_t base = bases->base_of[body];
    RbvVec3 arm = rbv_sub(state->bodies[body].r, state->bodies[base].r);
    bases->wrench[base] = rbv_wrench_add_scaled(bases->wrench[base], k, rbv_wrench_at(arm, gradient.v, gradient.w));
}

static void push_rows(RbvFreeBases *bases, const RbvState *state, const double *lambda) {
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

void rbv_free_bases_see(RbvFreeBases *bases, const RbvState *state, const double *lambda) {
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
        most->forces = fmax(most->forces, force);
        most->torques =
            fmax(most->torques, rbv_norm(state->wrenches[b].torque) + force * rbv_state_body_size(state, b));
    }
    for (int32_t b = 1; b < system->bodies.count; b++) {
        Most *most = &bases->most[b];
        double force = rbv_norm(bases->wrench[b].force), torque = rbv_norm(bases->wrench[b].torque);
        if (bases->base_of[b] != b)
            continue;
        if (force > most->force * (1 + NO_WRENCH) || (most->force == 0 && torque > most->torque))
            most->t = state->t;
        most->force = fmax(most->force, force);
        most->torque = fmax(most->torque, torque);
    }
}

void rbv_free_bases_note(const RbvFreeBases *bases, RbvDiagnostics *diagnostics) {
    const RbvModel *model = bases->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const Most *most = &bases->most[b];
        if (bases->base_of[b] != b)
            continue;
        if (most->force <= NO_WRENCH * most->forces && most->torque <= NO_WRENCH * most->torques)
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
