/* One-sided supports; see supports.h. */
#include "statics/supports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rbv_supports_any(const RbvModel *model) {
    bool any = model->stops.count > 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        any = any || model->joints.items[k].unilateral;
    return any;
}

static bool is_there(const RbvModel *model, const RbvContact *contact, const bool *truth) {
    for (int32_t k = 0; truth && k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        if ((condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) || (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint))
            return truth[k];
    }
    return true;
}

bool rbv_supports_create(RbvSupports *s, RbvState *state, const bool *truth) {
    const RbvSystem *system = state->system;
    *s = (RbvSupports){0};
    if (!rbv_contacts_create(&s->contacts, system))
        return false;
    s->active = malloc((size_t)system->row_count + 1);
    s->there = calloc((size_t)s->contacts.count + 1, sizeof *s->there);
    s->held = calloc((size_t)s->contacts.count + 1, sizeof *s->held);
    if (!s->active || !s->there || !s->held)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        s->active[k] = rbv_state_holds(state, k);
    for (int32_t k = 0; k < s->contacts.count; k++) {
        s->there[k] = is_there(system->model, &s->contacts.items[k], truth);
        s->held[k] = s->active[s->contacts.items[k].row];
    }
    state->active = s->active;
    return true;
}

void rbv_supports_destroy(RbvSupports *s) {
    rbv_contacts_destroy(&s->contacts);
    free(s->active);
    free(s->there);
    free(s->held);
    *s = (RbvSupports){0};
}

double rbv_supports_gap(const RbvSupports *s, int32_t k) {
    const RbvContact *contact = &s->contacts.items[k];
    const RbvState *state = s->balance->state;
    return rbv_contacts_gap(contact, state) / (s->balance->system->rows[contact->row].angular ? 1 : rbv_state_row_size(state, contact->row));
}

double rbv_supports_push(const RbvSupports *s, int32_t k) {
    return -s->contacts.items[k].sign * s->balance->lambda[s->contacts.items[k].row];
}

int32_t rbv_supports_nearest(const RbvSupports *s) {
    int32_t nearest = -1;
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->there[k] && !s->held[k] && (nearest < 0 || rbv_supports_gap(s, k) < rbv_supports_gap(s, nearest)))
            nearest = k;
    return nearest;
}

/* Rows of contact k, without a multiplier at first. */
void rbv_supports_take(RbvSupports *s, int32_t k, bool holds) {
    const RbvContact *contact = &s->contacts.items[k];
    int32_t end = contact->joint >= 0 ? s->balance->system->joint_row[contact->joint + 1] : contact->row + 1;
    for (int32_t row = contact->row; row < end; row++) {
        s->active[row] = holds;
        s->balance->lambda[row] = 0;
    }
    s->held[k] = holds;
}

static bool place(RbvSupports *s) {
    if (!rbv_balance_weigh(s->balance) || !rbv_balance_project(s->balance))
        return false;
    rbv_state_accept(s->balance->state);
    return true;
}

bool rbv_supports_hold(RbvSupports *s, int32_t k, bool holds) {
    rbv_supports_take(s, k, holds);
    s->changes++;
    return place(s);
}

bool rbv_supports_begin(RbvSupports *s, RbvBalance *balance) {
    s->balance = balance;
    bool any = false;
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->there[k] && !s->held[k] && rbv_supports_gap(s, k) <= RBV_SUPPORT_TOUCHES) {
            rbv_supports_take(s, k, true);
            any = true;
        }
    return !any || place(s);
}

bool rbv_supports_settle(RbvSupports *s, double tolerance, bool *changed) {
    int32_t passed = rbv_supports_nearest(s), pulls = -1;
    *changed = true;
    if (passed >= 0 && rbv_supports_gap(s, passed) < -RBV_SUPPORT_TOUCHES)
        return rbv_supports_hold(s, passed, true);
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->held[k] && rbv_supports_push(s, k) < -tolerance && (pulls < 0 || rbv_supports_push(s, k) < rbv_supports_push(s, pulls)))
            pulls = k;
    if (pulls >= 0)
        return rbv_supports_hold(s, pulls, false);
    *changed = false;
    return true;
}
