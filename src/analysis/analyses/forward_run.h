/* A motion from forces and all that belongs to it: the run of simulate and track (simulate.c), and of motions that are
 * stepped by the caller (simulation.c). forward_start.c has its start, forward_samples.c its samples. */
#ifndef RBV_ANALYSIS_ANALYSES_FORWARD_RUN_H
#define RBV_ANALYSIS_ANALYSES_FORWARD_RUN_H

#include "analysis/analyses/sample_run.h"
#include "dynamics/events/event_loop.h"
#include "dynamics/integration/sample_forces.h"
#include "mechanics/system/system.h"
#include "solution/assembly/activity.h"
#include "solution/audit/impact.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"

#include <roberval/analysis.h>

/* Tolerance of the motion, where options give none. */
#define RBV_MOTION_TOLERANCE 1e-9

typedef struct RbvForwardRun {
    RbvSampleRun *run;
    bool stepped;         /* by the caller: without end, and with one sample at a time */
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
    double *felt; /* [drives] inertia that drives feel, then workspace of its solution; NULL: not recorded */
} RbvForwardRun;

/* Does the model require a motion, and does it have only what tracking can follow? BAD_INPUT, reported. */
RbvStatus rbv_track_check(const RbvModel *model, RbvDiagnostics *diagnostics);

/* The assembled state, the motion at its beginning, the run's record, and workspace for samples. Errors are reported.
 * To be destroyed whatever the status is. */
RbvStatus rbv_forward_run_create(RbvForwardRun *run);
void rbv_forward_run_destroy(RbvForwardRun *run);

/* The sample at t, between the ends of the last step: forces, verdicts, audit, energy. `first`: what holds for the
 * whole result, too. */
RbvStatus rbv_forward_run_sample(RbvForwardRun *run, double t, bool first);
/* Verify the energy balance of the whole run: a motion that is small at first is compared with the energy it has later.
 * AUDIT_FAILED, reported. */
RbvStatus rbv_forward_run_verify_energy(RbvForwardRun *run);
/* Store or restore all numbers of the run that do not follow from others, except its samples. */
void rbv_forward_run_keep(RbvForwardRun *run, RbvArchive *archive);

/* Report "at t = ... text"; the status. */
RbvStatus rbv_forward_run_fail(const RbvForwardRun *run, RbvStatus status, const char *text);

#endif
