/* Velocities of an assembled mechanism: C v = nu with the initial rates, of least scaled norm in freedoms without a
 * condition.
 *
 * Linear rows need one solution. Equations psi(m, m', t) = 0 that are not linear in the rates are solved from many
 * starts (rbv_rates_branch). Initial rates that no freedom is left for choose among the solutions: they must fit, and
 * then the equations determine these rates exactly. */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"
#include "solution/assembly/rate_solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_FIT 1e-5 /* while equations and initial rates are solved together */

/* True if every equation on rates has a gradient at the v of the state. */
static bool has_gradients(RbvState *state) {
    const RbvSystem *system = state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        double sum = 0;
        for (int32_t n = row->first; n < row->first + row->count; n++)
            sum += fabs(state->coefficient[n]);
        if (row->on_rates && row->equation && !(sum > 0 && isfinite(sum)))
            return false;
    }
    return true;
}

void rbv_start_rates(RbvState *state) {
    const RbvCoordinates *coordinates = &state->system->coordinates;
    memset(state->v, 0, (size_t)coordinates->size * sizeof(double));
    rbv_state_place(state);
    if (!state->system->rate_equations || has_gradients(state))
        return;
    for (int32_t b = 0; b < state->system->bodies.count; b++)
        state->wrenches[b] =
            (RbvWrench){rbv_scale(rbv_state_body_size(state, b), state->bodies[b].A.column[0]), {0, 0, 0}};
    rbv_coordinates_generalized_forces(coordinates, rbv_state_at(state), state->wrenches, state->v);
    rbv_state_place(state);
}

/* Leaves out the initial rates that rows and earlier initial rates determine at the v of the state. False if out of
 * memory. */
static bool leave_out_choices(RbvRateSolver *s) {
    const RbvSystem *system = s->state->system;
    RbvFreedom *freedom = rbv_freedom_create(s->state, system->row_count, false);
    for (int32_t k = system->row_count; freedom && k < s->rows; k++)
        s->left_out[k] = !rbv_freedom_take_row(freedom, s->state, s->row[k]);
    bool good = freedom && !rbv_freedom_lost(freedom);
    rbv_freedom_destroy(freedom);
    return good;
}

/* True if row k of the solver is the initial rate of a generalized coordinate. */
static bool is_own(const RbvRateSolver *s, int32_t k) {
    const RbvRow *row = &s->state->system->rows[s->row[k]];
    return row->owner == RBV_OWNER_INITIAL && s->state->system->model->initial.items[row->index].own;
}

/* True if the residuals of all rows are within tolerance, that of initial rates being larger if they choose a solution.
 */
static bool rates_fit(const RbvRateSolver *s) {
    for (int32_t k = 0; k < s->rows; k++) {
        bool loose = s->row[k] >= s->state->system->row_count && (s->nonlinear_count > 0 || is_own(s, k));
        /* Relative to the largest prescribed rate: what redundant rows may leave, see RBV_ASSEMBLY_TOLERANCE. Relative
         * to the largest rate: allowed difference of an initial rate that chooses a solution. */
        if (!(fabs(s->residual[k]) <= (loose ? RBV_FITS : RBV_BALANCED) * s->size))
            return false;
    }
    return true;
}

/* Solves linear rows: prescribed rates of generalized coordinates that other rows determine are left out if they nearly
 * fit. */
static RbvStatus solve_linear(RbvRateSolver *s) {
    bool own = false;
    if (!rbv_rates_linear(s))
        return RBV_NOT_FINITE;
    for (int32_t k = 0; k < s->rows; k++) {
        own = own || is_own(s, k);
        if (!(fabs(s->residual[k]) <= FIRST_FIT * s->size))
            return RBV_INCONSISTENT;
    }
    if (!own)
        return rates_fit(s) ? RBV_OK : RBV_INCONSISTENT;
    if (!leave_out_choices(s))
        return RBV_NO_MEMORY;
    bool finite = rbv_rates_linear(s);
    memset(s->left_out, 0, (size_t)s->rows * sizeof *s->left_out);
    if (!finite || !rbv_rates_residual(s))
        return RBV_NOT_FINITE;
    return rates_fit(s) ? RBV_OK : RBV_INCONSISTENT;
}

/* Solves all rows together, then only those that must be satisfied exactly, and verifies all of them. */
static RbvStatus solve_rates(RbvRateSolver *s, RbvRateBranches *branches) {
    bool given = s->rows > s->state->system->row_count;
    if (s->nonlinear_count == 0)
        return solve_linear(s);
    RbvStatus status = rbv_rates_branch(s, given ? FIRST_FIT : RBV_BALANCED, branches);
    if (status == RBV_OK && given && !leave_out_choices(s))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_rates_newton(s))
        status = RBV_NOT_FINITE;
    memset(s->left_out, 0, (size_t)s->rows * sizeof *s->left_out);
    if (status != RBV_OK && status != RBV_INCONSISTENT)
        return status;
    if (!rbv_rates_residual(s))
        return RBV_NOT_FINITE;
    return rates_fit(s) ? RBV_OK : RBV_INCONSISTENT;
}

/* The row with the largest residual *off: of joints, constraints and drives, or of initial rates. */
static int32_t worst_row(const RbvRateSolver *s, bool of_initial, double *off) {
    int32_t worst = -1;
    *off = 0;
    for (int32_t k = 0; k < s->rows; k++)
        if ((s->row[k] >= s->state->system->row_count) == of_initial && !(fabs(s->residual[k]) <= *off)) {
            worst = s->row[k];
            *off = fabs(s->residual[k]);
        }
    return worst;
}

/* Solves without the initial rate in `row`, or without `all` initial rates. If that succeeds, text names the rates left
 * without the row: "; without it ... 1 or -1". */
static RbvStatus try_without_initial(RbvRateSolver *s, int32_t row, bool all, char *text, size_t size) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    RbvRateBranches branches = {.other = calloc((size_t)s->n + 1, sizeof(double))};
    double value[2] = {0, 0};
    if (!branches.other)
        return RBV_NO_MEMORY;
    for (int32_t k = system->row_count; k < s->rows; k++)
        s->left_out[k] = all || s->row[k] == row;
    RbvStatus status = rbv_rates_branch(s, RBV_BALANCED, &branches);
    for (int n = 0; status == RBV_OK && n < 2; n++)
        value[n] = rbv_state_row_times(state, row, n ? branches.other : state->v, NULL);
    bool two = branches.has_other && fabs(value[1] - value[0]) > RBV_FITS * rbv_max(fabs(value[0]), fabs(value[1]));
    if (status == RBV_OK)
        snprintf(text, size, two ? "; without %s that rate could be %.6g or %.6g" : "; without %s that rate is %.6g",
                 all ? "initial rates" : "it", value[0], value[1]);
    free(branches.other);
    return status;
}

/* Unit of the rate residual of a row; a row on rates has the unit of its value. */
static const char *unit_of_rate(const RbvRow *row) {
    if (row->equation)
        return row->on_rates ? "of its unit" : "of its unit per s";
    return row->angular ? "rad/s" : "m/s";
}

/* Reports rates without solution: linear rows contradict each other, and so does an initial rate without which there is
 * a solution; else only that no solution was found. */
static RbvStatus report_no_rates(RbvRateSolver *s, int32_t starts, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = s->state->system;
    RbvStatus too_many = system->all_count > system->position_count
                             ? rbv_check_initial(s->state, 1, true, RBV_ONE_TOO_MANY, diagnostics)
                             : RBV_OK;
    if (too_many != RBV_OK)
        return too_many;
    bool linear = s->nonlinear_count == 0;
    char name[160], choices[160] = "";
    double off, off_initial;
    int32_t row = worst_row(s, false, &off), initial = worst_row(s, true, &off_initial);
    bool given = initial >= 0 && (row < 0 || off_initial > off);
    if (!linear && initial >= 0) {
        RbvStatus without = try_without_initial(s, initial, false, choices, sizeof choices);
        if (without != RBV_OK && without != RBV_NO_MEMORY)
            without = try_without_initial(s, initial, true, choices, sizeof choices);
        if (without == RBV_NO_MEMORY)
            return without;
        given = without == RBV_OK;
    }
    rbv_system_row_name(system, given ? initial : row, name, sizeof name);
    linear = linear || (rbv_rates_linear(s) && s->worst > RBV_BALANCED * s->size);
    RbvPosition where = {0, 0};
    if (given)
        where = system->model->initial.items[system->rows[initial].index].where;
    const char *unit = unit_of_rate(&system->rows[given ? initial : row]);
    if (given || linear)
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, where,
                     "the rates contradict each other at t = %g s: %s cannot be met (off by %.3g %s)%s", s->state->t,
                     name, given ? off_initial : off, unit, choices);
    else
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     "no rates found at t = %g s: %s cannot be met together with the others (off by %.3g %s at the "
                     "nearest of %d starts); it may have no solution there",
                     s->state->t, name, off, unit_of_rate(&system->rows[row]), (int)starts);
    return given ? RBV_BAD_INPUT : RBV_INCONSISTENT;
}

static void report_rates_not_finite(const RbvState *state, RbvDiagnostics *diagnostics) {
    char why[256];
    rbv_state_explain(state, why, sizeof why);
    rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0},
                 "the rates at t = %g s are not finite%s%s", state->t, why[0] ? ": " : "", why);
}

static RbvStatus assemble_velocity(RbvState *state, const double *scale, RbvDiagnostics *diagnostics) {
    RbvRateSolver s;
    RbvRateBranches branches = {0};
    RbvStatus status = rbv_rates_create(&s, state, scale) ? solve_rates(&s, &branches) : RBV_NO_MEMORY;
    status = state->no_memory ? RBV_NO_MEMORY : status;
    if (status == RBV_NOT_FINITE)
        report_rates_not_finite(state, diagnostics);
    else if (status == RBV_INCONSISTENT)
        status = report_no_rates(&s, branches.starts, diagnostics);
    rbv_rates_destroy(&s);
    return status;
}

/* Solves the absolute system, if there is one: rates nearest to rest are those of the bodies. */
RbvStatus rbv_assemble_velocity(RbvState *state, const double *scale, RbvDiagnostics *diagnostics) {
    if (!state->system->absolute)
        return assemble_velocity(state, scale, diagnostics);
    RbvState *absolute = rbv_absolute_state_create(state);
    double *own = absolute ? rbv_state_column_scales(absolute) : NULL;
    RbvStatus status = RBV_NO_MEMORY;
    if (own)
        status = rbv_state_place(absolute) ? RBV_OK : RBV_NOT_FINITE;
    if (status == RBV_OK)
        status = assemble_velocity(absolute, own, diagnostics);
    free(own);
    if (absolute)
        rbv_absolute_state_take(state, absolute);
    return status;
}
