/* What bounds, cuts and forbids a step: one row of the table `events` each, asked in its order; see step_events.h. */
#include "dynamics/integration/step_events.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "dynamics/integration/knots.h"

#include <math.h>

/* Least step, relative to the time or the longest step. */
#define SHORTEST 1e-14

/* After a step with error e the next is 0.9 e^(-1/8) times as long, within bounds. */
#define SAFETY 0.9

double rbv_step_growth(const RbvStepper *s, double error) {
    const double order = s->implicit ? RBV_RADAU_ORDER : RBV_DORMAND_PRINCE_ORDER;
    return error > 0 ? SAFETY * pow(error, -1.0 / order) : RBV_STEP_MOST_GROWTH;
}

/* ---- the caller's end, and knots of tables, where laws are less smooth: steps end there ---- */

/* In least steps: a knot nearer than this counts as the start of the step. */
#define KNOT 100
/* A table with more than KNOTS_CROSSED in one step is taken for a smooth curve until a step is refused: then KNOT_STEPS
 * steps end at knots before another is tried across. */
#define KNOTS_CROSSED 20
#define KNOT_STEPS 30

static double until_end(const RbvStepper *s, const RbvStepTrial *trial) {
    (void)s;
    return trial->goal;
}

static double until_knot(const RbvStepper *s, const RbvStepTrial *trial) {
    return s->by_knots > 0 || s->h < KNOTS_CROSSED * trial->apart ? trial->knot : INFINITY;
}

/* A knot that the refused step has crossed may be the cause. */
static RbvStepVerdict verify_knot(RbvStepper *s, RbvStepTrial *trial) {
    if (!trial->refused)
        return RBV_STEP_PASSES;
    s->rejected++;
    if (trial->t <= trial->knot)
        return RBV_STEP_PASSES;
    s->by_knots = KNOT_STEPS;
    return RBV_STEP_AGAIN;
}

/* ---- energy: a step whose change of the balance exceeds its share is refused ---- */

/* Change of the energy balance over the trial step of length h, relative to the allowed one. Beyond its piece a law is
 * not that of its potential: there the step will end earlier. */
static double unbalance(RbvStepper *s, double h) {
    const RbvPieces *pieces = s->flow->state->pieces;
    if (pieces && !pieces->follows && rbv_pieces_left(pieces) >= 0) {
        s->balance.before = s->balance.kept;
        return 0;
    }
    double steps = (double)(s->steps + 1) * s->run / (s->t + s->longest - s->started),
           allowed = rbv_energy_of_a_run(s->tolerance) / steps; /* of the run, as far as it is known */
    return rbv_energy_balance_verify(&s->balance, &s->flow->power, s->flow->state, s->share,
                                     rbv_min(s->tolerance, allowed), s->y_next[s->flow->size - 1], h);
}

static RbvStepVerdict verify_energy(RbvStepper *s, RbvStepTrial *trial) {
    trial->imbalance = trial->made && !trial->least ? unbalance(s, trial->h) : 0;
    if (trial->made && trial->least) /* across a jump of forces nothing is allowed or refused */
        rbv_energy_balance_step(&s->balance, &s->flow->power, s->flow->state, s->y_next[s->flow->size - 1]);
    trial->refused = !trial->made || trial->imbalance > 1;
    return RBV_STEP_PASSES;
}

/* ---- singular positions: a trial step refused near one is repeated, projected ---- */

/* 1 / sigma^2 for singular values below a hundredth; largest ratio of errors for which projecting the stages has
 * helped; number of trials; ratio of their lengths: each differs by more than the range where sigma is rounding, some
 * 1e-4 of a radian. */
#define NEAR_CROSSING 1e4
#define HELPED 0.1
#define MOST_CROSSINGS 12
#define CROSSING 0.93
/* So many steps that were refused at first, each below this part of the length of the one before, are on the way to a
 * singular position, too, wherever sigma is. Steps that stability bounds keep their length. */
#define MOST_SHRINKING 3
#define SHRINKING 0.9
/* Number of steps that are projected after one of which a trial was refused that was not. */
#define STEPS_PROJECTED 4
/* Relative to the longest step: shorter steps do not lead across. */
#define LEAST_CROSSING 1e-5

/* After the last trial: no other length is better than the best trial if its remaining error is rounding over sigma^2.
 * Shorter steps have more stages near the position, and more of that error; where errors fall with the length, as those
 * of a step bounded by stability do, shorter steps make progress; unless errors between were far larger: then the
 * longest such trial leads across, and the shorter ones end before the position. Returns true, with the length in s->h,
 * if that trial is to be repeated. */
static bool settle_crossing(RbvStepper *s, RbvSingularCrossing *trials) {
    bool falls = trials->best < HELPED * trials->longest, crosses = trials->longest < HELPED * trials->most;
    if (trials->length == 0 || (falls && !crosses))
        return false;
    trials->settles = true;
    s->h = falls ? trials->first : trials->length;
    s->rejected++;
    return true;
}

/* Near a singular position accelerations satisfy rows along a motion that the rows resist by sigma only: states off the
 * constraints by delta have an error delta / sigma along it. The stages of a step are off by some power of its length,
 * so they cause errors for which no step is short enough, and the shorter the step is the more of its stages are near.
 * The motion itself is smooth there. Hence a trial step that is refused there, or on the way there, is repeated with
 * each stage projected onto the rows, each time a little shorter, so that no stage lies where sigma is rounding, as
 * long as that helps. On the way there the projection comes while steps are still long: they lead across at once, with
 * few stages near the position. Not with friction, which jams near such positions. Not in a first step: it may be too
 * long for anything, and singular positions among its stages may be far from the motion. */
static bool retries(RbvStepper *s, RbvSingularCrossing *trials, double h, double error) {
    if (s->implicit || s->flow->sliding.count > 0 || s->steps == 0)
        return false;
    if (trials->settles) { /* and was refused */
        trials->settles = false;
        trials->tried = MOST_CROSSINGS + 1;
        return false;
    }
    /* Rows are satisfied to this part of the size; the resulting error of accelerations grows with 1 / sigma^2. */
    if (s->flow->projects && error > 0 && error < RBV_CROSSING_FAR_OFF &&
        error * s->tolerance <= RBV_EXACT * s->nearness && (trials->length == 0 || error < trials->best)) {
        trials->longest = trials->length == 0 ? error : trials->longest;
        trials->first = trials->length == 0 ? h : trials->first;
        trials->best = error;
        trials->length = h;
    }
    if (trials->length > 0)
        trials->most = isfinite(error) ? rbv_max(trials->most, error) : INFINITY;
    if (trials->tried >= MOST_CROSSINGS)
        return trials->tried == MOST_CROSSINGS && settle_crossing(s, trials);
    bool first = trials->tried == 0, near = s->nearness > NEAR_CROSSING,
         helps = error > 1 && (first || error < HELPED * trials->worst);
    if (first)
        trials->suspected = s->nearness > RBV_TOWARDS_SINGULAR || s->shrinking >= MOST_SHRINKING;
    if (trials->tried == 1 && !near && !helps) { /* it is no singular position: plain stages are cheaper */
        s->flow->projects = false;
        trials->tried = MOST_CROSSINGS + 1;
    }
    if (!(near || (helps && trials->suspected)) || h < LEAST_CROSSING * s->longest || s->flow->system->row_count == 0)
        return false;
    trials->whole = first ? h : trials->whole;
    trials->worst = first ? error : trials->worst;
    trials->tried++;
    s->h = trials->whole * pow(CROSSING, trials->tried);
    s->flow->projects = true;
    s->rejected++;
    return true;
}

/* A projected stage costs several plain ones, in solutions and evaluations of positions. Stages stay projected for some
 * steps after one that this has made possible at the length at which it was tried. */
void rbv_step_events_accept(RbvStepper *s, const RbvStepTrial *trial) {
    const RbvSingularCrossing *trials = &trial->singular;
    bool helped = !s->implicit && trials->tried > 0 && trials->tried <= MOST_CROSSINGS &&
                  trial->error < HELPED * trials->worst && trial->h == trials->whole * pow(CROSSING, trials->tried),
         shrinks = trial->retried && trial->h < SHRINKING * (s->t - s->before);
    s->crossing = helped ? STEPS_PROJECTED : s->crossing - (s->crossing > 0);
    s->shrinking = shrinks ? s->shrinking + 1 : 0;
}

static RbvStepVerdict verify_singular(RbvStepper *s, RbvStepTrial *trial) {
    if (!trial->refused || trial->least || !retries(s, &trial->singular, trial->h, trial->error))
        return RBV_STEP_PASSES;
    return RBV_STEP_AGAIN;
}

/* Rows that yield near a singular position do no work that the balance could have; neither does a trial that rounding
 * explains. */
static RbvStepVerdict verify_yielding(RbvStepper *s, RbvStepTrial *trial) {
    if (trial->refused && trial->made && (s->yields || trial->singular.settles)) {
        rbv_energy_balance_step(&s->balance, &s->flow->power, s->flow->state, s->y_next[s->flow->size - 1]);
        trial->refused = false;
        trial->imbalance = 0;
    }
    return RBV_STEP_PASSES;
}

/* ---- jamming of friction near flat positions and dead centres ----
 *
 * Reactions grow without bound towards these. Where coordinates keep joints, the rows of loops give way in no
 * acceleration, so that the error of a step does not show growing reactions: a long step could lead past a position
 * where friction has no solution. The least singular value sigma falls in proportion to the remaining distance, so that
 * steps that turn bodies by less than sigma come near the position and meet the jamming.
 *
 * TOWARDS_JAM: 1 / sigma^2 above which steps are limited to a turn of PART_OF_SIGMA times sigma, with sigma no less
 * than LEAST_SIGMA. */
#define TOWARDS_JAM 1e2
#define PART_OF_SIGMA 0.5
#define LEAST_SIGMA 1e-3
/* Least factor by which a step is shortened at once. */
#define LEAST_CUT 0.25

static RbvStepVerdict verify_jam(RbvStepper *s, RbvStepTrial *trial) {
    const RbvFlow *flow = s->flow;
    if (!trial->made || trial->least || flow->system->coordinates.of_bodies || flow->sliding.count == 0 ||
        !(s->nearness > TOWARDS_JAM))
        return RBV_STEP_PASSES;
    double rate = 0, turn = PART_OF_SIGMA * rbv_max(1 / sqrt(s->nearness), LEAST_SIGMA);
    for (int32_t b = 1; b < flow->system->bodies.count; b++)
        rate = rbv_max(rate, rbv_norm(flow->state->twists[b].w));
    if (rate * trial->h <= turn)
        return RBV_STEP_PASSES;
    s->h = rbv_max(turn / rate, LEAST_CUT * trial->h);
    s->rejected++;
    return RBV_STEP_AGAIN;
}

/* ---- error: a refused step is repeated with a shorter one, down to the least, which may cross a jump of forces ----
 */

/* Factor of the length of a step that cannot be made. */
#define RETREAT 0.25
/* Largest factor of the length of a step that is refused for its error; for its energy balance HALF, since shorter
 * steps show whether the step is its cause. */
#define MOST_SHRINK 0.9
#define HALF 0.5
/* Forces that jump where a motion begins, such as sign(v) at rest, allow no step: a step of the least length is then
 * made, if the last one is so many least steps ago. */
#define CROSSED 1e6
/* Relative to size: bound of the movement in the longest step by the velocity that such a step adds. */
#define CROSSED_BY 1e-6

/* Factor of the length of a step refused for its error or for its energy balance. */
static double shrink(const RbvStepper *s, double error, double imbalance) {
    return rbv_max(RBV_STEP_LEAST_GROWTH,
                   rbv_min(imbalance > 1 ? HALF : MOST_SHRINK, rbv_step_growth(s, rbv_max(error, imbalance))));
}

/* No step is short enough: returns whether this is a jump of forces at the beginning of the step, which one least step
 * passes, rather than forces without bound. */
static bool crosses(RbvStepper *s, double shortest, bool measured) {
    const double *a = rbv_dormand_prince_first(&s->method) + s->flow->positions;
    double gain = 0;
    for (int32_t j = 0; j < s->flow->n; j++)
        gain = rbv_max(gain, fabs(a[j]) * s->share[j]);
    return measured && gain * shortest * s->longest <= CROSSED_BY && !s->implicit && s->t + shortest > s->t &&
           s->t - s->crossed > CROSSED * shortest;
}

static RbvStepVerdict verify_error(RbvStepper *s, RbvStepTrial *trial) {
    bool measured = trial->status == RBV_OK && isfinite(trial->error);
    if (!trial->refused)
        return RBV_STEP_PASSES;
    s->h = trial->h * (measured ? shrink(s, trial->error, trial->imbalance) : RETREAT);
    if (s->h < trial->shortest && (trial->least || !crosses(s, trial->shortest, measured)))
        return RBV_STEP_FAILS;
    trial->least = s->h < trial->shortest;
    s->h = rbv_max(s->h, trial->shortest);
    return RBV_STEP_AGAIN;
}

/* ---- the table ---- */

typedef struct RbvStepEvent {
    const char *name;
    double (*until)(const RbvStepper *stepper, const RbvStepTrial *trial); /* [s] where a step ends at the latest */
    RbvStepVerdict (*verify)(RbvStepper *stepper, RbvStepTrial *trial);    /* of a trial step */
} RbvStepEvent;

static const RbvStepEvent events[] = {
    {"the caller's end", until_end, NULL},
    {"friction that jams", NULL, verify_jam},
    {"energy", NULL, verify_energy},
    {"singular position", NULL, verify_singular},
    {"yielding rows", NULL, verify_yielding},
    {"knot of a table", until_knot, verify_knot},
    {"error", NULL, verify_error},
};

#define EVENTS (sizeof events / sizeof *events)

RbvStepTrial rbv_step_events_begin(const RbvStepper *s, double end) {
    const RbvModel *model = s->flow->system->model;
    RbvStepTrial trial = {.goal = end, .shortest = SHORTEST * rbv_max(fabs(s->t), s->longest)};
    trial.knot = rbv_table_knots_next(model, s->t + KNOT * trial.shortest);
    trial.apart =
        isfinite(trial.knot) ? rbv_table_knots_next(model, trial.knot + KNOT * trial.shortest) - trial.knot : INFINITY;
    return trial;
}

void rbv_step_events_bound(const RbvStepper *s, RbvStepTrial *trial) {
    double end = INFINITY;
    for (size_t k = 0; k < EVENTS; k++)
        end = events[k].until ? rbv_min(end, events[k].until(s, trial)) : end;
    trial->ends = s->t + 1.0001 * s->h >= end;
    trial->h = trial->ends ? end - s->t : s->h;
    trial->t = trial->ends ? end : s->t + trial->h;
    trial->error = 0;
}

RbvStepVerdict rbv_step_events_verify(RbvStepper *s, RbvStepTrial *trial) {
    RbvStepVerdict verdict = RBV_STEP_PASSES;
    for (size_t k = 0; k < EVENTS && verdict == RBV_STEP_PASSES; k++)
        verdict = events[k].verify ? events[k].verify(s, trial) : RBV_STEP_PASSES;
    return verdict;
}
