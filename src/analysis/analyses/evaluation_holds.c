/* Conditions (active:) at an evaluation. They are functions of the time, of the user's own states and of the motion,
 * while active rows decide the motion. Conditions are therefore decided at the last position for the new time and
 * states, and again at each position found with them, until they agree. An evaluation has no history: a joint locked at
 * the position at which it engaged is refused.
 */
#include "analysis/analyses/evaluation.h"

#include "core/base/diagnostics.h"
#include "mechanics/system/contacts.h"

#include <string.h>

RbvStatus rbv_evaluation_check_conditions(const RbvEvaluation *e) {
    const RbvModel *model = e->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].here) {
            rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, model->conditions.items[k].where,
                         "'%s' holds where it stands when it engages (value: here), and a single instant knows of no "
                         "earlier one: give it a value of its own",
                         model->conditions.items[k].name);
            return RBV_BAD_INPUT;
        }
    return RBV_OK;
}

RbvStatus rbv_evaluation_assemble_holding(RbvEvaluation *e, RbvState *first, RbvDiagnostics *diagnostics) {
    RbvAssembly assembly = {.driven = true};
    memcpy(first->own, e->own, (size_t)e->system->model->states.count * sizeof *first->own);
    rbv_activity_destroy(&e->activity);
    return rbv_activity_assemble(&e->activity, first, e->t, false, diagnostics, &assembly);
}

RbvStatus rbv_evaluation_go_back(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    rbv_evaluation_hold(e, (const RbvDriven *)e->reached, e->t);
    rbv_motion_restore_position(motion, motion->saved.q);
    motion->state->t = e->t;
    return rbv_state_place(motion->state) && rbv_state_rates(motion->state) && rbv_state_move(motion->state)
               ? RBV_OK
               : RBV_NOT_FINITE;
}

RbvStatus rbv_evaluation_decide_conditions(RbvEvaluation *e, bool *differ) {
    const RbvModel *model = e->system->model;
    RbvMotion *motion = e->now.motion;
    RbvActivity *a = &e->activity;
    size_t count = (size_t)model->conditions.count;
    rbv_state_load(motion->state); /* evaluates measures that no row uses; a load need not be finite here */
    const char *bad = rbv_conditions_decide(motion->state, NULL, NULL, e->truth, a->work);
    *differ = false;
    if (bad) {
        rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s '%s' has an active: that is not a finite number", e->t, bad);
        return RBV_NOT_FINITE;
    }
    *differ = memcmp(e->truth, a->truth, count * sizeof *e->truth) != 0;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        e->torn = e->torn || (e->truth[k] != a->truth[k] && model->conditions.items[k].of <= RBV_CONDITION_DRIVE);
        rbv_condition_apply(e->system, &model->conditions.items[k], e->truth[k], a->active, a->acting);
        a->truth[k] = e->truth[k];
    }
    if (!e->torn)
        return RBV_OK;
    e->stands = false;
    RbvStatus status = rbv_motion_switch(motion);
    e->switched = status == RBV_OK;
    e->torn = status != RBV_OK; /* on failure the switch is repeated */
    e->changed = true;          /* ranks, forces and verdicts are decided again at the position reached */
    return status;
}

RbvStatus rbv_evaluation_report_contradictory(const RbvEvaluation *e) {
    rbv_diagnose(e->diagnostics, RBV_ERROR, e->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s what holds is not decided: where conditions (active:) hold the mechanism stands where "
                 "they do not",
                 e->t);
    return RBV_INCONSISTENT;
}
