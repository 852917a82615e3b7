/* Messages about why no step succeeds, with names of the model; see stepper.h. */
#include "dynamics/integration/stepper.h"

#include "core/base/diagnostics.h"
#include "dynamics/accelerations/massless.h"
#include "dynamics/integration/failure_cause.h"

RbvStatus rbv_stepper_report_failure(const RbvStepper *s, RbvStatus status) {
    RbvFlow *flow = s->flow;
    char why[800] = "";
    const char *what = "the motion cannot go on: the equations of motion are singular (a motion that the joints leave "
                       "free has no mass, or rows contradict each other)";
    if (status == RBV_NO_MEMORY)
        return status;
    if (status == RBV_LOCKED && flow->sliding.jams)
        what = rbv_stepper_jams(s) ? rbv_stepper_jams(s)
                                   : RBV_JAMS
                   "strong friction, or a place near a dead centre; smaller coefficients or radii are needed";
    if (status == RBV_NOT_FINITE) {
        rbv_flow_explain(flow, why, sizeof why);
        what = "the forces are not finite";
    } else if (status == RBV_INCONSISTENT) {
        what = "the constraints cannot be met any more: they contradict each other along the motion";
        if (flow->tracking)
            rbv_tracking_explain(flow->tracking, why, sizeof why);
        if (why[0])
            what = "the motion cannot go on as required";
    } else if (status == RBV_OK) {
        const char *load, *by;
        what = "no step is short enough for the tolerance: forces change without bound";
        status = RBV_LOCKED;
        if (rbv_failure_find_jump(flow->system->model, &load, &by)) {
            rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0},
                         "at t = %.9g s no step is short enough for the tolerance: load '%s' jumps back and forth, by "
                         "its '%s'. " RBV_SMOOTHER_LOAD,
                         s->t, load, by);
            return status;
        }
    }
    if (status != RBV_NOT_FINITE && !why[0] && rbv_flow_place(flow, s->t, s->y))
        rbv_failure_cause(flow->state, why, sizeof why);
    if (status == RBV_LOCKED && !why[0] && rbv_flow_place(flow, s->t, s->y))
        rbv_massless_explain(flow->state, why, sizeof why);
    if (why[0] && status != RBV_NOT_FINITE)
        what = flow->tracking ? "the motion cannot go on as required" : "the motion cannot go on";
    rbv_diagnose(flow->diagnostics, RBV_ERROR, flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s%s%s",
                 s->t, what, why[0] ? ": " : "", why);
    return status;
}

RbvStatus rbv_stepper_report_creeps(const RbvStepper *s) {
    const char *jams = rbv_stepper_jams(s);
    if (!jams)
        return rbv_stepper_report_failure(s, RBV_INCONSISTENT);
    rbv_diagnose(s->flow->diagnostics, RBV_ERROR, s->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 s->t, jams);
    return RBV_LOCKED;
}
