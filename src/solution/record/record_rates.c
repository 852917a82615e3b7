/* Names of the numbers of v, in any coordinates; see record.h. */
#include "solution/record/record.h"

#include "mechanics/coordinates/joint.h"
#include "mechanics/coordinates/natural.h"

#include <stdio.h>
#include <string.h>

#define RATE_NAME 600

typedef struct Naming {
    const RbvSystem *system;
    RbvArena *arena;
    const char **names;
    bool lost;
} Naming;

static void put_name(Naming *n, int32_t column, const char *text) {
    n->names[column] = rbv_arena_copy(n->arena, text, strlen(text));
    n->lost = n->lost || !n->names[column];
}

static void of_bodies(Naming *n) {
    static const char *const directions[] = {"x", "y", "z", "turn about x", "turn about y", "turn about z"};
    const RbvBodyColumns *bodies = &n->system->bodies;
    char text[RATE_NAME];
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t k = 0; k < rbv_bodies_columns(bodies, b); k++) {
            snprintf(text, sizeof text, n->system->model->bodies.items[b].generalized ? "%s" : "%s %s",
                     n->system->model->bodies.items[b].name, directions[rbv_bodies_direction(bodies, k)]);
            put_name(n, bodies->start[b] + k, text);
        }
}

static void of_points(Naming *n) {
    const RbvNatural *natural = rbv_natural_of(&n->system->coordinates);
    char text[RATE_NAME], basic[RATE_NAME / 2];
    for (int32_t k = 0; k < natural->basic_count; k++)
        for (int d = 0; natural->basics[k].column >= 0 && d < natural->dims; d++) {
            rbv_record_basic(n->system, k, basic, sizeof basic);
            snprintf(text, sizeof text, "%s %c", basic, "xyz"[d]);
            put_name(n, natural->basics[k].column + d, text);
        }
    for (int32_t b = 1; b < n->system->bodies.count; b++)
        if (natural->bodies[b].form == RBV_NATURAL_SCALAR)
            put_name(n, natural->bodies[b].column, n->system->model->bodies.items[b].name);
    for (int32_t k = 0; k < natural->number_count; k++) {
        rbv_record_number_name(n->system, k, text, sizeof text);
        put_name(n, natural->numbers[k].column, text);
    }
}

/* Names of a tree joint's coordinates: "hinge.angle", "slide.x", "ball.turn about x"; of a body without joint to its
 * parent "hull.x". */
static void of_tree_joint(Naming *n, int32_t body) {
    static const char *const turns[] = {"turn about x", "turn about y", "turn about z"};
    const RbvJointTreeJoint *tree_joint = &rbv_joint_tree_of(&n->system->coordinates)->tree_joints[body];
    const RbvModel *model = n->system->model;
    const char *owner =
        tree_joint->joint >= 0 ? model->joints.items[tree_joint->joint].name : model->bodies.items[body].name;
    char text[RATE_NAME];
    for (int k = 0; k < tree_joint->slides + tree_joint->turns; k++) {
        int turn = k - tree_joint->slides;
        if (tree_joint->scalar)
            snprintf(text, sizeof text, "%s", owner);
        else if (turn < 0)
            snprintf(text, sizeof text, "%s.%c", owner, "xyz"[tree_joint->slide[k]]);
        else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
            snprintf(text, sizeof text, "%s.turn about z of %s", owner, turn == 0 ? "the first" : "the second");
        else
            snprintf(text, sizeof text, "%s.%s", owner,
                     tree_joint->turn == RBV_TREE_JOINT_AXIS ? "angle" : turns[turn]);
        put_name(n, tree_joint->column + k, text);
    }
}

const char **rbv_record_rates(RbvArena *arena, const RbvSystem *system) {
    Naming n = {.system = system,
                .arena = arena,
                .names = rbv_arena_array(arena, (size_t)system->coordinates.size + 1, sizeof *n.names)};
    if (!n.names)
        return NULL;
    if (rbv_is_natural(&system->coordinates))
        of_points(&n);
    else if (system->coordinates.kind == &rbv_joint_coordinates)
        for (int32_t b = 1; b < system->bodies.count; b++)
            of_tree_joint(&n, b);
    else
        of_bodies(&n);
    return n.lost ? NULL : n.names;
}
