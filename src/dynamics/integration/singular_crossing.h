/* Steps across singular positions: a trial step refused near a singular position is repeated; see singular_crossing.c.
 */
#ifndef RBV_DYNAMICS_INTEGRATION_SINGULAR_CROSSING_H
#define RBV_DYNAMICS_INTEGRATION_SINGULAR_CROSSING_H

#include "dynamics/integration/stepper.h"

/* An error of so many tolerances cannot come from a smooth motion. */
#define RBV_CROSSING_FAR_OFF 100

/* Trials of one step across a singular position. */
typedef struct RbvSingularCrossing {
    int tried;
    double whole, worst; /* length [s] and error [tolerances] of the first trial that failed */
    double best, length; /* least error that rounding explains, and length [s] of its trial; 0: none */
    double longest;      /* error of the longest such trial */
    bool settles;        /* true: the trial with error `best` is repeated and accepted */
} RbvSingularCrossing;

/* Decides whether a step of length h [s] that was refused with this error (0: the step could not be made) is tried
 * again; if so, its length is in stepper->h. */
bool rbv_singular_crossing_retries(RbvStepper *stepper, RbvSingularCrossing *trials, double h, double error);

#endif
