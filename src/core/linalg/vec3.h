/* Vectors of three numbers, 3x3 matrices (columns are axes) and the few products that mechanics needs. */
#ifndef RBV_CORE_LINALG_VEC3_H
#define RBV_CORE_LINALG_VEC3_H

#include <math.h>

typedef struct RbvVec3 {
    double x, y, z;
} RbvVec3;

/* column[k]: the k-th axis of a frame, in the axes of its reference. */
typedef struct RbvMat3 {
    RbvVec3 column[3];
} RbvMat3;

/* Force and torque about a stated point; also the gradient of a scalar by a body's twist (velocity of the centroid and
 * angular velocity, both in ground axes). */
typedef struct RbvWrench {
    RbvVec3 force, torque;
} RbvWrench;

/* Velocity of a body's centroid and its angular velocity, ground axes. */
typedef struct RbvTwist {
    RbvVec3 v, w;
} RbvTwist;

static inline RbvVec3 rbv_vec3(double x, double y, double z) {
    return (RbvVec3){x, y, z};
}
/* Component k = 0, 1, 2 of v. */
static inline double rbv_vec3_part(RbvVec3 v, int k) {
    if (k == 0)
        return v.x;
    return k == 1 ? v.y : v.z;
}
static inline RbvVec3 rbv_add(RbvVec3 a, RbvVec3 b) {
    return (RbvVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline RbvVec3 rbv_sub(RbvVec3 a, RbvVec3 b) {
    return (RbvVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline RbvVec3 rbv_scale(double k, RbvVec3 a) {
    return (RbvVec3){k * a.x, k * a.y, k * a.z};
}
static inline RbvVec3 rbv_add_scaled(RbvVec3 a, double k, RbvVec3 b) {
    return (RbvVec3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}
static inline double rbv_dot(RbvVec3 a, RbvVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline RbvVec3 rbv_cross(RbvVec3 a, RbvVec3 b) {
    return (RbvVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double rbv_norm(RbvVec3 a) {
    return sqrt(rbv_dot(a, a));
}
/* A b: coordinates along the columns to the reference axes. */
static inline RbvVec3 rbv_apply(const RbvMat3 *A, RbvVec3 b) {
    return rbv_add(rbv_add(rbv_scale(b.x, A->column[0]), rbv_scale(b.y, A->column[1])), rbv_scale(b.z, A->column[2]));
}
/* A^T b: reference axes to coordinates along the columns. */
static inline RbvVec3 rbv_apply_transposed(const RbvMat3 *A, RbvVec3 b) {
    return (RbvVec3){rbv_dot(A->column[0], b), rbv_dot(A->column[1], b), rbv_dot(A->column[2], b)};
}
static inline RbvMat3 rbv_mat3_identity(void) {
    return (RbvMat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
/* Rotation by `angle` [rad] about z, right-handed. */
static inline RbvMat3 rbv_mat3_about_z(double angle) {
    double c = cos(angle), s = sin(angle);
    return (RbvMat3){{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}
static inline RbvMat3 rbv_mat3_product(const RbvMat3 *A, const RbvMat3 *B) {
    return (RbvMat3){{rbv_apply(A, B->column[0]), rbv_apply(A, B->column[1]), rbv_apply(A, B->column[2])}};
}
/* The power of a wrench (force at the centroid) on a twist; also the rate of the scalar whose gradient it is. */
static inline double rbv_power(RbvWrench a, RbvTwist b) {
    return rbv_dot(a.force, b.v) + rbv_dot(a.torque, b.w);
}
static inline RbvWrench rbv_wrench_add_scaled(RbvWrench a, double k, RbvWrench b) {
    return (RbvWrench){rbv_add_scaled(a.force, k, b.force), rbv_add_scaled(a.torque, k, b.torque)};
}

#endif
