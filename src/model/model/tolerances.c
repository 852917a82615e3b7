/* Tolerances of misfits and parameters, and other misfits for a compiled model. */
#include "model/model/model.h"

#include <math.h>
#include <string.h>

RbvStatus rbv_insert_tolerance(RbvModel *model, const RbvTolerance *tolerance, const RbvSource *source) {
    if (tolerance->joint >= 0) {
        const RbvJoint *joint = &model->joints.items[tolerance->joint];
        const RbvFormTraits *form = &rbv_forms[joint->form];
        uint8_t held = form->directions ? joint->locks : form->compliant[joint->spatial];
        if (!(held >> tolerance->of & 1)) {
            rbv_source_error(source, NULL, "joint '%s' does not hold %s, so that nothing can be out of fit there",
                             joint->name, rbv_direction_name(tolerance->of));
            return rbv_model_wrong(model);
        }
    }
    if (!(tolerance->size > 0) || !isfinite(tolerance->size)) {
        rbv_source_error(source, NULL, "the tolerance of '%s' must be above 0", tolerance->name);
        return rbv_model_wrong(model);
    }
    for (int32_t k = 0; k < model->tolerances.count; k++)
        if (strcmp(model->tolerances.items[k].name, tolerance->name) == 0) {
            rbv_source_error(source, NULL, "'%s' has a tolerance already", tolerance->name);
            return rbv_model_wrong(model);
        }
    int32_t k = rbv_model_grow(model, &model->tolerances, sizeof(RbvTolerance));
    const char *name = rbv_arena_copy(&model->arena, tolerance->name, strlen(tolerance->name));
    if (k < 0 || !name)
        return rbv_model_no_memory(model);
    model->tolerances.items[k] = *tolerance;
    model->tolerances.items[k].name = name;
    model->tolerances.items[k].where = rbv_source_position(source, NULL, 0);
    return RBV_OK;
}

bool rbv_model_set_misfit(RbvModel *model, int32_t joint, int direction, double misfit) {
    RbvJoint *of = &model->joints.items[joint];
    if (!of->loose) {
        RbvLoose *loose = rbv_arena_alloc(&model->arena, sizeof *loose);
        if (!loose)
            return false;
        *loose = rbv_rigid;
        of->loose = loose;
    }
    of->loose->misfit[direction] = misfit;
    return true;
}
