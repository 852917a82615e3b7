/* Following an equilibrium along a parameter; see follow.h. Between two places of the path an event is looked for where the way of the parameter turns (a fold) or a curvature
 * changes its sign: there the arc is divided until the event is found to rounding, and it becomes a sample of its own. */
#include "analysis/follow.h"

#include "analysis/path.h"
#include "analysis/rest_words.h"
#include "base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

/* Arcs of steps: the whole range of the parameter is 1, and so is a movement of all bodies by the size of the mechanism. */
#define FIRST_ARC 0.005
#define MOST_ARC 0.02
#define LEAST_ARC 1e-7
#define MOST_PLACES 5000
/* Behind a fold the path may go back past its start, by so much of the range. */
#define FAR_BACK 1.0
/* It closes when it comes so near to its start: of the last arc. */
#define CLOSED 0.75
#define LEAST_ROUND 10 /* places */
#define QUICK 3 /* corrections after which the next step may be longer */
#define SLOW 6
/* Part of the arc between two places to which an event is found. */
#define EVENT_ARC 1e-9
#define MOST_DIVISIONS 60
/* A snap-through begins so far behind the fold: of the arc, and of the parameter's range. */
#define SNAP_ARC 0.02
#define SNAP_BEYOND 1e-6

typedef struct Follow {
    RbvPath path;
    RbvRestJudge *judge;
    RbvDiagnostics *diagnostics;
    const RbvModel *model;
} Follow;

/* One more place, judged. What is wrong with one behind the first is said by judging it again. */
static RbvStatus keep(Follow *f, RbvPlace *place) {
    RbvRest *rest = &f->path.rest;
    rest->balance = place->balance;
    f->judge->diagnostics = NULL;
    RbvStatus status = rbv_rest_judge(f->judge, rest, &place->stability, rbv_path_parameter(&f->path, place->u));
    f->judge->diagnostics = f->diagnostics;
    if (status != RBV_OK && status != RBV_NO_MEMORY)
        status = rbv_rest_judge(f->judge, rest, &place->stability, rbv_path_parameter(&f->path, place->u));
    return status;
}

/* A place in words, with the motion that counts there. */
static bool describe(Follow *f, RbvPlace *place, const double *motion, RbvEquilibrium *to) {
    RbvStability stability = place->stability;
    size_t n = (size_t)place->balance->n;
    f->path.rest.balance = place->balance;
    if (motion && stability.direction) {
        memcpy(stability.direction, motion, n * sizeof *motion);
        stability.kind = RBV_NEUTRAL;
    }
    f->judge->record->system = place->balance->system;
    rbv_balance_place(place->balance);
    return rbv_rest_words(f->judge->record, &f->path.rest, &stability, f->judge->method, to);
}

/* What changes at an event: the way of the parameter, how many motions it falls by, or in how many it swings more and more. */
typedef enum Change { NOTHING, FOLD, FALLING, FLUTTER } Change;

static bool decided(const RbvPlace *from, const RbvPlace *to) {
    return from->stability.kind != RBV_UNDECIDED && to->stability.kind != RBV_UNDECIDED;
}

static int32_t more_falling(const RbvPlace *from, const RbvPlace *to) {
    return decided(from, to) ? abs(from->stability.falling - to->stability.falling) : 0;
}

static Change change_between(const RbvPlace *from, const RbvPlace *to) {
    return from->tangent_u * to->tangent_u < 0                                          ? FOLD
           : more_falling(from, to) > 0                                                 ? FALLING
           : decided(from, to) && from->stability.flutter != to->stability.flutter      ? FLUTTER : NOTHING;
}

/* A number of a place near `from` that changes its sign at the event. */
static double sought(Change change, bool begins_to_fall, const RbvPlace *from, const RbvPlace *place) {
    const RbvStability *s = &place->stability;
    double size = isnan(s->margin) || change == FLUTTER ? 1 : fabs(s->margin);
    bool before = change == FLUTTER ? s->flutter == from->stability.flutter : s->falling == from->stability.falling;
    if (change == FALLING && s->level && !isnan(s->margin)) /* what counts as zero still has a sign */
        before = (s->margin > 0) == begins_to_fall;
    return change == FOLD ? place->tangent_u : before ? size : -size;
}

/* The arc from `from` at which what is sought changes its sign, by the Illinois method with bisections, and the place there. */
static RbvStatus locate(Follow *f, const RbvPlace *from, double arc, const RbvPlace *to, Change change, RbvPlace *event) {
    bool begins = to->stability.falling > from->stability.falling;
    double low = 0, high = arc, at_low = sought(change, begins, from, from), at_high = sought(change, begins, from, to);
    bool placed = false;
    int side = 0;
    for (int k = 0; k < MOST_DIVISIONS && high - low > EVENT_ARC * arc; k++) {
        double middle = k % 5 == 4 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        middle = fmin(fmax(middle, low + 0.1 * EVENT_ARC * arc), high - 0.1 * EVENT_ARC * arc);
        RbvPlace place;
        RbvStatus status = rbv_path_step(&f->path, from, middle, &place);
        if (status == RBV_NO_EQUILIBRIUM && placed)
            break; /* so near to a bifurcation that Newton has no direction: near enough */
        if (status != RBV_OK) {
            if (placed)
                rbv_place_destroy(event);
            return status;
        }
        if (placed)
            rbv_place_destroy(event);
        *event = place;
        placed = true;
        double value = sought(change, begins, from, event);
        if (value == 0)
            break;
        bool below = (value > 0) == (at_low > 0);
        *(below ? &low : &high) = middle;
        *(below ? &at_low : &at_high) = value;
        if (side == (below ? -1 : 1)) /* twice on one side: Illinois */
            *(below ? &at_high : &at_low) *= 0.5;
        side = below ? -1 : 1;
    }
    return placed ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* Where it comes to rest from just behind a fold, by a method: `side` 1 when the stable places lie before the fold, -1 when behind. */
static RbvStatus land_by(Follow *f, const RbvPlace *fold, RbvEvent *event, int side, RbvRestMethod *method, const char *name) {
    RbvPlace place;
    RbvRest rest = {0};
    RbvStatus status = rbv_path_beside(&f->path, fold, fold->u + event->rises * SNAP_BEYOND, side * SNAP_ARC, &place);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    status = rbv_rest_create(&rest, place.balance, NULL);
    rest.progress = f->judge->options->progress;
    rest.context = f->judge->options->context;
    if (status == RBV_OK)
        status = method(&rest);
    if (status == RBV_OK)
        status = rbv_stability_find(place.balance, f->path.has_energy, 0, &place.stability);
    if (status == RBV_OK) {
        f->judge->record->system = place.system;
        rbv_balance_place(place.balance);
        event->lands = rbv_rest_words(f->judge->record, &rest, &place.stability, name, &event->landing);
        status = event->lands ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_rest_destroy(&rest);
    rbv_place_destroy(&place);
    return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
}

/* As damped motion goes; where that does not settle, downhill. */
static RbvStatus land(Follow *f, const RbvPlace *fold, RbvEvent *event, int side) {
    RbvStatus status = land_by(f, fold, event, side, rbv_rest_by_relaxation, "relaxation");
    if (status == RBV_OK && !event->lands && f->path.has_energy)
        status = land_by(f, fold, event, side, rbv_rest_by_energy, "energy");
    return status;
}

static RbvStatus note_event(Follow *f, Change change, const RbvPlace *from, const RbvPlace *to, RbvPlace *place) {
    RbvResult *result = f->judge->record->result;
    const char *kind = change == FOLD ? "fold" : change == FLUTTER ? "flutter" : more_falling(from, to) == 1 ? "bifurcation" : "stability";
    RbvEvent event = {.kind = kind, .at = rbv_path_parameter(&f->path, place->u), .sample = result->sample_count, .before = rbv_stability_name(&from->stability),
                      .after = rbv_stability_name(&to->stability)};
    const double *motion = change == FOLD ? place->tangent : change == FLUTTER ? NULL : place->stability.nearest;
    RbvStatus status = keep(f, place);
    if (status == RBV_OK && !describe(f, place, motion, &event.place))
        status = RBV_NO_MEMORY;
    if (change == FOLD)
        event.rises = from->tangent_u > 0 ? 1 : -1;
    bool before = from->stability.kind == RBV_STABLE, behind = to->stability.kind == RBV_STABLE;
    if (status == RBV_OK && change == FOLD && before != behind && decided(from, to)) {
        event.kind = "snap-through";
        status = land(f, place, &event, before ? 1 : -1);
    }
    return status == RBV_OK && !rbv_result_event(result, &event) ? RBV_NO_MEMORY : status;
}

/* Between two places: nothing, a fold, or a change of stability. */
static RbvStatus look_between(Follow *f, const RbvPlace *from, double arc, const RbvPlace *to) {
    Change change = change_between(from, to);
    RbvPlace event;
    if (change == NOTHING)
        return RBV_OK;
    f->path.near_event = change == FALLING;
    RbvStatus status = locate(f, from, arc, to, change, &event);
    f->path.near_event = false;
    if (status == RBV_NO_EQUILIBRIUM) { /* between these two places, and no nearer */
        status = rbv_path_step(&f->path, from, 0.5 * arc, &event);
        if (status == RBV_NO_EQUILIBRIUM)
            return RBV_OK;
    }
    if (status != RBV_OK)
        return status;
    status = note_event(f, change, from, to, &event);
    rbv_place_destroy(&event);
    return status;
}

/* Two events in one step are told apart by shorter steps. */
static bool too_much_at_once(const RbvPlace *from, const RbvPlace *to) {
    int32_t falling = more_falling(from, to);
    return change_between(from, to) == FOLD ? decided(from, to) && falling != 1 : falling > 1;
}

/* One step from `now`; *next is the place there, *way the arc to it, *ended where the path ends with it. */
static RbvStatus go(Follow *f, RbvPlace *now, double *arc, RbvPlace *next, double *way, const char **ended) {
    for (;;) {
        RbvStatus status = rbv_path_step(&f->path, now, *arc, next);
        *way = *arc;
        double end = status == RBV_OK && next->u >= 1 ? 1 : -FAR_BACK;
        if (status == RBV_OK && (next->u >= 1 || next->u <= -FAR_BACK)) {
            rbv_place_destroy(next);
            status = rbv_path_at(&f->path, now, end, next);
            *way = fmin(*arc, (end - now->u) / now->tangent_u);
            *ended = status == RBV_OK ? end == 1 ? "to the end" : "back past the start" : NULL;
        }
        bool shorter = status == RBV_NO_EQUILIBRIUM || (status == RBV_OK && too_much_at_once(now, next) && *arc > 100 * LEAST_ARC);
        if (!shorter)
            return status;
        if (status == RBV_OK)
            rbv_place_destroy(next);
        *ended = NULL;
        *arc *= 0.5;
        if (*arc < LEAST_ARC)
            return RBV_NO_EQUILIBRIUM;
    }
}

/* Has the path come round to where it began? */
static bool closes(Follow *f, const RbvPlace *now, double arc) {
    return rbv_path_distance(&f->path, now) < CLOSED * arc;
}

static RbvStatus stuck(Follow *f, const RbvPlace *now) {
    const RbvFamily *family = f->path.family;
    double p = rbv_path_parameter(&f->path, now->u);
    if (!isnan(f->path.refused)) {
        RbvModel *model = NULL;
        RbvSystem *system = NULL;
        RbvStatus status = family->at(family->context, f->path.refused, f->diagnostics, &model); /* says why */
        if (status == RBV_OK)
            status = rbv_system_create(model, f->diagnostics, &system);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, status == RBV_OK ? "the path ends at %s = %.9g %s: behind it bodies or rows of the model come or go"
                                                                                                  : "the path ends at %s = %.9g %s: behind it there is no model",
                     family->parameter, p, family->unit);
        return RBV_NO_EQUILIBRIUM;
    }
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0},
                 "no equilibrium found near by beyond %s = %.9g %s: the steps along the path have become too short (a mechanism that locks or comes apart, a spring without length, a kink)",
                 family->parameter, p, family->unit);
    return RBV_NO_EQUILIBRIUM;
}

static RbvStatus walk(Follow *f, RbvPlace *now) {
    RbvFollowed *followed = &f->judge->record->result->followed;
    double arc = FIRST_ARC, way = 0;
    RbvStatus status = RBV_OK;
    const char *ended = NULL;
    for (int32_t k = 0; status == RBV_OK && !ended; k++) {
        RbvPlace next;
        if (k == MOST_PLACES) {
            rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, "the path has not come to an end after %d places, at %s = %.9g %s", k, followed->parameter,
                         rbv_path_parameter(&f->path, now->u), followed->unit);
            return RBV_NO_EQUILIBRIUM;
        }
        status = go(f, now, &arc, &next, &way, &ended);
        if (status == RBV_NO_EQUILIBRIUM)
            return stuck(f, now);
        if (status != RBV_OK)
            return status;
        int32_t corrections = f->path.corrections;
        f->path.refused = NAN;
        status = look_between(f, now, way, &next);
        if (status == RBV_OK)
            status = keep(f, &next);
        if (status == RBV_AUDIT_FAILED)
            rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, "the path ends at %s = %.9g %s: forces grow behind it as before a lock-up",
                         followed->parameter, followed->reached, followed->unit);
        if (status == RBV_OK)
            followed->reached = rbv_path_parameter(&f->path, next.u);
        if (k > LEAST_ROUND && !ended && closes(f, &next, way))
            ended = "round to the start";
        rbv_place_destroy(now);
        *now = next;
        arc *= corrections <= QUICK ? 1.5 : corrections >= SLOW ? 0.6 : 1;
        arc = fmin(arc, MOST_ARC);
    }
    if (status == RBV_OK)
        followed->ended = ended;
    return status;
}

RbvStatus rbv_follow(RbvRestJudge *judge, RbvRest *first, bool has_energy) {
    Follow f = {.judge = judge, .diagnostics = judge->diagnostics, .model = first->balance->system->model};
    const RbvFamily *family = judge->family;
    RbvResult *result = judge->record->result;
    RbvPlace now = {0};
    result->followed = (RbvFollowed){.parameter = result->columns[0].name, .unit = result->columns[0].unit, .from = family->from, .to = family->to, .reached = family->from, .ended = "as far as"};
    RbvStatus status = rbv_path_create(&f.path, family, judge->options, has_energy, first->balance);
    if (status == RBV_OK)
        status = rbv_path_first(&f.path, &now);
    if (status == RBV_NO_EQUILIBRIUM)
        status = stuck(&f, &now);
    else if (status == RBV_OK)
        status = walk(&f, &now);
    bool told = status != RBV_NO_MEMORY;
    if (told && now.balance && now.tangent && !describe(&f, &now, NULL, &result->followed.last))
        status = RBV_NO_MEMORY;
    rbv_place_destroy(&now);
    rbv_path_destroy(&f.path);
    return status;
}
