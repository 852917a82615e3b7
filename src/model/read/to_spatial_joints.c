/* Writes the joints of a planar model in spatial form, with the markers that they need, and the joints that keep the
 * other bodies in the plane; and the expressions, points and numbers of all items. */
#include "core/base/diagnostics.h"
#include "model/read/to_spatial.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- the joints that lead from ground to each body and keep it in the plane, and the joint angles that add up to
 * angle(body) --- */

int rbv_locked_bodies_count(const RbvJoint *joint) {
    int count = 0;
    for (int d = 0; d < 6; d++)
        count += rbv_forms[joint->form].directions && joint->locks >> d & 1;
    return count;
}

/* True for a particle with joints that use its directions: in the plane these are the directions of ground. */
bool rbv_has_axes(const RbvConverter *c, int32_t body) {
    const RbvModel *model = c->model;
    for (int32_t k = 0; model->bodies.items[body].particle && k < model->joints.count; k++)
        for (int side = 0; side < 2; side++)
            if (model->markers.items[model->joints.items[k].marker[side]].body == body &&
                rbv_locked_bodies_count(&model->joints.items[k]) > 1)
                return true;
    return false;
}

/* True if the joint has a condition `active:` and may release. */
static bool is_conditional(const RbvModel *model, int32_t joint) {
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT && model->conditions.items[k].index == joint)
            return true;
    return false;
}

/* Find the bodies that joints connect to ground and keep in the plane; each remaining body gets its own planar joint to
 * ground, from which further bodies are reached. */
void rbv_find_ties(RbvConverter *c) {
    const RbvModel *model = c->model;
    for (int32_t b = 0; b < model->bodies.count; b++)
        c->tie[b] = (RbvTie){b == 0 || rbv_has_axes(c, b) ? 0 : -1, -1, 0, 0};
    for (int32_t b = 1; b <= model->bodies.count; b++) {
        for (bool more = true; more;) {
            more = false;
            for (int32_t k = 0; k < model->joints.count; k++) {
                const RbvJoint *joint = &model->joints.items[k];
                const RbvMarker *i = &model->markers.items[joint->marker[0]],
                                *j = &model->markers.items[joint->marker[1]];
                bool first = c->tie[i->body].parent >= 0, second = c->tie[j->body].parent >= 0;
                if (rbv_locked_bodies_count(joint) < 2 || is_conditional(model, k) || first == second)
                    continue;
                double constant = i->angle - j->angle, sign = joint->locks & RBV_DIRECTION_RZ ? 0 : 1;
                c->tie[first ? j->body : i->body] =
                    first ? (RbvTie){i->body, k, sign, constant} : (RbvTie){j->body, k, -sign, -constant};
                more = true;
            }
        }
        if (b < model->bodies.count && c->tie[b].parent < 0)
            c->tie[b] = (RbvTie){0, -1, 1, 0};
    }
}

/* Name of the joint that keeps a body in the plane and measures its angle: "keep_rod". */
void rbv_keeper_name(const RbvConverter *c, int32_t body, char *name, size_t size) {
    snprintf(name, size, "keep_%s", c->model->bodies.items[body].name);
}

/* Write angle(body) as a sum of joint turns, with `marks` after each name ("'" for rates, which have no constants). */
/* Write angle(body) as a sum of joint angles, with `marks` after each name ("'" for rates, which have no constants). */
static void angle_sum(const RbvConverter *c, int32_t body, const char *marks, RbvText *out) {
    double constant = 0;
    rbv_text_add(out, "(");
    bool any = false;
    for (int32_t b = body; b != 0; b = c->tie[b].parent) {
        const RbvTie *tie = &c->tie[b];
        char keeper[RBV_NAME_SIZE];
        rbv_keeper_name(c, b, keeper, sizeof keeper);
        constant += tie->constant;
        if (tie->sign == 0)
            continue;
        rbv_text_format(out, "%s%s.rz%s",
                        tie->sign < 0 ? " - "
                        : any         ? " + "
                                      : "",
                        tie->joint < 0 ? keeper : c->model->joints.items[tie->joint].name, marks);
        any = true;
    }
    if (!any || (constant != 0 && !*marks)) {
        rbv_text_add(out, any ? " + " : "");
        rbv_text_number(out, *marks ? 0 : constant);
    }
    rbv_text_add(out, ")");
}

/* --- trees as text: flow YAML that is JSON except for plain numbers --- */

void rbv_emit_string(RbvText *text, const char *string) {
    rbv_text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            rbv_text_format(text, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            rbv_text_format(text, "\\x%02x", (unsigned)*c);
        else
            rbv_text_append(text, c, 1);
    }
    rbv_text_add(text, "\"");
}

void rbv_emit_node(RbvText *text, const RbvNode *node) {
    if (node->kind == RBV_NODE_SCALAR) {
        if (node->type == RBV_SCALAR_STRING)
            rbv_emit_string(text, node->text);
        else
            rbv_text_add(text, node->type == RBV_SCALAR_NULL ? "null" : node->text);
        return;
    }
    bool map = node->kind == RBV_NODE_MAP;
    rbv_text_add(text, map ? "{" : "[");
    for (int32_t k = 0; k < node->count; k++) {
        rbv_text_add(text, k ? ", " : "");
        if (map) {
            rbv_emit_string(text, node->keys[k]);
            rbv_text_add(text, ": ");
        }
        rbv_emit_node(text, node->items[k]);
    }
    rbv_text_add(text, map ? "}" : "]");
}

/* --- values --- */

void rbv_convert_refuse(RbvConverter *c, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(c->diagnostics, RBV_ERROR, c->file, at, format, arguments);
    va_end(arguments);
    c->wrong = true;
}

/* Index of the item called name[length], or -1. */
static int32_t find_named(const RbvConverter *c, const char *name, size_t length, RbvNamedKind kind) {
    char owner[RBV_NAME_SIZE];
    if (length >= sizeof owner)
        return -1;
    memcpy(owner, name, length);
    owner[length] = '\0';
    return rbv_model_find(c->model, owner, kind);
}

static bool is_slide(const RbvConverter *c, const char *name, size_t length) {
    int32_t k = find_named(c, name, length, RBV_NAMED_JOINT);
    return k >= 0 && c->model->joints.items[k].coordinates & RBV_DIRECTION_X;
}

static bool is_torque(const RbvConverter *c, const char *name, size_t length) {
    int32_t k = find_named(c, name, length, RBV_NAMED_LOAD);
    return k >= 0 && rbv_load_row(c->model->loads.items[k].kind)->torque;
}

/* Convert names in a text: slide.distance -> slide.x; twist.torque -> twist.Tz; angle(body) -> sum of joint angles. */
void rbv_convert_text(const RbvConverter *c, const char *text, RbvText *out) {
    for (const char *p = text; *p;) {
        if (!isalpha((unsigned char)*p)) {
            bool number = isdigit((unsigned char)*p) || *p == '.';
            do
                rbv_text_append(out, p++, 1);
            while (number && *p &&
                   (isalnum((unsigned char)*p) || *p == '.')); /* skip the exponent in 1e3: not a name */
            continue;
        }
        size_t length = 0;
        while (isalnum((unsigned char)p[length]) || p[length] == '_')
            length++;
        const char *after = p + length, *inside = after + strspn(after, " ");
        if (strncmp(after, ".distance", 9) == 0 && !isalnum((unsigned char)after[9]) && after[9] != '_' &&
            is_slide(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".x");
            p = after + 9;
        } else if (strncmp(after, ".torque", 7) == 0 && !isalnum((unsigned char)after[7]) && after[7] != '_' &&
                   is_torque(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".Tz");
            p = after + 7;
        } else if (length == 5 && strncmp(p, "angle", 5) == 0 && *inside == '(') {
            const char *close = strchr(inside, ')');
            inside += 1 + strspn(inside + 1, " ");
            int32_t body = find_named(c, inside, strcspn(inside, " )"), RBV_NAMED_BODY);
            p = close + 1;
            char marks[4] = "";
            for (size_t n = 0; *p == '\'' && n < 3; p++)
                marks[n++] = '\'';
            angle_sum(c, body < 0 ? 0 : body, marks, out);
        } else {
            rbv_text_append(out, p, length);
            p = after;
        }
    }
}

void rbv_convert_expression(RbvConverter *c, const RbvNode *node) {
    if (!node || node->kind != RBV_NODE_SCALAR || node->type != RBV_SCALAR_STRING) {
        if (node)
            rbv_emit_node(&c->out, node);
        return;
    }
    RbvText text = {0};
    rbv_convert_text(c, node->text, &text);
    rbv_emit_string(&c->out, text.data ? text.data : "");
    c->out.no_memory = c->out.no_memory || text.no_memory;
    rbv_text_clear(&text);
}

/* Write "[a, b" of a list of two, then `rest`. */
void rbv_convert_point(RbvConverter *c, const RbvNode *list, const char *rest) {
    rbv_text_add(&c->out, "[");
    for (int32_t k = 0; k < list->count && k < 2; k++) {
        rbv_text_add(&c->out, k ? ", " : "");
        rbv_convert_expression(c, list->items[k]);
    }
    rbv_text_format(&c->out, "%s]", rest);
}

/* Write {at, angle} of a pose or marker. */
void rbv_convert_place(RbvConverter *c, const RbvNode *map) {
    const RbvNode *at = rbv_node_child(map, "at"), *angle = rbv_node_child(map, "angle");
    rbv_text_add(&c->out, "{");
    if (at) {
        rbv_text_add(&c->out, "at: ");
        rbv_convert_point(c, at, ", 0");
    }
    if (angle) {
        rbv_text_add(&c->out, at ? ", rotate: {axis: [0, 0, 1], angle: " : "rotate: {axis: [0, 0, 1], angle: ");
        rbv_emit_node(&c->out, angle);
        rbv_text_add(&c->out, "}");
    }
    rbv_text_add(&c->out, "}");
}

void rbv_convert_number(RbvConverter *c, const char *before, double value, const char *after) {
    rbv_text_add(&c->out, before);
    rbv_text_number(&c->out, value);
    rbv_text_add(&c->out, after);
}

/* Write half of a value. */
void rbv_convert_half(RbvConverter *c, const RbvNode *node) {
    double number = node->number;
    RbvUnit unit;
    const char *unit_text = "";
    RbvWritten written =
        node->type == RBV_SCALAR_NUMBER ? RBV_WRITTEN_NUMBER : rbv_written_as(node->text, &number, &unit, &unit_text);
    if (written == RBV_WRITTEN_EXPRESSION) {
        rbv_text_format(&c->out, "\"(%s)/2\"", node->text);
    } else if (written == RBV_WRITTEN_NUMBER) {
        rbv_text_number(&c->out, 0.5 * number);
    } else {
        rbv_convert_number(c, "\"", 0.5 * number, " ");
        rbv_text_format(&c->out, "%s\"", unit_text);
    }
}

/* --- joints --- */

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
    bool same = !rbv_forms[joint->form].directions || joint->locks == 0 || strcmp(type, "revolute") == 0 ||
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
        if (rbv_key_belongs("bearing bearings plain guide", key))
            rbv_diagnose(c->diagnostics, RBV_NOTE, c->file, node->key_at[k],
                         "%s: of joint '%s' is left out: in space a joint carries more", key, name);
        if (rbv_key_belongs("type between at axis locked damping friction bearing bearings plain guide", key) ||
            angle || wheel)
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
