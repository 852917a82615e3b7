/* Single reactions by virtual motions: only the requested ones, and all efforts; one forward and back substitution
 * each. */
#ifndef RBV_SOLUTION_REACTION_VIRTUAL_POWER_H
#define RBV_SOLUTION_REACTION_VIRTUAL_POWER_H

#include "solution/reaction/method.h"
#include "solution/reaction/reactions.h"

/* One requested reaction. */
typedef struct RbvRequestedPart {
    const char *name;         /* name as requested: "A.Fx", "c.effort" */
    int32_t joint, component; /* of a joint, or -1 */
    int32_t constraint;       /* its effort, or -1 */
} RbvRequestedPart;

typedef struct RbvRequested {
    const RbvSystem *system;
    RbvArena arena;
    RbvRequestedPart *parts;
    int32_t count, total; /* [total]: the requested ones, then those that outputs depend on besides */
    uint32_t *components; /* [joints] bits of the requested components */
    bool *constraints;    /* [constraints] */
    bool *drives;         /* [drives] efforts requested by name: their virtual motions are reported */
    bool *rigid;          /* [own rows] requested rigid rows of natural coordinates: each is varied alone */
    int32_t rigid_count;
    RbvReactionBy by;
    bool linear;              /* no part is a magnitude (as of a tooth force), friction or the force of a stop */
    double *rates;            /* [all rows] rates of a virtual motion, zero between calls */
    double *Q, *x, *u;        /* [bodies.size] forces; forces minus inertia; a virtual motion */
    double power, power_size; /* [W] power residual of the last solution in the real motion, and the sum of magnitudes;
                                 size 0: not known */
    double power_rounding; /* [W] what rounding of velocities may leave of the power: velocities are known to a part of
                              the fastest */
} RbvRequested;

/* Reads the names in the options: "joint.component", "constraint.effort", "drive.effort"; "joint": all of its
 * components; "body": all joints of the body, as if it were taken out. BAD_INPUT: reported. */
RbvStatus rbv_requested_create(const RbvReactions *reactions, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvRequested **requested);
void rbv_requested_destroy(RbvRequested *requested);
/* Are all requested reactions, and all efforts, determined (or free) as last decided? */
bool rbv_requested_determined(const RbvRequested *requested, const RbvReactions *reactions);
/* Writes the requested values and the efforts into `reactions`, whose other component values become zero, for
 * wrenches[bodies] at the motion's accepted state. `placed`: unit wrenches of all rows are already evaluated. False:
 * some virtual motion does not exist, since it violates other rows. */
bool rbv_requested_solve(RbvRequested *requested, RbvMotion *motion, RbvReactions *reactions, const RbvWrench *wrenches,
                         bool placed);
/* Virtual motion of part k into u[bodies.size], for unit wrenches already evaluated. False: it does not exist. */
bool rbv_requested_motion(RbvRequested *requested, const RbvMotion *motion, const RbvReactions *reactions, int32_t k,
                          double *u);
/* Virtual motion of drive k at unit rate of its coordinate into u[bodies.size]. False: it does not exist. */
bool rbv_requested_drive(RbvRequested *requested, const RbvMotion *motion, int32_t k, double *u);

#endif
