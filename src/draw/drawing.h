/* A drawing while it is made: the scene on paper at one sample. */
#ifndef RBV_DRAW_DRAWING_H
#define RBV_DRAW_DRAWING_H

#include "base/arena.h"
#include "draw/paper.h"
#include "draw/strokes.h"

#define RBV_SAID 6
#define RBV_SAID_SIZE 200
/* The colour of what is not unique. */
#define RBV_TWICE "#d55e00"

typedef struct RbvDrawing {
    const RbvResult *result;
    const RbvScene *scene;
    RbvPaper paper;
    RbvPlace *places; /* [scene->body_count] of the pose that is drawn now */
    RbvStrokes strokes;
    bool faint; /* an earlier pose */
    double
        nearer; /* [m] In space symbols come forward by their size: the bodies that they join begin in their middle */
    bool shown[RBV_NOT_UNIQUE + 1]; /* verdicts of the arrows of reactions and efforts */
    bool loads;                     /* there are arrows of loads */
    const RbvSceneMotion *motion;   /* a virtual motion that is drawn; NULL: none */
    bool *twice;                    /* [things] held twice; NULL: not looked for */
    int said_count;                 /* sentences below the picture */
    char said[RBV_SAID][RBV_SAID_SIZE];
    RbvArena arena; /* of words */
} RbvDrawing;

/* Strokes that come now: a layer of the plane (in space everything lies where its depth says), and in what it stands.
 */
void rbv_drawing_layer(RbvDrawing *drawing, RbvLayer layer, double depth);
double rbv_drawing_depth(const RbvDrawing *drawing, double depth);
/* As the role has it; faint where the pose is an earlier one. `thick`: times the usual line. */
RbvInk rbv_drawing_ink(const RbvDrawing *drawing, const RbvSceneFigure *figure, double thick);

/* A circle of radius r [m] about `at` in the plane of axes u, v, or the part of it from angle a to b [rad], as points;
 * not yet a stroke. */
void rbv_drawing_arc(RbvDrawing *drawing, RbvVec3 at, RbvVec3 u, RbvVec3 v, double r, double a, double b);
/* The hull of all points since the last stroke takes their place, counterclockwise as seen: to be made a stroke. */
void rbv_drawing_hull(RbvDrawing *drawing);

/* Solids: boxes, cylinders, cones, spheres, wheels of space, meshes (solids.c). False: it is none. */
bool rbv_drawing_solid(RbvDrawing *drawing, const RbvSceneFigure *figure);
/* Any figure. */
void rbv_drawing_figure(RbvDrawing *drawing, const RbvSceneFigure *figure);
/* The box of what the figure covers grows. */
void rbv_see_figure(RbvDrawing *drawing, const RbvSceneFigure *figure);

/* How a value of this verdict is drawn: line, colour, and fill of the head. */
const RbvInk *rbv_verdict_ink(RbvVerdict verdict);
const RbvInk *rbv_load_ink(void);
/* Forces and torques of joints; or the shares of a self-stress (from 0) in their place: arrows (arrows.c). */
void rbv_drawing_reactions(RbvDrawing *drawing, int32_t sample, const RbvView *view);
void rbv_drawing_self_stress(RbvDrawing *drawing, int32_t mode);
/* Words beside a point [px], a few lines up or down where others stand, or lines, already; the names of joints that no
 * arrow says (labels.c). */
void rbv_drawing_words(RbvDrawing *drawing, double x, double y, const char *words, const RbvLettering *lettering);
/* Words around a point, about `beside` px from it. */
void rbv_drawing_words_about(RbvDrawing *drawing, double x, double y, double beside, const char *words,
                             const RbvLettering *lettering);
void rbv_drawing_names(RbvDrawing *drawing);
/* Where a thing is, in ground's axes (things.c). False: nowhere. */
bool rbv_drawing_place_of(const RbvDrawing *drawing, int32_t item, RbvVec3 *at);
/* What is held twice (twice.c): found once, then asked and drawn. False: no memory. */
bool rbv_drawing_find_twice(RbvDrawing *drawing);
bool rbv_drawing_is_twice(const RbvDrawing *drawing, int32_t item);
void rbv_drawing_twice(RbvDrawing *drawing);
double rbv_drawing_ring(const RbvDrawing *drawing); /* [px] */
/* A virtual motion (virtual.c): its number from 1, or its name (NULL: there is none); the bodies moved on by it; its
 * arrows. */
const RbvSceneMotion *rbv_find_motion(const RbvScene *scene, const char *word);
void rbv_drawing_displace(RbvDrawing *drawing, const RbvSceneMotion *motion);
void rbv_drawing_motion(RbvDrawing *drawing, const RbvSceneMotion *motion);
/* A sentence below the picture. */
void rbv_drawing_report(RbvDrawing *drawing, const char *text);
/* All that stands there (legend.c): its height [px]; it is drawn. */
double rbv_drawing_legend_height(const RbvDrawing *drawing);
void rbv_drawing_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y);
/* What is left open where a mechanism does not close. */
void rbv_drawing_gaps(RbvDrawing *drawing);
/* An arrow by its ends [px], and a turning one about an axis [m]. */
void rbv_drawing_arrow(RbvDrawing *drawing, RbvSpot from, RbvSpot to, const RbvInk *ink);
void rbv_drawing_turning(RbvDrawing *drawing, RbvVec3 at, RbvVec3 axis, double radius, const RbvInk *ink);

#endif
