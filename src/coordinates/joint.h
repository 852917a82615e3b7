/* Joint coordinates (joint.c), for those that ask for their tree. */
#ifndef RBV_COORDINATES_JOINT_H
#define RBV_COORDINATES_JOINT_H

#include "coordinates/coordinates.h"
#include "coordinates/joint_tree.h"

/* What moves a body on its arc: directions of ground axes at P_2, of the second against the first. */
typedef struct RbvArcWay {
    int32_t count, slides;
    RbvVec3 direction[6]; /* translations, then axes of turns */
    double lead;          /* of a screw: how far it goes along its axis a radian; else 0 */
    RbvVec3 point;        /* P_2 */
    RbvVec3 from_parent, from_point; /* to P_2 from the parent's centroid, and from there to the body's */
} RbvArcWay;

/* Of placed bodies; not of generalized coordinates. */
RbvArcWay rbv_arc_way(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies);

/* The tree of a system in joint coordinates. */
const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *coordinates);

#endif
