/* The methods of inverse dynamics: ways to compute the multipliers of one sample of a driven motion.
 *
 *   (m, J) a + D^T lambda = Q,   D a = gamma_D      in body twists, whatever the coordinates
 * Each method computes the same lambda in its own way, as one table of functions. Common to all methods: the choice
 * where rows are redundant, tooth forces, friction, wrenches of joints, verdicts, errors, audit. So a method never
 * prints, and never calls another method. */
#ifndef RBV_SOLUTION_REACTION_METHOD_H
#define RBV_SOLUTION_REACTION_METHOD_H

#include <roberval/options.h>

#include "solution/motion/motion.h"

/* Report on the last solution of a method that is exact only in a limit. */
typedef struct RbvMethodReport {
    double coefficient;        /* [kg] the largest K: alpha of a row that is a length */
    double acceleration_error; /* [m/s^2] of the last refined solution: error of the accelerations, rotations at the arm
                                  of their body */
    double left;               /* change still to expect after the rounds were given up, part of the largest force */
    double yield;              /* part of forces that may be lost to yielding rows, relative to what is left of them */
    int rounds;                /* number of rounds in which multipliers were taken over */
    bool augmented;
    int32_t rows;
    const double *lambda, *alpha; /* [rows] lambda of the method, before the choice where rows are redundant; alpha 0:
                                     the row is not active */
} RbvMethodReport;

/* Functions of a method. `own` is the result of its create. */
typedef struct RbvMethodKind {
    const char *name; /* as in --method */
    /* Does the method support the system? BAD_INPUT, reported: no. NULL: it supports all. */
    RbvStatus (*admits)(const RbvSystem *system, RbvDiagnostics *diagnostics);
    /* Allocates the data of the method; NULL: no memory. */
    void *(*create)(RbvMotion *motion, const RbvOptions *options);
    void (*destroy)(void *own);
    /* Once for each accepted state: factors. Allocates its data anew if the chosen rows have changed. LOCKED:
     * singular; NO_MEMORY. NULL: nothing to prepare. */
    RbvStatus (*prepare)(void *own, RbvMotion *motion);
    /* lambda[rows] for the forces Q[bodies.size] on bodies: any solution where several exist. May overwrite Q, and
     * may compute the accelerations of bodies itself. LOCKED: no solution found. */
    RbvStatus (*solve)(void *own, RbvMotion *motion, double *Q, double *lambda);
    /* For a method that is exact only in a limit; NULL: the method is exact. `refined`: solutions from now on are so
     * much nearer to the limit that the difference is the error; false: back to normal. */
    void (*refine)(void *own, bool refined);
    const RbvMethodReport *(*report)(void *own);
    /* For a method that needs no factors of the motion and so accepts a prescribed motion (RbvMotion.prescribed):
     * forces minus inertia [bodies.size] of the last solution; bound of the error of the combination c of multipliers
     * of rows first ... first + count - 1 that comes from the residual of the equations. NULL: another method. */
    const double *(*surplus)(const void *own);
    double (*doubt)(const void *own, int32_t first, int32_t count, const double *c);
    /* Why `solve` has found no solution. NULL: no reason beyond that. */
    void (*explain)(const void *own, char *text, size_t size);
    /* A sample is done with the multipliers lambda; notes on all samples. NULL: nothing. */
    void (*see)(void *own, const RbvMotion *motion, const double *lambda);
    void (*note)(const void *own, RbvDiagnostics *diagnostics);
} RbvMethodKind;

extern const RbvMethodKind
    rbv_two_step_method; /* takes the accelerations of the motion; D_I^T lambda = Q - (m, J) a with its factors */
extern const RbvMethodKind rbv_lagrange_method; /* one system for accelerations and multipliers */
extern const RbvMethodKind rbv_newton_method;   /* equilibrium of bodies, six unknowns for each joint */
extern const RbvMethodKind
    rbv_penalty_method; /* rows as stiff springs on accelerations, multipliers from their extension */
extern const RbvMethodKind rbv_augmented_method;     /* penalty, multipliers taken over until the springs are at rest */
extern const RbvMethodKind rbv_virtual_power_method; /* each multiplier by a motion that varies its row alone */
extern const RbvMethodKind
    rbv_recursive_method; /* forces summed up from the ends of a spanning tree, cut rows by virtual power */
extern const RbvMethodKind rbv_pseudo_inverse_method; /* D^T of all rows by its singular values, whatever its rank; also
                                                         for prescribed motions */

/* Is column j of the body part of a full 3x3 block of M? */
static inline bool rbv_is_full_block(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return bodies->spatial && rbv_bodies_is_rotation(bodies, body, j);
}

/* The table of a method. NULL: there is no such method. */
const RbvMethodKind *rbv_method_kind(RbvInverseMethod method);

#endif
