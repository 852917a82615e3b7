/* The load on sliding faces; see friction_law.h. */
#include "reaction/friction_law.h"

#include <math.h>

void rbv_friction_reaction(const RbvReactions *r, const RbvState *state, int32_t joint, const double *lambda, bool lines, double out[3]) {
    const RbvMarkerState *axes = &state->markers[rbv_joint_axes(&r->system->model->joints.items[joint])];
    RbvWrench sum = lines ? r->line[joint] : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
    for (int32_t row = r->system->joint_row[joint]; row < r->system->joint_row[joint + 1]; row++)
        sum = rbv_wrench_add_scaled(sum, lambda[row], r->unit[row]);
    RbvVec3 force = rbv_apply_transposed(axes->axes, sum.force);
    out[0] = force.x, out[1] = force.y, out[2] = sum.torque.z;
}

double rbv_friction_load(const RbvJoint *joint, const double w[3], double slope[3]) {
    slope[0] = slope[1] = slope[2] = 0;
    if (joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y)) {
        double size = hypot(w[0], w[1]), r = joint->friction_radius;
        for (int k = 0; k < 2 && size > 0; k++)
            slope[k] = r * w[k] / size;
        return r * size;
    }
    bool ends = joint->locks & RBV_DIRECTION_RZ && joint->friction_radius > 0;
    double lever = ends ? 0.5 / joint->friction_radius : 0, sum = 0;
    for (int end = 0; end < 2; end++) {
        double part = 0.5 * w[1] + (end ? -lever : lever) * w[2], sign = part >= 0 ? 1 : -1;
        sum += fabs(part);
        slope[1] += 0.5 * sign;
        slope[2] += (end ? -lever : lever) * sign;
    }
    return sum;
}
