/* Multipliers by the pseudo-inverse of D^T (Garcia de Jalon and Bayo, 6.103): for all rows, dependent ones too, and
 * also where rows are fewer than coordinates.
 *
 *   S D^T R^-1 y = S b,  lambda = R^-1 y,  b = Q - (m, J) a
 *                        S: torques over the arm of their part; R: scales rows of S D^T to unit length
 *   A = S D^T R^-1 = U Sigma V^T,  y = V Sigma^+ U^T S b      of least |A y - S b|, and of these of least |y|
 * part by part. With a prescribed motion and remaining freedoms, A y - S b is the residual force of this motion, and
 * where it acts is unknown: the error of a component c.lambda is bounded by the largest effect of a force of that
 * size. */
#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/solve/lapack.h"
#include "solution/reaction/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limit of the columns of one part, since singular values are computed at every sample: some 0.2 s. */
#define MOST_COLUMNS 400

/* One connected part of the system. */
typedef struct Part {
    int32_t columns, rows, rank;
    int32_t *column, *row; /* [columns], [rows] */
    double *norm;          /* [rows] norms R of scaled rows */
    double *U, *sigma, *V; /* [columns][small], [small], [small][rows] column-major; small = min(columns, rows) */
    double left;           /* |A y - S b| of the last solution */
} Part;

typedef struct Pseudo {
    RbvArena arena; /* memory of the arrays */
    const RbvSystem *system;
    RbvLapackWork work;
    Part *parts;    /* [part_count] */
    int32_t *place; /* [bodies.size], [rows] index in their part */
    int32_t *row_place;
    double *scale;     /* [bodies.size] scales S */
    double *A, *b, *y; /* [most columns][most rows], [bodies.size], [most] */
    double *kept;      /* [bodies.size] b of the last solution */
} Pseudo;

static void pseudo_destroy(void *data) {
    Pseudo *own = data;
    if (!own)
        return;
    rbv_lapack_work_destroy(&own->work);
    rbv_arena_clear(&own->arena);
    free(own);
}

static int32_t smaller(int32_t a, int32_t b) {
    return a < b ? a : b;
}

/* Finds the columns and rows of each part. False: no memory. */
static bool find_parts(Pseudo *own, int32_t *most_columns, int32_t *most_rows) {
    const RbvSystem *system = own->system;
    for (int32_t b = 1; b < system->bodies.count; b++)
        own->parts[system->part[b]].columns += rbv_bodies_columns(&system->bodies, b);
    for (int32_t k = 0; k < system->row_count; k++)
        if (system->row_part[k] >= 0)
            own->parts[system->row_part[k]].rows++;
    for (int32_t p = 0; p < system->part_count; p++) {
        Part *part = &own->parts[p];
        size_t columns = (size_t)part->columns + 1, rows = (size_t)part->rows + 1,
               small = (size_t)smaller(part->columns, part->rows) + 1;
        *most_columns = part->columns > *most_columns ? part->columns : *most_columns;
        *most_rows = part->rows > *most_rows ? part->rows : *most_rows;
        part->column = rbv_arena_array(&own->arena, columns, sizeof *part->column);
        part->row = rbv_arena_array(&own->arena, rows, sizeof *part->row);
        part->norm = rbv_arena_array(&own->arena, rows, sizeof *part->norm);
        part->U = rbv_arena_array(&own->arena, columns * small, sizeof *part->U);
        part->sigma = rbv_arena_array(&own->arena, small, sizeof *part->sigma);
        part->V = rbv_arena_array(&own->arena, small * rows, sizeof *part->V);
        if (!part->column || !part->row || !part->norm || !part->U || !part->sigma || !part->V)
            return false;
        part->columns = part->rows = 0;
    }
    for (int32_t b = 1; b < system->bodies.count; b++)
        for (int32_t c = system->bodies.start[b]; c < system->bodies.start[b + 1]; c++) {
            Part *part = &own->parts[system->part[b]];
            own->place[c] = part->columns;
            part->column[part->columns++] = c;
        }
    for (int32_t k = 0; k < system->row_count; k++)
        if (system->row_part[k] >= 0) {
            Part *part = &own->parts[system->row_part[k]];
            own->row_place[k] = part->rows;
            part->row[part->rows++] = k;
        }
    return true;
}

static void *pseudo_create(RbvMotion *motion, const RbvOptions *options) {
    (void)options;
    const RbvSystem *system = motion->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->row_count + 1;
    int32_t most_columns = 1, most_rows = 1;
    Pseudo *own = calloc(1, sizeof *own);
    if (!own)
        return NULL;
    own->system = system;
    own->parts = rbv_arena_array(&own->arena, (size_t)system->part_count + 1, sizeof *own->parts);
    own->place = rbv_arena_array(&own->arena, n, sizeof *own->place);
    own->row_place = rbv_arena_array(&own->arena, rows, sizeof *own->row_place);
    own->b = rbv_arena_array(&own->arena, n, sizeof *own->b);
    own->kept = rbv_arena_array(&own->arena, n, sizeof *own->kept);
    own->scale = rbv_arena_array(&own->arena, n, sizeof *own->scale);
    own->y = rbv_arena_array(&own->arena, n + rows, sizeof *own->y);
    bool good = own->parts && own->place && own->row_place && own->b && own->kept && own->y && own->scale &&
                find_parts(own, &most_columns, &most_rows);
    if (good) {
        own->A = rbv_arena_array(&own->arena, (size_t)most_columns * (size_t)most_rows, sizeof *own->A);
        good = own->A && rbv_lapack_work_create(&own->work, most_columns, most_rows);
    }
    if (good)
        return own;
    pseudo_destroy(own);
    return NULL;
}

/* A of a part, column by column: the scaled rows of D. */
static void fill_part(Pseudo *own, const RbvState *state, Part *part) {
    const RbvRowPattern *D = &own->system->D;
    memset(own->A, 0, (size_t)part->rows * (size_t)part->columns * sizeof *own->A);
    for (int32_t k = 0; k < part->rows; k++) {
        double *to = own->A + (size_t)k * (size_t)part->columns, sum = 0;
        int32_t row = part->row[k];
        for (int32_t e = D->start[row]; rbv_state_holds(state, row) && e < D->start[row + 1]; e++)
            to[own->place[D->column[e]]] += own->scale[D->column[e]] * state->D[e];
        for (int32_t j = 0; j < part->columns; j++)
            sum += to[j] * to[j];
        part->norm[k] = sum > 0 ? sqrt(sum) : 1;
        for (int32_t j = 0; j < part->columns; j++)
            to[j] /= part->norm[k];
    }
}

/* Rank of each part: sum of the ranks of its blocks as last decided. */
static void find_ranks(Pseudo *own, const RbvSolvability *s) {
    for (int32_t p = 0; p < own->system->part_count; p++)
        own->parts[p].rank = 0;
    for (int32_t k = 0; k < s->blocks.block_count; k++) {
        int32_t part = s->blocks.blocks[k].row_count > 0 ? own->system->row_part[s->blocks.blocks[k].rows[0]] : -1;
        if (part >= 0)
            own->parts[part].rank += s->ranks[k].determined.rank.rank;
    }
}

static RbvStatus pseudo_prepare(void *data, RbvMotion *motion) {
    Pseudo *own = data;
    const RbvBodyColumns *bodies = &own->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t c = bodies->start[b]; c < bodies->start[b + 1]; c++)
            own->scale[c] = rbv_bodies_is_rotation(bodies, b, c) ? 1 / rbv_state_body_arm(motion->state, b) : 1;
    find_ranks(own, motion->solvability);
    for (int32_t p = 0; p < own->system->part_count; p++) {
        Part *part = &own->parts[p];
        part->left = 0;
        if (part->rows == 0)
            continue;
        fill_part(own, motion->state, part);
        RbvStatus status =
            rbv_lapack_svd_in(&own->work, 'S', part->columns, part->rows, own->A, part->sigma, part->U, part->V);
        if (status != RBV_OK)
            return status == RBV_NO_MEMORY ? status : RBV_LOCKED;
        part->rank = smaller(part->rank, smaller(part->columns, part->rows));
    }
    return RBV_OK;
}

/* Multipliers of a part; part->left becomes the norm of the residual of S b. */
static void solve_part(Pseudo *own, Part *part, double *lambda) {
    double *b = own->b, *y = own->y, sum = 0;
    size_t small = (size_t)smaller(part->columns, part->rows);
    for (int32_t j = 0; j < part->columns; j++)
        b[j] = own->scale[part->column[j]] * own->kept[part->column[j]];
    memset(y, 0, (size_t)part->rows * sizeof *y);
    for (int32_t i = 0; i < part->rank; i++) {
        const double *u = part->U + (size_t)i * (size_t)part->columns;
        double along = 0;
        for (int32_t j = 0; j < part->columns; j++)
            along += u[j] * b[j];
        for (int32_t j = 0; j < part->columns; j++)
            b[j] -= along * u[j];
        for (int32_t k = 0; k < part->rows; k++)
            y[k] += along / part->sigma[i] * part->V[(size_t)k * small + (size_t)i];
    }
    for (int32_t j = 0; j < part->columns; j++)
        sum += b[j] * b[j];
    part->left = sqrt(sum);
    for (int32_t k = 0; k < part->rows; k++)
        lambda[part->row[k]] = y[k] / part->norm[k];
}

static RbvStatus pseudo_solve(void *data, RbvMotion *motion, double *Q, double *lambda) {
    Pseudo *own = data;
    rbv_state_body_inertia(motion->state, motion->state->accelerations, own->kept);
    for (int32_t j = 0; j < own->system->bodies.size; j++)
        own->kept[j] = Q[j] - own->kept[j];
    memset(lambda, 0, (size_t)own->system->row_count * sizeof *lambda);
    for (int32_t p = 0; p < own->system->part_count; p++)
        solve_part(own, &own->parts[p], lambda);
    for (int32_t k = 0; k < own->system->row_count; k++)
        if (!isfinite(lambda[k]))
            return RBV_LOCKED;
    return RBV_OK;
}

static const double *surplus(const void *data) {
    return ((const Pseudo *)data)->kept;
}

/* |c A^+| times the norm of the residual; c on rows first ... first + count - 1 of one element. */
static double pseudo_doubt(const void *data, int32_t first, int32_t count, const double *c) {
    const Pseudo *own = data;
    int32_t p = count > 0 ? own->system->row_part[first] : -1;
    if (p < 0)
        return 0;
    const Part *part = &own->parts[p];
    size_t small = (size_t)smaller(part->columns, part->rows);
    double sum = 0;
    for (int32_t i = 0; i < part->rank; i++) {
        double along = 0;
        for (int32_t k = 0; k < count; k++) {
            int32_t place = own->row_place[first + k];
            along += c[k] / part->norm[place] * part->V[(size_t)place * small + (size_t)i];
        }
        sum += along * along / (part->sigma[i] * part->sigma[i]);
    }
    return part->left * sqrt(sum);
}

static RbvStatus pseudo_admits(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    int32_t most = 0;
    for (int32_t p = 0; p < system->part_count; p++) {
        int32_t columns = 0;
        for (int32_t b = 1; b < system->bodies.count; b++)
            columns += system->part[b] == p ? rbv_bodies_columns(&system->bodies, b) : 0;
        most = columns > most ? columns : most;
    }
    if (most <= MOST_COLUMNS)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                 RBV_OPTION_INVERSE_METHOD " pseudo-inverse finds the singular values of all that hangs together at "
                                           "every sample: %d coordinates do here, and it goes up to %d",
                 (int)most, MOST_COLUMNS);
    return RBV_BAD_INPUT;
}

const RbvMethodKind rbv_pseudo_inverse_method = {.name = "pseudo-inverse",
                                                 .admits = pseudo_admits,
                                                 .create = pseudo_create,
                                                 .destroy = pseudo_destroy,
                                                 .prepare = pseudo_prepare,
                                                 .solve = pseudo_solve,
                                                 .surplus = surplus,
                                                 .doubt = pseudo_doubt};
