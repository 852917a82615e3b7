/* Contents of a model as members of result.json; see json_info.h. */
#include "output/write/json_info.h"

static void bodies(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "bodies", "{");
    for (int32_t k = 0; k < info->body_count; k++) {
        const RbvInfoBody *b = &info->bodies[k];
        rbv_json_open(json, b->name, "{");
        rbv_json_number(json, "mass", b->mass);
        rbv_json_numbers(json, "centroid", b->centroid, info->spatial ? 3 : 2);
        rbv_json_bool(json, "particle", b->moments == 0);
        rbv_json_numbers(json, "principal_moments", b->moment, b->moments);
        rbv_json_numbers(json, "radii_of_gyration", b->radius, b->moments);
        rbv_json_integer(json, "markers", b->markers);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void kinds(RbvJson *json, const char *name, const RbvInfoCount *list, int32_t count) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < count; k++)
        rbv_json_integer(json, list[k].kind, list[k].count);
    rbv_json_close(json, "}");
}

static void joints(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "joints", "{");
    for (int32_t k = 0; k < info->joint_count; k++) {
        const RbvInfoJoint *j = &info->joints[k];
        rbv_json_open(json, j->name, "{");
        rbv_json_string(json, "type", j->kind);
        rbv_json_strings(json, "between", (const char *const[]){j->first, j->second}, 2);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* {name: word} */
static void words(RbvJson *json, const char *name, const RbvInfoList *list) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++)
        rbv_json_string(json, list->items[k].name, list->items[k].word);
    rbv_json_close(json, "}");
}

/* {name: {value, unit}}; parameters also have "by": the option that gave the value. */
static void values(RbvJson *json, const char *name, const RbvInfoList *list, bool by) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++) {
        rbv_json_open(json, list->items[k].name, "{");
        rbv_json_number(json, "value", list->items[k].value);
        rbv_json_string(json, "unit", list->items[k].unit);
        if (by)
            rbv_json_string(json, "by", list->items[k].word);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* The user's coordinates: {name: {is, unit}}. */
static void named(RbvJson *json, const RbvInfoList *list) {
    rbv_json_open(json, "coordinates", "{");
    for (int32_t k = 0; k < list->count; k++) {
        rbv_json_open(json, list->items[k].name, "{");
        rbv_json_string(json, "is", list->items[k].word);
        rbv_json_string(json, "unit", list->items[k].unit);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

static void tables(RbvJson *json, const RbvInfo *info) {
    rbv_json_open(json, "tables", "{");
    for (int32_t k = 0; k < info->tables.count; k++) {
        const RbvInfoItem *t = &info->tables.items[k];
        rbv_json_open(json, t->name, "{");
        rbv_json_string(json, "unit", t->unit);
        rbv_json_number(json, "from", t->from);
        rbv_json_number(json, "to", t->to);
        rbv_json_string(json, "unit_of_argument", t->unit_x);
        rbv_json_bool(json, "periodic", t->word != NULL);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

/* {name: unit} */
static void units(RbvJson *json, const char *name, const RbvInfoList *list) {
    rbv_json_open(json, name, "{");
    for (int32_t k = 0; k < list->count; k++)
        rbv_json_string(json, list->items[k].name, list->items[k].unit);
    rbv_json_close(json, "}");
}

void rbv_json_info(RbvJson *json, const RbvInfo *info) {
    rbv_json_string(json, "space", info->spatial ? "spatial" : "planar");
    rbv_json_number(json, "total_mass", info->mass);
    rbv_json_number(json, "size", info->size);
    rbv_json_numbers(json, "gravity", info->gravity, info->spatial ? 3 : 2);
    if (info->has_motion) {
        rbv_json_open(json, "motion", "{");
        rbv_json_number(json, "from", info->from);
        rbv_json_number(json, "to", info->to);
        rbv_json_number(json, "step", info->step);
        rbv_json_close(json, "}");
    } else {
        rbv_json_string(json, "motion", NULL);
    }
    rbv_json_integer(json, "rows", info->rows);
    bodies(json, info);
    kinds(json, "joint_kinds", info->joint_kinds, info->joint_kind_count);
    joints(json, info);
    named(json, &info->coordinates);
    words(json, "constraints", &info->constraints);
    words(json, "drives", &info->drives);
    kinds(json, "load_kinds", info->load_kinds, info->load_kind_count);
    words(json, "loads", &info->loads);
    values(json, "initial", &info->initial, false);
    values(json, "parameters", &info->parameters, true);
    tables(json, info);
    words(json, "stops", &info->stops);
    words(json, "events", &info->events);
    words(json, "conditions", &info->conditions);
    units(json, "states", &info->states);
    units(json, "generalized", &info->generalized);
    words(json, "required", &info->required);
    words(json, "actuators", &info->actuators);
    units(json, "outputs", &info->outputs);
    rbv_json_strings(json, "files", info->files, info->file_count);
}
