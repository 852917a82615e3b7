/* Checks and enters constraints, drives, initial conditions and outputs. */
#include "core/base/diagnostics.h"
#include "model/model/additions.h"
#include "model/model/refill.h"

#include <math.h>
#include <string.h>

static const char *keep(RbvModel *model, const char *text) {
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
    constraint->text = keep(model, equation);
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
                        keep(model, coordinate),
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

RbvStatus rbv_insert_initial(RbvModel *model, const char *coordinate, double value, const RbvSource *source) {
    RbvInitial initial = {
        .coordinate = keep(model, coordinate), .value = value, .where = rbv_source_position(source, NULL, 0)};
    if (!rbv_model_coordinate(model, coordinate, &initial.of, NULL, source))
        return rbv_model_wrong(model);
    int32_t *given = &rbv_coordinate_prescribed(model, &initial.of)->initial[initial.of.rate > 0];
    if (*given && !model->refill) {
        rbv_source_error(source, NULL, "'%s' has an initial condition already", coordinate);
        return rbv_model_wrong(model);
    }
    int32_t k = !model->refill ? rbv_model_grow(model, &model->initial, sizeof(RbvInitial))
                : *given > 0 && rbv_refill_take(model, &model->initial, sizeof(RbvInitial), *given - 1) ? *given - 1
                                                                                                        : -1;
    if (k < 0 || !initial.coordinate)
        return rbv_model_no_memory(model);
    model->initial.items[k] = initial;
    *given = k + 1;
    return isfinite(value) ? RBV_OK : rbv_model_wrong(model);
}

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

static RbvSource plain_source(RbvDiagnostics *diagnostics) {
    return (RbvSource){.diagnostics = diagnostics, .file = ""};
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
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !equation)
        return RBV_BAD_ARGUMENT;
    return comes_too_late(model, name, &source)
               ? rbv_model_wrong(model)
               : rbv_model_keep_addition(model, rbv_insert_constraint(model, name, equation, false, &source),
                                         &(RbvAddition){.kind = RBV_ADDED_CONSTRAINT, .text = {name, equation}});
}

RbvStatus rbv_model_add_velocity_constraint(RbvModel *model, const char *name, const char *velocity,
                                            RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !velocity)
        return RBV_BAD_ARGUMENT;
    return comes_too_late(model, name, &source)
               ? rbv_model_wrong(model)
               : rbv_model_keep_addition(model, rbv_insert_constraint(model, name, velocity, true, &source),
                                         &(RbvAddition){.kind = RBV_ADDED_VELOCITY, .text = {name, velocity}});
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

RbvStatus rbv_model_limit_drive(RbvModel *model, const char *name, const char *most, double catch_up,
                                RbvDiagnostics *diagnostics) {
    RbvSource source = {.diagnostics = diagnostics, .file = ""};
    if (!model || !name || !most)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_drive_limit(model, name, most, catch_up, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_LIMIT, .text = {name, most}, .number = catch_up});
}

RbvStatus rbv_model_add_rotor(RbvModel *model, const char *drive, double inertia, double ratio,
                              RbvDiagnostics *diagnostics) {
    RbvSource source = {.diagnostics = diagnostics, .file = ""};
    if (!model || !drive)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(
        model, rbv_insert_drive_rotor(model, drive, inertia, ratio, &source),
        &(RbvAddition){.kind = RBV_ADDED_ROTOR, .text = {drive}, .number = inertia, .ratio = ratio});
}

RbvStatus rbv_model_add_drive(RbvModel *model, const char *name, const char *coordinate, const char *motion,
                              RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !coordinate || !motion)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_drive(model, name, coordinate, motion, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_DRIVE, .text = {name, coordinate, motion}});
}

RbvStatus rbv_model_add_initial(RbvModel *model, const char *coordinate, double value, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && coordinate ? rbv_insert_initial(model, coordinate, value, &source) : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_add_output(RbvModel *model, const char *name, const char *expression, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !expression)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_output(model, name, expression, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_OUTPUT, .text = {name, expression}});
}
