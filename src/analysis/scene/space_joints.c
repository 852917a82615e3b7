/* Draws spatial joints that lock directions or a distance. The symbol depends on the locked directions: one free
 * turn: its axis; a slide: the free direction; directions alone: short rods; other combinations: a small cube. */
#include "analysis/scene/draft.h"

#define TURNS (RBV_DIRECTIONS_TURNS >> 3)

static RbvVec3 unit(int axis, double length) {
    return rbv_vec3(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/* Index of the only bit set among three, or -1. */
static int only(int mask) {
    return mask == 1 ? 0 : mask == 2 ? 1 : mask == 4 ? 2 : -1;
}

/* Draw a cylinder about an axis of a marker, centred at the marker. */
static void barrel(RbvDraft *s, int32_t marker, int axis, double length, double radius) {
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, marker),
                    rbv_draft_place(s, marker, unit(axis, -0.5 * length)),
                    rbv_draft_place(s, marker, unit(axis, 0.5 * length)), radius);
}

/* Draw the guide of a slide: thin rod of the first body along its axis, beside the second marker. */
static void guide(RbvDraft *s, const RbvJoint *joint, int axis, double length) {
    double range[2];
    rbv_draft_travel(s, joint, axis, 0.5 * length, range);
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]),
            beside = rbv_vec3(axis == 0 ? 0 : d.x, axis == 1 ? 0 : d.y, axis == 2 ? 0 : d.z);
    int32_t rod =
        rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]),
                        rbv_draft_place(s, joint->marker[0], rbv_add(beside, unit(axis, range[0]))),
                        rbv_draft_place(s, joint->marker[0], rbv_add(beside, unit(axis, range[1]))), 0.08 * s->symbol);
    rbv_draft_guide(s, rod, joint->marker, 1 << axis, 0.5 * length, 0);
}

/* Draw a plate of the first body, perpendicular to its axis, at the distance `under` below the second marker; on
 * ground it is drawn as ground. */
static void plate_of(RbvDraft *s, const RbvJoint *joint, int axis, double under, double width) {
    RbvVec3 d = rbv_sub(rbv_draft_seen(s, joint->marker[0], joint->marker[1]), unit(axis, under));
    RbvSceneRole role = s->role;
    s->role = under != 0 && rbv_draft_body(s, joint->marker[0]) == 0 ? RBV_SCENE_GROUND : role;
    int32_t figure =
        rbv_draft_box(s, rbv_draft_body(s, joint->marker[0]), rbv_draft_place(s, joint->marker[0], d),
                      rbv_draft_along(s, joint->marker[0], axis), rbv_vec3(width, width, 0.06 * s->symbol));
    rbv_draft_guide(s, figure, joint->marker, 7 & ~(1 << axis), 0.5 * width, 0);
    s->role = role;
}

static void plate(RbvDraft *s, const RbvJoint *joint, int axis) {
    plate_of(s, joint, axis, 0, 2.4 * s->symbol);
}

static void cube(RbvDraft *s, const RbvJoint *joint, double edge) {
    rbv_draft_box(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]),
                  rbv_draft_turn(s, joint->marker[1]), rbv_vec3(edge, edge, edge));
}

static void ball(RbvDraft *s, const RbvJoint *joint) {
    rbv_draft_sphere(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]), 0.35 * s->symbol);
}

#define HELIX_POINTS 97
#define HELIX_TURNS 4

/* Draw a thread on the first marker's axis; the drawn pitch is not the joint's. */
static void helix(RbvDraft *s, const RbvJoint *joint, double length, double radius) {
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]), points[HELIX_POINTS];
    double hand = joint->sizes->pitch < 0 ? -1 : 1;
    for (int k = 0; k < HELIX_POINTS; k++) {
        double part = k / (HELIX_POINTS - 1.0), angle = hand * HELIX_TURNS * RBV_TWO_PI * part;
        points[k] = rbv_draft_place(
            s, joint->marker[0],
            rbv_vec3(d.x + radius * cos(angle), d.y + radius * sin(angle), d.z + length * (part - 0.5)));
    }
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[0]), points, HELIX_POINTS, false, false);
}

/* Draw two short rods on the second body along the axis whose direction is locked. */
static void parallel(RbvDraft *s, const RbvJoint *joint, int axis) {
    double r = 0.07 * s->symbol, half = 0.6 * s->symbol;
    for (int side = -1; side < 2; side += 2) {
        RbvVec3 beside = unit((axis + 1) % 3, side * 0.2 * s->symbol);
        rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[1]),
                        rbv_draft_place(s, joint->marker[1], rbv_add(beside, unit(axis, -half))),
                        rbv_draft_place(s, joint->marker[1], rbv_add(beside, unit(axis, half))), r);
    }
}

/* Draw a joint with one free turn, about `axis`. */
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
    } else if (places == 0) {
        parallel(s, joint, axis);
    } else {
        cube(s, joint, 0.5 * h);
    }
}

/* Draw two perpendicular directions from the second marker's origin: its z, and the first marker's. */
static void square(RbvDraft *s, const RbvJoint *joint) {
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]);
    double r = 0.08 * s->symbol, length = 1.2 * s->symbol;
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]),
                    rbv_draft_place(s, joint->marker[1], unit(2, length)), r);
    rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]), rbv_draft_place(s, joint->marker[0], d),
                    rbv_draft_place(s, joint->marker[0], rbv_add(d, unit(2, length))), r);
}

/* Draw a joint with all turns free, except perhaps one relation. */
static void pointing(RbvDraft *s, const RbvJoint *joint, int places) {
    double h = s->symbol;
    if (places == 7 && joint->extra == RBV_EXTRA_NONE) {
        ball(s, joint);
    } else if (places == 7) { /* a cross of two arms; or two shafts that meet in a ball */
        bool cross = joint->extra == RBV_EXTRA_SQUARE;
        for (int side = 0; side < 2; side++)
            barrel(s, joint->marker[side], 2, 1.1 * h, cross ? 0.12 * h : 0.18 * h);
        if (!cross)
            ball(s, joint);
    } else if (joint->extra == RBV_EXTRA_NONE && only(7 & ~places) >= 0) {
        guide(s, joint, only(7 & ~places), 3.2 * h);
        ball(s, joint);
    } else if (joint->extra == RBV_EXTRA_NONE && only(places) >= 0) {
        bool rolls = joint->kind->name[1] == '\0'; /* x, y, z: a ball on a plate */
        plate_of(s, joint, only(places), rolls ? 0.38 * h : 0, 2.4 * h);
        ball(s, joint);
    } else if (places == 0 && joint->extra == RBV_EXTRA_SQUARE) {
        square(s, joint);
    } else if (places == 0 && joint->extra == RBV_EXTRA_NONE) { /* no locked direction: only the name */
    } else {
        cube(s, joint, 0.5 * h);
    }
}

/* Draw a joint without free turns. */
static void sliding(RbvDraft *s, const RbvJoint *joint, int places) {
    double h = s->symbol;
    int axis = only(7 & ~places);
    if (places == 7) {
        cube(s, joint, 0.7 * h);
    } else if (axis >= 0) {
        rbv_draft_box(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]),
                      rbv_draft_along(s, joint->marker[1], axis), rbv_vec3(0.6 * h, 0.6 * h, h));
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

/* Draw the plane of a rolling joint: square patch of the first marker's xy plane under the second marker. */
static void patch(RbvDraft *s, const RbvJoint *joint, double width) {
    double thick = 0.02 * width;
    RbvVec3 d = rbv_draft_seen(s, joint->marker[0], joint->marker[1]);
    RbvSceneRole role = s->role;
    s->role = rbv_draft_body(s, joint->marker[0]) == 0 ? RBV_SCENE_GROUND : role;
    int32_t figure =
        rbv_draft_box(s, rbv_draft_body(s, joint->marker[0]),
                      rbv_draft_place(s, joint->marker[0], rbv_vec3(d.x, d.y, (d.z < 0 ? 0.5 : -0.5) * thick)),
                      rbv_draft_turn(s, joint->marker[0]), rbv_vec3(width, width, thick));
    rbv_draft_guide(s, figure, joint->marker, 3, 0.5 * width, 0);
    s->role = role;
}

/* Draw a disk about the second marker's z, or a ball, or a knife edge along the second marker's x; and the plane in
 * contact. */
static void rolling(RbvDraft *s, const RbvJoint *joint) {
    double h = s->symbol;
    patch(s, joint, joint->form == RBV_FORM_EDGE ? 2.4 * h : 2.6 * joint->sizes->radii[1]);
    if (joint->form == RBV_FORM_EDGE)
        barrel(s, joint->marker[1], 0, 1.2 * h, 0.06 * h);
    else if (joint->ball)
        rbv_draft_sphere(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]),
                         joint->sizes->radii[1]);
    else
        rbv_draft_wheel(s, joint->marker[1], joint->sizes->radii[1], 0.1 * joint->sizes->radii[1], 0, false, 0);
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
    bool carried =
        places != 0 ||
        joint->form ==
            RBV_FORM_DISTANCE; /* joints that lock directions only have no support, nor have rolling joints */
    carried = carried && joint->form != RBV_FORM_ROLL && joint->form != RBV_FORM_EDGE &&
              !(turns == 0 && only(places) >= 0 && joint->kind->name[1] == '\0');
    for (int side = 0; side < 2 && carried; side++)
        rbv_draft_support(s, joint->marker[side]);
}
