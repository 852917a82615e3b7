/* Velocities of an assembled mechanism: C v = nu with the initial rates, of least scaled norm where nothing decides.
 *
 * Linear rows need one solution, refined because the ridge biases it. Equations psi(m, m', t) = 0 on rates are linearized about v and solved by
 * Newton, from rest; where they have no gradient at rest, from a start where every body moves along its own x axis: of the two speeds that satisfy
 * x'^2 + y'^2 = u^2 that is forwards.
 */
#include "assembly/assemble.h"
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#define RATE_TOLERANCE 1e-7  /* of the largest rate given: what redundant rows may leave, see RBV_ASSEMBLY_TOLERANCE */
#define MOST_SWEEPS 200
#define MOST_NEWTON 60
#define LEAST_RIDGE 1e-13    /* relative to scaled rows: below it the ridge only adds rounding */

typedef struct Velocities {
    RbvState *state;
    const double *scale;     /* [n] */
    int32_t n, rows;
    int32_t *row;            /* [rows] row of the system */
    int32_t *start, *column;
    double *C, *residual, *x;
    RbvRidge *ridge;
    double worst, size;      /* largest residual; largest rate prescribed, or sum of its parts */
    int32_t worst_row;
} Velocities;

static bool create(Velocities *s, RbvState *state, const double *scale) {
    const RbvSystem *system = state->system;
    int32_t main_rows = system->row_count, most = system->C.start[system->all_count];
    *s = (Velocities){.state = state, .scale = scale, .n = system->coordinates.size,
                      .rows = main_rows + system->all_count - system->position_count};
    size_t rows = (size_t)s->rows + 1, entries = (size_t)most + 1;
    s->row = malloc(rows * sizeof *s->row);
    s->start = malloc(rows * sizeof *s->start);
    s->column = malloc(entries * sizeof *s->column);
    s->C = malloc(entries * sizeof *s->C);
    s->residual = malloc(rows * sizeof *s->residual);
    s->x = malloc(((size_t)s->n + 1) * sizeof *s->x);
    if (!s->row || !s->start || !s->column || !s->C || !s->residual || !s->x)
        return false;
    int32_t at = 0;
    for (int32_t k = 0; k < s->rows; k++) {
        s->row[k] = k < main_rows ? k : system->position_count + k - main_rows;
        s->start[k] = at;
        for (int32_t e = system->C.start[s->row[k]]; e < system->C.start[s->row[k] + 1]; e++)
            s->column[at++] = system->C.column[e];
    }
    s->start[s->rows] = at;
    s->ridge = rbv_ridge_create(s->rows, s->n, s->start, s->column);
    return s->ridge != NULL;
}

static void destroy(Velocities *s) {
    rbv_ridge_destroy(s->ridge);
    free(s->row);
    free(s->start);
    free(s->column);
    free(s->C);
    free(s->residual);
    free(s->x);
}

/* C, scaled, and nu at the state's v. */
static bool linearize(Velocities *s) {
    RbvState *state = s->state;
    const RbvSystem *system = state->system;
    if (!rbv_state_place(state) || !rbv_state_rates(state))
        return false;
    rbv_state_jacobian(state);
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->start[k], from = system->C.start[s->row[k]]; e < s->start[k + 1]; e++, from++)
            s->C[e] = state->C[from] * s->scale[s->column[e]];
    return rbv_ridge_factor(s->ridge, s->C, LEAST_RIDGE);
}

static void find_residual(Velocities *s) {
    const RbvState *state = s->state;
    s->worst = s->size = 0;
    for (int32_t k = 0; k < s->rows; k++) {
        double sum = -state->nu[s->row[k]], size = fabs(sum);
        for (int32_t e = s->start[k]; e < s->start[k + 1]; e++) {
            double part = s->C[e] / s->scale[s->column[e]] * state->v[s->column[e]];
            sum += part;
            size += fabs(part);
        }
        s->residual[k] = sum;
        if (!isfinite(sum)) { /* no comparison below would notice */
            s->worst = INFINITY;
            return;
        }
        s->size = fmax(s->size, size);
        if (fabs(sum) > s->worst) {
            s->worst = fabs(sum);
            s->worst_row = s->row[k];
        }
    }
}

/* The linear system, refined: two steps for a well conditioned mechanism, more for a long chain. Returns the largest change of v, scaled. */
static double solve(Velocities *s) {
    double before = INFINITY, change = 0;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        find_residual(s);
        if (s->worst <= 1e-13 * s->size || (sweep > 3 && s->worst > 0.5 * before))
            break;
        before = s->worst;
        rbv_ridge_step(s->ridge, s->residual, s->x);
        for (int32_t k = 0; k < s->n; k++) {
            s->state->v[k] += s->scale[k] * s->x[k];
            change = fmax(change, fabs(s->x[k]));
        }
    }
    return change;
}

/* Has every equation on rates a gradient at the v in the state? */
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
        state->wrenches[b] = (RbvWrench){rbv_scale(state->system->size_length, state->bodies[b].A.column[0]), {0, 0, 0}};
    rbv_coordinates_pull(coordinates, rbv_state_at(state), state->wrenches, state->v);
    rbv_state_place(state);
}

RbvStatus rbv_assemble_velocity(RbvState *state, const double *scale, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    Velocities s;
    RbvStatus status = create(&s, state, scale) ? RBV_OK : RBV_NO_MEMORY;
    bool finite = status == RBV_OK;
    if (finite) {
        rbv_start_rates(state);
        if (system->rate_equations) {
            double change = INFINITY, largest = 0;
            for (int pass = 0; finite && pass < MOST_NEWTON && change > 1e-14 * largest; pass++) {
                finite = linearize(&s);
                change = finite ? solve(&s) : 0;
                largest = 0;
                for (int32_t k = 0; k < s.n; k++)
                    largest = fmax(largest, fabs(state->v[k] / scale[k]));
            }
            finite = finite && linearize(&s); /* the residual at the rates found, with the gradient there */
            if (finite)
                find_residual(&s);
        } else {
            finite = linearize(&s);
            if (finite)
                solve(&s);
        }
    }
    if (status == RBV_OK && !(finite && isfinite(s.worst))) {
        status = RBV_NOT_FINITE;
        char why[256];
        rbv_state_explain(state, why, sizeof why);
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0}, "the rates at t = %g s are not finite%s%s", state->t,
                     why[0] ? ": " : "", why);
    } else if (status == RBV_OK && s.worst > RATE_TOLERANCE * s.size) {
        char name[160];
        rbv_system_row_name(system, s.worst_row, name, sizeof name);
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the rates contradict each other at t = %g s: %s cannot be met (off by %.3g)", state->t, name, s.worst);
        status = system->rows[s.worst_row].owner == RBV_OWNER_INITIAL ? RBV_BAD_INPUT : RBV_INCONSISTENT;
    }
    destroy(&s);
    return status;
}
