/* The balance of energy over a step: E - W, energy less work, is a constant of every motion, so that its change over a
 * step is an error of the step, of all that is integrated, of projection and iterations.
 *
 *   |E(y1) - W1 - (E(y0) - W0)| <= tolerance * size + rounding
 * size is that of the energies so far, this step's own among them: what begins from nothing has the size that its first
 * step gives it. Of a run the audit allows 1000 tolerances: a step of a run of N > 1000 has 1000/N of one.
 */
#ifndef RBV_DYNAMICS_ENERGY_BALANCE_H
#define RBV_DYNAMICS_ENERGY_BALANCE_H

#include "dynamics/flow.h"

/* So many tolerances of the largest energy, or work, a run may be off by. */
#define RBV_ENERGY_OF_A_RUN 1e3

typedef struct RbvEnergyBalance {
    double kept, before; /* [J] E - W at the state that is kept, and where the last step began */
    double size, parts;  /* [J] of the states kept: the largest kinetic energy, change of a potential, or work; the
                            largest part of an energy */
    double off, over;    /* of the trial refused last: the change [J], and its length [s]; zero: there is none */
    int unasked;         /* so many steps more are not judged */
} RbvEnergyBalance;

/* [J] What the largest force would do over the size of its part; share: as in stepper.h. */
double rbv_energy_balance_most(const RbvFlow *flow, const double *share);
/* [J] What the balance of a run may be off by whatever the tolerance: rounding, where `parts` is the largest part of an
 * energy. */
double rbv_energy_balance_rounding(const RbvFlow *flow, const double *share, double parts);
/* The motion begins at the flow's state, with no work done. */
void rbv_energy_balance_begin(RbvEnergyBalance *balance, RbvFlow *flow);
/* The flow's state, with so much work done, is the one that is kept. */
void rbv_energy_balance_keep(RbvEnergyBalance *balance, RbvFlow *flow, double work);
/* The same at the end of a step, whatever its balance. */
void rbv_energy_balance_step(RbvEnergyBalance *balance, RbvFlow *flow, double work);
/* Of a trial of length h to the flow's state, with so much work done: the change over what it may be. Above 1 it is
 * refused; else it is the step. */
double rbv_energy_balance_verify(RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                 double work, double h);
/* Is the balance of a state within the last step off by more than that? Not asked where those of steps are not. */
bool rbv_energy_balance_is_coarse(const RbvEnergyBalance *balance, RbvFlow *flow, const double *share, double tolerance,
                                  double work);

#endif
