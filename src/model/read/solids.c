/* Spatial `shape:` parts: solids by mass or density, and meshes from STL files. */
#include "core/base/diagnostics.h"
#include "model/model/shape.h"
#include "model/read/files.h"
#include "model/read/sections.h"
#include "model/read/stl.h"

#include <stdlib.h>
#include <string.h>

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
        rbv_read_rotation(reader, &fields, &rotation);
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
static bool read_part(RbvReader *reader, const RbvKey *keys, const RbvNode *node, RbvMassSum *sum) {
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

bool rbv_read_solids(RbvReader *reader, const RbvFields *body, RbvBodyDef *def) {
    const RbvNode *list = rbv_fields_node(body, "shape");
    const RbvKey *key = rbv_fields_key(body, "shape");
    RbvMassSum sum = {.mass = 0};
    bool good = true;
    for (int32_t k = 0; k < list->count; k++)
        good = read_part(reader, key->children, list->items[k], &sum) && good;
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
