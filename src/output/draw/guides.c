/* Extends each guide along the axes e of its first marker, so that it covers
 *
 *   [min u - beside, max u + beside],   u = e . d
 * d: origin of the second marker in the frame of the first [m], over the samples. Points of the figure beyond its
 * middle move out with its end; a line with a period grows by whole periods. */
#include "output/draw/guides.h"

#include "core/linalg/rotation.h"

#include <math.h>
#include <string.h>

/* Largest number of periods that a guide grows on each side: a mistaken pose must not use all memory. */
#define MOST_PERIODS 2000
/* Growth below this part of `beside`, or a distance from the middle below this part of the range, is rounding. */
#define SAME 1e-6

typedef struct Guide {
    RbvSceneFigure *figure;
    RbvVec3 origin, e; /* first marker and unit direction, in the frame of the body that the guide lies on */
    double have[2];    /* [m] range of the guide along e */
    double grow[2];    /* [m] >= 0 growth on the low side and on the high side */
} Guide;

static RbvMat3 axes_of(const double turn[4]) {
    return rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}});
}

static RbvVec3 vector(const double v[3]) {
    return rbv_vec3(v[0], v[1], v[2]);
}

static void put(RbvVec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

/* d at a sample [m]: origin of the second marker in the frame of the first. */
static RbvVec3 seen(const RbvResult *result, const RbvSceneGuide *guide, int32_t sample) {
    const RbvScene *scene = rbv_result_scene(result);
    const RbvSceneMarker *first = &scene->markers[guide->marker[0]], *second = &scene->markers[guide->marker[1]];
    double at[3] = {0}, turn[4] = {1}, p[3] = {0};
    rbv_result_pose(result, sample, first->body, at, turn);
    rbv_result_point(result, sample, second->body, second->at, p);
    RbvMat3 A = axes_of(turn), B = axes_of(first->turn);
    return rbv_apply_transposed(&B,
                                rbv_sub(rbv_apply_transposed(&A, rbv_sub(vector(p), vector(at))), vector(first->at)));
}

static void meet(Guide *g, RbvVec3 p) {
    double u = rbv_dot(g->e, rbv_sub(p, g->origin));
    g->have[0] = fmin(g->have[0], u);
    g->have[1] = fmax(g->have[1], u);
}

static void measure(Guide *g) {
    const RbvSceneFigure *f = g->figure;
    g->have[0] = INFINITY, g->have[1] = -INFINITY;
    for (int32_t k = 0; f->kind == RBV_SCENE_LINE && k < f->count; k++)
        meet(g, vector(&f->points[3 * k]));
    if (f->kind == RBV_SCENE_CYLINDER)
        meet(g, vector(f->at)), meet(g, vector(f->to));
    if (f->kind != RBV_SCENE_BOX)
        return;
    RbvMat3 axes = axes_of(f->turn);
    double half = 0;
    for (int k = 0; k < 3; k++)
        half += 0.5 * f->size[k] * fabs(rbv_dot(axes.column[k], g->e));
    meet(g, rbv_add_scaled(vector(f->at), -half, g->e));
    meet(g, rbv_add_scaled(vector(f->at), half, g->e));
}

/* Moves a point with the end it is nearer to. */
static void move(const Guide *g, double p[3]) {
    double u = rbv_dot(g->e, rbv_sub(vector(p), g->origin)), middle = 0.5 * (g->have[0] + g->have[1]),
           rounding = SAME * (g->have[1] - g->have[0]);
    put(rbv_add_scaled(vector(p),
                       u > middle + rounding   ? g->grow[1]
                       : u < middle - rounding ? -g->grow[0]
                                               : 0,
                       g->e),
        p);
}

/* Adds whole periods before the first point and after the last one. False: out of memory. */
static bool repeat(Guide *g, RbvArena *arena) {
    RbvSceneFigure *f = g->figure;
    int32_t period = f->guide.period, more[2];
    RbvVec3 step = rbv_sub(vector(&f->points[3 * period]), vector(f->points));
    double along = rbv_dot(step, g->e), length = fabs(along);
    for (int end = 0; end < 2; end++) /* the low side lies before the first point if the line runs along e */
        more[along > 0 ? end : 1 - end] = length > 0 ? (int32_t)fmin(MOST_PERIODS, ceil(g->grow[end] / length)) : 0;
    int32_t count = f->count + period * (more[0] + more[1]), before = period * more[0];
    double(*points)[3] = rbv_arena_array(arena, (size_t)count + 1, sizeof *points);
    if (!points)
        return false;
    for (int32_t k = 0; k < count; k++) {
        int32_t from = k - before, turns = 0;
        for (; from < 0; turns--)
            from += period;
        for (; from >= f->count; turns++)
            from -= period;
        put(rbv_add_scaled(vector(&f->points[3 * from]), turns, step), points[k]);
    }
    f->points = &points[0][0];
    f->count = count;
    return true;
}

static bool move_points(const Guide *g, RbvArena *arena) {
    RbvSceneFigure *f = g->figure;
    double(*points)[3] = rbv_arena_array(arena, (size_t)f->count + 1, sizeof *points);
    if (!points)
        return false;
    memcpy(points, f->points, (size_t)f->count * sizeof *points);
    for (int32_t k = 0; k < f->count; k++)
        move(g, points[k]);
    f->points = &points[0][0];
    return true;
}

static bool draw_out(Guide *g, RbvArena *arena) {
    RbvSceneFigure *f = g->figure;
    if (f->kind == RBV_SCENE_LINE)
        return f->guide.period > 0 && f->guide.period < f->count ? repeat(g, arena) : move_points(g, arena);
    if (f->kind == RBV_SCENE_CYLINDER) {
        move(g, f->at);
        move(g, f->to);
    } else if (f->kind == RBV_SCENE_BOX) {
        RbvMat3 axes = axes_of(f->turn);
        put(rbv_add_scaled(vector(f->at), 0.5 * (g->grow[1] - g->grow[0]), g->e), f->at);
        for (int k = 0; k < 3; k++)
            f->size[k] += fabs(rbv_dot(axes.column[k], g->e)) * (g->grow[0] + g->grow[1]);
    }
    return true;
}

static bool spread_figure(const RbvResult *result, const int32_t *samples, int32_t count, RbvArena *arena,
                          RbvSceneFigure *figure) {
    const RbvSceneGuide *guide = &figure->guide;
    const RbvSceneMarker *first = &rbv_result_scene(result)->markers[guide->marker[0]];
    RbvMat3 axes = axes_of(first->turn);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t k = 0; k < count; k++) {
        double d[3];
        put(seen(result, guide, samples[k]), d);
        for (int axis = 0; axis < 3; axis++)
            low[axis] = fmin(low[axis], d[axis]), high[axis] = fmax(high[axis], d[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        Guide g = {.figure = figure, .origin = vector(first->at), .e = axes.column[axis]};
        if (!(guide->axes >> axis & 1) || !isfinite(low[axis]) || !isfinite(high[axis]))
            continue;
        measure(&g);
        double least = SAME * guide->beside;
        for (int end = 0; end < 2; end++) {
            double over = guide->beside + (end ? high[axis] - g.have[1] : g.have[0] - low[axis]);
            g.grow[end] = over > least ? over : 0;
        }
        if ((g.grow[0] > 0 || g.grow[1] > 0) && !draw_out(&g, arena))
            return false;
    }
    return true;
}

bool rbv_guides_spread(const RbvResult *result, const int32_t *samples, int32_t count, RbvArena *arena,
                       RbvScene *spread) {
    *spread = *rbv_result_scene(result);
    RbvSceneFigure *figures = rbv_arena_array(arena, (size_t)spread->figure_count + 1, sizeof *figures);
    if (!figures)
        return false;
    if (spread->figure_count > 0)
        memcpy(figures, spread->figures, (size_t)spread->figure_count * sizeof *figures);
    spread->figures = figures;
    for (int32_t k = 0; k < spread->figure_count; k++)
        if (figures[k].guide.axes && !spread_figure(result, samples, count, arena, &figures[k]))
            return false;
    return true;
}
