/* Functions common to all kinds of coordinates; see coordinates.h. */
#include "mechanics/coordinates/coordinates.h"

#include <stdlib.h>

bool rbv_bodies_create(const RbvModel *model, RbvArena *arena, RbvBodyColumns *bodies) {
    int32_t count = model->bodies.count;
    *bodies = (RbvBodyColumns){.count = count, .spatial = model->space == RBV_SPATIAL};
    bodies->start = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *bodies->start);
    if (!bodies->start)
        return false;
    bodies->start[0] = 0;
    for (int32_t b = 0; b < count; b++) {
        bool particle = model->bodies.items[b].particle;
        bool generalized = model->bodies.items[b].generalized > 0;
        int32_t columns = bodies->spatial ? 6 : 3;
        if (particle)
            columns = bodies->spatial ? 3 : 2;
        if (generalized || b == 0)
            columns = b > 0;
        bodies->start[b + 1] = bodies->start[b] + columns;
    }
    bodies->size = bodies->start[count];
    return true;
}

bool rbv_coordinates_create(const RbvCoordinatesKind *kind, const RbvModel *model, const RbvBodyColumns *bodies,
                            const RbvFromRows *rows, RbvArena *arena, RbvCoordinates *coordinates) {
    *coordinates = (RbvCoordinates){.kind = kind, .model = model, .bodies = bodies};
    if (rows)
        coordinates->from_rows = *rows;
    if (!kind->mixed)
        coordinates->from_rows.number_count = 0;
    bool good = kind->layout(coordinates, arena);
    coordinates->from_rows.like = NULL;
    return good;
}

bool rbv_coordinates_compatible(const RbvCoordinates *a, const RbvCoordinates *b) {
    return a->kind == b->kind && a->size == b->size && a->position_size == b->position_size &&
           a->own_rows == b->own_rows && (!a->kind->compatible || a->kind->compatible(a, b));
}

bool rbv_coordinates_layout(const RbvCoordinates *c, RbvArena *arena, RbvCoordinates *layout, bool *compatible) {
    *layout = *c;
    *compatible = true;
    for (int pass = 0; pass < 2 && c->kind->adopt_layout; pass++) {
        layout->from_rows.like = pass == 1 ? c : NULL;
        if (!c->kind->layout(layout, arena))
            return false;
        *compatible = rbv_coordinates_compatible(c, layout);
        if (*compatible)
            break;
    }
    layout->from_rows.like = NULL;
    return true;
}

void rbv_coordinates_adopt_layout(RbvCoordinates *c, const RbvCoordinates *layout) {
    c->layouts++;
    if (c->kind->adopt_layout)
        c->kind->adopt_layout(c, layout);
}

RbvBodyState rbv_body_moved(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from, RbvTwist step) {
    RbvBodyState to = *from;
    to.r = rbv_add(from->r, step.v);
    if (!rbv_bodies_turns(bodies, body))
        return to;
    if (bodies->spatial) {
        to.p = rbv_quat_normalised(rbv_quat_product(rbv_quat_of_vector(step.w), from->p));
        to.A = rbv_mat3_of_quat(to.p);
        return to;
    }
    RbvTurns angle = rbv_turns_reduced((RbvTurns){from->turn + step.w.z, from->whole});
    to.turn = angle.turn;
    to.whole = angle.whole;
    to.A = rbv_mat3_about_z(to.turn);
    return to;
}

RbvTwist rbv_body_difference(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from,
                             const RbvBodyState *to) {
    RbvTwist step = {rbv_sub(to->r, from->r), {0, 0, 0}};
    if (rbv_bodies_turns(bodies, body) && bodies->spatial)
        step.w = rbv_vector_of_quat(rbv_quat_product(to->p, rbv_quat_conjugate(from->p)));
    else if (rbv_bodies_turns(bodies, body))
        step.w.z = to->turn - from->turn + RBV_TWO_PI * (to->whole - from->whole);
    return step;
}

bool rbv_coordinates_start(const RbvCoordinates *coordinates, double *q) {
    const RbvModel *model = coordinates->model;
    RbvBodyState *bodies = calloc((size_t)model->bodies.count, sizeof *bodies);
    for (int32_t b = 0; bodies && b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvMat3 axes = rbv_body_axes(model, body);
        bodies[b] =
            (RbvBodyState){rbv_add(body->at, rbv_apply(&axes, body->centroid)), axes, body->angle, body->rotation, 0};
    }
    if (bodies)
        coordinates->kind->from_bodies(coordinates, bodies, q);
    free(bodies);
    return bodies != NULL;
}

void rbv_coordinates_bias(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations) {
    for (int32_t b = 0; b < coordinates->bodies->count; b++)
        accelerations[b] = (RbvTwist){{0, 0, 0}, {0, 0, 0}};
    if (coordinates->kind->bias)
        coordinates->kind->bias(coordinates, at, v, accelerations);
}

void rbv_coordinates_accelerate(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const double *a,
                                RbvTwist *accelerations) {
    const RbvCoordinatesKind *kind = coordinates->kind;
    kind->velocities(coordinates, at, a, accelerations);
    if (kind->bias)
        kind->bias(coordinates, at, v, accelerations);
}

void rbv_coordinates_accelerate_from(const RbvCoordinates *coordinates, RbvPosed at, const double *a,
                                     const RbvTwist *bias, RbvTwist *accelerations) {
    coordinates->kind->velocities(coordinates, at, a, accelerations);
    for (int32_t b = 0; coordinates->kind->bias && b < coordinates->bodies->count; b++)
        accelerations[b] = (RbvTwist){rbv_add(accelerations[b].v, bias[b].v), rbv_add(accelerations[b].w, bias[b].w)};
}

/* Q where the kind has masses of its own: -w x J w is among the wrenches and in M, so it is removed from the wrenches.
 * `twists` and `more` [bodies]: workspace. */
static void own_force(const RbvCoordinates *c, RbvPosed at, const double *v, const RbvWrench *wrenches,
                      RbvTwist *twists, RbvWrench *more, double *Q) {
    rbv_coordinates_velocities(c, at, v, twists);
    for (int32_t b = 0; b < c->bodies->count; b++) {
        more[b] = wrenches[b];
        if (c->bodies->spatial && b > 0 && rbv_bodies_turns(c->bodies, b))
            more[b].torque = rbv_add(
                more[b].torque,
                rbv_cross(twists[b].w, rbv_body_momentum(&c->model->bodies.items[b], &at.bodies[b].A, twists[b].w)));
    }
    rbv_coordinates_generalized_forces(c, at, more, Q);
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = -Q[k];
    c->kind->inertia_drift(c, at, v, Q);
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = -Q[k];
}

void rbv_coordinates_force(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvWrench *wrenches,
                           const RbvTwist *bias, RbvTwist *twists, RbvWrench *less, double *Q) {
    if (!coordinates->kind->bias) {
        rbv_coordinates_generalized_forces(coordinates, at, wrenches, Q);
        return;
    }
    if (coordinates->kind->inertia_drift) {
        own_force(coordinates, at, v, wrenches, twists, less, Q);
        return;
    }
    for (int32_t b = 0; b < coordinates->bodies->count; b++) {
        const RbvBody *body = &coordinates->model->bodies.items[b];
        RbvWrench inertia = {rbv_scale(body->mass, bias[b].v), rbv_body_momentum(body, &at.bodies[b].A, bias[b].w)};
        less[b] = rbv_wrench_add_scaled(wrenches[b], -1, inertia);
    }
    rbv_coordinates_generalized_forces(coordinates, at, less, Q);
}

void rbv_coordinates_add_to(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, RbvWrench wrench,
                            RbvRowWork work, double *out) {
    int32_t count = coordinates->kind->columns(coordinates, body, work.column);
    for (int32_t k = 0; k < count; k++)
        work.part[k] = 0;
    coordinates->kind->add(coordinates, at, body, 1, &wrench, work.part);
    for (int32_t k = 0; k < count; k++)
        out[work.column[k]] += work.part[k];
}
