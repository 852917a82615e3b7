/* Default method: minimizes V on Phi = 0. The step is y = -(K + mu kappa)^-1 g on the tangent space, then the
 * return to Phi = 0, by least energy and at last by least motion. A step is accepted if V decreases by a part of the
 * model's prediction, and mu falls and rises with that part: a trust region in the form of Levenberg and Marquardt. */
#include "statics/equilibrium.h"

#include "core/base/tolerances.h"
#include "statics/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DESCENT_STEPS 20000
/* Ridge mu, as a part of kappa: first, least and largest. DESCENT_TURN: largest rotation of a body per step [rad]. */
#define FIRST_DESCENT_RIDGE 1e-2
#define LEAST_RIDGE 1e-12
#define MOST_RIDGE 1e12
#define DESCENT_TURN 0.6
/* Parts of steps that are too long, and much too long, if no more than these may be made. */
#define TOO_LONG 0.1
#define MUCH_TOO_LONG 0.03
/* Most saddles that are left; number of trial steps away from a saddle, to both sides; their largest length, as
 * rbv_balance_extent. */
#define MOST_SADDLES 30
#define SADDLE_STEPS 12
#define SADDLE_FAR 0.3
/* A refused step of at least this ridge gives way to the step before, if that gains this part of what it did then.
 * Steps shorter than SHORT_STEP of the reach are not kept for that. */
#define AGAIN_RIDGE 0.1
#define AGAIN_GAIN 0.25
#define SHORT_STEP 0.02
/* Halvings after which a step is as short as rounding. */
#define MEETING_STEPS 60

typedef struct Descent {
    double slope, curvature; /* along y on the tangent space: slope = y.(K + mu kappa) y, the initial decrease of V;
                                curvature = y.K y */
    double factor;
    double length;   /* [m] of y */
    double rounding; /* [J] of V, and of the effect of the rows' errors on V */
} Descent;

/* Step y and new multipliers l for the ridge mu. False: no finite step. */
static bool find_descent(RbvEquilibriumSearch *search, double mu, double reach, Descent *step) {
    RbvBalance *b = search->balance;
    if (!rbv_balance_factor(b, mu, 0, RBV_PROXIMAL / b->kappa))
        return false;
    rbv_balance_newton(b, true, search->y, search->l);
    double *K_y = b->K_y, length = rbv_balance_dot(b, search->y, search->y);
    rbv_balance_stiffness(b, search->y, K_y);
    step->slope = rbv_balance_dot(b, search->y, K_y);
    step->curvature = step->slope - mu * b->kappa * length;
    step->length = sqrt(length);
    /* Rounding of V, as a part of the magnitudes it is summed from. */
    step->rounding = RBV_ROUNDING * b->V_size;
    for (int32_t k = 0; k < b->rows; k++)
        step->rounding += fabs(search->l[k] * b->phi[k]);
    step->factor = rbv_balance_limit(b, search->y, DESCENT_TURN, reach);
    return isfinite(length);
}

static void accept_multipliers(RbvEquilibriumSearch *search) {
    for (int32_t k = 0; k < search->balance->rows; k++)
        search->balance->lambda[k] = search->l[k];
}

/* For a step whose gain is below the rounding of V: Newton's method on the residual force decides. */
static RbvStatus polish_descent(RbvEquilibriumSearch *search) {
    accept_multipliers(search);
    return rbv_equilibrium_polish(search);
}

/* After the step from the stored positions has been made: shortens it to where the first support closes, by halving.
 * *met: the support to be closed there, or -1. False: a position between could not be projected, or none meets it. */
static bool stop_at_support(RbvEquilibriumSearch *search, double *factor, int32_t *met) {
    RbvBalance *b = search->balance;
    RbvSupports *s = search->supports;
    int32_t k = s ? rbv_supports_nearest(s) : -1;
    double high = *factor, low = 0;
    if (k < 0 || rbv_supports_gap(s, k) >= -RBV_SAME)
        return true;
    for (int pass = 0; pass < MEETING_STEPS; pass++) {
        double gap = rbv_supports_gap(s, k);
        *met = k;
        if (fabs(gap) <= RBV_SAME)
            return true;
        *(gap < 0 ? &high : &low) = *factor;
        *factor = 0.5 * (low + high);
        rbv_balance_move(b, search->y, *factor);
        if (!rbv_balance_project(b) || (k = rbv_supports_nearest(s)) < 0)
            return false;
    }
    return false; /* shorter steps do not come to where the whole one has */
}

/* Newton's steps from here, for the case that V does not show which steps descend, as where the rows of a long chain
 * leave it no freedom but rounding. False: Newton's method fails, and the state is restored. */
static bool end_by_forces(RbvEquilibriumSearch *search) {
    if (search->supports) /* supports are met on the path of the descent only */
        return false;
    RbvBalance *b = search->balance;
    RbvDiagnostics *reported = search->diagnostics;
    size_t positions = (size_t)b->system->coordinates.position_size * sizeof *b->state->q;
    memcpy(search->place, b->state->q, positions);
    search->diagnostics = NULL;
    bool found = rbv_equilibrium_by_newton(search) == RBV_OK;
    search->diagnostics = reported;
    if (found)
        return true;
    memcpy(b->state->q, search->place, positions);
    rbv_balance_evaluate(b);
    return false;
}

/* Where no step makes the energy fall, though it falls. */
static RbvStatus end_without_step(RbvEquilibriumSearch *search) {
    if (end_by_forces(search))
        return RBV_OK;
    return search->balance->state->no_memory
               ? RBV_NO_MEMORY
               : rbv_equilibrium_lost(search, "the energy falls, but no step along the constraints makes it%s", "");
}

/* Rejects the step: restores the positions. False: the loads are not finite. */
static bool reject_descent(RbvEquilibriumSearch *search, const Descent *step) {
    RbvBalance *b = search->balance;
    rbv_balance_restore(b);
    if (!rbv_balance_evaluate(b))
        return false;
    /* Part of the reach: a shorter step, where the forces balance, is left to Newton's method. */
    if (step->length <= RBV_BALANCED * b->reach) /* only the rows' compliance moves it */
        accept_multipliers(search);
    return true;
}

/* Makes the step, to where a support is met (*met, or -1), and returns to the constraints. False: it gets to neither.
 */
static bool make_step(RbvEquilibriumSearch *search, double mu, Descent *step, int32_t *met) {
    RbvBalance *b = search->balance;
    /* Supports are met on the way of the least motion alone. */
    bool by_energy = !search->supports && b->system->model->bodies.count > RBV_DEEP;
    rbv_balance_store(b);
    rbv_balance_move(b, search->y, step->factor);
    return (!by_energy || rbv_balance_approach(b, mu)) && rbv_balance_project(b) &&
           stop_at_support(search, &step->factor, met);
}

/* The ridge after an accepted step that gains `gain` of the `foreseen` decrease of V, of which the part `made` was
 * short enough to be made. A smaller ridge would make a step that is too long longer still; one that is much too long
 * follows the softest motions only, and a larger ridge turns it to where V falls soonest. */
static double next_ridge(double mu, double made, double gain, double foreseen) {
    if (gain < 0.25 * foreseen)
        return 4 * mu;
    if (made < MUCH_TOO_LONG)
        return 10 * mu;
    return gain > 0.75 * foreseen && made >= TOO_LONG ? fmax(0.1 * mu, LEAST_RIDGE) : mu;
}

/* True if no support is violated. */
static bool is_allowed(const RbvEquilibriumSearch *search) {
    int32_t k = search->supports ? rbv_supports_nearest(search->supports) : -1;
    return k < 0 || rbv_supports_gap(search->supports, k) >= -RBV_SAME;
}

/* The last accepted step that was not short. */
typedef struct StepBefore {
    double *y;   /* [n] with its factor */
    double gain; /* [J] decrease of V; 0: none yet */
} StepBefore;

static void keep_step(StepBefore *before, const RbvEquilibriumSearch *search, const Descent *step, double gain) {
    if (step->length * step->factor <= SHORT_STEP * search->balance->reach)
        return;
    before->gain = gain;
    for (int32_t j = 0; j < search->balance->n; j++)
        before->y[j] = step->factor * search->y[j];
}

/* Makes the step before once more, or half of it, in place of a refused one: near a singular position the constraints
 * bend so sharply that steps along their tangent get nowhere, but the motion that led there leads across. Returns the
 * part that was made; 0: none gains enough, and the stored positions are restored. */
static double go_on_as_before(RbvEquilibriumSearch *search, StepBefore *before) {
    RbvBalance *b = search->balance;
    const double V = b->V;
    for (double factor = 1; before->gain > 0 && factor >= 0.5; factor *= 0.5) {
        rbv_balance_move(b, before->y, factor);
        if (!rbv_balance_project(b) || !is_allowed(search) || !(V - b->V > AGAIN_GAIN * factor * before->gain) ||
            !rbv_balance_multipliers(b))
            continue;
        before->gain = V - b->V;
        for (int32_t j = 0; j < b->n; j++)
            before->y[j] *= factor;
        rbv_state_accept(b->state);
        return factor;
    }
    rbv_balance_restore(b);
    rbv_balance_evaluate(b);
    return 0;
}

static RbvStatus descend(RbvEquilibriumSearch *search, StepBefore *step_before) {
    RbvBalance *b = search->balance;
    double mu = FIRST_DESCENT_RIDGE, reach = 0.5;
    step_before->gain = 0;
    if (!rbv_balance_multipliers(b))
        return rbv_equilibrium_fail(search, "no multipliers at the start%s", "");
    for (int count = 0; count < MOST_DESCENT_STEPS; count++) {
        Descent step;
        if (rbv_equilibrium_interrupted(search))
            return RBV_INTERRUPTED;
        if (mu > MOST_RIDGE)
            return end_without_step(search);
        bool found = find_descent(search, mu, reach, &step);
        double foreseen = step.slope * step.factor - 0.5 * step.curvature * step.factor * step.factor;
        if (found && rbv_balance_residual(b, search->l) <= rbv_equilibrium_tolerance(search) &&
            (fabs(step.slope) <= step.rounding || mu > 1 || step.length <= RBV_BALANCED * b->reach)) {
            bool changed;
            RbvStatus status = polish_descent(search);
            if (status == RBV_OK)
                status = rbv_equilibrium_settle(search, &changed);
            if (status != RBV_OK || !changed)
                return status;
            mu = FIRST_DESCENT_RIDGE;
            continue;
        }
        if (!found || step.slope < -step.rounding) { /* the model has no minimum: larger ridge */
            mu = fmax(10 * mu, 1e-6);
            continue;
        }
        double before = b->V, made = step.factor;
        int32_t met = -1;
        bool placed = make_step(search, mu, &step, &met);
        double gain = before - b->V;
        if (met >= 0)
            foreseen = step.slope * step.factor - 0.5 * step.curvature * step.factor * step.factor;
        if (!placed || !(gain > 1e-4 * foreseen - step.rounding)) {
            if (!reject_descent(search, &step))
                return rbv_equilibrium_fail(search, "the loads are not finite%s", "");
            if (mu < AGAIN_RIDGE || go_on_as_before(search, step_before) < 1)
                mu = fmax(8 * mu, 1e-8);
            continue;
        }
        rbv_state_accept(b->state);
        accept_multipliers(search);
        keep_step(step_before, search, &step, gain);
        if (met >= 0 && !rbv_supports_switch(search->supports, met, true))
            return rbv_equilibrium_fail(search, "what is met on the way cannot be held%s", "");
        reach = met < 0 && step.factor < 1 ? fmin(2 * reach, 1e3) : 0.5;
        mu = next_ridge(mu, made, gain, foreseen);
        RbvStatus status = rbv_equilibrium_check_far(search);
        if (status != RBV_OK)
            return status;
    }
    return rbv_equilibrium_lost(search, "the energy still falls after 20000 steps%s", "");
}

/* Sign, 1 or -1, that makes the largest entry of a motion positive; of equal entries, that of the body whose name is
 * first in the alphabet. */
static double preferred_side(const RbvBalance *b, const double *direction) {
    const RbvModel *model = b->system->model;
    const RbvBodyColumns *bodies = &b->system->bodies;
    double largest = 0, side = 1;
    const char *name = NULL;
    for (int32_t j = 0; j < b->n; j++)
        largest = fmax(largest, fabs(direction[j]));
    for (int32_t k = 1; k < bodies->count && b->n == bodies->size; k++)
        /* Part of the largest entry of a motion by which equal entries differ by rounding. */
        for (int32_t j = bodies->start[k];
             j < bodies->start[k + 1] && (!name || strcmp(model->bodies.items[k].name, name) < 0); j++)
            if (fabs(direction[j]) >= (1 - RBV_FITS) * largest) {
                name = model->bodies.items[k].name;
                side = direction[j] < 0 ? -1 : 1;
            }
    return side;
}

/* Leaves a saddle along the motion in which V decreases, to the side and by the step with the least V; if both sides
 * are equal by symmetry, to the side of side_of. False: V decreases nowhere. */
static bool leave_saddle(RbvEquilibriumSearch *search, const double *direction) {
    RbvBalance *b = search->balance;
    double best = b->V, factor = 0,
           full = preferred_side(b, direction) * SADDLE_FAR / fmax(rbv_balance_extent(b, direction), 1e-300);
    rbv_balance_store(b);
    for (int n = 0; n < SADDLE_STEPS; n++) {
        double length = (n % 2 ? -full : full) / (double)(1 << (n / 2 * 2));
        rbv_balance_move(b, direction, length);
        /* Part of V_size by which the energies of two equal sides of a saddle differ. */
        double same = length == -factor ? RBV_SAME * b->V_size : 0;
        if (rbv_balance_project(b) && b->V < best - same && is_allowed(search)) {
            best = b->V;
            factor = length;
        }
    }
    rbv_balance_move(b, direction, factor);
    if (!rbv_balance_project(b) || factor == 0)
        return false;
    rbv_state_accept(b->state);
    return true;
}

/* Descends; from a saddle the descent continues beside it. */
RbvStatus rbv_equilibrium_by_energy(RbvEquilibriumSearch *search) {
    StepBefore step_before = {.y = rbv_arena_alloc(&search->arena, ((size_t)search->balance->n + 1) * sizeof(double))};
    if (!step_before.y)
        return RBV_NO_MEMORY;
    for (int saddles = 0;; saddles++) {
        RbvStability stability = {0};
        RbvStatus status = descend(search, &step_before);
        if (status == RBV_OK)
            status = rbv_supported_stability(search, true, &stability);
        bool on = status == RBV_OK && stability.kind == RBV_UNSTABLE && saddles < MOST_SADDLES &&
                  leave_saddle(search, stability.direction);
        free(stability.direction);
        if (!on)
            return status;
    }
}
