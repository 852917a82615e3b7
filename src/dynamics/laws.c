/* Laws at the ends of their pieces; see laws.h. */
#include "dynamics/laws.h"

#include "base/diagnostics.h"

#include <math.h>
#include <stdio.h>

/* So many changes of pieces within so short a time [s]: without end. */
#define MOST_FLIPS 1000
#define FLIPS_WITHIN 1e-6

bool rbv_laws_leave(RbvHybrid *h) {
    RbvState *state = h->flow->state;
    RbvPieces *p = &h->pieces;
    if (p->total == 0 || p->follows)
        return false;
    for (int32_t k = 0; k < p->count; k++) {
        const RbvLaw *law = &p->laws[k];
        if (law->owner == RBV_LAW_STATE || law->owner == RBV_LAW_MASS)
            rbv_state_expression(state, law->expr, NULL, h->value);
    }
    rbv_power_look(&h->flow->power, state);
    return rbv_pieces_left(p, 0) >= 0;
}

static RbvStatus say_endless(RbvHybrid *h, int32_t law) {
    const RbvModel *model = h->flow->system->model;
    char who[200];
    rbv_law_describe(model, &h->pieces.laws[law], who, sizeof who);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "at t = %.9g s %s changes without end, back and forth between two pieces of '%s': more than %d times within %g s. A steep slope, such as tanh(x'/v0) in place of sign(x'), does not switch", h->stepper->t,
                 who, rbv_expr_text(h->pieces.laws[law].expr), MOST_FLIPS, FLIPS_WITHIN);
    return RBV_LOCKED;
}

RbvStatus rbv_laws_go_on(RbvHybrid *h) {
    RbvPieces *p = &h->pieces;
    RbvStatus status = RBV_OK;
    double t = h->stepper->t;
    int32_t law;
    for (int32_t k = 0; status == RBV_OK && rbv_laws_leave(h) && (law = rbv_pieces_left(p, 0)) >= 0; k++) { /* a branch that is taken may bring other switches along */
        if (t - h->laws_from > FLIPS_WITHIN) {
            h->laws_from = t;
            h->law_flips = 0;
        }
        if (++h->law_flips > MOST_FLIPS || k > p->total)
            return say_endless(h, law);
        rbv_pieces_go_on(p);
        status = rbv_stepper_turn(h->stepper);
    }
    return status;
}

void rbv_laws_follow(RbvHybrid *h) {
    h->pieces.follows = true;
}

void rbv_laws_hold(RbvHybrid *h) {
    if (h->pieces.total > 0 && h->pieces.follows) {
        h->pieces.follows = false;
        rbv_laws_leave(h);
        rbv_pieces_go_on(&h->pieces);
    }
}
