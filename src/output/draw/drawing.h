/* State of a drawing: the scene of one sample, projected to paper and collected as strokes. */
#ifndef RBV_OUTPUT_DRAW_DRAWING_H
#define RBV_OUTPUT_DRAW_DRAWING_H

#include "core/base/arena.h"
#include "output/draw/paper.h"
#include "output/draw/strokes.h"

#define RBV_SAID 6
#define RBV_SAID_SIZE 200
/* Colour of items whose reactions are not unique. */
#define RBV_TWICE "#d55e00"

typedef struct RbvDrawing {
    const RbvResult *result;
    const RbvScene *scene;
    RbvPaper paper;
    RbvPlace *places; /* [scene->body_count] frames of the bodies at the pose that is drawn now */
    RbvStrokes strokes;
    bool faint;    /* draws an earlier pose, in faint ink */
    double nearer; /* [m] In space, depth added to symbols so that they lie in front of bodies, which begin in the
                      middle of the symbols */
    bool shown[RBV_NOT_UNIQUE + 1]; /* [verdict] the drawing has an arrow of a reaction or effort with this verdict */
    bool loads;                     /* the drawing has arrows of loads */
    const RbvSceneMotion *motion;   /* a virtual motion that is drawn; NULL: none */
    bool *twice;    /* [scene->item_count] the reactions of this item are not unique; NULL: not computed */
    int said_count; /* number of sentences below the picture */
    char said[RBV_SAID][RBV_SAID_SIZE];
    RbvArena arena; /* memory of words */
} RbvDrawing;

/* Sets layer and depth [m] of the strokes that follow. In the plane the layer orders the strokes; in space the depth
 * does. */
void rbv_drawing_layer(RbvDrawing *drawing, RbvLayer layer, double depth);
double rbv_drawing_depth(const RbvDrawing *drawing, double depth);
/* Ink of a figure by its role; faint for an earlier pose. thick: factor on the usual line width. */
RbvInk rbv_drawing_ink(const RbvDrawing *drawing, const RbvSceneFigure *figure, double thick);

/* Adds the points of a circle of radius r [m] about `at` in the plane of the axes u, v, or of its arc from angle a to b
 * [rad]. The caller makes the stroke. */
void rbv_drawing_arc(RbvDrawing *drawing, RbvVec3 at, RbvVec3 u, RbvVec3 v, double r, double a, double b);
/* Replaces all points since the last stroke by their convex hull, counterclockwise as seen. The caller makes the
 * stroke. */
void rbv_drawing_hull(RbvDrawing *drawing);

/* Draws a solid: box, cylinder, cone, sphere, wheel in space, mesh (solids.c). False: the figure is no solid. */
bool rbv_drawing_solid(RbvDrawing *drawing, const RbvSceneFigure *figure);
/* Draws any figure. */
void rbv_drawing_figure(RbvDrawing *drawing, const RbvSceneFigure *figure);
/* Extends the box of what has been seen (rbv_paper_see) by the figure. */
void rbv_see_figure(RbvDrawing *drawing, const RbvSceneFigure *figure);

/* Ink of an arrow: line, colour and fill of the head; of a reaction or effort by its verdict, or of a load. */
const RbvInk *rbv_verdict_ink(RbvVerdict verdict);
const RbvInk *rbv_load_ink(void);
/* Arrows of the forces and torques of joints, drives, loads and stops at a sample; or of the shares of self-stress
 * number `mode` (from 0) instead (arrows.c). */
void rbv_drawing_reactions(RbvDrawing *drawing, int32_t sample, const RbvView *view);
void rbv_drawing_self_stress(RbvDrawing *drawing, int32_t mode);
/* Words beside a point [px], moved a few lines up or down where other words or lines are in the way (labels.c). */
void rbv_drawing_words(RbvDrawing *drawing, double x, double y, const char *words, const RbvLettering *lettering);
/* Words around a point, at about `beside` [px] from the point (labels.c). */
void rbv_drawing_words_about(RbvDrawing *drawing, double x, double y, double beside, const char *words,
                             const RbvLettering *lettering);
void rbv_drawing_names(RbvDrawing *drawing);
/* Position [m] of an item in ground's axes (things.c). False: the item has no position. */
bool rbv_drawing_place_of(const RbvDrawing *drawing, int32_t item, RbvVec3 *at);
/* Items whose reactions are not unique (twice.c): computed once, then queried and drawn as rings. find_twice returns
 * false if out of memory. */
bool rbv_drawing_find_twice(RbvDrawing *drawing);
bool rbv_drawing_is_twice(const RbvDrawing *drawing, int32_t item);
void rbv_drawing_twice(RbvDrawing *drawing);
double rbv_drawing_ring(const RbvDrawing *drawing); /* radius of the ring [px] */
/* Virtual motion (virtual.c): find_motion finds it by its number from 1 or by its name (NULL: not found); displace
 * moves the bodies by it; motion draws its arrows. */
const RbvSceneMotion *rbv_find_motion(const RbvScene *scene, const char *word);
void rbv_drawing_displace(RbvDrawing *drawing, const RbvSceneMotion *motion);
void rbv_drawing_motion(RbvDrawing *drawing, const RbvSceneMotion *motion);
/* Adds a sentence below the picture; RBV_SAID sentences at most. */
void rbv_drawing_report(RbvDrawing *drawing, const char *text);
/* Legend below the picture (legend.c): its height [px], and drawing it at height y [px]. */
double rbv_drawing_legend_height(const RbvDrawing *drawing);
void rbv_drawing_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y);
/* Draws the gaps of a mechanism that does not close. */
void rbv_drawing_gaps(RbvDrawing *drawing);
/* Draws an arrow between two ends [px], and a turning arrow of `radius` [m] about an axis through `at` [m]. */
void rbv_drawing_arrow(RbvDrawing *drawing, RbvSpot from, RbvSpot to, const RbvInk *ink);
void rbv_drawing_turning(RbvDrawing *drawing, RbvVec3 at, RbvVec3 axis, double radius, const RbvInk *ink);

#endif
