/* The gap of a point over a surface of revolution: the plane gap of the point (rho, z) over the outline, rho being its
 * distance from the axis and z its height.
 *
 *   G = f(rho, z), f the plane gap with gradient n and Hessian f'' (gap.c, at a frame at rest)
 *   rho = sqrt(x^2 + y^2), x, y, z the offsets of the point
 *   rho'' without acceleration = (x'^2 + y'^2 - rho'^2 + x x_bias + y y_bias)/rho */
#include "mechanics/element/gap.h"
#include "mechanics/element/offset.h"
#include "mechanics/element/track.h"

#include <math.h>
#include <string.h>

/* Relative to its distance from the surface's origin: a point nearer to the axis has no meridian. */
#define ON_AXIS 1e-9

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
    bool good =
        rbv_gap_place(measure, cam, &outline, &point, memory, &plane) && m.rho > ON_AXIS * (m.rho + fabs(m.x[2]));
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
