/* What is not admitted; see admitted.h. Friction reads multipliers of joints at every instant, and those of joints that coordinates keep are only known at samples, and after impacts; there without what teeth push apart. */
#include "analysis/admitted.h"

#include "base/diagnostics.h"
#include "system/rubs.h"
#include "system/system.h"

#include <stdio.h>

typedef struct Refusal {
    char what[RBV_NAME_ROOM + 80];
    RbvPosition where;
} Refusal;

static Refusal refuse(const char *what, const char *name, RbvPosition where) {
    Refusal refusal = {.where = where};
    snprintf(refusal.what, sizeof refusal.what, "%s '%s'", what, name);
    return refusal;
}

/* Can rates jump? */
static bool has_impacts(const RbvModel *model) {
    bool one_sided = false;
    for (int32_t k = 0; k < model->joints.count; k++)
        one_sided = one_sided || model->joints.items[k].unilateral;
    return one_sided || model->stops.count > 0 || model->conditions.count > 0;
}

static Refusal find(const RbvSystem *system) {
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < system->rub_count && k < 1; k++)
        return refuse("friction of joint", model->joints.items[system->rubs[k].joint].name, model->joints.items[system->rubs[k].joint].where);
    for (int32_t k = 0; has_impacts(model) && k < model->joints.count; k++)
        if (model->joints.items[k].form == RBV_FORM_GEAR && model->joints.items[k].sizes->pressure_angle > 0)
            return refuse("an impact (stops, unilateral, active) beside teeth that push wheels apart, of", model->joints.items[k].name, model->joints.items[k].where);
    if (model->generalized.count > 0)
        return refuse("the generalized coordinate", model->generalized.items[0].name, model->generalized.items[0].where);
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].has_rotor)
            return refuse("the rotor of drive", model->drives.items[k].name, model->drives.items[k].where);
    return (Refusal){.what = ""};
}

RbvStatus rbv_admit_coordinates(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    if (!system->kept)
        return RBV_OK;
    Refusal refusal = find(system);
    if (!refusal.what[0])
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, refusal.where, "%s is not in this version for motion from forces in %s coordinates; --coordinates absolute has it", refusal.what,
                 system->coordinates.kind->name);
    return RBV_BAD_INPUT;
}
