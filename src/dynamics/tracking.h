/* Control that makes a system obey required motions: e(q, t) = 0 or psi(q, v, t) = 0, which are no constraints of the
 * mechanism.
 *
 *   A a = b,  b = gamma - 2 r e' - r^2 e,  for equations on rates gamma - r psi;   r = 0: the start fits, and
 *             projection keeps what is required
 * Without actuators the control is the constraint force of these rows: of all forces that do it the one of least norm
 * in M^-1 (F. E. Udwadia). With actuators, whose efforts u act along coordinates, M a + C^T lambda = Q + B^T u with
 * rows C of the mechanism alone; a is affine in u, one solution with the factors there are for each, and u is the least
 * weighted square that gives A a = b within the limits (effort_split.h).
 */
#ifndef RBV_DYNAMICS_TRACKING_H
#define RBV_DYNAMICS_TRACKING_H

#include "dynamics/effort_split.h"
#include "dynamics/saddle.h"

typedef struct RbvTracking {
    RbvState *state;
    RbvSaddle *saddle; /* of the flow: rows that carry forces */
    RbvSaddle *other;  /* rows that are held by projection, where they are others; NULL: they are the same */
    int32_t count;     /* of requirements */
    int32_t *row;      /* [count] */
    double rate;       /* 0: none */
    bool *mechanism;   /* [rows] that hold and are not required */
    double *error;     /* [count] the left-hand side */
    double *off;       /* [count] [1/s] C v - nu */
    int32_t actuators;
    double *effort;         /* [actuators] */
    bool has_limits;        /* some effort is limited */
    int *limited;           /* [actuators] at which limit */
    int *phase;             /* [actuators] the same at the last event */
    double *a, *lambda, *B; /* [actuators][n], [actuators][rows], [actuators][n] of a unit effort */
    RbvEffortSplit split;
    int32_t failed; /* the requirement that cannot be met at the last evaluation, or -1 */
    bool by_limits; /* it could be without limits */
} RbvTracking;

/* At the state whose required rows are active. False: no memory; to be destroyed all the same. */
bool rbv_tracking_create(RbvTracking *tracking, RbvState *state, RbvSaddle *saddle);
void rbv_tracking_destroy(RbvTracking *tracking);
/* Which rows each saddle has: before it is factored. */
void rbv_tracking_mask(RbvTracking *tracking);
/* The saddle whose rows are held by projection. */
RbvSaddle *rbv_tracking_holder(const RbvTracking *tracking);
/* Does projection hold row k? */
bool rbv_tracking_holds(const RbvTracking *tracking, int32_t k);
/* Errors, and b in the place of gamma, at a loaded state. */
void rbv_tracking_require(RbvTracking *tracking);
/* a and lambda with the efforts of the actuators, which go to the state's wrenches and Q. INCONSISTENT: a requirement
 * cannot be met; LOCKED. */
RbvStatus rbv_tracking_control(RbvTracking *tracking, double *a, double *lambda);
/* What the power -lambda^T nu of required rows lacks where they are not held: -lambda^T (C v - nu) [W]. */
double rbv_tracking_power(const RbvTracking *tracking, const double *lambda);
/* "requirement 'px' cannot be met: ..." of the last evaluation, or "". */
void rbv_tracking_explain(const RbvTracking *tracking, char *text, size_t size);

#endif
