/* Jamming of friction near flat positions and dead centres, towards which reactions grow without bound.
 *
 * Where coordinates keep joints, the rows of loops give way in no acceleration, so that the error of a step does not
 * show growing reactions: a long step could lead past a position where friction has no solution. The least singular
 * value sigma falls in proportion to the remaining distance, so that steps that turn bodies by less than sigma come
 * near the position and meet the jamming. */
#include "dynamics/integration/stepper.h"

#include <math.h>

/* 1 / sigma^2 at which a mechanism jams whatever the friction: some 0.03 rad from a flat position. */
#define NEAR_JAM 1e3
/* TOWARDS_JAM: 1 / sigma^2 above which steps are limited to a turn of PART_OF_SIGMA times sigma, with sigma no less
 * than LEAST_SIGMA. */
#define TOWARDS_JAM 1e2
#define PART_OF_SIGMA 0.5
#define LEAST_SIGMA 1e-3
/* Least factor by which a step is shortened at once. */
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
