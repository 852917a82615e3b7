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

/* Sum of the squares of sine and cosine of half the twist, below which it is rounding: the axes are opposite and the
 * twist has no value. */
#define NO_TWIST 1e-20

/* Distance of the cosine from -1, below which axes are opposite and have no direction of tilt: one is chosen. */
#define OPPOSITE 1e-14

static RbvVec3 unit_axis(int32_t k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

static double part(RbvVec3 a, int32_t k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
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
    double e = part(p.e, axis);
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
        if (u < -1 + OPPOSITE) {
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
        value = rbv_turns_angle(
            (RbvTurns){value, round(((isnan(last) ? RBV_HALF_TURN_TIE : last) - value) / RBV_TWO_PI)}, &state->cut);
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
        if (u < -1 + OPPOSITE)
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
    double e = part(p.e, axis), e_rate = part(rate.e, axis), curved;
    if (kind == RBV_MEASURE_ROTATION) {
        RbvSineScale s = rbv_sine_scale(p.w);
        curved = 2 * s.s2 * rate.w * rate.w * e + 4 * s.s1 * rate.w * e_rate;
    } else {
        double ring = p.w * p.w + e * e;
        curved = -4 * (p.w * rate.w + e * e_rate) * (p.w * e_rate - e * rate.w) / (ring * ring);
    }
    return fw * bias.w + rbv_dot(fe, bias.e) + curved;
}
