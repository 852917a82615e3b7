/* Stops that a prescribed motion passes: sample by sample, for a warning with the first time and the farthest place. */
#ifndef RBV_DYNAMICS_PASSED_H
#define RBV_DYNAMICS_PASSED_H

#include "system/system.h"

typedef struct RbvPassedLimit {
    double first, at, value; /* [s], [s], [m or rad]: where it is passed first, and where and how far most */
    bool passed;
} RbvPassedLimit;

typedef struct RbvPassed {
    const RbvSystem *system;
    RbvPassedLimit *limits; /* [2 stops] least, largest */
} RbvPassed;

/* False: no memory; to be destroyed all the same. */
bool rbv_passed_create(RbvPassed *passed, const RbvSystem *system);
void rbv_passed_destroy(RbvPassed *passed);
/* At a placed state whose other measures are there (rbv_state_load). truth[conditions]: which hold; NULL: there are
 * none. */
void rbv_passed_look(RbvPassed *passed, const RbvState *state, const bool *truth);
/* What was passed. */
void rbv_passed_note(const RbvPassed *passed, RbvDiagnostics *diagnostics);

#endif
