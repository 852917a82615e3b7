/* A state-space model about a state: x' = A x + B u, y = C x + D u, in the user's names. */
#ifndef RBV_ANALYSIS_ANALYSES_STATE_SPACE_H
#define RBV_ANALYSIS_ANALYSES_STATE_SPACE_H

#include <roberval/analysis.h>

#include "dynamics/vibration/linearisation.h"
#include "solution/record/record.h"

typedef struct RbvSpaceTask {
    const RbvSystem *system;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    bool *released; /* [rows] of drives that are inputs */
    bool any;       /* at least one row is released */
} RbvSpaceTask;

/* Find the inputs of the options. BAD_INPUT: a name is no input (reported). To be destroyed whatever the status is. */
RbvStatus rbv_space_open(RbvSpaceTask *task, const RbvSystem *system, const RbvOptions *options,
                         RbvDiagnostics *diagnostics);
void rbv_space_destroy(RbvSpaceTask *task);
/* The matrices A, B, C, D at the state, whose positions are evaluated and which stays the caller's, into the result.
 * `sliding`, `held`: see rbv_linear_create. BAD_INPUT: a name is no output; LOCKED, NOT_FINITE: all reported;
 * NO_MEMORY. */
RbvStatus rbv_space_find(RbvSpaceTask *task, RbvState *state, RbvSliding *sliding, bool held, RbvResult *result);

#endif
