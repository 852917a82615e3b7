/* `rotate:`: an axis and angle, a quaternion, or Euler angles about the body's own axes. */
#include "core/base/diagnostics.h"
#include "model/read/sections.h"

#include <string.h>

/* Largest deviation [1] of a quaternion's norm from 1: rounding of the digits written in the file. */
#define UNIT_QUATERNION 1e-6

static bool is_euler(const char *word) {
    if (strlen(word) != 3)
        return false;
    for (int k = 0; k < 3; k++)
        if (!strchr("xyz", word[k]) || (k > 0 && word[k] == word[k - 1]))
            return false;
    return true;
}

/* [turns] Larger angles are nearly always degrees without a unit. */
#define MOST_TURNS 2
static void note_turns(RbvReader *reader, RbvPosition at, double angle) {
    const double turn = 6.283185307179586;
    if (isfinite(angle) && fabs(angle) > MOST_TURNS * turn)
        rbv_model_note(reader->model, reader->diagnostics, at,
                       "a rotation by %.6g rad is %.3g turns: is its unit missing (deg)?", angle, angle / turn);
}

static bool from_axis(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    double axis[3] = {0, 0, 0}, angle = 0;
    const RbvNode *node = rbv_fields_node(fields, "axis");
    if (!node || !rbv_fields_node(fields, "angle")) {
        rbv_reader_error(reader, fields->node->at, "a rotation about an axis needs axis: and angle:");
        return false;
    }
    int32_t errors = rbv_diagnostics_errors(reader->diagnostics);
    rbv_fields_quantities(fields, "axis", axis);
    rbv_fields_quantity(fields, "angle", &angle);
    if (rbv_diagnostics_errors(reader->diagnostics) > errors)
        return false;
    RbvVec3 a = {axis[0], axis[1], axis[2]};
    double length = rbv_norm(a);
    if (!(length > 0) || !isfinite(length)) {
        rbv_reader_error(reader, node->at, "the axis of the rotation has no direction");
        return false;
    }
    note_turns(reader, rbv_fields_node(fields, "angle")->at, angle);
    *out = rbv_quat_of_vector(rbv_scale(angle / length, a));
    return true;
}

static bool from_quaternion(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    double x[4];
    if (rbv_fields_quantities(fields, "quaternion", x) == 0)
        return false;
    RbvQuat p = {x[0], {x[1], x[2], x[3]}};
    double length = rbv_quat_norm(p);
    if (!(fabs(length - 1) <= UNIT_QUATERNION)) {
        rbv_reader_error(reader, rbv_fields_node(fields, "quaternion")->at,
                         "the quaternion has the length %.9g; a rotation has length 1", length);
        return false;
    }
    *out = rbv_quat_normalised(p);
    return true;
}

static bool from_euler(RbvReader *reader, const RbvFields *fields, RbvQuat *out) {
    const char *word = NULL;
    double angle[3];
    rbv_fields_text(fields, "euler", &word);
    if (word && !is_euler(word)) {
        rbv_reader_error(reader, rbv_fields_node(fields, "euler")->at,
                         "'%s' is no order of Euler angles; it is three of x, y and z without equal neighbours, "
                         "such as zyx or zxz",
                         word);
        return false;
    }
    if (!rbv_fields_node(fields, "angles")) {
        rbv_reader_error(reader, fields->node->at, "Euler angles need angles: [first, second, third]");
        return false;
    }
    if (!word || rbv_fields_quantities(fields, "angles", angle) == 0)
        return false;
    *out = rbv_quat_identity();
    for (int k = 0; k < 3; k++)
        note_turns(reader, rbv_fields_node(fields, "angles")->at, angle[k]);
    for (int k = 0; k < 3; k++) /* each rotation is about an axis of the body as rotated so far */
        *out = rbv_quat_product(
            *out, rbv_quat_of_vector(rbv_vec3(word[k] == 'x' ? angle[k] : 0, word[k] == 'y' ? angle[k] : 0,
                                              word[k] == 'z' ? angle[k] : 0)));
    return true;
}

bool rbv_read_rotation(RbvReader *reader, const RbvFields *parent, RbvQuat *rotation) {
    const RbvNode *node = rbv_fields_key(parent, "rotate") ? rbv_fields_node(parent, "rotate") : NULL;
    RbvFields fields;
    if (!node)
        return true;
    if (!rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(parent, "rotate")->children, NULL, "rotate"))
        return false;
    bool axis = rbv_fields_node(&fields, "axis") || rbv_fields_node(&fields, "angle"),
         quaternion = rbv_fields_node(&fields, "quaternion") != NULL;
    bool euler = rbv_fields_node(&fields, "euler") || rbv_fields_node(&fields, "angles");
    if (axis + quaternion + euler != 1) {
        rbv_reader_error(reader, node->at,
                         "rotate is one of {axis, angle}, {quaternion: [w, x, y, z]} and {euler: zyx, angles: [...]}");
        return false;
    }
    return axis         ? from_axis(reader, &fields, rotation)
           : quaternion ? from_quaternion(reader, &fields, rotation)
                        : from_euler(reader, &fields, rotation);
}
