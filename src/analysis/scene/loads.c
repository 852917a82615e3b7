/* Draws loads and drives (springs, dampers, bushings, arrows), stops and constraints. The figure along which a single
 * value acts becomes the item's figure. */
#include "analysis/scene/draft.h"

#define COIL_TURNS 8
#define SPIRAL_POINTS 65
#define SPIRAL_TURNS 2.5

/* Value of an expression that does not vary, or varies with time only; else NaN. */
static double constant_of(const RbvDraft *s, const RbvExpr *expr) {
    if (!expr)
        return 0;
    if (rbv_expr_variable_count(expr) > 1 ||
        (rbv_expr_variable_count(expr) == 1 &&
         s->model->variables.items[rbv_expr_variable(expr, 0)].kind != RBV_VARIABLE_TIME))
        return NAN;
    RbvConfiguration at = rbv_state_configuration(s->state);
    return rbv_configuration_value(&at, expr, NULL);
}

/* Unit vector of a load given by expressions; if one is unknown, the axis of the first unknown component. */
static RbvVec3 direction_of(const RbvDraft *s, const RbvLoad *load) {
    double v[3] = {0}, axis[3] = {0};
    int open = -1, count = s->spatial ? 3 : 2;
    for (int k = 0; k < count; k++) {
        v[k] = constant_of(s, load->value[k]);
        if (isnan(v[k]) && open < 0)
            open = k;
    }
    RbvVec3 direction = rbv_vec3(v[0], v[1], v[2]);
    double length = rbv_norm(direction);
    axis[open < 0 ? 0 : open] = 1;
    return open < 0 && length > 0 && isfinite(length) ? rbv_scale(1 / length, direction)
                                                      : rbv_vec3(axis[0], axis[1], axis[2]);
}

static void force(RbvDraft *s, const RbvLoad *load) {
    int32_t in = load->body_frame ? rbv_draft_body(s, load->marker[0]) : 0;
    bool turns = rbv_load_row(load->kind)->torque;
    RbvVec3 direction = turns && !s->spatial ? rbv_vec3(0, 0, 1) : direction_of(s, load);
    rbv_draft_direction(s, turns ? RBV_SCENE_TURNING : RBV_SCENE_ARROW, load->marker[0], in, direction);
}

/* Draw a spring: coil with a damper inside, as in a strut. */
static void spring(RbvDraft *s, const RbvLoad *load, RbvSceneItem *item) {
    bool coil = load->stiffness[0] != 0 || load->value[0] || load->damping[0] == 0;
    int32_t first = coil ? rbv_draft_between(s, RBV_SCENE_COIL, load->marker, 0.3 * s->symbol, COIL_TURNS) : -1;
    int32_t second =
        load->damping[0] > 0 ? rbv_draft_between(s, RBV_SCENE_DAMPER, load->marker, 0.15 * s->symbol, 0) : -1;
    item->figure = first >= 0 ? first : second;
    if (load->joint >= 0) { /* signed length: acts along the joint */
        const RbvMeasure *m = &s->model->measures.items[load->measure[0]];
        item->figure = rbv_draft_direction(s, RBV_SCENE_ARROW, m->marker[1], rbv_draft_body(s, m->marker[0]),
                                           rbv_scale(-1, rbv_draft_axis(s, m->marker[0], m->axis)));
    }
    for (int side = 0; side < 2 && load->joint < 0; side++)
        rbv_draft_support(s, load->marker[side]);
}

/* Draw a torsion spring: spiral in the xy plane of the first marker; a positive torque reduces the angle. */
static void torsion(RbvDraft *s, const RbvLoad *load, RbvSceneItem *item) {
    RbvVec3 points[SPIRAL_POINTS];
    for (int k = 0; k < SPIRAL_POINTS; k++) {
        double part = k / (SPIRAL_POINTS - 1.0), angle = RBV_TWO_PI * SPIRAL_TURNS * part,
               radius = s->symbol * (0.3 + 0.4 * part);
        points[k] = rbv_draft_place(s, load->marker[0], rbv_vec3(radius * cos(angle), radius * sin(angle), 0));
    }
    rbv_draft_line(s, rbv_draft_body(s, load->marker[0]), points, SPIRAL_POINTS, false, false);
    item->figure = rbv_draft_direction(s, RBV_SCENE_TURNING, load->marker[1], rbv_draft_body(s, load->marker[1]),
                                       rbv_scale(-1, rbv_draft_axis(s, load->marker[1], 2)));
}

static void bushing(RbvDraft *s, const RbvLoad *load) {
    double h = 0.6 * s->symbol;
    if (s->spatial)
        rbv_draft_box(s, rbv_draft_body(s, load->marker[1]), rbv_draft_at(s, load->marker[1]),
                      rbv_draft_turn(s, load->marker[1]), rbv_vec3(h, h, h));
    else
        rbv_draft_rectangle(s, load->marker[1], rbv_vec3(0, 0, 0), h, h, false);
}

/* Draw an energy: at the second marker of the first coordinate that it uses. */
static void draw_energy(RbvDraft *s, const RbvLoad *load) {
    for (int32_t v = 0; v < rbv_expr_variable_count(load->value[0]); v++) {
        RbvVariable variable = s->model->variables.items[rbv_expr_variable(load->value[0], v)];
        if (variable.kind != RBV_VARIABLE_COORDINATE)
            continue;
        int32_t marker = s->model->measures.items[variable.index].marker[1];
        if (s->spatial)
            rbv_draft_sphere(s, rbv_draft_body(s, marker), rbv_draft_at(s, marker), 0.4 * s->symbol);
        else
            rbv_draft_circle(s, rbv_draft_body(s, marker), rbv_draft_at(s, marker), rbv_draft_turn(s, marker),
                             0.4 * s->symbol, false);
        return;
    }
}

/* Draw a field that acts everywhere: arrow at a point of ground. */
static void everywhere(RbvDraft *s, RbvSceneKind kind, RbvVec3 at, RbvVec3 axis) {
    RbvSceneFigure figure = {.kind = kind, .at = {at.x, at.y, at.z}, .axis = {axis.x, axis.y, axis.z}};
    rbv_draft_figure(s, figure);
}

void rbv_draft_load(RbvDraft *s, const RbvLoad *load, RbvSceneItem *item) {
    RbvVec3 zero = {0, 0, 0};
    switch (load->kind) {
    case RBV_LOAD_FORCE:
    case RBV_LOAD_TORQUE: force(s, load); break;
    case RBV_LOAD_SPRING: spring(s, load, item); break;
    case RBV_LOAD_TORSION: torsion(s, load, item); break;
    case RBV_LOAD_BUSHING: bushing(s, load); break;
    case RBV_LOAD_ROTATING_FRAME: everywhere(s, RBV_SCENE_TURNING, load->center, load->axis); break;
    case RBV_LOAD_FIELD: everywhere(s, RBV_SCENE_ARROW, zero, direction_of(s, load)); break;
    case RBV_LOAD_ENERGY: draw_energy(s, load); break;
    case RBV_LOAD_DAMPING: break;
    }
}

void rbv_draft_drive(RbvDraft *s, int32_t measure, RbvSceneItem *item) {
    if (measure < 0)
        return;
    const RbvMeasure *m = &s->model->measures.items[measure];
    int32_t first = rbv_draft_body(s, m->marker[0]), second = rbv_draft_body(s, m->marker[1]);
    int32_t drawn = -1;
    switch (m->kind) {
    case RBV_MEASURE_OFFSET:
        drawn = rbv_draft_direction(s, RBV_SCENE_ARROW, m->marker[1], first, rbv_draft_axis(s, m->marker[0], m->axis));
        break;
    case RBV_MEASURE_DISTANCE: drawn = rbv_draft_between(s, RBV_SCENE_DAMPER, m->marker, 0.2 * s->symbol, 0); break;
    case RBV_MEASURE_ANGLE:
    case RBV_MEASURE_TURN:
    case RBV_MEASURE_DIRECTION:
        drawn = rbv_draft_direction(s, RBV_SCENE_TURNING, m->marker[1], second, rbv_vec3(0, 0, 1));
        break;
    case RBV_MEASURE_TWIST:
        drawn =
            rbv_draft_direction(s, RBV_SCENE_TURNING, m->marker[1], second, rbv_draft_axis(s, m->marker[1], m->axis));
        break;
    case RBV_MEASURE_ROTATION:
        drawn =
            rbv_draft_direction(s, RBV_SCENE_TURNING, m->marker[1], first, rbv_draft_axis(s, m->marker[0], m->axis));
        break;
    default: break;
    }
    bool along = m->kind != RBV_MEASURE_DIRECTION &&
                 m->kind != RBV_MEASURE_ROTATION; /* else the effort is no torque about the figure */
    item->figure = along ? drawn : -1;
    item->marker[0] = m->marker[0];
    item->marker[1] = m->marker[1];
    item->point = item->figure >= 0 && m->kind == RBV_MEASURE_OFFSET ? m->marker[1] : -1;
}

/* Stops and constraints. A stop is a bumper on the first body: for a distance a wall perpendicular to it, where
 * the second marker is at the limit (beside the sleeve of a slide); for an angle a bumper on the line that the second
 * marker's x cannot pass. A constraint is a dashed line between the bodies of its equation. */

/* Half the length of the sleeves of slides, of a symbol (joints.c). */
#define SLEEVE 0.6
#define SLEEVE_SPACE 0.5
/* Largest number of bodies on the line of a constraint. */
#define MOST_TIED 6

static bool is_angle(const RbvMeasure *m) {
    return m->kind == RBV_MEASURE_ANGLE || (m->kind == RBV_MEASURE_TWIST && m->axis == 2);
}

/* Half length [m] of the sleeve if the two markers belong to a slide, which is drawn as a sleeve; else 0. */
static double half_sleeve(const RbvDraft *s, const RbvMeasure *m) {
    for (int32_t k = 0; k < s->model->joints.count; k++) {
        const RbvJoint *joint = &s->model->joints.items[k];
        bool same = joint->marker[0] == m->marker[0] && joint->marker[1] == m->marker[1];
        bool turns = s->spatial ? (joint->locks & RBV_DIRECTIONS_TURNS) == RBV_DIRECTIONS_TURNS
                                : (joint->locks & RBV_DIRECTION_RZ) != 0;
        if (same && turns && !(joint->locks >> m->axis & 1))
            return (s->spatial ? SLEEVE_SPACE : SLEEVE) * s->symbol;
    }
    return 0;
}

/* A point in the first marker's frame: `along` on the axis of the measure; in the plane offset `across` from the
 * second marker. */
static RbvVec3 point_of(const RbvDraft *s, const RbvMeasure *m, double along, double across) {
    RbvVec3 d = rbv_draft_seen(s, m->marker[0], m->marker[1]);
    double v[3] = {d.x, d.y, d.z};
    v[m->axis] = along;
    v[m->axis == 0 ? 1 : 0] += across;
    return rbv_draft_place(s, m->marker[0], rbv_vec3(v[0], v[1], v[2]));
}

/* Draw a filled buffer in front of a wall. `out`: direction (-1, 1) in which the coordinate is blocked. */
static void wall(RbvDraft *s, const RbvMeasure *m, double at, double out) {
    double h = 0.6 * s->symbol, thick = 0.2 * s->symbol, face = at + out * half_sleeve(s, m), back = face + out * thick;
    int32_t body = rbv_draft_body(s, m->marker[0]);
    if (s->spatial) {
        rbv_draft_box(s, body, point_of(s, m, face + out * thick / 2, 0), rbv_draft_along(s, m->marker[0], m->axis),
                      rbv_vec3(2 * h, 2 * h, thick));
        return;
    }
    const RbvVec3 buffer[4] = {point_of(s, m, face, -0.5 * h), point_of(s, m, back, -0.5 * h),
                               point_of(s, m, back, 0.5 * h), point_of(s, m, face, 0.5 * h)};
    const RbvVec3 line[2] = {point_of(s, m, back, -h), point_of(s, m, back, h)};
    rbv_draft_line(s, body, buffer, 4, true, true);
    if (body == 0)
        rbv_draft_hatching(s, line[0], line[1], rbv_scale(out, rbv_draft_axis(s, m->marker[0], m->axis)));
    else
        rbv_draft_line(s, body, line, 2, false, false);
}

/* Draw a line from the pin at the angle, with a buffer at its side. */
static void bumper(RbvDraft *s, const RbvMeasure *m, double at, double out) {
    int32_t first = m->marker[0], body = rbv_draft_body(s, first);
    double from = 1.2 * s->symbol, to = 1.8 * s->symbol, thick = out * 0.2 * s->symbol;
    RbvVec3 x = rbv_vec3(cos(at), sin(at), 0), y = rbv_vec3(-thick * sin(at), thick * cos(at), 0);
    const RbvVec3 line[2] = {rbv_draft_at(s, first), rbv_draft_place(s, first, rbv_scale(to, x))};
    const RbvVec3 buffer[4] = {
        rbv_draft_place(s, first, rbv_scale(from, x)), rbv_draft_place(s, first, rbv_scale(to, x)),
        rbv_draft_place(s, first, rbv_add_scaled(y, to, x)), rbv_draft_place(s, first, rbv_add_scaled(y, from, x))};
    rbv_draft_line(s, body, line, 2, false, false);
    rbv_draft_line(s, body, buffer, 4, true, true);
}

void rbv_draft_stop(RbvDraft *s, const RbvStop *stop, RbvSceneItem *item) {
    double offset;
    int32_t measure = rbv_draft_stop_measure(s, stop, &offset);
    if (measure < 0 || rbv_measure_generalized(s->model, measure))
        return;
    const RbvMeasure *m = &s->model->measures.items[measure];
    for (int side = 0; side < 2; side++) {
        if (!isfinite(stop->limit[side]))
            continue;
        if (m->kind == RBV_MEASURE_OFFSET)
            wall(s, m, stop->limit[side] - offset, side ? 1 : -1);
        else if (is_angle(m))
            bumper(s, m, stop->limit[side] - offset, side ? 1 : -1);
    }
    if (m->kind == RBV_MEASURE_OFFSET || is_angle(m))
        rbv_draft_drive(s, measure, item); /* a stop's force acts as a drive's effort does, along the measure */
}

/* Append a marker if its body is not in the list yet. */
static void tie(const RbvDraft *s, int32_t *tied, int32_t *count, int32_t marker) {
    int32_t body = rbv_draft_body(s, marker);
    for (int32_t k = 0; k < *count; k++)
        if (rbv_draft_body(s, tied[k]) == body)
            return;
    if (s->body[body] >= 0 && *count < MOST_TIED)
        tied[(*count)++] = marker;
}

/* Find the markers of a constraint's bodies, of each measure the second one first: the coordinate is its position. */
static int32_t find_tied(const RbvDraft *s, const RbvExpr *equation, int32_t *tied) {
    const RbvModel *model = s->model;
    int32_t count = 0;
    for (int side = 1; side >= 0; side--)
        for (int32_t v = 0; v < rbv_expr_variable_count(equation); v++) {
            RbvVariable variable = model->variables.items[rbv_expr_variable(equation, v)];
            if (variable.kind != RBV_VARIABLE_COORDINATE)
                continue;
            int32_t marker = model->measures.items[variable.index].marker[side];
            if (rbv_draft_body(s, marker) > 0)
                tie(s, tied, &count, marker);
        }
    return count;
}

void rbv_draft_constraint(RbvDraft *s, const RbvConstraint *constraint, RbvSceneItem *item) {
    int32_t tied[MOST_TIED], count = constraint->equation ? find_tied(s, constraint->equation, tied) : 0;
    for (int32_t k = 0; k + 1 < count; k++)
        rbv_draft_between(s, RBV_SCENE_BAR, &tied[k], 0.03 * s->symbol, 0);
    for (int32_t k = 0; k < count; k++) {
        double h = 0.22 * s->symbol;
        const RbvVec3 corner[4] = {
            rbv_draft_place(s, tied[k], rbv_vec3(h, 0, 0)), rbv_draft_place(s, tied[k], rbv_vec3(0, h, 0)),
            rbv_draft_place(s, tied[k], rbv_vec3(-h, 0, 0)), rbv_draft_place(s, tied[k], rbv_vec3(0, -h, 0))};
        rbv_draft_line(s, rbv_draft_body(s, tied[k]), corner, 4, true, false);
    }
    for (int side = 0; side < 2 && count > 0; side++)
        item->marker[side] = tied[side < count ? side : 0];
}
