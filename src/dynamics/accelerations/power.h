/* Energy balance E' = P: E is the kinetic energy plus the potential energy of weights and of loads that have a
 * potential.
 *
 *   P = sum_b (wrenches of all loads - those of potentials at rest) . twist - lambda^T nu,   C v = nu
 *
 * P therefore contains dampers, loads that depend on time, drives, and constraint rows that move with time; forces that
 * derive from a potential are not in P. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_POWER_H
#define RBV_DYNAMICS_ACCELERATIONS_POWER_H

#include "mechanics/system/system.h"

typedef struct RbvPower {
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

#endif
