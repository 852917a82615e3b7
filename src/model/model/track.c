/* Checks and enters required motions, and the actuators that bring them about. */
#include "core/base/diagnostics.h"
#include "model/model/additions.h"
#include "model/model/refill.h"

#include <math.h>
#include <string.h>

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

static RbvSource plain_source(RbvDiagnostics *diagnostics) {
    return (RbvSource){.diagnostics = diagnostics, .file = ""};
}

RbvStatus rbv_model_require(RbvModel *model, const char *name, const char *equation, RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !equation)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_requirement(model, name, equation, false, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_REQUIREMENT, .text = {name, equation}});
}

RbvStatus rbv_model_require_velocity(RbvModel *model, const char *name, const char *velocity,
                                     RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    if (!model || !name || !velocity)
        return RBV_BAD_ARGUMENT;
    return rbv_model_keep_addition(model, rbv_insert_requirement(model, name, velocity, true, &source),
                                   &(RbvAddition){.kind = RBV_ADDED_REQUIRED_VELOCITY, .text = {name, velocity}});
}

RbvStatus rbv_model_add_actuator(RbvModel *model, const char *name, const char *coordinate, double weight, double most,
                                 RbvDiagnostics *diagnostics) {
    RbvSource source = plain_source(diagnostics);
    return model && name && coordinate ? rbv_insert_actuator(model, name, coordinate, weight, most, &source)
                                       : RBV_BAD_ARGUMENT;
}

RbvStatus rbv_model_set_track_rate(RbvModel *model, double rate) {
    if (!model || !(isnan(rate) || (rate > 0 && isfinite(rate))))
        return RBV_BAD_ARGUMENT;
    model->track_rate = rate;
    return RBV_OK;
}
