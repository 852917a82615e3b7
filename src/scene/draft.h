/* What figures are drawn with: a pen that knows whose they are, and where markers are. */
#ifndef RBV_SCENE_DRAFT_H
#define RBV_SCENE_DRAFT_H

#include "result/scene.h"
#include "system/system.h"

typedef struct RbvDraft {
    const RbvState *state;
    const RbvModel *model;
    RbvResult *result;
    int32_t *body; /* [bodies] of the model: those of the scene; -1: generalized coordinates, which nobody sees */
    double symbol; /* [m] */
    RbvVec3 up;
    bool spatial, lost; /* lost: there was no memory */
    /* the pen */
    RbvSceneRole role;
    int32_t of; /* thing, -1: none */
} RbvDraft;

/* Of what is drawn next. */
static inline void rbv_pen(RbvDraft *s, RbvSceneRole role, int32_t of) {
    s->role = role;
    s->of = of;
}

/* A marker's place and axes in its body's; of `axis` (0 1 2) the axes turned so that their z is that one. */
RbvVec3 rbv_draft_at(const RbvDraft *s, int32_t marker);
RbvQuat rbv_draft_turn(const RbvDraft *s, int32_t marker);
RbvQuat rbv_draft_along(const RbvDraft *s, int32_t marker, int axis);
/* An axis of a marker in its body's axes. */
RbvVec3 rbv_draft_axis(const RbvDraft *s, int32_t marker, int axis);
int32_t rbv_draft_body(const RbvDraft *s, int32_t marker);
/* A point of a marker's frame in its body's axes. */
RbvVec3 rbv_draft_place(const RbvDraft *s, int32_t marker, RbvVec3 local);
/* A body's point in ground's axes, and back; a marker's origin there. */
RbvVec3 rbv_draft_ground(const RbvDraft *s, int32_t body, RbvVec3 on_body);
RbvVec3 rbv_draft_on_body(const RbvDraft *s, int32_t body, RbvVec3 point);
RbvVec3 rbv_draft_point(const RbvDraft *s, int32_t marker);
/* The origin of marker `seen` in the frame of marker `from`. */
RbvVec3 rbv_draft_seen(const RbvDraft *s, int32_t from, int32_t seen);

/* Figures on a body of the model, with the pen; the index, or -1: no memory (remembered). */
int32_t rbv_draft_line(RbvDraft *s, int32_t body, const RbvVec3 *points, int32_t count, bool closed, bool filled);
int32_t rbv_draft_circle(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, double radius, bool filled);
int32_t rbv_draft_box(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, RbvVec3 size);
int32_t rbv_draft_round(RbvDraft *s, RbvSceneKind kind, int32_t body, RbvVec3 from, RbvVec3 to, double radius);
int32_t rbv_draft_sphere(RbvDraft *s, int32_t body, RbvVec3 at, double radius);
/* Its teeth are turned by `phase` about the z of its marker; one that is there already, drawn for another pair, stays
 * as it is. */
int32_t rbv_draft_wheel(RbvDraft *s, int32_t marker, double radius, double width, int32_t teeth, bool internal,
                        double phase);
/* The phase of a wheel's figure against a marker of its body with the same z. */
double rbv_draft_phase(const RbvDraft *s, int32_t figure, int32_t marker);
/* BAR, COIL, DAMPER from one marker to another. */
int32_t rbv_draft_between(RbvDraft *s, RbvSceneKind kind, const int32_t marker[2], double radius, int32_t turns);
/* ARROW, TURNING at a marker; the axis in the axes of body `in`. */
int32_t rbv_draft_way(RbvDraft *s, RbvSceneKind kind, int32_t marker, int32_t in, RbvVec3 axis);
int32_t rbv_draft_figure(RbvDraft *s, RbvSceneFigure figure);
/* From where to where the guide of a slide along an axis of the first goes: so far to both sides of the second, and
 * over what stops allow. */
void rbv_draft_travel(const RbvDraft *s, const RbvJoint *joint, int axis, double beside, double range[2]);
/* The figure is a guide of the joint: see RbvSceneGuide. Period of hatching and of the teeth of a rack. */
#define RBV_HATCHING_PERIOD 3
#define RBV_RACK_PERIOD 4
void rbv_draft_guide(RbvDraft *s, int32_t figure, const int32_t marker[2], int axes, double beside, int32_t period);
/* corners[4] of a rectangle in the xy plane of a marker, its middle at `middle` there. */
int32_t rbv_draft_rectangle(RbvDraft *s, int32_t marker, RbvVec3 middle, double width, double height, bool filled);
/* A pin: a circle, in space a ball. */
void rbv_draft_pin(RbvDraft *s, int32_t marker);
/* What carries a point of ground: in the plane a triangle under it on hatching, in space a plate. Other bodies:
 * nothing. */
void rbv_draft_support(RbvDraft *s, int32_t marker);
/* Hatching of ground (the plane) along a line, on its side `way` (unit); the figure. */
int32_t rbv_draft_hatching(RbvDraft *s, RbvVec3 from, RbvVec3 to, RbvVec3 way);

/* One file each. `k`: of the model's list. */
void rbv_draft_substance(RbvDraft *s);
void rbv_draft_outlines(RbvDraft *s);
void rbv_draft_plane_joint(RbvDraft *s, const RbvJoint *joint);
void rbv_draft_space_joint(RbvDraft *s, const RbvJoint *joint);
void rbv_draft_wheels(RbvDraft *s, int32_t k);
void rbv_draft_cam(RbvDraft *s, const RbvJoint *joint);
void rbv_draft_load(RbvDraft *s, const RbvLoad *load, RbvSceneItem *item);
/* A drive on a measure (-1: an expression, which has no place); its markers are the model's, as those of stops and
 * constraints. */
void rbv_draft_drive(RbvDraft *s, int32_t measure, RbvSceneItem *item);
/* The measure of a stop's coordinate and what is added to it, f = m + c: one variable, affine, of slope 1. -1: anything
 * else, which has no place. */
int32_t rbv_draft_stop_measure(const RbvDraft *s, const RbvStop *stop, double *offset);
void rbv_draft_stop(RbvDraft *s, const RbvStop *stop, RbvSceneItem *item);
void rbv_draft_constraint(RbvDraft *s, const RbvConstraint *constraint, RbvSceneItem *item);

#endif
