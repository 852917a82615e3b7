/* Dimensions in the model: of variables of expressions, of expressions against their keys; and the search for unused
 * constants. */
#include "model/model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* [characters] Longer expressions are not quoted in messages. */
#define QUOTED 48
/* Largest number of notes about bare numbers in expressions; more would not help. */
#define MOST_BARE_NOTES 5
#define TURN 6.283185307179586 /* rad */

/* ---- measures, results ---- */

RbvExponents rbv_measure_exponents(RbvMeasureKind kind) {
    if (kind == RBV_MEASURE_DOT)
        return rbv_dimension_exponents(RBV_DIM_NONE);
    return rbv_dimension_exponents(rbv_measure_is_angle(kind) ? RBV_DIM_ANGLE : RBV_DIM_LENGTH);
}

static RbvExprDimension of(RbvExprBond bond, RbvDimension dimension) {
    return (RbvExprDimension){bond, rbv_dimension_exponents(dimension)};
}

/* a b^power, for exponents within the representable range. */
static RbvExponents times(RbvExponents a, RbvExponents b, int power) {
    RbvExponents out = a;
    rbv_exponents_product(a, b, 2 * power, &out);
    return out;
}

/* Dimension of a measure. */
static RbvExprDimension of_measure(const RbvModel *model, int32_t measure) {
    const RbvGeneralized *own = rbv_measure_generalized(model, measure);
    return own ? own->dimension
               : (RbvExprDimension){RBV_EXPR_KNOWN, rbv_measure_exponents(model->measures.items[measure].kind)};
}

/* Dimension of the `order`-th time derivative of a value. */
static RbvExprDimension rate_of(RbvExponents value, int32_t order) {
    return (RbvExprDimension){RBV_EXPR_KNOWN, times(value, rbv_dimension_exponents(RBV_DIM_TIME), (int)-order)};
}

/* Dimension of a reaction component. Friction acts along the slip coordinates: in a pin, on the angle. */
static RbvExprDimension of_reaction(const RbvJoint *joint, int32_t component) {
    bool turning = component >= RBV_FRICTION ? rbv_friction_is_torque(joint, component)
                                             : component >= RBV_TX && component <= RBV_TZ;
    return of(RBV_EXPR_DECLARED, turning ? RBV_DIM_TORQUE : RBV_DIM_FORCE);
}

static RbvExprDimension of_load(const RbvModel *model, const RbvLoad *load, int32_t part) {
    const char *unit_text = rbv_load_columns(load->kind, model->space == RBV_SPATIAL)->part[part].unit;
    RbvUnit unit;
    if (!rbv_unit_parse(unit_text, strlen(unit_text), &unit, NULL))
        return (RbvExprDimension){.bond = RBV_EXPR_BARE};
    return (RbvExprDimension){RBV_EXPR_DECLARED, unit.exponents};
}

/* Power over the unit of psi, energy over that of phi; a torque for an angle. */
RbvExprDimension rbv_model_effort_dimension(RbvExprDimension equation, bool on_rates) {
    RbvExponents out = times(rbv_dimension_exponents(RBV_DIM_TORQUE), equation.exponents, -1);
    if (equation.bond < RBV_EXPR_KNOWN)
        return (RbvExprDimension){.bond = RBV_EXPR_BARE};
    if (on_rates)
        out = times(out, rbv_dimension_exponents(RBV_DIM_TIME), -1);
    out.half[RBV_OF_ANGLE] = 0;
    return (RbvExprDimension){RBV_EXPR_KNOWN, out};
}

/* ---- coordinates by a name, and the efforts of drives on them ---- */

RbvExprDimension rbv_coordinate_dimension(const RbvModel *model, const RbvCoordinateRef *of) {
    RbvExprDimension out = {.bond = RBV_EXPR_BARE};
    if (of->named >= 0)
        out = rbv_expr_dimension(rbv_coordinate_value(model, of));
    else if (of->measure >= 0)
        out = of_measure(model, of->measure);
    if (out.bond < RBV_EXPR_KNOWN ||
        !rbv_exponents_product(out.exponents, rbv_dimension_exponents(RBV_DIM_TIME), -2 * of->rate, &out.exponents))
        return (RbvExprDimension){.bond = RBV_EXPR_BARE};
    return out;
}

RbvDimension rbv_coordinate_key(const RbvModel *model, const RbvCoordinateRef *of) {
    RbvExprDimension dimension = rbv_coordinate_dimension(model, of);
    return dimension.bond < RBV_EXPR_KNOWN ? RBV_DIM_ANY : rbv_exponents_named(dimension.exponents);
}

bool rbv_coordinate_is_angle(const RbvModel *model, const RbvCoordinateRef *of) {
    if (of->named < 0)
        return rbv_measure_is_angle(model->measures.items[of->measure].kind);
    RbvExprDimension dimension = rbv_expr_dimension(rbv_coordinate_value(model, of));
    return dimension.bond > RBV_EXPR_BARE && rbv_exponents_pure(dimension.exponents);
}

static RbvExprDimension of_drive(const RbvModel *model, const RbvCoordinateRef *driven) {
    if (driven->named >= 0)
        return rbv_model_effort_dimension(rbv_expr_dimension(rbv_coordinate_value(model, driven)), false);
    if (rbv_measure_generalized(model, driven->measure))
        return rbv_model_effort_dimension(of_measure(model, driven->measure), false);
    if (driven->measure < 0) /* the coordinate was wrong (reported) */
        return (RbvExprDimension){.bond = RBV_EXPR_BARE};
    bool length =
        rbv_exponents_named(rbv_measure_exponents(model->measures.items[driven->measure].kind)) == RBV_DIM_LENGTH;
    return of(RBV_EXPR_DECLARED, length ? RBV_DIM_FORCE : RBV_DIM_TORQUE);
}

static RbvExprDimension of_stop(const RbvModel *model, const RbvCoordinateRef *limited) {
    RbvExprDimension out = of_drive(model, limited);
    if (limited->named < 0 && out.bond == RBV_EXPR_DECLARED)
        out.bond = RBV_EXPR_KNOWN;
    return out;
}

RbvDimension rbv_coordinate_effort_key(const RbvModel *model, const RbvCoordinateRef *of) {
    if (of->named < 0 && of->measure < 0)
        return RBV_DIM_ANY;
    return rbv_coordinate_is_angle(model, of)                ? RBV_DIM_TORQUE
           : rbv_coordinate_key(model, of) == RBV_DIM_LENGTH ? RBV_DIM_FORCE
                                                             : RBV_DIM_ANY;
}

const char *rbv_model_effort_unit(RbvModel *model, const RbvCoordinateRef *driven) {
    if (driven->named >= 0 || rbv_measure_generalized(model, driven->measure))
        return rbv_model_unit_of(model, of_drive(model, driven));
    return driven->measure >= 0 && rbv_coordinate_is_angle(model, driven) ? "N.m" : "N";
}

const char *rbv_model_coordinate_unit(RbvModel *model, const RbvCoordinateRef *of) {
    if (of->named >= 0 || rbv_measure_generalized(model, of->measure))
        return rbv_model_unit_of(model, rbv_coordinate_dimension(model, of));
    return rbv_coordinate_is_angle(model, of) ? "rad" : "m";
}

/* ---- variables of expressions, and what is printed ---- */

RbvExprDimension rbv_model_variable_dimension(const RbvModel *model, int32_t variable) {
    const RbvVariable *v = &model->variables.items[variable];
    switch (v->kind) {
    case RBV_VARIABLE_TIME: return of(RBV_EXPR_LOOSE, RBV_DIM_TIME);
    case RBV_VARIABLE_COORDINATE: {
        RbvExprDimension is = of_measure(model, v->index);
        return is.bond == RBV_EXPR_BARE ? is : rate_of(is.exponents, v->part);
    }
    case RBV_VARIABLE_LENGTH: return rate_of(rbv_dimension_exponents(RBV_DIM_LENGTH), v->part);
    case RBV_VARIABLE_STATE: return model->states.items[v->index].dimension;
    case RBV_VARIABLE_PLACE: return of(RBV_EXPR_KNOWN, RBV_DIM_LENGTH);
    case RBV_VARIABLE_EFFORT: return of_drive(model, &model->drives.items[v->index].of);
    case RBV_VARIABLE_CONTROL: return of_stop(model, &model->actuators.items[v->index].of);
    case RBV_VARIABLE_STOP: return of_stop(model, &model->stops.items[v->index].of);
    case RBV_VARIABLE_REACTION: return of_reaction(&model->joints.items[v->index], v->part);
    case RBV_VARIABLE_LOAD: return of_load(model, &model->loads.items[v->index], v->part);
    case RBV_VARIABLE_MULTIPLIER: {
        const RbvConstraint *constraint = &model->constraints.items[v->index];
        if (constraint->equation)
            return rbv_model_effort_dimension(rbv_expr_dimension(constraint->equation), constraint->on_rates);
        break;
    }
    }
    return (RbvExprDimension){.bond = RBV_EXPR_BARE};
}

static const char *kept(RbvModel *model, const char *unit) {
    const char *copy = rbv_arena_copy(&model->arena, unit, strlen(unit));
    model->no_memory = model->no_memory || !copy;
    return copy ? copy : "";
}

const char *rbv_model_unit_of(RbvModel *model, RbvExprDimension dimension) {
    char unit[64];
    if (dimension.bond == RBV_EXPR_BARE)
        return "";
    rbv_exponents_si(dimension.exponents, unit, sizeof unit);
    return kept(model, unit);
}

const char *rbv_model_declared_unit_of(RbvModel *model, RbvExprDimension dimension) {
    char unit[64];
    if (dimension.bond != RBV_EXPR_DECLARED)
        return rbv_model_unit_of(model, dimension);
    rbv_exponents_si_whole(dimension.exponents, unit, sizeof unit);
    return kept(model, unit);
}

/* ---- expressions against their keys ---- */

static bool is_number(const char *text) {
    double value;
    size_t used = rbv_number_parse(text, &value);
    return used > 0 && text[used] == '\0';
}

/* Note on a bare expression: "30*t" with `units: {angle: deg}` is in radians. No note for expressions with pi, which
 * means radians, or for 0. */
static void note_bare(RbvModel *model, const RbvExpr *expr, const char *text, RbvDimension requested, const char *path,
                      const RbvSource *source) {
    const char *unit = requested < RBV_DIM_COUNT ? model->bare_unit[requested].text : NULL,
               *si = rbv_dimension_si(requested);
    if (!unit || !source || rbv_expr_has_dimension(expr) || (requested == RBV_DIM_ANGLE && rbv_expr_has_pi(expr)) ||
        is_number(text))
        return;
    bool constant = rbv_expr_variable_count(expr) == 0;
    double work[1], value = constant ? rbv_expr_value(expr, NULL, work) : 0;
    if ((constant && value == 0) || model->bare_notes++ >= MOST_BARE_NOTES)
        return;
    char quoted[QUOTED + 4], meaning[80];
    snprintf(quoted, sizeof quoted, strlen(text) > QUOTED ? "this" : "'%s'", text);
    if (constant)
        snprintf(meaning, sizeof meaning, "%.9g %s", value, si);
    else
        snprintf(meaning, sizeof meaning, "in %s", si);
    rbv_source_note(model, source, path,
                    "%s is %s: inside an expression numbers are SI, whatever units: says; for %s write a unit in "
                    "brackets, as in 2[%s]",
                    quoted, meaning, unit, unit);
}

/* Note on bare terms: "60 + n*t", where n is a speed and angles are in deg. A bare angle beyond one turn is noted
 * whatever units: says, since degrees were probably meant. */
static void note_bare_terms(RbvModel *model, const RbvExpr *expr, const char *text, const char *path,
                            const RbvSource *source) {
    RbvBareTerm terms[MOST_BARE_NOTES];
    int32_t count = source ? rbv_expr_bare_terms(expr, terms, MOST_BARE_NOTES) : 0;
    for (int32_t k = 0; k < count; k++) {
        RbvDimension is = rbv_exponents_named(terms[k].beside);
        const char *unit = is < RBV_DIM_COUNT ? model->bare_unit[is].text : NULL;
        bool turns = terms[k].turned && fabs(terms[k].value) > TURN;
        if ((!unit && !turns) || model->bare_notes++ >= MOST_BARE_NOTES)
            continue;
        char meaning[80], bare[QUOTED + 4];
        snprintf(bare, sizeof bare, terms[k].length > QUOTED ? "this" : "'%.*s'", (int)terms[k].length,
                 text + terms[k].offset);
        if (isnan(terms[k].value))
            snprintf(meaning, sizeof meaning, "in %s", rbv_dimension_si(is));
        else
            snprintf(meaning, sizeof meaning, "%.9g %s", terms[k].value, rbv_dimension_si(is));
        RbvPosition at = rbv_source_position(source, path, (size_t)terms[k].offset);
        if (unit)
            rbv_model_note(model, source->diagnostics, at,
                           "in '%.100s' %s is %s: inside an expression numbers are SI, whatever units: says; for %s "
                           "write a unit in brackets, as in 2[%s]",
                           text, bare, meaning, unit, unit);
        else
            rbv_model_note(model, source->diagnostics, at,
                           "in '%.100s' %s is %s; for degrees write a unit in brackets, as in 30[deg]", text, bare,
                           meaning);
    }
}

/* A correction for common errors of dimension. */
static const char *advice(const RbvExpr *expr, RbvExponents has, RbvDimension requested) {
    RbvExponents radians = has;
    radians.half[RBV_OF_CYCLE] = 0;
    if (requested == RBV_DIM_FORCE && rbv_exponents_named(has) == RBV_DIM_MASS)
        return "; its weight is that times 9.81[m/s^2]";
    if (has.half[RBV_OF_CYCLE] != 0 && rbv_exponents_suit(radians, requested))
        return "; a cycle is 2*pi radians: write 2*pi*f for a frequency f";
    RbvExponents times;
    if ((requested == RBV_DIM_ANGLE || requested == RBV_DIM_LENGTH) &&
        rbv_exponents_product(has, rbv_dimension_exponents(RBV_DIM_TIME), 2, &times) &&
        rbv_exponents_suit(times, requested))
        return "; what goes on at a constant rate is that times t";
    return rbv_expr_time_hint(expr, has, rbv_dimension_exponents(requested));
}

bool rbv_model_check_dimension(RbvModel *model, const RbvExpr *expr, const char *text, RbvDimension requested,
                               const char *name, const char *path, const RbvSource *source) {
    RbvExprDimension has = rbv_expr_dimension(expr);
    const RbvExprError *remark = rbv_expr_remark(expr);
    if (remark)
        rbv_model_note(model, source ? source->diagnostics : NULL, rbv_source_position(source, path, remark->offset),
                       "in '%.100s' %s: taken as numbers in SI", text, remark->message);
    note_bare(model, expr, text, requested, path, source);
    note_bare_terms(model, expr, text, path, source);
    if (has.bond < RBV_EXPR_KNOWN || rbv_exponents_suit(has.exponents, requested))
        return true;
    char expected[RBV_DIMENSION_SIZE], is[RBV_DIMENSION_SIZE], subject[QUOTED + 4];
    rbv_dimension_words(requested, expected, sizeof expected);
    rbv_exponents_words(has.exponents, is, sizeof is);
    snprintf(subject, sizeof subject, strlen(text) > QUOTED ? "this" : "'%s'", text);
    if (has.bond == RBV_EXPR_DECLARED) {
        rbv_source_error(source, path, "'%s' is %s, but %s is %s%s", name, expected, subject, is,
                         advice(expr, has.exponents, requested));
        return false;
    }
    rbv_source_note(model, source, path, "'%s' is %s, and %s is %s: its number in SI is taken", name, expected, subject,
                    is);
    return true;
}

/* ---- what is used ---- */

/* Record that the current item reads a parameter, omitting immediate repetitions. */
static void note_reading(RbvModel *model, int32_t parameter) {
    const RbvReading *last = model->readings.count > 0 ? &model->readings.items[model->readings.count - 1] : NULL;
    if (last && last->parameter == parameter && last->item.section == model->reading.section &&
        last->item.index == model->reading.index)
        return;
    int32_t k = rbv_model_grow(model, &model->readings, sizeof(RbvReading));
    if (k >= 0)
        model->readings.items[k] = (RbvReading){model->reading, parameter};
}

void rbv_model_use(RbvModel *model, int32_t constant) {
    if (model->refill)
        return;
    if (model->journal && !model->defining && constant % 2 == 0)
        note_reading(model, constant / 2);
    if (model->defining) {
        int32_t k = rbv_model_grow(model, &model->uses, sizeof(RbvUse));
        if (k >= 0)
            model->uses.items[k] = (RbvUse){model->parameters.count, constant};
    } else if (constant % 2 == 0) {
        model->parameters.items[constant / 2].used = true;
    } else {
        model->tables.items[constant / 2].used = true;
    }
}

void rbv_model_use_item(RbvModel *model, RbvItem item) {
    if (!model->journal || model->refill)
        return;
    for (int32_t k = 0, count = model->readings.count; k < count; k++)
        if (model->readings.items[k].item.section == item.section && model->readings.items[k].item.index == item.index)
            note_reading(model, model->readings.items[k].parameter);
}

void rbv_model_note_unused(RbvModel *model, RbvDiagnostics *diagnostics) {
    /* backwards: uses are in the order of their parameters, which come after the constants they use */
    for (int32_t k = model->uses.count - 1; k >= 0; k--) {
        const RbvUse *use = &model->uses.items[k];
        if (!model->parameters.items[use->by].used)
            continue;
        if (use->constant % 2 == 0)
            model->parameters.items[use->constant / 2].used = true;
        else
            model->tables.items[use->constant / 2].used = true;
    }
    for (int32_t k = 0; k < model->parameters.count; k++) {
        const RbvParameter *parameter = &model->parameters.items[k];
        if (!parameter->used && parameter->option)
            rbv_model_note(model, diagnostics, parameter->where, "%s %s changes nothing: nothing uses this parameter",
                           parameter->option, parameter->name);
        else if (!parameter->used)
            rbv_model_note(model, diagnostics, parameter->where, "nothing uses the parameter '%s'", parameter->name);
    }
    for (int32_t k = 0; k < model->tables.count; k++)
        if (!model->tables.items[k].used)
            rbv_model_note(model, diagnostics, model->tables.items[k].where, "nothing uses the table '%s'",
                           model->tables.items[k].name);
}
