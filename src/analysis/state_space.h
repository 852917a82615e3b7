/* A state-space model about a state: x' = A x + B u, y = C x + D u, in the user's names. */
#ifndef RBV_ANALYSIS_STATE_SPACE_H
#define RBV_ANALYSIS_STATE_SPACE_H

#include <roberval/analysis.h>

#include "dynamics/linearisation.h"
#include "record/record.h"

typedef struct RbvSpaceTask {
    const RbvSystem *system;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    bool *released; /* [rows] of drives that are inputs */
    bool any;       /* some are */
} RbvSpaceTask;

/* Which inputs there are. BAD_INPUT: one is no input (said). To be destroyed in any case. */
RbvStatus rbv_space_open(RbvSpaceTask *task, const RbvSystem *system, const RbvOptions *options,
                         RbvDiagnostics *diagnostics);
void rbv_space_destroy(RbvSpaceTask *task);
/* The matrices at the state, which is placed and stays the caller's, into the result. `sliding`, `held`: as of
 * rbv_linear_create. BAD_INPUT: a name is no output (said); LOCKED, NOT_FINITE, said; NO_MEMORY. */
RbvStatus rbv_space_find(RbvSpaceTask *task, RbvState *state, RbvSliding *sliding, bool held, RbvResult *result);

#endif
