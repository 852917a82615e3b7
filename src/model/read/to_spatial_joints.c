/* Writes the joints of a planar model in spatial form, with the markers that they need, and the joints that keep the
 * other bodies in the plane; see to_spatial.h. */
#include "model/read/to_spatial.h"

#include "core/base/diagnostics.h"

#include <stdio.h>
#include <string.h>

/* Add a marker to a body, with numbers in SI. */
static void add_marker(RbvConverter *c, int32_t body, const char *name, RbvVec3 at, double angle) {
    RbvText *text = &c->extra[body];
    rbv_text_format(text, ", %s: {at: [\"", name);
    rbv_text_number(text, at.x);
    rbv_text_add(text, " m\", \"");
    rbv_text_number(text, at.y);
    rbv_text_add(text, " m\", 0], rotate: {axis: [0, 0, 1], angle: \"");
    rbv_text_number(text, angle);
    rbv_text_add(text, " rad\"}}");
}

/* Add markers for joints given by `at:` and `axis:`, and for the first side of a locked nonzero angle. */
void rbv_convert_plan_markers(RbvConverter *c, const RbvNode *joints) {
    for (int32_t k = 0; joints && k < joints->count; k++) {
        const RbvJoint *joint = &c->model->joints.items[k];
        bool placed = rbv_node_child(joints->items[k], "at") || rbv_node_child(joints->items[k], "axis"),
             turned = joint->locks == RBV_DIRECTION_RZ && joint->sizes->value != 0;
        for (int side = 0; side < 2; side++) {
            const RbvMarker *marker = &c->model->markers.items[joint->marker[side]];
            char name[RBV_NAME_SIZE];
            snprintf(name, sizeof name, "%s_%d", joint->name, side + 1);
            if ((placed && !strchr(rbv_node_child(joints->items[k], "between")->items[side]->text, '.')) ||
                (turned && side == 0))
                add_marker(c, marker->body, name, marker->at,
                           marker->angle + (turned && side == 0 ? joint->sizes->value : 0));
        }
    }
}

static void emit_between(RbvConverter *c, const RbvNode *node, const RbvJoint *joint) {
    const RbvNode *between = rbv_node_child(node, "between");
    bool placed = rbv_node_child(node, "at") || rbv_node_child(node, "axis"),
         turned = joint->locks == RBV_DIRECTION_RZ && joint->sizes->value != 0;
    rbv_text_add(&c->out, "between: [");
    for (int side = 0; side < 2; side++) {
        const char *text = between->items[side]->text;
        bool own = (placed && !strchr(text, '.')) || (turned && side == 0);
        const char *body = c->model->bodies.items[c->model->markers.items[joint->marker[side]].body].name;
        if (own)
            rbv_text_format(&c->out, "%s%s.%s_%d", side ? ", " : "", body, joint->name, side + 1);
        else
            rbv_text_format(&c->out, "%s%s", side ? ", " : "", text);
    }
    rbv_text_add(&c->out, "]");
}

/* Write the type in space, with `locked:` for general. */
static void emit_type(RbvConverter *c, const RbvJoint *joint) {
    static const char *const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const char *type = joint->kind->name;
    if (strcmp(type, "slot") == 0)
        type = "y";
    else if (strcmp(type, "wheel") == 0)
        type = "knife-edge";
    bool same = joint->form != RBV_FORM_LOCKS || joint->locks == 0 || strcmp(type, "revolute") == 0 ||
                strcmp(type, "fixed") == 0 || strcmp(type, "x") == 0 || strcmp(type, "y") == 0;
    rbv_text_format(&c->out, "type: %s, ", same ? type : "general");
    if (same)
        return;
    int locks = joint->locks;
    if (rbv_locked_bodies_count(joint) > 1)
        locks |= RBV_DIRECTION_Z | RBV_DIRECTION_RX | RBV_DIRECTION_RY;
    else if (locks == RBV_DIRECTION_RZ)
        locks |= RBV_DIRECTION_RX | RBV_DIRECTION_RY;
    rbv_text_add(&c->out, "locked: [");
    for (int d = 0, n = 0; d < 6; d++)
        if (locks >> d & 1)
            rbv_text_format(&c->out, "%s%s", n++ ? ", " : "", names[d]);
    rbv_text_add(&c->out, "], ");
}

/* Write the damping of the planar freedoms x, y, rz for those of the spatial joint, in SI; other freedoms have none. */
static void emit_damping(RbvConverter *c, int32_t index) {
    const RbvModel *model = c->model;
    const RbvJoint *joint = &model->joints.items[index];
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        if (load->kind != RBV_LOAD_DAMPING || load->joint != index)
            continue;
        double by_direction[6] = {0};
        for (int n = 0; n < load->measure_count; n++) {
            const RbvMeasure *measure = &model->measures.items[load->measure[n]];
            by_direction[measure->kind == RBV_MEASURE_OFFSET ? measure->axis : 5] = load->damping[n];
        }
        if (strcmp(joint->kind->name, "revolute") == 0) {
            rbv_convert_number(c, ", damping: \"", by_direction[5], " N.m.s/rad\"");
            return;
        }
        int spatial = joint->locks;
        if (rbv_locked_bodies_count(joint) > 1)
            spatial |= RBV_DIRECTION_Z | RBV_DIRECTION_RX | RBV_DIRECTION_RY;
        else if (spatial == RBV_DIRECTION_RZ)
            spatial |= RBV_DIRECTION_RX | RBV_DIRECTION_RY;
        rbv_text_add(&c->out, ", damping: [");
        for (int d = 0, n = 0; d < 6; d++)
            if (!(spatial >> d & 1)) {
                rbv_text_add(&c->out, n++ ? ", \"" : "\"");
                rbv_convert_number(c, "", by_direction[d], d < 3 ? " N.s/m\"" : " N.m.s/rad\"");
            }
        rbv_text_add(&c->out, "]");
    }
}

static void emit_node(RbvConverter *c, const RbvNode *node) {
    rbv_emit_node(&c->out, node);
}

void rbv_convert_joint(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const RbvJoint *joint = &c->model->joints.items[index];
    if (joint->has_friction)
        rbv_convert_refuse(c, at,
                           "joint '%s' has friction, which would follow forces across the plane that the spatial model "
                           "does not determine",
                           name);
    rbv_text_format(&c->out, "  %s: {", name);
    emit_type(c, joint);
    emit_between(c, node, joint);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        bool angle = joint->locks == RBV_DIRECTION_RZ && strcmp(key, "value") == 0,
             wheel = strcmp(joint->kind->name, "wheel") == 0 && strcmp(key, "radius") == 0;
        if (rbv_key_belongs("type between at axis locked damping friction", key) || angle || wheel)
            continue;
        rbv_text_format(&c->out, ", %s: ", key);
        (strcmp(key, "active") == 0 ? rbv_convert_expression : emit_node)(c, node->items[k]);
    }
    emit_damping(c, index);
    rbv_text_add(&c->out, "}\n");
}

/* Write a joint to ground for each body that no other joint keeps in the plane. */
void rbv_convert_keepers(RbvConverter *c, bool section) {
    for (int32_t b = 1; b < c->model->bodies.count; b++) {
        char keeper[RBV_NAME_SIZE];
        if (c->model->bodies.items[b].generalized || c->tie[b].joint >= 0 || c->tie[b].parent != 0)
            continue;
        rbv_keeper_name(c, b, keeper, sizeof keeper);
        const char *name = c->model->bodies.items[b].name;
        if (!section)
            rbv_text_add(&c->out, "joints:\n");
        section = true;
        bool axes = rbv_has_axes(c, b);
        rbv_text_format(&c->out, "  %s: {type: %s, between: [ground, %s]}\n", keeper,
                        axes                                 ? "general, locked: [z, rx, ry, rz]"
                        : c->model->bodies.items[b].particle ? "z"
                                                             : "planar",
                        name);
        rbv_diagnose(c->diagnostics, RBV_NOTE, c->file, c->model->bodies.items[b].where,
                     "'%s' is kept in the plane by the joint '%s'%s", name, keeper,
                     axes ? ", as a body that does not turn" : "");
    }
}
