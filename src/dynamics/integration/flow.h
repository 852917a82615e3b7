/* The motion as a differential equation y' = f(t, y),
 *
 *   y = (q, v, s, work),   y' = (q'(q, v), a, s', P),   M a + C^T lambda = Q,   C a = gamma
 *
 * with s the user's states and P [W] the power that is not in the energy (power.h), whose integral is the work [J].
 * Where coordinates keep joints by themselves and there is friction, y has one more number before the work: the work of
 * friction since the last accepted state. Next to flat positions reactions grow without bound, and no acceleration that
 * drives prescribe shows this; the work of friction does.
 *
 * The constraints are enforced by projection at every accepted state: the nearest q with Phi(q, t) = 0, then the
 * nearest v with C v = nu, both in the metric of M. The numbers of q are integrated as they are, and normalised (unit
 * quaternions) before each evaluation, so that rotations stay rotations. */
#ifndef RBV_DYNAMICS_INTEGRATION_FLOW_H
#define RBV_DYNAMICS_INTEGRATION_FLOW_H

#include "dynamics/accelerations/kept_reactions.h"
#include "dynamics/accelerations/nonideal.h"
#include "dynamics/accelerations/power.h"
#include "dynamics/accelerations/repeats.h"
#include "dynamics/accelerations/saddle.h"
#include "dynamics/contact/sliding.h"
#include "dynamics/contact/slipping.h"
#include "dynamics/control/tracking.h"

typedef struct RbvFlow {
    RbvArena arena; /* owns the arrays */
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvState *state;
    RbvSaddle *saddle;
    RbvKeptReactions kept_reactions; /* reactions of joints that the coordinates keep by themselves */
    RbvRepeats repeats;              /* redundant rows that the stages of steps leave out */
    RbvPower power;
    RbvSliding sliding;
    RbvSlipping slipping;            /* drives with a limit of effort */
    RbvTracking *tracking;           /* required motions and their actuators, the caller's; NULL: none */
    int32_t positions, n, own, size; /* sizes of q, v, s and y */
    bool loses;                      /* y contains the work of friction */
    double *value;                   /* scratch for expressions */
    const bool *sharing; /* [rows] the caller's: active rows and those of contacts that touch without being pressed;
                            NULL: there are no such contacts */
    RbvNonidealForces nonideal; /* forces of non-ideal constraints, which do work */
    double *lambda;             /* [rows] multipliers of the last evaluation, with the effect of non-ideal forces */
    double *dq;                 /* [n] scratch */
    double *g, *mu;             /* [rows of C], [rows] scratch: right-hand side, multipliers */
    double *share; /* [n] a unit of each number of v over the size of its part; only where coordinates have rows of
                      their own */
    double constraint_error; /* [m or rad] the largest constraint violation after the last projection */
    bool projects; /* the caller's: rbv_flow_rate evaluates at the nearest state that fulfils the constraints */
    double *y;     /* [size] scratch: that nearest state */
    int64_t evaluations;
} RbvFlow;

/* Creates the flow at the q, v and t of `state`, which is assembled and stays the caller's. False: out of memory; to be
 * destroyed all the same. */
bool rbv_flow_create(RbvFlow *flow, RbvState *state, RbvDiagnostics *diagnostics);
void rbv_flow_destroy(RbvFlow *flow);
/* Sets the number of redundant rows, at a state that rbv_flow_hold has projected. False: out of memory. */
bool rbv_flow_expect_repeats(RbvFlow *flow, int32_t count);
/* [rows] true: the row carries a force; NULL: all rows do. */
const bool *rbv_flow_rows(const RbvFlow *flow);
/* y[size] of the flow's state, with the work [J] done so far. */
void rbv_flow_gather(const RbvFlow *flow, double work, double *y);
/* Sets the state to y at t and evaluates positions, Jacobian, velocities and forces. False: a number is not finite. */
bool rbv_flow_place(RbvFlow *flow, double t, const double *y);
/* f = y' (RbvRate of core/solve/dormand_prince.h; context: the flow). The state is at y afterwards, with a, lambda and
 * the accelerations of bodies. NOT_FINITE; LOCKED: the equations are singular; NO_MEMORY. */
RbvStatus rbv_flow_rate(void *flow, double t, const double *y, double *f);
/* Projects y onto the constraints and evaluates its rate f (NULL: not requested; the state is evaluated all the same).
 * Statuses of rbv_flow_rate; INCONSISTENT: no state near y fulfils the constraints. */
RbvStatus rbv_flow_hold(RbvFlow *flow, double t, double *y, double *f);

/* du/dt of the margin u of switch `at` (index among all switches of the flow's pieces), at the state evaluated last,
 * whose accelerations are known. */
double rbv_between_rate(RbvFlow *flow, int32_t at);
/* Writes why the last evaluation was not finite, or "". */
void rbv_flow_explain(const RbvFlow *flow, char *message, size_t size);

#endif
