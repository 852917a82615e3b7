/* Events between two points of a path: folds with the landing behind a snap-through, changes of stability, lock-ups,
 * and stops and one-sided joints that close or open. */
#include "statics/follow.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Landing of an equilibrium that snaps through at a fold. */

/* The search for a landing begins behind the fold at the distance of the points beside it, which the bend of the path
 * allows, and RBV_FITS of the parameter's range further. If the part that snaps is small beside other loads, no
 * force is noticeable so near to the fold, and the search begins further away (SNAP_FURTHER, up to SNAP_STARTS times).
 * An equilibrium nearer than SNAP_LEFT of that distance has not left the fold. */
#define SNAP_FURTHER 5.0
#define SNAP_STARTS 4
#define SNAP_LEFT 0.2

/* Equilibrium found by a method from the arc `arc` behind a fold, then at the fold's own parameter. An unstable one, or
 * one still at the fold, is no landing. */
static RbvStatus land_by_method(RbvFollowing *f, const RbvPathPoint *fold, RbvEvent *event, double arc,
                                RbvEquilibriumMethod *method, const char *name) {
    RbvPathPoint place, landed;
    RbvEquilibriumSearch search = {0};
    RbvStatus status = rbv_path_displace(&f->path, fold, fold->u + event->rises * RBV_FITS, arc, &place);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    status = rbv_equilibrium_create(&search, place.balance, NULL);
    search.progress = f->progress;
    search.supports = place.supports;
    if (status == RBV_OK)
        status = rbv_equilibrium_run(method, &search);
    if (status == RBV_OK)
        status = rbv_path_settle(&f->path, place.balance, place.supports, fold->u, &landed);
    if (status == RBV_OK) {
        bool away =
            landed.stability.kind != RBV_UNSTABLE && rbv_path_between(&f->path, fold, &landed) > SNAP_LEFT * fabs(arc);
        event->lands = away && rbv_following_describe_by(f, &landed, NULL, name, search.steps, &event->landing);
        status = event->lands || !away ? RBV_OK : RBV_NO_MEMORY;
        rbv_path_point_destroy(&landed);
    }
    rbv_equilibrium_destroy(&search);
    rbv_path_point_destroy(&place);
    return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
}

/* Finds where the mechanism goes from a fold, and writes it into the event: by damped motion; if that does not settle,
 * by minimization of the energy. `arc`: the first offset, positive if the stable points lie before the fold. */
/* Stops are met during a minimization only, not in damped motion: with supports and an energy only the minimization is
 * used. */
static RbvStatus find_landing(RbvFollowing *f, const RbvPathPoint *fold, RbvEvent *event, double arc) {
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

/* Least arcs: steps are not shortened below these to separate events. */
#define TWO_EVENTS 1e-5
#define FORK_ARC 1e-3
/* POLE: ratio of forces at a fold to those beside it, above which it is a pole. */
#define POLE 30.0
/* Part of the arc between two points to which an event is located. */
#define EVENT_ARC 1e-9
#define MOST_DIVISIONS 60

/* Kind of change at an event: direction of the parameter, number of motions with decreasing energy, number of
 * oscillations with growing amplitude, closed supports. */
typedef enum Change { UNCHANGED, FOLD, FALLING, FLUTTER, SUPPORT_CHANGE } Change;

static bool both_decided(const RbvPathPoint *from, const RbvPathPoint *to) {
    return from->stability.kind != RBV_UNDECIDED && to->stability.kind != RBV_UNDECIDED;
}

static int32_t more_falling(const RbvPathPoint *from, const RbvPathPoint *to) {
    return both_decided(from, to) ? abs(from->stability.falling - to->stability.falling) : 0;
}

static Change change_between(const RbvPathPoint *from, const RbvPathPoint *to) {
    return from->tangent_u * to->tangent_u < 0                                          ? FOLD
           : more_falling(from, to) > 0                                                 ? FALLING
           : both_decided(from, to) && from->stability.flutter != to->stability.flutter ? FLUTTER
                                                                                        : UNCHANGED;
}

/* A number at a point near `from` that changes its sign at the event. */
static double sign_changing_number(RbvFollowing *f, Change change, bool begins_to_fall, const RbvPathPoint *from,
                                   const RbvPathPoint *to, const RbvPathPoint *place) {
    if (change == SUPPORT_CHANGE)
        return rbv_path_slack(&f->path, place, to);
    const RbvStability *s = &place->stability;
    double size = isnan(s->margin) || change == FLUTTER ? 1 : fabs(s->margin);
    bool before = change == FLUTTER ? s->flutter == from->stability.flutter : s->falling == from->stability.falling;
    if (change == FALLING && s->level && !isnan(s->margin)) /* a curvature that counts as zero still has a sign */
        before = (s->margin > 0) == begins_to_fall;
    if (change == FOLD)
        return place->tangent_u;
    return before ? size : -size;
}

/* Locates the arc from `from` at which sign_changing_number() changes its sign, by the Illinois method with bisections.
 * *event: the point there. */
static RbvStatus locate_event(RbvFollowing *f, const RbvPathPoint *from, double arc, const RbvPathPoint *to,
                              Change change, RbvPathPoint *event) {
    bool begins = to->stability.falling > from->stability.falling;
    double low = 0, high = arc, at_low = sign_changing_number(f, change, begins, from, to, from),
           at_high = sign_changing_number(f, change, begins, from, to, to);
    bool placed = false;
    int side = 0;
    if (change == SUPPORT_CHANGE) /* a support that has just closed or opened has slack zero, to rounding */
        at_low = fmax(at_low, 1);
    for (int k = 0; k < MOST_DIVISIONS && high - low > EVENT_ARC * arc; k++) {
        double middle = k % 5 == 4 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        middle = fmin(fmax(middle, low + 0.1 * EVENT_ARC * arc), high - 0.1 * EVENT_ARC * arc);
        RbvPathPoint place;
        RbvStatus status = rbv_path_step(&f->path, from, middle, &place);
        if (status == RBV_NO_EQUILIBRIUM && placed)
            break; /* so near a bifurcation that Newton's method has no direction: accurate enough */
        if (status != RBV_OK) {
            if (placed)
                rbv_path_point_destroy(event);
            return status;
        }
        if (placed)
            rbv_path_point_destroy(event);
        *event = place;
        placed = true;
        double value = sign_changing_number(f, change, begins, from, to, event);
        if (value == 0)
            break;
        bool below = (value > 0) == (at_low > 0);
        *(below ? &low : &high) = middle;
        *(below ? &at_low : &at_high) = value;
        if (side == (below ? -1 : 1)) /* twice on one side: Illinois */
            *(below ? &at_high : &at_low) *= 0.5;
        side = below ? -1 : 1;
    }
    return placed ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* Stability beside an event. A point so near that it is neutral itself takes the stability of the other point if the
 * same number of motions have decreasing energy there. */
static const RbvStability *stability_beside(const RbvPathPoint *place, const RbvPathPoint *other) {
    return place->stability.kind == RBV_NEUTRAL && place->stability.falling == other->stability.falling
               ? &other->stability
               : &place->stability;
}

static RbvStatus note_event(RbvFollowing *f, Change change, const RbvPathPoint *from, double arc,
                            const RbvPathPoint *to, RbvPathPoint *place) {
    RbvResult *result = f->verifier->record->result;
    const char *kind = change == FOLD                ? "fold"
                       : change == FLUTTER           ? "flutter"
                       : more_falling(from, to) == 1 ? "bifurcation"
                                                     : "stability";
    RbvEvent event = {.kind = kind,
                      .at = rbv_path_parameter(&f->path, place->u),
                      .sample = result->sample_count,
                      .before = rbv_stability_name(stability_beside(from, to)),
                      .after = rbv_stability_name(stability_beside(to, from))};
    const double *motion = change == FLUTTER ? NULL : place->stability.nearest;
    if (change == FOLD)
        motion = place->tangent;
    RbvStatus status = rbv_following_record(f, place);
    if (status == RBV_OK && !rbv_following_describe(f, place, motion, &event.place))
        status = RBV_NO_MEMORY;
    if (change == FOLD)
        event.rises = from->tangent_u > 0 ? 1 : -1;
    bool before = from->stability.kind == RBV_STABLE && to->stability.kind == RBV_UNSTABLE,
         behind = from->stability.kind == RBV_UNSTABLE && to->stability.kind == RBV_STABLE;
    if (status == RBV_OK && change == FOLD && (before || behind)) {
        event.kind = "snap-through";
        status = find_landing(f, place, &event, before ? arc : -arc);
    }
    return status == RBV_OK && !rbv_result_event(result, &event) ? RBV_NO_MEMORY : status;
}

/* True for a lock-up: a turn of the parameter where forces have a pole, because the rows lose their rank there, and the
 * mechanism cannot pass. Beside a pole multipliers have opposite signs. A turn that is not located (event NULL) and
 * whose forces are continuous is a kink. */
static bool is_lock(const RbvFollowing *f, const RbvPathPoint *from, const RbvPathPoint *event,
                    const RbvPathPoint *to) {
    const RbvEquilibriumSearch *search = &f->path.search;
    const RbvBalance *a = from->balance, *b = to->balance;
    /* Part of kappa times reach that is added to the loads as the scale of forces. */
    double felt = search->start_force +
                  RBV_LEAST_SCALE * search->start_kappa * f->path.scales->reach; /* rows without force have no poles */
    double product = 0;
    for (int32_t k = 0; k < a->rows; k++)
        product += a->lambda[k] * b->lambda[k];
    return event ? rbv_balance_largest(event->balance) >
                       POLE * fmax(felt, fmax(rbv_balance_largest(a), rbv_balance_largest(b)))
                 : product < 0;
}

RbvStatus rbv_following_check_events(RbvFollowing *f, const RbvPathPoint *from, double arc, const RbvPathPoint *to) {
    Change change = change_between(from, to);
    RbvPathPoint event;
    if (change == UNCHANGED)
        return RBV_OK;
    f->path.near_event = change == FALLING;
    RbvStatus status = locate_event(f, from, arc, to, change, &event);
    if (status == RBV_NO_EQUILIBRIUM && !f->path.near_event) { /* perhaps a fork, seen from a bent branch */
        f->path.near_event = true;
        status = locate_event(f, from, arc, to, change, &event);
    }
    f->path.near_event = false;
    if (status == RBV_NO_EQUILIBRIUM && change == FOLD) /* a fold is regular; a pole of the forces or a kink is not */
        return is_lock(f, from, NULL, to) ? RBV_LOCKED : RBV_NO_EQUILIBRIUM;
    if (status == RBV_NO_EQUILIBRIUM) { /* take the middle: the event lies between these two points, and is not located
                                           more closely */
        status = rbv_path_step(&f->path, from, 0.5 * arc, &event);
        if (status == RBV_NO_EQUILIBRIUM)
            return RBV_OK;
    }
    if (status != RBV_OK)
        return status;
    status = change == FOLD && is_lock(f, from, &event, to) ? RBV_LOCKED : note_event(f, change, from, arc, to, &event);
    rbv_path_point_destroy(&event);
    return status;
}

/* A fold changes stability by one motion; but the end of a fork, seen from one of its bent branches, changes
 * nothing. */
bool rbv_following_holds_two_events(const RbvPathPoint *from, const RbvPathPoint *to, double arc) {
    int32_t falling = more_falling(from, to);
    bool fold = change_between(from, to) == FOLD && both_decided(from, to);
    if (fold && falling == 0)
        return arc > FORK_ARC;
    return arc > TWO_EVENTS && (fold ? falling != 1 : falling > 1);
}

/* Stops and one-sided joints along a path: which close and open, and how the path continues. */

RbvStatus rbv_following_stop_at_support(RbvFollowing *f, const RbvPathPoint *now, double *length, RbvPathPoint *next,
                                        const char **ended, bool *met) {
    *met = rbv_path_slack(&f->path, next, NULL) < -1;
    if (!*met)
        return RBV_OK;
    RbvPathPoint event;
    RbvStatus status = locate_event(f, now, *length, next, SUPPORT_CHANGE, &event);
    if (status != RBV_OK)
        return status;
    *length = rbv_path_between(&f->path, now, &event);
    *ended = NULL;
    rbv_path_point_destroy(next);
    *next = event;
    return RBV_OK;
}

/* Names of the supports that come to touch at a point behind `from`, or of those that open (f->opens). Returns their
 * number; -1 if out of memory. */
static int32_t name_supports(RbvFollowing *f, const RbvPathPoint *from, const RbvPathPoint *at, bool released,
                             RbvEvent *event) {
    RbvArena *arena = &f->verifier->record->result->arena;
    const RbvContacts *contacts = &at->supports->contacts;
    event->supports = rbv_arena_alloc(arena, ((size_t)contacts->count + 1) * sizeof *event->supports);
    for (int32_t k = 0; event->supports && k < contacts->count; k++)
        if (released ? f->opens[k] : rbv_path_closes(&f->path, from, at, k)) {
            const char *name = rbv_arena_copy(arena, contacts->items[k].name, strlen(contacts->items[k].name));
            if (!name)
                return -1;
            event->supports[event->support_count++] = name;
        }
    return event->supports ? event->support_count : -1;
}

/* Records the events of supports that close and open at a point behind `from`; `after`: the same point as the path
 * continues. Both events refer to the last sample. Where more supports touch than are needed, the closed set may change
 * without either event. */
static RbvStatus record_switch(RbvFollowing *f, const RbvPathPoint *from, const RbvPathPoint *at, double arc,
                               RbvPathPoint *place, const RbvPathPoint *after) {
    RbvResult *result = f->verifier->record->result;
    const bool turns = at->tangent_u * after->tangent_u < 0,
               before = at->stability.kind == RBV_STABLE && after->stability.kind == RBV_UNSTABLE,
               behind = at->stability.kind == RBV_UNSTABLE && after->stability.kind == RBV_STABLE;
    RbvStatus status = RBV_OK;
    for (int released = 0; status == RBV_OK && released < 2; released++) {
        RbvEvent event = {.kind = released ? "release" : "land",
                          .at = rbv_path_parameter(&f->path, at->u),
                          .sample = result->sample_count - 1,
                          .before = rbv_stability_name(&at->stability),
                          .after = rbv_stability_name(&after->stability),
                          .rises = !turns              ? 0
                                   : at->tangent_u > 0 ? 1
                                                       : -1};
        int32_t count = name_supports(f, from, at, released, &event);
        if (count == 0)
            continue;
        if (count < 0 || !rbv_following_describe(f, place, NULL, &event.place))
            return RBV_NO_MEMORY;
        if (turns && (before || behind)) /* from the side that is not stable */
            status = find_landing(f, before ? after : at, &event,
                                  before ? fmax(arc, RBV_SWITCHED_ARC) : -fmax(arc, RBV_SWITCHED_ARC));
        if (status == RBV_OK && !rbv_result_event(result, &event))
            status = RBV_NO_MEMORY;
    }
    return status;
}

/* True if supports only close at the point, and none opens. */
static bool only_lands(const RbvPathPoint *at, const RbvPathPoint *after) {
    bool only = true;
    for (int32_t k = 0; k < at->supports->contacts.count; k++)
        only = only && (after->supports->closed[k] || !at->supports->closed[k]);
    return only;
}

/* Ends the path where a support closes or opens and nothing continues the path. */
static RbvStatus end_at_support(RbvFollowing *f, RbvPathPoint *at) {
    RbvFollowed *followed = &f->verifier->record->result->followed;
    int32_t k = rbv_path_tightest(&f->path, at, NULL);
    char why[400];
    snprintf(why, sizeof why,
             at->supports->closed[k]
                 ? "'%s' lets go there, and nothing rests near by beyond"
                 : "it meets '%s' there, and no equilibrium is found near by beyond: what drives it there jams",
             at->supports->contacts.items[k].name);
    RbvStatus status = rbv_following_record(f, at);
    if (status != RBV_OK)
        return status;
    followed->reached = rbv_path_parameter(&f->path, at->u);
    followed->places++;
    return rbv_following_end_early(f, why);
}

/* The sample of the event shows the point with supports without force open. */
RbvStatus rbv_following_switch_supports(RbvFollowing *f, const RbvPathPoint *from, double arc, RbvPathPoint *at) {
    RbvPathPoint after;
    RbvStatus status = rbv_path_switch(&f->path, at, false, f->opens, &after);
    if (status == RBV_NO_EQUILIBRIUM) /* the point itself is an equilibrium */
        status = end_at_support(f, at);
    if (status != RBV_OK)
        return status;
    RbvPathPoint *row = only_lands(at, &after) ? at : &after;
    status = rbv_following_record(f, row);
    if (status == RBV_OK)
        status = record_switch(f, from, at, arc, row, &after);
    f->turns += at->tangent_u * after.tangent_u < 0;
    rbv_path_point_destroy(at);
    *at = after;
    return status;
}

RbvStatus rbv_following_begin_supports(RbvFollowing *f, RbvPathPoint *now) {
    RbvPathPoint after;
    if (!now->supports || rbv_path_slack(&f->path, now, NULL) > 1)
        return RBV_OK;
    RbvStatus status = rbv_path_switch(&f->path, now, true, f->opens, &after);
    if (status != RBV_OK)
        return status;
    rbv_path_point_destroy(now);
    *now = after;
    return RBV_OK;
}
