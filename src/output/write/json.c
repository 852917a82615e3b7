/* result.json: the sections in their order. A value that is missing is null, never NaN. */
#include "model/result/scene.h"
#include "output/write/files.h"
#include "output/write/sections.h"

#include <math.h>
#include <string.h>

static void write_integration(RbvJson *json, const RbvIntegration *found) {
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

static void write_audit(RbvJson *json, const RbvResult *result) {
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

static void write_series(RbvJson *json, const RbvResult *result) {
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

static void write_machine(RbvJson *json, const RbvResult *result) {
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

static void write_head(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "roberval", rbv_version());
    rbv_json_string(json, "analysis", result->analysis);
    rbv_json_string(json, "method", result->method);
    rbv_json_string(json, "frame", result->frame);
    rbv_json_open(json, "model", "{");
    rbv_json_string(json, "title", result->title);
    rbv_json_string(json, "file", result->file);
    write_machine(json, result);
    rbv_json_close(json, "}");
}

static void write_least_norm(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "redundant", result->redundant_by);
    rbv_json_open(json, "least_norm", "{");
    rbv_json_number(json, "length", result->length);
    rbv_json_string(json, "metric", "sum |F|^2 + |T|^2/L^2, T about the second marker, L = length [m]");
    rbv_json_close(json, "}");
}

/* "virtual_motions": {"A.Fx": {"bodies": {"rod": {velocity, angular}}}, "rod.row1": {"points": {"rod.A": [vx, vy]}}};
 * null if the other rows still prevent the motion that the removed row would free. */

static void write_virtual_body(RbvJson *json, const RbvResult *result, const RbvVirtualBody *moved) {
    rbv_json_open(json, moved->name, "{");
    rbv_json_numbers(json, "velocity", moved->velocity, 3);
    if (result->planar_motions)
        rbv_json_number(json, "angular", moved->angular[2]);
    else
        rbv_json_numbers(json, "angular", moved->angular, 3);
    rbv_json_close(json, "}");
}

static void write_virtual_motions(RbvJson *json, const RbvResult *result) {
    if (result->virtual_motion_count == 0)
        return;
    rbv_json_open(json, "virtual_motions", "{");
    for (int32_t k = 0; k < result->virtual_motion_count; k++) {
        const RbvVirtualMotion *motion = &result->virtual_motions[k];
        if (!motion->found) {
            rbv_json_string(json, motion->name, NULL);
            continue;
        }
        rbv_json_open(json, motion->name, "{");
        rbv_json_open(json, motion->stretches ? "points" : "bodies", "{");
        for (int32_t b = 0; b < motion->body_count; b++)
            if (motion->stretches)
                rbv_json_numbers(json, motion->bodies[b].name, motion->bodies[b].velocity,
                                 result->planar_motions ? 2 : 3);
            else
                write_virtual_body(json, result, &motion->bodies[b]);
        rbv_json_close(json, "}");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* Errors of penalties, and multipliers of the augmented method, as members of result.json. */

static void write_soft_row(RbvJson *json, const RbvSoftRow *row) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, row->row.element, row->row.entry->name);
    rbv_json_string(json, "holds", row->row.holds);
    rbv_json_string(json, "verdict", rbv_verdict_name(row->row.verdict));
    rbv_json_number(json, "value", row->value);
    rbv_json_string(json, "unit", row->unit);
    rbv_json_number(json, "alpha", row->alpha);
    rbv_json_close(json, "}");
}

static void write_soft(RbvJson *json, const RbvSoftRows *soft) {
    if (!soft->found)
        return;
    rbv_json_open(json, "penalty", "{");
    rbv_json_number(json, "coefficient", soft->coefficient);
    rbv_json_number(json, "acceleration_error", soft->acceleration_error);
    rbv_json_number(json, "force_error", soft->force_error);
    rbv_json_close(json, "}");
    if (!soft->augmented)
        return;
    rbv_json_open(json, "augmented", "{");
    rbv_json_integer(json, "rounds", soft->rounds);
    if (soft->row_count > 0) {
        rbv_json_number(json, "at", soft->at);
        rbv_json_open(json, "multipliers", "[");
        for (int32_t k = 0; k < soft->row_count; k++)
            write_soft_row(json, &soft->rows[k]);
        rbv_json_close(json, "]");
    }
    rbv_json_close(json, "}");
}

/* An analysis that failed before its first sample and left only a scene, which stands in scene.json: no numbers. */
static void write_bare(RbvJson *json, const RbvResult *result) {
    rbv_json_string(json, "roberval", rbv_version());
    rbv_json_string(json, "analysis", result->analysis);
    rbv_json_open(json, "model", "{");
    rbv_json_string(json, "title", result->title);
    rbv_json_string(json, "file", result->file);
    rbv_json_close(json, "}");
    rbv_json_string(json, "failure", result->scene->failed.text);
}

static void write_analysis(RbvJson *json, const RbvResult *result) {
    if (result->held.parameter) {
        rbv_json_held(json, &result->held);
        return;
    }
    rbv_json_mobility(json, result);
    rbv_json_assembled(json, result);
    rbv_json_coordinates(json, result);
    rbv_json_equilibria(json, result);
    if (result->oscillations.found) {
        rbv_json_modes(json, result);
        if (result->sample_count > 0)
            write_series(json, result);
        return;
    }
    rbv_json_followed(json, result);
    rbv_json_reactions(json, result);
    rbv_json_drives(json, result);
    rbv_json_sizing(json, result);
    rbv_json_entries(json, result, "constraints", &result->constraints, true);
    if (result->stops.count > 0)
        rbv_json_entries(json, result, "stops", &result->stops, true);
    rbv_json_entries(json, result, "loads", &result->loads, false);
    if (result->residuals.count > 0)
        rbv_json_entries(json, result, "residuals", &result->residuals, false);
    rbv_json_entries(json, result, "outputs", &result->outputs, false);
    write_virtual_motions(json, result);
    rbv_json_advice(json, result);
    rbv_json_integrability(json, result);
    rbv_json_verdicts(json, result);
    write_least_norm(json, result);
    write_soft(json, &result->soft);
    if (result->integration.method)
        write_integration(json, &result->integration);
    write_audit(json, result);
    write_series(json, result);
}

char *rbv_json_of_result(const RbvResult *result) {
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
        write_head(&json, result);
    if (result->bare)
        write_bare(&json, result);
    else if (result->info.found)
        rbv_json_info(&json, &result->info);
    else
        write_analysis(&json, result);
    rbv_json_strings(&json, "notes", result->notes, result->note_count);
    rbv_json_close(&json, "}");
    rbv_text_add(&json.text, "\n");
    return rbv_text_take(&json.text);
}
