/* The still picture: poses of the mechanism over each other, its reactions, their legend. */
#include <roberval/draw.h>

#include "base/diagnostics.h"
#include "draw/drawing.h"
#include "result/view.h"

#include <stdlib.h>
#include <string.h>

/* [px] */
#define WIDTH 720
#define EDGE 14
#define HEADING 34
#define LEGEND 30
#define LEGEND_ITEM 110
#define LETTERS 11
/* Height over width of the picture: of one without anything, and at most. */
#define FLATTEST 0.28
#define TALLEST 1.25
/* How often the scale is found again, and how much of the sheet what stands out may take on each side. */
#define MOST_FITS 5
#define MOST_MARGIN 0.4

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

/* A load's arrow of no measured length. */
static bool is_pointer(const RbvSceneFigure *figure) {
    return figure->role == RBV_SCENE_OF_LOAD && (figure->kind == RBV_SCENE_ARROW || figure->kind == RBV_SCENE_TURNING);
}

/* `measured`: forces are drawn to scale, loads' own too. */
static bool draw_pose(RbvDrawing *drawing, int32_t sample, bool faint, bool measured) {
    if (!take_places(drawing, sample))
        return false;
    drawing->faint = faint;
    for (int32_t k = 0; k < drawing->scene->figure_count; k++) {
        const RbvSceneFigure *figure = &drawing->scene->figures[k];
        if (measured && is_pointer(figure))
            continue;
        if (!faint || (moves(figure) && figure->role != RBV_SCENE_OF_LOAD && figure->role != RBV_SCENE_OF_DRIVE))
            rbv_drawing_figure(drawing, figure);
    }
    drawing->strokes.name = NULL;
    drawing->nearer = 0;
    return true;
}

/* How the verdicts that occur are drawn, in a line below. */
static void draw_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y) {
    static const RbvVerdict verdicts[] = {RBV_UNIQUE, RBV_NOT_UNIQUE, RBV_COMPLIANCE, RBV_UNSURE};
    int count = 0;
    for (int k = 0; k < 4; k++)
        count += drawing->shown[verdicts[k]];
    double x = (width - LEGEND_ITEM * count) / 2;
    for (int k = 0; k < 4; k++) {
        if (!drawing->shown[verdicts[k]])
            continue;
        rbv_pen_lines(pen, 2, (const double[][2]){{x, y - 4}, {x + 26, y - 4}}, false, rbv_verdict_ink(verdicts[k]));
        rbv_pen_text(pen, x + 31, y, rbv_verdict_name(verdicts[k]), &(RbvLettering){.size = LETTERS, .colour = "#333333"});
        x += LEGEND_ITEM;
    }
}

/* What the figures of all poses cover [m]. */
static bool see_poses(RbvDrawing *drawing, const RbvSketch *sketch) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1;
    for (int32_t k = 0; k < poses; k++) {
        if (!take_places(drawing, sample_of(drawing->result, sketch, k)))
            return false;
        for (int32_t f = 0; f < drawing->scene->figure_count; f++)
            rbv_see_figure(drawing, &drawing->scene->figures[f]);
    }
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

static bool draw_all(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1, last = sample_of(drawing->result, sketch, poses - 1);
    bool stress = sketch->self_stress > 0, reactions = sketch->reactions && !stress && !drawing->scene->failure && has_reactions(drawing->result, drawing->scene, last);
    for (int32_t k = 0; k < poses; k++)
        if (!draw_pose(drawing, k + 1 < poses ? sample_of(drawing->result, sketch, k) : last, k + 1 < poses, reactions))
            return false;
    if (stress)
        rbv_drawing_self_stress(drawing, sketch->self_stress - 1);
    else if (reactions)
        rbv_drawing_reactions(drawing, last, view);
    rbv_drawing_gaps(drawing);
    if (sketch->names)
        rbv_drawing_names(drawing);
    return true;
}

/* Arrows and words have their lengths in px, and stand out from the figures by what is known when they are drawn: then the scale is made smaller until all are on the sheet, which is cut above and below. */
static bool draw_fitting(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch, double width, double *height) {
    bool cut = !(*height > 0);
    double size[2] = {width, cut ? TALLEST * width : *height}, margin[2] = {EDGE, EDGE};
    RbvFrame frame = {{0, 0}, {0, 0}};
    if (!see_poses(drawing, sketch))
        return false;
    for (int k = 0; k < MOST_FITS; k++) {
        rbv_strokes_clear(&drawing->strokes);
        rbv_paper_fit(&drawing->paper, size[0], size[1], margin);
        if (!draw_all(drawing, view, sketch))
            return false;
        bool fits = true;
        if (!rbv_strokes_bounds(&drawing->strokes, &frame))
            frame = (RbvFrame){{EDGE, EDGE}, {width - EDGE, FLATTEST * width}};
        for (int n = 0; n < 2; n++) {
            double over = frame.high[n] - frame.low[n] + 2 * EDGE - size[n];
            fits = fits && over < 0.5;
            margin[n] = fmin(margin[n] + fmax(0, over) / 2, MOST_MARGIN * size[n]);
        }
        if (fits)
            break;
    }
    if (cut)
        *height = frame.high[1] - frame.low[1] + 2 * EDGE;
    rbv_strokes_shift(&drawing->strokes, (width - frame.low[0] - frame.high[0]) / 2, (*height - frame.low[1] - frame.high[1]) / 2);
    return true;
}

static char *draw_sheet(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch) {
    double width = sketch->width > 0 ? sketch->width : WIDTH, height = sketch->height;
    const char *title = sketch->title ? sketch->title : drawing->result->title ? drawing->result->title : "";
    RbvPen pen;
    if (!draw_fitting(drawing, view, sketch, width, &height))
        return NULL;
    bool arrows = false;
    for (size_t k = 0; k < sizeof drawing->shown / sizeof *drawing->shown; k++)
        arrows = arrows || drawing->shown[k];
    double top = *title ? HEADING : 0;
    rbv_strokes_shift(&drawing->strokes, 0, top);
    rbv_pen_begin(&pen, width, height + top + (arrows ? LEGEND : 0), *title ? title : "mechanism");
    if (*title)
        rbv_pen_text(&pen, EDGE, 24, title, &(RbvLettering){.size = 14, .bold = true});
    rbv_strokes_draw(&drawing->strokes, &pen);
    if (arrows)
        draw_legend(drawing, &pen, width, height + top + LEGEND - 12);
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
