/* Steps across singular positions: a trial that is refused near one is made again; see singular_crossing.c. */
#ifndef RBV_DYNAMICS_SINGULAR_CROSSING_H
#define RBV_DYNAMICS_SINGULAR_CROSSING_H

#include "dynamics/stepper.h"

/* An error of so many tolerances is none of a smooth motion. */
#define RBV_CROSSING_FAR_OFF 100

/* Trials of one step across a singular position. */
typedef struct RbvSingularCrossing {
    int tried;
    double whole, worst; /* length and error of the first that failed */
    double best, length; /* the least error that rounding explains, and the length of its trial; 0: none */
    double longest;      /* the error of the longest such trial */
    bool settles;        /* that one is made again, and taken */
} RbvSingularCrossing;

/* Is a step of length h, which was refused with this error (0: it could not be made), to be tried again, of the length
 * it has put into the stepper? */
bool rbv_singular_crossing_retries(RbvStepper *stepper, RbvSingularCrossing *trials, double h, double error);

#endif
