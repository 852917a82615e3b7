/* The paper of a drawing, and the parts that all figures are drawn with: layers, inks, arcs, hulls. */
#include "output/draw/drawing.h"

#include "output/draw/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parallel projection of points of the mechanism to paper, and poses of the bodies at one sample. */

/* [rad] Oblique view from above: azimuth from the front, and elevation. No axis hides another, and no two are
 * foreshortened alike. */
#define ROUND (-55 * 0.017453292519943295)
#define ABOVE (22 * 0.017453292519943295)

static RbvVec3 unit_vector(RbvVec3 a) {
    return rbv_scale(1 / rbv_norm(a), a);
}

RbvPaper rbv_paper_of(const RbvScene *scene, RbvViewpoint viewpoint) {
    RbvPaper paper = {.right = {1, 0, 0},
                      .up = {0, 1, 0},
                      .toward = {0, 0, 1},
                      .low = {INFINITY, INFINITY},
                      .high = {-INFINITY, -INFINITY},
                      .scale = 1};
    if (!scene->spatial)
        return paper;
    RbvVec3 up = {scene->up[0], scene->up[1], scene->up[2]},
            x = fabs(up.x) < 0.9 ? (RbvVec3){1, 0, 0} : (RbvVec3){0, 1, 0};
    RbvVec3 front = unit_vector(rbv_add_scaled(x, -rbv_dot(x, up), up)),
            side = rbv_cross(up, front); /* x normal to up; y */
    switch (viewpoint) {
    case RBV_VIEW_OBLIQUE:
        paper.toward =
            rbv_add(rbv_scale(cos(ABOVE), rbv_add(rbv_scale(cos(ROUND), front), rbv_scale(sin(ROUND), side))),
                    rbv_scale(sin(ABOVE), up));
        break;
    case RBV_VIEW_FRONT: paper.toward = rbv_scale(-1, side); break;
    case RBV_VIEW_SIDE: paper.toward = front; break;
    case RBV_VIEW_TOP: paper.toward = up; break;
    }
    if (viewpoint == RBV_VIEW_TOP)
        paper.up = side;
    else
        paper.up = unit_vector(rbv_add_scaled(up, -rbv_dot(up, paper.toward), paper.toward));
    paper.right = rbv_cross(paper.up, paper.toward);
    return paper;
}

void rbv_paper_see(RbvPaper *paper, RbvVec3 point, double around) {
    double at[2] = {rbv_dot(paper->right, point), rbv_dot(paper->up, point)};
    for (int k = 0; k < 2; k++) {
        paper->low[k] = fmin(paper->low[k], at[k] - around);
        paper->high[k] = fmax(paper->high[k], at[k] + around);
    }
}

void rbv_paper_fit(RbvPaper *paper, double width, double height, const double margin[2]) {
    double wide = paper->high[0] - paper->low[0], tall = paper->high[1] - paper->low[1];
    if (!(wide >= 0 && isfinite(wide + tall)))
        *paper->low = *paper->high = paper->low[1] = paper->high[1] = wide = tall = 0;
    double scale = fmin((width - 2 * margin[0]) / wide, (height - 2 * margin[1]) / tall);
    paper->scale = isfinite(scale) && scale > 0 ? scale : 1;
    paper->x = width / 2 - paper->scale * (paper->low[0] + paper->high[0]) / 2;
    paper->y = height / 2 + paper->scale * (paper->low[1] + paper->high[1]) / 2;
}

void rbv_places_at(const RbvResult *result, int32_t sample, RbvPlace *places) {
    const RbvScene *scene = rbv_result_scene(result);
    for (int32_t b = 0; b < scene->body_count; b++) {
        double at[3] = {0}, turn[4] = {1, 0, 0, 0};
        rbv_result_pose(result, sample, b, at, turn);
        places[b] = (RbvPlace){rbv_vec3_at(at), rbv_mat3_of_quat(rbv_quat_at(turn))};
    }
}

RbvMat3 rbv_place_axes(const RbvPlace *place, const double turn[4]) {
    RbvMat3 own = rbv_mat3_of_quat(rbv_quat_at(turn));
    return rbv_mat3_product(&place->A, &own);
}

/* Points of a full circle: the distance of a chord from the circle is r (1 - cos(pi/48)), 0.2 % of the radius. */
#define CIRCLE_POINTS 48
/* Depths are rounded to this part of the mechanism's size, so that rounding does not decide which stroke lies in front.
 */
#define EQUAL 1e-6

double rbv_drawing_depth(const RbvDrawing *drawing, double depth) {
    double step = EQUAL * drawing->scene->size;
    return step > 0 ? step * round((depth + drawing->nearer) / step) : 0;
}

void rbv_drawing_layer(RbvDrawing *drawing, RbvLayer layer, double depth) {
    bool solid = drawing->scene->spatial && layer > RBV_LAYER_GROUND && layer < RBV_LAYER_ARROW;
    if (solid)
        layer = RBV_LAYER_BODY;
    drawing->strokes.layer = drawing->faint ? RBV_LAYER_EARLIER : layer;
    drawing->strokes.depth = drawing->scene->spatial ? rbv_drawing_depth(drawing, depth) : 0;
}

RbvInk rbv_drawing_ink(const RbvDrawing *drawing, const RbvSceneFigure *figure, double thick) {
    static const RbvInk of_role[] = {
        [RBV_SCENE_SUBSTANCE] = {.stroke = "#33475b", .fill = "#dde5ee", .width = 1.1},
        [RBV_SCENE_VOID] = {.stroke = "#33475b", .fill = "#ffffff", .width = 0.9},
        [RBV_SCENE_OUTLINE] = {.stroke = "#33475b", .fill = "#e8eef5", .width = 1.1},
        [RBV_SCENE_SYMBOL] = {.stroke = "#1c1c1c", .fill = "#ffffff", .width = 1.2},
        [RBV_SCENE_GROUND] = {.stroke = "#555555", .fill = "#f0f0f0", .width = 0.9},
        [RBV_SCENE_OF_LOAD] = {.stroke = "#7a4b00", .fill = "#fff6e5", .width = 1.2},
        [RBV_SCENE_OF_DRIVE] = {.stroke = "#006b4f", .fill = "#e5f5f0", .width = 1.4},
    };
    RbvInk ink = of_role[figure->role];
    ink.width *= thick;
    if (drawing->faint)
        ink.opacity = 0.28;
    return ink;
}

const RbvInk *rbv_verdict_ink(RbvVerdict verdict) {
    static const RbvInk inks[] = {
        [RBV_FREE] = {.stroke = "#777777", .fill = "#777777", .width = 1},
        [RBV_UNIQUE] = {.stroke = "#0072b2", .fill = "#0072b2", .width = 1.9},
        [RBV_COMPLIANCE] = {.stroke = "#2f8fc4", .fill = "#2f8fc4", .width = 1.9, .dash = RBV_DASH_DOT},
        [RBV_UNSURE] = {.stroke = "#b87800", .fill = "#b87800", .width = 1.9, .dash = RBV_DASH_POINTS},
        [RBV_NOT_UNIQUE] = {.stroke = "#d55e00", .fill = "#ffffff", .width = 1.9, .dash = RBV_DASH_LONG},
    };
    return &inks[verdict];
}

/* Loads are prescribed, not computed: thinner, grey, and their arrows end at the point of application. */
const RbvInk *rbv_load_ink(void) {
    static const RbvInk ink = {.stroke = "#5a4a3c", .fill = "#5a4a3c", .width = 1.2};
    return &ink;
}

void rbv_drawing_arc(RbvDrawing *drawing, RbvVec3 at, RbvVec3 u, RbvVec3 v, double r, double a, double b) {
    int pieces = (int)fmax(4, ceil(CIRCLE_POINTS * fabs(b - a) / RBV_TWO_PI));
    bool whole = fabs(b - a) > RBV_TWO_PI - 1e-9;
    for (int k = 0; k < (whole ? pieces : pieces + 1); k++) {
        double angle = a + (b - a) * k / pieces;
        RbvSpot p = rbv_paper_at(&drawing->paper,
                                 rbv_add(at, rbv_add(rbv_scale(r * cos(angle), u), rbv_scale(r * sin(angle), v))));
        rbv_strokes_point(&drawing->strokes, p.x, p.y);
    }
}

static int by_place(const void *left, const void *right) {
    const double *a = left, *b = right;
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]) ? -1 : 1;
}

/* Twice the signed area of the triangle o, a, b. */
static double doubled_area(const double *o, const double *a, const double *b) {
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* Convex hull by Andrew's monotone chain: sorted points, once along the lower and once along the upper side. */
void rbv_drawing_hull(RbvDrawing *drawing) {
    RbvStrokes *s = &drawing->strokes;
    const RbvStroke *last = s->count ? &s->items[s->count - 1] : NULL;
    int32_t first = last ? last->first + last->count : 0, count = s->point_count - first, kept = 0;
    if (count < 3 || s->no_memory)
        return;
    double(*hull)[2] = malloc(2 * (size_t)count * sizeof *hull), (*p)[2] = &s->point[first];
    if (!hull) {
        s->no_memory = true;
        return;
    }
    qsort(p, (size_t)count, sizeof *p, by_place);
    for (int side = 0; side < 2; side++) {
        int32_t base = kept + 1;
        for (int32_t k = 0; k < count; k++) {
            const double *next = p[side == 0 ? k : count - 1 - k];
            while (kept > base && doubled_area(hull[kept - 2], hull[kept - 1], next) <= 0)
                kept--;
            memcpy(hull[kept++], next, sizeof *hull);
        }
        kept--; /* the last point is the first of the other side */
    }
    memcpy(p, hull, (size_t)kept * sizeof *hull);
    s->point_count = first + kept;
    free(hull);
}

void rbv_drawing_report(RbvDrawing *drawing, const char *text) {
    if (drawing->sentence_count < RBV_SENTENCES)
        snprintf(drawing->sentences[drawing->sentence_count++], RBV_SENTENCE_SIZE, "%s", text);
}
