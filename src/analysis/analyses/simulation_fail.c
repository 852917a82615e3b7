/* Reports of the reason why a motion does not go on, in the terms of the model. */
#include "analysis/analyses/simulation.h"
#include "core/base/diagnostics.h"
#include "dynamics/integration/failure_cause.h"

#include <stdio.h>

RbvStatus rbv_simulation_fail(const RbvSimulation *s, RbvStatus status, const char *text) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", s->state->t, text);
    return status;
}

/* Report why there is no motion from the start; the status. */
RbvStatus rbv_simulation_report_failure(const RbvSimulation *s, RbvStatus status) {
    char why[256] = "", text[400];
    const char *what = status == RBV_LOCKED
                           ? "the equations of motion are singular: a motion that the joints leave free has no mass"
                           : "the forces are not finite";
    if (status == RBV_NOT_FINITE)
        rbv_flow_explain(&s->flow, why, sizeof why);
    if (status == RBV_LOCKED)
        rbv_massless_explain(s->state, why, sizeof why);
    if (status == RBV_LOCKED && why[0])
        what = "the equations of motion are singular";
    if (status == RBV_INCONSISTENT && s->tracks)
        rbv_tracking_explain(&s->tracking, why, sizeof why);
    if (status == RBV_INCONSISTENT && s->tracks)
        what = why[0] ? "there is no motion as required" : "the mechanism cannot follow what is required";
    snprintf(text, sizeof text, "%s%s%s", what, why[0] ? ": " : "", why);
    return rbv_simulation_fail(s, status, text);
}
