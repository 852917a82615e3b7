/* Draws figures: solids as seen in space; lines, circles, wheels of the plane, bars, springs, belts; arrows that show
 * where loads and drives act. */
#include "output/draw/drawing.h"
#include "output/draw/shapes.h"

#include <stdlib.h>

/* Draws solids as seen: the hull of their points, and the edges that face the eye. */

/* Meshes of more triangles are drawn by their hull only. */
#define MOST_TRIANGLES 20000

static void add_projected(RbvDrawing *drawing, RbvVec3 p) {
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
    static const double half[2] = {-0.5, 0.5};
    RbvMat3 axes = rbv_place_axes(place, f->turn);
    RbvVec3 corner[8], middle = rbv_place_point(place, f->at);
    for (int k = 0; k < 8; k++)
        corner[k] = rbv_add(middle, rbv_apply(&axes, (RbvVec3){half[k & 1] * f->size[0], half[k >> 1 & 1] * f->size[1],
                                                               half[k >> 2] * f->size[2]}));
    for (int k = 0; k < 6; k++) {
        RbvVec3 outward = rbv_scale(k % 2 ? 1 : -1, axes.column[k / 2]);
        if (rbv_dot(outward, drawing->paper.toward) <= 1e-9)
            continue;
        for (int n = 0; n < 4; n++)
            add_projected(drawing, corner[face[k][n]]);
        rbv_strokes_lines(&drawing->strokes, true, ink);
    }
}

/* Draws the triangles that face the eye, each at its own depth, darker the more they are turned away. */
static void draw_mesh(RbvDrawing *drawing, const RbvInk *ink, const RbvPlace *place, const RbvSceneFigure *f) {
    static const char *const shades[] = {"#b3c0ce", "#c0ccd9", "#cdd8e3", "#d9e2ec", "#e6edf4"};
    if (f->triangle_count > MOST_TRIANGLES || f->triangle_count == 0) {
        for (int32_t k = 0; k < f->count; k++)
            add_projected(drawing, rbv_place_point(place, &f->points[3 * k]));
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
            add_projected(drawing, p[n]);
        rbv_strokes_lines(&drawing->strokes, true, &face);
    }
}

/* Draws a solid: box, cylinder, cone, sphere, wheel in space, mesh. False: the figure is no solid. */
static bool draw_solid(RbvDrawing *drawing, const RbvSceneFigure *f) {
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
        add_projected(drawing, rbv_add(rbv_add(at, half), rbv_scale(f->radius, axes.column[0])));
        rbv_strokes_lines(&drawing->strokes, false, &ink);
    } else {
        return false;
    }
    return true;
}

/* Part of a spring's length that is straight, at each end. */
#define STRAIGHT 0.15
/* [px] Teeth closer than this cannot be distinguished: only the wheel's circles are drawn. */
#define LEAST_TOOTH 2.5
/* [px] */
#define LEAST_BAR 2.6
#define LEAST_ROD 3.6
#define MOST_ROD 9.0
/* Line segments of the round end of a bar. */
#define HALF_CIRCLE 12

static RbvVec3 figure_foot(const RbvDrawing *drawing, const RbvSceneFigure *f) {
    return rbv_place_point(&drawing->places[f->on[0]], f->at);
}

static RbvVec3 figure_end(const RbvDrawing *drawing, const RbvSceneFigure *f) {
    return rbv_place_point(&drawing->places[f->on[1]], f->to);
}

static double depth_of(const RbvDrawing *drawing, RbvVec3 p) {
    return rbv_dot(p, drawing->paper.toward);
}

static void add_point(RbvDrawing *drawing, double x, double y) {
    rbv_strokes_point(&drawing->strokes, x, y);
}

static RbvLayer layer_of(const RbvSceneFigure *f) {
    switch (f->role) {
    case RBV_SCENE_GROUND: return RBV_LAYER_GROUND;
    case RBV_SCENE_SYMBOL: return RBV_LAYER_SYMBOL;
    case RBV_SCENE_OF_LOAD:
    case RBV_SCENE_OF_DRIVE: return RBV_LAYER_TIE;
    default: return RBV_LAYER_BODY;
    }
}

static RbvVec3 line_points(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvVec3 middle = {0, 0, 0};
    for (int32_t k = 0; k < f->count; k++) {
        RbvVec3 p = rbv_place_point(&drawing->places[f->on[0]], &f->points[3 * k]);
        RbvSpot at = rbv_paper_at(&drawing->paper, p);
        add_point(drawing, at.x, at.y);
        middle = rbv_add_scaled(middle, 1.0 / f->count, p);
    }
    return middle;
}

/* Draws a line that represents a body as a rod: a wide line, with a narrower one inside that leaves its edges. */
static void draw_rod(RbvDrawing *drawing, const RbvSceneFigure *f) {
    double width = fmin(MOST_ROD, fmax(LEAST_ROD, 0.35 * drawing->scene->symbol * drawing->paper.scale));
    RbvInk edge = rbv_drawing_ink(drawing, f, 1), inside = edge;
    inside.stroke = edge.fill;
    inside.width = width - 2 * edge.width;
    edge.width = width;
    edge.fill = inside.fill = NULL;
    rbv_drawing_layer(drawing, layer_of(f), depth_of(drawing, line_points(drawing, f)));
    rbv_strokes_lines(&drawing->strokes, f->closed, &edge);
    line_points(drawing, f);
    rbv_strokes_lines(&drawing->strokes, f->closed, &inside);
}

static void draw_line(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvInk ink = rbv_drawing_ink(drawing, f, 1);
    bool body = f->role == RBV_SCENE_OUTLINE || f->role == RBV_SCENE_SUBSTANCE;
    if (body && !f->filled && !f->closed) {
        draw_rod(drawing, f);
        return;
    }
    if (!f->filled && !(f->closed && f->role == RBV_SCENE_SYMBOL))
        ink.fill = NULL;
    else if (f->filled && f->role == RBV_SCENE_SYMBOL)
        ink.fill = ink.stroke;
    bool below =
        f->role == RBV_SCENE_SYMBOL && f->closed; /* triangles, slots and sleeves lie below the circles of pins */
    rbv_drawing_layer(drawing, below ? RBV_LAYER_TIE : layer_of(f), depth_of(drawing, line_points(drawing, f)));
    rbv_strokes_lines(&drawing->strokes, f->closed, &ink);
}

static void draw_circle(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvInk ink = rbv_drawing_ink(drawing, f, 1);
    RbvVec3 at = figure_foot(drawing, f);
    RbvSpot p = rbv_paper_at(&drawing->paper, at);
    if (!f->filled && f->role != RBV_SCENE_SYMBOL)
        ink.fill = NULL;
    rbv_drawing_layer(drawing, layer_of(f), p.depth);
    if (!drawing->scene->spatial) {
        rbv_strokes_circle(&drawing->strokes, p.x, p.y, f->radius * drawing->paper.scale, &ink);
        return;
    }
    RbvMat3 axes = rbv_place_axes(&drawing->places[f->on[0]], f->turn);
    rbv_drawing_arc(drawing, at, axes.column[0], axes.column[1], f->radius, 0, RBV_TWO_PI);
    rbv_strokes_lines(&drawing->strokes, true, &ink);
}

static void tooth_points(RbvDrawing *drawing, RbvSpot at, double turn, const RbvSceneFigure *f) {
    double px = drawing->paper.scale;
    for (int32_t k = 0; k < 4 * f->count; k++) {
        double angle, r = rbv_tooth_corner(f, k / 4, k % 4, &angle);
        add_point(drawing, at.x + px * r * cos(turn + angle), at.y - px * r * sin(turn + angle));
    }
}

/* Draws a wheel in the plane: teeth or a rim, the pitch circle dash-dotted, and a radial line that shows its angle. */
static void draw_wheel(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvInk ink = rbv_drawing_ink(drawing, f, 1), thin = ink;
    RbvMat3 axes = rbv_place_axes(&drawing->places[f->on[0]], f->turn);
    RbvSpot at = rbv_paper_at(&drawing->paper, figure_foot(drawing, f));
    double turn = atan2(axes.column[0].y, axes.column[0].x), r = f->radius * drawing->paper.scale;
    bool toothed = f->count > 0 && RBV_TWO_PI * r / f->count >= LEAST_TOOTH;
    thin.fill = NULL, thin.width *= 0.6;
    rbv_drawing_layer(drawing, RBV_LAYER_BODY, 0);
    if (f->internal) {
        ink.fill = NULL;
        rbv_strokes_circle(&drawing->strokes, at.x, at.y, RBV_RIM * r, &ink);
    }
    if (toothed) {
        tooth_points(drawing, at, turn, f);
        rbv_strokes_lines(&drawing->strokes, true, &ink);
    }
    RbvInk pitch = toothed ? thin : ink;
    pitch.dash = f->count > 0 ? RBV_DASH_DOT : RBV_DASH_NONE;
    rbv_strokes_circle(&drawing->strokes, at.x, at.y, r, &pitch);
    double inner = f->internal ? 1.0 : 0.25;
    double outer = f->internal ? RBV_RIM : 0.9;
    add_point(drawing, at.x + inner * r * cos(turn), at.y - inner * r * sin(turn));
    add_point(drawing, at.x + outer * r * cos(turn), at.y - outer * r * sin(turn));
    rbv_strokes_lines(&drawing->strokes, false, &thin);
}

/* Does the figure belong to an item of this kind? */
static bool is_of(const RbvDrawing *drawing, const RbvSceneFigure *f, RbvSceneItemKind kind) {
    return f->of >= 0 && drawing->scene->items[f->of].kind == kind;
}

/* Draws a dashed line between two points that a constraint relates. */
static void draw_tie(RbvDrawing *drawing, RbvSpot p, RbvSpot q, RbvInk ink) {
    ink.fill = NULL;
    ink.dash = RBV_DASH_LONG;
    add_point(drawing, p.x, p.y);
    add_point(drawing, q.x, q.y);
    rbv_drawing_layer(drawing, RBV_LAYER_TIE, (p.depth + q.depth) / 2);
    rbv_strokes_lines(&drawing->strokes, false, &ink);
}

/* Draws a rounded bar: two half circles and the lines that join them; for a constraint a dashed line. */
static void draw_bar(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvVec3 a = figure_foot(drawing, f), b = figure_end(drawing, f);
    RbvSpot p = rbv_paper_at(&drawing->paper, a), q = rbv_paper_at(&drawing->paper, b);
    double r = fmax(f->radius * drawing->paper.scale, LEAST_BAR / 2), along = atan2(q.y - p.y, q.x - p.x);
    RbvInk ink = rbv_drawing_ink(drawing, f, 1);
    if (is_of(drawing, f, RBV_SCENE_CONSTRAINT)) {
        draw_tie(drawing, p, q, ink);
        return;
    }
    for (int side = 0; side < 2; side++)
        for (int k = 0; k <= HALF_CIRCLE; k++) {
            double angle = along + RBV_TWO_PI * (0.25 + 0.5 * side + 0.5 * k / HALF_CIRCLE);
            RbvSpot middle = side == 0 ? p : q;
            add_point(drawing, middle.x + r * cos(angle), middle.y + r * sin(angle));
        }
    rbv_drawing_layer(drawing, f->role == RBV_SCENE_SYMBOL ? RBV_LAYER_TIE : layer_of(f), (p.depth + q.depth) / 2);
    rbv_strokes_lines(&drawing->strokes, true, &ink);
}

/* A frame along the line between two points of paper [px]: start, unit direction, length. */
typedef struct Along {
    double x, y, ux, uy, length;
} Along;

static Along along_of(RbvSpot p, RbvSpot q) {
    double length = hypot(q.x - p.x, q.y - p.y);
    if (!(length > 0))
        return (Along){p.x, p.y, 1, 0, length};
    return (Along){p.x, p.y, (q.x - p.x) / length, (q.y - p.y) / length, length};
}

static void along_point(RbvDrawing *drawing, const Along *a, double s, double across) {
    add_point(drawing, a->x + s * a->ux - across * a->uy, a->y + s * a->uy + across * a->ux);
}

/* Draws a spring: a zigzag of f->count turns (default 6), straight at both ends. */
static void draw_coil(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvSpot p = rbv_paper_at(&drawing->paper, figure_foot(drawing, f)),
            q = rbv_paper_at(&drawing->paper, figure_end(drawing, f));
    Along a = along_of(p, q);
    int turns = f->count > 0 ? f->count : 6;
    double straight = STRAIGHT * a.length, step = (a.length - 2 * straight) / (2 * turns),
           r = f->radius * drawing->paper.scale;
    RbvInk ink = rbv_drawing_ink(drawing, f, 1);
    ink.fill = NULL;
    along_point(drawing, &a, 0, 0);
    along_point(drawing, &a, straight, 0);
    for (int k = 0; k < 2 * turns; k++)
        along_point(drawing, &a, straight + (k + 0.5) * step, k % 2 ? -r : r);
    along_point(drawing, &a, a.length - straight, 0);
    along_point(drawing, &a, a.length, 0);
    rbv_drawing_layer(drawing, RBV_LAYER_TIE, (p.depth + q.depth) / 2);
    rbv_strokes_lines(&drawing->strokes, false, &ink);
}

/* Draws a damper: a cup open towards the second point, a piston with its rod. */
static void draw_damper(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvSpot p = rbv_paper_at(&drawing->paper, figure_foot(drawing, f)),
            q = rbv_paper_at(&drawing->paper, figure_end(drawing, f));
    Along a = along_of(p, q);
    double r = f->radius * drawing->paper.scale, cup = 0.3 * a.length, rim = 0.7 * a.length, piston = 0.5 * a.length;
    RbvInk ink = rbv_drawing_ink(drawing, f, 1), bold = rbv_drawing_ink(drawing, f, 2);
    ink.fill = bold.fill = NULL;
    rbv_drawing_layer(drawing, RBV_LAYER_TIE, (p.depth + q.depth) / 2);
    along_point(drawing, &a, 0, 0);
    along_point(drawing, &a, cup, 0);
    rbv_strokes_lines(&drawing->strokes, false, &ink);
    along_point(drawing, &a, rim, -r);
    along_point(drawing, &a, cup, -r);
    along_point(drawing, &a, cup, r);
    along_point(drawing, &a, rim, r);
    rbv_strokes_lines(&drawing->strokes, false, &ink);
    along_point(drawing, &a, piston, -0.8 * r);
    along_point(drawing, &a, piston, 0.8 * r);
    rbv_strokes_lines(&drawing->strokes, false, &bold);
    along_point(drawing, &a, piston, 0);
    along_point(drawing, &a, a.length, 0);
    rbv_strokes_lines(&drawing->strokes, false, &ink);
}

/* Draws the two straight strands of a belt: lines tangent to both circles, in the plane of the first wheel. d: distance
 * of the centres; e: unit vector along it; n: unit vector normal to e. The strand on side s = -1, 1 touches both
 * circles in the direction
 *
 *   c e + s sqrt(1 - c^2) n,   c = (r1 - r2)/d
 * of a crossed belt, c = (r1 + r2)/d, and the second circle is touched in the opposite direction. */
static void draw_strand(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvVec3 p = figure_foot(drawing, f), q = figure_end(drawing, f);
    RbvMat3 axes = rbv_place_axes(&drawing->places[f->on[0]], f->turn);
    RbvVec3 e = rbv_sub(q, p);
    e = rbv_add_scaled(e, -rbv_dot(e, axes.column[2]), axes.column[2]);
    double d = rbv_norm(e), sense = f->crossed ? -1 : 1, c = (f->radius - sense * f->other) / d;
    RbvInk ink = rbv_drawing_ink(drawing, f, 1.2);
    ink.fill = NULL;
    if (!(d > 0 && fabs(c) < 1))
        return;
    e = rbv_scale(1 / d, e);
    RbvVec3 n = rbv_cross(axes.column[2], e);
    rbv_drawing_layer(drawing, RBV_LAYER_TIE, (depth_of(drawing, p) + depth_of(drawing, q)) / 2);
    for (int side = -1; side <= 1; side += 2) {
        RbvVec3 touch = rbv_add(rbv_scale(c, e), rbv_scale(side * sqrt(1 - c * c), n));
        RbvSpot a = rbv_paper_at(&drawing->paper, rbv_add_scaled(p, f->radius, touch)),
                b = rbv_paper_at(&drawing->paper, rbv_add_scaled(q, sense * f->other, touch));
        add_point(drawing, a.x, a.y);
        add_point(drawing, b.x, b.y);
        rbv_strokes_lines(&drawing->strokes, false, &ink);
    }
}

static void draw_symbol_arrow(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvInk ink = rbv_drawing_ink(drawing, f, 1.2);
    RbvVec3 at = figure_foot(drawing, f),
            axis = rbv_apply(&drawing->places[f->on[1]].A, (RbvVec3){f->axis[0], f->axis[1], f->axis[2]});
    double length = 2.2 * drawing->scene->symbol;
    if (is_of(drawing, f, RBV_SCENE_STOP)) /* the force of a stop has an arrow of its own */
        return;
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, depth_of(drawing, at));
    if (f->kind == RBV_SCENE_TURNING)
        rbv_drawing_turning(drawing, at, axis, 0.8 * drawing->scene->symbol, &ink);
    else
        rbv_drawing_arrow(drawing, rbv_paper_at(&drawing->paper, at),
                          rbv_paper_at(&drawing->paper, rbv_add_scaled(at, length, axis)), &ink);
}

/* Distance of a figure's front from its middle [m]: a sleeve hides its contents, a worm does not hide its thread. */
static double front_of(const RbvSceneFigure *f, double symbol) {
    switch (f->kind) {
    case RBV_SCENE_BOX: return 0.5 * fmin(f->size[0], fmin(f->size[1], f->size[2]));
    case RBV_SCENE_SPHERE: return f->radius;
    case RBV_SCENE_CYLINDER: return fmin(f->radius, symbol);
    default: return f->kind == RBV_SCENE_LINE && !f->closed ? 1.1 * symbol : 0;
    }
}

void rbv_drawing_figure(RbvDrawing *drawing, const RbvSceneFigure *f) {
    const RbvScene *scene = drawing->scene;
    drawing->strokes.name = rbv_figure_name(scene, f);
    drawing->nearer = f->role == RBV_SCENE_SYMBOL ? scene->symbol + front_of(f, scene->symbol) : 0;
    if (draw_solid(drawing, f))
        return;
    switch (f->kind) {
    case RBV_SCENE_LINE: draw_line(drawing, f); break;
    case RBV_SCENE_CIRCLE: draw_circle(drawing, f); break;
    case RBV_SCENE_WHEEL: draw_wheel(drawing, f); break;
    case RBV_SCENE_BAR: draw_bar(drawing, f); break;
    case RBV_SCENE_COIL: draw_coil(drawing, f); break;
    case RBV_SCENE_DAMPER: draw_damper(drawing, f); break;
    case RBV_SCENE_STRAND: draw_strand(drawing, f); break;
    default: draw_symbol_arrow(drawing, f);
    }
}

void rbv_see_figure(RbvDrawing *drawing, const RbvSceneFigure *f) {
    RbvPaper *paper = &drawing->paper;
    double around = f->kind == RBV_SCENE_BOX
                        ? 0.5 * sqrt(f->size[0] * f->size[0] + f->size[1] * f->size[1] + f->size[2] * f->size[2])
                        : f->radius;
    if (is_of(drawing, f, RBV_SCENE_STOP) && (f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING))
        return;
    if (f->kind == RBV_SCENE_ARROW || f->kind == RBV_SCENE_TURNING)
        around = 2.2 * drawing->scene->symbol;
    if (f->kind == RBV_SCENE_WHEEL)
        around = f->count > 0 ? f->radius * (1 + 2 * RBV_ADDENDUM / f->count) : f->radius;
    if (f->kind == RBV_SCENE_WHEEL && f->internal)
        around = RBV_RIM * f->radius;
    if (f->kind == RBV_SCENE_LINE || f->kind == RBV_SCENE_MESH) {
        for (int32_t k = 0; k < f->count; k++)
            rbv_paper_see(paper, rbv_place_point(&drawing->places[f->on[0]], &f->points[3 * k]), 0);
        return;
    }
    rbv_paper_see(paper, figure_foot(drawing, f), around);
    if (f->kind == RBV_SCENE_CYLINDER || f->kind == RBV_SCENE_CONE || f->kind == RBV_SCENE_BAR ||
        f->kind == RBV_SCENE_COIL || f->kind == RBV_SCENE_DAMPER)
        rbv_paper_see(paper, figure_end(drawing, f), f->radius);
    if (f->kind == RBV_SCENE_STRAND)
        rbv_paper_see(paper, figure_end(drawing, f), f->other);
}
