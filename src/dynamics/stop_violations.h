/* Stops that a prescribed motion passes: sample by sample, for a warning with the first time and the farthest place. */
#ifndef RBV_DYNAMICS_STOP_VIOLATIONS_H
#define RBV_DYNAMICS_STOP_VIOLATIONS_H

#include "system/system.h"

typedef struct RbvStopViolation {
    double first, at, value; /* [s], [s], [m or rad]: where it is passed first, and where and how far most */
    bool passed;
} RbvStopViolation;

typedef struct RbvStopViolations {
    const RbvSystem *system;
    RbvStopViolation *limits; /* [2 stops] least, largest */
} RbvStopViolations;

/* False: no memory; to be destroyed all the same. */
bool rbv_stop_violations_create(RbvStopViolations *violations, const RbvSystem *system);
void rbv_stop_violations_destroy(RbvStopViolations *violations);
/* At a placed state whose other measures are there (rbv_state_load). truth[conditions]: which hold; NULL: there are
 * none. */
void rbv_stop_violations_look(RbvStopViolations *violations, const RbvState *state, const bool *truth);
/* What was passed. */
void rbv_stop_violations_note(const RbvStopViolations *violations, RbvDiagnostics *diagnostics);

#endif
