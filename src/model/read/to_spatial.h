/* Shared by the files that convert a planar model into the text of a spatial one. Private to to_spatial*.c. */
#ifndef RBV_MODEL_READ_TO_SPATIAL_H
#define RBV_MODEL_READ_TO_SPATIAL_H

#include "core/base/text.h"
#include "model/model/keys.h"
#include "model/read/fields.h"
#include "model/read/tree.h"

/* Write a string in double quotes. */
void rbv_emit_string(RbvText *text, const char *string);
/* Write a node on one line: scalars as written, lists [..], maps {..}. */
void rbv_emit_node(RbvText *text, const RbvNode *node);

typedef struct RbvTie {
    int32_t parent;  /* parent body, nearer to ground; -1: none found */
    int32_t joint;   /* joint to the parent; -1: a joint added by the conversion */
    double sign;     /* sign of the joint's turn in the body's angle */
    double constant; /* [rad] constant added by the markers' angles */
} RbvTie;

typedef struct RbvConverter {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvText out;
    RbvText *extra; /* [bodies] additional markers for joints, as text ", name: {...}" */
    RbvTie *tie;    /* [bodies] */
    bool wrong;
} RbvConverter;

/* to_spatial_joints.c: number of directions that a joint locks; is the body a particle whose joints refer to its axes
 * (in the plane a particle has the axes of ground)? */
int rbv_locked_bodies_count(const RbvJoint *joint);
bool rbv_has_axes(const RbvConverter *c, int32_t body);
/* Find tie[bodies]: bodies reached from ground through joints that keep the plane. Each other body gets an added
 * joint and is then a start for further bodies. */
void rbv_find_ties(RbvConverter *c);
/* Name of the added joint that keeps a body in the plane and measures its turn: "keep_rod". */
void rbv_keeper_name(const RbvConverter *c, int32_t body, char *name, size_t size);

/* to_spatial_joints.c: convert an expression's text: slide.distance -> slide.x, twist.torque -> twist.Tz, angle(body)
 * -> the sum of turns; and write an expression as a value. */
void rbv_convert_text(const RbvConverter *c, const char *text, RbvText *out);
void rbv_convert_expression(RbvConverter *c, const RbvNode *node);
/* Write "[a, b" of a list of two, then `rest` and "]". */
void rbv_convert_point(RbvConverter *c, const RbvNode *list, const char *rest);
/* Write {at, angle} of poses and markers. */
void rbv_convert_place(RbvConverter *c, const RbvNode *map);
void rbv_convert_number(RbvConverter *c, const char *before, double value, const char *after);
/* Write half of the value of a node. */
void rbv_convert_half(RbvConverter *c, const RbvNode *node);
/* Report an error at a position. */
void rbv_convert_refuse(RbvConverter *c, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

/* to_spatial_joints.c: plan markers for joints given by `at:` and `axis:`, and for the first side of a locked angle. */
void rbv_convert_plan_markers(RbvConverter *c, const RbvNode *joints);
void rbv_convert_joint(RbvConverter *c, const char *name, const RbvNode *node, int32_t index, RbvPosition at);
/* Write the added joints that keep bodies in the plane; `section`: `joints:` is already written. */
void rbv_convert_keepers(RbvConverter *c, bool section);

#endif
