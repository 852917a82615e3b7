/* Writes result.json. A value that is missing is null, never NaN. */
#include "model/result/result.h"
#include "output/write/json_bare.h"
#include "output/write/json_coordinates.h"
#include "output/write/json_info.h"
#include "output/write/json_modes.h"
#include "output/write/json_soft.h"
#include "output/write/json_statics.h"
#include "output/write/json_terms.h"
#include "output/write/json_udwadia.h"
#include "output/write/json_virtual.h"

#include <math.h>
#include <string.h>

static void extremes(RbvJson *json, const RbvResult *result, int32_t column) {
    RbvSummary s = rbv_result_summary(result, column);
    rbv_json_number(json, "first", s.first);
    rbv_json_number(json, "min", s.min);
    rbv_json_number(json, "max", s.max);
    rbv_json_number(json, "at_min", s.at_min);
    rbv_json_number(json, "at_max", s.at_max);
}

/* "joint.Fx" -> "Fx" */
static const char *part(const RbvResult *result, int32_t column) {
    const char *dot = strchr(result->columns[column].name, '.');
    return dot ? dot + 1 : result->columns[column].name;
}

static void put_range(RbvJson *json, const RbvResult *result, int32_t column) {
    const double *range = rbv_result_range(result, column);
    if (!range)
        return;
    rbv_json_number(json, "range_min", range[0]);
    rbv_json_number(json, "range_max", range[1]);
}

/* Bound of the rounding error of the column at the worst sample, in its unit; nothing without samples. */
static void error(RbvJson *json, const RbvResult *result, int32_t column) {
    if (result->sample_count > 0 && result->columns[column].has_error)
        rbv_json_number(json, "error", result->columns[column].error);
}

static void component(RbvJson *json, const RbvResult *result, int32_t column) {
    rbv_json_open(json, part(result, column), "{");
    rbv_json_string(json, "unit", result->columns[column].unit);
    rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[column].verdict));
    extremes(json, result, column);
    error(json, result, column);
    put_range(json, result, column);
    rbv_json_close(json, "}");
}

/* Extremes of the resultant force; null if column < 0: with only some components requested, the resultant of a part
 * would pass for that of the whole joint. */
static void resultant(RbvJson *json, const RbvResult *result, int32_t column) {
    static const char *const names[] = {"first", "min", "max", "at_min", "at_max"};
    if (column >= 0) {
        extremes(json, result, column);
        return;
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        rbv_json_number(json, names[k], NAN);
}

static void reactions(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "reactions", "{");
    for (int32_t k = 0; k < result->joints.count; k++) {
        const RbvEntry *entry = &result->joints.items[k];
        if (entry->aside || entry->count == 0) /* not requested */
            continue;
        rbv_json_open(json, entry->name, "{");
        rbv_json_string(json, "type", entry->kind);
        rbv_json_string(json, "on", entry->on);
        rbv_json_string(json, "by", entry->by);
        rbv_json_string(json, "verdict", rbv_verdict_name(rbv_result_entry_verdict(result, entry)));
        rbv_json_open(json, "resultant", "{");
        rbv_json_string(json, "unit", "N");
        resultant(json, result, entry->resultant);
        rbv_json_close(json, "}");
        rbv_json_open(json, "components", "{");
        for (int32_t c = entry->first; c < entry->first + entry->count; c++)
            component(json, result, c);
        rbv_json_close(json, "}");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void drives(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "drives", "{");
    for (int32_t k = 0; k < result->drives.count; k++) {
        const RbvEntry *entry = &result->drives.items[k];
        if (entry->aside)
            continue;
        rbv_json_open(json, entry->name, "{");
        rbv_json_string(json, "unit", result->columns[entry->first].unit);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[entry->first].verdict));
        extremes(json, result, entry->first);
        error(json, result, entry->first);
        put_range(json, result, entry->first);
        rbv_json_number(json, "rms", rbv_result_summary(result, entry->first).rms);
        rbv_json_number(json, "peak_power", rbv_result_summary(result, entry->power).peak);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void others(RbvJson *json, const RbvResult *result, const char *name, const RbvList *list, bool verdicts) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++) {
        const RbvEntry *entry = &list->items[k];
        if (entry->aside || (entry->count == 0 && list == &result->constraints))
            continue;
        rbv_json_open(json, entry->name, "{");
        if (*entry->kind)
            rbv_json_string(json, "type", entry->kind);
        for (int32_t c = entry->first; c < entry->first + entry->count; c++) {
            if (entry->count > 1) {
                component(json, result, c);
                continue;
            }
            rbv_json_string(json, "unit", result->columns[c].unit);
            if (verdicts || result->columns[c].has_verdict)
                rbv_json_string(json, "verdict", rbv_verdict_name(result->columns[c].verdict));
            extremes(json, result, c);
            error(json, result, c);
        }
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* Idle spins: rotations of a body about its own line that count as freedoms and on which nothing acts. */
static void idle(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "idle", "[");
    for (int32_t k = 0; k < result->idle_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", result->idle[k].body);
        rbv_json_string(json, "from", result->idle[k].from);
        rbv_json_string(json, "to", result->idle[k].to);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void mobility(RbvJson *json, const RbvResult *result) {
    const RbvMobility *m = &result->mobility;
    rbv_json_open(json, "mobility", "{");
    rbv_json_integer(json, "coordinates", m->coordinates);
    rbv_json_integer(json, "rows", m->rows);
    rbv_json_integer(json, "rows_of_joints_and_constraints", m->rows - m->drives);
    rbv_json_integer(json, "rows_of_drives", m->drives);
    rbv_json_integer(json, "rank", m->rank);
    rbv_json_integer(json, "redundant", m->redundant);
    rbv_json_integer(json, "degrees_of_freedom", m->degrees_of_freedom);
    rbv_json_integer(json, "degrees_of_freedom_position", m->degrees_of_freedom_position);
    rbv_json_integer(json, "idle", result->idle_count);
    rbv_json_integer(json, "gruebler", m->gruebler);
    rbv_json_integer(json, "mobility_without_drives", m->mobility);
    rbv_json_number(json, "redundant_permanent", m->permanent < 0 ? (double)NAN : (double)m->permanent);
    rbv_json_number(json, "redundant_momentary",
                    m->permanent < 0 ? (double)NAN : (double)(m->redundant - m->permanent));
    rbv_json_open(json, "decision", "{");
    rbv_json_bool(json, "safe", result->rank_safe);
    rbv_json_string(json, "criterion", result->criterion);
    rbv_json_bool(json, "sparse", result->rank_sparse);
    rbv_json_bool(json, "exact", result->rank_exact);
    rbv_json_number(json, "smallest_kept", result->rank_smallest);
    rbv_json_number(json, "largest_dropped", result->rank_dropped);
    rbv_json_number(json, "threshold", result->rank_tau);
    rbv_json_number(json, "margin", result->rank_tau > 0 ? result->rank_smallest / result->rank_tau : NAN);
    rbv_json_close(json, "}");
    rbv_json_close(json, "}");
}

/* {"B2": "slot"}: the new type for each joint whose type the remedy changes. */
static void replace(RbvJson *json, const RbvRemedy *remedy) {
    rbv_json_open(json, "replace", "{");
    for (int32_t n = 0; n < remedy->count; n++) {
        const char *dot = strchr(remedy->names[n], '.');
        char joint[RBV_NAME_SIZE];
        size_t length = dot ? (size_t)(dot - remedy->names[n]) : strlen(remedy->names[n]);
        if (!remedy->instead[n] || length >= sizeof joint)
            continue;
        memcpy(joint, remedy->names[n], length);
        joint[length] = '\0';
        rbv_json_string(json, joint, remedy->instead[n]);
    }
    rbv_json_close(json, "}");
}

static void remedy(RbvJson *json, const char *name, const RbvRemedy *remedy, bool freeing) {
    rbv_json_open(json, name, "{");
    rbv_json_strings(json, freeing ? "directions" : "at", remedy->names, remedy->count);
    if (freeing && !remedy->obstacle)
        replace(json, remedy);
    if (remedy->edit_count > 0)
        rbv_json_open(json, "edits", "{");
    for (int32_t k = 0; k < remedy->edit_count; k++)
        rbv_json_string(json, remedy->edits[k].from, *remedy->edits[k].to ? remedy->edits[k].to : NULL);
    if (remedy->edit_count > 0)
        rbv_json_close(json, "}");
    if (remedy->obstacle)
        rbv_json_string(json, "obstacle", remedy->obstacle);
    rbv_json_number(json, "independence", remedy->independence);
    rbv_json_close(json, "}");
}

static void remedies(RbvJson *json, const char *name, const RbvRemedy *list, int32_t count, bool freeing) {
    rbv_json_open(json, name, "[");
    for (int32_t k = 0; k < count; k++)
        remedy(json, NULL, &list[k], freeing);
    rbv_json_close(json, "]");
}

static void modes(RbvJson *json, const RbvResult *result) {
    rbv_json_open(json, "self_stress", "[");
    for (int32_t k = 0; k < result->mode_count; k++) {
        rbv_json_shares(json, NULL, &result->modes[k]);
    }
    rbv_json_close(json, "]");
    if (!result->described) {
        rbv_json_string(json, "groups", NULL);
        rbv_json_string(json, "advice", NULL);
        rbv_json_string(json, "advice_together", NULL);
        return;
    }
    if (result->groups_skipped)
        rbv_json_string(json, "groups", NULL);
    else
        rbv_json_open(json, "groups", "[");
    for (int32_t k = 0; k < result->group_count && !result->groups_skipped; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_shares(json, "combination", &result->groups[k]);
        rbv_json_string(json, "verdict", "unique");
        rbv_json_close(json, "}");
    }
    if (!result->groups_skipped)
        rbv_json_close(json, "]");
    rbv_json_open(json, "advice", "[");
    for (int32_t k = 0; k < result->cluster_count; k++) {
        const RbvCluster *cluster = &result->clusters[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_integer(json, "self_stresses", cluster->degree);
        rbv_json_strings(json, "between", cluster->names, cluster->count);
        remedies(json, "free", cluster->free, cluster->free_count, true);
        if (cluster->otherwise.count > 0)
            remedy(json, "otherwise", &cluster->otherwise, true);
        remedies(json, "measure", cluster->measure, cluster->measure_count, false);
        remedies(json, "compliance", cluster->comply, cluster->comply_count, false);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    if (result->together.count > 0 && !result->together_missing)
        remedy(json, "advice_together", &result->together, true);
    else
        rbv_json_string(json, "advice_together", NULL);
}

static void integrability(RbvJson *json, const RbvResult *result) {
    const RbvIntegrability *i = &result->integrability;
    if (i->rows == 0)
        return;
    rbv_json_open(json, "rows_on_rates", "{");
    rbv_json_integer(json, "rows", i->rows);
    if (i->untested)
        rbv_json_number(json, "integrable", NAN);
    else
        rbv_json_bool(json, "integrable", i->nonholonomic == 0);
    rbv_json_number(json, "independent", i->untested ? NAN : (double)i->independent);
    rbv_json_number(json, "nonholonomic_at_least", i->untested ? NAN : (double)i->nonholonomic);
    rbv_json_integer(json, "left_out", i->left_out);
    rbv_json_integer(json, "states", i->states);
    rbv_json_string(json, "untested", i->untested);
    rbv_json_close(json, "}");
}

/* check: whether multipliers exist that balance the loads at rest, and the residual. */
static void multipliers(RbvJson *json, const RbvResult *result) {
    if (result->row_count == 0)
        return;
    rbv_json_open(json, "multipliers_at_rest", "{");
    if (result->multipliers.tested)
        rbv_json_bool(json, "exist", result->multipliers.exist);
    else
        rbv_json_number(json, "exist", NAN);
    rbv_json_number(json, "residual", result->multipliers.tested ? result->multipliers.residual : NAN);
    rbv_json_close(json, "}");
}

static void rows(RbvJson *json, const RbvResult *result) {
    if (result->row_count == 0)
        return;
    rbv_json_open(json, "rows", "[");
    for (int32_t k = 0; k < result->row_count; k++) {
        const RbvRowVerdict *row = &result->rows[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, row->element, row->entry->name);
        rbv_json_string(json, "holds", row->holds);
        rbv_json_bool(json, "on_rates", row->on_rates);
        rbv_json_string(json, "multiplier", rbv_verdict_name(row->verdict));
        if (row->verdict == RBV_UNSURE)
            rbv_json_number(json, "redundant_alone", NAN);
        else
            rbv_json_bool(json, "redundant_alone", row->verdict == RBV_NOT_UNIQUE);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void asked(RbvJson *json, const RbvResult *result) {
    if (result->asked_count == 0)
        return;
    rbv_json_open(json, "asked", "[");
    for (int32_t k = 0; k < result->asked_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "combination", result->asked[k].text);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->asked[k].verdict));
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
}

static void along_motion(RbvJson *json, const RbvResult *result) {
    if (result->motion_samples == 0)
        return;
    rbv_json_open(json, "along_motion", "{");
    rbv_json_number(json, "from", result->motion_from);
    rbv_json_number(json, "to", result->motion_to);
    rbv_json_integer(json, "samples", result->motion_samples);
    rbv_json_open(json, "rank_changes", "[");
    for (int32_t k = 0; k < result->rank_change_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_number(json, "time", result->rank_changes[k].time);
        rbv_json_integer(json, "rank", result->rank_changes[k].rank);
        rbv_json_integer(json, "redundant", result->rank_changes[k].redundant);
        rbv_json_bool(json, "safe", result->rank_changes[k].safe);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "verdict_changes", "[");
    for (int32_t k = 0; k < result->change_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_number(json, "time", result->changes[k].time);
        rbv_json_string(json, "component", result->columns[result->changes[k].column].name);
        rbv_json_string(json, "verdict", rbv_verdict_name(result->changes[k].verdict));
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

/* assemble: a body at the state at `from`. The first row of the series has its at[], turn[] and their rates one after
 * the other from body->first on. */
static void assembled_body(RbvJson *json, const RbvResult *result, const RbvPlacedBody *body) {
    const double *at = result->data + body->first;
    int32_t moves = body->spatial ? 3 : 2, turn = !body->turns ? 0 : body->spatial ? 4 : 1;
    rbv_json_open(json, body->name, "{");
    rbv_json_numbers(json, "at", at, moves);
    if (turn == 1)
        rbv_json_number(json, "angle", at[moves]);
    if (turn == 4)
        rbv_json_numbers(json, "quaternion", at + moves, 4);
    at += moves + turn;
    rbv_json_numbers(json, "velocity", at, moves);
    if (turn == 1)
        rbv_json_number(json, "angular_velocity", at[moves]);
    if (turn == 4)
        rbv_json_numbers(json, "angular_velocity", at + moves, 3);
    rbv_json_number(json, "moved", body->moved);
    if (turn)
        rbv_json_number(json, "turned", body->turned);
    rbv_json_close(json, "}");
}

static void assembled_residuals(RbvJson *json, const RbvAssembled *a) {
    rbv_json_open(json, "residuals", "{");
    for (int32_t k = 0; k < a->residual_count; k++) {
        const RbvLeftOver *r = &a->residuals[k];
        rbv_json_open(json, r->name, "{");
        rbv_json_string(json, "kind", r->kind);
        rbv_json_number(json, "length", r->length);
        rbv_json_number(json, "angle", r->angle);
        rbv_json_number(json, "length_rate", r->length_rate);
        rbv_json_number(json, "angle_rate", r->angle_rate);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void assembled(RbvJson *json, const RbvResult *result) {
    const RbvAssembled *a = &result->assembled;
    if (!a->found)
        return;
    rbv_json_open(json, "state", "{");
    rbv_json_number(json, "time", result->data[0]);
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < a->body_count; k++)
        assembled_body(json, result, &a->bodies[k]);
    rbv_json_close(json, "}");
    rbv_json_open(json, "coordinates", "{");
    for (int32_t k = 0; k < a->coordinate_count; k++)
        rbv_json_number(json, a->coordinates[k].name, a->coordinates[k].value);
    rbv_json_close(json, "}");
    rbv_json_open(json, "rates", "{");
    for (int32_t k = 0; k < a->coordinate_count; k++)
        rbv_json_number(json, a->coordinates[k].rate_name, a->coordinates[k].rate);
    rbv_json_close(json, "}");
    assembled_residuals(json, a);
    if (a->named)
        rbv_json_strings(json, "completed", a->completed, a->completed_count);
    else
        rbv_json_string(json, "completed", NULL);
    rbv_json_close(json, "}");
}

static void integration(RbvJson *json, const RbvIntegration *found) {
    rbv_json_open(json, "integration", "{");
    rbv_json_string(json, "method", found->method);
    rbv_json_number(json, "tolerance", found->tolerance);
    rbv_json_number(json, "steps", (double)found->steps);
    rbv_json_number(json, "rejected", (double)found->rejected);
    rbv_json_number(json, "evaluations", (double)found->evaluations);
    rbv_json_number(json, "energy_error", found->energy_error);
    rbv_json_number(json, "constraint_error", found->constraint_error);
    rbv_json_number(json, "magnification", found->magnification);
    rbv_json_open(json, "events", "[");
    for (int32_t k = 0; k < found->event_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_number(json, "t", found->events[k].t);
        rbv_json_string(json, "name", found->events[k].name);
        rbv_json_string(json, "kind", found->events[k].kind);
        if (!isnan(found->events[k].impulse))
            rbv_json_number(json, "impulse", found->events[k].impulse);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void audit(RbvJson *json, const RbvResult *result) {
    if (!result->has_audit) {
        rbv_json_string(json, "audit", NULL);
        return;
    }
    rbv_json_open(json, "audit", "{");
    rbv_json_number(json, "max_force_imbalance", result->audit_force);
    rbv_json_number(json, "max_torque_imbalance", result->audit_torque);
    rbv_json_number(json, "max_power_imbalance", result->audit_power);
    rbv_json_number(json, "max_constraint_error", result->audit_constraint);
    rbv_json_close(json, "}");
}

static void series(RbvJson *json, const RbvResult *result) {
    if (result->sample_count == 0) {
        rbv_json_string(json, "series", NULL);
        return;
    }
    rbv_json_open(json, "series", "{");
    rbv_json_string(json, "file", "series.csv");
    rbv_json_integer(json, "samples", result->sample_count);
    rbv_json_open(json, "columns", "[");
    for (int32_t c = 0; c < result->column_count; c++) {
        rbv_json_next(json);
        rbv_json_text(json, result->columns[c].name);
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

/* Counts of Newton's equilibrium equations of all bodies or of some: unknowns, equations, rank. */
static void newton(RbvJson *json, const RbvResult *result) {
    if (!result->newton.found)
        return;
    rbv_json_open(json, "newton", "{");
    rbv_json_strings(json, "bodies", result->newton.bodies, result->newton.body_count);
    rbv_json_integer(json, "unknowns", result->newton.unknowns);
    rbv_json_integer(json, "equations", result->newton.equations);
    rbv_json_integer(json, "rank", result->newton.rank);
    rbv_json_integer(json, "gruebler", result->newton.gruebler);
    rbv_json_close(json, "}");
}

static void machine(RbvJson *json, const RbvResult *result) {
    rbv_json_number(json, "size", result->machine.size);
    rbv_json_number(json, "mass", result->machine.mass);
    rbv_json_numbers(json, "gravity", result->machine.gravity, result->machine.axes);
    if (!result->machine.corrected) {
        rbv_json_string(json, "largest_correction", NULL);
        return;
    }
    rbv_json_open(json, "largest_correction", "{");
    rbv_json_string(json, "body", result->machine.corrected);
    rbv_json_number(json, "distance", result->machine.distance);
    rbv_json_number(json, "angle", result->machine.angle);
    rbv_json_close(json, "}");
}

static void head(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "roberval", rbv_version());
    rbv_json_string(json, "analysis", result->analysis);
    rbv_json_string(json, "method", result->method);
    rbv_json_string(json, "frame", result->frame);
    rbv_json_open(json, "model", "{");
    rbv_json_string(json, "title", result->title);
    rbv_json_string(json, "file", result->file);
    machine(json, result);
    rbv_json_close(json, "}");
}

static void least_norm(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "redundant", result->redundant_by);
    rbv_json_open(json, "least_norm", "{");
    rbv_json_number(json, "length", result->length);
    rbv_json_string(json, "metric", "sum |F|^2 + |T|^2/L^2, T about the second marker, L = length [m]");
    rbv_json_close(json, "}");
}

static void analysis(RbvJson *json, const RbvResult *result) {
    if (result->held.parameter) {
        rbv_json_held(json, &result->held);
        return;
    }
    mobility(json, result);
    newton(json, result);
    idle(json, result);
    assembled(json, result);
    rbv_json_udwadia(json, &result->udwadia);
    rbv_json_null_space(json, &result->null_space);
    rbv_json_load_forces(json, &result->load_forces);
    rbv_json_coordinates(json, &result->coordinates);
    rbv_json_tree(json, &result->tree);
    rbv_json_natural(json, &result->natural);
    rbv_json_equilibria(json, result);
    if (result->oscillations.found) {
        rbv_json_modes(json, result);
        if (result->sample_count > 0)
            series(json, result);
        return;
    }
    rbv_json_followed(json, result);
    reactions(json, result);
    drives(json, result);
    others(json, result, "constraints", &result->constraints, true);
    if (result->stops.count > 0)
        others(json, result, "stops", &result->stops, true);
    others(json, result, "loads", &result->loads, false);
    if (result->residuals.count > 0)
        others(json, result, "residuals", &result->residuals, false);
    others(json, result, "outputs", &result->outputs, false);
    rbv_json_virtual(json, result);
    modes(json, result);
    integrability(json, result);
    multipliers(json, result);
    rows(json, result);
    asked(json, result);
    along_motion(json, result);
    least_norm(json, result);
    rbv_json_soft(json, &result->soft);
    if (result->integration.method)
        integration(json, &result->integration);
    audit(json, result);
    series(json, result);
}

char *rbv_result_json(const RbvResult *result) {
    if (!result)
        return NULL;
    RbvJson json = {.empty = true};
    if (result->json) {
        rbv_text_add(&json.text, result->json);
        return rbv_text_take(&json.text);
    }
    rbv_text_add(&json.text, "{");
    json.depth = 1;
    if (!result->bare)
        head(&json, result);
    if (result->bare)
        rbv_json_bare(&json, result);
    else if (result->info.found)
        rbv_json_info(&json, &result->info);
    else
        analysis(&json, result);
    rbv_json_strings(&json, "notes", result->notes, result->note_count);
    rbv_json_close(&json, "}");
    rbv_text_add(&json.text, "\n");
    return rbv_text_take(&json.text);
}
