/* Reads the sections of a model file item by item: all items of a section, or one item again. model->reading is the
 * current item, for which the parameters that it reads are recorded. */
#include "model/model/refill.h"
#include "model/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* track: required motions, actuators and the decay rate of errors. */

static void read_requirement(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *equation = NULL;
    bool rates;
    if (!rbv_open_equation(&fields, &label, &source, reader, key, dict, k, "requirement", &rates))
        return;
    rbv_fields_expression(&fields, rates ? "velocity" : "equation", &equation);
    if (equation)
        rbv_insert_requirement(reader->model, dict->keys[k], equation, rates, &source);
}

static void read_actuator(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    RbvSource silent = {0};
    const char *coordinate = NULL;
    double weight = 1, most = INFINITY;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "actuator", NULL))
        return;
    rbv_fields_text(&fields, "coordinate", &coordinate);
    rbv_fields_quantity(&fields, "weight", &weight);
    const RbvNode *node = rbv_fields_node(&fields, "max");
    RbvCoordinateRef of;
    RbvDimension dimension = RBV_DIM_ANY;
    if (coordinate && rbv_model_coordinate(reader->model, coordinate, &of, NULL, &silent))
        dimension = rbv_coordinate_effort_key(reader->model, &of);
    if (node)
        rbv_read_quantity(reader, node, dimension, "max", &most);
    if (coordinate && rbv_insert_actuator(reader->model, dict->keys[k], coordinate, weight, most, &source) == RBV_OK)
        rbv_read_rating(reader, &fields, dict->keys[k]);
}

/* Read the items of one map of track:. */
static void read_track_item(RbvReader *reader, const RbvFields *track, const char *name, RbvReadItem *read) {
    const RbvNode *dict = rbv_fields_node(track, name);
    if (dict && dict->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, dict->at, "%s: must be a map of names: %s", name, rbv_fields_key(track, name)->doc);
        reader->model->broken = true;
        return;
    }
    for (int32_t k = 0; dict && k < dict->count; k++)
        read(reader, rbv_fields_key(track, name), dict, k);
}

/* Read requirements, actuators and rate (things.c). */
static void read_track(RbvReader *reader, const RbvFields *top) {
    const RbvNode *node = rbv_fields_node(top, "track");
    RbvFields fields;
    if (!node ||
        !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(top, "track")->children, NULL, "track"))
        return;
    double rate = NAN;
    read_track_item(reader, &fields, "require", read_requirement);
    read_track_item(reader, &fields, "actuators", read_actuator);
    const RbvNode *required =
        rbv_fields_node(&fields, "require"); /* first the requirements, then their forces, which may use all efforts */
    for (int32_t k = 0; required && required->kind == RBV_NODE_MAP && k < required->count; k++) {
        const RbvNode *forces =
            required->items[k]->kind == RBV_NODE_MAP ? rbv_node_child(required->items[k], "nonideal") : NULL;
        if (forces && reader->model->actuators.count > 0) {
            rbv_reader_error(
                reader, forces->at,
                "nonideal: of a requirement is control on every coordinate; with actuators: forces are theirs alone");
            reader->model->broken = true;
        } else if (forces) {
            rbv_read_nonideal(reader, required, k);
        }
    }
    const RbvNode *at = rbv_fields_node(&fields, "rate");
    if (at && rbv_read_decay(reader, at, "rate", &rate) && rbv_model_set_track_rate(reader->model, rate) != RBV_OK) {
        rbv_reader_error(reader, at->at,
                         "the rate of track: must be positive, not %g; without it errors are not corrected", rate);
        reader->model->broken = true;
    }
}

static void read_motion(RbvReader *reader, const RbvFields *top) {
    const RbvNode *node = rbv_fields_node(top, "motion");
    RbvFields fields;
    if (!node ||
        !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(top, "motion")->children, NULL, "motion"))
        return;
    double from = 0, to = NAN, step = NAN;
    rbv_fields_quantity(&fields, "from", &from);
    rbv_fields_quantity(&fields, "to", &to);
    rbv_fields_quantity(&fields, "step", &step);
    if (isnan(to) || isnan(step))
        return;
    if (to < from)
        rbv_reader_error(reader, rbv_fields_node(&fields, "to")->at, "motion ends at %g s, before it starts at %g s",
                         to, from);
    else if (!(step > 0))
        rbv_reader_error(reader, rbv_fields_node(&fields, "step")->at, "the step of a motion must be positive");
    else if (rbv_model_set_motion(reader->model, from, to, step) != RBV_OK)
        rbv_reader_error(reader, node->at, "motion needs finite times");
}

/* [m/s^2] Ten times gravity on earth: larger values belong to rotating machines or have a wrong unit. */
#define MUCH_GRAVITY 98.0665

/* Note on a large gravity given without a unit: bare accelerations are in m/s^2, whatever the unit of lengths. */
static void note_gravity(RbvReader *reader, const RbvNode *node, const double gravity[3], int count) {
    bool is_bare = false;
    double sum = 0;
    for (int k = 0; k < count; k++) {
        is_bare = is_bare || (node->items[k]->type == RBV_SCALAR_NUMBER && gravity[k] != 0);
        sum += gravity[k] * gravity[k];
    }
    const RbvShownUnit *declared = &reader->model->bare_unit[RBV_DIM_ACCELERATION],
                       *length = &reader->model->bare_unit[RBV_DIM_LENGTH];
    if (!is_bare || declared->text || !(sqrt(sum) > MUCH_GRAVITY))
        return;
    const char *unit = length->text ? length->text : "mm";
    rbv_model_note(reader->model, reader->diagnostics, node->at,
                   "gravity is %.6g m/s^2, %.3g times that on earth: units of length do not change those of "
                   "accelerations; with a unit it is [0, -9.81 m/s^2], or in %s/s^2",
                   sqrt(sum), sqrt(sum) / 9.80665, unit);
}

static void read_gravity(RbvReader *reader, const RbvFields *top) {
    double gravity[3] = {0, 0, 0};
    int count = rbv_fields_quantities(top, "gravity", gravity);
    if (count > 0) {
        note_gravity(reader, rbv_fields_node(top, "gravity"), gravity, count);
        rbv_model_set_gravity(reader->model, gravity);
    }
}

static const struct {
    const char *key;
    RbvReadItem *read; /* NULL: the section is a single item */
} sections[RBV_SECTIONS] = {
    [RBV_SECTION_TABLES] = {"tables", rbv_read_table},
    [RBV_SECTION_GRAVITY] = {"gravity", NULL},
    [RBV_SECTION_BODIES] = {"bodies", rbv_read_body},
    [RBV_SECTION_JOINTS] = {"joints", rbv_read_joint},
    [RBV_SECTION_COORDINATES] = {"coordinates", rbv_read_coordinate},
    [RBV_SECTION_CONSTRAINTS] = {"constraints", rbv_read_constraint},
    [RBV_SECTION_DRIVES] = {"drives", rbv_read_drive},
    [RBV_SECTION_LOADS] = {"loads", rbv_read_load},
    [RBV_SECTION_STATE_NAMES] = {"states", rbv_read_state_name},
    [RBV_SECTION_STATES] = {"states", rbv_read_state},
    [RBV_SECTION_STOPS] = {"stops", rbv_read_stop},
    [RBV_SECTION_EVENTS] = {"events", rbv_read_event},
    [RBV_SECTION_TRACK] = {"track", NULL},
    [RBV_SECTION_INITIAL] = {"initial", rbv_read_initial},
    [RBV_SECTION_MOTION] = {"motion", NULL},
    [RBV_SECTION_OUTPUT] = {"output", rbv_read_output},
    [RBV_SECTION_GENERALIZED_NAMES] = {"generalized", NULL},
    [RBV_SECTION_GENERALIZED] = {"generalized", NULL},
};

/* Map from names to items of a section; NULL: the section is absent, or no map (error reported). */
static const RbvNode *things_of(RbvReader *reader, const RbvFields *top, RbvSection section) {
    const char *name = sections[section].key;
    const RbvNode *node = rbv_fields_node(top, name);
    if (!node || node->kind == RBV_NODE_MAP)
        return node;
    if (section == RBV_SECTION_TABLES)
        rbv_reader_error(reader, node->at,
                         "tables must be a map of names to tables: {lift: {file: lift.csv, x: angle, y: height}}");
    else if (section == RBV_SECTION_BODIES)
        rbv_reader_error(reader, node->at, "bodies must be a map of names to bodies: {crank: {mass: 2 kg}}");
    else
        rbv_reader_error(reader, node->at, "%s must be a map of names: %s; each has its name as key: {name: {...}}",
                         name, rbv_fields_key(top, name)->doc);
    return NULL;
}

static void read_section_item(RbvReader *reader, const RbvFields *top, const RbvNode *dict, RbvItem item) {
    reader->model->reading = item;
    if (item.section == RBV_SECTION_GRAVITY)
        read_gravity(reader, top);
    else if (item.section == RBV_SECTION_MOTION)
        read_motion(reader, top);
    else if (item.section == RBV_SECTION_TRACK)
        read_track(reader, top);
    else if (item.section == RBV_SECTION_GENERALIZED_NAMES)
        rbv_read_generalized_names(reader, top);
    else if (item.section == RBV_SECTION_GENERALIZED)
        rbv_read_generalized(reader, top);
    else
        sections[item.section].read(reader, rbv_fields_key(top, sections[item.section].key), dict, item.index);
    reader->model->reading = (RbvItem){RBV_SECTION_NONE, 0};
}

/* Read the nonideal forces of a constraint. */
static void read_work(RbvReader *reader, const RbvNode *dict, RbvItem constraint) {
    reader->model->reading = constraint;
    rbv_read_nonideal(reader, dict, constraint.index);
    reader->model->reading = (RbvItem){RBV_SECTION_NONE, 0};
}

/* Record the indices at which a joint inserts its unnamed markers and loads. */
static void note_places(RbvModel *model) {
    int32_t k = rbv_model_grow(model, &model->joint_places, sizeof(RbvJointPlaces));
    if (k >= 0)
        model->joint_places.items[k] = (RbvJointPlaces){model->markers.count, model->loads.count};
}

/* Report a state name that is used by an item of a later section. States are read first, so that the name table does
 * not have these names yet. */
static bool is_free_name(RbvReader *reader, const RbvFields *top, const RbvNode *dict, int32_t k) {
    static const struct {
        const char *section, *item;
    } others[] = {{"bodies", "body"},  {"joints", "joint"}, {"constraints", "constraint"},
                  {"drives", "drive"}, {"loads", "load"},   {"stops", "stop"}};
    for (size_t n = 0; n < sizeof others / sizeof *others; n++) {
        const RbvNode *map = rbv_fields_node(top, others[n].section);
        for (int32_t j = 0; map && map->kind == RBV_NODE_MAP && j < map->count; j++)
            if (strcmp(map->keys[j], dict->keys[k]) == 0) {
                rbv_reader_error(reader, dict->key_at[k], "the name '%s' is taken by a %s; a state needs another",
                                 dict->keys[k], others[n].item);
                reader->model->broken = true;
                return false;
            }
    }
    return true;
}

void rbv_read_section(RbvReader *reader, const RbvFields *top, RbvSection section) {
    if (!sections[section].read) {
        read_section_item(reader, top, NULL, (RbvItem){section, 0});
        return;
    }
    const RbvNode *dict = things_of(reader, top, section);
    if (dict && section == RBV_SECTION_COORDINATES)
        rbv_announce_coordinates(reader, dict);
    for (int32_t k = 0; dict && k < dict->count; k++) {
        if (section == RBV_SECTION_JOINTS && reader->model->journal)
            note_places(reader->model);
        if ((section == RBV_SECTION_STATE_NAMES && !is_free_name(reader, top, dict, k)) ||
            (section == RBV_SECTION_STATES && rbv_model_find(reader->model, dict->keys[k], RBV_NAMED_STATE) < 0))
            continue;
        read_section_item(reader, top, dict, (RbvItem){section, k});
    }
    for (int32_t k = 0; dict && section == RBV_SECTION_CONSTRAINTS && k < dict->count; k++)
        read_work(reader, dict, (RbvItem){section, k});
}

void rbv_read_again(RbvReader *reader, const RbvFields *top, RbvItem item) {
    RbvModel *model = reader->model;
    const RbvNode *dict = sections[item.section].read ? rbv_fields_node(top, sections[item.section].key) : NULL;
    const RbvKept *before = model->refill->kept;
    if (item.section == RBV_SECTION_JOINTS)
        rbv_refill_joint(model, item.index);
    read_section_item(reader, top, dict, item);
    if (item.section == RBV_SECTION_CONSTRAINTS)
        read_work(reader, dict, item);
    int32_t body =
        item.section == RBV_SECTION_BODIES ? rbv_model_find(model, dict->keys[item.index], RBV_NAMED_BODY) : -1;
    if (body >= 0)
        rbv_refill_note_moved(model, body, before);
}
