/* Bodies, their shapes and markers. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/model/shape.h"
#include "model/read/sections.h"

#include <stdio.h>
#include <string.h>

/* Read a point from a list node into out [m]. False: error reported. */
static bool read_point(RbvReader *reader, const RbvNode *node, const RbvKey *key, double *out) {
    int count;
    return rbv_read_quantities(reader, node, key, out, &count);
}

/* Read the corners of a polygon: a list of points [m]. */
static RbvPlaneShape read_polygon(RbvReader *reader, const RbvFields *fields, RbvBodyShape *drawn) {
    const RbvNode *list = rbv_fields_node(fields, "points");
    const RbvKey *key = rbv_fields_key(fields, "points");
    RbvPlaneShape none = {0};
    if (!list)
        return none;
    if (list->kind != RBV_NODE_LIST || list->count < 3) {
        rbv_reader_error(reader, list->at, "'points' must be a list of at least three points [x, y]");
        return none;
    }
    double(*points)[2] = rbv_arena_alloc(&reader->arena, (size_t)list->count * sizeof *points);
    bool good = points != NULL;
    reader->no_memory = reader->no_memory || !points;
    for (int32_t k = 0; points && k < list->count; k++)
        good = read_point(reader, list->items[k], &key->children[0], points[k]) && good;
    if (!good)
        return none;
    RbvPlaneShape shape = rbv_shape_polygon(list->count, (const double(*)[2])points);
    drawn->points =
        reader->model->scene ? rbv_arena_array(&reader->arena, (size_t)list->count, sizeof *drawn->points) : NULL;
    drawn->count = drawn->points ? list->count : 0;
    for (int32_t k = 0; k < drawn->count; k++)
        drawn->points[k] = rbv_vec3(points[k][0], points[k][1], 0);
    if (shape.area == 0)
        rbv_reader_error(reader, list->at, "the polygon has no area");
    return shape;
}

/* Set the drawn shape of kind `name`: points at and to [m], sizes a and b [m], angle [rad]; its list of corner points
 * is already set. */
static void draw(RbvBodyShape *drawn, const char *name, const double at[2], const double to[2], double a, double b,
                 double angle) {
    static const char *const names[] = {"rod", "rectangle", "triangle", "disk", "semicircle", "ring", "polygon"};
    for (int k = 0; k < 7; k++)
        if (strcmp(name, names[k]) == 0)
            drawn->kind = (RbvBodyShapeKind)((int)RBV_SHAPE_ROD + k);
    bool rod = drawn->kind == RBV_SHAPE_ROD;
    drawn->at = rbv_vec3(at[0], at[1], 0);
    drawn->to = rbv_vec3(to[0], to[1], 0);
    drawn->size = rbv_vec3(rod ? 0 : a, rod ? a : b, 0);
    drawn->radius =
        drawn->kind == RBV_SHAPE_DISK || drawn->kind == RBV_SHAPE_SEMICIRCLE || drawn->kind == RBV_SHAPE_RING ? a : 0;
    drawn->angle = angle;
}

static RbvPlaneShape read_geometry(RbvReader *reader, const RbvKey *key, const RbvNode *node, bool *good,
                                   RbvBodyShape *drawn) {
    RbvPlaneShape shape = {0};
    RbvFields fields;
    int32_t errors = rbv_diagnostics_errors(reader->diagnostics);
    if (!rbv_fields_open(&fields, reader, node, node->at, key->children, NULL, key->name)) {
        *good = false;
        return shape;
    }
    double at[2] = {0, 0}, to[2] = {0, 0}, a = 0, b = 0, angle = 0;
    const char *name = key->name;
    if (strcmp(name, "rod") == 0) {
        rbv_fields_quantities(&fields, "from", at);
        rbv_fields_quantities(&fields, "to", to);
        rbv_fields_quantity(&fields, "height", &a);
        rbv_fields_positive(&fields, "height", a);
        shape = rbv_shape_rod(at, to, a);
    } else if (strcmp(name, "polygon") == 0) {
        shape = read_polygon(reader, &fields, drawn);
    } else {
        rbv_fields_quantities(&fields, "at", at);
        if (rbv_fields_key(&fields, "angle"))
            rbv_fields_quantity(&fields, "angle", &angle);
        const char *first = rbv_fields_key(&fields, "radius") ? "radius"
                            : rbv_fields_key(&fields, "base") ? "base"
                                                              : "width";
        rbv_fields_quantity(&fields, first, &a);
        rbv_fields_positive(&fields, first, a);
        const char *second = strcmp(name, "ring") == 0 ? "width" : "height";
        if (rbv_fields_key(&fields, second)) {
            rbv_fields_quantity(&fields, second, &b);
            rbv_fields_positive(&fields, second, b);
        }
        shape = strcmp(name, "rectangle") == 0    ? rbv_shape_rectangle(at, a, b)
                : strcmp(name, "triangle") == 0   ? rbv_shape_triangle(at, a, b, angle)
                : strcmp(name, "disk") == 0       ? rbv_shape_disk(at, a)
                : strcmp(name, "semicircle") == 0 ? rbv_shape_semicircle(at, a, angle)
                                                  : rbv_shape_ring(at, a, b);
    }
    draw(drawn, name, at, to, a, b, angle);
    *good = *good && rbv_diagnostics_errors(reader->diagnostics) == errors;
    return shape;
}

/* One part of a shape list: its geometry and its mass (negative for a void). */
static bool read_part(RbvReader *reader, const RbvKey *keys, const RbvNode *node, RbvComposite *composite) {
    RbvFields fields;
    if (!rbv_fields_open(&fields, reader, node, node->at, keys, NULL, "a part of shape"))
        return false;
    const RbvKey *geometry = rbv_fields_only_map(&fields);
    if (!geometry) {
        rbv_reader_error(
            reader, node->at,
            "a part of shape is one of rod, rectangle, triangle, disk, semicircle, ring, polygon, with a mass or a "
            "density and thickness");
        return false;
    }
    bool good = true, hole = false;
    RbvBodyShape drawn = {.count = 0};
    RbvPlaneShape shape = read_geometry(reader, geometry, rbv_fields_node(&fields, geometry->name), &good, &drawn);
    double mass = NAN, density = NAN, thickness = NAN;
    rbv_fields_quantity(&fields, "mass", &mass);
    rbv_fields_quantity(&fields, "density", &density);
    rbv_fields_quantity(&fields, "thickness", &thickness);
    rbv_fields_bool(&fields, "void", &hole);
    good = rbv_fields_positive(&fields, "mass", mass) && rbv_fields_positive(&fields, "density", density) &&
           rbv_fields_positive(&fields, "thickness", thickness) && good;
    bool by_mass = rbv_fields_node(&fields, "mass") != NULL, by_density = rbv_fields_node(&fields, "density") != NULL;
    if (by_mass == by_density || by_density != (rbv_fields_node(&fields, "thickness") != NULL)) {
        rbv_reader_error(reader, node->at, "a part of shape needs either its mass, or its density and thickness");
        return false;
    }
    if (by_density && good && !(shape.area > 0)) {
        rbv_reader_error(reader, node->at, "a %s by density needs its %s", geometry->name,
                         strcmp(geometry->name, "ring") == 0 ? "width" : "height");
        return false;
    }
    if (by_density)
        mass = density * thickness * shape.area;
    drawn.hole = hole;
    if (good && isfinite(mass)) {
        rbv_composite_add(composite, &shape, hole ? -mass : mass);
        rbv_reader_keep_shape(reader, &drawn);
    }
    return good;
}

bool rbv_read_shape(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
    const RbvNode *list = rbv_fields_node(body, "shape");
    const RbvKey *key = rbv_fields_key(body, "shape");
    if (list->kind != RBV_NODE_LIST || list->count == 0) {
        rbv_reader_error(reader, list->at,
                         "'shape' must be a list of parts: [{rod: {from: [0, 0], to: [1, 0]}, mass: 2 kg}]");
        return false;
    }
    static const char *const instead[] = {"mass", "centroid", "inertia"};
    for (int k = 0; k < 3; k++) {
        const RbvNode *node = rbv_fields_node(body, instead[k]);
        if (node)
            rbv_reader_error(reader, node->at, "%s has a shape, which gives its %s; leave one of them out", body->what,
                             instead[k]);
    }
    if (reader->model->space == RBV_SPATIAL)
        return rbv_read_solids(reader, body, def);
    RbvComposite composite = {0};
    bool good = true;
    for (int32_t k = 0; k < list->count; k++)
        good = read_part(reader, key->children, list->items[k], &composite) && good;
    if (!good)
        return false;
    if (!rbv_composite_finish(&composite, def->centroid, &def->inertia[2]) || !(def->inertia[2] > 0)) {
        rbv_reader_error(reader, list->at,
                         "the voids of %s take away more than there is: mass %g kg, inertia %g kg.m^2", body->what,
                         composite.mass, def->inertia[2]);
        return false;
    }
    def->mass = composite.mass;
    if (def->particle)
        def->inertia[2] = 0;
    return true;
}

/* Rotation of a spatial marker from {axis, x} or {rotate}. */
static RbvQuat read_axes(RbvReader *reader, const RbvFields *fields, const char *what) {
    RbvQuat rotation = rbv_quat_identity();
    double z[3] = {0, 0, 1}, x[3] = {1, 0, 0};
    const RbvNode *axis = rbv_fields_node(fields, "axis"), *across = rbv_fields_node(fields, "x");
    if (rbv_fields_node(fields, "rotate")) {
        if (axis || across)
            rbv_reader_error(reader, fields->node->at, "%s has rotate: and axis: or x:; one of them is enough", what);
        rbv_read_rotation(reader, fields, &rotation);
        return rotation;
    }
    bool no_axis = axis && rbv_fields_quantities(fields, "axis", z) == 0,
         no_x = across && rbv_fields_quantities(fields, "x", x) == 0;
    if (no_axis || no_x)
        return rotation;
    RbvMat3 frame;
    RbvVec3 up = {z[0], z[1], z[2]};
    bool good = rbv_frame_of_axes(up, rbv_vec3(x[0], x[1], x[2]), &frame) ||
                (!across && rbv_frame_of_axes(up, rbv_vec3(0, 1, 0), &frame));
    if (good)
        return rbv_quat_of_mat3(&frame);
    rbv_reader_error(
        reader, (axis ? axis : across)->at,
        rbv_norm(up) > 0 ? "the x of %s has no direction square to its axis" : "the axis of %s has no direction", what);
    return rotation;
}

static void read_marker(RbvReader *reader, const char *body, const RbvKey *keys, const RbvNode *map, int32_t k) {
    const RbvNode *node = map->items[k];
    bool spatial = reader->model->space == RBV_SPATIAL;
    double at[3] = {0, 0, 0}, angle = 0;
    RbvQuat rotation = rbv_quat_identity();
    char what[RBV_NAME_SIZE];
    snprintf(what, sizeof what, "marker '%s.%s'", body, map->keys[k]);
    if (node->kind == RBV_NODE_MAP) {
        RbvFields fields;
        if (rbv_fields_open(&fields, reader, node, map->key_at[k], keys, NULL, what)) {
            rbv_fields_quantities(&fields, "at", at);
            if (spatial)
                rotation = read_axes(reader, &fields, what);
            else
                rbv_fields_quantity(&fields, "angle", &angle);
        }
    } else if (node->kind == RBV_NODE_LIST) {
        int count;
        RbvKey point = keys[0];
        point.name = map->keys[k];
        rbv_read_quantities(reader, node, &point, at, &count);
    } else {
        rbv_reader_error(reader, node->at,
                         spatial ? "%s must be a point [x, y, z] or a map {at, axis}"
                                 : "%s must be a point [x, y] or a map {at, angle}",
                         what);
    }
    RbvPlaces places = {node, map->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    if (spatial)
        rbv_insert_frame(reader->model, body, map->keys[k], at, rotation, &source);
    else
        rbv_insert_marker(reader->model, body, map->keys[k], at, angle, &source);
}

static void read_pose(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
    const RbvNode *node = rbv_fields_node(body, "pose");
    RbvFields fields;
    if (!node ||
        !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(body, "pose")->children, NULL, "pose"))
        return;
    def->posed = true;
    rbv_fields_quantities(&fields, "at", def->at);
    if (reader->model->space == RBV_PLANAR) {
        rbv_fields_quantity(&fields, "angle", &def->angle);
        return;
    }
    RbvQuat rotation = rbv_quat_identity();
    rbv_read_rotation(reader, &fields, &rotation);
    def->rotation[0] = rotation.w, def->rotation[1] = rotation.e.x, def->rotation[2] = rotation.e.y,
    def->rotation[3] = rotation.e.z;
}

/* Read the inertia [kg m^2] about the centroid: Izz in the plane; the diagonal or the full tensor in space. */
static void read_inertia(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
    if (reader->model->space == RBV_PLANAR) {
        rbv_fields_quantity(body, "inertia", &def->inertia[2]);
        return;
    }
    const RbvNode *node = rbv_fields_node(body, "inertia");
    double tensor[6] = {0};
    int count = rbv_fields_quantities(body, "inertia", tensor);
    bool realizable = true;
    rbv_fields_bool(body, "realizable", &realizable);
    def->any_tensor = !realizable;
    if (count == 3 || count == 6)
        memcpy(def->inertia, tensor, sizeof tensor);
    else if (count > 0)
        rbv_reader_error(reader, node->at,
                         "'inertia' is a list of three or six: [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
}

static void read_own(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    const char *name = dict->keys[k];
    bool ground = strcmp(name, "ground") == 0;
    char what[160];
    snprintf(what, sizeof what, "body '%s'", name);
    RbvBodyDef def = rbv_body_def_default();
    def.name = name;
    RbvFields fields = {0};
    bool map = rbv_fields_open(&fields, reader, dict->items[k], dict->key_at[k], key->children, NULL, what);
    reader->shapes.count = 0;
    if (map && ground) {
        for (int32_t n = 0; n < dict->items[k]->count; n++)
            if (strcmp(dict->items[k]->keys[n], "markers") != 0 && rbv_fields_key(&fields, dict->items[k]->keys[n]))
                rbv_reader_error(reader, dict->items[k]->key_at[n],
                                 "ground has no '%s': it does not move; it may be given markers",
                                 dict->items[k]->keys[n]);
    } else if (map) {
        rbv_fields_bool(&fields, "particle", &def.particle);
        if (rbv_fields_node(&fields, "shape")) {
            rbv_read_shape(reader, &fields, &def);
        } else {
            def.mass = rbv_fields_node(&fields, "mass") ? NAN : 0;
            rbv_fields_quantity(&fields, "mass", &def.mass);
            if (isnan(def.mass)) /* error already reported; any mass avoids further messages about this body */
                def.mass = 1;
            rbv_fields_quantities(&fields, "centroid", def.centroid);
            read_inertia(reader, &fields, &def);
        }
        read_pose(reader, &fields, &def);
    }
    RbvPlaces places = {dict->items[k], dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    if (ground || rbv_insert_body(reader->model, &def, &source) != RBV_OK)
        return;
    for (int32_t n = 0; n < reader->shapes.count; n++)
        rbv_model_add_shape(reader->model, rbv_model_find(reader->model, name, RBV_NAMED_BODY), n,
                            &reader->shapes.items[n]);
}

static void read_markers(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    const RbvNode *body = dict->items[k];
    const RbvKey *markers = NULL;
    for (const RbvKey *child = key->children; child->name; child++)
        if (child->kind == RBV_KEY_MARKERS)
            markers = child;
    for (int32_t n = 0; body->kind == RBV_NODE_MAP && n < body->count; n++) {
        if (strcmp(body->keys[n], markers->name) != 0)
            continue;
        const RbvNode *map = body->items[n];
        if (map->kind != RBV_NODE_MAP)
            rbv_reader_error(reader, map->at, "markers must be a map of names to points: {A: [0, 0]}");
        for (int32_t m = 0; map->kind == RBV_NODE_MAP && m < map->count; m++)
            read_marker(reader, dict->keys[k], markers->children, map, m);
    }
}

void rbv_read_body(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    read_own(reader, key, dict, k);
    if (rbv_model_find(reader->model, dict->keys[k], RBV_NAMED_BODY) >= 0)
        read_markers(reader, key, dict, k);
}
