/* Energy, and the power that is not the loss of a potential: E' = P with E the kinetic energy and the potential of
 * weights and loads that have one.
 *
 *   P = sum_b (wrenches of all loads - those of potentials at rest) . twist - lambda^T nu,   C v = nu
 * so dampers, loads that follow time, drives and rows that move with time are in P, and nothing that derives from an
 * energy.
 */
#ifndef RBV_DYNAMICS_POWER_H
#define RBV_DYNAMICS_POWER_H

#include "system/system.h"

typedef struct RbvPower {
    const RbvSystem *system;
    bool *potential;     /* [loads] counted by its energy: it derives from one, which depends neither on time nor on a
                            condition (active:) */
    RbvWrench *wrenches; /* [bodies] */
    RbvTwist *twists;    /* [bodies] zero */
    RbvMeasureState *measures; /* [measures] with rates zero */
    double
        *start; /* [bodies + loads] [J] where potentials without a zero of their own began: of weights, then of loads */
    double size;  /* [J] the largest kinetic energy met so far, energy of a spring, or change of another potential since
                     the start */
    double parts; /* [J] the largest part of an energy met so far: what its rounding is part of */
} RbvPower;

/* False: no memory; to be destroyed all the same. */
bool rbv_power_create(RbvPower *power, const RbvSystem *system);
void rbv_power_destroy(RbvPower *power);
/* The motion begins at the placed, moved and loaded state: from here on sizes count. */
void rbv_power_begin(RbvPower *power, const RbvState *state);
/* E [J] at a placed, moved and loaded state; keeps the size. */
double rbv_power_energy(RbvPower *power, const RbvState *state);
/* P [W] with multipliers lambda[rows] of such a state with its C. */
double rbv_power_in(RbvPower *power, const RbvState *state, const double *lambda);

/* The wrenches of weights and of loads with a potential, as if nothing moved: power->wrenches; their laws note the
 * pieces that they are on (element/pieces.h). */
void rbv_power_look(RbvPower *power, const RbvState *state);

#endif
