/* Two theorems, tested with null spaces at positions of a state: Frobenius' on rows on rates that are integrable, and
 * that of Lagrange multipliers, which exist where loads do no work on free motions. */
#include "solution/solvability/theorems.h"

#include "core/base/arena.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/solve/rank.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frobenius' theorem: the motions that the rows A(q) leave free, null(A), lie in surfaces of fewer coordinates if
 * and only if with any two of them their bracket is free as well,
 *
 *   B_k(u, v) = (D_u A_k) v - (D_v A_k) u - A_k [u, v] = 0   for all rows k, all u, v of null(A),
 * at all positions. In ground axes body twists have [u, v] = -(0, w_u x w_v), so that the last term adds torque .
 * (w_u x w_v). D_u A is computed by central differences along u. Rows of positions are differentials, and their B
 * vanishes: what differences leave of it is the noise. The rank of B over pairs of free motions is the number of
 * independent combinations of rows that are not integrable by first brackets; the remaining ones may still be so
 * together with these (further brackets), so the number is a lower bound unless no row remains. */

#define STATES 4
#define TRIES 12
/* Larger systems are not tested, since null spaces and pairs are dense. */
#define MOST_COLUMNS 240
#define MOST_FREE 30
/* Step of the differences, relative to the size. A B below RBV_FITS, in units of a row over the size, is 0, and so
 * is one below NOISE times the largest B of a row of positions. */
#define STEP 1e-5
#define NOISE 100.0
/* Range of the search for other positions: rotations [rad], translations relative to the size. */
#define TURN 0.6
#define MOVE 0.3

typedef struct Test {
    RbvArena arena; /* memory of the arrays but for `scale` */
    const RbvSystem *system;
    RbvState *state;
    int32_t n, rows, free;
    double size;    /* [m] size of the largest part */
    int32_t *row;   /* [rows] rows tested */
    double *scale;  /* [n] scales of the columns */
    double *A;      /* [n][rows] scaled rows, transposed, columns of unit length */
    double *norm;   /* [rows] norms of scaled rows */
    double *null;   /* [n][n] null space */
    double *motion; /* [free][n] free motions of unit length, not scaled */
    double *change; /* [free][entries of D] D_u of all rows */
    double *B;      /* [rows][pairs] brackets */
    double *step;   /* [n] */
    double *q;      /* [position_size] saved positions */
    double noise;   /* largest B of a row of positions */
    int32_t rank, rank_of_positions;
} Test;

/* Reason why the rows on rates cannot be tested, or NULL. */
static const char *obstacle(const RbvSystem *system, int32_t rows) {
    if (rows > MOST_COLUMNS || system->bodies.size > MOST_COLUMNS)
        return "the system is too large";
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->on_rates && row->equation && !rbv_expr_is_affine(row->equation, row->variables->rate))
            return "a row on rates is not linear in them";
    }
    return NULL;
}

/* Is row k a drive, or a row on rates that prescribes a rate or depends on time? These are not tested. */
static bool leads(const RbvState *at, int32_t k) {
    const RbvRow *row = &at->system->rows[k];
    int32_t count = row->on_rates && row->equation ? rbv_expr_variable_count(row->equation) : 0;
    bool led = row->owner == RBV_OWNER_DRIVE || (row->on_rates && fabs(at->nu[k]) > 0);
    for (int32_t v = 0; v < count; v++)
        led = led || row->variables->term[v] < 0;
    return led;
}

static bool create_test(Test *t, const RbvState *start) {
    const RbvSystem *system = start->system;
    *t = (Test){.system = system, .n = system->bodies.size};
    size_t n = (size_t)t->n + 1, rows = (size_t)system->row_count + 1, pairs = MOST_FREE * (MOST_FREE - 1) / 2;
    t->state = rbv_state_create(system);
    t->row = rbv_arena_array(&t->arena, rows, sizeof *t->row);
    t->scale = rbv_state_column_scales(start);
    t->A = rbv_arena_array(&t->arena, n * rows, sizeof(double));
    t->norm = rbv_arena_array(&t->arena, rows, sizeof(double));
    t->null = rbv_arena_array(&t->arena, n * n, sizeof(double));
    t->motion = rbv_arena_array(&t->arena, MOST_FREE * n, sizeof(double));
    t->change =
        rbv_arena_array(&t->arena, MOST_FREE * ((size_t)system->D.start[system->row_count] + 1), sizeof(double));
    t->B = rbv_arena_array(&t->arena, rows * pairs, sizeof(double));
    t->step = rbv_arena_array(&t->arena, n, sizeof(double));
    t->q = rbv_arena_array(&t->arena, (size_t)system->coordinates.position_size + 1, sizeof(double));
    for (int32_t b = 1; b < system->bodies.count; b++)
        t->size = rbv_max(t->size, rbv_state_body_size(start, b));
    return t->state && t->row && t->scale && t->A && t->norm && t->null && t->motion && t->change && t->B && t->step &&
           t->q;
}

static void destroy_test(Test *t) {
    rbv_state_destroy(t->state);
    free(t->scale);
    rbv_arena_clear(&t->arena);
}

static bool place(Test *t) {
    memset(t->state->v, 0, (size_t)t->system->coordinates.size * sizeof *t->state->v);
    if (!rbv_state_place(t->state))
        return false;
    rbv_state_jacobian(t->state);
    return true;
}

/* Rank of the rows, or with `positions` of those of positions; the null space into `null` unless NULL. NO_MEMORY. */
static RbvStatus rank_of(Test *t, bool positions, double *null, RbvRank *rank) {
    const RbvRowPattern *D = &t->system->D;
    memset(t->A, 0, (size_t)t->n * (size_t)t->rows * sizeof *t->A);
    for (int32_t k = 0; k < t->rows; k++) {
        double square = 0;
        for (int32_t e = D->start[t->row[k]]; e < D->start[t->row[k] + 1]; e++)
            square += pow(t->state->D[e] * t->scale[D->column[e]], 2);
        t->norm[k] = square > 0 && isfinite(square) ? sqrt(square) : 1;
        for (int32_t e = D->start[t->row[k]];
             e < D->start[t->row[k] + 1] && !(positions && t->system->rows[t->row[k]].on_rates); e++)
            t->A[(size_t)D->column[e] * (size_t)t->rows + (size_t)k] +=
                t->state->D[e] * t->scale[D->column[e]] / t->norm[k];
    }
    return rbv_rank_svd(t->n, t->rows, t->A, rank, null);
}

/* Free motions of unit length; D_u of all rows along them. False: a nearby position has no gradient. */
static bool differentiate(Test *t, const RbvRank *rank) {
    const RbvSystem *system = t->system;
    int32_t columns = t->n - rank->certain, entries = system->D.start[system->row_count];
    double h = STEP * t->size;
    memcpy(t->q, t->state->q, (size_t)system->coordinates.position_size * sizeof *t->q);
    for (int32_t i = 0; i < t->free; i++) {
        double *u = t->motion + (size_t)i * (size_t)t->n, *change = t->change + (size_t)i * (size_t)entries;
        for (int32_t j = 0; j < t->n; j++)
            u[j] = t->null[(size_t)j * (size_t)columns + (size_t)(columns - t->free + i)] * t->scale[j];
        for (int side = -1; side <= 1; side += 2) {
            for (int32_t j = 0; j < t->n; j++)
                t->step[j] = side * h * u[j];
            memcpy(t->state->q, t->q, (size_t)system->coordinates.position_size * sizeof *t->q);
            rbv_coordinates_step(&system->coordinates, t->state->q, t->step);
            if (!place(t))
                return false;
            for (int32_t e = 0; e < entries; e++)
                change[e] = side < 0 ? t->state->D[e] : (t->state->D[e] - change[e]) / (2 * h);
        }
    }
    memcpy(t->state->q, t->q, (size_t)system->coordinates.position_size * sizeof *t->q);
    return place(t);
}

/* torque . (w_u x w_v) over the bodies of row k. */
static double turning(const Test *t, int32_t k, const double *u, const double *v) {
    const RbvBodyColumns *bodies = &t->system->bodies;
    const RbvRowPattern *D = &t->system->D;
    double sum = 0;
    for (int32_t b = 1; bodies->spatial && b < bodies->count; b++) {
        RbvVec3 turn = rbv_cross(rbv_bodies_twist(bodies, b, u).w, rbv_bodies_twist(bodies, b, v).w);
        const double by[3] = {turn.x, turn.y, turn.z};
        for (int32_t e = D->start[k]; e < D->start[k + 1]; e++) {
            int32_t c = D->column[e] - bodies->start[b];
            if (c >= 3 && c < rbv_bodies_columns(bodies, b))
                sum += t->state->D[e] * by[c - 3];
        }
    }
    return sum;
}

/* B of all rows and pairs, in units of the row over the size. Returns the number of pairs. */
static int32_t find_brackets(Test *t) {
    const RbvRowPattern *D = &t->system->D;
    int32_t pairs = t->free * (t->free - 1) / 2, entries = D->start[t->system->row_count];
    t->noise = 0;
    for (int32_t k = 0; k < t->rows; k++) {
        int32_t row = t->row[k], at = 0;
        for (int32_t i = 0; i < t->free; i++)
            for (int32_t j = i + 1; j < t->free; j++) {
                const double *u = t->motion + (size_t)i * (size_t)t->n, *v = t->motion + (size_t)j * (size_t)t->n;
                double sum = turning(t, row, u, v);
                for (int32_t e = D->start[row]; e < D->start[row + 1]; e++)
                    sum += t->change[(size_t)i * (size_t)entries + (size_t)e] * v[D->column[e]] -
                           t->change[(size_t)j * (size_t)entries + (size_t)e] * u[D->column[e]];
                t->B[(size_t)k * (size_t)pairs + (size_t)at++] = sum * t->size / t->norm[k];
                if (!t->system->rows[row].on_rates)
                    t->noise = rbv_max(t->noise, fabs(sum) * t->size / t->norm[k]);
            }
    }
    return pairs;
}

/* The rank of B by elimination with full pivoting. */
static int32_t rank_of_brackets(Test *t, int32_t pairs) {
    double least = rbv_max(RBV_FITS, NOISE * t->noise);
    for (int32_t rank = 0; rank < t->rows && rank < pairs; rank++) {
        int32_t row = rank, column = rank;
        for (int32_t k = rank; k < t->rows; k++)
            for (int32_t p = rank; p < pairs; p++)
                if (fabs(t->B[k * pairs + p]) > fabs(t->B[row * pairs + column]))
                    row = k, column = p;
        if (!(fabs(t->B[row * pairs + column]) > least))
            return rank;
        for (int32_t p = 0; p < pairs; p++) {
            double swap = t->B[rank * pairs + p];
            t->B[rank * pairs + p] = t->B[row * pairs + p];
            t->B[row * pairs + p] = swap;
        }
        for (int32_t k = 0; k < t->rows; k++) {
            double swap = t->B[k * pairs + rank];
            t->B[k * pairs + rank] = t->B[k * pairs + column];
            t->B[k * pairs + column] = swap;
        }
        for (int32_t k = rank + 1; k < t->rows; k++) {
            double factor = t->B[k * pairs + rank] / t->B[rank * pairs + rank];
            for (int32_t p = rank; p < pairs; p++)
                t->B[k * pairs + p] -= factor * t->B[rank * pairs + p];
        }
    }
    return t->rows < pairs ? t->rows : pairs;
}

/* Tests at the positions of the state; enlarges the numbers in `to`. */
static RbvStatus test_here(Test *t, RbvIntegrability *to) {
    RbvRank rank, positions;
    if (!place(t) || !rbv_state_rates(t->state))
        return RBV_OK;
    for (int32_t k = 0; k < t->rows; k++)
        if (t->system->rows[t->row[k]].on_rates && fabs(t->state->nu[t->row[k]]) > 0)
            to->untested = "a row on rates prescribes one on the way";
    RbvStatus status = rank_of(t, true, NULL, &positions);
    if (status == RBV_OK)
        status = rank_of(t, false, t->null, &rank);
    if (status != RBV_OK || to->untested)
        return status;
    t->free = t->n - rank.rank;
    if (t->free > MOST_FREE)
        to->untested = "the system is too large";
    if (to->untested || !rank.safe || !positions.safe || !differentiate(t, &rank))
        return RBV_OK;
    int32_t independent = rank.rank - positions.rank, count = rank_of_brackets(t, find_brackets(t));
    to->states++;
    to->independent = independent > to->independent ? independent : to->independent;
    to->nonholonomic = count > to->nonholonomic ? count : to->nonholonomic;
    return RBV_OK;
}

/* Positions of the start, and the rows that are tested. */
static void choose_rows(Test *t, const RbvState *start, RbvIntegrability *to) {
    const RbvSystem *system = t->system;
    int32_t rates = 0;
    t->state->t = start->t;
    memcpy(t->state->q, start->q, (size_t)system->coordinates.position_size * sizeof *t->q);
    memcpy(t->state->memory, start->memory, (size_t)system->model->measures.count * sizeof *start->memory);
    bool placed = place(t) && rbv_state_rates(t->state);
    for (int32_t k = 0; placed && k < system->row_count; k++) {
        if (!leads(t->state, k)) {
            t->row[t->rows++] = k;
            rates += system->rows[k].on_rates;
        }
    }
    to->left_out = to->rows - rates;
    if (!placed || rates == 0)
        to->untested = placed ? "they prescribe rates" : "it has no gradient at the start";
}

/* Goes to the next positions: first the start, then random ones near it, at times spread over the motion. */
static RbvStatus go_on(Test *t, const RbvState *start, int32_t count, uint64_t *seed) {
    const RbvModel *model = t->system->model;
    RbvAssembly assembly = {.driven = true};
    double time = start->t + (model->has_motion ? (model->to - model->from) * count / TRIES : 0);
    if (count > 0) {
        rbv_shake(t->state, start->q, TURN, MOVE, seed, t->step);
        return rbv_assemble_position(t->state, time, NULL, &assembly);
    }
    return RBV_OK; /* the state is at the start already */
}

RbvStatus rbv_frobenius(const RbvState *start, RbvIntegrability *to) {
    const RbvSystem *system = start->system;
    *to = (RbvIntegrability){.rows = system->rate_count};
    to->untested = obstacle(system, system->row_count);
    if (system->rate_count == 0 || to->untested)
        return RBV_OK;
    Test t;
    RbvStatus status = create_test(&t, start) ? RBV_OK : RBV_NO_MEMORY;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    if (status == RBV_OK) {
        t.state->progress = start->progress;
        choose_rows(&t, start, to);
    }
    for (int32_t count = 0; status == RBV_OK && count < TRIES && to->states < STATES && !to->untested; count++) {
        RbvStatus placed = go_on(&t, start, count, &seed);
        if (placed == RBV_OK)
            status = test_here(&t, to);
        else if (placed == RBV_NO_MEMORY || placed == RBV_INTERRUPTED)
            status = placed;
    }
    if (status == RBV_OK && t.state->no_memory)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && to->states == 0 && !to->untested)
        to->untested = "no state was found at which the rank is safe";
    destroy_test(&t);
    return status;
}

/* The theorem of Lagrange multipliers: D^T lambda = Q has a solution if and only if Q does no work on any motion
 * that the rows leave free,
 *
 *   Q x = 0 for all x with D x = 0.
 * The residual is the part of Q in null(D) relative to Q, both as forces (torques over the arm of the body): the
 * part that no multipliers can balance. */

/* Largest number of columns and rows, since null spaces are dense. */
#define MOST 400

/* out[n][rows]: D^T, scaled, columns of unit length. */
static void fill_transposed(const RbvState *state, const double *scale, double *out) {
    const RbvSystem *system = state->system;
    const RbvRowPattern *D = &system->D;
    size_t rows = (size_t)system->row_count;
    memset(out, 0, (size_t)system->bodies.size * rows * sizeof *out);
    for (int32_t k = 0; k < system->row_count; k++) {
        double square = 0;
        for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
            square += pow(state->D[e] * scale[D->column[e]], 2);
        for (int32_t e = D->start[k]; e < D->start[k + 1] && square > 0; e++)
            out[(size_t)D->column[e] * rows + (size_t)k] += state->D[e] * scale[D->column[e]] / sqrt(square);
    }
}

/* |Z^T Q| / |Q| for the columns Z of the null space. */
static double free_part(int32_t n, const RbvRank *rank, const double *null, const double *Q, const double *scale) {
    int32_t columns = n - rank->certain, open = n - rank->rank;
    double whole = 0, left = 0;
    for (int32_t j = 0; j < n; j++)
        whole += pow(Q[j] * scale[j], 2);
    for (int32_t i = columns - open; i < columns; i++) {
        double sum = 0;
        for (int32_t j = 0; j < n; j++)
            sum += null[(size_t)j * (size_t)columns + (size_t)i] * Q[j] * scale[j];
        left += sum * sum;
    }
    return whole > 0 ? sqrt(left / whole) : 0;
}

static RbvStatus test_at_rest(RbvState *state, const double *scale, double *A, double *null, double *Q,
                              RbvMultiplierTheorem *to) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    RbvRank rank;
    if (!rbv_state_place(state) || !rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return RBV_OK;
    rbv_state_jacobian(state);
    fill_transposed(state, scale, A);
    RbvStatus status = rbv_rank_svd(bodies->size, state->system->row_count, A, &rank, null);
    if (status != RBV_OK || !rank.safe)
        return status;
    memset(Q, 0, (size_t)bodies->size * sizeof *Q);
    for (int32_t b = 1; b < bodies->count; b++)
        rbv_bodies_add(bodies, b, 1, &state->wrenches[b], Q + bodies->start[b]);
    to->residual = free_part(bodies->size, &rank, null, Q, scale);
    to->tested = isfinite(to->residual);
    /* Residual below which multipliers exist: rounding of a null space and of loads. At a position of rest known to
     * eight digits the loads do about this much work on the free motion. */
    to->exist = to->residual <= RBV_ROOT_EPS;
    return RBV_OK;
}

RbvStatus rbv_multiplier_theorem(const RbvState *at, RbvMultiplierTheorem *to) {
    const RbvSystem *system = at->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->row_count + 1;
    *to = (RbvMultiplierTheorem){.residual = NAN};
    if (n > MOST || rows > MOST)
        return RBV_OK;
    RbvState *state = rbv_state_create(system);
    double *scale = rbv_state_column_scales(at), *A = malloc((n * rows + n * n + n) * sizeof *A);
    RbvStatus status = state && scale && A ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        state->t = at->t;
        memcpy(state->q, at->q, (size_t)system->coordinates.position_size * sizeof *state->q);
        memcpy(state->memory, at->memory, (size_t)system->model->measures.count * sizeof *at->memory);
        rbv_state_place(state);
        rbv_state_measure_sizes(state);
        status = test_at_rest(state, scale, A, A + n * rows, A + n * rows + n * n, to);
    }
    rbv_state_destroy(state);
    free(scale);
    free(A);
    return status;
}
