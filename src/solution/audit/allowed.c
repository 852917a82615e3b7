/* Allowed residual: 1e-7 of the largest force on a body, and rounding; see allowed.h. */
#include "solution/audit/allowed.h"

#include <math.h>

/* [N] Where no force acts, residual of numbers so small that their squares underflow. */
#define NO_FORCE 1e-140
/* Least arm of forces, relative to the size. */
#define LEAST_ARM 1e-3
/* A value with a larger relative error is `unsure` (docs/results.md), and no rounding excuses the error. */
#define SURE 1e-3
/* Rounding of accelerations of bodies that are sums in other coordinates, relative to the accelerations by the
 * speed. */
#define MOTION_ROUNDED 1e-13

double rbv_audit_no_force(double largest) {
    return RBV_FORCE_ROUNDED * largest + NO_FORCE;
}

double rbv_audit_motion_rounding(const RbvAudit *audit, const RbvState *state, int32_t body) {
    if (audit->system->coordinates.of_bodies)
        return 0;
    double size = rbv_state_body_size(state, body),
           speed = rbv_norm(state->twists[body].v) + size * rbv_norm(state->twists[body].w);
    return MOTION_ROUNDED * audit->system->model->bodies.items[body].mass * speed * speed / size;
}

/* [N] Force by rounding of the position of a body. */
static double rounding_of_place(const RbvAudit *audit, int32_t body, double force, const RbvAuditScale *part) {
    double rounding = audit->rounding[body];
    bool all = part->given == 0 && part->force <= rounding;
    return all ? rounding : fmin(rounding, fmax(SURE * force, RBV_AUDIT_TOLERANCE * part->force));
}

void rbv_audit_allowed(const RbvAudit *audit, const RbvState *state, int32_t body, double allowed[2]) {
    const RbvAuditScale *part = &audit->scale[audit->system->part[body]];
    double size = rbv_state_body_size(state, body), *own = audit->largest[body];
    double force = own[0] + LEAST_ARM * own[1] / size; /* torques alone leave forces that are their rounding */
    double floor = audit->floor[body] + rbv_audit_motion_rounding(audit, state, body) +
                   rounding_of_place(audit, body, force, part);
    floor += rbv_audit_no_force(part->force + LEAST_ARM * part->torque / size);
    allowed[0] = RBV_AUDIT_TOLERANCE * force + floor;
    allowed[1] = RBV_AUDIT_TOLERANCE * own[1] + allowed[0] * size +
                 rbv_audit_no_force(part->torque); /* the residual force may act anywhere on the body */
}
