/* Ways to a single answer where the rigid model leaves reactions open: lambda + N a, block by block, N a basis of
 * self-stresses.
 *
 *   elimination   c_E.(lambda + N a) = 0 for the components named; admissible when c_E N has full rank
 *   compliance    N^T (s R - misfit) = 0, R the joints' reactions in their own axes, s their compliances
 *   least norm    min sum |F|^2 + |T|^2/L^2 over joints and drives, T about the second marker, gears and belts by the
 *                 force they hold; always for what the others leave open
 * The motion, efforts of drives and all that is unique are not touched, not even by rounding.
 */
#ifndef RBV_REACTION_CHOICE_H
#define RBV_REACTION_CHOICE_H

#include "base/archive.h"
#include "reaction/reactions.h"

typedef struct RbvChoice RbvChoice;

/* BAD_INPUT: a component that is not there, no compliance at all: said. */
RbvStatus rbv_choice_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvChoice **choice);
void rbv_choice_destroy(RbvChoice *choice);
/* What is done, for results: "min-norm", "eliminate", "compliance". */
const char *rbv_choice_name(const RbvChoice *choice);

/* L of the least norm, where `own` is that of a block. */
double rbv_choice_norm_length(const RbvChoice *choice, double own);

/* Move reactions->lambda along the null spaces. At the first sample an inadmissible elimination is BAD_INPUT, later
 * INCONSISTENT: said. */
RbvStatus rbv_choice_apply(RbvChoice *choice, const RbvState *state, const RbvSolvability *solvability,
                           RbvReactions *reactions, RbvDiagnostics *diagnostics);
/* Intervals of compliances: how many corners their box has (0: none); the compliances of one corner, or of the middle
 * (by ratio) for -1; and the ranges of all reactions grow by what is printed now. */
int32_t rbv_choice_corners(const RbvChoice *choice);
void rbv_choice_use(RbvChoice *choice, int32_t corner);
void rbv_choice_widen(RbvChoice *choice, const RbvReactions *reactions);
/* Solve for each corner, and for the middle last; each reaction is monotone in each compliance, so its range over a box
 * lies between them. `solve` ends with printed values. */
RbvStatus rbv_choice_over_ranges(RbvChoice *choice, const RbvReactions *reactions, RbvStatus (*solve)(void *context),
                                 void *context);
/* Values of least norm need the null spaces of all redundant blocks: BAD_INPUT, said, where one is too large to have
 * it. */
RbvStatus rbv_choice_fits(const RbvSystem *system, const RbvSolvability *solvability, RbvDiagnostics *diagnostics);
/* What was eliminated reads zero. After rbv_reactions_print. */
void rbv_choice_finish(const RbvChoice *choice, RbvReactions *reactions);
/* Verdicts of reactions that the compliances decide: NOT_UNIQUE becomes COMPLIANCE. */
void rbv_choice_decide(const RbvChoice *choice, const RbvState *state, const RbvSolvability *solvability,
                       RbvReactions *reactions);
/* The verdict of a combination c[rows] that is `verdict` in the rigid model. */
RbvVerdict rbv_choice_refine(const RbvChoice *choice, const RbvSolvability *solvability, const double *c,
                             RbvVerdict verdict);
/* Least and largest value of a component over the intervals so far; NULL: no intervals. */
const double *rbv_choice_range(const RbvChoice *choice, int32_t joint, int component);
const double *rbv_choice_effort_range(const RbvChoice *choice, int32_t drive);
const double *rbv_choice_multiplier_range(const RbvChoice *choice, int32_t constraint);
/* The ranges so far, to an archive or from it (choice_ranges.c). */
void rbv_choice_keep(RbvChoice *choice, RbvArchive *archive);

#endif
