/* The gap of a cam as an offset with moving contact parameters.
 *
 * Outline g(a) on body i, outward normal n(a). Follower on body j: a point p; or a flat through p with normal m; or an
 * outline h(b).
 *   point: G(q, a)    = n(a).(p - g(a))           stationary in a: t(a).(p - g(a)) = 0
 *   flat:  G(q, a)    = m.(p - g(a)),             stationary in a: m.t(a) = 0
 *   curve: G(q, a, b) = n(a).(h(b) - g(a))        stationary in a and b: tangents parallel, contact on the normal
 * The gap is G at its stationary c = (a, b). By the envelope theorem its gradient is that of G at fixed c, and
 *   Hessian = G_qq - G_qc G_cc^-1 G_cq,   bias = v^T G_qq v - (G_cq v)^T G_cc^-1 (G_cq v).
 * At fixed c, G is the form a.d of offset.h. n = s (y', -x')/|g'|; n' lies along the tangent and follows from g', g''.
 */
#include "mechanics/element/gap.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/element/offset.h"
#include "mechanics/element/track.h"

#include <math.h>
#include <string.h>

/* The gap of a point over a surface of revolution: the plane gap of the point (rho, z) over the outline, rho being its
 * distance from the axis and z its height.
 *
 *   G = f(rho, z), f the plane gap with gradient n and Hessian f'' (gap.c, at a frame at rest)
 *   rho = sqrt(x^2 + y^2), x, y, z the offsets of the point
 *   rho'' without acceleration = (x'^2 + y'^2 - rho'^2 + x x_bias + y y_bias)/rho */

typedef struct Meridian {
    RbvOffset offset[3];
    double x[3], rho;
    RbvWrench gradient[3][2];
} Meridian;

static Meridian meridian_of(const RbvMarkerState *i, const RbvMarkerState *j) {
    Meridian m;
    RbvVec3 d = rbv_sub(j->point, i->point);
    for (int k = 0; k < 3; k++) {
        m.offset[k] = (RbvOffset){i->axes->column[k], d, {i->arm, j->arm}, 0};
        m.x[k] = rbv_offset_gradient(&m.offset[k], m.gradient[k]);
    }
    m.rho = hypot(m.x[0], m.x[1]);
    return m;
}

/* The outline's frame at rest, and the point in the outline's plane. */
static void plane_of(const Meridian *m, RbvMarkerState *outline, RbvMarkerState *point) {
    memset(outline, 0, sizeof *outline);
    memset(point, 0, sizeof *point);
    outline->axes = point->axes = &rbv_axes_alike.A;
    point->point = rbv_vec3(m->rho, m->x[2], 0);
}

bool rbv_revolved_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                        const RbvMeasureMemory *memory, RbvMeasureState *state) {
    Meridian m = meridian_of(i, j);
    RbvMarkerState outline, point;
    RbvMeasureState plane;
    memset(&plane, 0, sizeof plane);
    plane_of(&m, &outline, &point);
    /* Relative to its distance from the surface's origin: a point nearer to the axis has no meridian. */
    bool good =
        rbv_gap_place(measure, cam, &outline, &point, memory, &plane) && m.rho > RBV_SAME * (m.rho + fabs(m.x[2]));
    memcpy(state->contact, plane.contact, sizeof state->contact);
    state->value = plane.value;
    memset(state->gradient, 0, sizeof state->gradient);
    RbvVec3 n = plane.gradient[1].force;
    for (int side = 0; good && side < 2; side++) {
        state->gradient[side] = rbv_wrench_add_scaled(state->gradient[side], n.x * m.x[0] / m.rho, m.gradient[0][side]);
        state->gradient[side] = rbv_wrench_add_scaled(state->gradient[side], n.x * m.x[1] / m.rho, m.gradient[1][side]);
        state->gradient[side] = rbv_wrench_add_scaled(state->gradient[side], n.y, m.gradient[2][side]);
    }
    return good;
}

double rbv_revolved_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                         const RbvMeasureState *state, RbvTwist t0, RbvTwist t1) {
    Meridian m = meridian_of(i, j);
    RbvMarkerState outline, point;
    double rate[3], bias[3], H[12][12] = {{0}};
    plane_of(&m, &outline, &point);
    for (int k = 0; k < 3; k++) {
        rate[k] = rbv_power(m.gradient[k][0], t0) + rbv_power(m.gradient[k][1], t1);
        bias[k] = rbv_offset_bias(&m.offset[k], t0, t1);
    }
    if (!(m.rho > 0))
        return 0;
    RbvMeasureState plane = *state;
    RbvMeasureMemory memory = {0, {state->contact[0], state->contact[1]}};
    RbvMeasure measure = {RBV_MEASURE_GAP, {0, 0}, 0};
    if (!rbv_gap_place(&measure, cam, &outline, &point, &memory, &plane))
        return 0;
    rbv_gap_hessian(cam, &outline, &point, &plane, H);
    double rho_rate = (m.x[0] * rate[0] + m.x[1] * rate[1]) / m.rho;
    double rho_bias =
        (rate[0] * rate[0] + rate[1] * rate[1] - rho_rate * rho_rate + m.x[0] * bias[0] + m.x[1] * bias[1]) / m.rho;
    return plane.gradient[1].force.x * rho_bias + plane.gradient[1].force.y * bias[2] + H[6][6] * rho_rate * rho_rate +
           2 * H[6][7] * rho_rate * rate[2] + H[7][7] * rate[2] * rate[2];
}

/* Newton on the contact parameters: step, relative to the outline's span, at which they are as exact as double allows.
 */
#define CONTACT_STEPS 30
#define SEARCH_POINTS 256 /* of a global search, made if Newton from the remembered contact fails */

/* An outline at a parameter, in ground axes, relative to its marker's origin: point and its derivatives, unit outward
 * normal and its first derivative by the parameter. */
typedef struct Outline {
    RbvVec3 g, g1, g2, n, n1;
    double speed; /* |g'| */
} Outline;

static Outline outline_at(const RbvCam *cam, int side, const RbvMarkerState *marker, double c) {
    double x[4], y[4];
    if (!cam->closed[side])
        c = rbv_min(rbv_max(c, 0), cam->span[side]);
    rbv_spline_eval(cam->x[side], c, 2, x);
    rbv_spline_eval(cam->y[side], c, 2, y);
    Outline o;
    o.g = rbv_apply(marker->axes, rbv_vec3(x[0], y[0], 0));
    o.g1 = rbv_apply(marker->axes, rbv_vec3(x[1], y[1], 0));
    o.g2 = rbv_apply(marker->axes, rbv_vec3(x[2], y[2], 0));
    o.speed = hypot(x[1], y[1]);
    double s = cam->side[side], speed = o.speed;
    RbvVec3 n = rbv_vec3(s * y[1] / speed, -s * x[1] / speed, 0);
    /* n = s (y',-x')/|g'|; its derivative lies along the tangent: n' = s (x'y'' - y'x'')/|g'|^2 * t, t = (x',y')/|g'|.
     */
    double bend = s * (x[1] * y[2] - y[1] * x[2]) / (speed * speed * speed);
    o.n = rbv_apply(marker->axes, n);
    o.n1 = rbv_apply(marker->axes, rbv_vec3(bend * x[1], bend * y[1], 0));
    return o;
}

/* G as an offset at fixed contact parameters, and its derivatives by the parameters at fixed q. */
typedef struct Contact {
    RbvOffset offset;
    double c1[2], c2[2][2]; /* first and second derivatives of G by (a, b) */
    Outline first, second;
    RbvVec3 normal_change[2], d_change[2]; /* dn/dc and d(d)/dc, for the mixed derivatives */
    int count;
} Contact;

/* Side of the cam's marker on which the flat lies: determined at the start, remembered as the second contact parameter.
 */
static double flat_sign(const RbvMarkerState *i, const RbvMarkerState *j) {
    return rbv_dot(j->axes->column[1], rbv_sub(j->point, i->point)) >= 0 ? 1 : -1;
}

static Contact contact_at(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double c[2]) {
    Contact k;
    memset(&k, 0, sizeof k);
    k.first = outline_at(cam, 0, i, c[0]);
    const Outline *f = &k.first;
    k.count = cam->x[1] ? 2 : 1;
    RbvVec3 on_first = rbv_add(i->point, f->g), on_second = j->point;
    RbvVec3 arm_second = j->arm;
    if (k.count == 2) {
        k.second = outline_at(cam, 1, j, c[1]);
        on_second = rbv_add(on_second, k.second.g);
        arm_second = rbv_add(arm_second, k.second.g);
    }
    RbvVec3 d = rbv_sub(on_second, on_first);
    k.offset = (RbvOffset){f->n, d, {rbv_add(i->arm, f->g), arm_second}, 0};
    if (cam->flat) {
        double s = c[1]; /* the side determined at the start */
        k.offset.a = rbv_scale(s, j->axes->column[1]);
        k.offset.owner = 1;
        k.c1[0] = -rbv_dot(k.offset.a, f->g1);
        k.c2[0][0] = -rbv_dot(k.offset.a, f->g2);
        k.d_change[0] = rbv_scale(-1, f->g1);
        return k;
    }
    /* n.g' = 0 identically, so G_a = n'.d; n''.d = -|n'|^2 (n.d) where d is along n; the part of n'' along t is found
     * from n'.d = 0. */
    k.c1[0] = rbv_dot(f->n1, d);
    k.c2[0][0] = -rbv_dot(f->n1, f->n1) * rbv_dot(f->n, d) - rbv_dot(f->n1, f->g1);
    k.normal_change[0] = f->n1;
    if (k.count == 2) {
        const Outline *h = &k.second;
        k.c1[1] = rbv_dot(f->n, h->g1);
        k.c2[1][1] = rbv_dot(f->n, h->g2);
        k.c2[0][1] = k.c2[1][0] = rbv_dot(f->n1, h->g1);
        k.d_change[1] = h->g1;
    }
    return k;
}

/* Residual of the stationarity conditions for Newton, in scaled forms. For a straight piece of outline (n' = 0) G_a
 * vanishes identically; therefore the point follower solves t.d = 0 with t = g'. */
static void residual(const RbvCam *cam, const Contact *k, double r[2], double J[2][2]) {
    const Outline *f = &k->first, *h = &k->second;
    RbvVec3 d = k->offset.d;
    if (cam->flat) {
        r[0] = k->c1[0];
        J[0][0] = k->c2[0][0];
        return;
    }
    r[0] = rbv_dot(f->g1, d);
    J[0][0] = rbv_dot(f->g2, d) - rbv_dot(f->g1, f->g1);
    if (k->count == 2) {
        J[0][1] = rbv_dot(f->g1, h->g1);
        r[1] = rbv_dot(f->n, h->g1);
        J[1][0] = rbv_dot(f->n1, h->g1);
        J[1][1] = rbv_dot(f->n, h->g2);
    }
}

static double wrap(const RbvCam *cam, int side, double c) {
    if (!cam->closed[side])
        return rbv_min(rbv_max(c, 0), cam->span[side]);
    return c;
}

static bool newton(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c[2]) {
    for (int step = 0; step < CONTACT_STEPS; step++) {
        Contact k = contact_at(cam, i, j, c);
        double r[2] = {0}, J[2][2] = {{0}}, delta[2] = {0};
        residual(cam, &k, r, J);
        if (k.count == 1) {
            delta[0] = -r[0] / J[0][0];
        } else {
            double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
            delta[0] = -(J[1][1] * r[0] - J[0][1] * r[1]) / det;
            delta[1] = -(J[0][0] * r[1] - J[1][0] * r[0]) / det;
        }
        double size = 0;
        for (int n = 0; n < k.count; n++) {
            if (!isfinite(delta[n]))
                return false;
            double limit = 0.05 * cam->span[n];
            delta[n] = rbv_min(rbv_max(delta[n], -limit), limit);
            double moved = wrap(cam, n, c[n] + delta[n]);
            size = rbv_max(size, fabs(moved - c[n]) / cam->span[n]);
            c[n] = moved;
        }
        if (size <= RBV_EXACT * 8)
            return true;
        if (step >= 6 && size < 1e-13)
            return true;
    }
    return false;
}

/* True if flats and outlines face each other, as in the contact of rigid bodies. */
static bool surfaces(const RbvCam *cam, const Contact *k) {
    if (cam->flat)
        return rbv_dot(k->first.n, k->offset.a) > 0;
    if (k->count == 2)
        return rbv_dot(k->first.n, k->second.n) < 0;
    return true;
}

/* True if the stationary contact is inside open outlines and is the nearest: 1 + curvature times gap > 0. Otherwise the
 * distance is a maximum. */
static bool proper(const RbvCam *cam, const Contact *k, const double c[2]) {
    for (int side = 0; side < k->count; side++)
        if (!cam->closed[side] && (c[side] <= 0 || c[side] >= cam->span[side]))
            return false;
    return cam->flat || rbv_dot(k->first.g2, k->offset.d) < rbv_dot(k->first.g1, k->first.g1);
}

/* The stationary contact with the least distance, from a grid over the outline or outlines. */
static bool search(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, double c[2]) {
    double best = INFINITY, found[2] = {0, 0};
    for (int a = 0; a < SEARCH_POINTS; a++) {
        double try_c[2] = {cam->span[0] * (a + 0.5) / SEARCH_POINTS, cam->flat ? c[1] : 0};
        if (cam->x[1]) {
            /* the point of the second outline nearest to this one, on a coarser grid */
            double nearest = INFINITY;
            for (int b = 0; b < SEARCH_POINTS / 4; b++) {
                double grid[2] = {try_c[0], cam->span[1] * (b + 0.5) / (SEARCH_POINTS / 4)};
                Contact k = contact_at(cam, i, j, grid);
                double distance = rbv_norm(k.offset.d);
                if (distance < nearest) {
                    nearest = distance;
                    try_c[1] = grid[1];
                }
            }
        }
        Contact k = contact_at(cam, i, j, try_c);
        double size = cam->flat ? rbv_dot(k.offset.a, k.offset.d) : rbv_norm(k.offset.d);
        if (size < best && surfaces(cam, &k)) {
            best = size;
            memcpy(found, try_c, sizeof found);
        }
    }
    if (!isfinite(best))
        return false;
    memcpy(c, found, sizeof found);
    if (!newton(cam, i, j, c))
        return false;
    Contact k = contact_at(cam, i, j, c);
    return proper(cam, &k, c);
}

bool rbv_gap_place(const RbvMeasure *measure, const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                   const RbvMeasureMemory *memory, RbvMeasureState *state) {
    (void)measure;
    double c[2] = {memory->contact[0], memory->contact[1]};
    if (cam->flat && isnan(c[1]))
        c[1] = flat_sign(i, j);
    bool good = !isnan(c[0]) && newton(cam, i, j, c);
    const double begin[2] = {0, cam->flat ? c[1] : 0};
    Contact k = contact_at(cam, i, j, isnan(c[0]) ? begin : c);
    if (!good || !surfaces(cam, &k) || !proper(cam, &k, c)) {
        if (!search(cam, i, j, c)) {
            /* the value lets assembly return to the outline; without a gradient the measure is not satisfied as a row
             */
            state->value = rbv_offset_gradient(&k.offset, state->gradient);
            memset(state->gradient, 0, 2 * sizeof state->gradient[0]);
            return false;
        }
        k = contact_at(cam, i, j, c);
    }
    memcpy(state->contact, c, sizeof state->contact);
    state->value = rbv_offset_gradient(&k.offset, state->gradient);
    return true;
}

RbvVec3 rbv_gap_point(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvMeasureState *state) {
    Contact k = contact_at(cam, i, j, state->contact);
    return rbv_add(i->point, k.first.g);
}

/* Rates of the contact parameters along t: c' = -J^-1 r', r' being the rate of the residual at fixed c. */
static void parameter_rates(const RbvCam *cam, const Contact *k, const RbvTwist t[2], double rate[2]) {
    const Outline *f = &k->first, *h = &k->second;
    double r[2] = {0}, J[2][2] = {{0}};
    residual(cam, k, r, J);
    RbvVec3 g1 = rbv_cross(t[0].w, f->g1);
    if (cam->flat) {
        rate[0] = (rbv_dot(rbv_cross(t[1].w, k->offset.a), f->g1) + rbv_dot(k->offset.a, g1)) / J[0][0];
        return;
    }
    RbvVec3 d =
        rbv_sub(rbv_add(t[1].v, rbv_cross(t[1].w, k->offset.s[1])), rbv_add(t[0].v, rbv_cross(t[0].w, k->offset.s[0])));
    r[0] = rbv_dot(g1, k->offset.d) + rbv_dot(f->g1, d);
    rate[0] = -r[0] / J[0][0];
    if (k->count == 1)
        return;
    r[1] = rbv_dot(rbv_cross(t[0].w, f->n), h->g1) + rbv_dot(f->n, rbv_cross(t[1].w, h->g1));
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    rate[0] = -(J[1][1] * r[0] - J[0][1] * r[1]) / det;
    rate[1] = -(J[0][0] * r[1] - J[1][0] * r[0]) / det;
}

void rbv_gap_tangent(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                     RbvVec3 *tangent, RbvVec3 *place) {
    Contact k = contact_at(cam, i, j, contact);
    *tangent = rbv_cross(i->axes->column[2], k.first.n);
    *place = rbv_add(i->point, k.first.g);
}

void rbv_gap_tangent_rate(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                          const RbvTwist t[2], RbvVec3 *tangent, RbvVec3 *place) {
    Contact k = contact_at(cam, i, j, contact);
    double c[2] = {0, 0};
    parameter_rates(cam, &k, t, c);
    RbvVec3 z = i->axes->column[2], turned = rbv_cross(t[0].w, rbv_cross(z, k.first.n));
    *tangent = rbv_add_scaled(turned, c[0], rbv_cross(z, k.first.n1));
    *place = rbv_add_scaled(rbv_add(t[0].v, rbv_cross(t[0].w, k.offset.s[0])), c[0], k.first.g1);
}

/* Contact point of the follower: its point, or the contact point of the second outline; and its rate along t (rate
 * NULL: not computed). */
static void gap_follower(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const double contact[2],
                         const RbvTwist t[2], RbvVec3 *place, RbvVec3 *rate) {
    Contact k = contact_at(cam, i, j, contact);
    double c[2] = {0, 0};
    *place = k.count == 2 ? rbv_add(j->point, k.second.g) : j->point;
    if (!rate)
        return;
    parameter_rates(cam, &k, t, c);
    *rate = rbv_add(t[1].v, rbv_cross(t[1].w, k.offset.s[1]));
    if (k.count == 2)
        *rate = rbv_add_scaled(*rate, c[1], k.second.g1);
}

/* Gradients by q of G_c: of n'.d and of a.d_c (both of the form a.d with other vectors). */
static void mixed(const Contact *k, int c, RbvWrench out[2]) {
    memset(out, 0, 2 * sizeof out[0]);
    RbvOffset by_normal = k->offset;
    by_normal.a = k->normal_change[c];
    RbvWrench part[2];
    if (rbv_norm(by_normal.a) > 0) {
        rbv_offset_gradient(&by_normal, part);
        for (int b = 0; b < 2; b++)
            out[b] = rbv_wrench_add_scaled(out[b], 1, part[b]);
    }
    /* a.d_c with a in `owner` and d_c in the other body turns with both: torque (a x d_c) on the owner, the opposite on
     * the other body. */
    RbvVec3 torque = rbv_cross(k->offset.a, k->d_change[c]);
    int owner = k->offset.owner;
    out[owner].torque = rbv_add(out[owner].torque, torque);
    out[1 - owner].torque = rbv_sub(out[1 - owner].torque, torque);
}

/* x = G_cc^-1 r; false when the contact is degenerate (a straight outline under a point needs no correction). */
static bool solve_contact(const Contact *k, const double r[2], double x[2]) {
    if (k->count == 1) {
        x[0] = r[0] / k->c2[0][0];
        x[1] = 0;
        return isfinite(x[0]);
    }
    double det = k->c2[0][0] * k->c2[1][1] - k->c2[0][1] * k->c2[0][1];
    x[0] = (k->c2[1][1] * r[0] - k->c2[0][1] * r[1]) / det;
    x[1] = (k->c2[0][0] * r[1] - k->c2[0][1] * r[0]) / det;
    return isfinite(x[0]) && isfinite(x[1]);
}

double rbv_gap_bias(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                    RbvTwist t0, RbvTwist t1) {
    Contact k = contact_at(cam, i, j, state->contact);
    double bias = rbv_offset_bias(&k.offset, t0, t1), rate[2] = {0}, x[2];
    for (int c = 0; c < k.count; c++) {
        RbvWrench m[2];
        mixed(&k, c, m);
        rate[c] = rbv_power(m[0], t0) + rbv_power(m[1], t1);
    }
    if (solve_contact(&k, rate, x))
        bias -= rate[0] * x[0] + rate[1] * x[1];
    return bias;
}

static void flatten(const RbvWrench w[2], double g[12]) {
    for (int b = 0; b < 2; b++) {
        g[6 * b] = w[b].force.x, g[6 * b + 1] = w[b].force.y, g[6 * b + 2] = w[b].force.z;
        g[6 * b + 3] = w[b].torque.x, g[6 * b + 4] = w[b].torque.y, g[6 * b + 5] = w[b].torque.z;
    }
}

void rbv_gap_hessian(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureState *state,
                     double H[12][12]) {
    Contact k = contact_at(cam, i, j, state->contact);
    rbv_offset_hessian(&k.offset, 1, H);
    double g[2][12] = {{0}};
    for (int c = 0; c < k.count; c++) {
        RbvWrench m[2];
        mixed(&k, c, m);
        flatten(m, g[c]);
    }
    for (int n = 0; n < 12; n++) {
        double r[2] = {g[0][n], g[1][n]}, x[2];
        if (solve_contact(&k, r, x))
            for (int l = 0; l < 12; l++)
                H[l][n] -= g[0][l] * x[0] + g[1][l] * x[1];
    }
}

/* The contact of a cam on a surface in space: the outline drawn along its axis (gap.c), or revolved about it
 * (gap.c). */

static RbvSurfaceContact drawn_out(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                   const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    RbvSurfaceContact at;
    RbvVec3 z = i->axes->column[2];
    rbv_gap_tangent(cam, i, j, contact, &at.tangent[0], &at.place);
    at.tangent[1] = z;
    if (rate) {
        rbv_gap_tangent_rate(cam, i, j, contact, t, &rate->tangent[0], &rate->place);
        rate->tangent[1] = rbv_cross(t[0].w, z);
    }
    if (!cam->flat) {
        gap_follower(cam, i, j, contact, t, &at.place, rate ? &rate->place : NULL);
        return at;
    }
    RbvVec3 a = rbv_scale(contact[1], j->axes->column[1]); /* normal of the flat, out of the outline */
    at.tangent[1] = rbv_cross(a, at.tangent[0]);
    if (rate)
        rate->tangent[1] = rbv_add(rbv_cross(rbv_cross(t[1].w, a), at.tangent[0]), rbv_cross(a, rate->tangent[0]));
    return at;
}

static RbvSurfaceContact turned(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    RbvVec3 d = rbv_sub(j->point, i->point), z = i->axes->column[2], X = i->axes->column[0], Y = i->axes->column[1],
            tan, unused;
    double x = rbv_dot(X, d), y = rbv_dot(Y, d), rho = hypot(x, y);
    RbvVec3 e = rbv_add_scaled(rbv_scale(x / rho, X), y / rho, Y), f = rbv_cross(z, e);
    RbvMarkerState outline, point;
    memset(&outline, 0, sizeof outline);
    outline.axes = &rbv_axes_alike.A;
    point = outline;
    point.point = rbv_vec3(rho, rbv_dot(z, d), 0);
    rbv_gap_tangent(cam, &outline, &point, contact, &tan, &unused);
    RbvSurfaceContact at = {{rbv_add_scaled(rbv_scale(tan.x, e), tan.y, z), f}, j->point};
    if (!rate)
        return at;
    RbvVec3 v = rbv_marker_velocity(j, t[1]), w = t[0].w, d_tan;
    RbvVec3 u = rbv_sub(rbv_sub(v, rbv_marker_velocity(i, t[0])), rbv_cross(w, d)); /* relative to the first body */
    const RbvTwist plane[2] = {{{0, 0, 0}, {0, 0, 0}}, {{rbv_dot(e, u), rbv_dot(z, u), 0}, {0, 0, 0}}};
    double phi = rbv_dot(f, u) / rho;
    rbv_gap_tangent_rate(cam, &outline, &point, contact, plane, &d_tan, &unused);
    RbvVec3 de = rbv_add_scaled(rbv_cross(w, e), phi, f), along = rbv_add_scaled(rbv_scale(d_tan.x, e), d_tan.y, z);
    along = rbv_add_scaled(rbv_add_scaled(along, tan.x, de), tan.y, rbv_cross(w, z));
    *rate = (RbvSurfaceContact){{along, rbv_add_scaled(rbv_cross(w, f), -phi, e)}, v};
    return at;
}

RbvSurfaceContact rbv_surface_contact(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                      const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    return cam->revolved ? turned(cam, i, j, contact, t, rate) : drawn_out(cam, i, j, contact, t, rate);
}
