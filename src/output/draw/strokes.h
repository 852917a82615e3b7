/* Collects strokes and draws them by layer and, within a layer, from far to near. */
#ifndef RBV_OUTPUT_DRAW_STROKES_H
#define RBV_OUTPUT_DRAW_STROKES_H

#include "output/draw/pen.h"

/* Layers from the bottom to the top of the sheet. */
typedef enum RbvLayer {
    RBV_LAYER_EARLIER,
    RBV_LAYER_GROUND,
    RBV_LAYER_BODY,
    RBV_LAYER_TIE,
    RBV_LAYER_SYMBOL,
    RBV_LAYER_ARROW,
    RBV_LAYER_WORDS
} RbvLayer;

typedef struct RbvStroke {
    RbvLayer layer;
    double depth;         /* towards the eye [m]; equal for all strokes in the plane */
    int32_t order;        /* number of the stroke; of two with equal layer and depth the later one lies on top */
    int32_t first, count; /* range of points; a circle and words have one */
    double radius;        /* radius of a circle [px]; 0: lines */
    const char *words;    /* text; NULL: none. Must live as long as the drawing */
    const char *name;     /* name of the item it belongs to; NULL: none */
    bool closed;
    RbvInk ink;
    RbvLettering lettering;
} RbvStroke;

typedef struct RbvStrokes {
    RbvStroke *items;
    int32_t count, capacity;
    double (*point)[2]; /* [point_count] points of all strokes [px] */
    int32_t point_count, point_capacity;
    RbvLayer layer; /* layer, depth [m] and name of the strokes that follow */
    double depth;
    const char *name;
    bool no_memory;
} RbvStrokes;

/* rbv_strokes_point adds a point [px]; the other functions make a stroke. rbv_strokes_lines makes it of all points
 * since the last stroke. */
void rbv_strokes_point(RbvStrokes *strokes, double x, double y);
void rbv_strokes_lines(RbvStrokes *strokes, bool closed, const RbvInk *ink);
void rbv_strokes_circle(RbvStrokes *strokes, double x, double y, double radius, const RbvInk *ink);
void rbv_strokes_words(RbvStrokes *strokes, double x, double y, const char *words, const RbvLettering *lettering);

/* Box that all strokes cover [px]; false if there is none. rbv_strokes_shift moves all strokes by x, y [px]. */
bool rbv_strokes_bounds(const RbvStrokes *strokes, RbvFrame *frame);
void rbv_strokes_shift(RbvStrokes *strokes, double x, double y);
/* Sorts all strokes and draws them on the sheet. */
void rbv_strokes_draw(RbvStrokes *strokes, RbvPen *pen);
void rbv_strokes_clear(RbvStrokes *strokes);

#endif
