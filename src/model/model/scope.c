/* Resolves names in expressions: functions of the program, coordinates written as functions of points and bodies, then
 * time, parameters, coordinates of joints, results. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <stdio.h>
#include <string.h>

/* Functions of the calling program that expressions call by name, and the check that they provide the derivatives
 * that are needed. */

static double not_known(void *context, const double *x, double *gradient, double *hessian) {
    (void)context, (void)x, (void)gradient, (void)hessian;
    return NAN;
}

RbvStatus rbv_model_add_function(RbvModel *model, const RbvFunctionDef *def, RbvDiagnostics *diagnostics) {
    if (!model || !def || !def->name)
        return RBV_BAD_ARGUMENT;
    RbvSource source = rbv_plain_source(diagnostics);
    const char *name = rbv_model_enter_word(model, def->name, &source);
    int32_t k = name ? rbv_model_grow(model, &model->functions, sizeof(RbvExprCallback *)) : -1;
    RbvExprCallback *function = name ? rbv_arena_alloc(&model->arena, sizeof *function) : NULL;
    if (!name)
        return rbv_model_wrong(model);
    if (k < 0 || !function || !rbv_name_table_add(&model->function_names, name, k))
        return rbv_model_no_memory(model);
    model->functions.items[k] = function;
    *function = (RbvExprCallback){name, 1, 0, not_known,
                                  NULL}; /* the name stays a function, so that its uses cause no further errors */
    if (!def->evaluate || def->argument_count < 1 || def->argument_count > RBV_CALLBACK_ARGUMENTS ||
        def->derivatives < 0 || def->derivatives > 2) {
        rbv_source_error(&source, NULL, "function '%s' needs evaluate, 1 to %d arguments, and 0, 1 or 2 derivatives",
                         name, RBV_CALLBACK_ARGUMENTS);
        return rbv_model_wrong(model);
    }
    *function = (RbvExprCallback){name, def->argument_count, def->derivatives, def->evaluate, def->context};
    return RBV_OK;
}

/* The program's function of that name, or NULL. */
static const RbvExprCallback *program_function(const RbvModel *model, const char *name) {
    int32_t k = rbv_name_table_find(&model->function_names, name);
    return k < 0 ? NULL : model->functions.items[k];
}

bool rbv_model_has_derivatives(const RbvExpr *expr, int32_t count, const char *what, const char *name, const char *path,
                               const RbvSource *source) {
    const char *function;
    if (!expr || rbv_expr_derivatives(expr, &function) >= count)
        return true;
    rbv_source_error(source, path, "%s '%s' is differentiated %s, but the function '%s' gives %s", what, name,
                     count == 2 ? "twice" : "once", function,
                     rbv_expr_derivatives(expr, &function) == 0 ? "no derivatives" : "no second derivatives");
    return false;
}

/* Measures of coordinates written as functions of points and bodies: distance, x, y, z, angle, dot, wx, wy, wz. */

/* The marker named in an expression, or -1 with the error message of the search; out of memory is remembered. */
static int32_t find_marker_quietly(RbvModel *model, const char *reference, char *message, size_t size) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSource source = rbv_plain_source(diagnostics);
    int32_t marker = rbv_model_find_marker(model, reference, NULL, &source);
    if (marker < 0 && rbv_diagnostics_count(diagnostics) > 0)
        snprintf(message, size, "%s", rbv_diagnostics_marked(diagnostics, 0).message);
    else if (marker < 0)
        model->no_memory = true;
    rbv_diagnostics_destroy(diagnostics);
    return marker;
}

static const RbvBody *body_of(const RbvModel *model, int32_t marker) {
    return &model->bodies.items[model->markers.items[marker].body];
}

static int32_t point_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int axis = name->function[0] - 'x';
    if (axis == 2 && model->space == RBV_PLANAR) {
        snprintf(message, size, "z is a coordinate of space; this model is planar");
        return -1;
    }
    int32_t marker = find_marker_quietly(model, name->argument[0], message, size);
    return marker < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_OFFSET, 0, marker, axis);
}

static int32_t distance_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int32_t first = find_marker_quietly(model, name->argument[0], message, size);
    int32_t second = first < 0 ? -1 : find_marker_quietly(model, name->argument[1], message, size);
    return second < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_DISTANCE, first, second, 0);
}

static int32_t angle_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    const char *body = name->argument[0], *dot = strchr(body, '.');
    if (model->space == RBV_SPATIAL)
        snprintf(message, size,
                 "angle(body) is a coordinate of the plane; in space a joint's angle, rx, ry and rz measure turns");
    else if (dot)
        snprintf(message, size, "angle takes a body, not a marker: angle(%.*s)", (int)(dot - body), body);
    if (*message)
        return -1;
    int32_t marker = find_marker_quietly(model, body, message, size);
    if (marker < 0)
        return -1;
    if (!body_of(model, marker)->particle)
        return rbv_model_measure(model, RBV_MEASURE_ANGLE, 0, marker, 2);
    snprintf(message, size, "'%s' is a particle: it has no angle", body);
    return -1;
}

/* wx(body): angular velocity about ground's axes; wx(body.M): about the axes of the marker. */
static int32_t spin_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    const char *body = name->argument[0];
    if (model->space == RBV_PLANAR) {
        snprintf(message, size, "%s(body) is a rate of space; in the plane it is angle(body)'", name->function);
        return -1;
    }
    int32_t marker = find_marker_quietly(model, body, message, size);
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
static int32_t find_marker_axis(RbvModel *model, const char *text, int *axis, char *message, size_t size) {
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
    int32_t found = find_marker_quietly(model, marker, message, size);
    if (found < 0 || !body_of(model, found)->particle)
        return found;
    snprintf(message, size, "'%s' is a particle: it has no axes", marker);
    return -1;
}

static int32_t dot_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    int axis[2];
    int32_t first = find_marker_axis(model, name->argument[0], &axis[0], message, size);
    int32_t second = first < 0 ? -1 : find_marker_axis(model, name->argument[1], &axis[1], message, size);
    return second < 0 ? -1 : rbv_model_measure(model, RBV_MEASURE_DOT, first, second, 3 * axis[0] + axis[1]);
}

/* The measure of a coordinate written as a function. -1: wrong, with `message`; or out of
 * memory, `message` empty. */
static int32_t function_measure(RbvModel *model, const RbvExprName *name, char *message, size_t size) {
    typedef int32_t (*Find)(RbvModel *, const RbvExprName *, char *, size_t);
    static const struct {
        const char *function, *usage;
        int32_t arguments;
        Find find;
    } list[] = {
        {"distance", "distance takes two points: distance(body.marker, body.marker)", 2, distance_measure},
        {"angle", "angle takes one body: angle(body)", 1, angle_measure},
        {"dot", "dot takes two axes: dot(body.marker.x, body.marker.z)", 2, dot_measure},
        {"x", "x takes one point: x(body.marker)", 1, point_measure},
        {"y", "y takes one point: y(body.marker)", 1, point_measure},
        {"z", "z takes one point: z(body.marker)", 1, point_measure},
        {"wx", "wx takes one body: wx(body)", 1, spin_measure},
        {"wy", "wy takes one body: wy(body)", 1, spin_measure},
        {"wz", "wz takes one body: wz(body)", 1, spin_measure},
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

typedef struct Scope {
    RbvModel *model;
    int flags;
    bool no_memory;
} Scope;

static RbvExprMeaning variable_of(Scope *scope, RbvVariableKind kind, int32_t index, int32_t part, int32_t *id) {
    RbvModel *model = scope->model;
    char key[64];
    int length = snprintf(key, sizeof key, "%d.%d.%d", (int)kind, (int)index, (int)part);
    *id = rbv_name_table_find(&model->variable_keys, key);
    if (*id >= 0)
        return RBV_EXPR_VARIABLE;
    *id = rbv_model_grow(model, &model->variables, sizeof(RbvVariable));
    const char *copy = rbv_arena_copy(&model->arena, key, (size_t)length);
    if (*id < 0 || !copy || !rbv_name_table_add(&model->variable_keys, copy, *id)) {
        scope->no_memory = true;
        return RBV_EXPR_UNKNOWN;
    }
    model->variables.items[*id] = (RbvVariable){kind, index, part};
    return RBV_EXPR_VARIABLE;
}

static RbvExprMeaning coordinate_variable(Scope *scope, int32_t measure, const RbvExprName *name, int32_t *id,
                                          char *message, size_t size) {
    if (measure < 0) {
        scope->no_memory = true;
        return RBV_EXPR_UNKNOWN;
    }
    if (!(scope->flags & RBV_SCOPE_COORDINATES)) {
        snprintf(message, size,
                 scope->flags & RBV_SCOPE_TIME
                     ? "a coordinate cannot stand here; only t, parameters and tables of t can"
                     : "a coordinate cannot stand here: a constant is needed, and only parameters may appear");
        return RBV_EXPR_UNKNOWN;
    }
    bool spin = rbv_measure_is_rate(scope->model->measures.items[measure].kind);
    if (scope->flags & RBV_SCOPE_POSITION && (spin || name->rate > 0)) {
        snprintf(message, size,
                 spin ? "%s is a rate, and a coordinate under coordinates: is made of positions alone"
                      : "a coordinate is made of positions alone; its own rate is its name with ' where it is used",
                 name->function);
        return RBV_EXPR_UNKNOWN;
    }
    int32_t order = name->rate + (spin ? 1 : 0); /* an angular velocity is not the rate of a coordinate */
    if (spin && (order > 2 || !(scope->flags & RBV_SCOPE_RATES))) {
        snprintf(message, size,
                 order > 2 ? "%s is a rate: it has a first rate only"
                           : "%s is a rate and cannot stand here; a constraint on rates is a velocity: constraint",
                 name->function);
        return RBV_EXPR_UNKNOWN;
    }
    if (order > 2 || (order == 1 && !(scope->flags & RBV_SCOPE_RATES)) ||
        (order == 2 && !(scope->flags & RBV_SCOPE_SECOND_RATES))) {
        snprintf(message, size,
                 order >= 2 ? "second rates may stand in outputs only"
                            : "a rate cannot stand here; a constraint on rates is a velocity: constraint");
        return RBV_EXPR_UNKNOWN;
    }
    return variable_of(scope, RBV_VARIABLE_COORDINATE, measure, order, id);
}

typedef struct Names {
    const RbvModel *model;
    int flags;
} Names;

/* Candidates for names without a dot: t, parameters, joints and so on. */
static const char *plain_candidate(const void *context, int32_t k) {
    const Names *names = context;
    const RbvModel *model = names->model;
    if (k == 0)
        return names->flags & RBV_SCOPE_TIME ? "t" : "pi";
    if (k == 1)
        return "pi";
    k -= 2;
    if (k < model->parameters.count)
        return model->parameters.items[k].name;
    k -= model->parameters.count;
    return k < model->coordinates.count ? model->coordinates.items[k].name
                                        : model->generalized.items[k - model->coordinates.count].name;
}

static const char *owner_candidate(const void *context, int32_t k) {
    const RbvModel *model = ((const Names *)context)->model;
    if (k < model->joints.count)
        return model->joints.items[k].name;
    k -= model->joints.count;
    if (k < model->drives.count)
        return model->drives.items[k].name;
    k -= model->drives.count;
    const char *name = model->loads.items[k].name;
    return name ? name : "";
}

static RbvExprMeaning unknown_plain(Scope *scope, const RbvExprName *name, char *message, size_t size) {
    RbvModel *model = scope->model;
    Names names = {model, scope->flags};
    if (strcmp(name->name, "t") == 0 && scope->flags & RBV_SCOPE_POSITION) {
        snprintf(message, size,
                 "t cannot stand here: a coordinate depends on where the bodies are alone; time belongs into motion: "
                 "or equation:");
        return RBV_EXPR_UNKNOWN;
    }
    if (strcmp(name->name, "t") == 0) {
        snprintf(message, size, "t cannot stand here: a constant is needed, and only parameters may appear");
        return RBV_EXPR_UNKNOWN;
    }
    int32_t other = rbv_name_table_find(&model->names, name->name);
    if (other >= 0) {
        snprintf(message, size, "'%s' is no number by itself; write a coordinate of it, such as %s", name->name,
                 other % RBV_NAMED_KINDS == RBV_NAMED_BODY    ? "angle(body) or x(body.marker)"
                 : other % RBV_NAMED_KINDS == RBV_NAMED_DRIVE ? "drive.effort"
                                                              : "joint.angle");
        return RBV_EXPR_UNKNOWN;
    }
    for (int32_t k = 0; k < model->later_count; k++)
        if (strcmp(model->later[k], name->name) == 0) {
            snprintf(message, size,
                     k == 0 ? "'%s' is what is being defined here; a parameter may use earlier ones"
                            : "'%s' is defined further down; parameters may use earlier ones",
                     name->name);
            return RBV_EXPR_UNKNOWN;
        }
    const char *near =
        rbv_name_nearest(name->name, model->parameters.count + model->coordinates.count + model->generalized.count + 2,
                         plain_candidate, &names);
    if (strcmp(name->name, "time") == 0 || strcmp(name->name, "Time") == 0 || strcmp(name->name, "T") == 0)
        near = "t";
    if (near)
        snprintf(message, size, "unknown name '%s'; did you mean '%s'?", name->name, near);
    else
        snprintf(message, size, "unknown name '%s'; known are t, pi, parameters, and coordinates such as hinge.angle",
                 name->name);
    return RBV_EXPR_UNKNOWN;
}

/* Error: the joint has no coordinate `part`. `own`: list of its coordinates, each followed by ", ". */
static RbvExprMeaning refuse_joint_part(const Scope *scope, const RbvJoint *joint, const char *part, const char *own,
                                        char *message, size_t size) {
    const bool rate = strcmp(part, "rate") == 0 || strcmp(part, "velocity") == 0 || strcmp(part, "speed") == 0 ||
                      strcmp(part, "omega") == 0;
    if (rate && *own) {
        snprintf(message, size,
                 "joint '%s' (%s) has no coordinate '%s'; the rate of a coordinate is written with ', as in %s.%.*s'",
                 joint->name, joint->kind->name, part, joint->name, (int)strcspn(own, ", "), own);
        return RBV_EXPR_UNKNOWN;
    }
    for (int component = 0; component < RBV_COMPONENT_COUNT && !(scope->flags & RBV_SCOPE_RESULTS); component++)
        if (strcmp(part, rbv_component_name((RbvComponent)component)) == 0) {
            snprintf(message, size,
                     "'%s.%s' is a reaction, which is known when forces are: it can stand in output: alone. Friction, "
                     "which follows a reaction, is friction: of the joint",
                     joint->name, part);
            return RBV_EXPR_UNKNOWN;
        }
    char results[160] = "";
    for (int k = 0; scope->flags & RBV_SCOPE_RESULTS && k < RBV_COMPONENT_COUNT; k++)
        if (rbv_joint_has_component(joint, k))
            snprintf(results + strlen(results), sizeof results - strlen(results), "%s%s",
                     *results ? ", " : "; its reactions are ", rbv_component_name((RbvComponent)k));
    snprintf(message, size, "joint '%s' (%s) has no %s '%s'; it has %s%s%s", joint->name, joint->kind->name,
             *results ? "coordinate or reaction" : "coordinate", part, own,
             joint->spatial ? "x, y, z, rx, ry and rz" : "x, y and rz", results);
    return RBV_EXPR_UNKNOWN;
}

static RbvExprMeaning joint_part(Scope *scope, int32_t index, const char *part, const RbvExprName *name, int32_t *id,
                                 char *message, size_t size) {
    RbvModel *model = scope->model;
    const RbvJoint *joint = &model->joints.items[index];
    if (scope->flags & RBV_SCOPE_RESULTS)
        for (int component = 0; component < RBV_COMPONENT_COUNT; component++)
            if (strcmp(part, rbv_component_name((RbvComponent)component)) == 0 && name->rate == 0 &&
                (joint->unknown || rbv_joint_has_component(joint, component)))
                return variable_of(scope, RBV_VARIABLE_REACTION, index, component, id);
    int direction = rbv_direction_find(part);
    char own[64] = "";
    for (int k = 0; k < 6; k++) {
        if (!(joint->coordinates >> k & 1))
            continue;
        const char *word = rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), k);
        if (strcmp(part, word) == 0)
            direction = k;
        snprintf(own + strlen(own), sizeof own - strlen(own), "%s, ", word);
    }
    if (joint->unknown && direction < 0)
        direction = strcmp(part, "distance") == 0 ? 0 : 5;
    if (!joint->spatial && direction >= 0 && !(RBV_DIRECTIONS_PLANAR >> direction & 1)) {
        snprintf(message, size, "'%s' is a direction of space; in the plane there are x, y and rz", part);
        return RBV_EXPR_UNKNOWN;
    }
    if (direction < 0)
        return refuse_joint_part(scope, joint, part, own, message, size);
    bool turns = true;
    for (int side = 0; side < 2; side++)
        turns = turns && !model->bodies.items[model->markers.items[joint->marker[side]].body].particle;
    if (direction >= 3 && joint->spatial && !turns) {
        snprintf(message, size, "joint '%s' has no '%s': a particle does not turn", joint->name, part);
        return RBV_EXPR_UNKNOWN;
    }
    int32_t measure = rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], direction, joint->locks);
    return coordinate_variable(scope, measure, name, id, message, size);
}

/* Are results of this kind allowed here? In outputs all are; in forces of nonideal constraints, efforts of
 * constraints. */
static bool may_stand(const Scope *scope, int32_t kind) {
    bool result = kind == RBV_NAMED_DRIVE || kind == RBV_NAMED_LOAD || kind == RBV_NAMED_CONSTRAINT ||
                  kind == RBV_NAMED_ACTUATOR || kind == RBV_NAMED_STOP;
    return !result || scope->flags & RBV_SCOPE_RESULTS ||
           (kind == RBV_NAMED_CONSTRAINT && scope->flags & RBV_SCOPE_IDEAL);
}

/* Resolve component `part` of load `index`, named `owner`. */
static RbvExprMeaning load_part(Scope *scope, int32_t index, const char *owner, const char *part,
                                const RbvExprName *name, int32_t *id, char *message, size_t size) {
    const RbvModel *model = scope->model;
    int column = rbv_load_part_find(model->loads.items[index].kind, model->space == RBV_SPATIAL, part);
    if (column >= 0 && name->rate == 0)
        return variable_of(scope, RBV_VARIABLE_LOAD, index, column, id);
    const RbvLoadColumns *columns = rbv_load_columns(model->loads.items[index].kind, model->space == RBV_SPATIAL);
    snprintf(message, size, "load '%s' has no '%s'; a %s has %s", owner, part,
             rbv_load_row(model->loads.items[index].kind)->type, columns->count ? "" : "no results");
    for (int n = 0; n < columns->count; n++)
        snprintf(message + strlen(message), size - strlen(message), "%s%s", n ? ", " : "", columns->part[n].name);
    return RBV_EXPR_UNKNOWN;
}

/* Error: no item is called `owner`. */
static RbvExprMeaning refuse_owner(const Scope *scope, const char *owner, const char *part, char *message,
                                   size_t size) {
    RbvModel *model = scope->model;
    Names names = {model, scope->flags};
    const char *near = rbv_name_nearest(owner, model->joints.count + model->drives.count + model->loads.count,
                                        owner_candidate, &names);
    if (near && *near)
        snprintf(message, size, "there is no joint '%s'; did you mean '%s.%s'?", owner, near, part);
    else
        snprintf(message, size, "there is no joint '%s'", owner);
    return RBV_EXPR_UNKNOWN;
}

static RbvExprMeaning resolve_dotted(Scope *scope, const RbvExprName *name, int32_t *id, char *message, size_t size) {
    RbvModel *model = scope->model;
    const char *dot = strchr(name->name, '.');
    char owner[RBV_NAME_SIZE];
    size_t length = (size_t)(dot - name->name);
    if (length >= sizeof owner) {
        snprintf(message, size, "the name is too long");
        return RBV_EXPR_UNKNOWN;
    }
    memcpy(owner, name->name, length);
    owner[length] = '\0';
    const char *part = dot + 1;
    int32_t found = rbv_name_table_find(&model->names, owner);
    int32_t index = found >= 0 ? found / RBV_NAMED_KINDS : -1;
    int32_t kind = found >= 0 ? found % RBV_NAMED_KINDS : -1;
    if (kind == RBV_NAMED_JOINT)
        return joint_part(scope, index, part, name, id, message, size);
    if (!may_stand(scope, kind)) {
        snprintf(message, size,
                 scope->flags & RBV_SCOPE_IDEAL
                     ? "'%s' is a result; of these only efforts of constraints may stand here"
                     : "'%s' is a result; it may stand in outputs only",
                 name->name);
        return RBV_EXPR_UNKNOWN;
    }
    if (kind == RBV_NAMED_CONSTRAINT || kind == RBV_NAMED_DRIVE || kind == RBV_NAMED_ACTUATOR) {
        if (strcmp(part, "effort") == 0 && name->rate == 0)
            return variable_of(scope,
                               kind == RBV_NAMED_CONSTRAINT ? RBV_VARIABLE_MULTIPLIER
                               : kind == RBV_NAMED_DRIVE    ? RBV_VARIABLE_EFFORT
                                                            : RBV_VARIABLE_CONTROL,
                               index, 0, id);
        snprintf(message, size, "%s '%s' has no '%s'; it has effort",
                 kind == RBV_NAMED_CONSTRAINT ? "constraint"
                 : kind == RBV_NAMED_DRIVE    ? "drive"
                                              : "actuator",
                 owner, part);
        return RBV_EXPR_UNKNOWN;
    }
    if (kind == RBV_NAMED_STOP) {
        if (strcmp(part, "force") == 0 && name->rate == 0)
            return variable_of(scope, RBV_VARIABLE_STOP, index, 0, id);
        snprintf(message, size, "stop '%s' has no '%s'; it has force", owner, part);
        return RBV_EXPR_UNKNOWN;
    }
    if (kind == RBV_NAMED_LOAD)
        return load_part(scope, index, owner, part, name, id, message, size);
    if (kind == RBV_NAMED_BODY) {
        bool spatial = model->space == RBV_SPATIAL;
        snprintf(message, size,
                 spatial ? "'%s' is a point, not a number; write x(%s), y(%s) or z(%s)"
                         : "'%s' is a point, not a number; write x(%s), y(%s) or angle(%s)",
                 name->name, name->name, name->name, spatial ? name->name : owner);
        return RBV_EXPR_UNKNOWN;
    }
    return refuse_owner(scope, owner, part, message, size);
}

static RbvExprMeaning resolve_function(Scope *scope, const RbvExprName *name, int32_t *id, char *message, size_t size) {
    int32_t measure = function_measure(scope->model, name, message, size);
    if (measure < 0 && *message)
        return RBV_EXPR_UNKNOWN;
    return coordinate_variable(scope, measure, name, id, message, size);
}

/* Resolve a named coordinate, with its primes. A wrong one (reported) is accepted as t, to avoid further errors. */
static RbvExprMeaning named_coordinate(Scope *scope, int32_t index, const RbvExprName *name, int32_t *id, char *message,
                                       size_t size) {
    const RbvNamedCoordinate *named = &scope->model->coordinates.items[index];
    if (named->state == RBV_NAMING_ANNOUNCED || named->state == RBV_NAMING_OPEN) {
        snprintf(message, size,
                 named->state == RBV_NAMING_OPEN ? "the coordinate '%s' is made of itself"
                                                 : "the coordinate '%s' stands further down; a coordinate is made of "
                                                   "those above it, so that none goes in a circle",
                 named->name);
        return RBV_EXPR_UNKNOWN;
    }
    if (named->state == RBV_NAMING_WRONG)
        return variable_of(scope, RBV_VARIABLE_TIME, 0, 0, id);
    if (named->measure >= 0)
        return coordinate_variable(scope, named->measure, name, id, message, size);
    for (int32_t k = 0; k < rbv_expr_variable_count(named->value); k++) { /* are its coordinates allowed here? */
        int32_t ignored, measure = scope->model->variables.items[rbv_expr_variable(named->value, k)].index;
        if (coordinate_variable(scope, measure, name, &ignored, message, size) == RBV_EXPR_UNKNOWN)
            return RBV_EXPR_UNKNOWN;
    }
    rbv_model_use_item(scope->model, (RbvItem){RBV_SECTION_COORDINATES, index});
    *id = index;
    return RBV_EXPR_DEFINED;
}

static RbvExprMeaning resolve(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t size) {
    Scope *scope = context;
    RbvModel *model = scope->model;
    if (name->function)
        return resolve_function(scope, name, id, message, size);
    if (strchr(name->name, '.'))
        return resolve_dotted(scope, name, id, message, size);
    if (scope->flags & RBV_SCOPE_LENGTH && strcmp(name->name, "l") == 0 && name->rate <= 1)
        return variable_of(scope, RBV_VARIABLE_LENGTH, 0, name->rate, id);
    int32_t generalized = rbv_model_find(model, name->name, RBV_NAMED_GENERALIZED);
    if (generalized >= 0)
        return coordinate_variable(scope, model->generalized.items[generalized].measure, name, id, message, size);
    int32_t named = rbv_name_table_find(&model->coordinate_names, name->name);
    if (named >= 0)
        return named_coordinate(scope, named, name, id, message, size);
    if (name->rate > 0) {
        snprintf(message, size, "only coordinates have rates; '%s' has none", name->name);
        return RBV_EXPR_UNKNOWN;
    }
    if (scope->flags & RBV_SCOPE_TIME && strcmp(name->name, "t") == 0)
        return variable_of(scope, RBV_VARIABLE_TIME, 0, 0, id);
    if (scope->flags & RBV_SCOPE_PLACE && strlen(name->name) == 1 && name->name[0] >= 'x' && name->name[0] <= 'z')
        return variable_of(scope, RBV_VARIABLE_PLACE, 0, name->name[0] - 'x', id);
    int32_t constant = rbv_name_table_find(&model->constants, name->name);
    int32_t input = constant >= 0 && constant % 2 == 0 ? model->parameters.items[constant / 2].input : 0;
    if (input && scope->flags & RBV_SCOPE_STATES)
        return variable_of(scope, RBV_VARIABLE_STATE, input - 1, 0, id);
    if (input) {
        snprintf(message, size,
                 "the input '%s' cannot stand here: inputs may stand in loads, conditions (active:), limits of drives "
                 "(max:), events, outputs and rates of states",
                 name->name);
        return RBV_EXPR_UNKNOWN;
    }
    if (constant >= 0 && constant % 2 == 0) {
        *value = model->parameters.items[constant / 2].value;
        rbv_model_use(model, constant);
        return RBV_EXPR_CONSTANT;
    }
    int32_t own = rbv_model_find(model, name->name, RBV_NAMED_STATE);
    if (own >= 0 && scope->flags & RBV_SCOPE_STATES)
        return variable_of(scope, RBV_VARIABLE_STATE, own, 0, id);
    if (own >= 0) {
        snprintf(message, size,
                 "the state '%s' cannot stand here: states may stand in loads, conditions, events, outputs and rates "
                 "of states",
                 name->name);
        return RBV_EXPR_UNKNOWN;
    }
    if (constant >= 0) {
        snprintf(message, size, "'%s' is a table; write %s(...)", name->name, name->name);
        return RBV_EXPR_UNKNOWN;
    }
    return unknown_plain(scope, name, message, size);
}

static const RbvSpline *table(void *context, const char *name) {
    Scope *scope = context;
    int32_t constant = rbv_name_table_find(&scope->model->constants, name);
    if (constant < 0 || constant % 2 == 0)
        return NULL;
    rbv_model_use(scope->model, constant);
    return scope->model->tables.items[constant / 2].spline;
}

static const RbvExprCallback *callback(void *context, const char *name) {
    return program_function(((Scope *)context)->model, name);
}

static const RbvExpr *defined(void *context, int32_t index) {
    return ((Scope *)context)->model->coordinates.items[index].value;
}

/* The variable that is the rate of a coordinate's variable. */
static int32_t rate_variable(void *context, int32_t id, int32_t order) {
    Scope *scope = context;
    RbvVariable of = scope->model->variables.items[id];
    int32_t rate;
    return variable_of(scope, of.kind, of.index, of.part + order, &rate) == RBV_EXPR_VARIABLE ? rate : -1;
}

static RbvExprDimension variable_dimension(void *context, int32_t id) {
    return rbv_model_variable_dimension(((Scope *)context)->model, id);
}

static RbvExprDimension constant_dimension(void *context, const char *name) {
    const RbvModel *model = ((Scope *)context)->model;
    return model->parameters.items[rbv_name_table_find(&model->constants, name) / 2].dimension;
}

static bool constant_computed(void *context, const char *name) {
    const RbvModel *model = ((Scope *)context)->model;
    return model->parameters.items[rbv_name_table_find(&model->constants, name) / 2].computed;
}

static void table_dimension(void *context, const char *name, RbvExprDimension *x, RbvExprDimension *y) {
    const RbvModel *model = ((Scope *)context)->model;
    const RbvTable *item = &model->tables.items[rbv_name_table_find(&model->constants, name) / 2];
    *x = item->x;
    *y = item->y;
}

/* Cache cell of an expression of digits and signs only, which has the same value everywhere; NULL: it contains names,
 * or is long. */
static RbvExpr **number_cell(RbvModel *model, const char *text) {
    size_t length = text ? strlen(text) : 0;
    bool plain = length > 0 && length < 32 && strspn(text, "0123456789.+-") == length;
    return plain ? &model->numbers[rbv_hash(text, length) % RBV_MODEL_NUMBERS] : NULL;
}

static RbvExpr *parse_or_share(RbvModel *model, const char *text, const RbvExprScope *scope, RbvExprError *error) {
    RbvExpr **cell = number_cell(model, text);
    if (cell && *cell && strcmp(rbv_expr_text(*cell), text) == 0)
        return rbv_expr_share(*cell);
    RbvExpr *expr = rbv_expr_parse(text, scope, error);
    if (cell && expr) {
        rbv_expr_destroy(*cell);
        *cell = rbv_expr_share(expr);
    }
    return expr;
}

RbvExpr *rbv_model_expression(RbvModel *model, const char *text, int flags, RbvDimension requested, const char *path,
                              const RbvSource *source) {
    Scope context = {model, flags, false};
    RbvExprScope scope = {.context = &context,
                          .resolve = resolve,
                          .table = table,
                          .callback = callback,
                          .defined = defined,
                          .rate = rate_variable};
    RbvExprError error = {0, ""};
    char name[40];
    if (!(flags & RBV_SCOPE_UNITLESS)) {
        scope.variable_dimension = variable_dimension;
        scope.constant_dimension = constant_dimension;
        scope.constant_computed = constant_computed;
        scope.table_dimension = table_dimension;
    }
    RbvExpr *expr = parse_or_share(model, text, &scope, &error);
    if (!expr && (context.no_memory || strcmp(error.message, "no memory") == 0))
        model->no_memory = context.no_memory = true;
    if (!expr && source)
        rbv_diagnose(source->diagnostics, RBV_ERROR, source->file, rbv_source_position(source, path, error.offset),
                     "%s", context.no_memory ? "no memory" : error.message);
    const char *key = path ? path : "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(key, "/"), key);
    if (expr && !rbv_model_check_dimension(model, expr, text, requested, name, path, source)) {
        rbv_expr_destroy(expr);
        return NULL;
    }
    return expr;
}
