/* The tree of joint coordinates in the names of the model: which joint is an arc of which body, with which numbers, and
 * what is cut; see record.h. */
#include "record/record.h"

#include "coordinates/joint.h"

#include <stdio.h>
#include <string.h>

/* Behind "x, y": ", " */
static void append(char *text, size_t size, const char *word) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
}

/* What the numbers of an arc are, in the order of v. */
static void name_numbers(const RbvSystem *system, const RbvArc *arc, char *text, size_t size) {
    static const char *const slides[3] = {"x", "y", "z"}, *const turns[3] = {"angle about x", "angle about y", "angle"};
    text[0] = '\0';
    if (arc->scalar) {
        append(text, size, "itself");
        return;
    }
    for (int k = 0; k < arc->slides; k++)
        append(text, size, slides[arc->slide[k]]);
    if (arc->turn == RBV_ARC_BALL)
        append(text, size, "rotation");
    else if (arc->turn == RBV_ARC_CROSS)
        append(text, size, "angles about both z");
    else if (arc->turns > 0)
        append(text, size, system->bodies.spatial ? turns[arc->axis] : "angle");
    if (arc->slides + arc->turns == 0)
        append(text, size, "none");
}

static bool arcs(RbvResult *result, const RbvSystem *system) {
    const RbvJointTree *tree = rbv_joint_tree_of(&system->coordinates);
    const RbvModel *model = system->model;
    RbvTreeNote *to = &result->tree;
    to->arcs = rbv_arena_array(&result->arena, (size_t)system->bodies.count + 1, sizeof *to->arcs);
    for (int32_t n = 1; to->arcs && n < system->bodies.count; n++) {
        const RbvArc *arc = &tree->arcs[tree->order[n]];
        char numbers[100];
        name_numbers(system, arc, numbers, sizeof numbers);
        RbvArcNote note = {.body = model->bodies.items[tree->order[n]].name,
                           .parent = model->bodies.items[arc->parent].name,
                           .joint = arc->joint >= 0 ? model->joints.items[arc->joint].name : NULL,
                           .count = arc->slides + arc->turns};
        note.body = rbv_arena_copy(&result->arena, note.body, strlen(note.body));
        note.parent = rbv_arena_copy(&result->arena, note.parent, strlen(note.parent));
        note.joint = note.joint ? rbv_arena_copy(&result->arena, note.joint, strlen(note.joint)) : NULL;
        note.numbers = rbv_arena_copy(&result->arena, numbers, strlen(numbers));
        if (!note.body || !note.parent || !note.numbers || (arc->joint >= 0 && !note.joint))
            return false;
        to->arcs[to->arc_count++] = note;
    }
    return to->arcs != NULL;
}

/* Joints that leave rows. */
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
    return arcs(result, system) && cuts(result, system);
}
