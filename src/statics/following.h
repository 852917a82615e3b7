/* What follows an equilibrium along a parameter (follow.c), its events (follow_events.c, follow_snap.c) and what is
 * pressed on the way (follow_supports.c). */
#ifndef RBV_STATICS_FOLLOWING_H
#define RBV_STATICS_FOLLOWING_H

#include "statics/coordinate_search.h"
#include "statics/path_bodies.h"
#include "statics/verify.h"

/* Behind a change of what is pressed steps begin with this arc. */
#define RBV_SWITCHED_ARC 1e-3

typedef struct RbvFollowing {
    RbvPath path;
    RbvEquilibriumSearch *
        first; /* at the first place, of bodies: what judges all others where the path is walked in other coordinates */
    RbvCoordinateSearch other; /* the first place in these */
    RbvEquilibriumVerifier *verifier;
    RbvDiagnostics *diagnostics;
    RbvProgress *progress;
    const RbvModel *model;
    int32_t standing; /* places at one value of the parameter */
    int32_t turns;    /* of the parameter, so far */
    int32_t switches; /* of what is pressed, right behind each other */
    bool *opens;      /* [contacts] where something lands or lets go: they leave */
    bool *truth;      /* [conditions] at the start, and the same for the place at hand */
} RbvFollowing;

/* following.c */
/* One more place, judged. What is wrong with one behind the first is said by judging it again. */
RbvStatus rbv_following_keep(RbvFollowing *f, RbvPlace *place);
/* A place in words, with the motion that counts there; NULL: the one it falls by. False: no memory. */
bool rbv_following_describe(RbvFollowing *f, RbvPlace *place, const double *motion, RbvEquilibrium *to);
/* The same in other words: found by that method, in so many steps (-1: as the path). */
bool rbv_following_words(RbvFollowing *following, RbvPlace *place, const double *motion, const char *method,
                         int32_t steps, RbvEquilibrium *to);
/* "the path ends at ..." is said. NO_EQUILIBRIUM. */
RbvStatus rbv_following_end_early(RbvFollowing *f, const char *why);

/* follow_snap.c */
/* Where it goes from a fold, into the event: as damped motion goes; where that does not settle, downhill. `arc`: the
 * first start, positive when the stable places lie before the fold. */
RbvStatus rbv_following_land(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc);

/* follow_events.c */
/* The place behind `from`, not so far as `to` at that arc, at which what has landed or let go at `to` does so.
 * NO_EQUILIBRIUM: it is not found. */
RbvStatus rbv_following_locate_pressed(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to,
                                       RbvPlace *event);
/* Between two places: nothing, a fold, or a change of stability, which is told. LOCKED: a lock-up; NO_EQUILIBRIUM: the
 * parameter turns at a place that is not found. */
RbvStatus rbv_following_look_between(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to);
/* Are there two events in one step, to be told apart by shorter ones? */
bool rbv_following_too_much_at_once(const RbvPlace *from, const RbvPlace *to, double arc);

/* follow_supports.c */
/* The step goes as far as where the first stop or one-sided joint is met or lets go: *next is the place there. */
RbvStatus rbv_following_stop_where_met(RbvFollowing *f, const RbvPlace *now, double *way, RbvPlace *next,
                                       const char **ended, bool *met);
/* The path goes on from such a place with what is pressed from there on: *at. NO_EQUILIBRIUM: nothing leads on (said).
 */
RbvStatus rbv_following_switch_over(RbvFollowing *f, const RbvPlace *from, double arc, RbvPlace *at);
/* At the start the path begins with those of what touches that are pressed from there on. */
RbvStatus rbv_following_begin_pressed(RbvFollowing *f, RbvPlace *now);

#endif
