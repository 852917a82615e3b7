/* design: tolerance: misfits and parameters deviate at random as tolerances: of the model says. */
#include "study/definition/reading.h"

#include <math.h>
#include <string.h>

#define COVERAGE 3 /* standard deviations of a tolerance that has no distribution */

static RbvFactor factor_of(const RbvTolerance *tolerance, double nominal, int32_t lead) {
    if (tolerance->kind == RBV_TOLERANCE_UNIFORM)
        return (RbvFactor){.kind = RBV_FACTOR_UNIFORM,
                           .lead = lead,
                           .count = 1,
                           .a = nominal - tolerance->size,
                           .b = nominal + tolerance->size};
    double sigma = tolerance->kind == RBV_TOLERANCE_NORMAL ? tolerance->size : tolerance->size / COVERAGE;
    return (RbvFactor){.kind = RBV_FACTOR_NORMAL, .lead = lead, .count = 1, .a = nominal, .b = sigma};
}

void rbv_study_add_tolerances(RbvStudyReader *reader, RbvPosition at) {
    RbvStudy *study = reader->study;
    const RbvModel *model = reader->model;
    int32_t before = study->parameter_count, count = model ? model->tolerances.count : 0;
    if (model && count == 0)
        rbv_study_error(reader, at, "design: tolerance wants tolerances: in the model");
    RbvStudyParameter *parameters = rbv_study_array(reader, (size_t)(before + count), sizeof *parameters);
    RbvFactor *factors = rbv_study_array(reader, (size_t)(before + count), sizeof *factors);
    if (!parameters || !factors)
        return;
    for (int32_t k = 0; k < before; k++) {
        parameters[k] = study->parameters[k];
        factors[k] = study->design.factors[k];
    }
    for (int32_t k = 0; k < count; k++) {
        const RbvTolerance *of = &model->tolerances.items[k];
        RbvStudyParameter *parameter = &parameters[before + k];
        *parameter = (RbvStudyParameter){.name = rbv_study_copy(reader, of->name, strlen(of->name)),
                                         .factor = 1,
                                         .number = of->joint < 0 ? of->of : -1,
                                         .joint = of->joint,
                                         .direction = of->of,
                                         .at = at};
        const char *unit = of->of < 3 ? "m" : "rad";
        double nominal = 0;
        if (of->joint < 0) {
            unit = model->parameters.items[of->of].unit;
            nominal = model->parameters.items[of->of].value;
        } else {
            nominal = rbv_joint_loose(&model->joints.items[of->joint])->misfit[of->of];
        }
        if (of->joint < 0 && model->parameters.items[of->of].computed)
            rbv_study_error(reader, at,
                            "'%s' is computed from other parameters, and cannot deviate by itself in a study; "
                            "roberval tolerance adds such deviations",
                            of->name);
        parameter->nominal = nominal;
        parameter->unit = rbv_study_copy(reader, unit, strlen(unit));
        factors[before + k] = factor_of(of, nominal, before + k);
        for (int32_t n = 0; n < before; n++)
            if (strcmp(parameters[n].name, of->name) == 0)
                rbv_study_error(reader, parameters[n].at, "'%s' varies, and has a tolerance in the model", of->name);
    }
    study->parameters = parameters;
    study->parameter_count = study->design.factor_count = before + count;
    study->design.factors = factors;
}
