/* Checks and enters parameters, tables, bodies and markers. */
#include "model/model/model.h"

#include "core/base/tolerances.h"
#include "core/linalg/small.h"
#include "model/model/refill.h"

#include <string.h>

const RbvTableDef rbv_table_def_default = {0};

const RbvBodyDef rbv_body_def_default = {.rotation = {1, 0, 0, 0}};

/* Parameters and tables share a name space of their own; t, l, x, y, z, pi and functions are words of the language. */
const char *rbv_model_enter_word(RbvModel *model, const char *name, const RbvSource *source) {
    if (!rbv_model_is_name(name, source))
        return NULL;
    static const char *const words[] = {"t", "pi", "l", "x", "y", "z", "ground", "and", "or", "not", "here"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strcmp(name, words[k]) == 0) {
            rbv_source_error(source, NULL, "'%s' has a meaning in expressions; a parameter or table needs another name",
                             name);
            return NULL;
        }
    if (rbv_expr_is_function(name) || strcmp(name, "distance") == 0 || strcmp(name, "angle") == 0) {
        rbv_source_error(source, NULL, "'%s' is a function of the language; a parameter or table needs another name",
                         name);
        return NULL;
    }
    if (rbv_name_table_find(&model->constants, name) >= 0 || rbv_name_table_find(&model->function_names, name) >= 0) {
        rbv_source_error(source, NULL, "the name '%s' is taken by another parameter or table", name);
        return NULL;
    }
    if (rbv_name_table_find(&model->coordinate_names, name) >= 0) {
        rbv_source_error(source, NULL, "the name '%s' is taken by a coordinate", name);
        return NULL;
    }
    const char *copy = rbv_arena_copy(&model->arena, name, strlen(name));
    model->no_memory = model->no_memory || !copy;
    return copy;
}

static const char *enter_constant(RbvModel *model, const char *name, int32_t value, const RbvSource *source) {
    const char *copy = rbv_model_enter_word(model, name, source);
    if (!copy || rbv_name_table_add(&model->constants, copy, value))
        return copy;
    model->no_memory = true;
    return NULL;
}

RbvStatus rbv_insert_parameter(RbvModel *model, const char *name, double value, RbvExprDimension dimension,
                               const RbvSource *source) {
    bool reserved = rbv_model_reserve_item(
        model, &model->parameters,
        sizeof(RbvParameter)); /* reserved before the name is entered, which refers to the item */
    const char *copy = reserved ? enter_constant(model, name, 2 * model->parameters.count, source) : NULL;
    if (!copy)
        return rbv_model_wrong(model);
    int32_t k = rbv_model_grow(model, &model->parameters, sizeof(RbvParameter));
    model->parameters.items[k] = (RbvParameter){.name = copy,
                                                .unit = rbv_model_declared_unit_of(model, dimension),
                                                .value = value,
                                                .dimension = dimension,
                                                .where = rbv_source_position(source, NULL, 0)};
    if (isfinite(value))
        return RBV_OK;
    rbv_source_error(source, NULL, "parameter '%s' is not a finite number", name);
    return rbv_model_wrong(model);
}

/* Smooth and interpolate the table's data; false after an error (reported) or out of memory (remembered). */
static bool fill_table(RbvModel *model, const RbvTableDef *def, RbvTable *item, double *y, const RbvSource *source) {
    if (def->count < 2) {
        rbv_source_error(source, "file", "table '%s' has %d rows; a function needs at least two", item->name,
                         (int)def->count);
        return false;
    }
    memcpy(y, def->y, (size_t)def->count * sizeof *y);
    if (def->smooth != 0) {
        RbvStatus smoothed = rbv_smooth_zero_phase(def->count, def->x, y, def->periodic, def->smooth);
        if (smoothed == RBV_NO_MEMORY)
            return rbv_model_no_memory(model) == RBV_OK;
        if (smoothed != RBV_OK) {
            double rate = (def->count - 1) / (def->x[def->count - 1] - def->x[0]);
            rbv_source_error(
                source, "smooth",
                "table '%s' cannot be smoothed with cut-off %g: it must lie between 0 and half the sampling "
                "rate, %g, and the table needs 8 rows",
                item->name, def->smooth, rate / 2);
            return false;
        }
        rbv_source_note(
            model, source, "smooth",
            "table '%s' was smoothed: zero-phase low-pass, 3 dB down at %.9g cycles per unit of its x (Hz for time)",
            item->name, def->smooth);
    }
    RbvStatus status = RBV_OK;
    item->spline = rbv_spline_create(item->name, def->count, def->x, y, def->periodic,
                                     def->hold ? RBV_OUTSIDE_HOLD : RBV_OUTSIDE_ERROR, &status);
    if (item->spline)
        return true;
    if (status == RBV_NO_MEMORY)
        return rbv_model_no_memory(model) == RBV_OK;
    rbv_source_error(source, "file", "table '%s' is no function: its x must rise from row to row%s", item->name,
                     def->periodic ? ", and a periodic table ends on the value it starts with" : "");
    return false;
}

RbvStatus rbv_insert_table(RbvModel *model, const RbvTableDef *def, RbvExprDimension x, RbvExprDimension y,
                           const RbvSource *source) {
    bool reserved = rbv_model_reserve_item(model, &model->tables, sizeof(RbvTable));
    const char *copy = reserved ? enter_constant(model, def->name, 2 * model->tables.count + 1, source) : NULL;
    if (!copy)
        return rbv_model_wrong(model);
    RbvTable *item = &model->tables.items[rbv_model_grow(model, &model->tables, sizeof(RbvTable))];
    double *values = rbv_arena_alloc(&model->arena, ((size_t)def->count + 1) * sizeof *values);
    if (!values)
        return rbv_model_no_memory(model);
    *item = (RbvTable){.name = copy, .x = x, .y = y, .where = rbv_source_position(source, NULL, 0)};
    bool good = fill_table(model, def, item, values, source);
    if (!good && !item->spline) { /* the name stays a table, so that its uses cause no further errors */
        static const double line[2] = {0, 1};
        RbvStatus ignored;
        item->spline = rbv_spline_create(copy, 2, line, line, false, RBV_OUTSIDE_HOLD, &ignored);
    }
    if (model->no_memory)
        return RBV_NO_MEMORY;
    return good ? RBV_OK : rbv_model_wrong(model);
}

static bool finite_all(const double *values, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

/* Check the inertia tensor: positive principal moments, each at most the sum of the others, as for every distribution
 * of positive mass. Published tensors that were measured, or include parts of the drive, may violate this and still
 * be right for their use: they are accepted on request. */
static bool check_tensor(RbvModel *model, const RbvBodyDef *def, const char *name, const RbvSource *source) {
    double J[3];
    rbv_small_eigenvalues(def->inertia, J);
    double trace = J[0] + J[1] + J[2];
    /* Largest violation of the triangle inequalities of moments of inertia, relative to the trace: rounding of the
     * user's digits. */
    for (int k = 0; k < 3; k++)
        J[k] = fabs(J[k]) < RBV_FITS * fabs(trace) ? 0 : J[k];
    bool negative = J[0] < -RBV_FITS * fabs(trace) || trace < 0, finite = finite_all(def->inertia, 6);
    if (finite && !negative && J[2] <= J[0] + J[1] + RBV_FITS * trace)
        return true;
    if (finite && def->any_tensor) {
        rbv_source_note(model, source, "inertia",
                        "no real body has the inertia of '%s': its principal moments are %g, %g, %g kg.m^2; it is "
                        "taken as given (realizable: false)",
                        name, J[0], J[1], J[2]);
        return true;
    }
    if (negative || !finite)
        rbv_source_error(source, "inertia",
                         "the inertia of '%s' has the principal moments %g, %g, %g kg.m^2; they are positive (or 0)",
                         name, J[0], J[1], J[2]);
    else
        rbv_source_error(
            source, "inertia",
            "no real body has the inertia of '%s': its principal moments are %g, %g, %g kg.m^2, and none can exceed "
            "the sum of the others; realizable: false accepts it all the same",
            name, J[0], J[1], J[2]);
    return false;
}

static bool has_inertia(const RbvBodyDef *def) {
    for (int k = 0; k < 6; k++)
        if (def->inertia[k] != 0)
            return true;
    return false;
}

/* Number of turns above which an angle is probably in degrees without the unit; a note is reported. */
#define MOST_TURNS 2
static void note_turns(RbvModel *model, double angle, const char *path, const char *what, const char *name,
                       const RbvSource *source) {
    const double turn = 6.283185307179586;
    if (isfinite(angle) && fabs(angle) > MOST_TURNS * turn)
        rbv_source_note(model, source, path,
                        "%s '%s' has an angle of %.6g rad, that is %.3g turns: is its unit missing (deg)?", what, name,
                        angle, angle / turn);
}

/* Check mass and inertia of a body; errors name the body. */
static bool check_mass(RbvModel *model, const RbvBodyDef *def, const char *copy, const RbvSource *source) {
    bool good = true, spatial = model->space == RBV_SPATIAL;
    if (!(def->mass >= 0) || !isfinite(def->mass)) {
        rbv_source_error(source, "mass", "the mass of '%s' is %g kg; a mass is positive (or 0 for a massless body)",
                         copy, def->mass);
        good = false;
    }
    if (spatial && has_inertia(def) && !check_tensor(model, def, copy, source)) {
        good = false;
    } else if (!spatial && (!(def->inertia[2] >= 0) || !isfinite(def->inertia[2]))) {
        rbv_source_error(source, "inertia", "the inertia of '%s' is %g kg.m^2; an inertia is positive (or 0)", copy,
                         def->inertia[2]);
        good = false;
    } else if (def->particle && has_inertia(def)) {
        rbv_source_error(source, "inertia",
                         "'%s' is a particle: it has no inertia; leave it out, or leave out particle:", copy);
        good = false;
    } else if (def->mass == 0 && has_inertia(def) && def->any_tensor) {
        rbv_source_note(
            model, source, "inertia",
            "'%s' has an inertia but no mass, as no real body has; it is taken as given (realizable: false)", copy);
    } else if (def->mass == 0 && has_inertia(def)) {
        rbv_source_error(
            source, "inertia",
            spatial
                ? "'%s' has an inertia but no mass; a real body has both, and realizable: false accepts it all the same"
                : "'%s' has an inertia but no mass; a real body has both",
            copy);
        good = false;
    }
    return good;
}

/* Check starting pose and centroid of a body; errors name the body. */
static bool check_pose(const RbvModel *model, const RbvBodyDef *def, const char *copy, const RbvSource *source) {
    bool good = true;
    if (!finite_all(def->centroid, 3) || !finite_all(def->at, 3) || !isfinite(def->angle)) {
        rbv_source_error(source, "pose", "the pose and centroid of '%s' must be finite numbers", copy);
        good = false;
    }
    if (def->particle && (def->centroid[0] != 0 || def->centroid[1] != 0 || def->centroid[2] != 0)) {
        rbv_source_error(source, "centroid", "'%s' is a particle: its centroid is its origin", copy);
        good = false;
    }
    if (def->particle && model->space == RBV_SPATIAL &&
        (def->rotation[1] != 0 || def->rotation[2] != 0 || def->rotation[3] != 0)) {
        rbv_source_error(source, "pose", "'%s' is a particle: it has no rotation", copy);
        good = false;
    }
    return good;
}

RbvStatus rbv_insert_body(RbvModel *model, const RbvBodyDef *def, const RbvSource *source) {
    int32_t k;
    const char *copy =
        rbv_model_enter_name(model, def->name, RBV_NAMED_BODY, &model->bodies, sizeof(RbvBody), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    RbvBody *body = &model->bodies.items[k];
    body->name = copy;
    body->where = rbv_source_position(source, NULL, 0);
    body->particle = def->particle;
    body->mass = def->mass;
    body->centroid = rbv_vec3(def->centroid[0], def->centroid[1], def->centroid[2]);
    memcpy(body->inertia, def->inertia, sizeof body->inertia);
    body->at = rbv_vec3(def->at[0], def->at[1], def->at[2]);
    body->angle = def->angle;
    body->posed =
        def->posed || def->at[0] != 0 || def->at[1] != 0 || def->at[2] != 0 || def->angle != 0 || def->rotation[0] != 1;
    note_turns(model, def->angle, "pose/angle", "the starting pose of", copy, source);
    bool good = true, spatial = model->space == RBV_SPATIAL;
    RbvQuat rotation = {def->rotation[0], {def->rotation[1], def->rotation[2], def->rotation[3]}};
    if (!spatial) {
        rotation = rbv_quat_identity();
        /* Largest deviation of a given quaternion's length from 1: rounding of the user's digits. */
    } else if (!(fabs(rbv_quat_norm(rotation) - 1) <= RBV_FITS)) {
        rbv_source_error(source, "pose", "the quaternion of '%s' has the length %g; a rotation has length 1", copy,
                         rbv_quat_norm(rotation));
        rotation = rbv_quat_identity();
        good = false;
    }
    body->rotation = rbv_quat_normalised(rotation);
    good = check_mass(model, def, copy, source) && good;
    good = check_pose(model, def, copy, source) && good;
    return good ? RBV_OK : rbv_model_wrong(model);
}

/* Enter the marker "body.name" at a point, with an angle or a rotation. */
static RbvStatus insert_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                               const RbvQuat *rotation, const RbvSource *source) {
    int32_t index = rbv_model_find_body(model, body, NULL, source);
    if (index < 0)
        return rbv_model_wrong(model);
    if (!rbv_model_is_name(name, source))
        return rbv_model_wrong(model);
    size_t length = strlen(body) + strlen(name) + 1;
    char *full = rbv_arena_alloc(&model->arena, length + 1);
    if (!full)
        return rbv_model_no_memory(model);
    memcpy(full, body, strlen(body));
    full[strlen(body)] = '.';
    memcpy(full + strlen(body) + 1, name, strlen(name));
    int32_t known = rbv_name_table_find(&model->marker_names, full);
    if (model->refill) {
        model->refill->marker = known;
    } else if (known >= 0) {
        rbv_source_error(source, NULL, "body '%s' has a marker '%s' already", body, name);
        return rbv_model_wrong(model);
    }
    note_turns(model, angle, NULL, "marker", full, source);
    bool finite = finite_all(at, 3) && isfinite(angle);
    RbvVec3 place = finite ? rbv_vec3(at[0], at[1], at[2]) : rbv_vec3(0, 0, 0);
    int32_t marker = rotation ? rbv_model_add_raw_frame(model, full, index, place, *rotation)
                              : rbv_model_add_raw_marker(model, full, index, place, finite ? angle : 0);
    if (marker < 0 || (!model->refill && !rbv_name_table_add(&model->marker_names, full, marker)))
        return rbv_model_no_memory(model);
    if (model->bodies.items[index].particle &&
        (rbv_norm(place) > 0 || rbv_norm(rbv_marker_axes(&model->markers.items[marker])->p.e) > 0)) {
        rbv_source_error(source, NULL, "'%s' is a particle: its markers lie at its origin, without an angle", body);
        return rbv_model_wrong(model);
    }
    if (!finite) {
        rbv_source_error(source, NULL, "marker '%s' must have finite coordinates", full);
        return rbv_model_wrong(model);
    }
    return RBV_OK;
}

RbvStatus rbv_insert_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                            const RbvSource *source) {
    return insert_marker(model, body, name, at, angle, NULL, source);
}

RbvStatus rbv_insert_frame(RbvModel *model, const char *body, const char *name, const double *at, RbvQuat rotation,
                           const RbvSource *source) {
    if (fabs(rbv_quat_norm(rotation) - 1) <= RBV_FITS)
        return insert_marker(model, body, name, at, 0, &rotation, source);
    rbv_source_error(source, NULL, "the quaternion of marker '%s.%s' has the length %g; a rotation has length 1", body,
                     name, rbv_quat_norm(rotation));
    return rbv_model_wrong(model);
}

/* Parse the unit of a quantity or column; NULL or "": a bare number. False (reported): not a unit. */
static bool parse_unit(RbvModel *model, const char *text, double *factor, RbvExprDimension *dimension,
                       const RbvSource *source) {
    RbvUnit unit = {.factor = 1};
    size_t length = text ? strlen(text) : 0;
    *dimension = (RbvExprDimension){.bond = RBV_EXPR_BARE};
    if (length > 0 && !rbv_unit_parse(text, length, &unit, NULL)) {
        const char *near = rbv_unit_nearest(text, length);
        rbv_source_error(source, NULL, near ? "'%s' is no unit; did you mean '%s'?" : "'%s' is no unit", text, near);
        model->broken = true;
        return false;
    }
    if (length > 0)
        *dimension = (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
    *factor = unit.factor;
    return true;
}

RbvStatus rbv_model_add_parameter(RbvModel *model, const char *name, double value, const char *unit,
                                  RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    RbvExprDimension dimension;
    double factor;
    if (!model || !name)
        return RBV_BAD_ARGUMENT;
    if (!parse_unit(model, unit, &factor, &dimension, &source))
        return RBV_BAD_INPUT;
    RbvStatus status = rbv_insert_parameter(model, name, value * factor, dimension, &source);
    return rbv_model_keep_addition(
        model, status, &(RbvAddition){.kind = RBV_ADDED_PARAMETER, .text = {name}, .number = value * factor});
}

/* A column converted to SI, in the model's arena. */
static const double *in_si(RbvModel *model, const double *values, int32_t count, double factor) {
    double *out = count > 0 ? rbv_arena_alloc(&model->arena, (size_t)count * sizeof *out) : NULL;
    model->no_memory = model->no_memory || (count > 0 && !out);
    for (int32_t k = 0; out && k < count; k++)
        out[k] = values[k] * factor;
    return out;
}

RbvStatus rbv_model_add_table(RbvModel *model, const RbvTableDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    RbvExprDimension x, y;
    double x_factor, y_factor;
    if (!model || !def || !def->x || !def->y)
        return RBV_BAD_ARGUMENT;
    if (!parse_unit(model, def->x_unit, &x_factor, &x, &source) ||
        !parse_unit(model, def->y_unit, &y_factor, &y, &source))
        return RBV_BAD_INPUT;
    RbvTableDef si = *def;
    si.smooth = def->smooth / x_factor;
    si.x = in_si(model, def->x, def->count, x_factor);
    si.y = in_si(model, def->y, def->count, y_factor);
    return model->no_memory ? RBV_NO_MEMORY : rbv_insert_table(model, &si, x, y, &source);
}

RbvStatus rbv_model_add_body(RbvModel *model, const RbvBodyDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && def ? rbv_insert_body(model, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                               RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && body && name && at ? rbv_insert_marker(model, body, name, at, angle, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_frame(RbvModel *model, const char *body, const char *name, const double *at,
                              const double *rotation, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !body || !name || !at || !rotation || model->space != RBV_SPATIAL)
        return RBV_BAD_ARGUMENT;
    return rbv_insert_frame(model, body, name, at, (RbvQuat){rotation[0], {rotation[1], rotation[2], rotation[3]}},
                            &source);
}

/* The shapes of bodies, as read from the model file, for pictures. */

/* Index of the shape in the first reading, or -1. */
static int32_t place_again(RbvModel *model, int32_t body, int32_t index) {
    for (int32_t k = 0; k < model->shapes.count; k++)
        if (model->shapes.items[k].body == body && index-- == 0)
            return rbv_refill_take(model, &model->shapes, sizeof(RbvBodyShape), k) ? k : -1;
    model->refill->differs = true;
    return -1;
}

bool rbv_model_add_shape(RbvModel *model, int32_t body, int32_t index, const RbvBodyShape *shape) {
    if (!model->scene || body < 0)
        return true;
    int32_t k =
        model->refill ? place_again(model, body, index) : rbv_model_grow(model, &model->shapes, sizeof(RbvBodyShape));
    RbvVec3 *points = rbv_arena_array(&model->arena, (size_t)shape->count + 1, sizeof *points);
    model->no_memory = model->no_memory || !points;
    if (k < 0 || !points)
        return false;
    if (shape->count > 0)
        memcpy(points, shape->points, (size_t)shape->count * sizeof *points);
    model->shapes.items[k] = *shape;
    model->shapes.items[k].body = body;
    model->shapes.items[k].points = points;
    return true;
}
