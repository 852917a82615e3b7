/* Words beside what they name, none over another. */
#include "draw/drawing.h"

#include <string.h>

/* [px] */
#define LETTERS 11
/* In sizes of the lettering. */
#define LINE 1.12
/* Lines up and down that are tried, and the room that is left beside other words [px]. */
#define MOST_TRIED 6
#define ROOM 3
/* More joints than these stand without names. */
#define MOST_NAMES 40

static bool is_free(const RbvDrawing *drawing, RbvFrame f) {
    for (int32_t k = 0; k < drawing->strokes.count; k++) {
        const RbvStroke *s = &drawing->strokes.items[k];
        const double *at = drawing->strokes.point[s->first];
        if (!s->words)
            continue;
        RbvFrame g = rbv_words_frame(at[0], at[1], s->words, &s->lettering);
        if (f.low[0] < g.high[0] + ROOM && g.low[0] < f.high[0] + ROOM && f.low[1] < g.high[1] && g.low[1] < f.high[1])
            return false;
    }
    return true;
}

void rbv_drawing_words(RbvDrawing *drawing, double x, double y, const char *words, const RbvLettering *lettering) {
    RbvLayer layer = drawing->strokes.layer;
    double shift = 0;
    for (int k = 0; k <= 2 * MOST_TRIED; k++) {
        double tried = (k % 2 ? 1 : -1) * ((k + 1) / 2) * LINE * lettering->size; /* 0, down, up, down twice, ... */
        if (is_free(drawing, rbv_words_frame(x, y + tried, words, lettering))) {
            shift = tried;
            break;
        }
    }
    rbv_drawing_layer(drawing, RBV_LAYER_WORDS, 0);
    RbvLettering bordered = *lettering;
    bordered.bordered = true;
    rbv_strokes_words(&drawing->strokes, x, y + shift, words, &bordered);
    drawing->strokes.layer = layer;
}

/* Does an arrow say the name already? */
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
    int32_t joints = 0;
    for (int32_t k = 0; k < scene->thing_count; k++)
        joints += scene->things[k].kind == RBV_SCENE_JOINT;
    drawing->strokes.name = NULL;
    for (int32_t k = 0; joints <= MOST_NAMES && k < scene->thing_count; k++) {
        const RbvSceneThing *thing = &scene->things[k];
        int32_t at = thing->point >= 0 ? thing->point : thing->marker[1];
        if (thing->kind != RBV_SCENE_JOINT || at < 0 || is_said(drawing, thing->name))
            continue;
        const RbvSceneMarker *marker = &scene->markers[at];
        double beside = 0.35 * scene->symbol * drawing->paper.scale + 3;
        RbvSpot p = rbv_paper_at(&drawing->paper, rbv_place_point(&drawing->places[marker->body], marker->at));
        rbv_drawing_words(drawing, p.x + beside, p.y - beside, thing->name, &(RbvLettering){.size = LETTERS, .colour = "#333333"});
    }
}
