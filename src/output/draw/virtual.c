/* Draws a virtual motion: velocities v + w x p of points as arrows, rotations about points at rest, and faintly the
 * mechanism displaced by
 *
 *   d = h (v + w x p)
 * with h so small that bodies turn by less than LARGEST_TURN. Each body of the faint pose is rotated by h w as a whole,
 * so that joints stay closed up to (h w)^2 / 2. */
#include "output/draw/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest displacement as a part of the mechanism's size; largest rotation [rad]. */
#define FURTHER 0.14
#define LARGEST_TURN 0.35
/* [px] smallest and largest length of the longest arrow; radius of turning arrows; radius of a point. */
#define SHORTEST 40
#define LONGEST 90
#define TURNING_RADIUS 12
#define DOT 2
/* A point slower than this part of the fastest point's speed is at rest. */
#define STANDS 0.02
/* [px] Arrows of one point that differ by less are drawn once. */
#define SAME 2

#define COLOUR "#8e3a80"

typedef struct Arrow {
    double x, y, vx, vy; /* position [px]; velocity on paper [m/s], y down */
} Arrow;

typedef struct Field {
    RbvDrawing *drawing;
    const RbvSceneMotion *motion;
    int32_t *number; /* [body_count] number of the body in the motion's list; -1: at rest */
    bool *turned;    /* [body_count] the rotation of the body has been drawn */
    Arrow *arrows;
    int32_t count, capacity;
    double step; /* arrow length of a point with 1 m/s [px] */
    bool lost;
} Field;

/* word: a number from 1, or the name of a motion or of its freedom. */
const RbvSceneMotion *rbv_find_motion(const RbvScene *scene, const char *word) {
    char *end;
    long number = strtol(word, &end, 10);
    if (end != word && !*end)
        return number > 0 && number <= scene->motion_count ? &scene->motions[number - 1] : NULL;
    for (int32_t k = 0; k < scene->motion_count; k++)
        if (strcmp(scene->motions[k].name, word) == 0 || strcmp(scene->motions[k].freedom, word) == 0)
            return &scene->motions[k];
    return NULL;
}

static RbvVec3 vector(const double v[3]) {
    return (RbvVec3){v[0], v[1], v[2]};
}

/* Duration h [s] of the displacement. */
static double duration(const RbvScene *scene, const RbvSceneMotion *motion) {
    double turn = 0;
    for (int32_t k = 0; k < motion->body_count; k++)
        turn = fmax(turn, rbv_norm(vector(motion->angular[k])));
    return fmin(FURTHER * scene->size, turn > 0 ? LARGEST_TURN / turn : INFINITY);
}

void rbv_drawing_displace(RbvDrawing *drawing, const RbvSceneMotion *motion) {
    double h = duration(drawing->scene, motion);
    for (int32_t k = 0; k < motion->body_count; k++) {
        RbvPlace *place = &drawing->places[motion->bodies[k]];
        RbvMat3 turn = rbv_mat3_of_quat(rbv_quat_of_vector(rbv_scale(h, vector(motion->angular[k]))));
        place->A = rbv_mat3_product(&turn, &place->A);
        place->at = rbv_add_scaled(place->at, h, vector(motion->velocity[k]));
    }
}

/* Velocity of a point of a body, in ground's axes. */
static RbvVec3 velocity(const Field *f, int32_t body, RbvVec3 point) {
    int32_t n = f->number[body];
    RbvVec3 zero = {0, 0, 0};
    return n < 0 ? zero
                 : rbv_add(vector(f->motion->velocity[n]),
                           rbv_cross(vector(f->motion->angular[n]), rbv_sub(point, f->drawing->places[body].at)));
}

static void gather(Field *f, int32_t body, const double on_body[3]) {
    RbvDrawing *drawing = f->drawing;
    RbvVec3 point = rbv_place_point(&drawing->places[body], on_body), v = velocity(f, body, point);
    RbvSpot p = rbv_paper_at(&drawing->paper, point);
    Arrow arrow = {p.x, p.y, rbv_dot(v, drawing->paper.right), -rbv_dot(v, drawing->paper.up)};
    if (rbv_norm(v) < STANDS)
        return;
    for (int32_t k = 0; k < f->count; k++) {
        const Arrow *a = &f->arrows[k];
        if (hypot(a->x - arrow.x, a->y - arrow.y) < SAME && f->step * hypot(a->vx - arrow.vx, a->vy - arrow.vy) < SAME)
            return;
    }
    if (f->count == f->capacity) {
        int32_t capacity = 2 * f->capacity + 32;
        Arrow *grown = realloc(f->arrows, (size_t)capacity * sizeof *grown);
        f->lost = f->lost || !grown;
        if (!grown)
            return;
        f->arrows = grown;
        f->capacity = capacity;
    }
    f->arrows[f->count++] = arrow;
}

static const RbvInk ink = {.stroke = COLOUR, .fill = COLOUR, .width = 1.8};

/* Draws the rotation of the marker's body about the marker if the marker is at rest. */
static void gather_turn(Field *f, const RbvSceneMarker *marker) {
    RbvDrawing *drawing = f->drawing;
    int32_t n = f->number[marker->body];
    RbvVec3 point = rbv_place_point(&drawing->places[marker->body], marker->at);
    if (n < 0 || f->turned[marker->body] || rbv_norm(velocity(f, marker->body, point)) >= STANDS ||
        !(rbv_norm(vector(f->motion->angular[n])) > 0))
        return;
    f->turned[marker->body] = true;
    double radius = fmax(TURNING_RADIUS, 0.6 * drawing->scene->symbol * drawing->paper.scale);
    rbv_drawing_turning(drawing, point, vector(f->motion->angular[n]), radius / drawing->paper.scale, &ink);
}

/* Collects arrows at the points of joints, drives and loads, and at centroids, where weights do work. */
static void gather_all(Field *f) {
    const RbvScene *scene = f->drawing->scene;
    for (int32_t k = 0; k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        int32_t at[3] = {item->marker[0], item->marker[1], item->point};
        for (int n = 0; n < 3 && item->kind != RBV_SCENE_COORDINATE; n++)
            if (at[n] >= 0) {
                gather(f, scene->markers[at[n]].body, scene->markers[at[n]].at);
                gather_turn(f, &scene->markers[at[n]]);
            }
    }
    for (int32_t b = 1; b < scene->body_count; b++)
        if (scene->bodies[b].mass > 0)
            gather(f, b, scene->bodies[b].centroid);
}

static void draw(Field *f) {
    RbvDrawing *drawing = f->drawing;
    const RbvInk dot = {.stroke = COLOUR, .fill = COLOUR, .width = 1};
    double longest = 0;
    for (int32_t k = 0; k < f->count; k++)
        longest = fmax(longest, hypot(f->arrows[k].vx, f->arrows[k].vy));
    double scale = longest > 0 ? fmin(fmax(f->step * longest, SHORTEST), LONGEST) / longest : 0;
    for (int32_t k = 0; k < f->count; k++) {
        const Arrow *a = &f->arrows[k];
        rbv_strokes_circle(&drawing->strokes, a->x, a->y, DOT, &dot);
        rbv_drawing_arrow(drawing, (RbvSpot){a->x, a->y, 0}, (RbvSpot){a->x + scale * a->vx, a->y + scale * a->vy, 0},
                          &ink);
    }
}

void rbv_drawing_motion(RbvDrawing *drawing, const RbvSceneMotion *motion) {
    const RbvScene *scene = drawing->scene;
    Field f = {.drawing = drawing, .motion = motion, .step = duration(scene, motion) * drawing->paper.scale};
    char text[RBV_SAID_SIZE];
    f.number = malloc((size_t)scene->body_count * sizeof *f.number);
    f.turned = calloc((size_t)scene->body_count, sizeof *f.turned);
    f.lost = !f.number || !f.turned;
    for (int32_t b = 0; !f.lost && b < scene->body_count; b++)
        f.number[b] = -1;
    for (int32_t k = 0; !f.lost && k < motion->body_count; k++)
        f.number[motion->bodies[k]] = k;
    drawing->strokes.name = "virtual motion";
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    if (!f.lost)
        gather_all(&f);
    draw(&f);
    drawing->strokes.name = NULL;
    if (strcmp(motion->name, motion->freedom) == 0)
        snprintf(text, sizeof text, "virtual motion: %s alone changes", motion->freedom);
    else
        snprintf(text, sizeof text, "virtual motion of %s: %s alone changes", motion->name, motion->freedom);
    rbv_drawing_report(drawing, text);
    drawing->strokes.no_memory = drawing->strokes.no_memory || f.lost;
    free(f.number);
    free(f.turned);
    free(f.arrows);
}
