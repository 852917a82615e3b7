/* Lagrange's equations in natural coordinates, at an instant: the multipliers of rigid rows, and what bodies do to each
 * other at the points and vectors that they share.
 *
 *   M q'' + J^T lambda = Q                            J: rigid rows, and rows that sharing does not keep      (R000-74)
 *   Q_r = M_e q''_e + J_e^T lambda - Q_e              body by body: what its neighbours exert on it           (R000-89,
 *     6.101)
 *   at a joint with the point P and vectors u: F = Q_rP, T = sum u x Q_ru                                     (R000-90)
 * M, Q and J are those of points and vectors: nothing is taken of the multipliers of joints that bodies have in
 * absolute coordinates.
 *
 * Rows are scaled to gradients of unit length; where they repeat each other, the least sum of squares of such
 * multipliers is taken, and what they leave open is told by the null space of J^T.
 */
#ifndef RBV_REACTION_NATURAL_MULTIPLIERS_H
#define RBV_REACTION_NATURAL_MULTIPLIERS_H

#include "motion/motion.h"
#include "reaction/natural_penalty.h"
#include "reaction/reactions.h"

/* Full matrices: numbers and rows of J, at most. */
#define RBV_NATURAL_MOST 500

/* What a joint does to its second body at the second marker, ground axes, as the bodies' equations say. */
typedef struct RbvElementWrench {
    bool unique;
    RbvWrench wrench; /* the force NaN where bodies share the point in a closed chain, the torque where a vector is:
                         what is between two of them is not told */
} RbvElementWrench;

/* Why statics has none with rows on rates. */
#define RBV_NO_RATES_AT_REST "rows on rates carry nothing at rest"

typedef struct RbvNaturalMultipliers {
    const RbvSystem *system;
    int32_t count, *row;     /* rows of C in J */
    double *lambda;          /* [count] of Phi as it is, not scaled */
    bool *unique;            /* [count] */
    double residual;         /* the largest of M q'' + J^T lambda - Q, over the largest of its terms */
    RbvElementWrench *joint; /* [joints] */
    RbvNaturalYield yield;   /* of rows that yield */
} RbvNaturalMultipliers;

/* Why there are none: NULL when there are. */
const char *rbv_natural_multipliers_missing(const RbvSystem *system);
/* BAD_INPUT: said why options->multipliers cannot be answered. */
RbvStatus rbv_natural_multipliers_admit(const RbvSystem *system, const RbvOptions *options,
                                        RbvDiagnostics *diagnostics);
/* At a solved instant: state with loads and accelerations, reactions printed. `soft`: rows yield, verdicts are those of
 * rigid ones. NO_MEMORY; NOT_FINITE. To be freed in any case. */
RbvStatus rbv_natural_multipliers_create(const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft,
                                         RbvNaturalMultipliers *multipliers);
/* What a method of inverse dynamics makes of the rows: those of penalty and augmented let them yield. */
RbvNaturalSoft rbv_natural_soft(const RbvOptions *options);
/* What one joint does, by elimination of bodies at it (R000-111): rigid rows and rows of the bodies that are beyond
 * it are let go one at a time, C q* = e_k with the factors of the motion, lambda_k = q*^T (Q - M q''), and the
 * equations of these bodies tell the rest. Determined parts are right; the others are those of one choice of rows.
 * NO_MEMORY. */
RbvStatus rbv_natural_by_body(RbvMotion *motion, RbvReactions *reactions, int32_t joint, RbvElementWrench *wrench);
/* One own row varied by itself: C q* = e_k, lambda_k = q*^T (Q - M q''), with the factors of the motion (R000-112 ...
 * R000-114). `rates` [size of v]: q*. *found false: the other rows hold it, no motion varies it alone. NO_MEMORY. */
RbvStatus rbv_natural_by_row(RbvMotion *motion, RbvReactions *reactions, int32_t own, double *rates, double *lambda,
                             bool *found);
/* "body.row2" of rigid row k. */
void rbv_natural_row_name(const RbvSystem *system, int32_t k, char *text, size_t size);
void rbv_natural_multipliers_free(RbvNaturalMultipliers *multipliers);

#endif
