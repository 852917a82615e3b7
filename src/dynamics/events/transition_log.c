/* Log of transitions in the order of time, messages about transitions, and their audit; see transition.h. */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "dynamics/events/transition.h"
#include "dynamics/integration/failure_cause.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(RbvEventLoop *h) {
    if (h->transition_count < h->transition_capacity)
        return true;
    int32_t capacity = h->transition_capacity + h->transition_capacity / 2 + 16;
    RbvTransition *grown = realloc(h->transitions, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    h->transitions = grown;
    h->transition_capacity = capacity;
    return true;
}

bool rbv_event_loop_log(RbvEventLoop *h, const char *name, const char *kind, double impulse) {
    if (!grow(h))
        return false;
    h->transitions[h->transition_count++] = (RbvTransition){h->stepper->t, name, kind, impulse};
    return true;
}

RbvStatus rbv_event_loop_fail(const RbvEventLoop *h, RbvStatus status, const char *name, const char *text) {
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s '%s' %s", h->flow->state->t, name, text);
    return status;
}

/* Returns whether the failure has a known cause (failure_cause.h), such as drives that push into closed contacts or a
 * lock-up; then that cause is reported. The rows of closed contacts become active for it and stay so: the run ends or
 * fails next. */
static bool report_known_cause(RbvEventLoop *h) {
    char why[600];
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->active[h->contacts.items[k].row] = h->active[h->contacts.items[k].row] || h->closed[k];
    rbv_failure_cause(h->flow->state, why, sizeof why);
    if (why[0])
        rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0},
                     "at t = %.9g s the motion cannot go on: %s", h->stepper->t, why);
    return why[0] != '\0';
}

RbvStatus rbv_event_loop_report_not_finite(const RbvEventLoop *h) {
    char why[256] = "";
    if (h->flow->state->no_memory)
        return RBV_NO_MEMORY;
    rbv_flow_explain(h->flow, why, sizeof why);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s what happens leads to numbers that are not finite%s%s", h->stepper->t,
                 why[0] ? ": " : "", why);
    return RBV_NOT_FINITE;
}

RbvStatus rbv_event_loop_report_unsettled(RbvEventLoop *h, const char *name, const char *what) {
    if (report_known_cause(h))
        return RBV_LOCKED;
    if (name)
        return rbv_event_loop_fail(h, RBV_LOCKED, name, what);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 h->stepper->t, what);
    return RBV_LOCKED;
}

/* ---- audit of transitions: velocity jumps obey the laws of mechanics with the printed impulses
 * (solution/audit/impact.h)
 * ---- */

/* Relative to the kinetic energy: what engages may have a position error of 1e-6 of the size, which is then corrected.
 */
#define ENERGY_STAYS 1e-5

/* [J] Energy scale: the largest energy so far, or the work of forces over the size of a part if that is larger. */
static double energy_at_hand(const RbvEventLoop *h) {
    return rbv_max(h->flow->power.size, rbv_energy_balance_most(h->flow->state, h->stepper->share));
}

/* Returns the name of the contact with the largest impulse, or else of the item that changed. */
static const char *name_of_jump(const RbvEventLoop *h) {
    const char *name = h->cause[0] ? h->cause : "the start";
    double most = 0;
    for (int32_t i = 0; i < h->impact.count; i++) {
        const RbvContact *contact = &h->contacts.items[h->impact.which[i]];
        double impulse = fabs(h->impact.impulse[contact->row]);
        name = impulse > most ? contact->name : name;
        most = rbv_max(most, impulse);
    }
    return name;
}

RbvStatus rbv_event_loop_audit_jump(RbvEventLoop *h) {
    const RbvFlow *flow = h->flow;
    char why[200], text[300];
    /* Relative to the energy scale (energy_at_hand): rounding. */
    RbvJump jump = {.engaged = h->impact.engaged,
                    .slow = h->impact.slow,
                    .least = 2 * h->impact.rest,
                    .energy = RBV_ROUNDING * energy_at_hand(h)};
    for (int32_t k = 0; k < flow->system->row_count; k++)
        jump.moved = jump.moved || fabs(h->impact.impulse[k] * flow->state->nu[k]) > jump.energy;
    if (rbv_impact_audit_verify(&h->audit, flow->state, h->reactions, &jump, why, sizeof why))
        return RBV_OK;
    if (report_known_cause(h)) /* no impulses could be right */
        return RBV_LOCKED;
    snprintf(text, sizeof text, "brings an impact that fails its audit: %s", why);
    return rbv_event_loop_fail(h, RBV_AUDIT_FAILED, name_of_jump(h), text);
}

RbvStatus rbv_event_loop_audit_restart(RbvEventLoop *h, double before) {
    double after = rbv_impact_audit_kinetic(&h->audit, h->flow->state);
    char text[200];
    /* the position of engagement is known to the tolerance, relative to the energies of the motion */
    if (fabs(after - before) <= ENERGY_STAYS * rbv_max(after, before) + RBV_ROUNDING * energy_at_hand(h) +
                                    h->stepper->tolerance * h->flow->power.size)
        return RBV_OK;
    const char *jams = rbv_stepper_jams(h->stepper);
    if (jams) /* velocities there belong to no motion */
        return rbv_event_loop_report_unsettled(h, NULL, jams);
    if (report_known_cause(h))
        return RBV_LOCKED;
    snprintf(text, sizeof text,
             "brings a jump that fails its audit: %.9g J of kinetic energy become %.9g J without impulses", before,
             after);
    return rbv_event_loop_fail(h, RBV_AUDIT_FAILED, name_of_jump(h), text);
}
