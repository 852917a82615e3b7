/* result.json (MODEL.md section 9). What has no value is null, never NaN. */
#include "base/text.h"
#include "result/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Json {
    RbvText text;
    int depth;
    bool empty; /* nothing yet in the innermost object or list */
} Json;

static void separate(Json *json) {
    if (!json->empty)
        rbv_text_add(&json->text, ",");
    rbv_text_add(&json->text, "\n");
    for (int k = 0; k < json->depth; k++)
        rbv_text_add(&json->text, " ");
    json->empty = false;
}

static void put_string(Json *json, const char *string) {
    rbv_text_add(&json->text, "\"");
    for (const char *c = string; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            rbv_text_format(&json->text, "\\%c", byte);
        else if (byte < 0x20)
            rbv_text_format(&json->text, "\\u%04x", byte);
        else
            rbv_text_append(&json->text, c, 1);
    }
    rbv_text_add(&json->text, "\"");
}

static void put_number(Json *json, double value) {
    if (isfinite(value))
        rbv_text_number(&json->text, value);
    else
        rbv_text_add(&json->text, "null");
}

static void key(Json *json, const char *name) {
    separate(json);
    put_string(json, name);
    rbv_text_add(&json->text, ": ");
}

static void open_object(Json *json, const char *name, const char *bracket) {
    if (name)
        key(json, name);
    else
        separate(json);
    rbv_text_add(&json->text, bracket);
    json->depth++;
    json->empty = true;
}

static void close_object(Json *json, const char *bracket) {
    json->depth--;
    if (!json->empty) {
        rbv_text_add(&json->text, "\n");
        for (int k = 0; k < json->depth; k++)
            rbv_text_add(&json->text, " ");
    }
    rbv_text_add(&json->text, bracket);
    json->empty = false;
}

static void string_member(Json *json, const char *name, const char *value) {
    key(json, name);
    if (value)
        put_string(json, value);
    else
        rbv_text_add(&json->text, "null");
}

static void number_member(Json *json, const char *name, double value) {
    key(json, name);
    put_number(json, value);
}

static void integer_member(Json *json, const char *name, int32_t value) {
    key(json, name);
    rbv_text_format(&json->text, "%d", (int)value);
}

static void extremes(Json *json, const RbvResult *result, int32_t column) {
    RbvSummary s = rbv_result_summary(result, column);
    number_member(json, "first", s.first);
    number_member(json, "min", s.min);
    number_member(json, "max", s.max);
    number_member(json, "at_min", s.at_min);
    number_member(json, "at_max", s.at_max);
}

/* "joint.Fx" -> "Fx" */
static const char *part(const RbvResult *result, int32_t column) {
    const char *dot = strchr(result->columns[column].name, '.');
    return dot ? dot + 1 : result->columns[column].name;
}

static void range(Json *json, const RbvResult *result, int32_t column) {
    if (!result->columns[column].has_range)
        return;
    number_member(json, "range_min", result->columns[column].range[0]);
    number_member(json, "range_max", result->columns[column].range[1]);
}

static void component(Json *json, const RbvResult *result, int32_t column) {
    open_object(json, part(result, column), "{");
    string_member(json, "unit", result->columns[column].unit);
    string_member(json, "verdict", rbv_verdict_name(result->columns[column].verdict));
    extremes(json, result, column);
    range(json, result, column);
    close_object(json, "}");
}

static void reactions(Json *json, const RbvResult *result) {
    open_object(json, "reactions", "{");
    for (int32_t k = 0; k < result->joints.count; k++) {
        const RbvEntry *entry = &result->joints.items[k];
        open_object(json, entry->name, "{");
        string_member(json, "type", entry->kind);
        string_member(json, "on", entry->on);
        string_member(json, "by", entry->by);
        string_member(json, "verdict", rbv_verdict_name(rbv_result_entry_verdict(result, entry)));
        open_object(json, "resultant", "{");
        string_member(json, "unit", "N");
        extremes(json, result, entry->resultant);
        close_object(json, "}");
        open_object(json, "components", "{");
        for (int32_t c = entry->first; c < entry->first + entry->count; c++)
            component(json, result, c);
        close_object(json, "}");
        close_object(json, "}");
    }
    close_object(json, "}");
}

static void drives(Json *json, const RbvResult *result) {
    open_object(json, "drives", "{");
    for (int32_t k = 0; k < result->drives.count; k++) {
        const RbvEntry *entry = &result->drives.items[k];
        open_object(json, entry->name, "{");
        string_member(json, "unit", result->columns[entry->first].unit);
        string_member(json, "verdict", rbv_verdict_name(result->columns[entry->first].verdict));
        extremes(json, result, entry->first);
        range(json, result, entry->first);
        number_member(json, "rms", rbv_result_summary(result, entry->first).rms);
        number_member(json, "peak_power", rbv_result_summary(result, entry->power).peak);
        close_object(json, "}");
    }
    close_object(json, "}");
}

static void others(Json *json, const RbvResult *result, const char *name, const RbvList *list, bool verdicts) {
    open_object(json, name, "{");
    for (int32_t k = 0; k < list->count; k++) {
        const RbvEntry *entry = &list->items[k];
        open_object(json, entry->name, "{");
        if (*entry->kind)
            string_member(json, "type", entry->kind);
        for (int32_t c = entry->first; c < entry->first + entry->count; c++) {
            if (entry->count > 1) {
                component(json, result, c);
                continue;
            }
            string_member(json, "unit", result->columns[c].unit);
            if (verdicts || result->columns[c].has_verdict)
                string_member(json, "verdict", rbv_verdict_name(result->columns[c].verdict));
            extremes(json, result, c);
        }
        close_object(json, "}");
    }
    close_object(json, "}");
}

static void mobility(Json *json, const RbvResult *result) {
    const RbvMobility *m = &result->mobility;
    open_object(json, "mobility", "{");
    integer_member(json, "coordinates", m->coordinates);
    integer_member(json, "rows", m->rows);
    integer_member(json, "rank", m->rank);
    integer_member(json, "redundant", m->redundant);
    integer_member(json, "degrees_of_freedom", m->degrees_of_freedom);
    integer_member(json, "degrees_of_freedom_position", m->degrees_of_freedom_position);
    integer_member(json, "gruebler", m->gruebler);
    integer_member(json, "mobility_without_drives", m->mobility);
    number_member(json, "redundant_permanent", m->permanent < 0 ? (double)NAN : (double)m->permanent);
    number_member(json, "redundant_momentary", m->permanent < 0 ? (double)NAN : (double)(m->redundant - m->permanent));
    open_object(json, "decision", "{");
    key(json, "safe");
    rbv_text_add(&json->text, result->rank_safe ? "true" : "false");
    string_member(json, "criterion", result->criterion);
    key(json, "sparse");
    rbv_text_add(&json->text, result->rank_sparse ? "true" : "false");
    key(json, "exact");
    rbv_text_add(&json->text, result->rank_exact ? "true" : "false");
    number_member(json, "smallest_kept", result->rank_smallest);
    number_member(json, "largest_dropped", result->rank_dropped);
    number_member(json, "threshold", result->rank_tau);
    number_member(json, "margin", result->rank_tau > 0 ? result->rank_smallest / result->rank_tau : NAN);
    close_object(json, "}");
    close_object(json, "}");
}

static void shares(Json *json, const char *name, const RbvMode *mode) {
    open_object(json, name, "{");
    for (int32_t n = 0; n < mode->count; n++)
        number_member(json, mode->shares[n].name, mode->shares[n].share);
    close_object(json, "}");
}

static void strings(Json *json, const char *name, const char *const *list, int32_t count) {
    open_object(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        separate(json);
        put_string(json, list[k]);
    }
    close_object(json, "]");
}

static void remedies(Json *json, const char *name, const RbvRemedy *list, int32_t count, bool freeing) {
    open_object(json, name, "[");
    for (int32_t k = 0; k < count; k++) {
        open_object(json, NULL, "{");
        strings(json, freeing ? "directions" : "at", list[k].names, list[k].count);
        if (freeing) {
            open_object(json, "replace", "{");
            for (int32_t n = 0; n < list[k].count; n++) {
                const char *dot = strchr(list[k].names[n], '.');
                char joint[200];
                size_t length = dot ? (size_t)(dot - list[k].names[n]) : strlen(list[k].names[n]);
                if (!list[k].instead[n] || length >= sizeof joint)
                    continue;
                memcpy(joint, list[k].names[n], length);
                joint[length] = '\0';
                string_member(json, joint, list[k].instead[n]);
            }
            close_object(json, "}");
        }
        number_member(json, "independence", list[k].independence);
        close_object(json, "}");
    }
    close_object(json, "]");
}

static void modes(Json *json, const RbvResult *result) {
    open_object(json, "self_stress", "[");
    for (int32_t k = 0; k < result->mode_count; k++) {
        shares(json, NULL, &result->modes[k]);
    }
    close_object(json, "]");
    if (!result->described) {
        string_member(json, "groups", NULL);
        string_member(json, "advice", NULL);
        return;
    }
    if (result->groups_skipped)
        string_member(json, "groups", NULL);
    else
        open_object(json, "groups", "[");
    for (int32_t k = 0; k < result->group_count && !result->groups_skipped; k++) {
        open_object(json, NULL, "{");
        shares(json, "combination", &result->groups[k]);
        string_member(json, "verdict", "unique");
        close_object(json, "}");
    }
    if (!result->groups_skipped)
        close_object(json, "]");
    open_object(json, "advice", "[");
    for (int32_t k = 0; k < result->cluster_count; k++) {
        const RbvCluster *cluster = &result->clusters[k];
        open_object(json, NULL, "{");
        integer_member(json, "self_stresses", cluster->degree);
        strings(json, "between", cluster->names, cluster->count);
        remedies(json, "free", cluster->free, cluster->free_count, true);
        remedies(json, "measure", cluster->measure, cluster->measure_count, false);
        remedies(json, "compliance", cluster->comply, cluster->comply_count, false);
        close_object(json, "}");
    }
    close_object(json, "]");
}

static void asked(Json *json, const RbvResult *result) {
    if (result->asked_count == 0)
        return;
    open_object(json, "asked", "[");
    for (int32_t k = 0; k < result->asked_count; k++) {
        open_object(json, NULL, "{");
        string_member(json, "combination", result->asked[k].text);
        string_member(json, "verdict", rbv_verdict_name(result->asked[k].verdict));
        close_object(json, "}");
    }
    close_object(json, "]");
}

static void along_motion(Json *json, const RbvResult *result) {
    if (result->motion_samples == 0)
        return;
    open_object(json, "along_motion", "{");
    number_member(json, "from", result->motion_from);
    number_member(json, "to", result->motion_to);
    integer_member(json, "samples", result->motion_samples);
    open_object(json, "rank_changes", "[");
    for (int32_t k = 0; k < result->rank_change_count; k++) {
        open_object(json, NULL, "{");
        number_member(json, "time", result->rank_changes[k].time);
        integer_member(json, "rank", result->rank_changes[k].rank);
        integer_member(json, "redundant", result->rank_changes[k].redundant);
        key(json, "safe");
        rbv_text_add(&json->text, result->rank_changes[k].safe ? "true" : "false");
        close_object(json, "}");
    }
    close_object(json, "]");
    open_object(json, "verdict_changes", "[");
    for (int32_t k = 0; k < result->change_count; k++) {
        open_object(json, NULL, "{");
        number_member(json, "time", result->changes[k].time);
        string_member(json, "component", result->columns[result->changes[k].column].name);
        string_member(json, "verdict", rbv_verdict_name(result->changes[k].verdict));
        close_object(json, "}");
    }
    close_object(json, "]");
    close_object(json, "}");
}

/* A body's place, and its angle or quaternion. */
static void rest_body(Json *json, const double *row, const RbvEntry *body) {
    open_object(json, body->name, "{");
    open_object(json, "at", "[");
    for (int32_t k = 0; k < body->components; k++) {
        separate(json);
        put_number(json, row[body->first + k]);
    }
    close_object(json, "]");
    if (body->count - body->components == 1)
        number_member(json, "angle", row[body->first + body->components]);
    if (body->count - body->components == 4) {
        open_object(json, "quaternion", "[");
        for (int32_t k = 3; k < 7; k++) {
            separate(json);
            put_number(json, row[body->first + k]);
        }
        close_object(json, "]");
    }
    close_object(json, "}");
}

/* What each coordinate gains per unit of load along each. */
static void compliance(Json *json, const RbvEquilibrium *e) {
    int32_t count = e->coordinates.count;
    if (!e->compliance) {
        string_member(json, "compliance", NULL);
        return;
    }
    open_object(json, "compliance", "{");
    for (int32_t i = 0; i < count; i++) {
        open_object(json, e->coordinates.shares[i].name, "{");
        for (int32_t j = 0; j < count; j++)
            number_member(json, e->coordinates.shares[j].name, e->compliance[i * count + j]);
        close_object(json, "}");
    }
    close_object(json, "}");
}

static void equilibrium(Json *json, const char *name, const RbvEquilibrium *e) {
    open_object(json, name, "{");
    shares(json, "coordinates", &e->coordinates);
    open_object(json, "bodies", "{");
    for (int32_t k = 0; k < e->body_count; k++)
        rest_body(json, e->pose, &e->bodies[k]);
    close_object(json, "}");
    compliance(json, e);
    number_member(json, "energy", e->energy);
    string_member(json, "stability", e->stability);
    number_member(json, "curvature", e->curvature);
    string_member(json, "falls_by", e->falls_by);
    integer_member(json, "iterations", e->iterations);
    string_member(json, "method", e->method);
    if (isfinite(e->penalty)) {
        open_object(json, "penalty", "{");
        number_member(json, "coefficient", e->penalty);
        number_member(json, "position_error", e->penalty_error);
        close_object(json, "}");
    }
    close_object(json, "}");
}

/* statics: the one it rests in, and with --all every one found. */
static void equilibria(Json *json, const RbvResult *result) {
    if (!result->equilibrium.found)
        return;
    equilibrium(json, "equilibrium", &result->equilibrium);
    if (result->equilibrium_starts == 0)
        return;
    integer_member(json, "equilibria_starts", result->equilibrium_starts);
    open_object(json, "equilibria", "[");
    for (int32_t k = 0; k < result->equilibrium_count; k++)
        equilibrium(json, NULL, &result->equilibria[k]);
    close_object(json, "]");
}

static void event(Json *json, const RbvFollowed *f, const RbvEvent *e) {
    open_object(json, NULL, "{");
    string_member(json, "kind", e->kind);
    number_member(json, "at", e->at);
    integer_member(json, "sample", e->sample);
    string_member(json, "moves", e->place.falls_by);
    string_member(json, "before", e->before);
    string_member(json, "after", e->after);
    if (e->rises)
        string_member(json, "turns_at", (e->rises > 0) == (f->to > f->from) ? "most" : "least");
    equilibrium(json, "equilibrium", &e->place);
    if (e->lands)
        equilibrium(json, "lands", &e->landing);
    else if (strcmp(e->kind, "snap-through") == 0)
        string_member(json, "lands", NULL);
    close_object(json, "}");
}

/* statics --follow */
static void followed(Json *json, const RbvResult *result) {
    const RbvFollowed *f = &result->followed;
    if (!f->parameter)
        return;
    open_object(json, "follow", "{");
    string_member(json, "parameter", f->parameter);
    string_member(json, "unit", f->unit);
    number_member(json, "from", f->from);
    number_member(json, "to", f->to);
    number_member(json, "reached", f->reached);
    string_member(json, "ended", f->ended);
    integer_member(json, "places", result->sample_count);
    open_object(json, "events", "[");
    for (int32_t k = 0; k < f->event_count; k++)
        event(json, f, &f->events[k]);
    close_object(json, "]");
    if (f->last.found)
        equilibrium(json, "last", &f->last);
    close_object(json, "}");
}

static void audit(Json *json, const RbvResult *result) {
    if (!result->has_audit) {
        string_member(json, "audit", NULL);
        return;
    }
    open_object(json, "audit", "{");
    number_member(json, "max_force_imbalance", result->audit_force);
    number_member(json, "max_torque_imbalance", result->audit_torque);
    number_member(json, "max_power_imbalance", result->audit_power);
    number_member(json, "max_constraint_error", result->audit_constraint);
    close_object(json, "}");
}

static void series(Json *json, const RbvResult *result) {
    if (result->sample_count == 0) {
        string_member(json, "series", NULL);
        return;
    }
    open_object(json, "series", "{");
    string_member(json, "file", "series.csv");
    integer_member(json, "samples", result->sample_count);
    open_object(json, "columns", "[");
    for (int32_t c = 0; c < result->column_count; c++) {
        separate(json);
        put_string(json, result->columns[c].name);
    }
    close_object(json, "]");
    close_object(json, "}");
}

char *rbv_result_json(const RbvResult *result) {
    if (!result)
        return NULL;
    Json json = {.empty = true};
    rbv_text_add(&json.text, "{");
    json.depth = 1;
    string_member(&json, "roberval", rbv_version());
    string_member(&json, "analysis", result->analysis);
    string_member(&json, "method", result->method);
    string_member(&json, "frame", result->frame);
    open_object(&json, "model", "{");
    string_member(&json, "title", result->title);
    string_member(&json, "file", result->file);
    close_object(&json, "}");
    mobility(&json, result);
    equilibria(&json, result);
    followed(&json, result);
    reactions(&json, result);
    drives(&json, result);
    others(&json, result, "constraints", &result->constraints, true);
    others(&json, result, "loads", &result->loads, false);
    others(&json, result, "outputs", &result->outputs, false);
    modes(&json, result);
    asked(&json, result);
    along_motion(&json, result);
    string_member(&json, "redundant", result->redundant_by);
    open_object(&json, "least_norm", "{");
    number_member(&json, "length", result->length);
    string_member(&json, "metric", "sum |F|^2 + |T|^2/L^2, T about the second marker, L = length [m]");
    close_object(&json, "}");
    audit(&json, result);
    series(&json, result);
    open_object(&json, "notes", "[");
    for (int32_t k = 0; k < result->note_count; k++) {
        separate(&json);
        put_string(&json, result->notes[k]);
    }
    close_object(&json, "]");
    close_object(&json, "}");
    rbv_text_add(&json.text, "\n");
    return rbv_text_take(&json.text);
}
