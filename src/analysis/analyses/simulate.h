/* The run that simulate and track share (simulate.c), and its start (simulation_start.c). */
#ifndef RBV_ANALYSIS_ANALYSES_SIMULATE_H
#define RBV_ANALYSIS_ANALYSES_SIMULATE_H

#include "analysis/analyses/sample_run.h"
#include "dynamics/events/event_loop.h"
#include "dynamics/integration/sample_forces.h"
#include "mechanics/system/system.h"
#include "solution/assembly/activity.h"
#include "solution/audit/impact.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <roberval/analysis.h>

typedef struct RbvSimulation {
    RbvSampleRun *run;
    RbvMachine assembled; /* with --start statics: the system before it came to rest */
    RbvState *state;
    RbvFlow flow;
    RbvStepper stepper;
    RbvEventLoop loop;
    RbvActivity activity; /* conditions and active rows at the start */
    RbvSampleForces forces;
    RbvAudit audit;
    bool tracks, *active; /* [rows] active rows while tracking */
    RbvTracking tracking; /* only when tracking */
    double tolerance;
    double energy;       /* [J] total energy at the start */
    double energy_error; /* [J] largest error of the energy balance so far, and its time [s] */
    double energy_error_time;
    int32_t next;                 /* index of the next sample */
    int32_t paced, steps_to_next; /* sample for which steps were counted last, and the number of those steps */
    int64_t kept_work;            /* work done up to the last checkpoint */
} RbvSimulation;

/* Does the model require a motion, and does it have only what tracking can follow? BAD_INPUT, reported. */
RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics);

/* The assembled state, the motion at its beginning, the run's record, and workspace for samples. Errors are reported.
 * To be destroyed whatever the status is. */
RbvStatus rbv_simulation_create(RbvSimulation *simulation);
void rbv_simulation_destroy(RbvSimulation *simulation);

/* Report "at t = ... text"; the status. */
RbvStatus rbv_simulation_fail(const RbvSimulation *simulation, RbvStatus status, const char *text);

#endif
