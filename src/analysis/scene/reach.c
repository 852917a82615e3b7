/* Outermost points of figures: ends, corners, RIM points of each rim. The speed of the point r + A p is |v + w x A
 * p|. */
#include "analysis/scene/reach.h"

#include "core/linalg/rotation.h"

#include <math.h>

#define RIM 8

typedef struct Reach {
    const RbvSceneFigure *figure;
    int side;  /* side of on[2] */
    RbvMat3 A; /* axes of its body */
    RbvTwist twist;
    double fastest;
} Reach;

static RbvMat3 axes_of(const double turn[4]) {
    return rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}});
}

static RbvVec3 vector(const double v[3]) {
    return (RbvVec3){v[0], v[1], v[2]};
}

static void meet(Reach *r, RbvVec3 p) {
    r->fastest = fmax(r->fastest, rbv_norm(rbv_add(r->twist.v, rbv_cross(r->twist.w, rbv_apply(&r->A, p)))));
}

static void meet_rim(Reach *r, RbvVec3 middle, const RbvMat3 *axes, double radius) {
    for (int k = 0; k < RIM; k++) {
        double angle = k * RBV_TWO_PI / RIM;
        meet(r, rbv_add(middle, rbv_apply(axes, rbv_vec3(radius * cos(angle), radius * sin(angle), 0))));
    }
}

/* Test the rims of a round figure about the line from `at` to `to`: at its base, and at its other end. */
static void meet_round(Reach *r, RbvVec3 from, RbvVec3 to) {
    RbvMat3 axes;
    RbvVec3 along = rbv_sub(to, from);
    if (!rbv_frame_of_axes(along, rbv_vec3(1, 0, 0), &axes) && !rbv_frame_of_axes(along, rbv_vec3(0, 1, 0), &axes))
        axes = rbv_mat3_identity();
    meet_rim(r, from, &axes, r->figure->radius);
    meet_rim(r, to, &axes, r->figure->kind == RBV_SCENE_CONE ? 0 : r->figure->radius);
}

static void meet_box(Reach *r) {
    const RbvSceneFigure *f = r->figure;
    RbvMat3 axes = axes_of(f->turn);
    for (int k = 0; k < 8; k++) {
        RbvVec3 corner = {(k & 1 ? 0.5 : -0.5) * f->size[0], (k & 2 ? 0.5 : -0.5) * f->size[1],
                          (k & 4 ? 0.5 : -0.5) * f->size[2]};
        meet(r, rbv_add(vector(f->at), rbv_apply(&axes, corner)));
    }
}

static void meet_ball(Reach *r) {
    for (int k = 0; k < 6; k++) {
        double p[3] = {r->figure->at[0], r->figure->at[1], r->figure->at[2]};
        p[k / 2] += (k % 2 ? -1 : 1) * r->figure->radius;
        meet(r, vector(p));
    }
}

/* Test the points of a figure on its body `side`. */
static void meet_figure(Reach *r) {
    const RbvSceneFigure *f = r->figure;
    RbvMat3 axes;
    switch (f->kind) {
    case RBV_SCENE_LINE:
    case RBV_SCENE_MESH:
        for (int32_t k = 0; k < f->count; k++)
            meet(r, vector(&f->points[3 * k]));
        break;
    case RBV_SCENE_CIRCLE:
    case RBV_SCENE_WHEEL:
        axes = axes_of(f->turn);
        meet_rim(r, vector(f->at), &axes, f->radius);
        break;
    case RBV_SCENE_BOX: meet_box(r); break;
    case RBV_SCENE_SPHERE: meet_ball(r); break;
    case RBV_SCENE_CYLINDER:
    case RBV_SCENE_CONE: meet_round(r, vector(f->at), vector(f->to)); break;
    case RBV_SCENE_BAR:
    case RBV_SCENE_COIL:
    case RBV_SCENE_DAMPER:
    case RBV_SCENE_STRAND: meet(r, vector(r->side ? f->to : f->at)); break;
    default: /* arrows */ meet(r, vector(f->at));
    }
}

double rbv_scene_fastest(const RbvScene *scene, const RbvTwist *twists) {
    Reach r = {0};
    for (int32_t k = 0; k < scene->figure_count; k++) {
        r.figure = &scene->figures[k];
        for (r.side = 0; r.side < (r.figure->kind >= RBV_SCENE_BAR && r.figure->kind <= RBV_SCENE_STRAND ? 2 : 1);
             r.side++) {
            int32_t b = r.figure->on[r.side];
            r.A = axes_of(scene->bodies[b].turn);
            r.twist = twists[b];
            if (b > 0)
                meet_figure(&r);
        }
    }
    return r.fastest;
}
