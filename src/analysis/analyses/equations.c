/* The equations of motion at the start of a motion, as full arrays. */
#include <roberval/equations.h>

#include "core/base/diagnostics.h"
#include "dynamics/integration/flow.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The caller's equations and the memory that holds them. */
typedef struct Equations {
    RbvEquations out; /* first member: the caller's pointer also points to Equations */
    RbvArena arena;
    double *M, *Q, *A, *b, *C, *v;
    const char **coordinates, **rows;
} Equations;

static bool reserve_arrays(Equations *e, int32_t n, int32_t m) {
    struct {
        double **array;
        int32_t rows, columns;
    } all[] = {{&e->M, n, n}, {&e->Q, n, 1}, {&e->A, m, n}, {&e->b, m, 1}, {&e->C, n, 1}, {&e->v, n, 1}};
    bool good = true;
    for (size_t k = 0; good && k < sizeof all / sizeof all[0]; k++)
        good = (*all[k].array = rbv_arena_array(&e->arena, (size_t)all[k].rows * (size_t)all[k].columns + 1,
                                                sizeof(double))) != NULL;
    e->rows = good ? rbv_arena_array(&e->arena, (size_t)m + 1, sizeof *e->rows) : NULL;
    return e->rows != NULL;
}

/* Append row k of the system to A and b. False: no memory. */
static bool add_row(Equations *e, const RbvState *state, int32_t k) {
    const RbvRowPattern *pattern = &state->system->C;
    int32_t n = state->system->coordinates.size, m = e->out.m++;
    char text[300];
    for (int32_t i = pattern->start[k]; i < pattern->start[k + 1]; i++)
        e->A[(size_t)m * (size_t)n + (size_t)pattern->column[i]] = state->C[i];
    e->b[m] = state->gamma[k];
    rbv_system_row_name(state->system, k, text, sizeof text);
    return (e->rows[m] = rbv_arena_copy(&e->arena, text, strlen(text))) != NULL;
}

/* M column by column, the active rows, and the vectors, at a state with evaluated positions, velocities and loads. */
static bool fill_equations(Equations *e, const RbvState *state) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size;
    for (size_t j = 0; j < n; j++) { /* M is symmetric: row j is column j */
        memset(e->v, 0, n * sizeof *e->v);
        e->v[j] = 1;
        rbv_state_inertia(state, e->v, e->M + j * n);
    }
    bool good = true;
    for (int32_t k = 0; good && k < system->row_count; k++)
        good = !rbv_state_holds(state, k) || add_row(e, state, k);
    memcpy(e->Q, state->Q, n * sizeof *e->Q);
    memcpy(e->v, state->v, n * sizeof *e->v);
    return good;
}

/* Equations at the state corrected to its rows, as a motion from it would begin. A singular motion is no error: its
 * equations were requested. */
static RbvStatus find_equations(Equations *e, RbvState *state, RbvDiagnostics *diagnostics) {
    RbvFlow flow;
    bool works = state->system->model->nonideals.count > 0;
    RbvStatus status = rbv_flow_create(&flow, state, diagnostics) ? RBV_OK : RBV_NO_MEMORY;
    double *y = status == RBV_OK ? calloc((size_t)flow.size + 1, sizeof *y) : NULL;
    if (!y) {
        rbv_flow_destroy(&flow);
        return RBV_NO_MEMORY;
    }
    rbv_saddle_set_active(flow.saddle, state->active);
    rbv_flow_gather(&flow, 0, y);
    status = rbv_flow_hold(&flow, state->t, y, NULL);
    if (status != RBV_NO_MEMORY && !works)
        status = RBV_OK;
    bool loaded = status == RBV_OK && rbv_state_place(state);
    if (loaded) {
        rbv_state_jacobian(state);
        loaded = rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state);
    }
    if (status == RBV_OK && !loaded)
        status = state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
    if (status == RBV_OK && !fill_equations(e, state))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && works)
        memcpy(e->C, flow.nonideal.F, (size_t)flow.n * sizeof *e->C);
    if (status != RBV_OK && status != RBV_NO_MEMORY) {
        char why[256] = "";
        rbv_flow_explain(&flow, why, sizeof why);
        rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s%s%s",
                     state->t,
                     status == RBV_NOT_FINITE ? "the forces are not finite" : "the equations of motion are singular",
                     why[0] ? ": " : "", why);
    }
    free(y);
    rbv_flow_destroy(&flow);
    return status;
}

RbvStatus rbv_equations_create(const RbvSystem *given_system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                               RbvEquations **equations) {
    if (!given_system || !equations)
        return RBV_BAD_ARGUMENT;
    const RbvSystem *system =
        given_system->absolute ? given_system->absolute : given_system; /* written over the positions of bodies */
    *equations = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvActivity activity = {0};
    RbvAssembly assembly = {0};
    Equations *e = calloc(1, sizeof *e);
    RbvProgress progress = {.go_on = options.progress, .context = options.context};
    RbvState *state = rbv_state_create(system);
    if (state)
        state->progress = &progress;
    RbvStatus status = e && state && reserve_arrays(e, system->coordinates.size, system->row_count) &&
                               (e->coordinates = rbv_record_rates(&e->arena, system)) != NULL
                           ? RBV_OK
                           : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_activity_assemble(&activity, state, rbv_first_instant(system->model, &options), true, diagnostics,
                                       &assembly);
    if (status == RBV_OK)
        status = rbv_check_wheels(state, diagnostics);
    if (status == RBV_OK)
        status = find_equations(e, state, diagnostics);
    if (status == RBV_OK) {
        e->out = (RbvEquations){.t = state->t,
                                .n = system->coordinates.size,
                                .m = e->out.m,
                                .M = e->M,
                                .Q = e->Q,
                                .A = e->A,
                                .b = e->b,
                                .v = e->v,
                                .C = system->model->nonideals.count > 0 ? e->C : NULL,
                                .coordinates = e->coordinates,
                                .rows = e->rows};
        *equations = &e->out;
    } else if (e) {
        rbv_equations_destroy(&e->out);
    }
    rbv_state_destroy(state);
    rbv_activity_destroy(&activity);
    return status;
}

void rbv_equations_destroy(RbvEquations *equations) {
    Equations *e = (Equations *)equations;
    if (!e)
        return;
    rbv_arena_clear(&e->arena);
    free(e);
}
