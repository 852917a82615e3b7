/* Friction near flat positions and dead centres, towards which reactions grow without bound: what slides jams there.
 *
 * Where coordinates keep joints the rows of loops give way in no acceleration, so that no error of a step tells of
 * reactions that grow: a long step would lead past a position where friction has no solution. With sigma, the least
 * singular value, going down in proportion to the way that is left, steps that turn by less than sigma come near it and
 * meet what jams.
 */
#include "dynamics/stepper.h"

#include <math.h>

/* 1 / sigma^2 where a mechanism jams whatever the friction: some 0.03 rad from a flat position. */
#define NEAR_JAM 1e3
/* Above this steps are watched: they turn by no more than a part of sigma, which is taken for no less than the last. */
#define TOWARDS_JAM 1e2
#define PART_OF_SIGMA 0.5
#define LEAST_SIGMA 1e-3
/* A step is shortened to this part of itself at most. */
#define RETREAT 0.25

const char *rbv_stepper_jams(const RbvStepper *s) {
    if (!(s->nearness > NEAR_JAM) || s->flow->sliding.count == 0)
        return NULL;
    return RBV_JAMS
        "near a flat position or a dead centre, towards which reactions grow without bound: no friction is small "
        "enough there. Something must lead through, such as another crank out of line; or joints without friction";
}

bool rbv_stepper_leads_past_jam(RbvStepper *s, double h) {
    const RbvFlow *flow = s->flow;
    if (flow->system->coordinates.of_bodies || flow->sliding.count == 0 || !(s->nearness > TOWARDS_JAM))
        return false;
    double rate = 0, turn = PART_OF_SIGMA * fmax(1 / sqrt(s->nearness), LEAST_SIGMA);
    for (int32_t b = 1; b < flow->system->bodies.count; b++)
        rate = fmax(rate, rbv_norm(flow->state->twists[b].w));
    if (rate * h <= turn)
        return false;
    s->h = fmax(turn / rate, RETREAT * h);
    s->rejected++;
    return true;
}
