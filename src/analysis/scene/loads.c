/* Draws loads and drives: springs, dampers, bushings, arrows. The figure along which a single value acts becomes the
 * item's figure. */
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

/* Unit vector of a load given by `count` expressions; if one is unknown, the axis of the first unknown component. */
static RbvVec3 way_of(const RbvDraft *s, const RbvLoad *load, int count) {
    double v[3] = {0}, axis[3] = {0};
    int open = -1;
    for (int k = 0; k < count; k++) {
        v[k] = constant_of(s, load->value[k]);
        if (isnan(v[k]) && open < 0)
            open = k;
    }
    RbvVec3 way = rbv_vec3(v[0], v[1], v[2]);
    double length = rbv_norm(way);
    axis[open < 0 ? 0 : open] = 1;
    return open < 0 && length > 0 && isfinite(length) ? rbv_scale(1 / length, way)
                                                      : rbv_vec3(axis[0], axis[1], axis[2]);
}

static void force(RbvDraft *s, const RbvLoad *load) {
    int32_t in = load->body_frame ? rbv_draft_body(s, load->marker[0]) : 0;
    bool turns = load->kind == RBV_LOAD_TORQUE;
    RbvVec3 way = turns && !s->spatial ? rbv_vec3(0, 0, 1) : way_of(s, load, s->spatial ? 3 : 2);
    rbv_draft_way(s, turns ? RBV_SCENE_TURNING : RBV_SCENE_ARROW, load->marker[0], in, way);
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
        item->figure = rbv_draft_way(s, RBV_SCENE_ARROW, m->marker[1], rbv_draft_body(s, m->marker[0]),
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
    item->figure = rbv_draft_way(s, RBV_SCENE_TURNING, load->marker[1], rbv_draft_body(s, load->marker[1]),
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
static void energy(RbvDraft *s, const RbvLoad *load) {
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
    case RBV_LOAD_FIELD: everywhere(s, RBV_SCENE_ARROW, zero, way_of(s, load, s->spatial ? 3 : 2)); break;
    case RBV_LOAD_ENERGY: energy(s, load); break;
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
        drawn = rbv_draft_way(s, RBV_SCENE_ARROW, m->marker[1], first, rbv_draft_axis(s, m->marker[0], m->axis));
        break;
    case RBV_MEASURE_DISTANCE: drawn = rbv_draft_between(s, RBV_SCENE_DAMPER, m->marker, 0.2 * s->symbol, 0); break;
    case RBV_MEASURE_ANGLE:
    case RBV_MEASURE_TURN:
    case RBV_MEASURE_DIRECTION:
        drawn = rbv_draft_way(s, RBV_SCENE_TURNING, m->marker[1], second, rbv_vec3(0, 0, 1));
        break;
    case RBV_MEASURE_TWIST:
        drawn = rbv_draft_way(s, RBV_SCENE_TURNING, m->marker[1], second, rbv_draft_axis(s, m->marker[1], m->axis));
        break;
    case RBV_MEASURE_ROTATION:
        drawn = rbv_draft_way(s, RBV_SCENE_TURNING, m->marker[1], first, rbv_draft_axis(s, m->marker[0], m->axis));
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
