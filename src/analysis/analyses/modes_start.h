/* The state at which modes are linearised, with its active rows and friction. */
#ifndef RBV_ANALYSIS_ANALYSES_MODES_START_H
#define RBV_ANALYSIS_ANALYSES_MODES_START_H

#include <roberval/analysis.h>

#include "dynamics/contact/sliding.h"
#include "solution/assembly/activity.h"
#include "solution/record/record.h"

typedef struct RbvModesStart {
    RbvState *state;
    RbvMachine assembled;  /* for a start in equilibrium: the system before it came to rest */
    RbvProgress progress;  /* of the state: the progress function of the options */
    RbvActivity activity;  /* conditions and active rows of a state of another result */
    bool *active, *acting; /* [rows], [loads] active ones; NULL: the default */
    RbvSliding slides;     /* friction at the state */
    RbvSliding *sliding;   /* `slides` where some friction contact slides; else NULL */
} RbvModesStart;

/* The state at time `from`, of another result, or in equilibrium, as the options say. Conditions keep the values they
 * have there; contacts under pressure are closed, and friction that sticks is active. Statuses of rbv_modes, reported.
 * The state refers to start->progress, so `start` must not be moved. To be destroyed whatever the status is. */
RbvStatus rbv_modes_start(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                          RbvModesStart *start);
void rbv_modes_start_destroy(RbvModesStart *start);

#endif
