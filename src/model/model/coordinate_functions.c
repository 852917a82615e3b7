/* Measures of coordinates written as functions of points and bodies: distance, x, y, z, angle, dot, wx, wy, wz. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <stdio.h>
#include <string.h>

/* The marker named in an expression, or -1 with the error message of the search; out of memory is remembered. */
static int32_t find_marker(RbvModel *model, const char *reference, char *message, size_t size) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSource source = {.diagnostics = diagnostics, .file = ""};
    int32_t marker = rbv_model_find_marker(model, reference, NULL, &source);
    if (marker < 0 && rbv_diagnostics_count(diagnostics) > 0)
        snprintf(message, size, "%s", rbv_diagnostics_at(diagnostics, 0).message);
    else if (marker < 0)
        model->no_memory = true;
    rbv_diagnostics_destroy(diagnostics);
    return marker;
}

static const RbvBody *body_of(const RbvModel *model, int32_t marker) {
    return &model->bodies.items[model->markers.items[marker].body];
}

static int32_t point(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int axis = name->function[0] - 'x';
    if (axis == 2 && model->space == RBV_PLANAR) {
        snprintf(message, size, "z is a coordinate of space; this model is planar");
        return -1;
    }
    int32_t marker = find_marker(model, name->argument[0], message, size);
    return marker < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_OFFSET, 0, marker, axis);
}

static int32_t distance(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int32_t first = find_marker(model, name->argument[0], message, size);
    int32_t second = first < 0 ? -1 : find_marker(model, name->argument[1], message, size);
    return second < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_DISTANCE, first, second, 0);
}

static int32_t angle(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    const char *body = name->argument[0], *dot = strchr(body, '.');
    if (model->space == RBV_SPATIAL)
        snprintf(message, size,
                 "angle(body) is a coordinate of the plane; in space a joint's angle, rx, ry and rz measure turns");
    else if (dot)
        snprintf(message, size, "angle takes a body, not a marker: angle(%.*s)", (int)(dot - body), body);
    if (*message)
        return -1;
    int32_t marker = find_marker(model, body, message, size);
    if (marker < 0)
        return -1;
    if (!body_of(model, marker)->particle)
        return rbv_model_measure(model, RBV_MEASURE_ANGLE, 0, marker, 2);
    snprintf(message, size, "'%s' is a particle: it has no angle", body);
    return -1;
}

/* wx(body): angular velocity about ground's axes; wx(body.M): about the axes of the marker. */
static int32_t spin(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    const char *body = name->argument[0];
    if (model->space == RBV_PLANAR) {
        snprintf(message, size, "%s(body) is a rate of space; in the plane it is angle(body)'", name->function);
        return -1;
    }
    int32_t marker = find_marker(model, body, message, size);
    if (marker < 0)
        return -1;
    if (!body_of(model, marker)->particle && model->markers.items[marker].body != 0)
        return rbv_model_measure(model, RBV_MEASURE_SPIN, 0, marker,
                                 name->function[1] - 'x' + (strchr(body, '.') ? 3 : 0));
    snprintf(message, size,
             body_of(model, marker)->particle ? "'%s' is a particle: it does not turn" : "'%s' does not turn", body);
    return -1;
}

/* Parse "body.marker.x", or "body.x" for the body's own axes: returns the marker, sets the axis. */
static int32_t find_axis(RbvModel *model, const char *text, int *axis, char *message, size_t size) {
    char marker[RBV_NAME_SIZE];
    const char *last = strrchr(text, '.');
    size_t length = last ? (size_t)(last - text) : 0;
    char letter = last && last[1] && !last[2] ? last[1] : '\0';
    if (length == 0 || length >= sizeof marker || letter < 'x' || letter > 'z') {
        snprintf(message, size, "'%.100s' is no axis; write body.marker.x, .y or .z, or body.x for the body's own",
                 text);
        return -1;
    }
    *axis = letter - 'x';
    if (*axis == 2 && model->space == RBV_PLANAR) {
        snprintf(message, size, "z is an axis of space; in the plane there are x and y");
        return -1;
    }
    memcpy(marker, text, length);
    marker[length] = '\0';
    int32_t found = find_marker(model, marker, message, size);
    if (found < 0 || !body_of(model, found)->particle)
        return found;
    snprintf(message, size, "'%s' is a particle: it has no axes", marker);
    return -1;
}

static int32_t dot(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int axis[2];
    int32_t first = find_axis(model, name->argument[0], &axis[0], message, size);
    int32_t second = first < 0 ? -1 : find_axis(model, name->argument[1], &axis[1], message, size);
    return second < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_DOT, first, second, 3 * axis[0] + axis[1]);
}

int32_t rbv_model_function_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    typedef int32_t (*Find)(RbvModel *, const RbvExprName *, char *, size_t);
    static const struct {
        const char *function, *usage;
        int32_t arguments;
        Find find;
    } list[] = {
        {"distance", "distance takes two points: distance(body.marker, body.marker)", 2, distance},
        {"angle", "angle takes one body: angle(body)", 1, angle},
        {"dot", "dot takes two axes: dot(body.marker.x, body.marker.z)", 2, dot},
        {"x", "x takes one point: x(body.marker)", 1, point},
        {"y", "y takes one point: y(body.marker)", 1, point},
        {"z", "z takes one point: z(body.marker)", 1, point},
        {"wx", "wx takes one body: wx(body)", 1, spin},
        {"wy", "wy takes one body: wy(body)", 1, spin},
        {"wz", "wz takes one body: wz(body)", 1, spin},
    };
    message[0] = '\0';
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        if (strcmp(list[k].function, name->function) != 0)
            continue;
        if (name->argument_count == list[k].arguments)
            return list[k].find(model, name, message, size);
        snprintf(message, size, "%s", list[k].usage);
        return -1;
    }
    snprintf(message, size, "unknown function '%s'", name->function);
    return -1;
}
