/* Steps near singular positions; see singular_crossing.h. */
#include "dynamics/integration/singular_crossing.h"

#include <math.h>

/* 1 / sigma^2 for singular values below a hundredth, or at least on the way there (where forces jump, as at the knots
 * of a cam, it is 1); largest ratio of errors for which projecting the stages has helped; number of trials; ratio of
 * their lengths: each differs by more than the range where sigma is rounding, some 1e-4 of a radian. */
#define NEAR_SINGULAR 1e4
#define TOWARDS_SINGULAR 30
#define HELPED 0.1
#define MOST_CROSSINGS 12
#define CROSSING 0.93
/* Rows are satisfied to this part of the size; the resulting error of accelerations grows with 1 / sigma^2. */
#define ROUNDING 1e-15
/* Relative to the longest step: shorter steps do not lead across. */
#define LEAST_CROSSING 1e-5

/* After the last trial: no other length is better than the best trial if its remaining error is rounding over sigma^2.
 * Shorter steps have more stages near the position, and more of that error; where errors fall with the length, as those
 * of a step bounded by stability do, shorter steps make progress. Returns true, with the length in s->h, if the best
 * trial is to be repeated. */
static bool settle(RbvStepper *s, RbvSingularCrossing *trials) {
    if (trials->length == 0 || trials->best < HELPED * trials->longest)
        return false;
    trials->settles = true;
    s->h = trials->length;
    s->rejected++;
    return true;
}

/* Near a singular position accelerations satisfy rows along a motion that the rows resist by sigma only: states off the
 * constraints by delta have an error delta / sigma along it. The stages of a step are off by some power of its length,
 * so they cause errors for which no step is short enough, and the shorter the step is the more of its stages are near.
 * The motion itself is smooth there. Hence a trial step that is refused there, or whose error is far from that of
 * earlier steps, is repeated with each stage projected onto the rows, each time a little shorter, so that no stage lies
 * where sigma is rounding, as long as that helps. Not with friction, which jams near such positions. Not in a first
 * step: it may be too long for anything, and singular positions among its stages may be far from the motion. */
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
