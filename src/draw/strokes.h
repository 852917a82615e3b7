/* What is to be drawn, gathered before it is: each stroke in its layer and, within it, from far to near. */
#ifndef RBV_DRAW_STROKES_H
#define RBV_DRAW_STROKES_H

#include "draw/pen.h"

/* From the bottom to the top of the sheet. */
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
    double depth;         /* towards the eye [m]; the same in the plane */
    int32_t order;        /* as they came: what comes later lies above what has the same depth */
    int32_t first, count; /* points; of a circle one, of words one */
    double radius;        /* [px] of a circle; 0: lines */
    const char *words;    /* NULL: none. They live as long as the drawing */
    const char *name;     /* what it belongs to; NULL: nothing */
    bool closed;
    RbvInk ink;
    RbvLettering lettering;
} RbvStroke;

typedef struct RbvStrokes {
    RbvStroke *items;
    int32_t count, capacity;
    double (*point)[2]; /* [px] */
    int32_t point_count, point_capacity;
    RbvLayer layer; /* of what comes now */
    double depth;
    const char *name;
    bool no_memory;
} RbvStrokes;

/* A point of the stroke that is being made; then the stroke of all points since the last one. */
void rbv_strokes_point(RbvStrokes *strokes, double x, double y);
void rbv_strokes_lines(RbvStrokes *strokes, bool closed, const RbvInk *ink);
void rbv_strokes_circle(RbvStrokes *strokes, double x, double y, double radius, const RbvInk *ink);
void rbv_strokes_words(RbvStrokes *strokes, double x, double y, const char *words, const RbvLettering *lettering);

/* What all of them cover [px]; false: there is none. Then all of them moved. */
bool rbv_strokes_bounds(const RbvStrokes *strokes, RbvFrame *frame);
void rbv_strokes_shift(RbvStrokes *strokes, double x, double y);
/* All of them, sorted, onto the sheet. */
void rbv_strokes_draw(RbvStrokes *strokes, RbvPen *pen);
void rbv_strokes_clear(RbvStrokes *strokes);

#endif
