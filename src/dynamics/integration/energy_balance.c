/* Balance of energy over a step; see energy_balance.h. */
#include "dynamics/integration/energy_balance.h"

#include <math.h>

/* Part of the largest part of an energy that is rounding. Where heights and lengths are large, small differences of
 * their energies are known no better. */
#define ROUNDING 1e-14
/* Part of the work that forces could do: where nothing moves, the balance is rounding of it. */
#define NO_ENERGY 1e-13
/* Part of the allowed rounding of a run that one step may use. */
#define OF_A_STEP 0.1
/* FALLS: least power of the step length with which the error of a step falls. A jump of forces in the step, and
 * rounding, do not fall so. Such a change is no error of the step: it is left to the audit, and UNASKED further steps
 * are not verified. */
#define FALLS 2
#define UNASKED 30

double rbv_energy_balance_most(const RbvFlow *flow, const double *share) {
    double most = 0;
    for (int32_t j = 0; j < flow->n; j++)
        most = fmax(most, fabs(flow->state->Q[j]) / share[j]);
    return most;
}

double rbv_energy_balance_rounding(const RbvFlow *flow, const double *share, double parts) {
    return ROUNDING * parts + NO_ENERGY * rbv_energy_balance_most(flow, share);
}

/* Returns E - W [J] at the flow's state; *size, *parts [J]: scales of the balance with this state. The sizes that
 * samples measure (RbvPower) are restored: no step may depend on where samples are. */
static double look(const RbvEnergyBalance *balance, RbvFlow *flow, double work, double *size, double *parts) {
    const double largest = flow->power.size, largest_part = flow->power.parts;
    flow->power.size = flow->power.parts = 0;
    double energy = rbv_power_energy(&flow->power, flow->state);
    *size = fmax(balance->size, fmax(flow->power.size, fabs(work)));
    *parts = fmax(balance->parts, flow->power.parts);
    flow->power.size = largest;
    flow->power.parts = largest_part;
    return energy - work;
}

void rbv_energy_balance_begin(RbvEnergyBalance *balance, RbvFlow *flow) {
    *balance = (RbvEnergyBalance){0};
    rbv_energy_balance_keep(balance, flow, 0);
}

void rbv_energy_balance_keep(RbvEnergyBalance *balance, RbvFlow *flow, double work) {
    balance->kept = look(balance, flow, work, &balance->size, &balance->parts);
    balance->off = 0;
}

void rbv_energy_balance_step(RbvEnergyBalance *balance, RbvFlow *flow, double work) {
    balance->before = balance->kept;
    rbv_energy_balance_keep(balance, flow, work);
}

double rbv_energy_balance_verify(RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                 double work, double h) {
    const RbvEnergyBalance last = *balance;
    rbv_energy_balance_step(balance, flow, work);
    balance->unasked -= balance->unasked > 0;
    double change = fabs(balance->kept - last.kept),
           allowed = tolerance * balance->size + OF_A_STEP * rbv_energy_balance_rounding(flow, share, balance->parts);
    if (change <= allowed)
        return allowed > 0 ? change / allowed : 0;
    if (balance->unasked > 0)
        return 0;
    if (last.off > 0 && change > last.off * pow(h / last.over, FALLS)) {
        balance->unasked = UNASKED;
        return 0;
    }
    *balance = last;
    balance->off = change;
    balance->over = h;
    return allowed > 0 ? change / allowed : 2;
}

bool rbv_energy_balance_is_coarse(const RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                  double work) {
    double size, parts, change = fabs(look(balance, flow, work, &size, &parts) - balance->before);
    return balance->unasked == 0 &&
           change > tolerance * size + OF_A_STEP * rbv_energy_balance_rounding(flow, share, parts);
}
