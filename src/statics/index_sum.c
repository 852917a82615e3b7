/* Sum of (-1)^index over all equilibria, by Poincare and Hopf: with the index as the number of motions along which the
 * energy decreases, the sum is the Euler characteristic of the space of positions. For an open tree of hinges that
 * space is a torus: the sum is 0, with as many saddles as minima and maxima in the plane of two angles. Coils of
 * springs count turns; where each hinge has one, the energy increases without bound in all directions of a space
 * without holes: the sum is 1.
 * The energy has to be smooth: a spring with a free length has a tip where its points meet. They cannot meet if one of
 * the lengths along the bodies between them is longer than all others together. */
#include "statics/index_sum.h"

#include <math.h>
#include <stdlib.h>

/* Relative margin by which one length has to be longer. */
#define APART 1e-6

typedef struct Tree {
    const RbvState *state;
    const RbvModel *model;
    int32_t *joint; /* [bodies] joint towards ground; -1: none yet */
} Tree;

static int32_t body_of_side(const Tree *t, int32_t joint, int side) {
    return t->model->markers.items[t->model->joints.items[joint].marker[side]].body;
}

static int32_t parent_of(const Tree *t, int32_t body) {
    int32_t joint = t->joint[body];
    return body_of_side(t, joint, body_of_side(t, joint, 0) == body);
}

static bool is_hinge(const RbvModel *model, const RbvJoint *joint) {
    int locks = model->space == RBV_PLANAR ? RBV_DIRECTION_X | RBV_DIRECTION_Y : RBV_DIRECTIONS_ALL & ~RBV_DIRECTION_RZ;
    return joint->form == RBV_FORM_LOCKS && joint->locks == locks && joint->extra == RBV_EXTRA_NONE &&
           !joint->unilateral && !joint->loose;
}

/* True if the model has hinges only, as many as bodies, and each body is linked to ground. */
static bool find_tree(Tree *t) {
    const RbvModel *m = t->model;
    if (m->joints.count != m->bodies.count - 1 || m->constraints.count || m->drives.count || m->stops.count ||
        m->conditions.count || m->generalized.count || m->states.count)
        return false;
    for (int32_t k = 0; k < m->bodies.count; k++)
        t->joint[k] = -1;
    for (int32_t k = 0; k < m->joints.count; k++)
        if (!is_hinge(m, &m->joints.items[k]))
            return false;
    for (int32_t found = 0, last = -1; found < m->joints.count; last = found) {
        if (found == last)
            return false;
        for (int32_t k = 0; k < m->joints.count; k++)
            for (int side = 0; side < 2; side++) {
                int32_t inner = body_of_side(t, k, side), outer = body_of_side(t, k, !side);
                if (outer != 0 && t->joint[outer] < 0 && (inner == 0 || t->joint[inner] >= 0) && t->joint[inner] != k)
                    t->joint[outer] = k, found++;
            }
    }
    return true;
}

static int32_t depth_of(const Tree *t, int32_t body) {
    int32_t count = 0;
    for (; body != 0; body = parent_of(t, body))
        count++;
    return count;
}

/* Adds one length of those between two points. */
static void add_length(double *most, double *sum, RbvVec3 *from, RbvVec3 to) {
    double length = rbv_norm(rbv_sub(to, *from));
    *most = fmax(*most, length);
    *sum += length;
    *from = to;
}

/* True if the points of the spring can meet. */
static bool may_vanish(const Tree *t, const RbvLoad *load) {
    int32_t body[2];
    RbvVec3 at[2];
    double most = 0, sum = 0;
    for (int side = 0; side < 2; side++) {
        body[side] = t->model->markers.items[load->marker[side]].body;
        at[side] = t->state->markers[load->marker[side]].point;
    }
    while (body[0] != body[1]) { /* the deeper body is replaced by its parent, and its point by the hinge's point */
        int deeper = depth_of(t, body[1]) > depth_of(t, body[0]);
        const RbvJoint *joint = &t->model->joints.items[t->joint[body[deeper]]];
        add_length(&most, &sum, &at[deeper], t->state->markers[joint->marker[1]].point);
        body[deeper] = parent_of(t, body[deeper]);
    }
    add_length(&most, &sum, &at[0], at[1]);
    return 2 * most <= sum * (1 + APART);
}

/* True if whole turns do not change the load and it has no jumps; or for a coil, whose hinge is marked. */
static bool is_smooth(const Tree *t, const RbvLoad *load, bool *coiled) {
    switch (load->kind) {
    case RBV_LOAD_FORCE:
    case RBV_LOAD_TORQUE:
    case RBV_LOAD_DAMPING: return true;
    case RBV_LOAD_SPRING:
        return load->joint < 0 && !load->value[0] &&
               (load->free == 0 || load->stiffness[0] == 0 || !may_vanish(t, load));
    case RBV_LOAD_TORSION:
        if (load->joint >= 0 && load->stiffness[0] > 0)
            coiled[load->joint] = true;
        return load->joint >= 0 && load->stiffness[0] >= 0 && !load->value[0];
    default: return false;
    }
}

bool rbv_index_sum(const RbvState *state, int32_t *sum) {
    const RbvModel *model = state->system->model;
    Tree t = {.state = state, .model = model, .joint = malloc((size_t)model->bodies.count * sizeof *t.joint)};
    bool *coiled = calloc((size_t)model->joints.count + 1, sizeof *coiled);
    bool known = t.joint && coiled && find_tree(&t);
    for (int32_t k = 0; known && k < model->loads.count; k++)
        known = is_smooth(&t, &model->loads.items[k], coiled);
    *sum = 1;
    for (int32_t k = 0; known && k < model->joints.count; k++)
        if (!coiled[k])
            *sum = 0;
    free(t.joint);
    free(coiled);
    return known;
}
