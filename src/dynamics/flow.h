/* The motion as a differential equation: y = (q, v, s, work), y' = (q'(q, v), a, s', P), s the user's own states, with
 * M a + C^T lambda = Q, C a = gamma. Where coordinates keep joints, before the work stands that of friction since the
 * last state that was kept: reactions which grow without bound, next to flat positions, are in no acceleration that
 * drives prescribe.
 *
 * The constraints themselves are held by projection at every state that is kept: the nearest q with Phi(q, t) = 0, then
 * the nearest v with C v = nu, both in the metric of M. The numbers of q are integrated as they are, and renewed (unit
 * quaternions) before each evaluation, so that rotations stay rotations.
 */
#ifndef RBV_DYNAMICS_FLOW_H
#define RBV_DYNAMICS_FLOW_H

#include "dynamics/kept_reactions.h"
#include "dynamics/nonideal.h"
#include "dynamics/power.h"
#include "dynamics/repeats.h"
#include "dynamics/saddle.h"
#include "dynamics/sliding.h"
#include "dynamics/slipping.h"
#include "dynamics/tracking.h"

typedef struct RbvFlow {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvState *state;
    RbvSaddle *saddle;
    RbvKeptReactions kept_reactions; /* where coordinates keep joints by themselves */
    RbvRepeats repeats;              /* rows that stages of steps leave out */
    RbvPower power;
    RbvSliding sliding;
    RbvSlipping slipping;            /* drives with a limit */
    RbvTracking *tracking;           /* motions that are required, the caller's; NULL: none */
    int32_t positions, n, own, size; /* of q, of v, of s, of y */
    bool loses;                      /* y has the work of friction */
    double *value;                   /* expression scratch */
    const bool *sharing; /* [rows] the caller's: what holds, and contacts that touch without being pressed; NULL: there
                            are none */
    RbvNonidealForces nonideal; /* where some constraint does work */
    double *lambda;             /* [rows] of the last evaluation, of non-ideal forces too */
    double *dq;                 /* [n] scratch */
    double *g, *mu;             /* [rows of C], [rows] scratch */
    double *share;           /* [n] what one of each number of v is worth as a share of the size of its part; only where
                                coordinates have rows of their own */
    double constraint_error; /* of the last projection: the largest row [m or rad] */
    bool held;               /* the caller's: rates f are those at the nearest state that constraints allow */
    double *y;               /* [size] scratch: that state */
    int64_t evaluations;
} RbvFlow;

/* At the state's q, v and t, which is assembled and stays the caller's. False: no memory; to be destroyed all the same.
 */
bool rbv_flow_create(RbvFlow *flow, RbvState *state, RbvDiagnostics *diagnostics);
void rbv_flow_destroy(RbvFlow *flow);
/* At the state that was held: so many rows repeat others. False: no memory. */
bool rbv_flow_expect_repeats(RbvFlow *flow, int32_t count);
/* [rows] that carry forces; NULL: all. */
const bool *rbv_flow_rows(const RbvFlow *flow);
/* y[size] of the state, with so much work done; and the state at y. */
void rbv_flow_gather(const RbvFlow *flow, double work, double *y);
/* The state at y, placed and moved. False: not finite. */
bool rbv_flow_place(RbvFlow *flow, double t, const double *y);
/* f = y' (RbvRate of solve/dormand_prince.h; context: the flow): the state is there afterwards, with a, lambda and
 * accelerations of bodies. NOT_FINITE; LOCKED: singular; NO_MEMORY. */
RbvStatus rbv_flow_rate(void *flow, double t, const double *y, double *f);
/* The nearest y that constraints allow, and its rate f (NULL: not wanted; the state is evaluated all the same). Also
 * INCONSISTENT: there is none near by. */
RbvStatus rbv_flow_hold(RbvFlow *flow, double t, double *y, double *f);

/* Why the last evaluation was not finite, or "". */
void rbv_flow_explain(const RbvFlow *flow, char *message, size_t size);

#endif
