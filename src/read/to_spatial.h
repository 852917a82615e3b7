/* What the files that turn a planar model into a spatial text share. Private to to_spatial*.c. */
#ifndef RBV_READ_TO_SPATIAL_H
#define RBV_READ_TO_SPATIAL_H

#include "model/keys.h"
#include "read/emit.h"
#include "read/fields.h"

typedef struct RbvTie {
    int32_t parent;  /* the body nearer to ground; -1: none has been found */
    int32_t joint;   /* -1: held by a joint of its own */
    double sign;     /* of the joint's turn in the body's angle */
    double constant; /* [rad] what the markers add */
} RbvTie;

typedef struct RbvConverter {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvText out;
    RbvText *extra; /* [bodies] markers that joints need, as ", name: {...}" */
    RbvTie *tie;    /* [bodies] */
    bool wrong;
} RbvConverter;

/* to_spatial_ties.c: how many directions a joint holds; is the body a particle whose joints speak of its directions (in
 * the plane it has those of ground)? */
int rbv_locked_bodies_count(const RbvJoint *joint);
bool rbv_has_axes(const RbvConverter *c, int32_t body);
/* tie[bodies]: reached from ground through joints that hold the plane; each of the others is then held and reaches
 * further. */
void rbv_find_ties(RbvConverter *c);
/* The joint that keeps a body in the plane and measures its turn: "keep_rod". */
void rbv_keeper_name(const RbvConverter *c, int32_t body, char *name, size_t size);
/* angle(body) as turns of joints, with `marks` after each name ("'" for rates, which have no constants). */
void rbv_angle_sum(const RbvConverter *c, int32_t body, const char *marks, RbvText *out);

/* to_spatial_values.c: an expression's text, slide.distance -> slide.x, twist.torque -> twist.Tz, angle(body) -> the
 * sum of turns; and as a value. */
void rbv_convert_text(const RbvConverter *c, const char *text, RbvText *out);
void rbv_convert_expression(RbvConverter *c, const RbvNode *node);
/* "[a, b" of a list of two, then `rest` and "]". */
void rbv_convert_point(RbvConverter *c, const RbvNode *list, const char *rest);
/* {at, angle} of poses and markers. */
void rbv_convert_place(RbvConverter *c, const RbvNode *map);
void rbv_convert_number(RbvConverter *c, const char *before, double value, const char *after);
/* Half of what is written. */
void rbv_convert_half(RbvConverter *c, const RbvNode *node);
/* An error at a place. */
void rbv_convert_refuse(RbvConverter *c, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

/* to_spatial_joints.c: joints given by `at:` and `axis:` get markers, and so does the first of a held angle. */
void rbv_convert_plan_markers(RbvConverter *c, const RbvNode *joints);
void rbv_convert_joint(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at);
/* Bodies that need a joint of their own to stay in the plane; `section`: joints: stands there already. */
void rbv_convert_keepers(RbvConverter *c, bool section);

#endif
