/* The forces of one sample of a driven motion: multipliers, the choice where they are not unique, forces along lines
 * of centres, friction.
 *
 *   D^T lambda = Q - (m, J) a,  Q = loads + lines(lambda) + sum_j s_j g_j,   s_j = -mu_j N_j(R_j)
 * g_j is a unit force along the slip direction u/|u| of friction contact j, N_j its normal load
 * (mechanics/system/friction_contacts.h). Reactions are linear in s, so Newton on s needs one back substitution for
 * each friction contact that slides. */
#ifndef RBV_SOLUTION_REACTION_FORCES_H
#define RBV_SOLUTION_REACTION_FORCES_H

#include "mechanics/system/friction_contacts.h"
#include "solution/reaction/choice.h"
#include "solution/reaction/method.h"
#include "solution/reaction/virtual_power.h"

typedef struct RbvForces RbvForces;

/* `motion` and `reactions` stay the caller's. Statuses as of rbv_choice_create and rbv_choice_fits. */
RbvStatus rbv_forces_create(RbvMotion *motion, RbvReactions *reactions, const RbvOptions *options,
                            RbvDiagnostics *diagnostics, RbvForces **forces);
void rbv_forces_destroy(RbvForces *forces);
/* lambda and printed reactions at the motion's accepted state, whose loads are evaluated. LOCKED: the equations are
 * singular, or friction jams. */
RbvStatus rbv_forces_solve(RbvForces *forces);
/* From now on solve for the requested reactions and the efforts alone, without choice, friction and tooth forces;
 * NULL: for all. `judged`: verdicts will be needed. Where rows are redundant, rbv_forces_solve then returns LOCKED
 * without a report if no virtual motion moves a requested row alone. */
void rbv_forces_ask(RbvForces *forces, RbvRequested *requested, bool judged);
/* Can the requested reactions be solved for alone: nothing else needs the other ones, and none of them was open when
 * last decided? */
bool rbv_forces_may_ask(const RbvForces *forces, const RbvRequested *requested);
/* Suppresses reports of what is solved from now on, or allows them again: for states that are not samples. */
void rbv_forces_silence(RbvForces *forces, bool silent);
/* Verdicts of reactions, including those by compliances and what friction makes of them. BAD_INPUT (first sample) or
 * INCONSISTENT (later), reported: friction depends on a reaction that is not unique. NO_MEMORY. */
RbvStatus rbv_forces_decide(RbvForces *forces);
/* Brings the method's solutions so much nearer to the limit in which the method is exact that the difference is its
 * error, or back (method.h). False: the method is exact. */
bool rbv_forces_refine(RbvForces *forces, bool refined);
/* Report of an inexact method on the last solution; NULL: the method is exact. */
const RbvMethodReport *rbv_forces_report(const RbvForces *forces);
/* Forces minus inertia [bodies.size] of the last solution, of a method that accepts a prescribed motion (method.h);
 * NULL: another method. */
const double *rbv_forces_surplus(const RbvForces *forces);
/* Does the method offer rbv_forces_doubt? */
bool rbv_forces_doubts(const RbvForces *forces);
/* Bound of the error of c[count].lambda, rows from `first` on, from the residual of the equations. */
double rbv_forces_doubt(const RbvForces *forces, int32_t first, int32_t count, const double *c);
/* Marks the last solution as that of a sample. */
void rbv_forces_see(RbvForces *forces);
/* Notes of the method on all samples. */
void rbv_forces_note(const RbvForces *forces, RbvDiagnostics *diagnostics);
/* Have verdicts to be decided again although the rank was not: because friction has gained or lost a second
 * solution, or a contact has begun or ceased to stand still? */
bool rbv_forces_stale(const RbvForces *forces);
/* Largest friction [N] of a contact that stands still for longer than an instant: 0 is printed, anything between
 * -this and +this is possible. 0 where the contact slides. */
double rbv_forces_still(const RbvForces *forces, int32_t friction);
/* The choice where reactions are not unique; owned by `forces`. */
RbvChoice *rbv_forces_choice(const RbvForces *forces);
/* Warns where friction would depend on reactions that are not unique. After rbv_decide_dependent_loads. */
void rbv_warn_friction(const RbvSystem *system, const RbvReactions *reactions, RbvDiagnostics *diagnostics);

#endif
