/* Gears, racks, belts and chains: wheels about the z of their markers with their pitch radii. Teeth are those of the model, else so many that the smaller wheel has sixteen. */
#include "scene/draft.h"

#include <string.h>

#define LEAST_TEETH 16
#define MOST_TEETH 400
#define RACK_TEETH 13

static int32_t teeth_of(const RbvJoint *joint, const double radii[2], int side) {
    if (joint->sizes->teeth[0] > 0)
        return (int32_t)fmin(MOST_TEETH, round(joint->sizes->teeth[side]));
    return (int32_t)fmin(MOST_TEETH, round(LEAST_TEETH * radii[side] / fmin(radii[0], radii[1])));
}

#define THREAD_POINTS 121

/* The thread of a worm around its axis. */
static void worm(RbvDraft *s, const RbvJoint *joint, double radius) {
    RbvVec3 points[THREAD_POINTS];
    double length = 3 * radius, pitch = joint->sizes->pitch, most = length / 3;
    pitch = fabs(pitch) > 0 && fabs(pitch) < most ? pitch : most;
    for (int k = 0; k < THREAD_POINTS; k++) {
        double z = length * (k / (THREAD_POINTS - 1.0) - 0.5), angle = RBV_TWO_PI * z / pitch;
        points[k] = rbv_draft_place(s, joint->marker[0], rbv_vec3(radius * cos(angle), radius * sin(angle), z));
    }
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]), rbv_draft_place(s, joint->marker[0], rbv_vec3(0, 0, -0.5 * length)),
                   rbv_draft_place(s, joint->marker[0], rbv_vec3(0, 0, 0.5 * length)), 0.8 * radius);
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[0]), points, THREAD_POINTS, false, false);
}

static void gears(RbvDraft *s, const RbvJoint *joint, const double radii[2]) {
    double width = 0.3 * fmin(radii[0], radii[1]);
    bool is_worm = strcmp(joint->kind->name, "worm") == 0;
    for (int side = 0; side < 2; side++)
        if (side == 0 && is_worm)
            worm(s, joint, radii[0]);
        else
            rbv_draft_wheel(s, joint->marker[side], radii[side], width, teeth_of(joint, radii, side), joint->internal && radii[side] > radii[1 - side]);
}

/* Teeth along the x of the rack, around its pitch line, beside the pinion. */
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
    rbv_draft_line(s, rbv_draft_body(s, line), points, 4 * RACK_TEETH, false, false);
    rbv_draft_wheel(s, joint->marker[1], radius, 0.3 * radius, LEAST_TEETH, false);
}

static void belt(RbvDraft *s, const RbvJoint *joint, const double radii[2]) {
    bool chain = strcmp(joint->kind->name, "chain") == 0;
    RbvSceneFigure strand = {.kind = RBV_SCENE_STRAND, .radius = radii[0], .other = radii[1], .crossed = joint->crossed};
    for (int side = 0; side < 2; side++) {
        RbvVec3 at = rbv_draft_at(s, joint->marker[side]);
        RbvQuat turn = rbv_draft_turn(s, joint->marker[side]);
        double *place = side ? strand.to : strand.at, *p = side ? strand.turn_to : strand.turn;
        rbv_draft_wheel(s, joint->marker[side], radii[side], 0.3 * fmin(radii[0], radii[1]), chain ? teeth_of(joint, radii, side) : 0, false);
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
