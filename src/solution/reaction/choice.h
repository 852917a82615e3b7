/* Chooses one solution where the rigid model does not determine reactions: lambda + N a, block by block, N a basis
 * of self-stresses.
 *
 *   elimination   c_E.(lambda + N a) = 0 for the components named; admissible when c_E N has full rank
 *   compliance    N^T (s R - misfit) = 0, R the joints' reactions in their own axes, s their compliances
 *   least norm    min sum |F|^2 + |T|^2/L^2 over joints and drives, T about the second marker, gears and belts by
 *                 the tangential force; always for what the others leave open
 * The motion, efforts of drives and all unique values stay unchanged, also by rounding. */
#ifndef RBV_SOLUTION_REACTION_CHOICE_H
#define RBV_SOLUTION_REACTION_CHOICE_H

#include "core/base/archive.h"
#include "solution/reaction/reactions.h"

typedef struct RbvChoice RbvChoice;

/* NO_MEMORY; BAD_INPUT, reported: a component that does not exist, no compliance, a misfit without compliances, more
 * than 12 intervals. */
RbvStatus rbv_choice_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvChoice **choice);
void rbv_choice_destroy(RbvChoice *choice);
/* Kind of choice, as results name it: "min-norm", "eliminate", "compliance". */
const char *rbv_choice_name(const RbvChoice *choice);

/* Length L [m] of the least norm: that of the options, else `own`, the length of the block. */
double rbv_choice_norm_length(const RbvChoice *choice, double own);

/* Moves reactions->lambda along the null spaces. Reported: an inadmissible elimination, BAD_INPUT at the first
 * sample, INCONSISTENT later; BAD_INPUT: a misfit that stresses rigid joints. NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_choice_apply(RbvChoice *choice, const RbvState *state, const RbvSolvability *solvability,
                           RbvReactions *reactions, RbvDiagnostics *diagnostics);
/* The choice goes on with a run that has begun: what is inadmissible now was admissible before. */
void rbv_choice_continue(RbvChoice *choice);
/* Answer of the multipliers of a joint's block to its unit misfit [m, rad] in a direction, the loads away: added to
 * reactions->lambda, which is zero there before. *unbounded: the misfit stresses a loop of rigid joints; then nothing
 * is added. After rbv_choice_apply. NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_choice_deviate(RbvChoice *choice, const RbvState *state, const RbvSolvability *solvability,
                             RbvReactions *reactions, int32_t joint, int direction, bool *unbounded);
/* Number of corners of the box of intervals of compliances; 0: no intervals. */
int32_t rbv_choice_corners(const RbvChoice *choice);
/* Solves for each corner, and for the middle last. Each reaction is monotone in each compliance, so its range over a
 * box lies between the values at the corners. `solve` has to end with printed values; reactions->most has their largest
 * magnitudes. */
RbvStatus rbv_choice_over_ranges(RbvChoice *choice, RbvReactions *reactions, RbvStatus (*solve)(void *context),
                                 void *context);
/* Values of least norm need the null spaces of all redundant blocks. BAD_INPUT, reported: a block is too large for
 * its null space to be computed. */
RbvStatus rbv_choice_fits(const RbvSystem *system, const RbvSolvability *solvability, RbvDiagnostics *diagnostics);
/* Sets eliminated components to exactly zero. After rbv_reactions_print. */
void rbv_choice_finish(const RbvChoice *choice, RbvReactions *reactions);
/* Verdicts of reactions that the compliances determine: NOT_UNIQUE becomes COMPLIANCE. */
void rbv_choice_decide(const RbvChoice *choice, const RbvState *state, const RbvSolvability *solvability,
                       RbvReactions *reactions);
/* Verdict of a combination c[rows] of multipliers that has `verdict` in the rigid model. */
RbvVerdict rbv_choice_refine(const RbvChoice *choice, const RbvSolvability *solvability, const double *c,
                             RbvVerdict verdict);
/* Least and largest value [2] of a component so far over the intervals of compliances; NULL: no intervals. */
const double *rbv_choice_range(const RbvChoice *choice, int32_t joint, int component);
/* Least and largest effort [2] of a drive so far; NULL: no intervals. */
const double *rbv_choice_effort_range(const RbvChoice *choice, int32_t drive);
/* Least and largest effort [2] of a constraint so far; NULL: no intervals. */
const double *rbv_choice_multiplier_range(const RbvChoice *choice, int32_t constraint);
/* Writes the ranges so far to an archive or reads them from it. */
void rbv_choice_keep(RbvChoice *choice, RbvArchive *archive);

#endif
