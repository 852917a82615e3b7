/* Rows n.(v_j - v_i at P): edges, rolling contacts, teeth and belt strands, sliding contacts of cams. One evaluator
 * from (n, P) and their rates.
 *
 *   gradient:  -n at P on i, n at P on j
 *   bias:      n'.u + n.(w_j x (P' - v_j) - w_i x (P' - v_i))
 * u: relative velocity of the material points at P; P': velocity of the geometric point; v_i, v_j: velocities of the
 * centroids.
 * Edge: n = z_i x x_j made unit, P = p_j. Disk or ball: P = p_j - R m, m the unit vector up the disk; n along the
 * rolling direction, a x N made unit, or across, N x along; for a ball x_i and y_i. Teeth and strands: n and P are
 * fixed in the carrier; for teeth that slide, n is the direction of the teeth. Cam: the tangent at the contact (gap.h),
 * or one of the two tangents of a surface (gap.h). */
#include "mechanics/element/line.h"

#include "core/base/tolerances.h"
#include "mechanics/element/gap.h"
#include "mechanics/element/offset.h"
#include "mechanics/element/track.h"

#include <string.h>

typedef struct Line {
    RbvVec3 n, p;
} Line;

static RbvVec3 velocity_at(RbvTwist t, const RbvMarkerState *marker, RbvVec3 p) {
    return rbv_add(t.v, rbv_cross(t.w, rbv_add(marker->arm, rbv_sub(p, marker->point))));
}

/* Derivative of a/|a| along da. */
static RbvVec3 unit_change(RbvVec3 a, RbvVec3 da) {
    double length = rbv_norm(a);
    RbvVec3 u = rbv_scale(1 / length, a);
    return rbv_scale(1 / length, rbv_add_scaled(da, -rbv_dot(u, da), u));
}

/* Line of an edge, and its rate along t (NULL: not computed). */
static bool edge_line(const RbvMarkerState *i, const RbvMarkerState *j, const RbvTwist *t, Line *line, Line *rate) {
    RbvVec3 N = i->axes->column[2], x = j->axes->column[0], a = rbv_cross(N, x);
    double length = rbv_norm(a);
    /* Sine of the angle between a disk's axis, or an edge's x, and the plane's normal: below it the disk lies flat, or
     * the edge stands upright. */
    if (!(length > RBV_FITS))
        return false;
    *line = (Line){rbv_scale(1 / length, a), j->point};
    if (t) {
        RbvVec3 da = rbv_add(rbv_cross(rbv_cross(t[0].w, N), x), rbv_cross(N, rbv_cross(t[1].w, x)));
        *rate = (Line){unit_change(a, da), rbv_marker_velocity(j, t[1])};
    }
    return true;
}

static bool roll_line(const RbvJoint *joint, int32_t part, const RbvMarkerState *i, const RbvMarkerState *j,
                      const RbvTwist *t, Line *line, Line *rate) {
    RbvVec3 N = i->axes->column[2], a = j->axes->column[2], zero = {0, 0, 0}, dN = t ? rbv_cross(t[0].w, N) : zero,
            da = t ? rbv_cross(t[1].w, a) : zero;
    double R = joint->sizes->radii[1];
    if (joint->ball) {
        RbvVec3 n = i->axes->column[part];
        *line = (Line){n, rbv_add_scaled(j->point, -R, N)};
        if (t)
            *rate = (Line){rbv_cross(t[0].w, n), rbv_add_scaled(rbv_marker_velocity(j, t[1]), -R, dN)};
        return true;
    }
    RbvVec3 way = rbv_cross(a, N), up = rbv_add_scaled(N, -rbv_dot(N, a), a);
    double length = rbv_norm(way);
    if (!(length > RBV_FITS))
        return false;
    RbvVec3 along = rbv_scale(1 / length, way), m = rbv_scale(1 / length, up);
    *line = (Line){part ? rbv_cross(N, along) : along, rbv_add_scaled(j->point, -R, m)};
    if (!t)
        return true;
    RbvVec3 d_along = unit_change(way, rbv_add(rbv_cross(da, N), rbv_cross(a, dN)));
    RbvVec3 d_up = rbv_sub(rbv_sub(dN, rbv_scale(rbv_dot(dN, a) + rbv_dot(N, da), a)), rbv_scale(rbv_dot(N, a), da));
    rate->n = part ? rbv_add(rbv_cross(dN, along), rbv_cross(N, d_along)) : d_along;
    rate->p = rbv_add_scaled(rbv_marker_velocity(j, t[1]), -R, unit_change(up, d_up));
    return true;
}

/* A tangent at the contact of a cam, or of a curve in space. */
static bool glide_line(const RbvModel *model, int32_t axis, const RbvMarkerState *i, const RbvMarkerState *j,
                       const double *contact, const RbvTwist *t, Line *line, Line *rate) {
    const RbvCam *cam = &model->cams.items[axis / 2];
    int part = axis % 2;
    if (model->space == RBV_SPATIAL && !cam->z) {
        RbvSurfaceContact change, at = rbv_surface_contact(cam, i, j, contact, t, t ? &change : NULL);
        *line = (Line){at.tangent[part], at.place};
        if (t)
            *rate = (Line){change.tangent[part], change.place};
        return true;
    }
    if (cam->z)
        rbv_track_tangent(cam, i, j, contact[0], &line->n, &line->p);
    else
        rbv_gap_tangent(cam, i, j, contact, &line->n, &line->p);
    if (t && cam->z)
        rbv_track_tangent_rate(cam, i, j, contact[0], t, &rate->n, &rate->p);
    else if (t)
        rbv_gap_tangent_rate(cam, i, j, contact, t, &rate->n, &rate->p);
    return true;
}

int32_t rbv_line_carrier(const RbvMeasure *measure, const RbvModel *model) {
    return measure->kind == RBV_MEASURE_MESH || measure->kind == RBV_MEASURE_TOOTH
               ? model->meshes.items[measure->axis].line[0]
               : -1;
}

/* The lines of a measure with their weights, and their rates along t. Returns how many; 0: the geometry is not defined.
 */
static int lines_of(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                    const double *contact, const RbvTwist *t, Line line[2], Line rate[2], double weight[2]) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    weight[0] = 1;
    if (measure->kind == RBV_MEASURE_SLIP)
        return edge_line(i, j, t, line, rate);
    if (measure->kind == RBV_MEASURE_ROLL)
        return roll_line(&model->joints.items[measure->axis / 2], measure->axis % 2, i, j, t, line, rate);
    if (measure->kind == RBV_MEASURE_GLIDE)
        return glide_line(model, measure->axis, i, j, contact, t, line, rate);
    const RbvMesh *mesh = &model->meshes.items[measure->axis];
    for (int k = 0; k < mesh->line_count; k++) {
        const RbvMarkerState *at = &markers[mesh->line[k]];
        weight[k] = mesh->weight[k];
        line[k] = (Line){at->axes->column[measure->kind == RBV_MEASURE_TOOTH ? 2 : 1], at->point};
        if (t)
            rate[k] = (Line){rbv_cross(t[2].w, line[k].n), rbv_marker_velocity(at, t[2])};
    }
    return mesh->line_count;
}

bool rbv_line_gradient(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const double *contact, RbvWrench gradient[2]) {
    const RbvMarkerState *end[2] = {&markers[measure->marker[0]], &markers[measure->marker[1]]};
    Line line[2];
    double weight[2];
    int count = lines_of(measure, model, markers, contact, NULL, line, NULL, weight);
    memset(gradient, 0, 2 * sizeof *gradient);
    for (int k = 0; k < count; k++)
        for (int side = 0; side < 2; side++) {
            RbvVec3 force = rbv_scale(side ? weight[k] : -weight[k], line[k].n), zero = {0, 0, 0};
            RbvVec3 arm = rbv_add(end[side]->arm, rbv_sub(line[k].p, end[side]->point));
            gradient[side] = rbv_wrench_add_scaled(gradient[side], 1, rbv_wrench_at(arm, force, zero));
        }
    return count > 0;
}

double rbv_line_bias(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3]) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    Line line[2], rate[2];
    double weight[2], sum = 0;
    int count = lines_of(measure, model, markers, contact, t, line, rate, weight);
    for (int k = 0; k < count; k++) {
        RbvVec3 u = rbv_sub(velocity_at(t[1], j, line[k].p), velocity_at(t[0], i, line[k].p));
        RbvVec3 second =
            rbv_sub(rbv_cross(t[1].w, rbv_sub(rate[k].p, t[1].v)), rbv_cross(t[0].w, rbv_sub(rate[k].p, t[0].v)));
        sum += weight[k] * (rbv_dot(rate[k].n, u) + rbv_dot(line[k].n, second));
    }
    return sum;
}

void rbv_line_change(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                     const double *contact, const RbvTwist t[3], double change[12]) {
    Line line[2], rate[2];
    double weight[2];
    int count = lines_of(measure, model, markers, contact, t, line, rate, weight);
    memset(change, 0, 12 * sizeof *change);
    for (int k = 0; k < count; k++)
        for (int side = 0; side < 2; side++) {
            const RbvMarkerState *end = &markers[measure->marker[side]];
            double sign = side ? weight[k] : -weight[k];
            RbvVec3 arm = rbv_add(end->arm, rbv_sub(line[k].p, end->point)), d_arm = rbv_sub(rate[k].p, t[side].v);
            RbvVec3 torque = rbv_add(rbv_cross(d_arm, line[k].n), rbv_cross(arm, rate[k].n));
            double *out = change + 6 * side;
            out[0] += sign * rate[k].n.x, out[1] += sign * rate[k].n.y, out[2] += sign * rate[k].n.z;
            out[3] += sign * torque.x, out[4] += sign * torque.y, out[5] += sign * torque.z;
        }
}

/* Contact of a disk: g(h, u) = h - R sqrt(1 - u^2) with h = N.d, u = N.a, mu = sqrt(1 - u^2): g_u = R u/mu, g_uu =
 * R/mu^3. */
bool rbv_contact_place(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvMeasureState *state) {
    RbvVec3 N = i->axes->column[2], a = j->axes->column[2];
    RbvOffset height = {N, rbv_sub(j->point, i->point), {i->arm, j->arm}, 0};
    double u = rbv_dot(N, a), mu = rbv_norm(rbv_cross(N, a));
    state->value = rbv_offset_gradient(&height, state->gradient) - radius * mu;
    if (!(mu > RBV_FITS))
        return false;
    RbvVec3 turn = rbv_scale(radius * u / mu, rbv_cross(a, N));
    state->gradient[1].torque = rbv_add(state->gradient[1].torque, turn);
    state->gradient[0].torque = rbv_sub(state->gradient[0].torque, turn);
    return true;
}

double rbv_contact_bias(double radius, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist t0, RbvTwist t1) {
    RbvVec3 N = i->axes->column[2], a = j->axes->column[2], dN = rbv_cross(t0.w, N), da = rbv_cross(t1.w, a);
    RbvOffset height = {N, rbv_sub(j->point, i->point), {i->arm, j->arm}, 0};
    double u = rbv_dot(N, a), mu = rbv_norm(rbv_cross(N, a)), rate = rbv_dot(dN, a) + rbv_dot(N, da);
    double bias = rbv_dot(rbv_cross(t0.w, dN), a) + 2 * rbv_dot(dN, da) + rbv_dot(N, rbv_cross(t1.w, da));
    if (!(mu > RBV_FITS))
        return 0;
    return rbv_offset_bias(&height, t0, t1) + radius * (u / mu * bias + rate * rate / (mu * mu * mu));
}
