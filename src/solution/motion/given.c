/* A prescribed motion, given sample by sample, measured or computed elsewhere: positions r, twists u and accelerations
 * b of bodies are corrected to satisfy joints and constraints by the least change, with turns of bodies measured at the
 * arm of their part,
 *
 *   dr = -D^+ Phi,  u := u - D^+ (D u - nu),  b := b - D^+ (D b - gamma_D)
 *
 * with the rows of joints and constraints: residuals Phi, Jacobian D over twists, right-hand sides nu and gamma_D. D^+
 * is the pseudo-inverse, by least squares with a small ridge. Positions are corrected until Phi = 0, then u and
 * b at the corrected position, then ranks are decided. Nothing is predicted from the sample before. Targets of drives
 * are ignored: drives carry the resulting efforts. Where v is not the body twists the correction is made in the
 * absolute system (solution/assembly/absolute_state.h), so that it does not depend on coordinates.
 */
#include "core/base/extremes.h"
#include "solution/motion/motion.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "core/solve/least_squares.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ridge for rows of unit length; each pass leaves this over sigma^2 of the residual. */
#define RIDGE 1e-12
#define MOST_FIT_STEPS 40
/* Positions are corrected until the residual, a share of the size, is below RBV_EXACT (rounding), or below RBV_SAME
 * without shrinking any more. RBV_BALANCED: allowed residual of velocities and accelerations, as a part of the largest.
 * MOST_PASSES: corrections of velocities, and of accelerations, at one position. */
#define MOST_PASSES 4

struct RbvPrescribedRows {
    RbvArena arena; /* of all arrays but scale */
    RbvState *fit;  /* the motion's own state, or `absolute`, a state of the absolute system */
    RbvState *absolute;
    RbvRidge *ridge;
    double *C, *norm;      /* [entries], [rows]: D in scaled columns with rows of unit length, zero where a row does not
                              hold; lengths of the rows before, infinite for rows of zeros */
    double *scale;         /* [bodies.size] scales of columns: 1/arm [rad/m] for rotations, 1 for translations */
    double *residual, *x;  /* [rows] residuals over norm; [bodies.size] correction, rotations times arm */
    double *rate, *second; /* [bodies.size] twists u and accelerations b of bodies, being corrected */
    RbvTwist *twists;      /* [bodies] scratch */
};

/* Rows that the given motion must satisfy: those of joints and constraints, not of drives. */
static int32_t row_count(const RbvMotion *motion) {
    return motion->system->undriven_count;
}

void rbv_prescribed_rows_destroy(RbvPrescribedRows *rows) {
    if (!rows)
        return;
    rbv_ridge_destroy(rows->ridge);
    rbv_state_destroy(rows->absolute);
    free(rows->scale);
    rbv_arena_clear(&rows->arena);
    free(rows);
}

static RbvPrescribedRows *create_rows(const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    size_t rows = (size_t)row_count(motion) + 1, n = (size_t)system->bodies.size + 1;
    RbvPrescribedRows *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->absolute = system->absolute ? rbv_state_create(system->absolute) : NULL;
    r->fit = system->absolute ? r->absolute : motion->state;
    r->ridge = rbv_ridge_create(row_count(motion), system->bodies.size, system->D.start, system->D.column);
    r->C = rbv_arena_alloc(&r->arena, ((size_t)system->D.start[row_count(motion)] + 1) * sizeof *r->C);
    r->norm = rbv_arena_alloc(&r->arena, rows * sizeof *r->norm);
    r->residual = rbv_arena_alloc(&r->arena, rows * sizeof *r->residual);
    r->x = rbv_arena_alloc(&r->arena, n * sizeof *r->x);
    r->rate = rbv_arena_alloc(&r->arena, n * sizeof *r->rate);
    r->second = rbv_arena_alloc(&r->arena, n * sizeof *r->second);
    r->twists = rbv_arena_array(&r->arena, (size_t)system->bodies.count, sizeof *r->twists);
    if (r->fit && r->ridge && r->C && r->norm && r->residual && r->x && r->rate && r->second && r->twists)
        return r;
    rbv_prescribed_rows_destroy(r);
    return NULL;
}

RbvStatus rbv_motion_create_given(const RbvSystem *system, RbvProgress *progress, RbvDiagnostics *diagnostics,
                                  RbvMotion **out) {
    RbvMotion *motion = *out = calloc(1, sizeof *motion);
    if (!motion)
        return RBV_NO_MEMORY;
    motion->system = system;
    motion->diagnostics = diagnostics;
    motion->prescribed = true;
    motion->amplification = 1;
    motion->D = system->coordinates.of_bodies ? &motion->C : &motion->of_bodies;
    motion->C.rows = &system->C;
    motion->D->rows = &system->D;
    motion->state = rbv_state_create(system);
    motion->solvability =
        motion->state ? rbv_solvability_create_of(system, motion->state->active, RBV_CRITERION_DEFAULT, true) : NULL;
    motion->rows_given = motion->solvability ? create_rows(motion) : NULL;
    if (!motion->rows_given)
        return RBV_NO_MEMORY;
    motion->state->progress = progress;
    return RBV_OK;
}

RbvState *rbv_motion_given_state(const RbvMotion *motion) {
    return motion->rows_given->fit;
}

/* Factor D of the evaluated position in scaled columns, rows of unit length; `positions`: without the rows on rates. */
static bool factor_prescribed(RbvMotion *motion, bool positions) {
    RbvPrescribedRows *rows = motion->rows_given;
    const RbvState *state = rows->fit;
    const RbvRowPattern *D = &motion->system->D;
    for (int32_t k = 0; k < row_count(motion); k++) {
        bool holds = rbv_state_holds(state, k) && !(positions && motion->system->rows[k].on_rates);
        double sum = 0;
        for (int32_t e = D->start[k]; e < D->start[k + 1]; e++) {
            rows->C[e] = holds ? state->D[e] * rows->scale[D->column[e]] : 0;
            sum += rows->C[e] * rows->C[e];
        }
        rows->norm[k] = sum > 0 ? sqrt(sum) : INFINITY;
        for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
            rows->C[e] /= rows->norm[k];
    }
    return rbv_ridge_factor(rows->ridge, rows->C, RIDGE, &rows->fit->no_memory);
}

static double largest_entry(const double *x, int32_t n) {
    double most = 0;
    for (int32_t k = 0; k < n; k++)
        most = isnan(x[k]) ? NAN : rbv_max(most, fabs(x[k]));
    return most;
}

/* The largest rows->residual [m], over the size of its part. */
static double largest_gap(const RbvMotion *motion) {
    const RbvPrescribedRows *rows = motion->rows_given;
    double most = 0;
    for (int32_t k = 0; k < row_count(motion); k++) {
        double part = fabs(rows->residual[k]) / rbv_state_row_size(rows->fit, k);
        most = isnan(part) ? NAN : rbv_max(most, part);
    }
    return most;
}

/* Correct the position to the nearest one that satisfies the rows; adds the largest correction [m] of each step to
 * *moved. */
static RbvStatus correct_place(RbvMotion *motion, double *moved) {
    RbvPrescribedRows *rows = motion->rows_given;
    RbvState *state = rows->fit;
    int32_t n = motion->system->bodies.size;
    double last = INFINITY;
    for (int step = 0; step < MOST_FIT_STEPS; step++) {
        if (!rbv_state_place(state))
            return RBV_NOT_FINITE;
        rbv_state_jacobian(state);
        if (!factor_prescribed(motion, true))
            return state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
        for (int32_t k = 0; k < row_count(motion); k++)
            rows->residual[k] = state->phi[k] / rows->norm[k];
        double size = largest_gap(motion);
        if (isnan(size))
            return RBV_NOT_FINITE;
        if (size <= RBV_EXACT || (size <= RBV_SAME && size > 0.5 * last))
            return RBV_OK;
        rbv_ridge_step(rows->ridge, rows->residual, rows->x);
        *moved += largest_entry(rows->x, n);
        for (int32_t j = 0; j < n; j++)
            rows->x[j] *= rows->scale[j];
        rbv_coordinates_step(&state->system->coordinates, state->q, rows->x);
        last = size;
    }
    return RBV_NOT_ASSEMBLED;
}

/* Correct x[bodies.size] to the nearest one with D x = requested[rows], with the factors of factor_prescribed; adds the
 * largest correction of each pass to *moved. False: not finite, or no x satisfies the rows. */
static bool correct_vector(RbvMotion *motion, const double *requested, double *x, double *moved) {
    RbvPrescribedRows *rows = motion->rows_given;
    const RbvState *state = rows->fit;
    const RbvRowPattern *D = &motion->system->D;
    int32_t n = motion->system->bodies.size;
    for (int pass = 0;; pass++) {
        double size = 0;
        for (int32_t j = 0; j < n; j++)
            size = rbv_max(size, fabs(x[j]) / rows->scale[j]);
        for (int32_t k = 0; k < row_count(motion); k++) {
            double sum = -requested[k], parts = fabs(requested[k]);
            for (int32_t e = D->start[k]; e < D->start[k + 1]; e++) {
                sum += state->D[e] * x[D->column[e]];
                parts += fabs(state->D[e] * x[D->column[e]]);
            }
            rows->residual[k] = sum / rows->norm[k];
            size = rbv_max(size, parts / rows->norm[k]);
        }
        if (pass == MOST_PASSES)
            return largest_entry(rows->residual, row_count(motion)) <= RBV_BALANCED * size;
        rbv_ridge_step(rows->ridge, rows->residual, rows->x);
        *moved += largest_entry(rows->x, n);
        for (int32_t j = 0; j < n; j++)
            x[j] += rows->scale[j] * rows->x[j];
    }
}

/* Accelerations are stored per body: bodies that share points have dependent ones, and in v' only the user's own
 * coordinates are exact. */
void rbv_motion_accelerate_given(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    RbvPrescribedRows *rows = motion->rows_given;
    RbvState *state = motion->state;
    for (int32_t b = 1; b < system->bodies.count; b++)
        rows->twists[b] = rbv_bodies_twist(&system->bodies, b, rows->second);
    if (system->coordinates.of_bodies)
        memcpy(state->a, rows->second, (size_t)system->bodies.size * sizeof *state->a);
    else
        system->coordinates.kind->take_rates(&system->coordinates, rbv_state_at(state), rows->twists, state->a);
    memcpy(state->accelerations, rows->twists, (size_t)system->bodies.count * sizeof *state->accelerations);
}

/* Velocities and accelerations at the corrected position. With equations on rates D and nu depend on the velocities:
 * several passes. */
static RbvStatus correct_rates(RbvMotion *motion, RbvMotionFit *fit) {
    RbvPrescribedRows *rows = motion->rows_given;
    RbvState *state = rows->fit;
    bool fits = true;
    for (int pass = 0; pass < (motion->system->rate_equations ? MOST_PASSES : 1); pass++) {
        if (!rbv_state_place(state))
            return RBV_NOT_FINITE;
        rbv_state_jacobian(state);
        if (!rbv_state_rates(state) || !factor_prescribed(motion, false))
            return state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
        fits = correct_vector(motion, state->nu, rows->rate, &fit->rate);
        memcpy(state->v, rows->rate, (size_t)motion->system->bodies.size * sizeof *state->v);
    }
    if (!rbv_state_rates(state) || !rbv_state_move(state))
        return RBV_NOT_FINITE;
    fits = correct_vector(motion, state->gamma_D, rows->second, &fit->acceleration) && fits;
    return fits ? RBV_OK : RBV_INCONSISTENT;
}

static RbvStatus report_misfit(const RbvMotion *motion, RbvStatus status) {
    const char *file = motion->system->model->file;
    char text[400];
    const RbvState *state = motion->rows_given->fit;
    double t = state->t;
    if (status == RBV_NOT_FINITE) {
        rbv_state_explain(state, text, sizeof text);
        rbv_diagnose(motion->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "at t = %.9g s the motion given gives no finite numbers%s%s", t, text[0] ? ": " : "", text);
    } else if (status == RBV_NOT_ASSEMBLED) {
        if (!rbv_describe_gaps(state, text, sizeof text))
            return RBV_NO_MEMORY;
        rbv_diagnose(motion->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "at t = %.9g s the bodies given do not fit together, and no position near them does; off: %s", t,
                     text);
    } else if (status == RBV_INCONSISTENT) {
        rbv_diagnose(motion->diagnostics, RBV_ERROR, file, (RbvPosition){0, 0},
                     "at t = %.9g s no rates and accelerations fit the constraints at the place given: they contradict "
                     "each other",
                     t);
    }
    return status;
}

/* Prescribed twists and accelerations of bodies into vectors over bodies. */
static void gather_prescribed(RbvMotion *motion, const RbvTwist *accelerations) {
    const RbvBodyColumns *bodies = &motion->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        rbv_bodies_put(bodies, b, motion->rows_given->fit->twists[b], motion->rows_given->rate);
        rbv_bodies_put(bodies, b, accelerations[b], motion->rows_given->second);
    }
}

/* The state of the motion, in its own coordinates, from that of the absolute system. */
static RbvStatus take_over(RbvMotion *motion) {
    RbvState *state = motion->state;
    rbv_absolute_state_read(state, motion->rows_given->absolute);
    rbv_state_jacobian(state);
    return rbv_state_rates(state) && rbv_state_move(state) ? RBV_OK : RBV_NOT_FINITE;
}

RbvStatus rbv_motion_take_given(RbvMotion *motion, const RbvTwist *accelerations, RbvMotionFit *fit) {
    RbvPrescribedRows *rows = motion->rows_given;
    RbvSolvability *s = motion->solvability;
    *fit = (RbvMotionFit){0, 0, 0};
    free(rows->scale);
    if (!(rows->scale = rbv_state_column_scales(rows->fit)))
        return RBV_NO_MEMORY;
    gather_prescribed(motion, accelerations);
    RbvStatus status = correct_place(motion, &fit->place);
    if (status == RBV_OK)
        status = correct_rates(motion, fit);
    if (status == RBV_OK && rows->absolute)
        status = take_over(motion);
    if (status != RBV_OK)
        return report_misfit(motion, status);
    motion->constraint_error = largest_entry(motion->state->phi, row_count(motion));
    status = rbv_solvability_decide(s, motion->state);
    motion->decisions++;
    motion->amplification = s->smallest > 0 && isfinite(s->smallest) ? rbv_max(1, 1 / s->smallest) : 1;
    return status;
}
