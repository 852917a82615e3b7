/* Energy balance E' = P, and its error over a step: E is the kinetic energy plus the potential energy of weights and of
 * loads that have a potential.
 *
 *   P = sum_b (wrenches of all loads - those of potentials at rest) . twist - lambda^T nu,   C v = nu
 *
 * P therefore contains dampers, loads that depend on time, drives, and constraint rows that move with time; forces that
 * derive from a potential are not in P. The work W is the integral of P; E - W is constant in every motion. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_POWER_H
#define RBV_DYNAMICS_ACCELERATIONS_POWER_H

#include "mechanics/system/system.h"

typedef struct RbvPower {
    RbvArena arena; /* owns the arrays */
    const RbvSystem *system;
    bool *potential;           /* [loads] true: the load is counted by its energy, since it has a potential that depends
                                * neither on time nor on a condition (active:) */
    RbvWrench *wrenches;       /* [bodies] wrenches of weights and of loads with a potential */
    RbvTwist *twists;          /* [bodies] zero twists */
    RbvMeasureState *measures; /* [measures] with velocities set to zero */
    double *start; /* [bodies + loads] initial potential energies [J] of weights, then of loads, for potentials without
                      a zero of their own */
    double size;   /* [J] energy scale: the largest kinetic energy, spring energy, or change of another potential since
                      the start, so far */
    double parts;  /* [J] the largest single term of an energy so far: rounding of energies is relative to this */
} RbvPower;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_power_create(RbvPower *power, const RbvSystem *system);
void rbv_power_destroy(RbvPower *power);
/* Starts the motion at a state whose positions, velocities and loads are evaluated: energy scales are collected from
 * here. */
void rbv_power_begin(RbvPower *power, const RbvState *state);
/* Returns E [J] at a state whose positions, velocities and loads are evaluated; updates the energy scales. */
double rbv_power_energy(RbvPower *power, const RbvState *state);
/* Returns P [W] for multipliers lambda[rows] at a state whose positions, velocities, loads and C are evaluated. */
double rbv_power_in(RbvPower *power, const RbvState *state, const double *lambda);

/* Evaluates to power->wrenches the wrenches of weights and of loads with a potential, as if nothing moved. Piecewise
 * laws note the pieces that they are on (mechanics/element/pieces.h). */
void rbv_power_look(RbvPower *power, const RbvState *state);

/* Returns the part of the largest energy or work by which E - W may change over a run whose steps have this tolerance:
 * a thousand tolerances, at most a thousandth, or ten tolerances where these are more. */
double rbv_energy_of_a_run(double tolerance);

typedef struct RbvEnergyBalance {
    double kept, before; /* [J] E - W at the accepted state, and at the beginning of the last step */
    double size, parts; /* [J] over the accepted states: the largest kinetic energy, change of a potential, or work; the
                           largest part that an energy is summed from */
    double error,
        over;    /* of the trial step rejected last: change of E - W [J] and length [s]; zero: none was rejected */
    int unasked; /* number of further steps whose balance is not verified */
} RbvEnergyBalance;

/* [J] Work of the largest generalized force over the size of the part that it moves; share [n]: as in stepper.h. */
double rbv_energy_balance_most(const RbvState *state, const double *share);
/* [J] Allowed change of E - W from rounding, for any tolerance; parts [J]: the largest part that an energy is summed
 * from. */
double rbv_energy_balance_rounding(const RbvState *state, const double *share, double parts);
/* Starts the balance at a state, with no work done. */
void rbv_energy_balance_begin(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state);
/* Takes the state, with the work [J] done so far, as the accepted state, and forgets the rejected trial step. */
void rbv_energy_balance_keep(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, double work);
/* Ends a step at the state without verifying its balance: `before` is that of its beginning. */
void rbv_energy_balance_step(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, double work);
/* Verifies the trial step of length h [s] to the state, with the work [J] done so far. Returns the change of E -
 * W over the allowed one: above 1 the step is rejected, else it is accepted and the balance is that of its end. */
double rbv_energy_balance_verify(RbvEnergyBalance *balance, RbvPower *power, const RbvState *state, const double *share,
                                 double tolerance, double work, double h);
/* Does E - W of the state, within the last step, differ from that at the step's beginning by more than allowed?
 * False while steps are not verified. */
bool rbv_energy_balance_is_coarse(const RbvEnergyBalance *balance, RbvPower *power, const RbvState *state,
                                  const double *share, double tolerance, double work);

#endif
