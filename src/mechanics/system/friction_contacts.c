/* Friction contacts at a state; see friction_contacts.h. */
#include "mechanics/system/friction_contacts.h"

#include "core/base/extremes.h"

#include <math.h>

#define PI 3.14159265358979323846

double rbv_friction_rate(const RbvState *state, const RbvFrictionContact *friction, int c) {
    const RbvSlipDirection *slip = &friction->slip[c];
    double rate = 0;
    for (int t = 0; t < slip->terms; t++)
        rate += slip->weight[t] * state->measures[slip->measure[t]].rate;
    return rate;
}

double rbv_friction_slide(const RbvState *state, const RbvFrictionContact *friction,
                          double u[RBV_MOST_SLIP_DIRECTIONS]) {
    double sum = 0;
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
        u[c] = c < friction->count ? friction->slip[c].lever * rbv_friction_rate(state, friction, c) : 0;
        sum += u[c] * u[c];
    }
    return friction->count == 1 ? fabs(u[0]) : sqrt(sum);
}

void rbv_friction_hold_here(RbvState *state, const RbvFrictionContact *friction) {
    const RbvSystem *system = state->system;
    for (int32_t k = friction->stick_row; k < friction->stick_row + friction->count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->on_rates)
            continue;
        state->row_turn[k] = -row->constant;
        for (int32_t n = row->first; n < row->first + row->count; n++)
            state->row_turn[k] += system->terms[n].coefficient * state->measures[system->terms[n].measure].value;
    }
}

double rbv_friction_second(const RbvState *state, const RbvFrictionContact *friction, int c) {
    const RbvSlipDirection *slip = &friction->slip[c];
    double sum = 0;
    for (int t = 0; t < slip->terms; t++) {
        const RbvMeasureState *measure = &state->measures[slip->measure[t]];
        double second = measure->bias;
        for (int side = 0; side < 2; side++) {
            int32_t body = state->markers[state->system->model->measures.items[slip->measure[t]].marker[side]].body;
            second += rbv_power(measure->gradient[side], state->accelerations[body]);
        }
        sum += slip->weight[t] * second;
    }
    return slip->lever * sum;
}

void rbv_friction_push(const RbvState *state, const RbvFrictionContact *friction, int c, double effort,
                       RbvWrench *wrenches) {
    const RbvSlipDirection *slip = &friction->slip[c];
    for (int t = 0; t < slip->terms; t++)
        for (int side = 0; side < 2; side++) {
            RbvWrench *at =
                &wrenches[state->markers[state->system->model->measures.items[slip->measure[t]].marker[side]].body];
            *at =
                rbv_wrench_add_scaled(*at, slip->weight[t] * effort, state->measures[slip->measure[t]].gradient[side]);
        }
}

RbvVec3 rbv_friction_across(const RbvState *state, const RbvFrictionContact *friction, int c) {
    const RbvSlipDirection *slip = &friction->slip[c];
    RbvVec3 sum = {0, 0, 0};
    if (!rbv_forms[state->system->model->joints.items[friction->joint].form].bar)
        return sum;
    for (int t = 0; t < slip->terms; t++)
        sum = rbv_add_scaled(sum, slip->weight[t], state->measures[slip->measure[t]].gradient[1].force);
    return sum;
}

/* Norm of a, and its derivative by a: 0 at a = 0. */
static double size_of(RbvVec3 a, RbvVec3 *slope) {
    double size = rbv_norm(a);
    *slope = size > 0 ? rbv_scale(1 / size, a) : rbv_vec3(0, 0, 0);
    return size;
}

static double sign_of(double x) {
    return x >= 0 ? 1 : -1;
}

/* Load of a guide along its axis `along` with two ends, each a half length h from the middle: each end carries half the
 * transverse force, and the transverse couple divided by 2 h. */
static double load_of_ends(RbvWrench w, int along, double h, RbvWrench *slope) {
    RbvVec3 axis = {along == 0, along == 1, along == 2},
            across = rbv_add_scaled(w.force, -rbv_dot(w.force, axis), axis);
    double lever = h > 0 ? 0.5 / h : 0, sum = 0;
    RbvVec3 couple = rbv_scale(lever, rbv_cross(w.torque, axis)); /* h axis x (2 couple) is the transverse torque */
    for (int end = -1; end <= 1; end += 2) {
        RbvVec3 slip;
        sum += size_of(rbv_add_scaled(rbv_scale(0.5, across), end, couple), &slip);
        slope->force = rbv_add_scaled(slope->force, 0.5, slip);
        slope->torque = rbv_add_scaled(slope->torque, end * lever, rbv_cross(axis, slip));
    }
    double twist = h > 0 ? rbv_dot(w.torque, axis) / h : 0;
    slope->torque = rbv_add_scaled(slope->torque, h > 0 ? sign_of(twist) / h : 0, axis);
    return sum + fabs(twist);
}

/* Load |T|/r of balls that run at the radius r. */
static double load_of_couple(RbvVec3 T, double r, RbvWrench *slope) {
    double size = r > 0 ? size_of(T, &slope->torque) / r : 0;
    slope->torque = rbv_scale(r > 0 ? 1 / r : 0, slope->torque);
    return size;
}

/* Normal load for the wrench w in the axes of the contact. */
static double load_of(const RbvJoint *joint, RbvPress press, RbvWrench w, RbvWrench *slope) {
    RbvVec3 F = w.force;
    double size;
    switch (press) {
    case RBV_PRESS_RADIAL: return size_of(rbv_vec3(F.x, F.y, 0), &slope->force);
    case RBV_PRESS_BEARING:
        size = size_of(rbv_vec3(F.x, F.y, 0), &slope->force);
        slope->force.z = F.z == 0 ? 0 : sign_of(F.z);
        return size + fabs(F.z);
    case RBV_PRESS_ENDS: return load_of_ends(w, joint->spatial ? 2 : 0, joint->sizes->friction_radius, slope);
    case RBV_PRESS_ACROSS: return size_of(rbv_vec3(0, F.y, 0), &slope->force);
    case RBV_PRESS_NORMAL: return size_of(rbv_vec3(0, 0, F.z), &slope->force);
    case RBV_PRESS_TOTAL: return size_of(F, &slope->force);
    case RBV_PRESS_BALLS:
        return size_of(F, &slope->force) + load_of_couple(w.torque, joint->sizes->friction_radius, slope);
    case RBV_PRESS_GIVEN: return joint->sizes->friction_normal;
    case RBV_PRESS_TEETH:
    case RBV_PRESS_WRAP: break; /* see rbv_friction_load */
    case RBV_PRESS_THREAD:
        size = sqrt(1 + rbv_thread_slope(joint) * rbv_thread_slope(joint));
        slope->force = rbv_vec3(0, 0, size * sign_of(F.z));
        return size * fabs(F.z);
    }
    return 0;
}

/* The load that, times mu, is the largest pull of a belt; see RBV_PRESS_WRAP. An open belt touches the smaller pulley
 * along the angle pi - 2 asin(|r2 - r1|/d), a crossed belt touches both along pi + 2 asin((r1 + r2)/d). */
static double wrap_load(const RbvState *state, int32_t index) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const double *r = state->system->wheel[index], mu = joint->sizes->friction;
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    RbvVec3 d = rbv_sub(j->point, i->point);
    if (joint->spatial)
        d = rbv_add_scaled(d, -rbv_dot(d, i->axes->column[2]), i->axes->column[2]);
    double reach = joint->crossed ? r[0] + r[1] : fabs(r[1] - r[0]), angle = asin(rbv_min(1, reach / rbv_norm(d)));
    double wrap = PI + 2 * (joint->crossed ? angle : -angle);
    return mu > 0 ? 2 * joint->sizes->preload * tanh(0.5 * mu * wrap) / mu : joint->sizes->preload * wrap;
}

/* Load of teeth; see RBV_PRESS_TEETH. The force components normal to Fn need not be in the reaction, so the load is
 * computed from Fn alone. In the plane Fn is normal to the line of centres. */
static double tooth_load(const RbvState *state, const RbvJoint *joint, RbvVec3 force, RbvWrench *slope) {
    const RbvMesh *mesh = joint->mesh >= 0 ? &state->system->model->meshes.items[joint->mesh] : NULL;
    RbvVec3 d = rbv_sub(state->markers[joint->marker[1]].point, state->markers[joint->marker[0]].point),
            none = {0, 0, 0};
    RbvVec3 n =
        mesh ? state->markers[mesh->line[0]].axes->column[1] : rbv_scale(1 / rbv_norm(d), rbv_vec3(-d.y, d.x, 0));
    double apart = mesh ? mesh->apart : tan(joint->sizes->pressure_angle) / cos(joint->sizes->helix_angle),
           axial = mesh ? mesh->axial : tan(joint->sizes->helix_angle);
    double along = rbv_dot(force, n), factor = sqrt(1 + apart * apart + axial * axial);
    *slope = (RbvWrench){rbv_scale(factor * sign_of(along), n), none};
    return factor * fabs(along);
}

double rbv_friction_load(const RbvState *state, const RbvFrictionContact *friction, RbvWrench reaction,
                         RbvWrench *slope) {
    const RbvJoint *joint = &state->system->model->joints.items[friction->joint];
    if (friction->surfaces->press == RBV_PRESS_WRAP) {
        *slope = (RbvWrench){{0, 0, 0}, {0, 0, 0}};
        return wrap_load(state, friction->joint);
    }
    if (friction->surfaces->press == RBV_PRESS_TEETH)
        return tooth_load(state, joint, reaction.force, slope);
    const RbvMat3 *axes = state->markers[joint->marker[friction->surfaces->second]].axes;
    RbvWrench own = {rbv_apply_transposed(axes, reaction.force), rbv_apply_transposed(axes, reaction.torque)},
              answer = {{0, 0, 0}, {0, 0, 0}};
    double load = load_of(joint, friction->surfaces->press, own, &answer);
    *slope = (RbvWrench){rbv_apply(axes, answer.force), rbv_apply(axes, answer.torque)};
    return load;
}
