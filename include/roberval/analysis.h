/* Analyses: each answers one question about a compiled system and returns a result.
 *
 *     RbvResult *result;
 *     if (rbv_inverse(system, NULL, diagnostics, &result) == RBV_OK)
 *         rbv_result_write(result, "out", NULL, diagnostics);
 *     rbv_result_destroy(result); */
#ifndef ROBERVAL_ANALYSIS_H
#define ROBERVAL_ANALYSIS_H

#include <roberval/advice.h>
#include <roberval/options.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name of the analysis that tells most about the system, for its page: "track" if a motion is required, "inverse"
 * (without masses "kinematics") if all of a motion is driven, "simulate" if freedoms are left, "statics" if the system
 * has loads and no motion:, else "check", also if the mechanism does not assemble. *name is a constant. Statuses: OK,
 * NO_MEMORY, INTERRUPTED. */
RBV_API RbvStatus rbv_analysis_choose(const RbvSystem *system, const RbvOptions *options, const char **name);

/* All analyses below. On RBV_OK *result is new and belongs to the caller. On other statuses *result is NULL or, if
 * LOCKED, INCONSISTENT, NOT_FINITE or INTERRUPTED ended the analysis after the first sample, holds the samples so far.
 * `diagnostics` (may be NULL) gets the reason. Notes of reading and compiling the model, and notes and warnings of the
 * analysis, each once, are also in the tables and the JSON of the result. The system is not changed; analyses of one
 * system may run on several threads. `options` NULL: the defaults. */

/* Contents of the model: bodies with masses, centroids, moments of inertia, joints, drives, loads, parameters, tables,
 * files, size. Nothing is assembled; `options` may be NULL. */
RBV_API RbvStatus rbv_info(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvResult **result);
/* Mobility, redundancy and the verdict of every reaction, at the assembled state at `from`. */
RBV_API RbvStatus rbv_check(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* State at `from` (0 without motion:): poses and velocities of all bodies, coordinates of joints, residuals of each
 * joint, constraint and drive, and what the starting poses alone decide. One sample. The motion need not be driven.
 * NOT_ASSEMBLED, INCONSISTENT, BAD_INPUT (initial conditions): the reason is in diagnostics. */
RBV_API RbvStatus rbv_assembly(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvResult **result);
/* Positions, velocities and accelerations along the motion. Masses are not needed. */
RBV_API RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                 RbvResult **result);
/* Efforts of drives and reactions along the motion. AUDIT_FAILED: the numbers do not satisfy the laws of mechanics.
 * BAD_INPUT also if a constraint does work (rbv_model_add_nonideal); rbv_statics returns BAD_INPUT then, too. */
RBV_API RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
/* What the model rates, by the analysis of options->sizing or what suits the model: of the model as it is, or of load
 * cases with their shares of the time, whose damages are summed (the values of parameters are restored); and motors and
 * gears of a catalogue for each drive. Statuses of the analysis; BAD_INPUT: no such case, or nothing that carries
 * loads.
 */
RBV_API RbvStatus rbv_size(RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvResult **result);
/* Motion from forces through time, with reactions, verdicts and the energy balance. The initial conditions are
 * completed to the nearest consistent state. LOCKED, INCONSISTENT, NOT_FINITE: the motion cannot go on; the reason is
 * in diagnostics. AUDIT_FAILED: the numbers do not satisfy the laws of mechanics or the energy balance. */
RBV_API RbvStatus rbv_simulate(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvResult **result);
/* As rbv_simulate, with control that meets the requirements of rbv_model_require: efforts of the actuators or, without
 * actuators, a control force on every coordinate, of least norm in the inverse of the mass matrix. BAD_INPUT: nothing
 * is required, or the model has a feature that track does not support; INCONSISTENT: a requirement cannot be met, or
 * the initial state does not fit it; diagnostics name the requirement and the time. */
RBV_API RbvStatus rbv_track(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* Small motions about the state at `from` (0 without motion:) or about the equilibrium (start_at_equilibrium):
 * eigenvalues of the linearised motion with frequencies, damping and mode shapes. If the state moves or its forces do
 * not balance, eigenvalues of the matrices at that state. LOCKED: a singular position, or a free motion without mass;
 * BAD_INPUT: too large. */
RBV_API RbvStatus rbv_modes(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* rbv_modes along a parameter: places between both ends, each a sample with the eigenvalues as columns; the result
 * holds the places where an eigenvalue crosses to the unstable side or back. Statuses of rbv_modes; *result holds the
 * places so far. */
RBV_API RbvStatus rbv_modes_follow(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                   RbvResult **result);
/* Equilibrium with the drives held at `from` (0 without motion:), its stability, and the reactions. One sample.
 * NO_EQUILIBRIUM: the reason is in diagnostics and *result is NULL. INTERRUPTED while other equilibria are looked for
 * (`all`): *result holds the equilibria found. A system in natural coordinates is solved in these; verdicts are decided
 * for bodies. */
RBV_API RbvStatus rbv_statics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);

/* Values of a parameter at which friction can hold the machine at rest in the assembled starting poses, with the drives
 * held at `from`. Friction is at most the static coefficient times the load on the friction contact; loads are linear
 * in the parameter. The result holds the least and the largest value, or that there is none. The function sets other
 * values of the parameter during the call and restores them (rbv_system_set_parameters). NO_EQUILIBRIUM: no value
 * holds. Only for a system in absolute coordinates, else BAD_INPUT: for other coordinates create an absolute system of
 * the same model, so that its parameters keep their values. */
RBV_API RbvStatus rbv_statics_hold(RbvSystem *system, const char *parameter, const RbvOptions *options,
                                   RbvDiagnostics *diagnostics, RbvResult **result);

/* Equilibria along a parameter: from the equilibrium at family->from (found by the method of the options) by arc length
 * through folds to family->to, in the `coordinates` of the options. One sample per place; column 0 is the parameter;
 * folds, snap-throughs and bifurcations are in the result. NO_EQUILIBRIUM on the way, INTERRUPTED: *result holds the
 * places so far. BAD_INPUT with the options `all` or `locked` or the penalty method. */
RBV_API RbvStatus rbv_statics_follow(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                     RbvResult **result);

#ifdef __cplusplus
}
#endif
#endif
