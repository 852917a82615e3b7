/* The state at which modes are linearised, with its active rows and friction. */
#ifndef RBV_ANALYSIS_ANALYSES_MODES_H
#define RBV_ANALYSIS_ANALYSES_MODES_H

#include "dynamics/contact/sliding.h"
#include "dynamics/vibration/linearisation.h"
#include "solution/assembly/activity.h"
#include "solution/record/record.h"

#include <roberval/analysis.h>

/* A state-space model about a state: x' = A x + B u, y = C x + D u, in the user's names. */

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

/* ---- modes_lowest.c ---- */

/* The `count` modes nearest to frequency zero of a large mechanism at rest in equilibrium, without damping: into
 * linear->square, neutral and shape, in the numbers of body twists, as rbv_linear_at_rest leaves them; linear->m and p
 * stay 0. `sliding`, `locked`: see rbv_linear_create. *refusal: what the mechanism has for which there are no such
 * modes
 * ("damping"), or why they are not found; NULL: they are found. NOT_FINITE, NO_MEMORY, INTERRUPTED; none is reported.
 * To be destroyed by rbv_linear_destroy. */
RbvStatus rbv_modes_lowest(RbvState *state, const RbvSliding *sliding, bool locked, int32_t count, RbvLinear *linear,
                           const char **refusal);

#endif
