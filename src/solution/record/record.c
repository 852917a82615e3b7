/* Fills the columns of a result, sample by sample, with the composition of outputs; and the archive of what a record
 * has gathered besides samples. */
#include "solution/record/record.h"

#include "core/base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Composition of an output at its first, least and largest value: g = sum of |df/dx| over its variables, for each
 * dimension of x, and the largest part of its sums. An x known to rounding r moves the output by at most g r, and
 * the sums have rounding of their own, so a page can tell a value from rounding of a difference. */

/* Composition of an output for index `at`; its variables are in work[0 ... n). */
static void look(const RbvRecord *record, const RbvExpr *expr, RbvMix *mix, int at) {
    const char *without;
    int32_t n = rbv_expr_variable_count(expr);
    double *x = record->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + (size_t)n * (size_t)n,
           *gain = mix->gain[at];
    memset(gain, 0, RBV_DIM_COUNT * sizeof *gain);
    double part = rbv_expr_parts(expr, x, scratch);
    mix->part[at] = isfinite(part) ? part : 0;
    if (n == 0 || rbv_expr_derivatives(expr, &without) < 2)
        return;
    rbv_expr_jet(expr, x, scratch, gradient, hessian);
    for (int32_t v = 0; v < n; v++) {
        RbvDimension of = rbv_exponents_named(
            rbv_model_variable_dimension(record->system->model, rbv_expr_variable(expr, v)).exponents);
        if (of < RBV_DIM_COUNT && isfinite(gradient[v]))
            gain[of] += fabs(gradient[v]);
    }
}

/* Composition of an output for one more sample with the value `value`, whose variables are in record->work
 * (record.c). */
static void record_mix(RbvRecord *record, int32_t output, double value) {
    const RbvExpr *expr = record->system->model->outputs.items[output].value;
    RbvMix *mix = &record->mixes[output];
    const bool taken[RBV_MIX_COUNT] = {!mix->known, !mix->known || value < mix->value[RBV_MIX_LEAST],
                                       !mix->known || value > mix->value[RBV_MIX_MOST]};
    int made = -1;
    for (int k = 0; k < RBV_MIX_COUNT; k++) {
        if (!taken[k])
            continue;
        mix->value[k] = value;
        if (made < 0) {
            look(record, expr, mix, k);
        } else {
            mix->part[k] = mix->part[made];
            memcpy(mix->gain[k], mix->gain[made], sizeof mix->gain[k]);
        }
        made = k;
    }
    mix->known = true;
}

static double coordinate_rate(const RbvState *state, const RbvCoordinateRef *of) {
    double value, rate;
    rbv_state_coordinate(state, of, &value, &rate);
    return rate;
}

/* Rate of the coordinate of drive k, also of a slipping drive, whose row is inactive. */
static double drive_rate(const RbvState *state, int32_t k) {
    const RbvDrive *drive = &state->system->model->drives.items[k];
    return drive->most ? coordinate_rate(state, &drive->of) : rbv_state_row_rate(state, state->system->drive_row[k]);
}

static void record_results(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, double *row) {
    const RbvModel *model = record->system->model;
    const RbvResult *result = record->result;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const double *value = reactions->value[k];
        double *to = row + result->joints.items[k].first;
        for (int component = 0; record->printed[k] >> component; component++)
            if (rbv_component_in(record->printed[k], component))
                *to++ = value[component];
        if (result->joints.items[k].resultant >= 0)
            row[result->joints.items[k].resultant] =
                sqrt(value[RBV_FX] * value[RBV_FX] + value[RBV_FY] * value[RBV_FY] + value[RBV_FZ] * value[RBV_FZ]);
    }
    for (int32_t k = 0; k < model->drives.count; k++) {
        row[result->drives.items[k].first] = reactions->effort[k];
        row[result->drives.items[k].power] = reactions->effort[k] * drive_rate(state, k);
    }
    for (int32_t k = model->drives.count; k < result->drives.count; k++) {
        int32_t actuator = k - model->drives.count;
        row[result->drives.items[k].first] = reactions->actuator[actuator];
        row[result->drives.items[k].power] =
            reactions->actuator[actuator] * coordinate_rate(state, &model->actuators.items[actuator].of);
    }
    for (int32_t k = 0; k < result->constraints.count; k++) {
        if (result->constraints.items[k].count > 0)
            row[result->constraints.items[k].first] = reactions->multiplier[k];
        if (result->constraints.items[k].count > 1)
            row[result->constraints.items[k].first + 1] = reactions->nonideal_power[k];
    }
    for (int32_t k = 0; k < result->stops.count; k++)
        row[result->stops.items[k].first] = reactions->stop[k];
    for (int32_t k = 0; k < result->residuals.count; k++)
        row[result->residuals.items[k].first] = record->options.surplus->value[k];
    int32_t named = 0;
    for (int32_t k = 0; k < model->loads.count; k++) {
        if (!model->loads.items[k].name)
            continue;
        const RbvEntry *entry = &result->loads.items[named++];
        for (int32_t part = 0; part < entry->count; part++)
            row[entry->first + part] = state->load_value[k][part];
    }
}

static double *put(double *at, RbvVec3 v, bool spatial) {
    *at++ = v.x;
    *at++ = v.y;
    if (spatial)
        *at++ = v.z;
    return at;
}

/* Appends a rotation: about z in the plane, three numbers in space. */
static double *put_turn(double *at, RbvVec3 w, bool spatial) {
    if (spatial)
        return put(at, w, true);
    *at++ = w.z;
    return at;
}

/* Appends the quaternion, with the sign that continues the last sample, or the run before; at the first w >= 0. */
static double *put_quat(const RbvRecord *record, double *at, RbvQuat p, int32_t body) {
    double *last = record->last_quat + 4 * body;
    const double now[4] = {p.w, p.e.x, p.e.y, p.e.z};
    double along = now[0] * last[0] + now[1] * last[1] + now[2] * last[2] + now[3] * last[3];
    along = along == 0 ? p.w : along;
    for (int k = 0; k < 4; k++)
        *at++ = last[k] = along < 0 ? -now[k] : now[k];
    return at;
}

static void record_bodies(const RbvRecord *record, const RbvState *state, double *at) {
    const RbvSystem *system = record->system;
    const RbvModel *model = system->model;
    const bool spatial = system->bodies.spatial;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const RbvBodyState *placed = &state->bodies[b];
        if (body->generalized)
            continue;
        RbvTwist v = state->twists[b], a = state->accelerations[b];
        RbvVec3 arm = rbv_apply(&placed->A, rbv_scale(-1, body->centroid)), turning = rbv_cross(v.w, arm);
        at = put(at, rbv_add(placed->r, arm), spatial);
        if (!body->particle && spatial)
            at = put_quat(record, at, placed->p, b);
        else if (!body->particle)
            *at++ = rbv_turns_angle((RbvTurns){placed->turn, placed->whole}, NULL);
        if (record->options.orders < 1)
            continue;
        at = put(at, rbv_add(v.v, turning), spatial);
        if (!body->particle)
            at = put_turn(at, v.w, spatial);
        if (record->options.orders < 2)
            continue;
        at = put(at, rbv_add(a.v, rbv_add(rbv_cross(a.w, arm), rbv_cross(v.w, turning))), spatial);
        if (!body->particle)
            at = put_turn(at, a.w, spatial);
    }
}

void rbv_record_poses(RbvRecord *record, const RbvState *state, double *out) {
    record_bodies(record, state, out);
}

static void record_coordinates(RbvRecord *record, const RbvState *state, double *row) {
    const RbvModel *model = record->system->model;
    double *at = row + record->first_coordinate;
    for (int32_t k = 0; k < record->coordinate_count; k++) {
        const RbvMeasure *measure = &record->coordinates[k];
        int32_t known = record->known[k];
        if (known >= 0)
            record->memory[k] = state->memory[known];
        RbvMeasureState measured;
        memset(&measured, 0, sizeof measured);
        rbv_measure_place(measure, model, state->markers, &record->memory[k], &measured);
        rbv_measure_move(measure, model, state->markers, state->twists, &measured);
        *at++ = measured.value;
        if (record->options.orders > 0)
            *at++ = measured.rate;
        if (record->options.orders > 1)
            *at++ = rbv_measure_second_rate(measure, state->markers, state->accelerations, &measured);
    }
}

/* Writes why output k has no value; its variables are in record->work. */
static void explain_output(RbvRecord *record, int32_t k, char *why, size_t size) {
    static const char *const lacking[] = {[RBV_VARIABLE_EFFORT] = "efforts of drives",
                                          [RBV_VARIABLE_REACTION] = "reactions",
                                          [RBV_VARIABLE_MULTIPLIER] = "efforts of constraints",
                                          [RBV_VARIABLE_CONTROL] = "efforts of actuators",
                                          [RBV_VARIABLE_STOP] = "forces of stops",
                                          [RBV_VARIABLE_COORDINATE] = "second rates"};
    const RbvModel *model = record->system->model;
    const RbvExpr *value = model->outputs.items[k].value;
    for (int32_t v = 0; v < rbv_expr_variable_count(value); v++) {
        RbvVariableKind kind = rbv_variable_of(model, value, v).kind;
        if (!isnan(record->work[v]) || (size_t)kind >= sizeof lacking / sizeof lacking[0] || !lacking[kind])
            continue;
        snprintf(why, size, "%s computes no %s", record->options.analysis, lacking[kind]);
        return;
    }
    rbv_expr_explain(value, record->work, record->work + rbv_expr_variable_count(value), why, size);
}

void rbv_record_second_rates(RbvRecord *record, const RbvState *state) {
    const RbvModel *model = record->system->model;
    for (int32_t m = 0; m < model->measures.count; m++)
        record->second[m] = record->options.orders == 1
                                ? NAN
                                : rbv_measure_second_rate(&model->measures.items[m], state->markers,
                                                          state->accelerations, &state->measures[m]);
}

static bool record_outputs(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, double *row,
                           char *message, size_t size) {
    const RbvModel *model = record->system->model;
    if (model->outputs.count == 0)
        return true;
    rbv_record_second_rates(record, state);
    RbvResultValues values = {.effort = reactions ? reactions->effort : NULL,
                              .multiplier = reactions ? reactions->multiplier : NULL,
                              .control = reactions ? reactions->actuator : NULL,
                              .stop = reactions ? reactions->stop : NULL,
                              .reaction = reactions ? reactions->value : NULL,
                              .measure_second = record->second};
    for (int32_t k = 0; k < model->outputs.count; k++) {
        double value = rbv_state_expression(state, model->outputs.items[k].value, &values, record->work);
        row[record->first_output + k] = value;
        if (isfinite(value)) {
            record_mix(record, k, value);
            continue;
        }
        RbvValueless *valueless = &record->valueless[k];
        if (valueless->count++ == 0) {
            valueless->at = row[0];
            explain_output(record, k, valueless->why, sizeof valueless->why);
        }
        if (reactions && !record->options.at_rest) {
            snprintf(message, size, "output '%s' is not finite: %s", model->outputs.items[k].name, valueless->why);
            return false;
        }
    }
    return true;
}

bool rbv_record_reserve(RbvRecord *record) {
    RbvResult *result = record->result;
    int32_t count = result->sample_count;
    return count < result->capacity || rbv_result_reserve(result, count + count / 2 + 1);
}

void rbv_record_equilibrium(RbvRecord *record, double energy, double curvature, double unstable) {
    double *row = rbv_result_next(record->result) + record->first_equilibrium;
    if (!record->options.parameter)
        return;
    row[0] = energy;
    row[1] = curvature;
    row[2] = unstable;
}

static void record_impulses(const RbvRecord *record, const RbvReactions *reactions, double *at) {
    const RbvModel *model = record->system->model;
    const RbvImpulses *impulses = record->impulses;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_FRICTION; c++)
            if (rbv_component_in(reactions->printed[k], c))
                *at++ = impulses->joint[k][c];
    for (int32_t k = 0; k < model->drives.count; k++)
        *at++ = impulses->drive[k];
    for (int32_t k = 0; k < record->result->constraints.count; k++)
        *at++ = impulses->constraint[k];
    for (int32_t k = 0; k < model->stops.count; k++)
        *at++ = impulses->stop[k];
}

bool rbv_record_sample(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, char *message,
                       size_t size) {
    double *row = rbv_result_next(record->result);
    row[0] = record->options.parameter ? record->parameter : state->t;
    if (record->options.reactions && reactions)
        record_results(record, state, reactions, row);
    if (record->options.reactions && reactions)
        rbv_record_speeds(record, state, reactions, row);
    if (record->coordinate_count > 0)
        record_coordinates(record, state, row);
    bool good = true;
    if (record->options.series) {
        record_bodies(record, state, row + record->first_body);
        good = record_outputs(record, state, reactions, row, message, size);
    }
    for (int32_t k = 0; record->options.states && k < record->system->model->states.count; k++)
        row[record->first_state + k] = state->own[k];
    const RbvModel *model = record->system->model;
    int32_t first = model->constraints.count - model->requirement_count;
    for (int32_t k = first; record->options.tracks && k < model->constraints.count; k++)
        row[record->first_error + k - first] = reactions->track_error[k];
    if (record->options.impulses && record->impulses)
        record_impulses(record, reactions, row + record->first_impulse);
    for (int32_t k = record->first_multiplier; record->options.rigid && k < record->first_error; k++)
        row[k] = record->multiplier[k - record->first_multiplier];
    for (int k = 0; record->options.energy && k < 2; k++)
        row[record->first_energy + k] = record->energy[k];
    record->first_sample = false;
    if (good)
        rbv_result_commit(record->result);
    return good;
}

/* Archives what a record has gathered besides its samples, for a run that may be continued: verdicts and their
 * changes, errors, turns of coordinates, the audit, notes. */

static void keep_columns(RbvArchive *archive, RbvRecord *record) {
    RbvResult *result = record->result;
    for (int32_t c = 0; c < result->column_count + result->hidden_count; c++) {
        RbvColumn *column = &result->columns[c];
        RBV_KEEP(archive, column->error);
        RBV_KEEP(archive, column->verdict);
        RBV_KEEP(archive, column->begins);
        RBV_KEEP(archive, column->has_verdict);
        RBV_KEEP(archive, column->has_error);
    }
    RBV_KEEP_ARRAY(archive, record->last_verdict, result->column_count);
}

static void keep_changes(RbvArchive *archive, RbvResult *result) {
    int32_t count = result->change_count;
    RBV_KEEP(archive, count);
    for (int32_t k = 0; k < count && !archive->broken; k++) {
        RbvVerdictChange change = archive->from ? (RbvVerdictChange){0} : result->changes[k];
        RBV_KEEP(archive, change.time);
        RBV_KEEP(archive, change.column);
        RBV_KEEP(archive, change.verdict);
        if (!archive->from)
            continue;
        result->change_count = k == 0 ? 0 : result->change_count;
        bool good = change.column >= 0 && change.column < result->column_count &&
                    rbv_result_change(result, change.column, change.verdict, change.time);
        archive->broken = archive->broken || !good;
    }
}

void rbv_record_keep(RbvRecord *record, RbvArchive *archive) {
    const RbvModel *model = record->system->model;
    keep_columns(archive, record);
    keep_changes(archive, record->result);
    RBV_KEEP_ARRAY(archive, record->memory, record->coordinate_count);
    RBV_KEEP_ARRAY(archive, record->last_quat, record->system->bodies.spatial ? 4 * model->bodies.count : 0);
    RBV_KEEP_ARRAY(archive, record->valueless, model->outputs.count);
    RBV_KEEP_ARRAY(archive, record->mixes, record->result->outputs.count);
    RBV_KEEP(archive, record->first_sample);
    RBV_KEEP(archive, record->lost_change);
}

void rbv_audit_keep(RbvAudit *audit, RbvArchive *archive) {
    RBV_KEEP(archive, audit->force);
    RBV_KEEP(archive, audit->torque);
    RBV_KEEP(archive, audit->power);
    RBV_KEEP(archive, audit->constraint);
    RBV_KEEP(archive, audit->force_scale);
    RBV_KEEP(archive, audit->torque_scale);
    RBV_KEEP(archive, audit->power_scale);
    RBV_KEEP_ARRAY(archive, audit->scale, audit->system->part_count);
    RBV_KEEP_ARRAY(archive, audit->largest, audit->system->model->bodies.count);
    RBV_KEEP(archive, audit->worst_body);
    RBV_KEEP(archive, audit->worst_time);
    RBV_KEEP(archive, audit->worst);
    RBV_KEEP(archive, audit->gear_off);
    RBV_KEEP(archive, audit->failed);
}

void rbv_notes_archive(RbvNotes *notes, RbvArchive *archive) {
    RbvArena arena = {0};
    int32_t count = rbv_diagnostics_count(notes->report);
    RBV_KEEP(archive, count);
    if (archive->from)
        rbv_diagnostics_clear(notes->report);
    for (int32_t k = 0; k < count && !archive->broken; k++) {
        RbvDiagnostic note = archive->from ? (RbvDiagnostic){0} : rbv_diagnostics_marked(notes->report, k);
        RBV_KEEP(archive, note.severity);
        RBV_KEEP(archive, note.at);
        rbv_archive_string(archive, &note.file, &arena);
        rbv_archive_string(archive, &note.message, &arena);
        if (archive->from && !archive->broken)
            rbv_diagnose(notes->report, note.severity, note.file, note.at, "%s", note.message);
    }
    rbv_arena_clear(&arena);
}
