/* Events between two points of a path: folds, changes of stability, lock-ups; see following.h. */
#include "statics/following.h"

#include "statics/switching.h"

#include <math.h>
#include <stdlib.h>

/* Least arcs: steps are not shortened below these to separate events. */
#define TWO_EVENTS 1e-5
#define FORK_ARC 1e-3
/* POLE: ratio of forces at a fold to those beside it, above which it is a pole. FELT: part of kappa times reach that is
 * added to the loads as the scale of forces. */
#define POLE 30.0
#define FELT 1e-3
/* Part of the arc between two points to which an event is located. */
#define EVENT_ARC 1e-9
#define MOST_DIVISIONS 60

/* Kind of change at an event: direction of the parameter, number of motions with decreasing energy, number of
 * oscillations with growing amplitude, closed supports. */
typedef enum Change { UNCHANGED, FOLD, FALLING, FLUTTER, SUPPORT_CHANGE } Change;

static bool both_decided(const RbvPlace *from, const RbvPlace *to) {
    return from->stability.kind != RBV_UNDECIDED && to->stability.kind != RBV_UNDECIDED;
}

static int32_t more_falling(const RbvPlace *from, const RbvPlace *to) {
    return both_decided(from, to) ? abs(from->stability.falling - to->stability.falling) : 0;
}

static Change change_between(const RbvPlace *from, const RbvPlace *to) {
    return from->tangent_u * to->tangent_u < 0                                          ? FOLD
           : more_falling(from, to) > 0                                                 ? FALLING
           : both_decided(from, to) && from->stability.flutter != to->stability.flutter ? FLUTTER
                                                                                        : UNCHANGED;
}

/* A number at a point near `from` that changes its sign at the event. */
static double sign_changing_number(RbvFollowing *f, Change change, bool begins_to_fall, const RbvPlace *from,
                                   const RbvPlace *to, const RbvPlace *place) {
    if (change == SUPPORT_CHANGE)
        return rbv_path_slack(&f->path, place, to);
    const RbvStability *s = &place->stability;
    double size = isnan(s->margin) || change == FLUTTER ? 1 : fabs(s->margin);
    bool before = change == FLUTTER ? s->flutter == from->stability.flutter : s->falling == from->stability.falling;
    if (change == FALLING && s->level && !isnan(s->margin)) /* a curvature that counts as zero still has a sign */
        before = (s->margin > 0) == begins_to_fall;
    return change == FOLD ? place->tangent_u : before ? size : -size;
}

/* Locates the arc from `from` at which sought() changes its sign, by the Illinois method with bisections. *event: the
 * point there. */
static RbvStatus locate_event(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to, Change change,
                              RbvPlace *event) {
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
        RbvPlace place;
        RbvStatus status = rbv_path_step(&f->path, from, middle, &place);
        if (status == RBV_NO_EQUILIBRIUM && placed)
            break; /* so near a bifurcation that Newton's method has no direction: accurate enough */
        if (status != RBV_OK) {
            if (placed)
                rbv_place_destroy(event);
            return status;
        }
        if (placed)
            rbv_place_destroy(event);
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

RbvStatus rbv_following_locate_pressed(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to,
                                       RbvPlace *event) {
    return locate_event(f, from, arc, to, SUPPORT_CHANGE, event);
}

/* Stability beside an event. A point so near that it is neutral itself takes the stability of the other point if the
 * same number of motions have decreasing energy there. */
static const RbvStability *stability_beside(const RbvPlace *place, const RbvPlace *other) {
    return place->stability.kind == RBV_NEUTRAL && place->stability.falling == other->stability.falling
               ? &other->stability
               : &place->stability;
}

static RbvStatus note_event(RbvFollowing *f, Change change, const RbvPlace *from, double arc, const RbvPlace *to,
                            RbvPlace *place) {
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
    const double *motion = change == FOLD ? place->tangent : change == FLUTTER ? NULL : place->stability.nearest;
    RbvStatus status = rbv_following_keep(f, place);
    if (status == RBV_OK && !rbv_following_describe(f, place, motion, &event.place))
        status = RBV_NO_MEMORY;
    if (change == FOLD)
        event.rises = from->tangent_u > 0 ? 1 : -1;
    bool before = from->stability.kind == RBV_STABLE && to->stability.kind == RBV_UNSTABLE,
         behind = from->stability.kind == RBV_UNSTABLE && to->stability.kind == RBV_STABLE;
    if (status == RBV_OK && change == FOLD && (before || behind)) {
        event.kind = "snap-through";
        status = rbv_following_land(f, place, &event, before ? arc : -arc);
    }
    return status == RBV_OK && !rbv_result_event(result, &event) ? RBV_NO_MEMORY : status;
}

/* True for a lock-up: a turn of the parameter where forces have a pole, because the rows lose their rank there, and the
 * mechanism cannot pass. Beside a pole multipliers have opposite signs. A turn that is not located (event NULL) and
 * whose forces are continuous is a kink. */
static bool is_lock(const RbvFollowing *f, const RbvPlace *from, const RbvPlace *event, const RbvPlace *to) {
    const RbvEquilibriumSearch *search = &f->path.search;
    const RbvBalance *a = from->balance, *b = to->balance;
    double felt =
        search->start_force + FELT * search->start_kappa * f->path.scales->reach; /* rows without force have no poles */
    double product = 0;
    for (int32_t k = 0; k < a->rows; k++)
        product += a->lambda[k] * b->lambda[k];
    return event ? rbv_balance_largest(event->balance) >
                       POLE * fmax(felt, fmax(rbv_balance_largest(a), rbv_balance_largest(b)))
                 : product < 0;
}

RbvStatus rbv_following_look_between(RbvFollowing *f, const RbvPlace *from, double arc, const RbvPlace *to) {
    Change change = change_between(from, to);
    RbvPlace event;
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
    rbv_place_destroy(&event);
    return status;
}

/* A fold changes stability by one motion; but the end of a fork, seen from one of its bent branches, changes
 * nothing. */
bool rbv_following_too_much_at_once(const RbvPlace *from, const RbvPlace *to, double arc) {
    int32_t falling = more_falling(from, to);
    bool fold = change_between(from, to) == FOLD && both_decided(from, to);
    return fold && falling == 0 ? arc > FORK_ARC : arc > TWO_EVENTS && (fold ? falling != 1 : falling > 1);
}
