/* Strokes on paper: SVG. Paper is measured in px, x to the right, y down. Texts that come from a model are written as
 * text, whatever is in them. */
#ifndef RBV_DRAW_PEN_H
#define RBV_DRAW_PEN_H

#include "base/text.h"

#include <stdint.h>

typedef enum RbvDash { RBV_DASH_NONE, RBV_DASH_LONG, RBV_DASH_DOT, RBV_DASH_POINTS } RbvDash;

/* Colours are "#rrggbb"; NULL: none. */
typedef struct RbvInk {
    const char *stroke, *fill;
    double width;   /* [px] */
    double opacity; /* 0 (as in an initializer that leaves it out): 1 */
    RbvDash dash;
} RbvInk;

typedef enum RbvAnchor { RBV_ANCHOR_START, RBV_ANCHOR_MIDDLE, RBV_ANCHOR_END } RbvAnchor;

typedef struct RbvPen {
    RbvText text;
} RbvPen;

/* An empty, white sheet; `title` is its name for those who do not see it. */
void rbv_pen_begin(RbvPen *pen, double width, double height, const char *title);
/* The SVG, to be freed by the caller; NULL: no memory. */
char *rbv_pen_end(RbvPen *pen);

/* What stands between belongs together: a class for styles, and what it is (shown by viewers under the pointer; NULL:
 * nothing). */
void rbv_pen_open(RbvPen *pen, const char *kind, const char *name);
void rbv_pen_close(RbvPen *pen);

void rbv_pen_lines(RbvPen *pen, int32_t count, const double (*point)[2], bool closed, const RbvInk *ink);
void rbv_pen_circle(RbvPen *pen, double x, double y, double radius, const RbvInk *ink);
void rbv_pen_box(RbvPen *pen, double x, double y, double width, double height, const RbvInk *ink);
/* `size` [px]; turned by 90 degrees, to be read from below, where `upright`. */
typedef struct RbvLettering {
    double size;
    RbvAnchor anchor;
    const char *colour; /* NULL: black */
    bool bold, upright;
    bool bordered; /* by white, to be read above lines */
} RbvLettering;
/* What words cover, about: letters are taken as of one width. */
typedef struct RbvFrame {
    double low[2], high[2];
} RbvFrame;
RbvFrame rbv_words_frame(double x, double y, const char *words, const RbvLettering *lettering);
void rbv_pen_text(RbvPen *pen, double x, double y, const char *words, const RbvLettering *lettering);

/* A path in pieces: begin, then a new piece (lift) or a line to a point, and end. */
void rbv_pen_path_begin(RbvPen *pen);
void rbv_pen_path_to(RbvPen *pen, double x, double y, bool lift);
void rbv_pen_path_end(RbvPen *pen, const RbvInk *ink);

#endif
