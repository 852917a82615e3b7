/* Symbols of joints in space that hold directions or a distance. What is held decides: one turn that is free has its axis, of a slide the direction that is free. Other combinations are a small cube. */
#include "scene/draft.h"

#define TURNS (RBV_DIRECTIONS_TURNS >> 3)

static RbvVec3 unit(int axis, double length) {
    return rbv_vec3(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/* The one bit that is set among three, or -1. */
static int only(int mask) {
    return mask == 1 ? 0 : mask == 2 ? 1 : mask == 4 ? 2 : -1;
}

/* A cylinder about an axis of a marker, its middle at the marker. */
static void barrel(RbvDraft *s, int32_t marker, int axis, double length, double radius) {
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, marker), rbv_draft_place(s, marker, unit(axis, -0.5 * length)), rbv_draft_place(s, marker, unit(axis, 0.5 * length)), radius);
}

/* A thin rod of the first along its axis, beside the second. */
static void guide(RbvDraft *s, const RbvJoint *joint, int axis, double length) {
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]);
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]), rbv_draft_place(s, joint->marker[0], rbv_add(d, unit(axis, -0.5 * length))),
                   rbv_draft_place(s, joint->marker[0], rbv_add(d, unit(axis, 0.5 * length))), 0.08 * s->symbol);
}

/* A plate of the first, square to its axis, under the second. */
static void plate(RbvDraft *s, const RbvJoint *joint, int axis) {
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]);
    rbv_draft_box(s, rbv_draft_body(s, joint->marker[0]), rbv_draft_place(s, joint->marker[0], d), rbv_draft_along(s, joint->marker[0], axis),
                 rbv_vec3(2.4 * s->symbol, 2.4 * s->symbol, 0.06 * s->symbol));
}

static void cube(RbvDraft *s, const RbvJoint *joint, double edge) {
    rbv_draft_box(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]), rbv_draft_turn(s, joint->marker[1]), rbv_vec3(edge, edge, edge));
}

static void ball(RbvDraft *s, const RbvJoint *joint) {
    rbv_draft_sphere(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]), 0.35 * s->symbol);
}

#define HELIX_POINTS 97
#define HELIX_TURNS 4

/* The thread on the first's axis, drawn with a pitch of its own. */
static void helix(RbvDraft *s, const RbvJoint *joint, double length, double radius) {
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]), points[HELIX_POINTS];
    double hand = joint->sizes->pitch < 0 ? -1 : 1;
    for (int k = 0; k < HELIX_POINTS; k++) {
        double part = k / (HELIX_POINTS - 1.0), angle = hand * HELIX_TURNS * RBV_TWO_PI * part;
        points[k] = rbv_draft_place(s, joint->marker[0], rbv_vec3(d.x + radius * cos(angle), d.y + radius * sin(angle), d.z + length * (part - 0.5)));
    }
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[0]), points, HELIX_POINTS, false, false);
}

/* One turn is free, about `axis`. */
static void turning(RbvDraft *s, const RbvJoint *joint, int axis, int places) {
    double h = s->symbol;
    if (places == 7) {
        barrel(s, joint->marker[1], axis, h, 0.25 * h);
    } else if (places == (7 & ~(1 << axis))) {
        bool screw = joint->extra == RBV_EXTRA_SCREW;
        barrel(s, joint->marker[1], axis, screw ? 0.8 * h : 1.6 * h, 0.25 * h);
        guide(s, joint, axis, 3.2 * h);
        if (screw)
            helix(s, joint, 3 * h, 0.16 * h);
    } else if (places == 1 << axis) {
        plate(s, joint, axis);
        barrel(s, joint->marker[1], axis, 0.5 * h, 0.3 * h);
    } else {
        cube(s, joint, 0.5 * h);
    }
}

/* All turns are free, perhaps but for one relation. */
static void pointing(RbvDraft *s, const RbvJoint *joint, int places) {
    double h = s->symbol;
    if (places == 7 && joint->extra == RBV_EXTRA_NONE) {
        ball(s, joint);
    } else if (places == 7) { /* the arms of a cross; two shafts that meet in a ball */
        bool cross = joint->extra == RBV_EXTRA_SQUARE;
        for (int side = 0; side < 2; side++)
            barrel(s, joint->marker[side], 2, 1.1 * h, cross ? 0.12 * h : 0.18 * h);
        if (!cross)
            ball(s, joint);
    } else if (joint->extra == RBV_EXTRA_NONE && only(7 & ~places) >= 0) {
        guide(s, joint, only(7 & ~places), 3.2 * h);
        ball(s, joint);
    } else if (joint->extra == RBV_EXTRA_NONE && only(places) >= 0) {
        plate(s, joint, only(places));
        ball(s, joint);
    } else {
        cube(s, joint, 0.5 * h);
    }
}

/* No turn is free. */
static void sliding(RbvDraft *s, const RbvJoint *joint, int places) {
    double h = s->symbol;
    int axis = only(7 & ~places);
    if (places == 7) {
        cube(s, joint, 0.7 * h);
    } else if (axis >= 0) {
        rbv_draft_box(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]), rbv_draft_along(s, joint->marker[1], axis), rbv_vec3(0.6 * h, 0.6 * h, h));
        guide(s, joint, axis, 3.2 * h);
    } else if (only(places) >= 0) {
        plate(s, joint, only(places));
        cube(s, joint, 0.5 * h);
    } else {
        cube(s, joint, 0.5 * h);
    }
}

static void bar(RbvDraft *s, const RbvJoint *joint) {
    rbv_draft_between(s, RBV_SCENE_BAR, joint->marker, 0.08 * s->symbol, 0);
    for (int side = 0; side < 2; side++)
        rbv_draft_pin(s, joint->marker[side]);
}

/* A disk about the second's z, or a ball; a knife edge along the second's x. */
static void rolling(RbvDraft *s, const RbvJoint *joint) {
    double h = s->symbol;
    if (joint->form == RBV_FORM_EDGE)
        barrel(s, joint->marker[1], 0, 1.2 * h, 0.06 * h);
    else if (joint->ball)
        rbv_draft_sphere(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]), joint->sizes->radii[1]);
    else
        rbv_draft_wheel(s, joint->marker[1], joint->sizes->radii[1], 0.1 * joint->sizes->radii[1], 0, false);
}

void rbv_draft_space_joint(RbvDraft *s, const RbvJoint *joint) {
    int places = joint->locks & 7, turns = joint->locks >> 3 & TURNS;
    if (joint->form == RBV_FORM_DISTANCE)
        bar(s, joint);
    else if (joint->form == RBV_FORM_ROLL || joint->form == RBV_FORM_EDGE)
        rolling(s, joint);
    else if (turns == TURNS)
        sliding(s, joint, places);
    else if (only(TURNS & ~turns) >= 0)
        turning(s, joint, only(TURNS & ~turns), places);
    else if (turns == 0)
        pointing(s, joint, places);
    else
        cube(s, joint, 0.5 * s->symbol);
    for (int side = 0; side < 2 && joint->form != RBV_FORM_ROLL && joint->form != RBV_FORM_EDGE; side++)
        rbv_draft_support(s, joint->marker[side]);
}
