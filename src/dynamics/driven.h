/* A driven motion with what belongs to it besides positions: conditions (active:) that switch rows and loads on its
 * way, and states of the user's own, x' = rate(t, q(t), q'(t), x).
 *
 * Positions follow the drives (motion.h). States are integrated along them by the method of order 8 of Dormand and
 * Prince, whose stages go to the motion at their times. Where a condition changes between two samples the instant is
 * found by halving; there other rows hold, from the place that is reached. A model without either goes by rbv_motion_go
 * alone.
 */
#ifndef RBV_DYNAMICS_DRIVEN_H
#define RBV_DYNAMICS_DRIVEN_H

#include "assembly/activity.h"
#include "dynamics/knots.h"
#include "motion/motion.h"
#include "solve/dormand_prince.h"

typedef struct RbvDriven {
    const RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvMotion *motion;    /* the caller's, after rbv_driven_create */
    RbvActivity activity; /* what holds now */
    RbvKnots knots;       /* of time, which no step goes over */
    bool *before;         /* [conditions] scratch */
    bool watches;         /* there are conditions or states; else this is the motion alone */
    int32_t switches;     /* times that other rows hold or other loads act */
    /* states of the user's own */
    int32_t own; /* how many */
    double tolerance;
    double t, h;            /* [s] time reached; the next step */
    double *y, *low, *high; /* [states] there; while an instant is looked for, at both sides of it */
    double *weight, *size;  /* [states] of errors; the largest value so far */
    RbvDormandPrince method;
    double *work; /* scratch of expressions */
} RbvDriven;

/* Begin at `from`: assembled with what holds there, or in the position of `start` (may be NULL). `guides`: of drives
 * that are led, there and from then on; NULL: they follow their own motions, or those of `start`. `step`: between
 * samples. NaN tolerance: that of simulate. *motion is new; the conditions live as long as the driven motion.
 * Statuses as of rbv_motion_create: said. To be destroyed in any case, after the motion. */
RbvStatus rbv_driven_create(RbvDriven *driven, const RbvSystem *system, double from, double step, RbvState *start,
                            const RbvDriveTarget *guides, double tolerance, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion);
void rbv_driven_destroy(RbvDriven *driven);
/* Go to time t, not before the time reached: the motion is there, with what holds and the states as they are then.
 * Statuses as of rbv_motion_go; INCONSISTENT: something engages where it does not fit, or the motion is not
 * determined any more, or over-driven: said. */
RbvStatus rbv_driven_go(RbvDriven *driven, double t);

#endif
