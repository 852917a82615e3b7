/* Bodies and markers at an instant, as elements use them. All vectors in ground axes. */
#ifndef RBV_MECHANICS_MARKER_MARKER_H
#define RBV_MECHANICS_MARKER_MARKER_H

#include "core/linalg/small.h"

#include <stdint.h>

typedef struct RbvBodyState {
    RbvVec3 r;    /* centroid [m] */
    RbvMat3 A;    /* body axes */
    double turn;  /* plane: angle about z [rad], without the 2 pi `whole` */
    RbvQuat p;    /* space: unit quaternion of A */
    double whole; /* plane: whole turns that are not in `turn`, a whole number */
} RbvBodyState;

typedef struct RbvMarkerState {
    RbvVec3 arm;         /* from the body's centroid to the marker [m] */
    RbvVec3 point;       /* the marker's origin [m] */
    const RbvMat3 *axes; /* axes of the marker; the body's own if the marker is not turned relative to the body */
    const RbvQuat *p;    /* space: unit quaternion of the axes */
    double turn;         /* plane: angle of the marker's x about z [rad], without the 2 pi `whole` */
    double whole;        /* plane: whole turns, those of the body */
    int32_t body;
} RbvMarkerState;

/* Wrench about the centroid r of a force `force` and a torque `torque` at r + arm. */
static inline RbvWrench rbv_wrench_at(RbvVec3 arm, RbvVec3 force, RbvVec3 torque) {
    return (RbvWrench){force, rbv_add(torque, rbv_cross(arm, force))};
}

/* Velocity of a marker's origin: v + w x arm. */
static inline RbvVec3 rbv_marker_velocity(const RbvMarkerState *marker, RbvTwist twist) {
    return rbv_add(twist.v, rbv_cross(twist.w, marker->arm));
}

#endif
