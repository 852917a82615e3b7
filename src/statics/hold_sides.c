/* Sides of a load from its derivative for wrenches along the axes of the contact, single and in pairs; see
 * hold_sides.h. */
#include "statics/hold_sides.h"

#include <math.h>
#include <string.h>

/* Part of a wrench that is added to it to find further sides of its load there. */
#define SIDE_STEP 1e-6
/* Part of the size of forces: a smaller wrench counts as zero. */
#define NO_WRENCH 1e-9
/* Relative difference of derivatives below which two sides are one. */
#define SAME_SIDE 1e-3

/* The wrench plus `size` along axis k (0 to 5) of the contact. */
static RbvWrench wrench_beside(RbvWrench w, const RbvMat3 *axes, int k, double size) {
    RbvVec3 *part = k < 3 ? &w.force : &w.torque;
    *part = rbv_add_scaled(*part, size, axes->column[k % 3]);
    return w;
}

/* Appends the side mu slope.w(y). False: there is one like it, or it is zero. */
static bool add_side(const RbvHoldProblem *h, int32_t i, RbvWrench w, int32_t count, double *out) {
    const RbvFrictionContact *friction = &h->state->system->friction[i];
    const RbvWrench *part = h->reaction + i * (h->vary + 1);
    double mu = h->state->system->model->joints.items[friction->joint].sizes->friction_static,
           *side = out + count * (h->vary + 1), size = 0;
    RbvWrench slope;
    rbv_friction_load(h->state, friction, w, &slope);
    for (int32_t k = 0; k <= h->vary; k++) {
        side[k] = mu * (rbv_dot(slope.force, part[k].force) + rbv_dot(slope.torque, part[k].torque));
        size = fmax(size, fabs(side[k]));
    }
    for (int32_t n = 0; n < count; n++) {
        double apart = 0;
        for (int32_t k = 0; k <= h->vary; k++)
            apart = fmax(apart, fabs(side[k] - out[n * (h->vary + 1) + k]));
        if (apart <= SAME_SIDE * size)
            return false;
    }
    return size > 0;
}

static RbvWrench wrench_at(const RbvHoldProblem *h, int32_t i, const double *y) {
    const RbvWrench *part = h->reaction + i * (h->vary + 1);
    RbvWrench w = part[0];
    for (int32_t k = 0; k < h->vary; k++)
        w = rbv_wrench_add_scaled(w, y[k], part[k + 1]);
    double size = rbv_norm(w.force) + rbv_norm(w.torque);
    return size > NO_WRENCH ? (RbvWrench){rbv_scale(1 / size, w.force), rbv_scale(1 / size, w.torque)}
                            : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
}

int32_t rbv_hold_sides(const RbvHoldProblem *h, int32_t i, const double *y, double *out) {
    const RbvFrictionContact *friction = &h->state->system->friction[i];
    const RbvJoint *joint = &h->state->system->model->joints.items[friction->joint];
    const RbvMat3 *axes = h->state->markers[joint->marker[friction->surfaces->second]].axes;
    const RbvWrench none = {{0, 0, 0}, {0, 0, 0}}, at = y ? wrench_at(h, i, y) : none;
    int32_t count = 0;
    memset(out, 0, (size_t)(h->vary + 1) * sizeof *out);
    if (rbv_press_is_given(friction->surfaces->press)) {
        RbvWrench slope;
        out[0] = joint->sizes->friction_static * rbv_friction_load(h->state, friction, none, &slope) / h->size;
        return 1;
    }
    if (rbv_norm(at.force) + rbv_norm(at.torque) > 0)
        count += add_side(h, i, at, count, out);
    for (int n = 0; n < 6 * 6 * 4 && count < RBV_MOST_SIDES; n++) {
        int j = n / 24, k = n / 4 % 6;
        double first = n & 1 ? -1 : 1, second = n & 2 ? -1 : 1,
               size = rbv_norm(at.force) + rbv_norm(at.torque) > 0 ? SIDE_STEP : 1;
        if (k < j || (k == j && n & 2))
            continue;
        RbvWrench w = wrench_beside(at, axes, j, first * size);
        count += add_side(h, i, k > j ? wrench_beside(w, axes, k, second * size) : w, count, out);
    }
    return count > 0 ? count : 1;
}
