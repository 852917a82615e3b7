/* Draws solids as seen: the hull of their points, and the edges that face the eye. */
#include "output/draw/drawing.h"

#include <stdlib.h>

/* Meshes of more triangles are drawn by their hull only. */
#define MOST_TRIANGLES 20000

static void spot(RbvDrawing *drawing, RbvVec3 p) {
    RbvSpot at = rbv_paper_at(&drawing->paper, p);
    rbv_strokes_point(&drawing->strokes, at.x, at.y);
}

/* Two unit axes normal to a unit axis and to each other. */
static void square_to(RbvVec3 axis, RbvVec3 *u, RbvVec3 *v) {
    RbvVec3 other = fabs(axis.x) < 0.6 ? (RbvVec3){1, 0, 0} : (RbvVec3){0, 1, 0};
    *u = rbv_cross(axis, other);
    *u = rbv_scale(1 / rbv_norm(*u), *u);
    *v = rbv_cross(axis, *u);
}

/* Draws a cylinder, or a cone if radius_to is 0 [m]; the end that faces the eye is drawn whole. */
static void draw_round(RbvDrawing *drawing, const RbvInk *ink, RbvVec3 from, RbvVec3 to, double radius,
                       double radius_to) {
    RbvVec3 axis = rbv_sub(to, from), u, v;
    double length = rbv_norm(axis);
    axis = length > 0 ? rbv_scale(1 / length, axis) : (RbvVec3){0, 0, 1};
    square_to(axis, &u, &v);
    rbv_drawing_arc(drawing, from, u, v, radius, 0, RBV_TWO_PI);
    rbv_drawing_arc(drawing, to, u, v, radius_to, 0, RBV_TWO_PI);
    rbv_drawing_hull(drawing);
    rbv_strokes_lines(&drawing->strokes, true, ink);
    bool far_end = rbv_dot(axis, drawing->paper.toward) > 0;
    RbvVec3 end = far_end ? to : from;
    double r = far_end ? radius_to : radius;
    if (r <= 0)
        return;
    RbvInk cap = *ink;
    cap.width *= 0.7;
    rbv_drawing_arc(drawing, end, u, v, r, 0, RBV_TWO_PI);
    rbv_strokes_lines(&drawing->strokes, true, &cap);
}

static void draw_box(RbvDrawing *drawing, const RbvInk *ink, const RbvPlace *place, const RbvSceneFigure *f) {
    static const int face[6][4] = {
        {0, 2, 6, 4}, {1, 5, 7, 3}, {0, 4, 5, 1},
        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 6, 7, 5}}; /* corner bit k: end along axis k; faces -x +x -y +y -z +z */
    RbvMat3 axes = rbv_place_axes(place, f->turn);
    RbvVec3 corner[8], middle = rbv_place_point(place, f->at);
    for (int k = 0; k < 8; k++)
        corner[k] = rbv_add(
            middle, rbv_apply(&axes, (RbvVec3){(k & 1 ? 0.5 : -0.5) * f->size[0], (k & 2 ? 0.5 : -0.5) * f->size[1],
                                               (k & 4 ? 0.5 : -0.5) * f->size[2]}));
    for (int k = 0; k < 6; k++) {
        RbvVec3 outward = rbv_scale(k % 2 ? 1 : -1, axes.column[k / 2]);
        if (rbv_dot(outward, drawing->paper.toward) <= 1e-9)
            continue;
        for (int n = 0; n < 4; n++)
            spot(drawing, corner[face[k][n]]);
        rbv_strokes_lines(&drawing->strokes, true, ink);
    }
}

/* Draws the triangles that face the eye, each at its own depth, darker the more they are turned away. */
static void draw_mesh(RbvDrawing *drawing, const RbvInk *ink, const RbvPlace *place, const RbvSceneFigure *f) {
    static const char *const shades[] = {"#b3c0ce", "#c0ccd9", "#cdd8e3", "#d9e2ec", "#e6edf4"};
    if (f->triangle_count > MOST_TRIANGLES || f->triangle_count == 0) {
        for (int32_t k = 0; k < f->count; k++)
            spot(drawing, rbv_place_point(place, &f->points[3 * k]));
        rbv_drawing_hull(drawing);
        rbv_strokes_lines(&drawing->strokes, true, ink);
        return;
    }
    for (int32_t k = 0; k < f->triangle_count; k++) {
        RbvVec3 p[3];
        for (int n = 0; n < 3; n++)
            p[n] = rbv_place_point(place, &f->points[3 * f->triangles[3 * k + n]]);
        RbvVec3 normal = rbv_cross(rbv_sub(p[1], p[0]), rbv_sub(p[2], p[0]));
        double facing = rbv_dot(normal, drawing->paper.toward) / rbv_norm(normal);
        if (!(facing > 0))
            continue;
        const char *shade = shades[(int)fmin(4, 5 * facing)];
        RbvInk face = {.stroke = shade, .fill = shade, .width = 0.4, .opacity = ink->opacity};
        drawing->strokes.depth = rbv_drawing_depth(
            drawing, rbv_dot(rbv_scale(1 / 3.0, rbv_add(p[0], rbv_add(p[1], p[2]))), drawing->paper.toward));
        for (int n = 0; n < 3; n++)
            spot(drawing, p[n]);
        rbv_strokes_lines(&drawing->strokes, true, &face);
    }
}

bool rbv_drawing_solid(RbvDrawing *drawing, const RbvSceneFigure *f) {
    const RbvPlace *place = &drawing->places[f->on[0]];
    RbvVec3 at = rbv_place_point(place, f->at);
    RbvInk ink = rbv_drawing_ink(drawing, f, 1);
    rbv_drawing_layer(drawing, f->role == RBV_SCENE_SYMBOL ? RBV_LAYER_SYMBOL : RBV_LAYER_BODY,
                      rbv_dot(at, drawing->paper.toward));
    if (f->kind == RBV_SCENE_BOX) {
        draw_box(drawing, &ink, place, f);
    } else if (f->kind == RBV_SCENE_MESH) {
        draw_mesh(drawing, &ink, place, f);
    } else if (f->kind == RBV_SCENE_SPHERE) {
        RbvSpot p = rbv_paper_at(&drawing->paper, at);
        rbv_strokes_circle(&drawing->strokes, p.x, p.y, f->radius * drawing->paper.scale, &ink);
    } else if (f->kind == RBV_SCENE_CYLINDER || f->kind == RBV_SCENE_CONE) {
        RbvVec3 to = rbv_place_point(place, f->to);
        drawing->strokes.depth = rbv_drawing_depth(drawing, rbv_dot(rbv_add(at, to), drawing->paper.toward) / 2);
        draw_round(drawing, &ink, at, to, f->radius, f->kind == RBV_SCENE_CONE ? 0 : f->radius);
    } else if (f->kind == RBV_SCENE_WHEEL && drawing->scene->spatial) {
        RbvMat3 axes = rbv_place_axes(place, f->turn);
        RbvVec3 half = rbv_scale(f->other / 2, axes.column[2]);
        draw_round(drawing, &ink, rbv_sub(at, half), rbv_add(at, half), f->radius, f->radius);
        rbv_strokes_point(&drawing->strokes, rbv_paper_at(&drawing->paper, rbv_add(at, half)).x,
                          rbv_paper_at(&drawing->paper, rbv_add(at, half)).y);
        spot(drawing, rbv_add(rbv_add(at, half), rbv_scale(f->radius, axes.column[0])));
        rbv_strokes_lines(&drawing->strokes, false, &ink);
    } else {
        return false;
    }
    return true;
}
