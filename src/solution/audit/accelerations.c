/* Verifies that the printed accelerations keep the rows of joints, constraints and drives: C a = gamma, row by row,
 * by second rates of points and axes.
 *
 * A row f(m, t) of coordinates m is kept along the motion where its second rate is zero:
 *
 *   sum f_m m'' + (m'^T f_mm m' + 2 f_mt m' + f_tt) = 0
 *   sum psi_m' m'' + psi_m m' + psi_t = 0                  for a row on rates psi(m, m', t)
 * m'' comes from velocities and accelerations of bodies by the audit's own geometry, of curves and meshes by that of
 * the state. The residual is compared with the largest acceleration of the part of the mechanism, as it acts in the
 * row. */
#include "core/base/tolerances.h"
#include "solution/audit/geometry.h"

/* [kg] Mass assumed for bodies without mass: their accelerations do not depend on forces, and their rounding is
 * compared with the forces over this mass. */
#define FOR_NO_MASS 1.0
/* [m/s^2 and rad/s^2] An acceleration too small for any visible motion: rounding of rates that should be zero. */
#define NO_ACCELERATION 1e-40

/* ---- second rates of coordinates ---- */

/* The acceleration of a point of a body. */
RBV_UNROLLED RbvVec3 acceleration_of(bool spatial, const RbvState *state, const RbvAuditPoint *point) {
    const RbvTwist *a = &state->accelerations[point->body];
    RbvVec3 w = state->twists[point->body].w, inward = rbv_audit_spun_in(spatial, w, point->arm);
    inward = rbv_audit_spun_in(spatial, w, inward);
    return rbv_audit_sum_in(spatial, a->v,
                            rbv_audit_sum_in(spatial, rbv_audit_spun_in(spatial, a->w, point->arm), inward));
}

/* Is the axis of a rotation that of both bodies, not half way between them? */
static bool is_hinge(const RbvAudit *audit, const RbvMeasure *measure) {
    RbvVec3 i = rbv_audit_axis_in(true, audit, measure->marker[0], measure->axis),
            j = rbv_audit_axis_in(true, audit, measure->marker[1], measure->axis), across = rbv_cross(i, j);
    /* Sine squared of the angle between axes that coincide. */
    return rbv_dot(across, across) <= RBV_SUM_EXACT;
}

/* The pair of a coordinate's markers, unless it is that already. */
RBV_UNROLLED void take_pair(bool spatial, const RbvAudit *audit, const RbvState *state, const RbvMeasure *measure,
                            RbvAuditPair *pair) {
    if (pair->marker[0] == measure->marker[0] && pair->marker[1] == measure->marker[1])
        return;
    RbvAuditPoint i = rbv_audit_point_in(spatial, audit, state, measure->marker[0]),
                  j = rbv_audit_point_in(spatial, audit, state, measure->marker[1]);
    pair->marker[0] = measure->marker[0], pair->marker[1] = measure->marker[1];
    pair->body = j.body;
    pair->d = rbv_audit_difference_in(spatial, j.p, i.p);
    pair->u = rbv_audit_difference_in(spatial, j.v, i.v);
    pair->a =
        rbv_audit_difference_in(spatial, acceleration_of(spatial, state, &j), acceleration_of(spatial, state, &i));
}

/* Second rate of a turn of space about an axis that is fixed in its first body. */
static double turn_second(const RbvAudit *audit, const RbvState *state, const RbvMeasure *measure, int32_t first,
                          int32_t other) {
    RbvVec3 e = rbv_audit_couple(audit, measure), wi = state->twists[first].w,
            turning = rbv_sub(state->twists[other].w, wi);
    return rbv_dot(e, rbv_sub(state->accelerations[other].w, state->accelerations[first].w)) +
           rbv_dot(rbv_cross(wi, e), turning);
}

/* Axes e of the first, b of the second: (e.b)''. */
RBV_UNROLLED double dot_second(bool spatial, const RbvAudit *audit, const RbvState *state, const RbvMeasure *measure,
                               int32_t first, int32_t other) {
    RbvVec3 e = rbv_audit_axis_in(spatial, audit, measure->marker[0], measure->axis / 3),
            b = rbv_audit_axis_in(spatial, audit, measure->marker[1], measure->axis % 3);
    RbvVec3 wi = state->twists[first].w, ai = state->accelerations[first].w, wj = state->twists[other].w,
            aj = state->accelerations[other].w, e1 = rbv_cross(wi, e), b1 = rbv_cross(wj, b);
    RbvVec3 e2 = rbv_add(rbv_cross(ai, e), rbv_cross(wi, e1)), b2 = rbv_add(rbv_cross(aj, b), rbv_cross(wj, b1));
    return rbv_dot(e2, b) + 2 * rbv_dot(e1, b1) + rbv_dot(e, b2);
}

RBV_UNROLLED double second_in(bool spatial, const RbvAudit *audit, const RbvState *state, int32_t index,
                              RbvAuditPair *pair) {
    const RbvMeasure *measure = &audit->system->model->measures.items[index];
    const RbvMarker *markers = audit->system->model->markers.items;
    int32_t first = markers[measure->marker[0]].body, other = markers[measure->marker[1]].body;
    if (measure->kind == RBV_MEASURE_ANGLE && !spatial)
        return state->accelerations[other].w.z - state->accelerations[first].w.z;
    if (spatial &&
        (measure->kind == RBV_MEASURE_ANGLE || (measure->kind == RBV_MEASURE_TWIST && is_hinge(audit, measure))))
        return turn_second(audit, state, measure, first, other);
    if (measure->kind == RBV_MEASURE_DOT)
        return dot_second(spatial, audit, state, measure, first, other);
    take_pair(spatial, audit, state, measure, pair);
    RbvVec3 d = pair->d, u = pair->u, a = pair->a;
    if (measure->kind == RBV_MEASURE_OFFSET) {
        RbvVec3 wi = state->twists[first].w, e = rbv_audit_axis_in(spatial, audit, measure->marker[0], measure->axis),
                rate = rbv_audit_spun_in(spatial, wi, e),
                bend = rbv_audit_sum_in(spatial, rbv_audit_spun_in(spatial, state->accelerations[first].w, e),
                                        rbv_audit_spun_in(spatial, wi, rate));
        return rbv_audit_dot_in(spatial, e, a) + 2 * rbv_audit_dot_in(spatial, rate, u) +
               rbv_audit_dot_in(spatial, bend, d);
    }
    double l = rbv_audit_length_in(spatial, d);
    if (measure->kind == RBV_MEASURE_DISTANCE && l > 0) {
        double rate = rbv_audit_dot_in(spatial, d, u) / l;
        return (rbv_audit_dot_in(spatial, u, u) + rbv_audit_dot_in(spatial, d, a) - rate * rate) / l;
    }
    return rbv_measure_second_rate(measure, state->markers, state->accelerations, &state->measures[index]);
}

double rbv_audit_second(const RbvAudit *audit, const RbvState *state, int32_t index, RbvAuditPair *pair) {
    return RBV_AUDIT_BY_SPACE(audit, second_in, audit, state, index, pair);
}

/* ---- rows ---- */

/* [m/s^2] Largest acceleration of a body: the printed one, that of its speed, the part of that which its forces
 * alone would cause that is rounding, and the response of control to the rounding of positions. */
static double largest(const RbvAudit *audit, const RbvState *state, int32_t b) {
    const RbvBody *body = &audit->system->model->bodies.items[b];
    const RbvTwist *v = &state->twists[b], *a = &state->accelerations[b];
    double arm = rbv_state_body_arm(state, b), size = rbv_state_body_size(state, b), w = rbv_norm(v->w),
           u = rbv_norm(v->v);
    /* Rounding of positions relative to the size, which control corrects at its rate; over the tolerance. */
    double r = audit->system->model->track_rate, answered = isnan(r) ? 0 : RBV_ROOT_EPS * r * r * size;
    double forced = audit->sizes[b][0] / (body->mass > 0 ? body->mass : FOR_NO_MASS);
    double inertia = rbv_max(body->inertia[0], rbv_max(body->inertia[1], body->inertia[2]));
    forced += inertia > 0 ? arm * audit->sizes[b][1] / inertia : 0;
    /* Rounding of large sums that cancel, relative to the accelerations that forces alone would cause; over the
     * tolerance. */
    return rbv_norm(a->v) + arm * rbv_norm(a->w) + w * w * size + u * u / size + RBV_FITS * forced + answered;
}

/* Largest acceleration of each part, into the audit's scales. */
static void measure_parts(RbvAudit *audit, const RbvState *state) {
    for (int32_t p = 0; p < audit->system->part_count; p++)
        audit->scale[p].acceleration = 0;
    for (int32_t b = 1; b < audit->system->model->bodies.count; b++) {
        RbvAuditScale *scale = &audit->scale[audit->system->part[b]];
        scale->acceleration = rbv_max(scale->acceleration, largest(audit, state, b));
    }
}

/* [m/s^2] Largest acceleration in the parts of the bodies on which a row acts. */
static double scale_of(const RbvAudit *audit, const RbvRow *row) {
    const RbvModel *model = audit->system->model;
    double most = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++)
        for (int side = 0; side < 2; side++) {
            int32_t body =
                model->markers.items[model->measures.items[audit->system->terms[n].measure].marker[side]].body;
            most = body > 0 ? rbv_max(most, audit->scale[audit->system->part[body]].acceleration) : most;
        }
    return most;
}

/* An acceleration of 1 m/s^2 in units of row k. */
static double unit_of(const RbvAudit *audit, const RbvState *state, int32_t k) {
    const RbvRow *row = &audit->system->rows[k];
    double sum = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        bool angle = rbv_measure_is_angle(audit->system->model->measures.items[audit->system->terms[n].measure].kind);
        sum += fabs(state->coefficient[n]) * (angle ? 1 / rbv_state_row_arm(state, k) : 1);
    }
    return sum;
}

/* Residual of row k; rows of a joint follow each other with the same *pair. *size: sum of the magnitudes of its
 * terms. */
RBV_UNROLLED double left_over(bool spatial, const RbvAudit *audit, const RbvState *state, int32_t k, RbvAuditPair *pair,
                              double *size) {
    const RbvRow *row = &audit->system->rows[k];
    double left = -state->gamma_D[k], of_state = 0;
    *size = fabs(state->target_second[k]);
    for (int32_t n = row->first; n < row->first + row->count; n++) {
        int32_t m = audit->system->terms[n].measure;
        double f = state->coefficient[n], bias = state->measures[m].bias,
               second = second_in(spatial, audit, state, m, pair);
        left += f * (second - bias); /* gamma_D has the biases of the state */
        of_state += fabs(f * bias);
        *size += fabs(f * second);
    }
    *size += of_state;
    return fabs(left);
}

/* Is the row active and to be kept? Not the requirements of track:, which are no constraints of the mechanism. */
static bool is_asked(const RbvAudit *audit, const RbvState *state, int32_t k) {
    const RbvRow *row = &audit->system->rows[k];
    bool required = row->owner == RBV_OWNER_CONSTRAINT && audit->system->model->constraints.items[row->index].required;
    return rbv_state_holds(state, k) && !required && !(audit->prescribed && row->owner == RBV_OWNER_DRIVE);
}

RBV_UNROLLED void accelerations_in(bool spatial, RbvAudit *audit, const RbvState *state) {
    double worst = 1;
    bool kept = true, measured = false;
    RbvAuditPair pair = {.marker = {-1, -1}};
    for (int32_t k = 0; k < audit->system->row_count; k++) {
        double size, left, most;
        if (!is_asked(audit, state, k))
            continue;
        left = left_over(spatial, audit, state, k, &pair, &size);
        if (left <= worst * RBV_AUDIT_TOLERANCE * size) /* small beside its own terms: no scale is needed */
            continue;
        if (!measured)
            measure_parts(audit, state);
        measured = true;
        most = RBV_AUDIT_TOLERANCE * (size + unit_of(audit, state, k) * scale_of(audit, &audit->system->rows[k]));
        if (left <= worst * most + NO_ACCELERATION)
            continue;
        worst = left / most;
        kept = false;
        if (!audit->failed)
            audit->fault =
                (RbvAuditFault){.row = k + 1, .by = left, .unit = audit->system->rows[k].angular ? "rad/s^2" : "m/s^2"};
    }
    if (!kept && !audit->failed) {
        audit->failed = true;
        audit->worst_time = state->t;
    }
}

void rbv_audit_accelerations(RbvAudit *audit, const RbvState *state) {
    if (!audit->soft) /* else the method reports this error itself */
        RBV_AUDIT_BY_SPACE(audit, accelerations_in, audit, state);
}

void rbv_audit_motion(RbvAudit *audit, const RbvState *state) {
    rbv_audit_begin(audit, state);
    rbv_audit_accelerations(audit, state);
}
