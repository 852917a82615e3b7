/* The tree of a model while it is built: tree.c makes it and linkage.c adds the joints that close loops. Private to
 * this room.
 */
#ifndef RBV_ANALYSIS_ANALYSES_TREE_BUILDER_H
#define RBV_ANALYSIS_ANALYSES_TREE_BUILDER_H

#include <roberval/system.h>

#include "mechanics/coordinates/joint_tree.h"
#include "model/model/model.h"

/* Position p and axes A of a frame, relative to the frame of its body in the model. */
typedef struct RbvPlace {
    RbvMat3 A;
    RbvVec3 p;
} RbvPlace;

typedef struct RbvTreeBuilder {
    const RbvModel *model;
    RbvDiagnostics *diagnostics;
    RbvArena arena;
    RbvJointTree tree_joints;
    RbvTreeBody *bodies;
    const char **coordinates; /* names, by index of q */
    int32_t count, nq;
    RbvPlace *frame;     /* [model's bodies] frame of its tree body, in the model body's frame */
    int32_t *index;      /* [model's bodies] index in the tree; ground -1 */
    bool *is_tree_joint; /* [joints] */
    bool closed;         /* joints may close loops */
    bool *cut;           /* [joints] joints that are not tree joints */
    bool *closes;        /* [joints] joints that close a loop */
    int32_t *driven, nv; /* [drives] index of the number of v that each drives, -1: not found; count of numbers of v */
    uint8_t *damps;      /* [loads] coordinates of a joint damping that are already in the tree */
    double *start;       /* by index of q: values at the starting poses */
    bool no_memory, wrong;
} RbvTreeBuilder;

/* Report what a tree, or a linkage, cannot contain; `format` takes the two names. */
void rbv_tree_builder_refuse(RbvTreeBuilder *p, RbvPosition where, const char *format, const char *name,
                             const char *kind);

/* NO_MEMORY, or BAD_INPUT where something is refused. */
RbvStatus rbv_tree_builder_status(const RbvTreeBuilder *p, bool no_memory);
/* The tree of a builder whose model, diagnostics and `closed` are set; its arrays belong to the builder's arena. */
RbvStatus rbv_tree_builder_grow(RbvTreeBuilder *p, RbvTree **tree);
/* Does the model have bodies, and is it complete? */
RbvStatus rbv_tree_builder_check(const RbvModel *model, RbvDiagnostics *diagnostics);

/* Rotor inertia and damping that drives and joint dampings add to a coordinate; the dampings used are marked. */
typedef struct RbvCoordinateOwn {
    double rotor, damping;
} RbvCoordinateOwn;
RbvCoordinateOwn rbv_tree_builder_own(RbvTreeBuilder *p, int32_t measure);
/* The measure of a coordinate of a joint; -1: the model has no such measure. */
int32_t rbv_tree_builder_measure(const RbvTreeBuilder *p, int32_t joint, int direction);

RbvMat3 rbv_mat3_transposed_product(const RbvMat3 *A, const RbvMat3 *B);
const RbvBody *rbv_marker_body(const RbvModel *model, int32_t marker);
RbvPlace rbv_marker_in_body(const RbvModel *model, int32_t marker);
/* For a joint that locks a single direction at a value: the first marker's position is moved by that value, or the
 * second marker's axes are turned back by that angle (in the plane). */
void rbv_hold_at_value(const RbvModel *model, const RbvJoint *joint, RbvPlace *first, RbvPlace *second);
/* Screw joint in the starting poses: displacement z at the angle 0; *angle: the present angle [rad]. */
double rbv_screw_phase(const RbvModel *model, const RbvJoint *joint, double *angle);

#endif
