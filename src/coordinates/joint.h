/* Joint coordinates (joint.c, joint_ways.c), for those that ask for their tree. */
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

/* A marker of a placed body. */
typedef struct RbvArcFrame {
    RbvMat3 A;
    RbvVec3 point;
} RbvArcFrame;

/* The two frames of an arc where its bodies are placed: joint's markers, or ground's axes and the centroid. */
void rbv_arc_frames(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, RbvArcFrame *first, RbvArcFrame *second);
/* One of them alone: of the first marker (side 0) or the second. */
RbvVec3 rbv_arc_point(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, int side);
RbvMat3 rbv_arc_axes(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies, int side);
/* Of placed bodies; not of generalized coordinates. */
RbvArcWay rbv_arc_way(const RbvCoordinates *coordinates, int32_t body, const RbvBodyState *bodies);

/* joint_second.c: the wrench on the second derivative of a body's place; as in coordinates.h. */
void rbv_joint_place_second(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, const RbvWrench *wrench, double *zero, double *out);

/* The tree of a system in joint coordinates. */
const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *coordinates);

#endif
