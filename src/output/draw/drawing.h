/* A drawing: the scene of one sample, projected to paper and collected as strokes. */
#ifndef RBV_OUTPUT_DRAW_DRAWING_H
#define RBV_OUTPUT_DRAW_DRAWING_H

#include "core/base/arena.h"
#include "core/linalg/small.h"
#include "output/draw/pen.h"

#include <roberval/draw.h>

/* Parallel projection of points of the mechanism to paper. */
typedef struct RbvPaper {
    RbvVec3 right, up, toward; /* unit vectors in ground's axes; toward: to the eye */
    double scale;              /* [px/m] */
    double x, y;               /* [px] position of ground's origin */
    double low[2], high[2];    /* [m] box along right and up of all that has been seen (rbv_paper_see) */
} RbvPaper;

typedef struct RbvSpot {
    double x, y, depth; /* position on paper [px]; depth towards the eye [m] */
} RbvSpot;

/* Projection of a scene from a viewpoint; the box of what has been seen is empty. */
RbvPaper rbv_paper_of(const RbvScene *scene, RbvViewpoint viewpoint);
/* Extends the box of what has been seen by a point [m] with a margin `around` [m]. */
void rbv_paper_see(RbvPaper *paper, RbvVec3 point, double around);
/* Sets scale and origin so that the box fits into width x height [px], less margin[0] at the sides and margin[1] above
 * and below, centred. */
void rbv_paper_fit(RbvPaper *paper, double width, double height, const double margin[2]);

/* Position on paper of a point p [m] in ground's axes. */
static inline RbvSpot rbv_paper_at(const RbvPaper *paper, RbvVec3 p) {
    return (RbvSpot){paper->x + paper->scale * rbv_dot(paper->right, p),
                     paper->y - paper->scale * rbv_dot(paper->up, p), rbv_dot(paper->toward, p)};
}

/* Frame of a body at a sample: origin [m] and axes, in ground's axes. */
typedef struct RbvPlace {
    RbvVec3 at;
    RbvMat3 A;
} RbvPlace;
/* places[scene->body_count]: frames of all bodies at a sample. */
void rbv_places_at(const RbvResult *result, int32_t sample, RbvPlace *places);

/* Point p [m] of a body, in ground's axes. */
static inline RbvVec3 rbv_place_point(const RbvPlace *place, const double p[3]) {
    return rbv_add(place->at, rbv_apply(&place->A, (RbvVec3){p[0], p[1], p[2]}));
}
/* Axes, in ground's axes, of a quaternion turn[4] = (w, x, y, z) relative to a body. */
RbvMat3 rbv_place_axes(const RbvPlace *place, const double turn[4]);

#define RBV_SENTENCES 6
#define RBV_SENTENCE_SIZE 200
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
    bool *twice;        /* [scene->item_count] the reactions of this item are not unique; NULL: not computed */
    int sentence_count; /* number of sentences below the picture */
    char sentences[RBV_SENTENCES][RBV_SENTENCE_SIZE];
    RbvArena arena; /* memory of all but the strokes */
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
/* Items whose reactions are not unique (labels.c): computed once, then queried and drawn as rings. find_twice returns
 * false if out of memory. */
bool rbv_drawing_find_twice(RbvDrawing *drawing);
void rbv_drawing_twice(RbvDrawing *drawing);
/* Virtual motion (arrows.c): find_motion finds it by its number from 1 or by its name (NULL: not found); displace
 * moves the bodies by it; motion draws its arrows. */
const RbvSceneMotion *rbv_find_motion(const RbvScene *scene, const char *word);
void rbv_drawing_displace(RbvDrawing *drawing, const RbvSceneMotion *motion);
void rbv_drawing_motion(RbvDrawing *drawing, const RbvSceneMotion *motion);
/* Adds a sentence below the picture; RBV_SENTENCES sentences at most. */
void rbv_drawing_report(RbvDrawing *drawing, const char *text);
/* Legend below the picture (labels.c): its height [px], and drawing it at height y [px]. */
double rbv_drawing_legend_height(const RbvDrawing *drawing);
void rbv_drawing_legend(const RbvDrawing *drawing, RbvPen *pen, double width, double y);
/* Draws the gaps of a mechanism that does not close. */
void rbv_drawing_gaps(RbvDrawing *drawing);
/* Draws an arrow between two ends [px], and a turning arrow of `radius` [m] about an axis through `at` [m]. */
void rbv_drawing_arrow(RbvDrawing *drawing, RbvSpot from, RbvSpot to, const RbvInk *ink);
void rbv_drawing_turning(RbvDrawing *drawing, RbvVec3 at, RbvVec3 axis, double radius, const RbvInk *ink);

#endif
