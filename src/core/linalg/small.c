/* Rotations; Gauss-Jordan elimination of an augmented matrix, eigenvalues of a symmetric 3x3 matrix in closed form; see
 * small.h. */
#include "core/linalg/small.h"

#include "core/base/extremes.h"

#include <math.h>

/* [rad] below this angle the series of sin(x)/x is exact to rounding: x^4/120 < 1e-17. */
#define SMALL_ANGLE 1e-4
/* Distance from u = 1 below which the closed forms of s' and s'' cancel; there twelve terms of the series reach
 * rounding. */
#define NEAR_ONE 0.06
#define TWO_PI_REST 2.4492935982947064e-16 /* 2 pi - RBV_TWO_PI */
/* [rad] two turns: few machines that move to and fro reach this angle, and its sine still has full precision. */
#define MOST_TURN (2 * RBV_TWO_PI)

const RbvAxes rbv_axes_alike = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, {0, 0, 0}}};

RbvQuat rbv_quat_of_vector(RbvVec3 theta) {
    double angle = rbv_norm(theta), half = 0.5 * angle;
    double k = half < SMALL_ANGLE ? 0.5 * (1 - half * half / 6) : sin(half) / angle;
    return (RbvQuat){cos(half), rbv_scale(k, theta)};
}

RbvVec3 rbv_vector_of_quat(RbvQuat p) {
    double sign = p.w < 0 ? -1 : 1, sine = rbv_norm(p.e), w = sign * p.w;
    double k = sine < SMALL_ANGLE && w > 0.5 ? 2 / w * (1 - sine * sine / (3 * w * w)) : 2 * atan2(sine, w) / sine;
    return rbv_scale(sign * k, p.e);
}

/* By Shepperd: the largest of w^2, x^2, y^2, z^2 is at least 1/4; divide by this one. */
RbvQuat rbv_quat_of_mat3(const RbvMat3 *A) {
    double xx = A->column[0].x, yy = A->column[1].y, zz = A->column[2].z, trace = xx + yy + zz;
    double zy = A->column[1].z - A->column[2].y, xz = A->column[2].x - A->column[0].z,
           yx = A->column[0].y - A->column[1].x;
    double sxy = A->column[0].y + A->column[1].x, sxz = A->column[0].z + A->column[2].x,
           syz = A->column[1].z + A->column[2].y;
    RbvQuat p;
    if (trace >= xx && trace >= yy && trace >= zz)
        p = (RbvQuat){1 + trace, {zy, xz, yx}};
    else if (xx >= yy && xx >= zz)
        p = (RbvQuat){zy, {1 + xx - yy - zz, sxy, sxz}};
    else if (yy >= zz)
        p = (RbvQuat){xz, {sxy, 1 + yy - xx - zz, syz}};
    else
        p = (RbvQuat){yx, {sxz, syz, 1 + zz - xx - yy}};
    p = rbv_quat_normalised(p);
    return p.w < 0 ? (RbvQuat){-p.w, rbv_scale(-1, p.e)} : p;
}

bool rbv_frame_of_axes(RbvVec3 z, RbvVec3 x, RbvMat3 *frame) {
    double length = rbv_norm(z), reach = rbv_norm(x);
    if (!(length > 0) || !(reach > 0) || !isfinite(length) || !isfinite(reach))
        return false;
    z = rbv_scale(1 / length, z);
    x = rbv_scale(1 / reach, x);
    x = rbv_add_scaled(x, -rbv_dot(x, z), z);
    double across = rbv_norm(x);
    if (!(across > 1e-6)) /* relative to a unit vector: below, the direction would be rounding of the user's digits */
        return false;
    x = rbv_scale(1 / across, x);
    *frame = (RbvMat3){{x, rbv_cross(z, x), z}};
    return true;
}

RbvTurns rbv_turns_reduced(RbvTurns angle) {
    double n = round(angle.whole), turn = angle.turn + RBV_TWO_PI * (angle.whole - n);
    if (fabs(turn) <= MOST_TURN)
        return (RbvTurns){turn, n};
    double more = round(turn / RBV_TWO_PI);
    return (RbvTurns){fma(-more, TWO_PI_REST, fma(-more, RBV_TWO_PI, turn)), n + more};
}

double rbv_turns_angle(RbvTurns angle, double *cut) {
    RbvTwofold sum = {angle.turn, TWO_PI_REST * angle.whole};
    rbv_twofold_add_product(&sum, RBV_TWO_PI, angle.whole);
    double value = rbv_twofold(sum);
    if (cut)
        *cut = (sum.high - value) + sum.low;
    return value;
}

/* acos(u)/sqrt(1 - u^2) = sum a_n v^n, v = 1 - u, a_n = n!/(2n + 1)!!. Elsewhere (1 - u^2) s' = u s - 1 and (1 - u^2)
 * s'' = s + 3 u s'. */
RbvSineScale rbv_sine_scale(double u) {
    double v = 1 - u;
    if (v < NEAR_ONE) {
        double a = 1, before = 0, power = 1, s = 1, s1 = 0, s2 = 0; /* v^(n-2), v^(n-1) */
        for (int n = 1; n <= 12; n++) {
            a *= n / (2.0 * n + 1);
            s2 += a * n * (n - 1) * before;
            s1 -= a * n * power;
            before = power;
            power *= v;
            s += a * power;
        }
        return (RbvSineScale){s, s1, s2};
    }
    double square = 1 - u * u, s = acos(u > -1 ? u : -1) / sqrt(square), s1 = (u * s - 1) / square;
    return (RbvSineScale){s, s1, (s + 3 * u * s1) / square};
}

/* --- systems of a few unknowns --- */

bool rbv_small_solve(double *A, int32_t n, double least) {
    int32_t w = n + 1;
    for (int32_t s = 0; s < n; s++) {
        int32_t pivot = s;
        for (int32_t i = s + 1; i < n; i++)
            pivot = fabs(A[i * w + s]) > fabs(A[pivot * w + s]) ? i : pivot;
        if (!(fabs(A[pivot * w + s]) > least))
            return false;
        for (int32_t j = 0; j < w && pivot != s; j++) {
            double swap = A[s * w + j];
            A[s * w + j] = A[pivot * w + j], A[pivot * w + j] = swap;
        }
        for (int32_t i = 0; i < n; i++) {
            double factor = i == s ? 0 : A[i * w + s] / A[s * w + s];
            for (int32_t j = s; j < w && factor != 0; j++)
                A[i * w + j] -= factor * A[s * w + j];
        }
    }
    for (int32_t s = 0; s < n; s++)
        A[s * w + n] /= A[s * w + s];
    return true;
}

/* Eigenvalues q + 2 p cos((phi + 2 pi k)/3): q a third of the trace, p and phi from the deviator. */
void rbv_small_eigenvalues(const double J[6], double out[3]) {
    double mean = (J[0] + J[1] + J[2]) / 3, xx = J[0] - mean, yy = J[1] - mean, zz = J[2] - mean, xy = J[3], xz = J[4],
           yz = J[5];
    double p = sqrt((xx * xx + yy * yy + zz * zz + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    double det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    double phi = p > 0 ? acos(rbv_min(rbv_max(det / (2 * p * p * p), -1), 1)) / 3 : 0;
    for (int k = 0; k < 3; k++)
        out[k] = mean + 2 * p * cos(phi + (k + 1) * 2.0943951023931953);
}
