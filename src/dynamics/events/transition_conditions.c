/* Conditions that change take effect at a transition: rows that become active must fit the present position; see
 * transition.h. */
#include "dynamics/events/transition.h"

#include <math.h>
#include <stdio.h>

/* Relative to the size of the part: largest position error of what engages. */
#define FITS 1e-6
/* Relative to the fastest velocity: a larger change of velocities is not rounding. */
#define JUMPS 1e-12

/* Verifies that rows that become active fit the present position. INCONSISTENT: reported. */
static RbvStatus check_position(const RbvEventLoop *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    const RbvState *state = h->flow->state;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (!rbv_condition_owns(condition, row) || row->on_rates ||
            (row->owner == RBV_OWNER_JOINT && system->model->joints.items[row->index].unilateral))
            continue;
        char text[200];
        if (!(fabs(state->phi[k]) <= rbv_event_loop_part_of_size(h, k, FITS))) {
            snprintf(
                text, sizeof text,
                "engages where it does not fit: it is off by %.6g %s; with value: here it would hold where it stands",
                fabs(state->phi[k]), row->angular ? "rad" : "m");
            return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
        }
    }
    return RBV_OK;
}

/* A drive with a prescribed value must meet its coordinate there, with its own velocity; a drive that starts at the
 * present value (value: here) takes the coordinate along by an impulse. INCONSISTENT: reported. */
static RbvStatus check_rate(const RbvEventLoop *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    RbvState *state = h->flow->state;
    if (condition->of != RBV_CONDITION_DRIVE || condition->here)
        return RBV_OK;
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return rbv_event_loop_report_not_finite(h);
    int32_t k = system->drive_row[condition->index];
    double size, rate = rbv_state_row_times(state, k, state->v, &size) - state->nu[k];
    size += fabs(state->nu[k]);
    if (fabs(rate) <=
        FITS * size + rbv_event_loop_part_of_size(h, k, FITS) * rbv_stepper_speed(h->stepper, system->row_part[k]))
        return RBV_OK;
    char text[200];
    snprintf(text, sizeof text,
             "engages where its rate does not fit: it is off by %.6g %s (value: here takes its coordinate along from "
             "where it is)",
             fabs(rate), system->rows[k].angular ? "rad/s" : "m/s");
    return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
}

/* Verifies that unilateral constraints are not violated already. INCONSISTENT: reported. */
static RbvStatus check_passed(const RbvEventLoop *h, const RbvCondition *condition) {
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool of = (condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) ||
                  (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint);
        double gap = of ? rbv_contacts_gap(contact, h->flow->state) : 0;
        if (gap >= -rbv_event_loop_part_of_size(h, contact->row, FITS))
            continue;
        char text[200];
        snprintf(text, sizeof text, "engages where it does not fit: it is passed by %.6g %s", -gap,
                 contact->stop >= 0                            ? h->flow->system->model->stops.items[contact->stop].unit
                 : h->flow->system->rows[contact->row].angular ? "rad"
                                                               : "m");
        return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
    }
    return RBV_OK;
}

static RbvStatus check_fits(const RbvEventLoop *h, const RbvCondition *condition) {
    RbvStatus status = check_position(h, condition);
    if (status == RBV_OK)
        status = check_passed(h, condition);
    return status == RBV_OK ? check_rate(h, condition) : status;
}

/* Applies conditions that have changed. */
RbvStatus rbv_event_loop_switch_conditions(RbvEventLoop *h, const double *now, bool tells) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        bool holds = now[h->contacts.count + k] != 0;
        if (holds == h->truth[k])
            continue;
        h->truth[k] = holds;
        h->before[h->contacts.count + k] = holds;
        h->switched[k] = true;
        rbv_condition_apply(system, condition, holds, h->active, h->acting);
        if (tells && !rbv_event_loop_tell(h, condition->name, holds ? "engage" : "disengage", NAN))
            return RBV_NO_MEMORY;
        h->engages = h->engages || holds;
        if (holds)
            rbv_condition_hold_here(h->flow->state, condition);
        int32_t limited =
            condition->of == RBV_CONDITION_DRIVE ? rbv_slipping_find(&h->flow->slipping, condition->index) : -1;
        if (limited >= 0)
            rbv_slipping_switch(&h->flow->slipping, limited, holds, h->active);
        if (condition->of == RBV_CONDITION_JOINT)
            rbv_event_loop_switch_friction(h, condition->index, holds);
        RbvStatus status = holds && limited < 0 ? check_fits(h, condition) : RBV_OK;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

/* Returns whether velocities have changed by more than rounding. */
static bool has_jumped(const RbvEventLoop *h) {
    double fastest = 0, most = 0;
    for (int32_t j = 0; j < h->flow->n; j++) {
        fastest = fmax(fastest, fmax(fabs(h->flow->state->v[j]), fabs(h->were[j])));
        most = fmax(most, fabs(h->flow->state->v[j] - h->were[j]));
    }
    return most > JUMPS * fastest;
}

void rbv_event_loop_keep_switched(RbvEventLoop *h, bool sets, double *found) {
    bool jumped = sets || has_jumped(h);
    for (int32_t k = 0; k < h->flow->system->model->conditions.count; k++) {
        h->switched[k] = h->switched[k] && !jumped;
        found[h->contacts.count + k] = h->switched[k] ? h->truth[k] : found[h->contacts.count + k];
    }
}
