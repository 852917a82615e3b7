/* Common parts of a drawing; see drawing.h. */
#include "output/draw/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    drawing->strokes.layer = drawing->faint ? RBV_LAYER_EARLIER : solid ? RBV_LAYER_BODY : layer;
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
static double area(const double *o, const double *a, const double *b) {
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
            while (kept > base && area(hull[kept - 2], hull[kept - 1], next) <= 0)
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
    if (drawing->said_count < RBV_SAID)
        snprintf(drawing->said[drawing->said_count++], RBV_SAID_SIZE, "%s", text);
}
