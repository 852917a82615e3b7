/* Describes the tree of joint coordinates with the names of the model: joint, parent and coordinates of each body,
 * and the cut joints; see record.h. */
#include "solution/record/record.h"

#include "mechanics/coordinates/joint.h"

#include <stdio.h>
#include <string.h>

/* Appends a word to a list "x, y", with ", " between. */
static void append(char *text, size_t size, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
}

/* Names of a tree joint's coordinates, in the order of v. */
static void name_numbers(const RbvSystem *system, const RbvJointTreeJoint *tree_joint, char *text, size_t size) {
    static const char *const slides[3] = {"x", "y", "z"}, *const turns[3] = {"angle about x", "angle about y", "angle"};
    text[0] = '\0';
    if (tree_joint->scalar) {
        append(text, size, "itself");
        return;
    }
    for (int k = 0; k < tree_joint->slides; k++)
        append(text, size, slides[tree_joint->slide[k]]);
    if (tree_joint->turn == RBV_TREE_JOINT_BALL)
        append(text, size, "rotation");
    else if (tree_joint->turn == RBV_TREE_JOINT_CROSS)
        append(text, size, "angles about both z");
    else if (tree_joint->turns > 0)
        append(text, size, system->bodies.spatial ? turns[tree_joint->axis] : "angle");
    if (tree_joint->slides + tree_joint->turns == 0)
        append(text, size, "none");
}

static bool tree_joints(RbvResult *result, const RbvSystem *system) {
    const RbvJointTree *tree = rbv_joint_tree_of(&system->coordinates);
    const RbvModel *model = system->model;
    RbvTreeNote *to = &result->tree;
    to->tree_joints = rbv_arena_array(&result->arena, (size_t)system->bodies.count + 1, sizeof *to->tree_joints);
    for (int32_t n = 1; to->tree_joints && n < system->bodies.count; n++) {
        const RbvJointTreeJoint *tree_joint = &tree->tree_joints[tree->order[n]];
        char numbers[100];
        name_numbers(system, tree_joint, numbers, sizeof numbers);
        RbvArcNote note = {.body = model->bodies.items[tree->order[n]].name,
                           .parent = model->bodies.items[tree_joint->parent].name,
                           .joint = tree_joint->joint >= 0 ? model->joints.items[tree_joint->joint].name : NULL,
                           .count = tree_joint->slides + tree_joint->turns};
        note.body = rbv_arena_copy(&result->arena, note.body, strlen(note.body));
        note.parent = rbv_arena_copy(&result->arena, note.parent, strlen(note.parent));
        note.joint = note.joint ? rbv_arena_copy(&result->arena, note.joint, strlen(note.joint)) : NULL;
        note.numbers = rbv_arena_copy(&result->arena, numbers, strlen(numbers));
        if (!note.body || !note.parent || !note.numbers || (tree_joint->joint >= 0 && !note.joint))
            return false;
        to->tree_joints[to->tree_joint_count++] = note;
    }
    return to->tree_joints != NULL;
}

/* Joints with rows that the tree does not keep. False: no memory. */
static bool cuts(RbvResult *result, const RbvSystem *system) {
    const RbvJointTree *tree = rbv_joint_tree_of(&system->coordinates);
    const RbvModel *model = system->model;
    RbvTreeNote *to = &result->tree;
    to->cuts = rbv_arena_array(&result->arena, (size_t)model->joints.count + 1, sizeof *to->cuts);
    for (int32_t k = 0; to->cuts && k < model->joints.count; k++) {
        int32_t rows = 0;
        for (int32_t r = system->joint_row[k]; r < system->joint_row[k + 1]; r++)
            rows += !rbv_system_keeps(system, r);
        if (rows == 0)
            continue;
        const char *name =
            rbv_arena_copy(&result->arena, model->joints.items[k].name, strlen(model->joints.items[k].name));
        if (!name)
            return false;
        to->cuts[to->cut_count++] = (RbvCutNote){name, rows, tree->kept[k] != 0};
    }
    return to->cuts != NULL;
}

bool rbv_record_tree(RbvResult *result, const RbvSystem *system) {
    result->tree.kind = system->coordinates.kind->name;
    result->tree.numbers = system->coordinates.size;
    for (int32_t k = 0; k < system->row_count; k++)
        result->tree.rest += !rbv_system_keeps(system, k);
    return tree_joints(result, system) && cuts(result, system);
}
