/* Near singular positions; see hop.h. */
#include "dynamics/hop.h"

#include <math.h>

/* Singular values below a hundredth, or at least on the way there (where forces jump, as at the knots of a cam, it is
 * 1); what holding the stages makes of an error, at least; trials, each a little shorter, by more than where sigma is
 * rounding takes: some 1e-4 of a radian. */
#define NEAR_SINGULAR 1e4
#define TOWARDS_SINGULAR 30
#define HELPED 0.1
#define MOST_HOPS 12
#define HOP 0.93
/* Rows are held to this part of the size: what accelerations are off by for that grows with 1 / sigma^2. */
#define ROUNDING 1e-15
/* Of the longest step: shorter ones do not lead across. */
#define LEAST_HOP 1e-5

/* After the last trial: no other length is better than the best of them, if what is left of its error is rounding
 * over sigma^2. Shorter steps have more stages near, and more of it; where errors fall with the length, as those of a
 * step that stability bounds do, shorter ones lead on. */
static bool settle(RbvStepper *s, RbvHops *hops) {
    if (hops->length == 0 || hops->best < HELPED * hops->longest)
        return false;
    hops->settles = true;
    s->h = hops->length;
    s->rejected++;
    return true;
}

/* Near a singular position rows are met by accelerations along a motion that they resist by sigma only: states off
 * them by delta get delta / sigma of it. So the stages of a step, which are off by some power of its length, make
 * errors that no step is short enough for, and the shorter it is the more of its stages are near. The motion itself
 * is smooth there. Hence a trial that is refused there, or whose error is far from what steps before it had, is made
 * again with each stage held to the rows, a little shorter each time, so that none lies where sigma is rounding; as
 * long as that helps. Friction jams near such positions: there it is not led across. A first step may be too long for
 * anything, and its stages be wherever they have been thrown: singular positions among them are none of the motion. */
bool rbv_hop(RbvStepper *s, RbvHops *hops, double h, double error) {
    if (s->implicit || s->flow->sliding.count > 0 || s->steps == 0)
        return false;
    if (hops->settles) { /* and was refused */
        hops->settles = false;
        hops->tried = MOST_HOPS + 1;
        return false;
    }
    if (s->flow->held && error > 0 && error < RBV_HOP_FAR_OFF && error * s->tolerance <= ROUNDING * s->nearness &&
        (hops->length == 0 || error < hops->best)) {
        hops->longest = hops->length == 0 ? error : hops->longest;
        hops->best = error;
        hops->length = h;
    }
    if (hops->tried >= MOST_HOPS)
        return hops->tried == MOST_HOPS && settle(s, hops);
    bool first = hops->tried == 0, near = s->nearness > NEAR_SINGULAR,
         helps = first ? error > RBV_HOP_FAR_OFF : error > 1 && error < HELPED * hops->worst;
    if (!(near || (helps && s->nearness > TOWARDS_SINGULAR)) || h < LEAST_HOP * s->longest ||
        s->flow->system->row_count == 0)
        return false;
    hops->whole = first ? h : hops->whole;
    hops->worst = first ? error : hops->worst;
    hops->tried++;
    s->h = hops->whole * pow(HOP, hops->tried);
    s->flow->held = true;
    s->rejected++;
    return true;
}
