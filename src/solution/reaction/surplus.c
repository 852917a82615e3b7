/* Residuals of a prescribed motion along its freedoms, and the least forces on bodies that have their power. */
#include "solution/reaction/surplus.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Freedoms left by active rows, drives included; stops and sticking friction count as inactive. */
static RbvFreedom *open_freedom(RbvState *state) {
    const RbvSystem *system = state->system;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    for (int32_t k = 0; without && k < system->row_count; k++)
        without[k] = !rbv_state_holds(state, k) || rbv_row_is_force(&system->rows[k]);
    RbvFreedom *freedom = without ? rbv_freedom_create_without(state, system->row_count, without) : NULL;
    free(without);
    if (freedom)
        rbv_freedom_keep(freedom);
    return freedom;
}

/* Unit of a force on a coordinate of the unit `unit`. */
static const char *unit_on(const char *unit) {
    if (strcmp(unit, "m") == 0)
        return "N";
    return strcmp(unit, "rad") == 0 ? "N.m" : "";
}

static const char *unit_of_freedom(const RbvSystem *system, const RbvFreedomPick *pick) {
    const RbvModel *model = system->model;
    if (pick->named >= 0) {
        const RbvNamedCoordinate *named = &model->coordinates.items[pick->named];
        RbvDimension key = rbv_coordinate_effort_key(
            model, &(RbvCoordinateRef){.measure = named->measure, .named = named->measure >= 0 ? -1 : pick->named});
        return key == RBV_DIM_ANY ? "" : rbv_dimension_si(key);
    }
    if (pick->column < 0)
        return rbv_measure_is_angle(pick->measure.kind) ? "N.m" : "N";
    int32_t b = rbv_bodies_at(&system->bodies, pick->column), generalized = model->bodies.items[b].generalized;
    if (generalized)
        return unit_on(model->generalized.items[generalized - 1].unit);
    return rbv_bodies_is_rotation(&system->bodies, b, pick->column) ? "N.m" : "N";
}

/* Splits "O.angle, x(rod)" into names, with picks and units. False: no memory. */
static bool split_names(RbvSurplus *s, const RbvFreedom *freedom) {
    int32_t k = 0;
    for (const char *at = s->text; *at && k < s->count; k++) {
        size_t length = strcspn(at, ",");
        s->picks[k] = rbv_freedom_pick(freedom, k);
        s->names[k] = rbv_arena_copy(&s->arena, at, length);
        s->units[k] = unit_of_freedom(s->system, &s->picks[k]);
        if (!s->names[k])
            return false;
        at += length + strspn(at + length, ", ");
    }
    return true;
}

static bool allocate_surplus(RbvSurplus *s) {
    size_t count = (size_t)s->count + 1, n = (size_t)s->system->bodies.size + 1;
    s->names = rbv_arena_alloc(&s->arena, count * sizeof *s->names);
    s->units = rbv_arena_alloc(&s->arena, count * sizeof *s->units);
    s->picks = rbv_arena_alloc(&s->arena, count * sizeof *s->picks);
    s->lost = rbv_arena_alloc(&s->arena, count * sizeof *s->lost);
    s->R = rbv_arena_alloc(&s->arena, count * n * sizeof *s->R);
    s->value = rbv_arena_alloc(&s->arena, count * sizeof *s->value);
    s->left = rbv_arena_alloc(&s->arena, n * sizeof *s->left);
    s->inertia = rbv_arena_alloc(&s->arena, n * sizeof *s->inertia);
    s->missing = rbv_arena_array(&s->arena, (size_t)s->system->bodies.count, sizeof *s->missing);
    s->A = rbv_arena_array(&s->arena, count * count, sizeof *s->A);
    s->pivot = rbv_arena_array(&s->arena, count, sizeof *s->pivot);
    s->z = rbv_arena_array(&s->arena, count, sizeof *s->z);
    return s->A && s->pivot && s->z && s->names && s->units && s->picks && s->lost && s->R && s->value && s->left &&
           s->inertia && s->missing;
}

RbvStatus rbv_surplus_create(RbvState *state, RbvDiagnostics *diagnostics, RbvSurplus **out) {
    const RbvSystem *system = state->system;
    RbvSurplus *s = *out = calloc(1, sizeof *s);
    if (!s)
        return RBV_NO_MEMORY;
    s->system = system;
    if (!rbv_freedom_is_small(system)) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "a given motion is compared with its forces along each freedom that is left: %d coordinates are "
                     "too many to tell these apart (300 are not)",
                     (int)system->bodies.size);
        return RBV_BAD_INPUT;
    }
    s->text_size = 300 * (size_t)system->bodies.size + 300;
    s->text = rbv_arena_alloc(&s->arena, s->text_size);
    RbvFreedom *freedom = s->text ? open_freedom(state) : NULL;
    if (!freedom)
        return RBV_NO_MEMORY;
    s->count = rbv_freedom_complete(freedom, state, s->text, s->text_size);
    bool good = !rbv_freedom_lost(freedom) && allocate_surplus(s) && split_names(s, freedom);
    rbv_freedom_destroy(freedom);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

void rbv_surplus_destroy(RbvSurplus *s) {
    if (!s)
        return;
    rbv_arena_clear(&s->arena);
    free(s);
}

bool rbv_surplus_place(RbvSurplus *s, RbvState *state) {
    RbvFreedom *freedom = open_freedom(state);
    int32_t taken = 0;
    if (!freedom)
        return false;
    for (int32_t k = 0; k < s->count; k++)
        s->lost[k] = !rbv_freedom_take(freedom, state, &s->picks[k]);
    for (int32_t k = 0; k < s->count; k++)
        if (!s->lost[k])
            rbv_freedom_motion(freedom, taken++, s->R + (size_t)k * (size_t)s->system->bodies.size);
    bool good = !rbv_freedom_lost(freedom);
    rbv_freedom_destroy(freedom);
    return good;
}

/* Length scale of column c of x: the arm for a rotation, else 1. */
static double arm_of(const RbvState *state, int32_t c) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    int32_t b = rbv_bodies_at(bodies, c);
    return rbv_bodies_is_rotation(bodies, b, c) ? rbv_state_body_arm(state, b) : 1;
}

/* Solves (R^T S^-2 R) z = residual for z[count]. False: singular. */
static bool solve_residuals(const RbvSurplus *s, const RbvState *state, double *z) {
    int32_t n = s->system->bodies.size, f = s->count;
    double *A = s->A;
    memset(A, 0, (size_t)f * (size_t)f * sizeof *A);
    for (int32_t i = 0; i < f; i++) {
        z[i] = s->lost[i] ? 0 : s->value[i];
        A[(size_t)i * (size_t)f + (size_t)i] = s->lost[i];
        for (int32_t j = 0; j < f && !s->lost[i]; j++)
            for (int32_t c = 0; c < n && !s->lost[j]; c++) {
                double arm = arm_of(state, c);
                A[(size_t)i * (size_t)f + (size_t)j] +=
                    s->R[(size_t)i * (size_t)n + (size_t)c] * arm * arm * s->R[(size_t)j * (size_t)n + (size_t)c];
            }
    }
    return f == 0 || rbv_lapack_solve(f, 1, A, s->pivot, z) == RBV_OK;
}

/* w, its share, and the freedom with the largest part of w. */
static void spread_residuals(RbvSurplus *s, const RbvState *state, const double *z, const double *b) {
    const RbvBodyColumns *bodies = &s->system->bodies;
    double forces = 0, whole = 0, most = -1;
    memset(s->left, 0, (size_t)bodies->size * sizeof *s->left);
    s->worst = -1;
    for (int32_t k = 0; k < s->count; k++) {
        double part = 0;
        for (int32_t c = 0; c < bodies->size && !s->lost[k]; c++) {
            double arm = arm_of(state, c), force = z[k] * arm * s->R[(size_t)k * (size_t)bodies->size + (size_t)c];
            s->left[c] += force * arm;
            part += force * force;
        }
        if (!s->lost[k] && part > most) {
            most = part;
            s->worst = k;
        }
    }
    rbv_state_body_inertia(state, state->accelerations, s->inertia);
    for (int32_t c = 0; c < bodies->size; c++) {
        double arm = arm_of(state, c), a = s->inertia[c];
        whole = rbv_max(whole, fabs(s->left[c]) / arm);
        forces = rbv_max(forces, rbv_max(fabs(a), fabs(b[c] + a)) / arm);
    }
    s->share = forces > 0 ? whole / forces : 0;
    for (int32_t body = 1; body < bodies->count; body++) {
        RbvTwist w = rbv_bodies_twist(bodies, body, s->left);
        s->missing[body] = (RbvWrench){rbv_scale(-1, w.v), rbv_scale(-1, w.w)};
    }
}

bool rbv_surplus_find(RbvSurplus *s, const RbvState *state, const double *b) {
    int32_t n = s->system->bodies.size;
    for (int32_t k = 0; k < s->count; k++) {
        double sum = 0;
        for (int32_t c = 0; c < n; c++)
            sum += s->R[(size_t)k * (size_t)n + (size_t)c] * b[c];
        s->value[k] = s->lost[k] ? NAN : sum;
    }
    if (!solve_residuals(s, state, s->z))
        return false;
    spread_residuals(s, state, s->z, b);
    return true;
}
