/* Unit quaternions (w, e) and rotation vectors: the orientation of a frame in its reference. The rotation of (w, e) is
 * by 2 acos(w) about e. */
#ifndef RBV_CORE_LINALG_ROTATION_H
#define RBV_CORE_LINALG_ROTATION_H

#include "core/linalg/vec3.h"

#include <stdbool.h>

#define RBV_TWO_PI 6.283185307179586

typedef struct RbvQuat {
    double w;
    RbvVec3 e;
} RbvQuat;

static inline RbvQuat rbv_quat_identity(void) {
    return (RbvQuat){1, {0, 0, 0}};
}
static inline RbvQuat rbv_quat_conjugate(RbvQuat p) {
    return (RbvQuat){p.w, {-p.e.x, -p.e.y, -p.e.z}};
}
/* p q: first rotation q, then p; (w, e)(v, f) = (wv - e.f, wf + ve + e x f). */
static inline RbvQuat rbv_quat_product(RbvQuat p, RbvQuat q) {
    return (RbvQuat){p.w * q.w - p.e.x * q.e.x - p.e.y * q.e.y - p.e.z * q.e.z,
                     {p.w * q.e.x + q.w * p.e.x + p.e.y * q.e.z - p.e.z * q.e.y,
                      p.w * q.e.y + q.w * p.e.y + p.e.z * q.e.x - p.e.x * q.e.z,
                      p.w * q.e.z + q.w * p.e.z + p.e.x * q.e.y - p.e.y * q.e.x}};
}
static inline double rbv_quat_norm(RbvQuat p) {
    return sqrt(p.w * p.w + rbv_dot(p.e, p.e));
}
static inline RbvQuat rbv_quat_normalised(RbvQuat p) {
    double k = 1 / rbv_quat_norm(p);
    return (RbvQuat){k * p.w, rbv_scale(k, p.e)};
}
/* Axes of the rotated frame: A = (2w^2 - 1) I + 2 e e^T + 2 w e~, for a unit quaternion. */
static inline RbvMat3 rbv_mat3_of_quat(RbvQuat p) {
    double w = p.w, x = p.e.x, y = p.e.y, z = p.e.z;
    return (RbvMat3){{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
}

/* Exponential: rotation by |theta| [rad] about theta. */
RbvQuat rbv_quat_of_vector(RbvVec3 theta);
/* Logarithm: rotation vector of least length [rad], |theta| <= pi. */
RbvVec3 rbv_vector_of_quat(RbvQuat p);
/* The quaternion of a proper orthogonal matrix, w >= 0. */
RbvQuat rbv_quat_of_mat3(const RbvMat3 *A);
/* A right-handed frame with the given z and with x as near as possible to the given one; false: z and x are parallel,
 * or one is zero. */
bool rbv_frame_of_axes(RbvVec3 z, RbvVec3 x, RbvMat3 *frame);

/* Scale from a sine to its angle, phi/sin(phi) at u = cos(phi): s(u) = acos(u)/sqrt(1 - u^2) and its first two
 * derivatives, for u in (-1, 1]; 1, -1/3, 4/15 at u = 1. */
typedef struct RbvSineScale {
    double s, s1, s2;
} RbvSineScale;
RbvSineScale rbv_sine_scale(double u);

/* An angle `turn` + 2 pi `whole` [rad], `whole` a whole number: keeps full precision after many turns. */
typedef struct RbvTurns {
    double turn, whole;
} RbvTurns;
/* The same angle with |turn| at most MOST_TURN (rotation.c) and `whole` a whole number; `whole` may have a fraction on
 * entry. */
RbvTurns rbv_turns_reduced(RbvTurns angle);
/* turn + 2 pi whole [rad]; *cut: its rounding error. */
double rbv_turns_angle(RbvTurns angle, double *cut);

/* Orientation of axes in a reference. */
typedef struct RbvAxes {
    RbvMat3 A;
    RbvQuat p; /* quaternion of A */
} RbvAxes;
/* Axes equal to those of the reference. */
extern const RbvAxes rbv_axes_alike;

#endif
