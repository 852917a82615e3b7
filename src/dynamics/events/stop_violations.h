/* Stops that a prescribed motion violates: checked at each sample, for a warning with the first time and the largest
 * violation. */
#ifndef RBV_DYNAMICS_EVENTS_STOP_VIOLATIONS_H
#define RBV_DYNAMICS_EVENTS_STOP_VIOLATIONS_H

#include "mechanics/system/system.h"

typedef struct RbvStopViolation {
    double first, at, value; /* [s] time of first violation; [s] time and [m or rad] coordinate of largest violation */
    bool passed;
} RbvStopViolation;

typedef struct RbvStopViolations {
    const RbvSystem *system;
    RbvStopViolation *limits; /* [2 stops] lower, upper limit of each stop */
} RbvStopViolations;

/* Returns false if out of memory; the object must be destroyed in either case. */
bool rbv_stop_violations_create(RbvStopViolations *violations, const RbvSystem *system);
void rbv_stop_violations_destroy(RbvStopViolations *violations);
/* Checks a state whose positions and measures are evaluated (rbv_state_load). truth[conditions]: which conditions are
 * true; NULL: there are no conditions. */
void rbv_stop_violations_look(RbvStopViolations *violations, const RbvState *state, const bool *truth);
/* Reports a warning for each violated limit. */
void rbv_stop_violations_note(const RbvStopViolations *violations, RbvDiagnostics *diagnostics);

#endif
