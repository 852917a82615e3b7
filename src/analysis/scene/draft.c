/* Pen and figures; see draft.h.
 *
 * A marker at m with axes B on a body at r with axes A: a point p in the marker's frame is m + B p in the body's
 * axes, and r + A (m + B p) in ground's axes.
 */
#include "analysis/scene/draft.h"

#include <string.h>

/* SAME: relative difference below which two radii are equal. LOOK_BACK: number of previous figures searched for a
 * wheel. */
#define SAME 1e-6
#define LOOK_BACK 2000

RbvVec3 rbv_draft_at(const RbvDraft *s, int32_t marker) {
    return s->model->markers.items[marker].at;
}

RbvQuat rbv_draft_turn(const RbvDraft *s, int32_t marker) {
    return rbv_marker_axes(&s->model->markers.items[marker])->p;
}

RbvVec3 rbv_draft_axis(const RbvDraft *s, int32_t marker, int axis) {
    return rbv_marker_axes(&s->model->markers.items[marker])->A.column[axis];
}

RbvQuat rbv_draft_along(const RbvDraft *s, int32_t marker, int axis) {
    const RbvMat3 *A = &rbv_marker_axes(&s->model->markers.items[marker])->A;
    RbvMat3 turned = {{A->column[(axis + 1) % 3], A->column[(axis + 2) % 3], A->column[axis]}};
    return axis == 2 ? rbv_draft_turn(s, marker) : rbv_quat_of_mat3(&turned);
}

int32_t rbv_draft_body(const RbvDraft *s, int32_t marker) {
    return s->model->markers.items[marker].body;
}

RbvVec3 rbv_draft_place(const RbvDraft *s, int32_t marker, RbvVec3 local) {
    const RbvMarker *m = &s->model->markers.items[marker];
    return rbv_add(m->at, rbv_apply(&rbv_marker_axes(m)->A, local));
}

RbvVec3 rbv_draft_ground(const RbvDraft *s, int32_t body, RbvVec3 on_body) {
    const RbvBodyState *b = &s->state->bodies[body];
    return body == 0 ? on_body
                     : rbv_add(b->r, rbv_apply(&b->A, rbv_sub(on_body, s->model->bodies.items[body].centroid)));
}

RbvVec3 rbv_draft_on_body(const RbvDraft *s, int32_t body, RbvVec3 point) {
    const RbvBodyState *b = &s->state->bodies[body];
    return body == 0
               ? point
               : rbv_add(s->model->bodies.items[body].centroid, rbv_apply_transposed(&b->A, rbv_sub(point, b->r)));
}

RbvVec3 rbv_draft_point(const RbvDraft *s, int32_t marker) {
    return rbv_draft_ground(s, rbv_draft_body(s, marker), rbv_draft_at(s, marker));
}

RbvVec3 rbv_draft_seen(const RbvDraft *s, int32_t from, int32_t seen) {
    const RbvMarker *m = &s->model->markers.items[from];
    RbvVec3 on_body = rbv_draft_on_body(s, m->body, rbv_draft_point(s, seen));
    return rbv_apply_transposed(&rbv_marker_axes(m)->A, rbv_sub(on_body, m->at));
}

/* Add a figure with the pen's role and item, on a body of the model; figures on hidden bodies are not drawn. */
int32_t rbv_draft_figure(RbvDraft *s, RbvSceneFigure figure) {
    figure.role = s->role;
    figure.of = s->of;
    for (int side = 0; side < 2; side++)
        figure.on[side] = s->body[figure.on[side]];
    figure.body = figure.on[0] == figure.on[1] || figure.kind == RBV_SCENE_ARROW || figure.kind == RBV_SCENE_TURNING
                      ? figure.on[0]
                      : -1;
    if (figure.on[0] < 0 || figure.on[1] < 0)
        return -1;
    int32_t index = rbv_scene_add(s->result, &figure);
    s->lost = s->lost || index < 0;
    return index;
}

int32_t rbv_draft_line(RbvDraft *s, int32_t body, const RbvVec3 *points, int32_t count, bool closed, bool filled) {
    double(*copy)[3] = rbv_arena_array(&s->result->arena, (size_t)count + 1, sizeof *copy);
    s->lost = s->lost || !copy;
    for (int32_t k = 0; copy && k < count; k++)
        rbv_draft_put(points[k], copy[k]);
    return copy ? rbv_draft_figure(s, (RbvSceneFigure){.kind = RBV_SCENE_LINE,
                                                       .on = {body, body},
                                                       .count = count,
                                                       .points = &copy[0][0],
                                                       .closed = closed,
                                                       .filled = filled})
                : -1;
}

int32_t rbv_draft_circle(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, double radius, bool filled) {
    RbvSceneFigure figure = {
        .kind = RBV_SCENE_CIRCLE, .on = {body, body}, .radius = radius, .filled = filled, .closed = true};
    rbv_draft_put(at, figure.at);
    rbv_draft_put_turn(turn, figure.turn);
    return rbv_draft_figure(s, figure);
}

int32_t rbv_draft_box(RbvDraft *s, int32_t body, RbvVec3 at, RbvQuat turn, RbvVec3 size) {
    RbvSceneFigure figure = {.kind = RBV_SCENE_BOX, .on = {body, body}};
    rbv_draft_put(at, figure.at);
    rbv_draft_put(size, figure.size);
    rbv_draft_put_turn(turn, figure.turn);
    return rbv_draft_figure(s, figure);
}

int32_t rbv_draft_round(RbvDraft *s, RbvSceneKind kind, int32_t body, RbvVec3 from, RbvVec3 to, double radius) {
    RbvSceneFigure figure = {.kind = kind, .on = {body, body}, .radius = radius};
    rbv_draft_put(from, figure.at);
    rbv_draft_put(to, figure.to);
    return rbv_draft_figure(s, figure);
}

int32_t rbv_draft_sphere(RbvDraft *s, int32_t body, RbvVec3 at, double radius) {
    RbvSceneFigure figure = {.kind = RBV_SCENE_SPHERE, .on = {body, body}, .radius = radius};
    rbv_draft_put(at, figure.at);
    return rbv_draft_figure(s, figure);
}

/* Index of an equal wheel, drawn for another mesh; -1: none. */
static int32_t find_wheel(const RbvDraft *s, const RbvSceneFigure *wheel) {
    const RbvScene *scene = rbv_result_scene(s->result);
    for (int32_t k = scene->figure_count - 1; k >= 0 && k >= scene->figure_count - LOOK_BACK; k--) {
        const RbvSceneFigure *f = &scene->figures[k];
        double apart = hypot(hypot(f->at[0] - wheel->at[0], f->at[1] - wheel->at[1]), f->at[2] - wheel->at[2]);
        if (f->kind == RBV_SCENE_WHEEL && f->on[0] == wheel->on[0] && f->internal == wheel->internal &&
            fabs(f->radius - wheel->radius) + apart < SAME * wheel->radius)
            return k;
    }
    return -1;
}

int32_t rbv_draft_wheel(RbvDraft *s, int32_t marker, double radius, double width, int32_t teeth, bool internal,
                        double phase) {
    int32_t body = rbv_draft_body(s, marker);
    RbvSceneFigure figure = {.kind = RBV_SCENE_WHEEL,
                             .on = {body, body},
                             .radius = radius,
                             .other = s->spatial ? width : 0,
                             .count = teeth,
                             .internal = internal};
    rbv_draft_put(rbv_draft_at(s, marker), figure.at);
    rbv_draft_put_turn(rbv_quat_product(rbv_draft_turn(s, marker), rbv_quat_of_vector(rbv_vec3(0, 0, phase))),
                       figure.turn);
    int32_t drawn = find_wheel(s, &figure);
    return drawn >= 0 ? drawn : rbv_draft_figure(s, figure);
}

double rbv_draft_phase(const RbvDraft *s, int32_t figure, int32_t marker) {
    const double *turn = rbv_result_scene(s->result)->figures[figure].turn;
    RbvMat3 axes = rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}});
    return atan2(rbv_dot(axes.column[0], rbv_draft_axis(s, marker, 1)),
                 rbv_dot(axes.column[0], rbv_draft_axis(s, marker, 0)));
}

int32_t rbv_draft_between(RbvDraft *s, RbvSceneKind kind, const int32_t marker[2], double radius, int32_t turns) {
    RbvSceneFigure figure = {.kind = kind,
                             .on = {rbv_draft_body(s, marker[0]), rbv_draft_body(s, marker[1])},
                             .radius = radius,
                             .count = turns};
    rbv_draft_put(rbv_draft_at(s, marker[0]), figure.at);
    rbv_draft_put(rbv_draft_at(s, marker[1]), figure.to);
    return rbv_draft_figure(s, figure);
}

int32_t rbv_draft_direction(RbvDraft *s, RbvSceneKind kind, int32_t marker, int32_t in, RbvVec3 axis) {
    RbvSceneFigure figure = {.kind = kind, .on = {rbv_draft_body(s, marker), in}};
    rbv_draft_put(rbv_draft_at(s, marker), figure.at);
    rbv_draft_put(axis, figure.axis);
    return rbv_draft_figure(s, figure);
}

int32_t rbv_draft_stop_measure(const RbvDraft *s, const RbvStop *stop, double *offset) {
    const RbvCoordinateRef *of = &stop->of;
    const RbvExpr *f = rbv_coordinate_value(s->model, of);
    const bool chosen = true;
    const double zero = 0;
    *offset = 0;
    if (!f)
        return of->measure;
    if (rbv_expr_variable_count(f) != 1 || !rbv_expr_is_affine(f, &chosen))
        return -1;
    double slope = 0, hessian;
    *offset = rbv_expr_jet(f, &zero, s->state->work, &slope, &hessian);
    return slope == 1 ? rbv_variable_of(s->model, f, 0).index : -1;
}

void rbv_draft_travel(const RbvDraft *s, const RbvJoint *joint, int axis, double beside, double range[2]) {
    double at[3];
    rbv_draft_put(rbv_draft_seen(s, joint->marker[0], joint->marker[1]), at);
    double u = at[axis];
    range[0] = u - beside, range[1] = u + beside;
    for (int32_t k = 0; k < s->model->stops.count; k++) {
        const RbvStop *stop = &s->model->stops.items[k];
        double offset;
        int32_t measure = rbv_draft_stop_measure(s, stop, &offset);
        const RbvMeasure *m = measure < 0 ? NULL : &s->model->measures.items[measure];
        if (!m || m->kind != RBV_MEASURE_OFFSET || m->axis != axis || m->marker[0] != joint->marker[0] ||
            m->marker[1] != joint->marker[1])
            continue;
        range[0] = isfinite(stop->limit[0]) ? fmin(range[0], stop->limit[0] - offset - 0.5 * beside) : range[0];
        range[1] = isfinite(stop->limit[1]) ? fmax(range[1], stop->limit[1] - offset + 0.5 * beside) : range[1];
    }
}

int32_t rbv_draft_rectangle(RbvDraft *s, int32_t marker, RbvVec3 middle, double width, double height, bool filled) {
    RbvVec3 corner[4];
    for (int k = 0; k < 4; k++) {
        double x = (k == 1 || k == 2 ? 0.5 : -0.5) * width;
        double y = (k > 1 ? 0.5 : -0.5) * height;
        corner[k] = rbv_draft_place(s, marker, rbv_add(middle, rbv_vec3(x, y, 0)));
    }
    return rbv_draft_line(s, rbv_draft_body(s, marker), corner, 4, true, filled);
}

void rbv_draft_guide(RbvDraft *s, int32_t figure, const int32_t marker[2], int axes, double beside, int32_t period) {
    if (figure >= 0)
        s->result->scene->figures[figure].guide =
            (RbvSceneGuide){.marker = {marker[0], marker[1]}, .axes = axes, .beside = beside, .period = period};
}

/* The radius of a pin is a quarter of a symbol. */
void rbv_draft_pin(RbvDraft *s, int32_t marker) {
    if (s->spatial)
        rbv_draft_sphere(s, rbv_draft_body(s, marker), rbv_draft_at(s, marker), 0.3 * s->symbol);
    else
        rbv_draft_circle(s, rbv_draft_body(s, marker), rbv_draft_at(s, marker), rbv_draft_turn(s, marker),
                         0.25 * s->symbol, false);
}

/* Hatching: least and largest number of strokes; their spacing, part of a symbol. */
#define STROKES 6
#define MOST_STROKES 60
#define STROKES_APART 0.68

/* Hatching is one line: along the base, and at each stroke out and back. */
int32_t rbv_draft_hatching(RbvDraft *s, RbvVec3 from, RbvVec3 to, RbvVec3 side) {
    int strokes = (int)fmin(MOST_STROKES, fmax(STROKES, rbv_norm(rbv_sub(to, from)) / (STROKES_APART * s->symbol)));
    RbvVec3 points[3 * MOST_STROKES + 2], step = rbv_scale(1.0 / strokes, rbv_sub(to, from)),
                                          out = rbv_sub(rbv_scale(rbv_norm(step), side), step);
    int32_t count = 0;
    RbvSceneRole role = s->role;
    s->role = RBV_SCENE_GROUND;
    points[count++] = from;
    for (int k = 1; k <= strokes; k++) {
        RbvVec3 p = rbv_add_scaled(from, k, step);
        points[count++] = p;
        points[count++] = rbv_add(p, out);
        points[count++] = p;
    }
    int32_t figure = rbv_draft_line(s, 0, points, count, false, false);
    s->role = role;
    return figure;
}

void rbv_draft_support(RbvDraft *s, int32_t marker) {
    if (rbv_draft_body(s, marker) != 0)
        return;
    RbvVec3 at = rbv_draft_at(s, marker), down = rbv_scale(-s->symbol, s->up), side = rbv_vec3(-down.y, down.x, 0),
            foot = rbv_add_scaled(at, 0.8, down);
    if (s->spatial) {
        RbvMat3 frame;
        RbvSceneRole role = s->role;
        s->role = RBV_SCENE_GROUND;
        if (rbv_frame_of_axes(s->up, rbv_vec3(1, 0, 0), &frame) || rbv_frame_of_axes(s->up, rbv_vec3(0, 1, 0), &frame))
            rbv_draft_box(s, 0, foot, rbv_quat_of_mat3(&frame),
                          rbv_vec3(1.4 * s->symbol, 1.4 * s->symbol, 0.1 * s->symbol));
        s->role = role;
        return;
    }
    const RbvVec3 triangle[3] = {at, rbv_add_scaled(foot, -0.5, side), rbv_add_scaled(foot, 0.5, side)};
    rbv_draft_line(s, 0, triangle, 3, true, false);
    rbv_draft_hatching(s, rbv_add_scaled(foot, -0.8, side), rbv_add_scaled(foot, 0.8, side),
                       rbv_scale(1 / s->symbol, down));
}
