/* Replacement types; see replacement.h. A joint with the locked directions `locks` loses some of them, and perhaps its
 * relation (a cross, equal velocities). The remaining directions must be those of a kind of the table or of `general`,
 * which in space cannot lock a single rotation; and all references of the model to the joint must remain valid. */
#include "analysis/advice/replacement.h"

#include <stdio.h>
#include <string.h>

#define TURNS_ACROSS (RBV_DIRECTION_RX | RBV_DIRECTION_RY)

/* Object that an expression may refer to: reactions of a joint (measure NULL), or a measure; axis -1: any measure
 * between its markers. */
typedef struct Topic {
    const RbvModel *model;
    int32_t joint;
    const RbvMeasure *measure;
} Topic;

static bool is_topic(const Topic *topic, const RbvMeasure *measure) {
    const RbvMeasure *requested = topic->measure;
    return measure->marker[0] == requested->marker[0] && measure->marker[1] == requested->marker[1] &&
           (requested->axis < 0 || (measure->kind == requested->kind && measure->axis == requested->axis));
}

static bool speaks(const Topic *topic, const RbvExpr *expr) {
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++) {
        const RbvVariable *variable = &topic->model->variables.items[rbv_expr_variable(expr, v)];
        if (topic->measure ? variable->kind == RBV_VARIABLE_COORDINATE &&
                                 is_topic(topic, &topic->model->measures.items[variable->index])
                           : variable->kind == RBV_VARIABLE_REACTION && variable->index == topic->joint)
            return true;
    }
    return false;
}

static bool outputs_speak(const Topic *topic) {
    const RbvModel *model = topic->model;
    bool said = false;
    for (int32_t k = 0; k < model->outputs.count; k++)
        said = said || speaks(topic, model->outputs.items[k].value);
    for (int32_t k = 0; k < model->questions.count; k++)
        said = said || speaks(topic, model->questions.items[k].value);
    return said;
}

static bool coordinate_speaks(const Topic *topic, const RbvCoordinateRef *of) {
    const RbvExpr *value = rbv_coordinate_value(topic->model, of);
    return value ? speaks(topic, value) : is_topic(topic, &topic->model->measures.items[of->measure]);
}

/* True if a drive, initial condition, coordinate, constraint or load refers to the topic. */
static bool mechanics_speaks(const Topic *topic) {
    const RbvModel *model = topic->model;
    bool said = false;
    for (int32_t k = 0; k < model->drives.count && topic->measure; k++)
        said = said || coordinate_speaks(topic, &model->drives.items[k].of);
    for (int32_t k = 0; k < model->initial.count && topic->measure; k++)
        said = said || coordinate_speaks(topic, &model->initial.items[k].of);
    for (int32_t k = 0; k < model->coordinates.count; k++)
        said = said || speaks(topic, model->coordinates.items[k].value);
    for (int32_t k = 0; k < model->constraints.count; k++)
        said = said || speaks(topic, model->constraints.items[k].equation);
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            said = said || speaks(topic, model->loads.items[k].value[part]);
    return said;
}

/* True if a load of this kind acts at the joint: a spring along its distance, a torsion spring on its angle, or damping
 * of its free directions. */
static bool has_load(const RbvModel *model, int32_t joint, RbvLoadKind kind) {
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].kind == kind && model->loads.items[k].joint == joint)
            return true;
    return false;
}

/* Mask of the directions among `lost` whose coordinate the model refers to by the kind's own name. */
static uint8_t names_in_use(const RbvModel *model, const RbvJoint *joint, uint8_t lost) {
    uint8_t used = 0;
    for (int direction = 0; direction < 6; direction++) {
        RbvMeasure measure = rbv_joint_coordinate(joint, direction);
        Topic topic = {model, -1, &measure};
        if (lost >> direction & 1 && (mechanics_speaks(&topic) || outputs_speak(&topic)))
            used = (uint8_t)(used | 1u << direction);
    }
    return used;
}

/* Kind of the table with these locked directions and this relation; NULL if there is none. */
static const RbvJointKind *kind_of(uint8_t locks, RbvJointExtra extra, bool spatial) {
    for (int32_t k = 0; k < rbv_joint_kind_count(); k++) {
        const RbvJointKind *kind = rbv_joint_kind_at(k);
        const RbvJointNature *nature = rbv_joint_nature(kind, spatial);
        if (kind->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE) && nature->form == RBV_FORM_LOCKS &&
            nature->extra == extra && nature->locks == locks)
            return kind;
    }
    return NULL;
}

static void write_general(uint8_t left, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "general, locked: [");
    bool first = true;
    for (int d = 0; d < 6; d++) {
        if (!(left >> d & 1) || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", first ? "" : ", ", rbv_direction_name(d));
        first = false;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* All rows are freed: "no joint", unless drives, constraints, loads or initial conditions refer to the joint. */
static void leave_out(const RbvModel *model, int32_t index, RbvReplacement *r) {
    const RbvJoint *joint = &model->joints.items[index];
    RbvMeasure any = {.marker = {joint->marker[0], joint->marker[1]}, .axis = -1};
    Topic measured = {model, -1, &any}, forces = {model, index, NULL};
    if (mechanics_speaks(&measured) || mechanics_speaks(&forces) || has_load(model, index, RBV_LOAD_TORSION) ||
        has_load(model, index, RBV_LOAD_SPRING)) {
        r->obstacle = "something else in the model speaks of it";
        return;
    }
    r->outputs = outputs_speak(&measured) || outputs_speak(&forces);
    snprintf(r->type, sizeof r->type, "no joint");
}

RbvReplacement rbv_replacement(const RbvSystem *system, const RbvFreeing *freeing) {
    const RbvModel *model = system->model;
    const RbvJoint *joint = &model->joints.items[freeing->joint];
    RbvReplacement r = {.obstacle = "no kind of joint holds the rest alone"};
    if (freeing->rows == system->joint_row[freeing->joint + 1] - system->joint_row[freeing->joint]) {
        leave_out(model, freeing->joint, &r);
        return r;
    }
    uint8_t left = (uint8_t)(joint->locks & ~freeing->directions);
    int turns = (left >> 3 & 1) + (left >> 4 & 1) + (left >> 5 & 1), relations = freeing->rows;
    for (int d = 0; d < 6; d++)
        relations -= freeing->directions >> d & 1;
    RbvJointExtra extra = relations > 0 ? RBV_EXTRA_NONE : joint->extra;
    const RbvJointKind *kind = strcmp(joint->kind->name, "general") == 0 ? NULL : kind_of(left, extra, joint->spatial);
    if (joint->form != RBV_FORM_LOCKS || joint->extra == RBV_EXTRA_SCREW || (!kind && extra != RBV_EXTRA_NONE))
        return r;
    uint8_t named = kind ? rbv_joint_nature(kind, joint->spatial)->coordinates : 0;
    r.renamed = names_in_use(model, joint, (uint8_t)(joint->coordinates & ~named));
    bool torsion = has_load(model, freeing->joint, RBV_LOAD_TORSION) && !(named & RBV_DIRECTION_RZ);
    /* rz equals the angle only while both other rotations are locked */
    bool other_turn = joint->spatial && r.renamed & RBV_DIRECTION_RZ && (left & TURNS_ACROSS) != TURNS_ACROSS;
    r.obstacle =
        !kind && joint->spatial && turns == 1
            ? "one turn alone stays held: a cross does that (universal, perpendicular), between markers of your own"
        : joint->has_friction ? "its friction belongs to its type"
        : has_load(model, freeing->joint, RBV_LOAD_DAMPING)
            ? "its damping has a number for each direction that is free now"
        : has_load(model, freeing->joint, RBV_LOAD_SPRING) && !(named & (RBV_DIRECTION_X | RBV_DIRECTION_Z))
            ? "a spring acts along its distance, which goes with its type"
        : torsion || other_turn ? "something in the model speaks of its angle, which goes with its type"
                                : NULL;
    for (int d = 0; d < 6; d++)
        if (freeing->directions >> d & 1 &&
            (rbv_joint_loose(joint)->compliance[d][1] > 0 || rbv_joint_loose(joint)->misfit[d] != 0))
            r.stiff = (uint8_t)(r.stiff | 1u << d);
    if (r.obstacle)
        return r;
    if (kind)
        snprintf(r.type, sizeof r.type, "%s", kind->name);
    else
        write_general(left, r.type, sizeof r.type);
    return r;
}
