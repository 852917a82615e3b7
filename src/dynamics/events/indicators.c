/* Indicators of transitions along a motion, in the order of event_loop.h; what counts as rest, contact and change. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/tolerances.h"

#include <float.h>
#include <math.h>

/* SAME_INSTANT: part of the time within which two instants found as roots of two different functions are one. */
#define SAME_INSTANT (8 * DBL_EPSILON)

/* Returns whether the condition of the contact (active:) is true, or it has none. */
bool rbv_event_loop_is_there(const RbvEventLoop *h, int32_t contact) {
    const RbvModel *model = h->flow->system->model;
    const RbvContact *c = &h->contacts.items[contact];
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        if ((condition->of == RBV_CONDITION_STOP && condition->index == c->stop) ||
            (condition->of == RBV_CONDITION_JOINT && condition->index == c->joint))
            return h->truth[k];
    }
    return true;
}

double rbv_event_loop_part_of_size(const RbvEventLoop *h, int32_t row, double part) {
    return part * rbv_state_row_scale(h->flow->state, row);
}

double rbv_event_loop_rest_rate(const RbvEventLoop *h) {
    double fastest = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        fastest = rbv_max(fastest, fabs(h->flow->state->v[j]));
    /* Part of the largest number in v, or of the largest speed of a part so far; a smaller velocity is rest. */
    return RBV_CANCELLED * fastest;
}

double rbv_event_loop_least_rate(const RbvEventLoop *h, int32_t contact) {
    int32_t row = h->contacts.items[contact].row;
    return rbv_event_loop_part_of_size(h, row, RBV_CANCELLED) *
           rbv_stepper_speed(h->stepper, h->flow->system->row_part[row]);
}

bool rbv_event_loop_touches(const RbvEventLoop *h, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(&h->flow->sliding, i);
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->contacts.items[k].joint == friction->joint)
            return h->pressed[k];
    return !h->flow->sliding.off[i];
}

/* Returns whether friction contact i with several slip directions comes to rest at once: its slip would stop within a
 * small part of the longest step. (Slip in several directions never becomes exactly zero by itself.) */
static bool is_at_rest(const RbvEventLoop *h, int32_t i) {
    const RbvSliding *s = &h->flow->sliding;
    RbvSlipVector u, second;
    if (rbv_sliding_contact(s, i)->count == 1)
        return false;
    double size = rbv_friction_slide(h->flow->state, rbv_sliding_contact(s, i), u),
           slows = rbv_sliding_second(s, i, second);
    const double *slip = s->toward[i];
    bool turned = rbv_sliding_is_slow(s, i) && slip[0] * second[0] + slip[1] * second[1] + slip[2] * second[2] > 0;
    /* Part of the longest step; a friction contact with several directions that stops sooner is at rest. */
    return size <= slows * RBV_SAME * h->stepper->longest &&
           u[0] * second[0] + u[1] * second[1] + u[2] * second[2] < 0 && !turned;
}

/* Returns whether friction contact i is to change its phase: a sliding one comes to rest or reverses, a sticking one
 * needs more than its limit (found by rbv_shares_find before). */
static bool slips(const RbvEventLoop *h, int32_t i, bool forces) {
    const RbvSliding *s = &h->flow->sliding;
    if (!rbv_event_loop_touches(h, i))
        return false;
    if (s->slides[i])
        return (rbv_sliding_forward(s, i) < -rbv_event_loop_rest_rate(h) && !rbv_sliding_is_slow(s, i)) ||
               (forces && is_at_rest(h, i));
    return forces && h->shares.friction[i];
}

/* Returns whether drive i is to change its phase: a slipping one has caught up with its motion, one that follows needs
 * more than its limit (found by rbv_shares_find before). */
static bool slips_drive(const RbvEventLoop *h, int32_t i, bool forces) {
    const RbvSlipping *s = &h->flow->slipping;
    double lag;
    if (s->sign[i] != 0)
        return s->sign[i] * rbv_slipping_surface(s, i, &lag) < -rbv_event_loop_rest_rate(h);
    return forces && h->shares.drive[i];
}

/* value[conditions + events]: conditions (0 or 1), then events (-1/2 or 1/2 for a truth value). NOT_FINITE: reported.
 */
static RbvStatus indicate_expressions(const RbvEventLoop *h, double *value) {
    const RbvState *state = h->flow->state;
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        double truth = rbv_state_expression(state, model->conditions.items[k].active, NULL, h->value);
        if (!isfinite(truth))
            return rbv_event_loop_fail(h, RBV_NOT_FINITE, model->conditions.items[k].name,
                                       "has an active: that is not a finite number");
        *value++ = truth != 0;
    }
    for (int32_t k = 0; k < model->events.count; k++) {
        const RbvEventDefinition *event = &model->events.items[k];
        double when = rbv_state_expression(state, event->when, NULL, h->value);
        if (!isfinite(when))
            return rbv_event_loop_fail(h, RBV_NOT_FINITE, event->name, "has a when: that is not a finite number");
        *value++ = event->truth ? when - 0.5 : when;
    }
    return RBV_OK;
}

/* Returns whether open contact k is violated while it closes. A contact that stands still at its limit, held by
 * friction, opens and closes by rounding and does not count. */
static bool is_passed(const RbvEventLoop *h, int32_t k) {
    const RbvState *state = h->flow->state;
    const RbvContact *contact = &h->contacts.items[k];
    double gap = rbv_contacts_gap(contact, state), rate = rbv_contacts_rate(contact, state);
    /* Part of the row's size by which a contact that touches without being pressed may be violated by rounding. Part of
     * the row's size beyond which a contact that closes is violated, however slow it is. */
    return (gap < -rbv_event_loop_part_of_size(h, contact->row, RBV_SUM_EXACT) &&
            rate < -rbv_event_loop_least_rate(h, k)) ||
           (gap < -rbv_event_loop_part_of_size(h, contact->row, RBV_CANCELLED) && rate < 0);
}

bool rbv_event_loop_meets(RbvEventLoop *h) {
    const RbvState *state = h->flow->state;
    /* Part of the time, or of the longest step; a contact that closes so soon after the end of the run closes at the
     * end. */
    double within = RBV_CANCELLED * rbv_max(fabs(h->stepper->t), h->stepper->longest);
    bool any = false;
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        if (h->pressed[k] || !rbv_event_loop_is_there(h, k))
            continue;
        double gap = rbv_contacts_gap(contact, state), rate = rbv_contacts_rate(contact, state);
        if (!(rate < -rbv_event_loop_least_rate(h, k)) ||
            !(gap + within * rate < -rbv_event_loop_part_of_size(h, contact->row, RBV_SUM_EXACT)))
            continue;
        h->now[k] = -1;
        any = true;
    }
    return any;
}

double rbv_event_loop_largest_force(const RbvEventLoop *h) {
    double most = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        most = rbv_max(most, fabs(h->flow->state->Q[j]));
    return most;
}

double rbv_event_loop_contact_margin(const RbvEventLoop *h, int32_t k, double most) {
    const RbvContact *contact = &h->contacts.items[k];
    const RbvFlow *flow = h->flow;
    if (!rbv_event_loop_is_there(h, k) || (h->pressed[k] && isnan(most)))
        return NAN;
    if (!h->pressed[k])
        return rbv_contacts_gap(contact, flow->state) + rbv_event_loop_part_of_size(h, contact->row, RBV_SUM_EXACT);
    /* Part of the largest generalized force; a smaller pull on a pressed contact is rounding. */
    return RBV_SOLVED * most - contact->sign * rbv_contacts_force(contact, flow->state, flow->lambda[contact->row]);
}

/* Those of contacts whose condition is false, and without `forces` of pressed ones, are 1. */
RbvStatus rbv_event_loop_indicate(RbvEventLoop *h, bool forces, double *value) {
    const RbvFlow *flow = h->flow;
    const RbvModel *model = flow->system->model;
    double most = forces && h->contacts.count > 0 ? rbv_event_loop_largest_force(h) : NAN;
    int32_t at = 0;
    for (int32_t k = 0; k < h->contacts.count; k++, at++) {
        const RbvContact *contact = &h->contacts.items[k];
        value[at] = 1;
        if (!rbv_event_loop_is_there(h, k))
            continue;
        if (contact->stop >= 0 && !isfinite(rbv_contacts_gap(contact, flow->state)))
            return rbv_event_loop_fail(h, RBV_NOT_FINITE, contact->name,
                                       "is on a coordinate that is not a finite number");
        if (!h->pressed[k])
            value[at] = is_passed(h, k) ? -1 : 1;
        else if (forces)
            value[at] = rbv_event_loop_contact_margin(h, k, most) < 0 ? -1 : 1;
    }
    RbvStatus status = indicate_expressions(h, value + at);
    if (status == RBV_OK && forces && !flow->tracking)
        status = rbv_shares_find(&h->shares);
    at += model->conditions.count + model->events.count;
    for (int32_t i = 0; i < flow->sliding.count; i++)
        value[at++] = slips(h, i, forces) ? -1 : 1;
    for (int32_t i = 0; i < flow->slipping.count; i++)
        value[at++] = slips_drive(h, i, forces) ? -1 : 1;
    for (int32_t i = 0; i < h->limits; i++)
        value[at++] = forces && flow->tracking->limited[i] != flow->tracking->phase[i] ? -1 : 1;
    value[at] = rbv_laws_leave(h, forces) ? -1 : 1;
    return status;
}

/* Only conditions and events are compared with loop->before; the others call for a transition by their sign. An event
 * counts if it passes zero in its direction (1: rising, -1: falling, 0: both). */
bool rbv_event_loop_changes(const RbvEventLoop *h, int32_t k, const double *now) {
    const RbvModel *model = h->flow->system->model;
    int32_t contacts = h->contacts.count, conditions = model->conditions.count;
    if (k < contacts || k >= contacts + conditions + model->events.count)
        return now[k] < 0;
    if (k < contacts + conditions)
        return now[k] != h->before[k];
    int direction = model->events.items[k - contacts - conditions].direction;
    bool rises = h->before[k] < 0 && now[k] >= 0, falls = h->before[k] > 0 && now[k] <= 0;
    return (rises && direction >= 0) || (falls && direction <= 0);
}

const char *rbv_event_loop_name_of(const RbvEventLoop *h, int32_t k) {
    const RbvModel *model = h->flow->system->model;
    int32_t conditions = h->contacts.count + model->conditions.count, events = conditions + model->events.count,
            frictions = events + h->flow->sliding.count;
    if (k < h->contacts.count)
        return h->contacts.items[k].name;
    if (k < conditions)
        return model->conditions.items[k - h->contacts.count].name;
    if (k < events)
        return model->events.items[k - conditions].name;
    if (k >= frictions && k < frictions + h->flow->slipping.count)
        return model->drives.items[h->flow->slipping.drive[k - frictions]].name;
    return k < frictions ? rbv_sliding_joint(&h->flow->sliding, k - events)->name
                         : model->actuators.items[k - frictions - h->flow->slipping.count].name;
}

bool rbv_event_loop_any_changes(const RbvEventLoop *h, const double *now) {
    for (int32_t k = 0; k < h->count; k++)
        if (rbv_event_loop_changes(h, k, now))
            return true;
    return false;
}

bool rbv_event_loop_is_logged(const RbvEventLoop *h, const RbvEventDefinition *event) {
    double t = h->stepper->t;
    for (int32_t k = h->transition_count - 1; k >= 0 && t - h->transitions[k].t <= SAME_INSTANT * fabs(t); k--)
        if (h->transitions[k].name == event->name)
            return true;
    return false;
}

bool rbv_event_loop_is_rounded(const RbvEventLoop *h, int32_t k, double now) {
    const RbvModel *model = h->flow->system->model;
    int32_t event = k - h->contacts.count - model->conditions.count;
    /* Part of the event's value at the beginning of the step. A smaller value of the former sign is rounding of the
     * state at which the event was reported. */
    return now * h->before[k] < 0 && fabs(now) <= RBV_FITS * h->met[event] &&
           rbv_event_loop_is_logged(h, &model->events.items[event]);
}

/* An event exactly at zero, or returned to its earlier side by rounding, keeps the value of the side it came from. */
void rbv_event_loop_remember(RbvEventLoop *h, const double *now) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = h->contacts.count + model->conditions.count;
    for (int32_t k = 0; k < h->count; k++)
        if (k < first || k >= first + model->events.count || (now[k] != 0 && !rbv_event_loop_is_rounded(h, k, now[k])))
            h->before[k] = now[k];
}
