/* Stability with one-sided supports; see supported.h.
 * Supports with force (p > 0) act as rows: to first order nothing leaves them. Supports that touch without force (g =
 * 0, p = 0), called weak here, bound a cone of motions. With one of them u or -u is in the cone for every motion u, so
 * that the energy increases in the cone if and only if it increases in all motions. With several, a motion along which
 * the energy decreases decides if it or its opposite is in the cone, or if the energy decreases even with all of them
 * closed; otherwise stability is not decided. */
#include "statics/supported.h"

#include <math.h>
#include <stdlib.h>

/* Multiple of the tolerance of forces: a support with a smaller push is weak. */
#define WEAK_PUSH 10.0
/* Part of the largest gap velocity along a motion: a gap that changes by less stays. */
#define SAME_GAP 1e-9

static bool touches(const RbvSupports *s, int32_t k) {
    return s->there[k] && (s->held[k] || fabs(rbv_supports_gap(s, k)) <= RBV_SUPPORT_TOUCHES);
}

/* True if the motion, scaled as steps, enters none of the weak supports, or its opposite enters none. */
static bool is_in_cone(const RbvSupports *s, const bool *weak, const double *direction) {
    RbvBalance *b = s->balance;
    double least = 0, most = 0, rate = 0;
    const RbvTwist *twists = rbv_balance_push(b, direction);
    for (int32_t k = 0; k < s->contacts.count; k++) {
        if (!weak[k])
            continue;
        double gap = rbv_contacts_along(&s->contacts.items[k], b->state, twists);
        least = fmin(least, gap);
        most = fmax(most, gap);
        rate = fmax(rate, fabs(gap));
    }
    rbv_balance_place(b);
    return least >= -SAME_GAP * rate || most <= SAME_GAP * rate;
}

/* Closes or opens the weak supports, with multipliers 0. */
static void set_weak(RbvSupports *s, const bool *weak, bool holds) {
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (weak[k])
            rbv_supports_take(s, k, holds);
    rbv_balance_weigh(s->balance);
    rbv_balance_place(s->balance);
}

static int32_t find_weak(const RbvEquilibriumSearch *search, bool *weak) {
    const RbvSupports *s = search->supports;
    double tolerance = WEAK_PUSH * rbv_equilibrium_tolerance((RbvEquilibriumSearch *)search);
    int32_t count = 0;
    for (int32_t k = 0; k < s->contacts.count; k++) {
        weak[k] = touches(s, k) && (!s->held[k] || rbv_supports_push(s, k) <= tolerance);
        count += weak[k];
    }
    return count;
}

/* For the case that the motions with open weak supports do not decide: stability with all of them closed. */
static RbvStatus decide_held(RbvEquilibriumSearch *search, bool has_energy, const bool *weak, RbvStability *stability) {
    free(stability->direction);
    set_weak(search->supports, weak, true);
    RbvStatus status = rbv_stability_find(search->balance, has_energy, search->off, stability);
    if (status == RBV_OK && stability->kind != RBV_UNSTABLE) {
        stability->kind = RBV_UNDECIDED;
        stability->curvature = NAN;
        stability->touches = true;
    }
    return status;
}

RbvStatus rbv_supported_stability(RbvEquilibriumSearch *search, bool has_energy, RbvStability *stability) {
    RbvSupports *s = search->supports;
    bool *weak = s ? calloc((size_t)s->contacts.count + 1, sizeof *weak) : NULL;
    if (!s)
        return rbv_stability_find(search->balance, has_energy, search->off, stability);
    if (!weak)
        return RBV_NO_MEMORY;
    int32_t count = find_weak(search, weak);
    if (count > 0)
        set_weak(s, weak, false);
    RbvStatus status = rbv_stability_find(search->balance, has_energy, search->off, stability);
    bool falls = status == RBV_OK && (stability->kind == RBV_UNSTABLE || stability->kind == RBV_NEUTRAL);
    if (falls && count > 1 && !is_in_cone(s, weak, stability->direction))
        status = decide_held(search, has_energy, weak, stability);
    else if (count > 0 && !(falls && stability->kind == RBV_UNSTABLE))
        set_weak(s, weak, true);
    free(weak);
    return status;
}
