/* Efforts of actuators that reach or leave their limits; see transition.h. Velocities do not jump there, accelerations
 * do. */
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"

#include <math.h>

RbvStatus rbv_event_loop_take_limits(RbvEventLoop *h) {
    RbvTracking *tracking = h->flow->tracking;
    const RbvModel *model = h->flow->system->model;
    for (int32_t i = 0; i < h->limits; i++) {
        if (tracking->limited[i] != tracking->phase[i] &&
            !rbv_event_loop_tell(h, model->actuators.items[i].name, tracking->limited[i] != 0 ? "limit" : "release",
                                 NAN))
            return RBV_NO_MEMORY;
        tracking->phase[i] = tracking->limited[i];
    }
    return rbv_stepper_restart(h->stepper);
}

RbvStatus rbv_event_loop_begin_control(RbvEventLoop *h) {
    RbvTracking *tracking = h->flow->tracking;
    const RbvModel *model = h->flow->system->model;
    rbv_tracking_mask(tracking);
    RbvStatus status = rbv_stepper_restart(h->stepper);
    for (int32_t i = 0; status == RBV_OK && i < h->limits; i++) {
        tracking->phase[i] = tracking->limited[i];
        if (tracking->limited[i] != 0)
            rbv_diagnose(h->flow->diagnostics, RBV_NOTE, model->file, model->actuators.items[i].where,
                         "actuator '%s' is at its limit from the start", model->actuators.items[i].name);
    }
    if (status == RBV_OK)
        status = rbv_event_loop_indicate(h, true, h->now);
    if (status == RBV_OK)
        rbv_event_loop_remember(h, h->now);
    return status;
}
