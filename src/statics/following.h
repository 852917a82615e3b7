/* Data and functions to follow an equilibrium along a parameter (follow.c): events (follow_events.c, follow_snap.c) and
 * changes of closed supports on the path (follow_supports.c). */
#ifndef RBV_STATICS_FOLLOWING_H
#define RBV_STATICS_FOLLOWING_H

#include "statics/coordinate_search.h"
#include "statics/path_bodies.h"
#include "statics/verify.h"

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

/* following.c */
/* Verifies one more point and records it as a sample. If one after the first fails, it is verified again to report the
 * failure. */
RbvStatus rbv_following_keep(RbvFollowing *f, RbvPlace *place);
/* Describes a point in *to, with the decisive motion [n]; NULL: the one along which the energy decreases. False if out
 * of memory. */
bool rbv_following_describe(RbvFollowing *f, RbvPlace *place, const double *motion, RbvEquilibrium *to);
/* As rbv_following_describe, with the name of the method that found the point and its number of steps (-1: those of the
 * path). */
bool rbv_following_words(RbvFollowing *following, RbvPlace *place, const double *motion, const char *method,
                         int32_t steps, RbvEquilibrium *to);
/* Reports "the path ends at ...". Returns NO_EQUILIBRIUM. */
RbvStatus rbv_following_end_early(RbvFollowing *f, const char *why);

/* follow_snap.c */
/* Finds where the mechanism goes from a fold, and writes it into the event: by damped motion; if that does not settle,
 * by minimization of the energy. `arc`: the first offset, positive if the stable points lie before the fold. */
RbvStatus rbv_following_land(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc);

/* follow_events.c */
/* Finds the point between `from` and `to`, which is `arc` away, at which the support that has closed or opened at `to`
 * does so. NO_EQUILIBRIUM: not found. */
RbvStatus rbv_following_locate_pressed(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to,
                                       RbvPlace *event);
/* Checks between two points for a fold or a change of stability, which is recorded. LOCKED: a lock-up; NO_EQUILIBRIUM:
 * the parameter turns at a point that is not found. */
RbvStatus rbv_following_look_between(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to);
/* True if two events lie in one step, which shorter steps have to separate. */
bool rbv_following_too_much_at_once(const RbvPlace *from, const RbvPlace *to, double arc);

/* follow_supports.c */
/* Shortens the step to the point where the first stop or one-sided joint closes or opens: *next is the point there. */
RbvStatus rbv_following_stop_where_met(RbvFollowing *f, const RbvPlace *now, double *way, RbvPlace *next,
                                       const char **ended, bool *met);
/* Continues the path from such a point with the supports that are closed from there on: *at. NO_EQUILIBRIUM: no
 * continuation exists (reported). */
RbvStatus rbv_following_switch_over(RbvFollowing *f, const RbvPlace *from, double arc, RbvPlace *at);
/* Starts the path with those of the touching supports that are closed from there on. */
RbvStatus rbv_following_begin_pressed(RbvFollowing *f, RbvPlace *now);

#endif
