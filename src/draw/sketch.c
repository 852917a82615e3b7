/* The still picture: poses of the mechanism over each other, its reactions, their legend. */
#include <roberval/draw.h>

#include "base/diagnostics.h"
#include "draw/drawing.h"
#include "result/view.h"

#include <stdlib.h>
#include <string.h>

/* [px] */
#define WIDTH 720
#define MARGIN 36
#define ARROWS 96    /* more around a picture with arrows */
#define HEADING 34
#define LEGEND 30
#define LETTERS 11
/* Height over width of the picture. */
#define FLATTEST 0.28
#define TALLEST 1.25
/* More joints than these stand without names. */
#define MOST_NAMES 40
#define MOST_STACKED 5

RbvSketch rbv_sketch_default(void) {
    return (RbvSketch){.width = WIDTH, .reactions = true, .names = true};
}

/* The sample whose first column is nearest to `value`. */
static int32_t sample_near(const RbvResult *result, double value) {
    int32_t best = 0;
    for (int32_t s = 1; s < result->sample_count; s++)
        if (fabs(rbv_result_value(result, s, 0) - value) < fabs(rbv_result_value(result, best, 0) - value))
            best = s;
    return best;
}

static int32_t sample_of(const RbvResult *result, const RbvSketch *sketch, int32_t pose) {
    if (result->sample_count == 0)
        return -1;
    return sketch->time_count ? sample_near(result, sketch->times[pose]) : 0;
}

static bool take_places(RbvDrawing *drawing, int32_t sample) {
    free(drawing->places);
    drawing->places = rbv_places_at(drawing->result, sample);
    return drawing->places;
}

/* Does the figure belong to what moves? Ground is drawn once. */
static bool moves(const RbvSceneFigure *figure) {
    return figure->on[0] > 0 || figure->on[1] > 0;
}

static bool draw_pose(RbvDrawing *drawing, int32_t sample, bool faint) {
    if (!take_places(drawing, sample))
        return false;
    drawing->faint = faint;
    for (int32_t k = 0; k < drawing->scene->figure_count; k++) {
        const RbvSceneFigure *figure = &drawing->scene->figures[k];
        if (!faint || (moves(figure) && figure->role != RBV_SCENE_OF_LOAD && figure->role != RBV_SCENE_OF_DRIVE))
            rbv_drawing_figure(drawing, figure);
    }
    drawing->strokes.name = NULL;
    return true;
}

/* How many names stand already at the point of a joint's marker. */
static int names_there(const RbvDrawing *drawing, RbvSpot p, double near) {
    int there = 0;
    for (int32_t k = 0; k < drawing->strokes.count; k++) {
        const RbvStroke *s = &drawing->strokes.items[k];
        const double *at = drawing->strokes.point[s->first];
        there += s->layer == RBV_LAYER_WORDS && fabs(at[0] - p.x) < near && at[1] > p.y - near && at[1] < p.y + 8 * LETTERS;
    }
    return there;
}

/* The names of joints beside their points; of several at one point below each other. */
static void draw_names(RbvDrawing *drawing) {
    const RbvScene *scene = drawing->scene;
    int32_t joints = 0;
    for (int32_t k = 0; k < scene->thing_count; k++)
        joints += scene->things[k].kind == RBV_SCENE_JOINT;
    rbv_drawing_layer(drawing, RBV_LAYER_WORDS, 0);
    for (int32_t k = 0; joints <= MOST_NAMES && k < scene->thing_count; k++) {
        const RbvSceneThing *thing = &scene->things[k];
        int32_t at = thing->point >= 0 ? thing->point : thing->marker[1];
        if (thing->kind != RBV_SCENE_JOINT || at < 0)
            continue;
        const RbvSceneMarker *marker = &scene->markers[at];
        double above = 0.35 * scene->symbol * drawing->paper.scale + 3;
        RbvSpot p = rbv_paper_at(&drawing->paper, rbv_place_point(&drawing->places[marker->body], marker->at));
        p.x += above, p.y -= above;
        int there = names_there(drawing, p, 0.8 * LETTERS);
        drawing->strokes.name = NULL;
        if (there < MOST_STACKED)
            rbv_strokes_words(&drawing->strokes, p.x, p.y + 1.1 * LETTERS * there, thing->name, &(RbvLettering){.size = LETTERS, .colour = "#333333"});
    }
}

/* How the verdicts are drawn, in a line below. */
static void draw_legend(RbvPen *pen, double width, double y) {
    static const RbvVerdict verdicts[] = {RBV_UNIQUE, RBV_NOT_UNIQUE, RBV_COMPLIANCE, RBV_UNSURE};
    double x = width / 2 - 210;
    for (int k = 0; k < 4; k++, x += 110) {
        rbv_pen_lines(pen, 2, (const double[][2]){{x, y - 4}, {x + 26, y - 4}}, false, rbv_verdict_ink(verdicts[k]));
        rbv_pen_text(pen, x + 31, y, rbv_verdict_name(verdicts[k]), &(RbvLettering){.size = LETTERS, .colour = "#333333"});
    }
}

/* All poses are on the sheet: how high is it? */
static bool fit(RbvDrawing *drawing, const RbvSketch *sketch, double width, double *height, bool arrows) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1;
    for (int32_t k = 0; k < poses; k++) {
        if (!take_places(drawing, sample_of(drawing->result, sketch, k)))
            return false;
        for (int32_t f = 0; f < drawing->scene->figure_count; f++)
            rbv_see_figure(drawing, &drawing->scene->figures[f]);
    }
    double margin = MARGIN + (arrows ? ARROWS : 0);
    double wide = drawing->paper.high[0] - drawing->paper.low[0], tall = drawing->paper.high[1] - drawing->paper.low[1];
    double aspect = wide > 0 && tall >= 0 ? tall / wide : 1;
    if (!(*height > 0))
        *height = fmin(TALLEST * width, fmax(FLATTEST * width, aspect * (width - 2 * margin) + 2 * margin));
    rbv_paper_fit(&drawing->paper, width, *height, margin);
    return true;
}

/* Has the sample forces of joints? Those of check have none. */
static bool has_reactions(const RbvResult *result, const RbvScene *scene, int32_t sample) {
    RbvSceneWrench wrench;
    for (int32_t k = 0; k < scene->thing_count; k++)
        if (scene->things[k].kind == RBV_SCENE_JOINT && rbv_result_wrench(result, sample, k, &wrench))
            return true;
    return false;
}

static char *draw_sheet(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch) {
    const RbvResult *result = drawing->result;
    double width = sketch->width > 0 ? sketch->width : WIDTH, height = sketch->height;
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1, last = sample_of(result, sketch, poses - 1);
    bool stress = sketch->self_stress > 0, reactions = sketch->reactions && !stress && !drawing->scene->failure && has_reactions(result, drawing->scene, last);
    bool arrows = stress || reactions;
    const char *title = sketch->title ? sketch->title : result->title ? result->title : "";
    RbvPen pen;
    if (!fit(drawing, sketch, width, &height, arrows))
        return NULL;
    double top = *title ? HEADING : 0;
    drawing->paper.y += top;
    for (int32_t k = 0; k < poses; k++)
        if (!draw_pose(drawing, k + 1 < poses ? sample_of(result, sketch, k) : last, k + 1 < poses))
            return NULL;
    if (stress)
        rbv_drawing_self_stress(drawing, sketch->self_stress - 1);
    else if (reactions)
        rbv_drawing_reactions(drawing, last, view);
    rbv_drawing_gaps(drawing);
    if (sketch->names)
        draw_names(drawing);
    rbv_pen_begin(&pen, width, height + top + (arrows ? LEGEND : 0), *title ? title : "mechanism");
    if (*title)
        rbv_pen_text(&pen, MARGIN, 24, title, &(RbvLettering){.size = 14, .bold = true});
    rbv_strokes_draw(&drawing->strokes, &pen);
    if (arrows)
        draw_legend(&pen, width, height + top + LEGEND - 12);
    return rbv_pen_end(&pen);
}

RbvStatus rbv_result_sketch(const RbvResult *result, const RbvView *view, const RbvSketch *given, RbvDiagnostics *diagnostics, char **svg) {
    const RbvSketch usual = rbv_sketch_default(), *sketch = given ? given : &usual;
    const RbvView all = rbv_view_default();
    if (!result || !svg)
        return RBV_BAD_ARGUMENT;
    *svg = NULL;
    const RbvScene *scene = rbv_result_scene(result);
    if (!scene) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s has no picture of the mechanism", result->analysis);
        return RBV_BAD_INPUT;
    }
    if (sketch->self_stress > result->mode_count) {
        if (result->mode_count == 0)
            rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "there is no self-stress to draw: every reaction is determined");
        else
            rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "there is no self-stress %d; there are %d", (int)sketch->self_stress, (int)result->mode_count);
        return RBV_BAD_INPUT;
    }
    RbvDrawing drawing = {.result = result, .scene = scene, .paper = rbv_paper_of(scene, sketch->viewpoint)};
    *svg = draw_sheet(&drawing, view ? view : &all, sketch);
    rbv_strokes_clear(&drawing.strokes);
    rbv_arena_clear(&drawing.arena);
    free(drawing.places);
    return *svg ? RBV_OK : RBV_NO_MEMORY;
}
