/* A state from another result: bodies, generalized coordinates and own states by the names of its columns. */
#ifndef RBV_ANALYSIS_START_H
#define RBV_ANALYSIS_START_H

#include <roberval/analysis.h>

#include "assembly/activity.h"
#include "record/record.h"

/* The state as `start` has it at state->t, turns counted as there, on the constraints of its own model to 1e-6; what
 * holds is found anew where `activity` is given, which lives as long as the state looks at it. BAD_INPUT: bodies are
 * others, or it does not fit (said); NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_start_place(const RbvStart *start, RbvState *state, RbvActivity *activity, RbvDiagnostics *diagnostics);
/* Of a sample of a motion that is given: places, turns and rates, and accelerations[bodies], as they stand there;
 * nothing is judged but names. `since`: the time of the sample before, which the state is at; NaN: none is. BAD_INPUT
 * (said), NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_start_take(const RbvStart *start, double since, RbvState *state, RbvTwist *accelerations,
                         RbvDiagnostics *diagnostics);
/* The record goes on with the turns that it counts itself, and with the signs of quaternions. */
void rbv_start_continue(const RbvStart *start, const RbvState *state, RbvRecord *record);

#endif
