/* Small fixed sizes: vectors of three numbers, rotations, systems of a few unknowns that are solved once. */
#ifndef RBV_CORE_LINALG_SMALL_H
#define RBV_CORE_LINALG_SMALL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* For kernels that are called with constant sizes only: one copy for each size, with unrolled loops. */
#define RBV_UNROLLED static inline __attribute__((always_inline))

/* A sum in twice the precision, for small differences of large terms. */
typedef struct RbvTwofold {
    double high, low;
} RbvTwofold;

/* Add x by Knuth's two-sum: the rounding error goes to `low`. */
static inline void rbv_twofold_add(RbvTwofold *sum, double x) {
    double high = sum->high + x, part = high - sum->high;
    sum->low += (sum->high - (high - part)) + (x - part);
    sum->high = high;
}
static inline void rbv_twofold_add_product(RbvTwofold *sum, double a, double x) {
    double product = a * x;
    rbv_twofold_add(sum, product);
    sum->low += fma(a, x, -product);
}
static inline double rbv_twofold(RbvTwofold sum) {
    return sum.high + sum.low;
}

/* --- vectors of three numbers, 3x3 matrices (columns are axes) and the few products that mechanics needs --- */

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

/* --- rotations: unit quaternions (w, e), the orientation of a frame in its reference by 2 acos(w) about e --- */

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
/* The same angle with |turn| at most MOST_TURN (small.c) and `whole` a whole number; `whole` may have a fraction on
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

/* Solve A[n][n+1] = [matrix | right side], row-major, by elimination with partial pivoting; the solution replaces the
 * last column. False: a pivot is not above `least` in magnitude. */
bool rbv_small_solve(double *A, int32_t n, double least);

/* Eigenvalues of the symmetric matrix J = xx yy zz xy xz yz, ascending. */
void rbv_small_eigenvalues(const double J[6], double out[3]);

#endif
