/* Conditions (active:) at a state: which rows are active, which loads act, and at which position rows engage. */
#include "mechanics/system/conditions.h"

#include <math.h>

void rbv_condition_apply(const RbvSystem *system, const RbvCondition *condition, bool holds, bool *active,
                         bool *acting) {
    if (condition->of == RBV_CONDITION_LOAD)
        acting[condition->index] = holds;
    else if (condition->of == RBV_CONDITION_DRIVE)
        active[system->drive_row[condition->index]] = holds;
    else if (condition->of == RBV_CONDITION_CONSTRAINT)
        active[system->constraint_row[condition->index]] = holds;
    for (int32_t k = system->joint_row[condition->index];
         condition->of == RBV_CONDITION_JOINT && k < system->joint_row[condition->index + 1]; k++)
        active[k] = holds;
}

const char *rbv_conditions_decide(const RbvState *state, bool *active, bool *acting, bool *truth, double *work) {
    const RbvModel *model = state->system->model;
    const char *bad = NULL;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        double value = rbv_state_expression(state, model->conditions.items[k].active, NULL, work);
        bad = bad || isfinite(value) ? bad : model->conditions.items[k].name;
        truth[k] = value != 0;
        if (active)
            rbv_condition_apply(state->system, &model->conditions.items[k], truth[k], active, acting);
    }
    return bad;
}

bool rbv_condition_owns(const RbvCondition *condition, const RbvRow *row) {
    static const RbvOwner owners[] = {[RBV_CONDITION_JOINT] = RBV_OWNER_JOINT,
                                      [RBV_CONDITION_CONSTRAINT] = RBV_OWNER_CONSTRAINT,
                                      [RBV_CONDITION_DRIVE] = RBV_OWNER_DRIVE};
    return condition->of <= RBV_CONDITION_DRIVE && row->owner == owners[condition->of] &&
           row->index == condition->index;
}

void rbv_condition_hold_here(RbvState *state, const RbvCondition *condition) {
    rbv_state_place(state);
    for (int32_t k = 0; condition->here && k < state->system->row_count; k++)
        if (rbv_condition_owns(condition, &state->system->rows[k]) && !state->system->rows[k].on_rates)
            state->row_turn[k] += state->phi[k];
    rbv_state_place(state);
}
