/* Bodies, their markers, and their masses from shapes: plane ones, solids, meshes. */
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "model/model/model.h"
#include "model/model/shape.h"
#include "model/read/files.h"
#include "model/read/sections.h"
#include "model/read/stl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `rotate:`: an axis and angle, a quaternion, or Euler angles about the body's own axes. */

static bool is_euler(const char *word) {
    if (strlen(word) != 3)
        return false;
    for (int k = 0; k < 3; k++)
        if (!strchr("xyz", word[k]) || (k > 0 && word[k] == word[k - 1]))
            return false;
    return true;
}

/* [turns] Larger angles are nearly always degrees without a unit. */
#define MOST_TURNS 2
static void note_rotation_turns(RbvReader *reader, RbvPosition at, double angle) {
    const double turn = 6.283185307179586;
    if (isfinite(angle) && fabs(angle) > MOST_TURNS * turn)
        rbv_model_note(reader->model, reader->diagnostics, at,
                       "a rotation by %.6g rad is %.3g turns: is its unit missing (deg)?", angle, angle / turn);
}

static bool from_axis(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    double axis[3] = {0, 0, 0}, angle = 0;
    const RbvNode *node = rbv_fields_node(fields, "axis");
    if (!node || !rbv_fields_node(fields, "angle")) {
        rbv_reader_error(reader, fields->node->at, "a rotation about an axis needs axis: and angle:");
        return false;
    }
    int32_t errors = rbv_diagnostics_errors(reader->diagnostics);
    rbv_fields_quantities(fields, "axis", axis);
    rbv_fields_quantity(fields, "angle", &angle);
    if (rbv_diagnostics_errors(reader->diagnostics) > errors)
        return false;
    RbvVec3 a = {axis[0], axis[1], axis[2]};
    double length = rbv_norm(a);
    if (!(length > 0) || !isfinite(length)) {
        rbv_reader_error(reader, node->at, "the axis of the rotation has no direction");
        return false;
    }
    note_rotation_turns(reader, rbv_fields_node(fields, "angle")->at, angle);
    *out = rbv_quat_of_vector(rbv_scale(angle / length, a));
    return true;
}

static bool from_quaternion(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    double x[4];
    if (rbv_fields_quantities(fields, "quaternion", x) == 0)
        return false;
    RbvQuat p = {x[0], {x[1], x[2], x[3]}};
    double length = rbv_quat_norm(p);
    /* Largest deviation [1] of a quaternion's norm from 1: rounding of the digits written in the file. */
    if (!(fabs(length - 1) <= RBV_FITS)) {
        rbv_reader_error(reader, rbv_fields_node(fields, "quaternion")->at,
                         "the quaternion has the length %.9g; a rotation has length 1", length);
        return false;
    }
    *out = rbv_quat_normalised(p);
    return true;
}

static bool from_euler(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    const char *word = NULL;
    double angle[3];
    rbv_fields_text(fields, "euler", &word);
    if (word && !is_euler(word)) {
        rbv_reader_error(reader, rbv_fields_node(fields, "euler")->at,
                         "'%s' is no order of Euler angles; it is three of x, y and z without equal neighbours, "
                         "such as zyx or zxz",
                         word);
        return false;
    }
    if (!rbv_fields_node(fields, "angles")) {
        rbv_reader_error(reader, fields->node->at, "Euler angles need angles: [first, second, third]");
        return false;
    }
    if (!word || rbv_fields_quantities(fields, "angles", angle) == 0)
        return false;
    *out = rbv_quat_identity();
    for (int k = 0; k < 3; k++)
        note_rotation_turns(reader, rbv_fields_node(fields, "angles")->at, angle[k]);
    for (int k = 0; k < 3; k++) { /* each rotation is about an axis of the body as rotated so far */
        double turn[3] = {0, 0, 0};
        turn[word[k] - 'x'] = angle[k];
        *out = rbv_quat_product(*out, rbv_quat_of_vector(rbv_vec3(turn[0], turn[1], turn[2])));
    }
    return true;
}

/* Read `rotate`, if present. False: wrong (reported). */
static bool read_rotation(RbvReader *reader, const RbvFields *parent, RbvQuat *rotation) {
    const RbvNode *node = rbv_fields_key(parent, "rotate") ? rbv_fields_node(parent, "rotate") : NULL;
    RbvFields fields;
    if (!node)
        return true;
    if (!rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(parent, "rotate")->children, NULL, "rotate"))
        return false;
    bool axis = rbv_fields_node(&fields, "axis") || rbv_fields_node(&fields, "angle"),
         quaternion = rbv_fields_node(&fields, "quaternion") != NULL;
    bool euler = rbv_fields_node(&fields, "euler") || rbv_fields_node(&fields, "angles");
    if (axis + quaternion + euler != 1) {
        rbv_reader_error(reader, node->at,
                         "rotate is one of {axis, angle}, {quaternion: [w, x, y, z]} and {euler: zyx, angles: [...]}");
        return false;
    }
    return axis         ? from_axis(reader, &fields, rotation)
           : quaternion ? from_quaternion(reader, &fields, rotation)
                        : from_euler(reader, &fields, rotation);
}

/* Spatial `shape:` parts: solids by mass or density, and meshes from STL files. */

static RbvVec3 point(const double x[3]) {
    return rbv_vec3(x[0], x[1], x[2]);
}

/* Reverse the orientation of all triangles of a mesh with negative volume, so that they face outwards. */
static void turn_outwards(RbvBodyShape *drawn) {
    for (int32_t k = 0; k + 2 < drawn->count; k += 3) {
        RbvVec3 corner = drawn->points[k];
        drawn->points[k] = drawn->points[k + 1];
        drawn->points[k + 1] = corner;
    }
}

static bool read_mesh(RbvReader *reader, const RbvFields *fields, RbvSolid *solid, RbvBodyShape *drawn) {
    const char *file = NULL;
    double scale = reader->unit[RBV_DIM_LENGTH];
    rbv_fields_text(fields, "file", &file);
    rbv_fields_quantity(fields, "scale", &scale);
    if (!file || !rbv_fields_positive(fields, "scale", scale))
        return false;
    RbvPosition at = rbv_fields_node(fields, "file")->at;
    const char *path;
    char *text, why[300] = "";
    size_t length;
    if (!rbv_read_named_file(reader, file, at, RBV_TREE_MAX_BYTES, &path, &text, &length))
        return false;
    RbvStl stl;
    bool good = rbv_stl_parse(text, length, &reader->arena, &stl, why, sizeof why) &&
                rbv_stl_is_closed(&stl, &reader->arena, why, sizeof why);
    free(text);
    if (!good) {
        reader->no_memory = reader->no_memory || !why[0];
        rbv_reader_error(reader, at, "%s: %s", path, why[0] ? why : "no memory");
        return false;
    }
    for (int32_t k = 0; k < 3 * stl.count; k++)
        stl.corner[k] = rbv_scale(scale, stl.corner[k]);
    *solid = rbv_solid_mesh(stl.count, stl.corner);
    drawn->kind = RBV_SHAPE_MESH;
    drawn->points = stl.corner;
    drawn->count = 3 * stl.count;
    if (solid->volume < 0) {
        solid->volume = -solid->volume;
        turn_outwards(drawn);
        rbv_model_note(reader->model, reader->diagnostics, at,
                       "the triangles of %s face inwards; the solid inside is taken", path);
    }
    if (solid->volume > 0)
        return true;
    rbv_reader_error(reader, at, "%s: the surface holds no volume", path);
    return false;
}

static RbvBodyShapeKind kind_of(const char *name) {
    return strcmp(name, "box") == 0        ? RBV_SHAPE_BOX
           : strcmp(name, "cylinder") == 0 ? RBV_SHAPE_CYLINDER
           : strcmp(name, "cone") == 0     ? RBV_SHAPE_CONE
           : strcmp(name, "sphere") == 0   ? RBV_SHAPE_SPHERE
                                           : RBV_SHAPE_ROD;
}

static bool read_solid(RbvReader *reader, const RbvKey *key, const RbvNode *node, RbvSolid *solid,
                       RbvBodyShape *drawn) {
    RbvFields fields;
    int32_t errors = rbv_diagnostics_errors(reader->diagnostics);
    if (!rbv_fields_open(&fields, reader, node, node->at, key->children, NULL, key->name) || fields.incomplete)
        return false;
    const char *name = key->name;
    double at[3] = {0, 0, 0}, to[3] = {0, 0, 0}, size[3] = {1, 1, 1}, radius = 1;
    if (strcmp(name, "mesh") == 0)
        return read_mesh(reader, &fields, solid, drawn);
    if (strcmp(name, "box") == 0) {
        RbvQuat rotation = rbv_quat_identity();
        rbv_fields_quantities(&fields, "at", at);
        rbv_fields_quantities(&fields, "size", size);
        read_rotation(reader, &fields, &rotation);
        if (rbv_diagnostics_errors(reader->diagnostics) == errors && !(fmin(size[0], fmin(size[1], size[2])) > 0))
            rbv_reader_error(reader, rbv_fields_node(&fields, "size")->at, "'size' must be three positive lengths");
        *solid = rbv_solid_box(point(at), point(size), rotation);
        drawn->rotation = rotation;
    } else if (strcmp(name, "sphere") == 0) {
        rbv_fields_quantities(&fields, "at", at);
        rbv_fields_quantity(&fields, "radius", &radius);
        rbv_fields_positive(&fields, "radius", radius);
        *solid = rbv_solid_sphere(point(at), radius);
    } else {
        rbv_fields_quantities(&fields, "from", at);
        rbv_fields_quantities(&fields, "to", to);
        rbv_fields_quantity(&fields, "radius", &radius);
        rbv_fields_positive(&fields, "radius", radius);
        if (rbv_diagnostics_errors(reader->diagnostics) == errors && !(rbv_norm(rbv_sub(point(to), point(at))) > 0))
            rbv_reader_error(reader, rbv_fields_node(&fields, "to")->at, "the ends of the %s coincide", name);
        *solid = strcmp(name, "rod") == 0    ? rbv_solid_rod(point(at), point(to))
                 : strcmp(name, "cone") == 0 ? rbv_solid_cone(point(at), point(to), radius)
                                             : rbv_solid_cylinder(point(at), point(to), radius);
    }
    drawn->kind = kind_of(name);
    drawn->at = point(at);
    drawn->to = point(to);
    if (drawn->kind == RBV_SHAPE_BOX)
        drawn->size = point(size);
    else if (drawn->kind != RBV_SHAPE_ROD)
        drawn->radius = radius;
    return rbv_diagnostics_errors(reader->diagnostics) == errors;
}

/* Read one part of a shape: its solid and its mass [kg] (negative for a void). */
static bool read_solid_part(RbvReader *reader, const RbvKey *keys, const RbvNode *node, RbvMassSum *sum) {
    RbvFields fields;
    if (!rbv_fields_open(&fields, reader, node, node->at, keys, NULL, "a part of shape"))
        return false;
    const RbvKey *geometry = rbv_fields_only_map(&fields);
    if (!geometry) {
        rbv_reader_error(reader, node->at,
                         "a part of shape is one of box, cylinder, cone, sphere, rod, mesh, with a mass or a density");
        return false;
    }
    RbvSolid solid = {.volume = 0};
    RbvBodyShape drawn = {.rotation = {1, {0, 0, 0}}};
    double mass = NAN, density = NAN;
    bool hole = false, good = read_solid(reader, geometry, rbv_fields_node(&fields, geometry->name), &solid, &drawn);
    rbv_fields_quantity(&fields, "mass", &mass);
    rbv_fields_quantity(&fields, "density", &density);
    rbv_fields_bool(&fields, "void", &hole);
    good = rbv_fields_positive(&fields, "mass", mass) && rbv_fields_positive(&fields, "density", density) && good;
    bool by_mass = rbv_fields_node(&fields, "mass") != NULL, by_density = rbv_fields_node(&fields, "density") != NULL;
    if (by_mass == by_density) {
        rbv_reader_error(reader, node->at, "a part of shape needs either its mass or its density");
        return false;
    }
    if (by_density && strcmp(geometry->name, "rod") == 0) {
        rbv_reader_error(reader, node->at,
                         "a rod is thin: it has no volume for a density; give its mass, or a cylinder");
        return false;
    }
    if (by_density)
        mass = density * solid.volume;
    drawn.hole = hole;
    if (good && isfinite(mass)) {
        rbv_mass_add(sum, &solid, hole ? -mass : mass);
        rbv_reader_keep_shape(reader, &drawn);
    }
    return good && isfinite(mass);
}

/* Read mass, centroid and inertia from `shape:` of a spatial body. False: wrong (reported). */
static bool read_solids(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
    const RbvNode *list = rbv_fields_node(body, "shape");
    const RbvKey *key = rbv_fields_key(body, "shape");
    RbvMassSum sum = {.mass = 0};
    bool good = true;
    for (int32_t k = 0; k < list->count; k++)
        good = read_solid_part(reader, key->children, list->items[k], &sum) && good;
    if (!good)
        return false;
    if (!rbv_mass_finish(&sum, def->centroid, def->inertia)) {
        rbv_reader_error(reader, list->at, "the voids of %s take away more than there is: mass %g kg", body->what,
                         sum.mass);
        return false;
    }
    def->mass = sum.mass;
    if (def->particle)
        memset(def->inertia, 0, sizeof def->inertia);
    return true;
}

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
    drawn->size = rod ? rbv_vec3(0, a, 0) : rbv_vec3(a, b, 0);
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
static bool read_plane_shape(RbvReader *reader, const RbvKey *keys, const RbvNode *node, RbvComposite *composite) {
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

/* Read mass, centroid and inertia from `shape:` of a planar body. False: wrong (reported). */
static bool read_shape(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
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
        return read_solids(reader, body, def);
    RbvComposite composite = {0};
    bool good = true;
    for (int32_t k = 0; k < list->count; k++)
        good = read_plane_shape(reader, key->children, list->items[k], &composite) && good;
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
        read_rotation(reader, fields, &rotation);
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
    read_rotation(reader, &fields, &rotation);
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
    RbvBodyDef def = rbv_body_def_default;
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
            read_shape(reader, &fields, &def);
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
