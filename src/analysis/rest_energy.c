/* The default: minimise V on Phi = 0. y = -(K + mu kappa)^-1 g on the tangent space, then back to Phi = 0 by least movement; a step counts when V falls by a part of
 * what the model foresaw (-g.y t - y.K y t^2 / 2), and mu falls and rises with that part: a trust region in the form of Levenberg and Marquardt. */
#include "analysis/rest.h"

#include "base/diagnostics.h"

#define PROXIMAL 1e-8
#define MOST_STEPS 2000
#define FIRST_RIDGE 1e-2
#define LEAST_RIDGE 1e-12
#define MOST_RIDGE 1e12
#define STEP_TURN 0.6
/* V is known to this part of the magnitudes it is summed from. */
#define ENERGY_ROUNDING 1e-13

typedef struct Step {
    double slope, curvature; /* g.y, y.K y with the ridge taken out */
    double factor;
} Step;

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* y and new multipliers l for the ridge mu. False: no step that goes down. */
static bool find_step(RbvRest *rest, double mu, double reach, Step *step) {
    RbvBalance *b = rest->balance;
    if (!rbv_balance_factor(b, mu, 0, PROXIMAL / b->kappa))
        return false;
    rbv_balance_newton(b, rest->y, rest->l);
    double *K_y = b->K_y, length = dot(rest->y, rest->y, b->n);
    rbv_balance_stiffness(b, rest->y, K_y);
    step->curvature = dot(rest->y, K_y, b->n) - mu * b->kappa * length;
    step->slope = dot(b->gradient, rest->y, b->n);
    step->factor = rbv_balance_limit(b, rest->y, STEP_TURN, reach);
    return isfinite(length);
}

static void take_multipliers(RbvRest *rest) {
    for (int32_t k = 0; k < rest->balance->rows; k++)
        rest->balance->lambda[k] = rest->l[k];
}

/* A step whose gain drowns in the rounding of V: the force left over decides. */
static RbvStatus end_phase(RbvRest *rest) {
    take_multipliers(rest);
    return rbv_rest_polish(rest);
}

RbvStatus rbv_rest_by_energy(RbvRest *rest) {
    RbvBalance *b = rest->balance;
    double mu = FIRST_RIDGE, reach = 0.5;
    if (!rbv_balance_multipliers(b))
        return rbv_rest_fail(rest, "no multipliers at the start%s", "");
    for (int count = 0; count < MOST_STEPS; count++) {
        Step step;
        if (rbv_rest_interrupted(rest))
            return RBV_INTERRUPTED;
        if (mu > MOST_RIDGE)
            return rbv_rest_fail(rest, "the energy falls, but no step along the constraints makes it%s", "");
        bool found = find_step(rest, mu, reach, &step);
        double rounding = ENERGY_ROUNDING * b->V_size;
        double foreseen = -step.slope * step.factor - 0.5 * step.curvature * step.factor * step.factor;
        if (found && rbv_balance_left(b, rest->l) <= rbv_rest_tolerance(rest) && fabs(step.slope) <= rounding)
            return end_phase(rest);
        if (!found || (step.slope >= 0 && fabs(step.slope) > rounding)) { /* the model has no minimum: more ridge */
            mu = fmax(10 * mu, 1e-6);
            continue;
        }
        double before = b->V;
        rbv_balance_keep(b);
        rbv_balance_move(b, rest->y, step.factor);
        bool placed = rbv_balance_return(b);
        double gain = before - b->V;
        if (!placed || !(gain > 1e-4 * foreseen - rounding)) {
            rbv_balance_back(b);
            if (!rbv_balance_place(b))
                return rbv_rest_fail(rest, "the loads are not finite%s", "");
            mu = fmax(8 * mu, 1e-8);
            continue;
        }
        rbv_state_accept(b->state);
        take_multipliers(rest);
        reach = step.factor < 1 ? fmin(2 * reach, 1e3) : 0.5;
        mu = gain > 0.75 * foreseen ? fmax(0.1 * mu, LEAST_RIDGE) : gain < 0.25 * foreseen ? 4 * mu : mu;
        RbvStatus status = rbv_rest_check_far(rest);
        if (status != RBV_OK)
            return status;
    }
    return rbv_rest_fail(rest, "the energy still falls after many steps: perhaps it has no lower bound%s", "");
}
