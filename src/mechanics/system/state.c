/* Evaluates the system at an instant: rbv_state_place, _jacobian, _rates, _move, _load, in this order. No allocation
 * after rbv_state_create.
 *
 * Linear row:   Phi = sum c_k m_k - c(t) - constant - turns,  Phi_t = -c',  Phi_tt = -c''
 * Equation row: Phi = f(m, t); the jet of the expression gives Phi_m, Phi_mm, Phi_mt, Phi_tt. */
#include "core/base/extremes.h"
#include "mechanics/system/system.h"

#include "core/base/tolerances.h"
#include "core/linalg/small.h"

#include <stdlib.h>
#include <string.h>

static void place_markers(RbvState *state);

/* A line of centres that begins at half a turn may move to either side: its turns are counted from the starting poses,
 * not from the first position that is found. */
static void remember_directions(RbvState *state) {
    const RbvModel *model = state->system->model;
    for (int32_t m = 0; m < model->measures.count; m++) {
        const RbvMeasure *measure = &model->measures.items[m];
        if (measure->kind == RBV_MEASURE_DIRECTION &&
            rbv_measure_place(measure, model, state->markers, &state->memory[m], &state->measures[m]))
            rbv_measure_accept(measure, &state->measures[m], &state->memory[m]);
    }
}

void rbv_state_begin(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    if (system->coordinates.position_size > 0)
        memcpy(state->q, system->start_q, (size_t)system->coordinates.position_size * sizeof *state->q);
    for (int32_t m = 0; m < model->measures.count; m++)
        state->memory[m] = rbv_measure_no_memory(model->measures.items[m].kind);
    rbv_coordinates_positions(&system->coordinates, state->q, state->bodies);
    if (system->coordinates.kind->prepare)
        system->coordinates.kind->prepare(&system->coordinates, rbv_state_at(state));
    place_markers(state);
    remember_directions(state);
    rbv_state_measure_sizes(state);
}

/* Number of used markers that may be turned relative to their bodies; parameters may turn them later. */
static size_t turned_markers(const RbvSystem *system) {
    size_t count = 1;
    for (int32_t n = 0; n < system->used_marker_count; n++)
        count += system->model->journal || system->model->markers.items[system->used_marker[n]].turned;
    return count;
}

static bool limits_drives(const RbvModel *model) {
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            return true;
    return false;
}

/* Allocates C, gamma and workspace for coordinates whose v is not the body twists. */
static bool create_own_rows(RbvState *state) {
    const RbvSystem *system = state->system;
    size_t size = (size_t)system->coordinates.size + 1, bodies = (size_t)system->bodies.count + 1;
    if (system->coordinates.of_bodies)
        return true;
    state->C = rbv_arena_array(&state->arena, (size_t)system->C.start[system->C.count] + 1, sizeof *state->C);
    state->gamma = rbv_arena_array(&state->arena, (size_t)system->C.count + 1, sizeof *state->gamma);
    state->less = rbv_arena_array(&state->arena, bodies, sizeof *state->less);
    state->pushed = rbv_arena_array(&state->arena, bodies, sizeof *state->pushed);
    state->bias = rbv_arena_array(&state->arena, bodies, sizeof *state->bias);
    state->bias_v = rbv_arena_array(&state->arena, size, sizeof *state->bias_v);
    state->room = rbv_arena_array(&state->arena, 2 * bodies, sizeof *state->room);
    state->sums = rbv_arena_array(&state->arena, bodies, sizeof *state->sums);
    if (system->coordinates.prepared_size > 0 &&
        !(state->prepared = rbv_arena_alloc(&state->arena, system->coordinates.prepared_size)))
        return false;
    state->row_work.dense = rbv_arena_array(&state->arena, size, sizeof(double));
    state->row_work.part = rbv_arena_array(&state->arena, size, sizeof(double));
    state->row_work.column = rbv_arena_array(&state->arena, size, sizeof(int32_t));
    if (system->number_of) {
        state->D_rest =
            rbv_arena_array(&state->arena, (size_t)system->D.start[system->all_count] + 1, sizeof *state->D_rest);
        state->bare = rbv_arena_array(&state->arena, bodies, sizeof *state->bare);
        if (!state->D_rest || !state->bare)
            return false;
    }
    return state->C && state->gamma && state->less && state->bias && state->bias_v && state->pushed && state->room &&
           state->sums && state->row_work.dense && state->row_work.part && state->row_work.column;
}

RbvState *rbv_state_create(const RbvSystem *system) {
    RbvState *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    const RbvModel *model = system->model;
    size_t size = (size_t)system->coordinates.size + 1, positions = (size_t)system->coordinates.position_size + 1,
           rows = (size_t)system->all_count + 1;
    size_t bodies = (size_t)model->bodies.count + 1, markers = (size_t)model->markers.count + 1;
    size_t measures = (size_t)model->measures.count + 1, own_rows = (size_t)system->coordinates.own_rows,
           terms = (size_t)system->term_count + 1;
    size_t nonzeros = (size_t)system->D.start[system->all_count] + 1, loads = (size_t)model->loads.count + 1;
    RbvArena *arena = &state->arena;
    state->system = system;
    state->active = system->active;
    bool good = true;
#define GET(field, count) good = (state->field = rbv_arena_alloc(arena, (count) * sizeof *state->field)) != NULL && good
    GET(q, positions);
    GET(v, size);
    GET(a, size);
    GET(memory, measures);
    GET(row_turn, rows);
    GET(own, (size_t)model->states.count + 1);
    GET(mass, 2 * (size_t)model->generalized.count * (size_t)model->generalized.count +
                  1); /* and workspace of the check for negative masses */
    GET(part_size, bodies);
    GET(size, bodies);
    GET(arm, bodies);
    GET(bodies, bodies);
    GET(markers, markers);
    GET(turned, turned_markers(system));
    GET(measures, measures);
    GET(phi, rows + own_rows);
    GET(D, nonzeros);
    GET(coefficient, terms);
    GET(nu, rows + own_rows);
    GET(target_second, rows);
    GET(twists, bodies);
    GET(gamma_D, rows);
    GET(accelerations, bodies);
    GET(wrenches, bodies);
    GET(Q, size);
    GET(load_value, loads);
    GET(work, (size_t)system->work_size);
    if (limits_drives(model))
        GET(lag, (size_t)model->drives.count);
    GET(columns, 2 * (size_t)system->bodies.size + 1);
    state->C = state->D_rest = state->D;
    state->gamma = state->gamma_D;
#undef GET
    good = create_own_rows(state) && good;
    if (!good) {
        rbv_state_destroy(state);
        return NULL;
    }
    for (int32_t k = 0; k < system->model->states.count; k++)
        state->own[k] = rbv_model_state_start(system->model, k);
    rbv_state_begin(state);
    return state;
}

void rbv_state_destroy(RbvState *state) {
    if (!state)
        return;
    rbv_arena_clear(&state->arena);
    free(state);
}

/* A vector of the plane, for axes turned about z. */
static inline RbvVec3 turned_about_z(const RbvMat3 *A, RbvVec3 b) {
    const RbvVec3 x = A->column[0], y = A->column[1];
    return (RbvVec3){b.x * x.x + b.y * y.x, b.x * x.y + b.y * y.y, 0};
}

static void place_markers(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    const bool spatial = system->bodies.spatial;
    int32_t turned = 0;
    for (int32_t n = 0; n < system->used_marker_count; n++) {
        int32_t m = system->used_marker[n];
        const RbvMarker *marker = &model->markers.items[m];
        const RbvBodyState *body = &state->bodies[marker->body];
        RbvMarkerState *at = &state->markers[m];
        const RbvVec3 arm = rbv_marker_arm(model, marker);
        at->arm = spatial ? rbv_apply(&body->A, arm) : turned_about_z(&body->A, arm);
        at->point = rbv_add(body->r, at->arm);
        at->axes = &body->A;
        at->p = &body->p;
        at->turn = body->turn + marker->angle;
        at->whole = body->whole;
        if (marker->turned) {
            RbvAxes *own = &state->turned[turned++];
            own->A = rbv_mat3_product(&body->A, &marker->turned->A);
            if (spatial)
                own->p = rbv_quat_product(body->p, marker->turned->p);
            at->axes = &own->A;
            at->p = &own->p;
        }
        at->body = marker->body;
    }
}

RbvJet rbv_state_equation_jet(const RbvState *state, const RbvRow *row) {
    int32_t n = rbv_expr_variable_count(row->equation);
    RbvJet jet = {.count = n, .x = state->work, .gradient = state->work + n, .hessian = state->work + 2 * n};
    for (int32_t v = 0; v < n; v++) {
        int32_t term = row->variables->term[v];
        const RbvMeasureState *measured =
            term < 0 ? NULL : &state->measures[state->system->terms[row->first + term].measure];
        jet.x[v] = state->t;
        if (measured)
            jet.x[v] = row->variables->rate[v] ? measured->rate : measured->value;
    }
    jet.value = rbv_expr_jet(row->equation, jet.x, jet.hessian + n * n, jet.gradient, jet.hessian);
    return jet;
}

/* Rates of the measures of equations on rates, for the v of the state. */
static void place_rates(RbvState *state) {
    const RbvSystem *system = state->system;
    rbv_coordinates_velocities(&system->coordinates, rbv_state_at(state), state->v, state->twists);
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        for (int32_t n = row->first; row->on_rates && n < row->first + row->count; n++) {
            const RbvMeasure *measure = &system->model->measures.items[system->terms[n].measure];
            RbvMeasureState *measured = &state->measures[system->terms[n].measure];
            measured->rate = rbv_power(measured->gradient[0], state->twists[state->markers[measure->marker[0]].body]) +
                             rbv_power(measured->gradient[1], state->twists[state->markers[measure->marker[1]].body]);
        }
    }
}

/* psi at this state, and d psi/dm' into the row's coefficients. A measure that the equation reads with value and rate
 * is one term. */
static double place_rate_equation(RbvState *state, const RbvRow *row) {
    RbvJet psi = rbv_state_equation_jet(state, row);
    for (int32_t k = 0; k < row->count; k++)
        state->coefficient[row->first + k] = 0;
    for (int32_t v = 0; v < psi.count; v++)
        if (row->variables->rate[v])
            state->coefficient[row->first + row->variables->term[v]] = psi.gradient[v];
    return psi.value;
}

/* The sum of a row's terms and `from`, in twofold precision: for wheels that have made many turns it is a small
 * difference of large angles. */
static double gap_of(const RbvState *state, const RbvRow *row, double from) {
    const RbvTerm *terms = &state->system->terms[row->first];
    const RbvMeasureState *measures = state->measures;
    if (row->count == 1)
        return from + terms[0].coefficient * measures[terms[0].measure].value +
               terms[0].coefficient * measures[terms[0].measure].cut;
    RbvTwofold sum = {from, 0};
    for (int32_t n = 0; n < row->count; n++) {
        rbv_twofold_add_product(&sum, terms[n].coefficient, measures[terms[n].measure].value);
        sum.low += terms[n].coefficient * measures[terms[n].measure].cut;
    }
    return rbv_twofold(sum);
}

/* Rigid rows of the coordinates with their gradients; returns the sum of their Phi. */
static double place_own_rows(RbvState *state) {
    const RbvSystem *system = state->system;
    double sum = 0;
    if (system->coordinates.own_rows == 0)
        return 0;
    system->coordinates.kind->rows(&system->coordinates, state->q, state->phi + system->all_count,
                                   state->C + system->C.start[system->all_count]);
    for (int32_t k = 0; k < system->coordinates.own_rows; k++)
        sum += state->phi[system->all_count + k];
    return sum;
}

/* Number of measures to evaluate for the rows. */
static int32_t rows_measures(const RbvState *state) {
    return state->brief ? state->system->seen_measure_count : state->system->row_measure_count;
}

/* Returns the residual of row k, and writes the coefficients of its terms; both are 0 while it does not hold. */
static double place_row(RbvState *state, int32_t k) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[k];
    const RbvTerm *terms = &system->terms[row->first];
    double *coefficient = &state->coefficient[row->first];
    double phi = 0;
    if (!rbv_state_holds(state, k)) {
        for (int32_t n = 0; n < row->count; n++)
            coefficient[n] = 0;
        return 0;
    }
    if (row->on_rates && row->equation)
        place_rate_equation(state, row);
    else if (row->equation) {
        RbvJet f = rbv_state_equation_jet(state, row);
        phi = f.value - row->constant - state->row_turn[k];
        for (int32_t v = 0; v < f.count; v++)
            if (row->variables->term[v] >= 0)
                coefficient[row->variables->term[v]] = f.gradient[v];
    } else {
        for (int32_t n = 0; n < row->count; n++)
            coefficient[n] = terms[n].coefficient;
        if (!row->on_rates)
            phi = gap_of(state, row, -row->constant - state->row_turn[k]);
    }
    if (row->target && !row->on_rates)
        phi -= rbv_state_target(state, row);
    /* Relative to the value, or to 1: a start: value of a generalized coordinate agrees with constraints that
     * determine the coordinate if it differs by no more; the constraints then prevail. */
    if (state->lenient && row->owner == RBV_OWNER_INITIAL && system->model->initial.items[row->index].own &&
        fabs(phi) <= RBV_FITS * rbv_max(1, fabs(row->constant)))
        return 0;
    return phi;
}

bool rbv_state_place(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool branch = true;
    state->singular_measure = -1;
    state->biased = false;
    rbv_coordinates_positions(&system->coordinates, state->q, state->bodies);
    if (system->coordinates.kind->prepare)
        system->coordinates.kind->prepare(&system->coordinates, rbv_state_at(state));
    place_markers(state);
    for (int32_t n = 0, last = rows_measures(state); n < last; n++) {
        int32_t m = system->measure_order[n];
        if (!rbv_measure_place(&model->measures.items[m], model, state->markers, &state->memory[m],
                               &state->measures[m]))
            state->singular_measure = m;
        branch = rbv_state_adopt(state, m) && branch;
    }
    double sum = 0;
    if (system->rate_equations)
        place_rates(state);
    for (int32_t k = 0; k < system->all_count; k++)
        if (!rbv_state_passes(state, k))
            sum += state->phi[k] = place_row(state, k);
    return isfinite(sum + place_own_rows(state)) && branch;
}

/* Adds the terms from `first` to before `last` to D. */
static void add_terms(RbvState *state, int32_t first, int32_t last) {
    const RbvSystem *system = state->system;
    for (int32_t n = first; n < last; n++) {
        const RbvTerm *term = &system->terms[n];
        const RbvMeasure *measure = &system->model->measures.items[term->measure];
        for (int side = 0; side < 2; side++)
            if (term->slot[side] >= 0)
                rbv_bodies_add(&system->bodies, state->markers[measure->marker[side]].body, state->coefficient[n],
                               &state->measures[term->measure].gradient[side], state->D + term->slot[side]);
    }
}

void rbv_state_jacobian(RbvState *state) {
    const RbvSystem *system = state->system;
    memset(state->D, 0, (size_t)system->D.start[system->all_count] * sizeof *state->D);
    if (!state->brief)
        add_terms(state, 0, system->term_count);
    for (int32_t k = 0; state->brief && k < system->all_count; k++)
        if (!rbv_state_passes(state, k))
            add_terms(state, system->rows[k].first, system->rows[k].first + system->rows[k].count);
    if (system->number_of)
        rbv_state_number_rows(state);
    else if (!system->coordinates.of_bodies)
        rbv_coordinates_rows(&system->coordinates, rbv_state_at(state), &system->D, state->D, &system->C, state->C,
                             state->row_work);
}

bool rbv_state_rates(RbvState *state) {
    const RbvSystem *system = state->system;
    double sum = 0;
    for (int32_t k = 0; k < system->all_count; k++) {
        const RbvRow *row = &system->rows[k];
        state->nu[k] = 0;
        state->target_second[k] = 0;
        if (rbv_state_passes(state, k) || !rbv_state_holds(state, k))
            continue;
        if (row->target) {
            double target[3];
            rbv_state_target_jet(state, row, target);
            state->nu[k] = target[1];
            state->target_second[k] = target[2];
        } else if (row->owner == RBV_OWNER_INITIAL) {
            const RbvInitial *initial = &system->model->initial.items[row->index];
            state->nu[k] = initial->of.rate == 1 ? initial->value : 0;
        } else if (row->equation && row->on_rates) {
            state->nu[k] = -place_rate_equation(state, row);
            for (int32_t n = row->first; n < row->first + row->count; n++)
                state->nu[k] += state->coefficient[n] * state->measures[system->terms[n].measure].rate;
        } else if (row->equation) {
            RbvJet f = rbv_state_equation_jet(state, row);
            for (int32_t v = 0; v < f.count; v++)
                if (row->variables->term[v] < 0)
                    state->nu[k] -= f.gradient[v];
        }
        sum += state->nu[k] + state->target_second[k];
    }
    return isfinite(sum);
}

/* psi_m m' + psi_t: d psi/dt without psi_m' m''. */
static double rate_equation_drift(RbvState *state, const RbvRow *row) {
    RbvJet psi = rbv_state_equation_jet(state, row);
    double sum = 0;
    for (int32_t v = 0; v < psi.count; v++) {
        int32_t term = row->variables->term[v];
        if (!row->variables->rate[v])
            sum += psi.gradient[v] *
                   (term < 0 ? 1 : state->measures[state->system->terms[row->first + term].measure].rate);
    }
    return sum;
}

double rbv_state_row_rate(const RbvState *state, int32_t k) {
    const RbvRow *row = &state->system->rows[k];
    double sum = 0;
    for (int32_t n = row->first; n < row->first + row->count; n++)
        sum += state->coefficient[n] * state->measures[state->system->terms[n].measure].rate;
    return sum;
}

double rbv_state_curvature(const RbvState *state, const RbvRow *row) {
    RbvJet f = rbv_state_equation_jet(state, row);
    double *rate = f.x, sum = 0;
    for (int32_t v = 0; v < f.count; v++) {
        int32_t term = row->variables->term[v];
        rate[v] = term < 0 ? 1 : state->measures[state->system->terms[row->first + term].measure].rate;
    }
    for (int32_t i = 0; i < f.count; i++)
        for (int32_t j = 0; j < f.count; j++)
            sum += rate[i] * f.hessian[i * f.count + j] * rate[j];
    return sum;
}

/* gamma = gamma_D - D bias. */
static void drift(RbvState *state) {
    const RbvSystem *system = state->system;
    state->biased = false;
    rbv_coordinates_drift(&system->coordinates, &system->D, state->D_rest, system->kept, rbv_state_bias(state),
                          state->gamma_D, state->gamma);
    for (int32_t k = 0; system->number_of && k < system->all_count; k++)
        state->gamma[k] += rbv_state_number_bias(state, k);
    if (system->coordinates.own_rows > 0)
        system->coordinates.kind->rows_drift(&system->coordinates, state->q, state->v,
                                             state->gamma + system->all_count);
}

bool rbv_state_move(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    rbv_coordinates_velocities(&system->coordinates, rbv_state_at(state), state->v, state->twists);
    for (int32_t n = 0, last = rows_measures(state); n < last; n++) {
        int32_t m = system->measure_order[n];
        rbv_measure_move(&model->measures.items[m], model, state->markers, state->twists, &state->measures[m]);
        rbv_state_adopt_rate(state, m);
    }
    double sum = 0;
    for (int32_t k = 0; k < system->all_count; k++) {
        const RbvRow *row = &system->rows[k];
        double gamma = state->target_second[k];
        if (rbv_state_passes(state, k))
            continue;
        if (row->equation && rbv_state_holds(state, k))
            gamma -= row->on_rates ? rate_equation_drift(state, row) : rbv_state_curvature(state, row);
        for (int32_t n = row->first; n < row->first + row->count; n++)
            gamma -= state->coefficient[n] * state->measures[system->terms[n].measure].bias;
        state->gamma_D[k] = gamma;
        sum += gamma;
    }
    if (!system->coordinates.of_bodies)
        drift(state);
    return isfinite(sum);
}

void rbv_state_accelerate(RbvState *state) {
    const RbvCoordinates *coordinates = &state->system->coordinates;
    rbv_coordinates_accelerate_from(coordinates, rbv_state_at(state), state->a,
                                    coordinates->kind->bias ? rbv_state_bias(state) : NULL, state->accelerations);
}

/* Q of the loads; springs on numbers of q act on these numbers, not on the bodies. */
static void general_forces(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvWrench *wrenches = state->wrenches;
    double *on_numbers = state->row_work.dense;
    if (system->number_of) {
        memcpy(state->bare, state->wrenches, (size_t)system->bodies.count * sizeof *state->bare);
        memset(on_numbers, 0, (size_t)system->coordinates.size * sizeof *on_numbers);
        rbv_state_number_loads(state, state->bare, on_numbers);
        wrenches = state->bare;
    }
    rbv_state_force(state, wrenches, state->Q);
    for (int32_t k = system->coordinates.first_number; system->number_of && k < system->coordinates.size; k++)
        state->Q[k] += on_numbers[k];
}

bool rbv_state_measure(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool good = true;
    for (int32_t n = system->row_measure_count; n < model->measures.count; n++) {
        int32_t m = system->measure_order[n];
        rbv_measure_place(&model->measures.items[m], model, state->markers, &state->memory[m], &state->measures[m]);
        rbv_measure_move(&model->measures.items[m], model, state->markers, state->twists, &state->measures[m]);
        good = rbv_state_adopt(state, m) && good;
        rbv_state_adopt_rate(state, m);
    }
    return good;
}

bool rbv_state_load(RbvState *state) {
    bool good = rbv_state_measure(state);
    good = rbv_state_load_wrenches(state) && good;
    general_forces(state);
    rbv_state_accelerate(state);
    return good;
}

void rbv_state_accept(RbvState *state) {
    const RbvModel *model = state->system->model;
    /* turns that no row uses are counted as well: a turn and a half between two samples is a turn and a half */
    for (int32_t n = state->system->row_measure_count; n < model->measures.count; n++) {
        int32_t m = state->system->measure_order[n];
        if (model->measures.items[m].kind == RBV_MEASURE_TWIST ||
            model->measures.items[m].kind == RBV_MEASURE_DIRECTION)
            rbv_measure_place(&model->measures.items[m], model, state->markers, &state->memory[m], &state->measures[m]);
    }
    for (int32_t m = 0; m < model->measures.count; m++)
        rbv_measure_accept(&model->measures.items[m], &state->measures[m], &state->memory[m]);
}

double rbv_state_row_times(const RbvState *state, int32_t k, const double *x, double *size) {
    const RbvRowPattern *C = &state->system->C;
    double sum = 0, parts = 0;
    for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
        double part = state->C[e] * x[C->column[e]];
        sum += part;
        parts += fabs(part);
    }
    if (size)
        *size = parts;
    return sum;
}
