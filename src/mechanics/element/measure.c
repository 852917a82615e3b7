/* The measures of measure.h: one case per kind. */
#include "mechanics/element/measure.h"

#include "core/base/tolerances.h"
#include "core/linalg/small.h"
#include "mechanics/element/gap.h"
#include "mechanics/element/line.h"
#include "mechanics/element/offset.h"
#include "mechanics/element/track.h"
#include "mechanics/element/turning.h"

#include <string.h>

static RbvOffset offset_of(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j) {
    return (RbvOffset){i->axes->column[measure->axis], rbv_sub(j->point, i->point), {i->arm, j->arm}, 0};
}

/* True if the measure is along the plane of a planar model. */
static inline bool is_flat(const RbvMeasure *measure, const RbvModel *model) {
    return model->space == RBV_PLANAR && measure->axis < 2;
}

/* g.t of a body in the plane. */
static inline double flat_power(const RbvWrench *g, const RbvTwist *t) {
    return g->force.x * t->v.x + g->force.y * t->v.y + g->torque.z * t->w.z;
}

static inline double across(RbvVec3 a, RbvVec3 b) {
    return a.x * b.y - a.y * b.x;
}

/* Value, gradient; rate and second rate without accelerations of an OFFSET between points in the plane, for bodies that
 * turn about z: as offset.c, without products that are zero. */
static inline void place_flat(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j,
                              RbvMeasureState *state) {
    const RbvVec3 a = i->axes->column[measure->axis], d = {j->point.x - i->point.x, j->point.y - i->point.y, 0};
    state->value = a.x * d.x + a.y * d.y;
    state->gradient[0] = (RbvWrench){{-a.x, -a.y, 0}, {0, 0, across(a, d) - across(i->arm, a)}};
    state->gradient[1] = (RbvWrench){{a.x, a.y, 0}, {0, 0, across(j->arm, a)}};
}
static inline void move_flat(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j,
                             const RbvTwist *t0, const RbvTwist *t1, RbvMeasureState *state) {
    const RbvVec3 a = i->axes->column[measure->axis], r = i->arm, s = j->arm;
    const double w = t0->w.z, w1 = t1->w.z, x = j->point.x - i->point.x, y = j->point.y - i->point.y;
    double ax = -(w * a.y), ay = w * a.x;                                  /* a' */
    double x0 = -(w * r.y), y0 = w * r.x, x1 = -(w1 * s.y), y1 = w1 * s.x; /* arms' */
    double dx = t1->v.x + x1 - (t0->v.x + x0), dy = t1->v.y + y1 - (t0->v.y + y0);
    double bx = w * y0 - w1 * y1, by = w1 * x1 - w * x0; /* d'' */
    state->rate = flat_power(&state->gradient[0], t0) + flat_power(&state->gradient[1], t1);
    state->bias = -(w * ay) * x + w * ax * y + 2 * (ax * dx + ay * dy) + (a.x * bx + a.y * by);
}

static bool place_distance(const RbvMarkerState *i, const RbvMarkerState *j, RbvMeasureState *state) {
    RbvVec3 d = rbv_sub(j->point, i->point);
    double length = rbv_norm(d);
    state->value = length;
    /* Relative to the arms of two points: points nearer than this coincide, as their direction is rounding. */
    if (length <= RBV_CANCELLED * (rbv_norm(i->arm) + rbv_norm(j->arm) + rbv_norm(i->point)))
        return false;
    RbvVec3 u = rbv_scale(1 / length, d);
    state->gradient[0] = (RbvWrench){rbv_scale(-1, u), rbv_scale(-1, rbv_cross(i->arm, u))};
    state->gradient[1] = (RbvWrench){u, rbv_cross(j->arm, u)};
    return true;
}

/* theta of d about z: dtheta = (z x d).dd / |d|^2, in the plane. */
static bool place_direction(const RbvMarkerState *i, const RbvMarkerState *j, const RbvMeasureMemory *memory,
                            RbvMeasureState *state) {
    RbvVec3 d = rbv_sub(j->point, i->point);
    double square = d.x * d.x + d.y * d.y;
    if (!(square > 0))
        return false;
    double theta = atan2(d.y, d.x);
    state->value = theta + RBV_TWO_PI * round(((isnan(memory->turn) ? RBV_SAME : memory->turn) - theta) / RBV_TWO_PI);
    RbvVec3 g = rbv_vec3(-d.y / square, d.x / square, 0);
    state->gradient[0] = (RbvWrench){rbv_scale(-1, g), rbv_scale(-1, rbv_cross(i->arm, g))};
    state->gradient[1] = (RbvWrench){g, rbv_cross(j->arm, g)};
    return true;
}

static bool is_turning(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_ROTATION || kind == RBV_MEASURE_TILT || kind == RBV_MEASURE_TWIST ||
           kind == RBV_MEASURE_DOT;
}

static bool is_swing(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_SWING || kind == RBV_MEASURE_BEND;
}

static bool is_line(RbvMeasureKind kind) {
    return kind == RBV_MEASURE_SLIP || kind == RBV_MEASURE_ROLL || kind == RBV_MEASURE_MESH ||
           kind == RBV_MEASURE_GLIDE || kind == RBV_MEASURE_TOOTH;
}

/* The axis of a SPIN measure. */
static RbvVec3 spin_axis(const RbvMeasure *measure, const RbvMarkerState *i, const RbvMarkerState *j) {
    RbvVec3 line = rbv_sub(j->point, i->point);
    if (measure->axis == 6)
        return rbv_scale(1 / rbv_norm(line), line);
    return measure->axis < 3 ? i->axes->column[measure->axis] : j->axes->column[measure->axis - 3];
}

/* Sum of turn_k theta_k, theta_k the twist of wheel k relative to its seat on the carrier. */
static bool place_mesh(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const RbvMeasureMemory *memory, RbvMeasureState *state) {
    const RbvMesh *mesh = &model->meshes.items[measure->axis];
    RbvTwofold sum = {0, 0};
    for (int side = 0; side < 2; side++) {
        RbvMeasureState twist = {.cut = 0};
        if (!rbv_turning_place(RBV_MEASURE_TWIST, 2, &markers[mesh->seat[side]], &markers[measure->marker[side]],
                               memory->contact[side], &twist))
            return false;
        state->contact[side] = twist.value;
        rbv_twofold_add_product(&sum, mesh->turn[side], twist.value);
        sum.low += mesh->turn[side] * twist.cut;
        /* motion of the rim from a displacement of the wheel off its seat: n.(offset + tilt x lever), so that the
         * value's gradient is that of the line */
        const RbvMarkerState *seat = &markers[mesh->seat[side]], *wheel = &markers[measure->marker[side]];
        RbvVec3 offset = rbv_sub(wheel->point, seat->point),
                tilt = rbv_cross(seat->axes->column[2], wheel->axes->column[2]);
        for (int k = 0; k < mesh->line_count; k++) {
            const RbvMarkerState *line = &markers[mesh->line[k]];
            RbvVec3 rim = rbv_add(offset, rbv_cross(tilt, rbv_sub(line->point, seat->point)));
            rbv_twofold_add(&sum, (side ? 1 : -1) * mesh->weight[k] * rbv_dot(line->axes->column[1], rim));
        }
    }
    state->value = rbv_twofold(sum);
    return rbv_line_gradient(measure, model, markers, state->contact, state->gradient);
}

/* An angle of the plane; first: its derivative by the angle of the first marker's body. */
static void place_angle(RbvTurns turns, double first, const RbvMeasureMemory *memory, RbvMeasureState *state) {
    state->value = rbv_turns_angle(turns, &state->cut) + memory->turn;
    state->gradient[0] = (RbvWrench){{0, 0, 0}, {0, 0, first}};
    state->gradient[1] = (RbvWrench){{0, 0, 0}, {0, 0, 1}};
}

/* SPIN: a rate of turning about e, without a value. */
static void place_spin(const RbvMeasure *measure, RbvVec3 e, RbvMeasureState *state) {
    const RbvVec3 none = {0, 0, 0};
    state->value = 0;
    state->gradient[0] = (RbvWrench){none, measure->axis == 6 ? none : rbv_scale(-1, e)};
    state->gradient[1] = (RbvWrench){none, e};
}

bool rbv_measure_place(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                       const RbvMeasureMemory *memory, RbvMeasureState *state) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    switch (measure->kind) {
    case RBV_MEASURE_OFFSET: {
        if (is_flat(measure, model)) {
            place_flat(measure, i, j, state);
            return true;
        }
        RbvOffset offset = offset_of(measure, i, j);
        state->value = rbv_offset_gradient(&offset, state->gradient);
        return true;
    }
    case RBV_MEASURE_ANGLE:
        place_angle((RbvTurns){j->turn - i->turn, j->whole - i->whole}, -1, memory, state);
        return true;
    case RBV_MEASURE_TURN: place_angle((RbvTurns){j->turn, j->whole}, 0, memory, state); return true;
    case RBV_MEASURE_DISTANCE: memset(state->gradient, 0, sizeof state->gradient); return place_distance(i, j, state);
    case RBV_MEASURE_DIRECTION:
        memset(state->gradient, 0, sizeof state->gradient);
        return place_direction(i, j, memory, state);
    case RBV_MEASURE_ROTATION:
    case RBV_MEASURE_TILT:
    case RBV_MEASURE_TWIST:
    case RBV_MEASURE_DOT: return rbv_turning_place(measure->kind, measure->axis, i, j, memory->turn, state);
    case RBV_MEASURE_CONTACT:
        return rbv_contact_place(model->joints.items[measure->axis / 2].sizes->radii[1], i, j, state);
    case RBV_MEASURE_TRACK:
        return rbv_track_place(&model->cams.items[measure->axis / 2], measure->axis % 2, i, j, memory, state);
    case RBV_MEASURE_REVOLVED:
        return rbv_revolved_place(measure, &model->cams.items[measure->axis], i, j, memory, state);
    case RBV_MEASURE_MESH: return place_mesh(measure, model, markers, memory, state);
    case RBV_MEASURE_SPIN: place_spin(measure, spin_axis(measure, i, j), state); return true;
    case RBV_MEASURE_SWING:
    case RBV_MEASURE_BEND: state->value = 0; return rbv_swing_gradient(measure, model, markers, state->gradient);
    case RBV_MEASURE_ROLL:
    case RBV_MEASURE_TOOTH:
    case RBV_MEASURE_SLIP:
        state->value = 0;
        return rbv_line_gradient(measure, model, markers, state->contact, state->gradient);
    case RBV_MEASURE_GLIDE: {
        const RbvCam *cam = &model->cams.items[measure->axis / 2];
        memset(state->gradient, 0, sizeof state->gradient);
        if (!(cam->z          ? rbv_track_place(cam, 0, i, j, memory, state)
              : cam->revolved ? rbv_revolved_place(measure, cam, i, j, memory, state)
                              : rbv_gap_place(measure, cam, i, j, memory, state)))
            return false;
        state->value = 0;
        return rbv_line_gradient(measure, model, markers, state->contact, state->gradient);
    }
    case RBV_MEASURE_GAP:
        memset(state->gradient, 0, sizeof state->gradient);
        return rbv_gap_place(measure, &model->cams.items[measure->axis], i, j, memory, state);
    }
    return false;
}

/* |d| without accelerations: d2|d|/dt2 = (|d'|^2 - (u.d')^2)/|d| + u.d_bias. */
static double distance_bias(const RbvMarkerState *i, const RbvMarkerState *j, double length, RbvTwist t0, RbvTwist t1) {
    if (!(length > 0))
        return 0;
    RbvVec3 u = rbv_scale(1 / length, rbv_sub(j->point, i->point));
    RbvVec3 s0 = rbv_cross(t0.w, i->arm), s1 = rbv_cross(t1.w, j->arm);
    RbvVec3 rate = rbv_sub(rbv_add(t1.v, s1), rbv_add(t0.v, s0));
    RbvVec3 bias = rbv_sub(rbv_cross(t1.w, s1), rbv_cross(t0.w, s0));
    double along = rbv_dot(u, rate);
    return (rbv_dot(rate, rate) - along * along) / length + rbv_dot(u, bias);
}

/* theta'' = (d x d_bias)_z/|d|^2 - 2 theta' (d.d')/|d|^2 in the plane. */
static double direction_bias(const RbvMarkerState *i, const RbvMarkerState *j, double rate, RbvTwist t0, RbvTwist t1) {
    RbvVec3 d = rbv_sub(j->point, i->point);
    double square = d.x * d.x + d.y * d.y;
    if (!(square > 0))
        return 0;
    RbvVec3 s0 = rbv_cross(t0.w, i->arm), s1 = rbv_cross(t1.w, j->arm);
    RbvVec3 d_rate = rbv_sub(rbv_add(t1.v, s1), rbv_add(t0.v, s0));
    RbvVec3 d_bias = rbv_sub(rbv_cross(t1.w, s1), rbv_cross(t0.w, s0));
    return (d.x * d_bias.y - d.y * d_bias.x - 2 * rate * (d.x * d_rate.x + d.y * d_rate.y)) / square;
}

void rbv_measure_move(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                      const RbvTwist *twists, RbvMeasureState *state) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    if (measure->kind == RBV_MEASURE_OFFSET && is_flat(measure, model)) {
        move_flat(measure, i, j, &twists[i->body], &twists[j->body], state);
        return;
    }
    if (measure->kind == RBV_MEASURE_ANGLE || measure->kind == RBV_MEASURE_TURN) { /* about z, in the plane */
        state->rate =
            state->gradient[0].torque.z * twists[i->body].w.z + state->gradient[1].torque.z * twists[j->body].w.z;
        state->bias = 0;
        return;
    }
    RbvTwist t0 = twists[i->body], t1 = twists[j->body];
    state->rate = rbv_power(state->gradient[0], t0) + rbv_power(state->gradient[1], t1);
    state->bias = 0;
    if (measure->kind == RBV_MEASURE_OFFSET) {
        RbvOffset offset = offset_of(measure, i, j);
        state->bias = rbv_offset_bias(&offset, t0, t1);
    } else if (measure->kind == RBV_MEASURE_DISTANCE) {
        state->bias = distance_bias(i, j, state->value, t0, t1);
    } else if (measure->kind == RBV_MEASURE_DIRECTION) {
        state->bias = direction_bias(i, j, state->rate, t0, t1);
    } else if (is_turning(measure->kind)) {
        state->bias = rbv_turning_bias(measure->kind, measure->axis, i, j, t0.w, t1.w);
    } else if (measure->kind == RBV_MEASURE_TRACK) {
        state->bias = rbv_track_bias(&model->cams.items[measure->axis / 2], measure->axis % 2, i, j, state, t0, t1);
    } else if (measure->kind == RBV_MEASURE_REVOLVED) {
        state->bias = rbv_revolved_bias(&model->cams.items[measure->axis], i, j, state, t0, t1);
    } else if (measure->kind == RBV_MEASURE_CONTACT) {
        state->bias = rbv_contact_bias(model->joints.items[measure->axis / 2].sizes->radii[1], i, j, t0, t1);
    } else if (measure->kind == RBV_MEASURE_SPIN && measure->axis < 6) {
        RbvVec3 e = spin_axis(measure, i, j), turns = measure->axis < 3 ? t0.w : t1.w;
        state->bias = rbv_dot(rbv_cross(turns, e), rbv_sub(t1.w, t0.w));
    } else if (is_swing(measure->kind)) {
        const RbvTwist t[2] = {t0, t1};
        state->bias = rbv_swing_bias(measure, model, markers, t);
    } else if (is_line(measure->kind)) {
        int32_t carrier = rbv_line_carrier(measure, model);
        const RbvTwist t[3] = {t0, t1, twists[carrier < 0 ? 0 : markers[carrier].body]};
        state->bias = rbv_line_bias(measure, model, markers, state->contact, t);
    } else if (measure->kind == RBV_MEASURE_GAP) {
        state->bias = rbv_gap_bias(&model->cams.items[measure->axis], i, j, state, t0, t1);
    }
}

double rbv_measure_second_rate(const RbvMeasure *measure, const RbvMarkerState *markers, const RbvTwist *accelerations,
                               const RbvMeasureState *state) {
    double sum = state->bias;
    for (int side = 0; side < 2; side++)
        sum += rbv_power(state->gradient[side], accelerations[markers[measure->marker[side]].body]);
    return sum;
}

/* H += k (g h^T), for gradients g and h over both bodies. */
static void add_outer(double H[12][12], double k, const double g[12], const double h[12]) {
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++)
            H[r][c] += k * g[r] * h[c];
}

/* Matrix D of dd = D dx for d = p_j - p_i. */
static void difference_rows(const RbvMarkerState *i, const RbvMarkerState *j, double D[3][12]) {
    memset(D, 0, 3 * sizeof D[0]);
    const RbvVec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        RbvVec3 n0 = rbv_cross(i->arm, e[k]), n1 = rbv_cross(j->arm, e[k]);
        D[k][k] = -1;
        D[k][6 + k] = 1;
        D[k][3] = -n0.x, D[k][4] = -n0.y, D[k][5] = -n0.z;
        D[k][9] = n1.x, D[k][10] = n1.y, D[k][11] = n1.z;
    }
}

static void distance_hessian(const RbvMarkerState *i, const RbvMarkerState *j, double length, double H[12][12]) {
    double D[3][12], g[12] = {0};
    difference_rows(i, j, D);
    RbvVec3 u = rbv_scale(1 / length, rbv_sub(j->point, i->point));
    const double c[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 3; k++) {
        add_outer(H, 1 / length, D[k], D[k]);
        for (int n = 0; n < 12; n++)
            g[n] += c[k] * D[k][n];
    }
    add_outer(H, -1 / length, g, g);
    rbv_block_turn(H, 9, 1, u, j->arm);
    rbv_block_turn(H, 3, -1, u, i->arm);
}

/* theta(d): the Hessian over d is -[(d g'^T + g' d^T)]/|d|^2 with g' = z x d/|d|^2; in addition g'.d_second. */
static void direction_hessian(const RbvMarkerState *i, const RbvMarkerState *j, double H[12][12]) {
    double D[3][12], along[12], across[12];
    difference_rows(i, j, D);
    RbvVec3 d = rbv_sub(j->point, i->point);
    double square = d.x * d.x + d.y * d.y;
    for (int n = 0; n < 12; n++) {
        along[n] = (d.x * D[0][n] + d.y * D[1][n]) / square;
        across[n] = (d.x * D[1][n] - d.y * D[0][n]) / square;
    }
    add_outer(H, -1, along, across);
    add_outer(H, -1, across, along);
    RbvVec3 g = rbv_vec3(-d.y / square, d.x / square, 0);
    rbv_block_turn(H, 9, 1, g, j->arm);
    rbv_block_turn(H, 3, -1, g, i->arm);
}

static const RbvVec3 axis_of[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Unit motion c: the twelve velocities and angular velocities of both bodies, then the six of the carrier. */
static void unit_motion(int c, RbvTwist t[3]) {
    memset(t, 0, 3 * sizeof *t);
    if (c % 6 < 3)
        t[c / 6].v = axis_of[c % 3];
    else
        t[c / 6].w = axis_of[c % 3];
}

/* The derivative of the gradient of a line or swing along unit motions: row r, column c is d gradient_r / d x_c. Not
 * symmetric, as there is no potential. */
static void line_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                         const double *contact, int first, int count, double *H, int width) {
    for (int c = 0; c < count; c++) {
        RbvTwist t[3];
        double column[12];
        unit_motion(first + c, t);
        if (is_swing(measure->kind))
            rbv_swing_change(measure, model, markers, t, column);
        else
            rbv_line_change(measure, model, markers, contact, t, column);
        for (int r = 0; r < 12; r++)
            H[r * width + c] = column[r];
    }
}

/* The gradient turns with the body that owns the axis e: de = dtheta x e. */
static void spin_hessian(const RbvMeasure *measure, RbvVec3 e, double H[12][12]) {
    int owner = measure->axis < 3 ? 3 : 9;
    for (int c = 0; c < 3; c++) {
        RbvVec3 change = rbv_cross(axis_of[c], e);
        const double part[3] = {change.x, change.y, change.z};
        for (int k = 0; k < 3; k++) {
            H[9 + k][owner + c] = part[k];
            H[3 + k][owner + c] = measure->axis == 6 ? 0 : -part[k];
        }
    }
}

static double bias_of(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *i,
                      const RbvMarkerState *j, const RbvMeasureState *state, const RbvTwist t[2]) {
    if (measure->kind == RBV_MEASURE_REVOLVED)
        return rbv_revolved_bias(&model->cams.items[measure->axis], i, j, state, t[0], t[1]);
    if (measure->kind == RBV_MEASURE_CONTACT)
        return rbv_contact_bias(model->joints.items[measure->axis / 2].sizes->radii[1], i, j, t[0], t[1]);
    return rbv_turning_bias(measure->kind, measure->axis, i, j, t[0].w, t[1].w);
}

/* bias = x^T H x: H from the bias of unit motions and of their sums. Turning measures depend on angular velocities
 * only. */
static void polarised_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *i,
                              const RbvMarkerState *j, const RbvMeasureState *state, double H[12][12]) {
    bool turning = is_turning(measure->kind);
    for (int r = 0; r < 12; r++)
        for (int c = 0; c < 12; c++) {
            RbvTwist a[3], b[3];
            int low = c < r ? c : r, high = c + r - low;
            if (low == high || (turning && (r % 6 < 3 || c % 6 < 3)))
                continue;
            unit_motion(low, a);
            unit_motion(high, b);
            double first = bias_of(measure, model, i, j, state, a), second = bias_of(measure, model, i, j, state, b);
            for (int k = 0; k < 2; k++)
                a[k] = (RbvTwist){rbv_add(a[k].v, b[k].v), rbv_add(a[k].w, b[k].w)};
            H[low][low] = first;
            H[high][high] = second;
            H[r][c] = 0.5 * (bias_of(measure, model, i, j, state, a) - first - second);
        }
}

void rbv_measure_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                         const RbvMeasureState *state, double H[12][12]) {
    const RbvMarkerState *i = &markers[measure->marker[0]], *j = &markers[measure->marker[1]];
    memset(H, 0, 12 * sizeof H[0]);
    if (measure->kind == RBV_MEASURE_OFFSET) {
        RbvOffset offset = offset_of(measure, i, j);
        rbv_offset_hessian(&offset, 1, H);
    } else if (measure->kind == RBV_MEASURE_DISTANCE && state->value > 0) {
        distance_hessian(i, j, state->value, H);
    } else if (measure->kind == RBV_MEASURE_DIRECTION) {
        direction_hessian(i, j, H);
    } else if (measure->kind == RBV_MEASURE_SPIN) {
        spin_hessian(measure, spin_axis(measure, i, j), H);
    } else if (is_line(measure->kind) || is_swing(measure->kind)) {
        line_hessian(measure, model, markers, state->contact, 0, 12, &H[0][0], 12);
    } else if (measure->kind == RBV_MEASURE_TRACK) {
        rbv_track_hessian(&model->cams.items[measure->axis / 2], measure->axis % 2, i, j, state, H);
    } else if (measure->kind == RBV_MEASURE_CONTACT || measure->kind == RBV_MEASURE_REVOLVED ||
               is_turning(measure->kind)) {
        polarised_hessian(measure, model, i, j, state, H);
    } else if (measure->kind == RBV_MEASURE_GAP) {
        rbv_gap_hessian(&model->cams.items[measure->axis], i, j, state, H);
    }
}

void rbv_measure_carrier_hessian(const RbvMeasure *measure, const RbvModel *model, const RbvMarkerState *markers,
                                 double H[12][6]) {
    line_hessian(measure, model, markers, NULL, 12, 6, &H[0][0], 6);
}

int32_t rbv_measure_carrier(const RbvMeasure *measure, const RbvModel *model) {
    return rbv_line_carrier(measure, model);
}

void rbv_measure_accept(const RbvMeasure *measure, const RbvMeasureState *state, RbvMeasureMemory *memory) {
    if (measure->kind == RBV_MEASURE_DIRECTION || measure->kind == RBV_MEASURE_TWIST)
        memory->turn = state->value;
    if (measure->kind == RBV_MEASURE_GAP || measure->kind == RBV_MEASURE_GLIDE || measure->kind == RBV_MEASURE_MESH ||
        measure->kind == RBV_MEASURE_TRACK || measure->kind == RBV_MEASURE_REVOLVED)
        memcpy(memory->contact, state->contact, sizeof memory->contact);
}
