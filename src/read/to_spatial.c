/* A planar model file as a spatial one: the same machine between the planes z = const.
 *
 * Every joint that holds two or three directions of the plane holds z, rx and ry as well; one that holds a single length holds no more. Bodies that no such
 * joint ties to ground are kept in the plane by a planar joint (particles by z) of their own. Axes stay, so that the components of the plane keep their
 * names: a slide becomes general with x free, a slot holds y (it is an inplane joint whose plane's normal is the first's y), an angle all turns.
 * Bodies become laminae: Ixx = Iyy = Izz/2. A particle in a hinge or slide becomes a body that is kept from turning. angle(body) becomes the sum of the turns of the joints that lead from ground to the body.
 */
#include "base/diagnostics.h"
#include "read/emit.h"
#include "read/files.h"
#include "read/sections.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Tie {
    int32_t parent;   /* the body nearer to ground; -1: none has been found */
    int32_t joint;    /* -1: held by a joint of its own */
    double sign;      /* of the joint's turn in the body's angle */
    double constant;  /* [rad] what the markers add */
} Tie;

typedef struct Converter {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvText out;
    RbvText *extra; /* [bodies] markers that joints need, as ", name: {...}" */
    Tie *tie;       /* [bodies] */
    bool wrong;
} Converter;

static void refuse(Converter *c, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
static void refuse(Converter *c, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(c->diagnostics, RBV_ERROR, c->file, at, format, arguments);
    va_end(arguments);
    c->wrong = true;
}

static const RbvNode *child(const RbvNode *map, const char *key) {
    for (int32_t k = 0; map && map->kind == RBV_NODE_MAP && k < map->count; k++)
        if (strcmp(map->keys[k], key) == 0)
            return map->items[k];
    return NULL;
}

static bool is_key(const char *key, const char *list) {
    return rbv_key_belongs(list, key);
}

/* --- who holds whom in the plane --------------------------------------------------------------------------------------- */

static int held_count(const RbvJoint *joint) {
    int count = 0;
    for (int d = 0; d < 6; d++)
        count += joint->form == RBV_FORM_LOCKS && joint->locks >> d & 1;
    return count;
}

/* A particle whose joints speak of its directions: in the plane it has those of ground. */
static bool has_axes(const Converter *c, int32_t body) {
    const RbvModel *model = c->model;
    for (int32_t k = 0; model->bodies.items[body].particle && k < model->joints.count; k++)
        for (int side = 0; side < 2; side++)
            if (model->markers.items[model->joints.items[k].marker[side]].body == body && held_count(&model->joints.items[k]) > 1)
                return true;
    return false;
}

/* Bodies reached from ground through joints that hold the plane; each of the others is then held and reaches further. */
static void find_ties(Converter *c) {
    const RbvModel *model = c->model;
    for (int32_t b = 0; b < model->bodies.count; b++)
        c->tie[b] = (Tie){b == 0 || has_axes(c, b) ? 0 : -1, -1, 0, 0};
    for (int32_t b = 1; b <= model->bodies.count; b++) {
        for (bool more = true; more;) {
            more = false;
            for (int32_t k = 0; k < model->joints.count; k++) {
                const RbvJoint *joint = &model->joints.items[k];
                const RbvMarker *i = &model->markers.items[joint->marker[0]], *j = &model->markers.items[joint->marker[1]];
                bool first = c->tie[i->body].parent >= 0, second = c->tie[j->body].parent >= 0;
                if (held_count(joint) < 2 || first == second)
                    continue;
                double constant = i->angle - j->angle, sign = joint->locks & RBV_DIRECTION_RZ ? 0 : 1;
                c->tie[first ? j->body : i->body] = first ? (Tie){i->body, k, sign, constant} : (Tie){j->body, k, -sign, -constant};
                more = true;
            }
        }
        if (b < model->bodies.count && c->tie[b].parent < 0)
            c->tie[b] = (Tie){0, -1, 1, 0};
    }
}

/* A body whose own planar joint measures its turn: "keep_rod". */
static void keeper_name(const Converter *c, int32_t body, char *name, size_t size) {
    snprintf(name, size, "keep_%s", c->model->bodies.items[body].name);
}

/* angle(body) as turns of joints, with `marks` after each name ("'" for rates, which have no constants). */
static void angle_sum(const Converter *c, int32_t body, const char *marks, RbvText *out) {
    double constant = 0;
    rbv_text_add(out, "(");
    bool any = false;
    for (int32_t b = body; b != 0; b = c->tie[b].parent) {
        const Tie *tie = &c->tie[b];
        char keeper[200];
        keeper_name(c, b, keeper, sizeof keeper);
        constant += tie->constant;
        if (tie->sign == 0)
            continue;
        rbv_text_format(out, "%s%s.rz%s", tie->sign < 0 ? " - " : any ? " + " : "", tie->joint < 0 ? keeper : c->model->joints.items[tie->joint].name, marks);
        any = true;
    }
    if (!any || (constant != 0 && !*marks)) {
        rbv_text_add(out, any ? " + " : "");
        rbv_text_number(out, *marks ? 0 : constant);
    }
    rbv_text_add(out, ")");
}

/* --- expressions ------------------------------------------------------------------------------------------------------- */

/* The thing called name[length], or -1. */
static int32_t find(const Converter *c, const char *name, size_t length, RbvNamedKind kind) {
    char owner[128];
    if (length >= sizeof owner)
        return -1;
    memcpy(owner, name, length);
    owner[length] = '\0';
    return rbv_model_find(c->model, owner, kind);
}

static bool is_slide(const Converter *c, const char *name, size_t length) {
    int32_t k = find(c, name, length, RBV_NAMED_JOINT);
    return k >= 0 && c->model->joints.items[k].coordinates & RBV_DIRECTION_X;
}

static bool is_torque(const Converter *c, const char *name, size_t length) {
    int32_t k = find(c, name, length, RBV_NAMED_LOAD);
    return k >= 0 && c->model->loads.items[k].kind == RBV_LOAD_TORQUE;
}

/* slide.distance -> slide.x; twist.torque -> twist.Tz; angle(body) -> the sum of turns. */
static void rewrite(const Converter *c, const char *text, RbvText *out) {
    for (const char *p = text; *p;) {
        if (!isalpha((unsigned char)*p)) {
            bool number = isdigit((unsigned char)*p) || *p == '.';
            do
                rbv_text_append(out, p++, 1);
            while (number && *p && (isalnum((unsigned char)*p) || *p == '.')); /* 1e3 is no name */
            continue;
        }
        size_t length = 0;
        while (isalnum((unsigned char)p[length]) || p[length] == '_')
            length++;
        const char *after = p + length, *inside = after + strspn(after, " ");
        if (strncmp(after, ".distance", 9) == 0 && !isalnum((unsigned char)after[9]) && after[9] != '_' && is_slide(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".x");
            p = after + 9;
        } else if (strncmp(after, ".torque", 7) == 0 && !isalnum((unsigned char)after[7]) && after[7] != '_' && is_torque(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".Tz");
            p = after + 7;
        } else if (length == 5 && strncmp(p, "angle", 5) == 0 && *inside == '(') {
            const char *close = strchr(inside, ')');
            inside += 1 + strspn(inside + 1, " ");
            int32_t body = find(c, inside, strcspn(inside, " )"), RBV_NAMED_BODY);
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

static void emit_expression(Converter *c, const RbvNode *node) {
    if (!node || node->kind != RBV_NODE_SCALAR || node->type != RBV_SCALAR_STRING) {
        if (node)
            rbv_emit_node(&c->out, node);
        return;
    }
    RbvText text = {0};
    rewrite(c, node->text, &text);
    rbv_emit_string(&c->out, text.data ? text.data : "");
    c->out.no_memory = c->out.no_memory || text.no_memory;
    rbv_text_clear(&text);
}

/* --- values ------------------------------------------------------------------------------------------------------------ */

/* "[a, b" of a list of two, then `rest`. */
static void emit_point(Converter *c, const RbvNode *list, const char *rest) {
    rbv_text_add(&c->out, "[");
    for (int32_t k = 0; k < list->count && k < 2; k++) {
        rbv_text_add(&c->out, k ? ", " : "");
        emit_expression(c, list->items[k]);
    }
    rbv_text_format(&c->out, "%s]", rest);
}

/* {at, angle} of poses and markers. */
static void emit_place(Converter *c, const RbvNode *map) {
    const RbvNode *at = child(map, "at"), *angle = child(map, "angle");
    rbv_text_add(&c->out, "{");
    if (at) {
        rbv_text_add(&c->out, "at: ");
        emit_point(c, at, ", 0");
    }
    if (angle) {
        rbv_text_add(&c->out, at ? ", rotate: {axis: [0, 0, 1], angle: " : "rotate: {axis: [0, 0, 1], angle: ");
        rbv_emit_node(&c->out, angle);
        rbv_text_add(&c->out, "}");
    }
    rbv_text_add(&c->out, "}");
}

static void emit_number(Converter *c, const char *before, double value, const char *after) {
    rbv_text_add(&c->out, before);
    rbv_text_number(&c->out, value);
    rbv_text_add(&c->out, after);
}

/* Half of what is written. */
static void emit_half(Converter *c, const RbvNode *node) {
    double number = node->number;
    RbvUnit unit;
    const char *unit_text = "";
    RbvWritten written = node->type == RBV_SCALAR_NUMBER ? RBV_WRITTEN_NUMBER : rbv_written_as(node->text, &number, &unit, &unit_text);
    if (written == RBV_WRITTEN_EXPRESSION) {
        rbv_text_format(&c->out, "\"(%s)/2\"", node->text);
    } else if (written == RBV_WRITTEN_NUMBER) {
        rbv_text_number(&c->out, 0.5 * number);
    } else {
        emit_number(c, "\"", 0.5 * number, " ");
        rbv_text_format(&c->out, "%s\"", unit_text);
    }
}

/* --- sections ---------------------------------------------------------------------------------------------------------- */

static void emit_body(Converter *c, const char *name, const RbvNode *node, int32_t index) {
    const RbvBody *body = &c->model->bodies.items[index];
    const char *comma = "";
    rbv_text_format(&c->out, "  %s: {", name);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        const RbvNode *item = node->items[k];
        if (strcmp(key, "markers") == 0 || (strcmp(key, "particle") == 0 && has_axes(c, index)))
            continue;
        rbv_text_format(&c->out, "%s", comma);
        comma = ", ";
        if (strcmp(key, "shape") == 0) {
            emit_number(c, "mass: \"", body->mass, " kg\", centroid: [\"");
            emit_number(c, "", body->centroid.x, " m\", \"");
            emit_number(c, "", body->centroid.y, " m\", 0], inertia: [\"");
            emit_number(c, "", 0.5 * body->inertia[2], " kg.m^2\", \"");
            emit_number(c, "", 0.5 * body->inertia[2], " kg.m^2\", \"");
            emit_number(c, "", body->inertia[2], " kg.m^2\"]");
            continue;
        }
        rbv_text_format(&c->out, "%s: ", key);
        if (strcmp(key, "inertia") == 0) {
            rbv_text_add(&c->out, "[");
            emit_half(c, item);
            rbv_text_add(&c->out, ", ");
            emit_half(c, item);
            rbv_text_add(&c->out, ", ");
            rbv_emit_node(&c->out, item);
            rbv_text_add(&c->out, "]");
        } else if (strcmp(key, "centroid") == 0) {
            emit_point(c, item, ", 0");
        } else if (strcmp(key, "pose") == 0) {
            emit_place(c, item);
        } else {
            rbv_emit_node(&c->out, item);
        }
    }
    const RbvNode *markers = child(node, "markers");
    if (markers || c->extra[index].data) {
        rbv_text_format(&c->out, "%smarkers: {", comma);
        for (int32_t k = 0; markers && k < markers->count; k++) {
            rbv_text_format(&c->out, "%s%s: ", k ? ", " : "", markers->keys[k]);
            if (markers->items[k]->kind == RBV_NODE_LIST)
                emit_point(c, markers->items[k], ", 0");
            else
                emit_place(c, markers->items[k]);
        }
        if (c->extra[index].data)
            rbv_text_add(&c->out, c->extra[index].data + (markers && markers->count ? 0 : 2));
        rbv_text_add(&c->out, "}");
    }
    rbv_text_add(&c->out, "}\n");
}

/* A marker of the converter's own, numbers in SI. */
static void add_marker(Converter *c, int32_t body, const char *name, RbvVec3 at, double angle) {
    RbvText *text = &c->extra[body];
    rbv_text_format(text, ", %s: {at: [\"", name);
    rbv_text_number(text, at.x);
    rbv_text_add(text, " m\", \"");
    rbv_text_number(text, at.y);
    rbv_text_add(text, " m\", 0], rotate: {axis: [0, 0, 1], angle: \"");
    rbv_text_number(text, angle);
    rbv_text_add(text, " rad\"}}");
}

/* Joints given by `at:` and `axis:` get markers, and so does the first of a held angle. */
static void plan_markers(Converter *c, const RbvNode *joints) {
    for (int32_t k = 0; joints && k < joints->count; k++) {
        const RbvJoint *joint = &c->model->joints.items[k];
        bool placed = child(joints->items[k], "at") || child(joints->items[k], "axis"), turned = joint->locks == RBV_DIRECTION_RZ && joint->value != 0;
        for (int side = 0; side < 2; side++) {
            const RbvMarker *marker = &c->model->markers.items[joint->marker[side]];
            char name[200];
            snprintf(name, sizeof name, "%s_%d", joint->name, side + 1);
            if ((placed && !strchr(child(joints->items[k], "between")->items[side]->text, '.')) || (turned && side == 0))
                add_marker(c, marker->body, name, marker->at, marker->angle + (turned && side == 0 ? joint->value : 0));
        }
    }
}

static void emit_between(Converter *c, const RbvNode *node, const RbvJoint *joint) {
    const RbvNode *between = child(node, "between");
    bool placed = child(node, "at") || child(node, "axis"), turned = joint->locks == RBV_DIRECTION_RZ && joint->value != 0;
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

/* The type in space, with `locked:` where it is general. */
static void emit_type(Converter *c, const RbvJoint *joint) {
    static const char *const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const char *type = joint->kind->name;
    if (strcmp(type, "slot") == 0)
        type = "y";
    else if (strcmp(type, "wheel") == 0)
        type = "knife-edge";
    bool same = joint->form != RBV_FORM_LOCKS || joint->locks == 0 || strcmp(type, "revolute") == 0 || strcmp(type, "fixed") == 0 || strcmp(type, "x") == 0 ||
                strcmp(type, "y") == 0;
    rbv_text_format(&c->out, "type: %s, ", same ? type : "general");
    if (same)
        return;
    int locks = joint->locks;
    if (held_count(joint) > 1)
        locks |= RBV_DIRECTION_Z | RBV_DIRECTION_RX | RBV_DIRECTION_RY;
    else if (locks == RBV_DIRECTION_RZ)
        locks |= RBV_DIRECTION_RX | RBV_DIRECTION_RY;
    rbv_text_add(&c->out, "locked: [");
    for (int d = 0, n = 0; d < 6; d++)
        if (locks >> d & 1)
            rbv_text_format(&c->out, "%s%s", n++ ? ", " : "", names[d]);
    rbv_text_add(&c->out, "], ");
}

/* Damping of the planar freedoms x, y, rz on those of space, in SI: the others have none. */
static void emit_damping(Converter *c, int32_t index) {
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
            emit_number(c, ", damping: \"", by_direction[5], " N.m.s/rad\"");
            return;
        }
        int spatial = joint->locks;
        if (held_count(joint) > 1)
            spatial |= RBV_DIRECTION_Z | RBV_DIRECTION_RX | RBV_DIRECTION_RY;
        else if (spatial == RBV_DIRECTION_RZ)
            spatial |= RBV_DIRECTION_RX | RBV_DIRECTION_RY;
        rbv_text_add(&c->out, ", damping: [");
        for (int d = 0, n = 0; d < 6; d++)
            if (!(spatial >> d & 1)) {
                rbv_text_add(&c->out, n++ ? ", \"" : "\"");
                emit_number(c, "", by_direction[d], d < 3 ? " N.s/m\"" : " N.m.s/rad\"");
            }
        rbv_text_add(&c->out, "]");
    }
}

static void emit_joint(Converter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const RbvJoint *joint = &c->model->joints.items[index];
    if (joint->has_friction)
        refuse(c, at, "joint '%s' has friction, which joints of spatial models do not have in this version", name);
    rbv_text_format(&c->out, "  %s: {", name);
    emit_type(c, joint);
    emit_between(c, node, joint);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        bool angle = joint->locks == RBV_DIRECTION_RZ && strcmp(key, "value") == 0, wheel = strcmp(joint->kind->name, "wheel") == 0 && strcmp(key, "radius") == 0;
        if (is_key(key, "type between at axis locked damping friction") || angle || wheel)
            continue;
        rbv_text_format(&c->out, ", %s: ", key);
        rbv_emit_node(&c->out, node->items[k]);
    }
    emit_damping(c, index);
    rbv_text_add(&c->out, "}\n");
}

/* Bodies that need a joint of their own to stay in the plane. */
static void emit_keepers(Converter *c, bool section) {
    for (int32_t b = 1; b < c->model->bodies.count; b++) {
        char keeper[200];
        if (c->tie[b].joint >= 0 || c->tie[b].parent != 0)
            continue;
        keeper_name(c, b, keeper, sizeof keeper);
        const char *name = c->model->bodies.items[b].name;
        if (!section)
            rbv_text_add(&c->out, "joints:\n");
        section = true;
        bool axes = has_axes(c, b);
        rbv_text_format(&c->out, "  %s: {type: %s, between: [ground, %s]}\n", keeper,
                        axes ? "general, locked: [z, rx, ry, rz]" : c->model->bodies.items[b].particle ? "z" : "planar", name);
        rbv_diagnose(c->diagnostics, RBV_NOTE, c->file, c->model->bodies.items[b].where, "'%s' is kept in the plane by the joint '%s'%s", name, keeper,
                     axes ? ", as a body that does not turn" : "");
    }
}

/* A drive or initial condition of angle(body): of the body's own hinge on ground, whose turn it is but for a constant. False: refused. */
static bool direct_angle(Converter *c, const char *coordinate, RbvPosition at, const char *what, int32_t *body) {
    const char *open = strstr(coordinate, "angle(");
    *body = -1;
    if (open != coordinate)
        return true;
    char name[128] = "";
    size_t size = strcspn(coordinate + 6, " )");
    if (size < sizeof name)
        memcpy(name, coordinate + 6, size);
    int32_t b = rbv_model_find(c->model, name, RBV_NAMED_BODY);
    if (b > 0 && c->tie[b].parent == 0 && c->tie[b].sign > 0) {
        *body = b;
        return true;
    }
    refuse(c, at, "%s is of angle(%s), which space measures by joints alone, and no hinge joins '%s' to ground", what, name, name);
    return false;
}

/* The coordinate's text in space. */
static void emit_coordinate(Converter *c, const char *text, int32_t body) {
    if (body >= 0) {
        char keeper[200];
        keeper_name(c, body, keeper, sizeof keeper);
        rbv_text_format(&c->out, "\"%s.rz%s\"", c->tie[body].joint < 0 ? keeper : c->model->joints.items[c->tie[body].joint].name,
                        text[strlen(text) - 1] == '\'' ? "'" : "");
        return;
    }
    RbvText fresh = {0};
    rewrite(c, text, &fresh);
    rbv_emit_string(&c->out, fresh.data ? fresh.data : "");
    rbv_text_clear(&fresh);
}

static void emit_drive(Converter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const char *coordinate = child(node, "coordinate")->text;
    const RbvNode *motion = child(node, "motion");
    const RbvExpr *expr = c->model->drives.items[index].motion;
    char what[200];
    int32_t body;
    snprintf(what, sizeof what, "drive '%s'", name);
    if (!direct_angle(c, coordinate, at, what, &body))
        return;
    rbv_text_format(&c->out, "  %s: {coordinate: ", name);
    emit_coordinate(c, coordinate, body);
    rbv_text_add(&c->out, ", motion: ");
    double constant = body >= 0 ? c->tie[body].constant : 0, work[256];
    if (constant == 0) {
        emit_expression(c, motion);
    } else if (rbv_expr_variable_count(expr) == 0 && rbv_expr_work_size(expr) <= 256) {
        emit_number(c, "\"", rbv_expr_value(expr, NULL, work) - constant, " rad\"");
    } else {
        rbv_text_format(&c->out, "\"(%s) - (", motion->text);
        emit_number(c, "", constant, ")\"");
    }
    rbv_text_add(&c->out, "}\n");
}

static void emit_load(Converter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const RbvLoad *load = &c->model->loads.items[index];
    if (load->kind == RBV_LOAD_TORSION && held_count(&c->model->joints.items[load->joint]) < 2)
        refuse(c, at, "torsion-spring '%s' acts on joint '%s', whose bodies turn about more than one axis in space", name,
               c->model->joints.items[load->joint].name);
    rbv_text_format(&c->out, "  %s: {", name);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        const RbvNode *item = node->items[k];
        rbv_text_format(&c->out, "%s%s: ", k ? ", " : "", key);
        if (item->kind == RBV_NODE_LIST && is_key(key, "value acceleration")) {
            emit_point(c, item, ", 0");
        } else if (load->kind == RBV_LOAD_TORQUE && strcmp(key, "value") == 0) {
            rbv_text_add(&c->out, "[0, 0, ");
            emit_expression(c, item);
            rbv_text_add(&c->out, "]");
        } else if (load->kind == RBV_LOAD_BUSHING && is_key(key, "stiffness damping")) {
            emit_point(c, item, ", 0, 0, 0, ");
            c->out.length--; /* the bracket, to go on with the third */
            rbv_emit_node(&c->out, item->items[2]);
            rbv_text_add(&c->out, "]");
        } else if (strcmp(key, "center") == 0) {
            emit_point(c, item, ", 0");
        } else if (is_key(key, "force torque speed value")) {
            emit_expression(c, item);
        } else {
            rbv_emit_node(&c->out, item);
        }
    }
    rbv_text_add(&c->out, "}\n");
}

static void emit_initial(Converter *c, const RbvNode *node, int32_t k) {
    const char *coordinate = node->keys[k];
    char what[200];
    int32_t body;
    snprintf(what, sizeof what, "initial condition '%s'", coordinate);
    if (!direct_angle(c, coordinate, node->key_at[k], what, &body))
        return;
    rbv_text_add(&c->out, "  ");
    emit_coordinate(c, coordinate, body);
    const RbvInitial *initial = &c->model->initial.items[k];
    if (body >= 0 && initial->rate == 0 && c->tie[body].constant != 0) {
        emit_number(c, ": \"", initial->value - c->tie[body].constant, " rad\"\n");
        return;
    }
    rbv_text_add(&c->out, ": ");
    rbv_emit_node(&c->out, node->items[k]);
    rbv_text_add(&c->out, "\n");
}

static void emit_constraint(Converter *c, const char *name, const RbvNode *node) {
    rbv_text_format(&c->out, "  %s: {%s: ", name, child(node, "velocity") ? "velocity" : "equation");
    emit_expression(c, child(node, "velocity") ? child(node, "velocity") : child(node, "equation"));
    rbv_text_add(&c->out, "}\n");
}

static int32_t load_named(const RbvModel *model, const char *name) {
    return rbv_model_find(model, name, RBV_NAMED_LOAD);
}

static void emit_section(Converter *c, const char *key, const RbvNode *node) {
    const RbvModel *model = c->model;
    rbv_text_format(&c->out, "%s:\n", key);
    for (int32_t k = 0; k < node->count; k++) {
        const char *name = node->keys[k];
        if (strcmp(key, "bodies") == 0) {
            emit_body(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_BODY));
        } else if (strcmp(key, "joints") == 0) {
            emit_joint(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_JOINT), node->key_at[k]);
        } else if (strcmp(key, "constraints") == 0) {
            emit_constraint(c, name, node->items[k]);
        } else if (strcmp(key, "drives") == 0) {
            emit_drive(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_DRIVE), node->key_at[k]);
        } else if (strcmp(key, "loads") == 0) {
            emit_load(c, name, node->items[k], load_named(model, name), node->key_at[k]);
        } else if (strcmp(key, "initial") == 0) {
            emit_initial(c, node, k);
        } else {
            rbv_text_format(&c->out, "  %s: ", name);
            emit_expression(c, node->items[k]);
            rbv_text_add(&c->out, "\n");
        }
    }
    if (strcmp(key, "joints") == 0)
        emit_keepers(c, true);
}

static void convert(Converter *c, const RbvNode *root) {
    plan_markers(c, child(root, "joints"));
    for (int32_t k = 0; k < root->count; k++) {
        const char *key = root->keys[k];
        const RbvNode *item = root->items[k];
        if (strcmp(key, "space") == 0) {
            rbv_text_add(&c->out, "space: spatial\n");
        } else if (strcmp(key, "gravity") == 0) {
            rbv_text_add(&c->out, "gravity: ");
            emit_point(c, item, ", 0");
            rbv_text_add(&c->out, "\n");
        } else if (is_key(key, "bodies joints constraints drives loads initial output") && item->kind == RBV_NODE_MAP) {
            emit_section(c, key, item);
        } else {
            rbv_text_format(&c->out, "%s: ", key);
            rbv_emit_node(&c->out, item);
            rbv_text_add(&c->out, "\n");
        }
    }
    if (!child(root, "joints"))
        emit_keepers(c, false);
}

static RbvStatus convert_text(const char *path, const char *text, size_t length, const RbvModel *model, RbvDiagnostics *diagnostics, char **out) {
    RbvTree *tree = rbv_tree_parse(path, text, length, diagnostics);
    size_t bodies = (size_t)model->bodies.count;
    Converter c = {.model = model, .diagnostics = diagnostics, .file = path, .extra = calloc(bodies, sizeof *c.extra), .tie = malloc(bodies * sizeof *c.tie)};
    RbvStatus status = tree && c.extra && c.tie ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        find_ties(&c);
        convert(&c, rbv_tree_root(tree));
        status = c.wrong ? RBV_BAD_INPUT : RBV_OK;
        if (status == RBV_OK)
            rbv_diagnose(diagnostics, RBV_NOTE, path, (RbvPosition){0, 0}, "the bodies have become laminae: Ixx = Iyy = Izz/2");
    }
    *out = status == RBV_OK ? rbv_text_take(&c.out) : NULL;
    if (status == RBV_OK && !*out)
        status = RBV_NO_MEMORY;
    for (size_t b = 0; c.extra && b < bodies; b++)
        rbv_text_clear(&c.extra[b]);
    rbv_text_clear(&c.out);
    free(c.extra);
    free(c.tie);
    rbv_tree_destroy(tree);
    return status;
}

RbvStatus rbv_model_to_spatial_text(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics, char **yaml) {
    if (!name || !text || !yaml)
        return RBV_BAD_ARGUMENT;
    *yaml = NULL;
    RbvModel *model = NULL;
    RbvStatus status = rbv_model_read_text(name, text, length, 0, NULL, diagnostics, &model);
    if (status != RBV_OK)
        return status;
    if (model->space == RBV_SPATIAL) {
        rbv_diagnose(diagnostics, RBV_ERROR, name, (RbvPosition){0, 0}, "the model is spatial already");
        status = RBV_BAD_INPUT;
    } else {
        status = convert_text(name, text, length, model, diagnostics, yaml);
    }
    rbv_model_destroy(model);
    return status;
}

RbvStatus rbv_model_to_spatial(const char *path, RbvDiagnostics *diagnostics, char **yaml) {
    if (!path || !yaml)
        return RBV_BAD_ARGUMENT;
    *yaml = NULL;
    char *text;
    size_t length;
    RbvStatus status = rbv_read_model_file(path, &text, &length, diagnostics);
    if (status != RBV_OK)
        return status;
    status = rbv_model_to_spatial_text(path, text, length, diagnostics, yaml);
    free(text);
    return status;
}
