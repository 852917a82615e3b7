/* Control that makes a system satisfy required motions, e(q, t) = 0 or psi(q, v, t) = 0, which are no constraints of
 * the mechanism.
 *
 *   A a = b,  b = gamma - 2 r e' - r^2 e; for equations on velocities gamma - r psi;   r = 0: the start satisfies the
 *             requirements, and projection keeps them satisfied
 *
 * Without actuators the control is the constraint force of these rows: among all forces that satisfy them the one of
 * least norm in M^-1 (F. E. Udwadia). With actuators, whose efforts u act along coordinates, M a + C^T lambda = Q + B^T
 * u with rows C of the mechanism alone; a is affine in u, with one solution by the existing factors for each actuator;
 * u is the weighted least-squares effort with A a = b within the limits (tracking.c). */
#ifndef RBV_DYNAMICS_CONTROL_TRACKING_H
#define RBV_DYNAMICS_CONTROL_TRACKING_H

#include "core/base/arena.h"
#include "dynamics/accelerations/saddle.h"
#include "dynamics/contact/complementarity.h"

/* Efforts u of least weighted square sum with E u = d, within limits. */
typedef struct RbvEffortSplit {
    RbvArena arena;           /* owns all arrays */
    int32_t rows, count;      /* number of requirements, number of efforts */
    double *E, *E_size;       /* [rows][count] matrix; sums of the magnitudes that its entries were computed from */
    double *d, *d_size;       /* [rows] right-hand side; sums of the magnitudes that its entries were computed from */
    double *weight, *most;    /* [count] weights; limits, INFINITY: none */
    double *effort;           /* [count] efforts found */
    int *limited;             /* [count] -1, 1: effort at its lower or upper limit; 0: between the limits */
    double *basis;            /* scratch: [rows][count] orthonormal rows */
    double *left, *z, *m;     /* [count] */
    bool *done;               /* [rows] */
    int32_t *bounded;         /* [count] numbers of the efforts that can reach a limit */
    double *G, *b, *p, *work; /* of the complementarity problem with 2 count unknowns */
    RbvCone *cone;
} RbvEffortSplit;

typedef struct RbvTracking {
    RbvArena arena; /* owns the arrays */
    RbvState *state;
    RbvSaddle *saddle;  /* the flow's: rows that carry forces */
    RbvSaddle *other;   /* rows satisfied by projection, where these differ; NULL: the same rows */
    int32_t count;      /* number of requirements */
    int32_t *row;       /* [count] rows of the requirements */
    double rate;        /* r [1/s]; 0: none */
    bool *mechanism;    /* [rows] true: active row of the mechanism, not a requirement */
    double *error;      /* [count] residual of each requirement */
    double *rate_error; /* [count] C v - nu [1/s] */
    int32_t actuators;
    double *effort;         /* [actuators] efforts of the last solution */
    bool has_limits;        /* true: some effort is limited */
    int *limited;           /* [actuators] -1, 1: at the negative, positive limit; 0: within */
    int *phase;             /* [actuators] limited[] at the last event */
    double *a, *lambda, *B; /* [actuators][n], [actuators][rows], [actuators][n] for a unit effort */
    RbvEffortSplit split;
    int32_t failed; /* requirement that cannot be met at the last evaluation, or -1 */
    bool by_limits; /* true: the requirement `failed` could be met without the limits of efforts */
} RbvTracking;

/* To be called at a state whose required rows are active. False: out of memory; the object must be destroyed in either
 * case. */
bool rbv_tracking_create(RbvTracking *tracking, RbvState *state, RbvSaddle *saddle);
void rbv_tracking_destroy(RbvTracking *tracking);
/* Sets the active rows of each saddle; to be called before the saddle is factored. */
void rbv_tracking_mask(RbvTracking *tracking);
/* Returns the saddle whose rows are satisfied by projection. */
RbvSaddle *rbv_tracking_holder(const RbvTracking *tracking);
/* Returns whether projection satisfies row k. */
bool rbv_tracking_holds(const RbvTracking *tracking, int32_t k);
/* Finds the errors, and replaces gamma by b, at a state whose loads are evaluated. */
void rbv_tracking_require(RbvTracking *tracking);
/* Finds a and lambda with the efforts of the actuators, which are added to the state's wrenches and Q. INCONSISTENT: a
 * requirement cannot be met; LOCKED: the system cannot be solved. */
RbvStatus rbv_tracking_control(RbvTracking *tracking, double *a, double *lambda);
/* Correction of the power -lambda^T nu of required rows where these are not satisfied: -lambda^T (C v - nu) [W]. */
double rbv_tracking_power(const RbvTracking *tracking, const double *lambda);
/* Writes "requirement 'px' cannot be met: ..." for the last evaluation, or "". */
void rbv_tracking_explain(const RbvTracking *tracking, char *text, size_t size);

#endif
