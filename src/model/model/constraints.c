/* Checks and enters what the user writes as equations of coordinates: constraints Phi(q, t) = 0 and psi(q, q', t) = 0,
 * ideal, nonideal or required of control; drives q = f(t); initial conditions; outputs and questions. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/model/refill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *copy_text_of(RbvModel *model, const char *text) {
    return rbv_arena_copy(&model->arena, text, strlen(text));
}

RbvStatus rbv_insert_constraint(RbvModel *model, const char *name, const char *equation, bool on_rates,
                                const RbvSource *source) {
    const char *path = on_rates ? "velocity" : "equation";
    int32_t k;
    const char *copy =
        rbv_model_enter_name(model, name, RBV_NAMED_CONSTRAINT, &model->constraints, sizeof(RbvConstraint), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    int scope = RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | (on_rates ? RBV_SCOPE_RATES : 0);
    RbvExpr *expr = rbv_model_expression(model, equation, scope, RBV_DIM_ANY, path, source);
    RbvConstraint *constraint = &model->constraints.items[k];
    constraint->name = copy;
    constraint->text = copy_text_of(model, equation);
    constraint->equation = expr;
    constraint->on_rates = on_rates;
    constraint->where = rbv_source_position(source, NULL, 0);
    if (!expr || !constraint->text || !rbv_model_has_derivatives(expr, 2, "constraint", copy, path, source))
        return rbv_model_wrong(model);
    constraint->unit = rbv_model_unit_of(model, rbv_model_effort_dimension(rbv_expr_dimension(expr), on_rates));
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == (on_rates ? 1 : 0))
            return RBV_OK;
    }
    rbv_source_error(
        source, path,
        on_rates
            ? "constraint '%s' holds no rate (such as hinge.angle'); a relation without rates stands under 'equation'"
            : "constraint '%s' holds no coordinate, so it constrains nothing",
        copy);
    return rbv_model_wrong(model);
}

/* Requirements are last in the list: an error is reported for a constraint after them. */
static bool comes_too_late(const RbvModel *model, const char *name, const RbvSource *source) {
    if (model->requirement_count > 0)
        rbv_source_error(source, NULL,
                         "constraint '%s' comes after what is required of the system; it must be added before", name);
    return model->requirement_count > 0;
}

RbvStatus rbv_model_add_constraint(RbvModel *model, const char *name, const char *equation,
                                   RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !equation)
        return RBV_BAD_ARGUMENT;
    return comes_too_late(model, name, &source)
               ? rbv_model_wrong(model)
               : rbv_model_keep_addition(model, rbv_insert_constraint(model, name, equation, false, &source),
                                         &(RbvAddition){.kind = RBV_ADDED_CONSTRAINT, .text = {name, equation}});
}

RbvStatus rbv_model_add_velocity_constraint(RbvModel *model, const char *name, const char *velocity,
                                            RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !velocity)
        return RBV_BAD_ARGUMENT;
    return comes_too_late(model, name, &source)
               ? rbv_model_wrong(model)
               : rbv_model_keep_addition(model, rbv_insert_constraint(model, name, velocity, true, &source),
                                         &(RbvAddition){.kind = RBV_ADDED_VELOCITY, .text = {name, velocity}});
}

/* Nonideal constraints: forces along coordinates by which a constraint does work. */

#define FORCE_SCOPE (RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_IDEAL)

RbvDimension rbv_nonideal_dimension(const RbvModel *model, int32_t measure) {
    if (rbv_measure_generalized(model, measure))
        return RBV_DIM_ANY;
    RbvDimension along = rbv_exponents_named(rbv_measure_exponents(model->measures.items[measure].kind));
    return along == RBV_DIM_LENGTH ? RBV_DIM_FORCE : RBV_DIM_TORQUE;
}

bool rbv_nonideal_measure(RbvModel *model, const char *coordinate, int32_t *measure, const char *path,
                          const RbvSource *source) {
    RbvCoordinateRef of;
    if (!rbv_model_coordinate(model, coordinate, &of, path, source))
        return false;
    *measure = of.measure;
    if (of.measure < 0) {
        rbv_source_error(source, path,
                         "'%s' stands for an expression; a non-ideal force acts along a coordinate as it is",
                         coordinate);
        return false;
    }
    if (of.rate == 0 || rbv_measure_is_rate(model->measures.items[*measure].kind))
        return true;
    rbv_source_error(source, path, "'%s' is a rate; a non-ideal force acts along a coordinate, and may read its rate",
                     coordinate);
    return false;
}

/* Index for a nonideal force: new, or, while the model is refilled, that of the same constraint and coordinate; -1:
 * none. */
static int32_t place_of(RbvModel *model, int32_t constraint, const char *coordinate) {
    if (!model->refill)
        return rbv_model_grow(model, &model->nonideals, sizeof(RbvNonideal));
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *there = &model->nonideals.items[k];
        if (there->force && there->constraint == constraint && strcmp(there->coordinate, coordinate) == 0)
            return rbv_refill_take(model, &model->nonideals, sizeof(RbvNonideal), k) ? k : -1;
    }
    model->refill->differs = true;
    return -1;
}

RbvStatus rbv_insert_nonideal(RbvModel *model, int32_t constraint, const char *coordinate, const char *force,
                              const RbvSource *source) {
    char path[200];
    snprintf(path, sizeof path, "nonideal/%s", coordinate);
    RbvNonideal nonideal = {.constraint = constraint, .where = rbv_source_position(source, path, 0)};
    if (!rbv_nonideal_measure(model, coordinate, &nonideal.measure, path, source))
        return rbv_model_wrong(model);
    nonideal.coordinate = rbv_arena_copy(&model->arena, coordinate, strlen(coordinate));
    nonideal.force =
        rbv_model_expression(model, force, FORCE_SCOPE, rbv_nonideal_dimension(model, nonideal.measure), path, source);
    if (!nonideal.force)
        return rbv_model_wrong(model);
    int32_t k = nonideal.coordinate ? place_of(model, constraint, coordinate) : -1;
    if (k < 0) {
        rbv_expr_destroy(nonideal.force);
        return rbv_model_no_memory(model);
    }
    model->nonideals.items[k] = nonideal;
    model->constraints.items[constraint].nonideal = true;
    return RBV_OK;
}

RbvStatus rbv_model_add_nonideal(RbvModel *model, const char *constraint, const char *coordinate, const char *force,
                                 RbvDiagnostics *diagnostics) {
    if (!model || !constraint || !coordinate || !force)
        return RBV_BAD_ARGUMENT;
    RbvSource source = rbv_plain_source(diagnostics);
    int32_t k = rbv_model_find(model, constraint, RBV_NAMED_CONSTRAINT);
    if (k >= 0)
        return rbv_model_keep_addition(
            model, rbv_insert_nonideal(model, k, coordinate, force, &source),
            &(RbvAddition){.kind = RBV_ADDED_NONIDEAL, .text = {constraint, coordinate, force}});
    rbv_source_error(&source, NULL, "there is no constraint '%s'", constraint);
    return rbv_model_wrong(model);
}

bool rbv_model_is_ideal(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics) {
    if (model->nonideals.count == 0)
        return true;
    const RbvNonideal *first = &model->nonideals.items[0];
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, first->where,
                 "constraint '%s' does work (nonideal:), which %s does not know; roberval simulate does",
                 model->constraints.items[first->constraint].name, analysis);
    return false;
}

/* Required motions: equations that control brings about, and the actuators that it has. */

RbvStatus rbv_insert_requirement(RbvModel *model, const char *name, const char *equation, bool on_rates,
                                 const RbvSource *source) {
    int32_t before = model->constraints.count;
    RbvStatus status = rbv_insert_constraint(model, name, equation, on_rates, source);
    if (status != RBV_OK)
        return status;
    RbvConstraint *constraint = &model->constraints.items[rbv_model_find(model, name, RBV_NAMED_CONSTRAINT)];
    constraint->required = true;
    constraint->error_unit = rbv_model_unit_of(model, rbv_expr_dimension(constraint->equation));
    model->requirement_count += model->constraints.count > before;
    return RBV_OK;
}

RbvStatus rbv_insert_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most,
                              const RbvSource *source) {
    int32_t k;
    RbvCoordinateRef of = {.measure = -1, .named = -1};
    const char *copy =
        rbv_model_enter_name(model, name, RBV_NAMED_ACTUATOR, &model->actuators, sizeof(RbvActuator), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    bool good = rbv_model_coordinate(model, coordinate, &of, "coordinate", source);
    if (good && (of.rate > 0 || (of.measure >= 0 && rbv_measure_is_rate(model->measures.items[of.measure].kind)))) {
        rbv_source_error(source, "coordinate", "an actuator acts along a coordinate, not a rate: '%s'", coordinate);
        good = false;
    }
    if (!(weight > 0) || !isfinite(weight)) {
        rbv_source_error(source, "weight", "the weight of actuator '%s' must be positive, not %g", copy, weight);
        good = false;
    }
    if (!(most > 0)) {
        rbv_source_error(source, "max",
                         "max of actuator '%s' must be positive, not %g: its effort lies between -max and max", copy,
                         most);
        good = false;
    }
    const char *text = rbv_arena_copy(&model->arena, coordinate, strlen(coordinate));
    model->actuators.items[k] = (RbvActuator){copy,
                                              text,
                                              of,
                                              weight,
                                              most,
                                              good ? rbv_model_effort_unit(model, &of) : "",
                                              rbv_source_position(source, NULL, 0)};
    return good && text ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_model_require(RbvModel *model, const char *name, const char *equation, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !equation)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_requirement(model, name, equation, false, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_REQUIREMENT, .text = {name, equation}});
}

RbvStatus rbv_model_require_velocity(RbvModel *model, const char *name, const char *velocity,
                                     RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !velocity)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_requirement(model, name, velocity, true, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_REQUIRED_VELOCITY, .text = {name, velocity}});
}

RbvStatus rbv_model_add_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most,
                                 RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && name && coordinate ? rbv_insert_actuator(model, name, coordinate, weight, most, &source)
                                       : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_set_track_rate(RbvModel *model, double rate) {
    if (!model || !(isnan(rate) || (rate > 0 && isfinite(rate))))
        return RBV_BAD_ARGUMENT;
    model->track_rate = rate;
    return RBV_OK;
}

/* Drives, the limits of their efforts, their rotors. */

RbvStatus rbv_insert_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                           const RbvSource *source) {
    int32_t k;
    const char *copy = rbv_model_enter_name(model, name, RBV_NAMED_DRIVE, &model->drives, sizeof(RbvDrive), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    RbvCoordinateRef of;
    bool good = rbv_model_coordinate(model, coordinate, &of, "coordinate", source);
    if (good && of.rate > 0) {
        bool spin = of.measure >= 0 && rbv_measure_is_rate(model->measures.items[of.measure].kind);
        rbv_source_error(
            source, "coordinate",
            spin ? "a drive prescribes a coordinate, and '%s' is the rate of none; prescribe it by a velocity: "
                   "constraint"
                 : "a drive prescribes a coordinate, not a rate; integrate the motion and drive the coordinate",
            coordinate);
        good = false;
    }
    of.rate = 0;
    RbvExpr *expr =
        rbv_model_expression(model, motion, RBV_SCOPE_TIME, rbv_coordinate_key(model, &of), "motion", source);
    RbvDrive *drive = &model->drives.items[k];
    *drive = (RbvDrive){copy,
                        copy_text_of(model, coordinate),
                        of,
                        expr,
                        rbv_model_effort_unit(model, &of),
                        rbv_source_position(source, NULL, 0),
                        NULL,
                        0,
                        false,
                        0,
                        0};
    RbvPrescribed *prescribed = rbv_coordinate_prescribed(model, &of);
    if (good && model->switched) {
        ; /* several drives with `active:` may drive the same coordinate one after the other */
    } else if (good && prescribed->drive && prescribed->drive != k + 1) {
        rbv_source_error(
            source, "coordinate",
            "the system is over-driven: drives '%s' and '%s' move the same coordinate %s; take one of them "
            "away",
            model->drives.items[prescribed->drive - 1].name, copy, coordinate);
        good = false;
    } else if (prescribed) {
        prescribed->drive = k + 1;
    }
    good = rbv_model_has_derivatives(expr, 2, "the motion of drive", copy, "motion", source) && good;
    good = good && (!expr || rbv_coordinate_takes(model, &of, coordinate, rbv_expr_dimension(expr), "motion", source));
    const char *why = NULL;
    if (expr && good && rbv_expr_variable_count(expr) == 1 && !rbv_expr_is_smooth(expr, 0, &why))
        rbv_source_note(model, source, "motion",
                        "the motion of drive '%s' uses %s and may not be twice continuously differentiable: its effort "
                        "jumps, or is infinite, where it is not",
                        copy, why);
    return good && expr && drive->coordinate ? RBV_OK : rbv_model_wrong(model);
}

/* The drive called `name`; NULL: none (reported). */
static RbvDrive *find_drive(const RbvModel *model, const char *name, const RbvSource *source) {
    int32_t k = rbv_model_find(model, name, RBV_NAMED_DRIVE);
    if (k < 0)
        rbv_source_error(source, NULL, "there is no drive '%s'", name);
    return k < 0 ? NULL : &model->drives.items[k];
}

RbvStatus rbv_insert_drive_limit(RbvModel *model, const char *name, const char *most, double catch_up,
                                 const RbvSource *source) {
    RbvDrive *drive = find_drive(model, name, source);
    if (!drive)
        return rbv_model_wrong(model);
    bool good = true;
    if (!(catch_up >= 0) || !isfinite(catch_up)) {
        rbv_source_error(source, "catch_up",
                         "catch_up of drive '%s' must not be negative, as %g is: a lag dies out at that rate",
                         drive->name, catch_up);
        good = false;
    }
    RbvDimension dimension = rbv_coordinate_effort_key(model, &drive->of);
    rbv_expr_destroy(drive->most); /* set twice from C: the last call counts */
    drive->most =
        rbv_model_expression(model, most, RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_STATES,
                             dimension, "max", source);
    drive->catch_up = catch_up;
    return good && drive->most ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_insert_drive_rotor(RbvModel *model, const char *name, double inertia, double ratio,
                                 const RbvSource *source) {
    RbvDrive *drive = find_drive(model, name, source);
    if (!drive)
        return rbv_model_wrong(model);
    if (drive->of.measure < 0 || rbv_measure_generalized(model, drive->of.measure)) {
        rbv_source_error(source, "rotor",
                         "drive '%s' moves %s; a rotor: goes with a length or an angle as it is, in this version",
                         drive->name,
                         drive->of.measure < 0 ? "an expression of coordinates"
                                               : "a generalized coordinate, whose mass: can hold its rotor");
        return rbv_model_wrong(model);
    }
    if (!(inertia >= 0) || !isfinite(inertia) || !isfinite(ratio)) {
        rbv_source_error(source, "rotor",
                         "the rotor of drive '%s' needs an inertia that is not negative, and a finite ratio",
                         drive->name);
        return rbv_model_wrong(model);
    }
    model->rotor_count += !model->refill && !drive->has_rotor;
    drive->has_rotor = true;
    drive->rotor_inertia = inertia;
    drive->rotor_ratio = ratio;
    return RBV_OK;
}

RbvStatus rbv_model_add_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                              RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !coordinate || !motion)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_drive(model, name, coordinate, motion, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_DRIVE, .text = {name, coordinate, motion}});
}

RbvStatus rbv_model_limit_drive(RbvModel *model, const char *name, const char *most, double catch_up,
                                RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !most)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_drive_limit(model, name, most, catch_up, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_LIMIT, .text = {name, most}, .number = catch_up});
}

RbvStatus rbv_model_add_rotor(RbvModel *model, const char *drive, double inertia, double ratio,
                              RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !drive)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(
        model, rbv_insert_drive_rotor(model, drive, inertia, ratio, &source),
        &(RbvAddition){.kind = RBV_ADDED_ROTOR, .text = {drive}, .number = inertia, .ratio = ratio});
}

/* Initial conditions. */

RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source) {
    RbvInitial initial = {
        .coordinate = copy_text_of(model, coordinate), .value = value, .where = rbv_source_position(source, NULL, 0)};
    if (!rbv_model_coordinate(model, coordinate, &initial.of, NULL, source))
        return rbv_model_wrong(model);
    int32_t *prescribed = &rbv_coordinate_prescribed(model, &initial.of)->initial[initial.of.rate > 0];
    if (*prescribed && !model->refill) {
        rbv_source_error(source, NULL, "'%s' has an initial condition already", coordinate);
        return rbv_model_wrong(model);
    }
    int32_t k = !model->refill ? rbv_model_grow(model, &model->initial, sizeof(RbvInitial))
                : *prescribed > 0 && rbv_refill_take(model, &model->initial, sizeof(RbvInitial), *prescribed - 1)
                    ? *prescribed - 1
                    : -1;
    if (k < 0 || !initial.coordinate)
        return rbv_model_no_memory(model);
    model->initial.items[k] = initial;
    *prescribed = k + 1;
    return isfinite(value) ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_model_add_initial(RbvModel *model, const char *coordinate, double value, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && coordinate ? rbv_insert_initial(model, coordinate, value, &source) : RBV_BAD_ARGUMENT;
}

/* Outputs, and questions: linear combinations of reactions whose verdict is requested (--ask 'A.Fz + D.Fz'). */

RbvStatus rbv_insert_output(RbvModel *model, const char *name, const char *expression, const RbvSource *source) {
    if (name && strcmp(name, "time") == 0) {
        rbv_source_error(source, NULL, "an output cannot be called 'time': the first column has that name");
        return rbv_model_wrong(model);
    }
    int32_t k;
    const char *copy =
        rbv_model_enter_name(model, name, RBV_NAMED_OUTPUT, &model->outputs, sizeof(RbvOutput), &k, source);
    if (!copy)
        return rbv_model_wrong(model);
    RbvExpr *expr = rbv_model_expression(model, expression,
                                         RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES |
                                             RBV_SCOPE_SECOND_RATES | RBV_SCOPE_RESULTS | RBV_SCOPE_STATES,
                                         RBV_DIM_ANY, "", source);
    const char *unit = expr ? rbv_model_unit_of(model, rbv_expr_dimension(expr)) : "";
    model->outputs.items[k] = (RbvOutput){copy, expr, unit, rbv_source_position(source, NULL, 0)};
    return expr ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_model_add_output(RbvModel *model, const char *name, const char *expression, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    if (!model || !name || !expression)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_output(model, name, expression, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_OUTPUT, .text = {name, expression}});
}

/* Does the expression contain only reactions, and is it affine in them by its form? */
static bool is_linear(const RbvModel *model, const RbvExpr *expr, bool *no_memory) {
    int32_t n = rbv_expr_variable_count(expr);
    bool *chosen = malloc((size_t)n + 1), linear = n > 0;
    *no_memory = !chosen;
    for (int32_t v = 0; chosen && v < n; v++) {
        chosen[v] = true;
        linear = linear && rbv_variable_is_result(model->variables.items[rbv_expr_variable(expr, v)].kind);
    }
    linear = chosen && linear && rbv_expr_is_affine(expr, chosen);
    free(chosen);
    return linear;
}

RbvStatus rbv_model_add_question(RbvModel *model, const char *combination, RbvDiagnostics *diagnostics) {
    if (!model || !combination)
        return RBV_BAD_ARGUMENT;
    RbvSource source = {.diagnostics = diagnostics, .file = combination};
    int32_t k = rbv_model_grow(model, &model->questions, sizeof(RbvQuestion));
    const char *copy = rbv_arena_copy(&model->arena, combination, strlen(combination));
    if (k < 0 || !copy)
        return rbv_model_no_memory(model);
    RbvQuestion *question = &model->questions.items[k];
    question->text = copy;
    question->value =
        rbv_model_expression(model, combination, RBV_SCOPE_RESULTS | RBV_SCOPE_UNITLESS, RBV_DIM_ANY, NULL, &source);
    if (!question->value)
        return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    bool no_memory = false;
    if (is_linear(model, question->value, &no_memory))
        return RBV_OK;
    if (no_memory)
        return rbv_model_no_memory(model);
    rbv_source_error(
        &source, NULL,
        "not a linear combination of reactions, drive and constraint efforts, such as 'A.Fx + 2*B.Fy - motor.effort'");
    return RBV_BAD_INPUT;
}
