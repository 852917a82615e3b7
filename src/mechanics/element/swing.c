/* Rates of relative rotation without an angle, as their axis moves with the geometry.
 *
 *   rate = a.(v_j - v_i) + e.(s_i w_i + s_j w_j),   v of both points, w of both bodies
 *
 * SWING, for a bar from p_i to p_j: d = p_j - p_i, l = |d|, n = d/l. The bar turns across itself with w_bar = n x d'/l;
 * e lies across the bar:
 *
 *   e_x = k x n made unit, e_y = n x e_x
 *   on body i: e.(w_bar - w_i), a = (e x n)/l, s = (-1, 0)
 *   of body j on the bar: e.(w_j - w_bar), a = -(e x n)/l, s = (0, 1)
 *
 * k is the z of i, or its x if the bar is within 45 degrees of z in the starting pose. BEND, for two shafts z whose
 * turns are equal: the relative rate lies in the plane that halves their angle,
 *
 *   e_x = x_i + x_j made unit, e_y = (z_i + z_j) x e_x made unit;   e.(w_j - w_i), s = (-1, 1), a = 0
 *
 * The gradient of i is -a at its point with the couple s_i e, that of j is a with s_j e; bias = sum (gradient)'.t. */
#include "mechanics/element/swing.h"

#include <string.h>

/* Relative to the arms of two points: points nearer than this coincide. */
#define COINCIDENT 1e-12
/* Sine of the angle between the bar and the reference axis, below which the axis gives no direction across the bar;
 * another axis is taken. */
#define ALONG 1e-8
/* Length of x_i + x_j and z_i + z_j, below which the shafts are folded back and have no halving plane. */
#define FOLDED 1e-8
#define COS_45 0.70710678118654752

/* A vector with its rate along a motion. */
typedef struct Moving {
    RbvVec3 at, rate;
} Moving;

typedef struct Turning {
    Moving e, a;
    double s[2];
} Turning;

static Moving cross(Moving u, Moving v) {
    return (Moving){rbv_cross(u.at, v.at), rbv_add(rbv_cross(u.rate, v.at), rbv_cross(u.at, v.rate))};
}

static Moving sum(Moving u, Moving v) {
    return (Moving){rbv_add(u.at, v.at), rbv_add(u.rate, v.rate)};
}

/* u/|u|, for |u| > 0. */
static Moving unit(Moving u) {
    double length = rbv_norm(u.at);
    RbvVec3 n = rbv_scale(1 / length, u.at);
    return (Moving){n, rbv_scale(1 / length, rbv_add_scaled(u.rate, -rbv_dot(n, u.rate), n))};
}

/* Column k of a marker's axes, with its rate. */
static Moving axis(const RbvMarkerState *marker, int k, RbvTwist t) {
    RbvVec3 column = marker->axes->column[k];
    return (Moving){column, rbv_cross(t.w, column)};
}

/* The axis of i from which the directions across the bar are computed. */
static int reference(const RbvMeasure *measure, const RbvModel *model) {
    RbvMat3 axes, other;
    RbvVec3 i = rbv_marker_start(model, measure->marker[0], &axes),
            d = rbv_sub(rbv_marker_start(model, measure->marker[1], &other), i);
    return fabs(rbv_dot(d, axes.column[2])) > COS_45 * rbv_norm(d) ? 0 : 2;
}

static bool swing(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *i, const RbvMarkerState *j,
                  const RbvTwist t[2], Turning *out) {
    Moving d = {rbv_sub(j->point, i->point), rbv_sub(rbv_marker_velocity(j, t[1]), rbv_marker_velocity(i, t[0]))};
    double l = rbv_norm(d.at), sign = measure->axis < 2 ? 1 : -1;
    if (!(l > COINCIDENT * (rbv_norm(i->arm) + rbv_norm(j->arm) + rbv_norm(i->point))))
        return false;
    int k = reference(measure, model);
    Moving n = unit(d), across = cross(axis(i, k, t[0]), n);
    if (rbv_norm(across.at) < ALONG)
        across = cross(axis(i, 2 - k, t[0]), n);
    Moving x = unit(across), e = measure->axis % 2 ? cross(n, x) : x, a = cross(e, n);
    double l_rate = rbv_dot(n.at, d.rate);
    a.rate = rbv_scale(sign / l, rbv_add_scaled(a.rate, -l_rate / l, a.at));
    a.at = rbv_scale(sign / l, a.at);
    *out = (Turning){e, a, {measure->axis < 2 ? -1 : 0, measure->axis < 2 ? 0 : 1}};
    return true;
}

static bool bend(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j, const RbvTwist t[2],
                 Turning *out) {
    Moving x = sum(axis(i, 0, t[0]), axis(j, 0, t[1])), z = sum(axis(i, 2, t[0]), axis(j, 2, t[1])), y = cross(z, x),
           none = {{0, 0, 0}, {0, 0, 0}};
    bool good = rbv_norm(x.at) > FOLDED && rbv_norm(y.at) > FOLDED * rbv_norm(x.at);
    if (good)
        *out = (Turning){unit(measure->axis == 0 ? x : y), none, {-1, 1}};
    return good;
}

static bool turning_of(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const RbvTwist t[2], Turning *out) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    return measure->kind == RBV_MEASURE_SWING ? swing(measure, model, i, j, t, out) : bend(measure, i, j, t, out);
}

bool rbv_swing_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                        RbvWrench gradient[2]) {
    const RbvTwist still[2] = {{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}};
    Turning now;
    memset(gradient, 0, 2 * sizeof *gradient);
    if (!turning_of(measure, model, markers, still, &now))
        return false;
    for (int side = 0; side < 2; side++)
        gradient[side] = rbv_wrench_at(markers[measure->marker[side]].arm, rbv_scale(side ? 1 : -1, now.a.at),
                                       rbv_scale(now.s[side], now.e.at));
    return true;
}

/* Rate of change of both gradients. */
static void change_of(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2], RbvWrench change[2]) {
    Turning now;
    memset(change, 0, 2 * sizeof *change);
    if (!turning_of(measure, model, markers, t, &now))
        return;
    for (int side = 0; side < 2; side++) {
        RbvVec3 arm = markers[measure->marker[side]].arm;
        Moving moment = cross((Moving){arm, rbv_cross(t[side].w, arm)}, now.a);
        change[side].force = rbv_scale(side ? 1 : -1, now.a.rate);
        change[side].torque = rbv_add_scaled(rbv_scale(now.s[side], now.e.rate), side ? 1 : -1, moment.rate);
    }
}

double rbv_swing_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2]) {
    RbvWrench change[2];
    change_of(measure, model, markers, t, change);
    return rbv_power(change[0], t[0]) + rbv_power(change[1], t[1]);
}

void rbv_swing_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist t[2], double change[12]) {
    RbvWrench both[2];
    change_of(measure, model, markers, t, both);
    for (int side = 0; side < 2; side++) {
        const double six[6] = {both[side].force.x,  both[side].force.y,  both[side].force.z,
                               both[side].torque.x, both[side].torque.y, both[side].torque.z};
        memcpy(change + 6 * side, six, sizeof six);
    }
}
