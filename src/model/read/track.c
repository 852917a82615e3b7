/* Reads track: required motions, actuators and the decay rate of errors. */
#include "model/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    if (coordinate)
        rbv_insert_actuator(reader->model, dict->keys[k], coordinate, weight, most, &source);
}

/* Read the items of one map of track:. */
static void read_item(RbvReader *reader, const RbvFields *track, const char *name, RbvReadItem *read) {
    const RbvNode *dict = rbv_fields_node(track, name);
    if (dict && dict->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, dict->at, "%s: must be a map of names: %s", name, rbv_fields_key(track, name)->doc);
        reader->model->broken = true;
        return;
    }
    for (int32_t k = 0; dict && k < dict->count; k++)
        read(reader, rbv_fields_key(track, name), dict, k);
}

void rbv_read_track(RbvReader *reader, const RbvFields *top) {
    const RbvNode *node = rbv_fields_node(top, "track");
    RbvFields fields;
    if (!node ||
        !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(top, "track")->children, NULL, "track"))
        return;
    double rate = NAN;
    read_item(reader, &fields, "require", read_requirement);
    read_item(reader, &fields, "actuators", read_actuator);
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
