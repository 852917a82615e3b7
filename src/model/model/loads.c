/* Checks and enters loads. */
#include "core/base/diagnostics.h"
#include "model/model/keys.h"
#include "model/model/refill.h"

#include <stdio.h>
#include <string.h>

const RbvLoadDef rbv_load_def_default = {.free = NAN, .axis = {0, 0, 1}};

/* Variables that the expression of a force may use. */
#define LOAD_SCOPE (RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES)

static bool load_between(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    for (int side = 0; side < 2; side++) {
        if (!def->between[side]) {
            rbv_source_error(source, "between", "%s '%s' needs two points: between: [first, second]%s", def->type,
                             def->name, rbv_load_row(load->kind)->line ? ", or a joint that slides: joint: name" : "");
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

/* Parse `count` expressions under `key`: a single one or a list. */
static bool add_expressions(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, int count, int flags,
                            RbvDimension dimension, const char *key, const RbvSource *source) {
    bool good = true;
    for (int k = 0; k < count; k++) {
        char place[40];
        snprintf(place, sizeof place, count > 1 ? "%s/%d" : "%s", key, k);
        if (!def->value[k]) {
            rbv_source_error(source, NULL, "%s '%s' needs a value with %d component%s", def->type, def->name, count,
                             count == 1 ? "" : "s");
            return false;
        }
        load->value[k] = rbv_model_expression(model, def->value[k], flags, dimension, place, source);
        good = good && load->value[k];
    }
    return good;
}

static bool add_force(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    if (!def->to) {
        rbv_source_error(source, NULL, "force '%s' needs the point it acts on: to: body.marker", def->name);
        return false;
    }
    load->marker[0] = rbv_model_find_marker(model, def->to, "to", source);
    load->body_frame = def->body_frame;
    bool good = load->marker[0] >= 0;
    return add_expressions(model, def, load, model->space == RBV_SPATIAL ? 3 : 2, LOAD_SCOPE, RBV_DIM_FORCE, "value",
                           source) &&
           good;
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
    return add_expressions(model, def, load, model->space == RBV_SPATIAL ? 3 : 1, LOAD_SCOPE, RBV_DIM_TORQUE, "value",
                           source) &&
           good;
}

static const char *joint_candidate(const void *context, int32_t k) {
    return ((const RbvModel *)context)->joints.items[k].name;
}

/* Find the joint that a load acts on, and set the load's markers. */
static const RbvJoint *load_on_joint(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    load->joint = rbv_model_find(model, def->joint, RBV_NAMED_JOINT);
    if (load->joint < 0) {
        const char *near = rbv_name_nearest(def->joint, model->joints.count, joint_candidate, model);
        rbv_source_error(source, "joint",
                         near ? "there is no joint '%s'; did you mean '%s'?" : "there is no joint '%s'", def->joint,
                         near);
        return NULL;
    }
    const RbvJoint *joint = &model->joints.items[load->joint];
    load->marker[0] = joint->marker[0];
    load->marker[1] = joint->marker[1];
    return joint;
}

/* A load along the distance of a sliding joint: a signed length. */
static bool load_along_joint(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    const RbvJoint *joint = load_on_joint(model, def, load, source);
    int direction = 0;
    if (def->between[0]) {
        rbv_source_error(source, "joint", "%s '%s' lies between two points or along a joint, not both", def->type,
                         def->name);
        return false;
    }
    if (!joint)
        return false;
    while (direction < 3 && !(joint->coordinates >> direction & 1))
        direction++;
    if (direction == 3) {
        rbv_source_error(source, "joint",
                         joint->coordinates >> 3 != 0
                             ? "joint '%s' (%s) turns and has no distance along which a spring could act; write type: "
                               "torsion-spring, or give two points: between: [first, second]"
                             : "joint '%s' (%s) has no distance along which a spring could act; give its two points: "
                               "between: [first, second]",
                         joint->name, joint->kind->name);
        return false;
    }
    load->measure[0] = rbv_model_direction_measure(model, joint->marker[0], joint->marker[1], direction, joint->locks);
    load->measure_count = 1;
    return load->measure[0] >= 0;
}

static bool add_spring(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    bool good = def->joint ? load_along_joint(model, def, load, source) : load_between(model, def, load, source);
    good = good && check_constants(def, 1, source);
    if (def->stiffness[0] < 0)
        rbv_source_note(model, source, "stiffness",
                        "the stiffness of spring '%s' is negative: the further it is stretched the more it pushes",
                        def->name);
    if (isnan(def->free) && def->stiffness[0] != 0) {
        rbv_source_error(source, NULL, "spring '%s' has a stiffness, so it needs its free_length", def->name);
        good = false;
    } else if (def->stiffness[0] == 0 && def->damping[0] == 0 && !def->law) {
        rbv_source_error(source, NULL, "spring '%s' has nothing in it; give a stiffness, a damping or a force",
                         def->name);
        good = false;
    } else if (isnan(def->free)) {
        load->free = 0;
    } else if ((!def->joint && !(def->free >= 0)) || !isfinite(def->free)) {
        rbv_source_error(source, "free_length", "a free length is 0 or more");
        good = false;
    }
    if (good && !def->joint) {
        load->measure[0] = rbv_model_measure(model, RBV_MEASURE_DISTANCE, load->marker[0], load->marker[1], 0);
        load->measure_count = 1;
        good = load->measure[0] >= 0;
    }
    if (def->law) {
        load->value[0] =
            rbv_model_expression(model, def->law, LOAD_SCOPE | RBV_SCOPE_LENGTH, RBV_DIM_FORCE, "force", source);
        good = good && load->value[0];
    }
    return good;
}

static bool add_torsion(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    bool good = check_constants(def, 1, source);
    const RbvJoint *joint = def->joint ? load_on_joint(model, def, load, source) : NULL;
    if (!def->joint)
        rbv_source_error(source, NULL, "torsion-spring '%s' needs the joint it acts on: joint: name", def->name);
    good = good && joint;
    if (joint) {
        if (joint->locks & RBV_DIRECTION_RZ) {
            rbv_source_error(source, "joint", "joint '%s' (%s) does not turn, so a torsion spring does nothing there",
                             joint->name, joint->kind->name);
            good = false;
        } else if (joint->spatial && (joint->locks & RBV_DIRECTIONS_TURNS) != (RBV_DIRECTION_RX | RBV_DIRECTION_RY)) {
            rbv_source_error(source, "joint",
                             "joint '%s' (%s) has no single angle about its z; use a bushing, or a torsion-spring on a "
                             "joint that turns "
                             "about one axis",
                             joint->name, joint->kind->name);
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
        rbv_source_error(source, side ? "between/1" : "between/0",
                         "'%s' is a particle: a bushing needs bodies that turn", body->name);
        good = false;
    }
    for (int k = 0; k < count && good; k++) {
        load->measure[k] =
            rbv_model_direction_measure(model, load->marker[0], load->marker[1], spatial ? k : planar[k], 0);
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
    if (model->space == RBV_PLANAR && (axis.x != 0 || axis.y != 0)) {
        rbv_source_error(source, "axis", "in the plane a frame rotates about z: axis: [0, 0, 1]");
        return false;
    }
    load->axis = rbv_scale(1 / rbv_norm(axis), axis);
    load->value[0] = rbv_model_expression(model, def->speed, RBV_SCOPE_TIME, RBV_DIM_ANGULAR_VELOCITY, "speed", source);
    return load->value[0] && rbv_model_has_derivatives(load->value[0], 1, "the speed of", def->name, "speed", source);
}

static bool add_field(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    return add_expressions(model, def, load, model->space == RBV_SPATIAL ? 3 : 2, RBV_SCOPE_TIME | RBV_SCOPE_PLACE,
                           RBV_DIM_ACCELERATION, "acceleration", source);
}

static bool add_energy(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    return add_expressions(model, def, load, 1, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES, RBV_DIM_ENERGY, "value",
                           source) &&
           rbv_model_has_derivatives(load->value[0], 1, "the energy of", def->name, "value", source);
}

/* Joint damping is entered by joints.c, never by type. */
static bool add_damping(RbvModel *model, const RbvLoadDef *def, RbvLoad *load, const RbvSource *source) {
    (void)model, (void)def, (void)load, (void)source;
    return false;
}

#define ROW(KIND, name) [RBV_LOAD_##KIND] = add_##name,
static bool (*const add[])(RbvModel *, const RbvLoadDef *, RbvLoad *, const RbvSource *) = {RBV_LOAD_LIST(ROW)};
#undef ROW

static const char *load_candidate(const void *context, int32_t k) {
    (void)context;
    return rbv_load_row((RbvLoadKind)k)->where ? rbv_load_row((RbvLoadKind)k)->type : "";
}

/* The table row of a load type of this space, or NULL (reported). */
static const RbvLoadRow *find_row(const RbvModel *model, const char *type, int32_t kind, const RbvSource *source) {
    bool spatial = model->space == RBV_SPATIAL;
    if (kind >= 0 && rbv_load_row((RbvLoadKind)kind)->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE))
        return rbv_load_row((RbvLoadKind)kind);
    if (kind >= 0) {
        rbv_source_error(source, "type",
                         spatial ? "'%s' is a load of the plane; this model is spatial"
                                 : "'%s' is a load of space; this model is planar",
                         type);
        return NULL;
    }
    bool sentence = false;
    const char *meant = rbv_meaning(RBV_MEANING_LOAD, type, spatial, &sentence),
               *near = meant ? NULL : rbv_name_nearest(type, rbv_load_kind_count(), load_candidate, NULL);
    if (meant) {
        rbv_source_error(source, "type",
                         sentence ? "there is no load type '%s'; %s" : "there is no load type '%s'; did you mean '%s'?",
                         type, meant);
        return NULL;
    }
    if (near && *near) {
        rbv_source_error(source, "type", "there is no load type '%s'; did you mean '%s'?", type, near);
        return NULL;
    }
    char list[200] = "";
    size_t used = 0;
    for (int32_t k = 0; k < rbv_load_kind_count() && used < sizeof list; k++) {
        bool last = k + 2 == rbv_load_kind_count(); /* the damping of joints is not a type */
        if (rbv_load_row((RbvLoadKind)k)->where)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     k == 0 ? ""
                                     : last ? " and "
                                            : ", ",
                                     rbv_load_row((RbvLoadKind)k)->type);
    }
    rbv_source_error(source, "type", "there is no load type '%s'; there are %s", type, list);
    return NULL;
}

RbvStatus rbv_insert_load(RbvModel *model, const RbvLoadDef *def, const RbvSource *source) {
    int32_t index;
    const char *name =
        rbv_model_enter_name(model, def->name, RBV_NAMED_LOAD, &model->loads, sizeof(RbvLoad), &index, source);
    if (!name)
        return rbv_model_wrong(model);
    RbvLoad load = {.name = name, .joint = -1, .free = def->free, .where = rbv_source_position(source, NULL, 0)};
    const char *type = def->type ? def->type : "";
    int32_t kind = rbv_load_kind_find(type);
    const RbvLoadRow *row = find_row(model, type, kind, source);
    if (row) {
        load.kind = (RbvLoadKind)kind;
        memcpy(load.stiffness, def->stiffness, sizeof load.stiffness);
        memcpy(load.damping, def->damping, sizeof load.damping);
    }
    bool good = row && add[kind](model, def, &load, source);
    model->loads.items[index] = load;
    return good ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_model_add_load(RbvModel *model, const RbvLoadDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && def ? rbv_model_keep_addition(model, rbv_insert_load(model, def, &source),
                                                  &(RbvAddition){.kind = RBV_ADDED_LOAD, .load = def})
                        : RBV_BAD_ARGUMENT;
}
