/* Stability with one-sided supports; see supported.h.
 *
 * Pressed supports (p > 0) are rows: to first order nothing leaves them. Those that only touch (g = 0, p = 0) bound a
 * cone: with one of them u or -u is in it for every motion u, so that the energy rises in the cone if and only if it
 * rises altogether. With several, a motion in which it falls decides if it or its opposite is in the cone, or if it
 * falls even with all of them held; else it is not decided.
 */
#include "statics/supported.h"

#include <math.h>
#include <stdlib.h>

/* Times what may be left over: what is pressed by less touches only. */
#define PRESSED 10.0
/* Of the largest rate along a motion: a gap that changes by less stays. */
#define STAYS 1e-9

static bool touches(const RbvSupports *s, int32_t k) {
    return s->there[k] && (s->held[k] || fabs(rbv_supports_gap(s, k)) <= RBV_SUPPORT_TOUCHES);
}

/* Does the motion, scaled as steps are, go into none of the weak supports, or (its opposite) out of none? */
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
    return least >= -STAYS * rate || most <= STAYS * rate;
}

/* Weak supports hold, or do not. */
static void set_weak(RbvSupports *s, const bool *weak, bool holds) {
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (weak[k])
            rbv_supports_take(s, k, holds);
    rbv_balance_weigh(s->balance);
    rbv_balance_place(s->balance);
}

static int32_t find_weak(const RbvEquilibriumSearch *search, bool *weak) {
    const RbvSupports *s = search->supports;
    double tolerance = PRESSED * rbv_equilibrium_tolerance((RbvEquilibriumSearch *)search);
    int32_t count = 0;
    for (int32_t k = 0; k < s->contacts.count; k++) {
        weak[k] = touches(s, k) && (!s->held[k] || rbv_supports_push(s, k) <= tolerance);
        count += weak[k];
    }
    return count;
}

/* Not decided by the motions without weak supports: with all of them held? */
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
