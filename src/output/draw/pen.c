/* Writes SVG 1.1 with few elements: paths, circles, boxes, texts, groups. Strokes are collected and drawn by layer and,
 * within a layer, from far to near. */
#define _POSIX_C_SOURCE 200809L /* strnlen */
#include "output/draw/pen.h"

#include "core/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Average width of a letter in sizes of the lettering. */
#define LETTER 0.6

/* Writes a number to a hundredth of a px, less than any screen or printer shows. */
static void add_number(RbvPen *pen, double value) {
    double rounded = round(100 * value) / 100;
    rbv_text_number(&pen->text, rounded == 0 ? 0 : rounded);
}

/* Adds text escaped for XML. Control characters, which XML 1.0 does not allow, are omitted. */
static void add_escaped(RbvText *text, const char *words) {
    uint32_t character;
    for (const char *c = words; *c; c++)
        if (((unsigned char)*c & 0xC0) != 0x80 && rbv_character_decode(c, strnlen(c, 4), &character) == 0)
            rbv_text_add(text, "\xEF\xBF\xBD"); /* U+FFFD */
        else if (*c == '<')
            rbv_text_add(text, "&lt;");
        else if (*c == '>')
            rbv_text_add(text, "&gt;");
        else if (*c == '&')
            rbv_text_add(text, "&amp;");
        else if (*c == '"')
            rbv_text_add(text, "&quot;");
        else if ((unsigned char)*c >= 32 || *c == '\t')
            rbv_text_append(text, c, 1);
}

static void add_attribute(RbvPen *pen, const char *name, double value) {
    rbv_text_format(&pen->text, " %s=\"", name);
    add_number(pen, value);
    rbv_text_add(&pen->text, "\"");
}

static void add_ink(RbvPen *pen, const RbvInk *ink) {
    static const double dashes[][4] = {
        {0, 0, 0, 0}, {4, 2.5, 4, 2.5}, {6, 2, 1, 2}, {1, 1.8, 1, 1.8}}; /* in widths of the stroke, at least a px */
    rbv_text_format(&pen->text, " fill=\"%s\" stroke=\"%s\"", ink->fill ? ink->fill : "none",
                    ink->stroke ? ink->stroke : "none");
    if (ink->stroke) {
        add_attribute(pen, "stroke-width", ink->width);
        if (ink->dash) {
            const double *dash = dashes[ink->dash], unit = fmax(ink->width, 1.2);
            rbv_text_add(&pen->text, " stroke-dasharray=\"");
            for (int k = 0; k < 4; k++) {
                add_number(pen, unit * dash[k]);
                rbv_text_add(&pen->text, k < 3 ? " " : "\"");
            }
        }
    }
    if (ink->opacity > 0 && ink->opacity < 1)
        add_attribute(pen, "opacity", ink->opacity);
    rbv_text_add(&pen->text, "/>\n");
}

void rbv_pen_begin(RbvPen *pen, double width, double height, const char *title) {
    *pen = (RbvPen){0};
    rbv_text_add(&pen->text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ");
    add_number(pen, width);
    rbv_text_add(&pen->text, " ");
    add_number(pen, height);
    rbv_text_add(&pen->text, "\"");
    add_attribute(pen, "width", width);
    add_attribute(pen, "height", height);
    rbv_text_add(&pen->text, " role=\"img\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
                             "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n<title>");
    add_escaped(&pen->text, title);
    rbv_text_add(&pen->text, "</title>\n");
    rbv_pen_box(pen, 0, 0, width, height, &(RbvInk){.fill = "#ffffff"});
}

char *rbv_pen_end(RbvPen *pen) {
    rbv_text_add(&pen->text, "</svg>\n");
    return rbv_text_take(&pen->text);
}

void rbv_pen_open(RbvPen *pen, const char *kind, const char *name) {
    rbv_text_format(&pen->text, "<g class=\"%s\">", kind);
    if (name) {
        rbv_text_add(&pen->text, "<title>");
        add_escaped(&pen->text, name);
        rbv_text_add(&pen->text, "</title>");
    }
    rbv_text_add(&pen->text, "\n");
}

void rbv_pen_close(RbvPen *pen) {
    rbv_text_add(&pen->text, "</g>\n");
}

void rbv_pen_path_begin(RbvPen *pen) {
    rbv_text_add(&pen->text, "<path d=\"");
}

void rbv_pen_path_to(RbvPen *pen, double x, double y, bool lift) {
    rbv_text_add(&pen->text, lift ? "M" : "L");
    add_number(pen, x);
    rbv_text_add(&pen->text, " ");
    add_number(pen, y);
}

void rbv_pen_path_end(RbvPen *pen, const RbvInk *ink) {
    rbv_text_add(&pen->text, "\"");
    add_ink(pen, ink);
}

void rbv_pen_lines(RbvPen *pen, int32_t count, const double (*point)[2], bool closed, const RbvInk *ink) {
    rbv_pen_path_begin(pen);
    for (int32_t k = 0; k < count; k++)
        rbv_pen_path_to(pen, point[k][0], point[k][1], k == 0);
    if (closed)
        rbv_text_add(&pen->text, "Z");
    rbv_pen_path_end(pen, ink);
}

void rbv_pen_circle(RbvPen *pen, double x, double y, double radius, const RbvInk *ink) {
    rbv_text_add(&pen->text, "<circle");
    add_attribute(pen, "cx", x);
    add_attribute(pen, "cy", y);
    add_attribute(pen, "r", radius);
    add_ink(pen, ink);
}

void rbv_pen_box(RbvPen *pen, double x, double y, double width, double height, const RbvInk *ink) {
    rbv_text_add(&pen->text, "<rect");
    add_attribute(pen, "x", x);
    add_attribute(pen, "y", y);
    add_attribute(pen, "width", width);
    add_attribute(pen, "height", height);
    add_ink(pen, ink);
}

RbvFrame rbv_words_frame(double x, double y, const char *words, const RbvLettering *lettering) {
    int letters = 0;
    for (const char *c = words; *c; c++)
        letters += ((unsigned char)*c & 0xC0) != 0x80; /* characters, not bytes */
    double width = LETTER * lettering->size * letters;
    double left = lettering->anchor == RBV_ANCHOR_START ? x
                  : lettering->anchor == RBV_ANCHOR_END ? x - width
                                                        : x - width / 2;
    return (RbvFrame){{left, y - 0.8 * lettering->size}, {left + width, y + 0.2 * lettering->size}};
}

void rbv_pen_text(RbvPen *pen, double x, double y, const char *words, const RbvLettering *lettering) {
    static const char *const anchors[] = {"start", "middle", "end"};
    rbv_text_add(&pen->text, "<text");
    if (lettering->upright) {
        rbv_text_add(&pen->text, " transform=\"translate(");
        add_number(pen, x);
        rbv_text_add(&pen->text, " ");
        add_number(pen, y);
        rbv_text_add(&pen->text, ") rotate(-90)\"");
    } else {
        add_attribute(pen, "x", x);
        add_attribute(pen, "y", y);
    }
    add_attribute(pen, "font-size", lettering->size);
    if (lettering->anchor != RBV_ANCHOR_START)
        rbv_text_format(&pen->text, " text-anchor=\"%s\"", anchors[lettering->anchor]);
    if (lettering->bordered)
        rbv_text_add(&pen->text, " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"2.5\"");
    rbv_text_format(&pen->text, " fill=\"%s\"%s>", lettering->colour ? lettering->colour : "#222222",
                    lettering->bold ? " font-weight=\"bold\"" : "");
    add_escaped(&pen->text, words);
    rbv_text_add(&pen->text, "</text>\n");
}

/* Collects strokes and draws them by layer and, within a layer, from far to near. */

/* Makes space for one more item of `size` bytes. False: out of memory. */
static bool grow_strokes(void **items, int32_t count, int32_t *capacity, size_t size) {
    if (count < *capacity)
        return true;
    int32_t larger = *capacity ? 2 * *capacity : 256;
    void *grown = realloc(*items, (size_t)larger * size);
    if (!grown)
        return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static RbvStroke *add_stroke(RbvStrokes *strokes, const RbvInk *ink) {
    void *items = strokes->items;
    bool grown = grow_strokes(&items, strokes->count, &strokes->capacity, sizeof *strokes->items);
    strokes->items = items;
    if (!grown) {
        strokes->no_memory = true;
        return NULL;
    }
    const RbvStroke *last = strokes->count ? &strokes->items[strokes->count - 1] : NULL;
    int32_t first = last ? last->first + last->count : 0;
    RbvStroke *stroke = &strokes->items[strokes->count];
    *stroke = (RbvStroke){.layer = strokes->layer,
                          .depth = strokes->depth,
                          .order = strokes->count,
                          .first = first,
                          .count = strokes->point_count - first,
                          .name = strokes->name};
    if (ink)
        stroke->ink = *ink;
    strokes->count++;
    return stroke;
}

void rbv_strokes_point(RbvStrokes *strokes, double x, double y) {
    void *points = strokes->point;
    bool grown = grow_strokes(&points, strokes->point_count, &strokes->point_capacity, sizeof *strokes->point);
    strokes->point = points;
    if (!grown) {
        strokes->no_memory = true;
        return;
    }
    strokes->point[strokes->point_count][0] = x;
    strokes->point[strokes->point_count++][1] = y;
}

void rbv_strokes_lines(RbvStrokes *strokes, bool closed, const RbvInk *ink) {
    RbvStroke *stroke = add_stroke(strokes, ink);
    if (stroke)
        stroke->closed = closed;
}

void rbv_strokes_circle(RbvStrokes *strokes, double x, double y, double radius, const RbvInk *ink) {
    rbv_strokes_point(strokes, x, y);
    RbvStroke *stroke = add_stroke(strokes, ink);
    if (stroke)
        stroke->radius = radius;
}

void rbv_strokes_words(RbvStrokes *strokes, double x, double y, const char *words, const RbvLettering *lettering) {
    rbv_strokes_point(strokes, x, y);
    RbvStroke *stroke = add_stroke(strokes, NULL);
    if (stroke) {
        stroke->words = words;
        stroke->lettering = *lettering;
    }
}

static void extend_frame(RbvFrame *frame, const double low[2], const double high[2]) {
    for (int k = 0; k < 2; k++) {
        frame->low[k] = fmin(frame->low[k], low[k]);
        frame->high[k] = fmax(frame->high[k], high[k]);
    }
}

bool rbv_strokes_bounds(const RbvStrokes *strokes, RbvFrame *frame) {
    *frame = (RbvFrame){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int32_t n = 0; n < strokes->count; n++) {
        const RbvStroke *s = &strokes->items[n];
        for (int32_t k = 0; k < s->count; k++) {
            const double *p = strokes->point[s->first + k];
            RbvFrame own = {{p[0] - s->radius, p[1] - s->radius}, {p[0] + s->radius, p[1] + s->radius}};
            if (s->words)
                own = rbv_words_frame(p[0], p[1], s->words, &s->lettering);
            extend_frame(frame, own.low, own.high);
        }
    }
    return frame->low[0] <= frame->high[0];
}

void rbv_strokes_shift(RbvStrokes *strokes, double x, double y) {
    for (int32_t k = 0; k < strokes->point_count; k++) {
        strokes->point[k][0] += x;
        strokes->point[k][1] += y;
    }
}

static int compare_strokes(const void *left, const void *right) {
    const RbvStroke *a = left, *b = right;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

void rbv_strokes_draw(RbvStrokes *strokes, RbvPen *pen) {
    pen->text.no_memory = pen->text.no_memory || strokes->no_memory;
    if (strokes->count)
        qsort(strokes->items, (size_t)strokes->count, sizeof *strokes->items, compare_strokes);
    for (int32_t k = 0; k < strokes->count && !strokes->no_memory; k++) {
        const RbvStroke *s = &strokes->items[k];
        const double(*p)[2] = &strokes->point[s->first];
        bool opens = s->name && (k == 0 || strokes->items[k - 1].name != s->name);
        bool closes = s->name && (k + 1 == strokes->count || strokes->items[k + 1].name != s->name);
        if (opens)
            rbv_pen_open(pen, "thing", s->name);
        if (s->words)
            rbv_pen_text(pen, p[0][0], p[0][1], s->words, &s->lettering);
        else if (s->radius > 0)
            rbv_pen_circle(pen, p[0][0], p[0][1], s->radius, &s->ink);
        else
            rbv_pen_lines(pen, s->count, p, s->closed, &s->ink);
        if (closes)
            rbv_pen_close(pen);
    }
}

void rbv_strokes_clear(RbvStrokes *strokes) {
    free(strokes->items);
    free(strokes->point);
    *strokes = (RbvStrokes){0};
}

/* Round ticks on an axis, and the text of numbers and units beside them. */

/* Tolerance of a value as a part of the step, for rounding: a tick at the very edge counts as inside. */
#define TICK_ROUNDING 1e-9

static double round_step(double raw, bool degrees) {
    static const double of_turn[] = {15, 30, 45, 60, 90, 180, 360};
    static const double of_ten[] = {1, 2, 5, 10};
    double power = pow(10, floor(log10(raw)));
    if (degrees && raw > 10)
        for (int k = 0; k < 7; k++)
            if (of_turn[k] >= raw)
                return of_turn[k];
    for (int k = 0; k < 4; k++)
        if (of_ten[k] * power >= raw * (1 - TICK_ROUNDING))
            return of_ten[k] * power;
    return 10 * power;
}

RbvTicks rbv_ticks(double low, double high, int most, bool degrees) {
    double size = fmax(fabs(low), fabs(high));
    RbvTicks ticks = {.count = 0};
    if (high - low <= TICK_ROUNDING * fmax(size, TICK_ROUNDING)) {
        double margin = fmax(size / 2, TICK_ROUNDING);
        low -= margin, high += margin;
    }
    double step = round_step((high - low) / most, degrees);
    double first = floor(low / step + TICK_ROUNDING), last = ceil(high / step - TICK_ROUNDING);
    for (double k = first; k <= last && ticks.count < RBV_TICKS; k++)
        ticks.at[ticks.count++] = k * step;
    return ticks;
}

double rbv_prefix(double largest, const char *unit, char *text, size_t size) {
    static const char *const of_thousands[] = {"N", "N.m", "W", "J", "Pa"};
    double factor = 1;
    const char *prefix = "";
    for (int k = 0; k < 5; k++)
        if (strcmp(unit, of_thousands[k]) == 0 && largest >= 1e3) {
            bool mega = largest >= 1e6;
            factor = mega ? 1e6 : 1e3;
            prefix = mega ? "M" : "k";
        }
    if (strcmp(unit, "m") == 0 && largest < 0.1)
        factor = 1e-3, prefix = "m";
    snprintf(text, size, "%s%s", prefix, unit);
    return factor;
}

void rbv_tick_text(double value, double step, char *text, size_t size) {
    if (fabs(value) < TICK_ROUNDING * step)
        value = 0;
    snprintf(text, size, "%s%.6g", value < 0 ? "\xe2\x88\x92" : "", fabs(value));
    for (char *c = text; *c; c++) /* in locales with a decimal comma */
        *c = *c == ',' ? '.' : *c;
}
