/* Verification and record of an equilibrium: rank, reactions with verdicts, audit, one sample of the record. */
#ifndef RBV_STATICS_VERIFY_H
#define RBV_STATICS_VERIFY_H

#include "solution/reaction/choice.h"
#include "solution/record/record.h"
#include "statics/stability.h"

typedef struct RbvEquilibriumVerifier {
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    const char *method;
    const RbvSystem *in_model; /* the system in the model's coordinates: of natural ones the multipliers are recorded;
                                  NULL: none */
    const RbvSystem *found_in; /* coordinates of the search, as in RbvFind */
    const RbvFamily *family;   /* family of the parameter that is followed, or NULL */
    RbvRecord *record;         /* created at the first equilibrium */
    int32_t doubts; /* equilibria whose curvature or stability is left out because of rank or self-stresses */
} RbvEquilibriumVerifier;

/* Verifies the equilibrium in search->balance, at rest, whose stability is known, and appends a sample; stability->open
 * is set if the curvature depends on self-stresses. At the first equilibrium mobility, self-stress modes and the
 * equilibrium are recorded, too. `parameter`: value of the first column, with a family. AUDIT_FAILED, NOT_FINITE,
 * INCONSISTENT, LOCKED, BAD_INPUT, NO_MEMORY: reported. */
RbvStatus rbv_equilibrium_verify(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search,
                                 RbvStability *stability, double parameter);

/* For an equilibrium that is no sample, one of several that are listed or a start of another analysis: its forces are
 * computed and audited, and the audit's figures go to the record, if there is one. AUDIT_FAILED: reported as "<which>
 * fails its audit ..." (which NULL: not reported); other failures but NO_MEMORY: no forces were found, nothing is
 * reported. `stability` as in rbv_equilibrium_verify. */
RbvStatus rbv_equilibrium_audit(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search, RbvStability *stability,
                                const char *which);

/* Reactions at an equilibrium and their errors (equilibrium_forces.c). */
/* Completes the reactions: multipliers with the forces that tooth forces and preloads push along lines of centres, the
 * choice among equally valid multipliers, components in the printed frames, and verdicts. Statuses as of
 * rbv_choice_apply; LOCKED: the pushes do not converge. */
RbvStatus rbv_equilibrium_forces(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions, RbvDiagnostics *diagnostics);
/* Computes the errors of the reactions, efforts and constraint forces that rbv_equilibrium_forces has found at the
 * balance's state, then revises the verdicts of values whose error is too large. State, multipliers and reactions are
 * restored. Statuses as of rbv_equilibrium_forces. */
RbvStatus rbv_equilibrium_errors(RbvBalance *balance, RbvSolvability *solvability, RbvChoice *choice,
                                 RbvReactions *reactions);
/* Errors of an equilibrium found by the penalty method: differences from the equilibrium that Newton's method with
 * multipliers reaches from there. search->position_error and search->force_error get the largest errors of position [m]
 * and of force [N]. Statuses as of rbv_equilibrium_forces. */
RbvStatus rbv_penalty_errors(RbvEquilibriumSearch *search, RbvSolvability *solvability, RbvChoice *choice,
                             RbvReactions *reactions);

/* Description in the result (equilibrium_description.c). */
/* Writes energy, stability, the coordinate along which the energy decreases, coordinates of joints and poses of bodies
 * into *to, in the result's memory. `motion` [n]: its largest coordinate is named instead of the one along which the
 * energy decreases; NULL: none. False if out of memory. */
bool rbv_equilibrium_describe(RbvRecord *record, const RbvEquilibriumSearch *search, const RbvStability *stability,
                              const double *motion, const char *method, RbvEquilibrium *to);

#endif
