/* Converts a planar model file to a spatial one: the same mechanism between the planes z = const.
 *
 * A joint that locks two or three directions of the plane also locks z, rx and ry; a joint that fixes a single length
 * locks nothing more. Bodies that no such joint connects to ground are kept in the plane by a planar joint of their own
 * (particles by a joint z). Axes are unchanged, so that planar components keep their names: a slide becomes general
 * with x free, a slot locks y (an inplane joint whose plane has the first marker's y as normal), an angle locks all
 * rotations. Bodies become laminae:
 *
 *   Ixx = Iyy = Izz/2.
 *
 * A particle in a hinge or slide becomes a body that is kept from rotating. angle(body) becomes the sum of the angles
 * of the joints that lead from ground to the body.
 */
#include "model/read/to_spatial.h"
#include "core/base/diagnostics.h"
#include "model/read/files.h"
#include "model/read/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void emit_body(RbvConverter *c, const char *name, const RbvNode *node, int32_t index) {
    const RbvBody *body = &c->model->bodies.items[index];
    const char *comma = "";
    rbv_text_format(&c->out, "  %s: {", name);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        const RbvNode *item = node->items[k];
        if (strcmp(key, "markers") == 0 || (strcmp(key, "particle") == 0 && rbv_has_axes(c, index)))
            continue;
        rbv_text_format(&c->out, "%s", comma);
        comma = ", ";
        if (strcmp(key, "shape") == 0) {
            rbv_convert_number(c, "mass: \"", body->mass, " kg\", centroid: [\"");
            rbv_convert_number(c, "", body->centroid.x, " m\", \"");
            rbv_convert_number(c, "", body->centroid.y, " m\", 0], inertia: [\"");
            rbv_convert_number(c, "", 0.5 * body->inertia[2], " kg.m^2\", \"");
            rbv_convert_number(c, "", 0.5 * body->inertia[2], " kg.m^2\", \"");
            rbv_convert_number(c, "", body->inertia[2], " kg.m^2\"]");
            continue;
        }
        rbv_text_format(&c->out, "%s: ", key);
        if (strcmp(key, "inertia") == 0) {
            rbv_text_add(&c->out, "[");
            rbv_convert_half(c, item);
            rbv_text_add(&c->out, ", ");
            rbv_convert_half(c, item);
            rbv_text_add(&c->out, ", ");
            rbv_emit_node(&c->out, item);
            rbv_text_add(&c->out, "]");
        } else if (strcmp(key, "centroid") == 0) {
            rbv_convert_point(c, item, ", 0");
        } else if (strcmp(key, "pose") == 0) {
            rbv_convert_place(c, item);
        } else {
            rbv_emit_node(&c->out, item);
        }
    }
    const RbvNode *markers = rbv_node_child(node, "markers");
    if (markers || c->extra[index].data) {
        rbv_text_format(&c->out, "%smarkers: {", comma);
        for (int32_t k = 0; markers && k < markers->count; k++) {
            rbv_text_format(&c->out, "%s%s: ", k ? ", " : "", markers->keys[k]);
            if (markers->items[k]->kind == RBV_NODE_LIST)
                rbv_convert_point(c, markers->items[k], ", 0");
            else
                rbv_convert_place(c, markers->items[k]);
        }
        if (c->extra[index].data)
            rbv_text_add(&c->out, c->extra[index].data + (markers && markers->count ? 0 : 2));
        rbv_text_add(&c->out, "}");
    }
    rbv_text_add(&c->out, "}\n");
}

/* *body: the body if `coordinate` is angle(body) of a body with its own hinge on ground (its angle is that of the hinge
 * up to a constant), else -1. False: no such hinge; refused with an error. */
static bool direct_angle(RbvConverter *c, const char *coordinate, RbvPosition at, const char *what, int32_t *body) {
    const char *open = strstr(coordinate, "angle(");
    *body = -1;
    if (open != coordinate)
        return true;
    char name[RBV_NAME_SIZE] = "";
    size_t size = strcspn(coordinate + 6, " )");
    if (size < sizeof name)
        memcpy(name, coordinate + 6, size);
    int32_t b = rbv_model_find(c->model, name, RBV_NAMED_BODY);
    if (b > 0 && c->tie[b].parent == 0 && c->tie[b].sign > 0) {
        *body = b;
        return true;
    }
    rbv_convert_refuse(c, at,
                       "%s is of angle(%s), which space measures by joints alone, and no hinge joins '%s' to ground",
                       what, name, name);
    return false;
}

/* Write the coordinate in spatial terms; body as from direct_angle. */
static void emit_coordinate(RbvConverter *c, const char *text, int32_t body) {
    if (body >= 0) {
        char keeper[RBV_NAME_SIZE];
        rbv_keeper_name(c, body, keeper, sizeof keeper);
        rbv_text_format(&c->out, "\"%s.rz%s\"",
                        c->tie[body].joint < 0 ? keeper : c->model->joints.items[c->tie[body].joint].name,
                        text[strlen(text) - 1] == '\'' ? "'" : "");
        return;
    }
    RbvText fresh = {0};
    rbv_convert_text(c, text, &fresh);
    rbv_emit_string(&c->out, fresh.data ? fresh.data : "");
    rbv_text_clear(&fresh);
}

/* Write those of the keys that the node has as expressions. */
static void emit_more(RbvConverter *c, const RbvNode *node, int count, const char *const *keys) {
    for (int k = 0; k < count; k++)
        if (rbv_node_child(node, keys[k])) {
            rbv_text_format(&c->out, ", %s: ", keys[k]);
            rbv_convert_expression(c, rbv_node_child(node, keys[k]));
        }
}

static void emit_drive(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const char *coordinate = rbv_node_child(node, "coordinate")->text;
    const RbvNode *motion = rbv_node_child(node, "motion");
    const RbvExpr *expr = c->model->drives.items[index].motion;
    char what[RBV_NAME_SIZE];
    int32_t body;
    snprintf(what, sizeof what, "drive '%s'", name);
    if (!direct_angle(c, coordinate, at, what, &body))
        return;
    rbv_text_format(&c->out, "  %s: {coordinate: ", name);
    emit_coordinate(c, coordinate, body);
    rbv_text_add(&c->out, ", motion: ");
    double constant = body >= 0 ? c->tie[body].constant : 0, work[256];
    if (constant == 0) {
        rbv_convert_expression(c, motion);
    } else if (rbv_expr_variable_count(expr) == 0 && rbv_expr_work_size(expr) <= 256) {
        rbv_convert_number(c, "\"", rbv_expr_value(expr, NULL, work) - constant, " rad\"");
    } else {
        rbv_text_format(&c->out, "\"(%s) - (", motion->text);
        rbv_convert_number(c, "", constant, ")\"");
    }
    emit_more(c, node, 4, (const char *const[]){"max", "catch_up", "value", "active"});
    static const char *const motors[] = {"rotor", "rating"};
    for (int k = 0; k < 2; k++)
        if (rbv_node_child(node, motors[k])) {
            rbv_text_format(&c->out, ", %s: ", motors[k]);
            rbv_emit_node(&c->out, rbv_node_child(node, motors[k]));
        }
    rbv_text_add(&c->out, "}\n");
}

static void emit_load(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const RbvLoad *load = &c->model->loads.items[index];
    if (load->kind == RBV_LOAD_TORSION && rbv_locked_bodies_count(&c->model->joints.items[load->joint]) < 2)
        rbv_convert_refuse(
            c, at, "torsion-spring '%s' acts on joint '%s', whose bodies turn about more than one axis in space", name,
            c->model->joints.items[load->joint].name);
    rbv_text_format(&c->out, "  %s: {", name);
    for (int32_t k = 0; k < node->count; k++) {
        const char *key = node->keys[k];
        const RbvNode *item = node->items[k];
        rbv_text_format(&c->out, "%s%s: ", k ? ", " : "", key);
        if (item->kind == RBV_NODE_LIST && rbv_key_belongs("value acceleration", key)) {
            rbv_convert_point(c, item, ", 0");
        } else if (rbv_load_row(load->kind)->torque && strcmp(key, "value") == 0) {
            rbv_text_add(&c->out, "[0, 0, ");
            rbv_convert_expression(c, item);
            rbv_text_add(&c->out, "]");
        } else if (load->kind == RBV_LOAD_BUSHING && rbv_key_belongs("stiffness damping", key)) {
            rbv_convert_point(c, item, ", 0, 0, 0, ");
            c->out.length--; /* drop the bracket to append the third item */
            rbv_emit_node(&c->out, item->items[2]);
            rbv_text_add(&c->out, "]");
        } else if (strcmp(key, "center") == 0) {
            rbv_convert_point(c, item, ", 0");
        } else if (rbv_key_belongs("force torque speed value active", key)) {
            rbv_convert_expression(c, item);
        } else {
            rbv_emit_node(&c->out, item);
        }
    }
    rbv_text_add(&c->out, "}\n");
}

static void emit_initial(RbvConverter *c, const RbvNode *node, int32_t k) {
    const char *coordinate = node->keys[k];
    char what[RBV_NAME_SIZE];
    int32_t body;
    snprintf(what, sizeof what, "initial condition '%s'", coordinate);
    if (!direct_angle(c, coordinate, node->key_at[k], what, &body))
        return;
    rbv_text_add(&c->out, "  ");
    emit_coordinate(c, coordinate, body);
    const RbvInitial *initial = c->model->initial.items; /* initial values of generalized coordinates come first */
    while (strcmp(initial->coordinate, coordinate) != 0)
        initial++;
    if (body >= 0 && initial->of.rate == 0 && c->tie[body].constant != 0) {
        rbv_convert_number(c, ": \"", initial->value - c->tie[body].constant, " rad\"\n");
        return;
    }
    rbv_text_add(&c->out, ": ");
    rbv_emit_node(&c->out, node->items[k]);
    rbv_text_add(&c->out, "\n");
}

static void emit_constraint(RbvConverter *c, const char *name, const RbvNode *node) {
    rbv_text_format(&c->out, "  %s: {%s: ", name, rbv_node_child(node, "velocity") ? "velocity" : "equation");
    rbv_convert_expression(c, rbv_node_child(node, "velocity") ? rbv_node_child(node, "velocity")
                                                               : rbv_node_child(node, "equation"));
    const RbvNode *forces = rbv_node_child(node, "nonideal");
    for (int32_t k = 0; forces && k < forces->count; k++) {
        int32_t body;
        char what[200];
        snprintf(what, sizeof what, "nonideal force along '%s'", forces->keys[k]);
        if (!direct_angle(c, forces->keys[k], forces->key_at[k], what, &body))
            return;
        rbv_text_add(&c->out, k == 0 ? ", nonideal: {" : ", ");
        emit_coordinate(c, forces->keys[k], body);
        rbv_text_add(&c->out, ": ");
        rbv_convert_expression(c, forces->items[k]);
    }
    rbv_text_add(&c->out, forces && forces->count > 0 ? "}" : "");
    emit_more(c, node, 2, (const char *const[]){"value", "active"});
    rbv_text_add(&c->out, "}\n");
}

/* Write a limit of a stop; `constant` [rad] is subtracted from an angle whose zero differs in space. */
static void emit_limit(RbvConverter *c, const char *key, const RbvNode *node, double limit, double constant) {
    if (!node)
        return;
    rbv_text_format(&c->out, ", %s: ", key);
    if (constant != 0)
        rbv_convert_number(c, "\"", limit - constant, " rad\"");
    else
        rbv_convert_expression(c, node);
}

static void emit_stop(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at) {
    const RbvStop *stop = &c->model->stops.items[index];
    char what[RBV_NAME_SIZE];
    int32_t body;
    snprintf(what, sizeof what, "stop '%s'", name);
    if (!direct_angle(c, stop->coordinate, at, what, &body))
        return;
    double constant = body >= 0 ? c->tie[body].constant : 0;
    rbv_text_format(&c->out, "  %s: {coordinate: ", name);
    emit_coordinate(c, stop->coordinate, body);
    emit_limit(c, "min", rbv_node_child(node, "min"), stop->limit[0], constant);
    emit_limit(c, "max", rbv_node_child(node, "max"), stop->limit[1], constant);
    emit_more(c, node, 2, (const char *const[]){"restitution", "active"});
    rbv_text_add(&c->out, "}\n");
}

/* Write a map or list of expressions, converted. */
static void emit_converted(RbvConverter *c, const RbvNode *node) {
    bool map = node->kind == RBV_NODE_MAP;
    if (!map && node->kind != RBV_NODE_LIST) {
        rbv_convert_expression(c, node);
        return;
    }
    rbv_text_add(&c->out, map ? "{" : "[");
    for (int32_t k = 0; k < node->count; k++) {
        rbv_text_add(&c->out, k ? ", " : "");
        if (map)
            rbv_text_format(&c->out, "%s: ", node->keys[k]);
        emit_converted(c, node->items[k]);
    }
    rbv_text_add(&c->out, map ? "}" : "]");
}

/* Write an output for each slide's distance: slides are general joints in space, which have no distance column. */
static void emit_lost_coordinates(RbvConverter *c, bool section) {
    const RbvModel *model = c->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        char name[RBV_NAME_SIZE];
        int length = snprintf(name, sizeof name, "%s_distance", model->joints.items[k].name);
        if (!(model->joints.items[k].coordinates & RBV_DIRECTION_X) || length >= (int)sizeof name ||
            rbv_name_table_find(&model->names, name) >= 0)
            continue;
        rbv_text_format(&c->out, "%s  %s: %s.x\n", section ? "" : "output:\n", name, model->joints.items[k].name);
        section = true;
    }
}

static int32_t load_named(const RbvModel *model, const char *name) {
    return rbv_model_find(model, name, RBV_NAMED_LOAD);
}

static void emit_section(RbvConverter *c, const char *key, const RbvNode *node) {
    const RbvModel *model = c->model;
    rbv_text_format(&c->out, "%s:\n", key);
    for (int32_t k = 0; k < node->count; k++) {
        const char *name = node->keys[k];
        if (strcmp(key, "bodies") == 0) {
            emit_body(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_BODY));
        } else if (strcmp(key, "joints") == 0) {
            rbv_convert_joint(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_JOINT), node->key_at[k]);
        } else if (strcmp(key, "constraints") == 0) {
            emit_constraint(c, name, node->items[k]);
        } else if (strcmp(key, "drives") == 0) {
            emit_drive(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_DRIVE), node->key_at[k]);
        } else if (strcmp(key, "loads") == 0) {
            emit_load(c, name, node->items[k], load_named(model, name), node->key_at[k]);
        } else if (strcmp(key, "initial") == 0) {
            emit_initial(c, node, k);
        } else if (strcmp(key, "stops") == 0) {
            emit_stop(c, name, node->items[k], rbv_model_find(model, name, RBV_NAMED_STOP), node->key_at[k]);
        } else {
            rbv_text_format(&c->out, "  %s: ", name);
            emit_converted(c, node->items[k]);
            rbv_text_add(&c->out, "\n");
        }
    }
    if (strcmp(key, "joints") == 0)
        rbv_convert_keepers(c, true);
    if (strcmp(key, "output") == 0)
        emit_lost_coordinates(c, true);
}

static void convert(RbvConverter *c, const RbvNode *root) {
    rbv_convert_plan_markers(c, rbv_node_child(root, "joints"));
    for (int32_t k = 0; k < root->count; k++) {
        const char *key = root->keys[k];
        const RbvNode *item = root->items[k];
        if (strcmp(key, "space") == 0) {
            rbv_text_add(&c->out, "space: spatial\n");
        } else if (strcmp(key, "gravity") == 0) {
            rbv_text_add(&c->out, "gravity: ");
            rbv_convert_point(c, item, ", 0");
            rbv_text_add(&c->out, "\n");
        } else if (rbv_key_belongs("bodies joints coordinates constraints drives loads stops states events generalized "
                                   "track initial output",
                                   key) &&
                   item->kind == RBV_NODE_MAP) {
            emit_section(c, key, item);
        } else {
            rbv_text_format(&c->out, "%s: ", key);
            rbv_emit_node(&c->out, item);
            rbv_text_add(&c->out, "\n");
        }
    }
    if (!rbv_node_child(root, "joints"))
        rbv_convert_keepers(c, false);
    if (!rbv_node_child(root, "output"))
        emit_lost_coordinates(c, false);
}

static RbvStatus convert_text(const char *path, const char *text, size_t length, const RbvModel *model,
                              RbvDiagnostics *diagnostics, char **out) {
    RbvNodeTree *tree = rbv_node_tree_parse(path, text, length, diagnostics);
    size_t bodies = (size_t)model->bodies.count;
    RbvArena arena = {0};
    RbvConverter c = {.model = model,
                      .diagnostics = diagnostics,
                      .file = path,
                      .extra = rbv_arena_array(&arena, bodies, sizeof *c.extra),
                      .tie = rbv_arena_array(&arena, bodies, sizeof *c.tie)};
    RbvStatus status = tree && c.extra && c.tie ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        rbv_find_ties(&c);
        convert(&c, rbv_node_tree_root(tree));
        status = c.wrong ? RBV_BAD_INPUT : RBV_OK;
        if (status == RBV_OK)
            rbv_diagnose(diagnostics, RBV_NOTE, path, (RbvPosition){0, 0},
                         "the bodies have become laminae: Ixx = Iyy = Izz/2");
    }
    *out = status == RBV_OK ? rbv_text_take(&c.out) : NULL;
    if (status == RBV_OK && !*out)
        status = RBV_NO_MEMORY;
    for (size_t b = 0; c.extra && b < bodies; b++)
        rbv_text_clear(&c.extra[b]);
    rbv_text_clear(&c.out);
    rbv_arena_clear(&arena);
    rbv_node_tree_destroy(tree);
    return status;
}

static RbvStatus text_to_spatial(const char *name, const char *text, size_t length, RbvDiagnostics *diagnostics,
                                 char **yaml) {
    RbvModel *model = NULL;
    RbvStatus status = rbv_model_read(&(RbvInput){.path = name, .text = text, .length = length}, diagnostics, &model);
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

RbvStatus rbv_model_to_spatial(const RbvInput *input, RbvDiagnostics *diagnostics, char **yaml) {
    if (!input || !input->path || (!input->text && input->length > 0) || !yaml)
        return RBV_BAD_ARGUMENT;
    *yaml = NULL;
    if (input->text)
        return text_to_spatial(input->path, input->text, input->length, diagnostics, yaml);
    char *text;
    size_t length;
    RbvStatus status = rbv_read_model_file(input->path, &text, &length, diagnostics);
    if (status != RBV_OK)
        return status;
    status = text_to_spatial(input->path, text, length, diagnostics, yaml);
    free(text);
    return status;
}
