/* Impulses of active rows and closed contacts at one instant: finds which contacts are pressed afterwards, and prints
 * the impulses of joints, drives, constraints and stops; see transition.h. */
#include "dynamics/events/transition.h"

#include "dynamics/accelerations/kept_reactions.h"

#include <math.h>
#include <stdlib.h>

/* Decides which contacts are pressed from now on and logs them; *again: rolling rows of a contact become active or
 * inactive. */
static RbvStatus take_contacts(RbvEventLoop *h, const double *found, bool tells, bool *again) {
    RbvImpact *m = &h->impact;
    bool *held = calloc(2 * (size_t)m->count + 1, sizeof *held), *touching = held ? held + m->count : NULL;
    double *impulse = calloc((size_t)m->count + 1, sizeof *impulse);
    RbvStatus status = held && impulse ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        impulse[i] = m->z[i];
        held[i] = h->held[m->which[i]] && !(found && found[m->which[i]] < 0); /* a contact that is pulled opens */
    }
    if (status == RBV_OK)
        status = rbv_impact_contacts(m, RBV_EVENT_LOOP_REST * h->stepper->longest, held, touching);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->touching[k] = false;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        int32_t k = m->which[i];
        const RbvContact *contact = &h->contacts.items[k];
        bool was = h->held[k], good = true;
        if (tells && !was && impulse[i] > 0)
            good = rbv_event_loop_tell(h, contact->name, "impact", impulse[i]);
        if (tells && was != held[i])
            good = good && rbv_event_loop_tell(h, contact->name, held[i] ? "land" : "release", NAN);
        h->held[k] = held[i];
        h->touching[k] = touching[i];
        h->active[contact->row] = held[i];
        status = good ? status : RBV_NO_MEMORY;
    }
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool rolls = contact->joint >= 0 && contact->row + 1 < h->flow->system->joint_row[contact->joint + 1] &&
                     !h->flow->system->model->joints.items[contact->joint].has_friction;
        if (rolls && h->active[contact->row + 1] != h->held[k]) {
            rbv_contacts_hold_rest(contact, h->flow->system, h->held[k], h->active);
            *again = true;
        }
    }
    free(held);
    free(impulse);
    return status;
}

/* Activates the rows of contacts in the impact for a moment (all), so that their effects on bodies are evaluated; or
 * only those of contacts that are pressed. */
static void hold_met(RbvEventLoop *h, bool all) {
    for (int32_t i = 0; i < h->impact.count; i++)
        h->active[h->contacts.items[h->impact.which[i]].row] = all || h->held[h->impact.which[i]];
    rbv_state_place(h->flow->state);
}

/* Prints the impulses as joints, drives, constraints and stops print their forces. False: the forces along lines of
 * centres do not settle. */
static bool print_impulses(RbvEventLoop *h) {
    const RbvSystem *system = h->flow->system;
    RbvReactions *r = h->reactions;
    hold_met(h, true);
    rbv_reactions_place(r, h->flow->state);
    bool good = rbv_tooth_pushes(r, &h->flow->kept_reactions, h->impact.impulse, h->flow->dq, h->flow->mu);
    rbv_reactions_print(r, h->flow->state);
    hold_met(h, false);
    for (int32_t i = 0; i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        for (int c = 0; c < friction->count && friction->stick_row >= 0; c++)
            r->value[friction->joint][friction->slip[c].component] = -r->lambda[friction->stick_row + c];
    }
    return good;
}

/* Adds the impulses to the sums since the start. */
static void add_impulses(RbvEventLoop *h) {
    const RbvModel *model = h->flow->system->model;
    const RbvReactions *r = h->reactions;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int32_t c = 0; c < rbv_reactions_components(r, k); c++)
            h->impulses.joint[k][c] += r->value[k][c];
    for (int32_t k = 0; k < model->drives.count; k++)
        h->impulses.drive[k] += r->effort[k];
    for (int32_t k = 0; k < model->constraints.count; k++)
        h->impulses.constraint[k] += r->multiplier[k];
    for (int32_t k = 0; k < model->stops.count; k++)
        h->impulses.stop[k] += r->stop[k];
}

/* Finds the impulses of active rows and closed contacts, and which contacts are pressed afterwards; *again: rolling
 * rows of a contact become active or inactive. */
RbvStatus rbv_event_loop_exchange_impulses(RbvEventLoop *h, const double *found, bool tells, bool *again) {
    RbvFlow *flow = h->flow;
    RbvState *state = flow->state;
    *again = false;
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->active[h->contacts.items[k].row] = false;
    rbv_event_loop_open_friction(h);
    if (!rbv_state_place(state))
        return rbv_event_loop_report_not_finite(h);
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return rbv_event_loop_report_not_finite(h);
    rbv_impact_audit_begin(&h->audit, state);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->impact.least[k] = rbv_event_loop_least_rate(h, k);
    RbvStatus status = rbv_impact_solve(&h->impact, h->closed);
    if (status == RBV_OK)
        status = rbv_event_loop_strike(h, tells);
    if (status == RBV_OK && rbv_event_loop_decide_drives(h, found))
        status = rbv_impact_renew(&h->impact, h->closed);
    if (status == RBV_OK)
        status = take_contacts(h, found, tells, again);
    if (status == RBV_OK && !print_impulses(h))
        status = RBV_LOCKED;
    if (status == RBV_OK && tells)
        add_impulses(h);
    if (status == RBV_LOCKED)
        return rbv_event_loop_report_unsettled(h, NULL,
                                               "no impulses are found that contacts and joints could answer with");
    if (status == RBV_OK && !rbv_state_move(state))
        return rbv_event_loop_report_not_finite(h);
    return status == RBV_OK ? rbv_event_loop_audit_jump(h) : status;
}
