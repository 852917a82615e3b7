/* Newton on natural coordinates and multipliers; see natural_methods.h.
 *
 *   [ K  J^T ] [ y      ]   [ -g   ]        K = H + sum lambda_k Phi_k,qq                     (R000-28 ... R000-31)
 *   [ J   -c ] [ lambda ] = [ -Phi - c lambda_before ]
 * The small compliance c makes it regular where rows repeat others, and leaves no error behind.
 */
#include "statics/natural_methods.h"

#include "assembly/assemble.h"
#include "assembly/twin.h"
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200
#define STEP_TURN 0.5 /* [rad] */
#define STEP_MOVE 0.5 /* of the size */
/* A ridge that neutral directions need. */
#define NEUTRAL 1e-11
/* Rows that hold so well, or that repeat others and no longer get better. */
#define HOLD 1e-14
#define STAY 0.5
/* Starts beside the start: how many, and by how much further off each of them is [rad, sizes]. */
#define MOST_BESIDE 8
#define BESIDE_TURN 0.1
#define BESIDE_MOVE 0.02

RbvStatus rbv_rest_lost(RbvRest *r, const char *format, const char *detail) {
    rbv_rest_place(r);
    rbv_twin_write(r->state, r->search->balance->state);
    rbv_balance_keep(r->search->balance);
    return rbv_equilibrium_lost(r->search, format, detail);
}

RbvStatus rbv_rest_fail(RbvRest *r, const char *text) {
    return r->state->no_memory ? RBV_NO_MEMORY : rbv_equilibrium_fail(r->search, "%s", text);
}

RbvStatus rbv_rest_check_far(RbvRest *r) {
    rbv_twin_write(r->state, r->search->balance->state);
    return rbv_equilibrium_check_far(r->search);
}

/* One step, shortened. `held`: the rows hold as well as they can. False: singular or not finite. */
static bool step(RbvRest *r, bool held) {
    if (!rbv_rest_stiffness(r, r->lambda) || !rbv_rest_factor(r, NEUTRAL, RBV_PROXIMAL / r->kappa))
        return false;
    for (int32_t j = 0; j < r->n; j++)
        r->force[j] = -r->g[j];
    for (int32_t k = 0; k < r->m; k++)
        r->phi[k] = (held ? 0 : -r->phi[k]) - r->compliance * r->lambda[k];
    rbv_rest_solve(r, r->force, r->phi);
    double factor = rbv_rest_limit(r, r->x, STEP_TURN, STEP_MOVE);
    rbv_rest_keep(r);
    rbv_rest_move(r, r->x, factor);
    for (int32_t k = 0; k < r->m; k++)
        r->lambda[k] += factor * (r->x[r->n + k] - r->lambda[k]);
    if (!isfinite(factor) || !rbv_rest_place(r))
        return false;
    rbv_state_accept(r->state);
    return true;
}

RbvStatus rbv_rest_newton(RbvRest *r, const char *method) {
    double before = INFINITY, error = INFINITY;
    int stays = 0;
    for (int count = 0; count < MOST_STEPS; count++) {
        double left = rbv_rest_left(r, r->lambda, r->force);
        stays = r->error > STAY * error ? stays + 1 : 0;
        bool held = stays >= 2 && r->error <= RBV_EQUILIBRIUM_LEFT;
        if ((held || r->error <= HOLD) && rbv_rest_settled(r, left, before))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(r->search))
            return RBV_INTERRUPTED;
        before = left;
        error = r->error;
        if (!step(r, held))
            return rbv_rest_lost(r, "the equations of %s become singular or not finite", method);
        RbvStatus status = rbv_rest_check_far(r);
        if (status != RBV_OK)
            return status;
    }
    return rbv_rest_lost(r, "Newton's method (%s) does not converge from this start; start nearer to it, or try another --method", method);
}

RbvStatus rbv_rest_by_newton(RbvRest *r) {
    if (!rbv_rest_multipliers(r))
        return rbv_rest_fail(r, "no multipliers at the start");
    return rbv_rest_newton(r, "lagrange");
}

/* Places beside the start, further and further off: bodies are turned and moved, and assembled. */
static RbvStatus from_beside(RbvRest *r) {
    RbvEquilibriumSearch *search = r->search;
    RbvState *bodies = search->balance->state;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    RbvStatus status = RBV_NO_EQUILIBRIUM;
    for (int count = 1; status == RBV_NO_EQUILIBRIUM && count <= MOST_BESIDE; count++) {
        RbvAssembly assembly = {.driven = true};
        rbv_shake(bodies, search->start, count * BESIDE_TURN, count * BESIDE_MOVE, &seed, search->y);
        RbvStatus assembled = rbv_assemble_position(bodies, bodies->t, NULL, &assembly);
        if (assembled == RBV_NO_MEMORY || assembled == RBV_INTERRUPTED)
            return assembled;
        if (assembled != RBV_OK)
            continue;
        rbv_twin_read(r->state, bodies);
        if (rbv_rest_place(r))
            status = rbv_rest_by_newton(r);
    }
    return status;
}

RbvStatus rbv_rest_by_lagrange(RbvRest *r) {
    RbvEquilibriumSearch *search = r->search;
    RbvDiagnostics *diagnostics = search->diagnostics;
    search->diagnostics = NULL;
    RbvStatus status = rbv_rest_by_newton(r);
    bool beside = status == RBV_NO_EQUILIBRIUM;
    if (beside)
        status = from_beside(r);
    search->diagnostics = diagnostics;
    if (beside && status == RBV_OK)
        rbv_diagnose(diagnostics, RBV_NOTE, r->system->model->file, (RbvPosition){0, 0},
                     "Newton's method (lagrange) does not converge from the starting poses; this equilibrium was found from poses beside them");
    if (status != RBV_NO_EQUILIBRIUM)
        return status;
    return rbv_rest_lost(r, "Newton's method (lagrange) does not converge from this start; start nearer to it, or try another --method%s", "");
}
