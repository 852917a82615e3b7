/* Points of a path where closed stops and one-sided joints change.
 *
 *   gap g >= 0,   push p >= 0,   g p = 0 along the path
 * The slack of an open support is its gap, that of a closed one its push. Where one slack falls to zero, the point is
 * in equilibrium with that support closed and open. From there the path continues with the set of touching supports,
 * and to the side, for which neither gaps nor pushes become negative. The tangent has a kink, and the parameter may
 * turn.
 * Few supports touch at once: all sets of them are tried by a short step to either side. */
#include "statics/path.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Multiple of the tolerance of forces: a smaller pull is rounding. */
#define SMALL_PULL 10.0
/* In tolerances: TOUCHING_SLACK: slack of a support that touches at an event. RBV_NOTICEABLE: decrease of a slack in a
 * trial that still counts as constant. */
#define TOUCHING_SLACK 3.0
/* Most touching supports of which all sets are tried: those with the least slack. */
#define MOST_TOUCHING 6
/* Arcs of trial steps. */
#define TRIAL_ARC 1e-4
#define LEAST_TRIAL 1e-7

/* Gap of support k, in tolerances. Limits may depend on the parameter, and the system that points share may be set
 * elsewhere: it is set to this point first. */
static double gap_of(RbvPath *path, const RbvPathPoint *place, int32_t k) {
    RbvStatus status = rbv_path_set_parameter(path, place);
    path->no_memory = path->no_memory || status == RBV_NO_MEMORY;
    return status == RBV_OK ? rbv_supports_gap(place->supports, k) / RBV_SAME : (double)NAN;
}

/* Slack of support k, in tolerances: push if closed, gap if open. */
static double slack_of(RbvPath *path, const RbvPathPoint *place, int32_t k) {
    path->search.balance = place->balance; /* the loads may vanish here, but rounding of those at the start does not */
    double tolerance = fmax(rbv_equilibrium_tolerance(&path->search), RBV_EQUILIBRIUM_LEFT * path->search.start_force);
    return place->supports->closed[k] ? rbv_supports_push(place->supports, k) / (SMALL_PULL * tolerance)
                                      : gap_of(path, place, k);
}

int32_t rbv_path_tightest(RbvPath *path, const RbvPathPoint *place, const RbvPathPoint *behind) {
    int32_t tightest = -1;
    for (int32_t k = 0; place->supports && k < place->supports->contacts.count; k++)
        if (place->supports->enabled[k] && (!behind || slack_of(path, behind, k) < -1) &&
            (tightest < 0 || slack_of(path, place, k) < slack_of(path, place, tightest)))
            tightest = k;
    return tightest;
}

double rbv_path_slack(RbvPath *path, const RbvPathPoint *place, const RbvPathPoint *behind) {
    int32_t k = rbv_path_tightest(path, place, behind);
    return k < 0 ? INFINITY : slack_of(path, place, k);
}

/* True if support k touches at `at` and is open at `other`. */
static bool comes_apart(RbvPath *path, const RbvPathPoint *at, const RbvPathPoint *other, int32_t k) {
    double gap = gap_of(path, at, k);
    return at->supports->enabled[k] && gap <= TOUCHING_SLACK && gap_of(path, other, k) - gap > RBV_NOTICEABLE;
}

bool rbv_path_closes(RbvPath *path, const RbvPathPoint *from, const RbvPathPoint *to, int32_t k) {
    return comes_apart(path, to, from, k);
}

typedef struct Switch {
    RbvPath *path;
    const RbvPathPoint *at;
    bool first;
    int32_t touching[MOST_TOUCHING], count;
    bool *closed;          /* [contacts] closed supports of the set that is tried */
    bool *opening, *opens; /* [contacts] supports that open with the set that is tried, and with the best one */
    RbvPathPoint best;
    int score; /* score of the best set; -1: none */
} Switch;

/* Lists the touching supports by increasing slack. */
static void find_touching(Switch *s) {
    const RbvSupports *supports = s->at->supports;
    for (int32_t k = 0; k < supports->contacts.count; k++) {
        double slack = slack_of(s->path, s->at, k);
        int32_t n = s->count;
        if (!supports->enabled[k] || !(slack <= TOUCHING_SLACK))
            continue;
        while (n > 0 && slack_of(s->path, s->at, s->touching[n - 1]) > slack)
            n--;
        if (n == MOST_TOUCHING)
            continue;
        s->count = s->count < MOST_TOUCHING ? s->count + 1 : MOST_TOUCHING;
        memmove(s->touching + n + 1, s->touching + n, (size_t)(s->count - 1 - n) * sizeof *s->touching);
        s->touching[n] = k;
    }
}

/* Makes a short step along the tangent. *allowed: no slack of a touching support decreases. */
static RbvStatus try_step(Switch *s, const RbvPathPoint *place, bool *allowed) {
    RbvPathPoint trial = {0};
    RbvStatus status = RBV_NO_EQUILIBRIUM;
    *allowed = false;
    for (double arc = TRIAL_ARC; status == RBV_NO_EQUILIBRIUM && arc > LEAST_TRIAL; arc *= 0.1)
        status = rbv_path_step(s->path, place, arc, &trial);
    if (status != RBV_OK)
        return status == RBV_NO_EQUILIBRIUM ? RBV_OK : status;
    *allowed = true;
    for (int32_t n = 0; n < s->count; n++) {
        double before = slack_of(s->path, place, s->touching[n]), behind = slack_of(s->path, &trial, s->touching[n]);
        *allowed = *allowed && behind - before >= -RBV_NOTICEABLE;
    }
    for (int32_t k = 0; k < place->supports->contacts.count; k++)
        s->opening[k] = comes_apart(s->path, place, &trial, k);
    rbv_path_point_destroy(&trial);
    return RBV_OK;
}

/* Score of a continuation: stable ones first, then those that continue the direction of the parameter, then those with
 * the fewest changes. */
static int score_of(const Switch *s, const RbvPathPoint *place, int changes) {
    bool on = s->at->tangent_u * place->tangent_u > 0;
    return 100 * (place->stability.kind == RBV_STABLE) + 50 * on + MOST_TOUCHING - changes;
}

/* Tries one set, to either side, and keeps it if it is better than the best so far. */
static RbvStatus try_set(Switch *s, int changes) {
    RbvPathPoint place;
    RbvStatus status = rbv_path_change(s->path, s->at, s->closed, &place);
    if (status != RBV_OK)
        return status == RBV_NO_EQUILIBRIUM ? RBV_OK : status;
    bool allowed = false;
    for (int side = 0; status == RBV_OK && !allowed && side < 2; side++) {
        if (side == 1)
            rbv_path_point_reverse(&place, place.balance->n);
        if (!s->first || place.tangent_u > 0)
            status = try_step(s, &place, &allowed);
    }
    int score = allowed ? score_of(s, &place, changes) : -1;
    if (status == RBV_OK && score > s->score) {
        rbv_path_point_destroy(&s->best);
        s->best = place;
        s->score = score;
        memcpy(s->opens, s->opening, (size_t)s->at->supports->contacts.count * sizeof *s->opens);
    } else {
        rbv_path_point_destroy(&place);
    }
    return status;
}

RbvStatus rbv_path_switch(RbvPath *path, const RbvPathPoint *at, bool first, bool *opens, RbvPathPoint *to) {
    size_t contacts = (size_t)at->supports->contacts.count;
    Switch s = {
        .path = path, .at = at, .first = first, .score = -1, .closed = malloc(2 * contacts + 1), .opens = opens};
    RbvStatus status = s.closed ? RBV_OK : RBV_NO_MEMORY;
    s.opening = s.closed ? s.closed + contacts : NULL;
    if (status == RBV_OK)
        find_touching(&s);
    for (uint32_t set = first ? 0 : 1; status == RBV_OK && set < 1u << s.count; set++) {
        int changes = 0;
        memcpy(s.closed, at->supports->closed, contacts);
        for (int32_t n = 0; n < s.count; n++)
            if (set >> n & 1) {
                s.closed[s.touching[n]] = !s.closed[s.touching[n]];
                changes++;
            }
        status = try_set(&s, changes);
    }
    free(s.closed);
    if (status == RBV_OK && s.score < 0)
        status = RBV_NO_EQUILIBRIUM;
    if (status == RBV_OK)
        *to = s.best;
    else
        rbv_path_point_destroy(&s.best);
    return status;
}
