/* Lagrange's equations in natural coordinates at one state: the multipliers of rigid rows, and the forces that
 * bodies exert on each other at shared points and vectors.
 *
 *   M q'' + J^T lambda = Q              J: rigid rows, and rows that sharing does not keep      (R000-74)
 *   Q_r = M_e q''_e + J_e^T lambda - Q_e     body by body: forces of its neighbours      (R000-89, 6.101)
 *   at a joint with the point P and vectors u: F = Q_rP, T = sum u x Q_ru      (R000-90)
 * M, Q and J are those of points and vectors; multipliers of joints in absolute coordinates are not used.
 *
 * Rows are scaled to gradients of unit length. Where they are dependent, the solution has the least sum of squares
 * of the scaled multipliers, and the null space of J^T gives what is not unique. */
#ifndef RBV_SOLUTION_REACTION_NATURAL_MULTIPLIERS_H
#define RBV_SOLUTION_REACTION_NATURAL_MULTIPLIERS_H

#include "solution/motion/motion.h"
#include "solution/reaction/reactions.h"

/* How rows yield; all zero: rows are rigid. */
typedef struct RbvNaturalSoft {
    bool yields, augmented;
    double given; /* [kg] alpha; NaN: from the masses */
} RbvNaturalSoft;

typedef struct RbvNaturalYield {
    bool found;
    bool augmented;
    double alpha; /* [kg] */
    double error; /* [N, N m of vectors] error of multipliers of rows of unit gradients, against the values that further
                     rounds converge to */
    int32_t rounds;
} RbvNaturalYield;

/* Most numbers q, and most rows of J, since matrices are full. */
#define RBV_NATURAL_MOST 500

/* Wrench of a joint on its second body at the second marker, ground axes, from the bodies' equations. */
typedef struct RbvElementWrench {
    bool unique;
    RbvWrench wrench; /* force NaN where bodies share the point in a closed chain, torque NaN where they share a vector
                         so: the force between two of these bodies is not determined */
} RbvElementWrench;

/* Why statics has no multipliers with rows on rates. */
#define RBV_NO_RATES_AT_REST "rows on rates carry nothing at rest"

typedef struct RbvNaturalMultipliers {
    RbvArena arena; /* memory of the arrays */
    const RbvSystem *system;
    int32_t count, *row;     /* rows of C that are in J */
    double *lambda;          /* [count] multipliers of Phi, not scaled */
    bool *unique;            /* [count] */
    double residual;         /* largest entry of M q'' + J^T lambda - Q over the largest of its terms */
    RbvElementWrench *joint; /* [joints] */
    RbvNaturalYield yield;   /* accuracy where rows yield */
} RbvNaturalMultipliers;

/* Why the system has no such multipliers; NULL: it has. */
const char *rbv_natural_multipliers_missing(const RbvSystem *system);
/* BAD_INPUT, reported: options->reactions.multipliers is set and the system has no such multipliers. */
RbvStatus rbv_natural_multipliers_admit(const RbvSystem *system, const RbvOptions *options,
                                        RbvDiagnostics *diagnostics);
/* At a solved state: loads and accelerations evaluated, reactions printed. `soft`: rows yield; verdicts are those of
 * rigid rows. NO_MEMORY; NOT_FINITE. To be freed in any case. */
RbvStatus rbv_natural_multipliers_create(const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft,
                                         RbvNaturalMultipliers *multipliers);
/* How rows yield with the method of the options: only penalty and augmented let them yield. */
RbvNaturalSoft rbv_natural_soft(const RbvOptions *options);
/* Wrench of one joint, by elimination of the bodies at the joint (R000-111): rigid rows and rows of the bodies
 * beyond the joint are released one at a time, C q* = e_k with the factors of the motion, lambda_k = q*^T (Q - M
 * q''); the equations of these bodies then give the wrench. Determined components are correct; the others are those
 * of one choice of rows. NO_MEMORY. */
RbvStatus rbv_natural_by_body(RbvMotion *motion, RbvReactions *reactions, int32_t joint, RbvElementWrench *wrench);
/* One own row (rigid row) varied alone: C q* = e_k, lambda_k = q*^T (Q - M q''), with the factors of the motion
 * (R000-112 ... R000-114). rates[size of v]: q*. *found false: the other rows prevent such a motion. NO_MEMORY. */
RbvStatus rbv_natural_by_row(RbvMotion *motion, RbvReactions *reactions, int32_t own, double *rates, double *lambda,
                             bool *found);
/* Name "body.row2" of rigid row k. */
void rbv_natural_row_name(const RbvSystem *system, int32_t k, char *text, size_t size);
void rbv_natural_multipliers_free(RbvNaturalMultipliers *multipliers);

#endif
