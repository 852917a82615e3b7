/* Log of transitions in the order of time, and messages about transitions; see transition.h. */
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"
#include "dynamics/integration/failure_cause.h"

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

bool rbv_event_loop_tell(RbvEventLoop *h, const char *name, const char *kind, double impulse) {
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

bool rbv_event_loop_report_failure(RbvEventLoop *h) {
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
    if (rbv_event_loop_report_failure(h))
        return RBV_LOCKED;
    if (name)
        return rbv_event_loop_fail(h, RBV_LOCKED, name, what);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 h->stepper->t, what);
    return RBV_LOCKED;
}
