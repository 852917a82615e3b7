/* Constraints, drives, loads, initial conditions and outputs: checked and entered. */
#include "base/diagnostics.h"
#include "model/model.h"

#include <string.h>

RbvLoadDef rbv_load_def_default(void) {
    return (RbvLoadDef){.free = NAN, .axis = {0, 0, 1}};
}

static RbvStatus wrong(RbvModel *model) {
    model->broken = true;
    return RBV_BAD_INPUT;
}

static const char *keep(RbvModel *model, const char *text) {
    return rbv_arena_copy(&model->arena, text, strlen(text));
}

RbvStatus rbv_insert_constraint(RbvModel *model, const char *name, const char *equation, bool on_rates, const RbvSource *source) {
    const char *path = on_rates ? "velocity" : "equation";
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_CONSTRAINT, model->constraints.count, source);
    int32_t k = copy ? rbv_model_grow(model, &model->constraints, sizeof(RbvConstraint)) : -1;
    if (k < 0)
        return wrong(model);
    int scope = RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | (on_rates ? RBV_SCOPE_RATES : 0);
    RbvExpr *expr = rbv_model_expression(model, equation, scope, RBV_DIM_ANY, path, source);
    RbvConstraint *constraint = &model->constraints.items[k];
    constraint->name = copy;
    constraint->text = keep(model, equation);
    constraint->equation = expr;
    constraint->on_rates = on_rates;
    constraint->where = rbv_source_position(source, NULL, 0);
    if (!expr || !constraint->text)
        return wrong(model);
    constraint->unit = rbv_model_unit_of(model, rbv_model_effort_dimension(rbv_expr_dimension(expr), on_rates));
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == (on_rates ? 1 : 0))
            return RBV_OK;
    }
    rbv_source_error(source, path, on_rates ? "constraint '%s' holds no rate (such as hinge.angle'); a relation without rates stands under 'equation'"
                                            : "constraint '%s' holds no coordinate, so it constrains nothing", copy);
    return wrong(model);
}

RbvStatus rbv_insert_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                           const RbvSource *source) {
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_DRIVE, model->drives.count, source);
    int32_t k = copy ? rbv_model_grow(model, &model->drives, sizeof(RbvDrive)) : -1;
    if (k < 0)
        return wrong(model);
    int32_t measure = -1, rate = 0;
    bool good = rbv_model_coordinate(model, coordinate, &measure, &rate, "coordinate", source);
    if (good && rate > 0) {
        bool spin = rbv_measure_is_rate(model->measures.items[measure].kind);
        rbv_source_error(source, "coordinate", spin ? "a drive prescribes a coordinate, and '%s' is the rate of none; prescribe it by a velocity: constraint"
                         : "a drive prescribes a coordinate, not a rate; integrate the motion and drive the coordinate", coordinate);
        good = false;
    }
    RbvDimension dimension = measure < 0 ? RBV_DIM_ANY : rbv_exponents_named(rbv_measure_exponents(model->measures.items[measure].kind));
    RbvExpr *expr = rbv_model_expression(model, motion, RBV_SCOPE_TIME, dimension, "motion", source);
    RbvDrive *drive = &model->drives.items[k];
    *drive = (RbvDrive){copy, keep(model, coordinate), measure, expr, rbv_source_position(source, NULL, 0)};
    for (int32_t other = 0; good && other < k; other++)
        if (model->drives.items[other].measure == measure) {
            rbv_source_error(source, "coordinate", "the system is over-driven: drives '%s' and '%s' move the same coordinate %s; take one of them "
                             "away", model->drives.items[other].name, copy, coordinate);
            good = false;
        }
    const char *why = NULL;
    if (expr && rbv_expr_variable_count(expr) == 1 && !rbv_expr_is_smooth(expr, 0, &why))
        rbv_source_note(model, source, "motion", "the motion of drive '%s' uses %s and may not be twice continuously differentiable: its effort "
                        "jumps, or is infinite, where it is not", copy, why);
    return good && expr && drive->coordinate ? RBV_OK : wrong(model);
}

static bool load_between(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    for (int side = 0; side < 2; side++) {
        if (!def->between[side]) {
            rbv_source_error(source, "between", "%s '%s' needs two points: between: [first, second]", def->type, def->name);
            return false;
        }
        load->marker[side] = rbv_model_find_marker(model, def->between[side], side ? "between/1" : "between/0", source);
        if (load->marker[side] < 0)
            return false;
    }
    if (load->marker[0] == load->marker[1]) {
        rbv_source_error(source, "between", "%s '%s' lies between a point and itself", def->type, def->name);
        return false;
    }
    return true;
}

static bool check_constants(const RbvLoadDef *def, int count, const RbvSource *source) {
    bool good = true;
    for (int k = 0; k < count; k++) {
        if (!isfinite(def->stiffness[k])) {
            rbv_source_error(source, "stiffness", "a stiffness must be a finite number");
            good = false;
        }
        if (!(def->damping[k] >= 0) || !isfinite(def->damping[k])) {
            rbv_source_error(source, "damping", "a damping is 0 or more");
            good = false;
        }
    }
    return good;
}

static RbvDimension value_dimension(RbvLoadKind kind) {
    switch (kind) {
    case RBV_LOAD_FORCE: return RBV_DIM_FORCE;
    case RBV_LOAD_TORQUE: return RBV_DIM_TORQUE;
    case RBV_LOAD_FIELD: return RBV_DIM_ACCELERATION;
    case RBV_LOAD_ENERGY: return RBV_DIM_ENERGY;
    default: return RBV_DIM_ANY;
    }
}

static bool add_expressions(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, int count, int flags, const char *path,
                            const RbvSource *source) {
    static const char *const parts[3] = {"value/0", "value/1", "value/2"};
    static const char *const field_parts[3] = {"acceleration/0", "acceleration/1", "acceleration/2"};
    bool good = true;
    for (int k = 0; k < count; k++) {
        const char *place = path ? path : load->kind == RBV_LOAD_FIELD ? field_parts[k] : parts[k];
        if (!def->value[k]) {
            rbv_source_error(source, NULL, "%s '%s' needs a value with %d component%s", def->type, def->name, count,
                             count == 1 ? "" : "s");
            return false;
        }
        load->value[k] = rbv_model_expression(model, def->value[k], flags, value_dimension(load->kind), place, source);
        good = good && load->value[k];
    }
    return good;
}

#define LOAD_SCOPE (RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES)

static bool add_force(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    if (!def->to) {
        rbv_source_error(source, NULL, "force '%s' needs the point it acts on: to: body.marker", def->name);
        return false;
    }
    load->marker[0] = rbv_model_find_marker(model, def->to, "to", source);
    load->body_frame = def->body_frame;
    bool good = load->marker[0] >= 0;
    return add_expressions(model, def, load, model->space == RBV_SPATIAL ? 3 : 2, LOAD_SCOPE, NULL, source) && good;
}

static bool add_torque(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    if (!def->to) {
        rbv_source_error(source, NULL, "torque '%s' needs the body it acts on: to: body", def->name);
        return false;
    }
    load->marker[0] = rbv_model_find_marker(model, def->to, "to", source);
    bool good = load->marker[0] >= 0;
    if (good && model->markers.items[load->marker[0]].body == 0) {
        rbv_source_error(source, "to", "torque '%s' acts on ground, where it does nothing", def->name);
        good = false;
    } else if (good && model->bodies.items[model->markers.items[load->marker[0]].body].particle) {
        rbv_source_error(source, "to", "'%s' is a particle: no torque can act on it", def->to);
        good = false;
    }
    load->body_frame = def->body_frame;
    bool spatial = model->space == RBV_SPATIAL;
    return add_expressions(model, def, load, spatial ? 3 : 1, LOAD_SCOPE, spatial ? NULL : "value", source) && good;
}

static bool add_spring(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    bool good = load_between(model, def, load, source) && check_constants(def, 1, source);
    if (isnan(def->free) && def->stiffness[0] != 0) {
        rbv_source_error(source, NULL, "spring '%s' has a stiffness, so it needs its free_length", def->name);
        good = false;
    } else if (def->stiffness[0] == 0 && def->damping[0] == 0 && !def->law) {
        rbv_source_error(source, NULL, "spring '%s' has nothing in it; give a stiffness, a damping or a force", def->name);
        good = false;
    } else if (isnan(def->free)) {
        load->free = 0;
    } else if (!(def->free >= 0) || !isfinite(def->free)) {
        rbv_source_error(source, "free_length", "a free length is 0 or more");
        good = false;
    }
    if (good) {
        load->measure[0] = rbv_model_measure(model, RBV_MEASURE_DISTANCE, load->marker[0], load->marker[1], 0);
        load->measure_count = 1;
        good = load->measure[0] >= 0;
    }
    if (def->law) {
        load->value[0] = rbv_model_expression(model, def->law, LOAD_SCOPE | RBV_SCOPE_LENGTH, RBV_DIM_FORCE, "force", source);
        good = good && load->value[0];
    }
    return good;
}

static const char *joint_candidate(const void *context, int32_t k) {
    return ((const RbvModel *)context)->joints.items[k].name;
}

static bool add_torsion(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    bool good = check_constants(def, 1, source);
    load->joint = def->joint ? rbv_model_find(model, def->joint, RBV_NAMED_JOINT) : -1;
    if (!def->joint) {
        rbv_source_error(source, NULL, "torsion-spring '%s' needs the joint it acts on: joint: name", def->name);
        good = false;
    } else if (load->joint < 0) {
        const char *near = rbv_name_nearest(def->joint, model->joints.count, joint_candidate, model);
        rbv_source_error(source, "joint", near ? "there is no joint '%s'; did you mean '%s'?" : "there is no joint '%s'", def->joint,
                         near);
        good = false;
    } else {
        const RbvJoint *joint = &model->joints.items[load->joint];
        load->marker[0] = joint->marker[0];
        load->marker[1] = joint->marker[1];
        if (joint->locks & RBV_DIRECTION_RZ) {
            rbv_source_error(source, "joint", "joint '%s' (%s) does not turn, so a torsion spring does nothing there", joint->name,
                             joint->kind->name);
            good = false;
        } else if (joint->spatial && (joint->locks & RBV_DIRECTIONS_TURNS) != (RBV_DIRECTION_RX | RBV_DIRECTION_RY)) {
            rbv_source_error(source, "joint", "joint '%s' (%s) has no single angle about its z; use a bushing, or a torsion-spring on a joint that turns "
                             "about one axis", joint->name, joint->kind->name);
            good = false;
        }
        load->measure[0] = rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], 5, joint->locks);
        load->measure_count = 1;
        good = good && load->measure[0] >= 0;
    }
    if (isnan(load->free))
        load->free = 0;
    if (def->law) {
        load->value[0] = rbv_model_expression(model, def->law, LOAD_SCOPE, RBV_DIM_TORQUE, "torque", source);
        good = good && load->value[0];
    }
    return good;
}

static bool add_bushing(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    static const int planar[3] = {0, 1, 5};
    bool spatial = model->space == RBV_SPATIAL;
    int count = spatial ? 6 : 3;
    bool good = load_between(model, def, load, source) && check_constants(def, count, source);
    for (int side = 0; side < 2 && good; side++) {
        const RbvBody *body = &model->bodies.items[model->markers.items[load->marker[side]].body];
        if (!spatial || !body->particle)
            continue;
        rbv_source_error(source, side ? "between/1" : "between/0", "'%s' is a particle: a bushing needs bodies that turn", body->name);
        good = false;
    }
    for (int k = 0; k < count && good; k++) {
        load->measure[k] = rbv_model_direction_measure(model, load->marker[0], load->marker[1], spatial ? k : planar[k], 0);
        good = load->measure[k] >= 0;
    }
    load->measure_count = count;
    return good;
}

static bool add_rotating_frame(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    if (!def->speed) {
        rbv_source_error(source, NULL, "rotating-frame '%s' needs its speed", def->name);
        return false;
    }
    load->center = rbv_vec3(def->center[0], def->center[1], def->center[2]);
    RbvVec3 axis = {def->axis[0], def->axis[1], def->axis[2]};
    if (!(rbv_norm(axis) > 0) || !isfinite(rbv_norm(axis))) {
        rbv_source_error(source, "axis", "the axis of rotating-frame '%s' has no direction", def->name);
        return false;
    }
    load->axis = rbv_scale(1 / rbv_norm(axis), axis);
    load->value[0] = rbv_model_expression(model, def->speed, RBV_SCOPE_TIME, RBV_DIM_ANGULAR_VELOCITY, "speed", source);
    return load->value[0] != NULL;
}

static const char *load_candidate(const void *context, int32_t k) {
    (void)context;
    return rbv_load_row((RbvLoadKind)k, false)->type;
}

static bool add_kind(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    switch (load->kind) {
    case RBV_LOAD_FORCE: return add_force(model, def, load, source);
    case RBV_LOAD_TORQUE: return add_torque(model, def, load, source);
    case RBV_LOAD_SPRING: return add_spring(model, def, load, source);
    case RBV_LOAD_TORSION: return add_torsion(model, def, load, source);
    case RBV_LOAD_BUSHING: return add_bushing(model, def, load, source);
    case RBV_LOAD_ROTATING_FRAME: return add_rotating_frame(model, def, load, source);
    case RBV_LOAD_FIELD: return add_expressions(model, def, load, model->space == RBV_SPATIAL ? 3 : 2, RBV_SCOPE_TIME | RBV_SCOPE_PLACE, NULL, source);
    case RBV_LOAD_ENERGY:
        return add_expressions(model, def, load, 1, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES, "value", source);
    case RBV_LOAD_DAMPING:
    case RBV_LOAD_KINDS: break;
    }
    return false;
}

RbvStatus rbv_insert_load(RbvModel *model, const RbvLoadDef *def, const RbvSource *source) {
    const char *name = rbv_model_enter_name(model, def->name, RBV_NAMED_LOAD, model->loads.count, source);
    int32_t index = name ? rbv_model_grow(model, &model->loads, sizeof(RbvLoad)) : -1;
    if (index < 0)
        return wrong(model);
    RbvLoad load = {.name = name, .free = def->free, .where = rbv_source_position(source, NULL, 0)};
    const char *type = def->type ? def->type : "";
    int32_t kind = rbv_load_kind_find(type);
    bool good = kind >= 0;
    if (good) {
        load.kind = (RbvLoadKind)kind;
        memcpy(load.stiffness, def->stiffness, sizeof load.stiffness);
        memcpy(load.damping, def->damping, sizeof load.damping);
        good = add_kind(model, def, &load, source);
    } else {
        const char *near = rbv_name_nearest(type, RBV_LOAD_DAMPING, load_candidate, NULL);
        rbv_source_error(source, "type", near ? "there is no load type '%s'; did you mean '%s'?"
                              : "there is no load type '%s'; there are force, torque, spring, torsion-spring, bushing, rotating-frame, field and "
                                "energy",
                         type, near);
    }
    model->loads.items[index] = load;
    return good ? RBV_OK : wrong(model);
}

RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source) {
    RbvInitial initial = {.coordinate = keep(model, coordinate), .value = value,
                          .where = rbv_source_position(source, NULL, 0)};
    if (!rbv_model_coordinate(model, coordinate, &initial.measure, &initial.rate, NULL, source))
        return wrong(model);
    for (int32_t k = 0; k < model->initial.count; k++)
        if (model->initial.items[k].measure == initial.measure && model->initial.items[k].rate == initial.rate) {
            rbv_source_error(source, NULL, "'%s' has an initial condition already", coordinate);
            return wrong(model);
        }
    int32_t k = rbv_model_grow(model, &model->initial, sizeof(RbvInitial));
    if (k < 0 || !initial.coordinate)
        return rbv_model_no_memory(model);
    model->initial.items[k] = initial;
    return isfinite(value) ? RBV_OK : wrong(model);
}

RbvStatus rbv_insert_output(RbvModel *model, const char *name, const char *expression, const RbvSource *source) {
    if (name && strcmp(name, "time") == 0) {
        rbv_source_error(source, NULL, "an output cannot be called 'time': the first column has that name");
        return wrong(model);
    }
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_OUTPUT, model->outputs.count, source);
    int32_t k = copy ? rbv_model_grow(model, &model->outputs, sizeof(RbvOutput)) : -1;
    if (k < 0)
        return wrong(model);
    RbvExpr *expr = rbv_model_expression(model, expression, LOAD_SCOPE | RBV_SCOPE_SECOND_RATES | RBV_SCOPE_RESULTS, RBV_DIM_ANY, "",
                                         source);
    const char *unit = expr ? rbv_model_unit_of(model, rbv_expr_dimension(expr)) : "";
    model->outputs.items[k] = (RbvOutput){copy, expr, unit, rbv_source_position(source, NULL, 0)};
    return expr ? RBV_OK : wrong(model);
}

static RbvSource plain_source(RbvDiagnostics *diagnostics) {
    return (RbvSource){.diagnostics = diagnostics, .file = ""};
}

RbvStatus rbv_model_add_constraint(RbvModel *model, const char *name, const char *equation, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name && equation ? rbv_insert_constraint(model, name, equation, false, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_velocity_constraint(RbvModel *model, const char *name, const char *velocity, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name && velocity ? rbv_insert_constraint(model, name, velocity, true, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                              RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name && coordinate && motion ? rbv_insert_drive(model, name, coordinate, motion, &source)
                                                 : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_load(RbvModel *model, const RbvLoadDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && def ? rbv_insert_load(model, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_initial(RbvModel *model, const char *coordinate, double value, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && coordinate ? rbv_insert_initial(model, coordinate, value, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_output(RbvModel *model, const char *name, const char *expression, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name && expression ? rbv_insert_output(model, name, expression, &source) : RBV_BAD_ARGUMENT;
}
