/* Landing of an equilibrium that snaps through at a fold; see following.h. */
#include "statics/following.h"

#include <math.h>

/* The search for a landing begins behind the fold at the distance of the points beside it, which the bend of the path
 * allows, and SNAP_BEYOND of the parameter's range further. If the part that snaps is small beside other loads, no
 * force is noticeable so near to the fold, and the search begins further away (SNAP_FURTHER, up to SNAP_STARTS times).
 * An equilibrium nearer than SNAP_LEFT of that distance has not left the fold. */
#define SNAP_FURTHER 5.0
#define SNAP_STARTS 4
#define SNAP_BEYOND 1e-6
#define SNAP_LEFT 0.2

/* Equilibrium found by a method from the arc `arc` behind a fold, then at the fold's own parameter. An unstable one, or
 * one still at the fold, is no landing. */
static RbvStatus land_by_method(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc,
                                RbvEquilibriumMethod *method, const char *name) {
    RbvPlace place, landed;
    RbvEquilibriumSearch search = {0};
    RbvStatus status = rbv_path_beside(&f->path, fold, fold->u + event->rises * SNAP_BEYOND, arc, &place);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    status = rbv_equilibrium_create(&search, place.balance, NULL);
    search.progress = f->progress;
    search.supports = place.supports;
    for (bool again = true; status == RBV_OK && again;) {
        status = method(&search);
        again = false;
        if (status == RBV_OK)
            status = rbv_equilibrium_settle(&search, &again);
    }
    if (status == RBV_OK)
        status = rbv_path_settle(&f->path, place.balance, place.supports, fold->u, &landed);
    if (status == RBV_OK) {
        bool away =
            landed.stability.kind != RBV_UNSTABLE && rbv_path_apart(&f->path, fold, &landed) > SNAP_LEFT * fabs(arc);
        event->lands = away && rbv_following_words(f, &landed, NULL, name, search.steps, &event->landing);
        status = event->lands || !away ? RBV_OK : RBV_NO_MEMORY;
        rbv_place_destroy(&landed);
    }
    rbv_equilibrium_destroy(&search);
    rbv_place_destroy(&place);
    return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
}

/* Stops are met during a minimization only, not in damped motion: with supports and an energy only the minimization is
 * used. */
RbvStatus rbv_following_land(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc) {
    RbvStatus status = RBV_OK;
    event->snaps = true;
    for (int k = 0; status == RBV_OK && !event->lands && k < SNAP_STARTS; k++, arc *= SNAP_FURTHER) {
        if (!fold->supports || !f->path.has_energy)
            status = land_by_method(f, fold, event, arc, rbv_equilibrium_by_relaxation, "relaxation");
        if (status == RBV_OK && !event->lands && f->path.has_energy)
            status = land_by_method(f, fold, event, arc, rbv_equilibrium_by_energy, "energy");
    }
    return status;
}
