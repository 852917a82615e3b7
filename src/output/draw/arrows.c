/* Arrows: of forces and torques, of the velocities of a virtual motion; gaps. The verdict is shown by the line's style,
 * not by its colour alone. */
#include "model/result/result.h"
#include "output/draw/drawing.h"
#include "output/draw/pen.h"
#include "output/draw/shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* [px] */
#define LONGEST 90
#define HEAD 8
#define TURNING_RADIUS 15
#define ARROW_LETTERS 10
/* Arrows shorter than this part of the longest are not drawn: only a head without a line would be left. */
#define LEAST 0.02
/* Torques below this part of the largest force times the mechanism's size are rounding, and so are forces below this
 * part of the largest torque over the size. */
#define ROUNDING 1e-9
/* With more arrows than this, no numbers stand beside them: they would cover each other. */
#define MOST_NUMBERS 24

static void arrow_head(RbvDrawing *drawing, double x, double y, double ux, double uy, const RbvInk *ink) {
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
    arrow_head(drawing, to.x, to.y, ux, uy, ink);
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
    RbvVec3 along = rbv_add(rbv_scale(-sin(end), u), rbv_scale(cos(end), v));
    RbvSpot p = rbv_paper_at(&drawing->paper, tip),
            q = rbv_paper_at(&drawing->paper, rbv_add_scaled(tip, radius, along));
    double run = hypot(q.x - p.x, q.y - p.y);
    if (run > 0)
        arrow_head(drawing, p.x + HEAD * (q.x - p.x) / run, p.y + HEAD * (q.y - p.y) / run, (q.x - p.x) / run,
                   (q.y - p.y) / run, ink);
}

typedef struct WrenchArrow {
    RbvSceneWrench wrench;
    const char *name;
    const char *effort; /* SI unit of the effort of a drive; NULL: not a drive */
    bool load;
} WrenchArrow;

/* Does the item have arrows? Joints, drives, loads and stops do. */
static bool has_arrows(const RbvSceneItem *item) {
    return item->kind == RBV_SCENE_JOINT || item->kind == RBV_SCENE_DRIVE || item->kind == RBV_SCENE_LOAD ||
           item->kind == RBV_SCENE_STOP;
}

/* "NAME NUMBER UNIT" in the drawing's arena; NULL: out of memory. */
static const char *value_words(RbvDrawing *drawing, const char *name, double value, const char *si,
                               const RbvView *view) {
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

static double visible_length(const RbvDrawing *drawing, const double v[3]) {
    RbvVec3 a = {v[0], v[1], v[2]};
    return hypot(rbv_dot(a, drawing->paper.right), rbv_dot(a, drawing->paper.up));
}

/* Writes the number of a drive whose effort is too small for an arrow. */
static void report_effort(RbvDrawing *drawing, const WrenchArrow *p, double largest, const RbvView *view) {
    const RbvSceneWrench *w = &p->wrench;
    RbvSpot foot = rbv_paper_at(&drawing->paper, (RbvVec3){w->point[0], w->point[1], w->point[2]});
    double value = rbv_norm((RbvVec3){w->force[0] + w->torque[0], w->force[1] + w->torque[1],
                                      w->force[2] + w->torque[2]}); /* force or torque is 0 */
    const char *words = value_words(drawing, p->name, value > ROUNDING * largest ? value : 0, p->effort, view);
    if (words)
        rbv_drawing_words_about(drawing, foot.x, foot.y, TURNING_RADIUS, words,
                                &(RbvLettering){.size = ARROW_LETTERS, .colour = rbv_verdict_ink(w->verdict)->stroke});
}

/* Draws one arrow for the force and one for the torque, with lengths in proportion to the largest ones [N], [N m]. */
static void draw_wrench(RbvDrawing *drawing, const WrenchArrow *p, double largest_force, double largest_torque,
                        const RbvView *view) {
    const RbvSceneWrench *w = &p->wrench;
    const RbvInk *ink = p->load ? rbv_load_ink() : rbv_verdict_ink(w->verdict);
    RbvVec3 at = {w->point[0], w->point[1], w->point[2]}, force = {w->force[0], w->force[1], w->force[2]},
            torque = {w->torque[0], w->torque[1], w->torque[2]};
    RbvSpot foot = rbv_paper_at(&drawing->paper, at);
    RbvLettering letters = {.size = ARROW_LETTERS, .colour = ink->stroke};
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
        const char *words = view ? value_words(drawing, p->name, rbv_norm(force), "N", view) : NULL;
        if (words)
            rbv_drawing_words(drawing, tip.x + (letters.anchor == RBV_ANCHOR_END ? -4 : 4),
                              tip.y + (tip.y > foot.y ? ARROW_LETTERS + 2 : -5), words, &letters);
    }
    if (rbv_norm(torque) > LEAST * largest_torque) {
        double part = rbv_norm(torque) / largest_torque, radius = TURNING_RADIUS * (0.6 + 0.4 * part);
        rbv_drawing_turning(drawing, at, torque, radius / drawing->paper.scale, ink);
        const char *words = view ? value_words(drawing, p->name, rbv_norm(torque), "N.m", view) : NULL;
        letters.anchor = RBV_ANCHOR_START;
        if (words)
            rbv_drawing_words(drawing, foot.x + radius + 3, foot.y + radius + ARROW_LETTERS / 2.0, words, &letters);
    }
    if (view && p->effort && !(rbv_norm(force) > LEAST * largest_force) && !(rbv_norm(torque) > LEAST * largest_torque))
        report_effort(drawing, p, fmin(largest_force, largest_torque), view);
}

static void draw_wrenches(RbvDrawing *drawing, const WrenchArrow *pointers, int32_t count, const RbvView *view) {
    double force = 0, torque = 0;
    for (int32_t k = 0; k < count; k++) {
        force = fmax(force, visible_length(drawing, pointers[k].wrench.force));
        RbvVec3 t = {pointers[k].wrench.torque[0], pointers[k].wrench.torque[1], pointers[k].wrench.torque[2]};
        torque = fmax(torque, rbv_norm(t));
    }
    double size = drawing->scene->size;
    torque = torque > ROUNDING * force * size ? torque : INFINITY;
    force = isinf(torque) || force > ROUNDING * torque / size ? force : INFINITY;
    double unit_force = force > 0 ? force : 1;
    double unit_torque = torque > 0 ? torque : 1;
    for (int32_t k = 0; k < count; k++)
        draw_wrench(drawing, &pointers[k], unit_force, unit_torque, count <= MOST_NUMBERS ? view : NULL);
}

static void name_wrench(const RbvResult *result, const RbvSceneItem *item, WrenchArrow *p) {
    p->name = item->name;
    p->load = item->kind == RBV_SCENE_LOAD;
    p->effort = item->kind == RBV_SCENE_DRIVE && item->column[0] >= 0 ? result->columns[item->column[0]].unit : NULL;
}

void rbv_drawing_reactions(RbvDrawing *drawing, int32_t sample, const RbvView *view) {
    const RbvScene *scene = drawing->scene;
    WrenchArrow *pointers = scene->item_count ? calloc((size_t)scene->item_count, sizeof *pointers) : NULL;
    int32_t count = 0;
    for (int32_t k = 0; pointers && k < scene->item_count; k++)
        if (has_arrows(&scene->items[k]) && rbv_view_shows(view, scene->items[k].name) &&
            rbv_result_wrench(drawing->result, sample, k, &pointers[count].wrench))
            name_wrench(drawing->result, &scene->items[k], &pointers[count++]);
    if (pointers)
        draw_wrenches(drawing, pointers, count, view);
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
    WrenchArrow *pointers = scene->item_count ? calloc((size_t)scene->item_count, sizeof *pointers) : NULL;
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
        draw_wrenches(drawing, pointers, scene->item_count, NULL);
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

/* Draws a virtual motion: velocities v + w x p of points as arrows, rotations about points at rest, and faintly the
 * mechanism displaced by
 *
 *   d = h (v + w x p)
 * with h so small that bodies turn by less than LARGEST_TURN. Each body of the faint pose is rotated by h w as a whole,
 * so that joints stay closed up to (h w)^2 / 2. */

/* Largest displacement as a part of the mechanism's size; largest rotation [rad]. */
#define LARGEST_SHIFT 0.14
#define LARGEST_TURN 0.35
/* [px] smallest and largest length of the longest arrow; radius of turning arrows; radius of a point. */
#define SHORTEST 40
#define VIRTUAL_TURN_RADIUS 12
#define DOT 2
/* A point slower than this part of the fastest point's speed is at rest. */
#define STANDS 0.02
/* [px] Arrows of one point that differ by less are drawn once. */
#define SAME_PLACE 2

#define COLOUR "#8e3a80"

typedef struct VelocityArrow {
    double x, y, vx, vy; /* position [px]; velocity on paper [m/s], y down */
} VelocityArrow;

typedef struct Field {
    RbvDrawing *drawing;
    const RbvSceneMotion *motion;
    int32_t *number; /* [body_count] number of the body in the motion's list; -1: at rest */
    bool *turned;    /* [body_count] the rotation of the body has been drawn */
    VelocityArrow *arrows;
    int32_t count, capacity;
    double step; /* arrow length of a point with 1 m/s [px] */
    bool lost;
    RbvArena arena; /* memory of number and turned */
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

/* Duration h [s] of the displacement. */
static double duration(const RbvScene *scene, const RbvSceneMotion *motion) {
    double turn = 0;
    for (int32_t k = 0; k < motion->body_count; k++)
        turn = fmax(turn, rbv_norm(rbv_vec3_at(motion->angular[k])));
    return fmin(LARGEST_SHIFT * scene->size, turn > 0 ? LARGEST_TURN / turn : INFINITY);
}

void rbv_drawing_displace(RbvDrawing *drawing, const RbvSceneMotion *motion) {
    double h = duration(drawing->scene, motion);
    for (int32_t k = 0; k < motion->body_count; k++) {
        RbvPlace *place = &drawing->places[motion->bodies[k]];
        RbvMat3 turn = rbv_mat3_of_quat(rbv_quat_of_vector(rbv_scale(h, rbv_vec3_at(motion->angular[k]))));
        place->A = rbv_mat3_product(&turn, &place->A);
        place->at = rbv_add_scaled(place->at, h, rbv_vec3_at(motion->velocity[k]));
    }
}

/* Velocity of a point of a body, in ground's axes. */
static RbvVec3 velocity(const Field *f, int32_t body, RbvVec3 point) {
    int32_t n = f->number[body];
    RbvVec3 zero = {0, 0, 0};
    return n < 0 ? zero
                 : rbv_add(rbv_vec3_at(f->motion->velocity[n]),
                           rbv_cross(rbv_vec3_at(f->motion->angular[n]), rbv_sub(point, f->drawing->places[body].at)));
}

static void gather_velocity(Field *f, int32_t body, const double on_body[3]) {
    RbvDrawing *drawing = f->drawing;
    RbvVec3 point = rbv_place_point(&drawing->places[body], on_body), v = velocity(f, body, point);
    RbvSpot p = rbv_paper_at(&drawing->paper, point);
    VelocityArrow arrow = {p.x, p.y, rbv_dot(v, drawing->paper.right), -rbv_dot(v, drawing->paper.up)};
    if (rbv_norm(v) < STANDS)
        return;
    for (int32_t k = 0; k < f->count; k++) {
        const VelocityArrow *a = &f->arrows[k];
        if (hypot(a->x - arrow.x, a->y - arrow.y) < SAME_PLACE &&
            f->step * hypot(a->vx - arrow.vx, a->vy - arrow.vy) < SAME_PLACE)
            return;
    }
    if (f->count == f->capacity) {
        int32_t capacity = 2 * f->capacity + 32;
        VelocityArrow *grown = realloc(f->arrows, (size_t)capacity * sizeof *grown);
        f->lost = f->lost || !grown;
        if (!grown)
            return;
        f->arrows = grown;
        f->capacity = capacity;
    }
    f->arrows[f->count++] = arrow;
}

static const RbvInk velocity_ink = {.stroke = COLOUR, .fill = COLOUR, .width = 1.8};

/* Draws the rotation of the marker's body about the marker if the marker is at rest. */
static void gather_turn(Field *f, const RbvSceneMarker *marker) {
    RbvDrawing *drawing = f->drawing;
    int32_t n = f->number[marker->body];
    RbvVec3 point = rbv_place_point(&drawing->places[marker->body], marker->at);
    if (n < 0 || f->turned[marker->body] || rbv_norm(velocity(f, marker->body, point)) >= STANDS ||
        !(rbv_norm(rbv_vec3_at(f->motion->angular[n])) > 0))
        return;
    f->turned[marker->body] = true;
    double radius = fmax(VIRTUAL_TURN_RADIUS, 0.6 * drawing->scene->symbol * drawing->paper.scale);
    rbv_drawing_turning(drawing, point, rbv_vec3_at(f->motion->angular[n]), radius / drawing->paper.scale,
                        &velocity_ink);
}

/* Collects arrows at the points of joints, drives and loads, and at centroids, where weights do work. */
static void gather_all(Field *f) {
    const RbvScene *scene = f->drawing->scene;
    for (int32_t k = 0; k < scene->item_count; k++) {
        const RbvSceneItem *item = &scene->items[k];
        int32_t at[3] = {item->marker[0], item->marker[1], item->point};
        for (int n = 0; n < 3 && item->kind != RBV_SCENE_COORDINATE; n++)
            if (at[n] >= 0) {
                gather_velocity(f, scene->markers[at[n]].body, scene->markers[at[n]].at);
                gather_turn(f, &scene->markers[at[n]]);
            }
    }
    for (int32_t b = 1; b < scene->body_count; b++)
        if (scene->bodies[b].mass > 0)
            gather_velocity(f, b, scene->bodies[b].centroid);
}

static void draw_velocities(Field *f) {
    RbvDrawing *drawing = f->drawing;
    const RbvInk dot = {.stroke = COLOUR, .fill = COLOUR, .width = 1};
    double longest = 0;
    for (int32_t k = 0; k < f->count; k++)
        longest = fmax(longest, hypot(f->arrows[k].vx, f->arrows[k].vy));
    double scale = longest > 0 ? fmin(fmax(f->step * longest, SHORTEST), LONGEST) / longest : 0;
    for (int32_t k = 0; k < f->count; k++) {
        const VelocityArrow *a = &f->arrows[k];
        rbv_strokes_circle(&drawing->strokes, a->x, a->y, DOT, &dot);
        rbv_drawing_arrow(drawing, (RbvSpot){a->x, a->y, 0}, (RbvSpot){a->x + scale * a->vx, a->y + scale * a->vy, 0},
                          &velocity_ink);
    }
}

void rbv_drawing_motion(RbvDrawing *drawing, const RbvSceneMotion *motion) {
    const RbvScene *scene = drawing->scene;
    Field f = {.drawing = drawing, .motion = motion, .step = duration(scene, motion) * drawing->paper.scale};
    char text[RBV_SENTENCE_SIZE];
    f.number = rbv_arena_array(&f.arena, (size_t)scene->body_count, sizeof *f.number);
    f.turned = rbv_arena_array(&f.arena, (size_t)scene->body_count, sizeof *f.turned);
    f.lost = !f.number || !f.turned;
    for (int32_t b = 0; !f.lost && b < scene->body_count; b++)
        f.number[b] = -1;
    for (int32_t k = 0; !f.lost && k < motion->body_count; k++)
        f.number[motion->bodies[k]] = k;
    drawing->strokes.name = "virtual motion";
    rbv_drawing_layer(drawing, RBV_LAYER_ARROW, 0);
    if (!f.lost)
        gather_all(&f);
    draw_velocities(&f);
    drawing->strokes.name = NULL;
    if (strcmp(motion->name, motion->freedom) == 0)
        snprintf(text, sizeof text, "virtual motion: %s alone changes", motion->freedom);
    else
        snprintf(text, sizeof text, "virtual motion of %s: %s alone changes", motion->name, motion->freedom);
    rbv_drawing_report(drawing, text);
    drawing->strokes.no_memory = drawing->strokes.no_memory || f.lost;
    rbv_arena_clear(&f.arena);
    free(f.arrows);
}
