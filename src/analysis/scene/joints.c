/* Draws joints: plane and spatial ones, wheels (gears, racks, belts, chains) and cams. Figures are at the second
 * marker, guides along the first. */
#include "analysis/scene/draft.h"

#include <string.h>

/* Plane joints that lock directions or a distance. The symbol depends on the locked directions, not on the name
 * of the kind: x and y: a pin; y and the turn: a slide along x; y alone: a pin in a slot (kinds x and y: a roller);
 * the turn alone: two directions. */

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
            side = rbv_draft_axis(s, marker, axis == 0 ? 1 : 0);
    return rbv_draft_hatching(s, a, b, rbv_scale(v < 0 ? -1 : 1, side));
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
    double width = axis == 0 ? 1.2 * h : 0.6 * h;
    double height = axis == 0 ? 0.6 * h : 1.2 * h;
    rbv_draft_rectangle(s, m[1], rbv_vec3(0, 0, 0), width, height, false);
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
        double side = k > 8 ? 1 : -1;
        double angle = RBV_TWO_PI * (0.25 + (k % 9) / 16.0 + (k > 8 ? 0.5 : 0));
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
static void locked_turn(RbvDraft *s, const RbvJoint *joint) {
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

/* Draw a draw_plane_bar between two pins. */
static void draw_plane_bar(RbvDraft *s, const RbvJoint *joint) {
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
    RbvFormFigure figure = rbv_forms[joint->form].figure;
    if (figure == RBV_FIGURE_BAR)
        draw_plane_bar(s, joint);
    else if (figure == RBV_FIGURE_EDGE)
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
        locked_turn(s, joint); /* no locked direction: no symbol, only the name */
}

/* Spatial joints that lock directions or a distance. The symbol depends on the locked directions: one free
 * turn: its axis; a slide: the free direction; directions alone: short rods; other combinations: a small cube. */

#define TURNS (RBV_DIRECTIONS_TURNS >> 3)

static RbvVec3 unit(int axis, double length) {
    double v[3] = {0};
    v[axis] = length;
    return rbv_vec3(v[0], v[1], v[2]);
}

/* Index of the only bit set among three, or -1. */
static int only(int mask) {
    static const int bit[8] = {-1, 0, 1, -1, 2, -1, -1, -1};
    return mask >= 0 && mask < 8 ? bit[mask] : -1;
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
    double at[3];
    rbv_draft_put(rbv_draft_seen(s, joint->marker[0], joint->marker[1]), at);
    at[axis] = 0;
    RbvVec3 foot = rbv_vec3(at[0], at[1], at[2]);
    int32_t rod =
        rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[0]),
                        rbv_draft_place(s, joint->marker[0], rbv_add(foot, unit(axis, range[0]))),
                        rbv_draft_place(s, joint->marker[0], rbv_add(foot, unit(axis, range[1]))), 0.08 * s->symbol);
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
        RbvVec3 middle = unit((axis + 1) % 3, side * 0.2 * s->symbol);
        rbv_draft_round(s, RBV_SCENE_CYLINDER, rbv_draft_body(s, joint->marker[1]),
                        rbv_draft_place(s, joint->marker[1], rbv_add(middle, unit(axis, -half))),
                        rbv_draft_place(s, joint->marker[1], rbv_add(middle, unit(axis, half))), r);
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

static void draw_space_bar(RbvDraft *s, const RbvJoint *joint) {
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
    bool edged = rbv_forms[joint->form].figure == RBV_FIGURE_EDGE;
    patch(s, joint, edged ? 2.4 * h : 2.6 * joint->sizes->radii[1]);
    if (edged)
        barrel(s, joint->marker[1], 0, 1.2 * h, 0.06 * h);
    else if (joint->ball)
        rbv_draft_sphere(s, rbv_draft_body(s, joint->marker[1]), rbv_draft_at(s, joint->marker[1]),
                         joint->sizes->radii[1]);
    else
        rbv_draft_wheel(s, joint->marker[1], joint->sizes->radii[1], 0.1 * joint->sizes->radii[1], 0, false, 0);
}

void rbv_draft_space_joint(RbvDraft *s, const RbvJoint *joint) {
    int places = joint->locks & 7, turns = joint->locks >> 3 & TURNS;
    RbvFormFigure figure = rbv_forms[joint->form].figure;
    if (figure == RBV_FIGURE_BAR)
        draw_space_bar(s, joint);
    else if (figure == RBV_FIGURE_ROLLER || figure == RBV_FIGURE_EDGE)
        rolling(s, joint);
    else if (turns == TURNS)
        sliding(s, joint, places);
    else if (only(TURNS & ~turns) >= 0)
        turning(s, joint, only(TURNS & ~turns), places);
    else if (turns == 0)
        pointing(s, joint, places);
    else
        cube(s, joint, 0.5 * s->symbol);
    /* joints that lock turns only have no support, nor have rolling joints */
    bool carried = places != 0 || figure == RBV_FIGURE_BAR;
    carried = carried && !(turns == 0 && only(places) >= 0 && joint->kind->name[1] == '\0');
    for (int side = 0; side < 2 && carried; side++)
        rbv_draft_support(s, joint->marker[side]);
}

/* Gears, racks, belts and chains: wheels about the z axes of their markers with their pitch radii. Numbers of
 * teeth are those of the model; else the smaller wheel gets sixteen. */

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
static double angle_of(const RbvDraft *s, int32_t marker, RbvVec3 direction) {
    RbvVec3 on_body = rbv_apply_transposed(&s->state->bodies[rbv_draft_body(s, marker)].A, direction);
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
    RbvVec3 line = rbv_sub(rbv_draft_point(s, m[1]), rbv_draft_point(s, m[0]));
    double aligned = rbv_dot(axis_in_ground(s, m[0]), axis_in_ground(s, m[1]));
    if (joint->kind->name[0] != 'g' || !(fabs(aligned) > PARALLEL) || !(rbv_norm(line) > 0))
        return 0;
    bool first_inside = joint->internal && radii[0] < radii[1], second_inside = joint->internal && !first_inside;
    double run = joint->internal == (aligned >= 0) ? 1 : -1;
    double own = angle_of(s, m[0], rbv_scale(first_inside ? -1 : 1, line)),
           other = angle_of(s, m[1], rbv_scale(second_inside ? 1 : -1, line));
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
        rbv_draft_wheel(s, joint->marker[side], radii[side], 0.3 * fmin(radii[0], radii[1]),
                        chain ? teeth_of(joint, radii, side) : 0, false, 0);
        strand.on[side] = rbv_draft_body(s, joint->marker[side]);
        rbv_draft_put(rbv_draft_at(s, joint->marker[side]), side ? strand.to : strand.at);
        rbv_draft_put_turn(rbv_draft_turn(s, joint->marker[side]), side ? strand.turn_to : strand.turn);
    }
    rbv_draft_figure(s, strand);
}

void rbv_draft_wheels(RbvDraft *s, int32_t k) {
    const RbvJoint *joint = &s->model->joints.items[k];
    const double *radii = s->state->system->wheel ? s->state->system->wheel[k] : joint->sizes->radii;
    RbvFormFigure figure = rbv_forms[joint->form].figure;
    if (figure == RBV_FIGURE_RACK)
        rack(s, joint);
    else if (figure == RBV_FIGURE_BELT)
        belt(s, joint, radii);
    else
        gears(s, joint, radii);
}

/* Cams: outlines of both sides through their splines, spatial curves, surfaces of revolution as meshes, flats,
 * and point followers. */

#define OUTLINE_POINTS 129
#define AROUND 24 /* mesh columns around a surface of revolution */
#define ALONG 33

static double value_of(const RbvSpline *spline, double c) {
    double d[4] = {0};
    if (spline)
        rbv_spline_eval(spline, c, 0, d);
    return d[0];
}

/* Draw the outline of side 0 or 1, or the spatial curve; *reach: largest distance from its marker [m]. */
static void curve(RbvDraft *s, const RbvJoint *joint, const RbvCam *cam, int side, double *reach) {
    RbvVec3 points[OUTLINE_POINTS];
    int32_t count = cam->closed[side] ? OUTLINE_POINTS - 1 : OUTLINE_POINTS;
    for (int32_t k = 0; k < count; k++) {
        double c = cam->span[side] * k / (OUTLINE_POINTS - 1.0);
        RbvVec3 p = rbv_vec3(value_of(cam->x[side], c), value_of(cam->y[side], c), side == 0 ? value_of(cam->z, c) : 0);
        *reach = fmax(*reach, rbv_norm(p));
        points[k] = rbv_draft_place(s, joint->marker[side], p);
    }
    RbvSceneRole role = s->role;
    bool filled = cam->closed[side] && !joint->track;
    s->role = filled ? RBV_SCENE_OUTLINE : role;
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[side]), points, count, cam->closed[side], filled);
    s->role = role;
}

/* Draw the surface of revolution: outline (x from the axis, y along it) turned about z. */
static void revolved(RbvDraft *s, const RbvJoint *joint, const RbvCam *cam) {
    RbvArena *arena = &s->result->arena;
    double(*vertex)[3] = rbv_arena_array(arena, (size_t)AROUND * ALONG, sizeof *vertex);
    int32_t(*triangle)[3] = rbv_arena_array(arena, 2 * (size_t)AROUND * (ALONG - 1), sizeof *triangle), count = 0;
    int32_t body = rbv_draft_body(s, joint->marker[0]);
    s->lost = s->lost || !vertex || !triangle;
    for (int32_t k = 0; !s->lost && k < ALONG; k++)
        for (int32_t n = 0; n < AROUND; n++) {
            double c = cam->span[0] * k / (ALONG - 1.0), x = value_of(cam->x[0], c), angle = RBV_TWO_PI * n / AROUND;
            RbvVec3 p =
                rbv_draft_place(s, joint->marker[0], rbv_vec3(x * cos(angle), x * sin(angle), value_of(cam->y[0], c)));
            double *v = vertex[k * AROUND + n];
            v[0] = p.x, v[1] = p.y, v[2] = p.z;
        }
    bool flip = cam->side[0] < 0; /* orientation of the triangles: normals out of the material */
    for (int32_t k = 0; !s->lost && k + 1 < ALONG; k++)
        for (int32_t n = 0; n < AROUND; n++) {
            int32_t a = k * AROUND + n, b = k * AROUND + (n + 1) % AROUND, c = a + AROUND, d = b + AROUND;
            int32_t *first = triangle[count++], *second = triangle[count++];
            first[0] = a, first[1] = b, first[2] = c;
            second[0] = b, second[1] = d, second[2] = c;
            if (flip) {
                first[1] = c, first[2] = b;
                second[1] = c, second[2] = d;
            }
        }
    RbvSceneRole role = s->role;
    s->role = RBV_SCENE_OUTLINE;
    if (!s->lost)
        rbv_draft_figure(s, (RbvSceneFigure){.kind = RBV_SCENE_MESH,
                                             .on = {body, body},
                                             .count = AROUND * ALONG,
                                             .points = &vertex[0][0],
                                             .triangle_count = count,
                                             .triangles = &triangle[0][0]});
    s->role = role;
}

void rbv_draft_cam(RbvDraft *s, const RbvJoint *joint) {
    const RbvCam *cam = &s->model->cams.items[joint->cam];
    double reach = 0;
    if (cam->revolved)
        revolved(s, joint, cam);
    else
        curve(s, joint, cam, 0, &reach);
    if (cam->x[1]) {
        curve(s, joint, cam, 1, &reach);
    } else if (cam->flat) {
        double half = fmax(reach, s->symbol);
        const RbvVec3 line[2] = {rbv_draft_place(s, joint->marker[1], rbv_vec3(-half, 0, 0)),
                                 rbv_draft_place(s, joint->marker[1], rbv_vec3(half, 0, 0))};
        rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), line, 2, false, false);
    } else {
        rbv_draft_pin(s, joint->marker[1]);
    }
}
