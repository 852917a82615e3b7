/* The projection; see paper.h. */
#include "output/draw/paper.h"

#include <stdlib.h>

/* [rad] Oblique view from above: azimuth from the front, and elevation. No axis hides another, and no two are
 * foreshortened alike. */
#define ROUND (-55 * 0.017453292519943295)
#define ABOVE (22 * 0.017453292519943295)

static RbvVec3 unit(RbvVec3 a) {
    return rbv_scale(1 / rbv_norm(a), a);
}

RbvPaper rbv_paper_of(const RbvScene *scene, RbvViewpoint viewpoint) {
    RbvPaper paper = {.right = {1, 0, 0},
                      .up = {0, 1, 0},
                      .toward = {0, 0, 1},
                      .low = {INFINITY, INFINITY},
                      .high = {-INFINITY, -INFINITY},
                      .scale = 1};
    if (!scene->spatial)
        return paper;
    RbvVec3 up = {scene->up[0], scene->up[1], scene->up[2]},
            x = fabs(up.x) < 0.9 ? (RbvVec3){1, 0, 0} : (RbvVec3){0, 1, 0};
    RbvVec3 front = unit(rbv_add_scaled(x, -rbv_dot(x, up), up)), side = rbv_cross(up, front); /* x normal to up; y */
    switch (viewpoint) {
    case RBV_VIEW_OBLIQUE:
        paper.toward =
            rbv_add(rbv_scale(cos(ABOVE), rbv_add(rbv_scale(cos(ROUND), front), rbv_scale(sin(ROUND), side))),
                    rbv_scale(sin(ABOVE), up));
        break;
    case RBV_VIEW_FRONT: paper.toward = rbv_scale(-1, side); break;
    case RBV_VIEW_SIDE: paper.toward = front; break;
    case RBV_VIEW_TOP: paper.toward = up; break;
    }
    if (viewpoint == RBV_VIEW_TOP)
        paper.up = side;
    else
        paper.up = unit(rbv_add_scaled(up, -rbv_dot(up, paper.toward), paper.toward));
    paper.right = rbv_cross(paper.up, paper.toward);
    return paper;
}

void rbv_paper_see(RbvPaper *paper, RbvVec3 point, double around) {
    double at[2] = {rbv_dot(paper->right, point), rbv_dot(paper->up, point)};
    for (int k = 0; k < 2; k++) {
        paper->low[k] = fmin(paper->low[k], at[k] - around);
        paper->high[k] = fmax(paper->high[k], at[k] + around);
    }
}

void rbv_paper_fit(RbvPaper *paper, double width, double height, const double margin[2]) {
    double wide = paper->high[0] - paper->low[0], tall = paper->high[1] - paper->low[1];
    if (!(wide >= 0 && isfinite(wide + tall)))
        *paper->low = *paper->high = paper->low[1] = paper->high[1] = wide = tall = 0;
    double scale = fmin((width - 2 * margin[0]) / wide, (height - 2 * margin[1]) / tall);
    paper->scale = isfinite(scale) && scale > 0 ? scale : 1;
    paper->x = width / 2 - paper->scale * (paper->low[0] + paper->high[0]) / 2;
    paper->y = height / 2 + paper->scale * (paper->low[1] + paper->high[1]) / 2;
}

RbvPlace *rbv_places_at(const RbvResult *result, int32_t sample) {
    const RbvScene *scene = rbv_result_scene(result);
    RbvPlace *places = malloc((size_t)scene->body_count * sizeof *places);
    for (int32_t b = 0; places && b < scene->body_count; b++) {
        double at[3] = {0}, turn[4] = {1, 0, 0, 0};
        rbv_result_pose(result, sample, b, at, turn);
        places[b] =
            (RbvPlace){{at[0], at[1], at[2]}, rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}})};
    }
    return places;
}

RbvMat3 rbv_place_axes(const RbvPlace *place, const double turn[4]) {
    RbvMat3 own = rbv_mat3_of_quat((RbvQuat){turn[0], {turn[1], turn[2], turn[3]}});
    return rbv_mat3_product(&place->A, &own);
}
