/* Rotations of marker j relative to marker i, as functions of two kinds of quantities with elementary derivatives.
 *
 * 1. The relative quaternion p = p_i^-1 p_j = (w, e), in i's axes. With W = A_i^T (w_j - w_i):
 *      w' = -W.e/2,  e' = (w W + W x e)/2
 *    For constant w_i, w_j:
 *      W' = -(A_i^T w_i) x W,  p'' = (0, W')p/2 - |W|^2 p/4
 *    A function f(w, e) has the gradient (w f_e + e x f_e - f_w e)/2 by W.
 *      rotation k:  2 s(w) e_k, s = acos(w)/sqrt(1 - w^2), for the sign of p with w >= 0
 *      twist a:     2 atan2(e_a, w)
 * 2. Products l.b of an axis l of i with an axis b of j: gradient b x l by w_j, l x b by w_i.
 *      dot:         l.b
 *      tilt (a, k): s(u) (a_i x a_j).k_i, u = a_i.a_j: the angle between both axes a, as a turn about k_i */
#include "mechanics/element/turning.h"

#include "core/base/tolerances.h"

#include <string.h>

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

/* Rates of relative rotation without an angle: across a bar at its ends, and between the halves of a constant-velocity
 * joint. See turning.c. */

/* Length of x_i + x_j and z_i + z_j, below which the shafts are folded back and have no halving plane. */
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
    /* Relative to the arms of two points: points nearer than this coincide. */
    if (!(l > RBV_CANCELLED * (rbv_norm(i->arm) + rbv_norm(j->arm) + rbv_norm(i->point))))
        return false;
    int k = reference(measure, model);
    Moving n = unit(d), across = cross(axis(i, k, t[0]), n);
    /* Sine of the angle between the bar and the reference axis, below which the axis gives no direction across the bar;
     * another axis is taken. */
    if (rbv_norm(across.at) < RBV_ROOT_EPS)
        across = cross(axis(i, 2 - k, t[0]), n);
    Moving x = unit(across), e = measure->axis % 2 ? cross(n, x) : x, a = cross(e, n);
    double l_rate = rbv_dot(n.at, d.rate);
    a.rate = rbv_scale(sign / l, rbv_add_scaled(a.rate, -l_rate / l, a.at));
    a.at = rbv_scale(sign / l, a.at);
    *out = (Turning){e, a, {0, 1}};
    if (measure->axis < 2) /* of the bar on its first body */
        out->s[0] = -1, out->s[1] = 0;
    return true;
}

static bool bend(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j, const RbvTwist t[2],
                 Turning *out) {
    Moving x = sum(axis(i, 0, t[0]), axis(j, 0, t[1])), z = sum(axis(i, 2, t[0]), axis(j, 2, t[1])), y = cross(z, x),
           none = {{0, 0, 0}, {0, 0, 0}};
    bool good = rbv_norm(x.at) > RBV_ROOT_EPS && rbv_norm(y.at) > RBV_ROOT_EPS * rbv_norm(x.at);
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

/* Sum of the squares of sine and cosine of half the twist, below which it is rounding: the axes are opposite and the
 * twist has no value. */
#define NO_TWIST 1e-20

static RbvVec3 unit_axis(int32_t k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

static RbvQuat relative(RbvMeasureKind kind, const RbvMarkerState *i, const RbvMarkerState *j) {
    RbvQuat p = rbv_quat_product(rbv_quat_conjugate(*i->p), *j->p);
    bool turn_over = kind == RBV_MEASURE_ROTATION && p.w < 0;
    return turn_over ? (RbvQuat){-p.w, rbv_scale(-1, p.e)} : p;
}

static void set_gradient(RbvVec3 by_second, RbvMeasureState *state) {
    RbvVec3 none = {0, 0, 0};
    state->gradient[0] = (RbvWrench){none, rbv_scale(-1, by_second)};
    state->gradient[1] = (RbvWrench){none, by_second};
}

/* f_w and f_e, and the value of f. */
static bool slopes(RbvMeasureKind kind, int32_t axis, RbvQuat p, double *value, double *fw, RbvVec3 *fe) {
    double e = rbv_vec3_part(p.e, axis);
    if (kind == RBV_MEASURE_ROTATION) {
        RbvSineScale s = rbv_sine_scale(p.w);
        *value = 2 * s.s * e;
        *fw = 2 * s.s1 * e;
        *fe = rbv_scale(2 * s.s, unit_axis(axis));
        return true;
    }
    double square = p.w * p.w + e * e;
    *value = 2 * atan2(e, p.w);
    bool good = square > NO_TWIST;
    *fw = good ? -2 * e / square : 0;
    *fe = rbv_scale(good ? 2 * p.w / square : 0, unit_axis(axis));
    return good;
}

/* The two products of a tilt: the sine about k, and the cosine. */
typedef struct Products {
    RbvVec3 sine, cosine, b; /* axes of i for the sine and the cosine, axis of j */
} Products;

static Products products_of(int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j) {
    RbvVec3 a = i->axes->column[axis / 3], k = i->axes->column[axis % 3];
    return (Products){rbv_cross(k, a), a, j->axes->column[axis / 3]};
}

bool rbv_turning_place(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, double last,
                       RbvMeasureState *state) {
    if (kind == RBV_MEASURE_DOT) {
        RbvVec3 l = i->axes->column[axis / 3], b = j->axes->column[axis % 3];
        state->value = rbv_dot(l, b);
        set_gradient(rbv_cross(b, l), state);
        return true;
    }
    if (kind == RBV_MEASURE_TILT) {
        Products p = products_of(axis, i, j);
        double d = rbv_dot(p.sine, p.b), u = rbv_dot(p.cosine, p.b);
        /* Distance of the cosine from -1, below which axes are opposite and have no direction of tilt: one is chosen.
         */
        if (u < -1 + RBV_SUM_EXACT) {
            bool first = axis % 3 == (axis / 3 + 1) % 3;
            state->value = first ? 0.5 * RBV_TWO_PI : 0;
            set_gradient(rbv_scale(first ? 1 : 0, i->axes->column[axis % 3]), state);
            return true;
        }
        RbvSineScale s = rbv_sine_scale(u);
        state->value = s.s * d;
        set_gradient(rbv_cross(p.b, rbv_add_scaled(rbv_scale(s.s, p.sine), s.s1 * d, p.cosine)), state);
        return true;
    }
    RbvQuat p = relative(kind, i, j);
    double value, fw;
    RbvVec3 fe;
    bool good = slopes(kind, axis, p, &value, &fw, &fe);
    RbvVec3 by_turn = rbv_add_scaled(rbv_add(rbv_scale(p.w, fe), rbv_cross(p.e, fe)), -fw, p.e);
    if (kind == RBV_MEASURE_TWIST) { /* both signs of p give the same rotation, whole turns apart; the first value lies
                                        in (-pi, pi] */
        value = rbv_turns_angle((RbvTurns){value, round(((isnan(last) ? RBV_SAME : last) - value) / RBV_TWO_PI)},
                                &state->cut);
    }
    state->value = value;
    set_gradient(rbv_apply(i->axes, rbv_scale(0.5, by_turn)), state);
    return good;
}

/* (l.b)'' for constant angular velocities; *rate is (l.b)'. */
static double product_bias(RbvVec3 l, RbvVec3 b, RbvVec3 wi, RbvVec3 wj, double *rate) {
    RbvVec3 dl = rbv_cross(wi, l), db = rbv_cross(wj, b);
    *rate = rbv_dot(dl, b) + rbv_dot(l, db);
    return rbv_dot(rbv_cross(wi, dl), b) + 2 * rbv_dot(dl, db) + rbv_dot(l, rbv_cross(wj, db));
}

double rbv_turning_bias(RbvMeasureKind kind, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j, RbvVec3 wi,
                        RbvVec3 wj) {
    double d_rate, u_rate;
    if (kind == RBV_MEASURE_DOT)
        return product_bias(i->axes->column[axis / 3], j->axes->column[axis % 3], wi, wj, &d_rate);
    if (kind == RBV_MEASURE_TILT) {
        Products p = products_of(axis, i, j);
        double d = rbv_dot(p.sine, p.b), u = rbv_dot(p.cosine, p.b);
        if (u < -1 + RBV_SUM_EXACT)
            return 0;
        RbvSineScale s = rbv_sine_scale(u);
        double d_bias = product_bias(p.sine, p.b, wi, wj, &d_rate),
               u_bias = product_bias(p.cosine, p.b, wi, wj, &u_rate);
        return s.s * d_bias + 2 * s.s1 * u_rate * d_rate + d * (s.s2 * u_rate * u_rate + s.s1 * u_bias);
    }
    RbvQuat p = relative(kind, i, j);
    RbvVec3 W = rbv_apply_transposed(i->axes, rbv_sub(wj, wi)), dW = rbv_cross(W, rbv_apply_transposed(i->axes, wi));
    RbvQuat rate = rbv_quat_product((RbvQuat){0, rbv_scale(0.5, W)}, p),
            bias = rbv_quat_product((RbvQuat){0, rbv_scale(0.5, dW)}, p);
    double square = 0.25 * rbv_dot(W, W), value, fw;
    bias.w -= square * p.w;
    bias.e = rbv_add_scaled(bias.e, -square, p.e);
    RbvVec3 fe;
    if (!slopes(kind, axis, p, &value, &fw, &fe))
        return 0;
    double e = rbv_vec3_part(p.e, axis), e_rate = rbv_vec3_part(rate.e, axis), curved;
    if (kind == RBV_MEASURE_ROTATION) {
        RbvSineScale s = rbv_sine_scale(p.w);
        curved = 2 * s.s2 * rate.w * rate.w * e + 4 * s.s1 * rate.w * e_rate;
    } else {
        double ring = p.w * p.w + e * e;
        curved = -4 * (p.w * rate.w + e * e_rate) * (p.w * e_rate - e * rate.w) / (ring * ring);
    }
    return fw * bias.w + rbv_dot(fe, bias.e) + curved;
}
