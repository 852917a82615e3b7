/* Absolute coordinates in the plane and in space; see absolute.h. */
#include "coordinates/absolute.h"

bool rbv_absolute_create(const RbvModel *model, RbvArena *arena, RbvAbsolute *absolute) {
    int32_t count = model->bodies.count;
    absolute->body_count = count;
    absolute->spatial = model->space == RBV_SPATIAL;
    absolute->start = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *absolute->start);
    absolute->position = rbv_arena_alloc(arena, ((size_t)count + 1) * sizeof *absolute->position);
    if (!absolute->start || !absolute->position)
        return false;
    absolute->start[0] = absolute->position[0] = 0;
    for (int32_t b = 0; b < count; b++) {
        bool particle = model->bodies.items[b].particle;
        int32_t columns = b == 0 ? 0 : absolute->spatial ? (particle ? 3 : 6) : particle ? 2 : 3;
        absolute->start[b + 1] = absolute->start[b] + columns;
        absolute->position[b + 1] = absolute->position[b] + columns + (columns == 6);
    }
    absolute->size = absolute->start[count];
    absolute->position_size = absolute->position[count];
    return true;
}

static RbvQuat quat_at(const double *x) {
    return (RbvQuat){x[0], {x[1], x[2], x[3]}};
}

static void store_quat(RbvQuat p, double *x) {
    x[0] = p.w, x[1] = p.e.x, x[2] = p.e.y, x[3] = p.e.z;
}

void rbv_absolute_put(const RbvAbsolute *absolute, int32_t body, RbvVec3 r, double turn, RbvQuat p, double *q) {
    double *x = q + absolute->position[body];
    x[0] = r.x;
    x[1] = r.y;
    if (absolute->spatial)
        x[2] = r.z;
    if (!rbv_absolute_turns(absolute, body))
        return;
    if (absolute->spatial)
        store_quat(p, x + 3);
    else
        x[2] = turn;
}

void rbv_absolute_start(const RbvAbsolute *absolute, const RbvModel *model, double *q) {
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        RbvMat3 axes = rbv_body_axes(model, body);
        rbv_absolute_put(absolute, b, rbv_add(body->at, rbv_apply(&axes, body->centroid)), body->angle, body->rotation, q);
    }
}

void rbv_absolute_place(const RbvAbsolute *absolute, const double *q, RbvBodyState *bodies) {
    bodies[0] = (RbvBodyState){{0, 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity()};
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const double *x = q + absolute->position[b];
        RbvBodyState *body = &bodies[b];
        if (!absolute->spatial) {
            body->r = rbv_vec3(x[0], x[1], 0);
            body->turn = rbv_absolute_turns(absolute, b) ? x[2] : 0;
            body->A = rbv_mat3_about_z(body->turn);
            continue;
        }
        body->r = rbv_vec3(x[0], x[1], x[2]);
        body->p = rbv_absolute_turns(absolute, b) ? rbv_quat_normalised(quat_at(x + 3)) : rbv_quat_identity();
        body->A = rbv_mat3_of_quat(body->p);
    }
}

RbvTwist rbv_absolute_twist(const RbvAbsolute *absolute, int32_t b, const double *v) {
    const double *x = v + absolute->start[b];
    bool turns = b > 0 && rbv_absolute_turns(absolute, b);
    if (b == 0)
        return (RbvTwist){{0, 0, 0}, {0, 0, 0}};
    if (!absolute->spatial)
        return (RbvTwist){{x[0], x[1], 0}, {0, 0, turns ? x[2] : 0}};
    RbvVec3 none = {0, 0, 0};
    return (RbvTwist){{x[0], x[1], x[2]}, turns ? rbv_vec3(x[3], x[4], x[5]) : none};
}

void rbv_absolute_push(const RbvAbsolute *absolute, const double *v, RbvTwist *twists) {
    for (int32_t b = 0; b < absolute->body_count; b++)
        twists[b] = rbv_absolute_twist(absolute, b, v);
}

void rbv_absolute_pull(const RbvAbsolute *absolute, const RbvWrench *wrenches, double *Q) {
    for (int32_t k = 0; k < absolute->size; k++)
        Q[k] = 0;
    for (int32_t b = 1; b < absolute->body_count; b++)
        rbv_absolute_add(absolute, b, 1, &wrenches[b], Q + absolute->start[b]);
}

void rbv_absolute_step(const RbvAbsolute *absolute, double *q, const double *dv) {
    if (!absolute->spatial) {
        for (int32_t k = 0; k < absolute->size; k++)
            q[k] += dv[k];
        return;
    }
    for (int32_t b = 1; b < absolute->body_count; b++) {
        double *x = q + absolute->position[b];
        const double *d = dv + absolute->start[b];
        for (int k = 0; k < 3; k++)
            x[k] += d[k];
        if (rbv_absolute_turns(absolute, b))
            store_quat(rbv_quat_normalised(rbv_quat_product(rbv_quat_of_vector(rbv_vec3(d[3], d[4], d[5])), quat_at(x + 3))), x + 3);
    }
}

void rbv_absolute_difference(const RbvAbsolute *absolute, const double *from, const double *to, double *dv) {
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const double *x = from + absolute->position[b], *y = to + absolute->position[b];
        double *d = dv + absolute->start[b];
        int32_t plain = absolute->spatial ? 3 : rbv_absolute_columns(absolute, b);
        for (int32_t k = 0; k < plain; k++)
            d[k] = y[k] - x[k];
        if (!absolute->spatial || !rbv_absolute_turns(absolute, b))
            continue;
        RbvVec3 turn = rbv_vector_of_quat(rbv_quat_product(quat_at(y + 3), rbv_quat_conjugate(quat_at(x + 3))));
        d[3] = turn.x, d[4] = turn.y, d[5] = turn.z;
    }
}

void rbv_absolute_rate(const RbvAbsolute *absolute, const double *q, const double *v, double *rate) {
    for (int32_t b = 1; b < absolute->body_count; b++) {
        const double *d = v + absolute->start[b];
        double *out = rate + absolute->position[b];
        int32_t plain = absolute->spatial ? 3 : rbv_absolute_columns(absolute, b);
        for (int32_t k = 0; k < plain; k++)
            out[k] = d[k];
        if (absolute->spatial && rbv_absolute_turns(absolute, b))
            store_quat(rbv_quat_product((RbvQuat){0, {0.5 * d[3], 0.5 * d[4], 0.5 * d[5]}}, quat_at(q + absolute->position[b] + 3)), out + 3);
    }
}

void rbv_absolute_renew(const RbvAbsolute *absolute, double *q) {
    for (int32_t b = 1; absolute->spatial && b < absolute->body_count; b++)
        if (rbv_absolute_turns(absolute, b))
            store_quat(rbv_quat_normalised(quat_at(q + absolute->position[b] + 3)), q + absolute->position[b] + 3);
}

bool rbv_absolute_is_rotation(const RbvAbsolute *absolute, int32_t body, int32_t index) {
    int32_t column = index - absolute->start[body];
    return absolute->spatial ? column > 2 : column == 2;
}
