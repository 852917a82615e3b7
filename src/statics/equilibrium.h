/* Methods that find an equilibrium: each leads from the assembled start to a state at rest, on one balance of forces.
 *
 * All end alike: q with Phi = 0 (penalty: nearly), multipliers, and a residual force below RBV_EQUILIBRIUM_LEFT of the
 * loads, then as small as rounding allows. */
#ifndef RBV_STATICS_EQUILIBRIUM_H
#define RBV_STATICS_EQUILIBRIUM_H

#include "statics/supports.h"

/* Number of bodies above which steps may go along the joints of the tree, and return to the constraints by least
 * energy: chains of fewer need few steps in any case, and near a branch point the least motion is the surer way back.
 */
#define RBV_DEEP 25
/* Residual force that is allowed, as a part of the largest force involved. */
#define RBV_EQUILIBRIUM_LEFT 1e-9
/* Error of rows that is allowed, as a part of the size of their part of the mechanism. Rows that contradict each other
 * by rounding stay where their error no longer decreases. */
#define RBV_EQUILIBRIUM_ROWS 1e-14

typedef struct RbvEquilibriumSearch {
    RbvArena arena; /* of all arrays */
    RbvBalance *balance;
    RbvBalance *bodies; /* balance of the bodies at the start, if `balance` is in other coordinates; NULL: `balance` is
                           that of the bodies */
    RbvDiagnostics *diagnostics;
    double damping;       /* relaxation: damping [1/s] of the user's options, or NaN */
    double *y, *l, *next; /* y [n]: a step; l, next [rows]: its multipliers and right-hand sides */
    double start_force, start_kappa, start_hardness; /* at the start: largest load [N], kappa and hardness [N/m] */
    double *start, *place; /* [position_size] positions at the start; positions to return to */
    int32_t steps;         /* steps taken so far, in all attempts together */
    int32_t rounds;        /* augmented Lagrangian: minima found, each with the multipliers of the previous one */
    double largest;        /* [N] largest load or multiplier now */
    double penalty;        /* penalty, augmented: alpha [N/m] of the user's options, or NaN */
    double coefficient;    /* penalty: alpha [N/m] at the equilibrium found; 0 otherwise */
    int32_t stays, lags; /* steps in which the error of the rows has not decreased (stays); in which the residual force
                            is small and has not decreased (lags) */
    bool shortened;      /* a Newton step was much too long and was shortened */
    bool strained;       /* Newton ended with multipliers that cannot be replaced by others of smaller norm */
    double position_error, force_error; /* penalty: largest errors of position [m] and of a force [N]; else 0 */
    RbvLockedBodies *locked_bodies;     /* penalty, augmented, during the search: bodies that are locked where they are
                                       assembled, but yield (locked_bodies.h); NULL: none */
    double transfer_move; /* found in other coordinates: how far the bodies still moved when they were balanced,
                             over their size; 0 otherwise */
    int branch; /* penalty, augmented: sign of the determinant of the independent rows of `locked_bodies` where they are
                   assembled; 0: none */
    double *base;          /* [rows] augmented: the multipliers accumulated so far; 0 otherwise */
    double *part_force;    /* [2 parts] workspace */
    int32_t index;         /* method by index: requested number of motions with decreasing energy */
    int32_t freedoms;      /* method by index: number of motions that the rows allow */
    RbvSupports *supports; /* one-sided supports; NULL: none */
    RbvProgress *progress; /* progress function, called at every step; may be NULL */
} RbvEquilibriumSearch;

RbvStatus rbv_equilibrium_create(RbvEquilibriumSearch *search, RbvBalance *balance, RbvDiagnostics *diagnostics);
void rbv_equilibrium_destroy(RbvEquilibriumSearch *search);

/* A method of statics. OK; NO_EQUILIBRIUM, NOT_FINITE, NO_MEMORY, INTERRUPTED: reported. */
typedef RbvStatus RbvEquilibriumMethod(RbvEquilibriumSearch *search);
/* Constrained minimization of the potential energy with a trust region. */
RbvEquilibriumMethod rbv_equilibrium_by_energy;
/* Newton's full steps for positions and multipliers: fast where they converge. */
RbvEquilibriumMethod rbv_equilibrium_by_newton;
/* Newton's steps, and where they do not converge Newton's steps from the end of a homotopy. Finds stable and unstable
 * equilibria near the start. */
RbvEquilibriumMethod rbv_equilibrium_by_lagrange;
/* Newton's method on V + 1/2 sum alpha Phi^2, with lambda = alpha Phi. */
RbvEquilibriumMethod rbv_equilibrium_by_penalty;
/* Penalty method with multipliers that are corrected by alpha Phi until Phi vanishes (augmented Lagrangian): no error
 * remains. */
RbvEquilibriumMethod rbv_equilibrium_by_augmented;
/* Principle of virtual power, R^T Q = 0 in independent coordinates; dR is found from accelerations. */
RbvEquilibriumMethod rbv_equilibrium_by_virtual_power;
/* Saddle of the energy: a maximum along search->index motions and a minimum along all others. Needs an energy; over
 * bodies. */
RbvEquilibriumMethod rbv_equilibrium_by_index;
/* Dynamic relaxation: damped motion until all bodies rest. */
RbvEquilibriumMethod rbv_equilibrium_by_relaxation;

/* Functions that the methods share. */
/* True if the multipliers balance the loads without reactions that a singular position makes arbitrarily large. */
bool rbv_equilibrium_balances(RbvEquilibriumSearch *search);
/* rbv_equilibrium_tolerance: residual force allowed at the present state [N]; sets search->largest.
 * rbv_equilibrium_rounding: the part of it that rounding causes at a stiffness [N/m] and a size [m], whatever the
 * loads. */
double rbv_equilibrium_tolerance(RbvEquilibriumSearch *search);
double rbv_equilibrium_rounding(const RbvEquilibriumSearch *search, double stiffness, double size);
/* True if one more step brings no improvement: the residual force `left` [N] is below the tolerance and no longer
 * decreases. `before`: residual force one step earlier. */
bool rbv_equilibrium_settled(RbvEquilibriumSearch *search, double left, double before);
/* As rbv_equilibrium_settled, for steps that also correct the rows, which may increase the residual force once;
 * search->lags is 0 before the first call. */
bool rbv_equilibrium_settled_twice(RbvEquilibriumSearch *search, double left, double before);
/* True if no step decreases the error of the rows: they contradict each other, as rounded lengths of redundant joints
 * do. The first step after exact rows leaves an error by the compliance and the change of the multipliers, therefore
 * two such steps are needed. `before`: the error one step earlier; search->stays is 0 before the first call. */
bool rbv_equilibrium_rows_stay(RbvEquilibriumSearch *search, double before);
/* Newton's full steps for positions and multipliers, from the evaluated state and its multipliers; `method`: its name
 * in messages. */
RbvStatus rbv_equilibrium_newton(RbvEquilibriumSearch *search, const char *method);
/* Newton's steps from a state near equilibrium until it is reached to rounding. */
RbvStatus rbv_equilibrium_polish(RbvEquilibriumSearch *search);
/* NO_EQUILIBRIUM, reported with the body's name, if a body has moved so far that it has no equilibrium; else OK. */
RbvStatus rbv_equilibrium_check_far(RbvEquilibriumSearch *search);
/* Reports that no equilibrium was found. rbv_equilibrium_lost: if no support holds some body, that body is named as the
 * cause; else as rbv_equilibrium_fail, which reports `format` with `detail`. */
RbvStatus rbv_equilibrium_lost(RbvEquilibriumSearch *search, const char *format, const char *detail);
RbvStatus rbv_equilibrium_fail(RbvEquilibriumSearch *search, const char *format, const char *detail);
bool rbv_equilibrium_interrupted(RbvEquilibriumSearch *search);
/* At an equilibrium with the closed supports: checks all supports. If one is violated or pulls, one more is closed or
 * one is opened, and *changed is set. NO_EQUILIBRIUM: reported. */
RbvStatus rbv_equilibrium_settle(RbvEquilibriumSearch *search, bool *changed);
/* Repeats the method until no support is violated and none pulls. Statuses as of RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_run(RbvEquilibriumMethod *method, RbvEquilibriumSearch *search);

/* Equilibrium of a system in other coordinates than those of bodies: found in these coordinates by the same methods,
 * and transferred to the bodies, where it is verified. (coordinate_search.c). */

/* Finds the equilibrium by `method` in the coordinates of `system`, from the state of `search`, which is of the
 * absolute system of `system`. The equilibrium is settled with its supports (rbv_equilibrium_settle). On return
 * `search` is as the method leaves it on bodies, with the stops and one-sided joints that are closed. Statuses as of
 * RbvEquilibriumMethod. */
RbvStatus rbv_equilibrium_in_coordinates(const RbvSystem *system, RbvEquilibriumMethod *method,
                                         RbvEquilibriumSearch *search);

/* A state with its closed supports in the coordinates of a system: state, balance and search. */
typedef struct RbvCoordinateSearch {
    RbvState *state;
    RbvSupports supports;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
} RbvCoordinateSearch;

/* Transfers the state and the search of bodies, at rest or not, at a state whose positions are evaluated. Close it in
 * all cases. NO_MEMORY; NO_EQUILIBRIUM: the loads are not finite there, or a full matrix would be too large
 * (reported). */
RbvStatus rbv_coordinate_search_open(RbvCoordinateSearch *other, const RbvSystem *system, RbvEquilibriumSearch *search);
void rbv_coordinate_search_close(RbvCoordinateSearch *other);

#endif
