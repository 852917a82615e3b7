/* Places words beside what they name: of several places the one where they cover the least of other words and lines. */
#include "output/draw/drawing.h"

#include <math.h>
#include <string.h>

/* [px] */
#define LETTERS 11
/* Height of a line in sizes of the lettering. */
#define LINE 1.12
/* Number of lines up and down that are tried; gap between words [px]. */
#define MOST_TRIED 6
#define ROOM 3
/* Costs of a place: per overlap with words, per stroke crossed, per half line further away. Words must not lie over
 * words; a stroke through them is worse than a place further away. */
#define OVER_WORDS 1000
#define OVER_LINE 3
#define FURTHER 1
/* With more joints and constraints than this, no names are drawn. */
#define MOST_NAMES 40

typedef struct Spot {
    double x, y, cost; /* position of the anchor [px], and the cost of the place by itself */
    RbvAnchor anchor;
} Spot;

/* Does the segment a b meet the frame? Liang and Barsky: the segment's part from `in` to `out` lies within all four
 * sides. */
static bool crosses(const RbvFrame *f, const double a[2], const double b[2]) {
    double in = 0, out = 1;
    for (int k = 0; k < 2; k++) {
        double way = b[k] - a[k];
        if (way == 0) {
            if (a[k] < f->low[k] || a[k] > f->high[k])
                return false;
            continue;
        }
        double low = (f->low[k] - a[k]) / way, high = (f->high[k] - a[k]) / way;
        in = fmax(in, fmin(low, high));
        out = fmin(out, fmax(low, high));
    }
    return in <= out;
}

/* Does the stroke cross the frame? */
static bool is_crossed(const RbvDrawing *drawing, const RbvStroke *s, const RbvFrame *f) {
    const double(*p)[2] = &drawing->strokes.point[s->first];
    if (s->radius > 0) {
        double x = fmax(f->low[0] - p[0][0], fmax(0, p[0][0] - f->high[0])),
               y = fmax(f->low[1] - p[0][1], fmax(0, p[0][1] - f->high[1]));
        return hypot(x, y) < s->radius;
    }
    for (int32_t k = 0; k + 1 < s->count; k++)
        if (crosses(f, p[k], p[k + 1]))
            return true;
    return s->closed && s->count > 2 && crosses(f, p[s->count - 1], p[0]);
}

/* Cost of words in this frame; the sum stops at `enough`. Lines that later strokes cover count too: they are few. */
static double cost_of(const RbvDrawing *drawing, const RbvFrame *f, double enough) {
    double cost = 0;
    for (int32_t k = 0; k < drawing->strokes.count && cost < enough; k++) {
        const RbvStroke *s = &drawing->strokes.items[k];
        if (s->words) {
            const double *at = drawing->strokes.point[s->first];
            RbvFrame g = rbv_words_frame(at[0], at[1], s->words, &s->lettering);
            bool apart = f->low[0] >= g.high[0] + ROOM || g.low[0] >= f->high[0] + ROOM || f->low[1] >= g.high[1] ||
                         g.low[1] >= f->high[1];
            cost += apart ? 0 : OVER_WORDS;
        } else if (s->layer > RBV_LAYER_EARLIER && is_crossed(drawing, s, f)) {
            cost += OVER_LINE;
        }
    }
    return cost;
}

/* Writes the words at the spot of least cost. */
static void put_words(RbvDrawing *drawing, const Spot *spots, int count, const char *words,
                      const RbvLettering *lettering) {
    RbvLayer layer = drawing->strokes.layer;
    RbvLettering bordered = *lettering;
    double least = INFINITY;
    int best = 0;
    bordered.bordered = true;
    for (int k = 0; k < count; k++) {
        RbvLettering tried = *lettering;
        tried.anchor = spots[k].anchor;
        RbvFrame frame = rbv_words_frame(spots[k].x, spots[k].y, words, &tried);
        double cost = spots[k].cost < least ? spots[k].cost + cost_of(drawing, &frame, least - spots[k].cost) : least;
        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    bordered.anchor = spots[best].anchor;
    rbv_drawing_layer(drawing, RBV_LAYER_WORDS, 0);
    rbv_strokes_words(&drawing->strokes, spots[best].x, spots[best].y, words, &bordered);
    drawing->strokes.layer = layer;
}

void rbv_drawing_words(RbvDrawing *drawing, double x, double y, const char *words, const RbvLettering *lettering) {
    Spot spots[2 * MOST_TRIED + 1];
    for (int k = 0; k <= 2 * MOST_TRIED; k++) {
        int lines = (k % 2 ? 1 : -1) * ((k + 1) / 2); /* 0, down, up, down twice, ... */
        spots[k] = (Spot){x, y + lines * LINE * lettering->size, FURTHER * 2 * ((k + 1) / 2), lettering->anchor};
    }
    put_words(drawing, spots, 2 * MOST_TRIED + 1, words, lettering);
}

/* Tries places right and left of the point, above and below it, at two distances. */
void rbv_drawing_words_about(RbvDrawing *drawing, double x, double y, double beside, const char *words,
                             const RbvLettering *lettering) {
    Spot spots[16];
    int count = 0;
    for (int ring = 0; ring < 2; ring++) {
        double r = beside + ring * LINE * lettering->size, under = 0.75 * lettering->size, cost = ring * 2 * FURTHER;
        spots[count++] = (Spot){x + r, y - r, cost, RBV_ANCHOR_START};
        spots[count++] = (Spot){x - r, y - r, cost + 0.2, RBV_ANCHOR_END};
        spots[count++] = (Spot){x + r, y + r + under, cost + 0.4, RBV_ANCHOR_START};
        spots[count++] = (Spot){x - r, y + r + under, cost + 0.6, RBV_ANCHOR_END};
        spots[count++] = (Spot){x + 1.4 * r, y + under / 2, cost + 0.3, RBV_ANCHOR_START};
        spots[count++] = (Spot){x - 1.4 * r, y + under / 2, cost + 0.5, RBV_ANCHOR_END};
        spots[count++] = (Spot){x, y - 1.4 * r, cost + 0.3, RBV_ANCHOR_MIDDLE};
        spots[count++] = (Spot){x, y + 1.4 * r + under, cost + 0.5, RBV_ANCHOR_MIDDLE};
    }
    put_words(drawing, spots, count, words, lettering);
}

/* Does the label of an arrow already have the name? */
static bool is_said(const RbvDrawing *drawing, const char *name) {
    size_t length = strlen(name);
    for (int32_t k = 0; k < drawing->strokes.count; k++) {
        const char *words = drawing->strokes.items[k].words;
        if (words && strncmp(words, name, length) == 0 && words[length] == ' ')
            return true;
    }
    return false;
}

void rbv_drawing_names(RbvDrawing *drawing) {
    const RbvScene *scene = drawing->scene;
    int32_t named = 0;
    for (int32_t k = 0; k < scene->item_count; k++)
        named += scene->items[k].kind == RBV_SCENE_JOINT || scene->items[k].kind == RBV_SCENE_CONSTRAINT;
    drawing->strokes.name = NULL;
    for (int32_t k = 0; named <= MOST_NAMES && k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        RbvVec3 at;
        bool has_name =
            item->kind == RBV_SCENE_JOINT || item->kind == RBV_SCENE_CONSTRAINT || item->kind == RBV_SCENE_STOP;
        if (!has_name || is_said(drawing, item->name) || !rbv_drawing_place_of(drawing, k, &at))
            continue;
        double beside = 0.35 * scene->symbol * drawing->paper.scale + 3;
        if (rbv_drawing_is_twice(drawing, k)) /* beside its ring, at 45 degrees */
            beside = 0.75 * rbv_drawing_ring(drawing) + 2;
        RbvSpot p = rbv_paper_at(&drawing->paper, at);
        rbv_drawing_words_about(
            drawing, p.x, p.y, beside, item->name,
            &(RbvLettering){.size = LETTERS, .colour = rbv_drawing_is_twice(drawing, k) ? RBV_TWICE : "#333333"});
    }
}
