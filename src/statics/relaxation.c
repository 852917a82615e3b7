/* Dynamic relaxation: damped motion M v' + C^T lambda = Q - c M v until all bodies rest. Integrated by the linearly
 * implicit Euler method, which is stable for every stiffness:
 *
 *   (M (1/h^2 + c/h) + K) y + C^T l = Q + M v/h,   C y = -Phi,   v <- y/h.
 * The first step h is a hundredth of the time that the loads need to move the mechanism by its own size; without a
 * given damping c = 1/h, with which nothing oscillates. */
#include "statics/equilibrium.h"

#include "core/base/tolerances.h"

#include <stdlib.h>
#include <string.h>

#define MOST_MOTION_STEPS 20000
/* Longest step of a body: [rad], and parts of the size. */
#define MOTION_TURN 0.3
#define MOTION_MOVE 0.3

static double largest_mass(const RbvBalance *b) {
    const RbvModel *model = b->system->model;
    double mass = 0;
    for (int32_t i = 1; i < model->bodies.count; i++)
        mass = fmax(mass, model->bodies.items[i].mass);
    return mass > 0 ? mass : 1;
}

/* Time in which the largest force moves the mechanism by its size: sqrt(m L / F). */
static double own_time(const RbvBalance *b) {
    double mass = largest_mass(b);
    double force = b->force_size > 0 ? b->force_size : b->kappa * b->reach;
    return force > 0 ? sqrt(mass * b->reach / force) : 1;
}

static void momentum(const RbvBalance *b, const double *v, double *out, double *work) {
    for (int32_t j = 0; j < b->n; j++)
        work[j] = b->scale[j] * v[j];
    rbv_state_inertia(b->state, work, out);
    for (int32_t j = 0; j < b->n; j++)
        out[j] *= b->scale[j];
}

static RbvStatus damp_motion(RbvEquilibriumSearch *search, double *v, double *Mv) {
    RbvBalance *b = search->balance;
    double h = 0.01 * own_time(b), c = isnan(search->damping) ? 1 / h : search->damping, mass = largest_mass(b);
    for (int count = 0; count < MOST_MOTION_STEPS; count++) {
        double left = rbv_balance_residual(b, b->lambda);
        /* Part of the largest force: residual below which Newton's method ends the search. */
        if (left == 0 || (left <= fmax(RBV_FITS * search->largest, rbv_equilibrium_tolerance(search)) && count > 0))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        double inertia = 1 / (h * h) + c / h;
        /* Part of the largest mass that damps every direction, so that massless ones stay bounded. It has no momentum,
         * and does not change the equilibrium. */
        if (!rbv_balance_factor(b, RBV_LEAST_SCALE * mass * inertia / b->kappa, inertia, RBV_PROXIMAL / b->kappa))
            return rbv_equilibrium_fail(search, "the equations of motion are singular%s", "");
        momentum(b, v, Mv, search->y);
        for (int32_t j = 0; j < b->n; j++)
            Mv[j] = Mv[j] / h - b->gradient[j];
        for (int32_t k = 0; k < b->rows; k++)
            search->l[k] = -b->phi[k] - b->compliance * b->lambda[k];
        rbv_balance_solve(b, Mv, search->l, search->y, search->next);
        double factor = rbv_balance_limit(b, search->y, MOTION_TURN, MOTION_MOVE);
        if (!(factor >= 1)) { /* the step is too long: shorter time */
            h *= 0.5;
            if (!isfinite(factor) || h < 1e-12)
                return rbv_equilibrium_fail(search, "the damped motion is not finite%s", "");
            for (int32_t j = 0; j < b->n; j++)
                v[j] *= 0.5;
            continue;
        }
        rbv_balance_store(b);
        rbv_balance_move(b, search->y, 1);
        if (!rbv_balance_project(b)) {
            rbv_balance_restore(b);
            rbv_balance_evaluate(b);
            h *= 0.25;
            continue;
        }
        rbv_state_accept(b->state);
        memcpy(b->lambda, search->next, (size_t)b->rows * sizeof *b->lambda);
        rbv_balance_complete(b, b->lambda);
        for (int32_t j = 0; j < b->n; j++)
            v[j] = search->y[j] / h;
        h *= isnan(search->damping) ? 1.1 : 1.02; /* slow motions may have longer steps */
        c = isnan(search->damping) ? 1 / h : c;
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(search, "the damped motion has not come to rest after many steps%s", "");
}

RbvStatus rbv_equilibrium_by_relaxation(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double *v = calloc(2 * (size_t)b->n + 1, sizeof *v);
    RbvStatus status = v ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_balance_multipliers(b))
        status = rbv_equilibrium_fail(search, "no multipliers at the start%s", "");
    if (status == RBV_OK)
        status = damp_motion(search, v, v + b->n);
    free(v);
    return status == RBV_OK ? rbv_equilibrium_polish(search) : status;
}
