/* Reads tolerances: deviations of misfits and parameters. */
#include "model/read/sections.h"

#include <stdio.h>
#include <string.h>

/* The joint and direction of "top.z", or the parameter. False: reported. */
static bool find_name(RbvReader *reader, const char *name, RbvPosition at, RbvTolerance *tolerance) {
    RbvModel *model = reader->model;
    char joint[RBV_NAME_MOST + 1];
    const char *dot = strrchr(name, '.');
    *tolerance = (RbvTolerance){.name = name, .joint = -1, .of = -1};
    if (!dot) {
        int32_t constant = rbv_name_table_find(&model->constants, name);
        tolerance->of = constant >= 0 && constant % 2 == 0 ? constant / 2 : -1;
    } else if ((size_t)(dot - name) < sizeof joint) {
        memcpy(joint, name, (size_t)(dot - name));
        joint[dot - name] = '\0';
        tolerance->joint = rbv_model_find(model, joint, RBV_NAMED_JOINT);
        tolerance->of = tolerance->joint >= 0 ? rbv_direction_find(dot + 1) : -1;
    }
    if (tolerance->of >= 0)
        return true;
    if (!dot)
        rbv_reader_error(reader, at, "tolerances: the model has no parameter '%s'; misfits are joint.x ... joint.rz",
                         name);
    else if (tolerance->joint < 0)
        rbv_reader_error(reader, at, "tolerances: there is no joint '%s'", joint);
    else
        rbv_reader_error(reader, at, "tolerances: '%s' is no misfit; there are x, y, z, rx, ry and rz", dot + 1);
    return false;
}

/* The size of a deviation, of the dimension of what deviates. False: reported. */
static bool read_size(RbvReader *reader, const RbvNode *node, RbvTolerance *tolerance) {
    RbvExprDimension measured;
    if (tolerance->joint >= 0)
        return rbv_read_quantity(reader, node, tolerance->of < 3 ? RBV_DIM_LENGTH : RBV_DIM_ANGLE, tolerance->name,
                                 &tolerance->size);
    RbvParameterValue value;
    if (!rbv_read_parameter_value(reader, node, tolerance->name, &value, &measured))
        return false;
    tolerance->size = value.value;
    return true;
}

static void read_tolerance(RbvReader *reader, const RbvNode *dict, int32_t k) {
    const RbvNode *node = dict->items[k];
    RbvPlaces places = {node, dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    RbvTolerance tolerance;
    bool good = find_name(reader, dict->keys[k], dict->key_at[k], &tolerance);
    if (good && node->kind == RBV_NODE_MAP) {
        const RbvNode *normal = rbv_node_child(node, "normal"), *uniform = rbv_node_child(node, "uniform");
        if (node->count != 1 || (!normal && !uniform)) {
            rbv_reader_error(reader, node->at, "the tolerance of '%s' is a quantity, {normal: ...} or {uniform: ...}",
                             tolerance.name);
            good = false;
        }
        tolerance.kind = normal ? RBV_TOLERANCE_NORMAL : RBV_TOLERANCE_UNIFORM;
        node = normal ? normal : uniform;
    }
    good = good && read_size(reader, node, &tolerance);
    if (good)
        rbv_insert_tolerance(reader->model, &tolerance, &source);
    reader->model->broken = reader->model->broken || !good;
}

void rbv_read_tolerances(RbvReader *reader, const RbvFields *top) {
    const RbvNode *dict = rbv_fields_node(top, "tolerances");
    if (dict && dict->kind != RBV_NODE_MAP)
        rbv_reader_error(reader, dict->at, "tolerances: must be a map such as {top.z: 0.1 mm}");
    for (int32_t k = 0; dict && dict->kind == RBV_NODE_MAP && k < dict->count; k++)
        read_tolerance(reader, dict, k);
}
