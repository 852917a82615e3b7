/* The forces of one sample of a driven motion: multipliers, the choice among equally right ones, forces along lines of
 * centres, friction.
 *
 *   D^T lambda = Q - (m, J) a,  Q = loads + lines(lambda) + sum_j s_j g_j,   s_j = -mu_j N_j(R_j)
 * g_j is a unit force along the way that the faces j slide, u/|u|, N_j the load that presses them
 * (system/friction_contacts.h). Reactions are linear in s, so Newton on s needs one back substitution for each pair of
 * faces that slides.
 */
#ifndef RBV_REACTION_FORCES_H
#define RBV_REACTION_FORCES_H

#include "reaction/choice.h"
#include "reaction/method.h"
#include "reaction/requested.h"
#include "system/friction_contacts.h"

typedef struct RbvForces RbvForces;

/* `motion` and `reactions` stay the caller's. Statuses as of rbv_choice_create. */
RbvStatus rbv_forces_create(RbvMotion *motion, RbvReactions *reactions, const RbvOptions *options,
                            RbvDiagnostics *diagnostics, RbvForces **forces);
void rbv_forces_destroy(RbvForces *forces);
/* lambda and printed reactions at the motion's accepted state, whose loads are evaluated. LOCKED: the equations are
 * singular, or friction jams. */
RbvStatus rbv_forces_solve(RbvForces *forces);
/* From now on, until another call: solve for the reactions asked for and the efforts alone, without choice, friction
 * and pushes of teeth (NULL: for all). `judged`: verdicts will be asked for. Where rows are redundant
 * rbv_forces_solve is then LOCKED, unsaid, where no virtual motion moves one of them alone. */
void rbv_forces_ask(RbvForces *forces, RbvRequested *requested, bool judged);
/* May they be solved for alone: does nothing else need the others, and is nothing of them open as last judged? */
bool rbv_forces_may_ask(const RbvForces *forces, const RbvRequested *requested);
/* Say nothing of what is solved from now on, or say it again: for states that are not the user's. */
void rbv_forces_silence(RbvForces *forces, bool silent);
/* Verdicts of reactions, those of compliances and what friction makes of them included. BAD_INPUT or INCONSISTENT:
 * friction reads a reaction that is not unique: said. */
RbvStatus rbv_forces_decide(RbvForces *forces);
/* The method's solutions so much nearer to the limit in which it is exact that the difference is its error, or no
 * longer (method.h). False: it is exact. */
bool rbv_forces_refine(RbvForces *forces, bool refined);
/* What such a method tells of the last solution; NULL: it is exact. */
const RbvMethodReport *rbv_forces_report(const RbvForces *forces);
/* Of a method that takes motions that are given (method.h): forces less inertia of the last solution (NULL: another
 * method); has it what follows? What c[count] of the multipliers from `first` on may be off by because of what is
 * left over. */
const double *rbv_forces_surplus(const RbvForces *forces);
bool rbv_forces_doubts(const RbvForces *forces);
double rbv_forces_doubt(const RbvForces *forces, int32_t first, int32_t count, const double *c);
/* The last solution is that of a sample; what the method notes of all samples. */
void rbv_forces_see(RbvForces *forces);
void rbv_forces_note(const RbvForces *forces, RbvDiagnostics *diagnostics);
/* Verdicts have to be given anew although the rank was not decided anew: friction has, or no longer has, a second
 * solution. */
bool rbv_forces_stale(const RbvForces *forces);
/* Friction that pair `rub` of faces may have at this sample besides 0, either way [N], where it stands still for longer
 * than an instant; else 0. */
double rbv_forces_still(const RbvForces *forces, int32_t friction);
const RbvChoice *rbv_forces_choice(const RbvForces *forces);
/* Warnings for check where friction would read reactions that are not unique. After rbv_decide_dependent_loads. */
void rbv_warn_friction(const RbvSystem *system, const RbvReactions *reactions, RbvDiagnostics *diagnostics);

#endif
