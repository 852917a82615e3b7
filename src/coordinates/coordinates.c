/* What all coordinates share; see coordinates.h. */
#include "coordinates/coordinates.h"

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
        int32_t columns = b == 0 ? 0 : generalized ? 1 : bodies->spatial ? (particle ? 3 : 6) : particle ? 2 : 3;
        bodies->start[b + 1] = bodies->start[b] + columns;
    }
    bodies->size = bodies->start[count];
    return true;
}

bool rbv_coordinates_create(const RbvCoordinatesKind *kind, const RbvModel *model, const RbvBodyColumns *bodies, const RbvFromRows *rows, RbvArena *arena,
                            RbvCoordinates *coordinates) {
    *coordinates = (RbvCoordinates){.kind = kind, .model = model, .bodies = bodies};
    if (rows)
        coordinates->from_rows = *rows;
    if (!kind->mixed)
        coordinates->from_rows.number_count = 0;
    bool good = kind->layout(coordinates, arena);
    coordinates->from_rows.like = NULL;
    return good;
}

bool rbv_coordinates_alike(const RbvCoordinates *a, const RbvCoordinates *b) {
    return a->kind == b->kind && a->size == b->size && a->position_size == b->position_size && a->own_rows == b->own_rows && (!a->kind->alike || a->kind->alike(a, b));
}

bool rbv_coordinates_beside(const RbvCoordinates *c, RbvArena *arena, RbvCoordinates *beside, bool *alike) {
    *beside = *c;
    *alike = true;
    for (int pass = 0; pass < 2 && c->kind->follow; pass++) {
        beside->from_rows.like = pass == 1 ? c : NULL;
        if (!c->kind->layout(beside, arena))
            return false;
        *alike = rbv_coordinates_alike(c, beside);
        if (*alike)
            break;
    }
    beside->from_rows.like = NULL;
    return true;
}

void rbv_coordinates_follow(RbvCoordinates *c, const RbvCoordinates *beside) {
    if (c->kind->follow)
        c->kind->follow(c, beside);
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

RbvTwist rbv_body_difference(const RbvBodyColumns *bodies, int32_t body, const RbvBodyState *from, const RbvBodyState *to) {
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
        bodies[b] = (RbvBodyState){rbv_add(body->at, rbv_apply(&axes, body->centroid)), axes, body->angle, body->rotation, 0};
    }
    if (bodies)
        coordinates->kind->take(coordinates, bodies, q);
    free(bodies);
    return bodies != NULL;
}

void rbv_coordinates_bias(const RbvCoordinates *coordinates, RbvPosed at, const double *v, RbvTwist *accelerations) {
    for (int32_t b = 0; b < coordinates->bodies->count; b++)
        accelerations[b] = (RbvTwist){{0, 0, 0}, {0, 0, 0}};
    if (coordinates->kind->bias)
        coordinates->kind->bias(coordinates, at, v, accelerations);
}

void rbv_coordinates_accelerate(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const double *a, RbvTwist *accelerations) {
    const RbvCoordinatesKind *kind = coordinates->kind;
    kind->push(coordinates, at, a, accelerations);
    if (kind->bias)
        kind->bias(coordinates, at, v, accelerations);
}

void rbv_coordinates_accelerate_from(const RbvCoordinates *coordinates, RbvPosed at, const double *a, const RbvTwist *bias, RbvTwist *accelerations) {
    coordinates->kind->push(coordinates, at, a, accelerations);
    for (int32_t b = 0; coordinates->kind->bias && b < coordinates->bodies->count; b++)
        accelerations[b] = (RbvTwist){rbv_add(accelerations[b].v, bias[b].v), rbv_add(accelerations[b].w, bias[b].w)};
}

/* -w x J w is among the wrenches, and in M. `twists` and `more` [bodies]: room. */
static void own_force(const RbvCoordinates *c, RbvPosed at, const double *v, const RbvWrench *wrenches, RbvTwist *twists, RbvWrench *more, double *Q) {
    rbv_coordinates_push(c, at, v, twists);
    for (int32_t b = 0; b < c->bodies->count; b++) {
        more[b] = wrenches[b];
        if (c->bodies->spatial && b > 0 && rbv_bodies_turns(c->bodies, b))
            more[b].torque = rbv_add(more[b].torque, rbv_cross(twists[b].w, rbv_body_momentum(&c->model->bodies.items[b], &at.bodies[b].A, twists[b].w)));
    }
    rbv_coordinates_pull(c, at, more, Q);
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = -Q[k];
    c->kind->inertia_drift(c, at, v, Q);
    for (int32_t k = 0; k < c->size; k++)
        Q[k] = -Q[k];
}

void rbv_coordinates_force(const RbvCoordinates *coordinates, RbvPosed at, const double *v, const RbvWrench *wrenches, const RbvTwist *bias, RbvTwist *twists, RbvWrench *less,
                           double *Q) {
    if (!coordinates->kind->bias) {
        rbv_coordinates_pull(coordinates, at, wrenches, Q);
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
    rbv_coordinates_pull(coordinates, at, less, Q);
}

/* Which columns of v move the body so that the row feels it. */
static int32_t columns_of_row(const RbvCoordinates *c, int32_t row, int32_t body, int32_t *list) {
    return c->common ? c->kind->columns_beyond(c, c->common[row], body, list) : c->kind->columns(c, body, list);
}

/* The union of the columns of a row's bodies, each once: appended to column[*at] when it is given, counted else. `seen` [size] remembers the row. */
static void merge_columns(const RbvCoordinates *c, const RbvRowPattern *D, int32_t row, int32_t *seen, int32_t *list, int32_t *column, int32_t *at) {
    int32_t body = 0;
    for (int32_t e = D->start[row]; e < D->start[row + 1]; e += rbv_bodies_columns(c->bodies, body)) {
        body = rbv_bodies_at(c->bodies, D->column[e]);
        int32_t count = columns_of_row(c, row, body, list);
        for (int32_t k = 0; k < count; k++) {
            if (seen[list[k]] == row)
                continue;
            seen[list[k]] = row;
            if (column)
                column[*at] = list[k];
            ++*at;
        }
    }
}

static bool merge_rows(const RbvCoordinates *c, const RbvRowPattern *D, const bool *without, const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C, int32_t *seen, int32_t *list) {
    int32_t own = c->own_rows, own_entries = own > 0 ? c->own_pattern->start[own] : 0;
    C->count = D->count + own;
    C->start = rbv_arena_alloc(arena, ((size_t)C->count + 1) * sizeof *C->start);
    int32_t count = 0;
    for (int pass = 0; C->start && pass < 2; pass++) {
        if (pass == 1 && (C->column = rbv_arena_alloc(arena, ((size_t)count + (size_t)own_entries + 1) * sizeof *C->column)) == NULL)
            break;
        count = 0;
        for (int32_t k = 0; k < c->size; k++)
            seen[k] = -1;
        for (int32_t row = 0; row < D->count; row++) {
            C->start[row] = count;
            if (without && without[row])
                continue;
            merge_columns(c, D, row, seen, list, pass ? C->column : NULL, &count);
            for (int32_t e = numbers ? numbers->start[row] : 0; numbers && e < numbers->start[row + 1]; e++, count++)
                if (pass == 1)
                    C->column[count] = numbers->column[e];
        }
        C->start[D->count] = count;
    }
    for (int32_t k = 0; C->column && k < own; k++)
        C->start[D->count + k + 1] = count + c->own_pattern->start[k + 1];
    for (int32_t e = 0; C->column && e < own_entries; e++)
        C->column[count + e] = c->own_pattern->column[e];
    return C->column != NULL;
}

/* Where bodies hang on each other, what those of each row share. False: no memory. */
static bool find_common(RbvCoordinates *c, const RbvRowPattern *D, const bool *relative, RbvArena *arena) {
    if (!c->kind->common)
        return true;
    int32_t *bodies = malloc(((size_t)c->bodies->count + 1) * sizeof *bodies);
    c->common = rbv_arena_array(arena, (size_t)D->count + 1, sizeof *c->common);
    for (int32_t row = 0; bodies && c->common && row < D->count; row++) {
        int32_t count = 0;
        for (int32_t e = D->start[row]; relative[row] && e < D->start[row + 1]; e += rbv_bodies_columns(c->bodies, bodies[count - 1]))
            bodies[count++] = rbv_bodies_at(c->bodies, D->column[e]);
        c->common[row] = c->kind->common(c, count, bodies);
    }
    free(bodies);
    return bodies && c->common;
}

bool rbv_coordinates_pattern(RbvCoordinates *coordinates, const RbvRowPattern *D, const bool *relative, const bool *kept, const RbvRowPattern *numbers, RbvArena *arena, RbvRowPattern *C) {
    *C = *D;
    if (coordinates->of_bodies)
        return true;
    if (!find_common(coordinates, D, relative, arena))
        return false;
    C->start = C->column = NULL;
    int32_t *seen = malloc(((size_t)coordinates->size + 1) * sizeof *seen), *list = malloc(((size_t)coordinates->size + 1) * sizeof *list);
    bool good = seen && list && merge_rows(coordinates, D, coordinates->kind->common ? kept : NULL, numbers, arena, C, seen, list);
    free(seen);
    free(list);
    return good;
}

static RbvWrench wrench_of(const RbvBodyColumns *bodies, int32_t body, const double *d) {
    double x[6] = {0};
    for (int32_t k = 0; k < rbv_bodies_columns(bodies, body); k++)
        x[rbv_bodies_direction(bodies, k)] = d[k];
    return (RbvWrench){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

void rbv_coordinates_add_to(const RbvCoordinates *coordinates, RbvPosed at, int32_t body, RbvWrench wrench, RbvRowWork work, double *out) {
    int32_t count = coordinates->kind->columns(coordinates, body, work.column);
    for (int32_t k = 0; k < count; k++)
        work.part[k] = 0;
    coordinates->kind->add(coordinates, at, body, 1, &wrench, work.part);
    for (int32_t k = 0; k < count; k++)
        out[work.column[k]] += work.part[k];
}

/* The part of a row that belongs to a body: out[size] += P_b^T wrench, without what the row does not feel. */
static void add_to_row(const RbvCoordinates *c, RbvPosed at, int32_t row, int32_t body, RbvWrench wrench, RbvRowWork work, double *out) {
    if (!c->common) {
        rbv_coordinates_add_to(c, at, body, wrench, work, out);
        return;
    }
    int32_t count = c->kind->columns_beyond(c, c->common[row], body, work.column);
    for (int32_t k = 0; k < count; k++)
        work.part[k] = 0;
    c->kind->add_beyond(c, at, c->common[row], body, 1, &wrench, work.part);
    for (int32_t k = 0; k < count; k++)
        out[work.column[k]] += work.part[k];
}

/* Row by row: P_b^T of the row's wrench on each of its bodies, added up over v and gathered. */
void rbv_coordinates_rows(const RbvCoordinates *coordinates, RbvPosed at, const RbvRowPattern *D, const double *d, const RbvRowPattern *C, double *c,
                          RbvRowWork work) {
    const RbvBodyColumns *bodies = coordinates->bodies;
    for (int32_t k = 0; k < coordinates->size; k++)
        work.dense[k] = 0;
    for (int32_t row = 0; row < D->count; row++) {
        int32_t body = 0;
        if (C->start[row] == C->start[row + 1])
            continue;
        for (int32_t e = D->start[row]; e < D->start[row + 1]; e += rbv_bodies_columns(bodies, body)) {
            body = rbv_bodies_at(bodies, D->column[e]);
            add_to_row(coordinates, at, row, body, wrench_of(bodies, body, d + e), work, work.dense);
        }
        for (int32_t e = C->start[row]; e < C->start[row + 1]; e++) {
            c[e] = work.dense[C->column[e]];
            work.dense[C->column[e]] = 0;
        }
    }
}

void rbv_coordinates_drift(const RbvCoordinates *coordinates, const RbvRowPattern *D, const double *d, const bool *kept, const RbvTwist *bias, const double *gamma_D, double *gamma) {
    const RbvBodyColumns *bodies = coordinates->bodies;
    for (int32_t row = 0; row < D->count; row++) {
        int32_t body = 0;
        bool none = coordinates->kind->common && kept && kept[row];
        gamma[row] = none ? 0 : gamma_D[row];
        if (none)
            continue;
        for (int32_t e = D->start[row]; e < D->start[row + 1]; e += rbv_bodies_columns(bodies, body)) {
            body = rbv_bodies_at(bodies, D->column[e]);
            gamma[row] -= rbv_power(wrench_of(bodies, body, d + e), bias[body]);
        }
    }
}
