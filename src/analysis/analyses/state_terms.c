/* R and dR/dz, and V and Q of each load, over the numbers of v; see state_terms.h. R = [r_1 r_2 ...] is a basis of the
 * null space of the constraints, z' are the independent velocities.
 *
 *   v = R z'        v' = sum_jk second_jk z_j' z_k'  with z'' = 0        second_jk = 1/2 (dr_j/dz_k + dr_k/dz_j), which
 *                   is dr_j/dz_k where v = q'
 *   Q of a load: P^T of its wrenches; of points and vectors C_P^T F, with what forces beside centroids stretch (R000-06
 *     ... R000-26, where g = dV/dq = -Q)
 */
#include "analysis/analyses/state_terms.h"

#include "core/base/diagnostics.h"
#include "mechanics/coordinates/natural.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/null_space.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Terms {
    RbvState *bodies; /* state in absolute coordinates */
    RbvState *state;  /* state at the same position in the requested coordinates, or `bodies` itself */
    RbvResult *result;
    RbvWrench *wrenches; /* [bodies] */
    RbvMat3 *moments;    /* [bodies] */
    bool *acting;        /* [loads] */
    double *u, *a, *v, *drift;
} Terms;

static void put_twists(const RbvBodyColumns *columns, const double *x, RbvTwist *twists) {
    for (int32_t b = 0; b < columns->count; b++)
        twists[b] = b > 0 ? rbv_bodies_twist(columns, b, x) : (RbvTwist){{0, 0, 0}, {0, 0, 0}};
}

/* v of the twists u of bodies, over the requested coordinates. */
static void rates_of(const Terms *t, const double *u, double *v) {
    const RbvCoordinates *c = &t->state->system->coordinates;
    if (!c->kind->take_rates) {
        memcpy(v, u, (size_t)c->size * sizeof *v);
        return;
    }
    put_twists(&t->state->system->bodies, u, t->state->twists);
    c->kind->take_rates(c, rbv_state_at(t->state), t->state->twists, v);
}

/* v' of the accelerations a of bodies whose twists are u. */
static void accelerations_of(const Terms *t, const double *u, const double *a, double *out) {
    RbvState *state = t->state;
    const RbvCoordinates *c = &state->system->coordinates;
    RbvTwist *accelerations = state->accelerations;
    if (!c->kind->take_rates) {
        memcpy(out, a, (size_t)c->size * sizeof *out);
        return;
    }
    rates_of(t, u, state->v);
    put_twists(&state->system->bodies, a, accelerations);
    if (c->kind->take_accelerations) {
        c->kind->take_accelerations(c, rbv_state_at(state), state->v, state->twists, accelerations, out, t->drift);
        return;
    }
    RbvTwist *bias = state->bias;
    rbv_coordinates_bias(c, rbv_state_at(state), state->v, bias);
    for (int32_t b = 0; b < state->system->bodies.count; b++)
        accelerations[b] = (RbvTwist){rbv_sub(accelerations[b].v, bias[b].v), rbv_sub(accelerations[b].w, bias[b].w)};
    c->kind->take_rates(c, rbv_state_at(state), accelerations, out);
}

/* second_jj for each coordinate alone, then second_jk for pairs: the value for both together minus second_jj and
 * second_kk, halved (6.46 to 6.48). */
static void fill_second(Terms *t, RbvNullSpace *space, RbvNullSpaceNote *note) {
    const int32_t size = t->state->system->bodies.size, n = note->n, f = note->count;
    for (int32_t apart = 0; apart < f; apart++)
        for (int32_t k = 0; k + apart < f; k++) {
            int32_t j = k + apart;
            double *jk = note->second + ((size_t)j * (size_t)f + (size_t)k) * (size_t)n,
                   *kj = note->second + ((size_t)k * (size_t)f + (size_t)j) * (size_t)n;
            const double *jj = note->second + ((size_t)j * (size_t)f + (size_t)j) * (size_t)n,
                         *kk = note->second + ((size_t)k * (size_t)f + (size_t)k) * (size_t)n;
            for (int32_t i = 0; i < size; i++)
                t->u[i] = space->R[(size_t)k * (size_t)size + (size_t)i] +
                          (j == k ? 0 : space->R[(size_t)j * (size_t)size + (size_t)i]);
            rbv_null_space_accelerate(space, t->u, t->a);
            accelerations_of(t, t->u, t->a, jk);
            for (int32_t i = 0; i < n && j != k; i++)
                jk[i] = kj[i] = 0.5 * (jk[i] - jj[i] - kk[i]);
        }
}

static RbvStatus note_null_space(Terms *t) {
    RbvNullSpaceNote *note = &t->result->null_space;
    RbvArena *arena = &t->result->arena;
    const int32_t size = t->state->system->bodies.size, n = t->state->system->coordinates.size;
    if ((note->missing = rbv_null_space_missing(t->bodies->system)))
        return RBV_OK;
    RbvNullSpace space;
    RbvStatus status = rbv_null_space_create(t->bodies, &space);
    const size_t f = (size_t)space.count;
    note->n = n;
    note->count = space.count;
    note->coordinates = rbv_record_rates(arena, t->state->system);
    note->z = rbv_arena_array(arena, f + 1, sizeof *note->z);
    note->R = rbv_arena_array(arena, f * (size_t)n + 1, sizeof(double));
    note->second = rbv_arena_array(arena, f * f * (size_t)n + 1, sizeof(double));
    if (status == RBV_OK && (!note->coordinates || !note->z || !note->R || !note->second))
        status = RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < space.count; k++) {
        rates_of(t, space.R + (size_t)k * (size_t)size, t->v);
        for (int32_t i = 0; i < n; i++)
            note->R[(size_t)i * f + (size_t)k] = t->v[i];
        if (!(note->z[k] = rbv_arena_copy(arena, space.names[k], strlen(space.names[k]))))
            status = RBV_NO_MEMORY;
    }
    if (status == RBV_OK)
        fill_second(t, &space, note);
    note->found = status == RBV_OK;
    rbv_null_space_destroy(&space);
    return status;
}

/* Q of t->wrenches, and of the moments of forces beside centroids, which stretch the points and vectors of natural
 * coordinates. */
static void generalize(Terms *t, double *Q) {
    const RbvState *state = t->state;
    const RbvCoordinates *c = &state->system->coordinates;
    rbv_coordinates_generalized_forces(c, rbv_state_at(state), t->wrenches, Q);
    for (int32_t b = 1; rbv_is_natural(c) && b < state->system->bodies.count; b++)
        rbv_natural_spread_push(c, rbv_state_at(state), b, 1, &t->moments[b], RBV_USE_IN_ALL, Q);
}

static void clear(Terms *t) {
    memset(t->wrenches, 0, (size_t)t->state->system->bodies.count * sizeof *t->wrenches);
    memset(t->moments, 0, (size_t)t->state->system->bodies.count * sizeof *t->moments);
}

/* The next item of the list, with its name and memory for Q. NULL: no memory. */
static RbvLoadForce *next(Terms *t, const char *format, const char *name) {
    RbvLoadForces *to = &t->result->load_forces;
    RbvLoadForce *item = &to->items[to->count++];
    char text[RBV_NAME_SIZE + 20];
    int length = snprintf(text, sizeof text, format, name);
    *item = (RbvLoadForce){rbv_arena_copy(&t->result->arena, text, (size_t)length), NAN,
                           rbv_arena_array(&t->result->arena, (size_t)to->n + 1, sizeof(double))};
    return item->name && item->Q ? item : NULL;
}

static bool note_weight(Terms *t, int32_t b) {
    const RbvModel *model = t->state->system->model;
    const RbvBody *body = &model->bodies.items[b];
    RbvLoadForce *item = next(t, "weight of %s", body->name);
    if (!item)
        return false;
    clear(t);
    t->wrenches[b].force = rbv_scale(body->mass, model->gravity);
    item->potential = -body->mass * rbv_dot(model->gravity, t->state->bodies[b].r);
    generalize(t, item->Q);
    return true;
}

/* Q and V of load k alone, all others inactive. A load on a number of q acts on that number directly. */
static bool note_load(Terms *t, int32_t k) {
    RbvState *state = t->state;
    const RbvModel *model = state->system->model;
    const RbvLoad *load = &model->loads.items[k];
    const RbvLoadFormulas *formulas = rbv_load_formulas(load->kind);
    char number[20];
    snprintf(number, sizeof number, "load %d", (int)k + 1);
    RbvLoadForce *item = next(t, "%s", load->name ? load->name : number);
    if (!item)
        return false;
    const bool *acting = state->acting;
    const RbvConfiguration at = rbv_state_configuration(state);
    double *on_numbers = t->v;
    clear(t);
    memset(t->acting, 0, (size_t)model->loads.count * sizeof *t->acting);
    memset(on_numbers, 0, (size_t)state->system->coordinates.size * sizeof *on_numbers);
    t->acting[k] = true;
    state->acting = t->acting;
    formulas->force(&at, load, t->wrenches, state->load_value[k]);
    rbv_state_load_moments(state, t->moments);
    rbv_state_number_loads(state, t->wrenches, on_numbers);
    generalize(t, item->Q);
    state->acting = acting;
    for (int32_t i = 0; i < state->system->coordinates.size; i++)
        item->Q[i] += on_numbers[i];
    if (rbv_load_has_energy(model, load) && formulas->energy)
        item->potential = formulas->energy(&at, load);
    return true;
}

static RbvStatus note_loads(Terms *t) {
    const RbvSystem *system = t->state->system;
    const RbvModel *model = system->model;
    RbvLoadForces *to = &t->result->load_forces;
    to->n = system->coordinates.size;
    to->coordinates = rbv_record_rates(&t->result->arena, system);
    to->items = rbv_arena_array(&t->result->arena, (size_t)model->bodies.count + (size_t)model->loads.count + 1,
                                sizeof *to->items);
    bool good = to->coordinates && to->items;
    for (int32_t b = 1; good && b < model->bodies.count; b++)
        if (model->bodies.items[b].mass > 0 && rbv_norm(model->gravity) > 0)
            good = note_weight(t, b);
    for (int32_t k = 0; good && k < model->loads.count; k++)
        if (rbv_state_acts(t->state, k))
            good = note_load(t, k);
    to->found = good;
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* Position, velocities and loads in the requested coordinates. NOT_FINITE, reported. */
static RbvStatus place(Terms *t, const RbvSystem *system, RbvDiagnostics *diagnostics) {
    if (system == t->bodies->system) {
        t->state = t->bodies;
    } else {
        RbvState *s = t->state = rbv_state_create(system);
        if (!s)
            return RBV_NO_MEMORY;
        s->active = t->bodies->active;
        s->acting = t->bodies->acting;
        s->guides = t->bodies->guides;
        rbv_absolute_state_read(s, t->bodies);
    }
    rbv_state_place(t->state);
    rbv_state_rates(t->state);
    rbv_state_jacobian(t->state);
    rbv_state_move(t->state);
    if (rbv_state_load(t->state))
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s the loads are not finite", t->state->t);
    return RBV_NOT_FINITE;
}

RbvStatus rbv_record_state_terms(const RbvSystem *system, RbvState *bodies, const RbvOptions *options,
                                 RbvDiagnostics *diagnostics, RbvResult *result) {
    const RbvSystem *of_bodies = bodies->system;
    const size_t n = (size_t)(system->coordinates.size > of_bodies->bodies.size ? system->coordinates.size
                                                                                : of_bodies->bodies.size) +
                     1,
                 count = (size_t)of_bodies->bodies.count;
    if (!options->null_space && !options->load_forces)
        return RBV_OK;
    Terms t = {.bodies = bodies, .result = result};
    double *numbers = malloc((4 * n + (size_t)system->coordinates.own_rows) * sizeof *numbers),
           *v = numbers ? numbers + 3 * n + (size_t)system->coordinates.own_rows : NULL;
    t.wrenches = malloc(count * sizeof *t.wrenches);
    t.moments = malloc(count * sizeof *t.moments);
    t.acting = calloc((size_t)of_bodies->model->loads.count + 1, sizeof *t.acting);
    RbvStatus status = numbers && t.wrenches && t.moments && t.acting ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        t.u = numbers, t.a = numbers + n, t.v = numbers + 2 * n, t.drift = numbers + 3 * n;
        memcpy(v, bodies->v, (size_t)of_bodies->coordinates.size * sizeof *v);
        status = place(&t, system, diagnostics);
    }
    if (status == RBV_OK && options->load_forces)
        status = note_loads(&t);
    if (status == RBV_OK && options->null_space)
        status = note_null_space(&t);
    if (v) { /* restore the velocities that fill_second has varied */
        memcpy(bodies->v, v, (size_t)of_bodies->coordinates.size * sizeof *v);
        rbv_state_move(bodies);
    }
    if (t.state != bodies)
        rbv_state_destroy(t.state);
    free(numbers);
    free(t.wrenches);
    free(t.moments);
    free(t.acting);
    return status;
}
