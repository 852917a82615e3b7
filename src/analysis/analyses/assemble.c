/* The info analysis: the contents of a model, of which nothing is assembled. The assemble analysis: the state at `from`
 * from joints, constraints, drives and initial conditions, the coordinates that were completed, and what can be
 * requested there: terms of the equations of motion, and Udwadia's equation.
 */
#include "solution/assembly/assemble.h"
#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "mechanics/coordinates/natural.h"
#include "mechanics/system/system.h"
#include "model/result/result.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/assembly/null_space.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "solution/solvability/solvability.h"

#include <roberval/analysis.h>
#include <roberval/equations.h>
#include <roberval/udwadia.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- info ---- */

RbvStatus rbv_info(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                   RbvResult **result) {
    (void)options;
    if (!system || !result)
        return RBV_BAD_ARGUMENT;
    *result = NULL;
    RbvNotes notes;
    if (!rbv_notes_open(&notes, diagnostics))
        return RBV_NO_MEMORY;
    RbvRecordOptions what = {.analysis = "info"};
    RbvRecord *record = rbv_record_create(system, NULL, &what);
    RbvState *state = rbv_state_create(system);
    if (state)
        rbv_state_place(state); /* in the starting poses, whether or not joints are satisfied */
    if (record)
        record->result->speller = rbv_diagnostics_speller(diagnostics);
    bool kept = record && state && rbv_record_info(record->result, state) &&
                rbv_notes_keep(&notes, system->model, record->result);
    if (kept) {
        *result = record->result;
        record->result = NULL;
    }
    rbv_state_destroy(state);
    rbv_record_destroy(record);
    rbv_notes_close(&notes);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

/* ---- Udwadia's equation at the start, with all its terms under the names of the paper ---- */

/* Most coordinates or rows: full matrices are written as text. */
#define MOST 60

static const char **copy_names(RbvArena *arena, const char *const *names, int32_t count) {
    const char **copy = rbv_arena_array(arena, (size_t)count + 1, sizeof *copy);
    bool good = copy != NULL;
    for (int32_t k = 0; good && k < count; k++)
        good = (copy[k] = rbv_arena_copy(arena, names[k], strlen(names[k]))) != NULL;
    return good ? copy : NULL;
}

/* Add an array to the result; columns -1: a vector; values NULL: left out. False: no memory. */
static bool add_array(RbvResult *result, const char *name, const double *values, int32_t rows, int32_t columns) {
    RbvUdwadiaRecord *u = &result->udwadia;
    size_t count = (size_t)rows * (size_t)(columns < 0 ? 1 : columns);
    double *copy = values ? rbv_arena_array(&result->arena, count + 1, sizeof *copy) : NULL;
    if (!values)
        return true;
    if (!copy)
        return false;
    for (size_t k = 0; k < count; k++)
        copy[k] = values[k];
    u->array[u->array_count++] = (RbvArray){name, rows, columns, copy};
    return true;
}

static bool add_arrays(RbvResult *result, const RbvEquations *e, const RbvUdwadiaSolution *s) {
    int32_t n = e->n, m = e->m;
    double difference[MOST];
    for (int32_t k = 0; k < n; k++)
        difference[k] = s->acceleration[k] - s->free_acceleration[k];
    return add_array(result, "M", e->M, n, n) && add_array(result, "Q", e->Q, n, -1) &&
           add_array(result, "A", e->A, m, n) && add_array(result, "b", e->b, m, -1) &&
           add_array(result, "C", e->C, n, -1) && add_array(result, "velocity", e->v, n, -1) &&
           add_array(result, "a", s->free_acceleration, n, -1) && add_array(result, "c", s->c, n, -1) &&
           add_array(result, "e", s->error_signal, m, -1) && add_array(result, "S", s->root, n, n) &&
           add_array(result, "B", s->B, m, n) && add_array(result, "B_plus", s->B_plus, n, m) &&
           add_array(result, "Q_i", s->ideal, n, -1) && add_array(result, "Q_ni", s->nonideal, n, -1) &&
           add_array(result, "Q_c", s->constraint_force, n, -1) &&
           add_array(result, "acceleration", s->acceleration, n, -1) &&
           add_array(result, "deviation", difference, n, -1) &&
           add_array(result, "multipliers", s->multipliers, m, -1) &&
           add_array(result, "basis", s->virtual_basis, s->freedoms, n);
}

static void add_figures(RbvUdwadiaRecord *u, const RbvUdwadiaSolution *s) {
    double penrose = 0;
    for (int k = 0; k < 4; k++)
        penrose = rbv_max(penrose, s->penrose_error[k]);
    const RbvFigure figures[RBV_UDWADIA_FIGURES] = {{"gauss", s->gauss},
                                                    {"inconsistency", s->inconsistency},
                                                    {"orthogonality_error", s->orthogonality_error},
                                                    {"ideal_work_error", s->ideal_work_error},
                                                    {"work_error", s->work_error},
                                                    {"penrose_error", s->regular ? penrose : (double)NAN},
                                                    {"formula_error", s->formula_error},
                                                    {"gauss_error", s->gauss_error}};
    memcpy(u->figure, figures, sizeof figures);
    u->figure_count = RBV_UDWADIA_FIGURES;
}

static RbvStatus fill_record(RbvResult *result, const RbvEquations *e, const RbvUdwadiaSolution *s,
                             RbvUdwadiaForm form) {
    RbvUdwadiaRecord *u = &result->udwadia;
    *u = (RbvUdwadiaRecord){.root = form == RBV_UDWADIA_CHOLESKY ? "cholesky" : "symmetric",
                            .t = e->t,
                            .n = e->n,
                            .m = e->m,
                            .rank = s->rank};
    u->coordinates = copy_names(&result->arena, e->coordinates, e->n);
    u->rows = copy_names(&result->arena, e->rows, e->m);
    u->found = u->coordinates && u->rows && add_arrays(result, e, s);
    add_figures(u, s);
    return u->found ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus solve_udwadia(const RbvSystem *system, const RbvEquations *e, RbvUdwadiaForm form,
                               RbvDiagnostics *diagnostics, RbvResult *result) {
    RbvUdwadia *udwadia = NULL;
    RbvStatus status = rbv_udwadia_create(e->n, e->m, &udwadia);
    if (status != RBV_OK)
        return status;
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
    problem.M = e->M, problem.Q = e->Q, problem.A = e->A, problem.b = e->b, problem.C = e->C;
    problem.root = form == RBV_UDWADIA_CHOLESKY ? RBV_ROOT_CHOLESKY : RBV_ROOT_SYMMETRIC;
    status = rbv_udwadia_solve(udwadia, &problem);
    const RbvUdwadiaSolution *s = rbv_udwadia_solution(udwadia);
    const char *what =
        status == RBV_LOCKED       ? "accelerations are not unique: a motion that the joints leave free moves no mass"
        : status == RBV_BAD_INPUT  ? "the mass matrix is not positive semidefinite"
        : status == RBV_NOT_FINITE ? "its numbers are not finite"
        : status == RBV_INCONSISTENT
            ? "its equations contradict each other; the solution is that of those without what no motion can meet"
            : NULL;
    if (what)
        rbv_diagnose(diagnostics, status == RBV_INCONSISTENT ? RBV_WARNING : RBV_ERROR, system->model->file,
                     (RbvPosition){0, 0}, "Udwadia's equation at t = %.9g s: %s", e->t, what);
    if (status == RBV_OK || status == RBV_INCONSISTENT)
        status = fill_record(result, e, s, form);
    rbv_udwadia_destroy(udwadia);
    return status;
}

/* At the state at time `from`. BAD_INPUT: too large; LOCKED: accelerations are not unique; NOT_FINITE: each reported.
 * Equations that contradict each other are noted. */
static RbvStatus record_udwadia(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                RbvResult *result) {
    RbvEquations *equations = NULL;
    if (system->coordinates.size > MOST || system->coordinates.size < 1 || system->row_count > MOST) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_ASSEMBLY_UDWADIA " writes full matrices, of 1 to %d coordinates and up to as many "
                                                 "equations; the model has %d and %d (rbv_udwadia_solve takes any)",
                     MOST, (int)system->coordinates.size, (int)system->row_count);
        return RBV_BAD_INPUT;
    }
    RbvDiagnostics *messages = rbv_diagnostics_create(); /* notes of the start are already reported */
    RbvStatus status = messages ? rbv_equations_create(system, options, messages, &equations) : RBV_NO_MEMORY;
    if (status != RBV_OK && messages)
        rbv_diagnostics_append(diagnostics, messages);
    if (status == RBV_OK)
        status = solve_udwadia(system, equations, options->assembly.udwadia, diagnostics, result);
    rbv_equations_destroy(equations);
    rbv_diagnostics_destroy(messages);
    return status;
}

/* ---- terms of a state ----
 *
 * The null space of its constraints, and each load; in the coordinates of the caller's system, whichever these are. */

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

static void clear_wrenches(Terms *t) {
    memset(t->wrenches, 0, (size_t)t->state->system->bodies.count * sizeof *t->wrenches);
    memset(t->moments, 0, (size_t)t->state->system->bodies.count * sizeof *t->moments);
}

/* The next item of the list, with its name and memory for Q. NULL: no memory. */
static RbvLoadForce *next_item(Terms *t, const char *format, const char *name) {
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
    RbvLoadForce *item = next_item(t, "weight of %s", body->name);
    if (!item)
        return false;
    clear_wrenches(t);
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
    RbvLoadForce *item = next_item(t, "%s", load->name ? load->name : number);
    if (!item)
        return false;
    const bool *acting = state->acting;
    const RbvConfiguration at = rbv_state_configuration(state);
    double *on_numbers = t->v;
    clear_wrenches(t);
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
static RbvStatus place_terms(Terms *t, const RbvSystem *system, RbvDiagnostics *diagnostics) {
    if (system == t->bodies->system) {
        t->state = t->bodies;
    } else {
        RbvState *s = t->state = rbv_state_create(system);
        if (!s)
            return RBV_NO_MEMORY;
        s->active = t->bodies->active;
        s->acting = t->bodies->acting;
        s->targets = t->bodies->targets;
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

/* The terms that the options request, at the assembled state `bodies` in absolute coordinates with evaluated
 * velocities, into the result; the state is unchanged on return. NO_MEMORY; NOT_FINITE: a load, reported. */
static RbvStatus record_state_terms(const RbvSystem *system, RbvState *bodies, const RbvOptions *options,
                                    RbvDiagnostics *diagnostics, RbvResult *result) {
    const RbvSystem *of_bodies = bodies->system;
    const size_t n = (size_t)(system->coordinates.size > of_bodies->bodies.size ? system->coordinates.size
                                                                                : of_bodies->bodies.size) +
                     1,
                 count = (size_t)of_bodies->bodies.count;
    if (!options->assembly.null_space && !options->assembly.load_forces)
        return RBV_OK;
    Terms t = {.bodies = bodies, .result = result};
    RbvArena scratch = {0};
    double *v = rbv_arena_array(&scratch, n, sizeof *v);
    t.u = rbv_arena_array(&scratch, n, sizeof *t.u);
    t.a = rbv_arena_array(&scratch, n, sizeof *t.a);
    t.v = rbv_arena_array(&scratch, n, sizeof *t.v);
    t.drift = rbv_arena_array(&scratch, (size_t)system->coordinates.own_rows + 1, sizeof *t.drift);
    t.wrenches = rbv_arena_array(&scratch, count, sizeof *t.wrenches);
    t.moments = rbv_arena_array(&scratch, count, sizeof *t.moments);
    t.acting = rbv_arena_array(&scratch, (size_t)of_bodies->model->loads.count + 1, sizeof *t.acting);
    bool enough = v && t.u && t.a && t.v && t.drift && t.wrenches && t.moments && t.acting;
    if (v)
        memcpy(v, bodies->v, (size_t)of_bodies->coordinates.size * sizeof *v);
    RbvStatus status = enough ? place_terms(&t, system, diagnostics) : RBV_NO_MEMORY;
    if (status == RBV_OK && options->assembly.load_forces)
        status = note_loads(&t);
    if (status == RBV_OK && options->assembly.null_space)
        status = note_null_space(&t);
    if (v) { /* restore the velocities that fill_second has varied */
        memcpy(bodies->v, v, (size_t)of_bodies->coordinates.size * sizeof *v);
        rbv_state_move(bodies);
    }
    if (t.state != bodies)
        rbv_state_destroy(t.state);
    rbv_arena_clear(&scratch);
    return status;
}

/* ---- assemble ---- */

/* C, nu, rates of measures and mobility at the assembled state, as the only sample. */
static RbvStatus record_assembled(RbvRecord *record, RbvState *state, RbvSolvability *solvability,
                                  const RbvAssembly *assembly) {
    char why[256];
    rbv_state_place(state);
    rbv_state_rates(state);
    rbv_state_jacobian(state);
    RbvStatus status = rbv_solvability_decide(solvability, state);
    if (status != RBV_OK)
        return status;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    rbv_state_move(state);
    rbv_state_load(state); /* evaluates measures of outputs; a load need not be finite here */
    if (!rbv_result_reserve(record->result, 1))
        return RBV_NO_MEMORY;
    rbv_record_sample(record, state, NULL, why, sizeof why);
    RbvMachine machine = rbv_machine_of(state);
    bool kept = rbv_record_machine(record->result, state->system->model, &machine) &&
                rbv_record_mobility(record, state, solvability) &&
                rbv_record_assembly(record, state, assembly->restarts);
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

/* Scene, coordinates and separately requested terms of the state. */
static RbvStatus record_requested(const RbvSystem *caller, RbvState *state, const RbvOptions *options,
                                  RbvDiagnostics *diagnostics, RbvResult *result) {
    if (!rbv_scene_show(result, state, options) || !rbv_record_coordinates(result, caller))
        return RBV_NO_MEMORY;
    RbvStatus status = record_state_terms(caller, state, options, diagnostics, result);
    return status == RBV_OK && options->assembly.udwadia != RBV_UDWADIA_NONE
               ? record_udwadia(state->system, options, diagnostics, result)
               : status;
}

/* Assemble at the first instant; *solvability is that of the active rows. If drives are over-determined, errors are
 * reported at the drives. */
static RbvStatus assemble_first(RbvState *state, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                RbvActivity *activity, RbvAssembly *assembly, RbvSolvability **solvability) {
    const RbvSystem *system = state->system;
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status = messages ? rbv_activity_assemble(activity, state, rbv_first_instant(system->model, options),
                                                        false, messages, assembly)
                                : RBV_NO_MEMORY;
    status = rbv_blame_drives(state, status, messages, diagnostics);
    rbv_diagnostics_destroy(messages);
    if (status == RBV_OK && activity->active) {
        rbv_solvability_destroy(*solvability);
        *solvability = rbv_solvability_create_of(system, activity->active, RBV_CRITERION_DEFAULT, false);
        status = *solvability ? RBV_OK : RBV_NO_MEMORY;
    }
    return status == RBV_OK ? rbv_check_wheels(state, diagnostics) : status;
}

RbvStatus rbv_assembly(const RbvSystem *given_system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                       RbvResult **result) {
    if (!given_system || !result)
        return RBV_BAD_ARGUMENT;
    const RbvSystem *system = given_system->absolute ? given_system->absolute
                                                     : given_system; /* bodies are assembled in absolute coordinates */
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    const RbvModel *model = system->model;
    RbvNotes notes;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    if (!rbv_notes_open(&notes, diagnostics))
        return RBV_NO_MEMORY;
    RbvRecordOptions what = {.analysis = "assemble", .orders = 1, .series = true};
    RbvProgress progress = {.go_on = options.progress, .context = options.context};
    RbvAssembly assembly = {0};
    RbvActivity activity = {0};
    RbvState *state = rbv_state_create(system);
    RbvSolvability *solvability = rbv_solvability_create(system, RBV_CRITERION_DEFAULT, false);
    RbvRecord *record = rbv_record_create(system, NULL, &what);
    RbvStatus status = state && solvability && record ? RBV_OK : RBV_NO_MEMORY;
    if (state)
        state->progress = &progress;
    if (status == RBV_OK)
        status = rbv_model_without_motion(
            model, "assemble", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_EQUATIONS | RBV_TAKES_LIMITS,
            notes.report);
    if (status == RBV_OK)
        status = assemble_first(state, &options, notes.report, &activity, &assembly, &solvability);
    if (status == RBV_OK)
        status = record_assembled(record, state, solvability, &assembly);
    if (status == RBV_OK)
        status = record_requested(given_system, state, &options, notes.report, record->result);
    if (status == RBV_OK)
        rbv_note_valueless(record, model, notes.report);
    if (status == RBV_OK && !rbv_notes_keep(&notes, model, record->result))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *result = record->result;
        record->result = NULL;
    }
    status = rbv_scene_end(system, &options, "assemble", status, notes.report, result);
    rbv_record_destroy(record);
    rbv_solvability_destroy(solvability);
    rbv_state_destroy(state);
    rbv_activity_destroy(&activity);
    rbv_notes_close(&notes);
    return status;
}
