/* Draws plane joints that lock directions or a distance. The symbol depends on the locked directions, not on the name
 * of the kind: x and y: a pin; y and the turn: a slide along x; y alone: a pin in a slot (kinds x and y: a roller);
 * the turn alone: two directions. Figures are at the second marker, guides along the first. */
#include "analysis/scene/draft.h"

#define X RBV_DIRECTION_X
#define Y RBV_DIRECTION_Y
#define RZ RBV_DIRECTION_RZ

static RbvVec3 along(int axis, double u, double v) {
    return axis == 0 ? rbv_vec3(u, v, 0) : rbv_vec3(v, u, 0);
}

static bool touches_ground(const RbvDraft *s, const RbvJoint *joint, int side) {
    return rbv_draft_body(s, joint->marker[side]) == 0;
}

/* Draw hatching along a line of a ground marker, at the height `v`, below it. */
static int32_t hatch_along(RbvDraft *s, int32_t marker, int axis, double from, double to, double v) {
    RbvVec3 a = rbv_draft_place(s, marker, along(axis, from, v)), b = rbv_draft_place(s, marker, along(axis, to, v)),
            way = rbv_draft_axis(s, marker, axis == 0 ? 1 : 0);
    return rbv_draft_hatching(s, a, b, rbv_scale(v < 0 ? -1 : 1, way));
}

/* Draw a slide: rectangle on its line, which is the first marker's x (0) or y (1). */
static void slide(RbvDraft *s, const RbvJoint *joint, int axis) {
    const int32_t *m = joint->marker;
    double h = s->symbol;
    RbvVec3 d = rbv_draft_seen(s, m[0], m[1]);
    double v = axis == 0 ? d.y : d.x, range[2];
    rbv_draft_travel(s, joint, axis, 2 * h, range);
    const RbvVec3 line[2] = {rbv_draft_place(s, m[0], along(axis, range[0], v)),
                             rbv_draft_place(s, m[0], along(axis, range[1], v))};
    rbv_draft_guide(s, rbv_draft_line(s, rbv_draft_body(s, m[0]), line, 2, false, false), m, 1 << axis, 2 * h, 0);
    rbv_draft_rectangle(s, m[1], rbv_vec3(0, 0, 0), axis == 0 ? 1.2 * h : 0.6 * h, axis == 0 ? 0.6 * h : 1.2 * h,
                        false);
    if (touches_ground(s, joint, 0))
        rbv_draft_guide(s, hatch_along(s, m[0], axis, range[0], range[1], v - 0.3 * h), m, 1 << axis, 2 * h,
                        RBV_HATCHING_PERIOD);
    else if (touches_ground(s, joint, 1))
        hatch_along(s, m[1], axis, -0.8 * h, 0.8 * h, -0.3 * h);
}

/* Draw a pin in a slot along the first marker's x (0) or y (1), at the offset held by the joint. */
static void slot(RbvDraft *s, const RbvJoint *joint, int axis) {
    const int32_t *m = joint->marker;
    double h = s->symbol, r = 0.3 * h;
    RbvVec3 d = rbv_draft_seen(s, m[0], m[1]), corner[18];
    double u = axis == 0 ? d.x : d.y;
    for (int k = 0; k < 18; k++) { /* two half circles */
        double angle = RBV_TWO_PI * (0.25 + (k % 9) / 16.0 + (k > 8 ? 0.5 : 0)), side = k > 8 ? 1 : -1;
        corner[k] = rbv_draft_place(
            s, m[0], along(axis, u + side * 1.2 * h + r * cos(angle), joint->sizes->value + r * sin(angle)));
    }
    rbv_draft_guide(s, rbv_draft_line(s, rbv_draft_body(s, m[0]), corner, 18, true, false), m, 1 << axis, 1.5 * h, 0);
    rbv_draft_pin(s, m[1]);
    if (touches_ground(s, joint, 0))
        rbv_draft_guide(s, hatch_along(s, m[0], axis, u - 1.2 * h, u + 1.2 * h, joint->sizes->value - r), m, 1 << axis,
                        1.2 * h, RBV_HATCHING_PERIOD);
    rbv_draft_support(s, m[1]);
}

/* Draw a roller below the second marker on a surface along the first marker's x (0) or y (1); the other direction is
 * free. */
static void roller(RbvDraft *s, const RbvJoint *joint, int axis) {
    const int32_t *m = joint->marker;
    double h = s->symbol, v = joint->sizes->value - 0.25 * h;
    RbvVec3 d = rbv_draft_seen(s, m[0], m[1]);
    double u = axis == 0 ? d.x : d.y;
    const RbvVec3 line[2] = {rbv_draft_place(s, m[0], along(axis, u - 1.2 * h, v)),
                             rbv_draft_place(s, m[0], along(axis, u + 1.2 * h, v))};
    rbv_draft_pin(s, m[1]);
    rbv_draft_guide(s, rbv_draft_line(s, rbv_draft_body(s, m[0]), line, 2, false, false), m, 1 << axis, 1.2 * h, 0);
    if (touches_ground(s, joint, 0))
        rbv_draft_guide(
            s, rbv_draft_hatching(s, line[0], line[1], rbv_scale(-1, rbv_draft_axis(s, m[0], axis == 0 ? 1 : 0))), m,
            1 << axis, 1.2 * h, RBV_HATCHING_PERIOD);
    rbv_draft_support(s, m[1]);
}

#define ARC_POINTS 13
/* [rad] Smaller angles between two directions are not visible. */
#define SEEN 0.15

/* Draw a stroke of the second marker from its origin at an angle to its x, and a parallel one at the distance
 * `beside`. */
static void stroke(RbvDraft *s, const RbvJoint *joint, double angle, double from, double to, double beside) {
    RbvVec3 x = rbv_vec3(cos(angle), sin(angle), 0), y = rbv_vec3(-beside * sin(angle), beside * cos(angle), 0);
    const RbvVec3 line[2] = {rbv_draft_place(s, joint->marker[1], rbv_add_scaled(y, from, x)),
                             rbv_draft_place(s, joint->marker[1], rbv_add_scaled(y, to, x))};
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), line, 2, false, false);
}

/* Draw a locked turn: two short parallel lines; for an angle its two directions, and the arc from the first marker's
 * x to the second's. */
static void held_turn(RbvDraft *s, const RbvJoint *joint) {
    double h = s->symbol, angle = remainder(joint->sizes->value, RBV_TWO_PI);
    RbvVec3 arc[ARC_POINTS];
    if (!(fabs(angle) > SEEN)) {
        stroke(s, joint, 0, -0.5 * h, 0.5 * h, 0.12 * h);
        stroke(s, joint, 0, -0.5 * h, 0.5 * h, -0.12 * h);
        return;
    }
    stroke(s, joint, 0, 0, 1.1 * h, 0);
    stroke(s, joint, -angle, 0, 1.1 * h, 0);
    for (int k = 0; k < ARC_POINTS; k++) {
        double at = -angle * k / (ARC_POINTS - 1.0);
        arc[k] = rbv_draft_place(s, joint->marker[1], rbv_vec3(0.75 * h * cos(at), 0.75 * h * sin(at), 0));
    }
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), arc, ARC_POINTS, false, false);
}

/* Draw a fixed joint: filled corner, and hatching beside it on ground. */
static void fixed(RbvDraft *s, const RbvJoint *joint) {
    double h = 0.35 * s->symbol;
    const RbvVec3 corner[3] = {rbv_draft_place(s, joint->marker[1], rbv_vec3(-h, -h, 0)),
                               rbv_draft_place(s, joint->marker[1], rbv_vec3(h, -h, 0)),
                               rbv_draft_place(s, joint->marker[1], rbv_vec3(-h, h, 0))};
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), corner, 3, true, true);
    for (int side = 0; side < 2; side++)
        if (touches_ground(s, joint, side))
            hatch_along(s, joint->marker[side], 1, -2.5 * h, 2.5 * h, -h);
}

static void pin(RbvDraft *s, const RbvJoint *joint) {
    rbv_draft_pin(s, joint->marker[1]);
    rbv_draft_support(s, joint->marker[touches_ground(s, joint, 0) ? 0 : 1]);
}

/* Draw a bar between two pins. */
static void bar(RbvDraft *s, const RbvJoint *joint) {
    rbv_draft_between(s, RBV_SCENE_BAR, joint->marker, 0.08 * s->symbol, 0);
    for (int side = 0; side < 2; side++) {
        rbv_draft_pin(s, joint->marker[side]);
        rbv_draft_support(s, joint->marker[side]);
    }
}

/* Draw a knife edge as a line, a wheel as a filled rectangle (seen from above), along the second marker's x. */
static void edge(RbvDraft *s, const RbvJoint *joint) {
    const RbvVec3 line[2] = {rbv_draft_place(s, joint->marker[1], rbv_vec3(-0.6 * s->symbol, 0, 0)),
                             rbv_draft_place(s, joint->marker[1], rbv_vec3(0.6 * s->symbol, 0, 0))};
    if (joint->kind->name[0] == 'w')
        rbv_draft_rectangle(s, joint->marker[1], rbv_vec3(0, 0, 0), 1.2 * s->symbol, 0.3 * s->symbol, true);
    else
        rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), line, 2, false, false);
}

void rbv_draft_plane_joint(RbvDraft *s, const RbvJoint *joint) {
    int locks = joint->locks & (X | Y | RZ);
    if (joint->form == RBV_FORM_DISTANCE)
        bar(s, joint);
    else if (joint->form == RBV_FORM_EDGE)
        edge(s, joint);
    else if (locks == (X | Y | RZ))
        fixed(s, joint);
    else if (locks == (X | Y))
        pin(s, joint);
    else if (locks == (Y | RZ) || locks == (X | RZ))
        slide(s, joint, locks & Y ? 0 : 1);
    else if ((locks == Y || locks == X) && joint->kind->name[1] == '\0') /* kinds x and y */
        roller(s, joint, locks & Y ? 0 : 1);
    else if (locks == Y || locks == X)
        slot(s, joint, locks & Y ? 0 : 1);
    else if (locks == RZ)
        held_turn(s, joint); /* no locked direction: no symbol, only the name */
}
