/* All terms of Udwadia's equation at a state, under the names of the paper; see udwadia_record.h. */
#include "analysis/analyses/udwadia_record.h"

#include <roberval/equations.h>
#include <roberval/udwadia.h>

#include "core/base/diagnostics.h"
#include "mechanics/system/system.h"

#include <math.h>
#include <string.h>

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
static bool add(RbvResult *result, const char *name, const double *values, int32_t rows, int32_t columns) {
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
    return add(result, "M", e->M, n, n) && add(result, "Q", e->Q, n, -1) && add(result, "A", e->A, m, n) &&
           add(result, "b", e->b, m, -1) && add(result, "C", e->C, n, -1) && add(result, "velocity", e->v, n, -1) &&
           add(result, "a", s->free_acceleration, n, -1) && add(result, "c", s->c, n, -1) &&
           add(result, "e", s->error_signal, m, -1) && add(result, "S", s->root, n, n) &&
           add(result, "B", s->B, m, n) && add(result, "B_plus", s->B_plus, n, m) &&
           add(result, "Q_i", s->ideal, n, -1) && add(result, "Q_ni", s->nonideal, n, -1) &&
           add(result, "Q_c", s->constraint_force, n, -1) && add(result, "acceleration", s->acceleration, n, -1) &&
           add(result, "deviation", difference, n, -1) && add(result, "multipliers", s->multipliers, m, -1) &&
           add(result, "basis", s->virtual_basis, s->freedoms, n);
}

static void add_figures(RbvUdwadiaRecord *u, const RbvUdwadiaSolution *s) {
    double penrose = 0;
    for (int k = 0; k < 4; k++)
        penrose = fmax(penrose, s->penrose_error[k]);
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

static RbvStatus fill(RbvResult *result, const RbvEquations *e, const RbvUdwadiaSolution *s, RbvUdwadiaForm form) {
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

static RbvStatus solve(const RbvSystem *system, const RbvEquations *e, RbvUdwadiaForm form, RbvDiagnostics *diagnostics,
                       RbvResult *result) {
    RbvUdwadia *udwadia = NULL;
    RbvStatus status = rbv_udwadia_create(e->n, e->m, &udwadia);
    if (status != RBV_OK)
        return status;
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default();
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
        status = fill(result, e, s, form);
    rbv_udwadia_destroy(udwadia);
    return status;
}

RbvStatus rbv_record_udwadia(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                             RbvResult *result) {
    RbvEquations *equations = NULL;
    if (system->coordinates.size > MOST || system->coordinates.size < 1 || system->row_count > MOST) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "--udwadia writes full matrices, of 1 to %d coordinates and up to as many equations; the model "
                     "has %d and %d (rbv_udwadia_solve takes any)",
                     MOST, (int)system->coordinates.size, (int)system->row_count);
        return RBV_BAD_INPUT;
    }
    RbvDiagnostics *said = rbv_diagnostics_create(); /* notes of the start are already reported */
    RbvStatus status = said ? rbv_equations_create(system, options, said, &equations) : RBV_NO_MEMORY;
    if (status != RBV_OK && said)
        rbv_diagnostics_append(diagnostics, said);
    if (status == RBV_OK)
        status = solve(system, equations, options->udwadia, diagnostics, result);
    rbv_equations_destroy(equations);
    rbv_diagnostics_destroy(said);
    return status;
}
