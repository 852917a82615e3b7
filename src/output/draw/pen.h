/* Writes SVG: a pen, strokes that are sorted before they are drawn, ticks of axes. Paper coordinates are in px, x to
 * the right, y down. Texts of a model are escaped, whatever they contain. */
#ifndef RBV_OUTPUT_DRAW_PEN_H
#define RBV_OUTPUT_DRAW_PEN_H

#include "core/base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum RbvDash { RBV_DASH_NONE, RBV_DASH_LONG, RBV_DASH_DOT, RBV_DASH_POINTS } RbvDash;

/* Colours are "#rrggbb"; NULL: none. */
typedef struct RbvInk {
    const char *stroke, *fill;
    double width;   /* [px] */
    double opacity; /* 0 to 1; 0 (left out of an initializer) means 1 */
    RbvDash dash;
} RbvInk;

typedef enum RbvAnchor { RBV_ANCHOR_START, RBV_ANCHOR_MIDDLE, RBV_ANCHOR_END } RbvAnchor;

typedef struct RbvPen {
    RbvText text;
} RbvPen;

/* Begins an empty, white sheet of width x height [px]; `title` is its name for users who do not see it. */
void rbv_pen_begin(RbvPen *pen, double width, double height, const char *title);
/* Ends the sheet and returns the SVG, to be freed by the caller; NULL: out of memory. */
char *rbv_pen_end(RbvPen *pen);

/* Group of strokes between open and close: kind is its class for styles, name its title (viewers show it under the
 * pointer; NULL: none). */
void rbv_pen_open(RbvPen *pen, const char *kind, const char *name);
void rbv_pen_close(RbvPen *pen);

/* Lines through points [px], a circle, a rectangle with its upper left corner at x, y. */
void rbv_pen_lines(RbvPen *pen, int32_t count, const double (*point)[2], bool closed, const RbvInk *ink);
void rbv_pen_circle(RbvPen *pen, double x, double y, double radius, const RbvInk *ink);
void rbv_pen_box(RbvPen *pen, double x, double y, double width, double height, const RbvInk *ink);
/* Style of words: height of the letters `size` [px]; upright: turned by 90 degrees, read from below upwards. */
typedef struct RbvLettering {
    double size;
    RbvAnchor anchor;
    const char *colour; /* NULL: black */
    bool bold, upright;
    bool bordered; /* with a white border, to be legible above lines */
} RbvLettering;
/* Box [px] that words cover, approximately: all letters are taken as of one width. */
typedef struct RbvFrame {
    double low[2], high[2];
} RbvFrame;
RbvFrame rbv_words_frame(double x, double y, const char *words, const RbvLettering *lettering);
void rbv_pen_text(RbvPen *pen, double x, double y, const char *words, const RbvLettering *lettering);

/* A path in pieces: begin; then for each point a line to it, or (lift) the start of a new piece; then end. */
void rbv_pen_path_begin(RbvPen *pen);
void rbv_pen_path_to(RbvPen *pen, double x, double y, bool lift);
void rbv_pen_path_end(RbvPen *pen, const RbvInk *ink);

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

/* Round ticks on an axis, and the text of numbers and units beside them. */
#define RBV_TICKS 24

typedef struct RbvTicks {
    double at[RBV_TICKS];
    int count;
} RbvTicks;

/* About `most` ticks from below `low` to above `high`, 1, 2 or 5 times a power of ten apart (degrees: 15, 30, 45, 60,
 * 90). If low equals high, the axis has space on both sides. */
RbvTicks rbv_ticks(double low, double high, int most, bool degrees);

/* Factor and prefixed unit that keep numbers short: 12000 N are shown as 12 kN, 0.02 m as 20 mm; 1 for units that take
 * no such prefix. The unit is written to text[size]. */
double rbv_prefix(double largest, const char *unit, char *text, size_t size);

/* A number with six digits and a typographic minus; 0 if it is rounding relative to `step`. Writes text[size], size
 * >= 32. */
void rbv_tick_text(double value, double step, char *text, size_t size);

#endif
