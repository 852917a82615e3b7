/* The analysis that answers most about a model, for its page, where the user requests none. */
#include <roberval/analysis.h>

#include "core/base/diagnostics.h"
#include "mechanics/system/system.h"
#include "model/model/model.h"
#include "solution/record/samples.h"

static double mass_of(const RbvModel *model) {
    double mass = 0;
    for (int32_t b = 1; b < model->bodies.count; b++)
        mass += model->bodies.items[b].mass;
    return mass;
}

static bool is_loaded(const RbvModel *model) {
    bool any = rbv_norm(model->gravity) > 0 && mass_of(model) > 0;
    for (int32_t k = 0; k < model->loads.count; k++)
        any = any || model->loads.items[k].name;
    return any;
}

/* Analysis of a model with a motion: all freedoms driven once, or some left. NULL: the motion is not possible. */
static const char *of_motion(const RbvModel *model, RbvMobility mobility) {
    bool heavy = mass_of(model) > 0 || model->generalized.count > 0;
    if (model->requirement_count > 0)
        return "track";
    if (mobility.degrees_of_freedom == 0 && mobility.mobility == mobility.drives)
        return heavy ? "inverse" : "kinematics";
    return mobility.degrees_of_freedom > 0 && heavy ? "simulate" : NULL;
}

RbvStatus rbv_analysis_choose(const RbvSystem *system, const RbvOptions *given, const char **name) {
    if (!system || !name)
        return RBV_BAD_ARGUMENT;
    const RbvModel *model = system->model;
    RbvOptions options = given ? *given : rbv_options_default();
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    options.scene = options.along_motion = false;
    options.criterion = RBV_CRITERION_DEFAULT;
    *name = "check";
    RbvResult *result = NULL;
    RbvStatus status = model->generalized.count > 0 || model->requirement_count > 0
                           ? RBV_OK
                           : rbv_check(system, &options, NULL, &result);
    RbvMobility mobility = result ? rbv_result_mobility(result) : (RbvMobility){.degrees_of_freedom = 1};
    rbv_result_destroy(result);
    if (status == RBV_NO_MEMORY || status == RBV_INTERRUPTED)
        return status;
    const char *moving = status == RBV_OK && model->has_motion ? of_motion(model, mobility) : NULL;
    if (moving)
        *name = moving;
    else if (status == RBV_OK && model->joints.count > 0 && is_loaded(model) && mobility.mobility >= mobility.drives)
        *name = "statics";
    return RBV_OK;
}
