/* Ratings of drives, bearings, guides and screws: what they must satisfy (sized.h). */
#include "core/base/tolerances.h"
#include "model/model/keys.h"
#include "model/model/refill.h"

#include <roberval/sizing.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const RbvRatingDef rbv_rating_def_default = {.continuous = NAN, .peak = NAN, .speed = NAN, .efficiency = 1};
const RbvBearingDef rbv_bearing_def_default = {.C = NAN,
                                               .C0 = NAN,
                                               .f0 = NAN,
                                               .angle = NAN,
                                               .e = NAN,
                                               .X = NAN,
                                               .Y = NAN,
                                               .Y1 = NAN,
                                               .Y2 = NAN,
                                               .X0 = NAN,
                                               .Y0 = NAN,
                                               .exponent = 3,
                                               .reliability = 90,
                                               .a_iso = 1,
                                               .factor = 1,
                                               .at = NAN};
const RbvPlainDef rbv_plain_def_default = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
const RbvGuideDef rbv_guide_def_default = {
    .C = NAN, .C0 = NAN, .mx = NAN, .my = NAN, .mz = NAN, .m0x = NAN, .m0y = NAN, .m0z = NAN, .per = NAN, .factor = 1};
const RbvScrewLifeDef rbv_screw_life_def_default = {NAN, NAN, 1};

const char *const rbv_bearing_series[] = {"deep-groove",    "angular-contact",    "self-aligning", "spherical-roller",
                                          "tapered-roller", "cylindrical-roller", "general",       NULL};
const char *const rbv_arrangements[] = {"X", "O", NULL};

/* A number of a rating: its key, value, and whether it must be there. */
typedef struct Number {
    const char *key;
    double value;
    int need; /* OPTIONAL, REQUIRED, or REQUIRED and perhaps 0 */
} Number;
enum { OPTIONAL, REQUIRED, PERHAPS_ZERO };

/* All numbers that are given are positive and finite, and none is missing. False: reported. what: "bearing of joint
 * 'main'". */
static bool positive(const Number *numbers, int32_t count, const char *what, const RbvSource *source) {
    bool good = true;
    for (int32_t k = 0; k < count; k++) {
        const Number *n = &numbers[k];
        if (isnan(n->value) && n->need == OPTIONAL)
            continue;
        if (isnan(n->value))
            rbv_source_error(source, NULL, "the %s lacks the key '%s'", what, n->key);
        else if (!(n->value > 0 || (n->need == PERHAPS_ZERO && n->value == 0)) || !isfinite(n->value))
            rbv_source_error(source, n->key, "%s of the %s must be positive%s, not %g", n->key, what,
                             n->need == PERHAPS_ZERO ? ", or 0" : "", n->value);
        else
            continue;
        good = false;
    }
    return good;
}

#define COUNT(list) ((int32_t)(sizeof(list) / sizeof(list)[0]))

/* The place for what is sized: new, or that of the first reading. NULL: no memory, or the layout differs. */
static RbvSized *sized_item(RbvModel *model, RbvSizedKind kind, bool actuator, int32_t index) {
    for (int32_t k = 0; k < model->sized.count; k++) {
        RbvSized *item = &model->sized.items[k];
        if (item->kind != kind || item->actuator != actuator || item->index != index)
            continue;
        return !model->refill || rbv_refill_take(model, &model->sized, sizeof *item, k) ? item : NULL;
    }
    if (model->refill) {
        model->refill->differs = true;
        return NULL;
    }
    int32_t k = rbv_model_grow(model, &model->sized, sizeof(RbvSized));
    return k < 0 ? NULL : &model->sized.items[k];
}

static RbvStatus keep(RbvModel *model, RbvSized fresh, const RbvSource *source) {
    RbvSized *item = sized_item(model, fresh.kind, fresh.actuator, fresh.index);
    if (!item)
        return rbv_model_wrong(model);
    fresh.where = rbv_source_position(source, NULL, 0);
    *item = fresh;
    return RBV_OK;
}

const RbvSized *rbv_model_rating(const RbvModel *model, int32_t index, bool actuator) {
    for (int32_t k = 0; k < model->sized.count; k++) {
        const RbvSized *item = &model->sized.items[k];
        if (item->kind == RBV_SIZED_DRIVE && item->actuator == actuator && item->index == index)
            return item;
    }
    return NULL;
}

/* ---- drives ---- */

static const double *copy_numbers(RbvModel *model, const double *values, int32_t count) {
    double *copy = values ? rbv_arena_array(&model->arena, (size_t)count, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

const char *rbv_rating_curve_wrong(const RbvRatingDef *def) {
    if (def->curve_count == 1)
        return "has one row; it is linear between rows: two or more";
    for (int32_t k = 0; k < def->curve_count; k++) {
        double v = def->curve_speed[k], T = def->curve_peak[k];
        double c = def->curve_continuous ? def->curve_continuous[k] : 0;
        if (!(v >= 0) || !(T >= 0) || !(c >= 0) || !isfinite(v) || !isfinite(T))
            return "has a speed or an effort that is negative or not finite";
        if (k > 0 && !(v > def->curve_speed[k - 1]))
            return "does not rise in speed from row to row";
        if (!(c <= T))
            return "has a continuous effort above its peak";
        if (k > 0 && T > def->curve_peak[k - 1])
            return "has a peak that rises again with speed";
    }
    return NULL;
}

static bool check_curve(const RbvRatingDef *def, const char *name, const RbvSource *source) {
    const char *wrong = rbv_rating_curve_wrong(def);
    if (wrong)
        rbv_source_error(source, "curve", "the curve of drive '%s' %s", name, wrong);
    return wrong == NULL;
}

bool rbv_model_can_rate(const RbvModel *model, const char *name) {
    int32_t drive = rbv_model_find(model, name, RBV_NAMED_DRIVE),
            actuator = drive < 0 ? rbv_model_find(model, name, RBV_NAMED_ACTUATOR) : -1;
    if (drive < 0 && actuator < 0)
        return false;
    const RbvCoordinateRef *of = drive >= 0 ? &model->drives.items[drive].of : &model->actuators.items[actuator].of;
    const char *unit = drive >= 0 ? model->drives.items[drive].unit : model->actuators.items[actuator].unit;
    bool angle = rbv_coordinate_is_angle(model, of);
    return unit && strcmp(unit, angle ? "N.m" : "N") == 0;
}

RbvStatus rbv_insert_rating(RbvModel *model, const char *name, const RbvRatingDef *def, const RbvSource *source) {
    int32_t drive = rbv_model_find(model, name, RBV_NAMED_DRIVE),
            actuator = drive < 0 ? rbv_model_find(model, name, RBV_NAMED_ACTUATOR) : -1;
    if (drive < 0 && actuator < 0) {
        rbv_source_error(source, NULL, "there is no drive '%s' to rate", name);
        return rbv_model_wrong(model);
    }
    const char *unit = drive >= 0 ? model->drives.items[drive].unit : model->actuators.items[actuator].unit;
    bool good = true;
    if (!rbv_model_can_rate(model, name)) {
        rbv_source_error(source, NULL, "drive '%s' moves neither an angle nor a length: it cannot be rated", name);
        good = false;
    }
    char what[160];
    snprintf(what, sizeof what, "rating of drive '%s'", name);
    const Number numbers[] = {{"continuous", def->continuous, OPTIONAL},
                              {"peak", def->peak, def->curve_count == 0},
                              {"speed", def->speed, OPTIONAL},
                              {"efficiency", def->efficiency, REQUIRED}};
    good = positive(numbers, COUNT(numbers), what, source) && good;
    if (def->efficiency > 1) {
        rbv_source_error(source, "efficiency", "efficiency of the %s must be at most 1, not %g", what, def->efficiency);
        good = false;
    }
    if (def->peak < def->continuous) {
        rbv_source_error(source, "peak", "the peak of drive '%s', %g %s, is below its continuous rating, %g %s", name,
                         def->peak, unit, def->continuous, unit);
        good = false;
    }
    good = good && check_curve(def, name, source);
    if (good && def->curve_count > 0 && def->continuous > def->curve_peak[0]) {
        rbv_source_error(source, "continuous", "the continuous rating of drive '%s', %g %s, is above its curve", name,
                         def->continuous, unit);
        good = false;
    }
    if (!good)
        return rbv_model_wrong(model);
    RbvSized item = {
        .kind = RBV_SIZED_DRIVE, .actuator = drive < 0, .index = drive >= 0 ? drive : actuator, .rating = *def};
    item.rating.curve_speed = copy_numbers(model, def->curve_speed, def->curve_count);
    item.rating.curve_peak = copy_numbers(model, def->curve_peak, def->curve_count);
    item.rating.curve_continuous = copy_numbers(model, def->curve_continuous, def->curve_count);
    if (def->curve_count > 0 && (!item.rating.curve_speed || !item.rating.curve_peak ||
                                 (def->curve_continuous && !item.rating.curve_continuous)))
        return rbv_model_no_memory(model);
    return keep(model, item, source);
}

/* ---- joints ---- */

/* The joint, which must be one of the kinds. -1: reported. */
static int32_t joint_of(const RbvModel *model, const char *name, const char *kinds, const char *what,
                        const RbvSource *source) {
    int32_t k = rbv_model_find(model, name, RBV_NAMED_JOINT);
    if (k >= 0 && rbv_key_belongs(kinds, model->joints.items[k].kind->name))
        return k;
    if (k < 0)
        rbv_source_error(source, NULL, "there is no joint '%s' for the %s", name, what);
    else
        rbv_source_error(source, NULL, "a %s belongs to a joint that is %s; '%s' is %s", what, kinds, name,
                         model->joints.items[k].kind->name);
    return -1;
}

static int series_of(const char *name) {
    for (int k = 0; name && rbv_bearing_series[k]; k++)
        if (strcmp(rbv_bearing_series[k], name) == 0)
            return k;
    return -1;
}

/* The contact angle [deg] that ISO 281 has factors for, as far as they are here; 0: another one. */
static int contact_angle(double angle) {
    static const int of[] = {15, 25, 30, 40};
    for (int k = 0; k < 4; k++)
        if (fabs(angle - of[k] * 3.14159265358979323846 / 180) < RBV_SAME)
            return of[k];
    return 0;
}

static bool check_bearing(const RbvBearingDef *def, RbvBearingSeries s, const char *what, const RbvSource *source) {
    bool deep = s == RBV_BEARING_DEEP_GROOVE, angular = s == RBV_BEARING_ANGULAR_CONTACT,
         two = s == RBV_BEARING_SELF_ALIGNING || s == RBV_BEARING_SPHERICAL_ROLLER,
         tapered = s == RBV_BEARING_TAPERED_ROLLER, general = s == RBV_BEARING_GENERAL;
    bool flat = angular && contact_angle(def->angle) == 15;
    const Number numbers[] = {{"C", def->C, REQUIRED},
                              {"C0", def->C0, REQUIRED},
                              {"f0", def->f0, deep || flat},
                              {"angle", def->angle, angular},
                              {"e", def->e, two || tapered || general},
                              {"X", def->X, general ? PERHAPS_ZERO : OPTIONAL},
                              {"Y", def->Y, general ? PERHAPS_ZERO : tapered},
                              {"Y1", def->Y1, two},
                              {"Y2", def->Y2, two},
                              {"Y0", def->Y0, general ? PERHAPS_ZERO : two || tapered},
                              {"X0", def->X0, general ? PERHAPS_ZERO : OPTIONAL},
                              {"exponent", def->exponent, REQUIRED},
                              {"a_iso", def->a_iso, REQUIRED},
                              {"factor", def->factor, REQUIRED}};
    bool good = positive(numbers, COUNT(numbers), what, source);
    if (angular && !isnan(def->angle) && contact_angle(def->angle) == 0) {
        rbv_source_error(source, "angle",
                         "angle of the %s must be 15, 25, 30 or 40 deg; for others give a series "
                         "general with its factors",
                         what);
        good = false;
    }
    if (!(def->reliability == 90 ||
          (def->reliability >= 95 && def->reliability <= 99 && def->reliability == floor(def->reliability)))) {
        rbv_source_error(source, "reliability", "reliability of the %s must be 90, 95, 96, 97, 98 or 99 (%%), not %g",
                         what, def->reliability);
        good = false;
    }
    return good;
}

RbvStatus rbv_insert_bearings(RbvModel *model, const char *name, int32_t count, const RbvBearingDef *defs,
                              const char *arrangement, const RbvSource *source, const RbvSource *sources) {
    RbvSized item = {.kind = RBV_SIZED_BEARING, .count = count};
    item.index = joint_of(model, name, "revolute cylindrical", "bearing", source);
    bool good = item.index >= 0;
    for (int32_t k = 0; k < count; k++) {
        char what[200];
        snprintf(what, sizeof what, "bearing%s%s of joint '%s'", count > 1 && defs[k].name ? " " : "",
                 count > 1 && defs[k].name ? defs[k].name : "", name);
        int s = series_of(defs[k].series);
        if (s < 0)
            rbv_source_error(&sources[k], "series",
                             "the %s needs a series: deep-groove, angular-contact, "
                             "self-aligning, spherical-roller, tapered-roller, "
                             "cylindrical-roller or general",
                             what);
        good = s >= 0 && check_bearing(&defs[k], (RbvBearingSeries)s, what, &sources[k]) && good;
        good = (count == 1 || rbv_model_is_name(defs[k].name, &sources[k])) && good;
        if (count > 1 && !isfinite(defs[k].at)) {
            rbv_source_error(&sources[k], NULL, "the %s needs its place along the axis, at:", what);
            good = false;
        }
        item.bearing[k] = defs[k];
        item.bearing[k].series = s >= 0 ? rbv_bearing_series[s] : NULL;
        item.bearing[k].name = defs[k].name ? rbv_arena_copy(&model->arena, defs[k].name, strlen(defs[k].name)) : NULL;
        item.series[k] = (RbvBearingSeries)(s < 0 ? 0 : s);
    }
    double span = fabs(defs[0].at - defs[1].at), farther = fmax(fabs(defs[0].at), fabs(defs[1].at));
    if (count == 2 && good && !(span > RBV_SAME * fmax(farther, 1))) { /* 1 nm at least */
        rbv_source_error(source, NULL, "the two bearings of joint '%s' are at one place: they share no moment", name);
        good = false;
    }
    if (count == 2 && defs[0].floating && defs[1].floating) {
        rbv_source_error(source, NULL, "both bearings of joint '%s' are floating: none takes the axial force", name);
        good = false;
    }
    item.arrangement = !arrangement                    ? RBV_ARRANGEMENT_NONE
                       : strcmp(arrangement, "X") == 0 ? RBV_ARRANGEMENT_X
                                                       : RBV_ARRANGEMENT_O;
    for (int32_t k = 0; good && arrangement && k < count; k++)
        if ((item.series[k] != RBV_BEARING_TAPERED_ROLLER && item.series[k] != RBV_BEARING_ANGULAR_CONTACT) ||
            defs[k].floating) {
            rbv_source_error(source, "arrangement",
                             "arrangement: of joint '%s' goes with two tapered-roller or angular-contact bearings, "
                             "none floating",
                             name);
            good = false;
        }
    return good ? keep(model, item, source) : rbv_model_wrong(model);
}

RbvStatus rbv_insert_plain_bearing(RbvModel *model, const char *name, const RbvPlainDef *def, const RbvSource *source) {
    char what[160];
    snprintf(what, sizeof what, "plain bearing of joint '%s'", name);
    RbvSized item = {.kind = RBV_SIZED_PLAIN, .plain = *def};
    item.index = joint_of(model, name, "revolute cylindrical spherical", "plain bearing", source);
    const Number numbers[] = {{"diameter", def->diameter, REQUIRED},
                              {"width", def->width, REQUIRED},
                              {"p", def->p, OPTIONAL},
                              {"v", def->v, OPTIONAL},
                              {"pv", def->pv, OPTIONAL},
                              {"wear", def->wear, OPTIONAL},
                              {"depth", def->depth, OPTIONAL}};
    bool good = positive(numbers, COUNT(numbers), what, source) && item.index >= 0;
    if (!isnan(def->depth) && isnan(def->wear)) {
        rbv_source_error(source, "depth", "depth: of the %s needs wear:, the depth per sliding distance and pressure",
                         what);
        good = false;
    }
    return good ? keep(model, item, source) : rbv_model_wrong(model);
}

RbvStatus rbv_insert_guide(RbvModel *model, const char *name, const RbvGuideDef *def, const RbvSource *source) {
    char what[160];
    snprintf(what, sizeof what, "guide of joint '%s'", name);
    RbvSized item = {.kind = RBV_SIZED_GUIDE, .guide = *def};
    item.index = joint_of(model, name, "prismatic translational", "guide", source);
    bool space = model->space == RBV_SPATIAL;
    const Number numbers[] = {{"C", def->C, REQUIRED},     {"C0", def->C0, REQUIRED},
                              {"mx", def->mx, space},      {"my", def->my, space},
                              {"mz", def->mz, REQUIRED},   {"m0x", def->m0x, OPTIONAL},
                              {"m0y", def->m0y, OPTIONAL}, {"m0z", def->m0z, OPTIONAL},
                              {"per", def->per, REQUIRED}, {"factor", def->factor, REQUIRED}};
    bool good = positive(numbers, COUNT(numbers), what, source) && item.index >= 0;
    return good ? keep(model, item, source) : rbv_model_wrong(model);
}

RbvStatus rbv_insert_screw_life(RbvModel *model, const char *name, const RbvScrewLifeDef *def,
                                const RbvSource *source) {
    char what[160];
    snprintf(what, sizeof what, "ball screw of joint '%s'", name);
    RbvSized item = {.kind = RBV_SIZED_SCREW, .screw = *def};
    item.index = joint_of(model, name, "screw", "ball screw", source);
    const Number numbers[] = {{"C", def->C, REQUIRED}, {"C0", def->C0, REQUIRED}, {"factor", def->factor, REQUIRED}};
    bool good = positive(numbers, COUNT(numbers), what, source) && item.index >= 0;
    return good ? keep(model, item, source) : rbv_model_wrong(model);
}

/* ---- load cases ---- */

RbvStatus rbv_insert_case(RbvModel *model, const char *name, const RbvParameterValue *values, int32_t count,
                          const RbvSource *source) {
    if (!rbv_model_is_name(name, source))
        return rbv_model_wrong(model);
    int32_t k = rbv_model_grow(model, &model->cases, sizeof(RbvCase));
    const char *copy = rbv_arena_copy(&model->arena, name, strlen(name));
    RbvParameterValue *kept = rbv_arena_array(&model->arena, (size_t)count + 1, sizeof *kept);
    if (k < 0 || !copy || !kept)
        return rbv_model_no_memory(model);
    if (count > 0)
        memcpy(kept, values, (size_t)count * sizeof *kept);
    model->cases.items[k] = (RbvCase){copy, kept, count};
    return RBV_OK;
}

/* ---- models built in C ---- */

RbvStatus rbv_model_rate_drive(RbvModel *model, const char *name, const RbvRatingDef *def,
                               RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !def || def->curve_count < 0 ||
        (def->curve_count > 0 && (!def->curve_speed || !def->curve_peak)))
        return RBV_BAD_ARGUMENT;
    return rbv_insert_rating(model, name, def, &source);
}

RbvStatus rbv_model_add_bearings(RbvModel *model, const char *joint, int32_t count, const RbvBearingDef *defs,
                                 const char *arrangement, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    const RbvSource sources[2] = {source, source};
    bool known = !arrangement || strcmp(arrangement, "X") == 0 || strcmp(arrangement, "O") == 0;
    if (!model || !joint || !defs || !known || count < 1 || count > 2 || (count == 1 && arrangement) ||
        (count == 2 && (!defs[0].name || !defs[1].name)))
        return RBV_BAD_ARGUMENT;
    return rbv_insert_bearings(model, joint, count, defs, arrangement, &source, sources);
}

RbvStatus rbv_model_add_plain_bearing(RbvModel *model, const char *joint, const RbvPlainDef *def,
                                      RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && joint && def ? rbv_insert_plain_bearing(model, joint, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_guide(RbvModel *model, const char *joint, const RbvGuideDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && joint && def ? rbv_insert_guide(model, joint, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_screw_life(RbvModel *model, const char *joint, const RbvScrewLifeDef *def,
                                   RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && joint && def ? rbv_insert_screw_life(model, joint, def, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_case(RbvModel *model, const char *name, int32_t count, const char *const *parameters,
                             const double *values, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || count < 0 || (count > 0 && (!parameters || !values)))
        return RBV_BAD_ARGUMENT;
    RbvParameterValue *of = calloc((size_t)count + 1, sizeof *of);
    bool good = of != NULL;
    for (int32_t k = 0; good && k < count; k++) {
        int32_t constant = parameters[k] ? rbv_name_table_find(&model->constants, parameters[k]) : -1;
        if (constant < 0 || constant % 2 != 0)
            rbv_source_error(&source, NULL, "case '%s': there is no parameter '%s'", name,
                             parameters[k] ? parameters[k] : "");
        good = constant >= 0 && constant % 2 == 0;
        of[k] = (RbvParameterValue){constant / 2, values[k]};
    }
    RbvStatus status = good ? rbv_insert_case(model, name, of, count, &source) : rbv_model_wrong(model);
    free(of);
    return status;
}
