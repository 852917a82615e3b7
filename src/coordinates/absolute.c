/* Absolute coordinates in the plane; see absolute.h. */
#include "coordinates/absolute.h"

bool rbv_absolute_create(const RbvModel *model, RbvArena *arena, RbvAbsolute *absolute) {
    int32_t count = model->bodies.count;
    absolute->body_count = count;
    absolute->start = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *absolute->start);
    if (!absolute->start)
        return false;
    absolute->start[0] = 0;
    for (int32_t b = 0; b < count; b++)
        absolute->start[b + 1] = absolute->start[b] + (b == 0 ? 0 : model->bodies.items[b].particle ? 2 : 3);
    absolute->size = absolute->start[count];
    return true;
}

void rbv_absolute_start(const RbvAbsolute *absolute, const RbvModel *model, double *q) {
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvMat3 axes = rbv_mat3_about_z(body->angle);
        RbvVec3 r = rbv_add(body->at, rbv_apply(&axes, body->centroid));
        double *x = q + absolute->start[b];
        x[0] = r.x;
        x[1] = r.y;
        if (!body->particle)
            x[2] = body->angle;
    }
}

void rbv_absolute_place(const RbvAbsolute *absolute, const double *q, RbvBodyState *bodies) {
    bodies[0] = (RbvBodyState){{0, 0, 0}, rbv_mat3_identity(), 0};
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const double *x = q + absolute->start[b];
        bodies[b].r = rbv_vec3(x[0], x[1], 0);
        bodies[b].turn = rbv_absolute_columns(absolute, b) == 3 ? x[2] : 0;
        bodies[b].A = rbv_mat3_about_z(bodies[b].turn);
    }
}

void rbv_absolute_push(const RbvAbsolute *absolute, const double *v, RbvTwist *twists) {
    twists[0] = (RbvTwist){{0, 0, 0}, {0, 0, 0}};
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const double *x = v + absolute->start[b];
        twists[b].v = rbv_vec3(x[0], x[1], 0);
        twists[b].w = rbv_vec3(0, 0, rbv_absolute_columns(absolute, b) == 3 ? x[2] : 0);
    }
}

void rbv_absolute_pull(const RbvAbsolute *absolute, const RbvWrench *wrenches, double *Q) {
    for (int32_t b = 1; b < absolute->body_count; b++) {
        double *x = Q + absolute->start[b];
        x[0] = wrenches[b].force.x;
        x[1] = wrenches[b].force.y;
        if (rbv_absolute_columns(absolute, b) == 3)
            x[2] = wrenches[b].torque.z;
    }
}

void rbv_absolute_step(const RbvAbsolute *absolute, double *q, const double *dv) {
    for (int32_t k = 0; k < absolute->size; k++)
        q[k] += dv[k];
}

bool rbv_absolute_is_rotation(const RbvAbsolute *absolute, int32_t body, int32_t index) {
    return index - absolute->start[body] == 2;
}
