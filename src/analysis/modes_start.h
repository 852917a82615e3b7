/* Where modes are linearised, and what holds there. */
#ifndef RBV_ANALYSIS_MODES_START_H
#define RBV_ANALYSIS_MODES_START_H

#include <roberval/analysis.h>

#include "assembly/activity.h"
#include "dynamics/sliding.h"
#include "record/record.h"

typedef struct RbvModesStart {
    RbvState *state;
    RbvMachine assembled;  /* in equilibrium: the machine before it came to rest */
    RbvProgress progress;  /* of the state: the progress function of the options */
    RbvActivity activity;  /* of a state that is given */
    bool *active, *acting; /* [rows], [loads] what the state looks at, where it is more than that */
    RbvSliding slides;     /* friction of the state, and */
    RbvSliding *sliding;   /* where some of it slides, that; NULL */
} RbvModesStart;

/* The state at `from`, of another result, or in equilibrium, as the options say: conditions hold as they are there,
 * contacts that are pressed hold, and friction that sticks. Statuses of rbv_modes, said; in place: the state looks at
 * `watch`. To be destroyed in any case. */
RbvStatus rbv_modes_start(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                          RbvModesStart *start);
void rbv_modes_start_destroy(RbvModesStart *start);

#endif
