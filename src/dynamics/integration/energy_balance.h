/* Balance of energy over a step. The energy E less the work W is constant in every motion, so its change over a step is
 * an error of the step: of the integration, the projection and the iterations.
 *
 *   |E(y1) - W1 - (E(y0) - W0)| <= tolerance * size + rounding
 *
 * size [J] is that of the energies so far, including this step's: a motion that begins from rest has the size that its
 * first step gives it. The audit allows a run 1000 tolerances: a step of a run of N > 1000 steps may use 1000/N of
 * one. */
#ifndef RBV_DYNAMICS_INTEGRATION_ENERGY_BALANCE_H
#define RBV_DYNAMICS_INTEGRATION_ENERGY_BALANCE_H

#include "dynamics/integration/flow.h"

/* Tolerances of the largest energy or work by which E - W may change over a run. */
#define RBV_ENERGY_OF_A_RUN 1e3

typedef struct RbvEnergyBalance {
    double kept, before; /* [J] E - W at the accepted state, and at the beginning of the last step */
    double size, parts; /* [J] over the accepted states: the largest kinetic energy, change of a potential, or work; the
                           largest part that an energy is summed from */
    double off, over; /* of the trial step rejected last: change of E - W [J] and length [s]; zero: none was rejected */
    int unasked;      /* number of further steps whose balance is not verified */
} RbvEnergyBalance;

/* [J] Work of the largest generalized force over the size of the part that it moves; share [n]: as in stepper.h. */
double rbv_energy_balance_most(const RbvFlow *flow, const double *share);
/* [J] Allowed change of E - W from rounding, for any tolerance; parts [J]: the largest part that an energy is summed
 * from. */
double rbv_energy_balance_rounding(const RbvFlow *flow, const double *share, double parts);
/* Starts the balance at the flow's state, with no work done. */
void rbv_energy_balance_begin(RbvEnergyBalance *balance, RbvFlow *flow);
/* Takes the flow's state, with the work [J] done so far, as the accepted state, and forgets the rejected trial step. */
void rbv_energy_balance_keep(RbvEnergyBalance *balance, RbvFlow *flow, double work);
/* Ends a step at the flow's state without verifying its balance: `before` is that of its beginning. */
void rbv_energy_balance_step(RbvEnergyBalance *balance, RbvFlow *flow, double work);
/* Verifies the trial step of length h [s] to the flow's state, with the work [J] done so far. Returns the change of E -
 * W over the allowed one: above 1 the step is rejected, else it is accepted and the balance is that of its end. */
double rbv_energy_balance_verify(RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                 double work, double h);
/* Does E - W of the flow's state, within the last step, differ from that at the step's beginning by more than allowed?
 * False while steps are not verified. */
bool rbv_energy_balance_is_coarse(const RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                  double work);

#endif
