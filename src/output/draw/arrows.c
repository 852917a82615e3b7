/* Forces and torques as arrows. The verdict is shown by the line's style, not by its colour alone. */
#include "output/draw/drawing.h"
#include "output/draw/scale.h"

#include "model/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [px] */
#define LONGEST 90
#define HEAD 8
#define TURNING_RADIUS 15
#define LETTERS 10
/* Arrows shorter than this part of the longest are not drawn: only a head without a line would be left. */
#define LEAST 0.02
/* Torques below this part of the largest force times the mechanism's size are rounding, and so are forces below this
 * part of the largest torque over the size. */
#define ROUNDING 1e-9
/* With more arrows than this, no numbers stand beside them: they would cover each other. */
#define MOST_NUMBERS 24

const RbvInk *rbv_verdict_ink(RbvVerdict verdict) {
    static const RbvInk inks[] = {
        [RBV_FREE] = {.stroke = "#777777", .fill = "#777777", .width = 1},
        [RBV_UNIQUE] = {.stroke = "#0072b2", .fill = "#0072b2", .width = 1.9},
        [RBV_COMPLIANCE] = {.stroke = "#2f8fc4", .fill = "#2f8fc4", .width = 1.9, .dash = RBV_DASH_DOT},
        [RBV_UNSURE] = {.stroke = "#b87800", .fill = "#b87800", .width = 1.9, .dash = RBV_DASH_POINTS},
        [RBV_NOT_UNIQUE] = {.stroke = "#d55e00", .fill = "#ffffff", .width = 1.9, .dash = RBV_DASH_LONG},
    };
    return &inks[verdict];
}

/* Loads are prescribed, not computed: thinner, grey, and their arrows end at the point of application. */
static const RbvInk load_ink = {.stroke = "#5a4a3c", .fill = "#5a4a3c", .width = 1.2};

const RbvInk *rbv_load_ink(void) {
    return &load_ink;
}

static void head(RbvDrawing *drawing, double x, double y, double ux, double uy, const RbvInk *ink) {
    RbvInk solid = *ink;
    solid.dash = RBV_DASH_NONE, solid.width = 1.1;
    rbv_strokes_point(&drawing->strokes, x, y);
    rbv_strokes_point(&drawing->strokes, x - HEAD * ux - 0.38 * HEAD * uy, y - HEAD * uy + 0.38 * HEAD * ux);
    rbv_strokes_point(&drawing->strokes, x - HEAD * ux + 0.38 * HEAD * uy, y - HEAD * uy - 0.38 * HEAD * ux);
    rbv_strokes_lines(&drawing->strokes, true, &solid);
}

void rbv_drawing_arrow(RbvDrawing *drawing, RbvSpot from, RbvSpot to, const RbvInk *ink) {
    double length = hypot(to.x - from.x, to.y - from.y);
    RbvInk line = *ink;
    line.fill = NULL;
    if (length < HEAD / 2.0) { /* along the line of sight: a ring */
        rbv_strokes_circle(&drawing->strokes, from.x, from.y, HEAD / 2.0,
                           &(RbvInk){.stroke = ink->stroke, .fill = "#ffffff", .width = 1.2});
        return;
    }
    double ux = (to.x - from.x) / length, uy = (to.y - from.y) / length;
    rbv_strokes_point(&drawing->strokes, from.x, from.y);
    rbv_strokes_point(&drawing->strokes, to.x - 0.8 * HEAD * ux, to.y - 0.8 * HEAD * uy);
    rbv_strokes_lines(&drawing->strokes, false, &line);
    head(drawing, to.x, to.y, ux, uy, ink);
}

void rbv_drawing_turning(RbvDrawing *drawing, RbvVec3 at, RbvVec3 axis, double radius, const RbvInk *ink) {
    const double end = 0.75 * RBV_TWO_PI;
    double length = rbv_norm(axis);
    RbvInk line = *ink;
    line.fill = NULL;
    if (!(length > 0))
        return;
    axis = rbv_scale(1 / length, axis);
    RbvVec3 other = fabs(rbv_dot(axis, drawing->paper.right)) < 0.9 ? drawing->paper.right : drawing->paper.up;
    RbvVec3 v = rbv_cross(axis, other);
    v = rbv_scale(1 / rbv_norm(v), v);
    RbvVec3 u = rbv_cross(v, axis);
    rbv_drawing_arc(drawing, at, u, v, radius, 0, end);
    rbv_strokes_lines(&drawing->strokes, false, &line);
    RbvVec3 tip = rbv_add(at, rbv_add(rbv_scale(radius * cos(end), u), rbv_scale(radius * sin(end), v)));
    RbvVec3 way = rbv_add(rbv_scale(-sin(end), u), rbv_scale(cos(end), v));
    RbvSpot p = rbv_paper_at(&drawing->paper, tip), q = rbv_paper_at(&drawing->paper, rbv_add_scaled(tip, radius, way));
    double run = hypot(q.x - p.x, q.y - p.y);
    if (run > 0)
        head(drawing, p.x + HEAD * (q.x - p.x) / run, p.y + HEAD * (q.y - p.y) / run, (q.x - p.x) / run,
             (q.y - p.y) / run, ink);
}

typedef struct Pointer {
    RbvSceneWrench wrench;
    const char *name;
    const char *effort; /* SI unit of the effort of a drive; NULL: not a drive */
    bool load;
} Pointer;

/* Does the item have arrows? Joints, drives, loads and stops do. */
static bool has_arrows(const RbvSceneItem *item) {
    return item->kind == RBV_SCENE_JOINT || item->kind == RBV_SCENE_DRIVE || item->kind == RBV_SCENE_LOAD ||
           item->kind == RBV_SCENE_STOP;
}

/* "NAME NUMBER UNIT" in the drawing's arena; NULL: out of memory. */
static const char *number(RbvDrawing *drawing, const char *name, double value, const char *si, const RbvView *view) {
    RbvShownUnit unit = rbv_view_unit(view, drawing->result, si);
    char text[RBV_NAME_SIZE + 64], prefixed[64];
    if (!view->model_units) {
        unit.factor = rbv_prefix(value, si, prefixed, sizeof prefixed);
        unit.text = prefixed;
    }
    snprintf(text, sizeof text, "%s %.4g %s", name, value / unit.factor, unit.text);
    size_t length = strlen(text) + 1;
    char *kept = rbv_arena_alloc(&drawing->arena, length);
    if (kept)
        memcpy(kept, text, length);
    drawing->strokes.no_memory = drawing->strokes.no_memory || !kept;
    return kept;
}

static double visible(const RbvDrawing *drawing, const double v[3]) {
    RbvVec3 a = {v[0], v[1], v[2]};
    return hypot(rbv_dot(a, drawing->paper.right), rbv_dot(a, drawing->paper.up));
}

/* Writes the number of a drive whose effort is too small for an arrow. */
static void report_effort(RbvDrawing *drawing, const Pointer *p, double largest, const RbvView *view) {
    const RbvSceneWrench *w = &p->wrench;
    RbvSpot foot = rbv_paper_at(&drawing->paper, (RbvVec3){w->point[0], w->point[1], w->point[2]});
    double value = rbv_norm((RbvVec3){w->force[0] + w->torque[0], w->force[1] + w->torque[1],
                                      w->force[2] + w->torque[2]}); /* force or torque is 0 */
    const char *words = number(drawing, p->name, value > ROUNDING * largest ? value : 0, p->effort, view);
    if (words)
        rbv_drawing_words_about(drawing, foot.x, foot.y, TURNING_RADIUS, words,
                                &(RbvLettering){.size = LETTERS, .colour = rbv_verdict_ink(w->verdict)->stroke});
}

/* Draws one arrow for the force and one for the torque, with lengths in proportion to the largest ones [N], [N m]. */
static void draw_pointer(RbvDrawing *drawing, const Pointer *p, double largest_force, double largest_torque,
                         const RbvView *view) {
    const RbvSceneWrench *w = &p->wrench;
    const RbvInk *ink = p->load ? &load_ink : rbv_verdict_ink(w->verdict);
    RbvVec3 at = {w->point[0], w->point[1], w->point[2]}, force = {w->force[0], w->force[1], w->force[2]},
            torque = {w->torque[0], w->torque[1], w->torque[2]};
    RbvSpot foot = rbv_paper_at(&drawing->paper, at);
    RbvLettering letters = {.size = LETTERS, .colour = ink->stroke};
    drawing->strokes.name = p->name;
    *(p->load ? &drawing->loads : &drawing->shown[w->verdict]) |=
        rbv_norm(force) > LEAST * largest_force || rbv_norm(torque) > LEAST * largest_torque;
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    if (rbv_norm(force) > LEAST * largest_force) {
        RbvSpot tip = foot;
        tip.x += LONGEST * rbv_dot(force, drawing->paper.right) / largest_force;
        tip.y -= LONGEST * rbv_dot(force, drawing->paper.up) / largest_force;
        if (p->load) { /* the arrow of a load ends at its point */
            RbvSpot tail = {2 * foot.x - tip.x, 2 * foot.y - tip.y, foot.depth};
            rbv_drawing_arrow(drawing, tail, foot, ink);
            tip = tail;
        } else {
            rbv_drawing_arrow(drawing, foot, tip, ink);
        }
        letters.anchor = tip.x < foot.x - 1 ? RBV_ANCHOR_END : RBV_ANCHOR_START;
        const char *words = view ? number(drawing, p->name, rbv_norm(force), "N", view) : NULL;
        if (words)
            rbv_drawing_words(drawing, tip.x + (letters.anchor == RBV_ANCHOR_END ? -4 : 4),
                              tip.y + (tip.y > foot.y ? LETTERS + 2 : -5), words, &letters);
    }
    if (rbv_norm(torque) > LEAST * largest_torque) {
        double part = rbv_norm(torque) / largest_torque, radius = TURNING_RADIUS * (0.6 + 0.4 * part);
        rbv_drawing_turning(drawing, at, torque, radius / drawing->paper.scale, ink);
        const char *words = view ? number(drawing, p->name, rbv_norm(torque), "N.m", view) : NULL;
        letters.anchor = RBV_ANCHOR_START;
        if (words)
            rbv_drawing_words(drawing, foot.x + radius + 3, foot.y + radius + LETTERS / 2.0, words, &letters);
    }
    if (view && p->effort && !(rbv_norm(force) > LEAST * largest_force) && !(rbv_norm(torque) > LEAST * largest_torque))
        report_effort(drawing, p, fmin(largest_force, largest_torque), view);
}

static void draw_pointers(RbvDrawing *drawing, const Pointer *pointers, int32_t count, const RbvView *view) {
    double force = 0, torque = 0;
    for (int32_t k = 0; k < count; k++) {
        force = fmax(force, visible(drawing, pointers[k].wrench.force));
        RbvVec3 t = {pointers[k].wrench.torque[0], pointers[k].wrench.torque[1], pointers[k].wrench.torque[2]};
        torque = fmax(torque, rbv_norm(t));
    }
    double size = drawing->scene->size;
    torque = torque > ROUNDING * force * size ? torque : INFINITY;
    force = isinf(torque) || force > ROUNDING * torque / size ? force : INFINITY;
    for (int32_t k = 0; k < count; k++)
        draw_pointer(drawing, &pointers[k], force > 0 ? force : 1, torque > 0 ? torque : 1,
                     count <= MOST_NUMBERS ? view : NULL);
}

static void take(const RbvResult *result, const RbvSceneItem *item, Pointer *p) {
    p->name = item->name;
    p->load = item->kind == RBV_SCENE_LOAD;
    p->effort = item->kind == RBV_SCENE_DRIVE && item->column[0] >= 0 ? result->columns[item->column[0]].unit : NULL;
}

void rbv_drawing_reactions(RbvDrawing *drawing, int32_t sample, const RbvView *view) {
    const RbvScene *scene = drawing->scene;
    Pointer *pointers = scene->item_count ? calloc((size_t)scene->item_count, sizeof *pointers) : NULL;
    int32_t count = 0;
    for (int32_t k = 0; pointers && k < scene->item_count; k++)
        if (has_arrows(&scene->items[k]) && rbv_view_shows(view, scene->items[k].name) &&
            rbv_result_wrench(drawing->result, sample, k, &pointers[count].wrench))
            take(drawing->result, &scene->items[k], &pointers[count++]);
    if (pointers)
        draw_pointers(drawing, pointers, count, view);
    drawing->strokes.no_memory = drawing->strokes.no_memory || (scene->item_count && !pointers);
    free(pointers);
}

/* Adds the share of a component to the wrench of its joint, along the axes in which the component is measured. */
static void add_share(const RbvDrawing *drawing, const RbvSceneItem *item, const char *component, double share,
                      RbvSceneWrench *wrench) {
    RbvMat3 axes = rbv_mat3_identity();
    if (item->axes >= 0) {
        const RbvSceneMarker *marker = &drawing->scene->markers[item->axes];
        axes = rbv_place_axes(&drawing->places[marker->body], marker->turn);
    }
    int axis = component[0] && component[1] >= 'x' && component[1] <= 'z' ? component[1] - 'x' : -1;
    if (axis < 0 || (component[0] != 'F' && component[0] != 'T'))
        return;
    double *sum = component[0] == 'F' ? wrench->force : wrench->torque;
    RbvVec3 e = rbv_scale(share, axes.column[axis]);
    sum[0] += e.x, sum[1] += e.y, sum[2] += e.z;
}

void rbv_drawing_self_stress(RbvDrawing *drawing, int32_t number) {
    const RbvScene *scene = drawing->scene;
    const RbvMode *mode = rbv_result_self_stress(drawing->result, number);
    Pointer *pointers = scene->item_count ? calloc((size_t)scene->item_count, sizeof *pointers) : NULL;
    for (int32_t k = 0; pointers && k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        size_t length = strlen(item->name);
        pointers[k].name = item->name;
        pointers[k].wrench.verdict = RBV_NOT_UNIQUE;
        if (item->point >= 0) {
            const RbvSceneMarker *marker = &scene->markers[item->point];
            RbvVec3 at = rbv_place_point(&drawing->places[marker->body], marker->at);
            pointers[k].wrench.point[0] = at.x, pointers[k].wrench.point[1] = at.y, pointers[k].wrench.point[2] = at.z;
        }
        for (int32_t n = 0; n < mode->count && item->point >= 0; n++)
            if (strncmp(mode->shares[n].name, item->name, length) == 0 && mode->shares[n].name[length] == '.')
                add_share(drawing, item, mode->shares[n].name + length + 1, mode->shares[n].share, &pointers[k].wrench);
    }
    if (pointers)
        draw_pointers(drawing, pointers, scene->item_count, NULL);
    drawing->strokes.no_memory = drawing->strokes.no_memory || (scene->item_count && !pointers);
    free(pointers);
}

void rbv_drawing_gaps(RbvDrawing *drawing) {
    const RbvSceneFailure *failure = drawing->scene->failure;
    const RbvInk ink = {.stroke = "#c2185b", .width = 2.2, .dash = RBV_DASH_POINTS},
                 ring = {.stroke = "#c2185b", .width = 1.8};
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    for (int32_t k = 0; failure && k < failure->gap_count; k++) {
        const RbvSceneGap *gap = &failure->gaps[k];
        RbvSpot p = rbv_paper_at(&drawing->paper, (RbvVec3){gap->from[0], gap->from[1], gap->from[2]}),
                q = rbv_paper_at(&drawing->paper, (RbvVec3){gap->to[0], gap->to[1], gap->to[2]});
        drawing->strokes.name = gap->of >= 0 ? drawing->scene->items[gap->of].name : NULL;
        rbv_strokes_circle(&drawing->strokes, p.x, p.y, HEAD, &ring);
        rbv_strokes_circle(&drawing->strokes, q.x, q.y, HEAD, &ring);
        rbv_strokes_point(&drawing->strokes, p.x, p.y);
        rbv_strokes_point(&drawing->strokes, q.x, q.y);
        rbv_strokes_lines(&drawing->strokes, false, &ink);
    }
}
