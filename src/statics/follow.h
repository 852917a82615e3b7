/* statics --follow: path of an equilibrium along a parameter, with its events, into a record. */
#ifndef RBV_STATICS_FOLLOW_H
#define RBV_STATICS_FOLLOW_H

#include "statics/equilibrium.h"
#include "statics/path.h"
#include "statics/verify.h"

/* Follows the path from the equilibrium in `first`, which is verified and recorded as the first sample, to the other
 * end of the family; every point is a sample. OK, also if the path returns to its start: see result->followed.
 * NO_EQUILIBRIUM: the path cannot be followed further (reported); INTERRUPTED; in both cases the samples so far are
 * recorded. Other statuses as of rbv_equilibrium_verify. */
RbvStatus rbv_follow(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *first, bool has_energy);

/* For follow*.c. */

/* Arc of the first step after a change of the closed supports. */
#define RBV_SWITCHED_ARC 1e-3

typedef struct RbvFollowing {
    RbvPath path;
    RbvEquilibriumSearch *first; /* search at the first point, over bodies; used to verify all points if the path is
                                    followed in other coordinates */
    RbvCoordinateSearch other;   /* the first point in these other coordinates */
    RbvEquilibriumVerifier *verifier;
    RbvDiagnostics *diagnostics;
    RbvProgress *progress;
    const RbvModel *model;
    int32_t standing; /* points at one value of the parameter */
    int32_t turns;    /* turning points of the parameter so far */
    int32_t switches; /* changes of closed supports, one immediately after another */
    bool *opens;      /* [contacts] supports that open at a point where a support closes or opens */
    bool *truth;      /* [2 conditions] truth at the start, then truth at the present point */
} RbvFollowing;

/* Points as samples and descriptions (follow_points.c). */
/* Verifies one more point and records it as a sample. If one after the first fails, it is verified again to report the
 * failure. */
RbvStatus rbv_following_record(RbvFollowing *f, RbvPathPoint *place);
/* Describes a point in *to, with the decisive motion [n]; NULL: the one along which the energy decreases. False if out
 * of memory. */
bool rbv_following_describe(RbvFollowing *f, RbvPathPoint *place, const double *motion, RbvEquilibrium *to);
/* As rbv_following_describe, with the name of the method that found the point and its number of steps (-1: those of the
 * path). */
bool rbv_following_describe_by(RbvFollowing *following, RbvPathPoint *place, const double *motion, const char *method,
                               int32_t steps, RbvEquilibrium *to);
/* Reports "the path ends at ...". Returns NO_EQUILIBRIUM. */
RbvStatus rbv_following_end_early(RbvFollowing *f, const char *why);

/* Events between two points (follow_events.c). */
/* Checks between two points for a fold or a change of stability, which is recorded. LOCKED: a lock-up; NO_EQUILIBRIUM:
 * the parameter turns at a point that is not found. */
RbvStatus rbv_following_check_events(RbvFollowing *f, const RbvPathPoint *from, double arc, const RbvPathPoint *to);
/* True if two events lie in one step, which shorter steps have to separate. */
bool rbv_following_holds_two_events(const RbvPathPoint *from, const RbvPathPoint *to, double arc);

/* Shortens the step to the point where the first stop or one-sided joint closes or opens: *next is the point there. */
RbvStatus rbv_following_stop_at_support(RbvFollowing *f, const RbvPathPoint *now, double *length, RbvPathPoint *next,
                                        const char **ended, bool *met);
/* Continues the path from such a point with the supports that are closed from there on: *at. NO_EQUILIBRIUM: no
 * continuation exists (reported). */
RbvStatus rbv_following_switch_supports(RbvFollowing *f, const RbvPathPoint *from, double arc, RbvPathPoint *at);
/* Starts the path with those of the touching supports that are closed from there on. */
RbvStatus rbv_following_begin_supports(RbvFollowing *f, RbvPathPoint *now);

#endif
