/* Bodies and markers at an instant: what elements measure and what they push on. All vectors in ground axes. */
#ifndef RBV_MARKER_MARKER_H
#define RBV_MARKER_MARKER_H

#include "linalg/rotation.h"

#include <stdint.h>

typedef struct RbvBodyState {
    RbvVec3 r;    /* centroid [m] */
    RbvMat3 A;    /* body axes */
    double turn;  /* about z [rad], continuous with 2 pi `whole` (plane) */
    RbvQuat p;    /* of A (space) */
    double whole; /* turns that `turn` leaves out, a whole number (plane) */
} RbvBodyState;

typedef struct RbvMarkerState {
    RbvVec3 arm;         /* from the body's centroid to the marker [m] */
    RbvVec3 point;       /* the marker's origin [m] */
    const RbvMat3 *axes; /* the body's own where the marker is not turned in it */
    const RbvQuat *p;    /* of axes (space) */
    double turn;         /* of its x about z [rad], continuous with 2 pi `whole` (plane) */
    double whole;        /* as of its body */
    int32_t body;
} RbvMarkerState;

/* A force `force` and a torque `torque` about point p, moved to the centroid r: the wrench a body feels. */
static inline RbvWrench rbv_wrench_at(RbvVec3 arm, RbvVec3 force, RbvVec3 torque) {
    return (RbvWrench){force, rbv_add(torque, rbv_cross(arm, force))};
}

/* Velocity of a marker's origin: v + w x arm. */
static inline RbvVec3 rbv_marker_velocity(const RbvMarkerState *marker, RbvTwist twist) {
    return rbv_add(twist.v, rbv_cross(twist.w, marker->arm));
}

#endif
