/* Guides and teeth. */
#include "output/draw/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Extends each guide along the axes e of its first marker, so that it covers
 *
 *   [min u - beside, max u + beside],   u = e . d
 * d: origin of the second marker in the frame of the first [m], over the samples. Points of the figure beyond its
 * middle move out with its end; a line with a period grows by whole periods. */
#include "core/linalg/small.h"
#include <math.h>
#include <string.h>

/* Largest number of periods that a guide grows on each side: a mistaken pose must not use all memory. */
#define MOST_PERIODS 2000
/* Growth below this part of `beside`, or a distance from the middle below this part of the range, is rounding. */
#define GUIDE_ROUNDING 1e-6

typedef struct Guide {
    RbvSceneFigure *figure;
    RbvVec3 origin, e; /* first marker and unit direction, in the frame of the body that the guide lies on */
    double have[2];    /* [m] range of the guide along e */
    double grow[2];    /* [m] >= 0 growth on the low side and on the high side */
} Guide;

static RbvMat3 axes_of(const double turn[4]) {
    return rbv_mat3_of_quat(rbv_quat_at(turn));
}

static void put_vec3(RbvVec3 v, double out[3]) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

/* d at a sample [m]: origin of the second marker in the frame of the first. */
static RbvVec3 second_in_first(const RbvResult *result, const RbvSceneGuide *guide, int32_t sample) {
    const RbvScene *scene = rbv_result_scene(result);
    const RbvSceneMarker *first = &scene->markers[guide->marker[0]], *second = &scene->markers[guide->marker[1]];
    double at[3] = {0}, turn[4] = {1}, p[3] = {0};
    rbv_result_pose(result, sample, first->body, at, turn);
    rbv_result_point(result, sample, second->body, second->at, p);
    RbvMat3 A = axes_of(turn), B = axes_of(first->turn);
    return rbv_apply_transposed(
        &B, rbv_sub(rbv_apply_transposed(&A, rbv_sub(rbv_vec3_at(p), rbv_vec3_at(at))), rbv_vec3_at(first->at)));
}

static void extend_range(Guide *g, RbvVec3 p) {
    double u = rbv_dot(g->e, rbv_sub(p, g->origin));
    g->have[0] = fmin(g->have[0], u);
    g->have[1] = fmax(g->have[1], u);
}

static void measure_guide(Guide *g) {
    const RbvSceneFigure *f = g->figure;
    g->have[0] = INFINITY, g->have[1] = -INFINITY;
    for (int32_t k = 0; f->kind == RBV_SCENE_LINE && k < f->count; k++)
        extend_range(g, rbv_vec3_at(&f->points[3 * k]));
    if (f->kind == RBV_SCENE_CYLINDER)
        extend_range(g, rbv_vec3_at(f->at)), extend_range(g, rbv_vec3_at(f->to));
    if (f->kind != RBV_SCENE_BOX)
        return;
    RbvMat3 axes = axes_of(f->turn);
    double half = 0;
    for (int k = 0; k < 3; k++)
        half += 0.5 * f->size[k] * fabs(rbv_dot(axes.column[k], g->e));
    extend_range(g, rbv_add_scaled(rbv_vec3_at(f->at), -half, g->e));
    extend_range(g, rbv_add_scaled(rbv_vec3_at(f->at), half, g->e));
}

/* Moves a point with the end it is nearer to. */
static void move_with_end(const Guide *g, double p[3]) {
    double u = rbv_dot(g->e, rbv_sub(rbv_vec3_at(p), g->origin)), middle = 0.5 * (g->have[0] + g->have[1]),
           rounding = GUIDE_ROUNDING * (g->have[1] - g->have[0]);
    double shift = u < middle - rounding ? -g->grow[0] : 0;
    if (u > middle + rounding)
        shift = g->grow[1];
    put_vec3(rbv_add_scaled(rbv_vec3_at(p), shift, g->e), p);
}

/* Adds whole periods before the first point and after the last one. False: out of memory. */
static bool repeat_periods(Guide *g, RbvArena *arena) {
    RbvSceneFigure *f = g->figure;
    int32_t period = f->guide.period, more[2];
    RbvVec3 step = rbv_sub(rbv_vec3_at(&f->points[3 * period]), rbv_vec3_at(f->points));
    double along = rbv_dot(step, g->e), length = fabs(along);
    for (int end = 0; end < 2; end++) { /* the low side lies before the first point if the line runs along e */
        int32_t periods = length > 0 ? (int32_t)fmin(MOST_PERIODS, ceil(g->grow[end] / length)) : 0;
        more[along > 0 ? end : 1 - end] = periods;
    }
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
        put_vec3(rbv_add_scaled(rbv_vec3_at(&f->points[3 * from]), turns, step), points[k]);
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
        move_with_end(g, points[k]);
    f->points = &points[0][0];
    return true;
}

static bool extend_guide(Guide *g, RbvArena *arena) {
    RbvSceneFigure *f = g->figure;
    if (f->kind == RBV_SCENE_LINE)
        return f->guide.period > 0 && f->guide.period < f->count ? repeat_periods(g, arena) : move_points(g, arena);
    if (f->kind == RBV_SCENE_CYLINDER) {
        move_with_end(g, f->at);
        move_with_end(g, f->to);
    } else if (f->kind == RBV_SCENE_BOX) {
        RbvMat3 axes = axes_of(f->turn);
        put_vec3(rbv_add_scaled(rbv_vec3_at(f->at), 0.5 * (g->grow[1] - g->grow[0]), g->e), f->at);
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
        put_vec3(second_in_first(result, guide, samples[k]), d);
        for (int axis = 0; axis < 3; axis++)
            low[axis] = fmin(low[axis], d[axis]), high[axis] = fmax(high[axis], d[axis]);
    }
    for (int axis = 0; axis < 3; axis++) {
        Guide g = {.figure = figure, .origin = rbv_vec3_at(first->at), .e = axes.column[axis]};
        if (!(guide->axes >> axis & 1) || !isfinite(low[axis]) || !isfinite(high[axis]))
            continue;
        measure_guide(&g);
        double least = GUIDE_ROUNDING * guide->beside;
        for (int end = 0; end < 2; end++) {
            double over = guide->beside + (end ? high[axis] - g.have[1] : g.have[0] - low[axis]);
            g.grow[end] = over > least ? over : 0;
        }
        if ((g.grow[0] > 0 || g.grow[1] > 0) && !extend_guide(&g, arena))
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

/* Outline of toothed wheels: four corners for each tooth, straight flanks. */

double rbv_tooth_corner(const RbvSceneFigure *wheel, int32_t k, int n, double *angle) {
    static const double part[4] = {-0.30, -0.14, 0.14, 0.30}; /* angles of the corners in pitches */
    double module = 2 * wheel->radius / wheel->count, out = n == 1 || n == 2 ? RBV_ADDENDUM : -RBV_DEDENDUM;
    *angle = RBV_TWO_PI * (k + part[n]) / wheel->count;
    return wheel->radius + (wheel->internal ? -1 : 1) * module * out;
}

typedef struct Solid {
    double *points;
    int32_t count; /* number of triangles */
} Solid;

static void solid_triangle(Solid *s, RbvVec3 a, RbvVec3 b, RbvVec3 c) {
    const RbvVec3 corner[3] = {a, b, c};
    for (int n = 0; n < 3; n++) {
        double *to = &s->points[9 * s->count + 3 * n];
        to[0] = corner[n].x, to[1] = corner[n].y, to[2] = corner[n].z;
    }
    s->count++;
}

static RbvVec3 on_circle(double radius, double angle, double z) {
    return (RbvVec3){radius * cos(angle), radius * sin(angle), z};
}

/* Adds the solid between an outer and an inner edge, from one angle to the next; an inner radius of 0 is the axis. */
static void add_sector(Solid *s, const double outer[2], const double inner[2], const double angle[2], double half) {
    RbvVec3 o[2][2], i[2][2]; /* [bottom, top][here, there] */
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            o[side][k] = on_circle(outer[k], angle[k], side ? half : -half);
            i[side][k] = on_circle(inner[k], angle[k], side ? half : -half);
        }
    solid_triangle(s, i[1][0], o[1][0], o[1][1]);
    solid_triangle(s, i[0][0], o[0][1], o[0][0]);
    solid_triangle(s, o[0][0], o[0][1], o[1][1]);
    solid_triangle(s, o[0][0], o[1][1], o[1][0]);
    if (!(inner[0] > 0))
        return;
    solid_triangle(s, i[1][0], o[1][1], i[1][1]);
    solid_triangle(s, i[0][0], i[0][1], o[0][1]);
    solid_triangle(s, i[0][0], i[1][1], i[0][1]);
    solid_triangle(s, i[0][0], i[1][0], i[1][1]);
}

double *rbv_toothed_solid(const RbvSceneFigure *wheel, double thick, int32_t *count) {
    int32_t corners = 4 * wheel->count;
    Solid s = {.points = malloc(((size_t)corners * 8 + 1) * 9 * sizeof *s.points)};
    for (int32_t k = 0; s.points && k < corners; k++) {
        const double none[2] = {0, 0}, rim[2] = {RBV_RIM * wheel->radius, RBV_RIM * wheel->radius};
        double angle[2], radius[2];
        radius[0] = rbv_tooth_corner(wheel, k / 4, k % 4, &angle[0]);
        radius[1] = rbv_tooth_corner(wheel, (k + 1) / 4, (k + 1) % 4, &angle[1]);
        if (wheel->internal)
            add_sector(&s, rim, radius, angle, thick / 2);
        else
            add_sector(&s, radius, none, angle, thick / 2);
    }
    *count = s.count;
    return s.points;
}
