/* Near singular positions; see singular_crossing.h. */
#include "dynamics/singular_crossing.h"

#include <math.h>

/* Singular values below a hundredth, or at least on the way there (where forces jump, as at the knots of a cam, it is
 * 1); what holding the stages makes of an error, at least; trials, each a little shorter, by more than where sigma is
 * rounding takes: some 1e-4 of a radian. */
#define NEAR_SINGULAR 1e4
#define TOWARDS_SINGULAR 30
#define HELPED 0.1
#define MOST_CROSSINGS 12
#define CROSSING 0.93
/* Rows are held to this part of the size: what accelerations are off by for that grows with 1 / sigma^2. */
#define ROUNDING 1e-15
/* Of the longest step: shorter ones do not lead across. */
#define LEAST_CROSSING 1e-5

/* After the last trial: no other length is better than the best of them, if what is left of its error is rounding
 * over sigma^2. Shorter steps have more stages near, and more of it; where errors fall with the length, as those of a
 * step that stability bounds do, shorter ones lead on. */
static bool settle(RbvStepper *s, RbvSingularCrossing *trials) {
    if (trials->length == 0 || trials->best < HELPED * trials->longest)
        return false;
    trials->settles = true;
    s->h = trials->length;
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
bool rbv_singular_crossing_retries(RbvStepper *s, RbvSingularCrossing *trials, double h, double error) {
    if (s->implicit || s->flow->sliding.count > 0 || s->steps == 0)
        return false;
    if (trials->settles) { /* and was refused */
        trials->settles = false;
        trials->tried = MOST_CROSSINGS + 1;
        return false;
    }
    if (s->flow->held && error > 0 && error < RBV_CROSSING_FAR_OFF && error * s->tolerance <= ROUNDING * s->nearness &&
        (trials->length == 0 || error < trials->best)) {
        trials->longest = trials->length == 0 ? error : trials->longest;
        trials->best = error;
        trials->length = h;
    }
    if (trials->tried >= MOST_CROSSINGS)
        return trials->tried == MOST_CROSSINGS && settle(s, trials);
    bool first = trials->tried == 0, near = s->nearness > NEAR_SINGULAR,
         helps = first ? error > RBV_CROSSING_FAR_OFF : error > 1 && error < HELPED * trials->worst;
    if (!(near || (helps && s->nearness > TOWARDS_SINGULAR)) || h < LEAST_CROSSING * s->longest ||
        s->flow->system->row_count == 0)
        return false;
    trials->whole = first ? h : trials->whole;
    trials->worst = first ? error : trials->worst;
    trials->tried++;
    s->h = trials->whole * pow(CROSSING, trials->tried);
    s->flow->held = true;
    s->rejected++;
    return true;
}
