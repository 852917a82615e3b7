/* Requirements of tracking on a model and on its start; see track_start.h. */
#include "analysis/analyses/track_start.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/freedom.h"

#include <math.h>
#include <stdlib.h>

/* Allowed error of the start, as a part of the size. */
#define FITS 1e-6
/* Part of a requirement's row outside the rows of the mechanism that counts as rounding. */
#define HELD 1e-9
/* Most requirements that are checked for being locked: more would take too long. */
#define MOST_REQUIREMENTS 20

static RbvStatus refuse(const RbvModel *model, RbvPosition where, RbvDiagnostics *diagnostics, const char *name,
                        const char *what) {
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, where, "'%s' %s, which track does not follow in this version",
                 name, what);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics) {
    if (model->requirement_count == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "nothing is required: track needs track: {require: {name: {equation: ...}}}");
        return RBV_BAD_INPUT;
    }
    if (model->conditions.count > 0)
        return refuse(model, model->conditions.items[0].where, diagnostics, model->conditions.items[0].name,
                      "has active:");
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most)
            return refuse(model, model->drives.items[k].where, diagnostics, model->drives.items[k].name, "has a max:");
    if (model->stops.count > 0)
        return refuse(model, model->stops.items[0].where, diagnostics, model->stops.items[0].name, "is a stop");
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->has_friction || joint->unilateral)
            return refuse(model, joint->where, diagnostics, joint->name,
                          joint->has_friction ? "has friction" : "can let go (unilateral:)");
    }
    if (model->nonideals.count > 0 && model->actuators.count > 0)
        return refuse(model, model->nonideals.items[0].where, diagnostics,
                      model->constraints.items[model->nonideals.items[0].constraint].name,
                      "does work (nonideal:) beside actuators");
    return RBV_OK;
}

static bool gives_rates(const RbvModel *model) {
    for (int32_t k = 0; k < model->initial.count; k++)
        if (model->initial.items[k].of.rate > 0)
            return true;
    return false;
}

/* Error of requirement k at the start over the allowed error: of its value, or of its rate. twists[bodies.size]. */
static double misfit(const RbvState *state, const double *twists, const double *scales, int32_t k, bool of_rate) {
    const RbvRowPattern *D = &state->system->D;
    double off = -state->nu[k], parts = fabs(state->nu[k]), slope = 0;
    for (int32_t e = D->start[k]; e < D->start[k + 1]; e++) {
        double part = state->D[e] * twists[D->column[e]];
        off += part;
        parts += fabs(part);
        slope = fmax(slope, fabs(state->D[e]) * scales[D->column[e]]);
    }
    if (!of_rate)
        return fabs(state->phi[k]) / (FITS * slope * rbv_state_row_size(state, k));
    return off == 0 ? 0 : fabs(off) / (FITS * parts);
}

/* Rate of the required expression in its own unit, which should be 0. */
static double rate_left(const RbvState *state, const double *twists, int32_t k) {
    const RbvRowPattern *D = &state->system->D;
    double off = -state->nu[k];
    for (int32_t e = D->start[k]; e < D->start[k + 1]; e++)
        off += state->D[e] * twists[D->column[e]];
    return off;
}

static bool depends_on_time(const RbvModel *model, const RbvConstraint *constraint) {
    for (int32_t v = 0; v < rbv_expr_variable_count(constraint->equation); v++)
        if (rbv_variable_of(model, constraint->equation, v).kind == RBV_VARIABLE_TIME)
            return true;
    return false;
}

/* The freedoms that joints, constraints and drives leave. NULL: no memory. */
static RbvFreedom *free_of_mechanism(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    for (int32_t k = model->constraints.count - model->requirement_count; without && k < model->constraints.count; k++)
        without[system->constraint_row[k]] = true;
    RbvFreedom *freedom = without ? rbv_freedom_create_without(state, system->undriven_count, without) : NULL;
    for (int32_t row = system->undriven_count; freedom && row < system->row_count; row++)
        if (rbv_state_holds(state, row))
            rbv_freedom_take_row(freedom, state, row);
    free(without);
    return freedom;
}

/* Is every body at rest, without drives that could begin to move? */
static bool rests(const RbvState *state) {
    bool still = state->system->model->drives.count == 0;
    for (int32_t b = 1; still && b < state->system->bodies.count; b++)
        still = rbv_norm(state->twists[b].v) == 0 && rbv_norm(state->twists[b].w) == 0;
    return still;
}

/* Report requirements that the mechanism locks: no control force changes their value, so one that begins to change with
 * time cannot be met from rest, and control would only strain the mechanism. (In motion a dead centre is passed.)
 * INCONSISTENT. */
static RbvStatus refuse_held(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    RbvStatus status = RBV_OK;
    if (!rests(state) || model->requirement_count > MOST_REQUIREMENTS)
        return RBV_OK;
    RbvFreedom *freedom = free_of_mechanism(state);
    if (!freedom)
        return RBV_NO_MEMORY;
    for (int32_t k = model->constraints.count - model->requirement_count; k < model->constraints.count; k++) {
        const RbvConstraint *required = &model->constraints.items[k];
        int32_t row = state->system->constraint_row[k];
        if (!depends_on_time(model, required) || (state->nu[row] == 0 && state->gamma[row] == 0) ||
            rbv_freedom_part_of_row(freedom, state, row) > HELD)
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, required->where,
                     "requirement '%s' fails at t = %.9g s: it begins to change with time, and joints, constraints and "
                     "drives leave nothing free that would change what it measures",
                     required->name, state->t);
        status = RBV_INCONSISTENT;
    }
    status = rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
    rbv_freedom_destroy(freedom);
    return status;
}

RbvStatus rbv_track_begin(RbvState *state, bool *active, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool noted = false;
    for (int32_t k = 0; k < system->row_count; k++)
        active[k] = rbv_state_holds(state, k);
    for (int32_t k = model->constraints.count - model->requirement_count; k < model->constraints.count; k++)
        active[system->constraint_row[k]] = true;
    state->active = active;
    double *scales = rbv_state_column_scales(state);
    if (!scales)
        return RBV_NO_MEMORY;
    rbv_state_place(state);
    rbv_state_jacobian(state);
    rbv_state_move(state);
    for (int32_t b = 1; b < system->bodies.count; b++)
        rbv_bodies_put(&system->bodies, b, state->twists[b], state->columns);
    RbvStatus status = rbv_state_rates(state) ? RBV_OK : RBV_NOT_FINITE;
    for (int32_t k = model->constraints.count - model->requirement_count;
         status == RBV_OK && isnan(model->track_rate) && k < model->constraints.count; k++) {
        const RbvConstraint *required = &model->constraints.items[k];
        int32_t row = system->constraint_row[k];
        bool place_off = !required->on_rates && misfit(state, state->columns, scales, row, false) > 1,
             rate_off = misfit(state, state->columns, scales, row, true) > 1;
        if (place_off || (rate_off && gives_rates(model))) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, required->where,
                         "at t = %.9g s the start does not fit requirement '%s': its %s is off by %.6g; give rate: to "
                         "track:, by which errors die out, or "
                         "initial: that fits",
                         state->t, required->name, place_off ? "left-hand side" : "rate",
                         place_off ? state->phi[row] : rate_left(state, state->columns, row));
            status = RBV_INCONSISTENT;
        } else if (rate_off && !noted) {
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, required->where,
                         "rates at the start are those nearest to rest that track: requires; initial: gives none");
            noted = true;
        }
    }
    free(scales);
    return status == RBV_OK ? refuse_held(state, diagnostics) : status;
}
