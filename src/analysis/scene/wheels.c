/* Draws gears, racks, belts and chains: wheels about the z axes of their markers with their pitch radii. Numbers of
 * teeth are those of the model; else the smaller wheel gets sixteen. */
#include "analysis/scene/draft.h"

#include <string.h>

#define LEAST_TEETH 16
#define MOST_TEETH 400
#define RACK_TEETH 13

static int32_t teeth_of(const RbvJoint *joint, const double radii[2], int side) {
    if (joint->sizes->teeth[0] > 0)
        return (int32_t)fmin(MOST_TEETH, round(joint->sizes->teeth[side]));
    return (int32_t)fmin(MOST_TEETH, round(LEAST_TEETH * radii[side] / fmin(radii[0], radii[1])));
}

/* Least cosine of the angle between axes that are drawn as parallel. */
#define PARALLEL 0.99

/* Angle [rad] about the z of a wheel's figure, from its x, of a direction in ground's axes. */
static double angle_of(const RbvDraft *s, int32_t marker, RbvVec3 way) {
    RbvVec3 on_body = rbv_apply_transposed(&s->state->bodies[rbv_draft_body(s, marker)].A, way);
    return atan2(rbv_dot(on_body, rbv_draft_axis(s, marker, 1)), rbv_dot(on_body, rbv_draft_axis(s, marker, 0)));
}

static RbvVec3 axis_in_ground(const RbvDraft *s, int32_t marker) {
    return rbv_apply(&s->state->bodies[rbv_draft_body(s, marker)].A, rbv_draft_axis(s, marker, 2));
}

/* Position of an angle in the tooth pattern of a wheel whose figure is turned by `phase`: in pitches from a tooth. */
static double teeth_at(double angle, double phase, int32_t teeth) {
    return teeth * (angle - phase) / RBV_TWO_PI;
}

/* Phase [rad] with which the second wheel's teeth fit the first one's gaps at the contact: half a pitch apart. Along
 * the common tangent the pattern of an outer second wheel runs in the opposite direction. */
static double meshing_phase(const RbvDraft *s, const RbvJoint *joint, double first_phase, const int32_t teeth[2],
                            const double radii[2]) {
    const int32_t *m = joint->marker;
    RbvVec3 way = rbv_sub(rbv_draft_point(s, m[1]), rbv_draft_point(s, m[0]));
    double aligned = rbv_dot(axis_in_ground(s, m[0]), axis_in_ground(s, m[1]));
    if (joint->kind->name[0] != 'g' || !(fabs(aligned) > PARALLEL) || !(rbv_norm(way) > 0))
        return 0;
    bool first_inside = joint->internal && radii[0] < radii[1], second_inside = joint->internal && !first_inside;
    double run = (joint->internal ? 1 : -1) * (aligned < 0 ? -1 : 1);
    double own = angle_of(s, m[0], rbv_scale(first_inside ? -1 : 1, way)),
           other = angle_of(s, m[1], rbv_scale(second_inside ? 1 : -1, way));
    double requested = 0.5 + run * teeth_at(own, first_phase, teeth[0]);
    return RBV_TWO_PI * (teeth_at(other, 0, teeth[1]) - requested) / teeth[1];
}

#define THREAD_POINTS 121

/* Draw the thread of a worm around its axis. */
static void worm(RbvDraft *s, const RbvJoint *joint, double radius) {
    RbvVec3 points[THREAD_POINTS];
    double length = 3 * radius, pitch = joint->sizes->pitch, most = length / 3;
    pitch = fabs(pitch) > 0 && fabs(pitch) < most ? pitch : most;
    for (int k = 0; k < THREAD_POINTS; k++) {
        double z = length * (k / (THREAD_POINTS - 1.0) - 0.5), angle = RBV_TWO_PI * z / pitch;
        points[k] = rbv_draft_place(s, joint->marker[0], rbv_vec3(radius * cos(angle), radius * sin(angle), z));
    }
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]),
                    rbv_draft_place(s, joint->marker[0], rbv_vec3(0, 0, -0.5 * length)),
                    rbv_draft_place(s, joint->marker[0], rbv_vec3(0, 0, 0.5 * length)), 0.8 * radius);
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[0]), points, THREAD_POINTS, false, false);
}

static void gears(RbvDraft *s, const RbvJoint *joint, const double radii[2]) {
    double width = 0.3 * fmin(radii[0], radii[1]);
    int32_t teeth[2] = {teeth_of(joint, radii, 0), teeth_of(joint, radii, 1)};
    double phase = 0;
    if (strcmp(joint->kind->name, "worm") == 0) {
        worm(s, joint, radii[0]);
    } else {
        int32_t first =
            rbv_draft_wheel(s, joint->marker[0], radii[0], width, teeth[0], joint->internal && radii[0] > radii[1], 0);
        const RbvSceneFigure *drawn = first >= 0 ? &rbv_result_scene(s->result)->figures[first] : NULL;
        if (drawn && drawn->count != teeth[0] && drawn->count > 0) { /* already drawn for another pair */
            teeth[1] = (int32_t)fmin(MOST_TEETH, fmax(3, round(drawn->count * radii[1] / radii[0])));
            teeth[0] = drawn->count;
        }
        if (drawn)
            phase = meshing_phase(s, joint, rbv_draft_phase(s, first, joint->marker[0]), teeth, radii);
    }
    rbv_draft_wheel(s, joint->marker[1], radii[1], width, teeth[1], joint->internal && radii[1] > radii[0], phase);
}

/* Draw a rack: teeth along its x, around its pitch line, beside the pinion. */
static void rack(RbvDraft *s, const RbvJoint *joint) {
    double radius = joint->sizes->radii[1], pitch = RBV_TWO_PI * radius / LEAST_TEETH, depth = 0.3 * pitch;
    int32_t line = s->spatial ? joint->rack : joint->marker[0];
    RbvVec3 d = rbv_draft_seen(s, line, joint->marker[1]), points[4 * RACK_TEETH];
    double side = d.y < 0 ? -1 : 1;
    for (int k = 0; k < 4 * RACK_TEETH; k++) {
        static const double at[4] = {-0.45, -0.2, 0.2, 0.45};
        double x = d.x + pitch * (k / 4 - RACK_TEETH / 2 + at[k % 4]), y = k % 4 == 1 || k % 4 == 2 ? depth : -depth;
        points[k] = rbv_draft_place(s, line, rbv_vec3(x, side * y, d.z));
    }
    rbv_draft_guide(s, rbv_draft_line(s, rbv_draft_body(s, line), points, RBV_RACK_PERIOD * RACK_TEETH, false, false),
                    (const int32_t[2]){line, joint->marker[1]}, 1, (RACK_TEETH / 2) * pitch, RBV_RACK_PERIOD);
    RbvVec3 down = rbv_draft_axis(
        s, line,
        1); /* on the rack's body, direction from the pinion to its pitch point; there a gap is opposite a tooth */
    down = rbv_apply(&s->state->bodies[rbv_draft_body(s, line)].A, rbv_scale(-side, down));
    double gap = angle_of(s, joint->marker[1], down), phase = gap - RBV_TWO_PI * 0.5 / LEAST_TEETH;
    rbv_draft_wheel(s, joint->marker[1], radius, 0.3 * radius, LEAST_TEETH, false, phase);
}

static void belt(RbvDraft *s, const RbvJoint *joint, const double radii[2]) {
    bool chain = strcmp(joint->kind->name, "chain") == 0;
    RbvSceneFigure strand = {
        .kind = RBV_SCENE_STRAND, .radius = radii[0], .other = radii[1], .crossed = joint->crossed};
    for (int side = 0; side < 2; side++) {
        RbvVec3 at = rbv_draft_at(s, joint->marker[side]);
        RbvQuat turn = rbv_draft_turn(s, joint->marker[side]);
        double *place = side ? strand.to : strand.at, *p = side ? strand.turn_to : strand.turn;
        rbv_draft_wheel(s, joint->marker[side], radii[side], 0.3 * fmin(radii[0], radii[1]),
                        chain ? teeth_of(joint, radii, side) : 0, false, 0);
        strand.on[side] = rbv_draft_body(s, joint->marker[side]);
        place[0] = at.x, place[1] = at.y, place[2] = at.z;
        p[0] = turn.w, p[1] = turn.e.x, p[2] = turn.e.y, p[3] = turn.e.z;
    }
    rbv_draft_figure(s, strand);
}

void rbv_draft_wheels(RbvDraft *s, int32_t k) {
    const RbvJoint *joint = &s->model->joints.items[k];
    const double *radii = s->state->system->wheel ? s->state->system->wheel[k] : joint->sizes->radii;
    if (joint->form == RBV_FORM_RACK)
        rack(s, joint);
    else if (joint->form == RBV_FORM_BELT)
        belt(s, joint, radii);
    else
        gears(s, joint, radii);
}
