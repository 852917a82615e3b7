/* Ways to an equilibrium: each method of statics from the assembled start to a state at rest, on one balance of forces.
 *
 * All end alike: q with Phi = 0 (penalty: nearly), multipliers, and the force left over below RBV_EQUILIBRIUM_LEFT of
 * the loads, then as small as rounding lets it.
 */
#ifndef RBV_STATICS_EQUILIBRIUM_H
#define RBV_STATICS_EQUILIBRIUM_H

#include "statics/supports.h"

/* Of the largest force involved, what may be left over. */
#define RBV_EQUILIBRIUM_LEFT 1e-9
/* Of the size of their part, what rows may be off by; those that contradict each other by rounding stay where they no
 * longer shrink. */
#define RBV_EQUILIBRIUM_ROWS 1e-14

typedef struct RbvEquilibriumSearch {
    RbvBalance *balance;
    RbvBalance *bodies; /* the balance is in other coordinates: that of the bodies, at the start; NULL: it is that */
    RbvDiagnostics *diagnostics;
    double damping;                                  /* relaxation: [1/s] given by the user, or NaN */
    double *y, *l, *next;                            /* [n] a step; [rows], [rows] multipliers and right sides of it */
    double start_force, start_kappa, start_hardness; /* [N], [N/m] the largest load and stiffness at the start */
    double *start, *place;                           /* [position_size]; one to go back to */
    int32_t steps;                                   /* taken so far, all attempts together */
    int32_t rounds;     /* of the augmented method: minima found, each with the multipliers of the one before */
    double largest;     /* [N] the largest load or multiplier now */
    double penalty;     /* penalty, augmented: alpha [N/m] given by the user, or NaN */
    double coefficient; /* penalty: alpha [N/m] of the place found; else 0 */
    int32_t stays,
        lags; /* steps in which the rows' error has not fallen, and in which the force left over is small and has not */
    bool shortened;        /* a step of Newton was much too long */
    bool strained;         /* Newton ended with multipliers that no others of less norm replace */
    double off, force_off; /* penalty: how far from the equilibrium [m], and the most that a force is off [N]; else 0 */
    RbvLockedBodies *held; /* penalty, augmented, while they search: what is held where it is assembled, but yields
                      (locked_bodies.h); NULL: nothing */
    double handed; /* found in other coordinates: by how much its bodies still moved when they were balanced, over their
                      size; else 0 */
    int branch;    /* the sign of the determinant of its rows there */
    double *base;  /* [rows] augmented: the multipliers taken over so far; else 0 */
    double *part_force;    /* [2 parts] scratch */
    int32_t index;         /* by index: of how many motions */
    int32_t freedoms;      /* by index: motions that the rows allow */
    RbvSupports *supports; /* one-sided; NULL: there are none */
    RbvProgress *progress; /* asked at every step; may be NULL */
} RbvEquilibriumSearch;

RbvStatus rbv_equilibrium_create(RbvEquilibriumSearch *search, RbvBalance *balance, RbvDiagnostics *diagnostics);
void rbv_equilibrium_destroy(RbvEquilibriumSearch *search);

/* OK; NO_EQUILIBRIUM, NOT_FINITE, NO_MEMORY, INTERRUPTED: said. */
typedef RbvStatus RbvEquilibriumMethod(RbvEquilibriumSearch *search);
/* Constrained minimisation of the potential energy with a trust region. */
RbvEquilibriumMethod rbv_equilibrium_by_energy;
/* Newton's plain steps on position and multipliers: fast where they converge. */
RbvEquilibriumMethod rbv_equilibrium_by_newton;
/* The same, and where they do not converge from the end of a homotopy: finds stable and unstable equilibria near the
 * start. */
RbvEquilibriumMethod rbv_equilibrium_by_lagrange;
/* Newton on V + 1/2 sum alpha Phi^2, lambda = alpha Phi. */
RbvEquilibriumMethod rbv_equilibrium_by_penalty;
/* The same with multipliers that are corrected by alpha Phi until Phi vanishes: no error is left behind. */
RbvEquilibriumMethod rbv_equilibrium_by_augmented;
/* R^T Q = 0 in independent coordinates, dR by accelerations. */
RbvEquilibriumMethod rbv_equilibrium_by_virtual_power;
/* The energy largest along search->index motions, least along all others; with an energy, over bodies. */
RbvEquilibriumMethod rbv_equilibrium_by_index;
/* Damped motion until nothing moves. */
RbvEquilibriumMethod rbv_equilibrium_by_relaxation;

/* Parts that methods share. */
/* Do the multipliers balance the loads, not only beside reactions that a singular position makes as large as one likes?
 */
bool rbv_equilibrium_balances(RbvEquilibriumSearch *search);
/* What may be left over, now [N]; and the part of it that rounding leaves on something of this stiffness [N/m] and size
 * [m], whatever the loads. */
double rbv_equilibrium_tolerance(RbvEquilibriumSearch *search);
double rbv_equilibrium_rounding(const RbvEquilibriumSearch *search, double stiffness, double size);
/* Nothing is gained by one more step: left over is below tolerance and no longer falls. `before`: left over a step ago.
 */
bool rbv_equilibrium_settled(RbvEquilibriumSearch *search, double left, double before);
/* The same for steps that also mend the rows, which may raise it once; search->lags is 0 before the first. */
bool rbv_equilibrium_settled_twice(RbvEquilibriumSearch *search, double left, double before);
/* Rows that no step brings nearer contradict each other, as rounded lengths of redundant joints do. The first step
 * behind exact rows leaves them off by the compliance of what the multipliers moved, so it takes two. `before`: the
 * error a step ago; search->stays is 0 before the first. */
bool rbv_equilibrium_rows_stay(RbvEquilibriumSearch *search, double before);
/* Newton's plain steps on position and multipliers from the placed state and its multipliers; `method`: for words. */
RbvStatus rbv_equilibrium_newton(RbvEquilibriumSearch *search, const char *method);
/* The same from a state near to equilibrium until it is reached to rounding. */
RbvStatus rbv_equilibrium_polish(RbvEquilibriumSearch *search);
/* Has something gone so far that there is no equilibrium for it? Said, with the body's name: NO_EQUILIBRIUM. */
RbvStatus rbv_equilibrium_check_far(RbvEquilibriumSearch *search);
/* No equilibrium was found: because nothing holds some body, which is then named, or as said. */
RbvStatus rbv_equilibrium_lost(RbvEquilibriumSearch *search, const char *format, const char *detail);
RbvStatus rbv_equilibrium_fail(RbvEquilibriumSearch *search, const char *format, const char *detail);
bool rbv_equilibrium_interrupted(RbvEquilibriumSearch *search);
/* At an equilibrium with the supports that are held: is it one with all of them? Else one more is held, or one is let
 * go (*changed). NO_EQUILIBRIUM: said. */
RbvStatus rbv_equilibrium_settle(RbvEquilibriumSearch *search, bool *changed);

#endif
