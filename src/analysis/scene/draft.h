/* Drawing of a scene's figures: the pen (role and item of the next figures), geometry of markers, and figures. */
#ifndef RBV_ANALYSIS_SCENE_DRAFT_H
#define RBV_ANALYSIS_SCENE_DRAFT_H

#include "mechanics/system/system.h"
#include "model/result/scene.h"

typedef struct RbvDraft {
    const RbvState *state;
    const RbvModel *model;
    RbvResult *result;
    int32_t *body; /* [bodies of the model] index in the scene; -1: internal, not shown */
    double symbol; /* [m] size of symbols */
    RbvVec3 up;
    bool spatial, lost; /* lost: out of memory */
    /* the pen: role and item of the figures drawn next */
    RbvSceneRole role;
    int32_t of; /* item, -1: none */
} RbvDraft;

/* Set the role and the item of the figures drawn next. */
static inline void rbv_pen(RbvDraft *s, RbvSceneRole role, int32_t of) {
    s->role = role;
    s->of = of;
}

/* Components of a vector, and of a unit quaternion with its scalar part first, as a scene stores them. */
static inline void rbv_draft_put(RbvVec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

static inline void rbv_draft_put_turn(RbvQuat p, double out[4]) {
    out[0] = p.w;
    rbv_draft_put(p.e, out + 1);
}

/* A marker's origin [m] and axes in its body's axes; rbv_draft_along: the axes turned so that z is the marker's axis
 * `axis` (0 1 2). */
RbvVec3 rbv_draft_at(const RbvDraft *s, int32_t marker);
RbvQuat rbv_draft_turn(const RbvDraft *s, int32_t marker);
RbvQuat rbv_draft_along(const RbvDraft *s, int32_t marker, int axis);
/* Unit vector of a marker's axis, in its body's axes. */
RbvVec3 rbv_draft_axis(const RbvDraft *s, int32_t marker, int axis);
int32_t rbv_draft_body(const RbvDraft *s, int32_t marker);
/* A point given in a marker's frame, in its body's axes [m]. */
RbvVec3 rbv_draft_place(const RbvDraft *s, int32_t marker, RbvVec3 local);
/* A point of a body in ground's axes [m], and back; a marker's origin in ground's axes. */
RbvVec3 rbv_draft_ground(const RbvDraft *s, int32_t body, RbvVec3 on_body);
RbvVec3 rbv_draft_on_body(const RbvDraft *s, int32_t body, RbvVec3 point);
RbvVec3 rbv_draft_point(const RbvDraft *s, int32_t marker);
/* Origin of marker `seen` in the frame of marker `from` [m]. */
RbvVec3 rbv_draft_seen(const RbvDraft *s, int32_t from, int32_t seen);

/* Draw a figure on a body of the model with the pen. Returns the figure's index, or -1 if out of memory (remembered).
 */
int32_t rbv_draft_line(RbvDraft *s, int32_t body, const RbvVec3 *points, int32_t count, bool closed, bool filled);
int32_t rbv_draft_circle(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, double radius, bool filled);
int32_t rbv_draft_box(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, RbvVec3 size);
int32_t rbv_draft_round(RbvDraft *s, RbvSceneKind kind, int32_t body, RbvVec3 from, RbvVec3 to, double radius);
int32_t rbv_draft_sphere(RbvDraft *s, int32_t body, RbvVec3 at, double radius);
/* Draw a wheel whose teeth are turned by `phase` [rad] about the marker's z. A wheel drawn before for another pair
 * stays unchanged. */
int32_t rbv_draft_wheel(RbvDraft *s, int32_t marker, double radius, double width, int32_t teeth, bool internal,
                        double phase);
/* Phase [rad] of a wheel's figure relative to a marker of its body with the same z. */
double rbv_draft_phase(const RbvDraft *s, int32_t figure, int32_t marker);
/* Draw a BAR, COIL or DAMPER from one marker to the other. */
int32_t rbv_draft_between(RbvDraft *s, RbvSceneKind kind, const int32_t marker[2], double radius, int32_t turns);
/* Draw an ARROW or TURNING at a marker; `axis` in the axes of body `in`. */
int32_t rbv_draft_direction(RbvDraft *s, RbvSceneKind kind, int32_t marker, int32_t in, RbvVec3 axis);
int32_t rbv_draft_figure(RbvDraft *s, RbvSceneFigure figure);
/* Range of the guide of a slide along an axis of the first marker [m]: `beside` to both sides of the second marker,
 * extended to the limits of stops. */
void rbv_draft_travel(const RbvDraft *s, const RbvJoint *joint, int axis, double beside, double range[2]);
/* Register a figure as a guide of the joint, see RbvSceneGuide. Periods of hatching and of the teeth of a rack. */
#define RBV_HATCHING_PERIOD 3
#define RBV_RACK_PERIOD 4
void rbv_draft_guide(RbvDraft *s, int32_t figure, const int32_t marker[2], int axes, double beside, int32_t period);
/* Draw a rectangle in the xy plane of a marker, centred at `middle` in the marker's frame [m]. */
int32_t rbv_draft_rectangle(RbvDraft *s, int32_t marker, RbvVec3 middle, double width, double height, bool filled);
/* Draw a pin: a circle, in space a ball. */
void rbv_draft_pin(RbvDraft *s, int32_t marker);
/* Draw the support of a point of ground: in the plane a triangle below the point on hatching, in space a plate. No
 * figure for other bodies. */
void rbv_draft_support(RbvDraft *s, int32_t marker);
/* Draw hatching of ground (plane) along a line, on its side `side` (unit vector); returns the figure. */
int32_t rbv_draft_hatching(RbvDraft *s, RbvVec3 from, RbvVec3 to, RbvVec3 side);

/* Figures of bodies (outlines.c). */
void rbv_draft_substance(RbvDraft *s);
void rbv_draft_outlines(RbvDraft *s);
/* Figures of joints (joints.c). `k`: index in the model's list of joints. */
void rbv_draft_plane_joint(RbvDraft *s, const RbvJoint *joint);
void rbv_draft_space_joint(RbvDraft *s, const RbvJoint *joint);
void rbv_draft_wheels(RbvDraft *s, int32_t k);
void rbv_draft_cam(RbvDraft *s, const RbvJoint *joint);
/* Figures of loads, drives, stops and constraints (loads.c). */
void rbv_draft_load(RbvDraft *s, const RbvLoad *load, RbvSceneItem *item);
/* Draw a drive on a measure (-1: an expression, without position). The item's markers are those of the model, also
 * for stops and constraints. */
void rbv_draft_drive(RbvDraft *s, int32_t measure, RbvSceneItem *item);
/* The measure m of a stop's coordinate and the constant c with f = m + c: one variable, affine, slope 1. -1: any
 * other expression; it has no position. */
int32_t rbv_draft_stop_measure(const RbvDraft *s, const RbvStop *stop, double *offset);
void rbv_draft_stop(RbvDraft *s, const RbvStop *stop, RbvSceneItem *item);
void rbv_draft_constraint(RbvDraft *s, const RbvConstraint *constraint, RbvSceneItem *item);

#endif
