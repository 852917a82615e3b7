/* Joint coordinates: tree, points and directions of the tree joints (joint.c, joint_frames.c). */
#ifndef RBV_MECHANICS_COORDINATES_JOINT_H
#define RBV_MECHANICS_COORDINATES_JOINT_H

#include "mechanics/coordinates/coordinates.h"
#include "mechanics/coordinates/joint_tree.h"

/* The motion that a tree joint allows, in ground axes, of the second marker relative to the first. */
typedef struct RbvTreeJointFrame {
    int32_t count, slides;
    RbvVec3 direction[6]; /* translations first, then axes of rotation */
    double lead;          /* [m/rad] of a screw: translation along its axis per radian; else 0 */
    RbvVec3 point;        /* P_2, origin of the second marker */
    RbvVec3 from_parent,
        from_point; /* from_parent: from the parent's centroid to P_2; from_point: from P_2 to the body's centroid */
} RbvTreeJointFrame;

/* Origins of the two markers of the body's tree joint, at the positions `bodies`. Without a joint: ground's origin and
 * the body's centroid. `first` may be NULL. */
void rbv_tree_joint_points(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, RbvVec3 *first,
                           RbvVec3 *second);
/* Axis `axis` of the first (side 0) or second (side 1) marker of the tree joint, in ground axes. Without a joint: axis
 * of ground or of the body. */
RbvVec3 rbv_tree_joint_axis(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, int side,
                            int axis);
/* Motion of the body's tree joint at the positions `bodies`. Not for generalized coordinates. */
RbvTreeJointFrame rbv_tree_joint_frame(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies);

/* The wrench times the second derivative of a body's position; `place_second` of coordinates.h (joint_frames.c). */
void rbv_joint_place_second(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                            double *zero, double *out);

/* The tree of joint coordinates. */
const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *coordinates);

#endif
