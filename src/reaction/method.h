/* Ways to the multipliers of one sample of a driven motion: the methods of inverse dynamics.
 *
 *   (m, J) a + D^T lambda = Q,   D a = gamma_D      in body twists, whatever the coordinates
 * Each method is a route of its own to the same lambda, one table of functions in one file. What follows is common to
 * all: the choice among equally right multipliers where rows are redundant, pushes of teeth, friction, wrenches of
 * joints, verdicts, errors, audit. So a method never prints anything, and no other method works behind its name.
 */
#ifndef RBV_REACTION_METHOD_H
#define RBV_REACTION_METHOD_H

#include <roberval/analysis.h>

#include "motion/motion.h"

/* What a method that is exact in a limit alone tells of the last solution. */
typedef struct RbvMethodReport {
    double coefficient;        /* [kg] the largest K: alpha of a row of lengths */
    double acceleration_error; /* [m/s^2] of the last refined solution: how far the accelerations were off, turns at the
                                  arm of their part */
    double left;               /* of the largest force, where rounds were given up: what they would still change */
    double yield;              /* what forces may have lost to rows that yield, over what is left of them */
    int rounds;                /* in which multipliers were taken over */
    bool augmented;
    int32_t rows;
    const double *lambda, *alpha; /* [rows] the method's own, before the choice among equally right ones; alpha 0: the
                                     row does not hold */
} RbvMethodReport;

/* What a method offers. `own` is what its create has made. */
typedef struct RbvMethodKind {
    const char *name; /* as in --method */
    /* Is the system one that the method knows? BAD_INPUT: said. NULL: it knows all. */
    RbvStatus (*admits)(const RbvSystem *system, RbvDiagnostics *diagnostics);
    /* Room for everything; NULL: no memory. */
    void *(*create)(RbvMotion *motion, const RbvOptions *options);
    void (*destroy)(void *own);
    /* Once for each accepted state: factors. Where the chosen rows have changed since it makes its room anew. LOCKED:
     * singular; NO_MEMORY. NULL: nothing. */
    RbvStatus (*prepare)(void *own, RbvMotion *motion);
    /* lambda[rows] for the forces Q[bodies.size] on bodies: some solution, where there are several. May spoil Q, and
     * may find the accelerations of bodies itself. LOCKED: it fails. */
    RbvStatus (*solve)(void *own, RbvMotion *motion, double *Q, double *lambda);
    /* Of a method that is exact in a limit alone; NULL: it is exact. From now on solutions are so much nearer to the
     * limit that the difference is the error; or no longer. */
    void (*refine)(void *own, bool refined);
    const RbvMethodReport *(*report)(void *own);
    /* Of a method that needs no factors of the motion, and so takes one that is given (RbvMotion.given): forces less
     * inertia [bodies.size] of the last solution; and what a combination c of the multipliers of rows first ... first
     * + count - 1 may be off by because of what these leave over. NULL: another method. */
    const double *(*surplus)(const void *own);
    double (*doubt)(const void *own, int32_t first, int32_t count, const double *c);
    /* Why `solve` has found nothing; NULL: that it has. */
    void (*explain)(const void *own, char *text, size_t size);
    /* A sample is done, with these multipliers; and what is to be noted of all of them. NULL: nothing. */
    void (*see)(void *own, const RbvMotion *motion, const double *lambda);
    void (*note)(const void *own, RbvDiagnostics *diagnostics);
} RbvMethodKind;

extern const RbvMethodKind
    rbv_two_step_method; /* the accelerations are those of the motion; D_I^T lambda = Q - (m, J) a with its factors */
extern const RbvMethodKind rbv_lagrange_method; /* one system for both */
extern const RbvMethodKind rbv_newton_method;   /* the equilibrium of bodies, six unknowns a joint */
extern const RbvMethodKind
    rbv_penalty_method; /* rows as stiff springs on accelerations, multipliers from their stretch */
extern const RbvMethodKind rbv_augmented_method; /* the same, multipliers taken over until the springs are at rest */
extern const RbvMethodKind rbv_virtual_power_method; /* each multiplier by the motion that varies its row alone */
extern const RbvMethodKind
    rbv_recursive_method; /* forces summed up from the ends of a spanning tree, what is cut by virtual power */
extern const RbvMethodKind rbv_pseudo_inverse_method; /* D^T of all rows by its singular values, whatever their rank;
                                                         also of motions that are given */

const RbvMethodKind *rbv_method_kind(RbvInverseMethod method);

#endif
