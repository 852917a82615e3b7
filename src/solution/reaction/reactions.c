/* Computes reactions, efforts and their verdicts from multipliers, and multipliers of a joint from its wrench. */
#include "solution/reaction/reactions.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/friction_contacts.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Does an outline run on a point of the second body, so that the contact has no torque about that point? */
static bool is_point_cam(const RbvModel *model, const RbvJoint *joint) {
    return rbv_forms[joint->form].outlines && !model->cams.items[joint->cam].flat &&
           !model->cams.items[joint->cam].x[1];
}

/* Does the joint keep two axes parallel in space, in the relative position at which it engages (value: here)? These
 * axes may be skew; its torques, orthogonal to the second axis, then have a part along the first. */
static bool may_stand_askew(const RbvModel *model, int32_t index) {
    const RbvJoint *joint = &model->joints.items[index];
    int turns = 0;
    for (int c = RBV_TX; c <= RBV_TZ; c++)
        turns += joint->locks >> c & 1;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        if (condition->of == RBV_CONDITION_JOINT && condition->index == index && condition->here)
            return joint->spatial && turns == 2;
    }
    return false;
}

#define ALL_FORCES (1u << RBV_FX | 1u << RBV_FY | 1u << RBV_FZ)
#define ALL_TORQUES (1u << RBV_TX | 1u << RBV_TY | 1u << RBV_TZ)

/* Components that a joint which locks directions can have, in the first marker's axes, as a mask. */
static unsigned components_of_locks(const RbvModel *model, int32_t index) {
    const RbvJoint *joint = &model->joints.items[index];
    /* directions x ... rz are numbered as Fx ... Tz */
    unsigned mask = joint->spatial ? joint->locks : joint->locks & RBV_DIRECTIONS_PLANAR;
    switch (joint->extra) {
    case RBV_EXTRA_NONE: break;
    case RBV_EXTRA_SQUARE: mask |= 1u << RBV_TX | 1u << RBV_TY; break; /* along z1 x z2, which is orthogonal to z1 */
    case RBV_EXTRA_HOMOKINETIC: mask |= ALL_TORQUES; break;
    case RBV_EXTRA_SCREW: mask |= 1u << RBV_FZ | 1u << RBV_TZ; break;
    }
    return mask;
}

/* Components that a joint can have and print, by its structure; the verdict of others is FREE. Ground axes mix forces,
 * and torques, among themselves. */
static void structure(const RbvSystem *system, RbvFrame frame, int32_t index, bool *held, bool *printed) {
    const RbvModel *model = system->model;
    const RbvJoint *joint = &model->joints.items[index];
    const RbvFormTraits *form = &rbv_forms[joint->form];
    const unsigned forces = joint->spatial ? ALL_FORCES : 1u << RBV_FX | 1u << RBV_FY,
                   torques = joint->spatial ? ALL_TORQUES : 1u << RBV_TZ;
    unsigned mask = form->components[joint->spatial] | (form->directions ? components_of_locks(model, index) : 0);
    if (is_point_cam(model, joint))
        mask &= ~ALL_TORQUES;
    if (joint->track)
        mask &= ~(1u << RBV_LINE_F);
    if (frame == RBV_FRAME_GROUND && mask & forces)
        mask |= forces;
    if ((frame == RBV_FRAME_GROUND && mask & torques) || may_stand_askew(model, index))
        mask |= torques;
    for (int c = RBV_FX; c < RBV_FRICTION; c++) {
        held[c] = mask >> c & 1;
        printed[c] = held[c] || (forces | torques) >> c & 1;
    }
    for (int c = RBV_FRICTION; c < RBV_COMPONENT_COUNT; c++)
        printed[c] = held[c] = joint->has_friction && rbv_friction_has(joint, c);
}

bool rbv_joint_pushes_along_line(const RbvJoint *joint) {
    bool slanted = joint->spatial && joint->sizes->helix_angle != 0;
    return (rbv_forms[joint->form].teeth && (joint->sizes->pressure_angle > 0 || slanted)) ||
           (rbv_forms[joint->form].strands && joint->sizes->preload > 0);
}

static bool has_line(const RbvModel *model) {
    for (int32_t k = 0; k < model->joints.count; k++)
        if (rbv_joint_pushes_along_line(&model->joints.items[k]))
            return true;
    return false;
}

/* Number of components up to the last that the joint can have. */
static int32_t count_components(const RbvReactions *r, int32_t joint) {
    int32_t count = RBV_COMPONENT_COUNT;
    while (count > RBV_LINE_F && !rbv_component_in(r->possible[joint], count - 1) &&
           !rbv_component_in(r->printed[joint], count - 1) &&
           !rbv_joint_has_component(&r->system->model->joints.items[joint], count - 1))
        count--;
    return count;
}

/* Largest number of rows of one joint, constraint, drive or stop. */
static int32_t most_rows(const RbvSystem *system) {
    int32_t most = RBV_MOST_SLIP_DIRECTIONS;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        if (system->joint_row[k + 1] - system->joint_row[k] > most)
            most = system->joint_row[k + 1] - system->joint_row[k];
    return most;
}

/* Finds the components of all joints and allocates them. False: no memory. */
static bool lay_out_components(RbvReactions *r) {
    int32_t joints = r->system->model->joints.count, count = 0;
    for (int32_t k = 0; k < joints; k++) {
        bool held[RBV_COMPONENT_COUNT] = {false}, printed[RBV_COMPONENT_COUNT] = {false};
        structure(r->system, r->frame, k, held, printed);
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++) {
            r->possible[k] |= (uint32_t)held[c] << c;
            r->printed[k] |= (uint32_t)printed[c] << c;
        }
        count += count_components(r, k);
    }
    double *value = rbv_arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *value),
           *error = rbv_arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *error);
    RbvVerdict *verdict = rbv_arena_alloc(&r->arena, ((size_t)count + 1) * sizeof *verdict);
    if (!value || !error || !verdict)
        return false;
    r->component_count = count;
    for (int32_t k = 0; k <= joints; k++) {
        r->value[k] = value;
        r->error[k] = error;
        r->verdict[k] = verdict;
        count = k < joints ? count_components(r, k) : 0;
        value += count, error += count, verdict += count;
    }
    return true;
}

RbvReactions *rbv_reactions_create(const RbvSystem *system, RbvFrame frame) {
    RbvReactions *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    const RbvModel *model = system->model;
    size_t rows = (size_t)system->row_count + 1, joints = (size_t)model->joints.count + 1;
    size_t drives = (size_t)model->drives.count + 1, constraints = (size_t)model->constraints.count + 1;
    r->system = system;
    r->frame = frame;
    bool good = true;
#define GET(field, count) good = (r->field = rbv_arena_alloc(&r->arena, (count) * sizeof *r->field)) != NULL && good
    GET(unit, (system->bodies.spatial ? 6 : 3) * rows);
    GET(lambda, (size_t)system->satisfied_count + 1);
    GET(value, joints);
    GET(error, joints);
    GET(size, (size_t)system->part_count + 1);
    GET(recorded_error, (size_t)system->part_count + 1);
    GET(past, 2 * ((size_t)system->part_count + 1) + constraints);
    GET(effort_error, drives);
    GET(multiplier_error, constraints);
    GET(verdict, joints);
    GET(possible, joints);
    GET(printed, joints);
    GET(stop, (size_t)model->stops.count + 1);
    GET(stop_error, (size_t)model->stops.count + 1);
    GET(stop_scale, (size_t)model->stops.count + 1);
    GET(stop_verdict, (size_t)model->stops.count + 1);
    GET(effort, drives);
    GET(effort_verdict, drives);
    GET(multiplier, constraints);
    GET(carried, constraints);
    GET(ideal, constraints);
    GET(actuator, (size_t)model->actuators.count + 1);
    GET(track_error, constraints);
    GET(nonideal_power, constraints);
    GET(multiplier_verdict, constraints);
    GET(mixed, joints);
    for (int32_t p = 0; good && p <= system->part_count; p++)
        r->recorded_error[p][0] = r->recorded_error[p][1] = -1;
    r->has_line = has_line(model);
    if (r->has_line)
        GET(line, joints);
#undef GET
    r->scratch_size = most_rows(system);
    r->scratch = rbv_arena_array(&r->arena, 2 * (size_t)r->scratch_size, sizeof *r->scratch);
    if (!good || !r->scratch || !lay_out_components(r)) {
        rbv_reactions_destroy(r);
        return NULL;
    }
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvFormTraits *form = &rbv_forms[model->joints.items[k].form];
        bool spatial = model->joints.items[k].spatial,
             extra = model->joints.items[k].extra != RBV_EXTRA_NONE || may_stand_askew(model, k);
        r->mixed[k] = ((frame == RBV_FRAME_GROUND || extra) && form->ground_mixes) || (spatial && form->space_mixes);
        for (int c = 0; c < count_components(r, k); c++)
            r->verdict[k][c] = rbv_component_in(r->possible[k], c) ? RBV_UNIQUE : RBV_FREE;
    }
    return r;
}

void rbv_reactions_destroy(RbvReactions *r) {
    if (!r)
        return;
    for (int32_t k = 0; k < r->push_capacity; k++)
        free(r->pushes[k].lambda);
    free(r->pushes);
    rbv_arena_clear(&r->arena);
    free(r);
}

/* rbv_row_wrench in the plane: force along x and y, torque about z. */
static RbvWrench flat_row_wrench(const RbvState *state, int32_t k, int32_t second, bool always) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[k];
    const RbvMarkerState *at = &state->markers[second];
    const int32_t body = at->body;
    double x = 0, y = 0, turn = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        const int32_t m = system->terms[n].measure, *marker = system->model->measures.items[m].marker;
        const double factor = always ? -system->terms[n].coefficient : -state->coefficient[n];
        for (int side = 0; side < 2; side++) {
            const RbvWrench *gradient = &state->measures[m].gradient[side];
            if (state->markers[marker[side]].body != body)
                continue;
            x += factor * gradient->force.x;
            y += factor * gradient->force.y;
            turn += factor * gradient->torque.z;
        }
    }
    return (RbvWrench){{x, y, 0}, {0, 0, turn - (at->arm.x * y - at->arm.y * x)}};
}

RbvWrench rbv_row_wrench(const RbvState *state, int32_t k, int32_t second, bool always) {
    const RbvSystem *system = state->system;
    if (!system->bodies.spatial)
        return flat_row_wrench(state, k, second, always);
    const RbvRow *row = &system->rows[k];
    const RbvMarkerState *at = &state->markers[second];
    RbvWrench sum = {{0, 0, 0}, {0, 0, 0}};
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        const RbvMeasure *measure = &system->model->measures.items[system->terms[n].measure];
        for (int side = 0; side < 2; side++)
            if (state->markers[measure->marker[side]].body == at->body)
                sum = rbv_wrench_add_scaled(sum, always ? -system->terms[n].coefficient : -state->coefficient[n],
                                            state->measures[system->terms[n].measure].gradient[side]);
    }
    sum.torque = rbv_sub(sum.torque, rbv_cross(at->arm, sum.force));
    return sum;
}

static void keep_unit(RbvReactions *r, int32_t row, RbvWrench w) {
    if (r->system->bodies.spatial)
        memcpy(r->unit + 6 * row,
               (const double[6]){w.force.x, w.force.y, w.force.z, w.torque.x, w.torque.y, w.torque.z},
               6 * sizeof *r->unit);
    else
        memcpy(r->unit + 3 * row, (const double[3]){w.force.x, w.force.y, w.torque.z}, 3 * sizeof *r->unit);
}

RbvWrench rbv_reactions_unit(const RbvReactions *r, int32_t row) {
    const double *w = r->unit + (r->system->bodies.spatial ? 6 : 3) * row;
    if (r->system->bodies.spatial)
        return (RbvWrench){{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
    return (RbvWrench){{w[0], w[1], 0}, {0, 0, w[2]}};
}

void rbv_reactions_place_joint(RbvReactions *r, const RbvState *state, int32_t joint) {
    const RbvSystem *system = state->system;
    for (int32_t k = system->joint_row[joint]; k < system->joint_row[joint + 1]; k++)
        keep_unit(r, k, rbv_row_wrench(state, k, system->model->joints.items[joint].marker[1], false));
}

void rbv_reactions_place(RbvReactions *r, const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        int32_t second = row->owner == RBV_OWNER_JOINT
                             ? model->joints.items[row->index].marker[1]
                             : model->measures.items[system->terms[row->first].measure].marker[1];
        keep_unit(r, k, rbv_row_wrench(state, k, second, false));
    }
    for (int32_t i = 0; i < system->friction_count; i++) { /* unit wrenches of inactive rows, for sliding contacts */
        const RbvFrictionContact *friction = &system->friction[i];
        for (int c = 0; friction->own && c < friction->count; c++)
            keep_unit(
                r, friction->stick_row + c,
                rbv_row_wrench(state, friction->stick_row + c, model->joints.items[friction->joint].marker[1], true));
    }
}

RbvVec3 rbv_mesh_push(const RbvMesh *mesh, const RbvMarkerState *markers, RbvVec3 *at) {
    const RbvMarkerState *line = &markers[mesh->line[0]];
    *at = line->point;
    return line->axes->column[0];
}

/* Force on the second wheel of a spatial gear per its lambda, ground axes, at *at: the radial part from |Ft|, and
 * the axial part from the helix. */
static RbvVec3 tooth_push(const RbvReactions *r, const RbvState *state, int32_t joint, RbvVec3 *at) {
    const RbvMesh *mesh = &r->system->model->meshes.items[r->system->model->joints.items[joint].mesh];
    double along = -r->lambda[r->system->joint_row[joint]];
    RbvVec3 apart = rbv_mesh_push(mesh, state->markers, at);
    return rbv_add_scaled(rbv_scale(fabs(along) * mesh->apart, apart), along * mesh->axial,
                          state->markers[mesh->line[0]].axes->column[2]);
}

bool rbv_reactions_lines(RbvReactions *r, const RbvState *state, RbvWrench *wrenches) {
    if (!r->has_line)
        return false;
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool gear = rbv_forms[joint->form].teeth;
        r->line[k] = (RbvWrench){{0, 0, 0}, {0, 0, 0}};
        if (!gear && (!rbv_forms[joint->form].strands || r->impulsive))
            continue;
        const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
        RbvVec3 d = rbv_sub(j->point, i->point), at = j->point;
        if (joint->spatial && !gear)
            d = rbv_add_scaled(d, -rbv_dot(d, i->axes->column[2]), i->axes->column[2]);
        double distance = rbv_norm(d), s = rbv_joint_wheel_sign(joint), push = 0;
        if (joint->spatial && gear) {
            d = tooth_push(r, state, k, &at);
            push = distance = 1;
        } else if (gear) {
            push = s * fabs(r->lambda[system->joint_row[k]]) * tan(joint->sizes->pressure_angle) /
                   cos(joint->sizes->helix_angle);
        } else {
            double slant = (s * system->wheel[k][0] + system->wheel[k][1]) / distance;
            push = -2 * joint->sizes->preload * sqrt(rbv_max(1 - slant * slant, 0));
        }
        RbvVec3 force = rbv_scale(push / distance, d);
        r->line[k] = (RbvWrench){force, rbv_cross(rbv_sub(at, j->point), force)};
        RbvWrench on_second = rbv_wrench_at(rbv_add(j->arm, rbv_sub(at, j->point)), force, rbv_vec3(0, 0, 0));
        RbvWrench on_first =
            rbv_wrench_at(rbv_add(i->arm, rbv_sub(at, i->point)), rbv_scale(-1, force), rbv_vec3(0, 0, 0));
        wrenches[j->body] = rbv_wrench_add_scaled(wrenches[j->body], 1, on_second);
        wrenches[i->body] = rbv_wrench_add_scaled(wrenches[i->body], 1, on_first);
    }
    return true;
}

static double component_of(const RbvReactions *r, const RbvState *state, RbvFrame frame, int32_t joint, int component,
                           RbvWrench w) {
    const RbvMarkerState *first = &state->markers[rbv_joint_axes(&r->system->model->joints.items[joint])];
    RbvVec3 v = component < RBV_TX ? w.force : w.torque;
    int axis = component % 3;
    return frame == RBV_FRAME_JOINT ? rbv_dot(first->axes->column[axis], v) : rbv_along_axis(v, axis);
}

void rbv_reactions_in_frame(const RbvReactions *r, const RbvState *state, RbvFrame frame, int32_t joint, int component,
                            double *c) {
    const RbvSystem *system = r->system;
    int32_t first = system->joint_row[joint], count = system->joint_row[joint + 1] - first;
    const double along_line = rbv_forms[system->model->joints.items[joint].form].line_sign;
    for (int32_t k = 0; k < count; k++)
        if (component < RBV_LINE_F)
            c[k] = component_of(r, state, frame, joint, component, rbv_reactions_unit(r, first + k));
        else
            c[k] = k > 0 ? 0 : along_line;
}

void rbv_reactions_functional(const RbvReactions *r, const RbvState *state, int32_t joint, int component, double *c) {
    rbv_reactions_in_frame(r, state, r->frame, joint, component, c);
}

static void print_lines(RbvReactions *r, const RbvState *state, int32_t joint, double lambda) {
    const RbvJoint *j = &r->system->model->joints.items[joint];
    double *value = r->value[joint];
    value[RBV_LINE_F] = rbv_forms[j->form].line_sign * lambda;
    if (!rbv_forms[j->form].teeth)
        return;
    double ft = -lambda;
    if (j->spatial) {
        const RbvMesh *mesh = &r->system->model->meshes.items[j->mesh];
        const RbvMarkerState *line = &state->markers[mesh->line[0]], *second = &state->markers[j->marker[1]];
        value[RBV_LINE_FT] = ft * mesh->turn[1] / j->sizes->radii[1];
        value[RBV_LINE_FR] = fabs(ft) * mesh->apart;
        value[RBV_LINE_FA] = mesh->axial != 0 ? ft * tan(j->sizes->helix_angle)
                                              : ft * rbv_dot(line->axes->column[1], second->axes->column[2]);
        value[RBV_LINE_F] = sqrt(value[RBV_LINE_FT] * value[RBV_LINE_FT] + value[RBV_LINE_FR] * value[RBV_LINE_FR] +
                                 value[RBV_LINE_FA] * value[RBV_LINE_FA]);
        return;
    }
    value[RBV_LINE_FT] = ft;
    value[RBV_LINE_FR] = r->has_line ? rbv_norm(r->line[joint].force) : 0;
    value[RBV_LINE_FA] = ft * tan(j->sizes->helix_angle);
    value[RBV_LINE_F] =
        sqrt(ft * ft + value[RBV_LINE_FR] * value[RBV_LINE_FR] + value[RBV_LINE_FA] * value[RBV_LINE_FA]);
}

static bool is_free(RbvReactions *r, const RbvState *state, int32_t joint, int component) {
    int32_t count = r->system->joint_row[joint + 1] - r->system->joint_row[joint];
    double *c = r->scratch + r->scratch_size, size = 0;
    rbv_reactions_functional(r, state, joint, component, c);
    for (int32_t n = 0; n < count; n++)
        size += fabs(c[n]);
    return size < RBV_DATA;
}

/* Sets components orthogonal to all constrained directions to zero; one that was FREE and no longer is sets
 * r->opened, since verdicts are older than that. */
static void print_mixed(RbvReactions *r, const RbvState *state, int32_t joint) {
    for (int c = RBV_FX; c <= RBV_TZ; c++) {
        if (!rbv_component_in(r->possible[joint], c))
            continue;
        if (is_free(r, state, joint, c))
            r->value[joint][c] = 0;
        else if (r->verdict[joint][c] == RBV_FREE)
            r->opened = true;
    }
}

RbvWrench rbv_reactions_wrench(const RbvReactions *r, int32_t joint, const double *lambda, bool lines) {
    RbvWrench sum = lines && r->has_line ? r->line[joint] : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
    for (int32_t row = r->system->joint_row[joint]; row < r->system->joint_row[joint + 1]; row++)
        sum = rbv_wrench_add_scaled(sum, lambda[row], rbv_reactions_unit(r, row));
    return sum;
}

void rbv_reactions_print(RbvReactions *r, const RbvState *state) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        RbvWrench sum = rbv_reactions_wrench(r, k, r->lambda, true);
        const RbvMarkerState *first = &state->markers[rbv_joint_axes(&model->joints.items[k])];
        if (r->frame == RBV_FRAME_JOINT) {
            sum.force = rbv_apply_transposed(first->axes, sum.force);
            sum.torque = rbv_apply_transposed(first->axes, sum.torque);
        }
        double *value = r->value[k];
        const double six[6] = {sum.force.x, sum.force.y, sum.force.z, sum.torque.x, sum.torque.y, sum.torque.z};
        for (int c = RBV_FX; c <= RBV_TZ; c++)
            value[c] = rbv_component_in(r->possible[k], c) ? six[c] : 0;
        if (r->mixed[k])
            print_mixed(r, state, k);
        if (rbv_component_in(r->printed[k], RBV_LINE_F))
            print_lines(r, state, k, r->lambda[system->joint_row[k]]);
    }
    for (int32_t i = 0; i < system->friction_count; i++) /* others: forces.c */
        for (int c = 0; system->friction[i].own && c < system->friction[i].count; c++)
            r->value[system->friction[i].joint][system->friction[i].slip[c].component] =
                -r->lambda[system->friction[i].stick_row + c];
    for (int32_t k = 0; k < model->drives.count; k++)
        r->effort[k] = -r->lambda[system->drive_row[k]];
    for (int32_t k = 0; k < model->constraints.count; k++)
        r->multiplier[k] = r->carried[k] = r->ideal[k] = -r->lambda[system->constraint_row[k]];
    for (int32_t k = 0; k < model->stops.count; k++) {
        r->stop[k] = 0;
        for (int side = 0; side < 2; side++)
            r->stop[k] -= system->stop_row[2 * k + side] >= 0 ? r->lambda[system->stop_row[2 * k + side]] : 0;
    }
}

void rbv_reactions_decide(RbvReactions *r, const RbvState *state, RbvSolvability *s) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    const double one = 1;
    r->opened = false;
    for (int32_t k = 0; k < model->joints.count; k++) {
        int32_t first = system->joint_row[k], count = system->joint_row[k + 1] - first;
        bool holds = count == 0 || rbv_solvability_holds(s, first);
        bool plain = holds && rbv_solvability_is_plain(s, rbv_solvability_block(s, first));
        for (int component = 0; component < RBV_FRICTION && component < rbv_reactions_components(r, k); component++) {
            if (!rbv_component_in(r->possible[k], component))
                continue;
            if (!holds) {
                r->verdict[k][component] = RBV_FREE;
                continue;
            }
            if (!plain) {
                double size = 0;
                rbv_reactions_functional(r, state, k, component, r->scratch);
                for (int32_t n = 0; n < count; n++) { /* verdicts of inactive rows are decided elsewhere */
                    r->scratch[n] = rbv_solvability_holds(s, first + n) ? r->scratch[n] : 0;
                    size += fabs(r->scratch[n]);
                }
                /* an axis orthogonal to the line of force has no force along it at all */
                if (component < RBV_TX && size < RBV_DATA)
                    memset(r->scratch, 0, (size_t)count * sizeof *r->scratch);
            }
            /* in axes that turn against the constrained directions, a component may happen to be orthogonal to all
             * of them */
            if (component < RBV_LINE_F && r->mixed[k] && is_free(r, state, k, component))
                r->verdict[k][component] = RBV_FREE;
            else
                r->verdict[k][component] = plain ? RBV_UNIQUE : rbv_solvability_verdict(s, first, count, r->scratch);
        }
    }
    for (int32_t i = 0; i < system->friction_count; i++) /* contacts that stick by the joint's own rows */
        for (int c = 0; system->friction[i].own && c < system->friction[i].count; c++)
            r->verdict[system->friction[i].joint][system->friction[i].slip[c].component] =
                rbv_solvability_verdict(s, system->friction[i].stick_row + c, 1, &one);
    for (int32_t k = 0; k < model->drives.count; k++)
        r->effort_verdict[k] = rbv_solvability_verdict(s, system->drive_row[k], 1, &one);
    for (int32_t k = 0; k < model->constraints.count; k++)
        r->multiplier_verdict[k] = rbv_solvability_verdict(s, system->constraint_row[k], 1, &one);
    for (int32_t k = 0; k < 2 * model->stops.count; k++)
        if (system->stop_row[k] >= 0 &&
            (k % 2 == 0 || system->stop_row[k - 1] < 0 || rbv_solvability_holds(s, system->stop_row[k])))
            r->stop_verdict[k / 2] = rbv_solvability_verdict(s, system->stop_row[k], 1, &one);
}

/* Multipliers from wrenches: part = R^-1 Q^T for the unit wrenches G = Q R of a joint's rows (Gram and Schmidt). */

static double dot_numbers(int width, const double *a, const double *b) {
    double sum = 0;
    for (int c = 0; c < width; c++)
        sum += a[c] * b[c];
    return sum;
}

void rbv_wrench_parts(int rows, int width, double unit[6][6], double part[6][6]) {
    double R[6][6] = {{0}};
    for (int k = 0; k < rows; k++) {
        double *Q = unit[k], whole = dot_numbers(width, Q, Q);
        for (int i = 0; i < k; i++) {
            R[i][k] = dot_numbers(width, unit[i], Q);
            for (int c = 0; c < width; c++)
                Q[c] -= R[i][k] * unit[i][c];
        }
        double left = dot_numbers(width, Q, Q);
        /* A row's wrench of which less than this part lies outside those of previous rows is a combination of them. */
        bool own = left > RBV_DATA * RBV_DATA * whole;
        R[k][k] = own ? sqrt(left) : 1;
        for (int c = 0; c < width; c++)
            Q[c] = own ? Q[c] / R[k][k] : 0;
    }
    for (int k = rows - 1; k >= 0; k--)
        for (int c = 0; c < width; c++) {
            double sum = unit[k][c];
            for (int i = k + 1; i < rows; i++)
                sum -= R[k][i] * part[i][c];
            part[k][c] = sum / R[k][k];
        }
}

void rbv_wrench_numbers(bool spatial, RbvWrench w, double length, double x[6]) {
    const double all[6] = {w.force.x,           w.force.y,           spatial ? w.force.z : w.torque.z / length,
                           w.torque.x / length, w.torque.y / length, w.torque.z / length};
    memcpy(x, all, sizeof all);
}
