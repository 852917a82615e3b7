/* Position of an item, beside which its name stands: a joint at its point, a pair of wheels where they touch, an item
 * between two markers midway between them. */
#include "output/draw/drawing.h"

#include <math.h>
#include <string.h>

/* Tolerance of the distance of meshing wheels, as a part of a radius. */
#define TOUCH 1e-3

static bool is_one_of(const char *type, const char *const *types) {
    for (; *types; types++)
        if (strcmp(type, *types) == 0)
            return true;
    return false;
}

static RbvVec3 marker_point(const RbvDrawing *drawing, int32_t marker) {
    const RbvSceneMarker *m = &drawing->scene->markers[marker];
    return rbv_place_point(&drawing->places[m->body], m->at);
}

static bool is_on_marker(const RbvSceneFigure *f, const RbvSceneMarker *m) {
    double apart = hypot(hypot(f->at[0] - m->at[0], f->at[1] - m->at[1]), f->at[2] - m->at[2]);
    return f->kind == RBV_SCENE_WHEEL && f->on[0] == m->body && apart <= TOUCH * f->radius;
}

/* Contact point of a pair of wheels, on the line of centres. The wheels, which may be drawn by other pairs, are found
 * by their radii. */
static bool gear_point(const RbvDrawing *drawing, const RbvSceneItem *item, RbvVec3 *at) {
    const RbvScene *scene = drawing->scene;
    RbvVec3 centre[2] = {marker_point(drawing, item->marker[0]), marker_point(drawing, item->marker[1])},
            way = rbv_sub(centre[1], centre[0]);
    double apart = rbv_norm(way), least = INFINITY;
    for (int32_t a = 0; a < scene->figure_count; a++)
        for (int32_t b = 0;
             is_on_marker(&scene->figures[a], &scene->markers[item->marker[0]]) && b < scene->figure_count; b++) {
            if (!is_on_marker(&scene->figures[b], &scene->markers[item->marker[1]]))
                continue;
            const RbvSceneFigure *first = &scene->figures[a], *second = &scene->figures[b];
            bool inside = first->internal || second->internal;
            double miss =
                fabs((inside ? fabs(first->radius - second->radius) : first->radius + second->radius) - apart);
            double lever = inside && second->radius > first->radius ? -first->radius : first->radius;
            if (apart > 0 && miss < least) {
                least = miss;
                *at = rbv_add_scaled(centre[0], lever / apart, way);
            }
        }
    return least < INFINITY;
}

/* Projection of the pinion's centre to the line of the rack's teeth. */
static bool rack_point(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    const RbvScene *scene = drawing->scene;
    RbvVec3 centre = marker_point(drawing, scene->items[number].marker[1]);
    for (int32_t k = 0; k < scene->figure_count; k++) {
        const RbvSceneFigure *f = &scene->figures[k];
        if (f->of != number || f->kind != RBV_SCENE_LINE || f->count < 8)
            continue;
        const RbvPlace *place = &drawing->places[f->on[0]];
        RbvVec3 first = rbv_place_point(place, f->points),
                way = rbv_sub(rbv_place_point(place, &f->points[3 * (f->count - 4)]), first);
        *at = rbv_add_scaled(first, rbv_dot(rbv_sub(centre, first), way) / rbv_dot(way, way), way);
        return true;
    }
    return false;
}

/* Position of a stop: its first wall. */
static bool stop_point(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    for (int32_t k = 0; k < drawing->scene->figure_count; k++) {
        const RbvSceneFigure *f = &drawing->scene->figures[k];
        bool wall = f->of == number && (f->kind == RBV_SCENE_BOX || (f->kind == RBV_SCENE_LINE && f->closed));
        if (wall)
            *at = rbv_place_point(&drawing->places[f->on[0]], f->kind == RBV_SCENE_BOX ? f->at : f->points);
        if (wall)
            return true;
    }
    return false;
}

bool rbv_drawing_place_of(const RbvDrawing *drawing, int32_t number, RbvVec3 *at) {
    static const char *const gears[] = {"gear", "bevel", "worm", "bevel-gear", NULL}, *const racks[] = {"rack", NULL},
                             *const ties[] = {"link", "distance", "belt", "chain", NULL};
    const RbvSceneItem *item = &drawing->scene->items[number];
    int32_t marker = item->point >= 0 ? item->point : item->marker[1];
    if (item->kind == RBV_SCENE_STOP)
        return stop_point(drawing, number, at);
    if (marker < 0)
        return false;
    *at = marker_point(drawing, marker);
    if (item->marker[0] < 0 || item->marker[1] < 0)
        return true;
    if (item->kind == RBV_SCENE_CONSTRAINT || is_one_of(item->type, ties))
        *at = rbv_scale(0.5, rbv_add(marker_point(drawing, item->marker[0]), marker_point(drawing, item->marker[1])));
    else if (is_one_of(item->type, gears))
        gear_point(drawing, item, at);
    else if (is_one_of(item->type, racks))
        rack_point(drawing, number, at);
    return true;
}
