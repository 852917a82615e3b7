/* Hidden columns that the sizing of drives and joints reads: relative speeds, rates of drives, and the inertia that a
 * drive feels (docs/sizing.md). */
#include "solution/record/record.h"

#include "mechanics/element/measure.h"
#include "model/model/keys.h"

#include <math.h>
#include <string.h>

/* Speed of the second body relative to the first: a turn about the joint's axis [rad/s], of a ball in a socket about
 * any; of a slide along it [m/s]. */
static double joint_speed(const RbvState *state, int32_t k) {
    const RbvJoint *joint = &state->system->model->joints.items[k];
    const RbvMarkerState *first = &state->markers[joint->marker[0]], *second = &state->markers[joint->marker[1]];
    RbvTwist v1 = state->twists[first->body], v2 = state->twists[second->body];
    RbvVec3 w = rbv_sub(v2.w, v1.w);
    if (strcmp(joint->kind->name, "spherical") == 0)
        return rbv_norm(w);
    bool slides = rbv_key_belongs("prismatic translational", joint->kind->name);
    RbvVec3 axis = slides && !joint->spatial ? rbv_vec3(1, 0, 0) : rbv_vec3(0, 0, 1);
    axis = rbv_apply(first->axes, axis);
    if (!slides)
        return rbv_dot(axis, w);
    /* the velocity of the second's origin as seen from the first body */
    RbvVec3 u = rbv_sub(rbv_marker_velocity(second, v2), rbv_marker_velocity(first, v1));
    u = rbv_sub(u, rbv_cross(v1.w, rbv_sub(second->point, first->point)));
    return rbv_dot(axis, u);
}

static void record_drive(const RbvRecord *record, const RbvState *state, int32_t k, double *to) {
    const RbvModel *model = state->system->model;
    bool actuator = k >= model->drives.count;
    const RbvCoordinateRef *of =
        actuator ? &model->actuators.items[k - model->drives.count].of : &model->drives.items[k].of;
    double value;
    int32_t m = of->measure;
    rbv_state_coordinate(state, of, &value, &to[0]);
    /* an expression of coordinates has no second rate */
    to[1] = m < 0 ? NAN
                  : rbv_measure_second_rate(&model->measures.items[m], state->markers, state->accelerations,
                                            &state->measures[m]);
    to[2] = record->felt && !actuator ? record->felt[k] : NAN;
}

/* Reaction of a joint, given in ground's axes, along those of its first marker: to[6]. */
static void turn_reaction(const RbvState *state, int32_t k, const double *value, double *to) {
    const RbvMat3 *axes = state->markers[state->system->model->joints.items[k].marker[0]].axes;
    for (int c = 0; c < 6; c++) {
        const RbvVec3 along[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        const double *v = value + (c < 3 ? RBV_FX : RBV_TX);
        to[c] = rbv_dot(rbv_apply(axes, along[c % 3]), rbv_vec3(v[0], v[1], v[2]));
    }
}

/* Largest magnitudes of the six components within ranges of compliances; NaN: no ranges are in use. */
static void record_most(const RbvReactions *reactions, int32_t k, double *to) {
    for (int c = 0; c < 6; c++) {
        int component = (c < 3 ? RBV_FX : RBV_TX) + c % 3;
        to[c] = reactions->most ? reactions->most[k][component] : NAN;
    }
}

/* [rad/s] The fastest rate of all bodies, speeds over the size of the body's part. */
static double fastest_rate(const RbvState *state) {
    double most = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        most = fmax(most, rbv_norm(state->twists[b].w) + rbv_norm(state->twists[b].v) / rbv_state_body_size(state, b));
    return most;
}

void rbv_record_speeds(const RbvRecord *record, const RbvState *state, const RbvReactions *reactions, double *row) {
    const RbvResult *result = record->result;
    if (result->fastest > 0)
        row[result->fastest] = fastest_rate(state);
    for (int32_t k = 0; k < result->joints.count; k++) {
        double *to = row + result->joints.items[k].rate;
        if (result->joints.items[k].rate == 0)
            continue;
        to[0] = joint_speed(state, k);
        if (reactions->frame == RBV_FRAME_GROUND)
            turn_reaction(state, k, reactions->value[k], to + 1);
        if (result->joints.items[k].most > 0)
            record_most(reactions, k, row + result->joints.items[k].most);
    }
    for (int32_t k = 0; k < result->drives.count; k++)
        if (result->drives.items[k].rate > 0)
            record_drive(record, state, k, row + result->drives.items[k].rate);
}
