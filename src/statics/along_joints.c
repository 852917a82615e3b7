/* Steps along the joints of a tree; see along_joints.h. */
#include "statics/along_joints.h"

#include "mechanics/coordinates/articulated.h"

#include <stdlib.h>

RbvAlongJoints *rbv_along_joints_create(const RbvSystem *system) {
    RbvAlongJoints *along = calloc(1, sizeof *along);
    const RbvCoordinates *c = &system->coordinates;
    size_t bodies = (size_t)system->bodies.count;
    if (!along)
        return NULL;
    along->coordinates = c;
    along->bodies = malloc(bodies * sizeof *along->bodies);
    along->twists = malloc(bodies * sizeof *along->twists);
    along->q = malloc(((size_t)c->position_size + 1) * sizeof *along->q);
    along->step = malloc(((size_t)c->size + 1) * sizeof *along->step);
    if (along->bodies && along->twists && along->q && along->step)
        return along;
    rbv_along_joints_destroy(along);
    return NULL;
}

void rbv_along_joints_destroy(RbvAlongJoints *along) {
    if (!along)
        return;
    free(along->bodies);
    free(along->twists);
    free(along->q);
    free(along->step);
    free(along);
}

bool rbv_along_joints_fits(const RbvSystem *system) {
    return rbv_articulated_fits(&system->coordinates);
}

void rbv_along_joints_move(RbvAlongJoints *along, const RbvCoordinates *of_bodies, const double *step, double *q) {
    const RbvCoordinates *c = along->coordinates;
    rbv_coordinates_positions(of_bodies, q, along->bodies);
    for (int32_t b = 0; b < of_bodies->bodies->count; b++)
        along->twists[b] = rbv_bodies_twist(of_bodies->bodies, b, step);
    rbv_coordinates_from_bodies(c, along->bodies, along->q);
    c->kind->take_rates(c, (RbvPosed){.q = along->q, .bodies = along->bodies}, along->twists, along->step);
    rbv_coordinates_step(c, along->q, along->step);
    rbv_coordinates_positions(c, along->q, along->bodies);
    rbv_coordinates_from_bodies(of_bodies, along->bodies, q);
}
