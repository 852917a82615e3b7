/* Single reactions by virtual motions: only those asked for, and all efforts; one forward and back substitution each.
 *
 * A joint is cut in one component of its reaction, or a constraint varied. With c the component as a combination of the
 * joint's multipliers, the virtual motion
 *
 *   D q* = -c     all other rows and inputs at rest
 * is the one in which the cut alone moves, at unit rate along the component's axis: the power of the component is its
 * value, c . lambda = q*^T ((m, J) a - Q). It is there for all rows if and only if c is orthogonal to every
 * self-stress, that is, the component is determined. The rows of the joint may be varied one by one instead (as in
 * virtual_power_method.c), or, in natural coordinates, a body be taken out (natural_multipliers.h). Else the mechanism
 * stays locked where it is cut, and the value is a matter of the choice among equally right ones (choice.h), for which
 * all multipliers are needed.
 */
#ifndef RBV_REACTION_REQUESTED_H
#define RBV_REACTION_REQUESTED_H

#include "reaction/reactions.h"
#include "reaction/virtual_power.h"

/* One of them. */
typedef struct RbvRequestedPart {
    const char *name;         /* "A.Fx", "c.effort" */
    int32_t joint, component; /* or -1 */
    int32_t constraint;       /* or -1 */
} RbvRequestedPart;

typedef struct RbvRequested {
    const RbvSystem *system;
    RbvArena arena;
    RbvRequestedPart *parts;
    int32_t count, total; /* [total]: those asked for, then what outputs read besides */
    uint32_t *components; /* [joints] bits of those asked for */
    bool *constraints;    /* [constraints] */
    bool *drives;         /* [drives] asked for by name: their motions are told */
    bool *rigid;          /* [own rows] of natural coordinates likewise: each varied by itself */
    int32_t rigid_count;
    RbvReactionBy by;
    bool linear;              /* none is a magnitude, as that of a tooth force is, or the force of a stop */
    double *rates;            /* [all rows] of a virtual motion, zero between calls */
    double *Q, *x, *u;        /* [bodies.size] */
    double power, power_size; /* what the last solution leaves over of the power in the real motion, and the sum of
                                 magnitudes; size 0: not known */
    double power_rounding;    /* what rounding of rates may leave: what stands still does so to a part of what moves */
} RbvRequested;

/* By the names in the options: "joint.component", "constraint.effort", "drive.effort"; "joint": all of it; "body": all
 * joints of the body, as if it were taken out. BAD_INPUT: said. */
RbvStatus rbv_requested_create(const RbvReactions *reactions, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvRequested **requested);
void rbv_requested_destroy(RbvRequested *requested);
/* Are all of them, and all efforts, determined (or held by nothing) as last judged? */
bool rbv_requested_determined(const RbvRequested *requested, const RbvReactions *reactions);
/* Their values and the efforts into the reactions, whose other values are zero, for wrenches[bodies] at the motion's
 * accepted state. `placed`: unit wrenches of all rows are placed already. False: some virtual motion does not keep
 * the other rows. */
bool rbv_requested_solve(RbvRequested *requested, RbvMotion *motion, RbvReactions *reactions, const RbvWrench *wrenches,
                         bool placed);
/* The virtual motion of part k into u[bodies.size], unit wrenches being placed. False: there is none. */
bool rbv_requested_motion(RbvRequested *requested, const RbvMotion *motion, const RbvReactions *reactions, int32_t k,
                          double *u);
/* That of drive k at unit rate of its coordinate. */
bool rbv_requested_drive(RbvRequested *requested, const RbvMotion *motion, int32_t k, double *u);

#endif
