/* Piecewise laws (mechanics/element/pieces.h) that reach the end of their piece: abs(x) at 0, if(l > 2, ...) at 2. The
 * step ends there, and the motion continues on the next piece.
 *
 * Where the next piece pushes back the motion stays between both pieces (dynamics/integration/flow.c) until one of
 * them no longer does: x' = 0 under -5 sign(x'), as long as less than 5 N push. With u the margin of the switch, whose
 * sign tells the piece, and u' its rate on either piece, the motion stays at u = 0:
 *
 *   (1 - share) u'_held + share u'_other = 0,   held: the piece it comes from,   other: the next piece
 *
 * The passage from one piece to the next is not a reported event: forces jump or kink, velocities do not. */
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "dynamics/integration/flow.h"

#include <math.h>
#include <stdio.h>

/* Number of changes of pieces within RBV_FITS [s] that counts as without end. */
#define MOST_LAW_FLIPS 1000

/* Returns for which piece number k of the laws between two pieces leaves: 1: the other piece, -1: the held piece, 0:
 * none. */
static int leaves(const RbvPieces *p, int32_t k) {
    double share = p->between[k].share;
    /* A share beyond its bounds 0 and 1 by less than this is rounding. */
    return (share > 1 + RBV_SAME) - (share < -RBV_SAME || isnan(share));
}

/* Also fills here[] and margins[] of the pieces for the state: other functions call it for that. */
bool rbv_laws_leave(RbvEventLoop *h, bool forces) {
    RbvState *state = h->flow->state;
    RbvPieces *p = &h->pieces;
    if (p->total == 0 || p->follows)
        return false;
    for (int32_t k = 0; forces && k < p->between_count; k++)
        if (leaves(p, k) != 0)
            return true;
    for (int32_t k = 0; k < p->count; k++) {
        const RbvLaw *law = &p->laws[k];
        if (law->owner == RBV_LAW_STATE || law->owner == RBV_LAW_MASS)
            rbv_state_expression(state, law->expr, NULL, h->value);
    }
    rbv_power_look(&h->flow->power, state);
    return rbv_pieces_left(p) >= 0;
}

/* Reports that the law of switch `at` (index among all switches) changes without end; LOCKED. */
static RbvStatus report_endless_law(RbvEventLoop *h, int32_t at) {
    const RbvModel *model = h->flow->system->model;
    const RbvLaw *law = rbv_pieces_law(&h->pieces, at);
    char who[200];
    rbv_law_describe(model, law, who, sizeof who);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "at t = %.9g s %s changes without end, back and forth between two pieces of '%s': more than %d times "
                 "within %g s. A steep slope, such as tanh(x'/v0) in place of sign(x'), does not switch",
                 h->stepper->t, who, rbv_expr_text(law->expr), MOST_LAW_FLIPS, RBV_FITS);
    return RBV_LOCKED;
}

/* Counts a change of pieces; returns whether there are too many in too short a time. */
static bool flips_endlessly(RbvEventLoop *h) {
    double t = h->stepper->t;
    if (t - h->laws_from > RBV_FITS) {
        h->laws_from = t;
        h->law_flips = 0;
    }
    return ++h->law_flips > MOST_LAW_FLIPS;
}

/* Puts the switches that have changed together, of which `at` is one, between both pieces: `turned` has the pieces that
 * they come from, which become the held ones, and `held` the next ones, which become the other ones with weight share.
 * False: too many laws are between pieces. */
static bool begin_between(RbvEventLoop *h, int32_t at, double share) {
    RbvPieces *p = &h->pieces;
    const RbvLaw *law = rbv_pieces_law(p, at);
    int32_t k = p->between_count;
    if (k == RBV_MOST_BETWEEN)
        return false;
    p->between[k] = (RbvBetween){(int32_t)(law - p->laws), (at - law->first) / law->count, at, share};
    for (int32_t i = 0; i < p->total; i++)
        if (p->turned[i] != RBV_NOT_TURNED) {
            p->group[i] = k;
            p->other[i] = p->held[i];
            p->held[i] = p->turned[i];
        }
    p->between_count++;
    return true;
}

/* Moves laws from the pieces they are held on to those of the state, or between both if the next ones push back: the
 * margin of switch `at` has rates u' of opposite signs before and after. */
static RbvStatus change(RbvEventLoop *h, int32_t at) {
    RbvPieces *p = &h->pieces;
    double before = rbv_between_rate(h->flow, at);
    for (int32_t i = 0; i < p->total; i++)
        p->turned[i] = p->group[i] < 0 && p->held[i] != p->here[i] ? p->held[i] : RBV_NOT_TURNED;
    rbv_pieces_go_on(p);
    RbvStatus status = rbv_stepper_turn(h->stepper);
    double after = status == RBV_OK ? rbv_between_rate(h->flow, at) : 0;
    if (status == RBV_OK && before * after < 0 && begin_between(h, at, before / (before - after)))
        status = rbv_stepper_turn(h->stepper);
    return status;
}

RbvStatus rbv_laws_go_on(RbvEventLoop *h) {
    RbvPieces *p = &h->pieces;
    RbvStatus status = RBV_OK;
    int32_t at;
    bool ended = false;
    for (int32_t k = p->between_count - 1; k >= 0; k--) {
        int to = leaves(p, k);
        if (to != 0)
            rbv_pieces_end_between(p, k, to > 0);
        ended = ended || to != 0;
    }
    if (ended)
        return flips_endlessly(h) ? report_endless_law(h, 0) : rbv_stepper_turn(h->stepper);
    for (int32_t k = 0; status == RBV_OK && rbv_laws_leave(h, false) && (at = rbv_pieces_left(p)) >= 0;
         k++) { /* a change of branch can change other switches */
        if (flips_endlessly(h) || k > p->total)
            return report_endless_law(h, at);
        status = change(h, at);
    }
    return status;
}

void rbv_laws_follow(RbvEventLoop *h, bool rates_jump) {
    while (rates_jump && h->pieces.between_count > 0)
        rbv_pieces_end_between(&h->pieces, 0, false);
    h->pieces.follows = true;
}

void rbv_laws_hold(RbvEventLoop *h) {
    if (h->pieces.total > 0 && h->pieces.follows) {
        h->pieces.follows = false;
        rbv_laws_leave(h, false);
        rbv_pieces_go_on(&h->pieces);
    }
}
