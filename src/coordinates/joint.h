/* Joint coordinates (joint.c, joint_frames.c), for those that ask for their tree. */
#ifndef RBV_COORDINATES_JOINT_H
#define RBV_COORDINATES_JOINT_H

#include "coordinates/coordinates.h"
#include "coordinates/joint_tree.h"

/* What moves a body on its arc: directions of ground axes at P_2, of the second against the first. */
typedef struct RbvTreeJointFrame {
    int32_t count, slides;
    RbvVec3 direction[6];            /* translations, then axes of turns */
    double lead;                     /* of a screw: how far it goes along its axis a radian; else 0 */
    RbvVec3 point;                   /* P_2 */
    RbvVec3 from_parent, from_point; /* to P_2 from the parent's centroid, and from there to the body's */
} RbvTreeJointFrame;

/* The points of an arc's joint where its bodies are placed; without a joint the origin and the centroid. `first` may be
 * NULL. */
void rbv_tree_joint_points(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, RbvVec3 *first,
                           RbvVec3 *second);
/* An axis of the joint's first or second marker there; of ground's or the body's. */
RbvVec3 rbv_tree_joint_axis(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, int side,
                            int axis);
/* Of placed bodies; not of generalized coordinates. */
RbvTreeJointFrame rbv_tree_joint_frame(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies);

/* joint_second.c: the wrench on the second derivative of a body's place; as in coordinates.h. */
void rbv_joint_place_second(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench,
                            double *zero, double *out);

/* The tree of a system in joint coordinates. */
const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *coordinates);

#endif
