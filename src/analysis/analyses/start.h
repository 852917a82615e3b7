/* A state from another result: bodies, generalized coordinates and own states by the names of its columns. */
#ifndef RBV_ANALYSIS_ANALYSES_START_H
#define RBV_ANALYSIS_ANALYSES_START_H

#include "mechanics/marker/marker.h"
#include "model/model/model.h"
#include "solution/assembly/activity.h"
#include "solution/record/record.h"

#include <roberval/analysis.h>
#include <roberval/state.h>

/* From the `motion` of the body's frame: position of the centroid and axes (`placed`), velocities (`twist`) and
 * accelerations at the centroid. Not `spatial`: components outside the plane are set to zero. */
void rbv_body_take(const RbvBody *body, const RbvBodyMotion *motion, bool spatial, RbvBodyState *placed,
                   RbvTwist *twist, RbvTwist *acceleration);

/* The state of `start` at state->t, turns counted as there, on the constraints of its own model within 1e-6. Conditions
 * are evaluated anew where `activity` is given; the state refers to `activity`, which must live as long. BAD_INPUT:
 * bodies differ, or the state does not fit (reported); NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_start_place(const RbvStart *start, RbvState *state, RbvActivity *activity, RbvDiagnostics *diagnostics);
/* One sample of a prescribed motion: positions, turns and velocities into the state, and accelerations[bodies],
 * unchanged; only names are checked. `since` [s]: time of the previous sample, at which the state is; NaN: there is
 * none. BAD_INPUT (reported), NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_start_take(const RbvStart *start, double since, RbvState *state, RbvTwist *accelerations,
                         RbvDiagnostics *diagnostics);
/* Continue the counted turns of the record and the signs of its quaternions from those of `start`. */
void rbv_start_continue(const RbvStart *start, const RbvState *state, RbvRecord *record);

#endif
