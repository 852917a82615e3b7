/* A run in blocks of samples: what the record of a block continues, and the records and audits of blocks as one. */
#include "core/base/extremes.h"
#include "solution/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sign of the scalar product of the quaternion printed last with that of the state: -1 or 1. */
static double sign_of(const double *last, RbvQuat p) {
    return last[0] * p.w + last[1] * p.e.x + last[2] * p.e.y + last[3] * p.e.z < 0 ? -1 : 1;
}

void rbv_record_continue(RbvRecord *record, const RbvState *state, const RbvRecord *from, const RbvState *there) {
    for (int32_t b = 1; record->system->bodies.spatial && b < record->system->model->bodies.count; b++) {
        RbvQuat p = state->bodies[b].p;
        double sign = sign_of(from->last_quat + 4 * b, there->bodies[b].p), *to = record->last_quat + 4 * b;
        to[0] = sign * p.w, to[1] = sign * p.e.x, to[2] = sign * p.e.y, to[3] = sign * p.e.z;
    }
}

bool rbv_record_meets(const RbvRecord *record, const double *quats) {
    bool same = true, printed = record->options.series && record->system->bodies.spatial;
    for (int32_t b = 1; printed && b < record->system->model->bodies.count; b++) {
        const double *last = record->last_quat + 4 * b, *q = quats + 4 * b;
        same = same && last[0] * q[0] + last[1] * q[1] + last[2] * q[2] + last[3] * q[3] > 0;
    }
    return same;
}

/* Changes between the last verdict of the record and the first of the later one, then those within. */
static bool join_changes(RbvRecord *record, const RbvRecord *later, const RbvVerdict *first, double time) {
    RbvResult *result = record->result;
    bool good = true;
    int32_t columns = result->column_count + result->hidden_count;
    for (int32_t c = 0; good && c < columns; c++)
        if (first[c] != record->last_verdict[c])
            good = rbv_result_change(result, c, first[c], time);
    for (int32_t k = 0; good && k < later->result->change_count; k++) {
        const RbvVerdictChange *change = &later->result->changes[k];
        good = rbv_result_change(result, change->column, change->verdict, change->time);
    }
    memcpy(record->last_verdict, later->last_verdict, (size_t)columns * sizeof *record->last_verdict);
    return good;
}

/* Before the rows of the later result are joined. */
static bool join_influences(RbvResult *result, const RbvResult *later) {
    bool good = true;
    for (size_t k = 0; good && k < later->influences.count; k++) {
        RbvInfluence next = later->influences.items[k];
        next.sample += result->sample_count;
        good = rbv_result_influence(result, next);
    }
    return good;
}

static void join_columns(RbvResult *result, const RbvResult *later) {
    for (int32_t c = 0; c < result->column_count + result->hidden_count; c++) {
        RbvColumn *to = &result->columns[c];
        const RbvColumn *from = &later->columns[c];
        if (!(from->error <= to->error)) /* NaN: unknown */
            to->error = from->error;
        to->has_error = to->has_error || from->has_error;
        to->has_verdict = to->has_verdict || from->has_verdict;
        if (from->has_verdict)
            rbv_result_decide(result, c, from->verdict);
        for (int side = 0; result->ranges && later->ranges && side < 2; side++) {
            double *end = &result->ranges[c][side], other = later->ranges[c][side];
            *end = side == 0 ? rbv_min(*end, other) : rbv_max(*end, other);
        }
    }
}

static void join_mix(RbvMix *to, const RbvMix *from) {
    const bool taken[RBV_MIX_COUNT] = {!to->known, !to->known || from->value[RBV_MIX_LEAST] < to->value[RBV_MIX_LEAST],
                                       !to->known || from->value[RBV_MIX_MOST] > to->value[RBV_MIX_MOST]};
    for (int k = 0; from->known && k < RBV_MIX_COUNT; k++) {
        if (!taken[k])
            continue;
        to->value[k] = from->value[k];
        to->part[k] = from->part[k];
        memcpy(to->gain[k], from->gain[k], sizeof to->gain[k]);
    }
    to->known = to->known || from->known;
}

bool rbv_record_join(RbvRecord *record, RbvRecord *later, const RbvVerdict *first, double time) {
    const RbvModel *model = record->system->model;
    RbvResult *result = record->result;
    if (later->result->ranges && !result->ranges && !rbv_record_make_ranges(result))
        return false;
    if (!join_changes(record, later, first, time) || !join_influences(result, later->result) ||
        !rbv_result_append(result, later->result))
        return false;
    join_columns(result, later->result);
    for (int32_t k = 0; k < result->outputs.count; k++)
        join_mix(&record->mixes[k], &later->mixes[k]);
    for (int32_t k = 0; k < model->outputs.count; k++) {
        RbvValueless *to = &record->valueless[k];
        const RbvValueless *from = &later->valueless[k];
        int32_t count = to->count + from->count;
        *to = to->count > 0 ? *to : *from;
        to->count = count;
    }
    record->lost_change = record->lost_change || later->lost_change;
    return true;
}

void rbv_audit_join(RbvAudit *audit, const RbvAudit *later) {
    audit->force = rbv_max(audit->force, later->force);
    audit->torque = rbv_max(audit->torque, later->torque);
    audit->power = rbv_max(audit->power, later->power);
    audit->constraint = rbv_max(audit->constraint, later->constraint);
    audit->force_scale = rbv_max(audit->force_scale, later->force_scale);
    audit->torque_scale = rbv_max(audit->torque_scale, later->torque_scale);
    audit->power_scale = rbv_max(audit->power_scale, later->power_scale);
}
