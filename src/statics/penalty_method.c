/* Penalty: minimizes W = V + 1/2 sum alpha Phi^2, lambda = alpha Phi. The Newton matrix K(alpha Phi) + alpha C^T C is
 * used in the equivalent form [K C^T; C -1/alpha], which stays well conditioned. alpha grows in stages, since the
 * valley of a large one is too narrow to be followed from far away.
 * Augmented Lagrangian: W = V + lambda0.Phi + 1/2 sum alpha Phi^2, lambda = lambda0 + alpha Phi; then lambda0 becomes
 * lambda, and so on until Phi vanishes. A moderate alpha is enough. */
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"
#include "statics/equilibrium.h"

#include <string.h>

#define FIRST_ALPHA 1e4 /* multiple of kappa */
#define SOFT_ALPHA 1e2  /* where the valley of FIRST_ALPHA is too narrow; it risks another assembly */
#define LAST_ALPHA 1e6
#define HARDEST_ALPHA                                                                                                  \
    1e10 /* where the rows' error is still too large; beyond it rounding of alpha Phi would be too large */
#define STAGE 1e2
/* Part of the largest multiplier and load by which rows that are a hundred times stiffer may change the multipliers; if
 * these grow on and on, rigid rows have no equilibrium. */
#define MOST_CHANGE 0.1
#define EXACTLY "; " RBV_OPTION_STATICS_METHOD " energy and lagrange hold joints exactly"
#define MOST_PENALTY_STEPS 20000
/* Longest step of a body: [rad], and parts of the size; first ridge mu, as a part of kappa. */
#define PENALTY_TURN 0.3
#define PENALTY_MOVE 0.3
#define FIRST_PENALTY_RIDGE 1e-6
/* Part of the linear decrease of W along the first of two steps that both together have to bring. */
#define FORGIVEN 0.01

/* MOST_UPDATES: most updates of the multipliers. */
#define MOST_UPDATES 200
#define STALLED_FACTOR 0.99

/* Multipliers of idle spins: joints with an error push a rod a little about its own line. The row of the idle spin
 * takes that up, since there is no distance by which a spring could act on it. */
static void set_spin_multipliers(RbvBalance *b) {
    const RbvRowPattern *C = &b->system->C;
    for (int32_t k = b->system->row_count; k < b->system->satisfied_count; k++)
        b->lambda[k] = 0;
    rbv_balance_residual(b, b->lambda); /* leaves the residual forces in K_y */
    for (int32_t k = b->system->row_count; k < b->system->satisfied_count; k++) {
        double sum = 0, square = 0;
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            sum += b->C[e] * b->K_y[C->column[e]];
            square += b->C[e] * b->C[e];
        }
        b->lambda[k] = square > 0 ? -sum / square : 0; /* rods of two points have no spin */
    }
}

static void set_penalty_multipliers(RbvEquilibriumSearch *search, double alpha) {
    RbvBalance *b = search->balance;
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] = (b->weight[k] != 0 ? search->base[k] : 0) + alpha * b->phi[k];
    if (b->system->satisfied_count > b->system->row_count)
        set_spin_multipliers(b);
}

/* W, or without an energy the residual force; *size: magnitude of its terms. */
static double merit(RbvEquilibriumSearch *search, double alpha, double *size) {
    RbvBalance *b = search->balance;
    double sum = 0;
    *size = fabs(b->V_size);
    if (isnan(b->V))
        return rbv_balance_residual(b, b->lambda);
    for (int32_t k = 0; k < b->rows; k++) {
        double part = search->base[k] * b->phi[k] + 0.5 * alpha * b->phi[k] * b->phi[k];
        sum += part;
        *size += fabs(part);
    }
    return b->V + sum;
}

/* search->y: Newton's step at the evaluated state; K_y: -grad W. False: singular. */
static bool find_penalty_step(RbvEquilibriumSearch *search, double alpha, double mu) {
    RbvBalance *b = search->balance;
    if (!rbv_balance_factor(b, mu, 0, 1 / alpha))
        return false;
    /* solved for the change of lambda, so that rounding of lambda does not hide the residual */
    rbv_balance_residual(b, b->lambda);
    for (int32_t j = 0; j < b->n; j++)
        b->K_y[j] = -b->K_y[j];
    memset(search->l, 0, (size_t)b->rows * sizeof *search->l);
    rbv_balance_solve(b, b->K_y, search->l, search->y, NULL);
    return true;
}

/* Makes the step from the stored positions. False: not finite. */
static bool move_penalty_step(RbvEquilibriumSearch *search, double alpha) {
    RbvBalance *b = search->balance;
    double factor = rbv_balance_limit(b, search->y, PENALTY_TURN, PENALTY_MOVE);
    rbv_balance_move(b, search->y, factor);
    bool placed = isfinite(factor) && rbv_balance_evaluate(b);
    set_penalty_multipliers(search, alpha);
    return placed;
}

/* Makes the step search->y if W decreases. The valley of a large alpha is narrow and bent, and a full step leaves it by
 * the square of its length, which the next step corrects: with `forgive`, and if the step descends at first, two steps
 * together may decrease W. False: positions are restored, and evaluated unless that is not finite. */
static bool take_penalty_step(RbvEquilibriumSearch *search, double alpha, double mu, bool forgive) {
    RbvBalance *b = search->balance;
    size_t positions = (size_t)b->system->coordinates.position_size * sizeof(double);
    double size, slope = rbv_balance_dot(b, b->K_y, search->y), now = merit(search, alpha, &size),
                 limit = now + 1e-13 * (size + fabs(now));
    rbv_balance_store(b);
    memcpy(search->place, b->stored_q, positions);
    bool placed = move_penalty_step(search, alpha), falls = placed && merit(search, alpha, &size) <= limit;
    if (placed && !falls && forgive && !isnan(b->V) && slope > 0 && find_penalty_step(search, alpha, mu)) {
        rbv_balance_store(b);
        falls = move_penalty_step(search, alpha) && merit(search, alpha, &size) <= now - FORGIVEN * slope;
        search->steps += falls;
    }
    if (falls) {
        rbv_state_accept(b->state);
        return true;
    }
    memcpy(b->stored_q, search->place, positions);
    rbv_balance_restore(b);
    return false;
}

/* Newton's method at one alpha. */
static RbvStatus run_stage(RbvEquilibriumSearch *search, double alpha) {
    RbvBalance *b = search->balance;
    double mu = FIRST_PENALTY_RIDGE, before = INFINITY;
    bool forgive = true;
    set_penalty_multipliers(search, alpha);
    for (int count = 0; count < MOST_PENALTY_STEPS; count++) {
        double left = rbv_balance_residual(b, b->lambda);
        if (rbv_equilibrium_settled(search, left, before))
            return RBV_OK;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (mu > 1e12)
            return left <= rbv_equilibrium_tolerance(search)
                       ? RBV_OK
                       : rbv_equilibrium_lost(search, "the penalty method gets stuck" EXACTLY "%s", "");
        if (!find_penalty_step(search, alpha, mu)) {
            mu = fmax(10 * mu, 1e-8);
            continue;
        }
        if (!take_penalty_step(search, alpha, mu, forgive)) {
            if (!rbv_balance_evaluate(b))
                return rbv_equilibrium_fail(search, "the loads are not finite%s", "");
            set_penalty_multipliers(search, alpha);
            mu = fmax(8 * mu, 1e-8);
            forgive = false;
            continue;
        }
        mu = fmax(0.1 * mu, 1e-12);
        before = left;
        forgive = true;
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(search, "the penalty method does not converge" EXACTLY "%s", "");
}

/* Largest entry of Newton's step with multipliers from here: the error of the penalty, to first order [m]. */
static double distance_to_equilibrium(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double most = 0;
    if (!rbv_balance_factor(b, 1e-11, 0, RBV_PROXIMAL / b->kappa))
        return NAN;
    rbv_balance_newton(b, false, search->y, search->l);
    for (int32_t j = 0; j < b->n; j++)
        most = fmax(most, fabs(search->y[j]));
    return most;
}

/* Increases alpha in stages until the rows' error is small. */
static RbvStatus run_stages(RbvEquilibriumSearch *search, double first, double kappa) {
    RbvStatus status = RBV_OK;
    double forces = 0;
    search->position_error = INFINITY;
    for (double factor = first; status == RBV_OK && factor <= 1.01 * HARDEST_ALPHA; factor *= STAGE) {
        status = run_stage(search, search->coefficient = factor * kappa);
        double before = forces;
        forces = rbv_balance_largest(search->balance);
        if (status != RBV_OK || factor < 0.99 * LAST_ALPHA)
            continue;
        search->position_error = distance_to_equilibrium(search);
        /* Part of the reach: largest error of positions. */
        if (search->position_error <= RBV_NOTICEABLE * search->balance->reach &&
            fabs(forces - before) <= MOST_CHANGE * (forces + search->balance->force_size) +
                                         rbv_equilibrium_rounding(search, kappa, search->balance->reach))
            return RBV_OK;
    }
    return status == RBV_OK ? rbv_equilibrium_fail(
                                  search, "however stiff the penalty, the joints stand off too far" EXACTLY "%s", "")
                            : status;
}

/* Increases alpha in stages to the requested one, whatever its errors are. */
static RbvStatus run_stages_to(RbvEquilibriumSearch *search, double first, double kappa) {
    RbvStatus status = RBV_OK;
    double alpha = search->penalty;
    for (double now = fmin(first * kappa, alpha); status == RBV_OK; now = fmin(STAGE * now, alpha)) {
        status = run_stage(search, search->coefficient = now);
        if (now >= alpha)
            break;
    }
    if (status == RBV_OK)
        search->position_error = distance_to_equilibrium(search);
    return status;
}

/* True if soft rows have let locked bodies slip into another assembly: past a singular position, where the determinant
 * of their independent rows changes its sign. */
static bool is_other_assembly(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    if (search->locked_bodies && search->bodies) {
        rbv_absolute_state_write(b->state, search->bodies->state);
        b = search->bodies;
        if (!rbv_balance_evaluate(b))
            return true;
    }
    return search->locked_bodies && (!rbv_locked_bodies_factor(search->locked_bodies, b->C, &b->state->no_memory) ||
                                     rbv_lu_sign(search->locked_bodies->lu) != search->branch);
}

static RbvStatus report_other_assembly(RbvEquilibriumSearch *search) {
    return rbv_equilibrium_fail(search, "soft joints let it slip into another assembly" EXACTLY "%s", "");
}

/* End of the augmented method: Newton's steps, which are the limit of ever larger alpha. Locked bodies return to where
 * they were assembled, and stay (locked_bodies.h). */
static RbvStatus end_augmented(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    if (!search->locked_bodies)
        return rbv_equilibrium_polish(search);
    if (is_other_assembly(search))
        return report_other_assembly(search);
    if (search->bodies)
        return rbv_equilibrium_polish(search);
    rbv_coordinates_difference(&b->system->coordinates, b->state->q, search->start, search->y);
    for (int32_t j = 0; j < b->n; j++)
        search->y[j] = search->locked_bodies->place[j] >= 0 ? search->y[j] : 0;
    rbv_coordinates_step(&b->system->coordinates, b->state->q, search->y);
    if (!rbv_balance_evaluate(b) || !rbv_locked_bodies_factor(search->locked_bodies, b->C, &b->state->no_memory))
        return rbv_equilibrium_fail(search, "the loads are not finite%s", "");
    b->locked_bodies = search->locked_bodies;
    RbvStatus status = rbv_equilibrium_polish(search);
    b->locked_bodies = status == RBV_OK ? b->locked_bodies : NULL;
    return status;
}

/* Updates multipliers at one alpha, from those in search->base, until the rows are nearly satisfied. */
static RbvStatus update_multipliers(RbvEquilibriumSearch *search, double first, double kappa) {
    RbvBalance *b = search->balance;
    double alpha = isnan(search->penalty) ? first * kappa : search->penalty, error = INFINITY;
    for (int count = 0; count < MOST_UPDATES; count++) {
        RbvStatus status = run_stage(search, search->coefficient = alpha);
        search->coefficient = 0;
        if (status != RBV_OK)
            return status;
        search->rounds = count + 1;
        bool stalls = b->error > STALLED_FACTOR * error;
        /* Rows with an error below this part of their size are left to Newton's method. So are those with an error
         * below this part that improve no more, by the factor STALLED_FACTOR. */
        if (b->error <= RBV_DATA || (stalls && b->error <= RBV_FITS))
            return end_augmented(search);
        if (stalls)
            break;
        memcpy(search->base, b->lambda, (size_t)b->rows * sizeof *search->base);
        error = b->error;
    }
    return rbv_equilibrium_lost(search,
                                "the multipliers of the augmented method do not settle; another " RBV_OPTION_PENALTY
                                " may do" EXACTLY "%s",
                                "");
}

static RbvStatus run_updates(RbvEquilibriumSearch *search, double first, double kappa) {
    memset(search->base, 0, (size_t)search->balance->rows * sizeof *search->base);
    return update_multipliers(search, first, kappa);
}

/* Starts from the multipliers of rigid rows. Where locked bodies are flat to an angle theta, forces grow with 1/theta;
 * rows without initial multipliers yield by more than theta^2 of the size, which leads to the other branch, unless
 * alpha is beyond 1/theta^3. */
static RbvStatus run_updates_from_rigid(RbvEquilibriumSearch *search, double first, double kappa) {
    RbvBalance *b = search->balance;
    b->locked_bodies = search->bodies ? NULL : search->locked_bodies;
    bool good = rbv_balance_multipliers(b);
    b->locked_bodies = NULL;
    memcpy(search->base, b->lambda, (size_t)b->rows * sizeof *search->base);
    return good ? update_multipliers(search, first, kappa)
                : rbv_equilibrium_fail(search, "no multipliers at the start" EXACTLY "%s", "");
}

/* Tries several first alphas from the start: the usual one, a softer one, and hard ones. Driven and barely locked
 * bodies hardly leave their assembled positions, but soft rows would let them. Only the last failure is reported. */
static RbvStatus from_firsts(RbvEquilibriumSearch *search,
                             RbvStatus (*go)(RbvEquilibriumSearch *search, double first, double kappa)) {
    static const double firsts[] = {FIRST_ALPHA, SOFT_ALPHA, LAST_ALPHA, STAGE * LAST_ALPHA, HARDEST_ALPHA};
    const size_t count = sizeof firsts / sizeof *firsts;
    RbvBalance *b = search->balance;
    RbvDiagnostics *diagnostics = search->diagnostics;
    const double kappa = b->kappa;
    RbvStatus status = RBV_NO_EQUILIBRIUM;
    for (size_t k = 0; k < count && status == RBV_NO_EQUILIBRIUM; k++) {
        memcpy(b->state->q, search->start, (size_t)b->system->coordinates.position_size * sizeof(double));
        if (k > 0 && !rbv_balance_evaluate(b))
            break;
        search->diagnostics = k + 1 < count ? NULL : diagnostics;
        status = go(search, firsts[k], kappa);
        if (status == RBV_OK && !b->locked_bodies && is_other_assembly(search))
            status = report_other_assembly(search);
    }
    search->diagnostics = diagnostics;
    return status;
}

/* True if some joint has a penalty factor other than 1. */
static bool has_factors(const RbvModel *model) {
    bool any = false;
    for (int32_t k = 0; k < model->joints.count; k++)
        any = any || rbv_joint_loose(&model->joints.items[k])->penalty != 1;
    return any;
}

/* Sets the rows' weights with or without the penalty factors of joints; multipliers stay. False: the state cannot be
 * evaluated. */
static bool weigh_with_factors(RbvBalance *b, bool yields) {
    if (!has_factors(b->system->model))
        return true;
    b->yields = yields;
    return rbv_balance_weigh(b) && rbv_balance_evaluate(b);
}

/* Finds the locked bodies, which yield meanwhile, and runs the method. */
static RbvStatus search_with_yielding_rows(RbvEquilibriumSearch *search,
                                           RbvStatus (*go)(RbvEquilibriumSearch *search, double first, double kappa)) {
    RbvBalance *b = search->bodies ? search->bodies : search->balance;
    if (!search->supports && !rbv_balance_lock_bodies(b, INFINITY)) /* bodies that supports lock may be released */
        return RBV_NO_MEMORY;
    search->locked_bodies = b->locked_bodies;
    search->branch = b->locked_bodies ? rbv_lu_sign(b->locked_bodies->lu) : 0;
    b->locked_bodies = NULL;
    RbvStatus status = weigh_with_factors(search->balance, true) ? from_firsts(search, go) : RBV_NO_EQUILIBRIUM;
    if (!weigh_with_factors(search->balance, false) && status == RBV_OK)
        status = rbv_equilibrium_fail(search, "the place cannot be told%s", "");
    if (!b->locked_bodies)
        rbv_locked_bodies_destroy(search->locked_bodies);
    search->locked_bodies = NULL;
    return status;
}

RbvStatus rbv_equilibrium_by_penalty(RbvEquilibriumSearch *search) {
    return search_with_yielding_rows(search, isnan(search->penalty) ? run_stages : run_stages_to);
}

RbvStatus rbv_equilibrium_by_augmented(RbvEquilibriumSearch *search) {
    RbvDiagnostics *diagnostics = search->diagnostics;
    search->diagnostics = NULL;
    RbvStatus status = search_with_yielding_rows(search, run_updates);
    search->diagnostics = diagnostics;
    return status == RBV_NO_EQUILIBRIUM ? search_with_yielding_rows(search, run_updates_from_rigid) : status;
}
