/* Draws the still picture: poses of the mechanism over each other, its reactions, a legend. */
#include <roberval/draw.h>

#include "core/base/diagnostics.h"
#include "model/result/result.h"
#include "output/draw/drawing.h"
#include "output/draw/shapes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [px] */
#define SKETCH_WIDTH 720
#define EDGE 14
#define HEADING 34
/* Height over width of the picture: of an empty one, and the largest. */
#define FLATTEST 0.28
#define TALLEST 1.25
/* Largest number of iterations for the scale; largest part of the sheet used on each side for what extends beyond the
 * figures. */
#define MOST_FITS 5
#define MOST_MARGIN 0.4

const RbvSketch rbv_sketch_default = {.width = SKETCH_WIDTH, .reactions = true, .names = true};

/* Tolerance of a pose's time at the ends of the series, as a part of the largest time: times are written in decimals.
 */
#define SAME_TIME 1e-9

/* The sample whose first column is nearest to `value`. */
static int32_t sample_near(const RbvResult *result, double value) {
    int32_t best = 0;
    for (int32_t s = 1; s < result->sample_count; s++)
        if (fabs(rbv_result_value(result, s, 0) - value) < fabs(rbv_result_value(result, best, 0) - value))
            best = s;
    return best;
}

static int32_t sample_of(const RbvResult *result, const RbvSketch *sketch, int32_t pose) {
    if (result->sample_count == 0 || sketch->virtual_motion)
        return -1;
    return sketch->time_count ? sample_near(result, sketch->times[pose]) : 0;
}

/* Does the figure belong to a moving body? Ground is drawn once. */
static bool moves(const RbvSceneFigure *figure) {
    return figure->on[0] > 0 || figure->on[1] > 0;
}

/* Is the figure an arrow of a load or drive, without a length to scale? */
static bool is_pointer(const RbvSceneFigure *figure) {
    return (figure->role == RBV_SCENE_OF_LOAD || figure->role == RBV_SCENE_OF_DRIVE) &&
           (figure->kind == RBV_SCENE_ARROW || figure->kind == RBV_SCENE_TURNING);
}

/* Draws the bodies of a pose. measured: forces are drawn to scale, also those of loads, instead of their symbols. */
static void draw_pose(RbvDrawing *drawing, int32_t sample, bool faint, bool measured) {
    rbv_places_at(drawing->result, sample, drawing->places);
    if (faint && drawing->motion)
        rbv_drawing_displace(drawing, drawing->motion);
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
}

/* Extends guides over all poses that are drawn. */
static bool spread_guides(RbvDrawing *drawing, RbvScene *spread, const RbvSketch *sketch) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1,
            *samples = rbv_arena_array(&drawing->arena, (size_t)poses, sizeof *samples);
    for (int32_t k = 0; samples && k < poses; k++)
        samples[k] = sample_of(drawing->result, sketch, k);
    bool good = samples && rbv_guides_spread(drawing->result, samples, poses, &drawing->arena, spread);
    drawing->scene = good ? spread : drawing->scene;
    return good;
}

/* Extends the box of what has been seen by the figures of all poses [m]. */
static void see_poses(RbvDrawing *drawing, const RbvSketch *sketch) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1;
    for (int32_t k = 0; k < poses; k++) {
        rbv_places_at(drawing->result, sample_of(drawing->result, sketch, k), drawing->places);
        for (int32_t f = 0; f < drawing->scene->figure_count; f++)
            rbv_see_figure(drawing, &drawing->scene->figures[f]);
    }
    if (drawing->motion)
        rbv_drawing_displace(drawing, drawing->motion);
    for (int32_t f = 0; drawing->motion && f < drawing->scene->figure_count; f++)
        rbv_see_figure(drawing, &drawing->scene->figures[f]);
}

/* Does the sample have reactions of joints? A result of check has none. */
static bool has_reactions(const RbvResult *result, const RbvScene *scene, int32_t sample) {
    RbvSceneWrench wrench;
    for (int32_t k = 0; k < scene->item_count; k++)
        if (scene->items[k].kind == RBV_SCENE_JOINT && rbv_result_wrench(result, sample, k, &wrench))
            return true;
    return false;
}

/* Draws arrows, rings, gaps and names over the last pose. */
static void draw_over(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch, int32_t sample,
                      bool reactions) {
    drawing->sentence_count = 0;
    if (drawing->motion)
        rbv_drawing_motion(drawing, drawing->motion);
    else if (sketch->self_stress > 0)
        rbv_drawing_self_stress(drawing, sketch->self_stress - 1);
    else if (reactions)
        rbv_drawing_reactions(drawing, sample, view);
    else if (sketch->reactions)
        rbv_drawing_twice(drawing);
    rbv_drawing_gaps(drawing);
    if (sketch->names)
        rbv_drawing_names(drawing);
}

static bool draw_all(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch) {
    int32_t poses = sketch->time_count > 0 ? sketch->time_count : 1,
            last = sample_of(drawing->result, sketch, poses - 1);
    bool stress = sketch->self_stress > 0, reactions = sketch->reactions && !stress && !drawing->motion &&
                                                       !drawing->scene->failure &&
                                                       has_reactions(drawing->result, drawing->scene, last);
    if (sketch->reactions && !stress && !reactions && !drawing->motion && !drawing->twice &&
        !rbv_drawing_find_twice(drawing))
        return false;
    if (drawing->motion)
        draw_pose(drawing, last, true, false);
    for (int32_t k = 0; k < poses; k++)
        draw_pose(drawing, k + 1 < poses ? sample_of(drawing->result, sketch, k) : last, k + 1 < poses, reactions);
    draw_over(drawing, view, sketch, last, reactions);
    return true;
}

/* Draws the sheet to fit. Arrows and words have lengths in px, and how far they extend beyond the figures is known only
 * when they are drawn: the scale is reduced until all are on the sheet. Empty space above and below is cut off. */
static bool draw_fitting(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch, double width,
                         double *height) {
    bool cut = !(*height > 0);
    double size[2] = {width, cut ? TALLEST * width : *height}, margin[2] = {EDGE, EDGE};
    RbvFrame frame = {{0, 0}, {0, 0}};
    see_poses(drawing, sketch);
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
    rbv_strokes_shift(&drawing->strokes, (width - frame.low[0] - frame.high[0]) / 2,
                      (*height - frame.low[1] - frame.high[1]) / 2);
    return true;
}

static char *draw_sheet(RbvDrawing *drawing, const RbvView *view, const RbvSketch *sketch) {
    double width = sketch->width > 0 ? sketch->width : SKETCH_WIDTH, height = sketch->height;
    const char *own = drawing->result->title ? drawing->result->title : "",
               *title = sketch->title ? sketch->title : own;
    RbvPen pen;
    if (!draw_fitting(drawing, view, sketch, width, &height))
        return NULL;
    double top = *title ? HEADING : 0;
    rbv_strokes_shift(&drawing->strokes, 0, top);
    rbv_pen_begin(&pen, width, height + top + rbv_drawing_legend_height(drawing), *title ? title : "mechanism");
    if (*title)
        rbv_pen_text(&pen, EDGE, 24, title, &(RbvLettering){.size = 14, .bold = true});
    rbv_strokes_draw(&drawing->strokes, &pen);
    rbv_drawing_legend(drawing, &pen, width, height + top);
    return rbv_pen_end(&pen);
}

static RbvStatus refuse_sketch(RbvDiagnostics *diagnostics, const char *format, const char *a, int32_t b) {
    char text[400];
    snprintf(text, sizeof text, format, a, (int)b);
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s", text);
    return RBV_BAD_INPUT;
}

/* Checks that the result has the requested self-stress or virtual motion; RBV_BAD_INPUT with an error if not. */
static RbvStatus find_requested(RbvDrawing *drawing, const RbvSketch *sketch, RbvDiagnostics *diagnostics) {
    const RbvResult *result = drawing->result;
    const RbvScene *scene = drawing->scene;
    char text[100];
    if (sketch->self_stress > result->mode_count && result->mode_count == 0)
        return refuse_sketch(diagnostics, "there is no self-stress to draw: every reaction is determined%s", "", 0);
    snprintf(text, sizeof text, "%d", (int)sketch->self_stress);
    if (sketch->self_stress > result->mode_count)
        return refuse_sketch(diagnostics, "there is no self-stress %s; there are %d", text, result->mode_count);
    if (!sketch->virtual_motion)
        return RBV_OK;
    if (scene->motion_count < 0)
        return refuse_sketch(diagnostics,
                             scene->failure ? "there is no virtual motion of a machine that is wrong%s"
                                            : "virtual motions are not looked for in so large a machine%s",
                             "", 0);
    if (scene->motion_count == 0)
        return refuse_sketch(
            diagnostics, "there is no virtual motion to draw: nothing is free, and no drive moves anything%s", "", 0);
    drawing->motion = rbv_find_motion(scene, sketch->virtual_motion);
    if (!drawing->motion)
        return refuse_sketch(
            diagnostics,
            "there is no virtual motion '%.200s'; there are %d, and each has the name of its freedom or drive",
            sketch->virtual_motion, scene->motion_count);
    if (drawing->motion->body_count == 0)
        return refuse_sketch(diagnostics, "nothing that is seen moves in the virtual motion '%.200s'",
                             drawing->motion->name, 0);
    return RBV_OK;
}

/* Checks that all requested times lie between the first and the last sample; RBV_BAD_INPUT with an error if not. */
static RbvStatus find_times(const RbvResult *result, const RbvSketch *sketch, RbvDiagnostics *diagnostics) {
    char text[300];
    double least = INFINITY, most = -INFINITY;
    if (sketch->time_count == 0 || rbv_result_is_bare(result))
        return RBV_OK;
    for (int32_t s = 0; s < result->sample_count; s++) {
        least = fmin(least, rbv_result_value(result, s, 0));
        most = fmax(most, rbv_result_value(result, s, 0));
    }
    double same = SAME_TIME * fmax(fabs(least), fabs(most));
    for (int32_t k = 0; k < sketch->time_count; k++) {
        double time = sketch->times[k];
        if (time >= least - same && time <= most + same)
            continue;
        const char *unit = result->sample_count > 0 && result->columns[0].unit ? result->columns[0].unit : "";
        if (result->sample_count == 0)
            snprintf(text, sizeof text, "there is no pose at %g: %s has one state and no samples", time,
                     result->analysis);
        else
            snprintf(text, sizeof text, "there is no pose at %s = %g %s: the samples go from %g to %g %s",
                     result->columns[0].name, time, unit, least, most, unit);
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s", text);
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

RbvStatus rbv_result_sketch(const RbvResult *result, const RbvView *view, const RbvSketch *given,
                            RbvDiagnostics *diagnostics, char **svg) {
    const RbvSketch *sketch = given ? given : &rbv_sketch_default;
    if (!result || !svg)
        return RBV_BAD_ARGUMENT;
    *svg = NULL;
    const RbvScene *scene = rbv_result_scene(result);
    if (!scene) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0}, "%s has no picture of the mechanism",
                     result->analysis);
        return RBV_BAD_INPUT;
    }
    RbvDrawing drawing = {.result = result, .scene = scene, .paper = rbv_paper_of(scene, sketch->viewpoint)};
    RbvStatus status = find_times(result, sketch, diagnostics);
    if (status == RBV_OK)
        status = find_requested(&drawing, sketch, diagnostics);
    if (status != RBV_OK)
        return status;
    RbvScene spread;
    drawing.places = rbv_arena_array(&drawing.arena, (size_t)scene->body_count, sizeof *drawing.places);
    if (drawing.places && spread_guides(&drawing, &spread, sketch))
        *svg = draw_sheet(&drawing, view ? view : &rbv_view_default, sketch);
    rbv_strokes_clear(&drawing.strokes);
    rbv_arena_clear(&drawing.arena);
    return *svg ? RBV_OK : RBV_NO_MEMORY;
}
