/* Joints, constraints, drives, loads, initial conditions and outputs, one at a time. */
#include "core/base/diagnostics.h"
#include "model/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INITIAL_TURNS 2

/* True if the value is `value: here`. */
static bool is_here(const RbvFields *fields) {
    const RbvNode *node = rbv_fields_key(fields, "value") ? rbv_fields_node(fields, "value") : NULL;
    return node && node->kind == RBV_NODE_SCALAR && node->text && strcmp(node->text, "here") == 0;
}

/* Read the condition `active:` of the item `name`, if there is one. */
static void read_condition(RbvReader *reader, const RbvFields *fields, RbvConditionOf of, const char *name,
                           RbvNamedKind kind, const RbvSource *source) {
    const RbvNode *node = rbv_fields_key(fields, "active") ? rbv_fields_node(fields, "active") : NULL;
    const char *text = NULL;
    int32_t index = rbv_model_find(reader->model, name, kind);
    bool here = is_here(fields);
    if (here && !node) {
        rbv_reader_error(reader, rbv_fields_node(fields, "value")->at,
                         "'%s' has value: here, but no active: that says when it engages", name);
        reader->model->broken = true;
    }
    double number;
    RbvUnit unit;
    const char *unit_text;
    if (node && node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING &&
        rbv_written_as(node->text, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY) {
        rbv_reader_error(reader, node->at, "active: is true or not, such as t > 2[s]; '%s' is a quantity", node->text);
        reader->model->broken = true;
        return;
    }
    if (node && index >= 0 && rbv_read_expression(reader, node, RBV_DIM_ANY, "active", &text))
        rbv_insert_condition(reader->model, of, index, name, text, here, source);
}

/* The text under `type`, or "" so that keys can be checked without it. */
static const char *type_of(const RbvNode *node) {
    for (int32_t k = 0; node->kind == RBV_NODE_MAP && k < node->count; k++)
        if (strcmp(node->keys[k], "type") == 0 && node->items[k]->kind == RBV_NODE_SCALAR && node->items[k]->text)
            return node->items[k]->text;
    return "";
}

static void read_curve(RbvReader *reader, const RbvFields *joint, const char *name, RbvCurveDef *curve) {
    const RbvNode *node = rbv_fields_key(joint, name) ? rbv_fields_node(joint, name) : NULL;
    RbvFields fields;
    if (reader->model->refill) /* tables of a model read again are kept */
        return;
    if (!node || !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(joint, name)->children, NULL, name))
        return;
    const char *file = NULL, *x = NULL, *y = NULL, *z = NULL;
    double *xs = NULL, *ys = NULL, *zs = NULL;
    RbvColumnUnit units[2];
    rbv_fields_text(&fields, "file", &file);
    rbv_fields_text(&fields, "x", &x);
    rbv_fields_text(&fields, "y", &y);
    rbv_fields_text(&fields, "z", &z);
    rbv_fields_bool(&fields, "closed", &curve->closed);
    rbv_fields_bool(&fields, "revolved", &curve->revolved);
    if (!file || !x || !y)
        return;
    RbvPosition file_at = rbv_fields_node(&fields, "file")->at, x_at = rbv_fields_node(&fields, "x")->at;
    if (z && !rbv_read_columns(reader, file, file_at, x, x_at, z, rbv_fields_node(&fields, "z")->at, RBV_DIM_LENGTH,
                               &curve->count, &xs, &zs, units)) {
        curve->count = 0;
        return;
    }
    curve->z = zs;
    if (rbv_read_columns(reader, file, rbv_fields_node(&fields, "file")->at, x, rbv_fields_node(&fields, "x")->at, y,
                         rbv_fields_node(&fields, "y")->at, RBV_DIM_LENGTH, &curve->count, &xs, &ys, units)) {
        curve->x = xs;
        curve->y = ys;
    }
}

static void read_damping(const RbvFields *fields, RbvJointDef *def) {
    const RbvKey *key = rbv_fields_key(fields, "damping");
    if (!key || !rbv_fields_node(fields, "damping"))
        return;
    if (key->kind == RBV_KEY_QUANTITIES) {
        def->damping_count = rbv_fields_quantities(fields, "damping", def->damping);
    } else {
        def->damping_count = 1;
        rbv_fields_quantity(fields, "damping", &def->damping[0]);
    }
}

static const char *const direction_names[6] = {"x", "y", "z", "rx", "ry", "rz"};

/* Read compliance: and misfit: by direction; a compliance may be a pair [least, largest]. */
static void read_compliance(RbvReader *reader, const RbvFields *joint, RbvJointDef *def) {
    static const char *const names[2] = {"compliance", "misfit"};
    for (int which = 0; which < 2; which++) {
        const RbvKey *key = rbv_fields_key(joint, names[which]);
        const RbvNode *node = key ? rbv_fields_node(joint, names[which]) : NULL;
        RbvFields fields;
        if (!node || !rbv_fields_open(&fields, reader, node, node->at, key->children, NULL, names[which]))
            continue;
        for (int k = 0; k < 6; k++) {
            double range[2] = {0, 0};
            if (!rbv_fields_key(&fields, direction_names[k]))
                continue;
            if (which == 1) {
                rbv_fields_quantity(&fields, direction_names[k], &def->misfit[k]);
                continue;
            }
            rbv_fields_range(&fields, direction_names[k], range);
            def->compliance[k] = range[0];
            def->compliance_most[k] = range[1];
        }
    }
}

static void read_friction(RbvReader *reader, const RbvFields *joint, RbvJointDef *def) {
    const RbvKey *key = rbv_fields_key(joint, "friction");
    const RbvNode *node = key && key->kind != RBV_KEY_LATER ? rbv_fields_node(joint, "friction") : NULL;
    RbvFields fields;
    if (!node || !rbv_fields_open(&fields, reader, node, node->at, key->children, NULL, "friction"))
        return;
    rbv_fields_quantity(&fields, "coefficient", &def->friction_coefficient);
    if (rbv_fields_node(&fields, "static"))
        rbv_fields_quantity(&fields, "static", &def->friction_static);
    rbv_fields_quantity(&fields, "radius", &def->friction_radius);
    if (rbv_fields_node(&fields, "normal"))
        rbv_fields_quantity(&fields, "normal", &def->friction_normal);
}

/* Read two sizes (radii [m], numbers of teeth); if the key is present but wrong (error reported), any pair is set, so
 * that the key is not reported as missing too. */
static void read_sizes(const RbvFields *fields, const char *name, double *out) {
    if (!rbv_fields_key(fields, name) || !rbv_fields_node(fields, name))
        return;
    double sizes[3];
    if (rbv_fields_quantities(fields, name, sizes) == 0)
        sizes[0] = 1, sizes[1] = 2;
    out[0] = sizes[0];
    out[1] = sizes[1];
}

/* What belongs to a joint that is entered: its ratings and its condition. */
static void read_beside(RbvReader *reader, const RbvFields *fields, const char *name, const RbvSource *source) {
    rbv_read_sized_joint(reader, fields, name);
    read_condition(reader, fields, RBV_CONDITION_JOINT, name, RBV_NAMED_JOINT, source);
}

void rbv_read_joint(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    const RbvNode *node = dict->items[k];
    RbvJointDef def = rbv_joint_def_default;
    def.name = dict->keys[k];
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *type = type_of(node);
    /* with an unknown type any key may be valid: report the type only */
    const RbvJointKind *kind = rbv_joint_kind_find(type);
    bool known = kind && kind->where & (reader->model->space == RBV_SPATIAL ? RBV_KIND_SPACE : RBV_KIND_PLANE);
    bool map = rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "joint", known ? type : NULL);
    if (map) {
        rbv_fields_text(&fields, "type", &def.type);
        rbv_fields_texts(&fields, "between", def.between);
    }
    if (!def.type || !def.between[0] || fields.incomplete) {
        RbvSource silent = {0}; /* reported already; the joint is inserted so that references are valid */
        rbv_insert_joint(reader->model, &def, &silent);
        return;
    }
    if (!known) {
        rbv_insert_joint(reader->model, &def, &source);
        return;
    }
    rbv_fields_quantity(&fields, "pitch", &def.pitch);
    def.has_at = rbv_fields_quantities(&fields, "at", def.at) > 0;
    def.has_axis = rbv_fields_quantities(&fields, "axis", def.axis) > 0;
    if (!is_here(&fields))
        rbv_fields_quantity(&fields, "value", &def.value);
    rbv_fields_quantity(&fields, "length", &def.length);
    read_sizes(&fields, "radii", def.radii);
    read_sizes(&fields, "teeth", def.teeth);
    rbv_fields_text(&fields, "carrier", &def.carrier);
    rbv_fields_quantity(&fields, "pressure_angle", &def.pressure_angle);
    rbv_fields_quantity(&fields, "helix_angle", &def.helix_angle);
    rbv_fields_bool(&fields, "internal", &def.internal);
    rbv_fields_bool(&fields, "crossed", &def.crossed);
    rbv_fields_quantity(&fields, "preload", &def.preload);
    rbv_fields_quantity(&fields, "radius", &def.radius);
    def.locked_count = rbv_fields_texts(&fields, "locked", def.locked);
    rbv_fields_bool(&fields, "flat", &def.flat);
    rbv_fields_bool(&fields, "lateral", &def.lateral);
    rbv_fields_bool(&fields, "unilateral", &def.unilateral);
    rbv_fields_quantity(&fields, "restitution", &def.restitution);
    rbv_fields_quantity(&fields, "penalty", &def.penalty);
    read_compliance(reader, &fields, &def);
    read_friction(reader, &fields, &def);
    read_curve(reader, &fields, "curve", &def.curve);
    read_curve(reader, &fields, "curve2", &def.curve2);
    read_damping(&fields, &def);
    if (rbv_fields_node(&fields, "curve") && strcmp(type, "cam") == 0 && def.curve.count == 0 &&
        !reader->model->refill) {
        reader->model->broken = true; /* errors of the file are reported already; a link replaces the joint */
        def.type = "link";
        def.length = 1;
    }
    if (rbv_insert_joint(reader->model, &def, &source) == RBV_OK)
        read_beside(reader, &fields, def.name, &source);
}

void rbv_announce_coordinates(RbvReader *reader, const RbvNode *dict) {
    for (int32_t k = 0; k < dict->count; k++) {
        RbvPlaces places = {dict->items[k], dict->key_at[k]};
        RbvSource source = rbv_reader_source(reader, &places);
        rbv_announce_coordinate(reader->model, dict->keys[k], &source);
    }
}

void rbv_read_coordinate(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    (void)key;
    RbvPlaces places = {dict->items[k], dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    const char *text = NULL;
    if (!rbv_model_has_coordinate(reader->model, dict->keys[k])) /* the name is invalid (error reported) */
        return;
    if (rbv_read_expression(reader, dict->items[k], RBV_DIM_ANY, dict->keys[k], &text))
        rbv_insert_coordinate(reader->model, dict->keys[k], text, &source);
    else
        rbv_lose_coordinate(reader->model, dict->keys[k]);
}

bool rbv_open_equation(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                       const RbvNode *dict, int32_t k, const char *kind, bool *rates) {
    if (!rbv_fields_open_item(fields, label, source, reader, key, dict, k, kind, NULL))
        return false;
    bool position = rbv_fields_node(fields, "equation") != NULL;
    *rates = rbv_fields_node(fields, "velocity") != NULL;
    if (position != *rates)
        return true;
    rbv_reader_error(reader, dict->key_at[k],
                     position ? "%s has equation: and velocity:; one of them is enough"
                              : "%s needs equation: (of coordinates) or velocity: (of their rates)",
                     fields->what);
    reader->model->broken = true;
    return false;
}

void rbv_read_constraint(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *equation = NULL;
    bool rates;
    if (!rbv_open_equation(&fields, &label, &source, reader, key, dict, k, "constraint", &rates))
        return;
    int here = 0;
    rbv_fields_choice(&fields, "value", &here);
    if (rates && is_here(&fields)) {
        rbv_reader_error(reader, dict->key_at[k],
                         "%s holds rates, which stand nowhere: value: here belongs to equation:", fields.what);
        reader->model->broken = true;
    }
    rbv_fields_expression(&fields, rates ? "velocity" : "equation", &equation);
    if (equation && rbv_insert_constraint(reader->model, dict->keys[k], equation, rates, &source) == RBV_OK)
        read_condition(reader, &fields, RBV_CONDITION_CONSTRAINT, dict->keys[k], RBV_NAMED_CONSTRAINT, &source);
}

void rbv_read_nonideal(RbvReader *reader, const RbvNode *dict, int32_t k) {
    const RbvNode *forces = dict->items[k]->kind == RBV_NODE_MAP ? rbv_node_child(dict->items[k], "nonideal") : NULL;
    int32_t constraint = rbv_model_find(reader->model, dict->keys[k], RBV_NAMED_CONSTRAINT);
    RbvPlaces places = {dict->items[k], dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    if (!forces || constraint < 0)
        return;
    if (forces->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, forces->at,
                         "nonideal: must be a map of coordinates to forces: {\"x(bead)\": \"-2*x(bead)'\"}");
        reader->model->broken = true;
        return;
    }
    for (int32_t n = 0; n < forces->count; n++) {
        const char *text = NULL;
        int32_t measure = -1;
        RbvPlaces key_places = {forces->items[n], forces->key_at[n]};
        RbvSource key_source = rbv_reader_source(reader, &key_places);
        if (!rbv_nonideal_measure(reader->model, forces->keys[n], &measure, NULL, &key_source))
            reader->model->broken = true;
        else if (rbv_read_expression(reader, forces->items[n], rbv_nonideal_dimension(reader->model, measure),
                                     forces->keys[n], &text))
            rbv_insert_nonideal(reader->model, constraint, forces->keys[n], text, &source);
    }
}

/* True if the node is a quantity such as "30 mm" for a coordinate whose dimension is not that of a key. */
static bool quantity_suits(RbvReader *reader, const RbvNode *node, const RbvCoordinateRef *of, const char *coordinate) {
    double number;
    RbvUnit unit;
    const char *unit_text;
    RbvPlaces places = {node, node->at};
    RbvSource source = rbv_reader_source(reader, &places);
    if (of->named < 0 || node->kind != RBV_NODE_SCALAR || node->type != RBV_SCALAR_STRING ||
        rbv_written_as(node->text, &number, &unit, &unit_text) != RBV_WRITTEN_QUANTITY)
        return true;
    bool good = rbv_coordinate_takes(reader->model, of, coordinate,
                                     (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents}, "", &source);
    reader->model->broken = reader->model->broken || !good;
    return good;
}

/* Read max: and catch_up: of a drive. */
static void read_drive_limit(RbvReader *reader, const RbvFields *fields, const char *name, const RbvCoordinateRef *of,
                             const RbvSource *source) {
    const RbvNode *node = rbv_fields_node(fields, "max"), *rate = rbv_fields_node(fields, "catch_up");
    const char *most = NULL;
    double catch_up = 0;
    if (rate && !node)
        rbv_reader_error(reader, rate->at, "drive '%s' has catch_up:, but no max: that it could lag behind by", name);
    if (!node)
        return;
    RbvDimension dimension = rbv_coordinate_effort_key(reader->model, of);
    if (rate && !rbv_read_decay(reader, rate, "catch_up", &catch_up))
        return;
    if (rbv_read_expression(reader, node, dimension, "max", &most))
        rbv_insert_drive_limit(reader->model, name, most, catch_up, source);
}

/* True if a quantity or expression measures rad/m, or a number where the coordinate is an angle; a bare number is
 * accepted. */
static bool ratio_suits(RbvReader *reader, const RbvNode *node, bool angle, const RbvExpr *expr) {
    double number;
    RbvUnit unit;
    const char *unit_text;
    RbvExponents expected = {0}, has;
    if (node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_STRING &&
        rbv_written_as(node->text, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY)
        has = unit.exponents;
    else if (rbv_expr_dimension(expr).bond >= RBV_EXPR_KNOWN)
        has = rbv_expr_dimension(expr).exponents;
    else
        return true;
    if (!angle)
        rbv_exponents_product(expected, rbv_dimension_exponents(RBV_DIM_LENGTH), -2, &expected);
    if (rbv_exponents_fit(expected, has))
        return true;
    char is[128];
    rbv_exponents_words(has, is, sizeof is);
    rbv_reader_error(reader, node->at, "the ratio of this rotor is %s, but it is %s", is,
                     angle ? "a number, rad of the rotor per rad of the coordinate"
                           : "rad/m, turns of the rotor over the coordinate's length");
    return false;
}

/* Read rotor: of a drive. */
static void read_rotor(RbvReader *reader, const RbvFields *drive, const char *name, const RbvCoordinateRef *of,
                       const RbvSource *source) {
    const RbvNode *node = rbv_fields_node(drive, "rotor");
    RbvFields fields;
    if (!node ||
        !rbv_fields_open(&fields, reader, node, node->at, rbv_fields_key(drive, "rotor")->children, NULL, "rotor"))
        return;
    bool angle = rbv_coordinate_is_angle(reader->model, of);
    const RbvNode *at = rbv_fields_node(&fields, "ratio");
    double inertia = 0, ratio = 1;
    const char *text = NULL;
    bool good = true;
    rbv_fields_quantity(&fields, "inertia", &inertia);
    if (!at && !angle && of->measure >= 0) {
        rbv_reader_error(reader, node->at,
                         "the rotor of drive '%s' needs a ratio [rad/m]: how far it turns while the coordinate, a "
                         "length, grows by 1 m",
                         name);
        good = false;
    }
    if (at && rbv_read_expression(reader, at, RBV_DIM_ANY, "ratio", &text)) {
        RbvExpr *expr = rbv_model_expression(reader->model, text, 0, RBV_DIM_ANY, "ratio", source);
        good = expr && ratio_suits(reader, at, angle, expr) && good;
        double *work = expr ? rbv_arena_array(&reader->arena, rbv_expr_work_size(expr) + 1, sizeof *work) : NULL;
        reader->no_memory = reader->no_memory || (expr && !work);
        ratio = work ? rbv_expr_value(expr, NULL, work) : 1;
        rbv_expr_destroy(expr);
    }
    if (good)
        rbv_insert_drive_rotor(reader->model, name, inertia, ratio, source);
}

void rbv_read_drive(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *coordinate = NULL, *motion = NULL;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "drive", NULL))
        return;
    int here = 0;
    rbv_fields_text(&fields, "coordinate", &coordinate);
    rbv_fields_choice(&fields, "value", &here);
    /* a bare number or quantity: its dimension is that of the coordinate */
    RbvCoordinateRef of = {.measure = -1, .named = -1};
    if (coordinate) {
        RbvSource silent = {0};
        rbv_model_coordinate(reader->model, coordinate, &of, NULL, &silent);
        of.rate = 0; /* a rate is reported as an error on insertion */
    }
    RbvDimension dimension = rbv_coordinate_key(reader->model, &of);
    const RbvNode *node = rbv_fields_node(&fields, "motion");
    if (node && quantity_suits(reader, node, &of, coordinate))
        rbv_read_expression(reader, node, dimension, "motion", &motion);
    if (node && !motion)
        motion = "0"; /* error reported already; the drive is inserted so that references to it are valid */
    reader->model->switched = rbv_fields_key(&fields, "active") && rbv_fields_node(&fields, "active");
    bool inserted =
        coordinate && motion && rbv_insert_drive(reader->model, dict->keys[k], coordinate, motion, &source) == RBV_OK;
    reader->model->switched = false;
    if (inserted) {
        read_drive_limit(reader, &fields, dict->keys[k], &of, &source);
        read_rotor(reader, &fields, dict->keys[k], &of, &source);
        rbv_read_rating(reader, &fields, dict->keys[k]);
        read_condition(reader, &fields, RBV_CONDITION_DRIVE, dict->keys[k], RBV_NAMED_DRIVE, &source);
    }
}

void rbv_read_load(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    const RbvNode *node = dict->items[k];
    RbvLoadDef def = rbv_load_def_default;
    def.name = dict->keys[k];
    const char *type = type_of(node);
    bool known = rbv_load_kind_find(type) >= 0;
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    int32_t errors = rbv_diagnostics_errors(reader->diagnostics);
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "load", known ? type : NULL))
        return;
    rbv_fields_text(&fields, "type", &def.type);
    if (!def.type)
        return;
    if (known)
        rbv_fields_fill(&fields, &def);
    /* errors are reported already: placeholders let the rest be checked without further messages about missing values
     */
    if (rbv_diagnostics_errors(reader->diagnostics) > errors) {
        for (int part = 0; part < 3; part++)
            def.value[part] = def.value[part] ? def.value[part] : "0";
        def.speed = def.speed ? def.speed : "0";
        def.free = isnan(def.free) ? 0 : def.free;
        if (!def.law && def.stiffness[0] == 0 && def.damping[0] == 0)
            def.damping[0] = 1;
    }
    bool lost = (rbv_fields_node(&fields, "to") && !def.to) || (rbv_fields_node(&fields, "joint") && !def.joint) ||
                (rbv_fields_node(&fields, "between") && !def.between[0]);
    if ((!known || (!fields.incomplete && !lost)) && rbv_insert_load(reader->model, &def, &source) == RBV_OK)
        read_condition(reader, &fields, RBV_CONDITION_LOAD, def.name, RBV_NAMED_LOAD, &source);
}

static void start_differs(RbvReader *reader, const RbvNode *node, const char *what, const RbvExponents *is,
                          const RbvExponents *unit) {
    char has[128], expected[128];
    rbv_exponents_words(*is, has, sizeof has);
    rbv_exponents_words(*unit, expected, sizeof expected);
    rbv_reader_error(reader, node->at, "'start' of %s is %s, but its unit: says %s", what, has, expected);
    reader->model->broken = true;
}

/* Insert the name and initial value of a state, before any expression that reads it. */
void rbv_read_state_name(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    RbvExprDimension dimension = {.bond = RBV_EXPR_BARE};
    const char *text = NULL;
    double start = 0;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "state", NULL))
        return;
    const RbvNode *node = rbv_fields_node(&fields, "start"), *unit_node = rbv_fields_node(&fields, "unit");
    if (node)
        rbv_read_constant(reader, node, RBV_DIM_ANY, "start", &start, &dimension);
    if (unit_node)
        rbv_fields_text(&fields, "unit", &text);
    RbvUnit unit;
    if (text && !rbv_unit_parse(text, strlen(text), &unit, NULL)) {
        rbv_reader_error(reader, unit_node->at, "'%s' is no unit", text);
        reader->model->broken = true;
    } else if (text) {
        if (dimension.bond == RBV_EXPR_BARE)
            start *= unit.factor;
        else if (dimension.bond >= RBV_EXPR_DECLARED && !rbv_exponents_fit(dimension.exponents, unit.exponents))
            start_differs(reader, node, fields.what, &dimension.exponents, &unit.exponents);
        dimension = (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
    }
    rbv_insert_state(reader->model, dict->keys[k], start, dimension, &source);
}

void rbv_read_state(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *rate = NULL;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "state", NULL))
        return;
    const RbvNode *node = rbv_fields_node(&fields, "rate");
    if (node && rbv_read_expression(reader, node, RBV_DIM_ANY, "rate", &rate))
        rbv_insert_state_rate(reader->model, dict->keys[k], rate, &source);
}

/* Read a limit of a stop, in the dimension of the coordinate. */
static void read_limit(RbvReader *reader, const RbvFields *fields, const char *name, const char *coordinate,
                       double *limit) {
    const RbvNode *node = rbv_fields_node(fields, name);
    RbvSource silent = {0};
    RbvCoordinateRef of;
    RbvDimension dimension = RBV_DIM_ANY;
    if (coordinate && rbv_model_coordinate(reader->model, coordinate, &of, NULL, &silent))
        dimension = rbv_coordinate_key(reader->model, &of);
    if (node && rbv_read_quantity(reader, node, dimension, name, limit) && !isfinite(*limit))
        rbv_reader_error(reader, node->at, "'%s' must be a finite number", name);
}

void rbv_read_stop(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *coordinate = NULL;
    double limit[2] = {-INFINITY, INFINITY}, restitution = 0;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "stop", NULL))
        return;
    rbv_fields_text(&fields, "coordinate", &coordinate);
    read_limit(reader, &fields, "min", coordinate, &limit[0]);
    read_limit(reader, &fields, "max", coordinate, &limit[1]);
    rbv_fields_quantity(&fields, "restitution", &restitution);
    bool given = rbv_fields_node(&fields, "min") || rbv_fields_node(&fields, "max");
    if (isinf(limit[0]) && isinf(limit[1]) &&
        (given || fields.unknown)) /* a limit that is unreadable or under a wrong key is reported already */
        return;
    if (coordinate && rbv_insert_stop(reader->model, dict->keys[k], coordinate, limit, restitution, &source) == RBV_OK)
        read_condition(reader, &fields, RBV_CONDITION_STOP, dict->keys[k], RBV_NAMED_STOP, &source);
}

/* Read the values to which an event sets states of the model. */
static void read_settings(RbvReader *reader, const RbvNode *node, const char *event) {
    if (node && node->kind != RBV_NODE_MAP) {
        rbv_reader_error(reader, node->at, "set: must be a map of states to values: {integral: 0}");
        reader->model->broken = true;
    }
    for (int32_t n = 0; node && node->kind == RBV_NODE_MAP && n < node->count; n++) {
        RbvPlaces places = {node->items[n], node->key_at[n]};
        RbvSource source = rbv_reader_source(reader, &places);
        const char *text = NULL;
        if (rbv_read_expression(reader, node->items[n], RBV_DIM_ANY, node->keys[n], &text))
            rbv_insert_setting(reader->model, event, node->keys[n], text, &source);
    }
}

void rbv_read_event(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    RbvFields fields;
    RbvLabel label;
    RbvSource source;
    const char *when = NULL;
    int direction = 0, deed = 0;
    if (!rbv_fields_open_item(&fields, &label, &source, reader, key, dict, k, "event", NULL))
        return;
    const RbvNode *node = rbv_fields_node(&fields, "when");
    rbv_fields_choice(&fields, "direction", &direction);
    rbv_fields_choice(&fields, "do", &deed);
    if (node && rbv_read_expression(reader, node, RBV_DIM_ANY, "when", &when) &&
        rbv_insert_event(reader->model, dict->keys[k], when, direction == 2 ? -1 : direction,
                         deed == 1 ? RBV_EVENT_STOP : RBV_EVENT_MARK, &source) == RBV_OK)
        read_settings(reader, rbv_fields_node(&fields, "set"), dict->keys[k]);
}

/* Note on an angle given as a bare number of many turns: it is nearly always degrees without a unit. */
static void note_initial_turns(RbvReader *reader, const RbvNode *node, const char *what, double angle) {
    const double turn = 6.283185307179586;
    if (node->type == RBV_SCALAR_NUMBER && reader->unit[RBV_DIM_ANGLE] == 1 && fabs(angle) > MOST_INITIAL_TURNS * turn)
        rbv_model_note(reader->model, reader->diagnostics, node->at,
                       "'%s' is %.6g rad, that is %.3g turns: is its unit missing (deg)?", what, angle, angle / turn);
}

void rbv_read_initial(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    (void)key;
    RbvPlaces places = {dict->items[k], dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    RbvCoordinateRef of;
    double value;
    if (!rbv_model_coordinate(reader->model, dict->keys[k], &of, NULL, &source)) {
        reader->model->broken = true;
        return;
    }
    static const RbvDimension of_measures[2][2] = {{RBV_DIM_LENGTH, RBV_DIM_ANGLE},
                                                   {RBV_DIM_VELOCITY, RBV_DIM_ANGULAR_VELOCITY}};
    bool angle = rbv_coordinate_is_angle(reader->model, &of),
         named = of.named >= 0 || rbv_measure_generalized(reader->model, of.measure);
    RbvDimension dimension = named ? rbv_coordinate_key(reader->model, &of) : of_measures[of.rate != 0][angle];
    if (quantity_suits(reader, dict->items[k], &of, dict->keys[k]) &&
        rbv_read_quantity(reader, dict->items[k], dimension, dict->keys[k], &value)) {
        if (dimension == RBV_DIM_ANGLE)
            note_initial_turns(reader, dict->items[k], dict->keys[k], value);
        rbv_insert_initial(reader->model, dict->keys[k], value, &source);
    }
}

void rbv_read_output(RbvReader *reader, const RbvKey *key, const RbvNode *dict, int32_t k) {
    (void)key;
    RbvPlaces places = {dict->items[k], dict->key_at[k]};
    RbvSource source = rbv_reader_source(reader, &places);
    const char *text = NULL;
    if (rbv_read_expression(reader, dict->items[k], RBV_DIM_ANY, dict->keys[k], &text))
        rbv_insert_output(reader->model, dict->keys[k], text, &source);
}
