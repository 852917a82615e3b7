/* The two rows of a point on a curve g(c) fixed in body i: e_k(c).(p - g(c)), c being the parameter of the nearest
 * point, F = t.(p - g) = 0.
 *
 * e_1, e_2, t is a frame that moves along the curve without turning about t: e_k' = -(e_k.t') t. Then G = e_k.d has
 *   G_c = -(e_k.t') F = 0
 * so that its gradient is that of the offset with e_k fixed in i. Its second derivatives are those of that offset plus
 *   (e_k.t') F_q F_q^T / F_c,   F_c = t'.d - |g'|
 * The choice among such frames only mixes the two rows; it is made anew at each evaluation. */
#include "mechanics/element/track.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/element/offset.h"

#include <math.h>
#include <string.h>

#define NEAREST_STEPS 40
#define SEARCH_POINTS 512 /* of a global search, if no parameter is remembered or Newton fails */

/* Point and derivatives of the curve at a parameter, in ground axes from its marker's origin. */
typedef struct Place {
    RbvVec3 g, g1, g2;
} Place;

static Place place_at(const RbvCam *cam, const RbvMarkerState *i, double c) {
    double x[4], y[4], z[4];
    rbv_spline_eval(cam->x[0], c, 2, x);
    rbv_spline_eval(cam->y[0], c, 2, y);
    rbv_spline_eval(cam->z, c, 2, z);
    return (Place){rbv_apply(i->axes, rbv_vec3(x[0], y[0], z[0])), rbv_apply(i->axes, rbv_vec3(x[1], y[1], z[1])),
                   rbv_apply(i->axes, rbv_vec3(x[2], y[2], z[2]))};
}

static double inside(const RbvCam *cam, double c) {
    return cam->closed[0] ? c : rbv_min(rbv_max(c, 0), cam->span[0]);
}

/* Newton on g'.(p - g) = 0. */
static bool newton(const RbvCam *cam, const RbvMarkerState *i, RbvVec3 to, double *c) {
    double size = INFINITY;
    for (int step = 0; step < NEAREST_STEPS; step++) {
        Place k = place_at(cam, i, *c);
        RbvVec3 d = rbv_sub(to, k.g);
        double slope = rbv_dot(k.g2, d) - rbv_dot(k.g1, k.g1), limit = 0.05 * cam->span[0];
        if (!(slope < 0)) /* farther than the centre of curvature: not the nearest point */
            return false;
        double delta = rbv_min(rbv_max(-rbv_dot(k.g1, d) / slope, -limit), limit), next = inside(cam, *c + delta);
        size = fabs(next - *c) / cam->span[0];
        *c = next;
        /* Relative to the span: step at which the parameter is as exact as double allows. */
        if (size <= 8 * RBV_EXACT)
            return true;
    }
    /* Relative to the span: step to be reached when steps no longer shrink. */
    return size < RBV_CANCELLED;
}

static bool search(const RbvCam *cam, const RbvMarkerState *i, RbvVec3 to, double *c) {
    double best = INFINITY;
    for (int n = 0; n < SEARCH_POINTS; n++) {
        double at = cam->span[0] * (n + 0.5) / SEARCH_POINTS, distance = rbv_norm(rbv_sub(to, place_at(cam, i, at).g));
        if (distance < best) {
            best = distance;
            *c = at;
        }
    }
    return newton(cam, i, to, c);
}

/* The frame at a parameter: t, the normal e of the part, t', and the offsets along e and t. */
typedef struct Frame {
    RbvVec3 t, t1, e, d;
    double speed;
    RbvOffset along_e, along_t;
} Frame;

static Frame frame_at(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j, double c) {
    Place k = place_at(cam, i, c);
    Frame f = {.speed = rbv_norm(k.g1)};
    f.t = rbv_scale(1 / f.speed, k.g1);
    f.t1 = rbv_scale(1 / f.speed, rbv_add_scaled(k.g2, -rbv_dot(k.g2, f.t), f.t));
    int least = 0;
    for (int n = 1; n < 3; n++)
        if (fabs(rbv_dot(i->axes->column[n], f.t)) < fabs(rbv_dot(i->axes->column[least], f.t)))
            least = n;
    RbvVec3 a = i->axes->column[least], across = rbv_add_scaled(a, -rbv_dot(a, f.t), f.t),
            e = rbv_scale(1 / rbv_norm(across), across);
    f.e = part ? rbv_cross(f.t, e) : e;
    f.d = rbv_sub(rbv_sub(j->point, i->point), k.g);
    f.along_e = (RbvOffset){f.e, f.d, {rbv_add(i->arm, k.g), j->arm}, 0};
    f.along_t = (RbvOffset){f.t, f.d, {rbv_add(i->arm, k.g), j->arm}, 0};
    return f;
}

bool rbv_track_place(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                     const RbvMeasureMemory *memory, RbvMeasureState *state) {
    RbvVec3 to = rbv_sub(j->point, i->point);
    double c = memory->contact[0];
    bool good = (!isnan(c) && newton(cam, i, to, &c)) || search(cam, i, to, &c);
    if (!cam->closed[0] && (c <= 0 || c >= cam->span[0])) /* past an end */
        good = false;
    Frame f = frame_at(cam, part, i, j, c);
    state->contact[0] = c;
    state->value = rbv_offset_gradient(&f.along_e, state->gradient);
    return good;
}

double rbv_track_bias(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state, RbvTwist t0, RbvTwist t1) {
    Frame f = frame_at(cam, part, i, j, state->contact[0]);
    RbvWrench g[2];
    rbv_offset_gradient(&f.along_t, g);
    double slip = rbv_power(g[0], t0) + rbv_power(g[1], t1);
    return rbv_offset_bias(&f.along_e, t0, t1) + rbv_dot(f.e, f.t1) * slip * slip / (rbv_dot(f.t1, f.d) - f.speed);
}

void rbv_track_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c, RbvVec3 *tangent,
                       RbvVec3 *place) {
    *tangent = frame_at(cam, 0, i, j, c).t;
    *place = rbv_add(i->point, place_at(cam, i, c).g);
}

/* c' = -F'/F_c, F' being the rate of F at fixed c. */
void rbv_track_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c,
                            const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place) {
    Frame f = frame_at(cam, 0, i, j, c);
    RbvWrench g[2];
    rbv_offset_gradient(&f.along_t, g);
    double rate = (rbv_power(g[0], t[0]) + rbv_power(g[1], t[1])) / (f.speed - rbv_dot(f.t1, f.d));
    *tangent = rbv_add_scaled(rbv_cross(t[0].w, f.t), rate, f.t1);
    *place = rbv_add_scaled(rbv_add(t[0].v, rbv_cross(t[0].w, f.along_t.s[0])), rate * f.speed, f.t);
}

void rbv_track_hessian(const RbvCam *cam, int part, const RbvMarkerState *i, const RbvMarkerState *j,
                       const RbvMeasureState *state, double H[12][12]) {
    Frame f = frame_at(cam, part, i, j, state->contact[0]);
    RbvWrench w[2];
    double g[12], k = rbv_dot(f.e, f.t1) / (rbv_dot(f.t1, f.d) - f.speed);
    rbv_offset_gradient(&f.along_t, w);
    for (int b = 0; b < 2; b++) {
        g[6 * b] = w[b].force.x, g[6 * b + 1] = w[b].force.y, g[6 * b + 2] = w[b].force.z;
        g[6 * b + 3] = w[b].torque.x, g[6 * b + 4] = w[b].torque.y, g[6 * b + 5] = w[b].torque.z;
    }
    rbv_offset_hessian(&f.along_e, 1, H);
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++)
            H[r][c] += k * g[r] * g[c];
}
