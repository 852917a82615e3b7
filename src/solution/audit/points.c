/* Points, axes, coordinates and forces at points by plain geometry. */
#include "solution/audit/geometry.h"

#include "core/base/tolerances.h"

#include <string.h>

/* Centroid and axes: a rotation about z, or a quaternion (w, e): x -> x + 2w e x x + 2 e x (e x x). */
void rbv_audit_place(RbvAudit *audit, const RbvState *state, int32_t body) {
    const RbvBodyState *placed = &state->bodies[body];
    audit->r[body] = placed->r;
    if (!audit->system->bodies.spatial) {
        audit->turn[body][0] = cos(placed->turn);
        audit->turn[body][1] = sin(placed->turn);
        return;
    }
    const RbvVec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        RbvVec3 e = placed->p.e, once = rbv_cross(e, unit[k]);
        audit->A[body].column[k] =
            rbv_add_scaled(rbv_add_scaled(unit[k], 2 * placed->p.w, once), 2, rbv_cross(e, once));
    }
}

void rbv_audit_begin(RbvAudit *audit, const RbvState *state) {
    size_t bodies = (size_t)audit->system->model->bodies.count, columns = audit->system->bodies.spatial ? 6 : 3;
    memset(audit->applied, 0, bodies * columns * sizeof *audit->applied);
    memset(audit->joints, 0, bodies * columns * sizeof *audit->joints);
    memset(audit->sizes, 0, bodies * sizeof *audit->sizes);
    memset(audit->single, 0, bodies * sizeof *audit->single);
    for (int32_t b = 0; b < (int32_t)bodies; b++)
        rbv_audit_place(audit, state, b);
}

RbvMat3 rbv_audit_body_axes(const RbvAudit *audit, int32_t body) {
    if (audit->system->bodies.spatial)
        return audit->A[body];
    double c = audit->turn[body][0], s = audit->turn[body][1];
    return (RbvMat3){{{c, s, 0}, {0 - s, c, 0}, {0, 0, 1}}};
}

RbvAuditPoint rbv_audit_point(const RbvAudit *audit, const RbvState *state, int32_t marker) {
    return RBV_AUDIT_BY_SPACE(audit, rbv_audit_point_in, audit, state, marker);
}

/* A vector of the body's axes in ground axes. */
static RbvVec3 turned(const RbvAudit *audit, int32_t body, RbvVec3 x) {
    if (audit->system->bodies.spatial)
        return rbv_apply(&audit->A[body], x);
    RbvVec3 flat = rbv_audit_turned_in(false, audit, body, x);
    return (RbvVec3){flat.x, flat.y, x.z};
}

RbvVec3 rbv_audit_turned(const RbvAudit *audit, int32_t marker, RbvVec3 x) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    return turned(audit, m->body, rbv_apply(&rbv_marker_axes(m)->A, x));
}

RbvMat3 rbv_audit_axes(const RbvAudit *audit, int32_t marker) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    RbvMat3 A = rbv_audit_body_axes(audit, m->body);
    return rbv_mat3_product(&A, &rbv_marker_axes(m)->A);
}

/* Axis k of a marker, ground axes. */
static RbvVec3 axis_of(const RbvAudit *audit, int32_t marker, int k) {
    const RbvMarker *m = &audit->system->model->markers.items[marker];
    return turned(audit, m->body, rbv_marker_axes(m)->A.column[k]);
}

double rbv_audit_size(RbvVec3 a) {
    return rbv_audit_size_in(true, a);
}

RbvWrench rbv_audit_sum(const RbvAudit *audit, const double *of, int32_t body) {
    const double *x = of + (audit->system->bodies.spatial ? 6 : 3) * body;
    if (audit->system->bodies.spatial)
        return (RbvWrench){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    return (RbvWrench){{x[0], x[1], 0}, {0, 0, x[2]}};
}

void rbv_audit_push(RbvAudit *audit, double *to, int32_t body, RbvVec3 p, RbvVec3 F, RbvVec3 T) {
    RBV_AUDIT_BY_SPACE(audit, rbv_audit_push_in, audit, to, body, p, F, T);
}

RbvVec3 rbv_audit_couple(const RbvAudit *audit, const RbvMeasure *measure) {
    if (measure->kind == RBV_MEASURE_ANGLE)
        return axis_of(audit, measure->marker[0], 2);
    RbvMat3 axes = rbv_audit_axes(audit, measure->marker[0]);
    if (measure->kind == RBV_MEASURE_SPIN) {
        RbvMat3 own = rbv_audit_axes(audit, measure->marker[measure->axis / 3]);
        return own.column[measure->axis % 3];
    }
    if (measure->kind == RBV_MEASURE_BEND) { /* in the plane orthogonal to the sum of both shafts */
        RbvMat3 other = rbv_audit_axes(audit, measure->marker[1]);
        RbvVec3 x = rbv_add(axes.column[0], other.column[0]),
                e = measure->axis == 0 ? x : rbv_cross(rbv_add(axes.column[2], other.column[2]), x);
        return rbv_scale(1 / rbv_norm(e), e);
    }
    if (measure->kind == RBV_MEASURE_DOT) { /* d(l.b) = (b x l).(rotation of the second against the first) */
        RbvMat3 other = rbv_audit_axes(audit, measure->marker[1]);
        return rbv_cross(other.column[measure->axis % 3], axes.column[measure->axis / 3]);
    }
    if (measure->kind != RBV_MEASURE_ROTATION)
        return axes.column[measure->kind == RBV_MEASURE_TWIST  ? measure->axis
                           : measure->kind == RBV_MEASURE_TILT ? measure->axis % 3
                                                               : 2];
    RbvMat3 second = rbv_audit_axes(audit, measure->marker[1]);
    /* theta from the antisymmetric part, 2 sin(f) n, and the trace, 1 + 2 cos(f), of R = A_i^T A_j */
    RbvVec3 c[3];
    for (int k = 0; k < 3; k++)
        c[k] = rbv_apply_transposed(&axes, second.column[k]);
    RbvVec3 twice = {c[1].z - c[2].y, c[2].x - c[0].z, c[0].y - c[1].x};
    double f = atan2(rbv_norm(twice), c[0].x + c[1].y + c[2].z - 1),
           k = f > 1e-4 ? 1 / (f * f) - 0.5 / (f * tan(0.5 * f)) : 1.0 / 12;
    RbvVec3 theta = rbv_scale(f > 1e-7 ? f / rbv_norm(twice) : 0.5, twice),
            e = {measure->axis == 0, measure->axis == 1, measure->axis == 2};
    RbvVec3 once = rbv_cross(theta, e);
    return rbv_apply(&axes, rbv_add_scaled(rbv_add_scaled(e, 0.5, once), k, rbv_cross(theta, once)));
}

/* Point on an outline (0, 1) of a cam and its derivative by the parameter, in the axes of the cam's marker. */
static RbvVec3 outline_at(const RbvCam *cam, int side, double c, RbvVec3 *slope) {
    double x[4], y[4], z[4] = {0, 0};
    rbv_spline_eval(cam->x[side], c, 1, x);
    rbv_spline_eval(cam->y[side], c, 1, y);
    if (cam->z)
        rbv_spline_eval(cam->z, c, 1, z);
    *slope = rbv_vec3(x[1], y[1], z[1]);
    return rbv_vec3(x[0], y[0], z[0]);
}

/* Contact on a surface of space, with the slip direction along the outline (part 0) or across it. The contact is the
 * follower's point, or the point of the outline that lies on a flat, or of the second outline. */
static RbvVec3 surface_contact(const RbvAudit *audit, const RbvState *state, const RbvMeasure *measure,
                               const double *contact, RbvVec3 *slip) {
    const RbvCam *cam = &audit->system->model->cams.items[measure->axis / 2];
    RbvMat3 axes = rbv_audit_axes(audit, measure->marker[0]), other = rbv_audit_axes(audit, measure->marker[1]);
    RbvVec3 i = rbv_audit_point(audit, state, measure->marker[0]).p,
            j = rbv_audit_point(audit, state, measure->marker[1]).p;
    RbvVec3 z = axes.column[2], slope, g = outline_at(cam, 0, contact[0], &slope), d = rbv_sub(j, i), unused;
    if (cam->revolved) { /* the outline lies in the plane of the axis and the point */
        axes.column[0] = rbv_add_scaled(d, -rbv_dot(d, z), z);
        axes.column[0] = rbv_scale(1 / rbv_norm(axes.column[0]), axes.column[0]);
        axes.column[1] = z;
        axes.column[2] = rbv_cross(z, axes.column[0]); /* around the axis, counterclockwise */
    }
    RbvVec3 along = rbv_apply(&axes, rbv_scale(cam->side[0] / hypot(slope.x, slope.y), slope)), n = other.column[1];
    *slip = along;
    if (measure->axis % 2) {
        n = rbv_dot(n, rbv_cross(along, z)) < 0 ? rbv_scale(-1, n) : n; /* outward from the outline */
        *slip = cam->flat ? rbv_cross(n, along) : axes.column[2];
    }
    return cam->flat   ? rbv_add(i, rbv_apply(&axes, g))
           : cam->x[1] ? rbv_add(j, rbv_apply(&other, outline_at(cam, 1, contact[1], &unused)))
                       : j;
}

/* Contact of a cam by its outline: point and tangent (counterclockwise about the material; on a space curve in the
 * direction of its points) at the parameter of the state. */
static RbvVec3 cam_contact(const RbvAudit *audit, const RbvState *state, int32_t index, RbvVec3 *tangent) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    const RbvCam *cam = &audit->system->model->cams.items[measure->axis / 2];
    const double *contact = state->measures[index].contact;
    if (audit->system->bodies.spatial && !cam->z)
        return surface_contact(audit, state, measure, contact, tangent);
    RbvMat3 axes = rbv_audit_axes(audit, measure->marker[0]);
    RbvVec3 slope, at = outline_at(cam, 0, contact[0], &slope);
    *tangent = rbv_scale((cam->z ? 1 : cam->side[0]) / rbv_norm(slope), rbv_apply(&axes, slope));
    return rbv_add(rbv_audit_point(audit, state, measure->marker[0]).p, rbv_apply(&axes, at));
}

/* Contact point of the teeth of crossed axes, and their slip direction, orthogonal to the tooth force and to the
 * normal of separation, on the carrier. */
static RbvVec3 tooth_contact(const RbvAudit *audit, const RbvState *state, const RbvMeasure *measure, RbvVec3 *along) {
    int32_t line = audit->system->model->meshes.items[measure->axis].line[0];
    RbvMat3 axes = rbv_audit_axes(audit, line);
    *along = rbv_cross(axes.column[0], axes.column[1]);
    return rbv_audit_point(audit, state, line).p;
}

RbvVec3 rbv_audit_velocity(const RbvAudit *audit, const RbvState *state, int32_t body, RbvVec3 p) {
    RbvTwist v = state->twists[body];
    return rbv_add(v.v, rbv_cross(v.w, rbv_sub(p, audit->r[body])));
}

void rbv_audit_push_coordinate(RbvAudit *audit, const RbvState *state, int32_t index, double effort) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, measure->marker[0]),
                  j = rbv_audit_point(audit, state, measure->marker[1]);
    if (rbv_measure_is_angle(measure->kind)) {
        RbvVec3 couple = rbv_scale(effort, rbv_audit_couple(audit, measure));
        rbv_audit_push(audit, audit->applied, j.body, j.p, rbv_vec3(0, 0, 0), couple);
        rbv_audit_push(audit, audit->applied, i.body, i.p, rbv_vec3(0, 0, 0), rbv_scale(-1, couple));
        return;
    }
    RbvVec3 d = rbv_sub(j.p, i.p), along = rbv_vec3(0, 0, 0), at = j.p;
    double l = rbv_norm(d);
    if (measure->kind == RBV_MEASURE_OFFSET)
        along = axis_of(audit, measure->marker[0], measure->axis);
    else if (measure->kind == RBV_MEASURE_DISTANCE && l > 0)
        along = rbv_scale(1 / l, d);
    else if (measure->kind == RBV_MEASURE_GLIDE)
        at = cam_contact(audit, state, index, &along);
    else if (measure->kind == RBV_MEASURE_TOOTH)
        at = tooth_contact(audit, state, measure, &along);
    rbv_audit_push(audit, audit->applied, j.body, at, rbv_scale(effort, along), rbv_vec3(0, 0, 0));
    rbv_audit_push(audit, audit->applied, i.body, at, rbv_scale(-effort, along), rbv_vec3(0, 0, 0));
}

void rbv_audit_coordinate(const RbvAudit *audit, const RbvState *state, int32_t index, double *value, double *rate) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    RbvAuditPoint i = rbv_audit_point(audit, state, measure->marker[0]),
                  j = rbv_audit_point(audit, state, measure->marker[1]);
    RbvVec3 d = rbv_sub(j.p, i.p), u = rbv_sub(j.v, i.v), wi = state->twists[i.body].w;
    RbvVec3 turning = rbv_sub(state->twists[j.body].w, wi);
    *value = state->measures[index].value;
    *rate = rbv_measure_is_angle(measure->kind) ? rbv_dot(rbv_audit_couple(audit, measure), turning)
                                                : state->measures[index].rate;
    if (measure->kind == RBV_MEASURE_DISTANCE) {
        *value = rbv_norm(d);
        *rate = *value > 0 ? rbv_dot(d, u) / *value : 0;
    } else if (measure->kind == RBV_MEASURE_OFFSET) {
        RbvVec3 e = axis_of(audit, measure->marker[0], measure->axis);
        *value = rbv_dot(e, d);
        *rate = rbv_dot(e, u) + rbv_dot(rbv_cross(wi, e), d);
    } else if (measure->kind == RBV_MEASURE_GLIDE || measure->kind == RBV_MEASURE_TOOTH) {
        RbvVec3 along, at = measure->kind == RBV_MEASURE_TOOTH ? tooth_contact(audit, state, measure, &along)
                                                               : cam_contact(audit, state, index, &along);
        *rate = rbv_dot(
            along, rbv_sub(rbv_audit_velocity(audit, state, j.body, at), rbv_audit_velocity(audit, state, i.body, at)));
    }
}

RbvJet rbv_audit_expression(const RbvAudit *audit, const RbvState *state, const RbvExpr *f, double *rate) {
    int32_t n = rbv_expr_variable_count(f);
    RbvJet jet = {.count = n, .x = state->work, .gradient = state->work + n, .hessian = state->work + 2 * n};
    double change;
    *rate = 0;
    for (int32_t v = 0; v < n; v++)
        rbv_audit_coordinate(audit, state, rbv_variable_of(audit->system->model, f, v).index, &jet.x[v], &change);
    jet.value = rbv_expr_jet(f, jet.x, jet.hessian + n * n, jet.gradient, jet.hessian);
    for (int32_t v = 0; v < n; v++) {
        double value;
        rbv_audit_coordinate(audit, state, rbv_variable_of(audit->system->model, f, v).index, &value, &change);
        *rate += jet.gradient[v] * change;
    }
    return jet;
}

void rbv_audit_push_expression(RbvAudit *audit, const RbvState *state, const RbvExpr *f, double effort) {
    double rate;
    RbvJet jet = rbv_audit_expression(audit, state, f, &rate);
    for (int32_t v = 0; v < jet.count; v++)
        rbv_audit_push_coordinate(audit, state, rbv_variable_of(audit->system->model, f, v).index,
                                  effort * jet.gradient[v]);
}

RbvVec3 rbv_audit_momentum(const RbvAudit *audit, int32_t body, RbvVec3 w) {
    const double *I = audit->system->model->bodies.items[body].inertia;
    if (!audit->system->bodies.spatial)
        return rbv_vec3(0, 0, I[2] * w.z);
    const RbvMat3 *A = &audit->A[body];
    double x = rbv_dot(A->column[0], w), y = rbv_dot(A->column[1], w), z = rbv_dot(A->column[2], w);
    RbvVec3 own = {I[0] * x + I[3] * y + I[4] * z, I[3] * x + I[1] * y + I[5] * z, I[4] * x + I[5] * y + I[2] * z};
    return rbv_apply(A, own);
}

bool rbv_audit_has_condition(const RbvModel *model, RbvConditionOf of, int32_t index) {
    for (int32_t c = 0; c < model->conditions.count; c++)
        if (model->conditions.items[c].of == of && model->conditions.items[c].index == index)
            return true;
    return false;
}
