/* Levenberg-Marquardt descent to Phi = 0 with minimum-norm steps (descent.h), and the search for a position with
 * smaller gaps beside the one found. */
#include "solution/assembly/descent.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200    /* of one descent: a far start needs some thirty */
#define LARGEST_TURN 0.6  /* rad per step: beyond it the linear model of a hinge is useless */
#define FIRST_RIDGE 1e-4  /* relative to the arm squared */
#define LEAST_RIDGE 1e-13 /* relative to the arm squared: below it the ridge only adds rounding */
/* Relative to the arm squared: above it the linear model covers short steps only and predicts little */
#define WIDE_RIDGE 1.0
#define FALLS 0.25 /* relative to the sum of squares: a predicted sum below this counts as most of it removed */
/* Relative to |C| |phi|: C^T phi that counts as zero, as a stalled descent is stationary to some digits only. */
#define STATIONARY 1e-5

double rbv_unit_random(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

bool rbv_descent_create(RbvDescent *d, RbvState *state) {
    const RbvSystem *system = state->system;
    size_t size = (size_t)system->coordinates.size + 1, positions = (size_t)system->coordinates.position_size + 1,
           rows = (size_t)system->position_count + 1;
    *d = (RbvDescent){.state = state, .system = system};
    d->scale = rbv_state_column_scales(state);
    d->weight = rbv_arena_alloc(&d->arena, rows * sizeof(double));
    d->shift = rbv_arena_array(&d->arena, rows, sizeof(double));
    d->C = rbv_arena_alloc(&d->arena, ((size_t)system->C.start[system->position_count] + 1) * sizeof(double));
    d->phi = rbv_arena_alloc(&d->arena, rows * sizeof(double));
    d->step = rbv_arena_alloc(&d->arena, size * sizeof(double));
    d->predicted = rbv_arena_alloc(&d->arena, size * sizeof(double));
    d->q = rbv_arena_alloc(&d->arena, positions * sizeof(double));
    d->start = rbv_arena_alloc(&d->arena, positions * sizeof(double));
    d->best = rbv_arena_alloc(&d->arena, positions * sizeof(double));
    d->memory = rbv_arena_alloc(&d->arena, ((size_t)system->model->measures.count + 1) * sizeof *d->memory);
    d->raw = rbv_arena_alloc(&d->arena, ((size_t)system->model->measures.count + 1) * sizeof *d->raw);
    bool good = d->scale && d->memory && d->raw && d->weight && d->shift && d->C && d->phi && d->step && d->predicted &&
                d->q && d->start && d->best;
    if (!good)
        return false;
    memcpy(d->start, state->q, (positions - 1) * sizeof(double));
    memcpy(d->raw, state->memory, (size_t)system->model->measures.count * sizeof *d->raw);
    memcpy(d->memory, d->raw, (size_t)system->model->measures.count * sizeof *d->raw);
    d->rows = system->position_count;
    return true;
}

void rbv_descent_destroy(RbvDescent *d) {
    rbv_ridge_destroy(d->ridge);
    free(d->scale);
    rbv_arena_clear(&d->arena);
    *d = (RbvDescent){0};
}

void rbv_descent_take_rows(RbvDescent *d, int32_t rows) {
    rbv_ridge_destroy(d->ridge);
    d->ridge = NULL;
    d->rows = rows;
}

/* Factors of the rows at the evaluated positions; their pattern is made by the first step that needs it. */
static bool factor(RbvDescent *d, double mu) {
    bool *no_memory = &d->state->no_memory;
    if (!d->ridge)
        d->ridge = rbv_ridge_create(d->rows, d->system->coordinates.size, d->system->C.start, d->system->C.column);
    *no_memory = *no_memory || !d->ridge;
    return d->ridge && rbv_ridge_factor(d->ridge, d->C, mu, no_memory);
}

/* Scaled C at the evaluated positions: rows times their weights, rotations times 1/arm. */
static void scaled_jacobian(RbvDescent *d) {
    rbv_state_jacobian(d->state);
    for (int32_t k = 0; k < d->rows; k++)
        for (int32_t e = d->system->C.start[k]; e < d->system->C.start[k + 1]; e++)
            d->C[e] = d->state->C[e] * d->weight[k] * d->scale[d->system->C.column[e]];
}

static double scaled_residual(RbvDescent *d) {
    double sum = 0;
    for (int32_t k = 0; k < d->rows; k++) {
        d->phi[k] = d->weight[k] * (d->state->phi[k] - d->shift[k]);
        sum += d->phi[k] * d->phi[k];
    }
    return sum;
}

/* The scaled error of row k relative to the arm of its part, beyond rounding of coordinates, or with it. */
static double row_error(const RbvDescent *d, int32_t k, bool with_rounding) {
    double excused = with_rounding ? 0 : d->weight[k] * rbv_state_row_rounding(d->state, k);
    return (fabs(d->phi[k]) - excused) / rbv_state_row_arm(d->state, k);
}

static double largest(const RbvDescent *d, bool with_rounding) {
    double most = 0;
    rbv_state_measure_sizes(d->state);
    for (int32_t k = 0; k < d->rows; k++)
        most = rbv_max(most, row_error(d, k, with_rounding));
    return most;
}

double rbv_descent_row_error(const RbvDescent *d, int32_t k) {
    return row_error(d, k, false);
}

void rbv_descent_weigh(RbvDescent *d) {
    rbv_state_jacobian(d->state);
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &d->system->rows[k];
        d->weight[k] = row->on_rates  ? 0
                       : row->angular ? rbv_state_row_arm(d->state, k)
                                      : 1; /* rows on rates do not restrict positions */
        if (!row->equation || row->on_rates)
            continue;
        double sum = 0;
        for (int32_t e = d->system->C.start[k]; e < d->system->C.start[k + 1]; e++) {
            double c = d->state->C[e] * d->scale[d->system->C.column[e]];
            sum += c * c;
        }
        d->weight[k] = sum > 1e-20 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

/* Shortens the step so that no body turns or moves too far at once. */
static void limit_step(RbvDescent *d) {
    double turn = 0, move = 0;
    RbvTwist *steps = d->state->twists;
    rbv_coordinates_velocities(&d->system->coordinates, rbv_state_at(d->state), d->step, steps);
    for (int32_t b = 1; b < d->system->bodies.count; b++) {
        RbvTwist step = steps[b];
        move = rbv_max(move, rbv_norm(step.v) / rbv_state_body_size(d->state, b));
        turn = rbv_max(turn, rbv_norm(step.w));
    }
    double factor = rbv_min(1, rbv_min(LARGEST_TURN / rbv_max(turn, 1e-300), 2 / rbv_max(move, 1e-300)));
    for (int32_t k = 0; k < d->system->coordinates.size; k++)
        d->step[k] *= factor;
}

static size_t memory_size(const RbvDescent *d) {
    return (size_t)d->system->model->measures.count * sizeof *d->memory;
}

void rbv_descent_keep_turns(RbvDescent *d) {
    memcpy(d->memory, d->state->memory, memory_size(d));
}

void rbv_descent_restore_turns(RbvDescent *d) {
    memcpy(d->state->memory, d->memory, memory_size(d));
}

/* Turns about axes, and of lines of centres, continue from the last step. */
static void follow_turns(RbvDescent *d) {
    RbvState *state = d->state;
    const RbvModel *model = d->system->model;
    for (int32_t n = 0; n < d->system->row_measure_count; n++) {
        int32_t m = d->system->measure_order[n];
        RbvMeasureKind kind = model->measures.items[m].kind;
        if (kind == RBV_MEASURE_DIRECTION || kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_MESH)
            rbv_measure_accept(&model->measures.items[m], &state->measures[m], &state->memory[m]);
    }
}

void rbv_descent_raw_turns(RbvDescent *d) {
    memcpy(d->state->memory, d->raw, memory_size(d));
}

/* True if the linear model predicts that the step removes most of the error. Near a singular position a descent is slow
 * long before its end. */
static bool foresees_less(const RbvDescent *d, double merit) {
    double sum = 0;
    for (int32_t k = 0; k < d->rows; k++) {
        double after = d->phi[k];
        for (int32_t e = d->system->C.start[k]; e < d->system->C.start[k + 1]; e++)
            after += d->C[e] * d->step[d->system->C.column[e]];
        sum += after * after;
    }
    return sum < FALLS * merit;
}

/* True if the error is within tolerance and no step is known that would reduce it. */
static bool is_near_enough(const RbvDescent *d, bool promising) {
    /* Relative to the arm: error that steps near rounding may leave. */
    return largest(d, false) < RBV_ASSEMBLY_TOLERANCE && (!promising || largest(d, true) < RBV_ROUNDING);
}

/* True if every gap is a last digit of the coordinates of its points, and such digits are far above rounding of the
 * arm: no step makes them smaller, though they do not look like zero. So in long chains. Angles, equations and what is
 * asked of the start are not excused. */
static bool is_last_digit(const RbvDescent *d) {
    bool far = false;
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &d->system->rows[k];
        bool between_points = !row->equation && !row->angular && !row->target && row->owner != RBV_OWNER_INITIAL;
        /* Of the 16 eps that rbv_state_row_rounding allows to sums of coordinates two are a difference of these. */
        double digit = between_points ? rbv_state_row_rounding(d->state, k) / 8 : 0;
        if (!(fabs(d->phi[k]) <= digit))
            return false;
        far = far || digit > RBV_ROUNDING * rbv_state_row_arm(d->state, k);
    }
    return far;
}

/* Descends with a first ridge mu [relative to the arm squared]: small if the solution is known to be near. */
static double descend_with(RbvDescent *d, double mu) {
    RbvState *state = d->state;
    int32_t size = d->system->coordinates.size;
    size_t positions = (size_t)d->system->coordinates.position_size * sizeof(double);
    if (!rbv_state_place(state))
        return NAN;
    double merit = scaled_residual(d);
    mu = rbv_max(mu, LEAST_RIDGE);
    int32_t stalled = 0;
    for (int step = 0; step < MOST_STEPS && merit > 0 && !is_last_digit(d) && !rbv_progress_stops(d->state->progress);
         step++) {
        scaled_jacobian(d);
        if (!factor(d, mu))
            return largest(d, false);
        rbv_ridge_step(d->ridge, d->phi, d->step);
        bool promising = mu < WIDE_RIDGE && foresees_less(d, merit);
        for (int32_t k = 0; k < size; k++)
            d->step[k] *= d->scale[k];
        limit_step(d);
        memcpy(d->q, state->q, positions);
        rbv_coordinates_step(&d->system->coordinates, state->q, d->step);
        bool finite = rbv_state_place(state);
        double next = finite ? scaled_residual(d) : INFINITY;
        if (next < merit) {
            follow_turns(d);
            stalled = next > 0.25 * merit ? stalled + 1 : 0;
            merit = next;
            mu = rbv_max(mu * 0.05, LEAST_RIDGE);
            /* Relative to the arm: error that is zero. */
            if (largest(d, true) < RBV_EXACT || (stalled >= 2 && is_near_enough(d, promising || mu > LEAST_RIDGE)))
                break;
            if (stalled > 40)
                break;
        } else {
            memcpy(state->q, d->q, positions);
            rbv_state_place(state);
            scaled_residual(d);
            if (is_near_enough(d, promising) || mu > 1e6)
                break;
            mu *= 20;
        }
    }
    return largest(d, false);
}

double rbv_descend(RbvDescent *d) {
    return descend_with(d, FIRST_RIDGE);
}

double rbv_descent_correct(RbvDescent *d, int most, double enough) {
    RbvState *state = d->state;
    if (!rbv_state_place(state))
        return NAN;
    scaled_residual(d);
    for (int step = 0; step < most && largest(d, false) > enough; step++) {
        scaled_jacobian(d);
        if (!factor(d, LEAST_RIDGE))
            return NAN;
        rbv_ridge_step(d->ridge, d->phi, d->step);
        for (int32_t k = 0; k < d->system->coordinates.size; k++)
            d->step[k] *= d->scale[k];
        limit_step(d);
        rbv_coordinates_step(&d->system->coordinates, state->q, d->step);
        if (!rbv_state_place(state))
            return NAN;
        scaled_residual(d);
    }
    return largest(d, false);
}

/* The error at the evaluated positions, as rbv_descend returns it. */
static double descent_error(RbvDescent *d) {
    scaled_residual(d);
    return largest(d, false);
}

bool rbv_descent_is_stationary(RbvDescent *d) {
    const RbvSystem *system = d->system;
    int32_t size = system->coordinates.size;
    double error = 0, entries = 0, slope = 0;
    scaled_jacobian(d);
    memset(d->step, 0, (size_t)size * sizeof *d->step);
    for (int32_t k = 0; k < d->rows; k++) {
        error += d->phi[k] * d->phi[k];
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            d->step[system->C.column[e]] += d->C[e] * d->phi[k];
            entries = rbv_max(entries, fabs(d->C[e]));
        }
    }
    for (int32_t k = 0; k < size; k++)
        slope += d->step[k] * d->step[k];
    return slope <= STATIONARY * STATIONARY * entries * entries * error;
}

/* Looks for a position with smaller gaps beside one that is within the tolerance of assembly.
 *
 * Gaps within the tolerance come from rounded lengths or from a false position: near a singular position rows are
 * quadratic along directions that are nearly free, so that gaps of e belong to positions off by sqrt(e), and a descent
 * may end in a valley between the branches where C^T Phi = 0 and Phi is not zero. Descents start again from positions
 * that far beside, and a position with much smaller gaps is taken. Rounded lengths leave the same gaps from every
 * start: then nothing changes. */

#define MOST_VALLEYS 24 /* valleys between branches are few; large mechanisms get fewer tries */
#define WORK 60000      /* limit of rows times tries */
#define EACH 6          /* tries before the distance is doubled */
/* Relative to the gaps: those on a branch are smaller than this; else the position is the same */
#define MUCH_NEARER 0.3

/* Moves the bodies of rows with gaps at random by up to `amount` times their arm; other bodies do not move. */
static void step_aside(RbvDescent *d, const double *phi, double amount, uint64_t *seed) {
    const RbvSystem *system = d->system;
    memset(d->step, 0, (size_t)system->coordinates.size * sizeof *d->step);
    for (int32_t k = 0; k < d->rows; k++) {
        double arm = rbv_state_row_arm(d->state, k);
        /* Relative to the arm, beyond rounding: gap of a closed row. */
        for (int32_t e = system->C.start[k]; fabs(phi[k]) > RBV_EXACT * arm && e < system->C.start[k + 1]; e++) {
            int32_t column = system->C.column[e];
            if (d->step[column] == 0)
                d->step[column] = amount * arm * d->scale[column] * rbv_unit_random(seed);
        }
    }
    rbv_coordinates_step(&system->coordinates, d->state->q, d->step);
}

typedef struct Place {
    double *q;
    RbvMeasureMemory *memory;
    size_t positions, measures; /* in bytes */
} Place;

static void keep_place(Place *place, const RbvState *state) {
    memcpy(place->q, state->q, place->positions);
    memcpy(place->memory, state->memory, place->measures);
}

static void bring_back(const Place *place, RbvState *state) {
    memcpy(state->q, place->q, place->positions);
    memcpy(state->memory, place->memory, place->measures);
}

static void search_beside(RbvDescent *d, double error, const double *phi, Place *place) {
    uint64_t seed = 0x9E3779B97F4A7C15u;
    double best = error;
    int32_t tries = WORK / (d->rows + 1) < MOST_VALLEYS ? WORK / (d->rows + 1) : MOST_VALLEYS;
    keep_place(place, d->state);
    for (int32_t n = 0;
         n < tries && best > RBV_EXACT && !d->state->no_memory && !rbv_progress_stopped(d->state->progress); n++) {
        bring_back(place, d->state);
        step_aside(d, phi, sqrt(error) * (1 << n / EACH), &seed);
        double next = descend_with(d, 0.1 * error);
        if (next < MUCH_NEARER * best) {
            best = next;
            keep_place(place, d->state);
        }
    }
    bring_back(place, d->state);
    rbv_state_place(d->state);
}

bool rbv_descend_beside(RbvDescent *d) {
    double error = descent_error(d);
    if (!(error > RBV_EXACT))
        return true;
    Place place = {.positions = (size_t)d->system->coordinates.position_size * sizeof(double),
                   .measures = (size_t)d->system->model->measures.count * sizeof *d->memory};
    RbvArena arena = {0};
    double *phi = rbv_arena_alloc(&arena, ((size_t)d->rows + 1) * sizeof *phi);
    place.q = rbv_arena_alloc(&arena, place.positions + 1), place.memory = rbv_arena_alloc(&arena, place.measures + 1);
    bool good = phi && place.q && place.memory;
    if (good) {
        memcpy(phi, d->phi, (size_t)d->rows * sizeof *phi);
        search_beside(d, error, phi, &place);
    }
    rbv_arena_clear(&arena);
    return good;
}
