/* The run that motions from forces share: simulate and track (simulate.c), its start (simulation_start.c), samples
 * (simulation_samples.c), checkpoints (simulation_keep.c).
 */
#ifndef RBV_ANALYSIS_ANALYSES_SIMULATION_H
#define RBV_ANALYSIS_ANALYSES_SIMULATION_H

#include <roberval/analysis.h>

#include "dynamics/events/event_loop.h"
#include "dynamics/integration/sample_forces.h"
#include "solution/assembly/activity.h"
#include "solution/audit/impact.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

typedef struct RbvSimulation {
    const RbvSystem *system;
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvMachine assembled; /* with --start statics: the system before it came to rest */
    RbvState *state;
    RbvFlow flow;
    RbvStepper stepper;
    RbvEventLoop loop;
    RbvActivity activity; /* conditions and active rows at the start */
    RbvSampleForces forces;
    RbvAudit audit;
    RbvRecord *record;
    bool tracks, *active; /* [rows] active rows while tracking */
    RbvTracking tracking; /* only when tracking */
    double tolerance;
    double energy;       /* [J] total energy at the start */
    double energy_error; /* [J] largest error of the energy balance so far, and its time [s] */
    double energy_error_time;
    RbvNotes *notes;
    int32_t next;                 /* index of the next sample */
    int32_t paced, steps_to_next; /* sample for which steps were counted last, and the number of those steps */
    int64_t kept_work;            /* work done up to the last checkpoint */
} RbvSimulation;

/* Motion from forces. `tracks`: with control that makes the motion follow what is required. */
RbvStatus rbv_run_motion(const RbvSystem *system, const RbvOptions *options, bool tracks, RbvDiagnostics *diagnostics,
                         RbvResult **result);

/* The assembled state, the motion at its beginning, and workspace for its samples. Errors are reported. To be destroyed
 * whatever the status is. */
RbvStatus rbv_simulation_create(RbvSimulation *simulation, const RbvSamples *samples, RbvProgress *progress);
void rbv_simulation_destroy(RbvSimulation *simulation);

/* Report "at t = ... text"; the status. */
RbvStatus rbv_simulation_fail(const RbvSimulation *simulation, RbvStatus status, const char *text);
/* Report why there is no motion from the start; the status. */
RbvStatus rbv_simulation_report_failure(const RbvSimulation *simulation, RbvStatus status);

/* The sample at t, between the ends of the last step: forces, verdicts, audit, energy. */
RbvStatus rbv_simulation_sample(RbvSimulation *simulation, double t, bool first);
/* Verify the energy balance of the whole run. AUDIT_FAILED, reported. */
RbvStatus rbv_simulation_verify_energy(RbvSimulation *simulation);

/* Is a checkpoint due, from which the run can be continued? To be called once after each step. */
bool rbv_simulation_is_due(RbvSimulation *simulation);
/* Write a checkpoint where the caller keeps them; then data that depends on parameters is made again, as a run does
 * that continues from here. */
RbvStatus rbv_simulation_pass_checkpoint(RbvSimulation *simulation);
/* Continue from a checkpoint, after the usual start. BAD_INPUT: it is damaged (reported). */
RbvStatus rbv_simulation_go_on(RbvSimulation *simulation);

#endif
