/* Draws cams: outlines of both sides through their splines, spatial curves, surfaces of revolution as meshes, flats,
 * and point followers. */
#include "analysis/scene/draft.h"

#define OUTLINE_POINTS 129
#define AROUND 24 /* mesh columns around a surface of revolution */
#define ALONG 33

static double value_of(const RbvSpline *spline, double c) {
    double d[4] = {0};
    if (spline)
        rbv_spline_eval(spline, c, 0, d);
    return d[0];
}

/* Draw the outline of side 0 or 1, or the spatial curve; *reach: largest distance from its marker [m]. */
static void curve(RbvDraft *s, const RbvJoint *joint, const RbvCam *cam, int side, double *reach) {
    RbvVec3 points[OUTLINE_POINTS];
    int32_t count = cam->closed[side] ? OUTLINE_POINTS - 1 : OUTLINE_POINTS;
    for (int32_t k = 0; k < count; k++) {
        double c = cam->span[side] * k / (OUTLINE_POINTS - 1.0);
        RbvVec3 p = rbv_vec3(value_of(cam->x[side], c), value_of(cam->y[side], c), side == 0 ? value_of(cam->z, c) : 0);
        *reach = fmax(*reach, rbv_norm(p));
        points[k] = rbv_draft_place(s, joint->marker[side], p);
    }
    RbvSceneRole role = s->role;
    bool filled = cam->closed[side] && !joint->track;
    s->role = filled ? RBV_SCENE_OUTLINE : role;
    rbv_draft_line(s, rbv_draft_body(s, joint->marker[side]), points, count, cam->closed[side], filled);
    s->role = role;
}

/* Draw the surface of revolution: outline (x from the axis, y along it) turned about z. */
static void revolved(RbvDraft *s, const RbvJoint *joint, const RbvCam *cam) {
    RbvArena *arena = &s->result->arena;
    double(*vertex)[3] = rbv_arena_array(arena, (size_t)AROUND * ALONG, sizeof *vertex);
    int32_t(*triangle)[3] = rbv_arena_array(arena, 2 * (size_t)AROUND * (ALONG - 1), sizeof *triangle), count = 0;
    int32_t body = rbv_draft_body(s, joint->marker[0]);
    s->lost = s->lost || !vertex || !triangle;
    for (int32_t k = 0; !s->lost && k < ALONG; k++)
        for (int32_t n = 0; n < AROUND; n++) {
            double c = cam->span[0] * k / (ALONG - 1.0), x = value_of(cam->x[0], c), angle = RBV_TWO_PI * n / AROUND;
            RbvVec3 p =
                rbv_draft_place(s, joint->marker[0], rbv_vec3(x * cos(angle), x * sin(angle), value_of(cam->y[0], c)));
            double *v = vertex[k * AROUND + n];
            v[0] = p.x, v[1] = p.y, v[2] = p.z;
        }
    bool flip = cam->side[0] < 0; /* orientation of the triangles: normals out of the material */
    for (int32_t k = 0; !s->lost && k + 1 < ALONG; k++)
        for (int32_t n = 0; n < AROUND; n++) {
            int32_t a = k * AROUND + n, b = k * AROUND + (n + 1) % AROUND, c = a + AROUND, d = b + AROUND;
            int32_t *first = triangle[count++], *second = triangle[count++];
            first[0] = a, first[1] = flip ? c : b, first[2] = flip ? b : c;
            second[0] = b, second[1] = flip ? c : d, second[2] = flip ? d : c;
        }
    RbvSceneRole role = s->role;
    s->role = RBV_SCENE_OUTLINE;
    if (!s->lost)
        rbv_draft_figure(s, (RbvSceneFigure){.kind = RBV_SCENE_MESH,
                                             .on = {body, body},
                                             .count = AROUND * ALONG,
                                             .points = &vertex[0][0],
                                             .triangle_count = count,
                                             .triangles = &triangle[0][0]});
    s->role = role;
}

void rbv_draft_cam(RbvDraft *s, const RbvJoint *joint) {
    const RbvCam *cam = &s->model->cams.items[joint->cam];
    double reach = 0;
    if (cam->revolved)
        revolved(s, joint, cam);
    else
        curve(s, joint, cam, 0, &reach);
    if (cam->x[1]) {
        curve(s, joint, cam, 1, &reach);
    } else if (cam->flat) {
        double half = fmax(reach, s->symbol);
        const RbvVec3 line[2] = {rbv_draft_place(s, joint->marker[1], rbv_vec3(-half, 0, 0)),
                                 rbv_draft_place(s, joint->marker[1], rbv_vec3(half, 0, 0))};
        rbv_draft_line(s, rbv_draft_body(s, joint->marker[1]), line, 2, false, false);
    } else {
        rbv_draft_pin(s, joint->marker[1]);
    }
}
