/* Parameters, tables, bodies and markers: checked and entered. */
#include "model/model.h"

#include <string.h>

RbvTableDef rbv_table_def_default(void) {
    return (RbvTableDef){0};
}

RbvBodyDef rbv_body_def_default(void) {
    return (RbvBodyDef){0};
}

static RbvStatus wrong(RbvModel *model) {
    model->broken = true;
    return RBV_BAD_INPUT;
}

/* Parameters and tables share a name space of their own; t, l, x, y, z, pi and functions are words of the language. */
static const char *enter_constant(RbvModel *model, const char *name, int32_t value, const RbvSource *source) {
    if (!name || !rbv_name_is_valid(name)) {
        rbv_source_error(source, NULL, "'%s' is not a name; a name is letters, digits and '_', starting with a letter",
                         name ? name : "");
        return NULL;
    }
    static const char *const words[] = {"t", "pi", "l", "x", "y", "z", "ground"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (strcmp(name, words[k]) == 0) {
            rbv_source_error(source, NULL, "'%s' has a meaning in expressions; a parameter or table needs another name", name);
            return NULL;
        }
    if (rbv_expr_is_function(name) || strcmp(name, "distance") == 0 || strcmp(name, "angle") == 0) {
        rbv_source_error(source, NULL, "'%s' is a function of the language; a parameter or table needs another name", name);
        return NULL;
    }
    if (rbv_name_table_find(&model->constants, name) >= 0) {
        rbv_source_error(source, NULL, "the name '%s' is taken by another parameter or table", name);
        return NULL;
    }
    const char *copy = rbv_arena_copy(&model->arena, name, strlen(name));
    if (copy && rbv_name_table_add(&model->constants, copy, value))
        return copy;
    model->no_memory = true;
    return NULL;
}

RbvStatus rbv_insert_parameter(RbvModel *model, const char *name, double value, const RbvSource *source) {
    const char *copy = enter_constant(model, name, 2 * model->parameters.count, source);
    if (!copy)
        return wrong(model);
    int32_t k = rbv_model_grow(model, &model->parameters, sizeof(RbvParameter));
    if (k < 0)
        return rbv_model_no_memory(model);
    model->parameters.items[k] = (RbvParameter){copy, value};
    if (isfinite(value))
        return RBV_OK;
    rbv_source_error(source, NULL, "parameter '%s' is not a finite number", name);
    return wrong(model);
}

/* Smooth and interpolate; false after a mistake (said) or without memory (remembered). */
static bool fill_table(RbvModel *model, const RbvTableDef *def, RbvTable *item, double *y, const RbvSource *source) {
    if (def->count < 2) {
        rbv_source_error(source, "file", "table '%s' has %d rows; a function needs at least two", item->name, (int)def->count);
        return false;
    }
    memcpy(y, def->y, (size_t)def->count * sizeof *y);
    if (def->smooth != 0) {
        item->smooth = def->smooth;
        RbvStatus smoothed = rbv_smooth_zero_phase(def->count, def->x, y, def->periodic, def->smooth);
        if (smoothed == RBV_NO_MEMORY)
            return rbv_model_no_memory(model) == RBV_OK;
        if (smoothed != RBV_OK) {
            double rate = (def->count - 1) / (def->x[def->count - 1] - def->x[0]);
            rbv_source_error(source, "smooth", "table '%s' cannot be smoothed with cut-off %g: it must lie between 0 and half the sampling "
                             "rate, %g, and the table needs 8 rows", item->name, def->smooth, rate / 2);
            return false;
        }
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

RbvStatus rbv_insert_table(RbvModel *model, const RbvTableDef *def, const RbvSource *source) {
    const char *copy = enter_constant(model, def->name, 2 * model->tables.count + 1, source);
    if (!copy)
        return wrong(model);
    int32_t k = rbv_model_grow(model, &model->tables, sizeof(RbvTable));
    double *y = rbv_arena_alloc(&model->arena, ((size_t)def->count + 1) * sizeof *y);
    if (k < 0 || !y)
        return rbv_model_no_memory(model);
    RbvTable *item = &model->tables.items[k];
    item->name = copy;
    bool good = fill_table(model, def, item, y, source);
    if (!good && !item->spline) { /* the name stays a function, so that its uses are not mistakes of their own */
        static const double line[2] = {0, 1};
        RbvStatus ignored;
        item->spline = rbv_spline_create(copy, 2, line, line, false, RBV_OUTSIDE_HOLD, &ignored);
    }
    if (model->no_memory)
        return RBV_NO_MEMORY;
    return good ? RBV_OK : wrong(model);
}

static bool finite_all(const double *values, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

RbvStatus rbv_insert_body(RbvModel *model, const RbvBodyDef *def, const RbvSource *source) {
    const char *copy = rbv_model_enter_name(model, def->name, RBV_NAMED_BODY, model->bodies.count, source);
    if (!copy)
        return wrong(model);
    int32_t k = rbv_model_grow(model, &model->bodies, sizeof(RbvBody));
    if (k < 0)
        return rbv_model_no_memory(model);
    RbvBody *body = &model->bodies.items[k];
    body->name = copy;
    body->where = rbv_source_position(source, NULL, 0);
    body->particle = def->particle;
    body->mass = def->mass;
    body->centroid = rbv_vec3(def->centroid[0], def->centroid[1], def->centroid[2]);
    memcpy(body->inertia, def->inertia, sizeof body->inertia);
    body->at = rbv_vec3(def->at[0], def->at[1], def->at[2]);
    body->angle = def->angle;
    bool good = true;
    if (!(def->mass >= 0) || !isfinite(def->mass)) {
        rbv_source_error(source, "mass", "the mass of '%s' is %g kg; a mass is positive (or 0 for a massless body)", copy, def->mass);
        good = false;
    }
    if (!(def->inertia[2] >= 0) || !isfinite(def->inertia[2])) {
        rbv_source_error(source, "inertia", "the inertia of '%s' is %g kg.m^2; an inertia is positive (or 0)", copy,
                         def->inertia[2]);
        good = false;
    } else if (def->particle && def->inertia[2] > 0) {
        rbv_source_error(source, "inertia", "'%s' is a particle: it has no inertia; leave it out, or leave out particle:", copy);
        good = false;
    } else if (def->mass == 0 && def->inertia[2] > 0) {
        rbv_source_error(source, "inertia", "'%s' has an inertia but no mass; a real body has both", copy);
        good = false;
    }
    if (!finite_all(def->centroid, 3) || !finite_all(def->at, 3) || !isfinite(def->angle)) {
        rbv_source_error(source, "pose", "the pose and centroid of '%s' must be finite numbers", copy);
        good = false;
    }
    if (def->particle && (def->centroid[0] != 0 || def->centroid[1] != 0 || def->centroid[2] != 0)) {
        rbv_source_error(source, "centroid", "'%s' is a particle: its centroid is its origin", copy);
        good = false;
    }
    return good ? RBV_OK : wrong(model);
}

RbvStatus rbv_insert_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                            const RbvSource *source) {
    int32_t index = rbv_model_find_body(model, body, NULL, source);
    if (index < 0)
        return wrong(model);
    if (!rbv_name_is_valid(name)) {
        rbv_source_error(source, NULL, "'%s' is not a name; a name is letters, digits and '_', starting with a letter", name);
        return wrong(model);
    }
    size_t length = strlen(body) + strlen(name) + 1;
    char *full = rbv_arena_alloc(&model->arena, length + 1);
    if (!full)
        return rbv_model_no_memory(model);
    memcpy(full, body, strlen(body));
    full[strlen(body)] = '.';
    memcpy(full + strlen(body) + 1, name, strlen(name));
    if (rbv_name_table_find(&model->marker_names, full) >= 0) {
        rbv_source_error(source, NULL, "body '%s' has a marker '%s' already", body, name);
        return wrong(model);
    }
    bool finite = finite_all(at, 3) && isfinite(angle);
    int32_t marker = rbv_model_add_raw_marker(model, full, index, finite ? rbv_vec3(at[0], at[1], at[2]) : rbv_vec3(0, 0, 0),
                                              finite ? angle : 0);
    if (marker < 0 || !rbv_name_table_add(&model->marker_names, full, marker))
        return rbv_model_no_memory(model);
    const RbvVec3 place = model->markers.items[marker].at;
    if (model->bodies.items[index].particle && (rbv_norm(place) > 0 || angle != 0)) {
        rbv_source_error(source, NULL, "'%s' is a particle: its markers lie at its origin, without an angle", body);
        return wrong(model);
    }
    if (!finite) {
        rbv_source_error(source, NULL, "marker '%s' must have finite coordinates", full);
        return wrong(model);
    }
    return RBV_OK;
}

static RbvSource plain_source(RbvDiagnostics *diagnostics) {
    return (RbvSource){.diagnostics = diagnostics, .file = ""};
}

RbvStatus rbv_model_add_parameter(RbvModel *model, const char *name, double value, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name ? rbv_insert_parameter(model, name, value, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_table(RbvModel *model, const RbvTableDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && def && def->x && def->y ? rbv_insert_table(model, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_body(RbvModel *model, const RbvBodyDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && def ? rbv_insert_body(model, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_marker(RbvModel *model, const char *body, const char *name, const double *at, double angle,
                               RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && body && name && at ? rbv_insert_marker(model, body, name, at, angle, &source) : RBV_BAD_ARGUMENT;
}
