/* The recipe that motions from forces share: simulate and track (simulate.c), its start (simulation_start.c), samples
 * (simulation_samples.c), checkpoints (simulation_keep.c). */
#ifndef RBV_ANALYSIS_SIMULATION_H
#define RBV_ANALYSIS_SIMULATION_H

#include <roberval/analysis.h>

#include "assembly/activity.h"
#include "audit/one_sided.h"
#include "dynamics/event_loop.h"
#include "dynamics/sample_forces.h"
#include "record/record.h"
#include "record/samples.h"

typedef struct RbvSimulation {
    const RbvSystem *system;
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvMachine assembled; /* with --start statics: before it came to rest */
    RbvState *state;
    RbvFlow flow;
    RbvStepper stepper;
    RbvEventLoop loop;
    RbvActivity activity; /* at the start */
    RbvSampleForces forces;
    RbvAudit audit;
    RbvRecord *record;
    bool tracks, *active; /* [rows] what holds while it tracks */
    RbvTracking tracking; /* where it tracks */
    double tolerance;
    double energy;       /* [J] at the start */
    double energy_error; /* [J] the largest so far, and when */
    double energy_error_time;
    RbvNotes *notes;
    int32_t next;                 /* the sample that is due next */
    int32_t paced, steps_to_next; /* the sample that steps led to when they were counted last, and how many did */
    int64_t kept_work;            /* done up to the last state from which the run can go on */
} RbvSimulation;

/* Motion from forces; `tracks`: with control for what is required of it. */
RbvStatus rbv_run_motion(const RbvSystem *system, const RbvOptions *options, bool tracks, RbvDiagnostics *diagnostics,
                         RbvResult **result);

/* The assembled state, the motion at its beginning, and room for its samples. What is wrong is said. To be destroyed
 * all the same. */
RbvStatus rbv_simulation_create(RbvSimulation *simulation, const RbvSamples *samples, RbvProgress *progress);
void rbv_simulation_destroy(RbvSimulation *simulation);

/* "at t = ... text" is said; the status. */
RbvStatus rbv_simulation_fail(const RbvSimulation *simulation, RbvStatus status, const char *text);
/* Say why there is no motion from the start on; the status. */
RbvStatus rbv_simulation_report_failure(const RbvSimulation *simulation, RbvStatus status);

/* The sample at t, between the ends of the last step: forces, verdicts, audit, energy. */
RbvStatus rbv_simulation_sample(RbvSimulation *simulation, double t, bool first);
/* Of the whole run: is the balance of energy kept? AUDIT_FAILED, said. */
RbvStatus rbv_simulation_verify_energy(RbvSimulation *simulation);

/* Is a state due from which a run can go on? Asked once after each step. */
bool rbv_simulation_is_due(RbvSimulation *simulation);
/* All is kept, where somebody keeps it, and what follows from other numbers is made anew, as a run does that goes on
 * from here. */
RbvStatus rbv_simulation_pass_checkpoint(RbvSimulation *simulation);
/* Go on from what was kept: the beginning has been made as always. BAD_INPUT: it is damaged (said). */
RbvStatus rbv_simulation_go_on(RbvSimulation *simulation);

#endif
