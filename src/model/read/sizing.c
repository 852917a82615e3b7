/* Reads what is sized: bearings, guides and screws of a joint, and the rating of a drive. */
#include "core/base/diagnostics.h"
#include "model/model/sized.h"
#include "model/read/sections.h"

#include <roberval/sizing.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Errors so far: an item that has some is not entered. */
static int32_t errors_of(const RbvReader *reader) {
    return rbv_diagnostics_errors(reader->diagnostics);
}

/* The text under `name` of a map, or "". */
static const char *word_of(const RbvNode *node, const char *name) {
    const RbvNode *word = node->kind == RBV_NODE_MAP ? rbv_node_child(node, name) : NULL;
    return word && word->kind == RBV_NODE_SCALAR && word->text ? word->text : "";
}

/* The series of a bearing as written, by which it has its keys; NULL: none that exists, and all keys. */
static const char *series_of(const RbvNode *node) {
    for (int k = 0; rbv_bearing_series[k]; k++)
        if (strcmp(word_of(node, "series"), rbv_bearing_series[k]) == 0)
            return rbv_bearing_series[k];
    return NULL;
}

/* Open the map under `key`; `source` is its place for messages, `places` must live as long. False: absent, or wrong. */
static bool open_map(RbvReader *reader, const RbvFields *of, const char *key, RbvFields *fields, RbvPlaces *places,
                     RbvSource *source) {
    const RbvKey *row = rbv_fields_key(of, key);
    const RbvNode *node = row ? rbv_fields_node(of, key) : NULL;
    if (!node)
        return false;
    *places = (RbvPlaces){node, node->at};
    *source = rbv_reader_source(reader, places);
    const char *type = strcmp(key, "bearing") == 0 ? series_of(node) : NULL;
    return rbv_fields_open(fields, reader, node, node->at, row->children, type, key) && !fields->incomplete;
}

typedef struct Slot {
    const char *key;
    double *to;
} Slot;

static void read_slots(const RbvFields *fields, const Slot *slots, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        if (rbv_fields_key(fields, slots[k].key))
            rbv_fields_quantity(fields, slots[k].key, slots[k].to);
}

#define COUNT(list) ((int32_t)(sizeof(list) / sizeof(list)[0]))

/* ---- joints ---- */

static RbvBearingDef read_bearing(const RbvFields *fields, const char *name, bool paired) {
    RbvBearingDef def = rbv_bearing_def_default;
    int series = -1;
    def.name = name;
    rbv_fields_choice(fields, "series", &series);
    def.series = series >= 0 ? rbv_bearing_series[series] : NULL;
    const Slot slots[] = {{"C", &def.C},         {"C0", &def.C0},         {"f0", &def.f0},
                          {"angle", &def.angle}, {"e", &def.e},           {"X", &def.X},
                          {"Y", &def.Y},         {"Y1", &def.Y1},         {"Y2", &def.Y2},
                          {"X0", &def.X0},       {"Y0", &def.Y0},         {"exponent", &def.exponent},
                          {"a_iso", &def.a_iso}, {"factor", &def.factor}, {"reliability", &def.reliability}};
    read_slots(fields, slots, COUNT(slots));
    if (paired) {
        rbv_fields_quantity(fields, "at", &def.at);
        rbv_fields_bool(fields, "floating", &def.floating);
    }
    return def;
}

static void read_single(RbvReader *reader, const RbvFields *joint, const char *name) {
    RbvFields fields;
    int32_t errors = errors_of(reader);
    RbvPlaces places;
    RbvSource source;
    if (!open_map(reader, joint, "bearing", &fields, &places, &source))
        return;
    for (int k = 0; k < 2; k++) {
        static const char *const of_two[] = {"at", "floating"};
        const RbvNode *node = rbv_fields_node(&fields, of_two[k]);
        if (node)
            rbv_reader_error(reader, node->at, "%s: belongs to one of two bearings:", of_two[k]);
    }
    RbvBearingDef def = read_bearing(&fields, NULL, false);
    if (errors_of(reader) > errors)
        reader->model->broken = true;
    else
        rbv_insert_bearings(reader->model, name, 1, &def, NULL, &source, &source);
}

/* The arrangement of two bearings, which stands among their names. False: wrong (reported). */
static bool read_arrangement(RbvReader *reader, const RbvNode *node, const char **arrangement) {
    for (int k = 0; node->kind == RBV_NODE_SCALAR && node->text && rbv_arrangements[k]; k++)
        if (strcmp(node->text, rbv_arrangements[k]) == 0)
            *arrangement = rbv_arrangements[k];
    if (!*arrangement)
        rbv_reader_error(reader, node->at, "arrangement: is X (face to face) or O (back to back)");
    return *arrangement != NULL;
}

static void read_pair(RbvReader *reader, const RbvFields *joint, const char *name) {
    const RbvKey *key = rbv_fields_key(joint, "bearings");
    const RbvNode *dict = key ? rbv_fields_node(joint, "bearings") : NULL;
    if (!dict)
        return;
    RbvPlaces places = {dict, dict->at}, of[2];
    RbvSource source = rbv_reader_source(reader, &places), sources[2];
    RbvBearingDef defs[2];
    const char *arrangement = NULL;
    int32_t errors = errors_of(reader);
    int32_t count = 0;
    bool good = true;
    for (int32_t k = 0; dict->kind == RBV_NODE_MAP && k < dict->count; k++) {
        char what[160];
        RbvFields fields;
        if (strcmp(dict->keys[k], "arrangement") == 0) {
            good = read_arrangement(reader, dict->items[k], &arrangement) && good;
            continue;
        }
        snprintf(what, sizeof what, "bearing '%s'", dict->keys[k]);
        int32_t n = count++;
        if (n >= 2)
            continue;
        of[n] = (RbvPlaces){dict->items[k], dict->key_at[k]};
        sources[n] = rbv_reader_source(reader, &of[n]);
        good = rbv_fields_open(&fields, reader, dict->items[k], dict->key_at[k], key->children,
                               series_of(dict->items[k]), what) &&
               !fields.incomplete && good;
        defs[n] = good ? read_bearing(&fields, dict->keys[k], true) : rbv_bearing_def_default;
        good = good && defs[n].series;
    }
    good = good && errors_of(reader) == errors;
    if (good && count != 2) {
        rbv_reader_error(reader, dict->at,
                         "bearings: of joint '%s' must be two, by their names: bearings: {a: {...}, b: {...}}; a "
                         "single one is bearing:",
                         name);
        good = false;
    }
    if (good)
        rbv_insert_bearings(reader->model, name, 2, defs, arrangement, &source, sources);
    reader->model->broken = reader->model->broken || !good;
}

static void read_plain(RbvReader *reader, const RbvFields *joint, const char *name) {
    RbvFields fields;
    int32_t errors = errors_of(reader);
    RbvPlaces places;
    RbvSource source;
    RbvPlainDef def = rbv_plain_def_default;
    if (!open_map(reader, joint, "plain", &fields, &places, &source))
        return;
    const Slot slots[] = {
        {"diameter", &def.diameter}, {"width", &def.width}, {"p", &def.p}, {"v", &def.v}, {"pv", &def.pv},
        {"wear", &def.wear},         {"depth", &def.depth}};
    read_slots(&fields, slots, COUNT(slots));
    if (errors_of(reader) > errors)
        reader->model->broken = true;
    else
        rbv_insert_plain_bearing(reader->model, name, &def, &source);
}

static void read_guide(RbvReader *reader, const RbvFields *joint, const char *name) {
    RbvFields fields;
    int32_t errors = errors_of(reader);
    RbvPlaces places;
    RbvSource source;
    RbvGuideDef def = rbv_guide_def_default;
    if (!open_map(reader, joint, "guide", &fields, &places, &source))
        return;
    const Slot slots[] = {{"C", &def.C},     {"C0", &def.C0},        {"mx", &def.mx},   {"my", &def.my},
                          {"mz", &def.mz},   {"m0x", &def.m0x},      {"m0y", &def.m0y}, {"m0z", &def.m0z},
                          {"per", &def.per}, {"factor", &def.factor}};
    read_slots(&fields, slots, COUNT(slots));
    rbv_fields_bool(&fields, "rollers", &def.rollers);
    if (errors_of(reader) > errors)
        reader->model->broken = true;
    else
        rbv_insert_guide(reader->model, name, &def, &source);
}

static void read_screw(RbvReader *reader, const RbvFields *joint, const char *name) {
    RbvFields fields;
    int32_t errors = errors_of(reader);
    RbvPlaces places;
    RbvSource source;
    RbvScrewLifeDef def = rbv_screw_life_def_default;
    if (!open_map(reader, joint, "screw_life", &fields, &places, &source))
        return;
    const Slot slots[] = {{"C", &def.C}, {"C0", &def.C0}, {"factor", &def.factor}};
    read_slots(&fields, slots, COUNT(slots));
    if (errors_of(reader) > errors)
        reader->model->broken = true;
    else
        rbv_insert_screw_life(reader->model, name, &def, &source);
}

void rbv_read_sized_joint(RbvReader *reader, const RbvFields *joint, const char *name) {
    if (rbv_fields_key(joint, "bearing") && rbv_fields_node(joint, "bearing") && rbv_fields_node(joint, "bearings")) {
        rbv_reader_error(reader, rbv_fields_node(joint, "bearings")->at,
                         "joint '%s' has bearing: and bearings:; one of them is enough", name);
        reader->model->broken = true;
        return;
    }
    read_single(reader, joint, name);
    read_pair(reader, joint, name);
    read_plain(reader, joint, name);
    read_guide(reader, joint, name);
    read_screw(reader, joint, name);
}

/* ---- drives ---- */

/* What a motor's shaft has: its effort and its speed. */
static void shaft_dimensions(const RbvModel *model, const char *name, RbvDimension *effort, RbvDimension *speed) {
    int32_t drive = rbv_model_find(model, name, RBV_NAMED_DRIVE),
            actuator = rbv_model_find(model, name, RBV_NAMED_ACTUATOR);
    const RbvCoordinateRef *of = drive >= 0 ? &model->drives.items[drive].of : &model->actuators.items[actuator].of;
    bool turns = rbv_coordinate_is_angle(model, of) || (drive >= 0 && model->drives.items[drive].has_rotor);
    *effort = turns ? RBV_DIM_TORQUE : RBV_DIM_FORCE;
    *speed = turns ? RBV_DIM_ANGULAR_VELOCITY : RBV_DIM_VELOCITY;
}

/* A curve does not depend on parameters: read again, it is the one that the model has. False: wrong (reported). */
static bool read_motor_curve(RbvReader *reader, const RbvFields *rating, const char *name, RbvDimension effort,
                             RbvDimension speed, RbvRatingDef *def) {
    RbvFields fields;
    RbvPlaces places;
    RbvSource source;
    const char *file = NULL;
    if (!rbv_fields_node(rating, "curve"))
        return true;
    if (reader->model->refill) {
        int32_t drive = rbv_model_find(reader->model, name, RBV_NAMED_DRIVE);
        int32_t index = drive >= 0 ? drive : rbv_model_find(reader->model, name, RBV_NAMED_ACTUATOR);
        const RbvSized *kept = rbv_model_rating(reader->model, index, drive < 0);
        def->curve_count = kept ? kept->rating.curve_count : 0;
        def->curve_speed = kept ? kept->rating.curve_speed : NULL;
        def->curve_peak = kept ? kept->rating.curve_peak : NULL;
        def->curve_continuous = kept ? kept->rating.curve_continuous : NULL;
        return true;
    }
    if (!open_map(reader, rating, "curve", &fields, &places, &source))
        return false;
    rbv_fields_text(&fields, "file", &file);
    const RbvPosition at = rbv_fields_node(&fields, "file")->at;
    RbvReadColumn columns[3] = {{.name = "speed", .at = at, .dimension = speed},
                                {.name = "peak", .at = at, .dimension = effort},
                                {.name = "continuous", .at = at, .dimension = effort, .optional = true}};
    if (!file || !rbv_read_csv_columns(reader, file, at, columns, 3, &def->curve_count))
        return false;
    def->curve_speed = columns[0].values;
    def->curve_peak = columns[1].values;
    def->curve_continuous = columns[2].values;
    return true;
}

void rbv_read_rating(RbvReader *reader, const RbvFields *drive, const char *name) {
    RbvFields fields;
    RbvPlaces places;
    RbvSource source;
    RbvRatingDef def = rbv_rating_def_default;
    RbvDimension effort, speed;
    if (!open_map(reader, drive, "rating", &fields, &places, &source))
        return;
    if (!rbv_model_can_rate(reader->model, name)) {
        rbv_reader_error(reader, places.name_at, "drive '%s' moves neither an angle nor a length: it cannot be rated",
                         name);
        reader->model->broken = true;
        return;
    }
    shaft_dimensions(reader->model, name, &effort, &speed);
    const struct {
        const char *key;
        RbvDimension dimension;
        double *to;
    } slots[] = {{"continuous", effort, &def.continuous},
                 {"peak", effort, &def.peak},
                 {"speed", speed, &def.speed},
                 {"efficiency", RBV_DIM_NONE, &def.efficiency}};
    bool good = true;
    for (int32_t k = 0; k < COUNT(slots); k++) {
        const RbvNode *node = rbv_fields_node(&fields, slots[k].key);
        good = (!node || rbv_read_quantity(reader, node, slots[k].dimension, slots[k].key, slots[k].to)) && good;
    }
    good = read_motor_curve(reader, &fields, name, effort, speed, &def) && good;
    if (good)
        rbv_insert_rating(reader->model, name, &def, &source);
    reader->model->broken = reader->model->broken || !good;
}

/* ---- load cases ---- */

bool rbv_read_parameter_value(RbvReader *reader, const RbvNode *node, const char *name, RbvParameterValue *to,
                              RbvExprDimension *of) {
    RbvModel *model = reader->model;
    int32_t constant = rbv_name_table_find(&model->constants, name);
    RbvExprDimension measured;
    if (constant < 0 || constant % 2 != 0) {
        rbv_reader_error(reader, node->at, "the model has no parameter '%s'", name);
        return false;
    }
    const RbvParameter *parameter = &model->parameters.items[constant / 2];
    to->parameter = constant / 2;
    if (!rbv_read_constant(reader, node, RBV_DIM_ANY, name, &to->value, &measured))
        return false;
    bool has = measured.bond >= RBV_EXPR_KNOWN, should = parameter->dimension.bond == RBV_EXPR_DECLARED;
    if (should && !has && to->value != 0 && rbv_exponents_named(parameter->dimension.exponents) != RBV_DIM_NONE) {
        rbv_reader_error(reader, node->at, "'%s' has a unit in parameters:, and needs one here", name);
        return false;
    }
    if (should && has && !rbv_exponents_fit(measured.exponents, parameter->dimension.exponents)) {
        char is[RBV_DIMENSION_SIZE], expected[RBV_DIMENSION_SIZE];
        rbv_exponents_words(measured.exponents, is, sizeof is);
        rbv_exponents_words(parameter->dimension.exponents, expected, sizeof expected);
        rbv_reader_error(reader, node->at, "'%s' is %s here, but %s in parameters:", name, is, expected);
        return false;
    }
    *of = measured;
    return true;
}

void rbv_read_cases(RbvReader *reader, const RbvFields *top) {
    const RbvNode *dict = rbv_fields_node(top, "cases");
    if (dict && dict->kind != RBV_NODE_MAP)
        rbv_reader_error(reader, dict->at,
                         "cases: must be a map of names to values of parameters: {fast: {n: 90 rpm}}");
    for (int32_t k = 0; dict && dict->kind == RBV_NODE_MAP && k < dict->count; k++) {
        const RbvNode *node = dict->items[k];
        RbvPlaces places = {node, dict->key_at[k]};
        RbvSource source = rbv_reader_source(reader, &places);
        if (node->kind != RBV_NODE_MAP) {
            rbv_reader_error(reader, node->at, "case '%s' must be a map of parameters to values", dict->keys[k]);
            continue;
        }
        RbvParameterValue *values = rbv_arena_array(&reader->arena, (size_t)node->count + 1, sizeof *values);
        RbvExprDimension measured;
        bool good = values != NULL;
        reader->no_memory = reader->no_memory || !values;
        for (int32_t n = 0; values && n < node->count; n++)
            good = rbv_read_parameter_value(reader, node->items[n], node->keys[n], &values[n], &measured) && good;
        if (good)
            rbv_insert_case(reader->model, dict->keys[k], values, node->count, &source);
    }
}
