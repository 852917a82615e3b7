/* Sets other values of parameters in a model that a program has built: the recorded additions are made again, in
 * place. */
#include "core/base/diagnostics.h"
#include "model/model/refill.h"

#include <math.h>
#include <string.h>

static RbvStatus add_again(RbvModel *model, const RbvAddition *a, const RbvSource *source) {
    const char *const *text = a->text;
    switch (a->kind) {
    case RBV_ADDED_PARAMETER: return RBV_OK;
    case RBV_ADDED_COORDINATE: return rbv_insert_coordinate(model, text[0], text[1], source);
    case RBV_ADDED_CONSTRAINT: return rbv_insert_constraint(model, text[0], text[1], false, source);
    case RBV_ADDED_VELOCITY: return rbv_insert_constraint(model, text[0], text[1], true, source);
    case RBV_ADDED_NONIDEAL:
        return rbv_insert_nonideal(model, rbv_model_find(model, text[0], RBV_NAMED_CONSTRAINT), text[1], text[2],
                                   source);
    case RBV_ADDED_DRIVE: return rbv_insert_drive(model, text[0], text[1], text[2], source);
    case RBV_ADDED_LIMIT: return rbv_insert_drive_limit(model, text[0], text[1], a->number, source);
    case RBV_ADDED_ROTOR: return rbv_insert_drive_rotor(model, text[0], a->number, a->ratio, source);
    case RBV_ADDED_REQUIREMENT: return rbv_insert_requirement(model, text[0], text[1], false, source);
    case RBV_ADDED_REQUIRED_VELOCITY: return rbv_insert_requirement(model, text[0], text[1], true, source);
    case RBV_ADDED_LOAD: return rbv_insert_load(model, a->load, source);
    case RBV_ADDED_OUTPUT: return rbv_insert_output(model, text[0], text[1], source);
    }
    return RBV_BAD_ARGUMENT;
}

/* The recorded addition of a parameter, with its first value; NULL: no such parameter. */
static const RbvAddition *find_parameter(const RbvModel *model, const char *name) {
    for (const RbvAddition *a = model->additions; a; a = a->next)
        if (a->kind == RBV_ADDED_PARAMETER && strcmp(a->text[0], name) == 0)
            return a;
    return NULL;
}

RbvStatus rbv_model_change_additions(RbvModel *model, const RbvParameterValue *values, int32_t count,
                                     RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < count; k++) {
        RbvParameter *parameter = &model->parameters.items[values[k].parameter];
        const RbvAddition *first = find_parameter(model, parameter->name);
        if (!first) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "the parameter '%s' cannot be changed: the model was read as one that does not change",
                         parameter->name);
            return RBV_BAD_INPUT;
        }
        parameter->fixed = !isnan(values[k].value);
        parameter->value = parameter->fixed ? values[k].value : first->number;
    }
    for (const RbvAddition *a = model->additions; a && status == RBV_OK && !model->refill->differs; a = a->next)
        status = add_again(model, a, &source);
    bool differs = model->refill->differs || (status == RBV_OK && !rbv_refill_settle(model));
    if (differs) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "these values change what the model is made of, or a unit, and not its numbers alone: build it "
                     "anew with them");
        return RBV_BAD_INPUT;
    }
    return model->no_memory ? RBV_NO_MEMORY : status;
}
