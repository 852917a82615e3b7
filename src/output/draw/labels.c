/* Words, rings and the legend of a sketch. */
#include "model/result/result.h"
#include "output/draw/drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Position of an item, beside which its name stands: a joint at its point, a pair of wheels where they touch, an item
 * between two markers midway between them. */

/* Tolerance of the distance of meshing wheels, as a part of a radius. */
#define TOUCH 1e-3

static bool is_one_of(const char *type, const char *const *types) {
    for (; *types; types++)
        if (strcmp(type, *types) == 0)
            return true;
    return false;
}

static RbvVec3 marker_point(const RbvDrawing *drawing, int32_t marker) {
    const RbvSceneMarker *m = &drawing->scene->markers[marker];
    return rbv_place_point(&drawing->places[m->body], m->at);
}

static bool is_on_marker(const RbvSceneFigure *f, const RbvSceneMarker *m) {
    double apart = hypot(hypot(f->at[0] - m->at[0], f->at[1] - m->at[1]), f->at[2] - m->at[2]);
    return f->kind == RBV_SCENE_WHEEL && f->on[0] == m->body && apart <= TOUCH * f->radius;
}

/* Contact point of a pair of wheels, on the line of centres. The wheels, which may be drawn by other pairs, are found
 * by their radii. */
static bool gear_point(const RbvDrawing *drawing, const RbvSceneItem *item, RbvVec3 *at) {
    const RbvScene *scene = drawing->scene;
    RbvVec3 centre[2] = {marker_point(drawing, item->marker[0]), marker_point(drawing, item->marker[1])},
            direction = rbv_sub(centre[1], centre[0]);
    double apart = rbv_norm(direction), least = INFINITY;
    for (int32_t a = 0; a < scene->figure_count; a++)
        for (int32_t b = 0;
             is_on_marker(&scene->figures[a], &scene->markers[item->marker[0]]) && b < scene->figure_count; b++) {
            if (!is_on_marker(&scene->figures[b], &scene->markers[item->marker[1]]))
                continue;
            const RbvSceneFigure *first = &scene->figures[a], *second = &scene->figures[b];
            bool inside = first->internal || second->internal;
            double miss =
                fabs((inside ? fabs(first->radius - second->radius) : first->radius + second->radius) - apart);
            double lever = inside && second->radius > first->radius ? -first->radius : first->radius;
            if (apart > 0 && miss < least) {
                least = miss;
                *at = rbv_add_scaled(centre[0], lever / apart, direction);
            }
        }
    return least < INFINITY;
}

/* Projection of the pinion's centre to the line of the rack's teeth. */
static bool rack_point(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    const RbvScene *scene = drawing->scene;
    RbvVec3 centre = marker_point(drawing, scene->items[number].marker[1]);
    for (int32_t k = 0; k < scene->figure_count; k++) {
        const RbvSceneFigure *f = &scene->figures[k];
        if (f->of != number || f->kind != RBV_SCENE_LINE || f->count < 8)
            continue;
        const RbvPlace *place = &drawing->places[f->on[0]];
        RbvVec3 first = rbv_place_point(place, f->points),
                direction = rbv_sub(rbv_place_point(place, &f->points[3 * (f->count - 4)]), first);
        *at = rbv_add_scaled(first, rbv_dot(rbv_sub(centre, first), direction) / rbv_dot(direction, direction),
                             direction);
        return true;
    }
    return false;
}

/* Position of a stop: its first wall. */
static bool stop_point(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    for (int32_t k = 0; k < drawing->scene->figure_count; k++) {
        const RbvSceneFigure *f = &drawing->scene->figures[k];
        bool wall = f->of == number && (f->kind == RBV_SCENE_BOX || (f->kind == RBV_SCENE_LINE && f->closed));
        if (wall)
            *at = rbv_place_point(&drawing->places[f->on[0]], f->kind == RBV_SCENE_BOX ? f->at : f->points);
        if (wall)
            return true;
    }
    return false;
}

/* Position [m] of an item in ground's axes (labels.c). False: the item has no position. */
static bool item_point(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    static const char *const gears[] = {"gear", "bevel", "worm", "bevel-gear", NULL}, *const racks[] = {"rack", NULL},
                             *const ties[] = {"link", "distance", "belt", "chain", NULL};
    const RbvSceneItem *item = &drawing->scene->items[number];
    int32_t marker = item->point >= 0 ? item->point : item->marker[1];
    if (item->kind == RBV_SCENE_STOP)
        return stop_point(drawing, number, at);
    if (marker < 0)
        return false;
    *at = marker_point(drawing, marker);
    if (item->marker[0] < 0 || item->marker[1] < 0)
        return true;
    if (item->kind == RBV_SCENE_CONSTRAINT || is_one_of(item->type, ties))
        *at = rbv_scale(0.5, rbv_add(marker_point(drawing, item->marker[0]), marker_point(drawing, item->marker[1])));
    else if (is_one_of(item->type, gears))
        gear_point(drawing, item, at);
    else if (is_one_of(item->type, racks))
        rack_point(drawing, number, at);
    return true;
}

/* Words beside what they name: of several places the one where they cover the least of other words and lines. */

/* [px] */
#define LETTERS 11
/* Height of a line in sizes of the lettering. */
#define LINE_HEIGHT 1.12
/* Number of lines up and down that are tried; gap between words [px]. */
#define MOST_TRIED 6
#define WORD_GAP 3
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
        double direction = b[k] - a[k];
        if (direction == 0) {
            if (a[k] < f->low[k] || a[k] > f->high[k])
                return false;
            continue;
        }
        double low = (f->low[k] - a[k]) / direction, high = (f->high[k] - a[k]) / direction;
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
            bool apart = f->low[0] >= g.high[0] + WORD_GAP || g.low[0] >= f->high[0] + WORD_GAP ||
                         f->low[1] >= g.high[1] || g.low[1] >= f->high[1];
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
        spots[k] = (Spot){x, y + lines * LINE_HEIGHT * lettering->size, FURTHER * 2 * ((k + 1) / 2), lettering->anchor};
    }
    put_words(drawing, spots, 2 * MOST_TRIED + 1, words, lettering);
}

/* Tries places right and left of the point, above and below it, at two distances. */
void rbv_drawing_words_about(RbvDrawing *drawing, double x, double y, double beside, const char *words,
                             const RbvLettering *lettering) {
    Spot spots[16];
    int count = 0;
    for (int ring = 0; ring < 2; ring++) {
        double r = beside + ring * LINE_HEIGHT * lettering->size, under = 0.75 * lettering->size,
               cost = ring * 2 * FURTHER;
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

/* Items with redundant constraints, if no forces are known (check): joints and drives whose reactions are not unique
 * get a ring, and the self-stresses are listed below the picture. */

/* [px] */
#define RING 9
/* Largest number of self-stresses listed, and of components of each. */
#define MOST_MODES 4
#define MOST_SHARES 6

static const RbvEntry *entry_of(const RbvList *list, const char *name, int32_t near) {
    for (int32_t k = 0; k < list->count; k++) { /* usually in the order of the items */
        int32_t n = (near + k) % list->count;
        if (strcmp(list->items[n].name, name) == 0)
            return &list->items[n];
    }
    return NULL;
}

bool rbv_drawing_find_twice(RbvDrawing *drawing) {
    const RbvResult *result = drawing->result;
    const RbvScene *scene = drawing->scene;
    int32_t seen[2] = {0, 0};
    drawing->twice = rbv_arena_array(&drawing->arena, (size_t)scene->item_count + 1, sizeof *drawing->twice);
    for (int32_t k = 0; drawing->twice && k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        if (item->kind != RBV_SCENE_JOINT && item->kind != RBV_SCENE_DRIVE)
            continue;
        bool drive = item->kind == RBV_SCENE_DRIVE;
        const RbvList *list = drive ? &result->drives : &result->joints;
        const RbvEntry *entry = entry_of(list, item->name, seen[drive]);
        seen[drive] = entry ? (int32_t)(entry - list->items) + 1 : seen[drive];
        drawing->twice[k] = entry && rbv_result_entry_verdict(result, entry) == RBV_NOT_UNIQUE;
    }
    return drawing->twice;
}

static bool is_twice(const RbvDrawing *drawing, int32_t item) {
    return drawing->twice && drawing->twice[item];
}

/* radius of the ring [px] */
static double ring_radius(const RbvDrawing *drawing) {
    return fmax(RING, 0.6 * drawing->scene->symbol * drawing->paper.scale);
}

static void report_mode(RbvDrawing *drawing, const RbvMode *mode) {
    char text[RBV_SENTENCE_SIZE];
    size_t used = (size_t)snprintf(text, sizeof text, "held twice: ");
    for (int32_t n = 0; n < mode->count && n < MOST_SHARES && used < sizeof text; n++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n ? ", " : "", mode->shares[n].name);
    if (mode->count > MOST_SHARES && used < sizeof text)
        snprintf(text + used, sizeof text - used, ", ...");
    rbv_drawing_report(drawing, text);
}

void rbv_drawing_twice(RbvDrawing *drawing) {
    const RbvResult *result = drawing->result;
    const RbvInk ink = {.stroke = RBV_TWICE, .width = 1.9, .dash = RBV_DASH_LONG};
    int32_t rings = 0;
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    for (int32_t k = 0; k < drawing->scene->item_count; k++) {
        RbvVec3 at;
        if (!is_twice(drawing, k) || !item_point(drawing, k, &at))
            continue;
        RbvSpot p = rbv_paper_at(&drawing->paper, at);
        drawing->strokes.name = drawing->scene->items[k].name;
        rbv_strokes_circle(&drawing->strokes, p.x, p.y, ring_radius(drawing), &ink);
        rings++;
    }
    drawing->strokes.name = NULL;
    for (int32_t k = 0; k < result->mode_count && k < MOST_MODES; k++)
        report_mode(drawing, &result->modes[k]);
    if (result->mode_count > MOST_MODES) {
        char text[RBV_SENTENCE_SIZE];
        snprintf(text, sizeof text, "... and %d self-stresses more", (int)result->mode_count - MOST_MODES);
        rbv_drawing_report(drawing, text);
    }
    if (rings > 0 && result->mode_count == 0)
        rbv_drawing_report(drawing, "held twice: what stands in a ring");
}

/* Does the label of an arrow already have the name? */
static bool is_labelled(const RbvDrawing *drawing, const char *name) {
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
        if (!has_name || is_labelled(drawing, item->name) || !item_point(drawing, k, &at))
            continue;
        double beside = 0.35 * scene->symbol * drawing->paper.scale + 3;
        if (is_twice(drawing, k)) /* beside its ring, at 45 degrees */
            beside = 0.75 * ring_radius(drawing) + 2;
        RbvSpot p = rbv_paper_at(&drawing->paper, at);
        rbv_drawing_words_about(
            drawing, p.x, p.y, beside, item->name,
            &(RbvLettering){.size = LETTERS, .colour = is_twice(drawing, k) ? RBV_TWICE : "#333333"});
    }
}

/* Legend below a sketch: line styles of the verdicts that occur, and sentences about the whole. */

/* [px] */
#define LEGEND_ENTRY 110
#define LEGEND_LINE 16
#define LEGEND_MARGIN 14

static const RbvVerdict verdicts[] = {RBV_UNIQUE, RBV_NOT_UNIQUE, RBV_COMPLIANCE, RBV_UNSURE};

static int shown_count(const RbvDrawing *drawing) {
    int count = 0;
    for (int k = 0; k < 4; k++)
        count += drawing->shown[verdicts[k]];
    return count + drawing->loads;
}

double rbv_drawing_legend_height(const RbvDrawing *drawing) {
    int lines = (shown_count(drawing) > 0) + drawing->sentence_count;
    return lines > 0 ? LEGEND_MARGIN + LEGEND_LINE * lines : 0;
}

void rbv_drawing_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y) {
    const RbvLettering letters = {.size = LETTERS, .colour = "#333333"},
                       sentence = {.size = LETTERS, .colour = "#333333", .anchor = RBV_ANCHOR_MIDDLE};
    int count = shown_count(drawing);
    double x = (width - LEGEND_ENTRY * count) / 2;
    y += LEGEND_LINE + 2;
    for (int k = 0; k < 5; k++) {
        if (k < 4 ? !drawing->shown[verdicts[k]] : !drawing->loads)
            continue;
        rbv_pen_lines(pen, 2, (const double[][2]){{x, y - 4}, {x + 26, y - 4}}, false,
                      k < 4 ? rbv_verdict_ink(verdicts[k]) : rbv_load_ink());
        rbv_pen_text(pen, x + 31, y, k < 4 ? rbv_verdict_name(verdicts[k]) : "load", &letters);
        x += LEGEND_ENTRY;
    }
    y += count > 0 ? LEGEND_LINE : 0;
    for (int k = 0; k < drawing->sentence_count; k++)
        rbv_pen_text(pen, width / 2, y + k * LEGEND_LINE, drawing->sentences[k], &sentence);
}
