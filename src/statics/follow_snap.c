/* Where an equilibrium goes that snaps through at a fold; see following.h. */
#include "statics/following.h"

#include <math.h>

/* A snap-through begins behind the fold by as much as the places beside it are apart, which is what its bend allows,
 * and so much of the parameter's range. Where what snaps is small beside other loads no force is felt so near to the
 * fold, and it begins further away. An equilibrium within so much of the way it began with has not left the fold. */
#define SNAP_FURTHER 5.0
#define SNAP_STARTS 4
#define SNAP_BEYOND 1e-6
#define SNAP_LEFT 0.2

/* The equilibrium reached, by a method, from an arc behind a fold, and with the fold's own parameter. What is unstable,
 * or still at the fold, has not landed. */
static RbvStatus land_by(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc,
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

/* As damped motion goes; where that does not settle, downhill. Stops are met on the way downhill only: with them, that
 * alone. `arc`: the first start, positive when the stable places lie before the fold. */
RbvStatus rbv_following_land(RbvFollowing *f, const RbvPlace *fold, RbvEvent *event, double arc) {
    RbvStatus status = RBV_OK;
    event->snaps = true;
    for (int k = 0; status == RBV_OK && !event->lands && k < SNAP_STARTS; k++, arc *= SNAP_FURTHER) {
        if (!fold->supports || !f->path.has_energy)
            status = land_by(f, fold, event, arc, rbv_equilibrium_by_relaxation, "relaxation");
        if (status == RBV_OK && !event->lands && f->path.has_energy)
            status = land_by(f, fold, event, arc, rbv_equilibrium_by_energy, "energy");
    }
    return status;
}
