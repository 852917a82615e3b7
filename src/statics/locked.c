/* Stiffness of locked rows on velocities; see locked.h. Derivatives of these rows by positions are needed nowhere else,
 * so they are found by differences of the rows themselves. */
#include "statics/locked.h"

#include <math.h>
#include <string.h>

/* Part of the size: step of the differences; the truncation error is its fourth power. */
#define DIFFERENCE_STEP 1e-3

bool rbv_locked_rows(const RbvBalance *b) {
    return b->locked && b->system->rate_count > 0;
}

/* to[n] = factor C_r^T lambda_r at the evaluated state. */
static void add_rate_forces(const RbvBalance *b, double factor, double *to) {
    const RbvSystem *system = b->system;
    for (int32_t k = 0; k < b->rows; k++)
        for (int32_t e = system->C.start[k]; system->rows[k].on_rates && e < system->C.start[k + 1]; e++)
            to[system->C.column[e]] += factor * b->lambda[k] * b->C[e];
}

/* Adds half of the cross product of a body's torque and its rotation, which differences along rotating axes leave
 * out. */
static void add_axis_rotation(const RbvBalance *b, const double *x, const double *force, double *out) {
    const RbvBodyColumns *a = &b->system->bodies;
    for (int32_t i = 1; a->spatial && i < a->count; i++) {
        int32_t k = a->start[i] + 3;
        if (k >= a->start[i + 1])
            continue;
        RbvVec3 torque = rbv_vec3(force[k], force[k + 1], force[k + 2]), turn = rbv_vec3(x[k], x[k + 1], x[k + 2]);
        RbvVec3 half =
            rbv_scale(0.5 * b->scale[k], rbv_cross(torque, turn)); /* both are scaled by it, and so is the result */
        out[k] += half.x, out[k + 1] += half.y, out[k + 2] += half.z;
    }
}

void rbv_locked_stiffness(RbvBalance *b, const double *x, double *out, double *work) {
    static const struct {
        double at, weight;
    } points[] = {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
    double *force = work, *slope = work + b->n, extent = rbv_balance_extent(b, x);
    if (!(extent > 0))
        return;
    double h = DIFFERENCE_STEP / extent;
    memset(work, 0, 2 * (size_t)b->n * sizeof *work);
    add_rate_forces(b, 1, force);
    add_axis_rotation(b, x, force, out);
    rbv_balance_keep(b);
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        rbv_balance_move(b, x, points[k].at * h);
        rbv_balance_place(b);
        add_rate_forces(b, points[k].weight / h, slope);
    }
    rbv_balance_back(b);
    rbv_balance_place(b);
    for (int32_t j = 0; j < b->n; j++)
        out[j] += slope[j];
}
