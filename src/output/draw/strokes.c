/* The list of strokes; see strokes.h. */
#include "output/draw/strokes.h"

#include <math.h>
#include <stdlib.h>

/* Makes space for one more item of `size` bytes. False: out of memory. */
static bool grow(void **items, int32_t count, int32_t *capacity, size_t size) {
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

static RbvStroke *add(RbvStrokes *strokes, const RbvInk *ink) {
    void *items = strokes->items;
    bool room = grow(&items, strokes->count, &strokes->capacity, sizeof *strokes->items);
    strokes->items = items;
    if (!room) {
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
    bool room = grow(&points, strokes->point_count, &strokes->point_capacity, sizeof *strokes->point);
    strokes->point = points;
    if (!room) {
        strokes->no_memory = true;
        return;
    }
    strokes->point[strokes->point_count][0] = x;
    strokes->point[strokes->point_count++][1] = y;
}

void rbv_strokes_lines(RbvStrokes *strokes, bool closed, const RbvInk *ink) {
    RbvStroke *stroke = add(strokes, ink);
    if (stroke)
        stroke->closed = closed;
}

void rbv_strokes_circle(RbvStrokes *strokes, double x, double y, double radius, const RbvInk *ink) {
    rbv_strokes_point(strokes, x, y);
    RbvStroke *stroke = add(strokes, ink);
    if (stroke)
        stroke->radius = radius;
}

void rbv_strokes_words(RbvStrokes *strokes, double x, double y, const char *words, const RbvLettering *lettering) {
    rbv_strokes_point(strokes, x, y);
    RbvStroke *stroke = add(strokes, NULL);
    if (stroke) {
        stroke->words = words;
        stroke->lettering = *lettering;
    }
}

static void see(RbvFrame *frame, const double low[2], const double high[2]) {
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
            see(frame, own.low, own.high);
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

static int nearer(const void *left, const void *right) {
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
        qsort(strokes->items, (size_t)strokes->count, sizeof *strokes->items, nearer);
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
